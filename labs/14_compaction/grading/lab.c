/*
 * Lab 14 declared: parts, reference, gates and hints. See common/lab/lab.h for what each field
 * means.
 *
 * The theory behind the gates, for tiles of T = 4096 elements of s bytes, of which k are kept, and
 * blocks of 256 threads:
 *     launches   1: nothing is cleared before it, because a descriptor of another launch counts as
 *                INVALID
 *     bytes      s n read and s k written; partition: s n written; of r runs: keys s n and
 *                (s + 4) r, by key 2 s n and 2 s r. To that come, for a tile: its ticket, its
 *                descriptor written twice, the key before each warp, and one look at 32 or 64
 *                descriptors of 8 bytes: 2 %, and 512 bytes a tile where look-back has to go far;
 *                of pairs, which are twice as large, 1024
 *     sectors    elements are loaded in whole sectors; a tile's run is stored in order from
 *                wherever it begins, which costs a warp one sector more than its 4 (8): at most 1.5
 *                times what the bytes need; and those of the descriptors
 *     atomics    1 a tile, the ticket
 *     barriers   3 a tile: ticket, counts of the warps, kept elements in place; runs: 5; a block
 *                that stays needs one more between its tiles; two spare
 *
 * What a case keeps is fixed by n, so that limits stay functions of n: see cases.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "compaction.h"
#include "lab.h"
#include "usual_gates.h"

/* ---- diagnoses ------------------------------------------------------------------------------- */

static bool is_count(const lab_mismatch *m) { return m->buffer->name[2] == 'c'; }

static int by_bits(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Are the first `count` elements those that are expected, in another order? */
static bool is_reordered(const lab_mismatch *m, size_t count)
{
    uint64_t *sorted = calloc(2 * count + 1, sizeof *sorted);
    bool same = sorted && count > 1;

    for (size_t i = 0; same && i < count; i++) {
        sorted[i] = element(m->buffer->type, m->expected, i);
        sorted[count + i] = element(m->buffer->type, m->got, i);
    }
    if (same) {
        qsort(sorted, count, sizeof *sorted, by_bits);
        qsort(sorted + count, count, sizeof *sorted, by_bits);
        same = memcmp(sorted, sorted + count, count * sizeof *sorted) == 0;
    }
    free(sorted);
    return same;
}

static int64_t kept_in(const lab_mismatch *m, lab_type type, size_t from, size_t to)
{
    int64_t count = 0;

    for (size_t i = from; i < to && i < m->n; i++)
        count += is_kept(type, element(type, m->inputs[0], i));
    return count;
}

/* What is kept after the last tile that keeps nothing; -1: every tile keeps something. */
static int64_t kept_after_none(const lab_mismatch *m, lab_type type)
{
    int64_t count = 0;

    for (size_t t = tiles(m->n); t-- > 0;) {
        const int64_t in_tile = kept_in(m, type, t * TILE, (t + 1) * TILE);
        if (in_tile == 0)
            return count;
        count += in_tile;
    }
    return -1;
}

static const char *select_count_diagnose(const lab_mismatch *m, lab_type type)
{
    const size_t last = m->n > 0 ? (m->n - 1) / TILE * TILE : 0;
    const int64_t got = *(const int64_t *)m->got, expected = *(const int64_t *)m->expected,
                  in_last = kept_in(m, type, last, m->n);

    if (got == expected + (int64_t)(tiles(m->n) * TILE - m->n) && got != expected)
        return "the elements that the last tile lacks are counted as kept: load_tile has filled "
               "them up with 0, and 0 is kept. Ask whether the array has an element there";
    if (last > 0 && got == 0 && in_last == 0)
        return "the last tile keeps nothing, and d_count is 0, as if those before it kept nothing "
               "either: does d_count get what the last tile keeps alone, or does a tile that keeps "
               "nothing publish a PREFIX of 0?";
    if (last > 0 && got != in_last && got == kept_after_none(m, type))
        return "d_count has only what is kept after a tile that keeps nothing: such a tile may "
               "have published a PREFIX of 0, where what all tiles before it keep belongs";
    for (size_t t = 1; got == in_last && got != expected && t < tiles(m->n); t++)
        if (got == kept_in(m, type, 0, t * TILE))
            return "d_count has what the last tile keeps, and not what all tiles keep, or what the "
                   "first ones do, and the last tile's own are missing: is it stored by the block "
                   "with the last number (blockIdx), and not by that with the last tile?";
    if (last > 0 && got == in_last)
        return "d_count has what the last tile keeps, and not what all tiles keep";
    if (last > 0 && got == expected - in_last)
        return "d_count has what all tiles before the last keep: the last tile's own are missing. "
               "Or is it stored by the block with the last number (blockIdx), and not by that with "
               "the last tile?";
    for (size_t t = 1; t + 1 < tiles(m->n); t++)
        if (got != expected && got == kept_in(m, type, 0, t * TILE))
            return "d_count has what some of the first tiles keep: is it stored by the block with "
                   "the last number (blockIdx), and not by that with the last tile?";
    if (got == expected - 1 && got > 0)
        return "d_count is off by one: is it the index of the last one? It has to be the number of "
               "elements";
    return NULL;
}

static bool sign_bit_clear(uint64_t bits) { return bits >> 31 == 0; }
/* not below 0 as an int, but for -0.0: a NaN of that sign, too */
static bool sign_bit_or_0(uint64_t bits) { return sign_bit_clear(bits) || as_float(bits) == 0; }
static bool finite_kept(uint64_t bits) { return as_float(bits) >= 0 && isfinite(as_float(bits)); }
static bool above_0(uint64_t bits) { return as_float(bits) > 0; }
static bool not_below_0(uint64_t bits) { return !(as_float(bits) < 0); }
static bool int_above_0(uint64_t bits) { return (int32_t)bits > 0; }
static bool long_above_0(uint64_t bits) { return (int64_t)bits > 0; }
static bool lower_half_kept(uint64_t bits) { return (int32_t)bits >= 0; }

#define ZERO_DROPPED "what is 0 was dropped: elements that are 0 or more are kept"

/* Elements that were kept by another rule. */
static const char *rule_diagnose(const lab_mismatch *m)
{
    static const struct {
        lab_type type;
        bool (*keeps)(uint64_t bits);
        const char *text;
    } rules[] = {
        { LAB_F32, not_below_0,
          "a NaN was kept: it is not below 0, but not 0 or more either. Ask is_kept" },
        { LAB_F32, sign_bit_clear,
          "the sign bit has decided what is kept. -0.0 is 0, and is kept: ask "
          "is_kept" },
        { LAB_F32, sign_bit_or_0,
          "the bits have decided what is kept, and a NaN whose sign bit is 0 was "
          "kept: it is not 0 or more. Ask is_kept" },
        { LAB_F32, finite_kept,
          "infinity was dropped: it is more than 0, and is kept. Ask is_kept" },
        { LAB_F32, above_0, ZERO_DROPPED },
        { LAB_I32, int_above_0, ZERO_DROPPED },
        { LAB_I64, long_above_0, ZERO_DROPPED },
        { LAB_I64, lower_half_kept,
          "the lower 4 bytes have decided what is kept: a long long has "
          "its sign in the upper ones" },
    };

    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        size_t k = 0;
        const lab_type type = rules[r].type;
        bool same = type == m->buffer->type;
        for (size_t i = 0; i < m->n && same; i++)
            if (rules[r].keeps(element(type, m->inputs[0], i)))
                same = element(type, m->got, k++) == element(type, m->inputs[0], i);
        if (same)
            return rules[r].text;
    }
    return NULL;
}

