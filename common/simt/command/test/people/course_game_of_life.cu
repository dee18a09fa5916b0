// expect: right
// manner: university homework
// The Game of Life on a torus: tiles with a halo in shared memory, two grids that are swapped.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#define WIDTH  100
#define HEIGHT 77
#define TILE_X 32
#define TILE_Y 8

__device__ int wrap(int a, int size) { return (a + size) % size; }

__global__ void step(const unsigned char *now, unsigned char *next)
{
    __shared__ unsigned char tile[TILE_Y + 2][TILE_X + 2];
    const int x0 = blockIdx.x * TILE_X - 1, y0 = blockIdx.y * TILE_Y - 1;

    for (int i = threadIdx.y * TILE_X + threadIdx.x; i < (TILE_X + 2) * (TILE_Y + 2);
         i += TILE_X * TILE_Y) {
        const int dx = i % (TILE_X + 2), dy = i / (TILE_X + 2);
        tile[dy][dx] = now[wrap(y0 + dy, HEIGHT) * WIDTH + wrap(x0 + dx, WIDTH)];
    }
    __syncthreads();

    const int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
    if (x >= WIDTH || y >= HEIGHT)
        return;
    int alive = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            alive += tile[threadIdx.y + dy][threadIdx.x + dx];
    const int own = tile[threadIdx.y + 1][threadIdx.x + 1];
    alive -= own;
    next[y * WIDTH + x] = alive == 3 || (own && alive == 2);
}

static void step_on_host(const std::vector<unsigned char> &now, std::vector<unsigned char> &next)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int alive = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy)
                        alive += now[(y + dy + HEIGHT) % HEIGHT * WIDTH + (x + dx + WIDTH) % WIDTH];
            next[y * WIDTH + x] = alive == 3 || (now[y * WIDTH + x] && alive == 2);
        }
}

int main()
{
    std::vector<unsigned char> now(WIDTH * HEIGHT), next(now.size()), got(now.size());
    unsigned char *d_now, *d_next;

    srand(7);
    for (auto &cell : now)
        cell = rand() % 3 == 0;
    cudaMalloc(&d_now, now.size());
    cudaMalloc(&d_next, now.size());
    cudaMemcpy(d_now, now.data(), now.size(), cudaMemcpyHostToDevice);
    const dim3 block(TILE_X, TILE_Y),
        grid((WIDTH + TILE_X - 1) / TILE_X, (HEIGHT + TILE_Y - 1) / TILE_Y);
    for (int round = 0; round < 10; round++) {
        step<<<grid, block>>>(d_now, d_next);
        std::swap(d_now, d_next);
        step_on_host(now, next);
        now.swap(next);
    }
    cudaMemcpy(got.data(), d_now, got.size(), cudaMemcpyDeviceToHost);
    const bool same = memcmp(got.data(), now.data(), got.size()) == 0;
    printf("%s\n", same ? "PASS" : "FAIL");
    cudaFree(d_now);
    cudaFree(d_next);
    return same ? 0 : 1;
}
