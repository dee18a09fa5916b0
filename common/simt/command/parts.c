/* parts.c: see parts.h. */
#define _GNU_SOURCE
#include "parts.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "config.h"
#include "file.h"
#include "path.h"

const char *parts_folder(void)
{
    static char folder[PATH_MAX];
    static bool looked;
    char own[PATH_MAX], flags[PATH_MAX + 32];

    if (looked)
        return folder;
    looked = true;
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0)
        return folder;
    own[length] = '\0';
    /* PREFIX/bin/simt */
    for (int up = 0; up < 2; up++)
        *strrchr(own, '/') = '\0';
    snprintf(flags, sizeof flags, "%s/lib/simt/cudart/device.flags", own);
    if (file_exists(flags) && snprintf(folder, sizeof folder, "%s/lib/simt", own) >= PATH_MAX)
        folder[0] = '\0';
    return folder;
}

/* The first of these on the PATH; false if there is none. */
static bool find_clang(char *found, size_t room)
{
    static const char *const names[] = {
        "clang",    "clang-22", "clang-21", "clang-20", "clang-19",
        "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"
    };
    const char *path = getenv("PATH");
    for (size_t k = 0; path && k < sizeof names / sizeof *names; k++)
        for (const char *at = path; *at; at += *at == ':') {
            int length = (int)strcspn(at, ":");
            if (length && snprintf(found, room, "%.*s/%s", length, at, names[k]) < (int)room &&
                access(found, X_OK) == 0)
                return true;
            at += length;
        }
    return false;
}

const char *parts_clang(void)
{
    static char found[PATH_MAX];
    if (access(SIMT_CLANG, X_OK) == 0)
        return SIMT_CLANG;
    if (!*found && *parts_folder() && !find_clang(found, sizeof found))
        found[0] = '\0';
    return found;
}

/* "x86-64-v3/", where this processor has that and there is such a part, else "". What programs are
   linked with there runs about twice as fast as what runs on every x86. */
static const char *level(const char *name)
{
#ifdef __x86_64__
    char path[PATH_MAX];
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("fma") &&
        snprintf(path, sizeof path, "%s/x86-64-v3/%s", parts_folder(), name) < PATH_MAX &&
        file_exists(path))
        return "x86-64-v3/";
#endif
    (void)name;
    return "";
}

static bool is_linked(const char *word)
{
    static const char *const parts[] = { SIMT_LINK_BEFORE, SIMT_LINK_AFTER };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (*word == '/' && strcmp(word, parts[k]) == 0)
            return true;
    return false;
}

/* What cc.c says of the build's folder, and no more: a program may stand there as well. */
static bool is_ours(const char *word)
{
    static const char *const ours[] = { SIMT_CUDART_DIR "/include",
                                        SIMT_CUDART_DIR "/include/packaged",
                                        SIMT_CUDART_DIR "/include/samples",
                                        "@" SIMT_CUDART_DIR "/device.flags",
                                        "@" SIMT_CUDART_DIR "/host.flags" };
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
        if (strcmp(word, ours[k]) == 0)
            return true;
    return false;
}

const char *parts_word(const char *word)
{
    const bool at = *word == '@'; /* a file of flags */
    char *made = NULL;
    int size = 0;

    if (strcmp(word, SIMT_CLANG) == 0)
        return parts_clang();
    if (!*parts_folder())
        return word;
    if (strcmp(word, SIMT_LINKER) == 0)
        return parts_clang();
    if (is_ours(word))
        size = asprintf(&made, "%s%s/cudart%s", at ? "@" : "", parts_folder(),
                        word + at + sizeof SIMT_CUDART_DIR - 1);
    else if (is_linked(word))
        size = asprintf(&made, "%s/%s%s", parts_folder(), level(path_name(word)), path_name(word));
    if (size < 0)
        die(STATUS_MISSING, "no memory left");
    return made ? made : word; /* for as long as the command runs */
}

/* ---- options that depend on the compiler ----------------------------------------------------- */

static bool takes(const char *option)
{
    char *words[] = { (char *)(uintptr_t)parts_clang(),
                      "-x",
                      "c++",
                      "-Xclang",
                      (char *)(uintptr_t)option,
                      "-fsyntax-only",
                      "/dev/null",
                      NULL };
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 1;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&child, words[0], &actions, NULL, words, environ) != 0 ||
        waitpid(child, &status, 0) != child)
        status = 1;
    posix_spawn_file_actions_destroy(&actions);
    return status == 0;
}

const char *const *parts_device_options(void)
{
    static const char *const built[] = { SIMT_DEVICE_OPTIONS };
    static const char *const names[] = { SIMT_KEEP_UNSET_NAMES };
    static const char *now[3];
    static bool looked;

    if (!*parts_folder())
        return built;
    for (size_t k = 0; k < sizeof names / sizeof *names && !looked; k++)
        if ((looked = takes(names[k]))) {
            now[0] = "-Xclang";
            now[1] = names[k];
        }
    looked = true;
    return now;
}
