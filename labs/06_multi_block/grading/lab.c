/*
 * Declaration of lab 06: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for m = n / T tiles (rounded up) of T = 512 elements, and blocks of
 * P = 64 threads:
 *     to scan a tile     each thread sums its 8 elements, T additions; one value a thread is
 *                        scanned in log2 P steps, P log2 P - (P - 1); each thread adds the carry to
 *                        its sum, P, and scans its 8 from there, T
 *     to propagate       T additions a tile
 *     to reduce a tile   T + (P - 1); shuffles in place of the tree, 160 additions for each of the
 *                        2 warps and for their sums: T + 480
 *     barriers           log2 P = 6 steps, and one each after the load, after the last step, before
 *                        the store
 * Then the same for the m sums, as long as m > 1. Elements moved by one level, apart from those:
 *     scan, propagate    n + n, m sums written; n + n, each thread of each tile reads its tile's
 *                        carry, m P
 *     reduce, scan       n, m sums written; n + n, m P
 * With T = 8 P, m P is n/8: 3.1% of 4n, 4.2% of 3n; m is another 0.05% or 0.07%; the levels above
 * are 0.2% of this one. So 15% is ample for all that Sum[] costs, even where every thread reads for
 * itself. A partial tile is padded with zeros to T and so costs as many additions as a full one;
 * doing less there is fine.
 */
#include "multi_block.h"

enum {
    THREADS = MULTI_BLOCK_THREADS,
    TILE = MULTI_BLOCK_TILE,
    LOG2_THREADS = 6,
    WARP = 32,
    LOG2_WARP = 5,
    SECTION = TILE,
    LARGE = 1 << 20,
    IN_LAST_WORD = 496 /* the element of a tile that stands in word TILE - 1 of the padded one */
};

_Static_assert(1 << LOG2_THREADS == THREADS, "LOG2_THREADS is the logarithm of THREADS");
_Static_assert(IN_LAST_WORD + IN_LAST_WORD / MULTI_BLOCK_BANKS == TILE - 1,
               "padded(IN_LAST_WORD) is the last word of a tile that is not padded");
_Static_assert(TILE == 512 && THREADS == 64, "the texts below name 512 elements and 64 threads");

#include "section_scans.h"

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, THREADS)

static size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

/* Over all levels: every tile of each, and the kernels, of which a level with one tile takes one
   and others take two. */
static double all_tiles(size_t n)
{
    return (double)tiles(n) + (n > TILE ? all_tiles(tiles(n)) : 0);
}
static double launches(size_t n) { return n > TILE ? 2 + launches(tiles(n)) : 1; }

LIMIT(a_few, 64)

/* by warps' scans of all elements instead, 5 steps and 1 for the row before, and some for rows */
static const double scan_additions = TILE * (LOG2_WARP + 2) + 2 * THREADS;

static double half_of_lanes(size_t n) { return 0.5 * filled(n, TILE); }
/* The sum of the last tile is nobody's, so that a level has one element less than there are tiles
   below; for each but the last a kernel before and one after. */
static double least_launches(size_t n) { return n > TILE ? 2 + least_launches(tiles(n) - 1) : 1; }
/* Of each kernel. To reduce a level, or to add to it, there is no need of the last tile's block, or
   the first one's. */
static double least_of(size_t count) { return count < 8 ? (double)count : 8; }
static double least_level_blocks(size_t n)
{
    return n > TILE ? least_of(tiles(n)) + least_of(tiles(n) - 1) + least_level_blocks(tiles(n) - 1)
                    : 1;
}
static double propagate_additions(size_t n) { return all_tiles(n) * (scan_additions + TILE); }
/* by warps, the threads' sums take 32 lanes in 5 steps for each of 2 warps, and for their sums */
static double reduce_additions(size_t n)
{
    return all_tiles(n) * (TILE + (THREADS / WARP + 1) * WARP * LOG2_WARP + scan_additions);
}
static double sums_bytes(size_t n) { return n > 0 ? 4 * ((double)tiles(n) - 1) : 0; }
/* Each level is loaded and stored by up to two kernels, and may begin in the midst of a sector. */
static double sums_sectors(size_t n)
{
    return n > TILE ? 4 * ((double)tiles(n) / WARP + 2) + sums_sectors(tiles(n)) : 0;
}
static double sums_room(size_t n) { return 16 * (double)tiles(n) + 2048; }
/* the last level takes one kernel */
static double barriers(size_t n) { return (LOG2_THREADS + 3) * (2 * all_tiles(n) - 1); }
static double four_n(size_t n) { return 1.15 * 4 * four_bytes_each(n); }
static double four_n_less_a_tile(size_t n)
{
    return 0.85 * (4 * four_bytes_each(n) - 2 * four_bytes_each(TILE));
}
static double three_n(size_t n) { return 1.15 * 3 * four_bytes_each(n); }

