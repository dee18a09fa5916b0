/*
 * focus.c: see focus.h.
 */
#include "focus.h"

#include <string.h>

bool focus_fails(const lab_result *r, unsigned part)
{
    const verdict v = r->part_verdict[part];

    return v == VERDICT_OVER_BUDGET || (v != VERDICT_PASS && v != VERDICT_NOT_RUN &&
                                        v != VERDICT_NOT_STARTED && r->shown[part] >= 0);
}

/* Of TODOs 1 and 3, 3: until then the part cannot be right. */
static unsigned last_todo(const lab_part *part)
{
    unsigned last = 0;

    for (unsigned left = part->todos; left; left >>= 1)
        last++;
    return last;
}

static bool comes_first(const lab_result *r, unsigned a, int b)
{
    if (b < 0)
        return true;
    const int weight_a = verdict_about(r->part_verdict[a])->in_lab,
              weight_b = verdict_about(r->part_verdict[b])->in_lab;
    return weight_a != weight_b ? weight_a > weight_b
                                : last_todo(&r->l->parts[a]) < last_todo(&r->l->parts[b]);
}

/* What was shown first stays, unless the other is about an earlier TODO, or what was shown was only
   too much work. */
static int keep_first(const lab_result *r, int chosen)
{
    const int seen = (int)r->first_seen - 1;

    if (seen < 0 || chosen < 0 || !focus_fails(r, (unsigned)seen) ||
        last_todo(&r->l->parts[chosen]) < last_todo(&r->l->parts[seen]) ||
        (r->part_verdict[seen] == VERDICT_OVER_BUDGET &&
         r->part_verdict[chosen] != VERDICT_OVER_BUDGET))
        return chosen;
    return seen;
}

focus focus_of(const lab_result *r)
{
    focus f = { .part = -1, .next = -1 };

    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (focus_fails(r, p)) {
            if (comes_first(r, p, f.part))
                f.part = (int)p;
        } else if (r->part_verdict[p] == VERDICT_NOT_STARTED) {
            f.not_started |= r->l->parts[p].todos & r->todos_open;
            if (comes_first(r, p, f.next))
                f.next = (int)p;
        }
    f.part = keep_first(r, f.part);
    return f;
}

bool focus_is_same_line(const lab_result *r, unsigned a, unsigned b)
{
    if (r->shown[a] < 0 || r->shown[b] < 0 || r->part_verdict[a] != r->part_verdict[b])
        return false;
    const result_where *x = &r->cases[r->shown[a]].where, *y = &r->cases[r->shown[b]].where;
    return x->line != 0 && x->line == y->line && strcmp(x->file, y->file) == 0;
}
