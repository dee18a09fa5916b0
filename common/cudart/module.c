/*
 * module.c: the PTX, kernels and variables that clang's start-up code registers, loaded into the
 * device when first used.
 *
 * Each object file compiled from a .cu registers one fat binary wrapper whose data is the PTX text
 * itself (made so by -fcuda-include-gpubinary), in section .nv_fatbin. The text's length is written
 * nowhere, and clang adds no NUL. So the text ends at the first byte that PTX cannot hold (the zero
 * padding before the next text), at the start of the next registered text, or at section_end, which
 * the linker places after the texts because this library comes after the objects. Modules are
 * loaded after all are registered, so that "the next" is known.
 *
 * nvcc's data is a container instead: a header, and entries of PTX or machine code, each with a
 * header of its own. Its PTX is taken where it is not compressed. (Layout as found in what nvcc 12
 * and 13 write; there is no document about it.)
 */
#define _GNU_SOURCE /* memmem */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

typedef struct cudart_module {
    struct cudart_module *next;
    /* null: unregistered; a container of nvcc's until it is loaded */
    const unsigned char *text;
    size_t length; /* of the text; 0: not known */
    /* by GPU: where it is loaded; generation 0: nowhere yet */
    unsigned generation[SIMT_MAX_GPUS], id[SIMT_MAX_GPUS];
} cudart_module;

typedef struct variable {
    const void *shadow; /* the host variable that stands for it */
    const char *name;
    cudart_module *module;
    bool managed;
    void **slot; /* of nvcc's managed variables, which the host uses by a pointer: it; else null */
} variable;

static cudart_module *modules;
static cudaError_t load(cudart_module *module);
static struct {
    cudart_function *items;
    size_t count, room;
} functions;
static struct {
    variable *items;
    size_t count, room;
} variables;

__attribute__((section(".nv_fatbin"))) static const char section_end[1] = { 0 };

/* clang's __managed__ variables are in a section of their own (host_defines.h), each at the
   beginning of a page. This comes after them, and so what shares the last one's page is nobody's.
   */
__attribute__((section("scanlab_managed"), aligned(4096), used)) static char managed_end[4096];
extern char __start_scanlab_managed[];

enum { WRAPPER_MAGIC = 0x466243b1 };
#define CONTAINER_MAGIC 0xba55ed50u

/* bytes: of the entries after it */
typedef struct container {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;
} container;

typedef struct entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t bytes; /* after its header, padding included */
    uint32_t compressed_bytes, unknown, ptx_version, target;
} entry;

enum { ENTRY_PTX = 1 };

typedef struct wrapper {
    int magic, version;
    const void *data;
    void *unused;
} wrapper;

/* Start-up code cannot return an error: the program ends where memory is out or the code is of
   another kind. */
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
int __cudaRegisterFunction(void **handle, const void *stub, char *device_stub, const char *name,
                           int thread_limit, void *tid, void *bid, void *block, void *grid,
                           int *warp_size);
void __cudaRegisterVar(void **handle, void *shadow, char *address, const char *name, int external,
                       size_t size, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **slot, char *address, const char *name,
                              int external, size_t size, int constant, int global);

void **__cudaRegisterFatBinary(const wrapper *fat)
{
    CUDART_TURN();
    cudart_module *module = calloc(1, sizeof *module);
    if (!module || fat->magic != WRAPPER_MAGIC) {
        fputs("scanlab: an object file holds device code of a kind that is not simulated (compiled "
              "for another runtime, or -rdc)\n",
              stderr);
        abort();
    }
    module->text = fat->data;
    module->next = modules;
    modules = module;
    return (void **)module;
}

/* nvcc: asked before a launch, and before the host uses a managed variable. What has none of those
   is loaded when it is used. */
char __cudaInitModule(void **handle);

char __cudaInitModule(void **handle)
{
    CUDART_TURN();
    for (size_t i = 0; i < variables.count; i++)
        if (variables.items[i].slot && variables.items[i].module == (cudart_module *)handle)
            return load(variables.items[i].module) == cudaSuccess;
    return 1;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle; /* nothing is loaded before it is used */
}

int __cudaRegisterFunction(void **handle, const void *stub, char *device_stub, const char *name,
                           int thread_limit, void *tid, void *bid, void *block, void *grid,
                           int *warp_size)
{
    CUDART_TURN();
    (void)device_stub, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid,
        (void)warp_size;
    functions.items =
        grow(functions.items, &functions.room, functions.count, sizeof *functions.items);
    functions.items[functions.count++] =
        (cudart_function){ .stub = stub, .name = name, .module = (cudart_module *)handle };
    return 0;
}

