/*
 * calls.c: run_long_lookback, run_drawn_sizes, run_mixed_entries and run_often_... of run.h: what
 * is asked of an entry once its cases have passed on all schedules. run_long_lookback is about
 * look-back over many tiles, run_drawn_sizes about n that are on no list. All but the first start
 * the program afresh; the last two show what goes wrong only where a call follows others: an entry
 * that keeps descriptors from call to call numbers its launches, so that what another launch has
 * left counts for nothing, as long as no two launches have one number; and it makes its memory
 * larger when a call needs more.
 */
#include <stdio.h>
#include <string.h>

#include "cause.h"
#include "gates.h"
#include "rng.h"
#include "run.h"
#include "usual_gates.h"

static bool is_asked_for(const run *r)
{
    const options *o = r->o;
    return r->l->blocks_wait && !r->gpu && !r->dead && !o->part[0] && !o->has_order && !o->resident;
}

static bool is_called(const run *r, unsigned part)
{
    const lab_part *p = &r->l->parts[part];
    return !p->step && !p->trial && p->gate_sizes;
}

static bool is_right(const run *r, unsigned part)
{
    return r->result->part_verdict[part] == VERDICT_PASS;
}

/* Calls the entry, as no case alone does; false, and the case says so, where its answer is wrong.
   kept: bytes that it has left on the device; may be null. */
static bool call(run *r, unsigned part, size_t n, const schedule *s, uint64_t seed, case_result *c,
                 uint64_t *kept)
{
    run_measure m = { .known = false };

    run_case(r, r->session, part, n, s, seed, c, &m);
    c->after_others = true;
    if (kept)
        *kept = m.kept;
    return c->verdict == VERDICT_PASS || c->cause_kind == CAUSE_NOTES;
}

static void fail(run *r, unsigned part, unsigned at, const case_result *failed)
{
    r->result->cases[at] = *failed;
    r->result->part_verdict[part] = failed->verdict;
    r->result->shown[part] = (int)at;
}

/* ---- far back -------------------------------------------------------------------------------- */

/* The part's case with the longest chain of blocks, up to the large one; -1: no block waits. */
static int longest_chain(const run *r, unsigned part)
{
    uint64_t most = 1;
    int found = -1;

    for (unsigned i = 0; i < r->count[part]; i++) {
        const unsigned at = r->first[part] + i;
        const run_measure *m = &r->measured[part][i];
        if (m->known && m->counts.block_chain > most &&
            r->result->cases[at].n <= judge_large_size(r->l, &r->l->parts[part])) {
            most = m->counts.block_chain;
            found = (int)at;
        }
    }
    return found;
}

static bool has_same_bits(const lab_part *part)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        if (part->buffers[b].same_bits)
            return true;
    return false;
}

/* A call that is right with fewer blocks, and late with many: what is different is said, and why it
   is late is not known. */
static void tell_far(case_result *late)
{
    const size_t used = strlen(late->note);

    snprintf(late->note + used, sizeof late->note - used,
             "%sin time with fewer blocks at once: here many look back, and the first is slow",
             used ? "; " : "");
}

/* Is it wrong with few blocks, too, none of which is stalled? Then it is the data, and *c says so:
   sums that only this n has. */
static bool is_wrong_near(run *r, unsigned part, size_t n, uint64_t seed, case_result *c)
{
    const schedule s = schedule_far_data();
    case_result again;

    if (r->dead || call(r, part, n, &s, seed, &again, NULL) || again.verdict != VERDICT_WRONG)
        return false;
    again.after_others = false;
    *c = again;
    return true;
}

/* Of parts that are about the same code, the seed draws one; the others are asked more cheaply:
   each type may have a look-back of its own, or an end of it. */
