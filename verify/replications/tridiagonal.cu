/*
 * Tridiagonal systems by cyclic reduction, with the rows in shared memory and without. Nothing else
 * differs.
 *
 * Mapping   a block of 128 threads has a system of 256 rows
 * Bytes     a row: 16 read and 4 written; in global memory the steps go there too, to 4 words a row
 *           that the block keeps for itself. Shared memory: 4096 bytes; padded 4224
 * Work      a row combined with its two neighbours, 255 times, on the way down; an x put in on the
 *           way back
 * Depth     8 steps down and 9 back, a barrier each
 * Source    Sengupta, Harris, Zhang and Owens, Scan Primitives for GPU Computing, 2007, slides
 *           "Tridiagonal Solver": 12 times as fast by shared memory, on a GPU without a cache.
 *           Hockney and Jesshope, Parallel Computers, 1981
 */
#include <cuda_runtime.h>

#include "replications.h"

enum { ROWS = SYSTEM_ROWS, THREADS = ROWS / 2, BANKS = 32, PLACES = ROWS + ROWS / BANKS };
static_assert(4 * PLACES == TRIDIAGONAL_SCRATCH, "room of a system in global memory");

enum { A, B, C, D }; /* a row: a x[i-1] + b x[i] + c x[i+1] = d */

/* a constant wherever it is passed: the compiler makes a kernel of each */
enum padding { PLAIN, PADDED };

/* Word of row i. Rows a power of two apart lie in one bank, unless a word is left free after every
   32. */
static __device__ __forceinline__ int place(enum padding padding, int i)
{
    return padding == PADDED ? i + i / BANKS : i;
}

/* Row i less so much of rows i - h and i + h that their own unknowns drop out. A row that is not
   there has no part in it: a and c are 0 there. */
static __device__ __forceinline__ void combine(enum padding padding, float (*row)[PLACES], int i,
                                               int h)
{
    int own = place(padding, i), lower = place(padding, i - h), upper = place(padding, i + h);
    float down = row[A][own] / row[B][lower], b = row[B][own] - row[C][lower] * down,
          d = row[D][own] - row[D][lower] * down;

    row[A][own] = -row[A][lower] * down;
    if (i + h < ROWS) {
        float up = row[C][own] / row[B][upper];
        b -= row[A][upper] * up;
        d -= row[D][upper] * up;
        row[C][own] = -row[C][upper] * up;
    }
    row[B][own] = b;
    row[D][own] = d;
}

/* x of row i takes the place of its d. */
static __device__ __forceinline__ void substitute(enum padding padding, float (*row)[PLACES], int i,
                                                  int h)
{
    int own = place(padding, i);
    float d = row[D][own];

    if (i >= h)
        d -= row[A][own] * row[D][place(padding, i - h)];
    if (i + h < ROWS)
        d -= row[C][own] * row[D][place(padding, i + h)];
    row[D][own] = d / row[B][own];
}

static __device__ __forceinline__ void solve(enum padding padding, const float *d_in, float *d_out,
                                             float (*row)[PLACES])
{
    int t = threadIdx.x;

    for (int word = A; word <= D; word++)
        for (int i = t; i < ROWS; i += THREADS)
            row[word][place(padding, i)] = d_in[(blockIdx.x * 4 + word) * ROWS + i];
    __syncthreads();
    /* every second row of those that are left takes its neighbours in; the last one is alone */
    for (int h = 1; h < ROWS; h *= 2) {
        int i = 2 * h * (t + 1) - 1;
        if (i < ROWS)
            combine(padding, row, i, h);
        __syncthreads(); /* the next step reads what this one wrote */
    }
    for (int h = ROWS; h >= 1; h /= 2) {
        int i = 2 * h * t + h - 1;
        if (i < ROWS)
            substitute(padding, row, i, h);
        __syncthreads();
    }
    for (int i = t; i < ROWS; i += THREADS)
        d_out[blockIdx.x * ROWS + i] = row[D][place(padding, i)];
}

#define SHARED_KERNEL(name, padding)                                                               \
    __global__ void __launch_bounds__(THREADS) name(const float *d_in, float *d_out)               \
    {                                                                                              \
        __shared__ float s_row[4][PLACES];                                                         \
                                                                                                   \
        solve(padding, d_in, d_out, s_row);                                                        \
    }

SHARED_KERNEL(solve_in_shared, PLAIN)
SHARED_KERNEL(solve_in_shared_padded, PADDED)

/* d_row: as much for each block as the others have in shared memory. */
__global__ void __launch_bounds__(THREADS)
    solve_in_global(const float *d_in, float *d_out, float (*d_row)[4][PLACES])
{
    solve(PLAIN, d_in, d_out, d_row[blockIdx.x]);
}

void replication_tridiagonal_shared(const uint32_t *d_in, uint32_t *d_out, int systems)
{
    solve_in_shared<<<systems, THREADS>>>((const float *)d_in, (float *)d_out);
}

void replication_tridiagonal_padded(const uint32_t *d_in, uint32_t *d_out, int systems)
{
    solve_in_shared_padded<<<systems, THREADS>>>((const float *)d_in, (float *)d_out);
}

void replication_tridiagonal_global(const uint32_t *d_in, uint32_t *d_out, int systems)
{
    solve_in_global<<<systems, THREADS>>>((const float *)d_in, (float *)d_out,
                                          (float(*)[4][PLACES])(d_out + systems * ROWS));
}
