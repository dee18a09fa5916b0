/*
 * Lab 16 declared: parts, reference, gates and hints. See common/lab/lab.h for what each field
 * means.
 *
 * The theory behind the gates, for n keys of s bytes in tiles of T = 2048, blocks of 256 threads,
 * and d digits of 8 bits:
 *     a tile     s n read and s n written; neighbours store neighbours: whole sectors. Barriers a
 *                bit: 1 for the counts of the warps, 2 around shared memory
 *     tables     a digit: s n read to count, s n read and s n written to move; for each tile 256
 *                counts, written, scanned (read and written) and read, and 256 totals read: 5 KiB
 *     sweeps     s n read once for all counts; a digit: s n read and s n written; for each tile 256
 *                words of 4 bytes, written twice, and as many read for each tile that look-back
 *                visits: counted 5 on average with 24 blocks resident; words of 8 bytes take
 *                twice as much, 20 KiB is room for those
 *     sectors    sorted by a digit, a tile has at most 256 runs, of which each may begin anywhere
 *                in a sector; and a warp's 32 stores cut a run in two: 256 + 64 sectors a tile
 *                beyond those that the bytes fill. A table of rows for digits: 256 sectors to
 *                write a tile's column, 256 to read it, up to 1024 for a scan, and spare
 *     atomics    1 a key and digit, to count; 1 a tile and digit, the ticket; 256 a block and
 *                digit, to add counts up
 */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "lab.h"
#include "radix_sort.h"
#include "usual_gates.h"

/* ---- diagnoses ------------------------------------------------------------------------------- */

/* What a part sorts: keys of this type by the bits [first, end), each `span` keys by themselves. */
typedef struct sorting {
    lab_type type;
    size_t span;
    int first, end;
} sorting;

