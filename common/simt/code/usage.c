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

/* ---- where .shared variables of the module lie ----------------------------------------------- */

/* Those that a device function names lie at one place in all kernels, from 0 on, followed by the
   device functions' own. The others lie in each kernel that names them behind what it reaches of
   these: kernels of one module do not pay for each other's. */

static size_t aligned(size_t at, const ptx_var *v)
{
    return (at + v->align - 1) / v->align * v->align;
}

static bool place_common(decoder *d, module *m, const uint8_t *vars)
{
    unsigned n = m->function_count, count = m->ptx->var_count;
    for (unsigned f = 0; f < n; f++) {
        m->functions[f].shared_at = decode_take(d, (count + 1) * sizeof(size_t));
        if (!m->functions[f].shared_at)
            return false;
        for (unsigned i = 0; i < count; i++)
            m->functions[f].shared_at[i] = SIZE_MAX;
    }
    for (unsigned i = 0; i < count; i++) {
        const ptx_var *v = &m->ptx->vars[i];
        bool common = false;
        for (unsigned f = 0; f < n; f++)
            common |= !m->functions[f].ptx->entry && vars[(size_t)f * count + i];
        if (v->space != PTX_SHARED || decode_dynamic_var(v) || !common)
            continue;
        size_t at = aligned(m->shared_bytes, v);
        m->shared_bytes = at + v->bytes;
        for (unsigned f = 0; f < n; f++) {
            m->functions[f].shared_at[i] = at;
            if (vars[(size_t)f * count + i])
                m->functions[f].shared_top = m->shared_bytes;
        }
    }
    return true;
}

static void place_in_kernel(module *m, code *c, const uint8_t *vars)
{
    for (unsigned i = 0; i < m->ptx->var_count; i++) {
        const ptx_var *v = &m->ptx->vars[i];
        if (!vars[i] || v->space != PTX_SHARED || decode_dynamic_var(v) ||
            c->shared_at[i] != SIZE_MAX)
            continue;
        c->shared_at[i] = aligned(c->shared_top, v);
        c->shared_top = c->shared_at[i] + v->bytes;
    }
}

/* Does a device function use dynamic shared memory? Then it begins at one place in all kernels. */
static bool named_by_function(const module *m, const uint8_t *vars)
{
    for (unsigned f = 0; f < m->function_count; f++)
        for (unsigned i = 0; i < m->ptx->var_count && !m->functions[f].ptx->entry; i++) {
            const ptx_var *v = &m->ptx->vars[i];
            if (vars[(size_t)f * m->ptx->var_count + i] && v->space == PTX_SHARED &&
                decode_dynamic_var(v))
                return true;
        }
    return false;
}

bool usage_find(decoder *d, module *m)
{
    unsigned n = m->function_count, var_count = m->ptx->var_count;
    uint8_t *calls = decode_take(d, (size_t)n * n + 1),
            *vars = decode_take(d, (size_t)n * var_count + 1);
    size_t dynamic_offset = 0;
    if (!calls || !vars)
        return false;
    for (unsigned i = 0; i < n; i++) {
        code *c = &m->functions[i];
        usage u = { m, calls + (size_t)i * n, vars + (size_t)i * var_count };
        for (unsigned k = 0; k < c->ptx->instr_count; k++) {
            const ptx_instr *p = &c->ptx->instrs[k];
            for (unsigned o = 0; o < p->operand_count; o++)
                visit_operand(p, &p->operands[o], note_use, &u);
            c->communicates |= may_communicate(p);
            c->uses_local |= c->local_bytes > 0 || op_is(p, "alloca");
            c->subword_shared |= subword_access(p) && !has(p, "global");
            c->subword_global |= subword_access(p) && !has(p, "shared") && !has(p, "shared::cta") &&
                                 !has(p, "shared::cluster");
            c->copies_out |= op_is(p, "cp") && has(p, "bulk") && has(p, "bulk_group");
            bool indirect = op_is(p, "call");
            for (unsigned o = 0; o < p->operand_count && indirect; o++)
                if (p->operands[o].kind == PTX_NAME)
                    indirect = p->operands[o].name[0] == 'p' &&
                               strncmp(p->operands[o].name, "prototype", 9) == 0;
            if (indirect)
                memset(u.calls, 1, n); /* may reach any function of the module */
        }
    }
    if (!place_common(d, m, vars))
        return false;
    for (unsigned i = 0; i < n; i++) {
        code *c = &m->functions[i];
        size_t offset;
        (void)decode_body_var(c->ptx, PTX_SHARED, NULL, &offset, &c->own_shared);
        /* a device function's own: in the module's region */
        if (!c->ptx->entry && c->own_shared) {
            c->own_shared_base = (m->shared_bytes + 15) & ~(size_t)15;
            m->shared_bytes = c->own_shared_base + c->own_shared;
            if (m->shared_bytes > c->shared_top)
                c->shared_top = m->shared_bytes;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = 0; j < n; j++) {
                code *a = &m->functions[i], *b = &m->functions[j];
                if (!calls[(size_t)i * n + j] || i == j || b->ptx->entry)
                    continue;
                if (b->shared_top > a->shared_top)
                    a->shared_top = b->shared_top, changed = true;
                if (b->communicates && !a->communicates)
                    a->communicates = changed = true;
                if (b->uses_local && !a->uses_local)
                    a->uses_local = changed = true;
                if (b->subword_shared && !a->subword_shared)
                    a->subword_shared = changed = true;
                if (b->subword_global && !a->subword_global)
                    a->subword_global = changed = true;
                if (b->copies_out && !a->copies_out)
                    a->copies_out = changed = true;
            }
    }
    for (unsigned i = 0; i < n; i++) {
        code *c = &m->functions[i];
        if (c->ptx->entry)
            place_in_kernel(m, c, vars + (size_t)i * var_count);
        if (c->ptx->entry)
            c->own_shared_base = (c->shared_top + 15) & ~(size_t)15;
        c->static_shared =
            c->ptx->entry ? (c->own_shared ? c->own_shared_base + c->own_shared : c->shared_top)
                          : 0;
        c->dynamic_offset = (c->static_shared + 127) & ~(size_t)127;
        if (c->dynamic_offset > dynamic_offset)
            dynamic_offset = c->dynamic_offset;
    }
    for (unsigned i = 0; i < n && named_by_function(m, vars); i++)
        m->functions[i].dynamic_offset = dynamic_offset;
    return true;
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
        if (v->space != PTX_SHARED ||
            (!dynamic && (at == SIZE_MAX || at + v->bytes > c->shared_top)))
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
