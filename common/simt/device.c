/*
 * device.c: the public interface, simt.h: a device's life, its GPUs, modules and launches; its
 * memory is in device_memory.c. Everything a caller may get wrong is refused in these two, with a
 * message; below them arguments are good.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bind.h"
#include "code/coverage.h"
#include "code/decode.h"
#include "device.h"
#include "findings/findings.h"
#include "machine/machine.h"
#include "watch/watch.h"
#include "machine/found.h"
#include "machine/pinned.h"
#include "machine/site.h"

simt_status device_fail(simt_device *d, simt_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(d->error, sizeof d->error, format, args);
    va_end(args);
    d->advice[0] = '\0';
    return status;
}

simt_config simt_default_config(void) { return (simt_config){ .checks = SIMT_CHECK_ALL }; }

const char *simt_advice(const simt_device *d) { return d ? d->advice : ""; }

const char *simt_error(const simt_device *d) { return d ? d->error : "no device"; }

/* ---- life ------------------------------------------------------------------------------------ */

simt_status simt_configure(simt_device *d, const simt_config *config)
{
    if (!d || !config)
        return d ? device_fail(d, SIMT_BAD_ARGUMENT, "simt_configure: no configuration")
                 : SIMT_BAD_ARGUMENT;
    if (config->block_order > SIMT_BLOCKS_SHUFFLED || (config->checks & ~(unsigned)SIMT_CHECK_ALL))
        return device_fail(d, SIMT_BAD_ARGUMENT,
                           "simt_configure: unknown block order or check bits");
    if (config->gpu_order > SIMT_GPUS_STARVED || config->starved >= SIMT_MAX_GPUS)
        return device_fail(d, SIMT_BAD_ARGUMENT, "simt_configure: unknown order of GPUs");
    size_t memory = d->config.memory;
    bool followed = d->config.checks & SIMT_CHECK_UNSET;
    d->config = *config;
    d->config.memory = memory;
    d->memory.sparse = config->excerpt > 0;
    if (d->config.host_threads == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        d->config.host_threads = cores > 0 && cores < 256 ? (unsigned)cores : 1;
    }
    d->places_set = config->resident_blocks != 0;
    if (!d->places_set)
        d->config.resident_blocks = 8;
    if (d->config.budget == 0)
        d->config.budget = 1ull << 34;
    if (d->memory.base && !unset_configure(d, followed))
        return device_fail(d, SIMT_NO_MEMORY, "no memory for the marks of SIMT_CHECK_UNSET");
    return SIMT_OK;
}

/* Nanoseconds since 1970, as on a GPU; no device's own time, so that runs repeat. */
#define TIMER_BEGINS 1000000000000000000u

simt_status simt_open(const simt_config *config, simt_device **device)
{
    if (!config || !device)
        return SIMT_BAD_ARGUMENT;
    simt_device *d = calloc(1, sizeof *d);
    *device = NULL;
    if (!d)
        return SIMT_NO_MEMORY;
    simt_status status = simt_configure(d, config);
    d->config.memory = config->memory ? config->memory : (size_t)4 << 30;
    d->gpus = config->gpus ? config->gpus : 1;
    if (d->gpus > SIMT_MAX_GPUS)
        status = SIMT_BAD_ARGUMENT;
    d->nanoseconds = TIMER_BEGINS;
    if (status == SIMT_OK && (!memory_open(&d->memory, d->config.memory) || !unset_open(d) ||
                              !unset_configure(d, false)))
        status = SIMT_NO_MEMORY;
    if (status != SIMT_OK) {
        unset_close(d);
        memory_close(&d->memory);
        free(d);
        return status;
    }
    *device = d;
    return SIMT_OK;
}

void simt_close(simt_device *d)
{
    if (!d)
        return;
    launch_close(d);
    simt_free_footprint(d->footprint);
    race_global_close(d);
    race_observed_close(d);
    for (unsigned i = 0; i < d->module_count; i++) {
        decode_free(d->modules[i]);
        free(d->modules[i]);
    }
    sums_close(d);
    unset_close(d);
    pinned_close(&d->memory);
    memory_close(&d->memory);
    free(d->modules);
    free(d->functions);
    free(d->lines);
    free(d->printed);
    free(d->waits);
    free(d->events);
    free(d->host_findings);
    suppressions_free(d);
    free(d);
}

