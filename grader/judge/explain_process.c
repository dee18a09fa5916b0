/*
 * explain_process.c: what a program did that ended, or had to be ended, before its case was done:
 * crashed, left early, took too long, printed or took too much. See explain_parts.h.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "buffer_element.h"
#include "explain_parts.h"
#include "locate.h"
#include "run.h"
#include "tool_words.h"

/* ---- a crash --------------------------------------------------------------------------------- */

/* A guard page beside a host buffer was touched: that is an index out of range, and the buffer is
   known. */
static void tell_guard(const explain_context *context, const channel_fault *fault,
                       case_result *result)
{
    const element e = element_at(&context->part->buffers[fault->buffer], result->n, fault->offset);
    char text[ELEMENT_TEXT];

    result->verdict = VERDICT_OUT_OF_BOUNDS;
    element_tell_outside(&e, fault->write, text);
    TELL(result->what, "%s", text);
    if (e.index < 0)
        TELL(result->advice, "look at what the first element, or n = 0, does");
    else if (result->n == 0)
        TELL(result->advice,
             "with n = 0 there is no element to read or write: ask for n > 0 before "
             "the access");
    else
        TELL(result->advice, "look at the loop's bound, and at what happens for n = %zu",
             result->n);
}

static void locate(const explain_context *context, const channel_fault *fault, case_result *result)
{
    result->where.line = locate_line(context->addr2line, context->l, context->program, fault->pc);
    if (result->where.line)
        TELL(result->where.file, "%s", context->l->file);
}

static void tell_fault(const explain_context *context, const session_outcome *outcome,
                       case_result *result)
{
    const channel_fault *fault = &outcome->fault;
    const char *name = process_signal_name(fault->signal);

    locate(context, fault, result);
    if (fault->has_address && fault->buffer >= 0 &&
        fault->buffer < (int32_t)lab_buffer_count(context->part)) {
        tell_guard(context, fault, result);
        return;
    }
    TELL(result->what, "the program was killed by %s", name ? name : "a signal");
    if (!fault->has_address) {
        if (fault->signal == SIGSEGV)
            TELL(result->cause, "a pointer that points nowhere: it was never set, or was "
                                "overwritten; or a local array was written beyond its end, and "
                                "with it where the function returns to");
        return;
    }
    TELL(result->what, "the program was killed by %s, at address 0x%llx", name ? name : "a signal",
         (unsigned long long)fault->address);
    if (fault->device_address) {
        TELL(result->cause, "host code dereferenced a device pointer");
        TELL(result->advice,
             "use the pointer in a kernel; cudaMemsetAsync clears it without waiting, cudaMemcpy "
             "copies, and waits");
    } else if (fault->stack_overflow) {
        TELL(result->cause, "stack overflow: a recursion without an end, or a large local array");
    } else if (fault->address < 4096) {
        TELL(result->cause,
             "a null pointer was used: an allocation failed (%zu MiB are allowed in all), or was "
             "never made; or fopen() found no file: a lab has none of its own",
             context->memory_bytes >> 20);
    }
}

/* An allocation was refused at the limit, and the program used the null pointer it got. */
static bool was_refused_memory(const explain_context *context, const session_outcome *outcome)
{
    enum { NEAR_LIMIT = 64 << 20, FIRST_PAGE = 4096 };
    const channel_fault *fault = &outcome->fault;
    return outcome->has_fault && fault->has_address && fault->address < FIRST_PAGE &&
           fault->data_bytes + NEAR_LIMIT > context->memory_bytes;
}

static void tell_memory(const explain_context *context, case_result *result)
{
    result->verdict = VERDICT_MEM_LIMIT;
    TELL(result->what, "the program used all of the %zu MiB of memory it may have",
         context->memory_bytes >> 20);
    TELL(result->advice, "free what you allocate, and look for an allocation in a loop");
}

static void tell_uncaught(const explain_context *context, const char *printed, case_result *result)
{
    char type[120], what[160];

    tool_words_exception(printed, type, sizeof type, what, sizeof what);
    /* as it is written in a program */
    TELL(result->cause, "an exception was thrown and nothing caught it: %s%s%s",
         strncmp(type, "std::__cxx11::basic_string", 26) == 0 ? "std::string" : type,
         what[0] ? ", " : "", what);
    TELL(result->advice,
         "%s has to return: see to it that nothing is thrown, or catch it there (try, catch)",
         context->part->entry);
}

/* What the C++ library printed before it called abort(); false: nothing. */
static bool tell_terminate(const explain_context *context, const char *printed, case_result *result)
{
    switch (tool_words_meaning(TOOL_LIBSTDCXX, printed)) {
    case TOOL_NEW_FAILED:
        result->verdict = VERDICT_MEM_LIMIT;
        TELL(result->what, "new found no more memory: %zu MiB are allowed in all",
             context->memory_bytes >> 20);
        TELL(result->cause, "std::bad_alloc was thrown and nothing caught it");
        TELL(result->advice, "look at the sizes that are asked for, and for memory that is never "
                             "given back");
        return true;
    case TOOL_UNCAUGHT: tell_uncaught(context, printed, result); return true;
    case TOOL_PURE_CALL:
        TELL(result->cause, "a virtual function without a body was called: from a constructor or a "
                            "destructor, say, or after delete");
        return true;
    case TOOL_TERMINATED:
        TELL(result->cause, "std::terminate was called: a std::thread that was not joined does it");
        TELL(result->advice, "join every thread before its object ends");
        return true;
    default: return false;
    }
}

