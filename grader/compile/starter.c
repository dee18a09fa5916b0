/*
 * starter.c: see starter.h.
 */
#define _GNU_SOURCE
#include "starter.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "build.h"
#include "encoding.h"
#include "file.h"
#include "hash.h"
#include "kit.h"
#include "process.h"
#include "toolchain.h"

enum { SAME_SECOND = 1000 };

static bool recorded_id(const char *root, const lab *l, char id[HASH_GIT + 1])
{
    char path[PATH_MAX], *text;
    size_t size;

    if (snprintf(path, sizeof path, "%s/labs/%s/grading/starter.id", root, l->id) >=
            (int)sizeof path ||
        !file_read(path, 4096, &text, &size, NULL))
        return false;
    bool fine = size >= HASH_GIT && strspn(text, "0123456789abcdef") == HASH_GIT;
    if (fine) {
        memcpy(id, text, HASH_GIT);
        id[HASH_GIT] = '\0';
    }
    free(text);
    return fine;
}

/* Takes away what an editor or a download on Windows adds: a byte-order mark, and the CR of each
   CRLF. Returns the size. */
static size_t take_unix_form(char *text, size_t size)
{
    size_t from = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, to = 0;

    for (; from < size; from++)
        if (text[from] != '\r' || from + 1 == size || text[from + 1] != '\n')
            text[to++] = text[from];
    return to;
}

starter_state starter_look(const char *root, const lab *l, const char *path)
{
    char recorded[HASH_GIT + 1], found[HASH_GIT + 1], *text;
    size_t size;

    if (!recorded_id(root, l, recorded) ||
        !encoding_read(path, BUILD_SOURCE_LIMIT, &text, &size, NULL))
        return STARTER_UNKNOWN;
    hash_git_blob(text, take_unix_form(text, size), found);
    free(text);
    return strcmp(recorded, found) == 0 ? STARTER_UNTOUCHED : STARTER_CHANGED;
}

unsigned starter_todos(const char *path)
{
    char *text;
    unsigned count = 0;

    if (!file_read(path, BUILD_SOURCE_LIMIT, &text, NULL, NULL))
        return 0;
    for (char *line = text, *end; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        count += strstr(line, "TODO") != NULL;
    }
    free(text);
    return count;
}

/* ---- the starter's text ---------------------------------------------------------------------- */

/* The copy of the starter that a kit without a history has; null: there is none that is right. */
static char *starter_copy(const char *root, const lab *l, const char *id)
{
    char path[PATH_MAX], found[HASH_GIT + 1], *text;
    size_t size;

    snprintf(path, sizeof path, "%.2000s/labs/%s/grading/starter.cu", root, l->id);
    if (!file_read(path, BUILD_SOURCE_LIMIT, &text, &size, NULL))
        return NULL;
    hash_git_blob(text, size, found);
    if (strcmp(found, id) == 0)
        return text;
    free(text);
    return NULL;
}

/* The starter's content, by its name: out of git, where there is no copy of it. */
static bool fetch_starter(const char *root, const lab *l, const char *id, char **text,
                          base_error *error)
{
    char git[PATH_MAX], found[HASH_GIT + 1];
    const char *arguments[] = { git, "-c", "safe.directory=*", "cat-file", "blob", id, NULL };
    process_spec spec = { .arguments = arguments, .folder = root, .given = { -1, -1, -1 } };
    process_run_result run = { .output = NULL };

    *text = starter_copy(root, l, id);
    if (*text)
        return true;
    if (!toolchain_which("git", git))
        return error_set(error,
                         "git was not found, and the starter of lab %.2s is taken from it.\n  "
                         "Debian, Ubuntu:  sudo apt-get install git",
                         l->id);
    if (!process_run(&spec, 30, BUILD_SOURCE_LIMIT, &run, error))
        return false;
    hash_git_blob(run.output, strlen(run.output), found);
    if (run.ending == PROCESS_EXITED && run.exit_status == 0 && strcmp(found, id) == 0) {
        *text = run.output;
        return true;
    }
    free(run.output);
    return error_set(
        error,
        "git does not have the starter of lab %.2s here: the kit is not a git clone, or an "
        "incomplete "
        "one.\n"
        "Take labs/%s/%s from a fresh clone of the kit; your own file was left as it is.",
        l->id, l->id, l->file);
}

/* That of labs/NN_slug, where nobody has changed it, else out of git. */
char *starter_text(const char *root, const lab *l)
{
    char path[PATH_MAX], id[HASH_GIT + 1], *text = NULL;

    if (!recorded_id(root, l, id) ||
        snprintf(path, sizeof path, "%s/labs/%s/%s", root, l->id, l->file) >= (int)sizeof path)
        return NULL;
    if (starter_look(root, l, path) == STARTER_UNTOUCHED)
        file_read(path, BUILD_SOURCE_LIMIT, &text, NULL, NULL);
    else
        fetch_starter(root, l, id, &text, NULL);
    return text;
}

/* ---- reset ----------------------------------------------------------------------------------- */

/* path.2026-11-20T154217.bak, or with -2, -3 ... where that is taken. Never overwrites. */
static bool __attribute__((nonnull(1, 2)))
keep_copy(const char *path, char *kept, size_t room, base_error *error)
{
    char stamp[32], again[16] = "";
    time_t now = time(NULL);
    struct tm local;

    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H%M%S", localtime_r(&now, &local));
    for (int copy = 1; copy < SAME_SECOND; copy++) {
        if (copy > 1)
            snprintf(again, sizeof again, "-%d", copy);
        int length = snprintf(kept, room, "%s.%s%s.bak", path, stamp, again);
        if (length >= (int)room)
            return error_set(error, "the path of %s is too long to keep a copy beside it", path);
        if (link(path, kept) == 0)
            return true;
        if (errno == EEXIST)
            continue;
        /* no hard links there: claim the name, then copy */
        int fd = open(kept, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (fd < 0 && errno == EEXIST)
            continue;
        if (fd < 0)
            return error_set(error, "cannot keep a copy of %s: %s; nothing was changed", path,
                             strerror(errno));
        close(fd);
        return file_copy(path, kept, SIZE_MAX / 2, error);
    }
    return error_set(error, "there are too many copies of %s already; remove some", path);
}

bool starter_reset(const char *root, const lab *l, char *kept, size_t room, base_error *error)
{
    char path[PATH_MAX], id[HASH_GIT + 1], *text = NULL;
    bool done;

    kept[0] = '\0';
    if (snprintf(path, sizeof path, "%s/labs/%s/%s", root, l->id, l->file) >= (int)sizeof path)
        return error_set(error, "the kit's path is too long");
    if (!recorded_id(root, l, id)) {
        char mine[300], restore[400];
        snprintf(mine, sizeof mine, "labs/%s/grading/starter.id", l->id);
        kit_restore(mine, restore, sizeof restore);
        return error_set(error,
                         "%s is missing or damaged, so the starter is not known; restore it: %s",
                         mine, restore);
    }
    if (starter_look(root, l, path) == STARTER_UNTOUCHED)
        return true;
    if (!fetch_starter(root, l, id, &text, error))
        return false;
    done = (!file_exists(path) || keep_copy(path, kept, room, error)) &&
           file_write(path, text, strlen(text), error);
    free(text);
    return done;
}
