// expect: right
// manner: templates and classes
#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>
template <typename T> struct Plus {
    static constexpr T identity() { return T(0); }
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct Maximum {
    static constexpr T identity() { return T(-1000); }
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <unsigned blockSize, typename T, typename Op>
__global__ void reduce(const T *in, T *out, unsigned n, Op op)
{
    __shared__ T s[blockSize];
    unsigned tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + tid;
    T mine = Op::identity();
    for (; i < n; i += blockSize * 2 * gridDim.x) {
        mine = op(mine, in[i]);
        if (i + blockSize < n)
            mine = op(mine, in[i + blockSize]);
    }
    s[tid] = mine;
    __syncthreads();
#pragma unroll
    for (unsigned k = blockSize / 2; k > 0; k /= 2) {
        if (tid < k)
            s[tid] = op(s[tid], s[tid + k]);
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = s[0];
}
template <typename T, template <typename> class Op> T run(const std::vector<T> &v)
{
    T *in, *out, result;
    cudaMalloc(&in, v.size() * sizeof(T));
    cudaMalloc(&out, 8 * sizeof(T));
    cudaMemcpy(in, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    reduce<128><<<8, 128>>>(in, out, (unsigned)v.size(), Op<T>{});
    reduce<8><<<1, 8>>>(out, out, 8u, Op<T>());
    cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return result;
}
int main()
{
    std::vector<int> a(5001);
    std::vector<double> b(777);
    std::iota(a.begin(), a.end(), -2000);
    std::generate(b.begin(), b.end(), [k = 0]() mutable { return (k++ * 37 % 100) - 50.0; });
    bool fine = run<int, Plus>(a) == std::accumulate(a.begin(), a.end(), 0) &&
                run<double, Maximum>(b) == *std::max_element(b.begin(), b.end());
    std::cout << (fine ? "PASS" : "FAIL") << "\n";
}
