/*
 * Declaration of lab 14: parts, gates and hints. See common/lab/lab.h for what each field means;
 * cases.h has data and references, diagnoses.h what wrong answers come from.
 *
 * The theory behind the gates, for tiles of T = 4096 elements of s bytes, of which k are kept, and
 * blocks of 256 threads:
 *     launches   1: nothing is cleared before it, because a descriptor of another launch counts as
 *                INVALID
 *     bytes      s n read and s k written; partition: s n written. To that come, for a tile: its
 *                ticket, its descriptor written twice, and one look at 32 or 64 descriptors of 8
 *                bytes: 2 %, and 512 bytes a tile where look-back has to go far
 *     sectors    elements are loaded in whole sectors; a tile's run is stored in order from
 *                wherever it begins, which costs a warp one sector more than its 4 (8): at most 1.5
 *                times what the bytes need; and those of the descriptors
 *     atomics    1 a tile, the ticket
 *     barriers   3 a tile: ticket, counts of the warps, kept elements in place; a block that stays
 *                needs one more between its tiles; two spare
 *
 * What a case keeps is fixed by n, so that limits stay functions of n: see cases.h.
 */
#include "cases.h"
#include "diagnoses.h"
#include "single_pass.h"

/* ---- limits and gates ------------------------------------------------------------------------ */

static double barriers(size_t n) { return 6 * (double)tiles(n) + 64; }

#define TILE_BARRIERS                                                                              \
    BARRIERS(barriers, "6 tiles + 64: ticket, counts of the warps, kept elements, end, and spare")

static double select_4_bytes(size_t n) { return bytes_of(4 * n, 4 * kept(n)); }
static double select_4_sectors(size_t n) { return sectors_of(4 * n, 4 * kept(n), n); }
static double select_4_stored(size_t n) { return (double)(4 * kept(n)); }
static double select_8_bytes(size_t n) { return bytes_of(8 * n, 8 * kept(n)); }
static double select_8_sectors(size_t n) { return sectors_of(8 * n, 8 * kept(n), n); }
static double select_8_stored(size_t n) { return (double)(8 * kept(n)); }
static double partition_4_bytes(size_t n) { return bytes_of(4 * n, 4 * n); }
static double partition_4_sectors(size_t n) { return sectors_of(4 * n, 4 * n, n); }
static double partition_4_stored(size_t n) { return (double)(4 * n); }
static double partition_8_bytes(size_t n) { return bytes_of(8 * n, 8 * n); }
static double partition_8_sectors(size_t n) { return sectors_of(8 * n, 8 * n, n); }
static double partition_8_stored(size_t n) { return (double)(8 * n); }

static const lab_gates select_4_gates = {
    ONE_PASS,
    { DATA_MOVED(select_4_bytes, "(4n + 4 per kept element)") },
    { KEPT_STORED(select_4_stored, "4 per kept element") },
    { DESCRIPTORS_ALONE },
    { DATA_SECTORS(select_4_sectors) },
    { TICKETS },
    { TILE_BARRIERS },
    TILES_SHARED,
};
static const lab_gates select_8_gates = {
    ONE_PASS,
    { DATA_MOVED(select_8_bytes, "(8n + 8 per kept element)") },
    { KEPT_STORED(select_8_stored, "8 per kept element") },
    { DESCRIPTORS_ALONE },
    { DATA_SECTORS(select_8_sectors) },
    { TICKETS },
    { TILE_BARRIERS },
    TILES_SHARED,
};
static const lab_gates partition_4_gates = {
    ONE_PASS,
    { DATA_MOVED(partition_4_bytes, "8n") },
    { KEPT_STORED(partition_4_stored, "4n") },
    { DESCRIPTORS_ALONE },
    { DATA_SECTORS(partition_4_sectors) },
    { TICKETS },
    { TILE_BARRIERS },
    TILES_SHARED,
};
static const lab_gates partition_8_gates = {
    ONE_PASS,
    { DATA_MOVED(partition_8_bytes, "16n") },
    { KEPT_STORED(partition_8_stored, "8n") },
    { DESCRIPTORS_ALONE },
    { DATA_SECTORS(partition_8_sectors) },
    { TICKETS },
    { TILE_BARRIERS },
    TILES_SHARED,
};

