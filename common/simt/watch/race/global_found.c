/*
 * global_found.c: the finding of two accesses to global memory that race (race_global_found of
 * shadow.h), and why nothing orders them: its cause. Which accesses race is global.c's.
 */
#include "machine/found.h"
#include "machine/site.h"
#include "watch/race/shadow.h"

#include <string.h>

const insn *shadow_insn(const simt_device *d, uint32_t pc, const code **c)
{
    pc &= PC_MASK;
    for (unsigned m = 0; m < d->function_count; m++) {
        const code *f = d->functions[m];
        if (!f->insns || pc < f->counter_base || pc >= f->counter_base + f->count)
            continue;
        *c = f;
        return &f->insns[pc - f->counter_base];
    }
    return NULL;
}

/* The same of an access on another GPU: there is an order, or one strong access meets another, that
   would do within one. */
static simt_cause cause_between(const simt_warp *w, const sight *other, uint32_t strength,
                                unsigned slot)
{
    const knowledge *n = &w->knows;
    const uint32_t position = sight_position(other);
    const bool strong = strength & STRONG_GPU && other->pc & STRONG_GPU;
    if (strong && !(strength & other->pc & STRONG_SYS))
        return SIMT_CAUSE_DEVICE_ATOMIC;
    /* of the flags that it has seen, the last one tells of which kind they are */
    if (!strong && n->unfenced && n->unfenced_device)
        return SIMT_CAUSE_DEVICE_FENCE;
    if (!strong && sight_time(other) < vclock_time(n->observed_system, position, slot))
        return n->fenced_device ? SIMT_CAUSE_DEVICE_FENCE : SIMT_CAUSE_NO_READ_FENCE;
    return SIMT_CAUSE_NONE;
}

/* Was the flag that the warp has seen last set after the write, with no fence between? By its own
   thread at the same time, further down, or by another one after a barrier past the write: what
   fence there was came too early, or in a third thread. */
static bool set_without_fence(const simt_warp *w, const sight *other)
{
    const race_setter *s = &w->knows.setter;
    if (s->block != sight_position(other) + 1 || s->who >= RACE_MANY_WARP ||
        sight_who(other) >= RACE_MANY_WARP)
        return false;
    if (race_warp_of(sight_who(other)) == race_warp_of(s->who))
        return sight_time(other) == s->time && 1 + (other->pc & PC_MASK) < s->pc;
    return sight_time(other) < s->base;
}

/* Why the two are not ordered, or why that is not enough; strength: STRONG_ bits, PC_NC. */
static simt_cause cause_of(const simt_warp *w, const simt_finding *f, const sight *other,
                           uint32_t strength)
{
    const knowledge *n = &w->knows;
    uint32_t position = sight_position(other);
    unsigned v = race_warp_of(sight_who(other)), slot = v < VCLOCK_WARPS ? v : VCLOCK_ALL;
    if ((strength & PC_NC || (!other->write && other->pc & PC_NC)) && f->at.write != other->write &&
        (position == position_of(w->block) || w->worker->launch->resident))
        return SIMT_CAUSE_READ_ONLY;
    if (shadow_on_other_gpu(w, position)) {
        const simt_cause cause = cause_between(w, other, strength, slot);
        if (cause != SIMT_CAUSE_NONE)
            return cause;
    }
    bool now_strong = strength & STRONG_GPU, then_strong = other->pc & STRONG_GPU;
    if (now_strong && then_strong && position == position_of(w->block))
        return SIMT_CAUSE_TORN;
    if (position == position_of(w->block))
        return f->at.write && other->write && f->at.line == f->other.line ? SIMT_CAUSE_SAME_ELEMENT
                                                                          : SIMT_CAUSE_NO_BARRIER;
    if (!w->worker->launch->resident)
        return SIMT_CAUSE_BLOCKS_APART;
    if ((strength | other->pc) & STRONG_CTA)
        return SIMT_CAUSE_BLOCK_ATOMIC;
    if (now_strong && then_strong)
        return SIMT_CAUSE_TORN;
    if (n->unfenced == position + 1 && !race_flag_fenced(w, f->address, position))
        return n->unfenced_narrow ? SIMT_CAUSE_NARROW_FENCE : SIMT_CAUSE_NO_FENCE;
    if (sight_time(other) < vclock_time(n->observed, position, slot))
        return SIMT_CAUSE_NO_READ_FENCE;
    if (now_strong != then_strong)
        return SIMT_CAUSE_PLAIN_SIDE;
    if (other->write && !f->at.write)
        return set_without_fence(w, other) ? SIMT_CAUSE_NO_FENCE : SIMT_CAUSE_NO_FLAG;
    return other->write ? SIMT_CAUSE_BETWEEN_BLOCKS : SIMT_CAUSE_READ_NOT_AWAITED;
}

