/*
 * device_functions.h: barriers, fences, warp primitives, bit functions, cached loads, clocks,
 * printf and assert.
 *
 * Everything that has one PTX instruction is that instruction, as inline PTX: clang's own __nvvm
 * builtins change from one release to the next. __syncthreads is the exception: clang declares it
 * by itself. Names, operands and meaning: CUDA C++ Programming Guide, chapter "C++ Language
 * Extensions"; operands of the instructions: PTX ISA. What is not here does not compile: there is
 * no fallback.
 */
#ifndef SCANLAB_DEVICE_FUNCTIONS_H
#define SCANLAB_DEVICE_FUNCTIONS_H

#include "device_launch_parameters.h"

/* ---- barriers and fences --------------------------------------------------------------------- */

extern "C" __device__ void __syncthreads(void); /* for editors, which propose what is declared */

#define SCANLAB_BAR_RED_PRED(name, op)                                                             \
    static inline SCANLAB_DEVICE int name(int predicate)                                           \
    {                                                                                              \
        int result;                                                                                \
        asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." op                        \
                     ".pred q, 0, p; selp.s32 %0, 1, 0, q; }"                                      \
                     : "=r"(result)                                                                \
                     : "r"(predicate)                                                              \
                     : "memory");                                                                  \
        return result;                                                                             \
    }
SCANLAB_BAR_RED_PRED(__syncthreads_and, "and")
SCANLAB_BAR_RED_PRED(__syncthreads_or, "or")
#undef SCANLAB_BAR_RED_PRED

static inline SCANLAB_DEVICE int __syncthreads_count(int predicate)
{
    int result;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(result)
                 : "r"(predicate)
                 : "memory");
    return result;
}

static inline SCANLAB_DEVICE void __syncwarp(unsigned mask = 0xffffffffu)
{
    asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}

static inline SCANLAB_DEVICE void __threadfence_block(void)
{
    asm volatile("membar.cta;" : : : "memory");
}
static inline SCANLAB_DEVICE void __threadfence(void) { asm volatile("membar.gl;" : : : "memory"); }
static inline SCANLAB_DEVICE void __threadfence_system(void)
{
    asm volatile("membar.sys;" : : : "memory");
}

/* ---- votes and matches ----------------------------------------------------------------------- */

#define SCANLAB_VOTE(name, op)                                                                     \
    static inline SCANLAB_DEVICE int name(unsigned mask, int predicate)                            \
    {                                                                                              \
        int result;                                                                                \
        asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync." op ".pred q, p, %2;"    \
                     " selp.s32 %0, 1, 0, q; }"                                                    \
                     : "=r"(result)                                                                \
                     : "r"(predicate), "r"(mask)                                                   \
                     : "memory");                                                                  \
        return result;                                                                             \
    }
SCANLAB_VOTE(__any_sync, "any")
SCANLAB_VOTE(__all_sync, "all")
SCANLAB_VOTE(__uni_sync, "uni")
#undef SCANLAB_VOTE

static inline SCANLAB_DEVICE unsigned __ballot_sync(unsigned mask, int predicate)
{
    unsigned result;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(result)
                 : "r"(predicate), "r"(mask)
                 : "memory");
    return result;
}

static inline SCANLAB_DEVICE unsigned __activemask(void)
{
    unsigned result;
    asm volatile("activemask.b32 %0;" : "=r"(result));
    return result;
}

#define SCANLAB_MATCH(type, bits, reg)                                                             \
    static inline SCANLAB_DEVICE unsigned __match_any_sync(unsigned mask, type value)              \
    {                                                                                              \
        unsigned result;                                                                           \
        asm volatile("match.any.sync." bits " %0, %1, %2;"                                         \
                     : "=r"(result)                                                                \
                     : reg(value), "r"(mask)                                                       \
                     : "memory");                                                                  \
        return result;                                                                             \
    }                                                                                              \
    static inline SCANLAB_DEVICE unsigned __match_all_sync(unsigned mask, type value, int *all)    \
    {                                                                                              \
        unsigned result;                                                                           \
        asm volatile("{ .reg .pred p; match.all.sync." bits                                        \
                     " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"                                      \
                     : "=r"(result), "=r"(*all)                                                    \
                     : reg(value), "r"(mask)                                                       \
                     : "memory");                                                                  \
        return result;                                                                             \
    }
