/*
 * view.c: see view.h.
 */
#include "code/view.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 2048 };

unsigned view_last(const view *v, unsigned block)
{
    return (block + 1 < v->f->blocks ? v->f->start[block + 1] : v->f->instrs) - 1;
}

unsigned view_line(const view *v, unsigned block)
{
    return v->ptx->instrs[view_last(v, block)].line;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* place[b] counts down as blocks are left, so that an edge to a place that is not later is one
   back to the head of a loop. */
static void order_blocks(view *v)
{
    unsigned top = 0, left = v->f->blocks;
    unsigned *next = v->stack + v->f->blocks + 1;
    memset(next, 0, (v->f->blocks + 1) * sizeof *next);
    memset(v->inside, 0, v->f->blocks + 1);
    v->stack[top++] = 0;
    v->inside[0] = 1;
    while (top) {
        unsigned b = v->stack[top - 1];
        if (next[b] == v->f->succs[b]) {
            v->place[b] = left--;
            top--;
            continue;
        }
        unsigned s = v->f->succ[b][next[b]++];
        if (s < v->f->blocks && !v->inside[s]) {
            v->inside[s] = 1;
            v->stack[top++] = s;
        }
    }
}

bool view_leads_back(const view *v, unsigned from, unsigned to)
{
    return to < v->f->blocks && v->place[to] && v->place[to] <= v->place[from];
}

unsigned view_fill_loop(view *v, unsigned end, unsigned head)
{
    unsigned count = 1;
    memset(v->inside, 0, v->f->blocks + 1);
    v->inside[head] = 1;
    if (!v->inside[end])
        v->inside[end] = 1, count++;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned b = 0; b < v->f->blocks; b++)
            for (unsigned s = 0; !v->inside[b] && s < v->f->succs[b]; s++) {
                unsigned to = v->f->succ[b][s];
                if (to < v->f->blocks && to != head && v->inside[to])
                    v->inside[b] = 1, count++, changed = true;
            }
    }
    return count;
}

view_loop view_next_loop(view *v, unsigned one, unsigned two, view_loop than)
{
    view_loop best = { 0 };
    for (unsigned b = 0; b < v->f->blocks; b++)
        for (unsigned s = 0; s < v->f->succs[b]; s++) {
            unsigned head = v->f->succ[b][s];
            if (!view_leads_back(v, b, head))
                continue;
            unsigned size = view_fill_loop(v, b, head);
            if (v->inside[one] && v->inside[two] && size > than.size &&
                (!best.size || size < best.size))
                best = (view_loop){ b, head, size };
        }
    return best;
}

bool view_is_condition(const view *v, unsigned block)
{
    const ptx_instr *p = &v->ptx->instrs[view_last(v, block)];
    return op_is(p, "bra") && p->guard >= 0;
}

unsigned view_loop_line(const view *v, const view_loop *l, unsigned line)
{
    if (l->size && view_is_condition(v, l->end))
        return view_line(v, l->end);
    return l->size && view_is_condition(v, l->head) ? view_line(v, l->head) : line;
}

/* ---- which branches part the threads of a block ---------------------------------------------- */

bool view_varies(const view *v, const ptx_operand *o)
{
    if (o->reg >= 0 && v->varies[o->reg])
        return true;
    for (unsigned k = 0; k < o->item_count; k++)
        if (view_varies(v, &o->items[k]))
            return true;
    return o->kind == PTX_NAME && o->name &&
           (strncmp(o->name, "%tid", 4) == 0 || strncmp(o->name, "%lane", 5) == 0 ||
            strncmp(o->name, "%warpid", 7) == 0 || strncmp(o->name, "%clock", 6) == 0);
}

static bool is_own_parameter(const view *v, const ptx_operand *o)
{
    for (unsigned k = 0; o->name && k < v->ptx->param_count; k++)
        if (strcmp(v->ptx->params[k].name, o->name) == 0)
            return v->ptx->entry;
    return false;
}

bool view_makes_varying(const view *v, const ptx_instr *p)
{
    static const char *const each[] = { "atom",  "shfl",       "vote", "match",
                                        "redux", "activemask", "elect" };
    for (size_t k = 0; k < sizeof each / sizeof *each; k++)
        if (op_is(p, each[k]))
            return true;
    return op_is(p, "ld") && has(p, "param") && p->operand_count > 1 &&
           !is_own_parameter(v, &p->operands[1]);
}

static bool spread(view *v, const ptx_operand *o)
{
    bool changed = false;
    if (o->kind == PTX_REG) {
        changed = (o->reg >= 0 && !v->varies[o->reg]) || (o->reg2 >= 0 && !v->varies[o->reg2]);
        if (o->reg >= 0)
            v->varies[o->reg] = 1;
        if (o->reg2 >= 0)
            v->varies[o->reg2] = 1;
    }
    for (unsigned k = 0; k < o->item_count; k++)
        changed |= spread(v, &o->items[k]);
    return changed;
}

void view_fill_branch(view *v, unsigned b)
{
    unsigned top = 0, meet = v->f->ipdom[b];
    memset(v->inside, 0, v->f->blocks + 1);
    for (unsigned s = 0; s < v->f->succs[b]; s++)
        if (v->f->succ[b][s] != meet)
            v->stack[top++] = v->f->succ[b][s];
    while (top) {
        unsigned x = v->stack[--top];
        if (x >= v->f->blocks || v->inside[x])
            continue;
        v->inside[x] = 1;
        for (unsigned s = 0; s < v->f->succs[x]; s++)
            if (v->f->succ[x][s] != meet && v->f->succ[x][s] < v->f->blocks &&
                !v->inside[v->f->succ[x][s]])
                v->stack[top++] = v->f->succ[x][s];
    }
}

