// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <cstdio>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_math.h>

struct Body {
    float4 posMass;
    float3 vel;
};

__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj)
{
    float3 r = make_float3(bj) - make_float3(bi);
    float distSqr = dot(r, r) + 1e-2f, invDist = rsqrtf(distSqr);
    return ai + r * (bj.w * invDist * invDist * invDist);
}

__global__ void integrateBodies(Body *bodies, float3 *accelerations, uint n)
{
    extern __shared__ float4 sharedPos[];
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 acc = make_float3(0.0f);
    for (uint tile = 0; tile < iDivUp(n, blockDim.x); tile++) {
        uint j = tile * blockDim.x + threadIdx.x;
        sharedPos[threadIdx.x] = j < n ? bodies[j].posMass : make_float4(0, 0, 0, 0);
        __syncthreads();
        if (i < n)
            for (uint k = 0; k < blockDim.x; k++)
                acc = bodyBodyInteraction(acc, bodies[i].posMass, sharedPos[k]);
        __syncthreads();
    }
    if (i < n)
        accelerations[i] = acc;
}

int main()
{
    const uint n = 100, threads = 64;
    Body *bodies;
    float3 *acc;
    checkCudaErrors(cudaMallocManaged(&bodies, n * sizeof(Body)));
    checkCudaErrors(cudaMallocManaged(&acc, n * sizeof(float3)));
    for (uint i = 0; i < n; i++) {
        bodies[i].posMass = make_float4(make_float3(i % 5, i % 7, i % 11), 1.0f);
        bodies[i].vel = cross(make_float3(1.0f), make_float3(0, 1, 0));
    }
    integrateBodies<<<iDivUp(n, threads), threads, threads * sizeof(float4)>>>(bodies, acc, n);
    getLastCudaError("integrateBodies");
    checkCudaErrors(cudaDeviceSynchronize());
    double worst = 0;
    for (uint i = 0; i < n; i++) {
        float3 a = make_float3(0.0f);
        for (uint j = 0; j < n; j++) {
            float3 r = make_float3(bodies[j].posMass) - make_float3(bodies[i].posMass);
            float d = 1.0f / sqrtf(dot(r, r) + 1e-2f);
            a += r * (bodies[j].posMass.w * d * d * d);
        }
        worst = fmax(worst, length(a - acc[i]) / (1 + length(a)));
    }
    cudaFree(bodies);
    cudaFree(acc);
    printf("worst %g, clamp %g, lerp %g\n", worst, clamp(3, 0, 1), lerp(1, 3, 0.5f));
    puts(worst < 1e-4 ? "PASS" : "FAIL");
    return 0;
}
