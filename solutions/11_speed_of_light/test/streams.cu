/*
 * streams.cu: scans of lab 11's solution on streams of their own at the same time, the same graph
 * replayed, in place, misaligned, of lengths and types that change from call to call in one
 * workspace: lengths off each border between two paths, so that every path meets warps and rows
 * that are not full.
 *
 * Sums are checked on the host against running sums; int and long long only, whose sums are exact.
 * Prints what differs first. Exit status: 0 all right, 1 a wrong sum, 77 no GPU.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "speed_of_light.h"

enum { STREAMS = 4, ROUNDS = 40, REPLAYS = 30, WRONG = 1, NOT_RUN = 77 };

/* The solution changes paths at multiples of 8 KiB a multiprocessor: these many, or between them.
   The last goes by ticket. */
enum { PIECE = 8192 / sizeof(int), BORDERS = 9, FIXED = 4, LENGTHS = FIXED + 2 * BORDERS };

static const int borders[BORDERS] = { 1, 2, 4, 8, 16, 28, 30, 32, 40 };
static long long most, lengths[LENGTHS] = { 1, 1000, 4097, 100003 };

static void choose_lengths(void)
{
    int multiprocessors = 0;

    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    for (int i = 0; i < BORDERS; i++) {
        const long long border = (long long)multiprocessors * PIECE * borders[i];
        lengths[FIXED + 2 * i] = border - 1;
        lengths[FIXED + 2 * i + 1] = most = border + 1;
    }
}

static void check(cudaError_t error, const char *doing)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "streams: %s: %s\n", doing, cudaGetErrorString(error));
    exit(WRONG);
}

static void launched(bool ok, const char *doing)
{
    if (ok)
        return;
    check(cudaGetLastError(), doing);
    fprintf(stderr, "streams: %s: refused\n", doing);
    exit(WRONG);
}

static int *h_in, *h_sum, *h_out;

static void expect(const int *got, long long n, const char *what)
{
    for (long long i = 0; i < n; i++)
        if (got[i] != h_sum[i]) {
            fprintf(stderr, "streams: %s, n = %lld: element %lld is %d, expected %d\n", what, n, i,
                    got[i], h_sum[i]);
            exit(WRONG);
        }
}

static void fetch_and_expect(const int *d_out, long long n, const char *what)
{
    check(cudaMemcpy(h_out, d_out, (size_t)n * sizeof *h_out, cudaMemcpyDeviceToHost),
          "copying sums back");
    expect(h_out, n, what);
}

/* Two ints side by side, as one long long, whose sums carry from the lower into the upper half: n /
   2 of them. */
static void expect_wide(const long long *d_out, long long n)
{
    long long *sums = (long long *)h_out, sum = 0;

    check(cudaMemcpy(sums, d_out, (size_t)n / 2 * sizeof *sums, cudaMemcpyDeviceToHost),
          "copying sums back");
    for (long long i = 0; i < n / 2; i++) {
        long long element;
        memcpy(&element, &h_in[2 * i], sizeof element);
        sum = (long long)((unsigned long long)sum + (unsigned long long)element);
        if (sums[i] != sum) {
            fprintf(stderr, "streams: long long, n = %lld: element %lld is %lld, expected %lld\n",
                    n / 2, i, sums[i], sum);
            exit(WRONG);
        }
    }
}

typedef struct lane {
    cudaStream_t stream;
    void *d_workspace;
    int *d_out;
} lane;

static void concurrent(lane *lanes, size_t room, const int *d_in)
{
    for (int round = 0; round < ROUNDS; round++) {
        long long n[STREAMS];
        for (int s = 0; s < STREAMS; s++) {
            n[s] = lengths[(round * 3 + s * 5) % LENGTHS];
            check(
                cudaMemsetAsync(lanes[s].d_out, 0xa5, (size_t)n[s] * sizeof(int), lanes[s].stream),
                "poisoning");
        }
        for (int s = 0; s < STREAMS; s++)
            launched(speed_i32_on(lanes[s].d_workspace, room, d_in, lanes[s].d_out, n[s],
                                  lanes[s].stream),
                     "launching");
        check(cudaDeviceSynchronize(), "scanning on streams");
        for (int s = 0; s < STREAMS; s++)
            fetch_and_expect(lanes[s].d_out, n[s], "on streams");
        launched(speed_i64_on(lanes[0].d_workspace, room, (const long long *)d_in,
                              (long long *)lanes[0].d_out, n[0] / 2, lanes[0].stream),
                 "launching long long");
        check(cudaDeviceSynchronize(), "scanning long long");
        if (n[0] >= 2)
            expect_wide((const long long *)lanes[0].d_out, n[0]);
    }
}

