/*
 * Declaration of lab 10: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory after the gates, for tiles of T = 8192 elements of s bytes and blocks of 128 threads:
 *     launches   1: nothing is cleared before it, because a descriptor of another launch counts as
 *                INVALID
 *     bytes      s n read and s n written. To that come, for a tile: its ticket and its depth, and
 *                its descriptor written twice: 1 KiB a tile is allowed; what it reads of others'
 *                descriptors does not count
 *     atomics    1 a tile, the ticket, and 2 where A and P are published by atomics; a block that
 *                stays takes one more, that ends it
 *     barriers   3 a tile: ticket, totals of the warps, what lies before; a block that stays needs
 *                a fourth between its tiles; one spare
 *     sectors    elements move in whole sectors; descriptors of 8 bytes 24 apart, or a window that
 *                begins anywhere, do not: as many as the bytes
 *     chain      aggregates wait for nobody. So a tile waits for few others, one after the other:
 *                where all begin at once and look back one by one, for log2 of the tiles. If it
 *                waits for the prefix before it, or publishes its aggregate after it has looked
 *                back, the chain is as long as the array. Seen from what blocks store and read, of
 *                whatever layout; with few blocks resident it means nothing, since tiles that have
 *                ended have left a prefix
 *
 * How far a tile looks back depends on the schedule: no further than blocks are resident, because a
 * tile whose predecessors have all ended finds a prefix at once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoupled_lookback.h"
#include "element_bits.h"
#include "lab.h"
#include "references.h"
#include "rng.h"
#include "usual_gates.h"

enum { TILE = LOOKBACK_TILE };

static size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

/* ---- the four operations, on the bits of an element; 4-byte types in the lower half ---------- */

static uint64_t map(uint32_t a, uint32_t b) { return (uint64_t)b << 32 | a; }

static uint64_t identity(lab_type type) { return type == LAB_AFFINE ? map(1, 0) : 0; }

static uint64_t combine(lab_type type, uint64_t left, uint64_t right)
{
    const uint32_t a = (uint32_t)right, b = (uint32_t)(right >> 32);

    switch (type) {
    case LAB_F32: return float_bits(as_float(left) + as_float(right));
    case LAB_I64: return left + right;
    case LAB_AFFINE: return map(a * (uint32_t)left, a * (uint32_t)(left >> 32) + b);
    default: return (uint32_t)(left + right);
    }
}

/* 1 / a modulo 2^32, for odd a, by Newton's iteration: every round doubles the right bits, of which
   a itself has three. */
static uint32_t inverse(uint32_t a)
{
    uint32_t x = a;

    for (int round = 0; round < 4; round++)
        x *= 2 - a * x;
    return x;
}

/* The value c for which combine(c, right) is whole. The maps of this lab have odd a, and so an
   inverse. */
static uint64_t part_before(lab_type type, uint64_t whole, uint64_t right)
{
    const uint32_t a = inverse((uint32_t)right);

    switch (type) {
    case LAB_F32: return float_bits(as_float(whole) - as_float(right));
    case LAB_I64: return whole - right;
    case LAB_AFFINE:
        return map((uint32_t)whole * a, ((uint32_t)(whole >> 32) - (uint32_t)(right >> 32)) * a);
    default: return (uint32_t)(whole - right);
    }
}

/* ---- references ------------------------------------------------------------------------------ */

static void affine_reference(void *const *buffers, size_t n)
{
    const lab_affine *in = buffers[0];
    lab_affine *out = buffers[1], f = { 1, 0 };

    for (size_t i = 0; i < n; i++)
        out[i] = f = (lab_affine){ in[i].a * f.a, in[i].a * f.b + in[i].b };
}

static void tile_offsets_reference(void *const *buffers, size_t n)
{
    const int64_t *tile = buffers[0];
    int64_t *first = buffers[1];

    for (size_t k = 0; k < n; k++)
        first[k] = tile[k] * TILE;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static void fill_i32(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    (void)buffer;
    rng_seed(&generator, seed);
    for (size_t i = 0; i < n; i++)
        /* sums wrap around again and again */
        ((uint32_t *)data)[i] = (uint32_t)rng_next(&generator);
}

/* Sums have no more than 52 bits, which a double holds; and of some n some 60: few are negative. */
static void fill_i64(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    const bool wide = n > 64 && (n % 8 == 3 || n % 8 == 5);
    const int64_t most = ((int64_t)1 << (wide ? 62 : 52)) / (n > 0 ? (int64_t)n : 1),
                  largest = wide || most < (int64_t)1 << 35 ? most : (int64_t)1 << 35;
    int64_t *values = data;
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        values[i] = rng_between(&generator, 1, largest);
        if (rng_below(&generator, 8) < (wide ? 1 : 4))
            values[i] = -values[i];
    }
}

/* Tile numbers of every size: the first the largest that the contract allows, the second the first
   beyond 2^31 elements. */
static void fill_tiles(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    (void)buffer;
    rng_seed(&generator, seed);
    for (size_t k = 0; k < n; k++)
        ((int64_t *)data)[k] = rng_between(&generator, 0, (int64_t)1 << rng_below(&generator, 41));
    if (n > 0)
        ((int64_t *)data)[0] = (int64_t)1 << 40;
    if (n > 1)
        ((int64_t *)data)[1] = ((int64_t)1 << 31) / TILE;
}

