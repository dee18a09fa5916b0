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

    /* TODO 1: if there is such a row: its b and d; its a, if the system has a row before it; its c,
       if it has one after it. What the arrays hold at a system's ends belongs to nothing. */
    return r;
}

/* The middle row less so much of its neighbours that their own unknowns drop out: it then says
   something about the neighbours' other neighbours. */
static __device__ row combine(row lower, row middle, row upper)
{
    /* TODO 2: by what is the lower row multiplied, and the upper one, so that x of the lower and x
       of the upper row drop out? Whose x are left, and with which factors? */
    return middle;
}

/* Two rows, of two unknowns. */
static __device__ void solve_two(row first, row second, float *x_first, float *x_second)
{
    *x_first = 0; /* TODO 3: the first row's b and c, the second row's a and b, and both d */
    *x_second = 0;
}

/* ---- cyclic reduction ------------------------------------------------------------------------ */

/* Where row i stands, a word below PLACES. */
static __device__ int place(int i)
{
    return i; /* TODO 4: in which banks are rows 1, 3, 5 ..., 7, 15, 23 ..., 31, 63, 95 ...? */
}

/* Way down: at distance h every second row of those that are left takes its two neighbours in, and
   stays: rows 1, 3, 5 ... at first, then 3, 7, 11 ..., down to rows 127 and 255. */
static __device__ void reduce(float s_row[4][PLACES])
{
    const int t = threadIdx.x;

    /* TODO 4: h = 1, 2, 4 and so on: which row does thread t take at distance h, if any? It becomes
       combine of the row h below, itself, and the row h above, or NO_ROW. Who reads it next? */
}

/* Way back: at distance h the rows between those whose x is known. x takes the place of d. */
static __device__ void substitute(float s_row[4][PLACES])
{
    const int t = threadIdx.x;

    /* TODO 4: from which h, and down to which? Of a row two x are known now, s_row[D] of the rows h
       below and above it; below the first there is none. */
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

    /* TODO 5: at each distance every thread puts its row, and combines it with those h below and
       above, or NO_ROW. How many steps, until a row has no neighbours? Who still reads the old
       rows? */
    return r.d / r.b;
}

/* ---- water ----------------------------------------------------------------------------------- */

/* Row of a cell: its own depth, those of its neighbours, 0 where there is none, and the right
   side. */
static __device__ row water_row(float left, float own, float right, float d)
{
    row r = NO_ROW;

    r.d = d; /* TODO 6: the faces to both neighbours, as in tridiagonal.h; then a, b and c */
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

    /* TODO 7: a warp loads 4 rows of 8 neighbours, from cell `first` on, and each 32nd row after
       it (ROWS_AT_ONCE): depths and heights of d_half, 0 where there is no cell. Then each column
       by water_row and solve_parallel, thread t its cell t; x goes to s_height. Then store them, as
       they were loaded. Where is a barrier needed? */
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#include "launches.h"

void water_step(const float *d_ground, const float *d_before, const float *d_now, float *d_next,
                int n)
{
    /* TODO 7: rows, then columns: which arrays? */
}

/* Tries the functions one by one. If you change what they take, leave it out. */
#include "steps.h"
