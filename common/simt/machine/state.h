/*
 * state.h: the state of the machine: splits, frames, warps, blocks, and a launch of them.
 *
 * A warp is a tree of splits: a split is a set of lanes with one program counter. A divergent
 * branch turns the running split into a waiting parent with two children, which meet again at the
 * branch's immediate post-dominator, where decode has put a JOIN. Leaves run one at a time; a leaf
 * that waits (for other lanes at a .sync) lets its siblings run.
 */
#ifndef SIMT_STATE_H
#define SIMT_STATE_H

#include "code/code.h"
#include "host_threads.h"
#include "machine/memory.h"
#include "machine/late.h"
#include "watch/race/kept.h"

enum { MAX_SPLITS = 1024, SPLIT_WORDS = MAX_SPLITS / 64, MAX_CALL_DEPTH = 256 };

typedef struct simt_block simt_block;
typedef struct launch_part launch_part;
typedef struct worker worker;
typedef struct sums_device sums_device;
typedef struct global_shadow global_shadow;
typedef struct observed observed;
typedef struct suppression suppression;
typedef struct late_buffer late_buffer;
typedef struct stale_memory stale_memory;
typedef struct watcher watcher; /* watch/hooks.h */

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
    /* incoming parameters (in_stride bytes a lane; 0 for a kernel: one copy), own call area */
    uint8_t *in, *call;
    size_t in_stride, call_stride;
    size_t local_base;    /* of its .local variables in each thread's stack */
    uint32_t return_pc;   /* in the caller */
    int16_t caller_split; /* waits for this frame */
    const insn *call_insn;
    /* lanes that called; lanes that still have to (an indirect call to several functions) */
    uint32_t called, rest;
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

/* What every turn looks at comes first, in few cache lines. */
struct simt_warp {
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
    /* what was left when unset changed: warp_resume goes on with it, in another loop */
    int64_t reserved_fuel;
    const insn *barrier_insn;
    /* waits at this one, while it is among the block's blocked warps; so barrier_insn */
    unsigned barrier;
    unsigned index;       /* in the block */
    int current;          /* index of the running split, -1: none */
    unsigned split_count; /* splits that are not free */
    uint32_t live;        /* lanes that have not exited */
    /* watch/race: the warp's clock; what it was when its lanes last met */
    uint32_t sync_time, met_time;
    bool root; /* the running split meets no other: it has no parent */
    bool done;
    bool unset;      /* watch/unset: some register holds a value without a meaning */
    bool has_parted; /* its lanes may come to a block barrier one part after the other */
    /* since when it has seen no change of memory, in instructions; when to look closer */
    uint64_t quiet_version, quiet, patience;
    /* where it spun when some of its lanes were let go on alone; null: not, or known to have
       helped */
    const insn *parted;
    /* stuck.c, SIMT_TRACE_BLOCKS: whether it is seen to repeat itself; else null */
    struct spin *spin;
    struct polls *polls; /* exec/polls.c; null until the first strong load that is counted */
    /* race/global.c: lanes whose last strong load found what another block has stored; whose last
       strong load or atomic found what another warp has stored, in this launch; and of these, what
       a warp of another block has */
    uint32_t observed, stored_by_others, stored_by_blocks;
    /* how often it has published something to its block: barriers, stores, arrivals */
    uint64_t publishes;
    uint64_t retired; /* instructions of the slices that have ended */
    uint64_t polled;  /* as in poll_counts, its own */
    uint64_t joins;   /* of retired: places where lanes meet, which are no instructions */
    frame *frames;
    /* words of the sets below that have been in use: one, but for deep recursion */
    int split_words;
    /* lanes ahead at the JOIN of index skip_to, in execute() alone: warp_skip */
    uint32_t skipped;
    uint32_t skip_to;
    uint32_t carry;               /* condition code of add.cc, by lane */
    uint64_t parted_version;      /* of memory when it parted */
    const insn *poll;             /* the access it repeats */
    struct unset_warp *following; /* values without a meaning; null until the first */
    uint8_t *first_regs;          /* frame 0's registers, kept between blocks */
    knowledge knows;
    stale_view view; /* stale.c */
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
    /* where all who have come wait, each in one piece, at one __syncthreads(); null: not so */
    const insn *plain;
    const insn *first; /* what came first, by which warp, for how many threads */
    unsigned first_warp, count;
} barrier;

