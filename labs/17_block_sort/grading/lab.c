/*
 * Declaration of lab 17: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for n keys of 4 bytes in tiles of T = 2048, blocks of 256 threads:
 *     a tile     4 n read and 4 n written; neighbours store neighbours: whole sectors
 *     barriers   a bit: 1 for the counts of the warps, 2 around shared memory; and spare
 */
#include "sorted.h"

/* ---- buffers --------------------------------------------------------------------------------- */

enum { D_INT, D_FLOAT, D_INT_BITS, D_FLOAT_BITS };

static const lab_buffers u32_keys = {
    [D_IN] = { .name = "d_in", .type = LAB_U32 },
    [D_OUT] = { .name = "d_out", .type = LAB_U32, RESULT, .copied = true },
};
static const lab_buffers f32_keys = {
    [D_IN] = { .name = "d_in", .type = LAB_F32 },
    [D_OUT] = { .name = "d_out", .type = LAB_F32, RESULT, .copied = true },
};
static const lab_buffers zeros_buffers = {
    [D_IN] = { .name = "d_bit", .type = LAB_I32 },
    [D_OUT] = { .name = "d_rank", .type = LAB_I32, RESULT },
};
static const lab_buffers order_buffers = {
    [D_INT] = { .name = "d_int", .type = LAB_I32 },
    [D_FLOAT] = { .name = "d_float", .type = LAB_F32 },
    [D_INT_BITS] = { .name = "d_int_bits", .type = LAB_U32, RESULT },
    [D_FLOAT_BITS] = { .name = "d_float_bits", .type = LAB_U32, RESULT },
};

/* ---- inputs and references ------------------------------------------------------------------- */

static void fill_u32(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_keys(LAB_U32, data, n, seed + buffer);
}
static void fill_f32(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_keys(LAB_F32, data, n, seed + buffer);
}

/* Of one tile all kinds; bits that are 0, 1, or another bit. */
static void fill_bit(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng r;

    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        const size_t warp = i / WARP_KEYS;
        ((int32_t *)data)[i] = warp % 4 == 1   ? 0
                               : warp % 4 == 2 ? 1
                                               : (int32_t)(rng_next(&r) & 1) << (i % 3);
    }
}

/* Numbers of either sign, and the ends of both types. */
static void fill_order(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    static const uint32_t ends[2][4] = { { 0, 0x80000000u, 0x7fffffffu, 0xffffffffu },
                                         { 0, 0x80000000u, 0x7f7fffffu, 0xff7fffffu } };
    rng r;

    fill_keys(buffer == D_INT ? LAB_I32 : LAB_F32, data, n, seed + buffer);
    rng_seed(&r, seed + buffer);
    for (size_t i = 0; i < n; i++)
        if (n < 4 || rng_below(&r, 4) > 0)
            ((uint32_t *)data)[i] =
                i < 4 ? ends[buffer][(i + seed) % 4]
                      : (uint32_t)to_key(buffer == D_INT ? LAB_I32 : LAB_F32, rng_next(&r));
}

static void split_reference(void *const *b, size_t n)
{
    sort_keys(LAB_U32, b, n, TILE, radix_bit((int)n), radix_bit((int)n) + 1);
}
static void block_u32_reference(void *const *b, size_t n)
{
    sort_keys(LAB_U32, b, n, TILE, radix_first_bit((int)n), radix_end_bit((int)n));
}
static void block_f32_reference(void *const *b, size_t n) { sort_keys(LAB_F32, b, n, TILE, 0, 32); }

static void zeros_reference(void *const *b, size_t n)
{
    const int32_t *bit = b[D_IN];
    int32_t *rank = b[D_OUT];

    for (size_t i = 0; i < n; i++)
        rank[i] = i % WARP_KEYS == 0 ? 0 : rank[i - 1] + (bit[i - 1] == 0);
}

static void order_reference(void *const *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ((uint32_t *)b[D_INT_BITS])[i] = (uint32_t)in_order(LAB_I32, element(LAB_I32, b[D_INT], i));
        ((uint32_t *)b[D_FLOAT_BITS])[i] =
            (uint32_t)in_order(LAB_F32, element(LAB_F32, b[D_FLOAT], i));
    }
}

/* ---- diagnoses ------------------------------------------------------------------------------- */

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

