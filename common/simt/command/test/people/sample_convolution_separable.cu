// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <cooperative_groups.h>
#include <helper_cuda.h>
namespace cg = cooperative_groups;
#define KERNEL_RADIUS 3
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
__constant__ float c_Kernel[KERNEL_LENGTH];
#define ROWS_BLOCKDIM_X   16
#define ROWS_BLOCKDIM_Y   4
#define ROWS_RESULT_STEPS 4
#define ROWS_HALO_STEPS   1

extern "C" void setConvolutionKernel(float *h_Kernel)
{
    cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float));
}

__global__ void convolutionRowsKernel(float *d_Dst, float *d_Src, int imageW, int imageH, int pitch)
{
    cg::thread_block cta = cg::this_thread_block();
    __shared__ float s_Data[ROWS_BLOCKDIM_Y]
                           [(ROWS_RESULT_STEPS + 2 * ROWS_HALO_STEPS) * ROWS_BLOCKDIM_X];
    const int baseX =
        (blockIdx.x * ROWS_RESULT_STEPS - ROWS_HALO_STEPS) * ROWS_BLOCKDIM_X + threadIdx.x;
    const int baseY = blockIdx.y * ROWS_BLOCKDIM_Y + threadIdx.y;
    d_Src += baseY * pitch + baseX;
    d_Dst += baseY * pitch + baseX;
#pragma unroll
    for (int i = ROWS_HALO_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i++)
        s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] = d_Src[i * ROWS_BLOCKDIM_X];
#pragma unroll
    for (int i = 0; i < ROWS_HALO_STEPS; i++)
        s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] =
            (baseX >= -i * ROWS_BLOCKDIM_X) ? d_Src[i * ROWS_BLOCKDIM_X] : 0;
#pragma unroll
    for (int i = ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i < 2 * ROWS_HALO_STEPS + ROWS_RESULT_STEPS;
         i++)
        s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X] =
            (imageW - baseX > i * ROWS_BLOCKDIM_X) ? d_Src[i * ROWS_BLOCKDIM_X] : 0;
    cg::sync(cta);
#pragma unroll
    for (int i = ROWS_HALO_STEPS; i < ROWS_HALO_STEPS + ROWS_RESULT_STEPS; i++) {
        float sum = 0;
#pragma unroll
        for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
            sum += c_Kernel[KERNEL_RADIUS - j] *
                   s_Data[threadIdx.y][threadIdx.x + i * ROWS_BLOCKDIM_X + j];
        d_Dst[i * ROWS_BLOCKDIM_X] = sum;
    }
}

int main()
{
    const int W = 128, H = 16;
    float h_Kernel[KERNEL_LENGTH] = { 1, 2, 3, 4, 3, 2, -1 }, *h_In, *h_Out, *d_In, *d_Out;
    h_In = (float *)malloc(W * H * 4);
    h_Out = (float *)malloc(W * H * 4);
    for (int i = 0; i < W * H; i++)
        h_In[i] = (float)(i * 7 % 16);
    checkCudaErrors(cudaMalloc((void **)&d_In, W * H * 4));
    checkCudaErrors(cudaMalloc((void **)&d_Out, W * H * 4));
    setConvolutionKernel(h_Kernel);
    checkCudaErrors(cudaMemcpy(d_In, h_In, W * H * 4, cudaMemcpyHostToDevice));
    dim3 blocks(W / (ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X), H / ROWS_BLOCKDIM_Y);
    convolutionRowsKernel<<<blocks, dim3(ROWS_BLOCKDIM_X, ROWS_BLOCKDIM_Y)>>>(d_Out, d_In, W, H, W);
    getLastCudaError("convolutionRowsKernel() execution failed\n");
    checkCudaErrors(cudaMemcpy(h_Out, d_Out, W * H * 4, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            float sum = 0;
            for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++)
                if (x + k >= 0 && x + k < W)
                    sum += h_In[y * W + x + k] * h_Kernel[KERNEL_RADIUS - k];
            wrong += sum != h_Out[y * W + x];
        }
    free(h_In);
    free(h_Out);
    checkCudaErrors(cudaFree(d_In));
    checkCudaErrors(cudaFree(d_Out));
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
