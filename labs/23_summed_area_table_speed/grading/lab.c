/*
 * Declaration of the bonus of lab 23: parts, reference, gates and hints. See common/lab/lab.h for
 * what each field means.
 *
 * The theory behind the gates, for n pixels of b bytes: b n bytes are read and 4 n written. For
 * each of the 128 columns and 64 rows of each tile a word of 8 bytes, published twice, and looked
 * at once and more: 7 words' time, 1.3 bytes a pixel. Where columns are not a multiple of 4, loads
 * go pixel by pixel, and a lane's four loads touch the same sectors. Atomics: a ticket for every
 * tile, and one that makes the next launch's begin at 0.
 */
#include <math.h>

#include "../../22_histogram_speed/grading/pixels.h"
#include "lab.h"
#include "summed_area_table_speed.h"
#include "usual_gates.h"

enum { COLUMNS = SAT_SPEED_COLUMNS, ROWS = SAT_SPEED_ENGINE_ROWS, TILE = COLUMNS * ROWS };

/* ---- references ------------------------------------------------------------------------------ */

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

/* ---- limits ---------------------------------------------------------------------------------- */

static double columns(size_t n) { return (double)sat_columns((int)n); }
static double rows(size_t n) { return (double)sat_rows((int)n); }
static double tiles(size_t n) { return ceil(columns(n) / COLUMNS) * ceil(rows(n) / ROWS); }
static double words(size_t n) { return (COLUMNS + ROWS) * tiles(n); }
/* pieces of rows that a warp has */
static double pieces(size_t n) { return rows(n) * ceil(columns(n) / COLUMNS); }
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
/* each word may be published by atomics: A and P */
static double tickets(size_t n) { return tiles(n) + 2 * words(n) + 2; }
/* strips.h finds a tile's diagonal by a square root */
static double index_additions(size_t n) { return 1024 * tiles(n); }
static double table_barriers(size_t n) { return 4 * tiles(n); }
static double shuffles_u8(size_t n) { return 90 * (ROWS / 16) * tiles(n); }
static double shuffles_s32(size_t n) { return 130 * (ROWS / 16) * tiles(n); }

/* ---- gates ----------------------------------------------------------------------------------- */

#define ONE_LAUNCH_STAMPED                                                                         \
    LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1, clearing included",                            \
        "Words carry the stamp of their launch, so that nobody has to clear them."
#define MOVED(limit, bytes)                                                                        \
    LAB_BYTES_MOVED, LAB_AT_MOST, limit, "bytes moved",                                            \
        bytes " + 56 for each row and column of each tile of 128 x 64 (on a GPU, of 128 x 128 "    \
              "or more): at most 1.3 times the pixels and sums, and 4 KiB",                        \
        "A tile stays in registers from its load to its store."
#define SECTORS(limit, bytes)                                                                      \
    LAB_SECTORS, LAB_AT_MOST, limit, "sectors",                                                    \
        "those that " bytes " fill + 7 for each row and column of a tile + 512; where columns "    \
        "are not a multiple of 4, four times those of the pixels",                                 \
        "Let neighbouring lanes load and store neighbours."
#define TICKETS                                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, tickets, "atomics",                                                  \
        "tiles + 2 words + 2: tickets; A and P of each word",                                      \
        "Tiles publish sums by words, each of which has one writer."
#define NO_SUMS_IN_FLOAT                                                                           \
    LAB_ADDITIONS_IN_FLOAT, LAB_AT_MOST, index_additions, "floating additions",                    \
        "1024 a tile, of 8192 pixels: a square root tells its diagonal",                           \
        "Add pixels in int or unsigned: a float keeps 24 bits of a sum."
#define FEW_BARRIERS                                                                               \
    LAB_BARRIERS, LAB_AT_MOST, table_barriers, "barriers",                                         \
        "4 a tile: its ticket, rows, columns, and spare",                                          \
        "A warp's rows need no barrier: the warp itself publishes them and looks left."
#define SHUFFLES(limit, per_strip)                                                                 \
    LAB_SHUFFLES, LAB_AT_MOST, limit, "shuffles", per_strip ", and looks to the left",             \
        "A row takes five shuffles, of bytes two rows do; a sum that one lane has is not "         \
        "shuffled twice."
#define ALONE LAB_ENTRIES({ ONE_LAUNCH_STAMPED }, { NO_WAITING }, { NO_FIXED_ROOM }, { NO_FILLS })
#define OF_TILES                                                                                   \
    LAB_ENTRIES({ STORED(four_bytes_each, "4n: the sums") }, { TICKETS }, { FEW_BARRIERS },        \
                { NO_SUMS_IN_FLOAT }, { WORK_SHARED(tiles_sharing, "tiles") })

