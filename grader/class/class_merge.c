/*
 * class_merge.c: see class_merge.h. First what each shard says of itself, then of each submission;
 * if nothing is missing, the results are copied and the tables written.
 */
#define _GNU_SOURCE
#include "class_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "class.h"
#include "class_course.h"
#include "class_journal.h"
#include "class_lock.h"
#include "class_progress.h"
#include "class_shard.h"
#include "class_similar.h"
#include "class_table.h"
#include "file.h"
#include "fit.h"
#include "path.h"
#include "process.h"
#include "status_line.h"

enum { USAGE = 2, FAULT = 3, MOST_SHOWN = 20 };

typedef struct shard {
    char folder[PATH_MAX]; /* its results: class.shards/K-of-N/class */
    shard_facts facts;
    bool begun;          /* has facts */
    int count, missing;  /* submissions of its share, and those without a record */
    const char *example; /* one of those */
} shard;

typedef struct merge {
    options o; /* kit, sandbox: the shards' */
    const lab *const *labs;
    size_t lab_count;
    unsigned shards;
    shard *all;
    submission_list list;
    submission *graded; /* as the list, with folders in the shards */
    class_row *rows;
    class_lock lock;
    char below[PATH_MAX], shared[PATH_MAX], sandboxes[200];
    double shown;
} merge;

static void tick(merge *m, const char *what, int done)
{
    class_lock_beat(&m->lock);
    if (process_clock() - m->shown < 1)
        return;
    m->shown = process_clock();
    status_line_show(stderr, "%s: %d of %d", what, done, m->list.count);
}

/* ---- what each shard says of itself ---------------------------------------------------------- */

/* "both", or all that there were: "both, landlock". */
static void add_sandbox(merge *m, const char *name)
{
    const size_t used = strlen(m->sandboxes), length = strlen(name);
    const char *at = strstr(m->sandboxes, name);

    if (at && (at[length] == '\0' || at[length] == ','))
        return;
    snprintf(m->sandboxes + used, sizeof m->sandboxes - used, "%s%s", used ? ", " : "", name);
}

/* Were a shard's submissions graded as those of the first were, and as is asked here? */
static bool is_alike(const merge *m, unsigned k, unsigned first, base_error *error)
{
    const shard_facts *its = &m->all[k].facts, *firsts = &m->all[first].facts;
    shard_facts asked;

    shard_facts_of(&m->o, m->labs, m->lab_count, &asked);
    if (strcmp(its->labs, asked.labs) != 0 || strcmp(its->backend, asked.backend) != 0)
        return error_set(error,
                         "shard %u/%u was graded with other settings (labs %.200s, backend %s): "
                         "give the same LAB and BACKEND to all shards and to the merge",
                         k + 1, m->shards, its->labs, its->backend);
    return strcmp(its->kit, firsts->kit) == 0 ||
           error_set(error,
                     "shards %u/%u and %u/%u were graded with different kits, compilers or seeds: "
                     "run both again; what has not changed is not graded again",
                     first + 1, m->shards, k + 1, m->shards);
}

static bool look_at_shards(merge *m, base_error *error)
{
    char folder[PATH_MAX];
    unsigned first = m->shards;

    m->all = calloc(m->shards, sizeof *m->all);
    if (!m->all)
        return error_set(error, "no memory for %u shards", m->shards);
    for (unsigned k = 0; k < m->shards; k++) {
        shard *one = &m->all[k];
        if (!shard_folder(m->o.out, k + 1, m->shards, folder, error) ||
            !path_join(one->folder, sizeof one->folder, folder, "class", error))
            return false;
        one->begun = shard_read(folder, &one->facts);
        if (!one->begun)
            continue;
        if (first == m->shards)
            first = k;
        if (!is_alike(m, k, first, error))
            return false;
        add_sandbox(m, one->facts.sandbox);
    }
    m->o.kit = first < m->shards ? m->all[first].facts.kit : "";
    m->o.sandbox = m->sandboxes;
    return true;
}

/* ---- what they say of each submission -------------------------------------------------------- */

static bool look_at_submissions(merge *m, base_error *error)
{
    m->graded = calloc((size_t)m->list.count, sizeof *m->graded);
    m->rows = calloc((size_t)m->list.count, sizeof *m->rows);
    if (!m->graded || !m->rows)
        return error_set(error, "no memory for %d submissions", m->list.count);
    for (int i = 0; i < m->list.count; i++) {
        submission *s = &m->graded[i];
        shard *one = &m->all[shard_of(m->list.all[i].name, m->shards) - 1];
        *s = m->list.all[i];
        if (!path_join(s->folder, sizeof s->folder, one->folder, s->name, error))
            return false;
        one->count++;
        tick(m, "reading", i);
        if (s->outcome != SUBMISSION_WAITING)
            continue;
        submission_fill_key(&m->o, m->labs, m->lab_count, s);
        if (!one->begun || !journal_read(s, true)) {
            one->missing++;
            one->example = s->name;
        }
    }
    status_line_clear();
    return true;
}