void run_long_lookback(run *r)
{
    const unsigned parts = lab_part_count(r->l);
    unsigned done = 0;

    for (unsigned k = 0; is_asked_for(r) && k < parts; k++) {
        const unsigned p = (unsigned)((k + r->result->cases[0].seed) % parts);
        const int at = is_called(r, p) && is_right(r, p) ? longest_chain(r, p) : -1;
        case_result tried;
        if (at < 0)
            continue;
        const bool farthest = r->l->far_n > 0;
        const schedule s =
            schedule_far(farthest ? &r->l->parts[p] : NULL, run_is_like(r->l, p, done));
        const case_result *c = &r->result->cases[at];
        const size_t n = farthest ? r->l->far_n : c->n;
        if (done) /* what entries leave each other is asked later */
            session_renew(r->session);
        done |= 1u << p;
        /* of prefixes of 0 none is missed */
        uint64_t seed = c->seed;
        while (judge_cancels(&r->l->parts[p], n, schedule_seed(&s, seed)))
            seed++;
        if (call(r, p, n, &s, seed, &tried, NULL) && tried.verdict == VERDICT_PASS)
            continue;
        /* the lab knows how sums come to be rounded in another order */
        if (tried.cause_kind == CAUSE_NOTES ||
            (tried.cause_kind >= CAUSE_LAB && has_same_bits(&r->l->parts[p]))) {
            fail(r, p, (unsigned)at, &tried);
            continue;
        }
        if (tried.verdict == VERDICT_WRONG && is_wrong_near(r, p, n, seed, &tried)) {
            fail(r, p, (unsigned)at, &tried);
            continue;
        }
        if (tried.verdict == VERDICT_TIMEOUT) { /* it waits, and has not given up */
            tell_far(&tried);
            fail(r, p, (unsigned)at, &tried);
            continue;
        }
        tried.cause_kind = CAUSE_GIVES_UP;
        snprintf(tried.cause, sizeof tried.cause,
                 "right, until many blocks run at once and the first is slow. Then the "
                 "others have published only aggregates: look-back has to reach the first block, "
                 "however far back it is, and to wait for it, however long");
        fail(r, p, (unsigned)at, &tried);
    }
}

/* ---- sizes that are on no list --------------------------------------------------------------- */

void run_drawn_sizes(run *r)
{
    enum { DRAWN = 16, MOST = 1 << 12, SEEDS = 1000000 /* short: people retype it */ };
    const schedule plain = schedule_plain(r->l, r->o);
    bool renewed = false;

    for (unsigned p = 0; !r->gpu && !r->o->part[0] && p < lab_part_count(r->l); p++) {
        const unsigned last = r->first[p] + r->count[p] - 1;
        if (r->dead || !is_right(r, p) || r->l->parts[p].trial)
            continue;
        const size_t listed = r->result->cases[last].n, most = listed < MOST ? listed : MOST;
        rng generator;
        rng_seed(&generator, r->result->cases[last].seed + p);
        for (unsigned k = 0; most > 0 && k < DRAWN; k++) {
            const size_t n = 1 + rng_below(&generator, most);
            case_result tried;
            if (!renewed)
                session_renew(r->session);
            renewed = true;
            const uint64_t seed = 1 + rng_below(&generator, SEEDS - 1);
            if (call(r, p, n, &plain, seed, &tried, NULL))
                continue;
            tried.after_others = false;
            fail(r, p, last, &tried);
            break;
        }
    }
}

/* ---- one entry after another ----------------------------------------------------------------- */

static bool are_right(const run *r)
{
    unsigned parts = 0;

    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (is_called(r, p)) {
            if (!is_right(r, p))
                return false;
            parts++;
        }
    return parts > 1;
}

/* The first of the gates' sizes that has several tiles; -1: none was run. */
static int case_in_turn(const run *r, unsigned part)
{
    for (const size_t *n = r->l->parts[part].gate_sizes; *n; n++)
        for (unsigned i = 0; *n > r->l->tile && i < r->count[part]; i++)
            if (r->result->cases[r->first[part] + i].n == *n)
                return (int)(r->first[part] + i);
    return -1;
}

void run_mixed_entries(run *r)
{
    const schedule s = schedule_in_turn();

    if (!is_asked_for(r) || r->o->from_part > 0 || !are_right(r))
        return;
    session_renew(r->session);
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const int at = is_called(r, p) ? case_in_turn(r, p) : -1;
        case_result tried;
        if (at < 0)
            continue;
        const case_result *c = &r->result->cases[at];
        if (call(r, p, c->n, &s, c->seed, &tried, NULL))
            continue;
        tried.cause_kind = CAUSE_KEPT;
        snprintf(tried.cause, sizeof tried.cause,
                 "right on its own, and not right after a call of another entry: what they keep "
                 "from call to call is shared, so its counters, epochs and flags have to be as "
                 "well");
        fail(r, p, (unsigned)at, &tried);
        return;
    }
}

/* ---- one entry, often ------------------------------------------------------------------------ */

/* Calls from a launch to another that may have its number, of up to 8 bits, with and without 0; of
   up to 10; of up to 12. 0: no more. */
