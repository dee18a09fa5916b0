/*
 * json.h: JSON, written piece by piece into one text that grows. Commas are set by themselves.
 * Without memory the text ends early, and json_text gives an error in its place.
 */
#ifndef LECTURE_JSON_H
#define LECTURE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_DEEP = 16 };

typedef struct json {
    char *text;
    size_t length, room;
    bool failed;
    unsigned depth;
    bool more[JSON_DEEP]; /* of each open object or array: it has an element */
} json;

void json_begin(json *j); /* an empty text; keeps its memory */
const char *json_text(json *j);

/* key null: an element of an array, or the whole. */
void json_open(json *j, const char *key, char bracket); /* { or [ */
void json_close(json *j, char bracket);                 /* } or ] */
void json_quoted(json *j, const char *key, const char *value);
void json_number(json *j, const char *key, uint64_t value); /* beyond 2^53 a string, "0x..." */
void json_signed(json *j, const char *key, int64_t value);
void json_float(json *j, const char *key, double value); /* "nan", "inf", "-inf" are strings */
void json_address(json *j, const char *key, uint64_t value);
void json_bool(json *j, const char *key, bool value);
void json_nothing(json *j, const char *key);

#endif
