/*
 * verdict.c: see verdict.h.
 */
#include "verdict.h"

#include <ctype.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* as in the CUDA Runtime API */
enum { CUDA_ERROR_MEMORY_ALLOCATION = 2, CUDA_ERROR_INVALID_PTX = 218 };

#define TELL(field, ...) snprintf((field), sizeof(field), __VA_ARGS__)

/* ---- what the engine saw --------------------------------------------------------------------- */

/* The verdict that a finding makes; PASS for mere notes. */
static verdict verdict_of_finding(simt_finding_kind kind)
{
    switch (kind) {
    case SIMT_RACE: return VERDICT_RACE;
    case SIMT_OUT_OF_BOUNDS:
    case SIMT_USE_AFTER_FREE:
    case SIMT_MISALIGNED:
    case SIMT_BAD_FREE: return VERDICT_OUT_OF_BOUNDS;
    case SIMT_BARRIER_DIVERGENCE:
    case SIMT_BAD_SYNC:
    case SIMT_DEADLOCK: return VERDICT_DEADLOCK;
    case SIMT_BUDGET: return VERDICT_TIMEOUT;
    case SIMT_TRAP:
    case SIMT_ASSERT:
    case SIMT_STACK_OVERFLOW: return VERDICT_CUDA_ERROR;
    case SIMT_UNINITIALIZED:
    case SIMT_INACTIVE_LANE:
    case SIMT_WIDE_SHIFT: return VERDICT_UNINITIALIZED;
    case SIMT_UNSUPPORTED: return VERDICT_INFRA;
    case SIMT_NO_FINDING:
    case SIMT_NEEDS_SM70:
    case SIMT_DIVISION_BY_ZERO:
    case SIMT_NEEDS_SM90:
    case SIMT_LEAK:
    case SIMT_FINDING_KINDS: break;
    }
    return VERDICT_PASS;
}

/* Of a value without a meaning that was copied back: it tells no kernel. */
static bool is_copied(const simt_finding *finding)
{
    return finding->at.kernel[0] == '\0' &&
           verdict_of_finding(finding->kind) == VERDICT_UNINITIALIZED;
}

static const simt_finding *copied(const channel_done *done)
{
    for (unsigned f = 0; f < done->findings; f++)
        if (is_copied(&done->finding[f]))
            return &done->finding[f];
    return NULL;
}

/* The finding to report: by the order of verdicts, the first one seen among equals. Null if there
   are only notes and copied values. */
static const simt_finding *weightiest(const channel_done *done)
{
    static const verdict order[] = { VERDICT_RACE,     VERDICT_UNINITIALIZED, VERDICT_OUT_OF_BOUNDS,
                                     VERDICT_DEADLOCK, VERDICT_TIMEOUT,       VERDICT_CUDA_ERROR,
                                     VERDICT_INFRA };
    for (size_t v = 0; v < sizeof order / sizeof order[0]; v++)
        for (unsigned f = 0; f < done->findings; f++)
            if (verdict_of_finding(done->finding[f].kind) == order[v] &&
                !is_copied(&done->finding[f]))
                return &done->finding[f];
    return NULL;
}

static void site_to_where(const simt_site *site, result_where *where)
{
    snprintf(where->file, sizeof where->file, "%s", site->file);
    where->line = site->line;
    where->has_block = where->has_thread = true;
    where->block = site->block.x;
    where->warp = site->warp;
    where->lane = site->lane;
}

/* index 0 to length - 1: in the buffer */
typedef struct element {
    const lab_buffer *buffer;
    int64_t index, length;
} element;

/* The element of a device buffer of the part that is at the address, or would be, up to reach bytes
   in front of the buffer or behind it. */
