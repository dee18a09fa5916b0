/*
 * decode.c: a parsed function to decoded code: names to frame offsets, labels to indices, opcodes
 * to kinds, branches to the place where their lanes meet again. Interface: decode_module,
 * decode_free, op_rows (code.h). Invariants: after decoding nothing looks at a string again,
 * except to report; an instruction that matches no row of ops.def, or has operands the row cannot
 * take, becomes KIND_unsupported with a message and is an error only if executed.
 */
#include "code/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ------------------------------------------------------------------------------- */

#define D_u16 "D"
#define D_s16 "D"
#define D_u32 "D"
#define D_s32 "D"
#define D_f32 "D"
#define D_u64 "E"
#define D_s64 "E"
#define D_f64 "E"
#define S_u16 "h"
#define S_s16 "h"
#define S_u32 "w"
#define S_s32 "w"
#define S_f32 "w"
#define S_u64 "x"
#define S_s64 "x"
#define S_f64 "x"

const op_row op_rows[] = {
#define OP(id, kind, pattern, shape, form, unset, sums)                                            \
    { #id, pattern, shape, KIND_##kind, FORM_##form, UNSET_##unset, SUMS_##sums },
#define ALU(id, pattern, shape, unset, sums)                                                       \
    { #id, pattern, shape, KIND_alu, FORM_shape, UNSET_##unset, SUMS_##sums },
#define ALU1(id, pattern, D, A, expr, unset, sums) ALU(id, pattern, D_##D S_##A, unset, sums)
#define ALU2(id, pattern, D, A, B, expr, unset, sums)                                              \
    ALU(id, pattern, D_##D S_##A S_##B, unset, sums)
#define ALU3(id, pattern, D, A, B, C, expr, unset, sums)                                           \
    ALU(id, pattern, D_##D S_##A S_##B S_##C, unset, sums)
#define CMP(id, pattern, T, expr, unset)                                                           \
    { #id, pattern, "P" S_##T S_##T, KIND_compare, FORM_setp, UNSET_##unset, SUMS_OWN },
#include "code/ops.def"
};
const size_t op_row_count = sizeof op_rows / sizeof *op_rows;
_Atomic uint64_t op_executed[sizeof op_rows / sizeof *op_rows];

/* Rows by opcode: chains in the table's order, so that an instruction is held against those of its
   name only. */
enum { CHAINS = 256 };
static uint16_t chain_first[CHAINS], chain_next[sizeof op_rows / sizeof *op_rows];
static pthread_once_t chains_made = PTHREAD_ONCE_INIT;

static unsigned chain_of(const char *op, size_t length)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)op[i]) * 16777619u;
    return h % CHAINS;
}

static void make_chains(void)
{
    for (unsigned k = 0; k < CHAINS; k++)
        chain_first[k] = NO_ROW;
    for (size_t r = op_row_count; r-- > 0;) {
        unsigned k = chain_of(op_rows[r].pattern, strcspn(op_rows[r].pattern, "."));
        chain_next[r] = chain_first[k];
        chain_first[k] = (uint16_t)r;
    }
}

/* ---- matching an instruction with a row ------------------------------------------------------ */

static bool one_of(const char *alternatives, size_t length, const char *s)
{
    size_t n = strlen(s);
    for (const char *a = alternatives, *end = alternatives + length; a < end;) {
        const char *bar = memchr(a, '|', (size_t)(end - a));
        size_t k = (size_t)((bar ? bar : end) - a);
        if (k == n && memcmp(a, s, n) == 0)
            return true;
        a += k + 1;
    }
    return false;
}

static bool token_takes(const char *t, size_t n, const char *mod)
{
    static const struct {
        const char *name, *list;
    } classes[] = {
#define CLASS(NAME, list) { #NAME, list },
#include "code/ops.def"
    };
    if (*t == '{')
        t++, n -= 2;
    if (n == 4 && memcmp(t, "TYPE", 4) == 0)
        return ptx_type_named(mod) != PTX_NO_TYPE && ptx_type_named(mod) != PTX_PRED;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (n == strlen(classes[i].name) && memcmp(t, classes[i].name, n) == 0)
            return one_of(classes[i].list, strlen(classes[i].list), mod);
    return one_of(t, n, mod);
}

static bool ignored(const ptx_instr *p, const char *mod)
{
    if (strcmp(mod, "uni") == 0)
        return strcmp(p->op, "vote") != 0;
    if (strncmp(mod, "L1::", 4) == 0 || strncmp(mod, "L2::", 4) == 0)
        return true;
    return strcmp(mod, "rn") == 0 && strcmp(p->op, "cvt") != 0;
}

bool decode_matches(const char *pattern, const ptx_instr *p)
{
    struct {
        const char *start;
        size_t length;
        bool optional, used;
    } token[PTX_MAX_MODS + 4];
    unsigned tokens = 0;
    const char *dot = strchr(pattern, '.');
    size_t op = dot ? (size_t)(dot - pattern) : strlen(pattern);
    if (strlen(p->op) != op || memcmp(p->op, pattern, op) != 0)
        return false;
    while (dot) {
        const char *s = dot + 1;
        const char *close = *s == '{' ? strchr(s, '}') + 1 : s + strcspn(s, ".?");
        token[tokens].start = s;
        token[tokens].length = (size_t)(close - s);
        token[tokens].optional = *close == '?';
        token[tokens++].used = false;
        dot = strchr(close, '.');
    }
    int last_type = -1;
    for (unsigned m = 0; m < p->mod_count; m++) {
        if (ignored(p, p->mods[m]))
            continue;
        bool type = ptx_type_named(p->mods[m]) != PTX_NO_TYPE, taken = false;
        for (int t = type ? last_type + 1 : 0; t < (int)tokens && !taken; t++) {
            if (token[t].used || !token_takes(token[t].start, token[t].length, p->mods[m]))
                continue;
            token[t].used = taken = true;
            if (type)
                last_type = t;
        }
        if (!taken)
            return false;
    }
    for (unsigned t = 0; t < tokens; t++)
        if (!token[t].used && !token[t].optional)
            return false;
    return true;
}

/* ---- what a decoder keeps of one function, and its operands ---------------------------------- */

bool decode_fail(decoder *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(d->why, sizeof d->why, format, args);
    va_end(args);
    return false;
}

void *decode_take(decoder *d, size_t bytes)
{
    void *r = calloc(1, bytes ? bytes : 1);
    if (!r) {
        d->out_of_memory = true;
        return NULL;
    }
    if (d->owned_count == d->owned_capacity) {
        size_t capacity = d->owned_capacity ? 2 * d->owned_capacity : 64;
        void **grown = realloc(d->owned, capacity * sizeof *grown);
        if (!grown) {
            free(r);
            d->out_of_memory = true;
            return NULL;
        }
        d->owned = grown;
        d->owned_capacity = capacity;
    }
    return d->owned[d->owned_count++] = r;
}

static bool reg_wide(const decoder *d, int reg) { return d->ptx->regs[reg] == PTX_B64; }
static bool reg_double_wide(const decoder *d, int reg) { return d->ptx->regs[reg] == PTX_B128; }

int32_t decode_constant(decoder *d, uint64_t value, bool wide)
{
    if (!wide)
        value = (uint32_t)value;
    size_t at = 0;
    for (unsigned i = 0; i < d->constant_count; i++) {
        if (d->constants[i].wide == wide && d->constants[i].value == value)
            return (int32_t)(d->code->const_offset + at);
        at += d->constants[i].wide ? 256 : 128;
    }
    if (d->constant_count == d->constant_capacity) {
        unsigned capacity = d->constant_capacity ? 2 * d->constant_capacity : 32;
        void *grown = realloc(d->constants, capacity * sizeof *d->constants);
        if (!grown) {
            d->out_of_memory = true;
            return -1;
        }
        d->constants = grown;
        d->constant_capacity = capacity;
    }
    d->constants[d->constant_count].value = value;
    d->constants[d->constant_count++].wide = wide;
    d->code->const_bytes = at + (wide ? 256 : 128);
    return (int32_t)(d->code->const_offset + at);
}

static const ptx_var *find_in(const ptx_var *vars, unsigned count, const char *name, size_t *offset)
{
    size_t at = 0;
    for (unsigned i = 0; i < count; i++) {
        size_t align = vars[i].align ? vars[i].align : 1;
        at = (at + align - 1) / align * align;
        if (strcmp(vars[i].name, name) == 0) {
            *offset = at;
            return &vars[i];
        }
        at += vars[i].bytes;
    }
    *offset = at;
    return NULL;
}

/* Variables of one state space in the body, laid out in order. */
static bool body_var(const ptx_function *f, ptx_space space, const char *name, size_t *offset,
                     size_t *total)
{
    size_t at = 0;
    bool found = false;
    for (unsigned i = 0; i < f->var_count; i++) {
        const ptx_var *v = &f->vars[i];
        if (v->space != space)
            continue;
        size_t align = v->align ? v->align : 1;
        at = (at + align - 1) / align * align;
        if (name && strcmp(v->name, name) == 0) {
            *offset = at;
            found = true;
        }
        at += v->bytes;
    }
    if (total)
        *total = at;
    return found;
}

static bool dynamic_var(const ptx_var *v) { return v->external || v->bytes == 0; }

bool decode_symbol(decoder *d, const char *name, symbol *s)
{
    size_t offset = 0;
    if (body_var(d->ptx, PTX_SHARED, name, &offset, NULL)) {
        *s = (symbol){ SPACE_SHARED, d->code->own_shared_base + offset };
        return true;
    }
    if (body_var(d->ptx, PTX_LOCAL, name, &offset, NULL)) {
        *s = (symbol){ SPACE_LOCAL, offset };
        return true;
    }
    if (body_var(d->ptx, PTX_PARAM, name, &offset, NULL)) {
        *s = (symbol){ SPACE_PARAM_CALL, offset };
        return true;
    }
    if (find_in(d->ptx->params, d->ptx->param_count, name, &offset)) {
        *s = (symbol){ SPACE_PARAM_IN, offset };
        return true;
    }
    if (find_in(d->ptx->results, d->ptx->result_count, name, &offset)) {
        *s = (symbol){ SPACE_PARAM_IN, d->code->in_bytes + offset };
        return true;
    }
    for (unsigned i = 0; i < d->module->var_count; i++)
        if (strcmp(d->module->vars[i].name, name) == 0) {
            *s = (symbol){ SPACE_GLOBAL, d->module->vars[i].address };
            return true;
        }
    for (unsigned i = 0; i < d->module->ptx->var_count; i++) {
        const ptx_var *v = &d->module->ptx->vars[i];
        if (v->space != PTX_SHARED || strcmp(v->name, name) != 0)
            continue;
        *s = (symbol){ SPACE_SHARED,
                       dynamic_var(v) ? d->code->dynamic_offset : d->code->shared_at[i] };
        return true;
    }
    for (unsigned i = 0; i < d->module->function_count; i++)
        if (strcmp(d->module->ptx->functions[i].name, name) == 0) {
            *s = (symbol){ SPACE_CONST, FUNCTION_BASE + 16ull * (d->first_function + i) };
            return true;
        }
    return false;
}

/* The frame offset of a source operand of 32 (wide: 64) bits; false with d->why if it cannot be
   one. */
bool decode_source(decoder *d, const ptx_operand *o, bool wide, int32_t *offset)
{
    symbol s;
    switch (o->kind) {
    case PTX_REG:
        if (d->ptx->regs[o->reg] == PTX_PRED)
            return decode_fail(d, "a predicate where a value is needed");
        if (reg_wide(d, o->reg) != wide || reg_double_wide(d, o->reg))
            return decode_fail(d, "a register of the wrong width for this instruction");
        *offset = d->reg_offset[o->reg];
        return true;
    case PTX_IMM: {
        uint64_t v = (uint64_t)o->value;
        if (o->is_double && !wide) { /* a double literal in an f32 instruction */
            double x;
            memcpy(&x, &v, 8);
            float f = (float)x;
            uint32_t b;
            memcpy(&b, &f, 4);
            v = b;
        }
        *offset = decode_constant(d, v, wide);
        return true;
    }
    case PTX_NAME:
        if (*o->name == '%')
            return decode_fail(d, "the special register %s is read by mov only", o->name);
        if (!decode_symbol(d, o->name, &s))
            return decode_fail(d, "'%s' is not declared", o->name);
        if (s.space == SPACE_LOCAL)
            return decode_fail(d, "the address of a local variable is taken by mov only");
        if (s.space == SPACE_PARAM_IN)
            s.value += PARAM_WINDOW;
        *offset = decode_constant(d, s.value + (uint64_t)o->value, wide);
        return true;
    default: return decode_fail(d, "an operand of a kind this instruction cannot take");
    }
}

bool decode_dest(decoder *d, const ptx_operand *o, bool wide, int32_t *offset)
{
    if (o->kind == PTX_BLANK) {
        *offset = d->sink;
        return true;
    }
    if (o->kind != PTX_REG || o->reg < 0)
        return decode_fail(d, "the destination is not a register");
    if (d->ptx->regs[o->reg] == PTX_PRED || reg_wide(d, o->reg) != wide ||
        reg_double_wide(d, o->reg))
        return decode_fail(d, "a destination register of the wrong width");
    *offset = d->reg_offset[o->reg];
    return true;
}

/* A register of 128 bits, which is two of 64: the low half at *offset, the high one 256 bytes after
   it. */
bool decode_b128(decoder *d, const ptx_operand *o, int32_t *offset)
{
    if (o->kind != PTX_REG || o->reg < 0 || !reg_double_wide(d, o->reg))
        return decode_fail(d, "a register of 128 bits is needed here");
    *offset = d->reg_offset[o->reg];
    return true;
}

bool decode_pred(decoder *d, const ptx_operand *o, int32_t *offset)
{
    if (o->kind == PTX_IMM) { /* a constant predicate */
        *offset = decode_constant(d, o->value ? ~0ull : 0, false);
        return true;
    }
    if (o->kind != PTX_REG || o->reg < 0 || d->ptx->regs[o->reg] != PTX_PRED)
        return decode_fail(d, "a predicate register is needed here");
    *offset = d->reg_offset[o->reg];
    return true;
}

size_t decode_call_bytes(const decoder *d, const char *name)
{
    for (unsigned i = 0; i < d->ptx->var_count; i++)
        if (d->ptx->vars[i].space == PTX_PARAM && strcmp(d->ptx->vars[i].name, name) == 0)
            return d->ptx->vars[i].bytes;
    return 0;
}

/* ---- one instruction ------------------------------------------------------------------------- */

static bool decode_guard(decoder *d, const ptx_instr *p, insn *i)
{
    i->guard = -1;
    if (p->guard < 0)
        return true;
    if (d->ptx->regs[p->guard] != PTX_PRED)
        return decode_fail(d, "the guard is not a predicate");
    i->guard = d->reg_offset[p->guard] + p->guard_negated;
    return true;
}

static decode_fn *const decoder_of[FORM_COUNT] = {
#define FORM(name) [FORM_##name] = decode_##name,
#include "code/ops.def"
};

static insn blank(op_kind kind)
{
    return (insn){
        .d = -1, .a = -1, .b = -1, .c = -1, .guard = -1, .kind = (uint8_t)kind, .row = NO_ROW
    };
}

/* A faster kind where the operands allow it: a product with a power of two. The row stays. */
static void specialise(const ptx_instr *p, insn *i)
{
    bool is_signed = i->row == ROW_mul_wide_s32;
    if (!is_signed && i->row != ROW_mul_wide_u32)
        return;
    const ptx_operand *by = &p->operands[2];
    if (by->kind != PTX_IMM || by->value <= 0 || by->value > INT32_MAX ||
        (by->value & (by->value - 1)))
        return;
    i->imm = __builtin_ctzll((uint64_t)by->value);
    i->kind = is_signed ? KIND_shl_wide_s32 : KIND_shl_wide_u32;
}

static void decode_instruction(decoder *d, const ptx_instr *p, insn *i)
{
    d->why[0] = '\0';
    bool known = false;
    pthread_once(&chains_made, make_chains);
    for (unsigned r = chain_first[chain_of(p->op, strlen(p->op))]; r != NO_ROW; r = chain_next[r]) {
        if (!decode_matches(op_rows[r].pattern, p))
            continue;
        known = true;
        *i = blank(op_rows[r].kind);
        i->row = (uint16_t)r;
        i->flags = op_rows[r].sums == SUMS_FLOAT_SUM ? OPF_FLOAT_ADD : 0;
        d->row = &op_rows[r];
        if (!decode_guard(d, p, i) || !decoder_of[op_rows[r].form](d, p, i))
            continue;
        specialise(p, i);
        return;
    }
    char text[400];
    if (known)
        snprintf(text, sizeof text, "%s: %s", p->text,
                 d->why[0] ? d->why : "operands the engine does not take");
    else
        snprintf(text, sizeof text, "the engine does not know the instruction '%s'", p->text);
    char *kept = decode_take(d, strlen(text) + 1);
    if (kept)
        strcpy(kept, text);
    *i = blank(KIND_unsupported);
    i->extra = kept;
    (void)decode_guard(d, p, i);
}

/* ---- control flow: blocks, post-dominators, JOINs -------------------------------------------- */

static bool op_is(const ptx_instr *p, const char *op) { return strcmp(p->op, op) == 0; }

static bool noreturn_call(const decoder *d, const ptx_instr *p)
{
    if (!op_is(p, "call"))
        return false;
    for (unsigned k = 0; k < p->operand_count; k++) {
        if (p->operands[k].kind != PTX_NAME)
            continue;
        if (strcmp(p->operands[k].name, "__assertfail") == 0)
            return true;
        for (unsigned f = 0; f < d->module->ptx->function_count; f++)
            if (strcmp(d->module->ptx->functions[f].name, p->operands[k].name) == 0)
                return d->module->ptx->functions[f].noreturn;
    }
    return false;
}

static bool stops(const decoder *d, const ptx_instr *p)
{
    return op_is(p, "trap") || noreturn_call(d, p);
}

static bool ends_block(const decoder *d, const ptx_instr *p)
{
    return op_is(p, "bra") || op_is(p, "brx") || op_is(p, "ret") || op_is(p, "exit") || stops(d, p);
}

static int by_label(const void *name, const void *label)
{
    return strcmp(name, ((const ptx_label *)label)->name);
}

bool decode_label(decoder *d, const char *name, unsigned *instr)
{
    const ptx_label *l = d->ptx->label_count ? bsearch(name, d->ptx->labels, d->ptx->label_count,
                                                       sizeof *l, by_label)
                                             : NULL;
    if (l) {
        *instr = l->instr;
        return true;
    }
    return decode_fail(d, "no label '%s' in this function", name);
}

static unsigned block_of(const flow *f, unsigned instr)
{
    return instr < f->instrs ? f->block[instr] : f->blocks;
}

/* Successors of a block's last instruction; at most 2 except for brx. Block number f->blocks is the
   exit. */
static unsigned successors(decoder *d, const flow *f, unsigned b, unsigned *out, unsigned room)
{
    unsigned last = (b + 1 < f->blocks ? f->start[b + 1] : f->instrs) - 1, n = 0, target = 0;
    const ptx_instr *p = &d->ptx->instrs[last];
    if (op_is(p, "brx") && p->operand_count == 2 && p->operands[1].kind == PTX_NAME) {
        for (unsigned t = 0; t < d->ptx->table_count; t++) {
            if (strcmp(d->ptx->tables[t].name, p->operands[1].name) != 0)
                continue;
            for (unsigned k = 0; k < d->ptx->tables[t].count && n < room; k++)
                if (decode_label(d, d->ptx->tables[t].labels[k], &target))
                    out[n++] = block_of(f, target);
        }
        return n;
    }
    if (op_is(p, "bra") && p->operand_count && p->operands[0].kind == PTX_NAME &&
        decode_label(d, p->operands[0].name, &target))
        out[n++] = block_of(f, target);
    else if (stops(d,
                   p)) { /* no way on, and none to a place where its lanes would meet the others */
    } else if (ends_block(d, p))
        out[n++] = f->blocks;
    if (p->guard >= 0 || !ends_block(d, p))
        out[n++] = block_of(f, last + 1);
    return n;
}

static bool find_blocks(decoder *d, flow *f)
{
    unsigned n = d->ptx->instr_count, target;
    f->instrs = n;
    f->block = decode_take(d, (n + 1) * sizeof *f->block);
    f->start = decode_take(d, (n + 1) * sizeof *f->start);
    uint8_t *leader = decode_take(d, n + 1);
    if (!f->block || !f->start || !leader)
        return false;
    leader[0] = 1;
    for (unsigned i = 0; i < d->ptx->label_count; i++) {
        target = d->ptx->labels[i].instr;
        leader[target] = 1;
    }
    for (unsigned i = 0; i < n; i++)
        if (ends_block(d, &d->ptx->instrs[i]))
            leader[i + 1] = 1;
    for (unsigned i = 0; i < n; i++) {
        if (leader[i])
            f->start[f->blocks++] = i;
        f->block[i] = f->blocks - 1;
    }
    return true;
}

/* Depth-first order from the exit over reversed edges, then Cooper, Harvey and Kennedy, "A Simple,
   Fast Dominance Algorithm" (2001), on the reversed graph. Blocks that cannot reach the exit meet
   at the exit. */
static bool find_post_dominators(decoder *d, flow *f)
{
    unsigned n = f->blocks + 1, exit = f->blocks;
    enum { ROOM = 1024 };
    unsigned *out = decode_take(d, ROOM * sizeof *out), *order = decode_take(d, n * sizeof *order),
             *rank = decode_take(d, n * sizeof *rank);
    unsigned *stack = decode_take(d, n * sizeof *stack), *edge = decode_take(d, n * sizeof *edge);
    unsigned **pred = decode_take(d, n * sizeof *pred), *preds = decode_take(d, n * sizeof *preds);
    unsigned **succ = f->succ = decode_take(d, n * sizeof *succ),
             *succs = f->succs = decode_take(d, n * sizeof *succs);
    f->ipdom = decode_take(d, n * sizeof *f->ipdom);
    if (d->out_of_memory)
        return false;
    for (unsigned b = 0; b < f->blocks; b++) {
        succs[b] = successors(d, f, b, out, ROOM);
        if (!(succ[b] = decode_take(d, succs[b] * sizeof **succ)))
            return false;
        memcpy(succ[b], out, succs[b] * sizeof *out);
        for (unsigned k = 0; k < succs[b]; k++)
            preds[out[k]]++;
    }
    for (unsigned b = 0; b < n; b++) {
        if (!(pred[b] = decode_take(d, preds[b] * sizeof **pred)))
            return false;
        preds[b] = 0;
    }
    for (unsigned b = 0; b < f->blocks; b++)
        for (unsigned k = 0; k < succs[b]; k++)
            pred[succ[b][k]][preds[succ[b][k]]++] = b;

    for (unsigned b = 0; b < n; b++)
        rank[b] = UINT32_MAX, f->ipdom[b] = UINT32_MAX;
    unsigned top = 0, ordered = 0;
    uint8_t *seen = decode_take(d, n);
    if (!seen)
        return false;
    stack[top++] = exit;
    seen[exit] = 1;
    while (top) {
        unsigned b = stack[top - 1];
        if (edge[b] < preds[b]) {
            unsigned p = pred[b][edge[b]++];
            if (!seen[p]) {
                seen[p] = 1;
                stack[top++] = p;
            }
        } else {
            rank[b] = ordered;
            order[ordered++] = b;
            top--;
        }
    }
    f->ipdom[exit] = exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned k = ordered; k-- > 0;) {
            unsigned b = order[k], best = UINT32_MAX;
            if (b == exit)
                continue;
            for (unsigned s = 0; s < succs[b]; s++) {
                unsigned x = succ[b][s];
                if (f->ipdom[x] == UINT32_MAX)
                    continue;
                unsigned y = best == UINT32_MAX ? x : best;
                while (x != y) {
                    while (rank[x] < rank[y])
                        x = f->ipdom[x];
                    while (rank[y] < rank[x])
                        y = f->ipdom[y];
                }
                best = x;
            }
            if (best != f->ipdom[b]) {
                f->ipdom[b] = best;
                changed = true;
            }
        }
    }
    for (unsigned b = 0; b < n; b++)
        if (f->ipdom[b] == UINT32_MAX)
            f->ipdom[b] = exit;
    return true;
}

