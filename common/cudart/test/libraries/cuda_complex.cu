// shows: cuda::std::complex: arithmetic, products and quotients that overflow, exp, sqrt, polar
// needs: cuda/std/complex
#include <cuda/std/complex>

#include <complex>
#include <cstdio>

typedef cuda::std::complex<double> number;
typedef std::complex<double> host_number;

template <class C> __host__ __device__ C step(C z, C c)
{
    z = z * z + c;
    z += conj(z) / C(2, 1);
    z -= exp(C(0, 1) * z.real());
    return z * abs(sqrt(z)) + C(norm(z), arg(z));
}
__global__ void steps(number *z, number c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = step(z[i], c);
}
__global__ void extremes(number *z)
{
    z[0] = number(INFINITY, 1) * number(2, 3);
    z[1] = number(1, 2) / number(0, 0);
    z[2] = cuda::std::polar(2.0, M_PI / 2);
}

int main()
{
    const int n = 1000;
    static number z[n];
    number *d;
    int wrong = 0;
    for (int i = 0; i < n; i++)
        z[i] = number(i * 0.01 - 5, 3 - i * 0.004);
    cudaMalloc(&d, sizeof z);
    cudaMemcpy(d, z, sizeof z, cudaMemcpyHostToDevice);
    steps<<<(n + 127) / 128, 128>>>(d, number(0.25, -0.5), n);
    cudaMemcpy(z, d, sizeof z, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        const host_number want =
            step(host_number(i * 0.01 - 5, 3 - i * 0.004), host_number(0.25, -0.5));
        const host_number got(z[i].real(), z[i].imag());
        wrong += !(std::abs(got - want) <= 1e-11 * (1 + std::abs(want)));
    }
    extremes<<<1, 1>>>(d);
    cudaMemcpy(z, d, sizeof z, cudaMemcpyDeviceToHost);
    wrong += !std::isinf(z[0].real()) || !std::isinf(z[1].real());
    wrong += !(fabs(z[2].real()) < 1e-15 && z[2].imag() == 2);
    cudaFree(d);
    puts(wrong ? "FAIL" : "PASS");
}
