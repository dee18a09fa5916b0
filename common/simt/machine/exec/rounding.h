/*
 * rounding.h: the host's rounding mode (fenv.h). WebAssembly has but one: an instruction that asks
 * for another stops the engine there, which is better than a wrong result. No lab has such
 * instructions.
 */
#ifndef SIMT_ROUNDING_H
#define SIMT_ROUNDING_H

#include <fenv.h>

#ifdef __wasm__
enum { FE_TOWARDZERO = FE_TONEAREST + 1, FE_DOWNWARD, FE_UPWARD };

static inline int rounding_set(int mode)
{
    if (mode != FE_TONEAREST)
        __builtin_trap();
    return 0;
}
#define fesetround rounding_set
#endif

#endif
