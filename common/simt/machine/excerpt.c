/*
 * excerpt.c: the first and the last blocks of a grid that is too large to be run. Interface:
 * excerpt_* in machine.h; simt_config.excerpt says what it is for.
 *
 * Blocks run one after the other. What the blocks of the gap would have left is made up as
 * far as the last ones need it:
 * - counters: to an integer that each block before the gap has changed, with atomics, those of the
 *   gap have added as much, on average: a ticket that is taken after the gap is the block's number;
 * - descriptors and flags: a block that waits for what a block of the gap would publish gets there
 *   what the same instruction has found in the last two blocks before the gap, in the same thread
 *   or else in the lane with the highest address, carried on: if the second value, and its place,
 *   were so much more than the first, this one is more by as much for each step of that size; where
 *   the place was the same, for each block;
 * - what goes with a flag: in front of the gap, a load may find what an earlier block has stored in
 *   memory that is not data. After it the same instruction finds, where no block that ran has
 *   stored, that carried on in the same way.
 * - tables: where a plain store of the last two blocks before the gap has gone to memory that is
 *   not data, the same store of the blocks of the gap has gone on from there, place and value by as
 *   much for each block; so the next launch finds a table that is whole.
 * Where a grid of limited size has a loop over the tiles, any block may have the last tile. Suppose
 * each of the first blocks has come as far beyond the one before it, in memory that ends in data,
 * and none waits for others. Then the block that has the end is known. If it lies in the gap, it
 * runs all the same, and so does the one before it: in place of the first two after the gap.
 * With simt_config.excerpt_stalls, where blocks look at what others have stored, those of the gap
 * have come to their first such look and no further: what the last two blocks before the gap had
 * stored by then, each word for the first time, goes on over the gap; tables follow when the last
 * block has ended.
 * With simt_config.excerpt_tickets, a block that takes one ticket after the other gets the first
 * few and then the last: tiles may be far more than blocks. Words that it has stored for the first
 * tiles, by strong stores, go on up to the last ones.
 * Everything else is as it was: zeros, where nobody has written. A block that waits all the same,
 * or takes too long, is cut: nothing is said about it.
 *
 * Invariant: bounds and alignment are checked as ever. Whether what was made up is like what a
 * whole launch leaves, the caller has to try: at an n that can be run.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/exec/counting.h"
#include "machine/machine.h"
#include "watch/hooks.h"

enum {
    ENDS = 4,             /* blocks before the gap, and after it */
    FIRST_ROOM = 1 << 12, /* of a hash table; a power of 2 */
    LOOKS = 32,
    MOST_BYTES = 16,       /* of a strong access */
    RELEASES = 64,         /* of a block */
    COUNTED = 8,           /* counters that may be one of tickets */
    STORES = 64,           /* instructions, twice where blocks of the gap stall */
    TIMES = 16,            /* that a warp executes one of them */
    REACHES = 8,           /* allocations that end in data */
    MOST_FILLED = 1 << 22, /* words, and the bytes that they lie in */
    MOST_SPAN = 1 << 28,
    WARPS = 32,   /* of a block, at most */
    IDLE_PART = 4 /* a block has nothing to do: less than a fourth of the first one's, or no global
                     memory to access where that one has */
};

typedef struct counter {      /* a word that atomics have changed in front of the gap */
    uint64_t address, before; /* address 0: none */
    uint64_t order;           /* the last block that did */
    unsigned bytes, blocks;   /* how many did */
} counter;

typedef struct counters { /* a hash table */
    counter *at;
    size_t room, count; /* room: a power of 2 */
} counters;

/* What a load or an atomic has found last in a block in front of the gap. */
typedef struct found {
    bool known;
    uint64_t order, address, value[MOST_BYTES / 8];
} found;

typedef struct twice { /* in two blocks, one right after the other */
    found before, last;
} twice;

typedef struct look {
    const insn *at;
    twice highest;    /* of each warp's, at the highest of its lanes' addresses */
    twice *of[WARPS]; /* by warp, of each lane; null: it has found nothing */
    bool published;   /* an earlier block had stored what it found */
} look;

