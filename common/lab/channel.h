/*
 * channel.h: what the grader (the parent) and the process that calls the student's functions say to
 * each other. That process is the engine's, which asks the submission's over wire.h
 * (common/cudart); or, on a real GPU, the runner, which is linked with the student's code.
 *
 * Three file descriptors, inherited under fixed numbers: CHANNEL_IN, a memfd that the parent fills
 * and the child may only read; CHANNEL_OUT, a memfd that the child writes; CHANNEL_SOCKET, a
 * SOCK_SEQPACKET socket for the messages below. The parent has sealed the sizes of both memfds, so
 * that no ftruncate by the child can take memory from under the parent.
 *
 *     child                      parent
 *     UP                  ->             the engine alone: now the submission may be started
 *     HELLO               ->     draws the seed, fills IN, poisons OUT
 *                         <-     RUN     (nonce, entry, buffers, schedule)
 *     READY               ->             if timed: buffers are in place, the call comes next
 *                         <-     GO      if timed: the parent has read its clocks (the child's
 *                                        processor time, and its own)
 *     RETURNED            ->             if timed: the call and its kernels have ended; the parent
 *                                        reads its clocks again, while the child waits
 *                         <-     GO      if timed
 *     DONE or FAULT       ->     copies OUT, then judges the copy
 *     LOST or FORGED      ->             the engine alone, at any time: the submission has hung up,
 *                                        or sent what no client sends
 *
 * On a real GPU the student's code shares the child's address space and could send any of these
 * itself: RUN carries a nonce that did not exist before, and a message without it ends the run. On
 * the engine it has no descriptor to send them by.
 *
 * Messages are structs, sent whole; the kind comes first. Both ends are built from the same header.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab.h"
#include "simt.h"

enum { CHANNEL_IN = 3, CHANNEL_OUT = 4, CHANNEL_SOCKET = 5, CHANNEL_FIRST_FREE = 6 };
/* The engine's own: its socket to the submission, the memory that they share (wire.h), and the PTX
   that the grader compiled. */
enum { CHANNEL_CLIENT = 6, CHANNEL_SHARED = 7, CHANNEL_PTX = 8 };

/* The engine keeps allocations 64 KiB apart: an access between two is an index out of range of the
   nearer buffer. */
enum { CHANNEL_APART = 1 << 15 };
enum { CHANNEL_BEFORE = 1 << 13 };

enum { CHANNEL_ENTRY_ROOM = 128, CHANNEL_TEXT_ROOM = 512, CHANNEL_FINDINGS = 8, CHANNEL_WAITS = 8 };

/* Whose time is asked for. A device's own events time its work; the parent's clock is read before
   and after them. */
typedef enum channel_timing { CHANNEL_UNTIMED, CHANNEL_TIMED, CHANNEL_TIMED_DEVICE } channel_timing;

typedef enum channel_kind {
    CHANNEL_HELLO = 1,
    CHANNEL_RUN,
    CHANNEL_READY,
    CHANNEL_GO,
    CHANNEL_RETURNED,
    CHANNEL_DONE,
    CHANNEL_FAULT,
    CHANNEL_UP,
    CHANNEL_LOST,
    CHANNEL_FORGED
} channel_kind;

typedef struct channel_head {
    uint32_t kind;
    uint32_t size;  /* of the whole message, so that two builds that disagree notice */
    uint64_t nonce; /* 0 in HELLO and UP; of the run in all others, or of the one before */
} channel_head;

/* One buffer of the entry. Its bytes are at `offset` in IN, and go to the same offset in OUT: all
   of them, inputs too. */
typedef struct channel_buffer {
    uint32_t place;     /* lab_place */
    uint32_t unwritten; /* what the entry finds there has no meaning: an output */
    uint32_t note;      /* LAB_NOTE: how many elements back lies what element i has found */
    uint64_t bytes, offset;
    /* on the device it begins this many bytes after a boundary of 256: 0 to 255 */
    uint64_t shift;
    /* not 0: of a run with a tail, element i of k, an int, is i * rises / k before the tail, unless
       k is more than CHANNEL_RISING */
    uint64_t rises;
} channel_buffer;

enum { CHANNEL_RISING = 1 << 22 };

typedef struct channel_run {
    channel_head head;
    char entry[CHANNEL_ENTRY_ROOM]; /* C symbol, called as entry(buffer..., n) */
    int64_t n;
    uint32_t wide_n; /* n is passed as long long, not as int */
    /* channel_timing: READY, GO, RETURNED and GO around the call */
    uint32_t timed;
    /* host buffers begin at a guard page rather than end at one */
    uint32_t guard_front;
    /* this buffer, an output, is the one before it, an input, which need not come back; 0: none */
    uint32_t in_place;
    /* on the engine: device buffers lie where those of the run before lay, if they are as large;
       else they lie elsewhere */
    uint32_t same_place;
    uint32_t buffer_count;
    /* of each buffer, which is on the device, IN and OUT hold the last so many bytes alone, and
       what is before them is zeros; 0: all of it. For runs with config.excerpt */
    uint64_t tail;
    /* of these runs: buffer 0 begins with its last bytes, too, if it has room for both; and the
       last bytes are there again and again, in so many at its start and at its end. In OUT the
       first `tail` bytes of a buffer that has room for both follow the last ones */
    uint32_t front, repeated;
    /* the entry is called so often with n = 1 first, in the same arrays: at most CHANNEL_BEFORE */
    uint32_t before;
    /* on the engine, as cudart_refuse says */
    uint32_t refuse_launches, refuse_allocation;
    channel_buffer buffers[LAB_MAX_BUFFERS];
    simt_config config;
} channel_run;

