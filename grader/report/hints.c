/*
 * hints.c: see hints.h.
 */
#include "hints.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "path.h"
#include "wrap.h"

/* How much of it is a statement, or the head of a block: to the first ; or { outside parentheses,
   or } at once. */
static size_t statement(const char *text)
{
    int depth = 0;
    size_t i = 0;

    for (; text[i]; i++) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (depth == 0 && strchr(";{}", text[i]))
            return i + 1;
    }
    return i;
}

/* Lines of code: broken between statements; within one only where it is longer than a line. */
static void wrap_code(const char *text, int indent)
{
    int column = indent;

    while (*text) {
        char piece[1024];
        const size_t length = statement(text);
        const int spaces = column > indent;
        snprintf(piece, sizeof piece, "%.*s", (int)length, text);
        if (column > indent && column + spaces + (int)length > wrap_width()) {
            printf("\n%*s", indent, "");
            column = indent;
        } else {
            column += printf("%*s", spaces, "");
        }
        if (column + (int)length > wrap_width()) {
            wrap_text(piece, indent + 4, column);
            printf("%*s", text[length] ? indent : 0, "");
            column = indent;
        } else {
            column += printf("%s", piece);
        }
        text += length + strspn(text + length, " \n");
    }
    if (column > indent)
        printf("\n");
}

static int shown_before(const char *path)
{
    char *text;
    int shown = 0;

    if (!file_read(path, 64, &text, NULL, NULL))
        return 0;
    shown = text[0] >= '1' && text[0] <= '0' + LAB_HINTS ? text[0] - '0' : 0;
    free(text);
    return shown;
}

static void tell_rest(const lab *l, int shown)
{
    int left = LAB_HINTS - shown;

    if (left > 0)
        printf("\n%d more hint%s: make hint LAB=%.2s\n", left, left == 1 ? "" : "s", l->id);
    else
        printf("\nThat was the last one. The solution is in solutions/%s/.\n", l->id);
}

bool hints_show(const lab *l, const char *out, int level, base_error *error)
{
    static const char *const kinds[LAB_HINTS] = { "a question", "the idea", "the line" };
    const char *const hints[LAB_HINTS] = { l->question, l->idea, l->code };
    char folder[PATH_MAX], path[PATH_MAX], mark[16];
    int shown;

    if (!path_join(folder, sizeof folder, out, "hints", error) ||
        !path_join(path, sizeof path, folder, l->id, error) || !file_make_folders(folder, error))
        return false;
    shown = shown_before(path);
    if (level == 0)
        level = shown < LAB_HINTS ? shown + 1 : LAB_HINTS;
    printf("Lab %.2s, %s. Hint %d of %d, %s:\n\n  ", l->id, l->title, level, LAB_HINTS,
           kinds[level - 1]);
    if (level == LAB_HINTS)
        wrap_code(hints[level - 1], 2);
    else
        wrap_text(hints[level - 1], 2, 2);
    if (level > shown)
        shown = level;
    tell_rest(l, shown);
    snprintf(mark, sizeof mark, "%d\n", shown);
    return file_write(path, mark, strlen(mark), error);
}
