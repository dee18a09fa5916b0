/*
 * exec_sync.c: instructions by which lanes and warps meet: shfl, vote, match, redux, elect, bar.warp.sync, bar and barrier.
 *
 * A .sync instruction names the lanes that take part (membermask). sync_meet returns the lanes to execute it for: all named
 * lanes that have not exited, once they are here, whatever splits they came in; else it parks the split and returns 0.
 * A block barrier is met by whole warps. bar.sync and the .aligned forms need every live lane of the warp at once, or the
 * kernel is stopped: barrier divergence. barrier.sync without .aligned gathers the warp's splits first.
 * Source: PTX ISA manual, "Parallel Synchronization and Communication Instructions".
 */
#include "engine.h"

#include <stdio.h>
#include <string.h>

static const uint32_t *reg32(const simt_warp *w, int32_t offset) { return (const uint32_t *)REG(offset); }

static void lane_list(uint32_t mask, char *out, size_t bytes) {
    size_t used = 0;
    out[0] = '\0';
    for (unsigned l = 0; l < LANES && used + 12 < bytes; l++) {
        if (!(mask >> l & 1)) continue;
        unsigned from = l;
        while (l + 1 < LANES && mask >> (l + 1) & 1) l++;
        used += (size_t)snprintf(out + used, bytes - used, from == l ? "%s%u" : "%s%u-%u", used ? "," : "", from, l);
    }
}

/* Where a lane that is not at the current instruction is: the split that holds it. */
static const insn *whereabouts(const simt_warp *w, uint32_t lane_bit, const code **c) {
    for (int k = 0; k < MAX_SPLITS; k++) {
        const split *s = &w->splits[k];
        if (s->state == SPLIT_FREE || k == w->current || !(s->mask & lane_bit)) continue;
        *c = w->frames[s->depth].code;
        return &(*c)->insns[s->pc];
    }
    return NULL;
}

static void name_absent(simt_warp *w, simt_finding *f, uint32_t absent) {
    const code *c;
    const insn *at = absent ? whereabouts(w, absent & -absent, &c) : NULL;
    if (!at) return;
    f->has_other = true;
    report_site(w, c, (uint32_t)(at - c->insns), (unsigned)__builtin_ctz(absent), &f->other);
}

/* ---- .sync of lanes ---- */

static bool same_meeting(const insn *a, const insn *b) {
    return a == b || (a->exec == x_bar_warp_sync && b->exec == x_bar_warp_sync);
}

static const insn *waiting_at(const simt_warp *w, const split *s) { return &w->frames[s->depth].code->insns[s->pc]; }

static void bad_mask(simt_warp *w, const insn *i, uint32_t mask, uint32_t members) {
    unsigned lane = (unsigned)__builtin_ctz(mask & ~members);
    simt_finding *f = report_finding(w, SIMT_BAD_SYNC, i, NULL, lane);
    if (f) {
        snprintf(f->message, sizeof f->message, "lane %u of warp %u executes a .sync instruction whose member mask 0x%08x does not name it", lane, w->index, members);
        snprintf(f->advice, sizeof f->advice, "the mask must hold exactly the lanes that reach the call: 0xffffffff outside branches, or __ballot_sync of the condition before it");
    }
    report_fatal(w, f);
}

uint32_t sync_meet(simt_warp *w, const insn *i, uint32_t mask, uint32_t members) {
    if (mask & ~members) {
        bad_mask(w, i, mask, members);
        return 0;
    }
    uint32_t needed = members & w->live, here = mask;
    if ((needed & ~here) == 0) return mask;
    for (int k = 0; k < MAX_SPLITS; k++) {
        const split *s = &w->splits[k];
        if (s->state == SPLIT_WAITS_SYNC && k != w->current && same_meeting(waiting_at(w, s), i)) here |= s->mask & members;
    }
    if (needed & ~here) {
        if (!warp_park(w, members, SPLIT_WAITS_SYNC)) warp_stop(w, STOP_SYNC);
        return 0;
    }
    for (int k = 0; k < MAX_SPLITS; k++) {
        split *s = &w->splits[k];
        if (s->state != SPLIT_WAITS_SYNC || k == w->current || !same_meeting(waiting_at(w, s), i) || !(s->mask & members)) continue;
        split_set(w, k, SPLIT_RUNS);
        s->pc++;
    }
    simt_finding *f = report_finding(w, SIMT_NEEDS_SM70, i, NULL, (unsigned)__builtin_ctz(mask));
    if (f) {
        snprintf(f->message, sizeof f->message, "lanes of a warp meet here by different paths: this needs independent thread scheduling (sm_70 or newer)");
        snprintf(f->advice, sizeof f->advice, "fine on Volta and later; an older GPU would hang");
    }
    return here & members;
}

