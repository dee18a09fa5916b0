/*
 * Declaration of the bonus of lab 14: parts, reference, gates and hints. See common/lab/lab.h for
 * what each field means.
 *
 * The theory behind the gates, for tiles of T elements of 4 bytes, 8 KiB on the simulated GPU, of
 * which k are kept, and R blocks, at most 256 here:
 *     launches   1, without a kernel that clears descriptors
 *     bytes      4 n read and 4 k written; partition: 4 n written. To that come, for a tile: its
 *                ticket, its word, and 8 for each word looked at: 5 % of a tile's 16 KiB are 819
 *                bytes
 *     sectors    elements are loaded in whole sectors; what a warp keeps is stored in order from
 *                wherever it begins, two sectors more than it fills, for each of 4 warps and both
 *                outputs; descriptors take part of one
 *     atomics    a ticket for every tile; and for every block a ticket that tells it to stop, and
 *                the end of its epoch
 *     barriers   1 a block, after the mbarriers are initialised; one to spare
 *
 * What a case keeps is fixed by n, so that limits stay functions of n.
 */
#include "ring_gates.h"

/* ---- which data a case of n has -------------------------------------------------------------- */

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

/* ---- references ------------------------------------------------------------------------------ */

enum { IN, OUT, COUNT, REST = COUNT, COUNT_AFTER_REST };

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

static void select_reference(void *const *b, size_t n) { split(b[IN], b[OUT], NULL, b[COUNT], n); }

static void partition_reference(void *const *b, size_t n)
{
    split(b[IN], b[OUT], b[REST], b[COUNT_AFTER_REST], n);
}

/* ---- limits and gates ------------------------------------------------------------------------ */

static double select_bytes(size_t n) { return 4 * (double)n + 4 * (double)kept(n) + aside(n); }
static double partition_bytes(size_t n) { return 8 * (double)n + aside(n); }
static double select_sectors(size_t n) { return sectors(select_bytes(n), n); }
static double partition_sectors(size_t n) { return sectors(partition_bytes(n), n); }
static double select_stored(size_t n) { return 4 * (double)kept(n); }
static double partition_stored(size_t n) { return 4 * (double)n; }

static const lab_gates select_gates = {
    ONE_PASS,
    { MOVED(select_bytes, "4n + 4 per kept element") },
    { STORED(select_stored, "4 per kept element") },
    { SECTORS(select_sectors) },
    RING_WORK,
};
static const lab_gates partition_gates = {
    ONE_PASS,
    { MOVED(partition_bytes, "8n") },
    { STORED(partition_stored, "4n") },
    { SECTORS(partition_sectors) },
    RING_WORK,
};

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
    "only after fences, which the tellers and keepers of launches.h execute: a keeper says when "
    "a stage is open.",
    "the storing warp waits for ___ before its first store",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers select_buffers = {
    { .name = "d_in", .type = LAB_I32 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};
static const lab_buffers partition_buffers = {
    { .name = "d_in", .type = LAB_I32 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_rest", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = single },
};

enum { SELECT_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) };

static const lab_parts parts = {
    {
        .entry = "compaction_speed_select",
        .title = "select_if at the speed of memory",
        .points = 50,
        .buffers = select_buffers,
        .reference = select_reference,
        .fill = fill_elements,
        .gates = select_gates,
        .gate_sizes = gate_sizes,
        .wide_n = true,
        .takes_tickets = true,
        .any_alignment = true,
        .against = "compaction_speed_select",
        .todos = SELECT_TODOS,
        .hints = select_hints,
    },
    {
        .entry = "compaction_speed_partition",
        .title = "partition_if, both sides in order",
        .points = 25,
        .buffers = partition_buffers,
        .reference = partition_reference,
        .fill = fill_elements,
        .gates = partition_gates,
        .gate_sizes = gate_sizes,
        .wide_n = true,
        .takes_tickets = true,
        .any_alignment = true,
        .against = "compaction_speed_partition",
        .todos = SELECT_TODOS,
        .hints = partition_hints,
    },
    {
        .entry = "compaction_speed_in_place",
        .title = "select_if in place",
        .points = 25,
        .buffers = select_buffers,
        .reference = select_reference,
        .fill = fill_elements,
        .gates = select_gates,
        .gate_sizes = gate_sizes,
        .wide_n = true,
        .takes_tickets = true,
        .any_alignment = true,
        .only_in_place = true,
        .against = "compaction_speed_in_place",
        .todos = SELECT_TODOS,
        .hints = in_place_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Compaction, fast",
    .learned =
        "Split a kernel into jobs that wait for different things, and let a warp store whole "
        "lines of 128 bytes, wherever a run begins.",
    .file = "compaction_speed.cu",
    .tile = TILE,
    .threads = 256,
    .per_thread = TILE / 256,
    .blocks_wait = true,
    .large_n = 64 * TILE + 77,
    .kinds_by_n = true,
    .bonus = true,
    .borrowed = { "11_speed_of_light/bulk_copies.h", "11_speed_of_light/rows.h" },
    .taught = { "bytes moved", "sectors", "barriers" },
    .parts = parts,
};
