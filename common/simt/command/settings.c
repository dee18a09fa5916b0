/* settings.c: see settings.h. */
#include "settings.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"

typedef bool setter(settings *s, const char *value, base_error *error);

bool settings_number(const char *text, const char *what, uint64_t least, uint64_t most,
                     uint64_t *value, base_error *error)
{
    char *end;
    uint64_t unit = 1;

    errno = 0;
    unsigned long long n = strtoull(text, &end, 0);
    if (end != text && *end && !end[1])
        unit = *end == 'k' ? 1000u : *end == 'M' ? 1000000u : *end == 'G' ? 1000000000u : 0;
    if (!isdigit((unsigned char)*text) || unit == 0 || (unit == 1 && *end) || errno != 0 ||
        n > UINT64_MAX / unit || n * unit < least || n * unit > most)
        return error_set(error, "%s is \"%s\"; it takes a whole number from %llu to %llu", what,
                         text, (unsigned long long)least, (unsigned long long)most);
    *value = n * unit;
    return true;
}

bool settings_dim(const char *text, const char *what, unsigned missing, simt_dim *dim,
                  base_error *error)
{
    unsigned long long part[3] = { missing, missing, missing };
    const char *at = text;
    unsigned n = 0;

    while (n < 3 && isdigit((unsigned char)*at)) {
        char *end;
        part[n++] = strtoull(at, &end, 10);
        at = end;
        if (*at == ',' && isdigit((unsigned char)at[1]))
            at++;
    }
    if (n == 0 || *at || part[0] > UINT_MAX || part[1] > UINT_MAX || part[2] > UINT_MAX)
        return error_set(error,
                         "%s is \"%s\"; it takes one to three whole numbers, as in 4 or 4,2,1",
                         what, text);
    *dim = (simt_dim){ (unsigned)part[0], (unsigned)part[1], (unsigned)part[2] };
    return true;
}

/* ---- one function an option ------------------------------------------------------------------ */

static bool set_order(settings *s, const char *value, base_error *error)
{
    static const char *const names[] = { "in", "reversed", "shuffled" };
    for (int k = 0; k < 3; k++)
        if (strcmp(value, names[k]) == 0) {
            s->config.block_order = (simt_block_order)k;
            return true;
        }
    return error_set(error, "there is no order \"%s\" of blocks: it is in, reversed or shuffled",
                     value);
}

static bool set_resident(settings *s, const char *value, base_error *error)
{
    uint64_t n = 0;
    bool ok = settings_number(value, "--resident, the blocks at a time,", 1, 65536, &n, error);
    if (ok)
        s->config.resident_blocks = (unsigned)n;
    return ok;
}

static bool set_devices(settings *s, const char *value, base_error *error)
{
    uint64_t n = 0;
    bool ok =
        settings_number(value, "--devices, the GPUs of the host,", 1, SIMT_MAX_GPUS, &n, error);
    if (ok)
        s->config.gpus = (unsigned)n;
    return ok;
}

static bool set_gpu_order(settings *s, const char *value, base_error *error)
{
    uint64_t n = 0;
    if (strcmp(value, "in") == 0 || strcmp(value, "reversed") == 0) {
        s->config.gpu_order = *value == 'i' ? SIMT_GPUS_IN_TURN : SIMT_GPUS_REVERSED;
        return true;
    }
    if (!settings_number(value, "--device-order, in, reversed, or the GPU that is starved,", 0,
                         SIMT_MAX_GPUS - 1, &n, error))
        return false;
    s->config.gpu_order = SIMT_GPUS_STARVED;
    s->config.starved = (unsigned)n;
    return true;
}

static bool set_seed(settings *s, const char *value, base_error *error)
{
    s->config.shuffle_warps = true;
    return settings_number(value, "--seed", 0, UINT64_MAX, &s->config.seed, error);
}

static bool set_seeds(settings *s, const char *value, base_error *error)
{
    return settings_number(value, "--seeds", 1, 10000, &s->seeds, error);
}

static bool set_time(settings *s, const char *value, base_error *error)
{
    return settings_number(value, "--time, in seconds,", 1, 100000, &s->seconds, error);
}

