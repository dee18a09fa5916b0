/*
 * warp.c: instructions by which lanes of a warp meet: shfl, vote, match, redux, elect,
 * bar.warp.sync; and activemask. Interface: sync_resolve, sync_name_absent
 * (machine.h).
 *
 * A .sync instruction names the lanes that take part (membermask). meet() gathers the parties: the
 * running split, and splits that wait at this instruction or at another one of the same operation
 * and qualifiers; once all named lanes that have not exited are there, operands are read from each
 * party's own registers, the operation is done once for all lanes, and results go to each party's
 * own destination. Until then the split is parked.
 *
 * Lanes of one split may name different masks, each its own tile (cooperative groups do):
 * by_masks() takes those of each mask apart. Masks of one instruction that share lanes and are not
 * equal are a finding: the lanes wait for others that never join them. Source: PTX ISA manual,
 * "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync", "bar.warp.sync".
 */
#include "machine/exec/handlers.h"
#include "watch/hooks.h"
#include "machine/found.h"
#include "machine/site.h"

#include <stdio.h>
#include <string.h>

typedef struct exchange { /* operands and results of all lanes that meet */
    party parties[LANES];
    unsigned count;
    uint32_t all; /* lanes of all parties */
    uint64_t a[LANES];
    uint32_t b[LANES], c[LANES], result[LANES];
    uint32_t pred_out; /* one bit a lane */
} exchange;

/* Where a lane that is not at the current instruction is: the split that holds it. */
static const insn *whereabouts(const simt_warp *w, uint32_t lane_bit, const code **c)
{
    FOR_SPLITS (k, w, used) {
        const split *s = &w->splits[k];
        if ((int)k == w->current || !(s->mask & lane_bit))
            continue;
        *c = w->frames[s->depth].code;
        return &(*c)->insns[s->pc];
    }
    return NULL;
}

void sync_name_absent(simt_warp *w, simt_finding *f, uint32_t absent)
{
    const code *c;
    const insn *at = absent ? whereabouts(w, absent & -absent, &c) : NULL;
    if (!at)
        return;
    site_fill(w, c, (uint32_t)(at - c->insns), (unsigned)__builtin_ctz(absent), &f->other);
    /* a JOIN has the line of an instruction near it; where that is this one, it says nothing */
    f->has_other = at->kind != KIND_join || f->other.line != f->at.line ||
                   strcmp(f->other.file, f->at.file) != 0;
}

/* ---- meeting --------------------------------------------------------------------------------- */

/* Two .sync instructions at different places are one meeting if they are the same operation with
   the same qualifiers. */
static bool same_meeting(const insn *a, const insn *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    if (a->kind == KIND_bar_warp_sync)
        return true;
    int64_t qualifier = a->kind == KIND_shfl ? a->imm >> 32 : a->imm & ~4ll,
            other = b->kind == KIND_shfl ? b->imm >> 32 : b->imm & ~4ll;
    return a->row == b->row && qualifier == other;
}

static const insn *waiting_at(const simt_warp *w, const split *s)
{
    return &w->frames[s->depth].code->insns[s->pc];
}

static void bad_mask(simt_warp *w, const insn *i, uint32_t mask, uint32_t members)
{
    unsigned lane = (unsigned)__builtin_ctz(mask & ~members);
    simt_finding *f = found_add(w, SIMT_BAD_SYNC, i, NULL, lane);
    if (f) {
        f->cause = SIMT_CAUSE_MASK_WITHOUT_CALLER;
        f->meeting.members = members;
    }
    found_fatal(w, f);
}

/* Gathers the parties, the running split first; false if it was parked or the kernel stopped. The
   others run on after their instruction. */
