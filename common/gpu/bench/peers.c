/*
 * peers.c: what each peer must give, one element at a time. See peers.h.
 */
#include "peers.h"

#include <string.h>

static size_t one(size_t n)
{
    (void)n;
    return 1;
}

/* Sums of integers wrap around: they are made of their unsigned twins. */
#define REFERENCES(name, type)                                                                     \
    static void inscan_##name(void *const *buffers, size_t n)                                      \
    {                                                                                              \
        const type *in = buffers[0];                                                               \
        type *out = buffers[1], sum = 0;                                                           \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = sum += in[i];                                                                 \
    }                                                                                              \
    static void exscan_##name(void *const *buffers, size_t n)                                      \
    {                                                                                              \
        const type *in = buffers[0];                                                               \
        type *out = buffers[1], sum = 0;                                                           \
        for (size_t i = 0; i < n; i++) {                                                           \
            out[i] = sum;                                                                          \
            sum += in[i];                                                                          \
        }                                                                                          \
    }                                                                                              \
    static void reduce_##name(void *const *buffers, size_t n)                                      \
    {                                                                                              \
        const type *in = buffers[0];                                                               \
        type sum = 0;                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            sum += in[i];                                                                          \
        *(type *)buffers[1] = sum;                                                                 \
    }                                                                                              \
    static void copy_##name(void *const *buffers, size_t n)                                        \
    {                                                                                              \
        memcpy(buffers[1], buffers[0], n * sizeof(type));                                          \
    }

REFERENCES(i32, uint32_t)
REFERENCES(f32, float)
REFERENCES(i64, uint64_t)

static void select_i32(void *const *buffers, size_t n)
{
    const int32_t *in = buffers[0];
    int32_t *out = buffers[1], *count = buffers[2];
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        /* the next one overwrites what is not kept; a branch would be guessed wrong half of the
           time */
        out[kept] = in[i];
        kept += in[i] > 0;
    }
    *count = (int32_t)kept;
}

#define BUFFERS(element, size)                                                                     \
    LAB_ENTRIES({ .name = "d_in", .type = element },                                               \
                { .name = "d_out", .type = element, .role = LAB_OUT, .length = size })
#define PEER(name, op, type, element_buffers, made_by)                                             \
    {                                                                                              \
        name, op, type, { .entry = name, .buffers = element_buffers, .reference = made_by }        \
    }

#define BUFFERS_OF(element, name)                                                                  \
    static const lab_buffers name##_scan = { BUFFERS(element, NULL) };                             \
    static const lab_buffers name##_sum = { BUFFERS(element, one) };
BUFFERS_OF(LAB_I32, i32)
BUFFERS_OF(LAB_F32, f32)
BUFFERS_OF(LAB_I64, i64)
static const lab_buffers selected = {
    BUFFERS(LAB_I32, NULL),
    { .name = "d_count", .type = LAB_I32, .role = LAB_OUT, .length = one },
};

#define PEERS_OF(type, name)                                                                       \
    LAB_ENTRIES(PEER("memcpyD2D", PEER_MEMCPY, type, name##_scan, copy_##name),                    \
                PEER("cub_inscan", PEER_INSCAN, type, name##_scan, inscan_##name),                 \
                PEER("cub_exscan", PEER_EXSCAN, type, name##_scan, exscan_##name),                 \
                PEER("cub_reduce", PEER_REDUCE, type, name##_sum, reduce_##name),                  \
                PEER("thrust_inscan", PEER_THRUST, type, name##_scan, inscan_##name))

const peer peer_table[] = {
    PEERS_OF(PEER_I32, i32),
    PEER("cub_select_if", PEER_SELECT, PEER_I32, selected, select_i32),
    PEERS_OF(PEER_F32, f32),
    PEERS_OF(PEER_I64, i64),
};
const size_t peer_table_length = sizeof peer_table / sizeof *peer_table;
