/*
 * listing.c: decoded code as text, to see what the engine runs. Interface: simt_listing (simt.h),
 * listing_* (code.h).
 *
 * One line an instruction: its index in the decoded function, the row of ops.def that it matched,
 * what the decoder made of its operands, and the PTX. Numbers after d, a, b, c and after guards
 * are byte offsets into a warp's frame, where 32 lanes stand side by side; #5 is a constant, kept
 * in the frame as well. A JOIN is no instruction of the program: lanes that a branch has parted
 * meet there.
 */
#define _GNU_SOURCE
#include "code/decode.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void listing_text(const ptx_instr *p, char *out, size_t bytes)
{
    size_t n = 0;
    bool space = false;
    for (const char *s = p->at; *s && n + 2 < bytes; s++) {
        if (isspace((unsigned char)*s)) {
            space = n > 0;
            continue;
        }
        if (space)
            out[n++] = ' ';
        space = false;
        if (n + 1 < bytes)
            out[n++] = *s;
        if (*s == ';')
            break;
    }
    out[n] = '\0';
}

/* " a=640", or " a=#5" for a constant; nothing for none. */
static void place(FILE *out, const code *c, const char *name, int32_t offset)
{
    if (offset < 0)
        return;
    if ((size_t)offset < c->const_offset || (size_t)offset >= c->const_offset + c->const_bytes) {
        fprintf(out, " %s=%d", name, offset);
        return;
    }
    /* spread over lanes of 4 or of 8 bytes: the two halves of lane 0 tell which, or do not
       differ */
    uint64_t value;
    memcpy(&value, c->const_image + ((size_t)offset - c->const_offset), 8);
    int32_t small = (int32_t)(uint32_t)value;
    if ((uint32_t)value == value >> 32 && small > -65536 && small < 65536)
        fprintf(out, " %s=#%d", name, small);
    else if ((uint32_t)value == value >> 32)
        fprintf(out, " %s=#0x%x", name, (unsigned)value);
    else if (value > UINT32_MAX)
        fprintf(out, " %s=#0x%llx", name, (unsigned long long)value);
    else
        fprintf(out, " %s=#%llu", name, (unsigned long long)value);
}

static void memory_operands(FILE *out, const code *c, const insn *i)
{
    static const char *const spaces[] = { "global", "shared", "local",  "param",
                                          "call",   "const",  "generic" };
    const memory_form *f = i->extra;
    fprintf(out, " %s %uB", spaces[f->space], f->bytes);
    if (f->vector > 1)
        fprintf(out, " x%u", f->vector);
    place(out, c, "at", i->a);
    if (i->a >= 0 && i->imm)
        fprintf(out, "%+lld", (long long)i->imm);
    else if (i->a < 0)
        fprintf(out, " at=%lld", (long long)i->imm);
}

static void operands(FILE *out, const code *c, const insn *i)
{
    op_form form = insn_form(i);
    if (i->guard >= 0)
        fprintf(out, " %sguard=%d", i->guard & 1 ? "not " : "", i->guard & ~1);
    if (i->kind == KIND_bra || i->kind == KIND_bra_uniform) {
        if (i->a >= 0)
            fprintf(out, " %sif a=%d", i->imm ? "not " : "", i->a);
        fprintf(out, " to %u", i->target);
        if (i->a >= 0)
            fprintf(out, ", meet at %u", i->rpc);
    } else if (form == FORM_brx) {
        const uint32_t *targets = i->extra;
        place(out, c, "a", i->a);
        fprintf(out, " to");
        for (int64_t k = 0; k < i->imm; k++)
            fprintf(out, " %u", targets[k]);
        fprintf(out, ", meet at %u", i->rpc);
    } else if (form == FORM_call) {
        const call_form *f = i->extra;
        fprintf(out, " %s",
                f->callee    ? f->callee->ptx->name
                : f->builtin ? f->builtin
                             : "indirect");
        if (!f->callee && !f->builtin)
            place(out, c, "a", i->a);
    } else if (form == FORM_memory) {
        const memory_form *f = i->extra;
        memory_operands(out, c, i);
        for (unsigned k = 0; k < f->vector; k++)
            place(out, c, f->write ? "from" : "d", f->reg[k]);
    } else {
        if (form == FORM_atomic)
            memory_operands(out, c, i);
        place(out, c, "d", i->d);
        if (form != FORM_atomic)
            place(out, c, "a", i->a);
        place(out, c, "b", i->b);
        place(out, c, "c", i->c);
    }
}

