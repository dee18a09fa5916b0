/*
 * export.c: see export.h. Which results there are, and for each format what is written where.
 */
#define _GNU_SOURCE
#include "export.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "facts.h"
#include "file.h"
#include "fit.h"
#include "formats.h"
#include "path.h"
#include "status_line.h"

/* Bytes of a name in the name of a file, which has 255 with what file_write adds for a moment. */
enum { LONGEST_NAME = 200 };

typedef struct format {
    const char *name;
    const char *file;    /* what is written; of `each`, the ending of a file for each submission */
    export_writer *each; /* one of these three */
    export_writer *single;
    export_table *table;
} format;

static const format formats[] = {
    { "html", "html", .each = export_html },
    { "markdown", "md", .each = export_markdown },
    { "junit", "xml", .each = export_junit },
    { "moodle", "moodle.csv", .table = export_moodle },
    { "canvas", "canvas.csv", .table = export_canvas },
    { "gradescope", "results.json", .single = export_gradescope },
    { "classroom50", "result.json", .single = export_classroom50 },
    { "github", "github.json", .single = export_github },
};
enum { FORMATS = sizeof formats / sizeof *formats };

typedef struct work {
    const format *f;
    const char *from, *to;
    json_t *whole; /* class.json; null: there is none */
} work;

/* ---- reading --------------------------------------------------------------------------------- */

/* Null, without a message, where there is no such file. */
static bool read_json(const char *path, json_t **all, base_error *error)
{
    json_error_t what;

    *all = NULL;
    if (!file_exists(path))
        return true;
    *all = json_load_file(path, 0, &what);
    return *all || error_set(error,
                             "%s:%d: %s; it is not what the grader wrote: grade again, and it is "
                             "made anew",
                             path, what.line, what.text);
}

/* Of the submission, in `folder`; results null: there are none. */
static bool read_one(const char *folder, export_one *one, base_error *error)
{
    char path[PATH_MAX];
    struct stat facts;

    one->folder = folder;
    if (!path_join(path, sizeof path, folder, "results.json", error) ||
        !read_json(path, &one->results, error))
        return false;
    one->graded = one->results && stat(path, &facts) == 0 ? facts.st_mtime : time(NULL);
    return true;
}

/* Of a row of the class. A row without points has no results, whatever lies in its folder. */
static bool read_row(const work *w, const json_t *row, char folder[PATH_MAX], export_one *one,
                     base_error *error)
{
    char below[PATH_MAX];
    const char *name = facts_text(row, "submission");

    *one = (export_one){ .name = name, .reason = facts_text(row, "reason"), .folder = folder };
    if (strchr(name, '/') || strcmp(name, "..") == 0 || !*name)
        return error_set(error, "class.json names a submission \"%s\", which is not a file's name",
                         name);
    if (!path_join(below, sizeof below, w->from, "class", error) ||
        !path_join(folder, PATH_MAX, below, name, error))
        return false;
    one->graded = time(NULL);
    return !json_is_number(json_object_get(row, "points")) || read_one(folder, one, error);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The whole text is made first, and the file replaced by it. */
static bool write_one(const export_one *one, export_writer *writer, const char *path,
                      base_error *error)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    bool fine = to && writer(one, to, error);

    if (to && fclose(to) != 0)
        fine = error_set(error, "%s: no memory", path);
    fine = fine && file_write(path, text, size, error);
    free(text);
    return to ? fine : error_set(error, "%s: no memory", path);
}

/* A file's name for a submission: it begins with no dot, and leaves room for an ending. */
static void file_name(const char *name, const char *ending, char file[NAME_MAX + 1])
{
    size_t length = strlen(name);

    if (length > LONGEST_NAME)
        for (length = LONGEST_NAME; ((unsigned char)name[length] & 0xc0) == 0x80;)
            length--;
    snprintf(file, NAME_MAX + 1, "%.*s.%s", (int)length, name, ending);
    if (*file == '.')
        *file = '_';
}

static bool write_row(const work *w, const json_t *row, base_error *error)
{
    char folder[PATH_MAX], file[NAME_MAX + 1], below[PATH_MAX], path[PATH_MAX];
    export_one one;
    bool fine = read_row(w, row, folder, &one, error);

    file_name(one.name, w->f->file, file);
    fine = fine && path_join(below, sizeof below, w->to, w->f->name, error) &&
           path_join(path, sizeof path, below, file, error) &&
           write_one(&one, w->f->each, path, error);
    json_decref(one.results);
    return fine;
}