/* Where a store of two blocks has gone; 0: nowhere. */
typedef struct places {
    uint64_t before, last, order; /* the last one's block */
    /* of a first store: what it stored there */
    uint64_t value_before[MOST_BYTES / 8], value_last[MOST_BYTES / 8];
} places;

typedef struct store {
    const insn *at;
    unsigned bytes;
    bool first; /* first_lanes */
    bool many;  /* more often than TIMES */
    struct {
        unsigned times; /* in the block that runs */
        uint64_t order;
        places (*of)[LANES]; /* TIMES */
    } warp[WARPS];
} store;

/* A word of memory that is not data, and which block has stored it last. */
typedef struct word {
    uint64_t number; /* its address / 4; 0: none */
    uint64_t order;
} word;

typedef struct words { /* a hash table */
    word *at;
    size_t room, count; /* room: a power of 2 */
} words;

/* A counter from which the first block has taken numbers, each 1 more than the last. */
typedef struct tickets {
    uint64_t address, first; /* address 0: none */
    unsigned taken;
} tickets;

/* Memory that ends in data, and the last of its bytes that each block before the gap accesses. */
typedef struct reach {
    uint64_t first, end, last[ENDS];
} reach;

struct excerpt {
    uint64_t gap;    /* blocks left out */
    uint64_t filled; /* places of tables after the first blocks' */
    reach reaches[REACHES];
    unsigned reach_count;
    tickets tickets[COUNTED];
    uint64_t ticket_at; /* the counter that has gone on to the last tickets; 0: none has */
    bool tiles_filled;  /* and so have the words of the tiles between */
    bool after;
    words stored;
    counters counters;
    look looks[LOOKS];
    store stores[STORES];
    unsigned look_count, store_count;
    uint64_t looked[WARPS]; /* at what others have stored: the last block whose warp has, and 1 */
    uint64_t any_looked;    /* of any warp; 0: none before the gap has */
    bool stalls;            /* first stores have gone on over the gap */
    unsigned releases;      /* of the block that runs */
    bool released;          /* in this round of its wait */
    bool idle;              /* so was the block that ended last */
    bool touched;           /* the block that runs has accessed global memory */
    bool first_touched;
    uint64_t first_spent;
};

bool excerpt_open(launch *l)
{
    l->excerpt = calloc(1, sizeof *l->excerpt);
    if (!l->excerpt)
        return false;
    if (l->blocks <= 2 * ENDS)
        return true;
    l->excerpt->gap = l->excerpt->filled = l->blocks - 2 * ENDS;
    l->order = malloc(2 * ENDS * sizeof *l->order);
    for (uint64_t i = 0; l->order && i < 2 * ENDS; i++)
        l->order[i] = i < ENDS ? i : i + l->excerpt->gap;
    l->blocks = 2 * ENDS;
    return l->order != NULL;
}

void excerpt_close(launch *l)
{
    for (unsigned k = 0; l->excerpt && k < l->excerpt->look_count; k++)
        for (unsigned warp = 0; warp < WARPS; warp++)
            free(l->excerpt->looks[k].of[warp]);
    for (unsigned k = 0; l->excerpt && k < l->excerpt->store_count; k++)
        for (unsigned warp = 0; warp < WARPS; warp++)
            free(l->excerpt->stores[k].warp[warp].of);
    if (l->excerpt) {
        free(l->excerpt->counters.at);
        free(l->excerpt->stored.at);
    }
    free(l->excerpt);
    l->excerpt = NULL;
}

/* What the blocks of the gap have added. */
static void move_counters(launch *l)
{
    const struct excerpt *e = l->excerpt;

    for (size_t k = 0; k < e->counters.room; k++) {
        const counter *c = &e->counters.at[k];
        uint64_t now = 0;
        if (c->blocks != ENDS)
            continue;
        void *host = memory_host(&l->device->memory, c->address, c->bytes);
        if (!host)
            continue;
        memcpy(&now, host, c->bytes);
        /* of tickets each block takes one that says that there are no more */
        const uint64_t added = c->address == e->ticket_at ? ENDS : now - c->before;
        if (added % ENDS)
            continue;
        now += added / ENDS * e->gap;
        memcpy(host, &now, c->bytes);
    }
}

