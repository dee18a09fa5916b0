/*
 * source.c: see source.h.
 */
#define _GNU_SOURCE
#include "source.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "clean.h"
#include "config.h"
#include "file.h"
#include "path.h"

enum { NAMED = 5 }; /* of the files found */

static bool kit_folder(const char *src)
{
    return strcmp(src, "labs") == 0 || strcmp(src, "solutions") == 0;
}

/* ---- files under another name ---------------------------------------------------------------- */

/* Not what systems leave beside: ._hillis_steele.cu */
static int is_cu(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 3 &&
           strcasecmp(entry->d_name + length - 3, ".cu") == 0;
}

/* Letters and digits alone, small: "Hillis-Steele (1).cu" is "hillissteele1cu". */
static void bare(const char *name, char *text, size_t room)
{
    size_t used = 0;
    for (; *name && used + 1 < room; name++)
        if (isalnum((unsigned char)*name))
            text[used++] = (char)tolower((unsigned char)*name);
    text[used] = '\0';
}

/* Does the name say that it is the lab's file? "hillis_steele (1).cu", "Hillis_Steele_final.cu" */
static bool is_named_for(const char *name, const lab *l)
{
    char mine[NAME_MAX + 1], wanted[NAME_MAX + 1];

    bare(name, mine, sizeof mine);
    bare(l->file, wanted, sizeof wanted);
    wanted[strlen(wanted) - strlen("cu")] = '\0';
    return strstr(mine, wanted) != NULL;
}

/* The one file in the folder that is named for the lab; where the folder is the lab's alone, also
   the only one that there is. */
static bool other_file(const char *folder, const lab *l, bool alone, char path[PATH_MAX])
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_cu, alphasort), named = 0;
    const char *meant = NULL;

    for (int i = 0; i < count; i++)
        if (is_named_for(entries[i]->d_name, l) && named++ == 0)
            meant = entries[i]->d_name;
    if (named == 0 && alone && count == 1)
        meant = entries[0]->d_name;
    const bool one = meant && named <= 1 && path_join(path, PATH_MAX, folder, meant, NULL);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    if (count >= 0)
        free(entries);
    return one;
}

static void add_names(const char *folder, char *list, size_t room, int *listed)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_cu, alphasort);

    for (int i = 0; i < count; i++) {
        const size_t used = strlen(list);
        if ((*listed)++ < NAMED)
            snprintf(list + used, room - used, "%s%s", used ? ", " : "", entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    clean_line(list); /* a student chose the names */
}

/* ---- where the file is ----------------------------------------------------------------------- */

static bool folders_of(const options *o, const lab *l, char root[PATH_MAX], char folder[PATH_MAX],
                       base_error *error)
{
    return path_join(root, PATH_MAX, kit_folder(o->src) ? SCANLAB_SOURCE_DIR : "", o->src, error) &&
           path_join(folder, PATH_MAX, root, l->id, error);
}

bool source_path(const options *o, const lab *l, char path[PATH_MAX], base_error *error)
{
    char root[PATH_MAX], folder[PATH_MAX], beside[PATH_MAX], other[PATH_MAX];

    if (!folders_of(o, l, root, folder, error) ||
        !path_join(path, PATH_MAX, folder, l->file, error) ||
        !path_join(beside, sizeof beside, root, l->file, error))
        return false;
    if (file_exists(root) && !file_is_folder(root))
        memcpy(path, root, PATH_MAX);
    else if (!file_exists(path) && file_exists(beside))
        memcpy(path, beside, PATH_MAX);
    else if (!file_exists(path) &&
             (other_file(folder, l, true, other) || other_file(root, l, o->one_lab, other)))
        memcpy(path, other, PATH_MAX);
    return true;
}

bool source_is_other(const options *o, const lab *l, const char *path)
{
    char root[PATH_MAX], folder[PATH_MAX];
    return strcmp(path_name(path), l->file) != 0 && folders_of(o, l, root, folder, NULL) &&
           file_is_folder(root) && file_exists(path);
}

void source_found(const options *o, const lab *l, char *list, size_t room)
{
    char root[PATH_MAX], folder[PATH_MAX];
    int listed = 0;

    list[0] = '\0';
    if (!folders_of(o, l, root, folder, NULL))
        return;
    add_names(folder, list, room, &listed);
    add_names(root, list, room, &listed);
    if (listed > NAMED)
        snprintf(list + strlen(list), room - strlen(list), " and %d more", listed - NAMED);
}