/* ---- steps: the device functions one by one -------------------------------------------------- */

enum { INVALID, AGGREGATE, PREFIX };

static bool is_packed(size_t tile) { return tile % 2 == 0; }

static uint64_t word_of(unsigned epoch, unsigned status, uint32_t lower)
{
    return (uint64_t)(epoch << 2 | status) << 32 | lower;
}
static unsigned status_of(uint64_t word)
{
    return word >> 34 == LOOKBACK_STEP_EPOCH ? word >> 32 & 3 : INVALID;
}

/* A status for each tile, and then a value. */
static void fill_publish(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++)
        if (buffer == 0)
            ((int32_t *)data)[k] = (int32_t)rng_between(&generator, AGGREGATE, PREFIX);
        else
            ((uint64_t *)data)[k] = rng_next(&generator) | 1;
}

static void publish_reference(void *const *buffers, size_t n)
{
    const int32_t *status = buffers[0];
    const uint64_t *value = buffers[1];
    uint64_t *word = buffers[2], *aggregate = buffers[3], *prefix = buffers[4];

    for (size_t k = 0; k < n; k++) {
        const uint32_t lower = is_packed(k) ? (uint32_t)value[k] : 0;
        word[k] = word_of(LOOKBACK_STEP_EPOCH, (unsigned)status[k], lower);
        aggregate[k] = !is_packed(k) && status[k] == AGGREGATE ? value[k] : 0;
        prefix[k] = !is_packed(k) && status[k] == PREFIX ? value[k] : 0;
    }
}

static const char *publish_diagnose(const lab_mismatch *m)
{
    const uint64_t got = ((const uint64_t *)m->got)[m->index],
                   expected = ((const uint64_t *)m->expected)[m->index];
    const int32_t status = ((const int32_t *)m->inputs[0])[m->index];

    if (m->buffer->name[2] != 'w')
        return got == 0 ? "the value of a tile that is not packed was not stored: an A in "
                          "d.aggregate, a P in d.prefix"
                        : "a value was stored where none belongs: an A goes into d.aggregate, a P "
                          "into d.prefix, and a packed value only into the word";
    if (got == 0)
        return "the word of the tile was not written: publish ends with it";
    if (got >> 32 == expected >> 32)
        return is_packed(m->index)
                   ? "the status is right, and the value below it is not"
                   : "the word of a value that is not packed has 0 below its status";
    return status == PREFIX && status_of(got) == AGGREGATE
               ? "a P was published as an A: word_of takes the status that publish was given"
               : NULL;
}

/* Words of this launch and of others, with every status; then values. */
static void fill_inspect(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++) {
        const uint64_t value = rng_next(&generator) | 1;
        const unsigned epoch =
            rng_below(&generator, 4) == 0
                ? LOOKBACK_STEP_EPOCH - 1 + 2 * (unsigned)rng_below(&generator, 2)
                : LOOKBACK_STEP_EPOCH;
        const unsigned status = (unsigned)rng_below(&generator, PREFIX + 1);
        ((uint64_t *)data)[k] =
            buffer > 0 ? value : word_of(epoch, status, is_packed(k) ? (uint32_t)value : 0);
    }
}

static void inspect_reference(void *const *buffers, size_t n)
{
    const uint64_t *word = buffers[0], *aggregate = buffers[1], *prefix = buffers[2];
    int32_t *status = buffers[3];
    uint64_t *value = buffers[4];

    for (size_t k = 0; k < n; k++) {
        const unsigned seen = status_of(word[k]);
        status[k] = (int32_t)seen;
        value[k] = seen == INVALID  ? 0
                   : is_packed(k)   ? (uint32_t)word[k]
                   : seen == PREFIX ? prefix[k]
                                    : aggregate[k];
    }
}

static const char *inspect_diagnose(const lab_mismatch *m)
{
    const uint64_t word = ((const uint64_t *)m->inputs[0])[m->index];

    if (m->buffer->type == LAB_I32)
        return word >> 34 != LOOKBACK_STEP_EPOCH
                   ? "the word is of another launch, and counts as INVALID: status_of says so"
                   : "the status that inspect returned is not that of the tile's word";
    return is_packed(m->index)
               ? "the status is right, and the value is not: a packed one is the word's lower half"
               : "the status is right, and the value is not: of an A it stands in d.aggregate, of "
                 "a P in d.prefix";
}

static void fill_values(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++)
        ((uint64_t *)data)[k] = rng_next(&generator) | 1;
}

static void hand_over_reference(void *const *buffers, size_t n)
{
    const uint64_t *value = buffers[0];
    uint64_t *seen = buffers[1];
    int32_t *torn = buffers[2];

    for (size_t k = 0; k < n; k++) {
        seen[k] = k / 32 % 2 == 0 ? (uint32_t)(2 * value[k]) : 2 * value[k];
        torn[k] = 0;
    }
}

