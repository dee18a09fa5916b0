/*
 * items.c: see items.h.
 */
#include "items.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data.h"
#include "file.h"
#include "judge.h"
#include "path.h"

enum { ENTRIES_LIMIT = 1 << 16 };

static const char newer_peers[] = "peers_newer.so";

const char *items_type_name(peer_type type)
{
    static const char *const names[] = { "i32", "f32", "i64" };
    return names[type];
}

/* A part has the type of its first input. False: it is no part of the ladder (another type, or a
   few elements only). */
static bool type_of(const lab_part *part, peer_type *type)
{
    if (part->step || part->trial)
        return false; /* not made for speed */
    if (judge_most_n(part) < ITEMS_LEAST_N || !data_can_make(part))
        return false;
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        if (part->buffers[b].role == LAB_IN)
            switch (part->buffers[b].type) {
            case LAB_I32:
            case LAB_U32: *type = PEER_I32; return true;
            case LAB_F32: *type = PEER_F32; return true;
            case LAB_I64: *type = PEER_I64; return true;
            case LAB_U8:
            case LAB_AFFINE:
            case LAB_F64: return false;
            }
    return false;
}

static item *add(items *all, base_error *error)
{
    if (all->count == ITEMS_MOST) {
        error_set(error, "more than %d things to time", ITEMS_MOST);
        return NULL;
    }
    memset(&all->item[all->count], 0, sizeof(item));
    all->item[all->count].answer = -1;
    return &all->item[all->count++];
}

static void *load(items *all, const char *folder, const char *name, base_error *error)
{
    char path[PATH_MAX];
    void *module;

    if (!path_join(path, sizeof path, folder, name, error))
        return NULL;
    if (all->modules == ITEMS_MOST) {
        error_set(error, "more than %d modules", ITEMS_MOST);
        return NULL;
    }
    module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module)
        error_set(error, "a module cannot be loaded: %s", dlerror());
    else
        all->module[all->modules++] = module;
    return module;
}

static bool add_part(items *all, const lab *l, const lab_part *part, void *module,
                     const char *entry, bool wide, const char *what, base_error *error)
{
    peer_type type;
    item *i;

    if (!type_of(part, &type))
        return true;
    i = add(all, error);
    if (!i)
        return false;
    snprintf(i->what, sizeof i->what, "%s", what);
    i->type = type;
    i->part = part;
    i->wide = wide;
    i->host = part->buffers[0].place == LAB_HOST;
    i->most_n = judge_most_n(part);
    if (i->host && i->most_n > ITEMS_HOST_N)
        i->most_n = ITEMS_HOST_N;
    i->entry = dlsym(module, entry);
    return i->entry || error_set(error, "the module of %s has no function %s", l->id, entry);
}

/* A type's first part goes by the lab's name, the others by lab and part. */
static bool add_lab(items *all, const lab *l, const char *folder, base_error *error)
{
    char name[128], what[160];
    bool seen[PEER_I64 + 1] = { false };
    void *module;

    snprintf(name, sizeof name, "%s.so", l->id);
    module = load(all, folder, name, error);
    if (!module)
        return false;
    for (unsigned p = 0; p < lab_part_count(l); p++) {
        const lab_part *part = &l->parts[p];
        peer_type type;
        if (!type_of(part, &type))
            continue;
        snprintf(what, sizeof what, "%s%s%s", l->id, seen[type] ? "." : "",
                 seen[type] ? judge_part_name(l, part) : "");
        seen[type] = true;
        if (!add_part(all, l, part, module, part->entry, part->wide_n, what, error))
            return false;
    }
    return true;
}

static const char *last_word(const char *entry)
{
    const char *at = strrchr(entry, '_');
    return at ? at : entry;
}

