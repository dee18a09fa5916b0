/*
 * Declaration of lab 15: parts, gates and hints. See common/lab/lab.h for what each field means;
 * cases.h has data and references, diagnoses.h what wrong answers come from.
 *
 * The theory behind the gates, for tiles of T = 4096 keys of s bytes in r runs, and blocks of 256
 * threads; launches, atomics and sectors as in lab 14:
 *     bytes      s n read and (s + 4) r written; by key 2 s n and 2 s r. To that come, for a tile:
 *                its ticket, its descriptor written twice, the key before each warp, and one look
 *                at 32 or 64 descriptors of 16 bytes: 2 %, and 1024 bytes a tile where look-back
 *                has to go far
 *     barriers   5 a tile: ticket, pairs of the warps, keys in place, keys read, lengths or sums in
 *                place; a block that stays needs one more between its tiles. Threads that take 16
 *                neighbours need three more, as keys and then values pass through shared memory on
 *                their way in; one spare
 *
 * How many runs a case has is fixed by n, so that limits stay functions of n: see cases.h.
 */
#include "cases.h"
#include "diagnoses.h"
#include "../../14_compaction/grading/single_pass.h"

/* ---- limits and gates ------------------------------------------------------------------------ */

static double barriers(size_t n) { return 10 * (double)tiles(n) + 64; }

#define TILE_BARRIERS                                                                              \
    BARRIERS(barriers,                                                                             \
             "10 tiles + 64: ticket, keys and values on their way in, pairs of the warps, keys "   \
             "and then lengths or sums in order, end, and spare")

static double runs_4_bytes(size_t n) { return bytes_of(4 * n, (4 + 4) * runs(n)); }
static double runs_4_sectors(size_t n) { return sectors_of(4 * n, (4 + 4) * runs(n), n); }
static double runs_4_stored(size_t n) { return (double)((4 + 4) * runs(n)); }
static double runs_8_bytes(size_t n) { return bytes_of(8 * n, (8 + 4) * runs(n)); }
static double runs_8_sectors(size_t n) { return sectors_of(8 * n, (8 + 4) * runs(n), n); }
static double runs_8_stored(size_t n) { return (double)((8 + 4) * runs(n)); }
static double by_key_4_bytes(size_t n) { return bytes_of(8 * n, 8 * runs(n)); }
static double by_key_4_sectors(size_t n) { return sectors_of(8 * n, 8 * runs(n), n); }
static double by_key_4_stored(size_t n) { return (double)(8 * runs(n)); }
static double by_key_8_bytes(size_t n) { return bytes_of(16 * n, 16 * runs(n)); }
static double by_key_8_sectors(size_t n) { return sectors_of(16 * n, 16 * runs(n), n); }
static double by_key_8_stored(size_t n) { return (double)(16 * runs(n)); }

static const lab_gates runs_4_gates = {
    ONE_PASS,
    { DATA_MOVED(runs_4_bytes, "(4n + 8 per run)") },
    { KEPT_STORED(runs_4_stored, "8 per run") },
    { DESCRIPTORS_ALONE },
    { DATA_SECTORS(runs_4_sectors) },
    { TICKETS },
    { TILE_BARRIERS },
    TILES_SHARED,
};
static const lab_gates runs_8_gates = {
    ONE_PASS,
    { DATA_MOVED(runs_8_bytes, "(8n + 12 per run)") },
    { KEPT_STORED(runs_8_stored, "12 per run") },
    { DESCRIPTORS_ALONE },
    { DATA_SECTORS(runs_8_sectors) },
    { TICKETS },
    { TILE_BARRIERS },
    TILES_SHARED,
};
static const lab_gates by_key_4_gates = {
    ONE_PASS,
    { DATA_MOVED(by_key_4_bytes, "(8n + 8 per run)") },
    { KEPT_STORED(by_key_4_stored, "8 per run") },
    { DESCRIPTORS_ALONE },
    { DATA_SECTORS(by_key_4_sectors) },
    { TICKETS },
    { TILE_BARRIERS },
    TILES_SHARED,
};
static const lab_gates by_key_8_gates = {
    ONE_PASS,
    { DATA_MOVED(by_key_8_bytes, "(16n + 16 per run)") },
    { KEPT_STORED(by_key_8_stored, "16 per run") },
    { DESCRIPTORS_ALONE },
    { DATA_SECTORS(by_key_8_sectors) },
    { TICKETS },
    { TILE_BARRIERS },
    TILES_SHARED,
};

