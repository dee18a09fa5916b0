/*
 * device.c: the simulated device behind the runtime: opened at its first use, configured, waited
 * for, closed. What CUDA programs call on it is in device_calls.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

/* ---- the device ------------------------------------------------------------------------------ */

static struct {
    char *text;
    size_t bytes, room;
} printed;

simt_device *cudart_device(void)
{
    if (cudart.device)
        return cudart.device;
    if (!cudart.configured)
        cudart.config = simt_default_config();
    cudart.configured = true;
    simt_status status = simt_open(&cudart.config, &cudart.device);
    if (status != SIMT_OK) {
        cudart.device = NULL;
        cudart_because(cudaErrorInitializationError, "the simulated device cannot be opened: %s",
                       status == SIMT_NO_MEMORY
                           ? "the host has not enough address space; set simt_config.memory lower"
                           : "its configuration is not valid");
        return NULL;
    }
    cudart.generation++;
    return cudart.device;
}

void cudart_close_device(void)
{
    if (cudart.closes && cudart.device)
        cudart.closes(cudart.device);
    cudart_forget_common();
    simt_close(cudart.device);
    cudart.device = NULL;
    cudart.calls.live_bytes = 0;
    printed.bytes = 0;
}

bool cudart_open(const simt_config *config)
{
    cudart_close_device();
    cudart_forget();
    cudart.config = *config;
    cudart.configured = true;
    return cudart_device() != NULL;
}

bool cudart_configure(const simt_config *config)
{
    size_t memory = cudart.configured ? cudart.config.memory : config->memory;
    cudart.config = *config;
    cudart.config.memory = memory;
    cudart.configured = true;
    if (!cudart.device)
        return cudart_device() != NULL;
    return cudart_from_simt(simt_configure(cudart.device, &cudart.config)) == cudaSuccess;
}

void cudart_observe(cudart_observer *observer, void *user)
{
    cudart.observer = observer;
    cudart.observer_user = user;
}

void cudart_observe_device(cudart_begins *begins, cudart_closes *closes)
{
    cudart.begins = begins;
    cudart.closes = closes;
}

void cudart_set_config(const simt_config *config)
{
    cudart.config = *config;
    cudart.configured = true;
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

void cudart_print_now(void)
{
    if (printed.bytes)
        fwrite(printed.text, 1, printed.bytes, stdout);
    printed.bytes = 0;
}

cudaError_t cudart_wait(void)
{
    cudart_print_now();
    cudart_keep_host(false);
    if (cudart.pending != cudaSuccess)
        cudart.sticky = cudart.pending;
    cudart.pending = cudaSuccess;
    if (cudart.sticky != cudaSuccess)
        return cudart.sticky;
    return cudart_device() ? cudaSuccess : cudaErrorInitializationError;
}

cudaError_t cudart_enqueue(cudaStream_t stream, bool *run)
{
    *run = false;
    if (cudart.sticky != cudaSuccess)
        return cudart.sticky;
    if (!cudart_device())
        return cudaErrorInitializationError;
    if (!cudart_is_stream(stream))
        return cudart_because(cudaErrorInvalidResourceHandle,
                              "the stream %p was not made by cudaStreamCreate, or is destroyed",
                              (void *)stream);
    *run = cudart.pending == cudaSuccess;
    return cudaSuccess;
}
