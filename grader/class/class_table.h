/*
 * class_table.h: the table of a class: class.csv and class.json (class.h says what is in them).
 *
 * A table always has a row for every submission, in their order; what is not graded yet says so.
 */
#ifndef CLASS_TABLE_H
#define CLASS_TABLE_H

#include <stdio.h>

#include <jansson.h>

#include "submission.h"

typedef struct class_row { /* of one submission; json null: not made yet */
    json_t *json;          /* as in class.json */
    int passed;            /* labs; 0 where there is no result */
    int points, max_points;
} class_row;

/* The row of a submission: with the points of its results.json where it was graded, whose loss
   makes it a failed one. */
void class_row_make(submission *s, class_row *row);
void class_row_drop(class_row *row);

/* "04 RACE" of the first lab that does not pass, of those that were begun if there is one; "" if
   all pass. */
void class_row_first_problem(const class_row *row, char *text, size_t room);

/* Both files, below `out`; each is replaced whole. */
bool class_table_write(const char *out, const char *backend, const char *sandbox,
                       const lab *const *labs, size_t lab_count, const class_row *rows, int count,
                       base_error *error);

/* A cell of a CSV file as a spreadsheet takes it for text; and a whole file of that name below
   `out`, with a byte-order mark where it is not ASCII. */
void class_table_cell(FILE *f, const char *text);
bool class_table_save(const char *out, const char *name, const char *text, size_t size,
                      base_error *error);

/* The lines for people: labs, how many pass each, and the mean points. */
void class_table_overview(const lab *const *labs, size_t lab_count, const class_row *rows,
                          int count);

#endif
