/*
 * references.h: the sequential scans that labs compare with. For inclusion by a lab.c.
 *
 * Buffers: 0 the input, 1 the output, n elements each. A run is what is scanned together, a warp or
 * a section: run_end and scan_runs_* take its length.
 */
#ifndef REFERENCES_H
#define REFERENCES_H

#include <stddef.h>
#include <stdint.h>

/* ---- the whole array ------------------------------------------------------------------------- */

static inline void scan_f32_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1], sum = 0;

    for (size_t i = 0; i < n; i++)
        out[i] = sum += in[i];
}

/* int wraps around. */
static inline void scan_i32_reference(void *const *buffers, size_t n)
{
    const uint32_t *in = buffers[0];
    uint32_t *out = buffers[1], sum = 0;

    for (size_t i = 0; i < n; i++)
        out[i] = sum += in[i];
}

/* long long wraps around. */
static inline void scan_i64_reference(void *const *buffers, size_t n)
{
    const uint64_t *in = buffers[0];
    uint64_t *out = buffers[1], sum = 0;

    for (size_t i = 0; i < n; i++)
        out[i] = sum += in[i];
}

/* ---- each run on its own --------------------------------------------------------------------- */

/* Where the run of element i ends. */
static inline size_t run_end(size_t i, size_t run, size_t n)
{
    const size_t end = i - i % run + run;

    return end < n ? end : n;
}

static inline void scan_runs_inclusive(void *const *buffers, size_t n, size_t run)
{
    const float *in = buffers[0];
    float *out = buffers[1];

    for (size_t i = 0; i < n; i++)
        out[i] = i % run == 0 ? in[i] : out[i - 1] + in[i];
}

static inline void scan_runs_exclusive(void *const *buffers, size_t n, size_t run)
{
    const float *in = buffers[0];
    float *out = buffers[1];

    for (size_t i = 0; i < n; i++)
        out[i] = i % run == 0 ? 0.0f : out[i - 1] + in[i - 1];
}

#endif
