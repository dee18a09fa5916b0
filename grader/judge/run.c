/*
 * run.c: see run.h.
 *
 * First every case on the plain schedule, smallest first: what fails there needs no clever schedule
 * to be seen, and the sizes that fail together tell more than one does. Only if all pass are they
 * run again on the others, with fresh data each time.
 */
#include "run.h"

#include <stdio.h>
#include <string.h>

#include "cause.h"
#include "explain.h"
#include "rng.h"

enum { SEED_RANGE = 1000000, CRASHES_ALLOWED = 3 };
/* beyond, a student would wait too long for the data to be made */
enum { MOST_TIMED = 1 << 23, LEAST_TIMED = 1 << 20, MOST_TIMED_BYTES = 1 << 26 };

/* warp instructions: 10 to 100 times what the labs need */
static const uint64_t budget_base = (uint64_t)1 << 22, budget_per_element = 512;
/* it takes a tenth of that */
static const size_t device_memory = (size_t)512 << 20, driver_memory = (size_t)1 << 30;

/* ---- one case -------------------------------------------------------------------------------- */

/* The sizes of a part's cases: the part's own, or the one that was asked for. Returns how many. */
static size_t sizes_of(const run *r, unsigned part, size_t sizes[JUDGE_MAX_SIZES])
{
    if (!r->o->part[0]) {
        size_t count = judge_sizes(r->l, &r->l->parts[part], sizes);
        while (r->o->most_n && count > 0 && sizes[count - 1] > r->o->most_n)
            count--;
        return count;
    }
    sizes[0] = r->o->n;
    return strcmp(r->o->part, judge_part_name(r->l, &r->l->parts[part])) == 0 ||
           strcmp(r->o->part, r->l->parts[part].entry) == 0;
}

size_t run_timed_size(const run *r, unsigned part)
{
    const lab_part *p = &r->l->parts[part];
    size_t n = judge_most_n(p) < MOST_TIMED ? judge_most_n(p) : MOST_TIMED;

    if (!r->gpu || r->l->threads == 0 || p->points == 0 || r->o->part[0] ||
        (r->o->most_n && r->o->most_n < MOST_TIMED))
        return 0;
    while (n >= LEAST_TIMED && judge_total_bytes(p, n) > MOST_TIMED_BYTES)
        n /= 2;
    return n >= LEAST_TIMED ? n : 0;
}

static size_t room_of(const run *r)
{
    size_t room = 4096, sizes[JUDGE_MAX_SIZES + 1];

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        size_t count = sizes_of(r, p, sizes);
        sizes[count++] = run_timed_size(r, p);
        for (size_t i = 0; i < count; i++) {
            size_t bytes = judge_total_bytes(&r->l->parts[p], sizes[i]);
            room = bytes > room ? bytes : room;
        }
    }
    return room;
}

session *run_open_session(run *r, const char *program, base_error *error)
{
    char folder[PATH_MAX];
    size_t room = room_of(r);

    snprintf(folder, sizeof folder, "%s", program);
    *strrchr(folder, '/') = '\0';
    /* The child's device memory and its copies of the buffers; and, for each byte of them and of as
       much scratch that kernels touch, up to 7 in which the engine keeps who accessed it last. With
       a GPU, what its driver keeps. */
    const size_t needed =
        r->gpu ? driver_memory + 4 * room : 3 * device_memory + (6 + 2 * 7) * room;
    if (r->memory_bytes < needed)
        r->memory_bytes = needed;
    session_options wanted = { .program = program,
                               .folder = folder,
                               .seconds = r->seconds,
                               .room = room,
                               .memory_bytes = r->memory_bytes,
                               .output_bytes = RUN_OUTPUT_BYTES,
                               .cuda = r->gpu };
    return session_open(&wanted, error);
}