#define ADDITIONS(limit, formula, besides)                                                         \
    LAB_ADDITIONS, LAB_AT_MOST, limit, "additions", formula,                                       \
        "A thread sums and scans its own 8 elements one after another, and only one value a "      \
        "thread goes through the steps. " besides
#define BARRIERS                                                                                   \
    LAB_BARRIERS, LAB_AT_MOST, barriers, "barriers",                                               \
        "log2 P + 3 = 9 per tile and kernel: one a step, one each after the load, after the last " \
        "step, before the store",                                                                  \
        "Only one value a thread goes through the steps: six of them, whatever the tile."
#define MOVED_TWICE                                                                                \
    LAB_BYTES_MOVED, LAB_AT_LEAST, four_n_less_a_tile, "bytes moved twice",                        \
        "0.85 * 16 (n - T/2): each element is read and written by two kernels, those of the "      \
        "first tile by one",                                                                       \
        "Less than this part is about: scan and store every tile before its carry is known, then " \
        "add it. The cheaper way is the other part."
#define BANK_CONFLICTS                                                                             \
    LAB_BANK_CONFLICTS, LAB_AT_MOST, zero, "bank conflicts",                                       \
        "0: element i in word i + i/32, so lanes 8 elements apart share no bank",                  \
        "Lanes that are 8 words apart share four banks: send every index through padded(), into "  \
        "the tile and into every other shared array."
#define SECTORS                                                                                    \
    LAB_SECTOR_EXCESS, LAB_AT_MOST, sums_sectors, "extra sectors",                                 \
        "0 of d_in and d_out, where a warp's 32 elements fill whole sectors; 4 for each 32 of "    \
        "Sum[], which may begin anywhere in memory, and 8 a level",                                \
        "Let neighbouring threads load, add to and store neighbouring elements; the 8 that a "     \
        "thread scans come from shared memory."
#define ADD_EFFICIENCY                                                                             \
    LAB_ADD_EFFICIENCY, LAB_AT_LEAST, half_of_lanes, "lanes adding",                               \
        "0.5; threads with 8 elements each, and Hillis-Steele over them, reach more than 0.9",     \
        "Most lanes idle while one adds: give each thread of the block elements of its own."
#define KERNELS                                                                                    \
    LAB_STORING_LAUNCHES, LAB_AT_LEAST, least_launches, "launches made",                           \
        "two kernels that store sums for each level of more than one tile of 512, one for the "    \
        "last: 5 at n = 2^20",                                                                     \
        "One block, one thread or the host walks over what is an array to be scanned: give each "  \
        "tile a block, and scan Sum[] as you scan d_in, in as many levels as it takes."
#define LONE_ADDITIONS                                                                             \
    LAB_LONE_ADDITIONS, LAB_AT_MOST, a_few, "additions by few lanes",                              \
        "64 beyond those of 4 adding lanes in 32, in each kernel",                                 \
        "One thread adds up value after value while all others idle: scan the sums as you scan a " \
        "tile, by the same code."
#define LEVEL_BLOCKS                                                                               \
    LAB_BLOCKS, LAB_AT_LEAST, least_level_blocks, "blocks",                                        \
        "in each kernel one a tile, where there are up to 8; else 8",                              \
        "One block walks over tile after tile, and the rest of the GPU idles: give each tile a "   \
        "block, on every level."
#define SUM_ALLOCATED                                                                              \
    LAB_ALLOCATED, LAB_AT_LEAST, sums_bytes, "bytes allocated",                                    \
        "4 for each tile that another one follows: Sum[]",                                         \
        "Allocate Sum[] in each call, by cudaMalloc and for this n: an array of fixed size is "    \
        "too small for a larger n."
