/*
 * huge_lookback.c: look-back over thousands of tiles.
 *
 * Where blocks wait for each other, a part is called once more at an n of thousands of tiles that
 * have all published their aggregates, and no more (simt_config.excerpt_stalls): the first block
 * after them looks back to the fourth. Trials with a few such tiles come first.
 * Where a lab says so (lab_part.takes_tickets), and one block takes all tiles by itself, since the
 * others are left out, it gets the first four tickets and the last four
 * (simt_config.excerpt_tickets), and words for all tiles between, of more than 2^32 elements if so
 * many are allowed.
 */
#include <stdio.h>

#include "huge_call.h"

enum {
    CALLS = 3, /* trials, and one with many tiles */
    FEW = 24,  /* tiles more than the first has */
    MANY = 4100
};

/* The lab's own, or sizes like the cases', with as many tiles more, and last tiles as long. */
static size_t stalled_size(const run *r, unsigned part, size_t huge, unsigned which, bool tickets)
{
    const size_t most = tickets && huge > UINT32_MAX ? ((size_t)1 << 32) / r->l->tile : MANY,
                 more[CALLS] = { 0, FEW, most };
    const size_t *named = r->l->parts[part].stalled_n, tiles = more[which];
    const size_t step = run_like_size(r, huge, 1) - run_like_size(r, huge, 0);

    if (named)
        return named[which];
    return run_like_size(r, huge, 1) + (tiles * r->l->tile + step - 1) / step * step;
}

static void tell_short(const huge_call *trial, huge_call *e)
{
    case_result *c = &e->result;
    char seen[sizeof c->what];

    snprintf(seen, sizeof seen, "%s", c->what);
    snprintf(c->what, sizeof c->what,
             "right for few tiles, and not where thousands have published only aggregates, since "
             "one of the first is slow: %.300s",
             seen);
    c->verdict = VERDICT_WRONG;
    snprintf(c->advice, sizeof c->advice,
             "look-back ends at a prefix or at the first tile, and nowhere else: no number of "
             "tiles is enough (at n = %zu it was)",
             trial[1].data.n);
}

static void tell_late_tiles(huge_call *e)
{
    case_result *c = &e->result;
    char seen[sizeof c->what];

    if (!e->known)
        return;
    snprintf(seen, sizeof seen, "%s", c->what);
    snprintf(
        c->what, sizeof c->what,
        "right for few tiles, and not where a block takes the first ones, other blocks take the "
        "many that follow, and it then takes the last ones: %.300s",
        seen);
    c->verdict = VERDICT_WRONG;
    snprintf(c->advice, sizeof c->advice,
             "an index or a sum of counts may have too few bits, compute it in long long; or "
             "look-back ends after some number of tiles");
}

/* What e does not do, the program does at that n where no block stalls. */
static bool is_short(run *r, unsigned part, const huge_call *trial, huge_call *e)
{
    static huge_call plain;
    const lab_part *p = &r->l->parts[part];
    base_error error;

    if (e->known ? !huge_does_less(p, trial, true, e) : e->result.verdict != VERDICT_OUT_OF_BOUNDS)
        return false;
    session *s = run_open_excerpts(r, &error);
    plain.whole = false;
    if (s)
        huge_call_make(r, s, part, e->data.n, HUGE_ENDS, HUGE_COMPARED, HUGE_MANY_MOST, &plain);
    session_close(s);
    return plain.whole && !huge_does_less(p, trial, true, &plain);
}

/* Tiles after thousands of others that stall, or that other blocks have: two trials with few, then
   that. A program whose words nobody can make up so does something else in the trials, or is cut.
   False: what the program keeps is as no launch leaves it. */
static bool try_stalled(run *r, session *s, unsigned part, size_t huge, huge_kind how)
{
    const uint64_t most = how == HUGE_TICKETS ? HUGE_COLUMN_MOST : HUGE_MANY_MOST;
    static huge_call tried[CALLS];
    huge_call *const last = &tried[CALLS - 1];
    unsigned t = 0;

    for (; t < CALLS; t++) {
        huge_call_make(r, s, part, stalled_size(r, part, huge, t, how == HUGE_TICKETS), HUGE_ENDS,
                       how, most, &tried[t]);
        if (!tried[t].whole)
            break;
    }
    if (t + 1 < CALLS)
        return false;
    if (how == HUGE_TICKETS && (last->known ? huge_does_less(&r->l->parts[part], tried, true, last)
                                            : last->result.verdict == VERDICT_OUT_OF_BOUNDS)) {
        tell_late_tiles(last);
        huge_keep(r, part, last, false);
    } else if (how == HUGE_STALLING && is_short(r, part, tried, last)) {
        tell_short(tried, last);
        huge_keep(r, part, last, false);
    }
    return t == CALLS;
}

/* In some case a block has waited for another. */
static bool waits_for_others(const run *r, unsigned part)
{
    for (unsigned i = 0; i < r->count[part]; i++)
        if (r->measured[part][i].known && r->measured[part][i].counts.block_chain > 1)
            return true;
    return false;
}

/* By *s, which is opened where it is null, and closed where a launch was cut. */
static bool try_far_calls(run *r, session **s, unsigned part, huge_kind how)
{
    base_error error;

    if (!*s && !(*s = run_open_excerpts(r, &error)))
        return true;
    if (try_stalled(r, *s, part, run_huge_size(r, part), how))
        return true;
    session_close(*s);
    *s = NULL;
    return false;
}

void huge_lookback(run *r)
{
    const unsigned parts = lab_part_count(r->l);
    session *s = NULL;
    unsigned done = 0;

    for (unsigned k = 0; r->l->blocks_wait && k < parts; k++) {
        const unsigned p = (unsigned)((k + r->result->cases[0].seed) % parts);
        if (!huge_is_asked(r, p) || !waits_for_others(r, p) || run_is_like(r->l, p, done))
            continue;
        done |= 1u << p;
        if (!try_far_calls(r, &s, p, HUGE_STALLING) && huge_is_asked(r, p) &&
            r->l->parts[p].takes_tickets)
            try_far_calls(r, &s, p, HUGE_TICKETS);
    }
    session_close(s);
}
