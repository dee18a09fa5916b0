/*
 * step.c: values without a meaning in registers: where they come from, which instructions are
 * looked at for them, and the places where such a value matters. What an instruction hands on:
 * regs.c. Interface: unset_step and others in unset.h.
 *
 * Copying such a value, or computing with it, is no error: compilers do so and drop the result, and
 * so may a programmer. It is reported where it decides something: a branch, whether a store or an
 * atomic is executed, an address, an atomic operation on memory that was never written, a barrier's
 * operands, what is printed. What has been reported counts as known from there on, so that one
 * cause is one finding.
 *
 * Registers start without a meaning. Decoding knows the few that may be read before they are
 * written (code.touches); the instructions that touch those keep a mask, in the frame, of the lanes
 * that have written each (x_watched). A lane that reads one all the same gets it into the shadow:
 * for this one instruction where that only computes, since a compiler may compute with it and drop
 * the result in every turn of a loop; for good elsewhere.
 *
 * Invariants: of the rest, only warps with simt_warp.unset come here; their instructions are
 * executed as ever.
 */
#include "watch/unset/regs.h"

#include <stdlib.h>

#include "machine/found.h"

/* instructions after which to look whether any such value is left */
enum { REST = 64 };

/* ---- life ------------------------------------------------------------------------------------ */

static void no_memory(simt_warp *w)
{
    w->worker->out_of_memory = true;
    found_fatal(w, NULL);
}

static void change(simt_warp *w, bool unset)
{ /* warp_resume goes on in the other loop */
    w->unset = unset;
    if (w->stop != STOP_NONE)
        return;
    w->stop = STOP_LOOP;
    w->reserved_fuel = w->fuel > 0 ? w->fuel : 0;
    w->fuel = 0;
    w->run_end = w->insns;
}

static bool has_room(simt_warp *w)
{
    if (w->following || (w->following = calloc(1, sizeof *w->following)))
        return true;
    no_memory(w);
    return false;
}

bool unset_enter(simt_warp *w)
{
    if (w->unset)
        return true;
    if (!has_room(w))
        return false;
    w->following->steps = 0;
    change(w, true);
    return true;
}

uint8_t *unset_bits(simt_warp *w, unsigned depth)
{
    struct unset_warp *n = w->following;
    if (n->bits[depth])
        return n->bits[depth];
    size_t room = (warp_frame_bytes(&w->frames[depth]) + 256 + 63) & ~(size_t)63;
    n->bits[depth] = aligned_alloc(64, 2 * room);
    if (!n->bits[depth]) {
        no_memory(w);
        return NULL;
    }
    memset(n->bits[depth], 0, 2 * room);
    n->room[depth] = room;
    return n->bits[depth];
}

uint32_t *unset_origin_of(simt_warp *w, uint8_t *bits, unsigned depth, int32_t offset)
{
    return (uint32_t *)(bits + w->following->room[depth] + offset);
}

void unset_close_frame(simt_warp *w, unsigned depth)
{
    if (!w->following)
        return;
    free(w->following->bits[depth]);
    w->following->bits[depth] = NULL;
}

void unset_warp_start(simt_warp *w)
{
    for (unsigned k = 0; w->following && k < MAX_CALL_DEPTH; k++)
        unset_close_frame(w, k);
    if (w->following) {
        w->following->carry = 0;
        w->following->note_of = NULL;
    }
}

void unset_warp_free(simt_warp *w)
{
    unset_warp_start(w);
    free(w->following);
}

static bool any_left(simt_warp *w)
{
    uint64_t any = w->following->carry;
    for (unsigned k = 0; k < MAX_CALL_DEPTH && !any; k++)
        if (w->following->bits[k])
            for (size_t at = 0; at < w->following->room[k]; at += 8)
                any |= *(const uint64_t *)(w->following->bits[k] + at);
    return any;
}

/* ---- shifts by as many bits as the value has, or more ---------------------------------------- */

/* of what is shifted */
static unsigned width_of(const insn *i)
{
    char source = op_rows[i->row].shape[1];
    return source == 'x' ? 64 : source == 'h' ? 16 : 32;
}

