// expect: refused | tensor cores are not simulated
// manner: half precision
// flags: -arch=sm_80
#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
__global__ void wmma_ker(half *a, half *b, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> a_frag;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c_frag;
    wmma::fill_fragment(c_frag, 0.0f);
    wmma::load_matrix_sync(a_frag, a, 16);
    wmma::store_matrix_sync(c, c_frag, 16, wmma::mem_row_major);
}
int main() { return 0; }
