/*
 * toolchain.c: see toolchain.h.
 */
#include "toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "file.h"
#include "path.h"
#include "process.h"

enum { OLDEST_CLANG = 14, NEWEST_CLANG = 22, ASK_SECONDS = 60, SAYS = 1 << 16 };

bool toolchain_which(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    char tried[PATH_MAX];

    for (const char *at = folders ? folders : "/usr/bin:/bin"; *at;) {
        size_t length = strcspn(at, ":");
        if (snprintf(tried, sizeof tried, "%.*s/%s", (int)length, at, name) < PATH_MAX &&
            access(tried, X_OK) == 0 && !file_is_folder(tried)) {
            memcpy(path, tried, sizeof tried);
            return true;
        }
        at += length + (at[length] == ':');
    }
    path[0] = '\0';
    return false;
}

static bool is_program(const char *path)
{
    return path[0] && access(path, X_OK) == 0 && !file_is_folder(path);
}

void toolchain_unwrap(char path[PATH_MAX], const char *const *options, const char *key)
{
    const char *arguments[8] = { path }, *name = path_name(path), *at;
    const process_spec spec = { .arguments = arguments, .given = { -1, -1, -1 } };
    char home[PATH_MAX];
    process_run_result run;
    base_error error;

    for (size_t i = 0; i < 6 && options[i]; i++)
        arguments[i + 1] = options[i];
    if (!process_run(&spec, ASK_SECONDS, SAYS, &run, &error))
        return;
    at = strstr(run.output, key);
    if (at) {
        at += strlen(key);
        if (snprintf(home, sizeof home, "%.*s/%s", (int)strcspn(at, "\n"), at, name) < PATH_MAX &&
            is_program(home))
            memcpy(path, home, sizeof home);
    }
    free(run.output);
}

static void unwrap_clang(char path[PATH_MAX])
{
    static const char *const options[] = { "--version", NULL };
    toolchain_unwrap(path, options, "InstalledDir: ");
}

static void unwrap_nvcc(char path[PATH_MAX])
{
    static const char *const options[] = { "--dryrun", "-c", "-x", "cu", "/dev/null", NULL };
    toolchain_unwrap(path, options, "#$ _HERE_=");
}

static bool find_clang(char path[PATH_MAX])
{
    const char *chosen = getenv("SCANLAB_CLANG");
    char name[32];

    if (chosen && *chosen)
        return strchr(chosen, '/')
                   ? snprintf(path, PATH_MAX, "%s", chosen) < PATH_MAX && access(path, X_OK) == 0
                   : toolchain_which(chosen, path);
    snprintf(path, PATH_MAX, "%s", SCANLAB_CLANG);
    if (path[0] && access(path, X_OK) == 0)
        return true;
    if (toolchain_which("clang", path))
        return true;
    for (int version = NEWEST_CLANG; version >= OLDEST_CLANG; version--) {
        snprintf(name, sizeof name, "clang-%d", version);
        if (toolchain_which(name, path))
            return true;
    }
    return false;
}

bool toolchain_find(toolchain *tools, base_error *error)
{
    const char *chosen = getenv("SCANLAB_CLANG");

    memset(tools, 0, sizeof *tools);
    if (!find_clang(tools->clang)) {
        if (chosen && *chosen)
            return error_set(
                error,
                "SCANLAB_CLANG=%s: there is no such program; unset it, or name a clang %d or newer",
                chosen, OLDEST_CLANG);
        return error_set(
            error,
            "clang was not found, and without it no lab can be compiled.\n  Debian, Ubuntu:  sudo "
            "apt-get install clang\n"
            "  elsewhere:       install clang %d or newer, or set SCANLAB_CLANG=/path/to/clang",
            OLDEST_CLANG);
    }
    if (!chosen || !*chosen)
        unwrap_clang(tools->clang);
    toolchain_which("addr2line", tools->addr2line);
    return true;
}

/* ---- a real GPU ------------------------------------------------------------------------------ */

static bool nvcc_below(const char *home, char path[PATH_MAX])
{
    return home && *home && snprintf(path, PATH_MAX, "%s/bin/nvcc", home) < PATH_MAX &&
           is_program(path);
}

static bool find_nvcc(char path[PATH_MAX])
{
    const char *chosen = getenv("SCANLAB_NVCC");

    if (chosen && *chosen)
        return strchr(chosen, '/')
                   ? snprintf(path, PATH_MAX, "%s", chosen) < PATH_MAX && is_program(path)
                   : toolchain_which(chosen, path);
    snprintf(path, PATH_MAX, "%s", SCANLAB_NVCC);
    if (!is_program(path) && !toolchain_which("nvcc", path) &&
        !nvcc_below(getenv("CUDA_HOME"), path) && !nvcc_below(getenv("CUDA_PATH"), path) &&
        !nvcc_below("/usr/local/cuda", path))
        return false;
    unwrap_nvcc(path);
    return true;
}

/* The value of "# key: value"; "" if there is none. */
static void fact(const char *text, const char *key, char *value, size_t room)
{
    char front[64];
    const char *at;

    value[0] = '\0';
    snprintf(front, sizeof front, "# %s: ", key);
    for (at = strstr(text, front); at && at > text && at[-1] != '\n'; at = strstr(at + 1, front))
        ;
    if (at)
        snprintf(value, room, "%.*s", (int)strcspn(at + strlen(front), "\n"), at + strlen(front));
}

