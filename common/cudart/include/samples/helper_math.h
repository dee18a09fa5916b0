/*
 * helper_math.h: arithmetic of int2 .. uint4 and float2 .. float4, element by element, as NVIDIA's
 * samples have it; written anew for this kit.
 */
#ifndef HELPER_MATH_H
#define HELPER_MATH_H

#include <math.h>

#include <cuda_runtime.h>

typedef unsigned int uint;
typedef unsigned short ushort;

#define SCANLAB_MATH inline __host__ __device__

#if !defined(__CUDACC__)
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
#endif

#define SCANLAB_OP(type, one, op)                                                                  \
    SCANLAB_MATH type##2 operator op(type##2 a, type##2 b)                                         \
    {                                                                                              \
        return make_##type##2(a.x op b.x, a.y op b.y);                                             \
    }                                                                                              \
    SCANLAB_MATH type##3 operator op(type##3 a, type##3 b)                                         \
    {                                                                                              \
        return make_##type##3(a.x op b.x, a.y op b.y, a.z op b.z);                                 \
    }                                                                                              \
    SCANLAB_MATH type##4 operator op(type##4 a, type##4 b)                                         \
    {                                                                                              \
        return make_##type##4(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w);                     \
    }                                                                                              \
    SCANLAB_MATH type##2 operator op(type##2 a, one b)                                             \
    {                                                                                              \
        return make_##type##2(a.x op b, a.y op b);                                                 \
    }                                                                                              \
    SCANLAB_MATH type##3 operator op(type##3 a, one b)                                             \
    {                                                                                              \
        return make_##type##3(a.x op b, a.y op b, a.z op b);                                       \
    }                                                                                              \
    SCANLAB_MATH type##4 operator op(type##4 a, one b)                                             \
    {                                                                                              \
        return make_##type##4(a.x op b, a.y op b, a.z op b, a.w op b);                             \
    }                                                                                              \
    SCANLAB_MATH type##2 operator op(one a, type##2 b)                                             \
    {                                                                                              \
        return make_##type##2(a op b.x, a op b.y);                                                 \
    }                                                                                              \
    SCANLAB_MATH type##3 operator op(one a, type##3 b)                                             \
    {                                                                                              \
        return make_##type##3(a op b.x, a op b.y, a op b.z);                                       \
    }                                                                                              \
    SCANLAB_MATH type##4 operator op(one a, type##4 b)                                             \
    {                                                                                              \
        return make_##type##4(a op b.x, a op b.y, a op b.z, a op b.w);                             \
    }                                                                                              \
    SCANLAB_ASSIGN(type##2, one, op)                                                               \
    SCANLAB_ASSIGN(type##3, one, op)                                                               \
    SCANLAB_ASSIGN(type##4, one, op)
#define SCANLAB_ASSIGN(vector, one, op)                                                            \
    SCANLAB_MATH void operator op##=(vector &a, vector b) { a = a op b; }                          \
    SCANLAB_MATH void operator op##=(vector &a, one b) { a = a op b; }

#define SCANLAB_VECTORS(type, one)                                                                 \
    SCANLAB_OP(type, one, +)                                                                       \
    SCANLAB_OP(type, one, -)                                                                       \
    SCANLAB_OP(type, one, *)                                                                       \
    SCANLAB_MATH type##2 make_##type##2(one s) { return make_##type##2(s, s); }                    \
    SCANLAB_MATH type##2 make_##type##2(type##3 a) { return make_##type##2(a.x, a.y); }            \
    SCANLAB_MATH type##3 make_##type##3(one s) { return make_##type##3(s, s, s); }                 \
    SCANLAB_MATH type##3 make_##type##3(type##2 a) { return make_##type##3(a.x, a.y, 0); }         \
    SCANLAB_MATH type##3 make_##type##3(type##2 a, one z) { return make_##type##3(a.x, a.y, z); }  \
    SCANLAB_MATH type##3 make_##type##3(type##4 a) { return make_##type##3(a.x, a.y, a.z); }       \
    SCANLAB_MATH type##4 make_##type##4(one s) { return make_##type##4(s, s, s, s); }              \
    SCANLAB_MATH type##4 make_##type##4(type##3 a) { return make_##type##4(a.x, a.y, a.z, 0); }    \
    SCANLAB_MATH type##4 make_##type##4(type##3 a, one w)                                          \
    {                                                                                              \
        return make_##type##4(a.x, a.y, a.z, w);                                                   \
    }                                                                                              \
    SCANLAB_MATH one dot(type##2 a, type##2 b) { return a.x * b.x + a.y * b.y; }                   \
    SCANLAB_MATH one dot(type##3 a, type##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }       \
    SCANLAB_MATH one dot(type##4 a, type##4 b)                                                     \
    {                                                                                              \
        return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;                                      \
    }
SCANLAB_VECTORS(float, float)
SCANLAB_VECTORS(int, int)
SCANLAB_VECTORS(uint, uint)
SCANLAB_OP(float, float, /)

#define SCANLAB_NEGATE(type)                                                                       \
    SCANLAB_MATH type##2 operator-(type##2 a) { return make_##type##2(-a.x, -a.y); }               \
    SCANLAB_MATH type##3 operator-(type##3 a) { return make_##type##3(-a.x, -a.y, -a.z); }         \
    SCANLAB_MATH type##4 operator-(type##4 a) { return make_##type##4(-a.x, -a.y, -a.z, -a.w); }
SCANLAB_NEGATE(float)
SCANLAB_NEGATE(int)

/* of one float, two, three, four */
SCANLAB_MATH float lerp(float a, float b, float t) { return a + t * (b - a); }
SCANLAB_MATH float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
SCANLAB_MATH int clamp(int f, int a, int b) { return f < a ? a : f > b ? b : f; }
SCANLAB_MATH uint clamp(uint f, uint a, uint b) { return f < a ? a : f > b ? b : f; }
SCANLAB_MATH float fracf(float v) { return v - floorf(v); }
SCANLAB_MATH float smoothstep(float a, float b, float x)
{
    const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}

#define SCANLAB_CALL_1(name)                                                                       \
    SCANLAB_MATH float2 name(float2 v) { return make_float2(name(v.x), name(v.y)); }               \
    SCANLAB_MATH float3 name(float3 v) { return make_float3(name(v.x), name(v.y), name(v.z)); }    \
    SCANLAB_MATH float4 name(float4 v)                                                             \
    {                                                                                              \
        return make_float4(name(v.x), name(v.y), name(v.z), name(v.w));                            \
    }
SCANLAB_CALL_1(floorf)
SCANLAB_CALL_1(fracf)
SCANLAB_CALL_1(fabsf)

#define SCANLAB_CALL_2(name)                                                                       \
    SCANLAB_MATH float2 name(float2 a, float2 b)                                                   \
    {                                                                                              \
        return make_float2(name(a.x, b.x), name(a.y, b.y));                                        \
    }                                                                                              \
    SCANLAB_MATH float3 name(float3 a, float3 b)                                                   \
    {                                                                                              \
        return make_float3(name(a.x, b.x), name(a.y, b.y), name(a.z, b.z));                        \
    }                                                                                              \
    SCANLAB_MATH float4 name(float4 a, float4 b)                                                   \
    {                                                                                              \
        return make_float4(name(a.x, b.x), name(a.y, b.y), name(a.z, b.z), name(a.w, b.w));        \
    }
SCANLAB_CALL_2(fminf)
SCANLAB_CALL_2(fmaxf)

#define SCANLAB_LENGTHS(vector)                                                                    \
    SCANLAB_MATH vector fabs(vector v) { return fabsf(v); }                                        \
    SCANLAB_MATH vector lerp(vector a, vector b, float t) { return a + t * (b - a); }              \
    SCANLAB_MATH vector clamp(vector v, vector a, vector b) { return fmaxf(a, fminf(v, b)); }      \
    SCANLAB_MATH vector clamp(vector v, float a, float b)                                          \
    {                                                                                              \
        return clamp(v, make_##vector(a), make_##vector(b));                                       \
    }                                                                                              \
    SCANLAB_MATH float length(vector v) { return sqrtf(dot(v, v)); }                               \
    SCANLAB_MATH vector normalize(vector v) { return v * rsqrtf(dot(v, v)); }
SCANLAB_LENGTHS(float2)
SCANLAB_LENGTHS(float3)
SCANLAB_LENGTHS(float4)

SCANLAB_MATH float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
SCANLAB_MATH float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#define SCANLAB_FROM(to, from, one)                                                                \
    SCANLAB_MATH to##2 make_##to##2(from##2 a) { return make_##to##2((one)a.x, (one)a.y); }        \
    SCANLAB_MATH to##3 make_##to##3(from##3 a)                                                     \
    {                                                                                              \
        return make_##to##3((one)a.x, (one)a.y, (one)a.z);                                         \
    }                                                                                              \
    SCANLAB_MATH to##4 make_##to##4(from##4 a)                                                     \
    {                                                                                              \
        return make_##to##4((one)a.x, (one)a.y, (one)a.z, (one)a.w);                               \
    }
SCANLAB_FROM(float, int, float)
SCANLAB_FROM(float, uint, float)
SCANLAB_FROM(int, float, int)
SCANLAB_FROM(int, uint, int)
SCANLAB_FROM(uint, int, uint)

#undef SCANLAB_MATH
#undef SCANLAB_OP
#undef SCANLAB_ASSIGN
#undef SCANLAB_VECTORS
#undef SCANLAB_NEGATE
#undef SCANLAB_CALL_1
#undef SCANLAB_CALL_2
#undef SCANLAB_LENGTHS
#undef SCANLAB_FROM

#endif