/* The "NAME int" and "NAME long" lines of an extra module. */
static bool add_entries(items *all, const lab *l, void *module, char *text, const char *path,
                        base_error *error)
{
    char *rest = NULL;

    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char name[64], kind[8], what[160];
        const lab_part *part = NULL;
        if (sscanf(line, "%63s %7s", name, kind) != 2 ||
            (strcmp(kind, "int") != 0 && strcmp(kind, "long") != 0))
            return error_set(error, "%s: '%s' is not NAME int or NAME long", path, line);
        for (unsigned p = 0; p < lab_part_count(l) && !part; p++)
            if (strcmp(last_word(l->parts[p].entry), last_word(name)) == 0)
                part = &l->parts[p];
        if (!part)
            return error_set(error, "%s: no part of %s has an entry that ends in '%s', as %s does",
                             path, l->id, last_word(name), name);
        snprintf(what, sizeof what, "%s.%s", l->id, name);
        if (!add_part(all, l, part, module, name, strcmp(kind, "long") == 0, what, error))
            return false;
    }
    return true;
}

static bool add_beside(items *all, const lab *l, const char *folder, const char *name,
                       base_error *error)
{
    char path[PATH_MAX], entries[NAME_MAX + 16], *text = NULL;
    void *module = load(all, folder, name, error);
    bool ok;

    snprintf(entries, sizeof entries, "%.*s.entries", (int)(strlen(name) - strlen(".so")), name);
    ok = module && path_join(path, sizeof path, folder, entries, error) &&
         file_read(path, ENTRIES_LIMIT, &text, NULL, error) &&
         add_entries(all, l, module, text, path, error);
    free(text);
    return ok;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* A lab's extra modules in the folder: ID.SUB.so. */
static bool add_all_beside(items *all, const lab *l, const char *folder, base_error *error)
{
    struct dirent **names = NULL;
    const int count = scandir(folder, &names, NULL, by_name);
    const size_t length = strlen(l->id);
    bool ok = count >= 0 || error_set(error, "the folder of modules, %s, cannot be read", folder);

    for (int i = 0; i < count; i++) {
        const char *name = names[i]->d_name;
        if (ok && strncmp(name, l->id, length) == 0 && name[length] == '.' &&
            path_has_ending(name, ".so") && strcmp(name + length, ".so") != 0)
            ok = add_beside(all, l, folder, name, error);
        free(names[i]);
    }
    free(names);
    return ok;
}

/* The peers of a module; of a newer CUB what is CUB's. */
static bool add_peers(items *all, const char *folder, const char *name, bool newer,
                      base_error *error)
{
    void *module = load(all, folder, name, error);
    union {
        void *object;
        peer_runner *function;
    } found = { NULL };

    if (!module)
        return false;
    found.object = dlsym(module, "peers_run");
    if (!found.object)
        return error_set(error, "%s has no function peers_run", name);
    for (size_t p = 0; p < peer_table_length; p++) {
        const char *what = peer_table[p].what;
        const bool of_cub = strncmp(what, "cub_", 4) == 0;
        if (newer && !of_cub)
            continue;
        item *i = add(all, error);
        if (!i)
            return false;
        snprintf(i->what, sizeof i->what, "%s%s", newer ? "cub_newer_" : "",
                 what + (newer ? 4 : 0));
        i->type = peer_table[p].type;
        i->peer = &peer_table[p];
        i->run_peer = found.function;
        i->part = &peer_table[p].part;
        i->most_n = judge_most_n(i->part);
    }
    return true;
}

static bool has_newer_peers(const char *folder)
{
    char path[PATH_MAX];
    base_error ignored;

    return path_join(path, sizeof path, folder, newer_peers, &ignored) && access(path, R_OK) == 0;
}

bool items_load(items *all, const char *folder, base_error *error)
{
    memset(all, 0, sizeof *all);
    if (!add_peers(all, folder, "peers.so", false, error) ||
        (has_newer_peers(folder) && !add_peers(all, folder, newer_peers, true, error)))
        return false;
    for (size_t i = 0; i < lab_table_length; i++)
        if (!add_lab(all, lab_table[i], folder, error) ||
            !add_all_beside(all, lab_table[i], folder, error))
            return false;
    return true;
}

void items_drop(items *all)
{
    for (unsigned m = 0; m < all->modules; m++)
        dlclose(all->module[m]);
    memset(all, 0, sizeof *all);
}
