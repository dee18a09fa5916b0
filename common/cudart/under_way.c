/*
 * under_way.c: asynchronous copies between page-locked memory of the host and the device, and host
 * functions. A GPU comes to them when the stream does.
 *
 * To the host: the bytes are read when the copy is enqueued, and put where the host sees them when
 * it waits, as late as may be: who reads early finds what was there before. Where that is watched
 * (cudart_watch_pinned), the pages are closed until then, and who comes to them early is noted.
 *
 * To the device: that is done when the copy is enqueued, as early as may be. When the host waits,
 * as late as may be, the source is looked at again: what has changed in between was changed by the
 * host, and which of the two a GPU copies, nobody knows. Known limits, each of which misses a
 * change and never invents one: bytes that are as they were when the host waits; memory of
 * cudaHostAllocMapped, where kernels may write too.
 *
 * Host functions are called when the host waits, or gives the device more work, which they come
 * before; what copies bring to the host is there then. A host may also wait for what such a
 * function sets, and ask nobody: so where it does nothing else for a while, a thread calls them, as
 * a driver's thread does.
 *
 * Any call that waits counts for all of these, whichever stream it waits for. The first query
 * whether they have ended says that they have not.
 *
 * Invariants: page-locked memory is not freed before, since cudaFreeHost and cudaHostUnregister
 * wait. All here is done in the turn of a call (state.h), or of the thread; a host function is
 * called without it, and may make calls. While it runs, calls of other threads that wait for the
 * device, or give it work, wait for that function; others go on without what comes after it.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "host_threads.h"
#include "state.h"

static bool asked; /* since the last of them began its way */

/* ---- to the device --------------------------------------------------------------------------- */

enum { PAGE = 4096 };

typedef struct taken {
    struct taken *next;
    const unsigned char *from;
    size_t from_pitch, width, height;
    simt_addr to;
    size_t to_pitch;
    uint64_t caller;
    bool as_it_was;
    unsigned char data[];
} taken;

static taken *taken_first, **taken_end = &taken_first;

static void keep_source(taken *t)
{
    for (size_t row = 0; row < t->height; row++)
        memcpy(t->data + row * t->width, t->from + row * t->from_pitch, t->width);
}

cudaError_t cudart_write_later(simt_addr to, size_t to_pitch, const void *from, size_t from_pitch,
                               size_t width, size_t height, uint64_t caller)
{
    cudaError_t error = cudart_back_write(to, to_pitch, from, from_pitch, width, height);
    taken *t = error == cudaSuccess && height <= (SIZE_MAX - sizeof *t) / width
                   ? malloc(sizeof *t + width * height)
                   : NULL;
    if (!t)
        return error;
    *t = (taken){ .from = from,
                  .from_pitch = from_pitch,
                  .width = width,
                  .height = height,
                  .to = to,
                  .to_pitch = to_pitch,
                  .caller = caller };
    keep_source(t);
    *taken_end = t;
    taken_end = &t->next;
    asked = false;
    return cudaSuccess;
}

/* What cudaHostRegister was given may have been freed since, and unmapped. */
static bool is_mapped(const unsigned char *start, size_t bytes)
{
    const uintptr_t page = (uintptr_t)start & ~(uintptr_t)(PAGE - 1);
    return msync((void *)page, (uintptr_t)start + bytes - page, MS_ASYNC) == 0;
}

/* Where the first byte lies that is not as it was; -1: all are. */
static int64_t changed(const unsigned char *now, const unsigned char *then, size_t bytes)
{
    size_t at = 0;
    if (!is_mapped(now, bytes))
        return 0;
    if (memcmp(now, then, bytes) == 0)
        return -1;
    while (now[at] == then[at])
        at++;
    return (int64_t)at;
}

/* The row and the byte in it that is not as it was; false: all are. */
static bool find_change(const taken *t, size_t *row, int64_t *at)
{
    for (*row = 0; *row < t->height; ++*row) {
        *at = changed(t->from + *row * t->from_pitch, t->data + *row * t->width, t->width);
        if (*at >= 0)
            return true;
    }
    return false;
}

void cudart_look_at_sources(void)
{
    size_t row;
    int64_t at;

    while (taken_first) {
        taken *t = taken_first;
        if (find_change(t, &row, &at))
            cudart_back_changed(t->to + row * t->to_pitch + (uint64_t)at, t->caller);
        taken_first = t->next;
        free(t);
    }
    taken_end = &taken_first;
}

/* Around what a stream does to the host's memory, which comes after the copies before it: their
   sources may change then. */
