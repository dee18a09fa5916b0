/*
 * device.c: opening and replacing the simulated device, waiting for it, and what it says about
 * itself.
 *
 * Properties come from simt_device_limits; what the engine does not model (clocks, buses, caches)
 * is not among them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* ---- the device ------------------------------------------------------------------------------ */

static struct {
    char *text;
    size_t bytes, room;
} printed;

simt_device *cudart_device(void)
{
    if (cudart.device)
        return cudart.device;
    if (!cudart.configured)
        cudart.config = simt_default_config();
    cudart.configured = true;
    simt_status status = simt_open(&cudart.config, &cudart.device);
    if (status != SIMT_OK) {
        cudart.device = NULL;
        cudart_because(cudaErrorInitializationError, "the simulated device cannot be opened: %s",
                       status == SIMT_NO_MEMORY
                           ? "the host has not enough address space; set simt_config.memory lower"
                           : "its configuration is not valid");
        return NULL;
    }
    cudart.generation++;
    return cudart.device;
}

void cudart_close_device(void)
{
    if (cudart.closes && cudart.device)
        cudart.closes(cudart.device);
    cudart_forget_common();
    simt_close(cudart.device);
    cudart.device = NULL;
    printed.bytes = 0;
}

bool cudart_open(const simt_config *config)
{
    cudart_close_device();
    cudart_forget();
    cudart.config = *config;
    cudart.configured = true;
    return cudart_device() != NULL;
}

bool cudart_configure(const simt_config *config)
{
    size_t memory = cudart.configured ? cudart.config.memory : config->memory;
    cudart.config = *config;
    cudart.config.memory = memory;
    cudart.configured = true;
    if (!cudart.device)
        return cudart_device() != NULL;
    return cudart_from_simt(simt_configure(cudart.device, &cudart.config)) == cudaSuccess;
}

void cudart_observe(cudart_observer *observer, void *user)
{
    cudart.observer = observer;
    cudart.observer_user = user;
}

void cudart_observe_device(cudart_begins *begins, cudart_closes *closes)
{
    cudart.begins = begins;
    cudart.closes = closes;
}

void cudart_set_config(const simt_config *config)
{
    cudart.config = *config;
    cudart.configured = true;
}

/* ---- waiting --------------------------------------------------------------------------------- */

void cudart_print_later(const char *text, size_t bytes)
{
    if (printed.bytes + bytes > printed.room) {
        size_t room = 2 * (printed.bytes + bytes);
        char *grown = realloc(printed.text, room);
        if (!grown)
            return; /* as a GPU does when its printf buffer is full: the rest is lost */
        printed.text = grown;
        printed.room = room;
    }
    if (bytes)
        memcpy(printed.text + printed.bytes, text, bytes);
    printed.bytes += bytes;
}

static void print_now(void)
{
    if (printed.bytes)
        fwrite(printed.text, 1, printed.bytes, stdout);
    printed.bytes = 0;
}

cudaError_t cudart_wait(void)
{
    print_now();
    cudart_keep_host(false);
    if (cudart.pending != cudaSuccess)
        cudart.sticky = cudart.pending;
    cudart.pending = cudaSuccess;
    if (cudart.sticky != cudaSuccess)
        return cudart.sticky;
    return cudart_device() ? cudaSuccess : cudaErrorInitializationError;
}

cudaError_t cudart_enqueue(cudaStream_t stream, bool *run)
{
    *run = false;
    if (cudart.sticky != cudaSuccess)
        return cudart.sticky;
    if (!cudart_device())
        return cudaErrorInitializationError;
    if (!cudart_is_stream(stream))
        return cudart_because(cudaErrorInvalidResourceHandle,
                              "the stream %p was not made by cudaStreamCreate, or is destroyed",
                              (void *)stream);
    *run = cudart.pending == cudaSuccess;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) { return cudart_done(cudart_wait()); }

cudaError_t cudaDeviceReset(void)
{
    print_now();
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
