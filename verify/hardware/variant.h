/*
 * variant.h: one choice of the modifiers of a row of ops.def, between forms.c, which chooses, and
 * variant.c, which writes the kernel around the instruction and makes what the kernel is given.
 */
#ifndef HARDWARE_VARIANT_H
#define HARDWARE_VARIANT_H

#include "operands.h"

#include <string.h>

enum { MOST_MODS = 12, MOST_TYPES = 4 };

typedef struct row {
    const char *name, *pattern, *shape, *decode, *type[4];
} row;

/* text: the kernel, the caller's to free. sets: of operands, one a thread; 0 where the kernel moves
   bytes of memory. */
typedef struct variant {
    const row *row;
    char op[24], mod[MOST_MODS][24], name[160];
    unsigned mods;
    test_type in[OPERAND_MOST], out[OPERAND_MOST];
    unsigned ins, outs, sets;
    char *text;
    size_t have;
} variant;

/* Has it the modifier? */
bool variant_has(const variant *v, const char *mod);
/* Types among the modifiers, in order: how many; type has room for MOST_TYPES. */
unsigned variant_types(const variant *v, test_type *type);

static inline bool is_float(test_type type) { return type == TEST_F32 || type == TEST_F64; }

/* Is the name in the list, which NULL ends? */
static inline bool one_of(const char *name, const char *const *list)
{
    while (*list)
        if (!strcmp(name, *list++))
            return true;
    return false;
}

/* Are there kernels for such rows? */
bool variant_of_row(const row *r);
/* Writes v->text; false where PTX has no such form. Exits with 3 where there is no memory. */
bool variant_write(variant *v);
/* Sets what the launch is given and gives, and its threads. */
void variant_give(test_launch *l, variant *v);

#endif
