/*
 * intrinsics.cu: one value or more from every device function of the headers, against values worked
 * out by hand or by the host's C library. Plain CUDA: the same file runs on a GPU.
 *
 * Lanes of warp 0 hold lane * lane + 1 where a lane's value is wanted. out[row][lane] is checked
 * row by row.
 */
#include <cmath>
#include <cuda_runtime.h>
#include <stdlib.h>

#include "check.h"

enum { LANES = 32, ROWS = 64 };
#define FULL 0xffffffffu

static long long h_out[ROWS][LANES];

/* ---- warp ------------------------------------------------------------------------------------ */

__global__ void warp_functions(long long (*out)[LANES])
{
    int lane = threadIdx.x, row = 0, all;
    int v = lane * lane + 1;
    out[row++][lane] = __shfl_sync(FULL, v, 5);
    out[row++][lane] = __shfl_sync(FULL, (unsigned)v, lane + 1, 8);
    out[row++][lane] = __shfl_up_sync(FULL, v, 1);
    out[row++][lane] = __shfl_up_sync(FULL, v, 3, 16);
    out[row++][lane] = __shfl_down_sync(FULL, v, 1);
    out[row++][lane] = __shfl_down_sync(FULL, v, 2, 4);
    out[row++][lane] = __shfl_xor_sync(FULL, v, 9);
    out[row++][lane] = (long long)__shfl_xor_sync(FULL, (float)v, 1);
    out[row++][lane] = __shfl_down_sync(FULL, (long long)v << 33, 1);
    out[row++][lane] = (long long)__shfl_up_sync(FULL, (double)v * 0.5 + 1e9, 1);
    out[row++][lane] = __ballot_sync(FULL, lane % 3 == 0);
    out[row++][lane] = __any_sync(FULL, lane == 7);
    out[row++][lane] = __all_sync(FULL, lane != 7);
    out[row++][lane] = __match_any_sync(FULL, lane / 5);
    out[row++][lane] = __match_any_sync(FULL, (unsigned long long)(lane & 1) << 40);
    out[row][lane] = __match_all_sync(FULL, 3, &all);
    out[row++][lane] += (long long)all << 32;
    out[row][lane] = __match_all_sync(FULL, lane, &all);
    out[row++][lane] += (long long)all << 32;
    out[row][lane] = 0;
    if (lane < 5)
        out[row][lane] = __activemask();
    row++;
    __syncwarp();
    out[row++][lane] = __syncthreads_count(lane % 4 == 0);
    out[row++][lane] = __syncthreads_and(lane >= 0);
    out[row++][lane] = __syncthreads_or(lane > 31);
    out[row++][lane] = warpSize;
}

static void check_row(const char *what, int *row, long long (*expected)(int lane))
{
    for (int lane = 0; lane < LANES; lane++) {
        char label[80];
        snprintf(label, sizeof label, "%s, lane %d", what, lane);
        check_int(label, expected(lane), h_out[*row][lane]);
    }
    ++*row;
}

static long long v(int lane) { return lane * lane + 1; }
static unsigned mask_where(int lane, int (*same)(int, int))
{
    unsigned mask = 0;
    for (int other = 0; other < LANES; other++)
        mask |= (unsigned)(same(lane, other) != 0) << other;
    return mask;
}

#define ROW(what, expression)                                                                      \
    check_row(what, &row, [](int lane) -> long long {                                              \
        (void)lane;                                                                                \
        return expression;                                                                         \
    })