static bool find_element(const verdict_context *context, const channel_done *done, size_t n,
                         simt_addr address, int64_t reach, element *found)
{
    for (unsigned b = 0; b < lab_buffer_count(context->part); b++) {
        const lab_buffer *buffer = &context->part->buffers[b];
        const int64_t size = (int64_t)judge_element_bytes(buffer->type),
                      length = (int64_t)judge_length(buffer, n);
        const int64_t offset = (int64_t)(address - done->address[b]);
        if (done->address[b] == 0 || offset < -reach || offset >= length * size + reach)
            continue;
        *found = (element){ buffer, offset >= 0 ? offset / size : -((-offset + size - 1) / size),
                            length };
        return true;
    }
    return false;
}

/* An access near a buffer of the part but not in it. */
static bool tell_beside_buffer(const verdict_context *context, const channel_done *done,
                               const simt_finding *finding, case_result *result)
{
    element e;

    if ((finding->kind != SIMT_OUT_OF_BOUNDS && finding->kind != SIMT_USE_AFTER_FREE) ||
        !find_element(context, done, result->n, finding->address, CHANNEL_APART, &e) ||
        (e.index >= 0 && e.index < e.length))
        return false;
    TELL(result->what, "out of bounds: %s of %s[%lld]; %s has %lld element%s",
         finding->at.write ? "write" : "read", e.buffer->name, (long long)e.index, e.buffer->name,
         (long long)e.length, e.length == 1 ? "" : "s");
    TELL(result->advice, "check this thread's index against n: a guard such as if (i < n) must "
                         "cover the load and the store");
    return true;
}

/* A race, a deadlock or a value without a meaning on a buffer of the part, which the engine knows
   as an allocation only: "block 1 writes element 5 of an allocation of 64 elements of 4 bytes,
   which ...", "... a change of element 5 of the array in parameter 2 (which holds 0) ...". */
static bool tell_by_buffer(const verdict_context *context, const channel_done *done,
                           const simt_finding *finding, case_result *result)
{
    const char *message = finding->message, *begin = strstr(message, "element "),
               *end = begin ? strpbrk(begin, ",(") : NULL;
    element e;

    if ((finding->kind != SIMT_RACE && finding->kind != SIMT_DEADLOCK &&
         verdict_of_finding(finding->kind) != VERDICT_UNINITIALIZED) ||
        !end || !find_element(context, done, result->n, finding->address, 0, &e))
        return false;
    while (end[-1] == ' ')
        end--;
    TELL(result->what, "%s: %.*s%s[%lld]%s", simt_finding_name(finding->kind),
         (int)(begin - message), message, e.buffer->name, (long long)e.index, end);
    TELL(result->advice, "%s", finding->advice);
    return true;
}

/* ---- who waits for whom ---------------------------------------------------------------------- */

static const char *state_text(simt_block_state state)
{
    switch (state) {
    case SIMT_BLOCK_WAITING: return "has not started";
    case SIMT_BLOCK_RUNNING: return "runs on";
    case SIMT_BLOCK_SPINNING: return "waits itself";
    case SIMT_BLOCK_DONE: return "has ended";
    }
    return "";
}

static void name_target(const verdict_context *context, const channel_done *done,
                        const simt_wait *wait, size_t n, char *target, size_t room)
{
    element e;

    if (wait->at_barrier)
        snprintf(target, room, "a barrier");
    else if (wait->variable[0] && wait->index >= 0)
        snprintf(target, room, "%s[%lld]", wait->variable, (long long)wait->index);
    else if (wait->variable[0])
        snprintf(target, room, "%s", wait->variable);
    else if (find_element(context, done, n, wait->address, 0, &e))
        snprintf(target, room, "%s[%lld]", e.buffer->name, (long long)e.index);
    else if (wait->index >= 0 && wait->parameter)
        snprintf(target, room, "element %lld of the array in parameter %u", (long long)wait->index,
                 wait->parameter);
    else if (wait->index >= 0)
        snprintf(target, room, "element %lld of an allocation", (long long)wait->index);
    else
        snprintf(target, room, "address 0x%llx", (unsigned long long)wait->address);
}

/* "block 63 waits at streaming_scan.cu:41 for sum[62]; block 62 would write it, and has not
   started" */
