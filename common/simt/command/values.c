/*
 * values.c: arguments of a bare kernel, as the command line has them:
 *
 *   u32:5  s32:-1  f32:1.5  u64:7  s64:-7  f64:2.5      a value; also u8 s8 u16 s16
 *   in:f32[1000]:random|iota|zeros|FILE                 an array that the kernel reads
 *   out:f32[1000]  out:f32[1000]:FILE                   one that it writes: printed, or into a file
 *   inout:f32[1000]:iota  inout:f32[1000]:iota:FILE     both
 *
 * random: integers from -100 to 100 (from 0 for unsigned types), also for floats, so that sums are
 * exact. A file whose name ends in .bin holds the values as they stand in memory, little endian;
 * any other holds numbers as text, with white space between.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "file.h"
#include "path.h"
#include "rng.h"

enum { MOST_BYTES = 1 << 30, SHOWN = 64 };

static bool read_type(const char *text, argument *a)
{
    static const char *const types[] = { "u8",  "s8",  "u16", "s16", "u32",
                                         "s32", "f32", "u64", "s64", "f64" };
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        size_t length = strlen(types[k]);
        if (strncmp(text, types[k], length) != 0)
            continue;
        memcpy(a->type, types[k], length + 1);
        a->bytes = strtoul(types[k] + 1, NULL, 10) / 8;
        return true;
    }
    return false;
}

/* One number of the type; *end past it, null where there is none. */
static uint64_t read_number(const argument *a, const char *text, const char **end)
{
    char *stop;
    uint64_t bits = 0;

    errno = 0;
    if (a->type[0] == 'f') {
        double d = strtod(text, &stop);
        float f = (float)d;
        memcpy(&bits, a->bytes == 8 ? (void *)&d : (void *)&f, a->bytes);
        errno = errno == ERANGE ? 0 : errno; /* too large: infinite, as in C */
    } else if (a->type[0] == 's') {
        long long n = strtoll(text, &stop, 0);
        long long top = a->bytes < 8 ? (1ll << (8 * a->bytes - 1)) - 1 : LLONG_MAX;
        if (n < -top - 1 || n > top)
            errno = ERANGE;
        bits = (uint64_t)n;
    } else {
        const char *sign = text + strspn(text, " \t\r\n");
        unsigned long long n = strtoull(text, &stop, 0);
        if ((a->bytes < 8 && n >> 8 * a->bytes) || *sign == '-')
            errno = ERANGE;
        bits = n;
    }
    *end = stop == text || errno ? NULL : stop;
    return bits;
}

static void put(argument *a, size_t index, uint64_t bits)
{
    memcpy((char *)a->data + index * a->bytes, &bits, a->bytes);
}

static uint64_t of_integer(const argument *a, int64_t n)
{
    double d = (double)n;
    float f = (float)n;
    uint64_t bits = (uint64_t)n;
    if (a->type[0] == 'f')
        memcpy(&bits, a->bytes == 8 ? (void *)&d : (void *)&f, a->bytes);
    return bits;
}

static bool fill_from_file(argument *a, const char *path, base_error *error)
{
    char *data;
    size_t size;
    bool ok = true;

    if (!file_read(path, MOST_BYTES, &data, &size, error))
        return false;
    if (path_has_ending(path, ".bin")) {
        ok = size == a->count * a->bytes ||
             error_set(error, "%s has %zu bytes; %zu values of %s are %zu", path, size, a->count,
                       a->type, a->count * a->bytes);
        if (ok)
            memcpy(a->data, data, size);
    } else {
        const char *at = data;
        for (size_t k = 0; ok && k < a->count; k++) {
            const char *end;
            uint64_t bits = read_number(a, at, &end);
            at += strspn(at, " \t\r\n");
            if (!end && !*at)
                ok = error_set(error, "%s has %zu numbers; %zu are asked for", path, k, a->count);
            else if (!end)
                ok = error_set(error, "%s: value %zu, \"%.20s\", is not of type %s", path, k + 1,
                               at, a->type);
            else {
                put(a, k, bits);
                at = end;
            }
        }
        if (ok && at[strspn(at, " \t\r\n")])
            ok = error_set(error, "%s has more than the %zu numbers that are asked for", path,
                           a->count);
    }
    free(data);
    return ok;
}

static bool fill(argument *a, uint64_t seed, base_error *error)
{
    rng random;
    rng_seed(&random, seed);
    if (strcmp(a->fill, "zeros") == 0)
        return true;
    if (strcmp(a->fill, "iota") != 0 && strcmp(a->fill, "random") != 0)
        return fill_from_file(a, a->fill, error);
    bool iota = a->fill[0] == 'i';
    for (size_t k = 0; k < a->count; k++)
        put(a, k,
            of_integer(a, iota ? (int64_t)k
                               : rng_between(&random, a->type[0] == 'u' ? 0 : -100, 100)));
    return true;
}

