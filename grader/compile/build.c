/*
 * build.c: copy, compile for the device, compile for the host, link. See build.h. For a real GPU
 * nvcc compiles for both at once.
 */
#include "build.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clang_pass.h"
#include "compiler_errors.h"
#include "config.h"
#include "file.h"
#include "members.h"
#include "path.h"
#include "process.h"
#include "reach.h"
#include "take.h"
#include "tool_words.h"

enum {
    MAX_ARGUMENTS = 64,
    OUTPUT_LIMIT = 1 << 18,
    TEXT_ROOM = 2200,
    ERROR_LIMIT = 20 /* as -ferror-limit below */,
    /* bytes; the largest lab's has a third of that, and the engine needs 25 times as many */
    LARGEST_PTX = 4 << 20
};

static const size_t largest_file = (size_t)64 << 20;

/* Of each process: nvcc starts half a dozen, one after the other. */
typedef struct allowance {
    unsigned cpu_seconds;
    double wall_seconds;
    size_t memory;
} allowance;

static allowance allowed(const toolchain *tools)
{
    return tools->cuda ? (allowance){ 40, 120, (size_t)3 << 30 }
                       : (allowance){ 20, 60, (size_t)1 << 30 };
}

/* Where a part of the C++ library is missing; tools/setup sees to it. */
#define NO_CXX                                                                                     \
    "Install it (Debian, Ubuntu: tools/setup --packages, or apt-get install g++), then run cmake " \
    "-S . -B build"

typedef struct names {
    char source[PATH_MAX], ir[PATH_MAX], kept[PATH_MAX], members[PATH_MAX], ptx[PATH_MAX],
        object[PATH_MAX], include[PATH_MAX + 2];
    /* steps.h is left out; the last compilation failed in it */
    bool without_steps, steps_fail;
    reach compiler, reader, linker;
    const build_first *first; /* null: nobody waits; then the files below are not there */
    char first_ir[PATH_MAX], first_ptx[PATH_MAX];
} names;

static void fail(build_result *result, verdict v, const char *message)
{
    result->verdict = v;
    snprintf(result->message, sizeof result->message, "%s", message);
}

/* Which limit a step met, in words; "" for none. */
static void tell_limit(const toolchain *tools, const process_run_result *run, const char *step,
                       char *text, size_t room)
{
    const allowance may = allowed(tools);
    const tool_meaning met = tools->cuda && run->ending == PROCESS_EXITED
                                 ? tool_words_meaning(TOOL_NVCC, run->output)
                                 : TOOL_SAYS_NOTHING;

    text[0] = '\0';
    if (run->ending == PROCESS_TOO_LATE)
        snprintf(text, room,
                 "%s was stopped after %g s: look for templates or macros that expand without end, "
                 "and for an #include of what is not a file",
                 step, may.wall_seconds);
    else if (run->ending == PROCESS_TOO_LONG || met == TOOL_MET_TIME_LIMIT)
        snprintf(text, room,
                 "%s was stopped when it had computed for %u s: look for templates or macros that "
                 "expand without end",
                 step, may.cpu_seconds);
    else if (run->ending == PROCESS_TOO_LOUD || met == TOOL_MET_FILE_LIMIT)
        snprintf(text, room,
                 "%s wrote too much: more than %d KiB of messages, or a file of more than %zu MiB",
                 step, OUTPUT_LIMIT >> 10, largest_file >> 20);
    else if (run->ending == PROCESS_TOO_BIG || met == TOOL_MET_MEMORY_LIMIT)
        snprintf(text, room,
                 "%s used more than %zu MiB of memory: look for huge arrays or macros that expand "
                 "without end",
                 step, may.memory >> 20);
    else if ((run->exit_status >= 128 && !tools->cuda) || run->ending == PROCESS_SIGNALED)
        snprintf(text, room,
                 "%s itself crashed on this file, most likely out of memory (%zu MiB are allowed): "
                 "look for macros or templates that expand without end",
                 step, may.memory >> 20);
}

/* Is there no room to write what a step may write? Tried, because a quota shows in no other way; a
   compiler's words alone may be the submission's own (#error). */
static bool is_disk_full(const char *folder)
{
    static const off_t room = (off_t)8 << 20;
    char path[PATH_MAX];
    base_error error;

    if (!path_join(path, sizeof path, folder, "room", &error))
        return false;
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    const int why = fd < 0 ? errno : posix_fallocate(fd, 0, room);
    if (fd >= 0)
        close(fd);
    unlink(path);
    return why == ENOSPC || why == EDQUOT;
}

