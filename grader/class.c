/*
 * class.c: see class.h.
 */
#define _GNU_SOURCE
#include "class.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "file.h"
#include "grade.h"
#include "json_text.h"
#include "path.h"
#include "process.h"
#include "starter.h"

enum { LONGEST_SECONDS = 3600, KEY_ROOM = 8192, STATE_ROOM = 400, MOST_BYTES = 256 << 20 };

typedef struct class {
    const options *o;           /* src: the folder of submissions */
    const lab *const *labs;
    size_t lab_count;
    class_grader *grade;
    struct dirent **entries;
    int count, done, graded, failed;
    bool all_pass;
    double begin;
    json_t *rows;
} class;

enum outcome { GRADED, EMPTY, FAILED };

typedef struct submission {
    enum outcome outcome;
    char name[NAME_MAX + 1], source[PATH_MAX], folder[PATH_MAX];    /* what it is called, where it is, where its results go */
    char key[KEY_ROOM], state[STATE_ROOM];
} submission;

/* ---- which there are -------------------------------------------------------------------------------------------- */

static const class *listing;        /* scandir passes nothing on */

static int is_submission(const struct dirent *entry)
{
    char path[PATH_MAX];

    if (entry->d_name[0] == '.' || !path_join(path, sizeof path, listing->o->src, entry->d_name, NULL))
        return 0;
    return file_is_folder(path) || (listing->lab_count == 1 && path_has_ending(entry->d_name, ".cu"));
}

static bool list(class *c, base_error *error)
{
    if (!file_is_folder(c->o->src))
        return error_set(error, "SUBMISSIONS=%s: there is no such folder", c->o->src);
    listing = c;
    c->count = scandir(c->o->src, &c->entries, is_submission, alphasort);
    if (c->count < 0)
        return error_set(error, "SUBMISSIONS=%s cannot be read", c->o->src);
    return c->count > 0 || error_set(error, "SUBMISSIONS=%s holds no submission: a folder for each was expected, as in %s/ada/%s/%s%s", c->o->src,
                                     c->o->src, c->labs[0]->id, c->labs[0]->file, c->lab_count == 1 ? ", or a file, as in ada.cu" : "");
}

/* ---- what a result depends on ------------------------------------------------------------------------------------- */

/* A line of the key: the file's name and what git calls its content, "-" where it cannot be read. */
static void add_file(char key[KEY_ROOM], const char *path, const char *name)
{
    char id[STARTER_ID + 1] = "-", *data;
    size_t size, used = strlen(key);

    if (file_read(path, MOST_BYTES, &data, &size, NULL)) {
        starter_content_id(data, size, id);
        free(data);
    }
    snprintf(key + used, KEY_ROOM - used, "%s %s\n", id, name);
}

static void add_kit_file(char key[KEY_ROOM], const char *folder, const char *id, const char *file)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, SCANLAB_SOURCE_DIR "/%s/%s/%s", folder, id, file) < (int)sizeof path)
        add_file(key, path, folder);
}

/* The kit: the grader, what submissions are linked with, each lab's contract and solution; the same for every submission. */
static void kit_key(const class *c, char key[KEY_ROOM])
{
    static const char *const linked[] = { SCANLAB_LINK_ARGUMENTS, SCANLAB_CUDA_LINK_ARGUMENTS };   /* a null where there is no CUDA */
    char header[NAME_MAX + 1];

    snprintf(key, KEY_ROOM, "backend %s, seeds %u\n", c->o->backend, c->o->seeds);
    add_file(key, "/proc/self/exe", "grade");
    for (size_t i = 0; i < sizeof linked / sizeof *linked; i++)
        if (linked[i] && path_has_ending(linked[i], ".a"))
            add_file(key, linked[i], path_name(linked[i]));
    for (size_t i = 0; i < c->lab_count; i++) {
        const char *file = c->labs[i]->file;
        snprintf(header, sizeof header, "%.*s.h", (int)(strlen(file) - strlen(".cu")), file);
        add_kit_file(key, "labs", c->labs[i]->id, header);
        add_kit_file(key, "solutions", c->labs[i]->id, file);
    }
}

