/*
 * client.c: the main of a submission's process, linked with the student's object and a CUDA runtime
 * whose device is in the engine's process. What it says, and what it is asked:
 * common/cudart/wire.h.
 *
 * It calls the entries it is asked to call, knows no input before they are ready, and judges
 * nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda_runtime_api.h"
#include "cudart.h"
#include "device.h"
#include "entry.h"
#include "fault.h"
#include "flush.h"
#include "guard.h"
#include "remote.h"

static guard arrays[WIRE_MAX_ARRAYS];
static unsigned array_count;

bool runner_device_opens(const void *address) { return cudart_let_touch(address); }
bool runner_device_has(uint64_t address) { return simt_is_device_address(address); }

static void tell_fault(channel_fault *f)
{
    const wire_fault fault = { f->signal,     f->has_address, f->device_address, f->stack_overflow,
                               f->write,      f->buffer,      f->address,        f->pc,
                               f->data_bytes, f->offset };
    wire_message m;

    memset(&m.head, 0, sizeof m.head);
    m.head.kind = WIRE_FAULT;
    m.head.tail = sizeof fault;
    memcpy(m.tail, &fault, sizeof fault);
    wire_send(WIRE_SOCKET, &m, 0);
}

static void drop_arrays(void)
{
    runner_fault_watch(NULL, 0);
    for (unsigned i = 0; i < array_count; i++)
        guard_drop(&arrays[i]);
    array_count = 0;
}

static bool map_arrays(const wire_message *m)
{
    wire_array wanted;
    struct stat shared;

    /* those of the call before: after RETURNED this process is still, since its clock is read
       then */
    drop_arrays();
    if (fstat(WIRE_MEMORY, &shared) != 0)
        return false;
    for (unsigned i = 0;
         i < m->head.a[0] && i < WIRE_MAX_ARRAYS && (i + 1) * sizeof wanted <= m->head.tail; i++) {
        memcpy(&wanted, m->tail + i * sizeof wanted, sizeof wanted);
        if (wanted.offset > (uint64_t)shared.st_size || wanted.bytes > (uint64_t)shared.st_size ||
            guard_pages(wanted.bytes) > (uint64_t)shared.st_size - wanted.offset ||
            !guard_share(&arrays[i], wanted.bytes, wanted.front, WIRE_MEMORY, wanted.offset))
            return false;
        array_count = i + 1;
    }
    runner_fault_watch(arrays, array_count);
    return true;
}

/* An argument that is a host array's number, from 1, stands for that array: device addresses are
   larger. */
static void *argument(uint64_t value)
{
    return value >= 1 && value <= array_count ? arrays[value - 1].data : (void *)(uintptr_t)value;
}

/* The one of the call before is known: a search would be timed. */
static void *find_entry(const char *name)
{
    static char known[256];
    static void *entry;

    if (!entry || strcmp(name, known) != 0) {
        snprintf(known, sizeof known, "%s", name);
        entry = dlsym(RTLD_DEFAULT, name);
    }
    return entry;
}

static void call(wire_message *m)
{
    const bool sound =
        m->head.a[2] <= WIRE_MAX_ARRAYS && m->head.a[2] * sizeof(uint64_t) <= m->head.tail;
    const unsigned count = sound ? (unsigned)m->head.a[2] : 0;
    void *arguments[WIRE_MAX_ARRAYS];
    char name[256];
    static wire_why why;
    uint64_t value;

    for (unsigned i = 0; i < count; i++) {
        memcpy(&value, m->tail + i * sizeof value, sizeof value);
        arguments[i] = argument(value);
    }
    snprintf(name, sizeof name, "%.*s", (int)(m->head.tail - count * sizeof value),
             (const char *)m->tail + count * sizeof value);
    void *entry = find_entry(name);
    if (entry) {
        entry_call(entry, arguments, count, m->head.a[1] != 0, (long long)m->head.a[0]);
        runner_flush_output();
    }
    const int error = cudart_caller_waits();
    memset(&m->head, 0, sizeof m->head);
    m->head.a[0] = entry != NULL;
    m->head.a[1] = (uint64_t)error;
    m->head.tail = sizeof why;
    why.detail[0] = why.advice[0] = '\0';
    if (m->head.a[1]) {
        snprintf(why.detail, sizeof why.detail, "%s", cudart_detail());
        snprintf(why.advice, sizeof why.advice, "%s", cudart_advice());
    }
    memcpy(m->tail, &why, sizeof why);
    cudart_tell(WIRE_RETURNED, m);
}

int main(void)
{
    static wire_message m;
    socklen_t size = sizeof(int);
    int type;

    if (getsockopt(WIRE_SOCKET, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET) {
        fputs("This program is started by `grade` and does nothing by itself.\n", stderr);
        return 2;
    }
    for (int fd = WIRE_MEMORY; fd < WIRE_FIRST_FREE; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    /* a line at a time: what was printed before a crash is seen */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    runner_fault_install(tell_fault);
    cudart_watch_host();
    cudart_tell(WIRE_HELLO, &m);
    while (cudart_hear(&m)) {
        if (m.head.kind == WIRE_MAP) {
            const bool mapped = map_arrays(&m);
            memset(&m.head, 0, sizeof m.head);
            m.head.a[0] = mapped;
            cudart_tell(WIRE_READY, &m);
        } else if (m.head.kind == WIRE_CALL) {
            call(&m);
        } else {
            break;
        }
    }
    _exit(0); /* the engine is done: no exit handlers of the submission */
}