/* so little that an array of that size is too small for the large n */
#define SUM_NO_LARGER                                                                              \
    LAB_ALLOCATED, LAB_AT_MOST, sums_room, "bytes allocated at most", "16 tiles + 2048",           \
        "Allocate Sum[] for this n, a float for each tile that another one follows: an array of "  \
        "one size for all n is too large for most, and too small for the others."
#define LEVELS                                                                                     \
    LAB_LAUNCHES, LAB_AT_MOST, launches, "launches",                                               \
        "two kernels for each level of more than one tile of 512, one for the last: 5 at n = "     \
        "2^20",                                                                                    \
        "A level takes one kernel before its sums are scanned and one after; a level of one tile " \
        "takes one."

/* ---- diagnosis: what a slip takes for the sum of all tiles before tile b --------------------- */

typedef enum slip {
    NOTHING_CARRIED,
    ONE_TILE_CARRIED,   /* Sum[] is never scanned */
    ONE_BLOCK_OF_SUMS,  /* only the first tile of Sum[] is scanned */
    SUMS_NOT_CONNECTED, /* each tile of Sum[] is scanned, on its own */
    OWN_SUM_ADDED,      /* the inclusive scan of Sum[] at b */
    ONE_THREAD_CARRIES  /* the right sum, in the first thread's elements only */
} slip;

/* Sum of the first b tiles. */
static float before(const lab_mismatch *m, size_t b)
{
    const float *expected = m->expected;
    return b == 0 ? 0 : b * TILE <= m->n ? expected[b * TILE - 1] : expected[m->n - 1];
}

/* What element i gets from the tiles before its own. */
static float slipped_carry(const lab_mismatch *m, slip kind, size_t i)
{
    const size_t b = i / TILE;

    if (kind == OWN_SUM_ADDED)
        return before(m, b + 1);
    if (kind == NOTHING_CARRIED || b == 0)
        return 0;
    const size_t last = b - 1; /* of the sums that Sum[] should have added up */

    switch (kind) {
    case ONE_BLOCK_OF_SUMS: return before(m, b) - (last < TILE ? 0 : before(m, last));
    case SUMS_NOT_CONNECTED: return before(m, b) - before(m, last - last % TILE);
    case ONE_THREAD_CARRIES: return i % TILE < MULTI_BLOCK_PER_THREAD ? before(m, b) : 0;
    default: return before(m, b) - before(m, last);
    }
}

/* Does got hold what this slip leaves? Not everybody keeps the last tile's sum, which then cannot
   be added to it, or adds something to the first tile. */
static bool is_slip(const lab_mismatch *m, slip kind)
{
    const float *expected = m->expected, *got = m->got;

    for (size_t i = 0; i < m->n; i++) {
        const size_t b = i / TILE;
        const float alone = expected[i] - before(m, b);
        const bool spared = kind == OWN_SUM_ADDED && (b == 0 || b + 1 == tiles(m->n));
        if (got[i] != alone + slipped_carry(m, kind, i) && !(spared && got[i] == alone))
            return false;
    }
    return true;
}

static const char *diagnose(const lab_mismatch *m)
{
    if (m->n <= TILE)
        return NULL;
    if (is_slip(m, NOTHING_CARRIED))
        return "every tile is scanned as if it were the first: nothing of the tiles before it is "
               "added";
    if (is_slip(m, OWN_SUM_ADDED))
        return "every tile's own sum is added to it once more: add to tile b the scan of Sum[] up "
               "to tile b - 1";
    if (is_slip(m, ONE_THREAD_CARRIES))
        return "only the first thread of a tile starts from the carry: each thread adds it to the "
               "sum of those before it";
    if (m->n > 2 * TILE && is_slip(m, ONE_TILE_CARRIED))
        return "every tile gets the sum of the one tile before it: Sum[] itself still has to be "
               "scanned";
    if (tiles(m->n) > TILE && is_slip(m, ONE_BLOCK_OF_SUMS))
        return "right for the first 512 tiles, whose sums fit one tile: Sum[] is longer than one "
               "block can scan, so scan it as you scan any array, by the entry itself";
    if (tiles(m->n) > TILE && is_slip(m, SUMS_NOT_CONNECTED))
        return "the tiles of Sum[] are scanned, but nothing is carried from one to the next: one "
               "level more is needed, and for a larger n still more";
    return NULL;
}

/* ---- steps: the kernels one by one ----------------------------------------------------------- */