static void say_missing(const merge *m, unsigned k)
{
    const shard *one = &m->all[k];
    char name[100];

    submission_printable(one->example, 24, name, sizeof name);
    if (one->begun)
        fit_print(stderr, "  shard %u/%u: %d of %d are not graded, or changed since; one is %s\n",
                  k + 1, m->shards, one->missing, one->count, name);
    else
        fit_print(stderr, "  shard %u/%u: not begun; it has %d submission%s, one is %s\n", k + 1,
                  m->shards, one->count, one->count == 1 ? "" : "s", name);
}

static bool none_is_missing(const merge *m, base_error *error)
{
    unsigned missing = 0, first = 0;

    for (unsigned k = m->shards; k-- > 0;)
        if (m->all[k].missing) {
            first = k;
            missing++;
        }
    if (missing == 0)
        return true;
    fit_print(stderr, "%u of %u shards are missing or not done:\n", missing, m->shards);
    for (unsigned k = 0, shown = 0; k < m->shards && shown < MOST_SHOWN; k++)
        if (m->all[k].missing) {
            say_missing(m, k);
            shown++;
        }
    if (missing > MOST_SHOWN)
        fit_print(stderr, "  and %u more\n", missing - MOST_SHOWN);
    return error_set(error,
                     "there is no table of the whole class yet: run these shards again, as in make "
                     "grade-all SUBMISSIONS=%s SHARD=%u/%u, then merge",
                     m->o.src, first + 1, m->shards);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool take_over(merge *m, base_error *error)
{
    for (int i = 0; i < m->list.count; i++) {
        const submission *from = &m->graded[i];
        submission *s = &m->list.all[i];
        tick(m, "copying", i);
        if (s->outcome == SUBMISSION_EMPTY)
            journal_remove(s);
        if (s->outcome == SUBMISSION_WAITING) {
            if (!journal_copy(from, s, error))
                return false;
            s->has_results = from->has_results;
            submission_end(s, from->outcome, "%s", from->state);
        }
        class_row_make(s, &m->rows[i]);
        if (m->o.course) {
            class_course_take(from, s);
            class_course_add(&m->o, s, &m->rows[i]);
        }
    }
    status_line_clear();
    return class_table_write(m->o.out, m->o.backend, m->o.sandbox, m->labs, m->lab_count, m->rows,
                             m->list.count, error);
}

static bool prepare(merge *m, int *status, base_error *error)
{
    *status = USAGE;
    if (!shard_count(m->o.out, &m->shards, error) || !look_at_shards(m, error))
        return false;
    *status = FAULT;
    if (!path_join(m->below, sizeof m->below, m->o.out, "class", error) ||
        !path_join(m->shared, sizeof m->shared, m->o.out, "class.shared", error) ||
        !file_make_folders(m->below, error) || !file_make_folders(m->shared, error) ||
        !class_lock_take(&m->lock, m->shared, error))
        return false;
    *status = USAGE;
    if (!submission_find(&m->o, m->labs, m->lab_count, m->below, &m->list, error))
        return false;
    *status = FAULT;
    return true;
}

static void release(merge *m)
{
    for (int i = 0; m->rows && i < m->list.count; i++)
        class_row_drop(&m->rows[i]);
    free(m->rows);
    free(m->graded);
    free(m->all);
    class_lock_drop(&m->lock);
    submission_drop(&m->list);
}

bool class_merge(const options *o, const lab *const *labs, size_t count, int *status,
                 base_error *error)
{
    static merge m;

    m = (merge){ .o = *o, .labs = labs, .lab_count = count, .shown = process_clock() };
    bool fine = prepare(&m, status, error) && look_at_submissions(&m, error) &&
                none_is_missing(&m, error) && take_over(&m, error);
    if (fine) {
        const class_progress say = {
            .o = &m.o, .labs = labs, .lab_count = count, .list = &m.list, .rows = m.rows
        };
        fit_print(stderr, "%u shards merged\n", m.shards);
        class_progress_end(&say);
        fine = class_similar(&m.o, labs, count, &m.list, error);
        *status = fine ? class_status(&m.list, m.rows, count) : FAULT;
    }
    release(&m);
    return fine;
}
