/*
 * registers.c: where each PTX register of a function lives in a frame. PTX names a fresh register
 * for nearly every value; those whose lives do not overlap share a place, so that the frames of a
 * block's warps fit a core's first cache. Interface: decode_registers (decode.h).
 *
 * Lives are intervals over the program text: from a register's first to its last mention, stretched
 * over every block at whose start or end it is live (backward data flow). That is right for warps
 * as it is for threads: a lane reads and writes its own 4 or 8 bytes of a place only, and follows
 * one path through the text. Places are given out by linear scan (Poletto and Sarkar, "Linear Scan
 * Register Allocation", 1999), 32- and 64-bit registers apart. A source that dies in an instruction
 * may share its place with the destination: handlers read a lane before they write it. Predicates
 * are small and keep a place each. Only registers that some instruction mentions count: a text may
 * declare a million and use ten.
 *
 * A register that is live where the function begins may be read before it is written: in C, a
 * variable that was never set. Each gets a mask in the frame, beside the predicates, of the lanes
 * that have written it; watch/unset keeps it at the instructions that touch the register. Most
 * functions have none.
 */
#include "code/decode.h"

#include <stdlib.h>
#include <string.h>

/* positions: 2 * instruction for its sources, + 1 for what it writes */
typedef struct life {
    unsigned reg, from, to;
} life;

typedef struct lives {
    const ptx_function *ptx;
    const flow *flow;
    /* of each register among those that are mentioned; NOWHERE: it is not */
    uint32_t *index;
    unsigned count;                   /* how many are */
    unsigned words;                   /* of a set of registers */
    uint64_t *uses, *defs, *in, *out; /* sets by block */
    life *life;                       /* by index */
    unsigned block, at;               /* while walking */
} lives;

#define NOWHERE        UINT32_MAX
#define MOST_SET_BYTES ((size_t)1 << 30) /* of one of the four tables of sets */

static bool bit(const uint64_t *set, unsigned r) { return set[r / 64] >> r % 64 & 1; }

static void stretch(lives *v, unsigned reg, unsigned position)
{
    life *l = &v->life[reg];
    if (position < l->from)
        l->from = position;
    if (position > l->to)
        l->to = position;
}

static void stretch_all(lives *v, const uint64_t *set, unsigned position)
{
    for (unsigned k = 0; k < v->words; k++)
        for (uint64_t left = set[k]; left; left &= left - 1)
            stretch(v, 64 * k + (unsigned)__builtin_ctzll(left), position);
}

static void note_use(lives *v, int reg)
{
    if (reg < 0)
        return;
    unsigned r = v->index[reg];
    stretch(v, r, 2 * v->at);
    uint64_t *defs = v->defs + (size_t)v->block * v->words;
    if (!bit(defs, r))
        v->uses[(size_t)v->block * v->words + r / 64] |= 1ull << r % 64;
}

/* A guarded instruction may leave the old value: it reads as well. */
static void note_def(lives *v, int reg, bool guarded)
{
    if (reg < 0)
        return;
    unsigned r = v->index[reg];
    if (guarded)
        note_use(v, reg);
    stretch(v, r, 2 * v->at + 1);
    v->defs[(size_t)v->block * v->words + r / 64] |= 1ull << r % 64;
}

static void walk(lives *v, const ptx_operand *o, bool def, bool guarded)
{
    if (def && o->kind != PTX_ADDRESS) {
        note_def(v, o->reg, guarded);
        note_def(v, o->reg2, guarded);
    } else {
        note_use(v, o->reg);
        note_use(v, o->reg2);
    }
    for (unsigned k = 0; k < o->item_count; k++)
        walk(v, &o->items[k], def, guarded);
}

static void walk_instruction(lives *v, const ptx_instr *p)
{
    note_use(v, p->guard);
    bool first = decode_writes_first(p);
    for (unsigned k = first; k < p->operand_count; k++)
        walk(v, &p->operands[k], false, false);
    if (first && p->operand_count)
        walk(v, &p->operands[0], true, p->guard >= 0);
}

static void flow_backwards(lives *v)
{
    const flow *f = v->flow;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned b = f->blocks; b-- > 0;) {
            uint64_t *in = v->in + (size_t)b * v->words, *out = v->out + (size_t)b * v->words;
            for (unsigned s = 0; s < f->succs[b]; s++) {
                if (f->succ[b][s] >= f->blocks)
                    continue;
                const uint64_t *next = v->in + (size_t)f->succ[b][s] * v->words;
                for (unsigned k = 0; k < v->words; k++)
                    out[k] |= next[k];
            }
            for (unsigned k = 0; k < v->words; k++) {
                uint64_t now = v->uses[(size_t)b * v->words + k] |
                               (out[k] & ~v->defs[(size_t)b * v->words + k]);
                changed |= now != in[k];
                in[k] = now;
            }
        }
    }
}

