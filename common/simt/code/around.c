/*
 * around.c: see around.h.
 */
#include "code/around.h"

#include <string.h>

#include "code/bases.h"
#include "code/view.h"

/* ---- one place ------------------------------------------------------------------------------- */

/* what stands around two blocks, or one */
typedef struct branches {
    unsigned inner, outer, uneven, leaving, own[2];
    unsigned header_line, header; /* around both, in another file than that of the access */
} branches;

/* The first in the text is the outermost. */
static void note_line(unsigned *line, unsigned found) { *line = *line ? *line : found; }

/* In the blocks `one` and `two`. l: the innermost loop around both; outer: those around it as well.
   file: of the access, whose lines are meant. */
static branches find_branches(view *v, unsigned one, unsigned two, const view_loop *l,
                              unsigned file)
{
    branches found = { 0 };
    for (unsigned b = 0; b < v->f->blocks; b++) {
        if (!v->parting[b] && !view_lets_leave(v, b))
            continue;
        view_fill_branch(v, b);
        bool first = v->inside[one], second = v->inside[two];
        const ptx_instr *branch = &v->ptx->instrs[view_last(v, b)];
        if (branch->file != file) {
            if (v->parting[b] && first && second && !found.header_line &&
                !view_is_of_loop(v, b, one)) {
                found.header_line = branch->line;
                found.header = branch->file;
            }
            continue;
        }
        if (!v->parting[b]) {
            if (first && second)
                note_line(&found.leaving, view_line(v, b));
            continue;
        }
        bool all = l->size && v->inside[l->head] && v->inside[l->end];
        if (first != second)
            note_line(&found.own[second], view_line(v, b));
        else if (first && view_is_of_loop(v, b, one))
            note_line(&found.uneven, view_line(v, b));
        else if (first && all && !view_is_in_loop(v, b, l))
            note_line(&found.outer, view_line(v, b));
        else if (first)
            note_line(&found.inner, view_line(v, b));
    }
    /* the test in front of a loop's first round */
    if (found.outer == found.uneven)
        found.outer = 0;
    return found;
}

/* In how many instructions of the set. */
static unsigned writers_in(const view *v, int reg)
{
    unsigned count = 0;
    for (unsigned k = 0; k < v->f->instrs; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (!v->inside[v->f->block[k]] || !decode_writes_first(p) || !p->operand_count)
            continue;
        const ptx_operand *o = &p->operands[0];
        bool written = o->reg == reg || o->reg2 == reg;
        for (unsigned i = 0; i < o->item_count && !written; i++)
            written = o->items[i].reg == reg;
        count += written;
    }
    return count;
}

/* Does the value of a register change in the loop that inside holds? Followed through what is
   computed in the loop from values that are not. What is written in two places may be one value or
   the other. */
static bool changes_in(const view *v, int reg, unsigned depth)
{
    const unsigned writers = writers_in(v, reg);
    if (writers != 1)
        return writers > 1;
    for (unsigned k = 0; k < v->f->instrs && depth < 8; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (!v->inside[v->f->block[k]] || !decode_writes_first(p) || !p->operand_count ||
            p->operands[0].reg != reg)
            continue;
        if (op_is(p, "ld") || op_is(p, "atom") || op_is(p, "call") || op_is(p, "mbarrier") ||
            view_makes_varying(v, p))
            return true;
        for (unsigned o = 1; o < p->operand_count; o++) {
            const ptx_operand *from = &p->operands[o];
            if (from->item_count ||
                (from->kind == PTX_NAME && from->name && strncmp(from->name, "%clock", 6) == 0))
                return true;
            if (from->reg >= 0 && (from->reg == reg || changes_in(v, from->reg, depth + 1)))
                return true;
        }
        return false;
    }
    return true;
}

/* Can the loop that inside holds be left only if a value changes that never does? */
static bool never_left(const view *v)
{
    for (unsigned b = 0; b < v->f->blocks; b++) {
        const ptx_instr *p = &v->ptx->instrs[view_last(v, b)];
        for (unsigned s = 0; v->inside[b] && s < v->f->succs[b]; s++) {
            unsigned to = v->f->succ[b][s];
            if (to < v->f->blocks && v->inside[to])
                continue;
            if (!op_is(p, "bra") || p->guard < 0 || changes_in(v, p->guard, 0))
                return false;
        }
    }
    return true;
}