static int by_bits(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Are the elements those that are expected, each `span` of them by themselves, in any order? */
static bool is_reordered(const lab_mismatch *m, size_t span)
{
    uint64_t *sorted = calloc(2 * m->n + 1, sizeof *sorted);
    bool same = sorted != NULL;

    for (size_t i = 0; same && i < m->n; i++) {
        sorted[i] = element(m->buffer->type, m->expected, i);
        sorted[m->n + i] = element(m->buffer->type, m->got, i);
    }
    for (size_t from = 0; same && from < m->n; from += span) {
        const size_t count = m->n - from < span ? m->n - from : span;
        qsort(sorted + from, count, sizeof *sorted, by_bits);
        qsort(sorted + m->n + from, count, sizeof *sorted, by_bits);
        same = memcmp(sorted + from, sorted + m->n + from, count * sizeof *sorted) == 0;
    }
    free(sorted);
    return same;
}

/* Do the keys rise in each span, as numbers of that type? */
static bool rises(const lab_mismatch *m, const sorting *s, lab_type as)
{
    const uint64_t mask =
        s->end - s->first < 64 ? ((uint64_t)1 << (s->end - s->first)) - 1 : ~(uint64_t)0;

    for (size_t i = 1; i < m->n; i++)
        if (i % s->span != 0 &&
            (in_order(as, element(s->type, m->got, i)) >> s->first & mask) <
                (in_order(as, element(s->type, m->got, i - 1)) >> s->first & mask))
            return false;
    return true;
}

/* The bits [first, end) of the key, the lowest one in front. */
static uint64_t reversed(uint64_t bits, const sorting *s)
{
    uint64_t other = 0;

    for (int bit = s->first; bit < s->end; bit++)
        other = other << 1 | (bits >> bit & 1);
    return other;
}

/* Does the lowest bit decide, where the highest should? */
static bool rises_reversed(const lab_mismatch *m, const sorting *s)
{
    for (size_t i = 1; i < m->n; i++)
        if (i % s->span != 0 && reversed(in_order(s->type, element(s->type, m->got, i)), s) <
                                    reversed(in_order(s->type, element(s->type, m->got, i - 1)), s))
            return false;
    return true;
}

/* Is the result that of another sorting of the input? */
static bool is_sorted(const lab_mismatch *m, const sorting *s)
{
    const size_t bytes = (size_t)width(s->type) / 8 * m->n;
    void *other = malloc(bytes + 1);
    bool same = other != NULL;

    if (same) {
        sort_stable(s->type, m->inputs[0], NULL, other, NULL, m->n, s->span, s->first, s->end);
        same = memcmp(other, m->got, bytes) == 0;
    }
    free(other);
    return same;
}

static const char *keys_diagnose(const lab_mismatch *m, const sorting *s)
{
    sorting other = *s;

    if (!is_reordered(m, s->span))
        return is_reordered(m, m->n + 1)
                   ? "all keys are there, and some in another tile than their own: here each tile "
                     "is sorted by itself"
                   : "some keys are lost, and others stand there twice or never were in the "
                     "array: two have gone to one place. Each place is taken once; what the last "
                     "tile lacks has no place";
    if (rises(m, s, s->type))
        return "sorted, but keys that are equal in these bits have changed their order: the split "
               "is not stable. What stood further left has to have the lower rank; a number from "
               "an atomicAdd says who came first";
    if (s->type != LAB_U32 && rises(m, s, LAB_U32))
        return "sorted as unsigned numbers, with negative keys behind the others: to_bits has to "
               "turn the sign bit";
    if (s->type == LAB_F32 && rises(m, s, LAB_I32))
        return "negative floats stand in reverse: a larger number of their bits is a smaller "
               "float. to_bits has to turn all bits of a negative key";
    other.span = TILE;
    if (s->span > TILE && m->n > TILE && is_sorted(m, &other))
        return "each tile is sorted by itself: a key's place counts what all tiles have of lower "
               "digits, and what tiles before have of its own";
    other = *s;
    other.end = s->first + (s->end - s->first + RADIX_BITS - 1) / RADIX_BITS * RADIX_BITS;
    other.end = other.end < width(s->type) ? other.end : width(s->type);
    if (other.end != s->end && is_sorted(m, &other))
        return "sorted by bits beyond the range as well: the last digit has as many bits as are "
               "left, and its mask keeps no others";
    other = *s;
    other.end = s->end + 1;
    if (s->end < width(s->type) && is_sorted(m, &other))
        return "sorted by bit `end` as well: the range [first, end) ends before it";
    other = *s;
    other.first = s->first + (s->end - s->first - 1) / RADIX_BITS * RADIX_BITS;
    if (other.first != s->first && is_sorted(m, &other))
        return "sorted by the highest digit alone: a pass has not read what the one before wrote";
    if (rises_reversed(m, s))
        return "the lowest bit decides, as if the splits had gone from the highest bit to the "
               "lowest: the last split decides, and that has to be the highest bit's";
    if (other.first != s->first && rises(m, &other, s->type))
        return "in order by the highest digit, and not by the digits below: a pass has not kept "
               "the "
               "order of the one before. Of equal digits, the key further left has the lower rank; "
               "a "
               "number from an atomicAdd says who came first";
    other.first = s->end - 1;
    if (other.first != s->first && is_sorted(m, &other))
        return "sorted by the highest bit alone: each split has to go on with what the one before "
               "left, from the lowest bit to the highest";
    return NULL;
}

/* Have values changed places among equal keys alone? */
static bool is_among_equals(const lab_mismatch *m, const sorting *s)
{
    const size_t n = m->n;
    uint64_t *key = malloc((n + 1) * sizeof *key), *value = calloc(2 * n + 1, sizeof *value);
    bool same = key && value;

    if (same)
        sort_stable(s->type, m->inputs[0], NULL, key, NULL, n, s->span, s->first, s->end);
    for (size_t i = 0, from = 0; same && i < n; i++) {
        value[i] = element(LAB_U32, m->expected, i);
        value[n + i] = element(LAB_U32, m->got, i);
        if (i + 1 < n && element(s->type, key, i + 1) == element(s->type, key, i))
            continue;
        qsort(value + from, i + 1 - from, sizeof *value, by_bits);
        qsort(value + n + from, i + 1 - from, sizeof *value, by_bits);
        same = memcmp(value + from, value + n + from, (i + 1 - from) * sizeof *value) == 0;
        from = i + 1;
    }
    free(key);
    free(value);
    return same;
}

/* The keys are right, else those would be looked at. */
static const char *values_diagnose(const lab_mismatch *m, const sorting *s)
{
    return is_among_equals(m, s)
               ? "the keys are right, and values of equal keys have changed their order: the sort "
                 "is not stable. Ranks count keys further left; a number from an atomicAdd says "
                 "who came first"
               : "the keys are right, and values are not with them: a value goes where its key "
                 "goes, to the same place in shared memory and from there to the same index";
}

static const char *order_diagnose(const lab_mismatch *m)
{
    const bool is_int = m->buffer->name[2] == 'i';
    const uint64_t key = element(LAB_U32, m->inputs[is_int ? 0 : 1], m->index);

    if (is_int)
        return "of an int the sign bit is turned, and no other: negative ones come first, and keep "
               "their order";
    if (key == 0x80000000u)
        return "-0.0 comes before 0.0: of every float whose sign bit is 1 all bits are turned, and "
               "not that bit alone. Ask the bit, and not whether the key is below 0";
    return key >> 31 ? "of a negative float all bits are turned: a larger number of its other bits "
                       "is a smaller float"
                     : "of a float that is not negative the sign bit is turned, and no other";
}

#define DIAGNOSE(part, key_type, each, from, to)                                                   \
    static const char *part##_diagnose(const lab_mismatch *m)                                      \
    {                                                                                              \
        const size_t n = m->n;                                                                     \
        const sorting s = { key_type, each, from, to };                                            \
        return n == 0                              ? NULL                                          \
               : strstr(m->buffer->name, "values") ? values_diagnose(m, &s)                        \
                                                   : keys_diagnose(m, &s);                         \
    }

DIAGNOSE(split, LAB_U32, TILE, radix_bit((int)n), radix_bit((int)n) + 1)
DIAGNOSE(block_u32, LAB_U32, TILE, radix_first_bit((int)n), radix_end_bit((int)n))
DIAGNOSE(block_f32, LAB_F32, TILE, 0, 32)
DIAGNOSE(digit, LAB_U32, TILE, radix_first_bit((int)n), digit_end(n))
DIAGNOSE(u32, LAB_U32, n + 1, radix_first_bit((int)n), radix_end_bit((int)n))
DIAGNOSE(i32, LAB_I32, n + 1, 0, 32)
DIAGNOSE(f32, LAB_F32, n + 1, 0, 32)
DIAGNOSE(i64, LAB_I64, n + 1, 0, 64)

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, RADIX_THREADS)
static double all_tiles(size_t n) { return (double)tiles(n); }
static double sharing(size_t n) { return half_up_to_3(all_tiles(n)); }
static double least_blocks(size_t n) { return tiles(n) < 8 ? all_tiles(n) : 8; }
static double split_barriers(size_t n)
{
    (void)n;
    return 6;
}
static double range_bits(size_t n) { return radix_end_bit((int)n) - radix_first_bit((int)n); }
static double range_barriers(size_t n) { return 4 * range_bits(n) + 2; }
static double all_barriers(size_t n)
{
    (void)n;
    return 4 * 32 + 2;
}
static double digit_barriers(size_t n)
{
    (void)n;
    return 12;
}

