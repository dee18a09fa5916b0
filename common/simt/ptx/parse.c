/*
 * parse.c: tokens to a ptx_module, by recursive descent. Errors are "name:line:column: what" with
 * the line and a caret. Here: functions and directives of a module; what stands between the braces
 * of a function is body.c, variables are variable.c, tokens reader.c. Interface in ptx.h.
 * Invariants: every register operand names an index below reg_count; every string and array lives
 * in the module's arena; what the engine has no use for (.section, linkage) is skipped
 * while parsing and nowhere else. Sizes are checked while parsing, so that nothing after it can
 * overflow.
 */
#include "ptx/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_PARAMS = 32764, /* bytes of a kernel's parameters; PTX ISA, ".param" */
    MAX_PARAM_COUNT = 4096,
    MAX_CONST = 65536, /* bytes of a module's .const variables: ptxas refuses more */
    MAX_FUNCTIONS = 4096,
    MAX_THREADS = 1024,   /* of a block */
    MAX_NAMED = 256,      /* kernels whose parameters are named; each is a search */
    MAX_MEMBER = 1 << 20, /* bytes of a member, or of an element of it */
};

/* ---- module level ---------------------------------------------------------------------------- */

static void parameters(parser *p, ptx_var **vars, unsigned *count, size_t most)
{
    if (!parse_accept(p, "("))
        return;
    if (parse_accept(p, ")"))
        return;
    do {
        ptx_token at = p->token;
        bool in_register = parse_accept(p, ".reg");
        if (in_register && most == MAX_PARAMS)
            parse_fail_at(p, &at, "a kernel's parameters are .param, not .reg");
        if (!in_register)
            parse_expect(p, ".param");
        if (*count == MAX_PARAM_COUNT)
            parse_fail_at(p, &p->token, "more than %d parameters", MAX_PARAM_COUNT);
        ptx_var v = parse_variable(p, PTX_PARAM);
        v.in_register = in_register;
        *(ptx_var *)parse_push(p, (void **)vars, count, sizeof v) = v;
        parse_check_room(p, *vars, *count, PTX_PARAM, most, "the parameters");
    } while (parse_more(p, ")"));
    parse_next(p);
}

/* A prototype and its definition are one function: a later definition takes the prototype's
   place. */
static ptx_function *function_named(parser *p, const char *name)
{
    for (unsigned i = 0; i < p->module->function_count; i++)
        if (strcmp(p->module->functions[i].name, name) == 0)
            return &p->module->functions[i];
    if (p->module->function_count == MAX_FUNCTIONS)
        parse_fail_text(p, p->previous, "a module with more than %d functions", MAX_FUNCTIONS);
    ptx_function *f = PUSH(p, p->module->functions, p->module->function_count);
    f->name = name;
    return f;
}

/* Does the next thing of the module begin here? A prototype's semicolon may be left out. */
static bool begins_next(const parser *p)
{
    static const char *const starts[] = { ".visible", ".extern", ".weak",   ".entry",   ".func",
                                          ".global",  ".const",  ".shared", ".section", ".file" };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (parse_is(p, starts[i]))
            return true;
    return false;
}

/* The product after .maxntid and .reqntid. */
static unsigned thread_count(parser *p)
{
    uint64_t product = 1;
    do {
        ptx_token at = p->token;
        unsigned n = parse_small(p, "a thread count");
        if (n == 0 || (product *= n) > MAX_THREADS)
            parse_fail_at(p, &at, "a block has 1 to %d threads", MAX_THREADS);
    } while (parse_accept(p, ","));
    return (unsigned)product;
}

/* What a function's head may hold besides, for a register allocator or for newer GPUs: passed
   over. */
static void hint(parser *p)
{
    static const char *const known[] = {
        ".minnctapersm",    ".maxnctapersm",      ".maxnreg",        ".pragma",
        ".explicitcluster", ".reqnctapercluster", ".maxclusterrank", ".blocksareclusters",
        ".attribute",       ".unified",           ".abi_preserve",   ".abi_preserve_control"
    };
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        found |= parse_is(p, known[i]);
    if (!found)
        parse_fail_at(p, &p->token, "the engine does not know the directive '%.*s' of a function",
                      p->token.length > 60 ? 60 : (int)p->token.length, p->token.start);
    bool pragma = parse_accept(p, ".pragma");
    if (!pragma)
        parse_next(p);
    while (p->token.kind == PTX_T_NUMBER || p->token.kind == PTX_T_STRING || parse_is(p, ",") ||
           parse_is(p, "(") || parse_is(p, ")"))
        parse_next(p);
    if (pragma)
        (void)parse_accept(p, ";");
}

