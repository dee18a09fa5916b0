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
#include "gate_hints.h"
#include "judge.h"
#include "path.h"
#include "steps.h"
#include "verdict.h"
#include "wrap.h"

enum { MARKS_LIMIT = 1 << 14, KEY_ROOM = 140, MOST_MARKS = 100, TEXT_ROOM = 4096 };

/* What hints are about: a part, or a gate that it missed. */
typedef struct topic {
    unsigned part;
    const lab_gate *gate; /* null: the part's own hints */
} topic;

/* How many hints of each topic were shown. */
typedef struct marks {
    struct {
        char key[KEY_ROOM];
        int shown;
    } mark[MOST_MARKS];
    unsigned count;
} marks;

/* ---- topics ---------------------------------------------------------------------------------- */

/* Of parts that share their hints, the first; of one without hints, the first with any. */
static unsigned owner_of(const lab *l, unsigned part)
{
    const char *const *hints = l->parts[part].hints;

    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (l->parts[p].hints && (!hints || l->parts[p].hints == hints))
            return p;
    return 0;
}

/* "scan_inclusive", "scan_inclusive:lanes_adding" */
static void key_of(const lab *l, const topic *t, char key[KEY_ROOM])
{
    const unsigned part = t->gate ? t->part : owner_of(l, t->part);

    snprintf(key, KEY_ROOM, "%.90s%s%.40s", l->parts[part].entry, t->gate ? ":" : "",
             t->gate ? t->gate->name : "");
    for (char *c = key; *c; c++)
        *c = *c == ' ' ? '_' : *c;
}

static int *shown_of(marks *m, const char *key)
{
    for (unsigned i = 0; i < m->count; i++)
        if (strcmp(m->mark[i].key, key) == 0)
            return &m->mark[i].shown;
    if (m->count == MOST_MARKS)
        return NULL;
    snprintf(m->mark[m->count].key, KEY_ROOM, "%s", key);
    m->mark[m->count].shown = 0;
    return &m->mark[m->count++].shown;
}

static void read_marks(const char *path, marks *m)
{
    char *text, key[KEY_ROOM], *rest = NULL;
    int shown;

    m->count = 0;
    if (!file_read(path, MARKS_LIMIT, &text, NULL, NULL))
        return;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (sscanf(line, "%139s %d", key, &shown) == 2 && shown > 0 && shown <= LAB_HINTS) {
            int *const to = shown_of(m, key);
            if (to)
                *to = shown;
        }
    free(text);
}

static bool write_marks(const char *path, const marks *m, base_error *error)
{
    static char text[MOST_MARKS * (KEY_ROOM + 4)];

    text[0] = '\0';
    for (unsigned i = 0; i < m->count; i++)
        if (m->mark[i].shown > 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s %d\n", m->mark[i].key,
                     m->mark[i].shown);
    return file_write(path, text, strlen(text), error);
}

/* ---- the last grading ------------------------------------------------------------------------ */

typedef struct last_grading {
    bool known; /* it was of this lab */
    verdict verdict;
    int failed;           /* the part to work on; -1: none */
    const lab_gate *gate; /* the first that it missed, of right answers; null: it is not that */
} last_grading;

static int part_by_name(const lab *l, const char *name)
{
    for (unsigned p = 0; name && p < lab_part_count(l); p++)
        if (strcmp(judge_part_name(l, &l->parts[p]), name) == 0)
            return (int)p;
    return -1;
}

/* gates: named "inclusive: lanes adding". */
static const lab_gate *missed_gate(const lab *l, unsigned part, json_t *gates)
{
    const char *const name = judge_part_name(l, &l->parts[part]);
    const size_t length = strlen(name);
    json_t *gate;
    size_t i;

    json_array_foreach(gates, i, gate)
    {
        const char *said = json_string_value(json_object_get(gate, "name"));
        if (said && json_is_false(json_object_get(gate, "ok")) &&
            strncmp(said, name, length) == 0 && strncmp(said + length, ": ", 2) == 0)
            return gate_hints_find(&l->parts[part], said + length + 2);
    }
    return NULL;
}

