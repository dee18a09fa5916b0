/*
 * locate.c: see locate.h.
 */
#include "locate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

/* Of "/path/slug.cu:41 (discriminator 2)" the line, if that is the file. */
static unsigned line_in(const char *said, const char *file)
{
    const size_t length = strcspn(said, "\n"), name_length = strlen(file);

    for (const char *at = said; at + name_length < said + length; at++)
        if ((at == said || at[-1] == '/') && strncmp(at, file, name_length) == 0 &&
            at[name_length] == ':')
            return (unsigned)strtoul(at + name_length + 1, NULL, 10);
    return 0;
}

unsigned locate_line(const char *addr2line, const lab *l, const char *program, uint64_t address)
{
    char text[32];
    const char *arguments[] = { addr2line, "-i", "-e", program, text, NULL };
    const char *const may_read[] = { addr2line, program, NULL };
    const confine_rules confine = { .kind = CONFINE_TOOL, .read = may_read };
    process_spec spec = { .arguments = arguments,
                          .given = { -1, -1, -1 },
                          .confine = &confine,
                          .limits = { .data_bytes = (size_t)1 << 30, .cpu_seconds = 5 } };
    /* debug information is the submission's own: what took too long once is not read again */
    static bool gave_up;
    process_run_result run;
    unsigned line = 0;

    if (address == 0 || !addr2line[0] || gave_up)
        return 0;
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)address);
    if (!process_run(&spec, 5, 4096, &run, NULL))
        return 0;
    gave_up = run.ending != PROCESS_EXITED;
    for (const char *said = run.output; *said && !line; said += *said == '\n') {
        line = line_in(said, l->file);
        said += strcspn(said, "\n");
    }
    free(run.output);
    return line;
}

void locate_launch(const char *addr2line, const char *program, const lab *l, case_result *c)
{
    if (!c->where.launch_line)
        c->where.launch_line = locate_line(addr2line, l, program, c->where.launched_from);
}

void locate_launches(const char *addr2line, const char *program, lab_result *result)
{
    for (unsigned c = 0; c < result->case_count; c++) {
        result_where *where = &result->cases[c].where;
        unsigned same = 0;

        while (same < c && result->cases[same].where.launched_from != where->launched_from)
            same++;
        if (same < c)
            where->launch_line = result->cases[same].where.launch_line;
        else
            locate_launch(addr2line, program, result->l, &result->cases[c]);
    }
}
