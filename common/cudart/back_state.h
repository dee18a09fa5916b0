/*
 * back_state.h: the one device behind the calls, where the engine is in this process. Private to
 * back*.c and finding.c.
 */
#ifndef CUDART_BACK_STATE_H
#define CUDART_BACK_STATE_H

#include "state.h"

typedef struct cudart_engine {
    simt_device *device;
    unsigned gpus, gpu; /* of the device, at least 1; what calls are for: cudart_back_use */
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

/* ---- back_hosts.c ---------------------------------------------------------------------------- */

simt_host_writes cudart_host_writes;

/* ---- back_order.c ---------------------------------------------------------------------------- */

/* Looks at the work that was begun last; each step does, too. */
void cudart_order_done(void);
/* The work that has begun touches a range; a launch begins; it has run; to its end. */
void cudart_order_touch(simt_addr start, size_t bytes, bool write);
void cudart_order_launch(unsigned stream);
void cudart_order_launched(bool whole);
void cudart_order_forget(void); /* the device is gone */

/* ---- back_later.c: work on several GPUs ------------------------------------------------------ */

typedef struct cudart_queued { /* a launch that has been found good */
    simt_launch_args args;
    void *params; /* of back_later.c, in place of args.params; null: those */
    char kernel[64];
    bool communicates; /* it may wait for another kernel */
} cudart_queued;

bool cudart_later_is_on(void);
/* Runs launches, together where there are several; after: as in simt_group_launch, null: none comes
   after another. Faults are left in cudart.pending. */
typedef void cudart_later_runs(const cudart_queued *const *launches, const unsigned *after,
                               unsigned count);
/* As cudart_back_write, copy and fill (back.h). */
typedef struct cudart_later_moves {
    cudaError_t (*write)(simt_addr to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height);
    cudaError_t (*copy)(simt_addr to, size_t to_pitch, simt_addr from, size_t from_pitch,
                        size_t width, size_t height);
    cudaError_t (*fill)(simt_addr to, size_t pitch, uint8_t value, size_t width, size_t height);
} cudart_later_moves;
/* Each keeps the work, to be done by what is given, and is true, or has it done now, after what it
   comes after. */
bool cudart_later_launch(const cudart_queued *launch, unsigned stream, cudart_later_runs *runs);
bool cudart_later_write(simt_addr to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height, const cudart_later_moves *moves);
bool cudart_later_copy(simt_addr to, size_t to_pitch, simt_addr from, size_t from_pitch,
                       size_t width, size_t height, const cudart_later_moves *moves);
bool cudart_later_fill(simt_addr to, size_t pitch, uint8_t value, size_t width, size_t height,
                       const cudart_later_moves *moves);
void cudart_later_settle(void); /* what the work that has begun comes after is done */
void cudart_later_run(void);    /* all is done */
void cudart_later_forget(void); /* the device is gone */
unsigned cudart_later_step(cudart_step step, unsigned stream, unsigned other);

#endif
