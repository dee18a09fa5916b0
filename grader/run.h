/*
 * run.h: one submission being graded: its sessions, its cases under all schedules.
 */
#ifndef RUN_H
#define RUN_H

#include "options.h"
#include "result.h"
#include "session.h"
#include "toolchain.h"

/* The order in which blocks and warps run, and the ends at which host buffers are guarded. */
typedef enum run_schedule { RUN_PLAIN, RUN_REVERSED, RUN_SHUFFLED } run_schedule;

typedef struct run {
    const options *o;
    const toolchain *tools;
    const lab *l;
    lab_result *result;
    session *session;
    const char *program;
    size_t memory_bytes;
    unsigned host_threads;      /* for the engine */
    double seconds;             /* for one case */
    bool dead;                  /* the program does not even start, or plays the grader: no more cases */
} run;

enum { RUN_OUTPUT_BYTES = 1 << 20 };

/* Opens a session for a program on all sizes of the lab. Null with error. */
session *run_open_session(run *r, const char *program, base_error *error);

/* Runs one case once. On return `into` holds its verdict and, if counts is not null and the case passed, its counts.
   seed 0: a secret one is drawn once the program is up, and told in into->seed. */
void run_case(run *r, session *s, unsigned part, size_t n, run_schedule schedule, uint64_t seed, case_result *into, simt_counts *counts);

/* All cases of a part under all schedules; fills in result->cases, part_verdict, shown. counts[i] belong to the i-th case of
   the part, on the plain schedule. Returns the index of the part's first case. */
unsigned run_part(run *r, unsigned part, simt_counts counts[JUDGE_MAX_SIZES]);

/* The schedule in words, as the engine's reports have it. */
void run_schedule_text(const lab *l, run_schedule schedule, uint64_t seed, char *text, size_t room);

#endif
