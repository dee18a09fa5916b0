/*
 * serve.c: see serve.h.
 *
 * Managed and mapped memory. Kernels work on the engine's own pages; the client has a window, and
 * what is in it is copied at the turns of the conversation: from an open window before the device
 * uses the memory, into it afterwards. After a launch the windows of managed memory are closed, and
 * TOUCH fills one and opens it: so each byte that the host gets to see is counted here.
 */
#include "serve.h"

#include <stdlib.h>
#include <string.h>

#include "back.h"
#include "state.h"

struct cudart_window {
    cudart_window *next;
    simt_addr start;
    size_t bytes;
    bool managed, open;
};

static unsigned char *window_of(const cudart_server *s, const cudart_window *w)
{
    return s->memory + wire_windows(&s->layout) +
           (w->start - simt_address_range(cudart_device()).address);
}

static void take_in(const cudart_server *s, const cudart_window *w)
{
    if (w->open)
        memcpy((void *)(uintptr_t)w->start, window_of(s, w), w->bytes);
}

static void give_out(const cudart_server *s, const cudart_window *w)
{
    if (w->open)
        memcpy(window_of(s, w), (const void *)(uintptr_t)w->start, w->bytes);
}

static cudart_window *window_with(const cudart_server *s, simt_addr address)
{
    cudart_window *w = s->windows;
    while (w && address - w->start >= w->bytes)
        w = w->next;
    return w;
}

static void take_in_at(const cudart_server *s, simt_addr address)
{
    const cudart_window *w = window_with(s, address);
    if (w)
        take_in(s, w);
}

static void give_out_at(const cudart_server *s, simt_addr address)
{
    const cudart_window *w = window_with(s, address);
    if (w)
        give_out(s, w);
}

