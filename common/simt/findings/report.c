/*
 * report.c: what was seen: findings with their places, counters by launch and by line, what kernels
 * printed. Interface: report_* in engine.h, simt_finding_name, simt_counts_add. Invariants: a
 * worker keeps at most SIMT_MAX_FINDINGS distinct findings (kind, instruction, other instruction);
 * repeats are counted; merging keeps block order.
 */
#include "findings/findings.h"
#include "machine/machine.h"
#include "watch/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places ---------------------------------------------------------------------------------- */

const code *report_code_of(const simt_device *d, const insn *i, uint32_t *pc)
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

/* _Z13reduce_kernelPKfPf -> reduce_kernel; _ZZ2hsE1s, _ZZN2hsE..E1s -> s: the last length-prefixed
   name that follows the last E. */
void report_pretty_name(const char *mangled, char *out, size_t bytes)
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
    char *end;
    long n = strtol(s, &end, 10);
    if (n <= 0 || (size_t)n > strlen(end))
        return;
    snprintf(out, bytes, "%.*s", (int)n, end);
}

void report_thread_of(const simt_block *b, unsigned thread, simt_dim *out)
{
    const simt_dim *d = &b->worker->launch->args->block;
    *out = (simt_dim){ thread % d->x, thread / d->x % d->y, thread / d->x / d->y };
}

void report_site(const simt_warp *w, const code *c, uint32_t pc, unsigned lane, simt_site *s)
{
    *s = (simt_site){ .block = w->block->id, .warp = w->index, .lane = lane };
    report_thread_of(w->block, w->index * LANES + lane, &s->thread);
    report_pretty_name(w->worker->launch->kernel->ptx->name, s->kernel, sizeof s->kernel);
    if (pc >= c->count || c->ptx->instr_count == 0)
        return;
    const ptx_instr *p = &c->ptx->instrs[c->source[pc]];
    const ptx_module *m = c->module->ptx;
    s->line = p->line;
    s->ptx_line = p->ptx_line;
    if (p->line && p->file < m->file_count)
        snprintf(s->file, sizeof s->file, "%s", m->files[p->file]);
}

const char *report_line_text(const simt_site *s, char *buffer, size_t bytes)
{
    if (s->line)
        snprintf(buffer, bytes, "%s:%u", s->file, s->line);
    else
        snprintf(buffer, bytes, "line %u of the PTX", s->ptx_line);
    return buffer;
}

const shared_var *report_shared_var(const simt_warp *w, size_t offset)
{
    const code *c = w->worker->launch->kernel;
    const shared_var *best = NULL;
    for (unsigned i = 0; i < c->shared_var_count; i++) {
        const shared_var *v = &c->shared_vars[i];
        if (offset >= v->offset && offset - v->offset < v->bytes &&
            (!best || v->offset >= best->offset))
            best = v;
    }
    return best;
}

/* ---- findings -------------------------------------------------------------------------------- */

static int weight(simt_finding_kind kind)
{
    if (kind == SIMT_NO_FINDING || kind == SIMT_NEEDS_SM70 || kind == SIMT_DIVISION_BY_ZERO ||
        kind == SIMT_NEEDS_SM90)
        return 0;
    return kind == SIMT_RACE || kind == SIMT_LEAK ||
                   (kind >= SIMT_UNINITIALIZED && kind <= SIMT_WIDE_SHIFT)
               ? 1
               : 2;
}

bool simt_finding_is_note(simt_finding_kind kind) { return weight(kind) == 0; }

static int weight_of(const simt_finding *f) { return f->fatal ? 3 : weight(f->kind); }

unsigned simt_finding_place(const simt_finding *table, unsigned count, unsigned room,
                            const simt_finding *f)
{
    if (count < room)
        return count;
    unsigned lightest = room;
    for (unsigned i = room; i-- > 0;)
        if (weight_of(&table[i]) < weight_of(lightest < room ? &table[lightest] : f))
            lightest = i;
    return lightest;
}

