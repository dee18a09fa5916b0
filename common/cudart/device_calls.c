/*
 * device_calls.c: CUDA's calls on the device itself: waiting for it, resetting it, taking its last
 * error away, and what it says about itself.
 *
 * Properties come from simt_device_limits; what the engine does not model (clocks, buses, caches)
 * is not among them.
 */
#include <stdio.h>

#include "state.h"

cudaError_t cudaDeviceSynchronize(void)
{
    CUDART_TURN();
    cudart_order_finish_gpu(false);
    const cudaError_t error = cudart_synchronize();
    cudart_order_waits_for_all();
    return cudart_done(error);
}

int cudart_caller_waits(void)
{
    CUDART_TURN();
    cudart_order_finish_gpu(true);
    cudart_gpu = 0;
    cudart_deliver();
    const cudaError_t error = cudart_mine.last;
    cudart_mine.last = cudaSuccess;
    return error;
}

/* Clears a fault too; but the next call that uses the device returns it, and so records it,
   again. */
cudaError_t cudaGetLastError(void)
{
    CUDART_TURN_BESIDE();
    const cudaError_t error = cudaPeekAtLastError();

    cudart_mine.last = cudaSuccess;
    if (error != cudaSuccess)
        cudart_back_taken();
    return error;
}

cudaError_t cudaDeviceReset(void)
{
    CUDART_TURN();
    cudart_deliver();
    cudart_back_reset();
    cudart_forget_common();
    cudart_free_pinned();
    cudart_free_handles();
    cudart.pending = cudart.sticky = cudaSuccess;
    return cudaSuccess;
}

cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

/* ---- what it is ------------------------------------------------------------------------------ */

cudaError_t cudaGetDeviceCount(int *count)
{
    CUDART_TURN();
    if (!count)
        return cudart_done(cudaErrorInvalidValue);
    const cudaError_t error = cudart_back_open();
    if (error == cudaSuccess)
        *count = (int)cudart_back_gpus();
    return cudart_done(error);
}

cudaError_t cudaGetDevice(int *device)
{
    CUDART_TURN();
    if (!device)
        return cudart_done(cudaErrorInvalidValue);
    *device = (int)cudart_gpu;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    CUDART_TURN();
    const cudaError_t error = cudart_check_gpu(device);
    if (error == cudaSuccess)
        cudart_gpu = (unsigned)device;
    return cudart_done(error);
}

/* How the host waits: it never does. Mapped memory there is in any case. */
static unsigned device_flags = cudaDeviceMapHost;

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    CUDART_TURN();
    const unsigned schedule = flags & cudaDeviceScheduleMask;
    const bool known =
        (flags & ~(unsigned)(cudaDeviceMask)) == 0 &&
        (schedule <= cudaDeviceScheduleYield || schedule == cudaDeviceScheduleBlockingSync);
    if (known)
        device_flags = flags | cudaDeviceMapHost;
    return cudart_done(known ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    CUDART_TURN();
    if (!flags)
        return cudart_done(cudaErrorInvalidValue);
    *flags = device_flags;
    return cudaSuccess;
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
    CUDART_TURN();
    if (!properties)
        return cudart_done(cudaErrorInvalidValue);
    cudaError_t error = cudart_check_gpu(device);
    if (error != cudaSuccess)
        return cudart_done(error);
    simt_limits facts, *limits = &facts;
    cudart_back_facts(&facts);
    size_t free_bytes, total_bytes;
    cudart_back_memory(&free_bytes, &total_bytes);
    *properties = (struct cudaDeviceProp){
        .totalGlobalMem = total_bytes,
        .sharedMemPerBlock = limits->shared_per_block,
        .sharedMemPerBlockOptin = limits->shared_per_block_optin,
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
        .hostRegisterSupported = 1,
        .canUseHostPointerForRegisteredMem = 1,
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
    CUDART_TURN();
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
    case cudaDevAttrHostRegisterSupported: *value = p.hostRegisterSupported; break;
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
        *value = p.canUseHostPointerForRegisteredMem;
        break;
    case cudaDevAttrCanMapHostMemory: *value = p.canMapHostMemory; break;
    case cudaDevAttrConcurrentKernels: *value = p.concurrentKernels; break;
    case cudaDevAttrManagedMemory: *value = p.managedMemory; break;
    case cudaDevAttrCooperativeLaunch: *value = p.cooperativeLaunch; break;
    case cudaDevAttrMaxPitch: *value = (int)p.memPitch; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrTextureAlignment: *value = (int)p.textureAlignment; break;
    case cudaDevAttrGpuOverlap: *value = p.deviceOverlap; break;
    case cudaDevAttrKernelExecTimeout: *value = p.kernelExecTimeoutEnabled; break;
    case cudaDevAttrComputeMode: *value = p.computeMode; break;
    case cudaDevAttrSurfaceAlignment: *value = (int)p.surfaceAlignment; break;
    case cudaDevAttrEccEnabled: *value = p.ECCEnabled; break;
    case cudaDevAttrPciBusId: *value = p.pciBusID; break;
    case cudaDevAttrPciDeviceId: *value = p.pciDeviceID; break;
    case cudaDevAttrTccDriver: *value = p.tccDriver; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
    case cudaDevAttrPciDomainId: *value = p.pciDomainID; break;
    case cudaDevAttrStreamPrioritiesSupported: *value = p.streamPrioritiesSupported; break;
    case cudaDevAttrGlobalL1CacheSupported: *value = p.globalL1CacheSupported; break;
    case cudaDevAttrLocalL1CacheSupported: *value = p.localL1CacheSupported; break;
    case cudaDevAttrIsMultiGpuBoard: *value = p.isMultiGpuBoard; break;
    case cudaDevAttrHostNativeAtomicSupported: *value = p.hostNativeAtomicSupported; break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
        *value = p.singleToDoublePrecisionPerfRatio;
        break;
    case cudaDevAttrPageableMemoryAccess: *value = p.pageableMemoryAccess; break;
    case cudaDevAttrConcurrentManagedAccess: *value = p.concurrentManagedAccess; break;
    case cudaDevAttrComputePreemptionSupported: *value = p.computePreemptionSupported; break;
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
        *value = p.pageableMemoryAccessUsesHostPageTables;
        break;
    case cudaDevAttrDirectManagedMemAccessFromHost:
        *value = p.directManagedMemAccessFromHost;
        break;
    case cudaDevAttrMaxPersistingL2CacheSize: *value = p.persistingL2CacheMaxSize; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = (int)p.reservedSharedMemPerBlock; break;
#define ROW(name, value) case name:
        CUDART_ABSENT_ATTRIBUTES(ROW)
#undef ROW
        *value = 0;
        break;
    default:
        return cudart_done(cudart_because(
            cudaErrorInvalidValue, "the simulated device has no attribute %d", (int)attribute));
    }
    return cudaSuccess;
}
