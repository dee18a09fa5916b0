/*
 * html.c: one page for a submission: its points, what is wrong in each part, and the file that was
 * graded with each finding below its line. It needs no other file, no script and no network, fits a
 * phone, and is dark where the reader's system is.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "file.h"
#include "formats.h"
#include "markup.h"
#include "path.h"

enum { SOURCE_LIMIT = 1 << 20, MOST_LINES = 5000 /* and those with a finding */ };

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c1c1c;--paper:#fff;--soft:#f3f3f1;--line:#d5d5d0;"
    "--dim:#6a6a66;--bad:#a4262c;--warn:#8a5a00;--good:#1b6e3c;--mark:#fde7e7}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e6e3;--paper:#161616;--soft:#212121;"
    "--line:#3b3b3b;--dim:#a3a3a0;--bad:#ff8f8f;--warn:#f2b84b;--good:#7fd69b;--mark:#3d1f22}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.5 system-ui,sans-serif}\n"
    "h1,h2{line-height:1.2;overflow-wrap:anywhere}h2{margin-top:2.5rem}\n"
    "table{border-collapse:collapse;width:100%}th,td{padding:.3rem .5rem;text-align:left;"
    "border-bottom:1px solid var(--line)}td.points,th.points{text-align:right}\n"
    ".bad{color:var(--bad)}.warn{color:var(--warn)}.good{color:var(--good)}.dim{color:var(--dim)}\n"
    ".why,.source{font:.85rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}\n"
    ".why{white-space:pre-wrap;background:var(--soft);padding:.6rem;margin:.6rem 0;"
    "border-left:.25rem solid var(--bad)}\n"
    ".source{background:var(--soft);padding:.5rem 0;margin:.5rem 0;tab-size:4}\n"
    ".source>div{display:flex}.source .found{background:var(--mark)}\n"
    ".source span{white-space:pre-wrap;min-width:0}\n"
    ".source b{flex:none;width:3.2rem;padding-right:.7rem;text-align:right;font-weight:400;"
    "color:var(--dim);user-select:none}\n"
    ".source>.why{display:block;margin:.2rem .5rem .4rem 3.2rem;background:var(--paper);"
    "font-family:system-ui,sans-serif}.source>.of-compiler{border-color:var(--warn)}\n"
    "summary{cursor:pointer}\n";

static const char *colour_of(verdict v)
{
    static const char *const classes[] = { [VERDICT_GREEN] = "good",
                                           [VERDICT_CYAN] = "dim",
                                           [VERDICT_YELLOW] = "warn",
                                           [VERDICT_RED] = "bad" };
    return classes[verdict_about(v)->colour];
}

static void put_verdict(FILE *to, verdict v)
{
    fprintf(to, "<span class=\"%s\">%s</span>", colour_of(v), verdict_name(v));
}

static void put_points(FILE *to, double points, double most)
{
    fprintf(to, "%.10g/%.10g", points, most);
}

/* A lab, and what is said of its parts, which is looked for once. */
typedef struct page_lab {
    const json_t *json, *whole; /* whole: what is said of the lab itself, or null */
    const char *id;
    facts_part *parts;
    size_t count;
} page_lab;

static void drop_lab(page_lab *lab)
{
    for (size_t i = 0; lab->parts && i < lab->count; i++)
        free(lab->parts[i].text);
    free(lab->parts);
}

static bool read_lab(const json_t *json, page_lab *lab)
{
    bool fine;

    *lab = (page_lab){ json, facts_of_lab(json), facts_text(json, "id"), NULL, facts_parts(json) };
    lab->parts = calloc(lab->count + 1, sizeof *lab->parts);
    fine = lab->parts != NULL;
    for (size_t i = 0; fine && i < lab->count; i++)
        fine = facts_part_of(json, i, &lab->parts[i]);
    return fine;
}

static unsigned line_of(const page_lab *lab, const json_t *found)
{
    return facts_line(lab->id, json_object_get(found, "where"));
}

/* ---- the file -------------------------------------------------------------------------------- */

