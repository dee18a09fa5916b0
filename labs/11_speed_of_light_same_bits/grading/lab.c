/*
 * Declaration of a bonus of lab 11: parts, reference, gates and hints. See common/lab/lab.h for
 * what each field means.
 *
 * The theory behind the gates, for tiles of 32 KiB, arrays of s-byte elements, R blocks:
 *     launches      1, without a kernel that clears words
 *     bytes         s n read and s n written. To that come, for a tile: its ticket, its word of 8
 *                   bytes (16 for doubles), and as many for each of the words looked at, up to 255
 *                   and the group's where nothing is remembered: 5 % of a tile's 64 KiB are 3277
 *                   bytes. Small arrays publish each unit of 1 KiB, and each block looks at all of
 *                   them before its own
 *     additions     at least n - 1, of doubles as of floats
 *     atomics       a ticket for every tile; and for every block a ticket that tells it to stop,
 *                   and the end of its epoch, twice: R is at most 256 here
 *     barriers      4 a block, however many tiles it scans: small arrays have up to four
 *     instructions  1.5 times the reference solution's; where blocks mostly wait, 3
 *
 * The reference is the contract's tree, level by level.
 */
#include <math.h>
#include <string.h>

#include "lab.h"
#include "rng.h"
#include "speed_of_light_same_bits.h"
#include "usual_gates.h"

enum {
    LANES = 32,
    UNITS = 32, /* of a tile */
    COLUMNS = 32,
    GROUP = SAME_BITS_GROUP,
    TILE = SAME_BITS_TILE_BYTES / 4,
    WIDE_TILE = SAME_BITS_TILE_BYTES / 8,
    MOST_BLOCKS = 256
};

/* ---- inputs ---------------------------------------------------------------------------------- */

/* Of either sign, with all bits of a mantissa, over 24 powers of two. One in 64 is special: -0, 0,
   or a subnormal number. Where n % 5 is 3, the last quarter has an infinity, and from the last
   eighth on both: NaN follows. */
#define FILL(name, type, bits, smallest)                                                           \
    static void name(void *data, unsigned buffer, size_t n, uint64_t seed)                         \
    {                                                                                              \
        static const type special[] = { (type)-0.0, 0, smallest, -3 * smallest };                  \
        type *x = data;                                                                            \
        rng generator;                                                                             \
                                                                                                   \
        rng_seed(&generator, seed + buffer);                                                       \
        for (size_t i = 0; i < n; i++) {                                                           \
            const uint64_t drawn = rng_next(&generator);                                           \
            const type value =                                                                     \
                (type)ldexp((double)(drawn >> (64 - bits) | 1u), (int)(drawn % 24) - 12 - bits);   \
            x[i] = drawn >> 5 & 1 ? value : -value;                                                \
            if (rng_below(&generator, 64) == 0)                                                    \
                x[i] = special[rng_below(&generator, 4)];                                          \
        }                                                                                          \
        if (n % 5 == 3 && n > LANES) {                                                             \
            x[n - n / 4] = (type)INFINITY;                                                         \
            x[n - n / 8] = (type)-INFINITY;                                                        \
        }                                                                                          \
    }

FILL(fill_f32, float, 24, 0x1p-149f)
FILL(fill_f64, double, 52, 0x1p-1074)

/* ---- the tree -------------------------------------------------------------------------------- */

