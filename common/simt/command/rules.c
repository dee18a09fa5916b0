/* rules.c: findings that the user does not want to see: a file of rules for simt_suppress, and what
   came of them. See watch_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "tell.h"
#include "watch_parts.h"

enum { MOST_BYTES = 1 << 20, MOST_RULES = 4096 };

static char *text;
static size_t bytes;
static const char *name;
/* of all devices together */
static struct rule {
    unsigned line;
    char text[100];
    uint64_t findings, occurrences;
} * rules;
static unsigned count;

static bool prepare(simt_device *device, base_error *error)
{
    const simt_suppression *list;
    if (simt_suppress(device, text, bytes, name) != SIMT_OK)
        return error_set(error, "%s", simt_error(device));
    count = simt_suppressions(device, &list);
    rules = count <= MOST_RULES ? calloc(count + 1, sizeof *rules) : NULL;
    if (!rules)
        return error_set(error, "%s holds more than %d rules", name, MOST_RULES);
    for (unsigned k = 0; k < count; k++) {
        rules[k].line = list[k].line;
        snprintf(rules[k].text, sizeof rules[k].text, "%s", list[k].rule);
    }
    return true;
}

bool rules_begin(const char *path, base_error *error)
{
    simt_config small = simt_default_config();
    simt_device *device;
    if (!*path)
        return true;
    name = path;
    if (!file_read(path, MOST_BYTES, &text, &bytes, error))
        return false;
    small.memory = 1 << 20;
    if (simt_open(&small, &device) != SIMT_OK)
        return error_set(error, "no memory to read the rules of %s", path);
    bool good = prepare(device, error);
    simt_close(device);
    return good;
}

void rules_apply(simt_device *device)
{
    if (text && simt_suppressions(device, NULL) == 0)
        simt_suppress(device, text, bytes, name);
}

void rules_learn(simt_device *device)
{
    const simt_suppression *list;
    unsigned n = text ? simt_suppressions(device, &list) : 0;
    for (unsigned k = 0; k < n && k < count; k++) {
        rules[k].findings += list[k].findings;
        rules[k].occurrences += list[k].occurrences;
    }
}

void rules_tell(void)
{
    for (unsigned k = 0; k < count; k++) {
        char line[400];
        if (rules[k].findings)
            snprintf(line, sizeof line, "%s:%u has left out %llu finding%s (%llu time%s): %s", name,
                     rules[k].line, (unsigned long long)rules[k].findings,
                     rules[k].findings == 1 ? "" : "s", (unsigned long long)rules[k].occurrences,
                     rules[k].occurrences == 1 ? "" : "s", rules[k].text);
        else
            snprintf(line, sizeof line, "%s:%u was never used: %s", name, rules[k].line,
                     rules[k].text);
        tell_wrapped("  ", 4, line);
    }
}