static size_t all_kept(const lab_mismatch *m)
{
    size_t all = 0;

    for (size_t i = 0; i < m->n; i++)
        all += is_kept(m->buffer->type, element(m->buffer->type, m->inputs[0], i));
    return all;
}

static const char *select_diagnose(const lab_mismatch *m)
{
    /* the buffers of one element type come first */
    const bool rest = m->buffer->name[2] == 'r';
    const size_t all = all_kept(m), count = rest ? m->n - all : all;

    if (is_count(m))
        return NULL;
    if (!rest && rule_diagnose(m))
        return rule_diagnose(m);
    if (m->index >= count)
        return rest ? "d_rest was written behind its last element"
                    : "d_out was written behind the count: only the tile's kept elements are to be "
                      "stored, and none of a tile that keeps none";
    if (is_reordered(m, count))
        return "the right elements in the wrong order: it has to be that of the input. Ranks count "
               "the elements to the left; a number from an atomicAdd says who came first";
    return NULL;
}

static const char *select_i32_diagnose(const lab_mismatch *m)
{
    return is_count(m) ? select_count_diagnose(m, LAB_I32) : select_diagnose(m);
}
static const char *select_f32_diagnose(const lab_mismatch *m)
{
    return is_count(m) ? select_count_diagnose(m, LAB_F32) : select_diagnose(m);
}
static const char *select_i64_diagnose(const lab_mismatch *m)
{
    return is_count(m) ? select_count_diagnose(m, LAB_I64) : select_diagnose(m);
}

/* How many runs there are if, at multiples of `border`, every key is a head, or none is. */
static int64_t runs_if(const lab_mismatch *m, lab_type type, size_t border, bool head)
{
    const void *keys = m->inputs[0];
    int64_t count = m->n > 0;

    for (size_t i = 1; i < m->n; i++)
        count += i % border == 0
                     ? head
                     : !same_key(type, element(type, keys, i - 1), element(type, keys, i));
    return count;
}

static size_t all_runs(const lab_mismatch *m, lab_type type)
{
    const void *keys = m->inputs[0];
    size_t count = m->n > 0;

    for (size_t i = 1; i < m->n; i++)
        count += !same_key(type, element(type, keys, i - 1), element(type, keys, i));
    return count;
}

static const char *run_count_diagnose(const lab_mismatch *m, lab_type type)
{
    static const size_t borders[] = { TILE, WARP_ELEMENTS, 32 };
    static const char *const twice[] = {
        "a run that goes on into the next tile is counted again there: the tile's first key has to "
        "be compared with the one before it, which the tile before has",
        "a run that goes on into the next warp is counted again there: the warp's first key has to "
        "be compared with the one before it",
        "a run that goes on into the next row is counted again there: lane 0's key has to be "
        "compared with lane 31's of the row before",
    };
    static const char *const never[] = {
        "a run that begins with a tile is not counted: is the tile's first key a head?",
        "a run that begins with a warp is not counted: is the warp's first key a head?",
        ("a run that begins with a row of 32 is not counted: lane 0 has no lane to its left, and "
         "__shfl_up_sync gives it its own key"),
    };
    const int64_t got = *(const int64_t *)m->got, expected = *(const int64_t *)m->expected;

    if (m->n % TILE != 0 &&
        (got == expected + 1 || got == expected + (int64_t)(TILE - m->n % TILE)))
        return "too many runs: do the elements that the last tile lacks begin some? They are 0, "
               "and begin none";
    if (got == expected - 1 && got > 0)
        return "d_count is off by one: is it the index of the last run? It has to be the number of "
               "runs";
    for (size_t b = 0; b < sizeof borders / sizeof borders[0]; b++) {
        if (got == runs_if(m, type, borders[b], true))
            return twice[b];
        if (got == runs_if(m, type, borders[b], false))
            return never[b];
    }
    return NULL;
}

