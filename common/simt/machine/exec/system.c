/*
 * system.c: special registers, address windows, branches and calls, leaving, and what the
 * device runtime offers (vprintf, __assertfail, malloc, free). Source: PTX ISA manual, "Special
 * Registers", "Control Flow Instructions"; the argument buffer of vprintf: CUDA "System Calls" in
 * the PTX interoperability guide.
 */
#include "machine/exec/handlers.h"
#include "watch/hooks.h"
#include "machine/found.h"
#include "machine/misuse.h"
#include "machine/pinned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const simt_dim *grid_of(const simt_warp *w) { return &w->block->part->args->grid; }
static simt_addr workspace_of(const simt_warp *w)
{
    return w->worker->device->grid_workspace[w->block->part - w->worker->launch->part];
}
static const simt_dim *block_dim(const simt_warp *w) { return &w->block->part->args->block; }

/* ---- special registers ----------------------------------------------------------------------- */

/* The clock's cycles and the timer's nanoseconds, by the warp instructions of the worker so far:
   they repeat, and they grow. */
static uint64_t gone_by(const simt_warp *w)
{
    return launch_time(w->worker->launch, w->worker->spent + (uint64_t)(w->slice - w->fuel));
}

static uint64_t uniform_special(const simt_warp *w, enum special_register r)
{
    const simt_dim *b = block_dim(w), *g = grid_of(w), *id = &w->block->id;
    switch (r) {
    case SR_NTID_X: return b->x;
    case SR_NTID_Y: return b->y;
    case SR_NTID_Z: return b->z;
    case SR_CTAID_X: return id->x;
    case SR_CTAID_Y: return id->y;
    case SR_CTAID_Z: return id->z;
    case SR_NCTAID_X: return g->x;
    case SR_NCTAID_Y: return g->y;
    case SR_NCTAID_Z: return g->z;
    case SR_WARPID: return w->index;
    case SR_NWARPID: return simt_device_limits()->max_threads_per_multiprocessor / LANES;
    case SR_SMID: return w->block->order % device_multiprocessors(w->worker->device);
    case SR_NSMID: return device_multiprocessors(w->worker->device);
    case SR_GRIDID: return w->worker->device->launches;
    case SR_CLOCK:
    case SR_CLOCK_HI:
    case SR_CLOCK64: {
        uint64_t t = gone_by(w);
        return r == SR_CLOCK ? (uint32_t)t : r == SR_CLOCK_HI ? t >> 32 : t;
    }
    case SR_GLOBALTIMER:
    case SR_GLOBALTIMER_LO:
    case SR_GLOBALTIMER_HI: {
        uint64_t t = w->worker->device->nanoseconds + gone_by(w);
        return r == SR_GLOBALTIMER_HI ? t >> 32 : r == SR_GLOBALTIMER_LO ? (uint32_t)t : t;
    }
    case SR_DYNAMIC_SMEM: return w->block->part->args->dynamic_shared;
    case SR_ENVREG1: return w->block->part->args->cooperative ? workspace_of(w) >> 32 : 0;
    case SR_ENVREG2: return w->block->part->args->cooperative ? (uint32_t)workspace_of(w) : 0;
    case SR_CLUSTERID_X: return id->x;
    case SR_CLUSTERID_Y: return id->y;
    case SR_CLUSTERID_Z: return id->z;
    case SR_NCLUSTERID_X: return g->x;
    case SR_NCLUSTERID_Y: return g->y;
    case SR_NCLUSTERID_Z: return g->z;
    case SR_CLUSTER_CTAID_X:
    case SR_CLUSTER_CTAID_Y:
    case SR_CLUSTER_CTAID_Z:
    case SR_CLUSTER_CTARANK: return 0;
    case SR_CLUSTER_NCTAID_X:
    case SR_CLUSTER_NCTAID_Y:
    case SR_CLUSTER_NCTAID_Z:
    case SR_CLUSTER_NCTARANK: return 1;
    case SR_TOTAL_SMEM: return w->block->shared_bytes;
    default: return 0;
    }
}

