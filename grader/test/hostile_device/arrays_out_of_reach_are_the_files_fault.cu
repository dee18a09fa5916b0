// expect: COMPILE_ERROR | arrays outside of functions have more than 2 GiB
#include "hillis_steele.h"

static char first[3ull << 30], second[3ull << 30];

char *first_of(long i) { return first + i; }
char *second_of(long i) { return second + i; }
