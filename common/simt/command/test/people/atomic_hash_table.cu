// expect: right
// manner: atomics and fences
#include <stdint.h>
#include <stdio.h>
#include <unordered_map>
#include <vector>
struct KeyValue {
    uint32_t key, value;
};
const uint32_t kHashTableCapacity = 1024, kEmpty = 0xffffffff;
__device__ uint32_t hash(uint32_t k)
{
    k ^= k >> 16;
    k *= 0x85ebca6b;
    k ^= k >> 13;
    k *= 0xc2b2ae35;
    k ^= k >> 16;
    return k & (kHashTableCapacity - 1);
}
__global__ void gpu_insert(KeyValue *table, const KeyValue *kvs, unsigned n)
{
    unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= n)
        return;
    uint32_t key = kvs[tid].key, slot = hash(key);
    while (true) {
        uint32_t prev = atomicCAS(&table[slot].key, kEmpty, key);
        if (prev == kEmpty || prev == key) {
            atomicAdd(&table[slot].value, kvs[tid].value);
            return;
        }
        slot = (slot + 1) & (kHashTableCapacity - 1);
    }
}
__global__ void gpu_lookup(const KeyValue *table, KeyValue *kvs, unsigned n)
{
    unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= n)
        return;
    for (uint32_t slot = hash(kvs[tid].key);; slot = (slot + 1) & (kHashTableCapacity - 1)) {
        if (table[slot].key == kvs[tid].key) {
            kvs[tid].value = table[slot].value;
            return;
        }
        if (table[slot].key == kEmpty) {
            kvs[tid].value = kEmpty;
            return;
        }
    }
}
int main()
{
    std::vector<KeyValue> in(600), ask(300), zero(kHashTableCapacity, { kEmpty, 0 });
    std::unordered_map<uint32_t, uint32_t> want;
    for (uint32_t i = 0; i < in.size(); i++) {
        in[i] = { i * 31 % 400, i };
        want[in[i].key] += i;
    }
    for (uint32_t i = 0; i < ask.size(); i++)
        ask[i] = { i * 3, 0 };
    KeyValue *table, *d;
    cudaMalloc(&table, zero.size() * sizeof(KeyValue));
    cudaMalloc(&d, in.size() * sizeof(KeyValue));
    cudaMemcpy(table, zero.data(), zero.size() * sizeof(KeyValue), cudaMemcpyHostToDevice);
    cudaMemcpy(d, in.data(), in.size() * sizeof(KeyValue), cudaMemcpyHostToDevice);
    gpu_insert<<<5, 128>>>(table, d, (unsigned)in.size());
    cudaMemcpy(d, ask.data(), ask.size() * sizeof(KeyValue), cudaMemcpyHostToDevice);
    gpu_lookup<<<3, 128>>>(table, d, (unsigned)ask.size());
    cudaMemcpy(ask.data(), d, ask.size() * sizeof(KeyValue), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (const KeyValue &kv : ask) {
        auto w = want.find(kv.key);
        wrong += kv.value != (w == want.end() ? kEmpty : w->second);
    }
    cudaFree(table);
    cudaFree(d);
    puts(wrong ? "FAIL" : "PASS");
}
