/*
 * Declaration of the bonus of lab 18: its parts, reference, gates and hints. See common/lab/lab.h
 * for what each field means.
 *
 * The theory behind the gates, for n keys in tiles of 1024 on the simulated GPU:
 *     bytes      4 n read to count; a digit: 4 n read and 4 n written, values 8 n more. For each
 *                tile and digit 256 words of 4 bytes, cleared once and written twice, and 4 KiB
 *                for each look at those of four tiles: two looks, and spare
 *     sectors    sorted by a digit, a tile has at most 256 runs, of which each may begin anywhere
 *                in a sector, and a warp's 32 stores cut a run in two; a half-warp's row fills two
 *     atomics    4 a key to count; 1 a key and digit to rank, also of padding; a ticket a
 *                tile and digit, and one for each block that it tells to stop; 1024 a counting
 *                block, to add counts up, and one at its end
 *     launches   1 to count, and 4
 */
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "radix_sort_speed.h"
#include "rng.h"
#include "usual_gates.h"

enum { TILE = RADIX_SPEED_TILE, DIGITS = 256, PASSES = 4, MOST_BLOCKS = 256 };

/* ---- which keys a case of n has -------------------------------------------------------------- */

typedef enum kind {
    UNIFORM,
    LOW_ENTROPY, /* the and of four random numbers */
    SORTED,
    TWO_BYTES, /* two of the four digits are the same in all keys */
    REVERSED,
    ALL_EQUAL,
    ONE_OUTLIER,     /* no digit of it is that of the others */
    BLOCKS_OF_EQUALS /* 100 keys in a row */
} kind;

/* Sizes around one and several tiles get different kinds. */
static kind kind_of(size_t n) { return (kind)((n / TILE + n) % 8); }

/* The last keys have the lowest digit of what the given code fills the last tile up with, and each
   second one is that very key. So few that no digit becomes a frequent one. */
static void end_like_padding(uint32_t *key, size_t n)
{
    enum { MOST = 8, ONE_OF = 16 };
    const size_t keys = n / ONE_OF < MOST ? n / ONE_OF : MOST;

    for (size_t i = n - keys; i < n; i++)
        key[i] |= i % 2 ? 0xffffffffu : 0xffu;
}

static void fill_keys(uint32_t *key, size_t n, uint64_t seed)
{
    const kind which = kind_of(n);
    rng r;

    rng_seed(&r, seed);
    const uint32_t one = (uint32_t)rng_next(&r);
    const size_t at = n > 0 ? rng_below(&r, n) : 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t random = (uint32_t)rng_next(&r), step = 0xffffffffu / (uint32_t)n;
        key[i] = random;
        switch (which) {
        case UNIFORM: break;
        case LOW_ENTROPY:
            for (int k = 0; k < 3; k++)
                key[i] &= (uint32_t)rng_next(&r);
            break;
        case SORTED: key[i] = (uint32_t)i * step; break;
        case TWO_BYTES: key[i] = (random & 0x00ff00ffu) | (one & 0xff00ff00u); break;
        case REVERSED: key[i] = (uint32_t)(n - i) * step; break;
        case ALL_EQUAL: key[i] = one; break;
        case ONE_OUTLIER: key[i] = i == at ? ~one : one; break;
        case BLOCKS_OF_EQUALS: key[i] = (uint32_t)(i / 100) * 2654435761u; break;
        }
    }
    if (which != ALL_EQUAL && which != ONE_OUTLIER)
        end_like_padding(key, n);
}

/* Values: no two are alike, so they tell where they came from. */
static void fill(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng r;

    if (buffer == 0) {
        fill_keys(data, n, seed);
        return;
    }
    rng_seed(&r, seed + 1);
    const uint32_t from = (uint32_t)rng_next(&r);
    for (size_t i = 0; i < n; i++)
        ((uint32_t *)data)[i] = from + (uint32_t)i * 2654435761u;
}

/* ---- reference, diagnosis -------------------------------------------------------------------- */

/* Stable, a byte at a time. values: null, or they go with their keys. */
static void sort_stable(const uint32_t *keys, const uint32_t *values, uint32_t *keys_out,
                        uint32_t *values_out, size_t n)
{
    uint32_t *at = malloc((n + 1) * sizeof *at), *next = malloc((n + 1) * sizeof *next);

    for (size_t i = 0; at && next && i < n; i++)
        at[i] = (uint32_t)i;
    for (int bit = 0; at && next && bit < 32; bit += 8) {
        size_t place[DIGITS + 1] = { 0 };
        for (size_t i = 0; i < n; i++)
            place[(keys[i] >> bit & 255) + 1]++;
        for (int x = 1; x <= DIGITS; x++)
            place[x] += place[x - 1];
        for (size_t i = 0; i < n; i++)
            next[place[keys[at[i]] >> bit & 255]++] = at[i];
        uint32_t *old = at;
        at = next;
        next = old;
    }
    for (size_t i = 0; at && next && i < n; i++) {
        keys_out[i] = keys[at[i]];
        if (values)
            values_out[i] = values[at[i]];
    }
    free(at);
    free(next);
}

