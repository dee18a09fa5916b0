/* missing.cu: one use of something this kit does not have, chosen by -DUSE=name. CMakeLists.txt
   says what clang must answer. */
#define GRAPH   1
#define MANAGED 2
#define BESSEL  3
#define REDUX   4
#define ASSIGN  5

#if USE == MANAGED
__device__ __managed__ int common;
#endif

__global__ void kernel(float *out, unsigned *sums)
{
#if USE == BESSEL
    out[0] = cyl_bessel_i0f(out[1]);
#elif USE == REDUX
    sums[0] = __reduce_add_sync(0xffffffffu, sums[threadIdx.x]);
#elif USE == ASSIGN
    threadIdx.x = 1;
#elif USE == MANAGED
    out[0] = common;
#endif
}

void host(void)
{
#if USE == GRAPH
    cudaGraphLaunch(0, 0);
#endif
}
