/*
 * huge.c: run_huge of run.h: the largest n that a contract allows, which nobody could run here.
 *
 * Calls and their comparison: huge_call.h. Grids, sizes of allocations and the indices of the last
 * blocks are those of that n. Where blocks do not wait for each other, races between those that run
 * are looked for: a level of sums that only this n has may write where it reads.
 *
 * The same is tried at four smaller n first: two like those of the cases, and two of less than a
 * million. Each call has to come to its end, as in the cases; a kernel that goes wrong at the first
 * two may do so because of the zeros, or of what the blocks that are left out have not counted, and
 * then nothing is said. What a program has done at two of these n it has to do at the next as well;
 * and at the largest n write what it wrote at both.
 *
 * A number may be too small for some n below the largest and do for that one: it wraps around to
 * one that is large enough, or is a float that is rounded up. So a second row of calls follows:
 * two at smaller n, then three between 2^24 and the largest: just above a power of the tile, just
 * above one of 2, and one that the seed draws. Each is one more than a multiple of a large power of
 * 2, so that a float of it is too small, and its last tile has one element. Where the largest n is
 * beyond 2^32, two more are just below 2^31, for lengths that are ints go no further, and just
 * above 2^32: there 32 bits keep too little of the first tile's distance from the end, and at the
 * largest n of tiles alone that are left out. A part whose type alone is new, with fewer cases than
 * the largest n asks for, has no second row.
 * Of a grid that does not grow with n nothing is said there: any block may have the last elements,
 * and waits for words of its own earlier tiles, which nobody makes up.
 * A lab may name others, with smaller ones of their kind (lab_part.kinds); and four of a kind at
 * which sums rise by as much for each element, if all are as large as can be (lab_part.rising_n).
 *
 * An integer of an output, near its start or its end, that is n less the same number at two n has
 * to be so at others as well: a count, or the length of a run. Where lab_part.counts_changes asks
 * for it, a row of calls has elements that alternate, and one has equal ones. Where a block waits
 * at the largest n for what no other tells, as none did at the smaller ones, the made-up words may
 * have outgrown the program's own: then the least power of 2 is looked for that it does not come
 * past, by fresh programs. If the call two tiles before it does all, the one past it has to; else
 * nothing is said.
 *
 * Look-back over thousands of tiles has a file of its own, huge_lookback.c.
 *
 * A program sees that the device is a large one. So before, between or after the first two calls,
 * as the seed draws it, lies one that is whole, on data like a case's; its n is one of those that
 * the first two have. Its answer counts, and what it does they have to do: launch a kernel, and
 * write the end of an output. An entry that keeps something on the device, where excerpts leave
 * what no launch would, has one or two such calls before all excerpts. The zeros are for kernels
 * alone to see: the host cannot look at the data and pass.
 */
#include <stdio.h>
#include <string.h>

#include "huge_call.h"
#include "rng.h"

enum {
    TRIALS = 4, /* and then the largest n */
    SECOND = TRIALS + 1,
    BETWEEN = SECOND + 2,
    DRAWN = 3,
    INTS = 2, /* and those at which an int has too few bits */
    CALLS = BETWEEN + DRAWN + INTS,
    LEAST_BITS = 18, /* cases count to less */
    STEP = RUN_HUGE_STEP,
    MOST_STEP = 16 * STEP
};

/* The call that is whole. */
typedef struct whole_call {
    bool launched;
    bool ends[LAB_MAX_BUFFERS]; /* outputs of n elements whose last one it writes */
    bool waits;                 /* a block does, at the largest n */
} whole_call;

static void call(run *r, session *s, unsigned part, size_t n, huge_pattern first, huge_call *e)
{
    huge_call_make(r, s, part, n, first, HUGE_USUAL, HUGE_BLOCK_MOST, e);
}

/* One n of a kind may have 2^20 elements one after the other. */
static void call_kind(run *r, session *s, unsigned part, size_t n, huge_call *e)
{
    huge_call_make(r, s, part, n, HUGE_ENDS, HUGE_USUAL,
                   n < RUN_HUGE_LEAST ? HUGE_COLUMN_MOST : HUGE_MANY_MOST, e);
}

