/*
 * run.c: one case, once. See run.h.
 */
#include "run.h"

#include <stdio.h>
#include <string.h>

#include "build.h"
#include "cause.h"
#include "explain.h"
#include "path.h"
#include "rng.h"

enum { SEED_RANGE = 1000000, MOST_TRACED = 10000, LIKE_TILES = 16, FIRST_ELEMENTS = 4096 };
/* beyond, a student would wait too long for the data to be made */
enum { MOST_TIMED = 1 << 23, LEAST_TIMED = 1 << 20, MOST_TIMED_BYTES = 1 << 26 };

/* warp instructions: 10 to 100 times what the labs need; more for the first elements, each of which
   may have a block of its own, as a row of one column has */
static const uint64_t budget_base = (uint64_t)1 << 22, budget_per_element = 512,
                      budget_of_first = (uint64_t)1 << 23;
/* it takes a tenth of that */
static const size_t device_memory = (size_t)512 << 20, driver_memory = (size_t)1 << 30;
/* of a thread whose kernel has local memory: what it may use, and what the engine knows of that */
static const size_t local_memory = (size_t)144 << 10;

size_t run_sizes(const run *r, unsigned part, size_t sizes[JUDGE_MAX_SIZES])
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

/* Where n says which kind of data a case has, no tile's counts are those that another such call has
   left. */
size_t run_often_size(const lab *l, unsigned tiles, bool full)
{
    size_t n = tiles * (size_t)l->tile - 1;

    if (!l->kinds_by_n)
        return n + 1;
    while ((n / l->tile + n) % LAB_KINDS_BY_N != (full ? LAB_KIND_FULL : LAB_KIND_SPARSE))
        n--;
    return n;
}

/* Of the largest data of a call. A smaller n may have longer buffers: run_repeated_calls has sizes
   that no case has. */
static size_t room_of(const run *r)
{
    size_t room = 4096, sizes[JUDGE_MAX_SIZES + 2 + RUN_LIKE_SIZES + 3 * RUN_REPEATED_TILES];

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const size_t huge = run_huge_size(r, p);
        size_t count = run_sizes(r, p, sizes);
        sizes[count++] = run_timed_size(r, p);
        sizes[count++] = r->l->far_n <= judge_most_n(&r->l->parts[p]) ? r->l->far_n : 0;
        for (unsigned which = 0; huge && which < RUN_LIKE_SIZES; which++)
            sizes[count++] = run_like_size(r, huge, which);
        for (unsigned tiles = 1; r->l->blocks_wait && tiles <= RUN_REPEATED_TILES; tiles++) {
            sizes[count++] = tiles * (size_t)r->l->tile;
            sizes[count++] = run_often_size(r->l, tiles, false);
            sizes[count++] = run_often_size(r->l, tiles, true);
        }
        for (size_t i = 0; i < count; i++) {
            size_t bytes = judge_total_bytes(&r->l->parts[p], sizes[i]);
            room = bytes > room ? bytes : room;
        }
    }
    return room;
}

static size_t device_bytes(const run *r)
{
    const size_t needed = 4 * room_of(r);
    return needed > device_memory ? needed : device_memory;
}

