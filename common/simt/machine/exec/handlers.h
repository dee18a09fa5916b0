/*
 * handlers.h: what executes instructions. x_<kind> and, of the rows of plain arithmetic and of
 * comparisons, x_<id> are execs (code.h); r_... are goes. Who may see them: machine/exec itself and
 * bind.c, which gives each instruction its own.
 */
#ifndef SIMT_HANDLERS_H
#define SIMT_HANDLERS_H

#include "machine/machine.h"

/* of an instruction that code.zeros is about; r_zeros goes on with its zero_mark.go */
extern exec_fn x_zeros;
extern run_fn r_zeros;

#define KIND(name)                                      extern exec_fn x_##name;
#define OP(id, kind, pattern, shape, form, unset, sums) extern exec_fn x_##kind;
#define ALSO(id, kind, pattern, shape, form, unset, sums)
#define BOTH(id)                                                                                   \
    extern exec_fn x_##id;                                                                         \
    extern run_fn r_##id;
#define ALU1(id, pattern, D, A, expr, unset, sums)       BOTH(id)
#define ALU2(id, pattern, D, A, B, expr, unset, sums)    BOTH(id)
#define ALU3(id, pattern, D, A, B, C, expr, unset, sums) BOTH(id)
#define CMP(id, pattern, T, expr, unset)                 BOTH(id)
#include "code/ops.def"
#undef BOTH

/* r_one: exec, and back to who began the run; of what stands at a run's end, r_bra_last,
   r_bra_uniform and r_bar_sync; the others go on */
run_fn r_one, r_bra_last, r_bra_uniform, r_bar_sync, r_bra, r_join, r_mov_u32, r_mov_u64,
    r_mov_special, r_mov_tid, r_shl_wide_s32, r_shl_wide_u32, r_selp_u32, r_selp_u64, r_picks_u32,
    r_picks_u64, r_adds_f32;

/* handlers.c: the go of i, for which code_goes_on, as c is bound; of another one */
run_fn *going_on(const code *c, const insn *i);
run_fn *going_no_further(const insn *i);

/* alu.c: what executes i and one or two after it in one go; its own go where they are no address
   computation */
run_fn *alu_together(const insn *i);

/* mem.c: what executes this load or store of c and goes on, as c is bound; null: none */
run_fn *memory_going_on(const code *c, const insn *i);
/* any load, store or atomic, of lanes anywhere */
void memory_by_space(simt_warp *w, const insn *i, uint32_t mask, bool atomic);

/* lines.c: the same as memory_going_on, of one word a lane, side by side */
run_fn *line_going_on(const code *c, const insn *i);
/* Is it one that counts by insn_counts.lines alone? */
bool line_is_counted(run_fn *go);

#endif
