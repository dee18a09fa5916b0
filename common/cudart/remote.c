/*
 * remote.c: back.h, where the device is in the engine's process: each call is a message (wire.h).
 *
 * The engine's range of addresses is mapped here without access, so that host code that follows a
 * device pointer faults at that address; managed and mapped memory is mapped in it from the
 * windows.
 */
#define _GNU_SOURCE
#include "remote.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state.h"

enum { ENGINE_IS_GONE = 2, PAGE = 4096 };

static atomic_flag busy = ATOMIC_FLAG_INIT;
static bool is_open, at_work;       /* at_work: launched, and no wait was counted since */
static bool has_range;              /* the engine's range of addresses is ours to map */
static bool has_streams;            /* before, all is in order, and nothing need be said of it */
static unsigned gpus = 1, used_gpu; /* used_gpu: as the engine knows it */
static uint64_t base, device_bytes;
static unsigned char *stage;

static void take_turn(void)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        sched_yield();
}

static void end_turn(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

void cudart_tell(wire_kind kind, wire_message *message)
{
    message->head.kind = kind;
    if (!wire_send(WIRE_SOCKET, message, 0))
        _exit(ENGINE_IS_GONE);
}

bool cudart_hear(wire_message *message) { return wire_receive(WIRE_SOCKET, message) == WIRE_GOT; }

/* Asks, with the turn taken; the reply takes the message's place. */
static cudaError_t ask(wire_kind kind, wire_message *m)
{
    cudart_tell(kind, m);
    if (!cudart_hear(m) || m->head.kind != WIRE_REPLY)
        _exit(ENGINE_IS_GONE);
    return (cudaError_t)m->head.a[0];
}

/* The engine keeps its sentence about an error; the grader will have it from there. */
static cudaError_t explained(cudaError_t error)
{
    return error == cudaSuccess ? error : cudart_because(error, "%s", "");
}

#define ASK(kind, m, ...)                                                                          \
    (m).head.tail = 0;                                                                             \
    memcpy((m).head.a, (const uint64_t[8]){ __VA_ARGS__ }, sizeof(m).head.a);                      \
    take_turn();                                                                                   \
    const cudaError_t error = ask(kind, &(m));                                                     \
    end_turn()

static bool shut_range(uint64_t start, uint64_t bytes, int how)
{
    void *at = (void *)(uintptr_t)start;
    return mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | how, -1, 0) ==
           at;
}

/* Once: staging memory, and the device's addresses. Where these are taken, a host dereference
   faults as well, or meets what is there; managed memory cannot be had. */
static cudaError_t map_device(uint64_t start, uint64_t bytes)
{
    struct stat shared;

    if (fstat(WIRE_MEMORY, &shared) != 0 || bytes == 0 || bytes % PAGE || start % PAGE ||
        bytes > (uint64_t)shared.st_size / 2)
        _exit(ENGINE_IS_GONE);
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_MEMORY, 0);
    if (map == MAP_FAILED)
        return cudart_because(cudaErrorInitializationError, "no room for the staging memory");
    base = start;
    device_bytes = bytes;
    stage = map;
    has_range = shut_range(base, device_bytes, MAP_FIXED_NOREPLACE);
    return cudaSuccess;
}

static cudaError_t open_device(wire_message *m)
{
    ASK(WIRE_OPEN, *m, 0);
    if (error != cudaSuccess || is_open)
        return explained(error);
    const cudaError_t mapped = stage ? cudaSuccess : map_device(m->head.a[1], m->head.a[2]);
    if (mapped != cudaSuccess)
        return mapped;
    is_open = true;
    gpus = m->head.a[3] > 0 && m->head.a[3] <= SIMT_MAX_GPUS ? (unsigned)m->head.a[3] : 1;
    used_gpu = 0;
    cudart.generation++;
    return cudaSuccess;
}

cudaError_t cudart_back_open(void)
{
    wire_message m;
    return is_open ? cudaSuccess : open_device(&m);
}

void cudart_back_reset(void)
{
    wire_message m;
    ASK(WIRE_RESET, m, 0);
    (void)error;
    is_open = at_work = has_streams = false;
    if (has_range)
        shut_range(base, device_bytes, MAP_FIXED);
}

