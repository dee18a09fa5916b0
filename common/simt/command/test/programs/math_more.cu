/*
 * math_more.cu: what CUDA adds to <math.h>, and the rarer functions of it: lengths, inverses,
 * quotients, NaN by name, roundings; and the names of CUDA's own that take a float, too. Against
 * the host's long double.
 */
#include <cfenv>
#include <cmath>
#include <cstdio>
#define N 256
static int bad;
static double ulps(double a, long double b, bool single)
{
    if (std::isnan(a) && std::isnan((double)b))
        return 0;
    if (a == (single ? (double)(float)b : (double)b))
        return 0;
    if (single)
        return (double)(fabsl(a - b) /
                        fmaxl(nextafterf(fabsf((float)b), INFINITY) - fabsf((float)b), 1.5e-45L));
    return (double)(fabsl(a - b) /
                    fmaxl(nextafter(fabs((double)b), INFINITY) - fabs((double)b), 5e-324L));
}
static void expect(const char *what, double x, double got, long double want, double most,
                   bool single = false)
{
    double u = ulps(got, want, single);
    if (!(u <= most) && ++bad < 20)
        printf("%s(%.17g): %.17g and not %.17Lg: %.3g ulp\n", what, x, got, want, u);
}

/* ---- lengths --------------------------------------------------------------------------------- */

__global__ void lengths(const double *v, const float *f, double *o, float *of)
{
    int i = threadIdx.x;
    const double *p = v + 4 * i;
    const float *q = f + 4 * i;
    double *to = o + 8 * i;
    float *tof = of + 8 * i;
    to[0] = norm3d(p[0], p[1], p[2]);
    to[1] = norm4d(p[0], p[1], p[2], p[3]);
    to[2] = rnorm3d(p[0], p[1], p[2]);
    to[3] = rnorm4d(p[0], p[1], p[2], p[3]);
    to[4] = norm(4, p);
    to[5] = rnorm(4, p);
    to[6] = norm(2, p);
    to[7] = norm(1, p);
    tof[0] = norm3df(q[0], q[1], q[2]);
    tof[1] = norm4df(q[0], q[1], q[2], q[3]);
    tof[2] = rnorm3df(q[0], q[1], q[2]);
    tof[3] = rnorm4df(q[0], q[1], q[2], q[3]);
    tof[4] = normf(4, q);
    tof[5] = rnormf(4, q);
    tof[6] = normf(2, q);
    tof[7] = normf(1, q);
}
template <class T> static long double length(const T *v, int n)
{
    long double s = 0;
    for (int k = 0; k < n; k++)
        s += (long double)v[k] * v[k];
    return sqrtl(s);
}
template <class T> static void compare_lengths(const T *v, const T *o, bool single)
{
    for (int i = 0; i < N; i++) {
        const T *p = v + 4 * i, *got = o + 8 * i;
        expect("norm of 3", p[0], got[0], length(p, 3), 1.5, single);
        expect("norm of 4", p[0], got[1], length(p, 4), 1.5, single);
        expect("1 / norm of 3", p[0], got[2], 1 / length(p, 3), 2.5, single);
        expect("1 / norm of 4", p[0], got[3], 1 / length(p, 4), 2.5, single);
        expect("norm", p[0], got[4], length(p, 4), 1.5, single);
        expect("1 / norm", p[0], got[5], 1 / length(p, 4), 2.5, single);
        expect("norm of 2", p[0], got[6], length(p, 2), 1.5, single);
        expect("norm of 1", p[0], got[7], length(p, 1), 0, single);
    }
}
static void try_lengths()
{
    static double v[4 * N], o[8 * N], *dv, *dout;
    static float f[4 * N], of[8 * N], *df, *dof;
    unsigned seed = 1;
    for (int i = 0; i < 4 * N; i++) {
        seed = seed * 1664525 + 1013904223;
        v[i] = ldexp((int)(seed >> 8) - (1 << 23), i % 12 < 4 ? -20 : i % 12 < 8 ? 800 : -900);
        f[i] = (float)ldexp((int)(seed >> 8) - (1 << 23), i % 8 < 4 ? -20 : 80);
    }
    for (int k = 0; k < 4; k++)
        v[k] = f[k] = 0;
    v[5] = -INFINITY;
    v[6] = NAN;
    f[5] = INFINITY;
    cudaMalloc(&dv, sizeof v);
    cudaMalloc(&dout, sizeof o);
    cudaMalloc(&df, sizeof f);
    cudaMalloc(&dof, sizeof of);
    cudaMemcpy(dv, v, sizeof v, cudaMemcpyHostToDevice);
    cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice);
    lengths<<<1, N>>>(dv, df, dout, dof);
    cudaMemcpy(o, dout, sizeof o, cudaMemcpyDeviceToHost);
    cudaMemcpy(of, dof, sizeof of, cudaMemcpyDeviceToHost);
    v[6] = 0; /* an infinite number is longer than what is none */
    compare_lengths(v, o, false);
    compare_lengths(f, of, true);
    cudaFree(dv);
    cudaFree(dout);
    cudaFree(df);
    cudaFree(dof);
}