SCANLAB_MATCH(int, "b32", "r")
SCANLAB_MATCH(unsigned, "b32", "r")
SCANLAB_MATCH(long, "b64", "l")
SCANLAB_MATCH(unsigned long, "b64", "l")
SCANLAB_MATCH(long long, "b64", "l")
SCANLAB_MATCH(unsigned long long, "b64", "l")
SCANLAB_MATCH(float, "b32", "f")
SCANLAB_MATCH(double, "b64", "d")
#undef SCANLAB_MATCH

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800 /* as in CUDA: does not compile for sm_75 */
#define SCANLAB_REDUX(name, type, op)                                                              \
    static inline SCANLAB_DEVICE type name(unsigned mask, type value)                              \
    {                                                                                              \
        type result;                                                                               \
        asm volatile("redux.sync." op " %0, %1, %2;"                                               \
                     : "=r"(result)                                                                \
                     : "r"(value), "r"(mask)                                                       \
                     : "memory");                                                                  \
        return result;                                                                             \
    }
SCANLAB_REDUX(__reduce_add_sync, unsigned, "add.u32")
SCANLAB_REDUX(__reduce_add_sync, int, "add.s32")
SCANLAB_REDUX(__reduce_min_sync, unsigned, "min.u32")
SCANLAB_REDUX(__reduce_min_sync, int, "min.s32")
SCANLAB_REDUX(__reduce_max_sync, unsigned, "max.u32")
SCANLAB_REDUX(__reduce_max_sync, int, "max.s32")
SCANLAB_REDUX(__reduce_and_sync, unsigned, "and.b32")
SCANLAB_REDUX(__reduce_or_sync, unsigned, "or.b32")
SCANLAB_REDUX(__reduce_xor_sync, unsigned, "xor.b32")
#undef SCANLAB_REDUX
#endif

/* ---- shuffles -------------------------------------------------------------------------------- */

/* The third operand of shfl: bits 8-12 keep a lane inside its segment of width lanes, bits 0-4 are
   the segment's last lane (0 for up, whose bound is the first lane). 64-bit values travel as two
   halves. The value comes by reference: programs shuffle variables that only one lane has set, and
   clang takes passing an unset one by value for a thing that never happens, and drops what leads
   there. */
#define SCANLAB_SHFL_32(name, op, type, reg, last)                                                 \
    static inline SCANLAB_DEVICE type name(unsigned mask, const type &value, int lane,             \
                                           int width = 32)                                         \
    {                                                                                              \
        type result;                                                                               \
        asm volatile("shfl.sync." op ".b32 %0, %1, %2, %3, %4;"                                    \
                     : "=" reg(result)                                                             \
                     : reg(value), "r"(lane), "r"(((32 - width) << 8) | last), "r"(mask)           \
                     : "memory");                                                                  \
        return result;                                                                             \
    }
#define SCANLAB_SHFL_64(name, type)                                                                \
    static inline SCANLAB_DEVICE type name(unsigned mask, const type &value, int lane,             \
                                           int width = 32)                                         \
    {                                                                                              \
        unsigned long long bits = __builtin_bit_cast(unsigned long long, value);                   \
        unsigned low = name(mask, (unsigned)bits, lane, width);                                    \
        unsigned high = name(mask, (unsigned)(bits >> 32), lane, width);                           \
        return __builtin_bit_cast(type, (unsigned long long)high << 32 | low);                     \
    }
#define SCANLAB_SHFL(name, op, last)                                                               \
    SCANLAB_SHFL_32(name, op, int, "r", last)                                                      \
    SCANLAB_SHFL_32(name, op, unsigned, "r", last)                                                 \
    SCANLAB_SHFL_32(name, op, float, "f", last)                                                    \
    SCANLAB_SHFL_64(name, long)                                                                    \
    SCANLAB_SHFL_64(name, unsigned long)                                                           \
    SCANLAB_SHFL_64(name, long long)                                                               \
    SCANLAB_SHFL_64(name, unsigned long long)                                                      \
    SCANLAB_SHFL_64(name, double)