bool sync_resolve(simt_warp *w) {
    for (int k = 0; k < MAX_SPLITS; k++) {
        split *s = &w->splits[k];
        if (s->state != SPLIT_WAITS_SYNC) continue;
        uint32_t have = 0;
        for (int j = 0; j < MAX_SPLITS; j++)
            if (w->splits[j].state == SPLIT_WAITS_SYNC && same_meeting(waiting_at(w, &w->splits[j]), waiting_at(w, s))) have |= w->splits[j].mask;
        if ((s->sync_mask & w->live & ~have) == 0) {
            split_set(w, k, SPLIT_RUNS);
            return true;
        }
    }
    for (int k = 0; k < MAX_SPLITS; k++) {
        split *s = &w->splits[k];
        if (s->state != SPLIT_WAITS_SYNC && s->state != SPLIT_WAITS_BARRIER) continue;
        const code *c = w->frames[s->depth].code;
        const insn *at = &c->insns[s->pc];
        w->insns = c->insns;
        w->counter_base = c->counter_base;
        w->current = k;
        uint32_t absent = (s->state == SPLIT_WAITS_SYNC ? s->sync_mask : FULL_MASK) & w->live & ~s->mask;
        char here[100], there[100];
        lane_list(s->mask, here, sizeof here);
        lane_list(absent, there, sizeof there);
        simt_finding *f = report_finding(w, SIMT_BAD_SYNC, at, NULL, (unsigned)__builtin_ctz(s->mask));
        if (f) {
            snprintf(f->message, sizeof f->message, "lanes %s of warp %u wait for lanes %s, which wait elsewhere: none can go on", here, w->index, there);
            snprintf(f->advice, sizeof f->advice, "let all lanes of the mask reach the same call, or leave those that do not out of the mask");
            name_absent(w, f, absent);
        }
        report_fatal(w, f);
        return false;
    }
    return false;
}

void x_shfl(simt_warp *w, const insn *i, uint32_t mask) {
    mask = sync_meet(w, i, mask, reg32(w, (int32_t)(uint32_t)i->imm)[__builtin_ctz(mask)]);
    if (!mask) return;
    uint32_t *d = (uint32_t *)REG(i->d), result[LANES], inside = 0;
    const uint32_t *a = reg32(w, i->a), *b = reg32(w, i->b), *c = reg32(w, i->c);
    unsigned mode = (unsigned)(i->imm >> 32);
    for (int l = 0; l < LANES; l++) {
        int bval = (int)(b[l] & 31), cval = (int)(c[l] & 31), segment = (int)(c[l] >> 8 & 31), lane = l, j;
        int top = (lane & segment) | (cval & ~segment), bottom = lane & segment;
        bool p;
        switch (mode) {
        case 0: j = lane - bval; p = j >= top; break;
        case 1: j = lane + bval; p = j <= top; break;
        case 2: j = lane ^ bval; p = j <= top; break;
        default: j = bottom | (bval & ~segment); p = j <= top; break;
        }
        if (!p) j = lane;
        result[l] = a[j & 31];
        inside |= (uint32_t)p << l;
    }
    for (int l = 0; l < LANES; l++) d[l] = mask >> l & 1 ? result[l] : d[l];
    if (i->target) {
        uint32_t *p = (uint32_t *)REG((int32_t)i->target - 1);
        *p = (*p & ~mask) | (inside & mask);
    }
}

void x_vote(simt_warp *w, const insn *i, uint32_t mask) {
    uint32_t members = reg32(w, i->b)[__builtin_ctz(mask)];
    mask = sync_meet(w, i, mask, members);
    if (!mask) return;
    uint32_t p = *reg32(w, i->a);
    if (i->imm & 4) p = ~p;
    p &= mask;
    switch (i->imm & 3) {
    case 3: {
        uint32_t *d = (uint32_t *)REG(i->d);
        for (int l = 0; l < LANES; l++) d[l] = mask >> l & 1 ? p : d[l];
        return;
    }
    case 0: p = p == mask ? FULL_MASK : 0; break;
    case 1: p = p ? FULL_MASK : 0; break;
    default: p = p == mask || p == 0 ? FULL_MASK : 0; break;
    }
    uint32_t *d = (uint32_t *)REG(i->d);
    *d = (*d & ~mask) | (p & mask);
}

