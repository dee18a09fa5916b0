/*
 * host_items.c: in place of items.c, for host_bench: the peers, made of their own references, and
 * the wrong reductions of wrong.cu in C. All run on the host's memory, which host_cuda.c takes for
 * the device's.
 */
#include <stdio.h>
#include <string.h>

#include "host_cuda.h"
#include "items.h"

const char *items_type_name(peer_type type)
{
    return type == PEER_I32 ? "i32" : type == PEER_F32 ? "f32" : "i64";
}

static int run_peer(peer_op op, peer_type type, void *temp, size_t *temp_bytes,
                    void *const *buffers, long long n)
{
    if (!temp) {
        *temp_bytes = 1000;
        return 0;
    }
    for (size_t p = 0; p < peer_table_length; p++)
        if (peer_table[p].op == op && peer_table[p].type == type)
            peer_table[p].part.reference(buffers, (size_t)n);
    return 0;
}

static float sum(const float *in, int n)
{
    float total = 0;

    for (int i = 0; i < n; i++)
        total += in[i];
    return total;
}

static void right_total(const float *in, float *out, int n) { *out = sum(in, n); }
static void short_total(const float *in, float *out, int n) { *out = sum(in, n - 1); }
static void absent_total(const float *in, float *out, int n)
{
    (void)in;
    (void)out;
    (void)n;
}

static void stale_total(const float *in, float *out, int n)
{
    static float kept;
    static int kept_n;

    if (kept_n != n)
        kept = sum(in, n);
    kept_n = n;
    *out = kept;
}

static void beside_total(const float *in, float *out, int n)
{
    *out = sum(in, n);
    out[1] = 0;
}

static void input_total(float *in, float *out, int n)
{
    *out = sum(in, n);
    in[n - 1] = 100;
}

static void refused_total(const float *in, float *out, int n)
{
    (void)in;
    (void)out;
    (void)n;
    host_cuda_fail();
}

/* A pointer to a function is one to an object by its bits, as for dlsym. */
#define WRONG(name)                                                                                \
    {                                                                                              \
        "03_divergence_free_reduction." #name, { .wrong = (void (*)(void))name }                   \
    }
static const struct {
    const char *what;
    union {
        void (*wrong)(void);
        void *entry;
    } as;
} wrongs[] = {
    WRONG(right_total),  WRONG(short_total), WRONG(absent_total),  WRONG(stale_total),
    WRONG(beside_total), WRONG(input_total), WRONG(refused_total),
};

/* In host_bench a folder called "right" has nothing but the peers; any other the wrong ones too. */
bool items_load(items *all, const char *folder, base_error *error)
{
    const bool all_right = strcmp(folder, "right") == 0;
    const lab_part *total = NULL;

    memset(all, 0, sizeof *all);
    for (size_t p = 0; p < peer_table_length; p++) {
        item *i = &all->item[all->count++];
        *i = (item){ .type = peer_table[p].type,
                     .peer = &peer_table[p],
                     .run_peer = run_peer,
                     .part = &peer_table[p].part,
                     .most_n = 1 << 30,
                     .answer = -1 };
        snprintf(i->what, sizeof i->what, "%s", peer_table[p].what);
        if (peer_table[p].type == PEER_F32 && peer_table[p].op == PEER_REDUCE)
            total = &peer_table[p].part;
    }
    for (size_t w = 0; !all_right && w < sizeof wrongs / sizeof *wrongs; w++) {
        item *i = &all->item[all->count++];
        *i = (item){ .type = PEER_F32,
                     .part = total,
                     .entry = wrongs[w].as.entry,
                     .most_n = 1 << 30,
                     .answer = -1 };
        snprintf(i->what, sizeof i->what, "%s", wrongs[w].what);
    }
    return total || error_set(error, "there is no reduction of floats among the peers");
}

void items_drop(items *all) { memset(all, 0, sizeof *all); }
