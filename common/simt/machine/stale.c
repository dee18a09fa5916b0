/*
 * stale.c: see late.h. Versions lie in a ring in the order in which they came to memory, and in
 * chains by the hash of their 16 bytes, the newest first. One that has been overwritten in the ring
 * ends its chain.
 */
#include "machine/late.h"
#include "machine/found.h"
#include "machine/machine.h"
#include "machine/site.h"

#include <stdlib.h>
#include <string.h>

enum { VERSIONS = 2048, CHAINS = 4096, BLOCKS = 4, MOST_AGE = 8192, ELEMENT = 16, PENDING = 64 };

typedef struct version {
    uint64_t number, older; /* its own, from 1; of the next one in its chain, 0: none */
    uint64_t address, born; /* in instructions of the launch */
    /* when it was published to a GPU, and to all that ask by a fence for all; 0: not yet */
    uint64_t published[SIMT_MAX_GPUS], published_system;
    stale_store by;
    stale_seen seen[BLOCKS]; /* by.block's is the first */
    uint8_t old[ELEMENT], bytes;
} version;

/* An old value that a warp has got, after a newer store of the same warp. It is a note if the warp
   does not look there again. */
typedef struct pending {
    uint64_t block, address; /* as in stale_seen; block 0: none */
    unsigned warp, lane, bytes;
    const insn *insn;
    stale_store by;
    simt_cause cause;
    uint64_t value;
} pending;

typedef struct node { /* of a list of versions; they are known by their places, 0: none */
    uint64_t number;
    uint32_t next;
} node;

struct stale_memory {
    uint64_t now, rng, made; /* made: versions */
    /* by GPU: when a fence for all last brought it something, as one of its blocks knows that has
       published it to the others */
    uint64_t system[SIMT_MAX_GPUS];
    uint64_t chain[CHAINS]; /* numbers */
    version ring[VERSIONS];
    pending pending[PENDING];
    unsigned waiting; /* of pending */
    node *nodes;
    uint32_t node_count, node_room, free_nodes;
    /* lists, of so many: what the GPU knows, and has not published to all */
    uint32_t unpublished[SIMT_MAX_GPUS], unpublished_count[SIMT_MAX_GPUS];
};

bool stale_open(worker *k, uint64_t seed)
{
    if (!(k->stale = calloc(1, sizeof *k->stale)))
        return false;
    k->stale->now = 1;
    k->stale->rng = seed | 1;
    return true;
}

void stale_close(worker *k)
{
    if (k->stale)
        free(k->stale->nodes);
    free(k->stale);
    k->stale = NULL;
}

static bool heads(stale_memory *m)
{
    m->rng ^= m->rng >> 12;
    m->rng ^= m->rng << 25;
    m->rng ^= m->rng >> 27;
    return m->rng * 0x2545f4914f6cdd1dull >> 63;
}

static uint64_t *chain_at(stale_memory *m, uint64_t address)
{
    return &m->chain[(address / ELEMENT * 0x9e3779b97f4a7c15ull >> 32) % CHAINS];
}

/* null: it has been overwritten */
static version *numbered(stale_memory *m, uint64_t number)
{
    version *v = &m->ring[number % VERSIONS];
    return number && v->number == number ? v : NULL;
}

static uint64_t name_of(const simt_block *b) { return b->order + 1; }

static bool overlap(const version *v, uint64_t address, unsigned bytes)
{
    return v->address < address + bytes && address < v->address + v->bytes;
}

/* ---- who has seen what ----------------------------------------------------------------------- */

static bool has_seen(const simt_warp *w, const stale_seen *s)
{
    return s->block == name_of(w->block) &&
           (s->warps >> w->index & 1 || (s->published && s->published <= w->view.block));
}

static bool must_see(const simt_warp *w, const version *v)
{
    const uint64_t published = v->published[w->block->part->gpu];
    if (v->by.time == 0 || (published && published <= w->view.device) ||
        (v->published_system && v->published_system <= w->view.system))
        return true;
    for (unsigned k = 0; k < BLOCKS; k++)
        if (has_seen(w, &v->seen[k]))
            return true;
    return false;
}

