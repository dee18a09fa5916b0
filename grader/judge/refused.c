/*
 * refused.c: run_refused of run.h: what an entry does where CUDA refuses it something, as a GPU
 * that others use too may do at any time. Contracts say who learns of that: the caller, who asks
 * cudaGetLastError.
 *
 * The engine refuses all launches of a call that lies between the cases, where the seed has drawn
 * it (part.c): a program knows of it when it is refused something, and no sooner. The next call is
 * refused nothing, and has to be right. And, where the contract says what happens without memory
 * (lab_part.no_memory), the first allocation or the second is refused, and all after it, in a
 * program that starts afresh, after a few calls. What the outputs hold then is nobody's affair;
 * what stays allocated counts where the part may leave nothing. A call that is refused nothing is
 * one like any other: its answer counts. A program that says itself that something went wrong, in
 * words or by its end, has kept nothing secret.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "gates.h"
#include "rng.h"
#include "run.h"

static const char refused_launch[] = "every launch was refused, as a GPU without room for the "
                                     "kernel does",
                  look[] = "leave the error for the caller: cudaPeekAtLastError() reads it, and "
                           "cudaGetLastError() clears it";

bool run_may_refuse(const run *r, unsigned part)
{
    const lab_part *p = &r->l->parts[part];
    return !p->step && !p->trial && p->gate_sizes && !r->gpu && r->l->threads > 0 &&
           !r->o->part[0] && !r->o->quick;
}

/* The case of this n; the first where there is none. */
static unsigned case_of(const run *r, unsigned part, size_t n)
{
    for (unsigned i = 0; i < r->count[part]; i++)
        if (r->result->cases[r->first[part] + i].n == n)
            return i;
    return 0;
}

/* Words, and not those of a call in which nothing is refused. */
static bool says_something(const case_result *done, const case_result *graded)
{
    bool words = false;

    for (const char *c = done->printed; *c; c++)
        words = words || isalpha((unsigned char)*c) || (unsigned char)*c >= 0x80;
    return words && strcmp(done->printed, graded->printed) != 0;
}

static bool is_silent(const run *r, const case_result *done)
{
    const unsigned part = done->part;
    return done->verdict == VERDICT_PASS &&
           !says_something(done, &r->result->cases[r->first[part] + case_of(r, part, done->n)]);
}

static void add_note(case_result *done, const char *note)
{
    const size_t used = strlen(done->note);
    snprintf(done->note + used, sizeof done->note - used, "%s%s", used ? "; " : "", note);
}

/* Does the call fail? Then it says so. */
static bool fails(run *r, bool refused, case_result *done)
{
    if (done->verdict == VERDICT_TIMEOUT && !r->dead) {
        snprintf(done->what, sizeof done->what, "%s, and the call does not return", refused_launch);
        snprintf(done->advice, sizeof done->advice, "%s", look);
        done->cause[0] = done->note[0] = '\0';
    } else if (refused && is_silent(r, done)) {
        done->verdict = VERDICT_CUDA_ERROR;
        snprintf(done->what, sizeof done->what,
                 "%s, and the caller does not learn of it: cudaGetLastError() is cudaSuccess then",
                 refused_launch);
        snprintf(done->advice, sizeof done->advice, "%s", look);
    } else if (!refused && done->verdict == VERDICT_WRONG) {
        add_note(done, "all launches of this call were to be refused, and it made none");
    } else {
        return done->verdict == VERDICT_TIMEOUT || done->verdict == VERDICT_POLICY ||
               done->verdict == VERDICT_INFRA;
    }
    return true;
}

static const run_refusal all_launches = { .launches = true };

/* Is the case right after itself on schedule s, in a program that starts afresh? */
static bool is_right_after(run *r, const case_result *c, const schedule *s, bool refuse)
{
    const schedule plain = schedule_plain(r->l, r->o);
    run_refusal_seen seen;
    case_result done;

    session_renew(r->session);
    if (refuse)
        run_without(r, c->part, c->n, s, c->seed, &all_launches, &done, &seen);
    else
        run_case(r, r->session, c->part, c->n, s, c->seed, &done, NULL);
    run_case(r, r->session, c->part, c->n, &plain, c->seed, &done, NULL);
    return done.verdict == VERDICT_PASS;
}

/* The call after the refused one, by the same program. False: it is right. */
static bool next_fails(run *r, const case_result *c, const schedule *s, case_result *next)
{
    const schedule plain = schedule_plain(r->l, r->o);

    run_case(r, r->session, c->part, c->n, &plain, c->seed, next, NULL);
    if (next->verdict == VERDICT_PASS || r->dead || is_right_after(r, c, s, true) ||
        !is_right_after(r, c, s, false))
        return false;
    snprintf(next->cause, sizeof next->cause,
             "all launches of the call before were refused, as by a GPU without room for the "
             "kernel, and after that this call is wrong; after a call that was launched it is "
             "right: what the host counts has gone on, and what the kernels leave has not");
    snprintf(next->advice, sizeof next->advice,
             "set counters and flags to 0 before each launch; or let the host go on only where the "
             "launch was not refused: cudaPeekAtLastError() says so right after it");
    next->cause_kind = 0;
    next->note[0] = '\0';
    return true;
}

