/*
 * diff.c: see diff.h.
 */
#define _GNU_SOURCE
#include "diff.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build.h"
#include "config.h"
#include "file.h"
#include "kit.h"
#include "path.h"
#include "record.h"
#include "source.h"

extern char **environ;

/* ---- code without comments ------------------------------------------------------------------- */

static const char *end_of_comment(const char *at)
{
    const char *const end = at[1] == '*' ? strstr(at + 2, "*/") : NULL;

    return end ? end + 2 : at[1] == '*' ? at + strlen(at) : at + strcspn(at, "\n");
}

/* Of a string or a character, or of what is neither. */
static const char *end_of_word(const char *at)
{
    const char quote = *at;

    if (quote != '"' && quote != '\'')
        return at + 1;
    for (at++; *at && *at != quote && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return at + (*at == quote);
}

/* In place. Lines stay, so that each keeps its number; blanks at their ends go. */
static void take_comments(char *text)
{
    char *to = text;

    for (const char *at = text, *end; *at; at = end) {
        const bool comment = at[0] == '/' && (at[1] == '/' || at[1] == '*');
        end = comment ? end_of_comment(at) : end_of_word(at);
        for (; at < end; at++) {
            while (*at == '\n' && to > text && strchr(" \t\r", to[-1]))
                to--;
            if (!comment || *at == '\n')
                *to++ = *at;
        }
    }
    *to = '\0';
}

static bool write_code(const char *source, const char *to, base_error *error)
{
    char *text;
    bool written;

    if (!file_read(source, BUILD_SOURCE_LIMIT, &text, NULL, error))
        return false;
    take_comments(text);
    written = file_write(to, text, strlen(text), error);
    free(text);
    return written;
}

/* ---- beside each other ----------------------------------------------------------------------- */

/* diff's own statuses: 0 the same, 1 they differ, 2 trouble. */
static bool run_diff(char *const *arguments, const char *same, base_error *error)
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
        printf("%s\n", same);
    return true;
}

/* Of both files what is code, below a folder of ours. */
static bool show_code(const options *o, const char *mine, const char *solution, base_error *error)
{
    char folder[PATH_MAX], left[PATH_MAX], right[PATH_MAX];

    if (!path_join(folder, sizeof folder, o->out, "diff", error) ||
        !file_make_folders(folder, error) ||
        !path_join(left, sizeof left, folder, "yours", error) ||
        !path_join(right, sizeof right, folder, "solution", error) ||
        !write_code(mine, left, error) || !write_code(solution, right, error))
        return false;
    char *const arguments[] = { "diff",    "-uwB",         "--color=auto", "--label", "yours",
                                "--label", "the solution", left,           right,     NULL };
    const bool shown =
        run_diff(arguments, "The two files differ in comments and blanks alone.", error);
    unlink(left);
    unlink(right);
    rmdir(folder);
    return shown;
}

static bool same_content(const char *a, const char *b)
{
    char *x = NULL, *y = NULL;
    size_t m, n;
    const bool same = file_read(a, BUILD_SOURCE_LIMIT, &x, &m, NULL) &&
                      file_read(b, BUILD_SOURCE_LIMIT, &y, &n, NULL) && m == n &&
                      memcmp(x, y, m) == 0;

    free(x);
    free(y);
    return same;
}

bool diff_show(const options *o, const lab *l, base_error *error)
{
    char mine[PATH_MAX], solution[PATH_MAX];

    if (!kit_has_solutions())
        return error_set(error,
                         "this kit has no solutions, so there is nothing to compare with; "
                         "for a hint: make hint LAB=%.*s",
                         lab_name_length(l), l->id);
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
    if (!same_content(mine, solution))
        return show_code(o, mine, solution, error);
    printf("The two files are the same.\n");
    return true;
}
