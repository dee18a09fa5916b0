// expect: PASS | a program of its own: reduce-then-scan, eight neighbours a thread, no look-back
#include <cuda_runtime.h>

#include "quicksort.h"

constexpr int threads = QUICKSORT_THREADS, each = 8, tile_size = threads * each,
              warps = threads / 32;

/* A stretch of keys: the index of its last head, or -1; how many after it are less, and equal. */
struct stretch {
    int head, less, equal;
};

static __device__ stretch both(stretch a, stretch b)
{
    if (b.head >= 0)
        return b;
    return { a.head, a.less + b.less, a.equal + b.equal };
}

static __device__ stretch from_lane(stretch s, int distance)
{
    return { __shfl_up_sync(~0u, s.head, distance), __shfl_up_sync(~0u, s.less, distance),
             __shfl_up_sync(~0u, s.equal, distance) };
}

/* What the threads before this one have, of the block; *all: what all have. */
static __device__ stretch before_thread(stretch own, stretch *all)
{
    __shared__ stretch s_warp[warps];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    stretch sum = own, left = { -1, 0, 0 };

    for (int d = 1; d < 32; d *= 2) {
        const stretch s = from_lane(sum, d);
        if (lane >= d)
            sum = both(s, sum);
    }
    __syncthreads();
    if (lane == 31)
        s_warp[warp] = sum;
    __syncthreads();
    stretch before = { -1, 0, 0 };
    *all = before;
    for (int w = 0; w < warps; w++) {
        if (w == warp)
            before = *all;
        *all = both(*all, s_warp[w]);
    }
    left = from_lane(sum, 1);
    return lane == 0 ? before : both(before, left);
}

struct work {
    const float *in;
    const int *head;
    float *out;
    int *new_head;
    int n, tiles;
    stretch *tile; /* one a tile, then what lies before it */
    int *start, *place, *way;
    int2 *count; /* of a segment: less, equal */
    int *again;
};

static __device__ bool begins(const work &w, int i) { return i == 0 || w.head[i] != 0; }

/* counting: pivots are known by what lies before; else heads alone are looked for. */
template <bool counting> static __device__ stretch of_thread(const work &w, int first, int start)
{
    stretch s = { -1, 0, 0 };

    for (int i = first; i < first + each && i < w.n; i++) {
        if (begins(w, i)) {
            s = { i, 0, 0 };
            start = i;
        }
        if (counting) {
            s.less += w.in[i] < w.in[start];
            s.equal += w.in[i] == w.in[start];
        }
    }
    return s;
}

template <bool counting> __global__ void reduce_tiles(work w)
{
    const int first = blockIdx.x * tile_size + threadIdx.x * each;
    stretch all, heads = before_thread(of_thread<false>(w, first, 0), &all);

    if (counting) {
        const int open = heads.head >= 0 ? heads.head : w.tile[blockIdx.x].head;
        before_thread(of_thread<true>(w, first, open), &all);
    }
    if (threadIdx.x == 0)
        w.tile[w.tiles + blockIdx.x] = all;
}

/* One block. */
__global__ void scan_tiles(work w)
{
    stretch carry = { -1, 0, 0 }, all;

    for (int first = 0; first < w.tiles; first += threads) {
        const int t = first + threadIdx.x;
        const stretch own = t < w.tiles ? w.tile[w.tiles + t] : stretch{ -1, 0, 0 };
        const stretch before = both(carry, before_thread(own, &all));
        if (t < w.tiles)
            w.tile[t] = before;
        carry = both(carry, all);
    }
}

__global__ void find_places(work w)
{
    const int first = blockIdx.x * tile_size + threadIdx.x * each;
    const stretch before_tile = w.tile[blockIdx.x];
    stretch all, heads = before_thread(of_thread<false>(w, first, 0), &all);
    int start = heads.head >= 0 ? heads.head : before_tile.head;
    stretch s = both(before_tile, before_thread(of_thread<true>(w, first, start), &all));

    for (int i = first; i < first + each && i < w.n; i++) {
        if (begins(w, i)) {
            s = { i, 0, 0 };
            start = i;
        }
        const float key = w.in[i], pivot = w.in[start];
        w.start[i] = start;
        w.way[i] = (key >= pivot) + (key > pivot);
        w.place[i] = key < pivot ? s.less : key > pivot ? i - start - s.less - s.equal : s.equal;
        s.less += key < pivot;
        s.equal += key == pivot;
        if (i + 1 == w.n || begins(w, i + 1))
            w.count[start] = make_int2(s.less, s.equal);
    }
}

