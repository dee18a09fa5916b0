/*
 * words.c: findings in words: what happened, and what to do next, as causes.def has it. Interface:
 * simt_finding_words (simt.h).
 */
#include "findings/words.h"

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

void simt_finding_words(const simt_finding *f, const char *place, simt_words *words)
{
    wording w = { .place = place };
    say_row(f, &w);
    if (!w.words.message[0]) {
        w.words.advice[0] = '\0';
        words_say(&w, "%s", simt_finding_name(f->kind));
    }
    *words = w.words;
}
