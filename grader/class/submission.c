/*
 * submission.c: see submission.h.
 */
#define _GNU_SOURCE
#include "submission.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clean.h"
#include "file.h"
#include "path.h"
#include "source.h"

enum { DEEPEST = 4 };

typedef struct finder {
    const options *o;
    const lab *const *labs;
    size_t lab_count;
    const char *out;
    bool by_other_names; /* files whose names are not the labs' count, too */
} finder;

void submission_end(submission *s, submission_state outcome, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vsnprintf(s->state, sizeof s->state, format, list);
    va_end(list);
    clean_line(s->state); /* it may hold a file's name */
    s->outcome = outcome;
}

/* ---- kinds of entries ------------------------------------------------------------------------ */

static bool is_archive(const char *name)
{
    static const char *const endings[] = { ".zip",    ".tar",     ".tgz",     ".tar.gz",
                                           ".tar.xz", ".tar.bz2", ".tar.zst", ".txz",
                                           ".gz",     ".xz",      ".7z",      ".rar" };
    const size_t length = strlen(name);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t tail = strlen(endings[i]);
        if (length > tail && strcasecmp(name + length - tail, endings[i]) == 0)
            return true;
    }
    return false;
}

/* What people do not hand in: hidden files, and what archives made on a Mac hold beside. */
static bool is_litter(const char *name) { return name[0] == '.' || strcmp(name, "__MACOSX") == 0; }

static int is_seen(const struct dirent *entry) { return !is_litter(entry->d_name); }
static int bytewise(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* 'd' folder, 'f' file, 'l' symbolic link, 'o' anything else, ' ' not known. */
static char kind_of(const char *path)
{
    struct stat facts;

    if (lstat(path, &facts) != 0)
        return ' ';
    return S_ISDIR(facts.st_mode)   ? 'd'
           : S_ISREG(facts.st_mode) ? 'f'
           : S_ISLNK(facts.st_mode) ? 'l'
                                    : 'o';
}

/* ---- where the labs' files are --------------------------------------------------------------- */

/* The path of lab i's file below root, and whether it is there: 0, or why it cannot be looked
   at. */
static int look(const finder *f, const char *root, size_t i, char path[PATH_MAX])
{
    options o = *f->o;
    struct stat facts;

    o.src = root;
    if (!source_path(&o, f->labs[i], path, NULL))
        return ENAMETOOLONG;
    if (!f->by_other_names && source_is_other(&o, f->labs[i], path))
        return ENOENT;
    return stat(path, &facts) == 0 ? 0 : errno;
}

static bool holds_files(const finder *f, const char *root)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < f->lab_count; i++) {
        const int why = look(f, root, i, path);
        if (why == 0 || why == EACCES)
            return true;
    }
    return false;
}

/* The only folder in `root`, if there is one and no other. */
static bool only_folder(const char *root, char below[PATH_MAX])
{
    struct dirent **entries;
    int count = scandir(root, &entries, is_seen, bytewise), folders = 0;

    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        if (path_join(path, sizeof path, root, entries[i]->d_name, NULL) && kind_of(path) == 'd' &&
            folders++ == 0)
            memcpy(below, path, PATH_MAX);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return folders == 1;
}

static bool find_root(const finder *f, char root[PATH_MAX])
{
    char labs[PATH_MAX], below[PATH_MAX];

    for (int depth = 0; depth <= DEEPEST; depth++) {
        if (holds_files(f, root))
            return true;
        if (path_join(labs, sizeof labs, root, "labs", NULL) && kind_of(labs) == 'd' &&
            holds_files(f, labs)) {
            memcpy(root, labs, PATH_MAX);
            return true;
        }
        if (!only_folder(root, below))
            return false;
        memcpy(root, below, PATH_MAX);
    }
    return false;
}

/* One with another name may be another's work, or a file of whoever grades: no program says which
   of two names was first. Tried again when it has been copied. */
static bool has_another_name(const char *path, const char *file, submission *s)
{
    struct stat facts;

    if (lstat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_nlink == 1)
        return false;
    submission_end(s, SUBMISSION_FAILED,
                   "%s has another name elsewhere (a hard link): grade a copy, made by cp -r",
                   file);
    return true;
}

