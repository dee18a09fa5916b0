/*
 * odd_again.cu: a file for lab 24 that is right in every part but the one that its solution has a
 * trial of: the second scan leaves d_out as it was.
 */
#include "many_gpus.h"

static __global__ void scan(const long long *d_in, long long *d_out, int n)
{
    long long sum = 0;

    for (int i = 0; i < n; i++)
        d_out[i] = sum += d_in[i];
}

extern "C" void many_fix_up(const long long *d_in, long long *d_out, int n)
{
    scan<<<1, 1>>>(d_in, d_out, n);
}

extern "C" void many_seed_first(const long long *d_in, long long *d_out, int n)
{
    scan<<<1, 1>>>(d_in, d_out, n);
}

extern "C" void many_board(const long long *d_in, long long *d_out, int n)
{
    scan<<<1, 1>>>(d_in, d_out, n);
}

extern "C" void many_board_again(const long long *d_in, long long *d_out, int n)
{
    scan<<<1, 1>>>(d_in, d_out, n);
}
