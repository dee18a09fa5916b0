/*
 * schedule.h: the schedules under which each case runs: the order in which blocks start, how many
 * are resident, whether stores become visible late, and which data they have. On a GPU nobody can
 * choose any of that: there a case runs as often as the options ask, with fresh data.
 *
 * A case is repeated from its seed alone: data and interleaving of its k-th schedule both follow
 * from the seed and k, so that the same set, run again, meets the same failure.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab.h"
#include "options.h"

typedef struct schedule {
    unsigned index; /* in the lab's set, whatever the options leave out of it */
    simt_block_order order;
    unsigned resident; /* blocks; 0: the engine's own number */
    bool late_stores;
    /* the engine's: how long a block is stalled, 0 for none, and which, by its place in the
       order */
    uint64_t stall;
    unsigned stalled;
    unsigned clock_step; /* the engine's: with a large one, the stall takes seconds by the clock */
    /* the large case runs on it too; else only where it alone is asked for */
    bool large;
    /* device buffers begin an element after a boundary, where the part's contract allows that */
    bool shifted;
    /* input and output are one array, where the part's contract allows that; else it is left out */
    bool in_place;
    /* many resident: only for cases with more blocks than that, which are few */
    bool crowded;
    /* differs from the one before in residency alone: nothing new where all grids have one block */
    bool residency_only;
    /* a real one, which orders its blocks as it likes: only the data differ */
    bool gpu;
    /* the schedule of this index runs each case right before it, on data that differ in one element
       (judge_make_like), and in the same arrays; 0: its data are its own, and so are its arrays */
    unsigned like;
    /* calls with n = 1 that come right before it, of which only what stops them is seen */
    unsigned before;
    /* the engine checks bounds alone, and counts nothing: many blocks that wait take it long to
       check */
    bool bounds_only;
} schedule;

enum { SCHEDULE_STALLED = 11, SCHEDULE_FAR = 40 };

/* Number 0: in order, with as many blocks resident as a small GPU has. Where the options ask for an
   order, in that one. */
schedule schedule_plain(const lab *l, const options *o);

/* For calls of one entry after another's, in labs whose blocks wait: shuffled, with the most blocks
   resident of those in the set. */
schedule schedule_in_turn(void);

/* For many calls of one entry. stalled > 0: that block is stalled once it has its ticket, so that
   those after it see what an earlier call has left in its place; at most SCHEDULE_STALLED. */
schedule schedule_often(unsigned stalled);

/* SCHEDULE_FAR blocks begin together, of `part` at the lab's far_n LAB_FAR_BLOCKS (null: at a
   case's n), and the first is stalled: each of the others has to look back as far as that. like:
   after another part that is about the same code */
schedule schedule_far(const lab_part *part, bool like);
/* The same data, with few blocks, in order, and none stalled. */
schedule schedule_far_data(void);

/* How many numbers there are, the plain one included. */
unsigned schedule_count(const lab *l, const options *o);

/* The schedule of a number from 1 on. False if the options leave it out. */
bool schedule_at(const lab *l, const options *o, unsigned number, schedule *s);

/* The schedule that is like s. False: there is none. */
bool schedule_follower(const lab *l, const options *o, const schedule *s, schedule *follower);

/* What the case's data and its interleaving are made from, on this schedule. Of one that is like
   another, the data are that one's. */
uint64_t schedule_seed(const schedule *s, uint64_t seed);

/* "blocks shuffled, 2 resident (the next starts when one ends), warps shuffled, seed 7, late
   stores", as the engine's reports have it. */
void schedule_text(const lab *l, const schedule *s, uint64_t seed, char *text, size_t room);

#endif