/* Marks the blocks where lanes may meet, counts instructions with their JOINs, and maps instruction
   numbers to indices. */
static bool place_joins(decoder *d, flow *f)
{
    f->joins = decode_take(d, f->blocks + 1);
    f->at = decode_take(d, (f->instrs + 1) * sizeof *f->at);
    if (!f->joins || !f->at)
        return false;
    for (unsigned b = 0; b < f->blocks; b++) {
        unsigned last = (b + 1 < f->blocks ? f->start[b + 1] : f->instrs) - 1;
        const ptx_instr *p = &d->ptx->instrs[last];
        if ((op_is(p, "bra") && p->guard >= 0) || op_is(p, "brx"))
            f->joins[f->ipdom[b]] = 1;
    }
    unsigned index = 0;
    for (unsigned i = 0; i < f->instrs; i++) {
        unsigned b = f->block[i];
        f->at[i] = index; /* a branch to a joining block goes to its JOIN */
        if (f->start[b] == i && f->joins[b])
            index++;
        index++;
    }
    f->at[f->instrs] = index; /* the END that follows the last instruction */
    f->total = index + 1;
    return true;
}

uint32_t decode_target(const decoder *d, unsigned instr) { return d->flow.at[instr]; }

uint32_t decode_meeting(const decoder *d, unsigned instr)
{
    unsigned b = d->flow.ipdom[d->flow.block[instr]];
    return d->flow.at[b < d->flow.blocks ? d->flow.start[b] : d->flow.instrs];
}

