/* counts.c: counters by launch, and by source line over all launches of a kernel. See
   watch_parts.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tell.h"
#include "fit.h"
#include "watch_parts.h"

typedef struct launched {
    char kernel[64];
    simt_dim grid, block;
    simt_counts counts;
} launched;
typedef struct counted {
    char kernel[64];
    simt_line_counts counts;
} counted;

static launched *launches;
static size_t launch_count, launch_room;
static counted *lines;
static size_t line_count, line_room;
static bool incomplete;

/* Room for one more; false, and said at the end, where there is no memory. */
static bool grow(void **items, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 64;
    void *grown = realloc(*items, more * size);
    if (!grown) {
        incomplete = true;
        return false;
    }
    *items = grown;
    *room = more;
    return true;
}

static void add_line(const char *kernel, const simt_line_counts *more)
{
    counted *l = NULL;
    for (size_t k = 0; k < line_count && !l; k++)
        if (lines[k].counts.line == more->line && strcmp(lines[k].counts.file, more->file) == 0 &&
            strcmp(lines[k].kernel, kernel) == 0)
            l = &lines[k];
    if (l) {
        l->counts.warp_instructions += more->warp_instructions;
        l->counts.thread_instructions += more->thread_instructions;
        l->counts.branches += more->branches;
        l->counts.divergent_branches += more->divergent_branches;
        l->counts.float_adds += more->float_adds;
        l->counts.float_add_issues += more->float_add_issues;
        l->counts.barriers += more->barriers;
        l->counts.shared_wavefronts += more->shared_wavefronts;
        l->counts.shared_ideal += more->shared_ideal;
        l->counts.global_sectors += more->global_sectors;
        l->counts.global_ideal += more->global_ideal;
        return;
    }
    if (!grow((void **)&lines, &line_room, line_count, sizeof *lines))
        return;
    l = &lines[line_count++];
    snprintf(l->kernel, sizeof l->kernel, "%s", kernel);
    l->counts = *more;
}

void counts_add(const char *kernel, const simt_launch_args *args, const simt_report *report)
{
    if (grow((void **)&launches, &launch_room, launch_count, sizeof *launches)) {
        launched *l = &launches[launch_count++];
        *l = (launched){ .grid = args->grid, .block = args->block, .counts = report->counts };
        snprintf(l->kernel, sizeof l->kernel, "%s", kernel);
    }
    for (unsigned k = 0; k < report->line_count; k++)
        add_line(kernel, &report->lines[k]);
}

/* ---- printing -------------------------------------------------------------------------------- */

/* "97%" of 32 lanes. */
static const char *efficiency(uint64_t threads, uint64_t warps, char text[16])
{
    snprintf(text, 16, "-");
    if (warps)
        snprintf(text, 16, "%.0f%%", 100.0 * (double)threads / (32.0 * (double)warps));
    return text;
}

/* "2.0x" of what is needed; "-" where there was none. */
static const char *over_ideal(uint64_t took, uint64_t ideal, char text[16])
{
    snprintf(text, 16, "-");
    if (ideal)
        snprintf(text, 16, "%.*fx", (double)took / (double)ideal < 9.95 ? 1 : 0,
                 (double)took / (double)ideal);
    return text;
}

static const char *share(uint64_t part, uint64_t all, char text[16])
{
    snprintf(text, 16, "-");
    if (all)
        snprintf(text, 16, "%.0f%%", 100.0 * (double)part / (double)all);
    return text;
}

static void tell_launch(size_t number, const launched *l)
{
    char t[7][16];
    const simt_counts *c = &l->counts;
    unsigned long long blocks = (unsigned long long)l->grid.x * l->grid.y * l->grid.z;
    unsigned threads = l->block.x * l->block.y * l->block.z;
    fit_print(tell_stream, "%4zu  %-16.16s %7llu %7u %6s %5s %6s %6s %7s %6s\n", number, l->kernel,
              blocks, threads, tell_scaled(c->warp_instructions, t[0]),
              efficiency(c->thread_instructions, c->warp_instructions, t[1]),
              share(c->divergent_branches, c->branches, t[2]),
              over_ideal(c->shared_wavefronts, c->shared_ideal, t[3]),
              over_ideal(c->global_sectors, c->global_ideal, t[4]),
              tell_scaled(c->global_bytes_read + c->global_bytes_written, t[5]));
}

static void tell_launches(void)
{
    enum { SHOWN = 40 };
    simt_counts sum = { 0 };
    static const char format[] = "%4s  %-16s %7s %7s %6s %5s %6s %6s %7s %6s\n";
    fputs(tell_begin(TELL_STRONG), tell_stream);
    fit_print(tell_stream, format, "#", "kernel", "blocks", "threads", "warp", "SIMD", "diver-",
              "shared", "global", "global");
    fit_print(tell_stream, format, "", "", "", "each", "instr", "", "gent", "passes", "sectors",
              "bytes");
    fputs(tell_end(), tell_stream);
    for (size_t k = 0; k < launch_count; k++) {
        simt_counts_add(&sum, &launches[k].counts);
        if (k < SHOWN)
            tell_launch(k + 1, &launches[k]);
    }
    if (launch_count > SHOWN)
        fit_print(tell_stream, "      ... and %zu more launches; --csv has them all\n",
                  launch_count - SHOWN);
    fit_print(tell_stream,
              "\nin all: %" PRIu64 " blocks, %" PRIu64 " threads, %" PRIu64
              " warp instructions, %" PRIu64 " barriers,\n%" PRIu64 " atomics, %" PRIu64
              " floating additions; global bytes %" PRIu64 " read, %" PRIu64 " written\n",
              sum.blocks, sum.threads, sum.warp_instructions, sum.barriers, sum.atomics,
              sum.float_adds, sum.global_bytes_read, sum.global_bytes_written);
    tell_wrapped("", 0,
                 "SIMD: lanes that work, of 32. divergent: branches that a warp takes both ways. "
                 "shared passes, global sectors: over what the same bytes need without bank "
                 "conflicts, or when consecutive.");
}

