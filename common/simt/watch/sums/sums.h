/*
 * sums.h: the addition network, between network.c (values, sums, the tags of global memory) and
 * tags.c (how instructions move tags). Only while SIMT_TRACE_ADDS is on.
 *
 * With it every word of registers, shared, local and global memory and call parameters has a tag
 * beside it: the id of the traced value it holds, 0 for none. A tag lies in a shadow of its space,
 * at the word's own offset, so that whatever moves a word moves its tag in the same way. A value of
 * 64 bits has its tag in both words; two values packed in 64 bits, one each.
 *
 * Invariants: a traced launch runs on one host thread; id 0 is no node; a tag is at most `count`,
 * or it is SUMS_CONSTANT or SUMS_UNREAD, which are in global memory only.
 */
#ifndef SIMT_SUMS_H
#define SIMT_SUMS_H

#include <string.h>

#include "machine/machine.h"

/* a global word that a traced launch has written with an untagged value */
#define SUMS_CONSTANT UINT32_MAX
/* an input of simt_trace_inputs that no launch has loaded yet */
#define SUMS_UNREAD (UINT32_MAX - 1)

struct sums_device { /* of a device */
    uint8_t *global; /* shadow of the device's memory */
    size_t reserved;
    struct sums_node {
        uint32_t depth, left, right; /* of a sum: what it adds */
        bool floating;
    } * node;               /* by id */
    size_t count, capacity; /* ids given out; room for nodes */
    bool given;             /* simt_trace_inputs: the inputs are those that it has named */
    simt_add_event *events; /* of the last traced launch */
    size_t event_count, event_capacity;
    uint64_t dropped, sums;
    uint32_t deepest;
    bool failed; /* out of memory */
};

struct sums_block { /* of a place for a block: shadows, kept for the next block */
    uint8_t *shared, *local;
    size_t shared_capacity, local_bytes;
    /* tags of words; before them, backwards, those of predicates */
    uint8_t *frame[MAX_WARPS][MAX_CALL_DEPTH];
    uint8_t *memory[MAX_WARPS][MAX_CALL_DEPTH]; /* that they lie in */
    uint64_t time;                              /* warp instructions of the block */
    uint32_t reduced; /* the deepest tag of a predicate that a barrier has reduced */
};

static inline uint32_t sums_get(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}

static inline void sums_put(uint8_t *p, uint32_t v) { memcpy(p, &v, 4); }

/* The tag of a word of global memory. */
static inline uint32_t sums_value_tag(uint32_t word) { return word >= SUMS_UNREAD ? 0 : word; }

static inline sums_device *sums_of(const simt_warp *w) { return w->worker->device->sums; }

static inline uint32_t sums_deeper(const sums_device *t, uint32_t a, uint32_t b)
{
    if (!a || !b)
        return a | b;
    return t->node[b].depth > t->node[a].depth ? b : a;
}

/* network.c. Of a lane that executes i: the id of the value, 0 for none */
uint32_t sums_add(simt_warp *w, const insn *i, unsigned lane, uint32_t a, uint32_t b);
uint32_t sums_input(simt_warp *w, const insn *i, unsigned lane, simt_addr address);
/* a value is stored in global memory */
void sums_output(simt_warp *w, const insn *i, unsigned lane, simt_addr address, uint32_t tag);
/* zeros, reserved, and touched where they are used; null: no memory */
void *sums_map(size_t bytes);

#endif
