/*
 * unset.h: values without a meaning, between marks.c (memory), step.c and regs.c (registers),
 * origin.c (where they came from) and the handlers that they watch. Only while SIMT_CHECK_UNSET is
 * on.
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

#include "code/code.h"
#include "machine/machine.h"
#include "watch/hooks.h"

typedef struct unset_origin {
    uint32_t number; /* its own; another: the note was overwritten by a later one */
    simt_finding_kind kind;
    const insn *at; /* the load, shuffle or shift */
    const code *kernel;
    simt_dim block;
    unsigned thread;    /* in its block */
    simt_dim at_thread; /* the same along x, y, z */
    access_space space; /* SPACE_GLOBAL, _SHARED, _LOCAL; _PARAM_IN: a register, no memory */
    /* in shared memory an offset; of a register: its number in the function of `at`; of a shuffle:
       the lane that it read; of a shift: by how many bits */
    uint64_t address;
    unsigned bytes;
    uint64_t launched_from; /* as in simt_finding */
} unset_origin;

/* Marks of memory, from the place with address `base` on. */
typedef struct unset_marks {
    uint8_t *marks;
    uint32_t *origins;
    access_space space;
    uint64_t base;
} unset_marks;

static inline unsigned unset_depth(const simt_warp *w) { return w->splits[w->current].depth; }

/* unset/step.c */
/* the warp holds such a value from now on; false: no memory, the launch ends */
bool unset_enter(simt_warp *w);
/* shadow of a frame, made when first asked for; null: no memory */
uint8_t *unset_bits(simt_warp *w, unsigned depth);
/* of the register there */
uint32_t *unset_origin_of(simt_warp *w, uint8_t *bits, unsigned depth, int32_t offset);

/* step.c: executes a shift by a register, and notes the lanes that shift beyond the width */
exec_fn x_watched_shift;
/* A shift by a register, in a text where one beyond the width tells something. */
static inline bool unset_telling_shift(const code *c, const insn *i)
{
    return c->module->shifts_tell && i->row != NO_ROW && op_rows[i->row].unset == UNSET_SHIFT &&
           (size_t)i->b < c->const_offset;
}

/* step.c: executes what has code.touches, and keeps their masks; a lane that reads a register which
   it has not written holds a value without a meaning */
exec_fn x_watched;
/* the same of a branch, without executing it */
void unset_look(simt_warp *w, const insn *i, uint32_t mask);

/* step.c: events of watch/hooks.h */
void unset_warp_start(simt_warp *w);
void unset_warp_free(simt_warp *w);
bool unset_steps(const simt_warp *w);
void unset_step(simt_warp *w, const insn *i, uint32_t mask, const watcher *const *inner);
void unset_close_frame(simt_warp *w, unsigned depth);
void unset_copy_param(simt_warp *w, unsigned to, const uint8_t *to_byte, unsigned from,
                      const uint8_t *from_byte, size_t bytes);
void unset_meet(simt_warp *w, const meeting *m);

/* unset/origin.c */
uint32_t unset_note(simt_warp *w, simt_finding_kind kind, const insn *at, unsigned lane,
                    access_space space, uint64_t address, unsigned bytes);
/* use: where such a value matters: SIMT_CAUSE_BRANCH, and those after it */
void unset_report(simt_warp *w, const insn *i, unsigned lane, simt_cause use, uint32_t origin);
void unset_report_host(simt_device *d, simt_addr address, size_t words, uint32_t origin);

#endif
