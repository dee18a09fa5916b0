/*
 * run.c: see run.h.
 */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- hashes: FNV-1a, by hand: recordings made on GPUs carry them ----------------------------- */

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    for (const unsigned char *b = data; bytes--; b++)
        hash = (hash ^ *b) * 0x100000001b3u;
    return hash;
}

/* The part of a module's text that a launch depends on: no comments, no other kernels. A test added
   to a file leaves the others. */
static uint64_t hash_text(uint64_t hash, const test_case *c)
{
    bool skipping = false;
    for (const char *line = c->text, *end = c->text + c->text_bytes, *next; line < end;
         line = next) {
        const char *stop = memchr(line, '\n', (size_t)(end - line)), *entry = NULL;
        char head[160];
        next = stop ? stop + 1 : end;
        snprintf(head, sizeof head, "%.*s", (int)(next - line), line);
        if ((entry = strstr(head, ".entry "))) {
            size_t length = strcspn(entry + 7, "( \n");
            skipping = true;
            for (unsigned i = 0; i < c->launches; i++)
                skipping &= strlen(c->launch[i].kernel) != length ||
                            strncmp(entry + 7, c->launch[i].kernel, length) != 0;
        }
        if (!skipping && strncmp(head, "//", 2) != 0 && head[strspn(head, " \t\n")] != '\0')
            hash = hash_bytes(hash, line, (size_t)(next - line));
        if (*head == '}')
            skipping = false;
    }
    return hash;
}

static uint64_t hash_case(const test_case *c)
{
    uint64_t hash = hash_text(0xcbf29ce484222325u, c);
    for (unsigned i = 0; i < c->launches; i++) {
        const test_launch *l = &c->launch[i];
        hash = hash_bytes(hash, l->kernel, strlen(l->kernel));
        hash = hash_bytes(hash, l->grid, sizeof l->grid);
        hash = hash_bytes(hash, l->block, sizeof l->block);
        hash = hash_bytes(hash, &l->shared, sizeof l->shared);
        for (unsigned k = 0; k < l->params; k++) {
            const test_param *p = &l->param[k];
            size_t kind[] = { p->role, p->type, p->count };
            hash = hash_bytes(hash, kind, sizeof kind);
            if (p->before.bytes)
                hash = hash_bytes(hash, p->before.bytes, p->count * test_type_size(p->type));
        }
    }
    return hash;
}

/* ---- the list -------------------------------------------------------------------------------- */

typedef struct list {
    run *item;
    size_t count, room;
} list;

static run *add(list *all, const test_case *c, const form *f)
{
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 4096;
        all->item = realloc(all->item, all->room * sizeof *all->item);
        if (!all->item) {
            fprintf(stderr, "no memory\n");
            exit(3);
        }
    }
    run *r = &all->item[all->count++];
    *r = (run){ .c = c, .form = f, .hash = hash_case(c) };
    for (unsigned i = 0; i < c->launches; i++)
        for (unsigned k = 0; k < c->launch[i].params; k++)
            if (c->launch[i].param[k].after.bytes)
                r->bytes +=
                    c->launch[i].param[k].count * test_type_size(c->launch[i].param[k].type);
    return r;
}

/* What runs point into, kept to the end of the program. */
static struct {
    test_file *file[64];
    unsigned files;
    form *forms;
} kept;

/* Several ops of a file make one test: "#2" is the second of a name. */
static void add_test(list *all, const char *file, const test_case *c, unsigned *same)
{
    const run *before = all->count ? &all->item[all->count - 1] : NULL;
    *same =
        before && before->c && !before->form && !strcmp(before->c->name, c->name) ? *same + 1 : 1;
    run *r = add(all, c, NULL);
    snprintf(r->name, sizeof r->name, "test %.60s %.100s#%u", file, c->name, *same);
}

run *runs_make(char *const *files, unsigned count, size_t *runs)
{
    list all = { 0 };
    size_t forms = 0;
    form *f = kept.forms = forms_make(&forms);
    for (size_t i = 0; i < forms; i++)
        snprintf(add(&all, &f[i].c, &f[i])->name, sizeof all.item->name, "form %.40s %.150s",
                 form_row_name(f[i].row), f[i].name);
    for (unsigned i = 0; i < count; i++) {
        const char *base = strrchr(files[i], '/');
        test_file *file = test_file_read(files[i]);
        unsigned same = 0;
        if (!file || kept.files == sizeof kept.file / sizeof *kept.file)
            return NULL;
        kept.file[kept.files++] = file;
        for (unsigned k = 0; k < test_file_cases(file); k++)
            if (test_case_suits_gpu(test_file_case(file, k)))
                add_test(&all, base ? base + 1 : files[i], test_file_case(file, k), &same);
    }
    *runs = all.count;
    return all.item;
}

