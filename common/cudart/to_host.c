/*
 * to_host.c: asynchronous copies to page-locked memory of the host. A GPU makes them when the
 * stream comes to them; here their bytes are read when they are enqueued, and put where the host
 * sees them when it waits, as late as may be: who reads early finds what was there before.
 *
 * Any call that waits delivers all of them, whichever stream it waits for. Who asks whether they
 * have come is told once that they have not.
 *
 * Invariant: memory that a parcel goes to is not freed before, since cudaFreeHost and
 * cudaHostUnregister wait.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

typedef struct parcel {
    struct parcel *next;
    unsigned char *to;
    size_t pitch, width, height;
    unsigned char data[];
} parcel;

static parcel *first, **end = &first;
static bool asked; /* since the last parcel began its way */

cudaError_t cudart_read_later(void *to, size_t to_pitch, simt_addr from, size_t from_pitch,
                              size_t width, size_t height)
{
    parcel *p =
        height <= (SIZE_MAX - sizeof *p) / width ? malloc(sizeof *p + width * height) : NULL;
    if (!p)
        return cudart_back_read(to, to_pitch, from, from_pitch, width, height);
    *p = (parcel){ NULL, to, to_pitch, width, height };
    cudaError_t error = cudart_back_read(p->data, width, from, from_pitch, width, height);
    if (error != cudaSuccess) {
        free(p);
        return error;
    }
    *end = p;
    end = &p->next;
    asked = false;
    return cudaSuccess;
}

bool cudart_is_under_way(void)
{
    const bool before = asked;

    asked = true;
    return first && !before;
}

void cudart_deliver(void)
{
    while (first) {
        parcel *p = first;
        for (size_t row = 0; row < p->height; row++)
            memcpy(p->to + row * p->pitch, p->data + row * p->width, p->width);
        first = p->next;
        free(p);
    }
    end = &first;
}
