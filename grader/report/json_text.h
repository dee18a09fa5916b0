/*
 * json_text.h: text that may hold bytes which a student's file, program or folder put there.
 */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <jansson.h>

/* A string; where it is not UTF-8, each byte beyond ASCII is a '?'. Null without memory. */
json_t *json_text(const char *text);

#endif
