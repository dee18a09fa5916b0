/*
 * device_libm.h: the transcendental functions of the C library for kernels, in double precision;
 * the float ones are theirs, rounded.
 *
 * Everything is arithmetic of the GPU's own instructions, written out here: argument reduction,
 * then a power series or a fit. Errors against the exact value, the most seen over the arguments of
 * common/simt/command/test/programs/math.cu and 16384 random ones each, in units of the last place:
 * below 1.5 for exp, exp2, log, log2, log10, log1p, sin, cos, pow, atan, atan2, cbrt, hypot, erf;
 * below 3 for the others; 9 for tgamma; of lgamma below 1e-15 of 1 plus the result. Over the
 * arguments of math_more.cu: below 1.5 for the norms, 2.5 for their inverses, 4 for erfinv and
 * erfcinv, 5 for normcdfinv. The float functions are within 1. CUDA also has, and this has not:
 * Bessel functions. Sources: Cody and Waite for reductions; Payne and Hanek for large angles;
 * Schonfelder's variable (x - 2)/(x + 2) for erfc; Winitzki and Halley for its inverse; Lanczos for
 * gamma.
 */
#ifndef SCANLAB_DEVICE_LIBM_H
#define SCANLAB_DEVICE_LIBM_H

#include "host_defines.h"

#define SCANLAB_M static inline SCANLAB_DEVICE

/* ---- parts ----------------------------------------------------------------------------------- */

/* A sum that is not rounded. */
typedef struct scanlab_two {
    double high, low;
} scanlab_two;

SCANLAB_M double scanlab_m_of(unsigned long long bits) { return __builtin_bit_cast(double, bits); }
SCANLAB_M unsigned long long scanlab_m_bits(double x)
{
    return __builtin_bit_cast(unsigned long long, x);
}
SCANLAB_M double scanlab_m_inf() { return scanlab_m_of(0x7ff0000000000000ull); }
SCANLAB_M double scanlab_m_nan() { return scanlab_m_of(0x7ff8000000000000ull); }
SCANLAB_M double scanlab_m_with_sign(double x, double sign)
{
    return scanlab_m_of((scanlab_m_bits(x) & ~(1ull << 63)) | (scanlab_m_bits(sign) & 1ull << 63));
}
/* mul.rn, since the compiler fuses a plain product with the sum that it goes into, and then the
   error term is wrong. */
SCANLAB_M scanlab_two scanlab_m_times(double a, double b)
{
    scanlab_two r = { __dmul_rn(a, b), 0 };
    r.low = __builtin_fma(a, b, -r.high);
    return r;
}
SCANLAB_M scanlab_two scanlab_m_sum(double large, double small)
{
    scanlab_two r = { large + small, 0 };
    r.low = large - r.high + small;
    return r;
}
template <int N> SCANLAB_M double scanlab_m_series(const double (&c)[N], double x)
{
    double r = c[N - 1];
#pragma unroll
    for (int k = N - 2; k >= 0; k--)
        r = __builtin_fma(r, x, c[k]);
    return r;
}

/* x * 2^k, for any k, rounded once where the result is subnormal. */
SCANLAB_M double scanlab_m_scale(double x, int k)
{
    if (k > 1000) {
        x *= 0x1p1000;
        k = k - 1000 < 1000 ? k - 1000 : 1000;
    } else if (k < -1000) {
        k = k + 1000 > -1000 ? k + 1000 : -1000;
        return x * scanlab_m_of((unsigned long long)(1023 + k + 500) << 52) * 0x1p-500 * 0x1p-1000 *
               1.0;
    }
    return x * scanlab_m_of((unsigned long long)(1023 + k) << 52);
}

/* ---- exponentials ---------------------------------------------------------------------------- */

/* e^(high + low), low much smaller. */
SCANLAB_M double scanlab_m_exp(double high, double low)
{
    const double c[] = { 1,
                         1,
                         1. / 2,
                         1. / 6,
                         1. / 24,
                         1. / 120,
                         1. / 720,
                         1. / 5040,
                         1. / 40320,
                         1. / 362880,
                         1. / 3628800,
                         1. / 39916800,
                         1. / 479001600,
                         1. / 6227020800 };
    if (high != high)
        return high;
    if (high > 709.8)
        return scanlab_m_inf();
    if (high < -745.2)
        return 0;
    double k = __builtin_rint(high * 0x1.71547652b82fep+0);
    double r = __builtin_fma(-k, 0x1.62e42feep-1, high); /* k times this is exact */
    low = __builtin_fma(-k, 0x1.a39ef35793c76p-33, low);
    r += low;
    return scanlab_m_scale(scanlab_m_series(c, r), (int)k);
}
SCANLAB_M double exp(double x) { return scanlab_m_exp(x, 0); }
SCANLAB_M double scanlab_m_exp_of_product(double x, double high, double low)
{
    if (!(__builtin_fabs(x) < 2000))
        return scanlab_m_exp(x, 0);
    scanlab_two p = scanlab_m_times(x, high);
    return scanlab_m_exp(p.high, __builtin_fma(x, low, p.low));
}
SCANLAB_M double exp2(double x)
{
    if (!(__builtin_fabs(x) < 1100))
        return scanlab_m_exp(x, 0);
    double k = __builtin_rint(x);
    return scanlab_m_scale(
        scanlab_m_exp_of_product(x - k, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56), (int)k);
}
SCANLAB_M double exp10(double x)
{
    return scanlab_m_exp_of_product(x, 0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53);
}
SCANLAB_M double expm1(double x)
{
    const double c[] = {
        1. / 2,         1. / 6,          1. / 24,          1. / 120,          1. / 720,
        1. / 5040,      1. / 40320,      1. / 362880,      1. / 3628800,      1. / 39916800,
        1. / 479001600, 1. / 6227020800, 1. / 87178291200, 1. / 1307674368000
    };
    if (__builtin_fabs(x) < 0.4)
        return __builtin_fma(x * x, scanlab_m_series(c, x), x);
    return exp(x) - 1;
}

