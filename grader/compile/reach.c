/*
 * reach.c: see reach.h.
 */
#define _GNU_SOURCE
#include "reach.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "path.h"

bool reach_add(reach *r, const char *path)
{
    const size_t size = strlen(path) + 1;

    if (r->count == REACH_PATHS || r->used + size > sizeof r->text)
        return false;
    memcpy(r->text + r->used, path, size);
    r->paths[r->count++] = r->text + r->used;
    r->paths[r->count] = NULL;
    r->used += size;
    return true;
}

/* Where a compiler outside of /usr keeps what it needs. Not the whole folder: with ~/bin/clang that
   would be somebody's home. */
static bool add_beside(reach *r, const char *program)
{
    static const char *const folders[] = { "lib",  "lib64",   "libexec", "include",
                                           "nvvm", "targets", "bin" };
    char bin[PATH_MAX], above[PATH_MAX], path[PATH_MAX];
    bool fits = reach_add(r, program);

    if (!path_parent(bin, sizeof bin, program, NULL) || strcmp(path_name(bin), "bin") != 0 ||
        strcmp(bin, "/usr/bin") == 0 || strcmp(bin, "/bin") == 0 ||
        !path_parent(above, sizeof above, bin, NULL))
        return fits;
    for (size_t i = 0; fits && i < sizeof folders / sizeof *folders; i++)
        fits = !path_join(path, sizeof path, above, folders[i], NULL) || reach_add(r, path);
    return fits;
}

bool reach_add_program(reach *r, const char *program)
{
    char *real = realpath(program, NULL);
    const bool fits =
        add_beside(r, program) && (!real || strcmp(real, program) == 0 || add_beside(r, real));

    free(real);
    return fits;
}

bool reach_add_lab(reach *r, const lab *l)
{
    char pattern[PATH_MAX];
    glob_t found;
    bool fits = reach_add(r, SCANLAB_SOURCE_DIR "/common/cudart/include") &&
                reach_add(r, SCANLAB_SOURCE_DIR "/common/cudart/device.flags") &&
                reach_add(r, SCANLAB_SOURCE_DIR "/common/cudart/host.flags") &&
                reach_add(r, SCANLAB_SOURCE_DIR "/common/cudart/ir.flags") &&
                reach_add(r, SCANLAB_SOURCE_DIR "/common/cudart/stand_in.ptx") &&
                reach_add(r, SCANLAB_SOURCE_DIR "/common/gpu/nvcc.flags");

    for (size_t i = 0; fits && i < LAB_BORROWED && l->borrowed[i]; i++) {
        snprintf(pattern, sizeof pattern, SCANLAB_SOURCE_DIR "/labs/%s", l->borrowed[i]);
        fits = reach_add(r, pattern);
    }
    snprintf(pattern, sizeof pattern, SCANLAB_SOURCE_DIR "/labs/%s/*.h", l->id);
    if (glob(pattern, 0, NULL, &found) != 0)
        return fits;
    for (size_t i = 0; fits && i < found.gl_pathc; i++)
        fits = reach_add(r, found.gl_pathv[i]);
    globfree(&found);
    return fits;
}