static bool grow(stale_memory *m)
{
    uint32_t room = m->node_room ? 2 * m->node_room : 1024;
    node *grown = realloc(m->nodes, room * sizeof *grown);
    if (!grown)
        return false;
    m->nodes = grown;
    m->node_room = room;
    if (m->node_count == 0)
        m->node_count = 1; /* place 0 is none */
    return true;
}

/* Where there is no memory for it, everybody sees the version. */
static void remember(stale_memory *m, uint32_t *list, version *v)
{
    uint32_t at = m->free_nodes;
    if (!at && m->node_count == m->node_room && !grow(m)) {
        v->by.time = 0;
        return;
    }
    if (at)
        m->free_nodes = m->nodes[at].next;
    else
        at = m->node_count++;
    m->nodes[at] = (node){ v->number, *list };
    *list = at;
}

/* The first of the list leaves it: its version, null if that has been overwritten. */
static version *take_first(stale_memory *m, uint32_t *list)
{
    node *n = &m->nodes[*list];
    uint32_t at = *list;
    *list = n->next;
    n->next = m->free_nodes;
    m->free_nodes = at;
    return numbered(m, n->number);
}

/* More blocks than there is room for: then everybody has seen it. */
static void sees(simt_warp *w, version *v)
{
    uint64_t block = name_of(w->block);
    unsigned k = 0;
    while (k < BLOCKS && v->seen[k].block && v->seen[k].block != block)
        k++;
    if (k == BLOCKS) {
        v->by.time = 0;
        return;
    }
    v->seen[k].block = block;
    if (!v->seen[k].published && !(v->seen[k].warps >> w->index & 1))
        remember(w->worker->stale, &w->view.versions, v);
    v->seen[k].warps |= 1u << w->index;
}

static void observe(simt_warp *w, const stale_store *s)
{
    stale_view *v = &w->view;
    uint64_t now = w->worker->stale->now;
    unsigned k = 0;
    if (s->seen.block == name_of(w->block) && s->warp == w->index)
        return;
    while (k < STALE_OBSERVED &&
           !(v->observed[k].block == s->seen.block && v->observed[k].warp == s->warp))
        k++;
    if (k == STALE_OBSERVED) {
        k = v->next_observed++ % STALE_OBSERVED;
        v->observed[k].time = 0;
    }
    if (v->observed[k].time >= s->time)
        return;
    v->observed[k].block = s->seen.block;
    v->observed[k].warp = s->warp;
    v->observed[k].time = s->time;
    v->observed[k].when = now;
}

/* What the warp has seen is published to its block. */
static void tell_block(simt_warp *w, uint64_t now)
{
    stale_memory *m = w->worker->stale;
    while (w->view.versions) {
        version *v = take_first(m, &w->view.versions);
        for (unsigned k = 0; v && k < BLOCKS; k++)
            if (v->seen[k].block == name_of(w->block) && !v->seen[k].published) {
                v->seen[k].published = now;
                remember(m, &w->block->known_versions, v);
            }
    }
}

/* A list that nobody may ever take from has no more than the versions that there are. */
static void forget_overwritten(stale_memory *m, uint32_t *list)
{
    uint32_t kept = 0;
    while (*list) {
        version *v = take_first(m, list);
        if (v)
            remember(m, &kept, v);
    }
    *list = kept;
}

/* What the block knows is published to the device. Of what its GPU has learned since the last fence
   for all it is not known who knows it: the next such fence publishes that as well. */
static void tell_device(simt_block *b, uint64_t now)
{
    stale_memory *m = b->worker->stale;
    const unsigned gpu = b->part->gpu;
    while (b->known_versions) {
        version *v = take_first(m, &b->known_versions);
        if (v && !v->published[gpu])
            v->published[gpu] = now;
        if (v && b->worker->launch->many && !v->published_system) {
            if (++m->unpublished_count[gpu] % (2 * VERSIONS) == 0)
                forget_overwritten(m, &m->unpublished[gpu]);
            remember(m, &m->unpublished[gpu], v);
        }
    }
}

