/*
 * Runs at the speed of memory: persistent blocks whose warps have trades, as in lab 11.
 *
 * Mapping   a block takes tile after tile by ticket. CREW warps count, CREW store, one looks back,
 *           one loads; between them lies a ring of tiles in shared memory, with mbarriers. A warp
 *           of the crew owns ROWS rows of 32 elements of a tile, and the storing warp of the same
 *           number stores what its runs come to
 * Bytes     each element read once, and two numbers a run written; a tile's word costs 8 bytes, and
 *           8 for each one looked at; by key a tile has two words
 * Depth     a block waits for what tiles hold, never for another block's look-back
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 5.2
 *
 * Given, each in a header:
 *     ../14_compaction_speed/ring.h    the load warp, stages, mbarriers, words of tiles
 *     ../14_compaction_speed/tiles.h   sizes of tiles; how a kernel is launched
 *     stages.h      sizes of stages; what warps of a block exchange
 *     launches.h    the look-back warps' loops, kernels, and the entries of runs_speed.h
 *     by_key.h      the same of reduce_by_key, and its storing warps
 */
#include <cuda_runtime.h>

#include "runs_speed.h"
#include "stages.h"

#if BULK_COPIES

/* ---- run_length_encode ----------------------------------------------------------------------- */

/* The crew. A head is a key that differs from the one before it. */
static __device__ __forceinline__ void mark_tiles(long long n, runs_ring *s, unsigned char *s_data)
{
    /* TODO 1: a ballot for each row says where keys differ from the one before; lane r keeps that
       of row r, and writes it to s->mask. Note how many heads the warp has, and the last; arrive at
       counted. */
    (void)n, (void)s, (void)s_data;
}

/* How many heads tiles `last` to `tile` - 1 have; *head: the last of them, counted from the array's
   begin, or as it was. A whole warp calls it. */
static __device__ __forceinline__ long long heads_between(descriptors d, long long tile,
                                                          long long last, long long *head)
{
    /* TODO 2: add up the heads that `look` sees, LOOKS * 32 tiles at a time, in the lower halves of
       what tiles publish; the upper halves say where the last head is. */
    (void)d, (void)tile, (void)last, (void)head;
    return 0;
}

/* Few rows have heads: they are stored where they stand. Each head closes the run before it. to:
   runs before the warp's. first, previous: positions of the warp's first element and of the head
   before, modulo 2^32, which lengths do not reach. */
static __device__ __forceinline__ void store_few(int *d_unique, int *d_lengths, const int *s_key,
                                                 const unsigned *s_mask, unsigned rows,
                                                 long long to, unsigned first, unsigned previous)
{
    /* TODO 3: for each row with heads: keys to d_unique from d_unique[to] on, lengths one place
       further left; the first run of all has none before it. */
    (void)d_unique, (void)d_lengths, (void)s_key, (void)s_mask, (void)rows, (void)to, (void)first,
        (void)previous;
}

/* Many rows do: keys and positions are put side by side first, lengths are differences of those.
   mine: the heads of row `lane`. The first head closes a run of first_length. */
static __device__ __forceinline__ void store_many(int *d_unique, int *d_lengths, int *s_key,
                                                  unsigned short *s_position, const uint4 *s_mask,
                                                  unsigned mine, long long to, int first_length)
{
    /* TODO 4: keys to the front of s_key, their positions in the warp's elements to s_position;
       then keys and lengths in whole lines. */
    (void)d_unique, (void)d_lengths, (void)s_key, (void)s_position, (void)s_mask, (void)mine,
        (void)to, (void)first_length;
}

/* The storing warps. */
static __device__ __forceinline__ void store_runs(int *d_unique, int *d_lengths, runs_ring *s,
                                                  unsigned char *s_data, unsigned short *s_position)
{
    const int warp = threadIdx.x / WARP - CREW, lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    long long tile;

    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; move_on(&at, STAGES)) {
        int *s_key = (int *)(s_data + at.stage * RUNS_STAGE + LEAD_BYTES) + warp * ELEMENTS, last;
        const uint4 *s_mask = s->mask[at.stage][warp];
        const unsigned begin = (unsigned)(tile * TILE), first = begin + (unsigned)warp * ELEMENTS;

        mbarrier_wait(&s->r.placed[at.stage], at.parity);
        mbarrier_wait(&s->r.counted[at.stage], at.parity);
        const long long to = s->before[at.stage] + heads_before(s, at.stage, warp, &last);
        const unsigned previous =
            last ? begin + (unsigned)last - 1 : (unsigned)s->head[at.stage] - 1;
        const unsigned mine = lane < ROWS ? ((const unsigned *)s_mask)[lane] : 0,
                       rows = __ballot_sync(ALL_LANES, mine != 0);

        if (__popc((int)rows) <= FEW_ROWS) {
            store_few(d_unique, d_lengths, s_key, (const unsigned *)s_mask, rows, to, first,
                      previous);
        } else {
            const int row = __ffs((int)rows) - 1,
                      head = row * WARP + __ffs((int)__shfl_sync(ALL_LANES, mine, row)) - 1;
            store_many(d_unique, d_lengths, s_key, s_position + warp * ELEMENTS, s_mask, mine, to,
                       (int)(first + (unsigned)head - previous));
        }
        warp_empties(&s->r.empty[at.stage]);
    }
}

/* ---- reduce_by_key --------------------------------------------------------------------------- */

/* The crew. Each lane has SUMS_EACH elements in a row. For each head, the warp puts side by side,
   at the front of its elements in the stage, the key, and in place of the values the sum that the
   head closes: that of the values since the head before it, or since the warp's first element. */
static __device__ __forceinline__ void reduce_tiles(long long n, sums_ring *s,
                                                    unsigned char *s_data)
{
    /* TODO 5: load a lane's keys and values to registers, 16 bytes at a time; find its heads, and
       the open sum at its end. Scan both over the lanes. Note how many heads the warp has, and the
       open sum at its end. Then put down keys and sums, and arrive at counted. The next warp reads
       the last of your keys, perhaps later: do not store over it. */
    (void)n, (void)s, (void)s_data;
}

/* How many heads tiles `last` to `tile` - 1 have; *open: the open sum at their end, where at their
   begin it was *open. A whole warp calls it. */
static __device__ __forceinline__ long long sums_between(descriptors d, long long tile,
                                                         long long last, unsigned *open)
{
    /* TODO 6: as TODO 2, of what look_sums sees; add up the open sums of the nearest tile with a
       head, and of those after it. */
    (void)d, (void)tile, (void)last, (void)open;
    return 0;
}

#endif

#include "launches.h"
