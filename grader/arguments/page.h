/*
 * page.h: what a lab's page says of its declaration, so that one fact stands in one place: which
 * TODO is which function and is tried by which parts, and what the gates allow. tools/gates writes
 * both into labs/NN_slug/README.md.
 */
#ifndef PAGE_H
#define PAGE_H

#include "error.h"
#include "lab.h"

/* A table in Markdown, a row for each TODO of the starter: "| 1 | `count` | histogram (12) |", with
   the function or constant that it stands in, and the parts that try it with their points: those
   that need no later TODO, or else the first that needs it. Of parts for several types: select_*.
   False: the starter cannot be read, or lacks a TODO. */
bool page_todos(const lab *l, base_error *error);

/* A line for each gate of a part that has points, "- additions: at most n - 1 (inclusive)"; no
   parts are named where all have it. all: else those that the lab teaches (lab.taught). Those that
   every lab has, lab_device_gates, stand in docs/grading.md. */
void page_gates(const lab *l, bool all);

#endif
