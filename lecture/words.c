/*
 * words.c: see words.h.
 */
#include "words.h"

#include <stdio.h>
#include <string.h>

#include "buffer_element.h"
#include "judge.h"

const recorded_buffer *words_buffer(const recording *r, simt_addr address, int64_t reach,
                                    int64_t *index)
{
    for (unsigned b = 0; b < r->buffers; b++) {
        const recorded_buffer *at = &r->buffer[b];
        const int64_t offset = (int64_t)(address - at->address),
                      size = (int64_t)judge_element_bytes(at->type);
        if (offset < -reach || offset >= (int64_t)at->bytes + reach)
            continue;
        *index = offset >= 0 ? offset / size : -(-(offset + 1) / size) - 1;
        return at;
    }
    return NULL;
}

enum { REACH = 512 }; /* allocations are a KiB apart on a device of 4 MiB */

static bool name_element(const recording *r, simt_addr address, char place[ELEMENT_NAME])
{
    int64_t index;
    const recorded_buffer *b = words_buffer(r, address, 0, &index);

    if (b)
        element_name(&(element){ .buffer = &(lab_buffer){ .name = b->name }, .index = index },
                     place);
    return b != NULL;
}

/* An access near a buffer but not in it. */
static bool is_beside(const recording *r, const simt_finding *f, simt_words *words)
{
    char text[ELEMENT_TEXT];
    element e = { .index = 0 };
    const recorded_buffer *b = words_buffer(r, f->address, REACH, &e.index);

    if ((f->kind != SIMT_OUT_OF_BOUNDS && f->kind != SIMT_USE_AFTER_FREE) ||
        f->space != SIMT_SPACE_GLOBAL || !b)
        return false;
    e.length = (int64_t)b->length;
    e.buffer = &(lab_buffer){ .name = b->name };
    if (element_is_inside(&e))
        return false;
    element_tell_outside(&e, f->at.write, text);
    /* without "out of bounds: ", which is the finding's kind */
    snprintf(words->message, sizeof words->message, "%s", text + sizeof "out of bounds: " - 1);
    return true;
}

void words_of_finding(const recording *r, const simt_finding *f, simt_words *words)
{
    char place[ELEMENT_NAME];
    const bool named =
        (f->kind == SIMT_RACE || f->kind == SIMT_DEADLOCK || f->kind == SIMT_UNINITIALIZED ||
         f->kind == SIMT_INACTIVE_LANE || f->kind == SIMT_WIDE_SHIFT) &&
        name_element(r, f->address, place);

    simt_finding_words(f, named ? place : NULL, words);
    (void)is_beside(r, f, words);
}

void words_of_target(const recording *r, const simt_wait *w, char target[WORDS_ROOM])
{
    char array[64];

    if (w->at_barrier)
        snprintf(target, WORDS_ROOM, "a barrier");
    else if (w->variable[0] && w->index >= 0)
        snprintf(target, WORDS_ROOM, "%s[%lld]", w->variable, (long long)w->index);
    else if (w->variable[0])
        snprintf(target, WORDS_ROOM, "%s", w->variable);
    else if (name_element(r, w->address, target))
        return;
    else if (w->index >= 0 && w->parameter)
        snprintf(target, WORDS_ROOM, "element %lld of %s", (long long)w->index,
                 simt_array_words(w->array, w->parameter, array, sizeof array));
    else if (w->index >= 0)
        snprintf(target, WORDS_ROOM, "element %lld of an allocation", (long long)w->index);
    else
        snprintf(target, WORDS_ROOM, "address 0x%llx", (unsigned long long)w->address);
}

void words_of_wait(const recording *r, const simt_wait *w, char *text, size_t room)
{
    static const char *const states[] = { "but has not started", "and is running",
                                          "but is waiting too", "but has ended" };
    char target[WORDS_ROOM], writer[120];

    words_of_target(r, w, target);
    if (w->at_barrier)
        snprintf(writer, sizeof writer, " that its other warps never reach");
    else if (w->writer_known && w->writer == w->at.block.x)
        snprintf(writer, sizeof writer, "; it would write that itself, further on");
    else if (w->writer_known)
        snprintf(writer, sizeof writer, "; block %llu would write it, %s",
                 (unsigned long long)w->writer, states[w->writer_state]);
    else
        snprintf(writer, sizeof writer, "; no block that would write it was found");
    snprintf(text, room, "block %u waits at %.80s:%u for %s%s", w->at.block.x, w->at.file,
             w->at.line, target, writer);
}

void words_keep(found *all, const simt_finding *f)
{
    for (unsigned k = 0; k < all->count; k++) {
        simt_finding *kept = &all->finding[k];
        if (kept->kind == f->kind && kept->at.ptx_line == f->at.ptx_line &&
            kept->other.ptx_line == f->other.ptx_line &&
            strcmp(kept->at.kernel, f->at.kernel) == 0) {
            kept->count += f->count;
            return;
        }
    }
    unsigned place = simt_finding_place(all->finding, all->count, SIMT_MAX_FINDINGS, f);
    if (place < SIMT_MAX_FINDINGS)
        all->finding[place] = *f;
    all->count += place == all->count && place < SIMT_MAX_FINDINGS;
}

void words_end(found *all, simt_device *device)
{
    const simt_finding *f;

    for (unsigned left = simt_host_findings(device, &f); left > 0; left--, f++)
        if (f->has_other)
            words_keep(all, f);
    simt_order_findings(all->finding, all->count);
}