simt_finding *report_finding(simt_warp *w, simt_finding_kind kind, const insn *at,
                             const insn *other, unsigned lane)
{
    worker *k = w->worker;
    if (k->aside)
        return NULL;
    uint32_t at_pc = 0, other_pc = 0;
    const code *c = report_code_of(k->device, at, &at_pc),
               *oc = other ? report_code_of(k->device, other, &other_pc) : NULL;
    if (!c)
        return NULL;
    uint32_t at_key = c->counter_base + at_pc, other_key = oc ? oc->counter_base + other_pc + 1 : 0;
    for (unsigned i = 0; i < k->finding_count; i++) {
        if (k->findings[i].kind != kind || k->finding_key[2 * i] != at_key ||
            k->finding_key[2 * i + 1] != other_key)
            continue;
        k->findings[i].count++;
        k->last_finding = &k->findings[i];
        return NULL;
    }
    k->last_finding = NULL;
    unsigned place = simt_finding_place(k->findings, k->finding_count, SIMT_MAX_FINDINGS,
                                        &(simt_finding){ .kind = kind });
    if (k->finding_count == SIMT_MAX_FINDINGS)
        k->dropped++;
    /* behind the table: it is kept if it turns out to stop the kernel */
    simt_finding *f = k->last_finding = &k->findings[place];
    k->finding_key[2 * place] = at_key;
    k->finding_key[2 * place + 1] = other_key;
    if (place == k->finding_count && place < SIMT_MAX_FINDINGS)
        k->finding_count++;
    *f = (simt_finding){ .kind = kind, .count = 1, .index = -1 };
    report_site(w, c, at_pc, lane, &f->at);
    if (oc) {
        f->has_other = true;
        report_site(w, oc, other_pc, 0, &f->other);
    }
    return f;
}

simt_finding *report_host_finding(simt_device *d, simt_finding_kind kind)
{
    if (!d->host_findings &&
        !(d->host_findings = calloc(SIMT_MAX_FINDINGS, sizeof *d->host_findings)))
        return NULL;
    if (d->host_finding_told)
        d->host_finding_count = d->host_finding_told = 0;
    unsigned place = simt_finding_place(d->host_findings, d->host_finding_count, SIMT_MAX_FINDINGS,
                                        &(simt_finding){ .kind = kind });
    if (place == SIMT_MAX_FINDINGS)
        return NULL;
    if (place == d->host_finding_count)
        d->host_finding_count++;
    d->host_findings[place] = (simt_finding){ .kind = kind, .count = 1, .index = -1 };
    return &d->host_findings[place];
}

unsigned simt_host_findings(simt_device *d, const simt_finding **findings)
{
    unsigned fresh = 0;
    for (unsigned k = 0; d && !d->host_finding_told && k < d->host_finding_count; k++)
        if (!suppressed(d, &d->host_findings[k]))
            d->host_findings[fresh++] = d->host_findings[k];
    if (d && !d->host_finding_told)
        d->host_finding_count = fresh;
    if (d)
        d->host_finding_told = d->host_finding_count;
    if (findings)
        *findings = fresh ? d->host_findings : NULL;
    return fresh;
}

/* The one behind the full table stops the kernel: a lighter one gives it its place. */
static void keep_last(worker *k)
{
    const simt_finding *f = &k->findings[SIMT_MAX_FINDINGS];
    unsigned place = simt_finding_place(k->findings, SIMT_MAX_FINDINGS, SIMT_MAX_FINDINGS, f);
    if (place == SIMT_MAX_FINDINGS)
        return;
    k->findings[place] = *f;
    memcpy(&k->finding_key[2 * place], &k->finding_key[2 * SIMT_MAX_FINDINGS],
           2 * sizeof *k->finding_key);
}

void report_fatal(simt_warp *w, simt_finding *f)
{
    launch *l = w->worker->launch;
    /* said before, when it did not stop the kernel */
    if (!f && !w->worker->out_of_memory && !w->worker->aside)
        f = w->worker->last_finding;
    if (f)
        f->fatal = true;
    if (f == &w->worker->findings[SIMT_MAX_FINDINGS])
        keep_last(w->worker);
    w->worker->fatal = true;
    uint64_t seen = atomic_load(&l->fatal_order), mine = w->block->order;
    while (!w->worker->aside && mine < seen &&
           !atomic_compare_exchange_weak(&l->fatal_order, &seen, mine)) {
    }
    w->stop = STOP_NONE;
    warp_stop(w, STOP_FAULT);
}

