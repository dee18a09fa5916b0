/*
 * round_to_integer.cu: lrint, lround and their kin give the host's integers, for float and double and by their C++ names.
 */
#include <cmath>
#include <cstdio>
#include <cstring>
enum { N = 16, EACH = 10 };
__host__ __device__ void round_all(double x, long long *out)
{
    float f = (float)x;
    out[0] = lrint(x);
    out[1] = lround(x);
    out[2] = llrint(x);
    out[3] = llround(x);
    out[4] = lrintf(f);
    out[5] = lroundf(f);
    out[6] = llrintf(f);
    out[7] = llroundf(f);
    out[8] = std::lround(f);
    out[9] = std::llrint(f);
}
__global__ void rounded(const double *in, long long *out)
{
    round_all(in[threadIdx.x], out + threadIdx.x * EACH);
}
int main()
{
    const double in[N] = {0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 1e6 + 0.5, -1e9 - 0.25, 4503599627370497.5, -7.75, 3, 8388609, 1e15, -0.3};
    long long got[N * EACH], want[N * EACH], *d_out;
    double *d_in;
    for (int i = 0; i < N; i++)
        round_all(in[i], want + i * EACH);
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof got);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    rounded<<<1, N>>>(d_in, d_out);
    cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N * EACH; i++)
        if (got[i] != want[i])
            printf("%g, function %d: %lld, the host has %lld\n", in[i / EACH], i % EACH, got[i], want[i]);
    puts(memcmp(got, want, sizeof got) == 0 ? "PASS" : "FAIL");
    cudaFree(d_in);
    cudaFree(d_out);
    return memcmp(got, want, sizeof got) != 0;
}
