/*
 * decode.h: what the files of this folder share: decode.c (an instruction, a function, a module)
 * stands above table.c, flow.c, usage.c, operands.c, operands_memory.c, places.c, registers.c,
 * guess.c, bases.c, strides.c, picks.c and zeros.c.
 */
#ifndef SIMT_DECODE_H
#define SIMT_DECODE_H

#include "code/code.h"

/* basic blocks of one function; block number `blocks` is the exit */
typedef struct flow {
    unsigned instrs, blocks, total;
    unsigned *block, *start; /* block of an instruction; first instruction of a block */
    unsigned *ipdom;
    unsigned **succ, *succs; /* successors of each block, and how many */
    uint8_t *joins;          /* block begins with a JOIN */
    /* index in code.insns of each instruction (its JOIN, if it has one), and of END */
    uint32_t *at;
} flow;

typedef struct decoder {
    module *module;
    code *code;
    const ptx_function *ptx;
    unsigned first_function, instr;
    int32_t *reg_offset, sink;
    /* of each register that may be read before it is written: frame offset of the mask of lanes
       that have written it; -1: always written before. Null: so are all */
    int32_t *reg_set;
    uint8_t *dead;  /* of each register: is it written once, and never read? */
    int32_t *zeros; /* likewise the lanes in which it is a literal zero: zeros.c */
    struct {
        uint64_t value;
        bool wide;
    } * constants;
    unsigned constant_count, constant_capacity;
    flow flow;
    uint8_t *guesses; /* loads that count as strong: guess_find; null: none */
    const op_row *row;
    char why[256];
    bool lacks; /* of why: an assembler would take it */
    bool out_of_memory;
    void **owned;
    size_t owned_count, owned_capacity;
} decoder;

typedef struct symbol {
    access_space space;
    uint64_t value;
} symbol;

/* Loading a module compares millions of names: most differ in their first letter. */
static inline bool same_name(const char *a, const char *b) { return *a == *b && strcmp(a, b) == 0; }

static inline bool op_is(const ptx_instr *p, const char *op) { return same_name(p->op, op); }

/* a number that is 0 of either sign; narrow: of 32 bits */
static inline bool decode_is_zero(const ptx_operand *o, bool narrow)
{
    uint64_t sign = 1ull << (narrow ? 31 : 63);
    return o->kind == PTX_IMM && ((uint64_t)o->value & ~sign) == 0;
}

static inline bool has(const ptx_instr *p, const char *modifier)
{
    for (unsigned k = 0; k < p->mod_count; k++)
        if (same_name(p->mods[k], modifier))
            return true;
    return false;
}

/* Does it only read and write registers and memory? Rows of other forms may branch, wait, or read
   the clock; a row of these must not. */
static inline bool decode_runs_on(const insn *i)
{
    switch (insn_form(i)) {
    case FORM_mov:
        return i->kind != KIND_mov_special || i->imm < SR_CLOCK || i->imm > SR_GLOBALTIMER_HI;
    case FORM_shape:
    case FORM_setp:
    case FORM_isspacep:
    case FORM_four:
    case FORM_cvt:
    case FORM_memory: return true;
    default: return false;
    }
}

/* table.c: the rows of this opcode, in the table's order, until NO_ROW */
unsigned table_first(const char *op);
unsigned table_next(unsigned row);
bool table_matches(const char *pattern, const ptx_instr *p);

/* flow.c: fills d->flow; false: no memory */
bool flow_find(decoder *d);
bool decode_label(decoder *d, const char *name, unsigned *instr);
uint32_t decode_target(const decoder *d, unsigned instr);
uint32_t decode_meeting(const decoder *d, unsigned instr);

/* usage.c: fills what a code uses; false: no memory */
bool usage_find(decoder *d, module *m);
bool usage_list_shared(decoder *d, module *m, code *c);
bool usage_shifts_tell(const ptx_module *m);

/* registers.c: fills reg_offset, sink, code->const_offset and code->register_estimate */
bool decode_registers(decoder *d);
/* after all instructions: fills code->touches; false: no memory */
bool decode_touches(decoder *d);

/* guess.c: for each instruction, is it a plain load that only guesses what a compare-and-swap will
   find? To free; null: there are none. */
uint8_t *guess_find(const ptx_function *f);

/* bases.c: gives accesses to shared memory the range of their variable; false: no memory */
bool bases_give_ranges(decoder *d);

/* strides.c: finds accesses to shared memory by rows (memory_form.row); false: no memory */
bool strides_find(decoder *d);

/* picks.c: fills code->picks, and has the selects counted that it names; false: no memory */
bool picks_find(decoder *d);

/* zeros.c: places masks in the frame, from `at` on, and returns where they end; then, after picks,
   fills code->zeros; false: no memory */
size_t zeros_find(decoder *d, size_t at);
bool zeros_mark(decoder *d);

/* places.c */
bool decode_fail(decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same where the operands are right, and it is the engine that cannot take them. */
#define decode_lacks(d, ...) ((d)->lacks = true, decode_fail(d, __VA_ARGS__))
bool decode_expect(decoder *d, const ptx_instr *p, unsigned operands); /* so many */
/* The last type modifier: of the value that ld, st, atom move. */
ptx_type decode_value_type(const ptx_instr *p, const char **name);
void *decode_take(decoder *d, size_t bytes);
int32_t decode_constant(decoder *d, uint64_t value, bool wide);
bool decode_symbol(decoder *d, const char *name, symbol *s);
bool decode_source(decoder *d, const ptx_operand *o, bool wide, int32_t *offset);
bool decode_dest(decoder *d, const ptx_operand *o, bool wide, int32_t *offset);
bool decode_b128(decoder *d, const ptx_operand *o, int32_t *offset);
bool decode_pred(decoder *d, const ptx_operand *o, int32_t *offset);
/* of a .param variable of the body */
size_t decode_call_bytes(const decoder *d, const char *name);
/* Variables of one state space in the body, laid out in order: offset of the one of that name,
   false: there is none; bytes of all. */
bool decode_body_var(const ptx_function *f, ptx_space space, const char *name, size_t *offset,
                     size_t *total);
bool decode_dynamic_var(const ptx_var *v); /* of shared memory: as large as the launch says */
bool decode_constants(decoder *d);         /* the image of a function's constants */
void decode_params(code *c);               /* lays out parameters, .local variables, call area */
const char *decode_builtin(const char *name);

/* operands.c and operands_memory.c: one for each FORM of ops.def; false with d->why: these operands
   do not fit the row */
typedef bool decode_fn(decoder *d, const ptx_instr *p, insn *i);
#define FORM(name) decode_fn decode_##name;
#include "code/ops.def"

#endif
