/*
 * lanes_test: lanes.h: the mask that vector instructions make of 32 words is that of the plain loop. Exit code: 0 it is, 1 not.
 */
#include "lanes.h"

#include <stdio.h>

#include "rng.h"

enum { ROUNDS = 100000, SEED = 32 };

int main(void)
{
    rng numbers;

    rng_seed(&numbers, SEED);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t lane[32], expected = round < 32 ? 1u << round : round == 32 ? 0 : round == 33 ? ~0u : (uint32_t)rng_next(&numbers);

        for (unsigned l = 0; l < 32; l++)
            lane[l] = expected >> l & 1 ? ~0u : 0;
        if (lanes_set(lane) != expected || lanes_set_plain(lane) != expected) {
            printf("FAIL simt.a_vector_mask_is_the_plain_one\n  mask %u: expected 0x%08x, got 0x%08x, and 0x%08x from the plain loop\n", round, expected,
                   lanes_set(lane), lanes_set_plain(lane));
            return 1;
        }
    }
    return 0;
}
