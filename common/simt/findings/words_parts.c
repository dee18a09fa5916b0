/*
 * words_parts.c: parts of sentences that several kinds of findings share: see words.h.
 */
#include "findings/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void put(char *out, size_t room, const char *format, va_list arguments)
{
    if (vsnprintf(out, room, format, arguments) >= (int)room)
        memcpy(out + room - 4, "...", 4);
}

void words_say(wording *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(w->words.message, sizeof w->words.message, format, arguments);
    va_end(arguments);
}

void words_advise(wording *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(w->words.advice, sizeof w->words.advice, format, arguments);
    va_end(arguments);
}

void words_advise_early(wording *w)
{
    words_advise(w,
                 "the loop that waits reads the data before the flag: if the flag is set between "
                 "the two, the loop ends with the data of before. Let it read the flag alone; "
                 "after the loop a __threadfence(), and only then read the data");
}

void words_advise_loop(const simt_finding *f, wording *w)
{
    const simt_around *a = &f->around;
    if (a->loop_line && a->endless)
        words_advise(
            w,
            "the condition of the loop around line %u can never become false: nothing that it "
            "reads changes in the loop (is a step such as `stride *= 2` missing?), or it "
            "always holds (an unsigned number is always >= 0, and twice 0 is 0)",
            a->loop_line);
    else if (a->loop_line)
        words_advise(w,
                     "look at the loop of line %u: does its condition ever become false, for every "
                     "thread? Does its step go the right way, and can it get stuck at 0?",
                     a->loop_line);
    else
        words_advise(w, "look at the loop around this line: does its condition ever become false, "
                        "for every thread?");
}

unsigned words_thread(const simt_site *s) { return s->warp * LANES_OF_WARP + s->lane; }

const char *words_block(const simt_site *s, char out[BLOCK])
{
    if (s->gpu)
        snprintf(out, BLOCK, "block %u of GPU %u", s->block.x, s->gpu - 1u);
    else
        snprintf(out, BLOCK, "block %u", s->block.x);
    return out;
}

const char *words_does(const simt_site *s) { return s->write ? "writes" : "reads"; }

const char *words_line(const simt_site *s, char out[LINE])
{
    if (s->line)
        snprintf(out, LINE, "%.127s:%u", s->file, s->line);
    else
        snprintf(out, LINE, "line %u of the PTX", s->ptx_line);
    return out;
}

const char *words_header_line(const simt_around *a, char out[LINE])
{
    snprintf(out, LINE, "%.*s:%u", SIMT_HEADER - 1, a->header, a->header_line);
    return out;
}

const char *words_place(const simt_place *p, char out[PLACE])
{
    if (p->elements == 1 && strchr(p->variable, '.'))
        snprintf(out, PLACE, "%.63s", p->variable); /* a member that is no array */
    else if (p->variable[0])
        snprintf(out, PLACE, "%.63s[%lld]", p->variable, (long long)p->index);
    else if (p->space == SIMT_SPACE_LOCAL)
        snprintf(out, PLACE, "a local variable or array");
    else if (p->space == SIMT_SPACE_SHARED)
        snprintf(out, PLACE, "shared memory at offset %llu", (number)p->address);
    else if (p->index >= 0)
        snprintf(out, PLACE, "element %lld of an allocation of %llu element%s of %u bytes",
                 (long long)p->index, (number)p->elements, p->elements == 1 ? "" : "s",
                 p->element_bytes);
    else
        snprintf(out, PLACE, "global memory at 0x%llx", (number)p->address);
    return out;
}

const char *simt_array_words(const char *array, unsigned parameter, char *out, size_t room)
{
    if (array[0])
        snprintf(out, room, "%.*s", SIMT_ARRAY - 1, array);
    else
        snprintf(out, room, "the array in parameter %u", parameter);
    return out;
}

const char *words_place_of(const simt_finding *f, const char *place, char out[PLACE])
{
    simt_place p = { .space = f->space,
                     .address = f->address,
                     .index = f->index,
                     .elements = f->elements,
                     .element_bytes = f->element_bytes };
    if (place) {
        snprintf(out, PLACE, "%s", place);
        return out;
    }
    memcpy(p.variable, f->variable, sizeof p.variable);
    if (f->kind == SIMT_RACE && f->cause != SIMT_CAUSE_LAUNCHES_APART &&
        f->cause != SIMT_CAUSE_SOURCE_CHANGED && f->race.parameter && !f->variable[0] &&
        f->index >= 0) {
        char array[LINE];
        snprintf(out, PLACE, "element %lld of %s, of %llu element%s", (long long)f->index,
                 simt_array_words(f->race.array, f->race.parameter, array, sizeof array),
                 (number)f->elements, f->elements == 1 ? "" : "s");
        return out;
    }
    return words_place(&p, out);
}
