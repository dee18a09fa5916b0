/*
 * check.h: what the .cu tests share. A line for every comparison that fails, a summary, and the
 * exit code. Plain CUDA C++, so that the same file runs on a GPU: nvcc -o errors errors.cu &&
 * ./errors
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <string.h>

static int checks_done, checks_failed;

static void check_int(const char *what, long long expected, long long got)
{
    checks_done++;
    if (expected == got)
        return;
    checks_failed++;
    printf("%-60s expected %lld, got %lld\n", what, expected, got);
}

static void check_text(const char *what, const char *expected, const char *got)
{
    checks_done++;
    if (strcmp(expected, got) == 0)
        return;
    checks_failed++;
    printf("%-60s expected \"%s\", got \"%s\"\n", what, expected, got);
}

static void check_near(const char *what, double expected, double got, double tolerance)
{
    checks_done++;
    if (got - expected <= tolerance && expected - got <= tolerance)
        return;
    checks_failed++;
    printf("%-60s expected %.9g within %.3g, got %.9g\n", what, expected, tolerance, got);
}

static int check_report(const char *program)
{
    printf("%s: %d checks, %d failed\n", program, checks_done, checks_failed);
    fflush(stdout);
    (void)check_text, (void)check_near, (void)check_int;
    return checks_done == 0 || checks_failed != 0;
}

#endif
