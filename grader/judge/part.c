/*
 * part.c: run_part of run.h: the cases of a part, under all schedules, and what they tell together.
 *
 * First every case on the plain schedule, smallest first: what fails there needs no clever schedule
 * to be seen, and the sizes that fail together tell more than one does. Only if all pass are they
 * run again on the others, with fresh data each time.
 */
#include <stdio.h>
#include <string.h>

#include "cause.h"
#include "gates.h"
#include "loops.h"
#include "publish.h"
#include "rng.h"
#include "run.h"
#include "score.h"

enum { CRASHES_ALLOWED = 3 };

bool run_is_like(const lab *l, unsigned part, unsigned set)
{
    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (set >> p & 1 && l->parts[p].hints && l->parts[p].hints == l->parts[part].hints)
            return true;
    return false;
}

/* Does the next case need a new process? Then a few that fail so are enough. */
static bool takes_process(const run *r, verdict v)
{
    const verdict_others others = verdict_about(v)->others;
    return others == VERDICT_A_FEW || (r->gpu && others == VERDICT_A_FEW_ON_GPU);
}

/* A wrong answer of a host entry may come from reading in front of a buffer: then that is what is
   to be shown. The same data again, with the guard pages on the buffers' other side. */
static void look_on_other_side(run *r, unsigned part, case_result *into)
{
    const schedule reversed = { .index = 0, .order = SIMT_BLOCKS_REVERSED };
    case_result again;

    if (r->l->threads > 0 || into->verdict != VERDICT_WRONG)
        return;
    run_case(r, r->session, part, into->n, &reversed, into->seed, &again, NULL);
    if (again.verdict == VERDICT_OUT_OF_BOUNDS)
        *into = again;
}

/* The data that a case has failed with last time shows at once whether it still does. 0: any. */
static uint64_t seed_for(const run *r, unsigned part, size_t n)
{
    const bool first = run_is_first(r, part) && n == r->o->first.n;

    return r->o->has_seed ? r->o->seed : first ? r->o->first.seed : 0;
}

/* Fails, and the part's other cases will say nothing more about it, as they may of a wrong
   answer. */
static bool is_plain_to_see(verdict v)
{
    switch (v) {
    case VERDICT_RACE:
    case VERDICT_OUT_OF_BOUNDS:
    case VERDICT_UNINITIALIZED:
    case VERDICT_CRASH:
    case VERDICT_CUDA_ERROR: return true;
    default: return false;
    }
}

/* That a sum is cut down or rounded is said of what comes out right with halves. So does a wrong
   carry, or a head that is not seen, in a case of halves that has no use for it: several others are
   tried, nearly as large. */
static void doubt_unit(run *r, unsigned part, const schedule *s, case_result *c)
{
    enum { TRIES = 12, APART = 8, HALVES = 4 }; /* lab_fill_exact has halves where n % 8 is 4 */
    const size_t most = judge_most_n(&r->l->parts[part]);
    size_t n = c->n / APART * APART + HALVES;
    case_result again;

    for (unsigned k = 0; k < TRIES && c->cause_kind == CAUSE_UNIT && n <= most && !r->dead;
         k++, n += APART) {
        if (n == LAB_ODD_ONES)
            continue;
        run_case(r, r->session, part, n, s, c->seed + k, &again, NULL);
        if (again.verdict == VERDICT_WRONG) {
            c->cause_kind = CAUSE_NONE;
            c->cause[0] = '\0';
        }
    }
}

/* The smallest of those alone: if it has no cause, the others lose theirs. */
static void doubt_units(run *r, unsigned part, unsigned first, size_t count, const schedule *s)
{
    for (size_t i = 0; i < count; i++)
        if (r->result->cases[first + i].verdict == VERDICT_WRONG &&
            r->result->cases[first + i].cause_kind == CAUSE_UNIT) {
            doubt_unit(r, part, s, &r->result->cases[first + i]);
            return;
        }
}

static bool is_large(const run *r, unsigned part, size_t n)
{
    return n >= judge_large_size(r->l, &r->l->parts[part]);
}

static bool lacks_todos(const run *r, unsigned part)
{
    return r->l->parts[part].todos & r->result->todos_open;
}

/* Is it a finding that does not come of code which is not written? */
static bool fails_anyway(run *r, unsigned part, case_result *c)
{
    if (c->verdict != VERDICT_RACE && c->verdict != VERDICT_OUT_OF_BOUNDS &&
        c->verdict != VERDICT_UNINITIALIZED)
        return false;
    r->result->part_verdict[part] = c->verdict;
    begun_look(r->begun, r->result, part, c);
    return !score_lacks_code(r->result, part);
}

