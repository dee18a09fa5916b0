/*
 * Declaration of lab 24: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for n numbers of 8 bytes in G shares, and tiles of T = 1024:
 *     fix-up     each share is scanned, 2n, and read and written again, 2n: 32n bytes; the first
 *                one need not be. Limit 36n
 *     seed first each share is summed, n, and scanned, 2n: 24n bytes; the first and the last one
 *                need not be summed. Limit 27n: less than a fix-up takes where there are many
 *     words      a tile's prefix and flag, 12 bytes written and read, tickets of 8: 256 a tile
 *                allowed, and 4096 a device for totals that each block reads
 *     remote     G (G - 1) / 2 pairs of a total and an epoch, 12 bytes each: 32 for each two
 *                devices, in either direction, allowed
 *     sharing    where each device works on its share, and s is the largest, all do n / s of what
 *                the busiest does; in each of the launches, which are counted one after the other,
 *                as many blocks work as a share has tiles. Half of either is asked for
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "many_gpus.h"
#include "references.h"
#include "rng.h"
#include "usual_gates.h"

enum {
    TILE = MANY_TILE,
    GPUS = MANY_DEVICES,
    ALONE = 3 * TILE + 22,   /* on one device */
    UNEVEN = 40 * TILE + 51, /* the second of two has more tiles than a launch has blocks */
    LARGE = 64 * TILE + 71   /* on eight */
};

LIMIT(threads, MANY_THREADS)

/* ---- limits ---------------------------------------------------------------------------------- */

static double devices(size_t n) { return many_devices((int)n); }
static double two_a_device(size_t n) { return 2 * devices(n); }
static double words(size_t n)
{
    return 256 * ((double)n / TILE + 2 * devices(n)) + 4096 * devices(n);
}
static double bytes_4n(size_t n) { return 36 * (double)n + words(n); }
static double bytes_3n(size_t n) { return 27 * (double)n + words(n); }
static double pairs(size_t n) { return 32 * devices(n) * (devices(n) - 1); }
static double half_of_gpus(size_t n)
{
    int largest = 1;

    for (int d = 0; d < many_devices((int)n); d++) {
        const int share = many_first((int)n, many_devices((int)n), d + 1) -
                          many_first((int)n, many_devices((int)n), d);
        largest = share > largest ? share : largest;
    }
    return (double)n / largest / 2;
}
static double blocks_sharing(size_t n) { return half_up_to_3(ceil((double)n / TILE) / devices(n)); }

/* ---- data ------------------------------------------------------------------------------------ */

/* Sums of some n above 64 take all 64 bits, and others no more than a double holds. */
static void fill(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    const int64_t most = ((int64_t)1 << 52) / (int64_t)(n + 1),
                  largest = most < (int64_t)1 << 35 ? most : (int64_t)1 << 35;
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        int64_t value = (int64_t)rng_next(&generator);
        if (n <= 64 || n % 2 == 0)
            value = value % largest + (value < 0 ? -1 : 1);
        ((int64_t *)data)[i] = value;
    }
}

/* ---- references and diagnoses ---------------------------------------------------------------- */

static void twice_reference(void *const *buffers, size_t n)
{
    void *const second[] = { buffers[1], buffers[1] };

    scan_i64_reference(buffers, n);
    scan_i64_reference(second, n);
}

/* Is each share scanned, and lacks the sums of so many devices before it, or of all? */
static bool lacks_before(const lab_mismatch *m, bool all)
{
    const uint64_t *in = m->inputs[0], *got = m->got;
    const int n = (int)m->n, count = many_devices(n);
    uint64_t own = 0, last = 0;
    bool same = true;

    for (int d = 0; d < count && same; d++) {
        const int end = many_first(n, count, d + 1);
        uint64_t sum = all ? 0 : last;
        own = 0;
        for (int i = many_first(n, count, d); i < end && same; i++) {
            sum += in[i];
            own += in[i];
            same = got[i] == sum;
        }
        last = own;
    }
    return same;
}

