/*
 * multi_block.h: the contract of lab 06, between multi_block.cu and its callers.
 *
 * Both entries scan the whole array, inclusive: d_out[i] = d_in[0] + ... + d_in[i]. The array is
 * cut into tiles of MULTI_BLOCK_TILE elements, the last one partial; one block of
 * MULTI_BLOCK_THREADS threads works on one tile. An array Sum[] in device memory, one float a tile,
 * carries the sums from tile to tile, and is scanned by the same code, in as many levels as n
 * needs.
 *
 *   d_in   n floats in device memory, only read; some may be so large that a sum loses the
 *          others, and no subtraction brings them back
 *   d_out  n floats in device memory; every element is written. Apart from d_in, but the solution's
 *          recursion scans Sum[] in place
 *   n      elements, 0 <= n < 2^31; n = 0 launches nothing
 *
 * An entry allocates Sum[] and frees it. Its kernels run on the default stream, and add in float.
 * It reports no errors of its own: the caller asks cudaGetLastError and cudaDeviceSynchronize.
 * Where there is no memory for Sum[], that error is cudaErrorMemoryAllocation, and d_out is not
 * whole.
 */
#ifndef MULTI_BLOCK_H
#define MULTI_BLOCK_H

enum {
    /* of a block; a power of two */
    MULTI_BLOCK_THREADS = 64,
    /* elements a thread scans by itself */
    MULTI_BLOCK_PER_THREAD = 8,
    /* elements of a tile; divides 2^31 */
    MULTI_BLOCK_TILE = MULTI_BLOCK_THREADS * MULTI_BLOCK_PER_THREAD,
    MULTI_BLOCK_BANKS = 32, /* of shared memory */
    MULTI_BLOCK_STEP_N = 20 * MULTI_BLOCK_TILE
};

#ifdef __cplusplus
extern "C" {
#endif

/* Scans every tile on its own and saves its sum, scans the sums, adds to every tile what lies
   before it: about 4n elements moved. Source: GPU Teaching Kit, module 10.4; Merrill and Garland,
   NVR-2016-002, section 3.2. */
void scan_then_propagate(const float *d_in, float *d_out, int n);

/* Only sums every tile, scans the sums, then scans every tile from what lies before it: about 3n
   elements moved. Source: Merrill and Garland, NVR-2016-002, section 3.2 and figure 3. */
void reduce_then_scan(const float *d_in, float *d_out, int n);

/* Steps: given in steps.h, they try your kernels one by one, n <= MULTI_BLOCK_STEP_N. */

/* scan_tiles: d_sum[b] = sum of tile b, for all tiles but the last. */
void multi_block_tile_sums(const float *d_in, float *d_sum, int n);

/* propagate: d_out[i] = d_in[i] and what d_sum says of the tile before i's. d_sum has an element
   for each tile. As many blocks are launched. */
void multi_block_propagate(const float *d_in, const float *d_sum, float *d_out, int n);

/* scan_tile: each tile b scanned inclusively, starting from d_carry[b]. */
void multi_block_scan_from(const float *d_in, const float *d_carry, float *d_out, int n);

/* reduce_tiles: d_sum[b] = sum of tile b, for all tiles but the last. */
void multi_block_reduce(const float *d_in, float *d_sum, int n);

#ifdef __cplusplus
}
#endif

#endif
