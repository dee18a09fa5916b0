/*
 * machine.h: what the machine's files offer each other and those above, by file.
 */
#ifndef SIMT_MACHINE_H
#define SIMT_MACHINE_H

#include "machine/state.h"

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
/* some lanes of the running split, for which it is too early, go on by themselves */
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

/* warp.c, exec/system.c: runs. A run is begun (once: 1) or, where the rest of it is not to be
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

/* Lanes that skip a run wait at the JOIN after it without a split of their own, while the others,
   now the active ones, execute it: an `if` costs little more than its instructions. A split is made
   of it only if the run does not come to its end (warp_skip_ends). False: it cannot be done so. */
bool warp_skip(simt_warp *w, const insn *i, uint32_t taken);
void warp_skip_ends(simt_warp *w);
/* The others have come to the JOIN, by i, the last of their run, and pc stands there: all go on. */
const insn *warp_skip_meets(simt_warp *w, const insn *i);

/* What the go of a run's last instruction returns where its warp, with all lanes and in one piece,
   waits at a block barrier. */
#define RUN_AT_BARRIER ((const insn *)UINTPTR_MAX)

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
/* After so many instructions without a change in memory it looks closer: soon where a block is
   stalled until nobody else can go on. */
static inline uint64_t stuck_patience(const simt_warp *w)
{
    return w->worker->stall == STALL_ONE ? w->patience / 32 : w->patience;
}
/* A block that has used b->look_at: looks, after w's turn, whether all its warps spin together; may
   set its stuck bits. met: a barrier has been passed in that turn. */
void stuck_block_look(simt_block *b, const simt_warp *w, bool met);
void stuck_block_start(simt_block *b);
void stuck_block_free(simt_block *b);
/* Nothing in b can move: lets lanes of its stuck warps that wait for the spinning ones to join them
   go on alone; false: there are none. */
bool stuck_part(simt_block *b);
/* Runs a warp that is proved stuck once through its loop; visit sees each instruction and its lanes
   first, and ends the pass with false. */
typedef bool stuck_visit(void *user, simt_warp *w, const insn *i, uint32_t mask);
void stuck_round(simt_warp *w, stuck_visit *visit, void *user);
/* SIMT_TRACE_BLOCKS: its state was last seen to repeat without its changing memory */
bool stuck_spins(const simt_warp *w);
bool stuck_trace_start(simt_warp *w); /* begins to look for that; false: no memory */
void stuck_trace_free(simt_warp *w);

/* limits.c */
unsigned device_multiprocessors(const simt_device *d);
/* Of a thread: estimated; at most so many that a block of the kernel's __launch_bounds__ fits. */
unsigned device_registers(const code *c);

/* launch.c */
/* Of a position in the order: the launch that the block there is of, its number, its blockIdx. */
launch_part *launch_part_at(const launch *l, uint64_t position);
uint64_t launch_number_at(const launch *l, uint64_t position);
simt_dim launch_block_at(const launch *l, uint64_t position);
/* Has the one that it comes after ended? */
bool part_may_begin(const launch_part *p);
/* The worker goes on with that part's blocks, and counts for it. */
void launch_turn_of(worker *k, const launch_part *p);
/* Cycles, or nanoseconds, that so many warp instructions take. */
uint64_t launch_time(const launch *l, uint64_t instructions);

/* block.c */
void *block_lines(size_t bytes); /* cache lines of their own; null: no memory. free() them */
bool block_start(simt_block *b, worker *k, uint64_t position);
/* one warp's turn; false: the block has ended, was stopped, or cannot get further by itself */
bool block_turn(simt_block *b, int64_t turn);
/* k: what its watchers keep of the blocks goes as well */
void blocks_free(worker *k, simt_block *slots, unsigned count);

/* excerpt.c: simt_config.excerpt. open makes the order of the blocks that run, and their number;
   false: no memory */
struct memory_access;
bool excerpt_open(launch *l);
void excerpt_close(launch *l);
/* the block of that position in the order is next; false: it is left out */
bool excerpt_block_begin(launch *l, uint64_t position);
/* b has ended, or goes no further */
void excerpt_block_end(simt_block *b);
/* has it executed all that it may? False in a whole launch */
bool excerpt_is_over(const simt_block *b, uint64_t spent);
/* before an access of global memory, whose addresses are good; data: what a store's lanes store,
   side by side; null: it is none */
void excerpt_look(simt_warp *w, const struct memory_access *a, const uint64_t *address,
                  const uint8_t *data);
/* b waits; false: there is nothing to let it go on with */
bool excerpt_release(simt_block *b);

/* exec/: handlers (exec/handlers.h) and helpers */
/* Where the next .local bytes of a thread would lie: after the frame's variables and what alloca
   has given this lane, or the most that it has given any. */
size_t frame_local_end(const frame *f, unsigned lane);
size_t frame_local_top(const frame *f);
/* exec/handlers.c: the handler that does what the table says of i, whatever bind.c has chosen */
exec_fn *exec_plain(const insn *i);
/* the same, and keeps what code.zeros says of i */
exec_fn *exec_own(const insn *i);

/* Runs l, whose watchers are set, to its end; what was seen stays with the workers until
   launch_free_workers. False: the host has no memory. */
bool launch_run(simt_device *device, launch *l);
void launch_free_workers(simt_device *device);
/* what it keeps from launch to launch */
void launch_close(simt_device *device);

/* exec/async.c: copies under way */
void async_block_start(simt_block *b);
void async_block_end(simt_block *b); /* b->async is not null */
void async_free(simt_block *b);
/* one copy gets further; false: none is under way */
bool async_step(simt_block *b, uint64_t random);
bool async_under_way(const simt_block *b);
/* b->async is not null */
void async_access(simt_warp *w, const insn *i, uint32_t mask, const uint32_t *offset,
                  unsigned bytes, bool write);
/* exec/mbarrier.c: the mbarrier that a wait there is for */
simt_mbarrier_facts async_describe(const simt_block *b, uint32_t offset);

/* exec/bar.c */
/* a finding, and the kernel's end: of the warp's live lanes only those of mask come to i */
void barrier_divergence(simt_warp *w, const insn *i, uint32_t mask);
/* releases barriers that are complete; call when a warp has exited */
void barrier_check(simt_block *b);

/* exec/warp.c */
/* every split of w waits: lets one go on, or reports and returns false */
bool sync_resolve(simt_warp *w);
/* f->other: where those lanes are */
void sync_name_absent(simt_warp *w, simt_finding *f, uint32_t absent);

/* exec/mem.c: of FORM_memory and FORM_atomic: by lane, LANES of them; in shared memory offsets */
void memory_addresses(const simt_warp *w, const insn *i, uint64_t *address);

/* exec/system.c */
/* null if not addressable */
void *lane_host(simt_warp *w, unsigned lane, uint64_t generic, size_t bytes);

#endif