static simt_config config_of(const run *r, size_t n, const schedule *schedule, uint64_t seed)
{
    simt_config config;
    size_t needed = 4 * room_of(r);

    memset(&config, 0, sizeof config);
    config.checks = SIMT_CHECK_ALL;
    config.host_threads = r->host_threads;
    config.resident_blocks = schedule->resident;
    config.block_order = schedule->order;
    config.shuffle_warps = schedule->order == SIMT_BLOCKS_SHUFFLED;
    config.late_stores = schedule->late_stores;
    config.seed = seed;
    config.budget = budget_base + budget_per_element * n;
    config.memory = needed > device_memory ? needed : device_memory;
    return config;
}

static void infra(case_result *into, const char *message)
{
    into->verdict = VERDICT_INFRA;
    snprintf(into->what, sizeof into->what, "%.500s", message);
}

/* Short, because people retype it; a program that knew it would still have to compute the answer
   from the input. */
static uint64_t draw_seed(void)
{
    uint64_t seed = 0;
    if (!rng_secret_seed(&seed, NULL))
        seed = (uint64_t)(process_clock() * 1e9);
    return seed % (SEED_RANGE - 1) + 1;
}

static void judge_outcome(run *r, const lab_part *part, const judge_data *data,
                          const session_outcome *outcome, case_result *into)
{
    const explain_context context = {
        r->l,  part, r->program, r->tools->addr2line, r->seconds, r->memory_bytes, RUN_OUTPUT_BYTES,
        r->gpu
    };
    judge_report report;
    bool compared = data && explain_can_compare(outcome);

    if (compared) /* a GPU does not count launches: who knows */
        judge_compare(r->l, part, data, r->gpu ? 1 : outcome->done.counts.launches, &report);
    explain_case(&context, outcome, compared ? &report : NULL, into);
}

static void name_case(const run *r, unsigned part, size_t n, case_result *into)
{
    memset(into, 0, sizeof *into);
    snprintf(into->name, sizeof into->name, "%s/%zu", judge_part_name(r->l, &r->l->parts[part]), n);
    into->part = part;
    into->n = n;
    into->verdict = VERDICT_NOT_RUN;
}

typedef struct job {
    session *s;
    unsigned part;
    size_t n;
    const schedule *schedule;
    uint64_t seed;
    channel_timing timed;
    judge_data *data;
} job;

static void run_job(run *r, const job *j, case_result *into, run_measure *measured)
{
    const unsigned part = j->part;
    const size_t n = j->n;
    const lab_part *p = &r->l->parts[part];
    session_outcome outcome;
    judge_data made, *data = j->data ? j->data : &made;
    base_error error;
    bool ended;

    name_case(r, part, n, into);
    snprintf(r->result->doing, sizeof r->result->doing, "%s%.39s", j->timed ? "timing " : "",
             into->name);
    if (!session_ready(j->s, &outcome, &ended, &error)) {
        if (!ended) {
            infra(into, error.text);
        } else {
            judge_outcome(r, p, NULL, &outcome, into);
            r->dead = true;
        }
        return;
    }
    into->seed = j->seed ? j->seed : draw_seed();
    schedule_text(r->l, j->schedule, into->seed, into->schedule, sizeof into->schedule);
    const uint64_t derived = schedule_seed(j->schedule, into->seed);
    if (!j->data && !judge_make(&made, p, n, derived, &error)) {
        infra(into, error.text);
        return;
    }
    const bool shifted = j->schedule->shifted && p->any_alignment;
    if (shifted)
        strncat(into->schedule, ", arrays that begin one element after a multiple of 16 bytes",
                sizeof into->schedule - strlen(into->schedule) - 1);
    session_job job = { p,
                        data,
                        config_of(r, n, j->schedule, derived),
                        j->schedule->order == SIMT_BLOCKS_REVERSED,
                        shifted,
                        j->timed };
    session_run(j->s, &job, &outcome);
    judge_outcome(r, p, data, &outcome, into);
    r->dead = r->dead || outcome.ending == SESSION_FORGED;
    if (measured && into->verdict == VERDICT_PASS) {
        *measured = (run_measure){ .known = true,
                                   .counts = outcome.done.counts,
                                   .not_freed = outcome.done.not_freed,
                                   .seconds = outcome.seconds,
                                   .device_us = outcome.done.device_us,
                                   .host_us = outcome.done.host_us };
        judge_take_notes(p, data, &measured->notes);
    }
    if (!j->data)
        judge_drop(&made);
    r->result->done++;
}

