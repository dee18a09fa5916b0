/*
 * several.cu: several devices: whose memory, streams, events and variables are whose, kernels that
 * wait for kernels on other devices, peers and copies between them. Plain CUDA: the same file says
 * what two GPUs of one host do, if each can access the other's memory.
 *
 * GPUS=2 (the environment) gives the simulated host two devices.
 */
#include <cuda_runtime.h>
#include <stdlib.h>

#include "check.h"

#define IS(expected, call) check_int(#call, expected, (call))

__device__ int d_own = 5;

__global__ void store(int *p, int value) { *p = value; }
__global__ void add_one(int *p) { atomicAdd(p, 1); }
__global__ void read_own(int *out) { *out = d_own; }

/* Each tells all others, and waits for all: no kernel of these ends before all have begun. */
__global__ void meet(int *const *board, int me, int devices, int round)
{
    for (int d = 0; d < devices; d++)
        atomicExch_system(&board[d][me], round);
    for (int d = 0; d < devices; d++)
        while (atomicAdd_system(&board[me][d], 0) < round)
            ;
}

__global__ void put(int *data, volatile int *flag)
{
    *data = 7;
    __threadfence_system();
    *flag = 1;
}

__global__ void get(const int *data, volatile int *flag, int *out)
{
    while (*flag == 0)
        ;
    __threadfence_system();
    *out = *data;
}

static int devices;

static int *ints_on(int device, int n)
{
    int *p = NULL;
    IS(0, cudaSetDevice(device));
    IS(0, cudaMalloc((void **)&p, n * sizeof *p));
    IS(0, cudaMemset(p, 0, n * sizeof *p));
    return p;
}

static int value_at(const int *p)
{
    int v = -1;
    IS(0, cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost));
    return v;
}

static void let_all(void)
{
    for (int d = 0; d < devices; d++) {
        IS(0, cudaSetDevice(d));
        for (int p = 0; p < devices; p++)
            if (p != d)
                IS(0, cudaDeviceEnablePeerAccess(p, 0));
    }
}

