/*
 * cub_test.h: what the programs here share, each of which runs one family of CUB's device
 * algorithms on the engine.
 *
 * A program calls its cases through run_cases: for every n of interest, under several orders of
 * blocks and warps, with all checks of the engine on. CUB is right, so a finding of any kind fails
 * the test, and so does a result that differs from the host's. Inputs are drawn from a seed, with
 * values below zero among them. Temporary storage is asked for as CUB wants it: one call for the
 * size, one that works.
 */
#ifndef CUB_TEST_H
#define CUB_TEST_H

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

extern "C" {
#include "cudart.h"
}

static const char *case_name = "";
static int case_n, failures, comparisons;
static unsigned long launches;

/* ---- device memory --------------------------------------------------------------------------- */

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    printf("%s, n = %d: %s: %s (%s)\n", case_name, case_n, what, cudaGetErrorString(error),
           cudart_detail());
    exit(1);
}
#define MUST(call) must((call), #call)

/* count elements on the device; none have an address too */
template <typename T> struct device_array {
    T *data = nullptr;
    int count;
    explicit device_array(int n) : count(n)
    {
        MUST(cudaMalloc((void **)&data, (n ? n : 1) * sizeof(T)));
    }
    explicit device_array(const std::vector<T> &from) : device_array((int)from.size())
    {
        if (count)
            MUST(cudaMemcpy(data, from.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    device_array(const device_array &) = delete;
    ~device_array() { MUST(cudaFree(data)); }
    std::vector<T> host(int n) const
    {
        std::vector<T> to(n);
        if (n)
            MUST(cudaMemcpy(to.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost));
        return to;
    }
};

/* algorithm(temporary, bytes) is a call of CUB; -> cudaError_t */
template <typename F> static void run_cub(F algorithm)
{
    size_t bytes = 0;
    MUST(algorithm((void *)nullptr, bytes));
    device_array<unsigned char> temporary((int)bytes);
    MUST(algorithm((void *)temporary.data, bytes));
    MUST(cudaDeviceSynchronize());
}

/* ---- inputs and comparisons ------------------------------------------------------------------ */

static uint64_t draw_state;

static uint64_t draw(void) /* splitmix64 */
{
    uint64_t z = draw_state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static int draw_between(int low, int high)
{
    return low + (int)(draw() % (unsigned)(high - low + 1));
}

template <typename T>
static void same(const char *what, const std::vector<T> &expected, const std::vector<T> &got)
{
    comparisons++;
    for (size_t i = 0; i < expected.size(); i++) {
        if (memcmp(&expected[i], &got[i], sizeof(T)) == 0)
            continue;
        failures++;
        printf("%s, n = %d: %s[%zu]: expected %.17g, got %.17g\n", case_name, case_n, what, i,
               (double)expected[i], (double)got[i]);
        return;
    }
}

/* ---- schedules ------------------------------------------------------------------------------- */

static void observe(void *, const char *kernel, const simt_launch_args *, simt_status,
                    const simt_report *report)
{
    launches++;
    for (unsigned i = 0; i < report->findings; i++) {
        const simt_finding *f = &report->finding[i];
        simt_words words;
        simt_finding_words(f, nullptr, &words);
        failures++;
        printf("%s, n = %d (%s): %s in %.40s at %s:%u, PTX line %u (with PTX line %u): %s\n",
               case_name, case_n, report->schedule, simt_finding_name(f->kind), kernel, f->at.file,
               f->at.line, f->at.ptx_line, f->other.ptx_line, words.message);
    }
}

/* A block that looks back waits for those before it: CUB's scan and select take their order from
   blockIdx and rely on blocks that start in it, as hardware starts them. Others must not care. */
enum block_starts { STARTS_IN_ORDER, STARTS_IN_ANY_ORDER };

static void run_cases(const char *name, block_starts starts, void (*one_case)(int n))
{
    static const struct {
        simt_block_order order;
        bool shuffled, late;
        unsigned resident;
    } schedules[] = {
        { SIMT_BLOCKS_IN_ORDER, false, false, 0 },
        { SIMT_BLOCKS_IN_ORDER, true, true, 3 },
        { SIMT_BLOCKS_REVERSED, false, true, 0 },
        { SIMT_BLOCKS_SHUFFLED, true, true, 4 },
    };
    static const int sizes[] = { 0, 1, 1000, (1 << 16) + 1 };
    case_name = name;
    cudart_observe(observe, nullptr);
    for (int k = 0; k < (starts == STARTS_IN_ORDER ? 2 : 4); k++) {
        simt_config config = simt_default_config();
        config.block_order = schedules[k].order;
        config.shuffle_warps = schedules[k].shuffled;
        config.late_stores = schedules[k].late;
        config.resident_blocks = schedules[k].resident;
        config.seed = 1 + k;
        if (!cudart_configure(&config)) {
            printf("%s: %s\n", name, cudart_detail());
            exit(1);
        }
        for (int n : sizes) {
            case_n = n;
            draw_state = 1000 * k + n;
            one_case(n);
        }
    }
}

static int report(const char *program)
{
    printf("%s: %d comparisons, %lu launches, %d failures\n", program, comparisons, launches,
           failures);
    return failures != 0 || comparisons == 0;
}

#endif