/* Ways to compare keys that are not ==; eps for one of them. */
static bool same_low_byte(lab_type type, uint64_t a, uint64_t b, float eps)
{
    (void)eps;
    return type != LAB_F32 ? (uint8_t)a == (uint8_t)b : same_key(type, a, b);
}
static bool same_lower_half(lab_type type, uint64_t a, uint64_t b, float eps)
{
    (void)eps;
    return type == LAB_I64 ? (uint32_t)a == (uint32_t)b : same_key(type, a, b);
}
static bool same_as_floating(lab_type type, uint64_t a, uint64_t b, float eps)
{
    (void)eps;
    return type == LAB_I64   ? (double)(int64_t)a == (double)(int64_t)b
           : type == LAB_I32 ? (float)(int32_t)a == (float)(int32_t)b
                             : same_key(type, a, b);
}
static bool near(lab_type type, uint64_t a, uint64_t b, float eps)
{
    return same_key(type, a, b) || (type == LAB_F32 && fabsf(as_float(a) - as_float(b)) < eps);
}
static bool near_and_finite(lab_type type, uint64_t a, uint64_t b, float eps)
{
    return type != LAB_F32 ? a == b : fabsf(as_float(a) - as_float(b)) <= eps;
}

/* Are the first keys of runs what they would be if keys were compared so? */
static bool unique_by(const lab_mismatch *m, bool (*same)(lab_type, uint64_t, uint64_t, float),
                      float eps)
{
    const lab_type type = m->buffer->type;
    const void *keys = m->inputs[0];
    size_t k = 0;

    for (size_t i = 0; i < m->n; i++)
        if (i == 0 || !same(type, element(type, keys, i - 1), element(type, keys, i), eps))
            if (element(type, m->got, k++) != element(type, keys, i))
                return false;
    return true;
}

static const char *comparison_diagnose(const lab_mismatch *m)
{
    if (unique_by(m, same_low_byte, 0))
        return "keys that differ only above their low 8 bits were taken for equal: compare all "
               "bits of a key";
    if (unique_by(m, same_lower_half, 0))
        return "keys that differ only in their upper 4 bytes were taken for equal: compare all 8";
    if (unique_by(m, same_as_floating, 0))
        return "keys that differ only in their low bits were taken for equal: a float tells 24 "
               "bits of an int apart, a double 53 of a long long. Compare them as what they are";
    for (float eps = 0.1f; eps > 1e-8f; eps /= 10)
        if (unique_by(m, near, eps) || unique_by(m, near_and_finite, eps))
            return "float keys that are near each other were taken for equal: == says whether "
                   "they are, and their difference does not";
    return unique_by(m, near_and_finite, 0)
               ? "a run of infinite keys was cut up: infinity == infinity, but their difference "
                 "is NaN. Compare by =="
               : NULL;
}

/* Are long longs wrong in their low digits alone, as doubles would have them? */
static bool is_rounded(const lab_mismatch *m)
{
    const int64_t *got = m->got, *expected = m->expected;

    for (size_t k = 0; k < m->length; k++) {
        const double off = (double)got[k] - (double)expected[k], of = (double)expected[k];
        if (got[k] != expected[k] && (off > 0 ? off : -off) * (1 << 30) > (of > 0 ? of : -of))
            return false;
    }
    return true;
}

/* Is only what belongs to runs wrong which the first head of some `span` elements closes? */
static bool wrong_at_first_heads(const lab_mismatch *m, lab_type type, size_t span)
{
    const lab_type of = m->buffer->type;
    bool first = false; /* element 0 is the first head of all, and closes none */
    size_t run = 0;

    for (size_t i = 1; i < m->n; i++) {
        first = first || i % span == 0;
        if (same_key(type, element(type, m->inputs[0], i - 1), element(type, m->inputs[0], i)))
            continue;
        if (!first && element(of, m->got, run) != element(of, m->expected, run))
            return false;
        first = false;
        run++;
    }
    return m->n > span;
}

/* Of lengths and sums of r runs, whose keys have this type. */
static const char *told_diagnose(const lab_mismatch *m, lab_type type, size_t r)
{
    static const struct {
        size_t span;
        const char *cause;
    } firsts[] = {
        { TILE, "only runs that the first head of a tile closes are wrong: such a run may have "
                "begun many tiles before, and what was open there, from look-back, belongs to it" },
        { WARP_ELEMENTS, "only runs that the first head of a warp closes are wrong: what the warps "
                         "before it have open belongs to them, and what the tiles before have" },
        { 32, "only runs that the first head of a row closes are wrong: what the rows before it "
              "have open belongs to them" },
    };
    bool only_last = true;

    if (m->index >= r)
        return "written behind the last run: the elements that the last tile lacks begin no run, "
               "and belong to none";
    if (m->buffer->type == LAB_I64 && is_rounded(m))
        return "the sums are right but for their low digits: a double has 53 bits, and they are "
               "long longs. Add them as such";
    if (m->buffer->type == LAB_F32 && (m->n % 8 == 3 || isnan(((const float *)m->got)[m->index])))
        return NULL; /* rounded, maybe: see lab_fill_exact; or made of infinite ones */
    for (size_t k = 0; k + 1 < r; k++)
        only_last = only_last &&
                    element(m->buffer->type, m->got, k) == element(m->buffer->type, m->expected, k);
    if (only_last)
        return "only the last run is wrong. No head closes it: the last tile has to, with what is "
               "open at the end of the array and no more than that";
    for (size_t f = 0; f < sizeof firsts / sizeof firsts[0]; f++)
        if (wrong_at_first_heads(m, type, firsts[f].span))
            return firsts[f].cause;
    return "the runs are right, and their lengths or sums are wrong. A head closes the run before "
           "it, with all that is open there: of its row, of its warp, and of what lies before";
}

