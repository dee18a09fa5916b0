/*
 * source.c: `simt run prog.cu`: compiles the source as `simt cc` does, runs what that makes, and
 * removes it. Interface: source_run in command.h.
 *
 * Both are done in a child each, so that this process is there to remove the program in the end,
 * whatever ends it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "path.h"
#include "stop.h"

static pid_t start(void)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        die(STATUS_MISSING, "no process can be started: %s", strerror(errno));
    if (child == 0)
        stop_unwatch();
    return child;
}

/* What waitpid says of it. */
static int await(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) != child && errno == EINTR)
        if (stop_asked())
            kill(child, SIGTERM); /* where it has not heard of it from the terminal */
    return status;
}

int source_run(const char *source, source_program *run, void *user)
{
    const char *temporary = getenv("TMPDIR");
    char folder[64], program[PATH_MAX];
    int status;

    snprintf(folder, sizeof folder, "%.40s/simt-run.XXXXXX",
             temporary && *temporary && strlen(temporary) <= 40 ? temporary : "/tmp");
    if (!mkdtemp(folder))
        die(STATUS_MISSING, "cannot make a folder like %s: %s", folder, strerror(errno));
    snprintf(program, sizeof program, "%s/%s", folder, path_name(source));
    *strrchr(program, '.') = '\0';
    stop_watch();
    pid_t child = start();
    if (child == 0)
        exit(command_cc(3, (char *[]){ (char *)(uintptr_t)source, "-o", program }));
    status = await(child);
    if (status == 0 && !stop_asked()) {
        if ((child = start()) == 0)
            run(user, program);
        status = await(child);
    }
    unlink(program);
    rmdir(folder);
    if (stop_asked())
        stop();
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_MISSING;
}
