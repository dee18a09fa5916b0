/*
 * wire.h: what a submission's process (the client) and the engine's process say to each other.
 *
 * The client holds the student's host code and the front of the CUDA runtime. The engine holds
 * device memory, the kernels that the grader compiled, counts, findings, the schedule, inputs and
 * outputs. Nothing that the client says is believed: the engine counts what it does itself, judges
 * nothing by the client's word, and bounds every number it is given.
 *
 * Two descriptors: a SOCK_SEQPACKET socket, WIRE_SOCKET in the client, and a memfd of a fixed size,
 * WIRE_MEMORY. The memfd (wire_layout) has three parts. STAGE: bytes of copies, for the length of
 * one call. WINDOWS: managed and mapped memory, each page at the same offset as its device address
 * has. HOST: the arrays of a lab that computes on the host.
 *
 * A message is a wire_head, `tail` bytes after it and no more, at most WIRE_TAIL.
 *
 *     client                                  engine
 *     HELLO                              ->            main has begun; the kernels are registered
 *                                        <-   MAP      host arrays: where in HOST, how large
 *     READY                              ->            they are mapped; now the engine fills them
 *                                        <-   CALL     entry and arguments
 *        any number of:
 *        a call (WIRE_OPEN .. WIRE_FACTS)  ->
 *                                        <-   REPLY    one for each call, with its error
 *     RETURNED                           ->            the entry returned; cudaGetLastError; why
 *
 *     FAULT, at any time                 ->            a signal kills the client: which, where
 *
 * Turns. The client speaks first, once; then it speaks when it is spoken to, and between CALL and
 * RETURNED it may call: one call, then its reply. Before HELLO it may call too (a constructor
 * does). The engine never waits to send: a client that does not read its replies is at fault.
 *
 * Waits. The host has waited for the device when the client says so (WAIT), when it gets what is
 * there (READ), and when it frees memory as cudaFree does: each is counted, and nothing that is not
 * counted lets it TOUCH what a kernel has made.
 *
 * What a message asks for is what counts: a FREE that does not wait is cudaFreeAsync, a launch on
 * stream 0 is one on the default stream, for whoever sends it. Streams, events and page-locked
 * memory are what was asked for by KEEP and not let go of. Of what a program says of itself the
 * engine believes one thing, the error that an entry has left (RETURNED); and not that either
 * where it was made to refuse something, and was asked to forget that (TAKEN).
 *
 * What is wrong ends the client, and the verdict is POLICY: an unknown kind, another size, a kind
 * out of turn, a TOUCH without a wait after a launch. A call whose arguments are wrong (a handle,
 * an address, a length that is none) is a CUDA error like any other. A socket that closes is the
 * client's end; what that means is for the grader to see, who started it. Descriptors that come
 * along are dropped. After a kernel's fault every call that uses the device returns that fault;
 * while an entry is called that computes on the host, every such call returns cudaErrorNoDevice.
 *
 * What the client learns, it could ask of CUDA: error codes, addresses of its own memory, sizes,
 * what is in memory that it reads. No nonce, no counts, no findings, no seed. Of the schedule it
 * learns, when it asks (FACTS, OCCUPANCY, BEST), how many blocks can be resident, as
 * multiprocessors: without that no program could size a grid whose blocks wait for each other.
 */
#ifndef CUDART_WIRE_H
#define CUDART_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { WIRE_MEMORY = 3, WIRE_SOCKET = 4, WIRE_FIRST_FREE = 5 };