static void mention(lives *v, int reg)
{
    if (reg >= 0 && v->index[reg] == NOWHERE)
        v->index[reg] = v->count++;
}

static void mention_operand(lives *v, const ptx_operand *o)
{
    mention(v, o->reg);
    mention(v, o->reg2);
    for (unsigned k = 0; k < o->item_count; k++)
        mention_operand(v, &o->items[k]);
}

static bool number_registers(decoder *d, lives *v)
{
    v->index = decode_take(d, (d->ptx->reg_count + 1) * sizeof *v->index);
    if (!v->index)
        return false;
    memset(v->index, 0xff, (d->ptx->reg_count + 1) * sizeof *v->index);
    for (unsigned i = 0; i < d->ptx->instr_count; i++) {
        const ptx_instr *p = &d->ptx->instrs[i];
        mention(v, p->guard);
        for (unsigned k = 0; k < p->operand_count; k++)
            mention_operand(v, &p->operands[k]);
    }
    v->life = decode_take(d, (v->count + 1) * sizeof *v->life);
    if (!v->life)
        return false;
    for (unsigned r = 0; r < d->ptx->reg_count; r++)
        if (v->index[r] != NOWHERE)
            v->life[v->index[r]] = (life){ r, UINT32_MAX, 0 };
    return true;
}

static bool find_lives(decoder *d, lives *v)
{
    const flow *f = v->flow = &d->flow;
    v->ptx = d->ptx;
    if (!number_registers(d, v))
        return false;
    v->words = v->count / 64 + 1;
    size_t set = (size_t)(f->blocks + 1) * v->words * sizeof(uint64_t);
    if (set > MOST_SET_BYTES)
        return false;
    v->uses = decode_take(d, set);
    v->defs = decode_take(d, set);
    v->in = decode_take(d, set);
    v->out = decode_take(d, set);
    if (d->out_of_memory)
        return false;
    for (v->at = 0; v->at < f->instrs; v->at++) {
        v->block = f->block[v->at];
        walk_instruction(v, &d->ptx->instrs[v->at]);
    }
    flow_backwards(v);
    for (unsigned b = 0; b < f->blocks; b++) {
        unsigned end = b + 1 < f->blocks ? f->start[b + 1] : f->instrs;
        stretch_all(v, v->in + (size_t)b * v->words, 2 * f->start[b]);
        stretch_all(v, v->out + (size_t)b * v->words, 2 * end - 1);
    }
    return true;
}

static int by_start(const void *a, const void *b)
{
    const life *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->reg < y->reg ? -1 : x->reg > y->reg;
}

static size_t place_bytes(ptx_type t) { return t == PTX_B128 ? 512 : t == PTX_B64 ? 256 : 128; }

/* Places of `bytes` each from `at` on for the registers of one width; returns where they end.
   *most: places in use at once. */
static size_t place_class(decoder *d, const life *sorted, unsigned lives, size_t bytes, size_t at,
                          unsigned *most)
{
    unsigned count = 0, *ends = decode_take(d, (lives + 1) * sizeof *ends);
    if (!ends)
        return at;
    for (unsigned k = 0; k < lives; k++) {
        const life *l = &sorted[k];
        ptx_type t = d->ptx->regs[l->reg];
        if (t == PTX_PRED || place_bytes(t) != bytes || l->from > l->to)
            continue;
        unsigned place = 0;
        while (place < count && ends[place] >= l->from)
            place++;
        if (place == count)
            count++;
        ends[place] = l->to;
        d->reg_offset[l->reg] = (int32_t)(at + place * bytes);
    }
    *most = count;
    return at + count * bytes;
}

static bool has_alloca(const ptx_function *p)
{
    for (unsigned i = 0; i < p->instr_count; i++)
        if (strcmp(p->instrs[i].op, "alloca") == 0)
            return true;
    return false;
}

/* May a thread read a register that it has not written? shfl reads other lanes' registers, which
   may not have come so far. */
static bool reads_unwritten(const lives *v)
{
    for (unsigned k = 0; k < v->words; k++)
        if (v->flow->blocks && v->in[k])
            return true;
    for (unsigned i = 0; i < v->ptx->instr_count; i++)
        if (strcmp(v->ptx->instrs[i].op, "shfl") == 0)
            return true;
    return false;
}

