/*
 * site.c: see site.h.
 */
#include "code/decode.h"
#include "machine/pinned.h"
#include "machine/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const code *site_code_of(const simt_device *d, const insn *i, uint32_t *pc)
{
    for (unsigned f = 0; f < d->function_count; f++) {
        const code *c = d->functions[f];
        if (c->insns && i >= c->insns && i < c->insns + c->count) {
            *pc = (uint32_t)(i - c->insns);
            return c;
        }
    }
    return NULL;
}

/* Behind a length-prefixed name; *name, *length: it. Null: there is none. */
static const char *read_name(const char *s, const char **name, size_t *length)
{
    char *end;
    long n = *s >= '1' && *s <= '9' ? strtol(s, &end, 10) : 0;
    if (n <= 0 || (size_t)n > strlen(end))
        return NULL;
    *name = end;
    *length = (size_t)n;
    return end + n;
}

/* Thrust has one kernel, whose argument is what it does: _kernel_agent<ReduceAgent<...>>. */
static void find_agent(const char *s, const char **name, size_t *length)
{
    const char *agent = strstr(s, "Agent"), *start = agent;
    if (*length != 13 || strncmp(*name, "_kernel_agent", 13) != 0 || !agent)
        return;
    while (start > s && ((start[-1] | 32) >= 'a' && (start[-1] | 32) <= 'z'))
        start--;
    *name = start;
    *length = (size_t)(agent - start) + 5;
}

/* _Z13reduce_kernelPKfPf -> reduce_kernel; _ZN3app4scanEPi -> scan; _ZZ2hsE1s, _ZZN2hsE..E1s -> s:
   the last length-prefixed name that follows the last E. */
void site_pretty_name(const char *mangled, char *out, size_t bytes)
{
    const char *s = mangled;
    snprintf(out, bytes, "%s", mangled);
    if (strncmp(s, "_Z", 2) != 0)
        return;
    bool local = s[2] == 'Z';
    if (local) {
        const char *e = s;
        for (const char *p = s; *p; p++)
            if (*p == 'E' && p[1] >= '1' && p[1] <= '9')
                e = p + 1;
        if (e == s)
            return;
        s = e;
    } else {
        s += 2;
        while (*s && (*s < '1' || *s > '9'))
            s++;
    }
    const char *name;
    size_t length;
    const bool nested = !local && mangled[2] == 'N';
    if (!(s = read_name(s, &name, &length)))
        return;
    while (nested && *s >= '1' && *s <= '9')
        if (!(s = read_name(s, &name, &length)))
            return;
    find_agent(s, &name, &length);
    snprintf(out, bytes, "%.*s", (int)length, name);
}

void site_thread(const simt_block *b, unsigned thread, simt_dim *out)
{
    const simt_dim *d = &b->part->args->block;
    *out = (simt_dim){ thread % d->x, thread / d->x % d->y, thread / d->x / d->y };
}

void site_of_part(const simt_device *d, const launch_part *p, simt_site *s)
{
    site_pretty_name(p->kernel->ptx->name, s->kernel, sizeof s->kernel);
    s->gpu = d->gpus > 1 ? (uint8_t)(p->gpu + 1) : 0;
}

void site_fill(const simt_warp *w, const code *c, uint32_t pc, unsigned lane, simt_site *s)
{
    *s = (simt_site){ .block = w->block->id, .warp = w->index, .lane = lane };
    site_thread(w->block, w->index * LANES + lane, &s->thread);
    site_of_part(w->worker->device, w->block->part, s);
    site_fill_line(c, pc, s);
}

static bool uses(const ptx_instr *p, int reg)
{
    for (unsigned k = op_is(p, "st") ? 0 : 1; k < p->operand_count; k++)
        if ((p->operands[k].kind == PTX_REG || p->operands[k].kind == PTX_ADDRESS) &&
            p->operands[k].reg == reg)
            return true;
    return false;
}

/* A load that the compiler has moved stands in the source where its value is used; null: nowhere
   that is known. */
static const ptx_instr *user_of(const ptx_function *f, const ptx_instr *load)
{
    int reg = load->operands[0].kind == PTX_REG ? load->operands[0].reg : -1;
    for (const ptx_instr *p = load + 1; reg >= 0 && p < f->instrs + f->instr_count; p++) {
        if (!uses(p, reg))
            continue;
        if (!p->moved)
            return p;
        if (p->operands[0].kind != PTX_REG || op_is(p, "st") || op_is(p, "bra"))
            return NULL;
        reg = p->operands[0].reg;
    }
    return NULL;
}

void site_fill_line(const code *c, uint32_t pc, simt_site *s)
{
    if (pc >= c->count || c->ptx->instr_count == 0)
        return;
    const ptx_instr *p = &c->ptx->instrs[c->source[pc]];
    const ptx_module *m = c->module->ptx;
    const ptx_instr *user =
        p->moved && op_is(p, "ld") && p->operand_count ? user_of(c->ptx, p) : NULL;
    s->ptx_line = p->ptx_line;
    s->of_library = ptx_is_library(m, p->code_file);
    for (unsigned k = 0; k < p->mod_count && !s->passing; k++)
        s->passing = strcmp(p->mods[k], "cg") == 0;
    p = user ? user : p;
    s->line = p->line;
    if (p->line && p->file < m->file_count)
        snprintf(s->file, sizeof s->file, "%s", m->files[p->file]);
}

static const shared_var *var_of(const code *c, size_t offset)
{
    const shared_var *best = NULL;
    for (unsigned i = 0; i < c->shared_var_count; i++) {
        const shared_var *v = &c->shared_vars[i];
        if (offset >= v->offset && offset - v->offset < v->bytes &&
            (!best || v->offset >= best->offset))
            best = v;
    }
    return best;
}