static void tell_idle(huge_call *e)
{
    case_result *c = &e->result;

    c->verdict = VERDICT_WRONG;
    snprintf(c->what, sizeof c->what,
             "no kernel is launched on a device with room for all blocks of this n; with other "
             "data one is");
    snprintf(c->advice, sizeof c->advice, "do the same work on every device, and in every call");
}

static void tell_end(const lab *l, const lab_part *p, unsigned b, huge_call *e)
{
    case_result *c = &e->result;

    c->verdict = VERDICT_WRONG;
    snprintf(c->what, sizeof c->what,
             "%s[%zu], its last element, is not written where the inputs are zeros; with other "
             "data it is",
             p->buffers[b].name, e->data.length[b] - 1);
    snprintf(c->advice, sizeof c->advice, "do the same work on every device, and in every call%s",
             l->blocks_wait ? "; and let every tile publish its PREFIX, not the first alone" : "");
}

/* Does e, at an n like that of the whole call, leave out what that does? Then it says so. */
static bool is_idle(const lab *l, const lab_part *p, const whole_call *whole, huge_call *e)
{
    if (whole->launched && !e->ran.launched) {
        tell_idle(e);
        return true;
    }
    for (unsigned b = 0; e->whole && b < e->data.count; b++) {
        if (!whole->ends[b] || !huge_lacks_last(p, e, b))
            continue;
        tell_end(l, p, b, e);
        return true;
    }
    return false;
}

/* Which n are tried (0: there is none), and before which of the trials a call is whole; for an
   entry that keeps something, how many are before all of them. */
typedef struct plan {
    size_t n[CALLS], whole_n;
    unsigned whole_at, wholes_first;
} plan;

static bool keeps(const run *r, unsigned part)
{
    for (unsigned i = 0; i < r->count[part]; i++)
        if (r->measured[part][i].kept > 0)
            return true;
    return false;
}

/* The distance of n whose last tiles are alike. */
static size_t step_of(const lab *l)
{
    size_t step = STEP;

    while (l->tile > 0 && step % l->tile && step < MOST_STEP)
        step += STEP;
    return l->tile > 0 && step % l->tile ? STEP : step;
}

/* The least n from there on that is one more than a multiple of step; 0: it is not below huge. */
static size_t just_above(size_t least, size_t step, size_t huge)
{
    const size_t n = (least + step - 1) / step * step + 1;
    return n < huge ? n : 0;
}

/* The largest power of the tile there is room for; 0: it is below RUN_HUGE_LEAST. */
static size_t power_of_tile(size_t tile, size_t huge)
{
    size_t power = 1;

    while (tile > 1 && power < huge / tile)
        power *= tile;
    return power < RUN_HUGE_LEAST ? 0 : power;
}

static size_t draw_power_of_2(size_t huge, uint64_t *state)
{
    unsigned count = 1;

    while ((size_t)RUN_HUGE_LEAST << count < huge)
        count++;
    return (size_t)RUN_HUGE_LEAST << rng_splitmix64(state) % count;
}

/* The largest n whose last tiles are as those of the trials, and that an int holds. */
static size_t most_of_ints(const lab *l, size_t huge)
{
    const size_t step = step_of(l);
    return huge > UINT32_MAX ? just_above(((size_t)1 << 31) - step, step, huge) : huge;
}

/* Where levels of sums become one more, as the tile has it or as 2 has it; and anywhere. */
static void draw_between(const lab *l, size_t huge, uint64_t *state, size_t n[DRAWN + INTS])
{
    const size_t step = step_of(l), power = power_of_tile(l->tile, huge),
                 least = draw_power_of_2(huge, state);
    const size_t from[DRAWN] = { draw_power_of_2(huge, state),
                                 least + rng_splitmix64(state) % least, power ? power : least };

    for (unsigned i = 0; i < DRAWN; i++)
        n[i] = just_above(from[i], step, huge);
    n[DRAWN] = huge > UINT32_MAX ? most_of_ints(l, huge) : 0;
    n[DRAWN + 1] = huge > UINT32_MAX ? just_above((size_t)1 << 32, step, huge) : 0;
}

