/*
 * Declaration of lab 13: parts, reference, data, gates and hints. See common/lab/lab.h for what
 * each field means.
 *
 * The theory behind the gates, for a warp of 32 lanes; blocks of 256 threads, so that the last may
 * have warps with nothing to do, which take part all the same:
 *     sort        joining runs of 1, 2, 4, 8, 16 takes 1, 2, 3, 4, 5 exchanges: 15, a shuffle each
 *                 for a key, two for a key and a value
 *     structures  3 words a lane, and every one of them is received once: 3 shuffles
 *     bytes       4n, 8n, 12n each way; a warp's words fill whole sectors, and pass neither through
 *                 shared memory nor a barrier
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "references.h"
#include "rng.h"
#include "usual_gates.h"
#include "warp_sort_transpose.h"

enum {
    THREADS = WARP_SORT_TRANSPOSE_THREADS,
    FIELDS = WARP_SORT_TRANSPOSE_FIELDS,
    WARP = 32,
    WARPS = THREADS / WARP, /* of a block */
    STEP_DISTANCE = 4,
    MOST_STRUCTURES = 1 << 29
};

/* ---- data ------------------------------------------------------------------------------------ */

/* Keys of a warp, by its kind: any int, a few, one, rising, falling, the least and the greatest,
   and neighbours of a size that a float does not tell apart. */
static int32_t key_of(rng *r, unsigned kind, size_t lane)
{
    switch (kind) {
    case 0: return (int32_t)rng_between(r, INT32_MIN, INT32_MAX);
    case 1: return (int32_t)rng_between(r, -2, 2);
    case 2: return 7;
    case 3: return (int32_t)lane - 16;
    case 4: return 16 - (int32_t)lane;
    case 5: return INT32_MAX - (int32_t)rng_below(r, 50);
    case 6: return INT32_MIN + (int32_t)rng_below(r, 50);
    case 7: return (1 << 30) + (int32_t)rng_between(r, -25, 25);
    default: return rng_below(r, 3) == 0 ? INT32_MAX : rng_below(r, 2) == 0 ? INT32_MIN : -1;
    }
}

/* A value: one of 1000, so that of equal keys most values differ, not all. By turns they are small,
   lie apart, over all that an int holds, or side by side where floats are far apart. */
static int32_t value_of(rng *r, size_t warp)
{
    enum { APART = INT32_MAX / 500, HIGH = 1 << 30 };
    const int32_t drawn = (int32_t)rng_between(r, -500, 499);

    return warp % 3 == 0   ? drawn
           : warp % 3 == 1 ? drawn * APART
           : drawn < 0     ? drawn - HIGH
                           : drawn + HIGH;
}

/* Buffer 0: keys. A last run of some lanes, not one and not all, has a greatest key, and a value
   above 0 with it: what a lane beyond n brings has to stay after that pair. */
static void fill_pairs(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    const size_t tail = n % WARP;
    int32_t *key = data;
    unsigned kind = 0;
    rng r;

    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        if (i % WARP == 0)
            kind = (unsigned)rng_below(&r, i == 0 ? 2 : 9);
        key[i] = buffer == 0 ? key_of(&r, kind, i % WARP) : value_of(&r, i / WARP);
    }
    if (n > 1 && key[0] == key[1])
        key[1]++;
    if (tail > 1)
        key[n - 1 - seed % tail] = buffer == 0 ? INT32_MAX : 1 + (int32_t)rng_below(&r, 499);
}

/* A word of a structure: small halves, any bits at all, and those that arithmetic changes: -0.0,
   infinities, NaNs. */
static uint32_t word_of(rng *r)
{
    static const uint32_t special[] = { 0x80000000u, 0x7f800000u, 0xff800000u, 0xffc00001u };
    const float half = (float)rng_between(r, -16, 16) / 2;
    const uint64_t kind = rng_below(r, 8);
    uint32_t word;

    memcpy(&word, &half, sizeof word);
    return kind < 4 ? word : kind < 7 ? (uint32_t)rng_next(r) : special[rng_below(r, 4)];
}

static size_t words(size_t n) { return FIELDS * n; }

static void fill_words(uint32_t *word, size_t count, uint64_t seed)
{
    rng r;

    rng_seed(&r, seed);
    for (size_t i = 0; i < count; i++)
        word[i] = word_of(&r);
}
static void fill_structures(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_words(data, words(n), seed + buffer);
}
static void fill_fields(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_words(data, n, seed + buffer);
}

