/*
 * state.h: the runtime's one state, and the rules every API function follows. Private to
 * common/cudart.
 *
 * Host threads. Any number of them may call at once. Every function of CUDA's that touches what is
 * not its thread's own begins with CUDART_TURN(), and holds the turn until it returns; such
 * functions may call each other. So one call at a time is made of all that is behind them, the
 * engine too. Functions of the program's (host functions in a stream) are called without the turn.
 * Each thread has its own last error, and its own launch configurations.
 *
 * A call that launches returns when the kernel has ended. But a kernel may wait for what this very
 * thread writes next in memory that host and device share. Where one might, it runs on a thread of
 * its own (cudart_launch_aside), and when nothing but the host can let it go on, the call returns.
 * Until it has ended, other calls wait for their turn, but for CUDART_TURN_BESIDE().
 *
 * Errors, as CUDA has them:
 *   last     what cudaGetLastError returns and clears: the last failure of any call of this thread
 *   pending  a kernel has faulted, and no call has returned it yet. Work enqueued now is dropped,
 *            and the calls still succeed
 *   sticky   a fault that a call has returned. Every call that uses the device returns it;
 *            cudaGetLastError does not clear it
 * A function that waits for the device begins with cudart_wait; one that only enqueues, with
 * cudart_enqueue; it leaves with `return cudart_done(error)`, which records the error.
 * cudart_because adds the sentence for cudart_detail.
 */
#ifndef CUDART_STATE_H
#define CUDART_STATE_H

#include <time.h>

#include "back.h"
#include "cuda_runtime_api.h"
#include "cudart.h"
#include "executable.h"

typedef struct cudart_state {
    unsigned generation; /* counts devices: what was loaded into an older one is gone */
    cudaError_t pending, sticky;
} cudart_state;

extern cudart_state cudart;
extern _Thread_local unsigned cudart_gpu; /* the host thread's current device */

/* Of each host thread. */
typedef struct cudart_thread {
    cudaError_t last;
    cudaError_t checked; /* the last failure that the program has asked about */
    cudaError_t refused; /* of its last launch that was refused, until it has asked */
    char detail[512], advice[320];
    bool explained; /* detail is about the call under way */
} cudart_thread;

extern _Thread_local cudart_thread cudart_mine;

/* The turn, until the function that this stands in returns. */
#define CUDART_TURN()                                                                              \
    __attribute__((cleanup(cudart_end_turn), unused)) const unsigned cudart_turn =                 \
        cudart_begin_turn(CUDART_CALLER())
/* caller: the code that calls; of calls that call each other, the first one's is for findings */
unsigned cudart_begin_turn(uint64_t caller);
void cudart_end_turn(const unsigned *unused);
/* The same, also while a launch goes on whose call has returned: then the device is not touched. */
#define CUDART_TURN_BESIDE()                                                                       \
    __attribute__((cleanup(cudart_end_turn), unused)) const unsigned cudart_turn =                 \
        cudart_begin_beside(CUDART_CALLER())
unsigned cudart_begin_beside(uint64_t caller);
/* Gives the turn away, however often it has been taken, and takes it again: around what the program
   does in a call. */
unsigned cudart_leave_turn(void);
void cudart_resume_turn(unsigned times);
/* With the turn, once: gives it away until cudart_turn_news is called. */
void cudart_await_news(void);
void cudart_turn_news(void);
unsigned cudart_turn_waiting(void); /* threads that wait for the turn */
/* With the turn: as cudart_back_launch, but may return while the kernel is at work. */
cudaError_t cudart_launch_aside(const cudart_launch *launch);
bool cudart_launch_goes_on(void); /* it has returned, and the kernel is still at work */
/* By the thread that runs a launch: its call returns now, if it is one of cudart_launch_aside (then
   true); it has ended, and what is behind it is done in the turn. */
bool cudart_let_launcher_go(void);
void cudart_launch_ends(void);

