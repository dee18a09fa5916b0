/*
 * The segmented scan at the speed of memory: persistent blocks whose warps have trades, as in lab
 * 11.
 *
 * Mapping   a block takes tile after tile by ticket. CREW warps scan, CREW store, one looks back,
 *           one loads; between them lies a ring of tiles in shared memory, with mbarriers. A thread
 *           of the crew owns EACH elements side by side
 * Bytes     each element and flag read once, each sum written once; a tile's word costs 8 bytes,
 *           and 8 for each one looked at
 * Work      about 3n additions: n for the open sum at the end of each thread's elements, published
 *           ahead, n for the scan, n for that before the tile
 * Depth     a block waits for what tiles hold, never for another block's look-back; a look-back
 *           ends at the nearest tile with a head
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4; Sengupta, Harris, Zhang and Owens,
 *           "Scan Primitives for GPU Computing", Graphics Hardware 2007
 *
 * Given, each in a header:
 *     ../14_compaction_speed/ring.h    the load warp, stages, mbarriers, words of tiles
 *     stages.h                         sizes; what warps of a block exchange
 *     launches.h                       the look-back warp's loop, the kernel, the entry
 */
#include <cuda_runtime.h>

#include "segmented_scan_speed.h"
#include "stages.h"

#if BULK_COPIES

/* The crew: notes the open sum at the end of each warp's elements, for the teller, and then puts
   the sums in place of the elements, as if nothing were open before the tile. */
static __device__ __forceinline__ void scan_tiles(scan_ring *s, unsigned char *s_data)
{
    /* TODO 1: wait for tile after tile. Note the open sum at the end of the warp's elements, and
       where its first head is, and arrive at counted. When all warps have, put the sums in place of
       the elements, and arrive at s->scanned. */
    (void)s, (void)s_data;
}

/* Open before `tile`, where `carry` is open before tile `last`: what the tiles from there on have
   published, up to the nearest that has a head. A whole warp calls it. */
static __device__ __forceinline__ float look_back(descriptors d, long long tile, long long last,
                                                  float carry)
{
    /* TODO 2: add up what `look` sees, LOOKS * 32 tiles at a time, up to the nearest tile whose
       word has the flag in bit 32. */
    (void)d, (void)tile, (void)last, (void)carry;
    return 0.0f;
}

/* The storing warps: the open sum before the tile belongs to the elements before its first head. */
static __device__ __forceinline__ void store_tiles(float *d_out, long long n, scan_ring *s,
                                                   unsigned char *s_data)
{
    /* TODO 3: wait for the tile's place and its sums; add the open sum before the tile to those
       before its first head, and store them, 16 bytes a lane where d_out is aligned and the tile
       has them all. Then the warp empties the stage. */
    (void)d_out, (void)n, (void)s, (void)s_data;
}

#endif

#include "launches.h"
