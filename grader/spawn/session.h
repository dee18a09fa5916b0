/*
 * session.h: the parent's end of the channel: processes that run a submission, started when needed,
 * given one case after the other.
 *
 * On the engine there are two, started and ended together: the engine's, which holds the device,
 * inputs and outputs, and talks to us; and the submission's, the child, which talks to the engine
 * alone (common/cudart/wire.h). On a real GPU the child is both.
 *
 * A session owns the shared memory and at most one living child. A child that did not end its case
 * properly, or whose CUDA context is spoilt, is ended, and the next case gets a fresh one. Order of
 * calls for a case: session_ready (the child is up), then draw the seed and make the data, then
 * session_run. Nothing the child sends can make an answer right: the bytes that session_run copies
 * into data->got are all that counts.
 */
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channel.h"
#include "error.h"
#include "judge.h"
#include "process.h"

typedef struct session session;

typedef struct session_options {
    const char *program;   /* the runner, linked with the submission */
    const char *folder;    /* it runs there */
    double seconds;        /* for one case */
    double total_seconds;  /* for all of them together, starts included; 0: no limit */
    double host_seconds;   /* of these, for all that is not the engine's work; 0: no limit */
    size_t room;           /* bytes of all buffers of the largest case */
    size_t memory_bytes;   /* it may use in all, device memory included */
    uint64_t output_bytes; /* it may print for one case */
    /* the PTX of the submission's kernels, as the grader has compiled it, and the size of the
       device's memory; null: the child holds what it calls */
    const char *ptx;
    size_t device_bytes;
    unsigned gpus;   /* devices; 0: one */
    size_t reserved; /* bytes that the engine may map besides memory_bytes, and hardly touches */
    /* it uses a real GPU: starting takes long, and the driver's own memory is not the program's */
    bool cuda;
} session_options;

typedef enum session_ending {
    SESSION_DONE,     /* done tells how it went; data->got is filled */
    SESSION_EXITED,   /* the program ended by itself before it was done */
    SESSION_SIGNALED, /* a signal killed it; fault may say more */
    SESSION_LATE,
    SESSION_LOUD,   /* printed too much */
    SESSION_BIG,    /* used too much memory */
    SESSION_FORGED, /* sent a message that the runner would not have sent */
    SESSION_BROKEN  /* the engine's process ended: no fault of the submission's */
} session_ending;

typedef struct session_outcome {
    session_ending ending;
    bool ready;     /* the runner's own main had started: HELLO came */
    bool used_up;   /* SESSION_LATE: the time for all cases is */
    bool by_host;   /* used_up: host_seconds are */
    bool computing; /* SESSION_LATE: the engine computed for most of the time */
    channel_done done;
    bool has_fault; /* of SESSION_LATE: it said where it was */
    channel_fault fault;
    int exit_status, signal; /* of an ended child; -1, 0 if it has none */
    /* if the job was timed: processor time of the call; by the device, from the parent's GO to
       RETURNED */
    double seconds;
    uint64_t printed_bytes;         /* in this case */
    char printed[PROCESS_TAIL + 1]; /* the last of what it printed during this case */
} session_outcome;

typedef struct session_job {
    const lab_part *part;
    judge_data *data;
    simt_config config;
    bool guard_front;  /* see channel_run */
    bool shifted;      /* device buffers begin an element after a boundary */
    unsigned in_place; /* this buffer is the one before it; 0: none */
    bool same_place;   /* see channel_run */
    channel_timing timed;
    /* see channel_run: data's given holds no more of each buffer, and got so much of its start
       after it */
    size_t tail, repeated;
    bool front;      /* see channel_run */
    unsigned before; /* see channel_run */
    /* see channel_run */
    bool refuse_launches;
    unsigned refuse_allocation;
} session_job;

session *session_open(const session_options *options, base_error *error); /* null on failure */
void session_close(session *s);                                           /* null is fine */

/* Sees to it that a child is up. False with *ended where it ended before it was ready (outcome
   tells how), or with an error where the machine gives no process. */
bool session_ready(session *s, session_outcome *outcome, bool *ended, base_error *error);

/* Ends the child, if one is up: the next case gets a fresh one. */
void session_renew(session *s);

/* A number of the child that is up, another one for each child of any session; 0: none is up. */
uint64_t session_child(const session *s);

/* One case, by the child that session_ready left. */
void session_run(session *s, const session_job *job, session_outcome *outcome);

#endif