/* What the C library printed before it called abort(), in the student's terms. */
static void tell_abort(const char *printed, case_result *result)
{
    static const char damaged[] = "something was written beyond the end of an array from malloc() "
                                  "or new, or after it was freed";
    static const struct {
        const char *cause, *advice;
    } meant[] = {
        [TOOL_FREED_TWICE] = { "memory was given back twice",
                               "one free() for each malloc(), one delete for each new" },
        [TOOL_FREED_NO_ARRAY] = { "free() or delete was given a pointer that malloc() or new did "
                                  "not return",
                                  "give it the pointer as it was returned" },
        [TOOL_STACK_DAMAGED] = { "a local array was written beyond its end",
                                 "look at the size of the local arrays, and at the indices used" },
        [TOOL_HEAP_DAMAGED] = { damaged, "malloc() takes bytes: n * sizeof(float) for n floats; "
                                         "and every index is below n" },
    };
    const tool_meaning said = tool_words_meaning(TOOL_LIBC, printed);

    if (said == TOOL_SAYS_NOTHING)
        return;
    TELL(result->cause, "%s", meant[said].cause);
    TELL(result->advice, "%s", meant[said].advice);
}

static void tell_signal(const explain_context *context, const session_outcome *outcome,
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
    if (outcome->signal == SIGABRT && !tell_terminate(context, result->printed, result))
        tell_abort(outcome->printed, result);
    if (outcome->signal == SIGXFSZ)
        TELL(result->advice, "a lab writes no files");
}

/* ---- every ending ---------------------------------------------------------------------------- */

void explain_process(const explain_context *context, const session_outcome *outcome,
                     case_result *result)
{
    switch (outcome->ending) {
    case SESSION_DONE: break;
    case SESSION_EXITED:
        result->verdict = VERDICT_EARLY_EXIT;
        if (outcome->ready)
            TELL(result->what, "the program exited with status %d before %s had returned",
                 outcome->exit_status, context->part->entry);
        else
            TELL(result->what,
                 "the program exited with status %d before any of your functions was called",
                 outcome->exit_status);
        TELL(result->advice, "return from your function; do not call exit() or the like");
        break;
    case SESSION_SIGNALED:
        if (was_refused_memory(context, outcome))
            tell_memory(context, result);
        else
            tell_signal(context, outcome, result);
        break;
    case SESSION_LATE:
        result->verdict = VERDICT_TIMEOUT;
        if (outcome->by_host) {
            TELL(result->what,
                 "besides its kernels, the program took more than %g s in the cases of this lab "
                 "together, and was stopped",
                 RUN_HOST_TIME * context->seconds);
            TELL(result->advice, "look for waiting, sleeping, or work on the host that belongs "
                                 "into a kernel");
            break;
        }
        if (outcome->used_up) {
            TELL(result->what,
                 "the cases of this lab took more than %g s together, and were stopped",
                 RUN_CASES_TIME * context->seconds);
            TELL(result->advice,
                 "each alone may take %g s; look for work that grows as n * n, or "
                 "for waiting",
                 context->seconds);
            break;
        }
        TELL(result->what, "%s had not returned after %g s and was stopped",
             outcome->ready ? context->part->entry : "the program's start", context->seconds);
        if (outcome->has_fault)
            locate(context, &outcome->fault, result);
        if (context->gpu && context->l->threads > 0) {
            TELL(result->cause, "an endless loop, or a deadlock: threads or blocks that wait for "
                                "something that never happens; a GPU cannot tell which");
            TELL(result->advice,
                 "make grade LAB=%.*s, on the engine, tells which, and who waits for whom",
                 lab_name_length(context->l), context->l->id);
            break;
        }
        if (result->where.line)
            TELL(result->advice,
                 "it was at line %u then: does the condition of the loop there ever become false? "
                 "If it does, look for work that grows as n * n",
                 result->where.line);
        else if (context->l->threads > 0 && outcome->computing)
            TELL(result->advice,
                 "most of that time went into kernels: look there for a loop whose condition never "
                 "becomes false, for work that grows as n * n, and for malloc or printf in a loop. "
                 "Or a loop of the host launches them for ever: if it asks for a flag that a "
                 "kernel sets, is that set back before each round, and is its cudaMemcpyAsync "
                 "waited for before it is read?");
        else if (context->l->threads > 0)
            TELL(result->advice,
                 "look for a loop whose condition never becomes false, in host code first: does "
                 "each round change what it counts, as `left`? If it waits for a flag that a "
                 "kernel sets: is the flag cleared before each round, and does the host wait for "
                 "its cudaMemcpyAsync before it reads it? Or look for work that grows as n * n");
        else
            TELL(result->advice, "look for a loop whose condition never becomes false, or for work "
                                 "that grows as n * n");
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
             "leave file descriptors 3 to 5 alone; only what your functions compute is judged");
        break;
    case SESSION_BROKEN:
        result->verdict = VERDICT_INFRA;
        TELL(result->what, "the simulated GPU itself broke down; that is not your file's fault");
        TELL(result->advice, "please tell the kit's maintainers, and send them your file");
        break;
    }
}
