/*
 * words.h: kernels that measuring needs: fill memory with a word, pass time. They are launched on
 * the default stream and not waited for; 0 is cudaSuccess, else CUDA's number for what failed.
 */
#ifndef GPU_WORDS_H
#define GPU_WORDS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills `bytes` bytes at d_to, which is aligned to 4 bytes or not; a word that does not fit is cut.
   Every byte has the value that it would have if words stood from d_to on. */
int gpu_fill_words(void *d_to, size_t bytes, unsigned word);

/* One thread that keeps the device busy for this long by its own clock, so that the host can queue
   behind it what is to be timed. At most 1 s. */
int gpu_pass_time(unsigned microseconds);

#ifdef __cplusplus
}
#endif

#endif