/* ---- several GPUs ---------------------------------------------------------------------------- */

static bool is_gpu(simt_device *d, unsigned gpu)
{
    if (gpu < d->gpus)
        return true;
    (void)device_fail(d, SIMT_BAD_ARGUMENT, "there is no GPU %u: the device has %u, from 0", gpu,
                      d->gpus);
    return false;
}

simt_status simt_use_gpu(simt_device *d, unsigned gpu)
{
    if (!d || !is_gpu(d, gpu))
        return SIMT_BAD_ARGUMENT;
    d->memory.gpu = gpu;
    return SIMT_OK;
}

simt_status simt_let_peer(simt_device *d, unsigned gpu, unsigned peer, bool may)
{
    if (!d || !is_gpu(d, gpu) || !is_gpu(d, peer))
        return SIMT_BAD_ARGUMENT;
    d->peers[gpu] = (uint8_t)((d->peers[gpu] & ~(1u << peer)) | (unsigned)may << peer);
    return SIMT_OK;
}

simt_status simt_gpu_of(simt_device *d, simt_addr address, unsigned *gpu)
{
    const allocation *a = d && gpu ? memory_find(&d->memory, address) : NULL;
    if (!a || !a->live || address - a->start >= a->bytes)
        return d ? device_fail(d, SIMT_BAD_ADDRESS, "0x%llx is in no live device allocation",
                               (unsigned long long)address)
                 : SIMT_BAD_ARGUMENT;
    *gpu = a->gpu;
    return SIMT_OK;
}

/* ---- modules --------------------------------------------------------------------------------- */

static const global_var *find_var(const module *m, const char *name)
{
    for (unsigned i = 0; i < m->var_count; i++)
        if (strcmp(m->vars[i].name, name) == 0)
            return &m->vars[i];
    return NULL;
}

/* Memory that the host may use too; shared: how, or null. *shown: the host has it already. */
static bool place_managed(simt_device *d, const ptx_var *v, const simt_managed *shared,
                          simt_addr *address, bool *shown)
{
    memory *m = &d->memory;
    void *const host = shared ? shared->host : NULL;
    *address = host ? pinned_common(m, host) : 0;
    *shown = *address != 0;
    if (*shown)
        return true;
    if (!memory_take_common(m, v->bytes, shared ? shared->name : v->name, ptx_element(v), address))
        return false;
    return !host ||
           (pinned_add_common(m, host, v->bytes, *address) && memory_show(m, *address, host));
}

/* *shown: see place_managed. */
static bool place_variable(simt_device *d, const ptx_var *v, const simt_managed *managed,
                           unsigned count, simt_addr *address, bool *shown)
{
    const simt_managed *shared = NULL;
    *shown = false;
    for (unsigned k = 0; k < count && !shared; k++)
        if (strcmp(managed[k].name, v->name) == 0)
            shared = &managed[k];
    return shared || v->managed
               ? place_managed(d, v, shared, address, shown)
               : memory_take(&d->memory, v->bytes, v->name, ptx_element(v), address);
}

/* Memory for .global and .const variables, then their initial values, since one may hold another's
   address. */
static bool place_variables(simt_device *d, module *m, unsigned first_function,
                            const simt_managed *managed, unsigned count)
{
    bool shown;
    m->vars = calloc(m->ptx->var_count + 1, sizeof *m->vars);
    if (!m->vars)
        return false;
    for (unsigned i = 0; i < m->ptx->var_count; i++) {
        const ptx_var *v = &m->ptx->vars[i];
        if ((v->space != PTX_GLOBAL && v->space != PTX_CONST) || v->bytes == 0)
            continue;
        global_var *g = &m->vars[m->var_count];
        if (!place_variable(d, v, managed, count, &g->address, &shown)) {
            (void)device_fail(
                d, SIMT_NO_MEMORY,
                "%s: the simulated device has no %zu bytes left for the variable %s: %zu of "
                "%zu are in use",
                m->ptx->name, v->bytes, v->name, d->memory.live_bytes, d->memory.reserved);
            return false;
        }
        ((allocation *)memory_find(&d->memory, g->address))->constant = v->space == PTX_CONST;
        g->name = v->name;
        g->bytes = v->bytes;
        g->element = ptx_element(v);
        m->var_count++;
        if (shown)
            continue;
        uint8_t *host = d->memory.base + (g->address - GLOBAL_BASE);
        memset(host, 0, v->bytes);
        if (v->data_bytes)
            memcpy(host, v->data, v->data_bytes);
        unset_host_write(d, g->address, v->bytes);
    }
    for (unsigned i = 0; i < m->ptx->var_count; i++) {
        const ptx_var *v = &m->ptx->vars[i];
        const global_var *home = find_var(m, v->name);
        for (unsigned k = 0; home && k < v->address_count; k++) {
            const ptx_initial *a = &v->addresses[k];
            const global_var *to = find_var(m, a->name);
            uint64_t value = to ? to->address + (uint64_t)a->addend : 0;
            for (unsigned f = 0; !to && f < m->ptx->function_count; f++)
                if (strcmp(m->ptx->functions[f].name, a->name) == 0)
                    value = FUNCTION_BASE + 16ull * (first_function + f);
            memcpy(d->memory.base + (home->address - GLOBAL_BASE) + a->offset, &value,
                   a->bytes < 8 ? a->bytes : 8);
        }
    }
    return true;
}

