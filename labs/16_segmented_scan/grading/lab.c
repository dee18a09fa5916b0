/*
 * Declaration of lab 16: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for sections of S = 512 and tiles of T = 4096 elements:
 *     tree       a pair that joins adds once, or not at all where the right one has a head: up and
 *                down 2 (S - 1) at most
 *     bytes      4 for an element read, 1 for its flag, 4 for what is written: 9n, or 2.25 times
 *                the array. To that come, for a tile: its ticket and its depth, its descriptor
 *                written once or twice, and a look at 32 others, of 8 bytes each. A window comes to
 *                0.7 % of the tile's 9 T bytes; 2 % are allowed
 *     offsets    8 bytes for each segment, both of its ends, so that empty ones are seen; for its
 *                sum once more, and 4 to store it. The searches take 2 log2 (S + 1) loads a tile: 1
 *                KiB a tile is allowed for these and the descriptors
 *     chain      as in lab 10. A tile with a head publishes its prefix before it looks at any other
 *                one, so that where each has a head nobody waits for a look-back: depth 1
 *     shares     elements and ends of segments together are cut into equal shares. A share of ends
 *                alone takes somewhat more instructions than one of elements alone: twice a mean
 *                block's are allowed
 */
#include <math.h>

#include "cases.h"
#include "diagnoses.h"
#include "lab.h"
#include "segmented_scan.h"

enum { LOG2_SECTION = 9 };

_Static_assert(1 << LOG2_SECTION == SECTION, "LOG2_SECTION is the logarithm of SECTION");

#include "usual_gates.h"

static size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }
static double sections(size_t n) { return (double)((n + SECTION - 1) / SECTION); }
static double least_blocks(size_t n) { return sections(n) < 8 ? sections(n) : 8; }
static size_t shares(size_t n) { return (n + segments(n) + TILE - 1) / TILE; }

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, SEGMENTED_THREADS)
LIMIT(section_threads, SEGMENTED_SECTION)
static double additions(size_t n) { return sections(n) * 2 * (SECTION - 1); }
static double barriers(size_t n) { return (2 * LOG2_SECTION + 2) * sections(n); }
/* two of three, where segments are long enough that a right scan adds more */
static double sums_made(size_t n)
{
    return n == SECTIONS_COUNTED || n == TILES_COUNTED ? (double)n * 2 / 3 : 0;
}
static double two_bytes_each(size_t n) { return 2 * (double)n; }
static double five_bytes_each(size_t n) { return 5 * (double)n; }
static double nine_bytes_each(size_t n)
{
    return 9 * (double)n + 0.02 * 9 * TILE * (double)tiles(n);
}
enum { ASIDE = 1 << 10 };
static double backward_bytes(size_t n)
{
    return 8 * (double)n + 12 * (double)offsets(n) + ASIDE * (double)tiles(n);
}
static double sums_bytes(size_t n)
{
    return 4 * (double)n + 24 * (double)offsets(n) + ASIDE * (double)shares(n);
}
static double sums_stored(size_t n) { return 4 * (double)segments(n); }
/* words may be published by atomics: A and P */
static double tickets(size_t n) { return 3 * (double)tiles(n) + 128; }
/* marks by bits of a word need an atomic each */
static double tickets_and_marks(size_t n) { return tickets(n) + (double)offsets(n); }
static double share_tickets(size_t n) { return (double)(3 * shares(n) + offsets(n)) + 128; }
static double tile_barriers(size_t n) { return 6 * (double)tiles(n) + 64; }
static double share_barriers(size_t n) { return 8 * (double)shares(n) + 64; }
static double sectors_aside(size_t n) { return ASIDE / 32 * (double)tiles(n); }
static double one_a_tile(size_t n) { return (double)tiles(n); }
static double one_a_share(size_t n) { return (double)shares(n); }
static double least_tiles(size_t n) { return tiles(n) < 8 ? (double)tiles(n) : 8; }
/* of no elements nothing is launched, though they may have ends */
static double least_shares(size_t n) { return n == 0 ? 0 : shares(n) < 8 ? (double)shares(n) : 8; }
static double half_the_tiles(size_t n) { return 0.5 * (double)tiles(n); }

