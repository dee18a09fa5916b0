/*
 * step.c: shows a caller what warps execute, one instruction at a time. Interface: simt_on_step
 * (simt.h); step_watcher (watch.h).
 *
 * machine/warp.c asks steps() once a slice, and only where this watcher is on: every other warp
 * runs in the plain loop. What is shown is copied, so that the caller sees nothing of the engine.
 * What an instruction writes is named by its first PTX operand: whatever the handler did, the
 * registers' places hold it afterwards.
 */
#include "machine/machine.h"
#include "watch/hooks.h"
#include "watch/watch.h"
#include "machine/site.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool steps(const simt_warp *w)
{
    const simt_step_select *s = &w->worker->device->step_select;
    const simt_dim *b = &w->block->id;
    return w->worker->device->step && (s->any_warp || s->warp == w->index) &&
           (s->any_block || (s->block.x == b->x && s->block.y == b->y && s->block.z == b->z));
}

/* .f32 of cvt.rn.f32.s32: what is written comes first there, last elsewhere. */
static simt_value_kind kind_of(const ptx_instr *p)
{
    bool first = strcmp(p->op, "cvt") == 0 || strcmp(p->op, "set") == 0;
    const char *type = "b";
    for (unsigned k = 0; k < p->mod_count; k++) {
        if (ptx_type_named(p->mods[k]) == PTX_NO_TYPE)
            continue;
        type = p->mods[k];
        if (first)
            break;
    }
    if (strcmp(p->op, "popc") == 0 || strcmp(p->op, "clz") == 0)
        type = "u32";
    return *type == 'f'   ? SIMT_VALUE_FLOAT
           : *type == 's' ? SIMT_VALUE_SIGNED
           : *type == 'u' ? SIMT_VALUE_UNSIGNED
                          : SIMT_VALUE_BITS;
}

/* The next register's name in text; moves *text past it. */
static void next_name(const char **text, char *out, size_t bytes)
{
    const char *s = *text;
    while (*s && *s != '%')
        s++;
    size_t n = 0;
    do
        n++;
    while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$' || s[n] == '.');
    snprintf(out, bytes, "%.*s", *s ? (int)n : 0, s);
    *text = *s ? s + n : s;
}

static void show_register(simt_step *s, const code *c, const uint8_t *regs, int reg,
                          simt_value_kind kind, const char **names)
{
    if (reg < 0 || s->written == SIMT_MAX_WRITTEN)
        return;
    simt_written *v = &s->value[s->written++];
    const uint8_t *from = regs + c->reg_offset[reg];
    ptx_type type = c->ptx->regs[reg];
    next_name(names, v->name, sizeof v->name);
    v->kind = type == PTX_PRED ? SIMT_VALUE_PREDICATE : kind;
    v->bytes = type == PTX_B64 ? 8 : 4;
    uint32_t bits = 0;
    if (type == PTX_PRED)
        memcpy(&bits, from, 4);
    for (unsigned l = 0; l < LANES; l++) {
        v->value[l] = type == PTX_PRED ? bits >> l & 1 : 0;
        if (type != PTX_PRED)
            memcpy(&v->value[l], from + l * v->bytes, v->bytes);
    }
}

static void show_written(simt_step *s, const code *c, const uint8_t *regs, const ptx_instr *p)
{
    if (p->operand_count == 0 || !decode_writes_first(p))
        return;
    const ptx_operand *o = &p->operands[0];
    const char *names = strstr(s->text, p->op);
    simt_value_kind kind = kind_of(p);
    if (o->kind == PTX_REG) {
        show_register(s, c, regs, o->reg, kind, &names);
        show_register(s, c, regs, o->reg2, kind, &names);
    }
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->item_count; k++)
        if (o->items[k].kind == PTX_REG)
            show_register(s, c, regs, o->items[k].reg, kind, &names);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Of a generic address. */
static simt_space window_of(uint64_t address)
{
    return address - SHARED_WINDOW < WINDOW_BYTES  ? SIMT_SPACE_SHARED
           : address - LOCAL_WINDOW < WINDOW_BYTES ? SIMT_SPACE_LOCAL
           : address - PARAM_WINDOW < WINDOW_BYTES ? SIMT_SPACE_PARAMETER
                                                   : SIMT_SPACE_GLOBAL;
}

static simt_space space_of(access_space space)
{
    return space == SPACE_SHARED                                  ? SIMT_SPACE_SHARED
           : space == SPACE_LOCAL                                 ? SIMT_SPACE_LOCAL
           : space == SPACE_PARAM_IN || space == SPACE_PARAM_CALL ? SIMT_SPACE_PARAMETER
                                                                  : SIMT_SPACE_GLOBAL;
}

