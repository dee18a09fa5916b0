/*
 * cases.h: the inputs of lab 19, and the sequential answers that its own are compared with. For
 * inclusion by its lab.c.
 *
 * n says which kind of keys quicksort_sort gets; of a single level chance says which keys and
 * heads.
 */
#ifndef CASES_H
#define CASES_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "quicksort.h"
#include "rng.h"

enum {
    TILE = QUICKSORT_TILE,
    LARGE = 40 * TILE + 77, /* keys of the large case of a level */
    SORT_MOST = 3 * TILE    /* most keys that are sorted */
};

/* The buffers of a part with heads, by number. */
enum { D_IN, D_HEAD, D_OUT, D_OUT_2 };

/* ---- keys ------------------------------------------------------------------------------------ */

typedef enum key_kind {
    UNIFORM,
    SORTED,
    REVERSED,
    ALL_EQUAL,
    TWO_VALUES,
    ORGAN_PIPE,
    KEY_KINDS,
    DEEP = KEY_KINDS, /* uniform, and nearly as many levels as the contract lets it take */
    WORST             /* fall in the order in which level.h lays them: a level for each key */
} key_kind;

/* n that are always the same kind; others below SMALL are what n % 6 says. Of sorted keys there are
   few, so that a level for each of them ends in time, and is judged by its levels. */
enum {
    SMALL = 1000,
    WORST_KEYS = 262,         /* more than 8 bits count */
    MANY_KEYS = 5 * TILE + 5, /* sorted: whoever shuffles each tile alone has too many levels */
    SORTED_KEYS = 601,
    REVERSED_KEYS = 602,
    ORGAN_PIPE_KEYS = 605
};

static key_kind kind_of(size_t n)
{
    if (n < SMALL)
        return n == WORST_KEYS ? WORST : (key_kind)(n % KEY_KINDS);
    if (n == MANY_KEYS)
        return SORTED;
    return n == SORT_MOST ? DEEP : n == TILE ? ALL_EQUAL : n % TILE == 1 ? TWO_VALUES : UNIFORM;
}

static float key_of(key_kind kind, size_t i, size_t n, float from, rng *generator)
{
    switch (kind) {
    case SORTED: return from + (float)i;
    case REVERSED: return from - (float)i;
    case ALL_EQUAL: return from;
    case TWO_VALUES: return rng_below(generator, 2) ? from : from - 1;
    case ORGAN_PIPE: return from + (float)(i < n / 2 ? i : n - i);
    default: return (float)rng_between(generator, -(1 << 23), 1 << 23) / 2;
    }
}

/* Numbers that only < and == tell apart: a float and both of its neighbours, the smallest ones,
   zero of either sign, infinite ones, whose difference is not a number. */
static float close_key(rng *generator, float from)
{
    switch (rng_below(generator, 9)) {
    case 0: return nextafterf(from, INFINITY);
    case 1: return nextafterf(from, -INFINITY);
    case 2: return nextafterf(0, 1);
    case 3: return -nextafterf(0, 1);
    case 4: return INFINITY;
    case 5: return -INFINITY;
    case 6: return 0.0f;
    case 7: return -0.0f;
    default: return from;
    }
}

/* Where level.h lays the key of each index first. */
static size_t shuffled(size_t i, size_t n)
{
    const int bits = 32 - __builtin_clz((unsigned)n - 1);
    const unsigned mask = (1u << bits) - 1;
    unsigned x = (unsigned)i;

    do {
        for (int round = 0; round < 3; round++) {
            x = (x * 0x9e3779b1u + 0x7f4a7c15u) & mask;
            x ^= x >> (bits / 2 + 1);
        }
    } while (x >= n);
    return x;
}

typedef struct pivot { /* of a segment: the first of its keys */
    float key;
    int32_t below, above, level;
} pivot;

/* Levels that these keys take, from the k-th in level.h's order on: the height of the tree of their
   pivots, which has room for n. */
static int levels_from(size_t k, const float *key, size_t n, pivot *tree)
{
    int32_t count = 1;
    int most = 1;

    tree[0] = (pivot){ key[shuffled(k, n)], 0, 0, 1 };
    for (k++; k < n; k++) {
        const float own = key[shuffled(k, n)];
        for (int32_t at = 0; own != tree[at].key;) {
            int32_t *const next = own < tree[at].key ? &tree[at].below : &tree[at].above;
            if (!*next) {
                *next = count;
                tree[count] = (pivot){ own, 0, 0, tree[at].level + 1 };
                most = tree[count].level > most ? tree[count].level : most;
                count++;
            }
            at = *next;
        }
    }
    return most;
}

/* Keys that level.h lays first become small ones that rise: each splits off itself alone, until all
   take 3 log2 n levels. Laid in another order they are a few among many. */
static void deepen(float *key, size_t n)
{
    enum { FIRST = 24, LEAST = -(1 << 23) };
    pivot *tree = malloc(n * sizeof *tree);
    const int levels = (int)(3 * log2((double)n));
    const int more = tree ? levels - levels_from(FIRST, key, n, tree) : 0;

    for (int k = 0; k < FIRST && more > 0; k++)
        key[shuffled((size_t)k, n)] = (float)(LEAST + (k < more ? k : more - 1));
    free(tree);
}

/* One in 8 uniform keys is a close one; the zeros among them are equal, whatever their signs. The
   last ones are as large and as small as keys can be, as padding may be. */
