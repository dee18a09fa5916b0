/*
 * Declaration of the bonus of lab 16: its part, reference, gates and hints. See common/lab/lab.h
 * for what each field means.
 *
 * The theory behind the gates, for tiles of T elements, 3584 on the simulated GPU, and R blocks, at
 * most 256 here:
 *     additions  at least those that a scan takes where there are few heads
 *     launches   1, without a kernel that clears descriptors
 *     bytes      5 n read and 4 n written. To that come, for a tile: its ticket, its word, and 8
 *                for each word looked at: 5 % of a tile's 32 KB are 1600 bytes
 *     sectors    elements move in whole sectors; words take part of one. Arrays that begin anywhere
 *                are loaded by hand, in rows of 32 that touch a sector more
 *     atomics    a ticket for every tile; and for every block a ticket that tells it to stop, and
 *                the end of its epoch
 *     barriers   1 a block, after the mbarriers are initialised; one to spare
 */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "rng.h"
#include "segmented_scan_speed.h"
#include "usual_gates.h"

enum { TILE = SEGMENTED_SPEED_ENGINE_TILE, MOST_BLOCKS = 256, FEW_HEADS = 5 * TILE + 77 };

static size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

/* ---- inputs ---------------------------------------------------------------------------------- */

typedef enum heads { LONG, ALL, NONE, THIRD, ONE_A_TILE, RARE, BORDERS, GIANT } heads;

/* Sizes around one and several tiles get different kinds; a gate's size has the one it needs. */
static heads heads_of(size_t n) { return n == FEW_HEADS ? LONG : (heads)((n / TILE + n) % 8); }

static void fill_flags(uint8_t *flag, size_t n, uint64_t seed)
{
    const heads kind = heads_of(n);
    rng generator;
    size_t one = 0;

    rng_seed(&generator, seed + 1);
    for (size_t i = 0; i < n; i++) {
        if (i % TILE == 0)
            one = i + rng_below(&generator, TILE);
        const uint64_t draw = rng_next(&generator) >> 16;
        bool head = false;
        switch (kind) {
        case LONG: head = draw % 500 == 0; break;
        case ALL: head = true; break;
        case NONE: break;
        case THIRD: head = draw % 3 == 0; break;
        case ONE_A_TILE: head = i == one; break;
        case RARE: head = draw % (5 * TILE) == 0; break;
        case BORDERS: head = i % TILE == 0 || i % TILE == TILE - 1 || i % 640 < 2; break;
        case GIANT: head = i < n / 8 || i > n - n / 8; break;
        }
        /* any value but 0 is a flag */
        flag[i] = head ? (uint8_t)(1 + (draw >> 32) % 255) : 0;
    }
}

/* At some n single elements are infinite, of one sign, many of them the last of a tile: what lies
   after the next head must not notice. */
static void fill_values(float *value, unsigned buffer, size_t n, uint64_t seed)
{
    enum { APART = 331, READABLE = 64 };
    const bool infinite = n > READABLE && (n % 4 == 3 || n % 8 == 4);

    const float much = n % 4 == 3 ? -INFINITY : INFINITY;

    lab_fill_exact(value, buffer, n, seed);
    for (size_t i = n / 5; i < n && infinite; i += APART)
        value[i] = much;
    for (size_t i = TILE - 1; i < n && infinite; i += 2 * TILE)
        value[i] = much;
}

static void fill(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    if (buffer == 1)
        fill_flags(data, n, seed);
    else
        fill_values(data, buffer, n, seed);
}

static void reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    const uint8_t *flag = buffers[1];
    float *out = buffers[2], sum = 0;

    for (size_t i = 0; i < n; i++)
        out[i] = sum = (flag[i] ? 0 : sum) + in[i];
}

/* ---- diagnosis ------------------------------------------------------------------------------- */

static const char *diagnose(const lab_mismatch *m)
{
    const uint8_t *flag = m->inputs[1];
    const float *in = m->inputs[0], *got = m->got;
    const size_t first = m->index / TILE * TILE;

    if (flag[m->index] && got[m->index] != in[m->index])
        return "a segment begins here, and something from before its head was added";
    if (m->index == first && first > 0 && got[first] == in[first])
        return "the open sum before the tile is not added: it belongs to all elements before the "
               "tile's first head";
    if (first > 0) {
        size_t i = first;
        while (i < m->index && !flag[i])
            i++;
        if (i < m->index)
            return "elements after the tile's first head are wrong: the open sum before the tile "
                   "does not reach them";
    }
    return NULL;
}

/* ---- limits and gates ------------------------------------------------------------------------ */