/* ---- runs, and special cases ----------------------------------------------------------------- */

/* Does it only read and write registers and memory? Rows of other forms may branch, wait, or read
   the clock; a row of these must not. */
static bool runs_on(const insn *i)
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

static uint16_t longer(uint16_t run) { return run < UINT16_MAX ? run + 1 : 1; }

static void find_runs(code *c)
{
    for (unsigned k = c->count; k-- > 0;) {
        insn *i = &c->insns[k];
        bool bra = i->kind == KIND_bra, on = runs_on(i) || (bra && i->target > k && k % GOES);
        if (i->guard >= 0)
            continue;
        i->run = on ? longer(i[1].run) : 1; /* the last one, END, does not run on */
        i->whole_run = on || i->kind == KIND_join ? longer(i[1].whole_run) : 1;
        if (bra && (i->run == 1 || i->whole_run == 1))
            i->run = i->whole_run = 1;
    }
}

/* In cache lines of their own. */
static insn *take_insns(decoder *d, size_t count)
{
    uint8_t *p = decode_take(d, (count + 1) * sizeof(insn));
    return p ? (insn *)(p + (-(uintptr_t)p & (sizeof(insn) - 1))) : NULL;
}

/* Not to a kernel's ret, where lanes exit at the branch. */
static void find_skips(code *c)
{
    for (unsigned k = 0; k + 1 < c->count; k++) {
        insn *i = &c->insns[k];
        if (i->kind != KIND_bra || i->target != i->rpc || i->target == k + 1)
            continue;
        const insn *join = &c->insns[i->target], *after = join + 1;
        unsigned end = k + i[1].run;
        bool leaves = after->guard < 0 && (after->kind == KIND_ret || after->kind == KIND_exit),
             falls = end == i->target && code_goes_on(c, end);
        if (i[1].run && join->kind == KIND_join && !leaves &&
            (falls ||
             (c->insns[end].kind == KIND_bra_uniform && c->insns[end].target == i->target)))
            i->flags |= OPF_SKIPS;
    }
}

