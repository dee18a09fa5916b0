/*
 * counters.c: see counters.h.
 *
 * Counters are kept by instruction (insn_counts), by runs that were begun (run_counts) and by lines
 * of words; here they are all added up by instruction, then by source line and for the launch.
 */
#include "watch/counters.h"

#include <stdio.h>
#include <stdlib.h>

/* an addition may take so many times the issues that it needs with all lanes: lone_add_issues */
enum { FEW_LANES = 8 };

void simt_counts_add(simt_counts *sum, const simt_counts *more)
{
    uint64_t *a = (uint64_t *)sum;
    const uint64_t *b = (const uint64_t *)more;
    static const size_t greatest[] = { offsetof(simt_counts, depth),
                                       offsetof(simt_counts, busiest_block),
                                       offsetof(simt_counts, block_chain) };
    uint64_t keep[sizeof greatest / sizeof *greatest];
    for (size_t k = 0; k < sizeof greatest / sizeof *greatest; k++) {
        size_t i = greatest[k] / sizeof *a;
        keep[k] = b[i] > a[i] ? b[i] : a[i];
    }
    /* every member is a uint64_t */
    for (size_t i = 0; i < sizeof *sum / sizeof *a; i++)
        a[i] += b[i];
    for (size_t k = 0; k < sizeof greatest / sizeof *greatest; k++)
        a[greatest[k] / sizeof *a] = keep[k];
}
_Static_assert(sizeof(simt_counts) % sizeof(uint64_t) == 0, "simt_counts holds uint64_t only");

static void add_memory(simt_counts *c, const insn *i, const insn_counts *n)
{
    const memory_form *f = i->extra;
    bool atomic = i->kind == KIND_atom;
    c->global_requests += n->in_global;
    c->global_sectors += n->sectors;
    c->global_ideal += n->sectors_ideal;
    if (!f->write || atomic)
        c->global_bytes_read += n->global_bytes;
    if (!f->write && insn_form(i) == FORM_bulk)
        c->bulk_bytes_read += n->global_bytes;
    if (f->write)
        c->global_bytes_written += n->global_bytes - n->bytes_left;
    c->shared_requests += n->in_shared;
    c->shared_wavefronts += n->wavefronts;
    c->shared_ideal += n->wavefronts_ideal;
    c->shared_bytes += n->shared_bytes;
    c->local_bytes += n->local_bytes;
    c->local_unset += n->unset;
    if (atomic) {
        c->atomics += n->lanes;
        c->reading_atomics += n->reads;
    }
}

static bool is_memory(const insn *i)
{
    op_form form = insn_form(i);
    return form == FORM_memory || form == FORM_atomic || form == FORM_cp_async || form == FORM_bulk;
}

/* In f64, f16 or bf16, or in pairs of the latter. */
static bool adds_no_f32(const insn *i)
{
    const memory_form *f = i->extra;
    return i->kind == KIND_atom ? f->half || f->bytes == 8
                                : i->row != NO_ROW && !strstr(op_rows[i->row].pattern, ".f32");
}

static bool reads_lane_mask(const insn *i)
{
    if (i->kind != KIND_mov_special)
        return false;
    switch ((enum special_register)i->imm) {
    case SR_LANEMASK_EQ:
    case SR_LANEMASK_LE:
    case SR_LANEMASK_LT:
    case SR_LANEMASK_GE:
    case SR_LANEMASK_GT: return true;
    default: return false;
    }
}

/* Lanes that add, and instructions in which some do: where a select drops lanes, not all that
   execute it. */
static insn_counts adding(const code *c, uint32_t pc, const insn_counts *n, const insn_counts *all)
{
    insn_counts adds = *n;
    if (!c->picks || c->picks[pc].select < 0)
        return adds;
    const insn_counts *select = &all[c->picks[pc].select];
    bool when = c->picks[pc].when;
    uint64_t lanes = when ? select->took_a : select->lanes - select->took_a,
             idle = when ? select->none_a : select->none_b;
    /* a launch that was stopped between the two has counted one more of them */
    adds.lanes = lanes < n->lanes ? lanes : n->lanes;
    adds.warps = idle < n->warps ? n->warps - idle : 0;
    return adds;
}

