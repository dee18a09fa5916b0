// expect: refused | clusters are not simulated
// manner: cooperative groups
// flags: -arch=sm_90
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) k(int *out)
{
    cg::cluster_group cluster = cg::this_cluster();
    out[blockIdx.x] = cluster.block_rank();
}
int main() { return 0; }
