/*
 * The bonus of lab 22 declared: parts, reference, gates and hints. See common/lab/lab.h for what
 * each field means.
 *
 * The theory behind the gates, for n pixels of b bytes:
 *     histogram  b n bytes read; a block adds its 256 counts to d_count, 8 bytes each; one atomic a
 *                pixel in shared memory. Blocks: one for each 4 KiB of pixels, but not more than
 *                the GPU holds. Copies in banks of their own: no conflict, whatever the pixels are
 *     table      b n bytes read and 4 n written. For each of the 128 columns and 64 rows of each
 *                tile a word of 8 bytes, told twice, and looked at once and more: 7 words' time,
 *                1.3 bytes a pixel. Where columns are no multiple of 4, loads go pixel by pixel,
 *                and a lane's four loads touch the same sectors
 *     atomics    a ticket for every tile, and one that makes the next launch's begin at 0
 */
#include <string.h>

#include "histogram_sat_speed.h"
#include "lab.h"
#include "rng.h"
#include "usual_gates.h"

enum {
    BINS = HISTOGRAM_BINS,
    COLUMNS = SAT_SPEED_COLUMNS,
    ROWS = SAT_SPEED_ENGINE_ROWS,
    TILE = COLUMNS * ROWS,
    BLOCK_BYTES = 4096, /* of a histogram's block, at least */
    MOST_BLOCKS = 256
};

/* ---- inputs ---------------------------------------------------------------------------------- */

typedef enum kind { UNIFORM, ALL_EQUAL, SKEWED, WHITE, KINDS } kind;

static kind kind_of(size_t n) { return (kind)((n / 1024 + n) % KINDS); }

static uint32_t draw_pixel(rng *generator, kind which, uint32_t one)
{
    uint32_t pixel = (uint32_t)rng_next(generator);

    if (which == SKEWED)
        for (int k = 0; k < 3; k++)
            pixel &= (uint32_t)rng_next(generator);
    return which == ALL_EQUAL ? one : which == WHITE ? UINT32_MAX - (pixel & 1) : pixel;
}

/* Of pictures of all greys a quarter is black: tiles whose sums are 0. */
static bool is_black(size_t n, size_t i)
{
    const size_t columns = (size_t)sat_columns((int)n), rows = (size_t)sat_rows((int)n);

    return kind_of(n) == UNIFORM && i % columns < columns / 2 && i / columns < rows / 2;
}

static void fill_u8(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    const uint32_t one = (uint32_t)rng_next(&generator);
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)data)[i] =
            is_black(n, i) ? 0 : (uint8_t)draw_pixel(&generator, kind_of(n), one);
}

static void fill_words(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    const uint32_t one = (uint32_t)rng_next(&generator);
    for (size_t i = 0; i < n; i++)
        ((uint32_t *)data)[i] = is_black(n, i) ? 0 : draw_pixel(&generator, kind_of(n), one);
}

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

/* Row by row: the row's sum so far, and what lies above. */
static void add_pixel(uint32_t *table, size_t columns, size_t i, uint32_t pixel, uint32_t *row)
{
    *row = i % columns > 0 ? *row + pixel : pixel;
    table[i] = *row + (i >= columns ? table[i - columns] : 0);
}

static void table_u8_reference(void *const *b, size_t n)
{
    const size_t columns = (size_t)sat_columns((int)n);
    uint32_t row = 0;

    for (size_t i = 0; i < n; i++)
        add_pixel(b[1], columns, i, ((const uint8_t *)b[0])[i], &row);
}

static void table_s32_reference(void *const *b, size_t n)
{
    const size_t columns = (size_t)sat_columns((int)n);
    uint32_t row = 0;

    for (size_t i = 0; i < n; i++)
        add_pixel(b[1], columns, i, ((const uint32_t *)b[0])[i], &row);
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
        return "more pixels are counted than there are: vectors behind the last one were counted, "
               "or copies were added up twice";
    return "as many pixels are counted as there are, but some in other bins than their own";
}

/* ---- limits ---------------------------------------------------------------------------------- */

static double parts(double n, double each)
{
    return n > 0 ? (double)(uint64_t)((n - 1) / each + 1) : 0;
}
static double least(double a, double b) { return a < b ? a : b; }

