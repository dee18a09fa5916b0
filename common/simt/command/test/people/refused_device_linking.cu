// expect: refused | unresolved extern function 'polynomial'
// manner: several files
// flags: -rdc=true
extern __device__ float polynomial(float x);
__global__ void k(float *d) { d[threadIdx.x] = polynomial(d[threadIdx.x]); }
int main() { return 0; }
