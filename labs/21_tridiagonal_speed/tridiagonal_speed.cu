/*
 * Short tridiagonal systems at the speed of memory: a warp a system, all of it in registers.
 *
 * Mapping   a lane has 8 or 16 rows in a row; it makes its inner unknowns depend on two alone, the
 *           last one of its own and that of the lane before. Those 32 are a system, one a lane
 * Bytes     20 a row; 16 at a time
 * Work      about 12 additions a row, and 5 steps of parallel cyclic reduction; 34 shuffles a warp
 * Source    Wang 1981; Zhang, Cohen and Owens 2010
 *
 * Given: pieces.h.
 */
#include <cuda_runtime.h>

#include "pieces.h"

/* Row k says  a x[lane before] + b x[k] + c x[own last] = d  afterwards; only the last row still
   has in its c the first x of the next lane. */
static __device__ __forceinline__ void eliminate(piece *p, int each)
{
    /* TODO 1: down, row k takes row k - 1 out of itself: its a then names the lane before. Up, row
       k takes row k + 1 out: its c then names the lane's own last x. The last but one does. */
}

/* The lane's last x: that of a system of 32 rows, one from each lane. */
static __device__ __forceinline__ float solve_last(const piece *p, int each)
{
    const int lane = threadIdx.x % LANES, last = each - 1;

    /* TODO 2: the next lane hands over a, c and d of its first row, divided by b; with it the last
       row names last rows only. Then five steps of parallel reduction between the lanes. */
    return p->d[last] / p->b[last];
}

static __device__ __forceinline__ void solve(piece *p, float x[MOST], int each)
{
    eliminate(p, each);
    const float own = solve_last(p, each);
    /* TODO 3: the last x of the lane before, 0 in front of the system; then x of the inner rows. */
#pragma unroll
    for (int k = 0; k < each - 1; k++)
        x[k] = p->d[k] / p->b[k];
    x[each - 1] = own;
}

DEFINE_SOLVER(256)
DEFINE_SOLVER(512)
