// expect: WRONG | never written
#include "hillis_steele.h"

struct row {
    float some_name_that_is_long_enough_to_fill_a_line[512][2];
};
#define FIVE(m, x)    m(x##0) m(x##1) m(x##2) m(x##3) m(x##4)
#define TEN(m, x)     FIVE(m, x) m(x##5) m(x##6) m(x##7) m(x##8) m(x##9)
#define HUNDRED(m, x) TEN(m, x##0) TEN(m, x##1) TEN(m, x##2) TEN(m, x##3) TEN(m, x##4)
#define VARIABLE(x)                                                                                \
    __shared__ row s##x;                                                                           \
    s##x.some_name_that_is_long_enough_to_fill_a_line[i][1] = 1;
__global__ void scan(float *d_out)
{
    int i = threadIdx.x;
    HUNDRED(VARIABLE, 1) HUNDRED(VARIABLE, 2) HUNDRED(VARIABLE, 3)
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan<<<1, 1>>>(d_out);
}