bool build_is_half(const char *name)
{
    static const char *const halves[] = { "*.[0-9]*.[0-9]*.tmp", "*-????????.*.tmp", "cc??????.*",
                                          /* of a clang that crashed where the disk was full */
                                          "symbolizer-*put-??????" };
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        if (fnmatch(halves[i], name, 0) == 0)
            return true;
    return false;
}

static void remove_halves(const char *folder)
{
    DIR *all = opendir(folder);

    for (struct dirent *entry; all && (entry = readdir(all));)
        if (build_is_half(entry->d_name))
            unlinkat(dirfd(all), entry->d_name, 0);
    if (all)
        closedir(all);
}

static process_limits limits_of(const toolchain *tools)
{
    const allowance may = allowed(tools);

    return (process_limits){ .data_bytes = may.memory,
                             .file_bytes = largest_file,
                             .cpu_seconds = may.cpu_seconds,
                             .descriptors = 1024,
                             .tasks = 256 };
}

static bool begin_step(const toolchain *tools, const char *const *arguments, const reach *may_read,
                       const char *folder, build_result *result, process *p)
{
    const confine_rules confine = { .kind = CONFINE_TOOL,
                                    .read = may_read->paths,
                                    .write = folder };
    process_spec spec = { .arguments = arguments,
                          .folder = folder,
                          .given = { -1, -1, -1 },
                          .environment = tools->cuda ? process_gpu_environment : NULL,
                          .confine = &confine,
                          .limits = limits_of(tools) };
    base_error error;

    if (SCANLAB_SANITIZED && strcmp(arguments[0], SCANLAB_READ_IR) == 0)
        spec.limits.data_bytes = 0; /* our own program, with ASan in it */
    if (process_start(p, &spec, &error))
        return true;
    fail(result, VERDICT_INFRA, error.text);
    return false;
}

/* True if it exited with 0. Else result says what a limit or the machine did; output is kept for a
   digest. */
static bool finish_step(const toolchain *tools, process *p, const char *folder, const char *step,
                        build_result *result, char **output)
{
    const process_limits limits = limits_of(tools);
    process_run_result run;
    base_error error;
    char text[300];

    *output = NULL;
    if (!process_finish(p, &limits, allowed(tools).wall_seconds, OUTPUT_LIMIT, &run, &error)) {
        fail(result, VERDICT_INFRA, error.text);
        return false;
    }
    *output = run.output;
    if (run.ending == PROCESS_EXITED && run.exit_status == 0)
        return true;
    remove_halves(folder);
    if (is_disk_full(folder)) {
        snprintf(text, sizeof text, "the disk is full, or your quota of it: %s could not write",
                 step);
        free(*output);
        *output = NULL;
        fail(result, VERDICT_INFRA, text);
        return false;
    }
    result->verdict = VERDICT_COMPILE_ERROR;
    tell_limit(tools, &run, step, text, sizeof text);
    if (run.starved)
        fail(result, VERDICT_INFRA,
             "the machine is too busy: the compiler was ready to run and had no processor for most "
             "of its time. Grade again when less runs beside it");
    else if (text[0])
        fail(result, VERDICT_COMPILE_LIMIT, text);
    else if (run.exit_status == 126 || run.exit_status == 127)
        fail(result, VERDICT_INFRA, *output ? *output : "");
    return false;
}

static bool run_step(const toolchain *tools, const char *const *arguments, const reach *may_read,
                     const char *folder, const char *step, build_result *result, char **output)
{
    process p;

    *output = NULL;
    return begin_step(tools, arguments, may_read, folder, result, &p) &&
           finish_step(tools, &p, folder, step, result, output);
}

/* The last lines of what a program said. */
static const char *tail_of(const char *said)
{
    enum { SHOWN = 800 };
    const size_t length = strlen(said);
    const char *from = length > SHOWN ? said + length - SHOWN : said,
               *line = length > SHOWN ? strchr(from, '\n') : NULL;

    return line && line[1] ? line + 1 : from;
}

