/*
 * operands.c: see operands.h.
 */
#include "operands.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The first CORE of each list meet in pairs and triples; shift amounts over 31 and 63 are among the
   integers. */
enum { CORE_OF_TWO = 14, CORE_OF_THREE = 6 };

static const uint64_t edges_16[] = {
    0,  1,  0xffff, 0x7fff, 0x8000, 31,   2,      0x5555, 0xfffe, 16,  15, 0xff, 0x100, 17,
    32, 33, 63,     64,     0x7f,   0x80, 0x7ffe, 0x8001, 0xaaaa, 255, 3,  7,    10,    0xff80,
};
static const uint64_t edges_32[] = {
    0,          1,          0xffffffff, 0x7fffffff, 0x80000000, 31,         32,         2,
    0x55555555, 0xfffffffe, 255,        63,         0x10000,    33,         64,         65,
    3,          7,          8,          15,         16,         17,         127,        128,
    256,        0x7fff,     0x8000,     0xffff,     0x7fffff,   0x800000,   0xffffff,   0x1000000,
    0x1000001,  0x7ffffffe, 0x80000001, 0x7fffff80, 0xaaaaaaaa, 0x01020304, 0xfffffff0, 0xffff8000,
    0xffff7fff, 0xffffff80, 0xffffff7f, 0xdeadbeef, 0x00ff00ff, 100,        1000003,
};
static const uint64_t edges_64[] = {
    0,
    1,
    ~0ull,
    0x7fffffffffffffff,
    0x8000000000000000,
    63,
    0x100000000,
    0xffffffff,
    2,
    0x5555555555555555,
    0x80000000,
    0xfffffffffffffffe,
    0x7fffffff,
    31,
    32,
    33,
    64,
    65,
    127,
    128,
    255,
    256,
    3,
    7,
    0xffff,
    0x10000,
    0x1ffffff,
    0x20000000000000,
    0x20000000000001,
    0x7fffffffffffff,
    0x7ffffffffffffffe,
    0x8000000000000001,
    0xffffffff80000000,
    0xffffffff7fffffff,
    0xffffffff00000000,
    0x7fffffc000000000,
    0x7fffff4000000000,
    0x123456789abcdef,
    0xfedcba9876543210,
    0xaaaaaaaaaaaaaaaa,
    0xffffffffffff8000,
    0xffffffffffffff80,
    1000000007,
};
static const uint64_t edges_f32[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
    0x7f7fffff, 0x00800000, 0xffa00001, 0x807fffff, 0x3f000001, 0x3f7fffff, 0xff7fffff, 0x80000001,
    0x007fffff, 0x80800000, 0x00400000, 0x7f800001, 0xffbfffff, 0x7fffffff, 0xffffffff, 0xffc12345,
    0x3f000000, 0xbf000000, 0x3fc00000, 0xbfc00000, 0x40200000, 0xc0200000, 0x3f800001, 0x33800000,
    0x34000000, 0x4affffff, 0x4b000000, 0x4b000001, 0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f000000,
    0x4f000001, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0xdf000000,
    0x5f7fffff, 0x5f800000, 0x42fe0000, 0x42ff0000, 0x43000000, 0xc3008000, 0x437f0000, 0x437f8000,
    0x46fffe00, 0x46ffff00, 0xc7000000, 0xc7000080, 0x477fff00, 0x477fff80, 0x40490fdb, 0x3fc90fdb,
    0x40c90fdb, 0x402df854, 0x3dcccccd, 0x42c80000, 0x1e3ce508, 0x60ad78ec, 0x7e800000, 0x7e800001,
    0x7f000000, 0x00ffffff, 0x01000000, 0x4f7fffff, 0xc2fc0000, 0xc3150000, 0x43000001, 0x47ffefff,
    0x477fe000, 0x477ff000, 0x33000000, 0x33000001, 0x38800000, 0x387fe000,
};
static const uint64_t edges_f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x0000000000000001,
    0x7fefffffffffffff, 0x0010000000000000, 0xfff4000000000001, 0x800fffffffffffff,
    0x3fe0000000000001, 0x3fefffffffffffff, 0xffefffffffffffff, 0x8000000000000001,
    0x000fffffffffffff, 0x8010000000000000, 0x7ff0000000000001, 0xfff7ffffffffffff,
    0x7fffffffffffffff, 0xffffffffffffffff, 0xfff8123456789abc, 0x3fe0000000000000,
    0xbfe0000000000000, 0x3ff8000000000000, 0xbff8000000000000, 0x4004000000000000,
    0xc004000000000000, 0x3ff0000000000001, 0x3ff0000010000000, 0x3ff0000030000000,
    0x3ff0000010000001, 0x3ff000000fffffff, 0x47efffffe0000000, 0x47effffff0000000,
    0x47efffffefffffff, 0x47f0000000000000, 0x3690000000000000, 0x3690000000000001,
    0x36a0000000000000, 0x36a8000000000000, 0x380fffffe0000000, 0x380ffffff0000000,
    0x3810000000000000, 0x380fffffffffffff, 0x41dfffffffc00000, 0x41dfffffffe00000,
    0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000100000, 0xc1e0000000200000,
    0x41efffffffe00000, 0x41efffffffefffff, 0x41efffffffffffff, 0x41f0000000000000,
    0x433fffffffffffff, 0x4340000000000000, 0x43dfffffffffffff, 0x43e0000000000000,
    0xc3e0000000000000, 0x43efffffffffffff, 0x43f0000000000000, 0x405fc00000000000,
    0x405fe00000000000, 0xc060100000000000, 0x406fe00000000000, 0x406ff00000000000,
    0x40dfffc000000000, 0x40dfffe000000000, 0xc0e0000000000000, 0xc0e0001000000000,
    0x40efffe000000000, 0x40effff000000000, 0x400921fb54442d18, 0x3fb999999999999a,
    0x7fe0000000000000, 0x7fd0000000000000, 0x001fffffffffffff, 0x4330000000000001,
    0x432fffffffffffff, 0xc32fffffffffffff,
};

