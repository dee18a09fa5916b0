// expect: PASS | pieces are scanned in place, which leaves room for two more
/* Of 13 pieces, 4 are in registers; each of those is scanned in the one place that is left. */
#include <cuda_runtime.h>
#include "streaming_scan_wide.h"
namespace
{
constexpr int T = STREAMING_SCAN_THREADS, R = STREAMING_SCAN_PER_THREAD,
              PIECE = STREAMING_SCAN_TILE, W = T / 32;
constexpr unsigned FULL = ~0u;
constexpr int HELD = STREAMING_SCAN_WIDE_ENGINE_HELD;

__global__ __launch_bounds__(T) void chain(const float *__restrict__ in, float *out,
                                           unsigned long long *word, unsigned *ticket, long long n,
                                           int pieces)
{
    extern __shared__ float s[]; /* pieces past those in registers, and one to scan in */
    __shared__ float s_warp[W], s_before;
    __shared__ unsigned s_ticket;
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    if (t == 0)
        s_ticket = atomicAdd(ticket, 1u);
    __syncthreads();
    const long long tile = s_ticket, first = tile * pieces * PIECE;
    float held[HELD][R], sum = 0;
#pragma unroll
    for (int p = 0; p < HELD; p++)
#pragma unroll
        for (int r = 0; r < R; r++) {
            const long long i = first + p * PIECE + r * T + t;
            held[p][r] = i < n ? in[i] : 0.f;
            sum += held[p][r];
        }
    const long long there = (n - first + PIECE - 1) / PIECE;
    const int mine = there < pieces ? (int)there : pieces; /* pieces that the array has */
    for (int p = HELD; p < mine; p++)
#pragma unroll
        for (int r = 0; r < R; r++) {
            const long long i = first + (long long)p * PIECE + r * T + t;
            const float v = i < n ? in[i] : 0.f;
            s[(p - HELD + 1) * PIECE + r * T + t] = v;
            sum += v;
        }
#pragma unroll
    for (int d = 16; d; d >>= 1)
        sum += __shfl_xor_sync(FULL, sum, d);
    if (lane == 0)
        s_warp[warp] = sum;
    __syncthreads();
    if (t == 0) {
        float all = 0, before = 0;
        for (int w = 0; w < W; w++)
            all += s_warp[w];
        if (tile) {
            unsigned long long seen;
            while (!((seen = *(volatile unsigned long long *)(word + tile - 1)) >> 32))
                ;
            before = __uint_as_float(unsigned(seen));
        }
        *(volatile unsigned long long *)(word + tile) = 1ull << 32 | __float_as_uint(before + all);
        s_before = before;
    }
    __syncthreads();
    float carry = s_before;
    for (int p = 0; p < mine; p++) {
        float *piece = p < HELD ? s : s + (p - HELD + 1) * PIECE;
        if (p < HELD) {
#pragma unroll
            for (int q = 0; q < HELD; q++)
                if (q == p)
#pragma unroll
                    for (int r = 0; r < R; r++)
                        piece[r * T + t] = held[q][r];
            __syncthreads();
        }
        /* a run of 7 a thread, then the runs by shuffles */
        float run[R];
        run[0] = piece[t * R];
#pragma unroll
        for (int r = 1; r < R; r++)
            run[r] = run[r - 1] + piece[t * R + r];
        float all = run[R - 1];
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            const float y = __shfl_up_sync(FULL, all, d);
            if (lane >= d)
                all += y;
        }
        float before = __shfl_up_sync(FULL, all, 1);
        if (lane == 31)
            s_warp[warp] = all;
        __syncthreads();
        float base = carry, total = carry;
        for (int w = 0; w < W; w++) {
            if (w == warp)
                base = total;
            total += s_warp[w];
        }
        carry = total;
        before = lane ? base + before : base;
#pragma unroll
        for (int r = 0; r < R; r++)
            piece[t * R + r] = before + run[r];
        __syncthreads();
#pragma unroll
        for (int r = 0; r < R; r++) {
            const long long i = first + (long long)p * PIECE + r * T + t;
            if (i < n)
                out[i] = piece[r * T + t];
        }
        __syncthreads();
    }
}
}    // namespace
void streaming_scan_wide(const float *d_in, float *d_out, int n)
{
    if (n <= 0)
        return;
    int room = 0, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const int pieces = HELD + (room - 256) / int(PIECE * sizeof(float)) - 1;
    const size_t bytes = size_t(pieces - HELD + 1) * PIECE * sizeof(float);
    cudaFuncSetAttribute(chain, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
    const unsigned tiles = unsigned((n - 1ll) / ((long long)pieces * PIECE)) + 1;
    unsigned long long *w;
    if (cudaMalloc(&w, (tiles + 1) * sizeof *w) != cudaSuccess)
        return;
    cudaMemset(w, 0, (tiles + 1) * sizeof *w);
    chain<<<tiles, T, bytes>>>(d_in, d_out, w + 1, reinterpret_cast<unsigned *>(w), n, pieces);
    cudaFree(w);
}
