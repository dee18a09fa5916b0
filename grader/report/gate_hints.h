/*
 * gate_hints.h: hints about a gate that was missed, made of what it counts, of its theory, and of
 * the steps of the part's own hints.
 */
#ifndef GATE_HINTS_H
#define GATE_HINTS_H

#include <stddef.h>

#include "lab.h"

/* The part's gate of this name, of lab.c, lab_device_gates or lab_own_gates; null: it has none. */
const lab_gate *gate_hints_find(const lab_part *part, const char *name);

/* level: 1 to LAB_HINTS, as those of lab_hints */
void gate_hints_text(const lab_part *part, const lab_gate *gate, int level, char *text,
                     size_t room);

#endif