/* ---- logarithms ------------------------------------------------------------------------------ */

/* The logarithm of a positive number, finite and not zero, to about 2^-65 of itself. */
SCANLAB_M scanlab_two scanlab_m_log(double x)
{
    const double c[] = { 1. / 5,  1. / 7,  1. / 9,  1. / 11, 1. / 13, 1. / 15,
                         1. / 17, 1. / 19, 1. / 21, 1. / 23, 1. / 25 };
    int e = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        e = -54;
    }
    /* sqrt(1/2) */
    unsigned long long bits = scanlab_m_bits(x), from = bits - 0x3fe6a09e667f3bcdull;
    e += (int)((long long)from >> 52);
    double m = scanlab_m_of((from & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull);
    double f = m - 1, d = m + 1, d_low = m - (d - 1);
    /* log m = 2 (s + s^3/3 + ...) */
    double s = f / d, s_low = (__builtin_fma(-s, d, f) - s * d_low) / d;
    scanlab_two z = scanlab_m_times(s, s), t = scanlab_m_times(z.high, 0x1.5555555555555p-2);
    t.low += __builtin_fma(z.high, 0x1.5555555555555p-56,
                           (z.low + 2 * s * s_low) * 0x1.5555555555555p-2);
    scanlab_two u = scanlab_m_sum(t.high, t.low + z.high * z.high * scanlab_m_series(c, z.high));
    scanlab_two v = scanlab_m_sum(1, u.high);
    v.low += u.low;
    scanlab_two r = scanlab_m_times(s, v.high);
    r.low += __builtin_fma(s, v.low, s_low * v.high);
    /* e times this is exact */
    scanlab_two whole = scanlab_m_sum(e * 0x1.62e42feep-1, 2 * r.high);
    if (e == 0)
        whole = scanlab_m_sum(2 * r.high, 0);
    return scanlab_m_sum(whole.high,
                         whole.low + __builtin_fma((double)e, 0x1.a39ef35793c76p-33, 2 * r.low));
}
SCANLAB_M bool scanlab_m_log_has_value(double x) { return x > 0 && x < scanlab_m_inf(); }
SCANLAB_M double scanlab_m_log_else(double x)
{
    return x == 0 ? -scanlab_m_inf() : x < 0 ? scanlab_m_nan() : x;
}
SCANLAB_M double log(double x)
{
    return scanlab_m_log_has_value(x) ? scanlab_m_log(x).high : scanlab_m_log_else(x);
}
SCANLAB_M double scanlab_m_log_times(double x, double high, double low)
{
    if (!scanlab_m_log_has_value(x))
        return scanlab_m_log_else(x);
    scanlab_two l = scanlab_m_log(x), p = scanlab_m_times(l.high, high);
    return p.high + (p.low + __builtin_fma(l.high, low, l.low * high));
}
SCANLAB_M double log2(double x)
{
    return scanlab_m_log_times(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56);
}
SCANLAB_M double log10(double x)
{
    return scanlab_m_log_times(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
}
SCANLAB_M double log1p(double x)
{
    double u = 1 + x, lost = x - (u - 1);
    if (!scanlab_m_log_has_value(u))
        return scanlab_m_log_else(u);
    if (u == 1)
        return x;
    if (x > 0x1p60)
        lost = 0;
    scanlab_two l = scanlab_m_log(u);
    return l.high + (l.low + lost / u);
}
SCANLAB_M double pow(double x, double y)
{
    double a = __builtin_fabs(x), half = y * 0.5;
    bool whole = __builtin_trunc(y) == y,
         odd = whole && __builtin_trunc(half) != half && __builtin_fabs(y) < 0x1p53;
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    if (__builtin_fabs(y) == scanlab_m_inf())
        return a == 1 ? 1 : (a > 1) == (y > 0) ? scanlab_m_inf() : 0;
    double r;
    if (a == 0 || a == scanlab_m_inf())
        r = (a == 0) == (y < 0) ? scanlab_m_inf() : 0;
    else if (x < 0 && !whole)
        return scanlab_m_nan();
    else {
        scanlab_two l = scanlab_m_log(a);
        double p = y * l.high;
        r = __builtin_fabs(p) < 1000 ? scanlab_m_exp(p, __builtin_fma(y, l.high, -p) + y * l.low)
                                     : scanlab_m_exp(p, 0);
    }
    return odd ? scanlab_m_with_sign(r, x) : r;
}
SCANLAB_M double cbrt(double x)
{
    double a = __builtin_fabs(x);
    if (!scanlab_m_log_has_value(a))
        return x;
    scanlab_two l = scanlab_m_log(a);
    double r = scanlab_m_exp(l.high * (1. / 3), 0);
    r -= __builtin_fma(-a / r, 1 / r, r) * (1. / 3);
    return scanlab_m_with_sign(r, x);
}
SCANLAB_M double rcbrt(double x) { return 1 / cbrt(x); }

/* ---- angles ---------------------------------------------------------------------------------- */

static __attribute__((device, unused)) const unsigned long long scanlab_two_over_pi[20] = {
    0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
    0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full,
    0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull,
    0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull, 0xf0cfbc209af4361dull
};

/* x less the nearest multiple of pi/2; *quarter: which multiple, modulo 4. Any finite x. */
SCANLAB_M scanlab_two scanlab_m_angle_large(double x, int *quarter)
{
    unsigned long long bits = scanlab_m_bits(x), m = (bits & 0xfffffffffffffull) | 1ull << 52;
    /* x / 4 = m 2^from */
    int from = (int)(bits >> 52 & 0x7ff) - 1077, first = from >> 6, shift = from & 63;
    unsigned long long w[4], p[3], carry = 0;
    for (int k = 0; k < 4; k++)
        w[k] = first + k < 0 ? 0 : scanlab_two_over_pi[first + k];
    for (int k = 0; k < 3; k++) /* 192 bits of 2/pi 2^from behind the point */
        p[k] = shift ? w[k] << shift | w[k + 1] >> (64 - shift) : w[k];
    unsigned long long t[3];
    for (int k = 2; k >= 0; k--) { /* x / (2 pi), less whole numbers */
        unsigned __int128 product = (unsigned __int128)p[k] * m + carry;
        t[k] = (unsigned long long)product;
        carry = (unsigned long long)(product >> 64);
    }
    int n = (int)(t[0] >> 62);
    unsigned long long high = t[0] << 2 | t[1] >> 62, low = t[1] << 2 | t[2] >> 62;
    bool up = high >> 63; /* nearer to the next multiple: what is left is negative */
    long long left = (long long)high;
    double h = (double)left, rest = (double)(left - (long long)h) + (double)low * 0x1p-64;
    scanlab_two f = scanlab_m_sum(h * 0x1p-64, rest * 0x1p-64),
                r = scanlab_m_times(f.high, 0x1.921fb54442d18p+0);
    r.low += __builtin_fma(f.high, 0x1.1a62633145c07p-54, f.low * 0x1.921fb54442d18p+0);
    r = scanlab_m_sum(r.high, r.low);
    n += up;
    if (bits >> 63) {
        r.high = -r.high;
        r.low = -r.low;
        n = -n;
    }
    *quarter = n & 3;
    return r;
}
SCANLAB_M scanlab_two scanlab_m_angle(double x, int *quarter)
{
    if (__builtin_fabs(x) > 0x1p20)
        return scanlab_m_angle_large(x, quarter);
    double n = __builtin_rint(x * 0x1.45f306dc9c883p-1),
           t = __builtin_fma(-n, 0x1.921fb54442d18p+0, x);
    scanlab_two q = scanlab_m_times(n, 0x1.1a62633145c07p-54), r = { t - q.high, 0 };
    r.low = t - r.high - q.high - q.low + n * 0x1.f1976b7ed8fbcp-110;
    *quarter = (int)n & 3;
    return r;
}
SCANLAB_M double scanlab_m_sin(scanlab_two x)
{
    const double c[] = {
        -1. / 6,        1. / 120,        -1. / 5040,          1. / 362880,
        -1. / 39916800, 1. / 6227020800, -1. / 1307674368000, 1. / 355687428096000
    };
    double z = x.high * x.high;
    return x.high + __builtin_fma(z * x.high, scanlab_m_series(c, z), x.low * (1 - 0.5 * z));
}
SCANLAB_M double scanlab_m_cos(scanlab_two x)
{
    const double c[] = {
        1. / 24,        -1. / 720,         1. / 40320,          -1. / 3628800,
        1. / 479001600, -1. / 87178291200, 1. / 20922789888000, -1. / 6402373705728000
    };
    double z = x.high * x.high, half = 0.5 * z, w = 1 - half;
    return w + (1 - w - half + __builtin_fma(z * z, scanlab_m_series(c, z), -x.high * x.low));
}
SCANLAB_M void scanlab_m_sin_cos(double x, double *sine, double *cosine)
{
    int quarter;
    if (!(__builtin_fabs(x) < scanlab_m_inf())) {
        *sine = *cosine = scanlab_m_nan();
        return;
    }
    scanlab_two r = scanlab_m_angle(x, &quarter);
    double s = scanlab_m_sin(r), c = scanlab_m_cos(r), a = quarter & 1 ? c : s,
           b = quarter & 1 ? s : c;
    *sine = x == 0 ? x : quarter & 2 ? -a : a;
    *cosine = (quarter + 1) & 2 ? -b : b;
}
SCANLAB_M void sincos(double x, double *sine, double *cosine)
{
    scanlab_m_sin_cos(x, sine, cosine);
}
SCANLAB_M double sin(double x)
{
    double s, c;
    scanlab_m_sin_cos(x, &s, &c);
    return s;
}
SCANLAB_M double cos(double x)
{
    double s, c;
    scanlab_m_sin_cos(x, &s, &c);
    return c;
}
SCANLAB_M double tan(double x)
{
    double s, c;
    scanlab_m_sin_cos(x, &s, &c);
    return s / c;
}
/* sin and cos of pi x: the multiple of 1/2 comes off exactly. */
SCANLAB_M void sincospi(double x, double *sine, double *cosine)
{
    double n = __builtin_rint(2 * x), f = x - 0.5 * n;
    scanlab_two r = scanlab_m_times(f, 0x1.921fb54442d18p+1);
    r.low += f * 0x1.1a62633145c07p-53;
    int quarter = (int)(n - 4 * __builtin_floor(n * 0.25));
    double s = scanlab_m_sin(r), c = scanlab_m_cos(r), a = quarter & 1 ? c : s,
           b = quarter & 1 ? s : c;
    *sine = f == 0 && !(quarter & 1) ? scanlab_m_with_sign(0, x) : quarter & 2 ? -a : a;
    *cosine = f == 0 && (quarter & 1) ? 0 : (quarter + 1) & 2 ? -b : b;
}
SCANLAB_M double sinpi(double x)
{
    double s, c;
    sincospi(x, &s, &c);
    return s;
}
SCANLAB_M double cospi(double x)
{
    double s, c;
    sincospi(x, &s, &c);
    return c;
}

SCANLAB_M double atan(double x)
{
    const double c[] = { -1. / 3,  1. / 5,   -1. / 7,  1. / 9,   -1. / 11, 1. / 13,  -1. / 15,
                         1. / 17,  -1. / 19, 1. / 21,  -1. / 23, 1. / 25,  -1. / 27, 1. / 29,
                         -1. / 31, 1. / 33,  -1. / 35, 1. / 37,  -1. / 39, 1. / 41 };
    double a = __builtin_fabs(x), t = a, high = 0, low = 0;
    if (a > 2.4375) {
        t = -1 / a;
        high = 0x1.921fb54442d18p+0;
        low = 0x1.1a62633145c07p-54;
    } else if (a > 1.1875) {
        t = (a - 1.5) / __builtin_fma(1.5, a, 1);
        high = 0x1.f730bd281f69bp-1;
        low = 0x1.007887af0cbbdp-56;
    } else if (a > 0.6875) {
        t = (a - 1) / (a + 1);
        high = 0x1.921fb54442d18p-1;
        low = 0x1.1a62633145c07p-55;
    } else if (a > 0.4375) {
        t = (2 * a - 1) / (2 + a);
        high = 0x1.dac670561bb4fp-2;
        low = 0x1.a2b7f222f65e2p-56;
    }
    double z = t * t;
    return scanlab_m_with_sign(high + (__builtin_fma(t * z, scanlab_m_series(c, z), low) + t), x);
}
SCANLAB_M double atan2(double y, double x)
{
    double ax = __builtin_fabs(x), ay = __builtin_fabs(y), r;
    if (x != x || y != y)
        return x + y;
    if (ay == 0)
        r = 0;
    else if (ax == ay)
        r = ax == 0 ? 0 : 0x1.921fb54442d18p-1;
    else if (ay > ax)
        r = 0x1.921fb54442d18p+0 - (atan(ax / ay) - 0x1.1a62633145c07p-54);
    else
        r = atan(ay / ax);
    if (scanlab_m_bits(x) >> 63)
        r = 0x1.921fb54442d18p+1 - (r - 0x1.1a62633145c07p-53);
    return scanlab_m_with_sign(r, y);
}
SCANLAB_M double asin(double x)
{
    return __builtin_fabs(x) > 1 ? scanlab_m_nan()
           : x == 0              ? x
                                 : atan2(x, __builtin_sqrt((1 - x) * (1 + x)));
}
SCANLAB_M double acos(double x)
{
    return __builtin_fabs(x) > 1 ? scanlab_m_nan()
                                 : 2 * atan2(__builtin_sqrt(1 - x), __builtin_sqrt(1 + x));
}

/* ---- hyperbolic functions -------------------------------------------------------------------- */

SCANLAB_M double sinh(double x)
{
    double a = __builtin_fabs(x), r;
    if (a < 22) {
        double t = expm1(a);
        r = 0.5 * (t + t / (t + 1));
    } else {
        double h = exp(0.5 * a);
        r = a < 709 ? 0.5 * exp(a) : 0.5 * h * h;
    }
    return scanlab_m_with_sign(r, x);
}
SCANLAB_M double cosh(double x)
{
    double a = __builtin_fabs(x), h = exp(0.5 * a), e = exp(a);
    return a < 22 ? 0.5 * (e + 1 / e) : a < 709 ? 0.5 * e : 0.5 * h * h;
}
SCANLAB_M double tanh(double x)
{
    double a = __builtin_fabs(x), t = expm1(2 * (a < 30 ? a : 30));
    return a != a ? x : scanlab_m_with_sign(a > 22 ? 1 : t / (t + 2), x);
}
SCANLAB_M double asinh(double x)
{
    double a = __builtin_fabs(x), z = a * a;
    double r =
        a > 0x1p30 ? log(a) + 0x1.62e42fefa39efp-1 : log1p(a + z / (1 + __builtin_sqrt(1 + z)));
    return scanlab_m_with_sign(r, x);
}
SCANLAB_M double acosh(double x)
{
    double t = x - 1;
    return x > 0x1p30 ? log(x) + 0x1.62e42fefa39efp-1
           : x < 1    ? scanlab_m_nan()
                      : log1p(t + __builtin_sqrt(2 * t + t * t));
}
SCANLAB_M double atanh(double x)
{
    double a = __builtin_fabs(x);
    return a > 1 ? scanlab_m_nan() : scanlab_m_with_sign(0.5 * log1p(2 * a / (1 - a)), x);
}

/* ---- roots, error function, gamma ------------------------------------------------------------ */

SCANLAB_M double rsqrt(double x)
{
    double r = 1 / __builtin_sqrt(x);
    return r;
}
SCANLAB_M double hypot(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y), scale = 1;
    if (a == scanlab_m_inf() || b == scanlab_m_inf())
        return scanlab_m_inf();
    double large = a > b ? a : b;
    if (large > 0x1p500)
        scale = 0x1p-600;
    else if (large < 0x1p-450)
        scale = 0x1p600;
    a *= scale;
    b *= scale;
    scanlab_two p = scanlab_m_times(a, a), q = scanlab_m_times(b, b);
    double s = p.high + q.high,
           low = (p.high > q.high ? p.high - s + q.high : q.high - s + p.high) + p.low + q.low,
           r = __builtin_sqrt(s);
    if (r > 0 && r < scanlab_m_inf())
        r += (__builtin_fma(-r, r, s) + low) / (2 * r);
    return r * (scale == 1 ? 1 : scale < 1 ? 0x1p600 : 0x1p-600);
}
SCANLAB_M double rhypot(double x, double y) { return 1 / hypot(x, y); }

