/*
 * Declaration of lab 11: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
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
 *     blocks        as many as the GPU holds, or one a tile: half as many are asked for where it
 *                   holds 32. None does the work of 8
 *     chain         aggregates wait for nobody, so that a block waits for few others, one after the
 *                   other; a block that publishes what lies before its tile, too, makes a chain as
 *                   long as the array
 *     by lanes      nothing of a tile passes through registers on its way to shared memory, but
 *                   what is left after its last whole 16 bytes. An array of one tile may be loaded
 *                   into registers; to that come tickets and descriptors, as above
 *     conflicts     none: in the quarter of a warp that a pass serves, 16 bytes a lane are all 32
 *                   banks. Read 4 bytes at a time, they lie 16 bytes apart and meet four to a bank
 *     instructions  1.3 of the reference solution's for the same part: two passes over each tile,
 *                   in rows of 16 bytes a lane
 *     sectors       elements move in whole sectors; a descriptor takes part of one, and a look at
 *                   31 of them whose two words are read apart takes 16, more than once where some
 *                   are missing. 64 a tile are allowed, of 512; stores of 4 bytes a lane, in rows
 *                   of 16, touch 768 more
 */
#include <string.h>

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

/* tiles enough to look back far */
enum { FAR = (LAB_FAR_BLOCKS + 1) * TILE + 77 };

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

/* descriptors: 5% of a tile's bytes, and what every block looks at once */
static double bytes_4(size_t n) { return 8 * (double)n + (0.05 * 8 * TILE) * tiles(n) + 2048; }
static double bytes_8(size_t n)
{
    return 16 * (double)n + (0.05 * 16 * WIDE_TILE) * wide_tiles(n) + 2048;
}
static double tickets(size_t n) { return 3 * tiles(n) + 2 * MOST_BLOCKS; }
static double wide_tickets(size_t n) { return 3 * wide_tiles(n) + MOST_BLOCKS; }
static double sectors(size_t n) { return 64 * tiles(n); }
static double wide_sectors(size_t n) { return 64 * wide_tiles(n); }
static double chain(size_t n) { return 0.5 * tiles(n); }
static double wide_chain(size_t n) { return 0.5 * wide_tiles(n); }
static double by_lanes(size_t n) { return 4 * TILE + 2048 + 0.05 * 8 * TILE * tiles(n); }
static double wide_by_lanes(size_t n)
{
    return 8 * WIDE_TILE + 2048 + 0.05 * 16 * WIDE_TILE * wide_tiles(n);
}
LIMIT(and_three_tenths, 1.3)
LIMIT(sixteen, 16)

