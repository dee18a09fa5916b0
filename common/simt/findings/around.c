/*
 * around.c: which branches and loops stand around the places of a finding: findings_look_around
 * (findings.h), from the kernel's text (code/around.h). For which causes, and what: causes.def.
 */
#include "code/around.h"
#include "code/decode.h"
#include "findings/findings.h"

#include <stdio.h>
#include <string.h>

bool findings_in_source(const simt_site *s)
{
    const size_t length = strnlen(s->file, sizeof s->file);
    return length >= 3 && memcmp(s->file + length - 3, ".cu", 3) == 0;
}

/* The function that has an instruction at this line of the module's text. */
static const ptx_function *function_at(const module *m, unsigned ptx_line, unsigned *instr)
{
    for (unsigned k = 0; k < m->ptx->function_count; k++) {
        const ptx_function *f = &m->ptx->functions[k];
        for (unsigned i = 0; i < f->instr_count; i++)
            if (f->instrs[i].ptx_line == ptx_line) {
                *instr = i;
                return f;
            }
    }
    return NULL;
}

/* An `if` of another file: by its base name. */
static void note_header(const module *m, unsigned line, unsigned file, simt_around *a)
{
    const char *path = file < m->ptx->file_count ? m->ptx->files[file] : "",
               *slash = strrchr(path, '/');
    a->header_line = line;
    snprintf(a->header, sizeof a->header, "%.*s", SIMT_HEADER - 1, slash ? slash + 1 : path);
    if (!a->header[0])
        a->header_line = 0;
}

static void look_at_one(const module *m, simt_finding *f)
{
    unsigned at = 0, meet = 0;
    around_one one;
    const ptx_function *in = function_at(m, f->at.ptx_line, &at);
    if (f->cause != SIMT_CAUSE_LANES_ABSENT || function_at(m, f->other.ptx_line, &meet) != in)
        meet = at;
    if (in && around_find_one(m, in, at, meet, &one)) {
        f->around = (simt_around){ .known = true,
                                   .parting_line = one.parting_line,
                                   .if_line = one.if_line,
                                   .uneven_line = one.uneven_line,
                                   .loop_line = one.loop_line,
                                   .endless = one.endless };
        note_header(m, one.header_line, one.header, &f->around);
    }
}

static void look_for_guard(const module *m, simt_finding *f)
{
    unsigned at = 0;
    around_one one;
    const ptx_function *in = function_at(m, f->at.ptx_line, &at);
    if (!in)
        return;
    f->around.guard_line = guard_line(in, at);
    if (around_find_one(m, in, at, at, &one)) {
        f->around.loop_line = one.loop_line;
        f->around.if_line = one.if_line;
    }
}

static bool is_strong(const ptx_instr *p)
{
    static const char *const strong[] = { "volatile", "relaxed", "acquire", "release" };
    bool is = op_is(p, "atom") || op_is(p, "red");
    for (unsigned k = 0; k < sizeof strong / sizeof strong[0] && !is; k++)
        is = has(p, strong[k]);
    return is;
}

/* Where both accesses stand in a header: the nearest instruction of a .cu file that sets the flag
   after the earlier access, or that reads it before the later one. */
static void look_for_flag(const module *m, simt_finding *f)
{
    const bool reads = f->cause == SIMT_CAUSE_NO_READ_FENCE;
    unsigned from = 0;
    const ptx_function *in = function_at(m, reads ? f->at.ptx_line : f->other.ptx_line, &from);
    if (!in || findings_in_source(&f->at) || findings_in_source(&f->other))
        return;
    for (unsigned k = from; k < in->instr_count; k += reads ? -1u : 1u) {
        const ptx_instr *p = &in->instrs[k];
        simt_site site = { .line = p->line };
        snprintf(site.file, sizeof site.file, "%s",
                 p->file < m->ptx->file_count ? m->ptx->files[p->file] : "");
        if (is_strong(p) && !op_is(p, reads ? "st" : "ld") && findings_in_source(&site)) {
            f->around.flag_line = p->line;
            return;
        }
    }
}

/* Of two blocks: the one that reads, in a loop that waits. */
static void look_at_reader(const module *m, simt_finding *f)
{
    unsigned at = 0;
    const ptx_function *in =
        f->at.write == f->other.write
            ? NULL
            : function_at(m, f->at.write ? f->other.ptx_line : f->at.ptx_line, &at);
    f->around.early = in && around_is_early(m, in, at);
}