/* The length of a vector, in double the sum of squares with its rounding errors, scaled so that it
   neither overflows nor underflows. N: numbers, 0: so many as `count` says. T float or double. */
template <int N, class T> SCANLAB_M double scanlab_m_length(int count, const T *v)
{
    const int n = N ? N : count;
    double largest = 0, scale = 1, sum = 0, low = 0;
    bool nan = false;
    for (int k = 0; k < n; k++) {
        const double a = __builtin_fabs((double)v[k]);
        nan |= a != a;
        largest = a > largest ? a : largest;
    }
    if (largest == scanlab_m_inf() || nan)
        return nan && largest != scanlab_m_inf() ? scanlab_m_nan() : largest;
    if (largest > 0x1p450)
        scale = 0x1p-600;
    else if (largest < 0x1p-450)
        scale = 0x1p600;
    for (int k = 0; k < n; k++) {
        const double a = (double)v[k] * scale;
        const scanlab_two p = scanlab_m_times(a, a);
        const double s = sum + p.high;
        low += (sum > p.high ? sum - s + p.high : p.high - s + sum) + p.low;
        sum = s;
    }
    double r = __builtin_sqrt(sum);
    if (r > 0)
        r += (__builtin_fma(-r, r, sum) + low) / (2 * r);
    return r * (scale == 1 ? 1 : scale < 1 ? 0x1p600 : 0x1p-600);
}
SCANLAB_M double norm(int n, const double *v) { return scanlab_m_length<0>(n, v); }
SCANLAB_M double rnorm(int n, const double *v) { return 1 / norm(n, v); }
SCANLAB_M float normf(int n, const float *v) { return (float)scanlab_m_length<0>(n, v); }
SCANLAB_M float rnormf(int n, const float *v) { return (float)(1 / scanlab_m_length<0>(n, v)); }
SCANLAB_M double norm3d(double a, double b, double c)
{
    const double v[] = { a, b, c };
    return scanlab_m_length<3>(3, v);
}
SCANLAB_M double norm4d(double a, double b, double c, double d)
{
    const double v[] = { a, b, c, d };
    return scanlab_m_length<4>(4, v);
}
SCANLAB_M double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
SCANLAB_M double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
SCANLAB_M float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
SCANLAB_M float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
SCANLAB_M float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
SCANLAB_M float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }

/* erfc(x) of x >= 0 times e^(x^2), as a fit of (1 + 2x) times it in (x - 2)/(x + 2). */
SCANLAB_M double scanlab_m_erfcx(double x)
{
    const double c[] = { 0x1.46e80e2277953p+0,   -0x1.7bf5ec17005dfp-4,  -0x1.5407bebf3243ep-3,
                         0x1.4ffa1e14e13d8p-3,   -0x1.bc2b9561992b1p-5,  -0x1.07423401b0166p-7,
                         0x1.1dd2ec90ea647p-7,   0x1.4d461baf03fdcp-10,  -0x1.7de5211ee3404p-10,
                         -0x1.dc68f9ba3e7edp-12, 0x1.b0c892728b141p-13,  0x1.3cbe09d31f754p-13,
                         -0x1.9556d8374abbcp-20, -0x1.3163a2193dc25p-15, -0x1.c4b9e81f8aa86p-17,
                         0x1.eb95033f07ee8p-19,  0x1.5e6c8414bcd82p-18,  0x1.ab91ba0081014p-20,
                         -0x1.71e0253bcbee3p-21, -0x1.fd2c263047173p-21, -0x1.28996dc3aaba4p-22,
                         0x1.fa9facb67e65p-23,   0x1.81675b6e317cep-23,  -0x1.c02219e4b6a86p-26,
                         -0x1.82a7750e89991p-25, 0x1.ffd99fde75e6dp-33,  0x1.44f1a5769277p-28 };
    return scanlab_m_series(c, x > 0x1p60 ? 1 : (x - 2) / (x + 2)) / (1 + 2 * x);
}
SCANLAB_M double scanlab_m_erfc(double a)
{ /* of a >= 0 */
    scanlab_two z = scanlab_m_times(a, a);
    return a > 27.5 ? 0 : scanlab_m_exp(-z.high, -z.low) * scanlab_m_erfcx(a);
}
SCANLAB_M double erf(double x)
{
    const double c[] = { 0x1.20dd750429b6dp+0,   -0x1.812746b0379e7p-2,  0x1.ce2f21a042be2p-4,
                         -0x1.b82ce31288b51p-6,  0x1.565bcd0e6a53fp-8,   -0x1.c02db40040b86p-11,
                         0x1.f9a326f9b89b7p-14,  -0x1.f4d25c3e0c2ebp-17, 0x1.b9e6c9dc651a3p-20,
                         -0x1.5f742ec43e71ap-23, 0x1.fcc5720624c1cp-27,  -0x1.51d7181c5d36dp-30,
                         0x1.9e6ad5e55a73p-34,   -0x1.d8453cb0c46eap-38, 0x1.f683ae4a97007p-42,
                         -0x1.f56f071a885cfp-46, 0x1.d70b3537f4765p-50,  -0x1.a2007af3447f6p-54,
                         0x1.5f7919bc67b8cp-58,  -0x1.18cc8a061c479p-62 };
    double a = __builtin_fabs(x);
    return x != x     ? x
           : a < 0.84 ? x * scanlab_m_series(c, x * x)
                      : scanlab_m_with_sign(1 - scanlab_m_erfc(a), x);
}
SCANLAB_M double erfc(double x)
{
    return x != x ? x : x < 0 ? 2 - scanlab_m_erfc(-x) : x < 0.5 ? 1 - erf(x) : scanlab_m_erfc(x);
}
SCANLAB_M double erfcx(double x)
{
    scanlab_two z = scanlab_m_times(x, x);
    return x < 0 ? 2 * scanlab_m_exp(z.high, z.low) - scanlab_m_erfcx(-x) : scanlab_m_erfcx(x);
}
SCANLAB_M double normcdf(double x) { return 0.5 * erfc(-x * 0x1.6a09e667f3bcdp-1); }

