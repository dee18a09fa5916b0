/*
 * values.h: what one lane computes, for alu.c: the functions that expressions in ops.def name, of
 * whole numbers and of floats and doubles. Those of 16 bits are in half.h. None may trap, since
 * lanes outside a handler's mask are computed too.
 */
#ifndef SIMT_VALUES_H
#define SIMT_VALUES_H

#include "machine/exec/rounding.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;
__extension__ typedef __int128 int128;

static inline int32_t sat_s32(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
}
static inline int32_t sext24(int32_t v) { return (int32_t)((uint32_t)v << 8) >> 8; }

static inline float bits_f32(uint32_t b)
{
    float f;
    memcpy(&f, &b, 4);
    return f;
}
static inline uint32_t f32_bits(float f)
{
    uint32_t b;
    memcpy(&b, &f, 4);
    return b;
}
static inline double bits_f64(uint64_t b)
{
    double f;
    memcpy(&f, &b, 8);
    return f;
}
static inline uint64_t f64_bits(double f)
{
    uint64_t b;
    memcpy(&b, &f, 8);
    return b;
}

static inline float nan32(float v) { return v == v ? v : bits_f32(0x7fffffffu); }

/* Which NaN a double operation gives, its result v if that is none: an operand's, made quiet, b's
   before c's before a's; the default one where no operand is a NaN. PTX leaves it open; an H200
   does so. */
static inline double quiet(double a) { return bits_f64(f64_bits(a) | 0x0008000000000000u); }
static inline double nan64_2(double v, double a, double b)
{
    return v == v ? v : b != b ? quiet(b) : a != a ? quiet(a) : bits_f64(0xfff8000000000000u);
}
static inline double nan64_1(double v, double a) { return nan64_2(v, a, a); }
static inline double nan64_3(double v, double a, double b, double c)
{
    return v == v || b != b || c == c ? nan64_2(v, a, b) : quiet(c);
}

/* Conversions keep what they can of a NaN, and make it quiet. */
static inline double widen(float a)
{
    uint64_t b = f32_bits(a);
    return a == a ? (double)a
                  : bits_f64((b & 0x80000000u) << 32 | 0x7ff8000000000000u | (b & 0x7fffffu) << 29);
}
static inline uint32_t narrow_nan(double a)
{
    return (uint32_t)(f64_bits(a) >> 32 & 0x80000000u) | 0x7fc00000u |
           (uint32_t)(f64_bits(a) >> 29 & 0x3fffffu);
}
static inline float narrow(double a) { return a == a ? (float)a : bits_f32(narrow_nan(a)); }

static inline float ftz(float v)
{
    return (f32_bits(v) & 0x7f800000u) ? v : bits_f32(f32_bits(v) & 0x80000000u);
}
/* What .ftz makes of the result r of an operation whose exact one is about `exact`: it looks for
   subnormal numbers after rounding to 24 bits as if exponents had no end, while r was rounded to
   fewer, and may have become the least normal number by that. */
static inline float ftz_of(float r, double exact)
{
    return fabsf(r) == 0x1p-126f && fabs(exact) < 0x1.ffffffp-127 ? copysignf(0, r) : ftz(r);
}
static inline float mul_ftz(float a, float b)
{
    return ftz_of(ftz(a) * ftz(b), (double)ftz(a) * ftz(b));
}
static inline float div_ftz(float a, float b)
{
    return ftz_of(ftz(a) / ftz(b), (double)ftz(a) / ftz(b));
}
static inline float fma_ftz(float a, float b, float c)
{
    return ftz_of(fmaf(ftz(a), ftz(b), ftz(c)), fma(ftz(a), ftz(b), ftz(c)));
}
static inline float sat_f32(float v) { return v > 0 ? (v < 1 ? v : 1.0f) : 0.0f; }

static inline float min_f32(float a, float b)
{
    /* equal: -0 below +0 */
    float r = a < b ? a : b < a ? b : bits_f32(f32_bits(a) | f32_bits(b));
    r = b != b ? a : r;
    return nan32(a != a ? b : r);
}
static inline float max_f32(float a, float b)
{
    float r = a > b ? a : b > a ? b : bits_f32(f32_bits(a) & f32_bits(b));
    r = b != b ? a : r;
    return nan32(a != a ? b : r);
}
static inline double min_f64(double a, double b)
{
    double r = a < b ? a : b < a ? b : bits_f64(f64_bits(a) | f64_bits(b));
    r = b != b ? a : r;
    return nan64_1(a != a ? b : r, b);
}
static inline double max_f64(double a, double b)
{
    double r = a > b ? a : b > a ? b : bits_f64(f64_bits(a) & f64_bits(b));
    r = b != b ? a : r;
    return nan64_1(a != a ? b : r, b);
}