static bool adopt(simt_device *d, module *m, const simt_managed *managed, unsigned count)
{
    module **modules = realloc(d->modules, (d->module_count + 1) * sizeof *modules);
    if (!modules)
        return false;
    d->modules = modules;
    code **functions =
        realloc(d->functions, (d->function_count + m->ptx->function_count + 1) * sizeof *functions);
    if (!functions)
        return false;
    d->functions = functions;
    if (!place_variables(d, m, d->function_count, managed, count) ||
        !decode_module(m, d->function_count))
        return false;
    for (unsigned i = 0; i < m->function_count; i++) {
        bind_code(&m->functions[i], true, true);
        m->functions[i].counter_base = (unsigned)d->counter_count;
        /* a run that ends with END closes after it */
        d->counter_count += m->functions[i].count + 1;
        d->functions[d->function_count++] = &m->functions[i];
    }
    m->index = d->module_count;
    d->modules[d->module_count++] = m;
    return true;
}

simt_status simt_module_load_managed(simt_device *d, const char *ptx, size_t bytes,
                                     const char *name, const simt_managed *managed, unsigned count,
                                     unsigned *index)
{
    if (!d || !ptx || !name || !index || (count && !managed))
        return d ? device_fail(d, SIMT_BAD_ARGUMENT, "simt_module_load: a null argument")
                 : SIMT_BAD_ARGUMENT;
    module *m = calloc(1, sizeof *m);
    if (!m)
        return device_fail(d, SIMT_NO_MEMORY, "no memory for module %s", name);
    m->gpu = d->memory.gpu;
    m->ptx = ptx_parse(ptx, bytes, name, d->error, sizeof d->error);
    if (!m->ptx) {
        free(m);
        return SIMT_BAD_PTX;
    }
    /* unless there is more to say */
    (void)device_fail(d, SIMT_NO_MEMORY, "no memory for module %s", name);
    if (!adopt(d, m, managed, count)) {
        for (unsigned i = 0; i < m->var_count; i++)
            if (!memory_find(&d->memory, m->vars[i].address)->also) /* the host has it now */
                memory_undo(&d->memory, m->vars[i].address);
        decode_free(m);
        free(m);
        return SIMT_NO_MEMORY;
    }
    *index = m->index;
    return SIMT_OK;
}

simt_status simt_module_load(simt_device *d, const char *ptx, size_t bytes, const char *name,
                             unsigned *index)
{
    return simt_module_load_managed(d, ptx, bytes, name, NULL, 0, index);
}

static module *module_at(simt_device *d, unsigned index)
{
    return index < d->module_count ? d->modules[index] : NULL;
}

