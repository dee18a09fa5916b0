/*
 * model.h: a device of the engine, and beside it what it must hold: for fuzz_api.c. Each function
 * makes one call of simt.h, says so on standard error where FUZZ_SHOW is set, and compares the
 * status and every byte that the call may change with the model's. A difference is printed and ends
 * the process by abort.
 *
 * Not foretold, hence taken as it comes: whether memory is left for an allocation, a module, a
 * launch; what a kernel leaves that was stopped.
 */
#ifndef SIMT_FUZZ_MODEL_H
#define SIMT_FUZZ_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simt.h"

enum { MODEL_LIVE = 24, MODEL_GONE = 8, MODEL_MODULES = 6 };

typedef struct model_memory {
    simt_addr address;
    size_t bytes;
    uint8_t *holds;
    bool variable; /* of a module: lives as long as the device */
} model_memory;

typedef struct model {
    simt_device *device;
    unsigned number;
    model_memory live[MODEL_LIVE];
    unsigned count;
    simt_addr gone[MODEL_GONE]; /* that were freed last */
    unsigned freed;
    /* with the kernels of model.c: module k is number module[k] */
    unsigned modules;
    unsigned module[MODEL_MODULES];
} model;

void model_open(model *m, simt_config config, unsigned number);
void model_close(model *m); /* after all memory has been compared */
void model_configure(model *m, const simt_config *config);

void model_alloc(model *m, size_t bytes);
void model_free(model *m, simt_addr address);
/* bytes value, value + 1 ... */
void model_write(model *m, simt_addr to, size_t bytes, unsigned value);
void model_read(model *m, simt_addr from, size_t bytes);
void model_copy(model *m, simt_addr to, simt_addr from, size_t bytes);
void model_fill(model *m, simt_addr to, size_t bytes, unsigned value);
void model_forget(model *m, simt_addr address, size_t bytes);
void model_find(model *m, simt_addr address);
void model_leaks(model *m);
/* Start of the allocation that the address is in; the address itself where there is none. */
simt_addr model_start(const model *m, simt_addr address);

/* the kernels of model.c, or a part of their text that does not parse */
void model_load(model *m, unsigned how);
void model_symbol(model *m, unsigned module, const char *name);
void model_launch(model *m, simt_launch_args *args, unsigned kernel, simt_addr p, unsigned k,
                  bool bad_handle);
/* facts, listings, names: nothing changes */
void model_ask(model *m, unsigned how, unsigned which);

/* Prints the text and aborts unless ok. */
void model_need(const model *m, bool ok, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
