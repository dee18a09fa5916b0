/*
 * replications.c: the jobs and what they must come to, computed in the plainest way that is quick
 * enough to check every launch.
 */
#include "replications.h"

/* SIDE: blocks or warps that are computed side by side, so that the compiler uses vectors */
enum { WARP = 32, SIDE = 16 };

static void count_blocks(const uint32_t *in, uint32_t *out, int blocks)
{
    for (int block = 0; block < blocks;
         block++, in += REPLICATION_COUNT_THREADS, out += REPLICATION_COUNT_THREADS) {
        uint32_t count = 0;

        for (int t = 0; t < REPLICATION_COUNT_THREADS; t++) {
            out[t] = in[t];
            count += in[t] >> 31;
        }
        for (int round = 0; round < REPLICATION_COUNT_ROUNDS; round++) {
            uint32_t next = 0;
            for (int t = 0; t < REPLICATION_COUNT_THREADS; t++) {
                out[t] = 5 * out[t] + count;
                next += out[t] >> 31;
            }
            count = next;
        }
    }
}

/* Side s of state[t] is element t of the s-th of `sides` sections of `length`; the other sides stay
   0. */
static void gather(const uint32_t *in, int length, int sides, uint32_t state[][SIDE])
{
    for (int t = 0; t < length; t++)
        for (int s = 0; s < SIDE; s++)
            state[t][s] = s < sides ? in[s * length + t] : 0;
}

static void scatter(uint32_t state[][SIDE], int length, int sides, uint32_t *out)
{
    for (int s = 0; s < sides; s++)
        for (int t = 0; t < length; t++)
            out[s * length + t] = state[t][s];
}

static void scan_blocks(const uint32_t *in, uint32_t *out, int blocks)
{
    static _Thread_local uint32_t state[REPLICATION_COUNT_THREADS][SIDE];

    for (int first = 0; first < blocks; first += SIDE) {
        int sides = blocks - first < SIDE ? blocks - first : SIDE;
        gather(in + first * REPLICATION_COUNT_THREADS, REPLICATION_COUNT_THREADS, sides, state);
        for (int round = 0; round < REPLICATION_COUNT_ROUNDS; round++) {
            uint32_t before[SIDE] = { 0 };
            for (int t = 0; t < REPLICATION_COUNT_THREADS; t++)
                for (int s = 0; s < SIDE; s++) {
                    uint32_t one = state[t][s] >> 31;
                    state[t][s] = 5 * state[t][s] + before[s];
                    before[s] += one;
                }
        }
        scatter(state, REPLICATION_COUNT_THREADS, sides, out + first * REPLICATION_COUNT_THREADS);
    }
}

static void shift_warps(const uint32_t *in, uint32_t *out, int blocks)
{
    int places = (REPLICATION_WARP_ROUNDS + 1) % WARP;

    for (int i = 0; i < blocks * REPLICATION_WARP_THREADS; i++)
        out[i] = in[i - i % WARP + (i + places) % WARP];
}

/* A round adds the same sum to all lanes, so that the sum itself becomes 1 + WARP times as
   large. */
static void reduce_warps(const uint32_t *in, uint32_t *out, int blocks)
{
    for (int first = 0; first < blocks * REPLICATION_WARP_THREADS; first += WARP) {
        uint32_t sum = 0, added = 0;

        for (int lane = 0; lane < WARP; lane++)
            sum += in[first + lane];
        for (int round = 0; round < REPLICATION_WARP_ROUNDS; round++) {
            added += sum;
            sum += WARP * sum;
        }
        for (int lane = 0; lane < WARP; lane++)
            out[first + lane] = in[first + lane] + added;
    }
}

static void scan_warps(const uint32_t *in, uint32_t *out, int blocks)
{
    int warps = blocks * (REPLICATION_WARP_THREADS / WARP);

    /* a block has 32 warps: always SIDE of them */
    for (int first = 0; first < warps; first += SIDE) {
        uint32_t state[WARP][SIDE];
        gather(in + first * WARP, WARP, SIDE, state);
        for (int round = 0; round < REPLICATION_WARP_ROUNDS; round++)
            for (int lane = 1; lane < WARP; lane++)
                for (int s = 0; s < SIDE; s++)
                    state[lane][s] += state[lane - 1][s];
        scatter(state, WARP, SIDE, out + first * WARP);
    }
}

/* The first variant of a job is the one that the source recommends. */
const replication_job replication_jobs[REPLICATION_JOBS] = {
    [REPLICATION_BARRIER_COUNT] = { "barrier_count",
                                    REPLICATION_COUNT_THREADS,
                                    REPLICATION_COUNT_ROUNDS,
                                    count_blocks,
                                    3,
                                    { { "syncthreads_count", replication_count_barrier, false },
                                      { "reduce32", replication_count_reduce32, false },
                                      { "reduce32_shuffle", replication_count_reduce32_shuffle,
                                        false } } },
    [REPLICATION_BALLOT_SCAN] = { "ballot_scan",
                                  REPLICATION_COUNT_THREADS,
                                  REPLICATION_COUNT_ROUNDS,
                                  scan_blocks,
                                  5,
                                  { { "ballot_scan", replication_scan_ballot, false },
                                    { "warp_scan32", replication_scan_warp32, false },
                                    { "warp_scan32_shuffle", replication_scan_warp32_shuffle,
                                      false },
                                    { "ballot_scan_unsafe", replication_scan_ballot_unsafe, true },
                                    { "warp_scan32_unsafe", replication_scan_warp32_unsafe,
                                      true } } },
    [REPLICATION_NEIGHBOUR] = { "neighbour",
                                REPLICATION_WARP_THREADS,
                                REPLICATION_WARP_ROUNDS,
                                shift_warps,
                                4,
                                { { "shuffle", replication_neighbour_shuffle, false },
                                  { "shared_safe", replication_neighbour_safe, false },
                                  { "shared_warp", replication_neighbour_warp, false },
                                  { "shared_unsafe", replication_neighbour_unsafe, true } } },
    [REPLICATION_REDUCE] = { "reduce",
                             REPLICATION_WARP_THREADS,
                             REPLICATION_WARP_ROUNDS,
                             reduce_warps,
                             4,
                             { { "shuffle", replication_reduce_shuffle, false },
                               { "shared_safe", replication_reduce_safe, false },
                               { "shared_warp", replication_reduce_warp, false },
                               { "shared_unsafe", replication_reduce_unsafe, true } } },
    [REPLICATION_SCAN] = { "scan",
                           REPLICATION_WARP_THREADS,
                           REPLICATION_WARP_ROUNDS,
                           scan_warps,
                           4,
                           { { "shuffle", replication_scan_shuffle, false },
                             { "shared_safe", replication_scan_safe, false },
                             { "shared_warp", replication_scan_warp, false },
                             { "shared_unsafe", replication_scan_unsafe, true } } },
};
