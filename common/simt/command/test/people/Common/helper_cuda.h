/*
 * helper_cuda.h: in the manner of the header of this name that NVIDIA's samples share, written
 * anew: the same guards, macros and questions to the runtime, so that what compiles this compiles
 * that one.
 */
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_

#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif

#ifdef __DRIVER_TYPES_H__
static const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
#else
#error "the runtime's header does not say that it was read"
#endif

#ifdef CUDA_DRIVER_API
static const char *_cudaGetErrorEnum(CUresult error)
{
    static char unknown[] = "<unknown>";
    const char *ret = NULL;
    cuGetErrorName(error, &ret);
    return ret ? ret : unknown;
}
#endif

template <typename T>
void check(T result, char const *const func, const char *const file, int const line)
{
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
                static_cast<unsigned int>(result), _cudaGetErrorEnum(result), func);
        exit(EXIT_FAILURE);
    }
}

#ifdef __DRIVER_TYPES_H__
#define checkCudaErrors(val)  check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)

inline void __getLastCudaError(const char *errorMessage, const char *file, const int line)
{
    cudaError_t err = cudaGetLastError();
    if (cudaSuccess != err) {
        fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line,
                errorMessage, static_cast<int>(err), cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
}
#endif

inline int _ConvertSMVer2Cores(int major, int minor)
{
    typedef struct {
        int SM;    // 0xMm, M = major, m = minor version
        int Cores;
    } sSMtoCores;
    sSMtoCores nGpuArchCoresPerSM[] = { { 0x60, 64 }, { 0x61, 128 }, { 0x70, 64 },  { 0x75, 64 },
                                        { 0x80, 64 }, { 0x86, 128 }, { 0x90, 128 }, { -1, -1 } };
    for (int index = 0; nGpuArchCoresPerSM[index].SM != -1; index++)
        if (nGpuArchCoresPerSM[index].SM == ((major << 4) + minor))
            return nGpuArchCoresPerSM[index].Cores;
    return nGpuArchCoresPerSM[6].Cores;
}

#ifdef __CUDA_RUNTIME_H__
inline int gpuDeviceInit(int devID)
{
    int device_count;
    checkCudaErrors(cudaGetDeviceCount(&device_count));
    if (device_count == 0) {
        fprintf(stderr, "gpuDeviceInit() CUDA error: no devices supporting CUDA.\n");
        exit(EXIT_FAILURE);
    }
    devID = MAX(devID, 0);
    int computeMode = -1, major = 0, minor = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&computeMode, cudaDevAttrComputeMode, devID));
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, devID));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, devID));
    if (computeMode == cudaComputeModeProhibited)
        return -1;
    checkCudaErrors(cudaSetDevice(devID));
    return devID;
}

inline int gpuGetMaxGflopsDeviceId()
{
    int current_device = 0, max_perf_device = 0, device_count = 0, devices_prohibited = 0;
    uint64_t max_compute_perf = 0;
    checkCudaErrors(cudaGetDeviceCount(&device_count));
    while (current_device < device_count) {
        int computeMode = -1, major = 0, minor = 0, multiProcessorCount = 0, clockRate = 0;
        checkCudaErrors(
            cudaDeviceGetAttribute(&computeMode, cudaDevAttrComputeMode, current_device));
        checkCudaErrors(
            cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, current_device));
        checkCudaErrors(
            cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, current_device));
        if (computeMode != cudaComputeModeProhibited) {
            checkCudaErrors(cudaDeviceGetAttribute(&multiProcessorCount,
                                                   cudaDevAttrMultiProcessorCount, current_device));
            cudaError_t result =
                cudaDeviceGetAttribute(&clockRate, cudaDevAttrClockRate, current_device);
            if (result != cudaSuccess)
                clockRate = 1;
            uint64_t compute_perf =
                (uint64_t)multiProcessorCount * _ConvertSMVer2Cores(major, minor) * clockRate;
            if (compute_perf > max_compute_perf) {
                max_compute_perf = compute_perf;
                max_perf_device = current_device;
            }
        } else
            devices_prohibited++;
        ++current_device;
    }
    return devices_prohibited == device_count ? -1 : max_perf_device;
}

inline int findCudaDevice(int argc, const char **argv)
{
    int devID = 0;
    if (argc > 1 && strncmp(argv[1], "-device=", 8) == 0)
        devID = gpuDeviceInit(atoi(argv[1] + 8));
    else {
        devID = gpuGetMaxGflopsDeviceId();
        checkCudaErrors(cudaSetDevice(devID));
        int major = 0, minor = 0;
        checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, devID));
        checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, devID));
        printf("GPU Device %d: compute capability %d.%d\n\n", devID, major, minor);
    }
    return devID;
}

inline bool checkCudaCapabilities(int major_version, int minor_version)
{
    int dev, major = 0, minor = 0;
    checkCudaErrors(cudaGetDevice(&dev));
    checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, dev));
    checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, dev));
    return major > major_version || (major == major_version && minor >= minor_version);
}
#else
#error "cuda_runtime.h does not say that it was read"
#endif

#endif
