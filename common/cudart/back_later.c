/*
 * back_later.c: work that is under way on several GPUs, in this process. Interface: cudart_later_*
 * in back_state.h. With one GPU nothing here is used: all work has ended when the call that
 * enqueued it returns.
 *
 * A kernel that may wait for another one (simt_communicates) cannot run alone, as the other may be
 * launched on another GPU only after it. So it is kept, and so is all work that comes after it on
 * its stream, until the host waits for some of it; then everything that is kept runs: each time
 * what needs nothing that is left, kernels that may wait all together (simt_launch_group).
 *
 * What comes after what: work on one stream in its order; work on the default stream of a GPU after
 * all before it on that GPU's streams without cudaStreamNonBlocking, and before all later on those;
 * what comes after cudaStreamWaitEvent, after what the event was recorded after.
 *
 * Known limits: a copy to the host, and cudaFree, wait for all; a host that looks in mapped memory
 * for what a kernel stores, and calls nothing, looks for ever; a kernel that waits for what comes
 * after a copy or an event on another stream is found in a deadlock; races of work that nothing
 * orders are found between kernels that run together, not between them and copies (back_order.c is
 * for one GPU). Source: CUDA C++ Programming Guide, "Multi-Device System".
 */
#include <stdlib.h>
#include <string.h>

#include "back_state.h"

enum { QUEUES = 512, EVENTS = 4096, NEEDS = 4, FIRST_MADE = SIMT_MAX_GPUS, NONE = -1 };

typedef enum work_kind { WORK_LAUNCH, WORK_WRITE, WORK_COPY, WORK_FILL, WORK_ORDER } work_kind;

typedef struct work {
    work_kind kind;
    unsigned queue;
    int needs[NEEDS]; /* works in front of it that come first; NONE: no more */
    bool done;
    cudart_queued launch; /* with memory of its own */
    simt_addr to, from;
    size_t to_pitch, from_pitch, width, height;
    unsigned char *data; /* WRITE: its rows */
    uint8_t value;
    const cudart_later_moves *moves; /* of all but launches */
} work;

static cudart_later_runs *run_together; /* of launches */

static struct {
    work *items;
    unsigned count, room, left; /* left: not done */
} works;

/* The first ones are the GPUs' default streams. */
static struct {
    bool used, blocking;
    unsigned gpu;
    int last; /* its last work, which may be done */
} queues[QUEUES];

static int events[EVENTS]; /* 1 + the work that it was recorded after; 0: it is done */
static unsigned event_count = 1;

static bool running; /* what is kept is being done: it is kept no more */

static struct {
    unsigned queue;
    bool async;
} now; /* the work that is being enqueued */

bool cudart_later_is_on(void) { return cudart_on.gpus > 1; }

static bool is_left(int w)
{
    return w != NONE && (unsigned)w < works.count && !works.items[w].done;
}

static void start(void)
{
    for (unsigned q = 0; q < QUEUES && !queues[0].used; q++)
        queues[q].last = NONE;
    for (unsigned g = 0; g < cudart_on.gpus; g++) {
        queues[g].used = queues[g].blocking = true;
        queues[g].gpu = g;
    }
}

static unsigned queue_of(unsigned stream)
{
    start();
    return stream >= FIRST_MADE && stream < QUEUES && queues[stream].used ? stream : cudart_on.gpu;
}

/* What comes before the next work on the queue, as far as it is left: the last on each queue that
   it comes after. How many; more than there is room for: all is done first. */
static unsigned find_needs(unsigned queue, int needs[NEEDS])
{
    unsigned count = 0;
    for (unsigned k = 0; k < NEEDS; k++)
        needs[k] = NONE;
    for (unsigned q = 0; q < QUEUES && works.left; q++) {
        const bool same = q == queue, with_default = queues[q].gpu == queues[queue].gpu &&
                                                     queues[q].blocking && queues[queue].blocking &&
                                                     (q < FIRST_MADE || queue < FIRST_MADE);
        if (!queues[q].used || !(same || with_default) || !is_left(queues[q].last))
            continue;
        if (count == NEEDS) {
            cudart_later_run();
            return find_needs(queue, needs);
        }
        needs[count++] = queues[q].last;
    }
    return count;
}

/* Null: the host has no memory. */
static work *add(work_kind kind, unsigned queue, const int needs[NEEDS])
{
    if (works.count == works.room) {
        const unsigned room = works.room ? 2 * works.room : 64;
        work *grown = realloc(works.items, room * sizeof *grown);
        if (!grown)
            return NULL;
        works.items = grown;
        works.room = room;
    }
    work *w = &works.items[works.count];
    *w = (work){ .kind = kind, .queue = queue };
    memcpy(w->needs, needs, sizeof w->needs);
    queues[queue].last = (int)works.count++;
    works.left++;
    return w;
}