static uint32_t lane_special(const simt_warp *w, enum special_register r, unsigned l)
{
    switch (r) {
    case SR_TID_X: return w->tid[0][l];
    case SR_TID_Y: return w->tid[1][l];
    case SR_TID_Z: return w->tid[2][l];
    case SR_LANEID: return l;
    case SR_LANEMASK_EQ: return 1u << l;
    case SR_LANEMASK_LE: return FULL_MASK >> (31 - l);
    case SR_LANEMASK_LT: return (1u << l) - 1;
    case SR_LANEMASK_GE: return FULL_MASK << l;
    default: return l == 31 ? 0 : FULL_MASK << (l + 1);
    }
}

void x_mov_special(simt_warp *w, const insn *i, uint32_t mask)
{
    enum special_register r = (enum special_register)i->imm;
    bool by_lane = r <= SR_TID_Z || r == SR_LANEID || (r >= SR_LANEMASK_EQ && r <= SR_LANEMASK_GT);
    if (r <= SR_TID_Z && !(i->wide & 2) && mask == FULL_MASK) {
        memcpy(REG(i->d), w->tid[r - SR_TID_X], sizeof w->tid[0]);
        return;
    }
    uint64_t v = by_lane ? 0 : uniform_special(w, r);
    if (!by_lane && !(i->wide & 2)) {
        uint32_t *d = (uint32_t *)REG(i->d), x = (uint32_t)v;
        LANE_LOOP
            d[l] = mask >> l & 1 ? x : d[l];
        return;
    }
    for (unsigned l = 0; l < LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        uint64_t x = by_lane ? lane_special(w, r, l) : v;
        if (i->wide & 2)
            ((uint64_t *)REG(i->d))[l] = x;
        else
            ((uint32_t *)REG(i->d))[l] = (uint32_t)x;
    }
}

const insn *r_mov_special(simt_warp *w, const insn *i, uint32_t mask)
{
    x_mov_special(w, i, mask);
    return run_on(w, i, mask);
}

/* %tid in a register of 32 bits */
const insn *r_mov_tid(simt_warp *w, const insn *i, uint32_t mask)
{
    if (mask != FULL_MASK)
        return r_mov_special(w, i, mask);
    memcpy(REG(i->d), w->tid[i->imm - SR_TID_X], sizeof w->tid[0]);
    return run_on(w, i, FULL_MASK);
}

/* ---- address windows: a generic address is global, or lies in the window of another space ---- */

#define PER_LANE(expr)                                                                             \
    do {                                                                                           \
        uint64_t *d = (uint64_t *)REG(i->d);                                                       \
        const uint64_t *pa = (const uint64_t *)REG(i->a);                                          \
        for (int l = 0; l < LANES; l++) {                                                          \
            uint64_t a = pa[l];                                                                    \
            d[l] = mask >> l & 1 ? (expr) : d[l];                                                  \
        }                                                                                          \
    } while (0)

void x_cvta_shared(simt_warp *w, const insn *i, uint32_t mask) { PER_LANE(SHARED_WINDOW + a); }
void x_cvta_local(simt_warp *w, const insn *i, uint32_t mask)
{
    PER_LANE(local_generic(w, (unsigned)l, a));
}
void x_cvta_to_local(simt_warp *w, const insn *i, uint32_t mask)
{
    PER_LANE(local_is_others(w, (unsigned)l, a) ? local_offset_in_any(a)
                                                : local_offset(w, (unsigned)l, a));
}
void x_cvta_param(simt_warp *w, const insn *i, uint32_t mask)
{
    PER_LANE(a >= PARAM_WINDOW ? a : PARAM_WINDOW + a);
}
void x_cvta_to_window(simt_warp *w, const insn *i, uint32_t mask)
{
    PER_LANE(a & (WINDOW_BYTES - 1));
}

void x_mov_local_address(simt_warp *w, const insn *i, uint32_t mask)
{
    uint64_t v = warp_frame(w)->local_base + (uint64_t)i->imm;
    for (unsigned l = 0; l < LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        if (i->wide & 2)
            ((uint64_t *)REG(i->d))[l] = v;
        else
            ((uint32_t *)REG(i->d))[l] = (uint32_t)v;
    }
}

