/*
 * coarsened_reduction_test.c: the coarsened reduction on the engine, checks on: right sums, each
 * element read once, at most two launches, no finding, whatever the order of blocks. TEST and
 * CHECK: common/base/test/check.h.
 */
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "coarsened_reduction.h"
#include "cuda_runtime_api.h"
#include "cudart.h"
#include "rng.h"

/* few, so that blocks and threads get several rounds of work at sizes that an engine runs */
enum { MULTIPROCESSORS = 3 };

static simt_counts counted;
static unsigned findings;

static void observe(void *user, const char *kernel, const simt_launch_args *args,
                    simt_status status, const simt_report *report)
{
    (void)user, (void)args;
    CHECK(status == SIMT_OK, "%s: %s", kernel, cudart_detail());
    simt_counts_add(&counted, &report->counts);
    findings += report->findings;
    if (report->findings) {
        simt_words words;
        simt_finding_words(&report->finding[0], NULL, &words);
        CHECK(false, "%s: %s", kernel, words.message);
    }
}

static void schedule(simt_block_order order, uint64_t seed)
{
    simt_config c = simt_default_config();

    c.resident_blocks = MULTIPROCESSORS;
    c.block_order = order;
    c.shuffle_warps = seed != 0;
    c.seed = seed;
    CHECK(cudart_configure(&c), "%s", cudart_detail());
    cudart_observe(observe, NULL);
}

/* The sum of n small integers as the reduction gives it; *expected as a loop does. Counts are those
   of this call. */
static float sum_of(long long n, uint64_t seed, long long *expected)
{
    const size_t bytes = (size_t)n * sizeof(float);
    float *h_in = malloc(bytes + 1), *d_in = NULL, *d_sum = NULL, sum = -1;
    rng generator;

    rng_seed(&generator, seed);
    *expected = 0;
    for (long long i = 0; h_in && i < n; i++) {
        int64_t x = rng_between(&generator, -3, 4);
        h_in[i] = (float)x;
        *expected += x;
    }
    CHECK(h_in && cudaMalloc((void **)&d_in, bytes) == cudaSuccess &&
              cudaMalloc((void **)&d_sum, sizeof sum) == cudaSuccess,
          "no memory");
    CHECK(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice) == cudaSuccess, "%s",
          cudart_detail());
    counted = (simt_counts){ 0 };
    reduce_coarsened_total(d_in, d_sum, n);
    CHECK(cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess,
          "n = %lld: %s", n, cudart_detail());
    CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost) == cudaSuccess, "%s",
          cudart_detail());
    cudaFree(d_in);
    cudaFree(d_sum);
    free(h_in);
    return sum;
}

static void try_sizes(simt_block_order order, uint64_t seed)
{
    static const long long sizes[] = {
        0,    1,    2,    3,    4,     5,     31,     1023,           1024,
        1027, 8191, 8192, 8193, 16384, 16387, 100003, (1 << 18) + 77, (1 << 20) + 3
    };

    schedule(order, seed);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        long long expected;
        float got = sum_of(sizes[i], seed + i, &expected);
        CHECK(got == (float)expected, "n = %lld: expected %lld, got %g", sizes[i], expected, got);
    }
    CHECK(findings == 0, "%u findings", findings);
}

TEST(coarsened_sums_are_right_in_order) { try_sizes(SIMT_BLOCKS_IN_ORDER, 0); }
TEST(coarsened_sums_are_right_in_reverse) { try_sizes(SIMT_BLOCKS_REVERSED, 5); }
TEST(coarsened_sums_are_right_when_shuffled) { try_sizes(SIMT_BLOCKS_SHUFFLED, 7); }

TEST(coarsened_reduction_reads_each_element_once)
{
    const long long n = (1 << 20) + 3;
    long long expected;

    schedule(SIMT_BLOCKS_IN_ORDER, 0);
    sum_of(n, 1, &expected);
    const uint64_t partial = counted.global_bytes_written - sizeof(float);
    CHECK(counted.launches == 2, "%llu launches", (unsigned long long)counted.launches);
    CHECK(counted.global_bytes_read == 4 * (uint64_t)n + partial, "%llu bytes read",
          (unsigned long long)counted.global_bytes_read);
    CHECK(partial <= 64 * MULTIPROCESSORS * sizeof(float), "%llu bytes of partial sums",
          (unsigned long long)partial);
    CHECK(counted.shared_wavefronts == counted.shared_ideal, "bank conflicts");
    CHECK(counted.atomics == 0, "atomics");
}
