/* rng_test.c: the generator repeats, is the published one, and is not biased. */
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "rng.h"

TEST(splitmix64_gives_its_published_words)
{
    /* First outputs for seed 1234567, as given with the reference implementation at
       prng.di.unimi.it. */
    static const uint64_t expected[] = { 6457827717110365317u, 3203168211198807973u,
                                         9817491932198370423u };
    uint64_t state = 1234567;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t got = rng_splitmix64(&state);
        CHECK(got == expected[i], "word %u: expected %llu, got %llu", i,
              (unsigned long long)expected[i], (unsigned long long)got);
    }
}

TEST(rng_is_xoshiro256_starstar)
{
    /* State {1, 2, 3, 4}: the first words worked out by hand from the algorithm: rotl(2 * 5, 7) * 9
       = 11520; then state[1] is 0; then it is 262149, rotl(262149 * 5, 7) * 9 = 1509978240. */
    static const uint64_t expected[] = { 11520, 0, 1509978240 };
    rng generator = { { 1, 2, 3, 4 } };
    for (unsigned i = 0; i < 3; i++) {
        uint64_t got = rng_next(&generator);
        CHECK(got == expected[i], "word %u: expected %llu, got %llu", i,
              (unsigned long long)expected[i], (unsigned long long)got);
    }
}

TEST(rng_repeats_from_its_seed_and_differs_between_seeds)
{
    rng a, b, c;
    rng_seed(&a, 41);
    rng_seed(&b, 41);
    rng_seed(&c, 42);
    unsigned same = 0, equal_to_neighbour = 0;
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t word = rng_next(&a);
        same += word == rng_next(&b);
        equal_to_neighbour += word == rng_next(&c);
    }
    CHECK(same == 1000, "%u of 1000 words repeat", same);
    CHECK(equal_to_neighbour == 0, "%u words are those of the next seed", equal_to_neighbour);
}

TEST(rng_below_is_even)
{
    /* The chi-square statistic over 7 cells has 6 degrees of freedom: above 30 with a chance of 4
       in 100,000; the seed is fixed. */
    enum { CELLS = 7, DRAWS = 70000 };
    unsigned seen[CELLS] = { 0 };
    rng generator;
    rng_seed(&generator, 3);
    for (unsigned i = 0; i < DRAWS; i++) {
        uint64_t drawn = rng_below(&generator, CELLS);
        CHECK(drawn < CELLS, "%llu is not below %d", (unsigned long long)drawn, CELLS);
        if (drawn < CELLS)
            seen[drawn]++;
    }
    double chi = 0, mean = (double)DRAWS / CELLS;
    for (unsigned i = 0; i < CELLS; i++)
        chi += (seen[i] - mean) * (seen[i] - mean) / mean;
    CHECK(chi < 30, "chi-square %.1f", chi);
}

TEST(rng_below_has_no_remainder_bias)
{
    /* bound = 3 * 2^62: a bare remainder would give the first third twice as often as the others
       (1/2 against 1/4). */
    const uint64_t third = UINT64_C(1) << 62;
    unsigned low = 0;
    rng generator;
    rng_seed(&generator, 5);
    for (unsigned i = 0; i < 30000; i++)
        low += rng_below(&generator, 3 * third) < third;
    CHECK(low > 9500 && low < 10500, "%u of 30000 in the first third, about 10000 expected", low);
}

TEST(rng_between_reaches_both_ends)
{
    rng generator;
    rng_seed(&generator, 8);
    bool low = false, high = false;
    for (unsigned i = 0; i < 1000; i++) {
        int64_t drawn = rng_between(&generator, -8, 8);
        CHECK(drawn >= -8 && drawn <= 8, "%lld is outside", (long long)drawn);
        low |= drawn == -8;
        high |= drawn == 8;
    }
    CHECK(low && high, "an end was never drawn");
    bool negative = false, positive = false;
    for (unsigned i = 0; i < 100; i++) {
        int64_t drawn = rng_between(&generator, INT64_MIN, INT64_MAX);
        negative |= drawn < 0;
        positive |= drawn > 0;
    }
    CHECK(negative && positive, "the full range gives one sign only");
    CHECK(rng_between(&generator, 5, 5) == 5, "a range of one value");
}

TEST(rng_shuffle_gives_every_order_equally_often)
{
    enum { ROUNDS = 24000 };
    unsigned seen[24] = { 0 };
    rng generator;
    rng_seed(&generator, 11);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint16_t items[4] = { 0, 1, 2, 3 };
        rng_shuffle(&generator, items, 4, sizeof *items);
        unsigned order = 0; /* rank of the permutation */
        for (unsigned i = 0; i < 4; i++) {
            unsigned smaller = 0;
            for (unsigned j = i + 1; j < 4; j++)
                smaller += items[j] < items[i];
            order = order * (4 - i) + smaller;
        }
        seen[order]++;
    }
    for (unsigned order = 0; order < 24; order++) /* 1000 each, standard deviation 31 */
        CHECK(seen[order] > 840 && seen[order] < 1160,
              "order %u came %u times, about 1000 expected", order, seen[order]);
    rng_shuffle(&generator, NULL, 0, 4);
}

TEST(secret_seed_is_new_each_time)
{
    uint64_t first = 0, second = 0;
    base_error error = { "" };
    CHECK(rng_secret_seed(&first, &error) && rng_secret_seed(&second, &error), "%s", error.text);
    CHECK(first != second, "twice the same seed");
}
