/*
 * words.h: what the files with the words of findings share: parts of sentences, and which file
 * words which causes. All prose about findings is in words.c, words_memory.c, words_race.c and
 * words_order.c, a case for each cause.
 *
 * Invariants: the words depend only on the facts of the finding and on the caller's name for the
 * place. Any facts give words, even ones sent by another process: no fact is used as an index here,
 * and strings are never read beyond their arrays.
 */
#ifndef SIMT_WORDS_H
#define SIMT_WORDS_H

#include "simt.h"

/* bytes of such a text */
enum { LANES_OF_WARP = 32, BLOCK = 48, LINE = 160, PLACE = 224 };

typedef unsigned long long number; /* as printf takes it */

/* what happened, what to do; "..." ends what is too long */
void words_say(simt_words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void words_advise(simt_words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

void words_advise_loop(const simt_finding *f, simt_words *w); /* one that does not end */

unsigned words_thread(const simt_site *s); /* in its block, counted warp by warp */
const char *words_does(const simt_site *s);
const char *words_line(const simt_site *s, char out[LINE]); /* "x.cu:12" */
const char *words_place(const simt_place *p, char out[PLACE]);
/* where the access was, in the caller's words or the engine's */
const char *words_place_of(const simt_finding *f, const char *place, char out[PLACE]);

/* false: it is not about that */
bool words_of_memory(const simt_finding *f, const char *place, simt_words *w);
bool words_of_races(const simt_finding *f, const char *place, simt_words *w);
bool words_of_order(const simt_finding *f, const char *place, simt_words *w);

#endif
