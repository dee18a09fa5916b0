/*
 * usage.c: what the functions of a module use, over the call graph: shared variables and where they
 * lie, callees, whether blocks may pass anything to each other. Interface: usage_* (decode.h).
 */
#include "code/decode.h"

#include <string.h>

static int function_index(const module *m, const char *name)
{
    for (unsigned i = 0; i < m->function_count; i++)
        if (strcmp(m->ptx->functions[i].name, name) == 0)
            return (int)i;
    return -1;
}

typedef void name_visitor(void *user, const ptx_instr *p, const char *name);

static void visit_operand(const ptx_instr *p, const ptx_operand *o, name_visitor *visit, void *user)
{
    if (o->name && o->reg < 0)
        visit(user, p, o->name);
    for (unsigned k = 0; k < o->item_count; k++)
        visit_operand(p, &o->items[k], visit, user);
}

/* of one function: functions and module variables that it names */
typedef struct usage {
    module *m;
    uint8_t *calls, *vars;
} usage;

static void note_use(void *user, const ptx_instr *p, const char *name)
{
    (void)p;
    usage *u = user;
    for (unsigned i = 0; i < u->m->ptx->var_count; i++)
        if (strcmp(u->m->ptx->vars[i].name, name) == 0)
            u->vars[i] = 1;
    int f = function_index(u->m, name);
    if (f >= 0)
        u->calls[f] = 1;
}

/* Can blocks pass anything to each other through this instruction? If so, blocks run on one host
   thread, interleaved. */
static bool may_communicate(const ptx_instr *p)
{
    bool shared =
        has(p, "shared") || has(p, "shared::cta") || has(p, "shared::cluster") || has(p, "local");
    if (op_is(p, "atom") || op_is(p, "red"))
        return !shared;
    if (op_is(p, "membar"))
        return !has(p, "cta");
    if (op_is(p, "fence"))
        return !has(p, "cta") && !has(p, "proxy") && !has(p, "mbarrier_init");
    if (op_is(p, "ld") || op_is(p, "st"))
        return !shared &&
               (has(p, "volatile") || has(p, "relaxed") || has(p, "acquire") || has(p, "release"));
    if (op_is(p, "call"))
        for (unsigned k = 0; k < p->operand_count; k++) {
            const char *builtin =
                p->operands[k].kind == PTX_NAME ? decode_builtin(p->operands[k].name) : NULL;
            if (builtin && (strcmp(builtin, "malloc") == 0 || strcmp(builtin, "free") == 0))
                return true;
        }
    return false;
}

/* By a cache that all blocks share, past the ones of their own. The memory model makes no promise;
   CUB 1.17 waits so for what other blocks store. */
static bool passes_own_cache(const ptx_instr *p, const char *op)
{
    return op_is(p, op) && (has(p, "cg") || has(p, "cv") || has(p, "wt"));
}

static bool subword_access(const ptx_instr *p)
{
    if (!(op_is(p, "ld") || op_is(p, "st") || op_is(p, "atom")) || has(p, "param") ||
        has(p, "const") || has(p, "local"))
        return false;
    for (unsigned k = 0; k < p->mod_count; k++) {
        ptx_type t = ptx_type_named(p->mods[k]);
        if (t == PTX_B8 || t == PTX_B16)
            return true;
    }
    return false;
}

/* ---- where .shared variables lie ----------------------------------------------------------- */

/* Things in shared memory: the module's variables, then what each device function has in its body.
   A row for each function says which of them it reaches, itself or by calls. */

static bool named_by_function(const module *m, const uint8_t *rows, size_t width, unsigned thing)
{
    for (unsigned f = 0; f < m->function_count; f++)
        if (!m->functions[f].ptx->entry && rows[f * width + thing])
            return true;
    return false;
}

/* Puts `bytes` more after what the kernel has. */
static void take_shared(code *c, size_t at, size_t bytes, size_t align)
{
    c->shared_top = at + bytes;
    c->static_shared = (c->static_shared + align - 1) / align * align + bytes;
}

static size_t aligned(size_t at, size_t align) { return (at + align - 1) / align * align; }

/* What device functions name lies at one place in all kernels that reach it, after what any of
   these has already. So there may be holes, which a kernel does not pay for. Returns the place. */
