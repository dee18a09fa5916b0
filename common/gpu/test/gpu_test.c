/*
 * gpu_test.c: facts, timer and buffers. Tests that need a GPU are skipped where there is none.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "buffer.h"
#include "check.h"
#include "facts.h"
#include "timer.h"
#include "words.h"

/* False where the test cannot run: it says why. */
static bool gpu_is_here(gpu_facts *facts)
{
    base_error error;
    char reason[sizeof error.text + 16];

    if (gpu_facts_get(facts, &error))
        return true;
    snprintf(reason, sizeof reason, "NOT_RUN: %s", error.text);
    check_skip(reason);
    return false;
}

TEST(facts_are_written_as_comment_lines)
{
    const gpu_facts facts = { .name = "A Card",
                              .major = 9,
                              .minor = 0,
                              .multiprocessors = 132,
                              .gpus = 2,
                              .l2_bytes = 62914560,
                              .memory_bytes = 1,
                              .peak_GBps = 4916.7,
                              .driver = "580.1",
                              .cuda_driver = 13010,
                              .cuda_runtime = 12090 };
    static const char *const wanted[] = { "# gpu: A Card\n",
                                          "# gpus: 2\n",
                                          "# compute_capability: 9.0\n",
                                          "# multiprocessors: 132\n",
                                          "# l2_bytes: 62914560\n",
                                          "# memory_bytes: 1\n",
                                          "# peak_GBps: 4916.7\n",
                                          "# driver: 580.1\n",
                                          "# cuda: runtime 12.9, driver 13.1\n",
                                          "# commit: abc\n",
                                          "# date: 20" };
    char text[1024] = "";
    FILE *file = fmemopen(text, sizeof text, "w");

    gpu_facts_write(file, &facts, "abc");
    fclose(file);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        CHECK(strstr(text, wanted[i]), "expected the line %s in:\n%s", wanted[i], text);
}

TEST(times_that_cannot_be_are_suspect)
{
    CHECK(gpu_timer_is_plausible(10, 80, 20e6, 4900), "20 MB in 10 us are 2000 GB/s of 4900");
    CHECK(!gpu_timer_is_plausible(10, 80, 60e6, 4900), "60 MB in 10 us are 6000 GB/s of 4900");
    CHECK(gpu_timer_is_plausible(10, 80, 60e6, 0), "a peak that is not known is not asked for");
    CHECK(!gpu_timer_is_plausible(90, 80, 0, 4900), "the events say more than the host's clock");
    CHECK(!gpu_timer_is_plausible(0, 80, 4096, 0), "bytes have moved in no time");
    CHECK(gpu_timer_is_plausible(0, 80, 0, 0), "nothing was moved");
    CHECK(!gpu_timer_is_plausible((double)NAN, 80, 0, 0), "a NaN is no time");
}

TEST(facts_of_the_gpu_here)
{
    gpu_facts facts;

    if (!gpu_is_here(&facts))
        return;
    CHECK(facts.name[0] && facts.major >= 7 && facts.multiprocessors > 0,
          "got '%s' %d.%d, %d multiprocessors", facts.name, facts.major, facts.minor,
          facts.multiprocessors);
    CHECK(facts.l2_bytes > 0 && facts.memory_bytes > 0, "L2 %zu, memory %zu", facts.l2_bytes,
          facts.memory_bytes);
}

static void copy_megabyte(void *d_memory)
{
    cudaMemcpyAsync((char *)d_memory + (1 << 20), d_memory, 1 << 20, cudaMemcpyDeviceToDevice, 0);
}

static void wait_300_us(void *unused)
{
    (void)unused;
    gpu_pass_time(300);
}

/* A kernel that takes a known time by the GPU's clock takes it by the events too; the host's clock
   agrees. */
TEST(timer_agrees_with_the_clocks_of_gpu_and_host)
{
    gpu_facts facts;
    base_error error = { "" };
    double host = 0, us;
    gpu_timer *timer;

    if (!gpu_is_here(&facts))
        return;
    timer = gpu_timer_open(&error);
    CHECK(timer, "%s", error.text);
    if (!timer)
        return;
    for (int cache = GPU_TIMER_COLD; cache <= GPU_TIMER_HOT; cache++) {
        /* warms up */
        us = gpu_timer_measure(timer, (gpu_timer_cache)cache, wait_300_us, NULL, NULL, &error);
        us = gpu_timer_measure(timer, (gpu_timer_cache)cache, wait_300_us, NULL, &host, &error);
        CHECK(us >= 299 && us < 400, "300 us were passed, the events say %g (%s)", us, error.text);
        CHECK(host > us && host < us + 1000, "the host's clock says %g, the events %g", host, us);
    }
    gpu_timer_close(timer);
}

TEST(timer_finds_a_cold_copy_slower_than_a_hot_one)
{
    gpu_facts facts;
    base_error error = { "" };
    double cold = 1e9, hot = 1e9;
    void *d_memory = NULL;
    gpu_timer *timer;

    if (!gpu_is_here(&facts))
        return;
    timer = gpu_timer_open(&error);
    CHECK(timer && cudaMalloc(&d_memory, 2 << 20) == cudaSuccess, "%s", error.text);
    for (int i = 0; timer && d_memory && i < 20; i++) {
        const double c =
            gpu_timer_measure(timer, GPU_TIMER_COLD, copy_megabyte, d_memory, NULL, &error);
        (void)gpu_timer_measure(timer, GPU_TIMER_HOT, copy_megabyte, d_memory, NULL, &error);
        const double h =
            gpu_timer_measure(timer, GPU_TIMER_HOT, copy_megabyte, d_memory, NULL, &error);
        cold = c < cold ? c : cold;
        hot = h < hot ? h : hot;
    }
    CHECK(hot > 0 && hot < cold, "a copy of 1 MB takes %g us hot and %g us cold (%s)", hot, cold,
          error.text);
    cudaFree(d_memory);
    gpu_timer_close(timer);
}

