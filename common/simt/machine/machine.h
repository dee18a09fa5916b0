/*
 * machine.h: what the machine's files offer each other and those above, by file.
 */
#ifndef SIMT_MACHINE_H
#define SIMT_MACHINE_H

#include "machine/state.h"

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