static void begin_change_by_stream(void)
{
    size_t row;
    int64_t at;

    for (taken *t = taken_first; t; t = t->next)
        t->as_it_was = !find_change(t, &row, &at);
}

static void end_change_by_stream(void)
{
    for (taken *t = taken_first; t; t = t->next)
        if (t->as_it_was)
            keep_source(t);
}

/* ---- to the host ----------------------------------------------------------------------------- */

typedef struct parcel {
    struct parcel *next;
    cudart_host_call call; /* or bytes: */
    unsigned char *to;
    size_t pitch, width, height;
    uint64_t caller;      /* the code that asked for the copy */
    unsigned char *guard; /* pages that are closed for it */
    size_t guard_bytes;   /* 0: none are */
    unsigned char data[];
} parcel;

static parcel *first, **end = &first;
static unsigned calls;  /* of them */
static uint64_t called; /* ever */

static void send(parcel *p)
{
    *end = p;
    end = &p->next;
    asked = false;
}

/* ---- who comes early ------------------------------------------------------------------------- */

enum { MOST_GUARDS = 1000 }; /* each may take two of the 65530 mappings of a process */
static bool guards;          /* they are wanted */
static unsigned guard_count;
static cudart_early early[CUDART_EARLY];
static unsigned early_count;

void cudart_watch_pinned(void) { guards = true; }

static void close_guard(parcel *p, const cudart_arrival *arrival)
{
    if (!guards || guard_count == MOST_GUARDS || arrival->bytes == 0 ||
        mprotect(arrival->pages, arrival->bytes, PROT_NONE) != 0)
        return;
    p->guard = arrival->pages;
    p->guard_bytes = arrival->bytes;
    guard_count++;
}

static void open_guard(parcel *p)
{
    if (p->guard_bytes == 0)
        return;
    (void)mprotect(p->guard, p->guard_bytes, PROT_READ | PROT_WRITE);
    p->guard_bytes = 0;
    guard_count--;
}

/* Those on these bytes. */
static void open_guards(const unsigned char *start, size_t bytes)
{
    for (parcel *p = first; p && guard_count > 0; p = p->next)
        if (p->guard_bytes && p->guard < start + bytes && start < p->guard + p->guard_bytes)
            open_guard(p);
}

/* The host waits, at least for some. */
static void open_all_guards(void)
{
    for (parcel *p = first; p && guard_count > 0; p = p->next)
        open_guard(p);
}

static void note_early(uint64_t at, uint64_t copy, bool write)
{
    for (unsigned k = 0; k < early_count; k++)
        if (early[k].at == at && early[k].copy == copy)
            return;
    if (early_count < CUDART_EARLY)
        early[early_count++] = (cudart_early){ at, copy, write };
}

bool cudart_came_early(const void *address, uint64_t at, bool write)
{
    CUDART_TURN();
    bool any = false;
    for (parcel *p = first; p; p = p->next) {
        if ((uintptr_t)address - (uintptr_t)p->guard >= p->guard_bytes)
            continue;
        if (cudart_turn == 1) /* else it is a call that looks at a source there */
            note_early(at, p->caller, write);
        open_guard(p);
        any = true;
    }
    return any;
}

unsigned cudart_early_ones(const cudart_early **them)
{
    *them = early;
    return early_count;
}

cudaError_t cudart_read_later(void *to, size_t to_pitch, simt_addr from, size_t from_pitch,
                              size_t width, size_t height, const cudart_arrival *arrival)
{
    parcel *p =
        height <= (SIZE_MAX - sizeof *p) / width ? malloc(sizeof *p + width * height) : NULL;
    if (!p)
        return cudart_back_read(to, to_pitch, from, from_pitch, width, height);
    *p = (parcel){
        .to = to, .pitch = to_pitch, .width = width, .height = height, .caller = arrival->caller
    };
    cudaError_t error = cudart_back_read(p->data, width, from, from_pitch, width, height);
    if (error != cudaSuccess) {
        free(p);
        return error;
    }
    send(p);
    close_guard(p, arrival);
    return cudaSuccess;
}

/* Of each row of a parcel the part that lies in memory of the host's is copied from the parcel, or,
   where it has changed, to it. */
static void meet_parcel(parcel *p, const unsigned char *host, size_t bytes, unsigned char *now,
                        const unsigned char *then, bool changed)
{
    for (size_t row = 0; row < p->height; row++) {
        const unsigned char *to = p->to + row * p->pitch, *end = to + p->width,
                            *from = to > host ? to : host,
                            *until = end < host + bytes ? end : host + bytes;
        unsigned char *data = p->data + row * p->width + (from - to);
        if (from < until && !changed)
            memcpy(now + (from - host), data, (size_t)(until - from));
        for (; changed && from < until; from++, data++)
            if (!then || now[from - host] != then[from - host])
                *data = now[from - host];
    }
}

