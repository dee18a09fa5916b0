/*
 * engine.h: what the engine's files share: decoded code, warps, blocks, launches, and the functions
 * between files. Internal: callers of the engine include simt.h only.
 *
 * A decoded instruction (insn) has a handler and byte offsets into the warp's register frame. A
 * frame holds, for one call of one function: predicates (one 32-bit mask each), 32-bit registers
 * (32 lanes x 4 bytes; 8- and 16-bit registers live in these too, zero-extended), 64-bit registers
 * (32 lanes x 8 bytes), and the function's constants, spread over lanes, so that every source
 * operand is read alike. Lane l of a mask is bit l.
 *
 * A handler comes in two kinds: exec does one instruction and no more; go (execute_run) may go on
 * with the next ones of its run, which only handlers do that cannot have stopped the warp, changed
 * its splits, or moved its program counter. exec stands for what an instruction does, go is how
 * fast: whoever watches single instructions calls exec alone.
 *
 * A warp is a tree of splits: a split is a set of lanes with one program counter. A divergent
 * branch turns the running split into a waiting parent with two children, which meet again at the
 * branch's immediate post-dominator, where decode has put a JOIN. Leaves run one at a time; a leaf
 * that waits (for other lanes at a .sync) lets its siblings run.
 */
#ifndef SIMT_ENGINE_H
#define SIMT_ENGINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "ptx.h"
#include "simt.h"
#include "vclock.h"

enum {
    LANES = 32,
    MAX_WARPS = 32,
    MAX_BARRIERS = 16,
    MAX_SPLITS = 1024,
    SPLIT_WORDS = MAX_SPLITS / 64,
    MAX_CALL_DEPTH = 256
};
#define FULL_MASK 0xffffffffu

typedef struct simt_warp simt_warp;
typedef struct simt_block simt_block;
typedef struct worker worker;
typedef struct trace trace;
typedef struct insn insn;
typedef struct code code;
typedef struct global_shadow global_shadow;
typedef struct suppression suppression;
typedef struct late_buffer late_buffer;
struct decoder;
typedef void exec_fn(simt_warp *w, const insn *i, uint32_t mask);
typedef const insn *run_fn(simt_warp *w, const insn *i, uint32_t mask);

/* ---- decoded code (decode.c) ----------------------------------------------------------------- */