/* What the last two blocks have stored, or what lies there now. */
static bool take_values(launch *l, const store *s, const places *p, uint64_t before[MOST_BYTES / 8],
                        uint64_t last[MOST_BYTES / 8])
{
    const size_t all = MOST_BYTES;
    const void *from = memory_host(&l->device->memory, p->before, s->bytes),
               *to = memory_host(&l->device->memory, p->last, s->bytes);

    if (!from || !to)
        return false;
    memset(before, 0, all);
    memset(last, 0, all);
    memcpy(before, s->first ? p->value_before : from, s->bytes);
    memcpy(last, s->first ? p->value_last : to, s->bytes);
    return before[0] || before[1] || last[0] || last[1];
}

/* `gap` words between these places, one for each block or tile left out, that go on as the last two
   do. */
static uint64_t fill_between(launch *l, const store *s, const places *p, uint64_t gap,
                             uint64_t room)
{
    const uint64_t step = p->last - p->before;
    uint64_t before[MOST_BYTES / 8], last[MOST_BYTES / 8], value[MOST_BYTES / 8];

    if (!p->before || !step || gap > room || step > MOST_SPAN / gap ||
        memory_find(&l->device->memory, p->last) !=
            memory_find(&l->device->memory, p->last + gap * step) ||
        !memory_host(&l->device->memory, p->last + gap * step, s->bytes) ||
        !take_values(l, s, p, before, last))
        return 0;
    char *from = memory_host(&l->device->memory, p->last, s->bytes);
    for (uint64_t k = 1; k <= gap; k++) {
        for (unsigned w = 0; w < MOST_BYTES / 8; w++)
            value[w] = last[w] + k * (last[w] - before[w]);
        memcpy(from + k * step, value, s->bytes);
    }
    return gap;
}

/* False: there was none. */
static bool fill_stores(launch *l, bool first)
{
    const struct excerpt *e = l->excerpt;
    uint64_t room = MOST_FILLED;

    for (unsigned k = 0; k < e->store_count; k++) {
        const store *s = &e->stores[k];
        for (unsigned w = 0; w < WARPS && !s->many && s->first == first; w++)
            for (unsigned at = 0; s->warp[w].of && at < TIMES * LANES; at++) {
                const places *p = &s->warp[w].of[at / LANES][at % LANES];
                if (p->order + 1 == ENDS)
                    room -= fill_between(l, s, p, e->filled, room);
            }
    }
    return room < MOST_FILLED;
}

/* The number of the block that has the end of these data, if the first ones go on so; 0: they do
   not. */
static uint64_t last_of(const reach *r)
{
    const uint64_t step = r->last[1] - r->last[0];

    for (unsigned k = 0; k < ENDS; k++)
        if (!r->last[k] || (k > 0 && r->last[k] - r->last[k - 1] != step))
            return 0;
    return step && step <= MOST_SPAN ? (r->end - 1 - r->last[0] + step - 1) / step : 0;
}

/* Lets the block run that has the end of the data, where it would be left out. */
static void take_last(launch *l)
{
    struct excerpt *e = l->excerpt;
    uint64_t last = 0;

    for (unsigned k = 0; k < e->reach_count; k++) {
        const uint64_t one = last_of(&e->reaches[k]);
        last = one > last ? one : last;
    }
    if (last < ENDS || last >= ENDS + e->gap || e->any_looked || e->ticket_at)
        return;
    const uint64_t before = last > ENDS ? last - 1 : last;
    l->order[ENDS] = before;
    l->order[ENDS + 1] = before + 1;
    e->filled = e->gap + ENDS;
}

/* What the blocks of the gap have done before the first one after it begins. */
static void fill_gap(launch *l)
{
    struct excerpt *e = l->excerpt;

    take_last(l);
    move_counters(l);
    e->stalls = e->any_looked > 0 && fill_stores(l, true);
    if (!e->stalls)
        fill_stores(l, false);
}

bool excerpt_block_begin(launch *l, uint64_t position)
{
    struct excerpt *e = l->excerpt;

    /* one that was cut is like the next */
    if (l->cut && e->gap && position != ENDS && position + 1 != l->blocks)
        return false;
    e->releases = 0;
    e->touched = false;
    if (!e->gap || position != ENDS)
        return true;
    e->after = true;
    if (!l->cut)
        fill_gap(l);
    return true;
}

