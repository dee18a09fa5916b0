/*
 * back.h: what the CUDA calls ask of the device. Private to common/cudart and to who serves it.
 *
 * The calls with CUDA's names, their error state, streams, events, registration and the stack of
 * launch configurations are the front. What is behind it is one of two: back.c and its kin, which
 * call the engine in this process (`simt run`, a program of one's own); or remote.c, which asks
 * another process that holds the engine (a graded submission; the messages are in wire.h, and
 * serve.c answers them by calling back.c there).
 *
 * A failure is a cudaError_t, and cudart_detail has a sentence about it where it is made in this
 * process. Addresses are the device's; rows are `width` bytes each, `pitch` bytes apart.
 */
#ifndef CUDART_BACK_H
#define CUDART_BACK_H

#include "cuda_runtime_api.h"
#include "simt.h"

/* Whose memory it is: the device's, or of host and device at one address. */
typedef enum cudart_kind { CUDART_OTHER, CUDART_MANAGED, CUDART_MAPPED } cudart_kind;

/* There is a device: opened if need be; cudart.generation has counted it. */
cudaError_t cudart_back_open(void);
/* Closes it: what is in its memory is gone. */
void cudart_back_reset(void);
/* The host waits for the device, and that is counted: by a call whose purpose it is, or aside, by a
   copy from the host that returns when it has ended, or a host function that tells it. (A copy to
   the host counts by itself, and so does letting go of page-locked memory.) */
typedef enum cudart_waiting { CUDART_PURPOSE, CUDART_ASIDE } cudart_waiting;
void cudart_back_wait(cudart_waiting why);
/* A call with another purpose, such as cudaMalloc, waits by the way. That is not counted, and so
   brings nothing but what kernels have printed. */
void cudart_back_wait_by_the_way(void);
void cudart_back_facts(simt_limits *facts);
/* Devices, as CUDA calls them: GPUs of the simulated device, at least 1. */
unsigned cudart_back_gpus(void);
/* The calls that follow are for this one. */
void cudart_back_use(unsigned gpu);
cudaError_t cudart_back_let_peer(unsigned gpu, unsigned peer, bool may);
void cudart_back_memory(size_t *free_bytes, size_t *total_bytes);

/* ---- memory ---------------------------------------------------------------------------------- */

cudaError_t cudart_back_alloc(size_t bytes, cudart_kind kind, simt_addr *address);
/* waits: by cudaFree, which also waits; that is counted */
cudaError_t cudart_back_free(simt_addr address, cudart_kind kind, bool waits);
/* False: in no live allocation. */
bool cudart_back_holds(simt_addr address);
cudaError_t cudart_back_write(simt_addr to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height);
cudaError_t cudart_back_read(void *to, size_t to_pitch, simt_addr from, size_t from_pitch,
                             size_t width, size_t height);
/* The code that calls CUDA, for findings about what the call does next; 0: it ends. */
void cudart_back_called_from(uint64_t caller);
/* The host has changed what an asynchronous copy, asked for by this code, read for that address. */
void cudart_back_changed(simt_addr to, uint64_t caller);
cudaError_t cudart_back_copy(simt_addr to, size_t to_pitch, simt_addr from, size_t from_pitch,
                             size_t width, size_t height);
cudaError_t cudart_back_fill(simt_addr to, size_t pitch, uint8_t value, size_t width,
                             size_t height);
/* Kernels may use page-locked memory of the host's by its own address. False: they cannot. */
bool cudart_back_pin(void *start, size_t bytes);
void cudart_back_unpin(const void *start);
/* May the host use this common allocation? Async-signal-safe. */
void cudart_back_let_host(simt_addr start, size_t bytes, bool may);
/* The host touches it, and it may: its contents are there. Async-signal-safe. */
bool cudart_back_touch(simt_addr start, size_t bytes);

/* ---- code ------------------------------------------------------------------------------------ */

typedef struct cudart_kernel {
    unsigned handle;
    unsigned params;                         /* number of parameters */
    size_t param_offset[64], param_size[64]; /* in the parameter block, in order */
    size_t param_bytes;
} cudart_kernel;