static access_space window_of(uint64_t a)
{
    if (a - SHARED_WINDOW < WINDOW_BYTES)
        return SPACE_SHARED;
    if (a - LOCAL_WINDOW < WINDOW_BYTES)
        return SPACE_LOCAL;
    if (a - PARAM_WINDOW < WINDOW_BYTES)
        return SPACE_PARAM_IN;
    return SPACE_GLOBAL;
}

void x_isspacep(simt_warp *w, const insn *i, uint32_t mask)
{
    const uint64_t *a = (const uint64_t *)REG(i->a);
    uint32_t *d = (uint32_t *)REG(i->d), r = 0;
    for (int l = 0; l < LANES; l++) {
        access_space space = window_of(a[l]);
        const allocation *near =
            space == SPACE_GLOBAL ? memory_find(&w->worker->device->memory, a[l]) : NULL;
        if (memory_is_constant(near, a[l]))
            space = SPACE_CONST;
        r |= (uint32_t)(space == (access_space)i->imm) << l;
    }
    *d = (*d & ~mask) | (r & mask);
}

void *lane_host(simt_warp *w, unsigned lane, uint64_t a, size_t bytes)
{
    uint64_t off;
    switch (window_of(a)) {
    case SPACE_SHARED:
        off = a - SHARED_WINDOW;
        return off <= w->block->shared_bytes && bytes <= w->block->shared_bytes - off
                   ? w->block->shared + off
                   : NULL;
    case SPACE_LOCAL:
        off = local_offset(w, lane, a);
        if (!w->block->local || off > LOCAL_STACK || bytes > LOCAL_STACK - off)
            return NULL;
        return w->block->local + (size_t)(w->index * LANES + lane) * LOCAL_STACK + off;
    case SPACE_PARAM_IN: {
        const frame *f = warp_frame(w);
        size_t room = f->in_stride ? f->in_stride : f->code->in_bytes;
        off = a - PARAM_WINDOW;
        return off <= room && bytes <= room - off ? f->in + lane * f->in_stride + off : NULL;
    }
    default:
        pinned_addresses(w->worker, &a, 1);
        return memory_host(&w->worker->device->memory, a, bytes);
    }
}

static void stop_with(simt_warp *w, const insn *i, uint32_t mask, simt_finding_kind kind,
                      simt_cause cause)
{
    simt_finding *f = found_add(w, kind, i, NULL, (unsigned)__builtin_ctz(mask));
    if (f)
        f->cause = cause;
    found_fatal(w, f);
}

/* ---- clusters of one block: its shared memory is at the address that it has anyway, in rank 0  */

void x_getctarank(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t *d = (uint32_t *)REG(i->d);
    LANE_LOOP
        d[l] = mask >> l & 1 ? 0 : d[l];
}

/* ---- alloca: after the frame's .local variables, a top for each lane ------------------------- */

size_t frame_local_end(const frame *f, unsigned lane)
{
    size_t end = f->local_base + f->code->local_bytes;
    return f->code->alloca_top < 0
               ? end
               : end + ((const uint32_t *)(f->regs + f->code->alloca_top))[lane];
}

size_t frame_local_top(const frame *f)
{
    size_t top = 0;
    for (unsigned l = 0; l < LANES; l++)
        if (frame_local_end(f, l) > top)
            top = frame_local_end(f, l);
    return (top + 15) & ~(size_t)15;
}

static void put_wide(const simt_warp *w, const insn *i, unsigned lane, uint64_t v)
{
    if (i->wide & 2)
        ((uint64_t *)REG(i->d))[lane] = v;
    else
        ((uint32_t *)REG(i->d))[lane] = (uint32_t)v;
}

static uint64_t get_wide(const simt_warp *w, const insn *i, unsigned lane)
{
    return i->wide & 1 ? ((const uint64_t *)REG(i->a))[lane] : ((const uint32_t *)REG(i->a))[lane];
}

/* imm: alignment */
void x_alloca(simt_warp *w, const insn *i, uint32_t mask)
{
    const frame *f = warp_frame(w);
    uint32_t *top = (uint32_t *)REG(f->code->alloca_top);
    uint64_t base = f->local_base + f->code->local_bytes, align = (uint64_t)i->imm;
    for (unsigned l = 0; l < LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        uint64_t size = get_wide(w, i, l), at = (base + top[l] + align - 1) / align * align;
        if (size > LOCAL_STACK || at + size > LOCAL_STACK) {
            stop_with(w, i, 1u << l, SIMT_STACK_OVERFLOW, SIMT_CAUSE_ALLOCA_TOO_LARGE);
            return;
        }
        top[l] = (uint32_t)(at + size - base);
        put_wide(w, i, l, at);
    }
}

