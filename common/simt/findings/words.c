/*
 * words.c: findings in words: what happened, and what to do next, as causes.def has it. Interface:
 * simt_finding_words (simt.h).
 */
#include "findings/words.h"

typedef struct row {
    const char *message;                           /* or: */
    void (*by)(const simt_finding *f, wording *w); /* this says it */
    const char *remedy;
} row;

#define SAYS(sentence)                             sentence, NULL
#define BY(function)                               NULL, function
#define CAUSE(name, home, around, message, remedy) [SIMT_CAUSE_##name] = { message, remedy },
static const row rows[SIMT_CAUSES] = {
#include "causes.def"
};

void simt_finding_words(const simt_finding *f, const char *place, simt_words *words)
{
    wording w = { .place = place };
    if (f->cause > SIMT_CAUSE_NONE && f->cause < SIMT_CAUSES) {
        const row *r = &rows[f->cause];
        words_advise(&w, "%s", r->remedy);
        if (r->by)
            r->by(f, &w);
        else
            words_say(&w, "%s", r->message);
    }
    if (!w.words.message[0]) {
        w.words.advice[0] = '\0';
        words_say(&w, "%s", simt_finding_name(f->kind));
    }
    *words = w.words;
}
