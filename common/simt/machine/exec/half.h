/*
 * half.h: numbers of 16 bits, f16 (IEEE 754 binary16) and bf16 (the upper half of a float), and
 * pairs of them in a register of 32. For alu.c, whose expressions in ops.def name what is here, and
 * for atomic additions.
 *
 * Every result is rounded once: an operation is done in double, where sums and products of two such
 * numbers are exact or so close that a second rounding changes nothing (53 >= 2 * 11 + 2 bits); fma
 * rounds its sum to odd before the last rounding. A NaN result is 0x7fff, as a GPU's, but for a
 * double's NaN, which keeps its sign and the upper bits of its fraction.
 */
#ifndef SIMT_HALF_H
#define SIMT_HALF_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* How an operation is done: the type, and what its modifiers ask for. */
enum {
    HALF_BF = 1,   /* bf16, else f16 */
    HALF_FTZ = 2,  /* subnormal operands and results are zero */
    HALF_SAT = 4,  /* the result is within 0 and 1, a NaN is 0 */
    HALF_RELU = 8, /* no result is below 0; a NaN stays one */
    HALF_NAN = 16  /* min, max: a NaN operand is the result */
};
enum { HALF_NAN_BITS = 0x7fff };

static inline uint64_t half_double_bits(double v)
{
    uint64_t b;
    memcpy(&b, &v, 8);
    return b;
}

static inline int half_fraction(unsigned how) { return how & HALF_BF ? 7 : 10; }
static inline uint32_t half_infinity(unsigned how) { return how & HALF_BF ? 0x7f80 : 0x7c00; }
static inline bool half_is_nan(uint32_t h, unsigned how)
{
    return (h & 0x7fff) > half_infinity(how);
}

static inline double half_value(uint32_t h, unsigned how)
{
    const int bits = half_fraction(how);
    const uint64_t sign = (uint64_t)(h & 0x8000) << 48, e = (h & 0x7fff) >> bits;
    uint64_t b = (uint64_t)(h & 0x7fff) << (52 - bits), scale = 1023 - (how & HALF_BF ? 127 : 15);
    double v;
    if ((h & 0x7fff) >= half_infinity(how)) {
        b |= 0x7ffull << 52; /* infinity, or a NaN */
    } else if (e) {
        b += scale << 52;
    } else {
        double least = how & HALF_BF ? 0x1p-133 : 0x1p-24;
        b = half_double_bits((double)(h & 0x7fff) * least);
    }
    b |= sign;
    memcpy(&v, &b, 8);
    return v;
}

/* A double's NaN, by its bits. */
static inline uint32_t half_nan(uint64_t b, unsigned how)
{
    const int bits = half_fraction(how);
    return (uint32_t)(b >> 63) << 15 | half_infinity(how) | 1u << (bits - 1) |
           (uint32_t)(b >> (52 - bits) & ((1u << bits) - 1));
}

/* mode: n z m p, as PTX has them after .r */
static inline uint32_t half_rounded(double v, unsigned how, char mode)
{
    uint64_t b = half_double_bits(v), m = b & 0xfffffffffffffu;
    uint32_t sign = (uint32_t)(b >> 63) << 15, infinity = half_infinity(how);
    int bits = half_fraction(how), least = how & HALF_BF ? -126 : -14;
    int e = (int)(b >> 52 & 0x7ff) - 1023;
    if (v != v)
        return HALF_NAN_BITS;
    if (e == 1024)
        return sign | infinity;
    if (e == -1023)
        e = -1022; /* zero, or far below what a half can be */
    else
        m |= 1ull << 52;
    int shift = 52 - bits + (e < least ? least - e : 0);
    if (shift > 62)
        shift = 62;
    uint64_t kept = m >> shift, rest = m & ((1ull << shift) - 1), middle = 1ull << (shift - 1);
    bool up = mode == 'n'   ? rest > middle || (rest == middle && (kept & 1))
              : mode == 'm' ? rest && sign
              : mode == 'p' ? rest && !sign
                            : false;
    uint64_t r = kept + up + (e < least ? 0 : (uint64_t)(e - least) << bits);
    if (r < infinity)
        return sign | (uint32_t)r;
    bool finite = mode == 'z' || (mode == 'm' && !sign) || (mode == 'p' && sign);
    return sign | (infinity - finite);
}

static inline uint32_t half_flushed(uint32_t h, unsigned how)
{
    bool normal = (h & 0x7fff) >> half_fraction(how);
    return how & HALF_FTZ && !normal ? h & 0x8000 : h;
}

