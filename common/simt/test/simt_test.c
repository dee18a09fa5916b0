/*
 * simt_test: runs the engine's test files (format: test_file.h) through simt.h.
 *
 *   simt_test FILE [NAME] [--schedule=K]   run all tests of a file, or one, under all schedules, or
 *                                          one
 *   simt_test FILE --names                 run all, and name each one first: where a sanitizer
 *                                          stops, it was the last one named
 *   simt_test --list FILE...               names of the tests
 *   simt_test --emit=DIR FILE...           write the modules there, for ptxas
 *   simt_test --every-row FILE...          run everything once; fail, naming them, if there are
 *                                          rows of ops.def that nothing executed
 *
 * A test runs under each of the schedules below on a device of its own. Values, findings and
 * counters must come out as the file says under all of them, and a schedule that is repeated must
 * repeat to the last bit.
 *
 * Exit code: 0 all as expected, 1 a failed test, 2 wrong usage or a test file that cannot be read.
 */
#include "code/coverage.h"
#include "../simt.h"
#include "test_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct schedule {
    unsigned host_threads, resident;
    simt_block_order order;
    bool shuffle;
    uint64_t seed;
    unsigned checks;
    int same_as; /* schedule whose report must be the same, -1: none */
} schedule;

static const schedule schedules[] = {
    { 1, 0, SIMT_BLOCKS_IN_ORDER, false, 0, SIMT_CHECK_ALL, -1 },
    { 2, 0, SIMT_BLOCKS_IN_ORDER, false, 0, SIMT_CHECK_ALL, 0 },
    { 1, 0, SIMT_BLOCKS_REVERSED, true, 1, SIMT_CHECK_ALL, -1 },
    { 2, 1, SIMT_BLOCKS_SHUFFLED, true, 2, SIMT_CHECK_ALL, -1 },
    { 1, 3, SIMT_BLOCKS_SHUFFLED, true, 3, SIMT_CHECK_ALL, -1 },
    { 1, 3, SIMT_BLOCKS_SHUFFLED, true, 3, SIMT_CHECK_ALL, 4 },
    { 1, 0, SIMT_BLOCKS_IN_ORDER, false, 0, SIMT_CHECK_COUNTERS, -1 },
    { 1, 0, SIMT_BLOCKS_IN_ORDER, false, 0, 0, -1 },
};
enum { SCHEDULES = sizeof schedules / sizeof *schedules, MAX_LAUNCHES = 16 };

/* What a launch did, kept to be compared with its repetition. */
typedef struct outcome {
    simt_status status;
    simt_report report;
    char *printed;
} outcome;

typedef struct run {
    const test_file *file;
    const test_case *c;
    int schedule;
    simt_device *device;
    unsigned module;
    unsigned failures;
    bool found[MAX_LAUNCHES][8]; /* expected findings that have been seen under some schedule */
    outcome kept[SCHEDULES][MAX_LAUNCHES];
} run;

/* ---- reporting ------------------------------------------------------------------------------- */

static void fail(run *r, const test_launch *l, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void fail(run *r, const test_launch *l, const char *format, ...)
{
    if (++r->failures > 12)
        return;
    const schedule *s = &schedules[r->schedule];
    printf("FAIL simt.%s\n  %s:%u", r->c->name, test_file_path(r->file), l ? l->line : r->c->line);
    if (l)
        printf(" (%s)", l->label);
    printf(": ");
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n  schedule %d: %s blocks, %u resident, warps %s, seed %llu, %u host thread%s, checks "
           "%u\n",
           r->schedule,
           s->order == SIMT_BLOCKS_IN_ORDER   ? "ordered"
           : s->order == SIMT_BLOCKS_REVERSED ? "reversed"
                                              : "shuffled",
           r->c->resident ? r->c->resident : s->resident, s->shuffle ? "shuffled" : "in turn",
           (unsigned long long)s->seed, s->host_threads, s->host_threads == 1 ? "" : "s",
           s->checks);
    printf("  repeat: simt_test %s %s --schedule=%d\n", test_file_path(r->file), r->c->name,
           r->schedule);
}

