/*
 * device_test.c: grading on a GPU, as far as it needs none: what nvcc says, what is missing, which
 * times are believed, what a GPU's errors mean, what the results hold. Compilers' outputs are nvcc
 * 13.0's own, of programs that stand above them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build.h"
#include "check.h"
#include "compiler_errors.h"
#include "explain.h"
#include "file.h"
#include "grade.h"
#include "labs.h"
#include "path.h"
#include "process.h"
#include "results_json.h"
#include "schedule.h"
#include "timing.h"
#include "tool_words.h"

enum { N = 1 << 20 };

static size_t one(size_t n)
{
    (void)n;
    return 1;
}

static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_I64, .role = LAB_OUT },
};
static const lab_buffers total_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_sum", .type = LAB_F32, .role = LAB_OUT, .length = one },
    { .name = "d_note", .type = LAB_I32, .role = LAB_NOTE },
};
static const lab_parts parts = {
    { .entry = "scan_part", .points = 10, .buffers = in_out },
    { .entry = "scan_total", .points = 10, .buffers = total_buffers },
};

static const lab made_up = {
    .id = "94_scan",
    .title = "scan",
    .file = "scan.cu",
    .tile = 8,
    .threads = 8,
    .per_thread = 1,
    .parts = parts,
};

/* ---- what nvcc says -------------------------------------------------------------------------- */

static unsigned shown(const char *said, const char *ptx, char *text, size_t room, unsigned *line)
{
    char *clang = nvcc_errors_as_clang(said, "scan.cu", ptx);
    unsigned errors = clang ? clang_errors_pick(clang, "scan.cu", text, room, line) : 0;
    free(clang);
    return errors;
}

/* 3 MiB of PTX, and as many messages about it as are read; a test that hangs is ended. */
TEST(nvcc_errors_about_long_ptx_take_no_time)
{
    enum { LINES = 150000, MESSAGES = 4000, ROOM = 64 };
    char *const ptx = malloc((size_t)LINES * ROOM), *const said = malloc((size_t)MESSAGES * ROOM),
                *to = ptx, text[2000];
    unsigned line = 0;

    for (unsigned k = 0; ptx && k < LINES; k++)
        to += snprintf(to, ROOM, "\t.loc\t%u %u 3\n", 1 + k % 2, k + 1);
    if (ptx)
        snprintf(to, ROOM, "\t.file\t2 \"/w/scan.cu\"\n\t.file\t1 \"/kit/kit.h\"\n");
    to = said;
    for (unsigned k = 0; said && k < MESSAGES; k++)
        to += snprintf(to, ROOM, "ptxas a.ptx, line %u; error   : no\n", LINES - k);
    alarm(10);
    const unsigned errors = ptx && said ? shown(said, ptx, text, sizeof text, &line) : 0;
    alarm(0);
    CHECK(errors == MESSAGES && line == LINES, "%u errors, the first in line %u", errors, line);
    free(ptx);
    free(said);
}

TEST(nvcc_errors_are_told_as_clangs)
{
    char text[2000];
    unsigned line,
        errors = shown(
            "scan.cu(2): error: identifier \"undefined_name\" is undefined\n"
            "  __attribute__((global)) void k(float *a) { float x = undefined_name; a[0] = x }\n"
            "                                                       ^\n"
            "\n"
            "scan.cu(3): warning #177-D: variable \"y\" was declared but never referenced\n"
            "  int y;\n"
            "      ^\n"
            "\n"
            "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
            "\n"
            "kit.h(9): error: expected an expression\n"
            "  int g = 1 + ;\n"
            "              ^\n"
            "\n"
            "2 errors detected in the compilation of \"scan.cu\".\n",
            NULL, text, sizeof text, &line);
    CHECK(errors == 2 && line == 2, "%u errors, the first in line %u", errors, line);
    CHECK(strcmp(text, "scan.cu:2: error: identifier \"undefined_name\" is undefined\n"
                       "  __global__ void k(float *a) { float x = undefined_name; a[0] = x }\n"
                       "                                          ^\n"
                       "in a header of the kit: expected an expression\n") == 0,
          "%s", text);
}