static const char *runs_diagnose(const lab_mismatch *m, lab_type type)
{
    if (is_count(m))
        return run_count_diagnose(m, type);
    const size_t r = all_runs(m, type);
    if (m->buffer->name[2] != 'u')
        return told_diagnose(m, type, r);
    if (comparison_diagnose(m))
        return comparison_diagnose(m);
    return m->index >= r
               ? "d_unique was written behind the last run: the elements that the last tile lacks "
                 "begin no run, and where a run goes on into a tile it does not begin there"
               : NULL;
}

static const char *runs_i32_diagnose(const lab_mismatch *m) { return runs_diagnose(m, LAB_I32); }
static const char *runs_f32_diagnose(const lab_mismatch *m) { return runs_diagnose(m, LAB_F32); }
static const char *runs_i64_diagnose(const lab_mismatch *m) { return runs_diagnose(m, LAB_I64); }

static const char *heads_diagnose(const lab_mismatch *m)
{
    const int32_t *got = m->got;
    const float *key = m->inputs[0];
    const size_t i = m->index;

    if (i % TILE == 0)
        return i == 0 ? "element 0 has nothing before it, and begins a run"
                      : "the first key of a tile has to be compared with the last one of the tile "
                        "before, which is in d_keys";
    if (i % WARP_ELEMENTS == 0)
        return "the first key of a warp has to be compared with the last one of the warp before";
    if (i % 32 == 0)
        return "lane 0 has to compare its key with lane 31's of the row before";
    if (got[i])
        return key[i] == 0 ? "0.0 and -0.0 are the same key: compare with same_key"
                           : "equal keys were taken for different: compare with same_key; infinity "
                             "less infinity is NaN";
    return "different keys were taken for equal: compare with same_key, to the last bit";
}

static const char *join_diagnose(const lab_mismatch *m)
{
    const int64_t *heads = m->inputs[0];
    const size_t k = m->index;

    if (m->buffer->type == LAB_I64)
        return "heads add up, all of them, in 64 bits";
    return heads[k + 1] > 0
               ? "a head in the right part closes what is open in the left one: that is "
                 "not added"
               : "no head in the right part: what is open on the left goes on there";
}

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, COMPACTION_THREADS)

/* with n = 0 a kernel of any size may write the count */
static double two_fifths(size_t n) { return 0.4 * (double)tiles(n); }
static double one_a_tile(size_t n) { return n > 0 ? (double)tiles(n) : 1; }
static double least_tiles(size_t n) { return tiles(n) < 8 ? (double)tiles(n) : 8; }
static double least_threads(size_t n) { return n > 0 ? COMPACTION_THREADS : 1; }
static double tickets(size_t n) { return (double)tiles(n) + 64; }
static double barriers(size_t n) { return 6 * (double)tiles(n) + 64; }
static double runs_barriers(size_t n) { return 8 * (double)tiles(n) + 64; }

/* A tile publishes an aggregate and a prefix, with a status each. */
static double published(size_t n) { return 128 * (double)tiles(n) + 1024; }

/* Of `in` bytes read and `out` bytes written: a thread may load the key before its own as well. */
static double bytes_of(double in, double out) { return 1.1 * (in + out) + 1024; }

/* The keys before warps, and the ends of what warps store, touch some more. */
static double sectors_of(double in, double out, size_t n)
{
    return 1.2 * in / 32 + 1.5 * out / 32 + 48 * (double)(tiles(n) + 1);
}

#define LIMITS(name, in, out)                                                                      \
    static double name##_bytes(size_t n) { return bytes_of((double)(in), (double)(out)); }         \
    static double name##_sectors(size_t n) { return sectors_of((double)(in), (double)(out), n); }  \
    static double name##_stored(size_t n) { return (double)(out); }

LIMITS(select_4, 4 * n, 4 * kept(n))
LIMITS(select_8, 8 * n, 8 * kept(n))
LIMITS(partition_4, 4 * n, 4 * n)
LIMITS(partition_8, 8 * n, 8 * n)
LIMITS(runs_4, 4 * n, (4 + 4) * runs(n))
LIMITS(runs_8, 8 * n, (8 + 4) * runs(n))
LIMITS(by_key_4, 8 * n, 8 * runs(n))
LIMITS(by_key_8, 16 * n, 16 * runs(n))

/* ---- gates ----------------------------------------------------------------------------------- */

