/*
 * device.c: device.h on the engine.
 */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cudart.h"

/* cudaMalloc(0) gives null, and an entry may look at its pointers */
enum { EMPTY_BUFFER_BYTES = 4 };
enum { PRINTED_BYTES = 1 << 14 }; /* of each launch */

static channel_done seen;                /* by the observer, since begin */
static uint64_t spent_on[SIMT_MAX_GPUS]; /* warp instructions since then, without polls */
static bool open_already;
static cudart_calls before; /* as the entry was called */
static size_t free_before;  /* bytes of device memory, then */
static uint64_t own_bytes;  /* of device memory: the runner's buffers of this case */
/* those of no elements, which hold EMPTY_BUFFER all the same, to see whether it is written to */
static const void *empty[LAB_MAX_BUFFERS];
static unsigned empties;
static const unsigned char EMPTY_BUFFER[EMPTY_BUFFER_BYTES] = { 0xe4, 0x9a, 0x51, 0x7c };
static bool tracing; /* additions */
/* Arrays of the case before, until the next entry is called. A case of the same sizes gets them
   again, with new data, as a caller may call again; or, while they are still there, others: an
   entry must not keep a pointer from call to call. */
static struct {
    char *base;
    size_t bytes;
} aside[LAB_MAX_BUFFERS];
static unsigned asides;
static bool same_place;

/* The engine shows the line of the PTX below its message, and a caret below that: here all is one
   line, without the caret. */
static void join_lines(char text[CHANNEL_TEXT_ROOM])
{
    char whole[CHANNEL_TEXT_ROOM];
    const size_t first = strcspn(text, "\n");

    if (!text[first])
        return;
    memcpy(whole, text, sizeof whole);
    const char *line = whole + first + 1 + strspn(whole + first + 1, " \t");
    snprintf(text + first, CHANNEL_TEXT_ROOM - first, "%s%.*s", *line ? ": " : "",
             (int)strcspn(line, "\n"), line);
    for (char *tab = text; (tab = strchr(tab, '\t'));)
        *tab = ' ';
}

/* What the error is in general and, where the runtime knows, what it was about here. */
static void tell_error(cudaError_t error, channel_done *done)
{
    const char *detail = seen.error_text[0] ? seen.error_text : cudart_detail();
    const char *advice = seen.error_text[0] ? seen.error_advice : cudart_advice();

    done->error = (int32_t)error;
    snprintf(done->error_name, sizeof done->error_name, "%s", cudaGetErrorName(error));
    snprintf(done->error_text, sizeof done->error_text, "%s%s%.400s", cudaGetErrorString(error),
             detail[0] ? ": " : "", detail);
    join_lines(done->error_text);
    snprintf(done->error_advice, sizeof done->error_advice, "%s", advice);
}

/* One slot per kind and pair of lines; in a full table the lighter finding yields. */
static void keep_finding(const simt_finding *finding)
{
    for (uint32_t i = 0; i < seen.findings; i++) {
        simt_finding *kept = &seen.finding[i];
        if (kept->kind == finding->kind && kept->at.ptx_line == finding->at.ptx_line &&
            kept->other.ptx_line == finding->other.ptx_line &&
            strcmp(kept->at.kernel, finding->at.kernel) == 0) {
            kept->count += finding->count;
            return;
        }
    }
    unsigned place = simt_finding_place(seen.finding, seen.findings, CHANNEL_FINDINGS, finding);
    seen.findings_dropped += seen.findings == CHANNEL_FINDINGS;
    if (place < CHANNEL_FINDINGS)
        seen.finding[place] = *finding;
    if (place == seen.findings && place < CHANNEL_FINDINGS)
        seen.findings++;
}

/* Those of the first deadlock: later launches have not changed them. */
static void keep_waits(const simt_report *report)
{
    if (seen.waits > 0 || report->wait_count == 0)
        return;
    seen.waits = report->wait_count < CHANNEL_WAITS ? report->wait_count : CHANNEL_WAITS;
    seen.waits_dropped = report->waits_dropped + report->wait_count - seen.waits;
    memcpy(seen.wait, report->waits, seen.waits * sizeof seen.wait[0]);
}

/* The last part of what a launch printed: the grader keeps less than this, and counts all of it
   against what a case may print. */
static void pass_on(const char *printed, size_t bytes)
{
    const size_t kept = bytes < PRINTED_BYTES ? bytes : PRINTED_BYTES;

    fwrite(printed + bytes - kept, 1, kept, stdout);
    fflush(stdout);
}

