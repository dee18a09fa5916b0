/*
 * explain.c: see explain.h. Here: errors of a GPU, what the runner reported, the answer, and which
 * of them is shown; explain_parts.h says where the rest is.
 */
#include "explain.h"

#include <string.h>

#include "buffer_element.h"
#include "cause.h"
#include "clean.h"
#include "explain_parts.h"

/* as in the CUDA Runtime API */
enum { CUDA_ERROR_MEMORY_ALLOCATION = 2, CUDA_ERROR_INVALID_PTX = 218 };
enum { MANY_BYTES = 1 << 20, WARP = 32 };

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
      "out of bounds: a kernel used an address where no memory is allocated" },
    { 716, VERDICT_OUT_OF_BOUNDS,
      "misaligned: a kernel used an address that is not a multiple of the access's size" },
    { 717, VERDICT_OUT_OF_BOUNDS,
      "out of bounds: a kernel used an address of the wrong kind of memory, shared for global, "
      "say" },
    { 702, VERDICT_TIMEOUT,
      "the driver stopped a kernel that took too long, as it does on a GPU that has a display" },
    { 710, VERDICT_CUDA_ERROR, "an assert in a kernel failed" },
    { 714, VERDICT_CUDA_ERROR, "a kernel damaged its stack, or its calls nest too deeply" },
    { 715, VERDICT_CUDA_ERROR,
      "a kernel executed a trap, or an instruction that this GPU does not have" },
    { 718, VERDICT_CUDA_ERROR, "a kernel jumped to an address where there is no code" },
    { 719, VERDICT_CUDA_ERROR, "a kernel failed: a trap, or an access beyond its shared memory" },
    { 226, VERDICT_CUDA_ERROR, "the GPU found an error in its memory" },
};

/* A GPU does not tell where: the engine does. */
static bool tell_gpu_error(const explain_context *context, const channel_done *done,
                           case_result *result)
{
    for (size_t i = 0; i < sizeof gpu_errors / sizeof gpu_errors[0]; i++) {
        if (gpu_errors[i].error != done->error)
            continue;
        result->verdict = gpu_errors[i].verdict;
        TELL(result->what, "%s (%s)", gpu_errors[i].meaning, done->error_name);
        TELL(result->cause, "a GPU does not say which thread, nor where in the code");
        TELL(result->advice,
             "make grade LAB=%.*s CASE=%s, on the engine, names line, thread and index; on the GPU "
             "compute-sanitizer does: docs/gpu.md",
             lab_name_length(context->l), context->l->id, result->name);
        return true;
    }
    return false;
}

/* From how far off the nearest changed byte is. */
static void tell_overrun(const explain_context *context, const channel_done *done,
                         case_result *result)
{
    const lab_buffer *buffer = &context->part->buffers[done->buffer];
    const int64_t size = (int64_t)judge_element_bytes(buffer->type),
                  bytes = size * (int64_t)judge_length(buffer, result->n),
                  distance = (int64_t)(done->distance & INT64_MAX / 2); /* whatever a child says */
    const element e =
        element_at(buffer, result->n, done->side < 0 ? -distance : bytes + distance - 1);
    char text[ELEMENT_TEXT];

    element_tell_outside(&e, true, text);
    TELL(result->what, "%s", text);
    TELL(result->advice,
         "check the thread's index against n before the store; make grade LAB=%.*s CASE=%s, on the "
         "engine, names line and thread",
         lab_name_length(context->l), context->l->id, result->name);
}

/* ---- what the runner reported ---------------------------------------------------------------- */

