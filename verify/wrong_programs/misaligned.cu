// catches: an access at an address that is no multiple of its size
// A float4 is read at an offset of one float.
__global__ void wide(const float *in, float4 *out)
{
#ifdef RIGHT
    out[threadIdx.x] = ((const float4 *)in)[threadIdx.x + 1];
#else
    out[threadIdx.x] = *(const float4 *)(in + 1 + 4 * threadIdx.x);    // simt: misaligned access
#endif
}

int main(void)
{
    float *in;
    float4 *out;
    cudaMalloc((void **)&in, 33 * sizeof *out);
    cudaMalloc((void **)&out, 32 * sizeof *out);
    cudaMemset(in, 0, 33 * sizeof *out);
    wide<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
