/*
 * progress.c: see progress.h.
 */
#include "progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool quiet;

void progress_quiet(void) { quiet = true; }

static void store_text(lab_progress *p, const char text[PROGRESS_TEXT])
{
    for (unsigned w = 0; w < PROGRESS_WORDS; w++) {
        uint64_t word;
        memcpy(&word, text + w * sizeof word, sizeof word);
        atomic_store_explicit(&p->doing[w], word, memory_order_relaxed);
    }
}

void progress_clear(lab_progress *p)
{
    static const char nothing[PROGRESS_TEXT] = "";

    atomic_store(&p->planned, 0);
    atomic_store(&p->done, 0);
    store_text(p, nothing);
}

void progress_plan(lab_progress *p, unsigned runs)
{
    if (p)
        atomic_store(&p->planned, runs);
}

void progress_step(lab_progress *p)
{
    if (p)
        atomic_fetch_add(&p->done, 1);
}

void progress_doing(lab_progress *p, const char *format, ...)
{
    char text[PROGRESS_TEXT] = "";
    va_list arguments;

    if (!p || quiet)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments); /* the last byte stays 0 */
    va_end(arguments);
    store_text(p, text);
}

unsigned progress_percent(lab_progress *p)
{
    const unsigned planned = atomic_load(&p->planned), done = atomic_load(&p->done);

    return planned == 0 ? 0 : done >= planned ? 99 : (unsigned)(done * 99ull / planned);
}

void progress_text(lab_progress *p, char text[PROGRESS_TEXT])
{
    for (unsigned w = 0; w < PROGRESS_WORDS; w++) {
        const uint64_t word = atomic_load_explicit(&p->doing[w], memory_order_relaxed);
        memcpy(text + w * sizeof word, &word, sizeof word);
    }
    text[PROGRESS_TEXT - 1] = '\0';
}
