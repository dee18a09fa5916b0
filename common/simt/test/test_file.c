/*
 * test_file.c: reads *.ptx test files (directives in "//:" lines) and the values in them.
 * Interface: test_file.h. Everything read lives in one list of blocks that test_file_free gives
 * back.
 */
#include "test_file.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    struct block *next;
    max_align_t bytes[];
} block;

struct test_file {
    char path[512];
    test_case *cases;
    unsigned count, room;
    block *blocks;
};

static const struct {
    const char *name;
    size_t size;
} type_table[TEST_TYPES] = {
    [TEST_U8] = { "u8", 1 },   [TEST_S8] = { "s8", 1 },     [TEST_U16] = { "u16", 2 },
    [TEST_S16] = { "s16", 2 }, [TEST_U32] = { "u32", 4 },   [TEST_S32] = { "s32", 4 },
    [TEST_U64] = { "u64", 8 }, [TEST_S64] = { "s64", 8 },   [TEST_F32] = { "f32", 4 },
    [TEST_F64] = { "f64", 8 }, [TEST_PRED] = { "pred", 4 },
};

size_t test_type_size(test_type type) { return type_table[type].size; }
const char *test_type_name(test_type type) { return type_table[type].name; }
const char *test_file_path(const test_file *file) { return file->path; }
unsigned test_file_cases(const test_file *file) { return file->count; }
const test_case *test_file_case(const test_file *file, unsigned index)
{
    return &file->cases[index];
}

bool test_type_from_name(const char *name, size_t length, test_type *type)
{
    for (unsigned t = 0; t < TEST_TYPES; t++)
        if (strlen(type_table[t].name) == length && !memcmp(type_table[t].name, name, length)) {
            *type = (test_type)t;
            return true;
        }
    return false;
}

/* ---- memory and messages --------------------------------------------------------------------- */

void *test_alloc(test_file *file, size_t bytes)
{
    block *b = calloc(1, sizeof *b + bytes);
    if (!b) {
        fprintf(stderr, "simt_test: out of memory\n");
        exit(3);
    }
    b->next = file->blocks;
    file->blocks = b;
    return b->bytes;
}

bool test_fail(const test_file *file, unsigned line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%u: ", file->path, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return false;
}

test_case *test_add_case(test_file *file, const char *name, unsigned line)
{
    if (file->count == file->room) {
        unsigned room = file->room ? 2 * file->room : 64;
        test_case *grown = test_alloc(file, room * sizeof *grown);
        if (file->count)
            memcpy(grown, file->cases, file->count * sizeof *grown);
        file->cases = grown;
        file->room = room;
    }
    test_case *c = &file->cases[file->count++];
    snprintf(c->name, sizeof c->name, "%s", name);
    c->line = line;
    c->gpu = true;
    return c;
}

test_launch *test_add_launch(test_file *file, test_case *c)
{
    if (c->launches == c->launch_room) {
        unsigned room = c->launch_room ? 2 * c->launch_room : 2;
        test_launch *grown = test_alloc(file, room * sizeof *grown);
        if (c->launches)
            memcpy(grown, c->launch, c->launches * sizeof *grown);
        c->launch = grown;
        c->launch_room = room;
    }
    test_launch *l = &c->launch[c->launches++];
    for (int d = 0; d < 3; d++)
        l->grid[d] = l->block[d] = 1;
    return l;
}

void test_file_free(test_file *file)
{
    if (!file)
        return;
    for (block *b = file->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(file);
}

/* ---- values ---------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

static bool ends_value(char c)
{
    return !c || isspace((unsigned char)c) || c == '*' || c == '/' || c == '.' || c == ',';
}

static bool read_float(const char **text, test_type type, void *value, unsigned char *match)
{
    const char *s = *text;
    char *end;
    double number;
    if (!strncmp(s, "nan", 3) && ends_value(s[3])) {
        *match = TEST_NAN;
        number = (double)NAN;
        end = (char *)s + 3;
    } else {
        /* up to a ".." that begins a range, which strtod would take for a point */
        char token[64];
        const char *range = strstr(s, "..");
        size_t n = range ? (size_t)(range - s) : strlen(s);
        if (n >= sizeof token)
            n = sizeof token - 1;
        memcpy(token, s, n);
        token[n] = 0;
        number = strtod(token, &end);
        if (end == token)
            return false;
        end = (char *)s + (end - token);
    }
    float narrow = (float)number;
    memcpy(value, type == TEST_F32 ? (void *)&narrow : (void *)&number, test_type_size(type));
    *text = end;
    return true;
}