/* blocks of a histogram of so many bytes of pixels */
static double counting(double bytes) { return least(parts(bytes + 16, BLOCK_BYTES), MOST_BLOCKS); }
static double counts_moved(double bytes)
{
    return bytes + (8 * BINS + 64) * counting(bytes) + 1200;
}
static double counts_sectors(double bytes)
{
    return bytes / 32 + (BINS / 8 + 4) * counting(bytes) + BINS / 8 + 16;
}
static double counts_atomics(size_t n, double bytes)
{
    return (double)n + (BINS + 2) * counting(bytes) + 2;
}
#define COUNTS(kind, bytes)                                                                        \
    static double moved_##kind(size_t n) { return counts_moved((double)(bytes * n)); }             \
    static double sectors_##kind(size_t n) { return counts_sectors((double)(bytes * n)); }         \
    static double atomics_##kind(size_t n) { return counts_atomics(n, (double)(bytes * n)); }
COUNTS(u8, 1)
COUNTS(u32, 4)
LIMIT(counting_barriers, 4)

static double sharing_u8(size_t n) { return half_up_to_3(counting((double)n)); }
static double sharing_u32(size_t n) { return half_up_to_3(counting(4 * (double)n)); }

static double columns(size_t n) { return (double)sat_columns((int)n); }
static double rows(size_t n) { return (double)sat_rows((int)n); }
static double tiles(size_t n) { return parts(columns(n), COLUMNS) * parts(rows(n), ROWS); }
static double words(size_t n) { return (COLUMNS + ROWS) * tiles(n); }
/* pieces of rows that a warp has */
static double pieces(size_t n) { return rows(n) * parts(columns(n), COLUMNS); }
static double table_moved(size_t n, double bytes)
{
    return (bytes + 4) * (double)n + 7 * 8 * words(n) + 4096;
}
/* aligned: b + 4 for a piece; not: four loads that touch all of them, and one more, and a store of
   each 32 that touches one more */
static double table_sectors(size_t n, double bytes)
{
    const double whole = sat_columns((int)n) % 4 == 0 ? 4 * (bytes + 4) : 4 * (4 * bytes + 1) + 20;
    return whole * pieces(n) + 7 * words(n) + 512;
}
static double table_moved_u8(size_t n) { return table_moved(n, 1); }
static double table_moved_s32(size_t n) { return table_moved(n, 4); }
static double table_sectors_u8(size_t n) { return table_sectors(n, 1); }
static double table_sectors_s32(size_t n) { return table_sectors(n, 4); }
static double tiles_sharing(size_t n) { return half_up_to_3(tiles(n)); }
static double tickets(size_t n) { return tiles(n) + 2; }
static double table_barriers(size_t n) { return 4 * tiles(n); }
static double shuffles_u8(size_t n) { return 90 * (ROWS / 16) * tiles(n); }
static double shuffles_s32(size_t n) { return 130 * (ROWS / 16) * tiles(n); }
LIMIT(and_a_half, 1.5)

/* ---- gates ----------------------------------------------------------------------------------- */

