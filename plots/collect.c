/*
 * collect: runs one lab's solution on the engine and writes what the figures need. Each lab has its
 * own such program, linked with its solution (plots/CMakeLists.txt): kernels of two labs may have
 * one name.
 *
 *   collect_NN_slug OUT [LARGEST]     appends to four files in OUT. LARGEST: the largest n
 *
 *   labs.csv       lab,title,drawn,networks
 *                  drawn: the parts shown by figures that have a line or two for each lab, with
 *                  spaces between them; networks: entry=name of those drawn as networks, with
 *                  semicolons
 *   counts.csv     lab,part,n,counter,value
 *                  one call of an entry; counters: struct counted
 *   networks.csv   lab,part,n,kind,id,left,right,depth,buffer,element,block,thread,line,time
 *                  one row for each simt_add_event of one call
 *   lookback.csv   lab,part,n,resident,depth,tiles
 *                  how many tiles noted that depth (LAB_NOTE), by blocks resident
 *
 * Every answer is compared with the lab's reference first: no figure is drawn of a wrong run.
 * Exit status: 0 written; 2 usage; 3 the solution does not run, or is wrong.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cudart.h"
#include "entry.h"
#include "error.h"
#include "judge.h"
#include "lab.h"

enum {
    SEED = 1,
    LARGEST_N = 1 << 20,
    LARGEST_TRACED_N = 1 << 16, /* a traced run is some 30 times slower */
    NETWORK_N = 16,
    LOOKBACK_TILES = 256
};

extern const lab lab_sklansky;

typedef struct call { /* of an entry: what was asked, and what came of it */
    const lab *lab;
    const lab_part *part;
    size_t n;
    simt_config config;
    judge_data data;
    void *device[LAB_MAX_BUFFERS]; /* buffers as the entry got them */
    simt_counts counts;
    uint64_t sums, dropped;
    simt_add_event *events;
    size_t event_count;
} call;

_Noreturn static void fail(const call *c, const char *what)
{
    die(3, "%s %s, n = %zu: %s", c->lab->id, c->part->entry, c->n, what);
}

/* ---- one call -------------------------------------------------------------------------------- */

static void ignore(void *user, const char *kernel, const simt_launch_args *args, simt_status status,
                   const simt_report *report)
{
    (void)user, (void)kernel, (void)args, (void)status, (void)report;
}

static void observe(void *user, const char *kernel, const simt_launch_args *args,
                    simt_status status, const simt_report *report)
{
    call *c = user;

    (void)kernel;
    (void)args;
    if (status != SIMT_OK || !report)
        fail(c, cudart_detail());
    simt_counts_add(&c->counts, &report->counts);
    c->sums += report->add_sums;
    c->dropped += report->adds_dropped;
    if (report->add_event_count == 0)
        return;
    c->events =
        realloc(c->events, (c->event_count + report->add_event_count + 1) * sizeof *c->events);
    if (!c->events)
        fail(c, "no memory");
    memcpy(c->events + c->event_count, report->adds, report->add_event_count * sizeof *c->events);
    c->event_count += report->add_event_count;
}

static void need(const call *c, cudaError_t error)
{
    if (error != cudaSuccess)
        fail(c, *cudart_detail() ? cudart_detail() : cudaGetErrorString(error));
}

/* Runs the entry on data of its own and checks the answer. The caller ends with drop. */
static void run(call *c)
{
    base_error error;
    judge_report report;
    void *entry = dlsym(RTLD_DEFAULT, c->part->entry);

    if (!entry)
        fail(c, "the solution has no function of that name");
    if (!judge_make(&c->data, c->part, c->n, SEED, &error))
        fail(c, error.text);
    if (!cudart_configure(&c->config))
        fail(c, cudart_detail());
    for (unsigned b = 0; b < c->data.count; b++) {
        need(c, cudaMalloc(&c->device[b], c->data.bytes[b] + 4));
        need(c, cudaMemcpy(c->device[b], c->data.given + c->data.offset[b], c->data.bytes[b],
                           cudaMemcpyHostToDevice));
    }
    cudart_observe(observe, c);
    entry_call(entry, c->device, c->data.count, c->part->wide_n, (long long)c->n);
    need(c, cudaDeviceSynchronize());
    need(c, cudaGetLastError());
    cudart_observe(NULL, NULL);
    for (unsigned b = 0; b < c->data.count; b++)
        need(c, cudaMemcpy(c->data.got + c->data.offset[b], c->device[b], c->data.bytes[b],
                           cudaMemcpyDeviceToHost));
    judge_compare(c->lab, c->part, &c->data, c->counts.launches, &report);
    if (report.answer != JUDGE_RIGHT)
        fail(c, report.what);
}

