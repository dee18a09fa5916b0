/*
 * run_test.c: labs made up here, compiled and run as the grader runs its own: what a lab may ask of
 * the runner and the gates.
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
#include "results_json.h"

/* ---- a made-up lab's program ----------------------------------------------------------------- */

typedef struct made {
    toolchain tools;
    options o;
    char folder[PATH_MAX], source[PATH_MAX];
    build_result built;
    lab_result result;
} made;

/* The lab's program, compiled below a folder of this test. */
static made *make_in(const char *out, const lab *l, const char *text)
{
    made *m = calloc(1, sizeof *m);
    base_error error = { "" };

    if (!m)
        abort();
    m->o = (options){ .src = "labs", .backend = "simt", .seeds = 2, .jobs = 1 };
    snprintf(m->o.out, sizeof m->o.out, "%s", out);
    process_prepare();
    bool fine = toolchain_find(&m->tools, &error) &&
                path_join(m->folder, sizeof m->folder, m->o.out, l->id, &error) &&
                file_make_folders(m->folder, &error) &&
                path_join(m->source, sizeof m->source, m->o.out, l->file, &error) &&
                file_write(m->source, text, strlen(text), &error);
    CHECK(fine, "%s", error.text);
    build_submission(&m->tools, l, m->source, m->folder, &m->built);
    CHECK(m->built.verdict == VERDICT_PASS, "%s", m->built.message);
    return m;
}

static made *make(const lab *l, const char *text) { return make_in(check_folder(), l, text); }

static const lab_result *grade_made(made *m, const lab *l)
{
    result_begin(l, &m->result);
    grade_built(&m->o, &m->tools, m->source, m->built.program, &m->result);
    return &m->result;
}

static const char *seen(const lab_result *r)
{
    return r->shown[0] >= 0 ? r->cases[r->shown[0]].what : r->message;
}

/* ---- n beyond an int, five buffers ----------------------------------------------------------- */

static size_t four(size_t n)
{
    (void)n;
    return 4;
}

static void wide_reference(void *const *buffers, size_t n)
{
    uint32_t *out = buffers[4];
    for (int b = 0; b < 4; b++)
        out[b] = ((const uint32_t *)buffers[b])[0] + (uint32_t)(n >> 8 * b);
}

static const lab_sizes wide_sizes = { 5000000000u };

#define WIDE(label) .name = label, .type = LAB_U32, .place = LAB_HOST, .length = four
static const lab_buffers wide_buffers = {
    { WIDE("a") }, { WIDE("b") }, { WIDE("c") }, { WIDE("d") }, { WIDE("out"), .role = LAB_OUT },
};
static const lab_parts wide_parts = {
    {
        .entry = "wide_sum",
        .points = 1,
        .buffers = wide_buffers,
        .reference = wide_reference,
        .gate_sizes = wide_sizes,
        .max_n = 6000000000u,
        .wide_n = true,
    },
};
static const lab wide = {
    .id = "98_wide",
    .title = "wide",
    .file = "wide.cu",
    .tile = 8,
    .large_n = 100,
    .parts = wide_parts,
};

#define WIDE_SOURCE(type)                                                                          \
    "extern \"C\" void wide_sum(const unsigned *a, const unsigned *b, const unsigned *c, const "   \
    "unsigned *d, unsigned *out, " type " n)\n"                                                    \
    "{ out[0] = a[0] + (unsigned)n; out[1] = b[0] + (unsigned)((long long)n >> 8); out[2] = c[0] " \
    "+ (unsigned)((long long)n >> 16);\n"                                                          \
    "  out[3] = d[0] + (unsigned)((long long)n >> 24); }\n"

TEST(wide_n_reaches_an_entry_of_five_buffers)
{
    made *m = make(&wide, WIDE_SOURCE("long long"));
    const lab_result *r = grade_made(m, &wide);
    CHECK(r->verdict == VERDICT_PASS, "%s: %s", verdict_name(r->verdict), seen(r));
    CHECK(r->case_count > 10 && r->cases[r->case_count - 1].n == 5000000000u, "%u cases",
          r->case_count);
    free(m);
}

TEST(wide_n_taken_as_an_int_is_wrong)
{
    made *m = make(&wide, WIDE_SOURCE("int"));
    const lab_result *r = grade_made(m, &wide);
    CHECK(r->verdict == VERDICT_WRONG && r->cases[r->shown[0]].n == 5000000000u, "%s: %s",
          verdict_name(r->verdict), seen(r));
    free(m);
}