/* Inverses: a first guess from the logarithm of the tail (Winitzki's formula), then Halley's
   method, which triples the digits with each step. */
SCANLAB_M double scanlab_m_erf_guess(double tail) /* of 1 - erf^2 */
{
    double l = log(tail), a = 4.330746750799873 + l / 2;
    return __builtin_sqrt(__builtin_sqrt(a * a - l / 0.147) - a);
}
SCANLAB_M double scanlab_m_halley(double y, double error) /* error: of erf(y), over e^(-y^2) */
{
    double u = error * 0x1.c5bf891b4ef6bp-1;
    return y - u / (1 + y * u);
}
/* y > 0 with erfc(y) = q, for q of at most 1/2. The error is measured relative to q, as far out in
   the tail q is tiny: erfc(y) = e^(-y^2) erfcx(y). */
SCANLAB_M double scanlab_m_erfc_inverse(double q)
{
    double y = scanlab_m_erf_guess(q * (2 - q));
    for (int k = 0; k < 4; k++) {
        double f = scanlab_m_erfcx(y);
        scanlab_two z = scanlab_m_times(y, y);
        /* q e^(y^2) in two factors, since the second alone may overflow */
        double half = scanlab_m_exp(z.high / 2, z.low / 2);
        y = scanlab_m_halley(y, q * half * half - f);
    }
    return y;
}
SCANLAB_M double erfinv(double x)
{
    double a = __builtin_fabs(x), y;
    if (!(a <= 1))
        return scanlab_m_nan();
    if (a == 1)
        return scanlab_m_with_sign(scanlab_m_inf(), x);
    if (a < 0x1p-27)
        return x * 0x1.c5bf891b4ef6bp-1; /* sqrt(pi) / 2 */
    if (a > 0.5)
        return scanlab_m_with_sign(scanlab_m_erfc_inverse(1 - a), x);
    y = a * 0x1.c5bf891b4ef6bp-1 * (1 + a * a * 0.2617993877991494);
    for (int k = 0; k < 4; k++)
        y = scanlab_m_halley(y, (erf(y) - a) * scanlab_m_exp(y * y, 0));
    return scanlab_m_with_sign(y, x);
}
SCANLAB_M double erfcinv(double x)
{
    if (!(x >= 0 && x <= 2))
        return scanlab_m_nan();
    if (x == 0 || x == 2)
        return x == 0 ? scanlab_m_inf() : -scanlab_m_inf();
    return x < 0.5 ? scanlab_m_erfc_inverse(x) : erfinv(1 - x);
}
SCANLAB_M double normcdfinv(double p) { return -0x1.6a09e667f3bcdp+0 * erfcinv(2 * p); }

