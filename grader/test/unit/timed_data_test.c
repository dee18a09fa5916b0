/*
 * timed_data_test.c: data made ahead by several threads are those that their seeds make, each once,
 * in order.
 */
#include <string.h>

#include "check.h"
#include "labs.h"
#include "timed_data.h"

enum { N = 5000, MADE = 2 * TIMED_DATA_MOST + 3, FIRST_SEED = 77 };

TEST(timed_data_gives_what_each_seed_makes_once)
{
    const lab_part *part = &lab_table[lab_table_length - 1]->parts[0];
    base_error error = { "" };
    timed_data s;

    timed_data_open(&s, part, N, FIRST_SEED);
    for (unsigned i = 0; i < MADE; i++) {
        judge_data own;
        uint64_t seed = 0;
        const judge_data *given = timed_data_next(&s, &seed, &error);
        if (!given || !judge_make(&own, part, N, seed, &error)) {
            CHECK(false, "data set %u: %s", i, error.text);
            break;
        }
        CHECK(seed == FIRST_SEED + i, "data set %u is of seed %llu", i, (unsigned long long)seed);
        CHECK(memcmp(given->given, own.given, own.total_bytes) == 0 &&
                  memcmp(given->expected, own.expected, own.total_bytes) == 0 &&
                  given->poison == own.poison,
              "data set %u is not what seed %llu makes", i, (unsigned long long)seed);
        judge_drop(&own);
    }
    timed_data_close(&s);
}

TEST(timed_data_without_memory_says_so)
{
    const lab_part *part = &lab_table[lab_table_length - 1]->parts[0];
    base_error error = { "" };
    uint64_t seed;
    timed_data s;

    timed_data_open(&s, part, (size_t)1 << 55, FIRST_SEED);
    CHECK(!timed_data_next(&s, &seed, &error) && strstr(error.text, "no memory"), "it says '%s'",
          error.text);
    timed_data_close(&s);
}
