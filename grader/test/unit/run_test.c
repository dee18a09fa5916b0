/*
 * run_test.c: labs made up here, compiled and run as the grader runs its own: what a lab may ask of the runner and the gates.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "check.h"
#include "file.h"
#include "gates.h"
#include "grade.h"
#include "path.h"
#include "process.h"

/* ---- a made-up lab's program ------------------------------------------------------------------------------------- */

typedef struct made {
    toolchain tools;
    options o;
    char folder[PATH_MAX], source[PATH_MAX];
    build_result built;
    lab_result result;
} made;

/* The lab's program, compiled in a folder of this test. */
static made *make(const lab *l, const char *text)
{
    made *m = calloc(1, sizeof *m);
    base_error error = { "" };

    if (!m)
        abort();
    m->o = (options){ .src = "labs", .backend = "simt", .seeds = 2, .jobs = 1 };
    snprintf(m->o.out, sizeof m->o.out, "%s", check_folder());
    process_prepare();
    bool fine = toolchain_find(&m->tools, &error) && path_join(m->folder, sizeof m->folder, m->o.out, l->id, &error)
             && file_make_folders(m->folder, &error) && path_join(m->source, sizeof m->source, m->o.out, l->file, &error)
             && file_write(m->source, text, strlen(text), &error);
    CHECK(fine, "%s", error.text);
    build_submission(&m->tools, l, m->source, m->folder, &m->built);
    CHECK(m->built.verdict == VERDICT_PASS, "%s", m->built.message);
    return m;
}

static const lab_result *grade_made(made *m, const lab *l)
{
    grade_begin(l, &m->result);
    grade_built(&m->o, &m->tools, m->source, m->folder, m->built.program, &m->result);
    return &m->result;
}

static const char *seen(const lab_result *r)
{
    return r->shown[0] >= 0 ? r->cases[r->shown[0]].what : r->message;
}

/* ---- n beyond an int, five buffers -------------------------------------------------------------------------------- */

static size_t four(size_t n) { (void)n; return 4; }

static void wide_reference(void *const *buffers, size_t n)
{
    uint32_t *out = buffers[4];
    for (int b = 0; b < 4; b++)
        out[b] = ((const uint32_t *)buffers[b])[0] + (uint32_t)(n >> 8 * b);
}

static const size_t wide_sizes[] = { 5000000000u, 0 };

#define WIDE_IN(text) { .name = text, .type = LAB_U32, .role = LAB_IN, .place = LAB_HOST, .length = four }
static const lab wide = {
    .id = "98_wide", .title = "wide", .file = "wide.cu", .tile = 8, .part_count = 1, .large_n = 100,
    .parts = { { .entry = "wide_sum", .points = 1, .reference = wide_reference, .buffer_count = 5, .wide_n = true, .max_n = 6000000000u,
                 .gate_sizes = wide_sizes,
                 .buffers = { WIDE_IN("a"), WIDE_IN("b"), WIDE_IN("c"), WIDE_IN("d"),
                              { .name = "out", .type = LAB_U32, .role = LAB_OUT, .place = LAB_HOST, .length = four } } } },
};

#define WIDE_SOURCE(type)                                                                                                   \
    "extern \"C\" void wide_sum(const unsigned *a, const unsigned *b, const unsigned *c, const unsigned *d, unsigned *out, " type " n)\n" \
    "{ out[0] = a[0] + (unsigned)n; out[1] = b[0] + (unsigned)((long long)n >> 8); out[2] = c[0] + (unsigned)((long long)n >> 16);\n"     \
    "  out[3] = d[0] + (unsigned)((long long)n >> 24); }\n"

TEST(wide_n_reaches_an_entry_of_five_buffers)
{
    made *m = make(&wide, WIDE_SOURCE("long long"));
    const lab_result *r = grade_made(m, &wide);
    CHECK(r->verdict == VERDICT_PASS, "%s: %s", verdict_name(r->verdict), seen(r));
    CHECK(r->case_count > 10 && r->cases[r->case_count - 1].n == 5000000000u, "%u cases", r->case_count);
    free(m);
}

TEST(wide_n_taken_as_an_int_is_wrong)
{
    made *m = make(&wide, WIDE_SOURCE("int"));
    const lab_result *r = grade_made(m, &wide);
    CHECK(r->verdict == VERDICT_WRONG && r->cases[r->shown[0]].n == 5000000000u, "%s: %s", verdict_name(r->verdict), seen(r));
    free(m);
}
