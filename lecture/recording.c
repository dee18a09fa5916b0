/*
 * recording.c: recording_read and recording_free. A table says what a line of each name holds.
 */
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    recording *r;
    const char *at, *end; /* of the text; of the line that is read, in between */
    const char *line_end;
    unsigned line;
    char *error;
    bool failed;
} reader;

static void fail(reader *f, const char *what)
{
    if (!f->failed)
        snprintf(f->error, RECORDING_ERROR, "line %u of the recording: %.150s", f->line, what);
    f->failed = true;
}

/* All zero, and one byte more. */
static void *take(reader *f, size_t bytes)
{
    recording *r = f->r;
    void *fresh = calloc(1, bytes + 1);
    void **grown = fresh ? realloc(r->owned, (r->owned_count + 1) * sizeof *grown) : NULL;

    if (!grown) {
        free(fresh);
        fail(f, "there is not enough memory");
        return NULL;
    }
    r->owned = grown;
    r->owned[r->owned_count++] = fresh;
    return fresh;
}

/* ---- pieces of a line ------------------------------------------------------------------------ */

static const char *word(reader *f)
{
    while (f->at < f->line_end && *f->at == ' ')
        f->at++;
    const char *begin = f->at;
    while (f->at < f->line_end && *f->at != ' ')
        f->at++;
    char *text = take(f, (size_t)(f->at - begin));
    if (text)
        memcpy(text, begin, (size_t)(f->at - begin));
    if (text && !*text)
        fail(f, "it ends early");
    return text ? text : "";
}

static const char *rest(reader *f)
{
    f->at += f->at < f->line_end;
    char *text = take(f, (size_t)(f->line_end - f->at));
    if (text)
        memcpy(text, f->at, (size_t)(f->line_end - f->at));
    f->at = f->line_end;
    return text ? text : "";
}

static uint64_t number(reader *f)
{
    const char *text = word(f);
    char *end;
    uint64_t value = strtoull(text, &end, 0);

    if (*end || end == text)
        fail(f, "a number is expected");
    return value;
}

static double real(reader *f) { return strtod(word(f), NULL); }

static simt_dim dim(reader *f)
{
    simt_dim d = { (unsigned)number(f), 1, 1 };
    d.y = (unsigned)number(f);
    d.z = (unsigned)number(f);
    return d;
}

static unsigned digit(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)c - 87
                                  : 99;
}

/* Hexadecimal digits, two a byte; "-": none. */
static const uint8_t *bytes_of(reader *f, size_t *count)
{
    const char *text = word(f);
    uint8_t *data = take(f, strlen(text) / 2);

    *count = 0;
    if (strcmp(text, "-") == 0 || !data)
        return data;
    for (; text[2 * *count]; ++*count) {
        unsigned high = digit(text[2 * *count]), low = digit(text[2 * *count + 1]);
        if (high > 15 || low > 15) {
            fail(f, "hexadecimal digits are expected");
            return data;
        }
        data[*count] = (uint8_t)(high << 4 | low);
    }
    return data;
}