void x_stacksave(simt_warp *w, const insn *i, uint32_t mask)
{
    for (unsigned l = 0; l < LANES; l++)
        if (mask >> l & 1)
            put_wide(w, i, l, frame_local_end(warp_frame(w), l));
}

void x_stackrestore(simt_warp *w, const insn *i, uint32_t mask)
{
    const frame *f = warp_frame(w);
    if (f->code->alloca_top < 0)
        return;
    uint32_t *top = (uint32_t *)REG(f->code->alloca_top);
    uint64_t base = f->local_base + f->code->local_bytes;
    for (unsigned l = 0; l < LANES; l++) {
        uint64_t to = get_wide(w, i, l);
        if (mask >> l & 1 && to >= base && to - base <= top[l])
            top[l] = (uint32_t)(to - base);
    }
}

/* ---- branches and leaving -------------------------------------------------------------------- */

static inline void bra_uniform(simt_warp *w, const insn *i, uint32_t mask)
{
    if (mask == w->active)
        w->pc = i->target;
    else
        warp_branch(w, i, mask);
}

/* The lanes of mask that take it. */
static inline uint32_t takers(const simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t p;
    memcpy(&p, REG(i->a), 4);
    return (p ^ (uint32_t)i->imm) & mask;
}

static inline void bra(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t taken = takers(w, i, mask);
    if (taken)
        warp_branch(w, i, taken);
}

void x_bra_uniform(simt_warp *w, const insn *i, uint32_t mask) { bra_uniform(w, i, mask); }
void x_bra(simt_warp *w, const insn *i, uint32_t mask) { bra(w, i, mask); }

/* All lanes go to the target of i, and on from there in the same loop (execute), if a run can begin
   there. The run that i is in ends. */
static __attribute__((noinline)) const insn *jump_part(simt_warp *w, const insn *i, uint32_t mask)
{
    const insn *to = w->insns + i->target;
    if (i + 1 != w->run_last)
        run_cut(w, i + 1, mask);
    w->pc = i->target;
    if (w->skipped && w->skip_to == i->target && w->fuel > 0) {
        w->fuel--; /* for the JOIN, where a split would end */
        return warp_skip_meets(w, i);
    }
    if (w->skipped)
        warp_skip_ends(w);
    return run_begin(w, to, mask) ? to : i + 1;
}

/* The same for a whole warp, run_cut and run_begin in one; left: how many instructions of the run
   come after i. */
static inline const insn *jump(simt_warp *w, const insn *i, uint32_t mask, uint32_t left)
{
    const insn *to = w->insns + i->target;
    uint32_t n = to->whole_run;
    int64_t fuel = w->fuel + left;
    if (mask != FULL_MASK || n == 0 || n > fuel)
        return jump_part(w, i, mask);
    w->fuel = fuel - n;
    w->pc = i->target + n;
    w->run_end = w->run_last = to + n;
    run_counts *runs = w->worker->runs;
    if (!runs)
        return to;
    runs += w->counter_base;
    if (left)
        runs[i + 1 - w->insns].whole--;
    runs[i->target].whole++;
    return to;
}

const insn *r_bra_uniform(simt_warp *w, const insn *i, uint32_t mask)
{
    return jump(w, i, mask, 0);
}

static __attribute__((noinline)) const insn *bra_parts(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t taken = takers(w, i, mask);
    if (i + 1 != w->run_last)
        run_cut(w, i + 1, mask);
    if (w->skipped)
        warp_skip_ends(w);
    if (warp_skip(w, i, taken))
        return i + 1;
    warp_branch(w, i, taken);
    return i + 1;
}

/* A run goes on after a branch that no lane takes; else it ends here. */
const insn *r_bra(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t taken = takers(w, i, mask);
    if (!taken)
        return run_on(w, i, mask);
    return taken == mask ? jump(w, i, mask, (uint32_t)(w->run_last - (i + 1)))
                         : bra_parts(w, i, mask);
}

