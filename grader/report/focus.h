/*
 * focus.h: what of a lab in progress a student is to look at first.
 *
 * Of the parts that fail, a mistake comes before too much work, then what needs the earlier TODO.
 * A part that a reader has been shown first (first_seen) stays, unless another has an earlier TODO.
 * Parts whose TODOs are not begun (NOT_STARTED) come last: nothing is said about them but that.
 */
#ifndef FOCUS_H
#define FOCUS_H

#include "result.h"

typedef struct focus {
    int part;             /* fails, and is to be shown in full; -1: none */
    int next;             /* the first that is not begun; -1: none */
    unsigned not_started; /* LAB_TODO(k): not begun, and needed by a part that is NOT_STARTED */
} focus;

focus focus_of(const lab_result *r);

/* Does this part fail, with something to show? */
bool focus_fails(const lab_result *r, unsigned part);

/* Do both fail with one verdict at one line? They often share the function that is wrong. */
bool focus_is_same_line(const lab_result *r, unsigned a, unsigned b);

#endif