simt_status simt_function(simt_device *d, unsigned index, const char *name,
                          simt_function_info *info)
{
    module *m = d && name && info ? module_at(d, index) : NULL;
    if (!m)
        return d ? device_fail(d, SIMT_BAD_ARGUMENT,
                               "simt_function: no such module, or a null argument")
                 : SIMT_BAD_ARGUMENT;
    for (unsigned i = 0; i < m->function_count; i++) {
        const code *c = &m->functions[i];
        if (strcmp(c->ptx->name, name) != 0 || !c->ptx->entry || !c->ptx->defined)
            continue;
        *info =
            (simt_function_info){ .function = c->index,
                                  .registers = device_registers(c),
                                  .static_shared = c->static_shared,
                                  .local_bytes = c->local_bytes,
                                  .max_threads = c->ptx->max_threads
                                                     ? c->ptx->max_threads
                                                     : simt_device_limits()->max_threads_per_block,
                                  .params = c->ptx->param_count };
        for (unsigned k = 0; k < c->ptx->param_count && k < 64; k++) {
            info->param_offset[k] = c->param_offset[k];
            info->param_size[k] = c->param_size[k];
            info->param_bytes = c->param_offset[k] + c->param_size[k];
        }
        for (unsigned k = 0; k < m->ptx->var_count; k++)
            if (m->ptx->vars[k].space == PTX_CONST)
                info->constant_bytes += m->ptx->vars[k].bytes;
        return SIMT_OK;
    }
    return device_fail(d, SIMT_NOT_FOUND, "module %s has no kernel '%s'", m->ptx->name, name);
}

simt_status simt_symbol(simt_device *d, unsigned index, const char *name, simt_addr *address,
                        size_t *bytes)
{
    module *m = d && name ? module_at(d, index) : NULL;
    if (!m)
        return d ? device_fail(d, SIMT_BAD_ARGUMENT,
                               "simt_symbol: no such module, or a null argument")
                 : SIMT_BAD_ARGUMENT;
    const global_var *v = find_var(m, name);
    if (!v)
        return device_fail(d, SIMT_NOT_FOUND, "module %s has no variable '%s'", m->ptx->name, name);
    if (address)
        *address = v->address;
    if (bytes)
        *bytes = v->bytes;
    return SIMT_OK;
}

const char *simt_kernel_name(const simt_device *d, unsigned index, unsigned n)
{
    if (!d || index >= d->module_count)
        return NULL;
    const module *m = d->modules[index];
    for (unsigned i = 0; i < m->function_count; i++)
        if (m->functions[i].ptx->entry && m->functions[i].ptx->defined && n-- == 0)
            return m->functions[i].ptx->name;
    return NULL;
}

bool simt_shared_variable(const simt_device *d, unsigned function, unsigned n, char *name,
                          size_t room, size_t *offset, size_t *bytes)
{
    const code *c = d && function < d->function_count ? d->functions[function] : NULL;
    if (!c || n >= c->shared_var_count)
        return false;
    const shared_var *v = &c->shared_vars[n];
    site_pretty_name(v->name, name, room);
    *offset = v->offset;
    *bytes = v->bytes == SHARED_DYNAMIC ? 0 : v->bytes;
    return true;
}

static bool is_undefined_call(const module *m, const ptx_instr *i, const char **name)
{
    if (strcmp(i->op, "call") != 0)
        return false;
    const ptx_operand *callee = &i->operands[i->operands[0].kind == PTX_LIST];
    if (callee->kind != PTX_NAME || decode_builtin(callee->name))
        return false;
    for (unsigned f = 0; f < m->function_count; f++)
        if (strcmp(m->functions[f].ptx->name, callee->name) == 0 && m->functions[f].ptx->defined)
            return false;
    *name = callee->name;
    return true;
}

bool simt_undefined_call(const simt_device *d, unsigned index, unsigned n, simt_undefined *call)
{
    const module *m = d && call && index < d->module_count ? d->modules[index] : NULL;
    for (unsigned f = 0; m && f < m->function_count; f++) {
        const ptx_function *p = m->functions[f].ptx;
        for (unsigned k = 0; k < p->instr_count; k++) {
            const ptx_instr *i = &p->instrs[k];
            if (!is_undefined_call(m, i, &call->name) || n-- > 0)
                continue;
            call->caller = p->name;
            call->line = i->line;
            call->file = i->line && i->file < m->ptx->file_count ? m->ptx->files[i->file] : "";
            return true;
        }
    }
    return false;
}

const char *simt_source_path(const simt_device *d, const char *file)
{
    for (unsigned k = d && file ? d->module_count : 0; k-- > 0;)
        for (unsigned i = 0; i < d->modules[k]->ptx->file_count; i++)
            if (strcmp(d->modules[k]->ptx->files[i], file) == 0)
                return d->modules[k]->ptx->paths[i];
    return "";
}