/* ---- running one ----------------------------------------------------------------------------- */

typedef struct machine {
    simt_device *device;
    unsigned module;
    unsigned char *result;
} machine;

static simt_status prepare(machine *m, const test_param *p, simt_addr *address)
{
    size_t bytes = p->role == TEST_FREED ? p->count : p->count * test_type_size(p->type), size;
    simt_status status = SIMT_OK;
    if (p->role == TEST_ARG)
        return SIMT_OK;
    if (p->role == TEST_SET || p->role == TEST_VARIABLE) {
        status = simt_symbol(m->device, m->module, p->name, address, &size);
        return status == SIMT_OK && p->role == TEST_SET
                   ? simt_write(m->device, *address, p->before.bytes, bytes)
                   : status;
    }
    if ((status = simt_alloc(m->device, bytes, address)) != SIMT_OK)
        return status;
    return p->role == TEST_OUT || p->role == TEST_FREED
               ? simt_fill(m->device, *address, 0xA5, bytes)
               : simt_write(m->device, *address, p->before.bytes, bytes);
}

static bool lay_out(const test_launch *l, const simt_function_info *info, const simt_addr *address,
                    unsigned char *block, size_t room)
{
    unsigned next = 0;
    for (unsigned i = 0; i < l->params; i++) {
        const test_param *p = &l->param[i];
        if (p->role == TEST_SET || p->role == TEST_VARIABLE)
            continue;
        size_t bytes = p->role == TEST_ARG ? p->count * test_type_size(p->type) : 8;
        if (next >= info->params || info->param_size[next] != bytes ||
            info->param_offset[next] + bytes > room)
            return false;
        memcpy(block + info->param_offset[next++],
               p->role == TEST_ARG ? (const void *)p->before.bytes : &address[i], bytes);
    }
    return next == info->params;
}

static simt_status launch(machine *m, const test_launch *l)
{
    simt_addr address[32] = { 0 };
    simt_function_info info;
    unsigned char block[4096] = { 0 };
    simt_status status = SIMT_OK;
    for (unsigned i = 0; i < l->params && status == SIMT_OK; i++)
        status = prepare(m, &l->param[i], &address[i]);
    if (status != SIMT_OK ||
        (status = simt_function(m->device, m->module, l->kernel, &info)) != SIMT_OK)
        return status;
    if (!lay_out(l, &info, address, block, sizeof block))
        return SIMT_BAD_ARGUMENT;
    simt_launch_args args = { info.function,
                              { l->grid[0], l->grid[1], l->grid[2] },
                              { l->block[0], l->block[1], l->block[2] },
                              l->shared,
                              block,
                              info.param_bytes,
                              false,
                              0 };
    status = simt_launch(m->device, &args, NULL);
    for (unsigned i = 0; i < l->params && status == SIMT_OK; i++) {
        size_t bytes = l->param[i].count * test_type_size(l->param[i].type);
        if (!l->param[i].after.bytes)
            continue;
        status = simt_read(m->device, m->result, address[i], bytes);
        m->result += bytes;
    }
    return status;
}

run_outcome run_on_device(const run *r, const simt_config *config, unsigned char *result, char *why,
                          size_t room)
{
    machine m = { .result = result };
    run_outcome outcome = RUN_OK;
    if (simt_open(config, &m.device) != SIMT_OK) {
        snprintf(why, room, "the device does not open: %s", simt_error(NULL));
        return RUN_FAILED;
    }
    simt_status status =
        simt_module_load(m.device, r->c->text, r->c->text_bytes, r->name, &m.module);
    if (status != SIMT_OK)
        outcome = RUN_REFUSED;
    for (unsigned i = 0; i < r->c->launches && status == SIMT_OK; i++)
        if ((status = launch(&m, &r->c->launch[i])) != SIMT_OK)
            outcome = RUN_FAILED;
    if (status != SIMT_OK)
        snprintf(why, room, "%s", simt_error(m.device));
    simt_close(m.device);
    return outcome;
}
