/*
 * kernels: runs a lab's solution, as clang compiled it, on inputs of a few sizes and seeds, and
 * tells what came out. Linked twice: with the engine, and with verify/hardware/gpu.c in its
 * place, where the very same PTX runs on a GPU.
 *
 *   kernels_NN_slug             prints a line for each output:
 *                               LAB PART N SEED BUFFER HASH FIRST VALUES
 *   kernels_NN_slug FILE        compares the outputs with such lines, recorded on a GPU
 *
 * HASH is FNV-1a of the whole output, by hand because recordings made on GPUs carry it; the first
 * values are there for a reader. Every answer is compared with the lab's reference as well. Outputs
 * that are not in FILE, those of a new lab say, await a recording: that is printed, and is no
 * error. What a solution notes about its own work (LAB_NOTE) depends on the schedule and is left
 * out.
 *
 * Exit status: 0 right, and as recorded; 1 not; 2 usage; 3 the solution does not run.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cudart.h"
#include "entry.h"
#include "error.h"
#include "judge.h"

enum { SEEDS = 2, LARGEST_N = 1 << 17, FIRST_VALUES = 4, LINE = 400 };

typedef struct check { /* what FILE says, and how the comparison went */
    char *recorded;    /* null: print */
    size_t compared, bytes, wrong, awaiting;
} check;

_Noreturn static void fail(const lab_part *part, size_t n, const char *what)
{
    die(3, "%s, n = %zu: %s", part->entry, n, what);
}

static void need(const lab_part *part, size_t n, cudaError_t error)
{
    if (error != cudaSuccess)
        fail(part, n, *cudart_detail() ? cudart_detail() : cudaGetErrorString(error));
}

/* One line, printed or looked for. */
static void tell(check *c, const lab *l, const lab_part *part, const judge_data *data,
                 uint64_t seed, unsigned b)
{
    const unsigned char *got = data->got + data->offset[b];
    uint64_t hash = 0xcbf29ce484222325u;
    char line[LINE], *known;
    for (size_t i = 0; i < data->bytes[b]; i++)
        hash = (hash ^ got[i]) * 0x100000001b3u;
    int n = snprintf(line, sizeof line, "%s %s %zu %" PRIu64 " %s ", l->id, part->entry, data->n,
                     seed, part->buffers[b].name),
        named = n;
    n += snprintf(line + n, sizeof line - (size_t)n, "%016" PRIx64, hash);
    for (size_t i = 0; i < FIRST_VALUES && 4 * (i + 1) <= data->bytes[b]; i++) {
        uint32_t word;
        memcpy(&word, got + 4 * i, sizeof word);
        n += snprintf(line + n, sizeof line - (size_t)n, " %08" PRIx32, word);
    }
    snprintf(line + n, sizeof line - (size_t)n, "\n");
    if (!c->recorded) {
        fputs(line, stdout);
        return;
    }
    const bool same = strstr(c->recorded, line);
    line[named] = '\0';
    known = strstr(c->recorded, line);
    c->compared += known != NULL;
    c->bytes += known ? data->bytes[b] : 0;
    c->awaiting += !known;
    c->wrong += known && !same;
    if (known && !same)
        printf("DIFFERS %s\n  GPU    %.*s\n  engine %016" PRIx64 "\n", line,
               (int)strcspn(known + named, "\n"), known + named, hash);
}

/* A call of the entry on data of its own. */
static void run(check *c, const lab *l, const lab_part *part, size_t n, uint64_t seed)
{
    void *device[LAB_MAX_BUFFERS] = { 0 }, *entry = dlsym(RTLD_DEFAULT, part->entry);
    judge_data data;
    judge_report answer;
    base_error error;
    if (!entry)
        fail(part, n, "the solution has no function of that name");
    lab_part plain = *part;
    plain.cancels = 0; /* the recorded data have no prefixes of 0 */
    if (!judge_make(&data, &plain, n, seed, &error))
        fail(part, n, error.text);
    for (unsigned b = 0; b < data.count; b++) {
        need(part, n, cudaMalloc(&device[b], data.bytes[b] + 4));
        need(part, n,
             cudaMemcpy(device[b], data.given + data.offset[b], data.bytes[b],
                        cudaMemcpyHostToDevice));
    }
    entry_call(entry, device, data.count, part->wide_n, (long long)n);
    need(part, n, cudaDeviceSynchronize());
    need(part, n, cudaGetLastError());
    for (unsigned b = 0; b < data.count; b++) {
        need(part, n,
             cudaMemcpy(data.got + data.offset[b], device[b], data.bytes[b],
                        cudaMemcpyDeviceToHost));
        cudaFree(device[b]);
        if (part->buffers[b].role == LAB_OUT)
            tell(c, l, part, &data, seed, b);
    }
    judge_compare(l, part, &data, 1, &answer);
    if (answer.answer != JUDGE_RIGHT)
        fail(part, n, answer.what);
    judge_drop(&data);
}

static void run_part(check *c, const lab *l, const lab_part *part)
{
    size_t sizes[JUDGE_MAX_SIZES], count = judge_sizes(l, part, sizes);
    for (size_t i = 0; i < count && part->buffers[0].place == LAB_DEVICE; i++)
        for (uint64_t seed = 1; seed <= SEEDS && sizes[i] <= LARGEST_N; seed++)
            run(c, l, part, sizes[i], seed);
}

/* Named kernels_NN_slug, or with _gpu behind it. */
static const lab *lab_of(const char *program)
{
    const char *name = strrchr(program, '/');
    name = name ? name + 1 : program;
    for (size_t i = 0; i < lab_table_length && !strncmp(name, "kernels_", 8); i++) {
        const size_t length = strlen(lab_table[i]->id);
        if (!strncmp(lab_table[i]->id, name + 8, length) &&
            (!name[8 + length] || !strcmp(name + 8 + length, "_gpu")))
            return lab_table[i];
    }
    die(2, "this program is named kernels_ and its lab's folder; it was renamed to %s", name);
}

/* Findings are the grader's matter: here they would hide the few lines that count. */
static void observe(void *unused, const char *kernel, const simt_launch_args *args,
                    simt_status status, const simt_report *report)
{
    (void)unused, (void)kernel, (void)args, (void)status, (void)report;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 22);
    if (!file || !text || fread(text, 1, (1 << 22) - 1, file) == 0)
        die(2, "%s cannot be read", path);
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    const lab *l = lab_of(argv[0]);
    check c = { 0 };
    simt_config config = simt_default_config();
    if (argc > 2)
        die(2, "usage: %s [FILE]", argv[0]);
    if (argc == 2)
        c.recorded = read_text(argv[1]);
    config.checks = SIMT_CHECK_BOUNDS;
    if (!cudart_open(&config))
        die(3, "the device does not open: %s", cudart_detail());
    cudart_observe(observe, NULL);
    for (unsigned p = 0; p < lab_part_count(l); p++)
        run_part(&c, l, &l->parts[p]);
    if (c.recorded)
        printf("%s: %zu outputs, %zu bytes compared with a GPU's, %zu differ\n", l->id, c.compared,
               c.bytes, c.wrong);
    if (c.awaiting)
        printf("%zu outputs await a recording\n", c.awaiting);
    if (c.wrong || c.awaiting)
        printf("to record again: verify/hardware/record, on a machine with a GPU\n");
    free(c.recorded);
    return c.wrong ? 1 : 0;
}
