/*
 * ring.h: what the fast forms of labs 14 to 16 share: persistent blocks that pass tiles through a
 * ring of stages in shared memory, tickets, and the words by which tiles publish what they
 * hold. As in lab 11, from which the bulk copies come.
 *
 * A stage goes through hands:
 *
 *     full       the load warp has filled it
 *     counted    the crew knows what its tile holds, and the teller may publish
 *     placed     the look-back warp knows what lies before its tile
 *     empty      the storing warps and the teller have read it: the load warp may fill it again
 *
 * A warp's way through the ring:
 *     open_ring, load_tiles        once a block; the load warp, given whole
 *     tile_at, move_on             wait for the next tile, and go on to the stage after it
 *     warp_arrives, warp_empties   a hand is done with a stage
 *     open_epoch, publish, look    what tiles publish
 *     close_epoch                  when a block's look-back warp is done
 */
#ifndef RING_H
#define RING_H

#include "../11_speed_of_light/bulk_copies.h"

#ifdef SCANLAB_ENGINE /* blocks have 48 KiB of shared memory */
enum { CREW = 4 };
#else
enum { CREW = 8 };
#endif

enum {
    MOST_STAGES = 8,
    AHEAD = 2, /* a block has at most so many tiles on their way */
    LOOKS = 8, /* descriptors that a lane looks at at once */
    /* warps of a block, in this order: CREW that work, CREW that store, one publishes what a tile
       holds, one looks back, one loads */
    TELLER = 2 * CREW,
    LOOKER,
    LOADER,
    RING_THREADS = (LOADER + 1) * WARP
};

/* ---- a warp ---------------------------------------------------------------------------------- */

/* The sum and the largest of a warp's values, for all lanes: one instruction where there is one. */
static __device__ __forceinline__ unsigned add_lanes(unsigned v)
{
    return (unsigned)reduce_warp(SUM_I32, v);
}

static __device__ __forceinline__ int largest_of_lanes(int v)
{
#ifdef WARP_ADDS
    return __reduce_max_sync(ALL_LANES, v);
#else
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        const int other = __shfl_xor_sync(ALL_LANES, v, distance);
        v = other > v ? other : v;
    }
    return v;
#endif
}