void report_print(simt_warp *w, const char *text, size_t bytes)
{
    worker *k = w->worker;
    enum { MOST = 1 << 20 }; /* CUDA's default printf buffer: what does not fit is lost */
    if (k->aside || bytes == 0 || k->printed_bytes + bytes > MOST)
        return;
    if (k->printed_bytes + bytes > k->printed_capacity) {
        size_t capacity = 2 * (k->printed_bytes + bytes) + 1024;
        char *grown = realloc(k->printed, capacity);
        if (!grown)
            return;
        k->printed = grown;
        k->printed_capacity = capacity;
    }
    memcpy(k->printed + k->printed_bytes, text, bytes);
    k->printed_bytes += bytes;
}

const char *simt_finding_name(simt_finding_kind kind)
{
    static const char *const names[SIMT_FINDING_KINDS] = { "nothing",
                                                           "out of bounds",
                                                           "use after free",
                                                           "misaligned access",
                                                           "race",
                                                           "barrier divergence",
                                                           "bad sync",
                                                           "deadlock",
                                                           "instruction budget spent",
                                                           "unsupported instruction",
                                                           "trap",
                                                           "assertion failed",
                                                           "stack overflow",
                                                           "needs sm_70",
                                                           "division by zero",
                                                           "needs a newer GPU",
                                                           "uninitialized value",
                                                           "inactive lane read",
                                                           "shift beyond the width",
                                                           "bad free",
                                                           "leak" };
    return kind < SIMT_FINDING_KINDS ? names[kind] : "unknown";
}

/* ---- counters -------------------------------------------------------------------------------- */

void simt_counts_add(simt_counts *sum, const simt_counts *more)
{
    uint64_t *a = (uint64_t *)sum;
    const uint64_t *b = (const uint64_t *)more;
    uint64_t depth = more->depth > sum->depth ? more->depth : sum->depth;
    /* every member is a uint64_t */
    for (size_t i = 0; i < sizeof *sum / sizeof *a; i++)
        a[i] += b[i];
    sum->depth = depth;
}
_Static_assert(sizeof(simt_counts) % sizeof(uint64_t) == 0, "simt_counts holds uint64_t only");

static void add_memory(simt_counts *c, const insn *i, const insn_counts *n)
{
    const memory_form *f = i->extra;
    bool atomic = i->kind == KIND_atom, global = n->sectors > 0, shared = n->wavefronts > 0;
    if (global) {
        c->global_requests += n->warps;
        c->global_sectors += n->sectors;
        c->global_ideal += n->sectors_ideal;
        if (!f->write || atomic)
            c->global_bytes_read += n->bytes;
        if (f->write)
            c->global_bytes_written += n->bytes;
    }
    if (shared) {
        c->shared_requests += n->warps;
        c->shared_wavefronts += n->wavefronts;
        c->shared_ideal += n->wavefronts_ideal;
        if (!global)
            c->shared_bytes += n->bytes;
    }
    if (f->space == SPACE_LOCAL || (f->space == SPACE_GENERIC && !global && !shared))
        c->local_bytes += n->bytes;
    if (atomic)
        c->atomics += n->lanes;
}

static bool is_memory(const insn *i)
{
    op_form form = insn_form(i);
    return form == FORM_memory || form == FORM_atomic || form == FORM_cp_async || form == FORM_bulk;
}

