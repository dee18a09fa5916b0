/*
 * junit.c: JUnit's XML, by the schema of Apache Ant's (github.com/windyroad/JUnit-Schema): a suite
 * for each lab, a test case for each part. A part that fails is a failure, one that the kit failed
 * on an error, one that is not begun or not run is skipped. The time is the lab's, since those of
 * its parts are not told apart.
 */
#include <stdlib.h>

#include "facts.h"
#include "formats.h"
#include "markup.h"

static const char *outcome_of(verdict v)
{
    switch (v) {
    case VERDICT_PASS: return NULL;
    case VERDICT_INFRA: return "error";
    case VERDICT_NOT_STARTED:
    case VERDICT_NOT_RUN: return "skipped";
    default: return "failure";
    }
}

/* What a course hides is skipped, too. */
static const char *outcome_at(const json_t *lab, size_t index)
{
    return facts_hidden(lab, index) ? "skipped" : outcome_of(facts_verdict(lab, index));
}

static void put_outcome(FILE *to, const char *outcome, const facts_part *part)
{

    if (outcome && *outcome == 's') {
        fprintf(to, "      <skipped/>\n");
    } else if (outcome) {
        fprintf(to, "      <%s type=\"%s\" message=\"", outcome, verdict_name(part->verdict));
        markup_text(to, part->text);
        fprintf(to, "\">");
        markup_text(to, part->text);
        fprintf(to, "</%s>\n", outcome);
    }
}

static bool put_case(FILE *to, const json_t *lab, size_t index)
{
    facts_part part;

    if (!facts_part_of(lab, index, &part))
        return false;
    fprintf(to, "    <testcase name=\"");
    markup_text(to, part.part);
    fprintf(to, "\" classname=\"%s\" time=\"0\">\n", facts_text(lab, "id"));
    put_outcome(to, outcome_at(lab, index), &part);
    fprintf(to, "    </testcase>\n");
    free(part.text);
    return true;
}

static int count(const json_t *lab, char first)
{
    int found = 0;

    for (size_t i = 0; i < facts_parts(lab); i++) {
        const char *outcome = outcome_at(lab, i);
        found += outcome && *outcome == first;
    }
    return found;
}

static void begin_suite(FILE *to, const export_one *one, const char *name, size_t id)
{
    char when[32];
    struct tm utc;

    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", gmtime_r(&one->graded, &utc));
    fprintf(to,
            "  <testsuite package=\"scan-lab\" id=\"%zu\" name=\"%s\" timestamp=\"%s\" "
            "hostname=\"localhost\"",
            id, name, when);
}

static void begin_properties(FILE *to, const export_one *one)
{
    fprintf(to, "    <properties>\n");
    if (*one->name) {
        fprintf(to, "      <property name=\"submission\" value=\"");
        markup_text(to, one->name);
        fprintf(to, "\"/>\n");
    }
}

static void end_suite(FILE *to)
{
    fprintf(to, "    <system-out></system-out>\n    <system-err></system-err>\n  </testsuite>\n");
}

/* Of a submission that was not graded: one test, which ends in an error and says why. */
static void put_ungraded(FILE *to, const export_one *one)
{
    begin_suite(to, one, "submission", 0);
    fprintf(to, " tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">\n");
    begin_properties(to, one);
    fprintf(to, "    </properties>\n    <testcase name=\"graded\" classname=\"submission\" "
                "time=\"0\">\n      <error type=\"not graded\" message=\"");
    markup_text(to, one->reason);
    fprintf(to, "\"/>\n    </testcase>\n");
    end_suite(to);
}

static bool put_suite(FILE *to, const export_one *one, const json_t *lab, size_t id)
{
    bool fine = true;

    begin_suite(to, one, facts_text(lab, "id"), id);
    fprintf(to, " tests=\"%zu\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n",
            facts_parts(lab), count(lab, 'f'), count(lab, 'e'), count(lab, 's'),
            facts_number(lab, "seconds"));
    begin_properties(to, one);
    fprintf(to,
            "      <property name=\"points\" value=\"%.10g\"/>\n"
            "      <property name=\"max_points\" value=\"%.10g\"/>\n    </properties>\n",
            facts_worth(lab), facts_most(lab));
    for (size_t i = 0; i < facts_parts(lab); i++)
        fine = fine && put_case(to, lab, i);
    end_suite(to);
    return fine;
}

bool export_junit(const export_one *one, FILE *to, base_error *error)
{
    const json_t *lab;
    bool fine = true;
    size_t i;

    fprintf(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    if (!one->results)
        put_ungraded(to, one);
    json_array_foreach(json_object_get(one->results, "labs"), i, lab)
    {
        fine = fine && put_suite(to, one, lab, i);
    }
    fprintf(to, "</testsuites>\n");
    return fine || error_set(error, "no memory for the report");
}
