/*
 * page.c: see page.h.
 */
#include "page.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "config.h"
#include "file.h"
#include "fit.h"
#include "judge.h"

/* ---- TODOs ----------------------------------------------------------------------------------- */

enum { LONGEST_NAME = 64, LONGEST_HEAD = 1000 };

/* The functions, or constants, that a TODO stands in, "`sum_tiles`, `store`". */
typedef struct todo_row {
    char functions[300];
} todo_row;

/* The name of the function whose head this is, up to its "{"; false: it is no function's. */
static bool function_name(const char *head, char name[LONGEST_NAME])
{
    const char *open = head;

    while ((open = strchr(open, '('))) {
        const char *first = open;
        while (first > head && (isalnum((unsigned char)first[-1]) || first[-1] == '_'))
            first--;
        snprintf(name, LONGEST_NAME, "%.*s", (int)(open - first), first);
        if (name[0] && strncmp(name, "__", 2) != 0)
            return true;
        open++; /* __launch_bounds__(...) */
    }
    return false;
}

static void add_function(todo_row *row, const char *name)
{
    char quoted[LONGEST_NAME + 2];
    const size_t used = strlen(row->functions);

    snprintf(quoted, sizeof quoted, "`%s`", name);
    if (!strstr(row->functions, quoted))
        snprintf(row->functions + used, sizeof row->functions - used, "%s%s", used ? ", " : "",
                 quoted);
}

static bool begins_a_word(const char *text)
{
    return isalpha((unsigned char)*text) || *text == '_';
}

/* The number of the TODO that the line marks: it begins the line, or a comment on it. 0: none does;
   the line may speak of one. */
static long marked_todo(const char *line)
{
    const char *const todo = strstr(line, "TODO ");
    const char *before = todo;

    if (!todo)
        return 0;
    while (before > line && before[-1] == ' ')
        before--;
    return before == line || (before - line >= 2 && strncmp(before - 2, "/*", 2) == 0)
               ? strtol(todo + strlen("TODO "), NULL, 10)
               : 0;
}

/* Reads the starter line by line: a head begins in the first column and ends with a "{". A TODO in
   front of a function is that function's; in a line of code of none, the constant's that the line
   names. */
static void find_functions(char *text, todo_row rows[LAB_MAX_TODOS + 1])
{
    char head[LONGEST_HEAD] = "", name[LONGEST_NAME] = "";
    unsigned waiting = 0; /* for the next function */

    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (begins_a_word(line))
            head[0] = '\0';
        if (head[0] || begins_a_word(line)) {
            const size_t used = strlen(head);
            snprintf(head + used, sizeof head - used, "%s ", line);
        }
        if (head[0] && strpbrk(line, "{;")) {
            if (function_name(head, name))
                for (unsigned todo = 1; todo <= LAB_MAX_TODOS; todo++)
                    if (waiting & LAB_TODO(todo))
                        add_function(&rows[todo], name);
            waiting = 0;
            head[0] = '\0';
        }
        if (line[0] == '}')
            name[0] = '\0';
        const char *const code = line + strspn(line, " ");
        const long number = marked_todo(line);
        if (number <= 0 || number > LAB_MAX_TODOS)
            continue;
        if (name[0]) {
            add_function(&rows[number], name);
        } else if (begins_a_word(code) && strncmp(code, "TODO ", 5) != 0) {
            char constant[LONGEST_NAME];
            snprintf(constant, sizeof constant, "%.*s", (int)strcspn(code, " ="), code);
            add_function(&rows[number], constant);
        } else {
            waiting |= LAB_TODO(number);
        }
    }
}

/* ---- names of parts -------------------------------------------------------------------------- */

/* "select_" of select_i32: how much of a name the parts of one family share, which do the same for
   another type; 0: it has no type. */
static size_t family_length(const char *name)
{
    const char *const last = strrchr(name, '_');

    return last && strchr("iuf", last[1]) && last[1] && isdigit((unsigned char)last[2])
               ? (size_t)(last + 1 - name)
               : 0;
}

static bool is_family(const char *name, const char *other)
{
    const size_t length = family_length(name);
    return length > 0 && length == family_length(other) && strncmp(name, other, length) == 0;
}

/* Adds the parts of a set, a bit each, to the text: "sums (4), select_* (14)". A family that is
   there as a whole is named once. points: with their points, of a family the sum. */
static void add_parts(const lab *l, uint64_t set, bool points, char *text, size_t room)
{
    for (unsigned p = 0; p < lab_part_count(l); p++) {
        const char *const name = judge_part_name(l, &l->parts[p]);
        const size_t used = strlen(text);
        uint64_t family = (uint64_t)1 << p;
        int worth = 0;
        char number[16] = "";

        if (!(set >> p & 1))
            continue;
        for (unsigned q = 0; q < lab_part_count(l); q++)
            if (is_family(name, judge_part_name(l, &l->parts[q])))
                family |= (uint64_t)1 << q;
        if ((family & set) != family)
            family = (uint64_t)1 << p;
        for (unsigned q = 0; q < lab_part_count(l); q++)
            worth += family >> q & 1 ? l->parts[q].points : 0;
        set &= ~family;
        if (points)
            snprintf(number, sizeof number, " (%d)", worth);
        const bool alone = (family & (family - 1)) == 0;
        snprintf(text + used, room - used, "%s%.*s%s%s", used ? ", " : "",
                 alone ? (int)strlen(name) : (int)family_length(name), name, alone ? "" : "*",
                 number);
    }
}

/* ---- the table of TODOs ---------------------------------------------------------------------- */