/* Is each share right up to one element, and lacks what lies before it from there on? */
static bool lacks_it_at_the_end(const lab_mismatch *m)
{
    const uint64_t *got = m->got, *expected = m->expected;
    const int n = (int)m->n, count = many_devices(n);
    bool lacks = false;

    for (int d = 0; d < count; d++) {
        const int first = many_first(n, count, d), end = many_first(n, count, d + 1);
        int i = first;
        while (i < end && got[i] == expected[i])
            i++;
        lacks = lacks || i < end;
        while (first > 0 && i > first && i < end && got[i] == expected[i] - expected[first - 1])
            i++;
        if (i < end)
            return false;
    }
    return lacks;
}

static const char *diagnose(const lab_mismatch *m)
{
    if (m->length != m->n)
        return NULL;
    if (lacks_before(m, true))
        return "each share is scanned by itself: what the devices before it came to is missing";
    if (lacks_before(m, false))
        return "each share begins with the sum of the one device before it: those further in front "
               "are missing";
    if (lacks_it_at_the_end(m))
        return "what lies before is added to the first elements of a share alone: a share may have "
               "more than one turn of all threads of a launch takes, so let each thread go on in "
               "steps of gridDim.x * THREADS";
    return NULL;
}

/* ---- gates ----------------------------------------------------------------------------------- */

#define BYTES(limit, formula)                                                                      \
    LAB_BYTES_MOVED, LAB_AT_MOST, limit, "bytes moved", formula,                                   \
        "Look at which kernel reads or writes a share once more than it has to."

/* of all parts: the devices work on their shares, and of each all blocks */
#define SHARED                                                                                     \
    LAB_ENTRIES({ LAB_GPUS_SHARING, LAB_AT_LEAST, half_of_gpus, "GPUs sharing the work",           \
                  "half of n / the largest share; all instructions / those of the busiest GPU",    \
                  "One GPU, or few, do the work of all: make each device the current one, and "    \
                  "launch on its share there." },                                                  \
                { WORK_SHARED(blocks_sharing, "tiles in a share, on average") },                   \
                THREADS_PER_BLOCK(threads, "256"))

/* of kernels; of those that gather nothing themselves 0 */
#define ON_ITS_OWN                                                                                 \
    LAB_REMOTE_BYTES, LAB_AT_MOST, pairs, "bytes of other devices",                                \
        "32 for each two devices: each works on its own share",                                    \
        "A kernel reads or writes another device's share, over the link: make the device current " \
        "(cudaSetDevice) before each launch on its share."

static const lab_gates fix_up_gates = {
    { BYTES(bytes_4n, "36n + 256 a tile + 4608 a device: a scan, and an addition, 4n numbers") },
    { ON_ITS_OWN },
    { LAB_LAUNCHES, LAB_AT_MOST, two_a_device, "launches", "2 a device: a scan, an addition",
      "Launch each kernel once on each device." },
    SHARED,
    { WARPS_ALIKE },
};

static const lab_gates seed_first_gates = {
    { BYTES(bytes_3n, "27n + 256 a tile + 4608 a device: a sum, and a scan from it, 3n numbers") },
    { ON_ITS_OWN },
    { LAB_LAUNCHES, LAB_AT_MOST, two_a_device, "launches", "2 a device: a sum, a scan",
      "Launch each kernel once on each device." },
    SHARED,
    { WARPS_ALIKE },
};

static const lab_gates board_gates = {
    { BYTES(bytes_3n, "27n + 256 a tile + 4608 a device: a sum, and a scan from it, 3n numbers") },
    { LAB_REMOTE_BYTES, LAB_AT_MOST, pairs, "bytes between devices",
      "32 for each two devices, in either direction: a total and an epoch",
      "Push a total into the memory of the device that waits for it, and let that look there: "
      "each look at another device's memory goes over the link." },
    { LAB_LAUNCHES, LAB_AT_MOST, devices, "launches", "1 a device", "It is given: entries.h." },
    SHARED,
    /* one that looks at all totals in turn waits, and adds whichever has come */
    { WARPS_ALIKE_BY(five_if_n_is_large, "5", "from n = 4096 on") },
};

