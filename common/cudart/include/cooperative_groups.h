/*
 * cooperative_groups.h: the groups that a barrier across the grid needs: this_grid() and this_thread_block().
 *
 * grid_group::sync() is a barrier of all threads of the grid: what any of them wrote before it, all of them see after it. The kernel
 * must have been launched by cudaLaunchCooperativeKernel, which makes all blocks resident; else sync() traps, as is_valid()
 * says. Every thread of the grid must come to it. Names and meaning: CUDA C++ Programming Guide, "Cooperative Groups"; what is not
 * here (tiles, coalesced groups, collectives) does not compile.
 */
#ifndef SCANLAB_COOPERATIVE_GROUPS_H
#define SCANLAB_COOPERATIVE_GROUPS_H

namespace cooperative_groups {

/* Blocks that have come to the barrier under way, and barriers completed. Both go on from launch to launch: a completed barrier leaves
   arrived at 0, and of completed only the change matters. One pair for each source file. */
static __attribute__((device, unused)) unsigned scanlab_arrived;
static __attribute__((device, unused)) unsigned scanlab_completed;

class thread_block {
public:
    SCANLAB_DEVICE void sync() const { __syncthreads(); }
    SCANLAB_DEVICE unsigned num_threads() const { return blockDim.x * blockDim.y * blockDim.z; }
    SCANLAB_DEVICE unsigned size() const { return num_threads(); }
    SCANLAB_DEVICE unsigned thread_rank() const { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
};

class grid_group {
public:
    SCANLAB_DEVICE bool is_valid() const {
        unsigned cooperative;
        asm volatile("mov.u32 %0, %%envreg1;" : "=r"(cooperative));
        return cooperative != 0;
    }
    SCANLAB_DEVICE unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    SCANLAB_DEVICE unsigned long long block_rank() const {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    SCANLAB_DEVICE unsigned long long num_threads() const { return num_blocks() * thread_block().num_threads(); }
    SCANLAB_DEVICE unsigned long long size() const { return num_threads(); }
    SCANLAB_DEVICE unsigned long long thread_rank() const {
        return block_rank() * thread_block().num_threads() + thread_block().thread_rank();
    }
    SCANLAB_DEVICE void sync() const {
        if (!is_valid())
            __trap();
        __syncthreads();
        if (thread_block().thread_rank() == 0) {
            volatile unsigned *completed = &scanlab_completed;
            unsigned before = *completed;       /* cannot change before this block has come */
            __threadfence();                    /* the block's writes are there before it is seen to have come */
            if (atomicAdd(&scanlab_arrived, 1u) == (unsigned)num_blocks() - 1) {
                __threadfence();
                atomicExch(&scanlab_arrived, 0u);
                __threadfence();                /* the next barrier begins at 0 before anyone leaves this one */
                atomicAdd(&scanlab_completed, 1u);
            } else {
                while (*completed == before)
                    ;
            }
            __threadfence();                    /* nothing is read before all have come */
        }
        __syncthreads();
    }
};

static inline SCANLAB_DEVICE thread_block this_thread_block() { return thread_block(); }
static inline SCANLAB_DEVICE grid_group this_grid() { return grid_group(); }

}

#endif
