/*
 * found.h: collecting findings while a launch runs, as facts; and the one table of their kinds.
 *
 * Invariants: a worker keeps at most SIMT_MAX_FINDINGS distinct findings (kind, instruction, other
 * instruction), of which lighter ones yield; repeats are counted. While worker.aside is set,
 * nothing is found.
 */
#ifndef SIMT_FOUND_H
#define SIMT_FOUND_H

#include "machine/state.h"

/* groups of simt_order_findings (simt.h), in their order */
typedef enum found_order {
    FOUND_MEETING,
    FOUND_RACE,
    FOUND_VALUE,
    FOUND_STOP,
    FOUND_LEAK,
    FOUND_NOTE,
    FOUND_LIBRARY
} found_order;

found_order found_order_of(const simt_finding *f);

/* A finding by lane at instruction `at`, to be filled in further; other: the instruction that the
   other access or thread is at, or null. Null: there is nothing to fill in, it was found before. */
simt_finding *found_add(simt_warp *w, simt_finding_kind kind, const insn *at, const insn *other,
                        unsigned lane);
/* The store at this counter was seen to write one element by two threads, in no order: a fact of
   the races that it is in. */
void found_both_write(worker *k, uint32_t pc);
/* of the host; null: no room */
simt_finding *found_by_host(simt_device *d, simt_finding_kind kind);
/* marks f fatal, or, where it is null, what found_add was last asked for; stops the launch */
void found_fatal(simt_warp *w, simt_finding *f);
/* what a kernel prints */
void found_print(simt_warp *w, const char *text, size_t bytes);

#endif