typedef struct edge_list {
    const uint64_t *value;
    size_t count;
} edge_list;

static edge_list edges_of(test_type type)
{
    static const uint64_t truth[] = { 0, 1 };
    switch (type) {
    case TEST_F32: return (edge_list){ edges_f32, COUNT(edges_f32) };
    case TEST_F64: return (edge_list){ edges_f64, COUNT(edges_f64) };
    case TEST_PRED: return (edge_list){ truth, COUNT(truth) };
    default: break;
    }
    size_t bytes = test_type_size(type);
    return bytes == 8   ? (edge_list){ edges_64, COUNT(edges_64) }
           : bytes == 4 ? (edge_list){ edges_32, COUNT(edges_32) }
                        : (edge_list){ edges_16, COUNT(edges_16) };
}

/* splitmix64: the record depends on it, so it is here and not the kit's generator, which may
   change */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A float with an exponent near that of 1, so that sums and products neither vanish nor
   overflow. */
static uint64_t middling(uint64_t bits, test_type type)
{
    if (type == TEST_F32)
        return (bits & 0x807fffff) | (0x7f - 12 + (bits >> 40) % 24) << 23;
    return (bits & 0x800fffffffffffff) | (0x3ff - 12 + (bits >> 52) % 24) << 52;
}

static uint64_t draw(uint64_t *state, test_type type, uint64_t before)
{
    edge_list edges = edges_of(type);
    uint64_t how = next(state), bits = next(state);
    if (type == TEST_PRED)
        return bits & 1;
    switch (how % 6) {
    case 0: return edges.value[bits % edges.count];
    case 1: return edges.value[bits % edges.count] + (bits >> 40) % 5 - 2;
    case 2:
        return type == TEST_F32 || type == TEST_F64
                   ? before ^ (bits & 0xff) ^
                         (uint64_t)(bits >> 63) << (8 * test_type_size(type) - 1)
                   : bits % 97;
    case 3:
        return type == TEST_F32 || type == TEST_F64 ? middling(bits, type) : before + bits % 7 - 3;
    case 4:
        return type == TEST_F32 || type == TEST_F64 ? middling(bits, type)
                                                    : bits >> (how >> 8) % 64;
    default: return bits;
    }
}

