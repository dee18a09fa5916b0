/*
 * compare.h: compares every element of an output with what is expected, on the device.
 */
#ifndef GPU_BENCH_COMPARE_H
#define GPU_BENCH_COMPARE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* floats: NaN is never right, -0 is 0 */
typedef enum compare_kind { COMPARE_WORDS_4, COMPARE_WORDS_8, COMPARE_FLOATS } compare_kind;

/* first: the least index of a wrong one */
typedef struct compare_result {
    unsigned long long wrong, first;
} compare_result;

/* Adds to *d_result, in device memory, where got[i] is not expected[i % period], for i < length.
   Does not wait for the kernel. 0, or CUDA's number of what failed. */
int compare_on_device(compare_kind kind, const void *d_expected, size_t period, const void *d_got,
                      size_t length, compare_result *d_result);

/* Sets a result to none wrong, first = ~0. Does not wait for it. */
int compare_clear(compare_result *d_result);

#ifdef __cplusplus
}
#endif

#endif
