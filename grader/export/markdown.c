/*
 * markdown.c: a result in Markdown (CommonMark, with GitHub's tables), for an issue, a comment or
 * the summary of a run in CI.
 */
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "facts.h"
#include "formats.h"

/* Outside of code: no character is taken for a mark, and no line ends. */
static void put_plain(FILE *to, const char *text)
{
    for (const char *at = text; *at;) {
        bool harmless;
        const size_t size = clean_character(at, &harmless);
        if (!harmless || *at == '\n' || *at == '\t') {
            putc('?', to);
        } else {
            if (strchr("\\`*_{}[]<>()#+-.!|&~$:@", *at))
                putc('\\', to);
            fwrite(at, 1, size, to);
        }
        at += size;
    }
}

/* The longest run of that character. */
static size_t longest_run(const char *text, char c)
{
    size_t most = 0, run = 0;

    for (; *text; text++) {
        run = *text == c ? run + 1 : 0;
        most = run > most ? run : most;
    }
    return most;
}

static void put_fence(FILE *to, size_t length)
{
    for (size_t i = 0; i < length; i++)
        putc('~', to);
}

/* Code, whatever is in it: the fence is longer than any that it holds. */
static void put_code(FILE *to, const char *text)
{
    const size_t run = longest_run(text, '~'), length = run < 3 ? 3 : run + 1;
    bool ended = true;

    put_fence(to, length);
    putc('\n', to);
    for (const char *at = text; *at;) {
        bool harmless;
        const size_t size = clean_character(at, &harmless);
        fwrite(harmless ? at : "?", 1, harmless ? size : 1, to);
        ended = *at == '\n';
        at += size;
    }
    fputs(ended ? "" : "\n", to);
    put_fence(to, length);
    fputs("\n\n", to);
}

static void put_points(FILE *to, double points, double most)
{
    fprintf(to, "%.10g/%.10g", points, most);
}

static void put_overview(FILE *to, const json_t *labs)
{
    const json_t *lab;
    size_t i;

    fputs("| lab | verdict | points |\n|---|---|---:|\n", to);
    json_array_foreach(labs, i, lab)
    {
        fprintf(to, "| %.2s ", facts_text(lab, "id"));
        put_plain(to, facts_text(lab, "title"));
        fprintf(to, " | %s | ", facts_text(lab, "verdict"));
        put_points(to, facts_worth(lab), facts_most(lab));
        fputs(" |\n", to);
    }
    putc('\n', to);
}

/* The table of a lab's parts, then what is wrong in each. */
static bool put_lab(FILE *to, const json_t *lab)
{
    facts_part part;

    fprintf(to, "## %.2s ", facts_text(lab, "id"));
    put_plain(to, facts_text(lab, "title"));
    fprintf(to, ": %s, ", facts_text(lab, "verdict"));
    put_points(to, facts_worth(lab), facts_most(lab));
    fputs("\n\n| part | verdict | points |\n|---|---|---:|\n", to);
    for (size_t i = 0; i < facts_parts(lab); i++) {
        if (!facts_part_of(lab, i, &part))
            return false;
        fputs("| ", to);
        put_plain(to, part.part);
        fprintf(to, " | %s | ", part.hidden ? "hidden" : verdict_name(part.verdict));
        if (!part.hidden)
            put_points(to, part.points, part.max_points);
        fputs(" |\n", to);
        free(part.text);
    }
    putc('\n', to);
    if (facts_of_lab(lab))
        put_code(to, facts_text(facts_of_lab(lab), "message"));
    for (size_t i = 0; i < facts_parts(lab); i++) {
        if (!facts_part_of(lab, i, &part))
            return false;
        if (part.own && !part.hidden) {
            fputs("### ", to);
            put_plain(to, part.part);
            fprintf(to, ": %s\n\n", verdict_name(part.verdict));
            put_code(to, part.text);
        }
        free(part.text);
    }
    return true;
}

bool export_markdown(const export_one *one, FILE *to, base_error *error)
{
    const json_t *labs = json_object_get(one->results, "labs"), *lab;
    bool fine = true;
    size_t i;

    fputs("# ", to);
    put_plain(to, *one->name ? one->name : "Scan Lab");
    if (one->results) {
        fputs(": ", to);
        put_points(to, facts_worth(one->results), facts_most(one->results));
        fputs(" points\n\n", to);
    } else {
        fputs(": not graded\n\n", to);
        put_plain(to, one->reason);
        putc('\n', to);
    }
    if (json_array_size(labs) > 1)
        put_overview(to, labs);
    json_array_foreach(labs, i, lab)
    {
        if (facts_is_begun(lab) || json_array_size(labs) == 1)
            fine = fine && put_lab(to, lab);
    }
    return fine || error_set(error, "no memory for the report");
}