static void add_insn(simt_counts *c, const code *code, uint32_t pc, const insn_counts *all)
{
    const insn *i = &code->insns[pc];
    const insn_counts *n = &all[pc];
    c->warp_instructions += n->warps;
    c->thread_instructions += n->lanes;
    if (i->kind == KIND_bra || i->kind == KIND_brx) {
        c->branches += n->warps;
        c->divergent_branches += n->divergent;
    }
    if (i->kind == KIND_shfl)
        c->shuffles += n->warps;
    if (reads_lane_mask(i))
        c->lane_masks += n->warps;
    if (i->kind == KIND_activemask)
        c->active_masks += n->warps;
    if (i->kind == KIND_vote)
        c->votes += n->warps;
    const memory_form *f = i->extra;
    if ((i->flags & OPF_FLOAT_ADD) || (i->kind == KIND_atom && f->is_float && f->atomic == A_ADD)) {
        insn_counts adds = adding(code, pc, n, all);
        c->float_adds += adds.lanes;
        c->float_add_issues += adds.warps;
        c->not_f32_adds += adds_no_f32(i) ? adds.lanes : 0;
    }
    if (is_memory(i))
        add_memory(c, i, n);
}

static int by_line(const void *a, const void *b)
{
    const simt_line_counts *x = a, *y = b;
    int c = strcmp(x->file, y->file);
    return c ? c : (x->line > y->line) - (x->line < y->line);
}

static simt_line_counts *line_of(simt_device *d, const char *file, unsigned line,
                                 unsigned *capacity)
{
    for (unsigned k = d->line_count; k-- > 0;)
        if (d->lines[k].line == line && strcmp(d->lines[k].file, file) == 0)
            return &d->lines[k];
    if (d->line_count == *capacity) {
        unsigned more = *capacity ? 2 * *capacity : 64;
        simt_line_counts *grown = realloc(d->lines, more * sizeof *grown);
        if (!grown)
            return NULL;
        d->lines = grown;
        *capacity = more;
    }
    simt_line_counts *l = &d->lines[d->line_count++];
    *l = (simt_line_counts){ .line = line };
    snprintf(l->file, sizeof l->file, "%s", file);
    return l;
}

static void add_line(simt_device *d, const code *c, uint32_t pc, const insn_counts *all,
                     unsigned *capacity)
{
    const ptx_instr *p = &c->ptx->instrs[c->source[pc]];
    if (!p->line || p->file >= c->module->ptx->file_count)
        return;
    simt_line_counts *l = line_of(d, c->module->ptx->files[p->file], p->line, capacity);
    if (!l)
        return;
    simt_counts one = { 0 };
    add_insn(&one, c, pc, all);
    l->warp_instructions += one.warp_instructions;
    l->thread_instructions += one.thread_instructions;
    l->branches += one.branches;
    l->divergent_branches += one.divergent_branches;
    l->float_adds += one.float_adds;
    l->float_add_issues += one.float_add_issues;
    l->barriers += all[pc].barriers;
    l->shared_wavefronts += one.shared_wavefronts;
    l->shared_ideal += one.shared_ideal;
    l->global_sectors += one.global_sectors;
    l->global_ideal += one.global_ideal;
}

/* Host threads' counters stand in the first workers. Adds what was counted by runs, then by lines
   of words, to the instructions. */
static void spread_runs(const code *c, uint32_t pc, const run_counts *r, insn_counts *n)
{
    const insn *at = &c->insns[pc];
    for (unsigned i = 0; r->whole && i < at->whole_run; i++) {
        n[i].warps += r->whole;
        n[i].lanes += r->whole * LANES;
        if (at[i].flags & OPF_LINES)
            n[i].lines += r->whole;
    }
    /* no parts but lanes: as many were taken back, with other lanes */
    bool parts = r->parts | r->lanes;
    for (unsigned i = 0; parts && i < at->run; i++) {
        n[i].warps += r->parts;
        n[i].lanes += r->lanes;
    }
}

