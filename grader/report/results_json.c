/*
 * results_json.c: see results_json.h.
 */
#include "results_json.h"

#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "course_points.h"
#include "file.h"
#include "json_text.h"
#include "steps.h"

static json_t *where_of(const result_where *where)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "file",
        where->file[0] ? json_text(where->file) : json_null(), "line",
        where->line ? json_integer(where->line) : json_null(), "block",
        where->has_block ? json_integer(where->block) : json_null(), "warp",
        where->has_block && where->has_thread ? json_integer(where->warp) : json_null(), "lane",
        where->has_block && where->has_thread ? json_integer(where->lane) : json_null(),
        "launch_line", where->launch_line ? json_integer(where->launch_line) : json_null());
}

static json_t *waits_of(const case_result *c)
{
    static const char *const states[] = { [SIMT_BLOCK_WAITING] = "not started",
                                          [SIMT_BLOCK_RUNNING] = "running",
                                          [SIMT_BLOCK_SPINNING] = "waiting",
                                          [SIMT_BLOCK_DONE] = "ended" };
    json_t *waits = json_array();

    for (unsigned w = 0; w < c->wait_count; w++) {
        const result_wait *one = &c->waits[w];
        const bool known =
            one->writer_known && (size_t)one->writer_state < sizeof states / sizeof states[0];
        json_array_append_new(
            waits,
            json_pack("{s:o, s:o, s:o, s:o, s:o}", "where", where_of(&one->where), "for",
                      json_text(one->target), "writer",
                      known ? json_integer((json_int_t)one->writer) : json_null(), "writer_state",
                      known ? json_string(states[one->writer_state]) : json_null(), "message",
                      json_text(one->text)));
    }
    return waits;
}

/* Only a deadlock has waits. */
static json_t *case_of(const case_result *c)
{
    char message[RESULT_MESSAGE];
    result_message(c, message);
    json_t *one = json_pack("{s:s, s:I, s:s, s:o, s:o}", "name", c->name, "n", (json_int_t)c->n,
                            "verdict", verdict_name(c->verdict), "message", json_text(message),
                            "where", where_of(&c->where));
    if (c->wait_count)
        json_object_set_new(one, "waits", waits_of(c));
    return one;
}

/* The whole lab's message (a compile error) is a case of its own, so that those who read only the
   cases see it. */
static json_t *cases_of(const lab_result *r)
{
    json_t *cases = json_array();
    if (r->message[0])
        json_array_append_new(cases,
                              json_pack("{s:s, s:i, s:s, s:o, s:o}", "name", "lab", "n", 0,
                                        "verdict", verdict_name(r->verdict), "message",
                                        json_text(r->message), "where", where_of(&r->where)));
    for (unsigned i = 0; i < r->case_count; i++)
        json_array_append_new(cases, case_of(&r->cases[i]));
    return cases;
}

static json_t *ratio_of(uint64_t mine, uint64_t reference)
{
    return reference ? json_real((double)mine / (double)reference) : json_null();
}

/* The engine's counts, by their names in results.json. */
static const struct {
    const char *name;
    size_t at; /* in simt_counts: a uint64_t */
} counted[] = {
    { "launches", offsetof(simt_counts, launches) },
    { "warp_instructions", offsetof(simt_counts, warp_instructions) },
    { "additions", offsetof(simt_counts, float_adds) },
    { "divergent_branches", offsetof(simt_counts, divergent_branches) },
    { "barriers", offsetof(simt_counts, barriers) },
    { "shared_wavefronts", offsetof(simt_counts, shared_wavefronts) },
    { "global_sectors", offsetof(simt_counts, global_sectors) },
    { "global_bytes_read", offsetof(simt_counts, global_bytes_read) },
    { "global_bytes_written", offsetof(simt_counts, global_bytes_written) },
    { "atomics", offsetof(simt_counts, atomics) },
    { "block_chain", offsetof(simt_counts, block_chain) },
};

static json_t *engine_counts(const part_counts *c)
{
    const simt_counts *m = &c->mine, *r = &c->reference;
    json_t *all = json_pack("{s:I}", "n", (json_int_t)c->n);

    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        uint64_t value;
        memcpy(&value, (const char *)m + counted[i].at, sizeof value);
        json_object_set_new(all, counted[i].name, json_integer((json_int_t)value));
    }
    json_object_set_new(
        all, "ratio",
        json_pack("{s:o, s:o, s:o}", "warp_instructions",
                  ratio_of(m->warp_instructions, r->warp_instructions), "shared_wavefronts",
                  ratio_of(m->shared_wavefronts, r->shared_wavefronts), "global_sectors",
                  ratio_of(m->global_sectors, r->global_sectors)));
    return all;
}

/* The engine's counts, which a GPU does not have, are null. */
static json_t *device_counts(const part_counts *c)
{
    json_t *all = json_pack("{s:I, s:f, s:f, s:f, s:i, s:f, s:f, s:f}", "n", (json_int_t)c->n,
                            "time_ratio", c->ratio, "lower_quartile", c->lower, "upper_quartile",
                            c->upper, "pairs", (int)c->pairs, "microseconds", c->us,
                            "reference_microseconds", c->reference_us, "GBps", c->GBps);
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++)
        json_object_set_new(all, counted[i].name, json_null());
    json_object_set_new(all, "ratio", json_null());
    return all;
}

