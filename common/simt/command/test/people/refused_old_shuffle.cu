// expect: refused | take the one with _sync
// manner: warp intrinsics
__inline__ __device__ int warpReduceSum(int val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down(val, offset);
    return val;
}
__global__ void k(int *d) { d[0] = warpReduceSum(d[threadIdx.x]); }
int main() { return 0; }