/* excerpt: bytes of a device whose memory is hardly touched; 0: it is a usual one. */
static session *open_session(run *r, const char *program, size_t excerpt, base_error *error)
{
    char folder[PATH_MAX], ptx[PATH_MAX];
    size_t room = room_of(r);

    snprintf(folder, sizeof folder, "%s", program);
    *strrchr(folder, '/') = '\0';
    if (!path_join(ptx, sizeof ptx, folder, BUILD_PTX, NULL)) {
        error_set(error, "the path of %s is too long", folder);
        return NULL;
    }
    /* The child's device memory and its copies of the buffers; and, for each byte of them and of as
       much scratch that kernels touch, up to 7 in which the engine keeps who accessed it last; the
       local memory of a crowd. With a GPU, what its driver keeps. */
    const unsigned far = r->l->far_n ? LAB_FAR_BLOCKS : r->l->blocks_wait ? SCHEDULE_FAR : 0;
    const size_t crowd =
        (size_t)(r->l->crowd > far ? r->l->crowd : far) * r->l->threads * local_memory;
    const size_t needed =
        r->gpu ? driver_memory + 4 * room : 3 * device_memory + (6 + 2 * 7) * room + crowd;
    if (r->memory_bytes < needed)
        r->memory_bytes = needed;
    session_options wanted = { .program = program,
                               .folder = folder,
                               .seconds = r->seconds,
                               .total_seconds = RUN_CASES_TIME * r->seconds,
                               .host_seconds = RUN_HOST_TIME * r->seconds,
                               .room = room,
                               .memory_bytes = r->memory_bytes,
                               .output_bytes = RUN_OUTPUT_BYTES,
                               .ptx = r->gpu   ? NULL
                                      : r->ptx ? r->ptx
                                               : ptx,
                               .device_bytes = excerpt ? excerpt : device_bytes(r),
                               .gpus = r->l->gpus,
                               /* the memory, and what the engine has for each byte of it */
                               .reserved = 3 * excerpt,
                               .cuda = r->gpu };
    return session_open(&wanted, error);
}

session *run_open_session(run *r, const char *program, base_error *error)
{
    return open_session(r, program, 0, error);
}

size_t run_huge_size(const run *r, unsigned part)
{
    /* beyond 2^34 elements, whose fours are more than 2^32, with a last index that is negative as
       an int; words of it are 133 GB, which GPUs hold */
    static const size_t wide_n = ((size_t)31 << 30) + RUN_HUGE_STEP - 1;
    const lab_part *p = &r->l->parts[part];
    const size_t most = p->huge_n ? p->huge_n : p->wide_n && !p->max_n ? wide_n : judge_most_n(p);

    if (r->gpu || r->l->threads == 0 || p->step || p->trial || !p->gate_sizes ||
        most < RUN_HUGE_LEAST) /* what is smaller has a case of its own */
        return 0;
    for (unsigned b = 0; b < lab_buffer_count(p); b++)
        if (p->buffers[b].place != LAB_DEVICE)
            return 0;
    return most;
}

size_t run_like_size(const run *r, size_t huge, unsigned which)
{
    const size_t tile = r->l->tile, tiles = LIKE_TILES * tile, most = RUN_HUGE_STEP / 4,
                 step = tile > 0 && tiles < most && most % tiles == 0 ? tiles : most;
    return huge % step + (1 + which) * step;
}

session *run_open_excerpts(run *r, base_error *error)
{
    size_t most = 0;

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const size_t n = run_huge_size(r, p), bytes = n ? judge_total_bytes(&r->l->parts[p], n) : 0;
        most = bytes > most ? bytes : most;
    }
    return open_session(r, r->program, 8 * most + device_memory, error);
}

