/*
 * Declaration of lab 23: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for n pixels of 4 bytes and sums of 8, in `columns` and `rows`:
 *     two passes rows read 4 n bytes and write 8 n, columns read 8 n and write 8 n: 4 n numbers
 *     box        four sums read and a mean written: 36 n bytes, whatever the radius
 *     one launch 4 n bytes read and 8 n written: 2 n numbers. For each row and each column of each
 *                tile a word of 8 bytes, written twice, and read by each tile that looks back to
 *                it: counted 0.5 to 1.9 on average with 16 blocks resident, limit 5. Of a whole
 *                tile of 64 rows and columns, 2 * 64 * 7 words are 1.75 bytes a pixel: 2.3 n
 *                numbers
 *     sectors    a row begins anywhere in a sector: 32 neighbours touch up to one more than they
 *                fill at each end
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "usual_gates.h"

/* ---- diagnoses ------------------------------------------------------------------------------- */

/* Is what came the table of each area of so many columns and rows by itself? */
static bool is_of_areas(const lab_mismatch *m, size_t wide, size_t high)
{
    int64_t *table = malloc((m->n + 1) * sizeof *table);
    bool same = table != NULL;

    if (same) {
        sum_areas(m->inputs[0], table, m->n, wide, high);
        same = memcmp(table, m->got, m->n * sizeof *table) == 0;
    }
    free(table);
    return same;
}

/* How many of the lower bits are right in all sums. */
static int bits_right(const lab_mismatch *m)
{
    uint64_t wrong = 0;
    int bits = 0;

    for (size_t i = 0; i < m->n; i++)
        wrong |= ((const uint64_t *)m->expected)[i] ^ ((const uint64_t *)m->got)[i];
    while (bits < 63 && !(wrong >> bits & 1))
        bits++;
    return bits;
}

/* Is each sum near the right one, by so much of it? */
static bool is_rounded(const lab_mismatch *m, double by)
{
    for (size_t i = 0; i < m->n; i++) {
        const int64_t expected = ((const int64_t *)m->expected)[i],
                      off = ((const int64_t *)m->got)[i] - expected;
        if ((double)off > (double)expected * by || (double)-off > (double)expected * by)
            return false;
    }
    return true;
}

/* Sums of 64 bits: were they cut, or rounded? */
static const char *sums_diagnose(const lab_mismatch *m)
{
    static char text[240];
    const int bits = bits_right(m);

    if (bits >= 32) {
        snprintf(text, sizeof text,
                 "the lower %d bits are right, and some above them are not: a sum was cut "
                 "on its way%s",
                 bits,
                 bits == 32 ? ", by an int or an unsigned. Two white pixels come to more "
                              "than that"
                            : ", by a word or a mask. Sums take up to 62");
        return text;
    }
    if (is_rounded(m, 1e-12))
        return "all sums are nearly right, as if a double had kept them on their way: it keeps 53 "
               "bits. Add integers";
    if (is_rounded(m, 1e-4))
        return "all sums are nearly right, as if a float had kept them on their way: it keeps 24 "
               "bits. Add integers";
    return NULL;
}

static const char *table_diagnose(const lab_mismatch *m)
{
    const size_t all = m->n + 1;

    const char *known = sums_diagnose(m);
    if (known)
        return known;
    if (is_of_areas(m, all, 1))
        return "each row is scanned, and the columns are not: they are the second pass";
    if (is_of_areas(m, 1, all))
        return "each column is scanned, and the rows are not";
    if (is_of_areas(m, WARP, all))
        return "each 32 columns are scanned by themselves: what the chunks before came to is "
               "missing";
    if (is_of_areas(m, SIDE, all))
        return "what lies left of a tile is missing, row by row";
    if (is_of_areas(m, all, SIDE))
        return "what lies above a tile is missing, column by column";
    if (is_of_areas(m, SIDE, SIDE))
        return "each tile has a table of its own: what lies left of it, and above it, is missing";
    return NULL;
}

