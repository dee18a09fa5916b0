/*
 * schedule.c: see schedule.h.
 *
 * Most labs: in order, reversed, then shuffled as often as asked for. Where blocks wait for each
 * other, each order with 1, 2 and 4 blocks resident, in order with 2 the first is stalled, and
 * every second round of shuffles has late stores; then, where the lab asks for it, shuffled once
 * more with its crowd resident.
 */
#include "schedule.h"

#include <stdio.h>
#include <string.h>

#include "rng.h"

/* CROWDED and below: their index, however many shuffles are asked for */
enum {
    RESIDENT = 8,
    RESIDENCIES = 3,
    FEW = 1,
    STALLED = 1,
    CROWDED = 255,
    IN_PLACE = 254,
    IN_TURN = 253,
    OFTEN = 252,
    FAR = 251
};

/* warp instructions of the others while a block is stalled: some 100000 looks of those who wait
   for it; enough to look once */
static const uint64_t stalled_long = (uint64_t)1 << 23, stalled_shortly = (uint64_t)1 << 15;

/* cycles of such an instruction: 8 s of the GPU's clock in all */
enum { FAST = 1 << 10 };

static const unsigned residencies[RESIDENCIES] = { 1, 2, 4 };

schedule schedule_plain(const lab *l, const options *o)
{
    schedule s = { .order = SIMT_BLOCKS_IN_ORDER,
                   .resident = l->blocks_wait ? RESIDENT : 0,
                   .large = true };

    if (options_wants_gpu(o))
        return (schedule){ .large = true, .gpu = true };
    if (o->has_order)
        s.order = o->order;
    if (o->resident)
        s.resident = o->resident;
    return s;
}

static bool may_be_in_place(const lab *l)
{
    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (l->parts[p].in_place)
            return true;
    return false;
}

unsigned schedule_count(const lab *l, const options *o)
{
    const unsigned last = may_be_in_place(l);

    if (options_wants_gpu(o))
        return 1 + o->seeds + last;
    return (l->blocks_wait ? 1 + (2 + o->seeds) * RESIDENCIES + (l->crowd > 0) : 2 + o->seeds) +
           last;
}

/* Rounds: in order, reversed, shuffled, shuffled with late stores, shuffled ... */
static schedule waiting_at(unsigned number)
{
    const unsigned round = (number - 1) / RESIDENCIES, which = (number - 1) % RESIDENCIES;

    return (schedule){ .index = number,
                       .resident = residencies[which],
                       .residency_only = which > 0,
                       .order = round == 0   ? SIMT_BLOCKS_IN_ORDER
                                : round == 1 ? SIMT_BLOCKS_REVERSED
                                             : SIMT_BLOCKS_SHUFFLED,
                       .late_stores = round >= 2 && round % 2 == 1,
                       .stall = round == 0 && which == STALLED ? stalled_long : 0,
                       .clock_step = round == 0 && which == STALLED ? FAST : 0,
                       .large = which == FEW && (round == 1 || round == 3),
                       .shifted = which == FEW && round == 1 };
}

static schedule crowded(const lab *l)
{
    return (schedule){ .index = CROWDED,
                       .resident = l->crowd,
                       .order = SIMT_BLOCKS_SHUFFLED,
                       .large = true,
                       .crowded = true,
                       .residency_only = true };
}

static schedule in_place(const lab *l)
{
    return (schedule){ .index = IN_PLACE,
                       .resident = l->blocks_wait ? residencies[RESIDENCIES - 1] : 0,
                       .order = SIMT_BLOCKS_SHUFFLED,
                       .late_stores = l->blocks_wait,
                       .large = !l->blocks_wait,
                       .in_place = true };
}

schedule schedule_in_turn(void)
{
    return (schedule){ .index = IN_TURN,
                       .resident = residencies[RESIDENCIES - 1],
                       .order = SIMT_BLOCKS_SHUFFLED };
}

schedule schedule_often(unsigned stalled)
{
    return (schedule){ .index = OFTEN,
                       .resident = SCHEDULE_STALLED + 1,
                       .order = SIMT_BLOCKS_SHUFFLED,
                       .stall = stalled ? stalled_shortly : 0,
                       .stalled = stalled };
}

static bool has_notes(const lab_part *part)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        if (part->buffers[b].role == LAB_NOTE)
            return true;
    return false;
}

schedule schedule_far(const lab_part *part, bool like)
{
    return (schedule){ .index = FAR,
                       .resident = part ? LAB_FAR_BLOCKS : SCHEDULE_FAR,
                       .order = SIMT_BLOCKS_SHUFFLED,
                       .stall = stalled_long,
                       /* what is noted is compared with what the checks have seen */
                       .bounds_only = like || (part && !has_notes(part)) };
}

