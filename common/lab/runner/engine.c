/*
 * engine.c: the main of the engine's process: between the grader (common/lab/channel.h) and a
 * submission's process (common/cudart/wire.h).
 *
 *   scanlab_engine DEVICE_BYTES HOST_BYTES
 *
 * It holds IN and OUT, device memory, counts, findings and the schedule; it runs the kernels of the
 * PTX that the grader gives it, and asks the submission's process to call the entries. It judges
 * nothing, and takes what that process says for what a stranger says. A submission that has hung
 * up, or has said what no client says, is reported to the grader, and this process ends.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffers.h"
#include "clean.h"
#include "cudart.h"
#include "device.h"
#include "heap.h"
#include "serve.h"

typedef struct engine {
    unsigned char *in, *out;
    size_t room;
    cudart_server server;
    uint64_t nonce; /* of the case under way, or of the one before */
    /* which buffer the client's arrays are, one by one */
    int32_t array_is[WIRE_MAX_ARRAYS];
} engine;

typedef struct buffers {
    run_buffers made;                   /* of host arrays: our view */
    uint64_t argument[LAB_MAX_BUFFERS]; /* as CALL names it */
    unsigned array_count;
    uint64_t host_used; /* bytes of HOST */
} buffers;

static _Noreturn void end_with(const engine *e, channel_kind kind)
{
    channel_mark message = { { 0, 0, 0 } };
    channel_send(CHANNEL_SOCKET, kind, e->nonce, &message.head, sizeof message);
    _exit(0);
}

static bool mark(const engine *e, channel_kind kind)
{
    channel_mark message = { { 0, 0, 0 } };
    return channel_send(CHANNEL_SOCKET, kind, e->nonce, &message.head, sizeof message);
}

/* ---- the submission -------------------------------------------------------------------------- */

static _Noreturn void pass_on_fault(const engine *e, const wire_message *m)
{
    wire_fault f;
    channel_fault fault = { .signal = 0 };

    memcpy(&f, m->tail, sizeof f);
    fault.signal = f.signal;
    fault.has_address = f.has_address != 0;
    fault.device_address = f.device_address != 0;
    fault.stack_overflow = f.stack_overflow != 0;
    fault.write = f.write != 0;
    fault.address = f.address;
    fault.pc = f.pc;
    fault.data_bytes = f.data_bytes;
    fault.buffer = f.array >= 0 && f.array < WIRE_MAX_ARRAYS ? e->array_is[f.array] : -1;
    fault.offset = f.offset;
    channel_send(CHANNEL_SOCKET, CHANNEL_FAULT, e->nonce, &fault.head, sizeof fault);
    _exit(0);
}

/* Says it without waiting: one that does not read what it asked for is no client of ours. */
static void say(const engine *e, const wire_message *m)
{
    if (!wire_send(CHANNEL_CLIENT, m, MSG_DONTWAIT))
        end_with(e, recv(CHANNEL_CLIENT, &(char){ 0 }, 1, MSG_PEEK | MSG_DONTWAIT) == 0
                        ? CHANNEL_LOST
                        : CHANNEL_FORGED);
}

/* Waits for a message of this kind; meanwhile, where it may call, does what it asks for. */
static void hear(engine *e, wire_kind kind, bool may_call, wire_message *m)
{
    for (;;) {
        const wire_receipt receipt = wire_receive(CHANNEL_CLIENT, m);
        if (receipt == WIRE_END)
            end_with(e, CHANNEL_LOST);
        if (receipt == WIRE_GOT && m->head.kind == WIRE_FAULT)
            pass_on_fault(e, m);
        if (receipt == WIRE_GOT && m->head.kind == (uint32_t)kind && !e->server.writing)
            return;
        if (receipt == WIRE_WRONG || !may_call || !cudart_serve(&e->server, m))
            end_with(e, CHANNEL_FORGED);
        say(e, m);
    }
}

/* Where it has nothing to say. */
static void expect_silence(engine *e)
{
    static wire_message m;
    struct pollfd ready = { CHANNEL_CLIENT, POLLIN, 0 };

    while (poll(&ready, 1, 0) > 0 && ready.revents)
        hear(e, WIRE_KINDS, false, &m); /* no such kind: ends, whatever it is */
}

/* A text of the submission's, for the eyes of a student: one line. */
static void clean(char *text, size_t room)
{
    text[room - 1] = '\0';
    clean_line(text);
}

/* ---- a case ---------------------------------------------------------------------------------- */

