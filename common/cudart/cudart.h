/*
 * cudart.h: what the runner asks of the CUDA runtime (scanlab_cudart) besides the CUDA API itself.
 *
 * The runtime owns one simt_device, opened at the first use with simt_default_config unless
 * cudart_open came before. A program that is not run by the runner needs nothing from here.
 *
 * Reporting. Without an observer, what a kernel prints goes to standard output at the next call
 * that synchronises, as on a GPU, and its findings go to standard error, those of the host's calls
 * and what was never freed too (simt_host_findings, simt_leaks). With an observer, all of it is the
 * observer's: the runtime prints nothing.
 *
 * How findings become CUDA errors: cudart_fault_code. A fault is returned by the next call that
 * synchronises, and by every call after that, until cudart_open, cudart_forget or cudaDeviceReset.
 */
#ifndef CUDART_H
#define CUDART_H

#include <stdbool.h>

#include "simt.h"

/* Closes the device, if there is one, and opens another: allocations, streams' order and errors
   start afresh, modules are loaded again when used. False if it cannot be opened; cudart_detail
   says why. */
bool cudart_open(const simt_config *config);

/* Changes the schedule or the checks and keeps memory and modules; later devices get the same.
   False as above. */
bool cudart_configure(const simt_config *config);

/* For the device that is opened at its first use; no effect on one that is open. */
void cudart_set_config(const simt_config *config);

/* The device as it is now; opened if need be; null if that fails. cudaDeviceReset and cudart_open
   replace it. */
simt_device *cudart_device(void);

/* The same, but null where none is open. */
simt_device *cudart_if_open(void);

/* Called after every launch, also one that was refused (status SIMT_BAD_LAUNCH, empty report,
   cudart_detail says why). kernel is its name in the source where that can be told from the mangled
   one. All pointers are valid during the call. */
typedef void cudart_observer(void *user, const char *kernel, const simt_launch_args *args,
                             simt_status status, const simt_report *report);
void cudart_observe(cudart_observer *observer, void *user); /* null: no observer */

/* Called where a host thread has asked about the launches of its own that were refused, so far, or
   has looked at what cudaLaunchKernel returned: by that thread, at any time. */
typedef void cudart_asks(void);
void cudart_observe_asks(cudart_asks *asks); /* null: none */

/* begins is called before every launch that goes to the device, closes before a device is closed,
   its allocations still live. */
typedef void cudart_begins(const char *kernel, simt_device *device);
typedef void cudart_closes(simt_device *device);
void cudart_observe_device(cudart_begins *begins, cudart_closes *closes); /* null: none */

/* For an observer who leaves what a kernel printed to the runtime: it goes to standard output at
   the next call that synchronises. */
void cudart_print_later(const char *text, size_t bytes);

/* From now on the pages of page-locked memory to which an asynchronous copy is on its way are
   closed to the host until it waits. A host access faults then, and the signal handler has to call
   cudart_came_early, with the code that makes it: true: the pages are open, and hold what was there
   before the copy. */
void cudart_watch_pinned(void);
bool cudart_came_early(const void *address, uint64_t at, bool write);
typedef struct cudart_early {
    uint64_t at, copy; /* the code that came early, and the code that asked for the copy */
    bool write;
} cudart_early;
enum { CUDART_EARLY = 16 };
unsigned cudart_early_ones(const cudart_early **them); /* how many: at most CUDART_EARLY */

/* What kernels have printed, and no call that synchronises has come since: lines. */
size_t cudart_lines_never_printed(void);

/* Is this address in memory of cudaMallocManaged? May be asked by a signal handler. */
bool cudart_is_managed(const void *address);

/* Has a kernel been stopped by a fault, whether or not a call has returned it yet? From then on
   nothing can be freed. */
bool cudart_has_faulted(void);

/* Forgets every error, sticky ones too, and keeps the device and its memory. */
void cudart_forget(void);

/* The program ends: no other thread makes a call from now on; those wait for ever. False: another
   thread has been in a call for so many seconds, and still is. */
bool cudart_last_turn(unsigned seconds);

/* What the host has asked of the device besides launches, since the process began. */
typedef struct cudart_calls {
    uint64_t waits; /* cudaDeviceSynchronize and its kin, of streams and events; queries, too */
    /* by calls that have another purpose: cudaFree, cudaFreeHost and cudaHostUnregister, copies
       from the host that return when they have ended, copies to the host, and host functions */
    uint64_t waits_aside;
    uint64_t elsewhere;            /* launches on other streams than the default one */
    uint64_t writes;               /* fills and copies that wrote device memory */
    uint64_t written_bytes;        /* by them */
    uint64_t host_bytes;           /* copied from the device to the host, or seen by it there */
    uint64_t live_bytes;           /* asked of cudaMalloc and its kin, and not freed */
    uint64_t allocated;            /* asked of them, freed or not */
    uint64_t refused;              /* by cudart_refuse */
    uint64_t handles, page_locked; /* streams and events, and bytes, that there are */
} cudart_calls;
cudart_calls cudart_calls_made(void);

/* Of several GPUs: all that is under way is done. */
void cudart_finish(void);
/* How many the environment asks for, by GPUS; 1 where it says nothing, and more than SIMT_MAX_GPUS
   where it says what cannot be. */
unsigned cudart_gpus_asked(void);

/* From now on all launches are refused, with cudaErrorLaunchOutOfResources; an allocation, this one
   from now on, counted from 1, and all after it, with cudaErrorMemoryAllocation; false and 0:
   nothing is. */
void cudart_refuse(bool launches, unsigned allocation);
/* Something was, and the program has taken the last such error away by cudaGetLastError. */
bool cudart_refusal_was_taken(void);

/* From now on managed memory is opened to the host, after a wait, when the host touches it: then it
   faults, and cudart_let_touch has to be called by the signal handler. True: it is open now. */
void cudart_watch_host(void);
bool cudart_let_touch(const void *address);

/* In a client: an entry has returned, and its caller waits for all that it has enqueued, and takes
   the last error: its code. */
int cudart_caller_waits(void);

/* The error that a client in another process has left (cudaGetLastError there), as if a call
   of this process had failed. detail and advice: "" if the client knows none. */
void cudart_left_behind(int error, const char *detail, const char *advice);

/* The code of this thread's last failure, or else of another's, unless the program has asked for it
   (cudaGetLastError, cudaPeekAtLastError) or for its name or text since; else 0. Whether it has
   looked at what a call returned and said nothing cannot be seen. */
int cudart_unchecked(void);

/* One sentence about the last call that failed, where there is more to say than its error code
   does. "" if none has failed. */
const char *cudart_detail(void);
/* What to do about it; "" if that is not known. */
const char *cudart_advice(void);

/* The cudaError_t that a kernel stopped by this finding leaves; 0 for findings that stop
   nothing. */
int cudart_fault_code(simt_finding_kind kind);

#endif