/* ---- affine maps, notes, instructions against another part ----------------------------------- */

enum { TILE = 64 };

static size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

static void compose(void *const *buffers, size_t n)
{
    const lab_affine *in = buffers[0];
    lab_affine *out = buffers[1], sum = { 1, 0 };
    for (size_t i = 0; i < n; i++)
        out[i] = sum = (lab_affine){ in[i].a * sum.a, in[i].a * sum.b + in[i].b };
}

static double one_half(size_t n)
{
    (void)n;
    return 0.5;
}
static double three_halves(size_t n)
{
    (void)n;
    return 1.5;
}

static const lab_sizes noted_sizes = { 640, 1000 };
static const lab_buffers noted_buffers = {
    { .name = "d_in", .type = LAB_AFFINE },
    { .name = "d_out", .type = LAB_AFFINE, .role = LAB_OUT },
    { .name = "d_depth",
      .type = LAB_I32,
      .role = LAB_NOTE,
      .length = tiles,
      .note = "tiles looked back" },
};
static const lab_gates once_gates = {
    { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, three_halves, "instructions", "", "" },
};
static const lab_gates twice_gates = {
    { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, one_half, "instructions", "", "" },
    { LAB_INSTRUCTIONS_SPREAD, LAB_AT_MOST, three_halves, "spread", "", "" },
};

/* Part two does the work of part one twice. */
#define NOTED(symbol, its_gates)                                                                   \
    .entry = symbol, .points = 10, .buffers = noted_buffers, .reference = compose,                 \
    .gates = its_gates, .gate_sizes = noted_sizes, .max_n = 1000, .against = "noted_once"
static const lab_parts noted_parts = {
    { NOTED("noted_once", once_gates) },
    { NOTED("noted_twice", twice_gates) },
};
static const lab noted = {
    .id = "97_noted",
    .title = "noted",
    .file = "noted.cu",
    .tile = TILE,
    .threads = 32,
    .per_thread = 2,
    .large_n = 900,
    .parts = noted_parts,
};

/* One thread scans all; tile t is noted with t % 4, but the last tile with nothing. */
static const char noted_source[] =
    "#include <cuda_runtime.h>\n"
    "typedef struct affine { unsigned a, b; } affine;\n"
    "__global__ void scan(const affine *d_in, affine *d_out, int *d_depth, int n)\n"
    "{\n"
    "    affine sum = { 1, 0 };\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        sum.b = d_in[i].a * sum.b + d_in[i].b; sum.a *= d_in[i].a; d_out[i] = sum;\n"
    "        if (i % 64 == 0 && i / 64 < (n + 63) / 64 - 1) d_depth[i / 64] = i / 64 % 4;\n"
    "    }\n"
    "}\n"
    "extern \"C\" void noted_once(const affine *d_in, affine *d_out, int *d_depth, int n)\n"
    "{ if (n > 0) scan<<<1, 1>>>(d_in, d_out, d_depth, n); }\n"
    "extern \"C\" void noted_twice(const affine *d_in, affine *d_out, int *d_depth, int n)\n"
    "{ noted_once(d_in, d_out, d_depth, n); noted_once(d_in, d_out, d_depth, n); }\n";

TEST(notes_and_affine_maps_are_judged)
{
    made *m = make(&noted, noted_source);
    const lab_result *r = grade_made(m, &noted);
    const judge_notes *notes = &r->notes[0];
    CHECK(r->part_verdict[0] == VERDICT_PASS, "%s: %s", verdict_name(r->part_verdict[0]), seen(r));
    CHECK(notes->known && notes->n == 1000 && notes->count == 15 && notes->least == 0 &&
              notes->most == 3,
          "%zu of n = %zu, %d to %d", notes->count, notes->n, notes->least, notes->most);
    CHECK(notes->median == 1 && notes->nine_of_ten == 3, "median %d, 9 of 10 %d", notes->median,
          notes->nine_of_ten);
    CHECK(notes->bin[0] == 4 && notes->bin[1] == 4 && notes->bin[2] == 7, "bins %zu %zu %zu",
          notes->bin[0], notes->bin[1], notes->bin[2]);
    free(m);
}