static void tell_status(const explain_context *context, const channel_done *done,
                        case_result *result)
{
    const lab_buffer *buffer = &context->part->buffers[done->buffer];
    char signature[400];

    switch ((channel_status)done->status) {
    case CHANNEL_NO_ENTRY:
        result->verdict = VERDICT_COMPILE_ERROR;
        result->no_entry = true;
        TELL(result->what, "%s does not define %s", context->l->file, context->part->entry);
        lab_signature(context->part, signature, sizeof signature);
        TELL(result->advice, "have #include \"%.*sh\" at the top, and write: %.300s",
             (int)(strlen(context->l->file) - strlen("cu")), context->l->file, signature);
        TELL(result->cause,
             "the lab's header is not included, or the function is missing or has another name");
        break;
    case CHANNEL_OVERRUN:
        result->verdict = VERDICT_OUT_OF_BOUNDS;
        if (done->distance > 0) {
            tell_overrun(context, done, result);
            break;
        }
        TELL(result->what, "memory right %s %s, which has %zu elements, was written",
             done->side < 0 ? "before" : "past the end of", buffer->name,
             judge_length(buffer, result->n));
        TELL(result->advice, done->side < 0
                                 ? "look at what the first element does with its left neighbour"
                                 : "look at the loop's bound");
        break;
    case CHANNEL_FREED:
        result->verdict = VERDICT_CUDA_ERROR;
        if (done->side > 0) {
            TELL(result->what, "%s has freed all memory of the device, its caller's arrays too",
                 context->part->entry);
            TELL(result->cause, "cudaDeviceReset() frees what everybody has on the device; or is "
                                "every array of the caller given to cudaFree?");
        } else {
            TELL(result->what, "%s has freed %s, which belongs to its caller", context->part->entry,
                 buffer->name);
        }
        TELL(result->advice,
             "cudaFree only what this function itself has got from cudaMalloc, and do not reset "
             "the device");
        break;
    case CHANNEL_SETUP_FAILED:
        if (done->not_freed > 0 && done->error == CUDA_ERROR_MEMORY_ALLOCATION) {
            result->verdict = VERDICT_CUDA_ERROR;
            if (done->not_freed < MANY_BYTES)
                TELL(result->what,
                     "the program still has so many allocations of device memory from before this "
                     "call, of %llu bytes together, that there is no room for the call's buffers",
                     (unsigned long long)done->not_freed);
            else
                TELL(result->what,
                     "the program still has %llu KiB of device memory from before this call: there "
                     "is no room for the call's buffers",
                     (unsigned long long)(done->not_freed >> 10));
            TELL(result->advice, "cudaFree what cudaMalloc gives, in the same function; and make "
                                 "__device__ arrays smaller");
            break;
        }
        if (done->error != 0 && !context->gpu) {
            result->verdict = VERDICT_CUDA_ERROR;
            TELL(result->what, "the device had failed before this call: %.400s", done->error_text);
            TELL(result->advice, "launch kernels in the lab's functions alone, and wait for them");
            break;
        }
        /* fallthrough */
    default:
        result->verdict = VERDICT_INFRA;
        TELL(result->what, "the case could not be set up: %.400s", done->error_text);
        break;
    case CHANNEL_NO_ROOM:
        result->verdict = VERDICT_MEM_LIMIT;
        TELL(result->what,
             "the program left no room for the arrays of this case: its memory (%zu "
             "MiB) or its address space was used up before the call",
             context->memory_bytes >> 20);
        TELL(result->advice, "free what you allocate, and unmap what you map");
        break;
    case CHANNEL_RAN: break;
    }
}

static void tell_ptx_error(const channel_done *done, case_result *result)
{
    result->no_ptx = true;
    TELL(result->what, "%s: %.420s", done->error_name, done->error_text);
    if (done->error_advice[0])
        TELL(result->advice, "%s", done->error_advice);
    else if (strstr(done->error_text, "the local variables of this function"))
        TELL(result->advice, "make the local arrays of your kernels smaller, or keep them in "
                             "shared or global memory: a thread has 64 KiB here, and up to 512 KiB "
                             "on a GPU, where such arrays are slow");
    else
        TELL(result->advice, "it is about the PTX made of your kernels: look at the asm statement "
                             "with these words in "
                             "it; or, where they name a size, at your arrays of that kind");
}

