/*
 * words.cu: see words.h. Aligned memory is filled 16 bytes a thread in a loop over the grid; ends,
 * and memory that does not lie at a multiple of 16, byte by byte. globaltimer counts nanoseconds,
 * in steps of up to a microsecond: a wait is as long as asked for, or a little longer.
 */
#include "words.h"

#include <cuda_runtime.h>
#include <stdint.h>

enum { THREADS = 256, MOST_BLOCKS = 4096 };

__global__ void fill_rows(uint4 *d_to, size_t rows, unsigned word)
{
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < rows;
         i += gridDim.x * (size_t)THREADS)
        d_to[i] = make_uint4(word, word, word, word);
}

/* Byte i of a row of words, from `first` on. */
__global__ void fill_bytes(unsigned char *d_to, size_t first, size_t bytes, unsigned word)
{
    for (size_t i = first + blockIdx.x * (size_t)THREADS + threadIdx.x; i < bytes;
         i += gridDim.x * (size_t)THREADS)
        d_to[i] = (unsigned char)(word >> (8 * (i % 4)));
}

static unsigned blocks_for(size_t items)
{
    const size_t blocks = (items + THREADS - 1) / THREADS;
    return blocks < MOST_BLOCKS ? (unsigned)blocks : MOST_BLOCKS;
}

extern "C" int gpu_fill_words(void *d_to, size_t bytes, unsigned word)
{
    const size_t rows = (uintptr_t)d_to % 16 == 0 ? bytes / 16 : 0, rest = bytes - 16 * rows;

    if (rows > 0)
        fill_rows<<<blocks_for(rows), THREADS>>>((uint4 *)d_to, rows, word);
    if (rest > 0)
        fill_bytes<<<blocks_for(rest), THREADS>>>((unsigned char *)d_to, 16 * rows, bytes, word);
    return (int)cudaGetLastError();
}

__global__ void pass_time(unsigned long long nanoseconds)
{
    unsigned long long begin, now;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < nanoseconds);
}

extern "C" int gpu_pass_time(unsigned microseconds)
{
    pass_time<<<1, 1>>>(1000ull * (microseconds < 1000000 ? microseconds : 1000000));
    return (int)cudaGetLastError();
}