static inline uint32_t reverse32(uint32_t v)
{
    v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
    v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
    v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
    return __builtin_bswap32(v);
}

static inline uint32_t bfind64(uint64_t v) { return v ? 63u - (uint32_t)__builtin_clzll(v) : ~0u; }
static inline uint32_t shiftamt(uint32_t found, uint32_t top)
{
    return found == ~0u ? found : top - found;
}

/* Positions and lengths: of 32-bit fields the lowest eight bits count, as the manual says; of
   64-bit ones all, as an H200 does. */
static inline uint32_t field_operand(uint32_t v, unsigned width)
{
    return width == 32 ? v & 0xff : v > 255 ? 255 : v;
}

static inline uint64_t bfe_u(uint64_t a, uint32_t pos, uint32_t len, unsigned width)
{
    pos = field_operand(pos, width);
    len = field_operand(len, width);
    if (pos >= width || len == 0)
        return 0;
    uint64_t v = a >> pos;
    return len >= width ? v : v & ((1ull << len) - 1);
}

/* The sign bit comes from bit min(pos + len - 1, width - 1); bits beyond the top are filled with
   it. */
static inline int64_t bfe_s(int64_t a, uint32_t pos, uint32_t len, unsigned width)
{
    pos = field_operand(pos, width);
    len = field_operand(len, width);
    if (len == 0)
        return 0;
    unsigned top = pos + len - 1 < width - 1 ? pos + len - 1 : width - 1;
    uint64_t sign = ((uint64_t)a >> top) & 1 ? ~0ull : 0;
    if (pos >= width)
        return (int64_t)sign;
    unsigned have = width - pos < len ? width - pos : len;
    uint64_t low = have >= 64 ? ~0ull : (1ull << have) - 1;
    return (int64_t)((((uint64_t)a >> pos) & low) | (sign & ~low));
}

static inline uint64_t bfi(uint64_t a, uint64_t b, uint32_t pos, uint32_t len, unsigned width)
{
    pos = field_operand(pos, width);
    len = field_operand(len, width);
    if (pos >= width || len == 0)
        return b;
    uint64_t field = (len >= 64 ? ~0ull : (1ull << len) - 1) << pos;
    return (b & ~field) | ((a << pos) & field);
}

/* b bits from bit a on. clamp: positions and widths above 31 are beyond the word; else their lowest
   five bits count. */
static inline uint32_t bmsk(uint32_t a, uint32_t b, int clamp)
{
    if (clamp && a > 31)
        return 0;
    uint32_t from = ~0u << (a & 31), beyond = (a & 31) + (b & 31);
    return (clamp && b > 31) || beyond > 31 ? from : from & ~(~0u << beyond);
}

/* The low b bits of a, the rest zeros, or copies of bit b - 1. */
static inline uint32_t szext(uint32_t a, uint32_t b, int clamp, int sign)
{
    if (clamp && b > 31)
        return a;
    uint32_t rest = ~0u << (b & 31), top = (b - 1) & 31;
    return (b & 31) && sign && a >> top & 1 ? a | rest : a & ~rest;
}

static inline uint32_t fns(uint32_t mask, uint32_t base, int32_t offset)
{
    if (offset == INT32_MIN)
        return 0; /* as an H200 does: it has no opposite */
    if (base > 31)
        return ~0u;
    int step = offset < 0 ? -1 : 1, left = offset == 0 ? 1 : offset < 0 ? -offset : offset;
    if (offset == 0)
        return mask >> base & 1 ? base : ~0u;
    for (int pos = (int)base; pos >= 0 && pos < 32; pos += step)
        if (mask >> pos & 1 && --left == 0)
            return (uint32_t)pos;
    return ~0u;
}

static inline uint32_t prmt(uint32_t a, uint32_t b, uint32_t select)
{
    uint64_t both = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t s = select >> (4 * k) & 15, byte = (uint32_t)(both >> (8 * (s & 7))) & 0xff;
        if (s & 8)
            byte = byte & 0x80 ? 0xff : 0;
        r |= byte << (8 * k);
    }
    return r;
}

static inline uint32_t prmt_mode(uint32_t a, uint32_t b, uint32_t c, char mode)
{
    static const uint16_t f4e[] = { 0x3210, 0x4321, 0x5432, 0x6543 },
                          b4e[] = { 0x5670, 0x6701, 0x7012, 0x0123 },
                          ecl[] = { 0x3210, 0x3211, 0x3222, 0x3333 },
                          ecr[] = { 0x0000, 0x1110, 0x2210, 0x3210 },
                          rc16[] = { 0x1010, 0x3232, 0x1010, 0x3232 };
    c &= 3;
    switch (mode) {
    case 'f': return prmt(a, b, f4e[c]);
    case 'b': return prmt(a, b, b4e[c]);
    case '8': return prmt(a, b, c * 0x1111);
    case 'l': return prmt(a, b, ecl[c]);
    case 'r': return prmt(a, b, ecr[c]);
    default: return prmt(a, b, rc16[c]);
    }
}

