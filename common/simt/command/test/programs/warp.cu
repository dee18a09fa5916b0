// flags: -arch=sm_86
/*
 * warp.cu: shuffles of all types, votes, matches, bit functions.
 */
#include <stdio.h>
#include <limits.h>
__global__ void k(long long *o)
{
    int t = threadIdx.x, lane = t & 31, p = 0;
    unsigned full = 0xffffffffu;
    long long *r = o + t * 40;
    r[p++] = __shfl_sync(full, t * 3, 5);
    r[p++] = __shfl_up_sync(full, (unsigned)t, 2, 8);
    r[p++] = __shfl_down_sync(full, (long long)t << 40, 3);
    r[p++] = __shfl_xor_sync(full, (float)t, 7) * 2;
    r[p++] = __shfl_xor_sync(full, t * 1.25, 1, 4) * 4;
    r[p++] = __shfl_sync(full, (unsigned long long)t, -1, 16);
    r[p++] = __shfl_sync(full, (short)t, 2);
    r[p++] = __ballot_sync(full, t % 3 == 0);
    r[p++] = __any_sync(full, t == 99);
    r[p++] = __all_sync(full, t >= 0);
    r[p++] = __match_any_sync(full, t / 4);
    int pr;
    r[p++] = __match_all_sync(full, 5, &pr);
    r[p++] = pr;
    r[p++] = __reduce_add_sync(full, t);
    r[p++] = __reduce_max_sync(full, -t);
    r[p++] = __reduce_xor_sync(full, (unsigned)t);
    r[p++] = __reduce_min_sync(full, (unsigned)t + 4);
    r[p++] = __popc(t * 0x01010101);
    r[p++] = __popcll((unsigned long long)t << 33);
    r[p++] = __clz(t);
    r[p++] = __clzll(t);
    r[p++] = __brev(t);
    r[p++] = __brevll(t);
    r[p++] = __ffs(t);
    r[p++] = __ffsll((long long)t << 35);
    r[p++] = __byte_perm(0x33221100, 0x77665544, t & 0x7777);
    r[p++] = __mulhi(t << 20, t << 20);
    r[p++] = __umul64hi((unsigned long long)t << 50, 1 << 20);
    r[p++] = __mul24(t, -t);
    r[p++] = __sad(t, 20, 5);
    r[p++] = __usad(3, t, 1);
    r[p++] = __hadd(t, 3);
    r[p++] = __rhadd(t, 4);
    r[p++] = __funnelshift_l(t, t + 1, 7);
    if (lane < 10) {
        unsigned m = __activemask();
        r[p++] = __popc(m);
        int moved = __shfl_down_sync(m, t, 1);
        r[p++] = lane < 9 ? moved : 0;
    } else {
        r[p++] = 22;
        r[p++] = 0;
    }
    r[p++] = __dp4a(0x01020304, t, 1);
    r[p++] = __syncthreads_count(t & 1);
    r[p++] = __syncthreads_or(t == 5);
    r[p++] = __syncthreads_and(t < 60);
}
#define EX(c, v)                                                                                                       \
    do {                                                                                                               \
        long long w = (long long)(v);                                                                                  \
        if (r[p] != w) {                                                                                               \
            printf("t %d %s: %lld not %lld\n", t, c, r[p], w);                                                         \
            bad++;                                                                                                     \
        }                                                                                                              \
        p++;                                                                                                           \
    } while (0)
int main()
{
    long long *d;
    static long long h[64 * 40];
    cudaMalloc(&d, sizeof h);
    k<<<1, 64>>>(d);
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost))
        puts("FAIL copy");
    int bad = 0;
    for (int t = 0; t < 64; t++) {
        long long *r = h + t * 40;
        int p = 0, b = t & 32, l = t & 31;
        EX("shfl", (b + 5) * 3);
        EX("up", l % 8 < 2 ? t : t - 2);
        EX("down", (l + 3 > 31 ? t : t + 3LL) << 40);
        EX("xorf", (t ^ 7) * 2);
        EX("xord", (t ^ 1) * 5);
        EX("shfl-1", (t & ~15) + 15);
        EX("short", b + 2);
        unsigned m = 0;
        for (int i = 0; i < 32; i++)
            if ((b + i) % 3 == 0)
                m |= 1u << i;
        EX("ballot", m);
        EX("any", 0);
        EX("all", 1);
        EX("match", 15u << (l & ~3));
        EX("matchall", 0xffffffffu);
        EX("pred", 1);
        EX("radd", b ? 1520 : 496);
        EX("rmax", -b);
        EX("rxor", 0);
        EX("rmin", b + 4);
        EX("popc", __builtin_popcount(t * 0x01010101));
        EX("popcll", __builtin_popcount(t));
        EX("clz", t ? __builtin_clz(t) : 32);
        EX("clzll", t ? __builtin_clz(t) + 32 : 64);
        unsigned rv = 0;
        for (int i = 0; i < 32; i++)
            if (t >> i & 1)
                rv |= 1u << (31 - i);
        EX("brev", rv);
        EX("brevll", (unsigned long long)rv << 32);
        EX("ffs", __builtin_ffs(t));
        EX("ffsll", t ? __builtin_ffs(t) + 35 : 0);
        unsigned bp = 0;
        for (int i = 0; i < 4; i++)
            bp |= (unsigned)(((t & 0x7777) >> 4 * i & 7) * 0x11) << 8 * i;
        EX("perm", bp);
        EX("mulhi", ((long long)(t << 20) * (t << 20)) >> 32);
        EX("umul64hi", ((unsigned __int128)((unsigned long long)t << 50) << 20) >> 64);
        EX("mul24", -t * t);
        EX("sad", abs(t - 20) + 5);
        EX("usad", abs(3 - t) + 1);
        EX("hadd", (t + 3) >> 1);
        EX("rhadd", (t + 5) >> 1);
        EX("fshl", (unsigned)(t + 1) << 7 | (unsigned)t >> 25);
        EX("active", l < 10 ? 10 : 22);
        EX("sub", l < 9 ? t + 1 : 0);
        EX("dp4a", 4 * t + 1);
        EX("count", 32);
        EX("or", 1);
        EX("and", 0);
    }
    puts(bad ? "FAIL" : "PASS");
    cudaFree(d);
}
