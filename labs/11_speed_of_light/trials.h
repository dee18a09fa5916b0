/*
 * trials.h: how the grader tries what speed_of_light.h promises of the entries with a stream and a
 * workspace: the *_tried_on of that header, which includes this file at its end. The kit's own: it
 * only calls what a submission defines, and copies nothing to the host.
 *
 * d_kept[k] is 1 where promise k was kept (speed_promise), 0 where not.
 */
#ifndef TRIALS_H
#define TRIALS_H

#include <cuda_runtime.h>

/* a submission may lack them: that is a promise not kept, and no error of the linker */
extern "C" {
bool speed_i32_on(void *, size_t, const int *, int *, long long, cudaStream_t)
    __attribute__((weak));
bool speed_f32_on(void *, size_t, const float *, float *, long long, cudaStream_t)
    __attribute__((weak));
bool speed_i64_on(void *, size_t, const long long *, long long *, long long, cudaStream_t)
    __attribute__((weak));
size_t speed_workspace_bytes(long long, size_t) __attribute__((weak));
}

typedef struct trial_flags {
    bool kept[SPEED_PROMISES];
} trial_flags;

/* Where nothing was seen to the contrary in device memory, what the host has seen. */
static __global__ void trial_tell(trial_flags flags, int *d_kept)
{
    if (threadIdx.x < SPEED_PROMISES)
        d_kept[threadIdx.x] = d_kept[threadIdx.x] != 0 && flags.kept[threadIdx.x];
}

/* The promise is not kept if a byte is not `expected`. */
static __global__ void trial_look(const void *d_bytes, size_t count, unsigned char expected,
                                  int *d_kept, int promise)
{
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        if (((const unsigned char *)d_bytes)[i] != expected)
            atomicAnd(&d_kept[promise], 0);
}

/* 0 where it is not known: a GPU has other users, and loads its modules when they are needed. */
static size_t trial_free_bytes(void)
{
    size_t bytes = 0;
#ifdef SCANLAB_ENGINE
    size_t all;

    cudaMemGetInfo(&bytes, &all);
#endif
    return bytes;
}

/* Enough for what is shorter, too? */
static bool trial_covers_shorter(size_t room, long long n, size_t size)
{
    return speed_workspace_bytes(n - 1, size) <= room &&
           speed_workspace_bytes(n / 2, size) <= room && speed_workspace_bytes(1, size) <= room;
}

template <typename T>
using trial_scan = bool(void *, size_t, const T *, T *, long long, cudaStream_t);

/* A launch on a stream that is gone fails: one on another stream does not. Only the engine may be
   asked. */
template <typename T>
static bool trial_uses_stream(trial_scan<T> *scan_on, void *d_workspace, size_t room, const T *d_in,
                              T *d_out, long long n)
{
#ifdef SCANLAB_ENGINE
    cudaStream_t gone;

    if (cudaStreamCreate(&gone) != cudaSuccess || cudaStreamDestroy(gone) != cudaSuccess)
        return false;
    const bool refused = !scan_on(d_workspace, room, d_in, d_out, n, gone);
    cudaGetLastError();
    return refused;
#else
    return true;
#endif
}

/* With too little room; with enough; and again in the same workspace, shorter and in place. */
template <typename T>
static void trial_calls(trial_scan<T> *scan_on, void *d_workspace, size_t room, const T *d_in,
                        T *d_out, T *d_again, int *d_kept, long long n, cudaStream_t stream,
                        trial_flags *flags)
{
    const long long fewer = n - n / 3;
    const unsigned char mark = 0x5a;
    const size_t free_before = trial_free_bytes();

    cudaMemsetAsync(d_workspace, 0, room, stream);
    cudaMemsetAsync(d_out, mark, n * sizeof *d_out, stream);
    flags->kept[SPEED_REFUSES] = !scan_on(d_workspace, room - 1, d_in, d_out, n, stream);
    cudaGetLastError();
    trial_look<<<1, 256, 0, stream>>>(d_workspace, room, 0, d_kept, SPEED_REFUSES_UNTOUCHED);
    trial_look<<<1, 256, 0, stream>>>(d_out, n * sizeof *d_out, mark, d_kept,
                                      SPEED_REFUSES_UNTOUCHED);
    flags->kept[SPEED_ACCEPTS] = scan_on(d_workspace, room, d_in, d_out, n, stream);
    cudaMemcpyAsync(d_again, d_in, fewer * sizeof *d_in, cudaMemcpyDeviceToDevice, stream);
    flags->kept[SPEED_ACCEPTS_AGAIN] = scan_on(d_workspace, room, d_again, d_again, fewer, stream);
    flags->kept[SPEED_ACCEPTS_NONE] = scan_on(d_workspace, room, d_in, d_out, 0, stream);
    flags->kept[SPEED_NO_MEMORY] = trial_free_bytes() == free_before;
    flags->kept[SPEED_ON_STREAM] = trial_uses_stream<T>(scan_on, d_workspace, room, d_in, d_out, n);
}

template <typename T>
static void trial_entry(trial_scan<T> *scan_on, const T *d_in, T *d_out, T *d_again, int *d_kept,
                        long long n)
{
    trial_flags flags = { { false } };
    void *d_workspace = NULL;
    cudaStream_t stream = 0;

    if (n <= 0) {
        if (scan_on)
            scan_on(NULL, 0, d_in, d_out, 0, 0);
        return;
    }
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        return;
    cudaMemsetAsync(d_kept, 0xff, SPEED_PROMISES * sizeof *d_kept, stream);
    flags.kept[SPEED_DEFINED] = scan_on && speed_workspace_bytes;
    flags.kept[SPEED_REFUSES_UNTOUCHED] = true;
    if (flags.kept[SPEED_DEFINED]) {
        const size_t room = speed_workspace_bytes(n, sizeof *d_in),
                     most = SPEED_WORKSPACE_BYTES + n * sizeof *d_in / SPEED_WORKSPACE_SHARE;
        flags.kept[SPEED_MODEST] = room <= most;
        flags.kept[SPEED_COVERS_SHORTER] = trial_covers_shorter(room, n, sizeof *d_in);
        if (room > 0 && cudaMalloc(&d_workspace, room) == cudaSuccess)
            trial_calls<T>(scan_on, d_workspace, room, d_in, d_out, d_again, d_kept, n, stream,
                           &flags);
    }
    trial_tell<<<1, 32, 0, stream>>>(flags, d_kept);
    cudaStreamDestroy(stream);
    cudaFree(d_workspace);
}

/* weak: several files of a program may include the contract */
#define TRIED_ON(type, name)                                                                       \
    extern "C" __attribute__((weak)) void name##_tried_on(const type *d_in, int *d_kept,           \
                                                          type *d_out, type *d_again, long long n) \
    {                                                                                              \
        trial_entry<type>(name##_on, d_in, d_out, d_again, d_kept, n);                             \
    }

TRIED_ON(int, speed_i32)
TRIED_ON(float, speed_f32)
TRIED_ON(long long, speed_i64)

#endif
