/*
 * words.c: findings in words: what happened, and what to do next, as causes.def has it. Interface:
 * simt_finding_words (simt.h).
 */
#include "findings/findings.h"
#include "findings/words.h"

#include <stdio.h>
#include <string.h>

/* The sentences of its cause's row; of a cause that there is not, nothing. */
static void say_row(const simt_finding *f, wording *w)
{
    switch (f->cause) {
#define SAYS(sentence)    words_say(w, "%s", sentence)
#define WITH(format, ...) words_say(w, format, __VA_ARGS__)
#define BY(function)      function(f, w)
#define CAUSE(name, home, around, message, remedy)                                                 \
    case SIMT_CAUSE_##name:                                                                        \
        words_advise(w, "%s", remedy);                                                             \
        message;                                                                                   \
        break;
#include "causes.def"
    case SIMT_CAUSE_NONE:
    case SIMT_CAUSES: break;
    }
}

/* What the library's own code does is not the program's to mend. */
static void advise_library(const simt_finding *f, wording *w)
{
    if (f->at.passing && f->other.passing)
        words_advise(w, "nothing: it is CUB's way to pass words from block to block, by st.cg and "
                        "ld.cg, which the memory model does not order. A GPU keeps them in its L2 "
                        "cache, each word whole. CUB 2 uses st.relaxed and ld.relaxed");
    else if (f->kind == SIMT_RACE && f->space == SIMT_SPACE_SHARED)
        words_advise(w, "it is in the library's own shared memory, where your program has no say: "
                        "check the results, under several schedules (--seeds 20); a newer release "
                        "of the library may be without it");
    else if (f->kind == SIMT_RACE && f->cause != SIMT_CAUSE_READ_ONLY)
        words_advise(w,
                     "nothing, where input and output are the same or apart: what orders the two "
                     "is a word that CUB's blocks pass by st.cg and ld.cg, which is no order to "
                     "the memory model. Ranges that overlap in part are not allowed");
    else if (f->kind == SIMT_RACE)
        words_advise(w, "nothing: the library reads by __ldg what it writes later in the same "
                        "kernel, as an algorithm in place does. GPUs so far give the value from "
                        "before");
    else
        words_advise(w, "nothing: the library's own code does it, whatever your program gives it");
}

/* Lines around a place are of its file. Where that is a header, the advice says so: "line 12" would
   be taken for one of the .cu file. */
static void name_header(const simt_finding *f, wording *w)
{
    const char *from = w->words.advice;
    char text[sizeof w->words.advice];
    size_t used = 0;
    const simt_around *a = &f->around;
    if (!(a->known || a->guard_line || a->loop_line) || !f->at.line || findings_in_source(&f->at) ||
        a->flag_line ||
        (f->has_other && strncmp(f->at.file, f->other.file, sizeof f->at.file) != 0))
        return;
    for (; *from && used + 1 < sizeof text; from++) {
        const size_t word = strncmp(from, "lines ", 6) == 0 ? 6 : strncmp(from, "line ", 5) ? 0 : 5;
        if (word && from[word] >= '0' && from[word] <= '9') {
            used += (size_t)snprintf(text + used, sizeof text - used, "%.127s:", f->at.file);
            from += word - 1;
        } else {
            text[used++] = *from;
        }
    }
    if (*from || used >= sizeof text) /* it does not fit */
        return;
    text[used] = '\0';
    memcpy(w->words.advice, text, used + 1);
}

void simt_finding_words(const simt_finding *f, const char *place, simt_words *words)
{
    wording w = { .place = place };
    say_row(f, &w);
    name_header(f, &w);
    if (f->of_library)
        advise_library(f, &w);
    if (!w.words.message[0]) {
        w.words.advice[0] = '\0';
        words_say(&w, "%s", simt_finding_name(f->kind));
    }
    *words = w.words;
}
