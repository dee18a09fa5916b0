/*
 * cuda_bf16.h: bfloat16, the upper half of a float, and its pairs. Arithmetic and the rest:
 * half_numbers.h.
 */
#ifndef SCANLAB_CUDA_BF16_H
#define SCANLAB_CUDA_BF16_H

#ifndef __cplusplus
#error "cuda_bf16.h is for C++ and CUDA"
#endif

#include "cuda_runtime.h"

#define SCANLAB_HALF          __nv_bfloat16
#define SCANLAB_HALF2         __nv_bfloat162
#define SCANLAB_HALF_PTX      "bf16"
#define SCANLAB_PAIR_PTX      "bf16x2"
#define SCANLAB_HALF_FRACTION 7
#define SCANLAB_HALF_LEAST    (-126)
#include "half_numbers.h"

/* ---- conversions ----------------------------------------------------------------------------- */

SCANLAB_H __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
SCANLAB_H __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
SCANLAB_H __nv_bfloat16 __float2bfloat16_rz(float v)
{
    __nv_bfloat16 r;
    SCANLAB_EITHER(asm("cvt.rz." SCANLAB_HALF_PTX ".f32 %0, %1;"
                       : "=h"(r.__x)
                       : "f"(v)),
                   r.__x = SCANLAB_ROUNDED(v, 'z'));
    return r;
}
SCANLAB_H __nv_bfloat16 __float2bfloat16_rd(float v)
{
    __nv_bfloat16 r;
    r.__x = SCANLAB_ROUNDED(v, 'd');
    return r;
}
SCANLAB_H __nv_bfloat16 __float2bfloat16_ru(float v)
{
    __nv_bfloat16 r;
    r.__x = SCANLAB_ROUNDED(v, 'u');
    return r;
}
SCANLAB_H __nv_bfloat16 __double2bfloat16(double v) { return __nv_bfloat16(v); }
SCANLAB_H float __bfloat162float(__nv_bfloat16 v) { return v; }
SCANLAB_H __nv_bfloat162 __float2bfloat162_rn(float v)
{
    return __nv_bfloat162(__nv_bfloat16(v), __nv_bfloat16(v));
}
SCANLAB_H __nv_bfloat162 __floats2bfloat162_rn(float low, float high)
{
    return __nv_bfloat162(__nv_bfloat16(low), __nv_bfloat16(high));
}
SCANLAB_H __nv_bfloat162 __float22bfloat162_rn(float2 v)
{
    return __nv_bfloat162(__nv_bfloat16(v.x), __nv_bfloat16(v.y));
}
SCANLAB_H float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2(v.x, v.y); }
SCANLAB_H __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) { return __nv_bfloat162(v, v); }
SCANLAB_H __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high)
{
    return __nv_bfloat162(low, high);
}
SCANLAB_H __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
SCANLAB_H __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
SCANLAB_H __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.x, v.x); }
SCANLAB_H __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.y); }
SCANLAB_H __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.x); }
SCANLAB_H __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.x, b.x);
}
SCANLAB_H __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
    return __nv_bfloat162(a.y, b.y);
}
SCANLAB_H unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.__x; }
SCANLAB_H short __bfloat16_as_short(__nv_bfloat16 v) { return (short)v.__x; }
SCANLAB_H __nv_bfloat16 __ushort_as_bfloat16(unsigned short v)
{
    return scanlab_half_bits(__nv_bfloat16(), v);
}
SCANLAB_H __nv_bfloat16 __short_as_bfloat16(short v)
{
    return scanlab_half_bits(__nv_bfloat16(), (unsigned short)v);
}
#define SCANLAB_NUMBER(name, type)                                                                 \
    SCANLAB_H type __bfloat162##name##_rz(__nv_bfloat16 v) { return (type)(float)v; }              \
    SCANLAB_H __nv_bfloat16 __##name##2bfloat16_rn(type v) { return __nv_bfloat16(v); }
SCANLAB_NUMBER(int, int)
SCANLAB_NUMBER(uint, unsigned)
SCANLAB_NUMBER(short, short)
SCANLAB_NUMBER(ushort, unsigned short)
SCANLAB_NUMBER(ll, long long)
SCANLAB_NUMBER(ull, unsigned long long)
#undef SCANLAB_NUMBER
SCANLAB_H int __bfloat162int_rn(__nv_bfloat16 v) { return (int)__builtin_rintf(v); }
SCANLAB_H int __bfloat162int_rd(__nv_bfloat16 v) { return (int)__builtin_floorf(v); }
SCANLAB_H int __bfloat162int_ru(__nv_bfloat16 v) { return (int)__builtin_ceilf(v); }
SCANLAB_H unsigned __bfloat162uint_rn(__nv_bfloat16 v) { return (unsigned)__builtin_rintf(v); }
SCANLAB_H unsigned __bfloat162uint_rd(__nv_bfloat16 v) { return (unsigned)__builtin_floorf(v); }
SCANLAB_H unsigned __bfloat162uint_ru(__nv_bfloat16 v) { return (unsigned)__builtin_ceilf(v); }
SCANLAB_H __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high)
{
    return __nv_bfloat162(low, high);
}
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16        __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16        __ushort_as_bfloat16(0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_ZERO_BF16       __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16        __ushort_as_bfloat16(0x3f80)

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