static void check_warp_functions(void)
{
    int row = 0;
    ROW("__shfl_sync, lane 5", v(5));
    ROW("__shfl_sync, next of 8", v(lane / 8 * 8 + (lane + 1) % 8));
    ROW("__shfl_up_sync 1", v(lane < 1 ? lane : lane - 1));
    ROW("__shfl_up_sync 3 of 16", v(lane % 16 < 3 ? lane : lane - 3));
    ROW("__shfl_down_sync 1", v(lane > 30 ? lane : lane + 1));
    ROW("__shfl_down_sync 2 of 4", v(lane % 4 > 1 ? lane : lane + 2));
    ROW("__shfl_xor_sync 9", v(lane ^ 9));
    ROW("__shfl_xor_sync float", v(lane ^ 1));
    ROW("__shfl_down_sync long long", v(lane > 30 ? lane : lane + 1) << 33);
    ROW("__shfl_up_sync double", (long long)((double)v(lane < 1 ? lane : lane - 1) * 0.5 + 1e9));
    ROW("__ballot_sync", 0x49249249);
    ROW("__any_sync", 1);
    ROW("__all_sync", 0);
    ROW("__match_any_sync int",
        mask_where(lane, [](int a, int b) { return (int)(a / 5 == b / 5); }));
    ROW("__match_any_sync 64",
        mask_where(lane, [](int a, int b) { return (int)(a % 2 == b % 2); }));
    ROW("__match_all_sync same", 0x1ffffffffll);
    ROW("__match_all_sync different", 0);
    ROW("__activemask", lane < 5 ? 31 : 0);
    ROW("__syncthreads_count", 8);
    ROW("__syncthreads_and", 1);
    ROW("__syncthreads_or", 0);
    ROW("warpSize", 32);
}

/* ---- bits, indices, addresses ---------------------------------------------------------------- */

__device__ int d_cached[4] = { 11, 22, 33, 44 };
__device__ float4 d_vector = { 1, 2, 3, 4 };
__device__ signed char d_byte = -7;

__global__ void bit_functions(long long (*out)[LANES])
{
    __shared__ int s[4];
    unsigned below;
    long long *o = out[0];
    int k = 0;
    o[k++] = __popc(0xf0f0u);
    o[k++] = __popcll(0xf0f0f0f0f0ull);
    o[k++] = __clz(0);
    o[k++] = __clz(0x00012345);
    o[k++] = __clzll(1);
    o[k++] = __clzll(0);
    o[k++] = __ffs(0);
    o[k++] = __ffs(0x50);
    o[k++] = __ffsll(1ll << 40);
    o[k++] = __brev(0x80000001u);
    o[k++] = (long long)(__brevll(1ull) >> 1);
    o[k++] = __byte_perm(0x33221100, 0x77665544, 0x7351);
    o[k++] = __funnelshift_l(0x89abcdef, 0x01234567, 8);
    o[k++] = __funnelshift_r(0x89abcdef, 0x01234567, 8);
    o[k++] = __funnelshift_lc(0x89abcdef, 0x01234567, 40);
    o[k++] = __funnelshift_rc(0x89abcdef, 0x01234567, 40);
    o[k++] = __mul24(-3, 5);
    o[k++] = __umul24(0xff000003u, 5);
    o[k++] = __mulhi(-2, 3);
    o[k++] = __umulhi(0x80000000u, 6);
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    o[k++] = below;
    k = 0;
    o = out[1];
    o[k++] = blockIdx.x * 1000 + blockDim.y * 100 + gridDim.z * 10 + threadIdx.z;
    o[k++] =
        __ldg(&d_cached[1]) + __ldcg(&d_cached[2]) + __ldca(&d_cached[0]) + __ldcs(&d_cached[3]);
    float4 f = __ldg(&d_vector);
    o[k++] = (long long)(f.x + 10 * f.y + 100 * f.z + 1000 * f.w);
    o[k++] = __ldg(&d_byte);
    __stcg(&d_cached[0], 12);
    __stcs(&d_vector, make_float4(5, 6, 7, 8));
    o[k++] = __ldcv(&d_cached[0]);
    o[k++] = (long long)__ldcg(&d_vector).w;
    s[2] = 5;
    int loaded;
    asm volatile("ld.shared.u32 %0, [%1];"
                 : "=r"(loaded)
                 : "r"((unsigned)__cvta_generic_to_shared(&s[2]))
                 : "memory");
    o[k++] = loaded;
    o[k++] = clock64() >= 0 && clock() != 1;
    __nanosleep(10);
    dim3 d(3);
    uint3 u = blockIdx;
    o[k++] = d.x * 100 + d.y * 10 + d.z + u.y;
    int *heap = (int *)malloc(2 * sizeof *heap);
    heap[0] = 8;
    heap[1] = 9;
    o[k++] = heap[0] * 10 + heap[1];
    free(heap);
    int from[3] = { 1, 2, 3 }, to[3];
    memcpy(to, from, sizeof to);
    memset(from, 1, sizeof from);
    o[k++] = to[2] * 10 + (from[1] == 0x01010101);
}

