/*
 * hints.c: calls that tell a GPU's driver how, not what: limits, cache preferences, priorities,
 * profilers, choosing among devices; and host functions in a stream, which are called at once,
 * since what stands before them has ended.
 */
#include <string.h>

#include "state.h"

static size_t limits[] = { [cudaLimitStackSize] = 1024,
                           [cudaLimitPrintfFifoSize] = 1 << 20,
                           [cudaLimitMallocHeapSize] = 8 << 20,
                           [cudaLimitDevRuntimeSyncDepth] = 2,
                           [cudaLimitDevRuntimePendingLaunchCount] = 2048,
                           [cudaLimitMaxL2FetchGranularity] = 64,
                           [cudaLimitPersistingL2CacheSize] = 0 };

static cudaError_t check_limit(enum cudaLimit limit)
{
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess && (unsigned)limit >= sizeof limits / sizeof *limits)
        error = cudart_because(cudaErrorUnsupportedLimit, "the simulated device has no limit %d",
                               (int)limit);
    return error;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    CUDART_TURN();
    cudaError_t error = check_limit(limit);
    if (error == cudaSuccess)
        limits[limit] = value;
    return cudart_done(error);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    CUDART_TURN();
    cudaError_t error = check_limit(limit);
    if (error == cudaSuccess && !value)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *value = limits[limit];
    return cudart_done(error);
}

static enum cudaFuncCache cache_config = cudaFuncCachePreferNone;

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    CUDART_TURN();
    if ((unsigned)config > cudaFuncCachePreferEqual)
        return cudart_done(cudaErrorInvalidValue);
    cache_config = config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    CUDART_TURN();
    if (!config)
        return cudart_done(cudaErrorInvalidValue);
    *config = cache_config;
    return cudaSuccess;
}

/* As on every GPU since Maxwell, banks stay 4 bytes wide. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    CUDART_TURN();
    return cudart_done((unsigned)config <= cudaSharedMemBankSizeEightByte ? cudaSuccess
                                                                          : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    CUDART_TURN();
    if (!config)
        return cudart_done(cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

static cudaError_t check_function(const void *function, bool config_is_known)
{
    cudart_function *f;
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess)
        error = cudart_find_function(function, &f);
    if (error == cudaSuccess && !config_is_known)
        error = cudaErrorInvalidValue;
    return cudart_done(error);
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    CUDART_TURN();
    return check_function(function, (unsigned)config <= cudaFuncCachePreferEqual);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
    CUDART_TURN();
    return check_function(function, (unsigned)config <= cudaSharedMemBankSizeEightByte);
}

/* ---- peers: any GPU can, as where NVLink or one bus joins them ------------------------------- */

static bool enabled[SIMT_MAX_GPUS][SIMT_MAX_GPUS];
static unsigned enabled_in; /* the device, as cudart.generation counts them */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    CUDART_TURN();
    if (!can)
        return cudart_done(cudaErrorInvalidValue);
    cudaError_t error = cudart_check_gpu(device);
    if (error == cudaSuccess)
        error = cudart_check_gpu(peer);
    if (error == cudaSuccess)
        *can = device != peer;
    return cudart_done(error);
}