static void tell_cuda_error(const explain_context *context, const channel_done *done,
                            case_result *result)
{
    if (context->gpu && tell_gpu_error(context, done, result))
        return;
    result->verdict = VERDICT_CUDA_ERROR;
    if (done->error == CUDA_ERROR_INVALID_PTX) {
        tell_ptx_error(done, result);
        return;
    }
    TELL(result->what, "%s: %.420s",
         done->error_name[0] ? done->error_name : "an error of the CUDA runtime", done->error_text);
    if (done->error_advice[0])
        TELL(result->advice, "%s", done->error_advice);
    else if (done->error == CUDA_ERROR_MEMORY_ALLOCATION)
        TELL(result->advice, "ask cudaMalloc for less, in bytes: a size computed in int may have "
                             "overflowed; and free what is no longer needed");
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
    result->fractions = report->fractions;
    result->nan = report->nan;
    if (report->place.known) {
        result->where.has_block = true;
        result->where.block = report->place.block;
        result->where.has_thread = report->place.thread_known;
        result->where.warp = report->place.warp;
        result->where.lane = report->place.lane;
    }
}

/* ---- how the kernels were launched, and what they never touched ------------------------------ */

/* Is the number of threads that the lab asks for that of the blocks, and the other way round? */
static bool is_swapped(const lab *l, size_t n, const channel_done *done)
{
    const uint64_t sections = l->tile ? (n + l->tile - 1) / l->tile : 0;
    return l->threads > 0 && done->first_blocks == l->threads && done->first_threads == sections &&
           sections != l->threads;
}

/* Does the part share out more than its n elements, so that it may have more blocks? */
static bool may_have_blocks(const lab_part *part, size_t n, uint64_t blocks)
{
    const lab_gate *most = lab_gate_on(part, LAB_BLOCKS, LAB_AT_MOST);
    return most && most->limit(n) >= (double)blocks;
}

/* A block after those that the sections take, in a first launch that has one too many. A trial's
   launch is the kit's, and its n may count something else. */
static bool is_block_too_many(const explain_context *context, const channel_done *done,
                              const case_result *result)
{
    const uint64_t tile = context->l->tile, sections = tile ? (result->n + tile - 1) / tile : 0;
    return !context->part->trial && sections > 0 && done->counts.launches == 1 &&
           done->first_blocks == sections + 1 && result->where.has_block &&
           result->where.block == sections &&
           !may_have_blocks(context->part, result->n, done->first_blocks);
}

/* A thread after those that a block may have; most: how many these are. */
static bool is_thread_too_many(const explain_context *context, const case_result *result,
                               unsigned *most)
{
    const lab_gate *gate = lab_gate_on(context->part, LAB_THREADS_PER_BLOCK, LAB_AT_MOST);
    if (!gate || !result->where.has_thread)
        return false;
    *most = (unsigned)gate->limit(result->n);
    return *most > 0 && result->where.warp * WARP + result->where.lane >= *most;
}

/* Does the first launch leave out the last section, which is not full? */
static bool is_rounded_down(const explain_context *context, const channel_done *done,
                            const case_result *result)
{
    const uint64_t tile = context->l->tile;
    const lab_gate *gate = lab_gate_on(context->part, LAB_BLOCKS, LAB_AT_LEAST);
    return tile > 0 && gate && done->counts.launches > 0 && result->n % tile != 0 &&
           done->first_blocks > 0 && done->first_blocks == result->n / tile &&
           (double)done->counts.blocks < gate->limit(result->n);
}

/* Barriers, and nothing in shared memory that they could be for; and an array of a thread's own, of
   which it reads what only others could have written. */
static bool lacks_shared_memory(const lab_part *part, const channel_done *done)
{
    return done->counts.local_unset > 0 && done->counts.barriers > 0 &&
           done->counts.shared_requests == 0 && done->counts.atomics == 0 &&
           !lab_gate_on(part, LAB_SHARED_REQUESTS, LAB_AT_MOST);
}

