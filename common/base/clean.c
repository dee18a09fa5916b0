/* clean.c: see clean.h. */
#define _GNU_SOURCE
#include "clean.h"

#include <locale.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

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

typedef struct range {
    uint32_t first, last;
} range;

static bool is_in(uint32_t c, const range *all, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (c >= all[k].first && c <= all[k].last)
            return true;
    return false;
}

/* What takes no room, or none that can be seen: two names that look alike, or text before text.
   Unicode's Default_Ignorable_Code_Point, without the joiners U+200C and U+200D, which some
   languages need; notes between lines; blanks of Braille, of hieroglyphs and of music; what places
   hieroglyphs; and what never stands for a character. */
static const range hidden[] = {
    { 0xad, 0xad },       { 0x34f, 0x34f },     { 0x61c, 0x61c },     { 0x115f, 0x1160 },
    { 0x17b4, 0x17b5 },   { 0x180b, 0x180f },   { 0x200b, 0x200b },   { 0x2060, 0x206f },
    { 0x2800, 0x2800 },   { 0x3164, 0x3164 },   { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },
    { 0xfdd0, 0xfdef },   { 0xffa0, 0xffa0 },   { 0xfff0, 0xfffb },   { 0x13430, 0x13455 },
    { 0x16fe4, 0x16fe4 }, { 0x1bca0, 0x1bca3 }, { 0x1d159, 0x1d159 }, { 0x1d173, 0x1d17a },
    { 0xe0000, 0xe0fff },
};

static const range blanks[] = { { 0x20, 0x20 },     { 0xa0, 0xa0 },     { 0x1680, 0x1680 },
                                { 0x2000, 0x200a }, { 0x200c, 0x200d }, { 0x202f, 0x202f },
                                { 0x205f, 0x205f }, { 0x3000, 0x3000 } };

static bool is_harmless(uint32_t c)
{
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
    const bool direction = c == 0x200e || c == 0x200f || (c >= 0x2028 && c < 0x202f);
    const bool character = (c & 0xfffe) != 0xfffe;
    return character && !control && !direction && !is_in(c, hidden, sizeof hidden / sizeof *hidden);
}

size_t clean_character(const char *text, bool *harmless)
{
    uint32_t number;
    const size_t size = character((const unsigned char *)text, &number);

    *harmless = size && is_harmless(number);
    return size ? size : 1;
}

/* What wcwidth says, whatever the user's locale is; 1 where it does not say. */
static unsigned width_of(uint32_t number)
{
    static locale_t unicode;

    if (number >= 0x20 && number < 0x7f)
        return 1;
    if (!unicode)
        unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
    if (!unicode)
        return 1;
    const locale_t before = uselocale(unicode);
    const int width = wcwidth((wchar_t)number);
    uselocale(before);
    return width < 0 ? 1 : (unsigned)width;
}

unsigned clean_columns(const char *text, size_t size)
{
    unsigned columns = 0;
    uint32_t number;

    for (size_t at = 0, bytes; at < size && text[at]; at += bytes) {
        bytes = character((const unsigned char *)text + at, &number);
        columns += bytes ? width_of(number) : 1;
        bytes = bytes ? bytes : 1;
    }
    return columns;
}

size_t clean_blanks(const char *text)
{
    const char *at = text;
    uint32_t number;

    for (size_t size; (size = character((const unsigned char *)at, &number)) > 0 &&
                      is_in(number, blanks, sizeof blanks / sizeof *blanks);)
        at += size;
    return (size_t)(at - text);
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
