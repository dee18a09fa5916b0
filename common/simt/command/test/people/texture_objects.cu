// expect: right
// manner: NVIDIA's samples
#include <helper_cuda.h>
__global__ void spmv(int rows, const int *ptr, const int *col, const float *val,
                     cudaTextureObject_t x, float *y)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        float s = 0;
        for (int k = ptr[r]; k < ptr[r + 1]; k++)
            s += val[k] * tex1Dfetch<float>(x, col[k]);
        y[r] = s;
    }
}
__global__ void blur(cudaTextureObject_t t, float *o, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float s = 0;
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++)
                s += tex2D<float>(t, x + i, y + j);
        o[y * w + x] = s;
    }
}
int main()
{
    const int n = 50;
    int ptr[n + 1], col[3 * n], nz = 0;
    float val[3 * n], x[n], y[n];
    for (int r = 0; r < n; r++) {
        ptr[r] = nz;
        for (int c = r - 1; c <= r + 1; c++)
            if (c >= 0 && c < n) {
                col[nz] = c;
                val[nz++] = c == r ? 2 : -1;
            }
        x[r] = r * r;
    }
    ptr[n] = nz;
    int *dp, *dc;
    float *dv, *dx, *dy;
    checkCudaErrors(cudaMalloc(&dp, sizeof ptr));
    checkCudaErrors(cudaMalloc(&dc, sizeof col));
    checkCudaErrors(cudaMalloc(&dv, sizeof val));
    checkCudaErrors(cudaMalloc(&dx, sizeof x));
    checkCudaErrors(cudaMalloc(&dy, sizeof y));
    cudaMemcpy(dp, ptr, sizeof ptr, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, col, nz * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, val, nz * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    cudaTextureObject_t t;
    cudaResourceDesc r;
    memset(&r, 0, sizeof(r));
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = dx;
    r.res.linear.desc.f = cudaChannelFormatKindFloat;
    r.res.linear.desc.x = 32;
    r.res.linear.sizeInBytes = sizeof x;
    cudaTextureDesc d;
    memset(&d, 0, sizeof d);
    d.readMode = cudaReadModeElementType;
    checkCudaErrors(cudaCreateTextureObject(&t, &r, &d, NULL));
    spmv<<<1, 64>>>(n, dp, dc, dv, t, dy);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    checkCudaErrors(cudaDestroyTextureObject(t));
    int bad = 0;
    for (int i = 1; i + 1 < n; i++)
        bad += y[i] != -2;
    const int w = 20, h = 10;
    float img[h][w], o[h][w];
    for (int i = 0; i < w * h; i++)
        img[0][i] = i % 9;
    cudaArray *a;
    cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>();
    checkCudaErrors(cudaMallocArray(&a, &cd, w, h));
    checkCudaErrors(cudaMemcpyToArray(a, 0, 0, img, sizeof img, cudaMemcpyHostToDevice));
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    d.filterMode = cudaFilterModePoint;
    checkCudaErrors(cudaCreateTextureObject(&t, &r, &d, NULL));
    float *od;
    cudaMalloc(&od, sizeof o);
    blur<<<dim3(2, 1), dim3(16, 16)>>>(t, od, w, h);
    cudaMemcpy(o, od, sizeof o, cudaMemcpyDeviceToHost);
    for (int yy = 0; yy < h; yy++)
        for (int xx = 0; xx < w; xx++) {
            float s = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    s += img[min(max(yy + j, 0), h - 1)][min(max(xx + i, 0), w - 1)];
            bad += s != o[yy][xx];
        }
    cudaDestroyTextureObject(t);
    cudaFreeArray(a);
    for (void *p : { (void *)dp, (void *)dc, (void *)dv, (void *)dx, (void *)dy, (void *)od })
        cudaFree(p);
    puts(bad ? "FAIL" : "PASS");
}