#define ALL_GATES(wide, bytes, words, tickets, sectors)                                            \
    LAB_ENTRIES(                                                                                   \
        { DATA_ADDED(all_but_one, "n - 1: each element but the first is added to something") },    \
        { LAB_LAUNCHES, LAB_AT_MOST, one, "launches",                                              \
          "1: a single pass, and none to clear descriptors",                                       \
          "Stamp the descriptors with an epoch that every launch raises: what an earlier "         \
          "launch left then counts as INVALID." },                                                 \
        { NO_WAITING }, { NO_FIXED_ROOM }, { NO_FILLS },                                           \
        { LAB_MOVED_BUT_LOOKS, LAB_AT_MOST, bytes, "bytes moved", words,                           \
          "Keep the tile on the chip between its aggregate and its store, and poll no "            \
          "descriptor that you have already seen." },                                              \
        { LAB_BYTES_BY_LANES, LAB_AT_MOST, wide##by_lanes, "loaded by lanes",                      \
          "a tile + 5 % of all tiles + 2048, where d_in is aligned: descriptors",                  \
          "Let bulk copies bring the tiles to shared memory: a load takes registers and a "        \
          "lane's time. load_rest is for what is left after the last whole 16 bytes." },           \
        { LAB_CROWD_BLOCKS, LAB_AT_LEAST, sixteen, "blocks", "16, with 32 blocks resident",        \
          "Most of the GPU idles: launch as many persistent blocks as it holds." },                \
        { SHARED_OUT("32") },                                                                      \
        { LAB_CROWD_CHAIN, LAB_AT_MOST, wide##chain, "tiles in one chain",                         \
          "0.5 of the tiles, with 32 blocks resident: aggregates wait for nobody",                 \
          "Tile waits for tile, as in lab 07's chain: publish a tile's sum as soon as it is "      \
          "reduced, before anybody looks back for it." },                                          \
        { LAB_ATOMICS, LAB_AT_MOST, tickets, "atomics",                                            \
          "3 tiles + 2 blocks: tickets, A and P, and the end of each block",                       \
          "One thread of a block takes its tickets, until the first that names no tile; one "      \
          "says at the end that the block looks back no more." },                                  \
        { LAB_BLOCK_BARRIERS_PER_BLOCK, LAB_AT_MOST, two, "barriers",                              \
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
        { LAB_SECTOR_EXCESS, LAB_AT_MOST, sectors, "extra sectors", "64 a tile, of 512",           \
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

    /* such a tile begins there, too: what is put before it may be wrong as well */
    if (rest && m->index == first && first > 0 && m->n - first == rest)
        return "only the last tile is wrong, and less than 16 bytes are all of it: either they "
               "were not loaded by hand, where a bulk copy brings none of them, or what is put "
               "before the tile is not the sum of the tiles before, in this launch";
    if (rest && m->index >= m->n - rest)
        return "only what is left after the last whole 16 bytes is wrong: a bulk copy cannot "
               "bring it, so load it by hand";
    if (m->index == first && first > 0) {
        int64_t before = integer(m->buffer, m->expected, first - 1);
        int64_t got = integer(m->buffer, m->got, first) - integer(m->buffer, m->inputs[0], first);
        if (got == 0)
            return "nothing is put before the tile's elements";
        if (got != before)
            return "what is put before the tile is not the sum of the tiles before: does look-back "
                   "end too early, add a tile twice, or believe a descriptor of an earlier launch?";
    }
    return NULL;
}

/* ---- steps: the functions one by one --------------------------------------------------------- */

enum { STEP_STAMP = 7, STEP_N = 5 * TILE + 77, STEP_TILES = 300, TRIED_N = 4 * TILE };

static size_t twice(size_t n) { return 2 * n; }
static size_t promises(size_t n) { return n > 0 ? SPEED_PROMISES : 0; }
static size_t two_thirds(size_t n) { return n - n / 3; }

/* Half of the words have another stamp. */
static void fill_words(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < 2 * n; k++) {
        const uint64_t stamp =
            STEP_STAMP + (rng_below(&generator, 2) ? 0 : rng_below(&generator, 9));
        ((uint64_t *)data)[k] = stamp << 32 | (uint32_t)rng_next(&generator);
    }
}

static bool has_stamp(uint64_t word) { return word >> 32 == STEP_STAMP; }

static void inspect_reference(void *const *buffers, size_t n)
{
    const uint64_t *word = buffers[0];
    int32_t *published = buffers[1];
    uint64_t *narrow = buffers[2], *wide = buffers[3];

    for (size_t k = 0; k < n; k++) {
        const uint64_t low = word[2 * k], high = word[2 * k + 1];
        const bool both = has_stamp(low) && has_stamp(high);
        published[k] = has_stamp(word[k]) + 2 * both;
        narrow[k] = has_stamp(word[k]) ? (uint32_t)word[k] : 0;
        wide[k] = both ? high << 32 | (uint32_t)low : 0;
    }
}

static const char *inspect_diagnose(const lab_mismatch *m)
{
    const int32_t got = ((const int32_t *)m->got)[m->index],
                  expected = ((const int32_t *)m->expected)[m->index];
    const uint64_t *word = m->inputs[0];

    if (m->buffer->type != LAB_I32)
        return NULL;
    if ((got & 1) > (expected & 1) || (got == 3 && !has_stamp(word[2 * m->index])))
        return "a word with the stamp of another launch was taken for a sum of this one";
    if (got > expected)
        return "of an 8-byte sum one word has the stamp of this launch and the other has not: half "
               "of it is old";
    return "a sum that was published in this launch was not taken";
}

static void fill_stamps(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++) {
        const uint32_t stamp = (uint32_t)rng_next(&generator);
        ((uint32_t *)data)[k] = k % 4 == 0 ? UINT32_MAX : stamp > 1 ? stamp : 2;
    }
}

