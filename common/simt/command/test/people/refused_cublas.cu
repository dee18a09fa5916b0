// expect: refused | no libraries on top of it
// manner: NVIDIA's samples
// flags: -lcublas
#include <cublas_v2.h>
int main()
{
    cublasHandle_t handle;
    return cublasCreate(&handle);
}