cudaError_t cudart_done(cudaError_t error);
/* The program has this code in hand: it has asked, or has looked at what a call returned. */
void cudart_checked(cudaError_t error);
cudaError_t cudart_because(cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds what to do about it; returns the error. */
cudaError_t cudart_advise(cudaError_t error, const char *advice);

/* Prints what kernels have printed, then returns a pending fault. */
cudaError_t cudart_wait(void);
/* The same, by a call whose purpose it is to wait. */
cudaError_t cudart_synchronize(void);
/* *run: whether there is work to do; false after a fault that is still pending. */
cudaError_t cudart_enqueue(cudaStream_t stream, bool *run);
/* There is a device, and the calls that follow are for the current GPU. */
cudaError_t cudart_open_current(void);
/* Such a GPU there is. */
cudaError_t cudart_check_gpu(int device);

void cudart_free_pinned(void);                   /* all of cudaMallocHost's */
bool cudart_kernels_may_use(const void *pinned); /* page-locked memory of the host's */

/* ---- streams and events: handles.c ----------------------------------------------------------- */

typedef enum cudart_handle_kind { CUDART_STREAM, CUDART_EVENT } cudart_handle_kind;

typedef struct cudart_handle {
    struct cudart_handle *next;
    cudart_handle_kind kind;
    unsigned flags;
    bool recorded;        /* an event: time is that of its last cudaEventRecord */
    struct timespec time; /* of the host's monotonic clock */
    unsigned number;      /* for cudart_back_order; of an event that was not recorded, 0 */
    unsigned gpu;         /* where it was made */
    unsigned kept;        /* of cudart_back_keep */
    struct {
        struct cudaAccessPolicyWindow window;
        enum cudaSynchronizationPolicy policy;
    } hints; /* of a stream */
} cudart_handle;

cudart_handle *cudart_make_handle(cudart_handle_kind kind, unsigned flags); /* null: no memory */
cudart_handle *cudart_find_handle(const void *pointer, cudart_handle_kind kind); /* null: none */
void cudart_free_handle(cudart_handle *handle);
void cudart_free_handles(void);
bool cudart_is_stream(cudaStream_t stream); /* CUDA's own ones, too */

/* ---- what is ordered: order.c ---------------------------------------------------------------- */

unsigned cudart_order_number(cudaStream_t stream);
void cudart_order_made(cudart_handle *handle); /* a stream or an event */
void cudart_order_gone(const cudart_handle *handle);
/* A copy or a fill begins on the stream, after what has been enqueued. */
void cudart_order_begin(cudaStream_t stream, cudart_work work);
/* the host waits, or an event is recorded or waited for */
void cudart_order_waits(cudaStream_t stream);
void cudart_order_waits_for_all(void);
/* With several GPUs, before the host waits: what it waits for is done. all: of all GPUs */
void cudart_order_finish(cudaStream_t stream);
void cudart_order_finish_gpu(bool all);
void cudart_order_finish_event(const cudart_handle *event);
void cudart_order_waits_for_event(const cudart_handle *event);
void cudart_order_record(cudart_handle *event, cudaStream_t stream);
void cudart_order_wait_event(cudaStream_t stream, const cudart_handle *event);

/* The code that calls the function that this stands in, as in simt_launch_args.from: a byte of the
   call, as the address that it returns to may be on the next line. */
#define CUDART_CALLER()                                                                            \
    base_executable_address((uint64_t)(uintptr_t)__builtin_return_address(0) - 1)

/* ---- asynchronous copies, page-locked memory, host functions: under_way.c -------------------- */

/* caller: the code that asks for the copy; width is not 0, here and below */
cudaError_t cudart_write_later(simt_addr to, size_t to_pitch, const void *from, size_t from_pitch,
                               size_t width, size_t height, uint64_t caller);
/* Those that were enqueued have ended: says where their sources have changed. */
void cudart_look_at_sources(void);
typedef struct cudart_arrival {
    uint64_t caller;      /* the code that asks for the copy */
    unsigned char *pages; /* that hold nothing else */
    size_t bytes;         /* of them; 0: there are none */
} cudart_arrival;
cudaError_t cudart_read_later(void *to, size_t to_pitch, simt_addr from, size_t from_pitch,
                              size_t width, size_t height, const cudart_arrival *arrival);
/* The host has waited: it may see what they bring, and change what they have read. */
void cudart_deliver(void);
/* It has not waited for that: nothing is delivered while another thread is in a host function. */
void cudart_deliver_by_the_way(void);
/* It has not waited, but a copy from its memory begins, which may be what they bring. */
void cudart_deliver_early(void);

/* A kernel comes to page-locked memory, whose copies on their way are there for it; it has ended,
   and has changed what is not as it was then: simt_pinned_ways. */
void cudart_kernel_takes(void *here, const void *host, size_t bytes);
void cudart_kernel_gives(void *host, const void *now, const void *then, size_t bytes);
/* cudaMemset of such memory */
void cudart_fill_pinned(void *to, size_t pitch, int value, size_t width, size_t height);

typedef struct cudart_host_call {
    cudaHostFn_t function; /* or, if that is null: */
    cudaStreamCallback_t callback;
    cudaStream_t stream;
    cudaError_t status;
    void *user;
} cudart_host_call;

/* Called after what is under way, by another thread if need be. */
void cudart_call_later(const cudart_host_call *call);
/* All these are called: the device is given work, which they come before. */
void cudart_call_now(void);
/* Is any of them under way? True once only: a GPU gets there. */
bool cudart_is_under_way(void);

/* ---- memory of host and device: managed.c ---------------------------------------------------- */

cudart_kind cudart_common_kind(const void *pointer); /* of the allocation that holds it */
size_t cudart_common_room(const void *pointer);      /* bytes from there to its end; 0: none */
cudaError_t cudart_alloc_common(void **pointer, size_t bytes, cudart_kind kind);
/* the start of one */
cudaError_t cudart_free_common(void *pointer, cudart_kind kind, bool waits);
/* Where kernels have it, if it is in a __managed__ variable; any other pointer as it is. */
void *cudart_common_place(const void *pointer);
/* A __managed__ variable, which the program has at `host`. */
cudaError_t cudart_add_variable(const void *host, simt_addr address, size_t bytes);
bool cudart_is_variable(const void *pointer); /* it is in one */
void cudart_keep_host(bool from); /* from managed memory, while a kernel may be at work */
void cudart_forget_common(void);  /* the device is gone */

/* ---- modules --------------------------------------------------------------------------------- */

typedef struct cudart_function {
    const void *stub; /* the host function that <<<>>> names */
    const char *name; /* in the PTX */
    struct cudart_module *module;
    unsigned generation; /* of the device that kernel belongs to; 0: none */
    unsigned gpu;        /* and the GPU */
    cudart_kernel kernel;
} cudart_function;

/* loads its module if need be */
cudaError_t cudart_find_function(const void *stub, cudart_function **function);
/* in the PTX, loaded or not; null: it is no kernel of the program's */
const char *cudart_function_name(const void *stub);
cudaError_t cudart_find_symbol(const void *shadow, simt_addr *address, size_t *bytes);
/* of a __device__ or __constant__ variable that this is the host's name for; else null */
const char *cudart_variable_name(const void *shadow);
unsigned cudart_module_target(const cudart_function *function); /* 75 for .target sm_75 */

#endif