static bool read_bits(const char **text, size_t size, void *value)
{
    char *end;
    uint64_t bits = strtoull(*text + 2, &end, 16);
    if (end != *text + 2 + 2 * size)
        return false;
    memcpy(value, &bits, size); /* little endian, as the device */
    *text = end;
    return true;
}

static bool read_integer(const char **text, size_t size, void *value)
{
    const char *s = *text;
    bool negative = *s == '-';
    char *end;
    errno = 0;
    uint64_t magnitude = strtoull(s + negative, &end, 0);
    if (errno || end == s + negative || !isdigit((unsigned char)s[negative]))
        return false;
    uint64_t top = size == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * size)) - 1;
    if (magnitude > (negative ? top / 2 + 1 : top))
        return false;
    uint64_t bits = negative ? 0 - magnitude : magnitude;
    memcpy(value, &bits, size);
    *text = end;
    return true;
}

bool test_value(const char **text, test_type type, void *value, unsigned char *match)
{
    const char *s = *text;
    size_t size = test_type_size(type);
    bool is_float = type == TEST_F32 || type == TEST_F64;
    *match = TEST_EXACT;
    if (*s == '?') {
        *match = TEST_ANY;
        memset(value, 0, size);
        *text = s + 1;
        return true;
    }
    if (is_float && s[0] == '0' && s[1] == (type == TEST_F32 ? 'f' : 'd'))
        return read_bits(text, size, value);
    return is_float ? read_float(text, type, value, match) : read_integer(text, size, value);
}

static double as_number(test_type type, const void *bytes)
{
    int64_t s = 0;
    float f;
    double d;
    switch (type) {
    case TEST_F32: memcpy(&f, bytes, 4); return (double)f;
    case TEST_F64: memcpy(&d, bytes, 8); return d;
    default: memcpy(&s, bytes, test_type_size(type)); return (double)s;
    }
}

static void from_number(test_type type, double number, void *bytes)
{
    float f = (float)number;
    int64_t s = type == TEST_F32 || type == TEST_F64 ? 0 : (int64_t)number;
    memcpy(bytes,
           type == TEST_F32   ? (void *)&f
           : type == TEST_F64 ? (void *)&number
                              : (void *)&s,
           test_type_size(type));
}

typedef struct list {
    test_type type;
    test_values *to;
    size_t have;
} list;

static bool push(list *l, const void *value, unsigned char match)
{
    size_t size = test_type_size(l->type);
    if (l->have == l->to->count)
        return false;
    memcpy(l->to->bytes + l->have * size, value, size);
    l->to->match[l->have++] = match;
    return true;
}

/* FROM..TO[/STEP]: from has been read, text is past the two dots. */
static bool push_range(list *l, const char **text, const void *from)
{
    unsigned char value[8], match, last[8];
    double step = 1;
    if (!test_value(text, l->type, last, &match))
        return false;
    if (**text == '/') {
        char *end;
        step = strtod(*text + 1, &end);
        *text = end;
    }
    double first = as_number(l->type, from), end = as_number(l->type, last);
    if (step <= 0)
        return false;
    for (double v = first; first <= end ? v <= end : v >= end; v += first <= end ? step : -step) {
        from_number(l->type, v, value);
        if (!push(l, value, TEST_EXACT))
            return false;
    }
    return true;
}

