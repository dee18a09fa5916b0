/*
 * course_points.c: see course_points.h.
 */
#define _GNU_SOURCE
#include "course_points.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "judge.h"
#include "wrap.h"

enum { HUNDREDTHS = 100, DAY = 24 * 60 * 60, HOUR = 60 * 60 };

static double rounded(double points) { return floor(points * HUNDREDTHS + 0.5) / HUNDREDTHS; }

static json_t *utc(time_t when)
{
    char text[40];
    struct tm parts;

    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &parts));
    return json_string(text);
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* What the parts of a results.json are worth in the course. */
static double earned(const course_lab *one, const json_t *parts)
{
    double sum = 0;
    const json_t *part;
    size_t p;

    json_array_foreach(parts, p, part)
    {
        if (p < LAB_MAX_PARTS && number(part, "max_points") > 0)
            sum += one->worth[p] * number(part, "points") / number(part, "max_points");
    }
    return sum;
}

static double hidden(const course *c, const course_lab *one, time_t now)
{
    double sum = 0;

    for (unsigned p = 0; p < lab_part_count(one->l); p++)
        sum += course_hides(c, one->l, p, now) ? one->worth[p] : 0;
    return sum;
}

static json_t *or_null(unsigned value) { return value ? json_integer(value) : json_null(); }

static json_t *outcome(const course *c, const course_lab *one, const json_t *parts, bool students,
                       time_t handed_in, const course_try *tried)
{
    const json_t *counted = tried && tried->parts ? tried->parts : parts;
    const time_t when = tried ? tried->handed_in : handed_in;
    const unsigned days = when ? course_days_late(c, one, when) : 0;
    const double all = earned(one, counted);

    return json_pack(
        "{s:f, s:f, s:f, s:f, s:o, s:o, s:i, s:o, s:o, s:o}", "points",
        rounded(all * course_left(c, days)), "max_points", rounded(course_worth(one)), "earned",
        rounded(all), "hidden_points", students ? rounded(hidden(c, one, time(NULL))) : 0.0, "due",
        one->has_due ? utc(one->due) : json_null(), "handed_in", when ? utc(when) : json_null(),
        "late_days", (int)days, "try", or_null(tried ? tried->number : 0), "tries",
        or_null(one->tries), "counted_try", or_null(tried ? tried->counted : 0));
}

void course_points_add(const course *c, json_t *results, time_t handed_in, const course_try *tries)
{
    json_t *one, *labs = json_object_get(results, "labs");
    double points = 0, most = 0;
    size_t i;

    json_array_foreach(labs, i, one)
    {
        const course_lab *of = course_find(c, json_string_value(json_object_get(one, "id")));
        json_t *parts = json_object_get(one, "parts"), *part;
        size_t p;
        if (!of)
            continue;
        json_array_foreach(parts, p, part)
        {
            json_object_set_new(part, "visible", json_string(course_visible_name(of->visible[p])));
        }
        json_t *mine =
            outcome(c, of, parts, !tries, handed_in, tries ? &tries[of - c->labs] : NULL);
        points += number(mine, "points");
        most += number(mine, "max_points");
        json_object_set_new(one, "course", mine);
    }
    json_object_set_new(results, "course",
                        json_pack("{s:s, s:f, s:f}", "name", c->name, "points", rounded(points),
                                  "max_points", rounded(most)));
}

/* ---- for a student --------------------------------------------------------------------------- */

/* "due Tue 8 Dec 23:59, in 3 days"; "2 days late" */
static void due_text(const course *c, const course_lab *one, time_t now, char *text, size_t room)
{
    char date[60];
    struct tm parts;
    const unsigned late = course_days_late(c, one, now);
    const double left = difftime(one->due, now);

    text[0] = '\0';
    if (!one->has_due)
        return;
    strftime(date, sizeof date, "%a %e %b %Y %H:%M", localtime_r(&one->due, &parts));
    if (late && course_left(c, late) == 0)
        snprintf(text, room, "; it was due on %s, and nothing counts any more", date);
    else if (late)
        snprintf(text, room, "; it was due on %s: %u day%s late, %.0f %% off", date, late,
                 late == 1 ? "" : "s", 100 * (1 - course_left(c, late)));
    else if (left >= 2 * DAY)
        snprintf(text, room, "; due on %s, in %.0f days", date, floor(left / DAY));
    else if (left >= 0)
        snprintf(text, room, "; due on %s, in %.0f hours", date, floor(left / HOUR));
    else
        snprintf(text, room, "; it was due on %s, and still counts as in time", date);
}

void course_points_print(const options *o, const lab_result *const *results, size_t count)
{
    const time_t now = o->handed_in ? o->handed_in : time(NULL);
    bool any = false;

    for (size_t i = 0; i < count && !o->part[0]; i++) {
        const lab_result *r = results[i];
        const course_lab *one = course_find(o->course, r->l->id);
        char due[200], unseen[120] = "", text[600];
        double sum = 0;
        if (!one || (count > 1 && r->verdict == VERDICT_NOT_STARTED))
            continue;
        for (unsigned p = 0; p < lab_part_count(r->l); p++)
            if (r->l->parts[p].points > 0)
                sum += one->worth[p] * r->part_points[p] / r->l->parts[p].points;
        const double unseen_points = o->students ? hidden(o->course, one, time(NULL)) : 0;
        if (unseen_points > 0)
            snprintf(unseen, sizeof unseen, "; %g more are graded by your instructor",
                     rounded(unseen_points));
        due_text(o->course, one, now, due, sizeof due);
        snprintf(text, sizeof text, "%.2s  %g of %g course points%s%s", r->l->id,
                 rounded(sum * course_left(o->course, course_days_late(o->course, one, now))),
                 rounded(course_worth(one) - unseen_points), unseen, due);
        if (!any)
            wrap_print("\n");
        any = true;
        wrap_text(text, 4, 0);
    }
}