bool excerpt_is_over(const simt_block *b, uint64_t spent)
{
    const launch *l = b->worker->launch;
    return l->excerpt && spent > l->config.excerpt;
}

void excerpt_block_end(simt_block *b)
{
    launch *l = b->worker->launch;

    struct excerpt *e = l->excerpt;
    const bool idle = b->order > 0 &&
                      (b->spent < e->first_spent / IDLE_PART || (e->first_touched && !e->touched));

    l->cut = l->cut || b->running;
    l->stuck = l->stuck || (b->running && !excerpt_is_over(b, b->spent));
    if (b->order == 0) {
        e->first_spent = b->spent;
        e->first_touched = e->touched;
    }
    /* the last piece of work may lie in the gap; not if the block before the last had some, or the
       first has had the last ticket */
    if (b->order + 1 == l->blocks && idle && e->idle && !e->ticket_at)
        l->cut = true;
    e->idle = idle;
    if (b->order + 1 == l->blocks && e->stalls && !l->cut)
        fill_stores(l, false);
}

/* ---- what blocks publish --------------------------------------------------------------------- */

static look *look_of(struct excerpt *e, const insn *i, bool make)
{
    for (unsigned k = 0; k < e->look_count; k++)
        if (e->looks[k].at == i)
            return &e->looks[k];
    if (!make || e->look_count == LOOKS)
        return NULL;
    e->looks[e->look_count].at = i;
    return &e->looks[e->look_count++];
}

/* Where the counter is, or would come. */
static counter *counter_at(const counters *all, uint64_t address)
{
    size_t k = (size_t)(address * 0x9e3779b97f4a7c15u >> 32) & (all->room - 1);

    while (all->at[k].address && all->at[k].address != address)
        k = (k + 1) & (all->room - 1);
    return &all->at[k];
}

/* False: no memory. */
static bool more_counters(counters *all)
{
    counters more = { .room = all->room ? 2 * all->room : FIRST_ROOM, .count = all->count };

    if (!(more.at = calloc(more.room, sizeof *more.at)))
        return false;
    for (size_t k = 0; k < all->room; k++)
        if (all->at[k].address)
            *counter_at(&more, all->at[k].address) = all->at[k];
    free(all->at);
    *all = more;
    return true;
}

/* Before the atomic changes it. */
static void note_counter(counters *all, uint64_t order, uint64_t address, const void *host,
                         unsigned bytes)
{
    if (bytes > 8 || (2 * all->count >= all->room && !more_counters(all)))
        return;
    counter *c = counter_at(all, address);
    if (!c->address) {
        all->count++;
        *c = (counter){ .address = address, .bytes = bytes };
        memcpy(&c->before, host, bytes);
    }
    c->blocks += c->blocks == 0 || c->order != order;
    c->order = order;
}

/* Of the first block: before the atomic takes one more from the counter. */
static void note_ticket(simt_warp *w, uint64_t address, void *host, unsigned bytes)
{
    launch *l = w->worker->launch;
    struct excerpt *e = l->excerpt;
    uint64_t now = 0;
    tickets *t = e->tickets;

    if (bytes > 8 || e->ticket_at || l->config.excerpt_tickets <= 2 * ENDS)
        return;
    memcpy(&now, host, bytes);
    while (t < e->tickets + COUNTED && t->address && t->address != address)
        t++;
    if (t == e->tickets + COUNTED)
        return;
    if (!t->address || now != t->first + t->taken)
        *t = (tickets){ .address = address, .first = now };
    if (t->taken++ < ENDS)
        return;
    now = t->first + l->config.excerpt_tickets - ENDS;
    memcpy(host, &now, bytes);
    e->ticket_at = address;
    w->worker->version++;
}

/* Where the word is, or would come. */
static word *word_at(const words *all, uint64_t number)
{
    size_t k = (size_t)(number * 0x9e3779b97f4a7c15u >> 32) & (all->room - 1);

    while (all->at[k].number && all->at[k].number != number)
        k = (k + 1) & (all->room - 1);
    return &all->at[k];
}

/* False: no memory. */
static bool more_words(words *all)
{
    words more = { .room = all->room ? 2 * all->room : FIRST_ROOM, .count = all->count };

    if (!(more.at = calloc(more.room, sizeof *more.at)))
        return false;
    for (size_t k = 0; k < all->room; k++)
        if (all->at[k].number)
            *word_at(&more, all->at[k].number) = all->at[k];
    free(all->at);
    *all = more;
    return true;
}