static void function(parser *p, bool entry)
{
    ptx_function head = { .entry = entry, .ptx_line = p->token.line };
    if (entry && parse_is(p, "("))
        parse_fail_at(p, &p->token, "a kernel has no result");
    parameters(p, &head.results, &head.result_count, MAX_CALL_PARAMS);
    ptx_token at = p->token;
    head.name = parse_word(p, "a function name");
    parameters(p, &head.params, &head.param_count, entry ? MAX_PARAMS : MAX_CALL_PARAMS);
    while (p->token.kind == PTX_T_DOT && !begins_next(p)) {
        if (parse_accept(p, ".maxntid") || parse_accept(p, ".reqntid")) {
            head.max_threads = thread_count(p);
        } else if (parse_accept(p, ".noreturn")) {
            head.noreturn = true;
        } else {
            hint(p);
        }
    }
    ptx_function *f = function_named(p, head.name);
    if (begins_next(p) || parse_accept(p, ";")) {
        if (!f->defined)
            *f = head;
        return;
    }
    if (f->defined)
        parse_fail_at(p, &at, "'%s' is defined twice", head.name);
    bool noreturn = f->noreturn || head.noreturn;
    *f = head;
    f->noreturn = noreturn;
    f->defined = true;
    p->function = f;
    parse_body(p);
    p->function = NULL;
}

static void file_name(parser *p)
{
    ptx_token at = p->token;
    unsigned index = parse_small(p, "a file number");
    if (index > 65535)
        parse_fail_at(p, &at, "a file number beyond 65535");
    while (p->module->file_count <= index)
        *PUSH(p, p->module->files, p->module->file_count) =
            *PUSH(p, p->module->paths, p->module->path_count) = "";
    if (p->token.kind != PTX_T_STRING)
        parse_fail_expected(p, "a file name in quotes");
    const char *s = p->token.start + 1, *stop = p->token.start + p->token.length - 1;
    p->module->paths[index] = parse_text(p, s, (size_t)(stop - s));
    for (const char *c = s; c < stop; c++)
        if (*c == '/')
            s = c + 1;
    p->module->files[index] = parse_text(p, s, (size_t)(stop - s));
    parse_next(p);
    while (parse_accept(p, ","))
        (void)parse_integer(p, "a number");
}

static void module_variable(parser *p, ptx_space space, bool external)
{
    ptx_var v = parse_variable(p, space);
    v.external = external;
    *PUSH(p, p->module->vars, p->module->var_count) = v;
    parse_expect(p, ";");
}

static void version(parser *p)
{
    if (p->token.kind != PTX_T_NUMBER)
        parse_fail_expected(p, "a PTX version such as 7.5");
    parse_next(p);
}

static bool is_name(const char *s, size_t length)
{
    for (size_t k = 0; k < length; k++)
        if (!strchr("?_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", s[k]))
            return false;
    return length > 0;
}

/* "scan d_in d_out n", to the closing quote; once for each kernel. */
static void name_parameters(parser *p, const char *s)
{
    size_t length = strcspn(s, " \"");
    const char *kernel = parse_text(p, s, length);
    ptx_function *f = NULL;
    for (unsigned k = 0; k < p->module->function_count && !f; k++)
        if (strcmp(p->module->functions[k].name, kernel) == 0)
            f = &p->module->functions[k];
    for (bool first = f && !f->sources; first && *(s += length) == ' ';) {
        length = strcspn(++s, " \"");
        if (!is_name(s, length) || f->source_count == f->param_count)
            break;
        *PUSH(p, f->sources, f->source_count) = parse_text(p, s, length);
    }
}

/* "s .full 64 8 6 .r.last 112 4 1", to the closing quote at `end`. */
static void name_members(parser *p, const char *s, const char *end)
{
    size_t length = strcspn(s, " \"");
    const char *variable = parse_text(p, s, length);
    while ((s += length) < end) {
        char *stop;
        length = strcspn(++s, " \"");
        ptx_member m = { .variable = variable, .name = parse_text(p, s, length) };
        m.offset = strtoull(s + length, &stop, 10);
        m.bytes = strtoull(stop, &stop, 10);
        m.count = strtoull(stop, &stop, 10);
        if (m.name[0] != '.' || m.bytes - 1 >= MAX_MEMBER || m.count == 0 || stop > end)
            break;
        *PUSH(p, p->module->members, p->module->member_count) = m;
        s = stop;
        length = 0;
    }
}