/* Values up to the end of text into l; a range, a repeat or one value each. */
static bool read_list(list *l, const char *text)
{
    for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
        unsigned char value[8], match;
        if (!strncmp(text, "...", 3)) {
            size_t size = test_type_size(l->type), period = l->have;
            if (!period)
                return false;
            while (l->have < l->to->count)
                push(l, l->to->bytes + (l->have - period) * size, l->to->match[l->have - period]);
            text += 3;
            continue;
        }
        if (!test_value(&text, l->type, value, &match))
            return false;
        if (text[0] == '.' && text[1] == '.') {
            text += 2;
            if (!push_range(l, &text, value))
                return false;
        } else {
            unsigned long times = 1;
            char *end;
            if (*text == '*') {
                times = strtoul(text + 1, &end, 10);
                text = end;
            }
            while (times--)
                if (!push(l, value, match))
                    return false;
        }
        if (!ends_value(*text))
            return false;
    }
    return true;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static void show(test_type type, const void *bytes, char *text, size_t room)
{
    uint64_t bits = 0;
    size_t size = test_type_size(type);
    memcpy(&bits, bytes, size);
    if (type == TEST_F32 || type == TEST_F64)
        snprintf(text, room, "%.17g (0%c%0*llX)", as_number(type, bytes),
                 type == TEST_F32 ? 'f' : 'd', (int)(2 * size), (unsigned long long)bits);
    else if (type == TEST_S8 || type == TEST_S16 || type == TEST_S32 || type == TEST_S64)
        snprintf(text, room, "%lld (0x%llx)",
                 (long long)(int64_t)(bits << (64 - 8 * size)) >> (64 - 8 * size),
                 (unsigned long long)bits);
    else
        snprintf(text, room, "%llu (0x%llx)", (unsigned long long)bits, (unsigned long long)bits);
}

/* Distance in units of the last place of the expected value. */
static double ulps(test_type type, double expected, double got)
{
    int exponent;
    frexp(expected, &exponent);
    int lowest = type == TEST_F32 ? -149 : -1074, place = exponent - (type == TEST_F32 ? 24 : 53);
    return fabs(got - expected) / ldexp(1.0, place < lowest ? lowest : place);
}

static bool element_agrees(const test_param *p, size_t i, const void *got)
{
    size_t size = test_type_size(p->type);
    const void *expected = p->after.bytes + i * size;
    if (p->after.match[i] == TEST_ANY || !memcmp(expected, got, size))
        return true;
    if (p->type != TEST_F32 && p->type != TEST_F64)
        return false;
    double want = as_number(p->type, expected), have = as_number(p->type, got);
    if (p->after.match[i] == TEST_NAN)
        return isnan(have);
    if (isnan(have) || isinf(have) || isinf(want))
        return false;
    return (p->ulp > 0 && ulps(p->type, want, have) <= p->ulp) ||
           (p->abs > 0 && fabs(want - have) <= p->abs);
}

bool test_param_agrees(const test_param *p, const void *got, char *text, size_t room)
{
    size_t size = test_type_size(p->type), wrong = 0, first = 0;
    for (size_t i = 0; i < p->count; i++)
        if (!element_agrees(p, i, (const char *)got + i * size) && !wrong++)
            first = i;
    if (!wrong)
        return true;
    char expected[96], have[96], row[48] = "";
    show(p->type, p->after.bytes + first * size, expected, sizeof expected);
    show(p->type, (const char *)got + first * size, have, sizeof have);
    if (p->row_lines)
        snprintf(row, sizeof row, " (line %u)", p->row_lines[first]);
    snprintf(text, room, "%s%s%s[%zu], index %zu%s: expected %s, got %s; %zu of %zu differ",
             p->name, *p->name ? " " : "", test_type_name(p->type), p->count, first, row, expected,
             have, wrong, p->count);
    return false;
}

/* Nothing found but what a newer GPU does. */
static bool only_notes(const test_launch *l)
{
    bool notes = true;
    for (unsigned i = 0; i < l->findings; i++)
        notes &= !strncmp(l->finding[i].kind, "needs_", 6);
    return notes;
}

