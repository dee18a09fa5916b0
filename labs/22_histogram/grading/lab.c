/*
 * Declaration of lab 22: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for n pixels of 4 bytes:
 *     histogram  4 n bytes read; for each 4096 pixels at most 256 atomics in global memory, of 4
 *                bytes that are read and written; shared atomics: n, or, where many neighbours are
 *                in one bin, one for each bin among 32 neighbours: n / 32, and spare
 *     ranges     12 bytes a query, and 256 counts for each 1024 of them
 */
#include <math.h>

#include "cases.h"
#include "usual_gates.h"

/* ---- diagnoses ------------------------------------------------------------------------------- */

static const char *histogram_diagnose(const lab_mismatch *m)
{
    uint64_t got = 0;

    for (int b = 0; b < BINS; b++)
        got += ((const uint32_t *)m->got)[b];
    if (got < m->n)
        return "fewer pixels are counted than there are: a tile or a turn was left out, or lanes "
               "that count together have added one for all of them";
    if (got > m->n)
        return "more pixels are counted than there are: those past the last one have a bin as "
               "well, each lane of a group has added for the whole group, or d_count was not 0";
    return "as many pixels are counted as there are, but some in other bins than their own";
}

static const char *ranges_diagnose(const lab_mismatch *m)
{
    enum { FEW = 3 }; /* fewer are so by chance */
    const uint32_t *count = m->inputs[0], *got = m->got;
    const int32_t *low = m->inputs[1], *high = m->inputs[2];
    bool without_low = true, without_high = true, large = true, cut = true, rounded = true;
    size_t small = 0; /* and right */

    for (size_t i = 0; i < m->n; i++) {
        const uint32_t right = pixels_in(count, low[i], high[i] + 1);
        large = large && (got[i] == right) == (right <= INT32_MAX);
        cut =
            cut && (got[i] == right || (right > INT32_MAX && (got[i] == 0 || got[i] == INT32_MAX)));
        small += got[i] == right && right > 0;
        rounded = rounded && fabs((double)got[i] - (double)right) <= 256;
        without_low = without_low && got[i] == pixels_in(count, low[i] + 1, high[i] + 1);
        without_high = without_high && got[i] == pixels_in(count, low[i], high[i]);
    }
    if (cut || (large && small >= FEW && m->n - small >= FEW))
        return "right below 2^31, and wrong where a range has as many pixels or more: a count was "
               "an int on its way. Counts are unsigned";
    if (rounded)
        return "nearly right, as if a float had kept counts on their way: it keeps 24 bits. Add "
               "integers";
    if (without_low)
        return "the pixels of bin d_low itself are left out, as in the formula pref[b] - pref[a] "
               "with an inclusive scan: subtract what is in all bins before d_low";
    if (without_high)
        return "the pixels of bin d_high itself are left out: what is in all bins up to d_high "
               "stands one place further, and the scan has 257 places";
    return NULL;
}

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, HISTOGRAM_THREADS)
static double pieces(size_t n, size_t each) { return (double)((n + each - 1) / each); }
static double tiles(size_t n) { return pieces(n, HISTOGRAM_TILE); }
static double blocks(size_t n) { return tiles(n) < 8 ? tiles(n) : 8; }
static double sharing(size_t n) { return half_up_to_3(tiles(n)); }
static double pixels_read(size_t n) { return four_bytes_each(n) + 4 * BINS * tiles(n); }
static double bytes_added(size_t n) { return 4 * BINS * tiles(n); }
/* a sector for each bin, read and written at once */
static double sectors(size_t n) { return (double)n / 8 + (BINS + 1) * tiles(n); }
/* A warp that finds its lanes in one bin by votes looks at up to 32 bins, one after the other. */
LIMIT(dear, 70)
static double private_atomics(size_t n) { return (double)n + BINS * tiles(n); }
static double hot_atomics(size_t n)
{
    return (double)n / (is_hot(n) ? 8 : 1) + (BINS + 32) * tiles(n);
}
static double ranges_moved(size_t n) { return 16 * (double)n + 4 * BINS * pieces(n, 1024); }

/* ---- gates ----------------------------------------------------------------------------------- */

#define ONE_CLEARED                                                                                \
    LAB_FILLS, LAB_AT_MOST, one, "fills and copies", "1: d_count is cleared",                      \
        "Clear all that has to be 0 by one cudaMemsetAsync."
