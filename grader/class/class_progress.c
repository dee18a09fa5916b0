/*
 * class_progress.c: see class_progress.h.
 */
#include "class_progress.h"

#include <stdio.h>
#include <string.h>

#include "clean.h"
#include "fit.h"
#include "process.h"
#include "status_line.h"

enum { NAME_COLUMNS = 24, LEAST_NAME = 10, ROW_COLUMNS = 80, LINE_ROOM = 512 };

/* how often, where there is no terminal, it says how long it still takes */
static const double telling_seconds = 60;

/* What the window has less than a row of the widest takes; a name gives way. */
static unsigned name_columns(void)
{
    const unsigned columns = terminal_look(2).columns;
    const unsigned less = columns < ROW_COLUMNS ? ROW_COLUMNS - columns : 0;
    return NAME_COLUMNS > less + LEAST_NAME ? NAME_COLUMNS - less : LEAST_NAME;
}

/* A submission's name, cut and padded with blanks to its column. */
static const char *padded(const char *name, char line[LINE_ROOM])
{
    const unsigned width = name_columns();

    submission_printable(name, width, line, LINE_ROOM / 2);
    const unsigned columns = clean_columns(line, strlen(line));
    if (columns < width)
        snprintf(line + strlen(line), LINE_ROOM / 2, "%*s", (int)(width - columns), "");
    return line;
}

/* ---- the time to go -------------------------------------------------------------------------- */

/* "; about 31 min to go", "" where nothing is known. */
static void time_left(const class_progress *say, char *text, size_t room)
{
    const double left =
        say->done ? (process_clock() - say->begin) / say->done * (say->due - say->done) : 0;

    text[0] = '\0';
    if (left >= 90)
        snprintf(text, room, "; about %.0f min to go", left / 60);
    else if (left > 0)
        snprintf(text, room, "; about %.0f s to go", left);
}

/* "  17 of 63 done, at ada, 12 s; about 31 min to go" */
void class_progress_tick(class_progress *say, const submission *s, double seconds)
{
    char left[60], name[LINE_ROOM];

    if (!say->terminal.interactive || process_clock() - say->reported < 1)
        return;
    say->reported = process_clock();
    time_left(say, left, sizeof left);
    submission_printable(s->name, NAME_COLUMNS, name, sizeof name);
    status_line_show(stderr, "%d of %d done, at %s, %.0f s%s", say->done, say->due, name, seconds,
                     left);
}

static void tell_time_left(class_progress *say)
{
    char left[60];

    if (say->terminal.interactive || process_clock() - say->reported < telling_seconds)
        return;
    say->reported = process_clock();
    time_left(say, left, sizeof left);
    if (left[0])
        fprintf(stderr, "  (%d of %d done%s)\n", say->done, say->due, left);
}

/* ---- a submission ---------------------------------------------------------------------------- */

/* "       -  bo                       nothing to grade: there is no cpu_scan.cu" */
static void put_state(const char *number, const submission *s)
{
    char name[LINE_ROOM], state[LINE_ROOM];

    submission_printable(s->state, ROW_COLUMNS - 13 - NAME_COLUMNS, state, sizeof state);
    fit_print(stderr, "%8s  %s %s\n", number, padded(s->name, name), state);
}

/* "   17/63  ada                       730/1100   7/11    21 s  04 RACE" */
void class_progress_row(class_progress *say, const submission *s, const class_row *row,
                        double seconds)
{
    char number[40], points[40], problem[40], name[LINE_ROOM];

    status_line_clear();
    snprintf(number, sizeof number, "%d/%d", say->done, say->due);
    if (s->outcome == SUBMISSION_GRADED) {
        snprintf(points, sizeof points, "%d/%d", row->points, row->max_points);
        class_row_first_problem(row, problem, sizeof problem);
        fit_print(stderr, "%8s  %s %9s %3d/%-2zu %5.0f s%s%s\n", number, padded(s->name, name),
                  points, row->passed, say->lab_count, seconds, problem[0] ? "  " : "", problem);
    } else {
        put_state(number, s);
    }
    tell_time_left(say);
}

static int count(const class_progress *say, submission_state outcome)
{
    int found = 0;

    for (int i = 0; i < say->list->count; i++)
        found += say->list->all[i].outcome == outcome;
    return found;
}

/* ---- begin and end --------------------------------------------------------------------------- */

void class_progress_begin(class_progress *say, const options *o, const lab *const *labs,
                          size_t lab_count, const submission_list *list, const class_row *rows)
{
    say->o = o;
    say->labs = labs;
    say->lab_count = lab_count;
    say->list = list;
    say->rows = rows;
    say->terminal = terminal_look(2);
    say->begin = say->reported = process_clock();
    fit_print(stderr, "%d submission%s: %d to grade, %d as before, %d that cannot be graded\n",
              list->count, list->count == 1 ? "" : "s", say->due, count(say, SUBMISSION_GRADED),
              list->count - say->due - count(say, SUBMISSION_GRADED));
    if (list->passed_over) {
        char passed[LINE_ROOM];
        submission_printable(list->passed, 79 - 48, passed, sizeof passed);
        fit_print(stderr, "%d skipped, neither folders nor .cu files: %s\n", list->passed_over,
                  passed);
    }
    fit_print(stderr, "\n%8s  %-*.*s %9s %6s %7s  %s\n", "", (int)name_columns(),
              (int)name_columns(), "submission", "points", "passed", "time", "first problem");
    for (int i = 0; i < list->count; i++)
        if (list->all[i].outcome == SUBMISSION_EMPTY || list->all[i].outcome == SUBMISSION_FAILED)
            put_state("-", &list->all[i]);
}

void class_progress_stopped(const class_progress *say)
{
    status_line_clear();
    fit_print(stderr,
              "\nstopped: %d of %d graded, and kept; the same command goes on with the rest\n",
              say->done, say->due);
}

void class_progress_end(const class_progress *say)
{
    class_table_overview(say->labs, say->lab_count, say->rows, say->list->count);
    fit_print(
        stderr,
        "\n%d submission%s: %d graded, %d with nothing to grade, %d that could not be graded\n "
        " %s/class.csv\n  %s/class.json\n",
        say->list->count, say->list->count == 1 ? "" : "s", count(say, SUBMISSION_GRADED),
        count(say, SUBMISSION_EMPTY), count(say, SUBMISSION_FAILED), say->o->out, say->o->out);
    if (say->o->shards)
        fit_print(stderr, "in %.0f s; when all %u shards are done: make grade-all ... MERGE=1\n",
                  process_clock() - say->begin, say->o->shards);
}
