/*
 * Lab 11 declared: parts, reference, gates and hints. See common/lab/lab.h for what each field
 * means.
 *
 * The theory behind the gates, at sizes that go by ticket: tiles of T elements of s bytes, 8 KiB on
 * the simulated GPU, R blocks:
 *     launches      1, without a kernel that clears descriptors
 *     bytes         s n read and s n written. To that come, for a tile: its ticket, counted as 4
 *                   read and 4 written; its aggregate, 8 bytes (16 for 8-byte elements); and as
 *                   many for each descriptor looked at. 5% of a tile's 16 KiB are 819 bytes
 *     atomics       a ticket for every tile; and for every block a ticket that tells it to stop,
 *                   and the end of its epoch: R is at most 256 here
 *     barriers      1 a block, after the mbarriers are initialised; one to spare. A block that
 *                   meets at a barrier for every tile has no loads under way while it waits
 *     conflicts     none: in the quarter of a warp that a pass serves, 16 bytes a lane are all 32
 *                   banks. Read 4 bytes at a time, they lie 16 bytes apart and meet four to a bank
 *     instructions  1.3 of the reference solution's for the same part: two passes over each tile,
 *                   in rows of 16 bytes a lane
 *     sectors       elements move in whole sectors; a descriptor takes part of one. 16 a tile are
 *                   allowed, of 512; stores of 4 bytes a lane, in rows of 16, touch 768 more
 */
#include "lab.h"
#include "references.h"
#include "rng.h"
#include "speed_of_light.h"
#include "usual_gates.h"

enum {
    TILE = SPEED_ENGINE_TILE_BYTES / 4,
    WIDE_TILE = SPEED_ENGINE_TILE_BYTES / 8,
    MOST_BLOCKS = 256
};

/* ---- inputs ---------------------------------------------------------------------------------- */

/* Both halves of a sum change from tile to tile, and its sign does: an 8-byte value that is torn
   does not go unseen. */