/* Lane and field, field * 32 + lane: all of them, from a place on that the seed says. */
static void fill_indices(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    (void)buffer;
    for (size_t i = 0; i < n; i++)
        ((int32_t *)data)[i] = (int32_t)((i + seed) % (FIELDS * WARP));
}

/* ---- references ------------------------------------------------------------------------------ */

typedef struct pair {
    int32_t key, value;
} pair;

static int by_key_and_value(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    const int by_key = (x->key > y->key) - (x->key < y->key);

    return by_key ? by_key : (x->value > y->value) - (x->value < y->value);
}

/* The run that begins at first, sorted; value: null for keys alone. Returns how many. */
static size_t sorted_run(const int32_t *key, const int32_t *value, size_t first, size_t n,
                         pair run[WARP])
{
    const size_t count = run_end(first, WARP, n) - first;

    for (size_t k = 0; k < count; k++)
        run[k] = (pair){ key[first + k], value ? value[first + k] : 0 };
    qsort(run, count, sizeof *run, by_key_and_value);
    return count;
}

static void keys_reference(void *const *buffers, size_t n)
{
    pair run[WARP];

    for (size_t first = 0; first < n; first += WARP)
        for (size_t k = 0, count = sorted_run(buffers[0], NULL, first, n, run); k < count; k++)
            ((int32_t *)buffers[1])[first + k] = run[k].key;
}

static void pairs_reference(void *const *buffers, size_t n)
{
    pair run[WARP];

    for (size_t first = 0; first < n; first += WARP)
        for (size_t k = 0, count = sorted_run(buffers[0], buffers[1], first, n, run); k < count;
             k++) {
            ((int32_t *)buffers[2])[first + k] = run[k].key;
            ((int32_t *)buffers[3])[first + k] = run[k].value;
        }
}

static void in_reference(void *const *buffers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t f = 0; f < FIELDS; f++)
            ((uint32_t *)buffers[1 + f])[i] = ((const uint32_t *)buffers[0])[FIELDS * i + f];
}

static void out_reference(void *const *buffers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t f = 0; f < FIELDS; f++)
            ((uint32_t *)buffers[FIELDS])[FIELDS * i + f] = ((const uint32_t *)buffers[f])[i];
}

static void exchange_reference(void *const *buffers, size_t n)
{
    const int32_t *key = buffers[0];
    int32_t *out = buffers[1];

    for (size_t i = 0; i < n; i++) {
        const size_t k = i ^ STEP_DISTANCE;
        const int32_t other = k < n ? key[k] : INT32_MAX;
        const bool smaller = i < k;
        out[i] = (other < key[i]) == smaller ? other : key[i];
    }
}

static int32_t served_by(int32_t lane, int32_t field)
{
    for (int32_t l = 0; l < WARP; l++)
        if ((FIELDS * l + field) % WARP == lane)
            return l;
    return -1;
}

static void served_reference(void *const *buffers, size_t n)
{
    const int32_t *index = buffers[0];

    for (size_t i = 0; i < n; i++)
        ((int32_t *)buffers[1])[i] = served_by(index[i] % WARP, index[i] / WARP);
}

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, THREADS)
static double blocks(size_t n) { return (double)((n + THREADS - 1) / THREADS); }
static double least_blocks(size_t n) { return blocks(n) < 8 ? blocks(n) : 8; }
static double fifteen_shuffles(size_t n) { return 15 * WARPS * blocks(n); }
static double thirty_shuffles(size_t n) { return 30 * WARPS * blocks(n); }
/* the best networks that are known for 32 keys have 14 rounds */
static double ten_shuffles(size_t n) { return 10 * (double)(n / WARP); }
static double three_shuffles(size_t n) { return 3 * WARPS * blocks(n); }
static double three_votes(size_t n) { return 3 * WARPS * blocks(n); }
static double eight_bytes_each(size_t n) { return 8 * (double)n; }
static double twelve_bytes_each(size_t n) { return 12 * (double)n; }

#define SHUFFLES(limit, formula, advice)                                                           \
    LAB_SHUFFLES, LAB_AT_MOST, limit, "shuffles", formula, advice
#define EXCHANGES                                                                                  \
    LAB_ENTRIES(                                                                                   \
        { LAB_SHUFFLES, LAB_AT_LEAST, ten_shuffles, "exchanges",                                   \
          "10 shuffles for each full warp: lanes compare what they exchange",                      \
          "Sort by a network: which lanes meet does not depend on the keys. Ranks counted by "     \
          "votes and stores to them are another method." },                                        \
        { LAB_VOTES, LAB_AT_MOST, three_votes, "votes",                                            \
          "3 a warp: a network asks for no key's rank",                                            \
          "Sort by a network: which lanes meet does not depend on the keys. To rank keys by "      \
          "votes, bit after bit, is another method." })