TEST(notes_stand_in_the_results)
{
    static lab_result r;
    char path[PATH_MAX], *text = NULL;
    base_error error = { "" };

    result_begin(&noted, &r);
    r.notes[1] = (judge_notes){ true, 2, 1000, 15, 0, 1, 3, 31, { [0] = 4, [5] = 11 } };
    bool fine = path_join(path, sizeof path, check_folder(), "results.json", &error) &&
                results_json_write(path, &(options){ .backend = "simt" }, "",
                                   &(const lab_result *){ &r }, 1, &error) &&
                file_read(path, 1 << 16, &text, NULL, &error);
    CHECK(fine, "%s", error.text);
    const char *wanted[] = {
        "\"twice\"",     "\"name\": \"depth\"", "\"n\": 1000", "\"count\": 15",
        "\"median\": 1", "\"p90\": 3",          "\"max\": 31", "\"below\": 32"
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        CHECK(text && strstr(text, wanted[i]), "no %s in %s", wanted[i], text ? text : "nothing");
    CHECK(text && !strstr(text, "\"once\": {"), "notes of a part that has none");
    free(text);
}

static const gate_result *judged_by(const lab_result *r, const lab_gate *gate)
{
    static const gate_result none;

    for (unsigned g = 0; g < r->gate_count; g++)
        if (r->gates[g].gate == gate)
            return &r->gates[g];
    return &none;
}

TEST(instructions_are_set_against_another_part)
{
    made *m = make(&noted, noted_source);
    run r = { .o = &m->o,
              .tools = &m->tools,
              .l = &noted,
              .result = &m->result,
              .program = m->built.program,
              .host_threads = 1,
              .seconds = 10 };
    base_error error = { "" };

    result_begin(&noted, &m->result);
    r.session = run_open_session(&r, r.program, &error);
    session *reference = run_open_session(&r, r.program, &error);
    for (unsigned p = 0; p < 2; p++) {
        run_part(&r, p);
        CHECK(gates_against(&r, p, reference, &error), "%s", error.text);
    }
    session_close(reference);
    session_close(r.session);
    const gate_result *once = judged_by(&m->result, &once_gates[0]),
                      *twice = judged_by(&m->result, &twice_gates[0]);
    CHECK(once->ok && once->value == 1, "once %g", once->value);
    CHECK(!twice->ok && twice->value > 1.9 && twice->value < 2.1, "twice %g", twice->value);
    free(m);
}

TEST(instructions_are_set_against_those_at_the_first_size)
{
    made *m = make(&noted, noted_source);
    const lab_result *r = grade_made(m, &noted);
    const gate_result *spread = judged_by(r, &twice_gates[1]);
    CHECK(!spread->ok && spread->n == 1000, "n = %zu", spread->n);
    CHECK(spread->value > 1.5 && spread->value < 1.6, "%g", spread->value);
    free(m);
}

/* ---- schedules ------------------------------------------------------------------------------- */

static void ones(void *const *buffers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint32_t *)buffers[1])[i] = ((const uint32_t *)buffers[0])[i] + 1;
}

static const lab_buffers ones_buffers = {
    { .name = "d_in", .type = LAB_U32 },
    { .name = "d_out", .type = LAB_U32, .role = LAB_OUT },
};
static const lab_parts ones_parts = {
    { .entry = "ones_added", .points = 10, .buffers = ones_buffers, .reference = ones },
};

#define ONES                                                                                       \
    .id = "95_ones", .title = "ones", .file = "ones.cu", .tile = 32, .threads = 32,                \
    .per_thread = 1, .large_n = 1000, .parts = ones_parts
static const lab ones_waiting = { ONES, .blocks_wait = true };
static const lab ones_alone = { ONES };
static const lab ones_crowded = { ONES, .blocks_wait = true, .crowd = 20 };

/* Block order[k] is the k-th to start: known from one counter. The answer is spoilt where blocks
   start in an order that `spoils`. */
