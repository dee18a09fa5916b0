/* json_text.c: see json_text.h. */
#include "json_text.h"

#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    char *clean = strdup(text);
    for (char *c = clean; c && *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    value = clean ? json_string(clean) : NULL;
    free(clean);
    return value ? value : json_null();
}
