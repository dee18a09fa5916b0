/*
 * speed_of_light_same_bits.h: the contract of a bonus of lab 11: a scan of floats, at the speed of
 * memory, that gives the same bits in every run and on every GPU.
 *
 * Floating additions round, so (a + b) + c and a + (b + c) differ in their last bits. A look-back
 * adds up whatever has been published so far, another grouping in each run. Here each output is the
 * value of one fixed tree of additions, which depends on its index alone:
 *
 *     row     32 lanes of 16 bytes: 128 floats or 64 doubles. A lane has L = 4 or 2 elements
 *     unit    2 rows
 *     tile    32 units
 *     group   256 tiles
 *
 * A butterfly B(v[0], ..., v[31]) adds 32 values in pairs: five times, for d = 16, 8, 4, 2, 1, all
 * v[i] = v[i] + v[i ^ d]. Its value is v[0].
 *
 *     S(row, lane)    the lane's elements in order: ((x[0] + x[1]) + x[2]) + x[3]
 *     U(unit)         B over the lanes of S(first row, lane) + S(second row, lane)
 *     T(tile)         B over its 32 units of U
 *     F(tile)         what lies before it in its group. The tiles before it there, in columns of
 *                     32: v[i] = ((T(i) + T(32 + i)) + T(64 + i)) + ..., counted from the first
 *                     tile of the group, with 0 for tiles that do not lie before; then B(v)
 *     A(group)        what lies before the group: A(0) = 0, and, with t the last tile of group g,
 *                     A(g + 1) = (A(g) + F(t)) + T(t)
 *     P(unit)         what lies before the unit: (A + F) + the sum of the units before it in its
 *                     tile, by steps: v[u] = U(u); five times, for d = 1, 2, 4, 8, 16, for all u
 *                     from d on v[u] = v[u - d] + v[u]. The sum is v[u - 1], or 0 for u = 0
 *     a row           v[lane] = S(row, lane), then the same five steps over the lanes. An element's
 *                     output is (P + v[lane - 1]) + (x[0] + ... + x[k]), P alone for lane 0; the
 *                     second row begins with P + v[31] of the first
 *
 * A sum that has no elements is +0. Nothing is fused or flushed: each addition is that of IEEE 754,
 * rounded to nearest, so -0, subnormal numbers, infinities and NaN come out as the tree gives them.
 * Which NaN it is, is left open.
 *
 * Common to all entries:
 *   d_in   n elements in device memory, aligned to an element; only read, unless it is d_out
 *   d_out  n elements in device memory, aligned to an element: d_in itself, or apart from it; every
 *          element is written
 *   n      elements, 0 <= n < 2^41; n = 0 launches nothing
 * Where both begin at a multiple of 16 bytes, as what cudaMalloc gives does, the scan runs at full
 * speed.
 *
 * An entry launches one kernel on the default stream, and nothing else except where a call needs
 * more words than any before; it returns without waiting. It reports no errors of its own: the
 * caller asks cudaGetLastError and cudaDeviceSynchronize. The words are kept from call to call:
 * calls from several threads, or on several streams, are not allowed.
 *
 * It needs bulk copies: a GPU of compute capability 9.0 or more.
 *
 * Source: the question is that of NVIDIA/cccl issue 1327.
 */
#ifndef SPEED_OF_LIGHT_SAME_BITS_H
#define SPEED_OF_LIGHT_SAME_BITS_H

enum {
    SAME_BITS_TILE_BYTES = 32768,
    SAME_BITS_GROUP = 256 /* tiles */
};

#ifdef __cplusplus
extern "C" {
#endif

/* d_out[i] = d_in[0] + ... + d_in[i], added up by the tree above. */
void same_bits_f32(const float *d_in, float *d_out, long long n);
void same_bits_f64(const double *d_in, double *d_out, long long n);

#ifdef __cplusplus
}
#endif

#endif