static json_t *counts_of(const lab_result *r)
{
    json_t *all = json_object();
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const part_counts *c = &r->counts[p];
        if (!c->known)
            continue;
        json_t *one = !c->native  ? engine_counts(c)
                      : c->device ? device_counts(c)
                                  : json_pack("{s:I, s:f, s:f, s:f, s:i}", "n", (json_int_t)c->n,
                                              "time_ratio", c->ratio, "lower_quartile", c->lower,
                                              "upper_quartile", c->upper, "pairs", (int)c->pairs);
        json_object_set_new(all, judge_part_name(r->l, &r->l->parts[p]), one);
    }
    return all;
}

static json_t *histogram_of(const judge_notes *notes)
{
    json_t *bins = json_array();
    for (unsigned k = 0; k < JUDGE_NOTE_BINS; k++)
        if (notes->bin[k])
            json_array_append_new(bins, json_pack("{s:I, s:I}", "below", (json_int_t)1 << k,
                                                  "count", (json_int_t)notes->bin[k]));
    return bins;
}

static json_t *notes_of(const lab_result *r)
{
    json_t *all = json_object();
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const judge_notes *notes = &r->notes[p];
        const lab_part *part = &r->l->parts[p];
        if (notes->known)
            json_object_set_new(all, judge_part_name(r->l, part),
                                json_pack("{s:s, s:I, s:I, s:i, s:i, s:i, s:i, s:o}", "name",
                                          result_note_name(&part->buffers[notes->buffer]), "n",
                                          (json_int_t)notes->n, "count", (json_int_t)notes->count,
                                          "min", notes->least, "median", notes->median, "p90",
                                          notes->nine_of_ten, "max", notes->most, "histogram",
                                          histogram_of(notes)));
    }
    return all;
}

static json_t *gates_of(const lab_result *r)
{
    json_t *gates = json_array();
    for (unsigned i = 0; i < r->gate_count; i++) {
        const gate_result *g = &r->gates[i];
        json_array_append_new(
            gates, json_pack("{s:s, s:f, s:f, s:o}", "name", g->name, "value", g->value, "limit",
                             g->limit, "ok", g->inconclusive ? json_null() : json_boolean(g->ok)));
    }
    return gates;
}

static json_t *warnings_of(const lab_result *r)
{
    json_t *first = json_array();
    for (unsigned k = 0; k < r->warnings.count && k < RESULT_WARNINGS; k++) {
        const result_warning *w = &r->warnings.first[k];
        json_array_append_new(first,
                              json_pack("{s:i, s:o, s:o, s:o}", "line", (int)w->line, "column",
                                        w->column ? json_integer(w->column) : json_null(),
                                        "message", json_text(w->text), "advice",
                                        w->advice[0] ? json_text(w->advice) : json_null()));
    }
    return json_pack("{s:i, s:b, s:o}", "count", (int)r->warnings.count, "more", r->warnings.more,
                     "first", first);
}

static json_t *parts_of(const lab_result *r)
{
    json_t *parts = json_array();

    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        json_array_append_new(
            parts, json_pack("{s:s, s:s, s:i, s:i}", "name", judge_part_name(r->l, &r->l->parts[p]),
                             "verdict", verdict_name(r->part_verdict[p]), "points",
                             r->part_points[p], "max_points", r->l->parts[p].points));
    return parts;
}

static json_t *lab_of(const lab_result *r)
{
    const int next = steps_next_part(r);

    return json_pack("{s:s, s:s, s:b, s:b, s:s, s:i, s:i, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "id", r->l->id, "title", r->l->title, "bonus", r->l->bonus, "absent",
                     r->absent, "verdict", verdict_name(r->verdict), "points", r->points,
                     "max_points", r->max_points, "seconds", r->seconds, "next",
                     next >= 0 ? json_string(judge_part_name(r->l, &r->l->parts[next]))
                               : json_null(),
                     "parts", parts_of(r), "cases", cases_of(r), "counts", counts_of(r), "notes",
                     notes_of(r), "gates", gates_of(r), "warnings", warnings_of(r));
}

bool results_json_write(const char *path, const options *o, const char *gpu,
                        const lab_result *const *results, size_t count, base_error *error)
{
    json_t *labs = json_array();
    int points = 0, most = 0;

    for (size_t i = 0; i < count; i++) {
        json_array_append_new(labs, lab_of(results[i]));
        points += results[i]->points;
        most += results[i]->max_points;
    }
    json_t *all = json_pack("{s:i, s:s, s:o, s:o, s:i, s:i}", "schema", 1, "backend", o->backend,
                            "sandbox", o->sandbox ? json_string(o->sandbox) : json_null(), "labs",
                            labs, "points", points, "max_points", most);
    if (all && o->course)
        course_points_add(o->course, all, o->handed_in ? o->handed_in : time(NULL), NULL);
    if (all && gpu[0])
        json_object_set_new(all, "device", json_text(gpu));
    char *text = all ? json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) : NULL;
    bool done = text ? file_write(path, text, strlen(text), error)
                     : error_set(error, "no memory for the results");
    free(text);
    json_decref(all);
    return done;
}
