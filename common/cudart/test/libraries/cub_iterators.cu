// shows: <cub/cub.cuh> whole; texture, counting, constant, transform, arg-index, cached iterators
#include <cub/cub.cuh>

#include "check.h"

struct square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

__global__ void read(cub::TexObjInputIterator<int> texture,
                     cub::CacheModifiedInputIterator<cub::LOAD_LDG, int> cached,
                     cub::ArgIndexInputIterator<const int *> indexed, int *out)
{
    int i = threadIdx.x;
    cub::KeyValuePair<int, int> pair = { (int)indexed[i].key, indexed[i].value };
    out[i] = texture[i] + 2 * cached[i] + pair.value * (pair.key == i);
}

int main()
{
    const int n = 256;
    const std::vector<int> in = numbers(n, 1000);
    std::vector<int> wanted(n);
    int squares = 0;
    for (int i = 0; i < n; i++) {
        wanted[i] = 4 * in[i];
        squares += i * i;
    }
    on_device<int> from(in), to(n), sum(1);
    cub::TexObjInputIterator<int> texture;
    succeeds(texture.BindTexture((int *)from, n * sizeof(int)));
    read<<<1, n>>>(texture, cub::CacheModifiedInputIterator<cub::LOAD_LDG, int>((int *)from),
                   cub::ArgIndexInputIterator<const int *>((int *)from), to);
    same("read", to.back(), wanted);
    succeeds(texture.UnbindTexture());
    cub::CountingInputIterator<int> count(0);
    cub::TransformInputIterator<int, square, cub::CountingInputIterator<int>> squared(count,
                                                                                      square());
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceReduce::Sum(s, bytes, squared, (int *)sum, n);
    });
    holds("squares", sum.back()[0] == squares);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceReduce::Sum(s, bytes, cub::ConstantInputIterator<int>(3), (int *)sum, n);
    });
    holds("constant", sum.back()[0] == 3 * n);
    return verdict();
}
