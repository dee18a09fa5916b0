/*
 * launch.c: <<<...>>>, function attributes, occupancy. Why a launch may be refused, and which error
 * a fault becomes: back_code.c.
 *
 * clang compiles f<<<grid, block, shared, stream>>>(...) to __cudaPushCallConfiguration, then f's
 * host stub, which pops the configuration again and calls cudaLaunchKernel with pointers to the
 * arguments. So the code that launches is the caller of the first of the three.
 */
#include <string.h>

#include "state.h"

/* ---- call configurations --------------------------------------------------------------------- */

typedef struct configuration {
    dim3 grid, block;
    size_t dynamic_shared;
    void *stream;
    uint64_t from; /* the code that launches: cudart_launch */
} configuration;

enum { MAX_PENDING_CALLS = 16 }; /* a launch among the arguments of a launch nests */
static _Thread_local configuration pending_calls[MAX_PENDING_CALLS];
static _Thread_local unsigned pending_count;
static _Thread_local uint64_t popped_from; /* of the one popped last, until its launch; 0: none */

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *dynamic_shared,
                                       void *stream);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_shared, void *stream)
{
    if (pending_count == MAX_PENDING_CALLS)
        return 1; /* the stub is not called */
    pending_calls[pending_count++] =
        (configuration){ grid, block, dynamic_shared, stream, CUDART_CALLER() };
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *dynamic_shared,
                                       void *stream)
{
    if (pending_count == 0)
        return cudart_done(cudaErrorMissingConfiguration);
    const configuration *top = &pending_calls[--pending_count];
    *grid = top->grid;
    *block = top->block;
    *dynamic_shared = top->dynamic_shared;
    memcpy(stream, &top->stream, sizeof top->stream);
    popped_from = top->from;
    return cudaSuccess;
}

/* ---- launches -------------------------------------------------------------------------------- */

enum { MOST_PARAMETERS = 32764 }; /* bytes: CUDA 12.1 and later, from compute capability 7.0 on */

/* Who calls cudaLaunchKernel has the error in hand; what <<<...>>> returns, nobody sees. */
static cudaError_t was_refused(cudaError_t error, bool by_call)
{
    cudart_mine.refused = error;
    if (by_call)
        cudart_checked(error);
    return error;
}

/* A launch that the device never gets: whoever watches is notified. */
static cudaError_t refuse(cudaError_t error, const void *function, dim3 grid, dim3 block,
                          uint64_t from, bool by_call)
{
    const simt_dim blocks = { grid.x, grid.y, grid.z }, threads = { block.x, block.y, block.z };
    const char *name = cudart_function_name(function);
    (void)cudart_done(error);
    if (cudart.sticky == cudaSuccess)
        cudart_back_refused(name ? name : "no kernel", &blocks, &threads, from);
    return was_refused(error, by_call);
}

/* A parameter points to memory that the host may write while the kernel is at work. */
static bool host_may_write(const unsigned char *params, size_t bytes)
{
    const void *pointer;
    for (size_t at = 0; at + sizeof pointer <= bytes; at += sizeof pointer) {
        memcpy(&pointer, params + at, sizeof pointer);
        if (cudart_kernels_may_use(pointer) || cudart_common_kind(pointer) == CUDART_MAPPED)
            return true;
    }
    return false;
}

static cudaError_t launch(const void *function, dim3 grid, dim3 block, void **arguments,
                          size_t dynamic_shared, cudaStream_t stream, bool cooperative,
                          uint64_t caller)
{
    const bool by_call = !popped_from;
    const uint64_t from = by_call ? caller : popped_from;
    /* static, as a caller's stack may be small; in the turn, which is held until they are used */
    static unsigned char params[MOST_PARAMETERS];
    cudart_function *f = NULL;
    bool ready;
    popped_from = 0;
    cudart_call_now();
    cudaError_t error = cudart_enqueue(stream, &ready);
    const cudart_handle *of = cudart_find_handle(stream, CUDART_STREAM);
    if (error == cudaSuccess && of && of->gpu != cudart_gpu)
        error = cudart_because(cudaErrorInvalidResourceHandle,
                               "the stream was made on device %u, and device %u is the current "
                               "one: call cudaSetDevice(%u) before the launch",
                               of->gpu, cudart_gpu, of->gpu);
    if (error == cudaSuccess && ready)
        error = cudart_find_function(function, &f);
    if (error != cudaSuccess)
        return refuse(error, function, grid, block, from, by_call);
    if (!ready)
        return cudart_done(cudaSuccess);
    const cudart_kernel *k = &f->kernel;
    if (k->params > sizeof k->param_size / sizeof *k->param_size)
        return refuse(cudart_because(cudaErrorInvalidValue,
                                     "the kernel has %u parameters, and at "
                                     "most %zu are simulated",
                                     k->params, sizeof k->param_size / sizeof *k->param_size),
                      function, grid, block, from, by_call);
    if (k->param_bytes > sizeof params)
        return refuse(cudart_because(cudaErrorInvalidValue,
                                     "the kernel has %zu bytes of parameters: there may be %zu",
                                     k->param_bytes, sizeof params),
                      function, grid, block, from, by_call);
    memset(params, 0, k->param_bytes);
    for (unsigned i = 0; i < k->params; i++)
        memcpy(params + k->param_offset[i], arguments[i], k->param_size[i]);
    const cudart_launch wanted = {
        .handle = k->handle,
        .grid = { grid.x, grid.y, grid.z },
        .block = { block.x, block.y, block.z },
        .dynamic_shared = dynamic_shared,
        .params = params,
        .param_bytes = k->param_bytes,
        .cooperative = cooperative,
        .stream = cudart_order_number(stream),
        .from = from,
    };
    error = cudart_back_may_wait(k->handle) && host_may_write(params, k->param_bytes)
                ? cudart_launch_aside(&wanted)
                : cudart_back_launch(&wanted);
    if (error == cudaSuccess)
        cudart_keep_host(true);
    (void)cudart_done(error);
    return error == cudaSuccess ? error : was_refused(error, by_call);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t dynamic_shared, cudaStream_t stream)
{
    CUDART_TURN();
    return launch(function, grid, block, arguments, dynamic_shared, stream, false, CUDART_CALLER());
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t dynamic_shared,
                                        cudaStream_t stream)
{
    CUDART_TURN();
    return launch(function, grid, block, arguments, dynamic_shared, stream, true, CUDART_CALLER());
}

