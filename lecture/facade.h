/*
 * facade.h: what a lecture page asks of the engine: load a program that was recorded, run it under
 * some settings, and look at any of its steps.
 *
 * A step is one warp instruction. The steps of a run are numbered from 1, over all launches, in the
 * order in which the engine executes them; 0 is before the first. Runs are deterministic, so a
 * state is made by running from the start up to its step, and one can go back as well as forward.
 *
 * Each function returns JSON, NUL-terminated and owned by the facade, valid until the next call:
 * README.md beside this file has it in full. What went wrong is {"error": "a sentence"}. Arguments
 * that are text are written to lecture_room first. One program at a time.
 *
 * The same file is compiled for the page (WebAssembly) and natively, for the test that compares the
 * two.
 */
#ifndef LECTURE_FACADE_H
#define LECTURE_FACADE_H

#include <stddef.h>

/* Room for a text of so many bytes, for the functions that take a text; null: no memory. */
char *lecture_room(size_t bytes);

/* The text in the room is a recording, and becomes the program. Its settings are taken. */
const char *lecture_load(size_t bytes);

/* The text in the room changes settings: "resident=2 order=reversed seed=7". */
const char *lecture_set(size_t bytes);

/* Runs the program from its start to its end: findings, counts, timeline, looks at descriptors. The
   functions below are about this run; after lecture_load or lecture_set, they run first. */
const char *lecture_run(void);

/* Rows of the table of steps: steps from, from + 1, ..., count of them at most. */
const char *lecture_steps(unsigned from, unsigned count);

typedef enum lecture_what {
    LECTURE_INSTRUCTION,
    LECTURE_LINE,    /* another source line, or another warp */
    LECTURE_BARRIER, /* a block barrier, or a .sync */
    LECTURE_FINDING  /* at which something was found that had not been found before */
} lecture_what;

/* The nearest step after `from` (direction 1) or before it (-1), of that block and warp; -1:
   any. */
const char *lecture_find(unsigned from, int direction, lecture_what what, int block, int warp);

/* Everything right after that step. */
const char *lecture_state(unsigned step);

/* The text in the room is steps, ascending, LECTURE_STATES at most, with blanks between them. The
   states of those that are in the launch of the last one, or 0, for little more than the last one
   costs. */
enum { LECTURE_STATES = 32 };
const char *lecture_states(size_t bytes);

/* The network of additions. */
const char *lecture_network(void);

/* Of an engine that has stopped in the middle of a call (WebAssembly: a trap): why; "" if that is
   not known. Nothing else may be asked of it then. */
const char *lecture_last_words(void);

#endif
