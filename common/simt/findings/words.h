/*
 * words.h: what the files with the words of findings share: parts of sentences, and the functions
 * that the rows of causes.def name. Sentences that are fixed, or take a few numbers, stand in
 * causes.def; the others in words_memory.c, words_race.c, words_order.c and words_stop.c: a
 * function for each cause, or for a few.
 *
 * Invariants: the words depend only on the facts of the finding and on the caller's name for the
 * place. Any facts give words, even ones sent by another process: no fact is used as an index here,
 * and strings are never read beyond their arrays.
 */
#ifndef SIMT_WORDS_H
#define SIMT_WORDS_H

#include "simt.h"

/* bytes of such a text */
enum { LANES_OF_WARP = 32, BLOCK = 64, LINE = 160, PLACE = 224 };

typedef unsigned long long number; /* as printf takes it */

typedef struct wording {
    const char *place; /* of simt_finding_words */
    simt_words words;  /* so far */
} wording;

/* what happened, what to do; "..." ends what is too long. The last one counts */
void words_say(wording *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void words_advise(wording *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

void words_advise_early(wording *w);                       /* data that is read before its flag */
void words_advise_loop(const simt_finding *f, wording *w); /* one that does not end */

unsigned words_thread(const simt_site *s); /* in its block, counted warp by warp */
const char *words_does(const simt_site *s);
/* "block 3", or, where there are several GPUs, "block 3 of GPU 1" */
const char *words_block(const simt_site *s, char out[BLOCK]);
const char *words_line(const simt_site *s, char out[LINE]); /* "x.cu:12" */
/* the `if` around the call, "steps.h:12" */
const char *words_header_line(const simt_around *a, char out[LINE]);
const char *words_place(const simt_place *p, char out[PLACE]);
/* where the access was, in the caller's words or the engine's */
const char *words_place_of(const simt_finding *f, const char *place, char out[PLACE]);

/* BY(function) of causes.def: says what happened, and may advise, in place of the row's remedy. */
#define SAYS(sentence)
#define WITH(format, ...)
#define BY(function)                               void function(const simt_finding *f, wording *w);
#define CAUSE(name, home, around, message, remedy) message
#include "causes.def"
#undef SAYS
#undef WITH
#undef BY
#undef CAUSE

#endif