static void explain_errors(const lab *l, const char *output, build_result *result)
{
    char text[TEXT_ROOM];
    unsigned errors = clang_errors_pick(output, l->file, text, sizeof text, &result->line);
    size_t used;

    if (errors == 0) { /* not a word about an error: show the end of what there is */
        snprintf(text, sizeof text, "the compiler failed without naming an error:\n%s",
                 tail_of(output));
    }
    snprintf(result->message, sizeof result->message, "%s", text);
    used = strlen(result->message);
    if (errors > COMPILER_ERRORS_SHOWN)
        snprintf(result->message + used, sizeof result->message - used,
                 "%u%s errors in all; fix the first, many of the others follow from it", errors,
                 errors == ERROR_LIMIT ? " or more" : "");
}

/* A header was not found: is it one of a library that would do the lab's work? */
static void tell_library(const char *output, build_result *result)
{
    const size_t used = strlen(result->message);

    if (tool_words_meaning(TOOL_CLANG, output) == TOOL_FINDS_NO_LIBRARY)
        snprintf(result->message + used, sizeof result->message - used,
                 "%sThrust and CUB are not part of the kit: leave out that #include,\n"
                 "and write the kernel yourself",
                 used && result->message[used - 1] != '\n' ? "\n" : "");
}

/* The kit's steps.h tries a starter's functions one by one. To a file that has changed what they
   take it does not fit. */
static bool is_about_steps(const char *output) { return output && strstr(output, "steps.h"); }

static bool begin_pass(const toolchain *tools, const lab *l, const char *folder, const names *n,
                       clang_pass p, build_result *result, process *begun)
{
    clang_command c;

    p.without_steps = n->without_steps;
    clang_pass_command(tools->clang, &p, &c);
    clang_pass_add(&c, n->include);
    clang_pass_add(&c, l->file);
    clang_pass_add(&c, "-o");
    clang_pass_add(&c, !p.device ? n->object : p.whole ? n->ptx : n->ir);
    return begin_step(tools, c.arguments, &n->compiler, folder, result, begun);
}

static bool run_pass(const toolchain *tools, const lab *l, const char *folder, const names *n,
                     clang_pass p, build_result *result, char **output)
{
    process begun;

    *output = NULL;
    return begin_pass(tools, l, folder, n, p, result, &begun) &&
           finish_step(tools, &begun, folder, "the compiler", result, output);
}

/* kind: "-c" makes the object, "-ptx" the PTX alone. */
static void nvcc_arguments(const toolchain *tools, const lab *l, const names *n, const char *kind,
                           const char **arguments, char arch[32])
{
    static const char flags[] = SCANLAB_SOURCE_DIR "/common/gpu/nvcc.flags";
    const char *all[] = { tools->nvcc,
                          "--options-file",
                          flags,
                          arch,
                          n->include,
                          "-w",
                          "--extended-lambda", /* as clang takes them */
                          n->without_steps ? "-DLAB_WITHOUT_STEPS" : "-DLAB_WITH_STEPS",
                          "-Xcompiler=-g1,-fdiagnostics-color=never",
                          kind,
                          l->file,
                          "-o",
                          strcmp(kind, "-c") == 0 ? n->object : n->ptx,
                          NULL };

    if (tools->gpu.capability)
        snprintf(arch, 32, "-arch=sm_%u", tools->gpu.capability);
    else
        snprintf(arch, 32, "-arch=sm_%s", SCANLAB_CUDA_CAPABILITY);
    memcpy(arguments, all, sizeof all);
}

static bool run_linker(const toolchain *tools, const char *folder, const names *n,
                       const char *program, build_result *result, char **output)
{
    static const char *const engine[] = { SCANLAB_LINK_ARGUMENTS, NULL }, *const cuda[] = {
        SCANLAB_CUDA_LINK_ARGUMENTS, NULL
    };
    const char *const *libraries = tools->cuda ? cuda : engine;
    const char *arguments[MAX_ARGUMENTS];
    int count = 0;

    arguments[count++] = SCANLAB_LINKER;
    arguments[count++] = "-o";
    arguments[count++] = program;
    arguments[count++] = n->object;
    for (size_t i = 0; libraries[i] && count < MAX_ARGUMENTS - 1; i++)
        arguments[count++] = libraries[i];
    arguments[count] = NULL;
    return run_step(tools, arguments, &n->linker, folder, "the linker", result, output);
}

/* ---- whose fault is it? ---------------------------------------------------------------------- */

/* What a compiler says may be the submission's own words (#error), and what the linker lacks its
   own names. So a file of which nothing can be wrong is built in the same way. */
static const char known_good[] =
    "#include <type_traits>\nint *scanlab_probe(void) { return new int; }\n";

