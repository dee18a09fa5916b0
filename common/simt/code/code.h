/*
 * code.h: decoded code: what decode makes of a parsed module, and the machine executes.
 *
 * A decoded instruction (insn) has a kind, handlers (which bind.c gives it by its kind) and byte
 * offsets into the warp's register frame. A frame holds, for one call of one function: predicates
 * (one 32-bit mask each), 32-bit registers (32 lanes x 4 bytes; 8- and 16-bit registers live in
 * these too, zero-extended), 64-bit registers (32 lanes x 8 bytes), and the function's constants,
 * spread over lanes, so that every source operand is read alike. Lane l of a mask is bit l.
 *
 * An instruction has two handlers: exec does this instruction and no more; go may go on with the
 * next ones of its run, which only handlers do that cannot have stopped the warp, changed its
 * splits, or moved its program counter. exec stands for what an instruction does, go is how fast:
 * to watch single instructions, call exec alone. Only bind.c looks at which handler it is: kind and
 * row say what an instruction is. Rows, kinds and their columns: ops.def.
 */
#ifndef SIMT_CODE_H
#define SIMT_CODE_H

#include <stdatomic.h>
#include <string.h>

#include "ptx/ptx.h"
#include "simt.h"

enum { LANES = 32 };
#define FULL_MASK 0xffffffffu

/* Lane loops have no dependence between lanes: destination and source either are one register or do
   not overlap. */
#if defined(__clang__)
#pragma clang diagnostic ignored                                                                   \
    "-Wpass-failed" /* some loop bodies call a function and stay scalar */
#define LANE_LOOP _Pragma("clang loop vectorize(assume_safety)") for (int l = 0; l < LANES; l++)
#else
#define LANE_LOOP _Pragma("GCC ivdep") for (int l = 0; l < LANES; l++)
#endif

/* Each lane of mask, by number. */
#define FOR_LANES(l, mask)                                                                         \
    for (uint32_t rest_ = (mask), l = 0; rest_ && (l = (uint32_t)__builtin_ctz(rest_), 1);         \
         rest_ &= rest_ - 1)

typedef struct simt_warp simt_warp;
typedef struct insn insn;
typedef struct code code;
struct decoder;
typedef void exec_fn(simt_warp *w, const insn *i, uint32_t mask);
typedef const insn *run_fn(simt_warp *w, const insn *i, uint32_t mask);

struct insn {
    _Alignas(8) exec_fn *exec; /* executes it, and nothing else */
    /* within a run: executes it and may go on with those that follow it there; returns the one
       after the last */
    _Alignas(8) run_fn *go;
    int32_t d, a, b; /* frame offsets of destination and sources; -1: none */
    union {
        int32_t c;
        uint32_t rpc; /* branch: index of the JOIN where its lanes meet again */
    };
    /* frame offset of the guard predicate, and 1 more for @!p; -1: none */
    int32_t guard;
    /* branch: index to go to; load or store of one value a lane: its register */
    uint32_t target;
    /* address offset, flags, of KIND_bra the lanes to flip, ... by handler */
    int64_t imm;
    _Alignas(8) const void *extra; /* by handler: memory_form, call_form, a message ... */
    uint16_t row;                  /* index in the table made from ops.def; NO_ROW: none */
    uint8_t kind;      /* op_kind: what it is, for all code that treats some instructions apart */
    uint8_t flags : 5; /* OPF_ */
    /* bit 0: source a (or the address) is a 64-bit register; bit 1: the destination is */
    uint8_t wide : 3;
    /* How many instructions, from here on, every warp that comes here executes one after the other.
       None has a guard, and only the last may branch in any other way, wait or read the clock. A
       branch forward, or to where all lanes meet, that some lanes take ends the run early
       (run_cut). run may end with a JOIN;
       whole_run goes on, for a whole warp, whose lanes have nobody to meet. 0: this one has a
       guard. From inside a run on, it is what is left of it */
    uint16_t run, whole_run;
};
_Static_assert(
    sizeof(insn) == 64,
    "one cache line each (decode.c aligns them), and a power of two for the distance between two");

/* The lanes in which the guard of i holds; it has one. */
static inline uint32_t insn_guard(const uint8_t *regs, const insn *i)
{
    uint32_t p;
    memcpy(&p, regs + (i->guard & ~1), sizeof p);
    return p ^ -(uint32_t)(i->guard & 1);
}

/* PSEUDO: not an instruction of the program, and not counted. SKIPS: a branch to where all meet,
   over one run, which ends there or with a branch to there. LINES: bind.c has given it a go that
   counts by insn_counts.lines alone. ZEROS: code.zeros has something about it. */
