/*
 * todos.c: see todos.h. Each file becomes words and markers, these items (functions, enums), and an
 * item pieces (statements, braces, markers). The pieces of an item in both files are laid side by
 * side as a diff does; what differs belongs to the marker before it.
 */
#include "todos.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TODOS = 32, MOST_CELLS = 1 << 23, CODE_WEIGHT = 2, MARKER_WEIGHT = 1 };

typedef struct word { /* or a marker: todo is its number, and there is no text */
    const char *text;
    unsigned length, line, todo;
} word;

typedef struct item {
    const word *begin, *end, *name; /* name: null where it has none */
} item;

typedef struct source {
    word *words;
    item *items;
    size_t word_count, item_count;
} source;

typedef struct piece {
    uint64_t hash;
    unsigned todo; /* a marker's number, else 0 */
} piece;

static bool is(const word *w, char c) { return w->length == 1 && *w->text == c; }
static bool is_name(const word *w) { return w->length && (isalpha(*w->text) || *w->text == '_'); }
static bool same_word(const word *a, const word *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* A comment's lines that begin with "TODO 3". Nothing beyond its end is read: a line may be as long
   as the file, and of comments. */
static void add_markers(source *s, const char *comment, const char *end, unsigned line)
{
    for (const char *at = comment; at < end; at++) {
        while (at < end && strchr(" \t*/", *at))
            at++;
        if (end - at > 5 && strncmp(at, "TODO ", 5) == 0 && isdigit((unsigned char)at[5])) {
            const long todo = strtol(at + 5, NULL, 10);
            if (todo < MOST_TODOS)
                s->words[s->word_count++] =
                    (word){ .text = "", .line = line, .todo = (unsigned)todo };
        }
        while (at < end && *at != '\n')
            at++;
    }
}

/* A marker stands before the code of its line: "return i; TODO 5: ...". */
static bool put_markers_first(source *s)
{
    word *const sorted = malloc((s->word_count + 1) * sizeof *sorted);
    size_t count = 0;

    for (size_t begin = 0, end; sorted && begin < s->word_count; begin = end) {
        const unsigned line = s->words[begin].line;
        for (end = begin; end < s->word_count && s->words[end].line == line; end++)
            if (s->words[end].todo)
                sorted[count++] = s->words[end];
        for (size_t at = begin; at < end; at++)
            if (!s->words[at].todo)
                sorted[count++] = s->words[at];
    }
    if (sorted) {
        free(s->words);
        s->words = sorted;
    }
    return sorted;
}

static const char *end_of_comment(const char *at)
{
    const char *end = at[1] == '*' ? strstr(at + 2, "*/") : NULL;

    return end ? end + 2 : at[1] == '*' ? at + strlen(at) : at + strcspn(at, "\n");
}

static const char *end_of_directive(const char *at)
{
    for (at += strcspn(at, "\n"); *at && at[-1] == '\\'; at += strcspn(at, "\n"))
        at++;
    return at;
}

static const char *end_of_word(const char *at)
{
    const char quote = *at;

    if (isalnum((unsigned char)*at) || *at == '_') {
        const bool number = isdigit((unsigned char)*at);
        while (isalnum((unsigned char)*at) || *at == '_' || (number && *at == '.'))
            at++;
        return at;
    }
    if (quote != '"' && quote != '\'')
        return at + 1;
    for (at++; *at && *at != quote && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return at + (*at == quote);
}

static bool read_words(source *s, const char *text)
{
    unsigned line = 1;
    bool first = true; /* of its line */

    s->words = malloc((strlen(text) + 1) * sizeof *s->words);
    for (const char *at = text, *end; s->words && *at; at = end) {
        const bool comment = at[0] == '/' && (at[1] == '/' || at[1] == '*');
        end = at + 1;
        if (comment) {
            end = end_of_comment(at);
            add_markers(s, at, end, line);
        } else if (*at == '#' && first) {
            end = end_of_directive(at);
        } else if (isgraph((unsigned char)*at)) {
            end = end_of_word(at);
            s->words[s->word_count++] =
                (word){ .text = at, .length = (unsigned)(end - at), .line = line };
        }
        first = *at == '\n' || (first && (comment || !isgraph((unsigned char)*at)));
        for (const char *c = at; c < end; c++)
            line += *c == '\n';
    }
    return s->words && put_markers_first(s);
}

/* ---- items ----------------------------------------------------------------------------------- */

/* A function's: before the last parenthesis ahead of its body. Of an enum its first constant. */
static const word *name_of(const word *begin, const word *end)
{
    const word *name = NULL, *body = begin;
    unsigned depth = 0;

    for (; body < end && !(depth == 0 && is(body, '{')); body++) {
        if (depth == 0 && is(body, '(') && body > begin && is_name(body - 1))
            name = body - 1;
        depth += is(body, '(');
        depth -= depth > 0 && is(body, ')');
    }
    for (; !name && body < end; body++)
        if (is_name(body))
            name = body;
    return name;
}

/* Is it the brace of a namespace, or of extern "C", which hold items? */
static bool holds_items(const word *begin, const word *brace)
{
    return begin < brace && (same_word(begin, &(word){ .text = "namespace", .length = 9 }) ||
                             (same_word(begin, &(word){ .text = "extern", .length = 6 }) &&
                              begin + 1 < brace && begin[1].text[0] == '"' && begin + 2 == brace));
}

/* called: there is a parenthesis before the item's first brace. */
static bool ends_item(const word *at, const word *end, unsigned depth, bool called)
{
    if (depth > 0 || !(is(at, ';') || is(at, '}')))
        return false;
    return is(at, ';') || at + 1 == end || (called && !is(at + 1, ';'));
}

static bool find_items(source *s)
{
    const word *const end = s->words + s->word_count, *begin = s->words;
    unsigned depth = 0;
    bool body = false, called = false; /* of the item that is open: see ends_item */

    s->items = malloc((s->word_count + 1) * sizeof *s->items);
    for (const word *at = begin; s->items && at < end; at++) {
        if (begin == at)
            body = called = false;
        if (depth == 0 && is(at, '{') && holds_items(begin, at)) {
            begin = at + 1;
            continue;
        }
        if (depth == 0 && begin == at && is(at, '}')) { /* of a namespace */
            begin = at + 1;
            continue;
        }
        depth += is(at, '{') || is(at, '(');
        depth -= depth > 0 && (is(at, '}') || is(at, ')'));
        body = body || is(at, '{');
        called = called || (!body && is(at, '('));
        if (ends_item(at, end, depth, called)) {
            s->items[s->item_count++] = (item){ begin, at + 1, name_of(begin, at + 1) };
            begin = at + 1;
        }
    }
    return s->items != NULL;
}

static bool read_source(source *s, const char *text)
{
    *s = (source){ .words = NULL };
    return read_words(s, text) && find_items(s);
}

static void free_source(source *s)
{
    free(s->words);
    free(s->items);
}

static bool has_body(const item *i)
{
    for (const word *w = i->begin; w < i->end; w++)
        if (is(w, '{'))
            return true;
    return false;
}

/* The definition of that name; null: there is none. */
static const item *find_item(const source *s, const word *name)
{
    for (size_t i = 0; name && i < s->item_count; i++)
        if (s->items[i].name && same_word(s->items[i].name, name) && has_body(&s->items[i]))
            return &s->items[i];
    return NULL;
}

static bool mentions(const item *i, const word *name)
{
    for (const word *w = i->begin; w < i->end; w++)
        if (same_word(w, name))
            return true;
    return false;
}

static unsigned todos_of(const item *i)
{
    unsigned todos = 0;

    for (const word *w = i->begin; w < i->end; w++)
        todos |= w->todo ? 1u << w->todo : 0;
    return todos;
}

/* ---- one item in both files ------------------------------------------------------------------ */

static uint64_t hash_of(uint64_t hash, const word *w)
{
    for (unsigned c = 0; c < w->length; c++)
        hash = (hash ^ (unsigned char)w->text[c]) * 0x100000001b3u;
    return (hash ^ 1) * 0x100000001b3u;
}

/* A piece ends with a statement, a brace, an item of a list, or the head of an `if` or a `for`. */
static bool ends_piece(const word *w, const word *end, unsigned depth)
{
    if (w + 1 == end || w[1].todo || is(w, '{') || is(w, '}'))
        return true;
    return depth == 0 && (is(w, ';') || is(w, ',') || (is(w, ')') && is_name(w + 1)));
}

/* Room for a piece a word. Returns how many there are. */
static size_t read_pieces(const item *i, piece *p)
{
    static const uint64_t nothing = 0xcbf29ce484222325u;
    uint64_t hash = nothing;
    unsigned depth = 0;
    size_t count = 0;

    for (const word *w = i->begin; w < i->end; w++) {
        if (w->todo) {
            p[count++] = (piece){ w->todo, w->todo };
            continue;
        }
        hash = hash_of(hash, w);
        depth += is(w, '(');
        depth -= depth > 0 && is(w, ')');
        if (ends_piece(w, i->end, depth)) {
            p[count++] = (piece){ hash, 0 };
            hash = nothing;
        }
    }
    return count;
}

static bool same_piece(piece a, piece b) { return a.hash == b.hash && a.todo == b.todo; }

/* best[i (m + 1) + j]: the weight of what a from i on and b from j on have in common, in order. */
static void weigh(const piece *a, size_t n, const piece *b, size_t m, uint32_t *best)
{
    for (size_t i = n + 1; i-- > 0;)
        for (size_t j = m + 1; j-- > 0;) {
            uint32_t *const here = &best[i * (m + 1) + j];
            *here = 0;
            if (i == n || j == m)
                continue;
            const uint32_t down = here[m + 1], right = here[1],
                           both = same_piece(a[i], b[j])
                                      ? here[m + 2] + (a[i].todo ? MARKER_WEIGHT : CODE_WEIGHT)
                                      : 0;
            *here = down > right ? down : right;
            if (both > *here)
                *here = both;
        }
}

/* What the walk over both has seen since the last piece that they have in common. */
typedef struct gap {
    unsigned before;     /* the marker whose code it is in */
    bool behind_marker;  /* it begins right there */
    bool inserted;       /* code of the student's */
    unsigned taken_away; /* markers that are gone */
} gap;

static unsigned begun_in(const gap *g)
{
    const unsigned before = 1u << g->before;

    if (!g->inserted)
        return 0;
    return g->taken_away ? g->taken_away | (g->behind_marker ? before : 0) : before;
}

static unsigned begun_along(const piece *a, size_t n, const piece *b, size_t m,
                            const uint32_t *best, unsigned first)
{
    gap g = { .before = first };
    unsigned begun = 0, region = first;
    size_t i = 0, j = 0;

    while (i < n || j < m) {
        const uint32_t *const here = &best[i * (m + 1) + j];
        const uint32_t weight = i < n && a[i].todo ? MARKER_WEIGHT : CODE_WEIGHT;
        if (i < n)
            region = a[i].todo ? a[i].todo : region;
        if (i < n && j < m && same_piece(a[i], b[j]) && *here == here[m + 2] + weight) {
            begun |= begun_in(&g);
            g = (gap){ .before = region, .behind_marker = a[i].todo != 0 };
            i++;
            j++;
        } else if (j == m || (i < n && here[m + 1] >= here[1])) {
            if (a[i].todo)
                g.taken_away |= 1u << a[i].todo;
            else
                begun |= 1u << region;
            i++;
        } else {
            g.inserted = g.inserted || !b[j].todo;
            j++;
        }
    }
    return begun | begun_in(&g);
}

/* 0: there is none. */
static unsigned first_todo(const item *i)
{
    for (const word *w = i->begin; w < i->end; w++)
        if (w->todo)
            return w->todo;
    return 0;
}

/* Of the TODOs of an item of the starter: those that are begun in the student's item. */
static unsigned begun_in_item(const item *starter, const item *student)
{
    const unsigned todos = todos_of(starter);
    piece *a = malloc((size_t)(starter->end - starter->begin) * sizeof *a);
    piece *b = malloc((size_t)(student->end - student->begin) * sizeof *b);
    uint32_t *best = NULL;
    unsigned begun = todos;

    if (todos && a && b) {
        const size_t n = read_pieces(starter, a), m = read_pieces(student, b);
        if ((n + 1) * (m + 1) <= MOST_CELLS)
            best = malloc((n + 1) * (m + 1) * sizeof *best);
        if (best) {
            weigh(a, n, b, m, best);
            begun = begun_along(a, n, b, m, best, first_todo(starter)) & todos;
            if (begun) /* code may stand in front of where a marker was that is gone */
                begun |= todos & ~todos_of(student);
        }
    }
    free(a);
    free(b);
    free(best);
    return begun & todos;
}

/* ---- both files ------------------------------------------------------------------------------ */

/* The function of the starter that a word names; null: none. */
static const item *function_of(const source *starter, const word *w)
{
    const item *found = is_name(w) ? find_item(starter, w) : NULL;

    return found && is(found->name + 1, '(') ? found : NULL;
}

/* The TODOs of an item that the student's program no longer calls, and of what it calls itself. */
static unsigned set_aside(const source *starter, const item *i, bool *aside)
{
    unsigned todos = todos_of(i);

    aside[i - starter->items] = true;
    for (const word *w = i->begin; w < i->end; w++) {
        const item *called = function_of(starter, w);
        if (called && !aside[called - starter->items])
            todos |= set_aside(starter, called, aside);
    }
    return todos;
}

/* student: null where it has no such item. */
static unsigned begun_by_calls(const source *starter, const item *i, const item *student,
                               bool *aside)
{
    unsigned todos = 0;

    for (const word *w = i->begin; w < i->end; w++) {
        const item *called = function_of(starter, w);
        if (called && called != i && !aside[called - starter->items] &&
            !(student && mentions(student, w)))
            todos |= set_aside(starter, called, aside);
    }
    return todos;
}

unsigned todos_open(const char *starter, const char *student)
{
    source a = { .words = NULL }, b = { .words = NULL };
    unsigned all = 0, begun = 0;
    bool *aside = NULL;

    if (read_source(&a, starter) && read_source(&b, student))
        aside = calloc(a.item_count + 1, sizeof *aside);
    for (size_t i = 0; aside && i < a.item_count; i++) {
        const item *const mine = &a.items[i], *const theirs = find_item(&b, mine->name);
        all |= todos_of(mine);
        begun |= theirs ? begun_in_item(mine, theirs) : todos_of(mine);
        if (has_body(mine))
            begun |= begun_by_calls(&a, mine, theirs, aside);
    }
    free(aside);
    free_source(&a);
    free_source(&b);
    return all & ~begun;
}

/* Up to the next marker or the end, and a few words back, is the code around a marker the same? */
static bool same_around(const item *a, const word *x, const item *b, const word *y)
{
    enum { BACK = 4 };
    const word *v = x + 1, *w = y + 1;

    for (; v < a->end && w < b->end && !v->todo && !w->todo; v++, w++)
        if (!same_word(v, w))
            return false;
    if (!((v == a->end || v->todo) && (w == b->end || w->todo)))
        return false;
    for (int k = 1; k <= BACK && x - k >= a->begin && y - k >= b->begin; k++) {
        if (x[-k].todo || y[-k].todo)
            break;
        if (!same_word(&x[-k], &y[-k]))
            return false;
    }
    return true;
}

static unsigned untouched_in_item(const item *starter, const item *student)
{
    unsigned todos = 0;

    for (const word *x = starter->begin; x < starter->end; x++)
        for (const word *y = student->begin; x->todo && y < student->end; y++)
            if (y->todo == x->todo && same_around(starter, x, student, y))
                todos |= 1u << x->todo;
    return todos;
}

unsigned todos_half(const char *starter, const char *student)
{
    source a = { .words = NULL }, b = { .words = NULL };
    unsigned seen = 0, several = 0, untouched = 0;

    const bool fine = read_source(&a, starter) && read_source(&b, student);
    for (size_t i = 0; fine && i < a.item_count; i++) {
        const item *const mine = &a.items[i], *const theirs = find_item(&b, mine->name);
        for (const word *w = mine->begin; w < mine->end; w++) {
            several |= w->todo ? seen & 1u << w->todo : 0;
            seen |= w->todo ? 1u << w->todo : 0;
        }
        untouched |= theirs ? untouched_in_item(mine, theirs) : 0;
    }
    free_source(&a);
    free_source(&b);
    return several & untouched & ~todos_open(starter, student);
}

static unsigned line_of_marker(const source *s, unsigned todo)
{
    for (size_t i = 0; i < s->word_count; i++)
        if (s->words[i].todo == todo)
            return s->words[i].line;
    return 0;
}

unsigned todos_line(const char *starter, const char *student, unsigned todo)
{
    source a = { .words = NULL }, b = { .words = NULL };
    unsigned line = 0;

    if (read_source(&a, starter) && read_source(&b, student))
        line = line_of_marker(&b, todo);
    for (size_t i = 0; !line && b.items && i < a.item_count; i++) {
        const item *const theirs =
            todos_of(&a.items[i]) & 1u << todo ? find_item(&b, a.items[i].name) : NULL;
        line = theirs ? theirs->name->line : 0;
    }
    free_source(&a);
    free_source(&b);
    return line;
}

/* Of the markers in an item, those below a line, but not the starter's first, whose code begins
   with the item. */
static unsigned todos_below(const item *i, unsigned first, unsigned line)
{
    unsigned above = 0, below = 0;

    for (const word *w = i->begin; w < i->end; w++)
        if (w->todo)
            *(w->line <= line || w->todo == first ? &above : &below) |= 1u << w->todo;
    return below & ~above;
}

static unsigned todos_at(const char *starter, const char *student, unsigned line, bool ahead)
{
    source a = { .words = NULL }, b = { .words = NULL };
    unsigned todos = 0;

    if (read_source(&a, starter) && read_source(&b, student))
        for (size_t i = 0; i < b.item_count; i++) {
            const item *const theirs = &b.items[i], *const mine = find_item(&a, theirs->name);
            if (mine && theirs->begin->line <= line && line <= theirs->end[-1].line)
                todos |=
                    todos_of(mine) & ~(ahead ? todos_below(theirs, first_todo(mine), line) : 0);
        }
    free_source(&a);
    free_source(&b);
    return todos;
}

unsigned todos_around(const char *starter, const char *student, unsigned line)
{
    return todos_at(starter, student, line, false);
}

unsigned todos_ahead(const char *starter, const char *student, unsigned line)
{
    return todos_at(starter, student, line, true);
}

/* The student's function in which the line is; null: none. */
static const item *function_at(const source *s, unsigned line)
{
    for (size_t i = 0; i < s->item_count; i++) {
        const item *const f = &s->items[i];
        if (f->name && has_body(f) && f->begin->line <= line && line <= f->end[-1].line)
            return f;
    }
    return NULL;
}

static bool is_kernel(const item *f)
{
    static const word global = { .text = "__global__", .length = 10 };
    return mentions(f, &global);
}

static bool same_words(const item *a, const item *b)
{
    bool same = a->end - a->begin == b->end - b->begin;

    for (ptrdiff_t k = 0; same && k < a->end - a->begin; k++)
        same = same_word(a->begin + k, b->begin + k);
    return same;
}

bool todos_given(const char *starter, const char *student, unsigned line)
{
    source a = { .words = NULL }, b = { .words = NULL };
    bool given = false;

    if (line && read_source(&a, starter) && read_source(&b, student)) {
        const item *const theirs = function_at(&b, line);
        const item *const mine = theirs ? find_item(&a, theirs->name) : NULL;
        given = mine && !is_kernel(mine) && !todos_of(mine) && same_words(mine, theirs);
    }
    free_source(&a);
    free_source(&b);
    return given;
}

/* Notes where a function's body calls another: one line a call. Returns whether it does. */
static bool note_calls(const item *caller, const word *name, unsigned *calls, unsigned room,
                       unsigned *count)
{
    const unsigned before = *count;

    for (const word *w = caller->begin; w + 1 < caller->end; w++)
        if (w != caller->name && same_word(w, name) && is(w + 1, '(')) {
            if (*count < room)
                calls[*count] = w->line;
            ++*count;
        }
    return *count > before;
}

unsigned todos_calling(const char *starter, const char *student, unsigned line, unsigned launch,
                       unsigned *calls, unsigned room)
{
    source a = { .words = NULL }, b = { .words = NULL };
    unsigned todos = 0, count = 0;
    const item *called = NULL;

    memset(calls, 0, room * sizeof *calls);
    if (line && read_source(&a, starter) && read_source(&b, student))
        called = function_at(&b, line);
    if (called && is_kernel(called)) {
        const item *const launcher = launch ? function_at(&b, launch) : NULL,
                          *const mine = launcher ? find_item(&a, launcher->name) : NULL;
        todos = mine ? todos_of(mine) : 0;
        called = NULL;
    }
    for (size_t i = 0; called && i < b.item_count; i++) {
        const item *const caller = &b.items[i], *const mine = find_item(&a, caller->name);
        if (caller != called && has_body(caller) &&
            note_calls(caller, called->name, calls, room, &count) && mine)
            todos |= todos_of(mine);
    }
    if (count > room)
        memset(calls, 0, room * sizeof *calls);
    free_source(&a);
    free_source(&b);
    return todos;
}
