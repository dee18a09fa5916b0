/*
 * launch.c: <<<...>>>, why a launch may be refused, which error a fault becomes, function
 * attributes, occupancy.
 *
 * clang compiles f<<<grid, block, shared, stream>>>(...) to __cudaPushCallConfiguration, then f's
 * host stub, which pops the configuration again and calls cudaLaunchKernel with pointers to the
 * arguments.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* ---- call configurations --------------------------------------------------------------------- */

typedef struct configuration {
    dim3 grid, block;
    size_t dynamic_shared;
    void *stream;
} configuration;

enum { MAX_PENDING_CALLS = 16 }; /* a launch among the arguments of a launch nests */
static configuration pending_calls[MAX_PENDING_CALLS];
static unsigned pending_count;

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *dynamic_shared,
                                       void *stream);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_shared, void *stream)
{
    if (pending_count == MAX_PENDING_CALLS)
        return 1; /* the stub is not called */
    pending_calls[pending_count++] = (configuration){ grid, block, dynamic_shared, stream };
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
    return cudaSuccess;
}

/* ---- checks before a launch ------------------------------------------------------------------ */

static size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

/* Registers are handed to warps in units of 256 (CUDA Occupancy Calculator, compute capability
   7.5). */
static unsigned warps_by_registers(const cudart_function *f, unsigned registers)
{
    size_t per_warp = round_up((size_t)f->info.registers * 32, 256);
    return per_warp ? (unsigned)(registers / per_warp) : registers / 256;
}

static unsigned max_threads(const cudart_function *f)
{
    const simt_limits *limits = simt_device_limits();
    unsigned by_registers = 32 * warps_by_registers(f, limits->registers_per_block);
    unsigned threads = f->info.max_threads < limits->max_threads_per_block
                           ? f->info.max_threads
                           : limits->max_threads_per_block;
    return threads < by_registers ? threads : by_registers;
}

static size_t max_dynamic_shared(const cudart_function *f)
{
    size_t room = simt_device_limits()->shared_per_block;
    room = f->info.static_shared < room ? room - f->info.static_shared : 0;
    return f->max_dynamic_shared && f->max_dynamic_shared < room ? f->max_dynamic_shared : room;
}

static bool fits(simt_dim dim, const unsigned limit[3])
{
    return dim.x && dim.y && dim.z && dim.x <= limit[0] && dim.y <= limit[1] && dim.z <= limit[2];
}

static cudaError_t check_launch(const cudart_function *f, simt_dim grid, simt_dim block,
                                size_t dynamic_shared)
{
    const simt_limits *limits = simt_device_limits();
    unsigned long long threads = (unsigned long long)block.x * block.y * block.z;
    if (!fits(block, limits->max_block) || threads > limits->max_threads_per_block)
        return cudart_advise(
            cudart_because(
                cudaErrorInvalidConfiguration,
                "a block of %u x %u x %u threads: a block has 1 to %u threads, at most %u x %u x "
                "%u",
                block.x, block.y, block.z, limits->max_threads_per_block, limits->max_block[0],
                limits->max_block[1], limits->max_block[2]),
            threads ? "a launch is <<<blocks, threads>>>, the number of blocks first: are the two "
                      "swapped? What is more than a block can do is for more blocks"
                    : "a launch is <<<blocks, threads>>>: the number of threads comes out as 0");
    if (!fits(grid, limits->max_grid))
        return cudart_advise(
            cudart_because(
                cudaErrorInvalidConfiguration,
                "a grid of %u x %u x %u blocks: each must be at least 1, and at most %u, "
                "%u, %u",
                grid.x, grid.y, grid.z, limits->max_grid[0], limits->max_grid[1],
                limits->max_grid[2]),
            grid.x && grid.y && grid.z
                ? "only the first number of a grid may be larger than 65535: count the blocks in x"
                : "the number of blocks comes out as 0: round the division up, (n + T - 1) / T for "
                  "T elements a block, and launch nothing where there is nothing to do");
    if (dynamic_shared > max_dynamic_shared(f))
        return cudart_advise(
            cudart_because(cudaErrorInvalidValue,
                           "%zu bytes of dynamic shared memory asked for; beside %zu static ones "
                           "the kernel may have %zu",
                           dynamic_shared, f->info.static_shared, max_dynamic_shared(f)),
            "a launch is <<<blocks, threads, bytes, stream>>>: the third number is the bytes of "
            "the block's extern __shared__ array");
    if (threads > f->info.max_threads)
        return cudart_because(cudaErrorInvalidValue,
                              "a block of %llu threads; this kernel's __launch_bounds__ allow %u",
                              threads, f->info.max_threads);
    if (threads > max_threads(f))
        return cudart_because(cudaErrorLaunchOutOfResources,
                              "a block of %llu threads; this kernel's registers allow %u", threads,
                              max_threads(f));
    return cudaSuccess;
}