static void check_bit_functions(void)
{
    const long long *o = h_out[0];
    int k = 0;
    check_int("__popc", 8, o[k++]);
    check_int("__popcll", 20, o[k++]);
    check_int("__clz 0", 32, o[k++]);
    check_int("__clz", 15, o[k++]);
    check_int("__clzll", 63, o[k++]);
    check_int("__clzll 0", 64, o[k++]);
    check_int("__ffs 0", 0, o[k++]);
    check_int("__ffs", 5, o[k++]);
    check_int("__ffsll", 41, o[k++]);
    check_int("__brev", 0x80000001ll, o[k++]);
    check_int("__brevll", 1ll << 62, o[k++]);
    check_int("__byte_perm", 0x77335511, o[k++]);
    check_int("__funnelshift_l", 0x23456789, o[k++]);
    check_int("__funnelshift_r", 0x6789abcd, o[k++]);
    check_int("__funnelshift_lc", 0x89abcdefll, o[k++]);
    check_int("__funnelshift_rc", 0x01234567, o[k++]);
    check_int("__mul24", -15, o[k++]);
    check_int("__umul24", 15, o[k++]);
    check_int("__mulhi", -1, o[k++]);
    check_int("__umulhi", 3, o[k++]);
    check_int("lanemask_lt", 0, o[k++]);
    o = h_out[1];
    k = 0;
    check_int("indices", 1000 * 0 + 100 * 1 + 10 * 1 + 0, o[k++]);
    check_int("cached loads", 110, o[k++]);
    check_int("__ldg float4", 4321, o[k++]);
    check_int("__ldg signed char", -7, o[k++]);
    check_int("__stcg", 12, o[k++]);
    check_int("__stcs float4", 8, o[k++]);
    check_int("__cvta_generic_to_shared", 5, o[k++]);
    check_int("clocks", 1, o[k++]);
    check_int("dim3", 311, o[k++]);
    check_int("device malloc", 89, o[k++]);
    check_int("device memcpy and memset", 31, o[k++]);
}

/* ---- atomics --------------------------------------------------------------------------------- */

typedef struct cells {
    int i_add, i_sub, i_min, i_max, i_exch, i_and, i_or, i_xor, i_cas;
    unsigned u_add, u_inc, u_dec, u_max, u_block;
    unsigned long long ull_add, ull_min, ull_cas;
    float f_add, f_exch;
    double d_add;
    long long olds;
} cells;

