/*
 * pieces.h: the rows that a lane has of a system, how they are loaded and stored, and the kernels
 * of tridiagonal_speed.h. Given; pieces first, for inclusion by tridiagonal_speed.cu; its kernels
 * by DEFINE_SOLVER, at that file's end.
 */
#ifndef PIECES_H
#define PIECES_H

#include "tridiagonal_speed.h"

enum {
    LANES = 32,
    MOST = TRIDIAGONAL_LONG / LANES, /* rows of a lane */
    THREADS = 64,
    SYSTEMS_OF_A_BLOCK = THREADS / LANES
};

#define ALL_LANES 0xffffffffu

/* `each` rows that follow one another; lane 0 has the first of the system. */
typedef struct piece {
    float a[MOST], b[MOST], c[MOST], d[MOST];
} piece;

/* 1 / b to within 1 ulp, for b of normal size: one instruction, where a division that rounds as
   IEEE 754 says takes ten and a branch. Source: PTX ISA, "rcp". */
static __device__ __forceinline__ float one_over(float b)
{
    float r;

    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    return r;
}

/* 16 bytes at a time, which nobody needs again: they need not take the place of lines in L2 that
   others have written. What is beyond n: other. */
static __device__ __forceinline__ void load(const float *d_from, float *to, int each, int first,
                                            int n, float other)
{
#pragma unroll
    for (int k = 0; k < each; k += 4) {
        float4 four = make_float4(other, other, other, other);
        if (first + k + 3 < n) {
            four = __ldcs((const float4 *)(d_from + first + k));
        } else {
            four.x = first + k < n ? d_from[first + k] : other;
            four.y = first + k + 1 < n ? d_from[first + k + 1] : other;
            four.z = first + k + 2 < n ? d_from[first + k + 2] : other;
        }
        to[k] = four.x;
        to[k + 1] = four.y;
        to[k + 2] = four.z;
        to[k + 3] = four.w;
    }
}

/* The lane's rows begin at row `first`. What is not there says x = 0, and a system's ends have no
   neighbours. */
static __device__ __forceinline__ void load_piece(piece *p, const float *d_a, const float *d_b,
                                                  const float *d_c, const float *d_d, int each,
                                                  int first, int n)
{
    load(d_a, p->a, each, first, n, 0.0f);
    load(d_b, p->b, each, first, n, 1.0f);
    load(d_c, p->c, each, first, n, 0.0f);
    load(d_d, p->d, each, first, n, 0.0f);
    if (threadIdx.x % LANES == 0)
        p->a[0] = 0.0f;
    if (threadIdx.x % LANES == LANES - 1)
        p->c[each - 1] = 0.0f;
#pragma unroll
    for (int k = 0; k < each; k++)
        if (first + k == n - 1)
            p->c[k] = 0.0f;
}

static __device__ __forceinline__ void store_piece(const float x[MOST], float *d_x, int each,
                                                   int first, int n)
{
#pragma unroll
    for (int k = 0; k < each; k += 4)
        if (first + k + 3 < n) {
            *(float4 *)(d_x + first + k) = make_float4(x[k], x[k + 1], x[k + 2], x[k + 3]);
        } else {
            if (first + k < n)
                d_x[first + k] = x[k];
            if (first + k + 1 < n)
                d_x[first + k + 1] = x[k + 1];
            if (first + k + 2 < n)
                d_x[first + k + 2] = x[k + 2];
        }
}

/* A warp has a system of `rows` rows. */
#define DEFINE_SOLVER(rows)                                                                        \
    __global__ void __launch_bounds__(THREADS) solve_##rows(                                       \
        const float *d_a, const float *d_b, const float *d_c, const float *d_d, float *d_x, int n) \
    {                                                                                              \
        const int each = rows / LANES, first = (blockIdx.x * THREADS + threadIdx.x) * each;        \
        piece p;                                                                                   \
        float x[MOST];                                                                             \
        load_piece(&p, d_a, d_b, d_c, d_d, each, first, n);                                        \
        solve(&p, x, each);                                                                        \
        store_piece(x, d_x, each, first, n);                                                       \
    }                                                                                              \
    void tridiagonal_##rows(const float *d_a, const float *d_b, const float *d_c,                  \
                            const float *d_d, float *d_x, int n)                                   \
    {                                                                                              \
        const int systems = (n - 1) / rows + 1;                                                    \
        if (n > 0)                                                                                 \
            solve_##rows<<<(systems - 1) / SYSTEMS_OF_A_BLOCK + 1, THREADS>>>(d_a, d_b, d_c, d_d,  \
                                                                              d_x, n);             \
    }

#endif