/* Has it few cases, since its type alone is new? */
static bool is_of_type_alone(const lab_part *p) { return p->max_n > 0 && p->huge_n > p->max_n; }

static plan draw_plan(const run *r, unsigned part, size_t huge)
{
    uint64_t state = r->result->cases[r->first[part]].seed ^ part;
    const unsigned first = rng_splitmix64(&state) % RUN_LIKE_SIZES,
                   apart = 1 + rng_splitmix64(&state) % (RUN_LIKE_SIZES - 1);
    const size_t step = step_of(r->l);
    plan drawn = { .n = { run_like_size(r, huge, first),
                          run_like_size(r, huge, (first + apart) % RUN_LIKE_SIZES),
                          huge % STEP + STEP, huge % STEP + 2 * STEP, huge, step + 1,
                          2 * step + 1 } };

    drawn.whole_n = run_like_size(r, huge, rng_splitmix64(&state) % RUN_LIKE_SIZES);
    drawn.whole_at = rng_splitmix64(&state) % 3;
    if (keeps(r, part)) {
        drawn.wholes_first = 1 + drawn.whole_at % 2;
        drawn.whole_at = CALLS;
    }
    if (is_of_type_alone(&r->l->parts[part])) { /* others are tried between */
        drawn.wholes_first = drawn.wholes_first > 0;
        drawn.n[0] = run_like_size(r, huge, 0);
        drawn.n[1] = run_like_size(r, huge, 1);
        memset(drawn.n + SECOND, 0, (CALLS - SECOND) * sizeof drawn.n[0]);
    } else
        draw_between(r->l, huge, &state, drawn.n + BETWEEN);
    return drawn;
}

/* False: the part has failed. */
static bool try_whole(run *r, session *s, unsigned part, size_t n, whole_call *whole)
{
    const lab_part *p = &r->l->parts[part];
    const uint64_t seed = r->result->cases[r->first[part]].seed;
    judge_data data;
    case_result result;

    if (!judge_make(&data, p, n, seed, NULL))
        return true;
    run_whole(r, s, part, &data, seed, &result, &whole->launched);
    for (unsigned b = 0; b < data.count; b++)
        whole->ends[b] = p->buffers[b].role == LAB_OUT && data.length[b] == n &&
                         judge_element_bytes(p->buffers[b].type) >= HUGE_LEAST_BYTES &&
                         !judge_is_left_alone(&data, p, b, n - 1);
    judge_drop(&data);
    if (result.verdict == VERDICT_PASS)
        return true;
    run_show(r, part, &result);
    return false;
}

static void try_first(run *r, session *s, unsigned part, size_t huge, whole_call *whole)
{
    const plan drawn = draw_plan(r, part, huge);

    for (unsigned k = 0; k < drawn.wholes_first; k++)
        if (!try_whole(r, s, part, drawn.n[k], whole))
            return;
}

static void try_part(run *r, session *s, unsigned part, size_t huge, whole_call *whole)
{
    static huge_call all[CALLS];
    const lab_part *p = &r->l->parts[part];
    const plan drawn = draw_plan(r, part, huge);
    bool cut = false;

    for (unsigned t = 0; t < CALLS; t++) {
        bool alone = t < 2 || (t >= SECOND && t < BETWEEN);
        const huge_call *trial = &all[t < 2 ? 0 : t < BETWEEN ? t - 2 : SECOND];
        huge_call *e = &all[t];
        if (!drawn.n[t])
            continue;
        if (t >= SECOND && cut)
            return; /* what the program keeps is as no launch leaves it */
        if (t == drawn.whole_at && !try_whole(r, s, part, drawn.whole_n, whole))
            return;
        for (unsigned like = 0; t == 2 && like < 2; like++)
            if (is_idle(r->l, p, whole, &all[like])) {
                huge_keep(r, part, &all[like], true);
                return;
            }
        call(r, s, part, drawn.n[t], HUGE_ENDS, e);
        alone = alone || (t >= BETWEEN && e->known && !huge_grows(trial, e));
        if (huge_fails(r, part, e, t < 2) || (!alone && huge_does_less(p, trial, t >= TRIALS, e))) {
            huge_keep(r, part, e, t == 0);
            return;
        }
        if (!e->known)
            return;
        cut = cut || e->ran.cut;
        if (t == TRIALS && e->ran.waits && huge_grows(trial, e))
            whole->waits = true;
    }
}

