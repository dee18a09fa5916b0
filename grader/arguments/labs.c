/*
 * labs.c: see labs.h.
 */
#define _GNU_SOURCE
#include "labs.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "file.h"
#include "fit.h"
#include "judge.h"
#include "kit.h"
#include "result.h"

enum { MAX_NUMBER = 100 };

static int number_of(const char *id)
{
    return isdigit((unsigned char)id[0]) ? (int)strtol(id, NULL, 10) : -1;
}

static bool holds_a_lab(const char *labs, const char *name)
{
    char path[PATH_MAX + 300];
    snprintf(path, sizeof path, "%s/%s/grading/lab.c", labs, name);
    return file_exists(path);
}

/* Does its id begin with a lab's, whose number it shares? */
static bool is_bonus(const char *labs, const char *id)
{
    char lab[128];

    for (const char *at = strchr(id, '_'); at; at = strchr(at + 1, '_')) {
        snprintf(lab, sizeof lab, "%.*s", (int)(at - id), id);
        if (holds_a_lab(labs, lab))
            return true;
    }
    return false;
}

bool labs_check(base_error *error)
{
    char path[PATH_MAX], taken[MAX_NUMBER][128];
    bool fine = true;
    DIR *folder;

    snprintf(path, sizeof path, "%s/labs", SCANLAB_SOURCE_DIR);
    folder = opendir(path);
    if (!folder)
        return error_set(error,
                         "the folder %s cannot be read; the kit was moved or is incomplete: build "
                         "it again from a fresh clone",
                         path);
    memset(taken, 0, sizeof taken);
    for (struct dirent *entry; fine && (entry = readdir(folder));) {
        int number = number_of(entry->d_name);
        if (number < 0 || number >= MAX_NUMBER || !holds_a_lab(path, entry->d_name) ||
            is_bonus(path, entry->d_name))
            continue;
        if (taken[number][0])
            fine = error_set(
                error,
                "two labs have the number %02d: labs/%s and labs/%s; rename one of the folders",
                number, taken[number], entry->d_name);
        snprintf(taken[number], sizeof taken[number], "%.127s", entry->d_name);
    }
    closedir(folder);
    return fine;
}

/* The last component, without a slash at the end. */
static void bare_name(const char *typed, char *name, size_t room)
{
    size_t end = strlen(typed), begin;

    while (end > 1 && typed[end - 1] == '/')
        end--;
    begin = end;
    while (begin > 0 && typed[begin - 1] != '/')
        begin--;
    snprintf(name, room, "%.*s", (int)(end - begin), typed + begin);
}

static bool is_meant(const lab *l, const char *name)
{
    const char *slug = strchr(l->id, '_');
    bool all_digits = name[0] && strspn(name, "0123456789") == strlen(name);

    return strcmp(l->id, name) == 0 || (slug && strcmp(slug + 1, name) == 0) ||
           strcmp(l->file, name) == 0 || (all_digits && number_of(l->id) == number_of(name));
}

/* A lab's folder that has lost its declaration, which the build therefore did not find. */
static bool lost_declaration(const char *name, char lost[NAME_MAX + 1])
{
    char path[PATH_MAX];
    bool found = false;
    DIR *folder;

    snprintf(path, sizeof path, "%s/labs", SCANLAB_SOURCE_DIR);
    folder = opendir(path);
    for (struct dirent *entry; folder && !found && (entry = readdir(folder));) {
        const char *slug = strchr(entry->d_name, '_');
        const bool digits = name[0] && name[strspn(name, "0123456789")] == '\0';
        found = number_of(entry->d_name) >= 0 && slug && !holds_a_lab(path, entry->d_name) &&
                (strcmp(entry->d_name, name) == 0 || strcmp(slug + 1, name) == 0 ||
                 (digits && number_of(entry->d_name) == number_of(name)));
        if (found)
            snprintf(lost, NAME_MAX + 1, "%s", entry->d_name);
    }
    if (folder)
        closedir(folder);
    return found;
}

enum { COLUMN = 32 };