struct simt_block {
    simt_dim id;
    uint64_t number;        /* x + grid.x * (y + grid.y * z) */
    uint64_t order;         /* position in the launch's block order */
    launch_part *part;      /* whose block it is */
    simt_block_state state; /* as the timeline has it */
    unsigned threads, warps;
    unsigned running; /* warps not done */
    /* one bit a warp: of the block, ended, waiting at a barrier */
    uint32_t all_warps, done, blocked;
    /* proved to repeat the same state for ever while memory stays at stuck_version */
    uint32_t stuck;
    uint64_t stuck_version; /* memory_version() then */
    barrier barriers[MAX_BARRIERS];
    uint8_t *shared;
    /* before and after it there is room for a warp's 32 words of which some lane has one inside */
    size_t shared_bytes, shared_capacity;
    /* places in shared memory, from 0 on and a word apart, where 32 words may begin that are one
       access of a run (exec/lines.c); 0: none, as copies are under way */
    uint32_t line_places;
    uint64_t version; /* of its shared memory: as worker.version */
    uint8_t *local;   /* threads x LOCAL_STACK bytes, mapped on demand */
    race_shadow race;
    /* watch/unset: a byte a word of shared and of local memory; null: not kept */
    uint8_t *marks, *local_marks;
    struct unset_block *unset;
    struct sums_block *sums; /* null: additions are not traced */
    async_state *async;      /* exec/async.c; null until the first use */
    /* by warp: what it had fenced at the last barrier, for its GPU and for all */
    vclock_times fenced, fenced_system;
    late_buffer *late; /* stores that other blocks do not see yet; null: none are late */
    /* stale.c: when a fence for the device, and one for all, last updated the block; what the block
       knows, and not yet the device */
    uint64_t updated_device, updated_system;
    uint32_t known_versions;
    simt_warp *warp[MAX_WARPS];
    worker *worker;
    uint64_t rng;    /* warp interleaving */
    uint64_t spent;  /* warp instructions so far */
    uint64_t polled; /* of them, those of polls: exec/polls.c */
    unsigned turn;
    /* stuck.c: to prove that the block as a whole spins; when to look for that, in worker.spent,
       and how long to wait then */
    struct block_look *look;
    uint64_t look_at, look_wait;
    uint32_t chain;    /* race/global.c: of blocks that each have observed the one before */
    bool active, took; /* took: has executed an atomic in global memory */
};

typedef struct insn_counts {
    uint64_t warps, lanes, divergent, barriers;
    union {
        struct { /* of memory */
            uint64_t wavefronts, wavefronts_ideal, sectors, sectors_ideal;
            /* of a generic access by where each lane's address lies: executions that touched
               global, and shared memory; bytes */
            uint64_t in_global, in_shared, global_bytes, shared_bytes, local_bytes;
            uint64_t unset; /* lanes that read local memory which they have not written */
            /* lanes whose atomic changes nothing, whatever is there; the bytes that it leaves as
               they are in global memory */
            uint64_t reads, bytes_left;
        };
        struct { /* of a select that counts for an addition (code.picks) */
            /* lanes that took source a; executions in which none took a, none took b. Of an
               addition that looks itself: lanes that add; executions in which none did */
            uint64_t took_a, none_a, none_b;
        };
    };
    /* accesses of a full warp to consecutive words of shared memory; not among the above until the
       launch has ended. Modulo 2^64: each execution of one with OPF_LINES in a whole run is
       one without being here, unless taken back */
    uint64_t lines;
} insn_counts;

