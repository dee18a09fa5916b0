/*
 * sklansky.c: declares the Sklansky scan as a lab is declared, so that it is run, checked and
 * counted like one. It is none: nobody is asked to write it.
 */
#include "sklansky.h"

#include "lab.h"

static void reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1];

    for (size_t i = 0; i < n; i++)
        out[i] = i % SKLANSKY_SECTION == 0 ? in[i] : out[i - 1] + in[i];
}

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Sklansky scan",
    .file = "sklansky.cu",
    .tile = SKLANSKY_SECTION,
    .threads = SKLANSKY_SECTION,
    .per_thread = 1,
    .parts = { {
        .entry = "sklansky_inclusive",
        .title = "inclusive scan per section",
        .buffers = { { .name = "d_in", .type = LAB_F32, .role = LAB_IN, .place = LAB_DEVICE },
                     { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .place = LAB_DEVICE } },
        .buffer_count = 2,
        .reference = reference,
    } },
    .part_count = 1,
};