static last_grading read_lab(const lab *l, json_t *one)
{
    const char *next = json_string_value(json_object_get(one, "next"));
    const char *lab = json_string_value(json_object_get(one, "verdict"));
    last_grading last = { .known = true, .failed = part_by_name(l, next) };
    json_t *part;
    size_t i;

    verdict_by_name(lab ? lab : "", &last.verdict);
    json_array_foreach(json_object_get(one, "parts"), i, part)
    {
        const char *name = json_string_value(json_object_get(part, "name")),
                   *verdict = json_string_value(json_object_get(part, "verdict"));
        if (last.failed >= 0 && name && verdict && strcmp(name, next) == 0 &&
            strcmp(verdict, verdict_name(VERDICT_OVER_BUDGET)) == 0)
            last.gate = missed_gate(l, (unsigned)last.failed, json_object_get(one, "gates"));
    }
    return last;
}

static last_grading read_last(const lab *l, const char *out)
{
    char path[PATH_MAX];
    json_t *all = path_join(path, sizeof path, out, "results.json", NULL)
                      ? json_load_file(path, 0, NULL)
                      : NULL;
    last_grading last = { .failed = -1 };
    json_t *one;
    size_t i;

    json_array_foreach(json_object_get(all, "labs"), i, one)
    {
        const char *id = json_string_value(json_object_get(one, "id"));
        if (id && strcmp(id, l->id) == 0)
            last = read_lab(l, one);
    }
    json_decref(all);
    return last;
}

/* ---- what is shown --------------------------------------------------------------------------- */

static void print_hint(const lab *l, const topic *t, const char *name, int level)
{
    static const char *const kinds[LAB_HINTS] = { "a question", "the idea", "the steps" };
    const lab_part *hinted = &l->parts[t->gate ? t->part : owner_of(l, t->part)];
    char text[TEXT_ROOM], head[500], which[40];

    if (t->gate)
        gate_hints_text(hinted, t->gate, level, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", hinted->hints[level - 1]);
    snprintf(head, sizeof head, "Lab %.2s, %s: %s%s%s.", l->id, l->title, name, t->gate ? ", " : "",
             t->gate ? t->gate->name : "");
    snprintf(which, sizeof which, "Hint %d of %d, %s:", level, LAB_HINTS, kinds[level - 1]);
    if (strlen(head) + strlen(which) + 1 <= (size_t)(wrap_width() + WRAP_MARGIN)) {
        wrap_print("%s %s\n", head, which);
    } else {
        wrap_text(head, 0, 0);
        wrap_print("%s\n", which);
    }
    wrap_print("\n  ");
    wrap_text(text, 2, 2);
}

/* Those of the topic that were shown. */
static bool show_topic(const lab *l, marks *m, const topic *t, bool any)
{
    char key[KEY_ROOM], names[200] = "";

    key_of(l, t, key);
    const int *const shown = shown_of(m, key);
    for (unsigned p = t->part; p < lab_part_count(l); p++)
        if (p == t->part || (!t->gate && l->parts[p].hints == l->parts[t->part].hints))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     names[0] ? ", " : "", judge_part_name(l, &l->parts[p]));
    for (int level = 1; shown && level <= *shown; level++, any = true) {
        wrap_print("%s", any ? "\n" : "");
        print_hint(l, t, names, level);
    }
    return any;
}

static bool show_again(const lab *l, marks *m)
{
    bool any = false;

    for (unsigned p = 0; p < lab_part_count(l); p++) {
        const lab_gate *const tables[] = { l->parts[p].gates, lab_device_gates, lab_own_gates };
        if (l->parts[p].hints && owner_of(l, p) == p)
            any = show_topic(l, m, &(topic){ p, NULL }, any);
        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
            for (const lab_gate *gate = tables[i]; gate && gate->name; gate++)
                any = show_topic(l, m, &(topic){ p, gate }, any);
    }
    if (!any)
        wrap_print("No hint of this lab was shown yet. The first:\n  make hint LAB=%.*s\n",
                   lab_name_length(l), l->id);
    return true;
}

