/*
 * huge_call.h: one call at an n that nobody could run here, and what of it is compared.
 *
 * The engine runs an excerpt (run_excerpt): the first and the last blocks of each launch, on arrays
 * of which only the ends exist. What a program's outputs are on such data is its own affair. So a
 * call is compared with two others, its trials, at smaller n: what the program has done in both it
 * has to do here as well. It has to write the end of an output, with the same values where the data
 * are alike; to read the end of an input; and numbers that are as large as n have to stay so. Where
 * a block was cut (huge_call.whole is false), outputs and inputs are not looked at.
 *
 * Private to huge.c and huge_lookback.c.
 */
#ifndef HUGE_CALL_H
#define HUGE_CALL_H

#include "run.h"

enum {
    HUGE_TAIL = 256,      /* bytes of each buffer's end that hold more than zeros */
    HUGE_LEAST_BYTES = 4, /* of an element that can be seen to be unwritten */
    /* warp instructions of a block: some 20 times what a tile takes; at what a lab names, where it
       has many tiles; and where it has 2^20 elements one after the other */
    HUGE_BLOCK_MOST = 1 << 18,
    HUGE_MANY_MOST = 1 << 20,
    HUGE_COLUMN_MOST = 1 << 24
};

/* What the first buffer holds. */
typedef enum huge_pattern {
    HUGE_ENDS,    /* ones at its ends, and zeros */
    HUGE_CHANGES, /* ones and zeros in turn */
    HUGE_EQUAL,   /* zeros */
    HUGE_FULL     /* all bits set */
} huge_pattern;

/* But for HUGE_USUAL, the first buffer begins as it ends, and flags are 0. */
typedef enum huge_kind {
    HUGE_USUAL,
    HUGE_COMPARED,
    HUGE_STALLING, /* the blocks that are left out stall */
    HUGE_TICKETS   /* one block has the first tiles and the last ones */
} huge_kind;

typedef struct huge_call {
    judge_data data;
    /* of each buffer the end, and after it the start */
    unsigned char given[LAB_MAX_BUFFERS * 2 * HUGE_TAIL], got[LAB_MAX_BUFFERS * 2 * HUGE_TAIL];
    case_result result;
    bool known; /* the call has come to its end */
    bool whole; /* and no block was cut */
    run_excerpted ran;
} huge_call;

/* One call; most: warp instructions of a block. s: of run_open_excerpts. */
void huge_call_make(run *r, session *s, unsigned part, size_t n, huge_pattern first, huge_kind how,
                    uint64_t most, huge_call *e);

/* The same, HUGE_USUAL, by a program of its own: where a launch was cut, what one keeps is as no
   launch leaves it. */
void huge_call_fresh(run *r, unsigned part, size_t n, huge_pattern first, huge_call *e);

/* Does the grid grow with n? Of one that is no larger from some n on, any block may have the last
   elements, also one that is left out. Where there is none, nothing is done at all. */
bool huge_grows(const huge_call *trial, const huge_call *e);

/* Does e leave out what both trials do? Then it says so. alike: the ends of their data are. */
bool huge_does_less(const lab_part *p, const huge_call *trial, bool alike, huge_call *e);

/* Is e whole, and does it what the trials do? */
bool huge_does_all(const lab_part *p, const huge_call *trial, huge_call *e);

/* Is the last element of an output left unwritten? Its elements have HUGE_LEAST_BYTES or more. */
bool huge_lacks_last(const lab_part *p, const huge_call *e, unsigned b);

/* The last number of an output, whose call is whole; false: there is none. */
bool huge_last_number(const lab_part *p, const huge_call *e, unsigned b, int64_t *value);

/* Does the call not come to its end, for a reason that counts? like_case: n is like a case's. What
   stops a kernel there may be the data's doing, or a number that does not begin at 0. A program
   that holds all elements on the host has no room for them, and too little time: that is what its
   gates say. */
bool huge_fails(const run *r, unsigned part, const huge_call *e, bool like_case);

/* What is wrong with e is shown to the student. is_first: no smaller n has passed so. */
void huge_keep(run *r, unsigned part, huge_call *e, bool is_first);

/* Look-back over thousands of tiles (huge_lookback.c). Of parts that are about the same code, the
   seed draws one. */
void huge_lookback(run *r);

/* Is the part right so far, and to be tried at a huge n? */
bool huge_is_asked(const run *r, unsigned part);

#endif