static double most_chained(size_t n) { return 0.8 * all_tiles(n); }

static double range_digits(size_t n) { return (double)((size_t)(range_bits(n) + 7) / 8); }

/* s, v: bytes of a key, and of a value; of d digits. */
static double table_bytes(double d, double s, double v, size_t n)
{
    return d * ((3 * s + 2 * v) * (double)n + 8192 * (all_tiles(n) + 1));
}
static double table_sectors(double d, double s, double v, size_t n)
{
    return d * ((3 * s + 2 * v) * (double)n / 32 +
                (320 * (v > 0 ? 2 : 1) + 7 * 256) * (all_tiles(n) + 1));
}
static double sweep_bytes(double d, double s, double v, size_t n)
{
    return s * (double)n + d * ((2 * s + 2 * v) * (double)n + 20480 * (all_tiles(n) + 1));
}
static double sweep_sectors(double d, double s, double v, size_t n)
{
    return s * (double)n / 32 + d * ((2 * s + 2 * v) * (double)n / 32 +
                                     (320 * (v > 0 ? 2 : 1) + 640) * (all_tiles(n) + 1));
}
static double count_atomics(double d, size_t n)
{
    return d * ((double)n + 513 * all_tiles(n) + 64);
}

#define LIMITS(name, how, d, s, v)                                                                 \
    static double name##_bytes(size_t n) { return how##_bytes(d, s, v, n); }                       \
    static double name##_sectors(size_t n) { return how##_sectors(d, s, v, n); }                   \
    static double name##_stored(size_t n) { return ((s) + (v)) * (double)n; }                      \
    static double name##_atomics(size_t n) { return count_atomics(d, n); }                         \
    static double name##_launches(size_t n)                                                        \
    {                                                                                              \
        (void)n;                                                                                   \
        return LAUNCHES_##how(d);                                                                  \
    }
