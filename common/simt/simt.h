/*
 * simt.h: a GPU in software. Runs PTX warp by warp and says what happened.
 *
 * A simt_device is one simulated GPU, or several of one host (simt_config.gpus): their memory,
 * their loaded modules, and the schedule they run blocks and warps in. Everything crosses this
 * interface by value or as copied bytes, and device memory is named by simt_addr and never by a
 * host pointer, so that the engine can live in another process than its caller. A device belongs to
 * one caller at a time; two devices are independent. Calls are synchronous: a launch has ended when
 * simt_launch returns.
 *
 * Failure: functions return a simt_status; where it is not SIMT_OK, simt_error(device) is one
 * message that says what was wrong and what to do, valid until the next call. A kernel that did
 * something wrong is not a failure of simt_launch: the launch returns SIMT_FAULT when the kernel
 * had to be stopped, SIMT_OK when it ran to its end, and in both cases the findings say what was
 * seen. A finding that does not stop the kernel (a race, say) leaves SIMT_OK.
 *
 * Device memory after a fault is unspecified: it holds what the kernel had stored by then. After a
 * deadlock it also holds what later blocks stored, since the engine runs them to learn which one
 * would have written what the others wait for.
 *
 * Units: bytes unless a name says otherwise. Addresses are device addresses: opaque, never zero,
 * never valid on the host. The same device configuration, memory and launch repeat exactly,
 * whatever the number of host threads; only a kernel whose blocks race on global memory may read
 * other values from run to run when several host threads are used.
 */
#ifndef SIMT_H
#define SIMT_H

#include "finding.h"

typedef struct simt_device simt_device;

typedef enum simt_status {
    SIMT_OK,
    SIMT_BAD_ARGUMENT, /* a null, an unknown handle, an empty range: the caller's mistake */
    /* the module text does not parse; the message has line, column and a caret */
    SIMT_BAD_PTX,
    /* the configuration exceeds the device: zero or too many threads, too much shared memory ... */
    SIMT_BAD_LAUNCH,
    SIMT_BAD_ADDRESS, /* a copy, fill or free that is not inside one live allocation */
    SIMT_NO_MEMORY,   /* the simulated device, or the host, has none left */
    SIMT_NOT_FOUND,   /* no function or symbol of that name */
    SIMT_FAULT        /* the kernel was stopped; the last finding says why */
} simt_status;

/* ---- device ---------------------------------------------------------------------------------- */

typedef enum simt_block_order {
    SIMT_BLOCKS_IN_ORDER,
    SIMT_BLOCKS_REVERSED,
    SIMT_BLOCKS_SHUFFLED
} simt_block_order;

/* Of launches that run together: who has the first turn, each time. STARVED: one GPU has a turn
   only when the others can go no further, or have gone far. */
typedef enum simt_gpu_order {
    SIMT_GPUS_IN_TURN,
    SIMT_GPUS_REVERSED,
    SIMT_GPUS_STARVED
} simt_gpu_order;

enum { SIMT_MAX_GPUS = 8, SIMT_MAX_GROUP = 64 };

/* bits of simt_config.checks */
enum {
    SIMT_CHECK_COUNTERS = 1, /* fill simt_counts and the per-line table */
    /* bounds, liveness and alignment of every access; off only for benchmarks of the engine */
    SIMT_CHECK_BOUNDS = 2,
    /* races on shared and on global memory, missing and too narrow fences among them */
    SIMT_CHECK_RACES = 4,
    /* values without a meaning (SIMT_UNINITIALIZED and the two after it), followed to where they
       matter */
    SIMT_CHECK_UNSET = 8,
    SIMT_CHECK_ALL = 15
};

/* bits of simt_config.trace: what simt_report.trace keeps; slow, for small launches */
enum {
    SIMT_TRACE_BLOCKS = 1, /* when each block waited to start, ran, spun, ended */
    /* every addition of data and what it added: the network; fills simt_counts.depth. On one
       host thread. What a value is traced through, and what not: sums/tags.c */
    SIMT_TRACE_ADDS = 2
};

