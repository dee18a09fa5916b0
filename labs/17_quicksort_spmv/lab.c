/*
 * Lab 17 declared: parts, reference, gates and hints. See common/lab/lab.h for what each field
 * means.
 *
 * The theory behind the gates, for tiles and shares of T = 2048:
 *     levels     with any key of a segment as likely to be its pivot as any other, a quicksort of
 *                n keys has 2 to 2.6 log2 n levels, and the last, which finds that nothing is to be
 *                done; with three ways, equal keys end with the level that first meets them. The
 *                host learns what a level has found by one int: bytes to the host are levels
 *     a level    reads a key, its head and that of the next, and fetches the pivot: 16n; keeps
 *                start and rank, 8n, and two counts a segment, 8; reads these and the key, 12n, and
 *                fetches the counts, 8n; stores key and head, 8n: at most 60n
 *     a matrix   12 a nonzero: value, column, and what the column fetches of x; of a row its offset
 *                and its sum: 8. Descriptors and a search take 1 KiB a tile
 *     shares     nonzeros and ends of rows together are cut into equal shares, so that instructions
 *                depend on how many there are, and not on how rows are shared out among them
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "lab.h"
#include "quicksort_spmv.h"
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
static bool is_positive(int32_t flag) { return flag > 0; }
static bool is_one(int32_t flag) { return flag == 1; }
static bool is_low_byte(int32_t flag) { return (flag & 255) != 0; }
static bool is_low_bit(int32_t flag) { return (flag & 1) != 0; }

typedef void reference(void *const *buffers, size_t n);

/* Is the answer what comes if these flags alone are heads? compute: of the part's buffers, keys and
   heads, two outputs at most. */
static bool is_with_heads(const lab_mismatch *m, bool (*is_head)(int32_t flag), reference *compute,
                          unsigned output)
{
    const int32_t *head = m->inputs[1];
    int32_t *other = malloc((3 * m->n + 1) * sizeof *other);
    bool same = other != NULL;

    for (size_t i = 0; same && i < m->n; i++)
        other[i] = is_head(head[i]);
    if (same) {
        union {
            const void *given;
            void *keys;
        } in = { m->inputs[0] };
        void *const buffers[] = { in.keys, other, other + m->n, other + 2 * m->n };
        compute(buffers, m->n);
        same = memcmp(buffers[2 + output], m->got, m->n * sizeof *other) == 0;
    }
    free(other);
    return same;
}

/* Are segments where only some of the flags are taken for heads? */
static const char *heads_diagnose(const lab_mismatch *m, reference *compute, unsigned output)
{
    static const struct {
        bool (*is_head)(int32_t flag);
        const char *cause;
    } known[] = {
        { is_one, "only flags of 1 are taken for heads: a head is any flag that is not 0" },
        { is_positive, "negative flags are not taken for heads: a head is any flag that is not 0, "
                       "of either sign" },
        { is_low_byte, "flags whose lower 8 bits are 0, such as 256, are not taken for heads: the "
                       "whole int is the flag, so compare it with 0 before it becomes a char or a "
                       "bool" },
        { is_low_bit, "even flags are not taken for heads: a head is any flag that is not 0" },
    };

    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (is_with_heads(m, known[k].is_head, compute, output))
            return known[k].cause;
    return NULL;
}

static const char *pivots_diagnose(const lab_mismatch *m)
{
    return heads_diagnose(m, pivots_reference, 0);
}

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
/* of infinite ones the difference is no number */
static int way_within_a_tenth(float key, float pivot)
{
    return fabsf(key - pivot) < 0.1f ? 1 : way_equal_above(key, pivot);
}
static int way_within_a_part(float key, float pivot)
{
    const bool near = isfinite(pivot) && fabsf(key - pivot) <= 1e-6f * fabsf(pivot);
    return near ? 1 : way_equal_above(key, pivot);
}

/* What of a level, or before it, was answered. */
typedef enum answered { KEYS, HEADS, WAYS } answered;

