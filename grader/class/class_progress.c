/*
 * class_progress.c: see class_progress.h.
 */
#include "class_progress.h"

#include <stdio.h>
#include <string.h>

#include "process.h"

enum { NAME_COLUMNS = 24, STATE_COLUMNS = 79 - 10 - NAME_COLUMNS, LINE_ROOM = 512 };

/* how often, where there is no terminal, it says how long it still takes */
static const double telling_seconds = 60;

/* Text, cut after `most` columns and padded with blanks to `least`. */
static void put(const char *text, unsigned least, unsigned most)
{
    char line[LINE_ROOM];
    unsigned columns = 0;

    submission_printable(text, most, line, sizeof line);
    for (const char *at = line; *at; at++)
        columns += ((unsigned char)*at & 0xc0) != 0x80;
    fprintf(stderr, "%s%*s", line, columns < least ? (int)(least - columns) : 0, "");
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
    char left[60];

    if (!say->terminal.interactive || process_clock() - say->told < 1)
        return;
    say->told = process_clock();
    time_left(say, left, sizeof left);
    fprintf(stderr, "\r%d of %d done, at ", say->done, say->due);
    put(s->name, 0, NAME_COLUMNS);
    fprintf(stderr, ", %.0f s%s\033[K", seconds, left);
}

static void tell_time_left(class_progress *say)
{
    char left[60];

    if (say->terminal.interactive || process_clock() - say->told < telling_seconds)
        return;
    say->told = process_clock();
    time_left(say, left, sizeof left);
    if (left[0])
        fprintf(stderr, "  (%d of %d done%s)\n", say->done, say->due, left);
}

/* ---- a submission ---------------------------------------------------------------------------- */

/* "       -  bo                       nothing to grade: there is no cpu_scan.cu" */
static void put_state(const char *number, const submission *s)
{
    fprintf(stderr, "%8s  ", number);
    put(s->name, NAME_COLUMNS, NAME_COLUMNS);
    fputc(' ', stderr);
    put(s->state, 0, STATE_COLUMNS - 1);
    fputc('\n', stderr);
}

/* "   17/63  ada                       730/1100   7/11    21 s  04 RACE" */
void class_progress_row(class_progress *say, const submission *s, const class_row *row,
                        double seconds)
{
    char number[40], points[40], problem[40];

    if (say->terminal.interactive)
        fputs("\r\033[K", stderr);
    snprintf(number, sizeof number, "%d/%d", say->done, say->due);
    if (s->outcome == SUBMISSION_GRADED) {
        snprintf(points, sizeof points, "%d/%d", row->points, row->max_points);
        class_row_first_problem(row, problem, sizeof problem);
        fprintf(stderr, "%8s  ", number);
        put(s->name, NAME_COLUMNS, NAME_COLUMNS);
        fprintf(stderr, " %9s %3d/%-2zu %5.0f s%s%s\n", points, row->passed, say->lab_count,
                seconds, problem[0] ? "  " : "", problem);
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
    say->begin = say->told = process_clock();
    fprintf(stderr, "%d submission%s: %d to grade, %d as before, %d that cannot be graded\n",
            list->count, list->count == 1 ? "" : "s", say->due, count(say, SUBMISSION_GRADED),
            list->count - say->due - count(say, SUBMISSION_GRADED));
    if (list->passed_over) {
        fprintf(stderr, "%d skipped, neither folders nor .cu files: ", list->passed_over);
        put(list->passed, 0, 79 - 48);
        fputc('\n', stderr);
    }
    fprintf(stderr, "\n%8s  %-*s %9s %6s %7s  %s\n", "", NAME_COLUMNS, "submission", "points",
            "passed", "time", "first problem");
    for (int i = 0; i < list->count; i++)
        if (list->all[i].outcome == SUBMISSION_EMPTY || list->all[i].outcome == SUBMISSION_FAILED)
            put_state("-", &list->all[i]);
}

void class_progress_stopped(const class_progress *say)
{
    if (say->terminal.interactive)
        fputs("\r\033[K", stderr);
    fprintf(stderr,
            "\nstopped: %d of %d graded, and kept; the same command goes on with the rest\n",
            say->done, say->due);
}

void class_progress_end(const class_progress *say)
{
    class_table_overview(say->labs, say->lab_count, say->rows, say->list->count);
    fprintf(stderr,
            "\n%d submission%s: %d graded, %d with nothing to grade, %d that could not be graded\n "
            " %s/class.csv\n  %s/class.json\n",
            say->list->count, say->list->count == 1 ? "" : "s", count(say, SUBMISSION_GRADED),
            count(say, SUBMISSION_EMPTY), count(say, SUBMISSION_FAILED), say->o->out, say->o->out);
}
