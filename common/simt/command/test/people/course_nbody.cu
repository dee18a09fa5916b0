// expect: right
// manner: university homework
#include <cstdio>
#include <cmath>
#include <vector>
#define SOFTENING 1e-9f
typedef struct {
    float4 *pos, *vel;
} BodySystem;
__global__ void bodyForce(float4 *p, float4 *v, float dt, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) {
        float Fx = 0, Fy = 0, Fz = 0;
        for (int tile = 0; tile < gridDim.x; tile++) {
            __shared__ float3 spos[64];
            float4 tpos = p[tile * blockDim.x + threadIdx.x];
            spos[threadIdx.x] = make_float3(tpos.x, tpos.y, tpos.z);
            __syncthreads();
#pragma unroll 8
            for (int j = 0; j < 64; j++) {
                float dx = spos[j].x - p[i].x, dy = spos[j].y - p[i].y, dz = spos[j].z - p[i].z,
                      d = dx * dx + dy * dy + dz * dz + SOFTENING, inv = rsqrtf(d),
                      inv3 = inv * inv * inv;
                Fx += dx * inv3;
                Fy += dy * inv3;
                Fz += dz * inv3;
            }
            __syncthreads();
        }
        v[i].x += dt * Fx;
        v[i].y += dt * Fy;
        v[i].z += dt * Fz;
    }
}
int main()
{
    int n = 128;
    std::vector<float4> h(2 * n);
    srand(7);
    for (auto &x : h)
        x = make_float4(rand() / (float)RAND_MAX, rand() / (float)RAND_MAX,
                        rand() / (float)RAND_MAX, 0);
    float4 *d;
    cudaMalloc(&d, h.size() * 16);
    cudaMemcpy(d, h.data(), h.size() * 16, cudaMemcpyHostToDevice);
    BodySystem s = { d, d + n };
    bodyForce<<<n / 64, 64>>>(s.pos, s.vel, 0.01f, n);
    std::vector<float4> r(2 * n);
    cudaMemcpy(r.data(), d, r.size() * 16, cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double f = 0;
        for (int j = 0; j < n; j++) {
            double dx = (double)h[j].x - h[i].x, dy = (double)h[j].y - h[i].y,
                   dz = (double)h[j].z - h[i].z, q = dx * dx + dy * dy + dz * dz + 1e-9;
            f += dx / (q * sqrt(q));
        }
        double want = h[n + i].x + 0.01 * f;
        worst = fmax(worst, fabs(want - r[n + i].x) / (1 + fabs(want)));
    }
    fprintf(stderr, "%g\n", worst);
    cudaFree(d);
    puts(worst < 1e-3 ? "PASS" : "FAIL");
}
