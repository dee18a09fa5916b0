/*
 * gate_hints_test.c: every gate of every lab has hints; of several that fail, the first is shown.
 */
#include "gate_hints.h"

#include <string.h>

#include "check.h"
#include "gates.h"

static void expect_hints(const lab_part *part, const lab_gate *gates)
{
    char text[4096];

    for (const lab_gate *gate = gates; gate && gate->name; gate++) {
        CHECK(gate_hints_find(part, gate->name), "%s: gate \"%s\" is not found", part->entry,
              gate->name);
        for (int level = 1; level <= LAB_HINTS; level++) {
            text[0] = '\0';
            gate_hints_text(part, gate, level, text, sizeof text);
            CHECK(strlen(text) > 20 && strlen(text) + 1 < sizeof text,
                  "%s, \"%s\", hint %d: \"%s\"", part->entry, gate->name, level, text);
        }
    }
}

TEST(every_gate_has_hints)
{
    for (size_t i = 0; i < lab_table_length; i++)
        for (unsigned p = 0; p < lab_part_count(lab_table[i]); p++) {
            const lab_part *part = &lab_table[i]->parts[p];
            expect_hints(part, part->gates);
            expect_hints(part, lab_device_gates);
            expect_hints(part, lab_own_gates);
        }
}

/* Doubles take two words each, and with them lanes share banks, however they are padded. */
TEST(sums_that_are_no_floats_are_told_before_bank_conflicts)
{
    for (size_t i = 0; i < lab_table_length; i++)
        for (unsigned p = 0; p < lab_part_count(lab_table[i]); p++) {
            const lab_part *part = &lab_table[i]->parts[p];
            bool conflicts = false;
            for (unsigned g = 0; g < lab_gate_count(part); g++) {
                conflicts |= part->gates[g].metric == LAB_BANK_CONFLICTS;
                CHECK(!conflicts || part->gates[g].metric != LAB_ADDITIONS_NOT_IN_FLOAT, "%s",
                      part->entry);
            }
        }
}

TEST(gate_that_no_table_has_is_not_found)
{
    CHECK(!gate_hints_find(&lab_table[0]->parts[0], "no such gate"), "found");
}

/* What a launch too many does is counted by the other gates as well. */
TEST(a_launch_too_many_is_told_before_its_additions)
{
    static const lab_gate additions = { LAB_ADDITIONS, LAB_AT_MOST, .name = "additions" },
                          launches = { LAB_LAUNCHES, LAB_AT_MOST, .name = "launches" };
    static lab_result result = { .gate_count = 2,
                                 .gates = { { .gate = &additions, .value = 1022, .limit = 511 },
                                            { .gate = &launches, .value = 2, .limit = 1 } } };

    gates_order(&result);
    CHECK(result.gates[0].gate == &launches, "%s", result.gates[0].gate->name);
    result.gates[1].value++;
    gates_order(&result);
    CHECK(result.gates[0].gate == &additions, "%s", result.gates[0].gate->name);
}

/* Steps in global memory touch sectors beyond measure where none is spare; what they are is bytes
   too many. A few bytes too many explain no sectors. */
TEST(bytes_too_many_are_told_before_their_sectors)
{
    static const lab_gate sectors = { LAB_SECTOR_EXCESS, LAB_AT_MOST, .name = "extra sectors" },
                          waits = { LAB_WAITS, LAB_AT_MOST, .name = "waits" },
                          bytes = { LAB_BYTES_READ, LAB_AT_MOST, .name = "bytes read" };
    static lab_result result = { .gate_count = 3,
                                 .gates = { { .gate = &sectors, .value = 8, .limit = 0 },
                                            { .gate = &waits, .value = 3, .limit = 1 },
                                            { .gate = &bytes, .value = 1100, .limit = 1000 } } };

    gates_order(&result);
    CHECK(result.gates[0].gate == &sectors, "%s", result.gates[0].gate->name);
    result.gates[2].value = 8000;
    gates_order(&result);
    CHECK(result.gates[0].gate == &bytes, "%s", result.gates[0].gate->name);
    CHECK(result.gates[1].gate == &sectors, "%s", result.gates[1].gate->name);
    CHECK(result.gates[2].gate == &waits, "%s", result.gates[2].gate->name);
}
