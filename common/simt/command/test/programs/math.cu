/*
 * math.cu: mathematics of <math.h> in float and double, against the host's long double.
 */
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <stdlib.h>
#define N 200
#define FS(X)                                                                                                          \
    X(sinf)                                                                                                            \
    X(cosf) X(tanf) X(asinf) X(acosf) X(atanf) X(sinhf) X(coshf) X(tanhf) X(asinhf) X(acoshf) X(atanhf) X(expf)        \
        X(exp2f) X(exp10f_) X(expm1f) X(logf) X(log2f) X(log10f) X(log1pf) X(sqrtf) X(cbrtf) X(erff) X(erfcf)          \
            X(lgammaf) X(tgammaf) X(floorf) X(ceilf) X(rintf) X(roundf) X(truncf) X(nearbyintf) X(fabsf) X(logbf)
#define DS(X)                                                                                                          \
    X(sin)                                                                                                             \
    X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(exp) X(exp2) X(exp10_)  \
        X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(cbrt) X(erf) X(erfc) X(lgamma) X(tgamma) X(floor) X(ceil)  \
            X(rint) X(round) X(trunc) X(nearbyint) X(fabs) X(logb)
#define F2(X) X(powf) X(atan2f) X(fmodf) X(hypotf) X(fminf) X(fmaxf) X(copysignf) X(fdimf) X(remainderf) X(nextafterf)
#define D2(X) X(pow) X(atan2) X(fmod) X(hypot) X(fmin) X(fmax) X(copysign) X(fdim) X(remainder) X(nextafter)
__host__ __device__ float exp10f_(float x)
{
    return powf(10.0f, x);
}
__host__ __device__ double exp10_(double x)
{
    return pow(10.0, x);
}
#define K1F(f)                                                                                                         \
    __global__ void k_##f(const float *x, float *o)                                                                    \
    {                                                                                                                  \
        int i = threadIdx.x;                                                                                           \
        if (i < N)                                                                                                     \
            o[i] = f(x[i]);                                                                                            \
    }
#define K1D(f)                                                                                                         \
    __global__ void d_##f(const double *x, double *o)                                                                  \
    {                                                                                                                  \
        int i = threadIdx.x;                                                                                           \
        if (i < N)                                                                                                     \
            o[i] = f(x[i]);                                                                                            \
    }
#define K2F(f)                                                                                                         \
    __global__ void k_##f(const float *x, float *o)                                                                    \
    {                                                                                                                  \
        int i = threadIdx.x;                                                                                           \
        if (i < N)                                                                                                     \
            o[i] = f(x[i], x[N - 1 - i]);                                                                              \
    }
#define K2D(f)                                                                                                         \
    __global__ void d_##f(const double *x, double *o)                                                                  \
    {                                                                                                                  \
        int i = threadIdx.x;                                                                                           \
        if (i < N)                                                                                                     \
            o[i] = f(x[i], x[N - 1 - i]);                                                                              \
    }
