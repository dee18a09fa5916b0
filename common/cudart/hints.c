/*
 * hints.c: calls that tell a GPU's driver how, not what: limits, cache preferences, priorities,
 * profilers, choosing among devices; and host functions in a stream, which are called at once,
 * since what stands before them has ended.
 */
#include "state.h"

static size_t limits[] = { [cudaLimitStackSize] = 1024,
                           [cudaLimitPrintfFifoSize] = 1 << 20,
                           [cudaLimitMallocHeapSize] = 8 << 20 };

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

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    CUDART_TURN();
    if (!can)
        return cudart_done(cudaErrorInvalidValue);
    if (device != 0 || peer != 0)
        return cudart_done(cudart_because(cudaErrorInvalidDevice, "there is one device, number 0"));
    *can = 0;
    return cudaSuccess;
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

/* As CUDA says, the callback comes after a fault too, and is told of it. */
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
