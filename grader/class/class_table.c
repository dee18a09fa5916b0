/*
 * class_table.c: see class_table.h.
 */
#define _GNU_SOURCE
#include "class_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "file.h"
#include "json_text.h"
#include "path.h"
#include "fit.h"
#include "verdict.h"

enum { REASON_ROOM = 220, CELL_ROOM = 1024, MOST_COLUMNS = 1000 };

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static int number_of(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The verdict of a lab of results.json. */
static const verdict_facts *verdict_in(const json_t *one)
{
    verdict v;
    verdict_by_name(text_of(one, "verdict"), &v);
    return verdict_about(v);
}

static bool is_passed(const json_t *one) { return verdict_in(one)->in_class == 0; }

/* What was not handed in is none. */
static const json_t *first_problem(const json_t *labs)
{
    const json_t *found = NULL, *one;
    size_t i;

    json_array_foreach(labs, i, one)
    {
        if (!json_is_true(json_object_get(one, "absent")) &&
            verdict_in(one)->in_class > (found ? verdict_in(found)->in_class : 0))
            found = one;
    }
    return found;
}

/* The message of the lab's first case that has its verdict: the one that decided. */
static const char *deciding_message(const json_t *one)
{
    const json_t *cases = json_object_get(one, "cases"), *found;
    size_t i;

    json_array_foreach(cases, i, found)
    {
        if (strcmp(text_of(found, "verdict"), text_of(one, "verdict")) == 0)
            return text_of(found, "message");
    }
    return "";
}

/* "04 RACE: race: thread 1 writes ...", on one line; where no lab has a problem, why there is no
   result, or null. labs: of results.json. */
static json_t *reason_of(const submission *s, const json_t *labs)
{
    const json_t *one = first_problem(labs);
    char text[REASON_ROOM + 60], first_line[4 * REASON_ROOM], message[REASON_ROOM];

    if (!one)
        return s->outcome == SUBMISSION_GRADED ? json_null() : json_text(s->state);
    const char *said = deciding_message(one);
    snprintf(first_line, sizeof first_line, "%.*s", (int)strcspn(said, "\n"), said);
    submission_printable(first_line, REASON_ROOM / 2, message, sizeof message);
    snprintf(text, sizeof text, "%.2s %.30s%s%s", text_of(one, "id"), text_of(one, "verdict"),
             *said ? ": " : "", message);
    return json_text(text);
}

/* "graded"; or what became of it instead. A word that scripts and spreadsheets can ask for. */
static const char *state_word(submission_state outcome)
{
    static const char *const words[] = { [SUBMISSION_WAITING] = "not_graded",
                                         [SUBMISSION_GRADED] = "graded",
                                         [SUBMISSION_EMPTY] = "nothing_to_grade",
                                         [SUBMISSION_FAILED] = "failed" };
    return words[outcome];
}

void class_row_make(submission *s, class_row *row)
{
    char path[PATH_MAX];
    json_t *labs = json_array(), *results = NULL, *one;
    size_t i;

    class_row_drop(row);
    if (s->has_results && path_join(path, sizeof path, s->folder, "results.json", NULL))
        results = json_load_file(path, 0, NULL);
    if (results && !json_is_array(json_object_get(results, "labs"))) {
        json_decref(results);
        results = NULL;
    }
    if (!results && s->outcome == SUBMISSION_GRADED)
        submission_end(s, SUBMISSION_FAILED, "its results.json cannot be read");
    json_array_foreach(json_object_get(results, "labs"), i, one)
    {
        row->passed += is_passed(one);
        json_array_append_new(labs, json_pack("{s:O, s:O, s:O, s:O, s:O}", "id",
                                              json_object_get(one, "id"), "absent",
                                              json_object_get(one, "absent"), "verdict",
                                              json_object_get(one, "verdict"), "points",
                                              json_object_get(one, "points"), "max_points",
                                              json_object_get(one, "max_points")));
    }
    row->points = number_of(results, "points");
    row->max_points = number_of(results, "max_points");
    row->json = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "submission", json_text(s->name), "name",
        s->person ? json_text(s->person) : json_null(), "id",
        s->id ? json_text(s->id) : json_null(), "state", json_string(state_word(s->outcome)),
        "points", results ? json_integer(row->points) : json_null(), "max_points",
        results ? json_integer(row->max_points) : json_null(), "passed",
        results ? json_integer(row->passed) : json_null(), "reason",
        reason_of(s, json_object_get(results, "labs")), "labs", labs);
    json_decref(results);
}