/* Is the answer what a level leaves where keys go as this says? */
static bool is_by_way(const lab_mismatch *m, int (*way_is)(float key, float pivot), answered what)
{
    const float *in = m->inputs[0], *key = m->got;
    const int32_t *head = m->inputs[1], *number = m->got;

    for (size_t start = 0, end, at = 0; start < m->n; start = end) {
        end = end_of(head, start, m->n);
        for (size_t i = start; what == WAYS && i < end; i++)
            if (way_is(in[i], in[start]) != number[i])
                return false;
        for (int way = 0; what != WAYS && way < 3; way++) {
            bool first = true;
            for (size_t i = start; i < end; i++) {
                if (way_is(in[i], in[start]) != way)
                    continue;
                if (what == KEYS ? key[at] != in[i] : number[at] != first)
                    return false;
                first = false;
                at++;
            }
        }
    }
    return true;
}

static const char *ways_diagnose(const lab_mismatch *m, answered ways)
{
    if (is_by_way(m, way_equal_above, ways) || is_by_way(m, way_equal_below, ways))
        return "split in two ways, with the keys that are equal to the pivot among the others: "
               "segments of equal keys never get smaller so. They go between the others";
    if (is_by_way(m, way_of_difference, ways))
        return "a key equal to an infinite pivot does not go with it: the difference of both is no "
               "number; compare by < and ==, without a subtraction";
    if (is_by_way(m, way_of_ints, ways) || is_by_way(m, way_within_a_tenth, ways) ||
        is_by_way(m, way_within_a_part, ways))
        return "keys near the pivot are taken for equal to it: floats that are one step apart are "
               "two keys, and so are the smallest float and 0; compare by < and ==, without a "
               "tolerance and not as integers";
    if (is_by_way(m, way_of_bits, ways))
        return "0.0 and -0.0 are taken for two keys: their bits differ, and still they are equal; "
               "compare floats as floats";
    return NULL;
}

/* Is it split in three everywhere, though in another order? */
static bool is_split(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got, *expected = m->expected;
    const int32_t *head = m->inputs[1];

    for (size_t start = 0, end; start < m->n; start = end) {
        end = end_of(head, start, m->n);
        for (size_t i = start; i < end; i++)
            if (way_of(got[i], in[start]) != way_of(expected[i], in[start]))
                return false;
    }
    return true;
}