schedule schedule_far_data(void)
{
    return (schedule){ .index = FAR,
                       .resident = residencies[RESIDENCIES - 1],
                       .order = SIMT_BLOCKS_IN_ORDER };
}

static schedule other_at(unsigned number)
{
    return (schedule){ .index = number,
                       .order = number == 1 ? SIMT_BLOCKS_REVERSED : SIMT_BLOCKS_SHUFFLED,
                       .large = number <= 2 };
}

/* Of many seeds, each takes the most blocks, between which most can happen; reversed, where blocks
   starve, all residencies. */
static bool is_left_out(const options *o, const schedule *s)
{
    return o->quick && s->resident && !s->crowded && !s->stall &&
           s->order != SIMT_BLOCKS_REVERSED && !s->in_place &&
           s->resident != residencies[RESIDENCIES - 1];
}

/* Of a reversed schedule: where nobody waits, the first shuffled one, which runs the large case as
   well; else the one with as many blocks resident that is shuffled with late stores, for the same
   reason. 0: it is left out. */
static unsigned partner(const lab *l, const options *o, unsigned number)
{
    const unsigned other = l->blocks_wait ? number + 2 * RESIDENCIES : 2,
                   count = schedule_count(l, o) - may_be_in_place(l) - (l->crowd > 0);
    schedule s;

    return other < count && schedule_at(l, o, other, &s) ? other : 0;
}

bool schedule_at(const lab *l, const options *o, unsigned number, schedule *s)
{
    const bool gpu = options_wants_gpu(o), crowd = !gpu && l->blocks_wait && l->crowd > 0;
    const unsigned last = schedule_count(l, o) - may_be_in_place(l);

    /* in place before crowded, for which the program may start afresh, and makes few calls */
    if (may_be_in_place(l) && number == last - crowd) {
        *s = in_place(l);
        s->gpu = gpu;
    } else if (gpu) {
        *s = (schedule){ .index = number, .large = true, .gpu = true };
    } else if (l->blocks_wait) {
        *s = crowd && number + 1 == schedule_count(l, o) ? crowded(l) : waiting_at(number);
    } else {
        *s = other_at(number);
    }
    if (s->gpu) {
        s->like = number == 2 && last > 2 ? 1 : 0;
        return true;
    }
    if (o->quick && s->order == SIMT_BLOCKS_SHUFFLED && !s->crowded)
        s->large = false;
    if (o->resident) {
        if (s->residency_only)
            return false;
        s->resident = o->resident;
    }
    if ((o->has_order && s->order != o->order) || (!o->resident && is_left_out(o, s)))
        return false;
    if (s->order == SIMT_BLOCKS_REVERSED && !o->has_order)
        s->like = partner(l, o, number);
    return true;
}

bool schedule_follower(const lab *l, const options *o, const schedule *s, schedule *follower)
{
    for (unsigned k = 1; s->index > 0 && k < schedule_count(l, o); k++)
        if (schedule_at(l, o, k, follower) && follower->like == s->index)
            return true;
    return false;
}

uint64_t schedule_seed(const schedule *s, uint64_t seed)
{
    uint64_t state = seed + ((uint64_t)s->index << 32);
    return s->index == 0 ? seed : rng_splitmix64(&state);
}

void schedule_text(const lab *l, const schedule *s, uint64_t seed, char *text, size_t room)
{
    static const char *const orders[] = { [SIMT_BLOCKS_IN_ORDER] = "blocks in order",
                                          [SIMT_BLOCKS_REVERSED] = "blocks reversed",
                                          [SIMT_BLOCKS_SHUFFLED] = "blocks shuffled" };
    char resident[96] = "", stalled[40] = "";

    if (s->gpu && s->index > 0 && !s->in_place) {
        snprintf(text, room, "data set %u of seed %llu", s->index + 1, (unsigned long long)seed);
        return;
    }
    if (l->threads == 0 || s->gpu) {
        snprintf(text, room, "seed %llu", (unsigned long long)seed);
        return;
    }
    if (s->stall && s->stalled)
        snprintf(stalled, sizeof stalled, ", the one after %u stalled", s->stalled);
    else if (s->stall)
        snprintf(stalled, sizeof stalled, ", the first stalled");
    if (s->resident)
        snprintf(resident, sizeof resident, ", %u resident (the next starts when one ends)%s",
                 s->resident, stalled);
    snprintf(text, room, "%s%s%s, seed %llu%s", orders[s->order], resident,
             s->order == SIMT_BLOCKS_SHUFFLED ? ", warps shuffled" : "", (unsigned long long)seed,
             s->late_stores ? ", late stores" : "");
}
