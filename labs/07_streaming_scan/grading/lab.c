/*
 * Declaration of lab 07: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for a tile of S = 1792 elements and T = 256 threads with runs of S/T
 * = 7, B tiles in all:
 *     bytes       4n read, and 4n written by the scan. The chain adds 28 bytes a tile: its number
 *                 (an atomic reads and writes), prefix and flag, each written once and read once,
 *                 the flag once more where it is unset at first; further looks do not count. 5% of
 *                 8n leaves room for 716 bytes a tile, of 4n for 358
 *     additions   prefixes  T runs of S/T, a tree over T, the carry: S + (T - 1) + 1 = 2048 a tile.
 *                           Shuffles in place of the tree, 160 additions for each of the 8 warps
 *                           and for their sums: 3233
 *                 scan      T runs of S/T, Hillis-Steele over T, T runs again, the carry and its
 *                           sum: 2S + T log2 T - (T - 1) + S + 1 = 7170 a tile, 4.001 an element
 *     barriers    prefixes  1 for the tile number, log2 T for the tree = 9
 *                 scan      1 for the tile number, 1 after the load, 2 log2 T + 1 around the steps,
 *                           1 after the runs, 1 for the carry = 21
 *     atomics     1 a tile for its number, 1 for its flag if that is set by one, and those that
 *                 poll; fewer than 1 a tile means that one block, or the host, scans many
 *     lanes       of 32 that add, 28 and more do: runs and steps by all threads, the carry by one;
 *                 a half is asked for
 * A partial last tile is padded with zeros to S and so costs as much as a full one; doing less
 * there is fine.
 */
#include <math.h>

#include "lab.h"
#include "references.h"
#include "streaming_scan.h"
#include "usual_gates.h"

enum {
    TILE = STREAMING_SCAN_TILE,
    THREADS = STREAMING_SCAN_THREADS,
    LOG2_THREADS = 8,
    WARP = 32,
    LOG2_WARP = 5,
    MANY_TILES = 1024
};

_Static_assert(1 << LOG2_THREADS == THREADS, "LOG2_THREADS is the logarithm of THREADS");

/* ---- reference ------------------------------------------------------------------------------- */

static size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

static void prefixes_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *prefix = buffers[1], sum = 0;

    for (size_t i = 0; i < n; i++)
        prefix[i / TILE] = sum += in[i];
}

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, THREADS)

static double prefixes_bytes(size_t n)
{
    return 4 * (double)n + 0.05 * 4 * TILE * (double)tiles(n);
}
static double scan_bytes(size_t n) { return 8 * (double)n + 0.05 * 8 * TILE * (double)tiles(n); }
static double half_of_lanes(size_t n) { return 0.5 * filled(n, TILE); }
/* by warps, the runs' sums take 32 lanes in 5 steps for each of 8 warps, and for their sums */
static double prefixes_additions(size_t n)
{
    return (TILE + (THREADS / WARP + 1) * WARP * LOG2_WARP + TILE / 5) * (double)tiles(n);
}
/* all elements by warps' scans: 5 steps, then the rows, the warps, the carry; and one spare */
static double scan_additions(size_t n) { return TILE * (LOG2_WARP + 4) * (double)tiles(n); }
LIMIT(prefixes_barriers, LOG2_THREADS + 4)
LIMIT(scan_barriers, 2 * LOG2_THREADS + 8)
static double one_a_warp(size_t n) { return THREADS / 32 * (double)tiles(n); }
static double one_a_tile(size_t n) { return (double)tiles(n); }
static double sharing(size_t n) { return half_up_to_3((double)tiles(n)); }
#define LAUNCHES                                                                                   \
    LAB_LAUNCHES, LAB_AT_MOST, one, "launches",                                                    \
        "1: the blocks hand the sums on inside the kernel",                                        \
        "A second launch is what the chain saves: wait for the tile before inside the kernel, "    \
        "and clear scratch with cudaMemset."
#define BLOCK_EACH                                                                                 \
    LAB_BLOCKS, LAB_AT_LEAST, one_a_tile, "blocks", "1 a tile",                                    \
        "A block works on several tiles, one after another, and the others wait for it: launch a " \
        "block for each tile, and let it take one number."
#define ADDITIONS(limit, formula)                                                                  \
    LAB_ADDITIONS, LAB_AT_MOST, limit, "additions", formula,                                       \
        "Carry one sum from tile to tile, by one thread a block: it adds the prefix of the tile "  \
        "before, not the sums of all before."
