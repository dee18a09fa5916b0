/*
 * counted.c: see counted.h.
 */
#include "counted.h"

#include <string.h>

static const struct {
    const char *name;
    size_t offset;
} fields[] = {
#define FIELD(name) { #name, offsetof(simt_counts, name) },
    FIELD(launches) FIELD(blocks) FIELD(warps) FIELD(threads) FIELD(warp_instructions)
        FIELD(thread_instructions) FIELD(branches) FIELD(divergent_branches) FIELD(barriers) FIELD(
            mbarrier_meetings) FIELD(float_adds) FIELD(float_add_issues) FIELD(shared_requests)
            FIELD(shared_wavefronts) FIELD(shared_ideal) FIELD(shared_bytes) FIELD(global_requests)
                FIELD(global_sectors) FIELD(global_ideal) FIELD(global_bytes_read) FIELD(
                    global_bytes_written) FIELD(scratch_bytes_read) FIELD(scratch_bytes_written)
                    FIELD(scratch_sectors) FIELD(looked_bytes_read) FIELD(looked_sectors)
                        FIELD(local_bytes) FIELD(local_unset) FIELD(atomics) FIELD(reading_atomics)
                            FIELD(polled_instructions) FIELD(polled_bytes_read) FIELD(
                                polled_bytes_written) FIELD(polled_sectors) FIELD(polled_ideal)
                                FIELD(polled_atomics) FIELD(shared_allocated) FIELD(depth)
                                    FIELD(not_f32_adds) FIELD(lone_add_issues) FIELD(busiest_block)
                                        FIELD(longest_block) FIELD(busiest_warps) FIELD(warps_spent)
                                            FIELD(block_chain) FIELD(stalls) FIELD(shuffles)
                                                FIELD(votes) FIELD(lane_masks) FIELD(active_masks)
                                                    FIELD(storing_launches) FIELD(bulk_bytes_read)
                                                        FIELD(remote_bytes_read)
                                                            FIELD(remote_bytes_written)
#undef FIELD
};

enum { FIELDS = sizeof fields / sizeof *fields };
_Static_assert(FIELDS * sizeof(uint64_t) == sizeof(simt_counts), "each field has a name");

const char *counted_name(unsigned k) { return k < FIELDS ? fields[k].name : NULL; }

uint64_t counted_value(const simt_counts *counts, unsigned k)
{
    uint64_t value;
    memcpy(&value, (const char *)counts + fields[k].offset, sizeof value);
    return value;
}

/* Of what the host does besides launches, a page knows nothing. */
static bool is_known(lab_metric metric)
{
    switch (metric) {
    case LAB_NOT_FREED:
    case LAB_ALLOCATED:
    case LAB_TAKEN_AGAIN:
    case LAB_BESIDES:
    case LAB_VARIABLES:
    case LAB_HOST_BYTES:
    case LAB_WAITS:
    case LAB_ELSEWHERE:
    case LAB_GPUS_SHARING:
    case LAB_FILLS:
    case LAB_FILLED: return false;
    default: return true;
    }
}

static double quotient(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }
static double lesser(uint64_t a, uint64_t b) { return (double)(a < b ? a : b); }

bool counted_metric(lab_metric metric, const simt_counts *c, double *value)
{
    /* what the grader knows besides */
    static const struct {
        bool traced, repeated;
        simt_made made;
        uint64_t not_freed, taken, allocated, besides, host_kept, waiting_calls, waits_aside,
            elsewhere, writes, written_bytes, host_bytes, busiest_gpu;
    } nothing, *m = &nothing;

    switch (metric) {
#define LAB_COUNTED(name, question, counted)                                                       \
    case LAB_##name:                                                                               \
        *value = (double)(counted);                                                                \
        return is_known(metric);
#define LAB_PLAIN(name, question, counted) LAB_COUNTED(name, question, counted)
#define LAB_TRACED(name, question, counted)                                                        \
    case LAB_##name:                                                                               \
        *value = (double)(counted);                                                                \
        return false;
#define LAB_CROWDED(name, question, counted) LAB_TRACED(name, question, counted)
#define LAB_COMPARED(name, question)         case LAB_##name:
#include "metrics.def"
        break;
    }
    return false;
}