const insn *r_bra_last(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t taken = takers(w, i, mask);
    if (!taken)
        return i + 1;
    return taken == mask ? jump(w, i, mask, 0) : bra_parts(w, i, mask);
}

void x_ret(simt_warp *w, const insn *i, uint32_t mask)
{
    (void)i;
    warp_exit_lanes(w, mask);
}

void x_exit(simt_warp *w, const insn *i, uint32_t mask)
{
    (void)i;
    warp_exit_lanes(w, mask);
}

void x_end(simt_warp *w, const insn *i, uint32_t mask)
{
    const split *s = &w->splits[w->current];
    w->joins++;
    if (s->parent >= 0 && s->rpc == (uint32_t)(i - w->insns))
        warp_join(w, i, mask);
    else if (s->depth > 0)
        warp_return(w, mask);
    else
        warp_exit_lanes(w, mask);
}

/* Does the function ask whether its launch is cooperative, as a grid's barrier does? */
static bool asks_for_cooperative(const code *c)
{
    for (unsigned k = 0; k < c->ptx->instr_count; k++)
        for (unsigned o = 0; o < c->ptx->instrs[k].operand_count; o++) {
            const ptx_operand *operand = &c->ptx->instrs[k].operands[o];
            if (operand->kind == PTX_NAME && strcmp(operand->name, "%envreg1") == 0)
                return true;
        }
    return false;
}

void x_trap(simt_warp *w, const insn *i, uint32_t mask)
{
    const bool lacks = !w->block->part->args->cooperative &&
                       asks_for_cooperative(w->frames[w->splits[w->current].depth].code);
    stop_with(w, i, mask, SIMT_TRAP, lacks ? SIMT_CAUSE_NOT_COOPERATIVE : SIMT_CAUSE_TRAP);
}

void x_brkpt(simt_warp *w, const insn *i, uint32_t mask)
{
    stop_with(w, i, mask, SIMT_TRAP, SIMT_CAUSE_BREAKPOINT);
}

/* imm: are its operands wrong for any machine? */
void x_unsupported(simt_warp *w, const insn *i, uint32_t mask)
{
    simt_finding *f = found_add(w, SIMT_UNSUPPORTED, i, NULL, (unsigned)__builtin_ctz(mask));
    if (f) {
        f->cause = i->imm ? SIMT_CAUSE_OPERANDS : SIMT_CAUSE_UNSUPPORTED;
        if (i->extra)
            snprintf(f->text, sizeof f->text, "%s", (const char *)i->extra);
    }
    found_fatal(w, f);
}

/* Lets other warps and blocks go on: it usually stands in a loop that waits for them. */
void x_nanosleep(simt_warp *w, const insn *i, uint32_t mask)
{
    (void)i;
    (void)mask;
    warp_stop(w, STOP_YIELD);
}

/* ---- printf ---------------------------------------------------------------------------------- */

/* wider ones are cut: a line that a kernel prints has at most 2047 characters */
enum { WIDTH_DIGITS = 3, MOST_WIDTH = 999 };

static bool device_string(simt_warp *w, unsigned lane, uint64_t a, char *out, size_t room)
{
    for (size_t n = 0; n + 1 < room; n++) {
        const char *c = lane_host(w, lane, a + n, 1);
        if (!c)
            return false;
        out[n] = *c;
        if (!*c)
            return true;
    }
    out[room - 1] = '\0';
    return true;
}

/* One argument of `bytes` from the packed buffer, naturally aligned. */
static bool argument(simt_warp *w, unsigned lane, uint64_t buffer, size_t *at, size_t bytes,
                     uint64_t *value)
{
    *at = (*at + bytes - 1) / bytes * bytes;
    const void *p = lane_host(w, lane, buffer + *at, bytes);
    *value = 0;
    if (!p)
        return false;
    memcpy(value, p, bytes);
    NOTIFY_WATCHERS(w->worker, printed, w, lane, buffer + *at, bytes);
    *at += bytes;
    return true;
}

