/*
 * bind.c: from what an instruction is (insn.kind, its row) to what executes it: the one place that
 * sees both the machine's handlers and the watchers'. Interface: bind_code (bind.h). Everybody else
 * asks for an instruction's kind and calls its exec or its go.
 */
#include "bind.h"

#include "machine/exec/handlers.h"
#include "watch/unset/unset.h"

/* Branches on a register that may be unwritten. */
static const insn *r_watched_bra(simt_warp *w, const insn *i, uint32_t mask)
{
    unset_look(w, i, mask);
    return r_bra(w, i, mask);
}

static const insn *r_watched_bra_last(simt_warp *w, const insn *i, uint32_t mask)
{
    unset_look(w, i, mask);
    return r_bra_last(w, i, mask);
}

static bool touches(const code *c, const insn *i)
{
    unsigned count;
    (void)code_touches(c, i, &count);
    return count > 0;
}

static void bind_insn(code *c, unsigned k)
{
    insn *i = &c->insns[k];
    const bool watched = c->watched;
    bool shift = watched && unset_telling_shift(c, i), watch = watched && touches(c, i);
    i->exec = watch ? x_watched : shift ? x_watched_shift : exec_own(i);
    if (watch && i->kind == KIND_bra)
        i->go = code_goes_on(c, k) ? r_watched_bra : r_watched_bra_last;
    else if (watch)
        i->go = r_one;
    else
        i->go = !code_goes_on(c, k) ? going_no_further(i) : shift ? r_one : going_on(c, i);
    run_fn *const go = i->go;
    if (i->flags & OPF_ZEROS && go != r_one) {
        c->zeros[k].go = go;
        i->go = r_zeros;
    }
    i->flags &= (uint8_t)~OPF_LINES;
    if (line_is_counted(go))
        i->flags |= OPF_LINES;
    if (i->kind == KIND_set) { /* its comparison is an instruction as well: decode_set */
        insn *compare = (insn *)(uintptr_t)i->extra;
        compare->exec = exec_plain(compare);
    }
}

void bind_code(code *c, bool watched, bool in_rows)
{
    c->watched = watched;
    c->in_rows = in_rows;
    for (unsigned k = 0; k < c->count; k++)
        bind_insn(c, k);
    for (unsigned k = 0; k + 2 < c->count; k++)
        c->insns[k].go = alu_together(&c->insns[k]);
}
