/*
 * submission.c: see submission.h.
 */
#define _GNU_SOURCE
#include "submission.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "class_shard.h"
#include "clean.h"
#include "file.h"
#include "path.h"
#include "source.h"
#include "status_line.h"
#include "submission_gather.h"
#include "submission_owner.h"
#include "unpacked.h"

enum {
    DEEPEST = 4,
    DEEPEST_APART = 8,
    MOST_FOLDERS = 300,
    MOST_APART = 40,
    NAMED = 5,
    NAMES_ROOM = 1 << 14
};

/* A name of a file that has several, or all of its names in the class. */
typedef struct linked {
    dev_t device;
    ino_t file;
    nlink_t names;
} linked;

typedef struct links { /* by device and file */
    linked *all;
    size_t count;
    bool known, failed; /* the folder has been walked; and not all of it could be kept */
} links;

typedef struct finder {
    const options *o;
    const lab *const *labs;
    size_t lab_count;
    const char *out;
    bool by_other_names; /* files whose names are not the labs' count, too */
    links *links;        /* walked once, when the first of them is met */
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

/* Archives that are not unpacked. */
static bool is_other_archive(const char *name)
{
    static const char *const endings[] = { ".rar", ".gz", ".xz", ".bz2", ".zst", ".Z" };

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (path_has_ending(name, endings[i]))
            return true;
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

static int by_file(const void *a, const void *b)
{
    const linked *x = a, *y = b;

    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

/* False: no memory. */
static bool add_link(links *l, const struct stat *file)
{
    if ((l->count & (l->count - 1)) == 0) { /* 0 or a power of 2: it is full */
        linked *const more = realloc(l->all, (l->count ? 2 * l->count : 1) * sizeof *more);
        if (!more)
            return false;
        l->all = more;
    }
    l->all[l->count++] = (linked){ file->st_dev, file->st_ino, 1 };
    return true;
}

/* Of all files in the class's folder that have several names, how many of these are there. */
static void walk_links(const finder *f)
{
    char *const top[] = { (char *)f->o->src, NULL };
    FTS *all = fts_open(top, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    links *l = f->links;
    size_t kept = 0;

    l->known = true;
    l->failed = !all;
    for (FTSENT *at; all && (at = fts_read(all));)
        if (at->fts_info == FTS_F && at->fts_statp->st_nlink > 1 && !add_link(l, at->fts_statp))
            l->failed = true;
    if (all)
        fts_close(all);
    if (l->count)
        qsort(l->all, l->count, sizeof *l->all, by_file);
    for (size_t i = 0; i < l->count; i++)
        if (kept > 0 && by_file(&l->all[kept - 1], &l->all[i]) == 0)
            l->all[kept - 1].names++;
        else
            l->all[kept++] = l->all[i];
    l->count = kept;
}

/* The names of that file in the class's folder, all of them; 0: it has one elsewhere as well. */
static unsigned names_in_class(const finder *f, const struct stat *file)
{
    const linked wanted = { .device = file->st_dev, .file = file->st_ino };
    links *l = f->links;

    if (!l->known)
        walk_links(f);
    const linked *found =
        l->count && !l->failed ? bsearch(&wanted, l->all, l->count, sizeof *l->all, by_file) : NULL;
    return found && found->names == file->st_nlink ? (unsigned)found->names : 0;
}

/* How many names the file has: one that lies elsewhere may be that of a file of whoever grades,
   which an archive's unpacking linked in. Where all are in the class, nothing is told that was not
   handed in: each is graded. 0: the submission says why not; tried again when it has been
   copied. */
static unsigned count_names(const finder *f, const char *path, const char *file, submission *s)
{
    struct stat facts;

    if (lstat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_nlink == 1)
        return 1;
    const unsigned names = names_in_class(f, &facts);
    if (!names)
        submission_end(s, SUBMISSION_FAILED,
                       "%s has another name elsewhere (a hard link): grade a copy, made by cp -r",
                       file);
    return names;
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

static bool gather(const char *prefix, const gather_part *parts, unsigned count, submission *s,
                   char *others, size_t room);

/* Its labs' files, of which some have several names, in a folder where each has one. */
static void copy_linked(const finder *f, submission *s)
{
    gather_part *const parts = calloc(GATHER_PARTS, sizeof *parts);
    char path[PATH_MAX], others[8];
    unsigned count = 0;

    for (size_t i = 0; parts && i < f->lab_count && count < GATHER_PARTS; i++) {
        if (look(f, s->source, i, path) != 0)
            continue;
        memcpy(parts[count].path, path, sizeof path);
        parts[count].names = count_names(f, path, f->labs[i]->file, s);
        parts[count++].name = f->labs[i]->file;
    }
    if (count > 0 && s->outcome == SUBMISSION_WAITING)
        gather(GATHER_TOGETHER, parts, count, s, others, sizeof others);
    free(parts);
}

/* A waiting submission stays so if each of its files may be read and is its own. */
static void check_files(const finder *f, const char *entry, submission *s)
{
    char path[PATH_MAX];
    unsigned names = 1;
    bool linked = false;

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
        else if ((names = count_names(f, path, f->labs[i]->file, s)) && access(path, R_OK) != 0)
            submission_end(s, SUBMISSION_FAILED, "%s cannot be read: %s", f->labs[i]->file,
                           strerror(errno));
        linked = linked || names > 1;
    }
    if (linked && s->outcome == SUBMISSION_WAITING)
        copy_linked(f, s);
}

/* ---- what there is, for people --------------------------------------------------------------- */

/* Files of the folder that are no .cu: "a.pdf, b.cpp and 3 more". */
static void name_others(const char *folder, char *list, size_t room)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_seen, bytewise);
    unsigned named = 0, others = 0;

    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        if (!unpacked_is_source(entries[i]->d_name) &&
            path_join(path, sizeof path, folder, entries[i]->d_name, NULL) &&
            kind_of(path) != 'd' && others++ < NAMED) {
            submission_add_name(list, room, entries[i]->d_name);
            named++;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (others > named)
        snprintf(list + strlen(list), room - strlen(list), " and %u more", others - named);
}

/* The submission has no lab's file; others: what an archive has besides, "" for nothing. */
static void end_without_file(const finder *f, submission *s, const char *others)
{
    char there[300], path[PATH_MAX];
    options o = *f->o;

    o.src = s->source;
    if (f->lab_count == 1 && path_join(path, sizeof path, s->source, f->labs[0]->file, NULL) &&
        kind_of(path) == 'l') { /* one that leads nowhere */
        submission_end(s, SUBMISSION_EMPTY, "nothing graded: %s is a link and not a file",
                       f->labs[0]->file);
        return;
    }
    source_found(&o, f->labs[0], there, sizeof there);
    if (*others)
        submission_add_name(there, sizeof there, others);
    else
        name_others(s->source, there, sizeof there);
    submission_end(s, SUBMISSION_EMPTY, "nothing to grade: there is no %s%s%s",
                   f->lab_count > 1 ? "lab's file" : f->labs[0]->file, there[0] ? ", but " : "",
                   there);
}

/* ---- gathered files -------------------------------------------------------------------------- */

/* source: the folder that it has become. False: the submission says why. */
static bool gather(const char *prefix, const gather_part *parts, unsigned count, submission *s,
                   char *others, size_t room)
{
    base_error error = { "" };
    const unpack_end end =
        submission_gather(s->folder, prefix, parts, count, s->source, others, room, &error);

    if (end != UNPACK_DONE)
        submission_end(s, end == UNPACK_REFUSED ? SUBMISSION_EMPTY : SUBMISSION_FAILED, "%s",
                       error.text);
    return end == UNPACK_DONE;
}

/* The archives in the folder, and in the only folder that it has, and so on. */
static unsigned find_archives(const char *folder, gather_part *parts, char *names, size_t room)
{
    char at[PATH_MAX], below[PATH_MAX];
    unsigned count = 0;
    size_t used = 0;

    snprintf(at, sizeof at, "%s", folder);
    for (int depth = 0; depth <= DEEPEST && count == 0; depth++) {
        struct dirent **entries;
        const int found = scandir(at, &entries, is_seen, bytewise);
        for (int i = 0; i < found; i++) {
            const char *const name = entries[i]->d_name;
            const size_t length = strlen(name) + 1;
            if (unpacked_stem(name) && count < GATHER_PARTS && used + length <= room &&
                path_join(parts[count].path, PATH_MAX, at, name, NULL) &&
                kind_of(parts[count].path) == 'f') {
                parts[count++].name = memcpy(names + used, name, length);
                used += length;
            }
            free(entries[i]);
        }
        if (found >= 0)
            free(entries);
        if (!only_folder(at, below))
            break;
        memcpy(at, below, sizeof at);
    }
    return count;
}

/* ---- folders that lie apart ------------------------------------------------------------------ */

typedef struct search {
    const finder *f;
    char (*found)[PATH_MAX]; /* folders that hold a lab's file: MOST_APART */
    unsigned count, seen;
} search;

static void look_below(search *s, const char *folder, int depth)
{
    struct dirent **entries;

    if (s->seen++ >= MOST_FOLDERS || depth > DEEPEST_APART || s->count == MOST_APART)
        return;
    if (holds_files(s->f, folder))
        snprintf(s->found[s->count++], PATH_MAX, "%s", folder);
    const int count = scandir(folder, &entries, is_seen, bytewise);
    for (int i = 0; i < count; i++) {
        char below[PATH_MAX];
        if (path_join(below, sizeof below, folder, entries[i]->d_name, NULL) &&
            kind_of(below) == 'd')
            look_below(s, below, depth + 1);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* Each lab's file, and where it is. False where a lab has two: the submission says so. */
static bool choose(const search *all, const char *root, gather_part *parts, unsigned *count,
                   submission *s)
{
    const size_t length = strlen(root);
    char path[PATH_MAX];

    for (size_t l = 0; l < all->f->lab_count; l++) {
        const char *first = NULL;
        for (unsigned i = 0; i < all->count; i++) {
            if (look(all->f, all->found[i], l, path) != 0)
                continue;
            if (first) {
                submission_end(s, SUBMISSION_EMPTY,
                               "nothing graded: there are two files of %s, in %.80s and in %.80s; "
                               "which one?",
                               all->f->labs[l]->file, first[length] ? first + length + 1 : ".",
                               all->found[i] + length + 1);
                return false;
            }
            first = all->found[i];
            if (*count < GATHER_PARTS) {
                memcpy(parts[*count].path, path, sizeof path);
                parts[*count].names = count_names(all->f, path, all->f->labs[l]->file, s);
                if (!parts[*count].names)
                    return false;
                parts[(*count)++].name = all->f->labs[l]->file;
            }
        }
    }
    return true;
}

/* root: the only folder below it that holds a lab's file, or one with those of all folders. False:
   there is none, or the submission says more. */
static bool find_apart(const finder *f, char root[PATH_MAX], submission *s)
{
    search all = { .f = f, .found = calloc(MOST_APART, sizeof *all.found) };
    gather_part *const parts = calloc(GATHER_PARTS, sizeof *parts);
    char others[8];
    unsigned count = 0;
    bool found = false;

    if (all.found && parts) {
        look_below(&all, root, 0);
        found = all.count == 1;
        if (found)
            memcpy(root, all.found[0], PATH_MAX);
        else if (all.count > 1 && choose(&all, root, parts, &count, s))
            found = gather(GATHER_TOGETHER, parts, count, s, others, sizeof others);
    }
    free(all.found);
    free(parts);
    return found;
}

/* ---- one submission -------------------------------------------------------------------------- */

/* The right names first, wherever they are. False: there is nothing, and nothing is said of it. */
static bool find_in(const finder *f, const char *entry, submission *s)
{
    finder any = *f;

    any.by_other_names = true;
    for (int tries = 0; tries < 4 && s->outcome == SUBMISSION_WAITING; tries++) {
        const finder *const by = tries < 2 ? f : &any;
        const bool apart = tries % 2;
        snprintf(s->source, sizeof s->source, "%s", entry);
        if (apart ? find_apart(by, s->source, s) : find_root(by, s->source)) {
            /* what was gathered lies elsewhere */
            check_files(&any, strncmp(s->source, entry, strlen(entry)) == 0 ? entry : s->source, s);
            return true;
        }
    }
    return s->outcome != SUBMISSION_WAITING;
}

static void describe_gathered(const finder *f, gather_part *parts, unsigned count, submission *s)
{
    char others[300], entry[PATH_MAX];

    for (unsigned i = 0; i < count; i++)
        if (!(parts[i].names = count_names(f, parts[i].path, parts[i].name, s)))
            return;
    if (!gather(GATHER_HANDED_IN, parts, count, s, others, sizeof others))
        return;
    memcpy(entry, s->source, sizeof entry);
    if (!find_in(f, entry, s)) {
        memcpy(s->source, entry, sizeof entry);
        end_without_file(f, s, others);
    }
}

static void describe_folder(const finder *f, submission *s)
{
    char entry[PATH_MAX];

    if (access(s->source, R_OK | X_OK) != 0) {
        submission_end(s, SUBMISSION_FAILED, "its folder cannot be read: %s", strerror(errno));
        return;
    }
    memcpy(entry, s->source, sizeof entry);
    if (find_in(f, entry, s))
        return;
    gather_part *const parts = calloc(GATHER_PARTS, sizeof *parts);
    char *const names = malloc(NAMES_ROOM);
    const unsigned count = parts && names ? find_archives(entry, parts, names, NAMES_ROOM) : 0;
    if (count)
        describe_gathered(f, parts, count, s);
    else
        end_without_file(f, s, "");
    free(parts);
    free(names);
}

/* Several entries of one owner, or one that is to be gathered. */
static void describe_files(const finder *f, submission *s)
{
    gather_part *const parts = calloc(GATHER_PARTS, sizeof *parts);
    char folder[PATH_MAX] = "", others[300] = "";
    unsigned count = 0, links = 0;
    submission_owner owner;

    for (unsigned i = 0; parts && i < s->entry_count; i++) {
        const char *const entry = s->entries[i];
        const bool owned = submission_owner_of(entry, &owner);
        const char *const name = owned && *owner.file ? owner.file : entry;
        char path[PATH_MAX];
        const char kind =
            path_join(path, sizeof path, f->o->src, entry, NULL) ? kind_of(path) : ' ';
        if (kind == 'd' && !(owned && owner.text))
            memcpy(folder, path, sizeof folder);
        else if (kind == 'f' && count < GATHER_PARTS &&
                 (unpacked_is_source(name) || unpacked_stem(name))) {
            memcpy(parts[count].path, path, sizeof path);
            parts[count++].name = name;
        } else if (kind != 'd') {
            links += kind == 'l';
            submission_add_name(others, sizeof others, name);
        }
    }
    if (count)
        describe_gathered(f, parts, count, s);
    else if (folder[0]) {
        memcpy(s->source, folder, sizeof folder);
        describe_folder(f, s);
    } else
        submission_end(s, SUBMISSION_EMPTY,
                       links ? "a symbolic link, which is not followed: %s"
                             : "nothing to grade: there is no .cu file and no archive, but %s",
                       others[0] ? others : "a folder of what was typed into the page");
    free(parts);
}

/* A file of the only lab. */
static void describe_file(const finder *f, const char *entry, submission *s)
{
    const unsigned names = count_names(f, s->source, entry, s);

    if (names && access(s->source, R_OK) != 0) {
        submission_end(s, SUBMISSION_FAILED, "it cannot be read: %s", strerror(errno));
        return;
    }
    gather_part *const part = names > 1 ? calloc(1, sizeof *part) : NULL;
    if (!part)
        return;
    memcpy(part->path, s->source, PATH_MAX);
    part->name = entry;
    describe_gathered(f, part, 1, s);
    free(part);
}

static void describe(const finder *f, submission *s)
{
    const char *const entry = s->entries[0];

    s->outcome = SUBMISSION_WAITING;
    snprintf(s->state, sizeof s->state, "not graded yet");
    if (!path_join(s->source, sizeof s->source, f->o->src, entry, NULL) ||
        !path_join(s->folder, sizeof s->folder, f->out, s->name, NULL)) {
        submission_end(s, SUBMISSION_FAILED, "its path is too long");
        return;
    }
    const char kind = kind_of(s->source);
    if (kind == 'l')
        submission_end(s, SUBMISSION_EMPTY, "a symbolic link, which is not followed");
    else if (s->id || (unpacked_stem(entry) && kind == 'f'))
        describe_files(f, s);
    else if (kind == 'd')
        describe_folder(f, s);
    else if (is_other_archive(entry))
        submission_end(s, SUBMISSION_EMPTY,
                       "an archive of a kind that is not unpacked here: unpack it into a folder of "
                       "its own");
    else if (kind != 'f')
        submission_end(s, SUBMISSION_EMPTY, "not an ordinary file");
    else if (f->lab_count > 1)
        submission_end(s, SUBMISSION_EMPTY, "a file alone: which lab is it for? (LAB=04)");
    else
        describe_file(f, entry, s);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool is_submission(const char *entry, char kind)
{
    submission_owner owner;

    return kind == 'd' || kind == 'l' || unpacked_stem(entry) || is_other_archive(entry) ||
           path_has_ending(entry, ".cu") || submission_owner_of(entry, &owner);
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

/* Bytes of a name without its ending; a folder has none. */
static size_t stem_of(const char *entry, char kind)
{
    const size_t stem = kind == 'd' ? 0 : unpacked_stem(entry);

    if (stem == 0 && kind != 'd' && path_has_ending(entry, ".cu"))
        return strlen(entry) - strlen(".cu");
    return stem ? stem : strlen(entry);
}

/* Could one of the entries have that name as well? */
static bool is_taken(const char *name, size_t length, struct dirent *const *entries, int count,
                     int but)
{
    for (int i = 0; i < count; i++) {
        const char *const other = entries[i]->d_name;
        const size_t ending = strlen(other) > length ? strlen(other) - length : 0;
        if (i != but && strncmp(other, name, length) == 0 &&
            (ending == 0 || stem_of(other, 'f') == length))
            return true;
    }
    return false;
}

static bool add_entry(submission *s, const char *entry)
{
    char **const more = realloc(s->entries, (s->entry_count + 1) * sizeof *more);

    if (!more)
        return false;
    s->entries = more;
    more[s->entry_count] = strdup(entry);
    return more[s->entry_count++] != NULL;
}

static submission *of_owner(submission_list *list, const submission_owner *owner)
{
    for (int i = list->count - 1; i >= 0; i--) {
        submission *const s = &list->all[i];
        if (s->id && strcmp(s->id, owner->id) == 0 && strcmp(s->person, owner->name) == 0)
            return s;
    }
    return NULL;
}

static bool add(const finder *f, struct dirent *const *entries, int count, int i,
                submission_list *list)
{
    const char *const entry = entries[i]->d_name;
    char path[PATH_MAX], name[NAME_MAX + sizeof((submission_owner *)NULL)->id + 2];
    submission_owner owner;
    const bool owned = submission_owner_of(entry, &owner);
    submission *s = owned ? of_owner(list, &owner) : NULL;

    if (s)
        return add_entry(s, entry);
    const char kind = path_join(path, sizeof path, f->o->src, entry, NULL) ? kind_of(path) : ' ';
    if (!is_submission(entry, kind)) {
        pass_over(list, entry);
        return true;
    }
    s = &list->all[list->count++];
    memset(s, 0, sizeof *s);
    size_t length = stem_of(entry, kind);
    snprintf(name, sizeof name, "%s", entry);
    if (owned) {
        length = (size_t)snprintf(name, sizeof name, "%s_%s", owner.name, owner.id);
        s->person = strdup(owner.name);
        s->id = strdup(owner.id);
    }
    if (is_taken(name, length, entries, count, i))
        s->name = strdup(entry);
    else
        s->name = strndup(name, length);
    return s->name && (!owned || (s->person && s->id)) && add_entry(s, entry);
}

static void drop_one(submission *s)
{
    for (unsigned k = 0; k < s->entry_count; k++)
        free(s->entries[k]);
    free(s->entries);
    free(s->name);
    free(s->person);
    free(s->id);
}

/* Of a shard, its own: the others are not unpacked. */
static void keep_share(const options *o, submission_list *list)
{
    int kept = 0;

    for (int i = 0; i < list->count; i++)
        if (o->shards == 0 || shard_of(list->all[i].name, o->shards) == o->shard)
            list->all[kept++] = list->all[i];
        else
            drop_one(&list->all[i]);
    list->count = kept;
}

/* Unpacking takes a while. */
static void describe_all(const finder *f, submission_list *list)
{
    time_t said = time(NULL);

    for (int i = 0; i < list->count; i++) {
        if (time(NULL) != said)
            status_line_show(stderr, "looking at submission %d of %d, %s", i + 1, list->count,
                             list->all[i].name);
        said = time(NULL);
        describe(f, &list->all[i]);
    }
    status_line_clear();
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const submission *)a)->name, ((const submission *)b)->name);
}

bool submission_find(const options *o, const lab *const *labs, size_t count, const char *out,
                     submission_list *list, base_error *error)
{
    links several = { .known = false };
    const finder f = { o, labs, count, out, false, &several };
    struct dirent **entries;
    bool fine = true;

    memset(list, 0, sizeof *list);
    if (!file_is_folder(o->src))
        return error_set(error,
                         file_exists(o->src)
                             ? "SUBMISSIONS=%s is a file: unpack it once, and name its folder"
                             : "SUBMISSIONS=%s: there is no such folder",
                         o->src);
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
    list->found = list->count;
    keep_share(o, list);
    describe_all(&f, list);
    free(several.all);
    qsort(list->all, (size_t)list->count, sizeof *list->all, by_name);
    return list->found > 0 || error_set(error,
                                        "SUBMISSIONS=%s holds no submission: a folder for each was "
                                        "expected, as in %s/ada/%s/%s%s",
                                        o->src, o->src, labs[0]->id, labs[0]->file,
                                        count == 1 ? ", or a file, as in ada.cu" : "");
}

void submission_drop(submission_list *list)
{
    for (int i = 0; i < list->count; i++)
        drop_one(&list->all[i]);
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