static const char *hand_over_diagnose(const lab_mismatch *m)
{
    return m->buffer->type == LAB_I32
               ? "a status A came with another value than the aggregate: both have to come out of "
                 "the same word, or A and P have to have places of their own"
               : "a status P came with another value than the prefix: they were stored apart, or "
                 "read apart";
}

/* Words and maps of tiles of which some published P, tile 0 among them: often none in 32. */
static void fill_window(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    enum { TILES_A_PREFIX = 30 };
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t k = 0; k < n; k++) {
        const bool prefix = k == 0 || rng_below(&generator, TILES_A_PREFIX) == 0;
        const uint32_t a = (uint32_t)rng_next(&generator), b = (uint32_t)rng_next(&generator);
        if (buffer == 0)
            ((uint64_t *)data)[k] = word_of(LOOKBACK_STEP_EPOCH, prefix ? PREFIX : AGGREGATE, 0);
        else
            ((uint64_t *)data)[k] = map(a | 1, b);
    }
}

static void window_reference(void *const *buffers, size_t n)
{
    const uint64_t *word = buffers[0], *aggregate = buffers[1], *prefix = buffers[2];
    uint64_t *before = buffers[3];
    int32_t *depth = buffers[4];

    for (size_t k = 0; k < n; k++) {
        size_t tile = k;
        before[k] = identity(LAB_AFFINE);
        for (; status_of(word[tile]) == AGGREGATE; tile--)
            before[k] = combine(LAB_AFFINE, aggregate[tile], before[k]);
        before[k] = combine(LAB_AFFINE, prefix[tile], before[k]);
        depth[k] = (int32_t)(k + 1 - tile);
    }
}

static bool maps_are_reordered(const lab_mismatch *m);

enum { WINDOW = 32 }; /* tiles that a warp looks at together */

/* Of a tile whose P is more than 32 tiles back: does it return what the last window came to? */
static bool is_last_window_alone(const lab_mismatch *m)
{
    const uint64_t *word = m->inputs[0], *aggregate = m->inputs[1], *prefix = m->inputs[2],
                   *got = m->got;
    const size_t k = m->index;
    size_t p = k, seen = 0;

    for (; status_of(word[p]) == AGGREGATE; p--)
        seen++;
    uint64_t sum = prefix[p];
    for (size_t t = p + 1; t <= k - seen / WINDOW * WINDOW; t++)
        sum = combine(LAB_AFFINE, sum, aggregate[t]);
    return seen >= WINDOW && got[k] == sum;
}

/* How many tiles, the nearest ones, what it returns for tile k consists of; 0: not of some that end
   before the nearest P. *all: there are no more of these. */
static size_t nearest_alone(const lab_mismatch *m, size_t k, bool *all)
{
    const uint64_t *word = m->inputs[0], *aggregate = m->inputs[1], *got = m->got;
    uint64_t sum = identity(LAB_AFFINE);

    for (size_t tile = k; status_of(word[tile]) == AGGREGATE; tile--) {
        sum = combine(LAB_AFFINE, aggregate[tile], sum);
        *all = status_of(word[tile - 1]) == PREFIX;
        if (got[k] == sum)
            return k + 1 - tile;
    }
    return 0;
}

/* In a few tiles either may be meant: then a larger case says. */
static const char *name_short(const lab_mismatch *m)
{
    static char text[240];
    const uint64_t *got = m->got, *expected = m->expected;
    bool all, alike = true, lacks_p = true;
    const size_t count = nearest_alone(m, m->index, &all);

    for (size_t k = 0; k < m->length; k++) {
        if (got[k] == expected[k])
            continue;
        const size_t seen = nearest_alone(m, k, &all);
        if (seen == 0)
            return NULL;
        alike = alike && seen == count;
        lacks_p = lacks_p && all;
    }
    if (lacks_p)
        return alike ? NULL
                     : "the P that ends the look-back is left out: take in what that tile's prefix "
                       "is, too";
    if (!alike)
        return "it ends too early: what lies further left is missing, up to the nearest P and with "
               "it. Only a P ends the look-back";
    snprintf(text, sizeof text,
             "it looks at too few tiles: what it returns comes of the nearest %zu, and those "
             "further left are missing, up to the nearest P and with it",
             count);
    return text;
}

static const char *window_diagnose(const lab_mismatch *m)
{
    const uint64_t *prefix = m->inputs[2], *got = m->got;
    const size_t k = m->index;

    if (m->buffer->type == LAB_I32)
        return "what it returns is right, and *depth is not: it counts tiles, from the tile that "
               "looks back to the one whose P it found; the neighbour's is 1";
    if (got[k] == identity(LAB_AFFINE))
        return "look_back returns nothing: the identity";
    if (maps_are_reordered(m))
        return "every a is right, and some b is not: the right maps were composed in the wrong "
               "order. Whatever lies further left in the array is the left operand";
    if (k >= 1 && status_of(((const uint64_t *)m->inputs[0])[k]) == AGGREGATE &&
        got[k] == prefix[k])
        return "only the neighbour was looked at: it published A, so look further, up to the "
               "nearest P, and take that in as well";
    if (is_last_window_alone(m))
        return "what the nearer windows of 32 tiles came to is lost: each window is put before "
               "what was gathered, which is combined with it";
    return name_short(m);
}

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, LOOKBACK_THREADS)