simt_status simt_listing(simt_device *d, unsigned index, const char *function, char **text)
{
    module *m = d && text ? module_at(d, index) : NULL;
    if (!m)
        return d ? device_fail(d, SIMT_BAD_ARGUMENT,
                               "simt_listing: no such module, or nowhere to put the text")
                 : SIMT_BAD_ARGUMENT;
    bool found = false;
    for (unsigned i = 0; function && i < m->function_count; i++)
        found |= m->functions[i].ptx->defined && strcmp(m->functions[i].ptx->name, function) == 0;
    if (function && !found)
        return device_fail(d, SIMT_NOT_FOUND, "module %s has no function '%s'", m->ptx->name,
                           function);
    *text = listing_make(m, function);
    return *text ? SIMT_OK
                 : device_fail(d, SIMT_NO_MEMORY, "no memory for the listing of %s", m->ptx->name);
}

/* ---- launches -------------------------------------------------------------------------------- */

static simt_status check_launch(simt_device *d, const code *c, const simt_launch_args *a,
                                size_t *shared)
{
    const simt_limits *m = simt_device_limits();
    char name[64];
    site_pretty_name(c->ptx->name, name, sizeof name);
    unsigned g[3] = { a->grid.x, a->grid.y, a->grid.z },
             b[3] = { a->block.x, a->block.y, a->block.z };
    uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
    for (int k = 0; k < 3; k++) {
        if (g[k] == 0 || g[k] > m->max_grid[k])
            return device_fail(
                d, SIMT_BAD_LAUNCH,
                "%s: a grid of %u x %u x %u blocks; each must be at least 1 and at most %u, %u, %u",
                name, g[0], g[1], g[2], m->max_grid[0], m->max_grid[1], m->max_grid[2]);
        if (b[k] == 0 || b[k] > m->max_block[k] || threads > m->max_threads_per_block)
            return device_fail(
                d, SIMT_BAD_LAUNCH,
                "%s: a block of %u x %u x %u threads; a block has 1 to %u threads, at most "
                "%u, %u, %u along x, y, z",
                name, b[0], b[1], b[2], m->max_threads_per_block, m->max_block[0], m->max_block[1],
                m->max_block[2]);
    }
    if (c->ptx->max_threads && threads > c->ptx->max_threads)
        return device_fail(d, SIMT_BAD_LAUNCH,
                           "%s: a block of %llu threads, but its __launch_bounds__ allow %u", name,
                           (unsigned long long)threads, c->ptx->max_threads);
    size_t used = c->static_shared + a->dynamic_shared;
    const size_t room =
        c->static_shared > m->shared_per_block ? m->shared_per_block : m->shared_per_block_optin;
    if (used > room || a->dynamic_shared > room)
        return device_fail(
            d, SIMT_BAD_LAUNCH,
            "%s: %zu bytes of shared memory (%zu static, %zu dynamic); a block has at most %zu",
            name, used, c->static_shared, a->dynamic_shared, room);
    size_t need = c->ptx->param_count ? c->param_offset[c->ptx->param_count - 1] +
                                            c->param_size[c->ptx->param_count - 1]
                                      : 0;
    if (c->ptx->param_count > 64)
        return device_fail(d, SIMT_BAD_LAUNCH, "%s: more than 64 parameters", name);
    if (a->param_bytes < need || (need && !a->params))
        return device_fail(d, SIMT_BAD_ARGUMENT, "%s: %zu bytes of parameters given, %zu needed",
                           name, a->param_bytes, need);
    uint64_t blocks = (uint64_t)g[0] * g[1] * g[2],
             places =
                 (uint64_t)device_multiprocessors(d) *
                 simt_blocks_per_multiprocessor(d, c->index, (unsigned)threads, a->dynamic_shared);
    if (a->cooperative && blocks > places)
        return device_fail(
            d, SIMT_BAD_LAUNCH,
            "%s: a cooperative launch of %llu blocks, but only %llu can be resident at "
            "once: take a smaller grid, and let each block do more",
            name, (unsigned long long)blocks, (unsigned long long)places);
    *shared = a->dynamic_shared ? c->dynamic_offset + a->dynamic_shared : c->shared_top;
    return SIMT_OK;
}

/* Where the blocks of a cooperative launch count who has come to their barrier, as a GPU's driver
   supplies it: %envreg1 and 2 are the halves of its address. CUDA's cooperative_groups.h uses the
   second of two words. number: of the launch, of those that run together. */
