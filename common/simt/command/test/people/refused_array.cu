// expect: refused | take cudaMallocPitch
// manner: a macro around each call
#include <cstdio>
int main()
{
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    if (cudaMallocArray(&array, &desc, 64, 64) != cudaSuccess)
        puts("no");
    return 0;
}