typedef struct simt_config {
    /* 0: one per online core. Used only when the blocks of a launch cannot communicate */
    unsigned host_threads;
    /* blocks in flight at a time on the device; 0: 8. A block runs until it ends, then the next in
       the order takes its place: occupancy-bound forward progress, as hardware has it */
    unsigned resident_blocks;
    simt_block_order block_order;
    /* false: warps take turns in order, and lanes at an atomic; true: the seed picks the next warp,
       and an order of lanes, and a turn may end at an atomic */
    bool shuffle_warps;
    /* activemask finds lanes that have parted from others of their warp in two groups, as the seed
       says: a GPU promises none */
    bool split_active;
    /* adversarial memory: stores to global memory that no fence has pushed out become visible to
       others late and out of order, and loads find old values, as the seed says; each warp sees its
       own at once. Only in kernels whose blocks can communicate */
    bool late_stores;
    /* adversarial time, where blocks can communicate: a block gets no turn until no other one can
       go on, or they have executed so many warp instructions together; 0: none is stalled. Whoever
       counts how often it looks for what that block is to publish gives up too soon */
    uint64_t stall;
    /* which: its place in the order, below resident_blocks. Up to that, blocks begin one after
       another, each alone until its first atomic in global memory: its ticket */
    unsigned stalled;
    /* cycles and nanoseconds by which the clock and the timer go on with each warp instruction;
       0: 1. With many, whoever waits by the clock alone gives up */
    unsigned clock_step;
    /* of the block shuffle, the warp interleaving and the delays of late stores */
    uint64_t seed;
    unsigned checks; /* SIMT_CHECK_ bits */
    /* warp instructions a launch may execute before it is called hung; 0: 2^34 */
    uint64_t budget;
    /* bytes of device memory; 0: 4 GiB (reserved, not touched, until used) */
    size_t memory;
    /* not 0: an excerpt of each launch: of a larger grid, only the first and the last blocks run,
       each for so many warp instructions at most, and none reports what it waits for. Fresh memory
       holds zeros, as if the blocks that are left out had added nothing, and takes none of the
       host's until it is touched: of large fills and copies only the ends are done. To see how
       indices and grids fare at an n that could never be run */
    uint64_t excerpt;
    /* of an excerpt: the blocks that are left out stall where they first look at what others have
       stored. Whoever looks back then finds what they published before that, as far as the first
       blocks */
    bool excerpt_stalls;
    /* of an excerpt, more than 8: so many tickets a counter gives. The block that takes one after
       the other has the first four of them and the last four */
    uint64_t excerpt_tickets;
    unsigned trace; /* SIMT_TRACE_ bits */
    /* GPUs of one host, at most SIMT_MAX_GPUS; 0: 1. For simt_open alone. Each has memory and
       modules of its own (simt_use_gpu), resident_blocks places, and an address range that is part
       of the device's */
    unsigned gpus;
    simt_gpu_order gpu_order; /* simt_launch_group */
    unsigned starved;         /* SIMT_GPUS_STARVED: which GPU */
} simt_config;

/* Limits and facts of the simulated GPU; simt_facts gives those of one device, as it is configured.
   Compute capability 7.5; source: CUDA C++ Programming Guide, table "Technical Specifications per
   Compute Capability". */
typedef struct simt_limits {
    unsigned warp_size, max_threads_per_block, max_block[3], max_grid[3];
    unsigned multiprocessors, max_threads_per_multiprocessor, max_blocks_per_multiprocessor;
    unsigned registers_per_block, registers_per_multiprocessor;
    size_t shared_per_block, shared_per_multiprocessor, constant_memory;
    size_t shared_per_block_optin; /* static and dynamic, where a program asks for more dynamic */
    unsigned major, minor;
} simt_limits;

simt_config simt_default_config(void); /* all checks on, in order, seed 0 */
const simt_limits *simt_device_limits(void);
/* A device whose caller set resident_blocks to R has R multiprocessors with room for one block
   each, so that a program that sizes its grid by what can be resident gets no more than R. With R =
   0 it has those of simt_device_limits, which would hold more than the 8 blocks that are then kept
   in flight; a cooperative launch gets them all. */
void simt_facts(const simt_device *device, simt_limits *facts);
/* Blocks of a kernel that one multiprocessor of the device holds: by threads, registers and shared
   memory. 0: none, or no such kernel. */
unsigned simt_blocks_per_multiprocessor(const simt_device *device, unsigned function,
                                        unsigned threads, size_t dynamic_shared);
simt_status simt_open(const simt_config *config, simt_device **device);
void simt_close(simt_device *device); /* frees everything; null is fine */
/* between launches; memory and gpus are ignored */
simt_status simt_configure(simt_device *device, const simt_config *config);
const char *simt_error(const simt_device *device);
/* what to do about the same, where the message does not say it; "" if that is not known */
const char *simt_advice(const simt_device *device);

/* ---- several GPUs ---------------------------------------------------------------------------- */

/* What is allocated and what is loaded from now on is on this GPU, from 0; a kernel runs where its
   module is. */
simt_status simt_use_gpu(simt_device *device, unsigned gpu);
/* Kernels of this GPU may, or may not, use the memory of that one, as after
   cudaDeviceEnablePeerAccess: else it is out of bounds to them. What host and device share
   (simt_alloc_common) is everybody's. */
simt_status simt_let_peer(simt_device *device, unsigned gpu, unsigned peer, bool may);
/* Whose memory it is; SIMT_MAX_GPUS: everybody's. SIMT_BAD_ADDRESS if it is in no live
   allocation. */
simt_status simt_gpu_of(simt_device *device, simt_addr address, unsigned *gpu);

/* ---- device memory --------------------------------------------------------------------------- */

typedef struct simt_range { /* of device memory */
    simt_addr address;
    size_t bytes;
} simt_range;