/* Does that fail, too? *said: what the step said that failed; the caller's to free. */
static bool builds_nothing(const toolchain *tools, const lab *l, const char *folder, const names *n,
                           bool links, char **said)
{
    const clang_pass device = { .device = true, .whole = true, .quiet = true },
                     host = { .quiet = true };
    const char *arguments[MAX_ARGUMENTS];
    char program[PATH_MAX] = "", arch[32];
    build_result ignored = { .message = "" };
    lab probe = *l;
    names own = *n;

    *said = NULL;
    probe.file = "probe.cu";
    own.without_steps = true;
    bool fine = path_join(own.source, sizeof own.source, folder, probe.file, NULL) &&
                path_join(own.ptx, sizeof own.ptx, folder, "probe.ptx", NULL) &&
                path_join(own.object, sizeof own.object, folder, "probe.o", NULL) &&
                path_join(program, sizeof program, folder, "probe", NULL) &&
                file_write(own.source, known_good, strlen(known_good), NULL);
    if (fine && tools->cuda) {
        nvcc_arguments(tools, &probe, &own, "-c", arguments, arch);
        fine = run_step(tools, arguments, &own.compiler, folder, "the compiler", &ignored, said);
    } else if (fine) {
        fine = run_pass(tools, &probe, folder, &own, device, &ignored, said);
        if (fine) {
            free(*said);
            fine = run_pass(tools, &probe, folder, &own, host, &ignored, said);
        }
    }
    if (fine && links) {
        free(*said);
        fine = run_linker(tools, folder, &own, program, &ignored, said);
    }
    const char *const made[] = { own.source, own.ptx, own.object, program };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        unlink(made[i]);
    if (fine) {
        free(*said);
        *said = NULL;
    }
    return !fine;
}

/* A compilation failed in a way that may be the machine's. clang takes the headers of the C++
   library from beside the newest gcc that it finds, which may have come without. */
static void blame_machine(const toolchain *tools, const lab *l, const char *folder, const names *n,
                          const char *output, build_result *result)
{
    const tool_meaning meaning = tool_words_meaning(TOOL_CLANG, output);
    const bool named = result->line > 0 && meaning == TOOL_SAYS_NOTHING;
    char *said;

    if (named || !builds_nothing(tools, l, folder, n, false, &said))
        return;
    const tool_meaning why = said ? tool_words_meaning(TOOL_CLANG, said) : TOOL_SAYS_NOTHING;
    result->verdict = VERDICT_INFRA;
    result->line = 0;
    if (why == TOOL_MAKES_NO_PTX)
        fail(result, VERDICT_INFRA,
             "this clang cannot make PTX; install the distribution's own clang (Debian, Ubuntu: "
             "apt-get install clang)");
    else if (why == TOOL_FINDS_NO_HEADER)
        snprintf(result->message, sizeof result->message,
                 "%.2000s finds no headers of the C++ library. " NO_CXX,
                 tools->cuda ? tools->nvcc : tools->clang);
    else if (said)
        snprintf(result->message, sizeof result->message, "the compiler fails on any file:\n%s",
                 tail_of(said));
    free(said);
}

/* Lines for the engine, which takes them in front of the PTX's own alone (ptx.h). */
static bool put_in_front(const char *path, const char *lines)
{
    const size_t more = strlen(lines);
    char *text = NULL, *both = NULL;
    size_t size = 0;
    bool fine = more == 0;

    if (!fine && file_read(path, LARGEST_PTX, &text, &size, NULL) &&
        (both = malloc(more + size)) != NULL) {
        memcpy(both, lines, more);
        memcpy(both + more, text, size);
        fine = file_write(path, both, more + size, NULL);
    }
    free(both);
    free(text);
    return fine;
}

/* The engine parses it once for each program that it starts. */
static bool is_ptx_small(const char *ptx, build_result *result)
{
    struct stat facts;
    char text[200];

    if (stat(ptx, &facts) != 0 || facts.st_size <= LARGEST_PTX)
        return true;
    snprintf(text, sizeof text,
             "the kernels became %jd MiB of PTX, and %d are allowed: look for macros or templates "
             "that expand without end",
             (intmax_t)facts.st_size >> 20, LARGEST_PTX >> 20);
    fail(result, VERDICT_COMPILE_LIMIT, text);
    return false;
}

/* In a process of its own: it reads what the submission made the compiler write. *refused: the file
   is refused, and *output says why. */
