/*
 * gpu.c: simt.h on a real GPU, through the CUDA driver: whatever stands on simt.h (the CUDA runtime
 * of common/cudart, and with it every program that the kit's clang compiles) runs the same PTX
 * there. Linked in place of the engine.
 *
 * Needs libcuda.so.1 at run time only: its functions are looked up by name, so that neither a
 * toolkit nor a GPU is needed to build. A simt_device is the first GPU's primary context. What a
 * GPU cannot tell stays empty: schedules are not followed, reports have no counts and no findings,
 * and what a kernel prints goes to standard output.
 *
 * A kernel that faults leaves the context unusable: every call fails until simt_close, which resets
 * the GPU's context. Source: CUDA Driver API; names and types as in cuda.h.
 */
#include "gpu.h"

#include "ptx/ptx.h"
#include "simt.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the driver ------------------------------------------------------------------------------ */

typedef int cu_result, cu_device;
typedef struct cu_context *cu_context;
typedef struct cu_module *cu_module;
typedef struct cu_function *cu_function;
typedef uint64_t cu_pointer;

enum { CU_SUCCESS = 0, CU_OUT_OF_MEMORY = 2, CU_INVALID_VALUE = 1, CU_NO_RESOURCES = 701 };
enum { /* CUdevice_attribute */
       CU_THREADS_PER_BLOCK = 1,
       CU_BLOCK_X = 2,
       CU_GRID_X = 5,
       CU_SHARED_PER_BLOCK = 8,
       CU_CONSTANT_MEMORY = 9,
       CU_WARP_SIZE = 10,
       CU_REGISTERS_PER_BLOCK = 12,
       CU_MULTIPROCESSORS = 16,
       CU_THREADS_PER_MULTIPROCESSOR = 39,
       CU_MAJOR = 75,
       CU_MINOR = 76,
       CU_SHARED_PER_MULTIPROCESSOR = 81,
       CU_REGISTERS_PER_MULTIPROCESSOR = 82,
       CU_SHARED_PER_BLOCK_OPTIN = 97,
       CU_BLOCKS_PER_MULTIPROCESSOR = 106
};
enum {
    CU_FUNC_THREADS = 0,
    CU_FUNC_SHARED = 1,
    CU_FUNC_CONST = 2,
    CU_FUNC_LOCAL = 3,
    CU_FUNC_REGISTERS = 4,
    CU_FUNC_MAX_DYNAMIC = 8
};
/* of a thread: the engine's is deeper than a GPU's 1 KiB */
enum { CU_LIMIT_STACK_SIZE = 0, STACK_BYTES = 16 << 10 };
enum { CU_JIT_ERROR_LOG = 5, CU_JIT_ERROR_LOG_BYTES = 6 };

