/*
 * precompile.c: when the kit is built: its headers for a pass of clang's, precompiled with the
 * options of that pass (compile/clang_pass.h).
 *
 *   precompile device|host HEADERS DEPENDS
 *     HEADERS  gets them; it is empty where this clang cannot do it: files are read then
 *     DEPENDS  gets the files that they were made of, for Ninja
 *
 * Exit status: 0; 2: usage.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clang_pass.h"
#include "config.h"

extern char **environ;

static bool run(const char *const *arguments)
{
    posix_spawn_file_actions_t quiet;
    pid_t pid;
    int status = 1;

    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const bool begun =
        posix_spawnp(&pid, arguments[0], &quiet, NULL, (char *const *)arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&quiet);
    return begun && waitpid(pid, &status, 0) == pid && status == 0;
}

static void empty(const char *path)
{
    FILE *file = fopen(path, "w");

    if (file)
        fclose(file);
}

int main(int count, char **arguments)
{
    static clang_command command;

    if (count != 4) {
        fputs("This program is started by the build and does nothing by itself.\n", stderr);
        return 2;
    }
    const clang_pass pass = { .device = strcmp(arguments[1], "device") == 0 };
    clang_pass_command(SCANLAB_CLANG, &pass, &command);
    const char *const rest[] = {
        "-Xclang",    "-emit-pch",
        "-MD",        "-MT",
        arguments[2], "-MF",
        arguments[3], "-o",
        arguments[2], SCANLAB_SOURCE_DIR "/common/cudart/include/cuda_runtime.h"
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        clang_pass_add(&command, rest[i]);
    if (!run(command.arguments)) {
        empty(arguments[2]);
        empty(arguments[3]);
    }
    return 0;
}
