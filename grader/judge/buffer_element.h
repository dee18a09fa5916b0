/*
 * buffer_element.h: addresses and byte offsets as elements of a part's buffers, as a student knows
 * them.
 */
#ifndef BUFFER_ELEMENT_H
#define BUFFER_ELEMENT_H

#include "channel.h"

typedef struct element { /* index 0 to length - 1: in the buffer; others: beside it */
    const lab_buffer *buffer;
    int64_t index, length;
} element;

enum { ELEMENT_NAME = 96, ELEMENT_TEXT = 256 };

/* The element that holds byte `offset` from the start of a buffer, in a case of n. */
element element_at(const lab_buffer *buffer, size_t n, int64_t offset);

/* The element of a device buffer of the part that is at the address, or would be, up to `reach`
   bytes in front of the buffer or past its end. */
bool element_find(const lab_part *part, const channel_done *done, size_t n, simt_addr address,
                  int64_t reach, element *found);

bool element_is_inside(const element *e);

void element_name(const element *e, char name[ELEMENT_NAME]); /* "d_out[5]" */

/* "out of bounds: write of d_out[33]; d_out has 33 elements" */
void element_tell_outside(const element *e, bool write, char text[ELEMENT_TEXT]);

#endif