/* What nvcc 13 compiles <<<...>>> to: a handle first, which here is the stub itself. */
cudaError_t __cudaGetKernel(const void **kernel, const void *function);
cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                               size_t dynamic_shared, cudaStream_t stream);

cudaError_t __cudaGetKernel(const void **kernel, const void *function)
{
    *kernel = function;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                               size_t dynamic_shared, cudaStream_t stream)
{
    CUDART_TURN();
    return launch(kernel, grid, block, arguments, dynamic_shared, stream, false, CUDART_CALLER());
}

static cudaError_t take_attribute(const cudaLaunchAttribute *a, bool *cooperative)
{
    switch (a->id) {
    /* Those from here on ask how caches, the scheduler and later launches behave: not simulated. */
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributePreferredSharedMemoryCarveout: return cudaSuccess;
    case cudaLaunchAttributeCooperative: *cooperative = a->val.cooperative != 0; return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        if (a->val.clusterDim.x == 1 && a->val.clusterDim.y == 1 && a->val.clusterDim.z == 1)
            return cudaSuccess;
        return cudart_because(
            cudaErrorNotSupported,
            "a cluster of %u x %u x %u blocks: clusters of several blocks are not simulated",
            a->val.clusterDim.x, a->val.clusterDim.y, a->val.clusterDim.z);
    }
    return cudart_because(cudaErrorNotSupported, "the launch attribute %d is not simulated",
                          (int)a->id);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments)
{
    CUDART_TURN();
    bool cooperative = false;
    cudaError_t error =
        config && (config->attrs || !config->numAttrs) ? cudaSuccess : cudaErrorInvalidValue;
    for (unsigned i = 0; error == cudaSuccess && i < config->numAttrs; i++)
        error = take_attribute(&config->attrs[i], &cooperative);
    if (error != cudaSuccess)
        return cudart_done(error);
    return launch(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                  config->stream, cooperative, CUDART_CALLER());
}

/* ---- functions ------------------------------------------------------------------------------- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    CUDART_TURN();
    cudart_function *f;
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess)
        error = attributes ? cudart_find_function(function, &f) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = cudart_back_attributes(f->kernel.handle, attributes);
    if (error == cudaSuccess)
        attributes->ptxVersion = (int)cudart_module_target(f);
    return cudart_done(error);
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    CUDART_TURN();
    cudart_function *f;
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess)
        error = cudart_find_function(function, &f);
    if (error != cudaSuccess)
        return cudart_done(error);
    /* a hint about a cache that is not simulated */
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return cudart_done(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0)
        return cudart_done(cudaErrorInvalidValue);
    return cudart_done(cudart_back_set_dynamic(f->kernel.handle, value));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int block_size, size_t dynamic_shared)
{
    CUDART_TURN();
    cudart_function *f;
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess)
        error =
            blocks && block_size > 0 ? cudart_find_function(function, &f) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error =
            cudart_back_occupancy(f->kernel.handle, (unsigned)block_size, dynamic_shared, blocks);
    return cudart_done(error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int block_size, size_t dynamic_shared, unsigned int flags)
{
    CUDART_TURN();
    if (flags > 1)
        return cudart_done(cudaErrorInvalidValue);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size,
                                                         dynamic_shared);
}

/* The most with which so many blocks are still resident: occupancy falls as it grows. */
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                      int blocks, int block_size)
{
    CUDART_TURN();
    struct cudaDeviceProp p;
    if (!bytes || blocks < 1)
        return cudart_done(cudaErrorInvalidValue);
    cudaError_t error = cudaGetDeviceProperties(&p, 0);
    size_t least = 0, most = error == cudaSuccess ? p.sharedMemPerBlockOptin + 1 : 1;
    while (error == cudaSuccess && most - least > 1) { /* least is fine, most is too much */
        const size_t middle = least + (most - least) / 2;
        int resident = 0;
        error =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, function, block_size, middle);
        if (resident >= blocks)
            least = middle;
        else
            most = middle;
    }
    if (error == cudaSuccess)
        *bytes = least;
    return error;
}

cudaError_t scanlab_occupancy_max_potential_block_size(int *min_grid_size, int *block_size,
                                                       const void *function, size_t dynamic_shared,
                                                       int block_size_limit)
{
    CUDART_TURN();
    cudart_function *f;
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess)
        error = min_grid_size && block_size ? cudart_find_function(function, &f)
                                            : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = cudart_back_best_block(f->kernel.handle, dynamic_shared,
                                       block_size_limit > 0 ? (unsigned)block_size_limit : 0,
                                       block_size, min_grid_size);
    return cudart_done(error);
}