static bool meet(simt_warp *w, const insn *i, uint32_t mask, uint32_t members, exchange *x)
{
    x->parties[0] = (party){ i, w->regs, mask };
    x->count = 1;
    x->all = mask;
    x->pred_out = 0;
    if (mask & ~members) {
        bad_mask(w, i, mask, members);
        return false;
    }
    uint32_t needed = members & w->live;
    if ((needed & ~mask) == 0)
        return true;
    FOR_SPLITS (k, w, at_sync) {
        const split *s = &w->splits[k];
        if (s->sync_mask == members && same_meeting(waiting_at(w, s), i))
            x->all |= s->mask;
    }
    if (needed & ~x->all) {
        if (!warp_park(w, members, SPLIT_WAITS_SYNC))
            warp_stop(w, STOP_SYNC);
        return false;
    }
    FOR_SPLITS (k, w, at_sync) {
        split *s = &w->splits[k];
        if (s->sync_mask != members || !same_meeting(waiting_at(w, s), i))
            continue;
        x->parties[x->count++] = (party){ waiting_at(w, s), w->frames[s->depth].regs, s->mask };
        split_set(w, (int)k, SPLIT_RUNS);
        s->pc++;
    }
    simt_finding *f = found_add(w, SIMT_NEEDS_SM70, i, NULL, (unsigned)__builtin_ctz(mask));
    if (f)
        f->cause = SIMT_CAUSE_MEETS_BY_PATHS;
    return true;
}

/* ---- lanes that name different masks --------------------------------------------------------- */

static bool same_mask(simt_warp *w, const uint32_t *members, int32_t operand, uint32_t mask)
{
    if (operand >= 0 && (size_t)operand >= warp_frame(w)->code->const_offset)
        return true;
    uint32_t first = members[__builtin_ctz(mask)], apart = 0;
    for (int l = 0; l < LANES; l++)
        apart |= (members[l] ^ first) & (0 - (mask >> l & 1));
    return apart == 0;
}

static void masks_differ(simt_warp *w, const insn *i, uint32_t group, uint32_t members,
                         uint32_t other, uint32_t other_members)
{
    simt_finding *f = found_add(w, SIMT_BAD_SYNC, i, NULL, (unsigned)__builtin_ctz(group));
    if (!f)
        return;
    f->cause = SIMT_CAUSE_MASKS_DIFFER;
    f->meeting = (simt_meeting_facts){
        .lanes = group, .members = members, .absent = other, .other_members = other_members
    };
}

/* Each group of lanes that name the same mask executes i by itself, as soon as all that it names
   have come; the others become splits of their own, to wait. Returns false where the lanes of mask
   all name the same. */
static bool by_masks(simt_warp *w, const insn *i, uint32_t mask, int32_t operand)
{
    const uint32_t *members = (const uint32_t *)REG(operand);
    if (same_mask(w, members, operand, mask))
        return false;
    uint32_t named[LANES];
    memcpy(named, members, sizeof named);
    for (uint32_t rest = mask; rest && w->stop != STOP_FAULT;) {
        unsigned lead = (unsigned)__builtin_ctz(rest);
        uint32_t group = 0, here = 0;
        for (unsigned l = 0; l < LANES; l++)
            group |= (uint32_t)(named[l] == named[lead]) << l;
        group &= mask;
        rest &= ~group;
        FOR_SPLITS (k, w, at_sync) {
            const split *s = &w->splits[k];
            if (s->sync_mask == named[lead] && same_meeting(waiting_at(w, s), i))
                here |= s->mask;
        }
        uint32_t absent = named[lead] & w->live & ~group & ~here;
        if (absent & mask)
            masks_differ(w, i, group, named[lead], absent & mask,
                         named[__builtin_ctz(absent & mask)]);
        if (absent && w->active != group) {
            if (warp_peel(w, group))
                continue;
            simt_finding *f = found_add(w, SIMT_UNSUPPORTED, i, NULL, lead);
            if (f)
                f->cause = SIMT_CAUSE_WAIT_IN_CALL;
            found_fatal(w, f);
            return true;
        }
        i->exec(w, i, group);
        if (absent)
            return true; /* the whole split waits, or another one runs */
    }
    return true;
}

/* The finding about w is made for split k. */
static const insn *stand_at(simt_warp *w, unsigned k)
{
    const code *c = w->frames[w->splits[k].depth].code;
    w->insns = c->insns;
    w->counter_base = c->counter_base;
    w->current = (int)k;
    return &c->insns[w->splits[k].pc];
}

