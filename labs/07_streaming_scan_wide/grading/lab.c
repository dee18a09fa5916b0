/*
 * Declaration of the bonus of lab 07: its part, reference, gates and hints. See common/lab/lab.h
 * for what each field means.
 *
 * The theory behind the gates, for wide tiles of P pieces of S = 1792 elements, P = 4 + 7 on the
 * simulated GPU, and T = 256 threads. Who scans pieces where they lie, with none set aside for
 * those in registers, has room for P = 4 + 9, and takes fewer numbers:
 *     blocks      one for each P S elements, no more: it is what the lab is about
 *     bytes       4n read, 4n written, and 24 for each wide tile: number, prefix and flag, each
 *                 written once and read once. 5 % of 8n leave room for polls by atomics
 *     additions   a sum of all, P S + T - 1, and the carry; for each piece lab 07's scan and the
 *                 sum before, 3S + T log2 T - (T - 1), and T to go on from it
 *     atomics     1 a wide tile for its number, and room for flags and polls by atomics
 */
#include "lab.h"
#include "references.h"
#include "streaming_scan_wide.h"
#include "usual_gates.h"

enum {
    PIECE = STREAMING_SCAN_TILE,
    THREADS = STREAMING_SCAN_THREADS,
    LOG2_THREADS = 8,
    HELD = STREAMING_SCAN_WIDE_ENGINE_HELD,
    TILE = STREAMING_SCAN_WIDE_ENGINE_PIECES * PIECE,
    SHARED_BYTES = 65536, /* of a block that asks for them */
    LARGEST_TILE = (HELD + SHARED_BYTES / (int)sizeof(float) / PIECE) * PIECE
};

_Static_assert(1 << LOG2_THREADS == THREADS, "LOG2_THREADS is the logarithm of THREADS");

/* ---- diagnosis ------------------------------------------------------------------------------- */

static const char *diagnose(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got, *expected = m->expected;
    const size_t i = m->index, tile = i / TILE * TILE;
    const float before = tile > 0 ? expected[tile - 1] : 0;

    if (i == tile && i > 0 && got[i] == in[i])
        return "a tile begins with its own first element: what lies before it, which pass_on "
               "returns to thread 0, has to reach every thread, and to stand before the first "
               "piece";
    if (i == tile && i > 0 && got[i] == in[i] + expected[i - TILE + HELD * PIECE - 1])
        return "the sum that a tile hands on ends with the registers: the pieces in shared memory "
               "belong to it";
    if (i > tile && i % PIECE == 0 && got[i] == before + in[i])
        return "a piece begins where its tile begins: let it go on from the end of the piece "
               "before, which store_piece returns";
    return NULL;
}

/* ---- limits and gates ------------------------------------------------------------------------ */

static double tiles(size_t n) { return (double)((n + TILE - 1) / TILE); }
static double fewest_tiles(size_t n) { return (double)((n + LARGEST_TILE - 1) / LARGEST_TILE); }
static double eight_a_tile(size_t n) { return 8 * tiles(n); }
static double bytes(size_t n) { return 8 * (double)n + 0.05 * 8 * TILE * tiles(n); }
static double half_of_lanes(size_t n) { return 0.5 * filled(n, PIECE); }
static double additions(size_t n)
{
    const size_t pieces = (n + PIECE - 1) / PIECE;

    return (TILE + THREADS) * tiles(n) + (3 * PIECE + THREADS * LOG2_THREADS + 1) * (double)pieces;
}
LIMIT(block_threads, THREADS)
static double sharing(size_t n) { return half_up_to_3(fewest_tiles(n)); }

