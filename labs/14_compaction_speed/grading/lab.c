/*
 * The bonus of lab 14 declared: parts, reference, gates and hints. See common/lab/lab.h for what
 * each field means.
 *
 * The theory behind the gates, for tiles of T elements of 4 bytes, 8 KiB on the simulated GPU, of
 * which k are kept, and R blocks, at most 256 here:
 *     launches   1, without a kernel that clears descriptors
 *     bytes      4 n read and 4 k written; partition: 4 n written; of r runs: 8 r, and by key 4 n
 *                read besides. To that come, for a tile: its ticket, its word, the 16 bytes before
 *                it (runs), and 8 for each word looked at: 5 % of a tile's 16 KiB are 819 bytes. By
 *                key a tile has two words, and 32 KiB
 *     sectors    elements are loaded in whole sectors; what a warp keeps is stored in order from
 *                wherever it begins, two sectors more than it fills, for each of 4 warps and both
 *                outputs; descriptors take part of one
 *     atomics    a ticket for every tile; and for every block a ticket that tells it to stop, and
 *                the end of its epoch
 *     barriers   1 a block, after the mbarriers are initialised; one to spare
 *
 * What a case keeps is fixed by n, so that limits stay functions of n.
 */
#include <string.h>

#include "compaction_speed.h"
#include "lab.h"
#include "rng.h"
#include "usual_gates.h"

enum { TILE = COMPACTION_SPEED_ENGINE_TILE, MOST_BLOCKS = 256 };

static size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

/* ---- which data a case of n has -------------------------------------------------------------- */

/* Sizes around one and several tiles get different kinds. */
static unsigned kind_of(size_t n) { return (unsigned)((n / TILE + n) % 6); }

typedef enum share { HALF, ALL, EIGHTH, NONE, LAST, ALTERNATING } share;

static size_t kept(size_t n)
{
    switch ((share)kind_of(n)) {
    case HALF: return n / 2;
    case ALL: return n;
    case EIGHTH: return n / 8;
    case NONE: return 0;
    case LAST: return n > 0;
    case ALTERNATING: return n / 2;
    }
    return 0;
}

typedef enum run_kind {
    LONG_RUNS,
    ALL_DIFFERENT,
    SHORT_RUNS,
    ONE_RUN,
    WHOLE_TILES,
    TILE_LESS_1
} run_kind;

static size_t ceiling(size_t n, size_t by) { return (n + by - 1) / by; }

static size_t runs(size_t n)
{
    switch ((run_kind)kind_of(n)) {
    case LONG_RUNS: return ceiling(n, 500);
    case ALL_DIFFERENT: return n;
    case SHORT_RUNS: return ceiling(n, 6);
    case ONE_RUN: return n > 0;
    case WHOLE_TILES: return ceiling(n, TILE);
    case TILE_LESS_1: return ceiling(n, TILE - 1);
    }
    return 0;
}

/* Draws `wanted` of the `left` elements that are still to come: is this one of them? */
static bool draw(rng *generator, size_t *wanted, size_t left)
{
    const bool drawn = rng_below(generator, left) < *wanted;

    *wanted -= drawn;
    return drawn;
}

/* Every 16th is next to the border between kept and not, or one of the largest. */
static uint32_t draw_element(rng *generator, bool keep)
{
    static const uint32_t ends[2][4] = { { 0xffffffffu, 0x80000000u, 0x80000001u, 0xfffffffeu },
                                         { 0, 1, 0x7fffffffu, 0x7ffffffeu } };
    const uint64_t any = rng_next(generator);

    if (any >> 32 & 15)
        return keep ? (uint32_t)any >> 1 : (uint32_t)any | 0x80000000u;
    return ends[keep][any % 4];
}

static void fill_elements(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    const share which = (share)kind_of(n);
    size_t wanted = kept(n);
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        const bool keep = which == ALTERNATING ? i % 2 == 1
                          : which == LAST      ? i == n - 1
                                               : draw(&generator, &wanted, n - i);
        ((uint32_t *)data)[i] = draw_element(&generator, keep);
    }
}

