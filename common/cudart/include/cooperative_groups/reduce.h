/*
 * cooperative_groups/reduce.h: reduce(group, value, op) over a tile or a coalesced group: every
 * member gets op over all members' values. op is plus, less, greater, bit_and, bit_or, bit_xor or
 * any associative, commutative function object. CUDA C++ Programming Guide, "reduce".
 */
#ifndef SCANLAB_COOPERATIVE_GROUPS_REDUCE_H
#define SCANLAB_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define SCANLAB_OPERATOR(name, expression)                                                         \
    template <class T = void> struct name {                                                        \
        SCANLAB_BOTH T operator()(const T &a, const T &b) const { return expression; }             \
    };
SCANLAB_OPERATOR(plus, a + b)
SCANLAB_OPERATOR(less, b < a ? b : a)
SCANLAB_OPERATOR(greater, a < b ? b : a)
SCANLAB_OPERATOR(bit_and, a &b)
SCANLAB_OPERATOR(bit_or, a | b)
SCANLAB_OPERATOR(bit_xor, a ^ b)
#undef SCANLAB_OPERATOR

/* A tree to the first member, whose result goes to all: a rank without a partner keeps what it
   has. */
template <class Group, class T, class Op>
static inline SCANLAB_DEVICE T reduce(const Group &group, T value, Op op)
{
    unsigned rank = group.thread_rank(), all = group.num_threads();
    for (unsigned step = 1; step < all; step *= 2) {
        T other = group.shfl_down(value, step);
        if (rank + step < all)
            value = op(value, other);
    }
    return group.shfl(value, 0);
}

}    // namespace cooperative_groups

#endif
