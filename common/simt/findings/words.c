/*
 * words.c: findings in words: what happened, and what to do next. Interface: simt_finding_words
 * (simt.h), words.h. What is about memory is in words_memory.c, what is about threads that do not
 * meet or keep an order in words_order.c, the rest here: limits, notes, and what the program says
 * itself.
 */
#include "findings/words.h"

#include <stdio.h>
#include <string.h>

/* ---- limits, notes, and what the program says itself ----------------------------------------- */

static bool words_of_stop(const simt_finding *f, simt_words *w)
{
    char line[LINE];
    switch (f->cause) {
    case SIMT_CAUSE_BUDGET:
        if (f->around.endless)
            words_say(w, "the loop around line %u never ends (%llu warp instructions so far)",
                      f->around.loop_line, (number)f->limit);
        else
            words_say(
                w,
                "the kernel has executed %llu warp instructions and does not end: a suspected hang",
                (number)f->limit);
        words_advise_loop(f, w);
        return true;
    case SIMT_CAUSE_UNSUPPORTED:
        words_say(w, "%.199s", f->text[0] ? f->text : "an instruction the engine does not know");
        words_advise(w, "run this kernel on a GPU, or write it without that instruction");
        return true;
    case SIMT_CAUSE_OPERANDS:
        words_say(w, "%.199s", f->text);
        words_advise(w, "look at the operands of the asm statement, or at what is declared and "
                        "not defined");
        return true;
    case SIMT_CAUSE_WAIT_IN_CALL:
        words_say(
            w, "some lanes of a call would have to wait here while others go on: the engine cannot "
               "do that at the outermost level of a called function");
        words_advise(
            w, "run this kernel on a GPU, or move the .sync instruction into the kernel itself");
        return true;
    case SIMT_CAUSE_TRAP:
        words_say(w, "the kernel executed a trap");
        words_advise(w, "a trap marks code that must not be reached: unreachable code, or a failed "
                        "check");
        return true;
    case SIMT_CAUSE_ASSERT:
        words_say(w, "assertion `%.120s' failed at %.80s in %.60s", f->text,
                  words_line(&f->at, line), f->function);
        words_advise(w, "this thread fails the kernel's own assert: print the values that it "
                        "compares");
        return true;
    case SIMT_CAUSE_CALLS_TOO_DEEP:
        words_say(w, "calls nest too deeply: a thread's stack of 64 KiB or 256 frames is used up");
        words_advise(w, "end the recursion, or use a loop");
        return true;
    case SIMT_CAUSE_PATHS_TOO_MANY:
        words_say(
            w,
            "calls and branches nest too deeply: the warp runs along more than %llu paths at once",
            (number)f->limit);
        words_advise(w, "end the recursion, or use a loop");
        return true;
    case SIMT_CAUSE_ALLOCA_TOO_LARGE:
        words_say(
            w, "an alloca, or an array of variable length, needs more than is left of the thread's "
               "stack of 64 KiB");
        words_advise(w, "take a smaller one, or global memory");
        return true;
    default: return false;
    }
}

static const char *newer_text(simt_cause cause)
{
    switch (cause) {
    case SIMT_CAUSE_USES_CP_ASYNC: return "cp.async";
    case SIMT_CAUSE_USES_BULK_COPY: return "a bulk copy";
    case SIMT_CAUSE_USES_MBARRIER: return "an mbarrier";
    case SIMT_CAUSE_USES_EXPECT_TX: return "mbarrier.arrive.expect_tx";
    case SIMT_CAUSE_USES_TX_COUNT: return "an mbarrier's transaction count";
    case SIMT_CAUSE_USES_TRY_WAIT: return "mbarrier.try_wait";
    default: return NULL;
    }
}

static bool words_of_note(const simt_finding *f, simt_words *w)
{
    const char *newer = newer_text(f->cause);
    unsigned sm = f->needs_sm;
    if (newer) {
        words_say(
            w,
            "%s needs a GPU of compute capability %u.%u or newer (sm_%u); the simulated one runs "
            "it all the same",
            newer, sm / 10, sm % 10, sm);
        words_advise(w, "keep another path for older GPUs: test __CUDA_ARCH__ >= %u", 10 * sm);
        return true;
    }
    switch (f->cause) {
    case SIMT_CAUSE_MEETS_BY_PATHS:
        words_say(w, "lanes of a warp meet here by different paths: this needs independent thread "
                     "scheduling (sm_70 or newer)");
        words_advise(w, "fine on Volta and later; an older GPU would hang");
        return true;
    case SIMT_CAUSE_SPINS_FOR_LANES:
        words_say(w,
                  "some lanes of a warp spin here until others of the same warp, which are further "
                  "on, do something: this needs independent thread scheduling (sm_70 or newer)");
        words_advise(w, "fine on Volta and later; an older GPU would hang");
        return true;
    case SIMT_CAUSE_DIVISOR:
        words_say(w,
                  "integer division by zero; a GPU gives an unspecified value and does not stop");
        words_advise(w, "guard the division, or make sure that the divisor cannot be 0");
        return true;
    default: return false;
    }
}

void simt_finding_words(const simt_finding *f, const char *place, simt_words *w)
{
    *w = (simt_words){ "", "" };
    if (words_of_memory(f, place, w) || words_of_races(f, place, w) ||
        words_of_order(f, place, w) || words_of_stop(f, w) || words_of_note(f, w))
        return;
    *w = (simt_words){ "", "" };
    words_say(w, "%s", simt_finding_name(f->kind));
}