static void tell_system(simt_block *b, uint64_t now)
{
    stale_memory *m = b->worker->stale;
    uint32_t *unpublished = &m->unpublished[b->part->gpu];
    while (*unpublished) {
        version *v = take_first(m, unpublished);
        if (v && !v->published_system)
            v->published_system = now;
    }
}

static void latest(uint64_t *to, uint64_t time)
{
    if (time > *to)
        *to = time;
}

/* Between a warp and its block, or a block and its GPU: each learns what the other knows. */
static void share(uint64_t *a, uint64_t *b)
{
    latest(a, *b);
    *b = *a;
}

void stale_fence(simt_warp *w, access_scope scope)
{
    simt_block *b = w->block;
    stale_memory *m = w->worker->stale;
    uint64_t now = ++m->now;
    tell_block(w, now);
    late_published(b, 1u << w->index, now);
    if (scope != SCOPE_CTA)
        tell_device(b, now);
    if (scope == SCOPE_SYS && w->worker->launch->many)
        tell_system(b, now);
    w->view.block = now;
    if (scope != SCOPE_CTA)
        w->view.device = now;
    if (scope == SCOPE_SYS)
        w->view.system = now;
    share(&w->view.device, &b->updated_device);
    share(&w->view.system, &b->updated_system);
    if (scope != SCOPE_CTA)
        share(&w->view.system, &m->system[b->part->gpu]);
}

void stale_barrier(simt_block *b)
{
    uint64_t now = ++b->worker->stale->now, device = b->updated_device, system = b->updated_system;
    late_published(b, FULL_MASK, now);
    for (unsigned k = 0; k < b->warps; k++) {
        tell_block(b->warp[k], now);
        const stale_view *v = &b->warp[k]->view;
        latest(&device, v->device);
        latest(&device, v->atomic);
        latest(&system, v->system);
        latest(&system, v->system_atomic);
    }
    b->updated_device = device;
    b->updated_system = system;
    for (unsigned k = 0; k < b->warps; k++) {
        b->warp[k]->view.device = device;
        b->warp[k]->view.system = system;
        b->warp[k]->view.block = now;
    }
}

/* ---- stores ---------------------------------------------------------------------------------- */

stale_store stale_store_by(simt_warp *w, const insn *i, unsigned lane)
{
    return (stale_store){ .insn = i,
                          .block = w->block->id,
                          .lane = lane,
                          .time = ++w->worker->stale->now,
                          .seen = { name_of(w->block), 0, 1u << w->index },
                          .warp = w->index,
                          .gpu = w->block->part->gpu };
}

static void one_comes(simt_block *b, const stale_store *by, uint64_t address, unsigned bytes)
{
    worker *k = b->worker;
    stale_memory *m = k->stale;
    uint64_t *chain = chain_at(m, address);
    version *v = &m->ring[++m->made % VERSIONS];
    *v = (version){ .number = m->made,
                    .older = *chain,
                    .address = address,
                    .born = k->spent,
                    .bytes = (uint8_t)bytes };
    if (by) {
        v->by = *by;
        v->seen[0] = by->seen;
        for (unsigned n = 0; !by->seen.published && n < b->warps; n++)
            if (by->seen.warps >> n & 1)
                remember(m, &b->warp[n]->view.versions, v);
        if (by->seen.published)
            remember(m, &b->known_versions, v);
    }
    memcpy(v->old, k->device->memory.base + (address - GLOBAL_BASE), bytes);
    *chain = m->made;
}

void stale_comes(simt_block *b, const stale_store *by, uint64_t address, unsigned bytes)
{
    if (by) {
        one_comes(b, by, address, bytes);
        return;
    }
    for (uint64_t at = address, end = address + bytes; at < end;) {
        unsigned part = (unsigned)(ELEMENT - at % ELEMENT);
        part = part < end - at ? part : (unsigned)(end - at);
        one_comes(b, NULL, at, part);
        at += part;
    }
}