/* Splits wait for a block barrier: lets them go to it, where lanes that they had waited for have
   exited; or the others will not come to it. False: none wait. */
static bool resolve_barrier(simt_warp *w, bool *goes_on)
{
    uint32_t all = 0, here = 0;
    int first = -1;
    FOR_SPLITS (k, w, at_barrier) {
        first = first < 0 ? (int)k : first;
        all |= w->splits[k].mask;
        if (waiting_at(w, &w->splits[k]) == waiting_at(w, &w->splits[first]))
            here |= w->splits[k].mask;
    }
    if (first < 0)
        return false;
    const insn *at = waiting_at(w, &w->splits[first]);
    const bool aligned = (at->imm & BAR_ALIGNED) && !w->has_parted;
    *goes_on = (aligned ? here : all) == w->live;
    if (*goes_on)
        split_set(w, first, SPLIT_RUNS);
    else if (aligned)
        barrier_divergence(w, stand_at(w, (unsigned)first), here);
    return *goes_on || aligned;
}

bool sync_resolve(simt_warp *w)
{
    bool goes_on;
    FOR_SPLITS (k, w, at_sync) {
        const split *s = &w->splits[k];
        uint32_t have = 0;
        FOR_SPLITS (j, w, at_sync)
            if (w->splits[j].sync_mask == s->sync_mask &&
                same_meeting(waiting_at(w, &w->splits[j]), waiting_at(w, s)))
                have |= w->splits[j].mask;
        if ((s->sync_mask & w->live & ~have) == 0) {
            split_set(w, (int)k, SPLIT_RUNS);
            return true;
        }
    }
    if (resolve_barrier(w, &goes_on))
        return goes_on;
    FOR_SPLITS (k, w, used) {
        const split *s = &w->splits[k];
        if (s->state != SPLIT_WAITS_SYNC && s->state != SPLIT_WAITS_BARRIER)
            continue;
        const insn *at = stand_at(w, (unsigned)k);
        uint32_t absent =
            (s->state == SPLIT_WAITS_SYNC ? s->sync_mask : FULL_MASK) & w->live & ~s->mask;
        simt_finding *f = found_add(w, SIMT_BAD_SYNC, at, NULL, (unsigned)__builtin_ctz(s->mask));
        if (f) {
            f->cause = SIMT_CAUSE_LANES_ABSENT;
            f->meeting = (simt_meeting_facts){ .lanes = s->mask, .absent = absent };
            sync_name_absent(w, f, absent);
        }
        found_fatal(w, f);
        return false;
    }
    return false;
}

/* ---- operands and results -------------------------------------------------------------------- */

static const uint32_t *at32(const party *p, int32_t offset)
{
    return (const uint32_t *)(p->regs + offset);
}

static void read_of(exchange *x, const party *p)
{
    const insn *i = p->at;
    if (p->mask == FULL_MASK && !(i->wide & 1)) {
        for (unsigned l = 0; l < LANES; l++)
            x->a[l] = at32(p, i->a)[l];
        memcpy(x->b, at32(p, i->b), sizeof x->b);
        if (i->c >= 0)
            memcpy(x->c, at32(p, i->c), sizeof x->c);
        return;
    }
    FOR_LANES (l, p->mask) {
        x->a[l] = i->wide & 1 ? ((const uint64_t *)(p->regs + i->a))[l] : at32(p, i->a)[l];
        x->b[l] = at32(p, i->b)[l];
        if (i->c >= 0)
            x->c[l] = at32(p, i->c)[l];
    }
}

static void write_pred(const party *p, int32_t offset, uint32_t value)
{
    uint32_t *d = (uint32_t *)(p->regs + offset);
    *d = (*d & ~p->mask) | (value & p->mask);
}