static void drop(call *c)
{
    for (unsigned b = 0; b < c->data.count; b++)
        cudaFree(c->device[b]);
    judge_drop(&c->data);
    free(c->events);
}

static call new_call(const lab *l, const lab_part *part, size_t n)
{
    call c = { .lab = l, .part = part, .n = n, .config = simt_default_config() };
    c.config.checks = SIMT_CHECK_COUNTERS | SIMT_CHECK_BOUNDS;
    return c;
}

/* Sums that some output depends on. A section padded with zeros also makes sums that are never
   used. Where events were dropped n is a multiple of every section, and all sums count. */
static uint64_t useful_sums(const call *c)
{
    uint32_t largest = 0;
    uint64_t useful = 0;

    if (c->dropped)
        return c->sums;
    for (size_t i = 0; i < c->event_count; i++)
        largest = c->events[i].id > largest ? c->events[i].id : largest;
    bool *needed = calloc((size_t)largest + 1, sizeof *needed);
    if (!needed)
        fail(c, "no memory");
    for (size_t i = c->event_count; i-- > 0;) { /* operands come before their sum */
        const simt_add_event *e = &c->events[i];
        if (e->kind == SIMT_ADD_OUTPUT)
            needed[e->left] = true;
        if (e->kind != SIMT_ADD_SUM || !needed[e->id])
            continue;
        needed[e->left] = needed[e->right] = true;
        useful++;
    }
    free(needed);
    return useful;
}

/* ---- what is written ------------------------------------------------------------------------- */

static void write_lab(FILE *file, const lab *l)
{
    const char *space = "";

    fprintf(file, "%s,\"%s\",", l->id, l->title); /* a title may have a comma */
    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (l->parts[p].drawn) {
            fprintf(file, "%s%s", space, l->parts[p].entry);
            space = " ";
        }
    fprintf(file, ",");
    for (unsigned p = 0, some = 0; p < lab_part_count(l); p++)
        if (l->parts[p].network)
            fprintf(file, "%s%s=%s", some++ ? ";" : "", l->parts[p].entry, l->parts[p].network);
    fprintf(file, "\n");
}

static FILE *append(const char *folder, const char *name, const char *columns)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!(file = fopen(path, "a")))
        die(3, "cannot write %s: does the folder exist?", path);
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) == 0)
        fprintf(file, "%s\n", columns);
    return file;
}

static void finish(FILE *file)
{
    if (fclose(file) != 0)
        die(3, "writing failed: is the disk full?");
}

static void write_counts(FILE *file, const call *c)
{
    const simt_counts *k = &c->counts;
    const struct counted {
        const char *name;
        uint64_t value;
    } counted[] = {
        { "element_bytes", judge_element_bytes(c->part->buffers[0].type) },
        { "bytes_read", k->global_bytes_read },
        { "bytes_written", k->global_bytes_written },
        { "float_adds", k->float_adds },
        { "float_add_issues", k->float_add_issues },
        { "shared_wavefronts", k->shared_wavefronts },
        { "shared_ideal", k->shared_ideal },
        { "warp_instructions", k->warp_instructions },
        { "launches", k->launches },
        { "blocks", k->blocks },
        { "barriers", k->barriers },
        { "atomics", k->atomics },
        { "shared_allocated", k->shared_allocated },
        { "sums", useful_sums(c) },
        { "depth", k->depth }, /* known where it is traced */
    };

    for (size_t i = 0; i < sizeof counted / sizeof *counted - (c->config.trace ? 0 : 2); i++)
        fprintf(file, "%s,%s,%zu,%s,%llu\n", c->lab->id, c->part->entry, c->n, counted[i].name,
                (unsigned long long)counted[i].value);
}

/* Buffer and element that a global address is in; a solution's own memory has the name
   "scratch". */
static const char *element_of(const call *c, simt_addr address, long long *element)
{
    *element = -1;
    for (unsigned b = 0; address && b < c->data.count; b++) {
        simt_addr start = (simt_addr)(uintptr_t)c->device[b];
        if (address < start || address - start >= c->data.bytes[b])
            continue;
        *element = (long long)((address - start) / judge_element_bytes(c->part->buffers[b].type));
        return c->part->buffers[b].name;
    }
    return address ? "scratch" : "";
}

static void write_network(FILE *file, const call *c)
{
    static const char *const kinds[] = { "input", "sum", "output" };

    for (size_t i = 0; i < c->event_count; i++) {
        const simt_add_event *e = &c->events[i];
        long long element;
        const char *buffer = element_of(c, e->address, &element);
        fprintf(file, "%s,%s,%zu,%s,%u,%u,%u,%u,%s,%lld,%llu,%u,%u,%llu\n", c->lab->id,
                c->part->entry, c->n, kinds[e->kind], e->id, e->left, e->right, e->depth, buffer,
                element, (unsigned long long)e->block, e->thread, e->line,
                (unsigned long long)e->time);
    }
}