/* HELLO, READY, GO, RETURNED, UP, LOST, FORGED */
typedef struct channel_mark {
    channel_head head;
} channel_mark;

typedef enum channel_status {
    CHANNEL_RAN,      /* the entry returned; errors of the CUDA runtime are in `error` */
    CHANNEL_NO_ENTRY, /* no such symbol in the submission */
    /* the runner could not make the buffers; text says why, and `error` where it was the device */
    CHANNEL_SETUP_FAILED,
    /* bytes in front of a buffer, or past its end, were changed: `buffer`, `side`, `distance` */
    CHANNEL_OVERRUN,
    /* the entry has freed the device buffer `buffer`; side 1: all of them, by a reset */
    CHANNEL_FREED,
    CHANNEL_NO_ROOM /* as SETUP_FAILED: the submission's process could not take the host's arrays */
} channel_status;

typedef struct channel_done {
    channel_head head;
    uint32_t status;
    uint32_t buffer; /* index, where the status is about one */
    int32_t side;    /* of an overrun: -1 in front, 1 past the end */
    /* from the buffer's end to the nearest changed byte: 1 is next to it; 0: not known */
    uint64_t distance;
    /* cudaError_t: of the synchronisation, else cudaGetLastError; 0 is none */
    int32_t error;
    /* of device buffers, for naming them in findings; 0 for others */
    uint64_t address[LAB_MAX_BUFFERS];
    uint32_t copied;     /* all buffers came back to OUT */
    uint32_t cut, stuck; /* some launch: simt_report.cut, simt_report.stuck */
    /* if CHANNEL_TIMED_DEVICE: microseconds between events around the call, and from the emptying
       of the caches before it to the end of all its work, by the child's clock; 0: not measured */
    double device_us, host_us;
    char error_name[64], error_text[CHANNEL_TEXT_ROOM];
    char error_advice[320]; /* "" if none is known */
    simt_counts counts;     /* sum over the entry's launches */
    uint64_t busiest_gpu;   /* warp instructions of the GPU with most, without polls */
    uint64_t first_blocks, first_threads; /* of its first launch: blocks, and threads of one */
    /* simt_launch_args.from: of that launch, and of one that the device refused; 0: none */
    uint64_t first_from, refused_from;
    /* on the engine only, what the entry asked of the CUDA runtime: bytes of device memory left
       allocated, in this call or in an earlier one, also where the setup failed; how many more than
       before this call; allocated in it, freed or not; the same, and the modules' variables */
    uint64_t not_freed, taken, allocated, besides;
    /* bytes of page-locked memory that this call has added, and one for each stream and event, as
       the submission's process reports */
    uint64_t host_kept;
    /* calls that wait, and those that wait aside (cudart_calls); launches on other streams than the
       default one; fills and copies of device memory, and the bytes they write; bytes copied to the
       host */
    uint64_t waiting_calls, waits_aside, elsewhere, writes, written_bytes, host_bytes;
    uint32_t refused;      /* calls, as run's refuse_* ask for */
    uint32_t asked_blocks; /* ever, in this process: how many blocks can be resident */
    uint32_t traced; /* simt_config.trace asked for additions, and `made` describes the outputs */
    simt_made made;
    /* bit i: the block that wrote element i of the note has not observed what that of the element
       it points back to published last (simt_has_observed); of a single launch */
    uint8_t not_observed[LAB_NOTES / 8];
    uint32_t findings;         /* in use in finding[] */
    uint64_t findings_dropped; /* seen, but with no room below */
    simt_finding finding[CHANNEL_FINDINGS];
    /* in use in wait[]: of the first launch that a deadlock stopped */
    uint32_t waits;
    uint64_t waits_dropped;
    simt_wait wait[CHANNEL_WAITS];
} channel_done;

/* sent by the signal handler; the signal then kills the child */
typedef struct channel_fault {
    channel_head head;
    int32_t signal;
    uint32_t has_address, device_address, stack_overflow;
    uint64_t address; /* that the host code could not use */
    /* where it was, as an address in the executable's file; 0 if elsewhere */
    uint64_t pc;
    /* the guarded host buffer whose guard page was hit, else -1 */
    int32_t buffer;
    int64_t offset; /* bytes from that buffer's start */
    /* private memory it had asked for (RLIMIT_DATA's measure); 0 if that has no limit */
    uint64_t data_bytes;
    uint32_t write; /* the access was a store (known on x86-64 only) */
} channel_fault;

typedef union channel_message {
    channel_head head;
    channel_run run;
    channel_mark mark;
    channel_done done;
    channel_fault fault;
} channel_message;

/* Sends one message, its head filled in. False if the other end is gone. Async-signal-safe. */
bool channel_send(int socket, channel_kind kind, uint64_t nonce, channel_head *message,
                  size_t size);

typedef enum channel_receipt {
    CHANNEL_GOT,
    CHANNEL_NONE,
    CHANNEL_END,
    CHANNEL_MALFORMED
} channel_receipt;

/* Waits for one message. CHANNEL_END: the other end is gone. CHANNEL_MALFORMED: wrong size or
   unknown kind. With flags MSG_DONTWAIT, CHANNEL_NONE where none is waiting. */
channel_receipt channel_receive(int socket, channel_message *message, int flags);

#endif
