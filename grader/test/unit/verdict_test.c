/*
 * verdict_test.c: the table of verdicts agrees with itself, with the engine and with the pages.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "config.h"
#include "file.h"
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

/* "| PASS |" or "| CRASH, EARLY_EXIT |": is the name a word of a row's first cell? */
static bool has_row(const char *page, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = page; (at = strstr(at, name)) != NULL; at += length) {
        const char *line = at;
        while (line > page && line[-1] != '\n')
            line--;
        const char *second = strncmp(line, "| ", 2) == 0 ? strchr(line + 1, '|') : NULL;
        if (second && at < second && strchr(" `", at[-1]) && strchr(" `,", at[length]))
            return true;
    }
    return false;
}

TEST(every_verdict_has_a_row_on_a_page)
{
    bool found[VERDICT_COUNT] = { false };
    glob_t pages;

    glob(SCANLAB_SOURCE_DIR "/README.md", 0, NULL, &pages);
    glob(SCANLAB_SOURCE_DIR "/docs/*.md", GLOB_APPEND, NULL, &pages);
    for (size_t p = 0; p < pages.gl_pathc; p++) {
        char *text = NULL;
        if (!file_read(pages.gl_pathv[p], 1 << 20, &text, NULL, NULL))
            continue;
        for (int v = 0; v < VERDICT_COUNT; v++)
            found[v] = found[v] || has_row(text, verdict_name((verdict)v));
        free(text);
    }
    globfree(&pages);
    for (int v = 0; v < VERDICT_COUNT; v++)
        CHECK(found[v], "%s is in no table of README.md or docs/", verdict_name((verdict)v));
}
