/*
 * questions.c: see questions.h.
 */
#include "questions.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "file.h"

enum { PAGE_LIMIT = 1 << 17 };

/* Where the question begins, after "**Think about**"; null: there is none. */
static const char *find(const char *page, unsigned number)
{
    const char *at = strstr(page, "\n**Think about**");
    char mark[16];

    snprintf(mark, sizeof mark, "\n%u. ", number);
    at = at ? strstr(at, mark) : NULL;
    return at ? at + 1 : NULL;
}

/* Up to the next question, or an empty line. */
static size_t length_of(const char *question)
{
    const char *end = question;

    while ((end = strchr(end, '\n')) != NULL && end[1] == ' ')
        end++;
    return end ? (size_t)(end - question) : strlen(question);
}

/* A star that begins or ends emphasis: a word on one side, and none on the other. */
static bool is_emphasis(char before, char after)
{
    return !isalnum((unsigned char)before) != !isalnum((unsigned char)after);
}

/* Does the bracket at `open` begin a link? Those of an array, as in Sum[], do not. */
static bool begins_link(const char *open, const char *end)
{
    const char *const close = memchr(open, ']', (size_t)(end - open));

    return close && close + 1 < end && close[1] == '(';
}

/* In one line: [words](target) is its words, *words* without its stars; code stays as it is. */
static void plain(const char *from, size_t length, char *text, size_t room)
{
    const char *const end = from + length;
    size_t used = 0;
    bool code = false;

    for (; from < end && used + 1 < room; from++) {
        code = code != (*from == '`');
        if (!code && *from == ']' && from[1] == '(') {
            from = strchr(from, ')');
            continue;
        }
        if (!code && *from == '[' && begins_link(from, end))
            continue;
        if (!code && *from == '*' && is_emphasis(from[-1], from[1]))
            continue;
        const bool blank = isspace((unsigned char)*from);
        if (!blank || text[used - 1] != ' ')
            text[used++] = blank ? ' ' : *from;
    }
    text[used] = '\0';
}

bool questions_text(const lab *l, unsigned number, char *text, size_t room)
{
    char path[PATH_MAX], *page;

    snprintf(path, sizeof path, "%s/labs/%s/README.md", SCANLAB_SOURCE_DIR, l->id);
    if (!file_read(path, PAGE_LIMIT, &page, NULL, NULL))
        return false;
    const char *const question = find(page, number);
    if (question)
        plain(question, length_of(question), text, room);
    free(page);
    return question != NULL;
}