TEST(timer_reports_a_launch_that_fails)
{
    gpu_facts facts;
    base_error error = { "" };
    gpu_timer *timer;

    if (!gpu_is_here(&facts))
        return;
    timer = gpu_timer_open(&error);
    CHECK(timer && gpu_timer_begin(timer, GPU_TIMER_HOT, &error), "%s", error.text);
    /* refused; the runtime keeps it as the last error */
    (void)cudaMemcpyAsync(NULL, (void *)1, 8, (enum cudaMemcpyKind)77, 0);
    CHECK(timer && gpu_timer_end(timer, NULL, &error) < 0 && error.text[0],
          "a refused call was timed");
    gpu_timer_close(timer);
}

/* Writes one byte next to a buffer, on either side, near and far. */
TEST(buffer_guards_see_what_is_written_beside_it)
{
    static const long places[] = { -1, -4000, -GPU_BUFFER_GUARD_BYTES,   0,
                                   1,  777,   GPU_BUFFER_GUARD_BYTES - 1 };
    gpu_facts facts;
    base_error error = { "" };
    gpu_buffer buffer;
    size_t distance;

    if (!gpu_is_here(&facts))
        return;
    for (unsigned offset = 0; offset < 12; offset += 4)
        for (size_t bytes = 0; bytes < 2100; bytes += 1001)
            for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
                const long place = places[p];
                char *at;
                CHECK(gpu_buffer_make(&buffer, bytes, offset, &error), "%s", error.text);
                CHECK((size_t)buffer.data % 256 == offset, "offset %u, and the buffer is at %p",
                      offset, buffer.data);
                CHECK(gpu_buffer_damage(&buffer, &distance, &error) == 0,
                      "a new buffer is damaged");
                at = (char *)buffer.data + (place < 0 ? place : (long)bytes + place);
                CHECK(cudaMemset(at, 0x11, 1) == cudaSuccess, "the byte at %ld cannot be written",
                      place);
                const int side = gpu_buffer_damage(&buffer, &distance, &error);
                const size_t expected = place < 0 ? (size_t)-place : (size_t)place + 1;
                CHECK(side == (place < 0 ? -1 : 1) && distance == expected,
                      "byte %ld of %zu at offset %u: side %d, distance %zu", place, bytes, offset,
                      side, distance);
                gpu_buffer_drop(&buffer);
            }
}

TEST(buffer_within_another_has_guards_of_its_own)
{
    enum { ROOM = 4 * GPU_BUFFER_GUARD_BYTES };
    gpu_facts facts;
    base_error error = { "" };
    gpu_buffer outer, buffer;
    size_t distance;

    if (!gpu_is_here(&facts))
        return;
    CHECK(gpu_buffer_make(&outer, ROOM, 0, &error), "%s", error.text);
    for (size_t bytes = 400; bytes < 404; bytes++) {
        CHECK(gpu_buffer_within(&buffer, &outer, GPU_BUFFER_GUARD_BYTES, bytes, &error), "%s",
              error.text);
        CHECK(gpu_buffer_damage(&buffer, &distance, &error) == 0, "%zu bytes: damaged when new",
              bytes);
        CHECK(cudaMemset((char *)buffer.data + bytes, 0, 1) == cudaSuccess &&
                  gpu_buffer_damage(&buffer, &distance, &error) == 1 && distance == 1,
              "%zu bytes: a byte behind was not seen", bytes);
    }
    CHECK(!gpu_buffer_within(&buffer, &outer, 0, 4, &error),
          "a buffer without room for its front guard");
    CHECK(!gpu_buffer_within(&buffer, &outer, ROOM - 4, 4, &error),
          "a buffer without room for its guard behind");
    CHECK(gpu_buffer_damage(&outer, &distance, &error) == 0,
          "the outer buffer's guards are damaged");
    gpu_buffer_drop(&outer);
}

TEST(buffer_is_poisoned_whole)
{
    enum { BYTES = 1003 };
    gpu_facts facts;
    base_error error = { "" };
    gpu_buffer buffer;
    unsigned char got[BYTES];

    if (!gpu_is_here(&facts))
        return;
    CHECK(gpu_buffer_make(&buffer, BYTES, 4, &error), "%s", error.text);
    CHECK(cudaMemset(buffer.data, 0, BYTES) == cudaSuccess && gpu_buffer_poison(&buffer, &error),
          "%s", error.text);
    CHECK(cudaMemcpy(got, buffer.data, BYTES, cudaMemcpyDeviceToHost) == cudaSuccess,
          "the bytes cannot be read");
    for (size_t i = 0; i < BYTES; i++)
        CHECK(got[i] == got[i % 4] && got[3] == 0x7f && got[2] >= 0xc0,
              "byte %zu is %02x, word 0 is %02x%02x..", i, got[i], got[3], got[2]);
    gpu_buffer_drop(&buffer);
}

TEST(buffer_that_does_not_fit_is_refused)
{
    gpu_facts facts;
    base_error error = { "" };
    gpu_buffer buffer;

    if (!gpu_is_here(&facts))
        return;
    CHECK(!gpu_buffer_make(&buffer, (size_t)1 << 60, 0, &error) &&
              strstr(error.text, "no device memory"),
          "2^60 bytes: '%s'", error.text);
    CHECK(!gpu_buffer_make(&buffer, 8, 256, &error) && strstr(error.text, "offset"),
          "offset 256: '%s'", error.text);
    CHECK(cudaGetLastError() == cudaSuccess, "a refused buffer leaves an error behind");
}
