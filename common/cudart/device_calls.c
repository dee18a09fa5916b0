/*
 * device_calls.c: CUDA's calls on the device itself: waiting for it, resetting it, and what it says
 * about itself.
 *
 * Properties come from simt_device_limits; what the engine does not model (clocks, buses, caches)
 * is not among them.
 */
#include <stdio.h>

#include "state.h"

cudaError_t cudaDeviceSynchronize(void)
{
    cudart.calls.waits++;
    return cudart_done(cudart_wait());
}

cudaError_t cudaDeviceReset(void)
{
    cudart_print_now();
    cudart_print_leaks();
    cudart_close_device();
    cudart_free_pinned();
    cudart_free_handles();
    cudart.pending = cudart.sticky = cudaSuccess;
    return cudaSuccess;
}

/* ---- what it is ------------------------------------------------------------------------------ */

static cudaError_t check_device(int device)
{
    return device == 0 ? cudaSuccess
                       : cudart_because(cudaErrorInvalidDevice,
                                        "there is one device, number 0, not %d", device);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    if (!count)
        return cudart_done(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    if (!device)
        return cudart_done(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return cudart_done(check_device(device)); }

/* How the host waits: it never does. */
cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    /* mapped memory there is in any case */
    unsigned schedule = flags & ~(unsigned)cudaDeviceMapHost;
    return cudart_done(schedule <= cudaDeviceScheduleBlockingSync && schedule != 3
                           ? cudaSuccess
                           : cudaErrorInvalidValue);
}

static cudaError_t get_version(int *version)
{
    if (!version)
        return cudart_done(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) { return get_version(version); }
cudaError_t cudaRuntimeGetVersion(int *version) { return get_version(version); }

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    if (!properties)
        return cudart_done(cudaErrorInvalidValue);
    cudaError_t error = check_device(device);
    if (error == cudaSuccess && !cudart_device())
        error = cudaErrorInitializationError;
    if (error != cudaSuccess)
        return cudart_done(error);
    simt_limits facts, *limits = &facts;
    simt_facts(cudart.device, &facts);
    size_t free_bytes, total_bytes;
    simt_memory(cudart.device, &free_bytes, &total_bytes);
    *properties = (struct cudaDeviceProp){
        .totalGlobalMem = total_bytes,
        .sharedMemPerBlock = limits->shared_per_block,
        .sharedMemPerBlockOptin = limits->shared_per_block,
        .sharedMemPerMultiprocessor = limits->shared_per_multiprocessor,
        .regsPerBlock = (int)limits->registers_per_block,
        .regsPerMultiprocessor = (int)limits->registers_per_multiprocessor,
        .warpSize = (int)limits->warp_size,
        .memPitch = 0x7fffffff,
        .maxThreadsPerBlock = (int)limits->max_threads_per_block,
        .maxThreadsPerMultiProcessor = (int)limits->max_threads_per_multiprocessor,
        .maxBlocksPerMultiProcessor = (int)limits->max_blocks_per_multiprocessor,
        .totalConstMem = limits->constant_memory,
        .major = (int)limits->major,
        .minor = (int)limits->minor,
        .multiProcessorCount = (int)limits->multiprocessors,
        .unifiedAddressing = 1,
        .canMapHostMemory = 1,
        .managedMemory = 1,
        .concurrentKernels = 1,
        .cooperativeLaunch = 1,
    };
    for (int i = 0; i < 3; i++) {
        properties->maxThreadsDim[i] = (int)limits->max_block[i];
        properties->maxGridSize[i] = (int)limits->max_grid[i];
    }
    snprintf(properties->name, sizeof properties->name, "Scan Lab simulated GPU");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    struct cudaDeviceProp p;
    if (!value)
        return cudart_done(cudaErrorInvalidValue);
    cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error != cudaSuccess)
        return error;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = (int)p.sharedMemPerBlockOptin; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)p.sharedMemPerMultiprocessor;
        break;
    case cudaDevAttrTotalConstantMemory: *value = (int)p.totalConstMem; break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrUnifiedAddressing: *value = p.unifiedAddressing; break;
    case cudaDevAttrIntegrated: *value = p.integrated; break;
    case cudaDevAttrCanMapHostMemory: *value = p.canMapHostMemory; break;
    case cudaDevAttrConcurrentKernels: *value = p.concurrentKernels; break;
    case cudaDevAttrManagedMemory: *value = p.managedMemory; break;
    case cudaDevAttrCooperativeLaunch: *value = p.cooperativeLaunch; break;
    default:
        return cudart_done(cudart_because(
            cudaErrorInvalidValue, "the simulated device has no attribute %d", (int)attribute));
    }
    return cudaSuccess;
}
