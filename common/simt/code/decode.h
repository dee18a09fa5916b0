/*
 * decode.h: what decode.c (functions, control flow) and operands.c (one routine per operand shape)
 * share.
 */
#ifndef SIMT_DECODE_H
#define SIMT_DECODE_H

#include "machine/machine.h"

/* basic blocks of one function; block number `blocks` is the exit */
typedef struct flow {
    unsigned instrs, blocks, total;
    unsigned *block, *start; /* block of an instruction; first instruction of a block */
    unsigned *ipdom;
    unsigned **succ, *succs; /* successors of each block, and how many */
    uint8_t *joins;          /* block begins with a JOIN */
    uint32_t *at;            /* index in code.insns of each instruction (its JOIN, if it has
                                   one), and of END */
} flow;

typedef struct decoder {
    module *module;
    code *code;
    const ptx_function *ptx;
    unsigned first_function, instr;
    int32_t *reg_offset, sink;
    struct {
        uint64_t value;
        bool wide;
    } * constants;
    unsigned constant_count, constant_capacity;
    flow flow;
    uint8_t *guesses; /* loads that count as strong: guess_find; null: none */
    const op_row *row;
    char why[256];
    bool out_of_memory;
    void **owned;
    size_t owned_count, owned_capacity;
} decoder;

typedef struct symbol {
    access_space space;
    uint64_t value;
} symbol;

/* registers.c: fills reg_offset, sink, code->const_offset and code->register_estimate */
bool decode_registers(decoder *d);

/* guess.c: for each instruction, is it a plain load that only guesses what a compare-and-swap will
   find? To free; null: there are none. */
uint8_t *guess_find(const ptx_function *f);

bool decode_fail(decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *decode_take(decoder *d, size_t bytes);
int32_t decode_constant(decoder *d, uint64_t value, bool wide);
bool decode_symbol(decoder *d, const char *name, symbol *s);
bool decode_source(decoder *d, const ptx_operand *o, bool wide, int32_t *offset);
bool decode_dest(decoder *d, const ptx_operand *o, bool wide, int32_t *offset);
bool decode_b128(decoder *d, const ptx_operand *o, int32_t *offset);
bool decode_pred(decoder *d, const ptx_operand *o, int32_t *offset);
bool decode_matches(const char *pattern, const ptx_instr *p);
/* of a .param variable of the body */
size_t decode_call_bytes(const decoder *d, const char *name);
const char *decode_builtin(const char *name);
bool decode_label(decoder *d, const char *name, unsigned *instr);
uint32_t decode_target(const decoder *d, unsigned instr);
uint32_t decode_meeting(const decoder *d, unsigned instr);

/* operands.c: one for each FORM of ops.def; false with d->why: these operands do not fit the row */
typedef bool decode_fn(decoder *d, const ptx_instr *p, insn *i);
#define FORM(name) decode_fn decode_##name;
#include "code/ops.def"

#endif