static const lab_gates u8_gates = {
    ALONE,
    { MOVED(table_moved_u8, "5n") },
    { SECTORS(table_sectors_u8, "5n") },
    OF_TILES,
    { SHUFFLES(shuffles_u8, "90 for each 16 rows of a tile: 67") },
};
static const lab_gates s32_gates = {
    ALONE,
    { MOVED(table_moved_s32, "8n") },
    { SECTORS(table_sectors_s32, "8n") },
    OF_TILES,
    { SHUFFLES(shuffles_s32, "130 for each 16 rows of a tile: 107") },
};

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints u8_hints = {
    "A row of a tile has 128 pixels of at most 255. How many bits does its sum take, and how many "
    "rows can five shuffles scan at a time? Who needs to know a row's sum, and when?",
    "Two rows in a register, 16 bits each. __dp4a adds the four bytes of a word. A thread cares "
    "for one row or one column and looks back along its chain: first at the nearest two words, "
    "one of which usually is a prefix; if not, at three at once, so that a long walk takes few "
    "steps.",
    "TODO 1: two = sum of the bytes of row 2k, and that of row 2k + 1 shifted by ___;\n"
    "    scan_lanes; before = ___; sums of a lane's four pixels: __dp4a with 1, 0x0101, ___ and "
    "___\n"
    "TODO 3: until found: load the words nearest to nearest + looks - 1, again and again, until "
    "___;\n"
    "    from the nearest on, unless found: before grows by ___; found if ___\n"
    "    publish ___ as the sum of all",
};
static const lab_hints s32_hints = {
    "Four neighbours are in a lane. What does a lane add to its four, once it has scanned them?",
    "The lane's own four first, then the warp's scan of the lanes' sums, less the own: what lies "
    "left in the row. Everything else is that of 8 bits.",
    "TODO 2: y += x; ___; ___; scan of ___ over the lanes; before = scan less ___\n"
    "    all four grow by before; the row's sum is in lane ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers u8_buffers = {
    { .name = "d_in", .type = LAB_U8 },
    { .name = "d_table", .type = LAB_U32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers s32_buffers = {
    { .name = "d_in", .type = LAB_I32 },
    { .name = "d_table", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

enum {
    LARGE = 400 * 300, /* four tiles across, five down, or three across, seven down */
    ODD = 257 * 259    /* three across, five down, and rows that begin anywhere */
};
static const lab_sizes gate_sizes = { ODD, LARGE };

/* one column each, whose last 64 rows are 59: of 1531, 2939 and 264443 rows */
static const lab_sizes stalled_columns = { 1531, 2939, 264443 };

static const lab_parts parts = {
    { .entry = "sat_speed_u8",
      .title = "a summed-area table of bytes",
      .points = 50,
      .buffers = u8_buffers,
      .reference = table_u8_reference,
      .fill = fill_u8,
      .gates = u8_gates,
      .gate_sizes = gate_sizes,
      .max_n = (1 << 30) - 1,
      .stalled_n = stalled_columns,
      .against = "sat_speed_u8",
      .todos = LAB_TODO(1) | LAB_TODO(3),
      .hints = u8_hints },
    { .entry = "sat_speed_s32",
      .title = "a summed-area table of words",
      .points = 50,
      .buffers = s32_buffers,
      .reference = table_s32_reference,
      .fill = fill_words,
      .gates = s32_gates,
      .gate_sizes = gate_sizes,
      .max_n = (1 << 30) - 1,
      .stalled_n = stalled_columns,
      .against = "sat_speed_s32",
      .todos = LAB_TODO(2) | LAB_TODO(3),
      .hints = s32_hints },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Summed-area table, fast",
    .learned = "Two sums of 16 bits share a register while pixels stay packed. By diagonals, both "
               "neighbours of a tile had time to finish.",
    .file = "summed_area_table_speed.cu",
    .tile = TILE,
    .threads = 128,
    .per_thread = TILE / 128,
    .blocks_wait = true,
    .large_n = LARGE,
    .far_n = 8779, /* 138 tiles above each other */
    .bonus = true,
    .borrowed = { "22_histogram_speed/tickets.h", "23_summed_area_table/summed_area_table.h" },
    .taught = { "bytes moved", "shuffles" },
    .parts = parts,
};
