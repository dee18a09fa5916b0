// expect: WRONG | never written
#include <stdio.h>
#include <cuda_runtime.h>
#include "hillis_steele.h"

/* A million lines of a kilobyte. The device keeps what fits into its buffer, and the answer is
   judged. */
#define TEN(text) text text text text text text text text text text

__global__ void talk(int n)
{
    for (int i = 0; i < n; i++)
        printf(TEN(TEN("0123456789")) "\n");
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    talk<<<1, 256>>>(n == 100 ? 4000 : 1);
}
