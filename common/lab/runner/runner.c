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

#include "channel.h"
#include "entry.h"
#include "guard.h"
#include "device.h"
#include "fault.h"
#include "flush.h"

typedef struct shared {
    unsigned char *in, *out;
    size_t room;
} shared;

typedef struct buffers {
    void *data[LAB_MAX_BUFFERS];   /* what the entry gets */
    guard guards[LAB_MAX_BUFFERS]; /* of host buffers */
} buffers;

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

/* Is buffer i another name of buffer 0? */
static bool is_alias(const channel_run *run, uint32_t i) { return run->in_place && i == 1; }

static bool make_buffers(const channel_run *run, const shared *memory, buffers *b,
                         channel_done *done)
{
    for (uint32_t i = 0; i < run->buffer_count; i++) {
        const channel_buffer *wanted = &run->buffers[i];
        const unsigned char *from = memory->in + wanted->offset;
        if (is_alias(run, i)) {
            b->data[i] = b->data[0];
            done->address[i] = done->address[0];
        } else if (wanted->place == LAB_DEVICE) {
            b->data[i] =
                runner_device_make(from, wanted->bytes, wanted->shift, wanted->unwritten, done);
            if (!b->data[i])
                return false;
            done->address[i] = (uint64_t)(uintptr_t)b->data[i];
        } else if (guard_make(&b->guards[i], wanted->bytes, run->guard_front)) {
            b->data[i] = b->guards[i].data;
            memcpy(b->data[i], from, wanted->bytes);
        } else {
            snprintf(done->error_text, sizeof done->error_text,
                     "no memory for a buffer of %zu bytes", (size_t)wanted->bytes);
            return false;
        }
    }
    return true;
}

static void drop_buffers(const channel_run *run, buffers *b)
{
    for (uint32_t i = 0; i < run->buffer_count; i++) {
        if (is_alias(run, i))
            continue;
        if (run->buffers[i].place == LAB_DEVICE)
            runner_device_drop(b->data[i], run->buffers[i].shift);
        else
            guard_drop(&b->guards[i]);
    }
}

static bool has_device_buffer(const channel_run *run)
{
    for (uint32_t i = 0; i < run->buffer_count; i++)
        if (run->buffers[i].place == LAB_DEVICE)
            return true;
    return false;
}

/* Everything back, inputs too: the grader looks whether they were changed. */
static void copy_back(const channel_run *run, const shared *memory, const buffers *b,
                      channel_done *done)
{
    done->copied = 1;
    for (uint32_t i = 0; i < run->buffer_count; i++) {
        unsigned char *to = memory->out + run->buffers[i].offset;
        if (run->buffers[i].place == LAB_HOST)
            memcpy(to, b->data[i], run->buffers[i].bytes);
        else if (!runner_device_fetch(to, b->data[i], run->buffers[i].bytes))
            done->copied = 0;
    }
    if (has_device_buffer(run))
        runner_device_look(done);
}

static void check_guards(const channel_run *run, const buffers *b, channel_done *done)
{
    for (uint32_t i = 0; i < run->buffer_count; i++) {
        size_t distance = 0;
        if (is_alias(run, i))
            continue;
        int side = run->buffers[i].place == LAB_DEVICE ? runner_device_damage(b->data[i], &distance)
                                                       : guard_damage(&b->guards[i]);
        if (side == 0)
            continue;
        done->status = CHANNEL_OVERRUN;
        done->buffer = i;
        done->side = side;
        done->distance = distance;
    }
}

/* The caller's arrays that are gone when the entry has returned. */
static void check_lost(const channel_run *run, const buffers *b, channel_done *done)
{
    uint32_t lost = 0, on_device = 0;

    for (uint32_t i = run->buffer_count; i-- > 0;) {
        if (run->buffers[i].place != LAB_DEVICE)
            continue;
        on_device++;
        if (!runner_device_lost(b->data[i]))
            continue;
        lost++;
        done->status = CHANNEL_FREED;
        done->buffer = i;
    }
    done->side = lost > 1 && lost == on_device;
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
static bool call_timed(const channel_run *run, void *entry, const buffers *b, channel_done *done)
{
    const bool on_device = run->timed == CHANNEL_TIMED_DEVICE;

    if (on_device)
        runner_device_warm();
    if (run->timed && !(mark(CHANNEL_READY, run->head.nonce) && wait_for_go()))
        return false;
    if (on_device)
        runner_device_time_begin();
    entry_call(entry, b->data, run->buffer_count, run->wide_n, run->n);
    if (on_device)
        runner_device_time_end(done);
    return !run->timed || (mark(CHANNEL_RETURNED, run->head.nonce) && wait_for_go());
}

static bool run_case(const channel_run *run, const shared *memory, channel_done *done)
{
    buffers b;
    bool alive = true, on_device = has_device_buffer(run);
    void *entry = dlsym(RTLD_DEFAULT, run->entry);

    memset(&b, 0, sizeof b);
    if (!entry) {
        done->status = CHANNEL_NO_ENTRY;
        return true;
    }
    if ((on_device && !runner_device_begin(&run->config, done)) ||
        !make_buffers(run, memory, &b, done)) {
        done->status = CHANNEL_SETUP_FAILED;
        drop_buffers(run, &b);
        return true;
    }
    nonce = run->head.nonce;
    runner_fault_watch(b.guards, run->buffer_count);
    if (on_device) {
        runner_device_call();
        runner_device_trace(run, b.data);
    }
    alive = call_timed(run, entry, &b, done);
    if (on_device) {
        runner_device_end(done);
        runner_device_made(run, b.data, done);
    }
    runner_flush_output();
    check_lost(run, &b, done);
    if (done->status != CHANNEL_FREED) {
        copy_back(run, memory, &b, done);
        check_guards(run, &b, done);
    }
    runner_fault_watch(NULL, 0);
    drop_buffers(run, &b);
    return alive;
}

/* The grader's request is trusted, but its sizes are checked: a mistake there would be a crash
   here. */
static bool fits(const channel_run *run, const shared *memory)
{
    for (uint32_t i = 0; i < run->buffer_count; i++)
        if (run->buffers[i].offset > memory->room ||
            run->buffers[i].bytes > memory->room - run->buffers[i].offset)
            return false;
    return run->buffer_count >= 1 && run->buffer_count <= LAB_MAX_BUFFERS &&
           run->entry[CHANNEL_ENTRY_ROOM - 1] == '\0';
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
        if (!fits(&run, &memory) || !run_case(&run, &memory, &done))
            return 2;
        if (!channel_send(CHANNEL_SOCKET, CHANNEL_DONE, run.head.nonce, &done.head, sizeof done))
            return 2;
    }
    _exit(0); /* the grader is done: no exit handlers of the submission */
}
