/*
 * helper_cuda.h: checkCudaErrors and the choice of a device as NVIDIA's samples have them, written
 * anew: without the driver API and the libraries on top of the runtime.
 */
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

#include "helper_string.h"

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

static inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

template <typename T>
void check(T result, char const *const func, const char *const file, int const line)
{
    if (!result)
        return;
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), _cudaGetErrorEnum(result), func);
    exit(EXIT_FAILURE);
}

#define checkCudaErrors(val)    check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg)   __getLastCudaError(msg, __FILE__, __LINE__)
#define printLastCudaError(msg) __printLastCudaError(msg, __FILE__, __LINE__)

inline cudaError_t __printLastCudaError(const char *message, const char *file, const int line)
{
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line,
                message, static_cast<int>(error), cudaGetErrorString(error));
    return error;
}
inline void __getLastCudaError(const char *message, const char *file, const int line)
{
    if (__printLastCudaError(message, file, line) != cudaSuccess)
        exit(EXIT_FAILURE);
}

inline int ftoi(float value)
{
    return value >= 0 ? static_cast<int>(value + 0.5f) : static_cast<int>(value - 0.5f);
}

inline int _ConvertSMVer2Cores(int major, int minor)
{
    const int version = (major << 4) + minor;
    return version == 0x60 || version == 0x70 || version == 0x72 || version == 0x75 ||
                   version == 0x80
               ? 64
               : 128;
}
inline const char *_ConvertSMVer2ArchName(int major, int minor)
{
    static const struct {
        int version;
        const char *name;
    } names[] = { { 0x30, "Kepler" }, { 0x50, "Maxwell" }, { 0x60, "Pascal" },
                  { 0x70, "Volta" },  { 0x75, "Turing" },  { 0x80, "Ampere" },
                  { 0x89, "Ada" },    { 0x90, "Hopper" },  { 0xa0, "Blackwell" } };
    const char *name = "Graphics Device";
    for (const auto &row : names)
        if ((major << 4) + minor >= row.version)
            name = row.name;
    return name;
}

inline int gpuDeviceInit(int device)
{
    int count = 0, mode = -1;
    checkCudaErrors(cudaGetDeviceCount(&count));
    if (device < 0)
        device = 0;
    if (device >= count) {
        fprintf(stderr, "gpuDeviceInit (-device=%d) is not a valid GPU: there are %d\n", device,
                count);
        return -device;
    }
    checkCudaErrors(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device));
    if (mode == cudaComputeModeProhibited)
        return -1;
    checkCudaErrors(cudaSetDevice(device));
    return device;
}

inline int gpuGetMaxGflopsDeviceId()
{
    int count = 0, best = 0, most = -1;
    checkCudaErrors(cudaGetDeviceCount(&count));
    for (int device = 0; device < count; device++) {
        int processors = 0, major = 0, minor = 0;
        checkCudaErrors(
            cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
        checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
        checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
        if (processors * _ConvertSMVer2Cores(major, minor) > most) {
            most = processors * _ConvertSMVer2Cores(major, minor);
            best = device;
        }
    }
    return best;
}

inline int findCudaDevice(int argc, const char **argv)
{
    if (checkCmdLineFlag(argc, argv, "device")) {
        int device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
        if (device < 0) {
            printf("exiting...\n");
            exit(EXIT_FAILURE);
        }
        return device;
    }
    const int device = gpuGetMaxGflopsDeviceId();
    int major = 0, minor = 0;
    checkCudaErrors(cudaSetDevice(device));
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
           _ConvertSMVer2ArchName(major, minor), major, minor);
    return device;
}

inline int findIntegratedGPU()
{
    int count = 0, integrated = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    for (int device = 0; device < count; device++) {
        checkCudaErrors(cudaDeviceGetAttribute(&integrated, cudaDevAttrIntegrated, device));
        if (integrated)
            return device;
    }
    return -1;
}

inline bool checkCudaCapabilities(int wanted_major, int wanted_minor)
{
    int device, major = 0, minor = 0;
    checkCudaErrors(cudaGetDevice(&device));
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    return major > wanted_major || (major == wanted_major && minor >= wanted_minor);
}

#endif