/* CALL(name in the library, its parameters) */
#define DRIVER(CALL)                                                                               \
    CALL(cuInit, unsigned)                                                                         \
    CALL(cuDeviceGet, cu_device *, int)                                                            \
    CALL(cuDeviceGetName, char *, int, cu_device)                                                  \
    CALL(cuDeviceGetAttribute, int *, int, cu_device)                                              \
    CALL(cuDriverGetVersion, int *)                                                                \
    CALL(cuDevicePrimaryCtxRetain, cu_context *, cu_device)                                        \
    CALL(cuDevicePrimaryCtxReset_v2, cu_device)                                                    \
    CALL(cuCtxSetCurrent, cu_context)                                                              \
    CALL(cuCtxSetLimit, int, size_t)                                                               \
    CALL(cuCtxSynchronize, void)                                                                   \
    CALL(cuGetErrorString, cu_result, const char **)                                               \
    CALL(cuMemGetInfo_v2, size_t *, size_t *)                                                      \
    CALL(cuMemAlloc_v2, cu_pointer *, size_t)                                                      \
    CALL(cuMemFree_v2, cu_pointer)                                                                 \
    CALL(cuMemcpyHtoD_v2, cu_pointer, const void *, size_t)                                        \
    CALL(cuMemcpyDtoH_v2, void *, cu_pointer, size_t)                                              \
    CALL(cuMemcpyDtoD_v2, cu_pointer, cu_pointer, size_t)                                          \
    CALL(cuMemsetD8_v2, cu_pointer, unsigned char, size_t)                                         \
    CALL(cuMemGetAddressRange_v2, cu_pointer *, size_t *, cu_pointer)                              \
    CALL(cuModuleLoadDataEx, cu_module *, const void *, unsigned, int *, void **)                  \
    CALL(cuModuleUnload, cu_module)                                                                \
    CALL(cuModuleGetFunction, cu_function *, cu_module, const char *)                              \
    CALL(cuModuleGetGlobal_v2, cu_pointer *, size_t *, cu_module, const char *)                    \
    CALL(cuFuncGetAttribute, int *, int, cu_function)                                              \
    CALL(cuFuncSetAttribute, cu_function, int, int)                                                \
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *, cu_function, int, size_t)             \
    CALL(cuLaunchKernel, cu_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,  \
         unsigned, void *, void **, void **)                                                       \
    CALL(cuLaunchCooperativeKernel, cu_function, unsigned, unsigned, unsigned, unsigned, unsigned, \
         unsigned, unsigned, void *, void **)

static struct {
#define POINTER(name, ...) cu_result (*name)(__VA_ARGS__);
    DRIVER(POINTER)
#undef POINTER
} cu;

static cu_device gpu;
static char open_error[512]; /* why there is no GPU: simt_open has no device to say it of */