/* The innermost branch of the same file around instruction `at` whose ways meet at `meet`. */
static unsigned parting_line(view *v, unsigned at, unsigned meet)
{
    unsigned line = 0;
    for (unsigned b = 0; b < v->f->blocks; b++) {
        if (!v->parting[b] || v->f->ipdom[b] != v->f->block[meet] ||
            v->ptx->instrs[view_last(v, b)].file != v->ptx->instrs[at].file)
            continue;
        view_fill_branch(v, b);
        line = v->inside[v->f->block[at]] ? view_line(v, b) : line;
    }
    return line;
}

/* Of a loop around instruction `at`; where its condition stands in another file, the line of
   `at`. */
static unsigned loop_line(const view *v, const view_loop *l, unsigned at)
{
    const ptx_instr *i = v->ptx->instrs;
    const unsigned file = i[at].file;
    const bool other = view_is_condition(v, l->end)    ? i[view_last(v, l->end)].file != file
                       : view_is_condition(v, l->head) ? i[view_last(v, l->head)].file != file
                                                       : false;
    return other ? i[at].line : view_loop_line(v, l, i[at].line);
}

bool around_find_one(const module *m, const ptx_function *f, unsigned at, unsigned meet,
                     around_one *out)
{
    view v;
    *out = (around_one){ 0 };
    bool ok = view_open(&v, m, f) && at < v.f->instrs && meet < v.f->instrs;
    if (ok) {
        unsigned block = v.f->block[at];
        out->parting_line = parting_line(&v, at, meet);
        view_loop innermost = view_next_loop(&v, block, block, (view_loop){ 0 });
        branches around = find_branches(&v, block, block, &innermost, f->instrs[at].file);
        out->header_line = around.header_line;
        out->header = around.header;
        out->if_line = around.outer ? around.outer : around.inner;
        out->uneven_line = around.uneven;
        for (view_loop l = innermost; l.size && !out->endless;
             l = view_next_loop(&v, block, block, l)) {
            (void)view_fill_loop(&v, l.end, l.head);
            out->endless = never_left(&v);
            out->loop_line = loop_line(&v, &l, at);
        }
    }
    view_close(&v);
    return ok;
}

/* ---- two places ------------------------------------------------------------------------------ */

static bool is_barrier(const ptx_instr *p, bool warp)
{
    if (!op_is(p, "bar") && !op_is(p, "barrier"))
        return false;
    return warp || !has(p, "warp");
}

/* Does a way lead from after instruction `from` to instruction `to`, one that goes back to the
   head of a loop or one that does not? passing: barriers may lie on it. */
typedef struct ways {
    bool on, back;
} ways;

static ways find_ways(view *v, unsigned from, unsigned to, bool passing, bool warp)
{
    ways found = { false, false };
    unsigned top = 0;
    uint8_t *seen = v->inside; /* bit 0: by ways on, bit 1: by ways back */
    memset(seen, 0, v->f->blocks + 1);
    v->stack[top++] = v->f->block[from] << 1;
    for (bool begins = true; top; begins = false) {
        unsigned b = v->stack[--top] >> 1, back = v->stack[top] & 1, last = view_last(v, b);
        bool stopped = false;
        for (unsigned k = begins ? from + 1 : v->f->start[b]; k <= last && !stopped; k++) {
            if (k == to)
                *(back ? &found.back : &found.on) = true;
            stopped = !passing && is_barrier(&v->ptx->instrs[k], warp);
        }
        for (unsigned s = 0; !stopped && s < v->f->succs[b]; s++) {
            unsigned next = v->f->succ[b][s];
            if (next >= v->f->blocks)
                continue;
            unsigned by = back || view_leads_back(v, b, next);
            if (seen[next] >> by & 1)
                continue;
            seen[next] |= 1u << by;
            v->stack[top++] = next << 1 | by;
        }
    }
    return found;
}

/* Does a way from `from` to `to` pass instruction k? back: by a loop's end. */
static bool is_on_way(view *v, unsigned from, unsigned k, unsigned to, bool back, bool warp)
{
    const ways here = find_ways(v, from, k, true, warp), there = find_ways(v, k, to, true, warp);
    return back ? (here.on && there.back) || (here.back && there.on) : here.on && there.on;
}