/* Allocations are 256-byte aligned and apart from each other by at least 256 bytes that belong to
   none, 64 KiB on a device of 4 GiB. Fresh memory holds a poison pattern (0xFF bytes: NaN as float,
   -1 as int). A freed range is not handed out again until memory runs short, so that a use after
   free is found. */
simt_status simt_alloc(simt_device *device, size_t bytes, simt_addr *address); /* bytes > 0 */
/* An allocation that the host may use too, at the same address: CUDA's managed or mapped memory. A
   launch counts all of it as written. SIMT_NO_MEMORY also where the host cannot map it there (under
   TSan). */
simt_status simt_alloc_common(simt_device *device, size_t bytes, simt_addr *address);
/* May the host use this common allocation for now? If not, a host access faults; kernels and the
   functions here go on. */
simt_status simt_let_host(simt_device *device, simt_addr address, bool may);
/* Page-locked memory of the host's, which kernels may use from now on by its own address; checks
   see it as any allocation. A kernel finds there what `take` gives for those bytes of the host's;
   what it has changed when it has ended, compared with what it has found, is the host's by `give`
   (then is null where there was no memory to keep that). Host threads of a launch call take, one at
   a time. Both null: plain copies. SIMT_NO_MEMORY: the device has no addresses left for it. */
typedef struct simt_pinned_ways {
    void (*take)(void *here, const void *host, size_t bytes);
    void (*give)(void *host, const void *now, const void *then, size_t bytes);
} simt_pinned_ways;
simt_status simt_pin(simt_device *device, void *host, size_t bytes, const simt_pinned_ways *ways);
/* Asked by a thread of a launch in which nothing can move any more, where a warp waits for such
   memory, or common memory: may a thread of the host still write there? It takes some time, so that
   they can. tries: how often it was asked before, in vain. False: the wait is a deadlock. Null, as
   at first: always false. */
typedef bool simt_host_writes(unsigned tries);
void simt_on_wait_for_host(simt_device *device, simt_host_writes *fn);
/* the start of what simt_pin was given: kernels may not use it any more */
simt_status simt_unpin(simt_device *device, const void *host);
/* the start of a live allocation */
simt_status simt_free(simt_device *device, simt_addr address);
simt_status simt_write(simt_device *device, simt_addr to, const void *from, size_t bytes);
simt_status simt_read(simt_device *device, void *to, simt_addr from, size_t bytes);
/* ranges may overlap */
simt_status simt_copy(simt_device *device, simt_addr to, simt_addr from, size_t bytes);
simt_status simt_fill(simt_device *device, simt_addr to, uint8_t value, size_t bytes);
/* The bytes stay as they are, but count as never written (SIMT_UNINITIALIZED), as those of a fresh
   allocation do. */
simt_status simt_forget(simt_device *device, simt_addr address, size_t bytes);
/* From address on, the live allocation that holds it has data that a kernel is about, until it is
   freed; all other memory is scratch, and counted apart. SIMT_BAD_ADDRESS if none holds it. */
simt_status simt_mark_data(simt_device *device, simt_addr address);
/* May kernels and the functions here write to the live allocation that holds address? If not, it is
   done all the same, and is a finding (SIMT_INPUT_WRITTEN). A fresh one may be written to. */
simt_status simt_let_write(simt_device *device, simt_addr address, bool may);
/* The live allocation that holds address: its start and size. SIMT_BAD_ADDRESS if none does. */
simt_status simt_allocation(simt_device *device, simt_addr address, simt_addr *start,
                            size_t *bytes);
/* could this number be a device address, live or not? */
bool simt_is_device_address(uint64_t value);
void simt_memory(const simt_device *device, size_t *free_bytes, size_t *total_bytes);
/* of that, taken by modules' variables; .const ones are left out */
size_t simt_variable_bytes(const simt_device *device);
/* Where all of a device's allocations lie, its code's addresses apart. */
simt_range simt_address_range(const simt_device *device);

/* ---- modules --------------------------------------------------------------------------------- */

/* Parses and decodes PTX text (bytes long; need not end in NUL). name is for messages. Instructions
   the engine does not know are accepted here and are a finding (SIMT_UNSUPPORTED) if executed. A
   module lives as long as its device. */
simt_status simt_module_load(simt_device *device, const char *ptx, size_t bytes, const char *name,
                             unsigned *module);

/* A .global variable that the host may use, too: CUDA's __managed__. */
typedef struct simt_managed {
    const char *name; /* in the PTX; kept */
    /* the host's own variable, which begins a page and has whole pages to itself: they show the
       device's from now on, which GPUs of the device share, and kernels may use this address; null:
       it has none, and uses the device address */
    void *host;
} simt_managed;
/* As simt_module_load. These variables, and those with .attribute(.managed), are common memory (as
   of simt_alloc_common, with simt_let_host). */
simt_status simt_module_load_managed(simt_device *device, const char *ptx, size_t bytes,
                                     const char *name, const simt_managed *managed, unsigned count,
                                     unsigned *module);