/* Integers are taken for doubles. */
__global__ void of_integers(double *o)
{
    int n = 2;
    unsigned u = 9;
    long long l = 3;
    o[0] = sqrt(u) + pow(2, n) + pow(2.0f, n) + exp(n - 2) + std::sin(n - 2) + fabs(l - 4) + abs(-2.5) + abs(-1.5f) +
           ldexp(1.5, n) + std::max(1, n) + __sinf(0.0f) + __fdividef(6, 2) + sinpi(0.5) + rsqrt(4.0) + cospif(1.0f);
    double s, c;
    sincos(0.0, &s, &c);
    int e;
    o[0] += s + c + frexp(8.0, &e) + e + isnan(s) + isinf(c) + isfinite(c) + signbit(-c) + (float)M_PI * 0;
}
FS(K1F) DS(K1D) F2(K2F) D2(K2D) static float xf[N], of[N], *dxf, *dof;
static double xd[N], od[N], *dxd, *dod;
int bad;
double ulpf(float a, double b)
{
    if (isnan(a) && isnan(b))
        return 0;
    if (a == (float)b)
        return 0;
    float w = (float)b;
    return fabs(a - b) / (double)fmaxf(fabsf(nextafterf(w, INFINITY) - w), 1.5e-45f);
}
double ulpd(double a, long double b)
{
    if (isnan(a) && isnan(b))
        return 0;
    if (a == (double)b)
        return 0;
    double w = (double)b;
    return (double)(fabsl(a - b) / fmaxl(fabsl(nextafter(w, INFINITY) - w), 5e-324L));
}
template <class F>
void tf(const char *n, void (*k)(const float *, float *), F ref)
{
    k<<<1, 256>>>(dxf, dof);
    cudaMemcpy(of, dof, sizeof of, cudaMemcpyDeviceToHost);
    double worst = 0;
    int at = 0;
    for (int i = 0; i < N; i++) {
        double u = ulpf(of[i], ref(i));
        if (!(u <= worst))
            worst = u, at = i;
    }
    if (!(worst <= 1)) {
        bad++;
        printf("%s: %.3g ulp at x=%.9g: %.9g not %.9g\n", n, worst, xf[at], of[at], (double)ref(at));
    }
}
template <class F>
void td(const char *n, void (*k)(const double *, double *), F ref)
{
    k<<<1, 256>>>(dxd, dod);
    cudaMemcpy(od, dod, sizeof od, cudaMemcpyDeviceToHost);
    double worst = 0;
    int at = 0;
    for (int i = 0; i < N; i++) {
        double u = ulpd(od[i], ref(i));
        if (!strcmp(n, "lgamma") && fabsl(od[i] - ref(i)) < 1e-15 * (1 + fabsl(ref(i))))
            u = 0;
        if (!(u <= worst))
            worst = u, at = i;
    }
    if (!(worst <= (strcmp(n, "tgamma") ? 3 : 10))) {
        bad++;
        printf("%s: %.3g ulp at x=%.17g: %.17g not %.17Lg\n", n, worst, xd[at], od[at], (long double)ref(at));
    }
}
int main()
{
    for (int i = 0; i < N; i++) {
        double v = i < 20    ? (i - 10) * .1
                   : i < 100 ? (i - 60) * .37
                   : i < 150 ? exp((i - 125) * .6)
                   : i < 190 ? -exp((i - 170) * .5)
                             : 0;
        xd[i] = v;
    }
    double sp[10] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 1e-310, 2.5, 1e300};
    for (int i = 0; i < 10; i++)
        xd[190 + i] = sp[i];
    for (int i = 0; i < N; i++)
        xf[i] = (float)xd[i];
    cudaMalloc(&dxf, sizeof xf);
    cudaMalloc(&dof, sizeof xf);
    cudaMalloc(&dxd, sizeof xd);
    cudaMalloc(&dod, sizeof xd);
    cudaMemcpy(dxf, xf, sizeof xf, cudaMemcpyHostToDevice);
    cudaMemcpy(dxd, xd, sizeof xd, cudaMemcpyHostToDevice);
#define exp10_l(x) powl(10, x)
#define R1F(f) tf(#f, k_##f, [](int i) { return (double)f##_ref((double)xf[i]); });
#define sinf_ref sin
#define cosf_ref cos
#define tanf_ref tan
#define asinf_ref asin
#define acosf_ref acos
#define atanf_ref atan
#define sinhf_ref sinh
#define coshf_ref cosh
#define tanhf_ref tanh
#define asinhf_ref asinh
#define acoshf_ref acosh
#define atanhf_ref atanh
#define expf_ref exp
#define exp2f_ref exp2
#define exp10f__ref(x) pow(10., x)
#define expm1f_ref expm1
#define logf_ref log
#define log2f_ref log2
#define log10f_ref log10
#define log1pf_ref log1p
#define sqrtf_ref sqrt
#define cbrtf_ref cbrt
#define erff_ref erf
#define erfcf_ref erfc
#define lgammaf_ref lgamma
#define tgammaf_ref tgamma
#define floorf_ref floor
#define ceilf_ref ceil
#define rintf_ref rint
#define roundf_ref round
#define truncf_ref trunc
#define nearbyintf_ref nearbyint
#define fabsf_ref fabs
#define logbf_ref logb
#define R1D(f) td(#f, d_##f, [](int i) { return f##l((long double)xd[i]); });
#define R2F(f) tf(#f, k_##f, [](int i) { return (double)(f)(xf[i], xf[N - 1 - i]); });
#define R2D(f) td(#f, d_##f, [](int i) { return f##l((long double)xd[i], (long double)xd[N - 1 - i]); });
#define nextafterl(a, b) nextafter((double)(a), (double)(b))
#define logbl logbl
    FS(R1F) DS(R1D) F2(R2F) D2(R2D) of_integers<<<1, 1>>>(dod);
    cudaMemcpy(od, dod, 8, cudaMemcpyDeviceToHost);
    double want = 3 + 4 + 4 + 1 + 0 + 1 + 2.5 + 1.5 + 6 + 2 + 0 + 3 + 1 + .5 - 1 + 0 + 1 + .5 + 4 + 0 + 0 + 1 + 1;
    if (od[0] != want)
        printf("of integers: %g not %g\n", od[0], want), bad++;
    printf("%s\n", bad ? "FAIL" : "PASS");
    cudaFree(dxf);
    cudaFree(dof);
    cudaFree(dxd);
    cudaFree(dod);
}