static void tell_why(const lab *l, const last_grading *last)
{
    const char *name = last->failed >= 0 ? judge_part_name(l, &l->parts[last->failed]) : "";
    char text[400];

    if (!last->known)
        snprintf(text, sizeof text,
                 "The last grading was not of this lab. For hints about what you have written: "
                 "make grade LAB=%.*s",
                 lab_name_length(l), l->id);
    else if (last->gate)
        snprintf(text, sizeof text,
                 "When it was last graded, the answers of %s were right, and the gate \"%s\" was "
                 "missed.",
                 name, last->gate->name);
    else if (last->failed >= 0)
        snprintf(text, sizeof text, "When it was last graded, %s was the part to work on.", name);
    else
        snprintf(text, sizeof text, "When it was last graded, %s.",
                 last->verdict == VERDICT_PASS            ? "no part failed"
                 : last->verdict == VERDICT_COMPILE_ERROR ? "the file did not compile"
                 : last->verdict == VERDICT_NOT_STARTED   ? "it was not started"
                                                          : "no part was judged");
    wrap_text(text, 0, 0);
}

/* keys: one for hints is below, and those before stand there, too. */
static void tell_rest(const lab *l, int shown, bool keys)
{
    const int left = LAB_HINTS - shown;

    if (left > 0 && keys)
        wrap_print("\n%d more hint%s: h\n", left, left == 1 ? "" : "s");
    else if (left > 0)
        wrap_print("\n%d more hint%s: make hint LAB=%.*s\n", left, left == 1 ? "" : "s",
                   lab_name_length(l), l->id);
    else
        wrap_text("\nThat was the last one about this; when another part fails, there are others.",
                  0, 0);
    if (shown > 1 && !keys)
        wrap_print("Those before: make hint LAB=%.*s AGAIN=1\n", lab_name_length(l), l->id);
}

static bool show(const lab *l, const char *out, const last_grading *last, int level, bool keys,
                 base_error *error)
{
    char folder[PATH_MAX], path[PATH_MAX], key[KEY_ROOM];
    static marks m;

    if (!path_join(folder, sizeof folder, out, "hints", error) ||
        !path_join(path, sizeof path, folder, l->id, error) || !file_make_folders(folder, error))
        return false;
    read_marks(path, &m);
    if (level == HINTS_AGAIN)
        return show_again(l, &m);
    const topic t = { last->failed >= 0 ? (unsigned)last->failed : owner_of(l, 0), last->gate };
    key_of(l, &t, key);
    int *const shown = shown_of(&m, key);
    if (level == HINTS_SAME)
        level = shown && *shown > 0 ? *shown : 1;
    if (level == HINTS_NEXT)
        level = shown && *shown < LAB_HINTS ? *shown + 1 : LAB_HINTS;
    if (!keys)
        tell_why(l, last);
    print_hint(l, &t, judge_part_name(l, &l->parts[t.part]), level);
    if (shown && level > *shown)
        *shown = level;
    tell_rest(l, shown ? *shown : level, keys);
    for (int before = level - 1; keys && before > 0; before--) {
        wrap_print("\n");
        print_hint(l, &t, judge_part_name(l, &l->parts[t.part]), before);
    }
    return write_marks(path, &m, error);
}

bool hints_show(const lab *l, const char *out, int level, base_error *error)
{
    const last_grading last = read_last(l, out);
    return show(l, out, &last, level, false, error);
}

/* The first gate of the part that is missed. */
static const lab_gate *gate_missed(const lab_result *r, int part)
{
    for (unsigned i = 0; part >= 0 && i < r->gate_count; i++)
        if ((int)r->gates[i].part == part && !r->gates[i].ok)
            return r->gates[i].gate;
    return NULL;
}

bool hints_show_about(const lab_result *r, const char *out, int level, base_error *error)
{
    const int failed = steps_next_part(r);
    const bool missed = failed >= 0 && r->part_verdict[failed] == VERDICT_OVER_BUDGET;
    const last_grading last = { .known = true,
                                .verdict = r->verdict,
                                .failed = failed,
                                .gate = missed ? gate_missed(r, failed) : NULL };
    return show(r->l, out, &last, level, true, error);
}
