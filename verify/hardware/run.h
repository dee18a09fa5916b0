/*
 * run.h: what is compared, as a list of runs: one for each form of ops.def (forms.h) and one for
 * each test of common/simt/test that a GPU can run. A run is one module and its launches; its
 * results are the bytes of all buffers that it may have written, one behind the other. Runs go
 * through simt.h and know neither the engine nor the GPU.
 */
#ifndef HARDWARE_RUN_H
#define HARDWARE_RUN_H

#include "simt.h"
#include "forms.h"

typedef struct run {
    const test_case *c;
    const form *form; /* null: a test of a file */
    /* unique: "form add_u32 add.u32", "test memory.ptx ld_extends_by_the_sign_of_its_type" */
    char name[200];
    uint64_t hash; /* of the module's text, the launches and their inputs */
    size_t bytes;  /* of its results */
} run;

/* Forms first, then the tests of the files in order. Null with a message on standard error. */
run *runs_make(char *const *files, unsigned count, size_t *runs);

typedef enum run_outcome { RUN_OK, RUN_REFUSED, RUN_FAILED } run_outcome;

/* Runs it on a device of its own; result has room for r->bytes. why: what went wrong, where the
   outcome is not RUN_OK. */
run_outcome run_on_device(const run *r, const simt_config *config, unsigned char *result, char *why,
                          size_t room);

#endif
