/*
 * remedies.cu: races of each kind, an unset element, and what is to be advised. "// do KERNEL:
 * words" must stand in what is said of that kernel, "// not KERNEL: words" must not. Run by
 * command.sh.
 */
#include <stdio.h>

#define THREADS 128

// do count: use atomicAdd
// not count: put a __syncthreads()
__global__ void count(const int *d_in, int *d_out)
{
    __shared__ int s_count[16];
    int t = threadIdx.x;
    if (t < 16)
        s_count[t] = 0;
    __syncthreads();
    s_count[d_in[t] & 15]++;
    __syncthreads();
    if (t < 16)
        d_out[t] = s_count[t];
}

// do count_in_a_loop: use atomicAdd
// not count_in_a_loop: put a __syncthreads()
__global__ void count_in_a_loop(const int *d_in, int *d_out)
{
    __shared__ int s_count[16];
    int t = threadIdx.x;
    if (t < 16)
        s_count[t] = 0;
    __syncthreads();
    for (int i = t; i < 4 * THREADS; i += THREADS)
        s_count[d_in[i] & 15]++;
    __syncthreads();
    if (t < 16)
        d_out[t] = s_count[t];
}

// do sum_in_global_memory: use atomicAdd
// not sum_in_global_memory: put a __syncthreads()
__global__ void sum_in_global_memory(const int *d_in, int *d_out)
{
    int sum = d_out[0];
    sum += d_in[threadIdx.x];
    d_out[0] = sum;
}

// do maximum: atomicMax
// not maximum: put a __syncthreads()
__global__ void maximum(const int *d_in, int *d_out)
{
    int x = d_in[threadIdx.x];
    if (x > d_out[0])
        d_out[0] = x;
}

// do all_store: let one thread do it, `if (t == 0)`
__global__ void all_store(const int *d_in, int *d_out)
{
    __shared__ int s_sum[THREADS];
    int t = threadIdx.x;
    s_sum[t] = d_in[t];
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            s_sum[t] += s_sum[t + stride];
    }
    d_out[blockIdx.x] = s_sum[0];
}

// do each_stores: element 0 of d_out, of 512 elements
// do each_stores: let one thread do it, `if (t == 0)`
// not each_stores: put a __syncthreads()
__global__ void each_stores(const int *d_in, int *d_out) { d_out[blockIdx.x] = d_in[threadIdx.x]; }

// do warp_stores: let one thread do it, `if (t == 0)`
// not warp_stores: __syncwarp
__global__ void warp_stores(const int *d_in, int *d_out)
{
    __shared__ int s_last[2];
    s_last[blockIdx.x] = d_in[threadIdx.x];
    __syncthreads();
    d_out[threadIdx.x] = s_last[d_in[threadIdx.x] & 1];
}

// do left_neighbour: put a __syncthreads() that every thread reaches between
// not left_neighbour: atomicAdd
__global__ void left_neighbour(const int *d_in, int *d_out)
{
    __shared__ int s_data[THREADS];
    int t = threadIdx.x;
    s_data[t] = d_in[t];
    d_out[t] = t > 0 ? s_data[t - 1] : 0;
}

// do in_place: then a __syncthreads() that every thread reaches; then write
// not in_place: atomicAdd
__global__ void in_place(const int *d_in, int *d_out)
{
    __shared__ int s_data[THREADS];
    int t = threadIdx.x;
    s_data[t] = d_in[t];
    __syncthreads();
    if (t > 0)
        s_data[t] += s_data[t - 1];
    __syncthreads();
    d_out[t] = s_data[t];
}

// do interleaved: put a __syncthreads() at the end of the body of the loop
// not interleaved: atomicAdd
__global__ void interleaved(const int *d_in, int *d_out)
{
    __shared__ int s_sum[2 * THREADS];
    int t = threadIdx.x;
    s_sum[2 * t] = s_sum[2 * t + 1] = d_in[t];
    __syncthreads();
    for (int stride = 1; stride <= THREADS; stride *= 2) {
        int i = 2 * stride * t;
        if (i < 2 * THREADS)
            s_sum[i] += s_sum[i + stride];
    }
    __syncthreads();
    if (t == 0)
        d_out[0] = s_sum[0];
}

