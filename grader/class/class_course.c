/*
 * class_course.c: see class_course.h.
 */
#define _GNU_SOURCE
#include "class_course.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "course_points.h"
#include "file.h"
#include "json_text.h"
#include "path.h"
#include "source.h"
#include "toml.h"

enum { LIST_LIMIT = 16 << 20 };

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* ---- when ------------------------------------------------------------------------------------ */

/* Calls for each line "name,date" of handed_in.csv until one answers true. */
typedef bool handed_line(const char *name, const char *date, unsigned line, void *what);

static bool each_line(const options *o, handed_line *look, void *what)
{
    char path[PATH_MAX], *text, *rest;
    bool found = false;
    unsigned number = 0;

    if (!path_join(path, sizeof path, o->src, "handed_in.csv", NULL) || !file_exists(path) ||
        !file_read(path, LIST_LIMIT, &text, NULL, NULL))
        return false;
    rest = text + (strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    for (char *line; !found && (line = strsep(&rest, "\n"));) {
        line[strcspn(line, "\r")] = '\0';
        char *const comma = strrchr(line, ',');
        number++;
        if (comma)
            *comma = '\0';
        if (line[0])
            found = look(line, comma ? comma + 1 : "", number, what);
    }
    free(text);
    return found;
}

typedef struct asked {
    const char *name;
    time_t time;
    unsigned line; /* that cannot be read */
} asked;

static bool is_that_one(const char *name, const char *date, unsigned line, void *what)
{
    asked *a = what;
    (void)line;
    return strcmp(name, a->name) == 0 && toml_date(date, &a->time);
}

static bool is_broken(const char *name, const char *date, unsigned line, void *what)
{
    asked *a = what;
    a->line = line;
    return !toml_date(date, &a->time) && !(line == 1 && strcmp(name, "submission") == 0);
}

bool class_course_check(const options *o, base_error *error)
{
    asked a = { .name = "" };

    if (o->course && each_line(o, is_broken, &a))
        return error_set(error,
                         "%s/handed_in.csv:%u: a name, a comma and a date are expected, as in "
                         "ada,2026-12-08T21:40:00",
                         o->src, a.line);
    return true;
}

/* Where a lab's file is, if the submission has one. */
static bool file_of(const options *o, const lab *l, const submission *s, char path[PATH_MAX])
{
    options own = *o;

    own.src = s->source;
    return source_path(&own, l, path, NULL) && file_exists(path);
}

static time_t handed_in(const options *o, const submission *s, const char *file)
{
    asked a = { .name = s->name };
    struct stat facts;

    if (each_line(o, is_that_one, &a))
        return a.time;
    return stat(file, &facts) == 0 ? facts.st_mtime : time(NULL);
}

/* ---- the history ----------------------------------------------------------------------------- */

static json_t *read_json(const submission *s, const char *name)
{
    char path[PATH_MAX];
    return path_join(path, sizeof path, s->folder, name, NULL) ? json_load_file(path, 0, NULL)
                                                               : NULL;
}

static void write_json(const submission *s, const char *name, const json_t *value)
{
    char path[PATH_MAX];
    char *text = json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(6));

    if (text && path_join(path, sizeof path, s->folder, name, NULL))
        file_write(path, text, strlen(text), NULL);
    free(text);
}

static bool digest_of(const char *path, char id[HASH_SHA256 + 1])
{
    char *text;
    size_t size;

    if (!file_read_own(path, BUILD_SOURCE_LIMIT, &text, &size, NULL))
        return false;
    hash_sha256(text, size, id);
    free(text);
    return true;
}

static json_t *points_of_parts(const json_t *parts)
{
    json_t *all = json_array(), *one;
    size_t i;

    json_array_foreach(parts, i, one)
    {
        json_array_append_new(all,
                              json_pack("{s:O, s:O, s:O}", "name", json_object_get(one, "name"),
                                        "points", json_object_get(one, "points"), "max_points",
                                        json_object_get(one, "max_points")));
    }
    return all;
}

