/*
 * compare: holds the engine against a GPU's recorded results (record.h): the same runs (run.h) on
 * the engine, each result bit for bit, those of approximate instructions within the error that the
 * PTX manual allows (approx.h). Needs no GPU.
 *
 *   compare RECORD FILE...            FILE: the engine's test files, as recorded
 *   compare --all RECORD FILE...      shows every value that differs
 *   compare --emit=DIR FILE...        writes the modules there, for ptxas
 *
 * A row of ops.def is covered when an instruction of it was executed here in a run whose results
 * were compared. A row with forms needs one of its own forms; the rest live by the engine's tests.
 * Rows that cannot be compared by value are left_out.def. A row whose form, or whose test, is not
 * in the record awaits a recording: it is told by name and is no error, so that an instruction can
 * be added without a GPU. A form that has changed since it was recorded is an error, which says how
 * to record again.
 *
 * Exit status: 0 all agree, and every row is covered or awaits a recording; 1 not so; 2 usage, or a
 * file that cannot be read.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/coverage.h"
#include "approx.h"
#include "record.h"
#include "run.h"

enum { MOST_SHOWN = 40, MOST_SHOWN_OF_A_RUN = 3 };

static const char how_to_record[] = "record again: verify/hardware/record, on a machine with "
                                    "a GPU (verify/README.md)";

static const struct {
    const char *row, *reason;
} left_out[] = {
#define LEFT_OUT(row, reason) { #row, reason },
#include "left_out.def"
};
enum { LEFT_OUT_COUNT = sizeof left_out / sizeof *left_out };

typedef struct tally {
    size_t forms, tests, refused, values, approximate, beyond, unlike, mismatched_runs, stale_forms,
        stale_tests, not_run, shown, most, most_of_a_run;
    /* of approximate instructions: in ulp, and of what is allowed */
    struct {
        size_t values;
        double ulp, part;
    } worst[APPROX_COUNT];
    bool *covered, *awaiting; /* by row: by a run that was compared; by one not yet recorded */
    size_t new_forms, new_tests;
} tally;

/* ---- one value ------------------------------------------------------------------------------- */

static double as_double(test_type type, const unsigned char *bytes)
{
    float f;
    double d;
    memcpy(&f, bytes, 4);
    if (type == TEST_F32)
        return f;
    memcpy(&d, bytes, 8);
    return d;
}

/* In units of the last place of a float of that type. */
static double ulps(test_type type, double a, double b)
{
    int exponent, least = type == TEST_F32 ? -125 : -1021, digits = type == TEST_F32 ? 24 : 53;
    if (a == b)
        return 0;
    frexp(a, &exponent);
    return fabs(a - b) / ldexp(1, (exponent < least ? least : exponent) - digits);
}

static double operand(const test_launch *l, unsigned param, size_t i)
{
    const test_param *p = param < l->params ? &l->param[param] : NULL;
    if (!p || p->role != TEST_IN || (p->type != TEST_F32 && p->type != TEST_F64) || i >= p->count)
        return 0;
    return as_double(p->type, p->before.bytes + i * test_type_size(p->type));
}

typedef enum verdict { SAME, NEAR, PROMISED_NOTHING, DIFFERENT } verdict;

/* Results of an approximate instruction: both finite and at most as far apart as the manual allows,
   and the half unit that the engine's own value is rounded by. */
static verdict judge_approximate(tally *t, int which, const test_launch *l, const test_param *p,
                                 size_t i, double engine, double gpu)
{
    double allowed = approx_allowed(which, operand(l, 0, i), operand(l, 1, i), engine),
           off = fabs(engine - gpu), ulp = ulps(p->type, engine, gpu);
    if (allowed < 0)
        return PROMISED_NOTHING;
    if (!isfinite(engine) || !isfinite(gpu) || off > allowed + 0.5 * off / (ulp > 0 ? ulp : 1))
        return DIFFERENT;
    t->worst[which].values++;
    t->worst[which].ulp = fmax(t->worst[which].ulp, ulp);
    t->worst[which].part = fmax(t->worst[which].part, allowed > 0 ? off / allowed : 0);
    return NEAR;
}

static verdict judge(tally *t, const test_launch *l, const test_param *p, size_t i,
                     const unsigned char *engine, const unsigned char *gpu)
{
    size_t size = test_type_size(p->type);
    bool floats = p->type == TEST_F32 || p->type == TEST_F64;
    if (p->after.match && p->after.match[i] == TEST_ANY)
        return PROMISED_NOTHING;
    if (!memcmp(engine, gpu, size))
        return SAME;
    if (floats && p->after.match && p->after.match[i] == TEST_NAN &&
        isnan(as_double(p->type, engine)) && isnan(as_double(p->type, gpu)))
        return SAME; /* a test that asks for any NaN */
    int which = approx_index(l->label);
    double a = as_double(p->type, engine), b = as_double(p->type, gpu);
    if (floats && which >= 0)
        return judge_approximate(t, which, l, p, i, a, b);
    /* either is p->ulp off at most */
    bool near = floats && (fabs(a - b) <= p->abs || ulps(p->type, a, b) <= 2 * p->ulp);
    return near ? NEAR : DIFFERENT;
}

