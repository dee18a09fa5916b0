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
   has in its c the first x of the next lane. In place of b stands 1 / b, but for the last. */
static __device__ __forceinline__ void eliminate(piece *p, int each)
{
#pragma unroll
    for (int k = 1; k < each; k++) {
        p->b[k - 1] = one_over(p->b[k - 1]); /* all else divides by it */
        const float by = p->a[k] * p->b[k - 1];
        p->a[k] = -by * p->a[k - 1];
        p->b[k] -= by * p->c[k - 1];
        p->d[k] -= by * p->d[k - 1];
    }
    /* the last but one names the last already */
#pragma unroll
    for (int k = each - 3; k >= 0; k--) {
        const float by = p->c[k] * p->b[k + 1];
        p->a[k] -= by * p->a[k + 1];
        p->c[k] = -by * p->c[k + 1];
        p->d[k] -= by * p->d[k + 1];
    }
}

/* The lane's last x: that of a system of 32 rows, one from each lane. */
static __device__ __forceinline__ float solve_last(const piece *p, int each)
{
    const int lane = threadIdx.x % LANES, last = each - 1;
    /* the first row of the next lane, divided by its b, takes that lane's first x out */
    float next_a = __shfl_down_sync(ALL_LANES, p->a[0] * p->b[0], 1);
    float next_c = __shfl_down_sync(ALL_LANES, p->c[0] * p->b[0], 1);
    float next_d = __shfl_down_sync(ALL_LANES, p->d[0] * p->b[0], 1);
    if (lane == LANES - 1)
        next_a = next_c = next_d = 0.0f;

    const float b = one_over(p->b[last] - p->c[last] * next_a);
    float a = p->a[last] * b, c = -p->c[last] * next_c * b;
    float d = (p->d[last] - p->c[last] * next_d) * b;
#pragma unroll
    for (int h = 1; h < LANES; h *= 2) {
        float lower_a = __shfl_up_sync(ALL_LANES, a, h),
              upper_a = __shfl_down_sync(ALL_LANES, a, h);
        float lower_c = __shfl_up_sync(ALL_LANES, c, h),
              upper_c = __shfl_down_sync(ALL_LANES, c, h);
        float lower_d = __shfl_up_sync(ALL_LANES, d, h),
              upper_d = __shfl_down_sync(ALL_LANES, d, h);
        /* a and c are 0 where there is no such lane; what came from there is a number */
        const float by = one_over(1.0f - a * lower_c - c * upper_a);
        d = (d - a * lower_d - c * upper_d) * by;
        a = lane >= h ? -a * lower_a * by : 0.0f;
        c = lane < LANES - h ? -c * upper_c * by : 0.0f;
    }
    return d;
}

static __device__ __forceinline__ void solve(piece *p, float x[MOST], int each)
{
    eliminate(p, each);
    const float own = solve_last(p, each);
    float before = __shfl_up_sync(ALL_LANES, own, 1);
    if (threadIdx.x % LANES == 0)
        before = 0.0f;
#pragma unroll
    for (int k = 0; k < each - 1; k++)
        x[k] = (p->d[k] - p->a[k] * before - p->c[k] * own) * p->b[k];
    x[each - 1] = own;
}

DEFINE_SOLVER(256)
DEFINE_SOLVER(512)