static simt_config config_of(const run *r, size_t n, const schedule *schedule, uint64_t seed)
{
    simt_config config;

    memset(&config, 0, sizeof config);
    config.checks = schedule->bounds_only ? SIMT_CHECK_BOUNDS : SIMT_CHECK_ALL;
    config.host_threads = r->host_threads;
    config.resident_blocks = schedule->resident;
    config.block_order = schedule->order;
    config.shuffle_warps = config.split_active = schedule->order == SIMT_BLOCKS_SHUFFLED;
    config.late_stores = schedule->late_stores;
    config.stall = schedule->stall;
    config.stalled = schedule->stalled;
    config.clock_step = schedule->clock_step;
    config.seed = seed;
    if (r->l->gpus > 1 && schedule->order == SIMT_BLOCKS_REVERSED)
        config.gpu_order = SIMT_GPUS_REVERSED;
    else if (r->l->gpus > 1 && schedule->order == SIMT_BLOCKS_SHUFFLED)
        config.gpu_order = (simt_gpu_order)(seed % 3);
    config.starved = r->l->gpus > 1 ? (unsigned)(seed / 3 % r->l->gpus) : 0;
    config.budget = budget_base + budget_per_element * n + config.stall +
                    (n < FIRST_ELEMENTS ? budget_of_first * n / FIRST_ELEMENTS : budget_of_first);
    config.memory = device_bytes(r);
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

/* A right answer: do its notes agree with what is known of the run? Polls by atomics are not seen
   from tickets, so where there are many the chain of blocks is not known. */
static void check_notes(const run *r, const lab_part *part, const judge_data *data,
                        const channel_done *done, const schedule *schedule, judge_report *report)
{
    const simt_counts *counts = &done->counts;
    const size_t tiles = (data->n + r->l->tile - 1) / r->l->tile;
    lab_noted noted = { .resident = r->gpu ? 0 : schedule->resident,
                        .late = schedule->late_stores,
                        .launches = r->gpu ? 0 : counts->launches,
                        .chain_known = !r->gpu && counts->atomics <= data->n / r->l->tile + 64,
                        .chain = counts->block_chain,
                        .chain_exact =
                            !r->gpu && counts->blocks == tiles && counts->atomics <= tiles,
                        .not_observed = done->not_observed };

    judge_check_notes(part, data, &noted, report);
}

static void judge_outcome(run *r, const lab_part *part, const judge_data *data,
                          const schedule *schedule, const session_outcome *outcome,
                          case_result *into)
{
    const explain_context context = {
        r->l,  part, r->program, r->tools->addr2line, r->seconds, r->memory_bytes, RUN_OUTPUT_BYTES,
        r->gpu
    };
    judge_report report;
    bool compared = data && explain_can_compare(outcome);

    if (compared) /* where launches are not counted: who knows */
        judge_compare(r->l, part, data,
                      r->gpu || schedule->bounds_only ? 1 : outcome->done.counts.launches, &report);
    /* what the plain schedule finds wrong with the answers is shown first; bounds alone say
       nothing of notes */
    if (compared && report.answer == JUDGE_RIGHT && schedule->index > 0 && !schedule->bounds_only)
        check_notes(r, part, data, &outcome->done, schedule, &report);
    explain_case(&context, outcome, compared ? &report : NULL, into);
}

bool run_is_first(const run *r, unsigned part)
{
    return strcmp(r->o->first.part, judge_part_name(r->l, &r->l->parts[part])) == 0;
}

void run_name_case(const run *r, unsigned part, size_t n, case_result *into)
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
    bool bounds_only;
    const run_refusal *refusal; /* null: nothing is refused */
    run_refusal_seen *seen;     /* of that */
} job;

/* Of the runner that is up: a new one has been asked nothing. */
static run_called *called_by(run *r, const session *s, unsigned part)
{
    if (r->called_by != session_child(s)) {
        memset(r->called, 0, sizeof r->called);
        r->called_by = session_child(s);
        r->left = 0;
    }
    if (!r->called[part].called)
        r->called[part].found = r->left;
    r->called[part].called = true;
    return &r->called[part];
}

_Static_assert(JUDGE_MAX_SIZES <= 32, "run_called.cases has a bit for each");

/* Of the part's case with this n; 0: there is none. */
static uint32_t bit_of(const run *r, unsigned part, size_t n)
{
    for (unsigned i = 0; i < r->count[part]; i++)
        if (r->result->cases[r->first[part] + i].n == n)
            return UINT32_C(1) << i;
    return 0;
}

/* Notes the call, and fills in what depends on those before it. */
static void note_call(run *r, const job *j, const channel_done *done, run_measure *m)
{
    run_called *called = called_by(r, j->s, j->part);
    const uint32_t bit = bit_of(r, j->part, j->n);

    m->repeated = called->cases & bit;
    called->cases |= bit;
    m->not_freed = done->not_freed > called->found ? done->not_freed - called->found : 0;
    r->left = done->not_freed;
}

/* Has the part a gate that a traced call alone can tell, or tells better? */
static bool wants_trace(const lab_part *part)
{
    for (unsigned g = 0; g < lab_gate_count(part); g++)
        switch (part->gates[g].metric) {
        case LAB_ADDITIONS_MADE:
        case LAB_ADDITIONS_NOT_IN_FLOAT:
        case LAB_DATA_ADDED:
        case LAB_DEPTH:
        case LAB_MADE_OF_INPUT: return true;
        default: break;
        }
    return false;
}