#define BYTES(limit, each)                                                                         \
    LAB_ENTRIES({ LAB_BYTES_READ, LAB_AT_MOST, limit, "bytes read", each ": each input once",      \
                  "Load each word once; lanes hand on what others need of it." },                  \
                { LAB_BYTES_WRITTEN, LAB_AT_MOST, limit, "bytes written",                          \
                  each ": each output once",                                                       \
                  "Keep what the steps make in registers, and store only the result." },           \
                { STORED(limit, each ": each output once") })
#define WARP_GATES                                                                                 \
    LAB_ENTRIES({ MADE_OF_INPUT }, ONE_LAUNCH_ALONE, { NO_ATOMICS },                               \
                { NO_SHARED("A shuffle hands a register to another lane of the warp: nothing "     \
                            "needs to go through shared memory.") },                               \
                { LAB_SHARED_PER_BLOCK, LAB_AT_MOST, zero, "shared memory", "0 bytes",             \
                  "Take the __shared__ arrays away: shuffles need no memory." },                   \
                { NO_BARRIERS("A shuffle waits for the lanes of its own warp, and you need no "    \
                              "other warp.") },                                                    \
                { WHOLE_SECTORS }, SECTION_EACH(least_blocks, block_threads, "256"),               \
                { WARPS_ALIKE })

/* ---- diagnosis: sorting ---------------------------------------------------------------------- */

typedef enum slip {
    RISING_ALONE,  /* all runs rise in every round */
    LAST_ROUND,    /* the round that joins the halves is missing */
    LAST_DISTANCE, /* exchanges of distance 1 are missing */
    FALLING,       /* sorted the other way round */
    ZEROS_BEYOND   /* a partial run is filled up with zeros */
} slip;

/* The keys of a run as the slip leaves them, by the network itself. */
static void leave(slip kind, int32_t key[WARP])
{
    for (int run = 2; run <= WARP / (kind == LAST_ROUND ? 2 : 1); run *= 2)
        for (int distance = run / 2; distance > (kind == LAST_DISTANCE); distance /= 2)
            for (int lane = 0; lane < WARP; lane++) {
                const bool falls = (kind != RISING_ALONE && (lane & run)) != (kind == FALLING);
                const int other = lane ^ distance;
                if (other > lane && (key[other] < key[lane]) != falls) {
                    const int32_t kept = key[lane];
                    key[lane] = key[other];
                    key[other] = kept;
                }
            }
}

static bool is_slip(const lab_mismatch *m, slip kind)
{
    const int32_t *in = m->inputs[0], *got = m->got;

    for (size_t first = 0; first < m->n; first += WARP) {
        int32_t key[WARP];
        const size_t count = run_end(first, WARP, m->n) - first;
        for (size_t k = 0; k < WARP; k++)
            key[k] = k < count ? in[first + k] : kind == ZEROS_BEYOND ? 0 : INT32_MAX;
        leave(kind, key);
        if (memcmp(key, got + first, count * sizeof *key) != 0)
            return false;
    }
    return true;
}

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/* Does each run of got hold what its run of in holds, in whatever order? */
static bool nothing_is_lost(const int32_t *in, const int32_t *got, size_t n)
{
    for (size_t first = 0; first < n; first += WARP) {
        int32_t a[WARP], b[WARP];
        const size_t count = run_end(first, WARP, n) - first;
        memcpy(a, in + first, count * sizeof *a);
        memcpy(b, got + first, count * sizeof *b);
        qsort(a, count, sizeof *a, by_number);
        qsort(b, count, sizeof *b, by_number);
        if (memcmp(a, b, count * sizeof *a) != 0)
            return false;
    }
    return true;
}

/* Are all keys those that are expected as floats, which keep only the upper 24 bits of an int? */
static bool same_as_floats(const lab_mismatch *m)
{
    const int32_t *got = m->got, *expected = m->expected;

    for (size_t i = 0; i < m->n; i++)
        if ((float)got[i] != (float)expected[i])
            return false;
    return true;
}

#define BY_DIFFERENCE                                                                              \
    "keys are compared by their difference, which overflows where two ints lie far apart: "        \
    "compare them by <"