/* Both types, from one text. What lies beyond n counts as 0: no output depends on it. */
#define TREE(type, L)                                                                              \
    /* B: v[0] of the butterfly. */                                                                \
    static type butterfly_##type(const type *values)                                               \
    {                                                                                              \
        type v[LANES], next[LANES];                                                                \
                                                                                                   \
        memcpy(v, values, sizeof v);                                                               \
        for (int d = LANES / 2; d > 0; d /= 2) {                                                   \
            for (int i = 0; i < LANES; i++)                                                        \
                next[i] = v[i] + v[i ^ d];                                                         \
            memcpy(v, next, sizeof v);                                                             \
        }                                                                                          \
        return v[0];                                                                               \
    }                                                                                              \
    /* The five steps. */                                                                          \
    static void steps_##type(type *v)                                                              \
    {                                                                                              \
        for (int d = 1; d < LANES; d *= 2)                                                         \
            for (int i = LANES - 1; i >= d; i--)                                                   \
                v[i] = v[i - d] + v[i];                                                            \
    }                                                                                              \
    static type element_##type(const type *in, size_t i, size_t n) { return i < n ? in[i] : 0; }   \
    /* S of each lane of a row. */                                                                 \
    static void lanes_##type(const type *in, size_t row, size_t n, type *sum)                      \
    {                                                                                              \
        for (size_t lane = 0; lane < LANES; lane++) {                                              \
            const size_t first = (row * LANES + lane) * L;                                         \
            sum[lane] = element_##type(in, first, n);                                              \
            for (size_t k = 1; k < L; k++)                                                         \
                sum[lane] += element_##type(in, first + k, n);                                     \
        }                                                                                          \
    }                                                                                              \
    /* U of a tile's units, and T. */                                                              \
    static type units_##type(const type *in, size_t tile, size_t n, type *unit)                    \
    {                                                                                              \
        for (size_t u = 0; u < UNITS; u++) {                                                       \
            const size_t row = 2 * (tile * UNITS + u);                                             \
            type one[LANES], other[LANES];                                                         \
                                                                                                   \
            lanes_##type(in, row, n, one);                                                         \
            lanes_##type(in, row + 1, n, other);                                                   \
            for (int i = 0; i < LANES; i++)                                                        \
                one[i] += other[i];                                                                \
            unit[u] = butterfly_##type(one);                                                       \
        }                                                                                          \
        return butterfly_##type(unit);                                                             \
    }                                                                                              \
    /* F of the tile after `tiles` ones of its group. */                                           \
    static type group_##type(const type *total, size_t tiles)                                      \
    {                                                                                              \
        type column[COLUMNS];                                                                      \
                                                                                                   \
        for (size_t i = 0; i < COLUMNS; i++) {                                                     \
            column[i] = i < tiles ? total[i] : 0;                                                  \
            for (size_t t = COLUMNS + i; t < GROUP; t += COLUMNS)                                  \
                column[i] += t < tiles ? total[t] : 0;                                             \
        }                                                                                          \
        return butterfly_##type(column);                                                           \
    }                                                                                              \
    /* The outputs of a row, before which lies `before`. Returns what lies before the next. */     \
    static type row_##type(const type *in, type *out, size_t row, size_t n, type before)           \
    {                                                                                              \
        type sum[LANES];                                                                           \
                                                                                                   \
        lanes_##type(in, row, n, sum);                                                             \
        steps_##type(sum);                                                                         \
        for (size_t lane = 0; lane < LANES; lane++) {                                              \
            const type left = lane > 0 ? before + sum[lane - 1] : before;                          \
            type own = 0;                                                                          \
                                                                                                   \
            for (size_t k = 0; k < L; k++) {                                                       \
                const size_t i = (row * LANES + lane) * L + k;                                     \
                if (i >= n)                                                                        \
                    break;                                                                         \
                own = k == 0 ? in[i] : own + in[i];                                                \
                out[i] = left + own;                                                               \
            }                                                                                      \
        }                                                                                          \
        return before + sum[LANES - 1];                                                            \
    }                                                                                              \
    static void scan_##type##_reference(void *const *buffers, size_t n)                            \
    {                                                                                              \
        const type *in = buffers[0];                                                               \
        type *out = buffers[1], total[GROUP], anchor = 0;                                          \
                                                                                                   \
        for (size_t tile = 0; tile * UNITS * 2 * LANES * L < n; tile++) {                          \
            const size_t at = tile % GROUP;                                                        \
            const type before = anchor + group_##type(total, at);                                  \
            type unit[UNITS];                                                                      \
                                                                                                   \
            total[at] = units_##type(in, tile, n, unit);                                           \
            steps_##type(unit);                                                                    \
            for (size_t u = 0; u < UNITS; u++) {                                                   \
                const size_t row = 2 * (tile * UNITS + u);                                         \
                const type next = row_##type(in, out, row, n, before + (u > 0 ? unit[u - 1] : 0)); \
                row_##type(in, out, row + 1, n, next);                                             \
            }                                                                                      \
            if (at == GROUP - 1)                                                                   \
                anchor = before + total[at];                                                       \
        }                                                                                          \
    }