bool view_leaves(const view *v, unsigned block)
{
    const ptx_instr *p = &v->ptx->instrs[v->f->start[block < v->f->blocks ? block : 0]];
    return block >= v->f->blocks || op_is(p, "ret") || op_is(p, "exit");
}

bool view_lets_leave(const view *v, unsigned b)
{
    const ptx_instr *p = &v->ptx->instrs[view_last(v, b)];
    bool found = false;
    for (unsigned s = 0; s < v->f->succs[b] && op_is(p, "bra"); s++)
        found |= p->guard >= 0 && v->varies[p->guard] && view_leaves(v, v->f->succ[b][s]);
    return found;
}

static bool is_parting(const view *v, unsigned b)
{
    const ptx_instr *p = &v->ptx->instrs[view_last(v, b)];
    if (op_is(p, "brx"))
        return p->operand_count && view_varies(v, &p->operands[0]);
    return op_is(p, "bra") && p->guard >= 0 && v->varies[p->guard] && !view_lets_leave(v, b);
}

static void note_registers(view *v, const ptx_operand *o)
{
    if (o->reg >= 0)
        v->outside[o->reg] = 1;
    if (o->reg2 >= 0)
        v->outside[o->reg2] = 1;
    for (unsigned k = 0; k < o->item_count; k++)
        note_registers(v, &o->items[k]);
}

/* Which registers there are outside of the set: what only some threads write into one of these
   depends on the thread. */
static void note_outside(view *v)
{
    memset(v->outside, 0, v->ptx->reg_count + 1);
    for (unsigned k = 0; k < v->f->instrs; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (v->inside[v->f->block[k]])
            continue;
        if (p->guard >= 0)
            v->outside[p->guard] = 1;
        for (unsigned o = 0; o < p->operand_count; o++)
            note_registers(v, &p->operands[o]);
    }
}

static void find_parting(view *v)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned k = 0; k < v->f->instrs; k++) {
            const ptx_instr *p = &v->ptx->instrs[k];
            if (!decode_writes_first(p) || !p->operand_count)
                continue;
            bool varies = view_makes_varying(v, p) || (p->guard >= 0 && v->varies[p->guard]);
            for (unsigned o = 1; o < p->operand_count && !varies; o++)
                varies = view_varies(v, &p->operands[o]);
            changed |= varies && spread(v, &p->operands[0]);
        }
        for (unsigned b = 0; b < v->f->blocks; b++) {
            if (v->parting[b] || !is_parting(v, b))
                continue;
            v->parting[b] = changed = true;
            view_fill_branch(v, b);
            note_outside(v);
            for (unsigned k = 0; k < v->f->instrs; k++) {
                const ptx_instr *p = &v->ptx->instrs[k];
                if (v->inside[v->f->block[k]] && decode_writes_first(p) && p->operand_count &&
                    p->operands[0].reg >= 0 && v->outside[p->operands[0].reg])
                    (void)spread(v, &p->operands[0]);
            }
        }
    }
}

/* ---- a view ---------------------------------------------------------------------------------- */

void view_close(view *v)
{
    for (size_t i = 0; v->d && i < v->d->owned_count; i++)
        free(v->d->owned[i]);
    if (v->d)
        free(v->d->owned);
    free(v->d);
    free(v->bases);
}

bool view_open(view *v, const module *m, const ptx_function *ptx)
{
    *v = (view){ .d = calloc(1, sizeof *v->d), .ptx = ptx };
    if (!v->d)
        return false;
    v->d->module = (module *)(uintptr_t)m;
    v->d->ptx = ptx;
    if (!flow_find(v->d) || v->d->flow.blocks > MOST_BLOCKS || !ptx->instr_count)
        return false;
    unsigned room = v->d->flow.blocks + 1;
    v->f = &v->d->flow;
    v->parting = decode_take(v->d, room);
    v->inside = decode_take(v->d, room);
    v->varies = decode_take(v->d, ptx->reg_count + 1);
    v->outside = decode_take(v->d, ptx->reg_count + 1);
    /* of fill_branch: an entry for each edge */
    unsigned edges = room;
    for (unsigned b = 0; b < v->f->blocks; b++)
        edges += v->f->succs[b];
    v->stack = decode_take(v->d, (2 * (size_t)room + edges) * sizeof *v->stack);
    v->place = decode_take(v->d, room * sizeof *v->place);
    if (v->d->out_of_memory)
        return false;
    for (unsigned k = 0; k < m->function_count; k++)
        if (m->functions[k].ptx == ptx)
            v->code = &m->functions[k];
    order_blocks(v);
    find_parting(v);
    return true;
}

bool view_is_of_loop(view *v, unsigned b, unsigned block)
{
    for (view_loop l = view_next_loop(v, b, block, (view_loop){ 0 }); l.size;
         l = view_next_loop(v, b, block, l)) {
        (void)view_fill_loop(v, l.end, l.head);
        for (unsigned s = 0; s < v->f->succs[b]; s++)
            if (!v->inside[v->f->succ[b][s]])
                return true;
    }
    return false;
}

bool view_is_in_loop(view *v, unsigned b, const view_loop *l)
{
    (void)view_fill_loop(v, l->end, l->head);
    return v->inside[b];
}