static void observe(void *unused, const char *kernel, const simt_launch_args *args,
                    simt_status status, const simt_report *report)
{
    (void)unused;
    (void)kernel;
    if (seen.first_blocks == 0) {
        seen.first_from = args->from;
        seen.first_blocks = (uint64_t)args->grid.x * args->grid.y * args->grid.z;
        seen.first_threads = (uint64_t)args->block.x * args->block.y * args->block.z;
    }
    if (status == SIMT_BAD_LAUNCH) {
        seen.refused_from = args->from;
        snprintf(seen.error_text, sizeof seen.error_text, "%s", cudart_detail());
        snprintf(seen.error_advice, sizeof seen.error_advice, "%s", cudart_advice());
    }
    if (!report)
        return;
    simt_counts_add(&seen.counts, &report->counts);
    spent_on[report->gpu] += report->counts.warp_instructions - report->counts.polled_instructions;
    if (spent_on[report->gpu] > seen.busiest_gpu)
        seen.busiest_gpu = spent_on[report->gpu];
    for (unsigned i = 0; i < report->findings; i++)
        keep_finding(&report->finding[i]);
    seen.findings_dropped += report->findings_dropped;
    keep_waits(report);
    seen.cut |= report->cut;
    seen.stuck |= report->stuck;
    if (report->printed && report->printed_bytes > 0)
        pass_on(report->printed, report->printed_bytes);
}

static void free_asides(void)
{
    for (unsigned i = 0; i < asides; i++)
        cudaFree(aside[i].base);
    asides = 0;
}

