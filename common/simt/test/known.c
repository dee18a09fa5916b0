/*
 * known.c: simt_known FILE.ptx...: says which instructions of these modules the engine does not
 * know, each once, with the place where it first stands. Exit status: 0 it knows all, 1 it does
 * not, 2 a file is no PTX. For trying what compilers emit: nothing is run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "file.h"

enum { MAX_KINDS = 1000 };
static const char *seen[MAX_KINDS];
static unsigned kinds;

static bool fresh(const char *what)
{
    for (unsigned k = 0; k < kinds; k++)
        if (strcmp(seen[k], what) == 0)
            return false;
    if (kinds < MAX_KINDS)
        seen[kinds++] = what;
    return true;
}

static void list_module(const char *path, const module *m, unsigned long *instructions)
{
    for (unsigned f = 0; f < m->function_count; f++) {
        const code *c = &m->functions[f];
        *instructions += c->ptx->instr_count;
        for (unsigned i = 0; i < c->count; i++)
            if (c->insns[i].kind == KIND_unsupported && c->insns[i].extra &&
                fresh(c->insns[i].extra))
                printf("%s:%u: %s\n", path, c->ptx->instrs[c->source[i]].ptx_line,
                       (const char *)c->insns[i].extra);
    }
}

int main(int argc, char **argv)
{
    simt_config config = simt_default_config();
    simt_device *device;
    unsigned long instructions = 0;
    if (argc < 2 || simt_open(&config, &device) != SIMT_OK)
        return 2;
    for (int a = 1; a < argc; a++) {
        size_t bytes;
        unsigned id;
        char *text;
        base_error error;
        if (!file_read(argv[a], (size_t)1 << 30, &text, &bytes, &error) ||
            simt_module_load(device, text, bytes, argv[a], &id) != SIMT_OK) {
            printf("%s\n", text ? simt_error(device) : error.text);
            return 2;
        }
        free(text);
        list_module(argv[a], device->modules[device->module_count - 1], &instructions);
    }
    printf("%lu instructions in %d modules, %u forms unknown\n", instructions, argc - 1, kinds);
    simt_close(device);
    return kinds != 0;
}
