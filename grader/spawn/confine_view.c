/*
 * confine_view.c: which files a confined process sees: those of its rules, the system's, and with a
 * GPU those of the driver. See confine.h.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"

/* Libraries, for everybody; what starts a program is ld.so, found below. */
static const char *const libraries[] = {
    "/lib",       "/lib32",         "/lib64",           "/usr/lib",         "/usr/lib32",
    "/usr/lib64", "/usr/local/lib", "/usr/local/lib64", "/etc/ld.so.cache", NULL
};
/* Compilers, and what they start. */
static const char *const tools[] = { "/bin",
                                     "/usr/bin",
                                     "/usr/include",
                                     "/usr/libexec",
                                     "/usr/local/bin",
                                     "/usr/local/include",
                                     "/usr/local/libexec",
                                     "/etc/alternatives",
                                     "/etc/nvcc.profile",
                                     NULL };
static const char *const facts[] = { "/proc/self", "/sys/devices/system/cpu", "/dev/null",
                                     "/dev/urandom", NULL };
/* What NVIDIA's driver asks before it answers. */
static const char *const gpu_facts[] = { "/proc/driver",
                                         "/proc/devices",
                                         "/proc/modules",
                                         "/proc/meminfo",
                                         "/proc/cpuinfo",
                                         "/proc/stat",
                                         "/proc/sys",
                                         "/proc/version",
                                         "/sys",
                                         "/usr/local/nvidia",
                                         NULL };
static const char *const gpu_nodes[] = { "/dev/nvidia*", "/dev/nvidia-caps/*", "/dev/dxg", NULL };

static bool add(confine_view *view, const char *path, bool execute)
{
    if (view->count == CONFINE_PATHS)
        return false;
    view->paths[view->count++] = (confine_path){ .path = path, .execute = execute };
    return true;
}

static bool add_all(confine_view *view, const char *const *paths, bool execute)
{
    bool fits = true;

    for (; paths && *paths; paths++)
        fits = fits && add(view, *paths, execute);
    return fits;
}

/* A path that the view keeps. */
static bool add_copy(confine_view *view, const char *path, size_t length)
{
    char *copy = view->text + view->used;

    if (view->used + length + 1 > sizeof view->text)
        return false;
    memcpy(copy, path, length);
    copy[length] = '\0';
    view->used += length + 1;
    return add(view, copy, true);
}

static bool add_nodes(confine_view *view)
{
    bool fits = true;

    for (const char *const *pattern = gpu_nodes; *pattern; pattern++) {
        glob_t found;
        if (glob(*pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t i = 0; fits && i < found.gl_pathc; i++) {
            fits = add_copy(view, found.gl_pathv[i], strlen(found.gl_pathv[i]));
            if (fits)
                view->paths[view->count - 1].write = view->paths[view->count - 1].device = true;
        }
        globfree(&found);
    }
    return fits;
}

/* The driver's libraries may lie where the environment says. */
static bool add_library_path(confine_view *view)
{
    const char *at = getenv("LD_LIBRARY_PATH");
    bool fits = true;

    while (fits && at && *at) {
        const size_t length = strcspn(at, ":");
        if (length > 1 && *at == '/')
            fits = add_copy(view, at, length);
        at += length + (at[length] == ':');
    }
    return fits;
}

/* The name of ld.so, as this program has it. */
static int find_interpreter(struct dl_phdr_info *info, size_t size, void *to)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_INTERP)
            *(const char **)to = (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    return 1; /* the first is the program itself */
}

bool confine_view_fill(confine_view *view, const confine_rules *rules)
{
    const char *interpreter = NULL;
    bool fits;

    view->count = 0;
    view->used = 0;
    dl_iterate_phdr(find_interpreter, &interpreter);
    fits = add_all(view, libraries, rules->kind == CONFINE_TOOL) &&
           (!interpreter || add(view, interpreter, true)) && add_all(view, facts, false) &&
           add_all(view, rules->read, true);
    if (rules->kind == CONFINE_TOOL)
        fits = fits && add_all(view, tools, true);
    if (rules->gpu)
        fits = fits && add_all(view, gpu_facts, false) && add_nodes(view) && add_library_path(view);
    if (fits && rules->write) {
        fits = add(view, rules->write, false);
        if (fits)
            view->paths[view->count - 1].write = true;
    }
    /* stdin is /dev/null; some programs open it for writing. A driver names its threads by writing
       to /proc/self/task/N/comm, and gives up where it cannot. */
    for (unsigned i = 0; i < view->count; i++) {
        if (strcmp(view->paths[i].path, "/dev/null") == 0)
            view->paths[i].write = view->paths[i].device = true;
        if (rules->gpu && strcmp(view->paths[i].path, "/proc/self") == 0)
            view->paths[i].write = true;
    }
    return fits;
}