static const char *level_diagnose(const lab_mismatch *m)
{
    const int32_t *got = m->got, *expected = m->expected;
    bool missing = true;

    for (size_t i = 0; m->buffer->type == LAB_I32 && i < m->n; i++)
        missing = missing && (got[i] == expected[i] || got[i] == 0);
    if (m->buffer->type == LAB_I32 && ways_diagnose(m, HEADS))
        return ways_diagnose(m, HEADS);
    if (m->buffer->type == LAB_I32)
        return missing ? "the keys are right, and heads are missing: a segment begins where the "
                         "first of each of the three ways goes, also that of the pivot"
                       : NULL;
    if (is_by_way(m, way_of, KEYS)) /* but for the sign of a zero */
        return NULL;
    const char *known = heads_diagnose(m, level_reference, 0);
    if (known || (known = ways_diagnose(m, KEYS)) != NULL)
        return known;
    if (!is_reordered(m))
        return "some keys are lost, and others stand there twice: two have gone to one place. A "
               "segment's ways lie side by side, and each counts its own keys";
    if (is_split(m))
        return "split in three, but keys have changed their order: those that go the same way keep "
               "it. A rank counts what stands further left; a number from an atomicAdd says who "
               "came first";
    return NULL;
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

static const char *ranks_diagnose(const lab_mismatch *m)
{
    const int32_t *got = m->got, *expected = m->expected;
    const float *in = m->inputs[0];
    const int32_t *head = m->inputs[1];
    bool itself = true, all = true;

    for (size_t start = 0, end; start < m->n; start = end) {
        end = end_of(head, start, m->n);
        for (size_t i = start; i < end; i++) {
            const bool greater = way_of(in[i], in[start]) == 2;
            itself = itself && (got[i] == expected[i] || got[i] == expected[i] + 1);
            all = all && (got[i] == expected[i] || (greater && got[i] == (int32_t)(i - start)));
        }
    }
    const bool ways = m->buffer != NULL && strcmp(m->buffer->name, "d_way") == 0;
    const char *known = heads_diagnose(m, ranks_reference, ways ? 0 : 1);
    if (known || (ways && (known = ways_diagnose(m, WAYS)) != NULL))
        return known;
    if (ways)
        return "0 below the pivot, 1 equal to it, 2 above";
    if (all)
        return "of the keys before one that is above the pivot, those below it and equal to it "
               "have to be taken away; what is left is its rank";
    return itself
               ? "each key counts itself: the scans are inclusive, and a rank counts those before"
               : NULL;
}

/* Does row r lie in several tiles, or shares? */
static bool is_cut(const lab_mismatch *m, size_t r, bool by_shares)
{
    const int32_t *offset = m->inputs[2];
    const size_t begin = (size_t)offset[r], end = (size_t)offset[r + 1];

    if (begin == end)
        return false;
    return by_shares ? (begin + r) / TILE != (end + r) / TILE
                     : (m->n - 1 - begin) / TILE != (m->n - end) / TILE;
}

static const char *matrix_diagnose(const lab_mismatch *m, bool by_shares)
{
    const float *value = m->inputs[0], *got = m->got, *expected = m->expected;
    const int32_t *offset = m->inputs[2];
    bool empty = true, cut = true, values = true, full = true, mixed = false;
    bool some = false; /* sums are there, and are not just missing */

    for (size_t r = 0; r < m->length; r++) {
        float sum = 0;
        for (int32_t i = offset[r]; i < offset[r + 1]; i++)
            sum += value[i];
        values = values && got[r] == sum;
        some = some || got[r] != 0;
        if (got[r] == expected[r])
            continue;
        bool has_full = false;
        for (int32_t i = offset[r]; i < offset[r + 1]; i++)
            has_full = has_full || is_full(value[i]);
        full = full && has_full;
        mixed = mixed || (isfinite(expected[r]) && !isfinite(got[r]));
        empty = empty && offset[r] == offset[r + 1];
        cut = cut && is_cut(m, r, by_shares);
    }
    if (values)
        return "the sums are those of the values alone: each is to be multiplied by the x of its "
               "column";
    if (full && some)
        return "wrong only in rows with a value that takes all 24 bits of a float, or is very "
               "large or small: a sum has been held in fixed point, or as an int, or is the "
               "difference of sums that go on over other rows; add floats, and each row's alone";
    if (mixed && !empty)
        return "a finite sum came out infinite or as no number: another row's infinite product was "
               "in it, by a difference of sums that go on over rows, or times 0; leave out what "
               "does not belong to the row";
    if (empty)
        return "wrong only where a row is empty: it has no nonzero that could be a head, and still "
               "its 0 has to be written";
    if (cut)
        return by_shares ? "wrong only in rows that lie in several shares: what was open before "
                           "the share is missing, or taken where it does not belong"
                         : "wrong only in rows that lie in several tiles: what the tile behind "
                           "left open is missing";
    return NULL;
}

static const char *backward_diagnose(const lab_mismatch *m) { return matrix_diagnose(m, false); }
static const char *shares_diagnose(const lab_mismatch *m) { return matrix_diagnose(m, true); }

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, QUICKSORT_THREADS)
LIMIT(four, 4)
LIMIT(five, 5)
LIMIT(two_warps, 64)
enum { ASIDE = 1 << 10 };
static double all_tiles(size_t n) { return (double)tiles(n); }
static double tiles_sharing(size_t n) { return half_up_to_3(all_tiles(n)); }
static double shares_sharing(size_t n) { return half_up_to_3((double)shares(n)); }
static double all_items(size_t n) { return (double)(n + rows(n)); }
static double level_bytes(size_t n) { return 120 * (double)n + 4 * ASIDE * all_tiles(n); }
static double eight_bytes_each(size_t n) { return 8 * (double)n; }
/* a warp's, or a block's, word that another level is needed */
static double level_atomics(size_t n) { return 16 * all_tiles(n) + 64; }
static double levels(size_t n)
{
    return n < 2 || kind_of(n) == ALL_EQUAL ? 1 : 3 * log2((double)n) + 3;
}
static double sort_reads(size_t n) { return 4 * (levels(n) + 1); }
static double sort_launches(size_t n) { return 8 * levels(n) + 8; }
/* a level doubles the segments at most; who looks first whether keys are in order needs none */
static double least_launches(size_t n)
{
    const key_kind kind = kind_of(n);

    return n < 100 || kind == SORTED || kind == ALL_EQUAL || kind == TWO_VALUES
               ? 0
               : floor(log2((double)n)) - 3;
}
static double backward_bytes(size_t n)
{
    return 12 * (double)n + 24 * (double)offsets(n) + ASIDE * all_tiles(n);
}
static double shares_bytes(size_t n)
{
    return 12 * (double)n + 8 * (double)offsets(n) + ASIDE * (double)shares(n);
}
static double rows_stored(size_t n) { return 4 * (double)rows(n); }
/* marks by bits of a word, or sums of rows that are cut, need an atomic each */
static double backward_atomics(size_t n) { return 2 * all_tiles(n) + (double)offsets(n) + 64; }
static double shares_atomics(size_t n) { return 2 * (double)shares(n) + (double)offsets(n) + 64; }
static double instructions(size_t n) { return 200 * all_items(n) / WARP + 12000; }
static double skewed(size_t n) { return 1.5 * all_items(n) / all_items(EVEN_8); }

