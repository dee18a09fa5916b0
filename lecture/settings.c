/*
 * settings.c: settings_* of recording.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

static const char *const orders[] = { "in", "reversed", "shuffled" };
static const struct {
    const char *name;
    unsigned bits;
} checks[] = { { "counters", SIMT_CHECK_COUNTERS }, { "bounds", SIMT_CHECK_BOUNDS },
               { "races", SIMT_CHECK_RACES },       { "unset", SIMT_CHECK_UNSET },
               { "all", SIMT_CHECK_ALL },           { "none", 0 } };

enum { ORDERS = sizeof orders / sizeof *orders, CHECKS = sizeof checks / sizeof *checks };

static bool take_order(settings *s, const char *value)
{
    for (unsigned k = 0; k < ORDERS; k++)
        if (strcmp(orders[k], value) == 0) {
            s->config.block_order = (simt_block_order)k;
            return true;
        }
    return false;
}

static bool take_checks(settings *s, char *value)
{
    s->config.checks = 0;
    for (char *rest = value, *name; (name = strsep(&rest, ","));) {
        unsigned k = 0;
        while (k < CHECKS && strcmp(checks[k].name, name) != 0)
            k++;
        if (k == CHECKS)
            return false;
        s->config.checks |= checks[k].bits;
    }
    return true;
}

static bool take_number(settings *s, const char *key, const char *value)
{
    char *end;
    const uint64_t number = strtoull(value, &end, 10);

    if (end == value || *end)
        return false;
    if (strcmp(key, "resident") == 0 && number <= 1024)
        s->config.resident_blocks = (unsigned)number;
    else if (strcmp(key, "seed") == 0)
        s->config.seed = number;
    else if (strcmp(key, "shuffle") == 0 && number <= 1)
        s->config.shuffle_warps = number;
    else if (strcmp(key, "late") == 0 && number <= 1)
        s->config.late_stores = number;
    else if (strcmp(key, "view") == 0 && number <= UINT32_MAX)
        s->view = (unsigned)number;
    else if (strcmp(key, "viewed") == 0 && number <= UINT32_MAX)
        s->viewed = (unsigned)number;
    else
        return false;
    return true;
}

bool settings_take(settings *s, const char *words, char error[RECORDING_ERROR])
{
    char *copy = strdup(words), *rest = copy, *word;
    bool good = copy != NULL;

    while (good && (word = strsep(&rest, " \n"))) {
        char *value = strchr(word, '=');
        if (!*word)
            continue;
        if (value)
            *value++ = '\0';
        good = value && (strcmp(word, "order") == 0    ? take_order(s, value)
                         : strcmp(word, "checks") == 0 ? take_checks(s, value)
                                                       : take_number(s, word, value));
        if (!good)
            snprintf(error, RECORDING_ERROR, "there is no setting %.40s=%.40s", word,
                     value ? value : "");
    }
    free(copy);
    return good;
}

void settings_text(const settings *s, char *text, size_t room)
{
    const simt_config *c = &s->config;
    int at = snprintf(text, room, "resident=%u order=%s shuffle=%d seed=%llu late=%d checks=none",
                      c->resident_blocks, orders[c->block_order], c->shuffle_warps,
                      (unsigned long long)c->seed, c->late_stores);

    for (unsigned k = 0; k < CHECKS && checks[k].bits != SIMT_CHECK_ALL; k++)
        if (c->checks & checks[k].bits && (size_t)at < room)
            at += snprintf(text + at, room - (size_t)at, ",%s", checks[k].name);
}

bool settings_equal(const settings *a, const settings *b)
{
    char one[RECORDING_ERROR], other[RECORDING_ERROR];

    settings_text(a, one, sizeof one);
    settings_text(b, other, sizeof other);
    return strcmp(one, other) == 0;
}
