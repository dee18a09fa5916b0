/*
 * back_code.c: modules, kernels and launches, in this process: why a launch may be refused, and
 * which error a fault becomes.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "back_state.h"

typedef struct kernel_info {
    simt_function_info info;
    size_t max_dynamic_shared; /* cudaFuncSetAttribute; 0: not set */
    unsigned module;
    char *name; /* in the PTX */
} kernel_info;

static struct {
    kernel_info *items;
    unsigned count, room;
    unsigned generation; /* of the device that they are of */
} kernels;               /* a handle is an index */

static void forget_older(void)
{
    if (kernels.generation == cudart.generation)
        return;
    for (unsigned i = 0; i < kernels.count; i++)
        free(kernels.items[i].name);
    kernels.count = 0;
    kernels.generation = cudart.generation;
}

static kernel_info *find(unsigned handle)
{
    forget_older();
    return handle < kernels.count ? &kernels.items[handle] : NULL;
}

static cudaError_t no_kernel(void)
{
    return cudart_because(cudaErrorInvalidDeviceFunction, "no kernel of this device");
}

cudaError_t cudart_back_load(const char *ptx, size_t bytes, const simt_managed *managed,
                             unsigned count, unsigned *module)
{
    simt_status status = simt_module_load_managed(cudart_on.device, ptx, bytes, "kernels.ptx",
                                                  managed, count, module);
    if (status == SIMT_OK)
        return cudaSuccess;
    return cudart_because(status == SIMT_NO_MEMORY ? cudaErrorMemoryAllocation
                                                   : cudaErrorInvalidPtx,
                          "%s", simt_error(cudart_on.device));
}

static cudaError_t adopt(unsigned module, const char *name, const simt_function_info *info,
                         unsigned *handle)
{
    if (kernels.count == kernels.room) {
        unsigned room = kernels.room ? 2 * kernels.room : 16;
        kernel_info *grown = realloc(kernels.items, room * sizeof *grown);
        if (!grown)
            return cudaErrorMemoryAllocation;
        kernels.items = grown;
        kernels.room = room;
    }
    char *own = strdup(name);
    if (!own)
        return cudaErrorMemoryAllocation;
    kernels.items[kernels.count] = (kernel_info){ .info = *info, .module = module, .name = own };
    *handle = kernels.count++;
    return cudaSuccess;
}

cudaError_t cudart_back_kernel(unsigned module, const char *name, cudart_kernel *kernel)
{
    simt_function_info info;
    unsigned at = 0;

    forget_older();
    if (simt_function(cudart_on.device, module, name, &info) != SIMT_OK)
        return cudart_because(cudaErrorInvalidDeviceFunction, "%s", simt_error(cudart_on.device));
    while (at < kernels.count &&
           !(kernels.items[at].module == module && strcmp(kernels.items[at].name, name) == 0))
        at++;
    cudaError_t error = at < kernels.count ? cudaSuccess : adopt(module, name, &info, &at);
    if (error != cudaSuccess)
        return error;
    *kernel =
        (cudart_kernel){ .handle = at, .params = info.params, .param_bytes = info.param_bytes };
    memcpy(kernel->param_offset, info.param_offset, sizeof info.param_offset);
    memcpy(kernel->param_size, info.param_size, sizeof info.param_size);
    return cudaSuccess;
}

cudaError_t cudart_back_symbol(unsigned module, const char *name, simt_addr *address, size_t *bytes)
{
    if (simt_symbol(cudart_on.device, module, name, address, bytes) == SIMT_OK)
        return cudaSuccess;
    return cudart_because(cudaErrorInvalidSymbol, "%s", simt_error(cudart_on.device));
}

/* ---- checks before a launch ------------------------------------------------------------------ */

static size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

/* Registers are handed to warps in units of 256 (CUDA Occupancy Calculator, compute capability
   7.5). */
static unsigned warps_by_registers(const kernel_info *f, unsigned registers)
{
    size_t per_warp = round_up((size_t)f->info.registers * 32, 256);
    return per_warp ? (unsigned)(registers / per_warp) : registers / 256;
}

