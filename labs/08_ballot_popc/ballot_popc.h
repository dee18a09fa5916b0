/*
 * ballot_popc.h: the contract of lab 08, between ballot_popc.cu and its callers.
 *
 * Input are predicates: an int is true where it is not 0, negative ones too. The array is cut into
 * sections of BALLOT_POPC_SECTION elements, one block each, one thread an element, and a section
 * into runs of 32, one warp each. Warps and sections are scanned on their own: no count crosses
 * their borders. The last warp and the last section are partial where n is not a multiple of
 * theirs.
 *
 * Common to all entries:
 *   d_pred  n ints in device memory, only read
 *   n       elements, 0 <= n < 2^31; n = 0 launches nothing
 *   Outputs are ints in device memory, apart from the inputs and from each other; every element is
 *   written.
 * An entry launches one kernel on the default stream and returns without waiting. It reports no
 * errors of its own: the caller asks cudaGetLastError and cudaDeviceSynchronize.
 *
 * Source: Harris and Garland, "Optimizing Parallel Prefix Operations for the Fermi Architecture",
 * GPU Computing Gems, Jade Edition, 2012, chapter 3.
 */
#ifndef BALLOT_POPC_H
#define BALLOT_POPC_H

enum {
    BALLOT_POPC_SECTION = 256, /* elements of a section, and threads per block */
    BALLOT_POPC_BITS = 4       /* of the integers that warp_small_integers adds: 0 to 15 */
};

#ifdef __cplusplus
extern "C" {
#endif

/* d_count[i]: how many elements of i's warp are true, the same for all of them. Source: listing
   3.2. */
void warp_count(const int *d_pred, int *d_count, int n);

/* How many elements of i's warp are true that lie before i (d_lt), before or at i (d_le), after i
   (d_gt), at or after i (d_ge): the exclusive and inclusive scans, forward and backward. The masks
   come from arithmetic. Source: listing 3.3. */
void warp_scans(const int *d_pred, int *d_lt, int *d_le, int *d_gt, int *d_ge, int n);

/* The same counts, the masks read from the special registers %lanemask_lt, _le, _gt and _ge.
   Source: listing 3.4. */
void warp_scans_ptx(const int *d_pred, int *d_lt, int *d_le, int *d_gt, int *d_ge, int n);

/* d_out[i]: how many elements before i are true in i's segment. A segment begins at each element
   with d_head[i] != 0, and at the first element of every warp whether marked or not; n ints in
   d_head. Source: listing 3.5. */
void warp_segmented(const int *d_pred, const int *d_head, int *d_out, int n);

/* d_out[i]: sum of the values before i in i's warp, from a ballot for each bit; d_value: n ints
   from 0 to 2^BALLOT_POPC_BITS - 1. Source: section 3.2.2.1. */
void warp_small_integers(const int *d_value, int *d_out, int n);

/* d_out[i]: how many elements before i are true in i's section; at most 256 bytes of shared memory.
   Source: listing 3.6. */
void block_binary_scan(const int *d_pred, int *d_out, int n);

/* The same counts from sums of 32-bit integers, to compare with. Source: listing 3.1. */
void block_scan_32(const int *d_pred, int *d_out, int n);

/* For section b, one element of each output: how many of its elements are true; 1 if all are, else
   0; 1 if any is, else 0. Source: section 3.2.2.3. */
void block_vote(const int *d_pred, int *d_count, int *d_all, int *d_any, int n);

#ifdef __cplusplus
}
#endif

#endif
