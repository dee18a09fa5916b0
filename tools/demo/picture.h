/*
 * picture.h: who waits for whom, and what each block did when, drawn as text, for the engine and
 * for a GPU.
 */
#ifndef DEMO_PICTURE_H
#define DEMO_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terminal.h"

typedef enum picture_state {
    PICTURE_WAITING,
    PICTURE_RUNNING,
    PICTURE_SPINNING,
    PICTURE_DONE
} picture_state;

typedef struct picture_wait { /* of a block that cannot go on */
    uint64_t block;
    char reads[160]; /* "reads flag[62] again and again, line 40: it holds 0" */
    bool writer_known;
    uint64_t writer; /* the block that would end the wait */
    bool writer_started;
    char remedy[80]; /* how: "line 60 of block 62 would write it" */
} picture_wait;

/* from this time on; before: waiting to start */
typedef struct picture_event {
    uint64_t time, block;
    picture_state state;
} picture_event;

typedef struct picture_run {
    const char *title; /* "static numbers" */
    picture_wait *waits;
    unsigned wait_count;
    unsigned places;       /* taken by blocks that wait */
    picture_event *events; /* by time, at least those of one block */
    size_t event_count;
    uint64_t end;
    char span[60]; /* the time axis in words: "0 to 4711 warp instructions" */
} picture_run;

/* Each chain from a block that no other waits for down to one that has not started, the long ones
   shortened; the first, and others as far as so many rows hold them (0: a few). */
void picture_chains(const picture_run *run, unsigned rows, const terminal_facts *t);

enum { PICTURE_ROWS = 24 }; /* at most */

/* A row for each of these blocks, both runs side by side. all: they are all that there are. */
void picture_timelines(const picture_run *left, const picture_run *right, const uint64_t *blocks,
                       unsigned count, bool all, const terminal_facts *t);

/* What a block is in most of the time from..to. */
picture_state picture_state_between(const picture_run *run, uint64_t block, uint64_t from,
                                    uint64_t to);

#endif