/* with several tiles: half of all kept, an eighth, only what the last tile has, half */
static const lab_sizes gate_sizes = { TILE + 7, 5 * TILE + 3, 6 * TILE + 7, 7 * TILE + 8,
                                      12 * TILE + 4 };

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints ranks_hints = {
    "Lane 5 of a row needs its rank. Which lanes' votes does it have to know, and which other "
    "lanes need the same at the same time?",
    "A ballot of the row gives every lane all 32 votes. The bits below the lane's own, counted by "
    "popc, are the rank in the row; rows before add all of their bits.",
    "count = 0\n"
    "for each row:\n"
    "    votes = a ballot of ___\n"
    "    the row's rank = count + the number of votes below ___\n"
    "    count grows by ___\n"
    "to all lanes goes back ___",
};
static const lab_hints far_hints = {
    "`at` may be 2^41. In which type is the sum of `at` and a thread's number computed, and in "
    "which is it kept?",
    "Thread t takes the elements t, t + 256, t + 512 and so on: neighbours store to neighbours. "
    "Only the small index is an int; the sum with `at` stays a long long.",
    "for i from ___ while below `count`, in steps of ___:\n"
    "    element `skip` + i of s_item goes to index ___ of d_out",
};
static const lab_hints select_hints = {
    "The tile's kept elements lie in 16 rows of 8 warps, with gaps. Where does each go if they are "
    "to stand side by side, in their order? And who knows the number of all that were kept?",
    "An element's place in the tile is what the warps before keep, and its rank. Put it there in "
    "shared memory; after a barrier the block stores the tile's run from what all tiles before "
    "keep. The block whose tile ends the array knows the count. For n = 0 there is no block: "
    "the host has the count cleared, without waiting.",
    "TODO 3: each row: its bit of flags is set if the array has ___, and ___\n"
    "    each row whose flag is set: its element to place ___ in s_item\n"
    "    ___\n"
    "    store_run: from s_before on, ___ elements\n"
    "TODO 4: thread 0, where the tile ends at ___: the count is s_before and ___\n"
    "    n = 0: a cudaMemsetAsync of ___ bytes",
};
static const lab_hints partition_hints = {
    "Element 10 of a tile has 4 kept ones before it. How many others are before it, and where does "
    "d_rest begin for this tile, if `before` elements were kept in all tiles to the left?",
    "An element that is not kept has as many others before it as its index, less the kept ones "
    "before it. That holds in the tile and in the whole array. In shared memory the others stand "
    "after the tile's kept ones.",
    "an element that the array has, and that is not kept:\n"
    "    its place in s_item = `kept` and its index in the tile, less ___\n"
    "after the barrier:\n"
    "    store_run to d_rest, from the tile's first index less ___, skipping ___, ___ elements",
};
static const lab_hints in_place_hints = {
    "Tile 5 stores over elements that tile 4 has to load. How does tile 5 know that tile 4 has "
    "loaded them? May a load be late, and come after the word?",
    "The word of a tile says two things: how many it keeps, and that it has read all of its "
    "elements. So a tile's reads come before its word, and a tile that looks back reads that word "
    "before its own stores. A fence on each side keeps that order.",
    "publish, in place: ___, then the word\n"
    "inspect, in place: the word, then ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers select_i32_buffers = {
    { .name = "d_in", .type = LAB_I32 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers partition_i32_buffers = {
    { .name = "d_in", .type = LAB_I32 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_rest", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers select_f32_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers partition_f32_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_rest", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers select_i64_buffers = {
    { .name = "d_in", .type = LAB_I64 },
    { .name = "d_out", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers partition_i64_buffers = {
    { .name = "d_in", .type = LAB_I64 },
    { .name = "d_out", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_rest", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers ranks_buffers = {
    { .name = "d_flag", .type = LAB_I32 },
    { .name = "d_rank", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_kept",
      .type = LAB_I32,
      .role = LAB_OUT,
      .owner = LAB_BY_GRID,
      .length = threads_of_tiles },
};
static const lab_buffers far_buffers = {
    { .name = "d_at", .type = LAB_I64 },
    { .name = "d_out",
      .type = LAB_I32,
      .role = LAB_OUT,
      .owner = LAB_BY_GRID,
      .length = far_length },
};
static const lab_buffers words_buffers = {
    { .name = "d_in", .type = LAB_I32 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

enum {
    STEP_STORES = 300,
    STEP_MOST = 20000,
    SELECT_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4),
    PARTITION_TODOS = SELECT_TODOS | LAB_TODO(5),
    IN_PLACE_TODOS = SELECT_TODOS | LAB_TODO(6)
};

static const lab_parts parts = {
    {
        .entry = "compaction_ranks",
        .title = "ranks in a warp: ballot and popc",
        .points = 8,
        .buffers = ranks_buffers,
        .reference = ranks_reference,
        .fill = fill_flags,
        .diagnose = ranks_diagnose,
        .max_n = STEP_MOST,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = ranks_hints,
    },
    {
        .entry = "compaction_far",
        .title = "stores far beyond index 2^31",
        .points = 8,
        .buffers = far_buffers,
        .reference = far_reference,
        .fill = fill_far,
        .diagnose = far_diagnose,
        .tells_unwritten = true,
        .beyond = "element i of the run, 0 to count - 1, comes from index skip + i of s_item, and "
                  "goes to index at + i of d_out. Is `at` left out, are two of them exchanged, or "
                  "was at + i computed in 32 bits?",
        .max_n = STEP_STORES,
        .wide_n = true,
        .trial = true,
        .todos = LAB_TODO(2),
        .hints = far_hints,
    },
    {
        .entry = "compaction_select_i32",
        .title = "select_if of int",
        .points = 15,
        .buffers = select_i32_buffers,
        .reference = select_i32,
        .fill = elements_i32,
        .gates = select_4_gates,
        .gate_sizes = gate_sizes,
        .diagnose = kept_i32_diagnose,
        .tells_unwritten = true,
        .wide_n = true,
        .todos = SELECT_TODOS,
        .hints = select_hints,
    },
    {
        .entry = "compaction_select_f32",
        .title = "select_if of float",
        .points = 5,
        .buffers = select_f32_buffers,
        .reference = select_f32,
        .fill = elements_f32,
        .change = change_element,
        .gates = select_4_gates,
        .gate_sizes = gate_sizes,
        .diagnose = kept_f32_diagnose,
        .tells_unwritten = true,
        .drawn = true,
        .wide_n = true,
        .todos = SELECT_TODOS,
        .hints = select_hints,
    },
    {
        .entry = "compaction_select_i64",
        .title = "select_if of long long",
        .points = 5,
        .buffers = select_i64_buffers,
        .reference = select_i64,
        .fill = elements_i64,
        .gates = select_8_gates,
        .gate_sizes = gate_sizes,
        .diagnose = kept_i64_diagnose,
        .tells_unwritten = true,
        .wide_n = true,
        .todos = SELECT_TODOS,
        .hints = select_hints,
    },
    {
        .entry = "compaction_far_tiles",
        .title = "tiles beyond 2^32 elements, of int",
        .points = 4,
        .buffers = select_i32_buffers,
        .reference = far_tiles,
        .fill = elements_i32,
        .max_n = 3 * TILE,
        .wide_n = true,
        .step = true,
        .todos = SELECT_TODOS,
        .hints = far_hints,
    },
    {
        .entry = "compaction_partition_i32",
        .title = "partition_if of int, both sides in order",
        .points = 15,
        .buffers = partition_i32_buffers,
        .reference = partition_i32,
        .fill = elements_i32,
        .gates = partition_4_gates,
        .gate_sizes = gate_sizes,
        .diagnose = kept_i32_diagnose,
        .tells_unwritten = true,
        .wide_n = true,
        .todos = PARTITION_TODOS,
        .hints = partition_hints,
    },
    {
        .entry = "compaction_partition_f32",
        .title = "partition_if of float",
        .points = 5,
        .buffers = partition_f32_buffers,
        .reference = partition_f32,
        .fill = elements_f32,
        .change = change_element,
        .gates = partition_4_gates,
        .gate_sizes = gate_sizes,
        .diagnose = kept_f32_diagnose,
        .tells_unwritten = true,
        .wide_n = true,
        .todos = PARTITION_TODOS,
        .hints = partition_hints,
    },
    {
        .entry = "compaction_partition_i64",
        .title = "partition_if of long long",
        .points = 5,
        .buffers = partition_i64_buffers,
        .reference = partition_i64,
        .fill = elements_i64,
        .gates = partition_8_gates,
        .gate_sizes = gate_sizes,
        .diagnose = kept_i64_diagnose,
        .tells_unwritten = true,
        .wide_n = true,
        .todos = PARTITION_TODOS,
        .hints = partition_hints,
    },
    {
        .entry = "compaction_far_partition",
        .title = "both sides beyond 2^32 elements",
        .points = 2,
        .buffers = partition_i32_buffers,
        .reference = partition_i32,
        .fill = elements_i32,
        .max_n = 3 * TILE,
        .wide_n = true,
        .step = true,
        .todos = PARTITION_TODOS,
        .hints = far_hints,
    },
    {
        .entry = "compaction_words",
        .title = "publish and inspect, in place",
        .points = 8,
        .buffers = words_buffers,
        .reference = words_reference,
        .fill = fill_words,
        .max_n = STEP_STORES,
        .wide_n = true,
        .only_in_place = true,
        .trial = true,
        .todos = LAB_TODO(6),
        .hints = in_place_hints,
    },
    {
        .entry = "compaction_in_place_i32",
        .title = "select_if of int, in place",
        .points = 10,
        .buffers = select_i32_buffers,
        .reference = select_i32,
        .fill = elements_i32,
        .gates = select_4_gates,
        .gate_sizes = gate_sizes,
        .diagnose = kept_i32_diagnose,
        .tells_unwritten = true,
        .wide_n = true,
        .only_in_place = true,
        .todos = IN_PLACE_TODOS,
        .hints = in_place_hints,
    },
    {
        .entry = "compaction_in_place_f32",
        .title = "select_if of float, in place",
        .points = 5,
        .buffers = select_f32_buffers,
        .reference = select_f32,
        .fill = elements_f32,
        .change = change_element,
        .gates = select_4_gates,
        .gate_sizes = gate_sizes,
        .diagnose = kept_f32_diagnose,
        .tells_unwritten = true,
        .wide_n = true,
        .only_in_place = true,
        .todos = IN_PLACE_TODOS,
        .hints = in_place_hints,
    },
    {
        .entry = "compaction_in_place_i64",
        .title = "select_if of long long, in place",
        .points = 5,
        .buffers = select_i64_buffers,
        .reference = select_i64,
        .fill = elements_i64,
        .gates = select_8_gates,
        .gate_sizes = gate_sizes,
        .diagnose = kept_i64_diagnose,
        .tells_unwritten = true,
        .wide_n = true,
        .only_in_place = true,
        .todos = IN_PLACE_TODOS,
        .hints = in_place_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Compaction",
    .learned = "A scan turns flags into places: ranks in a warp, sums over warps, look-back over "
               "tiles. In place, a word also says that a tile has been read.",
    .file = "compaction.cu",
    .tile = TILE,
    .threads = COMPACTION_THREADS,
    .per_thread = TILE / COMPACTION_THREADS,
    .blocks_wait = true,
    .large_n = 64 * TILE + 8, /* 65 tiles, so that look-back has to go beyond a window of 32 */
    .kinds_by_n = true,
    .crowd = 64,
    .far_n = (LAB_FAR_BLOCKS + 1) * (size_t)TILE + 77,
    .taught = { "bytes moved", "tiles in one chain", "stalled tiles" },
    .parts = parts,
};
