/*
 * sha1.c: see sha1.h. Source: FIPS 180-4, sections 5.1.1 (padding), 6.1.2 (the rounds).
 */
#include "sha1.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 80, LENGTH_AT = 56 };

typedef struct sha1 {
    uint32_t h[5];
    unsigned char block[BLOCK];
    size_t used;
    uint64_t total;
} sha1;

static uint32_t rotate(uint32_t x, int by) { return x << by | x >> (32 - by); }

static uint32_t choose(int t, uint32_t b, uint32_t c, uint32_t d)
{
    if (t < 20)
        return (b & c) | (~b & d);
    if (t >= 40 && t < 60)
        return (b & c) | (b & d) | (c & d);
    return b ^ c ^ d;
}

static void digest_block(sha1 *s)
{
    static const uint32_t k[] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };
    uint32_t w[ROUNDS], a = s->h[0], b = s->h[1], c = s->h[2], d = s->h[3], e = s->h[4];

    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)s->block[4 * t] << 24 | (uint32_t)s->block[4 * t + 1] << 16 |
               (uint32_t)s->block[4 * t + 2] << 8 | s->block[4 * t + 3];
    for (int t = 16; t < ROUNDS; t++)
        w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t next = rotate(a, 5) + choose(t, b, c, d) + e + k[t / 20] + w[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    s->h[0] += a;
    s->h[1] += b;
    s->h[2] += c;
    s->h[3] += d;
    s->h[4] += e;
}

static void add(sha1 *s, const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        s->block[s->used++] = data[i];
        if (s->used == BLOCK) {
            digest_block(s);
            s->used = 0;
        }
    }
    s->total += size;
}

void sha1_two(const void *first, size_t first_size, const void *second, size_t second_size,
              unsigned char digest[SHA1_BYTES])
{
    sha1 s = { .h = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 } };
    const unsigned char end = 0x80, zero = 0;
    unsigned char length[8];

    add(&s, first, first_size);
    add(&s, second, second_size);
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(s.total * 8 >> (56 - 8 * i));
    add(&s, &end, 1);
    while (s.used != LENGTH_AT)
        add(&s, &zero, 1);
    add(&s, length, sizeof length);
    for (int i = 0; i < SHA1_BYTES; i++)
        digest[i] = (unsigned char)(s.h[i / 4] >> (24 - 8 * (i % 4)));
}