/* Of a tile's own table. */
static const char *own_diagnose(const lab_mismatch *m)
{
    const char *known = sums_diagnose(m);

    if (known)
        return known;
    if (is_of_areas(m, WARP, SIDE))
        return "each 32 columns of a tile are scanned by themselves: what its first half came to "
               "is missing in the second";
    if (is_of_areas(m, SIDE, 1))
        return "the rows of a tile are scanned, and its columns are not";
    if (is_of_areas(m, 1, SIDE))
        return "the columns of a tile are scanned, and its rows are not";
    return NULL;
}

static const char *box_diagnose(const lab_mismatch *m)
{
    const windows all = windows_of(m->n);
    const int64_t *table = m->inputs[0], side = 2 * (int64_t)all.radius + 1;
    const uint32_t *got = m->got;
    bool fixed = true, inner = true, nearest = true, near = true, by_one = true;

    for (size_t i = 0; i < m->n; i++) {
        const window w = window_of(all, i);
        window less = w; /* without its first column and row, but at the border */
        less.left += w.left > 0 && w.right - w.left > 1;
        less.above += w.above > 0 && w.below - w.above > 1;
        const int64_t sum = sum_of(table, all, w), mean = sum / pixels_of(w);
        const int64_t off = got[i] > mean ? got[i] - mean : mean - got[i];
        nearest = nearest && got[i] == (uint32_t)((sum + pixels_of(w) / 2) / pixels_of(w));
        by_one = by_one && off <= 1;
        near = near && (off <= 1 || (double)off <= 1e-6 * (double)mean);
        fixed = fixed && got[i] == (uint32_t)(sum_of(table, all, w) / (side * side));
        inner = inner && got[i] == (uint32_t)(sum_of(table, all, less) / pixels_of(w));
    }
    if (fixed)
        return "each sum is divided by the pixels of a whole window: at the border there are fewer";
    if (inner)
        return "a window lacks its first column and row: what is subtracted ends before them, at "
               "left - 1 and above - 1";
    if (nearest)
        return "means are rounded to the nearest number: they are to be rounded down";
    if (by_one)
        return "no mean is wrong by more than 1: it may have been rounded on its way, by a "
               "floating division or a reciprocal. A quotient of integers is exact, and cut off";
    if (near)
        return "all means are nearly right, as if a float had kept a sum, a reciprocal or the "
               "mean: it keeps 24 bits. Divide integers";
    return NULL;
}

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, SAT_THREADS)
LIMIT(tile_barriers, 10)
/* of a picture one column wide, a warp for each row works for one pixel */
LIMIT(passes_work, 18)
static double pixels(size_t n) { return (double)n; }
static double columns(size_t n) { return (double)columns_of(n); }
static double rows(size_t n) { return (double)rows_of(n); }

/* pieces of rows, of 32 neighbours */
static double pieces(size_t n) { return rows(n) * ceil(columns(n) / WARP); }
static double passes_moved(size_t n) { return 28 * pixels(n); }
/* the first row of the columns' pass is right already */
static double passes_stored(size_t n) { return 16 * pixels(n) - 8 * columns(n); }
static double passes_sectors(size_t n) { return 28 * pixels(n) / 32 + 8 * pieces(n); }
static double passes_blocks(size_t n)
{
    return fmin(ceil(rows(n) / 32), 8) + fmin(ceil(columns(n) / 1024), 8);
}

/* a warp has a row; where a side is short, it is the pass along the other that counts */
static double passes_sharing(size_t n)
{
    return half_up_to_3(ceil(fmin(rows(n), columns(n)) / 32));
}

/* Rows take most of the instructions: a warp that has the columns of all comes to 1.9. Where there
   are few columns, few warps have any. */
static double passes_warps(size_t n) { return fmin(rows(n), columns(n)) < 256 ? 32 : 1.5; }

