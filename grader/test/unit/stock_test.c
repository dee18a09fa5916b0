/*
 * stock_test.c: data made ahead by several threads are those that their seeds make, each once, in
 * order.
 */
#include <string.h>

#include "check.h"
#include "labs.h"
#include "stock.h"

enum { N = 5000, MADE = 2 * STOCK_MOST + 3, FIRST_SEED = 77 };

TEST(stock_gives_what_each_seed_makes_once)
{
    const lab_part *part = &lab_table[lab_table_length - 1]->parts[0];
    base_error error = { "" };
    stock s;

    stock_open(&s, part, N, FIRST_SEED);
    for (unsigned i = 0; i < MADE; i++) {
        judge_data own;
        uint64_t seed = 0;
        const judge_data *given = stock_next(&s, &seed, &error);
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
    stock_close(&s);
}

TEST(stock_without_memory_says_so)
{
    const lab_part *part = &lab_table[lab_table_length - 1]->parts[0];
    base_error error = { "" };
    uint64_t seed;
    stock s;

    stock_open(&s, part, (size_t)1 << 55, FIRST_SEED);
    CHECK(!stock_next(&s, &seed, &error) && strstr(error.text, "no memory"), "it says '%s'",
          error.text);
    stock_close(&s);
}