static insn pseudo(op_kind kind)
{
    insn i = blank(kind);
    i.flags = OPF_PSEUDO;
    return i;
}

static bool emit(decoder *d)
{
    code *c = d->code;
    flow *f = &d->flow;
    c->count = f->total;
    c->insns = take_insns(d, f->total);
    c->source = decode_take(d, f->total * sizeof *c->source);
    if (!c->insns || !c->source)
        return false;
    insn *out = c->insns;
    for (unsigned i = 0; i < f->instrs; i++) {
        unsigned b = f->block[i];
        if (f->start[b] == i && f->joins[b]) {
            c->source[out - c->insns] = i;
            *out++ = pseudo(KIND_join);
        }
        c->source[out - c->insns] = i;
        d->instr = i;
        decode_instruction(d, &d->ptx->instrs[i], out++);
    }
    c->source[out - c->insns] = f->instrs ? f->instrs - 1 : 0;
    *out = pseudo(KIND_end);
    find_runs(c);
    find_skips(c);
    return !d->out_of_memory;
}

/* ---- registers and layout of a function ------------------------------------------------------ */

static bool build_constants(decoder *d)
{
    code *c = d->code;
    c->const_image = decode_take(d, c->const_bytes);
    if (!c->const_image)
        return false;
    uint8_t *out = c->const_image;
    for (unsigned k = 0; k < d->constant_count; k++) {
        for (int l = 0; l < LANES; l++) {
            if (d->constants[k].wide)
                memcpy(out + 8 * l, &d->constants[k].value, 8);
            else
                memcpy(out + 4 * l, &d->constants[k].value, 4);
        }
        out += d->constants[k].wide ? 256 : 128;
    }
    c->frame_bytes = (c->const_offset + c->const_bytes + 63) & ~(size_t)63;
    return true;
}

