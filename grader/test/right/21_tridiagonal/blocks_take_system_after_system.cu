// expect: PASS | a grid of at most 660 blocks, in a loop over the systems
/*
 * Tridiagonal systems in shared memory: cyclic reduction, parallel cyclic reduction, and with the
 * latter a step of shallow water, over rows and over columns.
 *
 * Mapping   a block of 256 threads has a system of m = 256 rows, thread t its row t. Of columns a
 *           block has 8 neighbours, and solves one after the other
 * Bytes     5 words a row: a, b, c, d read, x written. Water 8 words a cell, in two launches
 * Work      cyclic 6 m - 9 additions = 1527 in 2 log2 m - 1 = 15 steps; parallel 4 m log2 m = 8192
 *           in log2 m = 8 steps. A row combined with its neighbours takes 4, an x put in takes 2
 * Barriers  one a step and one, 16; two a step, 16
 * Source    Hockney and Jesshope, Parallel Computers, 1981; Kass and Miller, SIGGRAPH 1990
 *
 * Given: rows.h, a row and where it stands; launches.h, kernels and entries; steps.h, how functions
 * are tried.
 */
#include <cuda_runtime.h>

#include "rows.h"
#include "tridiagonal.h"

/* ---- rows ------------------------------------------------------------------------------------ */

/* Row i of all n, for thread i % ROWS. */
static __device__ row load_row(const float *d_a, const float *d_b, const float *d_c,
                               const float *d_d, int i, int n)
{
    row r = NO_ROW;

    if (i < n) {
        const int own = i & (ROWS - 1);
        r.b = d_b[i];
        r.d = d_d[i];
        if (own != 0)
            r.a = d_a[i];
        if (own != ROWS - 1 && i != n - 1)
            r.c = d_c[i];
    }
    return r;
}

/* The middle row less so much of its neighbours that their own unknowns drop out: it then says
   something about the neighbours' other neighbours. */
static __device__ row combine(row lower, row middle, row upper)
{
    const float down = middle.a / lower.b, up = middle.c / upper.b;
    row r;

    r.a = -down * lower.a;
    r.b = middle.b - down * lower.c - up * upper.a;
    r.c = -up * upper.c;
    r.d = middle.d - down * lower.d - up * upper.d;
    return r;
}

/* Two rows, of two unknowns. */
static __device__ void solve_two(row first, row second, float *x_first, float *x_second)
{
    const float f = first.c / second.b;
    const float x = (first.d - f * second.d) / (first.b - f * second.a);

    *x_first = x;
    *x_second = (second.d - second.a * x) / second.b;
}

/* ---- cyclic reduction ------------------------------------------------------------------------ */

/* Where row i stands, a word below PLACES. */
static __device__ int place(int i)
{
    return i + i / BANKS;
}

/* Way down: at distance h every second row of those that are left takes its two neighbours in, and
   stays: rows 1, 3, 5 ... at first, then 3, 7, 11 ..., down to rows 127 and 255. */
static __device__ void reduce(float s_row[4][PLACES])
{
    const int t = threadIdx.x;

    for (int h = 1; h < ROWS / 2; h *= 2) {
        const int i = 2 * h * (t + 1) - 1;
        if (i < ROWS) {
            const row above = i + h < ROWS ? get_row(s_row, place(i + h)) : NO_ROW;
            put_row(s_row, place(i),
                    combine(get_row(s_row, place(i - h)), get_row(s_row, place(i)), above));
        }
        __syncthreads();
    }
}

/* Way back: at distance h the rows between those whose x is known. x takes the place of d. */
static __device__ void substitute(float s_row[4][PLACES])
{
    const int t = threadIdx.x;

    for (int h = ROWS / 4; h > 0; h /= 2) {
        const int i = 2 * h * t + h - 1;
        if (i < ROWS) {
            const row r = get_row(s_row, place(i));
            const float below = t > 0 ? s_row[D][place(i - h)] : 0.0f;
            s_row[D][place(i)] = (r.d - r.a * below - r.c * s_row[D][place(i + h)]) / r.b;
        }
        __syncthreads();
    }
}

/* x of row t of the system whose row t is r. */
static __device__ float solve_cyclic(row r, float s_row[4][PLACES])
{
    const int t = threadIdx.x, last = ROWS - 1, middle = ROWS / 2 - 1;

    put_row(s_row, place(t), r);
    __syncthreads();
    reduce(s_row);
    if (t == 0)
        solve_two(get_row(s_row, place(middle)), get_row(s_row, place(last)),
                  &s_row[D][place(middle)], &s_row[D][place(last)]);
    __syncthreads();
    substitute(s_row);
    return s_row[D][place(t)];
}

/* ---- parallel cyclic reduction --------------------------------------------------------------- */

/* The same, by all rows at once, of which the first `count` are there. Neighbouring threads want
   neighbouring rows: here row i stands in word i. */