/* ---- running what is kept -------------------------------------------------------------------- */

static bool is_ready(const work *w)
{
    for (unsigned k = 0; k < NEEDS; k++)
        if (is_left(w->needs[k]))
            return false;
    return true;
}

static void end(work *w)
{
    w->done = true;
    works.left--;
    free(w->data);
    free(w->launch.params);
    w->data = NULL;
    w->launch.params = NULL;
}

static void do_work(const work *w)
{
    cudaError_t error = cudaSuccess;
    if (w->kind == WORK_WRITE)
        error = w->moves->write(w->to, w->to_pitch, w->data, w->width, w->width, w->height);
    else if (w->kind == WORK_COPY)
        error = w->moves->copy(w->to, w->to_pitch, w->from, w->from_pitch, w->width, w->height);
    else if (w->kind == WORK_FILL)
        error = w->moves->fill(w->to, w->to_pitch, w->value, w->width, w->height);
    if (error != cudaSuccess && cudart.pending == cudaSuccess)
        cudart.pending = error;
}

/* All that needs nothing and waits for nobody. */
static bool do_ready(void)
{
    bool any = false;
    for (unsigned i = 0; i < works.count; i++) {
        work *w = &works.items[i];
        if (w->done || !is_ready(w) || (w->kind == WORK_LAUNCH && w->launch.communicates))
            continue;
        const cudart_queued *one = &w->launch;
        if (w->kind == WORK_LAUNCH)
            run_together(&one, NULL, 1);
        else
            do_work(w);
        end(w);
        any = true;
    }
    return any;
}

/* Where in the group the one work is that w still needs, from 1; 0: it needs none; -1: it needs
   more, or what is not in the group. */
static int place_in_group(const work *w, const unsigned *group, unsigned count)
{
    int place = 0;
    for (unsigned k = 0; k < NEEDS; k++) {
        if (!is_left(w->needs[k]))
            continue;
        unsigned at = 0;
        while (at < count && group[at] != (unsigned)w->needs[k])
            at++;
        if (at == count || place)
            return -1;
        place = (int)at + 1;
    }
    return place;
}

/* Kernels that need nothing, or only one of these that runs before them. */
static bool run_group(void)
{
    const cudart_queued *launches[SIMT_MAX_GROUP];
    unsigned group[SIMT_MAX_GROUP], after[SIMT_MAX_GROUP], count = 0;
    for (unsigned i = 0; i < works.count && count < SIMT_MAX_GROUP; i++) {
        const work *w = &works.items[i];
        const int place = w->done || w->kind != WORK_LAUNCH ? -1 : place_in_group(w, group, count);
        if (place < 0)
            continue;
        group[count] = i;
        after[count] = (unsigned)place;
        launches[count++] = &w->launch;
    }
    if (count)
        run_together(launches, after, count);
    for (unsigned k = 0; k < count; k++)
        end(&works.items[group[k]]);
    return count > 0;
}

void cudart_later_run(void)
{
    if (running || !works.left)
        return;
    running = true;
    while (works.left && cudart.pending == cudaSuccess && (do_ready() || run_group()))
        continue;
    for (unsigned i = 0; i < works.count; i++) /* after a fault it is dropped */
        if (!works.items[i].done)
            end(&works.items[i]);
    works.count = works.left = 0;
    for (unsigned q = 0; q < QUEUES; q++)
        queues[q].last = NONE;
    memset(events, 0, sizeof events);
    running = false;
}

void cudart_finish(void)
{
    if (cudart_later_is_on())
        cudart_later_run();
}

void cudart_later_forget(void)
{
    for (unsigned i = 0; i < works.count; i++)
        if (!works.items[i].done)
            end(&works.items[i]);
    free(works.items);
    memset(&works, 0, sizeof works);
    memset(queues, 0, sizeof queues);
    memset(events, 0, sizeof events);
    event_count = 1;
}

/* ---- keeping it ------------------------------------------------------------------------------ */

static void run_if_left(unsigned queue)
{
    int needs[NEEDS];
    if (find_needs(queue, needs))
        cudart_later_run();
}

static void run_if_gpu_has_any(unsigned gpu)
{
    for (unsigned q = 0; q < QUEUES; q++)
        if (queues[q].used && queues[q].gpu == gpu && is_left(queues[q].last))
            cudart_later_run();
}

bool cudart_later_launch(const cudart_queued *launch, unsigned stream, cudart_later_runs *runs)
{
    int needs[NEEDS];
    const unsigned queue = queue_of(stream);
    run_together = runs;
    if (!cudart_later_is_on() || (!find_needs(queue, needs) && !launch->communicates))
        return false;
    void *params = malloc(launch->args.param_bytes + 1);
    work *w = params ? add(WORK_LAUNCH, queue, needs) : NULL;
    if (!w) {
        free(params);
        cudart_later_run();
        return false;
    }
    w->launch = *launch;
    w->launch.params = params;
    if (launch->args.param_bytes)
        memcpy(params, launch->args.params, launch->args.param_bytes);
    return true;
}