TEST(preprocessors_errors_of_nvcc_keep_their_line)
{
    char text[2000];
    unsigned line,
        errors = shown("scan.cu:4:10: fatal error: nothere.h: No such file or directory\n"
                       "    4 | #include <nothere.h>\n"
                       "      |          ^~~~~~~~~~~\n"
                       "compilation terminated.\n",
                       NULL, text, sizeof text, &line);
    CHECK(errors == 1 && line == 4 && strstr(text, "nothere.h: No such file"), "%u, line %u: %s",
          errors, line, text);
    CHECK(!strstr(text, "terminated"), "%s", text);
}

TEST(errors_of_ptxas_are_put_at_the_source_line)
{
    static const char said[] = "ptxas /tmp/tmpxft_00002480_00000000-6_scan.ptx, line 7; error   : "
                               "Not a name of any known instruction: 'nonsense'\n"
                               "ptxas fatal   : Ptx assembly aborted due to errors\n";
    static const char ptx[] = ".version 9.0\n"
                              ".target sm_90\n"
                              "\t.file\t1 \"/usr/include/other.h\"\n"
                              "\t.file\t2 \"/home/me/scan.cu\"\n"
                              "\t.loc\t2 12 3\n"
                              "\t.loc\t1 900 3\n"
                              "\tnonsense.f32 %f1, 1;\n"
                              "\t.loc\t2 13 3\n";
    char text[2000];
    unsigned line, errors = shown(said, ptx, text, sizeof text, &line);
    CHECK(nvcc_errors_name_ptx(said), "its line of the PTX is not seen");
    CHECK(errors == 1 && line == 12, "%u errors, line %u: %s", errors, line, text);
    CHECK(strstr(text, "scan.cu:12: error: Not a name of any known instruction: 'nonsense'"), "%s",
          text);
    errors = shown(said, NULL, text, sizeof text, &line);
    CHECK(errors == 1 && line == 0 && strstr(text, "of an asm statement"), "%u, line %u: %s",
          errors, line, text);
}

TEST(errors_of_ptxas_without_a_line_name_the_kernel)
{
    char text[2000];
    unsigned line, errors = shown("ptxas error   : Entry function '_Z10scan_tilesPKfPfi' uses too "
                                  "much shared data (0x61a80 bytes, 0xc000 max)\n",
                                  NULL, text, sizeof text, &line);
    CHECK(errors == 1 && strstr(text, "'scan_tiles' uses too much shared data"), "%u: %s", errors,
          text);
    errors = shown("ptxas fatal   : Unresolved extern function '_Z1gi'\n", NULL, text, sizeof text,
                   &line);
    CHECK(errors == 1 && strstr(text, "Unresolved extern function 'g'"), "%u: %s", errors, text);
}

TEST(output_without_an_error_is_no_error_of_the_file)
{
    char text[2000];
    unsigned line;
    CHECK(shown("nvcc fatal   : Unsupported gpu architecture 'compute_20'\n", NULL, text,
                sizeof text, &line) == 0,
          "%s", text);
    CHECK(shown("", NULL, text, sizeof text, &line) == 0, "%s", text);
}