/* Null: no block has stored it. */
static const word *stored_word(const words *all, uint64_t address)
{
    const word *found = all->room ? word_at(all, address / 4) : NULL;
    return found && found->number ? found : NULL;
}

/* The lanes whose access begins outside of data. */
static uint32_t scratch_of(const simt_warp *w, const memory_access *a, const uint64_t *address)
{
    const worker *k = w->worker;
    return scratch_lanes(k, k->last_allocation[a->write], a->mask, a->contiguous, address);
}

static void note_stored(simt_warp *w, const memory_access *a, const uint64_t *address)
{
    words *all = &w->worker->launch->excerpt->stored;

    FOR_LANES (l, scratch_of(w, a, address))
        for (uint64_t at = address[l]; at < address[l] + a->bytes; at += 4) {
            if (2 * all->count >= all->room && !more_words(all))
                return;
            word *stored = word_at(all, at / 4);
            all->count += !stored->number;
            *stored = (word){ at / 4, w->block->order };
        }
}

static store *store_of(struct excerpt *e, const insn *i, unsigned bytes, bool first)
{
    for (unsigned k = 0; k < e->store_count; k++)
        if (e->stores[k].at == i && e->stores[k].first == first)
            return &e->stores[k];
    if (e->store_count == STORES)
        return NULL;
    e->stores[e->store_count] = (store){ .at = i, .bytes = bytes, .first = first };
    return &e->stores[e->store_count++];
}

/* The lanes that store what their tile publishes before it looks back: words that the block had not
   stored, by a warp that has not looked at others' words; by a plain store, which may be one of
   results, while no warp of the block has. With tickets, all that a strong store of the first block
   stores. */
static uint32_t first_lanes(const simt_warp *w, const memory_access *a, const uint64_t *address)
{
    const struct excerpt *e = w->worker->launch->excerpt;
    uint32_t first = 0;

    if (w->worker->launch->config.excerpt_tickets)
        return a->order != WEAK && w->block->order == 0 ? scratch_of(w, a, address) : 0;
    if (e->looked[w->index % WARPS] == w->block->order + 1 ||
        (a->order == WEAK && e->any_looked == w->block->order + 1))
        return 0;
    FOR_LANES (l, scratch_of(w, a, address)) {
        const word *stored = stored_word(&e->stored, address[l]);
        first |= (uint32_t)(!stored || stored->order != w->block->order) << l;
    }
    return first;
}

/* In front of the gap. data: what the lanes store, side by side. */
static void note_place(simt_warp *w, const memory_access *a, const uint64_t *address,
                       uint32_t lanes, bool first, const uint8_t *data)
{
    store *s = lanes ? store_of(w->worker->launch->excerpt, a->insn, a->bytes, first) : NULL;

    if (!s || s->many)
        return;
    unsigned *times = &s->warp[w->index % WARPS].times;
    if (s->warp[w->index % WARPS].order != w->block->order)
        *times = 0;
    s->warp[w->index % WARPS].order = w->block->order;
    places(**of)[LANES] = &s->warp[w->index % WARPS].of;
    if (!*of)
        *of = calloc(TIMES, sizeof **of);
    s->many = *times == TIMES || !*of;
    FOR_LANES (l, s->many ? 0 : lanes) {
        places *p = &(*of)[*times][l];
        p->before = p->order + 1 == w->block->order ? p->last : 0;
        memcpy(p->value_before, p->value_last, sizeof p->value_before);
        p->last = address[l];
        p->order = w->block->order;
        if (first)
            memcpy(p->value_last, data + (size_t)l * a->bytes, a->bytes);
    }
    ++*times;
}

static void note_places(simt_warp *w, const memory_access *a, const uint64_t *address,
                        const uint8_t *data)
{
    const bool plain = a->order == WEAK && a->bytes <= 8;

    note_place(w, a, address, plain ? scratch_of(w, a, address) : 0, false, NULL);
    const simt_config *c = &w->worker->launch->config;
    if ((c->excerpt_stalls || c->excerpt_tickets) && data)
        note_place(w, a, address, first_lanes(w, a, address), true, data);
}

