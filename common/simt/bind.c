/*
 * bind.c: from what an instruction is (insn.kind, its row) to what executes it: the one place that
 * sees both the machine's handlers and the watchers'. Interface: bind_code (bind.h). Everybody else
 * asks for an instruction's kind and calls its exec or its go.
 */
#include "bind.h"

#include "machine/exec/handlers.h"
#include "watch/unset/unset.h"

/* A shift by a register, in a text where one beyond the width tells something. */
static bool telling_shift(const code *c, const insn *i)
{
    return c->module->shifts_tell && i->row != NO_ROW && op_rows[i->row].unset == UNSET_SHIFT &&
           (size_t)i->b < c->const_offset;
}

static void bind_insn(code *c, unsigned k, bool watched)
{
    insn *i = &c->insns[k];
    bool shift = watched && telling_shift(c, i);
    i->exec = shift ? x_watched_shift : exec_plain(i);
    i->go = !code_goes_on(c, k) ? going_no_further(i) : shift ? r_one : going_on(c, i, watched);
    i->flags &= (uint8_t)~OPF_LINES;
    if (i->go == r_ld_shared || i->go == r_st_shared || i->go == r_ld_shared_watched ||
        i->go == r_st_shared_watched)
        i->flags |= OPF_LINES;
    if (i->kind == KIND_set) { /* its comparison is an instruction as well: decode_set */
        insn *compare = (insn *)(uintptr_t)i->extra;
        compare->exec = exec_plain(compare);
    }
}

void bind_code(code *c, bool watched)
{
    for (unsigned k = 0; k < c->count; k++)
        bind_insn(c, k, watched);
    for (unsigned k = 0; k + 2 < c->count; k++)
        c->insns[k].go = alu_together(&c->insns[k]);
    c->watched = watched;
}
