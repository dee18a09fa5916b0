/*
 * cooperative_groups/memcpy_async.h: copies to shared memory by all threads of a group, under way
 * until wait or wait_prior. With -arch=sm_80 they are cp.async where both addresses and the size
 * are multiples of 4; else loads and stores, which have ended at once. Every thread of the group
 * calls each. CUDA C++ Programming Guide, "Asynchronous Data Copies using cooperative groups".
 */
#ifndef SCANLAB_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SCANLAB_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../cuda_pipeline.h"

namespace cooperative_groups
{

/* In pieces of so many bytes, one after the other by the group's threads in turn. */
template <unsigned Piece, class Group>
static inline SCANLAB_DEVICE void scanlab_copy(const Group &group, char *to, const char *from,
                                               __SIZE_TYPE__ bytes)
{
    const __SIZE_TYPE__ all = group.num_threads();
    for (__SIZE_TYPE__ at = Piece * (__SIZE_TYPE__)group.thread_rank(); at < bytes;
         at += Piece * all)
        if (Piece > 1)
            __pipeline_memcpy_async(to + at, from + at, Piece);
        else
            to[at] = from[at];
}

/* size: in bytes */
template <class Group, class T, class Size>
static inline SCANLAB_DEVICE void memcpy_async(const Group &group, T *to, const T *from,
                                               const Size &size)
{
    const __SIZE_TYPE__ bytes = size, bits = (__SIZE_TYPE__)to | (__SIZE_TYPE__)from | bytes;
    if (bits % 4 || !__isShared(to) || !__isGlobal(from))
        scanlab_copy<1>(group, (char *)to, (const char *)from, bytes);
    else if (bits % 16)
        scanlab_copy<4>(group, (char *)to, (const char *)from, bytes);
    else
        scanlab_copy<16>(group, (char *)to, (const char *)from, bytes);
    __pipeline_commit();
}

/* in elements: as many as there is room for, of as many as there are */
template <class Group, class T, class Room, class Count>
static inline SCANLAB_DEVICE void memcpy_async(const Group &group, T *to, const Room &room,
                                               const T *from, const Count &count)
{
    const __SIZE_TYPE__ most = room, all = count;
    memcpy_async(group, to, from, (most < all ? most : all) * sizeof(T));
}

/* All but the group's last Stages copies are there. */
template <unsigned Stages, class Group>
static inline SCANLAB_DEVICE void wait_prior(const Group &group)
{
    __pipeline_wait_prior(Stages);
    group.sync();
}
template <class Group> static inline SCANLAB_DEVICE void wait(const Group &group)
{
    wait_prior<0>(group);
}

} /* namespace cooperative_groups */

#endif