bool test_case_suits_gpu(const test_case *c)
{
    bool ok = c->gpu && !*c->status;
    for (unsigned i = 0; ok && i < c->launches; i++)
        ok = !*c->launch[i].status && only_notes(&c->launch[i]);
    return ok;
}

/* ---- directives ------------------------------------------------------------------------------ */

typedef struct reader {
    test_file *file;
    char *text, *cursor; /* the whole file; the next line */
    unsigned line;       /* of the directive being read, 1-based */
    test_case *c;
    test_launch *l;
    test_param *p; /* whose list a continuation line extends */
    list before, after, *open;
} reader;

/* The next word of *s into word; moves *s past it and the blanks that follow. */
static bool next_word(const char **s, char *word, size_t room)
{
    size_t n = 0;
    while ((*s)[n] && !isspace((unsigned char)(*s)[n]))
        n++;
    if (!n || n >= room)
        return false;
    memcpy(word, *s, n);
    word[n] = 0;
    *s = skip_blanks(*s + n);
    return true;
}

/* "..." with \n, \" and \\ into to. */
static bool read_quoted(const char **s, char *to, size_t room)
{
    const char *p = *s;
    size_t n = 0;
    if (*p++ != '"')
        return false;
    for (; *p && *p != '"'; p++) {
        char c = *p;
        if (c == '\\' && p[1]) {
            c = *++p;
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        if (n + 1 >= room)
            return false;
        to[n++] = c;
    }
    to[n] = 0;
    if (*p != '"')
        return false;
    *s = skip_blanks(p + 1);
    return true;
}

static bool read_after(const char *name, const char **s, char *to, size_t room)
{
    size_t length = strlen(name);
    if (strncmp(*s, name, length))
        return false;
    *s += length;
    return read_quoted(s, to, room);
}

static bool read_message(const char **s, char *to, size_t room)
{
    return read_after("message~", s, to, room);
}

/* The line of the module text that ends in "// <mark>", counted from its first; 0 if there is
   none. */
static unsigned marked_line(const test_case *c, const char *mark)
{
    char pattern[64];
    snprintf(pattern, sizeof pattern, "// <%s>", mark);
    unsigned line = 1;
    for (const char *s = c->text, *end = c->text + c->text_bytes; s < end; line++) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        stop = stop ? stop : end;
        const char *found = strstr(s, pattern);
        if (found && found < stop && strncmp(s, "//:", 3))
            return line;
        s = stop + 1;
    }
    return 0;
}

static bool finish_lists(reader *r)
{
    test_param *p = r->p;
    r->p = NULL;
    r->open = NULL;
    if (!p)
        return true;
    if (p->before.bytes && r->before.have != p->count)
        return test_fail(r->file, p->line, "%zu input values for %zu elements", r->before.have,
                         p->count);
    if (p->after.bytes && r->after.have != p->count)
        return test_fail(r->file, p->line, "%zu expected values for %zu elements", r->after.have,
                         p->count);
    return true;
}

static test_values new_values(reader *r, const test_param *p)
{
    return (test_values){ test_alloc(r->file, p->count * test_type_size(p->type)),
                          test_alloc(r->file, p->count), p->count };
}

/* Values of the open list, going over to the second one after "->". */
static bool read_values(reader *r, const char *s)
{
    const char *arrow = strstr(s, "->");
    if (arrow && r->open == &r->before && r->p->after.bytes) {
        char *head = test_alloc(r->file, (size_t)(arrow - s) + 1);
        memcpy(head, s, (size_t)(arrow - s));
        if (!read_list(r->open, head))
            return test_fail(r->file, r->line, "bad value, or too many, in: %s", head);
        r->open = &r->after;
        s = arrow + 2;
    }
    return read_list(r->open, s) ||
           test_fail(r->file, r->line, "bad value, or too many, in: %s", s);
}