static void submission_key(const class *c, const char *kit, submission *s)
{
    options o = *c->o;
    char path[PATH_MAX];

    o.src = s->source;
    snprintf(s->key, sizeof s->key, "%s", kit);
    for (size_t i = 0; i < c->lab_count; i++)
        if (grade_source(&o, c->labs[i], path, NULL))
            add_file(s->key, path, c->labs[i]->id);
}

static bool in_folder(const submission *s, const char *name, char path[PATH_MAX])
{
    return path_join(path, PATH_MAX, s->folder, name, NULL);
}

static bool is_unchanged(const submission *s)
{
    char path[PATH_MAX], results[PATH_MAX], *text;
    bool same = in_folder(s, "results.json", results) && file_exists(results) && in_folder(s, "key", path)
             && file_read(path, KEY_ROOM, &text, NULL, NULL);

    if (same) {
        same = strcmp(text, s->key) == 0;
        free(text);
    }
    return same;
}

/* ---- one submission ----------------------------------------------------------------------------------------------- */

static _Noreturn void work(const class *c, const submission *s, const char *report)
{
    options o = *c->o;
    const int to = open(report, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(LONGEST_SECONDS);         /* every case has its own limit; this is for the grader's own mistakes */
    if (to < 0 || dup2(to, STDOUT_FILENO) < 0 || dup2(to, STDERR_FILENO) < 0)
        _exit(3);
    o.src = s->source;
    memcpy(o.out, s->folder, sizeof o.out);
    exit(c->grade(&o, c->labs, c->lab_count));
}

/* The first line of what the grader said, without its name. */
static void first_line(const char *report, char *line, size_t room)
{
    char *text, *from;

    snprintf(line, room, "it said nothing");
    if (!file_read(report, MOST_BYTES, &text, NULL, NULL))
        return;
    from = strncmp(text, "grade: ", 7) == 0 ? text + 7 : text;
    if (*from && *from != '\n')
        snprintf(line, room, "%.*s", (int)strcspn(from, "\n"), from);
    free(text);
}

static void end_as(submission *s, enum outcome outcome, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void end_as(submission *s, enum outcome outcome, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(s->state, sizeof s->state, format, list);
    va_end(list);
    s->outcome = outcome;
}

static void judge_end(submission *s, int status, const char *report, const char *results)
{
    char line[STATE_ROOM / 2];

    first_line(report, line, sizeof line);
    if (WIFSIGNALED(status))
        end_as(s, FAILED, "the grader was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (!file_exists(results))
        end_as(s, FAILED, "the grader ended with %d: %s", WEXITSTATUS(status), line);
    else if (WEXITSTATUS(status) > 1)
        end_as(s, FAILED, "graded in part: a lab is INFRA, report.txt says why");
    else
        end_as(s, GRADED, "graded");
}

static bool holds_something(const class *c, const submission *s)
{
    options o = *c->o;
    char path[PATH_MAX];

    o.src = s->source;
    for (size_t i = 0; i < c->lab_count; i++)
        if (grade_source(&o, c->labs[i], path, NULL) && file_exists(path))
            return true;
    return false;
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

/* Some megabytes a lab, and hundreds of submissions. */
static void remove_builds(const class *c, const submission *s)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < c->lab_count; i++)
        if (in_folder(s, c->labs[i]->id, path))
            nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Results and key of another time must not outlive it: they go first, and the key comes last. */
static void grade_one(const class *c, submission *s)
{
    char results[PATH_MAX], key[PATH_MAX], report[PATH_MAX];
    int status = 0;

    if (!in_folder(s, "results.json", results) || !in_folder(s, "key", key) || !in_folder(s, "report.txt", report)
        || !file_make_folders(s->folder, NULL)) {
        end_as(s, FAILED, "its folder for results cannot be made");
        return;
    }
    unlink(key);
    unlink(results);
    unlink(report);
    if (!holds_something(c, s)) {
        end_as(s, EMPTY, "nothing to grade: there is no %s%s", c->labs[0]->file, c->lab_count > 1 ? ", nor another lab's file" : "");
        return;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        work(c, s, report);
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        end_as(s, FAILED, "there was no process for it");
    else
        judge_end(s, status, report, results);
    remove_builds(c, s);
    if (s->outcome == GRADED)
        file_write(key, s->key, strlen(s->key), NULL);
}

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

/* The row of a submission, from its results.json where it was graded. */
static json_t *row_of(submission *s, int *passed)
{
    char path[PATH_MAX];
    json_t *row = json_object(), *labs = json_array(), *results = NULL, *one;
    size_t i;

    *passed = 0;
    if (in_folder(s, "results.json", path))
        results = json_load_file(path, 0, NULL);
    if (!results && s->outcome == GRADED)
        end_as(s, FAILED, "its results.json cannot be read");
    json_array_foreach(json_object_get(results, "labs"), i, one) {
        const char *verdict = json_string_value(json_object_get(one, "verdict"));
        *passed += verdict && strcmp(verdict, "PASS") == 0;
        json_array_append_new(labs, json_pack("{s:O, s:O, s:O, s:O}", "id", json_object_get(one, "id"), "verdict", json_object_get(one, "verdict"),
                                              "points", json_object_get(one, "points"), "max_points", json_object_get(one, "max_points")));
    }
    json_object_set_new(row, "submission", json_text(s->name));
    json_object_set_new(row, "state", json_text(s->state));
    for (const char *const *key = (const char *const[]){ "points", "max_points", NULL }; *key; key++)
        json_object_set_new(row, *key, results ? json_incref(json_object_get(results, *key)) : json_null());
    json_object_set_new(row, "passed", results ? json_integer(*passed) : json_null());
    json_object_set_new(row, "labs", labs);
    json_decref(results);
    return row;
}

/* A cell of CSV: in quotes where it holds what would end it. */
static void put_cell(FILE *f, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, f);
        return;
    }
    putc('"', f);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', f);
        putc(*text, f);
    }
    putc('"', f);
}

static void put_number(FILE *f, const json_t *value)
{
    if (json_is_integer(value))
        fprintf(f, ",%lld", (long long)json_integer_value(value));
    else
        putc(',', f);
}

static void put_row(const class *c, FILE *f, const json_t *row)
{
    put_cell(f, json_string_value(json_object_get(row, "submission")));
    putc(',', f);
    put_cell(f, json_string_value(json_object_get(row, "state")));
    put_number(f, json_object_get(row, "points"));
    put_number(f, json_object_get(row, "max_points"));
    put_number(f, json_object_get(row, "passed"));
    fprintf(f, ",%zu", c->lab_count);
    for (size_t i = 0; i < c->lab_count; i++) {
        const json_t *one = json_array_get(json_object_get(row, "labs"), i);
        const char *verdict = json_string_value(json_object_get(one, "verdict"));
        put_number(f, json_object_get(one, "points"));
        fprintf(f, ",%s", verdict ? verdict : "");
    }
    putc('\n', f);
}

static bool write_csv(const class *c, base_error *error)
{
    char path[PATH_MAX], *text = NULL;
    size_t size, i;
    json_t *row;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        return error_set(error, "no memory");
    fprintf(f, "submission,state,points,max_points,passed,labs");
    for (i = 0; i < c->lab_count; i++)
        fprintf(f, ",%s,%s verdict", c->labs[i]->id, c->labs[i]->id);
    putc('\n', f);
    json_array_foreach(c->rows, i, row)
        put_row(c, f, row);
    bool fine = fclose(f) == 0 && path_join(path, sizeof path, c->o->out, "class.csv", error) && file_write(path, text, size, error);
    free(text);
    return fine;
}

static bool write_json(const class *c, base_error *error)
{
    char path[PATH_MAX];
    json_t *whole = json_pack("{s:i, s:s, s:O}", "schema", 1, "backend", c->o->backend, "submissions", c->rows);
    char *text = whole ? json_dumps(whole, JSON_INDENT(1)) : NULL;
    bool fine = text ? path_join(path, sizeof path, c->o->out, "class.json", error) && file_write(path, text, strlen(text), error)
                     : error_set(error, "class.json: no memory");

    free(text);
    json_decref(whole);
    return fine;
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

/* " 17/200 ada   3 of 11 pass, 412 of 1100 points, 12 s; about 31 min to go" */
static void tell(const class *c, const submission *s, const json_t *row, int passed, double seconds)
{
    const double left = c->graded ? (process_clock() - c->begin) / c->graded * (c->count - c->done) : 0;

    fprintf(stderr, "%4d/%d %-20s ", c->done, c->count, s->name);
    if (s->outcome != GRADED)
        fprintf(stderr, "%s", s->state);
    else
        fprintf(stderr, "%d of %zu pass, %lld of %lld points", passed, c->lab_count, (long long)json_integer_value(json_object_get(row, "points")),
                (long long)json_integer_value(json_object_get(row, "max_points")));
    if (seconds < 0)
        fprintf(stderr, ", as before");
    else if (s->outcome != EMPTY)
        fprintf(stderr, ", %.0f s", seconds);
    if (left >= 90)
        fprintf(stderr, "; at most %.0f min to go", left / 60);
    fputc('\n', stderr);
}

static bool describe(const class *c, const char *name, submission *s, base_error *error)
{
    const size_t ending = path_has_ending(name, ".cu") ? strlen(".cu") : 0;
    char below[PATH_MAX];

    if (!path_join(s->source, sizeof s->source, c->o->src, name, error) || !path_join(below, sizeof below, c->o->out, "class", error))
        return false;
    snprintf(s->name, sizeof s->name, "%.*s", (int)(strlen(name) - (file_is_folder(s->source) ? 0 : ending)), name);
    return path_join(s->folder, sizeof s->folder, below, s->name, error);
}

static bool take(class *c, const char *name, const char *kit, base_error *error)
{
    static submission s;
    double began = process_clock(), seconds = -1;
    int passed;

    if (!describe(c, name, &s, error))
        return false;
    submission_key(c, kit, &s);
    end_as(&s, GRADED, "graded");
    if (!is_unchanged(&s)) {            /* a key is kept of what was graded, and of nothing else */
        grade_one(c, &s);
        seconds = process_clock() - began;
        c->graded++;
    }
    json_t *row = row_of(&s, &passed);
    c->done++;
    c->failed += s.outcome == FAILED;
    c->all_pass = c->all_pass && passed == (int)c->lab_count;
    tell(c, &s, row, passed, seconds);
    json_array_append_new(c->rows, row);
    return write_csv(c, error) && write_json(c, error);
}

bool class_grade(const options *o, const lab *const *labs, size_t count, class_grader *grade, int *status, base_error *error)
{
    static char kit[KEY_ROOM];
    class c = { .o = o, .labs = labs, .lab_count = count, .grade = grade, .all_pass = true, .begin = process_clock(), .rows = json_array() };
    bool fine = list(&c, error) && file_make_folders(o->out, error);

    if (fine)
        kit_key(&c, kit);
    for (int i = 0; fine && i < c.count; i++)
        fine = take(&c, c.entries[i]->d_name, kit, error);
    if (fine)
        fprintf(stderr, "%d submissions: %d looked at now, %d as before; %d could not be graded\n  %s/class.csv\n  %s/class.json\n", c.count, c.graded,
                c.count - c.graded, c.failed, o->out, o->out);
    *status = c.failed ? 3 : c.all_pass ? 0 : 1;
    for (int i = 0; i < c.count; i++)
        free(c.entries[i]);
    free(c.entries);
    json_decref(c.rows);
    return fine;
}
