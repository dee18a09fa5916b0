// expect: right
// manner: several files
// flags: -I Common
// with: files_kernels_part.cu files_util_part.c
#include "files_kernels.cuh"
int main()
{
    const int n = 400;
    float *h = make_input(n), *d, total = 0;
    CUDA_CHECK(cudaMalloc((void **)&d, n * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, n * sizeof *d, cudaMemcpyHostToDevice));
    config::set_factor(1.5f);
    launch_scale(d, n, 0);
    scale_here<<<4, 128>>>(d, n, 2.0f);
    CUDA_CHECK(cudaMemcpy(h, d, n * sizeof *d, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        total += h[i];
    CUDA_CHECK(cudaFree(d));
    free_input(h);
    puts(total == 3.0f * n * (n - 1) / 2 ? "PASS" : "FAIL");
}
