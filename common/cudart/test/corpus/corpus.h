/*
 * corpus.h: what the programs of the corpus share: inputs, arrays on the device, comparison. Plain CUDA C++: they run on a GPU as well.
 */
#ifndef CORPUS_H
#define CORPUS_H

#include <cuda_runtime.h>
#include <stdlib.h>

#include "../check.h"

/* Small values below and above zero, the same at each run. */
static int drawn(unsigned i)
{
    i = (i ^ 61) ^ i >> 16;
    i *= 9;
    i ^= i >> 4;
    i *= 0x27d4eb2d;
    return (int)((i ^ i >> 15) % 2001) - 1000;
}

template <typename T> static T *on_device(const T *from, int n)
{
    T *d_data;
    check_int("cudaMalloc", 0, cudaMalloc(&d_data, (n ? n : 1) * sizeof(T)));
    if (from)
        check_int("cudaMemcpy", 0, cudaMemcpy(d_data, from, n * sizeof(T), cudaMemcpyHostToDevice));
    else
        check_int("cudaMemset", 0, cudaMemset(d_data, 0, (n ? n : 1) * sizeof(T)));
    return d_data;
}

/* Compares n elements with what is expected, and frees them. */
template <typename T> static void compare(const char *what, const T *expected, T *d_got, int n)
{
    T *got = (T *)malloc((n ? n : 1) * sizeof(T));
    int wrong = 0, first = -1;
    check_int(what, 0, cudaMemcpy(got, d_got, n * sizeof(T), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        if (memcmp(&expected[i], &got[i], sizeof(T)) != 0 && wrong++ == 0)
            first = i;
    check_int(what, 0, wrong);
    if (wrong)
        printf("    first at %d: expected %.9g, got %.9g\n", first, (double)expected[first], (double)got[first]);
    free(got);
    check_int(what, 0, cudaFree(d_got));
}

#endif