static bool open_grid_workspace(simt_device *d, unsigned number)
{
    simt_addr *at = &d->grid_workspace[number];
    const unsigned gpu = d->memory.gpu;
    d->memory.gpu = ANY_GPU;
    const bool taken = *at || memory_take(&d->memory, DEVICE_WORKSPACE_BYTES,
                                          "workspace of a cooperative grid", 4, at);
    d->memory.gpu = gpu;
    return taken && simt_fill(d, *at, 0, DEVICE_WORKSPACE_BYTES) == SIMT_OK;
}

/* Blocks in flight take the host's memory, and so does what kernels ask for by malloc. */
static simt_status no_memory_to_run(simt_device *d, const char *kernel)
{
    const unsigned taken = d->memory.heap_numbers;

    return taken > 0
               ? device_fail(d, SIMT_NO_MEMORY,
                             "no memory to run %s: kernels have called malloc or new %u times",
                             kernel, taken)
               : device_fail(d, SIMT_NO_MEMORY, "no memory to run %s", kernel);
}

/* What is wrong with one of the launches, or where there is no room for it. The rest of *p is the
   caller's. */
static simt_status open_part(simt_device *d, const simt_launch_args *args, unsigned number,
                             launch_part *p)
{
    if (args->function >= d->function_count || !d->functions[args->function]->ptx->entry ||
        !d->functions[args->function]->ptx->defined)
        return device_fail(d, SIMT_BAD_ARGUMENT, "simt_launch: no such kernel");
    const code *c = d->functions[args->function];
    p->kernel = c;
    p->args = args;
    p->gpu = c->module->gpu;
    p->threads = args->block.x * args->block.y * args->block.z;
    simt_status status = check_launch(d, c, args, &p->shared_bytes);
    if (status != SIMT_OK)
        return status;
    if (args->cooperative && !open_grid_workspace(d, number))
        return device_fail(d, SIMT_NO_MEMORY,
                           "no device memory left for a cooperative launch of %s", c->ptx->name);
    if (!(p->params = calloc(1, c->in_bytes + 16)))
        return device_fail(d, SIMT_NO_MEMORY, "no memory to run %s", c->ptx->name);
    if (args->params)
        memcpy(p->params, args->params,
               args->param_bytes < c->in_bytes ? args->param_bytes : c->in_bytes);
    return SIMT_OK;
}

/* Are the threads of every warp consecutive in x, from a multiple of 32 on? */
static bool has_rows(const launch *l)
{
    bool rows = true;
    for (unsigned i = 0; i < l->parts; i++) {
        const simt_dim *block = &l->part[i].args->block;
        rows &= block->x % LANES == 0 || (block->y == 1 && block->z == 1);
    }
    return rows;
}

/* Runs l, whose parts are open. False: no memory. */
static bool run_parts(simt_device *d, launch *l, simt_report *reports)
{
    bool ok = true;
    d->launches++;
    device_take_for_written(d);
    if (d->config.trace & SIMT_TRACE_ADDS)
        ok = sums_open(d);
    else
        sums_close(d);
    const watcher *watchers[WATCH_MOST + 1];
    watch_list(l, watchers);
    const bool watched = d->config.checks & (SIMT_CHECK_RACES | SIMT_CHECK_UNSET),
               in_rows = has_rows(l);
    for (unsigned f = 0; f < d->function_count; f++)
        if (d->functions[f]->watched != watched || d->functions[f]->in_rows != in_rows)
            bind_code(d->functions[f], watched, in_rows);
    ok = ok && launch_run(d, l);
    for (unsigned i = 0; ok && i < l->parts; i++)
        report_merge(l, i, &reports[i]);
    if (ok) { /* the others have added to them */
        reports->lines = d->lines;
        reports->line_count = d->config.checks & SIMT_CHECK_COUNTERS ? d->line_count : 0;
    }
    launch_free_workers(d);
    pinned_give_back(&d->memory);
    return ok;
}