TEST(limits_that_programs_of_nvcc_meet_are_known_by_their_words)
{
    static const struct {
        const char *said;
        tool_meaning met;
    } samples[] = {
        { "gcc: fatal error: CPU time limit exceeded signal terminated program "
          "cc1plus\ncompilation terminated.\n",
          TOOL_MET_TIME_LIMIT },
        { "nvcc error   : 'cicc' died due to signal 24 (CPU time limit exceeded)\n",
          TOOL_MET_TIME_LIMIT },
        { "cc1plus: out of memory allocating 8454128 bytes after a total of 9629696 bytes\n",
          TOOL_MET_MEMORY_LIMIT },
        { "nvcc error   : 'cudafe++' died due to signal 11 (Invalid memory reference)\n",
          TOOL_MET_MEMORY_LIMIT },
        { "gcc: internal compiler error: File size limit exceeded signal terminated program "
          "cc1plus\n",
          TOOL_MET_FILE_LIMIT },
        { "scan.cu(2): error: identifier \"limit\" is undefined\n", TOOL_SAYS_NOTHING },
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        CHECK(tool_words_meaning(TOOL_NVCC, samples[i].said) == samples[i].met,
              "%d, not %d, for: %s", tool_words_meaning(TOOL_NVCC, samples[i].said), samples[i].met,
              samples[i].said);
}

/* With the nvcc that is here. */
static void build_text(const char *source, build_result *built)
{
    toolchain tools;
    base_error error;
    char path[PATH_MAX], folder[PATH_MAX];
    const char *here = check_folder();
    const lab *l = labs_find("04", &error);

    memset(built, 0, sizeof *built);
    if (!toolchain_find_nvcc(&tools, &error)) {
        check_skip(error.text);
        return;
    }
    process_prepare();
    bool fine = l && path_join(path, sizeof path, here, "mine.cu", &error) &&
                file_write(path, source, strlen(source), &error) &&
                path_join(folder, sizeof folder, here, "made", &error) &&
                file_make_folders(folder, &error);
    CHECK(fine, "%s", error.text);
    if (fine)
        build_submission(&tools, l, path, folder, built);
}

TEST(nvcc_shows_a_mistake_with_its_line)
{
    build_result built;
    build_text(
        "#include \"hillis_steele.h\"\n__global__ void k(float *a)\n{\n    a[0] = mistaken;\n}\n",
        &built);
    CHECK(built.program[0] == '\0' || (built.verdict == VERDICT_COMPILE_ERROR && built.line == 4 &&
                                       strstr(built.message, "\"mistaken\"")),
          "%s, line %u: %s", verdict_name(built.verdict), built.line, built.message);
}

TEST(misspelt_ptx_is_shown_at_its_asm_by_nvcc)
{
    build_result built;
    build_text("__global__ void k(int *a)\n{\n    int x = a[1];\n    asm(\"nonsense.u32 %0, 1;\" : "
               "\"=r\"(x));\n    a[0] = x;\n}\n",
               &built);
    CHECK(built.program[0] == '\0' || (built.verdict == VERDICT_COMPILE_ERROR && built.line == 4 &&
                                       strstr(built.message, "nonsense")),
          "%s, line %u: %s", verdict_name(built.verdict), built.line, built.message);
}

TEST(nvcc_is_stopped_by_macros_without_end)
{
    build_result built;
    build_text("#define A(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ "
               "__VA_ARGS__ __VA_ARGS__ __VA_ARGS__\n"
               "int z[] = { A(A(A(A(A(A(A(A(A(A(1,)))))))))) };\n",
               &built);
    CHECK(built.program[0] == '\0' || built.verdict == VERDICT_COMPILE_LIMIT, "%s: %s",
          verdict_name(built.verdict), built.message);
}

TEST(names_that_nobody_defines_are_told_for_a_gpu_too)
{
    build_result built;
    build_text("#include \"hillis_steele.h\"\nvoid elsewhere(void);\nextern \"C\" void "
               "hillis_steele_inclusive(const float *d_in, float *d_out, int n)\n"
               "{ elsewhere(); }\n",
               &built);
    CHECK(built.program[0] == '\0' ||
              (built.verdict == VERDICT_COMPILE_ERROR && strstr(built.message, "elsewhere")),
          "%s: %s", verdict_name(built.verdict), built.message);
}

TEST(clock_of_a_submissions_own_is_refused)
{
    static const char *const clocks[] = {
        "cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b) { *ms = 1e-3f; "
        "return cudaSuccess; }",
        "double gpu_timer_end(void *t, double *host_us, void *e) { return *host_us = 1; }"
    };
    build_result built;
    char source[300];

    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        snprintf(source, sizeof source, "extern \"C\" {\n%s\n}\n", clocks[i]);
        build_text(source, &built);
        CHECK(built.program[0] == '\0' ||
                  (built.verdict == VERDICT_COMPILE_ERROR &&
                   strstr(built.message, "defines a name that the kit already uses")),
              "%s: %s", verdict_name(built.verdict), built.message);
    }
}

/* ---- what is missing ------------------------------------------------------------------------- */