#define LAUNCHES_table(d) (3 * (d))
#define LAUNCHES_sweep(d) (1 + (d))

LIMITS(table_u32, table, range_digits(n), 4, 0)
LIMITS(table_i32, table, 4, 4, 4)
LIMITS(sweep_u32, sweep, range_digits(n), 4, 0)
LIMITS(sweep_f32, sweep, 4, 4, 4)
LIMITS(sweep_i64, sweep, 8, 8, 4)

/* One that counts; a digit, one a tile, but 8 are enough. */
#define SWEEP_BLOCKS(name, d)                                                                      \
    static double name##_blocks(size_t n) { return n > 0 ? least_blocks(n) * (d) + 1 : 0; }

SWEEP_BLOCKS(sweep_u32, range_digits(n))
SWEEP_BLOCKS(sweep_f32, 4)
SWEEP_BLOCKS(sweep_i64, 8)

/* ---- gates ----------------------------------------------------------------------------------- */

#define READ_ONCE                                                                                  \
    LAB_BYTES_READ, LAB_AT_MOST, four_bytes_each, "bytes read", "4n: each key once",               \
        "Load each key once, and keep it in registers and shared memory until it is stored."
#define WRITTEN_ONCE                                                                               \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, four_bytes_each, "bytes written", "4n: each key once",         \
        "Keys change their places in shared memory; write them once, when all are in place."
#define TILE_BARRIERS(limit, formula)                                                              \
    LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, limit, "barriers", formula,                               \
        "The counts of all warps need one barrier, and keys in shared memory two: one before "     \
        "they "                                                                                    \
        "are read, one before they are overwritten."
#define TILE_GATES(most_barriers, formula)                                                         \
    {                                                                                              \
        { READ_ONCE }, { WRITTEN_ONCE }, { STORED(four_bytes_each, "4n: the keys") },              \
            { WHOLE_SECTORS }, { TILE_BARRIERS(most_barriers, formula) }, ONE_LAUNCH_ALONE,        \
            { NO_ATOMICS }, SECTION_EACH(least_blocks, block_threads, "256"), { WARPS_ALIKE },     \
    }

static const lab_gates split_gates =
    TILE_GATES(split_barriers, "6: 1 for counts of the warps, 2 around shared memory, and spare");
static const lab_gates range_gates = TILE_GATES(range_barriers, "4 a bit, and 2");
static const lab_gates block_gates = TILE_GATES(all_barriers, "4 a bit, and 2: 130");
static const lab_gates digit_gates = TILE_GATES(
    digit_barriers, "12: counts set to 0 and made, 2 of a scan, places, keys in place, and spare");

#define MOVED(limit, formula)                                                                      \
    LAB_MOVED_BUT_WORDS, LAB_AT_MOST, limit, "bytes moved", formula,                               \
        "Look at what a digit reads and writes: a tile's keys stay in registers from its ranks "   \
        "to "                                                                                      \
        "its stores."
#define SECTORS(limit, formula)                                                                    \
    LAB_SECTORS_BUT_WORDS, LAB_AT_MOST, limit, "sectors", formula,                                 \
        "Sort the tile in shared memory first, and let neighbouring threads store neighbouring "   \
        "keys: stored straight from registers, each key touches a sector of its own."
#define COUNTS(limit)                                                                              \
    LAB_ATOMICS, LAB_AT_MOST, limit, "atomics",                                                    \
        "1 a key and digit, to count; 513 a tile and digit, and 64 a digit: its ticket, and what " \
        "a block has counted",                                                                     \
        "An atomicAdd may count, since a count has no order, one for each key that is there: not " \
        "for what the last tile lacks, nor again and again. Ranks come from votes and popc."
#define LAUNCHED(limit, formula, advice)                                                           \
    LAB_LAUNCHES, LAB_AT_MOST, limit, "launches", formula, advice

