/*
 * words_stop.c: what is said about limits, about what newer GPUs have, and what the program says
 * itself. See words.h.
 */
#include "findings/words.h"

void words_budget(const simt_finding *f, wording *w)
{
    if (f->around.endless)
        words_say(w, "the loop around line %u never ends (%llu warp instructions so far)",
                  f->around.loop_line, (number)f->limit);
    else
        words_say(
            w, "the kernel has executed %llu warp instructions and does not end: a suspected hang",
            (number)f->limit);
    words_advise_loop(f, w);
}

void words_instruction(const simt_finding *f, wording *w)
{
    words_say(w, "%.199s", f->text[0] ? f->text : "an instruction the engine does not know");
}

void words_assert(const simt_finding *f, wording *w)
{
    char line[LINE];
    words_say(w, "assertion `%.120s' failed at %.80s in %.60s", f->text, words_line(&f->at, line),
              f->function);
}

/* ---- notes ----------------------------------------------------------------------------------- */

static void say_newer(const simt_finding *f, const char *what, wording *w)
{
    unsigned sm = f->needs_sm;
    words_say(w,
              "%s needs a GPU of compute capability %u.%u or newer (sm_%u); the simulated one runs "
              "it all the same",
              what, sm / 10, sm % 10, sm);
    words_advise(w, "keep another path for older GPUs: test __CUDA_ARCH__ >= %u", 10 * sm);
}

void words_uses_newer(const simt_finding *f, wording *w)
{
    const unsigned sm = f->needs_sm;
    words_say(
        w,
        "`%.80s' needs a GPU of compute capability %u.%u or newer (sm_%u), and the program is "
        "compiled for an older one; the simulated one runs it all the same",
        f->text, sm / 10, sm % 10, sm);
    words_advise(w,
                 "compile for such a GPU: -arch=sm_%u; for an older one nvcc refuses the "
                 "instruction. Or keep another path: test __CUDA_ARCH__ >= %u",
                 sm, 10 * sm);
}

void words_uses_cp_async(const simt_finding *f, wording *w) { say_newer(f, "cp.async", w); }

void words_uses_bulk_copy(const simt_finding *f, wording *w) { say_newer(f, "a bulk copy", w); }

void words_uses_mbarrier(const simt_finding *f, wording *w) { say_newer(f, "an mbarrier", w); }

void words_uses_expect_tx(const simt_finding *f, wording *w)
{
    say_newer(f, "mbarrier.arrive.expect_tx", w);
}

void words_uses_tx_count(const simt_finding *f, wording *w)
{
    say_newer(f, "an mbarrier's transaction count", w);
}

void words_uses_try_wait(const simt_finding *f, wording *w)
{
    say_newer(f, "mbarrier.try_wait", w);
}