/* ---- inverses -------------------------------------------------------------------------------- */

__global__ void inverses(const double *p, double *o, float *of)
{
    int i = threadIdx.x;
    o[3 * i] = erfinv(p[i]);
    o[3 * i + 1] = erfcinv(1 + p[i]);
    o[3 * i + 2] = normcdfinv(fabs(p[i]));
    of[3 * i] = erfinvf((float)p[i]);
    of[3 * i + 1] = erfcinv((float)fabs(p[i]));
    of[3 * i + 2] = normcdfinv((float)fabs(p[i]));
}
/* By halving: f falls. */
static long double solve(long double (*f)(long double), long double value)
{
    long double low = 0, high = 40;
    for (int k = 0; k < 200; k++) {
        long double middle = (low + high) / 2;
        (f(middle) > value ? low : high) = middle;
    }
    return (low + high) / 2;
}
static long double minus_erf(long double x) { return -erfl(x); }
static long double tail(long double x) { return erfcl(x); }
/* Where |x| is near 1 by the tail, which keeps its digits there. */
static long double inverse_erf(long double x)
{
    long double a = fabsl(x), y = a > 0.5    ? solve(tail, 1 - a)
                                  : a < 1e-8 ? a * sqrtl(atanl(1))
                                             : solve(minus_erf, -a);
    return x < 0 ? -y : y;
}
static long double inverse_erfc(long double x)
{
    return x < 0.5 ? solve(tail, x) : inverse_erf(1 - x);
}
static void try_inverses()
{
    static double p[N], o[3 * N], *dp, *dout;
    static float of[3 * N], *dof;
    for (int i = 0; i < N; i++)
        p[i] = i < 100   ? (i - 49.5) / 50
               : i < 200 ? ldexp(0.7, -3 * (i - 99))
                         : 1 - ldexp(0.6, -(i - 199) / 2);
    cudaMalloc(&dp, sizeof p);
    cudaMalloc(&dout, sizeof o);
    cudaMalloc(&dof, sizeof of);
    cudaMemcpy(dp, p, sizeof p, cudaMemcpyHostToDevice);
    inverses<<<1, N>>>(dp, dout, dof);
    cudaMemcpy(o, dout, sizeof o, cudaMemcpyDeviceToHost);
    cudaMemcpy(of, dof, sizeof of, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        const double a = fabs(p[i]);
        const float f = (float)p[i], g = (float)a;
        if (a < 1) {
            expect("erfinv", p[i], o[3 * i], inverse_erf(p[i]), 4);
            expect("erfcinv", 1 + p[i], o[3 * i + 1], inverse_erfc(1 + p[i]), 4);
            expect("normcdfinv", a, o[3 * i + 2], -sqrtl(2) * inverse_erfc(2 * (long double)a), 5);
        }
        if (g < 1 && g > 0) {
            expect("erfinvf", f, of[3 * i], inverse_erf(f), 1, true);
            expect("erfcinvf", g, of[3 * i + 1], inverse_erfc(g), 1, true);
            expect("normcdfinvf", g, of[3 * i + 2], -sqrtl(2) * inverse_erfc(2 * (long double)g), 1,
                   true);
        }
    }
    cudaFree(dp);
    cudaFree(dout);
    cudaFree(dof);
}

/* ---- quotients, NaN, names ------------------------------------------------------------------- */