/* One pass over a part's cases. True if all passed. Of a part that lacks code, such a finding
   is enough, and so are small cases of which one fails. */
static bool run_plain(run *r, unsigned part, unsigned first, size_t count)
{
    const schedule plain = schedule_plain(r->l, r->o);
    unsigned crashes = 0;
    bool all = true;

    for (size_t i = 0; i < count; i++) {
        case_result *into = &r->result->cases[first + i];
        const size_t n = into->n;
        if (r->dead || (!all && lacks_todos(r, part) && is_large(r, part, n)))
            return false;
        run_case(r, r->session, part, n, &plain, seed_for(r, part, n), into, &r->measured[part][i]);
        look_on_other_side(r, part, into);
        gates_count(r, into, &r->measured[part][i]);
        if (all && is_plain_to_see(into->verdict))
            publish_case(r, into);
        all = all && into->verdict == VERDICT_PASS;
        crashes += takes_process(r, into->verdict);
        if (verdict_about(into->verdict)->others == VERDICT_STOP || crashes > CRASHES_ALLOWED ||
            into->no_ptx || (lacks_todos(r, part) && fails_anyway(r, part, into)))
            return false;
    }
    if (!all)
        doubt_units(r, part, first, count, &plain);
    return all;
}

/* A size of gates, beyond the large case: it costs seconds, and the other schedules have that; or
   one that the lab wants so. */
static bool is_for_counts(const run *r, unsigned part, size_t n)
{
    enum { MUCH = 1 << 20 };
    const lab_part *p = &r->l->parts[part];
    return (n >= MUCH && n > judge_large_size(r->l, p)) || judge_is_once(p, n);
}

/* Does this schedule show anything new about the case, and is it worth its time? */
static bool is_worth(const run *r, unsigned part, unsigned i, size_t n, const schedule *s)
{
    const run_measure *m = &r->measured[part][i];
    const lab_part *p = &r->l->parts[part];
    /* where a function is only tried, not scanned with, residency tells nothing new */
    bool one_block = (m->known && m->counts.blocks <= m->counts.launches) || p->step || p->trial;

    if (s->in_place && !r->l->parts[part].in_place)
        return false;
    if (s->gpu)
        return true;
    if (is_for_counts(r, part, n) && !r->o->part[0])
        return false;
    if (s->crowded)
        return m->known && n > (size_t)s->resident * r->l->tile &&
               n <= judge_large_size(r->l, &r->l->parts[part]);
    return (s->large || r->o->part[0] || !is_large(r, part, n)) &&
           !(s->residency_only && one_block);
}

/* On a GPU only the data differ from one run to the next, and chance. */
static void note_unsteady(const run *r, case_result *c)
{
    if (c->verdict == VERDICT_WRONG && !c->note[0])
        snprintf(c->note, sizeof c->note,
                 "the same case was right before, with other data: if the data is not the reason, "
                 "there is a race; make grade LAB=%.*s looks for one, on the engine",
                 lab_name_length(r->l), r->l->id);
}

/* What is said if all answers are right. */
typedef struct noted_case {
    case_result *at; /* null: nothing */
    case_result tried;
} noted_case;

/* All was right with two arrays. */
static void tell_in_place(case_result *tried)
{
    if (tried->verdict != VERDICT_WRONG || tried->cause_kind == CAUSE_KEPT)
        return;
    tried->cause_kind = CAUSE_IN_PLACE;
    snprintf(tried->cause, sizeof tried->cause,
             "right with two arrays, and wrong where the output is the input's array: an element "
             "is overwritten there before it has been read");
}

static const char right_alone[] =
    "as a program's first call, this one is right: an earlier call leaves something that it "
    "mistakes for its own state (a pointer, a flag, a sum, a number of blocks or of the launch)";

static bool asks_for_blocks(const run *r, unsigned part, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (r->measured[part][i].asked_blocks)
            return true;
    return false;
}

/* May a call of the entry go another way because of an earlier one: by what is left on the device,
   or because it knows how many blocks that holds? A step's entry is the kit's, and keeps
   nothing; code on the host does the same on every schedule. */
static bool may_keep(const run *r, unsigned part, size_t count)
{
    bool keeps = asks_for_blocks(r, part, count);

    for (size_t i = 0; i < count; i++)
        keeps = keeps || r->measured[part][i].kept > 0;
    return keeps && !r->gpu && !r->l->parts[part].step && r->l->threads > 0;
}

/* The case again, as the first call of a program that starts afresh: does it fail because of calls
   before it? */