/* Guard and operands in a column of their own, the PTX after it, or on a line of its own where
   there is no room. */
static bool instruction(FILE *out, const code *c, uint32_t pc)
{
    enum { COLUMN = 26 };
    const insn *i = &c->insns[pc];
    if (i->flags & OPF_PSEUDO) {
        fprintf(out, "%5u  %s\n", pc, i->kind == KIND_join ? "JOIN" : "END");
        return true;
    }
    char *text = NULL, ptx[400];
    size_t bytes = 0;
    FILE *line = open_memstream(&text, &bytes);
    if (!line)
        return false;
    if (i->row == NO_ROW)
        fprintf(line, " %s", (const char *)i->extra);
    else
        operands(line, c, i);
    if (fclose(line) != 0)
        return false;
    listing_text(&c->ptx->instrs[c->source[pc]], ptx, sizeof ptx);
    const char *row = i->row == NO_ROW ? "UNSUPPORTED" : op_rows[i->row].id;
    if (strlen(text) <= COLUMN + 1)
        fprintf(out, "%5u  %-12s %-*s %s\n", pc, row, COLUMN, *text ? text + 1 : "", ptx);
    else
        fprintf(out, "%5u  %-12s %s\n%*s %s\n", pc, row, text + 1, 20 + COLUMN, "", ptx);
    free(text);
    return true;
}

static bool function(FILE *out, const code *c)
{
    const ptx_module *m = c->module->ptx;
    unsigned line = 0, file = 0;
    fprintf(out, "%s %s: %u instructions; a frame of %zu bytes, constants from %zu on\n",
            c->ptx->entry ? "kernel" : "function", c->ptx->name, c->ptx->instr_count,
            c->frame_bytes, c->const_offset);
    for (unsigned k = 0; k < c->ptx->param_count && k < 64; k++)
        fprintf(out, "  parameter %u: %zu bytes at %zu\n", k + 1, c->param_size[k],
                c->param_offset[k]);
    if (c->static_shared)
        fprintf(out, "  shared memory: %zu bytes\n", c->static_shared);
    if (c->local_bytes)
        fprintf(out, "  local memory: %zu bytes a thread\n", c->local_bytes);
    if (c->ptx->entry && c->communicates)
        fprintf(out, "  its blocks may communicate: they run interleaved on one host thread\n");
    for (uint32_t pc = 0; pc < c->count; pc++) {
        const ptx_instr *p = c->ptx->instr_count ? &c->ptx->instrs[c->source[pc]] : NULL;
        if (p && p->line && (p->line != line || p->file != file) && p->file < m->file_count &&
            !(c->insns[pc].flags & OPF_PSEUDO)) {
            line = p->line;
            file = p->file;
            fprintf(out, "%s:%u\n", m->files[file], line);
        }
        if (!instruction(out, c, pc))
            return false;
    }
    return true;
}

char *listing_make(const module *m, const char *name)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    bool ok = out != NULL, first = true;
    for (unsigned k = 0; ok && k < m->function_count; k++) {
        const code *c = &m->functions[k];
        if (!c->ptx->defined || (name && strcmp(name, c->ptx->name) != 0))
            continue;
        if (!first)
            fputc('\n', out);
        first = false;
        ok = function(out, c);
    }
    if (out && fclose(out) != 0)
        ok = false;
    if (ok)
        return text;
    free(text);
    return NULL;
}