__global__ void quotients(const double *x, const double *y, double *o, int *q)
{
    int i = threadIdx.x;
    float f;
    o[4 * i] = remquo(x[i], y[i], &q[2 * i]);
    f = remquof((float)x[i], (float)y[i], &q[2 * i + 1]);
    o[4 * i + 1] = f;
    o[4 * i + 2] = std::scalbln(x[i], (long)(i - 100));
    o[4 * i + 3] = scalblnf((float)y[i], (long)(i - 100));
}
static void try_quotients()
{
    static double x[N], y[N], o[4 * N], *dx, *dy, *dout;
    static int q[2 * N], *dq;
    for (int i = 0; i < N; i++) {
        x[i] = (i % 3 ? 1 : -1) * (i * 37 % 101) * 0.25;
        y[i] = (i % 5 ? 1 : -1) * (1 + i % 7) * 0.5;
    }
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dy, sizeof y);
    cudaMalloc(&dout, sizeof o);
    cudaMalloc(&dq, sizeof q);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
    quotients<<<1, N>>>(dx, dy, dout, dq);
    cudaMemcpy(o, dout, sizeof o, cudaMemcpyDeviceToHost);
    cudaMemcpy(q, dq, sizeof q, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        int quotient, single;
        expect("remquo", x[i], o[4 * i], remquo(x[i], y[i], &quotient), 0);
        expect("remquof", x[i], o[4 * i + 1], remquof((float)x[i], (float)y[i], &single), 0);
        expect("scalbln", x[i], o[4 * i + 2], scalbln(x[i], (long)(i - 100)), 0);
        expect("scalblnf", y[i], o[4 * i + 3], scalblnf((float)y[i], (long)(i - 100)), 0);
        bad += (quotient - q[2 * i]) % 8 != 0 || (single - q[2 * i + 1]) % 8 != 0;
    }
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dout);
    cudaFree(dq);
}

__global__ void names(float *o)
{
    float s, c, x = 4;
    int quotient;
    sincos(x - x, &s, &c);
    o[0] = s + c + rsqrt(x) + rcbrt(x + x) + exp10(x - 2) + sinpi(x / 8) + normcdf(x - x) +
           erfcx(x - x) + erfinv(x - x);
    sincospi(x, &s, &c);
    o[1] = s + c + sizeof(rsqrt(x)) + sizeof(rsqrt(4.0)) + cospi(x);
    o[2] = isnan(nan("")) && isnan(nanf("")) && std::isnan(std::nan("7")) &&
           isnan(remquo(NAN, 1.0f, &quotient));
}
static void try_names()
{
    float o[3], *dout;
    cudaMalloc(&dout, sizeof o);
    names<<<1, 1>>>(dout);
    cudaMemcpy(o, dout, sizeof o, cudaMemcpyDeviceToHost);
    expect("names", 0, o[0], 0 + 1 + .5 + .5 + 100 + 1 + .5 + 1 + 0, 4, true);
    expect("names", 1, o[1], 0 + 1 + 4 + 8 + 1, 0, true);
    expect("names", 2, o[2], 1, 0, true);
    cudaFree(dout);
}

/* What CUDA has on both sides, and a rounding that shows. */
__host__ __device__ double on_both(float x)
{
    return rsqrtf(x) + rsqrt(x) + rcbrtf(2 * x) + sinpi(0.5) + cospif(1.0f) + normcdf(0.0) +
           rsqrt(4.0);
}
__global__ void sides(double *o, double x)
{
    o[0] = on_both(4);
    o[1] = __ddiv_ru(1, x) - __ddiv_rd(1, x);
    o[2] = __dsqrt_rn(2) - sqrt(2.0) + __drcp_rz(x) - 1 / x;
}
static void try_sides()
{
    double o[3], *dout;
    cudaMalloc(&dout, sizeof o);
    sides<<<1, 1>>>(dout, 3);
    cudaMemcpy(o, dout, sizeof o, cudaMemcpyDeviceToHost);
    expect("on both sides", 4, on_both(4), 0.5 + 0.5 + 0.5 + 1 - 1 + 0.5 + 0.5, 1);
    expect("on both sides", 4, o[0], on_both(4), 1);
    expect("rounded", 3, o[1], ldexp(1, -54), 0);
    expect("rounded", 3, o[2], 0, 0);
    cudaFree(dout);
}

