/*
 * speed.h: what the files of gpu_speed share: the device's memory, samples of time taken in turn,
 * and rows of the CSV. One file a lab: it makes its data, calls the bonus solution and its peers in
 * turn, compares what they answer, and tells the times. speed.cu has main, which lists the files.
 */
#ifndef SPEED_H
#define SPEED_H

#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

enum { REPETITIONS = 11, MOST_LOG = 28, WORDS = 6, BLOCKS = 2048, THREADS = 256 };

/* word, byte: arrays of 2^MOST_LOG each; d_temp: for what a peer needs, temp_bytes of it. */
struct memory {
    int *word[WORDS];
    unsigned char *byte[2];
    long long *d_count;
    int *d_peer_count;
    unsigned long long *d_wrong;
    void *d_flush, *d_temp;
    size_t flush_bytes, temp_bytes;
    cudaEvent_t begin, end;
};

struct samples {
    std::vector<float> us;
};

/* The files; each goes through its own problems and sizes. */
void time_compaction(const memory &m);
void time_picture(const memory &m);
void time_segments(const memory &m);
void time_sort(const memory &m);

/* Ends the program with 3 where CUDA failed. */
void ok(cudaError_t error, const char *what);

/* The run between two events, with a cold cache. into: NULL where it is not to count. */
template <typename F> static void sample(const memory &m, samples *into, F run)
{
    float ms;

    ok(cudaMemsetAsync(m.d_flush, 1, m.flush_bytes), "flush");
    ok(cudaEventRecord(m.begin), "event");
    run();
    ok(cudaEventRecord(m.end), "event");
    ok(cudaEventSynchronize(m.end), "run");
    ok(cudaGetLastError(), "launch");
    ok(cudaEventElapsedTime(&ms, m.begin, m.end), "time");
    if (into)
        into->us.push_back(1000 * ms);
}

/* Called `rounds` times and once before; in that first round answers are compared. */
template <typename F> static void in_turn(int rounds, F round)
{
    for (int r = -1; r < rounds; r++)
        round(r < 0);
}

/* How many of n words are not the same; as floats, 0 is -0. */
unsigned long long differences(const memory &m, const void *d_a, const void *d_b, long long n,
                               bool floats = false);

/* A row of the CSV: the median, least and most of the samples, GB/s of the bytes that must move. */
void put(const std::string &what, const char *who, long long n, samples s, double bytes);

/* An answer was wrong: said, counted, and no row. */
void put_wrong(const std::string &what, long long n);

/* Rows `speed`, `peer` and `copy`, the last of 4n bytes to as many; or wrong. */
void put_beside(const std::string &what, const char *peer, long long n, double bytes,
                const samples &mine, const samples &peers, const samples &copy, bool wrong);

/* ---- data ------------------------------------------------------------------------------------ */

static __host__ __device__ unsigned hash(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return (unsigned)(x >> 32);
}

#define EACH(i, n)                                                                                 \
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;                    \
         i += (long long)gridDim.x * blockDim.x)

#endif
