/*
 * device_math_names.h: the C++ names of <cmath> for float in device code: exp(x) is expf(x). Read before <cmath>.
 *
 * The C++ library's own overloads are constexpr, which clang takes for host and device; they would end in a call to a C function that
 * no GPU has. A device function that is declared before them keeps them on the host. A name without a device version is deleted, so
 * that its use is an error at the student's line.
 */
#ifndef SCANLAB_DEVICE_MATH_NAMES_H
#define SCANLAB_DEVICE_MATH_NAMES_H

#include "host_defines.h"

#define SCANLAB_NAMES_1(X)                                                                                             \
    X(fabs) X(floor) X(ceil) X(trunc) X(rint) X(round) X(sqrt) X(exp) X(exp2) X(log) X(log2) X(log10) X(sin) X(cos)
#define SCANLAB_NAMES_2(X) X(fmin) X(fmax) X(copysign) X(pow)

#define SCANLAB_DECLARE_1(name)                                                                                        \
    static inline SCANLAB_DEVICE float name##f(float x);                                                               \
    static inline SCANLAB_DEVICE float name(float x) { return name##f(x); }
#define SCANLAB_DECLARE_2(name)                                                                                        \
    static inline SCANLAB_DEVICE float name##f(float x, float y);                                                      \
    static inline SCANLAB_DEVICE float name(float x, float y) { return name##f(x, y); }
SCANLAB_NAMES_1(SCANLAB_DECLARE_1)
SCANLAB_NAMES_2(SCANLAB_DECLARE_2)
static inline SCANLAB_DEVICE float fmaf(float x, float y, float z);
static inline SCANLAB_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }

#define SCANLAB_MISSING_1(X)                                                                                           \
    X(acos) X(asin) X(atan) X(tan) X(sinh) X(cosh) X(tanh) X(acosh) X(asinh) X(atanh) X(cbrt) X(erf) X(erfc) X(expm1)  \
    X(log1p) X(logb) X(lgamma) X(tgamma) X(nearbyint)
#define SCANLAB_MISSING_2(X) X(atan2) X(fmod) X(fdim) X(hypot) X(nextafter) X(remainder)
#define SCANLAB_DELETE_1(name) __device__ float name(float) = delete; __device__ double name(double) = delete;
/* float only: host code reaches the double one through a constexpr template, in which a deleted function would be an error. */
#define SCANLAB_DELETE_2(name) __device__ float name(float, float) = delete;
SCANLAB_MISSING_1(SCANLAB_DELETE_1)
SCANLAB_MISSING_2(SCANLAB_DELETE_2)
__device__ double exp(double) = delete;
__device__ double log(double) = delete;
__device__ double sin(double) = delete;
__device__ double cos(double) = delete;

namespace std {
#define SCANLAB_USING(name) using ::name;
SCANLAB_NAMES_1(SCANLAB_USING)
SCANLAB_NAMES_2(SCANLAB_USING)
SCANLAB_MISSING_1(SCANLAB_USING)
SCANLAB_MISSING_2(SCANLAB_USING)
using ::fma;
}

#undef SCANLAB_NAMES_1
#undef SCANLAB_NAMES_2
#undef SCANLAB_DECLARE_1
#undef SCANLAB_DECLARE_2
#undef SCANLAB_MISSING_1
#undef SCANLAB_MISSING_2
#undef SCANLAB_DELETE_1
#undef SCANLAB_DELETE_2
#undef SCANLAB_USING

#endif