__global__ void scatter(work w)
{
    const int i = blockIdx.x * threads + threadIdx.x;

    if (i >= w.n)
        return;
    const int start = w.start[i], way = w.way[i];
    const int2 count = w.count[start];
    const int to = start + w.place[i] + (way > 0 ? count.x : 0) + (way > 1 ? count.y : 0);
    w.out[to] = w.in[i];
    w.new_head[to] = w.place[i] == 0;
}

/* All memory in one piece, kept. */
static bool prepare(int n, work *w, float **keys, int **heads)
{
    static char *memory;
    static size_t bytes;
    const size_t whole = ((size_t)n + 63) / 64 * 64;
    const int tiles = (n - 1) / tile_size + 1;
    const size_t need = whole * (4 * 3 + 8 + 4 * 3) + 2 * (size_t)tiles * sizeof(stretch) + 256;

    if (need > bytes) {
        cudaFree(memory);
        bytes = 0;
        if (cudaMalloc(&memory, need) != cudaSuccess) {
            memory = nullptr;
            return false;
        }
        bytes = need;
    }
    w->n = n;
    w->tiles = tiles;
    w->again = (int *)memory;
    w->count = (int2 *)(memory + 256);
    w->start = (int *)(w->count + whole);
    w->place = w->start + whole;
    w->way = w->place + whole;
    *keys = (float *)(w->way + whole);
    heads[0] = (int *)(*keys + whole);
    heads[1] = heads[0] + whole;
    w->tile = (stretch *)(heads[1] + whole);
    return true;
}

static void one_level(const work &w)
{
    reduce_tiles<false><<<w.tiles, threads>>>(w);
    scan_tiles<<<1, threads>>>(w);
    reduce_tiles<true><<<w.tiles, threads>>>(w);
    scan_tiles<<<1, threads>>>(w);
    find_places<<<w.tiles, threads>>>(w);
    scatter<<<(w.n - 1) / threads + 1, threads>>>(w);
}

void quicksort_level(const float *d_in, const int *d_head, float *d_out, int *d_new_head, int n)
{
    work w;
    float *keys;
    int *heads[2];

    if (n <= 0 || !prepare(n, &w, &keys, heads))
        return;
    w.in = d_in;
    w.head = d_head;
    w.out = d_out;
    w.new_head = d_new_head;
    one_level(w);
}

__global__ void deal(const float *in, float *out, int *head, int n, long long step)
{
    const int i = blockIdx.x * threads + threadIdx.x;

    if (i < n) {
        out[i] = in[i * step % n];
        head[i] = i == 0;
    }
}

__global__ void find_falls(const float *key, int n, int *again)
{
    const int i = blockIdx.x * threads + threadIdx.x;

    if (i + 1 < n && key[i] > key[i + 1])
        *again = 1;
}

static int divisor(int a, int b) { return b == 0 ? a : divisor(b, a % b); }

void quicksort_sort(const float *d_in, float *d_out, int n)
{
    work w;
    float *keys;
    int *heads[2], falls = 1, step = (int)(0.6180339887 * n);

    if (n <= 0 || !prepare(n, &w, &keys, heads))
        return;
    while (divisor(n, step) != 1)
        step++;
    float *array[2] = { d_out, keys };
    const int blocks = (n - 1) / threads + 1;
    deal<<<blocks, threads>>>(d_in, d_out, heads[0], n, step);
    int now = 0;
    for (;;) {
        cudaMemsetAsync(w.again, 0, sizeof(int));
        find_falls<<<blocks, threads>>>(array[now], n, w.again);
        cudaMemcpy(&falls, w.again, sizeof falls, cudaMemcpyDeviceToHost);
        if (falls == 0)
            break;
        w.in = array[now];
        w.head = heads[now];
        w.out = array[1 - now];
        w.new_head = heads[1 - now];
        one_level(w);
        now = 1 - now;
    }
    if (now == 1)
        cudaMemcpy(d_out, keys, n * sizeof(float), cudaMemcpyDeviceToDevice);
}
