/*
 * Declaration of lab 19: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for tiles of T = 2048 keys:
 *     levels     with any key of a segment as likely to be its pivot as any other, a quicksort of
 *                n keys has 2 to 2.6 log2 n levels, and the last, which finds that nothing is to be
 *                done; with three ways, equal keys end with the level that first meets them. The
 *                host learns what a level has found by one int: bytes to the host are levels
 *     a level    reads a key, its head and that of the next, and fetches the pivot: 16n; keeps
 *                start and rank, 8n, and two counts a segment, 8; reads these and the key, 12n, and
 *                fetches the counts, 8n; stores key and head, 8n: at most 60n
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "lab.h"
#include "quicksort.h"
#include "usual_gates.h"

/* ---- diagnoses ------------------------------------------------------------------------------- */

/* Are they the same keys, in any order? */
static bool is_reordered(const lab_mismatch *m)
{
    const size_t bytes = m->n * sizeof(float);
    float *a = malloc(2 * bytes + 1), *b = a + m->n;
    bool same = a != NULL;

    if (same) {
        memcpy(a, m->got, bytes);
        memcpy(b, m->expected, bytes);
        qsort(a, m->n, sizeof *a, by_value);
        qsort(b, m->n, sizeof *b, by_value);
    }
    for (size_t i = 0; same && i < m->n; i++)
        same = a[i] == b[i];
    free(a);
    return same;
}

/* What programs take for a head, and is none, or the other way round. */
static bool is_not_0(int32_t flag) { return flag != 0; }
static bool is_positive(int32_t flag) { return flag > 0; }
static bool is_one(int32_t flag) { return flag == 1; }
static bool is_low_byte(int32_t flag) { return (flag & 255) != 0; }
static bool is_low_bit(int32_t flag) { return (flag & 1) != 0; }

/* Ways that are not those of < and ==. */
static int way_of_ints(float key, float pivot)
{
    const double a = trunc(fmax(fmin(2 * (double)key, 1e9), -1e9)),
                 b = trunc(fmax(fmin(2 * (double)pivot, 1e9), -1e9));
    return a < b ? 0 : a == b ? 1 : 2;
}
static int way_of_difference(float key, float pivot)
{
    const float off = key - pivot;
    return off < 0 ? 0 : off == 0 ? 1 : 2;
}
static int way_of_bits(float key, float pivot)
{
    return way_of(key, pivot) == 1 && signbit(key) != signbit(pivot) ? 2 : way_of(key, pivot);
}

/* Keys that are equal to the pivot, among the others. */
static int way_equal_above(float key, float pivot) { return key < pivot ? 0 : 2; }
static int way_equal_below(float key, float pivot) { return key > pivot ? 2 : 0; }
/* of infinite ones the difference is not a number */
static int way_within_a_tenth(float key, float pivot)
{
    return fabsf(key - pivot) < 0.1f ? 1 : way_equal_above(key, pivot);
}
static int way_within_a_part(float key, float pivot)
{
    const bool near = isfinite(pivot) && fabsf(key - pivot) <= 1e-6f * fabsf(pivot);
    return near ? 1 : way_equal_above(key, pivot);
}

typedef bool head_test(int32_t flag);
typedef int way_test(float key, float pivot);

/* What of a level, or before it, was answered. SPLIT: keys, in any order among those that go the
   same way. */
typedef enum answered { PIVOTS, WAYS, RANKS, KEYS, HEADS, SPLIT } answered;

/* Is the answer what comes if heads and ways are those that these tests say? */
static bool is_by(const lab_mismatch *m, head_test *is_head, way_test *way_is, answered what)
{
    const float *in = m->inputs[D_IN], *key = m->got;
    const int32_t *head = m->inputs[D_HEAD], *number = m->got;
    bool same = true;

    for (size_t start = 0, end, at = 0; same && start < m->n; start = end) {
        for (end = start + 1; end < m->n && !is_head(head[end]);)
            end++;
        for (int way = 0; way < 3; way++) {
            int32_t rank = 0;
            for (size_t i = start; same && i < end; i++) {
                if (way_is(in[i], in[start]) != way)
                    continue;
                switch (what) {
                case PIVOTS: same = key[i] == in[start]; break;
                case WAYS: same = number[i] == way; break;
                case RANKS: same = number[i] == rank; break;
                case KEYS: same = key[at] == in[i]; break;
                case HEADS: same = number[at] == (rank == 0); break;
                case SPLIT: same = way_is(key[at], in[start]) == way; break;
                }
                rank++;
                at++;
            }
        }
    }
    return same;
}

