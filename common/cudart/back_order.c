/*
 * back_order.c: which work on streams is ordered, and the races of work that is not. Work has ended
 * when the call that enqueued it returns, in one of the orders that a GPU may choose; here the
 * orders that it may not choose are kept apart from those that it may.
 *
 * Every stream has a count of its work and knows how much of each stream's work comes before its
 * next; so does the host, and an event since it was recorded. Work on the default stream comes
 * after all that was enqueued before on streams without cudaStreamNonBlocking, and before all that
 * is enqueued on those later. Each piece of work is compared with those before it that it does not
 * come after, by what they have touched (simt_footprint). Nothing is kept before the first stream
 * is made. Numbers of streams and events may come from another process (wire.h), and be any.
 *
 * Known limits, each of which may miss a race and never invents one: of unordered work only the
 * last pieces are kept; with more streams or events than have room, nothing is known any more; a
 * callback counts as a wait of the host, and so does cudaFreeAsync once it is compared, for its
 * memory may come back to any stream; memory of the host is not looked at; a wait of one host
 * thread counts for all, and cudaStreamPerThread is one stream.
 * Source: CUDA C++ Programming Guide, "Asynchronous Concurrent Execution".
 */
#include <stdlib.h>
#include <string.h>

#include "back_state.h"

enum {
    DEFAULT_STREAM = CUDART_DEFAULT_STREAM,
    PER_THREAD = CUDART_PER_THREAD,
    FIRST_MADE,
    QUEUES = 64,
    EVENTS = 4096,
    KEPT = 64,
    NO_ROOM = QUEUES /* the number of a stream for which there is none */
};

/* How much of the work on each stream comes before something. */
typedef struct moment {
    uint64_t at[QUEUES];
} moment;

static const char *const works[CUDART_WORKS] = {
    [CUDART_COPY] = "cudaMemcpy",
    [CUDART_COPY_ASYNC] = "cudaMemcpyAsync",
    [CUDART_COPY_BOX] = "cudaMemcpy3D",
    [CUDART_COPY_BOX_ASYNC] = "cudaMemcpy3DAsync",
    [CUDART_COPY_TO_SYMBOL] = "cudaMemcpyToSymbol",
    [CUDART_COPY_FROM_SYMBOL] = "cudaMemcpyFromSymbol",
    [CUDART_SET] = "cudaMemset",
    [CUDART_FREE] = "cudaFreeAsync",
};

static struct {
    bool used, blocking;
    uint64_t count; /* its work */
    moment before;  /* what comes before its next work, its own included */
} queues[QUEUES];

static moment host;
static moment *events[EVENTS]; /* what comes before each; null: no such event */

static struct {
    unsigned queue;
    uint64_t number;
    simt_footprint *touched;
} kept[KEPT];
static unsigned kept_count;

typedef struct work {
    unsigned queue;
    uint64_t number; /* in its queue */
    moment before;
    simt_footprint *touched;
    const char *call;
} work;

static work now;    /* that is being enqueued */
static work launch; /* beside which events may be recorded */

static bool on;

static void join(moment *to, const moment *from)
{
    for (unsigned q = 0; q < QUEUES; q++)
        if (from->at[q] > to->at[q])
            to->at[q] = from->at[q];
}

/* Work on a stream that is not known is taken for ordered. */
static unsigned queue_of(unsigned stream)
{
    return stream < QUEUES && queues[stream].used ? stream : DEFAULT_STREAM;
}