/* Where the arrays of the host lie, sent to the client before there is anything in them. */
static bool share_arrays(engine *e, const channel_run *run, buffers *b, channel_done *done)
{
    static wire_message m;
    wire_array array;

    memset(&m.head, 0, sizeof m.head);
    for (uint32_t i = 0; i < run->buffer_count; i++) {
        if (!buffers_of_host(run, i))
            continue;
        array = (wire_array){ wire_host(&e->server.layout) + b->host_used,
                              guard_pages(run->buffers[i].bytes), run->buffers[i].bytes,
                              run->guard_front };
        memcpy(m.tail + b->array_count * sizeof array, &array, sizeof array);
        e->array_is[b->array_count] = (int32_t)i;
        b->argument[i] = ++b->array_count;
        b->host_used += array.pages_bytes;
    }
    if (b->array_count == 0)
        return true;
    if (b->host_used > e->server.layout.host_bytes) {
        snprintf(done->error_text, sizeof done->error_text, "the arrays of the host have no room");
        return false;
    }
    m.head.kind = WIRE_MAP;
    m.head.a[0] = b->array_count;
    m.head.a[1] = b->host_used;
    m.head.tail = (uint32_t)(b->array_count * sizeof array);
    say(e, &m);
    hear(e, WIRE_READY, false, &m);
    if (m.head.a[0])
        return true;
    done->status = CHANNEL_NO_ROOM;
    return false;
}

static bool make_buffers(engine *e, const channel_run *run, buffers *b, channel_done *done)
{
    unsigned char *host = e->server.memory + wire_host(&e->server.layout);

    for (uint32_t i = 0; i < run->buffer_count; i++) {
        const channel_buffer *wanted = &run->buffers[i];
        const unsigned char *from = e->in + wanted->offset;
        if (buffers_alias(run, i)) {
            buffers_make_alias(&b->made, i, done);
            b->argument[i] = b->argument[i - 1];
        } else if (buffers_of_host(run, i)) {
            guard_view(&b->made.host[i], host, wanted->bytes, run->guard_front, from);
            host += guard_pages(wanted->bytes);
        } else {
            if (!buffers_make_device(&b->made, run, i, from, done))
                return false;
            b->argument[i] = done->address[i];
        }
    }
    return true;
}

static bool wait_for_go(void)
{
    static channel_message message;
    return channel_receive(CHANNEL_SOCKET, &message, 0) == CHANNEL_GOT &&
           message.head.kind == CHANNEL_GO;
}

/* What a front says of an error that it has found is not known to be its own: a program may have
   sent other words. So a report gives them, advice and all, as what the program says. */
static void quote_why(wire_why *why)
{
    char said[sizeof *why];

    clean(why->detail, sizeof why->detail);
    clean(why->advice, sizeof why->advice);
    if (!why->detail[0])
        return;
    snprintf(said, sizeof said, "%s%s%s", why->detail, why->advice[0] ? "; " : "", why->advice);
    for (char *quote = said; (quote = strchr(quote, '"'));)
        *quote = '\'';
    /* what a message has no room for would be the last quote */
    snprintf(why->detail, sizeof why->detail, "the program says \"%.330s\"", said);
}

/* The call itself, between READY, GO and RETURNED, GO where it is timed. False: the grader is gone.
   *found: there is such an entry. */
static bool call_entry(engine *e, const channel_run *run, const buffers *b, bool *found)
{
    static wire_message m;
    wire_why why;
    const size_t length = strlen(run->entry);

    memset(&m.head, 0, sizeof m.head);
    m.head.kind = WIRE_CALL;
    m.head.a[0] = (uint64_t)run->n;
    m.head.a[1] = run->wide_n;
    m.head.a[2] = run->buffer_count;
    memcpy(m.tail, b->argument, run->buffer_count * sizeof b->argument[0]);
    memcpy(m.tail + run->buffer_count * sizeof b->argument[0], run->entry, length);
    m.head.tail = (uint32_t)(run->buffer_count * sizeof b->argument[0] + length);
    if (run->timed && !(mark(e, CHANNEL_READY) && wait_for_go()))
        return false;
    say(e, &m);
    hear(e, WIRE_RETURNED, true, &m);
    cudart_finish();
    /* what the submission writes from now on comes too late */
    buffers_take_host(&b->made, run, e->out);
    expect_silence(e);
    *found = m.head.a[0] != 0;
    memcpy(&why, m.tail, sizeof why);
    quote_why(&why);
    /* what the program has asked to forget, it cannot say is there */
    cudart_left_behind(cudart_refusal_was_taken() ? 0 : (int)m.head.a[1], why.detail, "");
    return !run->timed || (mark(e, CHANNEL_RETURNED) && wait_for_go());
}

