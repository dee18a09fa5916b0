/*
 * rng.h: random numbers that repeat from a seed, and one seed that nobody can guess.
 *
 * xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), its
 * state filled by splitmix64, so that neighbouring seeds (0, 1, 2 ...) give unrelated sequences.
 * The same seed gives the same numbers on every machine. An rng belongs to one thread. Nothing here
 * fails, but for rng_secret_seed.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

typedef struct rng {
    uint64_t state[4];
} rng;

void rng_seed(rng *generator, uint64_t seed);

/* Uniform over all 64-bit values. */
uint64_t rng_next(rng *generator);

/* Uniform in [0, bound), without the bias of a bare remainder; bound > 0. */
uint64_t rng_below(rng *generator, uint64_t bound);

/* Uniform in [low, high], both included; low <= high. */
int64_t rng_between(rng *generator, int64_t low, int64_t high);

/* Puts count items of size bytes each in a random order, all orders equally likely
   (Fisher-Yates). */
void rng_shuffle(rng *generator, void *items, size_t count, size_t size);

/* One step of splitmix64: advances *state and returns a well-mixed word. Derives a seed from a
   seed. */
uint64_t rng_splitmix64(uint64_t *state);

/* A seed from the operating system's entropy, for data that the judged program must not foresee.
   Fails only where the system gives no entropy. */
bool rng_secret_seed(uint64_t *seed, base_error *error);

#endif