/* The logarithm of Gamma(x), x >= 1/2. */
SCANLAB_M scanlab_two scanlab_m_log_gamma(double x)
{
    const double c[] = { 0x1.fffffffffffe6p-1,   0x1.c93ff87c1accep+5,   -0x1.dcc89f705893p+5,
                         0x1.c45aea23d22a1p+3,   -0x1.f7b841625bfe4p-2,  0x1.1d2af4786183ap-15,
                         0x1.8644bb7c5e3bdp-15,  -0x1.9c9cc9de574b7p-14, 0x1.4b8939ed4e66dp-13,
                         -0x1.b8f4dcd2abe36p-13, 0x1.c801018e9e826p-13,  -0x1.58999c995264p-13,
                         0x1.621360b773d55p-14,  -0x1.b768cb5d1e206p-16, 0x1.ef40a04fc981p-19 };
    /* g + 1/2 of g = 607/128 */
    double sum = 0, z = x - 1, t = z + 5.2421875, t_low = z - (t - 5.2421875);
    for (int k = 14; k > 0; k--)
        sum += c[k] / (z + k);
    scanlab_two l = scanlab_m_log(t), m = scanlab_m_log((sum + c[0]) * 0x1.40d931ff62706p+1),
                p = scanlab_m_times(z + 0.5, l.high);
    scanlab_two r = scanlab_m_sum(p.high, -t);
    r.low += p.low + ((z + 0.5) * (l.low + t_low / t) - t_low);
    scanlab_two whole =
        r.high > m.high ? scanlab_m_sum(r.high, m.high) : scanlab_m_sum(m.high, r.high);
    whole.low += r.low + m.low;
    return whole;
}
SCANLAB_M double tgamma(double x)
{
    if (x != x || x == scanlab_m_inf())
        return x;
    if (x == 0)
        return scanlab_m_with_sign(scanlab_m_inf(), x);
    if (__builtin_trunc(x) == x && x < 0)
        return scanlab_m_nan();
    if (x > 171.7)
        return scanlab_m_inf();
    if (__builtin_trunc(x) == x && x < 24) {
        double r = 1;
        for (int k = 2; k < (int)x; k++)
            r *= k;
        return r;
    }
    if (x < -190)
        return scanlab_m_with_sign(
            0, __builtin_floor(x) * 0.5 == __builtin_floor(__builtin_floor(x) * 0.5) ? 1 : -1);
    scanlab_two l = scanlab_m_log_gamma(x < -0.5 ? -x : x < 0.5 ? x + 1 : x);
    if (x < -0.5)
        return -0x1.921fb54442d18p+1 / (x * sinpi(x)) * scanlab_m_exp(-l.high, -l.low);
    double r = scanlab_m_exp(l.high, l.low);
    return x < 0.5 ? r / x : r;
}
SCANLAB_M double lgamma(double x)
{
    if (x != x || __builtin_fabs(x) == scanlab_m_inf())
        return x * x;
    if (x <= 0 && __builtin_trunc(x) == x)
        return scanlab_m_inf();
    if (x == 1 || x == 2)
        return 0;
    if (x > 0x1p57)
        return x * (log(x) - 1);
    scanlab_two l = scanlab_m_log_gamma(x < -0.5 ? -x : x < 0.5 ? x + 1 : x);
    if (x < -0.5)
        return log(0x1.921fb54442d18p+1 / __builtin_fabs(x * sinpi(x))) - (l.high + l.low);
    return x < 0.5 ? l.high + l.low - log(__builtin_fabs(x)) : l.high + l.low;
}

