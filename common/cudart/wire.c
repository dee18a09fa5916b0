/*
 * wire.c: whole messages in, whole messages out. See wire.h.
 */
#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <sched.h>
#include <sys/socket.h>
#include <time.h>

size_t wire_tail(uint32_t kind, bool *exact)
{
    *exact = false;
    switch (kind) {
    case WIRE_REPLY:
    case WIRE_MAP:
    case WIRE_CALL:
    case WIRE_KERNEL:
    case WIRE_SYMBOL:
    case WIRE_LAUNCH: return WIRE_TAIL;
    case WIRE_RETURNED: *exact = true; return sizeof(wire_why);
    case WIRE_FAULT: *exact = true; return sizeof(wire_fault);
    default: *exact = true; return 0;
    }
}

static bool fits(const wire_message *message, size_t got)
{
    bool exact;
    if (got < sizeof message->head || message->head.kind == 0 || message->head.kind >= WIRE_KINDS)
        return false;
    const size_t most = wire_tail(message->head.kind, &exact), tail = message->head.tail;
    return tail <= most && (!exact || tail == most) && got == sizeof message->head + tail;
}

bool wire_send(int socket, const wire_message *message, int flags)
{
    const size_t size = sizeof message->head + message->head.tail;
    ssize_t sent;
    do
        sent = send(socket, message, size, flags | MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)size;
}

static int64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1000000000ll * now.tv_sec + now.tv_nsec;
}

/* Most answers come within some microseconds, and to be woken on another processor takes longer
   than that: so it looks for a while, and lets others run, before it sleeps. */
wire_receipt wire_receive(int socket, wire_message *message)
{
    enum { LOOKS = 50000 }; /* nanoseconds */
    const int64_t begin = nanoseconds();
    int flags = MSG_TRUNC | MSG_DONTWAIT;
    ssize_t got;

    while ((got = recv(socket, message, sizeof *message, flags)) < 0) {
        if (errno == EAGAIN && nanoseconds() - begin > LOOKS)
            flags = MSG_TRUNC;
        else if (errno == EAGAIN)
            sched_yield();
        else if (errno != EINTR)
            break;
    }
    if (got <= 0)
        return WIRE_END;
    return fits(message, (size_t)got) ? WIRE_GOT : WIRE_WRONG;
}
