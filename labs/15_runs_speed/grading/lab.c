/*
 * Declaration of the bonus of lab 15: parts, reference, gates and hints. See common/lab/lab.h for
 * what each field means.
 *
 * The theory behind the gates, for tiles of T keys of 4 bytes, 8 KiB on the simulated GPU, in r
 * runs; launches, atomics and barriers as in the bonus of lab 14:
 *     bytes      4 n read and 8 r written; by key 4 n read besides. To that come, for a tile: its
 *                ticket, its word, the 16 bytes before it, and 8 for each word looked at: 5 % of a
 *                tile's 16 KiB are 819 bytes. By key a tile has two words, and 32 KiB
 *     sectors    keys are loaded in whole sectors; what a warp tells is stored in order from
 *                wherever it begins, two sectors more than it fills, for each of 4 warps and both
 *                outputs; descriptors take part of one
 *
 * How many runs a case has is fixed by n, so that limits stay functions of n.
 */
#include "../../14_compaction_speed/grading/ring_gates.h"

/* ---- which data a case of n has -------------------------------------------------------------- */

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

/* Buffers: of run_length_encode, and of reduce_by_key. */
enum { KEYS, UNIQUE, LENGTHS, RUNS };
enum { VALUES = 1, KEYS_OF_SUMS, SUMS, RUNS_OF_SUMS };

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

static void runs_reference(void *const *b, size_t n)
{
    reduce(b[KEYS], NULL, b[UNIQUE], b[LENGTHS], b[RUNS], n);
}

static void by_key_reference(void *const *b, size_t n)
{
    reduce(b[KEYS], b[VALUES], b[KEYS_OF_SUMS], b[SUMS], b[RUNS_OF_SUMS], n);
}

/* ---- limits and gates ------------------------------------------------------------------------ */

static double runs_bytes(size_t n) { return 4 * (double)n + 8 * (double)runs(n) + aside(n); }
static double by_key_bytes(size_t n) { return 4 * (double)n + runs_bytes(n); }
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
static double runs_stored(size_t n) { return 8 * (double)runs(n); }
static double by_key_stored(size_t n) { return 8 * (double)runs(n); }

static const lab_gates runs_gates = {
    ONE_PASS,
    { MOVED(runs_bytes, "4n + 8 per run") },
    { STORED(runs_stored, "8 per run") },
    { SECTORS(runs_sectors) },
    RING_WORK,
};
static const lab_gates by_key_gates = {
    ONE_PASS,
    { MOVED(by_key_bytes, "8n + 8 per run") },
    { STORED(by_key_stored, "8 per run") },
    { SECTORS(by_key_sectors) },
    RING_WORK,
};

static const lab_sizes gate_sizes = { TILE, 5 * TILE, 12 * TILE + 4 };

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints runs_hints = {
    "A head is a key that differs from the one before it. Where is that key for the first element "
    "of a tile? And who knows how long a run is?",
    "The 16 bytes before the tile come along. A ballot a row is kept by the lane of the row's "
    "number. Head j closes run j - 1: it needs the position of the head before it, in its row, in "
    "the rows before, in the warps before, or in the tiles before, which the look-back finds.",
    "TODO 1: for each row: ballot of ___; lane `row` keeps it\n"
    "    heads of the warp: sum of ___; the last: the largest of ___\n"
    "TODO 2: a lane's nearest tile with a head: the first k with ___\n"
    "TODO 3: for each row with heads: rank = runs before and ___\n"
    "    length of the run before = own position less ___",
};
static const lab_hints by_key_hints = {
    "A head closes the run before it: what is the sum of that, if the run began with an earlier "
    "head of the lane, of another lane, of another warp, of another tile? Which of these does the "
    "crew know?",
    "The open sum after the last head of one piece is carried to the first head of the next. "
    "That is the same between lanes, warps and tiles: a segmented sum, where pieces with a head "
    "start anew. A tile publishes how many heads it has, and the open sum at its end.",
    "TODO 5: a lane's heads as bits; the open sum at its end\n"
    "    segmented scan of that over lanes: add what comes from the left unless ___\n"
    "    rank of the lane's first head: sum of ___; then each head puts down key and ___\n"
    "TODO 6: the nearest tile with a head: the largest of ___; add up the open sums of ___ to it",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers runs_buffers = {
    { .name = "d_keys", .type = LAB_I32 },
    { .name = "d_unique", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_lengths", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers by_key_buffers = {
    { .name = "d_keys", .type = LAB_I32 },
    { .name = "d_values", .type = LAB_I32 },
    { .name = "d_unique", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_sums", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};

static const lab_parts parts = {
    {
        .entry = "runs_speed_lengths",
        .title = "run_length_encode",
        .points = 50,
        .buffers = runs_buffers,
        .reference = runs_reference,
        .fill = fill_keys,
        .gates = runs_gates,
        .gate_sizes = gate_sizes,
        .wide_n = true,
        .any_alignment = true,
        .against = "runs_speed_lengths",
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4),
        .hints = runs_hints,
    },
    {
        .entry = "runs_speed_sums",
        .title = "reduce_by_key",
        .points = 50,
        .buffers = by_key_buffers,
        .reference = by_key_reference,
        .fill = fill_pairs,
        .gates = by_key_gates,
        .gate_sizes = gate_sizes,
        .wide_n = true,
        .any_alignment = true,
        .against = "runs_speed_sums",
        .todos = LAB_TODO(5) | LAB_TODO(6),
        .hints = by_key_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Runs, fast",
    .learned = "Instructions count: a popc takes as long as four additions. Lengths come from the "
               "positions of heads, and each warp chooses how it stores.",
    .file = "runs_speed.cu",
    .tile = TILE,
    .threads = 256,
    .per_thread = TILE / 256,
    .blocks_wait = true,
    .large_n = 64 * TILE + 77,
    .kinds_by_n = true,
    .bonus = true,
    .borrowed = { "11_speed_of_light/bulk_copies.h", "11_speed_of_light/rows.h",
                  "14_compaction_speed/compaction_speed.h", "14_compaction_speed/ring.h",
                  "14_compaction_speed/tiles.h" },
    .taught = { "bytes moved", "sectors", "barriers" },
    .parts = parts,
};
