/*
 * vector_types.h: CUDA's short vectors (int2, float4, ...) and dim3, for C and for CUDA C++.
 *
 * Layout as the CUDA C++ Programming Guide gives it, table "Alignment Requirements of Built-in
 * Vector Types": a 2-vector is aligned to its size, a 4-vector to its size but to 16 bytes at most,
 * a 1- or 3-vector to its element.
 */
#ifndef SCANLAB_VECTOR_TYPES_H
#define SCANLAB_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__

#include "host_defines.h"
#define SCANLAB_MAKE(type, name)                                                                   \
    static inline SCANLAB_BOTH name##1 make_##name##1(type x)                                      \
    {                                                                                              \
        name##1 v;                                                                                 \
        v.x = x;                                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    static inline SCANLAB_BOTH name##2 make_##name##2(type x, type y)                              \
    {                                                                                              \
        name##2 v;                                                                                 \
        v.x = x;                                                                                   \
        v.y = y;                                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    static inline SCANLAB_BOTH name##3 make_##name##3(type x, type y, type z)                      \
    {                                                                                              \
        name##3 v;                                                                                 \
        v.x = x;                                                                                   \
        v.y = y;                                                                                   \
        v.z = z;                                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    static inline SCANLAB_BOTH name##4 make_##name##4(type x, type y, type z, type w)              \
    {                                                                                              \
        name##4 v;                                                                                 \
        v.x = x;                                                                                   \
        v.y = y;                                                                                   \
        v.z = z;                                                                                   \
        v.w = w;                                                                                   \
        return v;                                                                                  \
    }

#define SCANLAB_VECTOR(type, name, align2, align4)                                                 \
    typedef struct name##1 { type x; }                                                             \
    name##1;                                                                                       \
    typedef struct __attribute__((aligned(align2))) name##2 { type x, y; }                         \
    name##2;                                                                                       \
    typedef struct name##3 { type x, y, z; }                                                       \
    name##3;                                                                                       \
    typedef struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; }                   \
    name##4;                                                                                       \
    SCANLAB_MAKE(type, name)

SCANLAB_VECTOR(signed char, char, 2, 4)
SCANLAB_VECTOR(unsigned char, uchar, 2, 4)
SCANLAB_VECTOR(short, short, 4, 8)
SCANLAB_VECTOR(unsigned short, ushort, 4, 8)
SCANLAB_VECTOR(int, int, 8, 16)
SCANLAB_VECTOR(unsigned int, uint, 8, 16)
SCANLAB_VECTOR(long, long, 16, 16)
SCANLAB_VECTOR(unsigned long, ulong, 16, 16)
SCANLAB_VECTOR(long long, longlong, 16, 16)
SCANLAB_VECTOR(unsigned long long, ulonglong, 16, 16)
SCANLAB_VECTOR(float, float, 8, 16)
SCANLAB_VECTOR(double, double, 16, 16)

#undef SCANLAB_VECTOR
#undef SCANLAB_MAKE

/* Same bytes and same passing by value in C and C++: the runtime is C, its callers are C++. */
typedef struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    SCANLAB_BOTH constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    SCANLAB_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    SCANLAB_BOTH constexpr operator uint3() const { return uint3{ x, y, z }; }
#endif
} dim3;

#endif
