/*
 * error_advice.h: what a beginner can do about a compiler's error, where its words say what the
 * mistake is.
 */
#ifndef ERROR_ADVICE_H
#define ERROR_ADVICE_H

#include <stddef.h>

/* text: the error's words, after "error: ", up to the line's end; its notes follow below, up to
   `end`. file: "slug.cu". advice: a sentence; "" where nothing is known. */
void error_advice(const char *text, const char *end, const char *file, char *advice, size_t room);

#endif