__global__ void atomic_functions(cells *c)
{
    int t = threadIdx.x;
    __shared__ int s_sum;
    if (t == 0)
        s_sum = 0;
    __syncthreads();
    atomicAdd(&s_sum, t);
    __syncthreads();
    int old = atomicAdd(&c->i_add, 1);
    /* 0 + 1 + ... whatever the order */
    atomicAdd((unsigned long long *)&c->olds, (unsigned long long)old);
    atomicSub(&c->i_sub, t);
    atomicMin(&c->i_min, 10 - t);
    atomicMax(&c->i_max, t - 100);
    atomicAnd(&c->i_and, ~(1 << t % 32));
    atomicOr(&c->i_or, 1 << t % 32);
    atomicXor(&c->i_xor, t);
    atomicExch(&c->i_exch, 77);
    atomicCAS(&c->i_cas, t, t + 1); /* in this order only thread 0 is sure to succeed */
    atomicAdd(&c->u_add, 3u);
    atomicInc(&c->u_inc, 9u); /* 64 times from 0, back to 0 after 9 */
    atomicDec(&c->u_dec, 9u);
    atomicMax(&c->u_max, 0xfffffff0u + (unsigned)(t % 8));
    atomicAdd_block(&c->u_block, 1u);
    atomicAdd_system(&c->u_block, 1u);
    atomicAdd(&c->ull_add, 1ull << 32);
    atomicMin(&c->ull_min, (unsigned long long)t + 5);
    if (t == 0)
        atomicCAS(&c->ull_cas, 1ull, 1ull << 50);
    atomicAdd(&c->f_add, 0.5f);
    atomicExch(&c->f_exch, 2.5f);
    atomicAdd(&c->d_add, 0.25);
    __threadfence_block();
    __threadfence();
    __threadfence_system();
    __syncthreads();
    if (t == 0)
        c->i_exch += s_sum;
}