static unsigned resident_blocks(const cudart_function *f, unsigned block_size,
                                size_t dynamic_shared)
{
    if (block_size == 0 || block_size > max_threads(f) || dynamic_shared > max_dynamic_shared(f))
        return 0;
    return simt_blocks_per_multiprocessor(cudart.device, f->info.function, block_size,
                                          dynamic_shared);
}

static unsigned multiprocessors(void)
{
    simt_limits facts;
    simt_facts(cudart.device, &facts);
    return facts.multiprocessors;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* "_Z4scanPKfPfi" -> "scan"; other names as they are. */
static void plain_name(const char *mangled, char *name, size_t room)
{
    char *rest;
    if (strncmp(mangled, "_Z", 2) == 0 && isdigit((unsigned char)mangled[2])) {
        unsigned long length = strtoul(mangled + 2, &rest, 10);
        if (length <= strlen(rest)) {
            snprintf(name, room, "%.*s", (int)length, rest);
            return;
        }
    }
    snprintf(name, room, "%s", mangled);
}

static cudaError_t fault_code(const simt_report *report)
{
    for (unsigned i = report->findings; i-- > 0;)
        if (report->finding[i].fatal)
            return (cudaError_t)cudart_fault_code(report->finding[i].kind);
    return cudaErrorLaunchFailure;
}

static cudaError_t run(const cudart_function *f, const simt_launch_args *args, cudaError_t refused)
{
    /* static, as 45 KB are too large for a caller's stack, whose size is unknown */
    static simt_report report;
    char kernel[64];
    plain_name(f->name, kernel, sizeof kernel);
    memset(&report, 0, sizeof report);
    if (cudart.begins && refused == cudaSuccess)
        cudart.begins(kernel, cudart.device);
    simt_status status =
        refused != cudaSuccess ? SIMT_BAD_LAUNCH : simt_launch(cudart.device, args, &report);
    cudaError_t error = refused;
    if (refused == cudaSuccess)
        cudart_keep_host(true);
    cudart_order_launched(status == SIMT_OK);
    if (status == SIMT_FAULT)
        cudart.pending = fault_code(&report);
    else if (status != SIMT_OK && refused == cudaSuccess)
        error = cudart_because(status == SIMT_BAD_LAUNCH ? cudaErrorInvalidConfiguration
                                                         : cudaErrorLaunchOutOfResources,
                               "%s", simt_error(cudart.device));
    if (cudart.observer) {
        cudart.observer(cudart.observer_user, kernel, args, status, &report);
    } else {
        cudart_print_later(report.printed, report.printed_bytes);
        cudart_print_findings(kernel, &report);
    }
    return error;
}

static cudaError_t check_cooperative(const cudart_function *f, const simt_launch_args *a)
{
    unsigned long long blocks = (unsigned long long)a->grid.x * a->grid.y * a->grid.z;
    unsigned long long places =
        (unsigned long long)multiprocessors() *
        resident_blocks(f, a->block.x * a->block.y * a->block.z, a->dynamic_shared);
    if (blocks <= places)
        return cudaSuccess;
    return cudart_because(cudaErrorCooperativeLaunchTooLarge,
                          "a cooperative launch of %llu blocks; %llu can be resident at once",
                          blocks, places);
}

static cudaError_t launch(const void *function, dim3 grid, dim3 block, void **arguments,
                          size_t dynamic_shared, cudaStream_t stream, bool cooperative)
{
    unsigned char params[4096]; /* the most a kernel of this compute capability can have */
    cudart_function *f;
    bool ready;
    cudaError_t error = cudart_enqueue(stream, &ready);
    if (error == cudaSuccess && ready)
        error = cudart_find_function(function, &f);
    if (error != cudaSuccess || !ready)
        return cudart_done(error);
    simt_launch_args args = {
        .function = f->info.function,
        .grid = { grid.x, grid.y, grid.z },
        .block = { block.x, block.y, block.z },
        .dynamic_shared = dynamic_shared,
        .params = params,
        .param_bytes = f->info.param_bytes,
        .cooperative = cooperative,
    };
    if (f->info.param_bytes > sizeof params)
        return cudart_done(cudart_because(cudaErrorInvalidValue,
                                          "the kernel has more than %zu bytes of parameters",
                                          sizeof params));
    cudart.calls.elsewhere += stream && stream != cudaStreamLegacy;
    memset(params, 0, f->info.param_bytes);
    for (unsigned i = 0; i < f->info.params; i++)
        memcpy(params + f->info.param_offset[i], arguments[i], f->info.param_size[i]);
    cudart_order_begin(stream, NULL);
    error = check_launch(f, args.grid, args.block, dynamic_shared);
    if (error == cudaSuccess && cooperative)
        error = check_cooperative(f, &args);
    return cudart_done(run(f, &args, error));
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t dynamic_shared, cudaStream_t stream)
{
    return launch(function, grid, block, arguments, dynamic_shared, stream, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t dynamic_shared,
                                        cudaStream_t stream)
{
    return launch(function, grid, block, arguments, dynamic_shared, stream, true);
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
    return launch(kernel, grid, block, arguments, dynamic_shared, stream, false);
}

static cudaError_t take_attribute(const cudaLaunchAttribute *a, bool *cooperative)
{
    switch (a->id) {
    /* Those from here on ask how caches, the scheduler and later launches behave: not simulated. */
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
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
    bool cooperative = false;
    cudaError_t error =
        config && (config->attrs || !config->numAttrs) ? cudaSuccess : cudaErrorInvalidValue;
    for (unsigned i = 0; error == cudaSuccess && i < config->numAttrs; i++)
        error = take_attribute(&config->attrs[i], &cooperative);
    if (error != cudaSuccess)
        return cudart_done(error);
    return launch(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                  config->stream, cooperative);
}

/* ---- functions ------------------------------------------------------------------------------- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    cudart_function *f;
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess)
        error = attributes ? cudart_find_function(function, &f) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return cudart_done(error);
    const simt_limits *limits = simt_device_limits();
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = f->info.static_shared,
        .constSizeBytes = f->info.constant_bytes,
        .localSizeBytes = f->info.local_bytes,
        .maxThreadsPerBlock = (int)max_threads(f),
        .numRegs = (int)f->info.registers,
        .ptxVersion = (int)cudart_module_target(f),
        .binaryVersion = (int)(10 * limits->major + limits->minor),
        .maxDynamicSharedSizeBytes = (int)max_dynamic_shared(f),
        .preferredShmemCarveout = -1,
    };
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
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
    size_t set = f->max_dynamic_shared;
    f->max_dynamic_shared = 0;
    if ((size_t)value > max_dynamic_shared(f)) {
        f->max_dynamic_shared = set;
        return cudart_done(cudart_because(
            cudaErrorInvalidValue, "%d bytes of dynamic shared memory: a block has %zu in all",
            value, simt_device_limits()->shared_per_block));
    }
    f->max_dynamic_shared = (size_t)value;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int block_size, size_t dynamic_shared)
{
    cudart_function *f;
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess)
        error =
            blocks && block_size > 0 ? cudart_find_function(function, &f) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *blocks = (int)resident_blocks(f, (unsigned)block_size, dynamic_shared);
    return cudart_done(error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int block_size, size_t dynamic_shared, unsigned int flags)
{
    if (flags > 1)
        return cudart_done(cudaErrorInvalidValue);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size,
                                                         dynamic_shared);
}

/* The largest of the block sizes with which most threads are resident. */
cudaError_t scanlab_occupancy_max_potential_block_size(int *min_grid_size, int *block_size,
                                                       const void *function, size_t dynamic_shared,
                                                       int block_size_limit)
{
    cudart_function *f;
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess)
        error = min_grid_size && block_size ? cudart_find_function(function, &f)
                                            : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return cudart_done(error);
    unsigned size = max_threads(f), best = 0, best_blocks = 0;
    if (block_size_limit > 0 && (unsigned)block_size_limit < size)
        size = (unsigned)block_size_limit;
    for (; size > 0; size = (size - 1) / 32 * 32) {
        unsigned blocks = resident_blocks(f, size, dynamic_shared);
        if (blocks * size > best * best_blocks) {
            best = size;
            best_blocks = blocks;
        }
    }
    *block_size = (int)best;
    *min_grid_size = (int)(best_blocks * multiprocessors());
    return cudaSuccess;
}
