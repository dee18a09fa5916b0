/*
 * Declaration of lab 10: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory after the gates, for tiles of T = 8192 elements of s bytes and blocks of 128 threads:
 *     launches   1: nothing is cleared before it, because a descriptor of another launch counts as
 *                INVALID
 *     bytes      s n read and s n written. To that come, for a tile: its ticket and its depth, and
 *                its descriptor written twice: 1 KiB a tile is allowed; what it reads of others'
 *                descriptors does not count
 *     atomics    1 a tile, the ticket, and 2 where A and P are published by atomics; a block that
 *                stays takes one more, that ends it
 *     barriers   3 a tile: ticket, totals of the warps, what lies before; a block that stays needs
 *                a fourth between its tiles; one spare
 *     sectors    elements move in whole sectors; descriptors of 8 bytes 24 apart, or a window that
 *                begins anywhere, do not: as many as the bytes
 *     chain      aggregates wait for nobody. So a tile waits for few others, one after the other:
 *                where all begin at once and look back one by one, for log2 of the tiles. If it
 *                waits for the prefix before it, or publishes its aggregate after it has looked
 *                back, the chain is as long as the array. Seen from what blocks store and read, of
 *                whatever layout; with few blocks resident it means nothing, since tiles that have
 *                ended have left a prefix
 *
 * How far a tile looks back depends on the schedule: no further than blocks are resident, because a
 * tile whose predecessors have all ended finds a prefix at once.
 */
#include "cases.h"
#include "diagnoses.h"
#include "lab.h"
#include "step_cases.h"
#include "usual_gates.h"

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, LOOKBACK_THREADS)

/* Besides the elements, for each tile: bytes that it publishes, sectors that it touches. How often
   a tile polls, and how much of a descriptor that reads, is left to whoever writes it. */
enum { PUBLISHED = 1 << 10, ASIDE = 1 << 13 };

static double bytes_4(size_t n) { return 2 * 4 * (double)n + PUBLISHED * (double)tiles(n); }
static double bytes_8(size_t n) { return 2 * 8 * (double)n + PUBLISHED * (double)tiles(n); }
static double eight_bytes_each(size_t n) { return 8 * (double)n; }
/* persistent blocks take one ticket more, which tells them to stop, and may count their end */
static double tickets(size_t n) { return 3 * (double)tiles(n) + 128; }
static double barriers(size_t n) { return 5 * (double)tiles(n) + 64; }
static double sectors_aside(size_t n) { return ASIDE / 32 * (double)tiles(n); }
static double one_a_tile(size_t n) { return (double)tiles(n); }
static double half_the_tiles(size_t n) { return 0.5 * (double)tiles(n); }
#define LAUNCHES                                                                                   \
    LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: a single pass",                                \
        "One kernel does it all: a tile learns what lies before it from descriptors, not from a "  \
        "launch before."
#define BLOCKS_AT_MOST                                                                             \
    LAB_BLOCKS, LAB_AT_MOST, one_a_tile, "blocks", "1 a tile",                                     \
        "Launch a block for each tile, or fewer persistent ones: more have nothing to do."
#define BYTES(limit, formula)                                                                      \
    LAB_MOVED_BUT_LOOKS, LAB_AT_MOST, limit, "bytes moved", formula,                               \
        "Keep the tile in registers between its aggregate and its store, and poll no descriptor "  \
        "that has already been seen as A or P."
#define ATOMICS                                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, tickets, "atomics",                                                  \
        "3 tiles + 128: a ticket, A and P of each tile, 128 for persistent blocks",                \
        "One thread takes the ticket and hands it to its block; descriptors have one writer "      \
        "each, which needs no atomic."
#define BARRIERS                                                                                   \
    LAB_BARRIERS, LAB_AT_MOST, barriers, "barriers",                                               \
        "5 tiles + 64: ticket, totals of the warps, what lies before the tile, and spare",         \
        "One warp looks back while the others wait at a single barrier; inside that warp votes "   \
        "and shuffles keep order."
#define SECTORS                                                                                    \
    LAB_SECTOR_EXCESS, LAB_AT_MOST, sectors_aside, "extra sectors",                                \
        "256 a tile, for descriptors of any layout",                                               \
        "Neighbouring lanes load neighbouring elements and look at neighbouring descriptors. A "   \
        "struct affine is aligned to 4 bytes, so d_in[i] takes two loads, each of which touches "  \
        "all of its sectors: load both numbers at once, as a uint2 or an unsigned long long."