static const char *slip_diagnose(const lab_mismatch *m, answered what)
{
    static const char two_ways[] =
        "split in two ways, with the keys that are equal to the pivot among the others: segments "
        "of equal keys never get smaller so. They go between the others";
    static const char near[] =
        "keys near the pivot are taken for equal to it: floats that are one step apart are two "
        "keys, and so are the smallest float and 0; compare by < and ==, without a tolerance and "
        "not as integers";
    static const struct {
        head_test *is_head;
        way_test *way_is;
        const char *cause;
    } slips[] = {
        { is_one, way_of, "only flags of 1 are taken for heads: a head is any flag that is not 0" },
        { is_positive, way_of,
          "negative flags are not taken for heads: a head is any flag that is not 0, of either "
          "sign" },
        { is_low_byte, way_of,
          "flags whose lower 8 bits are 0, such as 256, are not taken for heads: the whole int is "
          "the flag, so compare it with 0 before it becomes a char or a bool" },
        { is_low_bit, way_of,
          "even flags are not taken for heads: a head is any flag that is not 0" },
        { is_not_0, way_equal_above, two_ways },
        { is_not_0, way_equal_below, two_ways },
        { is_not_0, way_of_difference,
          "a key equal to an infinite pivot does not go with it: the difference of both is no "
          "number; compare by < and ==, without a subtraction" },
        { is_not_0, way_of_ints, near },
        { is_not_0, way_within_a_tenth, near },
        { is_not_0, way_within_a_part, near },
        { is_not_0, way_of_bits,
          "0.0 and -0.0 are taken for two keys: their bits differ, and still they are equal; "
          "compare floats as floats" },
    };

    for (size_t k = 0; k < sizeof slips / sizeof *slips; k++)
        if (is_by(m, slips[k].is_head, slips[k].way_is, what))
            return slips[k].cause;
    return NULL;
}

static const char *pivots_diagnose(const lab_mismatch *m) { return slip_diagnose(m, PIVOTS); }

static const char *ranks_diagnose(const lab_mismatch *m)
{
    const bool ways = strcmp(m->buffer->name, "d_way") == 0;
    const char *known = slip_diagnose(m, ways ? WAYS : RANKS);
    const int32_t *got = m->got, *expected = m->expected, *head = m->inputs[D_HEAD];
    const float *in = m->inputs[D_IN];
    bool itself = true, all = true;

    if (known || ways)
        return known ? known : "0 below the pivot, 1 equal to it, 2 above";
    for (size_t i = 0, start = 0; i < m->n; i++) {
        start = head[i] != 0 ? i : start;
        itself = itself && (got[i] == expected[i] || got[i] == expected[i] + 1);
        all = all && got[i] == (in[i] > in[start] ? (int32_t)(i - start) : expected[i]);
    }
    if (all)
        return "of the keys before one that is above the pivot, those below it and equal to it "
               "have to be taken away; what is left is its rank";
    return itself
               ? "each key counts itself: the scans are inclusive, and a rank counts those before"
               : NULL;
}

static const char *heads_diagnose(const lab_mismatch *m)
{
    const char *known = slip_diagnose(m, HEADS);
    const int32_t *got = m->got, *expected = m->expected;
    bool missing = true;

    for (size_t i = 0; i < m->n; i++)
        missing = missing && (got[i] == expected[i] || got[i] == 0);
    return missing && !known ? "the keys are right, and heads are missing: a segment begins where "
                               "the first of each of the three ways goes, also that of the pivot"
                             : known;
}