static void tell_wait(const verdict_context *context, const channel_done *done,
                      const simt_wait *wait, size_t n, result_wait *to)
{
    char writer[120] = "", target[sizeof to->target];

    site_to_where(&wait->at, &to->where);
    name_target(context, done, wait, n, target, sizeof target);
    TELL(to->target, "%s", target);
    to->writer_known = wait->writer_known;
    to->writer = wait->writer;
    to->writer_state = wait->writer_state;
    if (wait->at_barrier)
        TELL(writer, " that its other warps do not reach");
    else if (wait->writer_known && wait->writer == wait->at.block.x)
        TELL(writer, "; it would write it itself, further on");
    else if (wait->writer_known)
        TELL(writer, "; block %llu would write it, and %s", (unsigned long long)wait->writer,
             state_text(wait->writer_state));
    else
        TELL(writer, "; no block was found that would write it");
    TELL(to->text, "block %u waits at %.80s:%u for %s%s", wait->at.block.x, wait->at.file,
         wait->at.line, target, writer);
}

/* First those at the end of a chain: they wait for a block that has not started. */
static void tell_waits(const verdict_context *context, const channel_done *done,
                       case_result *result)
{
    for (int last = 1; last >= 0; last--)
        for (unsigned w = 0; w < done->waits && result->wait_count < RESULT_WAITS; w++) {
            const simt_wait *wait = &done->wait[w];
            if ((wait->writer_known && wait->writer_state == SIMT_BLOCK_WAITING) == (last == 1))
                tell_wait(context, done, wait, result->n, &result->waits[result->wait_count++]);
        }
    result->waits_left_out = done->waits_dropped + done->waits - result->wait_count;
}

static void tell_finding(const verdict_context *context, const channel_done *done,
                         const simt_finding *finding, case_result *result)
{
    result->verdict = verdict_of_finding(finding->kind);
    site_to_where(is_copied(finding) ? &finding->other : &finding->at, &result->where);
    if (finding->kind == SIMT_DEADLOCK)
        tell_waits(context, done, result);
    if (tell_beside_buffer(context, done, finding, result) ||
        tell_by_buffer(context, done, finding, result))
        return;
    TELL(result->what, "%s: %s", simt_finding_name(finding->kind), finding->message);
    TELL(result->advice, "%s", finding->advice);
    if (result->verdict == VERDICT_INFRA)
        TELL(result->advice,
             "this is a gap in the kit, not in your code: please report it with the line");
}

/* Each kind of note once, whatever the number of its places. */
static void tell_notes(const channel_done *done, case_result *result)
{
    bool told[SIMT_FINDING_KINDS] = { [SIMT_NO_FINDING] = true };

    for (unsigned f = 0; f < done->findings; f++) {
        const simt_finding *note = &done->finding[f];
        size_t used = strlen(result->note);
        if (told[note->kind] || verdict_of_finding(note->kind) != VERDICT_PASS)
            continue;
        /* the proof of a deadlock lets lanes go on alone that would not have parted otherwise */
        if (note->kind == SIMT_NEEDS_SM70 && result->verdict == VERDICT_DEADLOCK)
            continue;
        told[note->kind] = true;
        snprintf(result->note + used, sizeof result->note - used, "%s%s", used ? "; " : "",
                 note->message);
    }
}

/* ---- what the process did -------------------------------------------------------------------- */

/* "slug.cu" and a line for an address in the program, from its line table. */
static void locate_crash(const verdict_context *context, uint64_t pc, result_where *where)
{
    char address[32], *end;
    const char *arguments[] = { context->addr2line, "-e", context->program, address, NULL };
    process_spec spec = { .arguments = arguments,
                          .given = { -1, -1, -1 },
                          .limits = { .cpu_seconds = 5 } };
    process_run_result run;

    if (pc == 0 || !context->addr2line[0])
        return;
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)pc);
    if (!process_run(&spec, 5, 4096, &run, NULL))
        return;
    char *colon = strrchr(run.output, ':'), *slash = strrchr(run.output, '/');
    const char *name = slash ? slash + 1 : run.output;
    if (colon && colon > name && strncmp(name, context->l->file, strlen(context->l->file)) == 0) {
        where->line = (unsigned)strtoul(colon + 1, &end, 10);
        snprintf(where->file, sizeof where->file, "%s", context->l->file);
    }
    free(run.output);
}