/* So many bytes after the line, and a line end. */
static const char *text_below(reader *f, size_t bytes)
{
    char *text = take(f, bytes);

    if (!text || (size_t)(f->end - f->line_end) < bytes + 2) {
        fail(f, "the text that follows is cut");
        return "";
    }
    memcpy(text, f->line_end + 1, bytes);
    f->line_end += bytes + 1;
    return text;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static recorded_op *new_op(reader *f, recorded_kind kind)
{
    static recorded_op none;
    recording *r = f->r;
    recorded_op *grown = realloc(r->op, (r->ops + 1) * sizeof *grown);

    if (!grown) {
        fail(f, "there is not enough memory");
        return &none;
    }
    r->op = grown;
    r->op[r->ops] = (recorded_op){ .kind = kind };
    return &r->op[r->ops++];
}

static void read_range(reader *f, recorded_kind kind)
{
    recorded_op *op = new_op(f, kind);
    op->address = number(f);
    op->bytes = (size_t)number(f);
}

static void read_address(reader *f, recorded_kind kind) { new_op(f, kind)->address = number(f); }

static void read_module(reader *f, recorded_kind kind)
{
    recorded_op *op = new_op(f, kind);
    op->bytes = (size_t)number(f);
    op->data = (const uint8_t *)text_below(f, op->bytes);
}

static void read_write(reader *f, recorded_kind kind)
{
    recorded_op *op = new_op(f, kind);
    op->address = number(f);
    op->data = bytes_of(f, &op->bytes);
}

static void read_fill(reader *f, recorded_kind kind)
{
    recorded_op *op = new_op(f, kind);
    op->address = number(f);
    op->value = (uint8_t)number(f);
    op->bytes = (size_t)number(f);
}

static void read_copy(reader *f, recorded_kind kind)
{
    recorded_op *op = new_op(f, kind);
    op->address = number(f);
    op->from = number(f);
    op->bytes = (size_t)number(f);
}

static void read_launch(reader *f, recorded_kind kind)
{
    recorded_op *op = new_op(f, kind);
    op->kernel = word(f);
    op->grid = dim(f);
    op->block = dim(f);
    op->dynamic_shared = (size_t)number(f);
    op->cooperative = number(f);
    op->data = bytes_of(f, &op->bytes);
}

static void read_buffer(reader *f, recorded_kind kind)
{
    recording *r = f->r;
    (void)kind;
    if (r->buffers == LAB_MAX_BUFFERS) {
        fail(f, "too many buffers");
        return;
    }
    recorded_buffer *b = &r->buffer[r->buffers++];
    b->address = number(f);
    b->name = word(f);
    b->type = (lab_type)number(f);
    b->role = (lab_role)number(f);
    b->length = (size_t)number(f);
    b->bytes = (size_t)number(f);
}

static void read_expect(reader *f, recorded_kind kind)
{
    const uint64_t b = number(f);
    size_t count;
    const double within = real(f);
    const uint8_t *data = bytes_of(f, &count);

    (void)kind;
    if (b >= f->r->buffers || f->r->buffer[b].bytes != count)
        fail(f, "no such buffer, or of another size");
    else
        f->r->buffer[b].expected = data;
    if (!f->failed)
        f->r->buffer[b].within = within;
}

static void read_gate(reader *f, recorded_kind kind)
{
    recording *r = f->r;
    recorded_gate g = { .metric = (lab_metric)number(f) };
    (void)kind;
    g.bound = (lab_bound)number(f);
    g.limit = real(f);
    g.taught = number(f);
    char *name = (char *)rest(f), *bar = strstr(name, " | ");
    g.name = name;
    g.formula = bar ? bar + 3 : "";
    if (bar)
        *bar = '\0';
    if (r->gates < LAB_MAX_GATES)
        r->gate[r->gates++] = g;
}

static void read_tiles(reader *f, recorded_kind kind)
{
    recorded_tiles *t = &f->r->tiles;
    (void)kind;
    t->address = number(f);
    t->stride = (size_t)number(f);
    t->count = (size_t)number(f);
    t->shift = (unsigned)number(f);
    t->mask = number(f);
    t->aggregate = number(f);
    t->prefix = number(f);
}

static void read_pair(reader *f, recorded_text *table, unsigned *count, unsigned most, bool below)
{
    recorded_text t = { .key = word(f) };
    if (below)
        t.text = text_below(f, (size_t)number(f));
    else
        t.text = rest(f);
    if (*count < most)
        table[(*count)++] = t;
}

static void read_source(reader *f, recorded_kind kind)
{
    (void)kind;
    read_pair(f, f->r->source, &f->r->sources, RECORDED_SOURCES, true);
}

static void read_said(reader *f, recorded_kind kind)
{
    (void)kind;
    read_pair(f, f->r->said, &f->r->saids, RECORDED_SAID, false);
}

static void read_part(reader *f, recorded_kind kind)
{
    (void)kind;
    f->r->part = word(f);
    f->r->n = (size_t)number(f);
    f->r->title = rest(f);
}

static void read_settings(reader *f, recorded_kind kind)
{
    char error[RECORDING_ERROR];
    (void)kind;
    if (!settings_take(&f->r->settings, rest(f), error))
        fail(f, error);
}

static void read_lab(reader *f, recorded_kind kind)
{
    (void)kind;
    f->r->lab = word(f);
}

static void read_verdict(reader *f, recorded_kind kind)
{
    (void)kind;
    f->r->verdict = word(f);
}

static void read_memory(reader *f, recorded_kind kind)
{
    (void)kind;
    f->r->memory = (size_t)number(f);
}

static void read_nothing(reader *f, recorded_kind kind)
{
    (void)kind;
    (void)rest(f);
}

static const struct {
    const char *name;
    void (*read)(reader *f, recorded_kind kind);
    recorded_kind kind;
} lines[] = {
    { "module", read_module, RECORDED_MODULE },
    { "alloc", read_range, RECORDED_ALLOC },
    { "free", read_address, RECORDED_FREE },
    { "data", read_address, RECORDED_DATA },
    { "forget", read_range, RECORDED_FORGET },
    { "write", read_write, RECORDED_WRITE },
    { "fill", read_fill, RECORDED_FILL },
    { "copy", read_copy, RECORDED_COPY },
    { "read", read_range, RECORDED_READ },
    { "launch", read_launch, RECORDED_LAUNCH },
    { "recording", read_nothing, 0 },
    { "lab", read_lab, 0 },
    { "part", read_part, 0 },
    { "settings", read_settings, 0 },
    { "memory", read_memory, 0 },
    { "source", read_source, 0 },
    { "buffer", read_buffer, 0 },
    { "expect", read_expect, 0 },
    { "gate", read_gate, 0 },
    { "tiles", read_tiles, 0 },
    { "verdict", read_verdict, 0 },
    { "said", read_said, 0 },
    /* for the test, which compares them with the run */
    { "found", read_nothing, 0 },
    { "counted", read_nothing, 0 },
};

static void read_line(reader *f)
{
    const char *name = word(f);
    size_t k = 0;

    while (k < sizeof lines / sizeof *lines && strcmp(lines[k].name, name) != 0)
        k++;
    if (k < sizeof lines / sizeof *lines)
        lines[k].read(f, lines[k].kind);
    else
        fail(f, "it has a name that is not known");
}

bool recording_read(recording *r, const char *text, size_t bytes, char error[RECORDING_ERROR])
{
    reader f = { .r = r, .at = text, .end = text + bytes, .error = error };

    *r = (recording){ .lab = "", .part = "", .title = "", .verdict = "", .memory = 1 << 22 };
    r->settings = (settings){ .config = simt_default_config(), .viewed = 256 };
    while (f.at < f.end && !f.failed) {
        const char *line_end = memchr(f.at, '\n', (size_t)(f.end - f.at));
        f.line_end = line_end ? line_end : f.end;
        f.line++;
        read_line(&f);
        f.at = f.line_end + (f.line_end < f.end);
    }
    if (!f.failed && r->ops == 0)
        fail(&f, "it does nothing");
    if (f.failed)
        recording_free(r);
    return !f.failed;
}

void recording_free(recording *r)
{
    for (unsigned k = 0; k < r->owned_count; k++)
        free(r->owned[k]);
    free(r->owned);
    free(r->op);
    *r = (recording){ .lab = "" };
}
