// expect: right
// manner: templates and classes
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>
class CudaError : public std::runtime_error
{
  public:
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorString(e)), code(e) {}
    cudaError_t code;
};
inline void cuda(cudaError_t e)
{
    if (e != cudaSuccess)
        throw CudaError(e);
}
template <class T> class DeviceBuffer
{
    T *p = nullptr;
    std::size_t n = 0;

  public:
    explicit DeviceBuffer(std::size_t count) : n(count) { cuda(cudaMalloc(&p, n * sizeof(T))); }
    DeviceBuffer(const std::vector<T> &v) : DeviceBuffer(v.size())
    {
        cuda(cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    DeviceBuffer(DeviceBuffer &&o) noexcept : p(std::exchange(o.p, nullptr)), n(o.n) {}
    DeviceBuffer(const DeviceBuffer &) = delete;
    ~DeviceBuffer() { cudaFree(p); }
    T *get() const { return p; }
    std::vector<T> host() const
    {
        std::vector<T> v(n);
        cuda(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};
template <class T> __global__ void square(T *a, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n)
        a[i] *= a[i];
}
struct StreamDeleter {
    void operator()(CUstream_st *s) const { cudaStreamDestroy(s); }
};
int main()
{
    try {
        cudaStream_t raw;
        cuda(cudaStreamCreate(&raw));
        std::unique_ptr<CUstream_st, StreamDeleter> stream(raw);
        DeviceBuffer<float> a(std::vector<float>(300, 1.5f)), b(std::move(a));
        square<<<3, 128, 0, stream.get()>>>(b.get(), 300);
        cuda(cudaStreamSynchronize(stream.get()));
        for (float x : b.host())
            if (x != 2.25f)
                return puts("FAIL"), 1;
        bool thrown = false;
        try {
            cuda(cudaMemcpy(nullptr, b.get(), 4, static_cast<cudaMemcpyKind>(17)));
        } catch (const CudaError &e) {
            thrown = e.code == cudaErrorInvalidMemcpyDirection || e.code == cudaErrorInvalidValue;
        }
        cudaGetLastError();
        puts(thrown ? "PASS" : "FAIL");
    } catch (const std::exception &e) {
        printf("exception: %s\n", e.what());
        return 1;
    }
}