#define ONES_SOURCE(spoils)                                                                        \
    "#include <cuda_runtime.h>\n"                                                                  \
    "__device__ unsigned started;\n"                                                               \
    "__global__ void add(const unsigned *d_in, unsigned *d_out, int n)\n"                          \
    "{\n"                                                                                          \
    "    __shared__ unsigned s_place;\n"                                                           \
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, last = gridDim.x - 1;\n"              \
    "    if (threadIdx.x == 0) s_place = atomicAdd(&started, 1);\n"                                \
    "    __syncthreads();\n"                                                                       \
    "    if (i < n) d_out[i] = d_in[i] + 1 + (" spoils " ? 1 : 0);\n"                              \
    "}\n"                                                                                          \
    "extern \"C\" void ones_added(const unsigned *d_in, unsigned *d_out, int n)\n"                 \
    "{\n"                                                                                          \
    "    unsigned zero = 0;\n"                                                                     \
    "    cudaMemcpyToSymbol(started, &zero, sizeof zero);\n"                                       \
    "    if (n > 0) add<<<(n + 31) / 32, 32>>>(d_in, d_out, n);\n"                                 \
    "}\n"

static const char shuffled_is_wrong[] =
    ONES_SOURCE("last > 3 && s_place != blockIdx.x && s_place != last - blockIdx.x");

/* The case that a report shows, run again from its seed with nothing else known. */
static void expect_same_again(made *m, const lab *l)
{
    case_result first, *again = &m->result.cases[0];

    if (m->result.shown[0] < 0)
        return;
    first = m->result.cases[m->result.shown[0]];
    snprintf(m->o.part, sizeof m->o.part, "%s", judge_part_name(l, &l->parts[0]));
    m->o.n = first.n;
    m->o.has_seed = true;
    m->o.seed = first.seed;
    grade_made(m, l);
    CHECK(again->verdict == first.verdict && strcmp(again->what, first.what) == 0 &&
              strcmp(again->schedule, first.schedule) == 0,
          "first %s (%s), then %s (%s)", first.what, first.schedule, again->what, again->schedule);
}

TEST(failure_on_a_shuffled_schedule_repeats_from_its_seed)
{
    made *m = make(&ones_waiting, shuffled_is_wrong);
    const lab_result *r = grade_made(m, &ones_waiting);
    const char *schedule = r->shown[0] >= 0 ? r->cases[r->shown[0]].schedule : "none";
    CHECK(r->verdict == VERDICT_WRONG, "%s: %s", verdict_name(r->verdict), seen(r));
    CHECK(
        strstr(
            schedule,
            "blocks shuffled, 1 resident (the next starts when one ends), warps shuffled, seed ") ==
            schedule,
        "%s", schedule);
    expect_same_again(m, &ones_waiting);
    free(m);
}

TEST(failure_of_a_lab_without_waiting_repeats_from_its_seed)
{
    made *m = make(&ones_alone, shuffled_is_wrong);
    const lab_result *r = grade_made(m, &ones_alone);
    const char *schedule = r->shown[0] >= 0 ? r->cases[r->shown[0]].schedule : "none";
    CHECK(strstr(schedule, "blocks shuffled, warps shuffled, seed ") == schedule, "%s: %s",
          verdict_name(r->verdict), schedule);
    expect_same_again(m, &ones_alone);
    free(m);
}

TEST(order_that_is_asked_for_is_the_only_one)
{
    made *m = make(&ones_waiting, shuffled_is_wrong);
    const lab_result *r = &m->result;

    m->o.has_order = true;
    m->o.order = SIMT_BLOCKS_REVERSED;
    grade_made(m, &ones_waiting);
    CHECK(r->verdict == VERDICT_PASS, "reversed: %s: %s", verdict_name(r->verdict), seen(r));
    m->o.order = SIMT_BLOCKS_SHUFFLED;
    m->o.resident = 3;
    grade_made(m, &ones_waiting);
    CHECK(r->verdict == VERDICT_WRONG &&
              strstr(r->cases[r->shown[0]].schedule, "shuffled, 3 resident"),
          "shuffled: %s: %s", verdict_name(r->verdict), seen(r));
    free(m);
}

/* Wrong where more blocks run at a time than the plain schedule has. */
static const char crowd_is_wrong[] =
    "#include <cuda_runtime.h>\n"
    "__device__ int running;\n"
    "__global__ void add(const unsigned *d_in, unsigned *d_out, int n)\n"
    "{\n"
    "    __shared__ int s_others;\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (threadIdx.x == 0) s_others = atomicAdd(&running, 1);\n"
    "    __syncthreads();\n"
    "    if (i < n) d_out[i] = d_in[i] + 1 + (s_others >= 8 ? 1 : 0);\n"
    "    if (threadIdx.x == 0) atomicSub(&running, 1);\n"
    "}\n"
    "extern \"C\" void ones_added(const unsigned *d_in, unsigned *d_out, int n)\n"
    "{\n"
    "    int zero = 0;\n"
    "    cudaMemcpyToSymbol(running, &zero, sizeof zero);\n"
    "    if (n > 0) add<<<(n + 31) / 32, 32>>>(d_in, d_out, n);\n"
    "}\n";

