/*
 * toml.c: see toml.h. A line at a time.
 */
#define _GNU_SOURCE
#include "toml.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

enum { LIMIT = 1 << 16 };

typedef struct reader {
    const char *path;
    unsigned line;
    const char *at; /* in the line */
    toml_file *file;
    char table[TOML_NAME];
    base_error *error;
} reader;

static bool fail(const reader *r, const char *what)
{
    return error_set(r->error, "%s:%u: %s", r->path, r->line, what);
}

static void skip_blanks(reader *r) { r->at += strspn(r->at, " \t"); }

static bool at_end(reader *r)
{
    skip_blanks(r);
    return *r->at == '\0' || *r->at == '#';
}

static bool expect_end(reader *r)
{
    return at_end(r) || fail(r, "one value a line is expected, and then nothing but a # comment");
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_bare(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

/* A bare or quoted name, appended. */
static bool read_name(reader *r, char *name, size_t used)
{
    const char quote = *r->at == '"' || *r->at == '\'' ? *r->at++ : '\0';

    const size_t begin = used;
    while (quote ? *r->at && *r->at != quote && *r->at != '\\' : is_bare(*r->at)) {
        if (used + 1 >= TOML_NAME)
            return fail(r, "this name is too long");
        name[used++] = *r->at++;
    }
    name[used] = '\0';
    if (quote && *r->at++ != quote)
        return fail(r, "the quote after this name is missing");
    return used > begin || fail(r, "a name is expected here: letters, digits, _ and -");
}

static bool is_there(const toml_file *file, const char *table, const char *key)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->values[i].table, table) == 0 && strcmp(file->values[i].key, key) == 0)
            return true;
    return false;
}

static bool add(reader *r, const toml_value *value)
{
    if (is_there(r->file, value->table, value->key))
        return error_set(r->error, "%s:%u: %s%s%s is here for the second time", r->path, r->line,
                         value->key[0] ? "" : "[", value->key[0] ? value->key : value->table,
                         value->key[0] ? "" : "]");
    if (r->file->count == TOML_MOST)
        return fail(r, "the file has too many lines for a course file");
    r->file->values[r->file->count++] = *value;
    return true;
}

/* [lab.04] */
static bool read_table(reader *r)
{
    toml_value value = { .line = r->line, .kind = TOML_TABLE };
    size_t used = 0;

    if (*++r->at == '[')
        return fail(r, "[[lists of tables]] are not read here: write [lab.04]");
    for (;;) {
        skip_blanks(r);
        if (!read_name(r, value.table, used))
            return false;
        used = strlen(value.table);
        skip_blanks(r);
        if (*r->at != '.')
            break;
        r->at++;
        if (used + 2 >= TOML_NAME)
            return fail(r, "this name is too long");
        value.table[used++] = '.';
        value.table[used] = '\0';
    }
    if (*r->at++ != ']')
        return fail(r, "a ] is expected after the name, as in [lab.04]");
    memcpy(r->table, value.table, sizeof r->table);
    return expect_end(r) && add(r, &value);
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool read_string(reader *r, toml_value *value)
{
    const char quote = *r->at++;
    size_t used = 0;

    if (r->at[0] == quote && r->at[1] == quote)
        return fail(r, "a string of several lines is not read here: write it on one");
    for (; *r->at && *r->at != quote; r->at++) {
        char c = *r->at;
        if (quote == '"' && c == '\\') {
            static const char from[] = "\"\\tn", to[] = "\"\\\t\n";
            const char *found = *++r->at ? strchr(from, *r->at) : NULL;
            if (!found)
                return fail(r, "after a \\ in a string one of \" \\ t n is expected");
            c = to[found - from];
        }
        if (used + 1 >= TOML_TEXT)
            return fail(r, "this string is too long");
        value->text[used++] = c;
    }
    value->text[used] = '\0';
    value->kind = TOML_STRING;
    return *r->at++ == quote || fail(r, "the quote at the end of the string is missing");
}

bool toml_date(const char *text, time_t *time)
{
    struct tm when = { .tm_isdst = -1 }, check;
    int year, month, day, hours = 23, minutes = 59, seconds = 59, used = 0, more = 0;

    if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3 || used != 10)
        return false;
    text += used;
    const bool timed = *text == 'T' || *text == 't' || *text == ' ';
    if (timed) {
        if (sscanf(++text, "%2d:%2d:%2d%n", &hours, &minutes, &seconds, &more) != 3 || more != 8)
            return false;
        text += more;
        if (*text == '.')
            text += 1 + strspn(text + 1, "0123456789");
    }
    when.tm_year = year - 1900;
    when.tm_mon = month - 1;
    when.tm_mday = day;
    when.tm_hour = hours;
    when.tm_min = minutes;
    when.tm_sec = seconds;
    check = when;
    const time_t utc = timegm(&check);
    if (check.tm_mon != month - 1 || check.tm_mday != day || hours > 23 || minutes > 59 ||
        seconds > 60)
        return false; /* 2026-02-30 */
    int east = 0, and = 0;
    char sign;
    if (timed && (*text == 'Z' || *text == 'z')) {
        *time = utc;
        text++;
    } else if (timed && sscanf(text, "%c%2d:%2d%n", &sign, &east, &and, &used) == 3 &&
               (sign == '+' || sign == '-') && used == 6 && east < 24 && and < 60) {
        *time = utc - (sign == '-' ? -1 : 1) * (east * 3600 + and*60);
        text += used;
    } else {
        *time = mktime(&when);
    }
    return *text == '\0';
}