// do last_warp: __syncwarp()
// not last_warp: atomicAdd
__global__ void last_warp(const int *d_in, int *d_out)
{
    __shared__ int s_sum[32];
    int t = threadIdx.x;
    if (t < 32) {
        s_sum[t] = d_in[t];
        __syncwarp();
        for (int stride = 16; stride > 0; stride /= 2)
            if (t < stride)
                s_sum[t] += s_sum[t + stride];
        if (t == 0)
            d_out[0] = s_sum[0];
    }
}

// do blocks_add: use atomicAdd
__global__ void blocks_add(const int *d_in, int *d_out)
{
    if (threadIdx.x == 0)
        d_out[0] += d_in[blockIdx.x];
}

// do blocks_store: of d_out, of 512 elements
// do blocks_store: let one block write it
__global__ void blocks_store(const int *d_in, int *d_out)
{
    if (threadIdx.x == 0)
        d_out[0] = d_in[blockIdx.x];
}

// do blocks_scatter: one of those is wrong (a rank, a count, a sum of what lies before)
// not blocks_scatter: let one block write it
__global__ void blocks_scatter(const int *d_in, int *d_out)
{
    int t = threadIdx.x;
    d_out[d_in[t]] = d_in[t] + blockIdx.x;
}

__device__ __forceinline__ int left_of(int value, int *s_value)
{
    s_value[threadIdx.x] = value;
    __syncthreads();
    return s_value[threadIdx.x ^ 1];
}

// do calls_in_an_if: the `if` of line 183, and call the function in which this __syncthreads()
// not calls_in_an_if: close it before the barrier
__global__ void calls_in_an_if(const int *d_in, int *d_out)
{
    __shared__ int s_value[THREADS];
    int t = threadIdx.x;
    if (t < 64)
        d_out[t] = left_of(d_in[t], s_value);
    __syncthreads();
    d_out[t] += 1;
}

// do part_of_a_warp: end the `if` of line 197
// do part_of_a_warp: __syncwarp(mask)
__global__ void part_of_a_warp(const int *d_in, int *d_out)
{
    __shared__ int s_sum[32];
    int t = threadIdx.x;
    s_sum[t] = d_in[t];
    __syncthreads();
    if (t < 8) {
        s_sum[t] += 1;
        d_out[t] = s_sum[7 - t];
    }
}

// do left_out: most of the array has been written, but not this element
// not left_out: cudaMalloc does not
__global__ void left_out(const int *d_in, int *d_out)
{
    if (d_out[threadIdx.x] > 0)
        d_out[0] = d_in[0];
}

// do read_by_next: which thread 1 read at read.cu:106
// do read_by_next: between line 106 and line 107
#line 100 "read.cu"
__global__ void read_by_next(const int *d_in, int *d_out)
{
    __shared__ int s_sum[THREADS];
    int t = threadIdx.x;
    s_sum[t] = d_in[t];
    __syncthreads();
    int left = t >= 1 ? s_sum[t - 1] : 0;
    s_sum[t] += left;
    __syncthreads();
    d_out[t] = s_sum[t];
}

// do own_read_first: which thread 1 read at read.cu:207
#line 200 "read.cu"
__global__ void own_read_first(const int *d_in, int *d_out)
{
    __shared__ int s_sum[THREADS];
    int t = threadIdx.x;
    s_sum[t] = d_in[t];
    __syncthreads();
    int own = s_sum[t];
    int left = t >= 1 ? s_sum[t - 1] : 0;
    s_sum[t] = own + left;
    __syncthreads();
    d_out[t] = s_sum[t];
}

// do read_in_global: read at read.cu:306
// not read_in_global: read at read.cu:307
#line 301 "read.cu"
__global__ void read_in_global(const int *d_in, int *d_out)
{
    int t = threadIdx.x;
    d_out[t] = d_in[t];
    __syncthreads();
    int left = t >= 1 ? d_out[t - 1] : 0;
    d_out[t] += left;
}