#define GATES(name, bytes, stored, most_barriers, barriers_formula)                                \
    {                                                                                              \
        { LAB_LAUNCHES,                                                                            \
          LAB_AT_MOST,                                                                             \
          one,                                                                                     \
          "launches",                                                                              \
          "1: a single pass",                                                                      \
          "One kernel does it all: a tile learns from descriptors, not from a launch before, how " \
          "many elements are kept before it." },                                                   \
            { NO_WAITING }, { NO_FIXED_ROOM }, { NO_FILLS },                                       \
            { LAB_DATA_MOVED,                                                                      \
              LAB_AT_MOST,                                                                         \
              name##_bytes,                                                                        \
              "bytes moved",                                                                       \
              bytes " x 1.1 + 1024",                                                               \
              "Load each element once and keep it in registers until it is stored; write nothing " \
              "to memory but what is kept: no flags, no ranks." },                                 \
            { LAB_BYTES_WRITTEN,                                                                   \
              LAB_AT_LEAST,                                                                        \
              name##_stored,                                                                       \
              "stored by kernels",                                                                 \
              stored,                                                                              \
              "Let a kernel find the results, not the host after a copy." },                       \
            { LAB_SCRATCH_WRITTEN,                                                                 \
              LAB_AT_MOST,                                                                         \
              published,                                                                           \
              "bytes written to scratch",                                                          \
              "128 a tile + 1024: a tile's aggregate and prefix",                                  \
              "Of a tile, only its descriptor goes to memory of your own: no flags, no ranks." },  \
            { LAB_DATA_SECTORS,                                                                    \
              LAB_AT_MOST,                                                                         \
              name##_sectors,                                                                      \
              "sectors",                                                                           \
              "1.2 times those of the bytes loaded, 1.5 of those stored, and 48 a tile, and once", \
              "Let neighbouring threads load neighbouring elements; bring what is kept together "  \
              "in shared memory, and let neighbouring threads store it: straight from "            \
              "registers it touches most sectors for a few bytes each." },                         \
            { LAB_ATOMICS,                                                                         \
              LAB_AT_MOST,                                                                         \
              tickets,                                                                             \
              "atomics",                                                                           \
              "1 a tile: its ticket; and 64 for persistent blocks",                                \
              "One thread takes the ticket and hands it to its block; what is kept is counted by " \
              "ballots and look-back, which keep the order." },                                    \
            { LAB_BARRIERS,                                                                        \
              LAB_AT_MOST,                                                                         \
              most_barriers,                                                                       \
              "barriers",                                                                          \
              barriers_formula,                                                                    \
              "One warp looks back while the others wait at a single barrier; inside a warp "      \
              "votes and shuffles keep order." },                                                  \
            { LAB_THREADS_PER_BLOCK,                                                               \
              LAB_AT_LEAST,                                                                        \
              least_threads,                                                                       \
              "threads of a block",                                                                \
              "256",                                                                               \
              "Launch blocks of as many threads as the header names, and let all of them work." }, \
            { LAB_THREADS_PER_BLOCK,                                                               \
              LAB_AT_MOST,                                                                         \
              block_threads,                                                                       \
              "threads a block",                                                                   \
              "256",                                                                               \
              "Launch blocks of as many threads as the header names: more have nothing to do." },  \
            { LAB_CROWD_CHAIN,                                                                     \
              LAB_AT_MOST,                                                                         \
              two_fifths,                                                                          \
              "tiles in one chain",                                                                \
              "0.4 of the tiles, with 64 blocks resident: a tile that looks back waits for "       \
              "aggregates, and those wait for nobody",                                             \
              "Tile waits for tile, as in lab 07's chain: a tile publishes its aggregate before "  \
              "it looks at any other, and takes A where there is no P yet." },                     \
            { NOT_HELD("64") }, { SHARED_OUT("64") }, { WARPS_ALIKE },                             \
            { BLOCKS_FOR_TILES(least_tiles, "one a tile, where there are up to 8; else 8") },      \
        {                                                                                          \
            LAB_BLOCKS, LAB_AT_MOST, one_a_tile, "blocks", "1 a tile",                             \
                "Launch a block for each tile, or fewer persistent ones: more have nothing to "    \
                "do."                                                                              \
        }                                                                                          \
    }
#define SELECT_GATES(name, bytes, stored)                                                          \
    GATES(name, bytes, stored, barriers,                                                           \
          "6 a tile, and 64: ticket, counts of the warps, kept elements, end, and spare")
#define RUNS_GATES(name, bytes, stored)                                                            \
    GATES(name, bytes, stored, runs_barriers,                                                      \
          "8 a tile, and 64: ticket, pairs of the warps, keys and then lengths or sums in order, " \
          "end, and spare")

static const lab_gates select_4_gates = SELECT_GATES(select_4, "4n, 4 for each one kept", "4 kept");
static const lab_gates select_8_gates = SELECT_GATES(select_8, "8n, 8 for each one kept", "8 kept");
static const lab_gates partition_4_gates = SELECT_GATES(partition_4, "8n", "4n");
static const lab_gates partition_8_gates = SELECT_GATES(partition_8, "16n", "8n");
static const lab_gates runs_4_gates = RUNS_GATES(runs_4, "4n, 8 a run", "8 a run");
static const lab_gates runs_8_gates = RUNS_GATES(runs_8, "8n, 12 a run", "12 a run");
static const lab_gates by_key_4_gates = RUNS_GATES(by_key_4, "8n, 8 a run", "8 a run");
static const lab_gates by_key_8_gates = RUNS_GATES(by_key_8, "16n, 16 a run", "16 a run");

