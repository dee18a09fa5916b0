/* similar.c: see similar.h. */
#include "similar.h"

#include <stdlib.h>
#include <string.h>

#include "tokens.h"

typedef struct fingerprint {
    uint64_t hash;
    uint32_t text, line;
} fingerprint;

typedef struct list {
    fingerprint *all;
    size_t count, room;
} list;

typedef struct facts {   /* of a text */
    uint64_t whole;      /* a hash of all of its tokens */
    uint32_t begin, end; /* its fingerprints in the list that is sorted by text */
    uint32_t own;        /* those that count */
    uint32_t same_as;    /* the first text with the same tokens; itself */
} facts;

typedef struct comparison {
    const similar_text *texts;
    size_t count;
    list prints;      /* by text, then hash; each hash once a text */
    uint32_t *run_of; /* of a print: its run */
    fingerprint *by_hash;
    uint32_t *run_begin; /* of a run of one hash in by_hash; in it texts ascend */
    facts *of;
    similar_pair *pairs;
    size_t pair_count, pair_room;
} comparison;

static uint64_t mixed(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* ---- fingerprints ---------------------------------------------------------------------------- */

static bool keep(list *to, uint64_t hash, uint32_t text, uint32_t line)
{
    if (to->count == to->room) {
        const size_t room = to->room ? 2 * to->room : 1024;
        fingerprint *const more = realloc(to->all, room * sizeof *more);
        if (!more)
            return false;
        to->all = more;
        to->room = room;
    }
    to->all[to->count++] = (fingerprint){ hash, text, line };
    return true;
}

static int by_hash(const void *a, const void *b)
{
    const fingerprint *const x = a, *const y = b;

    return x->hash != y->hash   ? (x->hash < y->hash ? -1 : 1)
           : x->text != y->text ? (x->text < y->text ? -1 : 1)
                                : (x->line > y->line) - (x->line < y->line);
}

static bool is_given(const list *given, uint64_t hash)
{
    size_t low = 0, high = given->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (given->all[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low < given->count && given->all[low].hash == hash;
}

/* Of each run of tokens; returns how many. */
static size_t hash_runs(const token *tokens, size_t count, uint64_t *hashes)
{
    if (count < SIMILAR_RUN)
        return 0;
    for (size_t i = 0; i + SIMILAR_RUN <= count; i++) {
        uint64_t hash = 1;
        for (size_t k = 0; k < SIMILAR_RUN; k++)
            hash = mixed(hash, tokens[i + k].code);
        hashes[i] = hash;
    }
    return count - SIMILAR_RUN + 1;
}

/* The least of each window, the last of equal ones; what is given is none. */
static bool winnow(const token *tokens, const uint64_t *hashes, size_t runs, const list *given,
                   uint32_t text, list *to)
{
    const size_t none = SIZE_MAX;
    size_t kept = none;

    for (size_t end = runs < SIMILAR_WINDOW ? runs : SIMILAR_WINDOW; end <= runs && runs; end++) {
        size_t least = none;
        for (size_t i = end < SIMILAR_WINDOW ? 0 : end - SIMILAR_WINDOW; i < end; i++)
            if ((least == none || hashes[i] <= hashes[least]) && !is_given(given, hashes[i]))
                least = i;
        if (least != none && least != kept && !keep(to, hashes[least], text, tokens[least].line))
            return false;
        kept = least;
    }
    return true;
}

static bool take_given(const similar_text *given, size_t count, token *tokens, uint64_t *hashes,
                       list *to)
{
    for (size_t g = 0; g < count; g++) {
        const size_t runs =
            hash_runs(tokens, tokens_take(given[g].text, given[g].size, tokens), hashes);
        for (size_t i = 0; i < runs; i++)
            if (!keep(to, hashes[i], 0, 0))
                return false;
    }
    if (to->count)
        qsort(to->all, to->count, sizeof *to->all, by_hash);
    return true;
}

/* Each hash once. */
static void sort_text(list *prints, facts *of)
{
    size_t to = of->begin;

    qsort(prints->all + of->begin, prints->count - of->begin, sizeof *prints->all, by_hash);
    for (size_t i = of->begin; i < prints->count; i++)
        if (to == of->begin || prints->all[to - 1].hash != prints->all[i].hash)
            prints->all[to++] = prints->all[i];
    prints->count = to;
    of->end = (uint32_t)to;
}

static bool take_text(comparison *c, uint32_t text, const list *given, token *tokens,
                      uint64_t *hashes)
{
    const size_t count = tokens_take(c->texts[text].text, c->texts[text].size, tokens),
                 runs = hash_runs(tokens, count, hashes);
    facts *const of = &c->of[text];

    of->same_as = text;
    of->begin = of->end = (uint32_t)c->prints.count;
    of->whole = count;
    for (size_t i = 0; i < count; i++)
        of->whole = mixed(of->whole, tokens[i].code);
    if (!winnow(tokens, hashes, runs, given, text, &c->prints))
        return false;
    if (c->prints.count > of->begin)
        sort_text(&c->prints, of);
    of->own = of->end - of->begin;
    return true;
}

static bool take_all(comparison *c, const similar_text *given, size_t given_count)
{
    token *const tokens = malloc(TOKENS_MOST * sizeof *tokens);
    uint64_t *const hashes = malloc(TOKENS_MOST * sizeof *hashes);
    list base = { NULL, 0, 0 };
    bool fine = tokens && hashes && take_given(given, given_count, tokens, hashes, &base);

    for (uint32_t i = 0; fine && i < c->count; i++)
        fine = take_text(c, i, &base, tokens, hashes);
    free(base.all);
    free(tokens);
    free(hashes);
    return fine;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static similar_pair *add_pair(comparison *c, similar_kind kind, uint32_t first, uint32_t second)
{
    if (c->pair_count == c->pair_room) {
        const size_t room = c->pair_room ? 2 * c->pair_room : 64;
        similar_pair *const more = realloc(c->pairs, room * sizeof *more);
        if (!more)
            return NULL;
        c->pairs = more;
        c->pair_room = room;
    }
    similar_pair *const pair = &c->pairs[c->pair_count++];
    *pair = (similar_pair){ .kind = kind, .first = first, .second = second, .percent = 100 };
    return pair;
}

static void note_line(unsigned lines[2], unsigned line)
{
    if (lines[0] == 0 || line < lines[0])
        lines[0] = line;
    if (line > lines[1])
        lines[1] = line;
}

/* Where they share something. */
static void find_lines(const comparison *c, similar_pair *pair)
{
    const fingerprint *a = c->prints.all + c->of[pair->first].begin,
                      *const a_end = c->prints.all + c->of[pair->first].end,
                      *b = c->prints.all + c->of[pair->second].begin,
                      *const b_end = c->prints.all + c->of[pair->second].end;

    while (a < a_end && b < b_end) {
        if (a->hash == b->hash) {
            note_line(pair->lines[0], a->line);
            note_line(pair->lines[1], b->line);
        }
        const bool first = a->hash <= b->hash, second = b->hash <= a->hash;
        a += first;
        b += second;
    }
}

typedef struct whole {
    uint64_t hash;
    uint32_t text;
} whole;

static int by_whole(const void *a, const void *b)
{
    const whole *const x = a, *const y = b;
    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1)
                              : (x->text > y->text) - (x->text < y->text);
}

/* Texts with the same tokens: pairs with the first of them, which stands for all from here on. */
static bool pair_same(comparison *c)
{
    whole *const all = malloc((c->count + 1) * sizeof *all);
    bool fine = all != NULL;

    for (uint32_t i = 0; fine && i < c->count; i++)
        all[i] = (whole){ c->of[i].whole, i };
    if (fine)
        qsort(all, c->count, sizeof *all, by_whole);
    for (size_t i = 1; fine && i < c->count; i++) {
        const uint32_t text = all[i].text, first = c->of[all[i - 1].text].same_as;
        if (all[i].hash != all[i - 1].hash || c->of[text].own < SIMILAR_LEAST)
            continue;
        const similar_text *const a = &c->texts[first], *const b = &c->texts[text];
        const bool identical = a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
        similar_pair *const pair =
            add_pair(c, identical ? SIMILAR_IDENTICAL : SIMILAR_RENAMED, first, text);
        c->of[text].same_as = first;
        fine = pair != NULL;
        if (fine)
            find_lines(c, pair);
    }
    free(all);
    return fine;
}

/* The texts of each hash; what too many have counts for nobody. */
static bool index_hashes(comparison *c)
{
    const size_t count = c->prints.count;
    size_t used = 0;
    uint32_t runs = 0, standing = 0;

    c->by_hash = malloc((count + 1) * sizeof *c->by_hash);
    c->run_begin = malloc((count + 1) * sizeof *c->run_begin);
    c->run_of = malloc((count + 1) * sizeof *c->run_of);
    if (!c->by_hash || !c->run_begin || !c->run_of)
        return false;
    for (uint32_t i = 0; i < c->count; i++)
        standing += c->of[i].same_as == i && c->of[i].own > 0;
    for (size_t i = 0; i < count; i++) {
        c->by_hash[used] = c->prints.all[i];
        c->by_hash[used].line = (uint32_t)i; /* from here on its place among the prints */
        used += c->of[c->prints.all[i].text].same_as == c->prints.all[i].text;
        c->run_of[i] = UINT32_MAX;
    }
    qsort(c->by_hash, used, sizeof *c->by_hash, by_hash);
    for (size_t begin = 0, end; begin < used; begin = end) {
        for (end = begin; end < used && c->by_hash[end].hash == c->by_hash[begin].hash;)
            end++;
        const bool common = end - begin >= SIMILAR_COMMON && 4 * (end - begin) > standing;
        for (size_t i = begin; i < end; i++)
            if (common)
                c->of[c->by_hash[i].text].own--;
            else
                c->run_of[c->by_hash[i].line] = runs;
        if (!common)
            c->run_begin[runs++] = (uint32_t)begin;
    }
    return true;
}

/* All that share enough with this one and come before it. shared: zeros, and again at the end. */
static bool pair_alike(comparison *c, uint32_t text, uint32_t *shared)
{
    const facts *const mine = &c->of[text];
    bool fine = true;

    for (uint32_t i = mine->begin; i < mine->end; i++)
        if (c->run_of[i] != UINT32_MAX)
            for (uint32_t k = c->run_begin[c->run_of[i]]; c->by_hash[k].text < text; k++)
                shared[c->by_hash[k].text]++; /* its own place in the run ends the loop */
    for (uint32_t other = 0; other < text; other++) {
        const uint32_t least = c->of[other].own < mine->own ? c->of[other].own : mine->own;
        const uint32_t count = shared[other];
        shared[other] = 0;
        if (!fine || least < SIMILAR_LEAST || 100 * count < SIMILAR_PERCENT * least)
            continue;
        similar_pair *const pair = add_pair(c, SIMILAR_ALIKE, other, text);
        fine = pair != NULL;
        if (fine) {
            pair->percent = 100 * count / least;
            find_lines(c, pair);
        }
    }
    return fine;
}

static int most_alike(const void *a, const void *b)
{
    const similar_pair *const x = a, *const y = b;

    return x->kind != y->kind         ? (int)x->kind - (int)y->kind
           : x->percent != y->percent ? (int)y->percent - (int)x->percent
           : x->first != y->first     ? (x->first < y->first ? -1 : 1)
                                      : (x->second > y->second) - (x->second < y->second);
}

bool similar_find(const similar_text *texts, size_t count, const similar_text *given,
                  size_t given_count, similar_pair **pairs, size_t *pair_count)
{
    comparison c = { .texts = texts, .count = count };
    uint32_t *const shared = calloc(count + 1, sizeof *shared);

    c.of = calloc(count + 1, sizeof *c.of);
    bool fine =
        shared && c.of && take_all(&c, given, given_count) && pair_same(&c) && index_hashes(&c);
    for (uint32_t i = 0; fine && i < count; i++)
        if (c.of[i].same_as == i)
            fine = pair_alike(&c, i, shared);
    if (fine && c.pair_count)
        qsort(c.pairs, c.pair_count, sizeof *c.pairs, most_alike);
    *pairs = fine ? c.pairs : NULL;
    *pair_count = fine ? c.pair_count : 0;
    if (!fine)
        free(c.pairs);
    free(shared);
    free(c.of);
    free(c.prints.all);
    free(c.by_hash);
    free(c.run_begin);
    free(c.run_of);
    return fine;
}

const char *similar_kind_name(similar_kind kind)
{
    static const char *const names[] = { "identical", "renamed", "alike" };
    return names[kind];
}
