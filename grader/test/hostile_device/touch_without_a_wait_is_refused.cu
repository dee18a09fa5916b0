// expect: POLICY | a message of its own
#include <sys/socket.h>
#include "hillis_steele.h"

__global__ void work(const float *in, float *shared, int n)
{
    if (threadIdx.x < n)
        shared[threadIdx.x] = in[threadIdx.x];
}

/* Asks for managed memory (TOUCH of wire.h) without having waited for the kernel, in the runtime's
   place, which waits. */
void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    float *shared;
    cudaMallocManaged(&shared, 4096);
    work<<<1, 32>>>(d_in, shared, n);
    unsigned long long touch[9] = { 28, (unsigned long long)shared };
    char reply[5000];
    send(4, touch, sizeof touch, 0);
    recv(4, reply, sizeof reply, 0);
}