static double aside(size_t n) { return 0.05 * 9 * TILE * (double)tiles(n) + 2048; }
static double bytes_moved(size_t n) { return 9 * (double)n + aside(n); }
static double sectors(size_t n) { return 1.3 * bytes_moved(n) / 32 + 64; }
static double tickets(size_t n) { return 3 * (double)tiles(n) + 2 * MOST_BLOCKS; }
/* where blocks wait most of the time, their polls count */
static double and_a_half(size_t n) { return n < 4 * (size_t)TILE ? 3 : 1.5; }
static double few_heads(size_t n) { return n == FEW_HEADS ? 0.9 * (double)n : 0; }

static const lab_gates gates = {
    { ADDITIONS_MADE(few_heads,
                     "0.9n at n = 17997, whose segments have some 500 elements; elsewhere heads "
                     "may leave none") },
    { LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: a single pass, and none to clear descriptors",
      "One kernel does it all: words carry the stamp of their launch, so that nobody has to clear "
      "them." },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { NO_FILLS },
    { LAB_MOVED_BUT_LOOKS, LAB_AT_MOST, bytes_moved, "bytes moved",
      "9n + 0.45 T tiles + 2048: words of tiles of T elements",
      "Work on the tile in its stage, and write nothing to memory but the sums." },
    { STORED(four_bytes_each, "4n") },
    { LAB_SECTORS, LAB_AT_MOST, sectors, "sectors", "1.3 times those that the bytes fill + 64",
      "Let neighbouring lanes store neighbours, 16 bytes each." },
    { LAB_ATOMICS, LAB_AT_MOST, tickets, "atomics",
      "3 tiles + 2 blocks: tickets, A and P, and the end of each block",
      "Let each sum have one writer." },
    { LAB_BLOCK_BARRIERS_PER_BLOCK, LAB_AT_MOST, two, "barriers",
      "2 a block, however many tiles it scans",
      "Let each warp wait for what it needs: mbarriers instead of __syncthreads()." },
    { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, and_a_half, "instructions",
      "1.5 times the reference solution's for this part, 3 below 4 tiles",
      "Two passes over a thread's elements are enough; a warp that polls should sleep a little "
      "between looks." },
};
static const lab_sizes gate_sizes = { TILE, FEW_HEADS, 12 * TILE + 4 };

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_hints hints = {
    "A thread has 28 elements side by side, some of them heads. What must the other threads know "
    "of them before any sum can be known, and what of other warps, and of other tiles?",
    "The open sum at their end, and whether they have a head. A warp's scan of that stops at "
    "heads, as in lab 16; the warps leave theirs in shared memory, a tile publishes its own in "
    "its word. Only then does the thread scan its elements, from the open sum before them. The "
    "open sum before the tile is added when they are stored, up to the tile's first head.",
    "TODO 1: elements and flags to registers; open since ___\n"
    "    scan of the lanes, not beyond ___; the warp's end, and its first head; arrive; wait\n"
    "    warp 0 publishes open_after of ___\n"
    "    before = the lane to the left, and, with no head in the lanes before, ___\n"
    "    sums in place of the elements; arrive at ___\n"
    "TODO 2: look; for each k: lanes up to the nearest of ___; none found: ___ as well\n"
    "TODO 3: wait for ___ and ___; add before where the index is less than ___",
};
static const lab_buffers buffers = {
    { .name = "d_in" },
    { .name = "d_head", .type = LAB_U8 },
    { .name = "d_out", .role = LAB_OUT },
};

static const lab_parts parts = {
    { .entry = "segmented_speed",
      .title = "segmented scan at the speed of memory",
      .points = 100,
      .buffers = buffers,
      .reference = reference,
      .fill = fill,
      .gates = gates,
      .gate_sizes = gate_sizes,
      .diagnose = diagnose,
      .wide_n = true,
      .takes_tickets = true,
      .any_alignment = true,
      .against = "segmented_speed",
      .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
      .hints = hints },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Segmented scan, fast",
    .learned = "Publish the open sum before any sum is written, since nobody waits for more. A "
               "look-back ends at the nearest tile with a head.",
    .file = "segmented_scan_speed.cu",
    .tile = TILE,
    .threads = 128,
    .per_thread = SEGMENTED_SPEED_EACH,
    .blocks_wait = true,
    .large_n = 64 * TILE + 77,
    .bonus = true,
    .borrowed = { "11_speed_of_light/bulk_copies.h", "11_speed_of_light/rows.h",
                  "14_compaction_speed/ring.h" },
    .taught = { "bytes moved", "barriers", "instructions" },
    .parts = parts,
};