void cudart_back_wait(cudart_waiting why)
{
    wire_message m;
    if (!is_open)
        return;
    ASK(WIRE_WAIT, m, why == CUDART_ASIDE);
    (void)error;
    at_work = false;
}

void cudart_back_wait_by_the_way(void) {}

unsigned cudart_back_gpus(void) { return gpus; }

void cudart_back_use(unsigned gpu)
{
    wire_message m;
    if (gpu == used_gpu || gpu >= gpus)
        return;
    ASK(WIRE_USE, m, gpu);
    if (error == cudaSuccess)
        used_gpu = gpu;
}

cudaError_t cudart_back_let_peer(unsigned gpu, unsigned peer, bool may)
{
    wire_message m;
    ASK(WIRE_PEER, m, gpu, peer, may);
    return explained(error);
}

void cudart_back_facts(simt_limits *facts)
{
    wire_message m;
    *facts = *simt_device_limits();
    ASK(WIRE_FACTS, m, 0);
    if (error != cudaSuccess)
        return;
    facts->multiprocessors = (unsigned)m.head.a[1];
    facts->max_blocks_per_multiprocessor = (unsigned)m.head.a[2];
}

void cudart_back_memory(size_t *free_bytes, size_t *total_bytes)
{
    wire_message m;
    ASK(WIRE_MEMORY_OF, m, 0);
    (void)error;
    *free_bytes = m.head.a[1];
    *total_bytes = m.head.a[2];
}

/* ---- memory ---------------------------------------------------------------------------------- */