static void forget_windows(cudart_server *s)
{
    while (s->windows) {
        cudart_window *next = s->windows->next;
        free(s->windows);
        s->windows = next;
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static cudaError_t serve_open(const cudart_server *s, uint64_t *value)
{
    cudaError_t error = cudart_back_open();
    if (error != cudaSuccess)
        return error;
    const simt_range range = simt_address_range(cudart_device());
    if (range.bytes != s->layout.device_bytes)
        return cudaErrorInitializationError;
    value[0] = range.address;
    value[1] = range.bytes;
    value[2] = cudart_back_gpus();
    return cudaSuccess;
}

static cudaError_t serve_facts(cudart_server *s, uint64_t *value)
{
    simt_limits facts;
    cudart_back_facts(&facts);
    value[0] = facts.multiprocessors;
    value[1] = facts.max_blocks_per_multiprocessor;
    s->asked_blocks = true;
    return cudaSuccess;
}

static void serve_reset(cudart_server *s)
{
    cudart_back_reset();
    forget_windows(s);
    cudart.pending = cudart.sticky = cudaSuccess;
    s->at_work = false;
    s->gpu = 0;
}

static cudaError_t serve_alloc(cudart_server *s, const uint64_t *a, uint64_t *value)
{
    simt_addr address;
    if (a[0] == 0 || a[1] > CUDART_MAPPED)
        return cudaErrorInvalidValue;
    cudart_window *w = a[1] == CUDART_OTHER ? NULL : malloc(sizeof *w);
    if (a[1] != CUDART_OTHER && !w)
        return cudaErrorMemoryAllocation;
    cudaError_t error = cudart_back_alloc(a[0], (cudart_kind)a[1], &address);
    if (error != cudaSuccess) {
        free(w);
        return error;
    }
    value[0] = address;
    if (w) {
        *w = (cudart_window){ s->windows, address, a[0], a[1] == CUDART_MANAGED, true };
        s->windows = w;
        give_out(s, w);
    }
    return cudaSuccess;
}

static cudaError_t serve_free(cudart_server *s, const uint64_t *a, uint64_t *value)
{
    if (a[1] > CUDART_MAPPED)
        return cudaErrorInvalidValue;
    cudaError_t error = cudart_back_free(a[0], (cudart_kind)a[1], a[2] != 0);
    s->at_work = s->at_work && a[2] == 0;
    for (cudart_window **link = &s->windows; error == cudaSuccess && *link; link = &(*link)->next)
        if ((*link)->start == a[0]) {
            cudart_window *gone = *link;
            value[0] = gone->bytes;
            *link = gone->next;
            free(gone);
            break;
        }
    return error;
}

/* Do rows of device memory lie in one allocation? If not, the address of the first that does
   not. */
static bool rows_fit(uint64_t address, uint64_t pitch, uint64_t width, uint64_t height,
                     uint64_t *beyond)
{
    simt_addr start;
    size_t bytes;

    *beyond = address;
    if (simt_allocation(cudart_device(), address, &start, &bytes) != SIMT_OK)
        return false;
    const uint64_t left = start + bytes - address;
    if (width > left)
        return false;
    const uint64_t rows = height > 1 ? (left - width) / pitch + 1 : 1;
    if (height <= rows)
        return true;
    *beyond = address + rows * pitch;
    return false;
}

static bool are_rows(uint64_t pitch, uint64_t width, uint64_t height)
{
    return width > 0 && height > 0 && pitch >= width;
}

/* Of a row that is not in its allocation: the engine notes what is wrong, and touches nothing. (A
   row in another allocation is no longer than that, and so no longer than STAGE.) */
static cudaError_t refused(cudaError_t error)
{
    return error != cudaSuccess ? error : cudaErrorInvalidValue;
}

static cudaError_t serve_write(cudart_server *s, const uint64_t *a)
{
    uint64_t beyond;
    if (!are_rows(a[1], a[2], a[3]))
        return cudaErrorInvalidValue;
    if (!rows_fit(a[0], a[1], a[2], a[3], &beyond))
        return refused(cudart_back_write(beyond, a[2], s->memory, a[2], a[2], 1));
    memcpy(s->write, a, sizeof s->write);
    s->writing = true;
    return cudaSuccess;
}

static cudaError_t serve_staged(cudart_server *s)
{
    const uint64_t *a = s->write;
    take_in_at(s, a[0]);
    cudaError_t error = cudart_back_write(a[0], a[1], s->memory, a[2], a[2], a[3]);
    give_out_at(s, a[0]);
    return error;
}

static cudaError_t serve_read(cudart_server *s, const uint64_t *a)
{
    uint64_t beyond;
    if (!are_rows(a[1], a[2], a[3]))
        return cudaErrorInvalidValue;
    if (!rows_fit(a[0], a[1], a[2], a[3], &beyond))
        return refused(cudart_back_read(s->memory, a[2], beyond, a[2], a[2], 1));
    take_in_at(s, a[0]);
    cudaError_t error = cudart_back_read(s->memory, a[2], a[0], a[1], a[2], a[3]);
    s->at_work = s->at_work && error != cudaSuccess;
    return error;
}

static cudaError_t serve_copy(cudart_server *s, const uint64_t *a)
{
    uint64_t to, from;
    if (!are_rows(a[1], a[4], a[5]) || !are_rows(a[3], a[4], a[5]))
        return cudaErrorInvalidValue;
    const bool fits = rows_fit(a[2], a[3], a[4], a[5], &from);
    if (!fits || !rows_fit(a[0], a[1], a[4], a[5], &to))
        return refused(cudart_back_copy(fits ? to : a[0], a[4], from, a[4], a[4], 1));
    take_in_at(s, a[0]);
    take_in_at(s, a[2]);
    cudaError_t error = cudart_back_copy(a[0], a[1], a[2], a[3], a[4], a[5]);
    give_out_at(s, a[0]);
    return error;
}

static cudaError_t serve_fill(cudart_server *s, const uint64_t *a)
{
    uint64_t beyond;
    if (!are_rows(a[1], a[3], a[4]))
        return cudaErrorInvalidValue;
    if (!rows_fit(a[0], a[1], a[3], a[4], &beyond))
        return refused(cudart_back_fill(beyond, a[3], (uint8_t)a[2], a[3], 1));
    take_in_at(s, a[0]);
    cudaError_t error = cudart_back_fill(a[0], a[1], (uint8_t)a[2], a[3], a[4]);
    give_out_at(s, a[0]);
    return error;
}

/* False: nobody has waited for the device. */
static bool serve_touch(cudart_server *s, uint64_t address, cudaError_t *error)
{
    cudart_window *w = window_with(s, address);
    if (s->at_work)
        return false;
    *error = w && w->managed ? cudaSuccess : cudaErrorInvalidValue;
    if (*error == cudaSuccess && !w->open) {
        w->open = cudart_back_touch(w->start, w->bytes);
        give_out(s, w);
    }
    return true;
}

/* ---- code ------------------------------------------------------------------------------------ */

static cudaError_t serve_load(cudart_server *s)
{
    cudaError_t error = cudart_back_open();
    if (error != cudaSuccess || s->generation[s->gpu] == cudart.generation)
        return error;
    error = cudart_back_load(s->ptx, s->ptx_bytes, NULL, 0, &s->module[s->gpu]);
    if (error == cudaSuccess)
        s->generation[s->gpu] = cudart.generation;
    return error;
}

/* The name in a message's tail, with an end. */
static void name_of(const wire_message *m, char name[WIRE_TAIL + 1])
{
    memcpy(name, m->tail, m->head.tail);
    name[m->head.tail] = '\0';
}

static cudaError_t serve_kernel(cudart_server *s, wire_message *m, uint64_t *value)
{
    char name[WIRE_TAIL + 1];
    cudart_kernel kernel;
    cudaError_t error = serve_load(s);

    name_of(m, name);
    if (error == cudaSuccess)
        error = cudart_back_kernel(s->module[s->gpu], name, &kernel);
    if (error != cudaSuccess)
        return error;
    value[0] = kernel.handle;
    value[1] = kernel.params;
    value[2] = kernel.param_bytes;
    for (unsigned i = 0; i < kernel.params; i++) {
        const uint64_t at[2] = { kernel.param_offset[i], kernel.param_size[i] };
        memcpy(m->tail + i * sizeof at, at, sizeof at);
    }
    m->head.tail = (uint32_t)(kernel.params * 2 * sizeof(uint64_t));
    return cudaSuccess;
}

static cudaError_t serve_symbol(cudart_server *s, const wire_message *m, uint64_t *value)
{
    char name[WIRE_TAIL + 1];
    simt_addr address = 0;
    size_t bytes = 0;
    cudaError_t error = serve_load(s);

    name_of(m, name);
    if (error == cudaSuccess)
        error = cudart_back_symbol(s->module[s->gpu], name, &address, &bytes);
    value[0] = address;
    value[1] = bytes;
    return error;
}

static cudaError_t serve_attributes(uint64_t handle, uint64_t *value)
{
    struct cudaFuncAttributes f = { 0 };
    cudaError_t error = cudart_back_attributes((unsigned)handle, &f);

    value[0] = f.sharedSizeBytes;
    value[1] = f.constSizeBytes;
    value[2] = f.localSizeBytes;
    value[3] = (uint64_t)f.maxThreadsPerBlock;
    value[4] = (uint64_t)f.numRegs;
    value[5] = (uint64_t)f.maxDynamicSharedSizeBytes;
    return error;
}

static cudaError_t serve_best(cudart_server *s, const uint64_t *a, uint64_t *value)
{
    s->asked_blocks = true;
    int threads = 0, blocks = 0;
    cudaError_t error =
        cudart_back_best_block((unsigned)a[0], a[1], (unsigned)a[2], &threads, &blocks);
    value[0] = (uint64_t)threads;
    value[1] = (uint64_t)blocks;
    return error;
}

static cudaError_t serve_occupancy(cudart_server *s, const uint64_t *a, uint64_t *value)
{
    int blocks = 0;
    s->asked_blocks = true;
    cudaError_t error = cudart_back_occupancy((unsigned)a[0], (unsigned)a[1], a[2], &blocks);
    value[0] = (uint64_t)blocks;
    return error;
}

static cudaError_t serve_launch(cudart_server *s, const wire_message *m, uint64_t *value)
{
    const uint64_t *a = m->head.a;
    const cudart_launch wanted = {
        .handle = (unsigned)a[0],
        .grid = { (unsigned)a[1], (unsigned)(a[1] >> 32), (unsigned)a[2] },
        .block = { (unsigned)(a[2] >> 32), (unsigned)a[3], (unsigned)(a[3] >> 32) },
        .dynamic_shared = a[4],
        .params = m->tail,
        .param_bytes = m->head.tail,
        .cooperative = a[5] & 1,
        .stream = (unsigned)a[6],
        .from = a[7],
    };
    for (const cudart_window *w = s->windows; w; w = w->next)
        take_in(s, w);
    cudaError_t error = cudart_back_launch(&wanted);
    s->at_work = true;
    for (cudart_window *w = s->windows; w; w = w->next) {
        if (w->managed && error == cudaSuccess)
            w->open = false;
        give_out(s, w);
    }
    value[0] = cudart.pending;
    return error;
}

static cudaError_t serve_order(const uint64_t *a, uint64_t *value)
{
    if (a[0] >= CUDART_STEPS)
        return cudaErrorInvalidValue;
    value[0] = cudart_back_order((cudart_step)a[0], (unsigned)a[1], (unsigned)a[2]);
    value[1] = cudart.pending;
    return cudaSuccess;
}

static cudaError_t serve_use(cudart_server *s, const uint64_t *a)
{
    if (a[0] >= cudart_back_gpus())
        return cudaErrorInvalidDevice;
    s->gpu = (unsigned)a[0];
    cudart_back_use(s->gpu);
    return cudaSuccess;
}

static cudaError_t serve_peer(const uint64_t *a)
{
    const unsigned gpus = cudart_back_gpus();
    if (a[0] >= gpus || a[1] >= gpus || a[2] > 1)
        return cudaErrorInvalidDevice;
    return cudart_back_let_peer((unsigned)a[0], (unsigned)a[1], a[2]);
}

static cudaError_t serve_keep(const uint64_t *a, uint64_t *value)
{
    unsigned number = 0;
    cudaError_t error = cudart_back_keep(a[0], &number);
    value[0] = number;
    return error;
}

/* ---- every call ------------------------------------------------------------------------------ */

/* Those that go on after a fault: they do not use the device. */
static bool is_harmless(uint32_t kind)
{
    return kind == WIRE_OPEN || kind == WIRE_RESET || kind == WIRE_WAIT || kind == WIRE_MEMORY_OF ||
           kind == WIRE_FACTS || kind == WIRE_HOLDS || kind == WIRE_LET_GO || kind == WIRE_TAKEN;
}

static cudaError_t serve_device(cudart_server *s, wire_message *m, uint64_t *value, bool *known)
{
    const uint64_t *a = m->head.a;
    cudaError_t error = cudaSuccess;

    switch (m->head.kind) {
    case WIRE_ALLOC: return serve_alloc(s, a, value);
    case WIRE_FREE: return serve_free(s, a, value);
    case WIRE_WRITE: return serve_write(s, a);
    case WIRE_STAGED: return serve_staged(s);
    case WIRE_READ: return serve_read(s, a);
    case WIRE_COPY: return serve_copy(s, a);
    case WIRE_FILL: return serve_fill(s, a);
    case WIRE_LOAD: return serve_load(s);
    case WIRE_KERNEL: return serve_kernel(s, m, value);
    case WIRE_SYMBOL: return serve_symbol(s, m, value);
    case WIRE_ATTRIBUTES: return serve_attributes(a[0], value);
    case WIRE_DYNAMIC: return cudart_back_set_dynamic((unsigned)a[0], (int)a[1]);
    case WIRE_OCCUPANCY: return serve_occupancy(s, a, value);
    case WIRE_BEST: return serve_best(s, a, value);
    case WIRE_LAUNCH: return serve_launch(s, m, value);
    case WIRE_ORDER: return serve_order(a, value);
    case WIRE_KEEP: return serve_keep(a, value);
    case WIRE_USE: return serve_use(s, a);
    case WIRE_PEER: return serve_peer(a);
    case WIRE_CHANGED: cudart_back_changed(a[0], a[1]); return error;
    case WIRE_TOUCH: *known = serve_touch(s, a[0], &error); return error;
    default: *known = false; return error;
    }
}

static cudaError_t serve_harmless(cudart_server *s, const wire_message *m, uint64_t *value)
{
    const uint64_t *a = m->head.a;
    size_t free_bytes = 0, all_bytes = 0;

    if (m->head.kind == WIRE_RESET) {
        serve_reset(s);
        return cudaSuccess;
    }
    const cudaError_t error = serve_open(s, value);
    if (error != cudaSuccess)
        return error;
    switch (m->head.kind) {
    case WIRE_WAIT:
        cudart_back_wait(a[0] ? CUDART_ASIDE : CUDART_PURPOSE);
        s->at_work = false;
        return cudaSuccess;
    case WIRE_MEMORY_OF:
        cudart_back_memory(&free_bytes, &all_bytes);
        value[0] = free_bytes;
        value[1] = all_bytes;
        return cudaSuccess;
    case WIRE_FACTS: return serve_facts(s, value);
    case WIRE_LET_GO: cudart_back_let_go((unsigned)a[0]); return cudaSuccess;
    case WIRE_TAKEN: cudart_back_taken(); return cudaSuccess;
    case WIRE_HOLDS: value[0] = cudart_back_holds(a[0]); return cudaSuccess;
    default: return cudaSuccess;
    }
}

bool cudart_serve(cudart_server *s, wire_message *m)
{
    uint64_t value[7] = { 0 };
    bool known = true;
    cudaError_t error;

    if (s->writing != (m->head.kind == WIRE_STAGED))
        return false;
    s->writing = false;
    if (is_harmless(m->head.kind)) {
        error = serve_harmless(s, m, value);
    } else if (s->no_device) { /* or work would be done here, where its time is not taken */
        known = m->head.kind > WIRE_OPEN;
        s->asked_in_vain = true;
        error = cudaErrorNoDevice;
    } else if (cudart_has_faulted()) {
        error = cudart.pending != cudaSuccess ? cudart.pending : cudart.sticky;
    } else if ((error = cudart_back_open()) == cudaSuccess) {
        error = serve_device(s, m, value, &known);
    }
    if (m->head.kind != WIRE_KERNEL || error != cudaSuccess)
        m->head.tail = 0;
    m->head.kind = WIRE_REPLY;
    m->head.a[0] = (uint64_t)error;
    memcpy(m->head.a + 1, value, sizeof value);
    return known;
}
