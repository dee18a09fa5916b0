/*
 * hooks.h: how the machine tells watchers what it does. This file is all that the machine knows of
 * watchers; it calls none of them by name.
 *
 * A watcher is a table of functions, one for each event; those that it does not need are null. A
 * launch has the watchers that its checks and traces ask for (watch.c), in a list that ends with
 * null; a worker has that list too, since the search for a deadlock's cause puts another in its
 * place. Unless its comment says otherwise, an event is reported after its operands have been found
 * good and before any data moves. Watchers never change what a kernel computes.
 *
 * The two that look at every access, races and values never set, have fast paths for the usual
 * accesses of a warp. Those are inline, at the end of this file, since calls would cost a third of
 * the speed.
 */
#ifndef SIMT_HOOKS_H
#define SIMT_HOOKS_H

#include "machine/state.h"
#include "watch/race/line.h"
#include "watch/unset/line.h"

typedef struct memory_access { /* one instruction's access to one space */
    const memory_form *form;
    const insn *insn;
    uint32_t mask;
    unsigned bytes;  /* per lane: element x vector */
    bool contiguous; /* lane l is at first + l * bytes, for every active lane */
    bool write, atomic;
    strength order;
    uint32_t reads; /* lanes whose atomic changes nothing (atomics_that_read) */
} memory_access;

/* Lanes that meet come from one instruction or from several of the same operation: each party has
   its own registers. */
typedef struct party {
    const insn *at;
    uint8_t *regs;
    uint32_t mask;
} party;

typedef enum meeting_kind { MEET_SHUFFLE, MEET_VOTE, MEET_VALUES, MEET_SYNC } meeting_kind;

typedef struct meeting {
    meeting_kind kind; /* MEET_VALUES: match, redux, elect; MEET_SYNC: __syncwarp() */
    const party *parties;
    unsigned count;
    uint32_t all;         /* lanes of all parties */
    const uint8_t *from;  /* SHUFFLE: of each lane, the lane that its value comes from */
    const uint8_t *asked; /* and the one that it asked for */
    uint32_t absent;      /* lanes whose asked lane takes no part */
    uint32_t yes;         /* VOTE: the predicates */
    enum vote_mode mode;  /* VOTE */
} meeting;

/* Bytes of one lane that an asynchronous copy moves, between shared and global memory. */
typedef struct copy_lane {
    const insn *insn;
    uint32_t pc; /* counter index of insn */
    unsigned lane;
    bool store;            /* from shared to global memory */
    uint32_t shared, size; /* offset and bytes there */
    simt_addr global;
    uint32_t given; /* bytes that come from memory; the rest of size are zeros */
} copy_lane;

struct watcher {
    const char *name;
    bool alone; /* needs one host thread, and to see single instructions */

    /* ---- life. False: the host has no memory, the launch ends ---- */
    bool (*launch_start)(launch *l, unsigned workers);
    bool (*launch_end)(launch *l); /* all workers have ended */
    void (*worker_free)(worker *k);
    bool (*block_start)(simt_block *b);
    void (*block_state)(simt_block *b, simt_block_state state);
    void (*block_turn)(simt_block *b); /* a turn of one of its warps has ended */
    /* it has ended, and a launch of its group comes after its own */
    void (*block_leaves)(simt_block *b);
    void (*block_free)(simt_block *b);
    void (*warp_start)(simt_warp *w);
    void (*warp_free)(simt_warp *w);

    /* ---- single instructions: while steps() holds, step() executes them (watched_step) ---- */
    bool (*steps)(const simt_warp *w);
    void (*step)(simt_warp *w, const insn *i, uint32_t mask, const watcher *const *inner);

    /* ---- memory ---- */
    void (*shared)(simt_warp *w, const memory_access *a, const uint32_t *offset);
    /* data: what a store writes, a->bytes a lane; null where needs_data is not set */
    void (*global)(simt_warp *w, const memory_access *a, const uint64_t *address,
                   const uint8_t *data);
    void (*local)(simt_warp *w, const memory_access *a, const uint64_t *offset);
    void (*stored)(simt_warp *w, const memory_access *a, const uint64_t *address, bool shared);
    /* an atomic has changed this place of global memory */
    void (*changed)(simt_warp *w, uint64_t address, const memory_form *form);
    void (*fence)(simt_warp *w, access_scope scope);
    /* malloc in a kernel hands it out */
    void (*handed_out)(simt_device *d, simt_addr address, size_t bytes);
    /* an argument of printf is read at a generic address */
    void (*printed)(simt_warp *w, unsigned lane, uint64_t generic, size_t bytes);
    bool needs_data;