/* What outputs are made of is looked at where n is small, since a traced launch is slow, and at the
   first of the gates' sizes, so that each such gate is judged. */
static bool is_traced(const run *r, const job *j)
{
    const lab_part *p = &r->l->parts[j->part];
    bool small = j->n <= MOST_TRACED || (p->gate_sizes && j->n == p->gate_sizes[0]);

    return !r->gpu && !j->refusal && j->s == r->session && j->schedule->index == 0 && small &&
           wants_trace(p);
}

static bool make_data(const job *j, const lab_part *part, uint64_t seed, judge_data *data,
                      base_error *error)
{
    const uint64_t own = schedule_seed(j->schedule, seed);
    const schedule before = { .index = j->schedule->like };

    return j->schedule->like
               ? judge_make_like(data, part, j->n, schedule_seed(&before, seed), own, error)
               : judge_make(data, part, j->n, own, error);
}

/* Is that the other case's answer, which has the same part and n? */
static bool answers(const judge_data *data, const judge_data *other, const lab_part *part)
{
    judge_data mixed = *data;

    mixed.expected = other->expected;
    for (unsigned b = 0; b < data->count; b++)
        for (size_t i = 0; part->buffers[b].role == LAB_OUT && i < data->length[b]; i++)
            if (!judge_is_right(&mixed, part, b, i))
                return false;
    return true;
}

/* A wrong answer where the call before had nearly the same data, and was right: is it that call's
   answer? */
static void tell_kept(const job *j, const lab_part *part, const judge_data *data, case_result *into)
{
    const schedule before = { .index = j->schedule->like };
    judge_data earlier;
    char place[120], more[40] = " alone";

    if (into->verdict != VERDICT_WRONG || !data->changes || into->cause_kind == CAUSE_NOTES ||
        !judge_make(&earlier, part, j->n, schedule_seed(&before, into->seed), NULL))
        return;
    const bool same = answers(data, &earlier, part);
    judge_drop(&earlier);
    if (data->changes > 1)
        snprintf(more, sizeof more, " and %zu more", data->changes - 1);
    snprintf(place, sizeof place, "%s[%zu]%s", part->buffers[data->changed_buffer].name,
             data->changed_index, more);
    if (same) {
        into->cause_kind = CAUSE_KEPT;
        snprintf(into->cause, sizeof into->cause,
                 "this is the answer to the call before, whose data differed in %s: an answer was "
                 "kept, and taken for this one; compute it anew in every call",
                 place);
    } else if (!into->note[0]) {
        into->suspects_call = true;
        snprintf(into->note, sizeof into->note,
                 "the call before was right, and its data differed in %s: is something kept "
                 "from call to call?",
                 place);
    }
}