/* with several tiles: half of all kept, an eighth, only what the last tile has, half */
static const lab_sizes gate_sizes = { TILE + 7, 5 * TILE + 3, 6 * TILE + 7, 7 * TILE + 8,
                                      12 * TILE + 4 };

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints ranks_hints = {
    "Lane 5 of a row needs its rank. Which lanes' votes does it have to know, and which other "
    "lanes need the same at the same time?",
    "A ballot of the row gives every lane all 32 votes. The bits below the lane's own, counted by "
    "popc, are the rank in the row; rows before add all of their bits.",
    "count = 0\n"
    "for each row:\n"
    "    votes = a ballot of ___\n"
    "    the row's rank = count and the votes below ___\n"
    "    count grows by ___",
};
static const lab_hints far_hints = {
    "`at` may be 2^41. In which type is the sum of `at` and a thread's number computed, and in "
    "which is it kept?",
    "Thread t takes the elements t, t + 256, t + 512 and so on: neighbours store to neighbours. "
    "Only the small index is an int; the sum with `at` stays a long long.",
    "for i from ___ while below `count`, in steps of ___:\n"
    "    element `skip` + i of s_item goes to index ___ of d_out",
};
static const lab_hints select_hints = {
    "The tile's kept elements lie in 16 rows of 8 warps, with gaps. Where does each go if they are "
    "to stand side by side, in their order? And who knows the number of all that were kept?",
    "An element's place in the tile is what the warps before keep, and its rank. Put it there in "
    "shared memory; after a barrier the block stores the tile's run from what all tiles before "
    "keep. The block whose tile ends the array knows the count. For n = 0 there is no block: "
    "the host has the count cleared, without waiting.",
    "TODO 3: each row whose flag is set: its element to place ___ in s_item\n"
    "    ___\n"
    "    store_run: from s_before on, ___ elements\n"
    "TODO 4: thread 0, where the tile ends at ___: the count is s_before and ___\n"
    "    n = 0: a cudaMemsetAsync of ___ bytes",
};
static const lab_hints partition_hints = {
    "Element 10 of a tile has 4 kept ones before it. How many others are before it, and where does "
    "d_rest begin for this tile, if `before` elements were kept in all tiles to the left?",
    "An element that is not kept has as many others before it as its index, less the kept ones "
    "before it. That holds in the tile and in the whole array. In shared memory the others stand "
    "behind the tile's kept ones.",
    "an element that the array has, and that is not kept:\n"
    "    its place in s_item = `kept` and its index in the tile, less ___\n"
    "after the barrier:\n"
    "    store_run to d_rest, from the tile's first index less ___, skipping ___, ___ elements",
};
static const lab_hints in_place_hints = {
    "Tile 5 stores over elements that tile 4 has to load. How does tile 5 know that tile 4 has "
    "loaded them? May a load be late, and come after the word?",
    "The word of a tile says two things: how many it keeps, and that it has read all of its "
    "elements. So a tile's reads come before its word, and a tile that looks back reads that word "
    "before its own stores. A fence on each side keeps that order.",
    "publish, in place: ___, then the word\n"
    "inspect, in place: the word, then ___",
};
static const lab_hints heads_hints = {
    "Each element looks at the one to its left. Where is that for lane 0 of a row, for the first "
    "row of a warp, and for the first element of a tile?",
    "Inside a row a shuffle brings it. Lane 0 needs lane 31's key of the row before, which every "
    "lane can get by a shuffle. For the first row that is the key before the warp's first one: "
    "lane 0 loads it, unless it is element 0 of all. Elements beyond the end are no heads.",
    "last = in lane 0, the key at the warp's first index less 1, if there is one\n"
    "for each row:\n"
    "    previous = lane 0: ___; other lanes: ___ of the lane to the left\n"
    "    a head: inside the array, and element 0 or ___ of the two fails\n"
    "    last = lane ___'s key",
};
static const lab_hints lengths_hints = {
    "Heads of the row are bits of a ballot. Which bit tells lane 9 where its run began, and what "
    "if "
    "there is none to its left?",
    "The highest bit below the lane's own: 31 less __clz of those bits. With none, the run goes on "
    "from the rows before: what was open at the row's beginning, and the lane's number. The last "
    "row may be short: only elements of the array count.",
    "since = 0\n"
    "for each row:\n"
    "    left = the row's heads below the lane\n"
    "    open = lane less the highest of left; with none: ___\n"
    "    there = elements of the row that ___\n"
    "    since = there less the row's highest head; with none: ___",
};
static const lab_hints join_hints = {
    "The left part has 3 heads and 7 open, the right one 2 heads and 4 open. What is open behind "
    "both? And if the right part has no head?",
    "Heads add up. A head in the right part closes what the left one has open, so the right one's "
    "alone is open then; with no head there, both belong to one run.",
    "heads: the sum of ___\n"
    "open: with a head in ___: its own; else add of ___ and ___",
};
static const lab_hints runs_hints = {
    "A run ends where the next one begins. Which thread knows that, and what does it know of the "
    "length? Which run has no next one?",
    "The head with number k, counted from 0, closes run k - 1 and tells what is open before it: in "
    "its warp, or, for a warp's first head, with what all before the warp have open. Head 0 closes "
    "nothing. The last tile closes the last run, with what is open at the end.",
    "left = join of ___ and ___\n"
    "each head: open of its row; at rank 0 add of left's and ___, into its place in s_item\n"
    "___\n"
    "tile 0 skips ___; store_run to d_told from `before`'s heads and skip less ___\n"
    "where the array ends, thread 0: join of before and ___ has the last run and the count",
};
static const lab_hints sums_hints = {
    "A warp's scan adds the lane d to the left in each step. What has to stop it at a head, so "
    "that "
    "no lane adds what belongs to the run before?",
    "Each lane knows, from the row's ballot, the nearest head up to itself. It adds the lane at a "
    "distance only if that is not left of this head. With no head up to itself it adds the carry "
    "of the rows before. What is open before a lane is then its left neighbour's sum.",
    "start = the highest head up to the lane itself, or 0\n"
    "for distances 1, 2, 4, 8, 16:\n"
    "    other = the sum of the lane to the left: all lanes meet this\n"
    "    if that lane is not before ___: sum = add of ___\n"
    "no head up to the lane: add ___\n"
    "open = the sum of ___; lane 0: ___\n"
    "the next row's carry: the sum of ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

#define OUTPUT(text, element)                                                                      \
    {                                                                                              \
        .name = text, .type = element, .role = LAB_OUT, .owner = LAB_BY_GRID                       \
    }
#define COPIES(text, element)                                                                      \
    {                                                                                              \
        .name = text, .type = element, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true       \
    }
#define COUNT                                                                                      \
    {                                                                                              \
        .name = "d_count", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID,                 \
        .length = single                                                                           \
    }
#define BUFFERS(suffix, element)                                                                   \
    static const lab_buffers select_##suffix##_buffers = { { .name = "d_in", .type = element },    \
                                                           COPIES("d_out", element),               \
                                                           COUNT };                                \
    static const lab_buffers partition_##suffix##_buffers = { { .name = "d_in", .type = element }, \
                                                              COPIES("d_out", element),            \
                                                              COPIES("d_rest", element),           \
                                                              COUNT };                             \
    static const lab_buffers runs_##suffix##_buffers = { { .name = "d_keys", .type = element },    \
                                                         COPIES("d_unique", element),              \
                                                         OUTPUT("d_lengths", LAB_I32),             \
                                                         COUNT };