/* What the lab names besides: two smaller n, then that one. */
static void try_kind(run *r, unsigned part, const size_t *n)
{
    enum { NAMED = 2 };
    static huge_call tried[NAMED + 1];
    const lab_part *p = &r->l->parts[part];
    base_error error;
    session *s = run_open_excerpts(r, &error);
    huge_call *e = tried;

    for (unsigned t = 0; s && t <= NAMED; t++) {
        e = &tried[t];
        call_kind(r, s, part, n[t], e);
        if (t == NAMED && (huge_fails(r, part, e, false) || huge_does_less(p, tried, true, e)))
            huge_keep(r, part, e, false);
        else if (!e->whole)
            break;
    }
    session_close(s);
}

/* ---- numbers of k bits ----------------------------------------------------------------------- */

/* What e does not do just past 2^bits elements, and `before` just before them. */
static void tell_crossing(const huge_call *before, unsigned bits, huge_call *e)
{
    case_result *c = &e->result;
    char seen[sizeof c->what];

    snprintf(seen, sizeof seen, "%s", c->what);
    if (!e->known)
        snprintf(c->what, sizeof c->what,
                 "%.300s; at n = %zu, before 2^%u elements, the last blocks do no such thing", seen,
                 before->data.n, bits);
    else if (!e->whole)
        snprintf(c->what, sizeof c->what,
                 "the last blocks do not come to their end; at n = %zu, before 2^%u elements, they "
                 "do",
                 before->data.n, bits);
    else
        snprintf(c->what, sizeof c->what,
                 "the last elements of an output are not written, or those of an input not read; "
                 "at n = %zu, before 2^%u elements, they are",
                 before->data.n, bits);
    c->verdict = VERDICT_WRONG;
    snprintf(c->advice, sizeof c->advice,
             "a number of %u bits may wrap around: the count in the word that a tile publishes, or "
             "the tile's number. Give it as many bits as the largest n needs",
             bits);
}

/* The least power of 2 that the program does not come past, if it comes to just before it. The last
   tiles are as long as those of the trials. */
static void find_narrow(run *r, unsigned part, size_t huge, huge_pattern first,
                        const huge_call *trial)
{
    static huge_call before, past, least;
    const lab_part *p = &r->l->parts[part];
    const size_t tile = r->l->tile, rest = huge % tile;
    unsigned low = LEAST_BITS - 1, high = LEAST_BITS;

    while (((size_t)1 << high) + 2 * tile <= huge)
        high++; /* it is not asked of this one, which is beyond the largest n */
    const unsigned beyond = high;
    while (low + 1 < high) {
        const unsigned bits = (low + high) / 2;
        huge_call_fresh(r, part, ((size_t)1 << bits) + tile + rest, first, &past);
        if (past.known && huge_does_all(p, trial, &past)) {
            low = bits;
            continue;
        }
        high = bits;
        least = past;
        if (!least.known && !huge_fails(r, part, &least, false))
            return;
    }
    if (high == beyond)
        return;
    if (least.known && !least.whole && !least.ran.waits) /* its work has grown */
        return;
    huge_call_fresh(r, part, ((size_t)1 << high) - 2 * tile + rest, first, &before);
    if (!before.known || !huge_does_all(p, trial, &before))
        return;
    tell_crossing(&before, high, &least);
    huge_keep(r, part, &least, false);
}

/* Counts as large as n: trials, then the largest n. Elements that are all equal may have one count
   for all, which contracts huge_keep below 2^31. */
static void try_counts(run *r, unsigned part, size_t huge, huge_pattern first)
{
    static huge_call trial[2], most;
    const lab_part *p = &r->l->parts[part];

    for (unsigned t = 0; t < 2; t++) {
        huge_call_fresh(r, part, run_like_size(r, huge, t), first, &trial[t]);
        if (!trial[t].whole)
            return;
    }
    if (first != HUGE_ENDS) {
        huge_call_fresh(r, part, first == HUGE_EQUAL ? most_of_ints(r->l, huge) : huge, first,
                        &most);
        if (huge_fails(r, part, &most, false) || huge_does_less(p, trial, true, &most)) {
            huge_keep(r, part, &most, false);
            return;
        }
        if (first == HUGE_EQUAL || !most.known || !most.ran.waits || !huge_grows(trial, &most))
            return;
    }
    find_narrow(r, part, huge, first, trial);
}