#define ADDED                                                                                      \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, bytes_added, "bytes added to d_count",                         \
        "1 KiB for each 4096 pixels: 256 bins",                                                    \
        "Count in shared memory, and add what a block has to d_count once, at its end: at most "   \
        "one atomic a bin and block, and a block for 4096 pixels or more."
#define READ_ONCE                                                                                  \
    LAB_BYTES_READ, LAB_AT_MOST, pixels_read, "bytes read",                                        \
        "4n, and what is added to: 1 KiB for each 4096 pixels", "Load each pixel once."
#define SECTORS                                                                                    \
    LAB_SECTORS, LAB_AT_MOST, sectors, "sectors",                                                  \
        "n/8 of the pixels, and 257 for each 4096: one a bin, one spare",                          \
        "Let neighbouring threads load and store neighbouring elements."
#define BUSY(what)                                                                                 \
    LAB_BLOCKS, LAB_AT_LEAST, blocks, "blocks",                                                    \
        "1 for each 4096 " what ", where there are up to 8; else 8",                               \
        "Few blocks work and the rest of the GPU idles: share the work out among more."
#define ONE_KERNEL                                                                                 \
    LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1",                                               \
        "Look at what one kernel can do while it has the data at hand."

/* but for its atomics */
#define HISTOGRAM_GATES                                                                            \
    LAB_ENTRIES({ ONE_KERNEL }, { NO_WAITING_NO_SCRATCH }, { ONE_CLEARED }, { NOTHING_LEFT },      \
                { ADDED }, { READ_ONCE }, { SECTORS }, { BUSY("pixels") },                         \
                THREADS_PER_BLOCK(block_threads, "256"), { WARPS_ALIKE },                          \
                { WORK_AT_MOST(dear, "70") }, { WORK_SHARED(sharing, "pieces of 4096 pixels") })