/* ---- one run --------------------------------------------------------------------------------- */

static uint64_t bits_of(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, bytes, size);
    return value;
}

static void show(tally *t, const run *r, const test_launch *l, const test_param *p, size_t i,
                 const unsigned char *engine, const unsigned char *gpu)
{
    if (t->shown++ >= t->most)
        return;
    size_t bytes = test_type_size(p->type);
    int width = (int)(2 * bytes);
    printf("DIFFERS %s\n  %s, element %zu", r->name, l->label, i);
    for (unsigned k = 0; k < l->params && r->form; k++) {
        size_t size = test_type_size(l->param[k].type);
        if (l->param[k].role == TEST_IN && i < l->param[k].count)
            printf("%s0x%" PRIx64, k ? ", " : ", operands ",
                   bits_of(l->param[k].before.bytes + i * size, size));
    }
    printf(": GPU 0x%0*" PRIx64 ", engine 0x%0*" PRIx64 "\n", width, bits_of(gpu, bytes), width,
           bits_of(engine, bytes));
}

static size_t compare_param(tally *t, const run *r, const test_launch *l, const test_param *p,
                            const unsigned char *engine, const unsigned char *gpu)
{
    size_t size = test_type_size(p->type), different = 0;
    for (size_t i = 0; i < p->count; i++) {
        verdict v = judge(t, l, p, i, engine + i * size, gpu + i * size);
        t->values += v != PROMISED_NOTHING;
        t->beyond += v == PROMISED_NOTHING;
        t->approximate += v == NEAR;
        if (v == DIFFERENT && different++ < t->most_of_a_run)
            show(t, r, l, p, i, engine + i * size, gpu + i * size);
    }
    return different;
}

static void compare_results(tally *t, const run *r, const unsigned char *engine,
                            const unsigned char *gpu)
{
    size_t different = 0;
    for (unsigned i = 0; i < r->c->launches; i++) {
        const test_launch *l = &r->c->launch[i];
        for (unsigned k = 0; k < l->params; k++) {
            if (!l->param[k].after.bytes)
                continue;
            size_t bytes = l->param[k].count * test_type_size(l->param[k].type);
            different += compare_param(t, r, l, &l->param[k], engine, gpu);
            engine += bytes;
            gpu += bytes;
        }
    }
    t->unlike += different;
    t->mismatched_runs += different > 0;
}

/* The engine's turn; notes which rows it executed. recorded: null for a test that is not. */
static void execute(tally *t, const run *r, const record_run *recorded)
{
    bool *rows = recorded ? t->covered : t->awaiting;
    simt_config config = simt_default_config();
    unsigned char *result = malloc(r->bytes + 1);
    uint64_t *before = calloc(simt_op_count(), sizeof *before);
    char why[512];
    config.host_threads = 1;
    config.checks = SIMT_CHECK_COUNTERS | SIMT_CHECK_BOUNDS;
    config.memory = 64 << 20;
    config.resident_blocks = r->c->resident;
    for (size_t i = 0; before && i < simt_op_count(); i++)
        before[i] = simt_op_executed(i);
    if (!result || !before || run_on_device(r, &config, result, why, sizeof why) != RUN_OK) {
        t->not_run += recorded != NULL;
        if (t->shown++ < t->most)
            printf("THE ENGINE DOES NOT RUN %s: %s\n", r->name, why);
    } else {
        if (recorded)
            compare_results(t, r, result, recorded->result);
        for (size_t i = 0; i < simt_op_count(); i++) /* a row with forms is covered by its own */
            rows[i] |= simt_op_executed(i) > before[i] && (!r->form || r->form->row == i);
    }
    free(before);
    free(result);
}