static uint64_t pages(uint64_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

cudaError_t cudart_back_alloc(size_t bytes, cudart_kind kind, simt_addr *address)
{
    wire_message m;
    ASK(WIRE_ALLOC, m, bytes, kind);
    if (error != cudaSuccess)
        return explained(error);
    *address = m.head.a[1];
    if (*address - base >= device_bytes)
        _exit(ENGINE_IS_GONE);
    if (kind == CUDART_OTHER)
        return cudaSuccess;
    const uint64_t offset = *address - base;
    if (!has_range) {
        cudart_back_free(*address, kind, false);
        return cudart_because(cudaErrorMemoryAllocation, "the host cannot map the device's memory");
    }
    if (offset % PAGE || offset >= device_bytes || pages(bytes) > device_bytes - offset)
        _exit(ENGINE_IS_GONE);
    void *at = (void *)(uintptr_t)*address;
    if (mmap(at, pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, WIRE_MEMORY,
             (off_t)(device_bytes + offset)) == at)
        return cudaSuccess;
    cudart_back_free(*address, kind, false);
    return cudart_because(cudaErrorMemoryAllocation, "the host cannot map %zu bytes", bytes);
}

cudaError_t cudart_back_free(simt_addr address, cudart_kind kind, bool waits)
{
    wire_message m;
    ASK(WIRE_FREE, m, address, kind, waits);
    at_work = at_work && !waits;
    if (error == cudaSuccess && kind != CUDART_OTHER && has_range &&
        address - base < device_bytes && m.head.a[1] <= device_bytes - (address - base))
        shut_range(address, pages(m.head.a[1]), MAP_FIXED);
    return explained(error);
}

bool cudart_back_holds(simt_addr address)
{
    wire_message m;
    ASK(WIRE_HOLDS, m, address);
    return error == cudaSuccess && m.head.a[1];
}

static bool fits_stage(size_t width, size_t height)
{
    return width > 0 && height <= device_bytes / width;
}

cudaError_t cudart_back_write(simt_addr to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height)
{
    wire_message m = { .head = { .a = { to, to_pitch, width, height } } };
    take_turn();
    cudaError_t error = ask(WIRE_WRITE, &m);
    if (error == cudaSuccess && !fits_stage(width, height))
        _exit(ENGINE_IS_GONE);
    if (error == cudaSuccess) {
        for (size_t row = 0; row < height; row++)
            memcpy(stage + row * width, (const char *)from + row * from_pitch, width);
        m.head.tail = 0;
        error = ask(WIRE_STAGED, &m);
    }
    end_turn();
    return explained(error);
}

cudaError_t cudart_back_read(void *to, size_t to_pitch, simt_addr from, size_t from_pitch,
                             size_t width, size_t height)
{
    wire_message m = { .head = { .a = { from, from_pitch, width, height } } };
    take_turn();
    cudaError_t error = ask(WIRE_READ, &m);
    if (error == cudaSuccess && !fits_stage(width, height))
        _exit(ENGINE_IS_GONE);
    for (size_t row = 0; error == cudaSuccess && row < height; row++)
        memcpy((char *)to + row * to_pitch, stage + row * width, width);
    at_work = at_work && error != cudaSuccess;
    end_turn();
    return explained(error);
}

/* A submission's findings name no call of its host program. */
void cudart_back_called_from(uint64_t caller) { (void)caller; }

void cudart_back_changed(simt_addr to, uint64_t caller)
{
    wire_message m;
    ASK(WIRE_CHANGED, m, to, caller);
    (void)error;
}

cudaError_t cudart_back_copy(simt_addr to, size_t to_pitch, simt_addr from, size_t from_pitch,
                             size_t width, size_t height)
{
    wire_message m;
    ASK(WIRE_COPY, m, to, to_pitch, from, from_pitch, width, height);
    return explained(error);
}

cudaError_t cudart_back_fill(simt_addr to, size_t pitch, uint8_t value, size_t width, size_t height)
{
    wire_message m;
    ASK(WIRE_FILL, m, to, pitch, value, width, height);
    return explained(error);
}

/* Whoever serves it runs a launch to its end. */
bool cudart_back_may_wait(unsigned handle)
{
    (void)handle;
    return false;
}

/* The engine's process does not see it. */
bool cudart_back_pin(void *start, size_t bytes)
{
    (void)start, (void)bytes;
    return false;
}

void cudart_back_unpin(const void *start) { (void)start; }

void cudart_back_let_host(simt_addr start, size_t bytes, bool may)
{
    mprotect((void *)(uintptr_t)start, pages(bytes), may ? PROT_READ | PROT_WRITE : PROT_NONE);
}

bool cudart_back_touch(simt_addr start, size_t bytes)
{
    wire_message m;
    (void)bytes;
    /* it was reached by a host function in a stream, or after a call that waits by the way */
    if (at_work)
        cudart_back_wait(CUDART_PURPOSE);
    ASK(WIRE_TOUCH, m, start);
    return error == cudaSuccess;
}

/* ---- code ------------------------------------------------------------------------------------ */

/* The grader gave the engine the code; what this program holds of it stays here. A submission with
   __managed__ variables does not compile (host_defines.h). */
cudaError_t cudart_back_load(const char *ptx, size_t bytes, const simt_managed *managed,
                             unsigned count, unsigned *module)
{
    wire_message m;
    (void)ptx, (void)bytes, (void)managed, (void)count;
    ASK(WIRE_LOAD, m, 0);
    *module = 0;
    return explained(error);
}

static cudaError_t ask_by_name(wire_kind kind, const char *name, wire_message *m)
{
    const size_t length = strlen(name);
    if (length > WIRE_TAIL)
        return cudart_because(cudaErrorInvalidValue, "a name of %zu characters", length);
    memset(&m->head, 0, sizeof m->head);
    m->head.tail = (uint32_t)length;
    memcpy(m->tail, name, length);
    take_turn();
    const cudaError_t error = ask(kind, m);
    end_turn();
    return explained(error);
}

cudaError_t cudart_back_kernel(unsigned module, const char *name, cudart_kernel *kernel)
{
    wire_message m;
    uint64_t at[2];
    (void)module;
    const cudaError_t error = ask_by_name(WIRE_KERNEL, name, &m);
    if (error != cudaSuccess)
        return error;
    *kernel = (cudart_kernel){ .handle = (unsigned)m.head.a[1],
                               .params = (unsigned)m.head.a[2],
                               .param_bytes = m.head.a[3] };
    if (m.head.a[2] > 64 || m.head.tail != m.head.a[2] * sizeof at)
        _exit(ENGINE_IS_GONE);
    for (unsigned i = 0; i < kernel->params; i++) {
        memcpy(at, m.tail + i * sizeof at, sizeof at);
        kernel->param_offset[i] = at[0];
        kernel->param_size[i] = at[1];
        if (at[0] > kernel->param_bytes || at[1] > kernel->param_bytes - at[0])
            _exit(ENGINE_IS_GONE);
    }
    return cudaSuccess;
}

cudaError_t cudart_back_symbol(unsigned module, const char *name, simt_addr *address, size_t *bytes)
{
    wire_message m;
    (void)module;
    const cudaError_t error = ask_by_name(WIRE_SYMBOL, name, &m);
    if (error == cudaSuccess) {
        *address = m.head.a[1];
        *bytes = m.head.a[2];
    }
    return error;
}

cudaError_t cudart_back_attributes(unsigned handle, struct cudaFuncAttributes *attributes)
{
    const simt_limits *limits = simt_device_limits();
    wire_message m;
    ASK(WIRE_ATTRIBUTES, m, handle);
    if (error != cudaSuccess)
        return explained(error);
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = m.head.a[1],
        .constSizeBytes = m.head.a[2],
        .localSizeBytes = m.head.a[3],
        .maxThreadsPerBlock = (int)m.head.a[4],
        .numRegs = (int)m.head.a[5],
        .binaryVersion = (int)(10 * limits->major + limits->minor),
        .maxDynamicSharedSizeBytes = (int)m.head.a[6],
        .preferredShmemCarveout = -1,
    };
    return cudaSuccess;
}

