/*
 * flow.c: the control flow of a function: basic blocks, post-dominators, and where the lanes that a
 * branch has parted meet again. Interface: flow_find, decode_label, decode_target, decode_meeting
 * (decode.h).
 */
#include "code/decode.h"

#include <stdlib.h>
#include <string.h>

static bool noreturn_call(const decoder *d, const ptx_instr *p)
{
    if (!op_is(p, "call"))
        return false;
    for (unsigned k = 0; k < p->operand_count; k++) {
        if (p->operands[k].kind != PTX_NAME)
            continue;
        if (strcmp(p->operands[k].name, "__assertfail") == 0)
            return true;
        for (unsigned f = 0; f < d->module->ptx->function_count; f++)
            if (strcmp(d->module->ptx->functions[f].name, p->operands[k].name) == 0)
                return d->module->ptx->functions[f].noreturn;
    }
    return false;
}

static bool stops(const decoder *d, const ptx_instr *p)
{
    return op_is(p, "trap") || noreturn_call(d, p);
}

static bool ends_block(const decoder *d, const ptx_instr *p)
{
    return op_is(p, "bra") || op_is(p, "brx") || op_is(p, "ret") || op_is(p, "exit") || stops(d, p);
}

static bool jumps(const ptx_instr *p)
{
    return op_is(p, "bra") && p->operand_count && p->operands[0].kind == PTX_NAME;
}

static int by_label(const void *name, const void *label)
{
    return strcmp(name, ((const ptx_label *)label)->name);
}

bool decode_label(decoder *d, const char *name, unsigned *instr)
{
    const ptx_label *l = d->ptx->label_count ? bsearch(name, d->ptx->labels, d->ptx->label_count,
                                                       sizeof *l, by_label)
                                             : NULL;
    if (l) {
        *instr = l->instr;
        return true;
    }
    return decode_fail(d, "no label '%s' in this function", name);
}

static unsigned block_of(const flow *f, unsigned instr)
{
    return instr < f->instrs ? f->block[instr] : f->blocks;
}

/* Successors of a block's last instruction; at most 2 except for brx. Block number f->blocks is the
   exit. */
static unsigned successors(decoder *d, const flow *f, unsigned b, unsigned *out, unsigned room)
{
    unsigned last = (b + 1 < f->blocks ? f->start[b + 1] : f->instrs) - 1, n = 0, target = 0;
    const ptx_instr *p = &d->ptx->instrs[last];
    if (op_is(p, "brx") && p->operand_count == 2 && p->operands[1].kind == PTX_NAME) {
        for (unsigned t = 0; t < d->ptx->table_count; t++) {
            if (strcmp(d->ptx->tables[t].name, p->operands[1].name) != 0)
                continue;
            for (unsigned k = 0; k < d->ptx->tables[t].count && n < room; k++)
                if (decode_label(d, d->ptx->tables[t].labels[k], &target))
                    out[n++] = block_of(f, target);
        }
        return n;
    }
    if (jumps(p) && decode_label(d, p->operands[0].name, &target))
        out[n++] = block_of(f, target);
    else if (stops(d,
                   p)) { /* no way on, and none to a place where its lanes would meet the others */
    } else if (ends_block(d, p))
        out[n++] = f->blocks;
    if (p->guard >= 0 || !ends_block(d, p))
        out[n++] = block_of(f, last + 1);
    return n;
}

static void lead(decoder *d, uint8_t *leader, const char *label)
{
    unsigned target = 0;

    if (decode_label(d, label, &target))
        leader[target] = 1;
}

/* A block begins where a branch leads. Most labels of a compiler are for debuggers: nobody jumps
   there. */
static bool find_blocks(decoder *d, flow *f)
{
    const unsigned n = d->ptx->instr_count;
    f->instrs = n;
    f->block = decode_take(d, (n + 1) * sizeof *f->block);
    f->start = decode_take(d, (n + 1) * sizeof *f->start);
    uint8_t *leader = decode_take(d, n + 1);
    if (!f->block || !f->start || !leader)
        return false;
    leader[0] = 1;
    for (unsigned t = 0; t < d->ptx->table_count; t++)
        for (unsigned k = 0; k < d->ptx->tables[t].count; k++)
            lead(d, leader, d->ptx->tables[t].labels[k]);
    for (unsigned i = 0; i < n; i++) {
        if (jumps(&d->ptx->instrs[i]))
            lead(d, leader, d->ptx->instrs[i].operands[0].name);
        if (ends_block(d, &d->ptx->instrs[i]))
            leader[i + 1] = 1;
    }
    for (unsigned i = 0; i < n; i++) {
        if (leader[i])
            f->start[f->blocks++] = i;
        f->block[i] = f->blocks - 1;
    }
    return true;
}

/* Of the blocks that no way leads from to those seen so far: the last one that a jump back ends,
   which is the end of a loop that is never left. UINT32_MAX: there is none. */
static unsigned endless_loop(const flow *f, const uint8_t *seen)
{
    for (unsigned b = f->blocks; b-- > 0;)
        for (unsigned k = 0; k < f->succs[b] && !seen[b]; k++)
            if (f->succ[b][k] <= b)
                return b;
    return UINT32_MAX;
}

/* Depth-first order from the exit over reversed edges, then Cooper, Harvey and Kennedy, "A Simple,
   Fast Dominance Algorithm" (2001), on the reversed graph. The end of a loop that is never left
   counts as a way to the exit, so that lanes which a branch in it parts meet again in it. Other
   blocks that cannot reach the exit meet at the exit. */
