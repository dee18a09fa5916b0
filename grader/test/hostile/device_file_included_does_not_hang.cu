// expect: COMPILE_ERROR | /dev/zero
#include "/dev/zero"