/* Ranges of bits other than [first, end). */
typedef enum range {
    BELOW,  /* lower bits as well */
    LATE,   /* not the lowest ones */
    SHORT,  /* not the highest ones */
    BEYOND, /* higher bits as well */
    OTHER,  /* neither end is right */
    RANGES
} range;

static range range_of(const sorting *other, const sorting *s)
{
    if (other->first != s->first && other->end != s->end)
        return OTHER;
    if (other->first != s->first)
        return other->first < s->first ? BELOW : LATE;
    return other->end < s->end ? SHORT : BEYOND;
}

/* The one kind of range by whose bits the keys are sorted; where both ends are wrong, only if no
   single one explains it. RANGES: none, or several, as in small cases. */
static range other_range(const lab_mismatch *m, const sorting *s)
{
    bool fits[RANGES] = { false };
    range found = RANGES;

    for (int first = 0; first < width(s->type); first++)
        for (int end = first + 1; end <= width(s->type); end++) {
            const sorting other = { s->type, s->span, first, end };
            const range kind = range_of(&other, s);
            if ((first != s->first || end != s->end) && !fits[kind])
                fits[kind] = rises(m, &other, s->type) && is_sorted(m, &other);
        }
    for (range kind = BELOW; kind < OTHER; kind++)
        if (fits[kind] && found != RANGES)
            return RANGES;
        else if (fits[kind])
            found = kind;
    return found == RANGES && fits[OTHER] ? OTHER : found;
}

/* Of a few keys lower bits may have the order of a split that is not stable. */
static const char *range_diagnose(const lab_mismatch *m, const sorting *s)
{
    enum { ENOUGH = 8 };
    static const char *const words[RANGES + 1] = {
        [BELOW] = "sorted by bits below bit `first` as well: the range [first, end) begins with "
                  "`first`, and keys that are equal in it keep the order in which they came",
        [LATE] = "not sorted by the lowest bits of the range, only by those above them: [first, "
                 "end) begins with bit `first` itself",
        [SHORT] = "not sorted by the highest bits of the range, only by those below them: the last "
                  "split is by bit `end` - 1",
        [BEYOND] = "sorted by bit `end` as well, or by more above it: the range [first, end) ends "
                   "before it",
        [OTHER] = "sorted by another range of bits than [first, end): the first split is by bit "
                  "`first`, and the last by bit `end` - 1",
    };
    const range kind = other_range(m, s);

    return kind == BELOW && m->wrong < ENOUGH ? NULL : words[kind];
}

static const char *keys_diagnose(const lab_mismatch *m, const sorting *s)
{
    const char *const known = sort_diagnose(m, s);
    sorting highest = *s;

    highest.first = s->end - 1;
    if (known && rises(m, s, s->type) && other_range(m, s) == BELOW)
        return range_diagnose(m, s);
    if (known)
        return known;
    if (rises_reversed(m, s))
        return "the lowest bit decides, as if the splits had gone from the highest bit to the "
               "lowest: the last split decides, and that has to be the highest bit's";
    if (highest.first != s->first && is_sorted(m, &highest))
        return "sorted by the highest bit alone: each split has to go on with what the one before "
               "left, from the lowest bit to the highest";
    return range_diagnose(m, s);
}

static const char *split_diagnose(const lab_mismatch *m)
{
    const int bit = radix_bit((int)m->n);
    const sorting s = { LAB_U32, TILE, bit, bit + 1 };
    return keys_diagnose(m, &s);
}

static const char *block_u32_diagnose(const lab_mismatch *m)
{
    const sorting s = { LAB_U32, TILE, radix_first_bit((int)m->n), radix_end_bit((int)m->n) };
    return keys_diagnose(m, &s);
}

static const char *block_f32_diagnose(const lab_mismatch *m)
{
    const sorting s = { LAB_F32, TILE, 0, 32 };
    return keys_diagnose(m, &s);
}