/* ---- sums as large as can be ----------------------------------------------------------------- */

/* What the number is at n, if it rises by as much for each element as from one to the other. */
static int64_t risen(const huge_call *one, int64_t first, const huge_call *two, int64_t second,
                     size_t n, int64_t *each)
{
    *each = (second - first) / (int64_t)(two->data.n - one->data.n);
    return (int64_t)((uint64_t)second + (uint64_t)*each * (uint64_t)(n - two->data.n));
}

/* Does it rise so in the first three, and not to the last? Then that says so. */
static bool rises_less(const lab_part *p, huge_call tried[4])
{
    for (unsigned b = 0; b < tried[0].data.count; b++) {
        int64_t value[4], each;
        bool known = p->buffers[b].type == LAB_I64;
        for (unsigned t = 0; t < 4; t++)
            known = known && huge_last_number(p, &tried[t], b, &value[t]);
        if (!known ||
            risen(&tried[0], value[0], &tried[1], value[1], tried[2].data.n, &each) != value[2])
            continue;
        case_result *c = &tried[3].result;
        const int64_t right =
            risen(&tried[0], value[0], &tried[1], value[1], tried[3].data.n, &each);
        if (right == value[3])
            continue;
        c->verdict = VERDICT_WRONG;
        snprintf(c->what, sizeof c->what,
                 "%s[%zu], its last element, is %lld: it has to be %lld, where all elements of "
                 "%s are as large as can be; at n = %zu and less it is right",
                 p->buffers[b].name, tried[3].data.length[b] - 1, (long long)value[3],
                 (long long)right, p->buffers[0].name, tried[2].data.n);
        snprintf(c->advice, sizeof c->advice,
                 "a sum may be cut to too few bits, such as in the word that a tile publishes");
        return true;
    }
    return false;
}

static void try_rising(run *r, unsigned part)
{
    static huge_call tried[4];
    const size_t *n = r->l->parts[part].rising_n;

    for (unsigned t = 0; n && t < 4; t++) {
        huge_call_fresh(r, part, n[t], HUGE_FULL, &tried[t]);
        if (!tried[t].whole)
            return;
    }
    if (n && rises_less(&r->l->parts[part], tried))
        huge_keep(r, part, &tried[3], false);
}

/* ---- look-back over thousands of tiles ------------------------------------------------------- */

void run_huge(run *r)
{
    static void (*const tries[])(run *, session *, unsigned, size_t, whole_call *) = { try_first,
                                                                                       try_part };
    whole_call whole[LAB_MAX_PARTS] = { { .launched = false } };
    base_error error;
    session *s = NULL;

    for (size_t k = 0; k < sizeof tries / sizeof tries[0]; k++)
        for (unsigned p = 0; p < lab_part_count(r->l); p++) {
            if (!huge_is_asked(r, p))
                continue;
            if (!s && !(s = run_open_excerpts(r, &error)))
                return;
            tries[k](r, s, p, run_huge_size(r, p), &whole[p]);
        }
    session_close(s);
    huge_lookback(r);
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        if (whole[p].waits && r->l->tile > 0 && huge_is_asked(r, p))
            try_counts(r, p, run_huge_size(r, p), HUGE_ENDS);
        const size_t *const *kinds = r->l->parts[p].kinds;
        for (unsigned k = 0; kinds && k < LAB_KINDS && kinds[k] && huge_is_asked(r, p); k++)
            try_kind(r, p, kinds[k]);
        if (huge_is_asked(r, p))
            try_rising(r, p);
        for (huge_pattern first = HUGE_CHANGES; first <= HUGE_EQUAL; first++)
            if (r->l->parts[p].counts_changes && huge_is_asked(r, p))
                try_counts(r, p, run_huge_size(r, p), first);
    }
}
