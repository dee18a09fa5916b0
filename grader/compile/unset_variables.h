/*
 * unset_variables.h: keeps variables that kernels never set visible to the engine.
 *
 * To clang's optimiser a variable that was never set is whatever suits best: a branch on it goes,
 * a sum that begins with it is NaN, a pointer is the one that is set elsewhere. So the device pass
 * stops before the optimiser, with -ftrivial-auto-var-init=pattern, which marks the place where
 * each variable without an initial value begins; here the pattern becomes an empty asm that gives
 * a value nobody knows; then clang goes on. In the PTX it is a register that is never written, of
 * which a pragma says the variable (common/simt/ptx/ptx.h). Where every path sets the variable the
 * asm is unused, and gone. Arrays are left out: they lie in local memory, of which the engine knows
 * what was written.
 */
#ifndef UNSET_VARIABLES_H
#define UNSET_VARIABLES_H

/* ir: LLVM's text of the device code. source: what is in the student's file; file: its name in ir.
   The new text, the caller's to free; null: no memory. */
char *unset_variables_keep(const char *ir, const char *source, const char *file);

#endif