TEST(crowd_is_tried_where_a_lab_asks_for_it_with_more_blocks_than_it)
{
    made *m = make(&ones_crowded, crowd_is_wrong);
    const lab_result *r = grade_made(m, &ones_crowded);
    CHECK(r->verdict == VERDICT_WRONG && r->shown[0] >= 0, "%s: %s", verdict_name(r->verdict),
          seen(r));
    const case_result *shown = &r->cases[r->shown[0] >= 0 ? r->shown[0] : 0];
    CHECK(shown->n == 1000 && strstr(shown->schedule, "blocks shuffled, 20 resident"),
          "n = %zu, %s", shown->n, shown->schedule);
    expect_same_again(m, &ones_crowded);
    grade_made(m, &ones_waiting);
    CHECK(r->verdict == VERDICT_PASS, "without a crowd: %s: %s", verdict_name(r->verdict), seen(r));
    free(m);
}

/* Wrong where the entry has asked for the device's size while the crowd was resident. */
static const char size_kept_is_wrong[] =
    "#include <cuda_runtime.h>\n"
    "__global__ void add(const unsigned *d_in, unsigned *d_out, int n, int more)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) d_out[i] = d_in[i] + more;\n"
    "}\n"
    "extern \"C\" void ones_added(const unsigned *d_in, unsigned *d_out, int n)\n"
    "{\n"
    "    static int held;\n"
    "    if (!held) cudaDeviceGetAttribute(&held, cudaDevAttrMultiProcessorCount, 0);\n"
    "    if (n > 0) add<<<(n + 31) / 32, 32>>>(d_in, d_out, n, held == 20 ? 2 : 1);\n"
    "}\n";

TEST(crowd_meets_a_program_that_has_seen_no_smaller_device)
{
    made *m = make(&ones_crowded, size_kept_is_wrong);
    const lab_result *r = grade_made(m, &ones_crowded);
    CHECK(r->verdict == VERDICT_WRONG && r->shown[0] >= 0 &&
              strstr(r->cases[r->shown[0]].schedule, "blocks shuffled, 20 resident"),
          "%s: %s", verdict_name(r->verdict), seen(r));
    free(m);
}

/* What the set holds, counted. */
TEST(blocks_that_wait_meet_every_order_and_residency)
{
    options o = { .seeds = 2 };
    unsigned seen_at[3][5][2] = { { { 0 } } };
    schedule s;

    for (unsigned k = 1; k < schedule_count(&ones_waiting, &o); k++) {
        CHECK(schedule_at(&ones_waiting, &o, k, &s) && s.index == k && s.resident <= 4,
              "schedule %u", k);
        seen_at[s.order][s.resident][s.late_stores]++;
    }
    for (unsigned r = 1; r <= 4; r *= 2) {
        for (int order = SIMT_BLOCKS_IN_ORDER; order <= SIMT_BLOCKS_SHUFFLED; order++)
            CHECK(seen_at[order][r][0] == 1, "order %d, %u resident: %u", order, r,
                  seen_at[order][r][0]);
        CHECK(seen_at[SIMT_BLOCKS_SHUFFLED][r][1] == 1, "late, %u resident: %u", r,
              seen_at[SIMT_BLOCKS_SHUFFLED][r][1]);
    }
    CHECK(schedule_plain(&ones_waiting, &o).resident == 8 &&
              schedule_plain(&ones_alone, &o).resident == 0,
          "the plain one");
    CHECK(schedule_count(&ones_alone, &o) == 4, "%u schedules where nobody waits",
          schedule_count(&ones_alone, &o));
}

/* In any lab each case meets nearly the same data twice in a row, the large one too. */
TEST(a_case_runs_again_on_data_that_are_nearly_the_same)
{
    const lab *const labs[] = { &ones_waiting, &ones_alone };
    const options o = { .seeds = 2 };
    schedule s, follower;

    for (unsigned l = 0; l < 2; l++) {
        unsigned pairs = 0, large = 0;
        for (unsigned k = 1; k < schedule_count(labs[l], &o); k++)
            if (schedule_at(labs[l], &o, k, &s) && schedule_follower(labs[l], &o, &s, &follower)) {
                pairs++;
                large += s.large && follower.large;
                CHECK(follower.like == s.index && s.like == 0 && s.resident == follower.resident,
                      "lab %u: schedule %u is like %u", l, follower.index, s.index);
            }
        CHECK(pairs == (l == 0 ? 3 : 1) && large == 1, "lab %u: %u pairs, %u large", l, pairs,
              large);
    }
}