TEST(missing_parts_of_a_gpus_toolchain_are_named)
{
    base_error error;
    toolchain_tell_missing(
        "", "no GPU: no CUDA-capable device is detected (there is no /dev/nvidia0)", "", &error);
    CHECK(strstr(error.text, "nvcc: not found") &&
              strstr(error.text, "GPU:  no GPU: no CUDA-capable device") &&
              !strstr(error.text, "kit:"),
          "%s", error.text);
    toolchain_tell_missing("/usr/local/cuda/bin/nvcc", "",
                           "built without a CUDA Toolkit: none was found", &error);
    CHECK(strstr(error.text, "nvcc: /usr/local/cuda/bin/nvcc") &&
              strstr(error.text, "GPU:  found") && strstr(error.text, "kit:  built without"),
          "%s", error.text);
    CHECK(strstr(error.text, "BACKEND=simt"), "%s", error.text);
}

TEST(a_lab_of_several_gpus_is_not_run_on_one)
{
    static toolchain tools;
    base_error error = { "" };

    tools.cuda = true;
    CHECK(toolchain_read_facts("# gpu: A Card\n# gpus: 1\n", &tools.gpu) && tools.gpu.count == 1,
          "%u GPUs", tools.gpu.count);
    CHECK(toolchain_has_gpus(&tools, 1, &error), "one is enough");
    CHECK(!toolchain_has_gpus(&tools, 2, &error) && strstr(error.text, "this machine has 1"), "%s",
          error.text);
    tools.gpu.count = 2;
    CHECK(toolchain_has_gpus(&tools, 2, &error), "two are two");
    tools.gpu.count = 0;
    CHECK(toolchain_has_gpus(&tools, 2, &error), "what is not known is tried");
}

/* A script that says where the real one lies, as nvcc does. */
static void write_script(const char *path, const char *home)
{
    char text[PATH_MAX];
    base_error error;

    snprintf(text, sizeof text, "#!/bin/sh\necho '#$ _HERE_=%s'\n", home);
    CHECK(file_write(path, text, strlen(text), &error), "%s", error.text);
    CHECK(chmod(path, 0755) == 0, "chmod %s", path);
}

TEST(scripts_give_way_to_the_programs_they_start)
{
    static const char *const options[] = { "--dryrun", NULL };
    char folder[] = "wrapped-XXXXXX", home[64], script[64], real[80], path[PATH_MAX];

    CHECK(mkdtemp(folder), "mkdtemp");
    snprintf(home, sizeof home, "%s/home", folder);
    snprintf(script, sizeof script, "%s/nvcc", folder);
    snprintf(real, sizeof real, "%s/nvcc", home);
    write_script(script, home);
    snprintf(path, sizeof path, "%s", script);
    toolchain_unwrap(path, options, "_HERE_=");
    CHECK(strcmp(path, script) == 0, "%s, which is not there", path);
    CHECK(mkdir(home, 0777) == 0, "mkdir %s", home);
    write_script(real, "");
    toolchain_unwrap(path, options, "_HERE_=");
    CHECK(strcmp(path, real) == 0, "%s", path);
    toolchain_unwrap(path, options, "_HERE_=");
    CHECK(strcmp(path, real) == 0, "%s", path);
    toolchain_unwrap(path, options, "InstalledDir: ");
    CHECK(strcmp(path, real) == 0, "%s", path);
    CHECK(!remove(real) && !remove(home) && !remove(script) && !remove(folder), "remove");
}

TEST(facts_of_a_gpu_are_read)
{
    toolchain_gpu gpu;
    bool read = toolchain_read_facts("# gpu: NVIDIA H200\n# compute_capability: 9.0\n# "
                                     "multiprocessors: 132\n# l2_bytes: 52428800\n"
                                     "# memory_bytes: 1\n# peak_GBps: 4814.3\n",
                                     &gpu);
    CHECK(read && strcmp(gpu.name, "NVIDIA H200") == 0 && gpu.capability == 90 &&
              gpu.l2_bytes == 52428800 && gpu.peak_GBps > 4814,
          "%s, %u, %zu, %g", gpu.name, gpu.capability, gpu.l2_bytes, gpu.peak_GBps);
    CHECK(!toolchain_read_facts("Segmentation fault\n", &gpu), "no facts, and yet %s", gpu.name);
}