static void write_of(const exchange *x, const party *p)
{
    uint32_t *d = (uint32_t *)(p->regs + p->at->d);
    if (p->mask == FULL_MASK)
        memcpy(d, x->result, sizeof x->result);
    else
        FOR_LANES (l, p->mask)
            d[l] = x->result[l];
    if (p->at->target)
        write_pred(p, (int32_t)p->at->target - 1, x->pred_out);
}

/* Has the lanes of mask meet at i, whose membermask is in `operand`. False: there is nothing more
   to do now: they wait, the kernel stopped, or by_masks() ran each group of them. */
static bool lanes_meet(simt_warp *w, const insn *i, uint32_t mask, int32_t operand, exchange *x)
{
    return !by_masks(w, i, mask, operand) &&
           meet(w, i, mask, ((const uint32_t *)REG(operand))[__builtin_ctz(mask)], x);
}

static bool values_meet(simt_warp *w, const insn *i, uint32_t mask, int32_t operand, exchange *x)
{
    if (!lanes_meet(w, i, mask, operand, x))
        return false;
    if (x->all != FULL_MASK) /* a lane that takes no part has zeros */
        memset(x->b, 0, sizeof x->b), memset(x->c, 0, sizeof x->c);
    for (unsigned k = 0; k < x->count; k++)
        read_of(x, &x->parties[k]);
    return true;
}

/* Tells the watchers of the meeting m of all parties, then writes each party's results. */
static void write_values(simt_warp *w, const exchange *x, meeting m)
{
    m.parties = x->parties;
    m.count = x->count;
    m.all = x->all;
    NOTIFY_WATCHERS(w->worker, meet, w, &m);
    for (unsigned k = 0; k < x->count; k++)
        write_of(x, &x->parties[k]);
}

/* ---- the operations -------------------------------------------------------------------------- */

/* The lanes that each lane reads from by mode, offset b and clamp c of PTX, in asked. Returns the
   lanes that stay inside their segment; the others read their own. */
static uint32_t shuffle_sources(unsigned mode, const exchange *x, uint8_t *asked)
{
    int from[LANES];
    uint8_t inside[LANES];
    uint32_t all = 0;

    for (int l = 0; l < LANES; l++) {
        const int b = (int)(x->b[l] & 31), clamp = (int)(x->c[l] & 31),
                  segment = (int)(x->c[l] >> 8 & 31);
        const int top = (l & segment) | (clamp & ~segment);
        const int up = l - b, down = l + b, across = l ^ b, at = (l & segment) | (b & ~segment);
        const int j = mode == 0 ? up : mode == 1 ? down : mode == 2 ? across : at;
        inside[l] = mode == 0 ? j >= top : j <= top;
        from[l] = inside[l] ? j : l;
    }
    for (unsigned l = 0; l < LANES; l++) {
        asked[l] = (uint8_t)(from[l] & 31);
        all |= (uint32_t)inside[l] << l;
    }
    return all;
}

void x_shfl(simt_warp *w, const insn *i, uint32_t mask)
{
    exchange x;
    if (!values_meet(w, i, mask, (int32_t)(uint32_t)i->imm, &x))
        return;
    uint8_t from[LANES] = { 0 }, asked[LANES];
    uint32_t absent = 0;
    x.pred_out = shuffle_sources((unsigned)(i->imm >> 32), &x, asked) & x.all;
    FOR_LANES (l, x.all) {
        /* a source lane that takes no part gives an undefined value: here the reader's own */
        from[l] = x.all >> asked[l] & 1 ? asked[l] : (uint8_t)l;
        absent |= (uint32_t)(from[l] != asked[l]) << l;
        x.result[l] = (uint32_t)x.a[from[l]];
    }
    write_values(w, &x,
                 (meeting){ .kind = MEET_SHUFFLE, .from = from, .asked = asked, .absent = absent });
}