static size_t place_common(module *m, const uint8_t *rows, size_t width, unsigned thing,
                           size_t bytes, size_t align)
{
    size_t at = 0;

    for (unsigned f = 0; f < m->function_count; f++) {
        const code *c = &m->functions[f];
        if (c->ptx->entry && rows[f * width + thing] && c->shared_top > at)
            at = c->shared_top;
    }
    at = aligned(at, align);
    for (unsigned f = 0; f < m->function_count; f++) {
        code *c = &m->functions[f];
        if (c->ptx->entry && rows[f * width + thing])
            take_shared(c, at, bytes, align);
    }
    return at;
}

static bool is_static(const ptx_var *v) { return v->space == PTX_SHARED && !decode_dynamic_var(v); }

static void place_variables(module *m, const uint8_t *rows, size_t width)
{
    for (unsigned i = 0; i < m->ptx->var_count; i++) {
        const ptx_var *v = &m->ptx->vars[i];
        const bool common = is_static(v) && named_by_function(m, rows, width, i);
        const size_t at = common ? place_common(m, rows, width, i, v->bytes, v->align) : SIZE_MAX;
        for (unsigned f = 0; f < m->function_count; f++)
            m->functions[f].shared_at[i] = rows[f * width + i] ? at : SIZE_MAX;
    }
}

/* The kernel's alone: variables that only kernels name, and its body's. */
static void place_own(module *m, code *c, const uint8_t *row)
{
    for (unsigned i = 0; i < m->ptx->var_count; i++) {
        const ptx_var *v = &m->ptx->vars[i];
        if (!row[i] || !is_static(v) || c->shared_at[i] != SIZE_MAX)
            continue;
        c->shared_at[i] = aligned(c->shared_top, v->align);
        take_shared(c, c->shared_at[i], v->bytes, v->align);
    }
    c->own_shared_base = aligned(c->shared_top, 16);
    if (c->own_shared)
        take_shared(c, c->own_shared_base, c->own_shared, 16);
}

static bool place_shared(decoder *d, module *m, const uint8_t *rows, size_t width)
{
    const unsigned n = m->function_count, vars = m->ptx->var_count;
    size_t dynamic_offset = 0;

    for (unsigned f = 0; f < n; f++) {
        m->functions[f].shared_at = decode_take(d, (width + 1) * sizeof(size_t));
        if (!m->functions[f].shared_at)
            return false;
    }
    place_variables(m, rows, width);
    for (unsigned f = 0; f < n; f++)
        if (!m->functions[f].ptx->entry && m->functions[f].own_shared)
            m->functions[f].own_shared_base =
                place_common(m, rows, width, vars + f, m->functions[f].own_shared, 16);
    for (unsigned f = 0; f < n; f++) {
        code *c = &m->functions[f];
        for (unsigned k = 0; k < n; k++)
            c->shared_at[vars + k] =
                rows[f * width + vars + k] ? m->functions[k].own_shared_base : SIZE_MAX;
        if (c->ptx->entry)
            place_own(m, c, rows + f * width);
        c->dynamic_offset = aligned(c->shared_top, 128);
        if (c->dynamic_offset > dynamic_offset)
            dynamic_offset = c->dynamic_offset;
    }
    /* where a device function uses dynamic shared memory, it begins at one place in all kernels */
    for (unsigned i = 0; i < vars; i++)
        if (m->ptx->vars[i].space == PTX_SHARED && decode_dynamic_var(&m->ptx->vars[i]) &&
            named_by_function(m, rows, width, i))
            for (unsigned f = 0; f < n; f++)
                m->functions[f].dynamic_offset = dynamic_offset;
    return true;
}

/* ---- over the call graph --------------------------------------------------------------------- */

/* What b does, a does, which calls it. True if that is news. */
static bool joined(code *a, const code *b, uint8_t *row, const uint8_t *callee, size_t width)
{
    bool changed = false;
#define JOIN(what)                                                                                 \
    changed |= b->what && !a->what;                                                                \
    a->what |= b->what
    JOIN(communicates);
    JOIN(uses_local);
    JOIN(subword_shared);
    JOIN(subword_global);
    JOIN(bulk_copies);
#undef JOIN
    for (size_t k = 0; k < width; k++) {
        changed |= callee[k] && !row[k];
        row[k] |= callee[k];
    }
    return changed;
}