/* TYPE[N] or TYPE, then tolerances, then ":". */
static bool read_shape(reader *r, test_param *p, const char **s)
{
    size_t n = strspn(*s, "abcdefghijklmnopqrstuvwxyz0123456789");
    if (!test_type_from_name(*s, n, &p->type) || p->type == TEST_PRED)
        return test_fail(r->file, r->line, "no type at: %s", *s);
    *s += n;
    p->count = 1;
    if (**s == '[') {
        char *end;
        p->count = strtoul(*s + 1, &end, 10);
        if (*end != ']' || !p->count || p->count > 1 << 20)
            return test_fail(r->file, r->line, "bad element count at: %s", *s);
        *s = end + 1;
    }
    for (*s = skip_blanks(*s); **s && **s != ':'; *s = skip_blanks(*s)) {
        char *end;
        double *to = !strncmp(*s, "ulp=", 4) ? &p->ulp : !strncmp(*s, "abs=", 4) ? &p->abs : NULL;
        if (!to)
            return test_fail(r->file, r->line, "expected ulp=, abs= or ':' at: %s", *s);
        *to = strtod(*s + 4, &end);
        *s = end;
    }
    if (**s != ':')
        return test_fail(r->file, r->line, "missing ':' after the type");
    ++*s;
    return true;
}

static bool read_param(reader *r, test_role role, const char *s)
{
    if (r->l->params == sizeof r->l->param / sizeof *r->l->param)
        return test_fail(r->file, r->line, "too many parameters");
    test_param *p = &r->l->param[r->l->params++];
    *p = (test_param){ .role = role, .line = r->line };
    if (role == TEST_FREED) {
        p->count = strtoul(s, NULL, 10);
        return p->count || test_fail(r->file, r->line, "freed needs a size in bytes");
    }
    if ((role == TEST_SET || role == TEST_VARIABLE) && !next_word(&s, p->name, sizeof p->name))
        return test_fail(r->file, r->line, "missing variable name");
    if (!read_shape(r, p, &s))
        return false;
    if (role != TEST_OUT && role != TEST_VARIABLE)
        p->before = new_values(r, p);
    if (role == TEST_OUT || role == TEST_INOUT || role == TEST_VARIABLE)
        p->after = new_values(r, p);
    r->p = p;
    r->before = (list){ p->type, &p->before, 0 };
    r->after = (list){ p->type, &p->after, 0 };
    r->open = p->before.bytes ? &r->before : &r->after;
    return read_values(r, s);
}

static bool read_dim(const char *s, unsigned dim[3])
{
    char *end = (char *)s;
    for (int d = 0; d < 3; d++) {
        dim[d] = (unsigned)strtoul(s, &end, 10);
        if (end == s)
            return false;
        if (*end != ',')
            break;
        s = end + 1;
    }
    return !*end;
}

static bool read_launch(reader *r, const char *s)
{
    char word[128];
    r->l = test_add_launch(r->file, r->c);
    r->l->line = r->line;
    if (!next_word(&s, r->l->kernel, sizeof r->l->kernel))
        return test_fail(r->file, r->line, "launch needs a kernel name");
    while (next_word(&s, word, sizeof word)) {
        bool ok = !strncmp(word, "grid=", 5)    ? read_dim(word + 5, r->l->grid)
                  : !strncmp(word, "block=", 6) ? read_dim(word + 6, r->l->block)
                                                : false;
        if (!strncmp(word, "shared=", 7))
            ok = sscanf(word + 7, "%zu", &r->l->shared) == 1;
        if (!ok)
            return test_fail(r->file, r->line, "bad launch option: %s", word);
    }
    snprintf(r->l->label, sizeof r->l->label, "%s", r->l->kernel);
    return true;
}

static bool read_finding_field(reader *r, test_finding *f, const char *word)
{
    const char *equals = strchr(word, '=');
    if (!equals || equals[1] == 0)
        return test_fail(r->file, r->line, "bad finding field: %s", word);
    size_t n = (size_t)(equals - word);
    if (!strncmp(word, "at=", 3) || !strncmp(word, "other=", 6)) {
        unsigned line = marked_line(r->c, equals + 1);
        *(n == 2 ? &f->at : &f->other) = line;
        return line || test_fail(r->file, r->line, "no PTX line is marked // <%s>", equals + 1);
    }
    if (!strncmp(word, "variable=", 9)) {
        snprintf(f->variable, sizeof f->variable, "%s", equals + 1);
        return true;
    }
    if (f->fields == sizeof f->field / sizeof *f->field || n >= sizeof f->field[0].name)
        return test_fail(r->file, r->line, "too many finding fields");
    memcpy(f->field[f->fields].name, word, n);
    f->field[f->fields++].value = strtoll(equals + 1, NULL, 0);
    return true;
}