static void run_job(run *r, const job *j, case_result *into, run_measure *measured)
{
    const unsigned part = j->part;
    const size_t n = j->n;
    const lab_part *p = &r->l->parts[part];
    session_outcome outcome;
    judge_data made, *data = j->data ? j->data : &made;
    base_error error;
    bool ended;

    run_name_case(r, part, n, into);
    progress_doing(r->result->progress, "%s%s", j->timed ? "timing " : "", into->name);
    if (!session_ready(j->s, &outcome, &ended, &error)) {
        if (!ended) {
            infra(into, error.text);
        } else {
            judge_outcome(r, p, NULL, j->schedule, &outcome, into);
            r->dead = true;
        }
        return;
    }
    into->seed = j->seed ? j->seed : draw_seed();
    schedule_text(r->l, j->schedule, into->seed, into->schedule, sizeof into->schedule);
    into->schedule_index = j->schedule->index;
    const uint64_t derived = schedule_seed(j->schedule, into->seed);
    if (!j->data && !make_data(j, p, into->seed, &made, &error)) {
        infra(into, error.text);
        return;
    }
    const bool shifted = j->schedule->shifted && p->any_alignment;
    if (shifted)
        strncat(into->schedule, ", arrays that begin one element after a multiple of 16 bytes",
                sizeof into->schedule - strlen(into->schedule) - 1);
    const unsigned in_place = j->schedule->in_place ? p->in_place : p->only_in_place && !j->timed;
    if (in_place) {
        const size_t used = strlen(into->schedule);
        snprintf(into->schedule + used, sizeof into->schedule - used,
                 ", in place: %s and %s are one array", p->buffers[in_place - 1].name,
                 p->buffers[in_place].name);
    }
    session_job job = { .part = p,
                        .data = data,
                        .config = config_of(r, n, j->schedule, derived),
                        .guard_front = j->schedule->order == SIMT_BLOCKS_REVERSED,
                        .shifted = shifted,
                        .in_place = in_place,
                        .same_place = j->schedule->like > 0,
                        .timed = j->timed,
                        .before = j->schedule->before };
    if (j->refusal) {
        job.refuse_launches = j->refusal->launches;
        job.refuse_allocation = j->refusal->allocation;
    }
    if (j->bounds_only)
        job.config.checks = SIMT_CHECK_BOUNDS;
    data->in_place = in_place;
    if (is_traced(r, j))
        job.config.trace = SIMT_TRACE_ADDS;
    const double begin = process_clock();
    session_run(j->s, &job, &outcome);
    const double wall = process_clock() - begin;
    run_measure calls = { .known = false };
    note_call(r, j, &outcome.done, &calls);
    const bool refused = j->refusal && outcome.ending == SESSION_DONE && outcome.done.refused > 0;
    if (j->seen)
        *j->seen = (run_refusal_seen){ .any = refused, .taken = refused ? outcome.done.taken : 0 };
    judge_outcome(r, p, refused ? NULL : data, j->schedule, &outcome, into);
    tell_kept(j, p, data, into);
    r->dead = r->dead || outcome.ending == SESSION_FORGED || outcome.used_up;
    if (measured && into->verdict == VERDICT_PASS) {
        *measured = (run_measure){ .known = true,
                                   .how = *j->schedule,
                                   .shifted = shifted,
                                   .crowded = j->schedule->crowded,
                                   .plain = j->schedule->index == 0 && !r->o->resident,
                                   .counts = outcome.done.counts,
                                   .busiest_gpu = outcome.done.busiest_gpu,
                                   .repeated = calls.repeated,
                                   .not_freed = calls.not_freed,
                                   .taken = outcome.done.taken,
                                   .allocated = outcome.done.allocated,
                                   .besides = outcome.done.besides,
                                   .host_kept = outcome.done.host_kept,
                                   .waiting_calls = outcome.done.waiting_calls,
                                   .waits_aside = outcome.done.waits_aside,
                                   .elsewhere = outcome.done.elsewhere,
                                   .writes = outcome.done.writes,
                                   .written_bytes = outcome.done.written_bytes,
                                   .host_bytes = outcome.done.host_bytes,
                                   .asked_blocks = outcome.done.asked_blocks,
                                   .kept = outcome.done.not_freed + outcome.done.besides -
                                           outcome.done.allocated,
                                   .wall = wall,
                                   .traced = outcome.done.traced,
                                   .made = outcome.done.made,
                                   .seconds = outcome.seconds,
                                   .device_us = outcome.done.device_us,
                                   .host_us = outcome.done.host_us };
        judge_take_notes(p, data, &measured->notes);
    }
    if (!j->data)
        judge_drop(&made);
    progress_step(r->result->progress);
}

void run_case(run *r, session *s, unsigned part, size_t n, const schedule *schedule, uint64_t seed,
              case_result *into, run_measure *measured)
{
    const job j = { .s = s, .part = part, .n = n, .schedule = schedule, .seed = seed };
    run_job(r, &j, into, measured);
}

void run_timed(run *r, session *s, unsigned part, size_t n, uint64_t seed, case_result *into,
               run_measure *measured)
{
    const schedule plain = schedule_plain(r->l, r->o);
    const job j = {
        .s = s, .part = part, .n = n, .schedule = &plain, .seed = seed, .timed = CHANNEL_TIMED
    };
    run_job(r, &j, into, measured);
}

