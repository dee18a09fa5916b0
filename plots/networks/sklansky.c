/*
 * sklansky.c: declares the Sklansky scan as a lab is declared, so that it is run, checked and
 * counted like one. It is no lab: students do not write it.
 */
#include "sklansky.h"

#include "lab.h"
#include "references.h"

static void reference(void *const *buffers, size_t n)
{
    scan_runs_inclusive(buffers, n, SKLANSKY_SECTION);
}

static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT },
};
static const lab_parts parts = {
    {
        .entry = "sklansky_inclusive",
        .title = "inclusive scan per section",
        .network = "Sklansky",
        .buffers = in_out,
        .reference = reference,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Sklansky scan",
    .file = "sklansky.cu",
    .tile = SKLANSKY_SECTION,
    .threads = SKLANSKY_SECTION,
    .per_thread = 1,
    .parts = parts,
};