static bool read_finding(reader *r, const char *s)
{
    char word[160];
    if (r->l->findings == sizeof r->l->finding / sizeof *r->l->finding)
        return test_fail(r->file, r->line, "too many findings");
    test_finding *f = &r->l->finding[r->l->findings++];
    f->line = r->line;
    if (!strncmp(s, "sometimes ", 10)) {
        f->sometimes = true;
        s = skip_blanks(s + 10);
    }
    if (!next_word(&s, f->kind, sizeof f->kind))
        return test_fail(r->file, r->line, "finding needs a kind");
    while (*s) {
        if (!strncmp(s, "message~", 8)) {
            if (!read_message(&s, f->message, sizeof f->message))
                return test_fail(r->file, r->line, "bad message: %s", s);
        } else if (!strncmp(s, "advice~", 7)) {
            if (!read_after("advice~", &s, f->advice, sizeof f->advice))
                return test_fail(r->file, r->line, "bad advice: %s", s);
        } else if (!next_word(&s, word, sizeof word) || !read_finding_field(r, f, word))
            return false;
    }
    return true;
}

static bool read_counter(reader *r, const char *s, bool of_line)
{
    if (r->l->counters == sizeof r->l->counter / sizeof *r->l->counter)
        return test_fail(r->file, r->line, "too many counters");
    test_counter *c = &r->l->counter[r->l->counters++];
    unsigned long long value;
    c->line = r->line;
    int got = of_line ? sscanf(s, "%u %31s = %llu", &c->source_line, c->name, &value)
                      : sscanf(s, "%31s = %llu", c->name, &value);
    c->value = value;
    return got == 2 + of_line ||
           test_fail(r->file, r->line, "a counter reads NAME = N, got: %s", s);
}

static bool read_status(reader *r, const char *s)
{
    char *status = r->l ? r->l->status : r->c->status,
         *message = r->l ? r->l->message : r->c->message;
    if (!next_word(&s, status, sizeof r->c->status) ||
        (*s && !read_message(&s, message, sizeof r->c->message)))
        return test_fail(r->file, r->line, "bad status");
    return true;
}

/* "//: text": the lines up to "//: end" become the module. */
static bool read_text(reader *r)
{
    char *end = strstr(r->cursor, "//: end");
    if (!end)
        return test_fail(r->file, r->line, "no \"//: end\" follows");
    r->c->text_bytes = (size_t)(end - r->cursor);
    char *text = test_alloc(r->file, r->c->text_bytes + 1);
    r->c->text = memcpy(text, r->cursor, r->c->text_bytes);
    /* the module of the other tests goes on around it, line for line */
    for (char *c = r->cursor; c < end; c++)
        if (*c != '\n')
            *c = ' ';
    r->c->first_line = r->line + 1;
    for (; r->cursor < end; r->cursor++)
        r->line += *r->cursor == '\n';
    return true;
}

static bool read_launch_directive(reader *r, const char *word, const char *s)
{
    static const struct {
        const char *name;
        test_role role;
    } roles[] = { { "in", TEST_IN },
                  { "out", TEST_OUT },
                  { "inout", TEST_INOUT },
                  { "arg", TEST_ARG },
                  { "freed", TEST_FREED },
                  { "set", TEST_SET },
                  { "variable", TEST_VARIABLE } };
    if (!r->l)
        return test_fail(r->file, r->line, "\"%s\" must follow a launch", word);
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (!strcmp(word, roles[i].name))
            return read_param(r, roles[i].role, s);
    if (!strcmp(word, "finding"))
        return read_finding(r, s);
    if (!strcmp(word, "counter") || !strcmp(word, "line_counter"))
        return read_counter(r, s, *word == 'l');
    if (!strcmp(word, "printed")) {
        r->l->printed = test_alloc(r->file, strlen(s) + 1);
        return read_quoted(&s, r->l->printed, strlen(s) + 1) ||
               test_fail(r->file, r->line, "bad string: %s", s);
    }
    return test_fail(r->file, r->line, "unknown directive \"%s\"", word);
}