void x_watched_shift(simt_warp *w, const insn *i, uint32_t mask)
{
    const uint32_t *by = (const uint32_t *)REG(i->b);
    unsigned width = width_of(i);
    uint32_t beyond = 0, amount = 0;
    if (w->worker->marks)
        FOR_LANES (l, mask)
            beyond |= (uint32_t)(by[l] >= width) << l;
    if (beyond)
        amount = by[__builtin_ctz(beyond)];
    exec_own(i)(w, i, mask);
    if (!beyond || !unset_enter(w))
        return;
    uint8_t *bits = unset_bits(w, unset_depth(w));
    if (!bits)
        return;
    *unset_origin_of(w, bits, unset_depth(w), i->d) = unset_note(
        w, SIMT_WIDE_SHIFT, i, (unsigned)__builtin_ctz(beyond), SPACE_PARAM_IN, amount, width / 8);
    FOR_LANES (l, beyond)
        memset(bits + i->d + (width == 64 ? 8 : 4) * l, 0xff, width == 64 ? 8 : 4);
}

/* ---- calls ----------------------------------------------------------------------------------- */

void unset_copy_param(simt_warp *w, unsigned to, const uint8_t *to_byte, unsigned from,
                      const uint8_t *from_byte, size_t bytes)
{
    if (!w->unset)
        return;
    uint8_t *target = unset_bits(w, to), *source = unset_bits(w, from);
    if (!target || !source)
        return;
    size_t at = (size_t)(to_byte - w->frames[to].regs),
           origin = (size_t)(from_byte - w->frames[from].regs);
    memcpy(target + at, source + origin, bytes);
    *(uint32_t *)(target + w->following->room[to] + at / 4 * 4) =
        *(uint32_t *)(source + w->following->room[from] + origin / 4 * 4);
}

/* ---- lanes that meet: called by the handlers of exec/warp.c ---------------------------------- */

static unsigned depth_of(const simt_warp *w, const uint8_t *own)
{
    for (unsigned k = 0; k < MAX_CALL_DEPTH; k++)
        if ((w->frame_used[k / 32] >> k % 32 & 1) && w->frames[k].regs == own)
            return k;
    return 0;
}

static bool regs_of(simt_warp *w, const party *p, regs *r)
{
    unsigned depth = depth_of(w, p->regs);
    *r = (regs){ .w = w, .i = p->at, .bits = unset_bits(w, depth) };
    if (r->bits)
        r->origins = (uint32_t *)(r->bits + w->following->room[depth]);
    return r->bits;
}

static void shuffled(simt_warp *w, const meeting *m)
{
    const party *parties = m->parties;
    unsigned n = m->count;
    uint32_t bits[LANES] = { 0 }, where = 0, value_origin = 0, where_origin = 0;
    regs r;
    if (!unset_enter(w))
        return;
    for (unsigned k = 0; k < n; k++) {
        if (!regs_of(w, &parties[k], &r))
            return;
        uint32_t open = regs_lanes(&r, r.i->b, false, parties[k].mask) |
                        regs_lanes(&r, r.i->c, false, parties[k].mask);
        where |= open;
        if (open)
            where_origin = r.origin;
        FOR_LANES (l, parties[k].mask) {
            bits[l] = (uint32_t)regs_get(&r, r.i->a, false, l);
            if (bits[l])
                value_origin = r.origins[r.i->a / 4];
        }
    }
    for (unsigned k = 0; k < n; k++) {
        const party *p = &parties[k];
        if (!regs_of(w, p, &r))
            return;
        uint32_t lost = m->absent & p->mask;
        r.origin = lost ? unset_note(w, SIMT_INACTIVE_LANE, p->at, (unsigned)__builtin_ctz(lost),
                                     SPACE_PARAM_IN, m->asked[__builtin_ctz(lost)], 4)
                   : where & p->mask ? where_origin
                                     : value_origin;
        uint64_t any = 0;
        FOR_LANES (l, p->mask) {
            uint32_t v = (lost | where) >> l & 1 ? ~0u : bits[m->from[l]];
            regs_put(&r, p->at->d, false, l, v);
            any |= v;
        }
        if (any)
            regs_set_origin(&r, p->at->d);
        regs_spoil_pred(&r, (int32_t)p->at->target - 1, p->mask, where);
    }
}