static void what_there_is(void)
{
    struct cudaDeviceProp prop;
    int can = -1, now = -1;
    IS(cudaErrorInvalidDevice, cudaSetDevice(devices));
    IS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&prop, devices));
    IS(cudaErrorInvalidDevice, cudaGetLastError());
    IS(0, cudaGetDeviceProperties(&prop, devices - 1));
    IS(0, cudaSetDevice(1));
    IS(0, cudaGetDevice(&now));
    check_int("current device", 1, now);
    IS(0, cudaDeviceCanAccessPeer(&can, 0, 1));
    check_int("can access", 1, can);
    IS(0, cudaDeviceCanAccessPeer(&can, 1, 1));
    check_int("is no peer of its own", 0, can);
    IS(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
    IS(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    (void)cudaGetLastError();
}

static void peers(void)
{
    let_all();
    IS(0, cudaSetDevice(0));
    IS(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
    IS(cudaErrorPeerAccessAlreadyEnabled, cudaGetLastError());
    int *there = ints_on(1, 1);
    IS(0, cudaSetDevice(0));
    store<<<1, 1>>>(there, 3);
    IS(0, cudaDeviceSynchronize());
    check_int("stored by a peer", 3, value_at(there));
    IS(0, cudaFree(there));
}

static void copies(void)
{
    int *from = ints_on(0, 2), *to = ints_on(1, 2);
    IS(0, cudaSetDevice(0));
    store<<<1, 1>>>(from, 11);
    IS(0, cudaMemcpyPeer(to, 1, from, 0, sizeof *to));
    check_int("copied from a peer", 11, value_at(to));
    add_one<<<1, 1>>>(from);
    IS(0, cudaMemcpyPeerAsync(to + 1, 1, from, 0, sizeof *to, 0));
    IS(0, cudaDeviceSynchronize());
    check_int("copied behind a kernel", 12, value_at(to + 1));
    IS(0, cudaFree(from));
    IS(0, cudaFree(to));
}

static void variables(void)
{
    const int six = 6;
    int *out = ints_on(1, 1);
    IS(0, cudaMemcpyToSymbol(d_own, &six, sizeof six));
    read_own<<<1, 1>>>(out);
    check_int("a variable of device 1", 6, value_at(out));
    IS(0, cudaFree(out));
    out = ints_on(0, 1);
    read_own<<<1, 1>>>(out);
    check_int("the same of device 0", 5, value_at(out));
    IS(0, cudaFree(out));
}

/* Launched one after the other, on each device's default stream, with work before and behind. */
static void meeting(void)
{
    int *boards[8], **d_boards[8], *counts[8];
    for (int d = 0; d < devices; d++)
        boards[d] = ints_on(d, devices);
    for (int d = 0; d < devices; d++) {
        counts[d] = ints_on(d, 1);
        IS(0, cudaMalloc((void **)&d_boards[d], sizeof boards));
        IS(0, cudaMemcpy(d_boards[d], boards, sizeof boards, cudaMemcpyHostToDevice));
    }
    for (int d = 0; d < devices; d++) {
        IS(0, cudaSetDevice(d));
        for (int round = 1; round <= 2; round++) {
            add_one<<<1, 1>>>(counts[d]);
            meet<<<1, 1>>>(d_boards[d], d, devices, round);
            add_one<<<1, 1>>>(counts[d]);
        }
        IS(0, cudaMemsetAsync(boards[d], 0, sizeof(int), 0));
    }
    for (int d = 0; d < devices; d++) {
        IS(0, cudaSetDevice(d));
        IS(0, cudaDeviceSynchronize());
        check_int("counted", 4, value_at(counts[d]));
        check_int("cleared behind the kernels", 0, value_at(boards[d]));
        check_int("met twice", devices > 1 ? 2 : 0, value_at(boards[d] + devices - 1));
    }
    for (int d = 0; d < devices; d++) {
        IS(0, cudaFree(boards[d]));
        IS(0, cudaFree(d_boards[d]));
        IS(0, cudaFree(counts[d]));
    }
}

/* A reader that is launched first, on another stream and device; then what waits for its event. */
static void streams_and_events(void)
{
    cudaStream_t reader, writer;
    cudaEvent_t read;
    int *data = ints_on(0, 2), *out = ints_on(1, 2);
    IS(0, cudaSetDevice(1));
    IS(0, cudaStreamCreate(&reader));
    IS(0, cudaEventCreate(&read));
    IS(0, cudaSetDevice(0));
    IS(0, cudaStreamCreateWithFlags(&writer, cudaStreamNonBlocking));
    store<<<1, 1, 0, reader>>>(out, 1); /* it is device 1's */
    IS(cudaErrorInvalidResourceHandle, cudaGetLastError());
    IS(0, cudaSetDevice(1));
    get<<<1, 1, 0, reader>>>(data, data + 1, out);
    IS(0, cudaEventRecord(read, reader));
    IS(0, cudaSetDevice(0));
    put<<<1, 1, 0, writer>>>(data, data + 1);
    IS(0, cudaStreamWaitEvent(writer, read, 0));
    store<<<1, 1, 0, writer>>>(data, 8);
    IS(0, cudaEventSynchronize(read));
    check_int("read before it was stored again", 7, value_at(out));
    IS(0, cudaStreamSynchronize(writer));
    check_int("stored behind the event", 8, value_at(data));
    IS(0, cudaEventDestroy(read));
    IS(0, cudaStreamDestroy(reader));
    IS(0, cudaStreamDestroy(writer));
    IS(0, cudaFree(data));
    IS(0, cudaFree(out));
}

int main(int argc, char **argv)
{
    IS(0, cudaGetDeviceCount(&devices));
    if (checks_failed)
        return check_report("several");
    if (devices < 2) {
        printf("needs two devices: GPUS=2\n");
        return 77;
    }
    if (argc > 1 && strcmp(argv[1], "no_peer") == 0) { /* what is said of that */
        int *there = ints_on(1, 1);
        IS(0, cudaSetDevice(0));
        store<<<1, 1>>>(there, 3);
        IS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
        return check_report("several, no_peer");
    }
    if (argc > 1) { /* nobody puts */
        int *data = ints_on(1, 3);
        get<<<1, 1>>>(data, data + 1, data + 2);
        IS(cudaErrorLaunchTimeout, cudaDeviceSynchronize());
        return check_report("several, for ever");
    }
    what_there_is();
    peers();
    copies();
    variables();
    meeting();
    streams_and_events();
    return check_report("several");
}