static void take(tally *t, const record *recorded, const run *r)
{
    const record_run *found = record_find(recorded, r->name);
    if (!found) {
        *(r->form ? &t->new_forms : &t->new_tests) += 1;
        if (r->form)
            t->awaiting[r->form->row] = true;
        else
            execute(t, r, NULL);
    } else if (found->hash != r->hash || (found->status == RECORD_OK && found->bytes != r->bytes)) {
        *(r->form ? &t->stale_forms : &t->stale_tests) += 1;
        if (t->stale_forms + t->stale_tests <= MOST_SHOWN / 4)
            printf("changed since it was recorded: %s\n", r->name);
    } else if (found->status != RECORD_OK)
        t->refused++;
    else {
        *(r->form ? &t->forms : &t->tests) += 1;
        execute(t, r, found);
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const char *reason_of(const char *row)
{
    for (size_t i = 0; i < LEFT_OUT_COUNT; i++)
        if (!strcmp(left_out[i].row, row))
            return left_out[i].reason;
    return NULL;
}

/* Rows that nothing covers, and reasons that nothing needs any more. Returns how many are wrong. */
static size_t check_rows(const tally *t, size_t *covered)
{
    size_t wrong = 0;
    for (size_t i = 0; i < simt_op_count(); i++) {
        const char *reason = reason_of(simt_op_name(i));
        *covered += t->covered[i];
        if (t->covered[i] == !reason || (t->awaiting[i] && !t->covered[i]))
            continue;
        wrong++;
        printf("row %s is %s\n", simt_op_name(i),
               reason ? "compared; take it out of left_out.def"
                      : "not covered: nothing that executes it was compared");
    }
    for (size_t i = 0; i < LEFT_OUT_COUNT; i++) {
        size_t k = 0;
        while (k < simt_op_count() && strcmp(simt_op_name(k), left_out[i].row))
            k++;
        wrong += k == simt_op_count();
        if (k == simt_op_count())
            printf("left_out.def has a row that ops.def has not: %s\n", left_out[i].row);
    }
    return wrong;
}

/* Rows of which nothing is recorded yet: their forms, or the tests that execute them. */
static void tell_awaiting(const tally *t)
{
    unsigned rows = 0;
    for (size_t i = 0; i < simt_op_count(); i++)
        if (t->awaiting[i] && !t->covered[i])
            printf("%s%s", rows++ ? ", " : "awaiting a recording: rows ", simt_op_name(i));
    if (rows)
        printf("\n");
    if (t->new_forms + t->new_tests)
        printf("awaiting a recording: %zu forms and %zu tests; %s\n", t->new_forms, t->new_tests,
               how_to_record);
}

static int report(const tally *t, const record *recorded)
{
    char gpu[200], date[40];
    size_t covered = 0, wrong = check_rows(t, &covered);
    record_fact(recorded, "gpu", gpu, sizeof gpu);
    record_fact(recorded, "date", date, sizeof date);
    if (t->shown > t->most)
        printf("... and %zu more; --all shows them\n", t->shown - t->most);
    printf("recorded on %s, %s\n", gpu, date);
    printf("rows of ops.def:  %zu of %zu compared, %d left out with a reason\n", covered,
           simt_op_count(), (int)LEFT_OUT_COUNT);
    printf("runs:             %zu forms of instructions, %zu of the engine's tests; %zu forms are "
           "no PTX\n",
           t->forms, t->tests, t->refused);
    printf("values compared:  %zu; %zu of them not equal, but within the documented error:\n",
           t->values, t->approximate);
    for (int i = 0; i < APPROX_COUNT; i++)
        if (t->worst[i].values)
            printf("  %-22s %6zu, worst %.3g ulp, %.2f of what is allowed\n", approx_name(i),
                   t->worst[i].values, t->worst[i].ulp, t->worst[i].part);
    printf("not compared:     %zu values of which nothing is promised\n", t->beyond);
    printf("mismatches:       %zu, in %zu runs; %zu runs that the engine does not run\n", t->unlike,
           t->mismatched_runs, t->not_run);
    if (t->stale_forms + t->stale_tests)
        printf("changed since:    %zu forms, %zu tests; %s\n", t->stale_forms, t->stale_tests,
               how_to_record);
    tell_awaiting(t);
    return wrong || t->unlike || t->not_run || t->stale_forms ? 1 : 0;
}

static int emit(const char *folder, const run *all, size_t runs)
{
    for (size_t i = 0; i < runs; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%zu.ptx", folder, i);
        FILE *out = fopen(path, "w");
        if (!out ||
            fprintf(out, "// %s\n%.*s", all[i].name, (int)all[i].c->text_bytes, all[i].c->text) <
                0 ||
            fclose(out)) {
            fprintf(stderr, "compare: cannot write %s\n", path);
            return 2;
        }
    }
    return 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: compare [--all] RECORD FILE...\n       compare --emit=DIR FILE...\n");
    return 2;
}

int main(int argc, char **argv)
{
    record recorded;
    static tally t = { .most = MOST_SHOWN, .most_of_a_run = MOST_SHOWN_OF_A_RUN };
    static run *all;
    size_t runs = 0;
    t.covered = calloc(simt_op_count(), sizeof *t.covered);
    t.awaiting = calloc(simt_op_count(), sizeof *t.awaiting);
    if (argc > 1 && !strcmp(argv[1], "--all")) {
        t.most = t.most_of_a_run = SIZE_MAX;
        argc--;
        argv++;
    }
    if (argc < 3 || !t.covered || !t.awaiting)
        return usage();
    all = runs_make(argv + 2, (unsigned)(argc - 2), &runs);
    if (!all)
        return 2;
    if (form_rows() != simt_op_count()) {
        printf("forms.c sees %zu rows of ops.def, the engine %zu: is there a macro that forms.c "
               "does not know?\n",
               form_rows(), simt_op_count());
        return 1;
    }
    if (!strncmp(argv[1], "--emit=", 7))
        return emit(argv[1] + 7, all, runs);
    if (!record_read(argv[1], &recorded))
        return 2;
    for (size_t i = 0; i < runs; i++)
        take(&t, &recorded, &all[i]);
    int status = report(&t, &recorded);
    record_free(&recorded);
    return status;
}
