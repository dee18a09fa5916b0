/*
 * device_math_names.h: the C++ names of <cmath> for float in device code: exp(x) is expf(x). Read
 * before <cmath>.
 *
 * The C++ library's own overloads are constexpr, which clang takes for host and device; they would
 * end in a call to a C function that no GPU has. A device function that is declared before them
 * keeps them on the host.
 */
#ifndef SCANLAB_DEVICE_MATH_NAMES_H
#define SCANLAB_DEVICE_MATH_NAMES_H

#include "host_defines.h"

// clang-format off
#define SCANLAB_NAMES_1(X)                                                                         \
    X(fabs) X(floor) X(ceil) X(trunc) X(rint) X(round) X(nearbyint) X(sqrt) X(cbrt)                \
    X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(logb)                               \
    X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh)                           \
    X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(lgamma) X(tgamma)
#define SCANLAB_NAMES_2(X)                                                                         \
    X(fmin) X(fmax) X(copysign) X(pow) X(atan2) X(fmod) X(fdim) X(hypot) X(nextafter) X(remainder)
// clang-format on

/* An integer is taken for a double, as by <cmath>, whose own templates would end in C functions as
   well. */
#define SCANLAB_OF_INTEGER(name, type)                                                             \
    static inline SCANLAB_DEVICE double name(type x) { return name((double)x); }
#define SCANLAB_DECLARE_1(name)                                                                    \
    static inline SCANLAB_DEVICE float name##f(float x);                                           \
    static inline SCANLAB_DEVICE double name(double x);                                            \
    static inline SCANLAB_DEVICE float name(float x) { return name##f(x); }                        \
    SCANLAB_OF_INTEGER(name, int)                                                                  \
    SCANLAB_OF_INTEGER(name, unsigned)                                                             \
    SCANLAB_OF_INTEGER(name, long)                                                                 \
    SCANLAB_OF_INTEGER(name, unsigned long)                                                        \
    SCANLAB_OF_INTEGER(name, long long) SCANLAB_OF_INTEGER(name, unsigned long long)
#define SCANLAB_DECLARE_2(name)                                                                    \
    static inline SCANLAB_DEVICE float name##f(float x, float y);                                  \
    static inline SCANLAB_DEVICE double name(double x, double y);                                  \
    static inline SCANLAB_DEVICE float name(float x, float y) { return name##f(x, y); }
SCANLAB_NAMES_1(SCANLAB_DECLARE_1)
SCANLAB_NAMES_2(SCANLAB_DECLARE_2)
#define SCANLAB_NAMES_L(X) X(lrint, long) X(lround, long) X(llrint, long long) X(llround, long long)
#define SCANLAB_DECLARE_L(name, type)                                                              \
    static inline SCANLAB_DEVICE type name##f(float x);                                            \
    static inline SCANLAB_DEVICE type name(double x);                                              \
    static inline SCANLAB_DEVICE type name(float x) { return name##f(x); }
SCANLAB_NAMES_L(SCANLAB_DECLARE_L)
static inline SCANLAB_DEVICE float fmaf(float x, float y, float z);
static inline SCANLAB_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
static inline SCANLAB_DEVICE double ldexp(double x, int k);
static inline SCANLAB_DEVICE float ldexpf(float x, int k);
static inline SCANLAB_DEVICE float ldexp(float x, int k) { return ldexpf(x, k); }
static inline SCANLAB_DEVICE double scalbn(double x, int k);
static inline SCANLAB_DEVICE float scalbnf(float x, int k);
static inline SCANLAB_DEVICE float scalbn(float x, int k) { return scalbnf(x, k); }
static inline SCANLAB_DEVICE double frexp(double x, int *e);
static inline SCANLAB_DEVICE float frexpf(float x, int *e);
static inline SCANLAB_DEVICE float frexp(float x, int *e) { return frexpf(x, e); }
static inline SCANLAB_DEVICE double modf(double x, double *whole);
static inline SCANLAB_DEVICE float modff(float x, float *whole);
static inline SCANLAB_DEVICE float modf(float x, float *whole) { return modff(x, whole); }
static inline SCANLAB_DEVICE double scalbln(double x, long k);
static inline SCANLAB_DEVICE float scalblnf(float x, long k);
static inline SCANLAB_DEVICE float scalbln(float x, long k) { return scalblnf(x, k); }
static inline SCANLAB_DEVICE double remquo(double x, double y, int *quotient);
static inline SCANLAB_DEVICE float remquof(float x, float y, int *quotient);
static inline SCANLAB_DEVICE float remquo(float x, float y, int *quotient)
{
    return remquof(x, y, quotient);
}
static inline SCANLAB_DEVICE double nan(const char *);
static inline SCANLAB_DEVICE float nanf(const char *);
static inline SCANLAB_DEVICE int ilogb(double x);
static inline SCANLAB_DEVICE int ilogbf(float x);
static inline SCANLAB_DEVICE int ilogb(float x) { return ilogbf(x); }

namespace std
{
#define SCANLAB_USING(name) using ::name;
SCANLAB_NAMES_1(SCANLAB_USING)
SCANLAB_NAMES_2(SCANLAB_USING)
using ::fma;
using ::frexp;
using ::ilogb;
using ::ldexp;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::nan;
using ::nanf;
using ::remquo;
using ::scalbln;
using ::scalbn;
}    // namespace std

#undef SCANLAB_NAMES_1
#undef SCANLAB_NAMES_2
#undef SCANLAB_DECLARE_1
#undef SCANLAB_DECLARE_2
#undef SCANLAB_NAMES_L
#undef SCANLAB_DECLARE_L
#undef SCANLAB_USING
#undef SCANLAB_OF_INTEGER

#endif