typedef struct simt_function_info {
    unsigned function; /* handle for simt_launch; unique in the device */
    /* 32-bit registers a thread uses: an estimate from the PTX, not a real allocation */
    unsigned registers;
    size_t static_shared, local_bytes, constant_bytes;
    /* .maxntid product where the kernel has one, else the device's limit */
    unsigned max_threads;
    unsigned params;                         /* number of kernel parameters */
    size_t param_offset[64], param_size[64]; /* in the parameter block, in order */
    size_t param_bytes;
} simt_function_info;

simt_status simt_function(simt_device *device, unsigned module, const char *name,
                          simt_function_info *info);
/* A .global or .const variable. */
simt_status simt_symbol(simt_device *device, unsigned module, const char *name, simt_addr *address,
                        size_t *bytes);

/* The n-th kernel of a module, in the order of the text, by its name in the PTX; null beyond the
   last. */
const char *simt_kernel_name(const simt_device *device, unsigned module, unsigned n);
/* The n-th call of a function that is declared and nowhere defined; false beyond the last. A kernel
   that gets there is stopped. */
typedef struct simt_undefined {
    const char *name, *caller; /* as the PTX has them */
    const char *file;          /* of the call; base name, "" if not known */
    unsigned line;
} simt_undefined;
bool simt_undefined_call(const simt_device *device, unsigned module, unsigned n,
                         simt_undefined *call);
/* The path of a source file, as the PTX of some module has it, by the base name that sites have; ""
   if there is none. */
const char *simt_source_path(const simt_device *device, const char *file);
/* The decoded code of a module, or of one of its kernels and functions (null: of all): index, row
   of ops.def, operands as places in a warp's frame, branch targets, joins, source lines. *text is
   the caller's to free. */
simt_status simt_listing(simt_device *device, unsigned module, const char *function, char **text);

/* ---- launches -------------------------------------------------------------------------------- */

typedef struct simt_launch_args {
    unsigned function;
    simt_dim grid, block;
    size_t dynamic_shared;
    const void *params; /* the parameter block laid out as simt_function_info says */
    size_t param_bytes;
    /* all blocks resident at once, so that they may wait for each other in any order;
       SIMT_BAD_LAUNCH where the grid exceeds blocks a multiprocessor x multiprocessors
       (simt_facts) */
    bool cooperative;
    /* the code that launches it, an address in the host program's file; 0: not known. Findings
       have it as it is */
    uint64_t from;
} simt_launch_args;

