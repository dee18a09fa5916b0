/*
 * module.c: the PTX, kernels and variables that clang's start-up code registers, loaded into the device when first used.
 *
 * Each object file compiled from a .cu registers one fat binary wrapper whose data is the PTX text itself (made so by
 * -fcuda-include-gpubinary), in section .nv_fatbin. The text's length is written nowhere, and clang adds no NUL. So the text ends
 * at the first byte that PTX cannot hold (the zero padding before the next text), at the start of the next registered text, or
 * at section_end, which the linker places after the texts because this library comes after the objects. Modules are loaded
 * after all are registered, so that "the next" is known.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

typedef struct cudart_module {
    struct cudart_module *next;
    const unsigned char *text;      /* null: unregistered */
    unsigned generation, id;        /* where it is loaded; generation 0: nowhere yet */
} cudart_module;

typedef struct variable {
    const void *shadow;             /* the host variable that stands for it */
    const char *name;
    cudart_module *module;
} variable;

static cudart_module *modules;
static struct { cudart_function *items; size_t count, room; } functions;
static struct { variable *items; size_t count, room; } variables;

__attribute__((section(".nv_fatbin"))) static const char section_end[1] = { 0 };

enum { WRAPPER_MAGIC = 0x466243b1 };
enum { NVCC_MAGIC = 0xed };         /* second byte of a fat binary made by CUDA's own tools: 50 ed 55 ba */

typedef struct wrapper { int magic, version; const void *data; void *unused; } wrapper;

/* Start-up code cannot return an error: out of memory or not ours ends the program. */
static void *grow(void *items, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return items;
    *room = *room ? 2 * *room : 16;
    items = realloc(items, *room * size);
    if (!items) {
        fputs("scanlab: no memory left to register kernels\n", stderr);
        abort();
    }
    return items;
}

void **__cudaRegisterFatBinary(const wrapper *fat);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
int __cudaRegisterFunction(void **handle, const void *stub, char *device_stub, const char *name, int thread_limit, void *tid,
                           void *bid, void *block, void *grid, int *warp_size);
void __cudaRegisterVar(void **handle, void *shadow, char *address, const char *name, int external, size_t size, int constant,
                       int global);

void **__cudaRegisterFatBinary(const wrapper *fat)
{
    cudart_module *module = calloc(1, sizeof *module);
    if (!module || fat->magic != WRAPPER_MAGIC) {
        fputs("scanlab: an object file was not compiled with this kit's host.flags\n", stderr);
        abort();
    }
    module->text = fat->data;
    module->next = modules;
    modules = module;
    return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;       /* nothing is loaded before it is used */
}

int __cudaRegisterFunction(void **handle, const void *stub, char *device_stub, const char *name, int thread_limit, void *tid,
                           void *bid, void *block, void *grid, int *warp_size)
{
    (void)device_stub, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
    functions.items = grow(functions.items, &functions.room, functions.count, sizeof *functions.items);
    functions.items[functions.count++] = (cudart_function){ .stub = stub, .name = name, .module = (cudart_module *)handle };
    return 0;
}

void __cudaRegisterVar(void **handle, void *shadow, char *address, const char *name, int external, size_t size, int constant,
                       int global)
{
    (void)address, (void)external, (void)size, (void)constant, (void)global;
    variables.items = grow(variables.items, &variables.room, variables.count, sizeof *variables.items);
    variables.items[variables.count++] = (variable){ .shadow = shadow, .name = name, .module = (cudart_module *)handle };
}

/* Runs at exit, or when a shared object is closed: its names and its text are about to vanish. */
void __cudaUnregisterFatBinary(void **handle)
{
    cudart_module *module = (cudart_module *)handle;
    size_t kept = 0;
    for (size_t i = 0; i < functions.count; i++)
        if (functions.items[i].module != module)
            functions.items[kept++] = functions.items[i];
    functions.count = kept;
    kept = 0;
    for (size_t i = 0; i < variables.count; i++)
        if (variables.items[i].module != module)
            variables.items[kept++] = variables.items[i];
    variables.count = kept;
    for (cudart_module **link = &modules; *link; link = &(*link)->next)
        if (*link == module) {
            *link = module->next;
            free(module);
            return;
        }
}

/* ---- loading --------------------------------------------------------------------------------------------------- */

static size_t text_length(const unsigned char *text)
{
    uintptr_t start = (uintptr_t)text, end = UINTPTR_MAX;
    if ((uintptr_t)section_end > start)
        end = (uintptr_t)section_end;
    for (const cudart_module *other = modules; other; other = other->next)
        if ((uintptr_t)other->text > start && (uintptr_t)other->text < end)
            end = (uintptr_t)other->text;
    size_t length = 0;
    while (length < end - start && (text[length] >= ' ' || (text[length] >= '\t' && text[length] <= '\r')))
        length++;
    return length;
}

static cudaError_t load(cudart_module *module)
{
    if (!cudart_device())
        return cudaErrorInitializationError;
    if (module->generation == cudart.generation)
        return cudaSuccess;
    if (module->text[0] == 0x50 && module->text[1] == NVCC_MAGIC)
        return cudart_because(cudaErrorInvalidKernelImage, "this program's kernels were compiled by nvcc for a GPU; compile them "
                              "with clang and this kit's device.flags to simulate them");
    simt_status status = simt_module_load(cudart.device, (const char *)module->text, text_length(module->text), "kernels.ptx",
                                          &module->id);
    if (status != SIMT_OK)
        return cudart_because(status == SIMT_NO_MEMORY ? cudaErrorMemoryAllocation : cudaErrorInvalidPtx, "%s",
                              simt_error(cudart.device));
    module->generation = cudart.generation;
    return cudaSuccess;
}

cudaError_t cudart_find_function(const void *stub, cudart_function **function)
{
    for (size_t i = 0; i < functions.count; i++) {
        cudart_function *f = &functions.items[i];
        if (f->stub != stub)
            continue;
        cudaError_t error = load(f->module);
        if (error != cudaSuccess)
            return error;
        *function = f;
        if (f->generation == cudart.generation)
            return cudaSuccess;
        f->max_dynamic_shared = 0;
        if (simt_function(cudart.device, f->module->id, f->name, &f->info) != SIMT_OK)
            return cudart_because(cudaErrorInvalidDeviceFunction, "%s", simt_error(cudart.device));
        f->generation = cudart.generation;
        return cudaSuccess;
    }
    return cudart_because(cudaErrorInvalidDeviceFunction, "%p is no __global__ function of this program", stub);
}

cudaError_t cudart_find_symbol(const void *shadow, simt_addr *address, size_t *bytes)
{
    for (size_t i = 0; i < variables.count; i++) {
        const variable *v = &variables.items[i];
        if (v->shadow != shadow)
            continue;
        cudaError_t error = load(v->module);
        if (error != cudaSuccess)
            return error;
        if (simt_symbol(cudart.device, v->module->id, v->name, address, bytes) == SIMT_OK)
            return cudaSuccess;
        return cudart_because(cudaErrorInvalidSymbol, "%s", simt_error(cudart.device));
    }
    return cudart_because(cudaErrorInvalidSymbol, "%p is no __device__ or __constant__ variable of this program", shadow);
}

unsigned cudart_module_ptx_version(const cudart_function *function)
{
    unsigned major = 0, minor = 0;
    const char *found = strstr((const char *)function->module->text, ".version");
    if (found)
        sscanf(found, ".version %u.%u", &major, &minor);
    return 10 * major + minor;
}
