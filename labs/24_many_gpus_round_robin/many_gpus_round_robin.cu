/*
 * Inclusive scan over several GPUs in one pass: tiles are dealt to the devices in turn, and one
 * look-back goes over the tiles of all.
 *
 * Mapping   tile t of 1024 ints is on device t mod G; its blocks take its tiles by ticket. Warp 0
 *           of a block looks back, 32 tiles at a time
 * Bytes     each element read once and written once: 2n of 4 bytes. A tile pushes two words of 8
 *           bytes to each other device, and reads 256 bytes for each window of 32 tiles, in its
 *           device's own memory
 * Order     a word carries epoch, kind and sum, and is stored and loaded at once, volatile, which
 *           is of system scope: so no fence is needed
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4; CUDA C++ Programming Guide,
 *           "Peer-to-Peer Memory Access"; PTX ISA, "Memory Consistency Model"
 *
 * Given: words.h, the words; tiles.h, the kernel; launches.h, what the host does.
 */
#include "words.h"

/* Lets all devices know what a tile comes to. A whole warp calls it. */
static __device__ void publish(const words *w, int tile, kind what, unsigned sum)
{
    /* TODO 1: store the tile's word into the memory of each device, this one too; by one store,
       that holds for the whole system. */
}

/* What all tiles before `tile` come to, to each lane. Tile 0 always is a prefix. A whole warp calls
   it. */
static __device__ unsigned look_back(const words *w, int tile)
{
    unsigned before = 0;

    /* TODO 2: look at the 32 tiles before, a lane each, in this device's own memory, until all are
       of this launch. Add up the sums, back to the nearest prefix; if there is none, go on with the
       32 tiles before these. */
    return before;
}

/* Tells the others what this tile comes to, and returns what all tiles before come to. Warp 0 of
   the block calls it. */
static __device__ unsigned pass_on(const words *w, int tile, unsigned sum)
{
    unsigned before = 0;

    /* TODO 3: publish the tile's sum, look back, publish its prefix. */
    return before;
}

#include "launches.h"
