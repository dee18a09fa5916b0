/*
 * pages.h: what make watch shows of a lab: texts for the screen, the caller's to free; null: there
 * is no memory. Their width is that of wrap_fit.
 */
#ifndef PAGES_H
#define PAGES_H

#include "options.h"
#include "result.h"
#include "style.h"

typedef struct page_view {
    const options *o;
    report_style style;
    unsigned rows; /* of the screen */
} page_view;

/* What to mend first; of a lab that passes what was learned; else which parts pass so far. done:
   the grading has ended. */
char *pages_first(const page_view *v, const lab_result *r, bool done);

/* A case that has not come to its end after so many seconds. */
char *pages_waiting(const lab *l, const char *name, unsigned seconds);

/* All that fails; where the first page has shown it, it says so. */
char *pages_all(const page_view *v, const lab_result *r, bool done);

char *pages_hint(const page_view *v, const lab_result *r, bool next); /* or the same again */

/* The student's file, its lines numbered, and *first: where to begin, so that the line of the first
   finding is in the middle; where it has none, that of the next TODO. */
char *pages_source(const page_view *v, const lab_result *r, const char *source, unsigned *first);

/* Gates, and counts beside the solution's. */
char *pages_gates(const page_view *v, const lab_result *r);

/* When watch ends, at lab l: what was learned in this session (solved[i]: lab_table[i] has passed),
   and what is next. Printed, not returned. */
void pages_end(const options *o, const lab *l, const bool *solved);

#endif