static bool read_ir(const toolchain *tools, const lab *l, const char *folder, const names *n,
                    build_result *result, char **output, bool *refused)
{
    const char *const arguments[] = { SCANLAB_READ_IR, n->ir,   n->source, l->file,
                                      n->members,      n->kept, NULL };
    const bool fine =
        run_step(tools, arguments, &n->reader, folder, "the compiler", result, output);

    *refused = !fine && *output && **output && result->verdict == VERDICT_COMPILE_ERROR;
    return fine;
}

/* From LLVM's text of the device code, or from what was made of it, to PTX, begun. */
static bool begin_ptx(const toolchain *tools, const char *folder, const names *n, const char *text,
                      const char *ptx, build_result *result, process *begun)
{
    static const char flags[] = "@" SCANLAB_SOURCE_DIR "/common/cudart/ir.flags";
    const char *const arguments[] = { tools->clang, "-cc1", flags, text, "-o", ptx, NULL };

    return begin_step(tools, arguments, &n->compiler, folder, result, begun);
}

/* The same of the kernels that somebody waits for, if that is worth it. What goes wrong with it,
   the PTX of all kernels tells. */
static void begin_first(const toolchain *tools, const char *folder, const names *n, process *begun)
{
    const char *const arguments[] = { SCANLAB_READ_IR, "--first",   n->kept, n->object,
                                      n->first->entry, n->first_ir, NULL };
    const process_limits limits = limits_of(tools);
    build_result ignored;
    process_run_result run = { .output = NULL };
    process reader;
    struct stat facts;

    if (begin_step(tools, arguments, &n->reader, folder, &ignored, &reader) &&
        process_finish(&reader, &limits, allowed(tools).wall_seconds, OUTPUT_LIMIT, &run, NULL) &&
        run.ending == PROCESS_EXITED && run.exit_status == 0 && stat(n->first_ir, &facts) == 0 &&
        facts.st_size > 0 &&
        !begin_ptx(tools, folder, n, n->first_ir, n->first_ptx, &ignored, begun))
        begun->pid = 0;
    free(run.output);
}

/* The linker may not change modes. */
static void look_first(const toolchain *tools, const names *n, process *begun,
                       const build_result *result)
{
    const process_limits limits = limits_of(tools);
    build_result ignored;
    process_run_result run;
    char *members = NULL;

    if (!process_finish(begun, &limits, allowed(tools).wall_seconds, OUTPUT_LIMIT, &run, NULL))
        return;
    if (run.ending == PROCESS_EXITED && run.exit_status == 0 &&
        is_ptx_small(n->first_ptx, &ignored) &&
        file_read(n->members, MEMBERS_TEXT, &members, NULL, NULL) &&
        put_in_front(n->first_ptx, members) && chmod(result->program, 0755) == 0)
        n->first->look(n->first->with, result->program, n->first_ptx);
    free(members);
    free(run.output);
}

static bool finish_ptx(const toolchain *tools, const char *folder, const names *n, process *begun,
                       build_result *result, char **output)
{
    char *members = NULL;
    bool fine = finish_step(tools, begun, folder, "the compiler", result, output) &&
                is_ptx_small(n->ptx, result);

    if (fine && !(file_read(n->members, MEMBERS_TEXT, &members, NULL, NULL) &&
                  put_in_front(n->ptx, members))) {
        fine = false;
        result->verdict = VERDICT_COMPILE_ERROR;
    }
    free(members);
    return fine;
}

static clang_pass first_pass(const toolchain *tools, const names *n, bool device)
{
    return (clang_pass){ .device = device,
                         .precompiled =
                             !n->without_steps && *clang_pass_headers(tools->clang, device) };
}

/* begun: the pass, which has been started. */
static bool finish_first_pass(const toolchain *tools, const lab *l, const char *folder,
                              const names *n, bool device, process *begun, warnings_seen *seen,
                              build_result *result, char **output)
{
    clang_pass p = first_pass(tools, n, device);
    bool fine = finish_step(tools, begun, folder, "the compiler", result, output);

    /* what is wrong with the file is said by a pass that reads all; and a header may be newer */
    if (!fine && result->verdict == VERDICT_COMPILE_ERROR && p.precompiled) {
        free(*output);
        p.precompiled = false;
        fine = run_pass(tools, l, folder, n, p, result, output);
    }
    if (*output)
        clang_errors_warnings(*output, l->file, seen, &result->warnings);
    /* warnings alone may be too much to read: they are no reason to refuse the file */
    if (!fine && result->verdict == VERDICT_COMPILE_LIMIT && *output &&
        strlen(*output) > OUTPUT_LIMIT) {
        free(*output);
        p.quiet = true;
        p.precompiled = false;
        result->warnings.more = true;
        result->message[0] = '\0';
        fine = run_pass(tools, l, folder, n, p, result, output);
    }
    return fine;
}