/* a * b is exact in double. A sum that is not gets an odd last bit, which no rounding to fewer bits
   takes for a tie. */
static inline double half_fused(double a, double b, double c)
{
    double p = a * b, s = p + c, t = s - p, error = (p - (s - t)) + (c - t);
    if (error != error || error == 0 || s != s || isinf(s) || half_double_bits(s) & 1)
        return s;
    uint64_t up = half_double_bits(s) + ((error > 0) == (s > 0) ? 1 : -1ull);
    memcpy(&s, &up, 8);
    return s;
}

/* op: + - * f (fma) */
static inline uint32_t half_op(char op, unsigned how, uint32_t a, uint32_t b, uint32_t c)
{
    double x = half_value(half_flushed(a, how), how), y = half_value(half_flushed(b, how), how);
    double v = op == '+'   ? x + y
               : op == '-' ? x - y
               : op == '*' ? x * y
                           : half_fused(x, y, half_value(half_flushed(c, how), how));
    uint32_t r = half_flushed(half_rounded(v, how, 'n'), how);
    if (how & HALF_SAT)
        r = v != v || v <= 0 ? 0 : half_value(r, how) >= 1 ? half_rounded(1, how, 'n') : r;
    if (how & HALF_RELU && v == v && r & 0x8000)
        r = 0;
    return r;
}

/* -0 is below +0. */
static inline uint32_t half_least(unsigned how, uint32_t a, uint32_t b, bool greatest)
{
    a = half_flushed(a & 0xffff, how);
    b = half_flushed(b & 0xffff, how);
    bool no_a = half_is_nan(a, how), no_b = half_is_nan(b, how);
    if ((no_a && no_b) || (how & HALF_NAN && (no_a || no_b)))
        return HALF_NAN_BITS;
    if (no_a || no_b)
        return no_a ? b : a;
    int32_t x = a & 0x8000 ? -(int32_t)(a & 0x7fff) - 1 : (int32_t)a;
    int32_t y = b & 0x8000 ? -(int32_t)(b & 0x7fff) - 1 : (int32_t)b;
    return (x < y) != greatest ? a : b;
}

static inline uint32_t half_min(unsigned how, uint32_t a, uint32_t b)
{
    return half_least(how, a, b, false);
}
static inline uint32_t half_max(unsigned how, uint32_t a, uint32_t b)
{
    return half_least(how, a, b, true);
}
static inline uint32_t half_neg(unsigned how, uint32_t a)
{
    return half_is_nan(a & 0xffff, how) ? HALF_NAN_BITS : half_flushed((a & 0xffff) ^ 0x8000, how);
}
static inline uint32_t half_abs(unsigned how, uint32_t a)
{
    return half_is_nan(a & 0xffff, how) ? HALF_NAN_BITS : half_flushed(a & 0x7fff, how);
}

/* ---- pairs: the same with both halves -------------------------------------------------------- */

#define HALF_PAIR(low, high) ((low) | (high) << 16)
static inline uint32_t half2_op(char op, unsigned how, uint32_t a, uint32_t b, uint32_t c)
{
    return HALF_PAIR(half_op(op, how, a & 0xffff, b & 0xffff, c & 0xffff),
                     half_op(op, how, a >> 16, b >> 16, c >> 16));
}
static inline uint32_t half2_min(unsigned how, uint32_t a, uint32_t b)
{
    return HALF_PAIR(half_min(how, a, b), half_min(how, a >> 16, b >> 16));
}
static inline uint32_t half2_max(unsigned how, uint32_t a, uint32_t b)
{
    return HALF_PAIR(half_max(how, a, b), half_max(how, a >> 16, b >> 16));
}
static inline uint32_t half2_neg(unsigned how, uint32_t a)
{
    return HALF_PAIR(half_neg(how, a), half_neg(how, a >> 16));
}
static inline uint32_t half2_abs(unsigned how, uint32_t a)
{
    return HALF_PAIR(half_abs(how, a), half_abs(how, a >> 16));
}

/* Of two floats, the first in the upper half. */
static inline uint32_t half2_of(double high, double low, unsigned how, char mode)
{
    uint32_t x = half_rounded(low, how, mode), y = half_rounded(high, how, mode);
    if (how & HALF_RELU) {
        x = low == low && x & 0x8000 ? 0 : x;
        y = high == high && y & 0x8000 ? 0 : y;
    }
    return HALF_PAIR(x, y);
}

#endif