void class_row_drop(class_row *row)
{
    json_decref(row->json);
    *row = (class_row){ NULL, 0, 0, 0 };
}

void class_row_first_problem(const class_row *row, char *text, size_t room)
{
    const json_t *one = first_problem(json_object_get(row->json, "labs"));

    text[0] = '\0';
    if (one)
        snprintf(text, room, "%.2s %s", text_of(one, "id"), text_of(one, "verdict"));
}

/* ---- class.csv ------------------------------------------------------------------------------- */

/* Would a spreadsheet take it for a formula? Some trim blanks first, and some take the wide letters
   of East Asia for the narrow ones. */
static bool begins_formula(const char *cell)
{
    static const char *const signs[] = {
        "=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"
    };

    cell += clean_blanks(cell);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(cell, signs[i], strlen(signs[i])) == 0)
            return true;
    return false;
}

void class_table_cell(FILE *f, const char *text)
{
    char cell[CELL_ROOM];

    submission_printable(text, MOST_COLUMNS, cell, sizeof cell);
    const bool quoted = strpbrk(cell, ",;\"") != NULL;
    if (quoted)
        putc('"', f);
    if (begins_formula(cell))
        putc('\'', f);
    for (const char *at = cell; *at; at++) {
        if (*at == '"')
            putc('"', f);
        putc(*at, f);
    }
    if (quoted)
        putc('"', f);
}

static void put_number(FILE *f, const json_t *value)
{
    if (json_is_integer(value))
        fprintf(f, ",%lld", (long long)json_integer_value(value));
    else
        putc(',', f);
}

/* Of a course (class_course.h): nothing where there is none. */
static void put_course_head(FILE *f, const lab *const *labs, size_t lab_count)
{
    fputs(",course points,course max_points", f);
    for (size_t i = 0; i < lab_count; i++)
        fprintf(f, ",%s course points,%s late days,%s try", labs[i]->id, labs[i]->id, labs[i]->id);
}

static void put_real(FILE *f, const json_t *value)
{
    putc(',', f);
    if (json_is_number(value))
        fprintf(f, "%.10g", json_number_value(value));
}

static void put_course(FILE *f, const json_t *row, size_t lab_count)
{
    const json_t *all = json_object_get(row, "course");

    put_real(f, json_object_get(all, "points"));
    put_real(f, json_object_get(all, "max_points"));
    for (size_t i = 0; i < lab_count; i++) {
        const json_t *one =
            json_object_get(json_array_get(json_object_get(row, "labs"), i), "course");
        put_real(f, json_object_get(one, "points"));
        put_real(f, json_object_get(one, "late_days"));
        put_real(f, json_object_get(one, "try"));
    }
}

static void put_row(FILE *f, const json_t *row, size_t lab_count, bool owners, bool course)
{
    class_table_cell(f, text_of(row, "submission"));
    putc(',', f);
    class_table_cell(f, text_of(row, "state"));
    put_number(f, json_object_get(row, "points"));
    put_number(f, json_object_get(row, "max_points"));
    put_number(f, json_object_get(row, "passed"));
    fprintf(f, ",%zu", lab_count);
    for (size_t i = 0; i < lab_count; i++) {
        const json_t *one = json_array_get(json_object_get(row, "labs"), i);
        put_number(f, json_object_get(one, "points"));
        fprintf(f, ",%s", text_of(one, "verdict"));
    }
    putc(',', f);
    class_table_cell(f, text_of(row, "reason"));
    if (owners) {
        putc(',', f);
        class_table_cell(f, text_of(row, "name"));
        putc(',', f);
        class_table_cell(f, text_of(row, "id"));
    }
    if (course)
        put_course(f, row, lab_count);
    putc('\n', f);
}

static bool is_ascii(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] >= 0x80)
            return false;
    return true;
}

