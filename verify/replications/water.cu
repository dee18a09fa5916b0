/*
 * A step of shallow water on a large grid: rows of cells, then columns, each a tridiagonal system.
 *
 * Mapping   a thread has a piece of a line: 8 cells of a row, or 32 of a column. A block has a row,
 *           or neighbouring columns: 8 of them are the whole sectors of 32 bytes
 * Bytes     32 a cell: three words read and one written, for rows and for columns
 * Work      a piece is eliminated twice: at first what stands before and behind it is unknown, and
 *           one row of each piece is left. Parallel cyclic reduction solves these. Eliminating it
 *           again takes less room than keeping what came out at first: d is in registers, the faces
 *           of columns are in shared memory, and a block of 8 columns has no room for more
 * Depth     log2 of a line's pieces, 9 and 7 steps, a barrier each
 * Source    Kass and Miller, SIGGRAPH 1990; Wang 1981 (rows in pieces); Zhang, Cohen and Owens 2010
 */
#include <cuda_runtime.h>

#include "water.h"

enum {
    SIDE = WATER_SIDE,
    ROW_CELLS = 8,
    ROW_THREADS = SIDE / ROW_CELLS,
    COLUMN_CELLS = 32,
    PIECES = SIDE / COLUMN_CELLS, /* of a column */
    AT_ONCE = 8                   /* cells whose depths a thread loads together */
};

#define FLOW 0.25f /* lab 21's WATER_FLOW */

/* x = d + a (an x before) + c (an x behind) */
typedef struct row {
    float a, c, d;
} row;

/* What a piece says of its own first x, of the x before it and its own last; and of its last x, of
   the x before it and the x behind it. */
typedef struct ends {
    row first, last;
} ends;