static void print_site(const char *what, const simt_site *s)
{
    printf("      %s: PTX line %u, %s:%u, kernel %s, block (%u,%u,%u), thread (%u,%u,%u), warp %u, "
           "lane %u%s%s\n",
           what, s->ptx_line, *s->file ? s->file : "?", s->line, s->kernel, s->block.x, s->block.y,
           s->block.z, s->thread.x, s->thread.y, s->thread.z, s->warp, s->lane,
           s->write ? ", write" : "", s->atomic ? ", atomic" : "");
}

static const char *message_of(const simt_finding *f)
{
    static simt_words words;
    simt_finding_words(f, NULL, &words);
    return words.message;
}

static const char *advice_of(const simt_finding *f)
{
    static simt_words words;
    simt_finding_words(f, NULL, &words);
    return words.advice;
}

static bool same_message(const simt_finding *f, const simt_finding *g)
{
    simt_words one;
    simt_finding_words(f, NULL, &one);
    return !strcmp(one.message, message_of(g));
}

static void print_findings(const simt_report *report)
{
    for (unsigned i = 0; i < report->findings; i++) {
        const simt_finding *f = &report->finding[i];
        printf("    finding: %s%s, %llu times: %s\n      do: %s\n", simt_finding_name(f->kind),
               f->fatal ? " (stopped the kernel)" : "", (unsigned long long)f->count, message_of(f),
               advice_of(f));
        print_site("at", &f->at);
        if (f->has_other)
            print_site("other", &f->other);
    }
}

/* ---- expectations ---------------------------------------------------------------------------- */

/* The name begins so: "unsupported" for "unsupported instruction"; "a|b" is either. */
static bool kind_is(const char *name, simt_finding_kind kind)
{
    char shown[64];
    snprintf(shown, sizeof shown, "%s", simt_finding_name(kind));
    for (char *s = shown; *s; s++)
        if (*s == ' ' || *s == '-')
            *s = '_';
    for (const char *end; *name; name = *end ? end + 1 : end) {
        end = name + strcspn(name, "|");
        if (!strncmp(shown, name, (size_t)(end - name)))
            return true;
    }
    return false;
}

static bool field_of_finding(const simt_finding *f, const char *name, int64_t *value)
{
    const struct {
        const char *name;
        int64_t value;
    } fields[] = {
        { "line", f->at.line },
        { "other_line", f->has_other ? (int64_t)f->other.line : -1 },
        { "index", f->index },
        { "bytes", (int64_t)f->access_bytes },
        { "count", (int64_t)f->count },
        { "lane", f->at.lane },
        { "warp", f->at.warp },
        { "thread", f->at.thread.x },
        { "block", f->at.block.x },
        { "value", (int64_t)f->value },
        { "write", f->at.write },
        { "atomic", f->at.atomic },
        { "other_write", f->other.write },
        { "other_thread", f->other.thread.x },
        { "fatal", f->fatal },
        { "address", (int64_t)f->address },
        { "other_lane", f->other.lane },
        { "other_warp", f->other.warp },
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!strcmp(fields[i].name, name)) {
            *value = fields[i].value;
            return true;
        }
    return false;
}

/* Fields that name one thread or value among many are compared in the default schedule only. */
static bool finding_agrees(run *r, const test_finding *want, const simt_finding *got)
{
    if (!kind_is(want->kind, got->kind) || !strstr(message_of(got), want->message) ||
        !strstr(advice_of(got), want->advice))
        return false;
    if (*want->variable && strcmp(want->variable, got->variable))
        return false;
    unsigned at = got->at.ptx_line, other = got->has_other ? got->other.ptx_line : 0;
    bool same = (!want->at || want->at == at) && (!want->other || want->other == other);
    bool crossed = got->kind == SIMT_RACE && (!want->at || want->at == other) &&
                   (!want->other || want->other == at);
    if (!same && !crossed)
        return false;
    for (unsigned i = 0; i < want->fields; i++) {
        int64_t value = 0;
        if (!field_of_finding(got, want->field[i].name, &value)) {
            fail(r, NULL, "line %u: a finding has no field %s", want->line, want->field[i].name);
            return false;
        }
        bool always =
            !strcmp(want->field[i].name, "bytes") || !strcmp(want->field[i].name, "fatal");
        if (value != want->field[i].value && (always || r->schedule == 0))
            return false;
    }
    return true;
}