void cudart_kernel_takes(void *here, const void *host, size_t bytes)
{
    open_guards(host, bytes);
    memcpy(here, host, bytes);
    for (parcel *p = first; p; p = p->next)
        meet_parcel(p, host, bytes, here, NULL, false);
}

void cudart_kernel_gives(void *host, const void *now, const void *then, size_t bytes)
{
    const unsigned char *fresh = now, *old = then;
    unsigned char *to = host;
    open_guards(host, bytes);
    begin_change_by_stream();
    for (size_t k = 0; k < bytes; k++)
        if (!old || fresh[k] != old[k])
            to[k] = fresh[k];
    for (parcel *p = first; p; p = p->next)
        meet_parcel(p, host, bytes, (unsigned char *)(uintptr_t)now, then, true);
    end_change_by_stream();
}

void cudart_fill_pinned(void *to, size_t pitch, int value, size_t width, size_t height)
{
    cudart_deliver_early(); /* what comes before it */
    begin_change_by_stream();
    for (size_t row = 0; row < height; row++)
        memset((char *)to + row * pitch, value, width);
    end_change_by_stream();
}

bool cudart_is_under_way(void)
{
    const bool is = (first || taken_first) && !asked;

    asked = true;
    return is;
}

static bool is_calling; /* a function is called just now, by: */
static pthread_t calling;

static bool another_calls(void) { return is_calling && !pthread_equal(calling, pthread_self()); }

/* Until no other thread is in a host function: then all that is on its way is after it. */
static void await_function(void)
{
    while (another_calls())
        cudart_await_news();
}

static void call(const cudart_host_call *c)
{
    const bool inner = is_calling;
    is_calling = true;
    calling = pthread_self();
    const unsigned turn = cudart_leave_turn();
    if (c->function)
        c->function(c->user);
    else
        c->callback(c->stream, c->status, c->user);
    cudart_resume_turn(turn);
    is_calling = inner;
    cudart_turn_news();
}

static void deliver_first(void)
{
    parcel *p = first;

    first = p->next;
    if (!first)
        end = &first;
    begin_change_by_stream();
    for (size_t row = 0; row < p->height; row++)
        memcpy(p->to + row * p->pitch, p->data + row * p->width, p->width);
    if (p->call.function || p->call.callback) {
        calls--;
        call(&p->call);
    }
    end_change_by_stream();
    free(p);
}

void cudart_deliver_by_the_way(void)
{
    if (another_calls())
        return;
    open_all_guards();
    cudart_look_at_sources(); /* a parcel may go to one */
    while (first && !another_calls())
        deliver_first();
}

void cudart_deliver(void)
{
    do {
        await_function();
        cudart_deliver_by_the_way();
    } while (first || another_calls());
}

void cudart_deliver_early(void)
{
    if (first)
        cudart_deliver();
}

/* ---- host functions -------------------------------------------------------------------------- */

static bool watched; /* by the thread */

void cudart_call_now(void)
{
    await_function();
    if (calls > 0)
        open_all_guards();
    while (calls > 0) {
        deliver_first();
        await_function();
    }
}

/* Calls what was there before a while, until there is nothing. Who waits so again and again, as at
   each level of a sort, need not wait as long: the first times have shown whether the host goes on
   too early. */
static void *watch(void *unused)
{
    enum { FIRST_TIMES = 32 };
    static const struct timespec a_while = { .tv_nsec = 10000000 }, soon = { .tv_nsec = 1000000 };
    static unsigned times; /* of this thread and those before it */
    uint64_t before = 0;

    (void)unused;
    host_threads_name();
    for (bool more = true; more;) {
        nanosleep(times < FIRST_TIMES ? &a_while : &soon, NULL);
        CUDART_TURN();
        if (called == before)
            cudart_call_now();
        times++;
        before = called;
        more = watched = calls > 0;
    }
    return NULL;
}

static bool start_watch(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, watch, NULL) != 0)
        return false;
    pthread_detach(thread);
    return true;
}

void cudart_call_later(const cudart_host_call *c)
{
    parcel *p = calloc(1, sizeof *p);

    if (p) {
        p->call = *c;
        send(p);
        calls++;
        called++;
    }
    watched = watched || start_watch();
    if (!p || !watched)
        cudart_call_now();
    if (!p)
        call(c);
}
