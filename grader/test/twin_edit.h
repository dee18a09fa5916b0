/*
 * twin_edit.h: a wrong twin as edits of a lab's solution.
 *
 *     // expect: RACE | s_sum          verdict and text, as twin_test reads them
 *     // any more comments
 *     <<<<
 *     lines of the solution            whole lines that occur in it exactly once, in this order
 *     ====
 *     lines in their place             may be none
 *     >>>>
 *
 * One edit or more; all look at the solution as it stands and touch different lines of it.
 */
#ifndef TWIN_EDIT_H
#define TWIN_EDIT_H

#include "error.h"

/* The solution with the twin's edits, the caller's to free; null with an error that names the
   edit's line in the twin. */
char *twin_edit(const char *solution, const char *twin, base_error *error);

#endif
