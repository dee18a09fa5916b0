/*
 * single_pass.c: compaction in a single pass, by the solutions of labs 14 and 15, to stand beside
 * multi_pass.cu.
 */
#include "compaction.h"
#include "replications.h"
#include "runs.h"

/* Where things stand: what is kept, or keys of runs; the rest, lengths or sums; how many. */
typedef struct results {
    int *d_out, *d_other;
    long long *d_count, n;
} results;

static results at(uint32_t *d_out, int units)
{
    const long long n = (long long)PASSES_WORDS * units;

    return (results){ (int *)d_out, (int *)d_out + n, (long long *)(d_out + 2 * n), n };
}

void replication_select_single(const uint32_t *d_in, uint32_t *d_out, int units)
{
    const results to = at(d_out, units);

    compaction_select_i32((const int *)d_in, to.d_out, to.d_count, to.n);
}

void replication_partition_single(const uint32_t *d_in, uint32_t *d_out, int units)
{
    const results to = at(d_out, units);

    compaction_partition_i32((const int *)d_in, to.d_out, to.d_other, to.d_count, to.n);
}

void replication_runs_single(const uint32_t *d_in, uint32_t *d_out, int units)
{
    const results to = at(d_out, units);

    runs_lengths_i32((const int *)d_in, to.d_out, to.d_other, to.d_count, to.n);
}

void replication_by_key_single(const uint32_t *d_in, uint32_t *d_out, int units)
{
    const results to = at(d_out, units);

    runs_sums_f32((const int *)d_in, (const float *)(d_in + to.n), to.d_out, (float *)to.d_other,
                  to.d_count, to.n);
}