/* What a function declares in its body is no variable of the kernel that calls it. */
const shared_var *site_shared_var(const code *c, size_t offset)
{
    const module *m = c->module;
    const shared_var *found = var_of(c, offset);
    for (unsigned k = 0; !found && k < m->function_count; k++)
        if (c->shared_at[m->ptx->var_count + k] != SIZE_MAX)
            found = var_of(&m->functions[k], offset);
    return found;
}

/* ---- places in memory ------------------------------------------------------------------------ */

bool site_has_name(const allocation *a) { return a->name && !strchr(a->name, ' '); }

/* The member that this byte of a struct belongs to; null: there is none, or it is unknown. */
static const ptx_member *member_at(const ptx_module *m, const char *variable, size_t offset)
{
    for (unsigned i = 0; i < m->member_count; i++) {
        const ptx_member *k = &m->members[i];
        if (offset >= k->offset && (offset - k->offset) / k->bytes < k->count &&
            strcmp(variable, k->variable) == 0)
            return k;
    }
    return NULL;
}

void site_in_shared(const code *kernel, size_t offset, simt_place *p)
{
    const shared_var *v = site_shared_var(kernel, offset);
    *p = (simt_place){ .space = SIMT_SPACE_SHARED, .address = offset, .index = -1 };
    if (!v)
        return;
    site_pretty_name(v->name, p->variable, sizeof p->variable);
    p->element_bytes = v->element ? v->element : 1;
    p->elements = v->bytes / p->element_bytes;
    size_t from = v->offset;
    const ptx_member *member = member_at(kernel->module->ptx, v->name, offset - from);
    if (member) {
        const size_t used = strlen(p->variable);
        snprintf(p->variable + used, sizeof p->variable - used, "%s", member->name);
        p->element_bytes = (unsigned)member->bytes;
        p->elements = member->count;
        from += member->offset;
    }
    p->index = (int64_t)((offset - from) / p->element_bytes);
}

void site_in_global(const simt_device *d, simt_addr address, unsigned size, simt_place *p)
{
    const allocation *a = memory_find(&d->memory, address);
    *p = (simt_place){ .space = SIMT_SPACE_GLOBAL, .address = address, .index = -1 };
    if (!a || address - a->start >= a->bytes)
        return;
    bool named = site_has_name(a);
    if (named)
        site_pretty_name(a->name, p->variable, sizeof p->variable);
    p->element_bytes = named && a->element ? a->element : size ? size : 4;
    p->elements = a->bytes / p->element_bytes;
    p->index = (int64_t)((address - a->start) / p->element_bytes);
}

/* Nothing is changed where it is not known. */
static void name_of_parameter(const ptx_function *f, unsigned parameter, char array[SIMT_ARRAY])
{
    if (parameter && parameter <= f->source_count && f->sources[parameter - 1][0] != '?')
        snprintf(array, SIMT_ARRAY, "%s", f->sources[parameter - 1]);
}

unsigned site_parameter(const simt_device *d, const launch_part *l, uint64_t address,
                        uint64_t *start, char array[SIMT_ARRAY])
{
    const memory *m = &d->memory;
    const allocation *near = memory_find(m, address);
    const ptx_function *f = l->kernel->ptx;
    unsigned found = 0;
    array[0] = '\0';
    for (unsigned p = 0; near && !site_has_name(near) && p < f->param_count && p < 64; p++) {
        uint64_t v;
        if (l->kernel->param_size[p] != 8)
            continue;
        memcpy(&v, l->params + l->kernel->param_offset[p], 8);
        v = pinned_place(m, v);
        if (v >= near->start && v <= address && (!found || v > *start)) {
            found = p + 1;
            *start = v;
        }
    }
    name_of_parameter(f, found, array);
    return found;
}

void site_same_parameter(const launch_part *l, unsigned parameter, char array[SIMT_ARRAY])
{
    const ptx_function *f = l->kernel->ptx;
    uint64_t its, v;

    array[0] = '\0';
    memcpy(&its, l->params + l->kernel->param_offset[parameter - 1], 8);
    for (unsigned p = 0; !array[0] && p < f->param_count && p < 64; p++) {
        if (p + 1 == parameter || l->kernel->param_size[p] != 8)
            continue;
        memcpy(&v, l->params + l->kernel->param_offset[p], 8);
        if (v == its)
            name_of_parameter(f, p + 1, array);
    }
}

void site_front_parameter(const simt_device *d, const launch_part *l, unsigned parameter,
                          char array[SIMT_ARRAY])
{
    uint64_t its, start;

    array[0] = '\0';
    memcpy(&its, l->params + l->kernel->param_offset[parameter - 1], 8);
    its = pinned_place(&d->memory, its);
    const allocation *near = memory_find(&d->memory, its);
    if (near && its > near->start)
        site_parameter(d, l, its - 1, &start, array);
}

void site_take_place(simt_finding *f, const simt_place *p)
{
    f->space = p->space;
    f->address = p->address;
    f->index = p->index;
    f->elements = p->elements;
    f->element_bytes = p->element_bytes;
    memcpy(f->variable, p->variable, sizeof f->variable);
}

void site_take_allocation(simt_finding *f, const allocation *a)
{
    f->space = SIMT_SPACE_GLOBAL;
    f->allocation = a->number;
    f->by_malloc = a->heap;
    f->allocation_bytes = a->bytes;
    if (site_has_name(a))
        site_pretty_name(a->name, f->variable, sizeof f->variable);
}
