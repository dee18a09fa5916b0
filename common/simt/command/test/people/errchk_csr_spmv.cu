// expect: right
// manner: a macro around each call
// Sparse matrix times vector, CSR: a warp for each row, with __shfl_down_sync, and a kernel of a
// thread for each row to compare with.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t status_ = (call);                                                        \
        if (status_ != cudaSuccess) {                                                              \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(status_));                                                  \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

struct Csr {
    const int *row, *column;
    const double *value;
    int rows;
};

__global__ void by_threads(Csr a, const double *__restrict__ x, double *__restrict__ y)
{
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < a.rows; r += gridDim.x * blockDim.x) {
        double sum = 0;
        for (int k = a.row[r]; k < a.row[r + 1]; ++k)
            sum += a.value[k] * x[a.column[k]];
        y[r] = sum;
    }
}

__global__ void by_warps(Csr a, const double *__restrict__ x, double *__restrict__ y)
{
    const int lane = threadIdx.x & 31, r = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (r >= a.rows)
        return;
    double sum = 0;
    for (int k = a.row[r] + lane; k < a.row[r + 1]; k += 32)
        sum += a.value[k] * x[a.column[k]];
    for (int step = 16; step; step >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0)
        y[r] = sum;
}

template <typename T> T *to_device(const std::vector<T> &host)
{
    T *p;
    CHECK(cudaMalloc(&p, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

int main()
{
    const int rows = 333, columns = 200;
    std::vector<int> row{ 0 }, column;
    std::vector<double> value, x(columns), y(rows), expected(rows);

    srand(11);
    for (auto &v : x)
        v = rand() % 64 - 32;
    for (int r = 0; r < rows; r++) {
        for (int k = rand() % (r % 50 == 0 ? 150 : 9); k > 0; k--) {
            column.push_back(rand() % columns);
            value.push_back(rand() % 16);
            expected[r] += value.back() * x[column.back()];
        }
        row.push_back((int)column.size());
    }
    int *d_row = to_device(row), *d_column = to_device(column);
    double *d_value = to_device(value), *d_x = to_device(x), *d_y = to_device(y);
    const Csr a = { d_row, d_column, d_value, rows };
    int wrong = 0;
    for (int way = 0; way < 2; way++) {
        CHECK(cudaMemset(d_y, 0xff, rows * sizeof(double)));
        if (way == 0)
            by_threads<<<2, 64>>>(a, d_x, d_y);
        else
            by_warps<<<(rows * 32 + 127) / 128, 128>>>(a, d_x, d_y);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(y.data(), d_y, rows * sizeof(double), cudaMemcpyDeviceToHost));
        for (int r = 0; r < rows; r++)
            wrong += std::fabs(y[r] - expected[r]) > 1e-12;
    }
    for (void *p : { (void *)d_row, (void *)d_column, (void *)d_value, (void *)d_x, (void *)d_y })
        CHECK(cudaFree(p));
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