static const lab_sizes gate_sizes = { ALONE, 5 * TILE + 77, LARGE },
                       fix_up_sizes = { ALONE, 5 * TILE + 77, UNEVEN, LARGE };

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints fix_up_hints = {
    "What does a device know of the array when it has scanned its share? What does it lack?",
    "A launch returns at once. So launch on all devices, then gather, then launch on all again. "
    "Two "
    "GPUs see each other's memory only when each of them has been allowed to.",
    "TODO 1: for each device: make it the current one; for each ___ of it: enable access to ___\n"
    "TODO 2: one thread of a block adds up the totals of ___; all add it to their elements\n"
    "TODO 3: for each device with ___: scan_share, from no total\n"
    "    gather the totals: ___\n"
    "    for each device but ___: add_before",
};

static const lab_hints seed_first_hints = {
    "Which of the four passes over the data does nothing but correct the one before?",
    "The sums can be had before the scans: then a scan can begin with what lies before its share.",
    "TODO 4: for each device: reduce_share\n"
    "    gather the totals, then clear the words: ___ has used the tickets\n"
    "    for each device: scan_share, with the totals of the first ___ devices",
};

static const lab_hints board_hints = {
    "Lab 07 had data, a fence, a flag. Which of the three reach another GPU, and which do not?",
    "__threadfence() and atomicAdd() are for one GPU. What another one is to see needs the fence "
    "for the whole system, and a flag that is volatile. An earlier launch has left a flag, too.",
    "TODO 5: for each later device: store the total in entry ___ of its board\n"
    "    the fence for the system\n"
    "    for each later device: store the epoch there, volatile\n"
    "TODO 6: for each earlier device: look at its entry's epoch until it is ___\n"
    "    a fence again; then add up the totals",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_I64 },
    { .name = "d_out", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

static const lab_parts parts = {
    {
        .entry = "many_fix_up",
        .title = "each share scanned, then what lies before it added",
        .points = 35,
        .buffers = in_out,
        .reference = scan_i64_reference,
        .fill = fill,
        .gates = fix_up_gates,
        .gate_sizes = fix_up_sizes,
        .diagnose = diagnose,
        .max_n = 1 << 20,
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
        .hints = fix_up_hints,
    },
    {
        .entry = "many_seed_first",
        .title = "each share summed, then scanned from what lies before it",
        .points = 20,
        .buffers = in_out,
        .reference = scan_i64_reference,
        .fill = fill,
        .gates = seed_first_gates,
        .gate_sizes = gate_sizes,
        .diagnose = diagnose,
        .max_n = 1 << 20,
        .todos = LAB_TODO(1) | LAB_TODO(4),
        .hints = seed_first_hints,
    },
    {
        .entry = "many_board",
        .title = "one launch a device, totals published from kernel to kernel",
        .points = 35,
        .buffers = in_out,
        .reference = scan_i64_reference,
        .fill = fill,
        .gates = board_gates,
        .gate_sizes = gate_sizes,
        .diagnose = diagnose,
        .max_n = 1 << 20,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(5) | LAB_TODO(6),
        .hints = board_hints,
    },
    {
        .entry = "many_board_again",
        .title = "the same twice, with the boards of the first time",
        .points = 10,
        .buffers = in_out,
        .reference = twice_reference,
        .fill = fill,
        .max_n = 1 << 20,
        .trial = true,
        .todos = LAB_TODO(1) | LAB_TODO(5) | LAB_TODO(6),
        .hints = board_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Many GPUs",
    .learned =
        "One number from each GPU makes their scans one. Fences and flags of system scope reach "
        "beyond a GPU.",
    .file = "many_gpus.cu",
    .tile = TILE,
    .threads = MANY_THREADS,
    .per_thread = MANY_PER_THREAD,
    .taught = { "bytes moved", "bytes between devices", "launches" },
    .parts = parts,
    .large_n = LARGE,
    .blocks_wait = true,
    .gpus = GPUS,
};
