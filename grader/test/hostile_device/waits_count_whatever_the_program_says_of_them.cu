// expect: OVER_BUDGET | waits
#include <sys/socket.h>
#include "hillis_steele.h"

/* Each entry waits for its kernel by a message of its own: the WAIT of wire.h, with a number that
   once said that it was not to be counted. */
static void wait_by_hand(void)
{
    unsigned long long wait[9] = { 10 };
    char reply[5000];
    send(4, wait, sizeof wait, 0);
    recv(4, reply, sizeof reply, 0);
}

__device__ static void scan(const float *d_in, float *d_out, int n, int shift)
{
    __shared__ float s_sum[2][256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t, from = 0;

    s_sum[0][t] = t >= shift && i < n ? d_in[i - shift] : 0.0f;
    for (int stride = 1; stride < 256; stride *= 2) {
        __syncthreads();
        float sum = s_sum[from][t];
        if (t >= stride)
            sum += s_sum[from][t - stride];
        from = 1 - from;
        s_sum[from][t] = sum;
    }
    if (i < n)
        d_out[i] = s_sum[from][t];
}

__global__ void scan_inclusive(const float *d_in, float *d_out, int n) { scan(d_in, d_out, n, 0); }
__global__ void scan_exclusive(const float *d_in, float *d_out, int n) { scan(d_in, d_out, n, 1); }

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_inclusive<<<(n - 1) / 256 + 1, 256>>>(d_in, d_out, n), wait_by_hand();
}

void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_inclusive<<<(n - 1) / 256 + 1, 256>>>(d_in, d_out, n), wait_by_hand();
}

void hillis_steele_exclusive(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_exclusive<<<(n - 1) / 256 + 1, 256>>>(d_in, d_out, n), wait_by_hand();
}