typedef struct simt_counts {
    uint64_t launches, blocks, warps, threads;
    uint64_t warp_instructions; /* issued, one per warp */
    /* sum of active lanes; SIMD efficiency = this / (32 * warp_instructions) */
    uint64_t thread_instructions;
    /* conditional branches met by a warp, and those it took both ways */
    uint64_t branches, divergent_branches;
    uint64_t barriers; /* completed block-wide barriers, summed over blocks */
    /* of each block, how often a warp waited at an mbarrier for a phase that other warps' arrivals
       have completed: as many as all its warps did once, rounded up. Not for the bytes of bulk
       copies, where it has not arrived itself and there is a word for each lane that waits; one
       phase of fewer is free. And the same of flags, where races are checked: it has published
       something by a flag, after a fence, and then observed a flag that another warp of the block
       has set since the last barrier; rounded down */
    uint64_t mbarrier_meetings;
    /* lanes that executed a floating add, sub or fma (f32, f64). Not counted: lanes whose sum a
       select drops; that add a zero which the program has as a literal, to start a sum or where
       there is nothing to add, and which has not been in memory since (a 0 among the data counts);
       x + x */
    uint64_t float_adds;
    /* warp instructions that did; add efficiency = float_adds / (32 * this) */
    uint64_t float_add_issues;
    uint64_t shared_requests;   /* warp-wide shared-memory accesses */
    uint64_t shared_wavefronts; /* passes over 32 banks that they took */
    /* passes that the same bytes need without conflicts; excess = wavefronts - ideal */
    uint64_t shared_ideal;
    uint64_t shared_bytes;
    uint64_t global_requests;
    uint64_t global_sectors; /* 32-byte sectors touched, per request */
    uint64_t global_ideal;   /* sectors that the same bytes need when consecutive */
    /* asked for by active lanes. A plain load of one address by all of them counts once, and an
       atomic that changes nothing (reading_atomics) as a load */
    uint64_t global_bytes_read, global_bytes_written;
    /* of these, those outside of memory that simt_mark_data has named */
    uint64_t scratch_bytes_read, scratch_bytes_written, scratch_sectors;
    /* of these in turn, what loads have read that are volatile, or have an order, where another
       block has stored it in this launch, or it is as a memset leaves it: as a block looks at what
       others publish. Without SIMT_CHECK_RACES, whatever they have read there */
    uint64_t looked_bytes_read, looked_sectors;
    uint64_t local_bytes;
    /* lanes that read from a local array what their own thread has not written; known with
       SIMT_CHECK_UNSET only */
    uint64_t local_unset;
    uint64_t atomics; /* lanes that executed an atomic, any space */
    /* of these, lanes whose operation changes nothing, whatever is there: they add 0, say, to read
       the place. Of integers of 32 and 64 bits */
    uint64_t reading_atomics;
    /* of the above, what went into looking again, while waiting, at global memory or an mbarrier
       that had not changed, until another warp had stored there: depends on the schedule. An atomic
       reads its bytes and writes them, unless it is one of reading_atomics: those are not among
       polled_atomics. Known with SIMT_CHECK_RACES only */
    uint64_t polled_instructions, polled_bytes_read, polled_bytes_written, polled_sectors,
        polled_ideal, polled_atomics;
    /* bytes of shared memory, static and dynamic, of all blocks; a block's = this / blocks */
    uint64_t shared_allocated;
    /* longest chain of additions from an input to a value that was stored to global memory, over
       earlier launches too where this one read what they wrote; known with SIMT_TRACE_ADDS only. Of
       several launches: the greatest, not the sum (simt_counts_add) */
    uint64_t depth;
    uint64_t not_f32_adds; /* of float_adds, those in f64, or in 16 bits */
    /* float_add_issues beyond eight times what the launch's additions need with 32 lanes each: many
       where lanes add one by one, none where an eighth of them adds */
    uint64_t lone_add_issues;
    /* warp instructions of the block that executed most, in thousandths of a block's mean. Of
       several launches: the greatest */
    uint64_t busiest_block;
    /* the same in instructions, without what went into polls (polled_instructions). Of several
       launches: the sum, as one begins when the one before has ended */
    uint64_t longest_block;
    /* of each block, the instructions of the warp that executed most, times the block's warps; and
       those of all warps. Without polls */
    uint64_t busiest_warps, warps_spent;
    /* longest chain of blocks in which each has read what the one before had stored after it had
       read in its turn. Strong stores count, and reads of them that are no read-modify-write: who
       takes a number from a counter observes nobody, and begins anew. Stores that come late count
       at once. Known with SIMT_CHECK_RACES only, of kernels whose blocks can communicate. Of
       several launches: the greatest */
    uint64_t block_chain;
    /* how often a warp stalled: it looked again and again at words of which each had what
       another block had stored in this launch. Known where block_chain is */
    uint64_t stalls;
    uint64_t shuffles;         /* warp instructions that hand registers to other lanes: shfl */
    uint64_t votes;            /* those that ask all lanes for a bit, ballots among them: vote */
    uint64_t lane_masks;       /* warp instructions that read %lanemask_lt or its kin */
    uint64_t active_masks;     /* warp instructions that ask who runs along: activemask */
    uint64_t storing_launches; /* those that wrote to global memory */
    /* of global_bytes_read, those that bulk copies bring to shared memory, past the registers */
    uint64_t bulk_bytes_read;
    /* of global_bytes, those of another GPU's memory */
    uint64_t remote_bytes_read, remote_bytes_written;
} simt_counts;

typedef struct simt_line_counts { /* one source line of one kernel */
    char file[128];
    unsigned line;
    uint64_t warp_instructions, thread_instructions, branches, divergent_branches;
    uint64_t float_adds, float_add_issues, barriers;
    uint64_t shared_wavefronts, shared_ideal, global_sectors, global_ideal;
} simt_line_counts;

/* How many blocks of the launch under way have ended, and how many run. From any thread, as long as
   the device is open. */
void simt_progress(const simt_device *device, uint64_t *ended, uint64_t *blocks);

/* ---- what else a launch leaves: who waited for whom, and traces ------------------------------ */

typedef enum simt_block_state {
    SIMT_BLOCK_WAITING, /* to start: every place on the device is taken */
    SIMT_BLOCK_RUNNING,
    SIMT_BLOCK_SPINNING, /* only waits for memory to change */
    SIMT_BLOCK_DONE
} simt_block_state;

/* Blocks are numbered x + grid.x * (y + grid.y * z). */
/* of a deadlock: a block that cannot go on, and why; one for each block in flight. Behind these,
   one for each further mbarrier that warps of such a block wait at */
typedef struct simt_wait {
    simt_site at;      /* who waits, at which line */
    bool at_barrier;   /* for other warps at a block barrier; else for memory */
    bool shared;       /* the block's own shared memory */
    simt_addr address; /* what it reads again and again */
    size_t access_bytes;
    char variable[64]; /* global or shared variable, "" if unknown */
    int64_t index;     /* element of its variable or allocation, -1 unknown */
    /* of the kernel, from 1, which points to that allocation; 0: none, or a variable */
    unsigned parameter;
    char array[SIMT_ARRAY]; /* what the source calls it; "": unknown */
    uint64_t value;         /* what is there */
    /* Who would store there. Found by running the stopped launch on with room for more blocks; if
       all still wait, also by taking the spinning warps out of their loops */
    bool writer_known;
    uint64_t writer;               /* block */
    simt_block_state writer_state; /* when the deadlock was proved */
    simt_site writer_at;           /* the store that would do it */
} simt_wait;

