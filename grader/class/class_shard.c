/*
 * class_shard.c: see class_shard.h.
 */
#define _GNU_SOURCE
#include "class_shard.h"

#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "path.h"

unsigned shard_of(const char *name, unsigned shards)
{
    char digits[HASH_SHA256 + 1];

    hash_sha256(name, strlen(name), digits);
    digits[16] = '\0'; /* 64 bits */
    return 1 + (unsigned)(strtoull(digits, NULL, 16) % shards);
}

bool shard_folder(const char *out, unsigned shard, unsigned shards, char path[PATH_MAX],
                  base_error *error)
{
    char name[60];

    snprintf(name, sizeof name, "class.shards/%u-of-%u", shard, shards);
    return path_join(path, PATH_MAX, out, name, error);
}

/* ---- shard.json ------------------------------------------------------------------------------ */

void shard_facts_of(const options *o, const lab *const *labs, size_t count, shard_facts *facts)
{
    *facts = (shard_facts){ .labs = "" };
    snprintf(facts->kit, sizeof facts->kit, "%s", o->kit ? o->kit : "");
    snprintf(facts->backend, sizeof facts->backend, "%s", o->backend);
    snprintf(facts->sandbox, sizeof facts->sandbox, "%s", o->sandbox ? o->sandbox : "");
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(facts->labs);
        snprintf(facts->labs + used, sizeof facts->labs - used, "%s%s", used ? " " : "",
                 labs[i]->id);
    }
}

bool shard_write(const char *folder, const shard_facts *facts, base_error *error)
{
    char path[PATH_MAX];
    json_t *json = json_pack("{s:i, s:s, s:s, s:s, s:s}", "schema", 1, "kit", facts->kit, "backend",
                             facts->backend, "sandbox", facts->sandbox, "labs", facts->labs);
    char *text = json ? json_dumps(json, JSON_INDENT(1)) : NULL;
    const bool fine = text ? path_join(path, sizeof path, folder, "shard.json", error) &&
                                 file_write(path, text, strlen(text), error)
                           : error_set(error, "shard.json: no memory");

    free(text);
    json_decref(json);
    return fine;
}

static void take(const json_t *json, const char *key, char *text, size_t room)
{
    const char *value = json_string_value(json_object_get(json, key));
    snprintf(text, room, "%s", value ? value : "");
}

bool shard_read(const char *folder, shard_facts *facts)
{
    char path[PATH_MAX];
    json_t *json = path_join(path, sizeof path, folder, "shard.json", NULL)
                       ? json_load_file(path, 0, NULL)
                       : NULL;

    take(json, "kit", facts->kit, sizeof facts->kit);
    take(json, "backend", facts->backend, sizeof facts->backend);
    take(json, "sandbox", facts->sandbox, sizeof facts->sandbox);
    take(json, "labs", facts->labs, sizeof facts->labs);
    json_decref(json);
    return json && facts->kit[0];
}

/* ---- which there are ------------------------------------------------------------------------- */

bool shard_count(const char *out, unsigned *shards, base_error *error)
{
    char pattern[PATH_MAX];
    glob_t found = { 0 };
    unsigned shard, all;
    bool alike = true;

    *shards = 0;
    if (!path_join(pattern, sizeof pattern, out, "class.shards/[1-9]*-of-[1-9]*", error))
        return false;
    glob(pattern, 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc && alike; i++) {
        if (sscanf(path_name(found.gl_pathv[i]), "%u-of-%u", &shard, &all) != 2 ||
            all > OPTIONS_SHARDS)
            continue;
        alike = *shards == 0 || *shards == all;
        if (alike)
            *shards = all;
        else
            error_set(error,
                      "%s/class.shards has shards of a cut into %u and of one into %u: which is "
                      "meant? Remove the folders of the other, as in rm -r %s/class.shards/*-of-%u",
                      out, *shards, all, out, all);
    }
    globfree(&found);
    if (alike && *shards == 0)
        return error_set(error,
                         "no shard of a class was graded below %s: make grade-all "
                         "SUBMISSIONS=folder SHARD=1/8 grades the first of 8",
                         out);
    return alike;
}
