/*
 * sort.cu: bitonic sort in shared memory, and least-significant-digit radix sort by match and ranks within a block.
 */
#include "corpus.h"

enum { N = 1024, THREADS = 256, DIGITS = 16 };

template <typename T> __global__ void sort_bitonic(T *data)
{
    __shared__ T s_data[N];
    for (int i = threadIdx.x; i < N; i += THREADS)
        s_data[i] = data[i];
    for (int size = 2; size <= N; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            for (int i = threadIdx.x; i < N; i += THREADS) {
                int other = i ^ step;
                T a = s_data[i], b = s_data[other < N ? other : i];
                if (other > i && (a > b) == ((i & size) == 0)) {
                    s_data[i] = b;
                    s_data[other] = a;
                }
            }
            __syncthreads();
        }
    for (int i = threadIdx.x; i < N; i += THREADS)
        data[i] = s_data[i];
}

/* One warp: digits of 4 bits; lanes with the same digit know each other by match. */
__global__ void sort_radix(unsigned *keys, unsigned *room)
{
    __shared__ unsigned s_start[DIGITS];
    unsigned lane = threadIdx.x;
    for (int shift = 0; shift < 32; shift += 4) {
        if (lane < DIGITS)
            s_start[lane] = 0;
        __syncwarp();
        for (unsigned i = lane; i < N; i += 32)
            atomicAdd(&s_start[keys[i] >> shift & 15], 1u);
        __syncwarp();
        unsigned count = lane < DIGITS ? s_start[lane] : 0, sum = count;
        for (int step = 1; step < DIGITS; step *= 2) {
            unsigned left = __shfl_up_sync(~0u, sum, step);
            if (lane >= step)
                sum += left;
        }
        __syncwarp();
        if (lane < DIGITS)
            s_start[lane] = sum - count;
        __syncwarp();
        for (unsigned i = lane; i < N; i += 32) {
            unsigned key = keys[i], digit = key >> shift & 15;
            unsigned same = __match_any_sync(~0u, digit), before = __popc(same & ((1u << lane) - 1));
            unsigned start = s_start[digit];
            __syncwarp();
            if (before == 0)
                s_start[digit] = start + __popc(same);
            room[start + before] = key;
            __syncwarp();
        }
        unsigned *done = room;
        room = keys;
        keys = done;
    }
}

template <typename T> static int ascending(const void *a, const void *b)
{
    T x = *(const T *)a, y = *(const T *)b;
    return x < y ? -1 : x > y;
}

template <typename T> static void try_bitonic(const char *what, T scale)
{
    T in[N];
    for (int i = 0; i < N; i++)
        in[i] = (T)drawn(i) * scale;
    T *d_data = on_device(in, N);
    sort_bitonic<<<1, THREADS>>>(d_data);
    qsort(in, N, sizeof *in, ascending<T>);
    compare(what, in, d_data, N);
}

int main()
{
    try_bitonic<int>("bitonic int", 1);
    try_bitonic<long long>("bitonic long long", 0x100000001ll);
    try_bitonic<float>("bitonic float", 0.5f);
    try_bitonic<double>("bitonic double", 1e-3);
    try_bitonic<short>("bitonic short", 3);
    unsigned keys[N];
    for (int i = 0; i < N; i++)
        keys[i] = (unsigned)drawn(i) * 2654435761u;
    unsigned *d_keys = on_device(keys, N), *d_room = on_device((unsigned *)0, N);
    sort_radix<<<1, 32>>>(d_keys, d_room);
    qsort(keys, N, sizeof *keys, ascending<unsigned>);
    compare("radix", keys, d_keys, N);
    check_int("freed", 0, cudaFree(d_room));
    return check_report("sort");
}
