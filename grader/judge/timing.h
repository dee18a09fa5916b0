/*
 * timing.h: can a time that a runner reports be believed, and what do the times of pairs
 * say? Only arithmetic; gates_gpu.c measures.
 *
 * The device's time comes from events in the child, which a submission could meddle with. It is
 * checked against what it cannot meddle with: the parent's own clock around the call, what the
 * memory can do, and the reference solution's calls, whose host side is the same.
 */
#ifndef TIMING_H
#define TIMING_H

#include <stdbool.h>
#include <stddef.h>

#include "lab.h"
#include "toolchain.h"

enum { TIMING_MOST_PAIRS = 41 };

typedef struct timing_sample { /* of one call */
    double device_us;          /* between the events */
    /* the child's clock, from the emptying of the caches to the end of all work */
    double host_us;
    double window_us; /* the parent's clock, from GO to RETURNED */
} timing_sample;

typedef enum timing_doubt {
    TIMING_FINE,
    TIMING_NONE,         /* no time came */
    TIMING_BEYOND_CLOCK, /* longer between the events than by the clock around them */
    TIMING_BELOW_FLOOR,  /* faster than the memory can be */
    /* of many calls: by the clocks they took longer than the events account for */
    TIMING_UNEXPLAINED
} timing_doubt;

/* The least microseconds in which the part can be done at n: its inputs read, and what of its
   outputs does not fit in the cache written, at 1.1 of the memory's peak. 0 where the peak is not
   known. */
double timing_floor_us(const lab_part *part, size_t n, const toolchain_gpu *gpu);

/* Bytes of inputs and outputs, each once; a solution's notes are not counted. */
double timing_bytes(const lab_part *part, size_t n);

timing_doubt timing_check(const timing_sample *sample, double floor_us);

/* Of all calls of a part, after each has passed alone: is there work that the events do not see (on
   a stream that does not wait, or after them)? Beside the events' time a call takes the emptying of
   the caches and the host's part, the same for both. */
timing_doubt timing_check_all(const timing_sample *mine, const timing_sample *reference,
                              size_t count);

typedef enum timing_answer { TIMING_KEPT, TIMING_EXCEEDED, TIMING_INCONCLUSIVE } timing_answer;

typedef struct timing_ratio {
    double median, lower, upper;
    timing_answer answer;
} timing_ratio;

/* Of the ratios of pairs, against a limit. Inconclusive: the middle half is wider than 15 % of the
   median, and the limit is in it. */
timing_ratio timing_judge(double *ratios, size_t count, double limit);

/* Why the time is not believed, in one sentence. */
const char *timing_doubt_text(timing_doubt doubt);

#endif