/* A guard page beside a host buffer was touched: that is an index out of range, and the buffer is
   known. */
static void tell_guard(const verdict_context *context, const channel_fault *fault,
                       case_result *result)
{
    const lab_buffer *buffer = &context->part->buffers[fault->buffer];
    const int64_t size = (int64_t)judge_element_bytes(buffer->type);
    int64_t index =
        fault->offset >= 0 ? fault->offset / size : -((-fault->offset + size - 1) / size);

    result->verdict = VERDICT_OUT_OF_BOUNDS;
    TELL(result->what, "out of bounds: %s of %s[%lld]; %s has %zu element%s",
         fault->write ? "write" : "read", buffer->name, (long long)index, buffer->name,
         judge_length(buffer, result->n), judge_length(buffer, result->n) == 1 ? "" : "s");
    TELL(result->advice,
         index < 0 ? "look at what the first element, or n = 0, does"
                   : "look at the loop's bound, and at what happens for n = %zu",
         result->n);
}

static void tell_fault(const verdict_context *context, const session_outcome *outcome,
                       case_result *result)
{
    const channel_fault *fault = &outcome->fault;
    const char *name = process_signal_name(fault->signal);

    locate_crash(context, fault->pc, &result->where);
    if (fault->has_address && fault->buffer >= 0 &&
        fault->buffer < (int32_t)lab_buffer_count(context->part)) {
        tell_guard(context, fault, result);
        return;
    }
    TELL(result->what, "the program was killed by %s", name ? name : "a signal");
    if (!fault->has_address)
        return;
    TELL(result->what, "the program was killed by %s, at address 0x%llx", name ? name : "a signal",
         (unsigned long long)fault->address);
    if (fault->device_address) {
        TELL(result->cause, "host code dereferenced a device pointer");
        TELL(result->advice, "use the pointer in a kernel, or copy with cudaMemcpy");
    } else if (fault->stack_overflow) {
        TELL(result->cause, "stack overflow: a recursion without an end, or a large local array");
    } else if (fault->address < 4096) {
        TELL(result->cause,
             "a null pointer was used: an allocation that was refused (%zu MiB are allowed in "
             "all), or never made",
             context->memory_bytes >> 20);
    }
}

/* An allocation was refused at the limit, and the program used the null pointer it got. */
static bool was_refused_memory(const verdict_context *context, const session_outcome *outcome)
{
    enum { NEAR_LIMIT = 64 << 20, FIRST_PAGE = 4096 };
    const channel_fault *fault = &outcome->fault;
    return outcome->has_fault && fault->has_address && fault->address < FIRST_PAGE &&
           fault->data_bytes + NEAR_LIMIT > context->memory_bytes;
}

static void tell_memory(const verdict_context *context, case_result *result)
{
    result->verdict = VERDICT_MEM_LIMIT;
    TELL(result->what, "the program used all of the %zu MiB of memory it may have",
         context->memory_bytes >> 20);
    TELL(result->advice, "free what you allocate, and look for an allocation in a loop");
}