unsigned operand_sets(unsigned operands)
{
    return operands > 2 ? OPERAND_SETS_OF_THREE : OPERAND_SETS;
}

/* Which NaN a result is, where several operands are one: all triples of two NaNs, one and
   infinity. */
static bool nan_triple(test_type type, unsigned i, unsigned k, uint64_t *value)
{
    static const uint64_t narrow[] = { 0x7fc54321, 0xffa00001, 0x3f800000, 0x7f800000 };
    static const uint64_t wide[] = { 0x7ff8123456789abc, 0xfff4000000000001, 0x3ff0000000000000,
                                     0x7ff0000000000000 };
    if (i >= 64 || (type != TEST_F32 && type != TEST_F64))
        return false;
    *value = (type == TEST_F64 ? wide : narrow)[i >> 2 * k & 3];
    return true;
}

/* Products and quotients of floats that round to the least normal number or stay below it, third
   operand 0. */
static bool nearly_normal(test_type type, unsigned i, unsigned k, uint64_t *value)
{
    static const uint64_t pair[][2] = {
        { 0x3f7fffff, 0x00800000 }, { 0x3f7ffffe, 0x00800001 }, { 0x00ffffff, 0x3f000000 },
        { 0x80ffffff, 0x3f000000 }, { 0x00ffffff, 0x40000000 }, { 0x80ffffff, 0x40000000 },
        { 0x00fffffe, 0x40000000 }, { 0x00fffffd, 0x40000000 }, { 0x01000001, 0x40000001 },
        { 0x3f7ffffd, 0x00800001 }, { 0x00c00000, 0x3f2aaaaa }, { 0x00c00000, 0x3fc00001 },
    };
    if (i >= COUNT(pair) || type != TEST_F32)
        return false;
    *value = k < 2 ? pair[i][k] : 0;
    return true;
}

/* Operand k of set i as an edge value; false where no edges are left. */
static bool edge(const test_type *type, unsigned operands, unsigned i, unsigned k, uint64_t *value)
{
    edge_list edges = edges_of(type[k]);
    size_t core = operands == 1   ? edges.count
                  : operands == 2 ? CORE_OF_TWO
                                  : CORE_OF_THREE,
           most = 1;
    for (unsigned n = 0; n < (operands < 3 ? operands : 3); n++)
        most *= core;
    if (i >= most) {
        unsigned more = i - (unsigned)most;
        if (operands == 3 && nan_triple(type[k], more, k, value))
            return true;
        return nearly_normal(type[k], more - (operands == 3 ? 64 : 0), k, value);
    }
    unsigned at = i;
    for (unsigned n = 0; n < k; n++)
        at /= (unsigned)core;
    *value = edges.value[(k > 2 ? i / 7 : at % core) % edges.count];
    return true;
}

void operands_fill(const test_type *type, unsigned operands, void *const *value)
{
    uint64_t state = 20260401, bits = 0;
    for (unsigned k = 0; k < operands; k++)
        state = state * 31 + (uint64_t)(type[k] == TEST_F32 || type[k] == TEST_F64) * 100 +
                test_type_size(type[k]);
    for (unsigned i = 0; i < operand_sets(operands); i++)
        for (unsigned k = 0; k < operands; k++) {
            size_t bytes = test_type_size(type[k]);
            if (!edge(type, operands, i, k, &bits))
                bits = draw(&state, type[k], bits);
            memcpy((unsigned char *)value[k] + i * bytes, &bits, bytes);
        }
}