static const unsigned apart[RUN_REPEATED_CHECKS] = { 31 * 8, 63 * 4, 127 * 2, 255, 256 };
static const unsigned further_apart[RUN_REPEATED_CHECKS] = { 511 * 2, 1023, 1024 };
static const unsigned far_apart[RUN_REPEATED_CHECKS] = { 511 * 8, 1023 * 4, 2047 * 2, 4095, 4096 };

/* A case of the part with as many tiles; -1: there is none. */
static int case_often(const run *r, unsigned part)
{
    for (unsigned i = 0; i < r->count[part]; i++)
        if (r->result->cases[r->first[part] + i].n >= RUN_REPEATED_TILES * (size_t)r->l->tile)
            return (int)(r->first[part] + i);
    return -1;
}

static void tell_often(const run *r, bool checked, unsigned before, case_result *c)
{
    const size_t used = strlen(c->note);

    if (c->verdict == VERDICT_TIMEOUT) { /* that alone does not say why */
        snprintf(c->note + used, sizeof c->note - used,
                 "%sright, until the program has called it %u times", used ? "; " : "", before);
        return;
    }
    c->cause_kind = CAUSE_KEPT;
    if (checked)
        snprintf(c->cause, sizeof c->cause,
                 "right, until the program has called it %u times: is a number of the launch kept "
                 "in so few bits that it wraps around? What the old launch of that number left "
                 "is then mistaken for this one's. Give it more bits, and clear the words when it "
                 "wraps around",
                 before);
    else
        snprintf(c->cause, sizeof c->cause,
                 "right on its own, and not after a call with n = %zu: what that call has left "
                 "is mistaken for this one's (a pointer, a flag, a sum)",
                 before > 1 ? 1 : run_often_size(r->l, RUN_REPEATED_TILES, false));
}

/* Is the call wrong as a program's first one, too? Then it is its data, and no call before. */
static bool is_wrong_alone(run *r, unsigned part, size_t n, const schedule *s, uint64_t seed)
{
    case_result alone;

    if (r->dead)
        return false;
    session_renew(r->session);
    return !call(r, part, n, s, seed, &alone, NULL);
}

/* The first call leaves something for many tiles: *kept bytes, 0 if that is not known. Those after
   it have one tile, until a number may wrap around: then two tiles more than any since the
   first, of which the last looks at what the first call has left for the other, whose block is
   stalled. All have other data. */
static bool is_right_often(run *r, unsigned part, uint64_t seed, case_result *c, uint64_t *kept)
{
    unsigned checks = 0;
    schedule s = schedule_often(0);

    if (!call(r, part, run_often_size(r->l, RUN_REPEATED_TILES, false), &s, seed, c, kept))
        return false;
    for (unsigned k = 1; checks < RUN_REPEATED_CHECKS; k++) {
        const bool checked = k == apart[checks];
        checks += checked;
        const size_t n = checked ? run_often_size(r->l, 1 + 2 * checks, true) : 1;
        s = schedule_often(checked ? 2 * checks - 1 : 0);
        if (call(r, part, n, &s, seed + k, c, NULL))
            continue;
        if (is_wrong_alone(r, part, n, &s, seed + k)) {
            c->seed = seed + k;
            c->after_others = false;
        } else {
            tell_often(r, checked, k, c);
            c->seed = seed;
        }
        schedule_text(r->l, &s, c->seed, c->schedule, sizeof c->schedule);
        return false;
    }
    return true;
}

/* Is one element in the arrays of many no right call, as each input has n elements? Not of offsets,
   of which the last is n. */
static bool has_offsets(const lab_part *part)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        if (part->buffers[b].role == LAB_IN && part->buffers[b].length)
            return true;
    return false;
}

/* Thousands of calls are cheap where each is a launch. */
static bool is_cheap(const run_measure *m) { return m->counts.launches <= 1; }

/* An n of so many tiles; of offsets, few of them: only a segment that begins in an earlier tile
   takes what that has left. */
static size_t size_after(const run *r, const lab_part *part, unsigned tiles)
{
    enum { NEAR = 3 }; /* n modulo 3 says how many segments there are */
    const size_t most = run_often_size(r->l, tiles, false);
    size_t n = most;

    for (size_t other = most; has_offsets(part) && other > most - NEAR; other--)
        if (judge_total_bytes(part, other) < judge_total_bytes(part, n))
            n = other;
    return n;
}