static int by_value(const void *a, const void *b)
{
    return (*(const int32_t *)a > *(const int32_t *)b) -
           (*(const int32_t *)a < *(const int32_t *)b);
}

static void write_lookback(FILE *file, const call *c, unsigned b)
{
    const int32_t *noted = (const int32_t *)(c->data.got + c->data.offset[b]);
    int32_t *sorted = malloc((c->data.length[b] + 1) * sizeof *sorted);
    size_t count = 0;

    for (size_t i = 0; sorted && i < c->data.length[b]; i++)
        if ((uint32_t)noted[i] != c->data.poison)
            sorted[count++] = noted[i];
    if (count == 0)
        fail(c, "the solution noted nothing");
    qsort(sorted, count, sizeof *sorted, by_value);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && sorted[next] == sorted[i];)
            next++;
        fprintf(file, "%s,%s,%zu,%u,%d,%zu\n", c->lab->id, c->part->entry, c->n,
                c->config.resident_blocks, sorted[i], next - i);
    }
    free(sorted);
}

/* ---- a lab ----------------------------------------------------------------------------------- */

/* Trials try the contract's borders, wrong calls among them: no figure shows them. */
static bool is_collected(const lab_part *part)
{
    return part->buffers[0].place == LAB_DEVICE && !part->trial;
}

static void collect_counts(FILE *counts, FILE *networks, const lab *l, const lab_part *part,
                           size_t largest)
{
    for (size_t n = NETWORK_N; n <= largest && (!part->max_n || n <= part->max_n); n *= 4) {
        call c = new_call(l, part, n);
        c.config.trace = n <= LARGEST_TRACED_N ? SIMT_TRACE_ADDS : 0;
        run(&c);
        write_counts(counts, &c);
        if (n == NETWORK_N)
            write_network(networks, &c);
        drop(&c);
    }
}

static void collect_lookback(FILE *file, const lab *l, const lab_part *part, size_t largest)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        for (unsigned resident = 1; part->buffers[b].role == LAB_NOTE && resident <= 8;
             resident *= 2) {
            size_t n = (size_t)l->tile * LOOKBACK_TILES;
            call c = new_call(l, part, n < largest ? n : largest);
            c.config.resident_blocks = resident;
            c.config.shuffle_warps = true;
            c.config.seed = SEED;
            run(&c);
            write_lookback(file, &c, b);
            drop(&c);
        }
}

static const lab *lab_of(const char *program)
{
    const char *name = strrchr(program, '/');

    name = name ? name + 1 : program;
    if (strncmp(name, "collect_", 8) != 0)
        die(2, "this program is named collect_ and its lab's folder; it was renamed to %s", name);
    for (size_t i = 0; i < lab_table_length; i++)
        if (strcmp(lab_table[i]->id, name + 8) == 0)
            return lab_table[i];
    if (strcmp(lab_sklansky.id, name + 8) == 0)
        return &lab_sklansky;
    die(2, "there is no lab %s", name + 8);
}

int main(int argc, char **argv)
{
    const lab *l = lab_of(argv[0]);
    size_t largest = argc == 3 ? strtoul(argv[2], NULL, 10) : LARGEST_N;
    simt_config config = simt_default_config();

    if (argc < 2 || argc > 3 || largest < NETWORK_N)
        die(2, "usage: %s OUT [LARGEST], LARGEST at least %d", argv[0], NETWORK_N);
    if (!cudart_open(&config))
        die(3, "the simulated GPU does not open: %s", cudart_detail());
    FILE *names = append(argv[1], "labs.csv", "lab,title,drawn,networks");
    FILE *counts = append(argv[1], "counts.csv", "lab,part,n,counter,value");
    FILE *networks =
        append(argv[1], "networks.csv",
               "lab,part,n,kind,id,left,right,depth,buffer,element,block,thread,line,time");
    FILE *lookback = append(argv[1], "lookback.csv", "lab,part,n,resident,depth,tiles");

    write_lab(names, l);
    for (unsigned p = 0; p < lab_part_count(l); p++) {
        if (!is_collected(&l->parts[p]))
            continue;
        collect_counts(counts, networks, l, &l->parts[p], largest);
        collect_lookback(lookback, l, &l->parts[p], largest);
    }
    finish(names);
    finish(counts);
    finish(networks);
    finish(lookback);
    /* memory that a solution keeps for its next call is no leak to report here */
    cudart_observe(ignore, NULL);
    return 0;
}