static void lay_out_params(code *c)
{
    size_t at = 0;
    for (unsigned i = 0; i < c->ptx->param_count; i++) {
        const ptx_var *v = &c->ptx->params[i];
        at = (at + v->align - 1) / v->align * v->align;
        if (i < 64)
            c->param_offset[i] = at, c->param_size[i] = v->bytes;
        at += v->bytes;
    }
    c->in_bytes = (at + 15) & ~(size_t)15;
    size_t offset, total = 0;
    (void)find_in(c->ptx->results, c->ptx->result_count, "", &total);
    c->out_bytes = (total + 15) & ~(size_t)15;
    (void)body_var(c->ptx, PTX_LOCAL, NULL, &offset, &c->local_bytes);
    c->local_bytes = (c->local_bytes + 15) & ~(size_t)15;
    (void)body_var(c->ptx, PTX_PARAM, NULL, &offset, &c->call_bytes);
    c->call_bytes = (c->call_bytes + 15) & ~(size_t)15;
}

static bool decode_function(decoder *d)
{
    d->constant_count = 0;
    d->flow = (flow){ 0 };
    d->code->const_bytes = 0;
    if (!find_blocks(d, &d->flow) || !find_post_dominators(d, &d->flow) ||
        !place_joins(d, &d->flow))
        return false;
    d->guesses = guess_find(d->ptx);
    bool fine = decode_registers(d) && emit(d) && build_constants(d) && !d->out_of_memory;
    free(d->guesses);
    d->guesses = NULL;
    return fine;
}

