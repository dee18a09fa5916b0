/*
 * forms.c: see forms.h. In reading order: the rows; the choices of a pattern; their combinations.
 *
 * Modifiers that change no value (orders, scopes, caches, names of one space) are varied one at a
 * time, all others in every combination, or, of a row with more than MOST_FORMS of them, in a part
 * of the combinations in which each choice occurs. Combinations that PTX does not have are made as
 * well: the driver refuses them, and the record says so.
 */
#include "forms.h"

#include "variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FORMS = 256 };

/* ---- the rows: their lane types, where ops.def gives them, else their shape ------------------ */

static const row rows[] = {
#define OP(id, kind, pattern, shape, form, unset, sums) { #id, pattern, shape, #form, { 0 } },
#define ALU1(id, pattern, D, A, expr, unset, sums)      { #id, pattern, "", "alu", { #D, #A } },
#define ALU2(id, pattern, D, A, B, expr, unset, sums)   { #id, pattern, "", "alu", { #D, #A, #B } },
#define ALU3(id, pattern, D, A, B, C, expr, unset, sums)                                           \
    { #id, pattern, "", "alu", { #D, #A, #B, #C } },
#define CMP(id, pattern, T, expr, unset) { #id, pattern, "", "setp", { #T, #T } },
#include "code/ops.def"
};

size_t form_rows(void) { return sizeof rows / sizeof *rows; }
const char *form_row_name(size_t r) { return r < form_rows() ? rows[r].name : ""; }

/* ---- the choices of a pattern ---------------------------------------------------------------- */

/* choices lie in list */
typedef struct token {
    char *list;
    const char *choice[24];
    unsigned choices;
    bool hint;
} token;

static const struct {
    const char *name, *list;
} classes[] = {
#define CLASS(NAME, list) { #NAME, list },
#include "code/ops.def"
    { "TYPE", "b8|u8|s8|b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64" },
};

/* One ".name", ".{a|b}" or ".{a|b}?" of a pattern. The caller frees t->list. */
static const char *read_token(const char *s, token *t)
{
    size_t length = *s == '{' ? strcspn(s + 1, "}") : strcspn(s, ".?");
    char *list = strndup(*s == '{' ? s + 1 : s, length);
    s += length + (*s == '{' ? 2 : 0);
    for (size_t i = 0; list && i < sizeof classes / sizeof *classes; i++)
        if (!strcmp(list, classes[i].name)) {
            t->hint = strcmp(list, "TYPE") != 0;
            free(list);
            list = strdup(classes[i].list);
        }
    if (!(t->list = list))
        exit(3);
    if (*s == '?') {
        t->choice[t->choices++] = "";
        s++;
    }
    t->hint |=
        !strcmp(list, "nc") || !strcmp(list, "shared|shared::cta") || !strcmp(list, "aligned");
    for (char *save, *word = strtok_r(list, "|", &save); word && t->choices < 24;
         word = strtok_r(NULL, "|", &save))
        t->choice[t->choices++] = word;
    return s;
}

static void insert(variant *v, unsigned at, const char *mod)
{
    if (v->mods == MOST_MODS)
        return;
    memmove(&v->mod[at + 1], &v->mod[at], (v->mods - at) * sizeof v->mod[0]);
    snprintf(v->mod[at], sizeof v->mod[at], "%s", mod);
    v->mods++;
}

/* Modifiers that PTX wants and patterns leave out: .rn of exact operations; of loads and stores a
   scope beside an order, and an order beside a scope. */
static void complete(variant *v)
{
    static const char *const rounded[] = { "fma", "mad", "div", "rcp", "sqrt", NULL },
                             *const modes[] = { "rn", "rz", "rm", "rp", "approx", "full", NULL };
    static const char *const orders[] = { "relaxed", "acquire", "release", NULL },
                             *const scopes[] = { "cta", "cluster", "gpu", "sys", NULL };
    test_type type[MOST_TYPES];
    bool half = variant_has(v, "f16") || variant_has(v, "f16x2") || variant_has(v, "bf16") ||
                variant_has(v, "bf16x2");
    bool rounds = one_of(v->op, rounded) && (half || (variant_types(v, type) && is_float(type[0]))),
         memory = !strcmp(v->op, "ld") || !strcmp(v->op, "st");
    int order = -1, scope = -1;
    for (unsigned i = 0; i < v->mods; i++) {
        rounds &= !one_of(v->mod[i], modes);
        order = one_of(v->mod[i], orders) ? (int)i : order;
        scope = one_of(v->mod[i], scopes) ? (int)i : scope;
    }
    if (rounds)
        insert(v, 0, "rn");
    if (memory && order >= 0 && scope < 0)
        insert(v, (unsigned)order + 1, "gpu");
    if (memory && scope >= 0 && order < 0)
        insert(v, (unsigned)scope, "relaxed");
}

static void name_variant(variant *v)
{
    size_t n = (size_t)snprintf(v->name, sizeof v->name, "%s", v->op);
    for (unsigned i = 0; i < v->mods; i++)
        n += (size_t)snprintf(v->name + n, sizeof v->name - n, ".%s", v->mod[i]);
}

/* ---- forms ----------------------------------------------------------------------------------- */

static bool make_form(variant *v, form *f)
{
    complete(v);
    name_variant(v);
    if (!variant_write(v))
        return false;
    test_launch *l = calloc(1, sizeof *l);
    if (!l)
        exit(3);
    *f = (form){ .row = (size_t)(v->row - rows) };
    snprintf(f->name, sizeof f->name, "%s", v->name);
    snprintf(f->c.name, sizeof f->c.name, "%.120s", v->row->name);
    snprintf(l->label, sizeof l->label, "%.150s", v->name);
    strcpy(l->kernel, "form");
    l->grid[0] = l->grid[1] = l->grid[2] = l->block[0] = l->block[1] = l->block[2] = 1;
    variant_give(l, v);
    f->c.gpu = true;
    f->c.text = realloc(v->text, v->have + 1);
    f->c.text_bytes = v->have;
    f->c.launch = l;
    f->c.launches = 1;
    return true;
}

typedef struct list {
    form *item;
    size_t count, room;
} list;

static void add_form(list *all, const row *r, const token *tokens, unsigned count,
                     const unsigned *chosen)
{
    variant v = { .row = r };
    snprintf(v.op, sizeof v.op, "%.*s", (int)strcspn(r->pattern, "."), r->pattern);
    for (unsigned t = 0; t < count; t++)
        if (*tokens[t].choice[chosen[t]])
            snprintf(v.mod[v.mods++], sizeof v.mod[0], "%s", tokens[t].choice[chosen[t]]);
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 1024;
        all->item = realloc(all->item, all->room * sizeof *all->item);
        if (!all->item)
            exit(3);
    }
    all->count += make_form(&v, &all->item[all->count]);
}