bool toolchain_read_facts(const char *text, toolchain_gpu *gpu)
{
    char value[64];
    unsigned major = 0, minor = 0;

    memset(gpu, 0, sizeof *gpu);
    fact(text, "gpu", gpu->name, sizeof gpu->name);
    fact(text, "gpus", value, sizeof value);
    gpu->count = (unsigned)strtoul(value, NULL, 10);
    fact(text, "compute_capability", value, sizeof value);
    if (sscanf(value, "%u.%u", &major, &minor) == 2)
        gpu->capability = 10 * major + minor;
    fact(text, "l2_bytes", value, sizeof value);
    gpu->l2_bytes = strtoull(value, NULL, 10);
    fact(text, "peak_GBps", value, sizeof value);
    gpu->peak_GBps = strtod(value, NULL);
    return gpu->name[0] != '\0';
}

/* Asks the GPU in a process of its own: this one and its workers keep clear of CUDA. problem: why
   there is none, "" if there is one. */
static void ask_gpu(toolchain_gpu *gpu, char *problem, size_t room)
{
    const char *arguments[] = { SCANLAB_GPU_FACTS, NULL };
    const process_spec spec = { .arguments = arguments,
                                .given = { -1, -1, -1 },
                                .environment = process_gpu_environment };
    process_run_result run;
    base_error error;
    bool has_node = access("/dev/nvidia0", F_OK) == 0 || access("/dev/nvidiactl", F_OK) == 0 ||
                    access("/dev/dxg", F_OK) == 0;

    problem[0] = '\0';
    if (!process_run(&spec, ASK_SECONDS, SAYS, &run, &error)) {
        snprintf(problem, room, "%.200s", error.text);
        return;
    }
    run.output[strcspn(run.output, run.exit_status == 0 ? "" : "\n")] = '\0';
    if (run.ending != PROCESS_EXITED)
        snprintf(problem, room, "the driver did not answer within %d s", ASK_SECONDS);
    else if (run.exit_status != 0 || !toolchain_read_facts(run.output, gpu))
        snprintf(problem, room, "%.200s%s", run.output,
                 has_node ? "" : " (there is no /dev/nvidia0)");
    free(run.output);
}

void toolchain_tell_missing(const char *nvcc, const char *gpu_problem, const char *kit_problem,
                            base_error *error)
{
    error_set(
        error,
        "BACKEND=cuda needs a CUDA Toolkit and an NVIDIA GPU.\n  nvcc: %s\n  GPU:  %s\n%s%s%sLeave "
        "BACKEND out: the default, BACKEND=simt, grades the same files without a GPU.",
        nvcc[0] ? nvcc
                : "not found on PATH, in CUDA_HOME or in /usr/local/cuda; "
                  "SCANLAB_NVCC=/path/to/nvcc names one",
        gpu_problem[0] ? gpu_problem : "found", kit_problem[0] ? "  kit:  " : "", kit_problem,
        kit_problem[0] ? "\n" : "");
}

bool toolchain_has_gpus(const toolchain *tools, unsigned gpus, base_error *error)
{
    return !tools->cuda || gpus <= 1 || tools->gpu.count == 0 || tools->gpu.count >= gpus ||
           error_set(error,
                     "not run: the lab is about %u GPUs or more, and this machine has %u. Leave "
                     "BACKEND out: the engine simulates several",
                     gpus, tools->gpu.count);
}

bool toolchain_find_nvcc(toolchain *tools, base_error *error)
{
    memset(tools, 0, sizeof *tools);
    tools->cuda = true;
    toolchain_which("addr2line", tools->addr2line);
    if (SCANLAB_HAVE_CUDA && find_nvcc(tools->nvcc))
        return true;
    toolchain_tell_missing(tools->nvcc, "not asked for",
                           SCANLAB_HAVE_CUDA ? "" : SCANLAB_CUDA_MISSING, error);
    return false;
}

bool toolchain_find_cuda(toolchain *tools, base_error *error)
{
    char problem[300] = "not found (no /dev/nvidia0)", kit[PATH_MAX + 200] = "";
    bool has_nvcc;

    memset(tools, 0, sizeof *tools);
    tools->cuda = true;
    toolchain_which("addr2line", tools->addr2line);
    has_nvcc = find_nvcc(tools->nvcc);
    if (!has_nvcc)
        tools->nvcc[0] = '\0';
    if (SCANLAB_HAVE_CUDA)
        ask_gpu(&tools->gpu, problem, sizeof problem);
    else
        snprintf(kit, sizeof kit, "built without a CUDA Toolkit: %s", SCANLAB_CUDA_MISSING);
    if (!SCANLAB_HAVE_CUDA && access("/dev/nvidia0", F_OK) == 0)
        snprintf(problem, sizeof problem, "found (/dev/nvidia0)");
    if (has_nvcc && SCANLAB_HAVE_CUDA && !problem[0])
        return true;
    toolchain_tell_missing(tools->nvcc, problem, kit, error);
    return false;
}