static const char *order_diagnose(const lab_mismatch *m)
{
    const bool is_int = m->buffer == &order_buffers[D_INT_BITS];
    const uint64_t key = element(LAB_U32, m->inputs[is_int ? D_INT : D_FLOAT], m->index);

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

/* ---- gates ----------------------------------------------------------------------------------- */

LIMIT(split_barriers, 6)
LIMIT(all_barriers, 4 * 32 + 2)
static double range_barriers(size_t n)
{
    return 4 * (radix_end_bit((int)n) - radix_first_bit((int)n)) + 2;
}

static const lab_gates split_gates = { TILE_GATES(
    split_barriers, "6: 1 for counts of the warps, 2 around shared memory, and spare") };
static const lab_gates range_gates = { TILE_GATES(range_barriers, "4 per bit + 2") };
static const lab_gates all_bits_gates = { TILE_GATES(all_barriers, "4 per bit + 2 = 130") };

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints split_hints = {
    "Key 10 of a tile has 4 zeros before it. Where does it go if it has a 0 itself, and where if "
    "it has a 1, and 30 keys of the tile have a 0?",
    "A ballot gives all lanes the bits of a row; zeros below the lane, and those of the rows and "
    "warps before, are the place of a 0. A 1 has as many ones before it as its index, less the "
    "zeros before it; the ones begin after all zeros.",
    "zeros in the warp, row by row:\n"
    "    zeros = the ballot's lanes that ___\n"
    "    rank = count and the zeros below ___; count grows by ___\n"
    "in the tile: each warp leaves its count in ___; a barrier\n"
    "    z = zeros of ___ and the rank\n"
    "    a 0 goes to z; a 1 to ___ and its index, less ___",
};

static const lab_hints block_hints = {
    "Sort 3, 1, 2, 0 on paper by splits: first by which bit, so that the second split ends it? "
    "What keeps the second split from spoiling what the first one did?",
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
    "to_bits: I32: turn ___\n"
    "    F32: sign set: turn ___; else turn ___\n"
    "from_bits: F32: highest bit set, the key was ___: turn ___; else turn ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

enum {
    STEP_MOST = 5000,
    TILES_MOST = 4 * TILE, /* tiles that do not know of each other need not be many */
    TYPES_MOST = TILE + 7, /* nor need they where the type alone is new */
    MOST = (1 << 30) - 1
};

/* uniform keys, by all 32 bits */
static const lab_sizes gate_sizes = { TILE + 7, 2 * TILE + 6 };
static const lab_sizes types_once = { 5 * TILE + 3 };

static const lab_parts parts = {
    {
        .entry = "radix_zeros",
        .title = "zeros before, in a warp",
        .points = 12,
        .buffers = zeros_buffers,
        .reference = zeros_reference,
        .fill = fill_bit,
        .max_n = STEP_MOST,
        .todos = LAB_TODO(1),
        .step = true,
        .hints = split_hints,
    },
    {
        .entry = "radix_split",
        .title = "a stable split of each tile, by a bit",
        .points = 34,
        .buffers = u32_keys,
        .reference = split_reference,
        .fill = fill_u32,
        .gates = split_gates,
        .gate_sizes = gate_sizes,
        .diagnose = split_diagnose,
        .max_n = TILES_MOST,
        .huge_n = MOST,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(2),
        .hints = split_hints,
    },
    {
        .entry = "radix_block_u32",
        .title = "each tile sorted, by a range of bits",
        .points = 25,
        .buffers = u32_keys,
        .reference = block_u32_reference,
        .fill = fill_u32,
        .gates = range_gates,
        .gate_sizes = gate_sizes,
        .diagnose = block_u32_diagnose,
        .max_n = TILES_MOST,
        .huge_n = MOST,
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
        .hints = block_hints,
    },
    {
        .entry = "radix_order",
        .title = "bits in the order of int and float",
        .points = 16,
        .buffers = order_buffers,
        .reference = order_reference,
        .fill = fill_order,
        .diagnose = order_diagnose,
        .max_n = STEP_MOST,
        .todos = LAB_TODO(4),
        .step = true,
        .counts = true, /* no other part sorts ints */
        .hints = order_hints,
    },
    {
        .entry = "radix_block_f32",
        .title = "each tile of float sorted",
        .points = 13,
        .buffers = f32_keys,
        .reference = block_f32_reference,
        .fill = fill_f32,
        .gates = all_bits_gates,
        .gate_sizes = gate_sizes,
        .diagnose = block_f32_diagnose,
        .max_n = TYPES_MOST,
        .once_n = types_once,
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4),
        .hints = order_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Split and block sort",
    .learned = "A ballot splits in order, and such splits, from the lowest bit up, sort. With some "
               "bits flipped, int and float sort like unsigned numbers.",
    .file = "block_sort.cu",
    .tile = TILE,
    .threads = RADIX_THREADS,
    .per_thread = TILE / RADIX_THREADS,
    .taught = { "barriers", "bytes read", "extra sectors" },
    .parts = parts,
};