static void check_findings(run *r, const test_launch *l, unsigned launch, const simt_report *report)
{
    bool used[SIMT_MAX_FINDINGS] = { false }, wrong = false;
    for (unsigned w = 0; w < l->findings; w++) {
        bool seen = false;
        for (unsigned i = 0; i < report->findings && !seen; i++)
            if (!used[i] && finding_agrees(r, &l->finding[w], &report->finding[i]))
                used[i] = seen = true;
        /* the same race met the other way round */
        for (unsigned i = 0; i < report->findings && seen; i++)
            if (report->finding[i].kind == SIMT_RACE && !used[i])
                used[i] = finding_agrees(r, &l->finding[w], &report->finding[i]);
        r->found[launch][w] |= seen;
        if (!seen && !l->finding[w].sometimes) {
            fail(r, l, "line %u: expected finding \"%s\" is missing; reported are %u:",
                 l->finding[w].line, l->finding[w].kind, report->findings);
            wrong = true;
        }
    }
    for (unsigned i = 0; i < report->findings; i++)
        if (!used[i]) {
            fail(r, l, "finding \"%s\" was not expected: %s",
                 simt_finding_name(report->finding[i].kind), message_of(&report->finding[i]));
            wrong = true;
        }
    if (wrong)
        print_findings(report);
}

static bool counter_of(const simt_counts *c, const char *name, uint64_t *value)
{
#define FIELD(f)                                                                                   \
    {                                                                                              \
#f, c->f                                                                                   \
    }
    const struct {
        const char *name;
        uint64_t value;
    } fields[] = {
        FIELD(launches),
        FIELD(blocks),
        FIELD(warps),
        FIELD(threads),
        FIELD(warp_instructions),
        FIELD(thread_instructions),
        FIELD(branches),
        FIELD(divergent_branches),
        FIELD(barriers),
        FIELD(mbarrier_meetings),
        FIELD(float_adds),
        FIELD(float_add_issues),
        FIELD(shared_requests),
        FIELD(shared_wavefronts),
        FIELD(shared_ideal),
        FIELD(shared_allocated),
        FIELD(shared_bytes),
        FIELD(global_requests),
        FIELD(global_sectors),
        FIELD(global_ideal),
        FIELD(global_bytes_read),
        FIELD(global_bytes_written),
        FIELD(local_bytes),
        FIELD(local_unset),
        FIELD(atomics),
        FIELD(reading_atomics),
        FIELD(polled_instructions),
        FIELD(polled_bytes_read),
        FIELD(polled_bytes_written),
        FIELD(polled_sectors),
        FIELD(polled_ideal),
        FIELD(polled_atomics),
        FIELD(not_f32_adds),
        FIELD(lone_add_issues),
        FIELD(busiest_block),
        FIELD(busiest_warps),
        FIELD(warps_spent),
        FIELD(longest_block),
        FIELD(block_chain),
        FIELD(stalls),
        FIELD(shuffles),
        FIELD(lane_masks),
        FIELD(active_masks),
        FIELD(storing_launches),
        FIELD(votes),
        FIELD(bulk_bytes_read),
    };
#undef FIELD
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!strcmp(fields[i].name, name)) {
            *value = fields[i].value;
            return true;
        }
    return false;
}

static bool counter_of_line(const simt_report *report, unsigned line, const char *name,
                            uint64_t *value)
{
    for (unsigned i = 0; i < report->line_count; i++) {
        const simt_line_counts *c = &report->lines[i];
        if (c->line != line)
            continue;
#define FIELD(f)                                                                                   \
    {                                                                                              \
#f, c->f                                                                                   \
    }
        const struct {
            const char *name;
            uint64_t value;
        } fields[] = {
            FIELD(warp_instructions),  FIELD(thread_instructions), FIELD(branches),
            FIELD(divergent_branches), FIELD(float_adds),          FIELD(float_add_issues),
            FIELD(barriers),           FIELD(shared_wavefronts),   FIELD(shared_ideal),
            FIELD(global_sectors),     FIELD(global_ideal),
        };
#undef FIELD
        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
            if (!strcmp(fields[k].name, name)) {
                *value = fields[k].value;
                return true;
            }
    }
    return false;
}

