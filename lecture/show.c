/*
 * show.c: what show.h says of the program and of its run.
 */
#include "show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counted.h"
#include "judge.h"

static const char *const state_names[] = { "waiting", "running", "spinning", "done" };

static void show_dim(json *j, const char *key, simt_dim d)
{
    json_open(j, key, '[');
    json_number(j, NULL, d.x);
    json_number(j, NULL, d.y);
    json_number(j, NULL, d.z);
    json_close(j, ']');
}

/* _Z13reduce_kernelPKf is reduce_kernel. */
static void plain_name(const char *mangled, char *out, size_t room)
{
    const char *digits = mangled + strcspn(mangled, "123456789");
    char *name;
    const unsigned long length = strtoul(digits, &name, 10);

    if (strncmp(mangled, "_Z", 2) == 0 && length && length <= strlen(name))
        snprintf(out, room, "%.*s", (int)length, name);
    else
        snprintf(out, room, "%s", mangled);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void show_sources(json *j, const recording *r)
{
    json_open(j, "sources", '[');
    for (unsigned k = 0; k < r->sources; k++) {
        json_open(j, NULL, '{');
        json_quoted(j, "file", r->source[k].key);
        json_quoted(j, "text", r->source[k].text);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void show_buffer_names(json *j, const recording *r)
{
    static const char *const types[] = { "f32", "i32", "u32", "i64", "affine", "u8", "f64" };
    static const char *const roles[] = { "in", "out", "note" };

    json_open(j, "buffers", '[');
    for (unsigned b = 0; b < r->buffers; b++) {
        json_open(j, NULL, '{');
        json_quoted(j, "name", r->buffer[b].name);
        json_quoted(j, "type", types[r->buffer[b].type]);
        json_quoted(j, "role", roles[r->buffer[b].role]);
        json_number(j, "length", r->buffer[b].length);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void show_said(json *j, const recording *r)
{
    json_open(j, "said", '[');
    for (unsigned k = 0; k < r->saids; k++) {
        json_open(j, NULL, '[');
        json_quoted(j, NULL, r->said[k].key);
        json_quoted(j, NULL, r->said[k].text);
        json_close(j, ']');
    }
    json_close(j, ']');
}

void show_program(json *j, const recording *r)
{
    char name[64];

    json_quoted(j, "lab", r->lab);
    json_quoted(j, "part", r->part);
    json_quoted(j, "title", r->title);
    json_number(j, "n", r->n);
    json_quoted(j, "verdict", r->verdict);
    show_said(j, r);
    show_sources(j, r);
    show_buffer_names(j, r);
    json_open(j, "launches", '[');
    for (unsigned k = 0; k < r->ops; k++) {
        if (r->op[k].kind != RECORDED_LAUNCH)
            continue;
        plain_name(r->op[k].kernel, name, sizeof name);
        json_open(j, NULL, '{');
        json_quoted(j, "kernel", name);
        show_dim(j, "grid", r->op[k].grid);
        show_dim(j, "block", r->op[k].block);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void show_settings(json *j, const char *key, const settings *s, bool recorded)
{
    static const char *const orders[] = { "in", "reversed", "shuffled" };
    static const char *const checks[] = { "counters", "bounds", "races", "unset" };
    const simt_config *c = &s->config;

    json_open(j, key, '{');
    json_number(j, "resident", c->resident_blocks);
    json_quoted(j, "order", orders[c->block_order]);
    json_bool(j, "shuffle", c->shuffle_warps);
    json_number(j, "seed", c->seed);
    json_bool(j, "late", c->late_stores);
    json_open(j, "checks", '[');
    for (unsigned k = 0; k < 4; k++)
        if (c->checks >> k & 1)
            json_quoted(j, NULL, checks[k]);
    json_close(j, ']');
    json_bool(j, "recorded", recorded);
    json_number(j, "view", s->view);
    json_number(j, "viewed", s->viewed);
    json_close(j, '}');
}

/* ---- launches -------------------------------------------------------------------------------- */

static void *copy_of(const void *from, size_t bytes)
{
    void *to = malloc(bytes + 1);
    return to && from ? memcpy(to, from, bytes) : to;
}

void show_launch_keep(show_launch *to, simt_device *device, const played_launch *l)
{
    const simt_report *r = l->report;

    *to = (show_launch){ .op = l->op,
                         .status = l->status,
                         .blocks = (uint64_t)l->op->grid.x * l->op->grid.y * l->op->grid.z };
    plain_name(l->op->kernel, to->kernel, sizeof to->kernel);
    if (l->status != SIMT_OK)
        snprintf(to->message, sizeof to->message, "%.390s", simt_error(device));
    if (!r)
        return;
    to->shared = r->counts.blocks ? r->counts.shared_allocated / r->counts.blocks : 0;
    to->waits = copy_of(r->waits, r->wait_count * sizeof *r->waits);
    to->wait_count = to->waits ? r->wait_count : 0;
}

void show_launch_free(show_launch *l) { free(l->waits); }

static void show_timeline(json *j, const step_table *t)
{
    json_open(j, "timeline", '[');
    for (unsigned k = 0; k < t->events; k++) {
        json_open(j, NULL, '[');
        json_number(j, NULL, t->event[k].step);
        json_number(j, NULL, t->event[k].launch);
        json_number(j, NULL, t->event[k].block);
        json_quoted(j, NULL, state_names[t->event[k].state]);
        json_close(j, ']');
    }
    json_close(j, ']');
}

static uint64_t block_number(simt_dim block, simt_dim grid)
{
    return block.x + (uint64_t)grid.x * (block.y + (uint64_t)grid.y * block.z);
}

static void show_wait(json *j, const recording *r, unsigned launch, const simt_wait *w,
                      simt_dim grid)
{
    char text[400], target[WORDS_ROOM];

    words_of_target(r, w, target);
    words_of_wait(r, w, text, sizeof text);
    json_open(j, NULL, '{');
    json_number(j, "launch", launch);
    json_number(j, "block", block_number(w->at.block, grid));
    json_number(j, "warp", w->at.warp);
    json_quoted(j, "file", w->at.file);
    json_number(j, "line", w->at.line);
    json_quoted(j, "target", target);
    json_bool(j, "barrier", w->at_barrier);
    json_address(j, "value", w->value);
    if (w->writer_known) {
        json_number(j, "writer", w->writer);
        json_quoted(j, "writer_state", state_names[w->writer_state]);
        json_number(j, "writer_line", w->writer_at.line);
    } else {
        json_nothing(j, "writer");
    }
    json_quoted(j, "text", text);
    json_close(j, '}');
}

void show_launches(json *j, const recording *r, const show_launch *l, unsigned count,
                   const step_table *steps)
{
    json_open(j, "launches", '[');
    for (unsigned k = 0; k < count; k++) {
        const launch_steps *s = &steps->launch[k];
        json_open(j, NULL, '{');
        json_quoted(j, "kernel", l[k].kernel);
        show_dim(j, "grid", l[k].op->grid);
        show_dim(j, "block", l[k].op->block);
        json_number(j, "shared", l[k].shared);
        json_number(j, "first", s->first);
        json_number(j, "last", s->first + s->count - 1);
        json_quoted(j, "status",
                    l[k].status == SIMT_OK      ? "ok"
                    : l[k].status == SIMT_FAULT ? "stopped"
                                                : "refused");
        json_quoted(j, "message", l[k].message);
        json_close(j, '}');
    }
    json_close(j, ']');
    show_timeline(j, steps);
    json_open(j, "waits", '[');
    for (unsigned k = 0; k < count; k++)
        for (unsigned w = 0; w < l[k].wait_count; w++)
            show_wait(j, r, k, &l[k].waits[w], l[k].op->grid);
    json_close(j, ']');
}

/* ---- counts ---------------------------------------------------------------------------------- */

void show_counts(json *j, const simt_counts *counts)
{
    json_open(j, "counts", '{');
    for (unsigned k = 0; counted_name(k); k++)
        json_number(j, counted_name(k), counted_value(counts, k));
    json_close(j, '}');
}

void show_gates(json *j, const recording *r, const simt_counts *counts)
{
    json_open(j, "gates", '[');
    for (unsigned k = 0; k < r->gates; k++) {
        const recorded_gate *g = &r->gate[k];
        double value;
        if (!counted_metric(g->metric, counts, &value))
            continue;
        const double slack = 1e-9 * fabs(g->limit);
        json_open(j, NULL, '{');
        json_quoted(j, "name", g->name);
        json_quoted(j, "formula", g->formula);
        json_float(j, "value", value);
        json_float(j, "limit", g->limit);
        json_quoted(j, "bound", g->bound == LAB_AT_MOST ? "most" : "least");
        json_bool(j, "within",
                  g->bound == LAB_AT_MOST ? value <= g->limit + slack : value >= g->limit - slack);
        json_bool(j, "taught", g->taught);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static simt_line_counts *line_of(show_lines *all, const simt_line_counts *like)
{
    for (unsigned k = 0; k < all->count; k++)
        if (all->line[k].line == like->line && strcmp(all->line[k].file, like->file) == 0)
            return &all->line[k];
    simt_line_counts *grown = realloc(all->line, (all->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    all->line = grown;
    simt_line_counts *fresh = &all->line[all->count++];
    *fresh = (simt_line_counts){ .line = like->line };
    memcpy(fresh->file, like->file, sizeof fresh->file);
    return fresh;
}

void show_lines_add(show_lines *all, const simt_report *report)
{
    for (unsigned k = 0; k < report->line_count; k++) {
        const simt_line_counts *more = &report->lines[k];
        simt_line_counts *l = line_of(all, more);
        if (!l)
            return;
        l->warp_instructions += more->warp_instructions;
        l->thread_instructions += more->thread_instructions;
        l->branches += more->branches;
        l->divergent_branches += more->divergent_branches;
        l->float_adds += more->float_adds;
        l->barriers += more->barriers;
        l->shared_wavefronts += more->shared_wavefronts;
        l->shared_ideal += more->shared_ideal;
        l->global_sectors += more->global_sectors;
        l->global_ideal += more->global_ideal;
    }
}

void show_lines_free(show_lines *all) { free(all->line); }

void show_lines_all(json *j, const show_lines *all)
{
    json_open(j, "lines", '[');
    for (unsigned k = 0; k < all->count; k++) {
        const simt_line_counts *l = &all->line[k];
        json_open(j, NULL, '{');
        json_quoted(j, "file", l->file);
        json_number(j, "line", l->line);
        json_number(j, "instructions", l->warp_instructions);
        json_number(j, "threads", l->thread_instructions);
        json_number(j, "branches", l->branches);
        json_number(j, "divergent", l->divergent_branches);
        json_number(j, "barriers", l->barriers);
        json_number(j, "adds", l->float_adds);
        json_number(j, "wavefronts", l->shared_wavefronts);
        json_number(j, "ideal", l->shared_ideal);
        json_number(j, "sectors", l->global_sectors);
        json_number(j, "sectors_ideal", l->global_ideal);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* ---- findings, and the answer ---------------------------------------------------------------- */

static void show_site(json *j, const simt_site *s)
{
    json_quoted(j, "file", s->file);
    json_number(j, "line", s->line);
    json_number(j, "block", s->block.x);
    json_number(j, "warp", s->warp);
    json_number(j, "lane", s->lane);
}

static void show_finding(json *j, const recording *r, const simt_finding *f,
                         const step_table *steps)
{
    const unsigned step = steps_of_finding(steps, f);
    simt_words words;

    words_of_finding(r, f, &words);
    json_open(j, NULL, '{');
    json_quoted(j, "kind", simt_finding_name(f->kind));
    json_bool(j, "note", simt_finding_is_note(f->kind));
    json_bool(j, "fatal", f->fatal);
    json_number(j, "count", f->count);
    if (step)
        json_number(j, "step", step);
    else
        json_nothing(j, "step");
    json_quoted(j, "kernel", f->at.kernel);
    show_site(j, &f->at);
    if (f->has_other) {
        json_open(j, "other", '{');
        show_site(j, &f->other);
        json_close(j, '}');
    } else {
        json_nothing(j, "other");
    }
    json_quoted(j, "message", words.message);
    json_quoted(j, "advice", words.advice);
    json_close(j, '}');
}

void show_findings(json *j, const recording *r, const found *all, const step_table *steps)
{
    json_open(j, "findings", '[');
    for (unsigned k = 0; k < all->count; k++)
        show_finding(j, r, &all->finding[k], steps);
    json_close(j, ']');
}

static double real_of(const recorded_buffer *b, const uint8_t *data, size_t i)
{
    double d;
    float f;

    if (b->type == LAB_F64)
        return memcpy(&d, data + i * sizeof d, sizeof d), d;
    return memcpy(&f, data + i * sizeof f, sizeof f), (double)f;
}

static bool is_right(const recorded_buffer *b, const uint8_t *got, size_t i)
{
    const size_t size = judge_element_bytes(b->type);
    if (memcmp(b->expected + i * size, got + i * size, size) == 0)
        return true;
    if (b->type != LAB_F32 && b->type != LAB_F64)
        return false;
    const double expected = real_of(b, b->expected, i), found = real_of(b, got, i);
    return expected == found || fabs(found - expected) <= b->within * fabs(expected);
}

static void value_text(const recorded_buffer *b, const uint8_t *data, size_t i, char *text,
                       size_t room)
{
    const size_t size = judge_element_bytes(b->type);
    uint64_t bits = 0;

    memcpy(&bits, data + i * size, size);
    if (b->type == LAB_F32 || b->type == LAB_F64)
        snprintf(text, room, "%.9g", real_of(b, data, i));
    else if (b->type == LAB_AFFINE)
        snprintf(text, room, "%u x + %u", (uint32_t)bits, (uint32_t)(bits >> 32));
    else if (b->type == LAB_I32)
        snprintf(text, room, "%d", (int32_t)bits);
    else
        snprintf(text, room, "%lld", (long long)bits);
}

static void check_buffer(const recorded_buffer *b, const uint8_t *got, size_t *wrong, char *what,
                         size_t room)
{
    char expected[32], found[32];
    size_t first = b->length, count = 0;

    for (size_t i = b->length; i-- > 0;)
        if (!is_right(b, got, i)) {
            first = i;
            count++;
        }
    if (count && *wrong == 0) {
        value_text(b, b->expected, first, expected, sizeof expected);
        value_text(b, got, first, found, sizeof found);
        snprintf(what, room, "%.40s[%zu]: expected %s, got %s (%zu of %zu wrong)", b->name, first,
                 expected, found, count, b->length);
    }
    *wrong += count;
}

bool show_check(const recording *r, simt_device *device, size_t *wrong, char *what, size_t room)
{
    bool known = false;

    *wrong = 0;
    *what = '\0';
    for (unsigned k = 0; k < r->buffers; k++) {
        const recorded_buffer *b = &r->buffer[k];
        uint8_t *got = b->expected ? malloc(b->bytes + 1) : NULL;
        if (got && (b->bytes == 0 || simt_peek(device, got, b->address, b->bytes))) {
            known = true;
            check_buffer(b, got, wrong, what, room);
        }
        free(got);
    }
    return known;
}

/* ---- steps and tiles ------------------------------------------------------------------------- */

void show_tile_events(json *j, const tile_table *t)
{
    json_open(j, "tile_events", '[');
    for (unsigned k = 0; k < t->events; k++) {
        json_open(j, NULL, '[');
        json_number(j, NULL, t->event[k].step);
        json_number(j, NULL, t->event[k].tile);
        json_quoted(j, NULL, (char[]){ t->event[k].state, '\0' });
        json_number(j, NULL, t->event[k].block);
        json_close(j, ']');
    }
    json_close(j, ']');
    json_open(j, "looks", '[');
    for (unsigned k = 0; k < t->looks; k++) {
        json_open(j, NULL, '[');
        json_number(j, NULL, t->look[k].step);
        json_number(j, NULL, t->look[k].block);
        json_open(j, NULL, '[');
        for (unsigned i = 0; i < t->look[k].count; i++)
            json_number(j, NULL, t->tile[t->look[k].first + i]);
        json_close(j, ']');
        json_close(j, ']');
    }
    json_close(j, ']');
}

void show_table(json *j, const step_table *t, unsigned from, unsigned count)
{
    if (from == 0)
        from = 1;
    if (from > t->count)
        count = 0;
    else if (count > t->count - from + 1)
        count = t->count - from + 1;
    json_open(j, NULL, '{');
    json_number(j, "from", from);
#define COLUMN(name, value)                                                                        \
    json_open(j, name, '[');                                                                       \
    for (const step_row *row = t->row + from - 1, *end = row + count; row < end; row++)            \
        json_signed(j, NULL, value);                                                               \
    json_close(j, ']')
    COLUMN("launch", row->launch);
    COLUMN("block", row->block);
    COLUMN("warp", row->warp);
    COLUMN("file", row->file);
    COLUMN("line", row->line);
    COLUMN("active", row->active);
    COLUMN("mask", row->mask);
    COLUMN("flags", row->flags);
#undef COLUMN
    json_open(j, "files", '[');
    for (unsigned k = 0; k < t->files; k++)
        json_quoted(j, NULL, t->file[k]);
    json_close(j, ']');
    json_close(j, '}');
}
