/*
 * calls: calls every entry of one lab's solution at many sizes on the GPU, and looks whether the
 * answers are right; to be run under compute-sanitizer.
 *
 *   calls [--most=N] [--multiprocessors=N] [SIZE...]
 *
 * at the sizes of the lab's cases up to N (20000), and at each SIZE; ENTRY/SIZE is for one entry.
 *
 * --multiprocessors: the solution is told that the GPU has no more than so many: what it does with
 * arrays that such a GPU cannot hold it then does with small ones, which racecheck gets through.
 *
 * It is linked with the solution and its contract's judge. Buffers have exactly the size that the
 * contract says. Nothing is put into outputs beforehand but where an entry must not write: what it
 * leaves unwritten, or reads before it has written it, is for initcheck to see.
 *
 * Prints "calls N" last. Exit status: 0 all right, 1 a wrong answer or a CUDA error, 2 usage, 3
 * there is no GPU.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "entry.h"
#include "judge.h"

enum { WRONG = 1, USAGE = 2, NO_GPU = 3 };

extern const lab LAB_SYMBOL;

/* The linker's --wrap puts it in the place of the runtime's own for the solution. */
cudaError_t __real_cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t __wrap_cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);

static int most_multiprocessors; /* 0: those that are there */

cudaError_t __wrap_cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    const cudaError_t error = __real_cudaDeviceGetAttribute(value, attribute, device);

    if (error == cudaSuccess && attribute == cudaDevAttrMultiProcessorCount &&
        most_multiprocessors > 0 && *value > most_multiprocessors)
        *value = most_multiprocessors;
    return error;
}

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        die(WRONG, "%s: %s: %s", LAB_SYMBOL.id, what, cudaGetErrorString(error));
}

/* What the reference leaves alone has to be left as it was, and so has to be something. */
static void fill_what_stays(const lab_part *part, const judge_data *data, unsigned b, void *buffer)
{
    const size_t size = judge_element_bytes(part->buffers[b].type);

    for (size_t first = 0, end; first < data->length[b]; first = end + 1) {
        for (end = first; end < data->length[b] && judge_is_left_alone(data, part, b, end);)
            end++;
        if (end > first)
            check(cudaMemcpy((char *)buffer + first * size,
                             data->given + data->offset[b] + first * size, (end - first) * size,
                             cudaMemcpyHostToDevice),
                  "cudaMemcpy");
    }
}

static void make_buffers(const lab_part *part, const judge_data *data, void **buffers)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++) {
        if (b == 1 && data->in_place) {
            buffers[b] = buffers[0];
            continue;
        }
        check(cudaMalloc(&buffers[b], data->bytes[b] > 0 ? data->bytes[b] : 4), "cudaMalloc");
        if (part->buffers[b].role == LAB_IN && data->bytes[b] > 0)
            check(cudaMemcpy(buffers[b], data->given + data->offset[b], data->bytes[b],
                             cudaMemcpyHostToDevice),
                  "cudaMemcpy");
        if (part->buffers[b].role == LAB_OUT)
            fill_what_stays(part, data, b, buffers[b]);
    }
}

/* Notes are not fetched: a solution need not write them all. */
static void take_buffers(const lab_part *part, const judge_data *data, void **buffers)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++) {
        if (part->buffers[b].role != LAB_NOTE && data->bytes[b] > 0)
            check(cudaMemcpy(data->got + data->offset[b], buffers[b], data->bytes[b],
                             cudaMemcpyDeviceToHost),
                  "cudaMemcpy");
        if (b != 0 || !data->in_place)
            check(cudaFree(buffers[b]), "cudaFree");
    }
}

static void call(const lab_part *part, size_t n)
{
    void *buffers[LAB_MAX_BUFFERS] = { NULL }, *entry = dlsym(RTLD_DEFAULT, part->entry);
    judge_report report;
    judge_data data;
    base_error error;

    if (!entry)
        die(USAGE, "%s: there is no entry %s", LAB_SYMBOL.id, part->entry);
    if (!judge_make(&data, part, n, n + 1, &error))
        die(USAGE, "%s", error.text);
    data.in_place = part->only_in_place;
    make_buffers(part, &data, buffers);
    entry_call(entry, buffers, lab_buffer_count(part), part->wide_n, (long long)n);
    check(cudaGetLastError(), part->entry);
    check(cudaDeviceSynchronize(), part->entry);
    take_buffers(part, &data, buffers);
    if (data.in_place) /* what came back there is the output, which stands at its own place too */
        memcpy(data.got + data.offset[0], data.given + data.offset[0], data.bytes[0]);
    judge_compare(&LAB_SYMBOL, part, &data, 1, &report);
    if (report.answer != JUDGE_RIGHT)
        die(WRONG, "%s, %s at n = %zu: %s", LAB_SYMBOL.id, part->entry, n, report.what);
    judge_drop(&data);
}

static size_t size_of(const char *text)
{
    char *end;
    const unsigned long long n = strtoull(text, &end, 10);

    if (*text < '0' || *text > '9' || *end || n > (1ull << 32))
        die(USAGE, "'%s' is no size", text);
    return (size_t)n;
}

/* Of "100" or "speed_i32/100"; false where the entry is another. */
static bool size_for(const lab_part *part, const char *text, size_t *n)
{
    const char *slash = strchr(text, '/');

    *n = size_of(slash ? slash + 1 : text);
    return *n <= judge_most_n(part) &&
           (!slash || (strlen(part->entry) == (size_t)(slash - text) &&
                       memcmp(part->entry, text, (size_t)(slash - text)) == 0));
}

int main(int count, char **arguments)
{
    static const struct option known[] = { { "most", required_argument, NULL, 'm' },
                                           { "multiprocessors", required_argument, NULL, 'p' },
                                           { NULL, 0, NULL, 0 } };
    size_t most = 20000, calls = 0, n, sizes[JUDGE_MAX_SIZES];

    for (int letter; (letter = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (letter) {
        case 'm': most = size_of(optarg); break;
        case 'p': most_multiprocessors = (int)size_of(optarg); break;
        default: die(USAGE, "see the head of calls.c");
        }
    }
    int devices = 0;
    const cudaError_t absent = cudaGetDeviceCount(&devices);
    if (absent != cudaSuccess || devices == 0)
        die(NO_GPU, "there is no GPU: %s", cudaGetErrorString(absent));
    for (unsigned p = 0; p < lab_part_count(&LAB_SYMBOL); p++) {
        const lab_part *part = &LAB_SYMBOL.parts[p];
        const size_t length = judge_sizes(&LAB_SYMBOL, part, sizes);
        if (part->step || part->trial)
            continue; /* the parts that count call the same functions */
        for (size_t i = 0; i < length && sizes[i] <= most; i++, calls++)
            call(part, sizes[i]);
        for (int i = optind; i < count; i++)
            if (size_for(part, arguments[i], &n)) {
                call(part, n);
                calls++;
            }
    }
    printf("calls %zu\n", calls);
    return 0;
}
