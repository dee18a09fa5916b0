/* rng.c: see rng.h. */
#include "rng.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

uint64_t rng_splitmix64(uint64_t *state)
{
    uint64_t word = *state += 0x9e3779b97f4a7c15u;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

void rng_seed(rng *generator, uint64_t seed)
{
    /* never all zero: splitmix64 gives each word once in its period */
    for (size_t i = 0; i < 4; i++)
        generator->state[i] = rng_splitmix64(&seed);
}

static uint64_t rotate_left(uint64_t word, unsigned bits)
{
    return (word << bits) | (word >> (64 - bits));
}

uint64_t rng_next(rng *generator)
{
    uint64_t *state = generator->state;
    uint64_t result = rotate_left(state[1] * 5, 7) * 9;
    uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate_left(state[3], 45);
    return result;
}

uint64_t rng_below(rng *generator, uint64_t bound)
{
    assert(bound > 0);
    uint64_t word = rng_next(generator);

    /* seldom: only there can a word be below `uneven`, whose division is saved else */
    if (word < bound) {
        /* 2^64 mod bound: so many words at the low end would favour small results */
        uint64_t uneven = (0 - bound) % bound;
        while (word < uneven)
            word = rng_next(generator);
    }
    return word % bound;
}

int64_t rng_between(rng *generator, int64_t low, int64_t high)
{
    assert(low <= high);
    uint64_t span = (uint64_t)high - (uint64_t)low + 1; /* 0: all 2^64 values */
    uint64_t offset = span == 0 ? rng_next(generator) : rng_below(generator, span);
    return (int64_t)((uint64_t)low + offset);
}

static void swap_bytes(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

void rng_shuffle(rng *generator, void *items, size_t count, size_t size)
{
    unsigned char *bytes = items;
    for (size_t left = count; left > 1; left--) {
        size_t pick = rng_below(generator, left);
        swap_bytes(bytes + pick * size, bytes + (left - 1) * size, size);
    }
}

bool rng_secret_seed(uint64_t *seed, base_error *error)
{
    if (getentropy(seed, sizeof *seed) != 0)
        return error_set(error,
                         "the system gives no random bytes (getentropy: %s); give a seed instead",
                         strerror(errno));
    return true;
}