static __device__ float solve_parallel(row r, int count, float s_row[4][PLACES])
{
    const int t = threadIdx.x;

    for (int h = 1; h < ROWS; h *= 2) {
        put_row(s_row, t, r);
        __syncthreads();
        const row lower = t < h ? NO_ROW : get_row(s_row, t - h);
        const row upper = t + h < count ? get_row(s_row, t + h) : NO_ROW;
        r = combine(lower, r, upper);
        __syncthreads();
    }
    return r.d / r.b;
}

/* ---- water ----------------------------------------------------------------------------------- */

/* Row of a cell: its own depth, those of its neighbours, 0 where there is none, and the right
   side. */
static __device__ row water_row(float left, float own, float right, float d)
{
    row r = NO_ROW;

    r.d = d;
    if (own > 0.0f && left > 0.0f)
        r.a = -WATER_FLOW * (left + own);
    if (own > 0.0f && right > 0.0f)
        r.c = -WATER_FLOW * (own + right);
    r.b = 1.0f - r.a - r.c;
    return r;
}

/* A block's columns, WIDTH cells and more apart. In shared memory a column is together. It has
   COLUMN_ROOM = 256 + 4 words: with 8 columns, in which banks do 4 rows lie? */
static __device__ void solve_columns(const float *d_ground, const float *d_now, const float *d_half,
                                     float *d_next, int n)
{
    __shared__ float s_depth[COLUMNS][COLUMN_ROOM], s_height[COLUMNS][COLUMN_ROOM];
    __shared__ float s_row[4][PLACES];
    const int t = threadIdx.x, column = t % COLUMNS, rows = (n - 1) / WIDTH + 1;
    const int first = t / COLUMNS * WIDTH + blockIdx.x * COLUMNS + column;

#pragma unroll
    for (int k = 0; k < COLUMNS; k++) {
        const int y = t / COLUMNS + k * ROWS_AT_ONCE, i = first + k * ROWS_AT_ONCE * WIDTH;
        const bool there = i < n;
        s_depth[column][y] = there ? depth(d_now[i], d_ground[i]) : 0.0f;
        s_height[column][y] = there ? d_half[i] : 0.0f;
    }
    __syncthreads();
    for (int c = 0; c < COLUMNS; c++) {
        const float *s_d = s_depth[c];
        s_height[c][t] = solve_parallel(water_row(t == 0 ? 0.0f : s_d[t - 1], s_d[t],
                                                  t == ROWS - 1 ? 0.0f : s_d[t + 1],
                                                  s_height[c][t]),
                                        rows, s_row);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < COLUMNS; k++) {
        const int y = t / COLUMNS + k * ROWS_AT_ONCE, i = first + k * ROWS_AT_ONCE * WIDTH;
        if (i < n)
            d_next[i] = s_height[column][y];
    }
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#define tridiagonal_cyclic given_cyclic
#define tridiagonal_parallel given_parallel
#include "launches.h"
#undef tridiagonal_cyclic
#undef tridiagonal_parallel

/* A block takes system after system. */
template <bool CYCLIC>
__global__ void __launch_bounds__(ROWS) many(const float *d_a, const float *d_b, const float *d_c,
                                             const float *d_d, float *d_x, int n)
{
    __shared__ float s_row[4][PLACES];
    const int last = (n - 1) / ROWS;

    for (int k = blockIdx.x; k <= last; k += gridDim.x) {
        const int first = k * ROWS, i = first + threadIdx.x;
        const bool there = threadIdx.x < min(n - first, (int)ROWS);
        const row r = there ? load_row(d_a, d_b, d_c, d_d, i, n) : NO_ROW;
        const float x = CYCLIC ? solve_cyclic(r, s_row)
                               : solve_parallel(r, min(n - first, (int)ROWS), s_row);
        if (there)
            d_x[i] = x;
        __syncthreads(); /* all have their x */
    }
}

static int at_most(int blocks) { return blocks < 132 * 5 ? blocks : 132 * 5; }

extern "C" void tridiagonal_cyclic(const float *d_a, const float *d_b, const float *d_c,
                                   const float *d_d, float *d_x, int n)
{
    if (n > 0)
        many<true><<<at_most(systems(n)), ROWS>>>(d_a, d_b, d_c, d_d, d_x, n);
}
extern "C" void tridiagonal_parallel(const float *d_a, const float *d_b, const float *d_c,
                                     const float *d_d, float *d_x, int n)
{
    if (n > 0)
        many<false><<<at_most(systems(n)), ROWS>>>(d_a, d_b, d_c, d_d, d_x, n);
}


void water_step(const float *d_ground, const float *d_before, const float *d_now, float *d_next,
                int n)
{
    water_rows(d_ground, d_before, d_now, d_next, n);
    water_columns(d_ground, d_now, d_next, d_next, n);
}

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
