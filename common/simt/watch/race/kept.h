/*
 * kept.h: what the check for races keeps of warps and blocks, in their own structs, where the fast
 * paths of loads and stores find it. Only watch/race changes it.
 */
#ifndef SIMT_RACE_KEPT_H
#define SIMT_RACE_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "watch/race/vclock.h"

enum { MAX_WARPS = 32, RACE_LANES = 32, RACE_HANDED = 64 };

/* who set a flag, and since when what other threads of its block did was in no order to it */
typedef struct race_setter {
    uint32_t block;     /* 1 + its position; 0: none */
    uint32_t who;       /* as in stamps: RACE_MANY_WARP + warp where it is one of a warp */
    uint32_t base, met; /* other warps', and those of its own warp */
    uint32_t time, pc;  /* of the block's clock, at which it did; 1 + its pc, 0: an atomic */
    /* its warp has observed something of another warp, other than at a barrier */
    bool observed;
} race_setter;

/* of a warp about other blocks, and what it can publish: race/flags.c */
typedef struct knowledge {
    /* ordered before what it does next; observed at flags, but not yet acquired by a fence */
    const vclock *known, *observed;
    const vclock *fenced_known; /* known at its last fence for the device */
    /* its own accesses before that fence; those of all the block's warps that it covers */
    uint32_t fenced_time, fenced_all;
    /* 1 + position of the block that set, with no fence before, the flag it read last */
    uint32_t unfenced;
    /* that block's fence was for its own block only; so was this warp's last one */
    bool unfenced_narrow, narrow;
    /* which of the first RACE_HANDED blocks have set, with no fence, a flag that it has read */
    uint64_t handed;
    /* the same, where a launch is on several GPUs, of what reaches the others: observed, but not
       yet acquired by a fence for all; known at its last fence for all, and that fence's two times.
       unfenced: that block's fence, or the flag, was for its own GPU only */
    const vclock *observed_system, *system_known;
    uint32_t system_time, system_all;
    bool unfenced_device;
    /* after it had observed something of another GPU, there was a fence for its own alone */
    bool fenced_device;
    race_setter setter;       /* of the flag of another block that it read last */
    const vclock *recent[16]; /* clocks that it has observed */
} knowledge;

typedef struct race_row race_row;
/* lane 0's stamp and unit */
typedef struct race_read {
    uint32_t stamp, pc, mask;
    int32_t unit;
} race_read;
enum { RACE_READS = 64 };

typedef struct race_shadow { /* one entry a word (or byte) of shared memory: see shared.c */
    race_row *rows;          /* of 32 units each */
    /* of reads[]; room 0: there has been more than reads since the last barrier */
    uint32_t read_count, read_room;
    bool by_row, lists; /* rows are in use; so is the list of reads */
    uint32_t *write_stamp, *write_pc, *read_stamp, *read_pc;
    uint32_t *read_warps; /* of a unit that several warps have read: which */
    /* of a unit that several threads have read: the first of them, and the last other one, whose pc
       is read_pc */
    uint32_t *first_stamp, *first_pc, *last_stamp;
    size_t units, capacity;
    unsigned shift; /* log2 bytes a unit: 2 or 0 */
    uint32_t base;  /* stamps below it are ordered before everything now */
    uint32_t time;  /* the latest of all warps' clocks */
    uint32_t start; /* time when the block started */
    /* by warp: lanes that had left the kernel when the block last met; what some of them wrote is
       still in no order */
    uint32_t gone[MAX_WARPS];
    bool carries;
    /* accesses of warp v below these come before some fence.proxy.async, of its own or of a warp
       that knew of them; for shared and for global memory */
    uint32_t proxy_fenced[MAX_WARPS], proxy_fenced_global[MAX_WARPS];
    /* order made by fences and atomics: accesses of warp v below seen[w][v] are ordered before warp
       w's */
    uint32_t seen[MAX_WARPS][MAX_WARPS], fenced[MAX_WARPS];
    /* the same of warp w's own lanes, by flags between them, such as a lock */
    uint32_t own[MAX_WARPS];
    /* what lane l of warp w did below published[w][l] is ordered before what the warp does now:
       mbarriers order the lanes of a warp */
    uint32_t published[MAX_WARPS][RACE_LANES];
    struct {
        uint32_t unit, seen[MAX_WARPS];
        const vclock *known;
        bool used;
    } release[16];
    unsigned next_release;
    /* warps that have published something by a flag since they last waited for one; how often
       warps have done both: see simt_counts.mbarrier_meetings */
    uint32_t published_by_flag;
    unsigned flag_meetings;
    /* when the latest flag in global memory was set that warp w has observed, of another warp */
    uint32_t flag_seen[MAX_WARPS];
    bool narrow_flags; /* some of release[] are of flags in global memory */
    /* since the last barrier, while there was nothing else: none of them matters yet */
    race_read reads[RACE_READS];
} race_shadow;

/* The fast paths of watch/race that are not inline functions; false: there is more to see, and
   nothing has been done. words: as watched_words (hooks.h). global_line: a whole warp stores the
   words of data to consecutive words from address on, or, where it is null, reads them. */
struct simt_warp;
struct insn;
typedef struct race_ways {
    bool (*words)(struct simt_warp *w, const struct insn *i, uint32_t mask, int32_t offset,
                  bool write);
    bool (*global_line)(struct simt_warp *w, const struct insn *i, uint64_t address,
                        const uint32_t *data);
} race_ways;

/* What comes before those who have arrived at an mbarrier: in the block, by warp, and of those
   lanes of each that have arrived themselves; and of other blocks. */
typedef struct watch_order {
    uint32_t clock[MAX_WARPS], lanes[MAX_WARPS][RACE_LANES];
    knowledge published;
} watch_order;

#endif