/* The lab's entry with that file; null: none. Counts the lab's entries up to it. */
static json_t *find_try(const json_t *history, const char *lab, const char *file, unsigned *number)
{
    json_t *one;
    size_t i;

    *number = 0;
    json_array_foreach(history, i, one)
    {
        if (strcmp(text_of(one, "lab"), lab) == 0) {
            ++*number;
            if (strcmp(text_of(one, "file"), file) == 0)
                return one;
        }
    }
    return NULL;
}

/* The number-th entry of the lab, from 1 on. */
static json_t *try_at(const json_t *history, const char *lab, unsigned number)
{
    json_t *one;
    size_t i;

    json_array_foreach(history, i, one)
    {
        if (strcmp(text_of(one, "lab"), lab) == 0 && --number == 0)
            return one;
    }
    return NULL;
}

static json_t *lab_in(const json_t *results, const char *id)
{
    json_t *one;
    size_t i;

    json_array_foreach(json_object_get(results, "labs"), i, one)
    {
        if (strcmp(text_of(one, "id"), id) == 0)
            return one;
    }
    return NULL;
}

static bool is_a_try(const json_t *one)
{
    const char *const verdict = text_of(one, "verdict");
    return one && strcmp(verdict, "NOT_STARTED") != 0 && strcmp(verdict, "NOT_RUN") != 0 &&
           strcmp(verdict, "INFRA") != 0;
}

void class_course_note(const options *o, const lab *const *labs, size_t count, const submission *s)
{
    json_t *results = read_json(s, "results.json"), *history = read_json(s, "history.json");

    if (!json_is_array(history)) {
        json_decref(history);
        history = json_array();
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *one = lab_in(results, labs[i]->id);
        char path[PATH_MAX], id[HASH_SHA256 + 1];
        unsigned number;
        if (!is_a_try(one) || !file_of(o, labs[i], s, path) || !digest_of(path, id))
            continue;
        json_t *entry = find_try(history, labs[i]->id, id, &number);
        if (!entry) {
            entry = json_pack("{s:s, s:s, s:I}", "lab", labs[i]->id, "file", id, "handed_in",
                              (json_int_t)handed_in(o, s, path));
            json_array_append_new(history, entry);
        }
        json_object_set(entry, "verdict", json_object_get(one, "verdict"));
        json_object_set_new(entry, "parts", points_of_parts(json_object_get(one, "parts")));
    }
    write_json(s, "history.json", history);
    json_decref(history);
    json_decref(results);
}

void class_course_take(const submission *from, const submission *to)
{
    json_t *history = read_json(from, "history.json");

    if (history)
        write_json(to, "history.json", history);
    json_decref(history);
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Which try the lab's file is; beyond the last one that counts, that one's parts and date. */
static course_try look_up(const options *o, const course_lab *one, const submission *s,
                          const json_t *history)
{
    char path[PATH_MAX], id[HASH_SHA256 + 1];
    course_try t = { .handed_in = 0 };

    if (!file_of(o, one->l, s, path) || !digest_of(path, id))
        return t;
    t.handed_in = handed_in(o, s, path);
    if (!find_try(history, one->l->id, id, &t.number)) {
        t.number = 0;
        return t;
    }
    t.counted = t.number;
    if (one->tries == 0 || t.number <= one->tries)
        return t;
    const json_t *last = try_at(history, one->l->id, one->tries);
    t.counted = one->tries;
    t.parts = json_object_get(last, "parts");
    t.handed_in = (time_t)json_integer_value(json_object_get(last, "handed_in"));
    return t;
}

void class_course_add(const options *o, const submission *s, class_row *row)
{
    course_try tries[COURSE_LABS];
    json_t *results = s->has_results ? read_json(s, "results.json") : NULL,
           *history = read_json(s, "history.json"), *one;
    size_t i;

    if (results) {
        for (i = 0; i < o->course->count; i++)
            tries[i] = look_up(o, &o->course->labs[i], s, history);
        course_points_add(o->course, results, 0, tries);
        write_json(s, "results.json", results);
        json_object_set(row->json, "course", json_object_get(results, "course"));
        json_array_foreach(json_object_get(row->json, "labs"), i, one)
        {
            json_t *const its = json_object_get(lab_in(results, text_of(one, "id")), "course");
            if (its)
                json_object_set(one, "course", its);
        }
    }
    json_decref(history);
    json_decref(results);
}