/* The lanes that find what another block has stored. */
static uint32_t published_lanes(const simt_warp *w, const memory_access *a, const uint64_t *address)
{
    const words *all = &w->worker->launch->excerpt->stored;
    uint32_t published = 0;

    FOR_LANES (l, all->count ? a->mask : 0) {
        const word *stored = stored_word(all, address[l]);
        published |= (uint32_t)(stored && stored->order != w->block->order) << l;
    }
    return published;
}

static void note_found(twice *t, uint64_t order, uint64_t address, const void *value,
                       unsigned bytes)
{
    if (t->last.known && t->last.order != order)
        t->before = t->last;
    t->last = (found){ .known = true, .order = order, .address = address };
    memcpy(t->last.value, value, bytes);
}

/* In front of the gap. */
static void note_look(simt_warp *w, const memory_access *a, const uint64_t *address)
{
    struct excerpt *e = w->worker->launch->excerpt;
    const uint8_t *host = w->worker->device->memory.base - GLOBAL_BASE;
    const uint32_t published = a->atomic ? 0 : published_lanes(w, a, address),
                   lanes = a->order == WEAK ? published : a->mask;
    uint64_t highest = 0;
    look *at = lanes ? look_of(e, a->insn, true) : NULL;

    if (published) {
        e->looked[w->index % WARPS] = w->block->order + 1;
        e->any_looked = w->block->order + 1;
    }
    if (!at)
        return;
    twice **of = &at->of[w->index % WARPS];
    if (!*of)
        *of = calloc(LANES, sizeof **of);
    FOR_LANES (l, lanes) {
        highest = address[l] > highest ? address[l] : highest;
        if (*of)
            note_found(&(*of)[l], w->block->order, address[l], host + address[l], a->bytes);
    }
    note_found(&at->highest, w->block->order, highest, host + highest, a->bytes);
    at->published = at->published || published;
}

static bool is_known(const twice *t)
{
    return t->before.known && t->before.order + 1 == t->last.order;
}

/* What would be there, or at some place like it, if it went on as it began. */
static bool carry_on(const look *at, const simt_warp *w, unsigned lane, uint64_t address,
                     unsigned bytes, uint64_t value[MOST_BYTES / 8])
{
    const twice *own = at->of[w->index % WARPS],
                *t = own && is_known(&own[lane]) ? &own[lane] : &at->highest;
    const found *one = &t->before, *two = &t->last;
    const simt_block *b = w->block;

    if (!is_known(t))
        return false;
    const int64_t step = (int64_t)(two->address - one->address),
                  way = step ? (int64_t)(address - two->address) / step
                             : (int64_t)(b->number - two->order);
    for (unsigned k = 0; k < (bytes + 7) / 8; k++)
        value[k] = two->value[k] + (uint64_t)way * (two->value[k] - one->value[k]);
    return true;
}

/* Behind the gap: what blocks of it would have stored besides flags. */
static void give_published(simt_warp *w, const memory_access *a, const uint64_t *address)
{
    struct excerpt *e = w->worker->launch->excerpt;
    const look *at = look_of(e, a->insn, false);
    uint8_t *host = w->worker->device->memory.base - GLOBAL_BASE;
    uint64_t value[MOST_BYTES / 8];

    FOR_LANES (l, at && at->published && !e->stalls ? scratch_of(w, a, address) : 0) {
        if (stored_word(&e->stored, address[l]) ||
            !carry_on(at, w, (unsigned)l, address[l], a->bytes, value) ||
            memcmp(host + address[l], value, a->bytes) == 0)
            continue;
        memcpy(host + address[l], value, a->bytes);
        w->worker->version++;
    }
}

/* Null: no data lie with it, or too many lie apart. */
static reach *reach_of(const simt_warp *w, uint64_t address)
{
    struct excerpt *e = w->worker->launch->excerpt;

    for (unsigned k = 0; k < e->reach_count; k++)
        if (address >= e->reaches[k].first && address < e->reaches[k].end)
            return &e->reaches[k];
    const allocation *at = memory_find(&w->worker->device->memory, address);
    if (!at || !at->data || e->reach_count == REACHES)
        return NULL;
    e->reaches[e->reach_count] = (reach){ .first = at->start, .end = at->start + at->bytes };
    return &e->reaches[e->reach_count++];
}