TEST(variables_are_passed_on_only_where_asked_for)
{
    static const char *const arguments[] = { "/bin/sh", "-c", "echo \"[$SCANLAB_A][$SCANLAB_B]\"",
                                             NULL },
                             *const names[] = { "SCANLAB_B", NULL };
    process_spec spec = { .arguments = arguments, .given = { -1, -1, -1 } };
    process_run_result run;
    base_error error;

    setenv("SCANLAB_A", "a", 1);
    setenv("SCANLAB_B", "b", 1);
    bool fine = process_run(&spec, 10, 1000, &run, &error);
    CHECK(fine && strcmp(run.output, "[][]\n") == 0, "%s", fine ? run.output : error.text);
    free(run.output);
    spec.environment = names;
    fine = process_run(&spec, 10, 1000, &run, &error);
    CHECK(fine && strcmp(run.output, "[][b]\n") == 0, "%s", fine ? run.output : error.text);
    free(run.output);
    setenv("SCANLAB_KEEP_ENVIRONMENT", "1", 1);
    fine = process_run(&spec, 10, 1000, &run, &error);
    CHECK(fine && strcmp(run.output, "[a][b]\n") == 0, "%s", fine ? run.output : error.text);
    free(run.output);
    unsetenv("SCANLAB_KEEP_ENVIRONMENT");
}

/* ---- schedules ------------------------------------------------------------------------------- */

TEST(gpu_runs_each_case_again_with_fresh_data)
{
    const options o = { .backend = "cuda", .seeds = 2 };
    const schedule plain = schedule_plain(&made_up, &o);
    schedule s;
    char text[160];

    CHECK(schedule_count(&made_up, &o) == 3 && plain.gpu && plain.index == 0, "%u runs",
          schedule_count(&made_up, &o));
    CHECK(schedule_seed(&plain, 7) == 7, "the first run's data are not the seed's own");
    for (unsigned k = 1; k < 3; k++)
        CHECK(schedule_at(&made_up, &o, k, &s) && s.gpu && s.large && schedule_seed(&s, 7) != 7,
              "run %u", k);
    schedule_text(&made_up, &s, 7, text, sizeof text);
    CHECK(strcmp(text, "data set 3 of seed 7") == 0, "%s", text);
    schedule_text(&made_up, &plain, 7, text, sizeof text);
    CHECK(strcmp(text, "seed 7") == 0, "%s", text);
}

/* ---- times ----------------------------------------------------------------------------------- */

TEST(time_of_a_gpu_is_held_against_the_clocks)
{
    const timing_sample good = { 40, 110, 260 }, none = { 0, 0, 260 }, beyond = { 300, 310, 260 },
                        beyond_child = { 120, 110, 260 }, stopped_clock = { 40, 400, 260 },
                        fast = { 4, 110, 260 };
    CHECK(timing_check(&good, 20) == TIMING_FINE, "%s", timing_doubt_text(timing_check(&good, 20)));
    CHECK(timing_check(&none, 20) == TIMING_NONE, "no time is believed");
    CHECK(timing_check(&beyond, 20) == TIMING_BEYOND_CLOCK, "longer than the parent's clock");
    CHECK(timing_check(&beyond_child, 20) == TIMING_BEYOND_CLOCK, "longer than the child's clock");
    CHECK(timing_check(&stopped_clock, 20) == TIMING_BEYOND_CLOCK,
          "the child's clock runs ahead of the parent's");
    CHECK(timing_check(&fast, 20) == TIMING_BELOW_FLOOR, "below the floor");
    CHECK(timing_check(&fast, 0) == TIMING_FINE, "a floor that is not known");
    CHECK(timing_check(&(timing_sample){ -1, 5, 9 }, 0) == TIMING_NONE, "a negative time");
}

