/*
 * Sequential scan on the host: from n numbers, all n running sums; two ways to turn one kind of
 * scan into the other; a recurrence, solved as a map followed by a scan.
 *
 * Mapping   one thread visits all elements, from the first to the last
 * Bytes     a scan reads 4n and writes 4n
 * Work      n additions
 * Depth     n additions, each waits for the last
 * Source    GPU Teaching Kit, modules 10.1 (sequential scan, recurrences) and 10.4 (exclusive scan)
 *
 * cpu_scan.h says what each function promises. Five TODOs; any order will do, but 5 builds on 1.
 */
#include "cpu_scan.h"

void cpu_scan_inclusive(const float *in, float *out, int n)
{
    /* TODO 1: out[i] = in[0] + ... + in[i], in one pass: n additions in all, not n for every
       element. */
}

void cpu_scan_exclusive(const float *in, float *out, int n)
{
    /* TODO 2: out[i] = in[0] + ... + in[i-1], in one pass; out[0] is the identity of addition. */
}

void cpu_exclusive_from_inclusive(const float *inclusive, float *exclusive, int n)
{
    /* TODO 3: every sum you need is there already, one place away. Neither add nor subtract. */
}

void cpu_inclusive_from_exclusive(const float *in, const float *exclusive, float *inclusive, int n)
{
    /* TODO 4: exclusive[i] lacks one term. Mind that exclusive[0] is seldom 0 here: begin from it,
       not from 0. */
}

void cpu_recurrence(const float *a, const float *b, float *out, int n)
{
    /* TODO 5: out[j] = out[j-1] + a[j] * b[j] without a loop of its own for the sum: a map, then
       your scan of TODO 1. */
}
