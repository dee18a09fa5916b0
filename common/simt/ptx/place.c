/*
 * place.c: which source line an instruction is put down to.
 * Interface: parse_place_all (parser.h).
 *
 * An instruction that was inlined comes from another file than its function. The line shown is one
 * of the function's own file; where that is a header, as of a kernel that calls what somebody
 * else's .cu file defines, a line of the .cu file before that. Code from any other file is put down
 * to the place it was inlined at, or else to the last line.
 */
#include "ptx/parser.h"

#include <string.h>

static bool is_source(const ptx_module *m, unsigned file)
{
    const char *name = file < m->file_count ? m->files[file] : "", *end = strrchr(name, '.');
    return end && strcmp(end, ".cu") == 0;
}

static void place_function(const ptx_module *m, ptx_function *f)
{
    unsigned own = 0, file = 0, line = 0, next = 0;
    bool moved = false, sources = false; /* sources: lines of .cu files are shown too */

    for (unsigned i = 0; i < f->instr_count; i++) {
        for (; next < f->place_count && f->places[next].instr <= i; next++) {
            ptx_place at = f->places[next];
            if (own == 0 && at.line) {
                own = at.at_file ? at.at_file : at.file;
                sources = !is_source(m, own);
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
    }
}

void parse_place_all(parser *p)
{
    for (unsigned k = 0; k < p->module->function_count; k++)
        place_function(p->module, &p->module->functions[k]);
}