static void voted(simt_warp *w, const meeting *m)
{
    const party *parties = m->parties;
    unsigned n = m->count;
    uint32_t open = 0, origin = 0, yes = m->yes, all = m->all;
    regs r;
    for (unsigned k = 0; k < n; k++) {
        if (!regs_of(w, &parties[k], &r))
            return;
        open |= regs_pred_lanes(&r, r.i->a, parties[k].mask);
        if (!origin)
            origin = r.origin;
    }
    uint32_t sure_yes = yes & ~open, sure_no = all & ~yes & ~open;
    bool known = !open || (m->mode == VOTE_ALL && sure_no) || (m->mode == VOTE_ANY && sure_yes) ||
                 (m->mode == VOTE_UNI && sure_yes && sure_no);
    for (unsigned k = 0; k < n; k++) {
        if (!regs_of(w, &parties[k], &r))
            return;
        r.origin = origin;
        if (m->mode != VOTE_BALLOT) {
            regs_spoil_pred(&r, r.i->d, parties[k].mask, known ? 0 : FULL_MASK);
            continue;
        }
        FOR_LANES (l, parties[k].mask)
            regs_put(&r, r.i->d, false, l, open);
        if (open)
            regs_set_origin(&r, r.i->d);
    }
}

/* match, redux, elect: one value without a meaning takes it from every lane's result. */
static void met(simt_warp *w, const meeting *m)
{
    bool open = false;
    uint32_t origin = 0;
    regs r;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned k = 0; k < m->count; k++) {
            const party *p = &m->parties[k];
            if (!regs_of(w, p, &r))
                return;
            if (pass == 0) {
                open |= regs_lanes(&r, r.i->a, r.i->wide & 1, p->mask) != 0;
                if (!origin)
                    origin = r.origin;
                continue;
            }
            r.origin = origin;
            regs_spoil(&r, r.i->d, false, p->mask, open ? p->mask : 0);
            regs_spoil_pred(&r, (int32_t)r.i->target - 1, p->mask, open ? FULL_MASK : 0);
        }
}

void unset_meet(simt_warp *w, const meeting *m)
{
    if (m->kind == MEET_SHUFFLE && (m->absent || w->unset))
        shuffled(w, m);
    else if (m->kind == MEET_VOTE && w->unset)
        voted(w, m);
    else if (m->kind == MEET_VALUES && w->unset)
        met(w, m);
}

/* ---- where it matters ------------------------------------------------------------------------ */

/* A source that must have a meaning. What has been reported counts as having one. */
static void needs(regs *r, int32_t offset, bool wide, uint32_t mask, simt_cause use)
{
    if (offset < 0)
        return;
    r->origin = 0;
    uint32_t bad = regs_lanes(r, offset, wide, mask);
    if (!bad)
        return;
    unset_report(r->w, r->i, (unsigned)__builtin_ctz(bad), use, r->origin);
    FOR_LANES (l, bad)
        regs_put(r, offset, wide, l, 0);
    r->origin = 0;
}

static void needs_pred(regs *r, int32_t offset, uint32_t mask, simt_cause use)
{
    if (offset < 0)
        return;
    r->origin = 0;
    uint32_t bad = regs_pred_lanes(r, offset, mask);
    if (!bad)
        return;
    unset_report(r->w, r->i, (unsigned)__builtin_ctz(bad), use, r->origin);
    regs_spoil_pred(r, offset, bad, 0);
    r->origin = 0;
}

