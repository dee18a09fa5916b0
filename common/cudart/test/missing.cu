/* missing.cu: one use of something this kit does not have, chosen by -DUSE=name. CMakeLists.txt says what clang must answer. */
#define MANAGED 1
#define TANH 3
#define REDUX 4
#define ASSIGN 5
#define CXX_TAN 6

__global__ void kernel(float *out, unsigned *sums)
{
#if USE == TANH
    out[0] = tanhf(out[1]);
#elif USE == CXX_TAN
    out[0] = tan(out[1]);
#elif USE == REDUX
    sums[0] = __reduce_add_sync(0xffffffffu, sums[threadIdx.x]);
#elif USE == ASSIGN
    threadIdx.x = 1;
#endif
}

void host(void)
{
#if USE == MANAGED
    float *p;
    cudaMallocManaged(&p, 4);
#endif
}