/* A number, true, false or a date: all up to a blank that no time follows. */
static bool read_plain(reader *r, toml_value *value)
{
    size_t length = strcspn(r->at, " \t#,");
    char *end;

    if (length == 10 && r->at[4] == '-' && r->at[10] == ' ' && isdigit((unsigned char)r->at[11]))
        length += 1 + strcspn(r->at + 11, " \t#,");
    if (length + 1 > TOML_TEXT)
        return fail(r, "this value is too long");
    memcpy(value->text, r->at, length);
    value->text[length] = '\0';
    r->at += length;
    const char *const text = value->text;
    const char *const digits = text + (*text == '+' || *text == '-');
    value->kind = TOML_BOOL;
    value->number = strcmp(text, "true") == 0;
    if (value->number || strcmp(text, "false") == 0)
        return true;
    value->kind = TOML_DATE;
    if (toml_date(text, &value->time))
        return true;
    value->kind = TOML_NUMBER;
    value->number = strtod(text, &end);
    value->whole = digits[strspn(digits, "0123456789")] == '\0';
    const bool leading = digits[0] == '0' && isdigit((unsigned char)digits[1]);
    const char *const point = strchr(text, '.');
    if (*digits && *end == '\0' && isdigit((unsigned char)*digits) && !leading &&
        strspn(digits, "0123456789.eE+-") == strlen(digits) &&
        (!point || isdigit((unsigned char)point[1])))
        return true;
    return error_set(
        r->error,
        "%s:%u: \"%s\" is not a value: a \"string\" in quotes, a number, true, false, or "
        "a date as in 2026-12-08T23:59:00 is expected",
        r->path, r->line, text);
}

static bool read_pair(reader *r)
{
    toml_value value = { .line = r->line };

    memcpy(value.table, r->table, sizeof value.table);
    if (!read_name(r, value.key, 0))
        return false;
    skip_blanks(r);
    if (*r->at == '.')
        return fail(r, "dotted keys are not read here: write a [table] above it");
    if (*r->at++ != '=')
        return fail(r, "a = is expected after the name, as in points = 50");
    skip_blanks(r);
    if (*r->at == '[' || *r->at == '{')
        return fail(r, "lists and inline tables are not read here: write a \"string\", or a "
                       "[table] of its own");
    if (at_end(r))
        return fail(r, "a value is expected after the =");
    const bool fine =
        *r->at == '"' || *r->at == '\'' ? read_string(r, &value) : read_plain(r, &value);
    return fine && expect_end(r) && add(r, &value);
}

bool toml_read(const char *path, toml_file *file, base_error *error)
{
    reader r = { .path = path, .file = file, .error = error };
    char *text, *rest;
    size_t size;
    bool fine = true;

    file->count = 0;
    if (!file_read(path, LIMIT, &text, &size, error))
        return false;
    if (strlen(text) != size)
        fine = error_set(error, "%s: it has a NUL byte, so it is not text", path);
    rest = text + (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    for (char *line; fine && (line = strsep(&rest, "\n"));) {
        const size_t length = strlen(line);
        if (length > 0 && line[length - 1] == '\r')
            line[length - 1] = '\0';
        r.line++;
        r.at = line;
        if (!at_end(&r))
            fine = *r.at == '[' ? read_table(&r) : read_pair(&r);
    }
    free(text);
    return fine;
}
