// expect: right
// manner: atomics and fences
#include <cstdio>
#include <queue>
#include <vector>
__global__ void bfs(const int *row, const int *col, int *level, const int *frontier, int size,
                    int *next, int *next_size, int depth)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size)
        return;
    int u = frontier[i];
    for (int e = row[u]; e < row[u + 1]; e++)
        if (atomicCAS(&level[col[e]], -1, depth) == -1)
            next[atomicAdd(next_size, 1)] = col[e];
}
int main()
{
    const int n = 300;
    std::vector<int> row(1, 0), col, want(n, -1), level(n, -1);
    for (int u = 0; u < n; u++) {
        for (int k : { u * 2 + 1, u * 3 % n, (u + 7) % n })
            if (k < n && u % 11)
                col.push_back(k);
        row.push_back((int)col.size());
    }
    std::queue<int> q;
    for (q.push(1), want[1] = 0; !q.empty(); q.pop())
        for (int e = row[q.front()]; e < row[q.front() + 1]; e++)
            if (want[col[e]] < 0) {
                want[col[e]] = want[q.front()] + 1;
                q.push(col[e]);
            }
    int *r, *c, *l, *f[2], *size, count = 1, start = 1;
    cudaMalloc(&r, row.size() * 4);
    cudaMalloc(&c, col.size() * 4);
    cudaMalloc(&l, n * 4);
    cudaMalloc(&f[0], n * 4);
    cudaMalloc(&f[1], n * 4);
    cudaMalloc(&size, 4);
    level[1] = 0;
    cudaMemcpy(r, row.data(), row.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(c, col.data(), col.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(l, level.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(f[0], &start, 4, cudaMemcpyHostToDevice);
    for (int depth = 1; count; depth++) {
        cudaMemset(size, 0, 4);
        bfs<<<(count + 63) / 64, 64>>>(r, c, l, f[(depth + 1) & 1], count, f[depth & 1], size,
                                       depth);
        cudaMemcpy(&count, size, 4, cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(level.data(), l, n * 4, cudaMemcpyDeviceToHost);
    for (int *p : { r, c, l, f[0], f[1], size })
        cudaFree(p);
    puts(level == want ? "PASS" : "FAIL");
}
