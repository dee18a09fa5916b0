/*
 * refused.c: run_refused of run.h: what an entry does where CUDA refuses it something, as a GPU
 * that others use too may do at any time. Contracts say who learns of that: the caller, who asks
 * cudaGetLastError.
 *
 * The engine refuses all launches; and, where the contract says what happens without memory
 * (lab_part.no_memory), the first allocation or the second, and all after it. What the outputs
 * hold then is nobody's affair, nor what stays allocated on such a way out. A program that says
 * itself that something went wrong, by printing or by its end, has kept nothing secret.
 */
#include <stdio.h>

#include "run.h"

static const char refused_launch[] = "every launch was refused, as a GPU without room for the "
                                     "kernel does",
                  look[] = "leave the error to the caller: cudaPeekAtLastError() looks at it, and "
                           "cudaGetLastError() takes it away";

static bool is_asked(const run *r, unsigned part)
{
    const lab_part *p = &r->l->parts[part];
    return !p->step && !p->trial && p->gate_sizes && r->result->part_verdict[part] == VERDICT_PASS;
}

static uint64_t seed_of(const run *r, unsigned part)
{
    return r->result->cases[r->first[part]].seed;
}

static bool is_silent(const case_result *done)
{
    return done->verdict == VERDICT_PASS && done->printed_bytes == 0;
}

/* false: the part has failed by it. */
static bool try_launches(run *r, unsigned part)
{
    const run_refusal all = { .launches = true };
    case_result done;
    bool refused;

    run_without(r, part, r->l->parts[part].gate_sizes[0], seed_of(r, part), &all, &done, &refused);
    if (!refused || !is_silent(&done))
        return true;
    done.verdict = VERDICT_CUDA_ERROR;
    snprintf(done.what, sizeof done.what,
             "%s, and the caller does not learn of it: cudaGetLastError() is cudaSuccess then",
             refused_launch);
    snprintf(done.advice, sizeof done.advice, "%s", look);
    run_show(r, part, &done);
    return false;
}

static void tell_memory(unsigned which, const char *what, const char *advice, case_result *done)
{
    const char *const number[] = { "", "first", "second" };

    snprintf(done->what, sizeof done->what,
             "the %s allocation of the call was refused, as by a GPU whose memory is full, and %s",
             number[which], what);
    snprintf(done->advice, sizeof done->advice, "%s", advice);
    done->cause[0] = done->note[0] = '\0';
}

/* False: the part has failed. */
static bool try_memory(run *r, unsigned part, size_t n, unsigned which)
{
    const run_refusal from = { .allocation = which };
    case_result done;
    bool refused;
    char what[300];

    run_without(r, part, n, seed_of(r, part), &from, &done, &refused);
    if (done.verdict == VERDICT_OUT_OF_BOUNDS || done.verdict == VERDICT_CRASH) {
        snprintf(what, sizeof what, "was used all the same: %.200s", done.what);
        tell_memory(which, what,
                    "look at what cudaMalloc returns, and return where it is not "
                    "cudaSuccess",
                    &done);
    } else if (refused && is_silent(&done)) {
        done.verdict = VERDICT_CUDA_ERROR;
        tell_memory(which,
                    "the caller does not learn of it: cudaGetLastError() is cudaSuccess then", look,
                    &done);
    } else {
        return true;
    }
    run_show(r, part, &done);
    return false;
}

void run_refused(run *r)
{
    if (r->dead || r->gpu || r->l->threads == 0 || r->o->part[0] || r->o->quick)
        return;
    unsigned done = 0;
    for (unsigned p = 0; !r->dead && p < lab_part_count(r->l); p++) {
        const lab_part *part = &r->l->parts[p];
        if (!is_asked(r, p) || run_is_like(r->l, p, done))
            continue;
        if (part->no_memory &&
            (!try_memory(r, p, part->no_memory, 1) || !try_memory(r, p, part->no_memory, 2)))
            continue;
        if (try_launches(r, p))
            done |= 1u << p;
    }
}