#define AS_FLOATS                                                                                  \
    "keys that differ in their low bits alone are mixed up: a float has 24 bits, and a key is an " \
    "int of 32. Compare keys as ints"

/* Is every run sorted that is wrong, but the other way round? In a last run that is not whole the
   greatest int stands for what lanes beyond n bring. */
static bool some_runs_fall(const lab_mismatch *m)
{
    const int32_t *got = m->got, *expected = m->expected;

    for (size_t first = 0; first < m->n; first += WARP) {
        const size_t count = run_end(first, WARP, m->n) - first;
        if (memcmp(got + first, expected + first, count * sizeof *got) == 0)
            continue;
        for (size_t k = 0; k < count; k++) {
            const size_t from_end = WARP - 1 - k;
            if (got[first + k] != (from_end < count ? expected[first + from_end] : INT32_MAX))
                return false;
        }
    }
    return true;
}

/* Comparisons that are not by < of keys, and of values where those are equal. */
static bool less_by_difference(pair a, pair b)
{
    return (int32_t)((uint32_t)a.key - (uint32_t)b.key) < 0;
}
static bool less_by_packing(pair a, pair b)
{
    return ((int64_t)((uint64_t)(uint32_t)a.key << 32) | a.value) <
           ((int64_t)((uint64_t)(uint32_t)b.key << 32) | b.value);
}

/* Are the keys those of a network whose lanes compare so? value: null for keys alone. */
static bool is_network_by(const lab_mismatch *m, const int32_t *value, bool (*less)(pair, pair))
{
    const int32_t *in = m->inputs[0], *got = m->got;

    for (size_t first = 0; first < m->n; first += WARP) {
        const size_t count = run_end(first, WARP, m->n) - first;
        pair now[WARP], then[WARP];
        for (size_t k = 0; k < WARP; k++)
            now[k] = k < count ? (pair){ in[first + k], value ? value[first + k] : 0 }
                               : (pair){ INT32_MAX, INT32_MAX };
        for (unsigned run = 2; run <= WARP; run *= 2)
            for (unsigned distance = run / 2; distance > 0; distance /= 2) {
                for (unsigned lane = 0; lane < WARP; lane++) {
                    const pair own = now[lane], other = now[lane ^ distance];
                    const bool smaller = !(lane & distance) == !(lane & run);
                    then[lane] = less(other, own) == smaller ? other : own;
                }
                memcpy(now, then, sizeof now);
            }
        for (size_t k = 0; k < count; k++)
            if (now[k].key != got[first + k])
                return false;
    }
    return true;
}

static const char *order_diagnose(const lab_mismatch *m)
{
    static const struct words {
        slip kind;
        const char *cause;
    } words[] = {
        { RISING_ALONE, "every run rises in every round: two runs that are joined have to be one "
                        "rising and one falling" },
        { LAST_ROUND, "each half of a warp is sorted, one rising and one falling: the round that "
                      "joins them is missing" },
        { LAST_DISTANCE, "the exchanges of distance 1 are missing: each round ends with them" },
        { FALLING, "the keys fall: which lane of a pair keeps the smaller one is the wrong way "
                   "round" },
        { ZEROS_BEYOND, "lanes beyond n brought zeros, which have been sorted in among the keys: "
                        "the greatest int stays after them" },
    };

    if (same_as_floats(m))
        return AS_FLOATS;
    if (memcmp(m->inputs[0], m->got, m->n * sizeof(int32_t)) == 0)
        return "the keys came out as they were loaded: nothing was exchanged";
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is_slip(m, words[k].kind))
            return words[k].cause;
    if (some_runs_fall(m))
        return "some warps are sorted the other way round: does a round ask for a bit of "
               "threadIdx.x, which has more of them than a lane's number? Take lane = threadIdx.x "
               "% 32: in the last round every lane's run rises";
    if (is_network_by(m, NULL, less_by_difference))
        return BY_DIFFERENCE;
    if (strcmp(m->buffer->name, "d_sorted_key") == 0 &&
        is_network_by(m, m->inputs[1], less_by_packing))
        return "key and value are compared as one number of 64 bits, and a value below 0 covers "
               "the key: as a long long it has ones in its upper half. Compare the keys, and the "
               "values where those are equal";
    if (!nothing_is_lost(m->inputs[0], m->got, m->n))
        return "some keys are lost and others are there twice: the two lanes of an exchange have "
               "to decide alike, one for the smaller key and one for the greater";
    return NULL;
}

