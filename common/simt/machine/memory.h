/*
 * memory.h: device memory: allocations and the host memory that backs them.
 *
 * Allocations stay known after they have been freed, so that a use after free is named. Owned by
 * the device.
 */
#ifndef SIMT_MEMORY_H
#define SIMT_MEMORY_H

#include "simt.h"

typedef struct allocation {
    simt_addr start;
    size_t bytes;
    bool live;
    const char *name; /* of a module variable, else null */
    unsigned element;
    bool constant; /* a .const variable */
    bool heap;     /* by malloc in a kernel */
    bool common;   /* the host may use it at its device address: memory_take_common */
    void *also;    /* of a common one: the host has it at this address of its own, too; or null */
    bool input;    /* nobody may write to it: simt_let_write */
    size_t data;   /* bytes at its end that simt_mark_data names */
    /* of cudaMalloc's, or of the heap's, from 1 in the order of the calls; 0: a variable */
    unsigned number;
    unsigned gpu; /* whose memory it is; ANY_GPU: all use it alike, as that of the host */
} allocation;

typedef struct pinned pinned;

enum { ANY_GPU = SIMT_MAX_GPUS };

typedef struct memory {
    uint8_t *base;                          /* host mapping of GLOBAL_BASE */
    size_t reserved, used, live_bytes, gap; /* gap: bytes between allocations */
    allocation *allocations;                /* by start */
    size_t count, capacity;
    unsigned numbers, heap_numbers; /* given so far */
    uint8_t *marks;    /* watch/unset: a byte a word, from GLOBAL_BASE on; null: not kept */
    uint32_t *origins; /* likewise, a number a word */
    unsigned commons;  /* live allocations that are common */
    unsigned gpu;      /* what is taken belongs to this one */
    /* the device range, mapped without access, so that a host dereference faults in it */
    void *trap;
    bool sparse; /* simt_config.excerpt: fresh memory is zero, and not touched */
    /* pinned.c; null: there was none yet */
    struct pinned *pinned;
    unsigned pinned_count, pinned_room;
    /* a kernel sees what the host has written there */
    void (*pinned_taken)(void *user, simt_addr address, size_t bytes);
    void *pinned_user;
} memory;

bool memory_open(memory *m, size_t bytes);
void memory_close(memory *m);
/* name: of a module variable, MEMORY_HEAP for malloc in a kernel, null for the host's */
bool memory_take(memory *m, size_t bytes, const char *name, unsigned element, simt_addr *address);
#define MEMORY_HEAP   "malloc in a kernel"
#define MEMORY_PINNED "page-locked memory of the host"
/* whole pages, mapped at the device address as well; name and element as of memory_take */
bool memory_take_common(memory *m, size_t bytes, const char *name, unsigned element,
                        simt_addr *address);
/* The host has these pages at `host` as well, instead of what is there. */
bool memory_show(memory *m, simt_addr address, void *host);
/* the start of a live allocation, else false */
bool memory_release(memory *m, simt_addr address);
/* forgets the allocation altogether: it is not even known as one that was freed */
void memory_undo(memory *m, simt_addr address);
/* The allocation, live or dead, at or before address; null if none. */
const allocation *memory_find(const memory *m, simt_addr address);
/* Is it in this allocation, or null, and that a constant variable? */
static inline bool memory_is_constant(const allocation *a, simt_addr address)
{
    return a && a->constant && address - a->start < a->bytes;
}
/* The allocation that holds address, or else the one whose end or start lies nearest; null if there
   are none. */
const allocation *memory_nearest(const memory *m, simt_addr address);
/* Host pointer if [address, address + bytes) lies in one live allocation, else null. */
void *memory_host(const memory *m, simt_addr address, size_t bytes);
/* What memset and memmove do; sparse, of much only the ends. */
void memory_fill(const memory *m, void *to, uint8_t value, size_t bytes);
void memory_move(const memory *m, void *to, const void *from, size_t bytes);
/* Zeros of our own, which cost nothing until they are touched. */
void *memory_zeros(size_t bytes);
void memory_drop_zeros(void *zeros, size_t bytes);

#endif
