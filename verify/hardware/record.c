/*
 * record.c: see record.h.
 */
#include "record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const statuses[] = { "ok", "refused", "failed" };

static char *read_whole(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 &&
        (text = malloc((size_t)size + 1)) != NULL) {
        rewind(file);
        *bytes = fread(text, 1, (size_t)size, file);
        text[*bytes] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}

static bool read_run(char *line, record_run *run, size_t *offset)
{
    char status[16];
    int name = 0;
    if (sscanf(line, "%" SCNx64 " %15s %zu %zu %n", &run->hash, status, offset, &run->bytes,
               &name) != 4 ||
        !name)
        return false;
    run->name = line + name;
    for (run->status = RECORD_OK; run->status <= RECORD_FAILED; run->status++)
        if (!strcmp(status, statuses[run->status]))
            return true;
    return false;
}

/* The lines up to "bytes N", then the places of the results, which are known only there. */
static bool read_lines(record *r, size_t bytes)
{
    size_t count = 0, *offset = NULL, data = 0;
    bool ok = false;
    for (char *line = r->text, *end; (end = memchr(line, '\n', bytes - (size_t)(line - r->text)));
         line = end + 1) {
        *end = '\0';
        if (*line == '#') {
            *end = '\n'; /* facts are read from the text */
        } else if (!r->run && sscanf(line, "runs %zu", &count) == 1) {
            r->run = calloc(count + 1, sizeof *r->run);
            offset = calloc(count + 1, sizeof *offset);
            if (!r->run || !offset)
                break;
        } else if (r->run && sscanf(line, "bytes %zu", &data) == 1) {
            const char *start = end + 1;
            ok = r->runs == count && data == bytes - (size_t)(start - r->text);
            for (size_t i = 0; ok && i < count; i++) {
                ok = offset[i] <= data && r->run[i].bytes <= data - offset[i];
                r->run[i].result = (const unsigned char *)start + offset[i];
            }
            break;
        } else if (!r->run || r->runs == count ||
                   !read_run(line, &r->run[r->runs], &offset[r->runs]))
            break;
        else
            r->runs++;
    }
    free(offset);
    return ok;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const record_run *)a)->name, ((const record_run *)b)->name);
}

bool record_read(const char *path, record *r)
{
    size_t bytes = 0;
    *r = (record){ .text = read_whole(path, &bytes) };
    if (r->text && read_lines(r, bytes)) {
        qsort(r->run, r->runs, sizeof *r->run, by_name);
        return true;
    }
    fprintf(stderr, "%s: %s\n", path,
            r->text ? "not a whole record of a GPU's results" : "cannot be read");
    record_free(r);
    return false;
}

void record_free(record *r)
{
    free(r->text);
    free(r->run);
    *r = (record){ 0 };
}

const record_run *record_find(const record *r, const char *name)
{
    record_run key = { .name = name };
    return bsearch(&key, r->run, r->runs, sizeof *r->run, by_name);
}

void record_fact(const record *r, const char *key, char *value, size_t room)
{
    *value = '\0';
    for (const char *line = r->text; *line == '#'; line = strchr(line, '\n') + 1)
        if (!strncmp(line + 2, key, strlen(key)) && line[2 + strlen(key)] == ':')
            snprintf(value, room, "%.*s", (int)strcspn(line + strlen(key) + 4, "\n"),
                     line + strlen(key) + 4);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Where the results of run i go: with the first run that has the same ones. */
static void place(const record_run *run, size_t runs, size_t *offset, bool *first, size_t *total)
{
    for (size_t i = 0; i < runs; i++) {
        size_t same = 0;
        while (same < i && (run[same].bytes != run[i].bytes ||
                            memcmp(run[same].result, run[i].result, run[i].bytes)))
            same++;
        first[i] = same == i;
        offset[i] = first[i] ? *total : offset[same];
        *total += first[i] ? run[i].bytes : 0;
    }
}

bool record_write(const char *path, const char *head, const record_run *run, size_t runs)
{
    FILE *file = fopen(path, "wb");
    size_t *offset = calloc(runs + 1, sizeof *offset), total = 0;
    bool *first = calloc(runs + 1, sizeof *first), ok = file && offset && first;
    if (ok) {
        place(run, runs, offset, first, &total);
        fprintf(file, "%sruns %zu\n", head, runs);
        for (size_t i = 0; i < runs; i++)
            fprintf(file, "%016" PRIx64 " %s %zu %zu %s\n", run[i].hash, statuses[run[i].status],
                    offset[i], run[i].bytes, run[i].name);
        fprintf(file, "bytes %zu\n", total);
        for (size_t i = 0; i < runs; i++)
            if (first[i] && run[i].bytes)
                fwrite(run[i].result, 1, run[i].bytes, file);
    }
    if (file && (ferror(file) | fclose(file)))
        ok = false;
    free(offset);
    free(first);
    return ok;
}