static const lab_gates gates = {
    { LAB_BLOCKS, LAB_AT_MOST, tiles, "blocks",
      "one for each 11 * 1792 elements: here a block holds 4 pieces in registers, 7 in shared "
      "memory",
      "Each block is a hop on the chain: let it hold as much as it can, in registers and in shared "
      "memory, before it hands its sum on." },
    { LAB_BYTES_MOVED, LAB_AT_MOST, bytes, "bytes moved",
      "8n + 5 %, the last tile counted as full: each input and output once, and the chain",
      "Keep the tile's elements on the chip from the sum to the scan: none is read again." },
    { LAB_ADDITIONS, LAB_AT_MOST, additions, "additions",
      "5.1 an element: one for the sum, 3S + T log2 T for the scan of a piece of S = 1792 by T = "
      "256 threads, and T to go on from it",
      "Add up what a thread holds once, and scan each piece once; leave out pieces that begin "
      "past the array's end." },
    { NO_FIXED_ROOM },
    { FEW_FILLED },
    { ADDITIONS_MADE(all_but_one, "n - 1: each element but the first is added to something") },
    { LAB_ADD_EFFICIENCY, LAB_AT_LEAST, half_of_lanes, "lanes adding",
      "0.5: all threads add runs and steps, one adds the carry",
      "Share a piece's additions among the threads of its block; only the sum from tile to tile is "
      "one thread's alone." },
    { LAB_LAUNCHES, LAB_AT_MOST, one, "launches",
      "1: the blocks hand the sums on inside the kernel",
      "A second launch is what the chain saves: wait for the tile before inside the kernel." },
    { LAB_ATOMICS, LAB_AT_MOST, eight_a_tile, "atomics",
      "8 a tile: its number, its flag, and some polls if they are atomics",
      "One thread of a block takes the tile's number, for all; poll with volatile reads." },
    { LAB_ATOMICS, LAB_AT_LEAST, fewest_tiles, "numbers taken",
      "1 a tile, of 13 * 1792 elements at most: its block takes a number from the counter",
      "Let each tile be scanned by a block of its own, which takes its number by an atomic." },
    { WORK_SHARED(sharing, "wide tiles") },
    { WHOLE_SECTORS },
    { ALL_IN_FLOAT },
    { LAB_BANK_CONFLICTS, LAB_AT_MOST, zero, "bank conflicts",
      "0: runs of 7, an odd number, begin in 32 different banks",
      "Let thread t scan the run of elements from 7 t on, as scan_piece does." },
    THREADS_PER_BLOCK(block_threads, "256"),
};
static const lab_sizes gate_sizes = { HELD * PIECE + 77, TILE, 3 * TILE + 77 };

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_hints hints = {
    "A microsecond passes from prefix to prefix, whether a tile has 1792 elements or 60000. What "
    "does the block of the next tile wait for: your tile's scan, or less?",
    "Only the sum is on the chain. Each thread adds up its own elements, those in registers and "
    "those in shared memory; sum_block adds up the threads. Thread 0 hands that on before anything "
    "is scanned, and what comes back goes to all threads, as in lab 07. The pieces are scanned "
    "afterwards, one after another, each from where the one before it ended.",
    "TODO 2: scan; store the elements t, t + 256, ... below ___\n"
    "    before grows by the piece's last sum; then ___, since the next piece comes there\n"
    "TODO 3: for the elements t, t + 256, ... of s_rest: load, or 0 from ___ on; sum grows by it\n"
    "    for all held[p][k], unrolled: sum grows by it\n"
    "TODO 4: sum = what ___ makes of the threads' sums\n"
    "    thread 0: what it passes on is ___; what comes back goes to a shared float\n"
    "    all threads: ___, and before is no longer 0",
};
static const lab_buffers buffers = {
    { .name = "d_in" },
    { .name = "d_out", .role = LAB_OUT, .owner = LAB_BY_STRIPE },
};

static const lab_parts parts = {
    { .entry = "streaming_scan_wide",
      .title = "inclusive scan with the largest tile",
      .points = 100,
      .buffers = buffers,
      .reference = scan_f32_reference,
      .fill = lab_fill_exact,
      .cancels = PIECE,
      .gates = gates,
      .gate_sizes = gate_sizes,
      .diagnose = diagnose,
      .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4),
      .hints = hints },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Streaming scan, wide",
    .learned = "Put on a chain only what the next block needs. The bytes of a tile, divided by the "
               "time of a hop, say how fast it can be.",
    .file = "streaming_scan_wide.cu",
    .tile = TILE,
    .threads = THREADS,
    .per_thread = TILE / THREADS,
    .blocks_wait = true,
    .bonus = true,
    .borrowed = { "07_streaming_scan/streaming_scan.h" },
    .taught = { "bytes moved", "additions" },
    .parts = parts,
};
