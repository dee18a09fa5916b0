/*
 * data.h: the data of timed runs: inputs made by the labs' own fills, and the answers of their
 * references. Host only.
 *
 * An input is a period of random elements, repeated as often as n asks for: made chunk by chunk,
 * each by the lab's fill from a seed of its own, so that a smaller n has the first elements of a
 * larger one. The period is an odd number of chunks, so that an index that is wrong by a power of
 * two is wrong in its value. There are DATA_POOLS of everything, from different seeds.
 *
 * How the answers for different n are related is found by trying the reference (data_add). It
 * decides how much to compute and keep:
 *   local    the answer of a chunk depends on that chunk alone: one period of it is enough (scans
 *            of sections, partial sums)
 *   prefix   the answer for n begins the answer for any larger n (a scan of the whole)
 *   each     neither (a total): computed for each n
 * If a reference behaved otherwise beyond the sizes that were tried, right results would be called
 * wrong, never wrong ones right.
 */
#ifndef GPU_BENCH_DATA_H
#define GPU_BENCH_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "lab.h"

enum {
    DATA_POOLS = 2,
    DATA_CHUNK = 1 << 20,     /* elements that one call of a fill makes */
    DATA_LOCAL_RUN = 1 << 16, /* elements: what is local is so for runs of this length */
    DATA_PERIOD_CHUNKS = 27,
    DATA_MOST = 256 /* sources, and answers */
};

typedef enum data_shape { DATA_LOCAL, DATA_PREFIX, DATA_EACH } data_shape;

typedef struct data_source { /* one kind of input: parts with the same fill share it */
    const lab_part *part;
    unsigned buffer;
    lab_type type;
    unsigned char *period[DATA_POOLS];
} data_source;

/* parts whose references do the same with the same inputs share it */
typedef struct data_answer {
    const lab_part *part;
    unsigned source[LAB_MAX_BUFFERS]; /* of its LAB_IN buffers */
    data_shape shape;
    uint64_t print; /* hash of what the reference makes of the probe */
} data_answer;

typedef struct bench_data {
    uint64_t seed;
    size_t period; /* elements */
    data_source source[DATA_MOST];
    data_answer answer[DATA_MOST];
    unsigned sources, answers;
} bench_data;

/* For sizes up to most_n. Drop it in any case. */
void data_open(bench_data *data, size_t most_n, uint64_t seed);
void data_drop(bench_data *data);

/* False: an input of the part has a length of its own, and no period of elements makes it; or its
   answers round, or are compared within a bound: then those for one n are not the beginning of
   those for more. */
bool data_can_make(const lab_part *part);

/* The index of a part's answer; -1 with a reason. */
int data_add(bench_data *data, const lab_part *part, base_error *error);

/* Makes the whole period of every source; to be called when all parts are there. */
void data_fill(bench_data *data, unsigned threads);

/* The first n elements of an input. */
void data_input(const bench_data *data, unsigned source, unsigned pool, void *to, size_t n);

/* A part's outputs for n, from inputs of at least n elements: fresh memory in outputs[b], zero
   where the reference writes nothing; other entries are null. False, with a reason and nothing
   allocated, where there is no memory or a device's float sum is not exact. */
bool data_reference(const lab_part *part, const void *const *inputs, size_t n, void **outputs,
                    base_error *error);
void data_drop_outputs(void **outputs);

#endif