static const lab_gates private_gates = {
    HISTOGRAM_GATES,
    { LAB_ATOMICS, LAB_AT_MOST, private_atomics, "atomics",
      "n in shared memory, and 256 for each 4096 pixels",
      "One atomic counts a pixel, and one adds a bin to d_count." },
};
static const lab_gates hot_gates = {
    HISTOGRAM_GATES,
    { LAB_ATOMICS, LAB_AT_MOST, hot_atomics, "atomics",
      "n/8 where few bins are hot, else n; and 288 for each 4096 pixels",
      "Lanes of a warp whose pixels are in one bin make one atomic, which adds their number: "
      "__match_any_sync tells each lane which ones they are." },
};
static const lab_gates ranges_gates = {
    ONE_LAUNCH_ALONE,
    { LAB_BYTES_MOVED, LAB_AT_MOST, ranges_moved, "bytes moved",
      "16 a query, and 1 KiB of counts for each 1024 queries",
      "A block reads the counts once, scans them in shared memory, and answers 1024 queries by two "
      "look-ups each." },
    { STORED(four_bytes_each, "4n: the answers") },
    { NO_ATOMICS },
    { BUSY("queries") },
    { WORK_SHARED(sharing, "pieces of 4096 queries") },
    { WARPS_NEARLY_ALIKE },
    THREADS_PER_BLOCK(block_threads, "256"),
    { TWICE_THE_REFERENCE("Two look-ups in the scanned bins answer a query: no loop over bins.") },
};

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints private_hints = {
    "All pixels of a picture are equal. If each makes an atomicAdd on d_count, how many wait for "
    "one address? And if each block has 256 counters of its own?",
    "Counters in shared memory, one a bin, that the block sets to 0, counts in, and at its end "
    "adds to d_count. Between these are two barriers. Bins with no pixel need no atomic.",
    "s_count of thread b's bin = ___; ___\n"
    "each tile from blockIdx.x on, in steps of ___: load_bins\n"
    "    each turn: if bin is not ___: count it in ___\n"
    "___; thread b: if its bin has any, add it to ___",
};
static const lab_hints hot_hints = {
    "32 lanes have 32 pixels of one bin: what should the one atomic add, and who makes it?",
    "__match_any_sync gives each lane a mask of those with its value. The lowest of them adds "
    "their number. A pixel that is not there has a bin too, NO_BIN, and all lanes take part.",
    "same = the lanes whose bin is ___\n"
    "if the bin is a bin, and no lane of same is ___:\n"
    "    add ___ to its counter",
};
static const lab_hints ranges_hints = {
    "Bins 0, 1, 2 have 5, 3 and 4 pixels; their inclusive scan is 5, 8, 12. What does pref[2] - "
    "pref[1] count? And which place of which scan would you have to subtract for bins 1 to 2?",
    "Pixels in the bins before low, taken from those in the bins before high + 1: an exclusive "
    "scan. For high = 255 it needs place 256, which holds all pixels.",
    "s_before of b = scan_bins of ___\n"
    "the last thread: s_before of ___ = that and ___\n"
    "___\n"
    "each query: s_before of ___, less s_before of ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static size_t all_bins(size_t n)
{
    (void)n;
    return BINS;
}

static const lab_buffers histogram_buffers = {
    { .name = "d_in", .type = LAB_U32 },
    { .name = "d_count",
      .type = LAB_U32,
      .role = LAB_OUT,
      .owner = LAB_BY_GRID,
      .length = all_bins },
};
static const lab_buffers ranges_buffers = {
    { .name = "d_count", .type = LAB_U32, .length = all_bins },
    { .name = "d_low", .type = LAB_I32 },
    { .name = "d_high", .type = LAB_I32 },
    { .name = "d_found", .type = LAB_U32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

enum {
    MOST = (1 << 30) - 1,
    LARGE = 286 * 300,
    /* one grey, in as many pixels as 8 blocks of 2^16 have: a counter of 16 bits overflows */
    ONE_GREY = 600000,
    LONGEST = (1 << 30) - 4101
};
static const lab_sizes private_sizes = { 87 * 115, 5 * HISTOGRAM_TILE - 100, LARGE, ONE_GREY };
/* any pixels, in more than 256 tiles, so that one in the middle that is taken for another shows */
static const lab_sizes private_once = { 259 * HISTOGRAM_TILE + 12 };
static const lab_sizes hot_sizes = { 87 * 115, 5 * HISTOGRAM_TILE - 100, LARGE };
static const lab_sizes ranges_sizes = { 1024, 5000 };

/* the last so large that each of 1024 blocks has 64 tiles: more than 16 bits count */
static const lab_sizes many_tiles = { 131067, 262139, (1 << 28) - 5 };
/* and of 64 blocks 128 */
static const lab_sizes few_blocks = { 131067, 262139, (1 << 25) - 5 };
static const size_t *const kinds[LAB_KINDS] = { many_tiles, few_blocks };

static const lab_parts parts = {
    { .entry = "histogram_private",
      .title = "a histogram, counted in shared memory",
      .points = 32,
      .buffers = histogram_buffers,
      .reference = histogram_reference,
      .fill = fill_picture,
      .diagnose = histogram_diagnose,
      .gates = private_gates,
      .gate_sizes = private_sizes,
      .max_n = MOST,
      .huge_n = LONGEST,
      .kinds = kinds,
      .once_n = private_once,
      .fill_end = last_pixels,
      .drawn = true,
      .todos = LAB_TODO(1),
      .hints = private_hints },
    { .entry = "histogram_hot",
      .title = "a histogram with hot bins, counted by groups of lanes",
      .points = 32,
      .buffers = histogram_buffers,
      .reference = histogram_reference,
      .fill = fill_picture,
      .diagnose = histogram_diagnose,
      .gates = hot_gates,
      .gate_sizes = hot_sizes,
      .max_n = MOST,
      .huge_n = LONGEST,
      .kinds = kinds,
      .fill_end = last_pixels,
      .todos = LAB_TODO(1) | LAB_TODO(2),
      .hints = hot_hints },
    { .entry = "histogram_ranges",
      .title = "how many pixels are in a range of bins",
      .points = 36,
      .buffers = ranges_buffers,
      .reference = ranges_reference,
      .fill = fill_queries,
      .change = change_count,
      .diagnose = ranges_diagnose,
      .gates = ranges_gates,
      .gate_sizes = ranges_sizes,
      .max_n = MOST,
      .huge_n = LONGEST,
      .against = "histogram_ranges",
      .todos = LAB_TODO(3),
      .hints = ranges_hints },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Histogram",
    .learned =
        "Count near, add up far: a private table for each block, and one atomic for lanes that "
        "agree. A scan of the counts answers what lies in a range.",
    .file = "histogram.cu",
    .tile = HISTOGRAM_TILE,
    .threads = HISTOGRAM_THREADS,
    .per_thread = HISTOGRAM_TILE / HISTOGRAM_THREADS,
    .blocks_wait = true, /* they may: for one that clears d_count */
    .large_n = LARGE,
    .crowd = 16,
    .taught = { "bytes added to d_count", "atomics", "bytes moved" },
    .parts = parts,
};