/* Runs that were begun at an instruction: by whole warps (insn.whole_run); by parts of warps
   (insn.run), and how many lanes those had. All instructions of the run have been executed as
   often, besides what insn_counts says of executions one by one. */
typedef struct run_counts {
    uint64_t whole, parts, lanes;
} run_counts;

/* What looking again at what had not changed took: exec/polls.h. */
typedef struct poll_counts {
    uint64_t instructions, bytes_read, bytes_written, sectors, ideal, atomics;
    uint64_t stalls; /* simt_counts.stalls */
} poll_counts;

/* What is counted of each of several launches that run together: the worker has that of the one
   whose turn it is. */
typedef struct tally {
    insn_counts *counts;
    run_counts *runs;
    uint64_t barriers, mbarrier_meetings, blocks, warps, threads;
    poll_counts polls;
    uint64_t scratch_read, scratch_written, scratch_sectors, looked_read, looked_sectors;
    uint64_t remote_read, remote_written;
    uint64_t busiest, longest, busiest_warps, warps_spent;
    uint32_t longest_chain;
} tally;

/* One of the launches that run together; nearly always there is but one. */
struct launch_part {
    const code *kernel;
    const simt_launch_args *args;
    unsigned gpu;     /* that of the kernel's module */
    unsigned threads; /* of a block */
    size_t shared_bytes;
    uint8_t *params;
    simt_block_order block_order;
    unsigned resident_blocks;
    /* in the launch's order: its blocks, and the next to start */
    uint64_t first, last, next;
    unsigned first_slot, slots; /* places for its blocks in flight */
    uint64_t ended;             /* of its blocks */
    struct launch_part *after;  /* begins when that one has ended; null: at once */
    bool is_awaited;            /* by such a one */
    const struct vclock *knows; /* race/flags.c: what it leaves, where it is awaited */
    uint64_t spent;             /* warp instructions */
    tally tally;                /* while it is another one's turn */
};

typedef struct launch {
    simt_device *device;
    launch_part *part;
    unsigned parts;
    bool many; /* parts on several GPUs */
    simt_config config;
    uint64_t blocks; /* of all parts */
    /* by position: the block's number in its part; null: as numbered */
    uint64_t *order;
    uint64_t seed;
    const watcher *const *watchers; /* ends with null: watch/hooks.h */
    bool alone;                     /* a watcher needs one host thread, and every instruction */
    /* reports blocks that can never go on: b or, where b is null, all in flight. False: the host
       has written what one waits for, so they go on */
    bool (*deadlock)(worker *k, simt_block *b);
    /* stores to global memory become visible late, and loads find old values: late.c, stale.c */
    bool late;
    bool each;               /* late, or an excerpt: no access to global memory takes a fast path */
    unsigned slots;          /* places for blocks in flight */
    struct excerpt *excerpt; /* machine/excerpt.c; null: all blocks run */
    bool cut, stuck;         /* as in simt_report */
    /* several blocks in flight on one host thread, since they may wait for each other */
    bool resident;
    /* earliest position in the order at which a block was stopped */
    _Atomic uint64_t fatal_order;
    _Atomic uint64_t spent;      /* warp instructions of all workers */
    _Atomic unsigned next_share; /* the next worker that a host thread is to run */
} launch;

/* One share of a launch's blocks, which one host thread runs. */
struct worker {
    _Alignas(128) launch *launch; /* no two workers in one cache line, nor in neighbours */
    simt_device *device;
    unsigned index;
    uint64_t first, last; /* its share of the order */
    /* by counter_base + pc, the host thread's; null: counters are off */
    insn_counts *counts;
    run_counts *runs; /* likewise; there with counts, and only then */
    size_t counted;   /* elements of both */
    uint64_t barriers, mbarrier_meetings, blocks, warps, threads;
    poll_counts polls;
    /* of accesses to global memory, those that are not to data (simt_mark_data) */
    uint64_t scratch_read, scratch_written, scratch_sectors, looked_read, looked_sectors;
    /* of accesses to global memory, those to another GPU's */
    uint64_t remote_read, remote_written;