// do own_read_first_in_global: read at read.cu:407
// not own_read_first_in_global: read at read.cu:406
#line 401 "read.cu"
__global__ void own_read_first_in_global(const int *d_in, int *d_out)
{
    int t = threadIdx.x;
    d_out[t] = d_in[t];
    __syncthreads();
    int own = d_out[t];
    int left = t >= 1 ? d_out[t - 1] : 0;
    d_out[t] = own + left;
}

// do leader_writes: one thread overwrites what others may still have to read
// do leader_writes: put a __syncwarp() that all lanes reach between line 508 and line 510
// not leader_writes: __syncthreads()
// not leader_writes: atomicAdd
#line 501 "remedies.cu"
__global__ void leader_writes(const int *d_in, int *d_out)
{
    __shared__ int s_count[THREADS];
    int t = threadIdx.x, *own = &s_count[t / 32 * 32];
    s_count[t] = 0;
    __syncthreads();
    unsigned same = __match_any_sync(0xffffffffu, d_in[t] & 15), below = (1u << t % 32) - 1;
    int rank = own[d_in[t] & 15] + __popc(same & below);
    if ((same & below) == 0)
        own[d_in[t] & 15] = rank + __popc(same);
    d_out[t] = rank;
}

// do leaders_of_the_block: use atomicAdd
// not leaders_of_the_block: __syncwarp()
#line 551 "remedies.cu"
__global__ void leaders_of_the_block(const int *d_in, int *d_out)
{
    __shared__ int s_count[16];
    int t = threadIdx.x;
    s_count[t % 16] = 0;
    __syncthreads();
    unsigned same = __match_any_sync(0xffffffffu, d_in[t] & 15), below = (1u << t % 32) - 1;
    int rank = s_count[d_in[t] & 15] + __popc(same & below);
    if ((same & below) == 0)
        s_count[d_in[t] & 15] = rank + __popc(same);
    d_out[t] = rank;
}

// do next_number: one thread overwrites what others may still have to read
// do next_number: between line 610 and line 614
// not next_number: atomicAdd
#line 601 "remedies.cu"
__global__ void next_number(int *d_next, int *d_out)
{
    __shared__ int s_tile;
    int t = threadIdx.x;
    if (t == 0)
        s_tile = atomicAdd(d_next, 1);
    for (;;) {
        __syncthreads();

        int tile = s_tile;
        if (tile >= 4)
            return;
        if (t == 0)
            s_tile = atomicAdd(d_next, 1);
        d_out[tile * THREADS + t] = tile;
    }
}

// do maximum_of_warps: atomicMax
// not maximum_of_warps: put a __syncthreads()
__global__ void maximum_of_warps(const int *d_in, int *d_out)
{
    __shared__ int s_most;
    int t = threadIdx.x;
    if (t == 0)
        s_most = 0;
    __syncthreads();
    if (t % 32 == 0 && 1000 - t > s_most) /* warp 0 has the largest */
        s_most = 1000 - t;
    __syncthreads();
    d_out[t] = s_most;
}
// do told_by_one: put a __syncthreads() that every thread reaches between line 704 and line 705
// not told_by_one: overwrites
#line 699 "remedies.cu"
__global__ void told_by_one(const int *d_in, int *d_out)
{
    __shared__ int s_first;
    int t = threadIdx.x;
    if (t == 0)
        s_first = d_in[0];
    d_out[t] = s_first;
}

// do rows_of_a_warp: put a __syncthreads() that every thread reaches between line 804 and
// not rows_of_a_warp: __syncwarp() is enough if no other warp uses this element
#line 799 "remedies.cu"
__global__ void rows_of_a_warp(const int *d_in, int *d_out)
{
    __shared__ int s_sum[32];
    int t = threadIdx.x;
    if (t % 4 == 3)
        s_sum[t / 4] = d_in[t] + 1;
    if (t % 2 == 0)
        d_out[t] = s_sum[t / 8];
}