/* SIMT_FAULT, with the message of the finding that has stopped it, or SIMT_OK */
static simt_status status_of(simt_device *d, const launch *l, const simt_report *reports)
{
    const char *name = launch_part_at(l, l->fatal_order)->kernel->ptx->name;
    simt_status status =
        l->fatal_order == UINT64_MAX ? SIMT_OK : device_fail(d, SIMT_FAULT, "%s was stopped", name);
    for (unsigned p = 0; p < l->parts; p++)
        for (unsigned i = 0; i < reports[p].findings; i++) {
            const simt_finding *f = &reports[p].finding[i];
            simt_words words;
            if (!f->fatal)
                continue;
            simt_finding_words(f, NULL, &words);
            status =
                device_fail(d, SIMT_FAULT, "%s: %s", simt_finding_name(f->kind), words.message);
        }
    return status;
}

static simt_status run_group(simt_device *d, const simt_group_launch *launches, unsigned count,
                             simt_report *reports)
{
    launch_part *parts = calloc(count, sizeof *parts);
    simt_report *r = calloc(count, sizeof *r);
    simt_status status =
        parts && r ? SIMT_OK : device_fail(d, SIMT_NO_MEMORY, "no memory to run %u kernels", count);
    launch l = { .device = d,
                 .part = parts,
                 .parts = count,
                 .config = d->config,
                 .deadlock = deadlock_explain,
                 .seed = d->config.seed,
                 .fatal_order = UINT64_MAX };
    for (unsigned i = 0; status == SIMT_OK && i < count; i++) {
        parts[i].resident_blocks =
            launches[i].resident_blocks ? launches[i].resident_blocks : d->config.resident_blocks;
        parts[i].block_order = launches[i].block_order;
        parts[i].after = launches[i].after ? &parts[launches[i].after - 1] : NULL;
        status = open_part(d, launches[i].args, i, &parts[i]);
    }
    if (status == SIMT_OK) {
        status = run_parts(d, &l, r) ? status_of(d, &l, r)
                                     : no_memory_to_run(d, parts->kernel->ptx->name);
        if (reports && (status == SIMT_OK || status == SIMT_FAULT))
            memcpy(reports, r, count * sizeof *r);
    }
    for (unsigned i = 0; parts && i < count; i++)
        free(parts[i].params);
    free(parts);
    free(r);
    return status;
}

void simt_progress(const simt_device *d, uint64_t *ended, uint64_t *blocks)
{
    *blocks = d->blocks;
    *ended = d->blocks_ended < *blocks ? d->blocks_ended : *blocks;
}

simt_status simt_launch(simt_device *d, const simt_launch_args *args, simt_report *report)
{
    if (!d || !args)
        return d ? device_fail(d, SIMT_BAD_ARGUMENT, "simt_launch: no arguments")
                 : SIMT_BAD_ARGUMENT;
    const simt_group_launch one = { .args = args, .block_order = d->config.block_order };
    return run_group(d, &one, 1, report);
}

simt_status simt_launch_group(simt_device *d, const simt_group_launch *launches, unsigned count,
                              simt_report *reports)
{
    if (!d || !launches)
        return d ? device_fail(d, SIMT_BAD_ARGUMENT, "simt_launch_group: no launches")
                 : SIMT_BAD_ARGUMENT;
    if (count == 0 || count > SIMT_MAX_GROUP)
        return device_fail(d, SIMT_BAD_ARGUMENT,
                           "simt_launch_group: %u launches; 1 to %u run together", count,
                           SIMT_MAX_GROUP);
    for (unsigned i = 0; i < count; i++)
        if (!launches[i].args || launches[i].block_order > SIMT_BLOCKS_SHUFFLED ||
            launches[i].after > i)
            return device_fail(
                d, SIMT_BAD_ARGUMENT,
                "simt_launch_group: launch %u has no arguments, no block order, or comes "
                "after none before it",
                i);
    if (count > 1 && (d->config.trace || d->config.excerpt))
        return device_fail(
            d, SIMT_BAD_ARGUMENT,
            "simt_launch_group: no traces and no excerpts of launches that run together");
    return run_group(d, launches, count, reports);
}

bool simt_communicates(const simt_device *d, unsigned function)
{
    return d && function < d->function_count && d->functions[function]->communicates;
}

/* ---- coverage.h ------------------------------------------------------------------------------ */

size_t simt_op_count(void) { return op_row_count; }
const char *simt_op_name(size_t row) { return row < op_row_count ? op_rows[row].id : ""; }
uint64_t simt_op_executed(size_t row)
{
    return row < op_row_count ? atomic_load(&op_executed[row]) : 0;
}