#define ALONE                                                                                      \
    LAB_ENTRIES({ LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1, clearing included",              \
                  "The first block clears, and tells the others; words carry the stamp of their "  \
                  "launch, so that nobody has to clear them." },                                   \
                { NO_WAITING }, { NO_FIXED_ROOM }, { NO_FILLS })
#define AGAINST(advice)                                                                            \
    LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, and_a_half, "instructions",                             \
        "1.5 times the reference solution's for this part", advice

#define COUNT_GATES(kind, bytes)                                                                   \
    {                                                                                              \
        ALONE,                                                                                     \
            { LAB_BYTES_MOVED,                                                                     \
              LAB_AT_MOST,                                                                         \
              moved_##kind,                                                                        \
              "bytes moved",                                                                       \
              bytes ", 2112 a block of 4 KiB of pixels or more, and d_count",                      \
              "Load each pixel once, and add a block's counts to d_count once." },                 \
            { LAB_SECTORS,                                                                         \
              LAB_AT_MOST,                                                                         \
              sectors_##kind,                                                                      \
              "sectors",                                                                           \
              "those that " bytes " fill, and 36 a block and for d_count",                         \
              "Load vectors of 16 bytes, neighbouring lanes neighbouring ones; eight threads add " \
              "to eight neighbouring bins at a time." },                                           \
            { LAB_ATOMICS,                                                                         \
              LAB_AT_MOST,                                                                         \
              atomics_##kind,                                                                      \
              "atomics",                                                                           \
              "1 a pixel, and 258 a block of 4 KiB of pixels or more",                             \
              "A pixel takes one atomic in shared memory, a bin of a block one in global "         \
              "memory." },                                                                         \
            { LAB_BANK_CONFLICTS,                                                                  \
              LAB_AT_MOST,                                                                         \
              zero,                                                                                \
              "bank conflicts",                                                                    \
              "0: lane l counts in bank l, whatever the pixels are",                               \
              "Keep 32 copies of each bin side by side, and let each lane count in its own. When " \
              "they are added up, 32 lanes should read 32 banks." },                               \
            { LAB_BARRIERS_PER_BLOCK,                                                              \
              LAB_AT_MOST,                                                                         \
              counting_barriers,                                                                   \
              "barriers",                                                                          \
              "4: cleared, counted, and spare",                                                    \
              "The block meets before it counts and after." },                                     \
            { WORK_SHARED(sharing_##kind, "pieces of 4 KiB") },                                    \
            { AGAINST("A shift, a mask and an atomic a pixel.") },                                 \
    }
static const lab_gates counts_u8_gates = COUNT_GATES(u8, "n"),
                       counts_u32_gates = COUNT_GATES(u32, "4n");

#define TABLE_GATES(kind, bytes, per_strip)                                                        \
    {                                                                                              \
        ALONE,                                                                                     \
            { LAB_BYTES_MOVED,                                                                     \
              LAB_AT_MOST,                                                                         \
              table_moved_##kind,                                                                  \
              "bytes moved",                                                                       \
              bytes ", and 56 for each row and column of each tile of 128 x 64 (on a GPU, of "     \
                    "128 x 128 or more): at most 1.3 times the pixels and sums, and 4 KiB",        \
              "A tile stays in registers from its load to its store." },                           \
            { STORED(four_bytes_each, "4n: the sums") },                                           \
            { LAB_SECTORS,                                                                         \
              LAB_AT_MOST,                                                                         \
              table_sectors_##kind,                                                                \
              "sectors",                                                                           \
              "those that " bytes " fill, 7 for each row and column of a tile, and 512; where "    \
              "columns are no multiple of 4, four times those of the pixels",                      \
              "Let neighbouring lanes load and store neighbours." },                               \
            { LAB_ATOMICS,                                                                         \
              LAB_AT_MOST,                                                                         \
              tickets,                                                                             \
              "atomics",                                                                           \
              "1 a tile, and 2: tickets",                                                          \
              "Tiles publish sums by words, each of which has one writer." },                      \
            { LAB_BARRIERS,                                                                        \
              LAB_AT_MOST,                                                                         \
              table_barriers,                                                                      \
              "barriers",                                                                          \
              "4 a tile: its ticket, rows, columns, and spare",                                    \
              "A warp's rows need no barrier: the warp itself publishes them and looks left." },   \
            { WORK_SHARED(tiles_sharing, "tiles") },                                               \
            { LAB_SHUFFLES,                                                                        \
              LAB_AT_MOST,                                                                         \
              shuffles_##kind,                                                                     \
              "shuffles",                                                                          \
              per_strip,                                                                           \
              "A row takes five shuffles, of bytes two rows do; a sum that one lane has is not "   \
              "shuffled twice." },                                                                 \
    }
static const lab_gates table_u8_gates = TABLE_GATES(
                           u8, "5n", "90 for each 16 rows of a tile: 67, and looks to the left"),
                       table_s32_gates = TABLE_GATES(
                           s32, "8n", "130 for each 16 rows of a tile: 107, and looks to the left");

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints counts_hints = {
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
static const lab_hints table_u8_hints = {
    "A row of a tile has 128 pixels of at most 255. How many bits does its sum take, and how many "
    "rows can five shuffles scan at a time? Who needs to know a row's sum, and when?",
    "Two rows in a register, 16 bits each. __dp4a adds the four bytes of a word. A thread cares "
    "for one row or one column and looks back along its chain: first at the nearest two words, "
    "one of which usually is a prefix; if not, at three at once, so that a long walk takes few "
    "steps.",
    "TODO 4: two = sum of the bytes of row 2k, and that of row 2k + 1 shifted by ___;\n"
    "    scan_lanes; before = ___; sums of a lane's four pixels: __dp4a with 1, 0x0101, ___ and "
    "___\n"
    "TODO 6: until found: load the words nearest to nearest + looks - 1, again and again, until "
    "___;\n"
    "    from the nearest on, unless found: before grows by ___; found if ___\n"
    "    tell ___ as the sum of all",
};
static const lab_hints table_s32_hints = {
    "Four neighbours are in a lane. What does a lane add to its four, once it has scanned them?",
    "The lane's own four first, then the warp's scan of the lanes' sums, less the own: what lies "
    "left in the row. Everything else is that of 8 bits.",
    "TODO 5: y += x; ___; ___; scan of ___ over the lanes; before = scan less ___\n"
    "    all four grow by before; the row's sum is in lane ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static size_t all_bins(size_t n)
{
    (void)n;
    return BINS;
}

#define IN(element)                                                                                \
    {                                                                                              \
        .name = "d_in", .type = element                                                            \
    }
#define COUNTED                                                                                    \
    {                                                                                              \
        .name = "d_count", .type = LAB_U32, .role = LAB_OUT, .owner = LAB_BY_GRID,                 \
        .length = all_bins                                                                         \
    }
#define TABLE(element)                                                                             \
    {                                                                                              \
        .name = "d_table", .type = element, .role = LAB_OUT, .owner = LAB_BY_GRID                  \
    }
static const lab_buffers counts_u8_buffers = { IN(LAB_U8), COUNTED },
                         counts_u32_buffers = { IN(LAB_U32), COUNTED },
                         table_u8_buffers = { IN(LAB_U8), TABLE(LAB_U32) },
                         table_s32_buffers = { IN(LAB_I32), TABLE(LAB_I32) };

enum {
    LARGE = 400 * 300, /* four tiles across, five down, or three across, seven down */
    ODD = 257 * 259,   /* three across, five down, and rows that begin anywhere */
    COUNT_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3)
};
static const lab_sizes counts_sizes = { 3 * TILE - 100, LARGE };
static const lab_sizes table_sizes = { ODD, LARGE };

#define PART(name, what, kind, text, filled, needs, hint)                                          \
    .entry = name "_" #kind, .title = text, .points = 25, .buffers = what##_##kind##_buffers,      \
    .reference = what##_##kind##_reference, .fill = filled, .gates = what##_##kind##_gates,        \
    .gate_sizes = what##_sizes, .max_n = (1 << 30) - 1, .against = name "_" #kind, .todos = needs, \
    .hints = hint##_hints

static const lab_parts parts_of_lab = {
    { PART("histogram_speed", counts, u8, "a histogram of bytes", fill_u8, COUNT_TODOS, counts),
      .diagnose = counts_diagnose },
    { PART("histogram_speed", counts, u32, "a histogram of words", fill_words, COUNT_TODOS, counts),
      .diagnose = counts_diagnose },
    { PART("sat_speed", table, u8, "a summed-area table of bytes", fill_u8,
           LAB_TODO(4) | LAB_TODO(6), table_u8) },
    { PART("sat_speed", table, s32, "a summed-area table of words", fill_words,
           LAB_TODO(5) | LAB_TODO(6), table_s32) },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Histogram and table, fast",
    .file = "histogram_sat_speed.cu",
    .tile = TILE,
    .threads = 128,
    .per_thread = TILE / 128,
    .blocks_wait = true,
    .large_n = LARGE,
    .bonus = true,
    .borrowed = { "22_histogram_sat/histogram_sat.h" },
    .taught = { "bytes moved", "bank conflicts", "shuffles" },
    .parts = parts_of_lab,
};
