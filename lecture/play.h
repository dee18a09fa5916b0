/*
 * play.h: does on an engine of its own what a recorded host program has asked of the engine.
 */
#ifndef LECTURE_PLAY_H
#define LECTURE_PLAY_H

#include "recording.h"

typedef struct played_launch {
    unsigned index; /* from 0 */
    const recorded_op *op;
    unsigned function;         /* its handle */
    simt_status status;        /* SIMT_OK, SIMT_FAULT, or why it was refused */
    const simt_report *report; /* of the first two */
} played_launch;

typedef struct play {
    const recording *recording;
    simt_config config; /* memory and host threads are play's own to set */
    simt_step_fn *step; /* null: none */
    /* before a launch, and after it; false: that is enough */
    bool (*begins)(void *user, simt_device *device, const played_launch *l);
    bool (*launched)(void *user, simt_device *device, const played_launch *l);
    /* at the end, all memory still there */
    void (*ended)(void *user, simt_device *device);
    void *user;
    char error[RECORDING_ERROR]; /* set where play_all fails */
} play;

/* Until the end, a fault, or a function that says it is enough. False: the recording does not fit
   this engine. */
bool play_all(play *p);

/* What the engine of a play that was left by a trap says; "" if nothing. */
const char *play_last_words(void);

#endif
