/*
 * markup.c: see markup.h.
 */
#include "markup.h"

#include <string.h>

#include "clean.h"

static const char *entity(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void markup_bytes(FILE *to, const char *text, size_t size)
{
    for (const char *at = text; at < text + size && *at;) {
        bool harmless;
        const size_t one = clean_character(at, &harmless);
        if (!harmless)
            putc('?', to);
        else if (entity(*at))
            fputs(entity(*at), to);
        else
            fwrite(at, 1, one, to);
        at += one;
    }
}

void markup_text(FILE *to, const char *text) { markup_bytes(to, text, strlen(text)); }
