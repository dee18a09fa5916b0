// expect: refused | graphs are not offered
// manner: streams and events
#include <cuda_runtime.h>
int main()
{
    cudaStream_t s;
    cudaGraph_t graph;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaStreamEndCapture(s, &graph);
    return 0;
}