/* What the C library printed before it called abort(), in the student's terms. */
static void tell_abort(const char *printed, case_result *result)
{
    static const struct {
        const char *words, *cause, *advice;
    } known[] = {
        { "double free", "memory was given to free() twice", "one free() for each malloc()" },
        { "free(): invalid", "free() was given a pointer that malloc() did not return",
          "give free() the pointer as malloc() returned it" },
        { "munmap_chunk(): invalid", "free() was given a pointer that malloc() did not return",
          "give free() the pointer as malloc() returned it" },
        { "stack smashing", "a local array was written beyond its end",
          "look at the size of the local arrays, and at the indices used" },
        { "malloc()",
          "something was written beyond the end of an array from malloc(), or after its free()",
          "malloc() takes bytes: n * sizeof(float) for n floats; and every index is below n" },
        { "corrupted",
          "something was written beyond the end of an array from malloc(), or after its free()",
          "malloc() takes bytes: n * sizeof(float) for n floats; and every index is below n" },
        { "free():",
          "something was written beyond the end of an array from malloc(), or after its free()",
          "malloc() takes bytes: n * sizeof(float) for n floats; and every index is below n" },
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(printed, known[i].words)) {
            TELL(result->cause, "%s", known[i].cause);
            TELL(result->advice, "%s", known[i].advice);
            return;
        }
}

static void tell_signal(const verdict_context *context, const session_outcome *outcome,
                        case_result *result)
{
    const char *name = process_signal_name(outcome->signal);

    result->verdict = VERDICT_CRASH;
    if (outcome->has_fault)
        tell_fault(context, outcome, result);
    else if (name)
        TELL(result->what, "the program was killed by %s", name);
    else
        TELL(result->what, "the program was killed by signal %d", outcome->signal);
    if (outcome->signal == SIGABRT)
        tell_abort(outcome->printed, result);
    if (outcome->signal == SIGXFSZ)
        TELL(result->advice, "a lab writes no files");
}

static void tell_ending(const verdict_context *context, const session_outcome *outcome,
                        case_result *result)
{
    switch (outcome->ending) {
    case SESSION_DONE: break;
    case SESSION_EXITED:
        result->verdict = VERDICT_EARLY_EXIT;
        if (outcome->ready)
            TELL(result->what,
                 "the program ended itself, with exit status %d, before %s had returned",
                 outcome->exit_status, context->part->entry);
        else
            TELL(result->what,
                 "the program ended itself, with exit status %d, before any entry was called",
                 outcome->exit_status);
        TELL(result->advice, "an entry returns to its caller; leave out exit() and the like");
        break;
    case SESSION_SIGNALED:
        if (was_refused_memory(context, outcome))
            tell_memory(context, result);
        else
            tell_signal(context, outcome, result);
        break;
    case SESSION_LATE:
        result->verdict = VERDICT_TIMEOUT;
        TELL(result->what, "%s had not returned after %g s and was stopped",
             outcome->ready ? context->part->entry : "the program's start", context->seconds);
        if (context->gpu && context->l->threads > 0) {
            TELL(result->cause, "an endless loop, or a deadlock: threads or blocks that wait for "
                                "what nobody will do; a GPU cannot tell which");
            TELL(result->advice,
                 "make grade LAB=%.2s, on the engine, tells which, and who waits for whom",
                 context->l->id);
            break;
        }
        TELL(result->advice, "look for a loop whose condition never becomes false, in host code "
                             "first; or for work that grows as n * n");
        break;
    case SESSION_LOUD:
        result->verdict = VERDICT_OUTPUT_LIMIT;
        TELL(result->what, "the program printed more than %llu KiB and was stopped",
             (unsigned long long)(context->output_bytes >> 10));
        TELL(result->advice, "print less: from one thread, or for small n only");
        break;
    case SESSION_BIG: tell_memory(context, result); break;
    case SESSION_FORGED:
        result->verdict = VERDICT_POLICY;
        TELL(result->what,
             "the program sent the grader a message of its own, or closed the grader's channel");
        TELL(result->advice,
             "leave descriptors 3 to 5 alone; only what the entries compute is judged");
        break;
    }
}

/* ---- a real GPU ------------------------------------------------------------------------------ */

/* Errors with which a kernel ends everything: what they mean, and that alone, is known. Numbers as
   in the CUDA Runtime API. */
typedef struct gpu_error {
    int32_t error;
    verdict verdict;
    const char *meaning;
} gpu_error;

