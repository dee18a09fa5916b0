/*
 * aside_test.c: parts that a copy of the worker does beside it come to what they come to one after
 * the other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "aside.h"
#include "build.h"
#include "check.h"
#include "early.h"
#include "file.h"
#include "grade.h"
#include "path.h"
#include "process.h"
#include "results_json.h"

static void add(void *const *buffers, size_t n, uint32_t more)
{
    for (size_t i = 0; i < n; i++)
        ((uint32_t *)buffers[1])[i] = ((const uint32_t *)buffers[0])[i] + more;
}
static void add_one(void *const *buffers, size_t n) { add(buffers, n, 1); }
static void add_two(void *const *buffers, size_t n) { add(buffers, n, 2); }
static void add_three(void *const *buffers, size_t n) { add(buffers, n, 3); }

static double one(size_t n)
{
    (void)n;
    return 1;
}

static const lab_buffers buffers = {
    { .name = "d_in", .type = LAB_U32 },
    { .name = "d_out", .type = LAB_U32, .role = LAB_OUT },
};
static const lab_gates gates = { { LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1", "" } };
static const lab_sizes gate_sizes = { 1000 };

#define PART(its)                                                                                  \
    .entry = #its, .points = 10, .buffers = buffers, .reference = its, .gates = gates,             \
    .gate_sizes = gate_sizes
static const lab_parts parts = { { PART(add_one) }, { PART(add_two) }, { PART(add_three) } };
static const lab three = { .id = "91_three",
                           .title = "three",
                           .file = "three.cu",
                           .tile = 32,
                           .threads = 32,
                           .per_thread = 1,
                           .large_n = 1000,
                           .blocks_wait = true,
                           .parts = parts };
enum { ADD_TWO = 1 << 1, ALL = 7 };

/* add_one is slow, add_two is wrong where blocks begin out of order, add_three launches twice. */
static const char three_source[] =
    "#include <unistd.h>\n"
    "#include <cuda_runtime.h>\n"
    "__device__ unsigned started;\n"
    "__global__ void add(const unsigned *d_in, unsigned *d_out, int n, int more)\n"
    "{\n"
    "    __shared__ unsigned s_place;\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (threadIdx.x == 0) s_place = atomicAdd(&started, 1);\n"
    "    __syncthreads();\n"
    "    if (i < n) d_out[i] = d_in[i] + more + (more == 2 && s_place != blockIdx.x);\n"
    "}\n"
    "static void run(const unsigned *d_in, unsigned *d_out, int n, int more)\n"
    "{\n"
    "    unsigned zero = 0;\n"
    "    cudaMemcpyToSymbol(started, &zero, sizeof zero);\n"
    "    if (n > 0) add<<<(n - 1) / 32 + 1, 32>>>(d_in, d_out, n, more);\n"
    "}\n"
    "extern \"C\" void add_one(const unsigned *d_in, unsigned *d_out, int n)\n"
    "{ usleep(2000); run(d_in, d_out, n, 1); }\n"
    "extern \"C\" void add_two(const unsigned *d_in, unsigned *d_out, int n)\n"
    "{ run(d_in, d_out, n, 2); }\n"
    "extern \"C\" void add_three(const unsigned *d_in, unsigned *d_out, int n)\n"
    "{ run(d_in, d_out, n, 0); run(d_in, d_out, n, 3); }\n";

/* Both keep memory; the 255th call of LATE is wrong. */
static const lab_parts two_parts = { { PART(add_one) }, { PART(add_two) } };
static const lab two = { .id = "92_two",
                         .title = "two",
                         .file = "two.cu",
                         .tile = 32,
                         .threads = 32,
                         .per_thread = 1,
                         .large_n = 1000,
                         .blocks_wait = true,
                         .parts = two_parts };
static const char two_source[] =
    "#include <cuda_runtime.h>\n"
    "__global__ void add(const unsigned *d_in, unsigned *d_out, int n, int more, unsigned *kept)\n"
    "{\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i == 0) kept[0] = n;\n"
    "    if (i < n) d_out[i] = d_in[i] + more;\n"
    "}\n"
    "static void run(const unsigned *d_in, unsigned *d_out, int n, int which)\n"
    "{\n"
    "    static unsigned *kept[3], calls[3];\n"
    "    if (!kept[which]) cudaMalloc(&kept[which], 4096);\n"
    "    const int more = which + (++calls[which] == 255 && which == LATE);\n"
    "    if (n > 0) add<<<(n - 1) / 32 + 1, 32>>>(d_in, d_out, n, more, kept[which]);\n"
    "}\n"
    "extern \"C\" void add_one(const unsigned *d_in, unsigned *d_out, int n)\n"
    "{ run(d_in, d_out, n, 1); }\n"
    "extern \"C\" void add_two(const unsigned *d_in, unsigned *d_out, int n)\n"
    "{ run(d_in, d_out, n, 2); }\n";

typedef struct graded {
    const lab *l;
    toolchain tools;
    options o;
    build_result built;
    lab_result result;
    const char *out;
    lab_progress *progress;
    char source[PATH_MAX];
} graded;

static graded g;

/* Graded with so many labs at a time, of whose processors one has its share; what came out, as
   results.json has it: the caller's to free. */
static char *grade_with(unsigned jobs)
{
    char path[PATH_MAX], *text = NULL;
    base_error error = { "" };

    g.o = (options){
        .src = "labs", .backend = "simt", .seeds = 2, .jobs = jobs, .has_seed = true, .seed = 7
    };
    snprintf(g.o.out, sizeof g.o.out, "%s", g.out);
    result_begin(g.l, &g.result);
    g.result.progress = g.progress;
    grade_built(&g.o, &g.tools, g.source, g.built.program, &g.result);
    const bool fine = path_join(path, sizeof path, g.o.out, "results.json", &error) &&
                      results_json_write(path, &(options){ .backend = "simt" }, "",
                                         &(const lab_result *){ &g.result }, 1, &error) &&
                      file_read(path, 1 << 20, &text, NULL, &error);
    CHECK(fine, "%s", error.text);
    return text;
}

