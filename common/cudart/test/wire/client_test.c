/*
 * client_test [ROUNDS]: the client's end of wire.h takes anything from an engine.
 *
 * Each round is a process that makes CUDA calls, and an engine here that answers them: mostly well,
 * then with numbers from anywhere, or with a message of another kind or size. The process may end,
 * with the status that it has for an engine that is gone; a signal must not kill it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda_runtime_api.h"
#include "rng.h"
#include "wire.h"

enum { DEVICE_BYTES = 1 << 20, BASE_PAGE = 4096, MOST_CALLS = 60 };

static const uint64_t device_base = 0x200000000000u;

static void streams(void *device)
{
    cudaStream_t stream = NULL;
    cudaEvent_t event = NULL;
    char *pinned = NULL;

    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaMallocHost((void **)&pinned, 100);
    cudaMemsetAsync(device, 2, 100, stream);
    cudaMemcpyAsync(device, pinned, 100, cudaMemcpyHostToDevice, stream);
    if (pinned)
        pinned[0]++;
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(0, event, 0);
    cudaStreamSynchronize(stream);
    cudaFreeHost(pinned);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
}

static void calls(void)
{
    static unsigned char bytes[5000];
    void *device = NULL, *managed = NULL, *mapped = NULL;
    struct cudaDeviceProp properties;
    struct cudaPointerAttributes attributes;
    size_t free_bytes, all_bytes;

    for (int i = 0; i < MOST_CALLS; i++)
        switch (i % 13) {
        case 0: cudaMalloc(&device, 1000); break;
        case 1: cudaMemcpy(device, bytes, sizeof bytes, cudaMemcpyHostToDevice); break;
        case 2: cudaMemcpy(bytes, device, sizeof bytes, cudaMemcpyDeviceToHost); break;
        case 3: cudaMallocManaged(&managed, 9000, cudaMemAttachGlobal); break;
        case 4: cudaMemset(device, 1, 1000); break;
        case 5: cudaHostAlloc(&mapped, 100, cudaHostAllocMapped); break;
        case 6: cudaGetDeviceProperties(&properties, 0); break;
        case 7: cudaMemcpy2D(bytes, 50, device, 60, 50, 4, cudaMemcpyDefault); break;
        case 8: cudaMemGetInfo(&free_bytes, &all_bytes); break;
        case 9: cudaPointerGetAttributes(&attributes, device); break;
        case 10: cudaFree(i % 26 == 10 ? managed : device); break;
        case 11: streams(device); break;
        default: i == 38 ? cudaDeviceReset() : cudaDeviceSynchronize();
        }
}

static void answer(rng *r, wire_message *m)
{
    const unsigned how = (unsigned)rng_below(r, 32);
    const uint32_t kind = m->head.kind;

    memset(&m->head, 0, sizeof m->head);
    m->head.kind = WIRE_REPLY;
    if (kind == WIRE_OPEN) {
        m->head.a[1] = device_base;
        m->head.a[2] = DEVICE_BYTES;
    } else if (kind == WIRE_FACTS) {
        m->head.a[1] = m->head.a[2] = 1;
    } else if (kind == WIRE_ALLOC) {
        m->head.a[1] = device_base + BASE_PAGE * (1 + rng_below(r, 200));
    } else if (kind == WIRE_FREE) {
        m->head.a[1] = 9000;
    }
    if (how < 3)
        m->head.a[rng_below(r, 8)] = rng_next(r) >> rng_below(r, 64);
    if (how == 3)
        m->head.a[0] = rng_below(r, 1000);
    if (how == 4)
        m->head.tail = (uint32_t)rng_below(r, 40);
    if (how == 5)
        m->head.kind = (uint32_t)rng_below(r, WIRE_KINDS + 3);
}

static void serve(rng *r, int socket)
{
    wire_message m;

    while (recv(socket, &m, sizeof m, 0) >= (ssize_t)sizeof m.head) {
        answer(r, &m);
        const size_t size = sizeof m.head + m.head.tail;
        send(socket, &m, rng_below(r, 200) ? size : size - 1, MSG_NOSIGNAL);
    }
}

static _Noreturn void be_the_client(int socket, int shared)
{
    const int high = fcntl(socket, F_DUPFD, 50), other = fcntl(shared, F_DUPFD, 50);
    dup2(other, WIRE_MEMORY);
    dup2(high, WIRE_SOCKET);
    close_range(WIRE_FIRST_FREE, ~0u, 0);
    calls();
    _exit(0);
}

int main(int count, char **arguments)
{
    const unsigned long rounds = count > 1 ? strtoul(arguments[1], NULL, 10) : 500;
    unsigned long ended[3] = { 0, 0, 0 };
    rng r;

    rng_seed(&r, 17);
    for (unsigned long i = 0; i < rounds; i++) {
        int pair[2], status, shared = memfd_create("shared", 0);
        if (shared < 0 || ftruncate(shared, 2 * DEVICE_BYTES) != 0 ||
            socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) != 0)
            return 3;
        const pid_t child = fork();
        if (child == 0)
            be_the_client(pair[1], shared);
        close(pair[1]);
        serve(&r, pair[0]);
        close(pair[0]);
        close(shared);
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) == 1 ||
            WEXITSTATUS(status) > 2) {
            printf("round %lu: the client ended with status 0x%x\n", i, (unsigned)status);
            return 1;
        }
        ended[WEXITSTATUS(status)]++;
    }
    printf("%lu rounds to the end, %lu cut short\n", ended[0], ended[2]);
    return ended[0] && ended[2] ? 0 : 1;
}