/* Besides the elements, for each tile: bytes that it publishes, sectors that it touches. How often
   a tile polls, and how much of a descriptor that reads, is left to whoever writes it. */
enum { PUBLISHED = 1 << 10, ASIDE = 1 << 13 };

static double bytes_4(size_t n) { return 2 * 4 * (double)n + PUBLISHED * (double)tiles(n); }
static double bytes_8(size_t n) { return 2 * 8 * (double)n + PUBLISHED * (double)tiles(n); }
static double eight_bytes_each(size_t n) { return 8 * (double)n; }
/* persistent blocks take one ticket more, which tells them to stop, and may count their end */
static double tickets(size_t n) { return 3 * (double)tiles(n) + 128; }
static double barriers(size_t n) { return 5 * (double)tiles(n) + 64; }
static double sectors_aside(size_t n) { return ASIDE / 32 * (double)tiles(n); }
static double one_a_tile(size_t n) { return (double)tiles(n); }
static double half_the_tiles(size_t n) { return 0.5 * (double)tiles(n); }
#define LAUNCHES                                                                                   \
    LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: a single pass",                                \
        "One kernel does it all: a tile learns what lies before it from descriptors, not from a "  \
        "launch before."
#define BLOCKS_AT_MOST                                                                             \
    LAB_BLOCKS, LAB_AT_MOST, one_a_tile, "blocks", "1 a tile",                                     \
        "Launch a block for each tile, or fewer persistent ones: more have nothing to do."
#define BYTES(limit, formula)                                                                      \
    LAB_MOVED_BUT_LOOKS, LAB_AT_MOST, limit, "bytes moved", formula,                               \
        "Keep the tile in registers between its aggregate and its store, and poll no descriptor "  \
        "that has already been seen as A or P."
#define ATOMICS                                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, tickets, "atomics",                                                  \
        "3 tiles + 128: a ticket, A and P of each tile, 128 for persistent blocks",                \
        "One thread takes the ticket and hands it to its block; descriptors have one writer "      \
        "each, which needs no atomic."
#define BARRIERS                                                                                   \
    LAB_BARRIERS, LAB_AT_MOST, barriers, "barriers",                                               \
        "5 tiles + 64: ticket, totals of the warps, what lies before the tile, and spare",         \
        "One warp looks back while the others wait at a single barrier; inside that warp votes "   \
        "and shuffles keep order."
#define SECTORS                                                                                    \
    LAB_SECTOR_EXCESS, LAB_AT_MOST, sectors_aside, "extra sectors",                                \
        "256 a tile, for descriptors of any layout",                                               \
        "Neighbouring lanes load neighbouring elements and look at neighbouring descriptors."
#define CHAIN                                                                                      \
    LAB_CROWD_CHAIN, LAB_AT_MOST, half_the_tiles, "tiles in one chain",                            \
        "0.5 of the tiles, with 64 blocks resident: a tile that looks back waits for "             \
        "aggregates, and those wait for nobody",                                                   \
        "Tile waits for tile, as in lab 07's chain: a tile publishes its aggregate before it "     \
        "looks at any other, and takes A where there is no P yet."
#define LISTENS                                                                                    \
    LAB_CROWD_CHAIN, LAB_AT_LEAST, one, "blocks learned from",                                     \
        "1: a tile learns from another block what lies before it",                                 \
        "No block reads what another one has published: give each tile to a block, and look back."
/* ---- diagnosis: what was put before each tile? ----------------------------------------------- */

/* A wrong output, tile by tile. All values as bits. */
typedef struct tile_view {
    lab_type type;
    size_t count;
    uint64_t *aggregate;
    uint64_t *before; /* what the output says was put before the tile's elements */
    /* what the tile then published as its inclusive prefix, right or not */
    uint64_t *prefix;
} tile_view;

/* Is every element of the tile its scan within the tile with one and the same value before it? Sets
   what belongs to the tile. */
static bool solve_tile(const lab_mismatch *m, tile_view *v, size_t tile)
{
    const size_t first = tile * TILE, end = first + TILE < m->n ? first + TILE : m->n;
    uint64_t sum = identity(v->type), before = 0;

    for (size_t i = first; i < end; i++) {
        sum = combine(v->type, sum, element(v->type, m->inputs[0], i));
        uint64_t got = element(v->type, m->got, i);
        if (i == first)
            before = part_before(v->type, got, sum);
        else if (combine(v->type, before, sum) != got)
            return false;
    }
    v->aggregate[tile] = sum;
    v->before[tile] = before;
    v->prefix[tile] = combine(v->type, before, sum);
    return true;
}

/* Did look-back do as it should, on what the tiles before had published? */
static bool is_sound(const tile_view *v, size_t tile)
{
    uint64_t near = identity(v->type);

    for (size_t t = tile; t > 0; t--) {
        if (v->before[tile] == combine(v->type, v->prefix[t - 1], near))
            return true;
        near = combine(v->type, v->aggregate[t - 1], near);
    }
    return tile == 0 && v->before[0] == identity(v->type);
}

static bool is_nothing(const tile_view *v, size_t tile)
{
    return tile == 0 || v->before[tile] == identity(v->type);
}
static bool is_aggregate(const tile_view *v, size_t tile)
{
    return tile > 0 && v->before[tile] == v->aggregate[tile - 1];
}

