/*
 * buffer_element.c: see buffer_element.h.
 */
#include "buffer_element.h"

#include <stdio.h>

#include "judge.h"

element element_at(const lab_buffer *buffer, size_t n, int64_t offset)
{
    const int64_t size = (int64_t)judge_element_bytes(buffer->type);

    /* rounded down; offset may be whatever a child has sent */
    return (element){ buffer, offset >= 0 ? offset / size : -(-(offset + 1) / size) - 1,
                      (int64_t)judge_length(buffer, n) };
}

bool element_find(const lab_part *part, const channel_done *done, size_t n, simt_addr address,
                  int64_t reach, element *found)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++) {
        const lab_buffer *buffer = &part->buffers[b];
        const int64_t bytes =
            (int64_t)(judge_element_bytes(buffer->type) * judge_length(buffer, n));
        const int64_t offset = (int64_t)(address - done->address[b]);
        if (done->address[b] == 0 || offset < -reach || offset >= bytes + reach)
            continue;
        *found = element_at(buffer, n, offset);
        return true;
    }
    return false;
}

bool element_is_inside(const element *e) { return e->index >= 0 && e->index < e->length; }

void element_name(const element *e, char name[ELEMENT_NAME])
{
    snprintf(name, ELEMENT_NAME, "%.60s[%lld]", e->buffer->name, (long long)e->index);
}

void element_tell_outside(const element *e, bool write, char text[ELEMENT_TEXT])
{
    char name[ELEMENT_NAME];

    element_name(e, name);
    snprintf(text, ELEMENT_TEXT, "out of bounds: %s of %s; %.60s has %lld element%s",
             write ? "write" : "read", name, e->buffer->name, (long long)e->length,
             e->length == 1 ? "" : "s");
}