/* n: of the function's instructions. */
static void spread(const code *c, const run_counts *runs, insn_counts *n)
{
    for (uint32_t pc = 0; pc < c->count; pc++)
        spread_runs(c, pc, &runs[pc], &n[pc]);
    for (uint32_t pc = 0; pc < c->count; pc++) {
        n[pc].wavefronts += n[pc].lines;
        n[pc].wavefronts_ideal += n[pc].lines;
        n[pc].in_shared += n[pc].lines;
        n[pc].shared_bytes += n[pc].lines * LANES * 4;
    }
}

static void spread_counts(simt_device *d, const code *c)
{
    for (unsigned k = 0; k < d->worker_count && d->workers[k].counts; k++)
        spread(c, &d->workers[k].runs[c->counter_base], &d->workers[k].counts[c->counter_base]);
}

/* Adds those of all host threads up in the first one's; null: counters are off. */
static const insn_counts *gather_counts(simt_device *d, const code *c)
{
    insn_counts *all = NULL;
    spread_counts(d, c);
    for (unsigned k = 0; k < d->worker_count && d->workers[k].counts; k++) {
        insn_counts *from = &d->workers[k].counts[c->counter_base];
        uint64_t *a = (uint64_t *)all;
        const uint64_t *b = (const uint64_t *)from;
        for (size_t i = 0; all && i < c->count * sizeof *from / sizeof *b; i++)
            a[i] += b[i];
        all = all ? all : from;
    }
    return all;
}

/* Has the launch run any of the function? It begins at its first instruction. */
static bool was_begun(const simt_device *d, const code *c)
{
    uint64_t begun = 0;
    for (unsigned k = 0; k < d->worker_count && d->workers[k].counts; k++) {
        const run_counts *r = &d->workers[k].runs[c->counter_base];
        begun |= d->workers[k].counts[c->counter_base].warps | r->whole | r->parts | r->lanes;
    }
    return begun != 0;
}

/* What follows from the sums. */
static void derive(simt_counts *sum)
{
    const uint64_t few = FEW_LANES * ((sum->float_adds + LANES - 1) / LANES);
    sum->storing_launches = sum->global_bytes_written > 0;
    sum->lone_add_issues = sum->float_add_issues > few ? sum->float_add_issues - few : 0;
}

void counters_so_far(const simt_device *d, simt_counts *sum)
{
    const worker *k = &d->workers[0];
    for (unsigned f = 0; k->counts && f < d->function_count; f++) {
        const code *c = d->functions[f];
        const size_t bytes = c->count * sizeof *k->counts;
        insn_counts *all = was_begun(d, c) ? malloc(bytes) : NULL;
        if (!all)
            continue;
        memcpy(all, &k->counts[c->counter_base], bytes);
        spread(c, &k->runs[c->counter_base], all);
        for (uint32_t pc = 0; pc < c->count; pc++)
            if (all[pc].warps && !(c->insns[pc].flags & OPF_PSEUDO))
                add_insn(sum, c, pc, all);
        free(all);
    }
    derive(sum);
}

void counters_merge(launch *l, bool more, simt_counts *sum)
{
    simt_device *d = l->device;
    if (!more) {
        free(d->lines);
        d->lines = NULL;
        d->line_count = 0;
    }
    unsigned capacity = d->line_count;
    for (unsigned f = 0; f < d->function_count; f++) {
        const code *c = d->functions[f];
        if (!was_begun(d, c))
            continue;
        const insn_counts *all = gather_counts(d, c);
        for (uint32_t pc = 0; all && pc < c->count; pc++) {
            if (all[pc].warps == 0 || (c->insns[pc].flags & OPF_PSEUDO))
                continue;
            if (c->insns[pc].row != NO_ROW)
                atomic_fetch_add(&op_executed[c->insns[pc].row], all[pc].warps);
            add_insn(sum, c, pc, all);
            add_line(d, c, pc, all, &capacity);
        }
    }
    derive(sum);
    if (d->line_count)
        qsort(d->lines, d->line_count, sizeof *d->lines, by_line);
}