static bool find_post_dominators(decoder *d, flow *f)
{
    unsigned n = f->blocks + 1, exit = f->blocks;
    enum { ROOM = 1024 };
    unsigned *out = decode_take(d, ROOM * sizeof *out), *order = decode_take(d, n * sizeof *order),
             *rank = decode_take(d, n * sizeof *rank);
    unsigned *stack = decode_take(d, n * sizeof *stack), *edge = decode_take(d, n * sizeof *edge);
    unsigned **pred = decode_take(d, n * sizeof *pred), *preds = decode_take(d, n * sizeof *preds);
    unsigned **succ = f->succ = decode_take(d, n * sizeof *succ),
             *succs = f->succs = decode_take(d, n * sizeof *succs);
    f->ipdom = decode_take(d, n * sizeof *f->ipdom);
    if (d->out_of_memory)
        return false;
    for (unsigned b = 0; b < f->blocks; b++) {
        succs[b] = successors(d, f, b, out, ROOM);
        if (!(succ[b] = decode_take(d, succs[b] * sizeof **succ)))
            return false;
        memcpy(succ[b], out, succs[b] * sizeof *out);
        for (unsigned k = 0; k < succs[b]; k++)
            preds[out[k]]++;
    }
    for (unsigned b = 0; b < n; b++) {
        if (!(pred[b] = decode_take(d, preds[b] * sizeof **pred)))
            return false;
        preds[b] = 0;
    }
    for (unsigned b = 0; b < f->blocks; b++)
        for (unsigned k = 0; k < succs[b]; k++)
            pred[succ[b][k]][preds[succ[b][k]]++] = b;

    for (unsigned b = 0; b < n; b++)
        rank[b] = UINT32_MAX, f->ipdom[b] = UINT32_MAX;
    unsigned top = 0, ordered = 0;
    uint8_t *seen = decode_take(d, n);
    if (!seen)
        return false;
    uint8_t *endless = decode_take(d, n);
    if (!endless)
        return false;
    stack[top++] = exit;
    seen[exit] = 1;
    while (top) {
        unsigned b = stack[top - 1];
        if (edge[b] < preds[b]) {
            unsigned p = pred[b][edge[b]++];
            if (!seen[p]) {
                seen[p] = 1;
                stack[top++] = p;
            }
            continue;
        }
        /* the exit is left last, when all ways to it are known */
        unsigned loop = b == exit ? endless_loop(f, seen) : UINT32_MAX;
        if (loop != UINT32_MAX) {
            endless[loop] = seen[loop] = 1;
            stack[top++] = loop;
            continue;
        }
        rank[b] = ordered;
        order[ordered++] = b;
        top--;
    }
    f->ipdom[exit] = exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned k = ordered; k-- > 0;) {
            unsigned b = order[k], best = endless[b] ? exit : UINT32_MAX;
            if (b == exit)
                continue;
            for (unsigned s = 0; s < succs[b]; s++) {
                unsigned x = succ[b][s];
                if (f->ipdom[x] == UINT32_MAX)
                    continue;
                unsigned y = best == UINT32_MAX ? x : best;
                while (x != y) {
                    while (rank[x] < rank[y])
                        x = f->ipdom[x];
                    while (rank[y] < rank[x])
                        y = f->ipdom[y];
                }
                best = x;
            }
            if (best != f->ipdom[b]) {
                f->ipdom[b] = best;
                changed = true;
            }
        }
    }
    for (unsigned b = 0; b < n; b++)
        if (f->ipdom[b] == UINT32_MAX)
            f->ipdom[b] = exit;
    return true;
}

/* Marks the blocks where lanes may meet, counts instructions with their JOINs, and maps instruction
   numbers to indices. */
static bool place_joins(decoder *d, flow *f)
{
    f->joins = decode_take(d, f->blocks + 1);
    f->at = decode_take(d, (f->instrs + 1) * sizeof *f->at);
    if (!f->joins || !f->at)
        return false;
    for (unsigned b = 0; b < f->blocks; b++) {
        unsigned last = (b + 1 < f->blocks ? f->start[b + 1] : f->instrs) - 1;
        const ptx_instr *p = &d->ptx->instrs[last];
        if ((op_is(p, "bra") && p->guard >= 0) || op_is(p, "brx"))
            f->joins[f->ipdom[b]] = 1;
    }
    unsigned index = 0;
    for (unsigned i = 0; i < f->instrs; i++) {
        unsigned b = f->block[i];
        f->at[i] = index; /* a branch to a joining block goes to its JOIN */
        if (f->start[b] == i && f->joins[b])
            index++;
        index++;
    }
    f->at[f->instrs] = index; /* the END that follows the last instruction */
    f->total = index + 1;
    return true;
}

uint32_t decode_target(const decoder *d, unsigned instr) { return d->flow.at[instr]; }

uint32_t decode_meeting(const decoder *d, unsigned instr)
{
    unsigned b = d->flow.ipdom[d->flow.block[instr]];
    return d->flow.at[b < d->flow.blocks ? d->flow.start[b] : d->flow.instrs];
}

bool flow_find(decoder *d)
{
    d->flow = (flow){ 0 };
    return find_blocks(d, &d->flow) && find_post_dominators(d, &d->flow) &&
           place_joins(d, &d->flow);
}