// do sides_of_a_warp: different threads run lines 904 and 906, at the same time
// do sides_of_a_warp: put a __syncthreads() that every thread reaches between the two
// not sides_of_a_warp: end the `if`
#line 899 "remedies.cu"
__global__ void sides_of_a_warp(const int *d_in, int *d_out)
{
    __shared__ int s_sum[32];
    int t = threadIdx.x;
    if (t < 4)
        s_sum[t] = d_in[t] + 1;
    else
        d_out[t] = s_sum[t / 8];
}

// do levels_of_a_warp: put a __syncthreads() at the end of the body of the loop of line 1005
// not levels_of_a_warp: between the two lines
#line 999 "remedies.cu"
__global__ void levels_of_a_warp(const int *d_in, int *d_out)
{
    __shared__ int s_sum[8];
    int t = threadIdx.x, row = t / 4, sum = d_in[t];

    d_out[t] = 0;
    for (int group = 1; group < 8; group *= 2) {
        if (t % 4 == 3)
            s_sum[row] = sum;
        __syncthreads();
        if (row / group % 2 == 1)
            sum += s_sum[row / group * group - 1];
    }
    d_out[t] = sum;
}
// do rows_of_warps: put a __syncwarp() at the end of the body of the loop of line 1054
// not rows_of_warps: __syncthreads()
#line 1049 "remedies.cu"
__global__ void rows_of_warps(const int *d_in, int *d_out)
{
    __shared__ int s_row[THREADS];
    int t = threadIdx.x, *own = &s_row[t / 32 * 32], lane = t % 32, sum = 0;

    for (int round = 0; round < 2 + (d_in[0] != 0); round++) {
        own[lane] = d_in[t + round] + sum;
        __syncwarp();
        sum += own[31 - lane];
    }
    d_out[t] = sum;
}

// do one_warp_alone: put a __syncwarp() that all lanes reach between line 1083 and line 1084
// do one_warp_alone: or, if other warps use this element, too, a __syncthreads()
#line 1078 "remedies.cu"
__global__ void one_warp_alone(const int *d_in, int *d_out)
{
    __shared__ int s_row[32];
    int t = threadIdx.x;

    s_row[t] = d_in[t];
    d_out[t] = s_row[31 - t];
}

// do pairs_farther_apart: put a __syncthreads()
// not pairs_farther_apart: __syncwarp()
#line 1090 "remedies.cu"
__global__ void pairs_farther_apart(const int *d_in, int *d_out)
{
    __shared__ int s_sum[THREADS];
    int t = threadIdx.x, sum = d_in[t];

#pragma unroll
    for (int stride = 1; stride < THREADS; stride *= 2) {
        s_sum[t] = sum;
        sum += s_sum[t ^ stride];
    }
    d_out[t] = sum;
}

// do one_tells_all: put a __syncthreads() that every thread reaches between line 1105 and line 1109
// not one_tells_all: let one thread do it
#line 1100 "remedies.cu"
__global__ void one_tells_all(const int *d_in, int *d_out)
{
    __shared__ int s_first;
    const int t = threadIdx.x;
    if (t == 0)
        s_first = d_in[0] & 1;
#pragma unroll
    for (int row = 0; row < 2; row++)
        if (d_in[t] >> row & 1)
            d_out[s_first + row * THREADS + t] = d_in[t];
}

// do levels_run_on: put a __syncthreads() that every thread reaches between line 1206 and line 1208
// do levels_run_on: outside of the `if` of line 1207
#line 1199 "remedies.cu"
__global__ void levels_run_on(const int *d_in, int *d_out)
{
    __shared__ int s_sum[THREADS / 4];
    const int t = threadIdx.x, row = t / 4;
    int sum = d_in[t];
    for (int group = 1; group < THREADS / 4; group *= 2) {
        if (t % 4 == 3 && (row + 1) % group == 0)
            s_sum[row] = sum;
        if (row / group % 2 == 1)
            sum += s_sum[row / group * group - 1];
    }
    d_out[t] = sum;
}

