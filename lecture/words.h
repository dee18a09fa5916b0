/*
 * words.h: findings and waits in words, as `make grade` has them: the program's buffers by their
 * names.
 */
#ifndef LECTURE_WORDS_H
#define LECTURE_WORDS_H

#include "recording.h"

enum { WORDS_ROOM = 128 };

/* The buffer that holds the address, and *index, its element; null: none. Up to `reach` bytes in
   front of it or past its end. */
const recorded_buffer *words_buffer(const recording *r, simt_addr address, int64_t reach,
                                    int64_t *index);

void words_of_finding(const recording *r, const simt_finding *f, simt_words *words);

/* What the block waits for: "d_prefix[2]", "a barrier". */
void words_of_target(const recording *r, const simt_wait *w, char target[WORDS_ROOM]);
/* "block 3 waits at streaming_scan.cu:41 for d_prefix[2]; block 2 would write it, but has not
   started" */
void words_of_wait(const recording *r, const simt_wait *w, char *text, size_t room);

/* Findings of launches put together: one of each kind at a pair of PTX lines of a kernel. */
typedef struct found {
    unsigned count;
    simt_finding finding[SIMT_MAX_FINDINGS];
} found;
void words_keep(found *all, const simt_finding *f);
/* Those of the host's copies as well: at the end. Puts the most useful first. */
void words_end(found *all, simt_device *device);

#endif