/* ---- gates ----------------------------------------------------------------------------------- */

#define LAUNCHED(limit, formula, advice)                                                           \
    LAB_LAUNCHES, LAB_AT_MOST, limit, "launches", formula, advice
#define FILLED                                                                                     \
    LAB_FILLS, LAB_AT_MOST, one, "fills and copies", "1: to clear what must be 0 first",           \
        "Clear all that has to be 0 by one cudaMemsetAsync; the kernels write the rest."
#define MOVED(limit, formula, advice)                                                              \
    LAB_MOVED_BUT_WORDS, LAB_AT_MOST, limit, "bytes moved", formula, advice
#define ATOMICS(limit, formula)                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, limit, "atomics", formula,                                           \
        "Ranks and sums come from scans, which keep the order; an atomic for each element does "   \
        "not."
#define BUSIEST(limit, formula)                                                                    \
    LAB_BUSIEST_BLOCK, LAB_AT_MOST, limit, "busiest block", formula,                               \
        "Long segments all go to one thread, warp or block: let blocks take tiles, wherever "      \
        "segments begin."

static const lab_gates level_gates = {
    { LAUNCHED(eight, "8: one for ranks, one for moves, and spare",
               "All segments are split at the same time, by the same kernels.") },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { FILLED },
    { MOVED(level_bytes, "120n, and 4 KiB a tile: 60n are enough",
            "Look at what each kernel reads and stores for a key: no loop over a segment is "
            "needed.") },
    { STORED(eight_bytes_each, "8n: keys and heads") },
    { ATOMICS(level_atomics, "16 a tile, and 64: tickets, and a word that a key differs") },
    { BUSIEST(four, "4 times the instructions of a launch's mean block, whatever the segments") },
    { WORK_SHARED(tiles_sharing, "tiles") },
    THREADS_OF_A_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
};
static const lab_gates sort_gates = {
    { LAB_THREADS_PER_BLOCK, LAB_AT_LEAST, two_warps, "threads of a block",
      "64 in the mean, of all launches",
      "A thread that sorts by itself leaves the GPU idle: split all segments of the array at once, "
      "level by level." },
    { WORK_SHARED(tiles_sharing, "tiles") },
    { LAB_LAUNCHES, LAB_AT_LEAST, least_launches, "levels, as launches",
      "log2 n - 3, from n = 100 on, unless keys rise, or have one or two values",
      "Sort by quicksort's levels: kernels split all segments in three, and the host launches them "
      "again while a key is not equal to its pivot." },
    { LAB_HOST_BYTES, LAB_AT_MOST, sort_reads, "levels, as bytes to the host",
      "4 a level, for 3 log2 n + 3 levels, for 1 where all keys are equal (n = 2048), and 4 to "
      "spare",
      "Levels go on when nothing is left to do if d_again is not made 0 before each of them. Or "
      "they split off one key each: the first of sorted keys is the smallest, so lay the keys in "
      "another order first. Where all keys are equal, one level has to see that nothing is left "
      "to do. The host asks for one int a level, and for no key. "
      "Mapped memory counts with each launch: copy the int instead." },
    { LAUNCHED(sort_launches, "8 a level, and 8",
               "Sort by levels of three-way splits, and stop when one finds every key equal to its "
               "pivot, not after a fixed number of levels.") },
    { STORED(four_bytes_each, "4n: the keys") },
};
static const lab_gates backward_gates = {
    { LAUNCHED(two, "2: one is enough", "One kernel multiplies, scans and picks.") },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { FILLED },
    { MOVED(backward_bytes,
            "12 a nonzero: value, column, x; 24 an offset: mark, both ends, sum, and spare; and 1 "
            "KiB a tile",
            "Load each value and column once, and keep the products on the chip.") },
    { STORED(rows_stored, "4 a row, also an empty one") },
    { ATOMICS(backward_atomics, "2 a tile, 1 an offset, and 64") },
    { BUSIEST(five, "5 times the instructions of a mean block, however long a row is") },
    { WORK_SHARED(tiles_sharing, "tiles") },
    THREADS_OF_A_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
};
static const lab_gates shares_gates = {
    { LAUNCHED(two, "2: one is enough", "One kernel multiplies, scans and picks.") },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { FILLED },
    { LAB_INSTRUCTIONS_SPREAD, LAB_AT_MOST, skewed, "skewed over even rows",
      "1.5 times the warp instructions of n = 12300, whose rows are even, for as many nonzeros "
      "and rows",
      "The same nonzeros take more work where rows are skewed: lanes idle beside a long row, or "
      "empty rows cost as much as others. Cut nonzeros and ends of rows into equal shares." },
    { LAB_INSTRUCTIONS, LAB_AT_MOST, instructions, "instructions",
      "200 for 32 nonzeros and ends of rows, and 12000",
      "A warp for each row, or a search for each nonzero, is more work than the rows are: let a "
      "lane have a nonzero, and a scan find the sums." },
    { BUSIEST(two, "twice the instructions of a mean block, whatever the rows") },
    { WORK_SHARED(shares_sharing, "shares") },
    { MOVED(shares_bytes,
            "12 a nonzero: value, column, x; 8 an offset: each once, and the sum; and 1 KiB a "
            "share",
            "Load each value and column once; a share's offsets fit into shared memory.") },
    { STORED(rows_stored, "4 a row, also an empty one") },
    { ATOMICS(shares_atomics, "2 a share, 1 an offset, and 64") },
    THREADS_OF_A_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
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
static const lab_hints backward_hints = {
    "Read the nonzeros from the last to the first: where does a row begin then? At which nonzero "
    "is its sum complete? What does an empty row mark, and who writes its 0?",
    "The nonzero before an offset ends a row: seen from behind, that is a head. The sum of a row "
    "stands at its first nonzero, which its own offset names. An empty row's offset is the next "
    "one's as well: it may mark the same place again, and its sum is 0.",
    "TODO 8: value times the x of ___\n"
    "TODO 9: the offsets above low and up to high mark place high less ___\n"
    "TODO 10: a row that begins in the tile: if it is ___: 0, else the sum at place ___\n"
    "    rows that begin at n are empty: the tile whose high is ___ has them",
};
static const lab_hints shares_hints = {
    "Lab 15 cut elements and ends of segments into equal shares. A share ends 3 rows: how many "
    "offsets does it need? Where is the sum of a row whose last nonzero lies in an earlier share?",
    "A share has at most as many rows as items: their offsets fit into shared memory, and are "
    "read once. Behind each end begins a row: a head. A row that has no nonzero in the share is "
    "empty, or complete with what was open before it.",
    "TODO 11: the share's offsets, one more than ends: s_offset k is that of row ___\n"
    "    each but the first marks the place behind its row: the offset less ___\n"
    "TODO 12: for each end, by its row's two offsets:\n"
    "    equal: ___\n"
    "    end above low: the scan at place ___\n"
    "    else: ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

#define IN(text, element)                                                                          \
    {                                                                                              \
        .name = text, .type = element                                                              \
    }
#define OUT(text, element)                                                                         \
    {                                                                                              \
        .name = text, .type = element, .role = LAB_OUT, .owner = LAB_BY_GRID                       \
    }
static const lab_buffers pivots_buffers = { IN("d_in", LAB_F32), IN("d_head", LAB_I32),
                                            OUT("d_pivot", LAB_F32) };
static const lab_buffers ranks_buffers = { IN("d_in", LAB_F32), IN("d_head", LAB_I32),
                                           OUT("d_way", LAB_I32), OUT("d_rank", LAB_I32) };
/* keys are moved: -0.0 is not 0.0. Not those of quicksort_sort, where either may come first */
static const lab_buffers level_buffers = {
    IN("d_in", LAB_F32),
    IN("d_head", LAB_I32),
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
    OUT("d_new_head", LAB_I32)
};
static const lab_buffers sort_buffers = { IN("d_in", LAB_F32), OUT("d_out", LAB_F32) };
static const lab_buffers matrix_buffers = {
    IN("d_value", LAB_F32),
    IN("d_column", LAB_I32),
    { .name = "d_offset", .type = LAB_I32, .length = offsets },
    { .name = "d_x", .type = LAB_F32, .length = rows },
    { .name = "d_y", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = rows },
};

static const lab_sizes level_sizes = { TILE + 7, 5 * TILE + 100, 8 * TILE };
static const lab_sizes sort_sizes = { SORTED_KEYS, REVERSED_KEYS, ORGAN_PIPE_KEYS, 2 * TILE };
static const lab_sizes matrix_sizes = {
    EVEN_8, FULL_8, POWER_8, FEW_8, DIAGONAL, FULL_1, SHORT_500
};

enum {
    STEP_MOST = 3 * TILE,
    SORT_MOST = 3 * TILE, /* a case has some thirty levels */
    MOST = (1 << 30) - 1,
    RANK_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
    LEVEL_TODOS = RANK_TODOS | LAB_TODO(4) | LAB_TODO(5),
    SORT_TODOS = LEVEL_TODOS | LAB_TODO(6) | LAB_TODO(7)
};

#define PART(name, text, worth, what) .entry = #name, .title = text, .points = worth, .todos = what
#define STEP(name)                                                                                 \
    .buffers = name##_buffers, .reference = name##_reference, .fill = fill_level,                  \
    .max_n = STEP_MOST, .step = true, .hints = name##_hints
#define MATRIX(name)                                                                               \
    .buffers = matrix_buffers, .reference = spmv_reference, .fill = fill_matrix,                   \
    .change = change_matrix_or_sign, .gates = name##_gates, .gate_sizes = matrix_sizes,            \
    .diagnose = name##_diagnose, .max_n = MOST, .hints = name##_hints

static const lab_parts parts = {
    { PART(quicksort_pivots, "the pivot of each key's segment", 8, LAB_TODO(1)), STEP(pivots),
      .diagnose = pivots_diagnose },
    { PART(quicksort_ranks, "three ways, and ranks among those who go the same", 10, RANK_TODOS),
      STEP(ranks), .diagnose = ranks_diagnose },
    { PART(quicksort_level, "one level: all segments split in three", 22, LEVEL_TODOS),
      .buffers = level_buffers, .reference = level_reference, .fill = fill_level,
      .gates = level_gates, .gate_sizes = level_sizes, .diagnose = level_diagnose, .max_n = MOST,
      .hints = level_hints, .drawn = true },
    { PART(quicksort_sort, "levels, until all is in order", 22, SORT_TODOS),
      .buffers = sort_buffers, .reference = sort_reference, .fill = fill_sort,
      .change = change_sort, .gates = sort_gates, .gate_sizes = sort_sizes,
      .diagnose = sort_diagnose, .max_n = SORT_MOST, .hints = sort_hints },
    { PART(spmv_backward, "matrix times vector, by a backward scan", 18,
           LAB_TODO(8) | LAB_TODO(9) | LAB_TODO(10)),
      MATRIX(backward) },
    { PART(spmv_shares, "matrix times vector, by equal shares of work", 20,
           LAB_TODO(8) | LAB_TODO(11) | LAB_TODO(12)),
      MATRIX(shares), .drawn = true },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Quicksort and SpMV",
    .file = "quicksort_spmv.cu",
    .tile = TILE,
    .threads = QUICKSORT_THREADS,
    .per_thread = TILE / QUICKSORT_THREADS,
    .blocks_wait = true,
    .large_n = NONZEROS_2007,
    .parts = parts,
};
