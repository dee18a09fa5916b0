// expect: right
// manner: a repository's main function
// Rotates of 64 bits by an amount that only the kernel knows, and that may be more than 64: a mask
// of all bits but one, and the words of a hash.
#include <cstdint>
#include <cstdio>

__host__ __device__ static uint64_t rotate_left(uint64_t x, int n)
{
    return x << (n & 63) | x >> (-n & 63);
}

__host__ __device__ static uint64_t rotate_right(uint64_t x, int n)
{
    return x >> (n & 63) | x << (-n & 63);
}

__host__ __device__ static void turn(const int *amount, int i, uint64_t *out)
{
    const uint64_t x = 0x9e3779b97f4a7c15u * (i + 1);
    out[4 * i] = ~(1ull << (amount[i] & 63));
    out[4 * i + 1] = rotate_left(x, amount[i]);
    out[4 * i + 2] = rotate_right(x, amount[i]);
    out[4 * i + 3] = rotate_left(x, 27) ^ rotate_right(x, 41);
}

__global__ void turn_all(const int *amount, uint64_t *out)
{
    turn(amount, blockIdx.x * blockDim.x + threadIdx.x, out);
}

int main()
{
    const int n = 512;
    static int amount[n];
    static uint64_t expected[4 * n], got[4 * n];
    int *d_amount, bad = 0;
    uint64_t *d_out;

    for (int i = 0; i < n; i++) {
        amount[i] = i - 128;
        turn(amount, i, expected);
    }
    cudaMalloc(&d_amount, sizeof amount);
    cudaMalloc(&d_out, sizeof got);
    cudaMemcpy(d_amount, amount, sizeof amount, cudaMemcpyHostToDevice);
    turn_all<<<n / 128, 128>>>(d_amount, d_out);
    cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4 * n; i++)
        bad += got[i] != expected[i];
    cudaFree(d_amount);
    cudaFree(d_out);
    puts(bad ? "FAIL" : "PASS");
    return bad != 0;
}