/* The aggregates of some tiles next to it, or of none, and nothing further left. */
static bool is_cut_short(const tile_view *v, size_t tile)
{
    uint64_t sum = identity(v->type);

    for (size_t t = tile; t > 0 && v->before[tile] != sum; t--)
        sum = combine(v->type, v->aggregate[t - 1], sum);
    return v->before[tile] == sum;
}

/* Aggregates back to a P, and before that one P more, or several side by side. */
static bool is_beyond_prefix(const tile_view *v, size_t tile)
{
    uint64_t near = identity(v->type);

    for (size_t t = tile; t > 1; t--) {
        uint64_t sum = combine(v->type, v->prefix[t - 1], near);
        for (size_t further = t - 1; further > 0; further--) {
            sum = combine(v->type, v->prefix[further - 1], sum);
            if (v->before[tile] == sum)
                return true;
        }
        near = combine(v->type, v->aggregate[t - 1], near);
    }
    return false;
}

/* Is every tile so whose look-back was not sound? */
static bool faulty_tiles_are(const tile_view *v, bool (*so)(const tile_view *, size_t))
{
    for (size_t t = 0; t < v->count; t++)
        if (!is_sound(v, t) && !so(v, t))
            return false;
    return true;
}

static bool all_tiles_are(const tile_view *v, bool (*so)(const tile_view *, size_t))
{
    for (size_t t = 0; t < v->count; t++)
        if (!so(v, t))
            return false;
    return true;
}

static const char *name_carry(const tile_view *v)
{
    if (all_tiles_are(v, is_sound))
        return NULL;
    if (all_tiles_are(v, is_nothing))
        return "nothing is put before the elements of any tile: the last combination is missing, "
               "or look-back returns nothing; or a PREFIX is published that lacks the tile's own "
               "aggregate";
    if (faulty_tiles_are(v, is_aggregate))
        return "what is put before a tile is the aggregate of its neighbour alone: an A was taken "
               "for a P, or the P that ended the look-back was left out";
    if (faulty_tiles_are(v, is_cut_short))
        return "look-back stops early: it combined aggregates of tiles before, but the P that "
               "ended the look-back was left out, or it never got as far";
    if (faulty_tiles_are(v, is_beyond_prefix))
        return "what lies left of the nearest P is counted again: look-back goes on beyond it (in "
               "the ballot the nearest tile is the lowest bit), or a P's value is taken for an "
               "A's: "
               "status and value have to come from one load";
    return "within each tile the values fit together, but look-back returned something else than "
           "the tiles before come to: it combined the wrong ones, or took a status and a "
           "value that do not belong together";
}

/* Maps: are all factors a right, whose product does not depend on the order? */
static bool maps_are_reordered(const lab_mismatch *m)
{
    for (size_t i = 0; i < m->n; i++)
        if ((uint32_t)element(LAB_AFFINE, m->got, i) !=
            (uint32_t)element(LAB_AFFINE, m->expected, i))
            return false;
    return true;
}

static const char *diagnose_tiles(const lab_mismatch *m, tile_view *v)
{
    for (size_t t = 0; t < v->count; t++)
        if (!solve_tile(m, v, t))
            return NULL;
    return name_carry(v);
}

/* Are long longs wrong in their low digits alone, as doubles would have them? */
static bool is_rounded(const lab_mismatch *m)
{
    const int64_t *got = m->got, *expected = m->expected;

    for (size_t i = 0; i < m->n; i++) {
        const int64_t off = (int64_t)((uint64_t)got[i] - (uint64_t)expected[i]);
        if (off > 1 << 24 || off < -(1 << 24))
            return false;
    }
    return true;
}

/* Does each warp of tile 0 scan its elements as if it were the first one? */
static bool is_warp_alone(const lab_mismatch *m)
{
    const size_t share = TILE / (LOOKBACK_THREADS / 32), end = m->n < TILE ? m->n : TILE;
    const lab_type type = m->buffer->type;
    uint64_t sum = identity(type);

    for (size_t i = 0; i < end; i++) {
        sum = combine(type, i % share == 0 ? identity(type) : sum, element(type, m->inputs[0], i));
        if (element(type, m->got, i) != sum)
            return false;
    }
    return end > share;
}

static const char *diagnose(const lab_mismatch *m)
{
    tile_view v = { .type = m->buffer->type, .count = tiles(m->n) };
    const char *cause = NULL;

    if (v.type == LAB_I64 && is_rounded(m))
        return "the sums are right but for their low digits: a double has 53 bits, and they are "
               "long longs. Add them as such";
    if (v.type == LAB_AFFINE && maps_are_reordered(m))
        return "every a is right, and some b is not: the right maps were composed in the wrong "
               "order. Whatever lies further left in the array is the left operand, wherever two "
               "are combined";
    if (is_warp_alone(m))
        return "every warp scans as if it were the tile's first: what the warps before it in the "
               "tile come to is not put before its elements";
    v.aggregate = calloc(3 * v.count + 1, sizeof *v.aggregate);
    if (v.aggregate && m->n > TILE) {
        v.before = v.aggregate + v.count;
        v.prefix = v.before + v.count;
        cause = diagnose_tiles(m, &v);
    }
    free(v.aggregate);
    return cause;
}