/* Where that failed: of the text as the compiler wrote it, if it was read. False: *output says why,
   in the words of a pass from the source, which explains an error better. Of such a pass no PTX is
   taken: nobody has looked at its asm statements, and a file may say something else each time that
   it is compiled. */
static bool make_ptx_otherwise(const toolchain *tools, const lab *l, const char *folder,
                               const names *n, bool was_read, build_result *result, char **output)
{
    const clang_pass whole = { .device = true, .whole = true, .quiet = true };
    process last;

    *output = NULL;
    if (was_read && begin_ptx(tools, folder, n, n->ir, n->ptx, result, &last) &&
        finish_step(tools, &last, folder, "the compiler", result, output))
        return is_ptx_small(n->ptx, result);
    if (result->verdict != VERDICT_COMPILE_ERROR)
        return false;
    free(*output);
    if (run_pass(tools, l, folder, n, whole, result, output)) {
        free(*output);
        *output = NULL;
        fail(result, VERDICT_COMPILE_ERROR,
             "the compiler does not take its own text of these kernels: look for asm that gives a "
             "function or a variable an unusual name");
    }
    return false;
}

static void explain_clang(const toolchain *tools, const lab *l, const char *folder, names *n,
                          const char *output, build_result *result)
{
    n->steps_fail = is_about_steps(output);
    if (result->verdict == VERDICT_COMPILE_ERROR && output) {
        explain_errors(l, output, result);
        tell_library(output, result);
        blame_machine(tools, l, folder, n, output, result);
    }
}

/* ---- nvcc ------------------------------------------------------------------------------------ */

/* The PTX that ptxas complained of; null if it cannot be had. The caller's to free. */
static char *make_ptx(const toolchain *tools, const lab *l, const char *folder, const names *n)
{
    const char *arguments[MAX_ARGUMENTS];
    char arch[32], *output = NULL, *ptx = NULL;
    build_result ignored;

    nvcc_arguments(tools, l, n, "-ptx", arguments, arch);
    unlink(n->ptx);
    /* ptxas fails once more; the PTX is there */
    run_step(tools, arguments, &n->compiler, folder, "the compiler", &ignored, &output);
    if (file_exists(n->ptx))
        file_read(n->ptx, LARGEST_PTX, &ptx, NULL, NULL);
    free(output);
    return ptx;
}

static void explain_nvcc(const toolchain *tools, const lab *l, const char *folder, const names *n,
                         const char *output, build_result *result)
{
    char *ptx = nvcc_errors_name_ptx(output) ? make_ptx(tools, l, folder, n) : NULL,
         *clang = nvcc_errors_as_clang(output, l->file, ptx);

    explain_errors(l, clang ? clang : output, result);
    free(clang);
    free(ptx);
}

static bool compile_cuda(const toolchain *tools, const lab *l, const char *folder, names *n,
                         build_result *result)
{
    const char *arguments[MAX_ARGUMENTS];
    char arch[32], *output = NULL;

    nvcc_arguments(tools, l, n, "-c", arguments, arch);
    bool fine = run_step(tools, arguments, &n->compiler, folder, "the compiler", result, &output);
    n->steps_fail = !fine && is_about_steps(output);
    if (!fine && result->verdict == VERDICT_COMPILE_ERROR && output) {
        explain_nvcc(tools, l, folder, n, output, result);
        blame_machine(tools, l, folder, n, output, result);
    }
    free(output);
    return fine;
}

/* ---- link ------------------------------------------------------------------------------------ */