static void keys_reference(void *const *b, size_t n) { sort_stable(b[0], NULL, b[1], NULL, n); }

static void pairs_reference(void *const *b, size_t n) { sort_stable(b[0], b[1], b[2], b[3], n); }

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static const char *keys_diagnose(const lab_mismatch *m)
{
    const uint32_t *got = m->got;
    uint32_t *sorted = malloc((m->n + 1) * sizeof *sorted);
    bool all_there = false, by_last = true;

    if (!sorted)
        return NULL;
    memcpy(sorted, got, m->n * sizeof *sorted);
    qsort(sorted, m->n, sizeof *sorted, by_value);
    all_there = memcmp(sorted, m->expected, m->n * sizeof *sorted) == 0;
    free(sorted);
    for (size_t i = 1; i < m->n; i++)
        by_last = by_last && got[i - 1] >> 24 <= got[i] >> 24;
    if (!all_there)
        return "some keys are lost, and others stand there twice or never were in the array: two "
               "have gone to one place. Each place is taken once";
    return by_last ? "sorted by the highest digit, and not by those below: either a pass is not "
                     "stable, or it has not read what the one before wrote"
                   : NULL;
}

static const char *pairs_diagnose(const lab_mismatch *m)
{
    if (strcmp(m->buffer->name, "d_values_out") != 0)
        return keys_diagnose(m);
    return "the keys are right, and values are not with them, or those of equal keys have changed "
           "their order: a value goes to its key's place in the tile, and from there by its key's "
           "digit; and ranks count what stands further left";
}

/* ---- limits ---------------------------------------------------------------------------------- */

static double tiles(size_t n) { return (double)((n + TILE - 1) / TILE); }
static double bytes(size_t n, double each)
{
    return each * (double)n + 4 * 12288 * (tiles(n) + 1) + 4096;
}
static double sectors(size_t n, double each)
{
    return each * (double)n / 32 + 4 * (2 * 320 + 384) * (tiles(n) + 1) + 128;
}
static double keys_bytes(size_t n) { return bytes(n, 36); }
static double pairs_bytes(size_t n) { return bytes(n, 68); }
static double keys_sectors(size_t n) { return sectors(n, 36); }
static double pairs_sectors(size_t n) { return sectors(n, 68); }
static double pairs_stored(size_t n) { return 8 * (double)n; }
static double atomics(size_t n)
{
    return 4 * (double)n + 4 * (TILE + 1) * tiles(n) + 1025 * (1 + (double)n / 8192) +
           4 * MOST_BLOCKS;
}
static double sharing(size_t n) { return half_up_to_3(tiles(n)); }
LIMIT(five, 5)
/* where blocks wait most of the time, their polls count */
static double and_a_half(size_t n) { return n < 4 * (size_t)TILE ? 3 : 1.5; }

/* ---- gates ----------------------------------------------------------------------------------- */

#define GATES(name, moved, stored, written)                                                        \
    {                                                                                              \
        { LAB_LAUNCHES,                                                                            \
          LAB_AT_MOST,                                                                             \
          five,                                                                                    \
          "launches",                                                                              \
          "5: one to count, one a digit",                                                          \
          "The kernels of launches.h are enough: words are cleared a pass ahead." },               \
            { NO_WAITING }, { NO_FIXED_ROOM_BUT_BINS }, { NO_FILLS },                              \
            { LAB_BYTES_MOVED,                                                                     \
              LAB_AT_MOST,                                                                         \
              name##_bytes,                                                                        \
              "bytes moved",                                                                       \
              moved " + 4 x 12288 (tiles + 1) + 4096: to count, 4 digits, and words",              \
              "A tile's keys stay in registers and shared memory from their load to their "        \
              "store, and look-back ends at the first PREFIX." },                                  \
            { STORED(stored, written) },                                                           \
            { LAB_SECTORS,                                                                         \
              LAB_AT_MOST,                                                                         \
              name##_sectors,                                                                      \
              "sectors",                                                                           \
              "those that the bytes fill + 4096 (tiles + 1) + 128: where runs "                    \
              "of keys begin, and words",                                                          \
              "Put the tile in order in shared memory, and let neighbouring threads store "        \
              "neighbouring keys." },                                                              \
            { LAB_ATOMICS,                                                                         \
              LAB_AT_MOST,                                                                         \
              atomics,                                                                             \
              "atomics",                                                                           \
              "4 a key to count, 1 to rank a key of a full tile and digit; tickets; 1025 a "       \
              "counting block",                                                                    \
              "One atomicOr ranks a key: the store of the lowest lane clears the lanes' bits." },  \
            { LAB_INSTRUCTIONS_AGAINST,                                                            \
              LAB_AT_MOST,                                                                         \
              and_a_half,                                                                          \
              "instructions",                                                                      \
              "1.5 times the reference solution's for this part, 3 below 4 tiles",                 \
              "Eight ballots a row cost more than the table: let an atomicOr bring the lanes of "  \
              "a "                                                                                 \
              "digit together." },                                                                 \
            { WORK_SHARED(sharing, "tiles") },                                                     \
        {                                                                                          \
            NOT_STALLED("24")                                                                      \
        }                                                                                          \
    }

