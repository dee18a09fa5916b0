/*
 * submission_key.c: what a result depends on, as one digest: the names of files and the hashes
 * of their content.
 *
 * A kit that was changed or built again, another compiler, another header, another question: all of
 * them change the kit's key, and with it that of every submission. "-" stands for a file that
 * cannot be read.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "config.h"
#include "file.h"
#include "path.h"
#include "source.h"
#include "submission.h"
#include "toolchain.h"

static const size_t largest_part = (size_t)256 << 20; /* of the kit: an archive to link with */

typedef bool reader(const char *path, size_t limit, char **data, size_t *size, base_error *error);

static void add_content(FILE *f, const char *path, const char *name, size_t limit, reader *read)
{
    char id[HASH_SHA256 + 1] = "-", *data;
    size_t size;

    if (read(path, limit, &data, &size, NULL)) {
        hash_sha256(data, size, id);
        free(data);
    }
    fprintf(f, "%s %s\n", id, name);
}

static void add_file(FILE *f, const char *path, const char *name, size_t limit)
{
    add_content(f, path, name, limit, file_read);
}

/* A compiler is recognised by its size and date: reading it all would take longer than
   compiling. */
static void add_program(FILE *f, const char *path)
{
    struct stat facts;

    if (stat(path, &facts) == 0)
        fprintf(f, "%s %jd %jd\n", path, (intmax_t)facts.st_size, (intmax_t)facts.st_mtime);
}

static void add_all(FILE *f, const char *pattern)
{
    glob_t found;

    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            add_file(f, found.gl_pathv[i], found.gl_pathv[i], largest_part);
        globfree(&found);
    }
}

static void add_kit_file(FILE *f, const char *folder, const lab *l, const char *file)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, SCANLAB_SOURCE_DIR "/%s/%s/%s", folder, l->id, file) <
        (int)sizeof path)
        add_file(f, path, path + strlen(SCANLAB_SOURCE_DIR), largest_part);
}

/* The contract and what else is given in headers, the starter, the reference. */
static void add_lab(FILE *f, const lab *l)
{
    char headers[PATH_MAX];

    snprintf(headers, sizeof headers, SCANLAB_SOURCE_DIR "/labs/%s/*.h", l->id);
    add_all(f, headers);
    add_kit_file(f, "labs", l, "grading/starter.id");
    add_kit_file(f, "solutions", l, l->file);
    add_kit_file(f, "labs", l, "grading/counted.json");
}

static void digest(char *text, size_t size, char key[HASH_SHA256 + 1])
{
    if (text)
        hash_sha256(text, size, key);
    else
        key[0] = '\0';
    free(text);
}

void submission_kit_key(const options *o, const toolchain *tools, const lab *const *labs,
                        size_t count, char key[HASH_SHA256 + 1])
{
    /* a null where there is no CUDA */
    static const char *const linked[] = { SCANLAB_LINK_ARGUMENTS, SCANLAB_CUDA_LINK_ARGUMENTS };
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    key[0] = '\0';
    if (!f)
        return;
    fprintf(f, "backend %s, seeds %u, seed %llu\n", o->backend, o->seeds,
            (unsigned long long)o->seed);
    add_file(f, "/proc/self/exe", "grade", largest_part);
    for (size_t i = 0; i < sizeof linked / sizeof *linked; i++)
        if (linked[i] && path_has_ending(linked[i], ".a"))
            add_file(f, linked[i], path_name(linked[i]), largest_part);
    add_all(f, SCANLAB_SOURCE_DIR "/common/cudart/*.flags");
    add_all(f, SCANLAB_SOURCE_DIR "/common/cudart/include/*");
    add_program(f, tools->cuda ? tools->nvcc : tools->clang);
    fprintf(f, "%s\n", tools->gpu.name);
    for (size_t i = 0; i < count; i++)
        add_lab(f, labs[i]);
    fclose(f);
    digest(text, size, key);
}

void submission_fill_key(const options *o, const lab *const *labs, size_t count, submission *s)
{
    options own = *o;
    char path[PATH_MAX], *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    s->key[0] = '\0';
    if (!f)
        return;
    own.src = s->source;
    fprintf(f, "%s\n", o->kit);
    for (size_t i = 0; i < count; i++)
        if (source_path(&own, labs[i], path, NULL))
            add_content(f, path, labs[i]->id, BUILD_SOURCE_LIMIT, file_read_own);
    fclose(f);
    digest(text, size, s->key);
}
