/*
 * show_network.c: what show.h says of the network of additions.
 */
#include <stdlib.h>
#include <string.h>

#include "show.h"

/* Steps of one launch, by block: those of block b are at from[b] to from[b + 1] of step. */
typedef struct by_block {
    unsigned *from, *step;
    size_t blocks;
} by_block;

static by_block sort_steps(const step_table *t, unsigned launch)
{
    const launch_steps *l = &t->launch[launch];
    by_block b = { .blocks = 0 };

    for (unsigned k = 0; k < l->count; k++)
        if (t->row[l->first - 1 + k].block >= b.blocks)
            b.blocks = t->row[l->first - 1 + k].block + 1;
    b.from = calloc(b.blocks + 2, sizeof *b.from);
    b.step = malloc((l->count + 1) * sizeof *b.step);
    if (!b.from || !b.step) {
        b.blocks = 0;
        return b;
    }
    for (unsigned k = 0; k < l->count; k++)
        b.from[t->row[l->first - 1 + k].block + 2]++;
    for (size_t k = 2; k < b.blocks + 2; k++)
        b.from[k] += b.from[k - 1];
    for (unsigned k = 0; k < l->count; k++) /* from[x + 1] moves from the start of x to its end */
        b.step[b.from[t->row[l->first - 1 + k].block + 1]++] = l->first + k;
    return b;
}

static unsigned step_of(const by_block *b, const simt_add_event *e)
{
    if (e->block >= b->blocks)
        return 0;
    const unsigned count = b->from[e->block + 1] - b->from[e->block];
    return e->time < count ? b->step[b->from[e->block] + e->time] : 0;
}

void show_network_add(show_network *n, const simt_report *report, const step_table *t,
                      unsigned launch)
{
    const size_t count = n->count + report->add_event_count;
    simt_add_event *event = realloc(n->event, (count + 1) * sizeof *event);
    if (event)
        n->event = event;
    unsigned *step = realloc(n->step, (count + 1) * sizeof *step);
    if (step)
        n->step = step;
    n->launches++;
    n->dropped += report->adds_dropped;
    if (!event || !step) {
        n->dropped += report->add_event_count;
        return;
    }
    by_block steps = sort_steps(t, launch);
    for (size_t k = 0; k < report->add_event_count; k++) {
        n->event[n->count] = report->adds[k];
        n->step[n->count++] = step_of(&steps, &report->adds[k]);
    }
    free(steps.from);
    free(steps.step);
}

void show_network_free(show_network *n)
{
    free(n->event);
    free(n->step);
    *n = (show_network){ .count = 0 };
}

static void show_place(json *j, const recording *r, simt_addr address)
{
    int64_t index = -1;
    const recorded_buffer *b = words_buffer(r, address, 0, &index);

    json_quoted(j, NULL, b ? b->name : "");
    json_signed(j, NULL, index);
}

static void show_event(json *j, const recording *r, const simt_add_event *e, unsigned step)
{
    json_open(j, NULL, '[');
    json_number(j, NULL, e->id);
    if (e->kind != SIMT_ADD_INPUT)
        json_number(j, NULL, e->left);
    if (e->kind == SIMT_ADD_SUM) {
        json_number(j, NULL, e->right);
        json_number(j, NULL, e->depth);
        json_number(j, NULL, e->block);
        json_number(j, NULL, e->thread);
        json_number(j, NULL, e->line);
    } else {
        show_place(j, r, e->address);
    }
    if (e->kind != SIMT_ADD_INPUT)
        json_number(j, NULL, step);
    json_close(j, ']');
}

void show_network_all(json *j, const recording *r, const show_network *n)
{
    static const char *const names[] = { "inputs", "sums", "outputs" };

    json_open(j, NULL, '{');
    json_number(j, "launches", n->launches);
    json_number(j, "dropped", n->dropped);
    for (unsigned kind = SIMT_ADD_INPUT; kind <= SIMT_ADD_OUTPUT; kind++) {
        json_open(j, names[kind], '[');
        for (size_t k = 0; k < n->count; k++)
            if (n->event[k].kind == (simt_add_kind)kind)
                show_event(j, r, &n->event[k], n->step[k]);
        json_close(j, ']');
    }
    json_close(j, '}');
}