static void fill_keys(void *data, key_kind kind, size_t n, uint64_t seed)
{
    static const float last[] = { INFINITY, FLT_MAX, -INFINITY, -FLT_MAX, 0.0f, -0.0f };
    rng generator;

    rng_seed(&generator, seed);
    const float from = (float)rng_between(&generator, -1000, 1000) + 0.5f;
    const bool deep = kind == DEEP;
    kind = deep ? UNIFORM : kind;
    for (size_t k = 0; kind == WORST && k < n; k++)
        ((float *)data)[shuffled(k, n)] = from - (float)k;
    if (kind == WORST)
        return;
    for (size_t i = 0; i < n; i++) {
        float key = key_of(kind, i, n, from, &generator);
        if (kind == UNIFORM && rng_below(&generator, 8) == 0)
            key = close_key(&generator, from);
        if (kind == UNIFORM && n - i <= sizeof last / sizeof *last)
            key = last[n - i - 1];
        ((float *)data)[i] = key;
    }
    if (deep)
        deepen(data, n);
}

static void fill_sort(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_keys(data, kind_of(n), n, seed + buffer);
}

/* Keys that are all equal stay so: then one level has to be enough. */
static void change_sort(void *const *buffers, size_t n, size_t i, int by)
{
    float *key = buffers[0];

    for (size_t k = 0; k < n; k++)
        if (k == i || kind_of(n) == ALL_EQUAL)
            key[k] += (float)by;
}

/* Where a level's segments begin. */
typedef enum head_kind {
    HEADS_ALL,
    HEADS_NONE,
    HEADS_BORDERS, /* around warps and tiles */
    HEADS_EIGHTH,  /* one in eight */
    HEADS_LONG,    /* one in 500 */
    HEADS_RARE,    /* one in five tiles */
    HEADS_GIANT,   /* many segments of 1 at both ends, one giant between them */
    HEAD_KINDS
} head_kind;

static bool is_head_of(head_kind kind, size_t i, size_t n, rng *generator)
{
    const uint64_t draw = rng_next(generator) >> 16;
    const size_t p = i % TILE;

    switch (kind) {
    case HEADS_ALL: return true;
    case HEADS_NONE: return false;
    case HEADS_BORDERS: return (p >= 31 && p <= 33) || p == TILE - 1 || p == 0 || p == 1;
    case HEADS_EIGHTH: return draw % 8 == 0;
    case HEADS_LONG: return draw % 500 == 0;
    case HEADS_RARE: return draw % (5 * TILE) == 0;
    default: return i < n / 8 || i > n - n / 8;
    }
}

/* Any value but 0 is a flag. */
static int32_t draw_flag(rng *generator)
{
    static const int32_t flags[] = { 1, 2, -1, 256, INT32_MIN };

    return flags[rng_below(generator, sizeof flags / sizeof *flags)];
}

/* Most keys have few values, so that many are equal to a pivot. */
static void fill_level(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    if (buffer == D_IN) {
        const uint64_t draw = (seed + n) % 6; /* each kind at some n */
        if (draw == 0)
            fill_keys(data, UNIFORM, n, seed);
        else if (draw == 1)
            fill_keys(data, ALL_EQUAL, n, seed);
        else
            lab_fill_halves(data, 0, n, seed);
        for (size_t i = 0; i < n && draw > 3; i++)
            if (rng_below(&generator, 2))
                ((float *)data)[i] = close_key(&generator, 4.5f);
        return;
    }
    /* beyond all cases, where a GPU is timed, what is cut off at n always shows */
    const head_kind kind = n == 100    ? HEADS_EIGHTH
                           : n > LARGE ? HEADS_LONG
                                       : (head_kind)((seed + n) % HEAD_KINDS);
    for (size_t i = 0; i < n; i++)
        ((int32_t *)data)[i] = is_head_of(kind, i, n, &generator) ? draw_flag(&generator) : 0;
}

/* ---- references ------------------------------------------------------------------------------ */

static int way_of(float key, float pivot) { return key < pivot ? 0 : key == pivot ? 1 : 2; }

/* Where the segment of `start` ends. */
static size_t end_of(const int32_t *head, size_t start, size_t n)
{
    size_t end = start + 1;

    while (end < n && head[end] == 0)
        end++;
    return end;
}

static void pivots_reference(void *const *b, size_t n)
{
    const float *in = b[D_IN];
    const int32_t *head = b[D_HEAD];
    float *pivot = b[D_OUT];

    for (size_t i = 0; i < n; i++)
        pivot[i] = i == 0 || head[i] != 0 ? in[i] : pivot[i - 1];
}

static void ranks_reference(void *const *b, size_t n)
{
    const float *in = b[D_IN];
    const int32_t *head = b[D_HEAD];
    int32_t *way = b[D_OUT], *rank = b[D_OUT_2], count[3] = { 0 };
    float pivot = 0;

    for (size_t i = 0; i < n; i++) {
        if (i == 0 || head[i] != 0) {
            pivot = in[i];
            memset(count, 0, sizeof count);
        }
        way[i] = way_of(in[i], pivot);
        rank[i] = count[way[i]]++;
    }
}

static void level_reference(void *const *b, size_t n)
{
    const float *in = b[D_IN];
    const int32_t *head = b[D_HEAD];
    float *out = b[D_OUT];
    int32_t *new_head = b[D_OUT_2];

    for (size_t start = 0, end, at = 0; start < n; start = end) {
        end = end_of(head, start, n);
        for (int way = 0; way < 3; way++) {
            int32_t first = 1;
            for (size_t i = start; i < end; i++)
                if (way_of(in[i], in[start]) == way) {
                    out[at] = in[i];
                    new_head[at++] = first;
                    first = 0;
                }
        }
    }
}

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

static void sort_reference(void *const *b, size_t n)
{
    memcpy(b[1], b[0], n * sizeof(float));
    qsort(b[1], n, sizeof(float), by_value);
}

#endif
