/*
 * water.c: steps of shallow water one after the other, by the solution of lab 21 and by water.cu;
 * and a copy that moves as many bytes as a step.
 */
#include "water.h"

#include <cuda_runtime_api.h>

#include "tridiagonal.h"

typedef void step(const float *d_ground, const float *d_before, const float *d_now, float *d_next,
                  int n);

/* The last step writes d_out; the others take turns with the scratch behind it. */
static void go(step *one, const uint32_t *d_in, uint32_t *d_out, int side, int steps)
{
    const size_t n = (size_t)side * (size_t)side;
    const float *d_ground = (const float *)d_in, *d_before = d_ground + n, *d_now = d_before + n;

    for (int left = steps - 1; left >= 0; left--) {
        float *d_next = (float *)d_out + (size_t)(left % 3) * n;
        one(d_ground, d_before, d_now, d_next, (int)n);
        d_before = d_now;
        d_now = d_next;
    }
}

void replication_water_small(const uint32_t *d_in, uint32_t *d_out, int side)
{
    go(water_step, d_in, d_out, side, REPLICATION_WATER_STEPS);
}

void replication_water_columns_8(const uint32_t *d_in, uint32_t *d_out, int side)
{
    go(water_step_columns_8, d_in, d_out, side, WATER_LARGE_STEPS);
}

void replication_water_columns_4(const uint32_t *d_in, uint32_t *d_out, int side)
{
    go(water_step_columns_4, d_in, d_out, side, WATER_LARGE_STEPS);
}

void replication_water_copy(const uint32_t *d_in, uint32_t *d_out, int side)
{
    (void)cudaMemcpyAsync(d_out, d_in, (size_t)side * WATER_SIDE * WATER_COPIED * sizeof(uint32_t),
                          cudaMemcpyDeviceToDevice, 0);
}
