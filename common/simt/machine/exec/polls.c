/*
 * polls.c: see polls.h.
 */
#include "machine/exec/polls.h"
#include "machine/exec/sectors.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEPT = 4,
    /* looks in a row that find nothing new where all has been published; a few may be a second
       reading, to see that two words belong together */
    STALLED = 4,
    /* instructions of a round: a window of looks, votes and a sleep take 120 */
    MOST_IN_ROUND = 256
};

typedef struct look {
    const insn *insn;   /* null: free */
    uint32_t mask;      /* lanes that have executed it */
    uint64_t time;      /* of its last execution, in instructions of the warp */
    unsigned stalled;   /* such looks so far: STALLED */
    bool unpublished;   /* the last found a place where no other block has stored */
    uint32_t waiting;   /* lanes that have looked again, and not yet seen anything else */
    poll_counts waited; /* what that has taken */
    poll_counts early;  /* of it, before the warp last published (simt_warp.publishes) */
    uint64_t publishes; /* up to there */
    uint64_t place[LANES], value[LANES];
} look;

struct polls {
    look kept[KEPT];
    unsigned next; /* to be given up */
};

/* How many instructions the warp has executed, with i, which it is at, as they are counted: without
   the places where lanes meet. Fuel is counted off for all of a run when it begins; pc is past
   the run then. */
static uint64_t now(const simt_warp *w, const insn *i)
{
    const int64_t begun = w->slice - w->fuel - w->unspent - w->reserved_fuel;
    return w->retired + (uint64_t)(begun - (&w->insns[w->pc] - (i + 1))) - w->joins;
}

/* What the warp knows of the instruction; null where there is no memory. */
static look *look_of(simt_warp *w, const insn *i)
{
    if (!w->polls && !(w->polls = calloc(1, sizeof *w->polls)))
        return NULL;
    struct polls *p = w->polls;
    for (unsigned k = 0; k < KEPT; k++)
        if (p->kept[k].insn == i)
            return &p->kept[k];
    look *fresh = &p->kept[p->next];
    p->next = (p->next + 1) % KEPT;
    *fresh = (look){ .insn = i };
    return fresh;
}

static uint64_t mixed(uint64_t sum, uint64_t more)
{
    return (sum ^ more) * 0x9e3779b97f4a7c15u + (sum >> 29);
}

/* What the lane has got, all of a vector. */
static uint64_t value_of(const simt_warp *w, const memory_access *a, unsigned l)
{
    const memory_form *f = a->form;
    const insn *i = a->insn;
    uint64_t sum = 0;

    if (a->atomic && f->vector == 1)
        return i->d < 0        ? 0
               : f->bytes >= 8 ? ((const uint64_t *)REG(i->d))[l]
                               : ((const uint32_t *)REG(i->d))[l];
    for (unsigned k = 0; k < f->vector; k++) {
        const int32_t reg = a->atomic ? f->old[k] : f->reg[k];
        if (reg >= 0)
            sum = mixed(sum, !a->atomic && f->wide[k] ? ((const uint64_t *)REG(reg))[l]
                                                      : ((const uint32_t *)REG(reg))[l]);
    }
    return sum;
}

/* Lanes that see at the place of their last look what they saw there then, or something new. */
typedef struct sight {
    uint32_t again, fresh;
} sight;

static sight look_again(look *at, uint32_t mask, const uint64_t *place, const uint64_t *value)
{
    sight s = { 0, 0 };
    FOR_LANES (l, mask) {
        const bool there = at->mask >> l & 1 && at->place[l] == place[l],
                   same = at->value[l] == value[l];
        s.again |= (uint32_t)(there && same) << l;
        s.fresh |= (uint32_t)(there && !same) << l;
        at->place[l] = place[l];
        at->value[l] = value[l];
    }
    at->mask |= mask;
    return s;
}

/* Instructions since the last execution. */
static uint64_t round_of(simt_warp *w, look *at)
{
    const uint64_t time = now(w, at->insn), round = time - at->time;
    at->time = time;
    return round;
}

/* The warp has published something to its block since that look: all that it took was before. */
static void note_publishes(const simt_warp *w, look *at)
{
    if (at->publishes == w->publishes)
        return;
    at->early = at->waited;
    at->publishes = w->publishes;
}

static void forget_wait(look *at) { at->waited = at->early = (poll_counts){ 0 }; }

/* Who ended the wait. */
typedef enum ender { NOBODY, OWN_BLOCK, ANOTHER } ender;

/* What the look took of a wait that has ended. Who is of the same block may have waited for this
   warp: what it published came after its rounds, and so did the store then. */
