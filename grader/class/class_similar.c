/* class_similar.c: see class_similar.h. */
#define _GNU_SOURCE
#include "class_similar.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "class_table.h"
#include "config.h"
#include "encoding.h"
#include "file.h"
#include "fit.h"
#include "path.h"
#include "similar.h"
#include "source.h"
#include "starter.h"
#include "status_line.h"

enum { GIVEN = 32 };

static const char solutions_name[] = "(the kit's solution)";

typedef struct texts { /* of one lab */
    similar_text *all;
    const char **names; /* of the submissions */
    size_t count;
    unsigned too_large;
} texts;

typedef struct given { /* what everybody has */
    similar_text all[GIVEN];
    size_t count;
} given;

/* ---- reading --------------------------------------------------------------------------------- */

static void add_given(given *g, char *text)
{
    if (text && g->count < GIVEN)
        g->all[g->count++] = (similar_text){ text, strlen(text) };
    else
        free(text);
}

static void read_given(const lab *l, given *g)
{
    char pattern[PATH_MAX], *text;
    glob_t found;

    g->count = 0;
    add_given(g, starter_text(SCANLAB_SOURCE_DIR, l));
    if (g->count == 0 && /* then as it is */
        snprintf(pattern, sizeof pattern, SCANLAB_SOURCE_DIR "/labs/%s/%s", l->id, l->file) > 0 &&
        file_read(pattern, BUILD_SOURCE_LIMIT, &text, NULL, NULL))
        add_given(g, text);
    snprintf(pattern, sizeof pattern, SCANLAB_SOURCE_DIR "/labs/%s/*.h", l->id);
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (file_read(found.gl_pathv[i], BUILD_SOURCE_LIMIT, &text, NULL, NULL))
            add_given(g, text);
    globfree(&found);
}

static void add_text(texts *t, const char *path, const char *name)
{
    char *text;
    size_t size;

    if (!file_read_alone(path, BUILD_SOURCE_LIMIT, &text, &size, NULL))
        return;
    if (size > CLASS_SIMILAR_FILE) {
        t->too_large++;
        free(text);
        return;
    }
    encoding_convert(&text, &size);
    t->all[t->count] = (similar_text){ text, size };
    t->names[t->count++] = name;
}

static bool read_texts(const options *o, const lab *l, const submission_list *list, texts *t)
{
    const size_t room = (size_t)list->count + 1;
    char path[PATH_MAX];
    options own = *o;

    t->all = calloc(room, sizeof *t->all);
    t->names = calloc(room, sizeof *t->names);
    if (!t->all || !t->names)
        return false;
    snprintf(path, sizeof path, SCANLAB_SOURCE_DIR "/solutions/%s/%s", l->id, l->file);
    add_text(t, path, solutions_name);
    for (int i = 0; i < list->count; i++) {
        own.src = list->all[i].source;
        if (list->all[i].outcome != SUBMISSION_EMPTY && source_path(&own, l, path, NULL))
            add_text(t, path, list->all[i].name);
    }
    return true;
}

static void drop(texts *t, given *g)
{
    for (size_t i = 0; i < t->count; i++)
        free((char *)(uintptr_t)t->all[i].text);
    for (size_t i = 0; i < g->count; i++)
        free((char *)(uintptr_t)g->all[i].text);
    free(t->all);
    free(t->names);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void put_pair(FILE *f, const lab *l, const texts *t, const similar_pair *pair)
{
    fprintf(f, "%s,", l->id);
    class_table_cell(f, t->names[pair->first]);
    putc(',', f);
    class_table_cell(f, t->names[pair->second]);
    fprintf(f, ",%s,%u,%u to %u,%u to %u\n", similar_kind_name(pair->kind), pair->percent,
            pair->lines[0][0], pair->lines[0][1], pair->lines[1][0], pair->lines[1][1]);
}

static bool compare_lab(const options *o, const lab *l, const submission_list *list, FILE *f,
                        size_t *found, unsigned *too_large)
{
    texts t = { NULL, NULL, 0, 0 };
    static given g;
    similar_pair *pairs = NULL;
    size_t count = 0;
    bool fine = read_texts(o, l, list, &t);

    read_given(l, &g);
    fine = fine && similar_find(t.all, t.count, g.all, g.count, &pairs, &count);
    for (size_t i = 0; i < count; i++)
        put_pair(f, l, &t, &pairs[i]);
    *found += count;
    *too_large += t.too_large;
    free(pairs);
    drop(&t, &g);
    return fine;
}

static void tell(const options *o, size_t pairs, unsigned too_large)
{
    if (pairs)
        fit_print(stderr,
                  "  %s/similar.csv: %zu pair%s that look%s alike, for you to look at; that they "
                  "do proves nothing\n",
                  o->out, pairs, pairs == 1 ? "" : "s", pairs == 1 ? "s" : "");
    if (too_large)
        fit_print(stderr, "  %u file%s of more than %d KiB, not compared with others\n", too_large,
                  too_large == 1 ? "" : "s", CLASS_SIMILAR_FILE >> 10);
}

bool class_similar(const options *o, const lab *const *labs, size_t count,
                   const submission_list *list, base_error *error)
{
    char *text = NULL;
    size_t size = 0, pairs = 0;
    unsigned too_large = 0;
    FILE *f = open_memstream(&text, &size);
    bool fine = f != NULL;

    if (fine)
        fputs("lab,first,second,kind,percent,first lines,second lines\n", f);
    for (size_t i = 0; fine && i < count; i++) {
        status_line_show(stderr, "comparing the submissions of lab %.2s", labs[i]->id);
        fine = compare_lab(o, labs[i], list, f, &pairs, &too_large);
    }
    status_line_clear();
    fine = f && fclose(f) == 0 && fine;
    fine = fine ? class_table_save(o->out, "similar.csv", text, size, error)
                : error_set(error, "similar.csv: no memory");
    free(text);
    if (fine)
        tell(o, pairs, too_large);
    return fine;
}