// do elected_by_an_atomic: one thread overwrites what others may still have to read
// do elected_by_an_atomic: put a __syncwarp() that all lanes reach between line 1310 and line 1312
// not elected_by_an_atomic: atomicAdd
#line 1301 "remedies.cu"
__global__ void elected_by_an_atomic(const int *d_in, int *d_out)
{
    __shared__ unsigned s_lanes[THREADS];
    const unsigned t = threadIdx.x, own = 1u << t % 32;
    s_lanes[t] = 0;
    unsigned *word = &s_lanes[t / 32 * 32 + (d_in[t] & 15)];
    __syncwarp();
    atomicOr(word, own);
    __syncwarp();
    const unsigned seen = *word;
    if ((seen & (own - 1)) == 0)
        *word = (unsigned)__popc(seen);
    d_out[t] = (int)seen;
}

#line 470 "remedies.cu"

int main(void)
{
    static int h_in[4 * THREADS];
    int *d_in, *d_out;
    for (int i = 0; i < 4 * THREADS; i++)
        h_in[i] = 1 + i * 37 % 101;
    cudaMalloc((void **)&d_in, sizeof h_in);
    cudaMalloc((void **)&d_out, sizeof h_in);
    cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, sizeof h_in);
    count<<<1, THREADS>>>(d_in, d_out);
    count_in_a_loop<<<1, THREADS>>>(d_in, d_out);
    sum_in_global_memory<<<1, THREADS>>>(d_in, d_out);
    cudaMemset(d_out, 0, sizeof h_in);
    maximum<<<1, THREADS>>>(d_in, d_out);
    all_store<<<2, THREADS>>>(d_in, d_out);
    each_stores<<<2, THREADS>>>(d_in, d_out);
    warp_stores<<<1, 32>>>(d_in, d_out);
    left_neighbour<<<1, THREADS>>>(d_in, d_out);
    in_place<<<1, THREADS>>>(d_in, d_out);
    interleaved<<<1, THREADS>>>(d_in, d_out);
    last_warp<<<1, THREADS>>>(d_in, d_out);
    part_of_a_warp<<<1, 32>>>(d_in, d_out);
    int *d_part;
    cudaMalloc((void **)&d_part, THREADS * sizeof *d_part);
    cudaMemset(d_part, 0, (THREADS - 1) * sizeof *d_part);
    left_out<<<1, THREADS>>>(d_in, d_part);
    cudaFree(d_part);
    read_by_next<<<1, THREADS>>>(d_in, d_out);
    own_read_first<<<1, THREADS>>>(d_in, d_out);
    read_in_global<<<1, THREADS>>>(d_in, d_out);
    own_read_first_in_global<<<1, THREADS>>>(d_in, d_out);
    leader_writes<<<1, THREADS>>>(d_in, d_out);
    maximum_of_warps<<<1, THREADS>>>(d_in, d_out);
    blocks_add<<<4, THREADS>>>(d_in, d_out);
    blocks_store<<<4, THREADS>>>(d_in, d_out);
    blocks_scatter<<<4, 32>>>(d_in, d_out);
    calls_in_an_if<<<1, THREADS>>>(d_in, d_out);
    leaders_of_the_block<<<1, THREADS>>>(d_in, d_out);
    cudaMemset(d_out, 0, sizeof h_in);
    next_number<<<1, THREADS>>>(d_out, d_in);
    told_by_one<<<1, THREADS>>>(d_in, d_out);
    rows_of_a_warp<<<1, 32>>>(d_in, d_out);
    sides_of_a_warp<<<1, 32>>>(d_in, d_out);
    levels_of_a_warp<<<1, 32>>>(d_in, d_out);
    rows_of_warps<<<1, THREADS>>>(d_in, d_out);
    one_warp_alone<<<1, 32>>>(d_in, d_out);
    pairs_farther_apart<<<1, THREADS>>>(d_in, d_out);
    one_tells_all<<<1, THREADS>>>(d_in, d_out);
    levels_run_on<<<1, THREADS>>>(d_in, d_out);
    elected_by_an_atomic<<<1, THREADS>>>(d_in, d_out);
    if (cudaDeviceSynchronize() != cudaSuccess)
        printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
