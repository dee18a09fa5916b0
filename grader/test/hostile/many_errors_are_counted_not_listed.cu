// expect: COMPILE_ERROR | 20 or more errors in all
#define TEN(x) x x x x x x x x x x
#define LINE   int = ;
TEN(TEN(TEN(LINE)))
TEN(TEN(TEN(LINE)))
