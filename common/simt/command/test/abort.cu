/* Writes one element too many, then stops itself, as an assert on the host does; "segv": uses a
   device address on the host. */
#include <stdlib.h>

__global__ void fill(int *a, int n)
{
    if (threadIdx.x <= n)
        a[threadIdx.x] = 1;
}

int main(int argc, char **argv)
{
    int *d;
    cudaMalloc(&d, 10 * sizeof *d);
    fill<<<1, 32>>>(d, 10);
    if (argc > 1 && argv[1][0] == 's')
        d[0] = 2;
    abort();
}
