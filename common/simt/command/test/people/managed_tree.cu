// expect: right
// manner: managed memory
#include <cstdio>
#include <cstdlib>
struct Tree {
    int *key, *left, *right, n;
};
__global__ void search(Tree t, const int *wanted, int *depth, int m)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x) {
        int at = 0, d = 0;
        while (at >= 0 && t.key[at] != wanted[i]) {
            at = wanted[i] < t.key[at] ? t.left[at] : t.right[at];
            d++;
        }
        depth[i] = at < 0 ? -1 : d;
    }
}
static void insert(Tree *t, int key)
{
    int i = t->n++, at = 0;
    t->key[i] = key;
    t->left[i] = t->right[i] = -1;
    while (i) {
        int *next = key < t->key[at] ? &t->left[at] : &t->right[at];
        if (*next < 0) {
            *next = i;
            break;
        }
        at = *next;
    }
}
int main()
{
    const int n = 200, m = 300;
    int *pool, *wanted, *depth, wrong = 0;
    cudaMallocManaged(&pool, 3 * n * sizeof(int));
    cudaMallocManaged(&wanted, m * sizeof(int));
    cudaMallocManaged(&depth, m * sizeof(int));
    Tree t = { pool, pool + n, pool + 2 * n, 0 };
    for (int i = 0; i < n; i++)
        insert(&t, i * 73 % 401);
    for (int i = 0; i < m; i++)
        wanted[i] = i;
    search<<<2, 64>>>(t, wanted, depth, m);
    cudaDeviceSynchronize();
    for (int i = 0; i < m; i++) {
        int at = 0, d = 0;
        while (at >= 0 && t.key[at] != i) {
            at = i < t.key[at] ? t.left[at] : t.right[at];
            d++;
        }
        wrong += depth[i] != (at < 0 ? -1 : d);
    }
    cudaFree(pool);
    cudaFree(wanted);
    cudaFree(depth);
    puts(wrong ? "FAIL" : "PASS");
}