TEST(floor_counts_what_must_move_through_memory)
{
    const toolchain_gpu gpu = { .peak_GBps = 1000, .l2_bytes = 4 << 20 },
                        unknown = { .peak_GBps = 0 };
    /* 4 MiB in, 8 MiB out, of which 4 may stay in the cache: 8 MiB at 1100 GB/s */
    double floor = timing_floor_us(&made_up.parts[0], N, &gpu);
    CHECK(floor > 7.62 && floor < 7.63, "%g us", floor);
    /* 4 MiB in, one number out; notes are no answer */
    floor = timing_floor_us(&made_up.parts[1], N, &gpu);
    CHECK(floor > 3.81 && floor < 3.82, "%g us", floor);
    CHECK(timing_floor_us(&made_up.parts[0], N, &unknown) == 0, "a floor without a peak");
    CHECK(timing_bytes(&made_up.parts[1], N) == 4.0 * N + 4, "%g bytes",
          timing_bytes(&made_up.parts[1], N));
}

TEST(work_outside_the_events_is_suspect)
{
    timing_sample mine[5], reference[5];
    for (int i = 0; i < 5; i++) {
        mine[i] = (timing_sample){ 40, 100 + i, 250 + 10 * i };
        reference[i] = (timing_sample){ 42, 104 - i, 240 + 10 * i };
    }
    CHECK(timing_check_all(mine, reference, 5) == TIMING_FINE, "%s",
          timing_doubt_text(timing_check_all(mine, reference, 5)));
    mine[0].host_us = mine[0].window_us = 5000; /* one call that was stalled decides nothing */
    CHECK(timing_check_all(mine, reference, 5) == TIMING_FINE, "one outlier");
    for (int i = 0; i < 5; i++)
        /* the same clocks, hardly any time between the events */
        mine[i].device_us = 2;
    mine[0] = mine[1];
    for (int i = 0; i < 5; i++)
        mine[i].host_us += 40;
    CHECK(timing_check_all(mine, reference, 5) == TIMING_UNEXPLAINED, "work on another stream");
    CHECK(timing_check_all(mine, reference, 0) == TIMING_NONE, "no calls");
}

TEST(ratio_of_times_is_judged_by_its_median)
{
    double steady[] = { 1.02, 1.00, 1.01, 0.99, 1.03 }, slow[] = { 1.71, 1.70, 1.69, 1.72, 1.68 },
           outlier[] = { 1.0, 1.0, 1.0, 1.0, 9.0 }, wide[] = { 1.2, 1.3, 1.45, 1.7, 1.8 },
           wide_below[] = { 0.8, 0.9, 1.0, 1.2, 1.3 }, narrow[] = { 1.48, 1.49, 1.51, 1.52, 1.53 };
    CHECK(timing_judge(steady, 5, 1.5).answer == TIMING_KEPT, "steady");
    CHECK(timing_judge(slow, 5, 1.5).answer == TIMING_EXCEEDED, "slow");
    CHECK(timing_judge(outlier, 5, 1.5).answer == TIMING_KEPT, "one outlier");
    CHECK(timing_judge(wide, 5, 1.5).answer == TIMING_INCONCLUSIVE, "wide, and the limit within");
    CHECK(timing_judge(wide_below, 5, 1.5).answer == TIMING_KEPT, "wide, and the limit above");
    CHECK(timing_judge(narrow, 5, 1.5).answer == TIMING_EXCEEDED, "narrow: the median decides");
}

/* ---- what a GPU's errors mean ---------------------------------------------------------------- */

static case_result explained(const session_outcome *o, const lab *l)
{
    const explain_context context = { l, &l->parts[0], "", "", 10, 1 << 20, 1 << 20, true };
    case_result result;

    memset(&result, 0, sizeof result);
    snprintf(result.name, sizeof result.name, "part/100");
    result.n = 100;
    explain_case(&context, o, NULL, &result);
    return result;
}