/* Of a sample, most memory was never written. */
static void leave_out(settings *s)
{
    if (s->sample)
        s->config.checks &= ~(unsigned)SIMT_CHECK_UNSET;
}

static bool set_sample(settings *s, const char *value, base_error *error)
{
    (void)value, (void)error;
    s->sample = true;
    s->config.excerpt = 1 << 22;
    leave_out(s);
    return true;
}

static bool set_late(settings *s, const char *value, base_error *error)
{
    (void)value, (void)error;
    return s->config.late_stores = true;
}

static bool set_checks(settings *s, const char *value, base_error *error)
{
    static const struct {
        const char *name;
        unsigned bits;
    } known[] = {
        { "all", SIMT_CHECK_ALL },           { "none", 0 },
        { "counters", SIMT_CHECK_COUNTERS }, { "bounds", SIMT_CHECK_BOUNDS },
        { "races", SIMT_CHECK_RACES },       { "init", SIMT_CHECK_UNSET },
    };
    unsigned bits = 0;
    for (const char *word = value;; word++) {
        size_t length = strcspn(word, ","), k = 0;
        while (k < sizeof known / sizeof *known &&
               (strlen(known[k].name) != length || strncmp(known[k].name, word, length) != 0))
            k++;
        if (k == sizeof known / sizeof *known)
            return error_set(error,
                             "there is no check \"%.*s\": there are bounds, races, init and "
                             "counters, separated by commas, or all, or none",
                             (int)length, word);
        bits |= known[k].bits;
        word += length;
        if (!*word)
            break;
    }
    s->config.checks = s->what == WATCH_STATS ? bits | SIMT_CHECK_COUNTERS : bits;
    leave_out(s);
    return true;
}

static bool set_budget(settings *s, const char *value, base_error *error)
{
    return settings_number(value, "--budget", 1, UINT64_MAX, &s->config.budget, error);
}

static bool set_host_threads(settings *s, const char *value, base_error *error)
{
    uint64_t n = 0;
    bool ok = settings_number(value, "--host-threads", 1, 256, &n, error);
    if (ok)
        s->config.host_threads = (unsigned)n;
    return ok;
}

static bool set_path(char *to, const char *value, const char *what, base_error *error)
{
    if (*value && strlen(value) < PATH_MAX) {
        strcpy(to, value);
        return true;
    }
    return error_set(error, "%s needs the name of a file", what);
}

static bool set_out(settings *s, const char *value, base_error *error)
{
    return set_path(s->out, value, "--out", error);
}

static bool set_format(settings *s, const char *value, base_error *error)
{
    static const char *const names[] = { "text", "gcc", "sarif" };
    for (int k = 0; k < 3; k++)
        if (strcmp(value, names[k]) == 0) {
            s->format = (settings_format)k;
            return true;
        }
    return error_set(error, "there is no format \"%s\": it is text, gcc or sarif", value);
}

static bool set_suppress(settings *s, const char *value, base_error *error)
{
    return set_path(s->suppress, value, "--suppress", error);
}

static bool set_leaks(settings *s, const char *value, base_error *error)
{
    (void)value, (void)error;
    return s->leaks = true;
}

static bool set_quiet_headers(settings *s, const char *value, base_error *error)
{
    (void)value, (void)error;
    return s->quiet_headers = true;
}

static bool set_block(settings *s, const char *value, base_error *error)
{
    s->select.any_block = strcmp(value, "all") == 0;
    return s->select.any_block || settings_dim(value, "--show-block, the block that is shown,", 0,
                                               &s->select.block, error);
}

static bool set_warp(settings *s, const char *value, base_error *error)
{
    uint64_t n = 0;
    s->select.any_warp = strcmp(value, "all") == 0;
    bool ok = s->select.any_warp || settings_number(value, "--warp", 0, 31, &n, error);
    s->select.warp = (unsigned)n;
    return ok;
}

static bool set_lane(settings *s, const char *value, base_error *error)
{
    uint64_t n = 0;
    if (strcmp(value, "all") == 0) {
        s->lane = LANE_ALL;
        return true;
    }
    bool ok = settings_number(value, "--lane", 0, 31, &n, error);
    if (ok)
        s->lane = (int)n;
    return ok;
}

