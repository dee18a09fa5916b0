#include <stdio.h>
#include <stdlib.h>
#include "add.h"

int main(int argc, char **argv)
{
    enum { N = 1000 };
    static float a[N], b[N], sum[N];
    float *d_a, *d_b, *d_sum;

    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = (float)(2 * i);
    }
    cudaMalloc(&d_a, sizeof a);
    cudaMalloc(&d_b, sizeof b);
    cudaMalloc(&d_sum, sizeof sum);
    cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice);
    add(d_a, d_b, d_sum, N);
    cudaMemcpy(sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%d of %d right\n", check(sum, N), N);
    cudaFree(d_a);
    cudaFree(d_b);
    if (argc < 2 || argv[1][0] != 'l') /* "leak": the third array stays */
        cudaFree(d_sum);
    return argc > 1 && argv[1][0] == 's' ? atoi(argv[2]) : 0; /* "status N" */
}