static void try_alone(run *r, unsigned part, const schedule *s, uint64_t seed, case_result *failed)
{
    case_result again;

    if (r->gpu || r->dead || r->l->threads == 0 || failed->cause_kind == CAUSE_KEPT || s->in_place)
        return;
    /* who keeps nothing is late by itself, and may be in time by chance */
    if (failed->verdict == VERDICT_TIMEOUT && !may_keep(r, part, r->count[part]))
        return;
    session_renew(r->session);
    run_case(r, r->session, part, failed->n, s, seed, &again, NULL);
    failed->after_others = again.verdict == VERDICT_PASS;
    if (failed->suspects_call)
        failed->note[0] = '\0'; /* now it is known */
    const size_t length = strlen(failed->note);
    if (failed->after_others)
        snprintf(failed->note + length, sizeof failed->note - length, "%s%s", length ? "; " : "",
                 right_alone);
}

/* Was it wrong only because the first block was stalled? Then a wait has an end of its own. */
static void tell_stalled(run *r, unsigned part, const schedule *s, case_result *tried)
{
    schedule let_go = *s;
    case_result again;

    if (tried->verdict != VERDICT_WRONG && tried->verdict != VERDICT_RACE)
        return;
    let_go.stall = 0;
    let_go.clock_step = 0;
    run_case(r, r->session, part, tried->n, &let_go, tried->seed, &again, NULL);
    if (again.verdict != VERDICT_PASS)
        return;
    if (tried->cause_kind >= CAUSE_LAB) /* what the order alone has done */
        snprintf(tried->note, sizeof tried->note, "with that block slow it looks as if: %.380s",
                 tried->cause);
    tried->cause_kind = CAUSE_GIVES_UP;
    snprintf(
        tried->cause, sizeof tried->cause,
        "right, until the %s block is slow: it was stalled, and the others had to look many "
        "thousand times, for seconds by the GPU's clock, for what it publishes. If some of them "
        "gave up: count neither looks nor time, wait until the value is there. If nothing counts: "
        "one may have gone on over a block that had published nothing yet",
        s->stalled ? "second" : "first");
}

/* Which fence is missing: the engine knows where a thread has seen a flag and then got an old value
   of what was written before. */
static const char *fence_advice(simt_cause old_value)
{
    switch (old_value) {
    case SIMT_CAUSE_NO_READ_FENCE:
        return "put a __threadfence() after the loop that waits for the flag, before reading the "
               "data; volatile alone keeps no order";
    case SIMT_CAUSE_NO_FENCE:
        return "put a __threadfence() between writing the data and setting the flag, and one after "
               "the wait for the flag, if there is none; volatile alone keeps no order";
    case SIMT_CAUSE_NARROW_FENCE:
        return "__threadfence_block() orders only within its block: put a __threadfence() between "
               "writing the data and setting the flag";
    case SIMT_CAUSE_DEVICE_FENCE:
        return "__threadfence() orders only within its GPU: put a __threadfence_system() between "
               "writing the data and setting the flag, and one after the wait for the flag";
    default:
        return "put a __threadfence() between writing the data and setting the flag, and one "
               "between seeing the flag and reading the data; volatile alone keeps no order";
    }
}

/* Is it right with the same data, blocks and warps where stores become visible at once? Where the
   engine saw no old value, chance may do that, or an earlier call: then it has to be right with
   other interleavings, and to fail once more with late stores, if need be as a first call, which
   finds no old value that happens to be right. True: a fence is missing. */
static bool tell_late(run *r, unsigned part, const schedule *s, case_result *tried)
{
    enum { TRIES = 4 };
    const bool seen = tried->old_value != SIMT_CAUSE_NONE;
    schedule at_once = *s;
    case_result again;

    if (!s->late_stores || r->gpu || tried->cause_kind == CAUSE_KEPT ||
        (tried->verdict != VERDICT_WRONG && tried->verdict != VERDICT_RACE &&
         tried->verdict != VERDICT_OUT_OF_BOUNDS))
        return false;
    at_once.late_stores = false;
    for (unsigned k = 0; k < (seen ? 1 : TRIES); k++) {
        run_case(r, r->session, part, tried->n, &at_once, tried->seed + k, &again, NULL);
        if (again.verdict != VERDICT_PASS || r->dead)
            return false;
    }
    for (unsigned k = 0; !seen && k < 2 && again.verdict != tried->verdict; k++) {
        if (k > 0)
            session_renew(r->session);
        run_case(r, r->session, part, tried->n, s, tried->seed, &again, NULL);
    }
    if (!seen && again.verdict != tried->verdict)
        return false;
    tried->cause_kind = CAUSE_LATE;
    snprintf(tried->cause, sizeof tried->cause, "right, until stores become visible late: %s",
             seen
                 ? "a thread sees a flag, and then reads an old value of the data that the flag is "
                   "for"
                 : "a block uses data before what another block has written there is visible to "
                   "it");
    snprintf(tried->advice, sizeof tried->advice, "%s", fence_advice(tried->old_value));
    return true;
}

