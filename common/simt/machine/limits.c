/*
 * limits.c: the limits and facts of the simulated GPU. Interface: simt_device_limits, simt_facts,
 * simt_blocks_per_multiprocessor, simt_is_device_address (simt.h), device_multiprocessors,
 * device_registers.
 */
#include "machine/machine.h"

const simt_limits *simt_device_limits(void)
{
    static const simt_limits limits = {
        .warp_size = 32,
        .max_threads_per_block = 1024,
        .max_block = { 1024, 1024, 64 },
        .max_grid = { 2147483647u, 65535, 65535 },
        .multiprocessors = 16,
        .max_threads_per_multiprocessor = 1024,
        .max_blocks_per_multiprocessor = 16,
        .registers_per_block = 65536,
        .registers_per_multiprocessor = 65536,
        .shared_per_block = 48 * 1024,
        .shared_per_block_optin = 64 * 1024,
        .shared_per_multiprocessor = 64 * 1024,
        .constant_memory = 64 * 1024,
        .major = 7,
        .minor = 5,
    };
    return &limits;
}

unsigned device_multiprocessors(const simt_device *d)
{
    return d->places_set ? d->config.resident_blocks : simt_device_limits()->multiprocessors;
}

void simt_facts(const simt_device *d, simt_limits *facts)
{
    *facts = *simt_device_limits();
    if (!d || !d->places_set)
        return;
    facts->multiprocessors = d->config.resident_blocks;
    facts->max_blocks_per_multiprocessor = 1;
}

static size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

unsigned device_registers(const code *c)
{
    const simt_limits *m = simt_device_limits();
    const unsigned warps = (c->ptx->max_threads + m->warp_size - 1) / m->warp_size;
    const unsigned most = warps ? m->registers_per_block / (warps * m->warp_size) & ~7u : 0;

    return most && c->register_estimate > most ? most : c->register_estimate;
}

/* Registers are handed to warps in units of 256, shared memory to blocks in units of 256 bytes
   (CUDA Occupancy Calculator, 7.5). */
unsigned simt_blocks_per_multiprocessor(const simt_device *d, unsigned function, unsigned threads,
                                        size_t dynamic_shared)
{
    if (!d || function >= d->function_count || threads == 0)
        return 0;
    simt_limits m;
    simt_facts(d, &m);
    if (threads > m.max_threads_per_block || dynamic_shared > m.shared_per_multiprocessor)
        return 0;
    const code *c = d->functions[function];
    unsigned warps = (threads + m.warp_size - 1) / m.warp_size;
    size_t per_warp = round_up((size_t)device_registers(c) * m.warp_size, 256),
           shared = round_up(c->static_shared + dynamic_shared, 256);
    size_t blocks = m.max_blocks_per_multiprocessor,
           by_warps = m.max_threads_per_multiprocessor / m.warp_size / warps;
    size_t by_registers = m.registers_per_multiprocessor / (per_warp ? per_warp : 256) / warps;
    if (by_warps < blocks)
        blocks = by_warps;
    if (by_registers < blocks)
        blocks = by_registers;
    if (shared && m.shared_per_multiprocessor / shared < blocks)
        blocks = m.shared_per_multiprocessor / shared;
    return (unsigned)blocks;
}

bool simt_is_device_address(uint64_t value)
{
    return value >= GLOBAL_BASE && value < FUNCTION_BASE + WINDOW_BYTES;
}
