/*
 * order.c: findings by cause, and the most useful first. Interface: simt_order_findings (simt.h),
 * where the rules stand.
 */
#include "machine/found.h"

#include <string.h>

static bool same_place(const simt_site *a, const simt_site *b)
{
    if (a->line || b->line)
        return a->line == b->line && strcmp(a->file, b->file) == 0;
    return a->ptx_line == b->ptx_line && a->ptx_line;
}

static bool same_cause(const simt_finding *a, const simt_finding *b)
{
    if (a->of_library != b->of_library)
        return false;
    if (a->kind != b->kind || a->fatal != b->fatal || strcmp(a->at.kernel, b->at.kernel) != 0)
        return false;
    if (strcmp(a->variable, b->variable) != 0)
        return false;
    if (a->variable[0])
        return true;
    if (!a->has_other || !b->has_other)
        return same_place(&a->at, &b->at) && a->at.kernel[0];
    return same_place(&a->at, &b->at) || same_place(&a->at, &b->other) ||
           same_place(&a->other, &b->at) || same_place(&a->other, &b->other);
}

static void rename_group(simt_finding *table, unsigned count, unsigned from, unsigned to)
{
    for (unsigned k = 0; k < count; k++)
        if (table[k].group == from)
            table[k].group = to;
}

static bool before(const simt_finding *a, const simt_finding *b)
{
    return found_order_of(a) != found_order_of(b) ? found_order_of(a) < found_order_of(b)
                                                  : a->group < b->group;
}

unsigned simt_order_findings(simt_finding *table, unsigned count)
{
    for (unsigned k = 0; k < count; k++) {
        table[k].group = k + 1; /* of all that belong together, the first one's */
        for (unsigned j = 0; j < k; j++)
            if (table[j].group != table[k].group && same_cause(&table[j], &table[k])) {
                unsigned a = table[j].group, b = table[k].group;
                rename_group(table, k + 1, a < b ? b : a, a < b ? a : b);
            }
    }
    /* by insertion: equals keep the order in which they were seen */
    for (unsigned k = 1; k < count; k++) {
        simt_finding f = table[k];
        unsigned j = k;
        for (; j > 0 && before(&f, &table[j - 1]); j--)
            table[j] = table[j - 1];
        table[j] = f;
    }
    unsigned groups = 0, last = 0;
    /* all of a group have one order, so they stand together */
    for (unsigned k = 0; k < count; k++) {
        groups += k == 0 || table[k].group != last;
        last = table[k].group;
        table[k].group = groups;
    }
    return groups;
}