static bool build(const lab *l, const char *source)
{
    char folder[PATH_MAX];
    base_error error = { "" };

    g.l = l;
    g.out = check_folder();
    process_prepare();
    const bool fine = toolchain_find(&g.tools, &error) &&
                      path_join(folder, sizeof folder, g.out, l->id, &error) &&
                      file_make_folders(folder, &error) &&
                      path_join(g.source, sizeof g.source, g.out, l->file, &error) &&
                      file_write(g.source, source, strlen(source), &error);
    CHECK(fine, "%s", error.text);
    if (fine)
        build_submission(&g.tools, l, g.source, folder, &g.built);
    CHECK(g.built.verdict == VERDICT_PASS, "%s", g.built.message);
    return g.built.verdict == VERDICT_PASS;
}

TEST(parts_side_by_side_come_to_the_same_as_one_after_the_other)
{
    static const unsigned order[] = { 0, 1, 2 };
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    run r = { .o = &g.o, .l = &three, .host_threads = 2 };

    if (cores < 2) {
        check_skip("there is one processor");
        return;
    }
    if (!build(&three, three_source))
        return;
    char *const alone = grade_with((unsigned)cores);
    EQUAL(ADD_TWO, aside_parts(&r, order, 3));
    r.host_threads = 1;
    EQUAL(0, aside_parts(&r, order, 3));
    char *const beside = grade_with(1);
    const lab_result *const it = &g.result;
    CHECK(it->part_verdict[0] == VERDICT_PASS && it->part_verdict[1] == VERDICT_WRONG &&
              it->part_verdict[2] == VERDICT_OVER_BUDGET,
          "%s, %s, %s", verdict_name(it->part_verdict[0]), verdict_name(it->part_verdict[1]),
          verdict_name(it->part_verdict[2]));
    CHECK(alone && beside && strcmp(alone, beside) == 0, "alone:\n%s\nbeside:\n%s", alone, beside);
    free(alone);
    free(beside);
}

/* late: the entry whose 255th call is wrong; 0: none. */
static void compare_calls(int late, verdict one, verdict two_is)
{
    char text[sizeof two_source + 40];

    snprintf(text, sizeof text, "enum { LATE = %d };\n%s", late, two_source);
    if (!build(&two, text))
        return;
    char *const alone = grade_with((unsigned)sysconf(_SC_NPROCESSORS_ONLN));
    char *const beside = grade_with(1);
    const lab_result *const it = &g.result;
    CHECK(it->part_verdict[0] == one && it->part_verdict[1] == two_is, "%s, %s: %s",
          verdict_name(it->part_verdict[0]), verdict_name(it->part_verdict[1]), beside);
    CHECK(alone && beside && strcmp(alone, beside) == 0, "alone:\n%s\nbeside:\n%s", alone, beside);
    free(alone);
    free(beside);
}

TEST(calls_again_and_again_come_to_the_same_beside_the_rest)
{
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        check_skip("there is one processor");
        return;
    }
    compare_calls(0, VERDICT_PASS, VERDICT_PASS);
    compare_calls(1, VERDICT_WRONG, VERDICT_PASS);
    compare_calls(2, VERDICT_PASS, VERDICT_WRONG);
}

/* The copy's part fails on its first shuffled schedule, long before the worker's has run on all. */
TEST(copy_lets_the_first_part_be_judged_first)
{
    struct shared {
        lab_early early;
        lab_progress progress;
    } *const shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        check_skip("there is one processor");
        return;
    }
    if (shared == MAP_FAILED || !build(&three, three_source))
        return;
    shared->progress.early = &shared->early;
    g.progress = &shared->progress;
    free(grade_with(1));
    g.progress = NULL;
    const early_part *const parts = shared->early.parts;
    CHECK(shared->early.count == 5 && parts[0].so_far && parts[1].part == 0 &&
              parts[1].verdict == VERDICT_PASS,
          "%u entries, part %u: %s", shared->early.count, parts[1].part,
          verdict_name(parts[1].verdict));
    munmap(shared, sizeof *shared);
}

/* ---- a copy that dies ------------------------------------------------------------------------ */

static pid_t first;
static unsigned done_by_first;

static void die_in_a_copy(run *r, unsigned parts)
{
    if (getpid() != first)
        _exit(1);
    done_by_first |= parts;
    r->dead = r->dead || r->host_threads == 0;
}

static void take_nothing(run *r, const run *copy, unsigned of)
{
    CHECK(false, "parts %x of a copy that died were taken from %p to %p", of, (const void *)copy,
          (void *)r);
}

TEST(what_a_copy_that_dies_leaves_undone_is_done)
{
    base_error error = { "" };

    if (!build(&three, three_source))
        return;
    result_begin(&three, &g.result);
    run r = { .o = &g.o,
              .tools = &g.tools,
              .l = &three,
              .result = &g.result,
              .program = g.built.program,
              .memory_bytes = (size_t)2 << 30,
              .host_threads = 2,
              .seconds = 10 };
    r.session = run_open_session(&r, r.program, &error);
    CHECK(r.session, "%s", error.text);
    first = getpid();
    aside_do(&r, ALL & ~ADD_TWO, ADD_TWO, die_in_a_copy, take_nothing);
    EQUAL(ALL, done_by_first);
    EXPECT(!r.dead && r.host_threads == 2);
    session_close(r.session);
}
