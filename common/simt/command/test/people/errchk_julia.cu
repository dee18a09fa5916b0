// expect: right
// manner: a macro around each call
#include <stdio.h>
#define DIM 64
#define OK(e)                                                                                      \
    if (cudaError_t err = (e)) {                                                                   \
        printf("%s\n", cudaGetErrorName(err));                                                     \
        return 1;                                                                                  \
    }
struct cuComplex {
    float r, i;
    __host__ __device__ cuComplex(float a, float b) : r(a), i(b) {}
    __host__ __device__ float magnitude2(void) { return r * r + i * i; }
    __host__ __device__ cuComplex operator*(const cuComplex &a)
    {
        return cuComplex(r * a.r - i * a.i, i * a.r + r * a.i);
    }
    __host__ __device__ cuComplex operator+(const cuComplex &a)
    {
        return cuComplex(r + a.r, i + a.i);
    }
};
__host__ __device__ int julia(int x, int y)
{
    const float scale = 1.5;
    cuComplex c(-0.8, 0.15625),
        a(scale * (DIM / 2 - x) / (DIM / 2), scale * (DIM / 2 - y) / (DIM / 2));
    for (int i = 0; i < 60; i++) {
        a = a * a + c;
        if (a.magnitude2() > 1000)
            return 0;
    }
    return 1;
}
__global__ void kernel(unsigned char *ptr)
{
    int x = blockIdx.x, y = blockIdx.y, offset = x + y * gridDim.x;
    ptr[offset * 4 + 0] = 255 * julia(x, y);
    ptr[offset * 4 + 1] = ptr[offset * 4 + 2] = 0;
    ptr[offset * 4 + 3] = 255;
}
int main(void)
{
    static unsigned char bitmap[DIM * DIM * 4];
    unsigned char *dev;
    OK(cudaMalloc((void **)&dev, sizeof bitmap));
    dim3 grid(DIM, DIM);
    kernel<<<grid, 1>>>(dev);
    OK(cudaMemcpy(bitmap, dev, sizeof bitmap, cudaMemcpyDeviceToHost));
    OK(cudaFree(dev));
    int differ = 0, set = 0;
    for (int y = 0; y < DIM; y++)
        for (int x = 0; x < DIM; x++) {
            differ += (bitmap[(x + y * DIM) * 4] != 0) != julia(x, y);
            set += julia(x, y);
        }
    printf("%d in the set, %d differ\n", set, differ); /* fused products move a few points */
    puts(set > 0 && differ < DIM ? "PASS" : "FAIL");
}