static bool call_before(engine *e, const channel_run *run, const buffers *b)
{
    channel_run one = *run;
    bool found = true, right = true;

    if (run->before == 0)
        return true;
    one.n = 1;
    runner_device_check(run, SIMT_CHECK_BOUNDS | SIMT_CHECK_UNSET);
    for (uint32_t i = 0; found && right && i < run->before && i < CHANNEL_BEFORE; i++)
        right = call_entry(e, &one, b, &found);
    runner_device_check(run, run->config.checks);
    return right;
}

static bool run_case(engine *e, const channel_run *run, channel_done *done)
{
    buffers b;
    bool found = false, on_device = buffers_on_device(run);

    memset(&b, 0, sizeof b);
    expect_silence(e);
    if ((on_device && !runner_device_begin(run, done)) || !share_arrays(e, run, &b, done) ||
        !make_buffers(e, run, &b, done)) {
        if (done->status == CHANNEL_RAN)
            done->status = CHANNEL_SETUP_FAILED;
        buffers_drop_device(&b.made, run);
        return true;
    }
    if (on_device) {
        runner_device_call(run);
        runner_device_trace(run, b.made.device);
    }
    e->server.no_device = !on_device;
    e->server.asked_in_vain = false;
    if (!call_before(e, run, &b) || !call_entry(e, run, &b, &found))
        return false;
    if (on_device) {
        runner_device_end(done);
        runner_device_made(run, b.made.device, done);
        runner_device_observed(run, b.made.device, done);
    } else {
        runner_device_left(e->server.asked_in_vain, done);
    }
    done->asked_blocks = e->server.asked_blocks;
    if (!found)
        done->status = CHANNEL_NO_ENTRY;
    else
        buffers_check_lost(&b.made, run, done);
    if (done->status == CHANNEL_RAN) {
        buffers_fetch_device(&b.made, run, e->out, done);
        buffers_check_guards(&b.made, run, done);
    }
    buffers_drop_device(&b.made, run);
    return true;
}

/* ---- start ----------------------------------------------------------------------------------- */

static void *map_file(int file, size_t *bytes, int rights)
{
    struct stat facts;

    if (fstat(file, &facts) != 0)
        return NULL;
    *bytes = (size_t)facts.st_size;
    void *map = mmap(NULL, *bytes, rights, MAP_SHARED, file, 0);
    return map == MAP_FAILED ? NULL : map;
}

static bool begin(engine *e, char **arguments)
{
    size_t out_bytes = 0, shared_bytes = 0;
    cudart_server *s = &e->server;

    s->layout.device_bytes = strtoull(arguments[1], NULL, 10);
    s->layout.host_bytes = strtoull(arguments[2], NULL, 10);
    e->in = map_file(CHANNEL_IN, &e->room, PROT_READ);
    e->out = map_file(CHANNEL_OUT, &out_bytes, PROT_READ | PROT_WRITE);
    s->memory = map_file(CHANNEL_SHARED, &shared_bytes, PROT_READ | PROT_WRITE);
    s->ptx = map_file(CHANNEL_PTX, &s->ptx_bytes, PROT_READ);
    return e->in && e->out && s->memory && s->ptx && out_bytes == e->room &&
           shared_bytes == wire_bytes(&s->layout) &&
           runner_device_open(s->layout.device_bytes, (unsigned)strtoul(arguments[3], NULL, 10));
}

int main(int count, char **arguments)
{
    static channel_message message;
    static channel_done done;
    static wire_message hello;
    static engine e;

    /* no process of the same user may look inside, or change it */
    prctl(PR_SET_DUMPABLE, 0);
    heap_keep();
    if (count != 4 || !begin(&e, arguments)) {
        fputs("This program is started by `grade` and does nothing by itself.\n", stderr);
        return 2;
    }
    if (!mark(&e, CHANNEL_UP))
        return 2;
    hear(&e, WIRE_HELLO, true, &hello);
    if (!mark(&e, CHANNEL_HELLO))
        return 2;
    while (channel_receive(CHANNEL_SOCKET, &message, 0) == CHANNEL_GOT &&
           message.head.kind == CHANNEL_RUN) {
        const channel_run run = message.run;
        memset(&done, 0, sizeof done);
        e.nonce = run.head.nonce;
        if (run.buffer_count > WIRE_MAX_ARRAYS || !buffers_fit(&run, e.room) ||
            !run_case(&e, &run, &done))
            return 2;
        if (!channel_send(CHANNEL_SOCKET, CHANNEL_DONE, e.nonce, &done.head, sizeof done))
            return 2;
    }
    _exit(0);
}