static bool write_class(const work *w, base_error *error)
{
    const json_t *rows = json_object_get(w->whole, "submissions"), *row;
    char below[PATH_MAX];
    size_t i;

    if (!path_join(below, sizeof below, w->to, w->f->name, error) ||
        !file_make_folders(below, error))
        return false;
    json_array_foreach(rows, i, row)
    {
        if (i % 10 == 0)
            status_line_show(stderr, "%s: %zu of %zu", w->f->name, i, json_array_size(rows));
        if (!write_row(w, row, error))
            break;
    }
    status_line_clear();
    if (i < json_array_size(rows))
        return false;
    fit_print(stdout, "%s: %zu submission%s, a file each\n  %s\n", w->f->name,
              json_array_size(rows), json_array_size(rows) == 1 ? "" : "s", below);
    return true;
}

static bool none_found(const work *w, const char *what, base_error *error)
{
    return error_set(error,
                     "%s: there is nothing to export in %s: %s was expected there. Grade first: "
                     "make grade, or make grade-all SUBMISSIONS=folder",
                     w->f->name, w->from, what);
}

/* A file of one's own labs, and one for each submission of a class. */
static bool write_each(const work *w, base_error *error)
{
    char file[40], path[PATH_MAX];
    export_one own = { .name = "", .reason = "" };
    bool fine = read_one(w->from, &own, error);

    if (fine && !own.results && !w->whole)
        return none_found(w, "results.json or class.json", error);
    if (fine && own.results) {
        snprintf(file, sizeof file, "results.%s", w->f->file);
        fine = path_join(path, sizeof path, w->to, file, error) &&
               write_one(&own, w->f->each, path, error);
        if (fine)
            fit_print(stdout, "%s: what make grade has graded\n  %s\n", w->f->name, path);
    }
    json_decref(own.results);
    return fine && (!w->whole || write_class(w, error));
}

static bool write_single(const work *w, base_error *error)
{
    const json_t *rows = json_object_get(w->whole, "submissions");
    char folder[PATH_MAX], path[PATH_MAX];
    export_one one = { .name = "", .reason = "" };
    bool fine;

    if (json_array_size(rows) > 1)
        return error_set(error,
                         "%s is for one submission, and %s/class.json has %zu; for a class there "
                         "are moodle, canvas, html, markdown and junit",
                         w->f->name, w->from, json_array_size(rows));
    fine = rows ? read_row(w, json_array_get(rows, 0), folder, &one, error)
                : read_one(w->from, &one, error);
    if (fine && !rows && !one.results)
        return none_found(w, "results.json, or class.json of one submission,", error);
    fine = fine && path_join(path, sizeof path, w->to, w->f->file, error) &&
           write_one(&one, w->f->single, path, error);
    json_decref(one.results);
    if (fine)
        fit_print(stdout, "%s\n  %s\n", w->f->name, path);
    return fine;
}

static bool write_table(const work *w, base_error *error)
{
    char path[PATH_MAX], *text = NULL;
    size_t size;

    if (!w->whole)
        return none_found(w, "class.json", error);
    FILE *to = open_memstream(&text, &size);
    bool fine = to && w->f->table(w->whole, to, error);
    if (!to || fclose(to) != 0)
        fine = error_set(error, "%s: no memory", w->f->name);
    fine = fine && path_join(path, sizeof path, w->to, w->f->file, error) &&
           file_write(path, text, size, error);
    free(text);
    if (fine)
        fit_print(stdout, "%s: %zu submissions\n  %s\n", w->f->name,
                  json_array_size(json_object_get(w->whole, "submissions")), path);
    return fine;
}

/* ---- the command ----------------------------------------------------------------------------- */

static const format *format_by_name(const char *name, base_error *error)
{
    char names[200] = "";

    for (size_t i = 0; i < FORMATS; i++) {
        const size_t used = strlen(names);
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", formats[i].name);
    }
    error_set(error, "there is no format \"%s\" of results; there are: %s", name, names);
    return NULL;
}

bool export_knows(const char *format, base_error *error)
{
    return format_by_name(format, error) != NULL;
}

bool export_results(const char *format, const char *from, const char *to, base_error *error)
{
    work w = { .f = format_by_name(format, error), .from = from, .to = to };
    char path[PATH_MAX];
    bool fine = w.f && path_join(path, sizeof path, from, "class.json", error) &&
                read_json(path, &w.whole, error) && file_make_folders(to, error);

    if (fine)
        fine = w.f->each     ? write_each(&w, error)
               : w.f->single ? write_single(&w, error)
                             : write_table(&w, error);
    json_decref(w.whole);
    return fine;
}
