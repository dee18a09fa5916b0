/*
 * observed.c: which block of the last launch has observed what another one stored after it had
 * itself observed a block's store: in a look-back, which tile has seen whose prefix. Interface:
 * race_observed* in race.h.
 *
 * A bit for each two blocks, by position in the order; kept for kernels whose blocks can
 * communicate, of up to OBSERVED_BLOCKS blocks. Strong stores and reads count, as for chains of
 * blocks (global.c). A read of a word that was stored again counts as one of the newest value, so
 * that SIMT_NOT_OBSERVED is sure.
 */
#include "watch/race/race.h"

#include <stdlib.h>
#include <string.h>

enum { OBSERVED_BLOCKS = 1024 };

struct observed {
    uint32_t blocks; /* of the last launch; 0: nothing is kept */
    size_t room;
    uint8_t *pairs;     /* bit reader * blocks + writer */
    uint8_t *published; /* bit writer: it has stored after it had observed a block's store */
};

void race_observed_launch(launch *l, bool keep)
{
    simt_device *d = l->device;
    const uint64_t blocks = l->blocks;
    const size_t bytes = (size_t)(blocks * blocks + blocks) / 8 + 2;

    if (d->observed)
        d->observed->blocks = 0;
    if (!keep || l->parts > 1 || blocks < 2 || blocks > OBSERVED_BLOCKS)
        return;
    if (!d->observed && !(d->observed = calloc(1, sizeof *d->observed)))
        return;
    if (bytes > d->observed->room) {
        uint8_t *grown = realloc(d->observed->pairs, bytes);
        if (!grown)
            return;
        d->observed->pairs = grown;
        d->observed->room = bytes;
    }
    memset(d->observed->pairs, 0, bytes);
    d->observed->published = d->observed->pairs + (blocks * blocks + 7) / 8;
    d->observed->blocks = (uint32_t)blocks;
}

static void set(uint8_t *bits, size_t at) { bits[at / 8] |= (uint8_t)(1u << at % 8); }
static bool is_set(const uint8_t *bits, size_t at) { return bits[at / 8] >> at % 8 & 1; }

void race_observed_publish(simt_device *d, uint32_t writer)
{
    if (d->observed && writer < d->observed->blocks)
        set(d->observed->published, writer);
}

void race_observed_read(simt_device *d, uint32_t reader, uint32_t writer)
{
    const observed *h = d->observed;
    if (h && reader < h->blocks && writer < h->blocks)
        set(h->pairs, (size_t)reader * h->blocks + writer);
}

void race_observed_close(simt_device *d)
{
    if (d->observed)
        free(d->observed->pairs);
    free(d->observed);
    d->observed = NULL;
}

simt_observed race_observed(const simt_device *d, uint32_t reader, uint32_t writer)
{
    const observed *h = d->observed;

    if (!h || reader >= h->blocks || writer >= h->blocks || reader == writer ||
        !is_set(h->published, writer))
        return SIMT_OBSERVED_UNKNOWN;
    return is_set(h->pairs, (size_t)reader * h->blocks + writer) ? SIMT_OBSERVED
                                                                 : SIMT_NOT_OBSERVED;
}
