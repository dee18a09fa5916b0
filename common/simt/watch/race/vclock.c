/*
 * vclock.c: see vclock.h. LEVELS levels of nodes, the last of which points to leaves; children that
 * a node lacks are null.
 */
#include "watch/race/vclock.h"

#include <stdlib.h>
#include <string.h>

enum {
    FAN_BITS = 4,
    FAN = 1 << FAN_BITS,
    LEVELS = VCLOCK_POSITION_BITS / FAN_BITS,
    PIECE = 1 << 16
};

struct vclock {
    const void *child[FAN]; /* nodes; on the last level vclock_times */
};

struct vclock_piece {
    struct vclock_piece *next;
    _Alignas(16) unsigned char bytes[PIECE];
};

static void *take(vclock_arena *a, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (!a->pieces || a->used + bytes > PIECE) {
        struct vclock_piece *fresh = a->total < VCLOCK_LIMIT ? malloc(sizeof *fresh) : NULL;
        if (!fresh) {
            a->full = true;
            return NULL;
        }
        fresh->next = a->pieces;
        a->pieces = fresh;
        a->used = 0;
        a->total += sizeof *fresh;
    }
    void *p = a->pieces->bytes + a->used;
    a->used += bytes;
    return p;
}

void vclock_free(vclock_arena *a)
{
    while (a->pieces) {
        struct vclock_piece *next = a->pieces->next;
        free(a->pieces);
        a->pieces = next;
    }
    *a = (vclock_arena){ 0 };
}

static void *copy_of(vclock_arena *a, const void *from, size_t bytes)
{
    void *copy = take(a, bytes);
    if (copy)
        memcpy(copy, from, bytes);
    return copy;
}

static const void *join_times(vclock_arena *arena, const vclock_times *a, const vclock_times *b)
{
    bool a_lacks = false, b_lacks = false;
    for (unsigned k = 0; k <= VCLOCK_WARPS; k++) {
        a_lacks |= b->at[k] > a->at[k];
        b_lacks |= a->at[k] > b->at[k];
    }
    if (!a_lacks || !b_lacks)
        return a_lacks ? b : a;
    vclock_times *t = copy_of(arena, a, sizeof *a);
    for (unsigned k = 0; t && k <= VCLOCK_WARPS; k++)
        if (b->at[k] > t->at[k])
            t->at[k] = b->at[k];
    return t ? t : a;
}

static const void *join(vclock_arena *arena, const void *a, const void *b, unsigned level)
{
    if (a == b || !b)
        return a;
    if (!a)
        return b;
    if (level == LEVELS)
        return join_times(arena, a, b);
    const vclock *x = a, *y = b;
    const void *merged[FAN];
    bool is_x = true, is_y = true;
    for (unsigned k = 0; k < FAN; k++) {
        merged[k] = join(arena, x->child[k], y->child[k], level + 1);
        is_x &= merged[k] == x->child[k];
        is_y &= merged[k] == y->child[k];
    }
    if (is_x || is_y)
        return is_x ? a : b;
    vclock *n = take(arena, sizeof *n);
    if (!n)
        return a;
    memcpy(n->child, merged, sizeof merged);
    return n;
}

const vclock *vclock_join(vclock_arena *arena, const vclock *a, const vclock *b)
{
    return join(arena, a, b, 0);
}

static unsigned digit(uint32_t position, unsigned level)
{
    return position >> FAN_BITS * (LEVELS - 1 - level) & (FAN - 1);
}

static const void *with(vclock_arena *arena, const void *clock, uint32_t position,
                        const vclock_times *times, unsigned level)
{
    if (level == LEVELS) { /* times is the caller's: a copy of it goes into the tree */
        const void *both = clock ? join_times(arena, clock, times) : times;
        return both == times ? copy_of(arena, times, sizeof *times) : both;
    }
    static const vclock empty;
    const vclock *n = clock ? clock : &empty;
    unsigned k = digit(position, level);
    const void *child = with(arena, n->child[k], position, times, level + 1);
    vclock *copy = child == n->child[k] ? NULL : copy_of(arena, n, sizeof *n);
    if (!copy)
        return clock;
    copy->child[k] = child;
    return copy;
}

const vclock *vclock_with(vclock_arena *arena, const vclock *clock, uint32_t position,
                          const vclock_times *times)
{
    return with(arena, clock, position, times, 0);
}

const vclock_times *vclock_of(const vclock *clock, uint32_t position)
{
    const void *n = clock;
    for (unsigned level = 0; n && level < LEVELS; level++)
        n = ((const vclock *)n)->child[digit(position, level)];
    return n;
}

uint32_t vclock_time(const vclock *clock, uint32_t position, unsigned warp)
{
    const vclock_times *t = vclock_of(clock, position);
    if (!t)
        return 0;
    return t->at[warp] > t->at[VCLOCK_ALL] ? t->at[warp] : t->at[VCLOCK_ALL];
}
