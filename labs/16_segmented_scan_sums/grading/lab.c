/*
 * Declaration of a bonus of lab 16: its part, reference, gates and hints. See common/lab/lab.h for
 * what each field means.
 *
 * The theory behind the gates, for tiles of T items, elements and ends of segments, 3544 on the
 * simulated GPU, and R blocks, at most 256 here:
 *     launches   1, without a kernel that clears descriptors
 *     bytes      4 n read, 4 each segment's offset, and a sum written. To that come, for a tile:
 *                its first offset again; for a share, of one tile or two, two searches, some 100
 *                words each, and words of shares before it
 *     atomics    for every share its ticket, for every block two that tell its search warps to
 *                stop, and its end
 *     barriers   1 a block, after the mbarriers are initialised; one to spare. In a block of few
 *                elements 4, and 3 a step of its search
 *     work       shares are alike: no block has twice a mean block's instructions
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "rng.h"
#include "segmented_scan_sums.h"
#include "usual_gates.h"

/* A tile of one more than a multiple of 3 items: instructions of 17 tiles and an element are
   compared with those of 18, and both have n / 8 segments. */
enum { TILE = SEGMENTED_SUMS_ENGINE_ITEMS, MOST_BLOCKS = 256 };

static size_t segments(size_t n) { return (size_t)segmented_sums_count((long long)n); }
static size_t offsets(size_t n) { return segments(n) + 1; }
static size_t tiles(size_t n) { return (n + segments(n) + TILE - 1) / TILE; }

/* ---- inputs ---------------------------------------------------------------------------------- */

typedef enum lengths {
    EVEN,
    ANYWHERE,   /* ends are drawn, each alike */
    ONE_GIANT,  /* the others have one element, or none where there are too few */
    EMPTY_ENDS, /* a quarter of the segments is empty, at both ends of the array */
    EMPTY_ROWS, /* most are empty, in long rows */
    LENGTHS
} lengths;

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

static void fill_offsets(int32_t *offset, size_t n, uint64_t seed)
{
    const size_t count = segments(n), aside = count / 8;
    rng generator;

    rng_seed(&generator, seed + 1);
    const lengths kind = (lengths)((n / TILE + n) % LENGTHS);
    offset[0] = 0;
    for (size_t s = 1; s < count; s++) {
        size_t end = 0;
        switch (kind) {
        case EVEN: end = s * n / count; break;
        case ANYWHERE: end = rng_below(&generator, n + 1); break;
        case ONE_GIANT: {
            const size_t rest = count - 1 < n ? count - 1 : n / 2, before = rest / 2;
            end = s <= before ? s : s >= count - (rest - before) ? n - (count - s) : before;
            break;
        }
        case EMPTY_ENDS:
            end = s <= aside ? 0 : s >= count - aside ? n : rng_below(&generator, n + 1);
            break;
        default: end = rng_below(&generator, 8) * (n / 8) + (s % 97 == 0 ? s % (n / 8 + 1) : 0);
        }
        offset[s] = (int32_t)(end < n ? end : n);
    }
    if (count > 0)
        offset[count] = (int32_t)n;
    qsort(offset, count + 1, sizeof *offset, by_value);
}

/* At some n single elements are infinite, of which no segment but their own may notice. */
static void fill(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    enum { APART = 331, READABLE = 64 };

    if (buffer == 1) {
        fill_offsets(data, n, seed);
        return;
    }
    lab_fill_exact(data, buffer, n, seed);
    for (size_t i = n / 5; i < n && n > READABLE && n % 4 == 1; i += APART)
        ((float *)data)[i] = n % 8 == 1 ? INFINITY : -INFINITY;
}

/* Offsets cannot be drawn one by one: they would fall. In three of four runs all borders of
   segments move, else a value changes. */
static void change_segments(void *const *buffers, size_t n, size_t i, int by)
{
    if (i % 4 == 0 || !lab_move_borders(buffers[1], offsets(n), by))
        ((float *)buffers[0])[i] += (float)by;
}

static void reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    const int32_t *offset = buffers[1];
    float *sum = buffers[2];

    for (size_t s = 0; s < segments(n); s++) {
        sum[s] = 0;
        for (int32_t i = offset[s]; i < offset[s + 1]; i++)
            sum[s] += in[i];
    }
}

/* ---- diagnosis ------------------------------------------------------------------------------- */

static const char *diagnose(const lab_mismatch *m)
{
    const int32_t *offset = (const int32_t *)m->inputs[1] + m->index;
    const float *in = m->inputs[0];
    float rest = ((const float *)m->expected)[m->index] - ((const float *)m->got)[m->index];

    if (offset[0] == offset[1])
        return "the segment is empty, and its sum is not 0: whoever writes it must not take what "
               "another segment has put there";
    for (int32_t i = offset[0]; i + 1 < offset[1]; i++)
        if ((rest -= in[i]) == 0)
            return "the segment's first elements are missing in its sum: the open sum before a "
                   "tile, or before a share, was not added";
    return NULL;
}

