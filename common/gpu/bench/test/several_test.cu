/*
 * several_test.cu: the bench's scans over several GPUs (many/several.h), on the engine: GPUS says
 * on how many. Each twice, with the same workspaces, at sizes that fit on the chip and that do not.
 */
#include "several.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

static several s;
static int failed;

static int value_at(long long i) { return (int)(i * 2654435761u >> 7) - 1000; }

static void ok(bool well, const char *what)
{
    if (well)
        return;
    printf("%s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
    exit(1);
}

static long long index_of(long long i, int g, bool dealt)
{
    return dealt ? (i / SEVERAL_TILE * s.gpus + g) * SEVERAL_TILE + i % SEVERAL_TILE : g * s.n + i;
}

static void wait_for_all(const char *what)
{
    for (int g = 0; g < s.gpus; g++) {
        cudaSetDevice(g);
        ok(cudaDeviceSynchronize() == cudaSuccess, what);
    }
}

static void try_one(const char *what, bool (*run)(const several *), bool dealt, bool alone)
{
    const long long all = s.n * s.gpus;
    std::vector<int> expected(all), part(s.n);
    unsigned sum = 0;

    for (long long i = 0; i < all; i++)
        expected[i] = (int)(sum += (unsigned)value_at(i));
    for (int g = 0; g < s.gpus; g++) {
        cudaSetDevice(g);
        for (long long i = 0; i < s.n; i++)
            part[i] = value_at(index_of(i, g, dealt));
        ok(cudaMemcpy((void *)s.d_in[g], part.data(), s.n * sizeof(int), cudaMemcpyHostToDevice) ==
               cudaSuccess,
           what);
    }
    ok(several_open(&s, dealt), "several_open");
    for (int time = 0; time < 2; time++) {
        for (int g = 0; g < s.gpus; g++) {
            cudaSetDevice(g);
            cudaMemset(s.d_out[g], 0xff, s.n * sizeof(int));
        }
        wait_for_all("poison");
        ok(run(&s), what);
        wait_for_all(what);
        for (int g = 0; g < s.gpus; g++) {
            cudaSetDevice(g);
            cudaMemcpy(part.data(), s.d_out[g], s.n * sizeof(int), cudaMemcpyDeviceToHost);
            const unsigned before = alone && g > 0 ? (unsigned)expected[g * s.n - 1] : 0;
            for (long long i = 0; i < s.n; i++) {
                const int right = (int)((unsigned)expected[index_of(i, g, dealt)] - before);
                if (part[i] != right) {
                    printf("%s, %d GPUs, n = %lld, time %d: GPU %d [%lld]: expected %d, got %d\n",
                           what, s.gpus, s.n, time, g, i, right, part[i]);
                    failed++;
                    break;
                }
            }
        }
    }
}

int main()
{
    const long long sizes[] = { 2048, 4096, 8192 + 52, 65536, 3 * 65536 };
    unsigned long long *d_board[SEVERAL_MOST];

    ok(cudaGetDeviceCount(&s.gpus) == cudaSuccess, "devices");
    for (int g = 0; g < s.gpus; g++) {
        cudaSetDevice(g);
        for (int peer = 0; peer < s.gpus; peer++)
            if (peer != g)
                ok(cudaDeviceEnablePeerAccess(peer, 0) == cudaSuccess, "a peer");
        cudaMalloc((void **)&s.d_in[g], (3 << 16) * sizeof(int));
        cudaMalloc((void **)&s.d_out[g], (3 << 16) * sizeof(int));
        cudaMalloc(&s.d_room[g], several_room(3 << 16, s.gpus));
        cudaMalloc((void **)&d_board[g], SEVERAL_BOARD * sizeof(long long));
        cudaMemset(d_board[g], 0, SEVERAL_BOARD * sizeof(long long));
        ok(cudaStreamCreateWithFlags(&s.stream[g], cudaStreamNonBlocking) == cudaSuccess, "stream");
    }
    for (long long n : sizes) {
        s.n = n;
        try_one("scan", several_scan, false, true);
        try_one("fix_up", several_fix_up, false, false);
        try_one("seed_first", several_seed_first, false, false);
        try_one("board", several_board, false, false);
        if (n % SEVERAL_TILE == 0)
            try_one("dealt", several_dealt, true, false);
    }
    ok(several_rounds(&s, d_board, 0, 3), "rounds");
    wait_for_all("rounds");
    for (int pushed = 0; s.gpus > 1 && pushed < 2; pushed++) {
        ok(several_ping_pong(&s, d_board, 0, s.gpus - 1, pushed, 10 * pushed, 3), "ping-pong");
        wait_for_all("ping-pong");
    }
    for (int g = 0; g < s.gpus; g++) {
        cudaSetDevice(g);
        cudaFree((void *)s.d_in[g]);
        cudaFree(s.d_out[g]);
        cudaFree(s.d_room[g]);
        cudaFree(d_board[g]);
        cudaStreamDestroy(s.stream[g]);
    }
    printf("%d failed\n", failed);
    return failed > 0;
}