static unsigned max_threads(const kernel_info *f)
{
    const simt_limits *limits = simt_device_limits();
    unsigned by_registers = 32 * warps_by_registers(f, limits->registers_per_block);
    unsigned threads = f->info.max_threads < limits->max_threads_per_block
                           ? f->info.max_threads
                           : limits->max_threads_per_block;
    return threads < by_registers ? threads : by_registers;
}

/* Beside the kernel's static bytes, of so many for a block. */
static size_t room_beside(const kernel_info *f, size_t bytes)
{
    return f->info.static_shared < bytes ? bytes - f->info.static_shared : 0;
}

static size_t max_dynamic_shared(const kernel_info *f)
{
    return f->max_dynamic_shared ? f->max_dynamic_shared
                                 : room_beside(f, simt_device_limits()->shared_per_block);
}

static bool fits(simt_dim dim, const unsigned limit[3])
{
    return dim.x && dim.y && dim.z && dim.x <= limit[0] && dim.y <= limit[1] && dim.z <= limit[2];
}

static const char *grid_advice(simt_dim grid, unsigned most)
{
    if (!grid.x || !grid.y || !grid.z)
        return "the number of blocks comes out as 0: round the division up, (n - 1) / T + 1 for T "
               "elements a block, and launch nothing where there is nothing to do";
    if (grid.x > most)
        return "the number of blocks is negative as an int: it has overflowed, as n + T - 1 does "
               "for the largest n; (n - 1) / T + 1 does not";
    return "only the first number of a grid may be larger than 65535: count the blocks in x";
}