/* Does the real path of a file lie below that of its submission? */
static bool is_inside(const char *path, const char *folder)
{
    char *inner = realpath(path, NULL), *outer = realpath(folder, NULL);
    const size_t length = outer ? strlen(outer) : 0;
    const bool inside =
        inner && outer && strncmp(inner, outer, length) == 0 && inner[length] == '/';

    free(inner);
    free(outer);
    return inside;
}

/* A waiting submission stays so if each of its files may be read and is its own. */
static void check_files(const finder *f, const char *entry, submission *s)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < f->lab_count && s->outcome == SUBMISSION_WAITING; i++) {
        const int why = look(f, s->source, i, path);
        if (why == ENOENT || why == ENOTDIR)
            continue;
        if (why != 0)
            submission_end(s, SUBMISSION_FAILED, "%s cannot be read: %s", f->labs[i]->file,
                           strerror(why));
        else if (kind_of(path) == 'l' || !is_inside(path, entry))
            submission_end(s, SUBMISSION_EMPTY, "nothing graded: %s is a link and not a file",
                           f->labs[i]->file);
        else if (!has_another_name(path, f->labs[i]->file, s) && access(path, R_OK) != 0)
            submission_end(s, SUBMISSION_FAILED, "%s cannot be read: %s", f->labs[i]->file,
                           strerror(errno));
    }
}

/* ---- one entry ------------------------------------------------------------------------------- */

static void name_archive_in(const char *folder, char *text, size_t room)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_seen, bytewise);

    for (int i = 0; i < count; i++) {
        if (is_archive(entries[i]->d_name))
            snprintf(text, room, "; unpack %s", entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void describe_folder(const finder *f, submission *s)
{
    char entry[PATH_MAX], packed[NAME_MAX + 20] = "", there[300];

    if (access(s->source, R_OK | X_OK) != 0) {
        submission_end(s, SUBMISSION_FAILED, "its folder cannot be read: %s", strerror(errno));
        return;
    }
    memcpy(entry, s->source, sizeof entry);
    finder any = *f;
    options o = *f->o;
    any.by_other_names = true;
    bool found = find_root(f, s->source);
    if (!found) { /* the right names first, wherever they are */
        memcpy(s->source, entry, sizeof entry);
        found = find_root(&any, s->source);
    }
    if (found) {
        check_files(&any, entry, s);
        return;
    }
    name_archive_in(entry, packed, sizeof packed);
    o.src = s->source;
    source_found(&o, f->labs[0], there, sizeof there);
    submission_end(s, SUBMISSION_EMPTY, "nothing to grade: there is no %s%s%s%s",
                   f->lab_count > 1 ? "lab's file" : f->labs[0]->file, there[0] ? ", but " : "",
                   there, packed);
}

/* False for what is no submission. */
static bool describe(const finder *f, submission *s, char kind)
{
    s->outcome = SUBMISSION_WAITING;
    snprintf(s->state, sizeof s->state, "not graded yet");
    if (is_archive(s->entry) && kind != 'd')
        submission_end(s, SUBMISSION_EMPTY, "an archive: unpack it into a folder of its own");
    else if (kind == 'l')
        submission_end(s, SUBMISSION_EMPTY, "a symbolic link, which is not followed");
    else if (kind == 'd')
        describe_folder(f, s);
    else if (!path_has_ending(s->entry, ".cu"))
        return false;
    else if (f->lab_count > 1)
        submission_end(s, SUBMISSION_EMPTY, "a file alone: which lab is it for? (LAB=04)");
    else if (kind != 'f')
        submission_end(s, SUBMISSION_EMPTY, "not an ordinary file");
    else if (!has_another_name(s->source, s->entry, s) && access(s->source, R_OK) != 0)
        submission_end(s, SUBMISSION_FAILED, "it cannot be read: %s", strerror(errno));
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool is_among(const char *name, size_t length, struct dirent *const *entries, int count)
{
    for (int i = 0; i < count; i++)
        if (strlen(entries[i]->d_name) == length && memcmp(entries[i]->d_name, name, length) == 0)
            return true;
    return false;
}

static void pass_over(submission_list *list, const char *name)
{
    char text[48];
    const size_t used = strlen(list->passed);

    submission_printable(name, 40, text, sizeof text);
    if (used + strlen(text) + 3 < sizeof list->passed)
        snprintf(list->passed + used, sizeof list->passed - used, "%s%s", used ? ", " : "", text);
    list->passed_over++;
}

static bool add(const finder *f, struct dirent *const *entries, int count, int i,
                submission_list *list)
{
    submission *s = &list->all[list->count];
    const char *entry = entries[i]->d_name;
    size_t length = strlen(entry);

    memset(s, 0, sizeof *s);
    if (!path_join(s->source, sizeof s->source, f->o->src, entry, NULL))
        submission_end(s, SUBMISSION_FAILED, "its path is too long");
    const char kind = kind_of(s->source);
    if (kind != 'd' && path_has_ending(entry, ".cu") &&
        !is_among(entry, length - strlen(".cu"), entries, count))
        length -= strlen(".cu");
    s->entry = strdup(entry);
    s->name = strndup(entry, length);
    if (!s->entry || !s->name)
        return false;
    if (s->outcome != SUBMISSION_FAILED && !describe(f, s, kind)) {
        pass_over(list, entry);
        free(s->entry);
        free(s->name);
        return true;
    }
    if (!path_join(s->folder, sizeof s->folder, f->out, s->name, NULL))
        submission_end(s, SUBMISSION_FAILED, "the path of its results is too long");
    list->count++;
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const submission *)a)->name, ((const submission *)b)->name);
}