/* Arguments are a[0], a[1] ... in this order; a reply's values likewise. */
typedef enum wire_kind {
    WIRE_REPLY = 1, /* a[0]: cudaError_t; values from a[1] on */
    /* of the engine */
    WIRE_MAP,  /* a[0]: arrays (tail: a wire_array each), a[1]: bytes of HOST in use */
    WIRE_CALL, /* a[0]: n, a[1]: n is long long, a[2]: arrays; tail: their addresses, the entry */
    /* of the client */
    WIRE_HELLO,
    WIRE_READY, /* a[0]: arrays are mapped; 0: no memory */
    /* a[0]: 0 no such entry, 1 it returned; a[1]: cudaGetLastError; tail: a wire_why */
    WIRE_RETURNED,
    WIRE_FAULT, /* tail: a wire_fault */
    /* calls; -> what a reply holds */
    WIRE_OPEN, /* -> the device's first address, bytes from there; how many GPUs */
    WIRE_RESET,
    WIRE_WAIT,       /* 1: by a copy from the host or a host function, 0: by a call for that */
    WIRE_MEMORY_OF,  /* -> free bytes, all bytes */
    WIRE_ALLOC,      /* bytes, cudart_kind -> address; managed and mapped: in WINDOWS from there */
    WIRE_FREE,       /* address, cudart_kind, 1: by cudaFree, which waits */
    WIRE_HOLDS,      /* address -> is it in a live allocation? */
    WIRE_WRITE,      /* to, pitch, width, height -> the rows may be staged */
    WIRE_STAGED,     /* after WRITE: they are, one after the other */
    WIRE_READ,       /* from, pitch, width, height -> the rows are staged likewise */
    WIRE_COPY,       /* to, pitch, from, pitch, width, height */
    WIRE_FILL,       /* to, pitch, value, width, height */
    WIRE_LOAD,       /* the submission's module */
    WIRE_KERNEL,     /* tail: name -> handle, parameters, bytes; tail: offset and size of each */
    WIRE_SYMBOL,     /* tail: name -> address, bytes */
    WIRE_ATTRIBUTES, /* handle -> shared, constant, local bytes, threads, registers, dynamic */
    WIRE_DYNAMIC,    /* handle, bytes */
    WIRE_OCCUPANCY,  /* handle, threads, dynamic bytes -> blocks */
    WIRE_BEST,       /* handle, dynamic bytes, limit -> threads, blocks */
    /* handle, grid x | y << 32, grid z | block x << 32, block y | z << 32, dynamic bytes,
       1: cooperative, the stream's number, where in the program (for reports); tail: parameters ->
       fault */
    WIRE_LAUNCH,
    WIRE_TOUCH, /* address of managed memory -> it is in its window */
    /* cudart_step, stream, its third value (back.h) -> a number, if it has one; fault */
    WIRE_ORDER,
    /* address: the host has changed what a copy was to bring there; where in the program (for
       reports) */
    WIRE_CHANGED,
    WIRE_KEEP,   /* bytes -> a number: memory is page-locked; 0: a stream or an event is made */
    WIRE_LET_GO, /* the number: it is unlocked or destroyed */
    WIRE_TAKEN,  /* cudaGetLastError has taken an error away */
    WIRE_FACTS,  /* -> multiprocessors, the most blocks that one holds */
    WIRE_USE,    /* GPU: the calls that follow are for it */
    WIRE_PEER,   /* GPU, another one, 1: its kernels may use that one's memory, 0: no longer */
    WIRE_KINDS
} wire_kind;

typedef struct wire_head {
    uint32_t kind, tail;
    uint64_t a[8];
} wire_head;

enum { WIRE_TAIL = 4096, WIRE_MAX_ARRAYS = 8 };

typedef struct wire_message {
    wire_head head;
    unsigned char tail[WIRE_TAIL];
} wire_message;

typedef struct wire_array { /* of the host: whole pages of HOST, a guard page on either side */
    uint64_t offset, pages_bytes, bytes;
    uint64_t front; /* it begins at the guard page rather than end at one */
} wire_array;

typedef struct wire_why { /* about the error of RETURNED, if the front knows: its word alone */
    char detail[512], advice[320];
} wire_why;

typedef struct wire_fault { /* see channel_fault */
    int32_t signal;
    uint32_t has_address, device_address, stack_overflow, write;
    int32_t array; /* whose guard page was hit, else -1 */
    uint64_t address, pc, data_bytes;
    int64_t offset;
} wire_fault;

/* Both ends know it from these two; all three are multiples of a page. */
typedef struct wire_layout {
    uint64_t device_bytes; /* of the device's address range: STAGE and WINDOWS are as large */
    uint64_t host_bytes;   /* of HOST */
} wire_layout;

static inline uint64_t wire_windows(const wire_layout *l) { return l->device_bytes; }
static inline uint64_t wire_host(const wire_layout *l) { return 2 * l->device_bytes; }
static inline uint64_t wire_bytes(const wire_layout *l)
{
    return 2 * l->device_bytes + l->host_bytes;
}

/* How many bytes a message of this kind has after its head: at most; *exact: and no less. */
size_t wire_tail(uint32_t kind, bool *exact);

typedef enum wire_receipt { WIRE_GOT, WIRE_END, WIRE_WRONG } wire_receipt;

/* Sends it whole; false: the other end is gone, or does not read. Async-signal-safe. */
bool wire_send(int socket, const wire_message *message, int flags);
/* Waits for one message. WIRE_WRONG: a size that its kind does not have. Async-signal-safe. */
wire_receipt wire_receive(int socket, wire_message *message);

#endif