static void explain_link(const toolchain *tools, const lab *l, const char *output,
                         build_result *result)
{
    char missing[400], twice[400], line[16];
    unsigned absent = tool_words_names(output, TOOL_NAME_UNDEFINED, missing, sizeof missing);
    unsigned doubled = tool_words_names(output, TOOL_NAME_DEFINED_TWICE, twice, sizeof twice);
    const char *at = strstr(output, l->file);

    line[0] = '\0';
    if (at && at[strlen(l->file)] == ':')
        result->line = (unsigned)strtoul(at + strlen(l->file) + 1, NULL, 10);
    if (result->line)
        snprintf(line, sizeof line, ":%u", result->line);
    if (doubled && strstr(twice, "main"))
        snprintf(result->message, sizeof result->message,
                 "%s%s defines main; leave it out: the grader calls your functions itself", l->file,
                 line);
    else if (doubled)
        snprintf(result->message, sizeof result->message,
                 "%s%s defines a name that the kit already uses: %s; choose another", l->file, line,
                 twice);
    else if (tool_words_meaning(TOOL_LINKER, output) == TOOL_OUT_OF_REACH)
        snprintf(
            result->message, sizeof result->message,
            "%s: the arrays outside of functions have more than 2 GiB in all, which no program "
            "here can reach: make them smaller, or allocate them",
            l->file);
    else if (absent)
        snprintf(
            result->message, sizeof result->message,
            "%s%s uses a name that is defined nowhere: %s. Is the name spelled right? If it is a "
            "CUDA function, %s",
            l->file, line, missing,
            tools->cuda ? "this toolkit's runtime does not have it"
                        : "this kit's runtime does not have it");
    else
        snprintf(result->message, sizeof result->message, "linking failed:\n%s", tail_of(output));
}

/* result->message says what the linker lacks: is it the machine that lacks it? */
static void blame_machine_for_link(const toolchain *tools, const lab *l, const char *folder,
                                   const names *n, build_result *result)
{
    char *said, lacks[400];

    if (!builds_nothing(tools, l, folder, n, true, &said))
        return;
    result->verdict = VERDICT_INFRA;
    result->line = 0;
    if (said && tool_words_names(said, TOOL_NAME_UNDEFINED, lacks, sizeof lacks))
        snprintf(result->message, sizeof result->message,
                 "the linker %s does not find the C++ library: %s. " NO_CXX, SCANLAB_LINKER, lacks);
    else if (said)
        snprintf(result->message, sizeof result->message, "linking failed:\n%s", tail_of(said));
    free(said);
}

static bool link_runner(const toolchain *tools, const lab *l, const char *folder, const names *n,
                        build_result *result)
{
    char *output = NULL;
    bool fine = run_linker(tools, folder, n, result->program, result, &output);

    if (!fine && result->verdict == VERDICT_COMPILE_ERROR && output) {
        explain_link(tools, l, output, result);
        blame_machine_for_link(tools, l, folder, n, result);
    }
    free(output);
    return fine;
}

/* The host's code is compiled and linked while PTX is made of the device's: neither needs anything
   of the other; and who waits for some kernels looks at these meanwhile. host: its first pass,
   which has been started. */
static bool build_halves(const toolchain *tools, const lab *l, const char *folder, names *n,
                         process *host, warnings_seen *seen, build_result *result)
{
    process ptx = { .pid = 0 }, first = { .pid = 0 };
    char *output = NULL;
    bool refused = false, has_ir = false;
    bool fine = begin_pass(tools, l, folder, n, first_pass(tools, n, true), result, &ptx) &&
                finish_first_pass(tools, l, folder, n, true, &ptx, seen, result, &output);

    if (fine) {
        free(output);
        has_ir = read_ir(tools, l, folder, n, result, &output, &refused);
        fine = has_ir || (!refused && result->verdict == VERDICT_COMPILE_ERROR);
    }
    if (fine) {
        free(output);
        output = NULL;
    }
    if (has_ir)
        fine = has_ir = begin_ptx(tools, folder, n, n->kept, n->ptx, result, &ptx);
    if (fine) {
        fine = finish_first_pass(tools, l, folder, n, false, host, seen, result, &output);
    } else {
        process_end(host);
    }
    if (!fine)
        explain_clang(tools, l, folder, n, output, result);
    free(output);
    output = NULL;
    if (fine && has_ir && n->first)
        begin_first(tools, folder, n, &first);
    fine = fine && link_runner(tools, l, folder, n, result);
    if (fine && first.pid)
        look_first(tools, n, &first, result);
    if (!fine) {
        if (has_ir)
            process_end(&ptx);
        if (first.pid)
            process_end(&first);
        remove_halves(folder);
        return false;
    }
    fine = has_ir && finish_ptx(tools, folder, n, &ptx, result, &output);
    if (!has_ir || (!fine && result->verdict == VERDICT_COMPILE_ERROR)) {
        free(output);
        fine = make_ptx_otherwise(tools, l, folder, n, has_ir, result, &output);
    }
    if (!fine)
        explain_clang(tools, l, folder, n, output, result);
    free(output);
    return fine;
}

