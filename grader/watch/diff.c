/*
 * diff.c: see diff.h.
 */
#define _GNU_SOURCE
#include "diff.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "file.h"
#include "record.h"
#include "source.h"

extern char **environ;

/* diff's own statuses: 0 the same, 1 they differ, 2 trouble. */
static bool run_diff(char *const *arguments, base_error *error)
{
    pid_t pid;
    int status;

    fflush(NULL);
    if (posix_spawnp(&pid, arguments[0], NULL, NULL, arguments, environ) != 0)
        return error_set(error, "diff cannot be started (Debian, Ubuntu: apt-get install "
                                "diffutils)");
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
        return error_set(error, "diff failed");
    if (WEXITSTATUS(status) == 0)
        printf("The two files are the same.\n");
    return true;
}

bool diff_show(const options *o, const lab *l, base_error *error)
{
    char mine[PATH_MAX], solution[PATH_MAX];

    if (!source_path(o, l, mine, error))
        return false;
    if (!record_read(o, l).solved)
        return error_set(error,
                         "lab %.2s is not solved yet: the solution is shown beside your file once "
                         "it has passed (make grade LAB=%.*s); for a hint: make hint LAB=%.*s",
                         l->id, lab_name_length(l), l->id, lab_name_length(l), l->id);
    snprintf(solution, sizeof solution, "%.2000s/solutions/%s/%s", SCANLAB_SOURCE_DIR, l->id,
             l->file);
    if (!file_exists(solution) || !file_exists(mine))
        return error_set(error, "%s is missing", file_exists(mine) ? solution : mine);
    char *const arguments[] = { "diff",    "-u",           "--color=auto", "--label", "yours",
                                "--label", "the solution", mine,           solution,  NULL };
    return run_diff(arguments, error);
}