const lab *labs_find(const char *name, base_error *error)
{
    char bare[256], list[1200] = "", lost[NAME_MAX + 1];
    char path[NAME_MAX + 30], restore[2 * NAME_MAX];

    bare_name(name, bare, sizeof bare);
    for (size_t i = 0; i < lab_table_length; i++)
        if (is_meant(lab_table[i], bare))
            return lab_table[i];
    if (lost_declaration(bare, lost)) {
        snprintf(path, sizeof path, "labs/%s/grading/lab.c", lost);
        kit_restore(path, restore, sizeof restore);
        error_set(error, "%s is missing, and it says what the lab asks for; restore it:\n  %s",
                  path, restore);
        return NULL;
    }
    for (size_t i = 0; i < lab_table_length; i++) { /* in two columns */
        const size_t used = strlen(list);
        const int left = i % 2 ? COLUMN - (int)strlen(lab_table[i - 1]->id) : 0;
        snprintf(list + used, sizeof list - used, "%s%*s%s", i % 2 ? "" : "\n  ", left, "",
                 lab_table[i]->id);
    }
    error_set(error, "there is no lab \"%s\"; by number or name, there are:%s", name, list);
    return NULL;
}

/* ---- several --------------------------------------------------------------------------------- */

static size_t index_of(const lab *l)
{
    size_t i = 0;

    while (lab_table[i] != l)
        i++;
    return i;
}

/* "01-06" as two numbers; no name of a lab looks like that. */
static bool is_range(const char *word, int *from, int *to)
{
    char end;
    return sscanf(word, "%2d-%2d%c", from, to, &end) == 2 && *from >= 0 && *to >= 0;
}

static bool take_range(const char *word, int from, int to, bool *taken, base_error *error)
{
    bool any = false;

    if (from > to)
        return error_set(error, "LAB=%s: from the smaller number to the larger, as in LAB=01-06",
                         word);
    for (size_t i = 0; i < lab_table_length; i++)
        if (!lab_table[i]->bonus && number_of(lab_table[i]->id) >= from &&
            number_of(lab_table[i]->id) <= to)
            any = taken[i] = true;
    return any || error_set(error, "LAB=%s: there are no labs with these numbers; the last is %.2s",
                            word, lab_table[lab_table_length - 1]->id);
}

size_t labs_find_all(const char *names, const lab **labs, size_t room, base_error *error)
{
    char words[1000], *rest = words;
    bool taken[MAX_NUMBER * 2] = { false };
    size_t count = 0;
    int from, to;

    if ((size_t)snprintf(words, sizeof words, "%s", names) >= sizeof words) {
        error_set(error, "LAB names too many labs: write a range, as in LAB=01-06");
        return 0;
    }
    if (words[strspn(words, ", \t")] == '\0' && !labs_find(names, error))
        return 0;
    for (char *word; (word = strsep(&rest, ", \t"));) {
        const lab *one = NULL;
        if (*word == '\0')
            continue;
        if (is_range(word, &from, &to) ? !take_range(word, from, to, taken, error)
                                       : !(one = labs_find(word, error)))
            return 0;
        if (one)
            taken[index_of(one)] = true;
    }
    for (size_t i = 0; i < lab_table_length && i < sizeof taken && count < room; i++)
        if (taken[i])
            labs[count++] = lab_table[i];
    return count;
}

static void print_part(const lab *l, const lab_part *part)
{
    size_t sizes[JUDGE_MAX_SIZES], count = judge_sizes(l, part, sizes);
    int column = 11;

    fit_print(stdout, "    %s, %d points: %s\n        n =", judge_part_name(l, part), part->points,
              part->title);
    for (size_t i = 0; i < count; i++) {
        if (column > 50) {
            printf("\n           ");
            column = 11;
        }
        column += printf(" %zu", sizes[i]);
    }
    printf("\n");
}

void labs_print(void)
{
    for (size_t i = 0; i < lab_table_length; i++) {
        const lab *l = lab_table[i];
        fit_print(stdout, "%s  %s  (edit labs/%s/%s)\n", l->id, l->title, l->id, l->file);
        for (unsigned p = 0; p < lab_part_count(l); p++)
            print_part(l, &l->parts[p]);
    }
}

size_t labs_count(void)
{
    size_t count = 0;

    for (size_t i = 0; i < lab_table_length; i++)
        count += !lab_table[i]->bonus;
    return count;
}

int labs_last(void) { return number_of(lab_table[lab_table_length - 1]->id); }

bool labs_have_bonus(void) { return labs_count() < lab_table_length; }

const lab *labs_after(const lab *l)
{
    for (size_t i = 0; i < lab_table_length; i++)
        if (!lab_table[i]->bonus && strncmp(lab_table[i]->id, l->id, 2) > 0)
            return lab_table[i];
    return NULL;
}