void stale_block_start(simt_block *b)
{
    /* it sees what the launch before its own has done */
    const uint64_t published = b->part->after ? ++b->worker->stale->now : 0;
    b->updated_device = b->updated_system = published;
    b->known_versions = 0;
    for (unsigned k = 0; k < b->warps; k++)
        b->warp[k]->view =
            (stale_view){ .system = published, .device = published, .block = published };
}

/* ---- notes ----------------------------------------------------------------------------------- */

/* Has the warp seen a newer store of the warp whose store it missed? Then some fence is missing. */
static simt_cause why_missed(const simt_warp *w, const stale_miss *miss)
{
    const stale_view *v = &w->view;
    const stale_store *s = miss->by;
    bool same_block = s->seen.block == name_of(w->block), apart = s->gpu != w->block->part->gpu;
    for (unsigned k = 0; k < STALE_OBSERVED; k++) {
        uint64_t flag = v->observed[k].time, published = same_block ? miss->block_published
                                                         : apart    ? miss->system_published
                                                                    : miss->device_published;
        if (v->observed[k].block != s->seen.block || v->observed[k].warp != s->warp ||
            flag < s->time)
            continue;
        if (published && published < flag)
            return apart ? SIMT_CAUSE_DEVICE_FENCE : SIMT_CAUSE_NO_READ_FENCE;
        if (apart)
            return SIMT_CAUSE_DEVICE_FENCE;
        return !same_block && miss->block_published && miss->block_published < flag
                   ? SIMT_CAUSE_NARROW_FENCE
                   : SIMT_CAUSE_NO_FENCE;
    }
    return SIMT_CAUSE_NONE;
}

/* May the warp of that store have stored there before? Then the value found may be a stage on the
   way to the new one, which its readers know, as those of an aggregate and a prefix do. */
static bool is_stage(stale_memory *m, const stale_store *by, uint64_t address, unsigned bytes)
{
    uint64_t number = *chain_at(m, address);
    const version *v;
    for (; (v = numbered(m, number)); number = v->older)
        if (overlap(v, address, bytes) && v->by.warp == by->warp && v->by.time < by->time &&
            v->by.seen.block == by->seen.block)
            return true;
    return number > 0; /* forgotten */
}

void stale_missed(simt_warp *w, const insn *i, unsigned lane, uint64_t address,
                  const uint8_t *value, unsigned bytes, const stale_miss *miss)
{
    stale_memory *m = w->worker->stale;
    pending *p = m->pending;
    simt_cause cause = why_missed(w, miss);
    if (cause == SIMT_CAUSE_NONE || is_stage(m, miss->by, address, bytes))
        return;
    while (p < m->pending + PENDING && p->block)
        p++;
    if (p == m->pending + PENDING)
        return;
    m->waiting++;
    *p = (pending){ .block = name_of(w->block),
                    .address = address,
                    .warp = w->index,
                    .lane = lane,
                    .bytes = bytes,
                    .insn = i,
                    .by = *miss->by,
                    .cause = cause };
    memcpy(&p->value, value, bytes < 8 ? bytes : 8);
}

/* The warp looks there again: whatever it found there before, it did not rely on. */
static void look_again(const simt_warp *w, uint64_t address, unsigned bytes)
{
    stale_memory *m = w->worker->stale;
    for (unsigned k = 0; m->waiting && k < PENDING; k++) {
        pending *p = &m->pending[k];
        if (p->block != name_of(w->block) || p->warp != w->index || p->address >= address + bytes ||
            address >= p->address + p->bytes)
            continue;
        p->block = 0;
        m->waiting--;
    }
}

