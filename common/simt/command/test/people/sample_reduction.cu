// expect: right
// manner: NVIDIA's samples
#include <helper_cuda.h>
#include <helper_functions.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <class T> struct SharedMemory {
    __device__ inline operator T *()
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
    __device__ inline operator const T *() const
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};
template <> struct SharedMemory<double> {
    __device__ inline operator double *()
    {
        extern __shared__ double __smem_d[];
        return (double *)__smem_d;
    }
};
template <class T, unsigned blockSize, bool nIsPow2>
__global__ void reduce6(T *g_idata, T *g_odata, unsigned n)
{
    cg::thread_block cta = cg::this_thread_block();
    T *sdata = SharedMemory<T>();
    unsigned tid = threadIdx.x, gridSize = blockSize * gridDim.x;
    T mySum = 0;
    if (nIsPow2) {
        unsigned i = blockIdx.x * blockSize * 2 + threadIdx.x;
        gridSize <<= 1;
        while (i < n) {
            mySum += g_idata[i];
            if (i + blockSize < n)
                mySum += g_idata[i + blockSize];
            i += gridSize;
        }
    } else {
        unsigned i = blockIdx.x * blockSize + threadIdx.x;
        while (i < n) {
            mySum += g_idata[i];
            i += gridSize;
        }
    }
    sdata[tid] = mySum;
    cg::sync(cta);
    if ((blockSize >= 512) && (tid < 256))
        sdata[tid] = mySum = mySum + sdata[tid + 256];
    cg::sync(cta);
    if ((blockSize >= 256) && (tid < 128))
        sdata[tid] = mySum = mySum + sdata[tid + 128];
    cg::sync(cta);
    if ((blockSize >= 128) && (tid < 64))
        sdata[tid] = mySum = mySum + sdata[tid + 64];
    cg::sync(cta);
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    if (cta.thread_rank() < 32) {
        if (blockSize >= 64)
            mySum += sdata[tid + 32];
        for (int offset = tile32.size() / 2; offset > 0; offset /= 2)
            mySum += tile32.shfl_down(mySum, offset);
    }
    if (cta.thread_rank() == 0)
        g_odata[blockIdx.x] = mySum;
}
template <class T> int run(const char *name)
{
    unsigned n = 10000;
    T *h = (T *)malloc(n * sizeof(T)), want = 0, *d, *o, r[8];
    for (unsigned i = 0; i < n; i++) {
        h[i] = (T)(i % 13);
        want += h[i];
    }
    checkCudaErrors(cudaMalloc((void **)&d, n * sizeof(T)));
    checkCudaErrors(cudaMalloc(&o, sizeof r));
    checkCudaErrors(cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice));
    int smemSize = 256 * sizeof(T);
    int bad = 0;
    reduce6<T, 256, true><<<8, 256, smemSize>>>(d, o, n);
    getLastCudaError("k");
    checkCudaErrors(cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost));
    T s = 0;
    for (T x : r)
        s += x;
    bad += s != want;
    reduce6<T, 256, false><<<8, 256, smemSize>>>(d, o, n);
    checkCudaErrors(cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost));
    s = 0;
    for (T x : r)
        s += x;
    bad += s != want;
    printf("%s %d\n", name, bad);
    cudaFree(d);
    cudaFree(o);
    free(h);
    return bad;
}
int main(int argc, char **argv)
{
    findCudaDevice(argc, (const char **)argv);
    int bad = run<int>("int") + run<float>("float") + run<double>("double");
    puts(bad ? "FAIL" : "PASS");
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