    /* ---- machine/found.c ---- */
    simt_finding *findings;
    uint32_t *finding_key; /* pc and other pc of each, for counting repeats */
    unsigned finding_count;
    /* what found_add found last, new or not; it may lie past a full table */
    simt_finding *last_finding;
    uint64_t dropped;
    char *printed;
    size_t printed_bytes, printed_capacity;

    /* ---- machine/launch.c ---- */
    simt_block *slots; /* the host thread's */
    unsigned slot_count;
    /* of memory other than shared memory: grows with every store, and every atomic that changes
       something; exact: stores of what is there already are left out */
    uint64_t version;
    bool exact;
    bool host_was_asked;        /* to write what a block waits for */
    uint64_t hosts_words;       /* with which one was stuck last: findings/deadlock.c */
    uint64_t spent, unreported; /* warp instructions; those not yet added to launch.spent */
    uint64_t busiest;           /* those of the block that had most */
    uint64_t longest;           /* the same without polls */
    uint64_t busiest_warps, warps_spent; /* as in simt_counts */
    /* of launch.config.stall: the block that begins now, or is stalled, by its place in the order;
       and spent when that ends */
    enum { STALL_NOTHING, STALL_APPROACH, STALL_ONE } stall;
    uint64_t stall_block, stall_until;
    bool fatal, out_of_memory;
    stale_memory *stale;            /* stale.c; null: no load finds old values */
    bool sees_newest;               /* no load does now: stuck.c */
    const watcher *const *watchers; /* the launch's; others while aside is set */
    const struct race_ways *race;   /* null: races are off */
    unsigned async_noted;           /* exec/async.c: notes given */
    bool newer_noted;               /* block.c: likewise */
    /* of the last load, of the last store: they often take turns */
    const allocation *last_allocation[2];

    /* ---- watch/: each watcher's own ---- */
    uint8_t *marks;        /* watch/unset: those of global memory, null: the check is off */
    global_shadow *shadow; /* race/global.c; null: races are off */
    uint64_t epoch;        /* of its stamps: those below are of earlier launches */
    bool proxy_fences;     /* some fence.proxy.async for global memory has been done */
    vclock_arena clocks;
    struct flag *flags; /* by hash of their place */
    size_t flag_room, flag_count;
    /* of each of the first RACE_HANDED blocks, 1 + the time of its last barrier before it last set
       a flag with no fence; null: none has */
    uint32_t *handed;
    uint32_t longest_chain; /* of its blocks' */
    /* race/global.c: 1 + that of a store by a thread that had read the word, and to which another
       block had stored as well, in no order; 0: none */
    uint32_t shared_update;
    /* race/global.c: 1 + that of a store to a flag that had this value before the launch, and that
       another block has read since; 0: none */
    uint32_t stale_flag;

    const launch_part *turn; /* whose turn it is, of several */
    /* deadlock.c: the launch is over and runs on only to see who would write; nothing is
       reported */
    struct aside *aside;
    simt_wait *waits; /* of a deadlock, SIMT_MAX_WAITS of them, or null */
    unsigned wait_count;
    uint64_t waits_dropped;
};

struct simt_device {
    simt_config config;
    simt_host_writes *host_writes; /* null: nobody of the host's does */
    bool places_set;               /* config.resident_blocks is the caller's */
    char error[2048];
    char advice[320];             /* about it; "" */
    unsigned gpus;                /* at least 1 */
    uint8_t peers[SIMT_MAX_GPUS]; /* of each GPU: whose memory it may access besides its own */
    memory memory;
    module **modules;
    unsigned module_count;
    code **functions; /* by handle */
    unsigned function_count;
    size_t counter_count;
    uint64_t launches;
    _Atomic uint64_t blocks, blocks_ended; /* of the launch under way: simt_progress */
    /* %globaltimer when a launch begins: all before it, one for each warp instruction of its
       longest share */
    uint64_t nanoseconds;
    /* of cooperative launches, one for each of those that run together; 0: there was none yet */
    simt_addr grid_workspace[SIMT_MAX_GROUP];
    worker *workers;
    unsigned worker_count;
    /* a host thread's counters, of an earlier launch, zeros again; null: there are none */
    insn_counts *spare_counts;
    run_counts *spare_runs;
    size_t spare_room; /* elements of both */

