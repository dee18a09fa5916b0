// expect: COMPILE_LIMIT | expand without end
#define A(x) x x x x x x x x
#define B(x) A(A(A(x)))
#define C(x) B(B(B(x)))
int bomb = C(C(1 +)) 1;
