// expect: right
// manner: what nvcc takes
/* Its headers bring <utility> and <initializer_list>, which programs then use without a name. */
#include <stdio.h>
__global__ void add(int *p) { *p += 1; }
int main()
{
    int *a, *b, h = 0;
    cudaMalloc(&a, sizeof(int));
    cudaMalloc(&b, sizeof(int));
    for (int *p : { a, b })
        cudaMemset(p, 0, sizeof(int));
    for (int n = 0; n < 3; n++) {
        add<<<1, 1>>>(a);
        std::swap(a, b);
    }
    cudaMemcpy(&h, b, sizeof(int), cudaMemcpyDeviceToHost);
    for (int *p : { a, b })
        cudaFree(p);
    puts(h == 2 ? "PASS" : "FAIL");
}
