/*
 * model.c: what calls to the engine must return and leave. Interface: model.h.
 */
#include "model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outcome.h"

/* Of each thread i: add: p[i] += k; count_up: count += k; twice: p[i] *= 2, with a barrier before
   the store. */
static const char text[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 count = 5;\n.visible .global .align 8 .b8 room[1500];\n"
    ".visible .entry add(.param .u64 p, .param .u32 k)\n{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<3>;\n"
    "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    "
    "mad.lo.u32 %r1, %r2, %r3, %r1;\n"
    "    ld.param.u64 %rd1, [p];\n    ld.param.u32 %r4, [k];\n    mul.wide.u32 %rd2, %r1, 4;\n    "
    "add.u64 %rd1, %rd1, %rd2;\n"
    "    ld.global.u32 %r5, [%rd1];\n    add.u32 %r5, %r5, %r4;\n    st.global.u32 [%rd1], %r5;\n  "
    "  ret;\n}\n"
    ".visible .entry count_up(.param .u64 p, .param .u32 k)\n{\n"
    "    .reg .b32 %r<3>;\n    .reg .b64 %rd<2>;\n"
    "    ld.param.u32 %r1, [k];\n    mov.u64 %rd1, count;\n    atom.global.add.u32 %r2, [%rd1], "
    "%r1;\n    ret;\n}\n"
    ".visible .entry twice(.param .u64 p, .param .u32 k)\n{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<3>;\n"
    "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    "
    "mad.lo.u32 %r1, %r2, %r3, %r1;\n"
    "    ld.param.u64 %rd1, [p];\n    mul.wide.u32 %rd2, %r1, 4;\n    add.u64 %rd1, %rd1, %rd2;\n"
    "    ld.global.u32 %r4, [%rd1];\n    bar.sync 0;\n    shl.b32 %r4, %r4, 1;\n    st.global.u32 "
    "[%rd1], %r4;\n    ret;\n}\n";

static const char *const kernels[] = { "add", "count_up", "twice" };
enum { ADD, COUNT_UP, TWICE };

/* ---- saying so ------------------------------------------------------------------------------- */

static void say(const model *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const model *m, const char *format, ...)
{
    static int show = -1;
    if (show < 0)
        show = getenv("FUZZ_SHOW") != NULL;
    if (!show)
        return;
    va_list args;
    va_start(args, format);
    fprintf(stderr, "device %u: ", m->number);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

void model_need(const model *m, bool ok, const char *format, ...)
{
    if (ok)
        return;
    va_list args;
    va_start(args, format);
    fprintf(stderr, "fuzz: device %u: ", m->number);
    vfprintf(stderr, format, args);
    fprintf(stderr, " (%s)\n", simt_error(m->device));
    va_end(args);
    abort();
}

static void expect(const model *m, simt_status status, simt_status expected, const char *call)
{
    say(m, "%s: status %d%s%s", call, (int)status, status == SIMT_OK ? "" : ", ",
        status == SIMT_OK ? "" : simt_error(m->device));
    model_need(m, status == expected, "%s: status %d, expected %d", call, (int)status,
               (int)expected);
    model_need(m, status == SIMT_OK || *simt_error(m->device), "%s: status %d without a message",
               call, (int)status);
}

/* ---- the model ------------------------------------------------------------------------------- */

static model_memory *at(model *m, simt_addr address)
{
    for (unsigned k = 0; k < m->count; k++)
        if (address - m->live[k].address < m->live[k].bytes)
            return &m->live[k];
    return NULL;
}

simt_addr model_start(const model *m, simt_addr address)
{
    const model_memory *a = at((model *)m, address);
    return a ? a->address : address;
}

/* The bytes behind a range, where one allocation holds it. */
static uint8_t *range(model *m, simt_addr address, size_t bytes)
{
    model_memory *a = at(m, address);
    return a && bytes <= a->bytes - (address - a->address) ? a->holds + (address - a->address)
                                                           : NULL;
}

/* In memory that is the engine's own, the workspace of a cooperative grid: not the model's to
   touch. */
static bool unknown(model *m, simt_addr address)
{
    simt_addr start;
    size_t bytes;
    return !at(m, address) && simt_allocation(m->device, address, &start, &bytes) == SIMT_OK;
}

static simt_status fits(model *m, simt_addr address, size_t bytes)
{
    return bytes == 0 || range(m, address, bytes) ? SIMT_OK : SIMT_BAD_ADDRESS;
}

static void adopt(model *m, simt_addr address, size_t bytes, bool variable)
{
    model_memory *a = &m->live[m->count];
    *a = (model_memory){ address, bytes, malloc(bytes), variable };
    if (!a->holds)
        abort();
    memset(a->holds, 0xff, bytes);
    m->count++;
}

static void compare(model *m, const model_memory *a)
{
    uint8_t *now = malloc(a->bytes);
    if (!now)
        abort();
    model_need(m, simt_read(m->device, now, a->address, a->bytes) == SIMT_OK,
               "an allocation of %zu bytes cannot be read", a->bytes);
    for (size_t k = 0; k < a->bytes; k++)
        model_need(m, now[k] == a->holds[k], "byte %zu of an allocation of %zu is %u, expected %u",
                   k, a->bytes, now[k], a->holds[k]);
    free(now);
}

/* ---- devices --------------------------------------------------------------------------------- */

void model_open(model *m, simt_config config, unsigned number)
{
    memset(m, 0, sizeof *m);
    m->number = number;
    expect(m, simt_open(&config, &m->device), SIMT_OK, "simt_open");
}

void model_close(model *m)
{
    for (unsigned k = 0; k < m->count; k++) {
        compare(m, &m->live[k]);
        free(m->live[k].holds);
    }
    outcome_host(m->device);
    simt_close(m->device);
}

void model_configure(model *m, const simt_config *config)
{
    expect(m, simt_configure(m->device, config), SIMT_OK, "simt_configure");
}

/* ---- memory ---------------------------------------------------------------------------------- */

void model_alloc(model *m, size_t bytes)
{
    enum { APART = 256 };
    size_t before, after, total;
    if (m->count == MODEL_LIVE)
        return;
    simt_memory(m->device, &before, &total);
    simt_addr address = 0;
    simt_status status = simt_alloc(m->device, bytes, &address);
    expect(m, status,
           bytes == 0                 ? SIMT_BAD_ARGUMENT
           : status == SIMT_NO_MEMORY ? SIMT_NO_MEMORY
                                      : SIMT_OK,
           "simt_alloc");
    simt_memory(m->device, &after, &total);
    if (status != SIMT_OK) {
        model_need(m, before == after, "an allocation that failed has taken %zu bytes",
                   before - after);
        return;
    }
    say(m, "  %zu bytes at 0x%llx", bytes, (unsigned long long)address);
    model_need(m, before - after == bytes && after <= total,
               "%zu bytes were free, %zu are after an allocation of %zu", before, after, bytes);
    model_need(m, address % 256 == 0 && simt_is_device_address(address), "address 0x%llx",
               (unsigned long long)address);
    for (unsigned k = 0; k < m->count; k++) {
        const model_memory *a = &m->live[k];
        model_need(
            m, address >= a->address + a->bytes + APART || address + bytes + APART <= a->address,
            "two allocations overlap, or nearly");
    }
    adopt(m, address, bytes, false);
    compare(m, &m->live[m->count - 1]);
}

void model_free(model *m, simt_addr address)
{
    model_memory *a = at(m, address);
    if (unknown(m, address))
        return;
    bool good = a && a->address == address && !a->variable;
    expect(m, simt_free(m->device, address), good ? SIMT_OK : SIMT_BAD_ADDRESS, "simt_free");
    if (!good)
        return;
    free(a->holds);
    *a = m->live[--m->count];
    m->gone[m->freed++ % MODEL_GONE] = address;
}

void model_write(model *m, simt_addr to, size_t bytes, unsigned value)
{
    uint8_t *holds = range(m, to, bytes), *from = NULL;
    if (unknown(m, to))
        return;
    if (bytes <= 1 << 16) {
        if (!(from = malloc(bytes ? bytes : 1)))
            abort();
        for (size_t k = 0; k < bytes; k++)
            from[k] = (uint8_t)(value + k);
        if (holds)
            memcpy(holds, from, bytes);
    }
    expect(m, simt_write(m->device, to, from, bytes), from ? fits(m, to, bytes) : SIMT_BAD_ARGUMENT,
           "simt_write");
    free(from);
}

void model_read(model *m, simt_addr from, size_t bytes)
{
    const uint8_t *holds = range(m, from, bytes);
    if (unknown(m, from))
        return;
    uint8_t *to = bytes <= 1 << 16 ? malloc(bytes ? bytes : 1) : NULL;
    expect(m, simt_read(m->device, to, from, bytes), to ? fits(m, from, bytes) : SIMT_BAD_ARGUMENT,
           "simt_read");
    if (to && holds)
        model_need(m, memcmp(to, holds, bytes) == 0, "simt_read of %zu bytes brings others", bytes);
    free(to);
}

void model_copy(model *m, simt_addr to, simt_addr from, size_t bytes)
{
    const uint8_t *source = range(m, from, bytes);
    uint8_t *target = range(m, to, bytes);
    if (unknown(m, to) || unknown(m, from))
        return;
    if (source && target)
        memmove(target, source, bytes);
    expect(m, simt_copy(m->device, to, from, bytes),
           bytes == 0 || (source && target) ? SIMT_OK : SIMT_BAD_ADDRESS, "simt_copy");
}

void model_fill(model *m, simt_addr to, size_t bytes, unsigned value)
{
    uint8_t *holds = range(m, to, bytes);
    if (unknown(m, to))
        return;
    if (holds)
        memset(holds, (int)value, bytes);
    expect(m, simt_fill(m->device, to, (uint8_t)value, bytes), fits(m, to, bytes), "simt_fill");
}

void model_forget(model *m, simt_addr address, size_t bytes)
{
    if (!unknown(m, address))
        expect(m, simt_forget(m->device, address, bytes), fits(m, address, bytes), "simt_forget");
}

void model_find(model *m, simt_addr address)
{
    const model_memory *a = at(m, address);
    simt_addr start = 0;
    size_t bytes = 0;
    if (unknown(m, address))
        return;
    expect(m, simt_allocation(m->device, address, &start, &bytes), a ? SIMT_OK : SIMT_BAD_ADDRESS,
           "simt_allocation");
    if (a)
        model_need(m, start == a->address && bytes == a->bytes,
                   "simt_allocation finds %zu bytes at 0x%llx", bytes, (unsigned long long)start);
}

void model_leaks(model *m)
{
    unsigned live = 0, leaks = simt_leaks(m->device);
    for (unsigned k = 0; k < m->count; k++)
        live += !m->live[k].variable;
    model_need(m, leaks == live, "%u leaks, %u allocations are live", leaks, live);
}

/* ---- modules and launches -------------------------------------------------------------------- */

static void adopt_variable(model *m, unsigned module, const char *name, size_t bytes,
                           unsigned first)
{
    simt_addr address = 0;
    size_t size = 0;
    expect(m, simt_symbol(m->device, module, name, &address, &size), SIMT_OK, "simt_symbol");
    model_need(m, size == bytes, "%s has %zu bytes", name, size);
    adopt(m, address, bytes, true);
    memset(m->live[m->count - 1].holds, 0, bytes);
    m->live[m->count - 1].holds[0] = (uint8_t)first;
}

void model_load(model *m, unsigned how)
{
    unsigned number = 0;
    size_t bytes = sizeof text - 1, before, after, total;
    if (m->modules == MODEL_MODULES || m->count + 2 > MODEL_LIVE)
        return;
    if (how & 1)
        bytes -= 2 + how / 2;
    simt_memory(m->device, &before, &total);
    simt_status status = simt_module_load(m->device, text, bytes, "model.ptx", &number);
    expect(m, status,
           how & 1                    ? SIMT_BAD_PTX
           : status == SIMT_NO_MEMORY ? status
                                      : SIMT_OK,
           "simt_module_load");
    simt_memory(m->device, &after, &total);
    if (status != SIMT_OK) {
        model_need(m, before == after, "a module that was not loaded has taken %zu bytes",
                   before - after);
        return;
    }
    adopt_variable(m, number, "count", 4, 5);
    adopt_variable(m, number, "room", 1500, 0);
    model_need(m, before - after == 1504, "variables of 1504 bytes take %zu", before - after);
    m->module[m->modules++] = number;
}

void model_symbol(model *m, unsigned module, const char *name)
{
    simt_addr address = 0;
    size_t bytes = 0;
    simt_function_info info;
    bool known = module < m->modules;
    expect(
        m,
        simt_symbol(m->device, known ? m->module[module] : 1000 + module, name, &address, &bytes),
        !known                       ? SIMT_BAD_ARGUMENT
        : strcmp(name, "count") == 0 ? SIMT_OK
                                     : SIMT_NOT_FOUND,
        "simt_symbol");
    expect(m, simt_function(m->device, known ? m->module[module] : 1000 + module, name, &info),
           !known                                                   ? SIMT_BAD_ARGUMENT
           : strcmp(name, "add") == 0 || strcmp(name, "twice") == 0 ? SIMT_OK
                                                                    : SIMT_NOT_FOUND,
           "simt_function");
}

/* After a kernel that was stopped memory is what it is. */
static void take_over(model *m)
{
    for (unsigned k = 0; k < m->count; k++)
        if (simt_read(m->device, m->live[k].holds, m->live[k].address, m->live[k].bytes) != SIMT_OK)
            abort();
}

static bool in_one_dimension(const simt_launch_args *args)
{
    return args->grid.y == 1 && args->grid.z == 1 && args->block.y == 1 && args->block.z == 1;
}

/* What each thread does to its word; of count_up all have the same one. */
static void apply(model *m, unsigned kernel, uint8_t *words, unsigned threads, unsigned k)
{
    for (unsigned i = 0; i < threads; i++) {
        uint8_t *word = words + (kernel == COUNT_UP ? 0 : (size_t)4 * i);
        uint32_t v;
        memcpy(&v, word, 4);
        v = kernel == TWICE ? 2 * v : v + k;
        memcpy(word, &v, 4);
    }
    for (unsigned a = 0; a < m->count; a++)
        compare(m, &m->live[a]);
}

void model_launch(model *m, simt_launch_args *args, unsigned kernel, simt_addr p, unsigned k,
                  bool bad_handle)
{
    static simt_report report;
    struct {
        simt_addr p;
        unsigned k;
    } params = { p, k };
    simt_function_info info = { .function = 12345 };
    if (!m->modules)
        bad_handle = true;
    unsigned module = m->modules ? k % m->modules : 0;
    if (!bad_handle)
        expect(m, simt_function(m->device, m->module[module], kernels[kernel], &info), SIMT_OK,
               "simt_function");
    args->function = info.function;
    args->params = &params;
    args->param_bytes = info.param_bytes;
    memset(&report, 0, sizeof report);
    simt_status status = simt_launch(m->device, args, &report);
    say(m, "simt_launch of %s on grid %u,%u block %u,%u,%u: status %d%s%s", kernels[kernel],
        args->grid.x, args->grid.y, args->block.x, args->block.y, args->block.z, (int)status,
        status == SIMT_OK ? "" : ", ", status == SIMT_OK ? "" : simt_error(m->device));
    model_need(m, !bad_handle == (status != SIMT_BAD_ARGUMENT), "a launch of %s kernel: status %d",
               bad_handle ? "no" : "a", (int)status);
    bool plain = in_one_dimension(args) && args->block.x >= 1 && args->block.x <= 64 &&
                 args->dynamic_shared <= 1 << 15 && !args->cooperative;
    if (plain && !bad_handle)
        model_need(m, status == SIMT_OK || status == SIMT_FAULT,
                   "a launch within all limits: status %d", (int)status);
    if (status == SIMT_FAULT)
        take_over(m);
    if (status != SIMT_OK)
        return;
    outcome_check(&(simt_config){ 0 }, args, status, &report, simt_error(m->device));
    if (!in_one_dimension(args)) {
        take_over(m);
        return;
    }
    unsigned threads = args->grid.x * args->block.x;
    uint8_t *words = kernel == COUNT_UP ? NULL : range(m, p, (size_t)4 * threads);
    model_need(m, kernel == COUNT_UP || (words && p % 4 == 0),
               "%s runs to its end outside of its %u words", kernels[kernel], threads);
    simt_addr count = 0;
    if (simt_symbol(m->device, m->module[module], "count", &count, NULL) != SIMT_OK)
        abort();
    apply(m, kernel, kernel == COUNT_UP ? range(m, count, 4) : words, threads, k);
}

/* ---- questions ------------------------------------------------------------------------------- */

void model_ask(model *m, unsigned how, unsigned which)
{
    static const unsigned numbers[] = { 0, 1, 32, 1024, 1025, UINT32_MAX, UINT32_MAX - 30, 33 };
    simt_limits facts;
    char *listing = NULL;
    simt_facts(m->device, &facts);
    unsigned blocks = simt_blocks_per_multiprocessor(m->device, which & 15, numbers[how & 7],
                                                     (size_t)0 - (which >> 4 & 7) * (how >> 3));
    model_need(m, blocks <= facts.max_blocks_per_multiprocessor, "%u blocks a multiprocessor",
               blocks);
    const char *name = simt_kernel_name(m->device, which & 7, how & 3);
    if (name)
        model_need(m, strlen(name) < 16, "a kernel's name '%s'", name);
    (void)simt_source_path(m->device, name);
    if (simt_listing(m->device, which & 7, how & 8 ? name : NULL, &listing) == SIMT_OK)
        model_need(m, listing && *listing, "an empty listing");
    free(listing);
}
