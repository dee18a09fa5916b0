/*
 * spmv.cu: the bonus of lab 20 beside both of cuSPARSE's algorithms for compressed rows, whose
 * preprocessing lies outside their time, beside a copy of as many bytes, and beside gathering
 * alone: every value times its x, without rows, and one number a block stored.
 *
 * Values and x lie in [0, 1), so that no sum cancels. Answers are compared with sums in double on
 * the host: WITHIN of each.
 */
#include <algorithm>
#include <cmath>
#include <cstdlib>

#if SCANLAB_CUSPARSE
#include <cusparse.h>
#endif

#include "../../../../labs/20_sparse_matrix_speed/sparse_matrix_speed.h"
#include "speed.h"

static const double WITHIN = 1e-5; /* relative */

/* ---- matrices -------------------------------------------------------------------------------- */

enum kind { OF_32, POWER_LAW, ONE_GIANT, AS_IN_2007, ZERO_OR_ONE, KINDS };
static const char *const names[] = { "32 a row", "power law", "one row of 2^24 and others of 16",
                                     "3242 rows", "0 or 1 a row" };

enum { ROWS = 1 << 20, GIANT = ROWS / 2 /* its number */ };

struct csr {
    const float *d_value, *d_x;
    const int *d_column, *d_offset;
    float *d_y;
    int rows, columns, n; /* n: nonzeros */
};

static std::vector<int> make_offsets(kind k)
{
    const int rows = k == AS_IN_2007 ? 3242 : k == ZERO_OR_ONE ? 2 * ROWS : ROWS + (k == ONE_GIANT);
    std::vector<int> offset(1, 0);

    for (int r = 0; r < rows; r++) {
        const unsigned random = hash(r + (1ull << 40));
        long long length = 32;
        switch (k) {
        case POWER_LAW: /* Pareto, exponent 1.2, mean 49 */
            length = (long long)(8.05 * pow((random + 1.0) / 4294967296.0, -1 / 1.2));
            break;
        case ONE_GIANT: length = r == GIANT ? 1 << 24 : 16; break;
        case AS_IN_2007: length = 294276ll * (r + 1) / rows - 294276ll * r / rows; break;
        case ZERO_OR_ONE: length = random & 1; break;
        default: break;
        }
        offset.push_back(offset.back() + (int)length);
    }
    return offset;
}

/* Columns are random; from nonzero `from` on, up to `to`, one after another. */
static __global__ void make_nonzeros(float *d_value, int *d_column, long long n, int columns,
                                     int from, int to)
{
    EACH(i, n)
    {
        d_value[i] = (float)(hash(i) >> 8) / 16777216;
        d_column[i] = i >= from && i < to ? (int)((i - from) % columns)
                                          : (int)(hash(i + (1ull << 41)) % (unsigned)columns);
    }
}

static __global__ void make_x(float *d_x, int columns)
{
    EACH(i, columns) d_x[i] = (float)(hash(i + (1ull << 42)) >> 8) / 16777216;
}

/* No answer is left of an earlier run. */
static void spoil(const csr &a) { ok(cudaMemset(a.d_y, 0xff, a.rows * sizeof *a.d_y), "spoil"); }

static csr make_matrix(const memory &m, const std::vector<int> &offset, kind k)
{
    const int rows = (int)offset.size() - 1, columns = k == ONE_GIANT ? ROWS : rows;
    const csr a = { (float *)m.word[0],
                    (float *)m.word[3],
                    m.word[1],
                    m.word[2],
                    (float *)m.word[4],
                    rows,
                    columns,
                    offset.back() };

    ok(cudaMemcpy(m.word[2], offset.data(), offset.size() * 4, cudaMemcpyHostToDevice), "offsets");
    make_nonzeros<<<BLOCKS, THREADS>>>((float *)m.word[0], m.word[1], a.n, columns,
                                       k == ONE_GIANT ? offset[GIANT] : 0,
                                       k == ONE_GIANT ? offset[GIANT + 1] : 0);
    make_x<<<BLOCKS, THREADS>>>((float *)m.word[3], columns);
    spoil(a);
    return a;
}

/* ---- answers --------------------------------------------------------------------------------- */

template <typename T> static std::vector<T> from_device(const T *d, size_t n)
{
    std::vector<T> h(n);

    ok(cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost), "to the host");
    return h;
}

static std::vector<double> sums_of(const csr &a, const std::vector<int> &offset)
{
    const std::vector<float> value = from_device(a.d_value, a.n), x = from_device(a.d_x, a.columns);
    const std::vector<int> column = from_device(a.d_column, a.n);
    std::vector<double> sum(a.rows);

    for (int r = 0; r < a.rows; r++)
        for (int i = offset[r]; i < offset[r + 1]; i++)
            sum[r] += (double)value[i] * (double)x[column[i]];
    return sum;
}

/* Is the answer in d_y far from these sums? It is spoiled, for the next one. */
static bool is_wrong(const csr &a, const std::vector<double> &sum)
{
    const std::vector<float> y = from_device(a.d_y, a.rows);
    bool wrong = false;

    for (int r = 0; r < a.rows; r++)
        wrong = wrong || !(fabs((double)y[r] - sum[r]) <= WITHIN * sum[r]);
    spoil(a);
    return wrong;
}