static void put_note(FILE *to, const char *class, const char *head, const char *text)
{
    fprintf(to, "<div class=\"%s\"><strong>", class);
    markup_text(to, head);
    fputs("</strong>\n", to);
    markup_text(to, text);
    fputs("</div>\n", to);
}

/* What was found in that line of the lab's file. */
static void put_findings(FILE *to, const page_lab *lab, unsigned line)
{
    const json_t *warning;
    size_t i;

    if (line_of(lab, lab->whole) == line)
        put_note(to, "why", facts_text(lab->whole, "verdict"), facts_text(lab->whole, "message"));
    for (i = 0; i < lab->count; i++) {
        const facts_part *part = &lab->parts[i];
        char head[200];
        if (part->hidden || line_of(lab, part->decided) != line)
            continue;
        snprintf(head, sizeof head, "%.100s: %s", part->part, verdict_name(part->verdict));
        put_note(to, "why", head, part->text);
    }
    json_array_foreach(json_object_get(json_object_get(lab->json, "warnings"), "first"), i, warning)
    {
        if ((unsigned)facts_number(warning, "line") == line)
            put_note(to, "why of-compiler", "warning of the compiler",
                     facts_text(warning, "message"));
    }
}

/* text: without the line's end. *left_out: lines that are not shown. */
static bool put_line(FILE *to, const page_lab *lab, unsigned number, const char *text, size_t size,
                     unsigned *left_out)
{
    char *notes = NULL;
    size_t length = 0;
    FILE *below = open_memstream(&notes, &length);

    if (!below)
        return false;
    put_findings(below, lab, number);
    if (fclose(below) != 0)
        return false;
    if (number > MOST_LINES && !length) {
        ++*left_out;
        free(notes);
        return true;
    }
    fprintf(to, "<div%s id=\"%s-%u\"><b>%u</b><span>", length ? " class=\"found\"" : "", lab->id,
            number, number);
    markup_bytes(to, text, size && text[size - 1] == '\r' ? size - 1 : size);
    fprintf(to, "</span></div>\n%s", notes);
    free(notes);
    return true;
}

/* False without memory; a file that is not there is left out. */
static bool put_source(FILE *to, const export_one *one, const page_lab *lab)
{
    const verdict v = facts_verdict_of_lab(lab->json);
    char name[200], path[PATH_MAX], *text;
    bool fine = true;
    unsigned number = 0, left_out = 0;

    snprintf(name, sizeof name, "source/%.150s.cu", lab->id);
    if (!facts_is_begun(lab->json) || strchr(lab->id, '/') ||
        !path_join(path, sizeof path, one->folder, name, NULL) ||
        !file_read_own(path, SOURCE_LIMIT, &text, NULL, NULL))
        return true;
    fprintf(to,
            "<details%s><summary>The file, as it was graded</summary>\n<div class=\"source\">\n",
            v == VERDICT_PASS ? "" : " open");
    for (const char *at = text; fine && *at;) {
        const size_t size = strcspn(at, "\n");
        fine = put_line(to, lab, ++number, at, size, &left_out);
        at += size + (at[size] == '\n');
    }
    fputs("</div>", to);
    if (left_out)
        fprintf(to,
                "<p class=\"dim\">%u lines after line %d are left out; nothing was found there</p>",
                left_out, MOST_LINES);
    fputs("</details>\n", to);
    free(text);
    return fine;
}

/* ---- a lab ----------------------------------------------------------------------------------- */

static void put_part(FILE *to, const page_lab *lab, const facts_part *part)
{
    const unsigned line = line_of(lab, part->decided);

    fputs("<tr><td>", to);
    markup_text(to, part->part);
    fputs("</td><td>", to);
    if (part->hidden) {
        fputs("<span class=\"dim\">hidden</span></td><td></td></tr>\n", to);
        return;
    }
    put_verdict(to, part->verdict);
    if (line)
        fprintf(to, " <a href=\"#%s-%u\">line %u</a>", lab->id, line, line);
    fputs("</td><td class=\"points\">", to);
    put_points(to, part->points, part->max_points);
    fputs("</td></tr>\n", to);
}