/* Is it right where the arrays begin at a multiple of 16 bytes? Then where they begin is the cause,
   and no earlier call. */
static bool tell_shifted(run *r, unsigned part, const schedule *s, case_result *tried)
{
    schedule aligned = *s;
    case_result again;

    if (!s->shifted || !r->l->parts[part].any_alignment || r->dead)
        return false;
    aligned.shifted = false;
    run_case(r, r->session, part, tried->n, &aligned, tried->seed, &again, NULL);
    if (again.verdict != VERDICT_PASS)
        return false;
    const size_t length = strlen(tried->note);
    snprintf(tried->note + length, sizeof tried->note - length,
             "%sright where the arrays begin at a multiple of 16 bytes: is that asked of the "
             "pointer before 16 bytes are moved at once?",
             length ? "; " : "");
    return true;
}

/* A wait may give up on every block but the first. Where there are three tiles, the case's seed
   draws which of the first two blocks is stalled. */
static schedule stalled_for(const run *r, const schedule *s, const case_result *c)
{
    schedule drawn = *s;

    if (s->stall && r->l->tile > 0 && c->n > 2 * r->l->tile)
        drawn.stalled = (unsigned)(c->seed % 2);
    return drawn;
}

/* One case on one of the other schedules. False: its answer fails. */
static bool run_other(run *r, unsigned part, unsigned first, unsigned i, const schedule *usual,
                      noted_case *noted)
{
    case_result *kept = &r->result->cases[first + i], tried;
    const schedule drawn = stalled_for(r, usual, kept), *const s = &drawn;
    run_measure m = { .known = false };

    if (!is_worth(r, part, i, kept->n, s)) {
        progress_step(r->result->progress);
        return true;
    }
    run_case(r, r->session, part, kept->n, s, kept->seed, &tried, &m);
    if (s->crowded && m.known)
        r->result->notes[part] = m.notes;
    /* how long blocks wait for a slow one says nothing about them */
    if (!s->stall)
        gates_count(r, &tried, &m);
    if (tried.verdict == VERDICT_PASS)
        return true;
    if (tried.verdict == VERDICT_WRONG)
        doubt_unit(r, part, s, &tried);
    if (tried.cause_kind == CAUSE_NOTES) {
        if (!noted->at)
            *noted = (noted_case){ kept, tried };
        return true;
    }
    const bool late = tell_late(r, part, s, &tried);
    if (s->in_place && !late)
        tell_in_place(&tried);
    if (!late && !tell_shifted(r, part, s, &tried))
        try_alone(r, part, s, kept->seed, &tried);
    if (s->stall && !tried.after_others)
        tell_stalled(r, part, s, &tried);
    *kept = tried;
    if (r->gpu)
        note_unsteady(r, kept);
    return false;
}

static bool is_worth_for_any(const run *r, unsigned part, unsigned first, size_t count,
                             const schedule *s)
{
    for (unsigned i = 0; i < count; i++)
        if (is_worth(r, part, i, r->result->cases[first + i].n, s))
            return true;
    return false;
}

/* May launches be refused in this run of a case? Then a graded call does the same, and launches. */
static bool may_refuse(const run *r, unsigned part, unsigned first, unsigned i, const schedule *s)
{
    const run_measure *m = &r->measured[part][i];
    const size_t n = r->result->cases[first + i].n;

    return run_may_refuse(r, part) && n > 0 && !is_large(r, part, n) && m->known &&
           m->counts.launches > 0 && !s->in_place && is_worth(r, part, i, n, s);
}

/* Which of these runs it is, the seed draws: no program can tell it from the others before it has
   launched, and the calls after it are those of a program that starts afresh. */
static unsigned draw_refused(const run *r, unsigned part, unsigned first, size_t count)
{
    uint64_t state = r->result->cases[first].seed ^ part;
    unsigned runs = 0;
    schedule s;

    for (unsigned k = 1; k < schedule_count(r->l, r->o); k++)
        for (unsigned i = 0; schedule_at(r->l, r->o, k, &s) && !s.like && i < count; i++)
            runs += may_refuse(r, part, first, i, &s);
    return runs ? (unsigned)(rng_splitmix64(&state) % runs) : 0;
}

