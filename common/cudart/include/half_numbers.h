/*
 * half_numbers.h: one type of numbers of 16 bits and its pairs, for cuda_fp16.h and cuda_bf16.h,
 * each of which includes this once and says before it:
 *   SCANLAB_HALF, SCANLAB_HALF2   the types; SCANLAB_HALF_PTX: "f16"; SCANLAB_PAIR_PTX: "f16x2"
 *   SCANLAB_HALF_FRACTION         bits of the fraction; SCANLAB_HALF_LEAST: the least exponent
 *
 * In kernels each operation is the GPU's instruction. The host has conversions, arithmetic and
 * comparisons, through float, rounded once more; an fma on the host is done in double. Functions
 * such as hexp are those of float, rounded. Meaning: CUDA Math API, "Half Precision Intrinsics".
 */
#ifdef __CUDA_ARCH__
#define SCANLAB_EITHER(device, host) device
#else
#define SCANLAB_EITHER(device, host) host
#endif
#define SCANLAB_H static inline SCANLAB_BOTH

/* ---- the host's conversions ------------------------------------------------------------------ */

#ifndef SCANLAB_HALF_HOST
#define SCANLAB_HALF_HOST
/* mode: n z d u; fraction: bits; least: the least exponent of a normal number */
SCANLAB_H unsigned short scanlab_to_half(double v, int fraction, int least, char mode)
{
    unsigned long long b = __builtin_bit_cast(unsigned long long, v), m = b & 0xfffffffffffffull;
    unsigned sign = (unsigned)(b >> 63) << 15, infinity = (0x7fffu >> fraction) << fraction;
    int e = (int)(b >> 52 & 0x7ff) - 1023, shift;
    if (v != v)
        return 0x7fff;
    if (e == 1024)
        return (unsigned short)(sign | infinity);
    if (e == -1023)
        e = -1022;
    else
        m |= 1ull << 52;
    shift = 52 - fraction + (e < least ? least - e : 0);
    if (shift > 62)
        shift = 62;
    unsigned long long kept = m >> shift, rest = m & ((1ull << shift) - 1),
                       half = 1ull << (shift - 1);
    kept += mode == 'n'   ? rest > half || (rest == half && (kept & 1))
            : mode == 'd' ? rest && sign
            : mode == 'u' ? rest && !sign
                          : 0;
    kept += e < least ? 0 : (unsigned long long)(e - least) << fraction;
    if (kept >= infinity)
        kept = infinity - (mode == 'z' || (mode == 'd' && !sign) || (mode == 'u' && sign));
    return (unsigned short)(sign | kept);
}
SCANLAB_H float scanlab_of_half(unsigned short h, int fraction, int least)
{
    unsigned magnitude = h & 0x7fff, infinity = (0x7fffu >> fraction) << fraction;
    float v = magnitude > infinity    ? __builtin_nanf("")
              : magnitude == infinity ? __builtin_inff()
              : magnitude >> fraction
                  ? __builtin_bit_cast(float, (magnitude << (23 - fraction)) +
                                                  ((unsigned)(126 + least) << 23))
                  : (float)magnitude *
                        __builtin_bit_cast(float, least - fraction > -127
                                                      ? (unsigned)(127 + least - fraction) << 23
                                                      : 1u << (149 + least - fraction));
    return h & 0x8000 ? -v : v;
}
#endif

/* ---- the types ------------------------------------------------------------------------------- */

#define SCANLAB_CAT_(a, b)       a##b
#define SCANLAB_CAT(a, b)        SCANLAB_CAT_(a, b)
#define SCANLAB_RAW              SCANLAB_CAT(SCANLAB_HALF, _raw)
#define SCANLAB_RAW2             SCANLAB_CAT(SCANLAB_HALF2, _raw)
#define SCANLAB_ROUNDED(v, mode) scanlab_to_half(v, SCANLAB_HALF_FRACTION, SCANLAB_HALF_LEAST, mode)

typedef struct __attribute__((aligned(2))) SCANLAB_RAW {
    unsigned short x;
} SCANLAB_RAW;
typedef struct __attribute__((aligned(4))) SCANLAB_RAW2 {
    unsigned short x, y;
} SCANLAB_RAW2;

