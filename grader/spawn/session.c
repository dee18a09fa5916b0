/*
 * session.c: see session.h and common/lab/channel.h.
 */
#define _GNU_SOURCE
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clean.h"
#include "config.h"
#include "confine.h"
#include "file.h"
#include "guard.h"
#include "rng.h"
#include "wire.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010 /* Linux 5.1 */
#endif

enum { TICK_MS = 20, TASKS = 512, LARGEST_PTX = 1 << 26 };
static const double COMPUTING_PART = 0.75; /* of the time: then the time went into kernels */

/* of address space: what threads reserve and never use */
static const size_t SPARE_BYTES = (size_t)1 << 30;

static const double start_seconds = 20, start_seconds_cuda = 90, grace_seconds = 5;

typedef struct seconds_used {
    double kit;    /* that are not the submission's, of a clock's */
    double own;    /* of processors, by its threads */
    double queued; /* for which the engine or the program was ready and had no processor */
} seconds_used;

struct session {
    session_options options;
    char *program, *folder;
    int in, out, socket; /* memfds; our end of the socket, -1 without a child */
    int ptx, shared;     /* memfds, -1 without an engine; shared: of wire.h */
    unsigned char *in_map, *out_map;
    size_t room;
    process engine; /* none where the child holds what it calls */
    process child;
    bool up;                  /* HELLO came, and nothing went wrong since */
    uint64_t number;          /* of the child */
    double began, spent;      /* a start or a case; seconds of total_seconds */
    double hosted;            /* seconds of host_seconds */
    seconds_used before, now; /* as the start or the case began, and at its last message */
    uint64_t printed_before;  /* bytes printed before this case */
};

/* ---- shared memory --------------------------------------------------------------------------- */

static int make_memory(const char *name, size_t room, int seals, unsigned char **map)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    *map = MAP_FAILED;
    if (ftruncate(fd, (off_t)room) == 0)
        *map = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    /* After our mapping: from now on nobody can change the size, nor get a new writable view of
       IN. */
    if (*map == MAP_FAILED || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | seals) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Read once, before any process of the submission's has run: what is in the file later does not
   count. */
static int take_ptx(const char *path, base_error *error)
{
    char *text;
    size_t bytes;
    int fd = -1;

    if (!file_read(path, LARGEST_PTX, &text, &bytes, error))
        return -1;
    fd = memfd_create("scanlab ptx", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 &&
        (write(fd, text, bytes) != (ssize_t)bytes ||
         fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)) {
        close(fd);
        fd = -1;
    }
    free(text);
    if (fd < 0)
        error_set(error, "cannot keep the kernels' code: %s", strerror(errno));
    return fd;
}

session *session_open(const session_options *options, base_error *error)
{
    session *s = calloc(1, sizeof *s);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    if (!s) {
        error_set(error, "no memory for a grading session");
        return NULL;
    }
    confine_find(options->cuda);
    s->options = *options;
    s->room = (options->room + page) / page * page;
    s->socket = s->in = s->out = s->ptx = s->shared = -1;
    s->in_map = s->out_map = MAP_FAILED;
    s->engine.output = s->child.output = -1;
    s->program = strdup(options->program);
    s->folder = strdup(options->folder);
    s->in = make_memory("scanlab in", s->room, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL, &s->in_map);
    s->out = make_memory("scanlab out", s->room, F_SEAL_SEAL, &s->out_map);
    if (!s->program || !s->folder || s->in < 0 || s->out < 0) {
        error_set(error,
                  "cannot share %zu bytes with the runner: %s (Linux 5.1 or newer is needed)",
                  s->room, strerror(errno));
        session_close(s);
        return NULL;
    }
    if (options->ptx && (s->ptx = take_ptx(options->ptx, error)) < 0) {
        session_close(s);
        return NULL;
    }
    return s;
}

/* ---- the child ------------------------------------------------------------------------------- */