/* Room for a copy or a fill that is to be kept; null: it is to be done now, and nothing is left
   that it comes after. */
static work *keep(work_kind kind, const cudart_later_moves *moves)
{
    int needs[NEEDS];
    if (!cudart_later_is_on() || running || !works.left || !find_needs(now.queue, needs))
        return NULL;
    work *w = now.async ? add(kind, now.queue, needs) : NULL;
    if (w)
        w->moves = moves;
    else
        cudart_later_run();
    return w;
}

bool cudart_later_write(simt_addr to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height, const cudart_later_moves *moves)
{
    unsigned char *data = works.left ? malloc(width * height + 1) : NULL;
    work *w = data ? keep(WORK_WRITE, moves) : NULL;
    if (!w) {
        free(data);
        cudart_later_settle();
        return false;
    }
    for (size_t row = 0; row < height; row++)
        memcpy(data + row * width, (const unsigned char *)from + row * from_pitch, width);
    w->data = data;
    w->to = to;
    w->to_pitch = to_pitch;
    w->width = width;
    w->height = height;
    return true;
}

bool cudart_later_copy(simt_addr to, size_t to_pitch, simt_addr from, size_t from_pitch,
                       size_t width, size_t height, const cudart_later_moves *moves)
{
    work *w = keep(WORK_COPY, moves);
    if (!w)
        return false;
    w->to = to;
    w->to_pitch = to_pitch;
    w->from = from;
    w->from_pitch = from_pitch;
    w->width = width;
    w->height = height;
    return true;
}

bool cudart_later_fill(simt_addr to, size_t pitch, uint8_t value, size_t width, size_t height,
                       const cudart_later_moves *moves)
{
    work *w = keep(WORK_FILL, moves);
    if (!w)
        return false;
    w->to = to;
    w->to_pitch = pitch;
    w->value = value;
    w->width = width;
    w->height = height;
    return true;
}

void cudart_later_settle(void)
{
    if (cudart_later_is_on() && !running && works.left)
        run_if_left(now.queue);
}

/* ---- order ----------------------------------------------------------------------------------- */

static unsigned make_stream(unsigned flags)
{
    start();
    for (unsigned q = FIRST_MADE; q < QUEUES; q++) {
        if (queues[q].used)
            continue;
        queues[q].used = true;
        queues[q].blocking = !(flags & cudaStreamNonBlocking);
        queues[q].gpu = cudart_on.gpu;
        queues[q].last = NONE;
        return q;
    }
    return CUDART_DEFAULT_STREAM;
}

static unsigned record(unsigned queue, unsigned event)
{
    int needs[NEEDS];
    if (event == 0 || event >= event_count)
        event = event_count < EVENTS ? event_count++ : 0;
    work *w = find_needs(queue, needs) ? add(WORK_ORDER, queue, needs) : NULL;
    events[event] = w ? (int)works.count : 0;
    return event;
}

static void await(unsigned queue, unsigned event)
{
    int needs[NEEDS];
    const int after = event < EVENTS ? events[event] - 1 : NONE;
    unsigned count = is_left(after) ? find_needs(queue, needs) : NEEDS;
    if (!is_left(after))
        return;
    if (count == NEEDS) {
        cudart_later_run();
        return;
    }
    needs[count] = after;
    if (!add(WORK_ORDER, queue, needs))
        cudart_later_run();
}

unsigned cudart_later_step(cudart_step step, unsigned stream, unsigned other)
{
    const unsigned queue = queue_of(stream);
    switch (step) {
    case CUDART_STREAM_MADE: return make_stream(other);
    case CUDART_STREAM_GONE:
        if (queue >= FIRST_MADE) {
            run_if_left(queue);
            queues[queue].used = false;
        }
        break;
    case CUDART_BEGINS:
        now.queue = queue;
        now.async =
            other == CUDART_COPY_ASYNC || other == CUDART_COPY_BOX_ASYNC || other == CUDART_SET;
        break;
    case CUDART_FINISH: run_if_left(queue); break;
    case CUDART_FINISH_GPU:
        if (other)
            cudart_later_run();
        else
            run_if_gpu_has_any(cudart_on.gpu);
        break;
    case CUDART_FINISH_EVENT:
        if (other < EVENTS && is_left(events[other] - 1))
            cudart_later_run();
        break;
    case CUDART_RECORDS: return record(queue, other);
    case CUDART_AWAITS: await(queue, other); break;
    default: break;
    }
    return other;
}