#define BY_KEY_BUFFERS(suffix, key, element)                                                       \
    static const lab_buffers by_key_##suffix##_buffers = { { .name = "d_keys", .type = key },      \
                                                           { .name = "d_values",                   \
                                                             .type = element },                    \
                                                           COPIES("d_unique", key),                \
                                                           OUTPUT("d_sums", element),              \
                                                           COUNT };

static size_t single(size_t n)
{
    (void)n;
    return 1;
}

BUFFERS(i32, LAB_I32)
BUFFERS(f32, LAB_F32)
BUFFERS(i64, LAB_I64)
BY_KEY_BUFFERS(f32, LAB_I32, LAB_F32)
BY_KEY_BUFFERS(i32, LAB_F32, LAB_I32)
BY_KEY_BUFFERS(i64, LAB_I64, LAB_I64)

static const lab_buffers ranks_buffers = { { .name = "d_flag", .type = LAB_I32 },
                                           OUTPUT("d_rank", LAB_I32) };
static const lab_buffers far_buffers = { { .name = "d_at", .type = LAB_I64 },
                                         OUTPUT("d_out", LAB_I32) };
static const lab_buffers heads_buffers = { { .name = "d_keys", .type = LAB_F32 },
                                           OUTPUT("d_head", LAB_I32) };
#define LAST                                                                                       \
    {                                                                                              \
        .name = "d_last", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID, .length = warps  \
    }
static const lab_buffers lengths_buffers = { { .name = "d_head", .type = LAB_I32 },
                                             OUTPUT("d_open", LAB_I32),
                                             LAST };
static const lab_buffers sums_buffers = { { .name = "d_head", .type = LAB_I32 },
                                          { .name = "d_value", .type = LAB_I32 },
                                          OUTPUT("d_open", LAB_I32),
                                          LAST };
static const lab_buffers join_buffers = { { .name = "d_heads", .type = LAB_I64 },
                                          { .name = "d_sum", .type = LAB_I32 },
                                          OUTPUT("d_joined_heads", LAB_I64),
                                          OUTPUT("d_joined_sum", LAB_I32) };

enum {
    STEP_STORES = 300,
    STEP_MOST = 20000,
    SELECT_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4),
    PARTITION_TODOS = SELECT_TODOS | LAB_TODO(5),
    IN_PLACE_TODOS = SELECT_TODOS | LAB_TODO(6),
    RUNS_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(4) | LAB_TODO(7) | LAB_TODO(8) | LAB_TODO(9) |
                 LAB_TODO(10),
    BY_KEY_TODOS = RUNS_TODOS | LAB_TODO(11)
};

#define TRY(name, text, what, filled, most, hint)                                                  \
    .entry = "compaction_" #name, .title = text, .points = 4, .buffers = name##_buffers,           \
    .reference = name##_reference, .fill = filled, .max_n = most, .wide_n = true, .todos = what,   \
    .hints = hint
#define PART(name, suffix, text, worth, filled, limited, diagnosed, what, hint)                    \
    .entry = "compaction_" #name "_" #suffix, .title = text, .points = worth,                      \
    .buffers = name##_##suffix##_buffers, .reference = name##_##suffix, .fill = filled##_##suffix, \
    .gates = limited, .gate_sizes = gate_sizes, .diagnose = diagnosed, .wide_n = true,             \
    .todos = what, .hints = hint

#define far_partition partition_i32
/* tiles for whose places no array is large enough */
#define FAR(name, text, worth, like, filled, what)                                                 \
    .entry = "compaction_far_" #name, .title = text, .points = worth, .buffers = like##_buffers,   \
    .reference = far_##name, .fill = filled, .max_n = 3 * TILE, .wide_n = true, .step = true,      \
    .todos = what, .hints = far_hints

#define in_place_i32_buffers select_i32_buffers
#define in_place_f32_buffers select_f32_buffers
#define in_place_i64_buffers select_i64_buffers
#define in_place_i32         select_i32
#define in_place_f32         select_f32
#define in_place_i64         select_i64