struct __attribute__((aligned(2))) SCANLAB_HALF {
    unsigned short __x;
    SCANLAB_HALF() = default;
    SCANLAB_BOTH SCANLAB_HALF(const SCANLAB_RAW &raw) : __x(raw.x) {}
    SCANLAB_BOTH SCANLAB_HALF(float v)
    {
        SCANLAB_EITHER(asm("cvt.rn." SCANLAB_HALF_PTX ".f32 %0, %1;"
                           : "=h"(__x)
                           : "f"(v)),
                       __x = SCANLAB_ROUNDED(v, 'n'));
    }
    SCANLAB_BOTH SCANLAB_HALF(double v)
    {
        SCANLAB_EITHER(asm("cvt.rn." SCANLAB_HALF_PTX ".f64 %0, %1;"
                           : "=h"(__x)
                           : "d"(v)),
                       __x = SCANLAB_ROUNDED(v, 'n'));
    }
    SCANLAB_BOTH SCANLAB_HALF(long long v)
    {
        SCANLAB_EITHER(asm("cvt.rn." SCANLAB_HALF_PTX ".s64 %0, %1;"
                           : "=h"(__x)
                           : "l"(v)),
                       __x = SCANLAB_ROUNDED((double)v, 'n'));
    }
    SCANLAB_BOTH SCANLAB_HALF(unsigned long long v)
    {
        SCANLAB_EITHER(asm("cvt.rn." SCANLAB_HALF_PTX ".u64 %0, %1;"
                           : "=h"(__x)
                           : "l"(v)),
                       __x = SCANLAB_ROUNDED((double)v, 'n'));
    }
    SCANLAB_BOTH SCANLAB_HALF(short v) : SCANLAB_HALF((float)v) {}
    SCANLAB_BOTH SCANLAB_HALF(unsigned short v) : SCANLAB_HALF((float)v) {}
    SCANLAB_BOTH SCANLAB_HALF(int v) : SCANLAB_HALF((double)v) {}
    SCANLAB_BOTH SCANLAB_HALF(unsigned v) : SCANLAB_HALF((double)v) {}
    SCANLAB_BOTH SCANLAB_HALF(long v) : SCANLAB_HALF((long long)v) {}
    SCANLAB_BOTH SCANLAB_HALF(unsigned long v) : SCANLAB_HALF((unsigned long long)v) {}
    SCANLAB_BOTH operator float() const
    {
        float v;
        SCANLAB_EITHER(asm("cvt.f32." SCANLAB_HALF_PTX " %0, %1;"
                           : "=f"(v)
                           : "h"(__x)),
                       v = scanlab_of_half(__x, SCANLAB_HALF_FRACTION, SCANLAB_HALF_LEAST));
        return v;
    }
    SCANLAB_BOTH operator SCANLAB_RAW() const
    {
        SCANLAB_RAW raw = { __x };
        return raw;
    }
    SCANLAB_BOTH explicit operator bool() const { return __x & 0x7fff; }
    SCANLAB_BOTH explicit operator int() const { return (int)(float)*this; }
    SCANLAB_BOTH explicit operator unsigned() const { return (unsigned)(float)*this; }
};

struct __attribute__((aligned(4))) SCANLAB_HALF2 {
    SCANLAB_HALF x, y;
    SCANLAB_HALF2() = default;
    SCANLAB_BOTH SCANLAB_HALF2(const SCANLAB_HALF &low, const SCANLAB_HALF &high) : x(low), y(high)
    {
    }
};