static __device__ __forceinline__ float inverse(float x)
{
    float y;

    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

static __device__ __forceinline__ float depth(float height, float ground)
{
    return fmaxf(height - ground, 0.0f);
}

static __device__ __forceinline__ float face(float one, float other)
{
    return one > 0 && other > 0 ? FLOW * (one + other) : 0.0f;
}

/* ---- a thread's piece ------------------------------------------------------------------------ */

/* Face before cell k: f[k * apart]; behind the last one: behind. */
static __device__ __forceinline__ ends eliminate(const float *f, int apart, float behind,
                                                 const float *d, int cells)
{
    float before = f[0];
    row own = { 0.0f, 0.0f, 0.0f };
    ends e;

#pragma unroll
    for (int k = 0; k < cells; k++) {
        const float after = k + 1 < cells ? f[(k + 1) * apart] : behind;
        if (k == 0) {
            const float by = inverse(1 + before + after);
            own.a = before * by;
            own.d = d[0] * by;
            own.c = after * by;
            e.first = own;
        } else {
            const float by = inverse(1 + before + after - before * own.c);
            own.a = before * own.a * by;
            own.d = (d[k] + before * own.d) * by;
            own.c = after * by;
            if (k + 1 < cells) {
                e.first.a += e.first.c * own.a;
                e.first.d += e.first.c * own.d;
                e.first.c *= own.c;
            }
        }
        before = after;
    }
    e.last = own;
    return e;
}

/* The x before the piece and its last one are known: every x takes the place of its d. */
static __device__ __forceinline__ void substitute(float *f, int apart, float *d, int cells,
                                                  float x_before, float x_last)
{
    float before = f[0], c = 0.0f, value = x_before;

#pragma unroll
    for (int k = 0; k + 1 < cells; k++) {
        const float after = f[(k + 1) * apart];
        const float by = inverse(1 + before + after - before * c);
        value = (d[k] + before * value) * by;
        c = after * by;
        d[k] = value;
        f[k * apart] = c;
        before = after;
    }
    d[cells - 1] = x_last;
#pragma unroll
    for (int k = cells - 2; k >= 0; k--)
        d[k] += f[k * apart] * d[k + 1];
}

/* ---- a block's pieces ------------------------------------------------------------------------ */

/* Three words of each thread, twice: the next exchange writes where nobody reads any more. */
static __device__ __forceinline__ void put(float *s, int threads, row r)
{
    s[threadIdx.x] = r.a;
    s[threads + threadIdx.x] = r.c;
    s[2 * threads + threadIdx.x] = r.d;
}

static __device__ __forceinline__ row get(const float *s, int threads, int t)
{
    row r = { 0.0f, 0.0f, 0.0f };

    if (t >= 0 && t < threads) {
        r.a = s[t];
        r.c = s[threads + t];
        r.d = s[2 * threads + t];
    }
    return r;
}

/* The pieces of a line are `apart` threads from each other. Returns the piece's last x, and the one
   before the piece. */
static __device__ __forceinline__ void solve_pieces(ends e, float *s, int threads, int apart,
                                                    float *x_before, float *x_last)
{
    const int t = threadIdx.x, both = 3 * threads;
    float *now = s + both, *other = s;

    /* the first x of the piece behind is taken out */
    put(now, threads, e.first);
    __syncthreads();
    const row next = get(now, threads, t + apart);
    const float scale = inverse(1 - e.last.c * next.a);
    row r = { e.last.a * scale, e.last.c * next.c * scale, (e.last.d + e.last.c * next.d) * scale };

#pragma unroll
    for (int h = apart; h < threads; h *= 2) {
        float *spare = now;
        now = other;
        other = spare;
        put(now, threads, r);
        __syncthreads();
        const row lower = get(now, threads, t - h), upper = get(now, threads, t + h);
        const float by = inverse(1 - r.a * lower.c - r.c * upper.a);
        r.d = (r.d + r.a * lower.d + r.c * upper.d) * by;
        r.a = r.a * lower.a * by;
        r.c = r.c * upper.c * by;
    }
    other[t] = *x_last = r.d;
    __syncthreads();
    *x_before = t >= apart ? other[t - apart] : 0.0f;
}

/* Faces before and behind the piece, from the depths at its ends. */
static __device__ __forceinline__ void outer_faces(float first, float last, float *s, int threads,
                                                   int apart, float *before, float *behind)
{
    const int t = threadIdx.x;

    s[t] = first;
    s[threads + t] = last;
    __syncthreads();
    *before = face(t >= apart ? s[threads + t - apart] : 0.0f, first);
    *behind = face(last, t + apart < threads ? s[t + apart] : 0.0f);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static __device__ __forceinline__ void load_cells(const float *d_from, float *to)
{
#pragma unroll
    for (int k = 0; k < ROW_CELLS; k += 4) {
        const float4 four = *(const float4 *)(d_from + k);
        to[k] = four.x;
        to[k + 1] = four.y;
        to[k + 2] = four.z;
        to[k + 3] = four.w;
    }
}

__global__ void __launch_bounds__(ROW_THREADS)
    long_rows(const float *__restrict__ d_ground, const float *__restrict__ d_before,
              const float *__restrict__ d_now, float *__restrict__ d_half)
{
    __shared__ float s_exchange[6 * ROW_THREADS];
    const size_t at = (size_t)blockIdx.x * SIDE + threadIdx.x * ROW_CELLS;
    float ground[ROW_CELLS], now[ROW_CELLS], d[ROW_CELLS], f[ROW_CELLS], behind, x_before, x_last;

    load_cells(d_ground + at, ground);
    load_cells(d_now + at, now);
    load_cells(d_before + at, d);
#pragma unroll
    for (int k = 0; k < ROW_CELLS; k++) {
        d[k] = 2 * now[k] - d[k];
        now[k] = depth(now[k], ground[k]);
    }
#pragma unroll
    for (int k = 1; k < ROW_CELLS; k++)
        f[k] = face(now[k - 1], now[k]);
    outer_faces(now[0], now[ROW_CELLS - 1], s_exchange, ROW_THREADS, 1, &f[0], &behind);

    const ends e = eliminate(f, 1, behind, d, ROW_CELLS);
    solve_pieces(e, s_exchange, ROW_THREADS, 1, &x_before, &x_last);
    substitute(f, 1, d, ROW_CELLS, x_before, x_last);
#pragma unroll
    for (int k = 0; k < ROW_CELLS; k += 4)
        *(float4 *)(d_half + at + k) = make_float4(d[k], d[k + 1], d[k + 2], d[k + 3]);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Half and next are the same array: a cell is read and written by one thread. */
static __device__ __forceinline__ void solve_columns(const float *__restrict__ d_ground,
                                                     const float *__restrict__ d_now,
                                                     float *d_heights, float *s, int columns)
{
    const int t = threadIdx.x, threads = columns * PIECES;
    const size_t at =
        (size_t)(t / columns) * COLUMN_CELLS * SIDE + blockIdx.x * columns + t % columns;
    float *s_face = s + 6 * threads + t, d[COLUMN_CELLS], first = 0.0f, last = 0.0f;
    float before, behind, x_before, x_last;

#pragma unroll
    for (int k = 0; k < COLUMN_CELLS; k++)
        d[k] = d_heights[at + (size_t)k * SIDE];
#pragma unroll
    for (int from = 0; from < COLUMN_CELLS; from += AT_ONCE) {
        float ground[AT_ONCE], now[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            ground[k] = d_ground[at + (size_t)(from + k) * SIDE];
            now[k] = d_now[at + (size_t)(from + k) * SIDE];
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            const float own = depth(now[k], ground[k]);
            if (from + k == 0)
                first = own;
            else
                s_face[(from + k) * threads] = face(last, own);
            last = own;
        }
    }
    outer_faces(first, last, s, threads, columns, &before, &behind);
    s_face[0] = before;

    const ends e = eliminate(s_face, threads, behind, d, COLUMN_CELLS);
    solve_pieces(e, s, threads, columns, &x_before, &x_last);
    substitute(s_face, threads, d, COLUMN_CELLS, x_before, x_last);
#pragma unroll
    for (int k = 0; k < COLUMN_CELLS; k++)
        d_heights[at + (size_t)k * SIDE] = d[k];
}

static_assert(WATER_SHARED_OF_COLUMN == (6 + COLUMN_CELLS) * PIECES * 4, "faces and exchanges");

/* `resident` blocks have room on a multiprocessor. */
#define DEFINE_STEP(columns, resident)                                                             \
    __global__ void __launch_bounds__(columns *PIECES, resident)                                   \
        long_columns_##columns(const float *d_ground, const float *d_now, float *d_heights)        \
    {                                                                                              \
        extern __shared__ float s_columns[];                                                       \
        solve_columns(d_ground, d_now, d_heights, s_columns, columns);                             \
    }                                                                                              \
    void water_step_columns_##columns(const float *d_ground, const float *d_before,                \
                                      const float *d_now, float *d_next, int n)                    \
    {                                                                                              \
        const int threads = columns * PIECES, bytes = columns * WATER_SHARED_OF_COLUMN;            \
        (void)n;                                                                                   \
        (void)cudaFuncSetAttribute(long_columns_##columns,                                         \
                                   cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);            \
        long_rows<<<SIDE, ROW_THREADS>>>(d_ground, d_before, d_now, d_next);                       \
        long_columns_##columns<<<SIDE / columns, threads, bytes>>>(d_ground, d_now, d_next);       \
    }

DEFINE_STEP(8, 1)
DEFINE_STEP(4, 2)