static const char *level_diagnose(const lab_mismatch *m)
{
    if (m->buffer->type == LAB_I32)
        return heads_diagnose(m);
    if (is_by(m, is_not_0, way_of, KEYS)) /* but for the sign of a zero */
        return NULL;
    const char *known = slip_diagnose(m, KEYS);
    if (known)
        return known;
    if (!is_reordered(m))
        return "some keys are lost, and others stand there twice: two have gone to one place. A "
               "segment's ways lie side by side, and each counts its own keys";
    return is_by(m, is_not_0, way_of, SPLIT)
               ? "split in three, but keys have changed their order: those that go the same way "
                 "keep it. A rank counts what stands further left; a number from an atomicAdd says "
                 "who came first"
               : NULL;
}

static const char *sort_diagnose(const lab_mismatch *m)
{
    return is_reordered(m)
               ? "all keys are there, and some not yet in order: d_out has the keys of an earlier "
                 "level. Do those of the last one stay in the second array? The two take turns: "
                 "copy them where the last level has not written to d_out. Or did it come too "
                 "early? Go on as long as a level finds a key that is not equal to its pivot"
               : "some keys are lost, and others stand there twice: does each level read what the "
                 "one before wrote, and the shuffle take each key once?";
}

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, QUICKSORT_THREADS)
LIMIT(four, 4)
LIMIT(two_warps, 64)
static double tiles(size_t n) { return (double)((n + TILE - 1) / TILE); }
static double tiles_sharing(size_t n) { return half_up_to_3(tiles(n)); }
static double level_bytes(size_t n) { return 120 * (double)n + 4096 * tiles(n); }
static double eight_bytes_each(size_t n) { return 8 * (double)n; }
/* a warp's, or a block's, word that another level is needed */
static double level_atomics(size_t n) { return 16 * tiles(n) + 64; }
static double levels(size_t n)
{
    if (n < 2 || kind_of(n) == ALL_EQUAL)
        return 1;
    return kind_of(n) == WORST ? (double)n : 3 * log2((double)n) + 3;
}
static double sort_reads(size_t n) { return 4 * (1.1 * levels(n) + 1); }
static double sort_launches(size_t n) { return 8 * levels(n) + 8; }
/* a level doubles the segments at most; who looks first whether keys are in order needs none */
static double least_launches(size_t n)
{
    const key_kind kind = kind_of(n);

    return n < 100 || kind == SORTED || kind == ALL_EQUAL || kind == TWO_VALUES
               ? 0
               : floor(log2((double)n)) - 3;
}

/* ---- gates ----------------------------------------------------------------------------------- */

static const lab_gates level_gates = {
    { LAB_LAUNCHES, LAB_AT_MOST, eight, "launches", "8: one for ranks, one for moves, and spare",
      "All segments are split at the same time, by the same kernels." },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { LAB_FILLS, LAB_AT_MOST, one, "fills and copies", "1: to clear what must be 0 first",
      "Clear all that has to be 0 by one cudaMemsetAsync; the kernels write the rest." },
    { LAB_MOVED_BUT_WORDS, LAB_AT_MOST, level_bytes, "bytes moved",
      "120n + 4096 tiles: 60n are enough",
      "Look at what each kernel reads and stores for a key: no loop over a segment is needed." },
    { STORED(eight_bytes_each, "8n: keys and heads") },
    { LAB_ATOMICS, LAB_AT_MOST, level_atomics, "atomics",
      "16 tiles + 64: tickets, and a word that a key differs",
      "Ranks come from scans, which keep the order; an atomic for each key does not." },
    { LAB_BUSIEST_BLOCK, LAB_AT_MOST, four, "busiest block",
      "4 times the instructions of a launch's mean block, whatever the segments",
      "Long segments all go to one thread, warp or block: let blocks take tiles, wherever segments "
      "begin." },
    { WORK_SHARED(tiles_sharing, "tiles") },
    THREADS_PER_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
};