/* Fewer threads than elements, in blocks smaller than the lab's, and the rest unwritten. */
static bool lacks_threads(const explain_context *context, const channel_done *done,
                          const case_result *result)
{
    const lab *l = context->l;
    return l->threads > 0 && l->per_thread > 0 && done->counts.launches == 1 &&
           result->cause_kind >= CAUSE_UNWRITTEN && result->cause_kind < CAUSE_COMMON &&
           done->first_threads > 0 && done->first_threads < l->threads &&
           done->first_blocks * done->first_threads * l->per_thread < result->n;
}

/* Is a line of a given header at fault, whose index a function of the student makes? */
static bool is_index_wrong(const explain_context *context, const simt_finding *finding)
{
    return context->part->index_wrong && finding &&
           strcmp(finding->at.file, context->l->file) != 0 &&
           (finding->kind == SIMT_OUT_OF_BOUNDS ||
            (finding->kind == SIMT_RACE &&
             (!finding->has_other || strcmp(finding->other.file, context->l->file) != 0)));
}

/* Mistakes that make an answer wrong, or an index, and say so best themselves. finding: the one
   that is shown, or null. */
static void suspect_launch(const explain_context *context, const channel_done *done,
                           const simt_finding *finding, case_result *result)
{
    const bool wrong = result->verdict == VERDICT_WRONG,
               unset = result->verdict == VERDICT_UNINITIALIZED;
    /* what is misaligned may be in the right place */
    const bool bounds =
        result->verdict == VERDICT_OUT_OF_BOUNDS && !(finding && finding->kind == SIMT_MISALIGNED);
    unsigned most = 0;

    if ((wrong || unset || result->verdict == VERDICT_OUT_OF_BOUNDS) &&
        is_swapped(context->l, result->n, done)) {
        TELL(result->cause,
             "the first launch has %llu block%s of %llu thread%s: is that the wrong way round? It "
             "is <<<blocks, threads>>>",
             (unsigned long long)done->first_blocks, done->first_blocks == 1 ? "" : "s",
             (unsigned long long)done->first_threads, done->first_threads == 1 ? "" : "s");
        result->advice[0] = '\0';
        result->cause_kind = CAUSE_SWAPPED;
    } else if (bounds && is_block_too_many(context, done, result)) {
        TELL(result->cause,
             "n = %zu takes %llu block%s of %u elements each, and %llu were launched: block %u has "
             "none",
             result->n, (unsigned long long)done->first_blocks - 1,
             done->first_blocks == 2 ? "" : "s", context->l->tile,
             (unsigned long long)done->first_blocks, result->where.block);
        TELL(result->advice, "round the number of blocks up: (n - 1) / T + 1 for T elements a "
                             "block, n > 0. n / T + 1 is one too many where T divides n");
        result->cause_kind = CAUSE_BLOCK_TOO_MANY;
    } else if (bounds && is_thread_too_many(context, result, &most)) {
        TELL(result->cause,
             "a block has %u threads in this lab, 0 to %u, and thread %u is one more: how many "
             "does the launch ask for? It is <<<blocks, threads>>>",
             most, most - 1, result->where.warp * WARP + result->where.lane);
        result->advice[0] = '\0';
        result->cause_kind = CAUSE_SWAPPED;
    } else if (is_index_wrong(context, finding)) {
        TELL(result->cause, "%s", context->part->index_wrong);
        result->advice[0] = '\0';
    } else if (bounds && context->part->beyond &&
               !(finding && finding->index < 0 && !finding->bounds.wrapped_often)) {
        TELL(result->cause, "%s", context->part->beyond);
        result->advice[0] = '\0';
    } else if ((unset || (wrong && result->cause[0] == '\0')) &&
               is_rounded_down(context, done, result)) {
        TELL(result->cause,
             "the first launch has %llu block%s, and n = %zu has %llu sections of %u: take n / %u "
             "rounded up, (n - 1) / %u + 1, of the elements that it reads",
             (unsigned long long)done->first_blocks, done->first_blocks == 1 ? "" : "s", result->n,
             (unsigned long long)done->first_blocks + 1, context->l->tile, context->l->tile,
             context->l->tile);
        result->advice[0] = '\0';
        result->cause_kind = CAUSE_SWAPPED;
    } else if (wrong && lacks_threads(context, done, result)) {
        TELL(result->cause,
             "the launch has %llu block%s of %llu thread%s, too few for n = %zu: in this lab a "
             "block has %u threads, and a thread %u element%s",
             (unsigned long long)done->first_blocks, done->first_blocks == 1 ? "" : "s",
             (unsigned long long)done->first_threads, done->first_threads == 1 ? "" : "s",
             result->n, context->l->threads, context->l->per_thread,
             context->l->per_thread == 1 ? "" : "s");
        result->advice[0] = '\0';
        result->cause_kind = CAUSE_SWAPPED;
    } else if ((wrong || unset) && lacks_shared_memory(context->part, done)) {
        TELL(result->cause, "the threads meet at barriers, but touch no shared memory: is "
                            "`__shared__` missing in front of an array? Without it each thread has "
                            "an array of its own, in which nobody else writes");
        result->advice[0] = '\0';
        result->cause_kind = CAUSE_NOT_SHARED;
    } else if (wrong && result->cause[0] == '\0' && done->counts.active_masks > 0) {
        TELL(result->cause,
             "__activemask() names the lanes that happen to run together, and a GPU may run the "
             "lanes of a warp in groups; here it may have done so. Vote and shuffle with a mask "
             "that you know, 0xffffffff for a whole warp, and have every lane of it take part");
    } else if (wrong && done->counts.local_unset > 0) {
        TELL(result->note, "threads read elements of an array in local memory that they have not "
                           "written; each thread has one of its own there: is `__shared__` missing "
                           "in front of it?");
    }
}