/* Are all whole runs right, and the value of a lane beyond n, where it is 0, among the others? */
static bool zeros_came_in(const lab_mismatch *m)
{
    const size_t whole = m->n - m->n % WARP;
    const int32_t *expected = m->expected, *got = m->got;
    int more = 0;

    for (size_t i = whole; i < m->n; i++)
        more += (got[i] == 0) - (expected[i] == 0);
    return more > 0 && memcmp(expected, got, whole * sizeof *got) == 0;
}

/* Wrong only where a float does not tell two values apart? */
static bool are_equal_as_floats(const lab_mismatch *m)
{
    const int32_t *expected = m->expected, *got = m->got;

    for (size_t i = 0; i < m->n; i++)
        if ((float)got[i] != (float)expected[i])
            return false;
    return true;
}

static const char *pairs_diagnose(const lab_mismatch *m)
{
    if (strcmp(m->buffer->name, "d_sorted_key") == 0)
        return order_diagnose(m);
    if (memcmp(m->inputs[1], m->got, m->n * sizeof(int32_t)) == 0)
        return "the values stayed where they were: a value has to move with its key";
    if (zeros_came_in(m))
        return "lanes beyond n brought a value of 0, and have been sorted in before a pair with "
               "the greatest key: their value has to be the greatest, too";
    if (are_equal_as_floats(m))
        return "the values of equal keys are wrong only where a float does not tell them apart: "
               "compare them as the ints that they are, and keep them so";
    if (!nothing_is_lost(m->inputs[1], m->got, m->n))
        return "some values are lost and others are there twice: where keys are equal, one lane "
               "took its partner's pair, and the other kept its own";
    return "no value is lost, but they are not with their keys, or those of equal keys are not in "
           "order: compare the values where the keys are equal";
}

static const char *exchange_diagnose(const lab_mismatch *m)
{
    const int32_t *in = m->inputs[0], *got = m->got, *expected = m->expected;
    size_t turned = 0, by_difference = 0;

    if (same_as_floats(m))
        return AS_FLOATS;
    if (memcmp(in, got, m->n * sizeof *in) == 0)
        return "the keys came out as they were loaded: nothing was exchanged";
    for (size_t i = 0; i < m->n; i++) {
        const size_t k = i ^ STEP_DISTANCE;
        const pair own = { in[i], 0 }, other = { k < m->n ? in[k] : INT32_MAX, 0 };
        turned += k < m->n ? got[i] == expected[k] : got[i] == INT32_MAX || got[i] == in[i];
        by_difference +=
            got[i] == (less_by_difference(other, own) == (i < k) ? other.key : own.key);
    }
    if (by_difference == m->n)
        return turned == m->n
                   ? "the lane that is to keep the smaller key got the greater one: the other way "
                     "round, or by a difference that overflows? Compare keys by <"
                   : BY_DIFFERENCE;
    return turned == m->n ? "the lane that is to keep the smaller key got the greater one" : NULL;
}

/* ---- diagnosis: structures ------------------------------------------------------------------- */

/* Word of the input that d_x[i] is a copy of where fields of a warp are its rows as loaded; where
   each lane offers the row that it wants to read itself. */
static size_t row_as_loaded(size_t i, size_t f)
{
    return (i - i % WARP) * FIELDS + f * WARP + i % WARP;
}
static size_t row_of_the_reader(size_t i, size_t f)
{
    const size_t from = (FIELDS * (i % WARP) + f) % WARP;

    return (i - i % WARP) * FIELDS + (FIELDS * from + f) / WARP * WARP + from;
}

static bool fields_are(const lab_mismatch *m, size_t f, size_t (*word)(size_t, size_t))
{
    const uint32_t *in = m->inputs[0], *got = m->got; /* bits */
    size_t seen = 0;

    for (size_t i = 0; i < m->n; i++) {
        const size_t from = word(i, f);
        if (from < FIELDS * m->n && got[i] != in[from])
            return false;
        seen += from < FIELDS * m->n;
    }
    return seen > 1;
}

/* Where the wrong words of structures come from. A few may be alike by chance. */
typedef struct origin {
    bool other_row; /* all have the right lane, and another row of the warp, or are 0 */
    bool
        other_lane; /* all are the warp's, or 0, as lanes beyond n bring it; some of another lane */
} origin;