/* The innermost `if` around instruction k that leaves out both others, 0: none. */
static unsigned own_if_line(view *v, unsigned k, unsigned from, unsigned to)
{
    const unsigned block = v->f->block[k];
    unsigned line = 0;
    for (unsigned b = 0; b < v->f->blocks; b++) {
        if (!view_is_condition(v, b) || b == block)
            continue;
        view_fill_branch(v, b);
        if (v->inside[block] && !v->inside[v->f->block[from]] && !v->inside[v->f->block[to]] &&
            !view_is_of_loop(v, b, block))
            line = view_line(v, b);
    }
    return line;
}

/* A barrier of the same file between the two, around which another way leads. */
static void find_passed(view *v, unsigned from, unsigned to, bool back, bool warp, around_two *out)
{
    for (unsigned k = 0; k < v->f->instrs && !out->passed_line; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (!is_barrier(p, warp) || !p->line || p->file != v->ptx->instrs[from].file ||
            !is_on_way(v, from, k, to, back, warp))
            continue;
        out->passing_line = own_if_line(v, k, from, to);
        if (out->passing_line)
            out->passed_line = p->line;
    }
}

/* ---- one element that several threads have --------------------------------------------------- */

static const ptx_operand *address_of(const ptx_instr *p)
{
    for (unsigned o = 0; o < p->operand_count; o++)
        if (p->operands[o].kind == PTX_ADDRESS)
            return &p->operands[o];
    return NULL;
}

static bool same_address(const ptx_instr *p, const ptx_instr *q)
{
    const ptx_operand *a = address_of(p), *b = address_of(q);
    return a && b && a->reg == b->reg && a->value == b->value &&
           (a->name == b->name || (a->name && b->name && strcmp(a->name, b->name) == 0));
}

/* Is a value that was loaded in it? A histogram's count[key[i]]: its place has nothing to do with
   the round. */
static bool is_from_memory(const view *v, int reg, unsigned depth)
{
    for (unsigned k = 0; k < v->f->instrs && depth < 8; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (!decode_writes_first(p) || !p->operand_count || p->operands[0].reg != reg)
            continue;
        if ((op_is(p, "ld") && !has(p, "param")) || op_is(p, "atom") || op_is(p, "shfl"))
            return true;
        for (unsigned o = 1; o < p->operand_count; o++)
            if (p->operands[o].reg >= 0 && p->operands[o].reg != reg &&
                is_from_memory(v, p->operands[o].reg, depth + 1))
                return true;
    }
    return false;
}

/* Do threads read one element and then write it back, so that no barrier parts one's reading and
   writing from another's? Where the element is another one in each round of the loop around both,
   two threads may have it in different rounds only, which a barrier does part. */
static bool is_update(view *v, unsigned one, unsigned two, const view_loop *l)
{
    const ptx_instr *p = &v->ptx->instrs[one], *q = &v->ptx->instrs[two];
    const ptx_instr *store = op_is(p, "st") ? p : op_is(q, "st") ? q : NULL;
    const ptx_instr *load = store == p ? q : p;
    if (!store)
        return false;
    for (unsigned k = 0; k < v->f->instrs && op_is(load, "st"); k++) {
        const ptx_instr *i = &v->ptx->instrs[k];
        if (op_is(i, "ld") && i->line == store->line && same_address(i, store))
            load = i;
    }
    if (!op_is(load, "ld") || !same_address(load, store))
        return false;
    const ways written = find_ways(v, (unsigned)(load - v->ptx->instrs),
                                   (unsigned)(store - v->ptx->instrs), true, false);
    if (!written.on && !written.back)
        return false;
    const int reg = address_of(store)->reg;
    if (!l->size || reg < 0)
        return true;
    (void)view_fill_loop(v, l->end, l->head);
    return !changes_in(v, reg, 0) || is_from_memory(v, reg, 0);
}

/* Is the value of register `of` in that of register reg? */
static bool is_made_of(const view *v, int reg, int of, unsigned depth)
{
    bool made = reg == of;
    for (unsigned k = 0; k < v->f->instrs && depth < 6 && !made; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (!decode_writes_first(p) || !p->operand_count || p->operands[0].reg != reg)
            continue;
        for (unsigned o = 1; o < p->operand_count && !made; o++)
            made = p->operands[o].reg >= 0 && p->operands[o].reg != reg &&
                   is_made_of(v, p->operands[o].reg, of, depth + 1);
    }
    return made;
}

