// expect: right
// manner: warp intrinsics
#include <cstdio>
__global__ void k(int *o)
{
    int lane = threadIdx.x & 31;
    unsigned m = __ballot_sync(~0u, lane % 3 == 0);
    o[lane] = __popc(m & ((1u << lane) - 1));
    int v = lane;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        int u = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += u;
    }
    o[32 + lane] = v;
    o[64 + lane] = __shfl_xor_sync(~0u, lane, 5);
    o[96 + lane] = __any_sync(~0u, lane == 7) + 2 * __all_sync(~0u, lane < 32);
    o[128 + lane] = __match_any_sync(~0u, lane / 4);
    o[160 + lane] = __ffs(m) + __clz(m) + __brev(m) % 7;
    if (lane < 16)
        o[192 + lane] = __shfl_sync(0xffff, lane, 3, 8);
    else
        o[192 + lane] = __activemask() != 0;
    o[224 + lane] = __byte_perm(0x01020304, 0x05060708, 0x3210 + lane % 4) +
                    __funnelshift_l(1u << 31, lane, 1) + __dp4a(lane, 0x01010101, 1) +
                    __mulhi(1 << 30, lane) + __sad(lane, 5, 1);
}
int main()
{
    int *d, h[256];
    cudaMalloc(&d, sizeof h);
    k<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    unsigned s = 0;
    for (int i = 0; i < 256; i++)
        s = s * 31 + h[i];
    int bad = 0;
    for (int i = 0; i < 32; i++)
        bad += h[i] != (i + 2) / 3 || h[32 + i] != i * (i + 1) / 2 || h[64 + i] != (i ^ 5) ||
               h[96 + i] != 3 || (unsigned)h[128 + i] != 0xfu << i / 4 * 4;
    printf("%u\n", s);
    cudaFree(d);
    puts(bad ? "FAIL" : "PASS");
}