SCANLAB_SHFL(__shfl_sync, "idx", 31)
SCANLAB_SHFL(__shfl_up_sync, "up", 0)
SCANLAB_SHFL(__shfl_down_sync, "down", 31)
SCANLAB_SHFL(__shfl_xor_sync, "bfly", 31)
#undef SCANLAB_SHFL
#undef SCANLAB_SHFL_64
#undef SCANLAB_SHFL_32

/* ---- bits ------------------------------------------------------------------------------------ */

static inline SCANLAB_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
static inline SCANLAB_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline SCANLAB_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline SCANLAB_DEVICE int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
static inline SCANLAB_DEVICE int __ffs(int x) { return x ? __builtin_ctz((unsigned)x) + 1 : 0; }
static inline SCANLAB_DEVICE int __ffsll(long long x)
{
    return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0;
}
static inline SCANLAB_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
static inline SCANLAB_DEVICE unsigned long long __brevll(unsigned long long x)
{
    return __builtin_bitreverse64(x);
}

#define SCANLAB_ASM_3(name, ptx)                                                                   \
    static inline SCANLAB_DEVICE unsigned name(unsigned a, unsigned b, unsigned c)                 \
    {                                                                                              \
        unsigned result;                                                                           \
        asm(ptx " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));                       \
        return result;                                                                             \
    }
SCANLAB_ASM_3(__byte_perm, "prmt.b32")
/* low word, high word, shift: the high word of (high:low) << shift */
SCANLAB_ASM_3(__funnelshift_l, "shf.l.wrap.b32")
SCANLAB_ASM_3(__funnelshift_lc, "shf.l.clamp.b32")
SCANLAB_ASM_3(__funnelshift_r, "shf.r.wrap.b32")
SCANLAB_ASM_3(__funnelshift_rc, "shf.r.clamp.b32")
#undef SCANLAB_ASM_3

static inline SCANLAB_DEVICE int __mul24(int a, int b)
{
    return (int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8));
}
static inline SCANLAB_DEVICE unsigned __umul24(unsigned a, unsigned b)
{
    return (a & 0xffffffu) * (b & 0xffffffu);
}
static inline SCANLAB_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline SCANLAB_DEVICE unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}

static inline SCANLAB_DEVICE long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
static inline SCANLAB_DEVICE unsigned long long __umul64hi(unsigned long long a,
                                                           unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline SCANLAB_DEVICE unsigned __sad(int a, int b, unsigned c)
{
    return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}
static inline SCANLAB_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c)
{
    return (a > b ? a - b : b - a) + c;
}
static inline SCANLAB_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
static inline SCANLAB_DEVICE int __rhadd(int a, int b)
{
    return (int)(((long long)a + b + 1) >> 1);
}
static inline SCANLAB_DEVICE unsigned __uhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b) >> 1);
}
static inline SCANLAB_DEVICE unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
#define SCANLAB_DP4A(type, other, ptx)                                                             \
    static inline SCANLAB_DEVICE type __dp4a(type a, other b, type c)                              \
    {                                                                                              \
        type result;                                                                               \
        asm("dp4a." ptx " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));               \
        return result;                                                                             \
    }
SCANLAB_DP4A(int, int, "s32.s32")
SCANLAB_DP4A(unsigned, unsigned, "u32.u32")
#undef SCANLAB_DP4A

static inline SCANLAB_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset)
{
    unsigned found;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(found) : "r"(mask), "r"(base), "r"(offset));
    return found;
}

/* ---- bytes and halves of a word -------------------------------------------------------------- */

/* Each of 4 bytes or 2 halves by itself: a and b are those of the operands. */
#define SCANLAB_PARTS(name, type, parts, expression)                                               \
    static inline SCANLAB_DEVICE unsigned name(unsigned x, unsigned y)                             \
    {                                                                                              \
        const int bits = 32 / parts;                                                               \
        unsigned result = 0;                                                                       \
        _Pragma("unroll") for (int k = 0; k < parts; k++)                                          \
        {                                                                                          \
            int a = (type)(x >> k * bits), b = (type)(y >> k * bits);                              \
            result |= ((unsigned)(expression) & (0xffffffffu >> (32 - bits))) << k * bits;         \
        }                                                                                          \
        return result;                                                                             \
    }
