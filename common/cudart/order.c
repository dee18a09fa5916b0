/*
 * order.c: which work on streams is ordered, and the races of work that is not. Work has ended when
 * the call that enqueued it returns, in one of the orders that a GPU may choose; here the orders
 * that it may not choose are kept apart from those that it may.
 *
 * Every stream has a count of its work and knows how much of each stream's work comes before its
 * next; so does the host, and an event since it was recorded. Work on the default stream comes
 * after all that was enqueued before on streams without cudaStreamNonBlocking, and before all that
 * is enqueued on those later. Each piece of work is compared with those before it that it does not
 * come after, by what they have touched (simt_footprint). Nothing is kept before the first stream
 * is made. Known limits, each of which may miss a race and never invents one: of unordered work
 * only the last pieces are kept; a callback and cudaFreeAsync count as waits of the host; memory of
 * the host is not looked at. Source: CUDA C++ Programming Guide, "Asynchronous Concurrent
 * Execution".
 */
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { DEFAULT_STREAM, PER_THREAD, FIRST_MADE, KEPT = 64 };

static struct {
    bool used, blocking;
    uint64_t count;       /* its work */
    cudart_moment before; /* what comes before its next work, its own included */
} queues[CUDART_QUEUES];

static cudart_moment host;

static struct {
    unsigned queue;
    uint64_t number;
    simt_footprint *touched;
} kept[KEPT];
static unsigned kept_count;

static struct {
    unsigned queue;
    cudart_moment before;
    simt_footprint *touched;
    const char *call;
} now; /* the work that is being enqueued */

static bool on;

static void join(cudart_moment *to, const cudart_moment *from)
{
    for (unsigned q = 0; q < CUDART_QUEUES; q++)
        if (from->at[q] > to->at[q])
            to->at[q] = from->at[q];
}

static unsigned queue_of(cudaStream_t stream)
{
    if (!stream || stream == cudaStreamLegacy)
        return DEFAULT_STREAM;
    if (stream == cudaStreamPerThread)
        return PER_THREAD;
    const cudart_handle *handle = cudart_find_handle(stream, CUDART_STREAM);
    return handle ? handle->queue : DEFAULT_STREAM;
}

static void forget_old(void)
{
    unsigned left = 0;
    for (unsigned k = 0; k < kept_count; k++) {
        if (kept[k].number > host.at[kept[k].queue])
            kept[left++] = kept[k];
        else
            simt_free_footprint(kept[k].touched);
    }
    kept_count = left;
}

/* More streams than are told apart: nothing is known any more. */
static void give_up(void)
{
    cudart_order_forget();
    queues[DEFAULT_STREAM].used = true;
    on = false;
}

unsigned cudart_order_stream(unsigned flags)
{
    if (!queues[DEFAULT_STREAM].used) {
        on = queues[DEFAULT_STREAM].used = true;
        queues[PER_THREAD].used = queues[PER_THREAD].blocking = true;
    }
    for (unsigned q = FIRST_MADE; on && q < CUDART_QUEUES; q++) {
        if (queues[q].used)
            continue;
        queues[q].used = true;
        queues[q].blocking = !(flags & cudaStreamNonBlocking);
        queues[q].before = host;
        return q;
    }
    if (on)
        give_up();
    return DEFAULT_STREAM;
}

/* Its number goes to another stream only if the host knows that its work has ended. */
void cudart_order_destroyed(unsigned queue)
{
    if (queue >= FIRST_MADE && queues[queue].count <= host.at[queue])
        queues[queue].used = false;
}

static void keep(simt_footprint *touched)
{
    for (unsigned k = 0; k < kept_count; k++)
        if (kept[k].number > now.before.at[kept[k].queue])
            simt_compare_footprints(cudart.device, kept[k].touched, touched);
    forget_old();
    if (kept_count == KEPT) {
        simt_free_footprint(kept[0].touched);
        memmove(kept, kept + 1, --kept_count * sizeof *kept);
    }
    kept[kept_count].queue = now.queue;
    kept[kept_count].number = queues[now.queue].count;
    kept[kept_count++].touched = touched;
}

void cudart_order_done(void)
{
    if (now.touched)
        keep(now.touched);
    now.touched = NULL;
    now.call = NULL;
}

void cudart_order_begin(cudaStream_t stream, const char *call)
{
    cudart_order_done();
    if (!on)
        return;
    simt_keep_footprints(cudart.device);
    const unsigned q = now.queue = queue_of(stream);
    cudart_moment *before = &queues[q].before;
    join(before, &host);
    for (unsigned b = 0; q == DEFAULT_STREAM && b < CUDART_QUEUES; b++)
        if (queues[b].used && queues[b].blocking)
            join(before, &queues[b].before);
    if (queues[q].blocking)
        join(before, &queues[DEFAULT_STREAM].before);
    now.before = *before;
    now.call = call;
    before->at[q] = ++queues[q].count;
}

void cudart_order_touch(const void *start, size_t bytes, bool write)
{
    if (on && now.call)
        now.touched = simt_range_footprint(now.touched, now.call, (uintptr_t)start, bytes, write);
}

void cudart_order_launched(bool whole)
{
    simt_footprint *touched = simt_take_footprint(cudart.device);
    if (on && whole && touched)
        keep(touched);
    else
        simt_free_footprint(touched);
}

void cudart_order_waits(cudaStream_t stream)
{
    if (!on)
        return;
    cudart_order_begin(stream, NULL);
    join(&host, &queues[now.queue].before);
    forget_old();
}

void cudart_order_waits_for_all(void)
{
    for (unsigned q = 0; on && q < CUDART_QUEUES; q++)
        join(&host, &queues[q].before);
    forget_old();
}

void cudart_order_record(cudart_handle *event, cudaStream_t stream)
{
    if (!on)
        return;
    cudart_order_begin(stream, NULL);
    event->moment = queues[now.queue].before;
}

void cudart_order_wait_event(cudaStream_t stream, const cudart_handle *event)
{
    if (!on)
        return;
    cudart_order_begin(stream, NULL);
    join(&queues[now.queue].before, &event->moment);
}

void cudart_order_waits_for_event(const cudart_handle *event)
{
    if (!on)
        return;
    join(&host, &event->moment);
    forget_old();
}

void cudart_order_forget(void)
{
    for (unsigned k = 0; k < kept_count; k++)
        simt_free_footprint(kept[k].touched);
    kept_count = 0;
    simt_free_footprint(now.touched);
    memset(&now, 0, sizeof now);
    memset(queues, 0, sizeof queues);
    memset(&host, 0, sizeof host);
    on = false;
}