#define ADDITIONS                                                                                  \
    LAB_ADDITIONS, LAB_AT_MOST, additions, "additions",                                            \
        "2 (S - 1) = 1022 per section of S = 512: heads only take some away",                      \
        "A join adds once, or not at all where the right one has a head: one for each pair of "    \
        "the tree, up and down."
#define SUMS_MADE                                                                                  \
    ADDITIONS_MADE(sums_made, "2n/3 at n = 2637 and 20557, whose segments have some 500 "          \
                              "elements; elsewhere heads may leave none")
#define TREE_BARRIERS                                                                              \
    LAB_BARRIERS, LAB_AT_MOST, barriers, "barriers",                                               \
        "2 log2 S + 2 = 20 per section: one a step, and two to spare",                             \
        "The pairs of a step do not touch each other's places, so that one barrier a step is "     \
        "enough."
#define READ(limit, formula)                                                                       \
    LAB_BYTES_READ, LAB_AT_MOST, limit, "bytes read", formula, "Load each element and flag once."
#define WRITTEN                                                                                    \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, four_bytes_each, "bytes written", "4n: each output once",      \
        "Store what is finished, once."
#define VOTE_BARRIERS THREE_BARRIERS("A warp stores its open sum for the others: one barrier.")
#define CHEAP                                                                                      \
    LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, three, "instructions",                                  \
        "three times the reference solution's for this part: room for an unrolled walk over the "  \
        "warps",                                                                                   \
        "Votes tell a warp's heads and predicates at once: __clz finds a head, and there is no "   \
        "loop over lanes."
#define LAUNCHES                                                                                   \
    LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: a single pass",                                \
        "One kernel does it all: a block learns from descriptors the open sum before its tile."
#define MOVED_BY(limit, formula, advice)                                                           \
    LAB_MOVED_BUT_LOOKS, LAB_AT_MOST, limit, "bytes moved", formula, advice
#define MOVED(limit, formula)                                                                      \
    MOVED_BY(limit, formula,                                                                       \
             "Read each element once and keep the tile on the chip; heads come from flags or "     \
             "offsets alone.")
#define TICKETS(limit, formula)                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, limit, "atomics", formula,                                           \
        "A ticket a block: what crosses its border goes through descriptors, not through atomics."
#define BARRIERS(limit, formula)                                                                   \
    LAB_BARRIERS, LAB_AT_MOST, limit, "barriers", formula,                                         \
        "One warp looks back while the others wait at a single barrier."
#define SECTORS                                                                                    \
    LAB_SECTOR_EXCESS, LAB_AT_MOST, sectors_aside, "extra sectors", "32 a tile",                   \
        "Neighbouring lanes load neighbouring elements."
#define CHAIN                                                                                      \
    LAB_CROWD_CHAIN, LAB_AT_MOST, half_the_tiles, "tiles in one chain",                            \
        "0.5 of the tiles, with 40 blocks resident: a tile publishes before it waits",             \
        "Tile waits for tile: publish the aggregate, or the prefix of a tile with a head, before " \
        "the look-back."
#define EQUAL_SHARES                                                                               \
    LAB_BUSIEST_BLOCK, LAB_AT_MOST, two, "busiest block",                                          \
        "twice the instructions of a mean block, whatever the segments",                           \
        "Long segments, or many empty ones, all go to one block: cut elements and ends together "  \
        "into equal shares."