#define BARRIERS(limit, formula)                                                                   \
    LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, limit, "barriers", formula,                               \
        "Besides those of the sum or the scan, one barrier after the tile number and one after "   \
        "the carry are enough: none in the loop that polls, and no second tile for the block."
#define BANK_CONFLICTS                                                                             \
    LAB_BANK_CONFLICTS, LAB_AT_MOST, zero, "bank conflicts",                                       \
        "0: runs of 7, an odd number, begin in 32 different banks",                                \
        "Let thread t scan the run of elements from 7 t on."
#define ATOMICS                                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, one_a_warp, "atomics",                                               \
        "8 a tile: its number, its flag, and some polls if they are atomics",                      \
        "One thread of a block takes the tile's number, for all; poll with volatile reads, which " \
        "need no turn at the counter."
#define NUMBERS_TAKEN                                                                              \
    LAB_ATOMICS, LAB_AT_LEAST, one_a_tile, "numbers taken",                                        \
        "1 a tile: its block takes a number from the counter",                                     \
        "Let each tile be scanned by a block of its own, which takes its number by an atomic: "    \
        "not all tiles by one block, and none by the host."
#define LANES_ADDING                                                                               \
    LAB_ADD_EFFICIENCY, LAB_AT_LEAST, half_of_lanes, "lanes adding",                               \
        "0.5: all threads add runs and steps, one adds the carry",                                 \
        "Share a tile's additions among the threads of its block; only the sum from tile to tile " \
        "is one thread's alone."

/* ---- diagnosis: what did each tile add to its own sums? -------------------------------------- */

/* What block of tile t added to its own sums; false if it did not add the same to all of them. */
static bool carry_of(const lab_mismatch *m, size_t tile, float *carry, float *sum)
{
    const float *in = m->inputs[0], *got = m->got;
    size_t first = tile * TILE, end = first + TILE < m->n ? first + TILE : m->n;

    *sum = 0;
    for (size_t i = first; i < end; i++) {
        *sum += in[i];
        if (m->length != m->n)
            continue; /* prefixes: one value a tile */
        float here = got[i] - *sum;
        if (i > first && here != *carry && !(isnan(here) && isnan(*carry)))
            return false;
        *carry = here;
    }
    if (m->length != m->n)
        *carry = got[tile] - *sum;
    return true;
}

/* Are the carries those of a chain in another order than that of the tiles: each tile's is its
   predecessor's and that one's sum? */
static bool is_other_order(const float *carry, const float *sum, size_t count)
{
    bool used[MANY_TILES] = { false };
    float before = 0;

    for (size_t taken = 0; taken < count; taken++) {
        size_t t = count;
        while (t > 0 && (used[t - 1] || carry[t - 1] != before))
            t--;
        if (t == 0)
            return false;
        used[t - 1] = true;
        before += sum[t - 1];
    }
    return true;
}

/* Does some tile add nothing, 0 standing where the prefix before it was to come, while all others
   add that prefix? */
static bool is_read_too_early(const float *carry, const float *sum, size_t count)
{
    bool early = false;
    float prefix = 0;

    for (size_t t = 0; t < count; t++) {
        if (carry[t] != prefix && carry[t] != 0)
            return false;
        early = early || carry[t] != prefix;
        prefix = carry[t] + sum[t];
    }
    return early;
}

/* Does only the first thread, or only the first warp, add the right carry, the others none? */
static bool carry_reaches(const lab_mismatch *m, size_t threads)
{
    const float *in = m->inputs[0], *got = m->got, *expected = m->expected;
    float own = 0;

    for (size_t i = 0; i < m->n; i++) {
        own = (i % TILE == 0 ? 0 : own) + in[i];
        if (got[i] != (i % THREADS < threads ? expected[i] : own))
            return false;
    }
    return true;
}

/* Are these the prefixes of blocks in which thread 0 alone has the tile's number, and all others
   work on tile 0? */
static bool is_lone_number(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got;
    float others = 0, sum = 0;

    for (size_t i = 0; i < m->n && i < TILE; i++)
        others += i % THREADS == 0 ? 0 : in[i];
    for (size_t t = 0; t < m->length; t++) {
        sum += others;
        for (size_t i = t * TILE; i < m->n && i < (t + 1) * TILE; i += THREADS)
            sum += in[i];
        if (got[t] != sum)
            return false;
    }
    return true;
}

/* Of the only tile: is its sum that of the elements which thread 0 loads? */
static bool is_of_thread_0(const lab_mismatch *m)
{
    const float *in = m->inputs[0];
    float sum = 0;

    for (size_t i = 0; i < m->n; i += THREADS)
        sum += in[i];
    return m->length == 1 && m->n > 1 && *(const float *)m->got == sum;
}

