// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#include <helper_cuda.h>

#define TILE_DIM   32
#define BLOCK_ROWS 8
int MATRIX_SIZE_X = 96, MATRIX_SIZE_Y = 64;

__global__ void copySharedMem(float *odata, float *idata, int width, int height)
{
    cg::thread_block cta = cg::this_thread_block();
    __shared__ float tile[TILE_DIM][TILE_DIM];
    int xIndex = blockIdx.x * TILE_DIM + threadIdx.x, yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
    int index = xIndex + width * yIndex;
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        if (xIndex < width && yIndex + i < height)
            tile[threadIdx.y + i][threadIdx.x] = idata[index + i * width];
    cg::sync(cta);
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        if (xIndex < width && yIndex + i < height)
            odata[index + i * width] = tile[threadIdx.y + i][threadIdx.x];
}

__global__ void transposeNoBankConflicts(float *odata, float *idata, int width, int height)
{
    cg::thread_block cta = cg::this_thread_block();
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int xIndex = blockIdx.x * TILE_DIM + threadIdx.x, yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
    int index_in = xIndex + yIndex * width;
    xIndex = blockIdx.y * TILE_DIM + threadIdx.x;
    yIndex = blockIdx.x * TILE_DIM + threadIdx.y;
    int index_out = xIndex + yIndex * height;
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
    cg::sync(cta);
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        odata[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
}

int main(int argc, char **argv)
{
    int devID = findCudaDevice(argc, (const char **)argv);
    cudaDeviceProp deviceProp;
    checkCudaErrors(cudaGetDevice(&devID));
    checkCudaErrors(cudaGetDeviceProperties(&deviceProp, devID));
    printf("> [%s] has %d MP(s) x %d (Cores/MP)\n", deviceProp.name, deviceProp.multiProcessorCount,
           _ConvertSMVer2Cores(deviceProp.major, deviceProp.minor));
    const int size_x = MATRIX_SIZE_X, size_y = MATRIX_SIZE_Y, n = size_x * size_y;
    void (*kernel)(float *, float *, int, int);
    dim3 grid(size_x / TILE_DIM, size_y / TILE_DIM), threads(TILE_DIM, BLOCK_ROWS);
    float *h_i = (float *)malloc(n * 4), *h_o = (float *)malloc(n * 4), *d_i, *d_o;
    checkCudaErrors(cudaMalloc((void **)&d_i, n * 4));
    checkCudaErrors(cudaMalloc((void **)&d_o, n * 4));
    for (int i = 0; i < n; ++i)
        h_i[i] = (float)i;
    checkCudaErrors(cudaMemcpy(d_i, h_i, n * 4, cudaMemcpyHostToDevice));
    bool success = true;
    for (int k = 0; k < 2; k++) {
        switch (k) {
        case 0: kernel = &copySharedMem; break;
        case 1: kernel = &transposeNoBankConflicts; break;
        }
        kernel<<<grid, threads>>>(d_o, d_i, size_x, size_y);
        getLastCudaError("kernel");
        checkCudaErrors(cudaMemcpy(h_o, d_o, n * 4, cudaMemcpyDeviceToHost));
        for (int y = 0; y < size_y; y++)
            for (int x = 0; x < size_x; x++)
                success &= h_o[k ? x * size_y + y : y * size_x + x] == h_i[y * size_x + x];
    }
    free(h_i);
    free(h_o);
    cudaFree(d_i);
    cudaFree(d_o);
    if (!success)
        exit(EXIT_FAILURE);
    printf("PASS\n");
    return 0;
}