static size_t followed_tiles(size_t n) { return n > 0 ? tiles(n) - 1 : 0; }

static void tile_sums_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *sum = buffers[1];

    for (size_t b = 0; b < followed_tiles(n); b++) {
        sum[b] = 0;
        for (size_t k = 0; k < TILE; k++)
            sum[b] += in[b * TILE + k];
    }
}

static const char *tile_sums_diagnose(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got;
    const size_t last = (m->index + 1) * TILE - 1;
    float sum = 0, up_to_496 = 0;

    for (size_t k = m->index * TILE; k < last; k++) {
        sum += in[k];
        up_to_496 = k == last - TILE + 1 + IN_LAST_WORD ? sum : up_to_496;
    }
    if (got[m->index] == up_to_496)
        return "it is the scan up to element 496, which stands in word 511: the last element "
               "stands in word padded(TILE - 1)";
    if (got[m->index] == in[last])
        return "it is the tile's last element, not its sum: save it after the scan";
    if (got[m->index] == sum)
        return "the tile's last element is not in its sum";
    float own = sum + in[last];
    for (size_t k = last + 1 - MULTI_BLOCK_PER_THREAD; k <= last; k++)
        own += in[k];
    if (got[m->index] == own)
        return "the elements of the last thread are in the sum twice: does sum_before give each "
               "thread the sum of those before it, without its own?";
    return last + 1 < m->n && got[m->index] == sum + in[last] + in[last + 1]
               ? "the first element of the next tile is in the sum as well: is a bound off by one?"
               : NULL;
}

static void propagate_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0], *sum = buffers[1];
    float *out = buffers[2];

    for (size_t i = 0; i < n; i++)
        out[i] = in[i] + (i < TILE ? 0 : sum[i / TILE - 1]);
}

static const char *propagate_diagnose(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *sum = m->inputs[1], *got = m->got;
    const size_t i = m->index, end = i / TILE * TILE + TILE;
    bool none = i % TILE == 0;

    for (size_t k = i; k < end && k < m->n; k++)
        none = none && got[k] == in[k];
    if (none)
        return "nothing was added to the tile";
    if (got[i] == in[i] && i % TILE >= THREADS)
        return "only the first elements of a tile get what lies before it: a thread has more than "
               "one of them";
    if (got[i] == in[i] + sum[i / TILE])
        return "the tile's own place of Sum[] was added: tile b lacks the scan up to tile b - 1";
    return NULL;
}

static void scan_from_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0], *carry = buffers[1];
    float *out = buffers[2];

    for (size_t i = 0; i < n; i++)
        out[i] = (i % TILE == 0 ? carry[i / TILE] : out[i - 1]) + in[i];
}

