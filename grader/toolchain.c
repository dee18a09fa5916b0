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

enum { OLDEST_CLANG = 14, NEWEST_CLANG = 22 };

bool toolchain_which(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    char tried[PATH_MAX];

    for (const char *at = folders ? folders : "/usr/bin:/bin"; *at; ) {
        size_t length = strcspn(at, ":");
        if (snprintf(tried, sizeof tried, "%.*s/%s", (int)length, at, name) < PATH_MAX && access(tried, X_OK) == 0 && !file_is_folder(tried)) {
            memcpy(path, tried, sizeof tried);
            return true;
        }
        at += length + (at[length] == ':');
    }
    path[0] = '\0';
    return false;
}

static bool find_clang(char path[PATH_MAX])
{
    const char *chosen = getenv("SCANLAB_CLANG");
    char name[32];

    if (chosen && *chosen)
        return strchr(chosen, '/') ? snprintf(path, PATH_MAX, "%s", chosen) < PATH_MAX && access(path, X_OK) == 0
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
            return error_set(error, "SCANLAB_CLANG=%s: there is no such program; unset it, or name a clang %d or newer", chosen, OLDEST_CLANG);
        return error_set(error, "clang was not found, and without it no lab can be compiled.\n  Debian, Ubuntu:  sudo apt-get install clang\n"
                         "  elsewhere:       install clang %d or newer, or set SCANLAB_CLANG=/path/to/clang", OLDEST_CLANG);
    }
    toolchain_which("addr2line", tools->addr2line);
    return true;
}

bool toolchain_find_cuda(base_error *error)
{
    char path[PATH_MAX], nvcc[PATH_MAX];
    const char *home = getenv("CUDA_HOME");
    bool has_nvcc = toolchain_which("nvcc", nvcc), has_gpu = access("/dev/nvidia0", F_OK) == 0;

    snprintf(path, sizeof path, "%s/bin/nvcc", home && *home ? home : "/usr/local/cuda");
    if (!has_nvcc && access(path, X_OK) == 0) {
        memcpy(nvcc, path, sizeof nvcc);
        has_nvcc = true;
    }
    return error_set(error, "BACKEND=cuda needs a CUDA Toolkit and an NVIDIA GPU.\n  nvcc: %s\n  GPU:  %s\n"
                     "This version of the kit does not grade on a GPU yet, whatever is there. Leave BACKEND out:\n"
                     "the default, BACKEND=simt, grades the same files without a GPU.",
                     has_nvcc ? nvcc : "not found on PATH, in CUDA_HOME or in /usr/local/cuda",
                     has_gpu ? "found (/dev/nvidia0)" : "not found (no /dev/nvidia0)");
}