#define BLOCKS_AT_MOST(limit, formula)                                                             \
    LAB_BLOCKS, LAB_AT_MOST, limit, "blocks", formula,                                             \
        "Launch as many blocks as there are tiles or shares: more have nothing to do."

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints join_hints = {
    "Two stretches side by side: 3 1 | 7 0 4, where | is a head, and then 1 6. Which sum does an "
    "element to the right of both need? And of 1 6 and then | 7 0?",
    "A head in the right stretch cuts off all that lies left of it. Without one, the left sum "
    "goes on through it. Both have a head if either has.",
    "the sum is that of ___, and where the right one has no ___, that of the left is added",
};
static const lab_hints start_hints = {
    "Lane 9 is a head itself. Where does its segment begin? Which bits of heads may it look at? "
    "And what if none is set?",
    "Keep the bits of the lanes up to and with one's own, then __clz finds the highest. A mask of "
    "the lanes below alone loses a lane that is a head itself. A shift by 32 is undefined: shift "
    "ones to the right, by 0 to 31.",
    "keep of heads the bits 0 to lane: all ones, moved right by ___\n"
    "31 less the zeros above the highest of them; of no bit __clz says ___",
};
static const lab_hints votes_hints = {
    "A lane's segment begins in its warp, or further left. In the second case, which warps before "
    "have something that counts for this lane, and where does that end?",
    "Two ballots: who is true, and who is a head. Count the true ones from the segment's start up "
    "to the lane. Each warp leaves what it has from its last head on. A lane whose segment began "
    "before its warp goes left from warp to warp, up to the first that has a head.",
    "start = segment_start of my lane\n"
    "count the votes from lane ___ on and below mine; or fetch the value of lane ___\n"
    "the last lane stores for its warp: the open sum at the end, and is there a head?\n"
    "a barrier\n"
    "if start is -1: from the warp before mine leftward, take ___, and stop after a warp with ___",
};
static const lab_hints rows_hints = {
    "A row of 32 elements has heads at lanes 5 and 20. How far to the left may lane 23 add? And "
    "which lanes still need what the row before has left open?",
    "Five steps with rising distances; a lane adds only what comes from lane segment_start or "
    "later. Lanes with no head at or before them add what the rows so far have open. What a row "
    "leaves open stands in its last lane.",
    "for each row: start = segment_start of my lane\n"
    "    for distances 1, 2, 4, 8, 16:\n"
    "        the item of the lane ___ to the left: all lanes meet this\n"
    "        add it if that lane is not below ___, and not below 0\n"
    "    if start is ___: add what the rows so far have open\n"
    "    open now: the item of lane ___; a head has been seen if ___",
};
static const lab_hints tile_hints = {
    "A tile has a head somewhere. Does what it leaves open depend on the tiles before it? Which "
    "of its elements do?",
    "With a head in the tile its prefix is the sum from the last head on, known at once: publish "
    "PREFIX, so that every look-back ends here. The tile still looks back, for the elements in "
    "front of its first head, and for no others. A tile without a head is as in lab 10.",
    "known: the tile has ___, or is the first of all\n"
    "one lane publishes the sum of all, as ___ if known, else as ___\n"
    "all tiles but the first look back\n"
    "if not known, one lane publishes PREFIX: ___ and the tile's sum\n"
    "add_before: row by row, while no row before has had a head: lanes without one up to theirs "
    "add ___",
};
static const lab_hints backward_hints = {
    "Read the array from its end: where does a segment begin then? Segment s is d_offset[s] to "
    "d_offset[s + 1] - 1. What does an empty one mark?",
    "Backward, a segment's last element is its head: the one before its end. An empty "
    "segment has none and marks nothing, so that no two threads mark the same place. The tile's "
    "elements are low to high - 1: the ends above low and up to high belong to it.",
    "for each of the tile's offsets, a thread each, in steps of the block:\n"
    "    it ends the segment before it; if that has ___, it marks nothing\n"
    "    its last element is ___ before the offset; backward that is place ___ of the tile, "
    "whose place 0 is element high - 1",
};
static const lab_hints split_hints = {
    "Write elements and ends into one row, each end after the elements of its segment: "
    "x x | | x |. At which item of the row stands the end of segment s?",
    "In front of the end of segment s stand d_offset[s + 1] elements and s ends. That rises from "
    "end to end, so that a binary search finds how many are below `at`.",
    "low = 0, high = the number of segments; while they differ:\n"
    "    take the one in the middle; its end stands at ___ plus ___, in 64 bits\n"
    "    below `at`: low is after it; else high is ___",
};
static const lab_hints sums_hints = {
    "A segment ends in this share. Where does its last element stand: in this share, or in one "
    "before? Which sum does a segment have that is empty?",
    "After each end a segment begins: that is a head. After the scan the sum of a segment stands "
    "at its last element. If that lies before the share, the sum is what was open there. An empty "
    "segment has no last element: 0.",
    "mark: the element at ___ is a head; its place is counted from low. Where segment s "
    "is ___ and not the first of the share, the end before has marked it\n"
    "store: for each end of the share\n"
    "    begin equal to end: ___\n"
    "    end above low: the scan at place ___\n"
    "    else: ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers section_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_head", .type = LAB_U8 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers distribute_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_head", .type = LAB_U8 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
};
static const lab_buffers enumerate_buffers = {
    { .name = "d_true", .type = LAB_U8 },
    { .name = "d_head", .type = LAB_U8 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers inclusive_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_head", .type = LAB_U8 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_depth",
      .type = LAB_I32,
      .role = LAB_NOTE,
      .length = tiles,
      .note = "tiles looked back" },
};
static const lab_buffers backward_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_offset", .type = LAB_I32, .length = offsets, .rising = true },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers sums_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_offset", .type = LAB_I32, .length = offsets, .rising = true },
    { .name = "d_sum", .type = LAB_F32, .role = LAB_OUT, .length = segments, .owner = LAB_BY_GRID },
};
static const lab_buffers run_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_head", .type = LAB_U8 },
    { .name = "d_sum", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_any", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers start_buffers = {
    { .name = "d_heads", .type = LAB_U32 },
    { .name = "d_start", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers split_buffers = {
    { .name = "d_offset", .type = LAB_I32, .length = one_more },
    { .name = "d_at", .type = LAB_I64 },
    { .name = "d_ends", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

static const lab_gates section_gates = {
    { SUMS_MADE },     { ADDITIONS },
    { TREE_BARRIERS }, { READ(five_bytes_each, "5n: each element and its flag once") },
    { WRITTEN },       { WHOLE_SECTORS },
    ONE_LAUNCH_ALONE,  { NO_ATOMICS },
    { NO_DOUBLES },    SECTION_EACH(least_blocks, block_threads, "256"),
    { WARPS_ALIKE },
};
static const lab_gates enumerate_gates = {
    { READ(two_bytes_each, "2n: each predicate and flag once") },
    { WRITTEN },
    { WHOLE_SECTORS },
    { VOTE_BARRIERS },
    { CHEAP },
    ONE_LAUNCH_ALONE,
    { NO_ATOMICS },
    SECTION_EACH(least_blocks, section_threads, "512"),
    { WARPS_ALIKE },
};
static const lab_gates distribute_gates = {
    { READ(five_bytes_each, "5n: each element and its flag once") },
    { WRITTEN },
    { WHOLE_SECTORS },
    { VOTE_BARRIERS },
    { CHEAP },
    ONE_LAUNCH_ALONE,
    { NO_ATOMICS },
    SECTION_EACH(least_blocks, section_threads, "512"),
    { WARPS_ALIKE },
};
static const lab_gates inclusive_gates = {
    { SUMS_MADE },
    { LAUNCHES },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { NO_FILLS },
    { MOVED(nine_bytes_each, "9n + 0.18 T tiles: each element and flag read once, each sum "
                             "written once, 2 % of a tile for descriptors") },
    { STORED(four_bytes_each, "4n: the output") },
    { TICKETS(tickets,
              "3 tiles + 128: a ticket, A and P of each tile, 128 for persistent blocks") },
    { BARRIERS(tile_barriers, "6 tiles + 64: ticket, totals of the warps, the open sum before "
                              "the tile, and spare") },
    { SECTORS },
    { CHAIN },
    { NOT_STALLED("40") },
    { SHARED_OUT("40") },
    { BLOCKS_FOR_TILES(least_tiles, "one a tile, where there are up to 8; else 8") },
    THREADS_PER_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
    { BLOCKS_AT_MOST(one_a_tile, "1 a tile") },
};
static const lab_gates backward_gates = {
    { LAUNCHES },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { NO_FILLS },
    { MOVED(backward_bytes, "8n + 12 offsets + 1024 tiles: elements, offsets, descriptors and a "
                            "search") },
    { STORED(four_bytes_each, "4n: the output") },
    { TICKETS(tickets_and_marks,
              "3 tiles + offsets + 128: tickets, A and P, 128 for persistent blocks, marks "
              "that share a word") },
    { BARRIERS(tile_barriers, "6 tiles + 64: ticket, bounds, marks, totals of the warps, the "
                              "open sum before the tile, and spare") },
    { CHAIN },
    { NOT_STALLED("40") },
    { SHARED_OUT("40") },
    { BLOCKS_FOR_TILES(least_tiles, "one a tile, where there are up to 8; else 8") },
    THREADS_PER_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
    { BLOCKS_AT_MOST(one_a_tile, "1 a tile") },
};
static const lab_gates sums_gates = {
    { LAUNCHES },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { NO_FILLS },
    { BLOCKS_FOR_TILES(least_shares, "one a share, where there are up to 8; else 8") },
    { EQUAL_SHARES },
    { MOVED_BY(
        sums_bytes,
        "4n + 24 offsets + 1024 shares: elements; both ends of a segment, twice, its sum, and "
        "spare; descriptors and a search",
        "Read each element once, and each offset about once: a share finds its first segment "
        "by halving, not by looking at one offset after the other.") },
    { STORED(sums_stored, "4 per segment") },
    { TICKETS(share_tickets,
              "3 shares + offsets + 128: tickets, A and P, 128 for persistent blocks, marks "
              "that share a word") },
    { BARRIERS(share_barriers, "8 shares + 64: those of a tile, and one before the sums are "
                               "fetched") },
    THREADS_PER_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
    { BLOCKS_AT_MOST(one_a_share, "1 a share: (n + segments) / 4096, rounded up") },
};

static const lab_sizes section_sizes = { SECTIONS_COUNTED, SECTIONS_ALL, SECTIONS_NONE,
                                         SECTIONS_BORDERS, 2 * TILE + 100 };
static const lab_sizes tile_sizes = { TILES_COUNTED, TILES_ALL,   TILES_NONE, TILES_ONE,
                                      TILES_BORDERS, TILES_GIANT, 8 * TILE };
static const lab_sizes offset_sizes = { EVEN_8, GIANT_AND_EMPTY, EVEN_500,     GIANT_AND_ONES,
                                        SHORT,  POWER,           ROWS_OF_EMPTY };

enum {
    TILE_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(4) | LAB_TODO(5),
    /* elements and ends together are ints */
    MOST_SEGMENTED = (1 << 30) - (1 << 12),
    /* n / 500 segments, with offsets that rise; and as many as elements, the first ones empty */
    FEW_SEGMENTS = MOST_SEGMENTED - 1,
    MANY_SEGMENTS = MOST_SEGMENTED - 2
};

static const lab_sizes many_segments = { 100000, 300001, MANY_SEGMENTS };
static const size_t *const kinds[LAB_KINDS] = { many_segments };

static const lab_parts parts = {
    {
        .entry = "segmented_join",
        .title = "join: two neighbouring stretches as one",
        .points = 8,
        .buffers = run_buffers,
        .reference = join_reference,
        .fill = fill_flagged,
        .diagnose = join_diagnose,
        .max_n = 1000,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = join_hints,
    },
    {
        .entry = "segmented_up_sweep",
        .title = "up_sweep: the reduction tree with heads",
        .points = 2,
        .buffers = run_buffers,
        .reference = up_sweep_reference,
        .fill = fill_flagged,
        .max_n = 5 * SECTION,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = join_hints,
    },
    {
        .entry = "segmented_section",
        .title = "exclusive scan of sections, by a tree",
        .points = 5,
        .buffers = section_buffers,
        .reference = section_reference,
        .fill = fill_flagged,
        .change = change_flagged,
        .gates = section_gates,
        .gate_sizes = section_sizes,
        .diagnose = section_diagnose,
        .drawn = true,
        .todos = LAB_TODO(1),
        .hints = join_hints,
    },
    {
        .entry = "segmented_start",
        .title = "segment_start: the lane at which a segment begins",
        .points = 5,
        .buffers = start_buffers,
        .reference = start_reference,
        .fill = fill_start,
        .diagnose = start_diagnose,
        .max_n = 1000,
        .step = true,
        .todos = LAB_TODO(2),
        .hints = start_hints,
    },
    {
        .entry = "segmented_enumerate",
        .title = "enumerate: how many are true before, in the segment",
        .points = 10,
        .buffers = enumerate_buffers,
        .reference = enumerate_reference,
        .fill = fill_enumerate,
        .gates = enumerate_gates,
        .gate_sizes = section_sizes,
        .diagnose = section_diagnose,
        .against = "segmented_enumerate",
        .todos = LAB_TODO(2) | LAB_TODO(3),
        .hints = votes_hints,
    },
    {
        .entry = "segmented_distribute",
        .title = "distribute: the first element to the whole segment",
        .points = 10,
        .buffers = distribute_buffers,
        .reference = distribute_reference,
        .fill = fill_distribute,
        .gates = distribute_gates,
        .gate_sizes = section_sizes,
        .diagnose = distribute_diagnose,
        .against = "segmented_distribute",
        .todos = LAB_TODO(2) | LAB_TODO(3),
        .hints = votes_hints,
    },
    {
        .entry = "segmented_rows",
        .title = "scan_rows: a warp's part of a tile",
        .points = 10,
        .buffers = section_buffers,
        .reference = rows_reference,
        .fill = fill_flagged,
        .diagnose = rows_diagnose,
        .max_n = 4 * TILE,
        .step = true,
        .todos = LAB_TODO(2) | LAB_TODO(4),
        .hints = rows_hints,
    },
    {
        .entry = "segmented_inclusive",
        .title = "inclusive scan of the array, in a single pass",
        .points = 20,
        .buffers = inclusive_buffers,
        .reference = inclusive_reference,
        .fill = fill_flagged,
        .change = change_flagged,
        .gates = inclusive_gates,
        .gate_sizes = tile_sizes,
        .diagnose = inclusive_diagnose,
        .check_notes = depth_fault,
        .cancels = TILE,
        .wide_n = true,
        .drawn = true,
        .todos = TILE_TODOS,
        .hints = tile_hints,
    },
    {
        .entry = "segmented_far",
        .title = "the same, far beyond 2^31 elements",
        .points = 5,
        .buffers = section_buffers,
        .reference = inclusive_reference,
        .fill = fill_flagged,
        .diagnose = inclusive_diagnose,
        .max_n = 4 * TILE,
        .wide_n = true,
        .trial = true,
        .todos = TILE_TODOS,
        .hints = tile_hints,
    },
    {
        .entry = "segmented_backward",
        .title = "backward scan, from intervals",
        .points = 10,
        .buffers = backward_buffers,
        .reference = backward_reference,
        .fill = fill_offsets,
        .change = change_segments,
        .gates = backward_gates,
        .gate_sizes = offset_sizes,
        .diagnose = backward_diagnose,
        .max_n = MOST_SEGMENTED,
        .huge_n = FEW_SEGMENTS,
        .kinds = kinds,
        .fill_end = fill_end,
        .todos = TILE_TODOS | LAB_TODO(6),
        .hints = backward_hints,
    },
    {
        .entry = "segmented_split",
        .title = "ends_before: where a share of elements and ends begins",
        .points = 5,
        .buffers = split_buffers,
        .reference = split_reference,
        .fill = fill_split,
        .change = change_length,
        .diagnose = split_diagnose,
        .max_n = 1000,
        .step = true,
        .todos = LAB_TODO(7),
        .hints = split_hints,
    },
    {
        .entry = "segmented_sums",
        .title = "sums of segments, by equal shares of work",
        .points = 10,
        .buffers = sums_buffers,
        .reference = sums_reference,
        .fill = fill_offsets,
        .change = change_segments,
        .gates = sums_gates,
        .gate_sizes = offset_sizes,
        .diagnose = sums_diagnose,
        .max_n = MOST_SEGMENTED,
        .huge_n = FEW_SEGMENTS,
        .kinds = kinds,
        .fill_end = fill_end,
        .todos = TILE_TODOS | LAB_TODO(7),
        .hints = sums_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Segmented scan",
    .learned =
        "Joining pairs of a flag and a sum is associative, so any scan can be made segmented. "
        "Elements and ends in one row, cut evenly, are equal shares of work.",
    .file = "segmented_scan.cu",
    .tile = TILE,
    .threads = SEGMENTED_THREADS,
    .per_thread = SEGMENTED_ROWS,
    .blocks_wait = true,
    .large_n = LARGE,
    .crowd = 40, /* so that look-back has to go beyond a window of 32 tiles */
    .far_n = TILES_FAR,
    .taught = { "additions", "tiles in one chain" },
    .parts = parts,
};
