/*
 * back_state.h: the one device behind the calls, where the engine is in this process. Private to
 * back*.c and finding.c.
 */
#ifndef CUDART_BACK_STATE_H
#define CUDART_BACK_STATE_H

#include "state.h"

typedef struct cudart_engine {
    simt_device *device;
    simt_config config;
    bool configured;
    cudart_calls calls;
    uint64_t called_from; /* cudart_back_called_from */
    cudart_observer *observer;
    void *observer_user;
    cudart_begins *begins;
    cudart_closes *closes;
    bool refuse_launches;
    unsigned refuse_allocation; /* cudart_refuse; 1: the next */
    bool refused;               /* something was, since cudart_refuse */
    bool refusal_stands;        /* and cudaGetLastError has not taken it away */
} cudart_engine;

extern cudart_engine cudart_on;

/* Takes over the engine's message, and prints what the host did wrong (unless an observer asks for
   that itself). */
cudaError_t cudart_from_simt(simt_status status);

void cudart_close_device(void);
void cudart_print_now(void); /* what cudart_print_later has kept */
void cudart_print_findings(const char *kernel, const simt_report *report);
/* reports what the calls so far did wrong; an observer asks for that itself */
void cudart_print_host_findings(void);
void cudart_print_leaks(void);

/* Memory that the host sees: it counts as copied there with each launch where it is mapped. */
void cudart_count_mapped(void);
void cudart_forget_shared(void); /* the device is gone */
void cudart_kept_forget(void);   /* the program has let go of all at once */
void cudart_note_refusal(void);

/* ---- back_order.c ---------------------------------------------------------------------------- */

/* Looks at the work that was begun last; each step does, too. */
void cudart_order_done(void);
/* The work that has begun touches a range; a launch begins; it has run; to its end. */
void cudart_order_touch(simt_addr start, size_t bytes, bool write);
void cudart_order_launch(unsigned stream);
void cudart_order_launched(bool whole);
void cudart_order_forget(void); /* the device is gone */

#endif
