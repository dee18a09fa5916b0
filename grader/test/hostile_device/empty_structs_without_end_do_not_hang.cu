// expect: WRONG | d_out[0]
#include "hillis_steele.h"

struct empty {
};
struct many {
    empty a[1 << 20][1 << 20][1 << 10];
    float first;
};

__global__ void scan(float *d_out)
{
    __shared__ many s;
    s.first = 1;
    d_out[threadIdx.x] = s.first;
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan<<<1, 1>>>(d_out);
}