/* So many calls with one element, and then one that is looked at, with other data. */
static bool call_after(run *r, unsigned part, unsigned before, unsigned tiles, schedule *s,
                       uint64_t seed, case_result *c)
{
    schedule one = schedule_often(0);

    s->before = before;
    if (before > 0 && has_offsets(&r->l->parts[part])) {
        one.before = before - 1;
        s->before = 0;
        if (!call(r, part, 1, &one, seed, c, NULL))
            return false;
    }
    return call(r, part, size_after(r, &r->l->parts[part], tiles), s, seed, c, NULL);
}

/* The same, of which the last of the calls above is the first; those of one tile have one element,
   and are not looked at. That all together take too long says nothing, as long as there is time
   left for what comes after them. The first part alone is called thousands of times: the others
   most likely number their launches as it does. */
static bool is_right_very_often(run *r, unsigned part, bool first, uint64_t seed, case_result *c)
{
    const unsigned *const calls =
        first && !has_offsets(&r->l->parts[part]) ? far_apart : further_apart;
    unsigned before = 0;

    for (unsigned k = 0; k < RUN_REPEATED_CHECKS && calls[k]; k++) {
        schedule s = schedule_often(2 * k + 1);
        const unsigned ones = calls[k] - before - 1;
        before = calls[k];
        if (call_after(r, part, ones, 3 + 2 * k, &s, seed + before, c))
            continue;
        if (c->verdict == VERDICT_TIMEOUT && !r->dead)
            return true;
        tell_often(r, true, before, c);
        c->seed = seed;
        schedule_text(r->l, &s, seed, c->schedule, sizeof c->schedule);
        return false;
    }
    return true;
}

/* Memory that is kept is made larger when a call needs more: is the old one freed? Twice as much as
   one call keeps is room enough for who doubles it. False, and the case says so, where an answer is
   wrong. */
static bool judge_growing(run *r, unsigned part, uint64_t seed, uint64_t kept, run_often *often)
{
    const schedule s = schedule_often(0);
    case_result *const c = &often->seen;
    uint64_t grown = 0;

    for (unsigned tiles = 1; tiles <= RUN_REPEATED_TILES; tiles++)
        if (!call(r, part, tiles * (size_t)r->l->tile, &s, seed, c, &grown))
            return false;
    often->grown = true;
    often->growing = (gate_result){ .part = part,
                                    .gate = &lab_own_gates[LAB_GATE_GROWING],
                                    .n = c->n,
                                    .seed = seed,
                                    .value = (double)grown,
                                    .limit = 2 * (double)kept };
    often->growing.ok = often->growing.value <= often->growing.limit;
    return true;
}

static void call_often(run *r, unsigned part, run_often *often)
{
    const uint64_t seed = r->result->cases[often->at].seed;
    const run_measure *m = &r->measured[part][often->at - r->first[part]];
    case_result *const c = &often->seen;
    uint64_t kept;

    session_renew(r->session);
    bool right =
        is_right_often(r, part, seed, c, &kept) &&
        (r->o->quick || !is_cheap(m) || is_right_very_often(r, part, often->first, seed, c));
    if (right && kept > 0) {
        session_renew(r->session);
        right = judge_growing(r, part, seed, kept, often);
    }
    often->failed = !right;
    often->dead = r->dead;
}

unsigned run_often_parts(run *r)
{
    unsigned parts = 0;

    for (unsigned p = 0; is_asked_for(r) && p < lab_part_count(r->l); p++) {
        const int at = is_called(r, p) && is_right(r, p) ? case_often(r, p) : -1;
        if (at < 0 || !r->measured[p][at - (int)r->first[p]].kept || run_is_like(r->l, p, parts))
            continue;
        r->often[p] = (run_often){ .at = (unsigned)at, .first = parts == 0 };
        parts |= 1u << p;
    }
    return parts;
}

void run_often_call(run *r, unsigned parts)
{
    bool failed = false;

    for (unsigned p = 0; p < lab_part_count(r->l) && !failed; p++)
        if (parts >> p & 1) {
            call_often(r, p, &r->often[p]);
            failed = r->often[p].failed;
        }
}

void run_often_take(run *r, const run *copy, unsigned parts)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (parts >> p & 1)
            r->often[p] = copy->often[p];
}

bool run_often_fails(const run *r, unsigned parts)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (parts >> p & 1 && r->often[p].failed)
            return true;
    return false;
}

void run_often_tell(run *r, unsigned parts)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        run_often *const o = &r->often[p];
        if (!(parts >> p & 1))
            continue;
        if (o->grown)
            gates_keep(r, &o->growing);
        r->dead = r->dead || o->dead;
        if (o->failed) {
            fail(r, p, o->at, &o->seen);
            return;
        }
    }
}