enum { OPF_FLOAT_ADD = 1, OPF_PSEUDO = 2, OPF_SKIPS = 4, OPF_LINES = 8, OPF_ZEROS = 16 };

/* Of rows and of instructions that no row stands for. An instruction's kind may be another than its
   row's: a mov that packs is a mov_pack. */
typedef enum op_kind {
    KIND_alu,     /* ALU1, ALU2, ALU3: the row says which */
    KIND_compare, /* CMP: likewise */
#define KIND(name)                                      KIND_##name,
#define OP(id, kind, pattern, shape, form, unset, sums) KIND_##kind,
#define ALSO(id, kind, pattern, shape, form, unset, sums)
#include "code/ops.def"
    KIND_COUNT
} op_kind;
_Static_assert(KIND_COUNT <= UINT8_MAX, "insn.kind holds one");

/* what the operands of a row are, and decode_<form> takes */
typedef enum op_form {
    FORM_none, /* of an instruction without a row */
#define FORM(name) FORM_##name,
#include "code/ops.def"
    FORM_COUNT
} op_form;

/* The columns of ops.def, whose head says what each means. */
typedef enum unset_rule {
    UNSET_OWN,
    UNSET_ANY,
    UNSET_UNION,
    UNSET_AND,
    UNSET_OR,
    UNSET_EQUAL,
    UNSET_LEFT,
    UNSET_PRODUCT,
    UNSET_CARRY,
    UNSET_SELECT,
    UNSET_MOVES_A,
    UNSET_MOVES_AB,
    UNSET_SHIFT,
    UNSET_LOP3,
    UNSET_KNOWN
} unset_rule;

typedef enum sums_rule {
    SUMS_OWN,
    SUMS_PASS,
    SUMS_SUM,
    SUMS_FLOAT_SUM,
    SUMS_SELECT,
    SUMS_PACK_UP, /* this and those after it: two values in one register */
    SUMS_PACK_DOWN,
    SUMS_UNITE,
    SUMS_MASK,
    SUMS_WIDEN,
    SUMS_CUT
} sums_rule;

typedef struct op_row {
    const char *id, *pattern, *shape;
    op_kind kind;
    op_form form;
    unset_rule unset;
    sums_rule sums;
} op_row;

enum op_row_number {
#define OP(id, kind, pattern, shape, form, unset, sums)  ROW_##id,
#define ALU1(id, pattern, D, A, expr, unset, sums)       ROW_##id,
#define ALU2(id, pattern, D, A, B, expr, unset, sums)    ROW_##id,
#define ALU3(id, pattern, D, A, B, C, expr, unset, sums) ROW_##id,
#define CMP(id, pattern, T, expr, unset)                 ROW_##id,
#include "code/ops.def"
    NO_ROW = UINT16_MAX
};
extern const op_row op_rows[];
extern const size_t op_row_count;

static inline op_form insn_form(const insn *i)
{
    return i->row == NO_ROW ? FORM_none : op_rows[i->row].form;
}

/* How the go of an instruction that is not the last of its run ends, if it cannot have stopped the
   warp: a jump to the next one's. */
static inline const insn *run_on(simt_warp *w, const insn *i, uint32_t mask)
{
    return i[1].go(w, i + 1, mask);
}

typedef enum access_space {
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_PARAM_IN,
    SPACE_PARAM_CALL,
    SPACE_CONST,
    SPACE_GENERIC
} access_space;
typedef enum strength { WEAK, STRONG, VOLATILE } strength;
/* of strong accesses and fences; .cluster counts as GPU */
typedef enum access_scope { SCOPE_CTA, SCOPE_GPU, SCOPE_SYS } access_scope;

/* memory_form.atomic */
typedef enum atomic_op {
    A_ADD,
    A_EXCH,
    A_CAS,
    A_MIN,
    A_MAX,
    A_INC,
    A_DEC,
    A_AND,
    A_OR,
    A_XOR,
    A_COUNT
} atomic_op;