void run_refuse_launches(run *r, unsigned part, unsigned i, const schedule *s)
{
    const case_result *c = &r->result->cases[r->first[part] + i];
    run_refused_call *call = &r->refused[part];
    run_refusal_seen seen;
    case_result next;

    run_without(r, part, c->n, s, c->seed, &all_launches, &call->seen, &seen);
    call->made = true;
    call->wrong = fails(r, seen.any, &call->seen);
    if (seen.any && !call->wrong && next_fails(r, c, s, &next)) {
        call->wrong = true;
        call->seen = next;
    }
    session_renew(r->session);
}

static const char *const number[] = { "", "first", "second" };

static void tell_memory(unsigned which, const char *what, const char *advice, case_result *done)
{
    snprintf(done->what, sizeof done->what,
             "the %s allocation of the call was refused, as by a GPU whose memory is full, and %s",
             number[which], what);
    snprintf(done->advice, sizeof done->advice, "%s", advice);
    done->cause[0] = done->note[0] = '\0';
}

/* As many of the part's smaller cases as the seed draws, 1 to 3: right as ever. False: the part has
   failed. */
static bool call_before(run *r, unsigned part, unsigned which)
{
    uint64_t state = r->result->cases[r->first[part]].seed ^ which;
    const uint64_t calls = 1 + rng_splitmix64(&state) % 3;
    const schedule plain = schedule_plain(r->l, r->o);
    case_result done;

    session_renew(r->session);
    for (uint64_t i = 1; i <= calls; i++) {
        const case_result *c = &r->result->cases[r->first[part] + i];
        run_case(r, r->session, part, c->n, &plain, c->seed, &done, NULL);
        if (done.verdict != VERDICT_PASS) {
            run_show(r, part, &done);
            return false;
        }
    }
    return true;
}

/* What the call had allocated before, it frees where the next allocation is refused, too. */
static void judge_left(run *r, unsigned which, uint64_t taken, case_result *done)
{
    const lab_gate *gate = gates_find(&r->l->parts[done->part], LAB_NOT_FREED);
    const size_t used = strlen(done->schedule);

    snprintf(done->schedule + used, sizeof done->schedule - used, ", %s allocation refused",
             number[which]);
    if (gate)
        gates_judge(r, gate, done, (double)taken);
}

/* False: the part has failed. */
static bool try_memory(run *r, unsigned part, size_t n, unsigned which)
{
    const schedule plain = schedule_plain(r->l, r->o);
    const uint64_t seed = r->result->cases[r->first[part]].seed;
    const run_refusal from = { .allocation = which };
    run_refusal_seen seen;
    case_result done;
    char what[300];

    if (!call_before(r, part, which))
        return false;
    run_without(r, part, n, &plain, seed, &from, &done, &seen);
    session_renew(r->session);
    const bool refused = seen.any;
    if (done.verdict == VERDICT_OUT_OF_BOUNDS || done.verdict == VERDICT_CRASH) {
        snprintf(what, sizeof what, "was used all the same: %.200s", done.what);
        tell_memory(which, what,
                    "look at what cudaMalloc returns, and return where it is not "
                    "cudaSuccess",
                    &done);
    } else if (done.verdict == VERDICT_TIMEOUT && !r->dead) {
        tell_memory(which, "the call does not return", look, &done);
    } else if (refused && is_silent(r, &done)) {
        done.verdict = VERDICT_CUDA_ERROR;
        tell_memory(which,
                    "the caller does not learn of it: cudaGetLastError() is cudaSuccess then", look,
                    &done);
    } else if (refused || !fails(r, refused, &done)) {
        if (refused)
            judge_left(r, which, seen.taken, &done);
        return true;
    }
    run_show(r, part, &done);
    return false;
}

static void try_launches(run *r, unsigned part)
{
    const schedule plain = schedule_plain(r->l, r->o);
    run_refused_call *call = &r->refused[part];

    if (!call->made && !r->dead)
        run_refuse_launches(r, part, case_of(r, part, r->l->parts[part].gate_sizes[0]), &plain);
    if (call->wrong)
        run_show(r, part, &call->seen);
}

void run_refused(run *r)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const size_t n = r->l->parts[p].no_memory;
        if (!run_may_refuse(r, p) || r->result->part_verdict[p] != VERDICT_PASS ||
            (n && !r->dead && (!try_memory(r, p, n, 1) || !try_memory(r, p, n, 2))))
            continue;
        try_launches(r, p);
    }
}