void x_match(simt_warp *w, const insn *i, uint32_t mask) {
    mask = sync_meet(w, i, mask, reg32(w, i->b)[__builtin_ctz(mask)]);
    if (!mask) return;
    uint64_t v[LANES];
    uint32_t *d = (uint32_t *)REG(i->d), result[LANES] = {0};
    for (int l = 0; l < LANES; l++) v[l] = i->wide & 1 ? ((const uint64_t *)REG(i->a))[l] : reg32(w, i->a)[l];
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < LANES; k++) result[l] |= (uint32_t)(v[k] == v[l]) << k & mask;
    if (i->imm) {
        bool all = result[__builtin_ctz(mask)] == mask;
        for (int l = 0; l < LANES; l++) result[l] = all ? mask : 0;
        if (i->target) {
            uint32_t *p = (uint32_t *)REG((int32_t)i->target - 1);
            *p = (*p & ~mask) | (all ? mask : 0);
        }
    }
    for (int l = 0; l < LANES; l++) d[l] = mask >> l & 1 ? result[l] : d[l];
}

void x_redux(simt_warp *w, const insn *i, uint32_t mask) {
    mask = sync_meet(w, i, mask, reg32(w, i->b)[__builtin_ctz(mask)]);
    if (!mask) return;
    const uint32_t *a = reg32(w, i->a);
    uint32_t *d = (uint32_t *)REG(i->d), r = a[__builtin_ctz(mask)];
    bool sign = i->imm & 8;
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        uint32_t v = a[__builtin_ctz(rest)];
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
    for (int l = 0; l < LANES; l++) d[l] = mask >> l & 1 ? r : d[l];
}

void x_elect(simt_warp *w, const insn *i, uint32_t mask) {
    mask = sync_meet(w, i, mask, reg32(w, i->b)[__builtin_ctz(mask)]);
    if (!mask) return;
    uint32_t leader = (uint32_t)__builtin_ctz(mask), *d = (uint32_t *)REG(i->d), *p = (uint32_t *)REG((int32_t)i->target - 1);
    for (int l = 0; l < LANES; l++) d[l] = mask >> l & 1 ? leader : d[l];
    *p = (*p & ~mask) | 1u << leader;
}

void x_activemask(simt_warp *w, const insn *i, uint32_t mask) {
    uint32_t *d = (uint32_t *)REG(i->d);
    for (int l = 0; l < LANES; l++) d[l] = mask >> l & 1 ? mask : d[l];
}

void x_bar_warp_sync(simt_warp *w, const insn *i, uint32_t mask) {
    if (sync_meet(w, i, mask, reg32(w, i->b)[__builtin_ctz(mask)])) race_warp_sync(w);
}

/* ---- block barriers ---- */

static void divergence(simt_warp *w, const insn *i, uint32_t mask) {
    uint32_t absent = w->live & ~mask;
    char there[100];
    lane_list(absent, there, sizeof there);
    simt_finding *f = report_finding(w, SIMT_BARRIER_DIVERGENCE, i, NULL, (unsigned)__builtin_ctz(mask));
    if (f) {
        name_absent(w, f, absent);
        char where[160] = "", text[160];
        if (f->has_other) snprintf(where, sizeof where, ": those are at %s", report_line_text(&f->other, text, sizeof text));
        snprintf(f->message, sizeof f->message, "only %d of the %d running lanes of warp %u reach this block barrier together; lanes %s do not%s",
                 __builtin_popcount(mask), __builtin_popcount(w->live), w->index, there, where);
        snprintf(f->advice, sizeof f->advice, "__syncthreads() must be reached by every thread of the block: move it out of the branch or loop that only some threads take");
    }
    report_fatal(w, f);
}

static void deposit(simt_warp *w, barrier *bar, const insn *i, uint32_t mask, uint8_t *regs) {
    if ((i->imm & BAR_KIND) < BAR_POPC) return;
    uint32_t p;
    memcpy(&p, regs + i->c, 4);
    if (i->imm & BAR_NEGATED) p = ~p;
    p &= mask;
    (void)w;
    bar->popc += (unsigned)__builtin_popcount(p);
    bar->any |= p != 0;
    bar->all &= p == mask;
}

static void collect(const barrier *bar, const insn *i, uint32_t mask, uint8_t *regs) {
    unsigned kind = (unsigned)(i->imm & BAR_KIND);
    if (kind < BAR_POPC) return;
    uint32_t *d = (uint32_t *)(regs + i->d);
    if (kind == BAR_POPC) {
        for (int l = 0; l < LANES; l++) d[l] = mask >> l & 1 ? bar->popc : d[l];
        return;
    }
    bool v = kind == BAR_AND ? bar->all : bar->any;
    *d = (*d & ~mask) | (v ? mask : 0);
}