static bool set_line(unsigned *to, const char *value, const char *what, base_error *error)
{
    uint64_t n = 0;
    bool ok = settings_number(value, what, 1, UINT_MAX, &n, error);
    if (ok)
        *to = (unsigned)n;
    return ok;
}

static bool set_from(settings *s, const char *value, base_error *error)
{
    return set_line(&s->from, value, "--from", error);
}
static bool set_to(settings *s, const char *value, base_error *error)
{
    return set_line(&s->to, value, "--to", error);
}
static bool set_skip(settings *s, const char *value, base_error *error)
{
    return settings_number(value, "--skip", 0, UINT64_MAX, &s->skip, error);
}
static bool set_count(settings *s, const char *value, base_error *error)
{
    return settings_number(value, "--count", 1, UINT64_MAX, &s->count, error);
}
static bool set_launch(settings *s, const char *value, base_error *error)
{
    return settings_number(value, "--launch", 1, UINT64_MAX, &s->launch, error);
}

static bool set_kernel(settings *s, const char *value, base_error *error)
{
    if (*value && strlen(value) < sizeof s->kernel) {
        strcpy(s->kernel, value);
        return true;
    }
    return error_set(error, "--only needs the name of a kernel");
}

static bool set_per_line(settings *s, const char *value, base_error *error)
{
    (void)value, (void)error;
    return s->per_line = true;
}

static bool set_csv(settings *s, const char *value, base_error *error)
{
    (void)value, (void)error;
    return s->csv = true;
}

/* ---- the table ------------------------------------------------------------------------------- */

enum { ANY = WATCH_FINDINGS | WATCH_TRACE | WATCH_STATS };

static const struct option {
    const char *name, *value;
    int what;
    setter *set;
    const char *help;
} table[] = {
    { "order", "O", ANY, set_order, "order in which blocks start: in, reversed, shuffled" },
    { "resident", "R", ANY, set_resident, "blocks in flight at a time (8)" },
    { "devices", "G", ANY, set_devices, "GPUs of the host, 1 to 8 (1, or GPUS)" },
    { "device-order", "ORDER", ANY, set_gpu_order,
      "in, reversed, or the GPU that is starved (in)" },
    { "seed", "S", ANY, set_seed, "warps take turns at random, from this seed" },
    { "seeds", "N", WATCH_FINDINGS, set_seeds, "run under N seeds, with late stores" },
    { "time", "S", WATCH_FINDINGS, set_time,
      "run under seeds until something is found or S s are over" },
    { "sample", NULL, WATCH_FINDINGS, set_sample,
      "run only the first and the last 4 blocks of launches" },
    { "late-stores", NULL, ANY, set_late, "others see stores late unless a fence is between" },
    { "checks", "LIST", ANY, set_checks, "of bounds, races, init, counters; or all, none" },
    { "budget", "N", ANY, set_budget, "warp instructions until a launch is called hung" },
    { "host-threads", "N", ANY, set_host_threads, "processors to use (all)" },
    { "leaks", NULL, ANY, set_leaks, "report what was allocated and never freed" },
    { "quiet-headers", NULL, ANY, set_quiet_headers, "leave out what CUB and Thrust do alone" },
    { "suppress", "FILE", ANY, set_suppress, "leave out the findings that its rules name" },
    { "out", "FILE", ANY, set_out, "write what was seen there, not on standard error" },
    { "format", "F", WATCH_FINDINGS, set_format, "of the report: text, gcc (for editors), sarif" },
    { "only", "KERNEL", WATCH_TRACE, set_kernel, "trace this kernel alone" },
    { "launch", "N", WATCH_TRACE, set_launch, "trace the N-th launch of the program alone" },
    { "show-block", "X,Y,Z", WATCH_TRACE, set_block, "the block to show, or all (0)" },
    { "warp", "W", WATCH_TRACE, set_warp, "the warp of the block, or all (0)" },
    { "lane", "L", WATCH_TRACE, set_lane, "the values of this lane, or all 32, not a summary" },
    { "from", "LINE", WATCH_TRACE, set_from, "from this source line on" },
    { "to", "LINE", WATCH_TRACE, set_to, "up to this source line" },
    { "skip", "N", WATCH_TRACE, set_skip, "leave out the first N instructions" },
    { "count", "N", WATCH_TRACE, set_count, "show N instructions (100)" },
    { "per-line", NULL, WATCH_STATS, set_per_line, "counters by source line, beside its text" },
    { "csv", NULL, WATCH_STATS, set_csv, "as comma-separated values, exact numbers" },
};

