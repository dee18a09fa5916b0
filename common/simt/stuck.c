/*
 * stuck.c: proof that a warp spins for ever. Interface: stuck_run, stuck_report in engine.h.
 *
 * A warp's next state is a function of its state (registers, splits, program counters) and of memory. So when its whole state
 * comes back and memory has not changed meanwhile, it will go round for ever unless another warp changes memory. A warp for
 * which that is proved is set aside until memory changes; when every warp that could run is set aside, waits at a
 * barrier or has ended, nothing will ever change: a deadlock, without any time limit. Loops that count or read the clock never
 * repeat a state; for those the instruction budget remains.
 * Invariant: looking does not alter the run: a state is compared after each single instruction of an ordinary turn.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK = 4096 };           /* instructions to follow when looking for a repeated state */

typedef struct snapshot { uint8_t *bytes; size_t size, capacity; } snapshot;

static bool append(snapshot *s, const void *from, size_t bytes) {
    if (s->size + bytes > s->capacity) {
        size_t capacity = 2 * (s->size + bytes);
        uint8_t *grown = realloc(s->bytes, capacity);
        if (!grown) return false;
        s->bytes = grown;
        s->capacity = capacity;
    }
    memcpy(s->bytes + s->size, from, bytes);
    s->size += bytes;
    return true;
}

/* Everything that decides what the warp does next, but for memory. */
static bool take(const simt_warp *w, snapshot *s) {
    s->size = 0;
    uint32_t head[4] = {(uint32_t)w->current, w->live, w->carry, w->split_count};
    bool ok = append(s, head, sizeof head);
    FOR_SPLITS(k, w, used) {
        const split *p = &w->splits[k];
        uint32_t words[6] = {(uint32_t)k, (uint32_t)p->state, p->mask, p->pc, p->rpc, p->sync_mask};
        ok = ok && append(s, words, sizeof words);
    }
    for (unsigned k = 0; k < MAX_CALL_DEPTH && ok; k++)
        if (w->frame_used[k / 32] >> k % 32 & 1) ok = append(s, w->frames[k].regs, warp_frame_bytes(&w->frames[k]));
    return ok;
}

/* The load or atomic that the running split is about to execute, if it is one. */
static const insn *polls(const simt_warp *w) {
    if (w->current < 0) return NULL;
    const split *p = &w->splits[w->current];
    const insn *i = &w->frames[p->depth].code->insns[p->pc];
    if (i->exec == x_mbarrier_wait) return i;
    if (i->row == UINT16_MAX || (op_rows[i->row].decode != decode_memory && op_rows[i->row].decode != decode_atomic)) return NULL;
    const memory_form *f = i->extra;
    return f->space == SPACE_PARAM_IN || f->space == SPACE_PARAM_CALL || f->space == SPACE_LOCAL ? NULL : i;
}

static uint64_t look_closer(simt_warp *w) {
    worker *k = w->worker;
    snapshot first = {0}, now = {0};
    uint64_t spent = 0, version = k->version;
    const insn *poll = NULL;
    bool ok = take(w, &first), same = false;
    w->stop = STOP_YIELD;
    while (ok && !same && spent < LOOK) {
        const insn *p = polls(w);
        if (p) poll = p;
        uint64_t one = warp_run(w, 1);
        spent += one;
        if (w->stop != STOP_YIELD || one == 0 || k->version != version) break;
        if ((uint32_t)w->current != ((uint32_t *)first.bytes)[0]) continue;
        ok = take(w, &now);
        same = ok && now.size == first.size && memcmp(now.bytes, first.bytes, now.size) == 0;
    }
    free(first.bytes);
    free(now.bytes);
    if (same && warp_part(w)) {
        simt_finding *f = report_finding(w, SIMT_NEEDS_SM70, poll ? poll : warp_insn(w), NULL, 0);
        if (f) {
            snprintf(f->message, sizeof f->message, "some lanes of a warp spin here until others of the same warp, which are further on, do something: this needs independent thread scheduling (sm_70 or newer)");
            snprintf(f->advice, sizeof f->advice, "fine on Volta and later; an older GPU would hang");
        }
    } else if (same) {
        if (w->block->stuck_version != version) w->block->stuck = 0;
        w->block->stuck |= 1u << w->index;
        w->block->stuck_version = version;
        w->poll = poll;
    } else {
        w->patience *= 2;
    }
    return spent;
}

