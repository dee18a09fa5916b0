/*
 * Declaration of lab 18: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means. Keys, tiles and their diagnoses are those of lab 17.
 *
 * The theory behind the gates, for n keys of s bytes in tiles of T = 2048, blocks of 256 threads,
 * and d digits of 8 bits:
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
#include "../../17_block_sort/grading/sorted.h"
#include "cases.h"
#include "radix_sort.h"

/* ---- buffers --------------------------------------------------------------------------------- */

static size_t all_counts(size_t n)
{
    (void)n;
    return 4 * DIGITS;
}

static const lab_buffers u32_keys = {
    [D_IN] = { .name = "d_in", .type = LAB_U32 },
    [D_OUT] = { .name = "d_out", .type = LAB_U32, RESULT, .copied = true },
};
static const lab_buffers i32_pairs = {
    [KEYS_IN] = { .name = "d_in", .type = LAB_I32 },
    [VALUES_IN] = { .name = "d_values", .type = LAB_U32 },
    [KEYS_OUT] = { .name = "d_out", .type = LAB_I32, RESULT, .copied = true },
    [VALUES_OUT] = { .name = "d_values_out", .type = LAB_U32, RESULT },
};
static const lab_buffers f32_pairs = {
    [KEYS_IN] = { .name = "d_in", .type = LAB_F32 },
    [VALUES_IN] = { .name = "d_values", .type = LAB_U32 },
    [KEYS_OUT] = { .name = "d_out", .type = LAB_F32, RESULT, .copied = true },
    [VALUES_OUT] = { .name = "d_values_out", .type = LAB_U32, RESULT },
};
static const lab_buffers i64_pairs = {
    [KEYS_IN] = { .name = "d_in", .type = LAB_I64 },
    [VALUES_IN] = { .name = "d_values", .type = LAB_U32 },
    [KEYS_OUT] = { .name = "d_out", .type = LAB_I64, RESULT, .copied = true },
    [VALUES_OUT] = { .name = "d_values_out", .type = LAB_U32, RESULT },
};
static const lab_buffers same_buffers = {
    [D_IN] = { .name = "d_digit", .type = LAB_I32 },
    [D_OUT] = { .name = "d_same", .type = LAB_U32, RESULT },
};
static const lab_buffers ranks_buffers = {
    [D_IN] = { .name = "d_digit", .type = LAB_I32 },
    [D_OUT] = { .name = "d_rank", .type = LAB_I32, RESULT },
};
static const lab_buffers counts_buffers = {
    [D_IN] = { .name = "d_in", .type = LAB_U32 },
    [D_OUT] = { .name = "d_count", .type = LAB_U32, RESULT, .length = all_counts },
};

/* ---- diagnoses ------------------------------------------------------------------------------- */

static const char *keys_diagnose(const lab_mismatch *m, const sorting *s)
{
    const int bits = s->end - s->first, digits = (bits + RADIX_BITS - 1) / RADIX_BITS,
              whole = s->first + digits * RADIX_BITS;
    const char *const known = sort_diagnose(m, s);
    sorting tile = *s, beyond = *s, highest = *s;

    tile.span = TILE;
    beyond.end = whole < width(s->type) ? whole : width(s->type);
    highest.first = whole - RADIX_BITS;
    if (known)
        return known;
    if (s->span > TILE && m->n > TILE && is_sorted(m, &tile))
        return "each tile is sorted by itself: a key's place counts what all tiles have of lower "
               "digits, and what tiles before have of its own";
    if (beyond.end != s->end && is_sorted(m, &beyond))
        return "sorted by bits beyond the range as well: the last digit has as many bits as are "
               "left, and its mask keeps no others";
    if (highest.first != s->first && is_sorted(m, &highest))
        return "sorted by the highest digit alone: a pass has not read what the one before wrote";
    if (highest.first != s->first && rises(m, &highest, s->type))
        return "in order by the highest digit, and not by the digits below: a pass has not kept "
               "the order of the one before. Of equal digits, the key further left has the lower "
               "rank; a number from an atomicAdd says who came first";
    return NULL;
}