/* The other schedules: stops at the first case whose answer fails. For an entry that may keep
   something, the program starts afresh on the first shuffled one, so that what is made larger from
   call to call meets more than the plain order; where it asks how many blocks the device holds, and
   may keep the answer, once more on a later one with more than twice as many resident as that
   program has met, and where it has started afresh after a refused call, on the next one with more
   resident at all. A schedule that is like another takes turns with it, case by case, so that no
   call lies between the two. */
static void run_others(run *r, unsigned part, unsigned first, size_t count)
{
    noted_case noted = { 0 };
    const bool keeps = may_keep(r, part, count), sized = asks_for_blocks(r, part, count);
    unsigned left = draw_refused(r, part, first, count), resident = 0;
    bool renewed = false, refused = false;
    schedule s[2];

    for (unsigned k = 1; k < schedule_count(r->l, r->o); k++) {
        if (!schedule_at(r->l, r->o, k, &s[0]) || s[0].like)
            continue;
        const bool shuffled = s[0].order == SIMT_BLOCKS_SHUFFLED,
                   more = sized && s[0].resident > (refused ? 1 : 2) * resident;
        if (keeps && ((shuffled && !renewed) || ((shuffled || refused) && more)) &&
            is_worth_for_any(r, part, first, count, &s[0])) {
            session_renew(r->session);
            renewed = renewed || shuffled;
            refused = false;
            resident = s[0].resident;
        }
        const bool two = schedule_follower(r->l, r->o, &s[0], &s[1]);
        for (unsigned i = 0; i < count; i++) {
            if (may_refuse(r, part, first, i, &s[0]) && left-- == 0) {
                run_refuse_launches(r, part, i, &s[0]);
                refused = true;
                resident = s[0].resident;
            }
            for (int turn = 0; turn <= two; turn++)
                if (!run_other(r, part, first, i, &s[turn], &noted))
                    return;
        }
    }
    if (noted.at)
        *noted.at = noted.tried;
}

/* What was never written is certain from one case. */
static bool is_unwritten(unsigned cause_kind)
{
    return cause_kind >= CAUSE_UNWRITTEN && cause_kind < CAUSE_COMMON;
}

static unsigned votes_for(const lab_result *result, unsigned first, size_t count,
                          unsigned cause_kind, unsigned *wrong)
{
    unsigned votes = 0;

    *wrong = 0;
    for (size_t i = 0; i < count; i++)
        if (result->cases[first + i].verdict == VERDICT_WRONG) {
            *wrong += 1;
            votes += result->cases[first + i].cause_kind == cause_kind;
        }
    return votes;
}

/* Is a case wrong that has no more than the first section, or the first warp? */
static bool is_wrong_up_to(const lab_result *result, unsigned first, size_t count, size_t n)
{
    for (size_t i = 0; i < count; i++)
        if (result->cases[first + i].verdict == VERDICT_WRONG && result->cases[first + i].n <= n)
            return true;
    return false;
}

/* Another wrong case speaks against it: one without a cause where only some values would be wrong,
   one with results that are not whole, or one in which what is to be right is wrong. */
static bool is_refuted(const lab_result *result, unsigned first, size_t count, unsigned cause_kind)
{
    unsigned wrong;

    for (size_t i = 0; cause_kind == CAUSE_WHOLE && i < count; i++)
        if (result->cases[first + i].verdict == VERDICT_WRONG && result->cases[first + i].fractions)
            return true;
    if (cause_kind == CAUSE_LATER_SECTIONS)
        return is_wrong_up_to(result, first, count, result->l->tile);
    if (cause_kind == CAUSE_LATER_WARPS)
        return is_wrong_up_to(result, first, count, 32);
    return cause_kind == CAUSE_UNIT && votes_for(result, first, count, CAUSE_NONE, &wrong) > 0;
}

/* Is the cause that of an element that is NaN, and the case shown has none? */
static bool is_of_other_nan(const case_result *candidate, const case_result *shown)
{
    const unsigned kind = candidate->cause_kind;

    return (candidate->nan && !shown->nan) ||
           ((kind == CAUSE_NAN || kind == CAUSE_NAN_GIVEN || kind == CAUSE_NAN_INFINITE) &&
            kind != shown->cause_kind);
}

/* The cause that most of the wrong cases share, shown by the smallest of them. One case alone may
   fit a pattern by chance, small ones most of all: a cause that few of many wrong cases share is
   not named at all, and none that other values would not have, where a case is wrong without one.
   What a few cases share with the one that is shown stays its cause. */
