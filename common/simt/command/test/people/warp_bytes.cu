// expect: right
// manner: warp intrinsics
#include <cstdio>
#include <cstdlib>
__global__ void bytes(const unsigned *a, const unsigned *b, unsigned *out, const uchar4 *pixels,
                      int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 p = __ldg(&pixels[i]);
    unsigned *o = out + 8 * i;
    o[0] = __vabsdiffu4(a[i], b[i]);
    o[1] = __vsadu4(a[i], b[i]);
    o[2] = __byte_perm(a[i], b[i], 0x5140);
    o[3] = __dp4a(a[i], b[i], 7u);
    o[4] = __vmaxu4(a[i], b[i]);
    o[5] = __vcmpgtu4(a[i], b[i]);
    o[6] = __funnelshift_l(a[i], b[i], 8);
    o[7] = p.x + p.y + p.z + p.w;
}
int main()
{
    const int n = 100;
    unsigned h[3][n], o[8 * n], *d[4], wrong = 0;
    for (int i = 0; i < n; i++) {
        h[0][i] = i * 2654435761u;
        h[1][i] = ~i * 40503u * 65537u;
        h[2][i] = i * 0x01030507u;
    }
    for (int k = 0; k < 3; k++) {
        cudaMalloc(&d[k], sizeof h[k]);
        cudaMemcpy(d[k], h[k], sizeof h[k], cudaMemcpyHostToDevice);
    }
    cudaMalloc(&d[3], sizeof o);
    bytes<<<1, 128>>>(d[0], d[1], d[3], (uchar4 *)d[2], n);
    cudaMemcpy(o, d[3], sizeof o, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        unsigned e[8] = { 0, 0, 0, 7, 0, 0, 0, 0 }, a = h[0][i], b = h[1][i];
        for (int k = 0; k < 32; k += 8) {
            unsigned x = a >> k & 255, y = b >> k & 255, z = x > y ? x - y : y - x;
            e[0] |= z << k;
            e[1] += z;
            e[3] += x * y;
            e[4] |= (x > y ? x : y) << k;
            e[5] |= (x > y ? 255u : 0) << k;
            e[7] += h[2][i] >> k & 255;
        }
        e[2] = (a & 255) | (b & 255) << 8 | (a >> 8 & 255) << 16 | (b >> 8 & 255) << 24;
        e[6] = b << 8 | a >> 24;
        for (int k = 0; k < 8; k++)
            wrong += e[k] != o[8 * i + k];
    }
    for (int k = 0; k < 4; k++)
        cudaFree(d[k]);
    puts(wrong ? "FAIL" : "PASS");
}
