/*
 * kit_files.c: see kit_files.h.
 */
#include "kit_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "toolchain.h"

enum { SECONDS = 10, MOST_SAID = 1 << 16 };

/* Whole lines of what git says, as far as there is room. */
static void take_names(const char *said, char *list, size_t room)
{
    size_t used = 0;

    for (const char *at = said; *at;) {
        const size_t length = strcspn(at, "\n");
        if (used + length + 2 > room)
            return;
        used +=
            (size_t)snprintf(list + used, room - used, "%s%.*s", used ? " " : "", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

bool kit_files_changed(const char *root, const lab *l, bool everything, char *list, size_t room)
{
    char git[PATH_MAX], folder[300], own[400], solution[300];
    process_run_result run = { .output = NULL };

    list[0] = '\0';
    snprintf(folder, sizeof folder, "labs/%s", l->id);
    snprintf(own, sizeof own, ":(exclude)labs/%s/*.cu", l->id);
    snprintf(solution, sizeof solution, "solutions/%s", l->id);
    const char *arguments[] = { git,
                                "-c",
                                "safe.directory=*",
                                "diff",
                                "--name-only",
                                "--no-renames",
                                "HEAD",
                                "--",
                                own,
                                folder,
                                everything ? solution : NULL,
                                "common/cudart",
                                "common/lab",
                                NULL };
    const process_spec spec = { .arguments = arguments, .folder = root, .given = { -1, -1, -1 } };
    if (!toolchain_which("git", git) || !process_run(&spec, SECONDS, MOST_SAID, &run, NULL))
        return false;
    if (run.ending == PROCESS_EXITED && run.exit_status == 0)
        take_names(run.output, list, room);
    free(run.output);
    return list[0] != '\0';
}