/* Word k of all structures, by fields where those are arrays of their own; 0 beyond n. */
static uint32_t word_at(const lab_mismatch *m, bool fields, size_t k)
{
    if (k >= FIELDS * m->n)
        return 0;
    return fields ? ((const uint32_t *)m->inputs[k % FIELDS])[k / FIELDS]
                  : ((const uint32_t *)m->inputs[0])[k];
}

/* got[i] is to be word each * i + from of all structures. */
static origin origin_of(const lab_mismatch *m, bool fields, size_t each, size_t from)
{
    enum { ENOUGH = 8, WORDS = FIELDS * WARP };
    const uint32_t *got = m->got, *expected = m->expected; /* bits */
    bool right_lane = m->wrong >= ENOUGH, in_warp = right_lane;

    for (size_t i = 0; i < m->length && in_warp; i++) {
        const size_t own = each * i + from, first = own - own % WORDS;
        const bool as_is = got[i] == expected[i] || got[i] == 0;
        bool lane = as_is, warp = as_is;
        for (size_t k = first; k < first + WORDS && !lane; k++)
            if (got[i] == word_at(m, fields, k)) {
                warp = true;
                lane = k % WARP == own % WARP;
            }
        right_lane = right_lane && lane;
        in_warp = in_warp && warp;
    }
    return (origin){ right_lane, in_warp && !right_lane };
}

static const char *in_diagnose(const lab_mismatch *m)
{
    const size_t f = (size_t)(m->buffer->name[2] - 'x');

    if (fields_are(m, f, row_as_loaded))
        return "the rows came out as they were loaded: no lane has got the words of its structure";
    if (fields_are(m, f, row_of_the_reader))
        return "each lane offers the row that it wants itself: it has to offer the row that its "
               "reader wants, the lane that it serves";
    const origin is = origin_of(m, false, FIELDS, f);
    if (is.other_row)
        return "words come from the right lane, and from another of its rows: a lane offers the "
               "row in which field f of its reader's structure stands, (3 reader + f) / 32";
    if (is.other_lane)
        return "words come from another lane of the warp: field f of lane l's structure stands "
               "with lane (3 l + f) % 32, if each row is 32 words side by side, lane l with word l";
    return NULL;
}

/* Does each lane store its words of the rows side by side? */
static bool are_rows_across(const lab_mismatch *m)
{
    const uint32_t *got = m->got, *expected = m->expected; /* bits */
    size_t seen = 0;

    for (size_t w = 0; w < m->length; w++) {
        const size_t in_warp = w % (FIELDS * WARP),
                     from = w - in_warp + in_warp % FIELDS * WARP + in_warp / FIELDS;
        if (from < m->length && got[w] != expected[from])
            return false;
        seen += from < m->length;
    }
    return seen > FIELDS;
}