static void close_epoch_reference(void *const *buffers, size_t n)
{
    const uint32_t *stamp = buffers[0];
    uint32_t *epoch = buffers[1];

    for (size_t k = 0; k < n; k++)
        epoch[k] = k % 2 == 1 ? stamp[k] - 1 : stamp[k] == UINT32_MAX ? 0 : stamp[k];
}

static const char *close_epoch_diagnose(const lab_mismatch *m)
{
    const uint32_t stamp = ((const uint32_t *)m->inputs[0])[m->index],
                   got = ((const uint32_t *)m->got)[m->index];

    if (m->index % 2 == 1)
        return "the epoch was raised by one that is not the last to leave";
    if (stamp != UINT32_MAX && got == stamp - 1)
        return "the epoch is that of the launch before: it was not raised";
    if (stamp == UINT32_MAX && got == UINT32_MAX)
        return "the next launch would have the stamp 0, and 0 is not a stamp";
    return NULL;
}

static void load_reference(void *const *buffers, size_t n)
{
    memcpy(buffers[1], buffers[0], n * sizeof(int32_t));
    memset(buffers[2], 0, n * sizeof(int32_t));
}

static const char *load_diagnose(const lab_mismatch *m)
{
    if (strcmp(m->buffer->name, "d_wrong") == 0)
        return "the tile has come, and `previous` is not the tile that the block had before it, "
               "or -1 for its first";
    return diagnose(m);
}

static void reduce_reference(void *const *buffers, size_t n)
{
    memset(buffers[1], 0, n * sizeof(int32_t));
}

static const char *reduce_diagnose(const lab_mismatch *m)
{
    (void)m;
    return "the total of the element's part is not the sum of that part: does a reducer take all "
           "rows of its parts, and store each total in the place of its part?";
}

static void place_reference(void *const *buffers, size_t n)
{
    const uint32_t *sum = buffers[0];
    uint32_t *before = buffers[1], *prefix = buffers[2], all = 0;

    for (size_t k = 0; k < n; k++) {
        before[k] = all;
        prefix[k] = all += sum[k];
    }
}

static const char *place_diagnose(const lab_mismatch *m)
{
    const int32_t got = ((const int32_t *)m->got)[m->index],
                  sum = ((const int32_t *)m->inputs[0])[m->index];

    if (strcmp(m->buffer->name, "d_prefix") == 0)
        return "what lies before the tile is right, and its prefix is not: the tile's own sum "
               "comes to it";
    return got == ((const int32_t *)m->expected)[m->index] + sum
               ? "the tile's own sum is in what lies before it"
               : "what lies before the tile is not the sum of the tiles before: the look-back's "
                 "and, after the block's first tile, the prefix placed at `last`, in which that "
                 "tile's own sum is";
}

/* ---- what is promised of entries with a workspace -------------------------------------------- */

#define TRIED_REFERENCE(name, scan, type)                                                          \
    static void name(void *const *buffers, size_t n)                                               \
    {                                                                                              \
        void *const in_out[] = { buffers[0], buffers[2] };                                         \
        int32_t *kept = buffers[1];                                                                \
                                                                                                   \
        scan(in_out, n);                                                                           \
        memcpy(buffers[3], buffers[2], two_thirds(n) * sizeof(type));                              \
        for (size_t k = 0; k < promises(n); k++)                                                   \
            kept[k] = 1;                                                                           \
    }

TRIED_REFERENCE(tried_i32_reference, scan_i32_reference, int32_t)
TRIED_REFERENCE(tried_f32_reference, scan_f32_reference, float)
TRIED_REFERENCE(tried_i64_reference, scan_i64_reference, int64_t)