static void matters(regs *r, uint32_t mask, op_form form)
{
    const insn *i = r->i;
    const async_form *f = i->extra;
    uint32_t one = mask & -mask;
    if (form == FORM_memory || form == FORM_atomic)
        needs(r, i->a, i->wide & 1, mask, SIMT_CAUSE_ADDRESS);
    else if (form == FORM_bra || (form == FORM_leave && i->a >= 0))
        needs_pred(r, i->a, mask, SIMT_CAUSE_BRANCH);
    else if (form == FORM_brx)
        needs(r, i->a, false, mask, SIMT_CAUSE_BRANCH);
    else if (form == FORM_call)
        needs(r, i->a, true, mask, SIMT_CAUSE_BRANCH);
    else if (form == FORM_shfl)
        needs(r, (int32_t)(uint32_t)i->imm, false, one, SIMT_CAUSE_SYNC);
    else if (form == FORM_vote || form == FORM_match || form == FORM_redux || form == FORM_elect ||
             form == FORM_warp_sync)
        needs(r, i->b, false, one, SIMT_CAUSE_SYNC);
    else if (form == FORM_bar) {
        needs(r, i->a, false, one, SIMT_CAUSE_SYNC);
        needs(r, i->b, false, one, SIMT_CAUSE_SYNC);
        needs_pred(r, i->c, mask, SIMT_CAUSE_SYNC);
    } else if (form == FORM_mbarrier) {
        needs(r, i->a, i->wide & 1, mask, SIMT_CAUSE_ADDRESS);
        needs(r, i->b, i->kind == KIND_mbarrier_wait && !((const mbarrier_form *)i->extra)->parity,
              mask, SIMT_CAUSE_SYNC);
    } else if (form == FORM_cp_async || form == FORM_bulk) {
        needs(r, f->shared.reg, f->shared.wide, mask, SIMT_CAUSE_ADDRESS);
        needs(r, f->global.reg, f->global.wide, mask, SIMT_CAUSE_ADDRESS);
        needs(r, f->mbarrier.reg, f->mbarrier.wide, f->mbarrier.reg >= 0 ? mask : 0,
              SIMT_CAUSE_ADDRESS);
        needs(r, f->count, false, mask, SIMT_CAUSE_ADDRESS);
        needs_pred(r, f->ignore, mask, SIMT_CAUSE_GUARD);
    }
}

/* ---- registers that were never written ------------------------------------------------------- */

static uint32_t unwritten(const simt_warp *w, const reg_touch *t, uint32_t mask)
{
    return t->write ? 0 : mask & ~regs_word(w->regs, t->set);
}

static bool reads_unwritten(const simt_warp *w, const insn *i, uint32_t mask)
{
    unsigned count;
    const reg_touch *t = code_touches(w->frames[unset_depth(w)].code, i, &count);
    for (unsigned k = 0; k < count; k++)
        if (unwritten(w, &t[k], mask))
            return true;
    return false;
}

static void has_written(simt_warp *w, const reg_touch *t, uint32_t lanes)
{
    uint32_t v = regs_word(w->regs, t->set) | lanes;
    memcpy(w->regs + t->set, &v, 4);
}

static void whole(regs *r, const reg_touch *t, uint32_t lanes, uint32_t bad)
{
    if (t->bytes == 4)
        regs_spoil_pred(r, t->place, lanes, bad);
    else
        regs_spoil(r, t->place, t->bytes > 128, lanes, bad);
    if (t->bytes > 256)
        regs_spoil(r, t->place + 256, true, lanes, bad);
}

/* one note for all that read it, again and again */
static uint32_t note_of_register(simt_warp *w, const code *c, const insn *i, unsigned lane,
                                 unsigned reg)
{
    struct unset_warp *n = w->following;
    if (n->note_of != c || n->note_reg != reg)
        n->note = unset_note(w, SIMT_UNINITIALIZED, i, lane, SPACE_PARAM_IN, reg, 4);
    n->note_of = c;
    n->note_reg = reg;
    return n->note;
}

/* Registers that i reads and lanes of mask have not written get into the shadow. */
static void raise_unwritten(regs *r, uint32_t mask)
{
    unsigned count;
    const code *c = r->w->frames[unset_depth(r->w)].code;
    const reg_touch *t = code_touches(c, r->i, &count);
    for (unsigned k = 0; k < count; k++) {
        uint32_t open = unwritten(r->w, &t[k], mask);
        if (!open)
            continue;
        r->origin = note_of_register(r->w, c, r->i, (unsigned)__builtin_ctz(open), t[k].reg);
        whole(r, &t[k], open, open);
    }
}