static cudaError_t check_launch(const kernel_info *f, simt_dim grid, simt_dim block,
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
                      "swapped? For more work, launch more blocks"
                    : "a launch is <<<blocks, threads>>>: the number of threads comes out as 0");
    if (!fits(grid, limits->max_grid))
        return cudart_advise(
            cudart_because(
                cudaErrorInvalidConfiguration,
                "a grid of %u x %u x %u blocks: each must be at least 1, and at most %u, "
                "%u, %u",
                grid.x, grid.y, grid.z, limits->max_grid[0], limits->max_grid[1],
                limits->max_grid[2]),
            grid_advice(grid, limits->max_grid[0]));
    if (dynamic_shared > max_dynamic_shared(f))
        return cudart_advise(
            cudart_because(cudaErrorInvalidValue,
                           "%zu bytes of dynamic shared memory asked for; beside %zu static ones "
                           "the kernel may have %zu",
                           dynamic_shared, f->info.static_shared, max_dynamic_shared(f)),
            dynamic_shared <= room_beside(f, limits->shared_per_block_optin)
                ? "a launch is <<<blocks, threads, bytes, stream>>>; for more than 48 KiB a block, "
                  "call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, "
                  "bytes) before it"
                : "a launch is <<<blocks, threads, bytes, stream>>>: the third number is the bytes "
                  "of "
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

static unsigned resident_blocks(const kernel_info *f, unsigned block_size, size_t dynamic_shared)
{
    if (block_size == 0 || block_size > max_threads(f) || dynamic_shared > max_dynamic_shared(f))
        return 0;
    return simt_blocks_per_multiprocessor(cudart_on.device, f->info.function, block_size,
                                          dynamic_shared);
}

static unsigned multiprocessors(void)
{
    simt_limits facts;
    simt_facts(cudart_on.device, &facts);
    return facts.multiprocessors;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* "_Z4scanPKfPfi" -> "scan", "_ZN3app4scanEPf" -> "scan"; other names as they are. */
static void plain_name(const char *mangled, char *name, size_t room)
{
    const bool nested = strncmp(mangled, "_ZN", 3) == 0;
    char *rest = (char *)mangled + (nested ? 3 : 2);
    snprintf(name, room, "%s", mangled);
    if (strncmp(mangled, "_Z", 2) != 0)
        return;
    do {
        unsigned long length = isdigit((unsigned char)*rest) ? strtoul(rest, &rest, 10) : 0;
        if (!length || length > strlen(rest))
            return;
        snprintf(name, room, "%.*s", (int)length, rest);
        rest += length;
    } while (nested);
}

static cudaError_t fault_code(const simt_report *report)
{
    for (unsigned i = report->findings; i-- > 0;)
        if (report->finding[i].fatal)
            return (cudaError_t)cudart_fault_code(report->finding[i].kind);
    return cudaErrorLaunchFailure;
}

/* The launch has ended, or was refused, with that error. */
static cudaError_t ended(const char *kernel, const simt_launch_args *args, simt_status status,
                         cudaError_t refused, const simt_report *report)
{
    cudaError_t error = refused;
    if (refused == cudaSuccess)
        cudart_count_mapped();
    if (status == SIMT_FAULT && cudart.pending == cudaSuccess)
        cudart.pending = fault_code(report);
    else if (status != SIMT_OK && status != SIMT_FAULT && refused == cudaSuccess)
        error = cudart_because(status == SIMT_BAD_LAUNCH ? cudaErrorInvalidConfiguration
                                                         : cudaErrorLaunchOutOfResources,
                               "%s", simt_error(cudart_on.device));
    if (cudart_on.observer) {
        cudart_on.observer(cudart_on.observer_user, kernel, args, status, report);
    } else {
        cudart_print_later(report->printed, report->printed_bytes);
        cudart_print_findings(kernel, report);
    }
    return error;
}

static cudaError_t run(const char *kernel, const simt_launch_args *args, cudaError_t refused)
{
    /* static, as 45 KB are too large for a caller's stack, whose size is unknown */
    static simt_report report;
    memset(&report, 0, sizeof report);
    if (cudart_on.begins && refused == cudaSuccess)
        cudart_on.begins(kernel, cudart_on.device);
    simt_status status =
        refused != cudaSuccess ? SIMT_BAD_LAUNCH : simt_launch(cudart_on.device, args, &report);
    cudart_launch_ends();
    cudart_order_launched(status == SIMT_OK);
    return ended(kernel, args, status, refused, &report);
}

static bool has_fatal(const simt_report *r)
{
    for (unsigned i = 0; i < r->findings; i++)
        if (r->finding[i].fatal)
            return true;
    return false;
}

/* Of those that were stopped, only the ones with the fault have it; the others just ended. */
static void run_several(simt_launch_args *args, const cudart_queued *const *launches,
                        const unsigned *after, unsigned count)
{
    simt_group_launch group[SIMT_MAX_GROUP] = { 0 };
    simt_report *reports = calloc(count, sizeof *reports);
    for (unsigned i = 0; i < count; i++) {
        group[i] = (simt_group_launch){ .args = &args[i],
                                        .block_order = cudart_on.config.block_order,
                                        .after = after ? after[i] : 0 };
        if (cudart_on.begins)
            cudart_on.begins(launches[i]->kernel, cudart_on.device);
    }
    const simt_status status =
        reports ? simt_launch_group(cudart_on.device, group, count, reports) : SIMT_NO_MEMORY;
    cudart_order_launched(false);
    if (!reports && cudart.pending == cudaSuccess)
        cudart.pending = cudaErrorMemoryAllocation;
    for (unsigned i = 0; reports && i < count; i++) {
        const simt_status own = status == SIMT_FAULT && !has_fatal(&reports[i]) ? SIMT_OK : status;
        const cudaError_t error =
            ended(launches[i]->kernel, &args[i], own, cudaSuccess, &reports[i]);
        if (error != cudaSuccess && cudart.pending == cudaSuccess)
            cudart.pending = error;
    }
    free(reports);
}

static void run_together(const cudart_queued *const *launches, const unsigned *after,
                         unsigned count)
{
    simt_launch_args args[SIMT_MAX_GROUP];
    const bool alone = count == 1 || cudart_on.config.trace || cudart_on.config.excerpt;
    for (unsigned i = 0; i < count; i++) {
        args[i] = launches[i]->args;
        if (launches[i]->params)
            args[i].params = launches[i]->params;
    }
    if (!alone) {
        run_several(args, launches, after, count);
        return;
    }
    for (unsigned i = 0; i < count && cudart.pending == cudaSuccess; i++) {
        const cudaError_t error = run(launches[i]->kernel, &args[i], cudaSuccess);
        if (error != cudaSuccess)
            cudart.pending = error;
    }
}

void cudart_back_refused(const char *name, const simt_dim *grid, const simt_dim *block,
                         uint64_t from)
{
    static const simt_report nothing; /* static: large */
    const simt_launch_args args = { .grid = *grid, .block = *block, .from = from };
    char kernel[64];
    plain_name(name, kernel, sizeof kernel);
    if (cudart_on.observer)
        cudart_on.observer(cudart_on.observer_user, kernel, &args, SIMT_BAD_LAUNCH, &nothing);
}

static cudaError_t check_cooperative(const kernel_info *f, const simt_launch_args *a)
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

bool cudart_back_may_wait(unsigned handle)
{
    const kernel_info *f = find(handle);
    return f && !cudart_later_is_on() && simt_communicates(cudart_on.device, f->info.function);
}

cudaError_t cudart_back_launch(const cudart_launch *wanted)
{
    const kernel_info *f = find(wanted->handle);
    if (!f || wanted->param_bytes < f->info.param_bytes)
        return no_kernel();
    const simt_launch_args args = {
        .function = f->info.function,
        .grid = wanted->grid,
        .block = wanted->block,
        .dynamic_shared = wanted->dynamic_shared,
        .params = wanted->params,
        .param_bytes = wanted->param_bytes,
        .cooperative = wanted->cooperative,
        .from = wanted->from,
    };
    cudart_on.calls.elsewhere += wanted->stream != CUDART_DEFAULT_STREAM;
    cudart_order_launch(wanted->stream);
    cudaError_t error = check_launch(f, args.grid, args.block, args.dynamic_shared);
    if (error == cudaSuccess && args.cooperative)
        error = check_cooperative(f, &args);
    if (error == cudaSuccess && cudart_on.refuse_launches) {
        cudart_note_refusal();
        error = cudart_because(cudaErrorLaunchOutOfResources,
                               "the grader refuses all launches of this call");
    }
    cudart_queued queued = { .args = args,
                             .communicates = simt_communicates(cudart_on.device, args.function) };
    plain_name(f->name, queued.kernel, sizeof queued.kernel);
    if (error == cudaSuccess && cudart_later_launch(&queued, wanted->stream, run_together))
        return cudaSuccess;
    return run(queued.kernel, &args, error);
}

/* ---- what is known of a kernel --------------------------------------------------------------- */

cudaError_t cudart_back_attributes(unsigned handle, struct cudaFuncAttributes *attributes)
{
    const kernel_info *f = find(handle);
    const simt_limits *limits = simt_device_limits();
    if (!f)
        return no_kernel();
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = f->info.static_shared,
        .constSizeBytes = f->info.constant_bytes,
        .localSizeBytes = f->info.local_bytes,
        .maxThreadsPerBlock = (int)max_threads(f),
        .numRegs = (int)f->info.registers,
        .binaryVersion = (int)(10 * limits->major + limits->minor),
        .maxDynamicSharedSizeBytes = (int)max_dynamic_shared(f),
        .preferredShmemCarveout = -1,
    };
    return cudaSuccess;
}

cudaError_t cudart_back_set_dynamic(unsigned handle, int bytes)
{
    kernel_info *f = find(handle);
    if (!f)
        return no_kernel();
    const size_t most = simt_device_limits()->shared_per_block_optin;
    if (bytes < 0 || (size_t)bytes > room_beside(f, most))
        return cudart_because(cudaErrorInvalidValue,
                              "%d bytes of dynamic shared memory: a block has at most %zu in all",
                              bytes, most);
    f->max_dynamic_shared = (size_t)bytes;
    return cudaSuccess;
}

cudaError_t cudart_back_occupancy(unsigned handle, unsigned threads, size_t dynamic_shared,
                                  int *blocks)
{
    const kernel_info *f = find(handle);
    if (!f)
        return no_kernel();
    *blocks = (int)resident_blocks(f, threads, dynamic_shared);
    return cudaSuccess;
}

cudaError_t cudart_back_best_block(unsigned handle, size_t dynamic_shared, unsigned limit,
                                   int *threads, int *blocks)
{
    const kernel_info *f = find(handle);
    if (!f)
        return no_kernel();
    unsigned size = max_threads(f), best = 0, best_blocks = 0;
    if (limit > 0 && limit < size)
        size = limit;
    for (; size > 0; size = (size - 1) / 32 * 32) {
        unsigned resident = resident_blocks(f, size, dynamic_shared);
        if (resident * size > best * best_blocks) {
            best = size;
            best_blocks = resident;
        }
    }
    *threads = (int)best;
    *blocks = (int)(best_blocks * multiprocessors());
    return cudaSuccess;
}