void run_case(run *r, session *s, unsigned part, size_t n, const schedule *schedule, uint64_t seed,
              case_result *into, run_measure *measured)
{
    run_job(r, &(job){ s, part, n, schedule, seed, CHANNEL_UNTIMED, NULL }, into, measured);
}

void run_timed(run *r, session *s, unsigned part, size_t n, uint64_t seed, case_result *into,
               run_measure *measured)
{
    const schedule plain = schedule_plain(r->l, r->o);
    run_job(r, &(job){ s, part, n, &plain, seed, CHANNEL_TIMED, NULL }, into, measured);
}

void run_timed_on_device(run *r, session *s, unsigned part, judge_data *data, uint64_t seed,
                         case_result *into, run_measure *measured)
{
    const schedule plain = schedule_plain(r->l, r->o);
    run_job(r, &(job){ s, part, data->n, &plain, seed, CHANNEL_TIMED_DEVICE, data }, into,
            measured);
}

/* ---- all cases of a part --------------------------------------------------------------------- */

/* Does the next case need a new process? Then a few that fail so are enough. */
static bool takes_process(const run *r, verdict v)
{
    const verdict_others others = verdict_about(v)->others;
    return others == VERDICT_A_FEW || (r->gpu && others == VERDICT_A_FEW_ON_GPU);
}

/* A wrong answer of a host entry may come from reading in front of a buffer: then that is what is
   to be told. The same data again, with the guard pages on the buffers' other side. */
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

/* One pass over a part's cases. True if all passed. */
static bool run_plain(run *r, unsigned part, unsigned first, size_t count)
{
    const schedule plain = schedule_plain(r->l, r->o);
    unsigned crashes = 0;
    bool all = true;

    for (size_t i = 0; i < count; i++) {
        case_result *into = &r->result->cases[first + i];
        const size_t n = into->n;
        if (r->dead)
            return false;
        run_case(r, r->session, part, n, &plain, r->o->has_seed ? r->o->seed : 0, into,
                 &r->measured[part][i]);
        look_on_other_side(r, part, into);
        all = all && into->verdict == VERDICT_PASS;
        crashes += takes_process(r, into->verdict);
        if (verdict_about(into->verdict)->others == VERDICT_STOP || crashes > CRASHES_ALLOWED)
            return false;
    }
    return all;
}

static bool is_large(const run *r, unsigned part, size_t n)
{
    return n >= judge_large_size(r->l, &r->l->parts[part]);
}

/* Would the case be told something new by this schedule, and is it worth its time? */
static bool is_worth(const run *r, unsigned part, unsigned i, size_t n, const schedule *s)
{
    const run_measure *m = &r->measured[part][i];
    const lab_part *p = &r->l->parts[part];
    /* where a function is only tried, not scanned with, residency tells nothing new */
    bool one_block = (m->known && m->counts.blocks <= m->counts.launches) || p->step || p->trial;

    if (s->gpu)
        return true;
    if (s->crowded)
        return m->known && m->counts.blocks > s->resident &&
               n <= judge_large_size(r->l, &r->l->parts[part]);
    return (s->large || r->o->part[0] || !is_large(r, part, n)) &&
           !(s->residency_only && one_block);
}

/* On a GPU only the data differ from one run to the next, and chance. */
static void note_unsteady(const run *r, case_result *c)
{
    char number[8];

    if (c->verdict == VERDICT_WRONG && !c->note[0])
        snprintf(c->note, sizeof c->note,
                 "the same case was right before, with other data: if the data is not the reason, "
                 "there is a race; make grade LAB=%s looks for one, on the engine",
                 result_lab_number(r->l, number));
}