static const char *scan_from_diagnose(const lab_mismatch *m)
{
    const float *carry = m->inputs[1], *expected = m->expected, *got = m->got;
    const size_t i = m->index;

    if (got[i] != expected[i] - carry[i / TILE])
        return NULL;
    const size_t next = i + MULTI_BLOCK_PER_THREAD; /* the second thread's */
    if (i % TILE == 0 && (next >= m->n || got[next] == expected[next]))
        return "the carry is not in the first thread's elements: sum_before gives that thread 0, "
               "whatever it brought itself";
    if (i % TILE == 0)
        return "the tile is scanned, and the carry is not in it";
    return i % TILE == MULTI_BLOCK_PER_THREAD
               ? "only the first thread of a tile starts from the carry: each thread adds it to "
                 "the sum of those before it"
               : NULL;
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints sums_hints = {
    "The tile is scanned. Which of its 512 elements is the sum of all of them, and which thread "
    "may read it after the last barrier?",
    "The last element of an inclusive scan is the sum. It stands in shared memory, in the padded "
    "place of that element. One thread saves it. The last tile's sum is needed by nobody, and "
    "Sum[] may have no place for it.",
    "one thread, and only in blocks that ___:\n"
    "    d_sum[___] = the padded element ___ of the tile",
};
static const lab_hints propagate_hints = {
    "Tile 5 has been scanned on its own. Which one number does every element of it still lack, "
    "and in which place of the scanned Sum[] is it?",
    "Sum[] has been scanned inclusively: place b holds the sum of tiles 0 to b. That is what tile "
    "b + 1 lacks. Tile 0 lacks nothing, so block b works on tile b + 1. Neighbouring threads take "
    "neighbouring elements.",
    "first = the first element of tile ___\n"
    "before = d_sum[___]\n"
    "for k = threadIdx.x, THREADS further, ... below TILE:\n"
    "    if first + k lies below n:\n"
    "        d_out[first + k] += ___",
};
static const lab_hints levels_hints = {
    "How many elements does Sum[] have if n is a million, and how many can one block scan? Who "
    "scans the rest?",
    "Sum[] is an array to be scanned, like d_in: call the entry itself for it. That ends when one "
    "tile is left. It may be scanned in place, because a block has read its tile before it writes "
    "it.",
    "with more than one tile:\n"
    "    allocate Sum[], a float for each tile that ___\n"
    "    scan the tiles into d_out, saving their sums\n"
    "    scan Sum[] in place, by calling ___\n"
    "    propagate, with one block for each tile that ___\n"
    "with one tile: only the scan\n"
    "free what you allocated",
};
static const lab_hints carry_hints = {
    "Every thread knows the sum of the threads before it in the tile. What lies before thread 0, "
    "and before all of them, if the tile is not the first?",
    "The carry comes before every element of the tile. Each thread starts its own 8 elements from "
    "a sum; add the carry to that sum once, and all 8 get it.",
    "Where a thread's sum begins with what sum_before returns, it begins with that and ___ "
    "instead.",
};
static const lab_hints reduce_hints = {
    "Sum 512 elements with 64 threads. How many does each thread add by itself, and which ones, "
    "so that neighbouring threads read neighbours?",
    "Each thread adds elements t, t + THREADS, ... in a register. Then 64 values are left, one a "
    "thread: lab 03's tree, with a barrier before each step.",
    "sum = 0; for k = t, THREADS further, ... below TILE: add element ___ to it\n"
    "store it in shared memory, place ___\n"
    "for strides ___, half of that, ... 1:\n"
    "    a barrier\n"
    "    if t is below the stride: place t += place ___\n"
    "one thread stores place ___ in d_sum",
};
static const lab_hints three_n_hints = {
    "In the first way each element is written twice. If you knew what lies before a tile when you "
    "scan it, what would be left to do afterwards?",
    "First only sum the tiles, and scan the sums as before, by the entry itself. Then each tile "
    "is scanned once, from what lies before it. Tile 0 starts from 0.",
    "scan_tiles_from: the carry of block b is d_sum[___], and of block 0 it is ___\n"
    "the entry, with more than one tile:\n"
    "    allocate Sum[], a float for each tile that another follows\n"
    "    reduce those tiles into it\n"
    "    scan it in place, by calling ___\n"
    "then scan all tiles from it, and free it",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_STRIPE },
};

static const lab_buffers tile_sums_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_sum",
      .type = LAB_F32,
      .role = LAB_OUT,
      .length = followed_tiles,
      .owner = LAB_BY_BLOCK },
};
static const lab_buffers propagate_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_sum", .type = LAB_F32, .length = tiles },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_STRIPE },
};
static const lab_buffers scan_from_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_carry", .type = LAB_F32, .length = tiles },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_STRIPE },
};

/* What both parts have to stay within. */
#define BOTH                                                                                       \
    LAB_ENTRIES({ KERNELS },                                                                       \
                { ADDITIONS_MADE(all_but_one,                                                      \
                                 "n - 1: each element but the first is added to something") },     \
                { ALL_IN_FLOAT }, { BARRIERS }, { ADD_EFFICIENCY }, { BANK_CONFLICTS },            \
                { SECTORS }, { LEVELS }, { NO_ATOMICS }, { LONE_ADDITIONS }, { LEVEL_BLOCKS },     \
                { BLOCKS_ALIKE }, { SUM_ALLOCATED }, { SUM_NO_LARGER }, { NOTHING_LEFT },          \
                { FEW_FILLED }, THREADS_PER_BLOCK(block_threads, "64"))

static const lab_gates propagate_gates = {
    BOTH,
    { ADDITIONS(
        propagate_additions,
        "8T + 2P = 4224 per tile of T = 512 and P = 64 threads, Sum[]'s tiles too: room for "
        "scans by shuffles; runs of 8 take 1921",
        "The sum of a tile stands at the end of its scan: no kernel has to add it up "
        "again.") },
    { LAB_BYTES_MOVED, LAB_AT_MOST, four_n, "bytes moved",
      "1.15 * 16n: each element read and written twice, and 15% for Sum[]",
      "Each of two kernels reads and writes every element once, and each block one sum." },
    { MOVED_TWICE },
};

