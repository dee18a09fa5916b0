/*
 * record.c: runs one entry of a program once and writes a recording of it (README.md).
 *
 *   lecture_record LAB PROGRAM.so SOURCE.cu OUT PART N [WORD...]
 *     LAB          NN_slug; headers of labs/NN_slug that the kernels' lines are in are sources, too
 *     PROGRAM.so   the compiled SOURCE
 *     WORD         a setting of the run (README.md), or
 *                  memory=BYTES of the device
 *                  tiles=K,OFFSET,STRIDE,TILE,SHIFT,MASK,A,P: what tiles publish, in the K-th
 *                  allocation that the entry makes, from its byte OFFSET on; TILE elements a tile
 *
 * Exit status: 0 written; 2 usage; 3 it cannot be recorded.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "counted.h"
#include "cuda_runtime_api.h"
#include "cudart.h"
#include "entry.h"
#include "error.h"
#include "file.h"
#include "judge.h"
#include "lab.h"
#include "path.h"
#include "tape.h"
#include "usual_gates.h"
#include "verdict.h"
#include "words.h"

enum { USAGE = 2, CANNOT = 3, SEED = 1, SOURCE_MOST = 1 << 20, MEMORY = 1 << 22, FILES = 32 };

static const lab *l;
static const lab_part *part;
static settings how;
static size_t memory = MEMORY;
static unsigned long long tile[8]; /* of tiles=; stride 0: none */
static judge_data data;
static recording shown; /* the buffers, for the words of findings */

static found all;
static simt_counts counts;
static char detail[600];

/* ---- the run --------------------------------------------------------------------------------- */

static char file[FILES][128]; /* that lines of kernels are in */
static unsigned files;

static void note_file(const char *name)
{
    unsigned k = 0;
    while (k < files && strcmp(file[k], name) != 0)
        k++;
    if (k == files && files < FILES)
        snprintf(file[files++], sizeof file[0], "%s", name);
}

static void observe(void *user, const char *kernel, const simt_launch_args *args,
                    simt_status status, const simt_report *report)
{
    (void)user, (void)kernel, (void)args, (void)status;
    if (!report) {
        snprintf(detail, sizeof detail, "%s", cudart_detail());
        return;
    }
    simt_counts_add(&counts, &report->counts);
    for (unsigned k = 0; k < report->findings; k++)
        words_keep(&all, &report->finding[k]);
    for (unsigned k = 0; k < report->line_count; k++)
        note_file(report->lines[k].file);
}

static void need(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        die(CANNOT, "%s %s: %s: %s", l->id, part->entry, what,
            *cudart_detail() ? cudart_detail() : cudaGetErrorString(error));
}

static void make_buffers(void *device[LAB_MAX_BUFFERS])
{
    for (unsigned b = 0; b < data.count; b++) {
        const lab_buffer *buffer = &part->buffers[b];
        const size_t bytes = data.bytes[b];
        need(cudaMalloc(&device[b], bytes ? bytes : 4), "a buffer");
        need(cudaMemcpy(device[b], data.given + data.offset[b], bytes, cudaMemcpyHostToDevice),
             "a copy");
        const simt_addr address = (simt_addr)(uintptr_t)device[b];
        if (buffer->role != LAB_IN)
            simt_forget(cudart_device(), address, bytes);
        simt_mark_data(cudart_device(), address);
        shown.buffer[shown.buffers++] = (recorded_buffer){ .name = buffer->name,
                                                           .type = buffer->type,
                                                           .role = buffer->role,
                                                           .address = address,
                                                           .length = data.length[b],
                                                           .bytes = bytes };
    }
}

/* What came of the call: the verdict, and what is said of it. */
typedef struct outcome {
    const char *verdict;
    judge_report report;
    const simt_finding *heaviest; /* null: none fails the program */
    unsigned made;                /* allocations before the entry was called */
} outcome;

static const simt_finding *heaviest_finding(void)
{
    const simt_finding *heaviest = NULL;
    int most = 0;

    for (unsigned k = 0; k < all.count; k++) {
        const int weight = verdict_about(verdict_of_finding(all.finding[k].kind))->finding;
        if (weight > most) {
            most = weight;
            heaviest = &all.finding[k];
        }
    }
    return heaviest;
}

static const lab_gate *broken_gate(void)
{
    for (unsigned g = 0; g < lab_gate_count(part); g++) {
        const lab_gate *gate = &part->gates[g];
        double value, limit = gate->limit(data.n);
        if (counted_metric(gate->metric, &counts, &value) &&
            (gate->bound == LAB_AT_MOST ? value > limit * (1 + 1e-9) : value < limit * (1 - 1e-9)))
            return gate;
    }
    return NULL;
}