static bool read_directive(reader *r, const char *s)
{
    char word[160];
    if (!strncmp(s, "   ", 3) && *skip_blanks(s))
        return r->open ? read_values(r, s) : test_fail(r->file, r->line, "nothing to continue");
    s = skip_blanks(s);
    if (!finish_lists(r) || !next_word(&s, word, sizeof word))
        return test_fail(r->file, r->line, "empty directive, or a bad one before it");
    if (!strcmp(word, "test")) {
        if (!next_word(&s, word, 120))
            return test_fail(r->file, r->line, "test needs a name");
        r->c = test_add_case(r->file, word, r->line);
        r->c->text = r->text;
        r->c->text_bytes = strlen(r->text);
        r->c->first_line = 1;
        r->l = NULL;
        return true;
    }
    if (!r->c)
        return test_fail(r->file, r->line, "\"%s\" before the first test", word);
    if (!strcmp(word, "launch"))
        return read_launch(r, s);
    if (!strcmp(word, "status"))
        return read_status(r, s);
    if (!strcmp(word, "text"))
        return read_text(r);
    if (!strcmp(word, "end"))
        return true;
    if (!strcmp(word, "gpu") && !strcmp(s, "no"))
        return !(r->c->gpu = false);
    if (!strcmp(word, "one") && !strcmp(s, "schedule"))
        return r->c->one_schedule = true;
    if (!strcmp(word, "budget"))
        return (r->c->budget = strtoull(s, NULL, 10)) > 0;
    if (!strcmp(word, "resident"))
        return (r->c->resident = (unsigned)strtoul(s, NULL, 10)) > 0;
    return read_launch_directive(r, word, s);
}

static bool read_ptx(test_file *file, char *text)
{
    reader r = { .file = file, .text = text, .cursor = text, .line = 1 };
    while (*r.cursor) {
        char *line = r.cursor, *stop = strchr(line, '\n');
        size_t n = stop ? (size_t)(stop - line) : strlen(line);
        r.cursor = stop ? stop + 1 : line + n;
        if (n >= 3 && !strncmp(line, "//:", 3)) {
            while (n > 3 && isspace((unsigned char)line[n - 1]))
                n--;
            char *copy = test_alloc(file, n);
            memcpy(copy, line + 3, n - 3);
            if (!read_directive(&r, copy))
                return false;
        }
        r.line++;
    }
    return finish_lists(&r);
}

test_file *test_file_read(const char *path)
{
    FILE *in = fopen(path, "rb");
    test_file *file = calloc(1, sizeof *file);
    if (!in || !file) {
        fprintf(stderr, "simt_test: cannot read %s: %s\n", path, strerror(errno));
        if (in)
            fclose(in);
        free(file);
        return NULL;
    }
    snprintf(file->path, sizeof file->path, "%s", path);
    fseek(in, 0, SEEK_END);
    long size = ftell(in);
    rewind(in);
    char *text = test_alloc(file, (size_t)(size < 0 ? 0 : size) + 1);
    size_t got = fread(text, 1, (size_t)(size < 0 ? 0 : size), in);
    fclose(in);
    const char *dot = strrchr(path, '.');
    bool ok = got == (size_t)size &&
              (dot && !strcmp(dot, ".ops") ? test_read_ops(file, text) : read_ptx(file, text));
    if (ok && !file->count)
        ok = test_fail(file, 1, "the file has no test");
    if (!ok) {
        test_file_free(file);
        return NULL;
    }
    return file;
}
