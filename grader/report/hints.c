/*
 * hints.c: see hints.h.
 */
#include "hints.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "judge.h"
#include "path.h"
#include "fit.h"
#include "wrap.h"

enum { MARKS_LIMIT = 4096, MARK_ROOM = 140 };

/* How many hints of each part were shown. Of parts that share their hints the first counts. */
typedef struct marks {
    int shown[LAB_MAX_PARTS];
} marks;

/* The part that failed first when this lab was last graded. -1: none did. False: it was not graded
   last. */
static bool find_failed(const lab *l, const char *out, int *failed)
{
    char path[PATH_MAX];
    json_t *all = path_join(path, sizeof path, out, "results.json", NULL)
                      ? json_load_file(path, 0, NULL)
                      : NULL;
    json_t *one, *part;
    size_t i, p;
    bool found = false;

    *failed = -1;
    json_array_foreach(json_object_get(all, "labs"), i, one)
    {
        const char *id = json_string_value(json_object_get(one, "id"));
        if (!id || strcmp(id, l->id) != 0)
            continue;
        found = true;
        json_array_foreach(json_object_get(one, "parts"), p, part)
        {
            const char *verdict = json_string_value(json_object_get(part, "verdict"));
            if (*failed < 0 && p < lab_part_count(l) && verdict && strcmp(verdict, "PASS") != 0 &&
                strcmp(verdict, "NOT_RUN") != 0)
                *failed = (int)p;
        }
    }
    json_decref(all);
    return found;
}

/* The first part with the hints of this one, or with any. */
static unsigned owner_of(const lab *l, int part)
{
    const char *const *hints = part >= 0 ? l->parts[part].hints : NULL;

    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (l->parts[p].hints && (!hints || l->parts[p].hints == hints))
            return p;
    return 0;
}

static void read_marks(const lab *l, const char *path, marks *m)
{
    char *text, entry[MARK_ROOM], *rest = NULL;
    int shown;

    memset(m, 0, sizeof *m);
    if (!file_read(path, MARKS_LIMIT, &text, NULL, NULL))
        return;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        for (unsigned p = 0; p < lab_part_count(l); p++)
            if (sscanf(line, "%139s %d", entry, &shown) == 2 &&
                strcmp(entry, l->parts[p].entry) == 0 && shown > 0 && shown <= LAB_HINTS)
                m->shown[p] = shown;
    free(text);
}

static bool write_marks(const lab *l, const char *path, const marks *m, base_error *error)
{
    char text[LAB_MAX_PARTS * MARK_ROOM] = "";

    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (m->shown[p] > 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%.120s %d\n",
                     l->parts[p].entry, m->shown[p]);
    return file_write(path, text, strlen(text), error);
}

static void print_hint(const lab *l, unsigned part, int level)
{
    static const char *const kinds[LAB_HINTS] = { "a question", "the idea", "the steps" };
    const lab_part *p = &l->parts[part];

    fit_print(stdout, "Lab %.2s, %s: %s. Hint %d of %d, %s:\n\n  ", l->id, l->title,
              judge_part_name(l, p), level, LAB_HINTS, kinds[level - 1]);
    wrap_text(p->hints[level - 1], 2, 2);
}

static bool show_again(const lab *l, const marks *m)
{
    bool any = false;

    for (unsigned p = 0; p < lab_part_count(l); p++)
        for (int level = 1; l->parts[p].hints && level <= m->shown[p]; level++, any = true) {
            printf("%s", any ? "\n" : "");
            print_hint(l, p, level);
        }
    if (!any)
        printf("No hint of this lab was shown yet. The first: make hint LAB=%.*s\n",
               lab_name_length(l), l->id);
    return true;
}

static void tell_why(const lab *l, bool graded, int failed)
{
    if (failed >= 0)
        printf("When it was last graded, %s failed first.\n",
               judge_part_name(l, &l->parts[failed]));
    else if (graded)
        printf("When it was last graded, no part failed.\n");
    else
        fit_print(stdout,
                  "The last grading was not of this lab. For hints about what you have "
                  "written:\n  make grade LAB=%.*s\n",
                  lab_name_length(l), l->id);
}

static void tell_rest(const lab *l, int shown)
{
    const int left = LAB_HINTS - shown;

    if (left > 0)
        printf("\n%d more hint%s: make hint LAB=%.*s\n", left, left == 1 ? "" : "s",
               lab_name_length(l), l->id);
    else
        fit_print(stdout, "\nThat was the last one about this; when another part fails, there "
                          "are others.\n");
    if (shown > 1)
        printf("Those before: make hint LAB=%.*s AGAIN=1\n", lab_name_length(l), l->id);
}

bool hints_show(const lab *l, const char *out, int level, base_error *error)
{
    char folder[PATH_MAX], path[PATH_MAX];
    marks m;
    int failed;

    if (!path_join(folder, sizeof folder, out, "hints", error) ||
        !path_join(path, sizeof path, folder, l->id, error) || !file_make_folders(folder, error))
        return false;
    read_marks(l, path, &m);
    if (level == HINTS_AGAIN)
        return show_again(l, &m);
    const bool graded = find_failed(l, out, &failed);
    const unsigned part = owner_of(l, failed);
    if (level == HINTS_NEXT)
        level = m.shown[part] < LAB_HINTS ? m.shown[part] + 1 : LAB_HINTS;
    tell_why(l, graded, failed);
    print_hint(l, part, level);
    if (level > m.shown[part])
        m.shown[part] = level;
    tell_rest(l, m.shown[part]);
    return write_marks(l, path, &m, error);
}
