// expect: COMPILE_ERROR | mine.cu:7:9: error: use of undeclared
#line 6 "mine.cu"

int i = nothing;