/* ---- what a function uses: shared variables and callees, over the call graph ----------------- */

static int function_index(const module *m, const char *name)
{
    for (unsigned i = 0; i < m->function_count; i++)
        if (strcmp(m->ptx->functions[i].name, name) == 0)
            return (int)i;
    return -1;
}

typedef void name_visitor(void *user, const ptx_instr *p, const char *name);

static void visit_operand(const ptx_instr *p, const ptx_operand *o, name_visitor *visit, void *user)
{
    if (o->name && o->reg < 0)
        visit(user, p, o->name);
    for (unsigned k = 0; k < o->item_count; k++)
        visit_operand(p, &o->items[k], visit, user);
}

/* of one function: functions and module variables that it names */
typedef struct usage {
    module *m;
    uint8_t *calls, *vars;
} usage;

static void note_use(void *user, const ptx_instr *p, const char *name)
{
    (void)p;
    usage *u = user;
    for (unsigned i = 0; i < u->m->ptx->var_count; i++)
        if (strcmp(u->m->ptx->vars[i].name, name) == 0)
            u->vars[i] = 1;
    int f = function_index(u->m, name);
    if (f >= 0)
        u->calls[f] = 1;
}

static bool has(const ptx_instr *p, const char *mod)
{
    for (unsigned k = 0; k < p->mod_count; k++)
        if (strcmp(p->mods[k], mod) == 0)
            return true;
    return false;
}

/* Can blocks tell each other anything through this instruction? If so, blocks run on one host
   thread, interleaved. */