static cudaError_t set_peer(int peer, bool may)
{
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess)
        error = cudart_check_gpu(peer);
    if (error == cudaSuccess && (unsigned)peer == cudart_gpu)
        error = cudart_because(cudaErrorInvalidDevice, "a device is not its own peer");
    if (error != cudaSuccess)
        return cudart_done(error);
    if (enabled_in != cudart.generation)
        memset(enabled, 0, sizeof enabled);
    enabled_in = cudart.generation;
    if (enabled[cudart_gpu][peer] == may)
        return cudart_done(cudart_advise(
            cudart_because(may ? cudaErrorPeerAccessAlreadyEnabled : cudaErrorPeerAccessNotEnabled,
                           "device %u %s use the memory of device %d", cudart_gpu,
                           may ? "may already" : "may not", peer),
            may ? "that access is there already is no mistake, but the error stays until somebody "
                  "asks: take it away with cudaGetLastError()"
                : "enable access before you take it back"));
    error = cudart_back_let_peer(cudart_gpu, (unsigned)peer, may);
    enabled[cudart_gpu][peer] = error == cudaSuccess ? may : !may;
    return cudart_done(error);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    CUDART_TURN();
    return flags ? cudart_done(cudaErrorInvalidValue) : set_peer(peer, true);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    CUDART_TURN();
    return set_peer(peer, false);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    CUDART_TURN();
    if (least)
        *least = 0;
    if (greatest)
        *greatest = 0;
    return cudart_done(cudart_wait());
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    CUDART_TURN();
    if (!device || !wanted)
        return cudart_done(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

/* The device is on no bus; programs print the name, and ask for the device by it. */
static const char bus_id[] = "0000:00:00.0";

cudaError_t cudaDeviceGetPCIBusId(char *name, int room, int device)
{
    CUDART_TURN();
    if (!name || room < (int)sizeof bus_id)
        return cudart_done(cudaErrorInvalidValue);
    if (device != 0)
        return cudart_done(cudaErrorInvalidDevice);
    memcpy(name, bus_id, sizeof bus_id);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *name)
{
    CUDART_TURN();
    if (!device || !name)
        return cudart_done(cudaErrorInvalidValue);
    if (strcmp(name, bus_id) != 0)
        return cudart_done(cudaErrorInvalidDevice);
    *device = 0;
    return cudaSuccess;
}

/* ---- the pool of cudaMallocAsync: it keeps nothing, so its attributes change nothing --------- */

static struct CUmemPoolHandle_st {
    uint64_t threshold;
    int reuse[3]; /* by events, opportunistic, by dependencies */
} pool = { 0, { 1, 1, 1 } };

static cudaError_t check_pool(cudaMemPool_t which, const void *value)
{
    return which == &pool && value ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *which, int device)
{
    CUDART_TURN();
    if (!which)
        return cudart_done(cudaErrorInvalidValue);
    if (device != 0)
        return cudart_done(cudaErrorInvalidDevice);
    *which = &pool;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *which, int device)
{
    return cudaDeviceGetDefaultMemPool(which, device);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t which)
{
    CUDART_TURN();
    return cudart_done(device ? cudaErrorInvalidDevice : check_pool(which, &which));
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t which, size_t bytes)
{
    CUDART_TURN();
    return cudart_done(check_pool(which, &bytes));
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t which, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    CUDART_TURN();
    cudaError_t error = check_pool(which, value);
    if (error == cudaSuccess && attribute == cudaMemPoolAttrReleaseThreshold)
        pool.threshold = *(const uint64_t *)value;
    else if (error == cudaSuccess && attribute >= cudaMemPoolReuseFollowEventDependencies &&
             attribute <= cudaMemPoolReuseAllowInternalDependencies)
        pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *(const int *)value;
    else if (error == cudaSuccess && attribute != cudaMemPoolAttrReservedMemHigh &&
             attribute != cudaMemPoolAttrUsedMemHigh)
        error = cudaErrorInvalidValue;
    return cudart_done(error);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t which, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    CUDART_TURN();
    cudaError_t error = check_pool(which, value);
    if (error == cudaSuccess && attribute >= cudaMemPoolReuseFollowEventDependencies &&
        attribute <= cudaMemPoolReuseAllowInternalDependencies)
        *(int *)value = pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
    else if (error == cudaSuccess && attribute == cudaMemPoolAttrReleaseThreshold)
        *(uint64_t *)value = pool.threshold;
    else if (error == cudaSuccess)
        error = cudart_because(cudaErrorNotSupported,
                               "how much of a pool is in use is not counted: cudaMemGetInfo");
    return cudart_done(error);
}

cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

/* ---- streams --------------------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    CUDART_TURN();
    (void)priority; /* outside of the range it is clamped, as CUDA does */
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && !priority)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *priority = 0;
    return cudart_done(error);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && !flags)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        const cudart_handle *made = cudart_find_handle(stream, CUDART_STREAM);
        *flags = made ? made->flags : cudaStreamDefault;
    }
    return cudart_done(error);
}

/* The stream's own, or the default one's. */
static cudart_handle *hinted(cudaStream_t stream)
{
    static cudart_handle of_default;
    cudart_handle *made = cudart_find_handle(stream, CUDART_STREAM);
    return made ? made : &of_default;
}

/* CUDA's rules for a window: a part of 0 to 1 hits, and what misses does not stay. */
static bool is_window(const struct cudaAccessPolicyWindow *w)
{
    return w->hitRatio >= 0 && w->hitRatio <= 1 && w->hitProp <= cudaAccessPropertyPersisting &&
           w->missProp <= cudaAccessPropertyStreaming;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue *value)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && (!value || (attribute == cudaStreamAttributeAccessPolicyWindow &&
                                            !is_window(&value->accessPolicyWindow))))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && attribute == cudaStreamAttributeAccessPolicyWindow)
        hinted(stream)->hints.window = value->accessPolicyWindow;
    else if (error == cudaSuccess && attribute == cudaStreamAttributeSynchronizationPolicy)
        hinted(stream)->hints.policy = value->syncPolicy;
    else if (error == cudaSuccess && attribute != cudaStreamAttributePriority)
        error = cudart_because(cudaErrorInvalidValue, "streams have no attribute %d here",
                               (int)attribute);
    return cudart_done(error);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue *value)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && !value)
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return cudart_done(error);
    const cudart_handle *h = hinted(stream);
    if (attribute == cudaStreamAttributeAccessPolicyWindow)
        value->accessPolicyWindow = h->hints.window;
    else if (attribute == cudaStreamAttributeSynchronizationPolicy)
        value->syncPolicy = h->hints.policy ? h->hints.policy : cudaSyncPolicyAuto;
    else if (attribute == cudaStreamAttributePriority)
        value->priority = 0;
    else
        error = cudaErrorInvalidValue;
    return cudart_done(error);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(to, &run);
    if (error == cudaSuccess)
        error = cudart_enqueue(from, &run);
    if (error == cudaSuccess)
        hinted(to)->hints = hinted(from)->hints;
    return cudart_done(error);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    CUDART_TURN();
    return cudart_done(cudart_wait());
}

/* It tells the host, if it likes, that the stream has come there: so that is a wait. */
static void call_later(cudaStream_t stream, const cudart_host_call *call)
{
    cudart_keep_host(false);
    cudart_back_wait(CUDART_ASIDE);
    cudart_order_waits(stream);
    cudart_call_later(call);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && !function)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && run) {
        const cudart_host_call call = { .function = function, .user = user };
        call_later(stream, &call);
    }
    return cudart_done(error);
}

/* As CUDA says, the callback comes after a fault too, and gets its code. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *user,
                                  unsigned int flags)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && (!function || flags))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        const cudart_host_call call = {
            .callback = function, .stream = stream, .status = cudart.pending, .user = user
        };
        call_later(stream, &call);
    }
    return cudart_done(error);
}
