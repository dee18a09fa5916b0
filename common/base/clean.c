/* clean.c: see clean.h. */
#include "clean.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes of the UTF-8 character at text, and its number; 0 where it is none. */
static size_t character(const unsigned char *text, uint32_t *number)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const size_t size = text[0] < 0x80                      ? 1
                        : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                        : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                        : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                            : 0;

    *number = size < 2 ? text[0] : text[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *number = *number << 6 | (text[i] & 0x3f);
    }
    return size && *number >= least[size] && *number <= 0x10ffff &&
                   (*number < 0xd800 || *number > 0xdfff)
               ? size
               : 0;
}

static bool is_harmless(uint32_t c)
{
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
    const bool direction = c == 0x61c || c == 0x200e || c == 0x200f ||
                           (c >= 0x2028 && c < 0x202f) || (c >= 0x2066 && c < 0x206a);
    return !control && !direction;
}

void clean_text(char *text)
{
    unsigned char *to = (unsigned char *)text;
    uint32_t number;

    for (const unsigned char *at = to; *at;) {
        const size_t size = character(at, &number);
        if (size && is_harmless(number)) {
            memmove(to, at, size);
            to += size;
        } else {
            *to++ = '?';
        }
        at += size ? size : 1;
    }
    *to = '\0';
}
