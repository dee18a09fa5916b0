/*
 * tokens.h: CUDA C as a row of tokens, for comparing two texts: what changes nothing is not in it.
 *
 * Blanks, comments, braces, and lines of #include are left out; every name of the author's own is
 * the same token, as are all numbers and all strings. Keywords, the names of CUDA's built-in
 * variables and of its functions that kernels call, and each character of an operator are
 * themselves. It takes any text, in one pass, and calls nothing an error.
 */
#ifndef TOKENS_H
#define TOKENS_H

#include <stddef.h>
#include <stdint.h>

enum { TOKENS_MOST = 1 << 16 }; /* of a text; what comes after is not looked at */

typedef struct token {
    uint32_t code, line;
} token;

/* Up to TOKENS_MOST of them; returns how many. */
size_t tokens_take(const char *text, size_t size, token *tokens);

#endif
