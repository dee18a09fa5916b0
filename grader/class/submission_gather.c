/* submission_gather.c: see submission_gather.h. */
#define _GNU_SOURCE
#include "submission_gather.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "build.h"
#include "clean.h"
#include "file.h"
#include "hash.h"
#include "path.h"
#include "unpacked.h"

enum { ID_DIGITS = 12, OTHERS = 4096, STALE_SECONDS = 3600 };

#define OTHERS_FILE ".others" /* in the folder: what else there was */

typedef struct content {
    char *data;
    size_t size;
} content;

/* ---- folders --------------------------------------------------------------------------------- */

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

static void remove_folder(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

/* NAME.PID.tmp */
static bool is_of_a_dead_process(const char *name)
{
    const char *const dot = strrchr(name, '.'), *at = dot;

    while (at > name && at[-1] != '.')
        at--;
    const int pid = atoi(at);
    return pid > 0 && kill(pid, 0) != 0 && errno == ESRCH;
}

/* Those of earlier hand-ins, and what a gathering that was killed has left. */
static void remove_others(const char *results, const char *prefix, const char *keep)
{
    DIR *all = opendir(results);
    char path[PATH_MAX];
    struct stat facts;

    for (struct dirent *entry; all && (entry = readdir(all));) {
        const char *const name = entry->d_name;
        if (strncmp(name, prefix, strlen(prefix)) != 0 || strcmp(name, keep) == 0 ||
            !path_join(path, sizeof path, results, name, NULL) || lstat(path, &facts) != 0)
            continue;
        if (!path_has_ending(name, ".tmp") || time(NULL) - facts.st_mtime > STALE_SECONDS ||
            is_of_a_dead_process(name))
            remove_folder(path);
    }
    if (all)
        closedir(all);
}

/* ---- the parts ------------------------------------------------------------------------------- */

static bool read_parts(const gather_part *parts, unsigned count, content *contents,
                       base_error *error)
{
    for (unsigned i = 0; i < count; i++) {
        const size_t limit = unpacked_stem(parts[i].name) ? SUBMISSION_ARCHIVE : BUILD_SOURCE_LIMIT;
        const unsigned names = parts[i].names ? parts[i].names : 1;
        if (!file_read_named(parts[i].path, names, limit, &contents[i].data, &contents[i].size,
                             error))
            return false;
    }
    return true;
}

/* "handed-in-0123456789ab" */
static bool name_folder(const char *prefix, const gather_part *parts, unsigned count,
                        const content *contents, char name[32])
{
    char *text = NULL, id[HASH_SHA256 + 1];
    size_t size;
    FILE *f = open_memstream(&text, &size);

    for (unsigned i = 0; f && i < count; i++) {
        hash_sha256(contents[i].data, contents[i].size, id);
        fprintf(f, "%s %s\n", id, parts[i].name);
    }
    if (!f || fclose(f) != 0)
        return false;
    hash_sha256(text, size, id);
    free(text);
    snprintf(name, 32, "%.18s%.*s", prefix, ID_DIGITS, id);
    return true;
}

static unpack_end put_part(const gather_part *part, const content *c, bool alone,
                           const char *folder, char *others, size_t room, base_error *error)
{
    char path[PATH_MAX], said[sizeof error->text];
    const size_t stem = unpacked_stem(part->name);

    if (!path_join(path, sizeof path, folder, alone ? "" : part->name, error))
        return UNPACK_FAILED;
    if (stem == 0)
        return path_join(path, sizeof path, folder, part->name, error) &&
                       file_write(path, c->data, c->size, error)
                   ? UNPACK_DONE
                   : UNPACK_FAILED;
    if (!alone)
        path[strlen(path) - strlen(part->name) + stem] = '\0';
    const unpack_end end = submission_unpack(c->data, c->size, path, others, room, error);
    if (end != UNPACK_DONE) {
        snprintf(said, sizeof said, "%s", error->text);
        error_set(error, "%s %s: %s", part->name,
                  end == UNPACK_REFUSED ? "was not unpacked" : "could not be unpacked", said);
    }
    return end;
}

static unpack_end put_parts(const gather_part *parts, unsigned count, const content *contents,
                            const char *folder, char *others, size_t room, base_error *error)
{
    char path[PATH_MAX];
    unpack_end end = file_make_folders(folder, error) ? UNPACK_DONE : UNPACK_FAILED;

    for (unsigned i = 0; end == UNPACK_DONE && i < count; i++)
        end = put_part(&parts[i], &contents[i], count == 1, folder, others, room, error);
    if (end == UNPACK_DONE && !(path_join(path, sizeof path, folder, OTHERS_FILE, error) &&
                                file_write(path, others, strlen(others), error)))
        end = UNPACK_FAILED;
    return end;
}

/* Made beside, then renamed: another run of grade-all may make the same one. */
static unpack_end make_folder(const gather_part *parts, unsigned count, const content *contents,
                              const char *folder, char *others, size_t room, base_error *error)
{
    char half[PATH_MAX];

    if (snprintf(half, sizeof half, "%s.%d.tmp", folder, (int)getpid()) >= (int)sizeof half) {
        error_set(error, "the path of its results is too long");
        return UNPACK_FAILED;
    }
    unpack_end end = put_parts(parts, count, contents, half, others, room, error);
    if (end == UNPACK_DONE && rename(half, folder) != 0 && !file_is_folder(folder)) {
        error_set(error, "%s cannot be made: %s", folder, strerror(errno));
        end = UNPACK_FAILED;
    }
    if (file_is_folder(half))
        remove_folder(half);
    return end;
}

static void read_others(const char *folder, char *others, size_t room)
{
    char path[PATH_MAX], *text;

    others[0] = '\0';
    if (!path_join(path, sizeof path, folder, OTHERS_FILE, NULL) ||
        !file_read(path, OTHERS, &text, NULL, NULL))
        return;
    snprintf(others, room, "%s", text);
    free(text);
}

unpack_end submission_gather(const char *results, const char *prefix, const gather_part *parts,
                             unsigned count, char folder[PATH_MAX], char *others, size_t room,
                             base_error *error)
{
    content contents[GATHER_PARTS] = { { NULL, 0 } };
    unpack_end end = UNPACK_FAILED;
    char name[32];

    others[0] = '\0';
    if (count > GATHER_PARTS)
        error_set(error, "it has more than %d files", GATHER_PARTS);
    else if (read_parts(parts, count, contents, error) &&
             (name_folder(prefix, parts, count, contents, name) || error_set(error, "no memory")) &&
             path_join(folder, PATH_MAX, results, name, error)) {
        end = UNPACK_DONE;
        if (file_is_folder(folder))
            read_others(folder, others, room);
        else
            end = make_folder(parts, count, contents, folder, others, room, error);
        remove_others(results, prefix, name);
    }
    for (unsigned i = 0; i < GATHER_PARTS; i++)
        free(contents[i].data);
    return end;
}
