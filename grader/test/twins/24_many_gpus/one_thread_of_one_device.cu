// expect: OVER_BUDGET | blocks sharing the work
#include <cuda_runtime.h>

#include "many_gpus.h"

__global__ void __launch_bounds__(MANY_THREADS)
    one_thread(const long long *d_in, long long *d_out, int n)
{
    unsigned long long sum = 0;

    for (int i = 0; threadIdx.x == 0 && i < n; i++)
        d_out[i] = (long long)(sum += (unsigned long long)d_in[i]);
}

void many_fix_up(const long long *d_in, long long *d_out, int n)
{
    if (n > 0)
        one_thread<<<1, MANY_THREADS>>>(d_in, d_out, n);
}
void many_seed_first(const long long *d_in, long long *d_out, int n)
{
    many_fix_up(d_in, d_out, n);
}
void many_board(const long long *d_in, long long *d_out, int n) { many_fix_up(d_in, d_out, n); }
void many_board_again(const long long *d_in, long long *d_out, int n)
{
    many_fix_up(d_in, d_out, n);
    many_fix_up(d_out, d_out, n);
}