#define SCANLAB_BYTES_AND_HALVES(name, sign, expression)                                           \
    SCANLAB_PARTS(name##4, sign char, 4, expression)                                               \
    SCANLAB_PARTS(name##2, sign short, 2, expression)
SCANLAB_BYTES_AND_HALVES(__vadd, unsigned, a + b)
SCANLAB_BYTES_AND_HALVES(__vsub, unsigned, a - b)
SCANLAB_BYTES_AND_HALVES(__vabsdiffu, unsigned, a > b ? a - b : b - a)
SCANLAB_BYTES_AND_HALVES(__vabsdiffs, signed, a > b ? a - b : b - a)
SCANLAB_BYTES_AND_HALVES(__vminu, unsigned, a < b ? a : b)
SCANLAB_BYTES_AND_HALVES(__vmaxu, unsigned, a > b ? a : b)
SCANLAB_BYTES_AND_HALVES(__vmins, signed, a < b ? a : b)
SCANLAB_BYTES_AND_HALVES(__vmaxs, signed, a > b ? a : b)
SCANLAB_BYTES_AND_HALVES(__vavgu, unsigned, (a + b + 1) >> 1)
SCANLAB_BYTES_AND_HALVES(__vcmpeq, unsigned, a == b ? -1 : 0)
SCANLAB_BYTES_AND_HALVES(__vcmpne, unsigned, a != b ? -1 : 0)
SCANLAB_BYTES_AND_HALVES(__vcmpgtu, unsigned, a > b ? -1 : 0)
SCANLAB_BYTES_AND_HALVES(__vcmpltu, unsigned, a < b ? -1 : 0)
SCANLAB_BYTES_AND_HALVES(__vcmpgts, signed, a > b ? -1 : 0)
SCANLAB_BYTES_AND_HALVES(__vcmplts, signed, a < b ? -1 : 0)
SCANLAB_BYTES_AND_HALVES(__vseteq, unsigned, a == b)
#undef SCANLAB_BYTES_AND_HALVES
#undef SCANLAB_PARTS
static inline SCANLAB_DEVICE unsigned __vsadu4(unsigned x, unsigned y)
{
    unsigned d = __vabsdiffu4(x, y);
    return (d & 255) + (d >> 8 & 255) + (d >> 16 & 255) + (d >> 24);
}

/* ---- addresses and cached access ------------------------------------------------------------- */

#define SCANLAB_CVTA(space)                                                                        \
    static inline SCANLAB_DEVICE unsigned long __cvta_generic_to_##space(const void *generic)      \
    {                                                                                              \
        unsigned long result;                                                                      \
        asm("cvta.to." #space ".u64 %0, %1;" : "=l"(result) : "l"(generic));                       \
        return result;                                                                             \
    }                                                                                              \
    static inline SCANLAB_DEVICE void *__cvta_##space##_to_generic(unsigned long raw)              \
    {                                                                                              \
        void *result;                                                                              \
        asm("cvta." #space ".u64 %0, %1;" : "=l"(result) : "l"(raw));                              \
        return result;                                                                             \
    }
SCANLAB_CVTA(global)
SCANLAB_CVTA(shared)
SCANLAB_CVTA(local)
#undef SCANLAB_CVTA

#define SCANLAB_IS(name, space)                                                                    \
    static inline SCANLAB_DEVICE unsigned name(const void *generic)                                \
    {                                                                                              \
        unsigned is;                                                                               \
        asm("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }"                    \
            : "=r"(is)                                                                             \
            : "l"(generic));                                                                       \
        return is;                                                                                 \
    }
SCANLAB_IS(__isGlobal, "global")
SCANLAB_IS(__isShared, "shared")
SCANLAB_IS(__isConstant, "const")
SCANLAB_IS(__isLocal, "local")
#undef SCANLAB_IS

/* What a cache operator changes on a GPU is time, not values; here it changes nothing. */
#define SCANLAB_LOAD_1(name, op, type, ptx, reg)                                                   \
    static inline SCANLAB_DEVICE type name(const type *from)                                       \
    {                                                                                              \
        type x;                                                                                    \
        asm volatile("ld.global." op "." ptx " %0, [%1];"                                          \
                     : "=" reg(x)                                                                  \
                     : "l"(__cvta_generic_to_global(from))                                         \
                     : "memory");                                                                  \
        return x;                                                                                  \
    }
#define SCANLAB_LOAD_2(name, op, type, ptx, reg)                                                   \
    static inline SCANLAB_DEVICE type name(const type *from)                                       \
    {                                                                                              \
        type v;                                                                                    \
        asm volatile("ld.global." op ".v2." ptx " {%0, %1}, [%2];"                                 \
                     : "=" reg(v.x), "=" reg(v.y)                                                  \
                     : "l"(__cvta_generic_to_global(from))                                         \
                     : "memory");                                                                  \
        return v;                                                                                  \
    }
#define SCANLAB_LOAD_4(name, op, type, ptx, reg)                                                   \
    static inline SCANLAB_DEVICE type name(const type *from)                                       \
    {                                                                                              \
        type v;                                                                                    \
        asm volatile("ld.global." op ".v4." ptx " {%0, %1, %2, %3}, [%4];"                         \
                     : "=" reg(v.x), "=" reg(v.y), "=" reg(v.z), "=" reg(v.w)                      \
                     : "l"(__cvta_generic_to_global(from))                                         \
                     : "memory");                                                                  \
        return v;                                                                                  \
    }
#define SCANLAB_STORE_1(name, op, type, ptx, reg)                                                  \
    static inline SCANLAB_DEVICE void name(type *to, type x)                                       \
    {                                                                                              \
        asm volatile("st.global." op "." ptx " [%0], %1;"                                          \
                     :                                                                             \
                     : "l"(__cvta_generic_to_global(to)), reg(x)                                   \
                     : "memory");                                                                  \
    }
#define SCANLAB_STORE_2(name, op, type, ptx, reg)                                                  \
    static inline SCANLAB_DEVICE void name(type *to, type v)                                       \
    {                                                                                              \
        asm volatile("st.global." op ".v2." ptx " [%0], {%1, %2};"                                 \
                     :                                                                             \
                     : "l"(__cvta_generic_to_global(to)), reg(v.x), reg(v.y)                       \
                     : "memory");                                                                  \
    }
#define SCANLAB_STORE_4(name, op, type, ptx, reg)                                                  \
    static inline SCANLAB_DEVICE void name(type *to, type v)                                       \
    {                                                                                              \
        asm volatile("st.global." op ".v4." ptx " [%0], {%1, %2, %3, %4};"                         \
                     :                                                                             \
                     : "l"(__cvta_generic_to_global(to)), reg(v.x), reg(v.y), reg(v.z), reg(v.w)   \
                     : "memory");                                                                  \
    }
#define SCANLAB_CACHED(access, name, op)                                                           \
    access##_1(name, op, int, "s32", "r") access##_1(name, op, unsigned, "u32", "r")               \
        access##_1(name, op, long, "s64", "l") access##_1(name, op, unsigned long, "u64", "l")     \
            access##_1(name, op, long long, "s64", "l") access##_1(                                \
                name, op, unsigned long long, "u64", "l") access##_1(name, op, float, "f32", "f")  \
                access##_1(name, op, double, "f64", "d") access##_1(name, op, short, "s16", "h")   \
                    access##_1(name, op, unsigned short, "u16",                                    \
                               "h") access##_1(name, op, signed char, "s8", "h")                   \
                        access##_1(name, op, unsigned char, "u8", "h") access##_2(                 \
                            name, op, int2, "s32", "r") access##_2(name, op, uint2, "u32", "r")    \
                            access##_2(name, op, float2, "f32", "f")                               \
                                access##_2(name, op, longlong2, "s64", "l")                        \
                                    access##_2(name, op, ulonglong2, "u64", "l")                   \
                                        access##_2(name, op, double2, "f64", "d")                  \
                                            access##_4(name, op, int4, "s32", "r")                 \
                                                access##_4(name, op, uint4, "u32", "r")            \
                                                    access##_4(name, op, float4, "f32", "f")
SCANLAB_CACHED(SCANLAB_LOAD, __ldg, "nc")
SCANLAB_CACHED(SCANLAB_LOAD, __ldca, "ca")
SCANLAB_CACHED(SCANLAB_LOAD, __ldcg, "cg")
SCANLAB_CACHED(SCANLAB_LOAD, __ldcs, "cs")
SCANLAB_CACHED(SCANLAB_LOAD, __ldlu, "lu")
SCANLAB_CACHED(SCANLAB_LOAD, __ldcv, "cv")
SCANLAB_CACHED(SCANLAB_STORE, __stwb, "wb")
SCANLAB_CACHED(SCANLAB_STORE, __stcg, "cg")
SCANLAB_CACHED(SCANLAB_STORE, __stcs, "cs")
SCANLAB_CACHED(SCANLAB_STORE, __stwt, "wt")
#undef SCANLAB_CACHED
/* Vectors of small elements travel as the word that they are. */
#define SCANLAB_LDG(type, word)                                                                    \
    static inline SCANLAB_DEVICE type __ldg(const type *from)                                      \
    {                                                                                              \
        return __builtin_bit_cast(type, __ldg((const word *)from));                                \
    }
SCANLAB_LDG(char2, unsigned short)
SCANLAB_LDG(uchar2, unsigned short)
SCANLAB_LDG(char4, unsigned)
SCANLAB_LDG(uchar4, unsigned)
SCANLAB_LDG(short2, unsigned)
SCANLAB_LDG(ushort2, unsigned)
SCANLAB_LDG(short4, uint2)
SCANLAB_LDG(ushort4, uint2)
#undef SCANLAB_LDG
static inline SCANLAB_DEVICE char __ldg(const char *from)
{
    return (char)__ldg((const signed char *)from);
}
#undef SCANLAB_LOAD_1
#undef SCANLAB_LOAD_2
#undef SCANLAB_LOAD_4
#undef SCANLAB_STORE_1
#undef SCANLAB_STORE_2
#undef SCANLAB_STORE_4

/* ---- time ------------------------------------------------------------------------------------ */

/* The engine's clock counts warp instructions, not a GPU's cycles. */
static inline SCANLAB_DEVICE long long clock64(void)
{
    long long now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now) : : "memory");
    return now;
}
static inline SCANLAB_DEVICE long clock(void)
{
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now) : : "memory");
    return (long)now;
}
static inline SCANLAB_DEVICE void __nanosleep(unsigned nanoseconds)
{
    asm volatile("nanosleep.u32 %0;" : : "r"(nanoseconds) : "memory");
}
static inline SCANLAB_DEVICE void __trap(void) { asm volatile("trap;"); }
static inline SCANLAB_DEVICE void __brkpt(void) { asm volatile("brkpt;"); }

/* ---- the device's C library ------------------------------------------------------------------ */

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...); /* clang turns it into vprintf */
__device__ void *malloc(__SIZE_TYPE__ bytes) __attribute__((malloc));
__device__ void free(void *pointer);
__device__ __attribute__((noreturn)) void __assertfail(const char *expression, const char *file,
                                                       unsigned line, const char *function,
                                                       __SIZE_TYPE__ char_bytes);
}

/* What the assert macro of <assert.h> calls. */
static inline SCANLAB_DEVICE void __assert_fail(const char *expression, const char *file,
                                                unsigned line, const char *function)
{
    __assertfail(expression, file, line, function, 1);
}

static inline SCANLAB_DEVICE void *memcpy(void *to, const void *from, __SIZE_TYPE__ bytes)
{
    return __builtin_memcpy(to, from, bytes);
}
static inline SCANLAB_DEVICE void *memset(void *to, int value, __SIZE_TYPE__ bytes)
{
    return __builtin_memset(to, value, bytes);
}

#endif