static const lab_gates reduce_gates = {
    BOTH,
    { ADDITIONS(reduce_additions,
                "8T + 2P + 480 = 4704 per tile of T = 512 and P = 64 threads, Sum[]'s tiles too: "
                "room for sums and scans by shuffles; a tree and runs of 8 take 1984",
                "Reduce each tile once and scan it once, from its carry: then nothing is left to "
                "add to it.") },
    { LAB_BYTES_MOVED, LAB_AT_MOST, three_n, "bytes moved",
      "1.15 * 12n: each element read twice and written once, and 15% for Sum[]",
      "The first kernel writes only one sum a tile; the second one scans the elements and writes "
      "them." },
};

/* The large size is one of them: 2^20 elements make 2048 tiles, so that Sum[] takes two levels of
   its own. */
static const lab_sizes gate_sizes = { TILE, 8 * TILE, 5 * TILE + 77,
                                      2 * TILE + 55 /* has large ones: lab_fill_large */, LARGE };

static const lab_parts parts = {
    {
        .entry = "multi_block_tile_sums",
        .title = "scan_tiles: it saves the sum of its tile",
        .points = 5,
        .buffers = tile_sums_buffers,
        .reference = tile_sums_reference,
        .diagnose = tile_sums_diagnose,
        .max_n = MULTI_BLOCK_STEP_N,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = sums_hints,
    },
    {
        .entry = "multi_block_propagate",
        .title = "propagate: a tile gets what lies before it",
        .points = 5,
        .buffers = propagate_buffers,
        .reference = propagate_reference,
        .diagnose = propagate_diagnose,
        .max_n = MULTI_BLOCK_STEP_N,
        .step = true,
        .todos = LAB_TODO(2),
        .hints = propagate_hints,
    },
    {
        .entry = "scan_then_propagate",
        .title = "scan the tiles, then add what lies before each",
        .points = 45,
        .buffers = in_out,
        .reference = scan_f32_reference,
        .fill = lab_fill_large,
        .cancels = TILE,
        .gates = propagate_gates,
        .gate_sizes = gate_sizes,
        .no_memory = LARGE,
        .diagnose = diagnose,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
        .hints = levels_hints,
    },
    {
        .entry = "multi_block_scan_from",
        .title = "scan_tile: it starts from its carry",
        .points = 5,
        .buffers = scan_from_buffers,
        .reference = scan_from_reference,
        .diagnose = scan_from_diagnose,
        .max_n = MULTI_BLOCK_STEP_N,
        .step = true,
        .todos = LAB_TODO(4),
        .hints = carry_hints,
    },
    {
        .entry = "multi_block_reduce",
        .title = "reduce_tiles: the sum of each tile",
        .points = 5,
        .buffers = tile_sums_buffers,
        .reference = tile_sums_reference,
        .diagnose = tile_sums_diagnose,
        .max_n = MULTI_BLOCK_STEP_N,
        .step = true,
        .todos = LAB_TODO(5),
        .hints = reduce_hints,
    },
    {
        .entry = "reduce_then_scan",
        .title = "sum the tiles, then scan each from what lies before it",
        .points = 35,
        .buffers = in_out,
        .reference = scan_f32_reference,
        .fill = lab_fill_large,
        .cancels = TILE,
        .gates = reduce_gates,
        .gate_sizes = gate_sizes,
        .no_memory = LARGE,
        .diagnose = diagnose,
        .drawn = true,
        .todos = LAB_TODO(4) | LAB_TODO(5) | LAB_TODO(6) | LAB_TODO(7),
        .hints = three_n_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Multi-block scan",
    .learned =
        "The sums of blocks are an array to scan like any other. What counts is elements moved: "
        "4n if they are stored twice, 3n if they are read twice.",
    .file = "multi_block.cu",
    .tile = TILE,
    .threads = THREADS,
    .per_thread = MULTI_BLOCK_PER_THREAD,
    .large_n = LARGE,
    .taught = { "launches", "bytes moved" },
    .parts = parts,
};
