// expect: COMPILE_ERROR | :2: a #line directive gives lines other names
#line 6 "mine.cu\nmine.cu:1:1: error: all is right"

int i = nothing;
