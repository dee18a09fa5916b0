/*
 * runner.c: the main of the process that runs a submission on a real GPU, whose driver keeps it in
 * one process with what calls it. See channel.h for what it says to the grader. (On the engine, two
 * processes stand in its place: engine.c and client.c.)
 *
 * It is linked with the student's object into one executable, finds each entry by its name among
 * the executable's own symbols, and judges nothing. It ends when the grader closes the socket.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffers.h"
#include "entry.h"
#include "device.h"
#include "fault.h"
#include "flush.h"

typedef struct shared {
    unsigned char *in, *out;
    size_t room;
} shared;

static bool map_shared(shared *memory)
{
    struct stat in, out;

    if (fstat(CHANNEL_IN, &in) != 0 || fstat(CHANNEL_OUT, &out) != 0 || in.st_size != out.st_size)
        return false;
    memory->room = (size_t)in.st_size;
    memory->in = mmap(NULL, memory->room, PROT_READ, MAP_SHARED, CHANNEL_IN, 0);
    memory->out = mmap(NULL, memory->room, PROT_READ | PROT_WRITE, MAP_SHARED, CHANNEL_OUT, 0);
    return memory->in != MAP_FAILED && memory->out != MAP_FAILED;
}

static bool make_buffers(const channel_run *run, const shared *memory, run_buffers *b,
                         channel_done *done)
{
    for (uint32_t i = 0; i < run->buffer_count; i++) {
        const channel_buffer *wanted = &run->buffers[i];
        const unsigned char *from = memory->in + wanted->offset;
        if (buffers_alias(run, i)) {
            buffers_make_alias(b, i, done);
        } else if (wanted->place == LAB_DEVICE) {
            if (!buffers_make_device(b, run, i, from, done))
                return false;
        } else if (guard_make(&b->host[i], wanted->bytes, run->guard_front)) {
            memcpy(b->host[i].data, from, wanted->bytes);
        } else {
            snprintf(done->error_text, sizeof done->error_text,
                     "no memory for a buffer of %zu bytes", (size_t)wanted->bytes);
            return false;
        }
    }
    return true;
}

static void drop_buffers(const channel_run *run, run_buffers *b)
{
    buffers_drop_device(b, run);
    for (uint32_t i = 0; i < run->buffer_count; i++)
        guard_drop(&b->host[i]);
}

static uint64_t nonce; /* of the case under way, or of the one before */

static void tell_fault(channel_fault *fault)
{
    channel_send(CHANNEL_SOCKET, CHANNEL_FAULT, nonce, &fault->head, sizeof *fault);
}

static bool mark(channel_kind kind, uint64_t of)
{
    channel_mark message = { { 0, 0, 0 } };
    return channel_send(CHANNEL_SOCKET, kind, of, &message.head, sizeof message);
}

static bool wait_for_go(void)
{
    static channel_message message;
    return channel_receive(CHANNEL_SOCKET, &message, 0) == CHANNEL_GOT &&
           message.head.kind == CHANNEL_GO;
}

/* The call itself, between READY, GO and RETURNED, GO where it is timed. False if the grader is
   gone. */
static bool call_timed(const channel_run *run, void *entry, const run_buffers *b,
                       channel_done *done)
{
    const bool on_device = run->timed == CHANNEL_TIMED_DEVICE;
    void *arguments[LAB_MAX_BUFFERS];

    for (uint32_t i = 0; i < run->buffer_count; i++) {
        const uint32_t of = buffers_alias(run, i) ? i - 1 : i;
        arguments[i] = buffers_of_host(run, of) ? b->host[of].data : b->device[of];
    }

    if (on_device)
        runner_device_warm();
    if (run->timed && !(mark(CHANNEL_READY, run->head.nonce) && wait_for_go()))
        return false;
    if (on_device)
        runner_device_time_begin();
    entry_call(entry, arguments, run->buffer_count, run->wide_n, run->n);
    if (on_device)
        runner_device_time_end(done);
    return !run->timed || (mark(CHANNEL_RETURNED, run->head.nonce) && wait_for_go());
}

static bool run_case(const channel_run *run, const shared *memory, channel_done *done)
{
    run_buffers b;
    bool alive = true, on_device = buffers_on_device(run);
    void *entry = dlsym(RTLD_DEFAULT, run->entry);

    memset(&b, 0, sizeof b);
    if (!entry) {
        done->status = CHANNEL_NO_ENTRY;
        return true;
    }
    if ((on_device && !runner_device_begin(run, done)) || !make_buffers(run, memory, &b, done)) {
        done->status = CHANNEL_SETUP_FAILED;
        drop_buffers(run, &b);
        return true;
    }
    nonce = run->head.nonce;
    runner_fault_watch(b.host, run->buffer_count);
    if (on_device) {
        runner_device_call(run);
        runner_device_trace(run, b.device);
    }
    alive = call_timed(run, entry, &b, done);
    if (on_device) {
        runner_device_end(done);
        runner_device_made(run, b.device, done);
    }
    runner_flush_output();
    buffers_check_lost(&b, run, done);
    if (done->status != CHANNEL_FREED) {
        buffers_take_host(&b, run, memory->out);
        buffers_fetch_device(&b, run, memory->out, done);
        buffers_check_guards(&b, run, done);
    }
    runner_fault_watch(NULL, 0);
    drop_buffers(run, &b);
    return alive;
}

int main(void)
{
    static channel_message message;
    static channel_done done;
    shared memory;

    if (!map_shared(&memory)) {
        fputs("This program is started by `grade` and does nothing by itself.\n", stderr);
        return 2;
    }
    for (int fd = CHANNEL_IN; fd < CHANNEL_FIRST_FREE; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    /* a line at a time: what was printed before a crash is seen */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    runner_fault_install(tell_fault);
    runner_device_prepare();
    if (!mark(CHANNEL_HELLO, 0))
        return 2;
    while (channel_receive(CHANNEL_SOCKET, &message, 0) == CHANNEL_GOT &&
           message.head.kind == CHANNEL_RUN) {
        const channel_run run = message.run;
        memset(&done, 0, sizeof done);
        if (!buffers_fit(&run, memory.room) || !run_case(&run, &memory, &done))
            return 2;
        if (!channel_send(CHANNEL_SOCKET, CHANNEL_DONE, run.head.nonce, &done.head, sizeof done))
            return 2;
    }
    _exit(0); /* the grader is done: no exit handlers of the submission */
}
