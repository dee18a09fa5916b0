/*
 * many.cu: gpu_many, scans of ints that lie on 1, 2, 4 and 8 GPUs of one host: lab 24's ways at
 * the speed of memory (several.h), beside CUB's parts and a copy; and what a word from GPU to GPU
 * costs.
 * C++: CUB is made of templates. NCCL is looked for when it runs, and left out where there is none:
 * SCANLAB_NCCL names a libnccl.so.2.
 *
 *     gpu_many FOLDER [COMMIT [MOST]]    MOST: the largest n of a GPU is 2^MOST, 16 to 28
 *
 * FOLDER/many.csv has a line for each way, number of GPUs and n of a GPU: the median, least and
 * most of REPETITIONS runs, all ways in turn, a cold cache before each. All GPUs wait for one flag
 * of the host, then work; the slowest counts, from an event to an event on its stream. Every way's
 * output is compared before and after. FOLDER/links.csv has the words.
 *
 *     copy                 a copy of each share, at the same time
 *     lab_scan, lab_reduce a scan, a sum of each share alone, as lab 11 and 03 do them
 *     fix_up, seed_first, board, dealt    see several.h
 *     cub_scan             CUB's scan of each share alone
 *     cub_fix_up_X         CUB's scan, a gather of the sums, an addition
 *     cub_seed_first_X     CUB's reduction, a gather, CUB's scan from there
 *         X: nccl          ncclAllGather
 *            host          the host reads the sums, and starts the second half
 *            board         a kernel tells all, and waits for all
 *
 * Exit status: 1 an output is wrong, 3 CUDA failed. What could be measured is in the files.
 */
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>
#include <cuda_runtime.h>

#include "several.h"

#define _Noreturn [[noreturn]] /* C, in error.h */
extern "C" {
#include "facts.h"
}

enum {
    LEAST_LOG = 16,
    MOST_LOG = 28,
    REPETITIONS = 21,
    WARM_UPS = 2,
    MOST_GPUS = SEVERAL_MOST,
    BLOCKS = 2048,
    THREADS = 256,
    ROUNDS = 1000,
    CALLS = 200,
    ARRIVAL_US = 300
};

static void ok(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "gpu_many: %s: %s\n", what, cudaGetErrorString(error));
    exit(3);
}

/* What is under way, for who stops the program. */
static char under_way[128] = "nothing";

static void say_where(int)
{
    static const char begin[] = "gpu_many: stopped in ";
    (void)!write(2, begin, sizeof begin - 1);
    (void)!write(2, under_way, strlen(under_way));
    (void)!write(2, "\n", 1);
    _exit(3);
}

static void done(bool well, const char *what)
{
    if (!well)
        ok(cudaGetLastError(), what);
    if (!well) {
        fprintf(stderr, "gpu_many: %s failed\n", what);
        exit(3);
    }
}

/* ---- NCCL, if it is there: of nccl.h what is called here ------------------------------------- */

typedef struct ncclComm *ncclComm_t;
enum { NCCL_INT32 = 2 };

static struct {
    int (*version)(int *version);
    int (*init)(ncclComm_t *comms, int count, const int *devices);
    int (*destroy)(ncclComm_t comm);
    int (*begin)(void);
    int (*end)(void);
    int (*all_gather)(const void *d_from, void *d_to, size_t count, int type, ncclComm_t comm,
                      cudaStream_t stream);
} nccl;