/* time: warp instructions of all blocks so far (the places where lanes meet again count as well);
   0: the launch began. A block spins while each of its warps waits at a block barrier or is seen to
   come back to the same state, having changed no memory. */
typedef struct simt_block_event {
    uint64_t time, block;
    simt_block_state state;
} simt_block_event;

typedef enum simt_add_kind {
    /* a word of global memory that no traced launch has written, read for the first time */
    SIMT_ADD_INPUT,
    /* an addition of two traced values, floating or integer; adding an untraced one (a constant, an
       index) makes no node */
    SIMT_ADD_SUM,
    SIMT_ADD_OUTPUT /* a traced value stored to global memory */
} simt_add_kind;

typedef struct simt_add_event { /* in the order of execution */
    simt_add_kind kind;
    uint32_t id;          /* of the value; ids begin at 1 and go on over launches */
    uint32_t left, right; /* SUM: the values added; OUTPUT: left is what was stored */
    uint32_t depth;       /* additions on the longest chain from an input to it */
    simt_addr address;    /* INPUT, OUTPUT */
    uint64_t block;
    unsigned thread, line; /* thread in its block; source line */
    uint64_t time;         /* warp instructions of its block when it was made */
} simt_add_event;

/* distinct ones kept per launch; further ones only counted */
enum { SIMT_MAX_FINDINGS = 32, SIMT_MAX_WAITS = 64 };

typedef struct simt_report {
    simt_counts counts;
    unsigned gpu;      /* that it ran on */
    unsigned findings; /* entries of finding[] in use */
    simt_finding finding[SIMT_MAX_FINDINGS];
    uint64_t findings_dropped;
    uint64_t suppressed; /* findings that simt_suppress has kept out */
    /* of an excerpt: a block was stopped before its end, or the last two had hardly anything to do;
       what the launch has left is not what a whole one leaves */
    bool cut;
    bool stuck; /* and one that was stopped waited for what no other has published */
    /* by file and line; owned by the device, valid until its next call */
    const simt_line_counts *lines;
    unsigned line_count;
    /* what the kernel printed, NUL-terminated; owned by the device, likewise */
    const char *printed;
    size_t printed_bytes;
    /* how to repeat this: block order, warp interleaving, seed, residency, stores; the progress
       model */
    char schedule[160];
    /* of a deadlock, by block, lowest first; owned by the device, like the rest below */
    const simt_wait *waits;
    unsigned wait_count;
    uint64_t waits_dropped;
    const simt_block_event *blocks; /* SIMT_TRACE_BLOCKS, by time */
    size_t block_event_count;
    uint64_t blocks_end;        /* when the launch ended, by the same clock */
    const simt_add_event *adds; /* SIMT_TRACE_ADDS */
    size_t add_event_count;     /* 2^20 at most; depth and the two counts below are of all */
    uint64_t adds_dropped;
    /* SIMT_ADD_SUM events, dropped ones too: the work as the network has it */
    uint64_t add_sums;
} simt_report;

/* Runs a kernel to its end. report may be null. */
simt_status simt_launch(simt_device *device, const simt_launch_args *args, simt_report *report);

/* One of several launches that run together, on several GPUs or on one. */
typedef struct simt_group_launch {
    const simt_launch_args *args;
    unsigned resident_blocks; /* 0: the device's */
    simt_block_order block_order;
    /* It begins when that one has ended, and sees all that it has done, as on one stream: 1 + an
       index below its own; 0: it begins at once */
    unsigned after;
} simt_group_launch;

/* Runs up to SIMT_MAX_GROUP kernels to their ends, together: their blocks take turns on one host
   thread, in the order of simt_config.gpu_order. Between GPUs only what is of .sys scope makes an
   order, and stores come late without it. reports: one for each launch, or null; findings and
   counts are each launch's own, lines, waits and what was printed are those of all, in the first. A
   fault stops them all. No traces and no excerpts: SIMT_BAD_ARGUMENT. */
simt_status simt_launch_group(simt_device *device, const simt_group_launch *launches,
                              unsigned count, simt_report *reports);
/* May the kernel's blocks talk to others while it runs: by atomics, fences or volatile accesses? If
   not, nothing can wait for it but its end. */
bool simt_communicates(const simt_device *device, unsigned function);

/* What a launch, or a copy or a fill of the host's, has read and written of global memory: to find
   the races of those that nothing orders. Launches run one after the other; which of them a GPU may
   run at once, the caller knows. */
typedef struct simt_footprint simt_footprint;
/* From now on, where SIMT_CHECK_RACES is on, simt_launch keeps that of the launch. */
void simt_keep_footprints(simt_device *device);
/* That of the last launch, the caller's to free; null: there is none. */
simt_footprint *simt_take_footprint(simt_device *device);
/* Adds a range to f, or to a new one, of the call that is named, by the code `from` (0: it is not
   known); null: no memory. */