static size_t print_one(simt_warp *w, unsigned lane, uint64_t buffer, size_t *at, const char *spec,
                        size_t spec_length, char conversion, bool wide, char *out, size_t room)
{
    char f[48], text[512];
    uint64_t v;
    int64_t s;
    double x;
    if (spec_length > 32)
        spec_length = 32;
    snprintf(f, sizeof f, "%.*s%s%c", (int)spec_length, spec,
             strchr("diuoxX", conversion) ? "ll" : "", conversion == 'p' ? 'p' : conversion);
    int n = 0;
    switch (conversion) {
    case 'd':
    case 'i':
        if (!argument(w, lane, buffer, at, wide ? 8 : 4, &v))
            break;
        s = wide ? (int64_t)v : (int32_t)v;
        n = snprintf(out, room, f, (long long)s);
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        if (!argument(w, lane, buffer, at, wide ? 8 : 4, &v))
            break;
        n = snprintf(out, room, f, (unsigned long long)v);
        break;
    case 'c':
        if (!argument(w, lane, buffer, at, 4, &v))
            break;
        n = snprintf(out, room, f, (int)v);
        break;
    case 'p':
        if (!argument(w, lane, buffer, at, 8, &v))
            break;
        n = snprintf(out, room, f, (void *)(uintptr_t)v);
        break;
    case 's':
        if (!argument(w, lane, buffer, at, 8, &v))
            break;
        if (!device_string(w, lane, v, text, sizeof text))
            strcpy(text, "(bad string)");
        n = snprintf(out, room, f, text);
        break;
    default:
        if (!argument(w, lane, buffer, at, 8, &v))
            break;
        memcpy(&x, &v, 8);
        n = snprintf(out, room, f, x);
        break;
    }
    return n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

/* Returns what vprintf does: the number of arguments, -1 for a format that cannot be read (CUDA C++
   Programming Guide, "Format Specifiers"). */
static int print_lane(simt_warp *w, unsigned lane, uint64_t format, uint64_t buffer)
{
    char f[1024], out[2048];
    size_t used = 0, at = 0;
    int arguments = 0;
    if (!device_string(w, lane, format, f, sizeof f))
        return -1;
    for (const char *c = f; *c && used + 1 < sizeof out;) {
        if (*c != '%') {
            out[used++] = *c++;
            continue;
        }
        if (c[1] == '%') {
            out[used++] = '%';
            c += 2;
            continue;
        }
        char spec[64];
        size_t n = 0, digits = 0; /* digits: of the width or precision being read */
        bool wide = false;
        spec[n++] = *c++;
        while (*c && strchr("-+ #0123456789.*", *c) && n < 24) {
            if (*c == '*') {
                uint64_t v = 0;
                (void)argument(w, lane, buffer, &at, 4, &v);
                arguments++;
                int32_t width = (int32_t)v < -MOST_WIDTH  ? -MOST_WIDTH
                                : (int32_t)v > MOST_WIDTH ? MOST_WIDTH
                                                          : (int32_t)v;
                n += (size_t)snprintf(spec + n, sizeof spec - n, "%d", width);
                c++;
            } else {
                digits = *c >= '0' && *c <= '9' ? digits + 1 : 0;
                if (digits <= WIDTH_DIGITS)
                    spec[n++] = *c;
                c++;
            }
        }
        while (*c && strchr("hlLzjt", *c))
            wide |= *c++ != 'h';
        if (!*c)
            break;
        if (!strchr("diuoxXcpsfFeEgGaA", *c)) {
            c++;
            continue;
        }
        used += print_one(w, lane, buffer, &at, spec, n, *c++, wide, out + used, sizeof out - used);
        arguments++;
    }
    found_print(w, out, used);
    return arguments;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static uint64_t call_argument(const frame *f, const call_form *c, unsigned k, unsigned lane,
                              size_t bytes)
{
    uint64_t v = 0;
    if (k < c->args)
        memcpy(&v, f->call + lane * f->call_stride + c->arg_offset[k],
               bytes < c->arg_bytes[k] ? bytes : c->arg_bytes[k]);
    return v;
}

static void call_result(const frame *f, const call_form *c, unsigned lane, uint64_t v, size_t bytes)
{
    if (c->results)
        memcpy(f->call + lane * f->call_stride + c->result_offset[0], &v,
               bytes < c->result_bytes[0] ? bytes : c->result_bytes[0]);
}

static void device_assert(simt_warp *w, const insn *i, const frame *f, const call_form *c,
                          unsigned lane)
{
    char what[160], file[128], function[64];
    if (!device_string(w, lane, call_argument(f, c, 0, lane, 8), what, sizeof what))
        strcpy(what, "?");
    if (!device_string(w, lane, call_argument(f, c, 1, lane, 8), file, sizeof file))
        strcpy(file, "?");
    if (!device_string(w, lane, call_argument(f, c, 3, lane, 8), function, sizeof function))
        strcpy(function, "?");
    const char *base = strrchr(file, '/');
    simt_finding *found = found_add(w, SIMT_ASSERT, i, NULL, lane);
    if (found) {
        found->cause = SIMT_CAUSE_ASSERT;
        snprintf(found->at.file, sizeof found->at.file, "%s", base ? base + 1 : file);
        found->at.line = (unsigned)call_argument(f, c, 2, lane, 4);
        snprintf(found->text, sizeof found->text, "%s", what);
        snprintf(found->function, sizeof found->function, "%s", function);
    }
    found_fatal(w, found);
}

static void builtin(simt_warp *w, const insn *i, uint32_t mask, const call_form *c)
{
    frame *f = warp_frame(w);
    memory *m = &w->worker->device->memory;
    const unsigned host = m->gpu;
    w->worker->version++;
    for (unsigned l = 0; l < LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        if (strcmp(c->builtin, "vprintf") == 0) {
            int arguments =
                print_lane(w, l, call_argument(f, c, 0, l, 8), call_argument(f, c, 1, l, 8));
            call_result(f, c, l, (uint32_t)arguments, 4);
        } else if (strcmp(c->builtin, "malloc") == 0) {
            uint64_t bytes = call_argument(f, c, 0, l, 8);
            simt_addr a = 0;
            m->gpu = w->block->part->gpu;
            if (bytes && !memory_take(m, bytes, MEMORY_HEAP, 1, &a))
                a = 0;
            m->gpu = host;
            if (a)
                NOTIFY_WATCHERS(w->worker, handed_out, w->worker->device, a, bytes);
            w->worker->last_allocation[0] = w->worker->last_allocation[1] = NULL;
            call_result(f, c, l, a, 8);
        } else if (strcmp(c->builtin, "free") == 0) {
            uint64_t a = call_argument(f, c, 0, l, 8);
            w->worker->last_allocation[0] = w->worker->last_allocation[1] = NULL;
            late_flush_all(w->worker);
            simt_finding wrong = { 0 };
            if (a && misuse_of_free(m, a, true, &wrong)) {
                simt_finding *bad = found_add(w, SIMT_BAD_FREE, i, NULL, l);
                if (bad)
                    (void)misuse_of_free(m, a, true, bad);
                found_fatal(w, bad);
                return;
            }
            if (a)
                (void)memory_release(m, a);
        } else {
            device_assert(w, i, f, c, l);
            return;
        }
    }
}

void x_call(simt_warp *w, const insn *i, uint32_t mask)
{
    const call_form *c = i->extra;
    if (c->builtin) {
        builtin(w, i, mask, c);
        return;
    }
    const code *callee = c->callee;
    uint32_t together = mask;
    /* indirect: lanes that call the same function go together, the others come after */
    if (!callee) {
        const uint64_t *a = (const uint64_t *)REG(i->a);
        uint64_t address = a[__builtin_ctz(mask)], index = (address - FUNCTION_BASE) / 16;
        together = 0;
        for (int l = 0; l < LANES; l++)
            together |= (uint32_t)(a[l] == address) << l;
        together &= mask;
        if (address < FUNCTION_BASE || address % 16 || index >= w->worker->device->function_count ||
            w->worker->device->functions[index]->ptx->entry ||
            !w->worker->device->functions[index]->ptx->defined) {
            stop_with(w, i, mask, SIMT_OUT_OF_BOUNDS, SIMT_CAUSE_NO_FUNCTION);
            return;
        }
        callee = w->worker->device->functions[index];
    }
    if (!warp_call(w, i, together, mask & ~together, callee, c))
        stop_with(w, i, mask, SIMT_STACK_OVERFLOW, SIMT_CAUSE_CALLS_TOO_DEEP);
}