/* Each rounding of CUDA's against the host's, which it is told to take. */
#define MODES(X) X(rn, FE_TONEAREST) X(rz, FE_TOWARDZERO) X(ru, FE_UPWARD) X(rd, FE_DOWNWARD)
enum { ROUNDED = 25 };
#define ROUND(mode, host)                                                                          \
    __global__ void round_##mode(double x, double y, double *o)                                    \
    {                                                                                              \
        float f = (float)x, g = (float)y;                                                          \
        const long long l = (1ll << 62) + 1;                                                       \
        const double r[ROUNDED] = {                                                                \
            __fadd_##mode(f, g),                                                                   \
            __fsub_##mode(f, g),                                                                   \
            __fmul_##mode(f, g),                                                                   \
            __fdiv_##mode(f, g),                                                                   \
            __fmaf_##mode(f, g, f),                                                                \
            __fsqrt_##mode(f),                                                                     \
            __frcp_##mode(g),                                                                      \
            __dadd_##mode(x, y),                                                                   \
            __dsub_##mode(x, y),                                                                   \
            __dmul_##mode(x, y),                                                                   \
            __ddiv_##mode(x, y),                                                                   \
            __fma_##mode(x, y, x),                                                                 \
            __dsqrt_##mode(x),                                                                     \
            __drcp_##mode(y),                                                                      \
            __double2float_##mode(x),                                                              \
            __int2float_##mode((1 << 30) + 1),                                                     \
            __uint2float_##mode((1u << 31) + 1),                                                   \
            __ll2float_##mode(l),                                                                  \
            __ull2float_##mode(l),                                                                 \
            __ll2double_##mode(l),                                                                 \
            __ull2double_##mode(l),                                                                \
            (double)__float2int_##mode(-f),                                                        \
            (double)__double2int_##mode(-x),                                                       \
            (double)__float2ll_##mode(f),                                                          \
            (double)__double2ull_##mode(x),                                                        \
        };                                                                                         \
        for (int k = 0; k < ROUNDED; k++)                                                          \
            o[k] = r[k];                                                                           \
    }
MODES(ROUND)
static void round_on_host(volatile double x, volatile double y, double *o)
{
    volatile float f, g, a;
    volatile int i = (1 << 30) + 1;
    volatile unsigned u = (1u << 31) + 1;
    volatile long long l = (1ll << 62) + 1;
    int mode = fegetround(), k = 0;
    fesetround(FE_TONEAREST);
    f = (float)x, g = (float)y;
    fesetround(mode);
    a = f + g, o[k++] = a;
    a = f - g, o[k++] = a;
    a = f * g, o[k++] = a;
    a = f / g, o[k++] = a;
    a = fmaf(f, g, f), o[k++] = a;
    a = sqrtf(f), o[k++] = a;
    a = 1 / g, o[k++] = a;
    o[k++] = x + y;
    o[k++] = x - y;
    o[k++] = x * y;
    o[k++] = x / y;
    o[k++] = fma(x, y, x);
    o[k++] = sqrt(x);
    o[k++] = 1 / y;
    a = (float)x, o[k++] = a;
    a = (float)i, o[k++] = a;
    a = (float)u, o[k++] = a;
    a = (float)l, o[k++] = a;
    o[k] = o[k - 1], k++;
    o[k++] = (double)l;
    o[k] = o[k - 1], k++;
    volatile double less = -f; /* and lrint: compilers make rint of the number without its sign */
    o[k++] = (double)lrint(less);
    less = -x, o[k++] = (double)lrint(less);
    o[k++] = (double)lrint((double)f);
    o[k++] = (double)lrint(x);
}
static void try_rounding()
{
    double o[ROUNDED], want[ROUNDED], *dout;
    cudaMalloc(&dout, sizeof o);
    for (int n = 1; n < 20; n++) {
        const double x = 1.7 * n, y = 0.3 + n / 7.0;
#define TRY(mode, host)                                                                            \
    round_##mode<<<1, 1>>>(x, y, dout);                                                            \
    cudaMemcpy(o, dout, sizeof o, cudaMemcpyDeviceToHost);                                         \
    fesetround(host);                                                                              \
    round_on_host(x, y, want);                                                                     \
    fesetround(FE_TONEAREST);                                                                      \
    for (int k = 0; k < ROUNDED; k++)                                                              \
        expect("rounding " #mode, k, o[k], want[k], 0);
        MODES(TRY)
    }
    cudaFree(dout);
}

int main()
{
    try_sides();
    try_rounding();
    try_lengths();
    try_inverses();
    try_quotients();
    try_names();
    printf("%s\n", bad ? "FAIL" : "PASS");
}