/* What goes wrong with no elements is that something was launched, or that the launch was refused.
 */
static void blame_launch(const channel_done *done, case_result *result)
{
    if (result->where.launched_from == 0)
        result->where.launched_from = done->error != 0 ? done->refused_from
                                      : result->n == 0 ? done->first_from
                                                       : 0;
}

/* ---- all together ---------------------------------------------------------------------------- */

bool explain_can_compare(const session_outcome *outcome)
{
    return outcome->ending == SESSION_DONE && outcome->done.status == CHANNEL_RAN &&
           outcome->done.copied && outcome->done.error == 0;
}

static void copy_printed(const char *from, char *to, size_t room)
{
    const size_t length = strlen(from), start = length > room - 1 ? length - (room - 1) : 0;
    memcpy(to, from + start, length - start + 1);
    clean_text(to);
}

void explain_case(const explain_context *context, const session_outcome *outcome,
                  const judge_report *report, case_result *result)
{
    const channel_done *done = &outcome->done;
    const simt_finding *finding = outcome->ending == SESSION_DONE ? explain_weightiest(done) : NULL;

    result->verdict = VERDICT_PASS;
    copy_printed(outcome->printed, result->printed, sizeof result->printed);
    result->printed_bytes = outcome->printed_bytes;
    if (outcome->ending != SESSION_DONE)
        explain_process(context, outcome, result);
    else if (done->status != CHANNEL_RAN)
        tell_status(context, done, result);
    else if (finding)
        explain_finding(context, done, finding, result);
    else if (done->error != 0)
        tell_cuda_error(context, done, result);
    else if (report && explain_copied(done) && report->answer != JUDGE_LOST &&
             (report->cause[0] == '\0' || report->suspects_memory ||
              (explain_is_own(explain_copied(done)) && !lacks_shared_memory(context->part, done))))
        explain_finding(context, done, explain_copied(done),
                        result); /* a right one is right by luck */
    else if (report)
        tell_answer(report, result);
    if (outcome->ending == SESSION_DONE) {
        suspect_launch(context, done, finding, result);
        blame_launch(done, result);
        explain_remarks(done, result);
    }
}