static void far_tiles(void *const *buffers, size_t n)
{
    select_i32(buffers, n);
    if (n > 0)
        *(int64_t *)buffers[2] += (int64_t)COMPACTION_FAR_TILE * TILE;
}

/* element 0 is the last head of those far away */
static void far_runs(void *const *buffers, size_t n)
{
    runs_i32(buffers, n);
    if (n > 0)
        *(int64_t *)buffers[3] += (int64_t)COMPACTION_FAR_TILE * TILE - 1;
}

static void far_by_key(void *const *buffers, size_t n)
{
    by_key_f32(buffers, n);
    if (n > 0)
        *(int64_t *)buffers[4] += (int64_t)COMPACTION_FAR_TILE * TILE - 1;
}

static const lab_parts parts = {
    { TRY(ranks, "ranks in a warp: ballot and popc", LAB_TODO(1), fill_flags, STEP_MOST,
          ranks_hints),
      .step = true },
    { TRY(far, "stores far beyond index 2^31", LAB_TODO(2), fill_far, STEP_STORES, far_hints),
      .trial = true },
    { PART(select, i32, "select_if of int", 8, elements, select_4_gates, select_i32_diagnose,
           SELECT_TODOS, select_hints) },
    { PART(select, f32, "select_if of float", 3, elements, select_4_gates, select_f32_diagnose,
           SELECT_TODOS, select_hints),
      .drawn = true, .change = change_element },
    { PART(select, i64, "select_if of long long", 3, elements, select_8_gates, select_i64_diagnose,
           SELECT_TODOS, select_hints) },
    { FAR(tiles, "tiles beyond 2^32 elements, of int", 2, select_i32, elements_i32, SELECT_TODOS) },
    { PART(partition, i32, "partition_if of int, both sides in order", 8, elements,
           partition_4_gates, select_i32_diagnose, PARTITION_TODOS, partition_hints) },
    { PART(partition, f32, "partition_if of float", 3, elements, partition_4_gates,
           select_f32_diagnose, PARTITION_TODOS, partition_hints),
      .change = change_element },
    { PART(partition, i64, "partition_if of long long", 3, elements, partition_8_gates,
           select_i64_diagnose, PARTITION_TODOS, partition_hints) },
    { FAR(partition, "both sides beyond 2^32 elements", 1, partition_i32, elements_i32,
          PARTITION_TODOS) },
    { PART(in_place, i32, "select_if of int, in place", 9, elements, select_4_gates,
           select_i32_diagnose, IN_PLACE_TODOS, in_place_hints),
      .only_in_place = true },
    { PART(in_place, f32, "select_if of float, in place", 3, elements, select_4_gates,
           select_f32_diagnose, IN_PLACE_TODOS, in_place_hints),
      .only_in_place = true, .change = change_element },
    { PART(in_place, i64, "select_if of long long, in place", 3, elements, select_8_gates,
           select_i64_diagnose, IN_PLACE_TODOS, in_place_hints),
      .only_in_place = true },
    { TRY(heads, "where runs begin", LAB_TODO(7), keys_f32, STEP_MOST, heads_hints), .step = true,
      .diagnose = heads_diagnose },
    { TRY(lengths, "how many elements are open before each", LAB_TODO(8), fill_flags, STEP_MOST,
          lengths_hints),
      .step = true },
    { TRY(join, "pairs of heads and what is open behind them", LAB_TODO(9), fill_pairs, STEP_MOST,
          join_hints),
      .trial = true, .diagnose = join_diagnose },
    { PART(runs, i32, "run_length_encode of int", 8, keys, runs_4_gates, runs_i32_diagnose,
           RUNS_TODOS, runs_hints) },
    { PART(runs, f32, "run_length_encode of float", 3, keys, runs_4_gates, runs_f32_diagnose,
           RUNS_TODOS, runs_hints),
      .change = change_key },
    { PART(runs, i64, "run_length_encode of long long", 3, keys, runs_8_gates, runs_i64_diagnose,
           RUNS_TODOS, runs_hints) },
    { FAR(runs, "runs beyond 2^32", 1, runs_i32, keys_i32, RUNS_TODOS) },
    { TRY(sums, "the sum of what is open before each", LAB_TODO(11), fill_flags, STEP_MOST,
          sums_hints),
      .step = true },
    { PART(by_key, f32, "reduce_by_key: int keys, float values", 8, pairs, by_key_4_gates,
           runs_i32_diagnose, BY_KEY_TODOS, sums_hints) },
    { FAR(by_key, "sums of runs beyond 2^32", 1, by_key_f32, pairs_f32, BY_KEY_TODOS) },
    { PART(by_key, i32, "reduce_by_key: float keys, int values", 3, pairs, by_key_4_gates,
           runs_f32_diagnose, BY_KEY_TODOS, sums_hints),
      .change = change_key },
    { PART(by_key, i64, "reduce_by_key: long long keys and values", 3, pairs, by_key_8_gates,
           runs_i64_diagnose, BY_KEY_TODOS, sums_hints) },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Compaction",
    .file = "compaction.cu",
    .tile = TILE,
    .threads = COMPACTION_THREADS,
    .per_thread = TILE / COMPACTION_THREADS,
    .blocks_wait = true,
    .large_n = 64 * TILE + 8, /* 65 tiles, so that look-back has to go beyond a window of 32 */
    .crowd = 64,
    .taught = { "bytes moved", "tiles in one chain", "tiles held up" },
    .parts = parts,
};