simt_footprint *simt_range_footprint(simt_footprint *f, const char *call, uint64_t from,
                                     simt_addr start, size_t bytes, bool write);
void simt_free_footprint(simt_footprint *f);
/* Of two that nothing orders: where they touch one place, and one of them writes it, that is a
   finding of the host's (simt_host_findings), and true. */
bool simt_compare_footprints(simt_device *device, simt_footprint *earlier, simt_footprint *later);

/* The code that makes the host's next calls, as in simt_launch_args.from: findings about them have
   it. 0: it is not known. */
void simt_called_from(simt_device *device, uint64_t from);

/* The host has changed the source of a copy to that address, and had not waited for the copy, which
   this call of the code `from` asked for: a finding of the host's. */
void simt_source_changed(simt_device *device, const char *call, simt_addr to, uint64_t from);

/* For SIMT_TRACE_ADDS, until a launch without it: these ranges hold the inputs as they are now.
   Everything else, what the host writes from now on too, is constant. */
simt_status simt_trace_inputs(simt_device *device, const simt_range *inputs, unsigned count);
typedef struct simt_made {
    /* additions of two values, each made of inputs, that some word depends on: all, and those of
       floats. 2 * x and x + y - y add nothing */
    uint64_t sums, float_sums;
    uint64_t words, of_inputs; /* all, and those that a kernel has made of inputs */
} simt_made;
/* What outputs are made of, since then. Of a word that depends on inputs only through branches,
   nothing is known: it counts as not made of them. */
simt_status simt_trace_made(simt_device *device, const simt_range *outputs, unsigned count,
                            simt_made *made);

/* Of the last launch, let B be the block that was the last to write the word at `by`, and A the one
   of that at `of`. Has B observed what A stored after A itself had observed a block's store? In a
   look-back: has B seen A's prefix? Not known where A never stored such a thing, or without
   SIMT_CHECK_RACES, or where blocks cannot communicate, or are more than 1024. */
typedef enum simt_observed {
    SIMT_OBSERVED_UNKNOWN,
    SIMT_OBSERVED,
    SIMT_NOT_OBSERVED
} simt_observed;
simt_observed simt_has_observed(simt_device *device, simt_addr by, simt_addr of);

/* What the host itself did wrong since the last call: values without a meaning that it copied
   (SIMT_UNINITIALIZED ...), SIMT_BAD_FREE, copies of freed memory (SIMT_USE_AFTER_FREE) or beyond
   an allocation (SIMT_OUT_OF_BOUNDS), or to an input (SIMT_INPUT_WRITTEN); what simt_leaks adds.
   Their sites have no kernel; other, of a copied value that a kernel had stored: where it came
   from. Owned by the device, valid until its next call. */
unsigned simt_host_findings(simt_device *device, const simt_finding **findings);

/* To be called when a program ends: adds a SIMT_LEAK to the host's findings for each allocation
   that is live, the first 16 one by one. How many are live; variables of modules are not
   counted. */
unsigned simt_leaks(simt_device *device);

/* Puts findings that have one cause together, and the most useful first; returns the number of
   groups, from 1 in simt_finding.group. One cause: the same kind in the same kernel, on the same
   variable, or, where none is known, with a statement in common (a missing barrier makes a pair of
   lines race in either order, and each with itself). Order of groups: threads that do not meet as
   they should (they may make all that follows); races; values without a meaning; what stopped a
   kernel (the last event, and often the consequence of those before); leaks; notes. Within these,
   in the order they were seen. */
unsigned simt_order_findings(simt_finding *table, unsigned count);

/* Rules by which findings are left out of reports: one a line, a kind (race, out-of-bounds,
   uninitialized-value ..., or *), then any of kernel=GLOB file=GLOB variable=GLOB message=GLOB
   line=12 or line=12-20, all of which must fit; # begins a comment. file and line may fit either
   place of a race. What stopped a kernel is never left out. name is for messages. Adds to the
   existing rules, all or none: SIMT_BAD_ARGUMENT with name:line:column and a caret in
   simt_error. */
simt_status simt_suppress(simt_device *device, const char *rules, size_t bytes, const char *name);

typedef struct simt_suppression {
    const char *name, *rule;
    unsigned line;
    uint64_t findings, occurrences; /* that it has kept out; 0: the rule was never used */
} simt_suppression;

/* All rules, in order; owned by the device, valid until its next call. */
unsigned simt_suppressions(simt_device *device, const simt_suppression **list);

/* Where the finding f goes in a table of room entries, count of them in use: the next free one; in
   a full table the place of a lighter one (a note yields to a race, both to what may stop a kernel,
   all to what has stopped it: fatal); room if it is to be dropped. */
unsigned simt_finding_place(const simt_finding *table, unsigned count, unsigned room,
                            const simt_finding *f);

/* ---- step by step ---------------------------------------------------------------------------- */