typedef struct memory_form { /* ld, st, atom, red */
    access_space space;
    uint8_t bytes;  /* of one element: 1 2 4 8 16 */
    uint8_t vector; /* 1, 2, 4 */
    bool sign;      /* sign-extend a narrow load */
    bool write;
    bool nc;       /* ld.global.nc: what the launch writes need not be seen */
    bool l2;       /* .cg, .cv, .wt: by the cache that all blocks share */
    bool constant; /* ld.const: reaches constant variables alone */
    strength order;
    access_scope scope;
    bool acquire, release; /* .acquire, .release, .acq_rel: with a fence after, before */
    int32_t reg[4];        /* value registers or constants; -1: _ */
    /* of a vector atom: where what was there before goes; -1: nowhere */
    int32_t old[4];
    bool wide[4];
    /* one 32-bit register a lane at the address in a register, in no order: the usual case, which
       has fast paths */
    bool words;
    /* of words in shared memory: in a warp whose threads are consecutive in x, each lane's address
       is 4 more than that of the lane before (strides.c) */
    bool row;
    /* of an access to shared memory: the variable from whose address this one is made begins at
       `low` and ends `cut` bytes before 2^32 - 1; at `lines` of its bytes, from low on, a line of
       128 may begin. It may be anywhere: low and cut are 0 */
    uint32_t low, cut, lines;
    atomic_op atomic; /* of atom and red */
    bool unused;      /* what was there before goes nowhere, or is never read */
    ptx_type type;
    bool is_signed, is_float;
    uint8_t half; /* 1: f16, 2: bf16, one or a pair; 0: another type */
} memory_form;

/* [reg + offset]; reg -1: none */
typedef struct async_place {
    int32_t reg;
    bool wide;
    int64_t offset;
} async_place;

typedef struct async_form { /* cp.async, cp.async.bulk */
    memory_form memory;     /* of the global side */
    async_place shared, global, mbarrier;
    int32_t count;  /* bytes to copy, or src-size: a register or constant; -1: none */
    int32_t ignore; /* ignore-src, a predicate; -1: none */
    uint32_t ignore_flip;
    uint32_t size; /* cp-size */
} async_form;

enum { PROXY_SHARED = 1, PROXY_GLOBAL = 2 }; /* imm of fence.proxy.async: which space it is about */

typedef struct mbarrier_form {
    memory_form memory; /* of its word */
    bool expect, drop, noinc, relaxed, parity, try_wait;
} mbarrier_form;

/* insn.imm of commit and wait, besides N */
enum { ASYNC_BULK = 1 << 28, ASYNC_READ = 1 << 29, ASYNC_ALL = 1 << 30 };

typedef struct call_form {
    const code *callee;  /* null: indirect, address in insn.a, or a built-in */
    const char *builtin; /* vprintf, __assertfail, malloc, free */
    unsigned args, results;
    size_t arg_offset[32], result_offset[8]; /* in the caller's call area */
    size_t arg_bytes[32], result_bytes[8];
} call_form;

#define SHARED_DYNAMIC (SIZE_MAX / 2)

typedef struct shared_var {
    const char *name;
    size_t offset, bytes; /* SHARED_DYNAMIC: as many as the launch says */
    unsigned element;
} shared_var;

/* That an instruction reads or writes a register which some path reads before it writes it. */
typedef struct reg_touch {
    unsigned reg;  /* of ptx_function.regs */
    int32_t place; /* frame offset of the register */
    int32_t set;   /* frame offset of a mask: the lanes that have written it in this frame */
    uint16_t bytes;
    bool write;
} reg_touch;

/* Of an addition: the select, by its index in code.insns, that decides which lanes count: those
   that take its source a (when), or b; or the addition itself, where it looks. -1: all do. */
typedef struct add_pick {
    int32_t select;
    bool when;
} add_pick;

/* What an instruction has to do with registers that may hold a zero of the program's own (zeros.c).
   Masks of lanes, by their offsets in the frame; -1: none. */
enum { ZERO_TARGETS = 4 };
typedef struct zero_mark {
    run_fn *go;               /* what r_zeros goes on with: bind.c */
    int32_t to[ZERO_TARGETS]; /* of what it writes */
    int32_t from[2];          /* of the sources of a mov or selp ... */
    bool literal[2];          /* ... or such a source is a zero itself */
    int32_t addend[2];        /* of what it adds, where it counts for itself */
} zero_mark;