struct insn {
    exec_fn *exec;   /* executes it, and nothing else */
    run_fn *go;      /* within a run: executes it and may go on with those that follow
                                   it there; returns the one behind the last */
    int32_t d, a, b; /* frame offsets of destination and sources; -1: none */
    union {
        int32_t c;
        uint32_t rpc; /* branch: index of the JOIN where its lanes meet again */
    };
    int32_t guard;     /* frame offset of the guard predicate, and 1 more for @!p; -1:
                                   none */
    uint32_t target;   /* branch: index to go to; load or store of one value a lane: its
                                   register */
    int64_t imm;       /* address offset, flags, of x_bra the lanes to flip, ... by
                                   handler */
    const void *extra; /* by handler: memory_form, call_form, a message ... */
    uint16_t row;      /* index in the table made from ops.def */
    uint8_t flags;     /* OPF_ */
    uint8_t wide;      /* bit 0: source a (or the address) is a 64-bit register; bit 1:
                                   the destination is */
    /* How many instructions from here on whoever comes here executes one after the other, but for
       branches forward that somebody takes, which end it (warp_end_run): none has a guard, and only
       the last may branch otherwise, wait or read the clock. run may end with a JOIN; whole_run
       goes on, for a whole warp, whose lanes have nobody to meet. 0: this one has a guard. From
       inside a run on, it is what is left of it */
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

/* a JOIN is not an instruction of the program and is not counted */
enum { OPF_FLOAT_ADD = 1, OPF_PSEUDO = 2, OPF_SKIPS = 4 };
/* OPF_SKIPS: a branch to where all meet, over one run, which ends there or with a branch to
   there */

typedef struct op_row {
    const char *id, *pattern, *shape;
    exec_fn *exec;
    bool (*decode)(struct decoder *, const ptx_instr *, insn *);
    unsigned flags;
    run_fn *go; /* null: it has none of its own */
} op_row;

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

typedef struct memory_form { /* ld, st, atom, red */
    access_space space;
    uint8_t bytes;  /* of one element: 1 2 4 8 16 */
    uint8_t vector; /* 1, 2, 4 */
    bool sign;      /* sign-extend a narrow load */
    bool write;
    strength order;
    access_scope scope;
    bool acquire, release; /* .acquire, .release, .acq_rel: with a fence after, before */
    int32_t reg[4];        /* value registers or constants; -1: _ */
    int32_t old[4];        /* of a vector atom: where what was there before goes; -1:
                                   nowhere */
    bool wide[4];
    bool words;      /* one 32-bit register a lane at the address in a register, in no
                                   order: the usual case, which has short ways */
    unsigned atomic; /* atomic_op, for atom and red */
    ptx_type type;
    bool is_signed, is_float;
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

typedef struct shared_var {
    const char *name;
    size_t offset, bytes;
    unsigned element;
} shared_var;

struct code {
    const ptx_function *ptx;
    const struct module *module;
    unsigned index; /* function handle in the device */
    insn *insns;
    const int32_t *reg_offset; /* place of each PTX register in the frame; others may share it
                                   (registers.c) */
    uint32_t *source;          /* of each insn: index of its ptx_instr, or of the nearest one
                                   for a JOIN */
    unsigned count;
    unsigned counter_base; /* of this function in a launch's counter arrays */
    size_t frame_bytes, const_offset, const_bytes;
    size_t sink_offset, wide_offset; /* in a frame: what lies behind the predicates; where
                                           64-bit registers begin */
    size_t clear_bytes;              /* of a frame, to be zero at the start: some lane may read them
                                   first */
    uint8_t *const_image;
    size_t local_bytes;         /* .local variables of one thread */
    int32_t alloca_top;         /* frame offset: bytes behind them that alloca has given, by
                                   lane; -1: it has no alloca */
    size_t call_bytes;          /* .param variables of one thread: arguments and results of calls */
    size_t in_bytes, out_bytes; /* parameter block; results, placed after it in the callee's view */
    size_t own_shared, own_shared_base; /* .shared variables of the body, and where they
                                               begin */
    size_t static_shared;               /* what a launch of this kernel takes, callees included */
    size_t dynamic_offset;              /* where dynamic shared memory begins in it */
    size_t shared_top; /* highest byte of module-level shared variables it refers to */
    size_t *shared_at; /* by variable of the module: where it lies in shared memory;
                                   SIZE_MAX: not there */
    bool communicates; /* blocks may talk through global memory: atomics, fences,
                                   volatile, printf, malloc */
    bool uses_local;   /* it, or a function that it calls, has .local variables */
    bool subword_shared, subword_global; /* 8- or 16-bit accesses: races are tracked by the
                                               byte */
    bool copies_out; /* bulk copies read its shared memory: older stamps than of the
                                   last barrier matter to them */
    shared_var *shared_vars;
    unsigned shared_var_count;
    unsigned register_estimate;
    size_t param_offset[64], param_size[64];
};

typedef struct global_var {
    const char *name;
    simt_addr address;
    size_t bytes;
    unsigned element;
} global_var;

typedef struct module {
    unsigned index;
    ptx_module *ptx;
    code *functions;
    unsigned function_count;
    global_var *vars;
    unsigned var_count;
    size_t shared_bytes; /* .shared variables of the module that .func bodies name, and
                                   their own */
    bool shifts_tell;    /* init_shifts_tell */
    void **owned;        /* what decoding allocated */
    size_t owned_count;
} module;

/* Decodes every function of m->ptx, whose variables have their addresses. False and a message when
   memory runs out. */
bool decode_module(module *m, unsigned first_function);
bool decode_memory(struct decoder *d, const ptx_instr *p, insn *i);
bool decode_atomic(struct decoder *d, const ptx_instr *p, insn *i);
bool decode_cp_async(struct decoder *d, const ptx_instr *p, insn *i);
bool decode_bulk(struct decoder *d, const ptx_instr *p, insn *i);
/* does the first operand name what the instruction writes? registers.c */
bool decode_writes_first(const ptx_instr *p);
void decode_free(module *m);
extern const op_row op_rows[];
extern const size_t op_row_count;
extern _Atomic uint64_t op_executed[]; /* process-wide, by row: coverage.h */

/* Function pointers and address windows as device code sees them. */
#define GLOBAL_BASE   0x200000000000ull
#define SHARED_WINDOW 0x300000000000ull
#define LOCAL_WINDOW  0x310000000000ull
#define PARAM_WINDOW  0x320000000000ull
#define FUNCTION_BASE 0x330000000000ull
#define WINDOW_BYTES  0x010000000000ull

/* ---- device memory (memory.c) ---------------------------------------------------------------- */

typedef struct allocation {
    simt_addr start;
    size_t bytes;
    bool live;
    const char *name; /* of a module variable, else null */
    unsigned element;
    bool constant;   /* a .const variable */
    bool heap;       /* by malloc in a kernel */
    bool common;     /* the host may use it at its device address: memory_common */
    unsigned number; /* of cudaMalloc's, or of the heap's, from 1 in the order of the
                                   calls; 0: a variable */
} allocation;

typedef struct memory {
    uint8_t *base;                          /* host mapping of GLOBAL_BASE */
    size_t reserved, used, live_bytes, gap; /* gap: bytes between allocations */
    allocation *allocations;                /* by start */
    size_t count, capacity;
    unsigned numbers, heap_numbers; /* given so far */
    uint8_t *marks;                 /* init.c: a byte a word, from GLOBAL_BASE on; null: not kept */
    uint32_t *origins;              /* likewise, a number a word */
    unsigned commons;               /* live allocations that are common */
    void *trap;                     /* the device range, mapped without access, so that a host
                                   dereference faults in it */
} memory;

bool memory_open(memory *m, size_t bytes);
void memory_close(memory *m);
/* name: of a module variable, MEMORY_HEAP for malloc in a kernel, null for the host's */
bool memory_take(memory *m, size_t bytes, const char *name, unsigned element, simt_addr *address);
#define MEMORY_HEAP "malloc in a kernel"
/* whole pages, mapped at the device address as well */
bool memory_take_common(memory *m, size_t bytes, simt_addr *address);
/* the start of a live allocation, else false */
bool memory_release(memory *m, simt_addr address);
/* the allocation was never there: it has no name any more, not even as one that was freed */
void memory_undo(memory *m, simt_addr address);
/* "allocation 3, of 4096 bytes": misuse.c */
void memory_describe(const allocation *a, char *out, size_t bytes);
/* The allocation, live or dead, at or before address; null if none. */
const allocation *memory_find(const memory *m, simt_addr address);
/* The allocation that holds address, or else the one whose end or start lies nearest; null if there
   are none. */
const allocation *memory_nearest(const memory *m, simt_addr address);
/* Host pointer if [address, address + bytes) lies in one live allocation, else null. */
void *memory_host(const memory *m, simt_addr address, size_t bytes);

/* ---- machine state (launch.c) ---------------------------------------------------------------- */

typedef enum split_state {
    SPLIT_FREE,
    SPLIT_RUNS,
    SPLIT_WAITS_CHILDREN,
    SPLIT_WAITS_SYNC,
    SPLIT_WAITS_BARRIER
} split_state;

typedef struct async_state async_state;

typedef struct split {
    split_state state;
    uint32_t mask;      /* lanes; of a parent: those that have come to its JOIN so far */
    uint32_t pc, rpc;   /* rpc: where it joins its parent */
    uint32_t sync_mask; /* lanes it waits for */
    uint32_t join;      /* of a parent: where its children meet */
    int16_t parent;     /* -1: root of its frame */
    uint8_t children;
    uint16_t depth; /* frame it runs in */
} split;

typedef struct frame {
    const code *code;
    uint8_t *regs;
    uint8_t *in, *call; /* incoming parameters (in_stride bytes a lane; 0 for a kernel:
                                   one copy), own call area */
    size_t in_stride, call_stride;
    size_t local_base;    /* of its .local variables in each thread's stack */
    uint32_t return_pc;   /* in the caller */
    int16_t caller_split; /* waits for this frame */
    const insn *call_insn;
    uint32_t called, rest; /* lanes that called; lanes that still have to (an indirect call
                                   to several functions) */
} frame;

enum stop_reason {
    STOP_NONE,
    STOP_BARRIER,
    STOP_DONE,
    STOP_FAULT,
    STOP_SYNC,
    STOP_YIELD,
    STOP_LOOP
};

/* of a warp about other blocks, and what it can publish: race_global.c */
typedef struct knowledge {
    const vclock *known, *heard;      /* ordered before what it does next; learned from flags,
                                           but not yet by a fence */
    const vclock *fenced_known;       /* known at its last fence for the device */
    uint32_t fenced_time, fenced_all; /* its own accesses before that fence; those of all the
                                           block's warps that it covers */
    uint32_t unfenced;                /* 1 + position of the block that set, with no fence
                                           before, the flag it read last */
    bool unfenced_narrow, narrow;     /* that block's fence was for its own block only; so was
                                           this warp's last one */
    const vclock *recent[16];         /* clocks it has heard */
} knowledge;

struct simt_warp {         /* what every turn looks at comes first, in few cache lines */
    uint8_t *regs;         /* of the running split's frame */
    const insn *insns;     /* its code */
    uint32_t pc;           /* next instruction */
    uint32_t active;       /* lanes of the running split */
    int64_t fuel;          /* instructions until the slice ends; warp_stop sets it to 0 */
    int64_t unspent;       /* what was left of it then */
    int64_t slice;         /* what it began with */
    const insn *run_end;   /* of the run that is being executed; warp_stop ends it */
    const insn *run_last;  /* its end as it was counted */
    unsigned counter_base; /* of the running function in the counter arrays */
    enum stop_reason stop;
    simt_block *block;
    worker *worker;
    int64_t held_fuel; /* what was left when unset changed: warp_resume goes on with it,
                                   in another loop */
    const insn *barrier_insn;
    unsigned barrier;             /* waits at this one, while it is among the block's blocked
                                   warps; so barrier_insn */
    unsigned index;               /* in the block */
    int current;                  /* index of the running split, -1: none */
    unsigned split_count;         /* splits that are not free */
    uint32_t live;                /* lanes that have not exited */
    uint32_t sync_time, met_time; /* race.c: the warp's clock; what it was when its lanes last
                                       met */
    bool root;                    /* the running split meets no other: it has no parent */
    bool done;
    bool unset;      /* init.c: some register holds a value without a meaning */
    bool has_parted; /* its lanes may come to a block barrier one part after the other */
    uint64_t quiet_version, quiet, patience; /* since when it has seen no change of memory, in
                                                   instructions; when to look closer */
    const insn *parted; /* where it spun when some of its lanes were let go on alone;
                                   null: not, or known to have helped */
    struct spin *spin;  /* stuck.c, SIMT_TRACE_BLOCKS: whether it is seen to repeat
                                   itself; else null */
    frame *frames;
    int split_words;  /* words of the sets below that have been in use: one, but for
                                   deep recursion */
    uint32_t skipped; /* lanes ahead at the JOIN of index skip_to, in execute() alone:
                                   warp_skip */
    uint32_t skip_to;
    uint32_t carry;          /* condition code of add.cc, by lane */
    uint64_t parted_version; /* of memory when it parted */
    const insn *poll;        /* the access it repeats */
    struct init_warp *init;  /* values without a meaning; null until the first */
    uint8_t *first_regs;     /* frame 0's registers, kept between blocks */
    knowledge knows;
    uint32_t frame_used[MAX_CALL_DEPTH / 32];
    uint32_t tid[3][LANES]; /* threadIdx of each lane */
    /* splits that can run; splits that are not free: one bit each */
    uint64_t ready[SPLIT_WORDS], used[SPLIT_WORDS];
    /* splits parked at a block barrier, at a .sync */
    uint64_t at_barrier[SPLIT_WORDS], at_sync[SPLIT_WORDS];
    split splits[MAX_SPLITS]; /* large, hence last */
};

typedef struct barrier {
    unsigned expected; /* threads; 0: all of the block */
    unsigned arrived;  /* threads, bar.arrive included */
    uint32_t waiting;  /* warps that wait in it */
    unsigned popc;     /* bar.red so far */
    bool all, any;
    bool used;
    const insn *plain; /* where all who have come wait, each in one piece, at one
                                   __syncthreads(); null: not so */
    const insn *first; /* what came first, by which warp, for how many threads */
    unsigned first_warp, count;
} barrier;

typedef struct race_row race_row;
/* lane 0's stamp and unit */
typedef struct race_read {
    uint32_t stamp, pc, mask;
    int32_t unit;
} race_read;
enum { RACE_READS = 64 };

typedef struct race_shadow {        /* one entry a word (or byte) of shared memory: see race.c */
    race_row *rows;                 /* of 32 units each */
    uint32_t read_count, read_room; /* of reads[]; room 0: there has been more than reads
                                           since the last barrier */
    bool by_row, lists;             /* rows are in use; so is the list of reads */
    uint32_t *write_stamp, *write_pc, *read_stamp, *read_pc;
    uint32_t *read_warps; /* of a unit that several warps have read: which */
    size_t units, capacity;
    unsigned shift;                   /* log2 bytes a unit: 2 or 0 */
    uint32_t base;                    /* stamps below it are ordered before everything now */
    uint32_t time;                    /* the latest of all warps' clocks */
    uint32_t start;                   /* time when the block started */
    uint32_t proxy_fenced[MAX_WARPS]; /* clock after each warp's last fence.proxy.async */
    /* order made by fences and atomics: accesses of warp v below seen[w][v] are ordered before warp
       w's */
    uint32_t seen[MAX_WARPS][MAX_WARPS], fenced[MAX_WARPS];
    struct {
        uint32_t unit, seen[MAX_WARPS];
        const vclock *known;
        bool used;
    } release[16];
    unsigned next_release;
    race_read reads[RACE_READS]; /* since the last barrier, while there was nothing else:
                                           none of them matters yet */
} race_shadow;

struct simt_block {
    simt_dim id;
    uint64_t number;        /* x + grid.x * (y + grid.y * z) */
    uint64_t order;         /* position in the launch's block order */
    simt_block_state state; /* as the timeline has it */
    unsigned threads, warps;
    unsigned running;                  /* warps not done */
    uint32_t all_warps, done, blocked; /* one bit a warp: of the block, ended, waiting at a
                                           barrier */
    uint32_t stuck; /* proved to repeat the same state for ever while memory stays at
                                   stuck_version */
    uint64_t stuck_version;
    barrier barriers[MAX_BARRIERS];
    uint8_t *shared;
    size_t shared_bytes, shared_capacity; /* in front and behind there is room for a warp's 32
                                               words of which some lane has one inside */
    bool watched;                         /* shared memory is, by marks or races */
    uint32_t line_places; /* how many places there are, from 0 on and a word apart, where
                                   32 words may begin that only counters look at */
    int64_t line_limit;   /* last place in shared memory where 32 words may begin that only
                                   marks, races and counters look at; below 0: none */
    uint8_t *local;       /* threads x local_stack bytes, mapped on demand */
    race_shadow race;
    uint8_t *marks, *local_marks; /* init.c: a byte a word of shared and of local memory;
                                           null: not kept */
    struct init_block *init;
    struct block_trace *trace; /* null: additions are not traced */
    async_state *async;        /* exec_async.c; null until the first use */
    vclock_times fenced;       /* by warp: what it had fenced at the last barrier */
    late_buffer *late;         /* stores that other blocks do not see yet; null: none are late */
    simt_warp *warp[MAX_WARPS];
    worker *worker;
    uint64_t rng; /* warp interleaving */
    unsigned turn;
    bool active;
};

typedef struct insn_counts {
    uint64_t warps, lanes, divergent, barriers;
    uint64_t wavefronts, wavefronts_ideal, sectors, sectors_ideal, bytes;
    uint64_t lines; /* accesses of a full warp to consecutive words of shared memory;
                                   not among the above until the launch has ended. Modulo 2^64:
                                   each execution of r_ld_shared or r_st_shared in a whole run is
                                   one without being here, unless taken back */
} insn_counts;

/* Runs that were begun at an instruction: by whole warps (insn.whole_run); by parts of warps
   (insn.run), and how many lanes those had. All instructions of the run have been executed as
   often, besides what insn_counts says of executions one by one. */
typedef struct run_counts {
    uint64_t whole, parts, lanes;
} run_counts;

typedef struct launch {
    simt_device *device;
    const code *kernel;
    const simt_launch_args *args;
    simt_config config;
    unsigned threads; /* of a block */
    uint64_t blocks;
    uint64_t *order; /* null: as numbered */
    size_t shared_bytes;
    uint64_t seed;
    bool late;      /* stores to global memory become visible late: late.c */
    unsigned slots; /* places for blocks in flight */
    bool resident;  /* several blocks in flight on one host thread, since they may
                                   wait for each other */
    uint8_t *params;
    _Atomic uint64_t fatal_order; /* earliest position in the order at which a block was
                                           stopped */
    _Atomic uint64_t spent;       /* warp instructions of all workers */
    _Atomic unsigned next_share;  /* the next worker that a host thread is to run */
} launch;

struct worker {                   /* one share of a launch's blocks, which one host thread runs */
    _Alignas(128) launch *launch; /* no two workers in one cache line, nor in neighbours */
    simt_device *device;
    unsigned index;
    uint64_t first, last; /* its share of the order */
    insn_counts *counts;  /* by counter_base + pc, the host thread's; null: counters are
                                   off */
    run_counts *runs;     /* likewise; there with counts, and only then */
    uint64_t barriers, blocks, warps, threads;
    simt_finding *findings;
    uint32_t *finding_key; /* pc and other pc of each, for counting repeats */
    unsigned finding_count;
    simt_finding *last_finding; /* what report_finding found last, new or not; it may lie behind
                                   a full table */
    uint64_t dropped;
    char *printed;
    size_t printed_bytes, printed_capacity;
    simt_block *slots; /* the host thread's */
    unsigned slot_count;
    uint64_t version;           /* of memory: grows with every store, and every atomic that
                                   changes something */
    uint64_t spent, unreported; /* warp instructions; those not yet added to launch.spent */
    bool fatal, out_of_memory;
    unsigned async_noted;                 /* exec_async.c: notes given */
    const allocation *last_allocation[2]; /* of the last load, of the last store: they
                                                   often take turns */
    uint8_t *marks;        /* init.c: those of global memory, null: the check is off */
    global_shadow *shadow; /* race_global.c; null: races are off */
    uint64_t epoch;        /* of its stamps: those below are of earlier launches */
    vclock_arena clocks;
    struct flag *flags; /* by hash of their place */
    size_t flag_room, flag_count;
    uint64_t next;       /* position in the order of the next block to start */
    struct aside *aside; /* wait.c: the launch is over and runs on only to see who would
                                   write; nothing is reported */
    simt_wait *waits;    /* of a deadlock, SIMT_MAX_WAITS of them, or null */
    unsigned wait_count;
    uint64_t waits_dropped;
};

struct simt_device {
    simt_config config;
    bool places_set; /* config.resident_blocks is the caller's */
    memory memory;
    module **modules;
    unsigned module_count;
    code **functions; /* by handle */
    unsigned function_count;
    char error[2048];
    simt_line_counts *lines;
    unsigned line_count;
    char *printed;
    simt_wait *waits;
    simt_block_event *events; /* timeline.c */
    size_t event_count, event_room;
    size_t counter_count;
    uint64_t launches;
    uint64_t nanoseconds;     /* %globaltimer when a launch begins: all before it, one for each
                                   warp instruction of its longest share */
    simt_addr grid_workspace; /* of cooperative launches; 0: there was none yet */
    worker *workers;
    unsigned worker_count;
    struct init_device *init; /* init.c; null until the check is first on */
    trace *trace;             /* null until the first traced launch */
    global_shadow *shadows;   /* by worker; kept between launches */
    unsigned shadow_count;
    uint64_t race_epoch;
    simt_finding *host_findings;  /* SIMT_MAX_FINDINGS of them; null until the first */
    simt_step_select step_select; /* step.c */
    simt_step_fn *step;           /* null: nobody looks */
    void *step_user;
    suppression *suppressions; /* suppress.c */
    simt_suppression *suppressions_told;
    unsigned suppression_count;
    /* told: those that the caller has had, which the next one replaces */
    unsigned host_finding_count, host_finding_told;
};

enum {
    BLOCK_REPORTS = 4096
};                                /* warp instructions of a block between two looks at the
                                       launch's budget */
enum { LOCAL_STACK = 64 * 1024 }; /* bytes of local memory a thread may use */

/* ---- between the files ----------------------------------------------------------------------- */

#define REG(offset) (w->regs + (offset))

/* Lane loops have no dependence between lanes: destination and source either are one register or do
   not overlap. */
#if defined(__clang__)
#pragma clang diagnostic ignored                                                                   \
    "-Wpass-failed" /* some loop bodies call a function and stay scalar */
#define LANE_LOOP _Pragma("clang loop vectorize(assume_safety)") for (int l = 0; l < LANES; l++)
#else
#define LANE_LOOP _Pragma("GCC ivdep") for (int l = 0; l < LANES; l++)
#endif

/* Each split of one of the warp's sets, by number; the set may change meanwhile. */
#define FOR_SPLITS(k, w, set)                                                                      \
    for (int k##_word = 0; k##_word < (w)->split_words; k##_word++)                                \
        for (uint64_t k##_rest = (w)->set[k##_word], k = 0;                                        \
             k##_rest &&                                                                           \
             (k = 64u * (unsigned)k##_word + (unsigned)__builtin_ctzll(k##_rest), true);           \
             k##_rest &= k##_rest - 1)

/* warp.c: splits and frames */
bool warp_start(simt_warp *w, simt_block *b, unsigned index);
/* until the slice of instructions ends or it stops; how many it took */
uint64_t warp_run(simt_warp *w, int64_t slice);
/* Turns of the block's warps in their order, for as long as each needs no look before it and ends
   at a barrier, or BLOCK_REPORTS instructions are to be reported. Returns the warp whose turn ended
   otherwise; null: the next warp's turn is none of these. */
simt_warp *warp_turns(simt_block *b, int64_t slice);
/* how warp_run begins: the next split's turn; false: none can run */
bool warp_turn(simt_warp *w);
/* how it goes on; w->stop is STOP_NONE where only the slice has ended */
uint64_t warp_resume(simt_warp *w, int64_t slice);
void warp_free(simt_warp *w);
/* registers, parameters and call area, from regs on */
size_t warp_frame_bytes(const frame *f);
void warp_branch(simt_warp *w, const insn *i, uint32_t taken);
void warp_join(simt_warp *w, const insn *i, uint32_t mask);
void warp_exit_lanes(simt_warp *w, uint32_t mask);
/* Lanes of mask call; lanes of rest call after they have come back; any other active lanes just
   wait. */
bool warp_call(simt_warp *w, const insn *i, uint32_t mask, uint32_t rest, const code *callee,
               const call_form *form);
void warp_return(simt_warp *w, uint32_t mask);
frame *warp_frame(simt_warp *w);
/* the one way to change a split's state */
void split_set(simt_warp *w, int index, split_state state);
/* lets lanes that wait at a JOIN go on alone; false: none do */
bool warp_part(simt_warp *w);
/* some of the running split's, for whom it is too early, go on by themselves */
bool warp_peel(simt_warp *w, uint32_t lanes);
/* the running split waits; false: no other can run */
bool warp_park(simt_warp *w, uint32_t needed, split_state state);
/* Ends the slice with the instruction that is being executed; the first reason stands. */
static inline void warp_stop(simt_warp *w, enum stop_reason reason)
{
    if (w->stop != STOP_NONE && w->stop != STOP_LOOP)
        return;
    w->stop = reason;
    w->unspent = w->fuel > 0 ? w->fuel : 0;
    w->fuel = 0;
    w->run_end = w->insns;
}
const insn *warp_insn(const simt_warp *w); /* the one being executed */

/* warp.c, exec_system.c: runs. A run is begun (once: 1) or, where the rest of it is not to be
   executed after all, taken back (-1). */
static inline void run_count(simt_warp *w, const insn *i, uint32_t mask, uint64_t once)
{
    run_counts *n = w->worker->runs;
    if (!n)
        return;
    n += w->counter_base + (uint32_t)(i - w->insns);
    if (mask == FULL_MASK) {
        n->whole += once;
    } else {
        n->parts += once;
        n->lanes += once * (unsigned)__builtin_popcount(mask);
    }
}

/* The run (insn.run) at i begins: fuel, program counter and counters move once for all of it.
   False: there is none, or too little fuel. */
static inline bool run_begin(simt_warp *w, const insn *i, uint32_t mask)
{
    unsigned n = mask == FULL_MASK ? i->whole_run : i->run;
    if (n == 0 || n > w->fuel)
        return false;
    w->fuel -= n;
    w->pc = (uint32_t)(i - w->insns) + n;
    w->run_end = w->run_last = i + n;
    run_count(w, i, mask, 1);
    return true;
}

/* Lanes that skip a run wait at the JOIN behind it without a split of their own, while the others,
   now the active ones, execute it: an `if` costs little more than its instructions. A split is made
   of it only if the run does not come to its end (warp_skip_ends). False: it cannot be done so. */
bool warp_skip(simt_warp *w, const insn *i, uint32_t taken);
void warp_skip_ends(simt_warp *w);
/* The others have come to the JOIN, by i, the last of their run, and pc stands there: all go on. */
const insn *warp_skip_meets(simt_warp *w, const insn *i);

/* The run that is being executed ends before i: what is left of it is taken back. */
static inline void run_cut(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t left = (uint32_t)(w->run_last - i);
    w->run_end = w->run_last = i;
    w->pc -= left;
    if (w->stop == STOP_NONE)
        w->fuel += left;
    else
        w->unspent += left;
    run_count(w, i, mask, -1ull);
}

/* stuck.c: proof that a warp spins for ever */
/* warp_run, with an eye on whether anything changes; may set the block's stuck bit */
uint64_t stuck_run(simt_warp *w, int64_t slice);
/* Nothing in b can move: lets lanes of its stuck warps that wait for the spinning ones to join them
   go on alone; false: there are none. */
bool stuck_part(simt_block *b);
/* Runs a warp that is proved stuck once round its loop; visit sees each instruction and its lanes
   first, and ends the round with false. */
typedef bool stuck_visit(void *user, simt_warp *w, const insn *i, uint32_t mask);
void stuck_round(simt_warp *w, stuck_visit *visit, void *user);
/* SIMT_TRACE_BLOCKS: its state was last seen to repeat without its changing memory */
bool stuck_spins(const simt_warp *w);
bool stuck_trace_start(simt_warp *w); /* begins to look for that; false: no memory */
void stuck_trace_free(simt_warp *w);

/* wait.c: deadlocks, who waits for whom */
/* nothing in b, or in any block where b is null, will ever change: reports it, stops the launch */
void wait_report(worker *k, simt_block *b);
/* while worker.aside is set */
void wait_see_store(simt_warp *w, const insn *i, uint32_t mask, const uint64_t *address,
                    unsigned bytes, bool shared);

/* device.c */
unsigned device_multiprocessors(const simt_device *d);

/* timeline.c: SIMT_TRACE_BLOCKS */
void timeline_begin(launch *l);
void timeline_enter(simt_block *b, simt_block_state state);
void timeline_turn(simt_block *b); /* after a turn of one of its warps */

/* launch.c */
bool block_start(simt_block *b, worker *k, uint64_t position);
/* one warp's turn; false: the block has ended, was stopped, or cannot get further by itself */
bool block_turn(simt_block *b, int64_t turn);
void blocks_free(simt_block *slots, unsigned count);

/* race.c: shared-memory ordering */
bool race_block_start(simt_block *b);   /* false: no memory for the shadow */
void race_block_barrier(simt_block *b); /* a barrier has been passed */
void race_warp_sync(simt_warp *w);
void race_fence(simt_warp *w, access_scope scope);
/* offsets: byte offset of each lane's access, size bytes long; contiguous: lane l at first + l *
   size for all lanes of mask */
/* The same for lanes that access 32-bit words one after another, lane 0 at offset: false where
   there is more to see than race_words can tell, and nothing has been done. */
bool race_words(simt_warp *w, const insn *i, uint32_t mask, int32_t offset, bool write);
void race_access(simt_warp *w, const insn *i, uint32_t mask, const uint32_t *offsets, unsigned size,
                 bool contiguous, bool write, bool atomic, strength order, const void *values);

/* trace.c: the addition network */
/* of a meeting of lanes: exec_warp.c */
typedef struct party {
    const insn *at;
    uint8_t *regs;
    uint32_t mask;
} party;

bool trace_open(simt_device *d); /* for a launch; false: no memory */
void trace_close(simt_device *d);
/* what is there now is no traced value */
void trace_forget(simt_device *d, simt_addr address, size_t bytes);
void trace_move(simt_device *d, simt_addr to, simt_addr from, size_t bytes);
void trace_report(simt_device *d, simt_report *r);
bool trace_block_start(simt_block *b);
void trace_block_free(simt_block *b);
/* executes an instruction; mask may be empty */
void trace_step(simt_warp *w, const insn *i, uint32_t mask);
/* from: the source lane of each */
void trace_shuffle(simt_warp *w, const party *parties, unsigned n, const uint8_t *from);
void trace_vote(simt_warp *w, const party *parties, unsigned n, bool ballot);
void trace_async_load(simt_warp *w, const insn *i, unsigned lane, uint32_t shared, simt_addr global,
                      uint32_t bytes, uint32_t size);
void trace_async_store(simt_warp *w, const insn *i, unsigned lane, uint32_t shared,
                       simt_addr global, uint32_t bytes);
void trace_open_frame(simt_warp *w, unsigned depth);
/* Parameters of a call: bytes of one lane, between the frames of two depths. */
void trace_copy_param(simt_warp *w, unsigned to, const uint8_t *to_byte, unsigned from,
                      const uint8_t *from_byte, size_t bytes);

/* race.c, for exec_async.c. clock, told: of an mbarrier, what comes before its arrivals. */
void race_mbarrier_arrive(simt_warp *w, uint32_t clock[MAX_WARPS], knowledge *told);
void race_mbarrier_wait(simt_warp *w, const uint32_t clock[MAX_WARPS], const knowledge *told);
/* An access of the lane by the instruction of counter index pc (report: and say whom it races
   with) */
void race_async_mark(simt_warp *w, uint32_t pc, unsigned lane, uint32_t offset, uint32_t bytes,
                     bool write, bool report);
/* Bytes that a copy of this warp wrote; whoever waits for the mbarrier comes after. */
void race_async_landed(simt_block *b, unsigned warp, uint32_t pc, uint32_t offset, uint32_t bytes,
                       uint32_t clock[MAX_WARPS]);
void race_async_fence(simt_warp *w); /* fence.proxy.async */
/* is read by a bulk copy */
void race_async_proxy(simt_warp *w, const insn *i, unsigned lane, uint32_t offset, uint32_t bytes);

/* init.c, init_step.c: values without a meaning; while SIMT_CHECK_INIT is on. Hooks of handlers are
   in init.h */
bool init_open(simt_device *d); /* notes; false: no memory */
/* the checks have changed; false: no memory */
bool init_configure(simt_device *d, bool was_on);
void init_close(simt_device *d);
/* does a shift beyond the width in this text say that the source has one? */
bool init_shifts_tell(const ptx_module *m);
void init_watch_shift(const code *c, insn *i); /* if it is a shift by a register */
void init_host_write(simt_device *d, simt_addr to, size_t bytes);
void init_host_copy(simt_device *d, simt_addr to, simt_addr from, size_t bytes);
void init_host_read(simt_device *d, simt_addr from, size_t bytes);
/* counts as never written */
void init_forget(simt_device *d, simt_addr address, size_t bytes);
bool init_block_start(simt_block *b);
void init_block_free(simt_block *b);
void init_warp_start(simt_warp *w);
void init_warp_free(simt_warp *w);
void init_close_frame(simt_warp *w, unsigned depth);
void init_fresh_locals(simt_warp *w, uint32_t mask, size_t base, size_t bytes);
/* Parameters of a call, as in trace_copy_param */
void init_copy_param(simt_warp *w, unsigned to, const uint8_t *to_byte, unsigned from,
                     const uint8_t *from_byte, size_t bytes);
/* executes an instruction, by exec, while w->unset; mask may be empty */
void init_step(simt_warp *w, const insn *i, uint32_t mask, exec_fn *exec);
void init_local(simt_warp *w, const insn *i, uint32_t mask, const uint64_t *offset, unsigned size);
/* an argument of printf is read there */
void init_printed(simt_warp *w, unsigned lane, uint64_t generic, size_t bytes);
void init_async_load(simt_warp *w, uint32_t shared, simt_addr global, uint32_t bytes,
                     uint32_t size);
void init_async_store(simt_warp *w, uint32_t shared, simt_addr global, uint32_t bytes);
void init_shared_set(simt_block *b, uint32_t offset, uint32_t bytes);
/* from, asked: of each lane, the lane that it gets its value from, and the one that it asked for;
   absent: those whose lane takes no part */
void init_shuffle(simt_warp *w, const party *parties, unsigned n, const uint8_t *from,
                  const uint8_t *asked, uint32_t absent);
void init_vote(simt_warp *w, const party *parties, unsigned n, uint32_t all, uint32_t yes,
               unsigned mode);
void init_meet(simt_warp *w, const party *parties, unsigned n);

/* step.c: simt_on_step */
bool step_wanted(const simt_warp *w);
/* executes an instruction, mask may be empty, and shows it */
void step_insn(simt_warp *w, const insn *i, uint32_t mask);

/* listing.c: an instruction as the PTX has it, from its guard to its semicolon, white space made
   single */
void listing_text(const ptx_instr *p, char *out, size_t bytes);
char *listing_make(const module *m, const char *function); /* null: no memory */

/* race_global.c: global memory, and order between blocks */
/* gives each worker its shadow; false: no memory */
bool race_global_launch(launch *l, unsigned workers);
/* all active lanes' addresses have been found good; contiguous as in race_access; data: what a
   store writes, size bytes a lane */
void race_global(simt_warp *w, const insn *i, uint32_t mask, const uint64_t *address, unsigned size,
                 bool contiguous, bool atomic, const uint8_t *data);
/* an atomic has changed this */
void race_global_publish(simt_warp *w, uint64_t address, const memory_form *form, bool atomic);
/* a copy that lane issues */
void race_global_range(simt_warp *w, const insn *i, unsigned lane, uint64_t address, size_t bytes,
                       bool write);
/* what workers have touched apart from each other; false: no memory */
bool race_global_merge(launch *l);
void race_global_end(worker *k);
void race_global_close(simt_device *d);

/* late.c: stores that become visible late; only where launch.late */
bool late_block_start(simt_block *b, uint64_t seed);
/* at most 32 */
void late_write(simt_block *b, uint64_t address, const uint8_t *data, unsigned bytes);
/* puts the block's own late stores over what memory holds */
void late_read(const simt_block *b, uint64_t address, uint8_t *data, unsigned bytes);
void late_flush_at(simt_block *b, uint64_t address, unsigned bytes); /* what overlaps */
void late_flush_range(simt_block *b, uint64_t address, size_t bytes);
bool late_flush(simt_block *b); /* true: something became visible */
bool late_flush_all(worker *k);
void late_tick(worker *k); /* lets out what is due */
void late_free(simt_block *b);

/* misuse.c: fills message and advice, and for a range the kind; false: there is nothing wrong */
bool misuse_of_free(const memory *m, simt_addr address, bool by_kernel, simt_finding *f);
bool misuse_of_range(const memory *m, simt_addr address, size_t bytes, const char *what,
                     simt_finding *f);

/* suppress.c */
bool suppressed(simt_device *d, const simt_finding *f); /* by a rule, which counts it */
void suppressions_free(simt_device *d);

/* report.c: findings and counters */
simt_finding *report_host_finding(simt_device *d, simt_finding_kind kind); /* null: no room */
simt_finding *report_finding(simt_warp *w, simt_finding_kind kind, const insn *at,
                             const insn *other, unsigned lane);
/* the function an instruction belongs to */
const code *report_code_of(const simt_device *d, const insn *i, uint32_t *pc);
void report_site(const simt_warp *w, const code *c, uint32_t pc, unsigned lane, simt_site *site);
void report_thread_of(const simt_block *b, unsigned thread, simt_dim *out);
/* marks f fatal, or, where it is null, what report_finding was last asked for; stops the launch */
void report_fatal(simt_warp *w, simt_finding *f);
const shared_var *report_shared_var(const simt_warp *w, size_t offset);
void report_pretty_name(const char *mangled, char *out, size_t bytes);
void report_merge(launch *l, simt_report *report);
void report_print(simt_warp *w, const char *text, size_t bytes);
/* "line 12 of x.cu" */
const char *report_line_text(const simt_site *s, char *buffer, size_t bytes);

/* exec_*.c: handlers named by ops.def; helpers for decode */
/* Where the next .local bytes of a thread would lie: behind the frame's variables and what alloca
   has given this lane, or the most that it has given any. */
size_t frame_local_end(const frame *f, unsigned lane);
size_t frame_local_top(const frame *f);
exec_fn x_unsupported, x_join, x_call, x_ret, x_exit, x_brx, x_atom, x_mbarrier_wait,
    x_bar_warp_sync, x_shfl, x_end, x_mov_special, x_mov_local_address, x_mov_pack, x_mov_unpack,
    x_bra, x_bra_uniform, x_selp_u32, x_selp_u64, x_shl_wide_s32, x_shl_wide_u32, x_mov_u32,
    x_mov_u64, x_ld_shared, x_st_shared, x_ld_param, x_bar_sync;
run_fn r_mov_u32, r_mov_u64, r_mov_special, r_mov_tid, r_shl_wide_s32, r_shl_wide_u32, r_selp_u32,
    r_selp_u64, r_ld_shared, r_st_shared, r_join, r_bra, r_bra_last, r_bra_uniform, r_bar_sync,
    r_one;

enum special_register {
#define SPECIAL(id, name) id,
#include "special.def"
    SR_COUNT
};

/* insn.imm of x_bar_sync. BAR_PLAIN: bar.sync of a barrier that is a constant (insn.target), by
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
bool launch_run(simt_device *device, launch *l, simt_report *report);
void launch_free_workers(simt_device *device);

/* exec_async.c: copies under way */
void async_block_start(simt_block *b);
void async_block_end(simt_block *b); /* b->async is not null */
void async_free(simt_block *b);
/* one copy gets further; false: none is under way */
bool async_step(simt_block *b, uint64_t random);
bool async_under_way(const simt_block *b);
/* b->async is not null */
void async_access(simt_warp *w, const insn *i, uint32_t mask, const uint32_t *offset,
                  unsigned bytes, bool write);
/* the mbarrier there, and what it lacks */
bool async_describe(const simt_block *b, uint32_t offset, char *out, size_t bytes);

/* exec_mem.c, for copies: checks of one lane's range (false: the kernel was stopped), counters of a
   request, the bytes */
bool memory_async_shared(simt_warp *w, const insn *i, unsigned lane, uint32_t offset,
                         uint32_t bytes, unsigned align);
bool memory_async_global(simt_warp *w, const insn *i, unsigned lane, uint64_t address,
                         uint32_t bytes, unsigned align, bool write);
void memory_async_count(simt_warp *w, const insn *i, uint32_t mask, const uint64_t *address,
                        const uint32_t *bytes);
void memory_async_move(simt_block *b, uint64_t address, uint32_t bytes, void *buffer, bool write);

/* exec_bar.c */
/* releases barriers that are complete; call when a warp has exited */
void barrier_check(simt_block *b);

/* exec_warp.c */
/* every split of w waits: lets one go on, or reports and returns false */
bool sync_resolve(simt_warp *w);
void sync_lane_list(uint32_t mask, char *out, size_t bytes); /* "0-3,7" */
/* f->other: where those lanes are */
void sync_name_absent(simt_warp *w, simt_finding *f, uint32_t absent);

/* exec_alu.c */
/* what executes i and one or two after it in one go; its own go where they are no address
   computation */
run_fn *alu_together(const insn *i);

/* exec_mem.c */
/* the handler that executes this load or store of c and goes on; null: none */
run_fn *memory_going_on(const code *c, const insn *i);
void memory_fence(simt_warp *w, access_scope scope);

/* exec_system.c */
/* null if not addressable */
void *lane_host(simt_warp *w, unsigned lane, uint64_t generic, size_t bytes);

#endif