enum { OPTIONS = sizeof table / sizeof *table };

static const struct option *find(int what, const char *name)
{
    for (int k = 0; k < OPTIONS; k++)
        if ((table[k].what & what) && strcmp(table[k].name, name) == 0)
            return &table[k];
    return NULL;
}

settings settings_default(void)
{
    return (settings){
        .what = WATCH_FINDINGS, .config = simt_default_config(), .lane = LANE_SUMMARY, .count = 100
    };
}

int settings_takes_value(settings_what what, const char *name)
{
    const struct option *o = find(what, name);
    return !o ? -1 : o->value != NULL;
}

bool settings_set(settings *s, const char *name, const char *value, base_error *error)
{
    const struct option *o = find((int)s->what, name);
    if (!o)
        return error_set(error, "there is no option --%s here", name);
    if (o->value && !value)
        return error_set(error, "--%s needs a value: %s", name, o->help);
    if (!o->value && value)
        return error_set(error, "--%s takes no value", name);
    return o->set(s, value, error);
}

void settings_help(settings_what what)
{
    for (int k = 0; k < OPTIONS; k++) {
        char left[32];
        if (!(table[k].what & (int)what))
            continue;
        snprintf(left, sizeof left, "--%s%s%s", table[k].name, table[k].value ? " " : "",
                 table[k].value ? table[k].value : "");
        fit_print(stdout, "  %-20s %s\n", left, table[k].help);
    }
}

/* ---- the variable ---------------------------------------------------------------------------- */

bool settings_append(char *words, size_t room, const char *name, const char *value,
                     base_error *error)
{
    size_t at = strlen(words);
    int n = snprintf(words + at, room - at, "%s%s%s", at ? " " : "", name, value ? "=" : "");
    bool fits = n >= 0 && at + (size_t)n < room;

    at += fits ? (size_t)n : 0;
    for (const char *c = value; fits && c && *c; c++) {
        bool special = isspace((unsigned char)*c) || *c == '\\';
        if (!(fits = at + 3 < room))
            break;
        if (special)
            words[at++] = '\\';
        words[at++] = *c;
        words[at] = '\0';
    }
    return fits || error_set(error, "the options are too long");
}

/* The next word, unescaped; false at the end. */
static bool next_word(const char **at, char *word, size_t room)
{
    size_t n = 0;
    while (isspace((unsigned char)**at))
        ++*at;
    if (!**at)
        return false;
    for (; **at && !isspace((unsigned char)**at); ++*at) {
        if (**at == '\\' && (*at)[1])
            ++*at;
        if (n + 1 < room)
            word[n++] = **at;
    }
    word[n] = '\0';
    return true;
}

bool settings_read(settings *s, const char *words, base_error *error)
{
    static const struct {
        const char *word;
        settings_what what;
    } kinds[] = {
        { "what=run", WATCH_FINDINGS },
        { "what=trace", WATCH_TRACE },
        { "what=stats", WATCH_STATS },
    };
    char word[PATH_MAX + 32];
    bool known = false;

    *s = settings_default();
    bool first = next_word(&words, word, sizeof word);
    for (int k = 0; first && k < 3; k++)
        if (strcmp(word, kinds[k].word) == 0) {
            s->what = kinds[k].what;
            known = true;
        }
    if (!known)
        return error_set(error,
                         SETTINGS_VARIABLE " must begin with what=run, what=trace or what=stats");
    while (next_word(&words, word, sizeof word)) {
        char *value = strchr(word, '=');
        base_error why;
        if (value)
            *value++ = '\0';
        if (!settings_set(s, word, value, &why))
            return error_set(error, "in " SETTINGS_VARIABLE ": %s", why.text);
    }
    return true;
}
