/*
 * judge.h: what the grader does with the data of one case: which sizes, which inputs, whether the
 * answer is right, and if not, where and why. Runs in the parent only; never calls student code.
 *
 * A judge_data owns every array of one case. Its inputs and the first content of its outputs
 * ("poison": a word that no right answer holds, another one in each run) come from one seed, so
 * that a case repeats from its seed.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "lab.h"

enum { JUDGE_MAX_SIZES = 32 };

/* The name of a part in reports: its entry, without the lab's name in front of it ("inclusive" of
   hillis_steele_inclusive). */
const char *judge_part_name(const lab *l, const lab_part *part);

/* ---- sizes ----------------------------------------------------------------------------------- */

/* The n of a part's cases, ascending, without repeats, at most what the part allows: 0, around a
   warp, around a section, several sections, not powers of two, the lab's one large size, and the
   sizes of the part's gates; and its once_n. Returns how many. */
size_t judge_sizes(const lab *l, const lab_part *part, size_t sizes[JUDGE_MAX_SIZES]);

/* Is n one of the part's once_n? */
bool judge_is_once(const lab_part *part, size_t n);

/* The largest n that the part takes: its max_n, else what an int holds. */
size_t judge_most_n(const lab_part *part);

/* The lab's one large size, as far as the part allows it. */
size_t judge_large_size(const lab *l, const lab_part *part);

/* ---- data ------------------------------------------------------------------------------------ */

typedef struct judge_data {
    size_t n;
    unsigned count;
    size_t length[LAB_MAX_BUFFERS], bytes[LAB_MAX_BUFFERS], offset[LAB_MAX_BUFFERS];
    /* of all buffers, laid out one after the other at offset[] */
    size_t total_bytes;
    unsigned char *given, *expected, *got; /* total_bytes each */
    uint32_t poison;                       /* the word that fills outputs in given */
    /* the word that OUT is filled with before a run: an element that still holds it was never
       copied back */
    uint32_t lost;
    /* this buffer was the one before it in the run: what was in it before is the input. 0: none */
    unsigned in_place;
    /* judge_make_like: how many elements it changed, and the first of them */
    size_t changes;
    unsigned changed_buffer;
    size_t changed_index;
} judge_data;

size_t judge_length(const lab_buffer *buffer, size_t n);
size_t judge_total_bytes(const lab_part *part, size_t n); /* what judge_make will lay out */

/* Inputs from the seed, and the reference's outputs. got is left unset, of the same size. */
bool judge_make(judge_data *data, const lab_part *part, size_t n, uint64_t seed, base_error *error);

/* The same inputs, but that one element of one of them is another, two have changed places, or
   the part's own change was made: who has kept an answer, and knows it again by part of the data,
   is off. `change` draws which. */
bool judge_make_like(judge_data *data, const lab_part *part, size_t n, uint64_t seed,
                     uint64_t change, base_error *error);
void judge_drop(judge_data *data);

/* Fills input b of a part, `length` elements of a case of n, as judge_make does. */
void judge_fill(void *to, const lab_part *part, unsigned b, size_t length, size_t n, uint64_t seed);

/* Do most runs of such a case's elements end with a prefix of 0 (lab_part.cancels)? */
bool judge_cancels(const lab_part *part, size_t n, uint64_t seed);

/* count words of the pattern; the last one cut where bytes is no multiple of four */
void judge_fill_pattern(void *to, size_t bytes, uint32_t word);

/* ---- one element ----------------------------------------------------------------------------- */

size_t judge_element_bytes(lab_type type);
bool judge_equal(lab_type type, const unsigned char *expected, const unsigned char *got, size_t i);

/* Is element i of output b as it has to be: equal to the reference's, or as near to it as the part
   asks for; or, where the reference has left it alone, as it was? */
bool judge_is_right(const judge_data *data, const lab_part *part, unsigned b, size_t i);

/* Has the reference left it alone? */
bool judge_is_left_alone(const judge_data *data, const lab_part *part, unsigned b, size_t i);

/* Does element i hold the repeated 32-bit word, that is, was it never written? */
bool judge_holds_pattern(lab_type type, const unsigned char *data, size_t i, uint32_t word);

typedef struct judge_place {
    bool known;
    unsigned block;
    bool thread_known;
    unsigned warp, lane;
} judge_place;

/* Who owns element i of an output. Unknown for host labs, and for labs whose blocks take tiles as
   they start. */
judge_place judge_place_of(const lab *l, const lab_buffer *buffer, size_t i);

/* ---- verdict on the data --------------------------------------------------------------------- */

typedef enum judge_answer {
    JUDGE_RIGHT,
    JUDGE_WRONG,         /* an output differs; NaN is never right, -0 is 0 */
    JUDGE_INPUT_CHANGED, /* outputs are right, but an input came back changed */
    JUDGE_LOST           /* nothing was copied back: the program answered for the runner */
} judge_answer;

typedef struct judge_report {
    judge_answer answer;
    unsigned buffer;
    size_t index, wrong;
    judge_place place;   /* which thread owns the element */
    char what[400];      /* "d_out[33]: expected 12, got 7 (4 of 64 wrong)" */
    unsigned cause_kind; /* equal for equal causes; 0: none known */
    bool fractions;      /* some result is not a whole number */
    bool nan;            /* the element is one, and not what belongs there */
    char cause[400];     /* one sentence, "" if none is known */
    /* the cause is a guess, or the element is NaN, as memory reads that was never written: a
       finding about such a read is surer */
    bool suspects_memory;
} judge_report;

/* Compares data->got. launches: kernels that the entry launched. */
void judge_compare(const lab *l, const lab_part *part, const judge_data *data, uint64_t launches,
                   judge_report *report);

/* ---- what a solution notes about its work ---------------------------------------------------- */

enum { JUDGE_NOTE_BINS = 32 };

/* how the numbers of a part's LAB_NOTE buffer are distributed */
typedef struct judge_notes {
    /* there is such a buffer, and something was written to it */
    bool known;
    unsigned buffer;
    /* of the case; number of elements written: the fields below are about those alone */
    size_t n, count;
    int32_t least, median, nine_of_ten, most; /* nine_of_ten: nine of ten are at most that */
    size_t bin[JUDGE_NOTE_BINS];              /* bin[0]: below 1; bin[k]: from 2^(k-1) to 2^k - 1 */
} judge_notes;

void judge_take_notes(const lab_part *part, const judge_data *data, judge_notes *notes);

/* Holds a right answer's notes against what the part says of them. noted: of the run, what is known
   of it; the rest is filled in. Where they cannot be, report says so. */
void judge_check_notes(const lab_part *part, const judge_data *data, lab_noted *noted,
                       judge_report *report);

/* ---- several cases --------------------------------------------------------------------------- */

/* Does anything pass the border at element `border`: does an output after it depend on an input in
   front of it, by the part's reference? In a part without it no sum is carried there. True as well
   where it is not known: the inputs are the same, whatever the seed. */
bool judge_passes(const lab_part *part, size_t border);

/* What the sizes that fail have in common, in words, and where to look then, which is no more than
   likely; "" if nothing. wrong[i]: sizes[i] failed. */
void judge_common_cause(const lab *l, const lab_part *part, const size_t *sizes, const bool *wrong,
                        size_t count, const char **seen, const char **look);

#endif