/* How far back tiles looked: what d_depth cannot be. */
static const char *depth_fault(lab_noted *d)
{
    /* each tile waited for the one that it names, which had waited in its turn */
    enum { MANY = 16 };
    const char *fault = NULL;

    if (d->launches > 1)
        return NULL; /* this is no look-back at all, as the gates will say */
    uint64_t *chain = calloc(d->length + 1, sizeof *chain);

    for (size_t t = 0; t < d->length && chain && !fault; t++) {
        const int32_t depth = d->value[t];
        d->index = t;
        if (depth == d->unwritten)
            fault = "each tile notes how many tiles back the prefix was that ended its look-back";
        else if (t == 0 && depth != 0)
            fault = "tile 0 has no tile before it and does not look back: its depth is 0";
        else if (t > 0 && depth == 0)
            fault = "only tile 0 looks back over no tile: if the prefix was that of the tile "
                    "before, the depth is 1";
        else if (depth < 0 || (size_t)depth > t)
            fault = "there is no tile that far back: the depth is the tile's number less that of "
                    "the tile whose prefix ended the look-back";
        else if (d->resident && !d->late && (unsigned)depth > d->resident)
            fault = "no look-back goes further than blocks are resident, since tiles whose blocks "
                    "have ended have left a prefix: count from the tile itself to the nearest "
                    "prefix, and stop there";
        else if (d->chain_exact && lab_not_observed(d, t))
            fault =
                "the run was different: this tile never saw a prefix at the tile that d_depth "
                "names. Note how far back the prefix was that ended the look-back, counted over "
                "all windows";
        else
            chain[t] = t == 0 ? 0 : chain[t - (size_t)depth] + 1;
        /* blocks that stay do not wait for themselves: with many resident, those are few */
        const bool known = d->chain_known && d->chain > 0 && d->resident >= MANY;
        if (!fault &&
            ((d->chain_exact && chain[t] > d->chain) || (known && chain[t] > 2 * d->chain + MANY)))
            fault = "the run was different: if all tiles had found their prefix where d_depth "
                    "says, more blocks would have waited for each other than did. Note how far "
                    "back the prefix was that ended the look-back";
    }
    free(chain);
    return fault;
}