/* The other schedules: stops at the first case that fails. */
static void run_others(run *r, unsigned part, unsigned first, size_t count)
{
    schedule s;

    for (unsigned k = 1; k < schedule_count(r->l, r->o); k++)
        for (unsigned i = 0; schedule_at(r->l, r->o, k, &s) && i < count; i++) {
            case_result *kept = &r->result->cases[first + i], tried;
            if (!is_worth(r, part, i, kept->n, &s)) {
                r->result->done++;
                continue;
            }
            run_measure crowded = { .known = false };
            run_case(r, r->session, part, kept->n, &s, kept->seed, &tried,
                     s.crowded ? &crowded : NULL);
            if (crowded.known)
                r->result->notes[part] = crowded.notes;
            if (tried.verdict == VERDICT_PASS)
                continue;
            *kept = tried;
            if (r->gpu)
                note_unsteady(r, kept);
            return;
        }
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

/* The cause that most of the wrong cases share, told by the smallest of them. One case alone may
   fit a pattern by chance, small ones most of all: a cause that few of many wrong cases share is
   not told at all. */
static void settle_cause(lab_result *result, unsigned first, size_t count, case_result *shown)
{
    enum { FEW = 3 };
    unsigned best = 0, wrong = 0;
    const case_result *from = NULL;

    if (shown->verdict != VERDICT_WRONG || is_unwritten(shown->cause_kind))
        return;
    for (size_t i = 0; i < count; i++) {
        const case_result *candidate = &result->cases[first + i];
        if (candidate->verdict != VERDICT_WRONG || candidate->cause_kind == 0)
            continue;
        unsigned votes = votes_for(result, first, count, candidate->cause_kind, &wrong);
        if (votes > best) {
            best = votes;
            from = candidate;
        }
    }
    if (from && best < FEW && 2 * best < wrong) {
        shown->cause[0] = '\0';
        shown->cause_kind = 0;
    } else if (from && from->cause_kind != shown->cause_kind) {
        snprintf(shown->cause, sizeof shown->cause, "%.300s (as in case %s)", from->cause,
                 from->name);
        shown->cause_kind = from->cause_kind;
    }
}

/* What the failing sizes have in common goes where the cause is, or beside it. */
static void add_common_cause(const run *r, unsigned first, size_t count, case_result *shown)
{
    size_t sizes[JUDGE_MAX_SIZES];
    bool wrong[JUDGE_MAX_SIZES];
    size_t used = 0;

    if (shown->verdict != VERDICT_WRONG)
        return;
    for (size_t i = 0; i < count; i++) {
        const case_result *c = &r->result->cases[first + i];
        if (c->verdict == VERDICT_NOT_RUN)
            continue;
        sizes[used] = c->n;
        wrong[used++] = c->verdict != VERDICT_PASS;
    }
    const char *common = judge_common_cause(r->l, sizes, wrong, used);
    if (!common[0])
        return;
    char *to = shown->cause[0] ? shown->note : shown->cause;
    const size_t told = strlen(to); /* a note of the engine */
    snprintf(to + told, sizeof shown->cause - told, "%s%s", told ? "; " : "", common);
}

void run_part(run *r, unsigned part)
{
    lab_result *result = r->result;
    size_t sizes[JUDGE_MAX_SIZES], count = sizes_of(r, part, sizes);
    const unsigned first = result->case_count;

    for (size_t i = 0; i < count; i++)
        name_case(r, part, sizes[i], &result->cases[first + i]);
    result->case_count += (unsigned)count;
    r->first[part] = first;
    r->count[part] = (unsigned)count;
    if (run_plain(r, part, first, count))
        run_others(r, part, first, count);
    result->part_verdict[part] = count > 0 ? VERDICT_PASS : VERDICT_NOT_RUN;
    result->shown[part] = -1;
    for (size_t i = 0; i < count && result->shown[part] < 0; i++)
        if (result->cases[first + i].verdict != VERDICT_PASS) {
            result->shown[part] = (int)(first + i);
            result->part_verdict[part] = result->cases[first + i].verdict;
        }
    if (result->shown[part] >= 0) {
        case_result *shown = &result->cases[result->shown[part]];
        if (r->l->parts[part].step && shown->no_entry && !r->o->part[0]) {
            result->part_verdict[part] = shown->verdict = VERDICT_NOT_RUN;
            result->shown[part] = -1;
            return;
        }
        settle_cause(result, first, count, shown);
        add_common_cause(r, first, count, shown);
    }
}
