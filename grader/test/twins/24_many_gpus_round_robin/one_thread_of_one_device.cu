// expect: OVER_BUDGET | sharing the work
#include <cuda_runtime.h>

#include "many_gpus_round_robin.h"

__global__ void __launch_bounds__(ROUND_ROBIN_THREADS)
    one_thread(const int *d_in, int *d_out, int n)
{
    unsigned sum = 0;

    for (int i = 0; threadIdx.x == 0 && i < n; i++)
        d_out[i] = (int)(sum += (unsigned)d_in[i]);
}

void round_robin(const int *d_in, int *d_out, int n)
{
    if (n > 0)
        one_thread<<<1, ROUND_ROBIN_THREADS>>>(d_in, d_out, n);
}
void round_robin_again(const int *d_in, int *d_out, int n)
{
    round_robin(d_in, d_out, n);
    round_robin(d_out, d_out, n);
}