/* In place: every replay copies the input anew and scans it where it lies, one element off
   alignment. */
static void replayed(lane *l, size_t room, const int *d_in, long long n)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;

    check(cudaStreamBeginCapture(l->stream, cudaStreamCaptureModeGlobal), "capturing");
    check(cudaMemcpyAsync(l->d_out + 1, d_in, (size_t)n * sizeof(int), cudaMemcpyDeviceToDevice,
                          l->stream),
          "capturing a copy");
    launched(speed_i32_on(l->d_workspace, room, l->d_out + 1, l->d_out + 1, n, l->stream),
             "capturing a scan");
    check(cudaStreamEndCapture(l->stream, &graph), "capturing");
    check(cudaGraphInstantiate(&exec, graph, 0), "making a graph");
    for (int i = 0; i < REPLAYS; i++) {
        check(cudaMemsetAsync(l->d_out, 0xa5, (size_t)(n + 1) * sizeof(int), l->stream),
              "poisoning");
        check(cudaGraphLaunch(exec, l->stream), "launching a graph");
        if (i % 10 == 9) {
            check(cudaStreamSynchronize(l->stream), "replaying");
            fetch_and_expect(l->d_out + 1, n, "replayed, in place, misaligned");
        }
    }
    check(cudaGraphExecDestroy(exec), "dropping a graph");
    check(cudaGraphDestroy(graph), "dropping a graph");
}

int main(void)
{
    lane lanes[STREAMS];
    size_t bytes, room;
    unsigned long long random = 42;
    int devices = 0, *d_in;

    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        puts("NOT_RUN: there is no GPU");
        return NOT_RUN;
    }
    choose_lengths();
    /* as many bytes, twice the words */
    bytes = (size_t)(most + 2) * sizeof(int),
    room = speed_workspace_bytes(most / 2, sizeof(long long));
    h_in = (int *)malloc(bytes), h_sum = (int *)malloc(bytes), h_out = (int *)malloc(bytes);
    if (!h_in || !h_sum || !h_out)
        return WRONG;
    for (long long i = 0; i < most + 2; i++) {
        random = random * 6364136223846793005ull + 1442695040888963407ull;
        h_in[i] = (int)(random >> 33) - (1 << 30);
        h_sum[i] = (int)((i ? (unsigned)h_sum[i - 1] : 0u) + (unsigned)h_in[i]);
    }
    check(cudaMalloc((void **)&d_in, bytes), "allocating");
    check(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice), "copying");
    for (int s = 0; s < STREAMS; s++) {
        check(cudaStreamCreateWithFlags(&lanes[s].stream, cudaStreamNonBlocking),
              "making a stream");
        check(cudaMalloc(&lanes[s].d_workspace, room), "allocating");
        check(cudaMemset(lanes[s].d_workspace, 0, room), "clearing");
        check(cudaMalloc((void **)&lanes[s].d_out, bytes), "allocating");
    }
    check(cudaDeviceSynchronize(), "setting up");
    concurrent(lanes, room, d_in);
    replayed(&lanes[1], room, d_in, 3000);
    for (int i = 0; i < LENGTHS - FIXED; i++)
        replayed(&lanes[i % STREAMS], room, d_in, lengths[FIXED + i]);
    if (speed_i32_on(lanes[0].d_workspace, speed_workspace_bytes(most, sizeof(int)) - 8, d_in,
                     lanes[0].d_out, most, lanes[0].stream)) {
        fputs("streams: a workspace that is too small is taken\n", stderr);
        return WRONG;
    }
    printf("right: %d rounds on %d streams, %d replays of %d graphs\n", ROUNDS, STREAMS, REPLAYS,
           LENGTHS - FIXED + 1);
    return 0;
}