static void call_entry(outcome *o)
{
    void *device[LAB_MAX_BUFFERS], *entry = dlsym(RTLD_DEFAULT, part->entry);

    if (!entry)
        die(CANNOT, "%s: the program has no function %s", l->id, part->entry);
    tape_begin();
    make_buffers(device);
    o->made = tape_allocations();
    cudart_observe(observe, NULL);
    entry_call(entry, device, data.count, part->wide_n, (long long)data.n);
    cudaError_t error = cudaDeviceSynchronize(), last = cudaGetLastError();
    error = error ? error : last;
    for (unsigned b = 0; b < data.count && error == cudaSuccess; b++)
        error =
            cudaMemcpy(data.got + data.offset[b], device[b], data.bytes[b], cudaMemcpyDeviceToHost);
    words_end(&all, cudart_device());
    o->heaviest = heaviest_finding();
    if (error == cudaSuccess)
        judge_compare(l, part, &data, counts.launches, &o->report);
    o->verdict = o->heaviest            ? verdict_name(verdict_of_finding(o->heaviest->kind))
                 : error != cudaSuccess ? "CUDA_ERROR"
                 : o->report.answer != JUDGE_RIGHT ? "WRONG"
                 : broken_gate()                   ? "OVER_BUDGET"
                                                   : "PASS";
    if (error != cudaSuccess && !detail[0])
        snprintf(detail, sizeof detail, "%s", cudaGetErrorString(error));
}

/* ---- what is written ------------------------------------------------------------------------- */

static void write_hex(FILE *out, const unsigned char *bytes, size_t size)
{
    if (size == 0)
        fputc('-', out);
    for (size_t k = 0; k < size; k++)
        fprintf(out, "%02x", bytes[k]);
    fputc('\n', out);
}

/* Line ends become blanks. */
static void write_said(FILE *out, const char *key, const char *text)
{
    if (!*text)
        return;
    fprintf(out, "said %s ", key);
    for (; *text; text++)
        fputc(*text == '\n' ? ' ' : *text, out);
    fputc('\n', out);
}

static void write_outcome(FILE *out, const outcome *o)
{
    simt_words words;
    char text[500];

    fprintf(out, "verdict %s\n", o->verdict);
    if (o->heaviest) {
        words_of_finding(&shown, o->heaviest, &words);
        snprintf(text, sizeof text, "%s:%u, block %u, warp %u, lane %u", o->heaviest->at.file,
                 o->heaviest->at.line, o->heaviest->at.block.x, o->heaviest->at.warp,
                 o->heaviest->at.lane);
        write_said(out, "where", text);
        snprintf(text, sizeof text, "%s: %s", simt_finding_name(o->heaviest->kind), words.message);
        write_said(out, "seen", text);
        write_said(out, "do", words.advice);
    } else if (strcmp(o->verdict, "WRONG") == 0) {
        write_said(out, "seen", o->report.what);
        write_said(out, "cause", o->report.cause);
    } else if (strcmp(o->verdict, "OVER_BUDGET") == 0) {
        const lab_gate *gate = broken_gate();
        double value = 0;
        (void)counted_metric(gate->metric, &counts, &value);
        snprintf(text, sizeof text, "%s: %.9g, %s %.9g (%s)", gate->name, value,
                 gate->bound == LAB_AT_MOST ? "at most" : "at least", gate->limit(data.n),
                 gate->formula);
        write_said(out, "seen", text);
        write_said(out, "do", gate->advice);
    } else if (detail[0]) {
        write_said(out, "seen", detail);
    }
}

static bool is_taught(const lab_gate *gate)
{
    for (unsigned k = 0; k < LAB_TAUGHT && l->taught[k]; k++)
        if (strcmp(l->taught[k], gate->name) == 0)
            return true;
    return false;
}

static void write_gates(FILE *out)
{
    double value;

    for (unsigned g = 0; g < lab_gate_count(part); g++) {
        const lab_gate *gate = &part->gates[g];
        if (counted_metric(gate->metric, &counts, &value))
            fprintf(out, "gate %u %u %.17g %d %s | %s\n", gate->metric, gate->bound,
                    gate->limit(data.n), is_taught(gate), gate->name, gate->formula);
    }
}

static void write_buffers(FILE *out)
{
    for (unsigned b = 0; b < data.count; b++) {
        const recorded_buffer *buffer = &shown.buffer[b];
        fprintf(out, "buffer 0x%llx %s %u %u %zu %zu\n", (unsigned long long)buffer->address,
                buffer->name, buffer->type, buffer->role, buffer->length, buffer->bytes);
        if (buffer->role == LAB_OUT) {
            fprintf(out, "expect %u %.17g ", b, part->within);
            write_hex(out, data.expected + data.offset[b], data.bytes[b]);
        }
    }
}

static void write_tiles(FILE *out, const outcome *o)
{
    const simt_addr start = tile[2] ? tape_allocation(o->made + (unsigned)tile[0]) : 0;

    if (tile[2] && !start)
        die(CANNOT, "tiles=: the entry does not make %llu allocations", tile[0]);
    if (start && tile[3])
        fprintf(out, "tiles 0x%llx %llu %llu %llu %llu %llu %llu\n",
                (unsigned long long)start + tile[1], tile[2], (data.n + tile[3] - 1) / tile[3],
                tile[4], tile[5], tile[6], tile[7]);
}

