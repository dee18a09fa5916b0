/*
 * source.c: see source.h.
 */
#include "source.h"

#include <string.h>

#include "config.h"
#include "file.h"
#include "path.h"

static bool kit_folder(const char *src)
{
    return strcmp(src, "labs") == 0 || strcmp(src, "solutions") == 0;
}

bool source_path(const options *o, const lab *l, char path[PATH_MAX], base_error *error)
{
    char root[PATH_MAX], folder[PATH_MAX], beside[PATH_MAX];

    if (!path_join(root, sizeof root, kit_folder(o->src) ? SCANLAB_SOURCE_DIR : "", o->src,
                   error) ||
        !path_join(folder, sizeof folder, root, l->id, error) ||
        !path_join(path, PATH_MAX, folder, l->file, error) ||
        !path_join(beside, sizeof beside, root, l->file, error))
        return false;
    if (file_exists(root) && !file_is_folder(root))
        memcpy(path, root, PATH_MAX);
    else if (!file_exists(path) && file_exists(beside))
        memcpy(path, beside, PATH_MAX);
    return true;
}