static double box_read(size_t n) { return 32 * pixels(n); }
static double box_sectors(size_t n) { return 36 * pixels(n) / 32 + 10 * pieces(n) + 2; }
static double box_blocks(size_t n) { return fmin(ceil(pixels(n) / 4096), 8); }
/* of a picture one column wide, blocks of 32 x 8 pixels use a lane of 32: 39 times */
static double box_work(size_t n) { return fmin(rows(n), columns(n)) < 32 ? 80 : 8; }
/* and of one row high, a warp of 8 */
static double box_warps(size_t n) { return fmin(rows(n), columns(n)) < 32 ? 32 : 3; }
static double box_sharing(size_t n) { return half_up_to_3(ceil(pixels(n) / 4096)); }

static double across(size_t n) { return ceil(columns(n) / SIDE); }
static double down(size_t n) { return ceil(rows(n) / SIDE); }
static double all_tiles(size_t n) { return across(n) * down(n); }
static double words(size_t n) { return across(n) * rows(n) + down(n) * columns(n); }
static double launch_moved(size_t n) { return 12 * pixels(n) + 7 * 8 * words(n); }
static double launch_stored(size_t n) { return 8 * pixels(n); }
static double launch_sectors(size_t n)
{
    return 12 * pixels(n) / 32 + 7 * words(n) + 6 * pieces(n);
}
static double launch_blocks(size_t n) { return fmin(all_tiles(n), 8); }
static double launch_sharing(size_t n) { return half_up_to_3(all_tiles(n)); }
/* each word may be published by atomics: A and P */
static double launch_atomics(size_t n) { return 4 * all_tiles(n) + 2 * words(n); }
/* Of tiles side by side, or above each other; in a field of them there are many ways. */
static double most_chained(size_t n)
{
    return across(n) == 1 || down(n) == 1 ? 0.8 * all_tiles(n) : across(n) + down(n);
}

/* ---- gates ----------------------------------------------------------------------------------- */

#define LAUNCHES(most, text)                                                                       \
    LAB_LAUNCHES, LAB_AT_MOST, most, "launches", text,                                             \
        "Look at what one kernel can do while it has the data at hand."
#define SECTORS(limit, formula)                                                                    \
    LAB_SECTORS_BUT_WORDS, LAB_AT_MOST, limit, "sectors", formula,                                 \
        "Let neighbouring threads load and store neighbouring elements: in rows as in columns, "   \
        "those of one row."
#define BUSY(limit, formula)                                                                       \
    LAB_BLOCKS, LAB_AT_LEAST, limit, "blocks", formula,                                            \
        "Few blocks work and the rest of the GPU idles: share the work out among more."

static const lab_gates passes_gates = {
    { LAUNCHES(two, "2: rows, then columns") },
    { NO_WAITING_NO_SCRATCH },
    { NO_FILLS },
    { NOTHING_LEFT },
    { LAB_BYTES_MOVED, LAB_AT_MOST, passes_moved, "bytes moved",
      "28n: 4n numbers, of 4 bytes the pixels that rows read, of 8 bytes the other three",
      "Each pass reads each number once and writes it once." },
    { STORED(passes_stored, "16n: a sum in each pass; 8 a column less, as the first row stays") },
    { SECTORS(passes_sectors,
              "those that 28n bytes fill + 8 for each 32 neighbours of a row, or what is left "
              "of it") },
    { NO_ATOMICS },
    { BUSY(passes_blocks, "1 for 32 rows and 1 for 1024 columns, up to 8 of each") },
    { WORK_SHARED(passes_sharing, "groups of 32 rows, or of 32 columns") },
    { WARPS_ALIKE_BY(passes_warps, "1.5", "where both sides are 256 or more") },
    { WORK_AT_MOST(passes_work, "18") },
    THREADS_PER_BLOCK(block_threads, "256"),
};