/* Of two blocks that write. */
static void look_at_place(const module *m, simt_finding *f)
{
    unsigned at = 0;
    const ptx_function *in =
        f->at.write && f->other.write ? function_at(m, f->at.ptx_line, &at) : NULL;
    f->around.indirect = in && around_is_indirect(m, in, at);
}

/* A reader without a name: two of several are kept, and neither may be the one that matters. */
static bool is_one_of_readers(const simt_finding *f)
{
    return f->others != SIMT_ONE_THREAD && !f->other.write;
}

static void look_at_two(const module *m, simt_finding *f)
{
    unsigned at = 0, other = 0;
    around_two two;
    /* threads of one warp: its barrier would have ordered them */
    const bool of_warp = f->race.one_warp || f->cause == SIMT_CAUSE_NO_WARP_BARRIER;
    const ptx_function *in = function_at(m, f->at.ptx_line, &at);
    /* accesses of two functions, or files: which lines are between? */
    if (!in || function_at(m, f->other.ptx_line, &other) != in)
        return;
    if (in->instrs[at].file != in->instrs[other].file) {
        around_one one;
        if (around_find_one(m, in, at, at, &one))
            f->around.loop_line = one.loop_line;
        return;
    }
    if (!around_find_two(m, in, at, other, of_warp, &two))
        return;
    const bool update = two.update && !(is_one_of_readers(f) && two.others),
               both_write = f->race.both_write || (f->at.write && f->other.write) || two.asked;
    f->around = (simt_around){ .known = true,
                               .if_line = two.if_line,
                               .uneven_line = two.uneven_line,
                               .loop_line = two.loop_line,
                               .leaving_line = two.leaving_line,
                               .at_first = !two.second_first,
                               .between = two.between,
                               .back = two.back,
                               .apart = two.apart,
                               .outer_if_line = two.outer_if_line,
                               .first_if_line = two.first_if_line,
                               .second_if_line = two.second_if_line,
                               .passed_line = two.passed_line,
                               .passing_line = two.passing_line,
                               .update = update && both_write,
                               .overwritten = update && !both_write,
                               .for_all = two.for_all,
                               .own_values = two.own_values,
                               .warp_between = two.warp_between,
                               .by_flag = two.by_flag,
                               .fenced = two.fenced,
                               .early = two.early,
                               .alike_line = two.alike_line,
                               .indirect = two.indirect };
    note_header(m, two.header_line, two.header, &f->around);
}

static bool parts_threads(const simt_finding *f)
{
    const simt_around *a = &f->around;
    return a->known && (a->if_line || a->uneven_line || a->header_line);
}

/* Two barriers: the report is about the one at which a condition parts the threads. */
static void look_at_either(const module *m, simt_finding *f)
{
    simt_finding turned = *f;
    turned.at = f->other;
    turned.other = f->at;
    look_at_one(m, f);
    if (parts_threads(f) || !f->has_other)
        return;
    look_at_one(m, &turned);
    if (parts_threads(&turned))
        *f = turned;
}

/* Threads in an endless loop, or others that wait at a barrier for those: it is the loop that is
   wrong, and not what it reads. */
static void blame_loop(simt_finding *f)
{
    bool spins = f->kind == SIMT_DEADLOCK;
    if (!f->around.endless || (!spins && f->kind != SIMT_BARRIER_DIVERGENCE))
        return;
    f->kind = SIMT_DEADLOCK;
    f->cause = SIMT_CAUSE_DEAD_ENDLESS;
    f->deadlock = (simt_deadlock_facts){ .spinning = spins };
}

typedef enum look {
    NONE,
    PLACE,
    LOOP,
    EITHER,
    BOTH,
    INDEX,
    FLAG,
    READER
} look; /* see causes.def */

static const look looks[SIMT_CAUSES] = {
#define CAUSE(name, home, around, message, remedy) [SIMT_CAUSE_##name] = around,
#include "causes.def"
};

void findings_look_around(const launch *l, simt_finding *f)
{
    const module *m = l->part[f->launch].kernel->module;
    const look asked = looks[f->cause];
    if (f->kind == SIMT_RACE && f->has_other)
        look_at_place(m, f);
    if (asked == BOTH && f->has_other)
        look_at_two(m, f);
    else if (asked == INDEX)
        look_for_guard(m, f);
    else if (asked == FLAG && f->has_other)
        look_for_flag(m, f);
    else if (asked == READER && f->has_other)
        look_at_reader(m, f);
    else if (asked == EITHER)
        look_at_either(m, f);
    else if (asked == PLACE || asked == LOOP)
        look_at_one(m, f);
    if (asked == EITHER || asked == LOOP)
        blame_loop(f);
}
