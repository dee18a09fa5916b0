/*
 * device_math.h: arithmetic that CUDA gives device code: min/max, rounding, roots, exponentials,
 * conversions, bit casts.
 *
 * Exact (correctly rounded or without rounding): everything but the functions marked approximate
 * below, and those of device_libm.h, which have their errors there. The approximate ones rest on
 * the GPU's instructions, whose errors the PTX ISA gives for ex2, lg2, sin, cos and rsqrt:
 *   rsqrtf                     2 ulp
 *   expf, exp2f                2 ulp; results below 2^-126 become zero
 *   __logf, __log2f, __log10f  absolute 2^-22 for x in (0.5, 2), relative 2^-22 elsewhere
 *   __sinf, __cosf             absolute 2^-20.5 for |x| <= pi, worse beyond
 *   __powf (x > 0 only)        relative, about 2^-21 * |y log2 x|
 * The C++ names (exp of a float) are in device_math_names.h.
 */
#ifndef SCANLAB_DEVICE_MATH_H
#define SCANLAB_DEVICE_MATH_H

#include "host_defines.h"

/* ---- min, max, abs --------------------------------------------------------------------------- */

#define SCANLAB_MIN_MAX(type)                                                                      \
    static inline SCANLAB_BOTH type min(type a, type b) { return b < a ? b : a; }                  \
    static inline SCANLAB_BOTH type max(type a, type b) { return a < b ? b : a; }
SCANLAB_MIN_MAX(int)
SCANLAB_MIN_MAX(unsigned)
SCANLAB_MIN_MAX(long)
SCANLAB_MIN_MAX(unsigned long)
SCANLAB_MIN_MAX(long long)
SCANLAB_MIN_MAX(unsigned long long)
#undef SCANLAB_MIN_MAX
/* A mixed pair is unsigned, as in C; CUDA declares the same pairs. */
static inline SCANLAB_BOTH unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
static inline SCANLAB_BOTH unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
static inline SCANLAB_BOTH unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
static inline SCANLAB_BOTH unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
/* Of a number and a NaN the number, as fminf. */
static inline SCANLAB_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
static inline SCANLAB_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
static inline SCANLAB_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
static inline SCANLAB_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
static inline SCANLAB_BOTH double min(float a, double b) { return __builtin_fmin(a, b); }
static inline SCANLAB_BOTH double min(double a, float b) { return __builtin_fmin(a, b); }
static inline SCANLAB_BOTH double max(float a, double b) { return __builtin_fmax(a, b); }
static inline SCANLAB_BOTH double max(double a, float b) { return __builtin_fmax(a, b); }

/* The same under names of their own. */
#define SCANLAB_MIN_MAX(type, least, greatest)                                                     \
    static inline SCANLAB_BOTH type least(type a, type b) { return min(a, b); }                    \
    static inline SCANLAB_BOTH type greatest(type a, type b) { return max(a, b); }
SCANLAB_MIN_MAX(unsigned, umin, umax)
SCANLAB_MIN_MAX(long long, llmin, llmax)
SCANLAB_MIN_MAX(unsigned long long, ullmin, ullmax)
#undef SCANLAB_MIN_MAX

static inline SCANLAB_DEVICE int abs(int x) { return x < 0 ? -x : x; }
static inline SCANLAB_DEVICE long labs(long x) { return x < 0 ? -x : x; }
static inline SCANLAB_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }
namespace std
{
using ::abs;
using ::labs;
using ::llabs;
}    // namespace std

/* ---- exact functions: one instruction each, or a few ----------------------------------------- */

