/*
 * shadow.h: what is kept of the global memory that a launch touches, by global.c, and read by
 * after.c when the launch has ended. The head of global.c says what it means.
 */
#ifndef SIMT_SHADOW_H
#define SIMT_SHADOW_H

#include "watch/race/race.h"

/* stamp: epoch 12 | position of the block 20 | who 11 | time 21. A stamp below a worker's epoch is
   of an earlier launch. */
enum {
    POSITION_SHIFT = 32,
    EPOCH_SHIFT = POSITION_SHIFT + VCLOCK_POSITION_BITS,
    EPOCHS = 1 << (64 - EPOCH_SHIFT),
    UNITS = 4096,
    ROW = 32,
    ROWS = UNITS / ROW
};
#define POSITION_MASK ((1u << VCLOCK_POSITION_BITS) - 1)
#define STRONG_GPU    0x80000000u /* of a pc word */
#define STRONG_CTA    0x40000000u
#define PC_ATOMIC     0x20000000u
#define PC_SIZE_SHIFT 26          /* log2 of the access's bytes */
#define STRONG_SYS    0x02000000u /* beside STRONG_GPU */
#define PC_NC         0x01000000u /* ld.global.nc */
#define PC_SAW        0x00800000u /* a strong read of what another block has stored strongly */
#define PC_MASK       0x007fffffu
#define ANY_STRENGTH  (STRONG_GPU | STRONG_CTA)

/* Accesses by one warp with one instruction, lane after lane: that to unit u of the row has stamp +
   (u >> width << RACE_TIME_BITS), where the instruction's accesses are of 2^width units. */
typedef struct record {
    uint64_t stamp;
    uint32_t pc, units;
} record;

typedef struct row {
    /* of the launch that touched it last; + SPREAD: its units' own stamps count, and not the
       records */
    uint64_t epoch;
    record write, read[2];   /* read[0] and read[1] share no unit */
    uint32_t wrote, touched; /* units that the launch has written, and written or read */
} row;
#define SPREAD 1ull

typedef struct chunk {
    uint64_t epoch; /* of the launch that touched it last */
    row rows[ROWS];
    uint64_t write[UNITS], read[UNITS];
    uint32_t write_pc[UNITS], read_pc[UNITS];
    uint32_t value[UNITS]; /* last written */
    /* of a unit that several threads of a block have read: the first of them, and the last other
       one, whose pc is read_pc */
    uint64_t first[UNITS], last[UNITS];
    uint32_t first_pc[UNITS];
    /* of the block that wrote the unit last, its chain then: of strong writes only; null: there was
       none */
    uint32_t *chain;
} chunk;

struct global_shadow {
    chunk **table; /* by unit / UNITS */
    size_t chunks;
    /* log2 bytes of a unit: 2, or 0 where a kernel accesses parts of words */
    unsigned shift;
    size_t *touched, touched_count, touched_room; /* chunks of this launch */
    /* all chunks there are, and which of them to look at first for another use */
    size_t *mapped, mapped_count, mapped_room, next;
};

/* an access, as its shadow has it */
typedef struct sight {
    uint64_t stamp;
    uint32_t pc, value;
    bool write;
} sight;

static inline uint32_t sight_position(const sight *s)
{
    return (uint32_t)(s->stamp >> POSITION_SHIFT) & POSITION_MASK;
}
static inline uint32_t who_of(uint64_t stamp) { return (uint32_t)stamp >> RACE_TIME_BITS; }
static inline uint32_t sight_who(const sight *s) { return who_of(s->stamp); }
static inline uint32_t sight_time(const sight *s)
{
    return (uint32_t)s->stamp & ((1u << RACE_TIME_BITS) - 1);
}
static inline unsigned sight_thread(const sight *s)
{
    uint32_t who = sight_who(s);
    return who < RACE_MANY_WARP ? who : who < RACE_MANY ? (who - RACE_MANY_WARP) * LANES : 0;
}

static inline uint32_t position_of(const simt_block *b)
{
    return (uint32_t)b->order & POSITION_MASK;
}

/* Is the block of that position on another GPU than the warp's? */
static inline bool shadow_on_other_gpu(const simt_warp *w, uint32_t position)
{
    const launch *l = w->worker->launch;
    return l->many && launch_part_at(l, position)->gpu != w->block->part->gpu;
}

/* ---- global.c, and global_found.c for the last two ------------------------------------------- */

/* From now on the stamps of the row's units count; those of units without a record are of earlier
   launches. */
void shadow_spread(const worker *k, chunk *c, size_t index);
/* The instruction of a pc word, and its code; null: there is none. */
const insn *shadow_insn(const simt_device *d, uint32_t pc, const code **c);
/* The finding of an access by this lane and an earlier one; strength: STRONG_ bits, PC_NC. */
void race_global_found(simt_warp *w, const insn *i, unsigned lane, uint64_t address, unsigned size,
                       bool write, bool atomic, uint32_t strength, const sight *other);

/* ---- flags.c: words that are written strongly, by unit --------------------------------------- */

/* The warp has stored there strongly, pc: 1 + the instruction, or changed it by an atomic: 0;
   who: as in stamps. */
void race_flag_set(simt_warp *w, uint64_t address, const memory_form *form, uint32_t pc,
                   uint32_t who);
/* The warp has read it strongly: what its setter has published is observed. */
void race_flag_read(simt_warp *w, uint64_t unit, access_scope scope, bool atomic);
/* Has the block of the other access set a flag since, after a barrier, but with no fence; and has
   a warp of this block read it, and then met the others? */
bool race_flag_handed(const simt_warp *w, const sight *other);
/* Is that word a flag which a block of that position has set, after a fence? */
bool race_flag_fenced(const simt_warp *w, uint64_t address, uint32_t position);
void race_flags_end(worker *k); /* of the worker's launch: drops all flags */

#endif