/* Another thread of its block than the one that set the flag which the warp has seen, and nothing
   ordered what it did before that: 1 + the one that set it. Else 0. */
static unsigned other_setter(const simt_warp *w, const sight *other)
{
    const race_setter *s = &w->knows.setter;
    const uint32_t who = sight_who(other);
    if (s->block != sight_position(other) + 1 || who >= RACE_MANY_WARP ||
        s->who >= RACE_MANY_WARP || who == s->who)
        return 0;
    const bool of_warp = race_warp_of(who) == race_warp_of(s->who);
    return sight_time(other) >= (of_warp ? s->met : s->base) && (of_warp || !s->observed)
               ? s->who + 1
               : 0;
}

/* An access that is weak, however its cache is chosen: by __ldcg, __ldcv, __stcg ... */
static bool names_a_cache(const insn *i)
{
    const memory_form *form = i && insn_form(i) == FORM_memory ? i->extra : NULL;
    return form && form->l2 && form->order == WEAK;
}

void race_global_found(simt_warp *w, const insn *i, unsigned lane, uint64_t address, unsigned size,
                       bool write, bool atomic, uint32_t strength, const sight *other)
{
    const code *c = NULL;
    const insn *earlier = shadow_insn(w->worker->device, other->pc, &c);
    simt_finding *f = found_add(w, SIMT_RACE, i, earlier, lane);
    if (!w->worker->aside && w->worker->last_finding &&
        sight_position(other) != position_of(w->block))
        w->worker->last_finding->race.across = true;
    if (!f)
        return;
    unsigned thread = sight_thread(other);
    const unsigned me = w->index * LANES + lane;
    if (sight_who(other) >= RACE_MANY_WARP && thread == me &&
        sight_position(other) == position_of(w->block))
        thread = me ? me - 1 : 1; /* any other of them */
    f->has_other = earlier != NULL;
    if (earlier)
        site_fill(w, c, (uint32_t)(earlier - c->insns), thread % LANES, &f->other);
    site_of_part(w->worker->device, launch_part_at(w->worker->launch, sight_position(other)),
                 &f->other);
    f->race.apart = shadow_on_other_gpu(w, sight_position(other));
    f->other.block = launch_block_at(w->worker->launch, sight_position(other));
    f->other.warp = thread / LANES;
    f->other.lane = thread % LANES;
    site_thread(w->block, thread, &f->other.thread);
    f->other.write = other->write;
    f->at.write = write;
    f->at.atomic = atomic;
    f->others = sight_who(other) < RACE_MANY_WARP ? SIMT_ONE_THREAD : SIMT_OTHER_THREADS;
    simt_place p;
    site_in_global(w->worker->device, address, size, &p);
    site_take_place(f, &p);
    f->access_bytes = size;
    const void *host = memory_host(&w->worker->device->memory, address, size);
    if (host)
        memcpy(&f->value, host, size < 8 ? size : 8);
    f->cause = cause_of(w, f, other, strength);
    f->race.setter = other_setter(w, other);
    f->race.cached = names_a_cache(i) || names_a_cache(earlier);
    f->race.handed = w->worker->launch->resident && race_flag_handed(w, other);
}