static const gpu_error gpu_errors[] = {
    { 700, VERDICT_OUT_OF_BOUNDS,
      "out of bounds: a kernel used an address where it has no memory" },
    { 716, VERDICT_OUT_OF_BOUNDS,
      "misaligned: a kernel used an address that is no multiple of the access's size" },
    { 717, VERDICT_OUT_OF_BOUNDS,
      "out of bounds: a kernel used an address of another kind of memory than the instruction is "
      "for" },
    { 702, VERDICT_TIMEOUT,
      "the driver stopped a kernel that took too long, as it does on a GPU that has a display" },
    { 710, VERDICT_CUDA_ERROR, "an assert in a kernel failed" },
    { 714, VERDICT_CUDA_ERROR, "a kernel's stack or its calls went wrong" },
    { 715, VERDICT_CUDA_ERROR,
      "a kernel met a trap, or an instruction that this GPU does not have" },
    { 718, VERDICT_CUDA_ERROR, "a kernel jumped to where it has no code" },
    { 719, VERDICT_CUDA_ERROR,
      "a kernel failed: a trap, or an access to shared memory outside it" },
    { 226, VERDICT_CUDA_ERROR, "the GPU found an error in its memory" },
};

/* A GPU does not tell where: the engine does. */
static bool tell_gpu_error(const verdict_context *context, const channel_done *done,
                           case_result *result)
{
    for (size_t i = 0; i < sizeof gpu_errors / sizeof gpu_errors[0]; i++) {
        if (gpu_errors[i].error != done->error)
            continue;
        result->verdict = gpu_errors[i].verdict;
        TELL(result->what, "%s (%s)", gpu_errors[i].meaning, done->error_name);
        TELL(result->cause, "a GPU does not say which thread, nor where in the code");
        TELL(result->advice,
             "make grade LAB=%.2s CASE=%s, on the engine, names line, thread and index; "
             "compute-sanitizer does on the GPU: README, \"Grading on a GPU\"",
             context->l->id, result->name);
        return true;
    }
    return false;
}

/* "write of d_out[33]; d_out has 33 elements", from how far off the nearest changed byte is */
static void tell_overrun(const verdict_context *context, const channel_done *done,
                         case_result *result)
{
    const lab_buffer *buffer = &context->part->buffers[done->buffer];
    const int64_t size = (int64_t)judge_element_bytes(buffer->type),
                  length = (int64_t)judge_length(buffer, result->n);
    const int64_t off = ((int64_t)(done->distance & INT64_MAX) - 1) / size,
                  index = done->side < 0 ? -1 - off : length + off;

    TELL(result->what, "out of bounds: write of %s[%lld]; %s has %lld element%s", buffer->name,
         (long long)index, buffer->name, (long long)length, length == 1 ? "" : "s");
    TELL(result->advice,
         "check the thread's index against n before the store; make grade LAB=%.2s CASE=%s, on the "
         "engine, names line and thread",
         context->l->id, result->name);
}

/* ---- what the runner reported ---------------------------------------------------------------- */

static void tell_status(const verdict_context *context, const channel_done *done,
                        case_result *result)
{
    const lab_buffer *buffer = &context->part->buffers[done->buffer];
    char signature[400];

    switch ((channel_status)done->status) {
    case CHANNEL_NO_ENTRY:
        result->verdict = VERDICT_COMPILE_ERROR;
        TELL(result->what, "%s does not define %s", context->l->file, context->part->entry);
        lab_signature(context->part, signature, sizeof signature);
        TELL(result->advice, "write: %s", signature);
        TELL(result->cause,
             "it is missing, its name is spelled differently, or the lab's header is not included");
        break;
    case CHANNEL_OVERRUN:
        result->verdict = VERDICT_OUT_OF_BOUNDS;
        if (done->distance > 0) {
            tell_overrun(context, done, result);
            break;
        }
        TELL(result->what, "memory right %s %s, which has %zu elements, was written",
             done->side < 0 ? "in front of" : "behind", buffer->name,
             judge_length(buffer, result->n));
        TELL(result->advice, done->side < 0
                                 ? "look at what the first element does with its left neighbour"
                                 : "look at the loop's bound");
        break;
    case CHANNEL_SETUP_FAILED:
    default:
        result->verdict = VERDICT_INFRA;
        TELL(result->what, "the case could not be set up: %.400s", done->error_text);
        break;
    case CHANNEL_RAN: break;
    }
}

