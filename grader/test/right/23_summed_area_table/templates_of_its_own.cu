// expect: PASS | a program of its own: a block a row, tiles in shared memory, words with the status in the lower bits, no steps
#include <cuda_runtime.h>

#include "summed_area_table.h"

using u64 = unsigned long long;
constexpr int threads = SAT_THREADS, side = SAT_SIDE, pad = side + 1;
constexpr unsigned everybody = ~0u;

/* ---- two passes: a block a row, then a thread a column ---- */

__global__ void rows(const unsigned *in, long long *out, int columns)
{
    __shared__ u64 of_warp[8];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const size_t row = (size_t)blockIdx.x * columns;
    u64 carry = 0;

    for (int first = 0; first < columns; first += threads) {
        const int x = first + threadIdx.x;
        u64 v = x < columns ? in[row + x] : 0;
        for (int d = 1; d < 32; d *= 2) {
            const u64 w = __shfl_up_sync(everybody, v, d);
            if (lane >= d)
                v += w;
        }
        if (lane == 31)
            of_warp[warp] = v;
        __syncthreads();
        u64 before = carry;
        for (int w = 0; w < 8; w++) {
            before += w < warp ? of_warp[w] : 0;
            carry += of_warp[w];
        }
        if (x < columns)
            out[row + x] = (long long)(before + v);
        __syncthreads();
    }
}

__global__ void columns_down(long long *table, int columns, int rows)
{
    const int x = blockIdx.x * threads + threadIdx.x;
    long long all = 0;

    for (size_t y = 0; x < columns && y < (size_t)rows; y++)
        table[y * columns + x] = all += table[y * columns + x];
}

void sat_two_passes(const unsigned *d_in, long long *d_table, int n)
{
    if (n == 0)
        return;
    const int wide = sat_columns(n), high = sat_rows(n);
    rows<<<high, threads>>>(d_in, d_table, wide);
    columns_down<<<(wide + threads - 1) / threads, threads>>>(d_table, wide, high);
}

/* ---- the box filter ---- */

__global__ void box(const long long *table, unsigned *out, int columns, int rows, int r)
{
    const int n = columns * rows;

    for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
        const int x = i % columns, y = i / columns;
        const int x0 = max(x - r, 0) - 1, x1 = min(x + r, columns - 1);
        const int y0 = max(y - r, 0) - 1, y1 = min(y + r, rows - 1);
        auto up_to = [&](int a, int b) {
            return a < 0 || b < 0 ? 0ll : table[(size_t)b * columns + a];
        };
        const long long all = up_to(x1, y1) - up_to(x0, y1) + up_to(x0, y0) - up_to(x1, y0);
        out[i] = (unsigned)(all / ((long long)(x1 - x0) * (y1 - y0)));
    }
}

void sat_box(const long long *d_table, unsigned *d_out, int n)
{
    if (n > 0)
        box<<<(n + 1023) / 1024, threads>>>(d_table, d_out, sat_columns(n), sat_rows(n),
                                            sat_radius(n));
}

/* ---- one launch: a tile in shared memory; a thread a row, then a thread a column ---- */

struct word {
    u64 bits;
    __device__ void tell(u64 v, unsigned status) { *(volatile u64 *)&bits = v << 2 | status; }
    __device__ u64 look() const { return *(volatile const u64 *)&bits; }
};

/* mine: the tile's word; `before` of them lie in front of it. */
static __device__ u64 look_back(word *mine, size_t step, int before, u64 own)
{
    u64 sum = 0;

    mine->tell(own, before == 0 ? 2 : 1);
    for (word *at = mine - step; before > 0; before--, at -= step) {
        u64 seen;
        while (((seen = at->look()) & 3) == 0)
            ;
        sum += seen >> 2;
        if (seen & 2)
            break;
    }
    mine->tell(sum + own, 2);
    return sum;
}

__global__ void one_launch(const unsigned *in, long long *table, int columns, int rows,
                           unsigned *ticket, word *to_right, word *down)
{
    extern __shared__ u64 tile[]; /* side rows of pad */
    __shared__ unsigned number;
    const int across = (columns + side - 1) / side;

    if (threadIdx.x == 0)
        number = atomicAdd(ticket, 1);
    __syncthreads();
    const int column = (int)number % across, row = (int)number / across;
    const int x0 = column * side, y0 = row * side;
    const int wide = min(side, columns - x0), high = min(side, rows - y0);

    for (int k = threadIdx.x; k < side * side; k += threads) {
        const int x = k % side, y = k / side;
        tile[y * pad + x] = x < wide && y < high ? in[(size_t)(y0 + y) * columns + x0 + x] : 0;
    }
    __syncthreads();
    if ((int)threadIdx.x < high) {
        u64 *mine = tile + threadIdx.x * pad, all = 0;
        for (int x = 0; x < wide; x++)
            mine[x] = all += mine[x];
        const u64 left = look_back(to_right + (size_t)column * rows + y0 + threadIdx.x,
                                   (size_t)rows, column, all);
        for (int x = 0; x < wide; x++)
            mine[x] += left;
    }
    __syncthreads();
    if ((int)threadIdx.x < wide) {
        u64 *mine = tile + threadIdx.x, all = 0;
        for (int y = 0; y < high; y++)
            mine[y * pad] = all += mine[y * pad];
        const u64 above = look_back(down + (size_t)row * columns + x0 + threadIdx.x,
                                    (size_t)columns, row, all);
        for (int y = 0; y < high; y++)
            mine[y * pad] += above;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < side * side; k += threads) {
        const int x = k % side, y = k / side;
        if (x < wide && y < high)
            table[(size_t)(y0 + y) * columns + x0 + x] = (long long)tile[y * pad + x];
    }
}

void sat_one_launch(const unsigned *d_in, long long *d_table, int n)
{
    static void *memory;
    static size_t room;

    if (n == 0)
        return;
    const int columns = sat_columns(n), rows = sat_rows(n);
    const size_t across = (columns + side - 1) / side, down = (rows + side - 1) / side;
    const size_t bytes = 32 + 8 * (across * rows + down * columns);
    if (bytes > room) {
        cudaFree(memory);
        room = cudaMalloc(&memory, 2 * bytes) == cudaSuccess ? 2 * bytes : 0;
        if (!room)
            return;
    }
    cudaMemsetAsync(memory, 0, bytes);
    word *words = (word *)((char *)memory + 32);
    one_launch<<<(unsigned)(across * down), threads, side * pad * 8>>>(
        d_in, d_table, columns, rows, (unsigned *)memory, words, words + across * rows);
}
