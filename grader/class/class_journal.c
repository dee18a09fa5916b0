/*
 * class_journal.c: see class_journal.h.
 */
#define _GNU_SOURCE
#include "class_journal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "path.h"

/* In the order in which they are made, and copied. */
static const char *const files[] = { "results.json", "report.txt", "key", "failed", "begun" };
enum { FILES = sizeof files / sizeof *files, COPIED = FILES - 1 };

static const size_t longest_file = (size_t)256 << 20;

bool journal_path(const submission *s, const char *name, char path[PATH_MAX])
{
    return path_join(path, PATH_MAX, s->folder, name, NULL);
}

static bool is_there(const submission *s, const char *name)
{
    char path[PATH_MAX];
    return journal_path(s, name, path) && file_exists(path);
}

static void write_in(const submission *s, const char *name, const char *text)
{
    char path[PATH_MAX];

    if (journal_path(s, name, path))
        file_write(path, text, strlen(text), NULL);
}

/* Its text, the caller's to free; null where there is none. */
static char *read_in(const submission *s, const char *name)
{
    char path[PATH_MAX], *text = NULL;

    if (!journal_path(s, name, path) ||
        !file_read(path, sizeof s->key + sizeof s->state, &text, NULL, NULL))
        return NULL;
    return text;
}

/* The key goes first: it must not stand beside other results. */
void journal_remove(const submission *s)
{
    char path[PATH_MAX];

    for (int i = FILES - 1; i >= 0; i--)
        if (journal_path(s, files[i], path))
            unlink(path);
}

bool journal_begin(const submission *s, base_error *error)
{
    char longest[PATH_MAX];

    if (!path_join(longest, sizeof longest, s->folder, "results.json", error) ||
        !file_make_folders(s->folder, error))
        return false;
    journal_remove(s);
    write_in(s, "begun", "");
    return true;
}

bool journal_is_begun(const submission *s) { return is_there(s, "begun"); }

void journal_end(const submission *s, bool unchanged)
{
    char path[PATH_MAX], text[sizeof s->key + sizeof s->state + 1];

    if (journal_path(s, "begun", path))
        unlink(path);
    if (!unchanged || !s->key[0])
        return;
    snprintf(text, sizeof text, "%s\n%s", s->key, s->state);
    if (s->outcome == SUBMISSION_FAILED)
        write_in(s, "failed", text);
    else
        write_in(s, "key", s->key);
}

/* Does a text begin with the submission's key? What comes after it, null if not. */
static const char *after_key(const submission *s, const char *text)
{
    const size_t length = strlen(s->key);
    return text && length > 0 && strncmp(text, s->key, length) == 0 ? text + length : NULL;
}

bool journal_read(submission *s, bool failures)
{
    char *key = read_in(s, "key"), *failed = failures ? read_in(s, "failed") : NULL;
    const char *rest = after_key(s, key), *why = after_key(s, failed);

    s->has_results = is_there(s, "results.json") && (rest || why);
    if (rest && *rest == '\0' && s->has_results)
        submission_end(s, SUBMISSION_GRADED, "graded");
    else if (why && *why == '\n')
        submission_end(s, SUBMISSION_FAILED, "%s", why + 1);
    else
        s->has_results = false;
    free(key);
    free(failed);
    return s->outcome != SUBMISSION_WAITING;
}

/* source/, the files that were graded: grade_labs.c. */
static bool copy_sources(const submission *from, const submission *to, base_error *error)
{
    char folder[PATH_MAX], target[PATH_MAX], one[PATH_MAX], copy[PATH_MAX];
    const struct dirent *entry;
    bool fine = true;

    if (!journal_path(from, "source", folder) || !journal_path(to, "source", target))
        return error_set(error, "%s: its path is too long", to->name);
    DIR *all = opendir(folder);
    if (!all)
        return true;
    fine = file_make_folders(target, error);
    while (fine && (entry = readdir(all)))
        if (path_has_ending(entry->d_name, ".cu"))
            fine = path_join(one, sizeof one, folder, entry->d_name, error) &&
                   path_join(copy, sizeof copy, target, entry->d_name, error) &&
                   file_copy(one, copy, longest_file, error);
    closedir(all);
    return fine;
}

bool journal_copy(const submission *from, const submission *to, base_error *error)
{
    char source[PATH_MAX], target[PATH_MAX];
    submission there = *to;

    memcpy(there.key, from->key, sizeof there.key);
    there.outcome = SUBMISSION_WAITING;
    if (from->outcome == SUBMISSION_GRADED && journal_read(&there, false))
        return true;
    if (!file_make_folders(to->folder, error))
        return false;
    journal_remove(to);
    if (!copy_sources(from, to, error))
        return false;
    for (int i = 0; i < COPIED; i++) {
        if (!is_there(from, files[i]))
            continue;
        if (!journal_path(from, files[i], source) ||
            !path_join(target, sizeof target, to->folder, files[i], error) ||
            !file_copy(source, target, longest_file, error))
            return false;
    }
    return true;
}
