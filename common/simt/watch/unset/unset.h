/*
 * init.h: values without a meaning, between init.c (memory), init_step.c (registers), init_report.c
 * (what is said) and the handlers that they watch. Only while SIMT_CHECK_INIT is on.
 *
 * Each byte of memory has a bit, 1: it has a meaning. The bits of a word lie in its mark, one byte.
 * Memory of a fresh allocation, of a fresh block, of a fresh frame has none; what the host or a
 * kernel stores gets it. Each bit of a register has a bit as well, 1: it has NO meaning; those lie
 * in a shadow of the frame, at the register's own offset, which exists only while some register of
 * the warp holds such a bit (simt_warp.unset). A value without a meaning has an origin: the number
 * of a note about where it came from. Invariants: marks and shadows never alter what a kernel
 * computes; without unset a warp's shadows are all zero.
 */
#ifndef SIMT_INIT_H
#define SIMT_INIT_H

#include <string.h>

#include "machine/machine.h"

/* of a word: all bytes have a meaning; memory.origins has where it came from. PAD: marks in
   front and behind, which a warp's 32 places may take in */
enum { MARK_SET = 0x0f, MARK_ORIGIN = 0x10, MARK_PAD = 128 };

typedef enum init_use { /* where such a value matters */
                        INIT_BRANCH,
                        INIT_GUARD,
                        INIT_ADDRESS,
                        INIT_ATOMIC,
                        INIT_SYNC,
                        INIT_PRINT
} init_use;

typedef struct init_origin {
    uint32_t number; /* its own; another: the note was overwritten by a later one */
    simt_finding_kind kind;
    const insn *at; /* the load, shuffle or shift */
    const code *kernel;
    simt_dim block;
    unsigned thread;    /* in its block */
    access_space space; /* SPACE_GLOBAL, _SHARED, _LOCAL */
    uint64_t address;   /* in shared memory an offset; of a shuffle: the lane that it
                                   read; of a shift: by how many bits */
    unsigned bytes;
} init_origin;

/* Marks of memory, from the place with address `base` on. */
typedef struct init_marks {
    uint8_t *marks;
    uint32_t *origins;
    access_space space;
    uint64_t base;
} init_marks;

/* init.c */
void init_access(simt_warp *w, const insn *i, uint32_t mask, access_space space, const uint64_t *at,
                 unsigned size, bool contiguous);
void init_shared_slow(simt_warp *w, const insn *i, uint32_t mask, const uint32_t *offset,
                      unsigned size, bool contiguous);

/* init_step.c */
/* the warp holds such a value from now on; false: no memory, the launch ends */
bool init_enter(simt_warp *w);
/* shadow of a frame, made when first asked for; null: no memory */
uint8_t *init_bits(simt_warp *w, unsigned depth);
/* of the register there */
uint32_t *init_origin_of(simt_warp *w, uint8_t *bits, unsigned depth, int32_t offset);
unsigned init_depth(const simt_warp *w);

/* init_report.c */
uint32_t init_note(simt_warp *w, simt_finding_kind kind, const insn *at, unsigned lane,
                   access_space space, uint64_t address, unsigned bytes);
void init_report(simt_warp *w, const insn *i, unsigned lane, init_use use, uint32_t origin);
void init_report_host(simt_device *d, simt_addr address, size_t words, uint32_t origin);

/* bytes: a multiple of 32 */
static inline bool init_all_set(const uint8_t *marks, unsigned bytes)
{
    uint64_t all = ~0ull;
    for (unsigned k = 0; k < bytes; k += 8) {
        uint64_t eight;
        memcpy(&eight, marks + k, 8);
        all &= eight ^ 0xf0f0f0f0f0f0f0f0ull;
    }
    return all == ~0ull;
}

/* One word a lane, with 32 marks: false: there is more to see. */
static inline bool init_words(const simt_warp *w, uint8_t *marks, uint32_t mask, bool write)
{
    if (w->unset)
        return false;
    if (!write)
        return init_all_set(marks, LANES);
    if (mask == FULL_MASK)
        memset(marks, MARK_SET, LANES);
    else
        LANE_LOOP
            marks[l] = mask >> l & 1 ? MARK_SET : marks[l];
    return true;
}

/* An access whose lanes' places have all been found good, before its data moves. Most are to words
   that have been written, by a warp that holds no value without a meaning: those cost this. */
static inline void init_shared(simt_warp *w, const insn *i, uint32_t mask, const uint32_t *offset,
                               unsigned size, bool contiguous)
{
    if (contiguous && size >= 4 && !w->unset) {
        unsigned first = (unsigned)__builtin_ctz(mask);
        if (init_all_set(w->block->marks + (int32_t)(offset[first] - first * size) / 4,
                         LANES * size / 4))
            return;
    }
    init_shared_slow(w, i, mask, offset, size, contiguous);
}

/* The words of these lanes only: those between may be another host thread's, which writes their
   marks. */
static inline bool init_lanes_set(const uint8_t *marks, uint32_t mask, unsigned words)
{
    bool all = true;
    for (; mask; mask &= mask - 1)
        for (unsigned k = 0; k < words; k++)
            all &= marks[(unsigned)__builtin_ctz(mask) * words + k] == MARK_SET;
    return all;
}

static inline void init_global(simt_warp *w, const insn *i, uint32_t mask, const uint64_t *address,
                               unsigned size, bool contiguous)
{
    if (contiguous && size >= 4 && !w->unset) {
        unsigned first = (unsigned)__builtin_ctz(mask);
        const uint8_t *marks =
            w->worker->marks + (int64_t)(address[first] - first * size - GLOBAL_BASE) / 4;
        if (mask == FULL_MASK ? init_all_set(marks, LANES * size / 4)
                              : init_lanes_set(marks, mask, size / 4))
            return;
    }
    init_access(w, i, mask, SPACE_GLOBAL, address, size, contiguous);
}

#endif
