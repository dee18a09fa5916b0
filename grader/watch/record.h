/*
 * record.h: what is kept of a student's file from one grading to the next: what it came to, and
 * where to begin next time. So make status need not grade, make watch goes on where it was, and
 * make diff knows what is solved.
 *
 * A file each, OUT/record/NN_slug.HASH, whose name stands for the path of what was graded. It is
 * replaced as a whole; one that is damaged or not there is a file that was not graded.
 */
#ifndef RECORD_H
#define RECORD_H

#include "hash.h"
#include "options.h"
#include "result.h"

typedef struct record {
    bool known; /* it was graded */
    verdict verdict;
    int points;
    char content[HASH_SHA256 + 1]; /* a name for what was graded (hash.h) */
    bool solved;                   /* it has passed, then or before */
    /* the part to work on, "" for none; where a case of it failed, n, seed and schedule_index */
    char part[96];
    size_t n;
    uint64_t seed;
    unsigned schedule;
} record;

record record_read(const options *o, const lab *l);

/* Fills in what is to be worked on, by a result that may be of some parts only. */
void record_work(record *now, const lab_result *r);

/* The result of a file that has passed and has not changed since, as far as it is kept: without
   cases and counts. False: the file is to be graded, and result is as it was. A GPU's is graded
   anew: the record may be the engine's. */
bool record_result(const options *o, const lab *l, const record *r, const char *content,
                   size_t size, lab_result *result);

/* Keeps what a whole grading of o->src came to. content: what was graded. A kit that cannot be
   written to is none of the student's business: then nothing is kept. */
void record_keep(const options *o, const lab_result *r, const char *content, size_t size);

/* The same, of the copy that the grader has made. */
void record_keep_graded(const options *o, const lab_result *r);

/* The lab that was worked on last (record_work_on), null: none. */
const lab *record_last(const options *o);
void record_work_on(const options *o, const lab *l);

#endif
