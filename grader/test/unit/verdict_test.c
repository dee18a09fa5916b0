/*
 * verdict_test.c: the table of verdicts agrees with itself and with the engine.
 */
#include <string.h>

#include "check.h"
#include "verdict.h"

TEST(verdict_is_found_by_its_name)
{
    verdict v;

    for (int i = 0; i < VERDICT_COUNT; i++)
        CHECK(verdict_by_name(verdict_name((verdict)i), &v) && (int)v == i, "%s",
              verdict_name((verdict)i));
    CHECK(!verdict_by_name("PAS", &v) && v == VERDICT_INFRA, "a name that no verdict has");
    CHECK(strcmp(verdict_name((verdict)VERDICT_COUNT), "INFRA") == 0,
          "a verdict that there is not");
}

/* A new kind of finding fails here until verdict.c says which verdict it makes. */
TEST(every_finding_but_remarks_has_a_verdict)
{
    for (int k = SIMT_NO_FINDING + 1; k < SIMT_FINDING_KINDS; k++) {
        const simt_finding_kind kind = (simt_finding_kind)k;
        const verdict v = verdict_of_finding(kind);
        const bool remark = simt_finding_is_note(kind) || kind == SIMT_LEAK;
        CHECK((v == VERDICT_PASS) == remark, "%s makes %s", simt_finding_name(kind),
              verdict_name(v));
        CHECK((verdict_about(v)->finding > 0) == !remark, "%s has no weight among findings",
              verdict_name(v));
    }
}