static void check_counters(run *r, const test_launch *l, const simt_report *report)
{
    for (unsigned i = 0; i < l->counters; i++) {
        const test_counter *c = &l->counter[i];
        uint64_t got = 0;
        bool known = c->source_line ? counter_of_line(report, c->source_line, c->name, &got)
                                    : counter_of(&report->counts, c->name, &got);
        if (!known)
            fail(r, l, "line %u: no counter %s (source line %u)", c->line, c->name, c->source_line);
        else if ((!strcmp(c->name, "block_chain") || !strcmp(c->name, "stalls") ||
                  !strncmp(c->name, "polled_", 7)) &&
                 !(schedules[r->schedule].checks & SIMT_CHECK_RACES))
            continue;
        else if (got != c->value)
            fail(r, l, "line %u: counter %s: expected %llu, got %llu", c->line, c->name,
                 (unsigned long long)c->value, (unsigned long long)got);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of text, sorted, one after the other; the caller frees it. */
static char *sorted_lines(const char *text)
{
    size_t bytes = strlen(text) + 2, lines = 0;
    char *copy = calloc(1, bytes), *sorted = calloc(1, bytes + 1),
         **line = calloc(bytes, sizeof *line);
    if (copy && sorted && line) {
        memcpy(copy, text, bytes - 2);
        for (char *save, *s = strtok_r(copy, "\n", &save); s; s = strtok_r(NULL, "\n", &save))
            line[lines++] = s;
        qsort(line, lines, sizeof *line, by_text);
        for (size_t i = 0; i < lines; i++)
            strcat(strcat(sorted, line[i]), "\n");
    }
    free(line);
    free(copy);
    return sorted;
}

static void check_printed(run *r, const test_launch *l, const simt_report *report)
{
    const char *got = report->printed ? report->printed : "";
    if (!l->printed) {
        if (*got)
            fail(r, l, "printed, but was not expected to: \"%s\"", got);
        return;
    }
    if (strlen(got) != report->printed_bytes)
        fail(r, l, "printed_bytes is %zu for a text of %zu", report->printed_bytes, strlen(got));
    char *want_sorted = sorted_lines(l->printed), *got_sorted = sorted_lines(got);
    if (r->schedule ? strcmp(want_sorted, got_sorted) : strcmp(l->printed, got))
        fail(r, l, "expected to print \"%s\", got \"%s\"", l->printed, got);
    free(want_sorted);
    free(got_sorted);
}

static const char *status_name(simt_status status)
{
    static const char *const names[] = { "ok",          "bad_argument", "bad_ptx",   "bad_launch",
                                         "bad_address", "no_memory",    "not_found", "fault" };
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "?";
}

/* A launch is a fault exactly when its last finding stopped it (simt.h). */
static void check_status(run *r, const test_launch *l, simt_status status,
                         const simt_report *report)
{
    const char *want = "ok";
    for (unsigned i = 0; i < report->findings; i++)
        if (report->finding[i].fatal)
            want = "fault";
    if (strcmp(status_name(status), want))
        fail(r, l, "simt_launch returned %s, expected %s: %s", status_name(status), want,
             simt_error(r->device));
}

static bool same_site(const simt_site *a, const simt_site *b)
{
    return a->ptx_line == b->ptx_line && a->line == b->line &&
           !memcmp(&a->block, &b->block, sizeof a->block) &&
           !memcmp(&a->thread, &b->thread, sizeof a->thread) && a->write == b->write &&
           a->atomic == b->atomic;
}

static void check_same(run *r, const test_launch *l, const outcome *a, const outcome *b)
{
    const simt_report *x = &a->report, *y = &b->report;
    if (a->status != b->status || memcmp(&x->counts, &y->counts, sizeof x->counts))
        fail(r, l, "does not repeat: status %s and %s, %llu and %llu warp instructions",
             status_name(a->status), status_name(b->status),
             (unsigned long long)x->counts.warp_instructions,
             (unsigned long long)y->counts.warp_instructions);
    if (strcmp(x->schedule, y->schedule) && schedules[r->schedule].host_threads == 1)
        fail(r, l, "two names for one schedule: \"%s\" and \"%s\"", x->schedule, y->schedule);
    if (strcmp(a->printed, b->printed))
        fail(r, l, "does not repeat: printed \"%s\" and \"%s\"", a->printed, b->printed);
    bool same = x->findings == y->findings;
    for (unsigned i = 0; same && i < x->findings; i++)
        same = x->finding[i].kind == y->finding[i].kind &&
               same_site(&x->finding[i].at, &y->finding[i].at) &&
               same_site(&x->finding[i].other, &y->finding[i].other) &&
               x->finding[i].count == y->finding[i].count &&
               same_message(&x->finding[i], &y->finding[i]);
    if (!same) {
        fail(r, l, "does not repeat: other findings, first and second time:");
        print_findings(x);
        print_findings(y);
    }
}

/* ---- running --------------------------------------------------------------------------------- */

static bool engine_ok(run *r, const test_launch *l, simt_status status, const char *what)
{
    if (status != SIMT_OK)
        fail(r, l, "%s: %s: %s", what, status_name(status), simt_error(r->device));
    return status == SIMT_OK;
}

/* Device memory for one parameter (or the variable it names), filled. */
static bool prepare(run *r, const test_launch *l, const test_param *p, simt_addr *address)
{
    size_t bytes = p->role == TEST_FREED ? p->count : p->count * test_type_size(p->type), size;
    if (p->role == TEST_ARG)
        return true;
    if (p->role == TEST_SET || p->role == TEST_VARIABLE) {
        if (!engine_ok(r, l, simt_symbol(r->device, r->module, p->name, address, &size),
                       "simt_symbol"))
            return false;
        if (size != bytes)
            fail(r, l, "line %u: variable %s has %zu bytes, not %zu", p->line, p->name, size,
                 bytes);
        return p->role == TEST_VARIABLE ||
               engine_ok(r, l, simt_write(r->device, *address, p->before.bytes, bytes),
                         "simt_write");
    }
    if (!engine_ok(r, l, simt_alloc(r->device, bytes, address), "simt_alloc"))
        return false;
    if (p->role == TEST_FREED)
        return engine_ok(r, l, simt_free(r->device, *address), "simt_free");
    return p->role == TEST_OUT
               ? engine_ok(r, l, simt_fill(r->device, *address, 0xA5, bytes), "simt_fill")
               : engine_ok(r, l, simt_write(r->device, *address, p->before.bytes, bytes),
                           "simt_write");
}

static bool check_memory(run *r, const test_launch *l, const test_param *p, simt_addr address)
{
    size_t bytes = p->count * test_type_size(p->type);
    char text[512];
    unsigned char *got = malloc(bytes);
    bool ok = got && engine_ok(r, l, simt_read(r->device, got, address, bytes), "simt_read");
    if (ok && !test_param_agrees(p, got, text, sizeof text))
        fail(r, l, "line %u: %s", p->line, text);
    free(got);
    return ok;
}

/* The parameter block, laid out as simt_function_info says. */
static bool lay_out(run *r, const test_launch *l, const simt_function_info *info,
                    const simt_addr *address, unsigned char *block, size_t room)
{
    unsigned next = 0;
    for (unsigned i = 0; i < l->params; i++) {
        const test_param *p = &l->param[i];
        if (p->role == TEST_SET || p->role == TEST_VARIABLE)
            continue;
        size_t bytes = p->role == TEST_ARG ? p->count * test_type_size(p->type) : 8;
        if (next >= info->params || info->param_size[next] != bytes ||
            info->param_offset[next] + bytes > room) {
            fail(r, l, "parameter %u: the engine has %u parameters, this one of %zu bytes", next,
                 info->params, next < info->params ? info->param_size[next] : 0);
            return false;
        }
        memcpy(block + info->param_offset[next++],
               p->role == TEST_ARG ? (const void *)p->before.bytes : &address[i], bytes);
    }
    if (next != info->params)
        fail(r, l, "the engine has %u parameters, the test %u", info->params, next);
    return next == info->params;
}

static void check_launch(run *r, const test_launch *l, unsigned index, const simt_addr *address,
                         outcome *o)
{
    const schedule *s = &schedules[r->schedule];
    if (*l->status) {
        if (strcmp(status_name(o->status), l->status) || !strstr(simt_error(r->device), l->message))
            fail(r, l, "expected status %s with \"%s\", got %s: %s", l->status, l->message,
                 status_name(o->status), simt_error(r->device));
        return;
    }
    check_status(r, l, o->status, &o->report);
    check_findings(r, l, index, &o->report);
    if (s->checks & SIMT_CHECK_COUNTERS)
        check_counters(r, l, &o->report);
    check_printed(r, l, &o->report);
    for (unsigned i = 0; i < l->params; i++)
        if (l->param[i].after.bytes && !check_memory(r, l, &l->param[i], address[i]))
            return;
}

static void run_launch(run *r, unsigned index)
{
    const test_launch *l = &r->c->launch[index];
    simt_addr address[32] = { 0 };
    simt_function_info info;
    unsigned char block[4096] = { 0 };
    for (unsigned i = 0; i < l->params; i++)
        if (!prepare(r, l, &l->param[i], &address[i]))
            return;
    if (!engine_ok(r, l, simt_function(r->device, r->module, l->kernel, &info), "simt_function") ||
        !lay_out(r, l, &info, address, block, sizeof block))
        return;
    simt_launch_args args = { info.function,
                              { l->grid[0], l->grid[1], l->grid[2] },
                              { l->block[0], l->block[1], l->block[2] },
                              l->shared,
                              block,
                              info.param_bytes,
                              false,
                              0 };
    outcome *o = &r->kept[r->schedule][index];
    o->status = simt_launch(r->device, &args, &o->report);
    o->printed = strdup(*l->status || !o->report.printed ? "" : o->report.printed);
    check_launch(r, l, index, address, o);
    o->report.printed = NULL; /* belongs to the device */
    o->report.lines = NULL;
    int same_as = schedules[r->schedule].same_as;
    if (same_as >= 0 && !*l->status && r->kept[same_as][index].printed)
        check_same(r, l, &r->kept[same_as][index], o);
    for (unsigned i = 0; i < l->params; i++) {
        test_role role = l->param[i].role;
        if (role == TEST_IN || role == TEST_OUT || role == TEST_INOUT)
            engine_ok(r, l, simt_free(r->device, address[i]), "simt_free");
    }
}

static void run_schedule(run *r)
{
    const schedule *s = &schedules[r->schedule];
    const test_case *c = r->c;
    simt_config config = simt_default_config();
    config.host_threads = s->host_threads;
    config.resident_blocks = c->resident ? c->resident : s->resident;
    config.block_order = s->order;
    config.shuffle_warps = s->shuffle;
    config.seed = s->seed;
    config.checks = s->checks;
    config.budget = c->budget;
    config.memory = 64 << 20;
    if (simt_open(&config, &r->device) != SIMT_OK) {
        fail(r, NULL, "simt_open failed");
        return;
    }
    simt_status status =
        simt_module_load(r->device, c->text, c->text_bytes, test_file_path(r->file), &r->module);
    if (*c->status) {
        if (strcmp(status_name(status), c->status) || !strstr(simt_error(r->device), c->message))
            fail(r, NULL, "expected status %s with \"%s\", got %s: %s", c->status, c->message,
                 status_name(status), simt_error(r->device));
    } else if (engine_ok(r, NULL, status, "simt_module_load"))
        for (unsigned i = 0; i < c->launches && i < MAX_LAUNCHES; i++)
            run_launch(r, i);
    simt_close(r->device);
    r->device = NULL;
}

static bool suits(const test_case *c, const schedule *s)
{
    bool plain = true; /* nothing that the checks must find */
    for (unsigned i = 0; i < c->launches; i++)
        plain &= !c->launch[i].findings && !*c->launch[i].status;
    bool first = s == schedules || (s->same_as == 0 && s->host_threads == 1);
    return (first || !c->one_schedule) && (plain || s->checks == SIMT_CHECK_ALL);
}

static unsigned run_case(const test_file *file, const test_case *c, int only)
{
    run *r = calloc(1, sizeof *r);
    if (!r)
        return 1;
    r->file = file;
    r->c = c;
    for (r->schedule = 0; r->schedule < SCHEDULES; r->schedule++)
        if (only >= 0 ? r->schedule == only : suits(c, &schedules[r->schedule]))
            run_schedule(r);
    r->schedule = 0;
    for (unsigned i = 0; only < 0 && i < c->launches && i < MAX_LAUNCHES; i++)
        for (unsigned k = 0; k < c->launch[i].findings; k++)
            if (c->launch[i].finding[k].sometimes && !r->found[i][k])
                fail(r, &c->launch[i], "line %u: finding \"%s\" was reported under no schedule",
                     c->launch[i].finding[k].line, c->launch[i].finding[k].kind);
    for (int s = 0; s < SCHEDULES; s++)
        for (int i = 0; i < MAX_LAUNCHES; i++)
            free(r->kept[s][i].printed);
    unsigned failures = r->failures;
    if (failures > 12)
        printf("  ... and %u more\n", failures - 12);
    free(r);
    return failures;
}

/* ---- the program ----------------------------------------------------------------------------- */

static int run_file(const char *path, const char *name, int only, bool say_names)
{
    test_file *file = test_file_read(path);
    if (!file)
        return 2;
    unsigned failures = 0, ran = 0;
    for (unsigned i = 0; i < test_file_cases(file); i++) {
        const test_case *c = test_file_case(file, i);
        if (name && strcmp(name, c->name))
            continue;
        if (say_names)
            fprintf(stderr, "%s\n", c->name);
        failures += run_case(file, c, only);
        ran++;
    }
    test_file_free(file);
    if (!ran)
        fprintf(stderr, "simt_test: %s has no test %s; see simt_test --list %s\n", path,
                name ? name : "at all", path);
    return !ran ? 2 : failures ? 1 : 0;
}

static int list_file(const char *path)
{
    test_file *file = test_file_read(path);
    for (unsigned i = 0; file && i < test_file_cases(file); i++)
        if (!i || strcmp(test_file_case(file, i)->name, test_file_case(file, i - 1)->name))
            printf("%s\n", test_file_case(file, i)->name);
    test_file_free(file);
    return file ? 0 : 2;
}

static int emit_file(const char *path, const char *folder)
{
    test_file *file = test_file_read(path);
    const char *written = NULL;
    for (unsigned i = 0; file && i < test_file_cases(file); i++) {
        const test_case *c = test_file_case(file, i);
        char to[1024];
        snprintf(to, sizeof to, "%s/%s-%u.ptx", folder, c->name, c->line);
        if (!test_case_suits_gpu(c) || c->text == written)
            continue;
        FILE *out = fopen(to, "w");
        if (!out || fwrite(c->text, 1, c->text_bytes, out) != c->text_bytes || fclose(out)) {
            fprintf(stderr, "simt_test: cannot write %s\n", to);
            return 2;
        }
        written = c->text;
    }
    test_file_free(file);
    return file ? 0 : 2;
}

/* Runs every test once and lists what no test reached. Values are not judged here: the tests
   themselves do that. */
static int every_row(char **paths, int count)
{
    for (int i = 0; i < count; i++)
        if (run_file(paths[i], NULL, 0, false) == 2)
            return 2;
    unsigned missing = 0;
    for (size_t i = 0; i < simt_op_count(); i++)
        if (!simt_op_executed(i)) {
            printf("%s%s",
                   missing++ ? ", " : "rows of ops.def that no test executes: ", simt_op_name(i));
        }
    if (missing)
        printf("\n%u of %zu rows; add a case for each to a test file under common/simt/test\n",
               missing, simt_op_count());
    return missing ? 1 : 0;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: simt_test FILE [NAME] [--schedule=0..%d]\n       simt_test FILE --names\n      "
            " simt_test --list FILE...\n"
            "       simt_test --emit=DIR FILE...\n       simt_test --every-row FILE...\n",
            SCHEDULES - 1);
    return 2;
}

int main(int argc, char **argv)
{
    int worst = 0, only = -1;
    if (argc < 2)
        return usage();
    if (!strcmp(argv[1], "--every-row"))
        return every_row(argv + 2, argc - 2);
    if (!strcmp(argv[1], "--list") || !strncmp(argv[1], "--emit=", 7)) {
        for (int i = 2; i < argc; i++) {
            int code = argv[1][2] == 'l' ? list_file(argv[i]) : emit_file(argv[i], argv[1] + 7);
            worst = code > worst ? code : worst;
        }
        return worst;
    }
    if (argc == 3 && !strcmp(argv[2], "--names"))
        return run_file(argv[1], NULL, -1, true);
    const char *last = argv[argc - 1];
    if (!strncmp(last, "--schedule=", 11)) {
        only = atoi(last + 11);
        argc--;
    }
    if (argc > 3 || argc < 2 || argv[1][0] == '-' || only >= SCHEDULES)
        return usage();
    return run_file(argv[1], argc == 3 ? argv[2] : NULL, only, false);
}
