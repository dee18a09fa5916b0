/*
 * cooperative_groups/scan.h: inclusive_scan and exclusive_scan over the ranks of a tile or a
 * coalesced group; without an operator, sums. The exclusive one gives the first member a
 * value-initialised T, as CUDA's does for plus. CUDA C++ Programming Guide, "inclusive_scan".
 */
#ifndef SCANLAB_COOPERATIVE_GROUPS_SCAN_H
#define SCANLAB_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{

template <class Group, class T, class Op>
static inline SCANLAB_DEVICE T inclusive_scan(const Group &group, T value, Op op)
{
    unsigned rank = group.thread_rank(), all = group.num_threads();
    for (unsigned step = 1; step < all; step *= 2) {
        T other = group.shfl_up(value, step);
        if (rank >= step)
            value = op(other, value);
    }
    return value;
}
template <class Group, class T>
static inline SCANLAB_DEVICE T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Op>
static inline SCANLAB_DEVICE T exclusive_scan(const Group &group, T value, Op op)
{
    T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() ? before : T();
}
template <class Group, class T>
static inline SCANLAB_DEVICE T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

}    // namespace cooperative_groups

#endif
