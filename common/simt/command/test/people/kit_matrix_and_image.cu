// expect: right
// manner: the teaching kit (wb.h)
#include <wb.h>
#define TILE 8
__global__ void multiply(float *A, float *B, float *C, int rows, int inner, int columns)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int m = 0; m < (inner - 1) / TILE + 1; m++) {
        int i = m * TILE + threadIdx.x, j = m * TILE + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = y < rows && i < inner ? A[y * inner + i] : 0;
        b[threadIdx.y][threadIdx.x] = j < inner && x < columns ? B[j * columns + x] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    if (y < rows && x < columns)
        C[y * columns + x] = sum;
}
__global__ void grey(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int i = y * width + x;
        out[i] = 0.21f * in[3 * i] + 0.71f * in[3 * i + 1] + 0.07f * in[3 * i + 2];
    }
}
int main(int argc, char **argv)
{
    wbArg_t args = wbArg_read(argc, argv);
    int rows, inner, inner2, columns;
    float *A = (float *)wbImport(wbArg_getInputFile(args, 0), &rows, &inner);
    float *B = (float *)wbImport(wbArg_getInputFile(args, 1), &inner2, &columns), *a, *b, *c;
    float *C = (float *)malloc(rows * columns * sizeof(float));
    wbLog(TRACE, "The dimensions of A are ", rows, " x ", inner);
    cudaMalloc(&a, rows * inner * 4);
    cudaMalloc(&b, inner * columns * 4);
    cudaMalloc(&c, rows * columns * 4);
    cudaMemcpy(a, A, rows * inner * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(b, B, inner * columns * 4, cudaMemcpyHostToDevice);
    multiply<<<dim3((columns - 1) / TILE + 1, (rows - 1) / TILE + 1), dim3(TILE, TILE)>>>(
        a, b, c, rows, inner, columns);
    cudaMemcpy(C, c, rows * columns * 4, cudaMemcpyDeviceToHost);
    bool correct = inner == inner2 && wbSolution(args, C, rows, columns);
    for (int i = 0; i < rows && correct; i++)
        for (int j = 0; j < columns; j++) {
            float sum = 0;
            for (int k = 0; k < inner; k++)
                sum += A[i * inner + k] * B[k * columns + j];
            correct = correct && fabsf(sum - C[i * columns + j]) <= 1e-3f * fabsf(sum);
        }
    wbImage_t in = wbImport("picture.ppm");
    int w = wbImage_getWidth(in), h = wbImage_getHeight(in);
    wbImage_t out = wbImage_new(w, h, 1);
    float *d, *e;
    cudaMalloc(&d, w * h * 3 * 4);
    cudaMalloc(&e, w * h * 4);
    cudaMemcpy(d, wbImage_getData(in), w * h * 3 * 4, cudaMemcpyHostToDevice);
    wbTime_start(Compute, "grey");
    grey<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d, e, w, h);
    cudaDeviceSynchronize();
    wbTime_stop(Compute, "grey");
    cudaMemcpy(wbImage_getData(out), e, w * h * 4, cudaMemcpyDeviceToHost);
    correct = correct && wbSolution(args, out) && wbImage_getChannels(in) == 3;
    wbImage_delete(in);
    wbImage_delete(out);
    for (float *p : { a, b, c, d, e })
        cudaFree(p);
    free(A);
    free(B);
    free(C);
    puts(correct ? "PASS" : "FAIL");
}