static const char *tile_offsets_diagnose(const lab_mismatch *m)
{
    const int64_t *tile = m->inputs[0], *got = m->got;

    for (size_t k = 0; k < m->n; k++)
        if ((uint32_t)got[k] != (uint32_t)(tile[k] * TILE) ||
            (got[k] != (int32_t)got[k] && got[k] != (uint32_t)got[k]))
            return NULL;
    return "the index is computed in 32 bits and wraps around: one of the factors has to be a long "
           "long before they are multiplied, and the result has to stay one";
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints offsets_hints = {
    "Tile 2^40 begins at an element whose index has 54 bits. In how many bits is a product of two "
    "ints computed, and of a long long and an int?",
    "The product is as wide as its widest factor. So the tile's number has to be a long long "
    "before it is multiplied, and the result has to stay one.",
    "The tile's number, which is a long long, times ___.",
};
static const lab_hints publish_hints = {
    "Another block sees the status change, and takes the value at once. What if status and value "
    "came to memory by two stores, in the other order?",
    "A packed value shares its word with the status: one store, through a volatile pointer, and "
    "they cannot come apart. Any other value is stored first, in the place for A or the place for "
    "P, then comes a fence, then the word with the status alone.",
    "if the value is packed:\n"
    "    the word of the tile, as volatile = word_of the status and ___; done\n"
    "store the value in d.aggregate or d.prefix, as the status says\n"
    "___\n"
    "the word of the tile, as volatile = word_of the status and ___",
};
static const lab_hints inspect_hints = {
    "You read the word once. What may have changed if you read it a second time, for the value?",
    "Read the word once, as volatile, into a register, and take both status and packed value from "
    "it. Any other value is read from its place only if the status is not INVALID, and after a "
    "fence, so that it is not read ahead of the status.",
    "word = the tile's word, read as volatile\n"
    "seen = the status of ___\n"
    "if the value is packed: it is the lower half of ___\n"
    "else, if seen is not INVALID:\n"
    "    ___\n"
    "    the value stands in d.prefix or d.aggregate, as ___ says\n"
    "seen is what comes back",
};
static const lab_hints window_hints = {
    "Tile 7 has found A at tiles 6, 5 and 4, and P at tile 3. Which of the values does it "
    "combine, and in which order? Which tiles does it never need to look at? And what if tile 5 "
    "still says X?",
    "Lane l of the warp inspects tile nearest - l until it is no longer X. In a ballot of the P's "
    "the nearest tile has the lowest bit, and __ffs finds it; lanes beyond it have nothing to "
    "add. Lane 0 gathers the rest with shuffles from the right over rising distances, with the "
    "value of the farther lane as the left operand. No P: move on by 32.",
    "window after window, nearest = tile - 1 at first:\n"
    "    my tile is nearest - lane; below 0 my status is ___, my value the identity\n"
    "    while any lane of the warp has INVALID: the lanes that have it inspect again\n"
    "    last = the lowest lane that saw PREFIX, or ___ if none did\n"
    "    for distances 1, 2, 4, 8, 16:\n"
    "        farther = the value of the lane ___ to the right: all lanes meet this\n"
    "        if lane + distance is at most ___: v = combine(op, ___, ___)\n"
    "    before = combine(op, lane 0's v, ___)\n"
    "    with a PREFIX: *depth counts tiles from `tile` back to that one; return\n"
    "    else nearest moves by ___",
};
static const lab_hints order_hints = {
    "A block has its aggregate. Who waits for that, and who for its prefix? Blocks may start in "
    "any order: which tile may a block take, so that all tiles before its own are running?",
    "The ticket: thread 0 takes the next number by atomicInc, whose limit brings the counter back "
    "to 0 with the last block. The aggregate is published before the look-back, because the tiles "
    "after it wait for it. Tile 0 has nothing before it and publishes its prefix at once. What "
    "lies "
    "before the tile comes before what lies before the warp in it.",
    "TODO 5: thread 0: s_tile = atomicInc of the ticket, with the limit ___\n"
    "TODO 6, in the first warp:\n"
    "    if this is not tile 0:\n"
    "        one lane publishes ___\n"
    "        the whole warp looks back: before = ___\n"
    "    one lane publishes PREFIX: what lies before, combined with ___\n"
    "TODO 7: what store_items puts before the items is ___ combined with ___, in this order",
};

/* ---- the lab --------------------------------------------------------------------------------- */

#define SCAN_BUFFERS(element)                                                                      \
    LAB_ENTRIES({ .name = "d_in", .type = element },                                               \
                { .name = "d_out", .type = element, .role = LAB_OUT, .owner = LAB_BY_GRID },       \
                { .name = "d_depth",                                                               \
                  .type = LAB_I32,                                                                 \
                  .role = LAB_NOTE,                                                                \
                  .length = tiles,                                                                 \
                  .note = "tiles looked back" })

static const lab_buffers far_buffers = {
    { .name = "d_in", .type = LAB_I32 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers i32_buffers = { SCAN_BUFFERS(LAB_I32) };
static const lab_buffers f32_buffers = { SCAN_BUFFERS(LAB_F32) };
static const lab_buffers i64_buffers = { SCAN_BUFFERS(LAB_I64) };
static const lab_buffers affine_buffers = { SCAN_BUFFERS(LAB_AFFINE) };
static const lab_buffers publish_buffers = {
    { .name = "d_status", .type = LAB_I32 },
    { .name = "d_value", .type = LAB_I64 },
    { .name = "d_word", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_aggregate", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_prefix", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers inspect_buffers = {
    { .name = "d_word", .type = LAB_I64 },
    { .name = "d_aggregate", .type = LAB_I64 },
    { .name = "d_prefix", .type = LAB_I64 },
    { .name = "d_status", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_value", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers hand_over_buffers = {
    { .name = "d_value", .type = LAB_I64 },
    { .name = "d_seen", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_torn", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers window_buffers = {
    { .name = "d_word", .type = LAB_I64 },
    { .name = "d_aggregate", .type = LAB_AFFINE },
    { .name = "d_prefix", .type = LAB_AFFINE },
    { .name = "d_before", .type = LAB_AFFINE, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_depth", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers offsets_buffers = {
    { .name = "d_tile", .type = LAB_I64 },
    { .name = "d_first", .type = LAB_I64, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

#define EACH_ADDED                                                                                 \
    DATA_ADDED(all_but_one, "n - 1: each element but the first is combined with something")

#define GATES(bytes, bytes_formula, stored, stored_formula)                                        \
    LAB_ENTRIES({ LAUNCHES }, { NO_WAITING }, { NO_FIXED_ROOM }, { NO_FILLS },                     \
                { BYTES(bytes, bytes_formula) }, { STORED(stored, stored_formula) }, { ATOMICS },  \
                { BARRIERS }, { SECTORS }, { CHAIN }, { NOT_STALLED("64") }, { LISTENS },          \
                { SHARED_OUT("64") }, THREADS_PER_BLOCK(block_threads, "128"), { BLOCKS_AT_MOST })

#define GATES_8                                                                                    \
    GATES(bytes_8, "16n + 1024 tiles: each element read once and written once, and descriptors",   \
          eight_bytes_each, "8n: the output")

static const lab_gates gates_4 = {
    { EACH_ADDED },
    GATES(bytes_4, "8n + 1024 tiles: each element read once and written once, and descriptors",
          four_bytes_each, "4n: the output"),
};
static const lab_gates gates_8 = { { EACH_ADDED }, GATES_8 };
/* the trace of additions loses the sums of packed maps */
static const lab_gates affine_gates = { GATES_8 };

enum { LARGE = 64 * TILE + 77 }; /* 65 tiles */

/* The last of them gives the counts in the report: of 8-byte types LARGE, which is run anyway. */
static const lab_sizes sizes_4 = { 5 * TILE + 77, (size_t)1 << 20 },
                       sizes_8 = { 5 * TILE + 77, LARGE };

enum {
    ALL_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4) | LAB_TODO(5) | LAB_TODO(6) |
                LAB_TODO(7),
    STEP_TILES = 300
};

static const lab_parts parts = {
    {
        .entry = "lookback_tile_offsets",
        .title = "index of a tile's first element, far beyond 2^31",
        .points = 5,
        .buffers = offsets_buffers,
        .reference = tile_offsets_reference,
        .fill = fill_tiles,
        .diagnose = tile_offsets_diagnose,
        .max_n = 1000,
        .wide_n = true,
        .todos = LAB_TODO(1),
        .hints = offsets_hints,
    },
    {
        .entry = "lookback_publish",
        .title = "publish: a tile's status and value",
        .points = 5,
        .buffers = publish_buffers,
        .reference = publish_reference,
        .fill = fill_publish,
        .diagnose = publish_diagnose,
        .max_n = STEP_TILES,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(2),
        .hints = publish_hints,
    },
    {
        .entry = "lookback_inspect",
        .title = "inspect: what a tile has published",
        .points = 5,
        .buffers = inspect_buffers,
        .reference = inspect_reference,
        .fill = fill_inspect,
        .diagnose = inspect_diagnose,
        .max_n = STEP_TILES,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(3),
        .hints = inspect_hints,
    },
    {
        .entry = "lookback_hand_over",
        .title = "publish and inspect at the same time, by two warps",
        .points = 5,
        .buffers = hand_over_buffers,
        .reference = hand_over_reference,
        .fill = fill_values,
        .diagnose = hand_over_diagnose,
        .max_n = STEP_TILES,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(2) | LAB_TODO(3),
        .hints = inspect_hints,
    },
    {
        .entry = "lookback_window",
        .title = "look_back: windows of 32 tiles, in the array's order",
        .points = 10,
        .buffers = window_buffers,
        .reference = window_reference,
        .fill = fill_window,
        .diagnose = window_diagnose,
        .max_n = STEP_TILES,
        .wide_n = true,
        .step = true,
        .todos = LAB_TODO(3) | LAB_TODO(4),
        .hints = window_hints,
    },
    {
        .entry = "lookback_i32",
        .title = "inclusive sum of int, packed descriptors",
        .points = 20,
        .buffers = i32_buffers,
        .reference = scan_i32_reference,
        .fill = fill_i32,
        .gates = gates_4,
        .gate_sizes = sizes_4,
        .diagnose = diagnose,
        .check_notes = depth_fault,
        .cancels = TILE,
        .wide_n = true,
        .todos = ALL_TODOS,
        .hints = order_hints,
    },
    {
        .entry = "lookback_f32",
        .title = "inclusive sum of float, packed descriptors",
        .points = 10,
        .buffers = f32_buffers,
        .reference = scan_f32_reference,
        .fill = lab_fill_exact,
        .gates = gates_4,
        .gate_sizes = sizes_4,
        .diagnose = diagnose,
        .check_notes = depth_fault,
        .cancels = TILE,
        .wide_n = true,
        .drawn = true,
        .todos = ALL_TODOS,
        .hints = order_hints,
    },
    {
        .entry = "lookback_i64",
        .title = "inclusive sum of long long",
        .points = 20,
        .buffers = i64_buffers,
        .reference = scan_i64_reference,
        .fill = fill_i64,
        .gates = gates_8,
        .gate_sizes = sizes_8,
        .diagnose = diagnose,
        .check_notes = depth_fault,
        .cancels = TILE,
        .wide_n = true,
        .todos = ALL_TODOS,
        .hints = order_hints,
    },
    {
        .entry = "lookback_affine",
        .title = "composition of maps x -> a x + b, which does not commute",
        .points = 15,
        .buffers = affine_buffers,
        .reference = affine_reference,
        .gates = affine_gates,
        .gate_sizes = sizes_8,
        .diagnose = diagnose,
        .check_notes = depth_fault,
        .cancels = 2 * TILE, /* maps of single tiles stay, so that their order shows */
        .wide_n = true,
        .todos = ALL_TODOS,
        .hints = order_hints,
    },
    {
        .entry = "lookback_far",
        .title = "tiles beyond 2^32 elements, of int",
        .points = 5,
        .buffers = far_buffers,
        .reference = scan_i32_reference,
        .fill = fill_i32,
        .max_n = 3 * TILE,
        .wide_n = true,
        .step = true,
        .todos = ALL_TODOS,
        .hints = offsets_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Decoupled look-back",
    .learned =
        "A tile that publishes its aggregate at once lets others look back past it. So a scan "
        "moves 2n, whatever the associative operator, and nobody waits for another tile's "
        "look-back.",
    .file = "decoupled_lookback.cu",
    .tile = TILE,
    .threads = LOOKBACK_THREADS,
    .per_thread = TILE / LOOKBACK_THREADS,
    .blocks_wait = true,
    .large_n = LARGE,
    .crowd = 64, /* so that look-back has to go beyond a window of 32 tiles */
    .far_n = (LAB_FAR_BLOCKS + 1) * (size_t)TILE + 77,
    .taught = { "bytes moved", "tiles in one chain" },
    .parts = parts,
};