static const lab_gates box_gates = {
    ONE_LAUNCH_ALONE,
    { LAB_BYTES_READ, LAB_AT_MOST, box_read, "bytes read", "32n: four sums a pixel",
      "Four sums of the table give a window's: no loop over its pixels." },
    { STORED(four_bytes_each, "4n: the means") },
    { SECTORS(box_sectors,
              "those that 36n bytes fill + 10 for each 32 neighbours of a row, or what is left "
              "of it") },
    { NO_ATOMICS },
    { BUSY(box_blocks, "1 for each 4096 pixels, where there are up to 8; else 8") },
    { WORK_SHARED(box_sharing, "pieces of 4096 pixels") },
    { WORK_AT_MOST(box_work, "8, or 80 where a side is below 32,") },
    { WARPS_ALIKE_BY(box_warps, "3", "where both sides are 32 or more") },
    THREADS_PER_BLOCK(block_threads, "256"),
};

static const lab_gates launch_gates = {
    { LAUNCHES(one, "1") },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { LAB_FILLS, LAB_AT_MOST, one, "fills and copies", "1: words and ticket together",
      "Clear all that has to be 0 by one cudaMemsetAsync." },
    { LAB_MOVED_BUT_WORDS, LAB_AT_MOST, launch_moved, "bytes moved",
      "12n + 56 for each row and column of each tile of 64 x 64: 13.75n where tiles are "
      "whole, 2.3n numbers of 6 bytes on average; volatile loads of words do not count",
      "A tile stays in registers from its load to its store: rows, what lies left, columns, "
      "what lies above." },
    { STORED(launch_stored, "8n: the sums") },
    { SECTORS(launch_sectors,
              "those that 12n bytes fill + 7 for each row and column of a tile + 6 for each 32 "
              "neighbours of a row, or what is left of it; volatile loads of words do not count") },
    { LAB_ATOMICS, LAB_AT_MOST, launch_atomics, "atomics",
      "4 a tile, its ticket and spare, and 2 a word: A and P",
      "Tiles publish sums by words, each of which has one writer." },
    { LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, tile_barriers, "barriers",
      "10: ticket, rows summed, left known, columns summed, above known, and spare",
      "A barrier stands between a value's store in shared memory and its use by other warps." },
    { BUSY(launch_blocks, "1 a tile, where there are up to 8; else 8") },
    { WORK_SHARED(launch_sharing, "tiles") },
    THREADS_PER_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
    { LAB_CROWD_CHAIN, LAB_AT_MOST, most_chained, "tiles in one chain",
      "0.8 of the tiles of a picture that is one tile high or wide, else their rows and columns; "
      "with 16 blocks resident",
      "Tile waits for tile, as in lab 07's chain: a tile publishes its aggregate before it looks "
      "at any other, and takes A where there is no P yet." },
    { NOT_STALLED("16") },
};

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints chunk_hints = {
    "Lab 09's scan of a warp: which lanes may add what comes from the left? And which lane knows "
    "the sum of all 32?",
    "Five shuffles up, by 1, 2, 4, 8, 16. Then what stands before the chunk is added to all lanes, "
    "and the last lane has what stands before the next chunk.",
    "for distance 1 to ___, doubled each time:\n"
    "    left = value of the lane that is ___ lower\n"
    "    lanes from ___ on add it\n"
    "add ___; *before = value of lane ___",
};
static const lab_hints passes_hints = {
    "A thread could scan a row by itself. Which addresses do 32 threads touch at a time then? And "
    "where 32 threads scan 32 columns?",
    "Rows: a warp takes 32 neighbours after another, with scan_chunk. Columns: thread x goes down "
    "column x, and its neighbours go with it. Load AHEAD values before the first is used: so "
    "that many loads are on their way at a time.",
    "scan_rows: for each AHEAD chunks:\n"
    "    load pixel ___ of row y, 0 where there is ___\n"
    "    scan_chunk of each, as long as it begins before ___; store\n"
    "scan_columns: for each AHEAD rows:\n"
    "    load them; each that is there: above grows by ___; store ___",
};
static const lab_hints box_hints = {
    "Columns 3 to 5, rows 2 to 4: which four sums of the table hold the window's corners, and "
    "which of them is subtracted twice?",
    "Up to the lower right corner, less what is left of the window, less what is above it, and "
    "what is left and above once more: it was subtracted twice. At the border the window is "
    "smaller, and so is the number of its pixels. Before the first column stands nothing.",
    "left, above: the pixel's place less ___, at least ___\n"
    "right, below: the place and ___, at most ___\n"
    "sum = up to (right, below) - up to (___, below)\n"
    "    - up to (right, ___) + up to (___, ___)\n"
    "divided by ___",
};
static const lab_hints chain_hints = {
    "Lab 10: what does a tile publish before it looks at any other, and when does its look-back "
    "end?",
    "AGGREGATE first, so that the tiles after it need not wait for you. Then word by word back, "
    "adding, until one says PREFIX. The first word of a chain has none before it. At the end "
    "publish PREFIX: the sum of all, its own included.",
    "if there are words before: publish ___\n"
    "for back = 1, 2 and so on:\n"
    "    inspect the word back * step before i until it is not ___\n"
    "    before grows by ___; end at ___\n"
    "publish PREFIX of ___",
};
static const lab_hints tile_hints = {
    "A tile has 64 columns and a warp has 32 lanes. What stands before the second half of a row? "
    "And which registers of a lane lie above each other?",
    "A row is two chunks, scanned one after the other with the same before. Its sum goes to "
    "s_left. A column of the warp is ROWS registers of one lane: no shuffle, one addition each.",
    "sum_rows: each row: before = ___; each half: scan_chunk\n"
    "    one lane: s_left of row_of(row) = ___\n"
    "sum_columns: each half: all = 0; each row:\n"
    "    all grows by the row's ___ and its ___; the value becomes ___\n"
    "    above of ___ = all",
};
static const lab_hints launch_hints = {
    "Thread i has row i of a tile. Which word belongs to the same row in the tile to the left, "
    "and how many such words are there? And of column i in the tile above?",
    "Words of a row's chain lie p.rows apart, one for each column of tiles; those of a column's "
    "chain p.columns apart, one for each row of tiles. Rows first: what a tile publishes for its "
    "column is the sum of whole rows of the picture, from the left border on, so that nothing is "
    "counted twice.",
    "s_left of i = sum_before in d_left, word ___ * p.rows + ___,\n"
    "    step ___, as many as ___\n"
    "own = the sum over all ___ of column i\n"
    "above = sum_before in d_above, likewise\n"
    "warp after warp: its s_above becomes ___; above grows by ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers table_buffers = {
    { .name = "d_in", .type = LAB_U32 },
    { .name = "d_table", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers chunks_buffers = {
    { .name = "d_in", .type = LAB_U32 },
    { .name = "d_out", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers box_buffers = {
    { .name = "d_table", .type = LAB_I64 },
    { .name = "d_out", .type = LAB_U32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers chains_buffers = {
    { .name = "d_own", .type = LAB_I64 },
    { .name = "d_before", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

enum {
    STEP_MOST = 5000,
    MOST = (1 << 30) - 1,
    TILE = SIDE * SIDE,
    LARGE = 286 * 300,          /* five tiles across, five down */
    WHITE_LARGE = 510 * 520,    /* all white: sums beyond 50 bits */
    TALL = 29 * 2389,           /* 38 tiles above each other; 17 * TILE + 1 has 41 side by side */
    LONGEST = (1 << 30) - 4101, /* a prime, and upright: one column */
    ONE_COLUMN = 1021,          /* primes */
    ONE_ROW = 4099
};

static const lab_sizes table_sizes = { 100 * 101, ONE_COLUMN, ONE_ROW, LARGE, WHITE_LARGE };
/* 4093 pixels are one column: what is kept has less room after a larger square */
static const lab_sizes launch_sizes = { 4093, 100 * 101, TALL, LARGE, WHITE_LARGE };

/* one column each, whose last tiles have 59 rows */
static const lab_sizes single_columns = { 60091, 122939, 254971, LONGEST };

/* the same, of 24 tiles, 46, and 4132 */
static const lab_sizes stalled_columns = { 1531, 2939, 264443 };

/* more than 2^20 of it: columns of one row, and rows of one column */
static const lab_sizes one_row = { 102677, 250709, 1052693 },
                       one_column = { 100103, 254279, 1048583 };
/* a row fewer than columns, so that a block's part of it ends in time; the last beyond 2^21 */
static const lab_sizes squares = { 301 * 300, 685 * 684, 2029 * 2028 };
static const size_t *const kinds[LAB_KINDS] = { one_row, one_column, squares };

static const lab_parts parts = {
    { .entry = "sat_chunks",
      .title = "a scan of 32 sums, and what stands before",
      .points = 8,
      .buffers = chunks_buffers,
      .reference = chunks_reference,
      .fill = fill_picture,
      .diagnose = sums_diagnose,
      .max_n = STEP_MOST,
      .step = true,
      .todos = LAB_TODO(1),
      .hints = chunk_hints },
    { .entry = "sat_two_passes",
      .title = "a summed-area table, rows and then columns",
      .points = 27,
      .buffers = table_buffers,
      .reference = table_reference,
      .fill = fill_picture,
      .diagnose = table_diagnose,
      .gates = passes_gates,
      .gate_sizes = table_sizes,
      .max_n = MOST,
      .huge_n = LONGEST,
      .kinds = kinds,
      .drawn = true,
      .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
      .hints = passes_hints },
    { .entry = "sat_box",
      .title = "a box filter of any radius",
      .points = 19,
      .buffers = box_buffers,
      .reference = box_reference,
      .fill = fill_table,
      .change = change_table,
      .diagnose = box_diagnose,
      .gates = box_gates,
      .gate_sizes = table_sizes,
      .max_n = MOST,
      .huge_n = LONGEST,
      .todos = LAB_TODO(4),
      .hints = box_hints },
    { .entry = "sat_chains",
      .title = "look-back along a chain of words",
      .points = 10,
      .buffers = chains_buffers,
      .reference = chains_reference,
      .fill = fill_chains,
      .diagnose = sums_diagnose,
      .max_n = STEP_MOST,
      .step = true,
      .todos = LAB_TODO(5),
      .hints = chain_hints },
    { .entry = "sat_tiles",
      .title = "the table of each tile by itself",
      .points = 10,
      .buffers = table_buffers,
      .reference = tiles_reference,
      .fill = fill_picture,
      .diagnose = own_diagnose,
      .max_n = STEP_MOST,
      .step = true,
      .todos = LAB_TODO(1) | LAB_TODO(6),
      .hints = tile_hints },
    { .entry = "sat_one_launch",
      .title = "a summed-area table in one launch",
      .points = 26,
      .buffers = table_buffers,
      .reference = table_reference,
      .fill = fill_picture,
      .diagnose = table_diagnose,
      .gates = launch_gates,
      .gate_sizes = launch_sizes,
      .max_n = MOST,
      .huge_n = LONGEST,
      .rising_n = single_columns,
      .stalled_n = stalled_columns,
      .drawn = true,
      .todos = LAB_TODO(1) | LAB_TODO(5) | LAB_TODO(6) | LAB_TODO(7),
      .hints = launch_hints },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Summed-area table",
    .learned =
        "A table of sums is a scan in two directions. Tiles that look back to the left and up "
        "make it in one pass.",
    .file = "summed_area_table.cu",
    .tile = TILE,
    .threads = SAT_THREADS,
    .per_thread = TILE / SAT_THREADS,
    .blocks_wait = true,
    .large_n = LARGE,
    .crowd = 16,
    .far_n = 8779, /* 138 tiles above each other */
    .taught = { "bytes moved", "bytes read", "tiles in one chain" },
    .parts = parts,
};