struct code {
    const ptx_function *ptx;
    const struct module *module;
    unsigned index; /* function handle in the device */
    insn *insns;
    /* place of each PTX register in the frame; others may share it (registers.c) */
    const int32_t *reg_offset;
    /* of each insn: index of its ptx_instr, or of the nearest one for a JOIN */
    uint32_t *source;
    add_pick *picks;  /* of each insn; null: it adds no floats */
    zero_mark *zeros; /* of each insn; null: none has anything to do with them */
    unsigned count;
    unsigned counter_base; /* of this function in a launch's counter arrays */
    size_t frame_bytes, const_offset, const_bytes;
    /* in a frame: what lies after the predicates; where 64-bit registers begin */
    size_t sink_offset, wide_offset;
    /* of a frame, to be zero at the start: some lane may read them first */
    size_t clear_bytes;
    /* those of instruction k: from touch_from[k] to touch_from[k + 1]; null: there are none */
    const reg_touch *touches;
    const uint32_t *touch_from;
    uint8_t *const_image;
    size_t local_bytes; /* .local variables of one thread */
    /* frame offset: bytes after them that alloca has given, by lane; -1: it has no alloca */
    int32_t alloca_top;
    size_t call_bytes;          /* .param variables of one thread: arguments and results of calls */
    size_t in_bytes, out_bytes; /* parameter block; results, placed after it in the callee's view */
    /* .shared variables of the body, and where they begin */
    size_t own_shared, own_shared_base;
    size_t static_shared;  /* what a launch of this kernel takes: all that it reaches */
    size_t dynamic_offset; /* where dynamic shared memory begins in it */
    size_t shared_top;     /* where static shared memory ends in it, with what it skips: usage.c */
    /* by variable of the module, and then by function, for those of its body: where it lies, or
       where they begin, in shared memory; SIZE_MAX: not there */
    size_t *shared_at;
    /* blocks may talk through global memory: atomics, fences, volatile, printf, malloc */
    bool communicates;
    /* the first instruction that needs a newer GPU than the module's target: 1 + its index, and
       which; 0: there is none */
    unsigned newer, newer_sm;
    bool uses_local; /* it, or a function that it calls, has .local variables */
    /* bind.c: go of its loads and stores is for launches with watchers; for those whose warps have
       consecutive threads in x */
    bool watched, in_rows;
    /* 8- or 16-bit accesses: races are tracked by the byte */
    bool subword_shared, subword_global;
    /* bulk copies read or write its shared memory: older stamps than of the last barrier matter
       to them */
    bool bulk_copies;
    shared_var *shared_vars;
    unsigned shared_var_count;
    unsigned register_estimate;
    size_t param_offset[64], param_size[64];
};

/* Compilers that do not make jumps of last calls would fill the stack with a long run: at most GOES
   instructions go on from one to the next. May the one at index k? */
enum { GOES = 64 };
static inline bool code_goes_on(const code *c, unsigned k)
{
    const insn *i = &c->insns[k];
    return i->guard < 0 && k % GOES && i->whole_run > 1 && (i->run > 1 || i->kind == KIND_join);
}

/* Those of i; *count of them. */
static inline const reg_touch *code_touches(const code *c, const insn *i, unsigned *count)
{
    size_t k = (size_t)(i - c->insns);
    *count = c->touches ? c->touch_from[k + 1] - c->touch_from[k] : 0;
    return c->touches ? c->touches + c->touch_from[k] : NULL;
}

typedef struct global_var {
    const char *name;
    simt_addr address;
    size_t bytes;
    unsigned element;
} global_var;

typedef struct module {
    unsigned index;
    unsigned gpu; /* where its variables are, and its kernels run */
    ptx_module *ptx;
    code *functions;
    unsigned function_count;
    global_var *vars;
    unsigned var_count;
    bool shifts_tell; /* a shift beyond the width says that the source has one */
    void **owned;     /* what decoding allocated */
    size_t owned_count;
} module;

/* Decodes every function of m->ptx, whose variables have their addresses. False and a message when
   memory runs out. */
bool decode_module(module *m, unsigned first_function);
/* does the first operand name what the instruction writes? places.c */
bool decode_writes_first(const ptx_instr *p);
void decode_free(module *m);

/* listing.c: an instruction as the PTX has it, from its guard to its semicolon, white space made
   single */
void listing_text(const ptx_instr *p, char *out, size_t bytes);
char *listing_make(const module *m, const char *function); /* null: no memory */

extern _Atomic uint64_t op_executed[]; /* process-wide, by row: coverage.h */

/* Function pointers and address windows as device code sees them. */
#define GLOBAL_BASE   0x200000000000ull
#define SHARED_WINDOW 0x300000000000ull
#define LOCAL_WINDOW  0x310000000000ull
#define PARAM_WINDOW  0x320000000000ull
#define FUNCTION_BASE 0x330000000000ull
#define WINDOW_BYTES  0x010000000000ull

enum { MAX_BARRIERS = 16 }; /* of a block */

enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT }; /* insn.imm & 3 of a vote */

enum special_register {
#define SPECIAL(id, name) id,
#include "code/special.def"
    SR_COUNT
};

/* insn.imm of KIND_bar_sync. BAR_PLAIN: bar.sync of a barrier that is a constant (insn.target), by
   the whole block: __syncthreads() */
enum {
    BAR_SYNC,
    BAR_ARRIVE,
    BAR_POPC,
    BAR_AND,
    BAR_OR,
    BAR_KIND = 7,
    BAR_NEGATED = 8,
    BAR_ALIGNED = 16,
    BAR_PLAIN = 32
};

#endif