static void find_own(module *m, code *c, uint8_t *calls, uint8_t *row)
{
    usage u = { m, calls, row };
    size_t offset;
    bool loads = false, stores = false;

    for (unsigned k = 0; k < c->ptx->instr_count; k++) {
        const ptx_instr *p = &c->ptx->instrs[k];
        for (unsigned o = 0; o < p->operand_count; o++)
            visit_operand(p, &p->operands[o], note_use, &u);
        loads |= passes_own_cache(p, "ld");
        stores |= passes_own_cache(p, "st");
        c->communicates |= may_communicate(p) || (loads && stores);
        c->uses_local |= c->local_bytes > 0 || op_is(p, "alloca");
        c->subword_shared |= subword_access(p) && !has(p, "global");
        c->subword_global |= subword_access(p) && !has(p, "shared") && !has(p, "shared::cta") &&
                             !has(p, "shared::cluster");
        c->bulk_copies |= op_is(p, "cp") && has(p, "bulk");
        bool indirect = op_is(p, "call");
        for (unsigned o = 0; o < p->operand_count && indirect; o++)
            if (p->operands[o].kind == PTX_NAME)
                indirect = p->operands[o].name[0] == 'p' &&
                           strncmp(p->operands[o].name, "prototype", 9) == 0;
        if (indirect)
            memset(calls, 1, m->function_count); /* may reach any function of the module */
    }
    (void)decode_body_var(c->ptx, PTX_SHARED, NULL, &offset, &c->own_shared);
    row[m->ptx->var_count + (size_t)(c - m->functions)] = !c->ptx->entry && c->own_shared > 0;
}

bool usage_find(decoder *d, module *m)
{
    const unsigned n = m->function_count;
    const size_t width = (size_t)m->ptx->var_count + n;
    uint8_t *calls = decode_take(d, (size_t)n * n + 1), *rows = decode_take(d, n * width + 1);

    if (!calls || !rows)
        return false;
    for (unsigned i = 0; i < n; i++)
        find_own(m, &m->functions[i], calls + (size_t)i * n, rows + i * width);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = 0; j < n; j++) {
                code *a = &m->functions[i], *b = &m->functions[j];
                if (calls[(size_t)i * n + j] && i != j && !b->ptx->entry)
                    changed |= joined(a, b, rows + i * width, rows + j * width, width);
            }
    }
    return place_shared(d, m, rows, width);
}

/* Does a shift by as many bits as the value has, or more, say that the source has one? PTX defines
   such shifts; C and C++ do not, and a compiler may take it that there are none. Where a program
   asks first (n < 32 ? x << n : 0), LLVM from 20 on leaves the test out, since the instruction
   gives the same; then such a shift says nothing about the source. That compiler also writes loads
   of parameters without a type (.b32, .b64): this is how its text is recognised. */
bool usage_shifts_tell(const ptx_module *m)
{
    for (unsigned f = 0; f < m->function_count; f++)
        for (unsigned k = 0; k < m->functions[f].instr_count; k++) {
            const ptx_instr *p = &m->functions[f].instrs[k];
            if (op_is(p, "ld") && (has(p, "u32") || has(p, "u64") || has(p, "s32")))
                return true;
        }
    return false;
}

bool usage_list_shared(decoder *d, module *m, code *c)
{
    unsigned room = m->ptx->var_count + c->ptx->var_count;
    c->shared_vars = decode_take(d, (room + 1) * sizeof *c->shared_vars);
    if (!c->shared_vars)
        return false;
    for (unsigned i = 0; i < m->ptx->var_count; i++) {
        const ptx_var *v = &m->ptx->vars[i];
        bool dynamic = decode_dynamic_var(v);
        size_t at = dynamic ? c->dynamic_offset : c->shared_at[i];
        if (v->space != PTX_SHARED || (!dynamic && at == SIZE_MAX))
            continue;
        c->shared_vars[c->shared_var_count++] =
            (shared_var){ v->name, at, dynamic ? SHARED_DYNAMIC : v->bytes, ptx_element(v) };
    }
    size_t at = c->own_shared_base;
    for (unsigned i = 0; i < c->ptx->var_count; i++) {
        const ptx_var *v = &c->ptx->vars[i];
        if (v->space != PTX_SHARED)
            continue;
        at = (at + v->align - 1) / v->align * v->align;
        c->shared_vars[c->shared_var_count++] =
            (shared_var){ v->name, at, v->bytes, ptx_element(v) };
        at += v->bytes;
    }
    return true;
}