static bool may_communicate(const ptx_instr *p)
{
    bool shared =
        has(p, "shared") || has(p, "shared::cta") || has(p, "shared::cluster") || has(p, "local");
    if (op_is(p, "atom") || op_is(p, "red"))
        return !shared;
    if (op_is(p, "membar"))
        return !has(p, "cta");
    if (op_is(p, "fence"))
        return !has(p, "cta") && !has(p, "proxy") && !has(p, "mbarrier_init");
    if (op_is(p, "ld") || op_is(p, "st"))
        return !shared &&
               (has(p, "volatile") || has(p, "relaxed") || has(p, "acquire") || has(p, "release"));
    if (op_is(p, "call"))
        for (unsigned k = 0; k < p->operand_count; k++) {
            const char *builtin =
                p->operands[k].kind == PTX_NAME ? decode_builtin(p->operands[k].name) : NULL;
            if (builtin && (strcmp(builtin, "malloc") == 0 || strcmp(builtin, "free") == 0))
                return true;
        }
    return false;
}

static bool subword_access(const ptx_instr *p)
{
    if (!(op_is(p, "ld") || op_is(p, "st") || op_is(p, "atom")) || has(p, "param") ||
        has(p, "const") || has(p, "local"))
        return false;
    for (unsigned k = 0; k < p->mod_count; k++) {
        ptx_type t = ptx_type_named(p->mods[k]);
        if (t == PTX_B8 || t == PTX_B16)
            return true;
    }
    return false;
}

/* ---- where .shared variables of the module lie ----------------------------------------------- */

/* Those that a device function names lie at one place in all kernels, from 0 on, followed by the
   device functions' own. The others lie in each kernel that names them behind what it reaches of
   these: kernels of one module do not pay for each other's. */

static size_t aligned(size_t at, const ptx_var *v)
{
    return (at + v->align - 1) / v->align * v->align;
}

static bool place_common(decoder *d, module *m, const uint8_t *vars)
{
    unsigned n = m->function_count, count = m->ptx->var_count;
    for (unsigned f = 0; f < n; f++) {
        m->functions[f].shared_at = decode_take(d, (count + 1) * sizeof(size_t));
        if (!m->functions[f].shared_at)
            return false;
        for (unsigned i = 0; i < count; i++)
            m->functions[f].shared_at[i] = SIZE_MAX;
    }
    for (unsigned i = 0; i < count; i++) {
        const ptx_var *v = &m->ptx->vars[i];
        bool common = false;
        for (unsigned f = 0; f < n; f++)
            common |= !m->functions[f].ptx->entry && vars[(size_t)f * count + i];
        if (v->space != PTX_SHARED || dynamic_var(v) || !common)
            continue;
        size_t at = aligned(m->shared_bytes, v);
        m->shared_bytes = at + v->bytes;
        for (unsigned f = 0; f < n; f++) {
            m->functions[f].shared_at[i] = at;
            if (vars[(size_t)f * count + i])
                m->functions[f].shared_top = m->shared_bytes;
        }
    }
    return true;
}

static void place_in_kernel(module *m, code *c, const uint8_t *vars)
{
    for (unsigned i = 0; i < m->ptx->var_count; i++) {
        const ptx_var *v = &m->ptx->vars[i];
        if (!vars[i] || v->space != PTX_SHARED || dynamic_var(v) || c->shared_at[i] != SIZE_MAX)
            continue;
        c->shared_at[i] = aligned(c->shared_top, v);
        c->shared_top = c->shared_at[i] + v->bytes;
    }
}

/* Does a device function use dynamic shared memory? Then it begins at one place in all kernels. */
static bool named_by_function(const module *m, const uint8_t *vars)
{
    for (unsigned f = 0; f < m->function_count; f++)
        for (unsigned i = 0; i < m->ptx->var_count && !m->functions[f].ptx->entry; i++) {
            const ptx_var *v = &m->ptx->vars[i];
            if (vars[(size_t)f * m->ptx->var_count + i] && v->space == PTX_SHARED && dynamic_var(v))
                return true;
        }
    return false;
}

