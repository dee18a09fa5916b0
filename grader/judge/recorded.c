/*
 * recorded.c: see recorded.h.
 */
#include "recorded.h"

#include <jansson.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "file.h"

struct recorded {
    json_t *root;
};

enum { SCHEMA = 1 };

static const char *const kinds[] = { [RECORDED_PLAIN] = "plain", [RECORDED_MOST] = "most" };

/* What reports show of the reference (report/counts.c), or a ratio of results.json is made of. */
static const struct {
    const char *name;
    size_t at; /* in simt_counts: a uint64_t */
} fields[] = {
#define FIELD(name)                                                                                \
    {                                                                                              \
#name, offsetof(simt_counts, name)                                                         \
    }
    FIELD(launches),
    FIELD(warp_instructions),
    FIELD(polled_instructions),
    FIELD(float_adds),
    FIELD(barriers),
    FIELD(shuffles),
    FIELD(votes),
    FIELD(atomics),
    FIELD(reading_atomics),
    FIELD(polled_atomics),
    FIELD(shared_wavefronts),
    FIELD(shared_ideal),
    FIELD(global_sectors),
    FIELD(global_bytes_read),
    FIELD(polled_bytes_read),
    FIELD(global_bytes_written),
    FIELD(polled_bytes_written),
    FIELD(scratch_bytes_read),
    FIELD(scratch_bytes_written),
#undef FIELD
};

enum { FIELDS = sizeof fields / sizeof *fields };

static recorded *from_file(const char *path)
{
    recorded *all = NULL;
    json_t *root = json_load_file(path, 0, NULL);

    if (json_integer_value(json_object_get(root, "schema")) == SCHEMA &&
        (all = malloc(sizeof *all)) != NULL)
        *all = (recorded){ root };
    else
        json_decref(root);
    return all;
}

recorded *recorded_read(const lab *l)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, SCANLAB_SOURCE_DIR "/labs/%s/grading/counted.json", l->id);
    return from_file(path);
}

recorded *recorded_new(void)
{
    recorded *all = malloc(sizeof *all);

    if (all)
        *all = (recorded){ json_pack("{s:i, s:s, s:{}}", "schema", SCHEMA, "clang",
                                     SCANLAB_CLANG_VERSION, "parts") };
    return all;
}

void recorded_drop(recorded *all)
{
    if (all)
        json_decref(all->root);
    free(all);
}

bool recorded_is_comparable(const recorded *all)
{
    const char *clang = json_string_value(json_object_get(all->root, "clang"));
    return clang && strcmp(clang, SCANLAB_CLANG_VERSION) == 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static json_t *part_of(const recorded *all, const lab_part *part)
{
    return json_object_get(json_object_get(all->root, "parts"), part->entry);
}

static const char *key_of(size_t n, char key[24])
{
    snprintf(key, 24, "%zu", n);
    return key;
}

bool recorded_counts(const recorded *all, const lab_part *part, size_t n, simt_counts *counts)
{
    const json_t *one = part_of(all, part), *found = json_object_get(one, "counts");

    if (!found || (size_t)json_integer_value(json_object_get(one, "n")) != n)
        return false;
    memset(counts, 0, sizeof *counts);
    for (size_t i = 0; i < FIELDS; i++) {
        const uint64_t value = (uint64_t)json_integer_value(json_object_get(found, fields[i].name));
        memcpy((char *)counts + fields[i].at, &value, sizeof value);
    }
    return true;
}

uint64_t recorded_instructions(const recorded *all, recorded_kind kind, const lab_part *part,
                               size_t n)
{
    char key[24];
    const json_t *by_n = json_object_get(part_of(all, part), kinds[kind]);

    return (uint64_t)json_integer_value(json_object_get(by_n, key_of(n, key)));
}

/* ---- recording ------------------------------------------------------------------------------- */

/* The object of that name in another; a new one, if there is none. */
static json_t *object_in(json_t *object, const char *name)
{
    if (!json_object_get(object, name))
        json_object_set_new(object, name, json_object());
    return json_object_get(object, name);
}

static json_t *own_part(recorded *all, const lab_part *part)
{
    return object_in(object_in(all->root, "parts"), part->entry);
}

void recorded_note_counts(recorded *all, const lab_part *part, size_t n, const simt_counts *counts)
{
    json_t *one = own_part(all, part), *into = json_object();

    json_object_set_new(one, "n", json_integer((json_int_t)n));
    json_object_set_new(one, "counts", into);
    for (size_t i = 0; i < FIELDS; i++) {
        uint64_t value;
        memcpy(&value, (const char *)counts + fields[i].at, sizeof value);
        json_object_set_new(into, fields[i].name, json_integer((json_int_t)value));
    }
}

void recorded_note(recorded *all, recorded_kind kind, const lab_part *part, size_t n,
                   uint64_t instructions)
{
    char key[24];
    json_t *by_n = object_in(own_part(all, part), kinds[kind]);
    const json_t *before = json_object_get(by_n, key_of(n, key));

    if (kind == RECORDED_MOST && (uint64_t)json_integer_value(before) > instructions)
        return;
    json_object_set_new(by_n, key, json_integer((json_int_t)instructions));
}

/* Of an earlier run with other data, what took more. */
static void keep_larger(json_t *parts, const json_t *earlier)
{
    const char *entry, *n;
    json_t *one, *value;

    json_object_foreach((json_t *)earlier, entry, one)
    {
        json_t *mine = json_object_get(json_object_get(parts, entry), kinds[RECORDED_MOST]);
        json_t *theirs = json_object_get(one, kinds[RECORDED_MOST]);
        json_object_foreach(theirs, n, value)
        {
            if (mine && json_integer_value(value) > json_integer_value(json_object_get(mine, n)))
                json_object_set(mine, n, value);
        }
    }
}

bool recorded_write(const recorded *all, const lab *l, const char *folder, base_error *error)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s.json", folder, l->id);
    recorded *before = from_file(path);
    if (before && recorded_is_comparable(before))
        keep_larger(json_object_get(all->root, "parts"), json_object_get(before->root, "parts"));
    recorded_drop(before);
    char *text = json_dumps(all->root, JSON_INDENT(1) | JSON_SORT_KEYS);
    const bool done = text ? file_write(path, text, strlen(text), error)
                           : error_set(error, "%s: no memory", path);
    free(text);
    return done;
}