bool submission_find(const options *o, const lab *const *labs, size_t count, const char *out,
                     submission_list *list, base_error *error)
{
    const finder f = { o, labs, count, out, false };
    struct dirent **entries;
    bool fine = true;

    memset(list, 0, sizeof *list);
    if (!file_is_folder(o->src))
        return error_set(error, "SUBMISSIONS=%s: there is no such folder", o->src);
    int found = scandir(o->src, &entries, is_seen, bytewise);
    if (found < 0)
        return error_set(error, "SUBMISSIONS=%s cannot be read: %s", o->src, strerror(errno));
    list->all = calloc((size_t)found + 1, sizeof *list->all);
    for (int i = 0; i < found; i++)
        fine = fine && list->all && add(&f, entries, found, i, list);
    for (int i = 0; i < found; i++)
        free(entries[i]);
    free(entries);
    if (!fine)
        return error_set(error, "no memory for %d submissions", found);
    qsort(list->all, (size_t)list->count, sizeof *list->all, by_name);
    return list->count > 0 || error_set(error,
                                        "SUBMISSIONS=%s holds no submission: a folder for each was "
                                        "expected, as in %s/ada/%s/%s%s",
                                        o->src, o->src, labs[0]->id, labs[0]->file,
                                        count == 1 ? ", or a file, as in ada.cu" : "");
}

void submission_drop(submission_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->all[i].entry);
        free(list->all[i].name);
    }
    free(list->all);
    memset(list, 0, sizeof *list);
}

/* ---- names for people ------------------------------------------------------------------------ */

void submission_printable(const char *name, unsigned columns, char *text, size_t room)
{
    size_t used = 0, cut = 0;
    unsigned shown = 0;

    for (const char *at = name; *at;) {
        bool harmless;
        const size_t size = clean_character(at, &harmless);
        const unsigned wide = harmless ? clean_columns(at, size) : 1;
        if (shown + 3 <= columns)
            cut = used; /* here the dots would begin */
        if (shown + wide > columns || used + size + 4 > room) {
            snprintf(text + (shown + wide > columns ? cut : used), 4, "...");
            return;
        }
        shown += wide;
        if (!harmless || *at == '\n' || *at == '\t') {
            text[used++] = '?';
        } else {
            memcpy(text + used, at, size);
            used += size;
        }
        at += size;
    }
    text[used] = '\0';
}