SCANLAB_H SCANLAB_HALF scanlab_half_bits(SCANLAB_HALF, unsigned short bits)
{
    SCANLAB_HALF h;
    h.__x = bits;
    return h;
}
SCANLAB_H unsigned scanlab_pair_bits(SCANLAB_HALF2 v) { return v.x.__x | (unsigned)v.y.__x << 16; }
SCANLAB_H SCANLAB_HALF2 scanlab_pair_of(SCANLAB_HALF, unsigned bits)
{
    SCANLAB_HALF2 v;
    v.x.__x = (unsigned short)bits;
    v.y.__x = (unsigned short)(bits >> 16);
    return v;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* name of one, name of two, the instruction, the host's way with x, y, z as floats */
#define SCANLAB_HALF_2(one, two, op, host)                                                         \
    SCANLAB_H SCANLAB_HALF one(const SCANLAB_HALF a, const SCANLAB_HALF b)                         \
    {                                                                                              \
        SCANLAB_HALF r;                                                                            \
        SCANLAB_EITHER(asm(op "." SCANLAB_HALF_PTX " %0, %1, %2;"                                  \
                           : "=h"(r.__x)                                                           \
                           : "h"(a.__x), "h"(b.__x)),                                              \
                       float x = a;                                                                \
                       float y = b; r = SCANLAB_HALF(host));                                       \
        return r;                                                                                  \
    }                                                                                              \
    SCANLAB_H SCANLAB_HALF2 two(const SCANLAB_HALF2 a, const SCANLAB_HALF2 b)                      \
    {                                                                                              \
        SCANLAB_EITHER(unsigned r; asm(op "." SCANLAB_PAIR_PTX " %0, %1, %2;"                      \
                                       : "=r"(r)                                                   \
                                       : "r"(scanlab_pair_bits(a)), "r"(scanlab_pair_bits(b)));    \
                       return scanlab_pair_of(a.x, r),                                             \
                              return SCANLAB_HALF2(one(a.x, b.x), one(a.y, b.y)));                 \
    }
#define SCANLAB_HALF_3(one, two, op, host)                                                         \
    SCANLAB_H SCANLAB_HALF one(const SCANLAB_HALF a, const SCANLAB_HALF b, const SCANLAB_HALF c)   \
    {                                                                                              \
        SCANLAB_HALF r;                                                                            \
        SCANLAB_EITHER(asm(op "." SCANLAB_HALF_PTX " %0, %1, %2, %3;"                              \
                           : "=h"(r.__x)                                                           \
                           : "h"(a.__x), "h"(b.__x), "h"(c.__x)),                                  \
                       float x = a;                                                                \
                       float y = b; float z = c; r = SCANLAB_HALF(host));                          \
        return r;                                                                                  \
    }                                                                                              \
    SCANLAB_H SCANLAB_HALF2 two(const SCANLAB_HALF2 a, const SCANLAB_HALF2 b,                      \
                                const SCANLAB_HALF2 c)                                             \
    {                                                                                              \
        SCANLAB_EITHER(unsigned r; asm(op "." SCANLAB_PAIR_PTX " %0, %1, %2, %3;"                  \
                                       : "=r"(r)                                                   \
                                       : "r"(scanlab_pair_bits(a)), "r"(scanlab_pair_bits(b)),     \
                                         "r"(scanlab_pair_bits(c)));                               \
                       return scanlab_pair_of(a.x, r),                                             \
                              return SCANLAB_HALF2(one(a.x, b.x, c.x), one(a.y, b.y, c.y)));       \
    }

SCANLAB_HALF_2(__hadd, __hadd2, "add", x + y)
SCANLAB_HALF_2(__hsub, __hsub2, "sub", x - y)
SCANLAB_HALF_2(__hmul, __hmul2, "mul", x *y)
SCANLAB_HALF_2(__hadd_rn, __hadd2_rn, "add.rn", x + y)
SCANLAB_HALF_2(__hsub_rn, __hsub2_rn, "sub.rn", x - y)
SCANLAB_HALF_2(__hmul_rn, __hmul2_rn, "mul.rn", x *y)
SCANLAB_HALF_2(__hmin, __hmin2, "min", __builtin_fminf(x, y))
SCANLAB_HALF_2(__hmax, __hmax2, "max", __builtin_fmaxf(x, y))
SCANLAB_HALF_2(__hmin_nan, __hmin2_nan, "min.NaN", x != x || y != y ? x + y : __builtin_fminf(x, y))
SCANLAB_HALF_2(__hmax_nan, __hmax2_nan, "max.NaN", x != x || y != y ? x + y : __builtin_fmaxf(x, y))
SCANLAB_HALF_3(__hfma, __hfma2, "fma.rn", __builtin_fma((double)x, (double)y, (double)z))
SCANLAB_HALF_3(__hfma_relu, __hfma2_relu, "fma.rn.relu",
               __builtin_fmax(__builtin_fma((double)x, (double)y, (double)z), 0.0))

SCANLAB_H SCANLAB_HALF __hneg(const SCANLAB_HALF a)
{
    SCANLAB_HALF r;
    SCANLAB_EITHER(asm("neg." SCANLAB_HALF_PTX " %0, %1;"
                       : "=h"(r.__x)
                       : "h"(a.__x)),
                   r.__x = a.__x ^ 0x8000);
    return r;
}
SCANLAB_H SCANLAB_HALF __habs(const SCANLAB_HALF a)
{
    SCANLAB_HALF r;
    SCANLAB_EITHER(asm("abs." SCANLAB_HALF_PTX " %0, %1;"
                       : "=h"(r.__x)
                       : "h"(a.__x)),
                   r.__x = a.__x & 0x7fff);
    return r;
}
SCANLAB_H SCANLAB_HALF __hdiv(const SCANLAB_HALF a, const SCANLAB_HALF b)
{
    return SCANLAB_HALF((float)a / (float)b);
}
SCANLAB_H SCANLAB_HALF2 __hneg2(const SCANLAB_HALF2 a)
{
    return SCANLAB_HALF2(__hneg(a.x), __hneg(a.y));
}
SCANLAB_H SCANLAB_HALF2 __habs2(const SCANLAB_HALF2 a)
{
    return SCANLAB_HALF2(__habs(a.x), __habs(a.y));
}
SCANLAB_H SCANLAB_HALF2 __h2div(const SCANLAB_HALF2 a, const SCANLAB_HALF2 b)
{
    return SCANLAB_HALF2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* Of pairs: a pair of 1 and 0, or whether both are so. */
#define SCANLAB_HALF_COMPARE(name, pair, both, op, c)                                              \
    SCANLAB_H bool name(const SCANLAB_HALF a, const SCANLAB_HALF b)                                \
    {                                                                                              \
        SCANLAB_EITHER(int r; asm("{ .reg .pred p; setp." op "." SCANLAB_HALF_PTX                  \
                                  " p, %1, %2; selp.s32 %0, 1, 0, "                                \
                                  "p; }"                                                           \
                                  : "=r"(r)                                                        \
                                  : "h"(a.__x), "h"(b.__x));                                       \
                       return r != 0, float x = a; float y = b; return c);                         \
    }                                                                                              \
    SCANLAB_H SCANLAB_HALF2 pair(const SCANLAB_HALF2 a, const SCANLAB_HALF2 b)                     \
    {                                                                                              \
        return SCANLAB_HALF2(SCANLAB_HALF(name(a.x, b.x) ? 1.0f : 0.0f),                           \
                             SCANLAB_HALF(name(a.y, b.y) ? 1.0f : 0.0f));                          \
    }                                                                                              \
    SCANLAB_H bool both(const SCANLAB_HALF2 a, const SCANLAB_HALF2 b)                              \
    {                                                                                              \
        return name(a.x, b.x) && name(a.y, b.y);                                                   \
    }
SCANLAB_HALF_COMPARE(__heq, __heq2, __hbeq2, "eq", x == y)
SCANLAB_HALF_COMPARE(__hne, __hne2, __hbne2, "ne", (x < y || x > y))
SCANLAB_HALF_COMPARE(__hlt, __hlt2, __hblt2, "lt", x < y)
SCANLAB_HALF_COMPARE(__hle, __hle2, __hble2, "le", x <= y)
SCANLAB_HALF_COMPARE(__hgt, __hgt2, __hbgt2, "gt", x > y)
SCANLAB_HALF_COMPARE(__hge, __hge2, __hbge2, "ge", x >= y)
SCANLAB_HALF_COMPARE(__hequ, __hequ2, __hbequ2, "equ", !(x < y || x > y))
SCANLAB_HALF_COMPARE(__hneu, __hneu2, __hbneu2, "neu", x != y)
SCANLAB_HALF_COMPARE(__hltu, __hltu2, __hbltu2, "ltu", !(x >= y))
SCANLAB_HALF_COMPARE(__hleu, __hleu2, __hbleu2, "leu", !(x > y))
SCANLAB_HALF_COMPARE(__hgtu, __hgtu2, __hbgtu2, "gtu", !(x <= y))
SCANLAB_HALF_COMPARE(__hgeu, __hgeu2, __hbgeu2, "geu", !(x < y))
SCANLAB_H bool __hisnan(const SCANLAB_HALF a)
{
    return (a.__x & 0x7fff) > (0x7fffu >> SCANLAB_HALF_FRACTION) << SCANLAB_HALF_FRACTION;
}
SCANLAB_H int __hisinf(const SCANLAB_HALF a)
{
    bool is = (a.__x & 0x7fff) == (0x7fffu >> SCANLAB_HALF_FRACTION) << SCANLAB_HALF_FRACTION;
    return !is ? 0 : a.__x & 0x8000 ? -1 : 1;
}

/* ---- operators ------------------------------------------------------------------------------- */

#define SCANLAB_HALF_OPERATORS(type, add, sub, mul, div, neg)                                      \
    SCANLAB_H type operator+(const type &a, const type &b) { return add(a, b); }                   \
    SCANLAB_H type operator-(const type &a, const type &b) { return sub(a, b); }                   \
    SCANLAB_H type operator*(const type &a, const type &b) { return mul(a, b); }                   \
    SCANLAB_H type operator/(const type &a, const type &b) { return div(a, b); }                   \
    SCANLAB_H type &operator+=(type &a, const type &b) { return a = add(a, b); }                   \
    SCANLAB_H type &operator-=(type &a, const type &b) { return a = sub(a, b); }                   \
    SCANLAB_H type &operator*=(type &a, const type &b) { return a = mul(a, b); }                   \
    SCANLAB_H type &operator/=(type &a, const type &b) { return a = div(a, b); }                   \
    SCANLAB_H type operator+(const type &a) { return a; }                                          \
    SCANLAB_H type operator-(const type &a) { return neg(a); }
#define SCANLAB_HALF_ORDER(type, eq, ne, lt, le, gt, ge)                                           \
    SCANLAB_H bool operator==(const type &a, const type &b) { return eq(a, b); }                   \
    SCANLAB_H bool operator!=(const type &a, const type &b) { return ne(a, b); }                   \
    SCANLAB_H bool operator<(const type &a, const type &b) { return lt(a, b); }                    \
    SCANLAB_H bool operator<=(const type &a, const type &b) { return le(a, b); }                   \
    SCANLAB_H bool operator>(const type &a, const type &b) { return gt(a, b); }                    \
    SCANLAB_H bool operator>=(const type &a, const type &b) { return ge(a, b); }
SCANLAB_HALF_OPERATORS(SCANLAB_HALF, __hadd, __hsub, __hmul, __hdiv, __hneg)
SCANLAB_HALF_OPERATORS(SCANLAB_HALF2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2)
SCANLAB_HALF_ORDER(SCANLAB_HALF, __heq, __hneu, __hlt, __hle, __hgt, __hge)
SCANLAB_HALF_ORDER(SCANLAB_HALF2, __hbeq2, __hbneu2, __hblt2, __hble2, __hbgt2, __hbge2)
SCANLAB_H SCANLAB_HALF &operator++(SCANLAB_HALF &a) { return a = __hadd(a, SCANLAB_HALF(1.0f)); }
SCANLAB_H SCANLAB_HALF &operator--(SCANLAB_HALF &a) { return a = __hsub(a, SCANLAB_HALF(1.0f)); }

/* ---- pairs: taking apart and putting together ------------------------------------------------ */

SCANLAB_H float __low2float(const SCANLAB_HALF2 a) { return a.x; }
SCANLAB_H float __high2float(const SCANLAB_HALF2 a) { return a.y; }

#ifdef __CUDA__
/* ---- kernels alone --------------------------------------------------------------------------- */

#define SCANLAB_HALF_FUNCTION(one, two, of_float)                                                  \
    static inline SCANLAB_DEVICE SCANLAB_HALF one(const SCANLAB_HALF a)                            \
    {                                                                                              \
        return SCANLAB_HALF(of_float((float)a));                                                   \
    }                                                                                              \
    static inline SCANLAB_DEVICE SCANLAB_HALF2 two(const SCANLAB_HALF2 a)                          \
    {                                                                                              \
        return SCANLAB_HALF2(one(a.x), one(a.y));                                                  \
    }
SCANLAB_HALF_FUNCTION(hsqrt, h2sqrt, sqrtf)
SCANLAB_HALF_FUNCTION(hrsqrt, h2rsqrt, rsqrtf)
SCANLAB_HALF_FUNCTION(hrcp, h2rcp, 1.0f /)
SCANLAB_HALF_FUNCTION(hexp, h2exp, expf)
SCANLAB_HALF_FUNCTION(hexp2, h2exp2, exp2f)
SCANLAB_HALF_FUNCTION(hexp10, h2exp10, exp10f)
SCANLAB_HALF_FUNCTION(hlog, h2log, logf)
SCANLAB_HALF_FUNCTION(hlog2, h2log2, log2f)
SCANLAB_HALF_FUNCTION(hlog10, h2log10, log10f)
SCANLAB_HALF_FUNCTION(hsin, h2sin, sinf)
SCANLAB_HALF_FUNCTION(hcos, h2cos, cosf)
SCANLAB_HALF_FUNCTION(htanh, h2tanh, tanhf)
SCANLAB_HALF_FUNCTION(hfloor, h2floor, floorf)
SCANLAB_HALF_FUNCTION(hceil, h2ceil, ceilf)
SCANLAB_HALF_FUNCTION(htrunc, h2trunc, truncf)
SCANLAB_HALF_FUNCTION(hrint, h2rint, rintf)

#define SCANLAB_HALF_SHUFFLE(name)                                                                 \
    static inline SCANLAB_DEVICE SCANLAB_HALF name(unsigned mask, const SCANLAB_HALF &value,       \
                                                   int lane, int width = 32)                       \
    {                                                                                              \
        return scanlab_half_bits(value,                                                            \
                                 (unsigned short)name(mask, (unsigned)value.__x, lane, width));    \
    }                                                                                              \
    static inline SCANLAB_DEVICE SCANLAB_HALF2 name(unsigned mask, const SCANLAB_HALF2 &value,     \
                                                    int lane, int width = 32)                      \
    {                                                                                              \
        return scanlab_pair_of(value.x, name(mask, scanlab_pair_bits(value), lane, width));        \
    }
SCANLAB_HALF_SHUFFLE(__shfl_sync)
SCANLAB_HALF_SHUFFLE(__shfl_up_sync)
SCANLAB_HALF_SHUFFLE(__shfl_down_sync)
SCANLAB_HALF_SHUFFLE(__shfl_xor_sync)

static inline SCANLAB_DEVICE SCANLAB_HALF __ldg(const SCANLAB_HALF *from)
{
    return scanlab_half_bits(*from, __ldg((const unsigned short *)from));
}
static inline SCANLAB_DEVICE SCANLAB_HALF2 __ldg(const SCANLAB_HALF2 *from)
{
    return scanlab_pair_of(from->x, __ldg((const unsigned *)from));
}
static inline SCANLAB_DEVICE SCANLAB_HALF atomicAdd(SCANLAB_HALF *at, SCANLAB_HALF value)
{
    SCANLAB_HALF old;
    asm volatile("atom.add.noftz." SCANLAB_HALF_PTX " %0, [%1], %2;"
                 : "=h"(old.__x)
                 : "l"(at), "h"(value.__x)
                 : "memory");
    return old;
}
/* The halves are added one by one, in no order. */
static inline SCANLAB_DEVICE SCANLAB_HALF2 atomicAdd(SCANLAB_HALF2 *at, SCANLAB_HALF2 value)
{
    unsigned old;
    asm volatile("atom.add.noftz." SCANLAB_PAIR_PTX " %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(at), "r"(scanlab_pair_bits(value))
                 : "memory");
    return scanlab_pair_of(value.x, old);
}
#undef SCANLAB_HALF_FUNCTION
#undef SCANLAB_HALF_SHUFFLE
#endif

#undef SCANLAB_CAT_
#undef SCANLAB_CAT
#undef SCANLAB_RAW
#undef SCANLAB_RAW2
#undef SCANLAB_HALF_2
#undef SCANLAB_HALF_3
#undef SCANLAB_HALF_COMPARE
#undef SCANLAB_HALF_OPERATORS
#undef SCANLAB_HALF_ORDER