/* What it is about to do: addresses may be in registers that it writes. */
static void show_access(simt_access *a, const simt_warp *w, const insn *i, uint32_t mask)
{
    const op_form form = insn_form(i);
    const memory_form *f = i->extra;
    if (!mask || (form != FORM_memory && form != FORM_atomic))
        return;
    a->write = f->write;
    a->atomic = form == FORM_atomic;
    a->bytes = (unsigned)f->bytes * f->vector;
    a->mask = mask;
    memory_addresses(w, i, a->address);
    a->space = space_of(f->space);
    if (f->space != SPACE_GENERIC)
        return;
    a->space = window_of(a->address[__builtin_ctz(mask)]);
    LANE_LOOP
        if (window_of(a->address[l]) != a->space)
            a->mask &= ~(1u << l);
        else if (a->space == SIMT_SPACE_LOCAL)
            a->address[l] = local_offset(w, (unsigned)l, a->address[l]);
        else if (a->space != SIMT_SPACE_GLOBAL)
            a->address[l] &= WINDOW_BYTES - 1;
}

static const insn_counts *counts_of(const simt_warp *w, unsigned counter)
{
    static const insn_counts none;
    return w->worker->counts ? &w->worker->counts[counter] : &none;
}

/* before: of the same instruction. */
static void show_cost(simt_access *a, const insn_counts *before, const insn_counts *now)
{
    const uint64_t lines = now->lines - before->lines;
    a->wavefronts = (unsigned)(now->wavefronts - before->wavefronts + lines);
    a->wavefronts_ideal = (unsigned)(now->wavefronts_ideal - before->wavefronts_ideal + lines);
    a->sectors = (unsigned)(now->sectors - before->sectors);
    a->sectors_ideal = (unsigned)(now->sectors_ideal - before->sectors_ideal);
}

/* ---- one instruction ------------------------------------------------------------------------- */

/* After the instruction that is about to be executed: its fuel is taken already. */
static uint64_t time_of(const simt_warp *w)
{
    return w->worker->spent + (uint64_t)(w->slice - w->reserved_fuel - w->fuel);
}

static bool is_meeting(const insn *i)
{
    return i->kind == KIND_bar_sync || i->kind == KIND_bar_warp_sync;
}

static void step(simt_warp *w, const insn *i, uint32_t mask, const watcher *const *inner)
{
    simt_device *d = w->worker->device;
    const code *c = warp_frame(w)->code; /* before: a return frees the frame */
    uint8_t *regs = w->regs;
    uint32_t active = w->active, pc = (uint32_t)(i - c->insns);
    int current = w->current;
    const uint64_t time = time_of(w);
    const unsigned counter = w->counter_base + pc;
    const insn_counts before = *counts_of(w, counter);
    simt_access access = { .space = SIMT_SPACE_NONE };
    show_access(&access, w, i, mask);
    watched_step(w, i, mask, inner);
    if (!d->step || (i->flags & OPF_PSEUDO))
        return;
    const ptx_instr *p = &c->ptx->instrs[c->source[pc]];
    const ptx_module *m = c->module->ptx;
    const split *now = &w->splits[current];
    simt_step s = { .launch = d->launches,
                    .block = w->block->id,
                    .number = w->block->number,
                    .time = time,
                    .warp = w->index,
                    .active = active,
                    .mask = mask,
                    .meets = is_meeting(i),
                    .findings = w->worker->finding_count,
                    .ptx_line = p->ptx_line,
                    .access = access,
                    .file = "" };
    if (access.space != SIMT_SPACE_NONE)
        show_cost(&s.access, &before, counts_of(w, counter));
    s.waits = (now->state == SPLIT_WAITS_SYNC || now->state == SPLIT_WAITS_BARRIER) &&
              now->pc == pc && w->current != current;
    site_pretty_name(w->block->part->kernel->ptx->name, s.kernel, sizeof s.kernel);
    if (p->line && p->file < m->file_count) {
        s.file = m->files[p->file];
        s.line = p->line;
    }
    listing_text(p, s.text, sizeof s.text);
    s.stopped = w->stop == STOP_FAULT;
    if (!s.waits && !s.stopped && mask)
        show_written(&s, c, regs, p);
    d->stepping = w;
    if (!d->step(d->step_user, &s))
        d->step = NULL;
    d->stepping = NULL;
}

/* ---- what may be asked meanwhile ------------------------------------------------------------- */

size_t simt_step_shared(const simt_device *d, void *to, uint8_t *set, size_t bytes)
{
    const simt_block *b = d && d->stepping ? d->stepping->block : NULL;
    if (!b)
        return 0;
    if (bytes > b->shared_bytes)
        bytes = b->shared_bytes;
    if (to)
        memcpy(to, b->shared, bytes);
    for (size_t k = 0; set && k < bytes / 4; k++)
        set[k] = !b->marks || (b->marks[k] & MARK_SET) == MARK_SET;
    return b->shared_bytes;
}

void simt_step_block(const simt_device *d, simt_step_warps *warps)
{
    const simt_block *b = d->stepping->block;
    *warps = (simt_step_warps){ .all = b->all_warps, .done = b->done, .blocked = b->blocked };
}

simt_status simt_on_step(simt_device *d, const simt_step_select *select, simt_step_fn *fn,
                         void *user)
{
    if (!d || (fn && !select))
        return SIMT_BAD_ARGUMENT;
    d->step = fn;
    d->step_user = user;
    if (select)
        d->step_select = *select;
    return SIMT_OK;
}

const watcher step_watcher = { .name = "steps", .alone = true, .steps = steps, .step = step };