static void write_source(FILE *out, const char *path, const char *name)
{
    char *text;
    size_t bytes;
    base_error error;

    if (!file_read(path, SOURCE_MOST, &text, &bytes, &error))
        die(CANNOT, "%s", error.text);
    fprintf(out, "source %s %zu\n%s\n", name, strlen(text), text);
    free(text);
}

/* The file itself, and those headers of the lab that some line of a kernel is in. */
static void write_sources(FILE *out, const char *source)
{
    char folder[80];

    snprintf(folder, sizeof folder, "/labs/%.60s/", l->id);
    write_source(out, source, l->file);
    for (unsigned k = 0; k < files; k++) {
        const char *path = simt_source_path(cudart_device(), file[k]);
        if (strcmp(file[k], l->file) != 0 && strstr(path, folder))
            write_source(out, path, file[k]);
    }
}

/* For the test, which compares them with what the page's engine says. */
static void write_run(FILE *out)
{
    simt_words words;

    for (unsigned k = 0; k < all.count; k++) {
        const simt_finding *f = &all.finding[k];
        words_of_finding(&shown, f, &words);
        fprintf(out, "found %s|%s:%u|%llu|", simt_finding_name(f->kind), f->at.file, f->at.line,
                (unsigned long long)f->count);
        for (const char *c = words.message; *c; c++)
            fputc(*c == '\n' ? ' ' : *c, out);
        fputc('\n', out);
    }
    for (unsigned k = 0; counted_name(k); k++)
        fprintf(out, "counted %s %llu\n", counted_name(k),
                (unsigned long long)counted_value(&counts, k));
}

static void write_all(const char *path, const char *source, const outcome *o)
{
    char words[200];
    FILE *out = fopen(path, "w");

    if (!out)
        die(CANNOT, "cannot write %s", path);
    settings_text(&how, words, sizeof words);
    fprintf(out, "recording 1\nlab %s\npart %s %zu %s\nsettings %s\nmemory %zu\n", l->id,
            part->entry, data.n, part->title, words, memory);
    write_outcome(out, o);
    write_sources(out, source);
    write_buffers(out);
    write_gates(out);
    write_tiles(out, o);
    tape_write(out);
    write_run(out);
    if (fclose(out) != 0)
        die(CANNOT, "writing %s failed: is the disk full?", path);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static const lab *find_lab(const char *id)
{
    for (size_t k = 0; k < lab_table_length; k++)
        if (strcmp(lab_table[k]->id, id) == 0)
            return lab_table[k];
    die(USAGE, "there is no lab %s", id);
}

static const lab_part *find_part(const char *entry)
{
    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (strcmp(l->parts[p].entry, entry) == 0)
            return &l->parts[p];
    die(USAGE, "%s has no part %s", l->id, entry);
}

static void take_word(const char *word)
{
    char error[RECORDING_ERROR];

    if (strncmp(word, "memory=", 7) == 0)
        memory = strtoul(word + 7, NULL, 0);
    else if (strncmp(word, "tiles=", 6) == 0) {
        if (sscanf(word + 6, "%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu", &tile[0], &tile[1],
                   &tile[2], &tile[3], &tile[4], &tile[5], &tile[6], &tile[7]) != 8)
            die(USAGE, "%s: eight numbers are needed", word);
    } else if (!settings_take(&how, word, error))
        die(USAGE, "%s", error);
}

int main(int arguments, char **argument)
{
    outcome o = { .verdict = "" };
    base_error error;

    if (arguments < 7)
        die(USAGE, "lecture_record LAB PROGRAM.so SOURCE.cu OUT PART N [WORD...]");
    l = find_lab(argument[1]);
    part = find_part(argument[5]);
    how = (settings){ .config = simt_default_config() };
    how.config.seed = SEED;
    for (int k = 7; k < arguments; k++)
        take_word(argument[k]);
    if (part->buffers[0].place != LAB_DEVICE)
        die(USAGE, "%s runs on the host: there is nothing to record", part->entry);
    if (!dlopen(argument[2], RTLD_NOW | RTLD_GLOBAL))
        die(CANNOT, "%s", dlerror());
    how.config.memory = memory;
    how.config.host_threads = 1;
    if (!judge_make(&data, part, strtoul(argument[6], NULL, 0), SEED, &error))
        die(CANNOT, "%s", error.text);
    if (!cudart_open(&how.config))
        die(CANNOT, "the simulated GPU does not open: %s", cudart_detail());
    call_entry(&o);
    if (tape_lacks())
        die(CANNOT, "%s %s: a recording cannot hold %s", l->id, part->entry, tape_lacks());
    write_all(argument[4], argument[3], &o);
    printf("%s\n", o.verdict);
    return 0;
}