/* The register that reg is a generic address of; reg where it is none. */
static int before_cvta(const view *v, int reg)
{
    for (unsigned k = 0; k < v->f->instrs; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (op_is(p, "cvta") && p->operands[0].reg == reg && p->operands[1].reg >= 0)
            return p->operands[1].reg;
    }
    return reg;
}

/* Is there an atomic on the element of this store? By it lanes agree who writes: one of them, and
   what the others read tells them not to. */
static bool is_elected(const view *v, const ptx_operand *to)
{
    for (unsigned k = 0; k < v->f->instrs; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        const ptx_operand *a = op_is(p, "atom") || op_is(p, "red") ? address_of(p) : NULL;
        if (a && a->reg >= 0 && a->value == to->value &&
            before_cvta(v, a->reg) == before_cvta(v, to->reg))
            return true;
    }
    return false;
}

/* Does a branch around the store ask what a load of the same address gave? A branch with barriers
   inside is that of a loop, or lets threads leave. */
static bool is_asked(view *v, unsigned store)
{
    const ptx_instr *s = &v->ptx->instrs[store];
    bool asked = false;
    if (is_elected(v, address_of(s)))
        return false;
    for (unsigned b = 0; b < v->f->blocks && !asked; b++) {
        const int guard = v->ptx->instrs[view_last(v, b)].guard;
        bool around = view_is_condition(v, b) && !view_is_of_loop(v, b, v->f->block[store]);
        view_fill_branch(v, b);
        around = around && v->inside[v->f->block[store]];
        for (unsigned k = 0; k < v->f->instrs && around; k++)
            around = !v->inside[v->f->block[k]] || !is_barrier(&v->ptx->instrs[k], true);
        for (unsigned k = 0; k < v->f->instrs && around && !asked; k++) {
            const ptx_instr *p = &v->ptx->instrs[k];
            asked = op_is(p, "ld") && same_address(p, s) && p->operands[0].reg >= 0 &&
                    is_made_of(v, guard, p->operands[0].reg, 0);
        }
    }
    return asked;
}

/* May a load of another address read what this store writes, with no barrier between the two? */
static bool has_other_readers(view *v, unsigned store, bool warp)
{
    const ptx_instr *s = &v->ptx->instrs[store];
    v->bases = v->code && !v->bases ? bases_find(v->code) : v->bases;
    if (!v->bases)
        return true;
    const uint64_t to = bases_of(v->code, v->bases, address_of(s));
    for (unsigned k = 0; k < v->f->instrs; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (!op_is(p, "ld") || has(p, "param") || has(p, "local") || has(p, "const") ||
            same_address(p, s))
            continue;
        const uint64_t from = bases_of(v->code, v->bases, address_of(p));
        if (from && to && !(from & to))
            continue;
        const ways before = find_ways(v, k, store, false, warp),
                   after = find_ways(v, store, k, false, warp);
        if (before.on || before.back || after.on || after.back)
            return true;
    }
    return false;
}

/* Does the branch at the end of block b ask whether a value of the thread is another one, and let
   those leave that say so? `if (t == 0)` around all that is left. */
static bool picks_one(const view *v, unsigned b)
{
    const int guard = v->ptx->instrs[view_last(v, b)].guard;
    if (!view_lets_leave(v, b))
        return false;
    for (unsigned k = 0; k < v->f->instrs; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (op_is(p, "setp") && p->operand_count && p->operands[0].reg == guard &&
            (has(p, "eq") || has(p, "ne")))
            return true;
    }
    return false;
}

/* Is there a branch around this instruction that parts the threads, or lets some leave as `leave`
   asks? */
static bool is_parted(view *v, unsigned at, bool (*leave)(const view *, unsigned))
{
    for (unsigned b = 0; b < v->f->blocks; b++) {
        if (!v->parting[b] && !leave(v, b))
            continue;
        view_fill_branch(v, b);
        if (v->inside[v->f->block[at]])
            return true;
    }
    return false;
}