/* Of another pragma nothing is made, nor of what follows something that is not as ptx.h says. */
static void module_pragma(parser *p)
{
    static const char members[] = "\"members ", parameters[] = "\"parameters ";
    const char *s = p->token.start, *const end = s + p->token.length - 1;
    const bool ours = p->token.kind == PTX_T_STRING && !p->versioned;
    if (ours && strncmp(s, parameters, strlen(parameters)) == 0 && p->named_count < MAX_NAMED)
        *PUSH(p, p->named, p->named_count) = s + strlen(parameters);
    if (ours && strncmp(s, members, strlen(members)) == 0)
        name_members(p, s + strlen(members), end);
    parse_to_semicolon(p);
}

static void top_level(parser *p)
{
    bool external = false;
    while (parse_is(p, ".visible") || parse_is(p, ".extern") || parse_is(p, ".weak") ||
           parse_is(p, ".common")) {
        external |= parse_is(p, ".extern");
        parse_next(p);
    }
    if (parse_accept(p, ".version")) {
        p->versioned = true;
        version(p);
    } else if (parse_accept(p, ".target")) {
        do {
            const char *word = parse_word(p, "a target such as sm_75");
            if (strncmp(word, "sm_", 3) == 0)
                p->module->target = (unsigned)strtoul(word + 3, NULL, 10);
        } while (parse_accept(p, ","));
    } else if (parse_accept(p, ".address_size")) {
        ptx_token at = p->token;
        if (parse_small(p, "an address size") != 64)
            parse_fail_at(p, &at, "the engine runs 64-bit PTX only");
    } else if (parse_accept(p, ".file"))
        file_name(p);
    else if (parse_accept(p, ".section")) {
        parse_next(p);
        parse_braces(p);
    } else if (parse_accept(p, ".pragma"))
        module_pragma(p);
    else if (parse_is(p, ".alias"))
        parse_to_semicolon(p);
    else if (parse_accept(p, ".global"))
        module_variable(p, PTX_GLOBAL, external);
    else if (parse_accept(p, ".const"))
        module_variable(p, PTX_CONST, external);
    else if (parse_accept(p, ".shared"))
        module_variable(p, PTX_SHARED, external);
    else if (parse_accept(p, ".entry"))
        function(p, true);
    else if (parse_accept(p, ".func"))
        function(p, false);
    else if (parse_is(p, ".tex") || parse_is(p, ".texref") || parse_is(p, ".surfref") ||
             parse_is(p, ".samplerref"))
        parse_fail_at(p, &p->token, "textures and surfaces are not in the engine");
    else if (p->token.kind == PTX_T_DOT)
        parse_fail_at(p, &p->token, "the engine does not know the directive '%.*s'",
                      p->token.length > 60 ? 60 : (int)p->token.length, p->token.start);
    else
        parse_fail_found(p, p->token.start, "a directive such as .visible, .entry or .global");
}

/* Everything that may fail by longjmp; false then. */
static bool parse_module(parser *p, const char *name)
{
    if (setjmp(p->failed))
        return false;
    p->module->name = parse_text(p, name, strlen(name));
    const char *end = p->lexer.end;
    for (const char *c = end; c < p->module->text + p->bytes; c++)
        if (*c)
            parse_fail_text(p, end, "a zero byte in the text");
    parse_next(p);
    if (p->token.kind == PTX_T_END)
        parse_fail_at(p, &p->token, "the PTX is empty");
    while (p->token.kind != PTX_T_END)
        top_level(p);
    for (unsigned k = 0; k < p->named_count; k++)
        name_parameters(p, p->named[k]);
    parse_check_room(p, p->module->vars, p->module->var_count, PTX_CONST, MAX_CONST,
                     "the __constant__ variables of this file");
    parse_place_all(p);
    return true;
}

ptx_module *ptx_parse(const char *text, size_t bytes, const char *name, char *error,
                      size_t error_bytes)
{
    ptx_module *m = calloc(1, sizeof *m);
    parser *p = calloc(1, sizeof *p);
    bool ok = m && p && (m->text = malloc(bytes + 1));
    if (ok) {
        memcpy(m->text, text, bytes);
        m->text[bytes] = '\0';
        m->name = name;
        *p = (parser){ .module = m,
                       .bytes = bytes,
                       .error = error,
                       .error_bytes = error_bytes,
                       .lexer = { .at = m->text, .end = m->text + strlen(m->text), .line = 1 } };
        ok = parse_module(p, name);
    } else {
        snprintf(error, error_bytes, "%s: out of memory while parsing", name);
    }
    free(p);
    if (ok)
        return m;
    ptx_free(m);
    return NULL;
}