static poll_counts taken(const look *at, ender by)
{
    poll_counts c = at->waited;

    if (by == OWN_BLOCK) {
        c.instructions -= at->early.instructions;
        c.bytes_read -= at->early.bytes_read;
        c.bytes_written -= at->early.bytes_written;
        c.sectors -= at->early.sectors;
        c.ideal -= at->early.ideal;
        c.atomics -= at->early.atomics;
    }
    return c;
}

/* What was waited for has come, and the look before it was at `since`: that was waiting, and what
   other looks in the same rounds took, if it is not many times this one's: else it is something
   that is read there again. Their instructions are those of this one's rounds. */
static void end_wait(simt_warp *w, look *at, ender by, uint64_t since)
{
    poll_counts *p = &w->worker->polls;
    const poll_counts mine = taken(at, by);

    p->instructions += mine.instructions;
    w->polled += mine.instructions;
    w->block->polled += mine.instructions;
    for (look *k = w->polls->kept; k < w->polls->kept + KEPT; k++) {
        note_publishes(w, k);
        const poll_counts c = taken(k, by);
        if (k != at && (k->time < since || c.bytes_read > 4 * mine.bytes_read))
            continue;
        p->bytes_read += c.bytes_read;
        p->bytes_written += c.bytes_written;
        p->sectors += c.sectors;
        p->ideal += c.ideal;
        p->atomics += c.atomics;
        forget_wait(k);
    }
}

/* Lanes of mask have looked; by whom has a wait ended by that? */
static void note_look(simt_warp *w, look *at, uint32_t mask, uint32_t again, ender by,
                      uint64_t since)
{
    at->waiting = (at->waiting & ~mask) | again;
    note_publishes(w, at);
    if (by != NOBODY)
        end_wait(w, at, by, since);
    else if (!at->waiting)
        forget_wait(at);
}

/* The access took so much for the lanes that look again. */
static void add_bytes(poll_counts *p, const memory_access *a, const uint64_t *address,
                      uint32_t again)
{
    const unsigned lanes = (unsigned)__builtin_popcount(again);
    unsigned sectors, ideal, others, others_ideal;
    memory_access rest = *a;

    rest.mask = a->mask & ~again;
    sectors_of(a, address, &sectors, &ideal);
    sectors_of(&rest, address, &others, &others_ideal);
    p->bytes_read += (uint64_t)a->bytes * lanes;
    p->sectors += sectors - others;
    p->ideal += ideal - others_ideal;
    if (a->atomic) {
        const unsigned changing = (unsigned)__builtin_popcount(again & ~a->reads);
        p->bytes_written += (uint64_t)a->bytes * changing;
        p->atomics += changing;
    }
}

/* Since then, has another look waited for a block that has published nothing yet? */
static bool waits_elsewhere(const simt_warp *w, const look *at, uint64_t since)
{
    for (const look *k = w->polls->kept; k < w->polls->kept + KEPT; k++)
        if (k != at && k->insn && k->unpublished && k->time >= since)
            return true;
    return false;
}

void polls_look(simt_warp *w, const memory_access *a, const uint64_t *address, bool changed)
{
    look *at = look_of(w, a->insn);
    uint64_t value[LANES];

    if (!at)
        return;
    FOR_LANES (l, a->mask)
        value[l] = changed ? w->worker->version : value_of(w, a, l);
    const sight s = look_again(at, a->mask, address, value);
    const uint64_t round = round_of(w, at);
    at->unpublished = (a->mask & ~w->observed) != 0;
    at->stalled =
        s.again == a->mask && !at->unpublished && !waits_elsewhere(w, at, at->time - round)
            ? at->stalled + 1
            : 0;
    w->worker->polls.stalls += at->stalled == STALLED;
    if (s.again && round <= MOST_IN_ROUND) {
        /* some may have seen what is new: the warp waits for the others, and looks at all */
        at->waited.instructions += (s.again | s.fresh) == a->mask ? round : 0;
        add_bytes(&at->waited, a, address, s.again);
    }
    note_look(w, at, a->mask, s.again,
              s.fresh & w->stored_by_blocks   ? ANOTHER
              : s.fresh & w->stored_by_others ? OWN_BLOCK
                                              : NOBODY,
              at->time - round);
}

void polls_wait(simt_warp *w, const insn *i, uint32_t mask, uint32_t done, uint32_t by_others)
{
    look *at = look_of(w, i);
    uint64_t place[LANES], value[LANES];

    if (!at)
        return;
    FOR_LANES (l, mask) {
        place[l] = 0;
        value[l] = done >> l & 1 ? now(w, i) : 0;
    }
    const sight s = look_again(at, mask, place, value);
    const uint64_t round = round_of(w, at);
    if (s.again == mask && round <= MOST_IN_ROUND)
        at->waited.instructions += round;
    note_look(w, at, mask, s.again, s.fresh & done & by_others ? OWN_BLOCK : NOBODY,
              at->time - round);
}