TREE(float, 4)
TREE(double, 2)

/* ---- diagnosis ------------------------------------------------------------------------------- */

static double number(const lab_buffer *buffer, const void *data, size_t i)
{
    return buffer->type == LAB_F64 ? ((const double *)data)[i] : ((const float *)data)[i];
}

/* Is it the right sum, but for its rounding? */
static bool is_close(const lab_mismatch *m)
{
    const size_t first = m->index < 512 ? 0 : m->index - 512;
    const double expected = number(m->buffer, m->expected, m->index),
                 got = number(m->buffer, m->got, m->index);
    double most = 1;

    /* sums cancel: an error is small beside what they were on the way */
    for (size_t i = first; i <= m->index; i++)
        most = fmax(most, fabs(number(m->buffer, m->expected, i)));
    return fabs(got - expected) <= ldexp(most, -12);
}

static const char *diagnose(const lab_mismatch *m)
{
    const size_t tile = m->buffer->type == LAB_F64 ? WIDE_TILE : TILE, at = m->index % tile;

    if (!is_close(m))
        return NULL;
    if (m->index >= GROUP * tile && m->index % (GROUP * tile) < tile)
        return "right but for its last bits, from the first tile of a group on: A of the next "
               "group is (A + F) + T of the group's last tile, in this order";
    if (m->index >= tile && at < tile / UNITS)
        return "right but for its last bits, from a tile's first unit on: what lies before the "
               "tile is A + F, and F adds up columns of 32 tiles, counted from the group's first "
               "tile, and then the columns by a butterfly. A sum of whatever has come so far "
               "rounds in another way each time";
    if (at >= tile / UNITS && at % (tile / UNITS) < 4)
        return "right but for its last bits, from a unit on: what lies before it is (A + F) + the "
               "units before it in its tile, added up by the five steps of scan_warp";
    return "right but for its last bits: its additions are grouped in another way than the "
           "contract's tree has them";
}

/* ---- limits and gates ------------------------------------------------------------------------ */

static double tiles(size_t n) { return (double)((n + TILE - 1) / TILE); }
static double wide_tiles(size_t n) { return (double)((n + WIDE_TILE - 1) / WIDE_TILE); }
static double bytes_4(size_t n) { return 8 * (double)n + 0.05 * 8 * TILE * tiles(n) + 4096; }
static double bytes_8(size_t n)
{
    return 16 * (double)n + 0.05 * 16 * WIDE_TILE * wide_tiles(n) + 8192;
}
static double tickets(size_t n) { return 3 * tiles(n) + 3 * MOST_BLOCKS; }
static double wide_tickets(size_t n) { return 3 * wide_tiles(n) + 3 * MOST_BLOCKS; }
static double and_a_half(size_t n) { return n < 16 * (size_t)TILE ? 3 : 1.5; }
LIMIT(four, 4)

