/*
 * table.c: the rows of ops.def, and which of them an instruction matches. Interface: op_rows
 * (code.h), table_* (decode.h).
 */
#include "code/decode.h"

#include "host_threads.h"
#include <string.h>

/* ---- the table ------------------------------------------------------------------------------- */

#define D_u16 "D"
#define D_s16 "D"
#define D_u32 "D"
#define D_s32 "D"
#define D_f32 "D"
#define D_u64 "E"
#define D_s64 "E"
#define D_f64 "E"
#define S_u16 "h"
#define S_s16 "h"
#define S_u32 "w"
#define S_s32 "w"
#define S_f32 "w"
#define S_u64 "x"
#define S_s64 "x"
#define S_f64 "x"

const op_row op_rows[] = {
#define OP(id, kind, pattern, shape, form, unset, sums)                                            \
    { #id, pattern, shape, KIND_##kind, FORM_##form, UNSET_##unset, SUMS_##sums },
#define ALU(id, pattern, shape, unset, sums)                                                       \
    { #id, pattern, shape, KIND_alu, FORM_shape, UNSET_##unset, SUMS_##sums },
#define ALU1(id, pattern, D, A, expr, unset, sums) ALU(id, pattern, D_##D S_##A, unset, sums)
#define ALU2(id, pattern, D, A, B, expr, unset, sums)                                              \
    ALU(id, pattern, D_##D S_##A S_##B, unset, sums)
#define ALU3(id, pattern, D, A, B, C, expr, unset, sums)                                           \
    ALU(id, pattern, D_##D S_##A S_##B S_##C, unset, sums)
#define CMP(id, pattern, T, expr, unset)                                                           \
    { #id, pattern, "P" S_##T S_##T, KIND_compare, FORM_setp, UNSET_##unset, SUMS_OWN },
#include "code/ops.def"
};
const size_t op_row_count = sizeof op_rows / sizeof *op_rows;
_Atomic uint64_t op_executed[sizeof op_rows / sizeof *op_rows];

/* Rows by opcode: chains in the table's order, so that an instruction is compared with those of its
   name only. */
enum { CHAINS = 256 };
static uint16_t chain_first[CHAINS], chain_next[sizeof op_rows / sizeof *op_rows];
static pthread_once_t chains_made = PTHREAD_ONCE_INIT;

static unsigned chain_of(const char *op, size_t length)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)op[i]) * 16777619u;
    return h % CHAINS;
}

static void make_chains(void)
{
    for (unsigned k = 0; k < CHAINS; k++)
        chain_first[k] = NO_ROW;
    for (size_t r = op_row_count; r-- > 0;) {
        unsigned k = chain_of(op_rows[r].pattern, strcspn(op_rows[r].pattern, "."));
        chain_next[r] = chain_first[k];
        chain_first[k] = (uint16_t)r;
    }
}

/* ---- matching an instruction with a row ------------------------------------------------------ */

static bool one_of(const char *alternatives, size_t length, const char *s)
{
    size_t n = strlen(s);
    for (const char *a = alternatives, *end = alternatives + length; a < end;) {
        const char *bar = memchr(a, '|', (size_t)(end - a));
        size_t k = (size_t)((bar ? bar : end) - a);
        if (k == n && memcmp(a, s, n) == 0)
            return true;
        a += k + 1;
    }
    return false;
}

static bool token_takes(const char *t, size_t n, const char *mod)
{
    static const struct {
        const char *name, *list;
    } classes[] = {
#define CLASS(NAME, list) { #NAME, list },
#include "code/ops.def"
    };
    if (*t == '{')
        t++, n -= 2;
    if (n == 4 && memcmp(t, "TYPE", 4) == 0)
        return ptx_type_named(mod) != PTX_NO_TYPE && ptx_type_named(mod) != PTX_PRED;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (n == strlen(classes[i].name) && memcmp(t, classes[i].name, n) == 0)
            return one_of(classes[i].list, strlen(classes[i].list), mod);
    return one_of(t, n, mod);
}

static bool ignored(const ptx_instr *p, const char *mod)
{
    if (strcmp(mod, "uni") == 0)
        return strcmp(p->op, "vote") != 0;
    if (strncmp(mod, "L1::", 4) == 0 || strncmp(mod, "L2::", 4) == 0)
        return true;
    return strcmp(mod, "rn") == 0 && strcmp(p->op, "cvt") != 0;
}

bool table_matches(const char *pattern, const ptx_instr *p)
{
    struct {
        const char *start;
        size_t length;
        bool optional, used;
    } token[PTX_MAX_MODS + 4];
    unsigned tokens = 0;
    const char *dot = strchr(pattern, '.');
    size_t op = dot ? (size_t)(dot - pattern) : strlen(pattern);
    if (strlen(p->op) != op || memcmp(p->op, pattern, op) != 0)
        return false;
    while (dot) {
        const char *s = dot + 1;
        const char *close = *s == '{' ? strchr(s, '}') + 1 : s + strcspn(s, ".?");
        token[tokens].start = s;
        token[tokens].length = (size_t)(close - s);
        token[tokens].optional = *close == '?';
        token[tokens++].used = false;
        dot = strchr(close, '.');
    }
    int last_type = -1;
    for (unsigned m = 0; m < p->mod_count; m++) {
        if (ignored(p, p->mods[m]))
            continue;
        bool type = ptx_type_named(p->mods[m]) != PTX_NO_TYPE, taken = false;
        for (int t = type ? last_type + 1 : 0; t < (int)tokens && !taken; t++) {
            if (token[t].used || !token_takes(token[t].start, token[t].length, p->mods[m]))
                continue;
            token[t].used = taken = true;
            if (type)
                last_type = t;
        }
        if (!taken)
            return false;
    }
    for (unsigned t = 0; t < tokens; t++)
        if (!token[t].used && !token[t].optional)
            return false;
    return true;
}

unsigned table_first(const char *op)
{
    pthread_once(&chains_made, make_chains);
    return chain_first[chain_of(op, strlen(op))];
}

unsigned table_next(unsigned row) { return chain_next[row]; }