static const lab_gates sort_gates = {
    { LAB_THREADS_PER_BLOCK, LAB_AT_LEAST, two_warps, "threads per block",
      "64 in the mean, of all launches",
      "A thread that sorts by itself leaves the GPU idle: split all segments of the array at once, "
      "level by level." },
    { WORK_SHARED(tiles_sharing, "tiles") },
    { LAB_LAUNCHES, LAB_AT_LEAST, least_launches, "levels, as launches",
      "log2 n - 3, from n = 100 on, unless keys rise, or have one or two values",
      "Sort by quicksort's levels: kernels split all segments in three, and the host launches them "
      "again while a key is not equal to its pivot." },
    { LAB_HOST_BYTES, LAB_AT_MOST, sort_reads, "levels, as bytes to the host",
      "4 a level, for 3 log2 n + 3 levels, for 1 where all keys are equal (n = 2048), for n where "
      "they fall as level.h lays them (n = 262), a tenth and 4 to spare",
      "Levels go on when nothing is left to do if d_again is not made 0 before each of them. Or "
      "they split off one key each: the first of sorted keys is the smallest, so lay the keys in "
      "another order first. Where all keys are equal, one level has to see that nothing is left "
      "to do. The host asks for one int a level, and for no key. "
      "Mapped memory counts with each launch: copy the int instead." },
    { LAB_LAUNCHES, LAB_AT_MOST, sort_launches, "launches", "8 per level + 8",
      "Sort by levels of three-way splits, and stop when one finds every key equal to its pivot, "
      "not after a fixed number of levels." },
    { STORED(four_bytes_each, "4n: the keys") },
};

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints pivots_hints = {
    "5 3 | 7 4 6, where | begins a segment: each key is to know where its segment begins, 0 or 2. "
    "Which numbers do you write under the keys, so that a segmented sum leaves just that?",
    "A head writes its own index, all others 0: the sum from the head on is the head's, whatever "
    "lies between. The scan goes across tiles; the pivot is the key at that index.",
    "for each row: start = ___ where the lane's key is a head, else ___\n"
    "scan_tile_int, as scan ___ of the launch, of start\n"
    "for each row: pivot = the key at ___",
};
static const lab_hints ranks_hints = {
    "A segment 5 3 7 5 4: which of the keys are below the pivot 5, equal, above? The 4 is the "
    "second below: who counts that? Of the 7, how many stand before it, and how many of these go "
    "another way?",
    "Ones where a key is below the pivot, scanned, count those up to each key; the same with "
    "equal. The third way needs no scan: keys before it that go neither way go the third.",
    "for each row: go = which_way; less is 1 where ___; equal is 1 where ___\n"
    "scan_tile_int of less, as scan ___, and of equal, as scan ___\n"
    "for each row: rank =\n"
    "    below: less without ___\n"
    "    equal: ___\n"
    "    above: the keys of the segment before it, without ___",
};
static const lab_hints level_hints = {
    "In the segment that begins at index 10, 4 keys are below the pivot, and 2 equal to it. Where "
    "does the first that is above it go? Which key has counted all 4 and 2, and how do the others "
    "learn it?",
    "The last key of a segment has counted all of it, inclusive as the scans are: it stores both "
    "counts at the index where the segment begins, where every key of it looks. A new segment "
    "begins with the key that has rank 0.",
    "rank_level: the last key of a segment is that of index n - 1, or the one whose ___ is a head\n"
    "    it leaves its less and equal at index ___\n"
    "    a key that does not go EQUAL says ___\n"
    "move_level: to = start and rank; and unless LESS, ___; and if GREATER, ___\n"
    "    its head: ___",
};
static const lab_hints sort_hints = {
    "How many levels do sorted keys take, if the first is the pivot? If all keys are equal, what "
    "does the first level find? Which array does the second level read?",
    "In an order that does not depend on the keys, the first of a segment may be any of them. Two "
    "arrays of keys and two of heads take turns. The host sets d_again to 0 before a level, and "
    "asks for it after the ranks: if it is still 0, all is in order, where the level has read.",
    "begin: d_out at i = the key at ___; head where i is ___\n"
    "level k reads d_out if k is ___, else d_keys, and writes the other; heads likewise\n"
    "again: cleared; ___; copied to the host; if ___, end\n"
    "    else ___\n"
    "at the end the keys are where the last level has ___; if that is not d_out, copy them",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers pivots_buffers = {
    [D_IN] = { .name = "d_in" },
    [D_HEAD] = { .name = "d_head", .type = LAB_I32 },
    [D_OUT] = { .name = "d_pivot", .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers ranks_buffers = {
    [D_IN] = { .name = "d_in" },
    [D_HEAD] = { .name = "d_head", .type = LAB_I32 },
    [D_OUT] = { .name = "d_way", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    [D_OUT_2] = { .name = "d_rank", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
/* keys are moved: -0.0 is not 0.0. Not those of quicksort_sort, where either may come first */
static const lab_buffers level_buffers = {
    [D_IN] = { .name = "d_in" },
    [D_HEAD] = { .name = "d_head", .type = LAB_I32 },
    [D_OUT] = { .name = "d_out", .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    [D_OUT_2] = { .name = "d_new_head", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers sort_buffers = {
    { .name = "d_in" },
    { .name = "d_out", .role = LAB_OUT, .owner = LAB_BY_GRID },
};

static const lab_sizes level_sizes = { TILE + 7, 5 * TILE + 100, 8 * TILE };
static const lab_sizes sort_sizes = { WORST_KEYS, SORTED_KEYS, REVERSED_KEYS, ORGAN_PIPE_KEYS,
                                      2 * TILE };
static const lab_sizes sort_once = { MANY_KEYS };

enum {
    STEP_MOST = 3 * TILE,
    MOST = (1 << 30) - 1,
    RANK_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
    LEVEL_TODOS = RANK_TODOS | LAB_TODO(4) | LAB_TODO(5)
};

static const lab_parts parts = {
    {
        .entry = "quicksort_pivots",
        .title = "the pivot of each key's segment",
        .points = 13,
        .buffers = pivots_buffers,
        .reference = pivots_reference,
        .fill = fill_level,
        .diagnose = pivots_diagnose,
        .max_n = STEP_MOST,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = pivots_hints,
    },
    {
        .entry = "quicksort_ranks",
        .title = "three ways, and ranks among those who go the same",
        .points = 16,
        .buffers = ranks_buffers,
        .reference = ranks_reference,
        .fill = fill_level,
        .diagnose = ranks_diagnose,
        .max_n = STEP_MOST,
        .step = true,
        .todos = RANK_TODOS,
        .hints = ranks_hints,
    },
    {
        .entry = "quicksort_level",
        .title = "one level: all segments split in three",
        .points = 35,
        .buffers = level_buffers,
        .reference = level_reference,
        .fill = fill_level,
        .gates = level_gates,
        .gate_sizes = level_sizes,
        .diagnose = level_diagnose,
        .max_n = MOST,
        .drawn = true,
        .todos = LEVEL_TODOS,
        .hints = level_hints,
    },
    {
        .entry = "quicksort_sort",
        .title = "levels, until all is in order",
        .points = 36,
        .buffers = sort_buffers,
        .reference = sort_reference,
        .fill = fill_sort,
        .change = change_sort,
        .gates = sort_gates,
        .gate_sizes = sort_sizes,
        .diagnose = sort_diagnose,
        .max_n = SORT_MOST,
        .once_n = sort_once,
        .todos = LEVEL_TODOS | LAB_TODO(6) | LAB_TODO(7),
        .hints = sort_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Quicksort",
    .learned = "Recursion becomes heads of new segments: all segments are split at once, level by "
               "level, and splits in three come to an end.",
    .file = "quicksort.cu",
    .tile = TILE,
    .threads = QUICKSORT_THREADS,
    .per_thread = TILE / QUICKSORT_THREADS,
    .blocks_wait = true,
    .large_n = LARGE,
    .taught = { "bytes moved", "busiest block", "levels, as bytes to the host" },
    .parts = parts,
};