static void fill_i64(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    const int64_t largest = (int64_t)1 << 31;
    rng generator;

    (void)buffer;
    rng_seed(&generator, seed);
    for (size_t i = 0; i < n; i++)
        ((int64_t *)data)[i] = rng_between(&generator, -largest, largest);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static double tiles(size_t n) { return (double)((n + TILE - 1) / TILE); }
static double wide_tiles(size_t n) { return (double)((n + WIDE_TILE - 1) / WIDE_TILE); }

static double bytes_4(size_t n) { return 1.05 * 2 * 4 * (double)n; }
static double bytes_8(size_t n) { return 1.05 * 2 * 8 * (double)n; }
static double tickets(size_t n) { return tiles(n) + 2 * MOST_BLOCKS; }
static double wide_tickets(size_t n) { return wide_tiles(n) + MOST_BLOCKS; }
static double sectors(size_t n) { return 16 * tiles(n); }
static double wide_sectors(size_t n) { return 16 * wide_tiles(n); }
static double and_three_tenths(size_t n)
{
    (void)n;
    return 1.3;
}

#define ALL_GATES(bytes, words, tickets, sectors)                                                  \
    LAB_ENTRIES(                                                                                   \
        { LAB_LAUNCHES, LAB_AT_MOST, one, "launches",                                              \
          "1: a single pass, and none to clear descriptors",                                       \
          "Stamp the descriptors with an epoch that every launch raises: what an earlier "         \
          "launch left then counts as INVALID." },                                                 \
        { LAB_BYTES_MOVED, LAB_AT_MOST, bytes, "bytes moved", words,                               \
          "Keep the tile on the chip between its aggregate and its store, and poll no "            \
          "descriptor that you have already seen." },                                              \
        { LAB_ATOMICS, LAB_AT_MOST, tickets, "atomics",                                            \
          "1 a tile and 2 a block: tickets, and its end",                                          \
          "One thread of a block takes its tickets, until the first that names no tile; "          \
          "one says at the end that the block looks no more." },                                   \
        { LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, two, "barriers",                                    \
          "2 a block, however many tiles it scans",                                                \
          "Load tiles ahead into a ring of stages, and let each warp wait for what it "            \
          "needs: mbarriers instead of __syncthreads()." },                                        \
        { LAB_BANK_CONFLICTS, LAB_AT_MOST, zero, "bank conflicts",                                 \
          "0: a quarter of a warp reads 128 bytes in a row, each of 32 banks once",                \
          "Read 16 bytes a lane from shared memory, uint4 or ulonglong2: lanes 16 bytes "          \
          "apart share banks if they read 4 bytes at a time." },                                   \
        { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, and_three_tenths, "instructions",                 \
          "1.3 times the reference solution's for this part",                                      \
          "Two passes over a tile are enough, one for its sum and one for its scan; and a "        \
          "warp that polls should sleep a little between looks." },                                \
        { LAB_SECTOR_EXCESS, LAB_AT_MOST, sectors, "extra sectors", "16 a tile, of 512",           \
          "Store 16 bytes a lane, uint4 or ulonglong2; neighbouring lanes take neighbours, "       \
          "also among descriptors." })

/* ---- diagnosis: what was put before each tile, and before each element of it? ---------------- */

static int64_t integer(const lab_buffer *buffer, const void *data, size_t i)
{
    if (buffer->type == LAB_I64)
        return ((const int64_t *)data)[i];
    return buffer->type == LAB_F32 ? (int64_t)((const float *)data)[i] : ((const int32_t *)data)[i];
}

static const char *diagnose(const lab_mismatch *m)
{
    const size_t tile = m->buffer->type == LAB_I64 ? WIDE_TILE : TILE,
                 first = m->index / tile * tile;
    const size_t rest = m->n % (16 / (m->buffer->type == LAB_I64 ? 8 : 4));

    if (rest && m->index >= m->n - rest)
        return "only what is left behind the last whole 16 bytes is wrong: a bulk copy cannot "
               "bring it, so load it by hand";
    if (m->index == first && first > 0) {
        int64_t before = integer(m->buffer, m->expected, first - 1);
        int64_t got = integer(m->buffer, m->got, first) - integer(m->buffer, m->inputs[0], first);
        if (got == 0)
            return "nothing is put before the tile's elements";
        if (got != before)
            return "what is put before the tile is not the sum of the tiles before: look-back ends "
                   "too early, adds a tile twice, or believes a descriptor of an earlier launch";
    }
    return NULL;
}

/* ---- the lab --------------------------------------------------------------------------------- */

#define IN_OUT(element)                                                                            \
    LAB_ENTRIES({ .name = "d_in", .type = element },                                               \
                { .name = "d_out", .type = element, .role = LAB_OUT, .owner = LAB_BY_GRID })

static const lab_buffers i32_buffers = { IN_OUT(LAB_I32) };
static const lab_buffers f32_buffers = { IN_OUT(LAB_F32) };
static const lab_buffers i64_buffers = { IN_OUT(LAB_I64) };

static const lab_gates gates_4 = { ALL_GATES(bytes_4, "8n, and 5% for tickets and descriptors",
                                             tickets, sectors) };
static const lab_gates gates_8 = { ALL_GATES(bytes_8, "16n, and 5% for tickets and descriptors",
                                             wide_tickets, wide_sectors) };

static const lab_sizes gate_sizes = { 9 * TILE + 77, (size_t)1 << 20 };

static const lab_parts parts = {
    {
        .entry = "speed_i32",
        .title = "inclusive scan of int at the speed of memory",
        .points = 40,
        .buffers = i32_buffers,
        .reference = scan_i32_reference,
        .gates = gates_4,
        .gate_sizes = gate_sizes,
        .diagnose = diagnose,
        .wide_n = true,
        .any_alignment = true,
        .against = "speed_i32",
    },
    {
        .entry = "speed_f32",
        .title = "the same of float",
        .points = 20,
        .buffers = f32_buffers,
        .reference = scan_f32_reference,
        .gates = gates_4,
        .gate_sizes = gate_sizes,
        .diagnose = diagnose,
        .wide_n = true,
        .any_alignment = true,
        .against = "speed_f32",
        .drawn = true,
    },
    {
        .entry = "speed_i64",
        .title = "the same of long long",
        .points = 40,
        .buffers = i64_buffers,
        .reference = scan_i64_reference,
        .fill = fill_i64,
        .gates = gates_8,
        .gate_sizes = gate_sizes,
        .diagnose = diagnose,
        .wide_n = true,
        .any_alignment = true,
        .against = "speed_i64",
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Speed of light",
    .file = "speed_of_light.cu",
    .tile = TILE,
    .threads = 256,
    .per_thread = TILE / 256,
    .blocks_wait = true,
    .large_n = ((size_t)1 << 17) + 77,
    .parts = parts,
};
