/*
 * Declaration of the bonus of lab 22: parts, reference, gates and hints. See common/lab/lab.h for
 * what each field means.
 *
 * The theory behind the gates, for n pixels of b bytes: b n bytes are read; a block adds its 256
 * counts to d_count, 8 bytes each; one atomic a pixel in shared memory, and a ticket a block, and
 * one that makes the next launch's begin at 0; once more for a last block that moves sums of the
 * entry's own to d_count. Blocks: one for each 4 KiB of pixels, but not more than the GPU holds.
 * Copies in banks of their own: no conflict, whatever the pixels are.
 */
#include <math.h>
#include <string.h>

#include "histogram_speed.h"
#include "lab.h"
#include "pixels.h"
#include "usual_gates.h"

enum {
    BINS = HISTOGRAM_BINS,
    TILE = 8192,
    BLOCK_BYTES = 4096,  /* of a block, at least */
    SHARED_BYTES = 8192, /* that more than one block should share */
    MOST_BLOCKS = 256
};

/* ---- references ------------------------------------------------------------------------------ */

static void counts_u8_reference(void *const *b, size_t n)
{
    uint32_t *count = b[1];

    memset(count, 0, BINS * sizeof *count);
    for (size_t i = 0; i < n; i++)
        count[((const uint8_t *)b[0])[i]]++;
}

static void counts_u32_reference(void *const *b, size_t n)
{
    uint32_t *count = b[1];

    memset(count, 0, BINS * sizeof *count);
    for (size_t i = 0; i < n; i++)
        count[((const uint32_t *)b[0])[i] >> 24]++;
}

/* ---- diagnoses ------------------------------------------------------------------------------- */

