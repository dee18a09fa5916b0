/*
 * regs.h: bits without a meaning in the registers of a frame, between regs.c (an instruction's
 * results from its sources) and step.c (which instructions are looked at, and where such a value
 * matters). A shadow is as large as its frame, origins lie in a second such area after it, at the
 * offset of the register's first lane. Offsets are those of the frame; below 0: no register.
 */
#ifndef SIMT_UNSET_REGS_H
#define SIMT_UNSET_REGS_H

#include "watch/unset/unset.h"

struct unset_warp {
    uint8_t *bits[MAX_CALL_DEPTH]; /* shadows of frames; origins at + room */
    size_t room[MAX_CALL_DEPTH];
    unsigned steps;
    /* the last note about a register, and of which function's it is */
    uint32_t note;
    unsigned note_reg;
    const code *note_of;
    uint32_t carry, carry_origin; /* of simt_warp.carry */
};

typedef struct regs { /* of the running frame */
    simt_warp *w;
    const insn *i;
    uint8_t *bits;
    uint32_t *origins; /* by offset / 4 */
    uint32_t origin;   /* of the sources looked at so far that have such bits: the first */
} regs;

static inline uint64_t regs_get(const regs *r, int32_t offset, bool wide, unsigned lane)
{
    return wide ? ((const uint64_t *)(r->bits + offset))[lane]
                : ((const uint32_t *)(r->bits + offset))[lane];
}

static inline void regs_put(regs *r, int32_t offset, bool wide, unsigned lane, uint64_t v)
{
    if (wide)
        ((uint64_t *)(r->bits + offset))[lane] = v;
    else
        ((uint32_t *)(r->bits + offset))[lane] = (uint32_t)v;
}

static inline uint64_t regs_value(const regs *r, int32_t offset, bool wide, unsigned lane)
{
    return wide ? ((const uint64_t *)(r->w->regs + offset))[lane]
                : ((const uint32_t *)(r->w->regs + offset))[lane];
}

static inline uint32_t regs_word(const uint8_t *area, int32_t offset)
{
    uint32_t v;
    memcpy(&v, area + offset, 4);
    return v;
}

static inline void regs_set_origin(regs *r, int32_t offset) { r->origins[offset / 4] = r->origin; }

/* Lanes of mask whose value at offset has bits without a meaning. */
uint32_t regs_lanes(regs *r, int32_t offset, bool wide, uint32_t mask);
uint32_t regs_pred_lanes(regs *r, int32_t offset, uint32_t mask);
/* The whole result of the bad lanes has no meaning; that of the mask's others has. */
void regs_spoil(regs *r, int32_t offset, bool wide, uint32_t mask, uint32_t bad);
void regs_spoil_pred(regs *r, int32_t offset, uint32_t mask, uint32_t bad);

/* What r->i writes, from the bits of what it reads. */
void regs_propagate(regs *r, uint32_t mask, op_form form);
/* What the instruction writes: none of it is known in these lanes, since it is not known whether
   they execute it. */
void regs_doubtful(regs *r, uint32_t mask, uint32_t origin, op_form form);

#endif