static void settle_cause(lab_result *result, unsigned first, size_t count, case_result *shown)
{
    enum { FEW = 3 };
    unsigned best = 0, wrong = 0, own = 0;
    const case_result *from = NULL;

    if (shown->verdict != VERDICT_WRONG || is_unwritten(shown->cause_kind))
        return;
    for (size_t i = 0; i < count; i++) {
        const case_result *candidate = &result->cases[first + i];
        if (candidate->verdict != VERDICT_WRONG || candidate->cause_kind == 0)
            continue;
        unsigned votes = votes_for(result, first, count, candidate->cause_kind, &wrong);
        if (is_refuted(result, first, count, candidate->cause_kind) ||
            is_of_other_nan(candidate, shown))
            continue;
        if (votes > best) {
            best = votes;
            from = candidate;
        }
    }
    if (shown->cause_kind)
        own = votes_for(result, first, count, shown->cause_kind, &wrong);
    const bool refuted = is_refuted(result, first, count, shown->cause_kind);
    if (from ? best < FEW && 2 * best < wrong : refuted || shown->cause_kind == CAUSE_UNIT) {
        shown->cause[0] = '\0';
        shown->cause_kind = 0;
    } else if (from && from->cause_kind != shown->cause_kind && (own < FEW || refuted)) {
        snprintf(shown->cause, sizeof shown->cause, "%.300s (case %s shows it)", from->cause,
                 from->name);
        shown->cause_kind = from->cause_kind;
    }
}

/* Of one element that is the first and the last one: a larger case tells which is left out, and the
   source where its loop begins. */
static void tell_first_unwritten(const run *r, unsigned first, size_t count, case_result *shown)
{
    const char *const entry = r->l->parts[shown->part].entry;
    const case_result *larger = NULL;

    for (size_t i = 0; i < count && !larger; i++)
        if (r->result->cases[first + i].cause_kind == CAUSE_FIRST_UNWRITTEN)
            larger = &r->result->cases[first + i];
    if (!larger || shown->n != 1 || shown->cause_kind != CAUSE_UNWRITTEN)
        return;
    const unsigned line =
        r->begun && r->begun->text && !r->l->threads ? loop_from_one(r->begun->text, entry) : 0;
    shown->cause_kind = CAUSE_FIRST_UNWRITTEN;
    snprintf(shown->cause, sizeof shown->cause, "%.300s (case %s shows it)", larger->cause,
             larger->name);
    if (line)
        snprintf(shown->cause, sizeof shown->cause,
                 "element 0 is never written, and all others are: the loop of line %u begins at 1. "
                 "Element 0 needs a store of its own",
                 line);
}

/* What the failing sizes have in common goes where the cause is, or beside it. */
static void add_common_cause(const run *r, const lab_part *part, unsigned first, size_t count,
                             case_result *shown)
{
    size_t sizes[JUDGE_MAX_SIZES];
    bool wrong[JUDGE_MAX_SIZES];
    size_t used = 0;

    if (shown->verdict != VERDICT_WRONG || shown->cause_kind == CAUSE_NOTES ||
        shown->cause_kind == CAUSE_LATE)
        return;
    for (size_t i = 0; i < count; i++) {
        const case_result *c = &r->result->cases[first + i];
        if (c->verdict == VERDICT_NOT_RUN)
            continue;
        sizes[used] = c->n;
        wrong[used++] = c->verdict != VERDICT_PASS;
    }
    const char *common, *look;
    judge_common_cause(r->l, part, sizes, wrong, used, &common, &look);
    if (!common[0])
        return;
    if (shown->cause[0]) {
        const size_t length = strlen(shown->note); /* of the engine */
        snprintf(shown->note + length, sizeof shown->note - length, "%s%s", length ? "; " : "",
                 common);
    } else {
        snprintf(shown->cause, sizeof shown->cause, "%s%s%s", common, look[0] ? ": " : "", look);
    }
}

/* Those of the largest of gate_sizes, on the plain schedule. */
static void keep_counts(run *r, unsigned part)
{
    part_counts *counts = &r->result->counts[part];

    if (r->gpu || r->l->threads == 0 || r->o->part[0])
        return;
    for (unsigned i = 0; i < r->count[part]; i++) {
        const run_measure *m = &r->measured[part][i];
        const size_t n = r->result->cases[r->first[part] + i].n;
        for (const size_t *g = r->l->parts[part].gate_sizes; m->known && g && *g; g++)
            if (*g == n && n >= counts->n) {
                *counts = (part_counts){ .known = true, .n = n, .mine = m->counts };
                if (r->l->crowd == 0 || !r->result->notes[part].known)
                    r->result->notes[part] = m->notes;
            }
    }
}