static bool analyse_use(decoder *d, module *m)
{
    unsigned n = m->function_count, var_count = m->ptx->var_count;
    uint8_t *calls = decode_take(d, (size_t)n * n + 1),
            *vars = decode_take(d, (size_t)n * var_count + 1);
    size_t dynamic_offset = 0;
    if (!calls || !vars)
        return false;
    for (unsigned i = 0; i < n; i++) {
        code *c = &m->functions[i];
        usage u = { m, calls + (size_t)i * n, vars + (size_t)i * var_count };
        for (unsigned k = 0; k < c->ptx->instr_count; k++) {
            const ptx_instr *p = &c->ptx->instrs[k];
            for (unsigned o = 0; o < p->operand_count; o++)
                visit_operand(p, &p->operands[o], note_use, &u);
            c->communicates |= may_communicate(p);
            c->uses_local |= c->local_bytes > 0 || op_is(p, "alloca");
            c->subword_shared |= subword_access(p) && !has(p, "global");
            c->subword_global |= subword_access(p) && !has(p, "shared") && !has(p, "shared::cta") &&
                                 !has(p, "shared::cluster");
            c->copies_out |= op_is(p, "cp") && has(p, "bulk") && has(p, "bulk_group");
            bool indirect = op_is(p, "call");
            for (unsigned o = 0; o < p->operand_count && indirect; o++)
                if (p->operands[o].kind == PTX_NAME)
                    indirect = p->operands[o].name[0] == 'p' &&
                               strncmp(p->operands[o].name, "prototype", 9) == 0;
            if (indirect)
                memset(u.calls, 1, n); /* may reach any function of the module */
        }
    }
    if (!place_common(d, m, vars))
        return false;
    for (unsigned i = 0; i < n; i++) {
        code *c = &m->functions[i];
        size_t offset;
        (void)body_var(c->ptx, PTX_SHARED, NULL, &offset, &c->own_shared);
        /* a device function's own: in the module's region */
        if (!c->ptx->entry && c->own_shared) {
            c->own_shared_base = (m->shared_bytes + 15) & ~(size_t)15;
            m->shared_bytes = c->own_shared_base + c->own_shared;
            if (m->shared_bytes > c->shared_top)
                c->shared_top = m->shared_bytes;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = 0; j < n; j++) {
                code *a = &m->functions[i], *b = &m->functions[j];
                if (!calls[(size_t)i * n + j] || i == j || b->ptx->entry)
                    continue;
                if (b->shared_top > a->shared_top)
                    a->shared_top = b->shared_top, changed = true;
                if (b->communicates && !a->communicates)
                    a->communicates = changed = true;
                if (b->uses_local && !a->uses_local)
                    a->uses_local = changed = true;
                if (b->subword_shared && !a->subword_shared)
                    a->subword_shared = changed = true;
                if (b->subword_global && !a->subword_global)
                    a->subword_global = changed = true;
                if (b->copies_out && !a->copies_out)
                    a->copies_out = changed = true;
            }
    }
    for (unsigned i = 0; i < n; i++) {
        code *c = &m->functions[i];
        if (c->ptx->entry)
            place_in_kernel(m, c, vars + (size_t)i * var_count);
        if (c->ptx->entry)
            c->own_shared_base = (c->shared_top + 15) & ~(size_t)15;
        c->static_shared =
            c->ptx->entry ? (c->own_shared ? c->own_shared_base + c->own_shared : c->shared_top)
                          : 0;
        c->dynamic_offset = (c->static_shared + 127) & ~(size_t)127;
        if (c->dynamic_offset > dynamic_offset)
            dynamic_offset = c->dynamic_offset;
    }
    for (unsigned i = 0; i < n && named_by_function(m, vars); i++)
        m->functions[i].dynamic_offset = dynamic_offset;
    return true;
}

/* Does a shift by as many bits as the value has, or more, say that the source has one? PTX defines
   such shifts; C and C++ do not, and a compiler may take it that there are none. Where a program
   asks first (n < 32 ? x << n : 0), LLVM from 20 on leaves the test out, since the instruction
   gives the same; then such a shift says nothing about the source. That compiler also writes loads
   of parameters without a type (.b32, .b64), and by that its text is told from others'. */
static bool shifts_tell(const ptx_module *m)
{
    for (unsigned f = 0; f < m->function_count; f++)
        for (unsigned k = 0; k < m->functions[f].instr_count; k++) {
            const ptx_instr *p = &m->functions[f].instrs[k];
            if (op_is(p, "ld") && (has(p, "u32") || has(p, "u64") || has(p, "s32")))
                return true;
        }
    return false;
}

static bool list_shared(decoder *d, module *m, code *c)
{
    unsigned room = m->ptx->var_count + c->ptx->var_count;
    c->shared_vars = decode_take(d, (room + 1) * sizeof *c->shared_vars);
    if (!c->shared_vars)
        return false;
    for (unsigned i = 0; i < m->ptx->var_count; i++) {
        const ptx_var *v = &m->ptx->vars[i];
        bool dynamic = dynamic_var(v);
        size_t at = dynamic ? c->dynamic_offset : c->shared_at[i];
        if (v->space != PTX_SHARED ||
            (!dynamic && (at == SIZE_MAX || at + v->bytes > c->shared_top)))
            continue;
        c->shared_vars[c->shared_var_count++] =
            (shared_var){ v->name, at, dynamic ? SIZE_MAX / 2 : v->bytes, ptx_element(v) };
    }
    size_t at = c->own_shared_base;
    for (unsigned i = 0; i < c->ptx->var_count; i++) {
        const ptx_var *v = &c->ptx->vars[i];
        if (v->space != PTX_SHARED)
            continue;
        at = (at + v->align - 1) / v->align * v->align;
        c->shared_vars[c->shared_var_count++] =
            (shared_var){ v->name, at, v->bytes, ptx_element(v) };
        at += v->bytes;
    }
    return true;
}

bool decode_module(module *m, unsigned first_function)
{
    decoder *d = calloc(1, sizeof *d);
    if (!d)
        return false;
    d->module = m;
    d->first_function = first_function;
    m->function_count = m->ptx->function_count;
    m->shifts_tell = shifts_tell(m->ptx);
    m->functions = calloc(m->function_count + 1, sizeof *m->functions);
    bool ok = m->functions != NULL;
    for (unsigned i = 0; ok && i < m->function_count; i++) {
        m->functions[i] =
            (code){ .ptx = &m->ptx->functions[i], .module = m, .index = first_function + i };
        lay_out_params(&m->functions[i]);
    }
    ok = ok && analyse_use(d, m);
    for (unsigned i = 0; ok && i < m->function_count; i++) {
        d->code = &m->functions[i];
        d->ptx = d->code->ptx;
        if (!d->ptx->defined)
            continue;
        ok = list_shared(d, m, d->code) && decode_function(d);
    }
    m->owned = d->owned;
    m->owned_count = d->owned_count;
    free(d->constants);
    free(d);
    return ok;
}

void decode_free(module *m)
{
    for (size_t i = 0; i < m->owned_count; i++)
        free(m->owned[i]);
    free(m->owned);
    free(m->functions);
    free(m->vars);
    ptx_free(m->ptx);
    *m = (module){ 0 };
}