uint64_t stuck_run(simt_warp *w, int64_t slice) {
    worker *k = w->worker;
    if (w->quiet_version != k->version) {
        w->quiet_version = k->version;
        w->quiet = 0;
    }
    bool look = w->quiet >= w->patience;
    if (look) w->quiet = 0;
    uint64_t spent = look ? look_closer(w) : warp_run(w, slice);
    w->quiet += spent;
    return spent;
}

static void describe_poll(simt_warp *w, const insn *i, unsigned lane, simt_finding *f, char *what, size_t bytes) {
    const memory_form *form = i->extra;
    uint64_t a = (uint64_t)i->imm;
    if (i->a >= 0) a += i->wide & 1 ? ((const uint64_t *)REG(i->a))[lane] : ((const uint32_t *)REG(i->a))[lane];
    f->address = a;
    f->access_bytes = form->bytes;
    bool shared = form->space == SPACE_SHARED || a - SHARED_WINDOW < WINDOW_BYTES;
    if (shared) {
        const shared_var *v = report_shared_var(w, a & (WINDOW_BYTES - 1));
        if (v) report_pretty_name(v->name, f->variable, sizeof f->variable);
        f->index = v ? (int64_t)(((a & (WINDOW_BYTES - 1)) - v->offset) / (v->element ? v->element : 1)) : -1;
    } else {
        const allocation *near = memory_find(&w->worker->device->memory, a);
        if (near && near->name) report_pretty_name(near->name, f->variable, sizeof f->variable);
        if (near) f->index = (int64_t)((a - near->start) / form->bytes);
    }
    const void *host = lane_host(w, lane, shared && a < SHARED_WINDOW ? a + SHARED_WINDOW : a, form->bytes);
    if (host) memcpy(&f->value, host, form->bytes <= 8 ? form->bytes : 8);
    char phase[88];
    if (i->exec == x_mbarrier_wait && async_describe(w->block, (uint32_t)(a & (WINDOW_BYTES - 1)), phase, sizeof phase))
        snprintf(what, bytes, "the mbarrier %s, element %lld, in %s", f->variable, (long long)f->index, phase);
    else snprintf(what, bytes, "%s%s, element %lld, which holds %llu", shared ? "shared memory " : "global memory ", f->variable, (long long)f->index, (unsigned long long)f->value);
}

void stuck_report(simt_block *b) {
    simt_warp *w = b->warp[__builtin_ctz(b->stuck)];
    const split *s = &w->splits[w->current >= 0 ? w->current : 0];
    const frame *fr = &w->frames[s->depth];
    w->regs = fr->regs;
    w->insns = fr->code->insns;
    w->counter_base = fr->code->counter_base;
    unsigned lane = s->mask ? (unsigned)__builtin_ctz(s->mask) : 0;
    const insn *at = w->poll && w->poll >= w->insns && w->poll < w->insns + fr->code->count ? w->poll : &w->insns[s->pc];
    simt_finding *f = report_finding(w, SIMT_DEADLOCK, at, NULL, lane);
    if (f) {
        char what[200] = "";
        if (at == w->poll) describe_poll(w, at, lane, f, what, sizeof what);
        unsigned waiting = (unsigned)__builtin_popcount(b->blocked), spinning = (unsigned)__builtin_popcount(b->stuck);
        if (at == w->poll)
            snprintf(f->message, sizeof f->message, "warp %u waits for ever for a change of %s; no warp that could still run will change it (%u of the block's warps spin, %u wait at a barrier)",
                     w->index, what, spinning, waiting);
        else
            snprintf(f->message, sizeof f->message, "warp %u goes round this loop for ever: its state repeats and nothing that could still run will change it (%u of the block's warps spin, %u wait at a barrier)",
                     w->index, spinning, waiting);
        snprintf(f->advice, sizeof f->advice, "%s", at == w->poll ? "who should write it, and can that one still run? A block may not be resident, a lane may wait for a lane of its own warp, a barrier may hold the writer"
                                                                  : "look at the loop's condition: nothing in the loop changes it");
    }
    report_fatal(w, f);
}