static const lab_gates keys_gates = GATES(keys, "36n", four_bytes_each, "4n: the keys"),
                       pairs_gates = GATES(pairs, "68n", pairs_stored, "8n: the pairs");
static const lab_sizes gate_sizes = { TILE / 2 + 3, 2 * TILE + 1 };

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints keys_hints = {
    "Sixteen lanes set a bit each in the word of their digit. What does the word tell a lane "
    "afterwards, and which lane has to tidy it up?",
    "The bits below a lane's own are equal digits before it in the row; the upper half counts "
    "those of the rows before. The lowest lane adds the row's to the count and clears the bits "
    "with one store. Where one digit is frequent, a ballot spares the table. Places: keys with "
    "lower digits, of half-warps before, and the rank.",
    "TODO 1: four atomicAdds, of ___ in the lane's own copy\n"
    "TODO 2: each row: atomicOr of ___; meet; look; meet\n"
    "    the lowest lane of the digit stores count and ___; meet\n"
    "    place = count of rows before and the bits ___\n"
    "TODO 3: as 2, but lanes with the frequent digit take ___ from a ballot\n"
    "TODO 4: place = what ___ returns, of the rows before and others of this one\n"
    "TODO 5: sum of ___ over all tables; then each word becomes ___\n"
    "TODO 6: look at four words; add until ___ or one is INVALID; look again from there\n"
    "TODO 7: rank and ___: to that place; then thread t stores places t, t + size.threads, ...",
};
static const lab_hints pairs_hints = {
    "Keys are stored by other threads than those that loaded them. What do values need to follow?",
    "The place in the tile, which the loading thread has kept, and the digit of the key that was "
    "stored from a place, which the storing thread has kept.",
    "TODO 8: ___; values to their keys' places; ___\n"
    "    place i goes to s_to of ___ and i",
};

/* ---- the lab --------------------------------------------------------------------------------- */

#define IN(text)                                                                                   \
    {                                                                                              \
        .name = text, .type = LAB_U32                                                              \
    }
#define OUT(text)                                                                                  \
    {                                                                                              \
        .name = text, .type = LAB_U32, .role = LAB_OUT, .owner = LAB_BY_GRID                       \
    }
static const lab_buffers keys_buffers = { IN("d_in"), OUT("d_out") };
static const lab_buffers pairs_buffers = { IN("d_in"), IN("d_values"), OUT("d_out"),
                                           OUT("d_values_out") };

enum {
    KEYS_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4) | LAB_TODO(5) | LAB_TODO(6) |
                 LAB_TODO(7)
};

#define PART(name, text, worth, what)                                                              \
    .entry = "radix_sort_speed_" #name, .title = text, .points = worth, .buffers = name##_buffers, \
    .reference = name##_reference, .fill = fill, .gates = name##_gates, .gate_sizes = gate_sizes,  \
    .diagnose = name##_diagnose, .max_n = (1 << 30) - 1, .against = "radix_sort_speed_" #name,     \
    .todos = what, .hints = name##_hints

static const lab_parts parts = {
    { PART(keys, "keys, five launches", 70, KEYS_TODOS) },
    { PART(pairs, "keys with values", 30, KEYS_TODOS | LAB_TODO(8)) },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Radix sort, fast",
    .learned =
        "One atomicOr finds equal digits. Look at the data first: a digit that all keys share "
        "is not sorted at all.",
    .file = "radix_sort_speed.cu",
    .tile = TILE,
    .threads = RADIX_SPEED_THREADS,
    .per_thread = TILE / RADIX_SPEED_THREADS,
    .blocks_wait = true,
    .large_n = 8 * TILE + 4,
    .crowd = 24,
    .bonus = true,
    .taught = { "bytes moved", "sectors", "stalled tiles" },
    .parts = parts,
};
