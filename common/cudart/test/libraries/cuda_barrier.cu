// shows: cuda::barrier: arrive, wait, arrive_and_wait; cuda::pipeline with cuda::memcpy_async
// needs: cuda/barrier
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "check.h"

constexpr int threads = 128, batches = 6;

__global__ void neighbours(const int *in, int *out, int rounds)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier bar;
    __shared__ int s[threads];
    int t = threadIdx.x;
    if (t == 0)
        init(&bar, threads);
    __syncthreads();
    s[t] = in[t];
    for (int r = 0; r < rounds; r++) {
        barrier::arrival_token token = bar.arrive();
        bar.wait(std::move(token));
        int v = s[(t + 1) % threads];
        bar.arrive_and_wait();
        s[t] = v + 1;
    }
    out[t] = s[t];
}

__global__ void stages(const int *in, int *out)
{
    __shared__ int s[2][threads];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> shared;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &shared);
    int t = threadIdx.x;
    for (int b = 0; b <= batches; b++) {
        if (b < batches) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[b % 2], in + threads * b, sizeof(int) * threads, pipe);
            pipe.producer_commit();
        }
        if (b > 0) {
            pipe.consumer_wait();
            out[threads * (b - 1) + t] = 2 * s[(b - 1) % 2][threads - 1 - t];
            pipe.consumer_release();
            block.sync(); /* all have read what the next copy overwrites */
        }
    }
}

int main()
{
    std::vector<int> x = numbers(threads * batches, 1000), wanted(threads), turned(x.size());
    on_device<int> in(x), out(threads), staged(x.size());
    for (int t = 0; t < threads; t++)
        wanted[t] = x[(t + 5) % threads] + 5;
    for (size_t i = 0; i < x.size(); i++)
        turned[i] = 2 * x[i / threads * threads + threads - 1 - i % threads];
    neighbours<<<1, threads>>>(in, out, 5);
    same("barrier", out.back(), wanted);
    stages<<<1, threads>>>(in, staged);
    same("pipeline", staged.back(), turned);
    return verdict();
}
