/* clean.c: see clean.h. */
#include "clean.h"

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

/* Letters that take no room, or none that can be seen: two names that look alike, or text in front
   of text. The joiners, U+200C and U+200D, are needed to write some languages. */
static bool is_hidden(uint32_t c)
{
    return c == 0xad || c == 0x180e || c == 0x200b || (c >= 0x2060 && c < 0x2070) || c == 0xfeff ||
           (c >= 0xfff9 && c < 0xfffc) || (c >= 0xe0000 && c < 0xe1000);
}

static bool is_harmless(uint32_t c)
{
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
    const bool direction = c == 0x61c || c == 0x200e || c == 0x200f ||
                           (c >= 0x2028 && c < 0x202f) || (c >= 0x2066 && c < 0x206a);
    return !control && !direction && !is_hidden(c);
}

size_t clean_character(const char *text, bool *harmless)
{
    uint32_t number;
    const size_t size = character((const unsigned char *)text, &number);

    *harmless = size && is_harmless(number);
    return size ? size : 1;
}

void clean_line(char *text)
{
    clean_text(text);
    for (; *text; text++)
        if (*text == '\n' || *text == '\t')
            *text = '?';
}

void clean_text(char *text)
{
    char *to = text;
    bool harmless;

    for (const char *at = to; *at;) {
        const size_t size = clean_character(at, &harmless);
        if (harmless) {
            memmove(to, at, size);
            to += size;
        } else {
            *to++ = '?';
        }
        at += size;
    }
    *to = '\0';
}