cudaError_t cudart_back_set_dynamic(unsigned handle, int bytes)
{
    wire_message m;
    ASK(WIRE_DYNAMIC, m, handle, (uint64_t)(unsigned)bytes);
    return explained(error);
}

cudaError_t cudart_back_occupancy(unsigned handle, unsigned threads, size_t dynamic_shared,
                                  int *blocks)
{
    wire_message m;
    ASK(WIRE_OCCUPANCY, m, handle, threads, dynamic_shared);
    if (error == cudaSuccess)
        *blocks = (int)m.head.a[1];
    return explained(error);
}

cudaError_t cudart_back_best_block(unsigned handle, size_t dynamic_shared, unsigned limit,
                                   int *threads, int *blocks)
{
    wire_message m;
    ASK(WIRE_BEST, m, handle, dynamic_shared, limit);
    if (error == cudaSuccess) {
        *threads = (int)m.head.a[1];
        *blocks = (int)m.head.a[2];
    }
    return explained(error);
}

/* The client's own affair. */
void cudart_back_refused(const char *name, const simt_dim *grid, const simt_dim *block,
                         uint64_t from)
{
    (void)name, (void)grid, (void)block, (void)from;
}

cudaError_t cudart_back_launch(const cudart_launch *l)
{
    wire_message m = { .head = { .tail = (uint32_t)l->param_bytes,
                                 .a = { l->handle, l->grid.x | (uint64_t)l->grid.y << 32,
                                        l->grid.z | (uint64_t)l->block.x << 32,
                                        l->block.y | (uint64_t)l->block.z << 32, l->dynamic_shared,
                                        l->cooperative, l->stream, l->from } } };
    if (l->param_bytes > WIRE_TAIL)
        return cudart_because(cudaErrorInvalidValue, "too many bytes of parameters");
    fflush(stdout); /* what the kernel prints comes after what was printed before it */
    memcpy(m.tail, l->params, l->param_bytes);
    take_turn();
    const cudaError_t error = ask(WIRE_LAUNCH, &m);
    end_turn();
    at_work = true;
    if (m.head.a[1])
        cudart.pending = (cudaError_t)m.head.a[1];
    return explained(error);
}

/* ---- what the program keeps, and knows ------------------------------------------------------- */

cudaError_t cudart_back_keep(size_t bytes, unsigned *number)
{
    wire_message m;
    ASK(WIRE_KEEP, m, bytes);
    *number = (unsigned)m.head.a[1];
    return explained(error);
}

void cudart_back_let_go(unsigned number)
{
    wire_message m;
    ASK(WIRE_LET_GO, m, number);
    (void)error;
}

void cudart_back_taken(void)
{
    wire_message m;
    ASK(WIRE_TAKEN, m, 0);
    (void)error;
}

/* ---- order ----------------------------------------------------------------------------------- */

unsigned cudart_back_order(cudart_step step, unsigned stream, unsigned other)
{
    wire_message m;
    has_streams = has_streams || step == CUDART_STREAM_MADE;
    if (!has_streams && gpus == 1)
        return other;
    ASK(WIRE_ORDER, m, step, stream, other);
    if (error == cudaSuccess && m.head.a[2])
        cudart.pending = (cudaError_t)m.head.a[2];
    return error == cudaSuccess ? (unsigned)m.head.a[1] : 0;
}
