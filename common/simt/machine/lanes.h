/*
 * lanes.h: from one word a lane to one bit a lane, or one bit.
 *
 * Compilers make good vector code of plain loops over 32 lanes, but for this: the bits of a
 * predicate, or one answer for all, out of the results of a comparison. Processors have
 * instructions for it, which need their intrinsics. The _plain functions say what they compute, and
 * are what other processors run.
 */
#ifndef SIMT_LANES_H
#define SIMT_LANES_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__AVX512DQ__) || defined(__AVX2__)
#include <immintrin.h>
#endif

/* The lanes of 32 whose word is all ones; the others' are zero. */
static inline uint32_t lanes_set_plain(const uint32_t lane[32])
{
    uint32_t set = 0;
    for (int l = 0; l < 32; l++)
        set |= lane[l] & 1u << l;
    return set;
}

static inline uint32_t lanes_set(const uint32_t lane[32])
{
#if defined(__AVX512DQ__)
    return _mm512_movepi32_mask(_mm512_loadu_si512(lane)) |
           (uint32_t)_mm512_movepi32_mask(_mm512_loadu_si512(lane + 16)) << 16;
#elif defined(__AVX2__)
    uint32_t set = 0;
    for (int l = 0; l < 32; l += 8)
        set |=
            (uint32_t)_mm256_movemask_ps(_mm256_loadu_ps((const float *)(const void *)(lane + l)))
            << l;
    return set;
#else
    return lanes_set_plain(lane);
#endif
}

/* The lanes of 32 for which a < b, if `holds` has LANES_LESS, or a == b, if it has LANES_EQUAL, or
   a > b, if it has LANES_GREATER. Words with or without a sign. */
enum { LANES_LESS = 1, LANES_EQUAL = 2, LANES_GREATER = 4 };

static inline uint32_t lanes_compare_plain(const uint32_t a[32], const uint32_t b[32],
                                           bool has_sign, unsigned holds)
{
    uint32_t set = 0, flip = has_sign ? 1u << 31 : 0;
    for (int l = 0; l < 32; l++) {
        uint32_t x = a[l] ^ flip, y = b[l] ^ flip;
        unsigned is = x < y ? LANES_LESS : x == y ? LANES_EQUAL : LANES_GREATER;
        set |= (uint32_t)((holds & is) != 0) << l;
    }
    return set;
}

/* Is lanes_compare faster than lanes_set of a loop? */
#if defined(__AVX512BW__)
#define LANES_COMPARE true
#else
#define LANES_COMPARE false
#endif

/* For constants has_sign and holds. */
static inline __attribute__((always_inline)) uint32_t lanes_compare(const uint32_t a[32],
                                                                    const uint32_t b[32],
                                                                    bool has_sign, unsigned holds)
{
#if defined(__AVX512BW__)
#define COMPARED(op)                                                                               \
    (has_sign ? _mm512_kunpackw(_mm512_cmp##op##_epi32_mask(a_high, b_high),                       \
                                _mm512_cmp##op##_epi32_mask(a_low, b_low))                         \
              : _mm512_kunpackw(_mm512_cmp##op##_epu32_mask(a_high, b_high),                       \
                                _mm512_cmp##op##_epu32_mask(a_low, b_low)))
    __m512i a_low = _mm512_loadu_si512(a), a_high = _mm512_loadu_si512(a + 16),
            b_low = _mm512_loadu_si512(b), b_high = _mm512_loadu_si512(b + 16);
    switch (holds) {
    case LANES_LESS: return COMPARED(lt);
    case LANES_EQUAL: return COMPARED(eq);
    case LANES_LESS | LANES_EQUAL: return COMPARED(le);
    case LANES_GREATER: return COMPARED(gt);
    case LANES_LESS | LANES_GREATER: return COMPARED(neq);
    case LANES_EQUAL | LANES_GREATER: return COMPARED(ge);
    default: return holds ? ~0u : 0;
    }
#undef COMPARED
#else
    return lanes_compare_plain(a, b, has_sign, holds);
#endif
}

/* Is every lane's address 4 more than the one before? */
static inline bool lanes_ascend_plain(const uint64_t address[32])
{
    uint64_t apart = 0;
    for (uint64_t l = 0; l < 32; l++)
        apart |= (address[l] - address[0]) ^ 4 * l;
    return apart == 0;
}

static inline bool lanes_ascend(const uint64_t address[32])
{
#if defined(__AVX512F__)
    enum { OR_XOR = 0xf6 }; /* of _mm512_ternarylogic: a | (b ^ c) */
    __m512i expected = _mm512_add_epi64(_mm512_set1_epi64((long long)address[0]),
                                        _mm512_set_epi64(28, 24, 20, 16, 12, 8, 4, 0));
    __m512i apart = _mm512_xor_si512(_mm512_loadu_si512(address), expected);
    for (int l = 8; l < 32; l += 8)
        apart =
            _mm512_ternarylogic_epi64(apart, _mm512_loadu_si512(address + l),
                                      _mm512_add_epi64(expected, _mm512_set1_epi64(4 * l)), OR_XOR);
    return _mm512_test_epi64_mask(apart, apart) == 0;
#else
    return lanes_ascend_plain(address);
#endif
}

/* Is the address of each lane of mask 4 times its number past `first`? */
static inline bool lanes_ascend_in_plain(const uint64_t address[32], uint64_t first, uint32_t mask)
{
    uint64_t apart = 0;
    for (uint64_t l = 0; l < 32; l++)
        apart |= (address[l] ^ (first + 4 * l)) & (0 - (uint64_t)(mask >> l & 1));
    return apart == 0;
}

static inline bool lanes_ascend_in(const uint64_t address[32], uint64_t first, uint32_t mask)
{
#if defined(__AVX512F__)
    __m512i expected = _mm512_add_epi64(_mm512_set1_epi64((long long)first),
                                        _mm512_set_epi64(28, 24, 20, 16, 12, 8, 4, 0));
    unsigned apart = 0;
    for (int l = 0; l < 32; l += 8)
        apart |=
            _mm512_mask_cmpneq_epi64_mask((__mmask8)(mask >> l), _mm512_loadu_si512(address + l),
                                          _mm512_add_epi64(expected, _mm512_set1_epi64(4 * l)));
    return apart == 0;
#else
    return lanes_ascend_in_plain(address, first, mask);
#endif
}

/* Words of the lanes of mask; of the others there is room. */
static inline void lanes_copy_plain(uint32_t to[32], const uint32_t from[32], uint32_t mask)
{
    for (int l = 0; l < 32; l++)
        to[l] = mask >> l & 1 ? from[l] : to[l];
}

static inline void lanes_copy(uint32_t to[32], const uint32_t from[32], uint32_t mask)
{
#if defined(__AVX512F__)
    for (int l = 0; l < 32; l += 16)
        _mm512_mask_storeu_epi32(to + l, (__mmask16)(mask >> l), _mm512_loadu_si512(from + l));
#else
    lanes_copy_plain(to, from, mask);
#endif
}

#endif
