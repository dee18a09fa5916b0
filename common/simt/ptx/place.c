/*
 * place.c: which source line an instruction is put down to.
 * Interface: parse_place_all (parser.h), ptx_is_library (ptx.h).
 *
 * An instruction that was inlined comes from another file than its function. The line shown is one
 * of the function's own file; where that is a header, as of a kernel that calls what somebody
 * else's .cu file defines, a line of the .cu file before that. Code from any other file is put down
 * to the place it was inlined at, or else to the last line; in a kernel of CUB or Thrust, code of
 * theirs to the last line of the kernel's own file.
 */
#include "ptx/parser.h"

#include <string.h>

static bool is_source(const ptx_module *m, unsigned file)
{
    const char *name = file < m->file_count ? m->files[file] : "", *end = strrchr(name, '.');
    return end && strcmp(end, ".cu") == 0;
}

bool ptx_is_library(const ptx_module *m, unsigned file)
{
    const char *path = file < m->path_count ? m->paths[file] : "";
    return !is_source(m, file) && (strstr(path, "/cub/") || strstr(path, "/thrust/"));
}

static void place_function(const ptx_module *m, ptx_function *f)
{
    unsigned own = 0, own_line = 0, file = 0, line = 0, code = 0, next = 0;
    bool moved = false, sources = false; /* sources: lines of .cu files are shown too */

    for (unsigned i = 0; i < f->instr_count; i++) {
        for (; next < f->place_count && f->places[next].instr <= i; next++) {
            ptx_place at = f->places[next];
            if (own == 0 && at.line) {
                own = at.at_file ? at.at_file : at.file;
                sources = !is_source(m, own);
                f->of_library = ptx_is_library(m, own);
            }
            code = at.line ? at.file : code;
            own_line = at.line && at.file == own ? at.line : own_line;
            if (f->of_library && at.line && at.file != own && ptx_is_library(m, at.file)) {
                at.file = own;
                at.line = own_line;
            }
            if (at.at_file && at.file != own && !(sources && is_source(m, at.file))) {
                at.file = at.at_file;
                at.line = at.at_line;
            }
            /* line 0 carries the last line on */
            moved = at.line == 0;
            if (at.line && (at.file == own || (sources && is_source(m, at.file)))) {
                file = at.file;
                line = at.line;
            }
        }
        f->instrs[i].file = file;
        f->instrs[i].line = line;
        f->instrs[i].moved = moved;
        f->instrs[i].code_file = code;
    }
}

void parse_place_all(parser *p)
{
    for (unsigned k = 0; k < p->module->function_count; k++)
        place_function(p->module, &p->module->functions[k]);
}
