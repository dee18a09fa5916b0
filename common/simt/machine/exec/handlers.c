/*
 * handlers.c: the handlers by kind, and those of plain arithmetic and comparisons by row.
 * Interface: exec_plain (machine.h), going_on and going_no_further (handlers.h).
 */
#include "machine/exec/handlers.h"

static exec_fn *const by_kind[KIND_COUNT] = {
#define KIND(name)                                      [KIND_##name] = x_##name,
#define OP(id, kind, pattern, shape, form, unset, sums) [KIND_##kind] = x_##kind,
#define ALSO(id, kind, pattern, shape, form, unset, sums)
#include "code/ops.def"
};

static const struct {
    exec_fn *exec;
    run_fn *go;
} by_row[] = {
#define ALU1(id, pattern, D, A, expr, unset, sums)       [ROW_##id] = { x_##id, r_##id },
#define ALU2(id, pattern, D, A, B, expr, unset, sums)    [ROW_##id] = { x_##id, r_##id },
#define ALU3(id, pattern, D, A, B, C, expr, unset, sums) [ROW_##id] = { x_##id, r_##id },
#define CMP(id, pattern, T, expr, unset)                 [ROW_##id] = { x_##id, r_##id },
#include "code/ops.def"
};

exec_fn *exec_own(const insn *i) { return i->flags & OPF_ZEROS ? x_zeros : exec_plain(i); }

exec_fn *exec_plain(const insn *i)
{
    return by_kind[i->kind] ? by_kind[i->kind] : by_row[i->row].exec;
}

run_fn *going_no_further(const insn *i)
{
    switch (i->kind) {
    case KIND_bra: return r_bra_last;
    case KIND_bra_uniform: return r_bra_uniform;
    case KIND_bar_sync: return r_bar_sync;
    default: return r_one;
    }
}

run_fn *going_on(const code *c, const insn *i)
{
    switch (i->kind) {
    case KIND_alu:
    case KIND_compare: return by_row[i->row].go;
    case KIND_mov_u32: return r_mov_u32;
    case KIND_mov_u64: return r_mov_u64;
    case KIND_shl_wide_s32: return r_shl_wide_s32;
    case KIND_shl_wide_u32: return r_shl_wide_u32;
    case KIND_selp_u32: return r_selp_u32;
    case KIND_selp_u64: return r_selp_u64;
    case KIND_picks_u32: return r_picks_u32;
    case KIND_picks_u64: return r_picks_u64;
    case KIND_adds_f32: return r_adds_f32;
    case KIND_join: return r_join;
    case KIND_bra: return r_bra;
    case KIND_mov_special: return i->imm <= SR_TID_Z && !(i->wide & 2) ? r_mov_tid : r_mov_special;
    default: break;
    }
    run_fn *memory = insn_form(i) == FORM_memory ? memory_going_on(c, i) : NULL;
    return memory ? memory : r_one;
}
