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
        r.b = d_b[i];
        r.d = d_d[i];
        /* the first and the last row of a system have no neighbour there */
        if (i % ROWS > 0)
            r.a = d_a[i];
        if (i % ROWS < ROWS - 1 && i < n - 1)
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

    r.a = -lower.a * down;
    r.b = middle.b - lower.c * down - upper.a * up;
    r.c = -upper.c * up;
    r.d = middle.d - lower.d * down - upper.d * up;
    return r;
}

/* Two rows, of two unknowns. */
static __device__ void solve_two(row first, row second, float *x_first, float *x_second)
{
    const float determinant = first.b * second.b - first.c * second.a;

    *x_first = (first.d * second.b - first.c * second.d) / determinant;
    *x_second = (first.b * second.d - first.d * second.a) / determinant;
}

/* ---- cyclic reduction ------------------------------------------------------------------------ */

/* Where row i stands: a word is left free after every 32, so that rows a power of two apart lie in
   different banks. */
static __device__ int place(int i) { return i + i / BANKS; }

/* Way down: at distance h every second row of those that are left takes its two neighbours in, and
   stays: rows 1, 3, 5 ... at first, then 3, 7, 11 ..., down to rows 127 and 255. */
static __device__ void reduce(float s_row[4][PLACES])
{
    const int t = threadIdx.x;

    for (int h = 1; h < ROWS / 2; h *= 2) {
        const int i = 2 * h * (t + 1) - 1;
        if (i < ROWS)
            put_row(s_row, place(i),
                    combine(get_row(s_row, place(i - h)), get_row(s_row, place(i)),
                            i + h < ROWS ? get_row(s_row, place(i + h)) : NO_ROW));
        __syncthreads(); /* the next step reads what this one wrote */
    }
}

/* Way back: at distance h the rows between those whose x is known. x takes the place of d. */
static __device__ void substitute(float s_row[4][PLACES])
{
    const int t = threadIdx.x;

    for (int h = ROWS / 4; h >= 1; h /= 2) {
        const int i = 2 * h * t + h - 1;
        if (i < ROWS) {
            const row r = get_row(s_row, place(i));
            const float left = i >= h ? s_row[D][place(i - h)] : 0.0f;
            s_row[D][place(i)] = (r.d - r.a * left - r.c * s_row[D][place(i + h)]) / r.b;
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

    for (int h = 1; h < count; h *= 2) {
        put_row(s_row, t, r);
        __syncthreads();
        const row lower = t >= h ? get_row(s_row, t - h) : NO_ROW;
        const row upper = t + h < ROWS ? get_row(s_row, t + h) : NO_ROW;
        __syncthreads(); /* all have read what the next step overwrites */
        r = combine(lower, r, upper);
    }
    return r.d / r.b;
}

/* ---- water ----------------------------------------------------------------------------------- */

/* Row of a cell: its own depth, those of its neighbours, 0 where there is none, and the right
   side. */
static __device__ row water_row(float left, float own, float right, float d)
{
    const float from_left = left > 0 && own > 0 ? WATER_FLOW * (left + own) : 0.0f;
    const float from_right = right > 0 && own > 0 ? WATER_FLOW * (own + right) : 0.0f;
    row r;

    r.a = -from_left;
    r.b = 1 + from_left + from_right;
    r.c = -from_right;
    r.d = d;
    return r;
}

/* A block's columns. A row of the grid gives it 8 neighbouring words, so a warp takes 4 rows at a
   time, and shared memory has column after column. A column has COLUMN_ROOM = 256 + 4 words: those
   8 columns of 4 rows lie in 32 banks. */
static __device__ void solve_columns(const float *d_ground, const float *d_now, const float *d_half,
                                     float *d_next, int n)
{
    __shared__ float s_depth[COLUMNS][COLUMN_ROOM], s_height[COLUMNS][COLUMN_ROOM];
    __shared__ float s_row[4][PLACES];
    const int t = threadIdx.x, column = t % COLUMNS, rows = (n - 1) / WIDTH + 1;
    const int first = t / COLUMNS * WIDTH + blockIdx.x * COLUMNS + column;

    for (int y = t / COLUMNS, i = first; y < ROWS; y += ROWS_AT_ONCE, i += ROWS_AT_ONCE * WIDTH) {
        s_depth[column][y] = i < n ? depth(d_now[i], d_ground[i]) : 0.0f;
        s_height[column][y] = i < n ? d_half[i] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < COLUMNS; k++) {
        const float left = t > 0 ? s_depth[k][t - 1] : 0.0f;
        const float right = t < ROWS - 1 ? s_depth[k][t + 1] : 0.0f;
        s_height[k][t] =
            solve_parallel(water_row(left, s_depth[k][t], right, s_height[k][t]), rows, s_row);
    }
    __syncthreads();

    for (int y = t / COLUMNS, i = first; i < n; y += ROWS_AT_ONCE, i += ROWS_AT_ONCE * WIDTH)
        d_next[i] = s_height[column][y];
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#include "launches.h"

void water_step(const float *d_ground, const float *d_before, const float *d_now, float *d_next,
                int n)
{
    water_rows(d_ground, d_before, d_now, d_next, n);
    /* a block reads all of its columns before it writes any */
    water_columns(d_ground, d_now, d_next, d_next, n);
}

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