/* Does each thread of the only tile add its own run to what lies before it? */
static bool is_own_run_twice(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got, *expected = m->expected;

    for (size_t i = 0; i < m->n && m->n <= TILE && m->length == m->n; i++) {
        const size_t first = i - i % STREAMING_SCAN_PER_THREAD;
        float run = 0;
        for (size_t k = first; k < first + STREAMING_SCAN_PER_THREAD && k < m->n; k++)
            run += in[k];
        if (got[i] != expected[i] + run)
            return false;
    }
    return m->n > STREAMING_SCAN_PER_THREAD && m->n <= TILE && m->length == m->n;
}

static const char *chain_diagnose(const lab_mismatch *m)
{
    static _Thread_local float carry[MANY_TILES], sum[MANY_TILES];
    size_t count = tiles(m->n);
    bool none = true, last = true, own = true;
    float before = 0;

    if (is_of_thread_0(m))
        return "only thread 0 works on tile 0: every thread took a number of its own from the "
               "counter; let one thread take it, and hand it to the others through shared memory";
    if (is_own_run_twice(m))
        return "each thread adds its own run once more: what lies before it ends with the run of "
               "thread t - 1";
    if (count < 2 || count > MANY_TILES)
        return NULL;
    if (m->length != m->n && is_lone_number(m))
        return "in each block thread 0 alone works on the block's tile, the others on tile 0: hand "
               "the tile's number to them through shared memory, which a __shared__ variable is in "
               "and a local one is not";
    if (m->length == m->n && carry_reaches(m, 1))
        return "only thread 0 adds the sum of the tiles before: it has to reach the other threads "
               "through shared memory";
    for (size_t t = 0; t < count; t++) {
        if (!carry_of(m, t, &carry[t], &sum[t]))
            return NULL;
        none = none && carry[t] == 0;
        last = last && carry[t] == (t > 0 ? sum[t - 1] : 0);
        own = own && carry[t] == before + sum[t];
        before += sum[t];
    }
    if (none && m->length != m->n)
        return "each prefix is the sum of its own tile alone: add what pass_on takes from the tile "
               "before, and publish that; if it does, it read that too early: it saw the flag, and "
               "the value came later";
    if (none)
        return "no tile adds the sum of the tiles before it: every tile is scanned on its own";
    if (last)
        return "every tile adds the sum of the one tile before it, not of all: pass on your tile's "
               "sum plus what came in, the prefix, not the tile's sum alone";
    if (own)
        return "every tile adds its own prefix, its own sum included: add that of the tile before";
    for (size_t t = 1; t < count; t++)
        if (carry[t] == 0 && sum[t] >= 0x1p60f)
            return NULL; /* of its sum, what was before is lost: see lab_fill_large */
    for (size_t t = 1; t < count; t++)
        if (isnan(carry[t]) && !isnan(carry[t - 1]))
            return "a tile added NaN, which stands in memory that was never written: it read a "
                   "prefix that was not there yet; wait while the flag of the tile before is 0, "
                   "then a __threadfence(), and only then read d_prefix[tile - 1]";
    if (is_read_too_early(carry, sum, count))
        return "a tile added 0: it saw the flag of the tile before it, and the prefix came later. "
               "Write the value first, then a __threadfence(), then the flag, and read the flag "
               "first, then a __threadfence(), then the value; or take one word of 64 bits for "
               "both";
    if (is_other_order(carry, sum, count))
        return "the tiles are chained in the order in which their blocks started, and loaded or "
               "stored in another: use the tile number that the block took everywhere, blockIdx.x "
               "nowhere";
    return NULL;
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints chain_hints = {
    "Four blocks fit on the device, and it starts the last four first. Block 63 waits for the "
    "prefix of tile 62. Where is the block that would write it, and when does that block get a "
    "place? Now let blocks number tiles in the order in which they start: for which blocks can a "
    "block still have to wait?",
    "Thread 0 takes the next number from the counter with an atomic and leaves it in shared "
    "memory for the others. It polls the flag of the tile before through a volatile pointer (or "
    "with an atomic), so that every poll reads memory. Between a flag and its value stands a "
    "__threadfence() on both sides: the writer's after the value and before the flag, the "
    "reader's after the flag and before the value. What goes into d_prefix is the sum that came "
    "in plus the tile's own.",
    "take_tile: thread 0 draws a number by an atomic and leaves it in shared memory; then ___, "
    "and all return it\n"
    "pass_on, one thread:\n"
    "    if there is a tile before this one:\n"
    "        poll its flag, as volatile, while it is ___\n"
    "        ___\n"
    "        before = the prefix of tile ___\n"
    "    the prefix of this tile = before + ___   (given)\n"
    "    ___\n"
    "    the flag of this tile = ___",
};
static const lab_hints carry_hints = {
    "Which thread of the block knows the sum of the tiles before? How can the other 255 learn it?",
    "One word of shared memory: thread 0 leaves there what pass_on returned, all threads meet a "
    "barrier, and then each adds it to the elements that it stores.",
    "a shared float beside s_sum\n"
    "thread 0: it takes what pass_on ___\n"
    "all threads: ___\n"
    "in the store: ___ and the tile's own sum",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers prefixes_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_prefix",
      .type = LAB_F32,
      .role = LAB_OUT,
      .length = tiles,
      .owner = LAB_BY_BLOCK },
};
static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_STRIPE },
};

