/*
 * forms.h: every row of ops.def as PTX that a GPU can run, made from the row's own pattern. A form
 * is one choice of the pattern's modifiers; its kernel executes the instruction on many operands,
 * one thread a set of them, and stores all that it gives.
 *
 * The rows are read from ops.def here, with no part of the engine, so that the program for the GPU
 * makes the very same texts. How operands are chosen: operands.h. Rows whose operands are no plain
 * values (barriers, branches, copies) make no form: the kernels of common/simt/test execute them.
 */
#ifndef HARDWARE_FORMS_H
#define HARDWARE_FORMS_H

#include "test/test_file.h"

typedef struct form {
    size_t row;     /* of ops.def */
    char name[160]; /* the instruction as written: "add.ftz.f32" */
    test_case c;    /* one launch, as a test file would have it */
} form;

size_t form_rows(void);
const char *form_row_name(size_t row);

/* All forms of all rows, in order; the caller keeps them to the end of the program. Null: no
   memory. */
form *forms_make(size_t *count);

#endif