static bool is_for_all(view *v, unsigned at)
{
    const int guard = v->ptx->instrs[at].guard;
    return (guard < 0 || !v->varies[guard]) && !is_parted(v, at, view_lets_leave);
}

/* The line of this access, if no branch parts the threads there, and all of them store to one
   element in that line. A load that clang has moved up may have the line of a store that only some
   threads reach. */
static unsigned alike_line(view *v, unsigned at)
{
    const ptx_instr *p = &v->ptx->instrs[at];
    const ptx_operand *a = address_of(p);
    bool stores = false;
    if (!p->line || !a || (a->reg >= 0 && v->varies[a->reg]) || p->guard >= 0)
        return 0;
    for (unsigned k = 0; k < v->f->instrs; k++) {
        const ptx_instr *i = &v->ptx->instrs[k];
        /* nor does a function's result go to an element */
        if (!op_is(i, "st") || has(i, "param") || i->line != p->line || i->file != p->file)
            continue;
        a = address_of(i);
        stores =
            a && i->guard < 0 && (a->reg < 0 || !v->varies[a->reg]) && !is_parted(v, k, picks_one);
        if (!stores)
            return 0;
    }
    return stores && !is_parted(v, at, picks_one) ? p->line : 0;
}

/* ---- one side hands over to the other by a flag ---------------------------------------------- */

/* name: "ld" or "st". An atomic is both; a reduction (red) reads nothing that anybody gets. */
static bool is_strong(const ptx_instr *p, const char *name)
{
    return (op_is(p, name) &&
            (has(p, "volatile") || has(p, "relaxed") || has(p, "acquire") || has(p, "release"))) ||
           op_is(p, "atom") || (op_is(p, "red") && name[0] == 's');
}

static bool stores_own_value(const view *v, const ptx_instr *p)
{
    return op_is(p, "st") && p->operand_count > 1 && view_varies(v, &p->operands[1]);
}

static bool leads(view *v, unsigned from, unsigned to)
{
    return find_ways(v, from, to, true, false).on;
}

/* Is there a flag that is set after the write, *set, and one that is read before the data, or
   else after it, *early? */
static bool has_flag(view *v, unsigned write, unsigned read, unsigned *set, bool *early)
{
    bool is_set = false, is_read = false, is_read_late = false;
    for (unsigned k = 0; k < v->f->instrs; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (!is_set && is_strong(p, "st") && leads(v, write, k)) {
            is_set = true;
            *set = k;
        }
        is_read = is_read || (is_strong(p, "ld") && leads(v, k, read));
        is_read_late = is_read_late || (is_strong(p, "ld") && leads(v, read, k));
    }
    *early = !is_read && is_read_late;
    return is_set && (is_read || is_read_late);
}

/* Does a branch that leaves the loop ask for a value made of this register's? */
static bool decides(view *v, const view_loop *l, int reg)
{
    bool found = false;
    (void)view_fill_loop(v, l->end, l->head);
    for (unsigned b = 0; b < v->f->blocks && !found; b++) {
        bool leaving = false;
        for (unsigned s = 0; v->inside[b] && view_is_condition(v, b) && s < v->f->succs[b]; s++)
            leaving |= v->f->succ[b][s] >= v->f->blocks || !v->inside[v->f->succ[b][s]];
        found = leaving && is_made_of(v, v->ptx->instrs[view_last(v, b)].guard, reg, 0);
    }
    return found;
}

/* Is there a flag in the loop around the load, for which the loop waits, and is each read after
   it? */
static bool is_early(view *v, unsigned at)
{
    const unsigned block = v->f->block[at];
    const ptx_instr *load = &v->ptx->instrs[at];
    const view_loop l = view_next_loop(v, block, block, (view_loop){ 0 });
    bool early = false;
    if (!l.size || !op_is(load, "ld") || decides(v, &l, load->operands[0].reg))
        return false;
    for (unsigned k = 0; k < v->f->instrs; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (k == at || !is_strong(p, "ld") || op_is(p, "red") || same_address(p, load) ||
            !view_is_in_loop(v, v->f->block[k], &l) || !decides(v, &l, p->operands[0].reg))
            continue;
        if (leads(v, k, at))
            return false;
        early |= leads(v, at, k);
    }
    return early;
}

