/*
 * course.c: see course.h.
 */
#define _GNU_SOURCE
#include "course.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "kit.h"
#include "labs.h"
#include "toml.h"

enum { DAY = 24 * 60 * 60, MOST_POINTS = 100000 };

static const char *const visible_names[] = {
    [COURSE_NOW] = "now", [COURSE_AFTER_DUE] = "after due", [COURSE_NEVER] = "never"
};

typedef struct reading {
    course *c;
    const toml_value *v; /* the one that is looked at */
    base_error *error;
} reading;

/* "FILE:7: points = "many": a number of points is expected" */
static bool fail_value(const reading *r, const char *expected)
{
    return error_set(r->error, "%s:%u: %s = %s%s%s: %s is expected", r->c->path, r->v->line,
                     r->v->key, r->v->kind == TOML_STRING ? "\"" : "", r->v->text,
                     r->v->kind == TOML_STRING ? "\"" : "", expected);
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool take_number(const reading *r, double most, bool whole, const char *expected,
                        double *into)
{
    if (r->v->kind != TOML_NUMBER || r->v->number < 0 || r->v->number > most ||
        (whole && !r->v->whole))
        return fail_value(r, expected);
    *into = r->v->number;
    return true;
}

static bool take_visible(const reading *r, course_visible *into)
{
    for (int i = 0; r->v->kind == TOML_STRING && i <= COURSE_NEVER; i++)
        if (strcmp(r->v->text, visible_names[i]) == 0) {
            *into = (course_visible)i;
            return true;
        }
    return fail_value(r, "\"now\", \"after due\" or \"never\"");
}

static bool take_top(const reading *r)
{
    const toml_value *v = r->v;

    if (strcmp(v->key, "name") == 0) {
        snprintf(r->c->name, sizeof r->c->name, "%s", v->text);
        return v->kind == TOML_STRING || fail_value(r, "a \"string\" in quotes");
    }
    if (strcmp(v->key, "labs") == 0)
        return v->kind == TOML_STRING || fail_value(r, "labs in quotes, as in \"01-06\"");
    if (strcmp(v->key, "seed") == 0) {
        double seed = 0;
        if (!take_number(r, 0x1p50, true, "a whole number", &seed) || seed < 1)
            return fail_value(r, "a whole number from 1 to 2^50");
        r->c->has_seed = true;
        r->c->seed = (uint64_t)seed;
        return true;
    }
    return error_set(r->error,
                     "%s:%u: there is no setting %s; there are name, labs and seed, and below them "
                     "[late], [lab.04] and [lab.04.part]",
                     r->c->path, v->line, v->key);
}

static bool take_late(const reading *r)
{
    if (strcmp(r->v->key, "grace") == 0)
        return take_number(r, DAY, false, "a number of minutes", &r->c->grace);
    if (strcmp(r->v->key, "percent") == 0)
        return take_number(r, 100, false, "a number from 0 to 100, without a % sign,",
                           &r->c->percent);
    if (strcmp(r->v->key, "days") == 0)
        return take_number(r, 1000, true, "a whole number of days", &r->c->days);
    return error_set(r->error,
                     "%s:%u: [late] has no setting %s; it has grace (minutes), percent (for each "
                     "day) and days (after which there are no points)",
                     r->c->path, r->v->line, r->v->key);
}

static bool take_lab(const reading *r, course_lab *one, double *points)
{
    double tries = 0;

    if (strcmp(r->v->key, "points") == 0)
        return take_number(r, MOST_POINTS, false, "a number of points", points);
    if (strcmp(r->v->key, "visible") == 0)
        return take_visible(r, &one->whole);
    if (strcmp(r->v->key, "due") == 0) {
        one->has_due = true;
        one->due = r->v->time;
        return r->v->kind == TOML_DATE ||
               fail_value(r, "a date without quotes, as in 2026-12-08T23:59:00,");
    }
    if (strcmp(r->v->key, "tries") == 0) {
        if (!take_number(r, 10000, true, "a whole number from 1 on", &tries) || tries < 1)
            return fail_value(r, "a whole number from 1 on");
        one->tries = (unsigned)tries;
        return true;
    }
    return error_set(r->error,
                     "%s:%u: a lab has no setting %s; it has points, due, tries and visible",
                     r->c->path, r->v->line, r->v->key);
}

static bool take_part(const reading *r, course_lab *one, unsigned part, bool *own)
{
    if (strcmp(r->v->key, "points") == 0) {
        *own = true;
        return take_number(r, MOST_POINTS, false, "a number of points", &one->worth[part]);
    }
    if (strcmp(r->v->key, "visible") == 0)
        return take_visible(r, &one->visible[part]);
    return error_set(r->error, "%s:%u: a part has no setting %s; it has points and visible",
                     r->c->path, r->v->line, r->v->key);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static course_lab *own_lab(course *c, const char *id) { return (course_lab *)course_find(c, id); }

static bool find_part(const reading *r, const lab *l, const char *name, unsigned *part)
{
    char names[LAB_MAX_PARTS * 40] = "";

    for (*part = 0; *part < lab_part_count(l); (*part)++) {
        const char *const its = judge_part_name(l, &l->parts[*part]);
        if (strcmp(its, name) == 0)
            return true;
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", its);
    }
    return error_set(r->error, "%s:%u: lab %.2s has no part %s; its parts are %s", r->c->path,
                     r->v->line, l->id, name, names);
}

/* "lab.04.exclusive" -> its lab and part. A student kit may lack the lab: then *one is null. */
static bool find_table(const reading *r, course_lab **one, unsigned *part, bool *is_part)
{
    char name[TOML_NAME];
    base_error why;

    snprintf(name, sizeof name, "%s", r->v->table + strlen("lab."));
    char *const dot = strchr(name, '.');
    if (dot)
        *dot = '\0';
    const lab *l = labs_find(name, &why);
    *one = l ? own_lab(r->c, l->id) : NULL;
    *is_part = dot != NULL;
    if (!l && kit_has_solutions())
        return error_set(r->error,
                         "%s:%u: [%s]: there is no lab %s; labs are named by their number "
                         "or name, as in [lab.04]",
                         r->c->path, r->v->line, r->v->table, name);
    if (l && !*one)
        return error_set(r->error,
                         "%s:%u: [%s]: the course does not have that lab: `labs` above says which "
                         "it has",
                         r->c->path, r->v->line, r->v->table);
    return !l || !dot || find_part(r, l, dot + 1, part);
}

typedef struct lab_points {
    double whole; /* < 0: not said */
    bool own[LAB_MAX_PARTS];
    unsigned line;
} lab_points;

static bool take(const reading *r, lab_points points[COURSE_LABS])
{
    course_lab *one;
    unsigned part = 0;
    bool is_part;

    if (r->v->table[0] == '\0')
        return take_top(r);
    if (strcmp(r->v->table, "late") == 0)
        return r->v->kind == TOML_TABLE || take_late(r);
    if (strncmp(r->v->table, "lab.", 4) != 0)
        return error_set(r->error,
                         "%s:%u: there is no [%s]; there are [late], [lab.04] and [lab.04.part]",
                         r->c->path, r->v->line, r->v->table);
    if (!find_table(r, &one, &part, &is_part))
        return false;
    if (!one || r->v->kind == TOML_TABLE)
        return true;
    lab_points *const p = &points[one - r->c->labs];
    if (is_part)
        return take_part(r, one, part, &p->own[part]);
    p->line = strcmp(r->v->key, "points") == 0 ? r->v->line : p->line;
    return take_lab(r, one, &p->whole);
}

/* A lab's own points are shared as lab.c weighs its parts. */
static bool share_points(const course *c, course_lab *one, const lab_points *p, base_error *error)
{
    double weights = 0;
    bool own = false;

    for (unsigned i = 0; i < lab_part_count(one->l); i++) {
        weights += one->l->parts[i].points;
        own = own || p->own[i];
        if (one->visible[i] < one->whole)
            one->visible[i] = one->whole;
        if (one->visible[i] == COURSE_AFTER_DUE && !one->has_due)
            return error_set(error,
                             "%s: lab %.2s: what is visible after due needs a date: write due = "
                             "2026-12-08T23:59:00 below [lab.%.2s]",
                             c->path, one->l->id, one->l->id);
    }
    if (own && p->whole >= 0)
        return error_set(error,
                         "%s:%u: points of the whole lab and of its parts: say one of them. Those "
                         "of a lab with points of parts are their sum",
                         c->path, p->line);
    for (unsigned i = 0; p->whole >= 0 && i < lab_part_count(one->l); i++)
        one->worth[i] = weights > 0 ? one->l->parts[i].points * p->whole / weights : 0;
    return true;
}

static bool choose_labs(course *c, const toml_file *file, base_error *error)
{
    const lab *labs[COURSE_LABS];
    const toml_value *said = NULL;
    base_error why;

    for (size_t i = 0; i < file->count; i++)
        if (file->values[i].table[0] == '\0' && strcmp(file->values[i].key, "labs") == 0 &&
            file->values[i].kind == TOML_STRING)
            said = &file->values[i];
    if (said)
        c->count = labs_find_all(said->text, labs, COURSE_LABS, &why);
    for (size_t i = 0; !said && i < lab_table_length && c->count < COURSE_LABS; i++)
        if (!lab_table[i]->bonus)
            labs[c->count++] = lab_table[i];
    if (c->count == 0)
        return error_set(error, "%s:%u: labs = \"%s\": %s", c->path, said ? said->line : 0,
                         said ? said->text : "", why.text);
    for (size_t i = 0; i < c->count; i++) {
        c->labs[i] = (course_lab){ .l = labs[i] };
        for (unsigned p = 0; p < lab_part_count(labs[i]); p++)
            c->labs[i].worth[p] = labs[i]->parts[p].points;
    }
    return true;
}

bool course_read(const char *path, course *c, base_error *error)
{
    static toml_file file;
    lab_points points[COURSE_LABS];

    memset(c, 0, sizeof *c);
    snprintf(c->path, sizeof c->path, "%s", path);
    if (!toml_read(path, &file, error) || !choose_labs(c, &file, error))
        return false;
    for (size_t i = 0; i < COURSE_LABS; i++)
        points[i] = (lab_points){ .whole = -1 };
    for (size_t i = 0; i < file.count; i++)
        if (!take(&(reading){ c, &file.values[i], error }, points))
            return false;
    for (size_t i = 0; i < c->count; i++)
        if (!share_points(c, &c->labs[i], &points[i], error))
            return false;
    return true;
}

/* ---- what it says ---------------------------------------------------------------------------- */

const course_lab *course_find(const course *c, const char *id)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->labs[i].l->id, id) == 0)
            return &c->labs[i];
    return NULL;
}

double course_worth(const course_lab *one)
{
    double sum = 0;

    for (unsigned p = 0; p < lab_part_count(one->l); p++)
        sum += one->worth[p];
    return sum;
}

bool course_hides(const course *c, const lab *l, unsigned part, time_t now)
{
    const course_lab *one = c ? course_find(c, l->id) : NULL;

    if (!one)
        return false;
    return one->visible[part] == COURSE_NEVER ||
           (one->visible[part] == COURSE_AFTER_DUE && now <= one->due);
}

bool course_hides_lab(const course *c, const lab *l, time_t now)
{
    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (!course_hides(c, l, p, now))
            return false;
    return true;
}

const char *course_visible_name(course_visible visible) { return visible_names[visible]; }

unsigned course_days_late(const course *c, const course_lab *one, time_t handed_in)
{
    const double late = one->has_due ? difftime(handed_in, one->due) : 0;

    return late <= c->grace * 60 ? 0 : (unsigned)ceil(late / DAY);
}

double course_left(const course *c, unsigned days)
{
    const double left = 1 - days * c->percent / 100;

    return (c->days > 0 && days > c->days) || left < 0 ? 0 : left;
}
