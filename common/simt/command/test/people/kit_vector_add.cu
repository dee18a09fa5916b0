// expect: right
// manner: the teaching kit (wb.h)
#include <wb.h>
#include <unistd.h>
#define wbCheck(stmt)                                                                              \
    do {                                                                                           \
        cudaError_t err = stmt;                                                                    \
        if (err != cudaSuccess) {                                                                  \
            wbLog(ERROR, "Failed to run stmt ", #stmt);                                            \
            wbLog(ERROR, "Got CUDA error ...  ", cudaGetErrorString(err));                         \
            return -1;                                                                             \
        }                                                                                          \
    } while (0)
__global__ void vecAdd(float *in1, float *in2, float *out, int len)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < len)
        out[i] = in1[i] + in2[i];
}
int main(int argc, char **argv)
{
    wbArg_t args;
    int inputLength;
    float *hostInput1, *hostInput2, *hostOutput, *d1, *d2, *d3;
    args = wbArg_read(argc, argv);
    wbTime_start(Generic, "Importing data and creating memory on host");
    hostInput1 = (float *)wbImport(wbArg_getInputFile(args, 0), &inputLength);
    hostInput2 = (float *)wbImport(wbArg_getInputFile(args, 1), &inputLength);
    hostOutput = (float *)malloc(inputLength * sizeof(float));
    wbTime_stop(Generic, "Importing data and creating memory on host");
    wbLog(TRACE, "The input length is ", inputLength);
    wbTime_start(GPU, "Allocating GPU memory.");
    wbCheck(cudaMalloc(&d1, inputLength * 4));
    wbCheck(cudaMalloc(&d2, inputLength * 4));
    wbCheck(cudaMalloc((void **)&d3, inputLength * 4));
    wbTime_stop(GPU, "Allocating GPU memory.");
    cudaMemcpy(d1, hostInput1, inputLength * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(d2, hostInput2, inputLength * 4, cudaMemcpyHostToDevice);
    dim3 g((inputLength - 1) / 256 + 1, 1, 1), b(256, 1, 1);
    wbTime_start(Compute, "Performing CUDA computation");
    vecAdd<<<g, b>>>(d1, d2, d3, inputLength);
    cudaDeviceSynchronize();
    wbTime_stop(Compute, "Performing CUDA computation");
    wbTime_start(Copy, "Copying output memory to the CPU");
    cudaMemcpy(hostOutput, d3, inputLength * 4, cudaMemcpyDeviceToHost);
    wbTime_stop(Copy, "Copying output memory to the CPU");
    bool correct = wbSolution(args, hostOutput, inputLength);
    for (int i = 0; i < inputLength; i++)
        correct = correct && hostOutput[i] == hostInput1[i] + hostInput2[i];
    correct = correct && hostInput1[3] != hostInput2[3] && inputLength == 1000;
    // what is expected, by a file
    char name[] = "/tmp/expected.XXXXXX";
    close(mkstemp(name));
    wbExport(name, hostOutput, inputLength);
    args.expected = name;
    correct = correct && wbSolution(args, hostOutput, inputLength);
    hostOutput[7] += 1;
    correct = correct && !wbSolution(args, hostOutput, inputLength);
    remove(name);
    cudaFree(d1);
    cudaFree(d2);
    cudaFree(d3);
    free(hostInput1);
    free(hostInput2);
    free(hostOutput);
    puts(correct ? "PASS" : "FAIL");
    return 0;
}
