/*
 * made_up.h: a lab made up for tests of common/lab: a scan per section of 8.
 */
#ifndef MADE_UP_H
#define MADE_UP_H

#include "judge.h"

enum { TILE = 8 };

static void section_scan(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1];
    for (size_t i = 0; i < n; i++)
        out[i] = i % TILE == 0 ? in[i] : out[i - 1] + in[i];
}

static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT },
};
static const lab_sizes gate_sizes = { 40 };
static const lab_parts parts = {
    {
        .entry = "made_up_scan",
        .buffers = in_out,
        .reference = section_scan,
        .gate_sizes = gate_sizes,
        .max_n = 2000,
    },
};
static const lab made_up = {
    .id = "99_made_up",
    .title = "made up",
    .file = "made_up.cu",
    .tile = TILE,
    .threads = TILE,
    .per_thread = 1,
    .large_n = 1000,
    .parts = parts,
};

#endif