/* What is wrong stands at its line of the file, or else below the table of parts. */
static void put_notes(FILE *to, const page_lab *lab)
{
    if (lab->whole && !line_of(lab, lab->whole))
        put_note(to, "why", facts_text(lab->whole, "verdict"), facts_text(lab->whole, "message"));
    for (size_t i = 0; i < lab->count; i++)
        if (lab->parts[i].own && !lab->parts[i].hidden && !line_of(lab, lab->parts[i].decided))
            put_note(to, "why", lab->parts[i].part, lab->parts[i].text);
}

static bool put_lab(FILE *to, const export_one *one, const json_t *json)
{
    page_lab lab;
    bool fine = read_lab(json, &lab);

    fprintf(to, "<section id=\"%s\">\n<h2>%.2s ", lab.id, lab.id);
    markup_text(to, facts_text(json, "title"));
    fputs(": ", to);
    put_verdict(to, facts_verdict_of_lab(json));
    fputs("</h2>\n<table><thead><tr><th>part</th><th>verdict</th><th class=\"points\">points</th>"
          "</tr></thead>\n<tbody>\n",
          to);
    for (size_t i = 0; fine && i < lab.count; i++)
        put_part(to, &lab, &lab.parts[i]);
    fputs("</tbody></table>\n", to);
    if (fine)
        put_notes(to, &lab);
    fine = fine && put_source(to, one, &lab);
    fputs("</section>\n", to);
    drop_lab(&lab);
    return fine;
}

/* ---- the page -------------------------------------------------------------------------------- */

static void put_overview(FILE *to, const json_t *labs)
{
    const json_t *lab;
    size_t i;

    fputs("<table><thead><tr><th>lab</th><th>verdict</th><th class=\"points\">points</th></tr>"
          "</thead>\n<tbody>\n",
          to);
    json_array_foreach(labs, i, lab)
    {
        const bool begun = facts_is_begun(lab);
        fputs("<tr><td>", to);
        if (begun)
            fprintf(to, "<a href=\"#%s\">", facts_text(lab, "id"));
        fprintf(to, "%.2s ", facts_text(lab, "id"));
        markup_text(to, facts_text(lab, "title"));
        fprintf(to, "%s</td><td>", begun ? "</a>" : "");
        put_verdict(to, facts_verdict_of_lab(lab));
        fputs("</td><td class=\"points\">", to);
        put_points(to, facts_worth(lab), facts_most(lab));
        fputs("</td></tr>\n", to);
    }
    fputs("</tbody></table>\n", to);
}

static void put_head(FILE *to, const export_one *one)
{
    const char *name = *one->name ? one->name : "Scan Lab";

    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          to);
    markup_text(to, name);
    fprintf(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
    markup_text(to, name);
    fputs("</h1>\n", to);
}

static void put_points_of_all(FILE *to, const export_one *one)
{
    char when[40];
    struct tm local;

    strftime(when, sizeof when, "%Y-%m-%d %H:%M", localtime_r(&one->graded, &local));
    fputs("<p><strong>", to);
    put_points(to, facts_worth(one->results), facts_most(one->results));
    fprintf(to, "</strong> points; graded on %s</p>\n", when);
}

bool export_html(const export_one *one, FILE *to, base_error *error)
{
    const json_t *labs = json_object_get(one->results, "labs"), *lab;
    bool fine = true;
    size_t i;

    put_head(to, one);
    if (one->results) {
        put_points_of_all(to, one);
        if (json_array_size(labs) > 1)
            put_overview(to, labs);
    } else {
        put_note(to, "why", "Not graded", one->reason);
    }
    json_array_foreach(labs, i, lab)
    {
        if (facts_is_begun(lab) || json_array_size(labs) == 1)
            fine = fine && put_lab(to, one, lab);
    }
    fputs("</body>\n</html>\n", to);
    return fine || error_set(error, "no memory for the page");
}