/* Does i do nothing but compute one value, into another place than t's? */
static bool only_computes(const insn *i, op_form form, const reg_touch *t)
{
    bool one = form == FORM_shape || form == FORM_setp || form == FORM_four || form == FORM_cvt ||
               (form == FORM_mov && i->kind != KIND_mov_pack && i->kind != KIND_mov_unpack);
    return one && t->place != i->d && t->place != (int32_t)i->target - 1;
}

/* After i: they leave the shadow, or count as written, in the shadow for good. */
static void settle_unwritten(regs *r, uint32_t mask, op_form form, const code *c)
{
    unsigned count;
    const reg_touch *t = code_touches(c, r->i, &count);
    for (unsigned k = 0; k < count; k++) {
        uint32_t open = unwritten(r->w, &t[k], mask);
        if (open && only_computes(r->i, form, &t[k]))
            whole(r, &t[k], open, 0);
        else if (open)
            has_written(r->w, &t[k], open);
    }
}

static void watched_execute(simt_warp *w, const insn *i, uint32_t mask)
{
    unsigned count;
    const code *c = w->frames[unset_depth(w)].code;
    const reg_touch *t = code_touches(c, i, &count);
    for (unsigned k = 0; k < count; k++)
        if (t[k].write)
            has_written(w, &t[k], mask);
    if (unset_telling_shift(c, i))
        x_watched_shift(w, i, mask);
    else
        exec_own(i)(w, i, mask);
}

void unset_look(simt_warp *w, const insn *i, uint32_t mask)
{
    if (!w->worker->marks || w->unset || !reads_unwritten(w, i, mask) || !has_room(w))
        return;
    unsigned depth = unset_depth(w);
    regs r = { .w = w, .i = i, .bits = unset_bits(w, depth) };
    if (!r.bits)
        return;
    r.origins = (uint32_t *)(r.bits + w->following->room[depth]);
    raise_unwritten(&r, mask);
    matters(&r, mask, insn_form(i));
    settle_unwritten(&r, mask, FORM_none, w->frames[depth].code);
}

void x_watched(simt_warp *w, const insn *i, uint32_t mask)
{
    static const watcher *const nobody[] = { NULL };
    bool first =
        w->worker->marks && !w->unset && reads_unwritten(w, i, i->guard >= 0 ? w->active : mask);
    if (first && i->kind == KIND_bra)
        unset_look(w, i, mask);
    else if (first && unset_enter(w)) {
        unset_step(w, i, mask, nobody);
        return;
    }
    watched_execute(w, i, mask);
}

/* ---- one instruction ------------------------------------------------------------------------- */

/* Does it do nothing but write registers? */
static bool pure(const insn *i, op_form form)
{
    return form == FORM_shape || form == FORM_mov || form == FORM_cvt || form == FORM_four ||
           form == FORM_setp || form == FORM_isspacep || form == FORM_ignore ||
           (form == FORM_memory && !((const memory_form *)i->extra)->write);
}

bool unset_steps(const simt_warp *w) { return w->unset; }

void unset_step(simt_warp *w, const insn *i, uint32_t mask, const watcher *const *inner)
{
    unsigned depth = unset_depth(w);
    regs r = { .w = w, .i = i, .bits = unset_bits(w, depth) };
    op_form form = insn_form(i);
    uint32_t open = 0, origin = 0;
    if (!r.bits)
        return;
    r.origins = (uint32_t *)(r.bits + w->following->room[depth]);
    const code *c = w->frames[depth].code;
    raise_unwritten(&r, i->guard >= 0 ? w->active : mask);
    if (i->guard >= 0 && form != FORM_none) {
        if (!pure(i, form))
            needs_pred(&r, i->guard & ~1, w->active, SIMT_CAUSE_GUARD);
        open = regs_pred_lanes(&r, i->guard & ~1, w->active);
        origin = r.origin;
    }
    if (mask && form != FORM_none) {
        matters(&r, mask, form);
        regs_propagate(&r, mask, form);
    }
    settle_unwritten(&r, i->guard >= 0 ? w->active : mask, form, c);
    watched_step(w, i, mask, inner);
    if (open && w->stop != STOP_FAULT)
        regs_doubtful(&r, open, origin, form);
    if (++w->following->steps % REST == 0 && !any_left(w))
        change(w, false);
}