static void copy_printed(const session *s, session_outcome *outcome)
{
    uint64_t fresh = s->child.tail.total - s->printed_before;
    outcome->printed_bytes = fresh;
    if (fresh > s->child.tail.used)
        fresh = s->child.tail.used;
    memcpy(outcome->printed, s->child.tail.text + s->child.tail.used - fresh, fresh);
    outcome->printed[fresh] = '\0';
}

static void end_child(session *s, session_outcome *outcome)
{
    process_end(&s->engine);
    process_end(&s->child);
    if (s->socket >= 0)
        close(s->socket);
    if (s->shared >= 0)
        close(s->shared);
    s->socket = s->shared = -1;
    s->up = false;
    if (!outcome)
        return;
    if (s->child.ended) {
        outcome->exit_status = WIFEXITED(s->child.status) ? WEXITSTATUS(s->child.status) : -1;
        outcome->signal = WIFSIGNALED(s->child.status) ? WTERMSIG(s->child.status) : 0;
    }
    copy_printed(s, outcome);
}

void session_close(session *s)
{
    if (!s)
        return;
    end_child(s, NULL);
    if (s->in_map != MAP_FAILED)
        munmap(s->in_map, s->room);
    if (s->out_map != MAP_FAILED)
        munmap(s->out_map, s->room);
    if (s->in >= 0)
        close(s->in);
    if (s->out >= 0)
        close(s->out);
    if (s->ptx >= 0)
        close(s->ptx);
    free(s->program);
    free(s->folder);
    free(s);
}

/* given: bytes of memory that it is given to map; reserved: that it maps and hardly touches */
static process_limits limits_of(const session *s, size_t given, size_t reserved)
{
    return (process_limits){
        .data_bytes = SCANLAB_SANITIZED ? 0 : s->options.memory_bytes + reserved,
        .space_bytes = SCANLAB_SANITIZED || s->options.cuda
                           ? 0
                           : 2 * (s->options.memory_bytes + reserved) + given + SPARE_BYTES,
        .file_bytes = SIZE_MAX,
        .descriptors = s->options.cuda ? 4096 : 256,
        .tasks = TASKS
    };
}

/* The runner of a real GPU: the child holds what it calls. */
static bool start_alone(session *s, base_error *error)
{
    int pair[2];
    const char *const arguments[] = { s->program, NULL };
    const confine_rules confine = { .kind = CONFINE_PROGRAM,
                                    .gpu = s->options.cuda,
                                    .read = arguments };

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return error_set(error, "cannot make a socket: %s", strerror(errno));
    process_spec spec = { .arguments = arguments,
                          .folder = s->folder,
                          .given = { s->in, s->out, pair[1] },
                          .limits = limits_of(s, 2 * s->room, 0),
                          .confine = &confine };
    if (s->options.cuda)
        spec.environment = process_gpu_environment;
    bool started = process_start(&s->child, &spec, error);
    close(pair[1]);
    if (!started) {
        close(pair[0]);
        return false;
    }
    s->socket = pair[0];
    return true;
}

/* Descriptors of one start of engine and submission; all are ours to close. */
typedef struct ends {
    int grader[2]; /* we, the engine */
    int client[2]; /* the engine, the submission */
    int shared;    /* memfd of wire.h */
    int output[2]; /* the pipe that both print to, and that neither can open to read */
} ends;

static void close_all(ends *e)
{
    int *const all[] = { &e->grader[0], &e->grader[1], &e->client[0], &e->client[1],
                         &e->shared,    &e->output[0], &e->output[1] };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (*all[i] >= 0)
            close(*all[i]);
}

static wire_layout layout_of(const session *s)
{
    return (wire_layout){ guard_pages(s->options.device_bytes),
                          s->room + LAB_MAX_BUFFERS * guard_pages(1) };
}