/* Is the access's place each thread's own, by values that were read? */
static bool is_indirect(const view *v, unsigned at)
{
    const ptx_operand *element = address_of(&v->ptx->instrs[at]);
    return element && element->reg >= 0 && v->varies[element->reg] &&
           is_from_memory(v, element->reg, 0);
}

bool around_is_indirect(const module *m, const ptx_function *f, unsigned at)
{
    view v;
    const bool indirect = view_open(&v, m, f) && at < v.f->instrs && is_indirect(&v, at);
    view_close(&v);
    return indirect;
}

bool around_is_early(const module *m, const ptx_function *f, unsigned at)
{
    view v;
    const bool early = view_open(&v, m, f) && at < v.f->instrs && is_early(&v, at);
    view_close(&v);
    return early;
}

static bool has_fence(view *v, unsigned from, unsigned to)
{
    for (unsigned k = 0; k < v->f->instrs; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if ((op_is(p, "membar") || op_is(p, "fence")) && leads(v, from, k) && leads(v, k, to))
            return true;
    }
    return false;
}

/* __syncwarp(), and not the meeting of a shuffle. */
static bool has_warp_barrier(view *v, unsigned from, unsigned to)
{
    for (unsigned k = 0; k < v->f->instrs; k++) {
        const ptx_instr *p = &v->ptx->instrs[k];
        if (is_barrier(p, true) && has(p, "warp") && leads(v, from, k) && leads(v, k, to))
            return true;
    }
    return false;
}

static void find_flag(view *v, unsigned one, unsigned two, around_two *out)
{
    const bool first_writes = op_is(&v->ptx->instrs[one], "st");
    const unsigned write = first_writes ? one : two, read = first_writes ? two : one;
    unsigned set = 0;
    if (!out->apart || !op_is(&v->ptx->instrs[write], "st"))
        return;
    out->by_flag = has_flag(v, write, read, &set, &out->early);
    out->fenced = out->by_flag && has_fence(v, write, set);
}

bool around_find_two(const module *m, const ptx_function *f, unsigned one, unsigned two, bool warp,
                     around_two *out)
{
    view v;
    *out = (around_two){ 0 };
    bool ok = view_open(&v, m, f) && one < v.f->instrs && two < v.f->instrs;
    if (ok) {
        out->second_first = one != two && !find_ways(&v, one, two, true, warp).on &&
                            find_ways(&v, two, one, true, warp).on;
        unsigned first = out->second_first ? two : one, second = out->second_first ? one : two;
        out->apart = one != two && !find_ways(&v, first, second, true, warp).on;
        out->between = one != two && find_ways(&v, first, second, false, warp).on;
        out->back = find_ways(&v, second, first, false, warp).back ||
                    (out->apart && find_ways(&v, first, second, false, warp).back);
        view_loop l = view_next_loop(&v, v.f->block[one], v.f->block[two], (view_loop){ 0 });
        out->loop_line = l.size ? loop_line(&v, &l, one) : 0;
        branches around =
            find_branches(&v, v.f->block[first], v.f->block[second], &l, f->instrs[first].file);
        out->if_line = around.inner;
        out->outer_if_line = around.outer;
        out->leaving_line = around.leaving;
        out->uneven_line = around.uneven;
        out->header_line = around.header_line;
        out->header = around.header;
        out->warp_between = has_warp_barrier(&v, first, second);
        out->first_if_line = around.own[0];
        out->second_if_line = around.own[1];
        if (out->back && out->loop_line)
            find_passed(&v, second, first, true, warp, out);
        else if (out->between)
            find_passed(&v, first, second, false, warp, out);
        find_flag(&v, one, two, out);
        out->update = !out->apart && is_update(&v, one, two, &l);
        out->asked = out->update && is_asked(&v, op_is(&f->instrs[one], "st") ? one : two);
        out->others =
            out->update && has_other_readers(&v, op_is(&f->instrs[one], "st") ? one : two, warp);
        out->indirect = is_indirect(&v, second);
        out->for_all = is_for_all(&v, one) || is_for_all(&v, two);
        out->own_values =
            stores_own_value(&v, &f->instrs[first]) && stores_own_value(&v, &f->instrs[second]);
        out->alike_line = alike_line(&v, second);
        if (!out->alike_line)
            out->alike_line = alike_line(&v, first);
    }
    view_close(&v);
    return ok;
}
