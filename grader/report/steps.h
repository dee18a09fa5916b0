/*
 * steps.h: how far a lab in progress has come, from what its parts need (lab_part.todos).
 */
#ifndef STEPS_H
#define STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "result.h"

enum { STEPS_TEXT = 400 };

/* The part to work on (focus.h): that to mend first, or else the first not begun. -1: none. */
int steps_next_part(const lab_result *r);

/* "TODO 1 to 3 are correct, 4 passes on its own; to mend: TODO 5, TITLE; TODO 6 is not started". A
   TODO is correct if a part that needs it passes in full and none that needs it fails, of parts
   whose TODOs are all begun; or if the part that passes is neither a step nor a trial. On its own
   it passes in one of these, where another part that needs it fails, and no step of its own does.
   Neither is said of a TODO in whose function a part that fails has its line, or of one that runs
   in such a part without being needed. To mend are those in whose functions the line is, up to that
   line, unless all of them pass in another part: then what it is called with is. Where whole parts
   pass with all else that a part needs, what no part passes with is to mend, wherever the line is.
   Next is the first that is not begun: "next: TODO 4, TITLE (3 to 5 are judged together)", of those
   with which no part passes. False: no part fails, or that one needs no TODO. */
bool steps_text(const lab_result *r, char *text, size_t room);

/* The TODOs that it says are next, as LAB_TODO(k) bits; 0 where it is false. */
unsigned steps_next_todos(const lab_result *r);

/* Of a part that fails: what is next is not in the function that has the line, but in who calls it,
   or hands it something. */
bool steps_blame_caller(const lab_result *r, unsigned part);

/* What to do about a case that fails: its own advice; where the caller or a launch is to blame,
   that. An index that has wrapped is the caller's, too, and its advice says so. */
void steps_advice(const lab_result *r, const case_result *c, char *text, size_t room);

/* Of the part that comes next and is not begun: TODOs that are written, and that no part passes
   with, as bits. Nothing is known of them until the part's other TODOs are written. */
unsigned steps_untried(const lab_result *r);

/* Is there a step that fails and costs nothing? */
bool steps_forgiven(const lab_result *r);

/* Steps that fail and cost nothing, the first of them with what was seen: "inspect: WRONG, ...".
   False: there are none. */
bool steps_forgiven_text(const lab_result *r, char *text, size_t room);

/* A step that was not tried, or does not count: its cases are no cases of the lab. */
bool steps_are_skipped(const lab_result *r, unsigned part);

#endif