static void add_insn(simt_counts *c, const insn *i, const insn_counts *n)
{
    c->warp_instructions += n->warps;
    c->thread_instructions += n->lanes;
    if (i->kind == KIND_bra || i->kind == KIND_brx) {
        c->branches += n->warps;
        c->divergent_branches += n->divergent;
    }
    const memory_form *f = i->extra;
    if ((i->flags & OPF_FLOAT_ADD) || (i->kind == KIND_atom && f->is_float && f->atomic == A_ADD)) {
        c->float_adds += n->lanes;
        c->float_add_issues += n->warps;
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

static void add_line(simt_device *d, const code *c, uint32_t pc, const insn_counts *n,
                     unsigned *capacity)
{
    const ptx_instr *p = &c->ptx->instrs[c->source[pc]];
    if (!p->line || p->file >= c->module->ptx->file_count)
        return;
    simt_line_counts *l = line_of(d, c->module->ptx->files[p->file], p->line, capacity);
    if (!l)
        return;
    simt_counts one = { 0 };
    add_insn(&one, &c->insns[pc], n);
    l->warp_instructions += one.warp_instructions;
    l->thread_instructions += one.thread_instructions;
    l->branches += one.branches;
    l->divergent_branches += one.divergent_branches;
    l->float_adds += one.float_adds;
    l->float_add_issues += one.float_add_issues;
    l->barriers += n->barriers;
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
    bool parts = r->parts | r->lanes; /* no parts but lanes: as many were taken back, with
                                           other lanes */
    for (unsigned i = 0; parts && i < at->run; i++) {
        n[i].warps += r->parts;
        n[i].lanes += r->lanes;
    }
}

static void spread_counts(simt_device *d, const code *c)
{
    for (unsigned k = 0; k < d->worker_count && d->workers[k].counts; k++) {
        insn_counts *n = &d->workers[k].counts[c->counter_base];
        for (uint32_t pc = 0; pc < c->count; pc++)
            spread_runs(c, pc, &d->workers[k].runs[c->counter_base + pc], &n[pc]);
        for (uint32_t pc = 0; pc < c->count; pc++) {
            n[pc].wavefronts += n[pc].lines;
            n[pc].wavefronts_ideal += n[pc].lines;
            n[pc].bytes += n[pc].lines * LANES * 4;
        }
    }
}

static void merge_counts(launch *l, simt_counts *sum)
{
    simt_device *d = l->device;
    unsigned capacity = 0;
    free(d->lines);
    d->lines = NULL;
    d->line_count = 0;
    for (unsigned f = 0; f < d->function_count; f++) {
        const code *c = d->functions[f];
        spread_counts(d, c);
        for (uint32_t pc = 0; pc < c->count; pc++) {
            insn_counts n = { 0 };
            for (unsigned k = 0; k < d->worker_count && d->workers[k].counts; k++) {
                uint64_t *a = (uint64_t *)&n;
                const uint64_t *b = (const uint64_t *)&d->workers[k].counts[c->counter_base + pc];
                for (size_t i = 0; i < sizeof n / sizeof *a; i++)
                    a[i] += b[i];
            }
            if (n.warps == 0 || (c->insns[pc].flags & OPF_PSEUDO))
                continue;
            if (c->insns[pc].row != NO_ROW)
                atomic_fetch_add(&op_executed[c->insns[pc].row], n.warps);
            add_insn(sum, &c->insns[pc], &n);
            add_line(d, c, pc, &n, &capacity);
        }
    }
    if (d->line_count)
        qsort(d->lines, d->line_count, sizeof *d->lines, by_line);
}

/* ---- all together ---------------------------------------------------------------------------- */

static void merge_findings(launch *l, simt_report *r)
{
    simt_device *d = l->device;
    for (unsigned k = 0; k < d->worker_count; k++) {
        const worker *w = &d->workers[k];
        for (unsigned i = 0; i < w->finding_count; i++) {
            unsigned j = 0;
            const simt_finding *f = &w->findings[i];
            if (d->suppression_count && suppressed(d, f)) {
                r->suppressed++;
                continue;
            }
            for (; j < r->findings; j++)
                if (r->finding[j].kind == f->kind && r->finding[j].at.ptx_line == f->at.ptx_line &&
                    r->finding[j].other.ptx_line == f->other.ptx_line)
                    break;
            if (j < r->findings) {
                r->finding[j].count += f->count;
                r->finding[j].fatal |= f->fatal;
                continue;
            }
            if (r->findings == SIMT_MAX_FINDINGS)
                r->findings_dropped++;
            j = simt_finding_place(r->finding, r->findings, SIMT_MAX_FINDINGS, f);
            if (j < SIMT_MAX_FINDINGS)
                r->finding[j] = *f;
            if (j == r->findings && j < SIMT_MAX_FINDINGS)
                r->findings++;
        }
        r->findings_dropped += w->dropped;
        /* what comes after a stopped block in the order was not to run */
        if (w->fatal)
            break;
    }
}

/* Those of the first block in the order that could not go on, or of all resident ones together. */
static void merge_waits(launch *l, simt_report *r)
{
    simt_device *d = l->device;
    free(d->waits);
    d->waits = NULL;
    for (unsigned k = 0; k < d->worker_count && !d->waits; k++) {
        worker *w = &d->workers[k];
        d->waits = w->waits;
        r->wait_count = w->wait_count;
        r->waits_dropped = w->waits_dropped;
        w->waits = NULL;
        if (w->fatal)
            break;
    }
    r->waits = d->waits;
}

static void merge_printed(launch *l, simt_report *r)
{
    simt_device *d = l->device;
    size_t bytes = 0, at = 0;
    for (unsigned k = 0; k < d->worker_count; k++)
        bytes += d->workers[k].printed_bytes;
    free(d->printed);
    d->printed = bytes ? malloc(bytes + 1) : NULL;
    for (unsigned k = 0; d->printed && k < d->worker_count; k++) {
        if (d->workers[k].printed_bytes)
            memcpy(d->printed + at, d->workers[k].printed, d->workers[k].printed_bytes);
        at += d->workers[k].printed_bytes;
    }
    if (d->printed)
        d->printed[bytes] = '\0';
    r->printed = d->printed ? d->printed : "";
    r->printed_bytes = d->printed ? bytes : 0;
}

/* "blocks reversed, 4 resident (the next starts when one ends), warps shuffled, seed 7, late
   stores" */
static void schedule_text(const launch *l, char *out, size_t bytes)
{
    static const char *const orders[] = { "in order", "reversed", "shuffled" };
    const simt_config *c = &l->config;
    char places[64] = "one after the other";
    if (l->blocks == 1)
        snprintf(places, sizeof places, "only one");
    else if (l->resident && l->slots >= l->blocks)
        snprintf(places, sizeof places, "all %llu resident", (unsigned long long)l->blocks);
    else if (l->resident)
        snprintf(places, sizeof places, "%u resident (the next starts when one ends)", l->slots);
    snprintf(out, bytes, "blocks %s, %s, warps %s, seed %llu%s", orders[c->block_order], places,
             c->shuffle_warps ? "shuffled" : "in turn", (unsigned long long)c->seed,
             l->late ? ", late stores" : "");
}

void report_merge(launch *l, simt_report *r)
{
    simt_device *d = l->device;
    *r = (simt_report){ 0 };
    if (l->config.checks & SIMT_CHECK_COUNTERS)
        merge_counts(l, &r->counts);
    for (unsigned k = 0; k < d->worker_count; k++) {
        r->counts.blocks += d->workers[k].blocks;
        r->counts.warps += d->workers[k].warps;
        r->counts.threads += d->workers[k].threads;
        r->counts.barriers += d->workers[k].barriers;
    }
    r->counts.launches = 1;
    if (l->config.trace & SIMT_TRACE_ADDS)
        trace_report(d, r);
    r->counts.shared_allocated = r->counts.blocks * l->shared_bytes;
    r->lines = d->lines;
    r->line_count = l->config.checks & SIMT_CHECK_COUNTERS ? d->line_count : 0;
    merge_findings(l, r);
    merge_waits(l, r);
    merge_printed(l, r);
    r->blocks = d->events;
    r->block_event_count = d->event_count;
    r->blocks_end = d->worker_count ? d->workers[0].spent : 0;
    schedule_text(l, r->schedule, sizeof r->schedule);
}
