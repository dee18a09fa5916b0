/*
 * approx.c: see approx.h. Section numbers change from one edition of the manual to the next, names
 * do not: all are of "Floating Point Instructions".
 */
#include "approx.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* The distance from one float of x's size to the next; that of the smallest ones below them. */
static double ulp32(double x)
{
    int exponent;
    frexp(x, &exponent);
    return !isfinite(x) ? 0 : ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
}

static double relative(double bits, double exact)
{
    return isfinite(exact) ? fabs(exact) * exp2(-bits) : 0;
}

/* "div": 2 ulp; of approx where |b| is in [2^-126, 2^126]. Larger b give 0, smaller ones are not
   mentioned. */
static double div_error(double a, double b, double exact)
{
    (void)a;
    return fabs(b) < 0x1p-126 || fabs(b) > 0x1p126 ? -1 : 2 * ulp32(exact);
}

static double full_error(double a, double b, double exact)
{
    (void)a, (void)b;
    return 2 * ulp32(exact);
}

/* "rcp": one ulp over the full range */
static double rcp_error(double a, double b, double exact)
{
    (void)a, (void)b;
    return ulp32(exact);
}

/* "rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64": gross, from the upper 32 bits of the operand; no
   bound is given: 20 bits of it are mantissa, of which the 2^-20 follow */
static double gross_error(double a, double b, double exact)
{
    (void)a, (void)b;
    return relative(19, exact);
}

/* "sqrt": relative 2^-23 */
static double sqrt_error(double a, double b, double exact)
{
    (void)a, (void)b;
    return relative(23, exact);
}

/* "rsqrt": relative 2^-22.9 */
static double rsqrt_error(double a, double b, double exact)
{
    (void)a, (void)b;
    return relative(22.9, exact);
}

/* "sin", "cos": absolute, 2^-20.5 in [-2 pi, 2 pi], 2^-14.7 in [-100 pi, 100 pi] */
static double circle_error(double a, double b, double exact)
{
    (void)b, (void)exact;
    return !isfinite(a)          ? 0
           : fabs(a) <= 2 * pi   ? exp2(-20.5)
           : fabs(a) <= 100 * pi ? exp2(-14.7)
                                 : -1;
}

/* "lg2": absolute 2^-22 in (0.5, 2), relative 2^-22.6 elsewhere */
static double lg2_error(double a, double b, double exact)
{
    (void)b;
    return a > 0.5 && a < 2 ? exp2(-22) : relative(22.6, exact);
}

/* "ex2": relative 2^-22.5 and, where the argument is large, what its rounding makes of it: 2 ulp +
   2^-22 */
static double ex2_error(double a, double b, double exact)
{
    (void)a, (void)b;
    return 2 * ulp32(exact);
}

/* "tanh": relative 2^-11 */
static double tanh_error(double a, double b, double exact)
{
    (void)a, (void)b;
    return relative(11, exact);
}

/* The first that begins an instruction is its row. */
static const struct {
    const char *begins;
    double (*error)(double a, double b, double exact);
} table[] = {
    { "div.approx", div_error },           { "div.full", full_error },
    { "rcp.approx.ftz.f64", gross_error }, { "rsqrt.approx.ftz.f64", gross_error },
    { "rcp.approx", rcp_error },           { "sqrt.approx", sqrt_error },
    { "rsqrt.approx", rsqrt_error },       { "sin.approx", circle_error },
    { "cos.approx", circle_error },        { "lg2.approx", lg2_error },
    { "ex2.approx", ex2_error },           { "tanh.approx", tanh_error },
};
_Static_assert(sizeof table / sizeof *table == APPROX_COUNT, "approx.h says how many");

int approx_index(const char *instruction)
{
    for (int i = 0; i < APPROX_COUNT; i++)
        if (!strncmp(instruction, table[i].begins, strlen(table[i].begins)))
            return i;
    return -1;
}

const char *approx_name(int index) { return table[index].begins; }
double approx_allowed(int index, double a, double b, double exact)
{
    return table[index].error(a, b, exact);
}