#define TABLE_GATES(name, bytes, stored, sectors)                                                  \
    {                                                                                              \
        { LAUNCHED(name##_launches, "3 a digit: count, scan, move",                                \
                   "One kernel counts all tiles, one scans the table, one moves the keys.") },     \
            { NO_WAITING }, { NO_FIXED_ROOM_BUT_BINS }, { NO_FILLS },                              \
            { MOVED(name##_bytes, bytes) }, { STORED(name##_stored, stored) },                     \
            { SECTORS(name##_sectors, sectors) }, { COUNTS(name##_atomics) },                      \
            THREADS_OF_A_BLOCK(block_threads, "256"), { WARPS_ALIKE },                             \
            { WORK_SHARED(sharing, "tiles") },                                                     \
    }
#define SWEEP_GATES(name, bytes, stored, sectors)                                                  \
    {                                                                                              \
        { LAUNCHED(name##_launches, "1 a digit, and 1 that counts all digits",                     \
                   "A sweep learns from look-back what a table told: it needs no kernel before "   \
                   "it.") },                                                                       \
            { NO_WAITING }, { NO_FIXED_ROOM_BUT_BINS },                                            \
            { LAB_FILLS,                                                                           \
              LAB_AT_MOST,                                                                         \
              one,                                                                                 \
              "fills and copies",                                                                  \
              "1: counts, tickets and words together",                                             \
              "Clear all that has to be 0 by one cudaMemsetAsync." },                              \
            { MOVED(name##_bytes, bytes) }, { STORED(name##_stored, stored) },                     \
            { SECTORS(name##_sectors, sectors) }, { COUNTS(name##_atomics) },                      \
            { BLOCKS_FOR_TILES(name##_blocks, "1 to count; and for each digit 1 a tile, where "    \
                                              "there are up to 8; else 8") },                      \
            THREADS_OF_A_BLOCK(block_threads, "256"), { WARPS_ALIKE },                             \
            { WORK_SHARED(sharing, "tiles") },                                                     \
            { LAB_CROWD_CHAIN,                                                                     \
              LAB_AT_LEAST,                                                                        \
              one,                                                                                 \
              "blocks learned from",                                                               \
              "1, with 24 blocks resident: a tile learns from others what lies before it",         \
              "No block reads what another one has published: give each tile to a block, and "     \
              "let thread x look back for digit x." },                                             \
            { LAB_CROWD_CHAIN,                                                                     \
              LAB_AT_MOST,                                                                         \
              most_chained,                                                                        \
              "tiles in one chain",                                                                \
              "0.8 of the tiles, with 24 blocks resident: a tile that looks back waits for "       \
              "aggregates, and those wait for nobody",                                             \
              "Tile waits for tile, as in lab 07's chain: a tile publishes its aggregate before "  \
              "it looks at any other, and takes A where there is no P yet." },                     \
        {                                                                                          \
            NOT_HELD("24")                                                                         \
        }                                                                                          \
    }

#define FOR_RUNS(sectors, runs, what)                                                              \
    "those that the bytes fill, and " sectors " a tile and digit, and once: " runs                 \
    " where runs of keys begin, the rest for " what

static const lab_gates table_u32_gates =
    TABLE_GATES(table_u32, "12n a digit; and 8 KiB a tile and digit, and once, for the table", "4n",
                FOR_RUNS("2112", "320", "the table"));
static const lab_gates table_i32_gates =
    TABLE_GATES(table_i32, "20n a digit: 80n; and 8 KiB a tile and digit, and once, for the table",
                "8n", FOR_RUNS("2432", "640", "the table"));
static const lab_gates sweep_u32_gates =
    SWEEP_GATES(sweep_u32,
                "4n, and 8n a digit: 36n for 4; and 20 KiB a tile and digit, and once, for words, "
                "whose volatile loads do not count",
                "4n", FOR_RUNS("960", "320", "words"));
static const lab_gates sweep_f32_gates =
    SWEEP_GATES(sweep_f32,
                "4n, and 16n a digit: 68n; and 20 KiB a tile and digit, and once, for words, "
                "whose volatile loads do not count",
                "8n", FOR_RUNS("1280", "640", "words"));
static const lab_gates sweep_i64_gates =
    SWEEP_GATES(sweep_i64,
                "8n, and 24n a digit: 200n; and 20 KiB a tile and digit, and once, for words, "
                "whose volatile loads do not count",
                "12n", FOR_RUNS("1280", "640", "words"));

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints split_hints = {
    "Key 10 of a tile has 4 zeros before it. Where does it go if it has a 0 itself, and where if "
    "it "
    "has a 1, and 30 keys of the tile have a 0?",
    "A ballot tells all lanes the bits of a row; zeros below the lane, and those of the rows and "
    "warps before, are the place of a 0. A 1 has as many ones before it as its index, less the "
    "zeros before it; the ones begin behind all zeros.",
    "zeros in the warp, row by row:\n"
    "    zeros = the ballot's lanes that ___\n"
    "    rank = count and the zeros below ___; count grows by ___\n"
    "in the tile: each warp leaves its count in ___; a barrier\n"
    "    z = zeros of ___ and the rank\n"
    "    a 0 goes to z; a 1 to ___ and its index, less ___",
};
static const lab_hints block_hints = {
    "Sort 3, 1, 2, 0 on paper by splits: first by which bit, so that the second split ends it? "
    "What "
    "keeps the second split from spoiling what the first one did?",
    "From the lowest bit to the highest. Keys that are equal in the bit of a split stay in the "
    "order that the lower bits gave them: that is what stable is good for.",
    "for each bit from ___ up to, and without, ___:\n"
    "    split_tile",
};
static const lab_hints order_hints = {
    "Write down the bits of -2, -1, 0 and 1 as int, and read them as unsigned numbers. Which one "
    "bit stands wrong? Now those of -2.0f, -1.0f, 0.0f and 1.0f.",
    "The sign bit, turned, puts negative numbers below the others. Of a negative float the other "
    "bits count the wrong way: turn them as well. The way back looks at the turned sign.",
    "to_bits: I32, I64: turn ___\n"
    "    F32: sign set: turn ___; else turn ___\n"
    "from_bits: F32: highest bit set, the key was ___: turn ___; else turn ___",
};
static const lab_hints same_hints = {
    "Lane 3 has digit 5, 101 in binary. Which lanes' votes on bit 0 can still have the same digit? "
    "And on bit 1?",
    "Begin with all lanes that are there. Each bit of the digit is one ballot: a lane whose bit is "
    "set keeps those that voted for it, the others keep those that did not.",
    "same = a ballot of ___\n"
    "for each of the RADIX_BITS bits:\n"
    "    ones = a ballot of ___\n"
    "    same keeps ___ where the lane's own bit is set, else ___",
};
static const lab_hints ranks_hints = {
    "Row 1 has two keys with digit 7, and row 0 had three. Which ranks do the two get, and what do "
    "they have to leave for row 2?",
    "s_count has what the rows before had. Each lane adds the lanes below it that have its digit. "
    "Then one of these lanes brings the counter up to date; all have to have read it by then, and "
    "all have to see it in the next row.",
    "for each row:\n"
    "    same = same_digit of ___ and whether ___\n"
    "    before = the counter of the lane's digit\n"
    "    rank = before and the lanes of same ___\n"
    "    ___\n"
    "    the lowest lane of same, if there: counter = before and ___\n"
    "    ___",
};
static const lab_hints digit_hints = {
    "Which keys stand before warp 2's first key with digit 7 in the sorted tile? And once the tile "
    "lies sorted in shared memory, which thread should store which key?",
    "All keys with lower digits, and those of warps 0 and 1 with digit 7. Thread x adds up the 8 "
    "counts of digit x; scan_digits brings the lower digits; then the 8 counts become places. In "
    "store_sorted thread t takes places t, t + 256, and so on: neighbours. Each key says its "
    "digit.",
    "first_places, thread x:\n"
    "    sum = its digit's counts over ___\n"
    "    first = scan_digits of ___\n"
    "    s_count of warp w = first and the counts of ___\n"
    "store_sorted:\n"
    "    each key that is there: to place ___ in s_item\n"
    "    ___\n"
    "    for each row: i = ___; if below ___: k = element i of s_item\n"
    "        to[row] = ___ and i; store from_bits of k there",
};
static const lab_hints table_hints = {
    "Tile 3's first key with digit 7: which keys of the whole array stand before it? In which "
    "order "
    "would one scan of a table of counts give that?",
    "All keys with lower digits, of all tiles; and those with digit 7 of tiles 0 to 2. So the "
    "table "
    "has a row for each digit and a column for each tile. The kit's kernel scans the rows and "
    "leaves "
    "their totals; lower digits are a scan of the totals. Counts have no order: atomicAdd may "
    "make them, in shared memory.",
    "count_tile: s_count of thread x = ___; a barrier\n"
    "    each key that is there: s_count of its digit grows\n"
    "    ___; thread x: row ___, column ___ of the table\n"
    "before_by_table, thread x: scan_digits of ___, and the table's row ___, column ___",
};
static const lab_hints values_hints = {
    "A thread holds the value of a key that it loaded, and stores a key that another one loaded. "
    "How does a value find its way?",
    "By the same way: to its key's place in shared memory, and from there to where the key of that "
    "place went, which the thread still has in to[]. The room of the keys can be used again, once "
    "they have been read.",
    "if pairs:\n"
    "    ___\n"
    "    each value that is there: to place ___\n"
    "    ___\n"
    "    for each row: the value at place i goes to d_values_out at ___",
};
static const lab_hints counts_hints = {
    "A digit's counts over the whole array: do they change when the keys change places? So when "
    "can "
    "those of the last digit be made?",
    "All at the beginning, in one read. A block counts the digits of its tiles in shared memory, "
    "and adds what it has at the end. The last digit may have fewer bits.",
    "s_count = 0 for all digits; ___\n"
    "each tile from blockIdx.x on in steps of ___:\n"
    "    each key that is there, each digit k: count key's bits from ___ on, by the mask ___\n"
    "___; for each k: d_count of k and x grows by ___",
};
static const lab_hints sweep_hints = {
    "Lab 10's tile looked back for one sum. Here 256 sums are looked for. Which thread takes "
    "which, "
    "and what is the prefix in front of tile 0?",
    "Thread x looks back for digit x, and needs nobody else: a word holds status and count. In "
    "front of tile 0 stand all keys with lower digits: scan_digits of the counts of all keys. "
    "Tile 0 publishes that as part of its PREFIX, and so all others get it.",
    "tile 0: before = scan_digits of ___\n"
    "other tiles: publish ___; for t = tile - 1, tile - 2 and so on:\n"
    "    inspect t until it is not ___; before grows by ___\n"
    "    end at ___\n"
    "all: publish PREFIX of ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static size_t all_counts(size_t n)
{
    (void)n;
    return 4 * DIGITS;
}

#define IN(text, element)                                                                          \
    {                                                                                              \
        .name = text, .type = element                                                              \
    }
#define OUT(text, element)                                                                         \
    {                                                                                              \
        .name = text, .type = element, .role = LAB_OUT, .owner = LAB_BY_GRID                       \
    }
#define COPIES(text, element)                                                                      \
    {                                                                                              \
        .name = text, .type = element, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true       \
    }
#define KEYS(name, element)                                                                        \
    static const lab_buffers name##_buffers = { IN("d_in", element), COPIES("d_out", element) };
#define PAIRS(name, element)                                                                       \
    static const lab_buffers name##_buffers = { IN("d_in", element), IN("d_values", LAB_U32),      \
                                                COPIES("d_out", element),                          \
                                                OUT("d_values_out", LAB_U32) };
KEYS(u32, LAB_U32)
KEYS(f32, LAB_F32)
PAIRS(pairs_i32, LAB_I32)
PAIRS(pairs_f32, LAB_F32)
PAIRS(pairs_i64, LAB_I64)
static const lab_buffers zeros_buffers = { IN("d_bit", LAB_I32), OUT("d_rank", LAB_I32) };
static const lab_buffers order_buffers = { IN("d_int", LAB_I32), IN("d_float", LAB_F32),
                                           OUT("d_int_bits", LAB_U32),
                                           OUT("d_float_bits", LAB_U32) };
static const lab_buffers same_buffers = { IN("d_digit", LAB_I32), OUT("d_same", LAB_U32) };
static const lab_buffers ranks_buffers = { IN("d_digit", LAB_I32), OUT("d_rank", LAB_I32) };
static const lab_buffers counts_buffers = {
    IN("d_in", LAB_U32),
    { .name = "d_count",
      .type = LAB_U32,
      .role = LAB_OUT,
      .owner = LAB_BY_GRID,
      .length = all_counts },
};

enum {
    STEP_MOST = 5000,
    TILES_MOST = 4 * TILE, /* tiles that do not know of each other need not be many */
    TYPES_MOST = TILE + 7, /* nor need they where the type alone is new */
    MOST = (1 << 30) - 1,
    SPLIT_TODOS = LAB_TODO(1) | LAB_TODO(2),
    BLOCK_TODOS = SPLIT_TODOS | LAB_TODO(3),
    DIGIT_TODOS = LAB_TODO(5) | LAB_TODO(6) | LAB_TODO(7) | LAB_TODO(8),
    TABLE_TODOS = DIGIT_TODOS | LAB_TODO(9) | LAB_TODO(10),
    SWEEP_TODOS = DIGIT_TODOS | LAB_TODO(12) | LAB_TODO(13)
};

static const lab_gates ranks_gates = {
    { LAB_ATOMICS, LAB_AT_MOST, zero, "atomics", "0: ranks come from votes",
      "A number from an atomicAdd says which lane came first, and that no order promises: the "
      "lanes "
      "below with the same digit are the rank, and one lane of them changes the counter." },
};
static const lab_sizes ranks_sizes = { WARP_KEYS, 3 * WARP_KEYS + 5 };

/* uniform keys, by all 32 bits */
static const lab_sizes tile_sizes = { TILE + 7, 2 * TILE + 6 };
/* the last by one bit: 2^18 keys and more are counted */
static const lab_sizes array_sizes = { TILE + 7, 8 * TILE, 140 * TILE + 6 };

#define STEP(name, text, worth, filled, what, hint)                                                \
    .entry = "radix_" #name, .title = text, .points = worth, .buffers = name##_buffers,            \
    .reference = name##_reference, .fill = filled, .max_n = STEP_MOST, .step = true,               \
    .todos = what, .hints = hint
#define PART(name, text, worth, held, type, result, limited, tried, most, what, hint)              \
    .entry = "radix_" #name, .title = text, .points = worth, .buffers = held##_buffers,            \
    .reference = result##_reference, .fill = fill_##type, .gates = limited##_gates,                \
    .gate_sizes = tried##_sizes, .diagnose = result##_diagnose, .max_n = most, .todos = what,      \
    .hints = hint##_hints

static const lab_parts parts = {
    { STEP(zeros, "zeros before, in a warp", 4, fill_bit, LAB_TODO(1), split_hints) },
    { PART(split, "a stable split of each tile, by a bit", 11, u32, u32, split, split, tile,
           TILES_MOST, SPLIT_TODOS, split) },
    { PART(block_u32, "each tile sorted, by a range of bits", 8, u32, u32, block_u32, range, tile,
           TILES_MOST, BLOCK_TODOS, block) },
    { STEP(order, "bits in the order of int and float", 5, fill_order, LAB_TODO(4), order_hints),
      .diagnose = order_diagnose },
    { PART(block_f32, "each tile of float sorted", 4, f32, f32, block_f32, block, tile, TYPES_MOST,
           BLOCK_TODOS | LAB_TODO(4), order) },
    { STEP(same, "lanes with the same digit", 5, fill_digit, LAB_TODO(5), same_hints) },
    { STEP(ranks, "ranks by a digit, in a warp", 6, fill_digit, LAB_TODO(5) | LAB_TODO(6),
           ranks_hints),
      .gates = ranks_gates, .gate_sizes = ranks_sizes },
    { PART(digit, "each tile sorted by one digit", 13, u32, u32, digit, digit, tile, TILES_MOST,
           DIGIT_TODOS, digit) },
    { PART(device_u32, "the array sorted, by tables", 12, u32, u32, u32, table_u32, array, MOST,
           TABLE_TODOS, table),
      .drawn = true },
    { PART(device_i32, "int keys with values, by tables", 6, pairs_i32, i32, i32, table_i32, array,
           TYPES_MOST, TABLE_TODOS | LAB_TODO(4) | LAB_TODO(11), values) },
    { STEP(counts, "the digits of all keys, counted in one read", 5, fill_u32, LAB_TODO(12),
           counts_hints) },
    { PART(sweep_u32, "the array sorted, in a sweep a digit", 13, u32, u32, u32, sweep_u32, array,
           MOST, SWEEP_TODOS, sweep),
      .drawn = true },
    { PART(sweep_f32, "float keys with values, in sweeps", 4, pairs_f32, f32, f32, sweep_f32, array,
           TYPES_MOST, SWEEP_TODOS | LAB_TODO(4) | LAB_TODO(11), sweep) },
    { PART(sweep_i64, "long long keys with values, in sweeps", 4, pairs_i64, i64, i64, sweep_i64,
           array, TYPES_MOST, SWEEP_TODOS | LAB_TODO(4) | LAB_TODO(11), sweep) },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Radix sort",
    .file = "radix_sort.cu",
    .tile = TILE,
    .threads = RADIX_THREADS,
    .per_thread = TILE / RADIX_THREADS,
    .blocks_wait = true,
    .large_n = 39 * TILE + 2, /* by two digits */
    .crowd = 24,
    .parts = parts,
};