/* Compiles and links. */
static bool build_all(const toolchain *tools, const lab *l, const char *folder, names *n,
                      warnings_seen *seen, build_result *result)
{
    process host;

    if (tools->cuda)
        return compile_cuda(tools, l, folder, n, result) &&
               link_runner(tools, l, folder, n, result);
    /* the host's first pass takes as long as the device's */
    if (!begin_pass(tools, l, folder, n, first_pass(tools, n, false), result, &host))
        return false;
    const bool fine = build_halves(tools, l, folder, n, &host, seen, result);
    unlink(n->ir);
    unlink(n->kept);
    unlink(n->members);
    if (n->first) {
        unlink(n->first_ir);
        unlink(n->first_ptx);
    }
    return fine;
}

static bool reach_add_given(reach *r, const char *path) { return !*path || reach_add(r, path); }

/* What of the kit the compiler and the linker are given. */
static bool fill_reach(const toolchain *tools, const lab *l, names *n)
{
    static const char *const linked[] = { SCANLAB_LINK_ARGUMENTS, SCANLAB_CUDA_LINK_ARGUMENTS };
    bool fits = reach_add_program(&n->compiler, tools->cuda ? tools->nvcc : tools->clang) &&
                reach_add_lab(&n->compiler, l) &&
                reach_add_given(&n->compiler, clang_pass_headers(tools->clang, true)) &&
                reach_add_given(&n->compiler, clang_pass_headers(tools->clang, false)) &&
                reach_add(&n->reader, SCANLAB_READ_IR) &&
                reach_add_program(&n->linker, SCANLAB_LINKER);

    for (size_t i = 0; fits && i < sizeof linked / sizeof *linked; i++)
        fits = !linked[i] || linked[i][0] != '/' || reach_add(&n->linker, linked[i]);
    return fits;
}

void build_submission(const toolchain *tools, const lab *l, const char *source, const char *folder,
                      build_result *result)
{
    build_waited_for(tools, l, source, folder, NULL, result);
}

void build_waited_for(const toolchain *tools, const lab *l, const char *source, const char *folder,
                      const build_first *first, build_result *result)
{
    names n;
    bool fits;

    confine_find(false);
    memset(result, 0, sizeof *result);
    memset(&n, 0, sizeof n);
    n.first = first;
    fits = path_join(n.ir, sizeof n.ir, folder, "device.ll", NULL) &&
           path_join(n.kept, sizeof n.kept, folder, "kept.ll", NULL) &&
           path_join(n.members, sizeof n.members, folder, "device.members", NULL) &&
           path_join(n.ptx, sizeof n.ptx, folder, BUILD_PTX, NULL) &&
           path_join(n.first_ir, sizeof n.first_ir, folder, "first.ll", NULL) &&
           path_join(n.first_ptx, sizeof n.first_ptx, folder, "first.ptx", NULL) &&
           path_join(n.object, sizeof n.object, folder, "host.o", NULL) &&
           path_join(result->program, sizeof result->program, folder, "runner", NULL) &&
           snprintf(n.include, sizeof n.include, "-I%s/labs/%s", SCANLAB_SOURCE_DIR, l->id) <
               (int)sizeof n.include &&
           fill_reach(tools, l, &n);
    if (!fits) {
        fail(result, VERDICT_INFRA,
             "the path of the output folder is too long; choose a shorter one with --out");
        return;
    }
    unlink(result->program);
    if (!build_take(l, source, false, folder, n.source, result) || !take_check(l, n.source, result))
        return;
    warnings_seen *seen = calloc(1, sizeof *seen);
    if (!seen) {
        fail(result, VERDICT_INFRA, "no memory");
        return;
    }
    bool built = build_all(tools, l, folder, &n, seen, result);
    if (!built && n.steps_fail) {
        n.without_steps = true;
        memset(result->message, 0, sizeof result->message);
        result->line = 0;
        built = build_all(tools, l, folder, &n, seen, result);
    }
    free(seen);
    /* the linker may not change modes: another's file could be meant */
    if (!built)
        unlink(result->program);
    else if (chmod(result->program, 0755) == 0)
        result->verdict = VERDICT_PASS;
    else
        fail(result, VERDICT_INFRA, "the program that was built cannot be made executable");
}