void runner_device_prepare(void) {}
void runner_device_call(const channel_run *run)
{
    free_asides();
    cudart_refuse(run->refuse_launches, run->refuse_allocation);
    before = cudart_calls_made();
    simt_memory(cudart_device(), &free_before, NULL);
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t beyond(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

/* What the entry has asked of the device, besides launches. */
static void tell_calls(channel_done *done)
{
    const cudart_calls now = cudart_calls_made();
    size_t free_now = free_before;

    done->waiting_calls = now.waits - before.waits;
    done->waits_aside = now.waits_aside - before.waits_aside;
    done->elsewhere = now.elsewhere - before.elsewhere;
    done->writes = now.writes - before.writes;
    done->written_bytes = now.written_bytes - before.written_bytes;
    done->host_bytes = now.host_bytes - before.host_bytes;
    done->allocated = now.allocated - before.allocated;
    done->refused = (uint32_t)(now.refused - before.refused);
    done->besides = done->allocated + simt_variable_bytes(cudart_device());
    simt_memory(cudart_device(), &free_now, NULL);
    done->taken = beyond(now.live_bytes, before.live_bytes);
    /* malloc in a kernel is not among live_bytes; free_now lacks a module's variables, too, where
       this was its first launch */
    done->taken = larger(done->taken, beyond(free_before, free_now));
    done->host_kept =
        beyond(now.handles, before.handles) + beyond(now.page_locked, before.page_locked);
    done->not_freed = beyond(now.live_bytes, own_bytes);
}

void runner_device_warm(void) {}
void runner_device_time_begin(void) {}
void runner_device_time_end(channel_done *done) { (void)done; }

/* Beyond a buffer that has elements the engine sees every access. */
int runner_device_damage(const void *device, size_t *distance)
{
    unsigned char now[EMPTY_BUFFER_BYTES];

    *distance = 1;
    for (unsigned i = 0; i < empties; i++)
        if (empty[i] == device && runner_device_fetch(now, device, sizeof now))
            return memcmp(now, EMPTY_BUFFER, sizeof now) != 0;
    return 0;
}

bool runner_device_opens(const void *address) { return cudart_let_touch(address); }

bool runner_device_has(uint64_t address) { return simt_is_device_address(address); }

bool runner_device_open(size_t bytes, unsigned gpus)
{
    simt_config config = simt_default_config();
    config.memory = bytes;
    config.gpus = gpus;
    open_already = cudart_open(&config);
    cudart_observe(observe, NULL);
    return open_already;
}

bool runner_device_begin(const channel_run *run, channel_done *done)
{
    const simt_config *config = &run->config;

    memset(&seen, 0, sizeof seen);
    memset(spent_on, 0, sizeof spent_on);
    own_bytes = empties = 0;
    same_place = run->same_place;
    if (open_already ? cudart_configure(config) : cudart_open(config)) {
        open_already = true;
        cudart_observe(observe, NULL);
        cudart_watch_host();
        return true;
    }
    snprintf(done->error_text, sizeof done->error_text, "the simulated GPU does not open: %s",
             cudart_detail());
    return false;
}

void runner_device_check(const channel_run *run, unsigned checks)
{
    simt_config config = run->config;

    config.checks = checks & run->config.checks;
    (void)cudart_configure(&config);
}

/* Memory for an array; in the same place: of those put aside the first of this size. */
static cudaError_t take(size_t bytes, char **base)
{
    for (unsigned i = 0; same_place && i < asides; i++)
        if (aside[i].bytes == bytes && !runner_device_lost(aside[i].base)) {
            *base = aside[i].base;
            simt_let_write(cudart_device(), (simt_addr)(uintptr_t)*base, true);
            memmove(&aside[i], &aside[i + 1], (--asides - i) * sizeof aside[0]);
            return cudaSuccess;
        }
    if (cudaMalloc((void **)base, bytes) == cudaSuccess)
        return cudaSuccess;
    free_asides(); /* they may be what there is no room for */
    return cudaMalloc((void **)base, bytes);
}

void *runner_device_make(const void *from, size_t bytes, size_t shift, bool unwritten,
                         channel_done *done)
{
    char *base = NULL;
    cudaError_t error = take(shift + (bytes > 0 ? bytes : EMPTY_BUFFER_BYTES), &base);
    char *const device = error == cudaSuccess ? base + shift : NULL;

    if (error == cudaSuccess)
        error = cudaMemcpy(device, bytes > 0 ? from : EMPTY_BUFFER,
                           bytes > 0 ? bytes : EMPTY_BUFFER_BYTES, cudaMemcpyHostToDevice);
    if (device && bytes == 0 && empties < LAB_MAX_BUFFERS)
        empty[empties++] = device;
    if (error == cudaSuccess && unwritten && bytes > 0)
        simt_forget(cudart_device(), (simt_addr)(uintptr_t)device, bytes);
    if (device)
        simt_mark_data(cudart_device(), (simt_addr)(uintptr_t)device);
    if (device)
        own_bytes += shift + (bytes > 0 ? bytes : EMPTY_BUFFER_BYTES);
    if (error == cudaSuccess)
        return device;
    snprintf(done->error_text, sizeof done->error_text,
             "a buffer of %zu bytes cannot be made on the device: %s", bytes,
             cudaGetErrorString(error));
    done->error = (int32_t)error;
    /* what kernels have asked malloc for, and a module's variables, are not among live_bytes */
    size_t left = 0, all = 0;
    simt_memory(cudart_device(), &left, &all);
    done->not_freed = all - left > own_bytes ? all - left - own_bytes : 0;
    return NULL;
}

/* The tail again and again, in so many bytes of both ends. */
static cudaError_t repeat_tail(char *device, size_t bytes, const char *tail, size_t tail_bytes,
                               size_t repeated)
{
    const size_t span = repeated < bytes ? repeated : bytes;
    char *many = malloc(span + 1);
    cudaError_t error = cudaErrorMemoryAllocation;

    if (!many)
        return error;
    for (size_t at = 0; at < span; at++)
        many[span - 1 - at] = tail[tail_bytes - 1 - at % tail_bytes];
    error = cudaMemcpy(device, many, span, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(device + bytes - span, many, span, cudaMemcpyHostToDevice);
    free(many);
    return error;
}

/* Ints that rise evenly from 0. */
static cudaError_t fill_rising(char *device, size_t bytes, uint64_t rises)
{
    const size_t count = bytes / sizeof(int32_t);

    if (count > CHANNEL_RISING)
        return cudaSuccess;
    int32_t *values = malloc(count * sizeof *values + 1);
    if (!values)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < count; i++)
        values[i] = (int32_t)(i * rises / count);
    cudaError_t error = cudaMemcpy(device, values, count * sizeof *values, cudaMemcpyHostToDevice);
    free(values);
    return error;
}

void *runner_device_make_tail(const void *from, const channel_buffer *wanted, size_t tail,
                              bool front, size_t repeated, channel_done *done)
{
    const size_t bytes = wanted->bytes;
    char *device = NULL;
    cudaError_t error = take(bytes, &device);

    if (error == cudaSuccess && wanted->rises > 0)
        error = fill_rising(device, bytes, wanted->rises);
    if (error == cudaSuccess && repeated > 0)
        error = repeat_tail(device, bytes, from, tail, repeated);
    if (error == cudaSuccess)
        error = cudaMemcpy(device + bytes - tail, from, tail, cudaMemcpyHostToDevice);
    if (error == cudaSuccess && front && bytes >= 2 * tail)
        error = cudaMemcpy(device, from, tail, cudaMemcpyHostToDevice);
    if (error == cudaSuccess && tail > 0)
        simt_mark_data(cudart_device(), (simt_addr)(uintptr_t)(device + bytes - tail));
    own_bytes += error == cudaSuccess ? bytes : 0;
    if (error != cudaSuccess)
        snprintf(done->error_text, sizeof done->error_text,
                 "a buffer of %zu bytes cannot be made on the device: %s", bytes,
                 cudaGetErrorString(error));
    return error == cudaSuccess ? device : NULL;
}

void runner_device_seal(const void *device)
{
    simt_let_write(cudart_device(), (simt_addr)(uintptr_t)device, false);
}

bool runner_device_fetch(void *to, const void *device, size_t bytes)
{
    return bytes == 0 || cudaMemcpy(to, device, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
}

bool runner_device_lost(const void *device)
{
    simt_addr start;
    size_t bytes;

    return simt_allocation(cudart_device(), (simt_addr)(uintptr_t)device, &start, &bytes) !=
           SIMT_OK;
}

void runner_device_drop(void *device, size_t shift)
{
    simt_addr start;
    size_t bytes;

    if (!device || simt_allocation(cudart_device(), (simt_addr)(uintptr_t)device, &start, &bytes))
        return;
    if (asides < LAB_MAX_BUFFERS && (char *)device - shift == (char *)(uintptr_t)start) {
        aside[asides].base = (char *)(uintptr_t)start;
        aside[asides++].bytes = bytes;
    } else
        cudaFree((char *)device - shift);
}

static void tell_findings(channel_done *done)
{
    done->findings = seen.findings;
    done->findings_dropped = seen.findings_dropped;
    memcpy(done->finding, seen.finding, sizeof done->finding);
}

static unsigned ranges(const channel_run *run, void *const *buffers, bool outputs,
                       simt_range range[LAB_MAX_BUFFERS])
{
    unsigned count = 0;

    for (uint32_t i = 0; i < run->buffer_count; i++)
        if (run->buffers[i].place == LAB_DEVICE && !run->buffers[i].unwritten != outputs)
            range[count++] =
                (simt_range){ (simt_addr)(uintptr_t)buffers[i], run->buffers[i].bytes };
    return count;
}

void runner_device_trace(const channel_run *run, void *const *buffers)
{
    simt_range inputs[LAB_MAX_BUFFERS];
    unsigned count = ranges(run, buffers, false, inputs);

    tracing = (run->config.trace & SIMT_TRACE_ADDS) &&
              simt_trace_inputs(cudart_device(), inputs, count) == SIMT_OK;
}

void runner_device_made(const channel_run *run, void *const *buffers, channel_done *done)
{
    simt_range outputs[LAB_MAX_BUFFERS];
    unsigned count = ranges(run, buffers, true, outputs);

    done->traced =
        tracing && simt_trace_made(cudart_device(), outputs, count, &done->made) == SIMT_OK;
}

void runner_device_observed(const channel_run *run, void *const *buffers, channel_done *done)
{
    for (uint32_t b = 0; b < run->buffer_count && seen.counts.launches == 1; b++) {
        const simt_addr at = (simt_addr)(uintptr_t)buffers[b];
        const size_t length = run->buffers[b].bytes / sizeof(int32_t);
        static int32_t back[LAB_NOTES];
        const size_t notes = length < LAB_NOTES ? length : LAB_NOTES;
        if (!run->buffers[b].note ||
            simt_read(cudart_device(), back, at, notes * sizeof *back) != SIMT_OK)
            continue;
        for (size_t i = 0; i < notes; i++)
            if (back[i] > 0 && (size_t)back[i] <= i &&
                simt_has_observed(cudart_device(), at + 4 * i, at + 4 * (i - (size_t)back[i])) ==
                    SIMT_NOT_OBSERVED)
                done->not_observed[i / 8] |= (uint8_t)(1u << i % 8);
    }
}

void runner_device_look(channel_done *done)
{
    const simt_finding *found;

    for (unsigned left = simt_host_findings(cudart_device(), &found); left > 0; left--, found++)
        if (found->has_other)
            keep_finding(found);
    tell_findings(done);
}

void runner_device_left(bool asked_in_vain, channel_done *done)
{
    const cudaError_t last = cudaGetLastError();

    if (last != cudaSuccess && asked_in_vain)
        cudart_left_behind(cudaErrorNoDevice, "this function computes on the host, without a GPU",
                           "leave out kernels, device memory and copies");
    if (last != cudaSuccess)
        tell_error(asked_in_vain ? cudaErrorNoDevice : last, done);
}

void runner_device_end(channel_done *done)
{
    tell_calls(done);
    cudart_refuse(false, 0);
    cudaError_t error = cudaDeviceSynchronize(), last = cudaGetLastError();

    if (error == cudaSuccess)
        error = last;
    if (error != cudaSuccess)
        tell_error(error, done);
    simt_order_findings(seen.finding, seen.findings);
    done->counts = seen.counts;
    done->busiest_gpu = seen.busiest_gpu;
    done->cut = seen.cut;
    done->stuck = seen.stuck;
    done->first_blocks = seen.first_blocks;
    done->first_from = seen.first_from;
    done->refused_from = seen.refused_from;
    done->first_threads = seen.first_threads;
    tell_findings(done);
    done->waits = seen.waits;
    done->waits_dropped = seen.waits_dropped;
    memcpy(done->wait, seen.wait, sizeof done->wait);
}
