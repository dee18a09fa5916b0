/*
 * record.c: see record.h.
 */
#define _GNU_SOURCE
#include "record.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "file.h"
#include "labs.h"
#include "path.h"
#include "source.h"
#include "steps.h"

enum { NAME_DIGITS = 16, LARGEST = 1 << 16 };

static bool folder_of(const options *o, char folder[PATH_MAX])
{
    return path_join(folder, PATH_MAX, o->out, "record", NULL);
}

/* Of a path that is not there its text is the name. */
static bool path_of(const options *o, const lab *l, char path[PATH_MAX])
{
    char source[PATH_MAX], whole[PATH_MAX], folder[PATH_MAX], id[HASH_SHA256 + 1], name[200];

    if (!source_path(o, l, source, NULL) || !folder_of(o, folder))
        return false;
    if (!realpath(source, whole))
        memcpy(whole, source, PATH_MAX);
    hash_sha256(whole, strlen(whole), id);
    snprintf(name, sizeof name, "%.150s.%.*s", l->id, NAME_DIGITS, id);
    return path_join(path, PATH_MAX, folder, name, NULL);
}

/* Of damaged records the rest is 0. */
static record record_of(json_t *json)
{
    record r = { .known = true };
    const char *said = "", *content = "", *part = "";
    json_int_t points = 0, n = 0, seed = 0, number = 0;
    int solved = 0;

    if (json_unpack(json, "{s:s, s:I, s:s, s:b, s:s, s:I, s:I, s:I}", "verdict", &said, "points",
                    &points, "content", &content, "solved", &solved, "part", &part, "n", &n, "seed",
                    &seed, "schedule", &number) != 0 ||
        !verdict_by_name(said, &r.verdict))
        return (record){ .known = false };
    r.points = (int)points;
    r.solved = solved;
    r.n = (size_t)n;
    r.seed = (uint64_t)seed;
    r.schedule = (unsigned)number;
    snprintf(r.content, sizeof r.content, "%s", content);
    snprintf(r.part, sizeof r.part, "%s", part);
    return r;
}

record record_read(const options *o, const lab *l)
{
    char path[PATH_MAX], *text;
    record r = { .known = false };
    size_t size;

    if (!path_of(o, l, path) || !file_read(path, LARGEST, &text, &size, NULL))
        return r;
    json_t *json = json_loadb(text, size, 0, NULL);
    if (json)
        r = record_of(json);
    json_decref(json);
    free(text);
    return r;
}

static void write_record(const options *o, const lab *l, const record *r)
{
    char path[PATH_MAX], folder[PATH_MAX];
    json_t *json = json_pack("{s:s, s:i, s:s, s:b, s:s, s:I, s:I, s:I}", "verdict",
                             verdict_name(r->verdict), "points", r->points, "content", r->content,
                             "solved", r->solved, "part", r->part, "n", (json_int_t)r->n, "seed",
                             (json_int_t)r->seed, "schedule", (json_int_t)r->schedule);
    char *text = json ? json_dumps(json, JSON_INDENT(2)) : NULL;

    if (text && path_of(o, l, path) && folder_of(o, folder) && file_make_folders(folder, NULL))
        file_write(path, text, strlen(text), NULL);
    free(text);
    json_decref(json);
}

void record_work(record *now, const lab_result *r)
{
    const int next = steps_next_part(r);

    now->n = now->seed = now->schedule = 0;
    if (next < 0) /* what failed last is what is worked on */
        return;
    snprintf(now->part, sizeof now->part, "%s", judge_part_name(r->l, &r->l->parts[next]));
    if (r->shown[next] >= 0) {
        const case_result *c = &r->cases[r->shown[next]];
        now->n = c->n;
        now->seed = c->seed;
        now->schedule = c->schedule_index;
    }
}

bool record_result(const options *o, const lab *l, const record *r, const char *content,
                   size_t size, lab_result *result)
{
    char id[HASH_SHA256 + 1];

    hash_sha256(content, size, id);
    if (o->part[0] || options_wants_gpu(o) || !r->known || r->verdict != VERDICT_PASS ||
        strcmp(id, r->content) != 0)
        return false;
    result_begin(l, result);
    result->verdict = VERDICT_PASS;
    result->points = r->points;
    for (unsigned p = 0; p < lab_part_count(l); p++)
        result->part_verdict[p] = VERDICT_PASS;
    return true;
}

void record_keep(const options *o, const lab_result *r, const char *content, size_t size)
{
    record now = record_read(o, r->l);

    if (o->part[0] || r->verdict == VERDICT_NOT_RUN)
        return;
    now.verdict = r->verdict;
    now.points = r->points;
    now.solved = now.solved || r->verdict == VERDICT_PASS;
    hash_sha256(content, size, now.content);
    record_work(&now, r);
    write_record(o, r->l, &now);
}

void record_keep_graded(const options *o, const lab_result *r)
{
    char folder[PATH_MAX], copy[PATH_MAX], *text;
    size_t size;

    if (!path_join(folder, sizeof folder, o->out, r->l->id, NULL) ||
        !path_join(copy, sizeof copy, folder, r->l->file, NULL) ||
        !file_read_own(copy, BUILD_SOURCE_LIMIT, &text, &size, NULL))
        return;
    record_keep(o, r, text, size);
    free(text);
}

/* ---- the lab that was worked on last --------------------------------------------------------- */

static bool last_path(const options *o, char path[PATH_MAX])
{
    char folder[PATH_MAX];
    return folder_of(o, folder) && path_join(path, PATH_MAX, folder, "last", NULL);
}

const lab *record_last(const options *o)
{
    char path[PATH_MAX], *text = NULL;
    const lab *l = NULL;

    if (last_path(o, path) && file_read(path, LARGEST, &text, NULL, NULL))
        l = labs_find(text, &(base_error){ { 0 } });
    free(text);
    return l;
}

void record_work_on(const options *o, const lab *l)
{
    char path[PATH_MAX], folder[PATH_MAX];

    if (folder_of(o, folder) && file_make_folders(folder, NULL) && last_path(o, path))
        file_write(path, l->id, strlen(l->id), NULL);
}
