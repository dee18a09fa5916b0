/*
 * tridiagonal.cu: the bonus of lab 21 beside cuSPARSE's solver of many systems and a copy of as
 * many bytes. Systems are diagonally dominant, b of either sign. One in 64 is compared with
 * Thomas's algorithm in double on the host: WITHIN of the system's largest x.
 */
#include <algorithm>
#include <cmath>
#include <cstdlib>

#if SCANLAB_CUSPARSE
#include <cusparse.h>
#endif

#include "../../../../labs/21_tridiagonal_speed/tridiagonal_speed.h"
#include "speed.h"

enum { SYSTEMS = 4096, A_SAMPLE = 64 /* one in so many systems is compared */ };

static const double WITHIN = 1e-5;

/* From -1 to 1. */
static __device__ float number(unsigned long long i) { return (float)(hash(i) >> 8) / 8388608 - 1; }

static __global__ void make_systems(float *d_a, float *d_b, float *d_c, float *d_d, long long n,
                                    int rows)
{
    EACH(i, n)
    {
        const float size = 2.5f + fabsf(number(4 * i));
        d_a[i] = i % rows == 0 ? 0 : number(4 * i + 1);
        d_b[i] = hash(i + (1ull << 40)) & 1 ? size : -size;
        d_c[i] = i % rows == rows - 1 ? 0 : number(4 * i + 2);
        d_d[i] = number(4 * i + 3);
    }
}

/* Thomas: is this answer to the system far from his? */
static bool is_far(const float *a, const float *b, const float *c, const float *d, const float *x,
                   int rows)
{
    std::vector<double> down(rows), right(rows), want(rows);
    double most = 0;
    bool far = false;

    for (int i = 0; i < rows; i++) {
        const double by = i > 0 ? (double)a[i] / down[i - 1] : 0;
        down[i] = (double)b[i] - (i > 0 ? by * (double)c[i - 1] : 0);
        right[i] = (double)d[i] - (i > 0 ? by * right[i - 1] : 0);
    }
    for (int i = rows; i-- > 0;) {
        want[i] = (right[i] - (i + 1 < rows ? (double)c[i] * want[i + 1] : 0)) / down[i];
        most = fmax(most, fabs(want[i]));
    }
    for (int i = 0; i < rows; i++)
        far = far || !(fabs((double)x[i] - want[i]) <= WITHIN * most);
    return far;
}

/* word 0 to 3: a to d. */
static bool is_wrong(const memory &m, const float *d_x, int rows)
{
    std::vector<float> part[5];
    bool wrong = false;

    for (std::vector<float> &p : part)
        p.resize(rows);
    for (size_t first = 0; first < (size_t)SYSTEMS * rows; first += (size_t)A_SAMPLE * rows) {
        for (int k = 0; k < 5; k++)
            ok(cudaMemcpy(part[k].data(), (k < 4 ? (const float *)m.word[k] : d_x) + first,
                          rows * sizeof *d_x, cudaMemcpyDeviceToHost),
               "to the host");
        wrong = wrong || is_far(part[0].data(), part[1].data(), part[2].data(), part[3].data(),
                                part[4].data(), rows);
    }
    return wrong;
}

#if SCANLAB_CUSPARSE

static cusparseHandle_t sparse;

static void sparse_ok(cusparseStatus_t status)
{
    if (status == CUSPARSE_STATUS_SUCCESS)
        return;
    fprintf(stderr, "gpu_speed: cuSPARSE: %s\n", cusparseGetErrorString(status));
    exit(3);
}

/* d is replaced by x. */
static void solve_by_peer(const memory &m, float *d_d_and_x, int rows)
{
    sparse_ok(cusparseSgtsv2StridedBatch(sparse, rows, (float *)m.word[0], (float *)m.word[1],
                                         (float *)m.word[2], d_d_and_x, SYSTEMS, rows, m.d_temp));
}

static void open_peer(const memory &m, int rows)
{
    size_t bytes;

    if (!sparse)
        sparse_ok(cusparseCreate(&sparse));
    sparse_ok(cusparseSgtsv2StridedBatch_bufferSizeExt(sparse, rows, (float *)m.word[0],
                                                       (float *)m.word[1], (float *)m.word[2],
                                                       (float *)m.word[5], SYSTEMS, rows, &bytes));
    if (bytes > m.temp_bytes) {
        fprintf(stderr, "gpu_speed: cuSPARSE asks for %zu bytes\n", bytes);
        exit(3);
    }
}

#else

static void open_peer(const memory &, int) {}
static void solve_by_peer(const memory &, float *, int) {}

#endif

static void time_systems(const memory &m, int rows)
{
    float *d_a = (float *)m.word[0], *d_b = (float *)m.word[1], *d_c = (float *)m.word[2],
          *d_d = (float *)m.word[3], *d_x = (float *)m.word[4], *d_peer = (float *)m.word[5];
    const int n = SYSTEMS * rows;
    const double bytes = 20.0 * n;
    const std::string what = "tridiagonal systems of " + std::to_string(rows);
    samples mine, peers, copy;
    bool wrong = false;

    make_systems<<<BLOCKS, THREADS>>>(d_a, d_b, d_c, d_d, n, rows);
    ok(cudaMemset(d_x, 0xff, (size_t)n * sizeof *d_x), "spoil");
    open_peer(m, rows);
    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy, [&] {
            cudaMemcpyAsync(m.d_temp, d_d, (size_t)(bytes / 2), cudaMemcpyDeviceToDevice);
        });
        sample(m, first ? NULL : &mine, [&] {
            if (rows == TRIDIAGONAL_SHORT)
                tridiagonal_256(d_a, d_b, d_c, d_d, d_x, n);
            else
                tridiagonal_512(d_a, d_b, d_c, d_d, d_x, n);
        });
        wrong = wrong || (first && is_wrong(m, d_x, rows));
        if (SCANLAB_CUSPARSE) {
            ok(cudaMemcpyAsync(d_peer, d_d, (size_t)n * sizeof *d_d, cudaMemcpyDeviceToDevice),
               "right sides");
            sample(m, first ? NULL : &peers, [&] { solve_by_peer(m, d_peer, rows); });
            wrong = wrong || (first && is_wrong(m, d_peer, rows));
        }
    });
    if (wrong) {
        put_wrong(what, n);
        return;
    }
    put(what, "speed", n, mine, bytes);
    if (SCANLAB_CUSPARSE)
        put(what, "cusparse gtsv2StridedBatch", n, peers, bytes);
    put(what, "copy", n, copy, bytes);
}

void time_tridiagonal(const memory &m)
{
    if (!SCANLAB_CUSPARSE)
        printf("tridiagonal: built without cuSPARSE, whose rows are left out\n");
    time_systems(m, TRIDIAGONAL_SHORT);
    time_systems(m, TRIDIAGONAL_LONG);
}