/* What both parts have to stay within. */
#define BOTH                                                                                       \
    LAB_ENTRIES({ LAUNCHES }, { BLOCK_EACH }, { ATOMICS }, { NO_FIXED_ROOM },                      \
                { ADDITIONS_MADE(all_but_one,                                                      \
                                 "n - 1: each element but the first is added to something") },     \
                { ALL_IN_FLOAT }, { NUMBERS_TAKEN }, { LANES_ADDING }, { WHOLE_SECTORS },          \
                { BANK_CONFLICTS }, THREADS_PER_BLOCK(block_threads, "256"),                       \
                { WORK_SHARED(sharing, "tiles") }, { FEW_FILLED })

static const lab_gates prefixes_gates = {
    BOTH,
    { LAB_BYTES_MOVED, LAB_AT_MOST, prefixes_bytes, "bytes moved",
      "4n + 0.2 * 1792 tiles: each input once, and the chain",
      "Read each input once. Let one thread a block poll, take the one prefix before its tile's, "
      "and publish." },
    { ADDITIONS(prefixes_additions,
                "1.2 S + 9 * 160 = 3590 a tile of S = 1792 elements: runs, nine warps in 5 steps; "
                "a tree takes 2048") },
    { BARRIERS(prefixes_barriers,
               "log2 T + 4 = 12: one a step of the tree, one for the tile number, three spare") },
    { WARPS_ALIKE },
};

static const lab_gates scan_gates = {
    BOTH,
    { LAB_BYTES_MOVED, LAB_AT_MOST, scan_bytes, "bytes moved",
      "8n + 0.4 * 1792 tiles: each input and output once, and the chain",
      "Keep the tile's sums in shared memory until the carry is there, and store them once. Let "
      "one thread a block poll, take the one prefix before its tile's, and publish." },
    { ADDITIONS(scan_additions, "9 an element: shuffles take 5 steps and 3 carries, runs 4") },
    { BARRIERS(scan_barriers, "2 log2 T + 8 = 24: 19 of the tile's scan, one for the tile number, "
                              "one for the carry, three spare") },
    { WARPS_NEARLY_ALIKE },
};

static const lab_sizes gate_sizes = { TILE, 10 * TILE + 77,
                                      2 * TILE + 55 /* has large ones: lab_fill_large */, 1 << 20 };

static const lab_parts parts = {
    {
        .entry = "streaming_scan_prefixes",
        .title = "the chain alone: the prefix of every tile",
        .points = 60,
        .buffers = prefixes_buffers,
        .reference = prefixes_reference,
        .fill = lab_fill_large,
        .cancels = TILE,
        .gates = prefixes_gates,
        .gate_sizes = gate_sizes,
        .diagnose = chain_diagnose,
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
        .hints = chain_hints,
    },
    {
        .entry = "streaming_scan",
        .title = "inclusive scan of all n elements in one launch",
        .points = 40,
        .buffers = in_out,
        .reference = scan_f32_reference,
        .fill = lab_fill_large,
        .cancels = TILE,
        .gates = scan_gates,
        .gate_sizes = gate_sizes,
        .diagnose = chain_diagnose,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4),
        .hints = carry_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Streaming scan",
    .learned = "One launch moves 2n elements: value, fence, flag. Whoever takes its tile from a "
               "counter waits only for blocks that have started.",
    .file = "streaming_scan.cu",
    .tile = TILE,
    .threads = THREADS,
    .per_thread = STREAMING_SCAN_PER_THREAD,
    .blocks_wait = true,
    .taught = { "launches", "bytes moved", "numbers taken" },
    .parts = parts,
};
