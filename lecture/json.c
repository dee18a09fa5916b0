/*
 * json.c: see json.h.
 */
#include "json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(json *j, const char *text, size_t length)
{
    if (j->length + length + 1 > j->room && !j->failed) {
        size_t room = 2 * (j->length + length + 1) + 1024;
        char *grown = realloc(j->text, room);
        j->failed = !grown;
        if (grown) {
            j->text = grown;
            j->room = room;
        }
    }
    if (j->failed)
        return;
    memcpy(j->text + j->length, text, length);
    j->length += length;
    j->text[j->length] = '\0';
}

static void add_format(json *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_format(json *j, const char *format, ...)
{
    char text[64];
    va_list args;

    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add(j, text, (size_t)length);
}

static void quoted(json *j, const char *s)
{
    add(j, "\"", 1);
    while (*s) {
        size_t plain = 0;
        while ((unsigned char)s[plain] >= ' ' && s[plain] != '"' && s[plain] != '\\')
            plain++;
        add(j, s, plain);
        s += plain;
        if (!*s)
            break;
        if (*s == '"' || *s == '\\')
            add_format(j, "\\%c", *s);
        else
            add_format(j, "\\u%04x", (unsigned char)*s);
        s++;
    }
    add(j, "\"", 1);
}

static void begin_value(json *j, const char *key)
{
    if (j->more[j->depth])
        add(j, ",", 1);
    j->more[j->depth] = true;
    if (key) {
        quoted(j, key);
        add(j, ":", 1);
    }
}

void json_begin(json *j)
{
    j->length = j->depth = 0;
    j->more[0] = j->failed = false;
    add(j, "", 0);
}

const char *json_text(json *j)
{
    return j->failed ? "{\"error\":\"there is not enough memory for the answer\"}" : j->text;
}

void json_open(json *j, const char *key, char bracket)
{
    begin_value(j, key);
    add(j, &bracket, 1);
    if (j->depth + 1 < JSON_DEEP)
        j->depth++;
    j->more[j->depth] = false;
}

void json_close(json *j, char bracket)
{
    add(j, &bracket, 1);
    j->depth--;
}

void json_quoted(json *j, const char *key, const char *value)
{
    begin_value(j, key);
    quoted(j, value);
}

void json_number(json *j, const char *key, uint64_t value)
{
    if (value > 1ull << 53) {
        json_address(j, key, value);
        return;
    }
    begin_value(j, key);
    add_format(j, "%llu", (unsigned long long)value);
}

void json_signed(json *j, const char *key, int64_t value)
{
    if (value > 1ll << 53 || value < -(1ll << 53)) {
        json_address(j, key, (uint64_t)value);
        return;
    }
    begin_value(j, key);
    add_format(j, "%lld", (long long)value);
}

void json_float(json *j, const char *key, double value)
{
    if (isnan(value) || isinf(value)) {
        json_quoted(j, key, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    begin_value(j, key);
    add_format(j, "%.9g", value);
}

void json_address(json *j, const char *key, uint64_t value)
{
    begin_value(j, key);
    add_format(j, "\"0x%llx\"", (unsigned long long)value);
}

void json_bool(json *j, const char *key, bool value)
{
    begin_value(j, key);
    add(j, value ? "true" : "false", value ? 4 : 5);
}

void json_nothing(json *j, const char *key)
{
    begin_value(j, key);
    add(j, "null", 4);
}