/* Among the keys, and first at some n, are those that stand for "none" in many a program. */
static void fill_keys(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    enum { KEYS = 6 };
    static const int32_t keys[KEYS] = { 0, -1, INT32_MIN, INT32_MAX, 1, 5 };
    const run_kind which = (run_kind)kind_of(n);
    size_t wanted = runs(n) - (n > 0); /* besides the one that begins at 0 */
    size_t key = n % KEYS;
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        const bool head = i == 0                 ? false
                          : which == WHOLE_TILES ? i % TILE == 0
                          : which == TILE_LESS_1 ? i % (TILE - 1) == 0
                                                 : draw(&generator, &wanted, n - i);
        if (head) /* one of the others */
            key = (key + 1 + rng_below(&generator, KEYS - 1)) % KEYS;
        ((int32_t *)data)[i] = keys[key];
    }
}

/* Keys, and values of all 32 bits, so that sums wrap around. */
static void fill_pairs(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    if (buffer == 0) {
        fill_keys(data, buffer, n, seed);
        return;
    }
    rng_seed(&generator, seed + buffer);
    for (size_t i = 0; i < n; i++)
        ((uint32_t *)data)[i] = (uint32_t)rng_next(&generator);
}

/* ---- references ------------------------------------------------------------------------------ */

/* rest: null, where what is not kept goes nowhere. */
static void split(const int32_t *in, int32_t *out, int32_t *rest, int64_t *count, size_t n)
{
    size_t others = 0;

    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (in[i] >= 0)
            out[(*count)++] = in[i];
        else if (rest)
            rest[others++] = in[i];
}

static void select_reference(void *const *b, size_t n) { split(b[0], b[1], NULL, b[2], n); }

static void partition_reference(void *const *b, size_t n) { split(b[0], b[1], b[2], b[3], n); }

/* values: null, where each counts 1. */
static void reduce(const int32_t *keys, const uint32_t *values, int32_t *unique, uint32_t *sums,
                   int64_t *runs, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            unique[count] = keys[i];
            sums[count++] = 0;
        }
        sums[count - 1] += values ? values[i] : 1;
    }
    *runs = (int64_t)count;
}

static void runs_reference(void *const *b, size_t n) { reduce(b[0], NULL, b[1], b[2], b[3], n); }

static void by_key_reference(void *const *b, size_t n) { reduce(b[0], b[1], b[2], b[3], b[4], n); }

/* ---- limits ---------------------------------------------------------------------------------- */

static double aside(size_t n) { return 0.05 * 8 * TILE * (double)tiles(n) + 2048; }
static double select_bytes(size_t n) { return 4 * (double)n + 4 * (double)kept(n) + aside(n); }
static double partition_bytes(size_t n) { return 8 * (double)n + aside(n); }
static double runs_bytes(size_t n) { return 4 * (double)n + 8 * (double)runs(n) + aside(n); }
static double by_key_bytes(size_t n) { return 4 * (double)n + runs_bytes(n); }
/* Arrays that begin anywhere are loaded by hand, in rows of 32 that touch a sector more. */
static double sectors(double bytes, size_t n)
{
    return 1.3 * bytes / 32 + 48 * (double)tiles(n) + 64;
}
static double select_sectors(size_t n) { return sectors(select_bytes(n), n); }
static double partition_sectors(size_t n) { return sectors(partition_bytes(n), n); }
/* Where few rows have heads, each row's are stored alone: at most 12 of 16 rows of 4 warps, two
   sectors in each of two arrays. */
static double runs_sectors(size_t n)
{
    const double heads = 4 * (double)runs(n), rows = 192 * (double)tiles(n);
    return sectors(runs_bytes(n), n) + (heads < rows ? heads : rows);
}
static double by_key_sectors(size_t n)
{
    return sectors(by_key_bytes(n), n) + runs_sectors(n) - sectors(runs_bytes(n), n);
}
static double select_stored(size_t n) { return 4 * (double)kept(n); }
static double partition_stored(size_t n) { return 4 * (double)n; }
static double runs_stored(size_t n) { return 8 * (double)runs(n); }
static double by_key_stored(size_t n) { return 8 * (double)runs(n); }
static double tickets(size_t n) { return (double)tiles(n) + 2 * MOST_BLOCKS; }
/* where blocks wait most of the time, their polls count */
static double and_a_half(size_t n) { return n < 4 * (size_t)TILE ? 3 : 1.5; }

/* ---- gates ----------------------------------------------------------------------------------- */