static inline uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c, int a_signed, int b_signed)
{
    for (unsigned k = 0; k < 4; k++) {
        int32_t x = (int32_t)(a >> (8 * k) & 0xff), y = (int32_t)(b >> (8 * k) & 0xff);
        if (a_signed)
            x = (int8_t)x;
        if (b_signed)
            y = (int8_t)y;
        c += (uint32_t)(x * y);
    }
    return c;
}

/* The absolute differences of four bytes, and c. */
static inline uint32_t sad4(uint32_t a, uint32_t b, uint32_t c)
{
    for (int at = 0; at < 32; at += 8) {
        const uint32_t x = a >> at & 255, y = b >> at & 255;
        c += x > y ? x - y : y - x;
    }
    return c;
}

/* a's two halves with two bytes of b, from the lowest. */
static inline uint32_t dp2a(uint32_t a, uint32_t b, uint32_t c, int a_signed, int b_signed)
{
    for (unsigned k = 0; k < 2; k++) {
        int32_t x = (int32_t)(a >> (16 * k) & 0xffff), y = (int32_t)(b >> (8 * k) & 0xff);
        if (a_signed)
            x = (int16_t)x;
        if (b_signed)
            y = (int8_t)y;
        c += (uint32_t)(x * y);
    }
    return c;
}

/* cvt.pack: a and b, each saturated, b lowest; above them c's low bits. */
static inline uint32_t packed(int32_t a, int32_t b, uint32_t c, unsigned bits, int is_signed)
{
    int32_t top = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1,
            bottom = is_signed ? ~top : 0;
    uint32_t x = (uint32_t)(a < bottom ? bottom
                            : a > top  ? top
                                       : a) &
                 ((1u << bits) - 1),
             y = (uint32_t)(b < bottom ? bottom
                            : b > top  ? top
                                       : b) &
                 ((1u << bits) - 1);
    return y | x << bits | (bits < 16 ? c << 2 * bits : 0);
}

/* The smaller or greater of each pair of halves. */
static inline uint32_t halves(uint32_t a, uint32_t b, int is_signed, int greater)
{
    uint32_t flip = is_signed ? 0x80008000u : 0, x = a ^ flip, y = b ^ flip;
    bool low = (x & 0xffff) < (y & 0xffff), high = x >> 16 < y >> 16;
    return ((low != greater ? a : b) & 0xffff) | ((high != greater ? a : b) & 0xffff0000u);
}

/* One operation under another rounding mode of the host, which is put back at once. op: + - * / f
   (fma) r (rcp) q (sqrt). */
static int fe_mode(char mode)
{
    return mode == 'z'   ? FE_TOWARDZERO
           : mode == 'm' ? FE_DOWNWARD
           : mode == 'p' ? FE_UPWARD
                         : FE_TONEAREST;
}

#define DIRECTED(id, T, FMA, SQRT)                                                                 \
    static T id(char op, char mode, T a, T b, T c)                                                 \
    {                                                                                              \
        volatile T x = a, y = b, z = c, r = 0;                                                     \
        fesetround(fe_mode(mode));                                                                 \
        switch (op) {                                                                              \
        case '+': r = x + y; break;                                                                \
        case '-': r = x - y; break;                                                                \
        case '*': r = x * y; break;                                                                \
        case '/': r = x / y; break;                                                                \
        case 'f': r = FMA(x, y, z); break;                                                         \
        case 'r': r = 1 / x; break;                                                                \
        default: r = SQRT(x); break;                                                               \
        }                                                                                          \
        fesetround(FE_TONEAREST);                                                                  \
        return r;                                                                                  \
    }
/* The gross approximations take and give the upper 32 bits of a double; subnormal ones count as
   zeros. rooted: 1 / sqrt(a). */
static double gross64(double a, int rooted)
{
    static const uint64_t sign = 0x8000000000000000u, exponent = 0x7ff0000000000000u,
                          upper = 0xffffffff00000000u;
    uint64_t x = f64_bits(a) & upper;
    x = x & exponent ? x : x & sign;
    double r = 1.0 / (rooted && (x & ~sign) ? sqrt(bits_f64(x)) : bits_f64(x));
    if (r != r)
        return bits_f64(0x7fffffff00000000u);
    return bits_f64(f64_bits(r) & (f64_bits(r) & exponent ? upper : sign));
}

enum { c_mode_rz = 'z', c_mode_rm = 'm', c_mode_rp = 'p' };
DIRECTED(directed32, float, fmaf, sqrtf)
DIRECTED(directed64, double, fma, sqrt)

#endif