static int by_place(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    int c = strcmp(x->kernel, y->kernel);
    c = c ? c : strcmp(x->counts.file, y->counts.file);
    return c ? c : (x->counts.line > y->counts.line) - (x->counts.line < y->counts.line);
}

static void tell_line(const simt_line_counts *l, uint64_t all)
{
    enum { BEFORE_TEXT = 46 };
    char t[6][16], text[300];
    const char *code = source_line(l->file, l->line, text, sizeof text);
    fprintf(tell_stream, "%5u %6s %5s %5s %6s %6s %6s  %.*s\n", l->line,
            tell_scaled(l->warp_instructions, t[0]), share(l->warp_instructions, all, t[1]),
            efficiency(l->thread_instructions, l->warp_instructions, t[2]),
            share(l->divergent_branches, l->branches, t[3]),
            over_ideal(l->shared_wavefronts, l->shared_ideal, t[4]),
            over_ideal(l->global_sectors, l->global_ideal, t[5]),
            (int)(tell_columns() > BEFORE_TEXT + 1 ? tell_columns() - BEFORE_TEXT - 1 : 0),
            code ? code : "");
}

static void tell_lines(void)
{
    const char *kernel = "";
    uint64_t all = 0;
    for (size_t k = 0; k < line_count; k++) {
        if (strcmp(lines[k].kernel, kernel) != 0) {
            kernel = lines[k].kernel;
            all = 0;
            for (size_t n = k; n < line_count && strcmp(lines[n].kernel, kernel) == 0; n++)
                all += lines[n].counts.warp_instructions;
            fit_print(tell_stream,
                      "\n%skernel %s, %s\n line   warp share  SIMD diver- shared global\n       "
                      "instr              gent passes sectors%s\n",
                      tell_begin(TELL_STRONG), kernel, lines[k].counts.file, tell_end());
        }
        tell_line(&lines[k].counts, all);
    }
    if (!line_count)
        fit_print(tell_stream, "\nThe PTX has no line information (.loc); compile with "
                               "-gline-tables-only, as simt cc does.\n");
}

static void launches_as_csv(void)
{
    fputs("launch,kernel,grid_x,grid_y,grid_z,block_x,block_y,block_z,warp_instructions,thread_"
          "instructions,branches,divergent_branches,barriers,float_adds,"
          "shared_requests,shared_wavefronts,shared_ideal,shared_bytes,global_requests,global_"
          "sectors,global_ideal,global_bytes_read,global_bytes_written,"
          "local_bytes,atomics\n",
          tell_stream);
    for (size_t k = 0; k < launch_count; k++) {
        const launched *l = &launches[k];
        const simt_counts *c = &l->counts;
        const uint64_t numbers[] = { l->grid.x,
                                     l->grid.y,
                                     l->grid.z,
                                     l->block.x,
                                     l->block.y,
                                     l->block.z,
                                     c->warp_instructions,
                                     c->thread_instructions,
                                     c->branches,
                                     c->divergent_branches,
                                     c->barriers,
                                     c->float_adds,
                                     c->shared_requests,
                                     c->shared_wavefronts,
                                     c->shared_ideal,
                                     c->shared_bytes,
                                     c->global_requests,
                                     c->global_sectors,
                                     c->global_ideal,
                                     c->global_bytes_read,
                                     c->global_bytes_written,
                                     c->local_bytes,
                                     c->atomics };
        fprintf(tell_stream, "%zu,%s", k + 1, l->kernel);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            fprintf(tell_stream, ",%" PRIu64, numbers[n]);
        fputc('\n', tell_stream);
    }
}

static void lines_as_csv(void)
{
    char text[300];
    fputs("kernel,file,line,warp_instructions,thread_instructions,branches,divergent_branches,"
          "barriers,float_adds,"
          "shared_wavefronts,shared_ideal,global_sectors,global_ideal,source\n",
          tell_stream);
    for (size_t k = 0; k < line_count; k++) {
        const simt_line_counts *l = &lines[k].counts;
        const uint64_t numbers[] = {
            l->line,           l->warp_instructions,  l->thread_instructions,
            l->branches,       l->divergent_branches, l->barriers,
            l->float_adds,     l->shared_wavefronts,  l->shared_ideal,
            l->global_sectors, l->global_ideal
        };
        fprintf(tell_stream, "%s,%s", lines[k].kernel, l->file);
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            fprintf(tell_stream, ",%" PRIu64, numbers[n]);
        const char *code = source_line(l->file, l->line, text, sizeof text);
        fputs(",\"", tell_stream);
        for (const char *c = code ? code + strspn(code, " ") : ""; *c; c++)
            fprintf(tell_stream, *c == '"' ? "\"\"" : "%c", *c);
        fputs("\"\n", tell_stream);
    }
}

void counts_tell(const settings *s)
{
    qsort(lines, line_count, sizeof *lines, by_place);
    if (s->csv && s->per_line)
        lines_as_csv();
    else if (s->csv)
        launches_as_csv();
    else {
        tell_launches();
        if (s->per_line)
            tell_lines();
        fputc('\n', tell_stream);
    }
    if (incomplete)
        fputs("simt: no memory left: these counters are not complete\n", tell_stream);
}