/* with several tiles: runs of three tiles, of a tile and one more, of 6 elements, of 500 */
static const lab_sizes gate_sizes = { TILE + 7, 5 * TILE + 3, 6 * TILE + 7, 7 * TILE + 8,
                                      12 * TILE + 4 };

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints heads_hints = {
    "Each element looks at the one to its left. Where is that for lane 0 of a row, for the first "
    "row of a warp, and for the first element of a tile?",
    "Inside a row a shuffle brings it. Lane 0 needs lane 31's key of the row before, which every "
    "lane can get by a shuffle. For the first row that is the key before the warp's first one: "
    "lane 0 loads it, unless it is element 0 of all. Elements beyond the end are no heads.",
    "last = in lane 0, the key at the warp's first index less 1, if there is one\n"
    "for each row:\n"
    "    previous = lane 0: ___; other lanes: ___ of the lane to the left\n"
    "    a head: inside the array, and element 0 or ___ of the two fails\n"
    "    last = lane ___'s key",
};
static const lab_hints lengths_hints = {
    "Heads of the row are bits of a ballot. Which bit tells lane 9 where its run began, and what "
    "if "
    "there is none to its left?",
    "The highest bit below the lane's own: 31 less __clz of those bits. With none, the run goes on "
    "from the rows before: its length at the row's beginning, and the lane's number. The last "
    "row may be short: only elements of the array count.",
    "since = 0\n"
    "for each row:\n"
    "    left = the row's heads below the lane\n"
    "    open = lane less the highest of left; with none: ___\n"
    "    there = elements of the row that ___\n"
    "    since = there less the row's highest head; with none: ___",
};
static const lab_hints join_hints = {
    "The left part has 3 heads and 7 open, the right one 2 heads and 4 open. How long is the "
    "unfinished run after both? And if the right part has no head?",
    "Heads add up. A head in the right part closes the unfinished run of the left one, so the "
    "right "
    "one's alone is open then; with no head there, both belong to one run.",
    "heads: the sum of ___\n"
    "open: with a head in ___: its own; else add of ___ and ___",
};
static const lab_hints runs_hints = {
    "A run ends where the next one begins. Which thread knows that, and what does it know of the "
    "length? Which run has no next one?",
    "The head with number k, counted from 0, closes run k - 1, and its open part before the head "
    "is "
    "the length: in its warp, or, for a warp's first head, with what all before the warp have "
    "open. Head 0 closes "
    "nothing. The last tile closes the last run, with what is left open at the end.",
    "left = join of ___ and ___\n"
    "each head: open of its row; at rank 0 add of left's and ___, into its place in s_item\n"
    "___\n"
    "tile 0 skips ___; store_run to d_totals from `before`'s heads and skip less ___\n"
    "where the array ends, thread 0: join of before and ___ has the last run and the count",
};
/* of stores and tiles beyond 2^31 */
static const lab_hints far_hints = {
    "`at` may be 2^41. In which type is the sum of `at` and a thread's number computed, and in "
    "which is it kept?",
    "Thread t takes the elements t, t + 256, t + 512 and so on: neighbours store to neighbours. "
    "Only the small index is an int; the sum with `at` stays a long long.",
    "for i from ___ while below `count`, in steps of ___:\n"
    "    element `skip` + i of s_item goes to index ___ of d_out",
};
static const lab_hints sums_hints = {
    "A warp's scan adds the lane d to the left in each step. What has to stop it at a head, so "
    "that "
    "no lane adds what belongs to the run before?",
    "Each lane knows, from the row's ballot, the nearest head up to itself. It adds the lane at a "
    "distance only if that is not left of this head. With no head up to itself it adds the carry "
    "of the rows before. The open sum before a lane is then its left neighbour's.",
    "start = the highest head up to the lane itself, or 0\n"
    "for distances 1, 2, 4, 8, 16:\n"
    "    other = the sum of the lane to the left: all lanes meet this\n"
    "    if that lane is not before ___: sum = add of ___\n"
    "no head up to the lane: add ___\n"
    "open = the sum of ___; lane 0: ___\n"
    "the next row's carry: the sum of ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers runs_i32_buffers = {
    { .name = "d_keys", .type = LAB_I32 },
    { .name = "d_unique", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_lengths", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers runs_f32_buffers = {
    { .name = "d_keys", .type = LAB_F32 },
    { .name = "d_unique", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_lengths", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers runs_i64_buffers = {
    { .name = "d_keys", .type = LAB_I64 },
    { .name = "d_unique", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_lengths", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers by_key_f32_buffers = {
    { .name = "d_keys", .type = LAB_I32 },
    { .name = "d_values", .type = LAB_F32 },
    { .name = "d_unique", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_sums", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers by_key_i32_buffers = {
    { .name = "d_keys", .type = LAB_F32 },
    { .name = "d_values", .type = LAB_I32 },
    { .name = "d_unique", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_sums", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers by_key_i64_buffers = {
    { .name = "d_keys", .type = LAB_I64 },
    { .name = "d_values", .type = LAB_I64 },
    { .name = "d_unique", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    { .name = "d_sums", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers heads_buffers = {
    { .name = "d_keys", .type = LAB_F32 },
    { .name = "d_head", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers lengths_buffers = {
    { .name = "d_head", .type = LAB_I32 },
    { .name = "d_open", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_last", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = warps },
};
static const lab_buffers sums_buffers = {
    { .name = "d_head", .type = LAB_I32 },
    { .name = "d_value", .type = LAB_I32 },
    { .name = "d_open", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_last", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = warps },
};
static const lab_buffers join_buffers = {
    { .name = "d_heads", .type = LAB_I64 },
    { .name = "d_sum", .type = LAB_I32 },
    { .name = "d_joined_heads", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_joined_sum", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

enum {
    STEP_MOST = 20000,
    RUNS_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4),
    BY_KEY_TODOS = RUNS_TODOS | LAB_TODO(5)
};

static const lab_parts parts = {
    {
        .entry = "runs_heads",
        .title = "where runs begin",
        .points = 9,
        .buffers = heads_buffers,
        .reference = heads_reference,
        .fill = keys_f32,
        .max_n = STEP_MOST,
        .diagnose = heads_diagnose,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = heads_hints,
    },
    {
        .entry = "runs_open_lengths",
        .title = "how many elements are open before each",
        .points = 9,
        .buffers = lengths_buffers,
        .reference = lengths_reference,
        .fill = fill_flags,
        .diagnose = open_diagnose,
        .max_n = STEP_MOST,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(2),
        .hints = lengths_hints,
    },
    {
        .entry = "runs_join",
        .title = "pairs of heads and the unfinished run after them",
        .points = 9,
        .buffers = join_buffers,
        .reference = join_reference,
        .fill = fill_pairs,
        .max_n = STEP_MOST,
        .diagnose = join_diagnose,
        .wide_n = true,
        .trial = true,
        .todos = LAB_TODO(3),
        .hints = join_hints,
    },
    {
        .entry = "runs_lengths_i32",
        .title = "run_length_encode of int",
        .points = 18,
        .buffers = runs_i32_buffers,
        .reference = runs_i32,
        .fill = keys_i32,
        .gates = runs_4_gates,
        .gate_sizes = gate_sizes,
        .diagnose = runs_i32_diagnose,
        .drawn = true,
        .counts_changes = true,
        .wide_n = true,
        .todos = RUNS_TODOS,
        .hints = runs_hints,
    },
    {
        .entry = "runs_lengths_f32",
        .title = "run_length_encode of float",
        .points = 6,
        .buffers = runs_f32_buffers,
        .reference = runs_f32,
        .fill = keys_f32,
        .change = change_key,
        .gates = runs_4_gates,
        .gate_sizes = gate_sizes,
        .diagnose = runs_f32_diagnose,
        .wide_n = true,
        .todos = RUNS_TODOS,
        .hints = runs_hints,
    },
    {
        .entry = "runs_lengths_i64",
        .title = "run_length_encode of long long",
        .points = 6,
        .buffers = runs_i64_buffers,
        .reference = runs_i64,
        .fill = keys_i64,
        .gates = runs_8_gates,
        .gate_sizes = gate_sizes,
        .diagnose = runs_i64_diagnose,
        .wide_n = true,
        .todos = RUNS_TODOS,
        .hints = runs_hints,
    },
    {
        .entry = "runs_far_lengths",
        .title = "runs beyond 2^32",
        .points = 2,
        .buffers = runs_i32_buffers,
        .reference = far_runs,
        .fill = keys_i32,
        .max_n = 3 * TILE,
        .wide_n = true,
        .step = true,
        .todos = RUNS_TODOS,
        .hints = far_hints,
    },
    {
        .entry = "runs_open_sums",
        .title = "the open sum before each element",
        .points = 9,
        .buffers = sums_buffers,
        .reference = sums_reference,
        .fill = fill_flags,
        .diagnose = open_diagnose,
        .max_n = STEP_MOST,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(5),
        .hints = sums_hints,
    },
    {
        .entry = "runs_sums_f32",
        .title = "reduce_by_key: int keys, float values",
        .points = 18,
        .buffers = by_key_f32_buffers,
        .reference = by_key_f32,
        .fill = pairs_f32,
        .gates = by_key_4_gates,
        .gate_sizes = gate_sizes,
        .diagnose = runs_i32_diagnose,
        .counts_changes = true,
        .wide_n = true,
        .todos = BY_KEY_TODOS,
        .hints = sums_hints,
    },
    {
        .entry = "runs_far_sums",
        .title = "sums of runs beyond 2^32",
        .points = 2,
        .buffers = by_key_f32_buffers,
        .reference = far_by_key,
        .fill = pairs_f32,
        .max_n = 3 * TILE,
        .wide_n = true,
        .step = true,
        .todos = BY_KEY_TODOS,
        .hints = far_hints,
    },
    {
        .entry = "runs_sums_i32",
        .title = "reduce_by_key: float keys, int values",
        .points = 6,
        .buffers = by_key_i32_buffers,
        .reference = by_key_i32,
        .fill = pairs_i32,
        .change = change_key,
        .gates = by_key_4_gates,
        .gate_sizes = gate_sizes,
        .diagnose = runs_f32_diagnose,
        .wide_n = true,
        .todos = BY_KEY_TODOS,
        .hints = sums_hints,
    },
    {
        .entry = "runs_sums_i64",
        .title = "reduce_by_key: long long keys and values",
        .points = 6,
        .buffers = by_key_i64_buffers,
        .reference = by_key_i64,
        .fill = pairs_i64,
        .gates = by_key_8_gates,
        .gate_sizes = gate_sizes,
        .diagnose = runs_i64_diagnose,
        .wide_n = true,
        .todos = BY_KEY_TODOS,
        .hints = sums_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Runs",
    .learned =
        "Runs are a scan of pairs, which do not commute: left stays left, in look-back, too.",
    .file = "runs.cu",
    .tile = TILE,
    .threads = COMPACTION_THREADS,
    .per_thread = TILE / COMPACTION_THREADS,
    .blocks_wait = true,
    .large_n = 64 * TILE + 8, /* 65 tiles, so that look-back has to go beyond a window of 32 */
    .kinds_by_n = true,
    .crowd = 64,
    .far_n = (LAB_FAR_BLOCKS + 1) * (size_t)TILE + 77,
    .borrowed = { "14_compaction/compaction.h", "14_compaction/elements.h",
                  "14_compaction/tile_steps.h", "14_compaction/words.h" },
    .taught = { "bytes moved", "tiles in one chain", "stalled tiles" },
    .parts = parts,
};