TEST(errors_of_a_gpu_say_who_knows_more)
{
    static const struct {
        int error;
        verdict v;
        const char *name, *words;
    } known[] = {
        { 700, VERDICT_OUT_OF_BOUNDS, "cudaErrorIllegalAddress", "out of bounds" },
        { 716, VERDICT_OUT_OF_BOUNDS, "cudaErrorMisalignedAddress", "misaligned" },
        { 710, VERDICT_CUDA_ERROR, "cudaErrorAssert", "assert" },
        { 719, VERDICT_CUDA_ERROR, "cudaErrorLaunchFailure", "trap" },
    };
    static session_outcome o;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        o = (session_outcome){ .ending = SESSION_DONE, .done = { .error = known[i].error } };
        snprintf(o.done.error_name, sizeof o.done.error_name, "%s", known[i].name);
        case_result r = explained(&o, &made_up);
        CHECK(r.verdict == known[i].v && strstr(r.what, known[i].words) &&
                  strstr(r.what, known[i].name),
              "%s: %s", verdict_name(r.verdict), r.what);
        CHECK(strstr(r.advice, "make grade LAB=94"), "%s", r.advice);
    }
    o.done.error = 9;
    snprintf(o.done.error_name, sizeof o.done.error_name, "cudaErrorInvalidConfiguration");
    CHECK(strstr(explained(&o, &made_up).advice, "launch configuration"), "%s",
          explained(&o, &made_up).advice);
}

TEST(write_beyond_a_device_buffer_names_the_element)
{
    static session_outcome o;

    o = (session_outcome){
        .ending = SESSION_DONE,
        .done = { .status = CHANNEL_OVERRUN, .buffer = 1, .side = 1, .distance = 9, .copied = 1 }
    };
    case_result r = explained(&o, &made_up);
    CHECK(r.verdict == VERDICT_OUT_OF_BOUNDS &&
              strcmp(r.what, "out of bounds: write of d_out[101]; d_out has 100 elements") == 0,
          "%s", r.what);
    o.done.side = -1;
    o.done.distance = 1;
    CHECK(strstr(explained(&o, &made_up).what, "d_out[-1]"), "%s", explained(&o, &made_up).what);
    o.done.distance = UINT64_MAX; /* whatever a child may say */
    CHECK(explained(&o, &made_up).verdict == VERDICT_OUT_OF_BOUNDS, "%s",
          explained(&o, &made_up).what);
}

TEST(kernel_that_hangs_on_a_gpu_is_sent_to_the_engine)
{
    static session_outcome o;

    o = (session_outcome){ .ending = SESSION_LATE, .ready = true };
    case_result r = explained(&o, &made_up);
    CHECK(r.verdict == VERDICT_TIMEOUT && strstr(r.cause, "deadlock") &&
              strstr(r.advice, "make grade LAB=94"),
          "%s; %s", r.cause, r.advice);
}

/* ---- results --------------------------------------------------------------------------------- */

TEST(results_of_a_gpu_name_it_and_leave_counts_null)
{
    static lab_result r;
    static const lab_gate gate = { LAB_RATIO_DEVICE, LAB_AT_MOST, NULL, "time", "", "" };
    char path[PATH_MAX], *text = NULL;
    base_error error = { "" };

    result_begin(&made_up, &r);
    r.counts[0] = (part_counts){ .known = true,
                                 .native = true,
                                 .device = true,
                                 .n = N,
                                 .ratio = 1.25,
                                 .us = 50,
                                 .reference_us = 40,
                                 .pairs = 5 };
    r.gate_count = 1;
    r.gates[0] = (gate_result){ .gate = &gate,
                                .name = "part: time",
                                .value = 1.25,
                                .limit = 1.5,
                                .ok = true,
                                .inconclusive = true };
    bool fine = path_join(path, sizeof path, check_folder(), "results.json", &error) &&
                results_json_write(path, &(options){ .backend = "cuda" }, "NVIDIA H200",
                                   &(const lab_result *){ &r }, 1, &error) &&
                file_read(path, 1 << 16, &text, NULL, &error);
    CHECK(fine, "%s", error.text);
    const char *wanted[] = { "\"backend\": \"cuda\"", "\"device\": \"NVIDIA H200\"",
                             "\"launches\": null",    "\"ratio\": null",
                             "\"time_ratio\": 1.25",  "\"microseconds\": 50",
                             "\"ok\": null" };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        CHECK(text && strstr(text, wanted[i]), "no %s in %s", wanted[i], text ? text : "nothing");
    free(text);
}