    /* ---- calls ---- */
    void (*frame_opened)(simt_warp *w, unsigned depth, uint32_t mask);
    void (*frame_closed)(simt_warp *w, unsigned depth);
    /* a parameter of one lane has been copied, between the frames of two depths */
    void (*param)(simt_warp *w, unsigned to, const uint8_t *to_byte, unsigned from,
                  const uint8_t *from_byte, size_t bytes);

    /* ---- threads that meet ---- */
    void (*barrier)(simt_block *b); /* has been passed */
    void (*meet)(simt_warp *w, const meeting *m);
    /* the word of an mbarrier is used; published: what comes before arrivals */
    void (*mbarrier_used)(simt_warp *w, const memory_access *a, const uint32_t *offset);
    void (*mbarrier_set)(simt_block *b, uint32_t offset, uint32_t bytes);
    void (*mbarrier_arrive)(simt_warp *w, unsigned lane, watch_order *published);
    void (*mbarrier_wait)(simt_warp *w, const watch_order *published);

    /* ---- asynchronous copies ---- */
    void (*copy_range)(simt_warp *w, const insn *i, unsigned lane, uint64_t address, size_t bytes,
                       bool write); /* the global side, when issued */
    void (*copy_issued)(simt_warp *w, const copy_lane *c);
    void (*copy_moved)(simt_warp *w, const copy_lane *c); /* its bytes have */
    void (*copy_waited)(simt_warp *w, const copy_lane *c);
    /* an mbarrier tells that it is done: threads that wait there come after it */
    void (*copy_landed)(simt_warp *w, const copy_lane *c, watch_order *published);
    void (*proxy_fence)(simt_warp *w, bool shared, bool global); /* fence.proxy.async */
};

/* Calls every watcher of the worker k that has a function for the event. */
#define NOTIFY_WATCHERS(k, event, ...)                                                             \
    for (const watcher *const *t_ = (k)->watchers; *t_; t_++)                                      \
        if ((*t_)->event)                                                                          \
    (*t_)->event(__VA_ARGS__)

/* The same of an event that may fail: false if any does. */
#define ALL_WATCHERS(ok, list, event, ...)                                                         \
    for (const watcher *const *t_ = (list); *t_ && (ok); t_++)                                     \
        if ((*t_)->event)                                                                          \
    (ok) = (*t_)->event(__VA_ARGS__)

/* Executes an instruction, seen by those of the list from `from` on who want to see it; mask may be
   empty. machine/warp.c */
void watched_step(simt_warp *w, const insn *i, uint32_t mask, const watcher *const *from);

/* ---- the fast paths -------------------------------------------------------------------------- */

/* Lanes of mask at consecutive words of shared memory, lane 0 at offset, which all are good. False:
   there is more to see: the event `shared` tells it. */
static inline bool watched_words(simt_warp *w, const insn *i, uint32_t mask, int32_t offset,
                                 bool write)
{
    simt_block *b = w->block;
    if (b->marks && (w->unset || !unset_words(b->marks + offset / 4, mask, write)))
        return false;
    return !b->race.write_stamp || w->worker->race->words(w, i, mask, offset, write);
}

/* The same for a whole warp in a run; it calls nothing. */
static inline __attribute__((always_inline)) bool watched_line(simt_warp *w, const insn *i,
                                                               uint32_t offset, bool write)
{
    simt_block *b = w->block;
    uint8_t *marks = b->marks ? b->marks + offset / 4 : NULL;
    if (marks && (w->unset || (!write && !unset_all_set(marks, LANES))))
        return false;
    if (b->race.write_stamp && !race_line(w, i, offset, write))
        return false;
    if (marks && write)
        memset(marks, MARK_SET, LANES);
    return true;
}

/* A whole warp at consecutive words of global memory; data: what it stores, null: it loads. */
static inline __attribute__((always_inline)) bool watched_global_line(simt_warp *w, const insn *i,
                                                                      uint64_t address,
                                                                      const uint32_t *data,
                                                                      strength order,
                                                                      const allocation *near)
{
    worker *k = w->worker;
    uint8_t *marks = k->marks ? k->marks + (address - GLOBAL_BASE) / 4 : NULL;
    if (marks && (w->unset || (!data && !unset_all_set(marks, LANES))))
        return false;
    if (k->shadow &&
        (order != WEAK || !near || near->constant || !k->race->global_line(w, i, address, data)))
        return false;
    if (marks && data)
        memset(marks, MARK_SET, LANES);
    return true;
}

#endif