static void add_variable(variable v)
{
    variables.items =
        grow(variables.items, &variables.room, variables.count, sizeof *variables.items);
    variables.items[variables.count++] = v;
}

void __cudaRegisterVar(void **handle, void *shadow, char *address, const char *name, int external,
                       size_t size, int constant, int global)
{
    CUDART_TURN();
    (void)address, (void)external, (void)size, (void)constant, (void)global;
    const uintptr_t at = (uintptr_t)shadow;
    add_variable((variable){ .shadow = shadow,
                             .name = name,
                             .module = (cudart_module *)handle,
                             .managed = at >= (uintptr_t)__start_scanlab_managed &&
                                        at < (uintptr_t)managed_end });
}

void __cudaRegisterManagedVar(void **handle, void **slot, char *address, const char *name,
                              int external, size_t size, int constant, int global)
{
    CUDART_TURN();
    (void)address, (void)external, (void)size, (void)constant, (void)global;
    add_variable((variable){ .shadow = slot,
                             .name = name,
                             .module = (cudart_module *)handle,
                             .managed = true,
                             .slot = slot });
}

/* Runs at exit, or when a shared object is closed: its names and its text are about to vanish. */
void __cudaUnregisterFatBinary(void **handle)
{
    CUDART_TURN();
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

/* ---- loading --------------------------------------------------------------------------------- */

static size_t text_length(const unsigned char *text)
{
    uintptr_t start = (uintptr_t)text, end = UINTPTR_MAX;
    if ((uintptr_t)section_end > start)
        end = (uintptr_t)section_end;
    for (const cudart_module *other = modules; other; other = other->next)
        if ((uintptr_t)other->text > start && (uintptr_t)other->text < end)
            end = (uintptr_t)other->text;
    size_t length = 0;
    while (length < end - start &&
           (text[length] >= ' ' || (text[length] >= '\t' && text[length] <= '\r')))
        length++;
    return length;
}

/* Of two targets the one a GPU's driver would take: the greatest that is not above the device's, or
   else the least. */
static bool better(unsigned target, unsigned than)
{
    unsigned device = 10 * simt_device_limits()->major + simt_device_limits()->minor;
    if ((target <= device) != (than <= device))
        return target <= device;
    return target <= device ? target > than : target < than;
}

/* Makes module->text the PTX in a container. */
static cudaError_t open_container(cudart_module *module)
{
    container head;
    entry e, best = { 0 };
    const unsigned char *text = NULL;
    memcpy(&head, module->text, sizeof head);
    for (uint64_t at = head.header_bytes; at + sizeof e <= head.header_bytes + head.bytes;
         at += e.header_bytes + e.bytes) {
        memcpy(&e, module->text + at, sizeof e);
        if (e.header_bytes < sizeof e || e.bytes > head.bytes)
            break;
        if (e.kind != ENTRY_PTX || (text && !better(e.target, best.target)))
            continue;
        best = e;
        text = module->text + at + e.header_bytes;
    }
    if (!text)
        return cudart_because(
            cudaErrorNoKernelImageForDevice,
            "the program holds machine code for a GPU and no PTX: compile it with nvcc -gencode "
            "arch=compute_75,code=compute_75 -Xfatbin --compress=false, or with clang");
    if (best.compressed_bytes)
        return cudart_because(
            cudaErrorInvalidKernelImage,
            "the program's PTX is compressed: compile it with nvcc -gencode "
            "arch=compute_75,code=compute_75 -Xfatbin --compress=false, or with clang");
    module->text = text;
    module->length = strnlen((const char *)text, best.bytes);
    return cudaSuccess;
}

/* Of the module; the caller's to free. Null, and *count not 0: no memory. */
static simt_managed *managed_of(const cudart_module *module, unsigned *count)
{
    *count = 0;
    for (size_t i = 0; i < variables.count; i++)
        *count += variables.items[i].managed && variables.items[i].module == module;
    simt_managed *list = *count ? calloc(*count, sizeof *list) : NULL;
    unsigned n = 0;
    for (size_t i = 0; i < variables.count && list; i++) {
        const variable *v = &variables.items[i];
        if (v->managed && v->module == module)
            list[n++] = (simt_managed){ v->name, v->slot ? NULL : (void *)(uintptr_t)v->shadow };
    }
    return list;
}

/* The host may use them from now on. */
static cudaError_t open_managed(const cudart_module *module)
{
    for (size_t i = 0; i < variables.count; i++) {
        const variable *v = &variables.items[i];
        simt_addr address;
        size_t bytes;
        if (!v->managed || v->module != module)
            continue;
        cudaError_t error = cudart_back_symbol(module->id[cudart_gpu], v->name, &address, &bytes);
        if (error == cudaSuccess && !cudart_is_managed((const void *)(uintptr_t)address))
            error = cudart_add_variable(v->slot ? (const void *)(uintptr_t)address : v->shadow,
                                        address, bytes);
        if (error != cudaSuccess)
            return error;
        if (v->slot)
            *v->slot = (void *)(uintptr_t)address;
    }
    return cudaSuccess;
}

static cudaError_t load_text(cudart_module *module)
{
    unsigned count;
    simt_managed *managed = managed_of(module, &count);
    cudaError_t error = count && !managed
                            ? cudaErrorMemoryAllocation
                            : cudart_back_load((const char *)module->text, module->length, managed,
                                               count, &module->id[cudart_gpu]);
    free(managed);
    if (error == cudaSuccess)
        module->generation[cudart_gpu] = cudart.generation;
    return error == cudaSuccess ? open_managed(module) : error;
}

static cudaError_t load(cudart_module *module)
{
    cudaError_t error = cudart_open_current();
    if (error != cudaSuccess || module->generation[cudart_gpu] == cudart.generation)
        return error;
    uint32_t magic;
    memcpy(&magic, module->text, sizeof magic);
    error = magic == CONTAINER_MAGIC ? open_container(module) : cudaSuccess;
    if (error != cudaSuccess)
        return error;
    if (!module->length)
        module->length = text_length(module->text);
    return load_text(module);
}

/* The program may use a __managed__ variable before any call: what has one is loaded at once, after
   all is registered, since the objects' constructors come before a library's. An error comes again
   with the first call. */
__attribute__((constructor)) static void load_managed(void)
{
    /* clang would run this while it compiles, when nothing is registered, and leave it out */
    __asm__ volatile("" ::: "memory");
    for (size_t i = 0; i < variables.count; i++)
        if (variables.items[i].managed && !variables.items[i].slot) {
            CUDART_TURN();
            (void)load(variables.items[i].module);
        }
}

cudaError_t cudart_find_function(const void *stub, cudart_function **function)
{
    for (size_t i = 0; i < functions.count; i++) {
        cudart_function *f = &functions.items[i];
        if (f->stub != stub)
            continue;
        cudaError_t error = load(f->module);
        *function = f;
        if (error != cudaSuccess || (f->generation == cudart.generation && f->gpu == cudart_gpu))
            return error;
        error = cudart_back_kernel(f->module->id[cudart_gpu], f->name, &f->kernel);
        f->gpu = cudart_gpu;
        if (error == cudaSuccess)
            f->generation = cudart.generation;
        return error;
    }
    return cudart_because(cudaErrorInvalidDeviceFunction,
                          "%p is not a __global__ function of this program", stub);
}

const char *cudart_function_name(const void *stub)
{
    for (size_t i = 0; i < functions.count; i++)
        if (functions.items[i].stub == stub)
            return functions.items[i].name;
    return NULL;
}

const char *cudart_variable_name(const void *shadow)
{
    for (size_t i = 0; i < variables.count; i++)
        if (variables.items[i].shadow == shadow && !variables.items[i].managed)
            return variables.items[i].name;
    return NULL;
}

cudaError_t cudart_find_symbol(const void *shadow, simt_addr *address, size_t *bytes)
{
    for (size_t i = 0; i < variables.count; i++) {
        const variable *v = &variables.items[i];
        if (v->shadow != shadow)
            continue;
        cudaError_t error = load(v->module);
        return error != cudaSuccess
                   ? error
                   : cudart_back_symbol(v->module->id[cudart_gpu], v->name, address, bytes);
    }
    return cudart_because(cudaErrorInvalidSymbol,
                          "%p is not a __device__ or __constant__ variable of this program",
                          shadow);
}

unsigned cudart_module_target(const cudart_function *function)
{
    unsigned target = 0;
    const char *text = (const char *)function->module->text;
    const char *found = memmem(text, function->module->length, ".target sm_", 11);
    if (found)
        sscanf(found, ".target sm_%3u", &target);
    return target;
}