#define CHAIN                                                                                      \
    LAB_CROWD_CHAIN, LAB_AT_MOST, half_the_tiles, "tiles in one chain",                            \
        "0.5 of the tiles, with 64 blocks resident: a tile that looks back waits for "             \
        "aggregates, and those wait for nobody",                                                   \
        "Tile waits for tile, as in lab 07's chain: a tile publishes its aggregate before it "     \
        "looks at any other, and takes A where there is no P yet."
#define LISTENS                                                                                    \
    LAB_CROWD_CHAIN, LAB_AT_LEAST, one, "blocks learned from",                                     \
        "1: a tile learns from another block what lies before it",                                 \
        "No block reads what another one has published: give each tile to a block, and look back."
/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints offsets_hints = {
    "Tile 2^40 begins at an element whose index has 54 bits. In how many bits is a product of two "
    "ints computed, and of a long long and an int?",
    "The product is as wide as its widest factor. So the tile's number has to be a long long "
    "before it is multiplied, and the result has to stay one.",
    "The tile's number, which is a long long, times ___.",
};
static const lab_hints publish_hints = {
    "Another block sees the status change, and takes the value at once. What if status and value "
    "came to memory by two stores, in the other order?",
    "A packed value shares its word with the status: one store, through a volatile pointer, and "
    "they cannot come apart. Any other value is stored first, in the place for A or the place for "
    "P, then comes a fence, then the word with the status alone.",
    "if the value is packed:\n"
    "    the word of the tile, as volatile = word_of the status and ___; done\n"
    "store the value in d.aggregate or d.prefix, as the status says\n"
    "___\n"
    "the word of the tile, as volatile = word_of the status and ___",
};
static const lab_hints inspect_hints = {
    "You read the word once. What may have changed if you read it a second time, for the value?",
    "Read the word once, as volatile, into a register, and take both status and packed value from "
    "it. Any other value is read from its place only if the status is not INVALID, and after a "
    "fence, so that it is not read ahead of the status.",
    "word = the tile's word, read as volatile\n"
    "seen = the status of ___\n"
    "if the value is packed: it is the lower half of ___\n"
    "else, if seen is not INVALID:\n"
    "    ___\n"
    "    the value stands in d.prefix or d.aggregate, as ___ says\n"
    "seen is what comes back",
};
static const lab_hints window_hints = {
    "Tile 7 has found A at tiles 6, 5 and 4, and P at tile 3. Which of the values does it "
    "combine, and in which order? Which tiles does it never need to look at? And what if tile 5 "
    "still says X?",
    "Lane l of the warp inspects tile nearest - l until it is no longer X. In a ballot of the P's "
    "the nearest tile has the lowest bit, and __ffs finds it; lanes beyond it have nothing to "
    "add. Lane 0 gathers the rest with shuffles from the right over rising distances, with the "
    "value of the farther lane as the left operand. No P: move on by 32.",
    "window after window, nearest = tile - 1 at first:\n"
    "    my tile is nearest - lane; below 0 my status is ___, my value the identity\n"
    "    while any lane of the warp has INVALID: the lanes that have it inspect again\n"
    "    last = the lowest lane that saw PREFIX, or ___ if none did\n"
    "    for distances 1, 2, 4, 8, 16:\n"
    "        farther = the value of the lane ___ to the right: all lanes meet this\n"
    "        if lane + distance is at most ___: v = combine(op, ___, ___)\n"
    "    before = combine(op, lane 0's v, ___)\n"
    "    with a PREFIX: *depth counts tiles from `tile` back to that one; return\n"
    "    else nearest moves by ___",
};
static const lab_hints order_hints = {
    "A block has its aggregate. Who waits for that, and who for its prefix? Blocks may start in "
    "any order: which tile may a block take, so that all tiles before its own are running?",
    "The ticket: thread 0 takes the next number by atomicInc, whose limit brings the counter back "
    "to 0 with the last block. The aggregate is published before the look-back, because the tiles "
    "after it wait for it. Tile 0 has nothing before it and publishes its prefix at once. What "
    "lies "
    "before the tile comes before what lies before the warp in it.",
    "TODO 5: thread 0: s_tile = atomicInc of the ticket, with the limit ___\n"
    "TODO 6, in the first warp:\n"
    "    if this is not tile 0:\n"
    "        one lane publishes ___\n"
    "        the whole warp looks back: before = ___\n"
    "    one lane publishes PREFIX: what lies before, combined with ___\n"
    "TODO 7: what store_items puts before the items is ___ combined with ___, in this order",
};

