/*
 * choices.h: the fuzzer's bytes as a row of decisions. An input that ends early decides 0 from
 * there on, so every input means something.
 */
#ifndef SIMT_FUZZ_CHOICES_H
#define SIMT_FUZZ_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct choices {
    const uint8_t *at, *end;
} choices;

static inline unsigned choose_byte(choices *c) { return c->at < c->end ? *c->at++ : 0; }
/* 0 .. n - 1, n <= 256 */
static inline unsigned choose(choices *c, unsigned n) { return choose_byte(c) % n; }
static inline bool one_in(choices *c, unsigned n) { return choose(c, n) == n - 1; }
static inline bool chosen_all(const choices *c) { return c->at >= c->end; }

static inline uint64_t choose_word(choices *c)
{
    uint64_t v = 0;
    for (int i = 0; i < 8; i++)
        v |= (uint64_t)choose_byte(c) << 8 * i;
    return v;
}

#endif
