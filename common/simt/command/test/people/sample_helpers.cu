// expect: right
// manner: NVIDIA's samples
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <unistd.h>
__global__ void k(float4 *d, float3 *e)
{
    d[threadIdx.x] += make_float4(make_float3(threadIdx.x), 1.0f) * 2.0f;
    e[threadIdx.x] = normalize(cross(make_float3(1, 0, 0), make_float3(0, 1, 0)) +
                               clamp(make_float3(d[threadIdx.x].x), 0.0f, 0.0f));
}
int main(int argc, char **argv)
{
    const char *words[] = { argv[0], "-n=32", "--quiet", NULL };
    findCudaDevice(argc, (const char **)argv);
    int n = getCmdLineArgumentInt(3, words, "n="), bad = 0;
    bad += n != 32 || !checkCmdLineFlag(3, words, "quiet") || checkCmdLineFlag(3, words, "verbose");
    StopWatchInterface *timer = 0;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    float4 *d;
    float3 *e;
    checkCudaErrors(cudaMalloc((void **)&d, n * sizeof(float4)));
    checkCudaErrors(cudaMalloc((void **)&e, n * sizeof(float3)));
    checkCudaErrors(cudaMemset(d, 0, n * sizeof(float4)));
    k<<<1, n>>>(d, e);
    getLastCudaError("the kernel failed");
    float h[128], g[96];
    checkCudaErrors(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(g, e, sizeof g, cudaMemcpyDeviceToHost));
    sdkStopTimer(&timer);
    bad += sdkGetTimerValue(&timer) <= 0 || sdkGetAverageTimerValue(&timer) <= 0;
    sdkDeleteTimer(&timer);
    for (int i = 0; i < n; i++)
        bad += h[4 * i] != 2.0f * i || h[4 * i + 3] != 2.0f || g[3 * i + 2] != 1.0f;
    char name[] = "/tmp/helpers.XXXXXX";
    unsigned char picture[64], *back = NULL;
    unsigned width, height;
    for (int i = 0; i < 64; i++)
        picture[i] = i * 3;
    close(mkstemp(name));
    bad += !sdkSavePGM(name, picture, 16, 4);
    char *found = sdkFindFilePath(name, argv[0]);
    bad += !found || !sdkLoadPGM<unsigned char>(found, &back, &width, &height);
    bad += width != 16 || height != 4 || !compareData(picture, back, 64, 0, 0.0f);
    remove(name);
    free(found);
    free(back);
    checkCudaErrors(cudaFree(d));
    checkCudaErrors(cudaFree(e));
    puts(bad ? "FAIL" : "PASS");
    exit(bad ? EXIT_FAILURE : EXIT_SUCCESS);
}