/* Fresh for each start: nothing is left for the next process to find. */
static bool make_ends(const session *s, ends *e)
{
    const wire_layout layout = layout_of(s);

    *e = (ends){ { -1, -1 }, { -1, -1 }, -1, { -1, -1 } };
    e->shared = memfd_create("scanlab shared", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, e->grader) == 0 &&
           socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, e->client) == 0 &&
           pipe2(e->output, O_CLOEXEC) == 0 && fchmod(e->output[1], S_IWUSR) == 0 &&
           e->shared >= 0 && ftruncate(e->shared, (off_t)wire_bytes(&layout)) == 0 &&
           fcntl(e->shared, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

static bool start_engine(session *s, const ends *e, base_error *error)
{
    const wire_layout layout = layout_of(s);
    char device[24], host[24], gpus[12];
    const char *arguments[] = { SCANLAB_ENGINE, device, host, gpus, NULL };
    const char *const read[] = { SCANLAB_ENGINE, NULL };
    const confine_rules confine = { .kind = CONFINE_PROGRAM, .engine = true, .read = read };
    const process_spec spec = {
        .arguments = arguments,
        .folder = "/", /* it has no other */
        .given = { s->in, s->out, e->grader[1], e->client[0], e->shared, s->ptx },
        .output = { e->output[0], e->output[1] },
        .limits = limits_of(s, 2 * s->room + wire_bytes(&layout), s->options.reserved),
        .confine = &confine
    };

    snprintf(device, sizeof device, "%llu", (unsigned long long)layout.device_bytes);
    snprintf(host, sizeof host, "%llu", (unsigned long long)layout.host_bytes);
    snprintf(gpus, sizeof gpus, "%u", s->options.gpus ? s->options.gpus : 1);
    return process_start(&s->engine, &spec, error);
}

static bool start_client(session *s, const ends *e, base_error *error)
{
    const wire_layout layout = layout_of(s);
    const char *const arguments[] = { s->program, NULL };
    const confine_rules confine = { .kind = CONFINE_PROGRAM, .read = arguments };
    const process_spec spec = { .arguments = arguments,
                                .folder = s->folder,
                                .given = { e->shared, e->client[1] },
                                .output = { e->output[0], e->output[1] },
                                /* the device's addresses besides */
                                .limits =
                                    limits_of(s, wire_bytes(&layout) + layout.device_bytes, 0),
                                .confine = &confine };

    return process_start(&s->child, &spec, error);
}

/* The engine is out of the reach of processes that start from now on. */
static bool wait_for_engine(session *s, int socket, base_error *error)
{
    struct pollfd ready = { socket, POLLIN, 0 };
    channel_message message;

    poll(&ready, 1, (int)(start_seconds * 1000));
    if (channel_receive(socket, &message, MSG_DONTWAIT) == CHANNEL_GOT &&
        message.head.kind == CHANNEL_UP)
        return true;
    process_end(&s->engine);
    return error_set(error, "the engine, %s, does not start; build it again: cmake --build build",
                     SCANLAB_ENGINE);
}

static bool start_both(session *s, base_error *error)
{
    ends e;
    bool started = false;

    if (!make_ends(s, &e))
        error_set(error, "cannot connect two processes: %s", strerror(errno));
    else
        started = start_engine(s, &e, error) && wait_for_engine(s, e.grader[0], error) &&
                  start_client(s, &e, error);
    if (started) {
        s->socket = e.grader[0];
        s->child.output = e.output[0];
        s->shared = e.shared;
        fcntl(e.output[0], F_SETFL, O_NONBLOCK);
        e.grader[0] = e.output[0] = e.shared = -1;
    } else {
        process_end(&s->engine);
    }
    close_all(&e);
    return started;
}

static bool start_child(session *s, base_error *error)
{
    s->printed_before = 0;
    return s->options.ptx ? start_both(s, error) : start_alone(s, error);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static bool too_loud(const session *s)
{
    return s->child.tail.total - s->printed_before > s->options.output_bytes;
}

/* The socket has closed: the child is ending, or pretends to. */
static session_ending ending_of_exit(session *s)
{
    double deadline = process_clock() + grace_seconds;

    while (!process_look(&s->child) && process_clock() < deadline) {
        poll(NULL, 0, 1);
        process_read(&s->child);
        if (too_loud(s))
            return SESSION_LOUD;
    }
    if (!s->child.ended)
        return SESSION_FORGED; /* it closed the runner's socket and lives on */
    if (!WIFSIGNALED(s->child.status))
        return SESSION_EXITED;
    /* Nobody here sent SIGKILL: the system did, because memory ran out. */
    if (WTERMSIG(s->child.status) == SIGKILL ||
        s->child.peak_bytes > s->options.memory_bytes / 10 * 9)
        return SESSION_BIG;
    return SESSION_SIGNALED;
}

/* The engine's socket has closed. */
static session_ending ending_of_engine(session *s)
{
    process_end(&s->engine); /* it is ending */
    return WIFSIGNALED(s->engine.status) &&
                   (WTERMSIG(s->engine.status) == SIGKILL ||
                    s->engine.peak_bytes > s->options.memory_bytes / 10 * 9)
               ? SESSION_BIG
               : SESSION_BROKEN;
}

/* Takes one message. True if it is the one awaited; else *ending says what happened, or stays
   SESSION_DONE: wait on. */
static bool take_message(session *s, channel_kind kind, uint64_t nonce, channel_message *message,
                         session_outcome *outcome, session_ending *ending)
{
    channel_receipt receipt = channel_receive(s->socket, message, MSG_DONTWAIT);

    if (receipt != CHANNEL_GOT) {
        if (receipt == CHANNEL_END)
            *ending = s->options.ptx ? ending_of_engine(s) : ending_of_exit(s);
        else if (receipt == CHANNEL_MALFORMED)
            *ending = SESSION_FORGED;
        return false;
    }
    if (message->head.kind == CHANNEL_FAULT) {
        outcome->has_fault = true;
        outcome->fault = message->fault;
        *ending = ending_of_exit(s);
        return false;
    }
    if (message->head.kind == CHANNEL_LOST) {
        *ending = ending_of_exit(s);
        return false;
    }
    if (message->head.kind == (uint32_t)kind && message->head.nonce == nonce)
        return true;
    *ending = SESSION_FORGED;
    return false;
}

/* All that the two have, against one limit. Pages that no process has mapped count as well: what is
   shared may be larger than the machine's memory. */
static bool is_big(const session *s)
{
    const process_memory engine = process_memory_of(&s->engine),
                         child = process_memory_of(&s->child);
    struct stat facts;
    size_t shared = engine.shared > child.shared ? engine.shared : child.shared;

    if (s->shared >= 0 && fstat(s->shared, &facts) == 0 && (size_t)facts.st_blocks * 512 > shared)
        shared = (size_t)facts.st_blocks * 512;
    return engine.own + child.own + shared > s->options.memory_bytes;
}

/* The kit's: the engine computed, or one of the two was ready to and had no processor. */
static seconds_used used_by(const session *s)
{
    const double engine = process_queued_seconds(&s->engine),
                 child = process_queued_seconds(&s->child);
    return (seconds_used){ process_cpu_seconds(&s->engine) + engine + child,
                           process_cpu_seconds(&s->child),
                           (engine > 0 ? engine : 0) + (child > 0 ? child : 0) };
}

/* Is there a limit to the rest? Not with a GPU, where nobody sees who works; nor where the kernel
   does not say how long a process was queued. */
static bool is_host_limited(const session *s)
{
    return s->options.ptx && s->options.host_seconds > 0 && process_queued_seconds(&s->engine) >= 0;
}

static double host_left(const session *s)
{
    return is_host_limited(s) ? s->options.host_seconds - s->hosted : HUGE_VAL;
}

static double left_of(const session *s)
{
    const double left =
        s->options.total_seconds > 0 ? s->options.total_seconds - s->spent : HUGE_VAL;
    return left < host_left(s) ? left : host_left(s);
}

/* Begins what may take `seconds`. Returns how many the limits leave it. */
static double begin(session *s, double seconds)
{
    s->began = process_clock();
    s->before = s->now = used_by(s);
    return seconds < left_of(s) ? seconds : left_of(s);
}

/* Seconds since then that count, as s->now has it. */
static double counted(const session *s)
{
    return process_counted_seconds(process_clock() - s->began, s->now.queued - s->before.queued);
}

/* Has it taken longer than it may? Who is queued is asked for only where the clock says so. */
static bool is_late(session *s, double allowed)
{
    if (process_clock() - s->began <= allowed)
        return false;
    s->now = used_by(s);
    return counted(s) > allowed;
}

/* Did the engine compute, or was queued to, for most of the time, and for more than the program? */
static bool has_computed(const session *s)
{
    const double kit = s->now.kit - s->before.kit, queued = s->now.queued - s->before.queued;

    return kit > COMPUTING_PART * (process_clock() - s->began) &&
           kit - queued > 3 * (s->now.own - s->before.own);
}

static void end(session *s)
{
    const double took = process_clock() - s->began, own = s->now.own - s->before.own;
    double host = took - (s->now.kit - s->before.kit);

    if (host < own)
        host = own; /* who waits for a processor may wait for threads of its own */
    s->spent += counted(s);
    if (host > 0)
        s->hosted += host;
}

/* Where the program is that takes too long, if it answers soon. */
static void ask_where(session *s, session_outcome *outcome)
{
    enum { TURNS = 5 };
    channel_message message;

    process_ask(&s->child);
    for (int turn = 0; turn < TURNS && !outcome->has_fault; turn++) {
        struct pollfd ready = { s->socket, POLLIN, 0 };
        if (poll(&ready, 1, TICK_MS) <= 0)
            continue;
        if (channel_receive(s->socket, &message, MSG_DONTWAIT) != CHANNEL_GOT)
            break;
        outcome->has_fault = message.head.kind == CHANNEL_FAULT;
        outcome->fault = message.fault;
    }
}

/* Waits for a message of that kind and nonce, as long as what has begun may take; else ends the
   child, and outcome->ending says why. */
static bool await(session *s, channel_kind kind, uint64_t nonce, double allowed,
                  channel_message *message, session_outcome *outcome)
{
    session_ending ending = SESSION_DONE;

    while (ending == SESSION_DONE) {
        struct pollfd ready[] = { { s->socket, POLLIN, 0 }, { s->child.output, POLLIN, 0 } };
        poll(ready, 2, TICK_MS); /* a closed output is -1: ignored */
        if (ready[1].revents)
            process_read(&s->child);
        if (ready[0].revents && take_message(s, kind, nonce, message, outcome, &ending)) {
            s->now = used_by(s);
            return true;
        }
        if (ending != SESSION_DONE)
            break;
        if (too_loud(s))
            ending = SESSION_LOUD;
        else if (!ready[0].revents && is_big(s))
            ending = SESSION_BIG;
        else if (!ready[0].revents && !s->options.ptx && process_look(&s->child))
            ending = ending_of_exit(s); /* a child of its own may still hold the socket */
        else if (is_late(s, allowed))
            ending = SESSION_LATE;
    }
    outcome->ending = ending;
    s->now = used_by(s);
    outcome->used_up = ending == SESSION_LATE && counted(s) > left_of(s);
    outcome->by_host = outcome->used_up && counted(s) > host_left(s);
    outcome->computing = has_computed(s);
    if (ending == SESSION_LATE && !outcome->computing)
        ask_where(s, outcome);
    end_child(s, outcome);
    return false;
}

static void clear(session_outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    outcome->exit_status = -1;
}

bool session_ready(session *s, session_outcome *outcome, bool *ended, base_error *error)
{
    channel_message message;

    clear(outcome);
    *ended = false;
    if (s->up && !process_look(&s->child)) {
        outcome->ready = true;
        return true;
    }
    end_child(s, NULL);
    if (!start_child(s, error))
        return false;
    const double allowed = begin(s, s->options.cuda ? start_seconds_cuda : start_seconds);
    const bool up = await(s, CHANNEL_HELLO, 0, allowed, &message, outcome);
    end(s);
    if (!up && (s->child.never_ran || s->engine.never_ran))
        return error_set(error, "a program of the grader's was not started: %s", outcome->printed);
    if (!up) {
        *ended = true;
        return false;
    }
    static uint64_t children;
    s->number = ++children;
    s->up = outcome->ready = true;
    return true;
}

void session_renew(session *s) { end_child(s, NULL); }

uint64_t session_child(const session *s) { return s->up ? s->number : 0; }

/* ---- one case -------------------------------------------------------------------------------- */

static void fill_shared(session *s, const session_job *job)
{
    memcpy(s->in_map, job->data->given, job->data->total_bytes);
    judge_fill_pattern(s->out_map, job->data->total_bytes, job->data->lost);
}

static void fill_request(channel_run *run, const session_job *job)
{
    memset(run, 0, sizeof *run);
    strncpy(run->entry, job->part->entry, sizeof run->entry - 1);
    run->n = (int64_t)job->data->n;
    run->wide_n = job->part->wide_n;
    run->timed = job->timed;
    run->guard_front = job->guard_front;
    run->in_place = job->in_place;
    run->same_place = job->same_place;
    run->tail = job->tail;
    run->front = job->front;
    run->repeated = (uint32_t)job->repeated;
    run->before = job->before;
    run->refuse_launches = job->refuse_launches;
    run->refuse_allocation = job->refuse_allocation;
    run->buffer_count = job->data->count;
    for (unsigned b = 0; b < job->data->count; b++) {
        const lab_buffer *buffer = &job->part->buffers[b];
        run->buffers[b] = (channel_buffer){ buffer->place,
                                            buffer->role != LAB_IN,
                                            buffer->role == LAB_NOTE,
                                            job->data->bytes[b],
                                            job->data->offset[b],
                                            job->shifted ? judge_element_bytes(buffer->type) : 0,
                                            job->tail && buffer->rising ? job->data->n : 0 };
    }
    run->config = job->config;
}

/* READY, GO, RETURNED, GO: the child stands still while its clock is read, before and after the
   call. Processor time, not the wall's: on a busy machine the wall's tells mostly whose turn it
   was. The device's time is the child's to tell; our own clock, which no program can set, says how
   long it can have been. */
static bool time_call(session *s, const session_job *job, uint64_t nonce, double allowed,
                      session_outcome *outcome)
{
    const bool device = job->timed == CHANNEL_TIMED_DEVICE;
    channel_message message;
    channel_mark go = { { 0, 0, 0 } };
    double start;

    if (!device) {
        /* all that are timed against each other on one processor, with the same neighbours; and the
           engine there too: to wake a process elsewhere costs more than a short call */
        process_pin(&s->child);
        if (s->options.ptx)
            process_pin(&s->engine);
    }
    if (!await(s, CHANNEL_READY, nonce, allowed, &message, outcome))
        return false;
    start = device ? process_clock() : process_cpu_seconds(&s->child);
    channel_send(s->socket, CHANNEL_GO, nonce, &go.head, sizeof go);
    if (!await(s, CHANNEL_RETURNED, nonce, allowed, &message, outcome))
        return false;
    outcome->seconds = (device ? process_clock() : process_cpu_seconds(&s->child)) - start;
    channel_send(s->socket, CHANNEL_GO, nonce, &go.head, sizeof go);
    return true;
}

/* Messages that wait before the case has begun were not sent by the runner. */
static bool spoke_too_early(session *s)
{
    channel_message message;
    channel_receipt receipt = channel_receive(s->socket, &message, MSG_DONTWAIT);
    return receipt == CHANNEL_GOT || receipt == CHANNEL_MALFORMED;
}

/* A text that ends, that a terminal shows as it is, and that makes no line of a report. */
static void end_text(char *text, size_t room)
{
    text[room - 1] = '\0';
    clean_line(text);
}

static void end_site(simt_site *site)
{
    end_text(site->file, sizeof site->file);
    end_text(site->kernel, sizeof site->kernel);
}

/* The child's strings end, its numbers are in range: it may be anything that sent them. */
static void take_done(const channel_done *from, channel_done *done)
{
    *done = *from;
    end_text(done->error_advice, sizeof done->error_advice);
    end_text(done->error_name, sizeof done->error_name);
    end_text(done->error_text, sizeof done->error_text);
    if (done->findings > CHANNEL_FINDINGS)
        done->findings = CHANNEL_FINDINGS;
    if (done->buffer >= LAB_MAX_BUFFERS)
        done->buffer = 0;
    for (unsigned f = 0; f < done->findings; f++) {
        simt_finding *finding = &done->finding[f];
        end_site(&finding->at);
        end_site(&finding->other);
        end_text(finding->variable, sizeof finding->variable);
        end_text(finding->text, sizeof finding->text);
        if (finding->kind == SIMT_ASSERT || finding->cause == SIMT_CAUSE_LAUNCHES_APART ||
            finding->cause == SIMT_CAUSE_SOURCE_CHANGED)
            end_text(finding->function, sizeof finding->function);
        if ((unsigned)finding->kind >= SIMT_FINDING_KINDS)
            finding->kind = SIMT_NO_FINDING;
    }
    if (done->waits > CHANNEL_WAITS)
        done->waits = CHANNEL_WAITS;
    for (unsigned w = 0; w < done->waits; w++) {
        end_site(&done->wait[w].at);
        end_site(&done->wait[w].writer_at);
        end_text(done->wait[w].variable, sizeof done->wait[w].variable);
    }
}

/* A CUDA context that has failed stays failed: the next case needs a fresh process. What was only
   refused spoils nothing. */
static bool is_spoilt(const channel_done *done)
{
    bool spoilt = (done->error != 0 && done->refused == 0) || done->status != CHANNEL_RAN;
    for (unsigned f = 0; f < done->findings; f++)
        spoilt = spoilt || done->finding[f].fatal;
    return spoilt;
}

static void run_case(session *s, const session_job *job, session_outcome *outcome)
{
    channel_run run;
    channel_message message;
    uint64_t nonce = 0;
    const double allowed = begin(s, s->options.seconds);

    clear(outcome);
    outcome->ready = true;
    process_read(&s->child);
    s->printed_before = s->child.tail.total;
    if (!rng_secret_seed(&nonce, NULL) || nonce == 0)
        nonce ^= (uint64_t)(uintptr_t)s ^ (uint64_t)(process_clock() * 1e9);
    if (spoke_too_early(s)) {
        outcome->ending = SESSION_FORGED;
        end_child(s, outcome);
        return;
    }
    process_pause(&s->child, false);
    fill_shared(s, job);
    fill_request(&run, job);
    /* a dead child shows in await */
    channel_send(s->socket, CHANNEL_RUN, nonce, &run.head, sizeof run);
    if (job->timed && !time_call(s, job, nonce, allowed, outcome))
        return;
    if (!await(s, CHANNEL_DONE, nonce, allowed, &message, outcome))
        return;
    memcpy(job->data->got, s->out_map, job->data->total_bytes);
    if (job->in_place) { /* the input is gone, and may be */
        const size_t input = job->data->offset[job->in_place - 1];
        const size_t bytes = job->data->bytes[job->in_place - 1];
        memcpy(job->data->got + input, job->data->given + input,
               job->tail > 0 && job->tail < bytes ? job->tail : bytes);
    }
    outcome->ending = SESSION_DONE;
    take_done(&message.done, &outcome->done);
    process_read(&s->child);
    copy_printed(s, outcome);
    if (is_spoilt(&outcome->done))
        end_child(s, NULL);
    else if (job->timed && s->options.ptx)
        process_pause(&s->child, true); /* others are timed now */
}

void session_run(session *s, const session_job *job, session_outcome *outcome)
{
    run_case(s, job, outcome);
    end(s);
}
