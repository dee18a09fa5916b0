/* cuComplex.h: CUDA's complex numbers for host and device: float2 and double2, and their
   arithmetic. */
#ifndef SCANLAB_CUCOMPLEX_H
#define SCANLAB_CUCOMPLEX_H
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_types.h"

#if defined(__cplusplus) && defined(__CUDA__)
#define SCANLAB_COMPLEX static inline SCANLAB_BOTH
#else
#define SCANLAB_COMPLEX static inline __attribute__((unused))
#endif

/* CUDA's own way of dividing: by the larger part, so that nothing overflows on the way. */
#define SCANLAB_COMPLEX_OF(kind, type, vector, f, absolute, root)                                  \
    typedef vector kind;                                                                           \
    SCANLAB_COMPLEX type cuCreal##f(kind x) { return x.x; }                                        \
    SCANLAB_COMPLEX type cuCimag##f(kind x) { return x.y; }                                        \
    SCANLAB_COMPLEX kind make_##kind(type r, type i) { return make_##vector(r, i); }               \
    SCANLAB_COMPLEX kind cuConj##f(kind x) { return make_##vector(x.x, -x.y); }                    \
    SCANLAB_COMPLEX kind cuCadd##f(kind x, kind y) { return make_##vector(x.x + y.x, x.y + y.y); } \
    SCANLAB_COMPLEX kind cuCsub##f(kind x, kind y) { return make_##vector(x.x - y.x, x.y - y.y); } \
    SCANLAB_COMPLEX kind cuCmul##f(kind x, kind y)                                                 \
    {                                                                                              \
        return make_##vector(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                        \
    }                                                                                              \
    SCANLAB_COMPLEX kind cuCdiv##f(kind x, kind y)                                                 \
    {                                                                                              \
        const type s = 1 / (absolute(y.x) + absolute(y.y));                                        \
        const type a = x.x * s, b = x.y * s, c = y.x * s, d = y.y * s;                             \
        const type q = 1 / (c * c + d * d);                                                        \
        return make_##vector((a * c + b * d) * q, (b * c - a * d) * q);                            \
    }                                                                                              \
    SCANLAB_COMPLEX kind cuCfma##f(kind x, kind y, kind d)                                         \
    {                                                                                              \
        return cuCadd##f(cuCmul##f(x, y), d);                                                      \
    }                                                                                              \
    SCANLAB_COMPLEX type cuCabs##f(kind x)                                                         \
    {                                                                                              \
        const type a = absolute(x.x), b = absolute(x.y), most = a > b ? a : b;                     \
        const type least = a > b ? b : a, t = most == 0 ? 0 : least / most;                        \
        return most == 0 ? a + b : most * root(1 + t * t);                                         \
    }
SCANLAB_COMPLEX_OF(cuFloatComplex, float, float2, f, fabsf, sqrtf)
SCANLAB_COMPLEX_OF(cuDoubleComplex, double, double2, , fabs, sqrt)
#undef SCANLAB_COMPLEX_OF

typedef cuFloatComplex cuComplex;
SCANLAB_COMPLEX cuComplex make_cuComplex(float r, float i) { return make_float2(r, i); }
SCANLAB_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c)
{
    return make_double2((double)c.x, (double)c.y);
}
SCANLAB_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{
    return make_float2((float)c.x, (float)c.y);
}
#undef SCANLAB_COMPLEX

#endif