static const moment *moment_of(unsigned event)
{
    static const moment none;
    return event < EVENTS && events[event] ? events[event] : &none;
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

/* More streams or events than are told apart: nothing is known any more. */
static void give_up(void)
{
    cudart_order_forget();
    queues[DEFAULT_STREAM].used = true;
    on = false;
}

static unsigned make_stream(unsigned flags)
{
    if (!queues[DEFAULT_STREAM].used) {
        on = queues[DEFAULT_STREAM].used = true;
        queues[PER_THREAD].used = queues[PER_THREAD].blocking = true;
    }
    for (unsigned q = FIRST_MADE; on && q < QUEUES; q++) {
        if (queues[q].used)
            continue;
        queues[q].used = true;
        queues[q].blocking = !(flags & cudaStreamNonBlocking);
        queues[q].before = host;
        return q;
    }
    if (on)
        give_up();
    return NO_ROOM;
}

/* Its number goes to another stream only if the host knows that its work has ended. */
static void drop_stream(unsigned queue)
{
    if (queue >= FIRST_MADE && queue < QUEUES && queues[queue].count <= host.at[queue])
        queues[queue].used = false;
}

static void keep(const work *w, simt_footprint *touched)
{
    for (unsigned k = 0; k < kept_count; k++)
        if (kept[k].number > w->before.at[kept[k].queue])
            simt_compare_footprints(cudart_on.device, kept[k].touched, touched);
    cudart_print_host_findings();
    forget_old();
    if (kept_count == KEPT) {
        simt_free_footprint(kept[0].touched);
        memmove(kept, kept + 1, --kept_count * sizeof *kept);
    }
    kept[kept_count].queue = w->queue;
    kept[kept_count].number = w->number;
    kept[kept_count++].touched = touched;
}

void cudart_order_done(void)
{
    if (now.touched)
        keep(&now, now.touched);
    now.touched = NULL;
    now.call = NULL;
}

static void begin(unsigned stream, const char *call)
{
    simt_keep_footprints(cudart_on.device);
    const unsigned q = now.queue = queue_of(stream);
    moment *before = &queues[q].before;
    join(before, &host);
    for (unsigned b = 0; q == DEFAULT_STREAM && b < QUEUES; b++)
        if (queues[b].used && queues[b].blocking)
            join(before, &queues[b].before);
    if (queues[q].blocking)
        join(before, &queues[DEFAULT_STREAM].before);
    now.before = *before;
    now.call = call;
    before->at[q] = now.number = ++queues[q].count;
}

void cudart_order_touch(simt_addr start, size_t bytes, bool write)
{
    if (on && now.call)
        now.touched =
            simt_range_footprint(now.touched, now.call, cudart_on.called_from, start, bytes, write);
}

void cudart_order_launch(unsigned stream)
{
    cudart_order_done();
    if (on)
        begin(stream, NULL);
    launch = now;
}

void cudart_order_launched(bool whole)
{
    simt_footprint *touched = simt_take_footprint(cudart_on.device);
    if (on && whole && touched)
        keep(&launch, touched);
    else
        simt_free_footprint(touched);
}

static void wait_for(const moment *what)
{
    join(&host, what);
    forget_old();
}

static void wait_for_all(void)
{
    for (unsigned q = 0; q < QUEUES; q++)
        join(&host, &queues[q].before);
    forget_old();
}

/* -> the event's number; 0: there is no room for it, and it cannot be waited for */
static unsigned record(unsigned stream, unsigned event)
{
    if (event == 0 || event >= EVENTS || !events[event])
        for (event = 1; event < EVENTS && events[event]; event++)
            ;
    if (event == EVENTS || (!events[event] && !(events[event] = malloc(sizeof *events[event])))) {
        give_up();
        return 0;
    }
    begin(stream, NULL);
    *events[event] = queues[now.queue].before;
    return event;
}

static void drop_event(unsigned event)
{
    if (event >= EVENTS)
        return;
    free(events[event]);
    events[event] = NULL;
}

unsigned cudart_back_order(cudart_step step, unsigned stream, unsigned other)
{
    cudart_order_done();
    if (cudart_later_is_on())
        return cudart_later_step(step, stream, other);
    if (step == CUDART_STREAM_MADE)
        return make_stream(other);
    if (!on)
        return other;
    switch (step) {
    case CUDART_STREAM_GONE: drop_stream(stream); break;
    case CUDART_BEGINS: begin(stream, other < CUDART_WORKS ? works[other] : NULL); break;
    case CUDART_WAITS:
        begin(stream, NULL);
        wait_for(&queues[now.queue].before);
        break;
    case CUDART_WAITS_FOR_ALL: wait_for_all(); break;
    case CUDART_WAITS_FOR_EVENT: wait_for(moment_of(other)); break;
    case CUDART_RECORDS: return record(stream, other);
    case CUDART_AWAITS:
        begin(stream, NULL);
        join(&queues[now.queue].before, moment_of(other));
        break;
    case CUDART_EVENT_GONE: drop_event(other); break;
    default: break;
    }
    return other;
}

void cudart_order_forget(void)
{
    for (unsigned k = 0; k < kept_count; k++)
        simt_free_footprint(kept[k].touched);
    for (unsigned e = 0; e < EVENTS; e++)
        drop_event(e);
    kept_count = 0;
    simt_free_footprint(now.touched);
    memset(&now, 0, sizeof now);
    memset(queues, 0, sizeof queues);
    memset(&host, 0, sizeof host);
    on = false;
}