/* ---- the lab --------------------------------------------------------------------------------- */

#define SCAN_BUFFERS(element)                                                                      \
    LAB_ENTRIES({ .name = "d_in", .type = element },                                               \
                { .name = "d_out", .type = element, .role = LAB_OUT, .owner = LAB_BY_GRID },       \
                { .name = "d_depth",                                                               \
                  .type = LAB_I32,                                                                 \
                  .role = LAB_NOTE,                                                                \
                  .length = tiles,                                                                 \
                  .note = "tiles looked back" })

static const lab_buffers far_buffers = {
    { .name = "d_in", .type = LAB_I32 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers i32_buffers = { SCAN_BUFFERS(LAB_I32) };
static const lab_buffers f32_buffers = { SCAN_BUFFERS(LAB_F32) };
static const lab_buffers i64_buffers = { SCAN_BUFFERS(LAB_I64) };
static const lab_buffers affine_buffers = { SCAN_BUFFERS(LAB_AFFINE) };
static const lab_buffers publish_buffers = {
    { .name = "d_status", .type = LAB_I32 },
    { .name = "d_value", .type = LAB_I64 },
    { .name = "d_word", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_aggregate", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_prefix", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers inspect_buffers = {
    { .name = "d_word", .type = LAB_I64 },
    { .name = "d_aggregate", .type = LAB_I64 },
    { .name = "d_prefix", .type = LAB_I64 },
    { .name = "d_status", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_value", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers hand_over_buffers = {
    { .name = "d_value", .type = LAB_I64 },
    { .name = "d_seen", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_torn", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers window_buffers = {
    { .name = "d_word", .type = LAB_I64 },
    { .name = "d_aggregate", .type = LAB_AFFINE },
    { .name = "d_prefix", .type = LAB_AFFINE },
    { .name = "d_before", .type = LAB_AFFINE, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_depth", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers offsets_buffers = {
    { .name = "d_tile", .type = LAB_I64 },
    { .name = "d_first", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

#define EACH_ADDED                                                                                 \
    DATA_ADDED(all_but_one, "n - 1: each element but the first is combined with something")

#define GATES(bytes, bytes_formula, stored, stored_formula)                                        \
    LAB_ENTRIES({ LAUNCHES }, { NO_WAITING }, { NO_FIXED_ROOM }, { NO_FILLS },                     \
                { BYTES(bytes, bytes_formula) }, { STORED(stored, stored_formula) }, { ATOMICS },  \
                { BARRIERS }, { SECTORS }, { CHAIN }, { NOT_STALLED("64") }, { LISTENS },          \
                { SHARED_OUT("64") }, { WARPS_NEARLY_ALIKE },                                      \
                THREADS_PER_BLOCK(block_threads, "128"), { BLOCKS_AT_MOST })

#define GATES_8                                                                                    \
    GATES(bytes_8, "16n + 1024 tiles: each element read once and written once, and descriptors",   \
          eight_bytes_each, "8n: the output")

static const lab_gates gates_4 = {
    { EACH_ADDED },
    GATES(bytes_4, "8n + 1024 tiles: each element read once and written once, and descriptors",
          four_bytes_each, "4n: the output"),
};
static const lab_gates gates_8 = { { EACH_ADDED }, GATES_8 };
/* the trace of additions loses the sums of packed maps */
static const lab_gates affine_gates = { GATES_8 };

enum { LARGE = 64 * TILE + 77 }; /* 65 tiles */

/* The last of them gives the counts in the report: of 8-byte types LARGE, which is run anyway. */
static const lab_sizes sizes_4 = { 5 * TILE + 77, (size_t)1 << 20 },
                       sizes_8 = { 5 * TILE + 77, LARGE };

enum {
    ALL_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4) | LAB_TODO(5) | LAB_TODO(6) |
                LAB_TODO(7),
    STEP_TILES = 300
};

static const lab_parts parts = {
    {
        .entry = "lookback_tile_offsets",
        .title = "index of a tile's first element, far beyond 2^31",
        .points = 5,
        .buffers = offsets_buffers,
        .reference = tile_offsets_reference,
        .fill = fill_tiles,
        .diagnose = tile_offsets_diagnose,
        .max_n = 1000,
        .wide_n = true,
        .todos = LAB_TODO(1),
        .hints = offsets_hints,
    },
    {
        .entry = "lookback_publish",
        .title = "publish: a tile's status and value",
        .points = 5,
        .buffers = publish_buffers,
        .reference = publish_reference,
        .fill = fill_publish,
        .diagnose = publish_diagnose,
        .max_n = STEP_TILES,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(2),
        .hints = publish_hints,
    },
    {
        .entry = "lookback_inspect",
        .title = "inspect: what a tile has published",
        .points = 5,
        .buffers = inspect_buffers,
        .reference = inspect_reference,
        .fill = fill_inspect,
        .diagnose = inspect_diagnose,
        .max_n = STEP_TILES,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(3),
        .hints = inspect_hints,
    },
    {
        .entry = "lookback_hand_over",
        .title = "publish and inspect at the same time, by two warps",
        .points = 5,
        .buffers = hand_over_buffers,
        .reference = hand_over_reference,
        .fill = fill_values,
        .diagnose = hand_over_diagnose,
        .max_n = STEP_TILES,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(2) | LAB_TODO(3),
        .hints = inspect_hints,
    },
    {
        .entry = "lookback_window",
        .title = "look_back: windows of 32 tiles, in the array's order",
        .points = 10,
        .buffers = window_buffers,
        .reference = window_reference,
        .fill = fill_window,
        .diagnose = window_diagnose,
        .max_n = STEP_TILES,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(3) | LAB_TODO(4),
        .hints = window_hints,
    },
    {
        .entry = "lookback_i32",
        .title = "inclusive sum of int, packed descriptors",
        .points = 20,
        .buffers = i32_buffers,
        .reference = scan_i32_reference,
        .fill = fill_i32,
        .gates = gates_4,
        .gate_sizes = sizes_4,
        .diagnose = diagnose,
        .check_notes = depth_fault,
        .cancels = TILE,
        .wide_n = true,
        .todos = ALL_TODOS,
        .hints = order_hints,
    },
    {
        .entry = "lookback_f32",
        .title = "inclusive sum of float, packed descriptors",
        .points = 10,
        .buffers = f32_buffers,
        .reference = scan_f32_reference,
        .fill = lab_fill_exact,
        .gates = gates_4,
        .gate_sizes = sizes_4,
        .diagnose = diagnose,
        .check_notes = depth_fault,
        .cancels = TILE,
        .wide_n = true,
        .drawn = true,
        .todos = ALL_TODOS,
        .hints = order_hints,
    },
    {
        .entry = "lookback_i64",
        .title = "inclusive sum of long long",
        .points = 20,
        .buffers = i64_buffers,
        .reference = scan_i64_reference,
        .fill = fill_i64,
        .gates = gates_8,
        .gate_sizes = sizes_8,
        .diagnose = diagnose,
        .check_notes = depth_fault,
        .cancels = TILE,
        .wide_n = true,
        .todos = ALL_TODOS,
        .hints = order_hints,
    },
    {
        .entry = "lookback_affine",
        .title = "composition of maps x -> a x + b, which does not commute",
        .points = 15,
        .buffers = affine_buffers,
        .reference = affine_reference,
        .gates = affine_gates,
        .gate_sizes = sizes_8,
        .diagnose = diagnose,
        .check_notes = depth_fault,
        .cancels = 2 * TILE, /* maps of single tiles stay, so that their order shows */
        .wide_n = true,
        .todos = ALL_TODOS,
        .hints = order_hints,
    },
    {
        .entry = "lookback_far",
        .title = "tiles beyond 2^32 elements, of int",
        .points = 5,
        .buffers = far_buffers,
        .reference = scan_i32_reference,
        .fill = fill_i32,
        .max_n = 3 * TILE,
        .wide_n = true,
        .step = true,
        .todos = ALL_TODOS,
        .hints = offsets_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Decoupled look-back",
    .learned =
        "A tile that publishes its aggregate at once lets others look back past it. So a scan "
        "moves 2n, whatever the associative operator, and nobody waits for another tile's "
        "look-back.",
    .file = "decoupled_lookback.cu",
    .tile = TILE,
    .threads = LOOKBACK_THREADS,
    .per_thread = TILE / LOOKBACK_THREADS,
    .blocks_wait = true,
    .large_n = LARGE,
    .crowd = 64, /* so that look-back has to go beyond a window of 32 tiles */
    .far_n = (LAB_FAR_BLOCKS + 1) * (size_t)TILE + 77,
    .taught = { "bytes moved", "tiles in one chain" },
    .parts = parts,
};
