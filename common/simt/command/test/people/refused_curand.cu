// expect: refused | cuRAND is not offered
// manner: a macro around each call
#include <curand_kernel.h>
__global__ void setup_kernel(curandState *state)
{
    int id = threadIdx.x + blockIdx.x * 64;
    curand_init(1234, id, 0, &state[id]);
}
int main() { return 0; }