void x_vote(simt_warp *w, const insn *i, uint32_t mask)
{
    exchange x;
    if (!lanes_meet(w, i, mask, i->b, &x))
        return;
    uint32_t yes = 0;
    for (unsigned k = 0; k < x.count; k++) {
        const party *p = &x.parties[k];
        uint32_t value = *at32(p, p->at->a);
        yes |= (p->at->imm & 4 ? ~value : value) & p->mask;
    }
    enum vote_mode mode = (enum vote_mode)(i->imm & 3);
    const meeting m = { .kind = MEET_VOTE,
                        .parties = x.parties,
                        .count = x.count,
                        .all = x.all,
                        .yes = yes,
                        .mode = mode };
    NOTIFY_WATCHERS(w->worker, meet, w, &m);
    bool verdict = mode == VOTE_ALL   ? yes == x.all
                   : mode == VOTE_ANY ? yes != 0
                                      : yes == x.all || yes == 0;
    for (unsigned k = 0; k < x.count; k++) {
        const party *p = &x.parties[k];
        if (mode != VOTE_BALLOT) {
            write_pred(p, p->at->d, verdict ? FULL_MASK : 0);
            continue;
        }
        uint32_t *d = (uint32_t *)(p->regs + p->at->d);
        FOR_LANES (l, p->mask)
            d[l] = yes;
    }
}

void x_match(simt_warp *w, const insn *i, uint32_t mask)
{
    exchange x;
    if (!values_meet(w, i, mask, i->b, &x))
        return;
    bool same = true;
    FOR_LANES (l, x.all) {
        x.result[l] = 0;
        for (uint32_t other = x.all; other; other &= other - 1)
            x.result[l] |= (uint32_t)(x.a[__builtin_ctz(other)] == x.a[l]) << __builtin_ctz(other);
        same &= x.result[l] == x.all;
    }
    if (i->imm)
        FOR_LANES (l, x.all)
            x.result[l] = same ? x.all : 0;
    x.pred_out = same ? FULL_MASK : 0;
    write_values(w, &x, (meeting){ .kind = MEET_VALUES });
}

void x_redux(simt_warp *w, const insn *i, uint32_t mask)
{
    exchange x;
    if (!values_meet(w, i, mask, i->b, &x))
        return;
    bool sign = i->imm & 8;
    uint32_t r = (uint32_t)x.a[__builtin_ctz(x.all)];
    FOR_LANES (l, x.all & (x.all - 1)) {
        uint32_t v = (uint32_t)x.a[l];
        bool less = sign ? (int32_t)v < (int32_t)r : v < r;
        switch (i->imm & 7) {
        case 0: r += v; break;
        case 1: r = less ? v : r; break;
        case 2: r = less ? r : v; break;
        case 3: r &= v; break;
        case 4: r |= v; break;
        default: r ^= v; break;
        }
    }
    FOR_LANES (l, x.all)
        x.result[l] = r;
    write_values(w, &x, (meeting){ .kind = MEET_VALUES });
}

void x_elect(simt_warp *w, const insn *i, uint32_t mask)
{
    exchange x;
    if (!lanes_meet(w, i, mask, i->b, &x))
        return;
    FOR_LANES (l, x.all)
        x.result[l] = (uint32_t)__builtin_ctz(x.all);
    x.pred_out = 1u << __builtin_ctz(x.all);
    write_values(w, &x, (meeting){ .kind = MEET_VALUES });
}

/* A GPU promises no lane that any other executes this together with it: it tells who happens to.
   Where simt_config says so, lanes that have parted from others may come in two groups. */
void x_activemask(simt_warp *w, const insn *i, uint32_t mask)
{
    const bool parted = mask != w->live && w->worker->launch->config.split_active;
    const uint32_t low = parted ? (1u << (w->block->rng >> 32 & (LANES - 1))) - 1 : 0;
    uint32_t *d = (uint32_t *)REG(i->d);
    FOR_LANES (l, mask)
        d[l] = low >> l & 1 ? mask & low : mask & ~low;
}

void x_bar_warp_sync(simt_warp *w, const insn *i, uint32_t mask)
{
    exchange x;
    if (lanes_meet(w, i, mask, i->b, &x))
        NOTIFY_WATCHERS(w->worker, meet, w, &(meeting){ .kind = MEET_SYNC });
}