/* Asks for the line of device memory in which p lies to come to L2. Nobody waits for it. */
static __device__ __forceinline__ void bring_to_l2(const void *p)
{
    asm volatile("prefetch.global.L2 [%0];" : : "l"(__cvta_generic_to_global(p)));
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/* In device memory. The state is three numbers: tickets drawn and blocks finished, both 0 before
   and after every launch, and how many launches there have been. Nothing clears the words between
   launches: a word with another stamp counts as not written. */
typedef struct descriptors {
    unsigned *state;
    /* of a tile: stamp and a flag in the upper half, its count in the lower */
    unsigned long long *word;
    unsigned long long room; /* words */
    unsigned stamp;          /* of this launch, even and never 0 */
} descriptors;

enum { TICKETS, FINISHED, EPOCH };

/* Every warp that writes or looks at words calls it first. */
static __device__ __forceinline__ void open_epoch(descriptors *d)
{
    d->stamp = (*(volatile unsigned *)&d->state[EPOCH] + 1) << 1;
}

static __device__ __forceinline__ void publish(descriptors d, long long tile, bool flag,
                                               unsigned count)
{
    *(volatile unsigned long long *)&d.word[tile] =
        (unsigned long long)(d.stamp | flag) << 32 | count;
}

/* The words of the tiles `nearest`, `nearest - 1`, ..., down to and with `last`: lane l gets that
   of tile nearest - 32 k - l as word[k], and 0 where there is none. Waits for all of them. */
static __device__ __forceinline__ void look(descriptors d, long long nearest, long long last,
                                            unsigned long long word[LOOKS])
{
    const long long mine = nearest - threadIdx.x % WARP;
    bool seen[LOOKS], all;

#pragma unroll
    for (int k = 0; k < LOOKS; k++) {
        seen[k] = mine - k * WARP < last;
        word[k] = 0;
    }
    for (;;) {
        all = true;
#pragma unroll
        for (int k = 0; k < LOOKS; k++)
            if (!seen[k]) {
                word[k] = *(const volatile unsigned long long *)&d.word[mine - k * WARP];
                seen[k] = (unsigned)(word[k] >> 33) == d.stamp >> 1;
            }
#pragma unroll
        for (int k = 0; k < LOOKS; k++)
            all = all && seen[k];
        if (__all_sync(ALL_LANES, all))
            return;
        __nanosleep(20); /* polls cost bandwidth too */
    }
}

/* One thread a block calls it, when its block looks at no more words. The last of all raises the
   epoch for the next launch. It also clears a word that no tile of this launch has used, another
   one each time: so no stamp grows so old that the epoch wraps around to it. */
static __device__ __forceinline__ void close_epoch(descriptors d, unsigned tiles)
{
    if (atomicInc(&d.state[FINISHED], gridDim.x - 1) != gridDim.x - 1)
        return;
    const unsigned epoch = d.stamp >> 1;
    if (epoch % d.room >= tiles)
        d.word[epoch % d.room] = 0;
    *(volatile unsigned *)&d.state[EPOCH] = epoch < (1u << 31) - 1 ? epoch : 0;
}

/* ---- the ring -------------------------------------------------------------------------------- */

#if BULK_COPIES

typedef struct ring {
    mbarrier full[MOST_STAGES], counted[MOST_STAGES], placed[MOST_STAGES], empty[MOST_STAGES];
    long long tile[MOST_STAGES]; /* NO_TILE: there are no more */
} ring;

static const long long NO_TILE = -1;

/* A hand's place in the ring. The parity is that of the phase it waits for. */
typedef struct place {
    int stage;
    unsigned parity;
} place;

static __device__ __forceinline__ void move_on(place *p, int stages)
{
    if (++p->stage == stages) {
        p->stage = 0;
        p->parity ^= 1;
    }
}

/* The whole block calls it. A stage is counted by `crew` warps, and emptied by as many and `others`
   more. */
static __device__ __forceinline__ void open_ring_of(int crew, ring *s, int stages, int others)
{
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < stages; stage++) {
            mbarrier_init(&s->full[stage], 1);
            mbarrier_init(&s->counted[stage], crew);
            mbarrier_init(&s->placed[stage], 1);
            mbarrier_init(&s->empty[stage], crew + others);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __syncthreads(); /* the only one: everything else is between trades */
}

static __device__ __forceinline__ void open_ring(ring *s, int stages, int others)
{
    open_ring_of(CREW, s, stages, others);
}

/* Orders what this warp has seen done before what it does or publishes next, for all blocks. */
static __device__ __forceinline__ void fence_device(void)
{
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
}

/* For a warp: what all its lanes have done is done before the arrival. */
static __device__ __forceinline__ void warp_arrives(mbarrier *m)
{
    __syncwarp();
    if (threadIdx.x % WARP == 0)
        mbarrier_arrive(m);
}

/* The stage may be filled by bulk copies again: those are ordered after what threads have written
   into it only by a fence of their own. */
static __device__ __forceinline__ void warp_empties(mbarrier *m)
{
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    warp_arrives(m);
}

/* Waits until the stage is full, and returns the tile in it. */
static __device__ __forceinline__ long long tile_at(ring *s, const place *at)
{
    mbarrier_wait(&s->full[at->stage], at->parity);
    return s->tile[at->stage];
}

/* An array that is loaded tile by tile. */
typedef struct source {
    const unsigned char *d_from;
    unsigned long long bytes; /* of the array */
    unsigned tile_bytes;      /* a multiple of 16 */
    unsigned lead;            /* bytes before the tile that come along, a line of 128 or 0 */
    unsigned at;              /* where in the stage a tile begins; the lead lies before it */
    bool once; /* it need not stay in L2, in place of what others have written there */
} source;

/* Reading once pays for arrays of up to so many bytes, of which little is stored. */
static const unsigned long long ONCE_BYTES = 1ull << 27;

/* Loads one array's part of a tile. Returns the bytes that are on their way by bulk copy, and, once
   the mbarrier expects them, sends them. */
static __device__ __forceinline__ unsigned bulk_part(source from, long long tile, unsigned *lead,
                                                     unsigned *bytes)
{
    const unsigned long long first = tile * from.tile_bytes;
    const bool aligned = (unsigned long long)from.d_from % 16 == 0;

    *lead = tile > 0 ? from.lead : 0;
    *bytes =
        from.bytes - first < from.tile_bytes ? (unsigned)(from.bytes - first) : from.tile_bytes;
    return aligned ? *lead + (*bytes & ~15u) : 0;
}

/* What bulk copies cannot bring, and 0 where the array has ended. */
static __device__ __forceinline__ void load_by_hand(source from, long long tile,
                                                    unsigned char *s_stage)
{
    const int lane = threadIdx.x % WARP;
    unsigned lead, bytes;
    const unsigned bulk = bulk_part(from, tile, &lead, &bytes), end = lead + bytes;
    const unsigned char *d_from = from.d_from + tile * from.tile_bytes - lead;
    unsigned char *s_to = s_stage + from.at - lead;

    if ((unsigned long long)from.d_from % 4 == 0 && bytes % 4 == 0)
        for (unsigned i = bulk / 4 + lane; i < end / 4; i += WARP)
            ((unsigned *)s_to)[i] = ((const unsigned *)d_from)[i];
    else
        for (unsigned i = bulk + lane; i < end; i += WARP)
            s_to[i] = d_from[i];
    for (unsigned i = end + lane; i < lead + from.tile_bytes; i += WARP)
        s_to[i] = 0;
}

static __device__ __forceinline__ void load_in_bulk(source from, long long tile,
                                                    unsigned char *s_stage, mbarrier *m)
{
    unsigned lead, bytes;
    const unsigned bulk = bulk_part(from, tile, &lead, &bytes);

    if (bulk == 0)
        return;
    if (from.once)
        bulk_load_once(s_stage + from.at - lead, from.d_from + tile * from.tile_bytes - lead, bulk,
                       m);
    else
        bulk_load(s_stage + from.at - lead, from.d_from + tile * from.tile_bytes - lead, bulk, m);
}

/* The load warp: takes tiles by ticket, and fills stage after stage. A second source of no bytes is
   none. */
static __device__ __forceinline__ void load_tiles(source first, source second, descriptors d,
                                                  unsigned tiles, ring *s, unsigned char *s_data,
                                                  int stages, unsigned stage_bytes)
{
    const int lane = threadIdx.x % WARP;
    place at = { 0, 1 }, earlier = { 0, 0 }; /* every stage is empty at first */
    unsigned ticket = 0;

    for (unsigned taken = 0;; taken++, move_on(&at, stages)) {
        unsigned lead, bytes;
        unsigned char *s_stage = s_data + at.stage * stage_bytes;

        if (lane == 0) /* on its way while the stage is waited for */
            ticket = atomicInc(&d.state[TICKETS], tiles + gridDim.x - 1);
        mbarrier_wait(&s->empty[at.stage], at.parity);
        const unsigned tile = __shfl_sync(ALL_LANES, ticket, 0);
        if (taken >= AHEAD && tile < tiles) {
            mbarrier_wait(&s->full[earlier.stage], earlier.parity);
            move_on(&earlier, stages);
        }
        if (lane == 0)
            s->tile[at.stage] = tile < tiles ? (long long)tile : NO_TILE;
        if (tile >= tiles) {
            warp_arrives(&s->full[at.stage]);
            return;
        }
        load_by_hand(first, tile, s_stage);
        if (second.bytes > 0)
            load_by_hand(second, tile, s_stage);
        __syncwarp();
        if (lane == 0) {
            unsigned bulk = bulk_part(first, tile, &lead, &bytes);
            if (second.bytes > 0)
                bulk += bulk_part(second, tile, &lead, &bytes);
            mbarrier_arrive_expecting(&s->full[at.stage], bulk);
            load_in_bulk(first, tile, s_stage, &s->full[at.stage]);
            if (second.bytes > 0)
                load_in_bulk(second, tile, s_stage, &s->full[at.stage]);
        }
    }
}

#endif

/* ---- host ------------------------------------------------------------------------------------ */

/* Descriptors of so many tiles, kept for the next call, which takes more if it needs more. False:
   there is not enough memory. */
static bool open_descriptors(unsigned tiles, descriptors *d)
{
    enum { STATE_BYTES = 128, FEWEST_WORDS = 2048 };
    static char *d_memory;
    static size_t room;

    if (tiles > room || !d_memory) {
        const size_t words = tiles < FEWEST_WORDS ? FEWEST_WORDS : tiles + tiles / 2;
        cudaFree(d_memory);
        d_memory = NULL;
        if (cudaMalloc((void **)&d_memory, STATE_BYTES + 8 * words) != cudaSuccess ||
            cudaMemsetAsync(d_memory, 0, STATE_BYTES + 8 * words) != cudaSuccess)
            return false;
        room = words;
    }
    d->state = (unsigned *)d_memory;
    d->word = (unsigned long long *)(d_memory + STATE_BYTES);
    d->room = room;
    d->stamp = 0;
    return true;
}

/* How many blocks of a kernel run at a time with so much shared memory; 0: it cannot run. Asked
   once, kept in *blocks. */
static unsigned resident_blocks(const void *kernel, int threads, size_t shared, unsigned *blocks)
{
    int device, multiprocessors, each;

    if (*blocks > 0)
        return *blocks;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared) !=
            cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared) !=
            cudaSuccess)
        return 0;
    return *blocks = (unsigned)(multiprocessors * each);
}

#endif