#define ALL_GATES(bytes, words, tickets)                                                           \
    LAB_ENTRIES(                                                                                   \
        { LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: a single pass, and none to clear words", \
          "Stamp the words with an epoch that every launch raises: what an earlier launch left "   \
          "then counts as not written." },                                                         \
        { NO_WAITING }, { NO_FIXED_ROOM }, { NO_FILLS },                                           \
        { LAB_MOVED_BUT_LOOKS, LAB_AT_MOST, bytes, "bytes moved", words,                           \
          "Keep the tile on the chip between its sum and its store." },                            \
        { LAB_ATOMICS, LAB_AT_MOST, tickets, "atomics",                                            \
          "3 tiles + 3 blocks: tickets, words, and the end of each block",                         \
          "An atomic addition takes sums in whatever order they come: publish each tile's sum in " \
          "a word of its own, and add the words up in the tree's order." },                        \
        { LAB_BLOCK_BARRIERS_PER_BLOCK, LAB_AT_MOST, four, "barriers",                             \
          "4 a block, however many tiles it scans",                                                \
          "Let each warp of the ring wait for what it needs: mbarriers instead of "                \
          "__syncthreads()." },                                                                    \
        { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, and_a_half, "instructions",                       \
          "1.5 times the reference solution's for this part, 3 below 16 tiles",                    \
          "Two passes over a tile are enough, one for its sum and one for its scan; and a warp "   \
          "that polls should sleep a little between looks." })

static const lab_gates gates_f32 = {
    { ADDITIONS_MADE(all_but_one, "n - 1: each element but the first is added to something") },
    ALL_GATES(bytes_4, "8n + 0.4 T tiles + 4096: tickets and words of tiles of T elements",
              tickets),
};
static const lab_gates gates_f64 = {
    ALL_GATES(bytes_8, "16n + 0.8 T tiles + 8192: tickets and words of tiles of T elements",
              wide_tickets),
};

static const lab_sizes gate_sizes = { 9 * TILE + 77, 40 * TILE + 3 };

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints ring_hints = {
    "Which of your additions depends on who came first, or on how many blocks run? In the "
    "contract's tree none does.",
    "A reducer makes U of its 4 units, four butterflies at once by reduce_four. The look-back "
    "warp waits for all words of its rows before its tile, and only then adds: each lane its "
    "column, row after row, and in the tile's own row the columns by reduce_warp, for A + F. Where "
    "a group ends, A + F of its last tile, and that tile's T, make the next A. A scanner does all "
    "of its rows before it waits, and then adds what lies before.",
    "TODO 1: seen[k] of tiles that do not lie before: ___; look until all are seen\n"
    "    first row of a group: column = ___; others: column + ___; the last tile of a group: ___\n"
    "    at the tile's row: f->row = ___; return A + ___ of the columns\n"
    "TODO 2: sum[u] of a lane: its first row's + ___; U of lane l is that of unit ___\n"
    "TODO 3: scan_lanes; wait for ___; units = ___ of the totals; each unit begins with before + "
    "___, its second row with ___ more",
};

/* ---- the lab --------------------------------------------------------------------------------- */

#define IN_OUT(element)                                                                            \
    LAB_ENTRIES({ .name = "d_in", .type = element }, { .name = "d_out",                            \
                                                       .type = element,                            \
                                                       .role = LAB_OUT,                            \
                                                       .owner = LAB_BY_GRID,                       \
                                                       .same_bits = true })

static const lab_buffers f32_buffers = { IN_OUT(LAB_F32) };
static const lab_buffers f64_buffers = { IN_OUT(LAB_F64) };

enum { ALL_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) };

static const lab_parts parts = {
    {
        .entry = "same_bits_f32",
        .title = "inclusive scan of float, the same bits every time",
        .points = 60,
        .buffers = f32_buffers,
        .reference = scan_float_reference,
        .fill = fill_f32,
        .gates = gates_f32,
        .gate_sizes = gate_sizes,
        .diagnose = diagnose,
        .wide_n = true,
        .any_alignment = true,
        .in_place = 1,
        .against = "same_bits_f32",
        .todos = ALL_TODOS,
        .hints = ring_hints,
    },
    {
        .entry = "same_bits_f64",
        .title = "the same of double",
        .points = 40,
        .buffers = f64_buffers,
        .reference = scan_double_reference,
        .fill = fill_f64,
        .gates = gates_f64,
        .gate_sizes = gate_sizes,
        .diagnose = diagnose,
        .wide_n = true,
        .any_alignment = true,
        .in_place = 1,
        .against = "same_bits_f64",
        .todos = ALL_TODOS,
        .hints = ring_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Speed of light, same bits",
    .learned = "Rounding makes the order of additions part of the answer. One fixed tree, by index "
               "alone, gives the same bits in every run, and costs little beside the waiting.",
    .file = "speed_of_light_same_bits.cu",
    .tile = TILE,
    .threads = 256,
    .per_thread = TILE / 256,
    .blocks_wait = true,
    .large_n = (GROUP + 3) * (size_t)TILE + 77,
    .bonus = true,
    .borrowed = { "11_speed_of_light/bulk_copies.h", "11_speed_of_light/rows.h" },
    .taught = { "bytes moved", "atomics" },
    .parts = parts,
};
