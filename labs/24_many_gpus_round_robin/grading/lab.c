/*
 * Declaration of the bonus of lab 24: parts, reference, gates and hints. See common/lab/lab.h for
 * what each field means.
 *
 * The theory behind the gates, for n ints on G devices, and tiles of T = 1024:
 *     bytes      each int is read and written once: 8n. A tile pushes two words of 8 bytes to each
 *                device, takes a ticket of 8, and looks at 32 words of 8 or more, of which most are
 *                left out: looks at what others publish. 32 G + 320 a tile allowed
 *     remote     two words of 8 bytes to each other device: 16 (G - 1) a tile; 32 allowed
 *     sharing    tiles are dealt, so G devices do G times what one does; in each of the launches,
 *                which are counted one after the other, as many blocks work as a device has tiles.
 *                Half of either is asked for
 */
#include <math.h>

#include "many_gpus_round_robin.h"
#include "references.h"
#include "usual_gates.h"

enum {
    TILE = ROUND_ROBIN_TILE,
    GPUS = ROUND_ROBIN_DEVICES,
    ALONE = 3 * TILE + 22,  /* on one device */
    LARGE = 64 * TILE + 71, /* on eight */
    FAR = (LAB_FAR_BLOCKS + 1) * TILE + 77
};

LIMIT(block_threads, ROUND_ROBIN_THREADS)

/* ---- limits ---------------------------------------------------------------------------------- */

static double devices(size_t n) { return round_robin_devices((int)n); }
static double tiles(size_t n) { return (double)((n + TILE - 1) / TILE); }
static double bytes_2n(size_t n) { return 8 * (double)n + (32 * devices(n) + 320) * tiles(n); }
static double pushed(size_t n) { return 32 * (devices(n) - 1) * tiles(n); }
static double half_of_gpus(size_t n) { return tiles(n) / ceil(tiles(n) / devices(n)) / 2; }
static double blocks_sharing(size_t n) { return half_up_to_3(tiles(n) / devices(n)); }

/* ---- references and diagnoses ---------------------------------------------------------------- */

static void twice_reference(void *const *buffers, size_t n)
{
    void *const second[] = { buffers[1], buffers[1] };

    scan_i32_reference(buffers, n);
    scan_i32_reference(second, n);
}

/* Does each tile begin with the sum of those `step`, 2 step, ... before it, and no others? */
static bool begins_with_every(const lab_mismatch *m, size_t step)
{
    const uint32_t *in = m->inputs[0], *got = m->got;

    for (size_t first = 0; first < m->n; first += TILE) {
        uint32_t sum = in[first];
        for (size_t other = first; step > 0 && other >= step * TILE;) {
            other -= step * TILE;
            for (size_t i = other; i < other + TILE; i++)
                sum += in[i];
        }
        if (got[first] != sum)
            return false;
    }
    return true;
}

static const char *diagnose(const lab_mismatch *m)
{
    if (m->length != m->n)
        return NULL;
    if (begins_with_every(m, 0))
        return "each tile is scanned by itself: what all tiles before it come to is missing";
    if (begins_with_every(m, (size_t)round_robin_devices((int)m->n)))
        return "each tile begins with the sums of its own device's tiles: those of the other "
               "devices lie between them";
    return NULL;
}

/* ---- gates ----------------------------------------------------------------------------------- */

static const lab_gates gates = {
    { LAB_MOVED_BUT_WORDS, LAB_AT_MOST, bytes_2n, "bytes moved",
      "8n + 320 a tile + 32 a tile and device: each int read once and written once, and words",
      "Look at which kernel reads or writes an element once more than it has to, or publishes more "
      "than a sum and a prefix a tile." },
    { LAB_REMOTE_BYTES, LAB_AT_MOST, pushed, "bytes between devices",
      "32 a tile for each other device: a sum and a prefix",
      "Push a word into the memory of each device that looks for it, and let each look in its own: "
      "each look at another device's memory goes over the link." },
    { LAB_LAUNCHES, LAB_AT_MOST, devices, "launches", "1 a device", "It is given: launches.h." },
    { LAB_GPUS_SHARING, LAB_AT_LEAST, half_of_gpus, "GPUs sharing the work",
      "half of all tiles / those of a GPU; all instructions / those of the busiest GPU",
      "One GPU, or few, do the work of all: launch on each device, on the tiles that it has." },
    { WORK_SHARED(blocks_sharing, "tiles on a device, on average") },
    /* one that takes words as they come goes a round for each */
    { WARPS_ALIKE_BY(six_if_n_is_large, "6", "from n = 4096 on") },
    THREADS_PER_BLOCK(block_threads, "256"),
};

static const lab_sizes gate_sizes = { ALONE, 5 * TILE + 77, LARGE };

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_hints hints = {
    "Of the 32 tiles before yours, how many are on your device? Whose memory do you look at while "
    "you wait for the others?",
    "Each device has a word for every tile, of all devices, in its own memory. Who has a sum "
    "stores "
    "it there for all. Epoch, kind and sum are one word, so one volatile store is enough: no fence "
    "stands between data and flag, as they are the same.",
    "TODO 1: lane d, if there is a device d: store make_word of ___ at w->of[d][tile], volatile\n"
    "TODO 2: for nearest = ___, as long as it is a tile, 32 less each time:\n"
    "        lane l looks at the word of tile nearest - l until its epoch is ___\n"
    "        a vote: which lanes see a prefix? The sums up to the first of them count\n"
    "        end at a prefix\n"
    "TODO 3: publish the sum as ___, unless the tile is the first; look back; publish the prefix: "
    "___",
};

static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_I32 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

static const lab_parts parts = {
    {
        .entry = "round_robin",
        .title = "one look-back over the tiles of all devices",
        .points = 80,
        .buffers = in_out,
        .reference = scan_i32_reference,
        .wraps_n = FAR,
        .gates = gates,
        .gate_sizes = gate_sizes,
        .diagnose = diagnose,
        .max_n = 1 << 20,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
        .hints = hints,
    },
    {
        .entry = "round_robin_again",
        .title = "the same twice, with the words of the first time",
        .points = 20,
        .buffers = in_out,
        .reference = twice_reference,
        .max_n = 1 << 20,
        .trial = true,
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
        .hints = hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Many GPUs, round robin",
    .learned = "Tiles dealt in turn make one array of many memories: one look-back over all GPUs "
               "moves 2n. Push words, and look at your own memory.",
    .file = "many_gpus_round_robin.cu",
    .tile = TILE,
    .threads = ROUND_ROBIN_THREADS,
    .per_thread = ROUND_ROBIN_PER_THREAD,
    .taught = { "bytes moved", "bytes between devices" },
    .parts = parts,
    .large_n = LARGE,
    .blocks_wait = true,
    .crowd = 16, /* a device: so that look-back has to go beyond a window of 32 tiles */
    .far_n = FAR,
    .gpus = GPUS,
    .bonus = true,
};