    /* ---- machine/found.c: what the host itself did wrong ---- */
    simt_finding *host_findings; /* SIMT_MAX_FINDINGS of them; null until the first */
    /* reported: how many the caller has been given; the next finding replaces those */
    unsigned host_finding_count, host_finding_reported;
    uint64_t called_from; /* simt_called_from */

    /* ---- watch/: each watcher's own; null until it is first on ---- */
    struct unset_device *unset;
    sums_device *sums;
    global_shadow *shadows; /* races: by worker, kept between launches */
    unsigned shadow_count;
    uint64_t race_epoch;
    observed *observed; /* race/observed.c; null: nothing was kept yet */
    bool keeps_footprints;
    struct simt_footprint *footprint; /* of the last launch, until it is taken */
    simt_block_event *events;         /* the timeline */
    size_t event_count, event_room;
    simt_step_select step_select;
    simt_step_fn *step; /* null: no steps are shown */
    void *step_user;
    const simt_warp *stepping; /* while it is called */

    /* ---- watch/counters.c and findings/: the last launch's report, and the caller's rules ---- */
    simt_line_counts *lines;
    unsigned line_count;
    char *printed;
    simt_wait *waits;
    suppression *suppressions;
    simt_suppression *suppressions_reported;
    unsigned suppression_count;
};

/* warp instructions of a block between two looks at the launch's budget */
enum { BLOCK_REPORTS = 4096 };
/* bytes of local memory a thread may use; where memory is not taken page by page, less of it */
enum { LOCAL_STACK = UINTPTR_MAX > UINT32_MAX ? 64 * 1024 : 4 * 1024 };

/* The generic address of a thread's local memory says whose it is, so that another thread that
   comes by it is seen: its block's number mod 32, 1 + its number in the block, and 24 bits of
   offset. A GPU's does not: there it reads its own. */
static inline uint64_t local_generic(const simt_warp *w, unsigned lane, uint64_t offset)
{
    const uint64_t block = w->block->number % 32, thread = 1 + w->index * LANES + lane;
    return LOCAL_WINDOW + (block << 35 | thread << 24) + offset;
}
/* In the thread's own; LOCAL_STACK or more: somewhere else. */
static inline uint64_t local_offset(const simt_warp *w, unsigned lane, uint64_t generic)
{
    return generic - local_generic(w, lane, 0);
}
enum { LOCAL_THREAD = 1 << 24 }; /* generic addresses of a thread */
static inline uint64_t local_offset_in_any(uint64_t generic) { return generic % LOCAL_THREAD; }
static inline bool local_is_others(const simt_warp *w, unsigned lane, uint64_t generic)
{
    return local_offset(w, lane, generic) >= LOCAL_STACK &&
           local_offset_in_any(generic) < LOCAL_STACK;
}

/* Of all that the block's warps can read. */
static inline uint64_t memory_version(const simt_block *b)
{
    return b->worker->version + b->version;
}

/* ---- in expressions of a warp w -------------------------------------------------------------- */

#define REG(offset) (w->regs + (offset))

/* Each split of one of the warp's sets, by number; the set may change meanwhile. */
#define FOR_SPLITS(k, w, set)                                                                      \
    for (int k##_word = 0; k##_word < (w)->split_words; k##_word++)                                \
        for (uint64_t k##_rest = (w)->set[k##_word], k = 0;                                        \
             k##_rest &&                                                                           \
             (k = 64u * (unsigned)k##_word + (unsigned)__builtin_ctzll(k##_rest), true);           \
             k##_rest &= k##_rest - 1)

#endif