static void note(simt_warp *w, const pending *p)
{
    uint32_t pc;
    simt_finding *f = found_add(w, SIMT_OLD_VALUE, p->insn, p->by.insn, p->lane);
    const code *c = site_code_of(w->worker->device, p->by.insn, &pc);
    simt_place place;
    if (!f || !c)
        return;
    site_fill(w, c, pc, p->by.lane, &f->other);
    site_of_part(w->worker->device, launch_part_at(w->worker->launch, p->by.seen.block - 1),
                 &f->other);
    f->other.block = p->by.block;
    f->other.warp = p->by.warp;
    f->other.lane = p->by.lane;
    site_thread(w->block, p->by.warp * LANES + p->by.lane, &f->other.thread);
    f->other.write = true;
    site_in_global(w->worker->device, p->address, p->bytes, &place);
    site_take_place(f, &place);
    f->access_bytes = p->bytes;
    f->value = p->value;
    f->cause = p->cause;
}

void stale_block_end(simt_block *b)
{
    stale_memory *m = b->worker->stale;
    for (unsigned k = 0; m->waiting && k < PENDING; k++) {
        pending *p = &m->pending[k];
        if (p->block != name_of(b))
            continue;
        note(b->warp[p->warp], p);
        p->block = 0;
        m->waiting--;
    }
    for (unsigned k = 0; b->part->is_awaited && k < b->warps; k++)
        stale_fence(b->warp[k], SCOPE_SYS);
    for (unsigned k = 0; k < b->warps; k++)
        while (b->warp[k]->view.versions)
            (void)take_first(m, &b->warp[k]->view.versions);
    while (b->known_versions)
        (void)take_first(m, &b->known_versions);
}

/* ---- loads ----------------------------------------------------------------------------------- */

bool stale_overlooks(simt_warp *w, stale_store *s, bool strong)
{
    worker *k = w->worker;
    if (!has_seen(w, &s->seen) && !k->sees_newest && heads(k->stale))
        return true;
    s->seen.warps |= 1u << w->index;
    if (strong)
        observe(w, s);
    return false;
}

/* Takes the store back from data, an element at address. */
static void take_back(const version *v, uint64_t address, uint8_t *data, unsigned bytes)
{
    uint64_t from = v->address > address ? v->address : address,
             to = v->address + v->bytes < address + bytes ? v->address + v->bytes : address + bytes;
    memcpy(data + (from - address), v->old + (from - v->address), to - from);
}

/* The version whose value the warp finds in the chain; the versions in front of it are taken back,
 *last the last of them. */
static version *version_found(simt_warp *w, uint64_t address, uint8_t *data, unsigned bytes,
                              const version **last)
{
    worker *k = w->worker;
    stale_memory *m = k->stale;
    version *v = numbered(m, *chain_at(m, address));
    for (; v; v = numbered(m, v->older)) {
        if (!overlap(v, address, bytes))
            continue;
        if (k->sees_newest || must_see(w, v) || k->spent - v->born > MOST_AGE || !heads(m))
            break;
        take_back(v, address, data, bytes);
        *last = v;
    }
    return v;
}

stale_miss stale_read(simt_warp *w, uint64_t address, uint8_t *data, unsigned bytes, bool strong)
{
    stale_memory *m = w->worker->stale;
    uint8_t newest[ELEMENT];
    const version *last = NULL;
    memcpy(newest, data, bytes);
    if (m->waiting)
        look_again(w, address, bytes);
    for (version *v = version_found(w, address, data, bytes, &last); v; v = numbered(m, v->older)) {
        if (!overlap(v, address, bytes))
            continue;
        if (strong && v->by.time)
            observe(w, &v->by);
        if (must_see(w, v))
            break;
        sees(w, v);
    }
    if (!last || memcmp(newest, data, bytes) == 0)
        return (stale_miss){ 0 };
    return (stale_miss){ &last->by, last->seen[0].published, last->published[last->by.gpu],
                         last->published_system };
}

void stale_atomic(simt_warp *w, access_scope scope, uint64_t address, unsigned bytes)
{
    stale_memory *m = w->worker->stale;
    version *v = numbered(m, *chain_at(m, address));
    if (scope != SCOPE_CTA)
        w->view.atomic = m->now;
    if (scope == SCOPE_SYS)
        w->view.system_atomic = m->now;
    for (; v && !must_see(w, v); v = numbered(m, v->older)) {
        if (!overlap(v, address, bytes))
            continue;
        observe(w, &v->by);
        sees(w, v);
    }
}