/* Have values changed places among equal keys alone? */
static bool is_among_equals(const lab_mismatch *m, const sorting *s)
{
    const size_t n = m->n;
    uint64_t *key = malloc((n + 1) * sizeof *key), *value = calloc(2 * n + 1, sizeof *value);
    bool same = key && value;

    if (same)
        sort_stable(s->type, m->inputs[KEYS_IN], NULL, key, NULL, n, s->span, s->first, s->end);
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

static const char *ranks_diagnose(const lab_mismatch *m)
{
    const int32_t *got = m->got, *expected = m->expected;

    for (size_t i = 0; i < m->length; i++)
        if (got[i] != expected[i] + 1)
            return NULL;
    return "each key counts itself: its rank is how many equal digits stand before it";
}

static const char *digit_diagnose(const lab_mismatch *m)
{
    const sorting s = { LAB_U32, TILE, radix_first_bit((int)m->n), digit_end(m->n) };
    return keys_diagnose(m, &s);
}

static const char *u32_diagnose(const lab_mismatch *m)
{
    const sorting s = { LAB_U32, m->n + 1, radix_first_bit((int)m->n), radix_end_bit((int)m->n) };
    return keys_diagnose(m, &s);
}

#define PAIRS_DIAGNOSE(name, key_type)                                                             \
    static const char *name##_diagnose(const lab_mismatch *m)                                      \
    {                                                                                              \
        const sorting s = { key_type, m->n + 1, 0, width(key_type) };                              \
        return m->buffer == &name##_pairs[VALUES_OUT] ? values_diagnose(m, &s)                     \
                                                      : keys_diagnose(m, &s);                      \
    }

PAIRS_DIAGNOSE(i32, LAB_I32)
PAIRS_DIAGNOSE(f32, LAB_F32)
PAIRS_DIAGNOSE(i64, LAB_I64)

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(digit_barriers, 12)
static double sharing(size_t n) { return half_up_to_3(all_tiles(n)); }
static double most_chained(size_t n) { return 0.8 * all_tiles(n); }
static double range_digits(size_t n)
{
    return (radix_end_bit((int)n) - radix_first_bit((int)n) + 7) / 8;
}

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
    return s * (double)n + d * ((2 * s + 2 * v) * (double)n + 9216 * (all_tiles(n) + 1));
}
static double sweep_sectors(double d, double s, double v, size_t n)
{
    return s * (double)n / 32 + d * ((2 * s + 2 * v) * (double)n / 32 +
                                     (320 * (v > 0 ? 2 : 1) + 400) * (all_tiles(n) + 1));
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
/* A block that scans a digit's row of the table is as right as a warp: of few tiles, whose rows are
   short, it takes nearly 9 times the solution's instructions. */
static double table_work(size_t n) { return n < 4 * (size_t)TILE ? 18 : 8; }

/* One that counts; a digit, one a tile, but 8 are enough. */
#define SWEEP_BLOCKS(name, d)                                                                      \
    static double name##_blocks(size_t n) { return n > 0 ? least_blocks(n) * (d) + 1 : 0; }

SWEEP_BLOCKS(sweep_u32, range_digits(n))
SWEEP_BLOCKS(sweep_f32, 4)
SWEEP_BLOCKS(sweep_i64, 8)

/* ---- gates ----------------------------------------------------------------------------------- */

static const lab_gates ranks_gates = {
    { LAB_ATOMICS, LAB_AT_MOST, zero, "atomics", "0: ranks come from votes",
      "A number from an atomicAdd says which lane came first, and that no order promises: the "
      "lanes below with the same digit are the rank, and one lane of them changes the counter." },
};
static const lab_gates digit_gates = { TILE_GATES(
    digit_barriers,
    "12: counts set to 0 and made, 2 of a scan, places, keys in place, and spare") };

#define MOVED(limit, formula)                                                                      \
    LAB_MOVED_BUT_WORDS, LAB_AT_MOST, limit, "bytes moved", formula,                               \
        "Look at what a digit reads and writes: a tile's keys stay in registers from its ranks "   \
        "to its stores."
#define SECTORS(limit, formula)                                                                    \
    LAB_SECTORS_BUT_WORDS, LAB_AT_MOST, limit, "sectors", formula,                                 \
        "Sort the tile in shared memory first, and let neighbouring threads store neighbouring "   \
        "keys: stored straight from registers, each key touches a sector of its own."
#define COUNTS(limit)                                                                              \
    LAB_ATOMICS, LAB_AT_MOST, limit, "atomics",                                                    \
        "digits x (n + 513 tiles + 64): keys counted, tickets, and what blocks have "              \
        "counted",                                                                                 \
        "An atomicAdd may count, since a count has no order, one for each key that is there: not " \
        "for the padding of the last tile, nor again and again. Ranks come from votes and popc."
#define TABLE_LAUNCHES(limit)                                                                      \
    LAB_LAUNCHES, LAB_AT_MOST, limit, "launches", "3 a digit: count, scan, move",                  \
        "One kernel counts all tiles, one scans the table, one moves the keys."
#define SWEEP_LAUNCHES(limit)                                                                      \
    LAB_LAUNCHES, LAB_AT_MOST, limit, "launches", "1 a digit, and 1 that counts all digits",       \
        "A sweep learns from look-back what a table would hold: it needs no kernel before it."
#define ONE_FILL                                                                                   \
    LAB_FILLS, LAB_AT_MOST, one, "fills and copies", "1: counts, tickets and words together",      \
        "Clear all that has to be 0 by one cudaMemsetAsync."
#define BLOCKS_OF_SWEEPS(least)                                                                    \
    BLOCKS_FOR_TILES(least,                                                                        \
                     "1 to count; and for each digit 1 a tile, where there are up to 8; else 8")
#define FROM_OTHERS                                                                                \
    LAB_CROWD_CHAIN, LAB_AT_LEAST, one, "blocks learned from",                                     \
        "1, with 24 blocks resident: a tile learns from others what lies before it",               \
        "No block reads what another one has published: give each tile to a block, and let "       \
        "thread x look back for digit x."
#define NO_CHAIN                                                                                   \
    LAB_CROWD_CHAIN, LAB_AT_MOST, most_chained, "tiles in one chain",                              \
        "0.8 of the tiles, with 24 blocks resident: a tile that looks back waits for "             \
        "aggregates, and those wait for nobody",                                                   \
        "Tile waits for tile, as in lab 07's chain: a tile publishes its aggregate before it "     \
        "looks at any other, and takes A where there is no P yet."
#define WORK_OF_ALL                                                                                \
    LAB_ENTRIES(THREADS_PER_BLOCK(block_threads, "256"), { WARPS_ALIKE },                          \
                { WORK_SHARED(sharing, "tiles") })
#define LOOK_BACK LAB_ENTRIES({ FROM_OTHERS }, { NO_CHAIN }, { NOT_STALLED("24") })

#define FOR_RUNS(sectors, runs, what)                                                              \
    "those that the bytes fill + " sectors " x digits x (tiles + 1): " runs                        \
    " where runs of keys begin, the rest for " what

static const lab_gates table_u32_gates = {
    { TABLE_LAUNCHES(table_u32_launches) },
    { NO_WAITING },
    { NO_FIXED_ROOM_BUT_BINS },
    { NO_FILLS },
    { MOVED(table_u32_bytes, "digits x (12n + 8192 (tiles + 1)): keys and the table") },
    { STORED(table_u32_stored, "4n") },
    { SECTORS(table_u32_sectors, FOR_RUNS("2112", "320", "the table")) },
    { COUNTS(table_u32_atomics) },
    { WORK_AT_MOST(table_work, "8, below 4 tiles 18") },
    WORK_OF_ALL,
};
static const lab_gates table_i32_gates = {
    { TABLE_LAUNCHES(table_i32_launches) },
    { NO_WAITING },
    { NO_FIXED_ROOM_BUT_BINS },
    { NO_FILLS },
    { MOVED(table_i32_bytes,
            "4 x (20n + 8192 (tiles + 1)): keys, values and the table, 4 digits") },
    { STORED(table_i32_stored, "8n") },
    { SECTORS(table_i32_sectors, FOR_RUNS("2432", "640", "the table")) },
    { COUNTS(table_i32_atomics) },
    { WORK_AT_MOST(table_work, "8, below 4 tiles 18") },
    WORK_OF_ALL,
};
static const lab_gates sweep_u32_gates = {
    { SWEEP_LAUNCHES(sweep_u32_launches) },
    { NO_WAITING },
    { NO_FIXED_ROOM_BUT_BINS },
    { ONE_FILL },
    { MOVED(sweep_u32_bytes, "4n + digits x (8n + 9216 (tiles + 1)): to count, to move, and words, "
                             "whose volatile loads do not count") },
    { STORED(sweep_u32_stored, "4n") },
    { SECTORS(sweep_u32_sectors, FOR_RUNS("720", "320", "words")) },
    { COUNTS(sweep_u32_atomics) },
    { BLOCKS_OF_SWEEPS(sweep_u32_blocks) },
    WORK_OF_ALL,
    LOOK_BACK,
};
static const lab_gates sweep_f32_gates = {
    { SWEEP_LAUNCHES(sweep_f32_launches) },
    { NO_WAITING },
    { NO_FIXED_ROOM_BUT_BINS },
    { ONE_FILL },
    { MOVED(sweep_f32_bytes, "4n + 4 x (16n + 9216 (tiles + 1)): to count, to move, and words, "
                             "whose volatile loads do not count") },
    { STORED(sweep_f32_stored, "8n") },
    { SECTORS(sweep_f32_sectors, FOR_RUNS("1040", "640", "words")) },
    { COUNTS(sweep_f32_atomics) },
    { BLOCKS_OF_SWEEPS(sweep_f32_blocks) },
    WORK_OF_ALL,
    LOOK_BACK,
};
static const lab_gates sweep_i64_gates = {
    { SWEEP_LAUNCHES(sweep_i64_launches) },
    { NO_WAITING },
    { NO_FIXED_ROOM_BUT_BINS },
    { ONE_FILL },
    { MOVED(sweep_i64_bytes, "8n + 8 x (24n + 9216 (tiles + 1)): to count, to move, and "
                             "words, whose volatile loads do not count") },
    { STORED(sweep_i64_stored, "12n") },
    { SECTORS(sweep_i64_sectors, FOR_RUNS("1040", "640", "words")) },
    { COUNTS(sweep_i64_atomics) },
    { BLOCKS_OF_SWEEPS(sweep_i64_blocks) },
    WORK_OF_ALL,
    LOOK_BACK,
};

/* ---- hints ----------------------------------------------------------------------------------- */

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
    "order would one scan of a table of counts give that?",
    "All keys with lower digits, of all tiles; and those with digit 7 of tiles 0 to 2. So the "
    "table has a row for each digit and a column for each tile. The kit's kernel scans the rows "
    "and "
    "leaves their totals; lower digits are a scan of the totals. Counts have no order: atomicAdd "
    "may "
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
    "can those of the last digit be made?",
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

enum {
    STEP_MOST = 5000,
    TILES_MOST = 4 * TILE, /* tiles that do not know of each other need not be many */
    TYPES_MOST = TILE + 7, /* nor need they where the type alone is new */
    MOST = (1 << 30) - 1,
    DIGIT_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
    TABLE_TODOS = DIGIT_TODOS | LAB_TODO(4),
    SWEEP_TODOS = DIGIT_TODOS | LAB_TODO(6) | LAB_TODO(7)
};

static const lab_sizes ranks_sizes = { WARP_KEYS, 3 * WARP_KEYS + 5 };

/* uniform keys, by all 32 bits */
static const lab_sizes tile_sizes = { TILE + 7, 2 * TILE + 6 };
/* the last by one bit: 2^18 keys and more are counted */
static const lab_sizes array_sizes = { TILE + 7, 8 * TILE, 140 * TILE + 6 };

/* but some tile besides the first and the last */
static const lab_sizes types_once = { 3 * TILE + 4 };

/* by bit 0: the keys 1 at the end are the last ones, and the digit begins near 2^25 */
static const lab_sizes by_bit_0 = { (1 << 19) - 5, (1 << 20) - 5, (1 << 25) - 5 };
static const size_t *const kinds[LAB_KINDS] = { by_bit_0 };

static const lab_parts parts = {
    {
        .entry = "radix_same",
        .title = "lanes with the same digit",
        .points = 7,
        .buffers = same_buffers,
        .reference = same_reference,
        .fill = fill_digit,
        .max_n = STEP_MOST,
        .todos = LAB_TODO(1),
        .step = true,
        .hints = same_hints,
    },
    {
        .entry = "radix_ranks",
        .title = "ranks by a digit, in a warp",
        .points = 9,
        .buffers = ranks_buffers,
        .reference = ranks_reference,
        .fill = fill_digit,
        .gates = ranks_gates,
        .gate_sizes = ranks_sizes,
        .diagnose = ranks_diagnose,
        .max_n = STEP_MOST,
        .todos = LAB_TODO(1) | LAB_TODO(2),
        .step = true,
        .hints = ranks_hints,
    },
    {
        .entry = "radix_digit",
        .title = "each tile sorted by one digit",
        .points = 19,
        .buffers = u32_keys,
        .reference = digit_reference,
        .fill = fill_u32,
        .gates = digit_gates,
        .gate_sizes = tile_sizes,
        .diagnose = digit_diagnose,
        .max_n = TILES_MOST,
        .todos = DIGIT_TODOS,
        .hints = digit_hints,
    },
    {
        .entry = "radix_device_u32",
        .title = "the array sorted, by tables",
        .points = 18,
        .buffers = u32_keys,
        .reference = u32_reference,
        .fill = fill_u32,
        .gates = table_u32_gates,
        .gate_sizes = array_sizes,
        .diagnose = u32_diagnose,
        .max_n = MOST,
        .kinds = kinds,
        .drawn = true,
        .todos = TABLE_TODOS,
        .hints = table_hints,
    },
    {
        .entry = "radix_device_i32",
        .title = "int keys with values, by tables",
        .points = 9,
        .buffers = i32_pairs,
        .reference = i32_reference,
        .fill = fill_i32,
        .gates = table_i32_gates,
        .gate_sizes = array_sizes,
        .diagnose = i32_diagnose,
        .max_n = TYPES_MOST,
        .once_n = types_once,
        .todos = TABLE_TODOS | LAB_TODO(5),
        .hints = values_hints,
    },
    {
        .entry = "radix_counts",
        .title = "the digits of all keys, counted in one read",
        .points = 7,
        .buffers = counts_buffers,
        .reference = counts_reference,
        .fill = fill_u32,
        .max_n = STEP_MOST,
        .todos = LAB_TODO(6),
        .step = true,
        .hints = counts_hints,
    },
    {
        .entry = "radix_sweep_u32",
        .title = "the array sorted, in a sweep a digit",
        .points = 19,
        .buffers = u32_keys,
        .reference = u32_reference,
        .fill = fill_u32,
        .gates = sweep_u32_gates,
        .gate_sizes = array_sizes,
        .diagnose = u32_diagnose,
        .max_n = MOST,
        .kinds = kinds,
        .drawn = true,
        .todos = SWEEP_TODOS,
        .hints = sweep_hints,
    },
    {
        .entry = "radix_sweep_f32",
        .title = "float keys with values, in sweeps",
        .points = 6,
        .buffers = f32_pairs,
        .reference = f32_reference,
        .fill = fill_f32,
        .fill_end = f32_end,
        .gates = sweep_f32_gates,
        .gate_sizes = array_sizes,
        .diagnose = f32_diagnose,
        .max_n = TYPES_MOST,
        .once_n = types_once,
        .huge_n = MOST,
        .todos = SWEEP_TODOS | LAB_TODO(5),
        .hints = sweep_hints,
    },
    {
        .entry = "radix_sweep_i64",
        .title = "long long keys with values, in sweeps",
        .points = 6,
        .buffers = i64_pairs,
        .reference = i64_reference,
        .fill = fill_i64,
        .gates = sweep_i64_gates,
        .gate_sizes = array_sizes,
        .diagnose = i64_diagnose,
        .max_n = TYPES_MOST,
        .once_n = types_once,
        .huge_n = MOST,
        .todos = SWEEP_TODOS | LAB_TODO(5),
        .hints = sweep_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Radix sort",
    .learned = "Atomics may count, but not rank: ranks among equal digits keep a sort in order. A "
               "sweep a digit moves 2n, so 32 bits take 9n.",
    .file = "radix_sort.cu",
    .tile = TILE,
    .threads = RADIX_THREADS,
    .per_thread = TILE / RADIX_THREADS,
    .blocks_wait = true,
    .large_n = 39 * TILE + 2, /* by two digits */
    .crowd = 24,
    .far_n = (LAB_FAR_BLOCKS + 2) * TILE + 2, /* by one digit */
    .borrowed = { "17_block_sort/block_sort.h", "17_block_sort/keys.h" },
    .taught = { "bytes moved", "tiles in one chain" },
    .parts = parts,
};