static bool wrong(const char *text, base_error *error)
{
    return error_set(
        error,
        "--arg \"%s\" is not understood; it takes u32:5, f32:1.5 ... (u8 s8 u16 s16 "
        "u32 s32 f32 u64 s64 f64), in:f32[1000]:random (or iota, zeros, a file), out:f32[1000], "
        "out:f32[1000]:FILE, inout:f32[1000]:iota",
        text);
}

/* "f32[1000]:random:file" after the direction. */
static bool parse_array(const char *at, uint64_t seed, argument *a, base_error *error)
{
    static char fills[64][PATH_MAX];
    static unsigned fill_count;
    char *end;

    if (!read_type(at, a) || *(at += strlen(a->type)) != '[' || !isdigit((unsigned char)at[1]))
        return wrong(a->text, error);
    a->count = strtoull(at + 1, &end, 10);
    if (*end != ']' || (end[1] && end[1] != ':') || (a->in && !end[1]))
        return wrong(a->text, error);
    if (a->count == 0 || a->count > MOST_BYTES / a->bytes)
        return error_set(error, "--arg \"%s\": an array has from 1 to %d elements", a->text,
                         MOST_BYTES / (int)a->bytes);
    const char *rest = end[1] ? end + 2 : NULL;
    if (a->in && rest) {
        size_t length = a->out ? strcspn(rest, ":") : strlen(rest);
        if (length == 0 || length >= PATH_MAX || fill_count == 64)
            return wrong(a->text, error);
        memcpy(fills[fill_count], rest, length);
        a->fill = fills[fill_count++];
        rest = rest[length] ? rest + length + 1 : NULL;
    }
    if (a->out && rest && !*(a->file = rest))
        return wrong(a->text, error);
    if (!(a->data = calloc(a->count, a->bytes)))
        return error_set(error, "no memory for the %zu elements of --arg \"%s\"", a->count,
                         a->text);
    return !a->in || fill(a, seed, error);
}

bool values_parse(const char *text, uint64_t seed, argument *a, base_error *error)
{
    const char *end;

    *a = (argument){ .text = text };
    a->in = strncmp(text, "in:", 3) == 0 || strncmp(text, "inout:", 6) == 0;
    a->out = strncmp(text, "out:", 4) == 0 || strncmp(text, "inout:", 6) == 0;
    a->array = a->in || a->out;
    if (a->array)
        return parse_array(strchr(text, ':') + 1, seed, a, error);
    const char *number = read_type(text, a) ? text + strlen(a->type) : "";
    if (*number++ != ':')
        return wrong(text, error);
    a->scalar = read_number(a, number, &end);
    if (!end || *end)
        return error_set(error, "--arg \"%s\": \"%s\" is not of type %s", text, number, a->type);
    return true;
}

/* ---- results --------------------------------------------------------------------------------- */

static void print_value(FILE *to, const argument *a, size_t index)
{
    uint64_t bits = 0;
    float f;
    double d;
    memcpy(&bits, (const char *)a->data + index * a->bytes, a->bytes);
    memcpy(&f, &bits, 4);
    memcpy(&d, &bits, 8);
    if (a->type[0] == 'f')
        fprintf(to, a->bytes == 8 ? "%.17g" : "%.9g", a->bytes == 8 ? d : (double)f);
    else if (a->type[0] == 's') {
        unsigned unused = 64 - 8 * (unsigned)a->bytes;
        fprintf(to, "%" PRId64, (int64_t)(bits << unused) >> unused);
    } else
        fprintf(to, "%" PRIu64, bits);
}

bool values_write(const argument *a, const char *name, base_error *error)
{
    if (a->file && path_has_ending(a->file, ".bin"))
        return file_write(a->file, a->data, a->count * a->bytes, error);
    if (a->file) {
        FILE *to = fopen(a->file, "we");
        if (!to)
            return error_set(error, "cannot write %s: %s", a->file, strerror(errno));
        for (size_t k = 0; k < a->count; k++) {
            print_value(to, a, k);
            fputc('\n', to);
        }
        return fclose(to) == 0 || error_set(error, "cannot write %s: %s", a->file, strerror(errno));
    }
    printf("%s %s[%zu]:\n", name, a->type, a->count);
    for (size_t k = 0; k < a->count && k < SHOWN; k++) {
        if (k % 8 == 0)
            printf("%6zu:", k);
        putchar(' ');
        print_value(stdout, a, k);
        if (k % 8 == 7 || k + 1 == a->count)
            putchar('\n');
    }
    if (a->count > SHOWN)
        printf("  ... and %zu more; --arg %s:FILE writes all of them\n", a->count - SHOWN, a->text);
    return true;
}