#define GATES(name, bytes, stored)                                                                 \
    {                                                                                              \
        { LAB_LAUNCHES,                                                                            \
          LAB_AT_MOST,                                                                             \
          one,                                                                                     \
          "launches",                                                                              \
          "1: a single pass, and none to clear descriptors",                                       \
          "One kernel does it all: words carry the stamp of their launch, so that nobody has to "  \
          "clear them." },                                                                         \
            { NO_WAITING }, { NO_FIXED_ROOM }, { NO_FILLS },                                       \
            { LAB_MOVED_BUT_LOOKS,                                                                 \
              LAB_AT_MOST,                                                                         \
              name##_bytes,                                                                        \
              "bytes moved",                                                                       \
              bytes ", and for words of tiles 5 % of a tile's bytes and 2 KiB",                    \
              "Work on the tile in its stage, and write nothing to memory but what is kept." },    \
            { STORED(name##_stored, stored) },                                                     \
            { LAB_SECTORS,                                                                         \
              LAB_AT_MOST,                                                                         \
              name##_sectors,                                                                      \
              "sectors",                                                                           \
              "1.3 times those that the bytes fill, and 48 a tile for the ends of what warps "     \
              "store",                                                                             \
              "Put what a warp keeps side by side in the stage, and let neighbouring lanes store " \
              "neighbours." },                                                                     \
            { LAB_ATOMICS,                                                                         \
              LAB_AT_MOST,                                                                         \
              tickets,                                                                             \
              "atomics",                                                                           \
              "1 a tile and 2 a block: tickets, and its end",                                      \
              "Count by ballots, and let one warp add up what the warps count." },                 \
            { LAB_BARRIERS_PER_BLOCK,                                                              \
              LAB_AT_MOST,                                                                         \
              two,                                                                                 \
              "barriers",                                                                          \
              "2 a block, however many tiles it takes",                                            \
              "Let each warp wait for what it needs: mbarriers instead of __syncthreads()." },     \
            { LAB_INSTRUCTIONS_AGAINST,                                                            \
              LAB_AT_MOST,                                                                         \
              and_a_half,                                                                          \
              "instructions",                                                                      \
              "1.5 times the reference solution's for this part, 3 below 4 tiles",                 \
              "A ballot and a popc for each row of 32 are enough; a warp that polls should sleep " \
              "a little between looks." },                                                         \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

static const lab_gates select_gates = GATES(select, "4n and 4 for each one kept", "4 kept"),
                       partition_gates = GATES(partition, "8n", "4n"),
                       runs_gates = GATES(runs, "4n and 8 a run", "8 a run"),
                       by_key_gates = GATES(by_key, "8n and 8 a run", "8 a run");
static const lab_sizes gate_sizes = { TILE, 5 * TILE, 12 * TILE + 4 };

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints select_hints = {
    "A warp has its elements in the stage, and what it keeps must lie there side by side. When "
    "may it overwrite an element? Who needs to know how many are kept, and in which order?",
    "All lanes load their rows, then meet, then write: rank and ballot as in lab 14. The teller "
    "adds up what the warps have noted, and publishes it. Look-back adds up what tiles have "
    "published, from the block's own last one on. The storing warp of the same number waits for "
    "place and counts.",
    "TODO 1: rows to registers; ___; ballot, rank, write\n"
    "    lane 0: the warp's count; the warp arrives at ___\n"
    "TODO 2: while nearest is not before last: look, add up a lane's words, then those of ___\n"
    "TODO 3: wait for ___ and ___; the run begins at before and ___",
};
static const lab_hints partition_hints = {
    "The others' count is known only when all rows have been seen. From which end can they be put "
    "down without knowing it?",
    "From the end of the warp's elements, backwards: an element of index i with r kept ones before "
    "it is other number i - r. In the array, too: what lies before and is not kept goes before.",
    "place of another: the last one's, less ___\n"
    "d_rest begins, for this warp, at its first index less ___; step ___",
};
static const lab_hints in_place_hints = {
    "A warp stores over elements of tiles before its own. How does it know that they have been "
    "loaded?",
    "A tile's word says so: its stage was full before it was counted. But that holds for memory "
    "only behind fences, which the tellers and keepers of launches.h execute: a keeper says when "
    "a stage is open.",
    "the storing warp waits for ___ before its first store",
};
static const lab_hints runs_hints = {
    "A head is a key that differs from the one before it. Where is that key for the first element "
    "of a tile? And who knows how long a run is?",
    "The 16 bytes before the tile come along. A ballot a row is kept by the lane of the row's "
    "number. Head j closes run j - 1: it needs the position of the head before it, in its row, in "
    "the rows before, in the warps before, or in the tiles before, which the look-back tells.",
    "TODO 4: for each row: ballot of ___; lane `row` keeps it\n"
    "    heads of the warp: sum of ___; the last: the largest of ___\n"
    "TODO 5: a lane's nearest tile with a head: the first k with ___\n"
    "TODO 6: for each row with heads: rank = runs before and ___\n"
    "    length of the run before = own position less ___",
};

static const lab_hints by_key_hints = {
    "A head closes the run before it: what is the sum of that, if the run began with an earlier "
    "head of the lane, of another lane, of another warp, of another tile? Which of these does the "
    "crew know?",
    "What is open behind the last head of one piece is carried to the first head of the next. "
    "That is the same between lanes, warps and tiles: a segmented sum, where pieces with a head "
    "start anew. A tile publishes how many heads it has, and what is open at its end.",
    "TODO 8: a lane's heads as bits; what is open at its end\n"
    "    segmented scan of that over lanes: add what comes from the left unless ___\n"
    "    rank of the lane's first head: sum of ___; then each head puts down key and ___\n"
    "TODO 9: the nearest tile with a head: the largest of ___; add up what is open of ___ to it",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static size_t single(size_t n)
{
    (void)n;
    return 1;
}

#define OUTPUT(text)                                                                               \
    {                                                                                              \
        .name = text, .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID                       \
    }
#define COUNT                                                                                      \
    {                                                                                              \
        .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID,                 \
        .length = single                                                                           \
    }

static const lab_buffers select_buffers = { { .name = "d_in", .type = LAB_I32 },
                                            OUTPUT("d_out"),
                                            COUNT };
static const lab_buffers partition_buffers = {
    { .name = "d_in", .type = LAB_I32 }, OUTPUT("d_out"), OUTPUT("d_rest"), COUNT
};
static const lab_buffers runs_buffers = {
    { .name = "d_keys", .type = LAB_I32 }, OUTPUT("d_unique"), OUTPUT("d_lengths"), COUNT
};

static const lab_buffers by_key_buffers = { { .name = "d_keys", .type = LAB_I32 },
                                            { .name = "d_values", .type = LAB_I32 },
                                            OUTPUT("d_unique"),
                                            OUTPUT("d_sums"),
                                            COUNT };

enum { SELECT_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) };

#define PART(name, made_by, text, worth, filled, what)                                             \
    .entry = "compaction_speed_" #name, .title = text, .points = worth,                            \
    .reference = made_by##_reference, .buffers = made_by##_buffers, .fill = filled,                \
    .gates = made_by##_gates, .gate_sizes = gate_sizes, .wide_n = true, .any_alignment = true,     \
    .against = "compaction_speed_" #name, .todos = what, .hints = name##_hints

static const lab_parts parts = {
    { PART(select, select, "select_if at the speed of memory", 30, fill_elements, SELECT_TODOS) },
    { PART(partition, partition, "partition_if, both sides in order", 15, fill_elements,
           SELECT_TODOS) },
    { PART(in_place, select, "select_if in place", 15, fill_elements, SELECT_TODOS),
      .only_in_place = true },
    { PART(runs, runs, "run_length_encode", 20, fill_keys,
           LAB_TODO(4) | LAB_TODO(5) | LAB_TODO(6) | LAB_TODO(7)) },
    { PART(by_key, by_key, "reduce_by_key", 20, fill_pairs, LAB_TODO(8) | LAB_TODO(9)) },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Compaction, fast",
    .file = "compaction_speed.cu",
    .tile = TILE,
    .threads = 256,
    .per_thread = TILE / 256,
    .blocks_wait = true,
    .large_n = 64 * TILE + 77,
    .bonus = true,
    .borrowed = { "11_speed_of_light/bulk_copies.h", "11_speed_of_light/rows.h" },
    .taught = { "bytes moved", "sectors", "barriers" },
    .parts = parts,
};