static const char *tried_diagnose(const lab_mismatch *m)
{
    static const char *const broken[SPEED_PROMISES] = {
        [SPEED_DEFINED] = "the entry with _on, or speed_workspace_bytes, is not defined",
        [SPEED_MODEST] = "speed_workspace_bytes asks for more than the contract allows",
        [SPEED_COVERS_SHORTER] = "speed_workspace_bytes asks for more for fewer elements: a "
                                 "workspace for n has to be enough for any fewer",
        [SPEED_REFUSES] = "the room is one byte less than speed_workspace_bytes asks for, and the "
                          "entry with _on did not return false: compare the two first",
        [SPEED_REFUSES_UNTOUCHED] = "the room was too small, and the entry with _on wrote to the "
                                    "workspace or to d_out all the same: return false at once",
        [SPEED_ACCEPTS] = "the room is what speed_workspace_bytes asks for, and the entry with _on "
                          "returned false",
        [SPEED_ACCEPTS_AGAIN] = "the second call in the same workspace, for fewer elements, "
                                "returned false",
        [SPEED_ACCEPTS_NONE] =
            "the entry with _on returned false for n = 0: there is nothing to do, "
            "and that is done",
        [SPEED_NO_MEMORY] = "the entry with _on took device memory of its own: all it needs is in "
                            "the workspace",
        [SPEED_ON_STREAM] = "the entry with _on returned true on a stream that no longer exists: "
                            "it launches on another stream, or does not look whether the launch "
                            "failed",
    };

    if (strcmp(m->buffer->name, "d_kept") == 0)
        return broken[m->index];
    if (strcmp(m->buffer->name, "d_again") == 0)
        return "right in a fresh workspace, and wrong when it is used again, in place and for "
               "fewer elements: nobody clears it between the calls";
    return NULL;
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints stamp_hints = {
    "A word of the launch before still stands in memory. How can you see that it is old, without "
    "anybody clearing it?",
    "Every word carries the stamp of its launch in its upper half. It counts only if that is "
    "d.stamp. An 8-byte sum comes in two words, which others may see at different times: it "
    "counts only if both carry the stamp.",
    "if the upper half of ___, or that of ___, is another than d.stamp: return ___. For a narrow "
    "sum both are the same word.",
};
static const lab_hints epoch_hints = {
    "The stamp of epoch e is e + 1. What is the epoch of the launch whose stamp is d.stamp, and "
    "which stamp must the next launch have?",
    "The state's EPOCH is read by every warp at its start, so the last one of all to leave raises "
    "it by one, through a volatile pointer. A stamp of 0 means that nothing was written: no epoch "
    "may lead to it.",
    "the EPOCH of d.state, as volatile, becomes the number of the next launch: in terms of "
    "d.stamp that is ___. If the next stamp would be 0, it becomes ___.",
};
static const lab_hints load_hints = {
    "Follow one tile into a stage. What must be true of the stage before the copy starts, and how "
    "do the others know that all bytes have come?",
    "The load warp waits for `empty`, the first time round for a phase that ended before the "
    "mbarrier began: parity 1. `full` counts 32 arrivals, one of each lane, and the bytes of the "
    "copy. The copy takes the whole 16s of the tile's bytes, and only of an array that begins at "
    "a multiple of 16; load_rest brings what is left, before the arrivals.",
    "for each tile, in the stage at `at`:\n"
    "    the tile: STEADY lane 0's ticket, handed to all lanes; BRISK ___\n"
    "    wait until the stage is ___\n"
    "    no such tile: leave the loop\n"
    "    from the AHEAD-th tile on: wait until ___ has come, at a place of its own that moves on, "
    "too\n"
    "    bulk = the bytes of the tile rounded down to 16, or ___ where d_in is not aligned\n"
    "    the rest, if any, by load_rest\n"
    "    lane 0 notes tile and previous, arrives expecting ___, starts the copy if there is one; "
    "other lanes ___\n"
    "    move on by ___\n"
    "then, for each look-back warp: wait for an empty stage, note NO_TILE, let all lanes arrive, "
    "move on",
};
static const lab_hints reduce_hints = {
    "The rows are in the stage. Which rows belong to reducer r, and when may the stage be said to "
    "be reduced?",
    "A reducer has `parts` parts of rows_of(c) rows each. A lane loads 16 bytes of a row and adds "
    "them to its sum; reduce_warp adds the lanes up. The arrival at `reduced` is one for the "
    "whole warp, so the warp meets first.",
    "for each of the reducer's parts, the first of which is reducer * ___:\n"
    "    sum = 0; for each row r of the part:\n"
    "        load row ___ of the stage; sum = add of it and sum_row\n"
    "    sum over the warp; lane 0 stores it in total[stage][___]\n"
    "the warp meets: ___\n"
    "lane 0 arrives at ___",
};
static const lab_hints place_hints = {
    "A block knows what lies before its previous tile, and that tile's sum. Which tiles are left "
    "to look at for the next one?",
    "look_back adds up the tiles between the block's previous tile and this one. Before those "
    "lies the prefix of the previous tile, which the block itself has placed: wait for `placed` "
    "at `last`, if there was one. With the tile's sum, from the totals, that makes this tile's "
    "prefix.",
    "before = look_back from this tile to ___\n"
    "wait for `reduced` at `at`; the tile's sum is the totals of all ___\n"
    "if last.stage is not negative:\n"
    "    wait for ___ at `last`; before = the prefix there, and ___\n"
    "the warp meets: all have read it\n"
    "one lane: notes before, notes prefix = ___, arrives at ___",
};
static const lab_hints scan_hints = {
    "A scanner needs its rows, and what lies before them. Which of these two is known first, and "
    "how long must the stage stay?",
    "Load the rows into registers, then wait for `placed`. Before the part lies what lies before "
    "the tile, and the totals of the parts before. With rows and totals read the stage may go: "
    "one arrival a warp, and totals_before ends with the whole warp. Then scan row after row, "
    "each from where the last ended.",
    "load each row of the part into row[r]\n"
    "wait for ___\n"
    "before = the stage's before, and the totals before part ___\n"
    "lane 0 arrives at ___\n"
    "for each row: before = scan_row of it, from ___; then store_row to the tile's place in d_out",
};
static const lab_hints ring_hints = {
    "Follow one tile round the ring. Who writes it, who reads it, and what must each of them know "
    "first? Write down for every mbarrier how many arrive at it, who they are, and who waits.",
    "full: 32 arrivals, of the load warp's lanes, and the bytes of its copy; everyone waits. "
    "reduced: one arrival a reducer; the first reducer waits, to publish, and so does a look-back "
    "warp. placed: one arrival, of the look-back warp; scanners wait for it, and so does who "
    "places the next tile. empty: one arrival a scanner and one of the first reducer; the load "
    "warp waits.",
    "Each stage works on its own, so look at what passes from one to the next: does a lane that "
    "arrives for its warp do so after the whole warp has read (__syncwarp)? Does each `place` "
    "move on in every turn? Is a tile that is not full counted with its own bytes? Is the epoch "
    "raised by the last of all, after it looks no more?",
};
static const lab_hints workspace_hints = {
    "Who owns the memory that an entry with _on works in, and what may stand in it from the call "
    "before?",
    "The caller does. The entry takes nothing from the device, clears nothing, and launches one "
    "kernel on the stream it is given. It returns false, and does nothing, if the room is smaller "
    "than what speed_workspace_bytes asks for.",
    "These entries are given in launches.h. If you write your own: first compare room with ___; "
    "lay state and words out in the workspace, and nothing anywhere else; launch on ___; return "
    "whether the launch was ___.",
};

/* ---- what trials of the entries with a workspace count --------------------------------------- */

/* The trial's own: it fills the workspace, d_out and d_kept, and copies the input. */
LIMIT(trials_writes, 4)
LIMIT(trials_waits, 1) /* cudaFree */
LIMIT(trials_launches,
      6) /* two looks, a read of the result, and three scans, of which one may fail */

static const lab_sizes tried_sizes = { TILE };
static const lab_gates tried_gates = {
    { LAB_FILLS, LAB_AT_MOST, trials_writes, "fills and copies",
      "4, the trial's own: an entry with _on launches one kernel and nothing else",
      "Leave out cudaMemset and cudaMemcpy: the caller has made the workspace zeros, once." },
    { LAB_WAITS, LAB_AT_MOST, trials_waits, "waits",
      "1, the trial's own: an entry with _on returns without waiting",
      "Leave out cudaStreamSynchronize and the like: the caller waits when it needs the result." },
    { LAB_LAUNCHES, LAB_AT_MOST, trials_launches, "launches",
      "6, three of them the trial's own: an entry with _on launches one kernel",
      "Launch one kernel, so that a call can be captured in a graph." },
};

/* ---- the lab --------------------------------------------------------------------------------- */

#define IN_OUT(element)                                                                            \
    LAB_ENTRIES({ .name = "d_in", .type = element },                                               \
                { .name = "d_out", .type = element, .role = LAB_OUT, .owner = LAB_BY_GRID })

static const lab_buffers i32_buffers = { IN_OUT(LAB_I32) };
static const lab_buffers f32_buffers = { IN_OUT(LAB_F32) };
static const lab_buffers i64_buffers = { IN_OUT(LAB_I64) };

#define TRIED_BUFFERS(element)                                                                     \
    LAB_ENTRIES({ .name = "d_in", .type = element },                                               \
                { .name = "d_kept",                                                                \
                  .type = LAB_I32,                                                                 \
                  .role = LAB_OUT,                                                                 \
                  .length = promises,                                                              \
                  .owner = LAB_BY_GRID },                                                          \
                { .name = "d_out", .type = element, .role = LAB_OUT, .owner = LAB_BY_GRID },       \
                { .name = "d_again",                                                               \
                  .type = element,                                                                 \
                  .role = LAB_OUT,                                                                 \
                  .length = two_thirds,                                                            \
                  .owner = LAB_BY_GRID })

static const lab_buffers tried_i32_buffers = { TRIED_BUFFERS(LAB_I32) };
static const lab_buffers tried_f32_buffers = { TRIED_BUFFERS(LAB_F32) };
static const lab_buffers tried_i64_buffers = { TRIED_BUFFERS(LAB_I64) };
static const lab_buffers inspect_buffers = {
    { .name = "d_word", .type = LAB_I64, .length = twice },
    { .name = "d_published", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_narrow", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_wide", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers close_epoch_buffers = {
    { .name = "d_stamp", .type = LAB_U32 },
    { .name = "d_epoch", .type = LAB_U32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers load_buffers = {
    { .name = "d_in", .type = LAB_I32 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_wrong", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers reduce_buffers = {
    { .name = "d_in", .type = LAB_I32 },
    { .name = "d_wrong", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers place_buffers = {
    { .name = "d_sum", .type = LAB_I32 },
    { .name = "d_before", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_prefix", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

static const lab_gates gates_4 = { ALL_GATES(
    , bytes_4, "8n + 0.4 T tiles + 2048: tickets and descriptors of tiles of T elements", tickets,
    sectors) };
static const lab_gates gates_8 = { ALL_GATES(
    wide_, bytes_8, "16n + 0.8 T tiles + 2048: tickets and descriptors of tiles of T elements",
    wide_tickets, wide_sectors) };

static const lab_sizes gate_sizes = { 9 * TILE + 77, (size_t)1 << 20 };

enum {
    ALL_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4) | LAB_TODO(5) | LAB_TODO(6)
};

static const lab_parts parts = {
    {
        .entry = "speed_inspect",
        .title = "inspect: words of this launch and of others",
        .points = 5,
        .buffers = inspect_buffers,
        .reference = inspect_reference,
        .fill = fill_words,
        .diagnose = inspect_diagnose,
        .max_n = STEP_TILES,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = stamp_hints,
    },
    {
        .entry = "speed_close_epoch",
        .title = "close_epoch: the next launch has another stamp",
        .points = 5,
        .buffers = close_epoch_buffers,
        .reference = close_epoch_reference,
        .fill = fill_stamps,
        .diagnose = close_epoch_diagnose,
        .max_n = STEP_TILES,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(6),
        .hints = epoch_hints,
    },
    {
        .entry = "speed_load",
        .title = "load_tiles: tiles come into the ring",
        .points = 10,
        .buffers = load_buffers,
        .reference = load_reference,
        .any_alignment = true,
        .diagnose = load_diagnose,
        .max_n = STEP_N,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(2),
        .hints = load_hints,
    },
    {
        .entry = "speed_reduce",
        .title = "reduce_tiles: the totals of one stage",
        .points = 5,
        .buffers = reduce_buffers,
        .reference = reduce_reference,
        .diagnose = reduce_diagnose,
        .max_n = STEP_N,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(3),
        .hints = reduce_hints,
    },
    {
        .entry = "speed_place",
        .title = "place_tiles: what lies before a tile",
        .points = 5,
        .buffers = place_buffers,
        .reference = place_reference,
        .diagnose = place_diagnose,
        .max_n = STEP_TILES,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(1) | LAB_TODO(4),
        .hints = place_hints,
    },
    {
        .entry = "speed_scan",
        .title = "scan_stages: the scan of one stage",
        .points = 5,
        .buffers = i32_buffers,
        .reference = scan_i32_reference,
        .diagnose = diagnose,
        .max_n = STEP_N,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(5),
        .hints = scan_hints,
    },
    {
        .entry = "speed_i32",
        .cancels = TILE,
        .title = "inclusive scan of int at the speed of memory",
        .points = 25,
        .buffers = i32_buffers,
        .reference = scan_i32_reference,
        .wraps_n = FAR,
        .gates = gates_4,
        .gate_sizes = gate_sizes,
        .diagnose = diagnose,
        .wide_n = true,
        .any_alignment = true,
        .in_place = 1,
        .against = "speed_i32",
        .todos = ALL_TODOS,
        .hints = ring_hints,
    },
    {
        .entry = "speed_f32",
        .cancels = TILE,
        .title = "the same of float",
        .points = 10,
        .buffers = f32_buffers,
        .reference = scan_f32_reference,
        .fill = lab_fill_large,
        .gates = gates_4,
        .gate_sizes = gate_sizes,
        .diagnose = diagnose,
        .wide_n = true,
        .any_alignment = true,
        .in_place = 1,
        .against = "speed_f32",
        .drawn = true,
        .todos = ALL_TODOS,
        .hints = ring_hints,
    },
    {
        .entry = "speed_i64",
        .cancels = WIDE_TILE,
        .title = "the same of long long",
        .points = 20,
        .buffers = i64_buffers,
        .reference = scan_i64_reference,
        .fill = fill_i64,
        .gates = gates_8,
        .gate_sizes = gate_sizes,
        .diagnose = diagnose,
        .wide_n = true,
        .any_alignment = true,
        .in_place = 1,
        .against = "speed_i64",
        .todos = ALL_TODOS,
        .hints = ring_hints,
    },
    {
        .entry = "speed_i32_tried_on",
        .title = "speed_i32_on: on a stream, in a workspace",
        .points = 4,
        .buffers = tried_i32_buffers,
        .reference = tried_i32_reference,
        .diagnose = tried_diagnose,
        .trial = true,
        .gates = tried_gates,
        .gate_sizes = tried_sizes,
        .max_n = TRIED_N,
        .wide_n = true,
        .todos = ALL_TODOS,
        .hints = workspace_hints,
    },
    {
        .entry = "speed_f32_tried_on",
        .title = "speed_f32_on: on a stream, in a workspace",
        .points = 2,
        .buffers = tried_f32_buffers,
        .reference = tried_f32_reference,
        .diagnose = tried_diagnose,
        .trial = true,
        .gates = tried_gates,
        .gate_sizes = tried_sizes,
        .max_n = TRIED_N,
        .wide_n = true,
        .todos = ALL_TODOS,
        .hints = workspace_hints,
    },
    {
        .entry = "speed_i64_tried_on",
        .title = "speed_i64_on: on a stream, in a workspace",
        .points = 4,
        .buffers = tried_i64_buffers,
        .reference = tried_i64_reference,
        .fill = fill_i64,
        .diagnose = tried_diagnose,
        .trial = true,
        .gates = tried_gates,
        .gate_sizes = tried_sizes,
        .max_n = TRIED_N,
        .wide_n = true,
        .todos = ALL_TODOS,
        .hints = workspace_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Speed of light",
    .learned =
        "Persistent blocks, a ring of tiles, bulk copies and mbarriers: that way a scan is as "
        "fast as a copy.",
    .file = "speed_of_light.cu",
    .tile = TILE,
    .threads = 256,
    .per_thread = TILE / 256,
    .blocks_wait = true,
    .crowd = 32,
    .far_n = FAR,
    .large_n = ((size_t)1 << 17) + 77,
    .taught = { "bytes moved", "loaded by lanes", "tiles in one chain" },
    .parts = parts,
};
