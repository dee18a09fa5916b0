/*
 * threads.cu: host threads that call CUDA at once: streams of their own, kernels, copies of
 * page-locked memory, host functions, events, kernels that wait for their thread, memory that
 * another thread frees, errors of their own, symbols, and threads that end with work under way.
 * Prints "ok". Built with the runtime under TSan.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_runtime.h"

#define CHECK(right)                                                                               \
    do {                                                                                           \
        if (!(right)) {                                                                            \
            printf("line %d: not so: %s\n", __LINE__, #right);                                     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { THREADS = 6, ROUNDS = 8, N = 700 };

__constant__ int factor[THREADS];

__global__ void scale(int *a, int n, int of)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] * factor[of] + 1;
}

__global__ void wait_for_host(volatile int *flag, volatile int *seen)
{
    while (!*flag)
        ;
    *seen = *flag;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *left[THREADS * ROUNDS]; /* for others to free */
static int left_count, called;

static void CUDART_CB count(void *user)
{
    pthread_mutex_lock(&lock);
    ++*(int *)user;
    pthread_mutex_unlock(&lock);
}

static void free_one(void)
{
    void *gone = NULL;
    pthread_mutex_lock(&lock);
    if (left_count > 0)
        gone = left[--left_count];
    pthread_mutex_unlock(&lock);
    CHECK(cudaFree(gone) == cudaSuccess);
}

static void leave(void *p)
{
    pthread_mutex_lock(&lock);
    left[left_count++] = p;
    pthread_mutex_unlock(&lock);
}

static void round_of(int id, cudaStream_t s, cudaEvent_t e)
{
    int *d, *h, n = N + id;
    float ms;
    CHECK(cudaMalloc((void **)&d, n * sizeof(int)) == cudaSuccess);
    CHECK(cudaHostAlloc((void **)&h, n * sizeof(int), cudaHostAllocPortable) == cudaSuccess);
    for (int i = 0; i < n; i++)
        h[i] = id + i;
    CHECK(cudaEventRecord(e, s) == cudaSuccess);
    CHECK(cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, s) == cudaSuccess);
    scale<<<(n + 127) / 128, 128, 0, s>>>(d, n, id);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, s) == cudaSuccess);
    CHECK(cudaLaunchHostFunc(s, count, &called) == cudaSuccess);
    CHECK(cudaEventRecord(e, s) == cudaSuccess);
    CHECK(cudaEventSynchronize(e) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, e, e) == cudaSuccess);
    for (int i = 0; i < n; i++)
        CHECK(h[i] == (id + i) * (id + 2) + 1);
    scale<<<(n + 127) / 128, 128, 0, s>>>(h, n, id);
    CHECK(cudaStreamSynchronize(s) == cudaSuccess);
    for (int i = 0; i < n; i++)
        CHECK(h[i] == ((id + i) * (id + 2) + 1) * (id + 2) + 1);
    CHECK(cudaFreeHost(h) == cudaSuccess);
    leave(d);
    free_one();
}

/* The thread that launches writes what its kernel waits for. */
static void launch_and_write(int id, cudaStream_t s, cudaEvent_t e)
{
    volatile int *flag;
    CHECK(cudaHostAlloc((void **)&flag, 2 * sizeof(int), cudaHostAllocDefault) == cudaSuccess);
    flag[0] = flag[1] = 0;
    wait_for_host<<<1, 1, 0, s>>>(flag, flag + 1);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaEventRecord(e, s) == cudaSuccess);
    *flag = id + 1;
    CHECK(cudaEventSynchronize(e) == cudaSuccess && flag[1] == id + 1);
    CHECK(cudaFreeHost((void *)flag) == cudaSuccess);
}

static void *work(void *user)
{
    const int id = *(const int *)user;
    cudaStream_t s;
    cudaEvent_t e;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) == cudaSuccess);
    CHECK(cudaEventCreate(&e) == cudaSuccess);
    for (int r = 0; r < ROUNDS; r++) {
        round_of(id, s, e);
        launch_and_write(id, s, e);
        if (id % 2) /* only this thread's */
            CHECK(cudaSetDevice(1000) == cudaErrorInvalidDevice);
        CHECK(cudaGetLastError() == (id % 2 ? cudaErrorInvalidDevice : cudaSuccess));
    }
    CHECK(cudaEventDestroy(e) == cudaSuccess);
    int *d;
    CHECK(cudaMalloc((void **)&d, sizeof *d) == cudaSuccess);
    CHECK(cudaMemsetAsync(d, 0, sizeof *d, cudaStreamPerThread) == cudaSuccess);
    scale<<<1, 1, 0, cudaStreamPerThread>>>(d, 1, id); /* and ends */
    leave(d);
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    int id[THREADS], factors[THREADS];
    for (int i = 0; i < THREADS; i++)
        factors[i] = i + 2;
    CHECK(cudaMemcpyToSymbol(factor, factors, sizeof factors) == cudaSuccess);
    for (int i = 0; i < THREADS; i++) {
        id[i] = i;
        CHECK(pthread_create(&thread[i], NULL, work, &id[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    while (left_count > 0)
        free_one();
    CHECK(called == THREADS * ROUNDS);
    CHECK(cudaGetLastError() == cudaSuccess);
    puts("ok");
    return 0;
}