static bool load_driver(void)
{
    static void *library;
    if (library)
        return true;
    void *opened = dlopen("libcuda.so.1", RTLD_NOW);
    if (!opened) {
        snprintf(open_error, sizeof open_error, "no NVIDIA driver: %s", dlerror());
        return false;
    }
#define LOOK_UP(name, ...)                                                                         \
    {                                                                                              \
        void *found = dlsym(opened, #name);                                                        \
        if (!found) {                                                                              \
            snprintf(open_error, sizeof open_error,                                                \
                     "the NVIDIA driver is too old: it has no " #name);                            \
            return false;                                                                          \
        }                                                                                          \
        memcpy(&cu.name, &found, sizeof found);                                                    \
    }
    DRIVER(LOOK_UP)
#undef LOOK_UP
    library = opened;
    return true;
}

static const char *cu_text(cu_result result)
{
    const char *text = NULL;
    cu.cuGetErrorString(result, &text);
    return text ? text : "unknown error";
}

/* ---- a device -------------------------------------------------------------------------------- */

typedef struct gpu_function {
    cu_function handle;
    simt_function_info info;
    size_t dynamic_limit;
} gpu_function;
typedef struct gpu_module {
    cu_module handle;
    ptx_module *ptx;
} gpu_module;

struct simt_device {
    cu_context context;
    bool faulted;
    cu_pointer *live; /* allocations, to be freed at the end */
    gpu_module *modules;
    gpu_function *functions;
    size_t live_count, live_room, module_count, module_room, function_count, function_room;
    char error[4096];
};

static simt_status fail(simt_device *d, simt_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static simt_status fail(simt_device *d, simt_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(d->error, sizeof d->error, format, args);
    va_end(args);
    return status;
}

static simt_status check(simt_device *d, cu_result result, simt_status status, const char *what)
{
    return result == CU_SUCCESS ? SIMT_OK
                                : fail(d, result == CU_OUT_OF_MEMORY ? SIMT_NO_MEMORY : status,
                                       "%s: %s", what, cu_text(result));
}

/* Room for one more of size bytes in *items. */
static bool grow(void *items, size_t count, size_t *room, size_t size)
{
    void *grown, **place = items;
    if (count < *room)
        return true;
    if (!(grown = realloc(*place, (*room ? 2 * *room : 16) * size)))
        return false;
    *place = grown;
    *room = *room ? 2 * *room : 16;
    return true;
}

simt_config simt_default_config(void) { return (simt_config){ .checks = SIMT_CHECK_ALL }; }

static bool have_gpu(void)
{
    cu_result result;
    if (!load_driver())
        return false;
    if ((result = cu.cuInit(0)) == CU_SUCCESS && (result = cu.cuDeviceGet(&gpu, 0)) == CU_SUCCESS)
        return true;
    snprintf(open_error, sizeof open_error, "no GPU: %s", cu_text(result));
    return false;
}

simt_status simt_open(const simt_config *config, simt_device **device)
{
    simt_device *d = calloc(1, sizeof *d);
    (void)config;
    if (!d || !device || !have_gpu() || cu.cuDevicePrimaryCtxRetain(&d->context, gpu) ||
        cu.cuCtxSetCurrent(d->context) || cu.cuCtxSetLimit(CU_LIMIT_STACK_SIZE, STACK_BYTES)) {
        free(d);
        return SIMT_NOT_FOUND;
    }
    *device = d;
    return SIMT_OK;
}

void simt_close(simt_device *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->module_count; i++)
        ptx_free(d->modules[i].ptx);
    for (size_t i = 0; !d->faulted && i < d->live_count; i++)
        cu.cuMemFree_v2(d->live[i]);
    for (size_t i = 0; !d->faulted && i < d->module_count; i++)
        cu.cuModuleUnload(d->modules[i].handle);
    if (d->faulted)
        cu.cuDevicePrimaryCtxReset_v2(gpu);
    free(d->live);
    free(d->modules);
    free(d->functions);
    free(d);
}

simt_status simt_configure(simt_device *d, const simt_config *config)
{
    return d && config ? SIMT_OK : SIMT_BAD_ARGUMENT;
}

const char *simt_error(const simt_device *d) { return d ? d->error : open_error; }

/* ---- facts ----------------------------------------------------------------------------------- */

static unsigned fact(int attribute)
{
    int value = 0;
    cu.cuDeviceGetAttribute(&value, attribute, gpu);
    return (unsigned)value;
}

const simt_limits *simt_device_limits(void)
{
    static simt_limits limits;
    if (limits.warp_size || !have_gpu())
        return &limits;
    limits = (simt_limits){
        .max_threads_per_block = fact(CU_THREADS_PER_BLOCK),
        .multiprocessors = fact(CU_MULTIPROCESSORS),
        .max_threads_per_multiprocessor = fact(CU_THREADS_PER_MULTIPROCESSOR),
        .max_blocks_per_multiprocessor = fact(CU_BLOCKS_PER_MULTIPROCESSOR),
        .registers_per_block = fact(CU_REGISTERS_PER_BLOCK),
        .registers_per_multiprocessor = fact(CU_REGISTERS_PER_MULTIPROCESSOR),
        .shared_per_block = fact(CU_SHARED_PER_BLOCK),
        .shared_per_block_optin = fact(CU_SHARED_PER_BLOCK_OPTIN),
        .shared_per_multiprocessor = fact(CU_SHARED_PER_MULTIPROCESSOR),
        .constant_memory = fact(CU_CONSTANT_MEMORY),
        .major = fact(CU_MAJOR),
        .minor = fact(CU_MINOR),
        .warp_size = fact(CU_WARP_SIZE),
    };
    for (int k = 0; k < 3; k++) {
        limits.max_block[k] = fact(CU_BLOCK_X + k);
        limits.max_grid[k] = fact(CU_GRID_X + k);
    }
    return &limits;
}

void simt_facts(const simt_device *d, simt_limits *facts)
{
    (void)d;
    *facts = *simt_device_limits();
}

/* "570.86.15", of "NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  ..." */
static void driver_version(char *version, size_t room)
{
    char line[256] = "";
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    if (file && fgets(line, sizeof line, file))
        for (char *save, *word = strtok_r(line, " ", &save); word && !strchr(version, '.');
             word = strtok_r(NULL, " ", &save))
            if (*word >= '0' && *word <= '9')
                snprintf(version, room, "%s", word);
    if (file)
        fclose(file);
}

void gpu_facts(char *text, size_t room)
{
    char name[128] = "?", kernel[64] = "?";
    int version = 0;
    *text = '\0';
    if (!have_gpu())
        return;
    cu.cuDeviceGetName(name, sizeof name, gpu);
    cu.cuDriverGetVersion(&version);
    driver_version(kernel, sizeof kernel);
    snprintf(text, room, "# gpu: %s, compute capability %u.%u\n# driver: %s, CUDA %d.%d\n", name,
             fact(CU_MAJOR), fact(CU_MINOR), kernel, version / 1000, version % 1000 / 10);
}

unsigned simt_blocks_per_multiprocessor(const simt_device *d, unsigned function, unsigned threads,
                                        size_t dynamic_shared)
{
    int blocks = 0;
    if (!d || function >= d->function_count)
        return 0;
    cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, d->functions[function].handle,
                                                   (int)threads, dynamic_shared);
    return (unsigned)blocks;
}

/* ---- memory ---------------------------------------------------------------------------------- */

simt_status simt_alloc(simt_device *d, size_t bytes, simt_addr *address)
{
    if (!d || !address || !bytes)
        return SIMT_BAD_ARGUMENT;
    if (!grow(&d->live, d->live_count, &d->live_room, sizeof *d->live))
        return fail(d, SIMT_NO_MEMORY, "no memory");
    simt_status status = check(d, cu.cuMemAlloc_v2(address, bytes), SIMT_NO_MEMORY, "cuMemAlloc");
    if (status != SIMT_OK)
        return status;
    d->live[d->live_count++] = *address;
    return check(d, cu.cuMemsetD8_v2(*address, 0xFF, bytes), SIMT_FAULT, "cuMemsetD8");
}

/* No recorded program shares memory with the host. */
simt_status simt_alloc_common(simt_device *d, size_t bytes, simt_addr *address)
{
    (void)bytes, (void)address;
    return d ? fail(d, SIMT_NO_MEMORY, "memory for host and device is not recorded")
             : SIMT_BAD_ARGUMENT;
}

simt_status simt_let_host(simt_device *d, simt_addr address, bool may)
{
    (void)address, (void)may;
    return d ? fail(d, SIMT_BAD_ADDRESS, "memory for host and device is not recorded")
             : SIMT_BAD_ARGUMENT;
}

simt_status simt_free(simt_device *d, simt_addr address)
{
    for (size_t i = 0; d && i < d->live_count; i++)
        if (d->live[i] == address) {
            d->live[i] = d->live[--d->live_count];
            return check(d, cu.cuMemFree_v2(address), SIMT_BAD_ADDRESS, "cuMemFree");
        }
    return d ? fail(d, SIMT_BAD_ADDRESS, "simt_free: not the start of a live allocation")
             : SIMT_BAD_ARGUMENT;
}

simt_status simt_write(simt_device *d, simt_addr to, const void *from, size_t bytes)
{
    return bytes ? check(d, cu.cuMemcpyHtoD_v2(to, from, bytes), SIMT_BAD_ADDRESS, "cuMemcpyHtoD")
                 : SIMT_OK;
}

simt_status simt_read(simt_device *d, void *to, simt_addr from, size_t bytes)
{
    return bytes ? check(d, cu.cuMemcpyDtoH_v2(to, from, bytes), SIMT_BAD_ADDRESS, "cuMemcpyDtoH")
                 : SIMT_OK;
}

simt_status simt_copy(simt_device *d, simt_addr to, simt_addr from, size_t bytes)
{
    return bytes ? check(d, cu.cuMemcpyDtoD_v2(to, from, bytes), SIMT_BAD_ADDRESS, "cuMemcpyDtoD")
                 : SIMT_OK;
}

simt_status simt_fill(simt_device *d, simt_addr to, uint8_t value, size_t bytes)
{
    return bytes ? check(d, cu.cuMemsetD8_v2(to, value, bytes), SIMT_BAD_ADDRESS, "cuMemsetD8")
                 : SIMT_OK;
}

simt_status simt_allocation(simt_device *d, simt_addr address, simt_addr *start, size_t *bytes)
{
    return check(d, cu.cuMemGetAddressRange_v2(start, bytes, address), SIMT_BAD_ADDRESS,
                 "cuMemGetAddressRange");
}

bool simt_is_device_address(uint64_t value)
{
    cu_pointer start;
    size_t bytes;
    return load_driver() && cu.cuMemGetAddressRange_v2(&start, &bytes, value) == CU_SUCCESS;
}

void simt_memory(const simt_device *d, size_t *free_bytes, size_t *total_bytes)
{
    (void)d;
    if (cu.cuMemGetInfo_v2(free_bytes, total_bytes))
        *free_bytes = *total_bytes = 0;
}

const char *simt_advice(const simt_device *d)
{
    (void)d;
    return "";
}

/* ---- modules --------------------------------------------------------------------------------- */

static cu_result load_text(cu_module *module, const char *text, char *log, size_t room)
{
    int options[] = { CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BYTES };
    void *values[] = { log, (void *)(uintptr_t)room };
    return cu.cuModuleLoadDataEx(module, text, 2, options, values);
}

/* The kit's clang writes the header of sm_75 above inline PTX of newer GPUs, as the engine does not
   mind; the driver does. The same text under a header of 9.0, where the GPU is one: no instruction
   is touched. */
static cu_result load_newer(cu_module *module, const char *text, char *log, size_t room)
{
    static const char header[] = ".version 8.0\n.target sm_90\n";
    const char *version = strstr(text, ".version "), *target = strstr(text, ".target "),
               *rest = target ? strchr(target, '\n') : NULL;
    cu_result result = CU_INVALID_VALUE;
    if (!version || !rest || version > target || !strncmp(target, ".target sm_90", 13) ||
        fact(CU_MAJOR) < 9)
        return result;
    char *raised = malloc(sizeof header + strlen(rest));
    if (raised) {
        strcat(strcpy(raised, header), rest);
        result = load_text(module, raised, log, room);
    }
    free(raised);
    return result;
}

simt_status simt_module_load(simt_device *d, const char *ptx, size_t bytes, const char *name,
                             unsigned *module)
{
    char why[512], log[2048] = "", newer[2048] = "";
    gpu_module m = { 0 };
    if (!d || !ptx || !module ||
        !grow(&d->modules, d->module_count, &d->module_room, sizeof *d->modules))
        return SIMT_BAD_ARGUMENT;
    if (!(m.ptx = ptx_parse(ptx, bytes, name, why, sizeof why)))
        return fail(d, SIMT_BAD_PTX, "%s", why);
    cu_result result = load_text(&m.handle, m.ptx->text, log, sizeof log);
    if (result != CU_SUCCESS &&
        load_newer(&m.handle, m.ptx->text, newer, sizeof newer) != CU_SUCCESS) {
        ptx_free(m.ptx);
        return fail(d, SIMT_BAD_PTX, "%s: the driver refuses it: %s: %s", name, cu_text(result),
                    log);
    }
    *module = (unsigned)d->module_count;
    d->modules[d->module_count++] = m;
    return SIMT_OK;
}

simt_status simt_module_load_managed(simt_device *d, const char *ptx, size_t bytes,
                                     const char *name, const simt_managed *managed, unsigned count,
                                     unsigned *module)
{
    (void)managed;
    return count == 0 ? simt_module_load(d, ptx, bytes, name, module)
           : d        ? fail(d, SIMT_NO_MEMORY, "memory for host and device is not recorded")
                      : SIMT_BAD_ARGUMENT;
}

static int function_fact(cu_function f, int attribute)
{
    int value = 0;
    cu.cuFuncGetAttribute(&value, attribute, f);
    return value;
}

/* Each parameter at the next multiple of its alignment, as in the PTX. */
static void lay_out(const ptx_function *p, simt_function_info *info)
{
    info->params = p->param_count;
    for (unsigned k = 0; k < p->param_count && k < 64; k++) {
        size_t align = p->params[k].align ? p->params[k].align : 1;
        info->param_offset[k] = (info->param_bytes + align - 1) / align * align;
        info->param_size[k] = p->params[k].bytes;
        info->param_bytes = info->param_offset[k] + p->params[k].bytes;
    }
}

simt_status simt_function(simt_device *d, unsigned index, const char *name,
                          simt_function_info *info)
{
    gpu_function f = { 0 };
    const ptx_function *p = NULL;
    if (!d || index >= d->module_count ||
        !grow(&d->functions, d->function_count, &d->function_room, sizeof *d->functions))
        return SIMT_BAD_ARGUMENT;
    const gpu_module *m = &d->modules[index];
    for (unsigned i = 0; i < m->ptx->function_count; i++)
        if (m->ptx->functions[i].entry && !strcmp(m->ptx->functions[i].name, name))
            p = &m->ptx->functions[i];
    if (!p)
        return fail(d, SIMT_NOT_FOUND, "no kernel '%s'", name);
    simt_status status =
        check(d, cu.cuModuleGetFunction(&f.handle, m->handle, name), SIMT_NOT_FOUND, name);
    if (status != SIMT_OK)
        return status;
    f.info = (simt_function_info){
        .function = (unsigned)d->function_count,
        .registers = (unsigned)function_fact(f.handle, CU_FUNC_REGISTERS),
        .static_shared = (size_t)function_fact(f.handle, CU_FUNC_SHARED),
        .local_bytes = (size_t)function_fact(f.handle, CU_FUNC_LOCAL),
        .constant_bytes = (size_t)function_fact(f.handle, CU_FUNC_CONST),
        .max_threads = (unsigned)function_fact(f.handle, CU_FUNC_THREADS),
    };
    lay_out(p, &f.info);
    *info = f.info;
    d->functions[d->function_count++] = f;
    return SIMT_OK;
}

simt_status simt_symbol(simt_device *d, unsigned index, const char *name, simt_addr *address,
                        size_t *bytes)
{
    return !d || index >= d->module_count
               ? SIMT_BAD_ARGUMENT
               : check(d, cu.cuModuleGetGlobal_v2(address, bytes, d->modules[index].handle, name),
                       SIMT_NOT_FOUND, name);
}

/* ---- launches -------------------------------------------------------------------------------- */

static simt_status raise_shared(simt_device *d, gpu_function *f, size_t bytes)
{
    if (bytes <= f->dynamic_limit)
        return SIMT_OK;
    f->dynamic_limit = bytes;
    return check(d, cu.cuFuncSetAttribute(f->handle, CU_FUNC_MAX_DYNAMIC, (int)bytes),
                 SIMT_BAD_LAUNCH, "dynamic shared memory");
}

simt_status simt_launch(simt_device *d, const simt_launch_args *a, simt_report *report)
{
    void *values[65] = { 0 };
    if (!d || !a || a->function >= d->function_count)
        return SIMT_BAD_ARGUMENT;
    if (report) {
        memset(report, 0, sizeof *report);
        report->printed = "";
        report->counts.launches = 1;
    }
    gpu_function *f = &d->functions[a->function];
    for (unsigned k = 0; k < f->info.params && k < 64; k++)
        values[k] = (unsigned char *)(uintptr_t)a->params + f->info.param_offset[k];
    simt_status status = raise_shared(d, f, a->dynamic_shared);
    if (status != SIMT_OK)
        return status;
    cu_result result =
        a->cooperative
            ? cu.cuLaunchCooperativeKernel(f->handle, a->grid.x, a->grid.y, a->grid.z, a->block.x,
                                           a->block.y, a->block.z, (unsigned)a->dynamic_shared,
                                           NULL, values)
            : cu.cuLaunchKernel(f->handle, a->grid.x, a->grid.y, a->grid.z, a->block.x, a->block.y,
                                a->block.z, (unsigned)a->dynamic_shared, NULL, values, NULL);
    if (result == CU_INVALID_VALUE || result == CU_NO_RESOURCES)
        return check(d, result, SIMT_BAD_LAUNCH, "launch");
    if (result == CU_SUCCESS)
        result = cu.cuCtxSynchronize();
    d->faulted |= result != CU_SUCCESS;
    return check(d, result, SIMT_FAULT, "kernel");
}

/* One GPU alone is recorded. */
simt_status simt_use_gpu(simt_device *d, unsigned number)
{
    return d && number == 0 ? SIMT_OK : SIMT_BAD_ARGUMENT;
}

simt_status simt_let_peer(simt_device *d, unsigned number, unsigned peer, bool may)
{
    (void)d, (void)number, (void)peer, (void)may;
    return SIMT_BAD_ARGUMENT;
}

simt_status simt_launch_group(simt_device *d, const simt_group_launch *launches, unsigned count,
                              simt_report *reports)
{
    (void)launches, (void)count, (void)reports;
    return d ? fail(d, SIMT_BAD_LAUNCH, "kernels that run together are not recorded")
             : SIMT_BAD_ARGUMENT;
}

/* Each kernel is launched at once. */
bool simt_communicates(const simt_device *d, unsigned function)
{
    (void)d, (void)function;
    return false;
}

simt_status simt_pin(simt_device *d, void *host, size_t bytes, const simt_pinned_ways *ways)
{
    (void)host, (void)bytes, (void)ways;
    return d ? fail(d, SIMT_NO_MEMORY, "page-locked memory is not recorded") : SIMT_BAD_ARGUMENT;
}

simt_status simt_unpin(simt_device *d, const void *host)
{
    (void)host;
    return d ? fail(d, SIMT_BAD_ADDRESS, "nothing is pinned there") : SIMT_BAD_ARGUMENT;
}

void simt_on_wait_for_host(simt_device *d, simt_host_writes *fn) { (void)d, (void)fn; }

unsigned simt_host_findings(simt_device *d, const simt_finding **findings)
{
    (void)d;
    *findings = NULL;
    return 0;
}

/* The GPU finds nothing that could be ordered. */
unsigned simt_order_findings(simt_finding *table, unsigned count)
{
    (void)table;
    return count;
}

void simt_keep_footprints(simt_device *d) { (void)d; }

simt_footprint *simt_take_footprint(simt_device *d)
{
    (void)d;
    return NULL;
}

simt_footprint *simt_range_footprint(simt_footprint *f, const char *call, uint64_t from,
                                     simt_addr start, size_t bytes, bool write)
{
    (void)call, (void)from, (void)start, (void)bytes, (void)write;
    return f;
}

void simt_called_from(simt_device *d, uint64_t from) { (void)d, (void)from; }

void simt_source_changed(simt_device *d, const char *call, simt_addr to, uint64_t from)
{
    (void)d;
    (void)call;
    (void)to;
    (void)from;
}

void simt_free_footprint(simt_footprint *f) { (void)f; }

bool simt_compare_footprints(simt_device *d, simt_footprint *earlier, simt_footprint *later)
{
    (void)d, (void)earlier, (void)later;
    return false;
}

unsigned simt_leaks(simt_device *d)
{
    (void)d;
    return 0;
}

unsigned simt_finding_place(const simt_finding *table, unsigned count, unsigned room,
                            const simt_finding *f)
{
    (void)table, (void)f;
    return count < room ? count : room;
}

const char *simt_finding_name(simt_finding_kind kind)
{
    (void)kind;
    return "a fault on the GPU";
}

void simt_finding_words(const simt_finding *f, const char *place, simt_words *words)
{
    (void)f, (void)place;
    *words = (simt_words){ "a fault on the GPU", "" };
}

void simt_counts_add(simt_counts *sum, const simt_counts *more) { sum->launches += more->launches; }