/* ---- exact functions ------------------------------------------------------------------------- */

SCANLAB_M double ldexp(double x, int k) { return scanlab_m_scale(x, k); }
SCANLAB_M double scalbn(double x, int k) { return scanlab_m_scale(x, k); }
SCANLAB_M int ilogb(double x)
{
    unsigned long long a = scanlab_m_bits(x) & ~(1ull << 63);
    if (a == 0 || a > 0x7ff0000000000000ull)
        return -2147483647 - 1;
    if (a == 0x7ff0000000000000ull)
        return 2147483647;
    return a >> 52 ? (int)(a >> 52) - 1023 : -1011 - __builtin_clzll(a);
}
SCANLAB_M double logb(double x)
{
    return x == 0                                 ? -scanlab_m_inf()
           : x != x                               ? x
           : __builtin_fabs(x) == scanlab_m_inf() ? scanlab_m_inf()
                                                  : (double)ilogb(x);
}
SCANLAB_M double frexp(double x, int *e)
{
    *e = x == 0 || !(__builtin_fabs(x) < scanlab_m_inf()) ? 0 : ilogb(x) + 1;
    return *e ? scanlab_m_scale(scanlab_m_scale(x, -(*e / 2)), *e / 2 - *e) : x;
}
SCANLAB_M double modf(double x, double *whole)
{
    *whole = __builtin_trunc(x);
    return scanlab_m_with_sign(__builtin_fabs(x) == scanlab_m_inf() ? 0 : x - *whole, x);
}
SCANLAB_M double nearbyint(double x) { return __builtin_rint(x); }
SCANLAB_M double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }
SCANLAB_M double nextafter(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return scanlab_m_with_sign(scanlab_m_of(1), y);
    return scanlab_m_of(scanlab_m_bits(x) + ((x < y) == (x > 0) ? 1 : -1ull));
}
/* Long division: b comes off a, doubled as often as it goes, until less is left. *quotient: its low
   32 bits. */