/* ---- beside ---------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(THREADS) gather_alone(csr a, float *d_sum)
{
    enum { BATCH = 4 };
    __shared__ float s_sum[THREADS];
    const long long threads = (long long)gridDim.x * THREADS;
    float sum = 0;

    for (long long i = blockIdx.x * (long long)THREADS + threadIdx.x; i < a.n;
         i += BATCH * threads) {
        float part[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; k++)
            part[k] = i + k * threads < a.n
                          ? a.d_value[i + k * threads] * a.d_x[a.d_column[i + k * threads]]
                          : 0;
        sum += (part[0] + part[1]) + (part[2] + part[3]);
    }
    s_sum[threadIdx.x] = sum;
    for (int left = THREADS / 2; left > 0; left /= 2) {
        __syncthreads();
        if (threadIdx.x < left)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + left];
    }
    if (threadIdx.x == 0)
        d_sum[blockIdx.x] = s_sum[0];
}

#if SCANLAB_CUSPARSE

static void sparse_ok(cusparseStatus_t status)
{
    if (status == CUSPARSE_STATUS_SUCCESS)
        return;
    fprintf(stderr, "gpu_speed: cuSPARSE: %s\n", cusparseGetErrorString(status));
    exit(3);
}

/* One of cuSPARSE's algorithms, made ready for a matrix; what it keeps is given back at the end. */
class peer
{
  public:
    peer(const csr &a, cusparseSpMVAlg_t algorithm) : algorithm(algorithm)
    {
        size_t bytes;
        const auto entry = CUSPARSE_INDEX_32I;

        sparse_ok(cusparseCreate(&handle));
        sparse_ok(cusparseCreateConstCsr(&matrix, a.rows, a.columns, a.n, a.d_offset, a.d_column,
                                         a.d_value, entry, entry, CUSPARSE_INDEX_BASE_ZERO,
                                         CUDA_R_32F));
        sparse_ok(cusparseCreateConstDnVec(&x, a.columns, a.d_x, CUDA_R_32F));
        sparse_ok(cusparseCreateDnVec(&y, a.rows, a.d_y, CUDA_R_32F));
        sparse_ok(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x,
                                          &zero, y, CUDA_R_32F, algorithm, &bytes));
        ok(cudaMalloc(&d_buffer, bytes + 1), "cuSPARSE's buffer");
        sparse_ok(cusparseSpMV_preprocess(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x,
                                          &zero, y, CUDA_R_32F, algorithm, d_buffer));
    }
    ~peer()
    {
        cusparseDestroySpMat(matrix);
        cusparseDestroyDnVec(x);
        cusparseDestroyDnVec(y);
        cusparseDestroy(handle);
        cudaFree(d_buffer);
    }
    peer(const peer &) = delete;
    void run()
    {
        sparse_ok(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y,
                               CUDA_R_32F, algorithm, d_buffer));
    }

  private:
    const float one = 1, zero = 0;
    cusparseSpMVAlg_t algorithm;
    cusparseHandle_t handle;
    cusparseConstSpMatDescr_t matrix;
    cusparseConstDnVecDescr_t x;
    cusparseDnVecDescr_t y;
    void *d_buffer;
};

#else

enum { CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2 };
class peer
{
  public:
    peer(const csr &, int) {}
    void run() {}
};

#endif

/* ---- rows ------------------------------------------------------------------------------------ */

static void time_matrix(const memory &m, kind k)
{
    const std::vector<int> offset = make_offsets(k);
    const csr a = make_matrix(m, offset, k);
    const std::vector<double> sum = sums_of(a, offset);
    const double bytes = 8.0 * a.n + 4.0 * (a.rows + 1) + 4.0 * a.rows + 4.0 * a.columns;
    const std::string what = std::string("SpMV: ") + names[k];
    peer alg[2] = { { a, CUSPARSE_SPMV_CSR_ALG1 }, { a, CUSPARSE_SPMV_CSR_ALG2 } };
    samples mine, peers[2], gathered, copy;
    bool wrong = false;

    in_turn(REPETITIONS, [&](bool first) {
        sample(m, first ? NULL : &copy, [&] {
            cudaMemcpyAsync(m.word[5], a.d_value, (size_t)(bytes / 2), cudaMemcpyDeviceToDevice);
        });
        sample(m, first ? NULL : &gathered,
               [&] { gather_alone<<<BLOCKS, THREADS>>>(a, (float *)m.word[5]); });
        sample(m, first ? NULL : &mine,
               [&] { spmv_of(a.d_value, a.d_column, a.d_offset, a.d_x, a.d_y, a.n, a.rows); });
        wrong = wrong || (first && is_wrong(a, sum));
        for (int p = 0; SCANLAB_CUSPARSE && p < 2; p++) {
            sample(m, first ? NULL : &peers[p], [&] { alg[p].run(); });
            wrong = wrong || (first && is_wrong(a, sum));
        }
    });
    if (wrong) {
        put_wrong(what, a.n);
        return;
    }
    put(what, "speed", a.n, mine, bytes);
    for (int p = 0; SCANLAB_CUSPARSE && p < 2; p++)
        put(what, p == 0 ? "cusparse alg1" : "cusparse alg2", a.n, peers[p], bytes);
    put(what, "gathering alone", a.n, gathered, bytes);
    put(what, "copy", a.n, copy, bytes);
}

void time_spmv(const memory &m)
{
    if (!SCANLAB_CUSPARSE)
        printf("spmv: built without cuSPARSE, whose rows are left out\n");
    for (int k = 0; k < KINDS; k++)
        time_matrix(m, (kind)k);
}