static void tell_cuda_error(const verdict_context *context, const channel_done *done,
                            case_result *result)
{
    if (context->gpu && tell_gpu_error(context, done, result))
        return;
    result->verdict = VERDICT_CUDA_ERROR;
    TELL(result->what, "%s: %.420s",
         done->error_name[0] ? done->error_name : "an error of the CUDA runtime", done->error_text);
    if (done->error == CUDA_ERROR_MEMORY_ALLOCATION)
        TELL(result->advice, "ask cudaMalloc for less, in bytes: a size computed in int may have "
                             "overflowed; and free what is no longer needed");
    else if (done->error == CUDA_ERROR_INVALID_PTX)
        TELL(result->advice, "the line and the caret are in the PTX made of your kernels: look at "
                             "the asm statement that holds these words");
    else
        TELL(result->advice,
             "look at the launch configuration, and at the arguments of the CUDA calls");
}

static void tell_answer(const judge_report *report, case_result *result)
{
    if (report->answer == JUDGE_RIGHT)
        return;
    if (report->answer == JUDGE_LOST) {
        result->verdict = VERDICT_POLICY;
        TELL(result->what, "no result came back, though the program said that it was done");
        return;
    }
    result->verdict = VERDICT_WRONG;
    TELL(result->what, "%s", report->what);
    TELL(result->cause, "%s", report->cause);
    result->cause_kind = report->cause_kind;
    if (report->place.known) {
        result->where.has_block = true;
        result->where.block = report->place.block;
        result->where.has_thread = report->place.thread_known;
        result->where.warp = report->place.warp;
        result->where.lane = report->place.lane;
    }
}

/* ---- all together ---------------------------------------------------------------------------- */

bool verdict_can_compare(const session_outcome *outcome)
{
    return outcome->ending == SESSION_DONE && outcome->done.status == CHANNEL_RAN &&
           outcome->done.copied && outcome->done.error == 0;
}

/* Printable, so that nothing a submission prints moves the cursor or changes colours of the
   student's terminal. */
static void copy_printed(const char *from, char *to, size_t room)
{
    size_t length = strlen(from), start = length > room - 1 ? length - (room - 1) : 0, used = 0;
    for (const char *c = from + start; *c; c++)
        to[used++] = *c == '\n' || *c == '\t' || isprint((unsigned char)*c) ? *c : '?';
    to[used] = '\0';
}

void verdict_of_case(const verdict_context *context, const session_outcome *outcome,
                     const judge_report *report, case_result *result)
{
    const channel_done *done = &outcome->done;
    const simt_finding *finding = outcome->ending == SESSION_DONE ? weightiest(done) : NULL;

    result->verdict = VERDICT_PASS;
    copy_printed(outcome->printed, result->printed, sizeof result->printed);
    if (outcome->ending != SESSION_DONE)
        tell_ending(context, outcome, result);
    else if (done->status != CHANNEL_RAN)
        tell_status(context, done, result);
    else if (finding)
        tell_finding(context, done, finding, result);
    else if (done->error != 0)
        tell_cuda_error(context, done, result);
    else if (report && copied(done) && report->answer != JUDGE_LOST &&
             (report->cause[0] == '\0' || report->suspects_memory))
        tell_finding(context, done, copied(done), result); /* a right one is right by luck */
    else if (report)
        tell_answer(report, result);
    if (outcome->ending == SESSION_DONE)
        tell_notes(done, result);
}