#define SCANLAB_MATH_1(name)                                                                       \
    static inline SCANLAB_DEVICE float name##f(float x) { return __builtin_##name##f(x); }         \
    static inline SCANLAB_DEVICE double name(double x) { return __builtin_##name(x); }
#define SCANLAB_MATH_2(name)                                                                       \
    static inline SCANLAB_DEVICE float name##f(float x, float y)                                   \
    {                                                                                              \
        return __builtin_##name##f(x, y);                                                          \
    }                                                                                              \
    static inline SCANLAB_DEVICE double name(double x, double y) { return __builtin_##name(x, y); }
SCANLAB_MATH_1(fabs)
SCANLAB_MATH_1(floor)
SCANLAB_MATH_1(ceil)
SCANLAB_MATH_1(trunc)
SCANLAB_MATH_1(rint)
SCANLAB_MATH_1(round)
SCANLAB_MATH_1(sqrt)
SCANLAB_MATH_2(fmin)
SCANLAB_MATH_2(fmax)
SCANLAB_MATH_2(copysign)
#undef SCANLAB_MATH_1
#undef SCANLAB_MATH_2

/* To an integer: rint's and round's value, converted. One that does not fit: the nearest that does;
   NaN: the GPU's conversion says. */
#define SCANLAB_TO_INTEGER(name, type, rounded)                                                    \
    static inline SCANLAB_DEVICE type name(double x) { return (type)__builtin_##rounded(x); }      \
    static inline SCANLAB_DEVICE type name##f(float x) { return (type)__builtin_##rounded##f(x); }
SCANLAB_TO_INTEGER(lrint, long, rint)
SCANLAB_TO_INTEGER(llrint, long long, rint)
SCANLAB_TO_INTEGER(lround, long, round)
SCANLAB_TO_INTEGER(llround, long long, round)
#undef SCANLAB_TO_INTEGER

static inline SCANLAB_DEVICE float fmaf(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}
static inline SCANLAB_DEVICE double fma(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}

/* Arithmetic that the compiler may not contract or reorder: __fadd_rn, __fmaf_rz, __dmul_ru ... */
#define SCANLAB_ARITH_2(name, op, type, reg)                                                       \
    static inline SCANLAB_DEVICE type name(type x, type y)                                         \
    {                                                                                              \
        type r;                                                                                    \
        asm(op " %0, %1, %2;" : "=" reg(r) : reg(x), reg(y));                                      \
        return r;                                                                                  \
    }
#define SCANLAB_ARITH_3(name, op, type, reg)                                                       \
    static inline SCANLAB_DEVICE type name(type x, type y, type z)                                 \
    {                                                                                              \
        type r;                                                                                    \
        asm(op " %0, %1, %2, %3;" : "=" reg(r) : reg(x), reg(y), reg(z));                          \
        return r;                                                                                  \
    }
#define SCANLAB_ARITH_1(name, op, type, reg)                                                       \
    static inline SCANLAB_DEVICE type name(type x)                                                 \
    {                                                                                              \
        type r;                                                                                    \
        asm(op " %0, %1;" : "=" reg(r) : reg(x));                                                  \
        return r;                                                                                  \
    }
#define SCANLAB_ARITH(mode, ptx)                                                                   \
    SCANLAB_ARITH_2(__fadd_##mode, "add." #ptx ".f32", float, "f")                                 \
    SCANLAB_ARITH_2(__fsub_##mode, "sub." #ptx ".f32", float, "f")                                 \
    SCANLAB_ARITH_2(__fmul_##mode, "mul." #ptx ".f32", float, "f")                                 \
    SCANLAB_ARITH_2(__fdiv_##mode, "div." #ptx ".f32", float, "f")                                 \
    SCANLAB_ARITH_3(__fmaf_##mode, "fma." #ptx ".f32", float, "f")                                 \
    SCANLAB_ARITH_1(__fsqrt_##mode, "sqrt." #ptx ".f32", float, "f")                               \
    SCANLAB_ARITH_1(__frcp_##mode, "rcp." #ptx ".f32", float, "f")                                 \
    SCANLAB_ARITH_2(__dadd_##mode, "add." #ptx ".f64", double, "d")                                \
    SCANLAB_ARITH_2(__dsub_##mode, "sub." #ptx ".f64", double, "d")                                \
    SCANLAB_ARITH_2(__dmul_##mode, "mul." #ptx ".f64", double, "d")                                \
    SCANLAB_ARITH_2(__ddiv_##mode, "div." #ptx ".f64", double, "d")                                \
    SCANLAB_ARITH_1(__dsqrt_##mode, "sqrt." #ptx ".f64", double, "d")                              \
    SCANLAB_ARITH_1(__drcp_##mode, "rcp." #ptx ".f64", double, "d")                                \
    SCANLAB_ARITH_3(__fma_##mode, "fma." #ptx ".f64", double, "d")
SCANLAB_ARITH(rn, rn)
SCANLAB_ARITH(rz, rz)
SCANLAB_ARITH(ru, rp)
SCANLAB_ARITH(rd, rm)
#undef SCANLAB_ARITH
#undef SCANLAB_ARITH_3

/* ---- approximate functions ------------------------------------------------------------------- */

SCANLAB_ARITH_1(rsqrtf, "rsqrt.approx.f32", float, "f")
SCANLAB_ARITH_1(exp2f, "ex2.approx.f32", float, "f")
SCANLAB_ARITH_1(__log2f, "lg2.approx.f32", float, "f")
SCANLAB_ARITH_1(__sinf, "sin.approx.f32", float, "f")
SCANLAB_ARITH_1(__cosf, "cos.approx.f32", float, "f")
SCANLAB_ARITH_2(__fdividef, "div.approx.f32", float, "f")
#undef SCANLAB_ARITH_1
#undef SCANLAB_ARITH_2

/* exp(x) = 2^k * 2^r: k = x / ln 2 rounded, r in [-1/2, 1/2] from a two-word ln 2, so that a large
   x loses no digits. */
static inline SCANLAB_DEVICE float expf(float x)
{
    float k = __builtin_rintf(x * 1.44269504f);
    k = __builtin_fminf(__builtin_fmaxf(k, -160.0f), 160.0f);
    float r = __builtin_fmaf(k, -1.42860677e-6f, __builtin_fmaf(k, -0.693145752f, x));
    /* 2^k in two factors: 2^128 alone would overflow before the product */
    float half = __builtin_truncf(k * 0.5f);
    return exp2f(r * 1.44269504f) * exp2f(half) * exp2f(k - half);
}
static inline SCANLAB_DEVICE float __expf(float x) { return exp2f(x * 1.44269504f); }
static inline SCANLAB_DEVICE float __exp10f(float x) { return exp2f(x * 3.32192809f); }
static inline SCANLAB_DEVICE float __logf(float x) { return __log2f(x) * 0.693147181f; }
static inline SCANLAB_DEVICE float __log10f(float x) { return __log2f(x) * 0.301029996f; }
static inline SCANLAB_DEVICE float __powf(float x, float y) { return exp2f(y * __log2f(x)); }
static inline SCANLAB_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
static inline SCANLAB_DEVICE void __sincosf(float x, float *sine, float *cosine)
{
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
static inline SCANLAB_DEVICE float __saturatef(float x)
{
    return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
}

#include "device_libm.h"

static inline SCANLAB_DEVICE float fdividef(float x, float y) { return x / y; }
static inline SCANLAB_DEVICE float __frsqrt_rn(float x)
{
    return (float)(1 / __builtin_sqrt((double)x));
}

/* By these names libcu++ asks. */
#define SCANLAB_ASKS(name, builtin)                                                                \
    static inline SCANLAB_DEVICE int name(double x) { return builtin(x); }                         \
    static inline SCANLAB_DEVICE int name##f(float x) { return builtin(x); }
SCANLAB_ASKS(__isnan, __builtin_isnan)
SCANLAB_ASKS(__isinf, __builtin_isinf)
SCANLAB_ASKS(__finite, __builtin_isfinite)
SCANLAB_ASKS(__signbit, __builtin_signbit)
#undef SCANLAB_ASKS

/* Of CUDA's own names those that take a float, too; the ones of <cmath> are in
   device_math_names.h. */
#define SCANLAB_OF_FLOAT(name)                                                                     \
    static inline SCANLAB_DEVICE float name(float x) { return name##f(x); }
// clang-format off
SCANLAB_OF_FLOAT(rsqrt) SCANLAB_OF_FLOAT(rcbrt) SCANLAB_OF_FLOAT(exp10) SCANLAB_OF_FLOAT(sinpi)
SCANLAB_OF_FLOAT(cospi) SCANLAB_OF_FLOAT(erfcx) SCANLAB_OF_FLOAT(erfinv) SCANLAB_OF_FLOAT(erfcinv)
SCANLAB_OF_FLOAT(normcdf) SCANLAB_OF_FLOAT(normcdfinv)
// clang-format on
#undef SCANLAB_OF_FLOAT
            static inline SCANLAB_DEVICE void sincos(float x, float *sine, float *cosine)
{
    sincosf(x, sine, cosine);
}
static inline SCANLAB_DEVICE void sincospi(float x, float *sine, float *cosine)
{
    sincospif(x, sine, cosine);
}

/* What CUDA gives to the host as well, where the C library does not have it. */
#ifndef __CUDA_ARCH__
#define SCANLAB_HOST __attribute__((host, unused))
#define SCANLAB_ON_HOST(name, expression)                                                          \
    static inline SCANLAB_HOST double name(double x) { return expression; }                        \
    static inline SCANLAB_HOST float name(float x) { return (float)name((double)x); }              \
    static inline SCANLAB_HOST float name##f(float x) { return (float)name((double)x); }
#if !defined __GLIBC__ || !__GLIBC_PREREQ(2, 42)
SCANLAB_ON_HOST(rsqrt, 1 / __builtin_sqrt(x))
#endif
#if !defined __GLIBC__ || !__GLIBC_PREREQ(2, 41)
SCANLAB_ON_HOST(sinpi, __builtin_sin(M_PI *__builtin_remainder(x, 2)))
SCANLAB_ON_HOST(cospi, __builtin_cos(M_PI *__builtin_remainder(x, 2)))
#endif
SCANLAB_ON_HOST(rcbrt, 1 / __builtin_cbrt(x))
SCANLAB_ON_HOST(normcdf, 0.5 * __builtin_erfc(-x * M_SQRT1_2))
#undef SCANLAB_ON_HOST
#undef SCANLAB_HOST
#endif

/* ---- conversions and bit casts --------------------------------------------------------------- */

#define SCANLAB_CVT(name, to, from, ptx, to_reg, from_reg)                                         \
    static inline SCANLAB_DEVICE to name(from x)                                                   \
    {                                                                                              \
        to r;                                                                                      \
        asm("cvt." ptx " %0, %1;" : "=" to_reg(r) : from_reg(x));                                  \
        return r;                                                                                  \
    }
#define SCANLAB_CVT_MODE(mode, imode, ptx)                                                         \
    SCANLAB_CVT(__float2int_##mode, int, float, #imode ".s32.f32", "r", "f")                       \
    SCANLAB_CVT(__float2uint_##mode, unsigned, float, #imode ".u32.f32", "r", "f")                 \
    SCANLAB_CVT(__float2ll_##mode, long long, float, #imode ".s64.f32", "l", "f")                  \
    SCANLAB_CVT(__float2ull_##mode, unsigned long long, float, #imode ".u64.f32", "l", "f")        \
    SCANLAB_CVT(__double2int_##mode, int, double, #imode ".s32.f64", "r", "d")                     \
    SCANLAB_CVT(__double2uint_##mode, unsigned, double, #imode ".u32.f64", "r", "d")               \
    SCANLAB_CVT(__double2ll_##mode, long long, double, #imode ".s64.f64", "l", "d")                \
    SCANLAB_CVT(__double2ull_##mode, unsigned long long, double, #imode ".u64.f64", "l", "d")      \
    SCANLAB_CVT(__double2float_##mode, float, double, #ptx ".f32.f64", "f", "d")                   \
    SCANLAB_CVT(__int2float_##mode, float, int, #ptx ".f32.s32", "f", "r")                         \
    SCANLAB_CVT(__uint2float_##mode, float, unsigned, #ptx ".f32.u32", "f", "r")                   \
    SCANLAB_CVT(__ll2float_##mode, float, long long, #ptx ".f32.s64", "f", "l")                    \
    SCANLAB_CVT(__ull2float_##mode, float, unsigned long long, #ptx ".f32.u64", "f", "l")          \
    SCANLAB_CVT(__ll2double_##mode, double, long long, #ptx ".f64.s64", "d", "l")                  \
    SCANLAB_CVT(__ull2double_##mode, double, unsigned long long, #ptx ".f64.u64", "d", "l")
SCANLAB_CVT_MODE(rn, rni, rn)
SCANLAB_CVT_MODE(rz, rzi, rz)
SCANLAB_CVT_MODE(ru, rpi, rp)
SCANLAB_CVT_MODE(rd, rmi, rm)
#undef SCANLAB_CVT_MODE
#undef SCANLAB_CVT
static inline SCANLAB_DEVICE double __int2double_rn(int x) { return (double)x; }
static inline SCANLAB_DEVICE double __uint2double_rn(unsigned x) { return (double)x; }

#define SCANLAB_CAST(name, to, from)                                                               \
    static inline SCANLAB_DEVICE to name(from x) { return __builtin_bit_cast(to, x); }
SCANLAB_CAST(__float_as_int, int, float)
SCANLAB_CAST(__float_as_uint, unsigned, float)
SCANLAB_CAST(__int_as_float, float, int)
SCANLAB_CAST(__uint_as_float, float, unsigned)
SCANLAB_CAST(__double_as_longlong, long long, double)
SCANLAB_CAST(__longlong_as_double, double, long long)
#undef SCANLAB_CAST
static inline SCANLAB_DEVICE int __double2hiint(double x)
{
    return (int)(__double_as_longlong(x) >> 32);
}
static inline SCANLAB_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
static inline SCANLAB_DEVICE double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)high << 32 | (unsigned)low);
}

#endif
