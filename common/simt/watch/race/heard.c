/*
 * heard.c: which block of the last launch has heard from which what that stored after it had heard
 * of a block itself: in a look-back, which tile has seen whose prefix. Interface: race_heard* in
 * race.h.
 *
 * A bit for each two blocks, by position in the order; kept for kernels whose blocks can
 * communicate, of up to HEARD_BLOCKS blocks. Strong stores and reads count, as for chains of blocks
 * (global.c). A read of a word that was stored again counts as one of the newest value, so that
 * SIMT_NOT_HEARD is sure.
 */
#include "watch/race/race.h"

#include <stdlib.h>
#include <string.h>

enum { HEARD_BLOCKS = 1024 };

struct heard {
    uint32_t blocks; /* of the last launch; 0: nothing is kept */
    size_t room;
    uint8_t *pairs; /* bit reader * blocks + writer */
    uint8_t *told;  /* bit writer: it has stored after it had heard of a block */
};

void race_heard_launch(launch *l, bool keep)
{
    simt_device *d = l->device;
    const uint64_t blocks = l->blocks;
    const size_t bytes = (size_t)(blocks * blocks + blocks) / 8 + 2;

    if (d->heard)
        d->heard->blocks = 0;
    if (!keep || l->parts > 1 || blocks < 2 || blocks > HEARD_BLOCKS)
        return;
    if (!d->heard && !(d->heard = calloc(1, sizeof *d->heard)))
        return;
    if (bytes > d->heard->room) {
        uint8_t *grown = realloc(d->heard->pairs, bytes);
        if (!grown)
            return;
        d->heard->pairs = grown;
        d->heard->room = bytes;
    }
    memset(d->heard->pairs, 0, bytes);
    d->heard->told = d->heard->pairs + (blocks * blocks + 7) / 8;
    d->heard->blocks = (uint32_t)blocks;
}

static void set(uint8_t *bits, size_t at) { bits[at / 8] |= (uint8_t)(1u << at % 8); }
static bool is_set(const uint8_t *bits, size_t at) { return bits[at / 8] >> at % 8 & 1; }

void race_heard_tell(simt_device *d, uint32_t writer)
{
    if (d->heard && writer < d->heard->blocks)
        set(d->heard->told, writer);
}

void race_heard_read(simt_device *d, uint32_t reader, uint32_t writer)
{
    const heard *h = d->heard;
    if (h && reader < h->blocks && writer < h->blocks)
        set(h->pairs, (size_t)reader * h->blocks + writer);
}

void race_heard_close(simt_device *d)
{
    if (d->heard)
        free(d->heard->pairs);
    free(d->heard);
    d->heard = NULL;
}

simt_heard race_heard(const simt_device *d, uint32_t reader, uint32_t writer)
{
    const heard *h = d->heard;

    if (!h || reader >= h->blocks || writer >= h->blocks || reader == writer ||
        !is_set(h->told, writer))
        return SIMT_HEARD_UNKNOWN;
    return is_set(h->pairs, (size_t)reader * h->blocks + writer) ? SIMT_HEARD : SIMT_NOT_HEARD;
}