/* Of a block before the gap. */
static void note_reach(simt_warp *w, const memory_access *a, const uint64_t *address)
{
    uint64_t highest = 0;

    FOR_LANES (l, a->mask)
        highest = address[l] > highest ? address[l] : highest;
    reach *r = reach_of(w, highest);
    if (r && highest + a->bytes - 1 > r->last[w->block->order])
        r->last[w->block->order] = highest + a->bytes - 1;
}

void excerpt_look(simt_warp *w, const memory_access *a, const uint64_t *address,
                  const uint8_t *data)
{
    struct excerpt *e = w->worker->launch->excerpt;
    uint8_t *host = w->worker->device->memory.base - GLOBAL_BASE;

    e->touched = true;
    if (!e->gap || a->bytes > MOST_BYTES)
        return;
    if (!e->after)
        note_reach(w, a, address);
    if (a->atomic && !a->form->is_float && !a->form->half && !e->after)
        FOR_LANES (l, a->mask) {
            note_counter(&e->counters, w->block->order, address[l], host + address[l], a->bytes);
            if (w->block->order == 0)
                note_ticket(w, address[l], host + address[l], a->bytes);
        }
    if (a->write && !a->atomic && !e->after)
        note_places(w, a, address, data);
    if (a->write && !a->atomic)
        note_stored(w, a, address);
    else if (!e->after)
        note_look(w, a, address);
    else if (!a->atomic)
        give_published(w, a, address);
}

/* A strong access of a loop that waits: where nothing has come, it gets what it once found. */
static bool give(void *user, simt_warp *w, const insn *i, uint32_t mask)
{
    struct excerpt *e = user;
    const look *at = look_of(e, i, false);

    if (!at)
        return true;
    const memory_form *f = i->extra;
    const unsigned bytes = (unsigned)f->bytes * f->vector;
    FOR_LANES (l, mask) {
        uint64_t address = (uint64_t)i->imm;
        if (i->a >= 0)
            address +=
                i->wide & 1 ? ((const uint64_t *)REG(i->a))[l] : ((const uint32_t *)REG(i->a))[l];
        void *host = memory_host(&w->worker->device->memory, address, bytes);
        uint64_t value[MOST_BYTES / 8];
        if (!host || !carry_on(at, w, (unsigned)l, address, bytes, value) ||
            memcmp(host, value, bytes) == 0)
            continue;
        memcpy(host, value, bytes);
        w->worker->version++;
        e->released = true;
    }
    return true;
}

/* The words that the first block has stored for its last two tiles before the ticket went on, and
   then by as much for each tile up to the last ones. False: there are none. */
static bool fill_tiles(launch *l)
{
    const struct excerpt *e = l->excerpt;
    const uint64_t gap = l->config.excerpt_tickets - 2 * ENDS;
    uint64_t room = MOST_FILLED;

    for (unsigned k = 0; k < e->store_count; k++) {
        const store *s = &e->stores[k];
        for (unsigned w = 0; w < WARPS && s->first; w++)
            for (unsigned lane = 0; s->warp[w].of && lane < LANES; lane++) {
                places p = s->warp[w].of[ENDS - 1][lane];
                const places *before = &s->warp[w].of[ENDS - 2][lane];
                p.before = before->last;
                memcpy(p.value_before, before->value_last, sizeof p.value_before);
                room -= p.last ? fill_between(l, s, &p, gap, room) : 0;
            }
    }
    return room < MOST_FILLED;
}

bool excerpt_release(simt_block *b)
{
    struct excerpt *e = b->worker->launch->excerpt;

    if (e->ticket_at && !e->tiles_filled && b->order == 0) {
        e->tiles_filled = true;
        b->worker->version++;
        return fill_tiles(b->worker->launch);
    }
    if (!e->after || e->releases == RELEASES)
        return false;
    e->releases++;
    e->released = false;
    for (uint32_t stuck = b->stuck; stuck; stuck &= stuck - 1)
        if (!(b->blocked & (stuck & -stuck)))
            stuck_round(b->warp[__builtin_ctz(stuck)], give, e);
    return e->released;
}
