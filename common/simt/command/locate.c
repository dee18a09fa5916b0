/* locate.c: see locate.h. */
#define _GNU_SOURCE
#include "locate.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "path.h"

/* What addr2line says of it; it looks only at the file, and knows nothing of this process. */
static bool ask(uint64_t address, char *said, size_t room)
{
    char program[PATH_MAX], text[32];
    char *arguments[] = { "addr2line", "-i", "-e", program, text, NULL }, *environment[] = { NULL };
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    posix_spawn_file_actions_t actions;
    int ends[2], status;
    size_t used = 0;
    pid_t child;

    if (length < 0 || pipe2(ends, O_CLOEXEC) != 0)
        return false;
    program[length] = '\0';
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)address);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const bool started =
        posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environment) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (started) {
        ssize_t more;
        while (used < room - 1 && (more = read(ends[0], said + used, room - 1 - used)) > 0)
            used += (size_t)more;
        waitpid(child, &status, 0);
    }
    said[used] = '\0';
    close(ends[0]);
    return started;
}

bool locate_path_in_program(uint64_t address, char *path, size_t room, unsigned *number)
{
    char said[8 * PATH_MAX], *rest = said, *one = said, *next;

    if (address == 0 || !ask(address, said, sizeof said))
        return false;
    /* a line for each function that was inlined, and for the one that it was inlined into: the
       first that is not CUB's or Thrust's, or else the last */
    while ((next = strsep(&rest, "\n")) && *next) {
        one = next;
        if (!strstr(one, "/cub/") && !strstr(one, "/thrust/"))
            break;
    }
    char *line = strrchr(one, ':'); /* "/path/prog.cu:41 (discriminator 2)" */
    if (!line || line == one || line[1] < '1' || line[1] > '9')
        return false;
    *line = '\0';
    *number = (unsigned)strtoul(line + 1, NULL, 10);
    return snprintf(path, room, "%s", one) < (int)room;
}

const char *locate_in_program(uint64_t address, char *place, size_t room)
{
    char path[PATH_MAX];
    unsigned line;

    place[0] = '\0';
    if (locate_path_in_program(address, path, sizeof path, &line))
        snprintf(place, room, "%s:%u", path_name(path), line);
    return place;
}