/* The next choice of the tokens that are no hints; false after the last. */
static bool advance(const token *tokens, unsigned count, unsigned *chosen)
{
    for (unsigned t = count; t-- > 0;) {
        if (tokens[t].hint)
            continue;
        if (++chosen[t] < tokens[t].choices)
            return true;
        chosen[t] = 0;
    }
    return false;
}

/* The choice of a token that fits most others: atomics have few types that all operations take. */
static unsigned common_choice(const row *r, const token *t)
{
    for (unsigned k = 0; k < t->choices && !strcmp(r->decode, "atomic"); k++)
        if (!strcmp(t->choice[k], "u32"))
            return k;
    return 0;
}

/* Each hint in turn, each time with other choices of the rest where all of them fit together. */
static void add_hints(list *all, const row *r, const token *tokens, unsigned count)
{
    unsigned plain[MOST_MODS] = { 0 }, chosen[MOST_MODS];
    for (unsigned t = 0; t < count; t++)
        plain[t] = common_choice(r, &tokens[t]);
    for (unsigned t = 0; t < count; t++)
        for (unsigned k = 1; tokens[t].hint && k < tokens[t].choices; k++) {
            for (unsigned skip = 0; skip < 7 && strcmp(r->decode, "atomic"); skip++)
                advance(tokens, count, plain);
            memcpy(chosen, plain, sizeof chosen);
            chosen[t] = k;
            add_form(all, r, tokens, count, chosen);
        }
}

/* 1, or a prime that shares no factor with any number of choices. (Most choices of cvt do not
   exist: see cvt_exists of variant.c.) */
static size_t step_through(const row *r, const token *tokens, unsigned count)
{
    static const size_t primes[] = { 1, 7, 11, 13, 17, 19, 23 };
    size_t product = 1, k = 0;
    for (unsigned t = 0; t < count; t++)
        product *= tokens[t].hint ? 1 : tokens[t].choices;
    while (strcmp(r->decode, "cvt") && product / primes[k] > MOST_FORMS &&
           k + 1 < sizeof primes / sizeof *primes)
        k++;
    return primes[k];
}

static void add_row(list *all, const row *r)
{
    token tokens[MOST_MODS] = { 0 };
    unsigned count = 0, chosen[MOST_MODS] = { 0 };
    if (!variant_of_row(r))
        return;
    for (const char *s = strchr(r->pattern, '.'); s && *s && count < MOST_MODS;)
        s = read_token(s + 1, &tokens[count++]);
    size_t step = step_through(r, tokens, count), n = 0;
    do
        if (n++ % step == 0)
            add_form(all, r, tokens, count, chosen);
    while (advance(tokens, count, chosen));
    add_hints(all, r, tokens, count);
    for (unsigned t = 0; t < count; t++)
        free(tokens[t].list);
}

form *forms_make(size_t *count)
{
    list all = { 0 };
    for (size_t r = 0; r < form_rows(); r++)
        add_row(&all, &rows[r]);
    *count = all.count;
    return all.item;
}
