// expect: right
// manner: host threads
// A pool of host threads, each with a stream of its own, that takes jobs from a queue; another
// thread frees what they have allocated, and a host function in the stream counts what is done.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t err_ = (call);                                                                 \
        if (err_ != cudaSuccess) {                                                                 \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_));     \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

__global__ void poly(const float *x, float *y, int n, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] * x[i] + 1.0f;
}

template <typename T> class Queue
{
  public:
    void push(T v)
    {
        std::lock_guard<std::mutex> g(m);
        q.push_back(v);
        cv.notify_one();
    }
    bool pop(T &v)
    {
        std::unique_lock<std::mutex> g(m);
        cv.wait(g, [this] { return closed || !q.empty(); });
        if (q.empty())
            return false;
        v = q.front();
        q.pop_front();
        return true;
    }
    void close()
    {
        std::lock_guard<std::mutex> g(m);
        closed = true;
        cv.notify_all();
    }

  private:
    std::mutex m;
    std::condition_variable cv;
    std::deque<T> q;
    bool closed = false;
};

static Queue<int> jobs;
static Queue<float *> garbage;
static std::atomic<int> finished, wrong;

static void CUDART_CB count(void *) { finished++; }

static void work(int id)
{
    cudaStream_t s;
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamCreateWithFlags(&s, id % 2 ? cudaStreamNonBlocking : cudaStreamDefault));
    for (int job; jobs.pop(job);) {
        const int n = 500 + 37 * job;
        float *x, *y, *h;
        CHECK(cudaMalloc(&x, n * sizeof(float)));
        CHECK(cudaMalloc(&y, n * sizeof(float)));
        CHECK(cudaMallocHost(&h, n * sizeof(float)));
        for (int i = 0; i < n; i++)
            h[i] = (float)(i % 13);
        CHECK(cudaMemcpyAsync(x, h, n * sizeof(float), cudaMemcpyHostToDevice, s));
        poly<<<(n + 127) / 128, 128, 0, s>>>(x, y, n, (float)job);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(h, y, n * sizeof(float), cudaMemcpyDeviceToHost, s));
        CHECK(cudaLaunchHostFunc(s, count, nullptr));
        CHECK(cudaStreamSynchronize(s));
        for (int i = 0; i < n; i++)
            wrong += h[i] != (float)job * (float)(i % 13) * (float)(i % 13) + 1.0f;
        CHECK(cudaFreeHost(h));
        garbage.push(x);
        garbage.push(y);
    }
    CHECK(cudaStreamDestroy(s));
}

static void sweep()
{
    for (float *p; garbage.pop(p);)
        CHECK(cudaFree(p));
}

int main()
{
    const int workers = 6, count_of_jobs = 24;
    std::vector<std::thread> pool;
    std::thread sweeper(sweep);
    for (int i = 0; i < workers; i++)
        pool.emplace_back(work, i);
    for (int j = 0; j < count_of_jobs; j++)
        jobs.push(j);
    jobs.close();
    for (std::thread &t : pool)
        t.join();
    garbage.close();
    sweeper.join();
    CHECK(cudaDeviceSynchronize());
    std::printf("%d jobs, %d wrong\n", finished.load(), wrong.load());
    const bool good = wrong == 0 && finished == count_of_jobs;
    std::puts(good ? "PASS" : "FAIL");
    return !good;
}
