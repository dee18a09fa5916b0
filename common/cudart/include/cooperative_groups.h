/*
 * cooperative_groups.h: groups of threads: the grid, the block, tiles of a block, lanes of a warp.
 *
 * grid_group::sync() is a barrier of all threads of the grid: what any of them wrote before it, all
 * of them see after it. The kernel must have been launched by cudaLaunchCooperativeKernel, which
 * makes all blocks resident; else sync() traps, as is_valid() says. Every thread of the grid must
 * come to it. Tiles are of 1, 2, 4, 8, 16 or 32 threads, consecutive in the block; a coalesced
 * group holds lanes of one warp. Their members are a mask, their collectives the .sync instructions
 * with it. Names and meaning: CUDA C++ Programming Guide, "Cooperative Groups". reduce and the
 * scans stand in cooperative_groups/reduce.h and scan.h, memcpy_async in memcpy_async.h. Not here:
 * tiles of more than a warp, clusters, invoke_one; they do not compile.
 */
#ifndef SCANLAB_COOPERATIVE_GROUPS_H
#define SCANLAB_COOPERATIVE_GROUPS_H

namespace cooperative_groups
{

/* Blocks that have come to the barrier under way, and barriers completed. Both go on from launch to
   launch: a completed barrier leaves arrived at 0, and of completed only the change matters. One
   pair for each source file. */
static __attribute__((device, unused)) unsigned scanlab_arrived;
static __attribute__((device, unused)) unsigned scanlab_completed;

class thread_block
{
  public:
    SCANLAB_DEVICE void sync() const { __syncthreads(); }
    SCANLAB_DEVICE unsigned num_threads() const { return blockDim.x * blockDim.y * blockDim.z; }
    SCANLAB_DEVICE unsigned size() const { return num_threads(); }
    SCANLAB_DEVICE unsigned thread_rank() const
    {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    SCANLAB_DEVICE dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    SCANLAB_DEVICE dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    SCANLAB_DEVICE dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    SCANLAB_DEVICE dim3 dim_threads() const { return group_dim(); }
};

class grid_group
{
  public:
    SCANLAB_DEVICE bool is_valid() const
    {
        unsigned cooperative;
        asm volatile("mov.u32 %0, %%envreg1;" : "=r"(cooperative));
        return cooperative != 0;
    }
    SCANLAB_DEVICE unsigned long long num_blocks() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    SCANLAB_DEVICE unsigned long long block_rank() const
    {
        return blockIdx.x + (unsigned long long)gridDim.x *
                                (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    SCANLAB_DEVICE unsigned long long num_threads() const
    {
        return num_blocks() * thread_block().num_threads();
    }
    SCANLAB_DEVICE unsigned long long size() const { return num_threads(); }
    SCANLAB_DEVICE unsigned long long thread_rank() const
    {
        return block_rank() * thread_block().num_threads() + thread_block().thread_rank();
    }
    SCANLAB_DEVICE void sync() const
    {
        if (!is_valid())
            __trap();
        __syncthreads();
        if (thread_block().thread_rank() == 0) {
            volatile unsigned *completed = &scanlab_completed;
            unsigned before = *completed; /* cannot change before this block has come */
            /* the block's writes are there before it is seen to have come */
            __threadfence();
            if (atomicAdd(&scanlab_arrived, 1u) == (unsigned)num_blocks() - 1) {
                __threadfence();
                atomicExch(&scanlab_arrived, 0u);
                /* the next barrier begins at 0 before anyone leaves this one */
                __threadfence();
                atomicAdd(&scanlab_completed, 1u);
            } else {
                while (*completed == before)
                    ;
            }
            __threadfence(); /* nothing is read before all have come */
        }
        __syncthreads();
    }
};

/* Some lanes of one warp. What takes a rank counts the members from 0. */
class coalesced_group
{
  protected:
    unsigned mask, meta, metas;
    SCANLAB_DEVICE static unsigned own_lane()
    {
        unsigned lane;
        asm("mov.u32 %0, %%laneid;" : "=r"(lane));
        return lane;
    }
    SCANLAB_DEVICE unsigned before() const { return mask & ((1u << own_lane()) - 1); }
    /* The lane of the member with this rank. */
    SCANLAB_DEVICE unsigned lane_of(unsigned rank) const
    {
        unsigned rest = mask;
        if (mask == 0xffffffffu)
            return rank % 32;
        for (unsigned k = 0; k < rank % num_threads(); k++)
            rest &= rest - 1;
        return __ffs((int)rest) - 1;
    }
    /* Bits of lanes to bits of ranks. */
    SCANLAB_DEVICE unsigned packed(unsigned lanes) const
    {
        unsigned result = 0, to = 0;
        if (mask == 0xffffffffu)
            return lanes;
        for (unsigned rest = mask; rest; rest &= rest - 1, to++)
            result |= (lanes >> (__ffs((int)rest) - 1) & 1u) << to;
        return result;
    }
    /* Values of any type travel as words. */
    template <class T> SCANLAB_DEVICE T moved(const T &value, unsigned lane) const
    {
        enum { WORDS = (sizeof(T) + 3) / 4 };
        union both {
            T value;
            unsigned words[WORDS];
            SCANLAB_DEVICE both() {}
        } from, to;
        from.words[WORDS - 1] = 0;
        from.value = value;
        for (int k = 0; k < WORDS; k++)
            to.words[k] = __shfl_sync(mask, from.words[k], (int)lane);
        return to.value;
    }

  public:
    SCANLAB_DEVICE explicit coalesced_group(unsigned members, unsigned rank = 0, unsigned ranks = 1)
        : mask(members), meta(rank), metas(ranks)
    {
    }
    SCANLAB_DEVICE unsigned scanlab_mask() const { return mask; }
    SCANLAB_DEVICE void sync() const { __syncwarp(mask); }
    SCANLAB_DEVICE unsigned num_threads() const { return __popc(mask); }
    SCANLAB_DEVICE unsigned size() const { return num_threads(); }
    SCANLAB_DEVICE unsigned thread_rank() const { return __popc(before()); }
    SCANLAB_DEVICE unsigned meta_group_rank() const { return meta; }
    SCANLAB_DEVICE unsigned meta_group_size() const { return metas; }
    template <class T> SCANLAB_DEVICE T shfl(const T &value, int rank) const
    {
        return moved(value, lane_of((unsigned)rank));
    }
    template <class T> SCANLAB_DEVICE T shfl_up(const T &value, unsigned by) const
    {
        unsigned own = thread_rank();
        return moved(value, lane_of(own >= by ? own - by : own));
    }
    template <class T> SCANLAB_DEVICE T shfl_down(const T &value, unsigned by) const
    {
        unsigned own = thread_rank();
        return moved(value, lane_of(own + by < num_threads() ? own + by : own));
    }
    SCANLAB_DEVICE int any(int predicate) const { return __any_sync(mask, predicate); }
    SCANLAB_DEVICE int all(int predicate) const { return __all_sync(mask, predicate); }
    SCANLAB_DEVICE unsigned ballot(int predicate) const
    {
        return packed(__ballot_sync(mask, predicate));
    }
    template <class T> SCANLAB_DEVICE unsigned match_any(T value) const
    {
        return packed(__match_any_sync(mask, value));
    }
    template <class T> SCANLAB_DEVICE unsigned match_all(T value, int &all) const
    {
        return packed(__match_all_sync(mask, value, &all));
    }
};

/* Parent: what it was cut from; only a name here. */
template <unsigned Size, class Parent = void> class thread_block_tile : public coalesced_group
{
    static_assert(Size && Size <= 32 && !(Size & (Size - 1)),
                  "a tile here has 1, 2, 4, 8, 16 or 32 threads: larger ones are not offered");

  public:
    SCANLAB_DEVICE thread_block_tile(unsigned members, unsigned rank, unsigned ranks)
        : coalesced_group(members, rank, ranks)
    {
    }
    template <class Other>
    SCANLAB_DEVICE thread_block_tile(const thread_block_tile<Size, Other> &other)
        : coalesced_group(other)
    {
    }
    SCANLAB_DEVICE static constexpr unsigned num_threads() { return Size; }
    SCANLAB_DEVICE static constexpr unsigned size() { return Size; }
    SCANLAB_DEVICE unsigned thread_rank() const { return own_lane() % Size; }
    template <class T> SCANLAB_DEVICE T shfl(const T &value, int rank) const
    {
        return moved(value, own_lane() / Size * Size + (unsigned)rank % Size);
    }
    template <class T> SCANLAB_DEVICE T shfl_up(const T &value, unsigned by) const
    {
        return moved(value, own_lane() - (thread_rank() >= by ? by : 0));
    }
    template <class T> SCANLAB_DEVICE T shfl_down(const T &value, unsigned by) const
    {
        return moved(value, own_lane() + (thread_rank() + by < Size ? by : 0));
    }
    template <class T> SCANLAB_DEVICE T shfl_xor(const T &value, unsigned by) const
    {
        return moved(value, own_lane() ^ by % Size);
    }
    SCANLAB_DEVICE unsigned ballot(int predicate) const
    {
        return first(__ballot_sync(mask, predicate));
    }
    template <class T> SCANLAB_DEVICE unsigned match_any(T value) const
    {
        return first(__match_any_sync(mask, value));
    }
    template <class T> SCANLAB_DEVICE unsigned match_all(T value, int &all) const
    {
        return first(__match_all_sync(mask, value, &all));
    }

  private:
    SCANLAB_DEVICE unsigned first(unsigned lanes) const
    {
        return Size == 32 ? lanes : (lanes & mask) >> own_lane() / Size * Size;
    }
};

/* Any group, as old code passes it: a block, or lanes of a warp. */
class thread_group
{
    bool block;
    coalesced_group lanes;

  public:
    SCANLAB_DEVICE thread_group(const thread_block &) : block(true), lanes(0) {}
    SCANLAB_DEVICE thread_group(const coalesced_group &group) : block(false), lanes(group) {}
    SCANLAB_DEVICE void sync() const
    {
        if (block)
            thread_block().sync();
        else
            lanes.sync();
    }
    SCANLAB_DEVICE unsigned num_threads() const
    {
        return block ? thread_block().num_threads() : lanes.num_threads();
    }
    SCANLAB_DEVICE unsigned size() const { return num_threads(); }
    SCANLAB_DEVICE unsigned thread_rank() const
    {
        return block ? thread_block().thread_rank() : lanes.thread_rank();
    }
};

static inline SCANLAB_DEVICE thread_block this_thread_block() { return thread_block(); }
static inline SCANLAB_DEVICE grid_group this_grid() { return grid_group(); }
static inline SCANLAB_DEVICE coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* The mask of a tile of 32 is a constant, as CUDA's: it names lanes that a last warp lacks, too. */
template <unsigned Size>
static inline SCANLAB_DEVICE thread_block_tile<Size, thread_block> tiled_partition(
    const thread_block &block)
{
    unsigned rank = block.thread_rank(), all = block.num_threads(), from = rank / Size * Size,
             lanes = Size == 32 || all - from >= Size ? Size : all - from;
    return thread_block_tile<Size, thread_block>((lanes == 32 ? 0xffffffffu : (1u << lanes) - 1)
                                                     << (Size == 32 ? 0 : from % 32),
                                                 rank / Size, (all + Size - 1) / Size);
}
template <unsigned Size, unsigned Whole, class Parent>
static inline SCANLAB_DEVICE thread_block_tile<Size, thread_block_tile<Whole, Parent>>
tiled_partition(const thread_block_tile<Whole, Parent> &tile)
{
    static_assert(Size <= Whole, "a part cannot be larger than the tile");
    unsigned rank = tile.thread_rank(),
             lane = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned members =
        Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1) << lane % 32 / Size * Size;
    return thread_block_tile<Size, thread_block_tile<Whole, Parent>>(members & tile.scanlab_mask(),
                                                                     rank / Size, Whole / Size);
}
/* size: 1, 2, 4, 8, 16 or 32. */
static inline SCANLAB_DEVICE thread_group tiled_partition(const thread_block &block, unsigned size)
{
    unsigned rank = block.thread_rank(), all = block.num_threads(), from = rank / size * size,
             lanes = all - from < size ? all - from : size;
    return thread_group(
        coalesced_group((lanes == 32 ? 0xffffffffu : (1u << lanes) - 1) << from % 32, rank / size,
                        (all + size - 1) / size));
}
static inline SCANLAB_DEVICE coalesced_group binary_partition(const coalesced_group &group,
                                                              bool predicate)
{
    unsigned yes = __ballot_sync(group.scanlab_mask(), predicate);
    return coalesced_group(predicate ? yes : group.scanlab_mask() & ~yes, predicate, 2);
}
template <class Label>
static inline SCANLAB_DEVICE coalesced_group labeled_partition(const coalesced_group &group,
                                                               Label label)
{
    return coalesced_group(__match_any_sync(group.scanlab_mask(), label));
}

template <class Group> static inline SCANLAB_DEVICE void sync(const Group &group) { group.sync(); }
template <class Group> static inline SCANLAB_DEVICE void synchronize(const Group &group)
{
    group.sync();
}
template <class Group>
static inline SCANLAB_DEVICE unsigned long long thread_rank(const Group &group)
{
    return group.thread_rank();
}
template <class Group>
static inline SCANLAB_DEVICE unsigned long long group_size(const Group &group)
{
    return group.num_threads();
}

}    // namespace cooperative_groups

#endif
