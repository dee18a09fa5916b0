/*
 * back.c: the simulated device behind the calls, in this process: opened at its first use,
 * configured, waited for, closed. Its memory is in back_memory.c, its code in back_code.c.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "back_state.h"

enum { LAST_TURN = 2 }; /* seconds that the end of the program waits for a call of another thread */

/* ---- the device ------------------------------------------------------------------------------ */

static struct {
    char *text;
    size_t bytes, room;
} printed;

unsigned cudart_gpus_asked(void)
{
    const char *text = getenv("GPUS");
    char *end;
    if (!text)
        return 1;
    const unsigned long gpus = strtoul(text, &end, 10);
    return *text && !*end && gpus >= 1 && gpus <= SIMT_MAX_GPUS ? (unsigned)gpus : UINT_MAX;
}

simt_device *cudart_device(void)
{
    if (cudart_on.device)
        return cudart_on.device;
    if (!cudart_on.configured) {
        cudart_on.config = simt_default_config();
        cudart_on.config.gpus = cudart_gpus_asked();
    }
    cudart_on.configured = true;
    if (cudart_on.config.gpus > SIMT_MAX_GPUS) {
        cudart_because(cudaErrorInitializationError,
                       "GPUS in the environment is the number of devices: 1 to %d, not \"%s\"",
                       SIMT_MAX_GPUS, getenv("GPUS"));
        fprintf(stderr, "%s\n", cudart_detail());
        return NULL;
    }
    simt_status status = simt_open(&cudart_on.config, &cudart_on.device);
    if (status != SIMT_OK) {
        cudart_on.device = NULL;
        cudart_because(cudaErrorInitializationError, "the simulated device cannot be opened: %s",
                       status == SIMT_NO_MEMORY
                           ? "the host has not enough address space; set simt_config.memory lower"
                           : "its configuration is not valid");
        return NULL;
    }
    simt_called_from(cudart_on.device, cudart_on.called_from);
    simt_on_wait_for_host(cudart_on.device, cudart_host_writes);
    cudart.generation++;
    cudart_on.gpus = cudart_on.config.gpus ? cudart_on.config.gpus : 1;
    cudart_on.gpu = 0;
    return cudart_on.device;
}

void cudart_close_device(void)
{
    if (cudart_on.closes && cudart_on.device)
        cudart_on.closes(cudart_on.device);
    cudart_forget_shared();
    cudart_later_forget();
    cudart_order_forget();
    simt_close(cudart_on.device);
    cudart_on.device = NULL;
    cudart_on.calls.live_bytes = 0;
    printed.bytes = 0;
}

bool cudart_configure(const simt_config *config)
{
    size_t memory = cudart_on.configured ? cudart_on.config.memory : config->memory;
    unsigned gpus = cudart_on.configured ? cudart_on.config.gpus : config->gpus;
    cudart_later_run();
    cudart_on.config = *config;
    cudart_on.config.memory = memory;
    cudart_on.config.gpus = gpus;
    cudart_on.configured = true;
    if (!cudart_on.device)
        return cudart_device() != NULL;
    return cudart_from_simt(simt_configure(cudart_on.device, &cudart_on.config)) == cudaSuccess;
}

void cudart_observe(cudart_observer *observer, void *user)
{
    cudart_on.observer = observer;
    cudart_on.observer_user = user;
}

void cudart_observe_device(cudart_begins *begins, cudart_closes *closes)
{
    cudart_on.begins = begins;
    cudart_on.closes = closes;
}

void cudart_set_config(const simt_config *config)
{
    cudart_on.config = *config;
    cudart_on.configured = true;
}

/* ---- waiting --------------------------------------------------------------------------------- */

void cudart_print_later(const char *text, size_t bytes)
{
    if (printed.bytes + bytes > printed.room) {
        size_t room = 2 * (printed.bytes + bytes);
        char *grown = realloc(printed.text, room);
        if (!grown)
            return; /* as a GPU does when its printf buffer is full: the rest is lost */
        printed.text = grown;
        printed.room = room;
    }
    if (bytes)
        memcpy(printed.text + printed.bytes, text, bytes);
    printed.bytes += bytes;
}

size_t cudart_lines_never_printed(void)
{
    size_t lines = 0;
    for (size_t k = 0; k < printed.bytes; k++)
        lines += printed.text[k] == '\n' || k + 1 == printed.bytes;
    return lines;
}

void cudart_print_now(void)
{
    if (printed.bytes)
        fwrite(printed.text, 1, printed.bytes, stdout);
    printed.bytes = 0;
}

void cudart_back_wait(cudart_waiting why)
{
    cudart_on.calls.waits += why == CUDART_PURPOSE;
    cudart_on.calls.waits_aside += why == CUDART_ASIDE;
    cudart_print_now();
}

void cudart_back_wait_by_the_way(void) { cudart_print_now(); }

/* ---- back.h ---------------------------------------------------------------------------------- */

cudaError_t cudart_back_open(void)
{
    return cudart_device() ? cudaSuccess : cudaErrorInitializationError;
}

void cudart_back_reset(void)
{
    cudart_later_run();
    cudart_order_done();
    cudart_print_now();
    cudart_print_leaks();
    cudart_close_device();
    cudart_kept_forget();
}

unsigned cudart_back_gpus(void) { return cudart_on.gpus ? cudart_on.gpus : 1; }

void cudart_back_use(unsigned gpu)
{
    if (gpu < cudart_on.gpus && simt_use_gpu(cudart_on.device, gpu) == SIMT_OK)
        cudart_on.gpu = gpu;
}

cudaError_t cudart_back_let_peer(unsigned gpu, unsigned peer, bool may)
{
    return cudart_from_simt(simt_let_peer(cudart_on.device, gpu, peer, may));
}

void cudart_back_facts(simt_limits *facts) { simt_facts(cudart_on.device, facts); }

void cudart_back_memory(size_t *free_bytes, size_t *total_bytes)
{
    simt_memory(cudart_on.device, free_bytes, total_bytes);
}

/* After the exit handlers and the destructors of the program's own variables, which may free. */
__attribute__((destructor)) static void at_end(void)
{
    if (!cudart_last_turn(LAST_TURN))
        return; /* a thread is in a call still */
    cudart_later_run();
    cudart_order_done();
    cudart_print_host_findings();
    cudart_print_leaks();
}