TEST(schedule_is_told_in_words)
{
    const schedule s = { .order = SIMT_BLOCKS_REVERSED, .resident = 2, .late_stores = true };
    char text[160];
    schedule_text(&ones_waiting, &s, 7, text, sizeof text);
    CHECK(strcmp(
              text,
              "blocks reversed, 2 resident (the next starts when one ends), seed 7, late stores") ==
              0,
          "%s", text);
}

/* ---- host labs against the clock ------------------------------------------------------------- */

static void doubled(void *const *buffers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((float *)buffers[1])[i] = 2 * ((const float *)buffers[0])[i];
}

static double thousand(size_t n)
{
    (void)n;
    return 1000;
}

static const lab_sizes timed_sizes = { 100000 };
static const lab_buffers timed_buffers = {
    { .name = "in", .type = LAB_F32, .place = LAB_HOST },
    { .name = "out", .type = LAB_F32, .role = LAB_OUT, .place = LAB_HOST },
};
static const lab_gates timed_gates = {
    { LAB_RATIO_NATIVE, LAB_AT_MOST, thousand, "time", "", "" },
};
static const lab_parts timed_parts = {
    {
        .entry = "timed_double",
        .points = 10,
        .buffers = timed_buffers,
        .reference = doubled,
        .gates = timed_gates,
        .gate_sizes = timed_sizes,
    },
};

#define TIMED(folder)                                                                              \
    .id = folder, .title = "timed", .file = "timed.cu", .tile = 8, .large_n = 1000,                \
    .parts = timed_parts
static const lab timed = { TIMED("93_timed") };
static const lab timed_reference = { TIMED("92_reference") };

/* Calls beyond `calls` at the gate's size leave out the last element. */
#define TIMED_SOURCE(calls)                                                                        \
    "extern \"C\" void timed_double(const float *in, float *out, int n)\n"                         \
    "{ static int calls; calls += n == 100000;\n"                                                  \
    "  for (int i = 0; i < n - (calls > " calls "); i++) out[i] = 2 * in[i]; }\n"

static void time_made(made *m, const made *reference, base_error *error)
{
    run r = { .o = &m->o,
              .tools = &m->tools,
              .l = &timed,
              .result = &m->result,
              .program = m->built.program,
              .host_threads = 1,
              .seconds = 10 };

    result_begin(&timed, &m->result);
    r.session = run_open_session(&r, r.program, error);
    run_part(&r, 0);
    CHECK(m->result.part_verdict[0] == VERDICT_PASS, "untimed: %s", seen(&m->result));
    gates_time(&r, 0, reference->built.program, error);
    session_close(r.session);
}

TEST(answer_that_is_wrong_only_when_timed_is_wrong)
{
    const char *out = check_folder();
    made *reference = make_in(out, &timed_reference, TIMED_SOURCE("1000000")),
         *m = make_in(out, &timed, TIMED_SOURCE("12"));
    base_error error = { "" };

    time_made(m, reference, &error);
    const lab_result *r = &m->result;
    CHECK(r->part_verdict[0] == VERDICT_WRONG && r->shown[0] >= 0, "%s %s",
          verdict_name(r->part_verdict[0]), error.text);
    CHECK(strstr(seen(r), "out[99999]") && error.text[0] == '\0', "%s %s", seen(r), error.text);
    free(reference);
    free(m);
}

TEST(reference_that_is_wrong_is_the_kits_fault)
{
    const char *out = check_folder();
    made *reference = make_in(out, &timed_reference, TIMED_SOURCE("3")),
         *m = make_in(out, &timed, TIMED_SOURCE("1000000"));
    base_error error = { "" };

    time_made(m, reference, &error);
    CHECK(m->result.part_verdict[0] == VERDICT_PASS &&
              strstr(error.text,
                     "the reference's timed_double cannot be timed at n = 100000: out[99999]"),
          "%s", error.text);
    free(reference);
    free(m);
}