/* Masks for those that may be read unwritten, from `at` on; returns where they end. */
static size_t place_masks(decoder *d, const lives *v, size_t at)
{
    d->reg_set = NULL;
    for (unsigned k = 0; v->flow->blocks && k < v->count; k++) {
        unsigned reg = v->life[k].reg;
        if (!bit(v->in, k))
            continue;
        if (!d->reg_set) {
            size_t bytes = (d->ptx->reg_count + 1) * sizeof *d->reg_set;
            d->reg_set = decode_take(d, bytes);
            if (!d->reg_set)
                return at;
            memset(d->reg_set, 0xff, bytes);
        }
        d->reg_set[reg] = (int32_t)at;
        at += 4;
    }
    return at;
}

bool decode_registers(decoder *d)
{
    const ptx_function *p = d->ptx;
    lives v = { 0 };
    d->reg_offset = decode_take(d, (p->reg_count + 1) * sizeof *d->reg_offset);
    d->code->reg_offset = d->reg_offset;
    if (!d->reg_offset || !find_lives(d, &v))
        return false;
    d->dead = decode_take(d, p->reg_count + 1);
    if (!d->dead)
        return false;
    memset(d->dead, 0, p->reg_count + 1);
    for (unsigned k = 0; k < v.count; k++)
        d->dead[v.life[k].reg] = v.life[k].from == v.life[k].to;
    size_t at = 0;
    for (unsigned r = 0; r < p->reg_count; r++)
        if (p->regs[r] == PTX_PRED && v.index[r] != NOWHERE)
            d->reg_offset[r] = (int32_t)at, at += 4;
    at = zeros_find(d, place_masks(d, &v, at));
    at = (at + 63) & ~(size_t)63;
    d->code->sink_offset = at;
    d->sink = (int32_t)at; /* where values given to _ go */
    at += 256;
    qsort(v.life, v.count, sizeof *v.life, by_start);
    unsigned words = 0, longs = 0, quads = 0;
    at = place_class(d, v.life, v.count, 128, at, &words);
    d->code->alloca_top = has_alloca(p) ? (int32_t)at : -1;
    if (has_alloca(p))
        at += 128;
    d->code->wide_offset = at;
    at = place_class(d, v.life, v.count, 256, at, &longs);
    at = place_class(d, v.life, v.count, 512, at, &quads);
    d->code->const_offset = at;
    d->code->clear_bytes = reads_unwritten(&v) || has_alloca(p) ? at : d->code->sink_offset;
    unsigned estimate = words + 2 * longs + 4 * quads + 6; /* a few for addresses and the ABI */
    d->code->register_estimate = estimate < 16 ? 16 : estimate > 255 ? 255 : estimate;
    return !d->out_of_memory && at < INT32_MAX / 2;
}

/* ---- reads and writes of registers that may be unwritten ------------------------------------- */

typedef struct touch_list {
    reg_touch *all; /* null while they are counted */
    unsigned count;
} touch_list;

static void touch(const decoder *d, touch_list *t, int reg, bool write)
{
    if (reg < 0 || d->reg_set[reg] < 0)
        return;
    ptx_type type = d->ptx->regs[reg];
    if (t->all)
        t->all[t->count] = (reg_touch){ .reg = (unsigned)reg,
                                        .place = d->reg_offset[reg],
                                        .set = d->reg_set[reg],
                                        .bytes = type == PTX_PRED ? 4 : (uint16_t)place_bytes(type),
                                        .write = write };
    t->count++;
}

static void touch_operand(const decoder *d, touch_list *t, const ptx_operand *o, bool write)
{
    touch(d, t, o->reg, write && o->kind != PTX_ADDRESS);
    touch(d, t, o->reg2, write && o->kind != PTX_ADDRESS);
    for (unsigned k = 0; k < o->item_count; k++)
        touch_operand(d, t, &o->items[k], write);
}

static void touch_all(const decoder *d, touch_list *t, uint32_t *from)
{
    const code *c = d->code;
    t->count = 0;
    for (unsigned i = 0; i < c->count; i++) {
        const ptx_instr *p = &d->ptx->instrs[c->source[i]];
        from[i] = t->count;
        if (c->insns[i].flags & OPF_PSEUDO)
            continue;
        touch(d, t, p->guard, false);
        for (unsigned k = 0; k < p->operand_count; k++)
            touch_operand(d, t, &p->operands[k], k == 0 && decode_writes_first(p));
    }
    from[c->count] = t->count;
}

bool decode_touches(decoder *d)
{
    code *c = d->code;
    touch_list t = { 0 };
    if (!d->reg_set)
        return true;
    uint32_t *from = decode_take(d, (c->count + 1) * sizeof *from);
    if (!from)
        return false;
    touch_all(d, &t, from);
    t.all = decode_take(d, (t.count + 1) * sizeof *t.all);
    if (!t.all)
        return false;
    touch_all(d, &t, from);
    c->touches = t.all;
    c->touch_from = from;
    return true;
}
