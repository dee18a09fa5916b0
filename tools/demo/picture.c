/*
 * picture.c: see picture.h.
 */
#include "picture.h"

#include <stdio.h>

#include "fit.h"

enum { CHAINS = 3, LINKS = 6, BESIDE = 12, WIDTH = 34, LEAST_WIDTH = 8 };

/* ---- the chain ------------------------------------------------------------------------------- */

static const picture_wait *wait_of(const picture_run *r, uint64_t block)
{
    for (unsigned i = 0; i < r->wait_count; i++)
        if (r->waits[i].block == block)
            return &r->waits[i];
    return NULL;
}

static bool is_waited_for(const picture_run *r, uint64_t block)
{
    for (unsigned i = 0; i < r->wait_count; i++)
        if (r->waits[i].writer_known && r->waits[i].writer == block)
            return true;
    return false;
}

/* Of the chain that begins with w. */
static unsigned chain_length(const picture_run *r, const picture_wait *w)
{
    unsigned length = 0;

    for (; w && w->writer_known && length < r->wait_count; w = wait_of(r, w->writer))
        length++;
    return length;
}

/* Rows that it is drawn in, with an empty one above it, and one where a row is too wide. */
static unsigned chain_rows(unsigned length)
{
    return length > LINKS ? 2 * LINKS + 4 : 2 * length + 3;
}

/* From a block that no other waits for down to one that has not started. */
static void draw_chain(const picture_run *r, const terminal_facts *t, const picture_wait *w)
{
    const char *bold = t->colour ? "\033[1m" : "", *red = t->colour ? "\033[31m" : "",
               *plain = t->colour ? "\033[0m" : "";
    const unsigned length = chain_length(r, w);

    for (unsigned link = 0; w && link < length; link++, w = wait_of(r, w->writer)) {
        if (length > LINKS && link == LINKS / 2) {
            fit_print(stdout, "      :     %u more blocks, each waiting for the one below\n",
                      length - LINKS);
            while (++link < length - LINKS / 2)
                w = wait_of(r, w->writer);
            w = wait_of(r, w->writer);
        }
        fit_print(stdout, "  %sblock %-4llu%s  %s\n", bold, (unsigned long long)w->block, plain,
                  w->reads);
        fit_print(stdout, "      v waits for   (%s)\n", w->remedy);
        if (!w->writer_started)
            fit_print(
                stdout,
                "  %sblock %-4llu%s  %shas not started%s: the %u place%s taken by blocks that "
                "wait\n",
                bold, (unsigned long long)w->writer, plain, red, plain, r->places,
                r->places == 1 ? " is" : "s are");
    }
}

void picture_chains(const picture_run *r, unsigned rows, const terminal_facts *t)
{
    unsigned drawn = 0, chains = 0, taken = 2; /* what counts the rest */

    for (unsigned i = r->wait_count; i-- > 0;) {
        if (is_waited_for(r, r->waits[i].block))
            continue;
        chains++;
        taken += chain_rows(chain_length(r, &r->waits[i]));
        if (drawn == CHAINS || (drawn > 0 && rows > 0 && taken > rows))
            continue;
        printf("\n");
        draw_chain(r, t, &r->waits[i]);
        drawn++;
    }
    if (chains > drawn)
        printf("\n  ... and %u more chains\n", chains - drawn);
}

/* ---- the timeline ---------------------------------------------------------------------------- */

picture_state picture_state_between(const picture_run *r, uint64_t block, uint64_t from,
                                    uint64_t to)
{
    uint64_t share[4] = { 0 }, since = 0;
    picture_state now = PICTURE_WAITING, most = PICTURE_WAITING;
    for (size_t i = 0; i <= r->event_count; i++) {
        bool last = i == r->event_count;
        if (!last && r->events[i].block != block)
            continue;
        uint64_t until = last ? r->end : r->events[i].time, a = since > from ? since : from,
                 b = until < to ? until : to;
        if (b > a)
            share[now] += b - a;
        if (last)
            break;
        since = until;
        now = r->events[i].state;
    }
    for (unsigned k = 0; k < 4; k++)
        if (share[k] > share[most])
            most = (picture_state)k;
    return most;
}

/* Columns of one of the two timelines that stand side by side. */
static unsigned timeline_width(const terminal_facts *t)
{
    const unsigned room = t->columns > BESIDE ? (t->columns - BESIDE) / 2 : 0;
    return room > WIDTH ? WIDTH : room < LEAST_WIDTH ? LEAST_WIDTH : room;
}

static void draw_row(const picture_run *r, const terminal_facts *t, uint64_t block)
{
    const unsigned width = timeline_width(t);
    static const char letter[] = { '.', '#', '~', '=' };
    static const char *const colour[] = { "\033[2m", "\033[32m", "\033[31m", "\033[2m" };
    for (unsigned c = 0; c < width; c++) {
        picture_state s =
            picture_state_between(r, block, r->end * c / width, r->end * (c + 1) / width);
        if (t->colour)
            printf("%s%c\033[0m", colour[s], letter[s]);
        else
            putchar(letter[s]);
    }
}

void picture_timelines(const picture_run *left, const picture_run *right, const uint64_t *blocks,
                       unsigned count, bool all, const terminal_facts *t)
{
    const int width = (int)timeline_width(t);

    printf("  block   %-*s  %s\n", width, left->title, right->title);
    for (unsigned row = 0; row < count; row++) {
        printf("  %5llu   ", (unsigned long long)blocks[row]);
        draw_row(left, t, blocks[row]);
        printf("  ");
        draw_row(right, t, blocks[row]);
        printf("\n");
    }
    printf("          %-*s  %s\n", width, "time ->", "time ->");
    fit_print(stdout, "          %-*s  %s\n", width, left->span, right->span);
    fit_print(stdout, "          . waiting to start   # running   ~ spinning   = done\n%s",
              all ? "" : "          (not every block has a row)\n");
}