static void release(simt_block *b, unsigned id) {
    barrier *bar = &b->barriers[id];
    const simt_warp *first = NULL;
    for (uint32_t waiting = bar->waiting; waiting; waiting &= waiting - 1) {
        simt_warp *w = b->warp[__builtin_ctz(waiting)];
        b->blocked &= ~(1u << w->index);
        if (bar->expected == 0 && first && first->barrier_insn != w->barrier_insn) {
            simt_finding *f = report_finding(w, SIMT_BARRIER_DIVERGENCE, w->barrier_insn, first->barrier_insn, 0);
            if (f) {
                char other[160];
                snprintf(f->message, sizeof f->message, "warp %u waits at this __syncthreads() while warp %u waits at another one, at %s: they meet by accident",
                         w->index, first->index, report_line_text(&f->other, other, sizeof other));
                snprintf(f->advice, sizeof f->advice, "all threads of a block must reach the same __syncthreads(): its condition may not differ between threads");
            }
        }
        if (!first) first = w;
        if (w->current >= 0) collect(bar, w->barrier_insn, w->splits[w->current].mask, w->frames[w->splits[w->current].depth].regs);
        for (uint64_t rest = w->at_barrier; rest; rest &= rest - 1) {
            split *p = &w->splits[__builtin_ctzll(rest)];
            collect(bar, waiting_at(w, p), p->mask, w->frames[p->depth].regs);
            split_set(w, __builtin_ctzll(rest), SPLIT_RUNS);
            p->pc++;
        }
        w->barrier = MAX_BARRIERS;
    }
    race_block_barrier(b, bar->waiting);
    b->worker->barriers++;
    if (first && b->worker->counts) {
        const code *c = first->frames[first->splits[first->current >= 0 ? first->current : 0].depth].code;
        ptrdiff_t at = first->barrier_insn - c->insns;
        if (at >= 0 && at < (ptrdiff_t)c->count) b->worker->counts[c->counter_base + (size_t)at].barriers++;
    }
    *bar = (barrier){.all = true};
}

static void check_one(simt_block *b, unsigned id) {
    barrier *bar = &b->barriers[id];
    if (bar->waiting && (bar->expected ? bar->arrived >= bar->expected : (bar->waiting | b->done) == b->all_warps)) release(b, id);
}

void barrier_check(simt_block *b) {
    for (unsigned id = 0; id < MAX_BARRIERS; id++) check_one(b, id);
}

static bool barrier_operands(simt_warp *w, const insn *i, uint32_t mask, unsigned *id, unsigned *count) {
    unsigned lane = (unsigned)__builtin_ctz(mask);
    *id = reg32(w, i->a)[lane];
    *count = i->b >= 0 ? reg32(w, i->b)[lane] : 0;
    if (*id < MAX_BARRIERS && *count % LANES == 0 && *count <= w->block->warps * LANES) return true;
    simt_finding *f = report_finding(w, SIMT_BAD_SYNC, i, NULL, lane);
    if (f) {
        if (*id >= MAX_BARRIERS) snprintf(f->message, sizeof f->message, "barrier %u: a block has barriers 0 to 15", *id);
        else snprintf(f->message, sizeof f->message, "barrier %u expects %u threads: it must be a multiple of 32 no larger than the block (%u threads)", *id, *count, w->block->threads);
        snprintf(f->advice, sizeof f->advice, "give a barrier number from 0 to 15 and a count in whole warps");
    }
    report_fatal(w, f);
    return false;
}

void x_bar_sync(simt_warp *w, const insn *i, uint32_t mask) {
    simt_block *b = w->block;
    unsigned id, count;
    if ((i->imm & BAR_ALIGNED) && mask != w->live) {
        divergence(w, i, mask);
        return;
    }
    if (!barrier_operands(w, i, mask, &id, &count)) return;
    barrier *bar = &b->barriers[id];
    if (mask != w->live) {      /* without .aligned: gather the warp's splits first */
        uint32_t here = mask;
        for (uint64_t rest = w->at_barrier; rest; rest &= rest - 1) here |= w->splits[__builtin_ctzll(rest)].mask;
        if (here != w->live) {
            if (!warp_park(w, w->live, SPLIT_WAITS_BARRIER)) warp_stop(w, STOP_SYNC);
            return;
        }
    }
    if (!bar->used) *bar = (barrier){.all = true, .used = true};
    if (count) bar->expected = count;
    bar->arrived += LANES;
    if ((i->imm & BAR_KIND) == BAR_ARRIVE) {
        check_one(b, id);
        return;
    }
    deposit(w, bar, i, mask, w->regs);
    for (uint64_t rest = w->at_barrier; rest; rest &= rest - 1) {
        const split *p = &w->splits[__builtin_ctzll(rest)];
        deposit(w, bar, waiting_at(w, p), p->mask, w->frames[p->depth].regs);
    }
    bar->waiting |= 1u << w->index;
    b->blocked |= 1u << w->index;
    w->barrier = id;
    w->barrier_insn = i;
    w->splits[w->current].mask = w->active;
    w->splits[w->current].pc = w->pc;
    warp_stop(w, STOP_BARRIER);
    check_one(b, id);
}
