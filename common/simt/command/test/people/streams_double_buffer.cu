// expect: right
// manner: streams and events
#include <cstdio>
#include <vector>
__global__ void prefix_by_block(const int *in, int *out, int *totals)
{
    __shared__ int s[2][128];
    int t = threadIdx.x, now = 0;
    s[now][t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        s[now ^ 1][t] = s[now][t] + (t >= d ? s[now][t - d] : 0);
        now ^= 1;
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = s[now][t];
    if (t == 127)
        totals[blockIdx.x] = s[now][t];
}
int main()
{
    const int chunk = 512, chunks = 6;
    std::vector<int> all(chunk * chunks), result(all.size());
    for (size_t i = 0; i < all.size(); i++)
        all[i] = (int)(i % 13) - 6;
    cudaStream_t st[2];
    cudaEvent_t done[2];
    int *pin[2], *din[2], *dout[2], *tot[2];
    for (int k = 0; k < 2; k++) {
        cudaStreamCreate(&st[k]);
        cudaEventCreate(&done[k]);
        cudaHostAlloc((void **)&pin[k], chunk * 4, cudaHostAllocDefault);
        cudaMalloc((void **)&din[k], chunk * 4);
        cudaMalloc((void **)&dout[k], chunk * 4);
        cudaMalloc((void **)&tot[k], 4 * 4);
    }
    for (int c = 0; c < chunks + 2; c++) {
        int k = c & 1;
        if (c >= 2) {
            cudaEventSynchronize(done[k]);
            memcpy(&result[(c - 2) * chunk], pin[k], chunk * 4);
        }
        if (c >= chunks)
            continue;
        memcpy(pin[k], &all[c * chunk], chunk * 4);
        cudaMemcpyAsync(din[k], pin[k], chunk * 4, cudaMemcpyHostToDevice, st[k]);
        prefix_by_block<<<chunk / 128, 128, 0, st[k]>>>(din[k], dout[k], tot[k]);
        cudaMemcpyAsync(pin[k], dout[k], chunk * 4, cudaMemcpyDeviceToHost, st[k]);
        cudaEventRecord(done[k], st[k]);
    }
    int wrong = 0;
    for (size_t b = 0; b < all.size(); b += 128)
        for (int i = 0, s = 0; i < 128; i++)
            wrong += result[b + i] != (s += all[b + i]);
    for (int k = 0; k < 2; k++) {
        cudaStreamDestroy(st[k]);
        cudaEventDestroy(done[k]);
        cudaFreeHost(pin[k]);
        cudaFree(din[k]);
        cudaFree(dout[k]);
        cudaFree(tot[k]);
    }
    puts(wrong ? "FAIL" : "PASS");
}