static void check_atomic_functions(void)
{
    cells c = {}, *d_c;
    c.i_min = 1000;
    c.i_max = -1000;
    c.i_and = -1;
    c.ull_min = 100;
    c.ull_cas = 1;
    check_int("malloc", 0, cudaMalloc(&d_c, sizeof c));
    check_int("copy in", 0, cudaMemcpy(d_c, &c, sizeof c, cudaMemcpyHostToDevice));
    atomic_functions<<<1, 64>>>(d_c);
    check_int("atomic launch", 0, cudaGetLastError());
    check_int("copy out", 0, cudaMemcpy(&c, d_c, sizeof c, cudaMemcpyDeviceToHost));
    check_int("atomicAdd int", 64, c.i_add);
    check_int("atomicAdd returns old values", 64 * 63 / 2, c.olds);
    check_int("atomicSub", -64 * 63 / 2, c.i_sub);
    check_int("atomicMin int", -53, c.i_min);
    check_int("atomicMax int", -37, c.i_max);
    check_int("atomicAnd", 0, c.i_and);
    check_int("atomicOr", -1, c.i_or);
    check_int("atomicXor", 0, c.i_xor);
    check_int("atomicExch int, shared sum", 77 + 64 * 63 / 2, c.i_exch);
    check_int("atomicCAS int", 1, c.i_cas > 0);
    check_int("atomicAdd unsigned", 192, c.u_add);
    check_int("atomicInc", 4, c.u_inc);
    check_int("atomicDec", 6, c.u_dec);
    check_int("atomicMax unsigned", 0xfffffff7ll, c.u_max);
    check_int("atomicAdd_block, _system", 128, c.u_block);
    check_int("atomicAdd unsigned long long", 64, (long long)(c.ull_add >> 32));
    check_int("atomicMin unsigned long long", 5, (long long)c.ull_min);
    check_int("atomicCAS unsigned long long", 1ll << 50, (long long)c.ull_cas);
    check_near("atomicAdd float", 32, c.f_add, 0);
    check_near("atomicExch float", 2.5, c.f_exch, 0);
    check_near("atomicAdd double", 16, c.d_add, 0);
    cudaFree(d_c);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

enum { MATH_ROWS = 64 };

__global__ void math_functions(double *o, float x, float y, double z, int i)
{
    int k = 0;
    o[k++] = sqrtf(x);
    o[k++] = sqrt(z);
    o[k++] = fabsf(-x) + fabs(-z);
    o[k++] = floorf(-x) * 1000 + ceilf(-x) * 100 + truncf(-x) * 10 + rintf(x);
    o[k++] = floor(z) * 1000 + ceil(z) * 100 + trunc(z) * 10 + rint(z);
    o[k++] = roundf(2.5f * x / x) + round(-2.5);
    o[k++] = fminf(x, y) * 100 + fmaxf(x, y);
    o[k++] = fminf(x, NAN) + fmin(z, 1.0) + fmax(z, 1.0);
    o[k++] = copysignf(x, -1.0f) + copysign(z, -1.0);
    o[k++] = fmaf(x, y, 1.0f) + fma(z, z, 1.0);
    o[k++] = min(i, 3) * 1000 + max(i, 3) * 100 + min(7u, 9u) * 10 + abs(-i);
    o[k++] = min(x, y) * 10 + max(x, y) + (double)min(5ll, 6ll) + (double)llabs(-4ll) +
             (double)labs(-4l);
    o[k++] = __fadd_rn(x, y) + __fsub_rn(x, y) * 10 + __fmul_rn(x, y) * 100;
    o[k++] = __fmaf_rn(x, y, x) + __fdiv_rn(x, 4.0f) + __fsqrt_rn(4.0f * y / y) + __frcp_rn(8.0f);
    o[k++] = __dadd_rn(z, 1) + __dmul_rn(z, 2) + __fma_rn(z, z, z) + __dsub_rn(z, 3);
    o[k++] = __float2int_rn(x) * 1000 + __float2int_rz(x) * 100 + __float2int_ru(x) * 10 +
             __float2int_rd(x);
    o[k++] = __float2int_rn(-x) * 1000 + __float2int_rz(-x) * 100 + __float2int_ru(-x) * 10 +
             __float2int_rd(-x);
    o[k++] = __float2uint_rn(y) + (double)__float2ll_rn(x * 1e10f) + __double2int_rn(z);
    o[k++] =
        __int2float_rn(i) + __uint2float_rn(3u) + (double)__double2float_rn(z) + __int2double_rn(i);
    o[k++] = __float_as_int(x) == 0x40300000 && __int_as_float(0x40300000) == x;
    o[k++] = __float_as_uint(-x) == 0xc0300000u && __uint_as_float(0xc0300000u) == -x;
    o[k++] = (double)__double_as_longlong(z) + __longlong_as_double(0x4000000000000000ll);
    o[k++] = __hiloint2double(__double2hiint(z), __double2loint(z));
    o[k++] = std::abs(-x) + std::abs(-i) + std::sqrt(4.0f * x / x);
    o[k++] = x / y;
    o[k++] = z / 3;
    o[k++] = rsqrtf(x);
    o[k++] = expf(x);
    o[k++] = expf(-80.0f * x / x);
    o[k++] = expf(88.5f * x / x);
    o[k++] = exp2f(x);
    o[k++] = logf(x);
    o[k++] = log2f(x);
    o[k++] = log10f(x);
    o[k++] = sinf(x);
    o[k++] = cosf(x);
    o[k++] = powf(x, y);
    o[k++] = __expf(x) + __logf(x) + __sinf(x) + __cosf(x) + __powf(x, y) + __fdividef(x, y);
    o[k++] = sqrt(x) + floor(x) + fma(x, y, 1.0f) + fmin(x, y) + abs(-x) + exp2(2.0f * x / x) +
             (double)abs(-i);
    o[k++] = expf(200.0f * x / x) > 3e38f && expf(-200.0f * x / x) < 1e-37f;
}

static void check_math_functions(void)
{
    const float x = 2.75f, y = 4.5f;
    const double z = 6.5;
    double o[MATH_ROWS], *d_o;
    long long bits;
    int k = 0;
    memcpy(&bits, &z, sizeof bits);
    check_int("malloc", 0, cudaMalloc(&d_o, sizeof o));
    check_int("clear", 0, cudaMemset(d_o, 0, sizeof o));
    math_functions<<<1, 1>>>(d_o, x, y, z, 5);
    check_int("math launch", 0, cudaGetLastError());
    check_int("copy out", 0, cudaMemcpy(o, d_o, sizeof o, cudaMemcpyDeviceToHost));
    check_near("sqrtf", sqrtf(x), o[k++], 0);
    check_near("sqrt", sqrt(z), o[k++], 0);
    check_near("fabs", 9.25, o[k++], 0);
    check_near("float rounding", -3 * 1000 - 2 * 100 - 2 * 10 + 3, o[k++], 0);
    check_near("double rounding", 6 * 1000 + 7 * 100 + 6 * 10 + 6, o[k++], 0);
    check_near("round", 0, o[k++], 0);
    check_near("fminf, fmaxf", 279.5, o[k++], 0);
    check_near("fmin, fmax, NaN", 2.75 + 1 + 6.5, o[k++], 0);
    check_near("copysign", -9.25, o[k++], 0);
    check_near("fma", 13.375 + 43.25, o[k++], 0);
    check_near("integer min, max, abs", 3000 + 500 + 70 + 5, o[k++], 0);
    check_near("float min, max", 27.5 + 4.5 + 5 + 8, o[k++], 0);
    check_near("__fadd_rn, __fsub_rn, __fmul_rn", 7.25 - 17.5 + 1237.5, o[k++], 0);
    check_near("__fmaf_rn ...", 15.125 + 0.6875 + 2 + 0.125, o[k++], 0);
    check_near("__dadd_rn ...", 7.5 + 13 + 48.75 + 3.5, o[k++], 0);
    check_near("float to int", 3000 + 200 + 30 + 2, o[k++], 0);
    check_near("negative float to int", -3000 - 200 - 20 - 3, o[k++], 0);
    check_near("other conversions to int", 4 + (double)(long long)(x * 1e10f) + 6, o[k++], 0);
    check_near("conversions from int", 5 + 3 + 6.5 + 5, o[k++], 0);
    check_near("__float_as_int", 1, o[k++], 0);
    check_near("__float_as_uint", 1, o[k++], 0);
    check_near("__double_as_longlong", (double)bits + 2, o[k++], 0);
    check_near("__hiloint2double", z, o[k++], 0);
    check_near("std::abs, std::sqrt", 9.75, o[k++], 0);
    check_near("float division", x / y, o[k++], 0);
    check_near("double division", z / 3, o[k++], 0);
    check_near("rsqrtf", 1 / sqrt(x), o[k++], 1e-7);
    check_near("expf", exp(x), o[k++], 4e-6);
    check_near("expf -80", exp(-80), o[k++], exp(-80) * 4e-7);
    check_near("expf 88.5", exp(88.5), o[k++], exp(88.5) * 4e-7);
    check_near("exp2f", exp2(x), o[k++], 2e-6);
    check_near("logf", log(x), o[k++], 4e-7);
    check_near("log2f", log2(x), o[k++], 4e-7);
    check_near("log10f", log10(x), o[k++], 4e-7);
    check_near("sinf", sin(x), o[k++], 1e-6);
    check_near("cosf", cos(x), o[k++], 1e-6);
    check_near("powf", pow(x, y), o[k++], 3e-4);
    check_near("fast functions", exp(x) + log(x) + sin(x) + cos(x) + pow(x, y) + x / y, o[k++],
               4e-4);
    check_near("C++ names for float", sqrtf(x) + 2 + 13.375 + 2.75 + 2.75 + 4 + 5, o[k++], 1e-5);
    check_near("expf beyond its range", 1, o[k++], 0);
    cudaFree(d_o);
}

/* ---------------------------------------------------------------------------------------------- */

static void run(void (*kernel)(long long (*)[LANES]), int threads, void (*check)(void))
{
    long long(*d_out)[LANES];
    check_int("malloc", 0, cudaMalloc(&d_out, sizeof h_out));
    check_int("clear", 0, cudaMemset(d_out, 0, sizeof h_out));
    kernel<<<1, threads>>>(d_out);
    check_int("launch", 0, cudaGetLastError());
    check_int("copy out", 0, cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
    check();
    cudaFree(d_out);
}

int main(void)
{
    run(warp_functions, LANES, check_warp_functions);
    run(bit_functions, 1, check_bit_functions);
    check_atomic_functions();
    check_math_functions();
    return check_report("intrinsics");
}