typedef struct cudart_launch {
    unsigned handle;
    simt_dim grid, block;
    size_t dynamic_shared;
    const void *params;
    size_t param_bytes;
    bool cooperative;
    unsigned stream; /* its number: cudart_order_number */
    uint64_t from;   /* where: as in simt_launch_args */
} cudart_launch;

/* managed: its __managed__ variables */
cudaError_t cudart_back_load(const char *ptx, size_t bytes, const simt_managed *managed,
                             unsigned count, unsigned *module);
cudaError_t cudart_back_kernel(unsigned module, const char *name, cudart_kernel *kernel);
cudaError_t cudart_back_symbol(unsigned module, const char *name, simt_addr *address,
                               size_t *bytes);
/* All but ptxVersion, which is in the module's text. */
cudaError_t cudart_back_attributes(unsigned handle, struct cudaFuncAttributes *attributes);
cudaError_t cudart_back_set_dynamic(unsigned handle, int bytes);
/* Blocks that a multiprocessor holds. */
cudaError_t cudart_back_occupancy(unsigned handle, unsigned threads, size_t dynamic_shared,
                                  int *blocks);
/* The largest of the block sizes with which most threads are resident, and the grid that fills the
   device with it. limit 0: none. */
cudaError_t cudart_back_best_block(unsigned handle, size_t dynamic_shared, unsigned limit,
                                   int *threads, int *blocks);
/* A launch was refused in front of cudart_back_launch: why is in cudart_detail. */
void cudart_back_refused(const char *name, const simt_dim *grid, const simt_dim *block,
                         uint64_t from);
/* It has what kernels wait with, and may go on beside the host. */
bool cudart_back_may_wait(unsigned handle);
/* An error: the launch was refused. A fault of the kernel is left in cudart.pending. */
cudaError_t cudart_back_launch(const cudart_launch *launch);

/* ---- what the program keeps, and knows ------------------------------------------------------- */

/* A stream or an event is made, or, where bytes is not 0, memory is page-locked -> its number. */
cudaError_t cudart_back_keep(size_t bytes, unsigned *number);
void cudart_back_let_go(unsigned number); /* it is destroyed, or freed */
/* cudaGetLastError has taken an error away. */
void cudart_back_taken(void);

/* ---- order ----------------------------------------------------------------------------------- */

/* Which work is ordered, and the races of work that is not, by the numbers of streams and events.
   Those of made streams come from STREAM_MADE, an event's from its first RECORDS; 0 is no event.
   Work on a stream that there is not is taken for ordered, as if on the default one. */
enum { CUDART_DEFAULT_STREAM, CUDART_PER_THREAD };

typedef enum cudart_step {
    CUDART_STREAM_MADE, /* other: its flags -> its number */
    CUDART_STREAM_GONE,
    /* work on the stream; other: a cudart_work. Ranges that follow are its own, until a step */
    CUDART_BEGINS,
    CUDART_WAITS, /* the host, for the stream */
    CUDART_WAITS_FOR_ALL,
    CUDART_WAITS_FOR_EVENT, /* other: the event */
    CUDART_RECORDS,         /* the stream; other: the event, or 0 -> its number */
    CUDART_AWAITS,          /* the stream; other: the event */
    CUDART_EVENT_GONE,      /* other: the event */
    /* with several GPUs, where work may be under way: what the host is about to wait for is done */
    CUDART_FINISH,       /* the stream's */
    CUDART_FINISH_GPU,   /* the current GPU's; other: 1: all GPUs' */
    CUDART_FINISH_EVENT, /* other: what the event was recorded after */
    CUDART_STEPS
} cudart_step;

/* Work that is no launch: a launch names its stream itself. */
typedef enum cudart_work {
    CUDART_COPY,
    CUDART_COPY_ASYNC,
    CUDART_COPY_BOX,
    CUDART_COPY_BOX_ASYNC,
    CUDART_COPY_TO_SYMBOL,
    CUDART_COPY_FROM_SYMBOL,
    CUDART_SET,
    CUDART_FREE,
    CUDART_WORKS
} cudart_work;

/* -> a number, where the step has one */
unsigned cudart_back_order(cudart_step step, unsigned stream, unsigned other);

#endif
