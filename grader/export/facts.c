/*
 * facts.c: see facts.h.
 */
#define _GNU_SOURCE
#include "facts.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

const char *facts_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

double facts_number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static double worth(const json_t *object, const char *key)
{
    const json_t *course = json_object_get(object, "course");
    return facts_number(course ? course : object, key);
}

double facts_worth(const json_t *object) { return worth(object, "points"); }
double facts_most(const json_t *object) { return worth(object, "max_points"); }

const char *facts_points(double points, char text[32])
{
    snprintf(text, 32, "%.10g", points);
    return text;
}

size_t facts_parts(const json_t *lab) { return json_array_size(json_object_get(lab, "parts")); }

unsigned facts_line(const char *id, const json_t *where)
{
    const char *file = facts_text(where, "file"), *slug = strchr(id, '_');
    const size_t length = slug ? strlen(slug + 1) : 0;
    const bool own = slug && strncmp(file, slug + 1, length) == 0 && !strcmp(file + length, ".cu");

    return own ? (unsigned)facts_number(where, "line") : 0;
}

/* Is the case or the gate that part's? "inclusive/33", "inclusive: additions" */
static bool is_of(const json_t *found, const char *part, char end)
{
    const char *name = facts_text(found, "name");
    const size_t length = strlen(part);
    return strncmp(name, part, length) == 0 && name[length] == end;
}

static verdict verdict_in(const json_t *object)
{
    verdict v;
    verdict_by_name(facts_text(object, "verdict"), &v);
    return v;
}

verdict facts_verdict_of_lab(const json_t *lab) { return verdict_in(lab); }

bool facts_is_begun(const json_t *lab)
{
    const verdict v = verdict_in(lab);
    return v != VERDICT_NOT_STARTED && v != VERDICT_NOT_RUN;
}

const json_t *facts_of_lab(const json_t *lab)
{
    const json_t *first = json_array_get(json_object_get(lab, "cases"), 0);
    const bool said = strcmp(facts_text(first, "name"), "lab") == 0;
    return said && verdict_in(lab) != VERDICT_NOT_RUN ? first : NULL;
}

/* The first case with the part's verdict. */
static const json_t *deciding_case(const json_t *lab, const char *part, const char *verdict)
{
    const json_t *found;
    size_t i;

    json_array_foreach(json_object_get(lab, "cases"), i, found)
    {
        if (is_of(found, part, '/') && strcmp(facts_text(found, "verdict"), verdict) == 0)
            return found;
    }
    return NULL;
}

/* "hillis_steele.cu:24, block 0, warp 0, lane 1; launched at line 87" */
static void put_where(FILE *to, const json_t *where)
{
    static const char *const places[] = { "block", "warp", "lane" };

    if (!*facts_text(where, "file") || !json_is_integer(json_object_get(where, "line")))
        return;
    fprintf(to, "%s:%.0f", facts_text(where, "file"), facts_number(where, "line"));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (json_is_integer(json_object_get(where, places[i])))
            fprintf(to, ", %s %.0f", places[i], facts_number(where, places[i]));
    if (json_is_integer(json_object_get(where, "launch_line")))
        fprintf(to, "; launched at line %.0f", facts_number(where, "launch_line"));
    putc('\n', to);
}

static void put_case(FILE *to, const json_t *found)
{
    const char *name = facts_text(found, "name"), *message = facts_text(found, "message");
    const size_t length = strlen(message);

    if (strcmp(name, "lab") != 0)
        fprintf(to, "case %s: ", name);
    fprintf(to, "%s%s", message, length && message[length - 1] == '\n' ? "" : "\n");
    put_where(to, json_object_get(found, "where"));
}

/* How many there are. */
static int put_gates(FILE *to, const json_t *lab, const char *part)
{
    const json_t *gate;
    int missed = 0;
    size_t i;

    json_array_foreach(json_object_get(lab, "gates"), i, gate)
    {
        if (!is_of(gate, part, ':') || !json_is_false(json_object_get(gate, "ok")))
            continue;
        fprintf(to, "%s: %.10g; the limit is %.10g\n", facts_text(gate, "name"),
                facts_number(gate, "value"), facts_number(gate, "limit"));
        missed++;
    }
    return missed;
}

/* Sets own. */
static char *text_of(const json_t *lab, facts_part *part)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    if (!to)
        return NULL;
    if (part->verdict != VERDICT_PASS) {
        if (part->decided)
            put_case(to, part->decided);
        part->own = put_gates(to, lab, part->part) > 0 || part->decided;
        if (!part->own && facts_of_lab(lab))
            put_case(to, facts_of_lab(lab));
        else if (!part->own)
            fprintf(to, "%s\n", verdict_about(part->verdict)->means);
    }
    return fclose(to) == 0 ? text : NULL;
}

verdict facts_verdict(const json_t *lab, size_t index)
{
    const verdict v = verdict_in(json_array_get(json_object_get(lab, "parts"), index));
    const verdict whole = verdict_in(lab);

    return v == VERDICT_NOT_RUN && (facts_of_lab(lab) || whole == VERDICT_NOT_STARTED) ? whole : v;
}

/* A date in UTC, as results.json has it: "2026-12-08T22:59:00Z", which sorts as text. */
static bool is_over(const char *due)
{
    char now[32];
    const time_t clock = time(NULL);
    struct tm utc;

    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&clock, &utc));
    return *due && strcmp(now, due) > 0;
}

bool facts_hidden(const json_t *lab, size_t index)
{
    const json_t *part = json_array_get(json_object_get(lab, "parts"), index);
    const char *visible = facts_text(part, "visible");
    const char *due = facts_text(json_object_get(lab, "course"), "due");
    return strcmp(visible, "never") == 0 || (strcmp(visible, "after due") == 0 && !is_over(due));
}

bool facts_part_of(const json_t *lab, size_t index, facts_part *part)
{
    const json_t *found = json_array_get(json_object_get(lab, "parts"), index);

    *part = (facts_part){ .part = facts_text(found, "name"),
                          .points = facts_number(found, "points"),
                          .max_points = facts_number(found, "max_points"),
                          .visible = facts_text(found, "visible") };
    snprintf(part->name, sizeof part->name, "%.2s %s", facts_text(lab, "id"), part->part);
    part->verdict = facts_verdict(lab, index);
    part->hidden = facts_hidden(lab, index);
    if (part->verdict != VERDICT_PASS)
        part->decided = deciding_case(lab, part->part, verdict_name(part->verdict));
    part->text = text_of(lab, part);
    return part->text != NULL;
}