static const char *counts_diagnose(const lab_mismatch *m)
{
    uint64_t got = 0;

    for (int b = 0; b < BINS; b++)
        got += ((const uint32_t *)m->got)[b];
    if (got < m->n)
        return "fewer pixels are counted than there are: vectors were left out, or some of the 32 "
               "copies were not added up";
    if (got > m->n)
        return "more pixels are counted than there are: vectors past the last one were counted, "
               "or copies were added up twice";
    return "as many pixels are counted as there are, but some in other bins than their own";
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* blocks of a histogram of so many bytes of pixels */
static double counting(double bytes) { return fmin(ceil((bytes + 16) / BLOCK_BYTES), MOST_BLOCKS); }
static double counts_moved(double bytes)
{
    return bytes + (8 * BINS + 64) * counting(bytes) + 8 * BINS + 1200;
}
static double counts_sectors(double bytes)
{
    return bytes / 32 + (BINS / 8 + 4) * counting(bytes) + 3 * BINS / 8 + 16;
}
static double counts_atomics(size_t n, double bytes)
{
    return (double)n + (BINS + 2) * counting(bytes) + BINS + 2;
}
#define COUNTS(kind, bytes)                                                                        \
    static double moved_##kind(size_t n) { return counts_moved((double)(bytes * n)); }             \
    static double sectors_##kind(size_t n) { return counts_sectors((double)(bytes * n)); }         \
    static double atomics_##kind(size_t n) { return counts_atomics(n, (double)(bytes * n)); }
COUNTS(u8, 1)
COUNTS(u32, 4)
LIMIT(counting_barriers, 4)

static double sharing_u8(size_t n) { return half_up_to_3(ceil((double)n / SHARED_BYTES)); }
static double sharing_u32(size_t n) { return half_up_to_3(ceil(4 * (double)n / SHARED_BYTES)); }
LIMIT(against, 2.5) /* a block for each 8 KiB clears and adds up 256 bins of 32 copies: twice */

/* ---- gates ----------------------------------------------------------------------------------- */

#define ONE_LAUNCH_CLEARS                                                                          \
    LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1, clearing included",                            \
        "The first block clears d_count, and publishes that; the others look before they add."
#define MOVED(limit, bytes)                                                                        \
    LAB_BYTES_MOVED, LAB_AT_MOST, limit, "bytes moved",                                            \
        bytes " + 2112 blocks + 3248: a block for 4 KiB of pixels or more, and d_count",           \
        "Load each pixel once, and add a block's counts to d_count once."
#define SECTORS(limit, bytes)                                                                      \
    LAB_SECTORS, LAB_AT_MOST, limit, "sectors",                                                    \
        "those that " bytes " fill + 36 blocks + 112, for d_count",                                \
        "Load vectors of 16 bytes, neighbouring lanes neighbouring ones; eight threads add to "    \
        "eight neighbouring bins at a time."
#define ATOMICS(limit)                                                                             \
    LAB_ATOMICS, LAB_AT_MOST, limit, "atomics",                                                    \
        "n + 258 blocks + 258: a block for 4 KiB of pixels or more",                               \
        "A pixel takes one atomic in shared memory, a bin of a block one in global memory."
#define NO_CONFLICTS                                                                               \
    LAB_BANK_CONFLICTS, LAB_AT_MOST, zero, "bank conflicts",                                       \
        "0: lane l counts in bank l, whatever the pixels are",                                     \
        "Keep 32 copies of each bin side by side, and let each lane count in its own. When they "  \
        "are added up, 32 lanes should read 32 banks."
#define FEW_BARRIERS                                                                               \
    LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, counting_barriers, "barriers",                            \
        "4: cleared, counted, and spare", "The block meets before it counts and after."
#define AGAINST                                                                                    \
    LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, against, "instructions",                                \
        "2.5 times the reference solution's for this part",                                        \
        "A shift, a mask and an atomic a pixel."
#define INSIDE_A_BLOCK LAB_ENTRIES({ NO_CONFLICTS }, { FEW_BARRIERS }, { AGAINST })

/* clearing included */
#define ALONE LAB_ENTRIES({ ONE_LAUNCH_CLEARS }, { NO_WAITING }, { NO_FIXED_ROOM }, { NO_FILLS })

static const lab_gates u8_gates = {
    ALONE,
    { MOVED(moved_u8, "n") },
    { SECTORS(sectors_u8, "n") },
    { ATOMICS(atomics_u8) },
    INSIDE_A_BLOCK,
    { WORK_SHARED(sharing_u8, "pieces of 8 KiB") },
};
static const lab_gates u32_gates = {
    ALONE,
    { MOVED(moved_u32, "4n") },
    { SECTORS(sectors_u32, "4n") },
    { ATOMICS(atomics_u32) },
    INSIDE_A_BLOCK,
    { WORK_SHARED(sharing_u32, "pieces of 8 KiB") },
};

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints hints = {
    "All pixels of a picture are equal. How many lanes of a warp meet at one counter? And if each "
    "lane has a counter of its own for that bin, where do the 32 lie?",
    "Side by side: bin times 32 and the lane. Then lane l is always in bank l: no two lanes share "
    "a counter or a bank, whatever the pixels are. At the end four threads share a bin's 32 "
    "copies; each begins at another one, so that the warp reads 32 banks at a time.",
    "TODO 1: add 1 to the counter of ___ * 32 + ___; each byte of a word: shift by ___, mask\n"
    "TODO 2: while i < vectors: load AHEAD vectors, ___ apart; then count them\n"
    "TODO 3: four threads a bin: sum of copies first + (___) % 8; add the sums of four lanes\n"
    "    by two exchanges; one of them adds to ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static size_t all_bins(size_t n)
{
    (void)n;
    return BINS;
}

#define COUNTED                                                                                    \
    .name = "d_count", .type = LAB_U32, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = all_bins
static const lab_buffers u8_buffers = { { .name = "d_in", .type = LAB_U8 }, { COUNTED } };
static const lab_buffers u32_buffers = { { .name = "d_in", .type = LAB_U32 }, { COUNTED } };

enum {
    LARGE = 400 * 300,
    ALL_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
};
static const lab_sizes gate_sizes = { 3 * TILE - 100, LARGE };

static const lab_parts parts = {
    { .entry = "histogram_speed_u8",
      .title = "a histogram of bytes",
      .points = 50,
      .buffers = u8_buffers,
      .reference = counts_u8_reference,
      .fill = fill_u8,
      .diagnose = counts_diagnose,
      .gates = u8_gates,
      .gate_sizes = gate_sizes,
      .max_n = (1 << 30) - 1,
      .against = "histogram_speed_u8",
      .todos = ALL_TODOS,
      .hints = hints },
    { .entry = "histogram_speed_u32",
      .title = "a histogram of words",
      .points = 50,
      .buffers = u32_buffers,
      .reference = counts_u32_reference,
      .fill = fill_words,
      .diagnose = counts_diagnose,
      .gates = u32_gates,
      .gate_sizes = gate_sizes,
      .max_n = (1 << 30) - 1,
      .against = "histogram_speed_u32",
      .todos = ALL_TODOS,
      .hints = hints },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Histogram, fast",
    .learned =
        "With a copy of each bin in the bank of each lane no two lanes ever meet, so the time "
        "does not depend on the picture.",
    .file = "histogram_speed.cu",
    .tile = TILE,
    .threads = 128,
    .per_thread = TILE / 128,
    .blocks_wait = true,
    .large_n = LARGE,
    .bonus = true,
    .borrowed = { "22_histogram/histogram.h" },
    .taught = { "bytes moved", "bank conflicts", "instructions" },
    .parts = parts,
};
