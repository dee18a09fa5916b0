// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <iostream>
#include <string>

int main(int argc, char **argv)
{
    int deviceCount = 0, driverVersion = 0, runtimeVersion = 0;
    cudaError_t error_id = cudaGetDeviceCount(&deviceCount);
    if (error_id != cudaSuccess) {
        printf("cudaGetDeviceCount returned %d\n-> %s\n", (int)error_id,
               cudaGetErrorString(error_id));
        exit(EXIT_FAILURE);
    }
    for (int dev = 0; dev < deviceCount; ++dev) {
        cudaSetDevice(dev);
        cudaDeviceProp deviceProp;
        checkCudaErrors(cudaGetDeviceProperties(&deviceProp, dev));
        printf("\nDevice %d: \"%s\"\n", dev, deviceProp.name);
        cudaDriverGetVersion(&driverVersion);
        cudaRuntimeGetVersion(&runtimeVersion);
        printf("Version %d.%d / %d.%d\n", driverVersion / 1000, (driverVersion % 100) / 10,
               runtimeVersion / 1000, (runtimeVersion % 100) / 10);
        printf("Capability %d.%d, %zu bytes, (%03d) x (%03d) cores\n", deviceProp.major,
               deviceProp.minor, deviceProp.totalGlobalMem, deviceProp.multiProcessorCount,
               _ConvertSMVer2Cores(deviceProp.major, deviceProp.minor));
        printf("clock %.0f MHz, memory %.0f MHz, bus %d bit, L2 %d\n", deviceProp.clockRate * 1e-3f,
               deviceProp.memoryClockRate * 1e-3f, deviceProp.memoryBusWidth,
               deviceProp.l2CacheSize);
        printf("textures %d, (%d,%d), (%d,%d,%d); layered %d x %d\n", deviceProp.maxTexture1D,
               deviceProp.maxTexture2D[0], deviceProp.maxTexture2D[1], deviceProp.maxTexture3D[0],
               deviceProp.maxTexture3D[1], deviceProp.maxTexture3D[2],
               deviceProp.maxTexture1DLayered[0], deviceProp.maxTexture1DLayered[1]);
        printf("constant %zu, shared %zu of %zu, registers %d, warp %d\n", deviceProp.totalConstMem,
               deviceProp.sharedMemPerBlock, deviceProp.sharedMemPerMultiprocessor,
               deviceProp.regsPerBlock, deviceProp.warpSize);
        printf("threads %d of %d, block (%d,%d,%d), grid (%d,%d,%d), pitch %zu, alignment %zu\n",
               deviceProp.maxThreadsPerBlock, deviceProp.maxThreadsPerMultiProcessor,
               deviceProp.maxThreadsDim[0], deviceProp.maxThreadsDim[1],
               deviceProp.maxThreadsDim[2], deviceProp.maxGridSize[0], deviceProp.maxGridSize[1],
               deviceProp.maxGridSize[2], deviceProp.memPitch, deviceProp.textureAlignment);
        printf("copy engines %d, timeout %d, integrated %d, mapped %d, ECC %d, UVA %d, managed %d, "
               "cooperative %d\n",
               deviceProp.asyncEngineCount, deviceProp.kernelExecTimeoutEnabled,
               deviceProp.integrated, deviceProp.canMapHostMemory, deviceProp.ECCEnabled,
               deviceProp.unifiedAddressing, deviceProp.managedMemory,
               deviceProp.cooperativeLaunch);
        printf("PCI %d / %d / %d\n", deviceProp.pciDomainID, deviceProp.pciBusID,
               deviceProp.pciDeviceID);
        const char *sComputeMode[] = { "Default",           "Exclusive", "Prohibited",
                                       "Exclusive Process", "Unknown",   NULL };
        printf("compute mode < %s >\n", sComputeMode[deviceProp.computeMode]);
        int value = -1;
        checkCudaErrors(cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture2DLayeredLayers, dev));
        checkCudaErrors(cudaDeviceGetAttribute(&value, cudaDevAttrMemoryPoolsSupported, dev));
    }
    std::string sProfileString = "deviceQuery, CUDA Driver = CUDART";
    std::cout << sProfileString << "\n" << (deviceCount == 1 ? "PASS" : "FAIL") << std::endl;
    return 0;
}
