/*
 * device_atomics.h: atomicAdd and its kin, one atom instruction each, at device, block and system
 * scope.
 *
 * Every one returns the old value and orders nothing (relaxed), as in CUDA; types: CUDA C++
 * Programming Guide, "Atomic Functions".
 */
#ifndef SCANLAB_DEVICE_ATOMICS_H
#define SCANLAB_DEVICE_ATOMICS_H

#include "host_defines.h"

#define SCANLAB_ATOMIC_AT(name, scope, op, type, ptx, reg)                                         \
    static inline SCANLAB_DEVICE type name(type *at, type value)                                   \
    {                                                                                              \
        type old;                                                                                  \
        asm volatile("atom" scope "." op "." ptx " %0, [%1], %2;"                                  \
                     : "=" reg(old)                                                                \
                     : "l"(at), reg(value)                                                         \
                     : "memory");                                                                  \
        return old;                                                                                \
    }
#define SCANLAB_ATOMIC(name, op, type, ptx, reg)                                                   \
    SCANLAB_ATOMIC_AT(name, "", op, type, ptx, reg)                                                \
    SCANLAB_ATOMIC_AT(name##_block, ".cta", op, type, ptx, reg)                                    \
    SCANLAB_ATOMIC_AT(name##_system, ".sys", op, type, ptx, reg)

SCANLAB_ATOMIC(atomicAdd, "add", int, "s32", "r")
SCANLAB_ATOMIC(atomicAdd, "add", unsigned, "u32", "r")
SCANLAB_ATOMIC(atomicAdd, "add", unsigned long long, "u64", "l")
SCANLAB_ATOMIC(atomicAdd, "add", float, "f32", "f")
SCANLAB_ATOMIC(atomicAdd, "add", double, "f64", "d")
SCANLAB_ATOMIC(atomicExch, "exch", int, "b32", "r")
SCANLAB_ATOMIC(atomicExch, "exch", unsigned, "b32", "r")
SCANLAB_ATOMIC(atomicExch, "exch", unsigned long long, "b64", "l")
SCANLAB_ATOMIC(atomicExch, "exch", float, "b32", "f")
SCANLAB_ATOMIC(atomicMin, "min", int, "s32", "r")
SCANLAB_ATOMIC(atomicMin, "min", unsigned, "u32", "r")
SCANLAB_ATOMIC(atomicMin, "min", long long, "s64", "l")
SCANLAB_ATOMIC(atomicMin, "min", unsigned long long, "u64", "l")
SCANLAB_ATOMIC(atomicMax, "max", int, "s32", "r")
SCANLAB_ATOMIC(atomicMax, "max", unsigned, "u32", "r")
SCANLAB_ATOMIC(atomicMax, "max", long long, "s64", "l")
SCANLAB_ATOMIC(atomicMax, "max", unsigned long long, "u64", "l")
SCANLAB_ATOMIC(atomicInc, "inc", unsigned, "u32", "r")
SCANLAB_ATOMIC(atomicDec, "dec", unsigned, "u32", "r")
SCANLAB_ATOMIC(atomicAnd, "and", int, "b32", "r")
SCANLAB_ATOMIC(atomicAnd, "and", unsigned, "b32", "r")
SCANLAB_ATOMIC(atomicAnd, "and", unsigned long long, "b64", "l")
SCANLAB_ATOMIC(atomicOr, "or", int, "b32", "r")
SCANLAB_ATOMIC(atomicOr, "or", unsigned, "b32", "r")
SCANLAB_ATOMIC(atomicOr, "or", unsigned long long, "b64", "l")
SCANLAB_ATOMIC(atomicXor, "xor", int, "b32", "r")
SCANLAB_ATOMIC(atomicXor, "xor", unsigned, "b32", "r")
SCANLAB_ATOMIC(atomicXor, "xor", unsigned long long, "b64", "l")
#undef SCANLAB_ATOMIC
#undef SCANLAB_ATOMIC_AT

#define SCANLAB_SUB(name, add, type)                                                               \
    static inline SCANLAB_DEVICE type name(type *at, type value)                                   \
    {                                                                                              \
        return add(at, (type)(0u - (unsigned)value));                                              \
    }
SCANLAB_SUB(atomicSub, atomicAdd, int)
SCANLAB_SUB(atomicSub, atomicAdd, unsigned)
SCANLAB_SUB(atomicSub_block, atomicAdd_block, int)
SCANLAB_SUB(atomicSub_block, atomicAdd_block, unsigned)
SCANLAB_SUB(atomicSub_system, atomicAdd_system, int)
SCANLAB_SUB(atomicSub_system, atomicAdd_system, unsigned)
#undef SCANLAB_SUB

#define SCANLAB_CAS_AT(name, scope, type, ptx, reg)                                                \
    static inline SCANLAB_DEVICE type name(type *at, type compare, type value)                     \
    {                                                                                              \
        type old;                                                                                  \
        asm volatile("atom" scope ".cas." ptx " %0, [%1], %2, %3;"                                 \
                     : "=" reg(old)                                                                \
                     : "l"(at), reg(compare), reg(value)                                           \
                     : "memory");                                                                  \
        return old;                                                                                \
    }
#define SCANLAB_CAS(type, ptx, reg)                                                                \
    SCANLAB_CAS_AT(atomicCAS, "", type, ptx, reg)                                                  \
    SCANLAB_CAS_AT(atomicCAS_block, ".cta", type, ptx, reg)                                        \
    SCANLAB_CAS_AT(atomicCAS_system, ".sys", type, ptx, reg)
SCANLAB_CAS(int, "b32", "r")
SCANLAB_CAS(unsigned, "b32", "r")
SCANLAB_CAS(unsigned long long, "b64", "l")
SCANLAB_CAS(unsigned short, "b16", "h")
#undef SCANLAB_CAS
#undef SCANLAB_CAS_AT

#endif