void run_timed_on_device(run *r, session *s, unsigned part, judge_data *data, uint64_t seed,
                         case_result *into, run_measure *measured)
{
    const schedule plain = schedule_plain(r->l, r->o);
    const job j = { .s = s,
                    .part = part,
                    .n = data->n,
                    .schedule = &plain,
                    .seed = seed,
                    .timed = CHANNEL_TIMED_DEVICE,
                    .data = data };
    run_job(r, &j, into, measured);
}

void run_without(run *r, unsigned part, size_t n, const schedule *s, uint64_t seed,
                 const run_refusal *refusal, case_result *into, run_refusal_seen *seen)
{
    const job j = { .s = r->session,
                    .part = part,
                    .n = n,
                    .schedule = s,
                    .seed = seed,
                    .bounds_only = true,
                    .refusal = refusal,
                    .seen = seen };
    *seen = (run_refusal_seen){ .any = false };
    run_job(r, &j, into, NULL);
}

/* multiprocessors: a grid that is made no larger than the device has room for has a block for each
   tile all the same */
enum { EXCERPT_PLACES = 1 << 20 };

void run_excerpt(run *r, session *s, unsigned part, judge_data *data,
                 const run_excerpt_plan *excerpt, case_result *into, run_excerpted *seen)
{
    static const schedule plain = { .index = 0 };
    const lab_part *p = &r->l->parts[part];
    session_outcome outcome;
    base_error error;
    bool ended;

    run_name_case(r, part, data->n, into);
    progress_doing(r->result->progress, "%s, the last blocks", into->name);
    if (!session_ready(s, &outcome, &ended, &error)) {
        if (ended)
            judge_outcome(r, p, NULL, &plain, &outcome, into);
        else
            infra(into, error.text);
        return;
    }
    session_job job = { .part = p,
                        .data = data,
                        .config = config_of(r, data->n, &plain, 1),
                        .in_place = p->only_in_place,
                        .tail = excerpt->tail,
                        .front = p->cancels > 0 || excerpt->front,
                        .repeated = excerpt->repeated };
    job.config.checks = SIMT_CHECK_BOUNDS | SIMT_CHECK_COUNTERS;
    if (!r->l->blocks_wait) /* else what orders the last blocks would be made up */
        job.config.checks |= SIMT_CHECK_RACES;
    job.config.excerpt = excerpt->most;
    job.config.excerpt_stalls = excerpt->stalls;
    job.config.excerpt_tickets = excerpt->tickets;
    job.config.resident_blocks = EXCERPT_PLACES;
    data->in_place = job.in_place;
    session_run(s, &job, &outcome);
    judge_outcome(r, p, NULL, &plain, &outcome, into);
    const simt_counts *counts = &outcome.done.counts;
    *seen = (run_excerpted){ .cut = outcome.done.cut,
                             .waits = outcome.done.stuck,
                             .ends_read = counts->global_bytes_read > counts->scratch_bytes_read,
                             .launched = outcome.done.first_blocks > 0,
                             .refused = outcome.done.refused_from > 0,
                             .blocks = outcome.done.first_blocks };
}

void run_whole(run *r, session *s, unsigned part, judge_data *data, uint64_t seed,
               case_result *into, bool *launched)
{
    const schedule all_resident = { .resident = EXCERPT_PLACES };
    const job j = { .s = s,
                    .part = part,
                    .n = data->n,
                    .schedule = &all_resident,
                    .seed = seed,
                    .data = data,
                    .bounds_only = true };
    run_measure m = { .known = false };

    run_job(r, &j, into, &m);
    snprintf(into->schedule, sizeof into->schedule,
             "blocks in order, on a device with room for all of them, seed %llu",
             (unsigned long long)seed);
    *launched = m.known && m.counts.launches > 0;
}

void run_show(run *r, unsigned part, case_result *found)
{
    const unsigned last = r->first[part] + r->count[part] - 1;

    found->after_others = true;
    r->result->cases[last] = *found;
    r->result->part_verdict[part] = found->verdict;
    r->result->shown[part] = (int)last;
}