static unsigned last_todo(unsigned todos)
{
    unsigned last = 0;

    for (unsigned todo = 1; todo <= LAB_MAX_TODOS; todo++)
        if (todos & LAB_TODO(todo))
            last = todo;
    return last;
}

/* "sums (4), copies (6)": the parts that need no later TODO; where there is none, "sums, with TODO
   3": the first that needs this one. So each part has its points in one row. */
static void add_trying(const lab *l, unsigned todo, char *text, size_t room)
{
    uint64_t set = 0;

    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (last_todo(l->parts[p].todos) == todo)
            set |= (uint64_t)1 << p;
    add_parts(l, set, !l->bonus, text, room);
    for (unsigned p = 0; !set && p < lab_part_count(l); p++)
        if (l->parts[p].todos & LAB_TODO(todo)) {
            set = (uint64_t)1 << p;
            snprintf(text, room, "%s, with TODO %u", judge_part_name(l, &l->parts[p]),
                     last_todo(l->parts[p].todos));
        }
}

bool page_todos(const lab *l, base_error *error)
{
    char path[PATH_MAX], *text;
    todo_row rows[LAB_MAX_TODOS + 1] = { 0 };

    snprintf(path, sizeof path, SCANLAB_SOURCE_DIR "/labs/%s/%s", l->id, l->file);
    if (!file_read(path, BUILD_SOURCE_LIMIT, &text, NULL, error))
        return false;
    find_functions(text, rows);
    free(text);
    unsigned all = 0;
    for (unsigned p = 0; p < lab_part_count(l); p++)
        all |= l->parts[p].todos;
    printf("| TODO | function | tried by (points) |\n|---|---|---|\n");
    for (unsigned todo = 1; todo <= LAB_MAX_TODOS; todo++) {
        if (!(all & LAB_TODO(todo)))
            continue;
        if (!rows[todo].functions[0])
            return error_set(error, "labs/%s/%s: there is no TODO %u", l->id, l->file, todo);
        char parts[LAB_MAX_PARTS * 64] = "";
        add_trying(l, todo, parts, sizeof parts);
        printf("| %u | %s | %s |\n", todo, rows[todo].functions, parts);
    }
    return true;
}

/* ---- gates ----------------------------------------------------------------------------------- */

static bool is_same_gate(const lab_gate *a, const lab_gate *b)
{
    return a->bound == b->bound && strcmp(a->name, b->name) == 0 &&
           strcmp(a->formula, b->formula) == 0;
}

static const lab_gate *gate_like(const lab_part *part, const lab_gate *gate)
{
    for (unsigned g = 0; g < lab_gate_count(part); g++)
        if (is_same_gate(&part->gates[g], gate))
            return &part->gates[g];
    return NULL;
}

/* Has a part before this one had it? */
static bool is_printed(const lab *l, unsigned part, const lab_gate *gate)
{
    for (unsigned p = 0; p < part; p++)
        if (gate_like(&l->parts[p], gate))
            return true;
    return false;
}

/* " (inclusive, exclusive)"; nothing where all parts with gates have it. */
static void parts_with(const lab *l, const lab_gate *gate, char *text, size_t room)
{
    uint64_t with = 0, gated = 0;

    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (l->parts[p].points > 0 && lab_gate_count(&l->parts[p]) > 0) {
            gated |= (uint64_t)1 << p;
            if (gate_like(&l->parts[p], gate))
                with |= (uint64_t)1 << p;
        }
    if (with == gated)
        return;
    char parts[LAB_MAX_PARTS * 64] = "";
    add_parts(l, with, false, parts, sizeof parts);
    snprintf(text, room, " (%s)", parts);
}

/* The same count bound from both sides by one number. */
static bool is_pair(const lab_gate *one, const lab_gate *other)
{
    return other->name && one->metric == other->metric && one->bound != other->bound &&
           strcmp(one->formula, other->formula) == 0;
}

static void print_gate(const lab_gate *gate, const char *parts)
{
    const char *const bound = is_pair(gate, gate + 1)      ? ""
                              : gate->bound == LAB_AT_MOST ? "at most "
                                                           : "at least ";
    fit_print(stdout, "- %s: %s%s%s\n", gate->name, bound, gate->formula, parts);
}

/* Has a part of the same family had one of that name? The page has the first. */
static bool is_alike(const lab *l, unsigned part, const lab_gate *gate)
{
    for (unsigned p = 0; p < part; p++)
        if (is_family(judge_part_name(l, &l->parts[part]), judge_part_name(l, &l->parts[p])))
            for (unsigned g = 0; g < lab_gate_count(&l->parts[p]); g++)
                if (strcmp(l->parts[p].gates[g].name, gate->name) == 0)
                    return true;
    return false;
}

static bool is_taught(const lab *l, const lab_gate *gate)
{
    for (unsigned i = 0; i < LAB_TAUGHT && l->taught[i]; i++)
        if (strcmp(l->taught[i], gate->name) == 0)
            return true;
    return false;
}

void page_gates(const lab *l, bool all)
{
    for (unsigned p = 0; p < lab_part_count(l); p++)
        for (unsigned g = 0; g < lab_gate_count(&l->parts[p]); g++) {
            const lab_gate *gate = &l->parts[p].gates[g];
            if (g > 0 && is_pair(gate - 1, gate))
                continue;
            if (l->parts[p].points == 0 || is_printed(l, p, gate) ||
                (!all && (!is_taught(l, gate) || is_alike(l, p, gate))))
                continue;
            char parts[LAB_MAX_PARTS * 64] = "";
            parts_with(l, gate, parts, sizeof parts);
            print_gate(gate, parts);
        }
}