/* The largest smaller case that passed, and its time: of those that ran, or one run for it. */
static bool find_pace(run *r, unsigned part, const case_result *late, size_t *n, double *seconds)
{
    enum { PART_OF_N = 64, LEAST = 1 << 10 };
    const schedule plain = schedule_plain(r->l, r->o);

    *n = 0;
    for (unsigned i = 0; i < r->count[part]; i++) {
        const size_t other = r->result->cases[r->first[part] + i].n;
        if (r->measured[part][i].known && other < late->n && other > *n) {
            *n = other;
            *seconds = r->measured[part][i].wall;
        }
    }
    if (*n == 0 && late->n / PART_OF_N >= LEAST) {
        run_measure measured = { .known = false };
        case_result tried;
        run_case(r, r->session, part, late->n / PART_OF_N, &plain, late->seed, &tried, &measured);
        *n = measured.known ? tried.n : 0;
        *seconds = measured.wall;
    }
    return *n > 0;
}

/* Late: without an end, or only slow? What a smaller case took tells. */
static void tell_pace(run *r, unsigned part, case_result *late)
{
    size_t n, sizes[JUDGE_MAX_SIZES];
    double seconds;

    /* where the time of all cases is up, one case's pace says nothing: then r->dead */
    if (late->verdict != VERDICT_TIMEOUT || r->gpu || late->n == 0 || r->dead ||
        !find_pace(r, part, late, &n, &seconds))
        return;
    const double expected = seconds * ((double)late->n / (double)n);
    const size_t count = judge_sizes(r->l, &r->l->parts[part], sizes), most = sizes[count - 1];
    snprintf(late->cause, sizeof late->cause,
             "n = %zu passed in %.2g s; at that pace n = %zu takes %.2g s, and %g s are allowed", n,
             seconds, late->n, expected, r->seconds);
    if (expected < r->seconds / 4) {
        const size_t used = strlen(late->cause);
        snprintf(late->cause + used, sizeof late->cause - used,
                 ": it does not end, or its work grows faster than n, as n * n does");
        return;
    }
    if (late->n > most)
        snprintf(late->advice, sizeof late->advice,
                 "it most likely ends, only too late: no graded case is so large; try n = %zu",
                 most);
    else
        snprintf(late->advice, sizeof late->advice,
                 "it most likely ends, only too late: look for work that is done for each element "
                 "and could be done once");
}

/* Is the case right as the first call of a program that starts afresh? try_alone has asked that on
   all schedules but the plain one. */
static bool is_right_alone(run *r, const case_result *shown)
{
    static case_result again;
    const schedule plain = schedule_plain(r->l, r->o);

    if (shown->after_others || shown->schedule_index > 0)
        return shown->after_others;
    session_renew(r->session);
    run_case(r, r->session, shown->part, shown->n, &plain, shown->seed, &again, NULL);
    return again.verdict == VERDICT_PASS;
}

/* May an earlier call be what it fails of? Not where another cause was proved by a call of its
   own. */
static bool may_be_left(const run *r, const case_result *shown)
{
    if (r->gpu || r->dead || r->l->threads == 0 || r->l->parts[shown->part].step)
        return false;
    switch (shown->verdict) {
    case VERDICT_WRONG:
        return shown->cause_kind != CAUSE_KEPT && shown->cause_kind != CAUSE_IN_PLACE &&
               shown->cause_kind != CAUSE_GIVES_UP && shown->cause_kind != CAUSE_LATE &&
               shown->cause_kind != CAUSE_NOTES;
    case VERDICT_DEADLOCK: return shown->wait_count > 0;
    case VERDICT_RACE:
    case VERDICT_OUT_OF_BOUNDS:
    case VERDICT_UNINITIALIZED: return true;
    default: return false;
    }
}

_Static_assert(sizeof((case_result){ 0 }.note) == sizeof((case_result){ 0 }.cause), "copied whole");

/* What may be anything that is kept, and not only how blocks wait. */
static void tell_left(case_result *shown)
{
    /* what it looks like, unless that is a pattern of values, which chance may make */
    if (!shown->note[0] && (shown->cause_kind < CAUSE_COMMON || shown->cause_kind >= CAUSE_SWAPPED))
        memcpy(shown->note, shown->cause, sizeof shown->note);
    snprintf(shown->cause, sizeof shown->cause, "%s", right_alone);
    if (!shown->advises_on_left)
        snprintf(shown->advice, sizeof shown->advice,
                 "look at all that is kept from call to call, in static variables and in memory "
                 "that is not freed: set it anew before each launch, or leave it as a first call "
                 "finds it");
}

/* As a first call the case is right: then it is an earlier call which left something, whatever
   comes of that. */