/* Its version, or 0. */
static int open_nccl(void)
{
    const char *path = getenv("SCANLAB_NCCL");
    void *library = dlopen(path && *path ? path : "libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    int version = 0;

    if (!library)
        return 0;
    *(void **)&nccl.version = dlsym(library, "ncclGetVersion");
    *(void **)&nccl.init = dlsym(library, "ncclCommInitAll");
    *(void **)&nccl.destroy = dlsym(library, "ncclCommDestroy");
    *(void **)&nccl.begin = dlsym(library, "ncclGroupStart");
    *(void **)&nccl.end = dlsym(library, "ncclGroupEnd");
    *(void **)&nccl.all_gather = dlsym(library, "ncclAllGather");
    return nccl.version && nccl.init && nccl.destroy && nccl.begin && nccl.end && nccl.all_gather &&
                   nccl.version(&version) == 0
               ? version
               : 0;
}

static void nccl_ok(int result, const char *what)
{
    if (result == 0)
        return;
    fprintf(stderr, "gpu_many: %s: NCCL's error %d\n", what, result);
    exit(3);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static struct {
    several shares, dealt;
    void *d_temp[MOST_GPUS], *d_flush[MOST_GPUS];
    size_t temp_bytes, flush_bytes;
    int *d_sum[MOST_GPUS], *d_sums[MOST_GPUS], *d_seed[MOST_GPUS]; /* own; all; of those before */
    unsigned long long *d_board[MOST_GPUS], *d_wrong[MOST_GPUS];
    int *h_sum; /* MOST_GPUS */
    unsigned *h_flag;
    unsigned turn, epoch;
    cudaEvent_t begin[MOST_GPUS], end[MOST_GPUS];
    ncclComm_t comm[MOST_GPUS];
    bool has_nccl;
} m;

static void take_memory(int gpus, long long most)
{
    m.temp_bytes = (size_t)64 << 20;
    m.flush_bytes = (size_t)256 << 20;
    ok(cudaHostAlloc((void **)&m.h_flag, sizeof *m.h_flag,
                     cudaHostAllocMapped | cudaHostAllocPortable),
       "a flag");
    ok(cudaHostAlloc((void **)&m.h_sum, MOST_GPUS * sizeof *m.h_sum, cudaHostAllocPortable),
       "host memory");
    *m.h_flag = 0;
    for (int g = 0; g < gpus; g++) {
        ok(cudaSetDevice(g), "a device");
        for (int peer = 0; peer < gpus; peer++)
            if (peer != g)
                ok(cudaDeviceEnablePeerAccess(peer, 0), "a peer");
        ok(cudaMalloc((void **)&m.shares.d_in[g], most * sizeof(int)), "memory");
        ok(cudaMalloc((void **)&m.dealt.d_in[g], most * sizeof(int)), "memory");
        ok(cudaMalloc((void **)&m.shares.d_out[g], most * sizeof(int)), "memory");
        m.dealt.d_out[g] = m.shares.d_out[g];
        ok(cudaMalloc(&m.shares.d_room[g], several_room(most, gpus)), "memory");
        ok(cudaMalloc(&m.dealt.d_room[g], several_room(most, gpus)), "memory");
        ok(cudaStreamCreateWithFlags(&m.shares.stream[g], cudaStreamNonBlocking), "stream");
        m.dealt.stream[g] = m.shares.stream[g];
        ok(cudaMalloc(&m.d_temp[g], m.temp_bytes), "memory");
        ok(cudaMalloc(&m.d_flush[g], m.flush_bytes), "memory");
        ok(cudaMalloc((void **)&m.d_sum[g], sizeof(int)), "memory");
        ok(cudaMalloc((void **)&m.d_sums[g], MOST_GPUS * sizeof(int)), "memory");
        ok(cudaMalloc((void **)&m.d_seed[g], sizeof(int)), "memory");
        ok(cudaMalloc((void **)&m.d_board[g], SEVERAL_BOARD * sizeof *m.d_board[g]), "memory");
        ok(cudaMemset(m.d_board[g], 0, SEVERAL_BOARD * sizeof *m.d_board[g]), "board");
        ok(cudaMalloc((void **)&m.d_wrong[g], sizeof *m.d_wrong[g]), "memory");
        ok(cudaEventCreate(&m.begin[g]), "event");
        ok(cudaEventCreate(&m.end[g]), "event");
        ok(cudaDeviceSynchronize(), "memory");
    }
}

static void wait_for_all(const char *what)
{
    for (int g = 0; g < m.shares.gpus; g++) {
        ok(cudaSetDevice(g), "a device");
        ok(cudaDeviceSynchronize(), what);
    }
}

/* ---- data: the scan's element i is mix(i) ---------------------------------------------------- */

#define EACH(i, n)                                                                                 \
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;                    \
         i += (long long)gridDim.x * blockDim.x)

static __device__ unsigned mix(long long i)
{
    unsigned long long x = (unsigned long long)i * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    return i < 0 ? 0 : (unsigned)(x >> 32 ^ x);
}

/* Where a GPU's element i is in the array. */
static __device__ long long index_of(long long i, long long n, int gpu, int gpus, bool dealt)
{
    return dealt ? (i / SEVERAL_TILE * gpus + gpu) * SEVERAL_TILE + i % SEVERAL_TILE : gpu * n + i;
}

static __global__ void fill(int *d_in, long long n, int gpu, int gpus, bool dealt)
{
    EACH(i, n)
    {
        const long long at = index_of(i, n, gpu, gpus, dealt);
        d_in[i] = (int)(mix(at) - mix(at - 1));
    }
}

/* alone: as a scan of the share by itself has it. */
static __global__ void compare(const int *d_out, long long n, int gpu, int gpus, bool dealt,
                               bool alone, unsigned long long *d_wrong)
{
    unsigned long long wrong = 0;

    EACH(i, n)
    wrong += (unsigned)d_out[i] !=
             mix(index_of(i, n, gpu, gpus, dealt)) - (alone ? mix(gpu * n - 1) : 0);
    if (wrong > 0)
        atomicAdd(d_wrong, wrong);
}

/* ---- CUB's parts ----------------------------------------------------------------------------- */

static __global__ void sum_sums(const int *d_sums, int me, int *d_seed)
{
    unsigned sum = 0;

    for (int g = 0; g < me; g++)
        sum += (unsigned)d_sums[g];
    *d_seed = (int)sum;
}

/* A word holds an epoch and a sum. */
typedef struct words {
    unsigned long long *at[MOST_GPUS];
} words;

static __global__ void tell_and_sum(words board, int me, int count, unsigned epoch,
                                    const int *d_sum, int *d_seed)
{
    const int g = threadIdx.x;
    const unsigned long long mine = (unsigned long long)epoch << 32 | (unsigned)*d_sum;
    unsigned long long word = 0;

    if (g > me && g < count)
        *(volatile unsigned long long *)&board.at[g][32 + me] = mine;
    if (g < me)
        while (((word = *(const volatile unsigned long long *)&board.at[me][32 + g]) >> 32) !=
               epoch)
            ;
    __syncwarp();
    unsigned seed = (unsigned)word;
    for (int distance = 16; distance > 0; distance /= 2)
        seed += __shfl_xor_sync(0xffffffffu, seed, distance);
    if (g == 0)
        *d_seed = (int)seed;
}

static __global__ void add_seed(int *d_out, long long n, const int *d_seed)
{
    uint4 *rows = (uint4 *)d_out;
    const unsigned seed = (unsigned)*d_seed;

    EACH(i, n / 4)
    {
        const uint4 v = rows[i];
        rows[i] = make_uint4(v.x + seed, v.y + seed, v.z + seed, v.w + seed);
    }
}

typedef enum gather { BY_NCCL, BY_HOST, BY_BOARD } gather;

#define ON_ALL(g) for (int g = 0; g < m.shares.gpus && cudaSetDevice(g) == cudaSuccess; g++)

static void cub_scan(int g)
{
    size_t bytes = m.temp_bytes;

    ok(cub::DeviceScan::InclusiveSum(m.d_temp[g], bytes, m.shares.d_in[g], m.shares.d_out[g],
                                     m.shares.n, m.shares.stream[g]),
       "CUB's scan");
}

static void cub_reduce(int g)
{
    size_t bytes = m.temp_bytes;

    ok(cub::DeviceReduce::Sum(m.d_temp[g], bytes, m.shares.d_in[g], m.d_sum[g], m.shares.n,
                              m.shares.stream[g]),
       "CUB's reduction");
}

/* From a seed in device memory, which the interface offers to exclusive scans alone. */
static void cub_scan_from(int g)
{
    typedef cub::detail::InputValue<int> seed;
    size_t bytes = m.temp_bytes;

    ok((cub::DispatchScan<const int *, int *, ::cuda::std::plus<>, seed, unsigned long long, int,
                          cub::ForceInclusive::Yes>::Dispatch(m.d_temp[g], bytes, m.shares.d_in[g],
                                                              m.shares.d_out[g],
                                                              ::cuda::std::plus<>{},
                                                              seed(cub::FutureValue<int>(
                                                                  m.d_seed[g])),
                                                              (unsigned long long)m.shares.n,
                                                              m.shares.stream[g])),
       "CUB's scan from a seed");
}

/* Each GPU's sum, at d_from[g], becomes the seeds of those behind; by the host: it reads them. */
static void begin_gather(gather by, int *const *d_from)
{
    words board = { { NULL } };

    if (by == BY_NCCL)
        nccl_ok(nccl.begin(), "a group");
    if (by == BY_BOARD)
        m.epoch++;
    for (int g = 0; g < m.shares.gpus; g++)
        board.at[g] = m.d_board[g];
    ON_ALL(g)
    {
        if (by == BY_NCCL)
            nccl_ok(nccl.all_gather(d_from[g], m.d_sums[g], 1, NCCL_INT32, m.comm[g],
                                    m.shares.stream[g]),
                    "ncclAllGather");
        else if (by == BY_HOST)
            ok(cudaMemcpyAsync(&m.h_sum[g], d_from[g], sizeof(int), cudaMemcpyDeviceToHost,
                               m.shares.stream[g]),
               "a sum");
        else
            tell_and_sum<<<1, 32, 0, m.shares.stream[g]>>>(board, g, m.shares.gpus, m.epoch,
                                                           d_from[g], m.d_seed[g]);
    }
    if (by == BY_NCCL) {
        nccl_ok(nccl.end(), "ncclAllGather");
        ON_ALL(g) sum_sums<<<1, 1, 0, m.shares.stream[g]>>>(m.d_sums[g], g, m.d_seed[g]);
    }
}

/* The host has waited. */
static void seeds_of_host(void)
{
    static int h_seed[MOST_GPUS];
    unsigned sum = 0;

    ON_ALL(g)
    {
        h_seed[g] = (int)sum;
        ok(cudaMemcpyAsync(m.d_seed[g], &h_seed[g], sizeof(int), cudaMemcpyHostToDevice,
                           m.shares.stream[g]),
           "a seed");
        sum += (unsigned)m.h_sum[g];
    }
}

static void cub_fix_up(gather by, int phase)
{
    if (phase == 0) {
        int *d_last[MOST_GPUS];
        ON_ALL(g)
        {
            cub_scan(g);
            d_last[g] = m.shares.d_out[g] + m.shares.n - 1;
        }
        begin_gather(by, d_last);
    } else {
        if (by == BY_HOST)
            seeds_of_host();
        ON_ALL(g)
        if (g > 0)
            add_seed<<<BLOCKS, THREADS, 0, m.shares.stream[g]>>>(m.shares.d_out[g], m.shares.n,
                                                                 m.d_seed[g]);
    }
}

static void cub_seed_first(gather by, int phase)
{
    if (phase == 0) {
        ON_ALL(g) cub_reduce(g);
        begin_gather(by, m.d_sum);
    } else {
        if (by == BY_HOST)
            seeds_of_host();
        ON_ALL(g) cub_scan_from(g);
    }
}

/* ---- ways ------------------------------------------------------------------------------------ */

typedef enum checked { CHECK_NONE, CHECK_ALONE, CHECK_SHARES, CHECK_DEALT } checked;

typedef struct way {
    const char *what;
    void (*queue)(int phase); /* phase 1: what follows the gather */
    bool host;                /* between the two */
    bool nccl;
    checked check;
} way;

static void copy(int phase)
{
    if (phase == 0)
        ON_ALL(g)
    ok(cudaMemcpyAsync(m.shares.d_out[g], m.shares.d_in[g], m.shares.n * sizeof(int),
                       cudaMemcpyDeviceToDevice, m.shares.stream[g]),
       "copy");
}

static void queue_cub_scan(int phase)
{
    if (phase == 0)
        ON_ALL(g)
    cub_scan(g);
}

#define SEVERAL(name, run, where)                                                                  \
    static void name(int phase)                                                                    \
    {                                                                                              \
        if (phase == 0)                                                                            \
            done(run(&m.where), #run);                                                             \
    }
SEVERAL(lab_scan, several_scan, shares)
SEVERAL(lab_reduce, several_reduce, shares)
SEVERAL(fix_up, several_fix_up, shares)
SEVERAL(seed_first, several_seed_first, shares)
SEVERAL(board, several_board, shares)
SEVERAL(dealt, several_dealt, dealt)

static void fix_up_nccl(int phase) { cub_fix_up(BY_NCCL, phase); }
static void fix_up_host(int phase) { cub_fix_up(BY_HOST, phase); }
static void fix_up_board(int phase) { cub_fix_up(BY_BOARD, phase); }
static void seed_first_nccl(int phase) { cub_seed_first(BY_NCCL, phase); }
static void seed_first_host(int phase) { cub_seed_first(BY_HOST, phase); }
static void seed_first_board(int phase) { cub_seed_first(BY_BOARD, phase); }

static const way ways[] = {
    { "copy", copy, false, false, CHECK_NONE },
    { "lab_scan", lab_scan, false, false, CHECK_ALONE },
    { "lab_reduce", lab_reduce, false, false, CHECK_NONE },
    { "fix_up", fix_up, false, false, CHECK_SHARES },
    { "seed_first", seed_first, false, false, CHECK_SHARES },
    { "board", board, false, false, CHECK_SHARES },
    { "dealt", dealt, false, false, CHECK_DEALT },
    { "cub_scan", queue_cub_scan, false, false, CHECK_ALONE },
    { "cub_fix_up_nccl", fix_up_nccl, false, true, CHECK_SHARES },
    { "cub_fix_up_host", fix_up_host, true, false, CHECK_SHARES },
    { "cub_fix_up_board", fix_up_board, false, false, CHECK_SHARES },
    { "cub_seed_first_nccl", seed_first_nccl, false, true, CHECK_SHARES },
    { "cub_seed_first_host", seed_first_host, true, false, CHECK_SHARES },
    { "cub_seed_first_board", seed_first_board, false, false, CHECK_SHARES },
};
enum { WAYS = sizeof ways / sizeof *ways };

static bool takes_part(const way *w) { return !w->nccl || m.has_nccl; }

/* ---- one run --------------------------------------------------------------------------------- */

/* Waits for the host's flag, but no longer than 2 s: who calls what waits for the GPU, by mistake,
   would wait for ever. */
static __global__ void wait_for_flag(const volatile unsigned *h_flag, unsigned turn)
{
    unsigned long long begin, now;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (*h_flag != turn && now - begin < 2000000000ull);
}

static void queue_gate(bool cold)
{
    m.turn++;
    ON_ALL(g)
    {
        if (cold)
            ok(cudaMemsetAsync(m.d_flush[g], (int)m.turn, m.flush_bytes, m.shares.stream[g]),
               "flush");
        wait_for_flag<<<1, 1, 0, m.shares.stream[g]>>>(m.h_flag, m.turn);
        ok(cudaEventRecord(m.begin[g], m.shares.stream[g]), "event");
    }
}

/* When what was queued has reached all GPUs: else the last one would begin some 10 us after the
   first, and those that wait for it would be as late. */
static void open_gate(void)
{
    usleep(ARRIVAL_US);
    __atomic_store_n(m.h_flag, m.turn, __ATOMIC_SEQ_CST);
}

static void queue_ends(void)
{
    ON_ALL(g) ok(cudaEventRecord(m.end[g], m.shares.stream[g]), "event");
}

/* Of the slowest, in us. */
static double slowest(const char *what)
{
    double most = 0;

    wait_for_all(what);
    ON_ALL(g)
    {
        float ms;
        ok(cudaEventElapsedTime(&ms, m.begin[g], m.end[g]), "time");
        most = std::max(most, 1000.0 * ms);
    }
    return most;
}

static void name(const way *w, const char *how)
{
    snprintf(under_way, sizeof under_way, "%s, %s, %d GPUs, n = %lld of each", w->what, how,
             m.shares.gpus, m.shares.n);
}

static double run_timed(const way *w)
{
    name(w, "timed");
    queue_gate(true);
    w->queue(0);
    if (!w->host) {
        w->queue(1);
        queue_ends();
        open_gate();
    } else {
        open_gate();
        ON_ALL(g) ok(cudaStreamSynchronize(m.shares.stream[g]), w->what);
        w->queue(1);
        queue_ends();
    }
    return slowest(w->what);
}

/* Without a gate, into poisoned memory; how many elements are wrong. */
static unsigned long long run_checked(const way *w)
{
    unsigned long long wrong = 0;

    name(w, "checked");
    ON_ALL(g) ok(cudaMemset(m.shares.d_out[g], 0xff, m.shares.n * sizeof(int)), "poison");
    wait_for_all("poison");
    w->queue(0);
    if (w->host)
        wait_for_all(w->what);
    w->queue(1);
    wait_for_all(w->what);
    if (w->check == CHECK_NONE)
        return 0;
    ON_ALL(g)
    {
        unsigned long long found;
        ok(cudaMemset(m.d_wrong[g], 0, sizeof found), "compare");
        compare<<<BLOCKS, THREADS>>>(m.shares.d_out[g], m.shares.n, g, m.shares.gpus,
                                     w->check == CHECK_DEALT, w->check == CHECK_ALONE,
                                     m.d_wrong[g]);
        ok(cudaMemcpy(&found, m.d_wrong[g], sizeof found, cudaMemcpyDeviceToHost), "compare");
        wrong += found;
    }
    return wrong;
}

/* ---- one size -------------------------------------------------------------------------------- */

static int run_size(FILE *csv, long long n)
{
    std::vector<double> us[WAYS];
    unsigned long long wrong[WAYS] = { 0 };
    int failed = 0;

    m.shares.n = m.dealt.n = n;
    ON_ALL(g)
    {
        fill<<<BLOCKS, THREADS>>>((int *)m.shares.d_in[g], n, g, m.shares.gpus, false);
        fill<<<BLOCKS, THREADS>>>((int *)m.dealt.d_in[g], n, g, m.shares.gpus, true);
    }
    wait_for_all("data");
    done(several_open(&m.shares, false) && several_open(&m.dealt, true), "several_open");
    for (int k = 0; k < WAYS; k++)
        for (int r = 0; takes_part(&ways[k]) && r < WARM_UPS; r++)
            wrong[k] += run_checked(&ways[k]);
    for (int r = 0; r < REPETITIONS; r++)
        for (int k = 0; k < WAYS; k++) {
            const int w = (k + 5 * r) % WAYS;
            if (takes_part(&ways[w]))
                us[w].push_back(run_timed(&ways[w]));
        }
    for (int k = 0; k < WAYS; k++) {
        if (!takes_part(&ways[k]))
            continue;
        wrong[k] += run_checked(&ways[k]);
        if (wrong[k] > 0) {
            printf("WRONG: %s, %d GPUs, n = %lld of each: %llu elements\n", ways[k].what,
                   m.shares.gpus, n, wrong[k]);
            failed++;
            continue;
        }
        std::sort(us[k].begin(), us[k].end());
        fprintf(csv, "%s,i32,%d,%lld,%lld,%.2f,%.2f,%.2f\n", ways[k].what, m.shares.gpus, n,
                n * m.shares.gpus, us[k][REPETITIONS / 2], us[k].front(), us[k].back());
    }
    fflush(csv);
    return failed;
}

/* ---- words from GPU to GPU ------------------------------------------------------------------- */

/* us of each of `times`: the median of 9. */
template <typename run> static double each(int times, const char *what, run queue)
{
    double us[9];

    snprintf(under_way, sizeof under_way, "%s, %d GPUs", what, m.shares.gpus);
    for (int r = -1; r < 9; r++) {
        queue_gate(false);
        queue();
        queue_ends();
        open_gate();
        const double all = slowest(what);
        if (r >= 0)
            us[r] = all / times;
    }
    std::sort(us, us + 9);
    return us[4];
}

static void run_links(FILE *csv)
{
    const int gpus = m.shares.gpus;

    if (gpus > 1)
        fprintf(csv, "board,%d,,,%.3f\n", gpus, each(ROUNDS, "a board", [] {
                    done(several_rounds(&m.shares, m.d_board, m.epoch, ROUNDS), "a board");
                    m.epoch += ROUNDS;
                }));
    if (gpus > 1)
        fprintf(csv, "board_launch,%d,,,%.3f\n", gpus, each(CALLS, "boards", [] {
                    for (int c = 0; c < CALLS; c++) {
                        done(several_rounds(&m.shares, m.d_board, m.epoch, 1), "a board");
                        m.epoch++;
                    }
                }));
    if (m.has_nccl)
        fprintf(csv, "ncclAllGather_8_bytes,%d,,,%.3f\n", gpus, each(CALLS, "NCCL", [] {
                    for (int c = 0; c < CALLS; c++) {
                        nccl_ok(nccl.begin(), "a group");
                        ON_ALL(g)
                        nccl_ok(nccl.all_gather(m.d_board[g] + 100, m.d_board[g] + 108, 2,
                                                NCCL_INT32, m.comm[g], m.shares.stream[g]),
                                "ncclAllGather");
                        nccl_ok(nccl.end(), "ncclAllGather");
                    }
                }));
    fflush(csv);
}

/* One way between each ordered pair, and within a GPU. */
static void run_pairs(FILE *csv)
{
    for (int from = 0; from < m.shares.gpus; from++)
        for (int to = 0; to < m.shares.gpus; to++)
            for (int pushed = 1; pushed >= 0; pushed--) {
                if (from == to)
                    continue;
                const double us = each(2 * ROUNDS, "a flag", [=] {
                    done(several_ping_pong(&m.shares, m.d_board, from, to, pushed, m.epoch, ROUNDS),
                         "a flag");
                    m.epoch += ROUNDS;
                });
                fprintf(csv, "%s,%d,%d,%d,%.3f\n", pushed ? "flag_pushed" : "flag_polled",
                        m.shares.gpus, from, to, us);
            }
    fflush(csv);
}

/* ---- all ------------------------------------------------------------------------------------- */

static FILE *open_csv(const char *folder, const char *name, const gpu_facts *facts,
                      const char *commit, int version, const char *columns)
{
    const std::string path = std::string(folder) + "/" + name;
    FILE *csv = fopen(path.c_str(), "w");

    if (!csv) {
        fprintf(stderr, "gpu_many: %s cannot be written\n", path.c_str());
        exit(3);
    }
    gpu_facts_write(csv, facts, commit);
    fprintf(csv, "# cub: %d\n# nccl: ", CUB_VERSION);
    if (version)
        fprintf(csv, "%d\n", version);
    else
        fprintf(csv, "none found\n");
    fprintf(csv, "%s\n", columns);
    return csv;
}

int main(int count, char **arguments)
{
    const int most = count > 3 ? atoi(arguments[3]) : MOST_LOG, version = open_nccl();
    const char *commit = count > 2 ? arguments[2] : NULL;
    gpu_facts facts;
    base_error error;
    int there = 0, wrong = 0;

    if (count < 2 || count > 4 || most < LEAST_LOG || most > MOST_LOG) {
        fprintf(stderr, "usage: gpu_many FOLDER [COMMIT [MOST]]; MOST is %d to %d\n", LEAST_LOG,
                MOST_LOG);
        return 2;
    }
    if (!gpu_facts_get(&facts, &error)) {
        fprintf(stderr, "gpu_many: %s\n", error.text);
        return 3;
    }
    signal(SIGTERM, say_where);
    ok(cudaGetDeviceCount(&there), "devices");
    there = std::min<int>(there, MOST_GPUS);
    FILE *csv = open_csv(arguments[1], "many.csv", &facts, commit, version,
                         "# cache: cold\n# spread: us_min and us_max are the least and the most of "
                         "21 repetitions; the slowest GPU counts\n"
                         "what,type,gpus,n_a_gpu,n,us,us_min,us_max"),
         *links = open_csv(arguments[1], "links.csv", &facts, commit, version,
                           "# us: of one word one way, of a round, or of a call; median of 9\n"
                           "what,gpus,from,to,us");
    take_memory(there, 1ll << most);
    for (int gpus = 1; gpus <= there; gpus *= 2) {
        int devices[MOST_GPUS];
        for (int g = 0; g < gpus; g++)
            devices[g] = g;
        m.shares.gpus = m.dealt.gpus = gpus;
        m.has_nccl = version > 0;
        if (m.has_nccl)
            nccl_ok(nccl.init(m.comm, gpus, devices), "ncclCommInitAll");
        for (int log = LEAST_LOG; log <= most; log++) {
            wrong += run_size(csv, 1ll << log);
            printf("%d GPUs, n = 2^%d of each: done\n", gpus, log);
            fflush(stdout);
        }
        run_links(links);
        if (2 * gpus > there)
            run_pairs(links);
        for (int g = 0; m.has_nccl && g < gpus; g++)
            nccl_ok(nccl.destroy(m.comm[g]), "ncclCommDestroy");
    }
    return fclose(csv) != 0 || fclose(links) != 0 ? 3 : wrong > 0;
}
