/*
 * lanes.h: from one word a lane to one bit a lane.
 *
 * Compilers make good vector code of plain loops over 32 lanes, but for this: the bits of a predicate out of the results of a comparison.
 * Processors have an instruction for it, which needs its intrinsic. lanes_set_plain is what it computes, and what other processors run.
 */
#ifndef SIMT_LANES_H
#define SIMT_LANES_H

#include <stdint.h>

#if defined(__AVX512DQ__) || defined(__AVX2__)
#include <immintrin.h>
#endif

/* The lanes of 32 whose word is all ones; the others' are zero. */
static inline uint32_t lanes_set_plain(const uint32_t lane[32]) {
    uint32_t set = 0;
    for (int l = 0; l < 32; l++) set |= lane[l] & 1u << l;
    return set;
}

static inline uint32_t lanes_set(const uint32_t lane[32]) {
#if defined(__AVX512DQ__)
    return _mm512_movepi32_mask(_mm512_loadu_si512(lane)) | (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(lane + 16)) << 16;
#elif defined(__AVX2__)
    uint32_t set = 0;
    for (int l = 0; l < 32; l += 8) set |= (uint32_t)_mm256_movemask_ps(_mm256_loadu_ps((const float *)(const void *)(lane + l))) << l;
    return set;
#else
    return lanes_set_plain(lane);
#endif
}

#endif