SCANLAB_M double scanlab_m_rest(double a, double b, unsigned *quotient)
{
    *quotient = 0;
    if (a < b)
        return a;
    for (int k = ilogb(a) - ilogb(b); k >= 0; k--) {
        double step = scanlab_m_scale(b, k);
        *quotient = 2 * *quotient + (step <= a);
        if (step <= a)
            a -= step;
    }
    return a;
}
SCANLAB_M double fmod(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    unsigned quotient;
    if (!(a < scanlab_m_inf()) || b != b || b == 0)
        return x == x && y == y ? scanlab_m_nan() : x + y;
    return b == scanlab_m_inf() ? x : scanlab_m_with_sign(scanlab_m_rest(a, b, &quotient), x);
}
/* *quotient: of the three low bits of what x / y is rounded to, with its sign. */
SCANLAB_M double remquo(double x, double y, int *quotient)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    unsigned q = 0;
    *quotient = 0;
    if (!(a < scanlab_m_inf()) || b != b || b == 0)
        return x == x && y == y ? scanlab_m_nan() : x + y;
    if (b == scanlab_m_inf())
        return x;
    double r = scanlab_m_rest(a, b, &q);
    if (r > b - r || (r == b - r && q & 1)) {
        r -= b;
        q++;
    }
    *quotient = (scanlab_m_bits(x) ^ scanlab_m_bits(y)) >> 63 ? -(int)(q & 7) : (int)(q & 7);
    return scanlab_m_bits(x) >> 63 ? -r : r;
}
SCANLAB_M double remainder(double x, double y)
{
    int quotient;
    return remquo(x, y, &quotient);
}

/* ---- float: the double functions, rounded ---------------------------------------------------- */

#define SCANLAB_ROUNDED_1(name)                                                                    \
    SCANLAB_M float name##f(float x) { return (float)name((double)x); }
#define SCANLAB_ROUNDED_2(name)                                                                    \
    SCANLAB_M float name##f(float x, float y) { return (float)name((double)x, (double)y); }
// clang-format off
SCANLAB_ROUNDED_1(exp10) SCANLAB_ROUNDED_1(expm1) SCANLAB_ROUNDED_1(log) SCANLAB_ROUNDED_1(log2)
SCANLAB_ROUNDED_1(log10) SCANLAB_ROUNDED_1(log1p) SCANLAB_ROUNDED_1(cbrt) SCANLAB_ROUNDED_1(rcbrt)
SCANLAB_ROUNDED_1(sin) SCANLAB_ROUNDED_1(cos) SCANLAB_ROUNDED_1(tan) SCANLAB_ROUNDED_1(sinpi)
SCANLAB_ROUNDED_1(cospi) SCANLAB_ROUNDED_1(asin) SCANLAB_ROUNDED_1(acos) SCANLAB_ROUNDED_1(atan)
SCANLAB_ROUNDED_1(sinh) SCANLAB_ROUNDED_1(cosh) SCANLAB_ROUNDED_1(tanh) SCANLAB_ROUNDED_1(asinh)
SCANLAB_ROUNDED_1(acosh) SCANLAB_ROUNDED_1(atanh) SCANLAB_ROUNDED_1(erf) SCANLAB_ROUNDED_1(erfc)
SCANLAB_ROUNDED_1(erfcx) SCANLAB_ROUNDED_1(normcdf) SCANLAB_ROUNDED_1(tgamma)
SCANLAB_ROUNDED_1(erfinv) SCANLAB_ROUNDED_1(erfcinv) SCANLAB_ROUNDED_1(normcdfinv)
SCANLAB_ROUNDED_1(lgamma) SCANLAB_ROUNDED_1(logb) SCANLAB_ROUNDED_1(nearbyint)
SCANLAB_ROUNDED_2(pow) SCANLAB_ROUNDED_2(atan2) SCANLAB_ROUNDED_2(hypot) SCANLAB_ROUNDED_2(rhypot)
SCANLAB_ROUNDED_2(fmod) SCANLAB_ROUNDED_2(remainder) SCANLAB_ROUNDED_2(fdim)
#undef SCANLAB_ROUNDED_1
#undef SCANLAB_ROUNDED_2
    // clang-format on
    SCANLAB_M void sincosf(float x, float *s, float *c)
{
    double a, b;
    sincos(x, &a, &b);
    *s = (float)a;
    *c = (float)b;
}
SCANLAB_M void sincospif(float x, float *s, float *c)
{
    double a, b;
    sincospi(x, &a, &b);
    *s = (float)a;
    *c = (float)b;
}
SCANLAB_M float ldexpf(float x, int k) { return (float)scanlab_m_scale((double)x, k); }
SCANLAB_M float scalbnf(float x, int k) { return (float)scanlab_m_scale((double)x, k); }
SCANLAB_M double scalbln(double x, long k)
{
    return scanlab_m_scale(x, k > 5000 ? 5000 : k < -5000 ? -5000 : (int)k);
}
SCANLAB_M float scalblnf(float x, long k) { return (float)scalbln((double)x, k); }
SCANLAB_M float remquof(float x, float y, int *quotient)
{
    return (float)remquo((double)x, (double)y, quotient);
}
/* What stands in the text makes no difference here. */
SCANLAB_M double nan(const char *) { return scanlab_m_nan(); }
SCANLAB_M float nanf(const char *) { return __builtin_nanf(""); }
SCANLAB_M int ilogbf(float x) { return ilogb((double)x); }
SCANLAB_M float frexpf(float x, int *e) { return (float)frexp((double)x, e); }
SCANLAB_M float modff(float x, float *whole)
{
    double w, r = modf((double)x, &w);
    *whole = (float)w;
    return (float)r;
}
SCANLAB_M float nextafterf(float x, float y)
{
    unsigned bits = __builtin_bit_cast(unsigned, x);
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return __builtin_bit_cast(float, 1u | (__builtin_bit_cast(unsigned, y) & 1u << 31));
    return __builtin_bit_cast(float, bits + ((x < y) == (x > 0) ? 1 : -1u));
}

#undef SCANLAB_M

#endif