bool class_table_save(const char *out, const char *name, const char *text, size_t size,
                      base_error *error)
{
    /* without it Excel takes UTF-8 for something else; with it, scripts stumble */
    const char *const mark = is_ascii(text, size) ? "" : "\xef\xbb\xbf";
    char path[PATH_MAX], *whole = NULL;
    const int length = asprintf(&whole, "%s%s", mark, text);
    const bool fine = length < 0 ? error_set(error, "%s: no memory", name)
                                 : path_join(path, sizeof path, out, name, error) &&
                                       file_write(path, whole, (size_t)length, error);

    if (length >= 0)
        free(whole);
    return fine;
}

static bool write_csv(const char *out, const lab *const *labs, size_t lab_count,
                      const class_row *rows, int count, base_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    bool owners = false, course = false;

    if (!f)
        return error_set(error, "class.csv: no memory");
    for (int i = 0; i < count; i++)
        owners = owners || json_is_string(json_object_get(rows[i].json, "id"));
    fprintf(f, "submission,state,points,max_points,passed,labs");
    for (size_t i = 0; i < lab_count; i++)
        fprintf(f, ",%s,%s verdict", labs[i]->id, labs[i]->id);
    fputs(owners ? ",reason,name,id" : ",reason", f);
    for (int i = 0; i < count; i++)
        course = course || json_object_get(rows[i].json, "course");
    if (course)
        put_course_head(f, labs, lab_count);
    putc('\n', f);
    for (int i = 0; i < count; i++)
        put_row(f, rows[i].json, lab_count, owners, course);
    const bool fine = fclose(f) == 0 ? class_table_save(out, "class.csv", text, size, error)
                                     : error_set(error, "class.csv: no memory");
    free(text);
    return fine;
}

/* ---- class.json ------------------------------------------------------------------------------ */

/* In ASCII: names are as they are handed in, and nothing in them is a terminal's. */
static bool write_json(const char *out, const char *backend, const char *sandbox,
                       const class_row *rows, int count, base_error *error)
{
    char path[PATH_MAX];
    json_t *all = json_array(), *whole = json_pack("{s:i, s:s, s:s, s:O}", "schema", 1, "backend",
                                                   backend, "sandbox", sandbox, "submissions", all);

    for (int i = 0; i < count; i++)
        json_array_append(all, rows[i].json);
    char *text = whole ? json_dumps(whole, JSON_INDENT(1) | JSON_ENSURE_ASCII) : NULL;
    bool fine = text ? path_join(path, sizeof path, out, "class.json", error) &&
                           file_write(path, text, strlen(text), error)
                     : error_set(error, "class.json: no memory");
    free(text);
    json_decref(whole);
    json_decref(all);
    return fine;
}

bool class_table_write(const char *out, const char *backend, const char *sandbox,
                       const lab *const *labs, size_t lab_count, const class_row *rows, int count,
                       base_error *error)
{
    return write_csv(out, labs, lab_count, rows, count, error) &&
           write_json(out, backend, sandbox, rows, count, error);
}

/* ---- the overview ---------------------------------------------------------------------------- */

void class_table_overview(const lab *const *labs, size_t lab_count, const class_row *rows,
                          int count)
{
    int graded = 0, all = 0;
    double points = 0;

    for (int i = 0; i < count; i++)
        if (rows[i].max_points > 0) {
            graded++;
            all += rows[i].passed == (int)lab_count;
            points += rows[i].points;
        }
    if (graded == 0)
        return;
    fit_print(stderr, "\n%-28s %6s %8s %12s\n", "lab", "pass", "begun", "mean points");
    for (size_t l = 0; l < lab_count; l++) {
        int pass = 0, begun = 0;
        double sum = 0;
        for (int i = 0; i < count; i++) {
            const json_t *one = json_array_get(json_object_get(rows[i].json, "labs"), l);
            pass += one && is_passed(one);
            begun += one && verdict_in(one)->in_class != 1;
            sum += number_of(one, "points");
        }
        fit_print(stderr, "%-28.28s %6d %8d %12.1f\n", labs[l]->id, pass, begun, sum / graded);
    }
    if (lab_count > 1)
        fit_print(stderr, "%-28s %6d %8s %12.1f\n", "all", all, "", points / graded);
}