static const char *out_diagnose(const lab_mismatch *m)
{
    const uint32_t *got = m->got; /* bits */
    size_t unmoved = 0, unsorted = 0;

    for (size_t w = 0; w < m->length; w++) {
        const size_t first = w - w % (FIELDS * WARP), row = (w - first) / WARP;
        const int32_t lane = (int32_t)(w % WARP);
        const uint32_t *field = m->inputs[row];
        const size_t own = first / FIELDS + (size_t)lane,
                     owner = first / FIELDS + (size_t)served_by(lane, (int32_t)row);
        unmoved += own >= m->n || got[w] == field[own];
        unsorted += owner >= m->n || got[w] == field[owner];
    }
    if (unmoved == m->length)
        return "the fields were stored as rows: no word has moved to the lane where it stands in "
               "memory";
    if (unsorted == m->length)
        return "what shuffle f brought was put into row f: it belongs to the row of the structure "
               "that it comes from";
    if (are_rows_across(m))
        return "each lane stores its words side by side: a row goes to 32 words side by side, lane "
               "l's to word l of them";
    const origin is = origin_of(m, true, 1, 0);
    if (is.other_row)
        return "words stand with the right lane, and in another row, or in none: field f of "
               "structure l belongs to row (3 l + f) / 32";
    if (is.other_lane)
        return "words come from another lane of the warp: field f of lane l's structure goes to "
               "lane (3 l + f) % 32, so that a lane reads from the one that it serves";
    return NULL;
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints exchange_hints = {
    "Two lanes hold a key each, and both know both keys. One must keep the smaller and one the "
    "greater. What must never happen where the keys are equal?",
    "__shfl_xor_sync by the distance gives both lanes the other's key. Then each chooses for "
    "itself, by min or max; for keys alone it does not matter which of two equal ones it keeps.",
    "other = the key of the lane whose number differs by ___, by a shuffle that all lanes meet\n"
    "if this lane keeps the smaller: the smaller of ___, else the greater",
};
static const lab_hints keys_hints = {
    "Take 8 lanes. After the first round pairs are sorted: lanes 0 and 1 rise, 2 and 3 fall, and "
    "so "
    "on. Together lanes 0 to 3 rise and then fall. Which exchanges sort these four?",
    "A run that rises and then falls is sorted by exchanges at half of its length, a quarter, ... "
    "1. "
    "Rounds make runs of 2, 4, 8, 16, 32. A run falls where the lane has the bit that is the run's "
    "length; the upper lane of a pair has the bit that is the distance. The lower lane of a rising "
    "run keeps the smaller key, and so does the upper lane of ___.",
    "for runs of 2, 4, ... up to the warp:\n"
    "    for distances ___, half of that, ... 1:\n"
    "        upper = the lane has the bit ___\n"
    "        falling = the lane has the bit ___\n"
    "        key = exchange it; smaller, where upper and falling are ___",
};
static const lab_hints pairs_hints = {
    "Two lanes have the keys 5 and 5, with values 1 and 2. Both ask: is the other key smaller? "
    "What "
    "does each of them do, and where is value 1 then?",
    "Both get \"no\". If one keeps its pair on \"no\" and the other takes its partner's, one pair "
    "is "
    "lost. So compare values where keys are equal: of two different pairs one is always the "
    "smaller, "
    "and both lanes say which.",
    "other = key and value of the partner, a shuffle each\n"
    "less = the other pair is smaller: by key, and where keys are equal by ___\n"
    "take the other pair where less is ___, else keep one's own",
};
static const lab_hints served_hints = {
    "Write down which lane holds field 0 of structures 0, 1, 2, ..., 31: 0, 3, 6, ... How far do "
    "you come until you meet lane 1?",
    ("Lane (3 * l + f) % 32 holds word 3 * l + f. To find l, divide by 3 modulo 32: since 3 * 11 "
     "= 33, that is to multiply by 11. Mind that lane - f can be below 0, and % keeps the sign."),
    "l = (lane - ___, not below 0) * ___ % 32",
};
static const lab_hints in_hints = {
    "In shuffle f lane 0 needs word f, lane 11 word 33 + f. Which lane holds both words, and in "
    "which row? Can one lane give two lanes different registers in one shuffle?",
    "In shuffle f every lane is read by exactly one other, the one that it serves. It works out "
    "that lane, and picks the row of that lane's word f. The reader names the lane where its own "
    "word f stands.",
    "for each field f:\n"
    "    reader = the lane that this lane serves\n"
    "    offer = the word of row ___ of the reader's word f\n"
    "    field f = what lane ___ offers, by a shuffle that all lanes meet",
};
static const lab_hints out_hints = {
    "Now a lane has three fields of one structure, and needs three words of three structures. "
    "Which "
    "of them comes in shuffle f, and in which row does it stand?",
    "The way back: in shuffle f every lane offers its field f, and reads from the lane whose "
    "field f belongs here: the same lane that it served. What it gets is word 3 * owner + f; its "
    "row is that number divided by 32.",
    "for each field f:\n"
    "    owner = the lane whose field f stands here\n"
    "    put what owner offers into row ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers keys_buffers = {
    { .name = "d_key", .type = LAB_I32 },
    { .name = "d_sorted", .type = LAB_I32, .role = LAB_OUT },
};
static const lab_buffers pairs_buffers = {
    { .name = "d_key", .type = LAB_I32 },
    { .name = "d_value", .type = LAB_I32 },
    { .name = "d_sorted_key", .type = LAB_I32, .role = LAB_OUT },
    { .name = "d_sorted_value", .type = LAB_I32, .role = LAB_OUT },
};
static const lab_buffers in_buffers = {
    { .name = "d_in", .type = LAB_F32, .length = words },
    { .name = "d_x", .type = LAB_F32, .role = LAB_OUT, .copied = true },
    { .name = "d_y", .type = LAB_F32, .role = LAB_OUT, .copied = true },
    { .name = "d_z", .type = LAB_F32, .role = LAB_OUT, .copied = true },
};
static const lab_buffers out_buffers = {
    { .name = "d_x", .type = LAB_F32 },
    { .name = "d_y", .type = LAB_F32 },
    { .name = "d_z", .type = LAB_F32 },
    { .name = "d_out",
      .type = LAB_F32,
      .role = LAB_OUT,
      .length = words,
      .owner = LAB_BY_GRID,
      .copied = true },
};
static const lab_buffers exchange_buffers = {
    { .name = "d_key", .type = LAB_I32 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT },
};
static const lab_buffers served_buffers = {
    { .name = "d_index", .type = LAB_I32 },
    { .name = "d_lane", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

static const lab_gates keys_gates = {
    BYTES(four_bytes_each, "4n"),
    WARP_GATES,
    { SHUFFLES(fifteen_shuffles, "1 + 2 + 3 + 4 + 5 = 15 a warp",
               "Exchange by the bitonic network: joining two runs takes one exchange for each "
               "halving of their length.") },
    EXCHANGES,
};
static const lab_gates pairs_gates = {
    BYTES(eight_bytes_each, "8n"),
    WARP_GATES,
    { SHUFFLES(thirty_shuffles, "2 * 15 = 30 a warp: an exchange moves key and value",
               "A key and its value take the same 15 exchanges, a shuffle each.") },
    EXCHANGES,
};
/* Few instructions: who looks for a word, or whose templates call each other, takes 12 times as
   many. */
LIMIT(twenty_five, 25)

static const lab_gates structures_gates = {
    BYTES(twelve_bytes_each, "12n"),
    { WORK_AT_MOST(twenty_five, "25") },
    WARP_GATES,
    { SHUFFLES(three_shuffles, "3 a warp: each lane receives three words",
               "Let each lane offer the word that its reader wants: no shuffle is needed to choose "
               "among several.") },
};

static const lab_sizes gate_sizes = { THREADS, 16 * THREADS, 10 * THREADS + 77 };

static const lab_parts parts = {
    {
        .entry = "sort_exchange",
        .title = "exchange: the smaller and the greater of two keys",
        .points = 10,
        .buffers = exchange_buffers,
        .reference = exchange_reference,
        .fill = fill_pairs,
        .diagnose = exchange_diagnose,
        .max_n = 4 * THREADS,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = exchange_hints,
    },
    {
        .entry = "sort_keys",
        .title = "bitonic sort of a warp's keys",
        .points = 25,
        .buffers = keys_buffers,
        .reference = keys_reference,
        .fill = fill_pairs,
        .gates = keys_gates,
        .gate_sizes = gate_sizes,
        .diagnose = order_diagnose,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(2),
        .hints = keys_hints,
    },
    {
        .entry = "sort_pairs",
        .title = "bitonic sort of a warp's pairs of key and value",
        .points = 25,
        .buffers = pairs_buffers,
        .reference = pairs_reference,
        .fill = fill_pairs,
        .gates = pairs_gates,
        .gate_sizes = gate_sizes,
        .diagnose = pairs_diagnose,
        .todos = LAB_TODO(3),
        .hints = pairs_hints,
    },
    {
        .entry = "structures_served",
        .title = "served: the lane that a lane serves",
        .points = 5,
        .buffers = served_buffers,
        .reference = served_reference,
        .fill = fill_indices,
        .max_n = FIELDS * WARP,
        .step = true,
        .todos = LAB_TODO(4),
        .hints = served_hints,
    },
    {
        .entry = "structures_in",
        .title = "structures of three floats into lanes",
        .points = 20,
        .buffers = in_buffers,
        .reference = in_reference,
        .fill = fill_structures,
        .gates = structures_gates,
        .gate_sizes = gate_sizes,
        .diagnose = in_diagnose,
        .max_n = MOST_STRUCTURES,
        .todos = LAB_TODO(4) | LAB_TODO(5),
        .hints = in_hints,
    },
    {
        .entry = "structures_out",
        .title = "structures of three floats out of lanes",
        .points = 15,
        .buffers = out_buffers,
        .reference = out_reference,
        .fill = fill_fields,
        .gates = structures_gates,
        .gate_sizes = gate_sizes,
        .diagnose = out_diagnose,
        .max_n = MOST_STRUCTURES,
        .todos = LAB_TODO(4) | LAB_TODO(6),
        .hints = out_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Warp sort and transpose",
    .learned =
        "In a sorting network it does not depend on the keys which lanes meet, so shuffles "
        "alone sort a warp. They also turn rows into structures, and loads stay whole sectors.",
    .file = "warp_sort_transpose.cu",
    .tile = THREADS,
    .threads = THREADS,
    .per_thread = 1,
    .large_n = (1 << 16) + 77,
    .taught = { "shuffles", "shared-memory accesses" },
    .parts = parts,
};
