/*
 * lanes_test: lanes.h: what vector instructions make of 32 lanes is what the plain loops do. Exit
 * code: 0 it is, 1 not.
 */
#include "machine/lanes.h"

#include <stdio.h>
#include <string.h>

#include "rng.h"

enum { ROUNDS = 100000, SEED = 32 };

/* Ascending ones, and such with one lane, or none, that is off. */
static int addresses(rng *numbers)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t address[32],
            first = round & 1 ? rng_next(numbers) : 0xfffffffffffffff0ull + round % 64,
            off = rng_next(numbers) >> rng_below(numbers, 64);
        unsigned lane = (unsigned)rng_below(numbers, 33);

        for (unsigned l = 0; l < 32; l++)
            address[l] = first + 4 * l + (l == lane ? off : 0);
        bool expected = lane == 32 || off == 0;
        if (lanes_ascend(address) != expected || lanes_ascend_plain(address) != expected) {
            printf("FAIL simt.vector_lanes_are_the_plain_ones\n  from %llu, lane %u off by %llu: "
                   "expected %d, got %d, and %d from the plain loop\n",
                   (unsigned long long)first, lane, (unsigned long long)off, expected,
                   lanes_ascend(address), lanes_ascend_plain(address));
            return 1;
        }
    }
    return 0;
}

/* The same of some lanes, and words that only they get. */
static int parts(rng *numbers)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t address[32], first = rng_next(numbers), off = 1ull << rng_below(numbers, 64);
        uint32_t mask = (uint32_t)rng_next(numbers), from[32], to[32], plain[32];
        unsigned lane = (unsigned)rng_below(numbers, 33);
        bool copied = true;

        for (unsigned l = 0; l < 32; l++) {
            address[l] = first + 4 * l + (l == lane ? off : 0);
            from[l] = (uint32_t)rng_next(numbers);
            to[l] = plain[l] = ~from[l];
        }
        bool expected = lane == 32 || !(mask >> lane & 1);
        lanes_copy(to, from, mask);
        lanes_copy_plain(plain, from, mask);
        for (unsigned l = 0; l < 32; l++)
            copied &= to[l] == (mask >> l & 1 ? from[l] : ~from[l]);
        if (lanes_ascend_in(address, first, mask) != expected ||
            lanes_ascend_in_plain(address, first, mask) != expected || !copied ||
            memcmp(to, plain, sizeof to) != 0) {
            printf("FAIL simt.vector_lanes_are_the_plain_ones\n  lanes 0x%08x from %llu, lane %u "
                   "off by %llu: expected %d, got %d, and %d from the plain loop; copied %d\n",
                   mask, (unsigned long long)first, lane, (unsigned long long)off, expected,
                   lanes_ascend_in(address, first, mask),
                   lanes_ascend_in_plain(address, first, mask), copied);
            return 1;
        }
    }
    return 0;
}

/* Every comparison of numbers that are often equal, or differ in their sign. */
static int comparisons(rng *numbers)
{
    for (unsigned round = 0; round < ROUNDS / 10; round++) {
        uint32_t a[32], b[32];
        for (unsigned l = 0; l < 32; l++) {
            a[l] = (uint32_t)rng_next(numbers);
            b[l] = a[l] + (uint32_t)rng_below(numbers, 3) - 1;
            if (rng_below(numbers, 4) == 0)
                b[l] = ~a[l];
        }
        for (unsigned holds = 0; holds < 8; holds++)
            for (unsigned has_sign = 0; has_sign < 2; has_sign++) {
                uint32_t expected = 0;
                for (unsigned l = 0; l < 32; l++) {
                    bool less = has_sign ? (int32_t)a[l] < (int32_t)b[l] : a[l] < b[l];
                    unsigned is = less ? LANES_LESS : a[l] == b[l] ? LANES_EQUAL : LANES_GREATER;
                    expected |= (uint32_t)((holds & is) != 0) << l;
                }
                uint32_t got = lanes_compare(a, b, has_sign, holds),
                         plain = lanes_compare_plain(a, b, has_sign, holds);
                if (got != expected || plain != expected) {
                    printf("FAIL simt.vector_lanes_are_the_plain_ones\n  comparison %u, sign %u: "
                           "expected 0x%08x, got 0x%08x, and 0x%08x from the plain loop\n",
                           holds, has_sign, expected, got, plain);
                    return 1;
                }
            }
    }
    return 0;
}

int main(void)
{
    rng numbers;

    rng_seed(&numbers, SEED);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t lane[32], expected = round < 32    ? 1u << round
                                      : round == 32 ? 0
                                      : round == 33 ? ~0u
                                                    : (uint32_t)rng_next(&numbers);

        for (unsigned l = 0; l < 32; l++)
            lane[l] = expected >> l & 1 ? ~0u : 0;
        if (lanes_set(lane) != expected || lanes_set_plain(lane) != expected) {
            printf("FAIL simt.vector_lanes_are_the_plain_ones\n  mask %u: expected 0x%08x, got "
                   "0x%08x, and 0x%08x from the plain loop\n",
                   round, expected, lanes_set(lane), lanes_set_plain(lane));
            return 1;
        }
    }
    return addresses(&numbers) || parts(&numbers) || comparisons(&numbers);
}