static void add_earlier_call(run *r, unsigned first, case_result *shown)
{
    const size_t tile = r->l->tile;
    const case_result *like = shown; /* one that was right, of as many blocks */
    const bool lacks_room = shown->wait_count > 0 && shown->waits[0].writer_known &&
                            shown->waits[0].writer_state == SIMT_BLOCK_WAITING;
    const bool other_answer =
        shown->verdict == VERDICT_WRONG && shown->cause_kind != CAUSE_UNWRITTEN;

    if (!may_be_left(r, shown) || !is_right_alone(r, shown))
        return;
    shown->after_others = true;
    if (strcmp(shown->note, right_alone) == 0)
        shown->note[0] = '\0';
    if (!r->l->blocks_wait || !tile || shown->advises_on_left || other_answer) {
        tell_left(shown);
        return;
    }
    for (const case_result *c = &r->result->cases[first]; c < shown && like == shown; c++)
        /* a last tile that is full is another matter than one that is not */
        if (c->n > 0 && c->verdict == VERDICT_PASS && (c->n - 1) / tile == (shown->n - 1) / tile &&
            (c->n % tile == 0) == (shown->n % tile == 0))
            like = c;
    char which[160] = "as a program's first call, this one is right";
    if (like != shown)
        snprintf(which, sizeof which,
                 "an earlier call, of case %.80s with as many blocks, was right", like->name);
    snprintf(shown->cause, sizeof shown->cause,
             "%s: does a counter, a ticket or a flag go on from where %s call left it? Set it to 0 "
             "before each launch, or let the last block do so, when no other can still take a "
             "number or look at the flag%s",
             which, like != shown ? "that" : "an earlier",
             lacks_room ? ". Or is a number of blocks kept from a call on a larger device?" : "");
    shown->advice[0] = '\0';
}

/* Has the same code, for another type, failed, and lacks as much? Then this part says nothing
   more. */
static bool lacks_as_another(const run *r, unsigned part)
{
    const lab_part *const parts = r->l->parts;
    bool lacks = false;

    for (unsigned p = 0; lacks_todos(r, part) && p < lab_part_count(r->l); p++)
        lacks = lacks || (p != part && run_is_like(r->l, part, 1u << p) &&
                          parts[p].todos == parts[part].todos &&
                          r->result->part_verdict[p] != VERDICT_PASS &&
                          r->result->part_verdict[p] != VERDICT_NOT_RUN);
    return lacks && !r->o->part[0];
}

/* The smallest case that fails; of a part that lacks code first a finding in what is written. -1:
   all pass. */
static int case_to_show(run *r, unsigned part, unsigned first, size_t count)
{
    int smallest = -1, found = -1;

    for (size_t i = 0; i < count && smallest < 0; i++)
        if (r->result->cases[first + i].verdict != VERDICT_PASS)
            smallest = (int)(first + i);
    for (size_t i = 0; i < count && found < 0 && lacks_todos(r, part); i++)
        if (fails_anyway(r, part, &r->result->cases[first + i]))
            found = (int)(first + i);
    return found >= 0 ? found : smallest;
}

void run_part(run *r, unsigned part)
{
    lab_result *result = r->result;
    size_t sizes[JUDGE_MAX_SIZES], count = run_sizes(r, part, sizes);
    const unsigned first = result->case_count;

    for (size_t i = 0; i < count; i++)
        run_name_case(r, part, sizes[i], &result->cases[first + i]);
    result->case_count += (unsigned)count;
    r->first[part] = first;
    r->count[part] = (unsigned)count;
    result->shown[part] = -1;
    if (lacks_as_another(r, part)) {
        result->part_verdict[part] = VERDICT_NOT_STARTED;
        return;
    }
    if (run_plain(r, part, first, count)) {
        publish_plain(r, part);
        publish_let_first(r);
        run_others(r, part, first, count);
    }
    result->shown[part] = case_to_show(r, part, first, count);
    result->part_verdict[part] = result->shown[part] >= 0
                                     ? result->cases[result->shown[part]].verdict
                                 : count > 0 ? VERDICT_PASS
                                             : VERDICT_NOT_RUN;
    if (result->part_verdict[part] == VERDICT_PASS) {
        keep_counts(r, part);
        if (!r->gpu)
            gates_spread(r, part);
    }
    if (result->shown[part] >= 0) {
        case_result *shown = &result->cases[result->shown[part]];
        if (r->l->parts[part].step && shown->no_entry && !r->o->part[0]) {
            result->part_verdict[part] = shown->verdict = VERDICT_NOT_RUN;
            result->shown[part] = -1;
            return;
        }
        tell_pace(r, part, shown);
        settle_cause(result, first, count, shown);
        tell_first_unwritten(r, first, count, shown);
        add_common_cause(r, &r->l->parts[part], first, count, shown);
        add_earlier_call(r, first, shown);
    }
}