typedef enum simt_value_kind {
    SIMT_VALUE_BITS,
    SIMT_VALUE_UNSIGNED,
    SIMT_VALUE_SIGNED,
    SIMT_VALUE_FLOAT,
    SIMT_VALUE_PREDICATE
} simt_value_kind;

typedef struct simt_written { /* a register that an instruction has written */
    char name[32];            /* in the PTX */
    simt_value_kind kind;     /* as the instruction's type says */
    unsigned bytes;           /* 4 or 8; of a predicate 4 */
    /* by lane; of lanes that did not execute it what was there before, or another register's */
    uint64_t value[32];
} simt_written;

enum { SIMT_MAX_WRITTEN = 8 };

/* What an instruction has read or written of memory; copies that go on by themselves (cp.async) are
   left out. Wavefronts and sectors with SIMT_CHECK_COUNTERS only. */
typedef struct simt_access {
    simt_space space; /* SIMT_SPACE_NONE: nothing */
    bool write, atomic;
    unsigned bytes; /* of each lane */
    /* Of a generic access, lanes of the first one's space */
    uint32_t mask;
    uint64_t address[32]; /* by lane; in shared and local memory, and of parameters, an offset */
    unsigned wavefronts, wavefronts_ideal, sectors, sectors_ideal;
} simt_access;

typedef struct simt_step { /* one instruction that a warp has executed */
    uint64_t launch;       /* of the device, from 1 */
    char kernel[64];
    simt_dim block;
    uint64_t number; /* of the block */
    uint64_t time;   /* as in simt_block_event: after it */
    unsigned warp;
    /* lanes on this path; those among them whose guard lets them execute it */
    uint32_t active, mask;
    /* not executed yet: it waits here for lanes that come by other paths, and will be shown
       again */
    bool waits;
    bool stopped;            /* it stopped the kernel */
    bool meets;              /* it is a block barrier, or a .sync of other lanes */
    unsigned findings;       /* that the launch has so far, each at a pair of PTX lines */
    const char *file;        /* base name; "" if unknown */
    unsigned line, ptx_line; /* from 1; line 0: unknown */
    char text[200];          /* the PTX, cut to fit */
    simt_access access;
    unsigned written;
    simt_written value[SIMT_MAX_WRITTEN];
} simt_step;

typedef struct simt_step_select { /* which warps are shown; the others run at full speed */
    bool any_block, any_warp;
    simt_dim block;
    unsigned warp;
} simt_step_select;

/* step is valid during the call. The functions of the device that it may call are
   simt_source_path, simt_peek and simt_step_*. False: no more steps, of this launch or of later
   ones. */
typedef bool simt_step_fn(void *user, const simt_step *step);
/* From now on launches call fn for each instruction, on one host thread; fn null: no longer. */
simt_status simt_on_step(simt_device *device, const simt_step_select *select, simt_step_fn *fn,
                         void *user);

/* To be asked by a simt_step_fn, during its call, about the block of the step. Its shared memory:
   so many bytes of it, less if there is less; set: of each word, whether it was ever written, where
   SIMT_CHECK_UNSET knows it, else 1. Both may be null. Returns how many bytes there are. */
size_t simt_step_shared(const simt_device *device, void *to, uint8_t *set, size_t bytes);
typedef struct simt_step_warps { /* one bit a warp */
    uint32_t all, done, blocked; /* blocked: at a block barrier */
} simt_step_warps;
void simt_step_block(const simt_device *device, simt_step_warps *warps);
/* What the launch has counted so far. */
void simt_step_counts(const simt_device *device, simt_counts *counts);

/* At any time, and without a finding: memory as it is, without stores that come late. False: not
   inside one live allocation. */
bool simt_peek(const simt_device *device, void *to, simt_addr from, size_t bytes);
/* The n-th variable in shared memory of a kernel; false: it has no more. Dynamic shared memory has
   0 bytes here. */
bool simt_shared_variable(const simt_device *device, unsigned function, unsigned n, char *name,
                          size_t room, size_t *offset, size_t *bytes);

typedef struct simt_words {
    char message[320]; /* what happened, one sentence, with numbers */
    char advice[320];  /* what to do about it, one sentence; "" if there is nothing to do */
} simt_words;

/* A finding in words, which depend on nothing but its facts. place: what the caller calls the place
   of the access ("d_out[5]", say, where the engine knows an allocation only); null: as the engine
   knows it. */
void simt_finding_words(const simt_finding *f, const char *place, simt_words *words);

/* "d_sum", or "the array in parameter 2", in so much room at out, which it returns. */
const char *simt_array_words(const char *array, unsigned parameter, char *out, size_t room);

/* Names, for reports: "out of bounds", "race" ...; "block order reversed, warps shuffled, seed
   7" */
const char *simt_finding_name(simt_finding_kind kind);
bool simt_finding_is_note(simt_finding_kind kind); /* a remark, not a fault of the program */
void simt_counts_add(simt_counts *sum, const simt_counts *more);

#endif