/* ---- limits and gates ------------------------------------------------------------------------ */

static double bytes_moved(size_t n)
{
    return 4 * (double)n + 8 * (double)segments(n) + 1024 * (double)tiles(n) +
           4096.0 * (double)(tiles(n) < MOST_BLOCKS ? tiles(n) : MOST_BLOCKS) + 2048;
}
static double stored(size_t n) { return 4 * (double)segments(n); }
static double atomics(size_t n)
{
    return 3 * (double)tiles(n) + 3.0 * (double)(tiles(n) < MOST_BLOCKS ? tiles(n) : MOST_BLOCKS);
}
static double barriers(size_t n) { return n <= SEGMENTED_SUMS_ENGINE_FEW ? 16 : 2; }
/* where blocks wait most of the time, their polls count */
static double and_a_half(size_t n) { return tiles(n) < 8 ? 3 : 1.5; }

static const lab_gates gates = {
    { LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: a single pass, and none to clear descriptors",
      "One kernel does it all: words carry the stamp of their launch, so that nobody has to clear "
      "them." },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { NO_FILLS },
    { LAB_MOVED_BUT_LOOKS, LAB_AT_MOST, bytes_moved, "bytes moved",
      "4n + 8 segments + 1024 tiles + 4096 blocks + 2048: values, offsets and sums, searches and "
      "words",
      "Work on the tile in its stage, and write nothing to memory but the sums." },
    { STORED(stored, "4 per segment") },
    { LAB_ATOMICS, LAB_AT_MOST, atomics, "atomics",
      "3 tiles + 3 blocks: tickets, A and P, and the end of each block",
      "Let each sum and each mark have a place of its own." },
    { LAB_BLOCK_BARRIERS_PER_BLOCK, LAB_AT_MOST, barriers, "barriers",
      "2 a block, however many tiles it takes; 16 up to 1024 elements",
      "Let each warp wait for what it needs: mbarriers instead of __syncthreads()." },
    { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, and_a_half, "instructions",
      "1.5 times the reference solution's for this part, 3 below 8 tiles",
      "Two passes over a thread's elements are enough; a warp that polls should sleep a little "
      "between looks." },
};
static const lab_sizes gate_sizes = { TILE, 6 * TILE, 6 * TILE + 1, 6 * TILE + 2 };

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_hints hints = {
    "A thread adds up elements side by side, and segments end among them. Where can it leave a sum "
    "so that the writer of the segment finds it, without knowing how many segments end before? "
    "And who has the sum of a segment that ended with the tile before?",
    "At the place of the segment's last element, in the stage: the writer knows that place from "
    "the offset. The open sum at the end of a thread, a warp and a tile goes on as in a segmented "
    "scan; a tile's stays in the block, for a share's tiles lie side by side. A share publishes "
    "its "
    "own in one word, and the one segment that began before the share waits for it, in its slot.",
    "TODO 1: the last element's place in the stage: value and ___; the byte after MARKS_AT\n"
    "TODO 2: note the open sum before the tile; 0 if it is the share's first, or its first end is "
    "at ___\n"
    "    marks; elements outside the tile are ___; the open sum after the last mark; scan of the "
    "lanes\n"
    "    sums to the marked places; the open sum after all; at the share's end publish ___\n"
    "TODO 3: an empty segment: ___; last element in a tile before: ___; begun before the share: "
    "___\n"
    "TODO 4: as in a segmented scan: words up to the nearest with ___",
};
static const lab_buffers buffers = {
    { .name = "d_in" },
    { .name = "d_offset", .type = LAB_I32, .length = offsets },
    { .name = "d_sum", .role = LAB_OUT, .owner = LAB_BY_GRID, .length = segments },
};

static const lab_parts parts = {
    { .entry = "segmented_sums_fast",
      .title = "sums of segments at the speed of memory",
      .points = 100,
      .buffers = buffers,
      .reference = reference,
      .fill = fill,
      .change = change_segments,
      .gates = gates,
      .gate_sizes = gate_sizes,
      .diagnose = diagnose,
      .max_n = (size_t)1 << 29,
      .wide_n = true,
      .any_alignment = true,
      .against = "segmented_sums_fast",
      .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4),
      .hints = hints },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Sums of segments, fast",
    .learned = "If elements and ends both count as items, equal shares are equal work, and only an "
               "open sum passes from share to share.",
    .file = "segmented_scan_sums.cu",
    .tile = TILE,
    .threads = 128,
    .per_thread = SEGMENTED_SUMS_EACH,
    .blocks_wait = true,
    .large_n = 40 * TILE + 77,
    .bonus = true,
    .borrowed = { "11_speed_of_light/bulk_copies.h", "11_speed_of_light/rows.h",
                  "14_compaction_speed/ring.h" },
    .taught = { "bytes moved", "barriers", "instructions" },
    .parts = parts,
};
