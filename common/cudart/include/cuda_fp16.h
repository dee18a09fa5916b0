/*
 * cuda_fp16.h: half and half2 (IEEE 754 binary16). Arithmetic and the rest: half_numbers.h.
 */
#ifndef SCANLAB_CUDA_FP16_H
#define SCANLAB_CUDA_FP16_H

#ifndef __cplusplus
#error "cuda_fp16.h is for C++ and CUDA"
#endif

#include "cuda_runtime.h"

#define SCANLAB_HALF          __half
#define SCANLAB_HALF2         __half2
#define SCANLAB_HALF_PTX      "f16"
#define SCANLAB_PAIR_PTX      "f16x2"
#define SCANLAB_HALF_FRACTION 10
#define SCANLAB_HALF_LEAST    (-14)
#include "half_numbers.h"

/* ---- conversions ----------------------------------------------------------------------------- */

SCANLAB_H __half __float2half(float v) { return __half(v); }
SCANLAB_H __half __float2half_rn(float v) { return __half(v); }
SCANLAB_H __half __float2half_rz(float v)
{
    __half r;
    SCANLAB_EITHER(asm("cvt.rz." SCANLAB_HALF_PTX ".f32 %0, %1;"
                       : "=h"(r.__x)
                       : "f"(v)),
                   r.__x = SCANLAB_ROUNDED(v, 'z'));
    return r;
}
SCANLAB_H __half __float2half_rd(float v)
{
    __half r;
    SCANLAB_EITHER(asm("cvt.rm." SCANLAB_HALF_PTX ".f32 %0, %1;"
                       : "=h"(r.__x)
                       : "f"(v)),
                   r.__x = SCANLAB_ROUNDED(v, 'd'));
    return r;
}
SCANLAB_H __half __float2half_ru(float v)
{
    __half r;
    SCANLAB_EITHER(asm("cvt.rp." SCANLAB_HALF_PTX ".f32 %0, %1;"
                       : "=h"(r.__x)
                       : "f"(v)),
                   r.__x = SCANLAB_ROUNDED(v, 'u'));
    return r;
}
SCANLAB_H __half __double2half(double v) { return __half(v); }
SCANLAB_H float __half2float(__half v) { return v; }
SCANLAB_H __half2 __float2half2_rn(float v) { return __half2(__half(v), __half(v)); }
SCANLAB_H __half2 __floats2half2_rn(float low, float high)
{
    return __half2(__half(low), __half(high));
}
SCANLAB_H __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
SCANLAB_H float2 __half22float2(__half2 v) { return make_float2(v.x, v.y); }
SCANLAB_H __half2 __half2half2(__half v) { return __half2(v, v); }
SCANLAB_H __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
SCANLAB_H __half __low2half(__half2 v) { return v.x; }
SCANLAB_H __half __high2half(__half2 v) { return v.y; }
SCANLAB_H __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
SCANLAB_H __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
SCANLAB_H __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
SCANLAB_H __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
SCANLAB_H __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
SCANLAB_H unsigned short __half_as_ushort(__half v) { return v.__x; }
SCANLAB_H short __half_as_short(__half v) { return (short)v.__x; }
SCANLAB_H __half __ushort_as_half(unsigned short v) { return scanlab_half_bits(__half(), v); }
SCANLAB_H __half __short_as_half(short v) { return scanlab_half_bits(__half(), (unsigned short)v); }
#define SCANLAB_NUMBER(name, type)                                                                 \
    SCANLAB_H type __half2##name##_rz(__half v) { return (type)(float)v; }                         \
    SCANLAB_H __half __##name##2half_rn(type v) { return __half(v); }
SCANLAB_NUMBER(int, int)
SCANLAB_NUMBER(uint, unsigned)
SCANLAB_NUMBER(short, short)
SCANLAB_NUMBER(ushort, unsigned short)
SCANLAB_NUMBER(ll, long long)
SCANLAB_NUMBER(ull, unsigned long long)
#undef SCANLAB_NUMBER
SCANLAB_H int __half2int_rn(__half v) { return (int)__builtin_rintf(v); }
SCANLAB_H int __half2int_rd(__half v) { return (int)__builtin_floorf(v); }
SCANLAB_H int __half2int_ru(__half v) { return (int)__builtin_ceilf(v); }
SCANLAB_H unsigned __half2uint_rn(__half v) { return (unsigned)__builtin_rintf(v); }
SCANLAB_H unsigned __half2uint_rd(__half v) { return (unsigned)__builtin_floorf(v); }
SCANLAB_H unsigned __half2uint_ru(__half v) { return (unsigned)__builtin_ceilf(v); }
SCANLAB_H __half2 make_half2(__half low, __half high) { return __half2(low, high); }
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

/* .sat, which bf16 has not: the result is between 0 and 1 */
#define SCANLAB_HALF_SAT(one, two, op)                                                             \
    SCANLAB_H __half one(const __half a, const __half b)                                           \
    {                                                                                              \
        __half r = op(a, b);                                                                       \
        return __hgt(r, __half(0.0f)) ? __hlt(r, __half(1.0f)) ? r : __half(1.0f) : __half(0.0f);  \
    }                                                                                              \
    SCANLAB_H __half2 two(const __half2 a, const __half2 b)                                        \
    {                                                                                              \
        return __half2(one(a.x, b.x), one(a.y, b.y));                                              \
    }
SCANLAB_HALF_SAT(__hadd_sat, __hadd2_sat, __hadd)
SCANLAB_HALF_SAT(__hsub_sat, __hsub2_sat, __hsub)
SCANLAB_HALF_SAT(__hmul_sat, __hmul2_sat, __hmul)
#undef SCANLAB_HALF_SAT

#define CUDART_INF_FP16        __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16        __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16       __ushort_as_half(0x0000)
#define CUDART_ONE_FP16        __ushort_as_half(0x3c00)

#undef SCANLAB_HALF
#undef SCANLAB_HALF2
#undef SCANLAB_HALF_PTX
#undef SCANLAB_PAIR_PTX
#undef SCANLAB_HALF_FRACTION
#undef SCANLAB_HALF_LEAST
#undef SCANLAB_ROUNDED
#undef SCANLAB_EITHER
#undef SCANLAB_H

#endif
