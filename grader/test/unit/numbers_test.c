/*
 * numbers_test.c: counts and limits as text.
 */
#include <string.h>

#include "check.h"
#include "numbers.h"

TEST(a_count_just_beyond_its_limit_is_not_once_the_limit)
{
    char ratio[2 * NUMBER_TEXT];

    numbers_ratio(512, 511, ratio);
    CHECK(ratio[0] == '\0', "512 is \"%s\" of 511", ratio);
    numbers_ratio(2048, 1793, ratio);
    CHECK(strcmp(ratio, "1.14 times the limit; ") == 0, "\"%s\"", ratio);
    numbers_ratio(35360, 16, ratio);
    CHECK(strcmp(ratio, "2210 times the limit; ") == 0, "\"%s\"", ratio);
    numbers_ratio(7, 0, ratio);
    CHECK(ratio[0] == '\0', "7 is \"%s\" of 0", ratio);
    numbers_ratio(0, 511, ratio);
    CHECK(ratio[0] == '\0', "0 is \"%s\" of 511", ratio);
}

TEST(a_count_and_its_limit_are_written_alike_and_never_the_same)
{
    static const struct {
        double value, limit;
        bool most;
        const char *value_text, *limit_text;
    } cases[] = {
        { 17334800, 13212057.6, true, "17334800", "13212057" },
        { 13212058, 13212057.6, true, "13212058", "13212057" },
        { 164244, 164267.2, false, "164244", "164268" },
        { 0.03125, 0.9, false, "0.0312", "0.9" },
        { 0.60004, 0.6, true, "0.60004", "0.6" },
        { 2, 1, true, "2", "1" },
        { 2210.4, 16, true, "2210", "16" },
    };
    char value[NUMBER_TEXT], limit[NUMBER_TEXT];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        numbers_beside(cases[i].value, cases[i].limit, cases[i].most, value, limit);
        CHECK(strcmp(value, cases[i].value_text) == 0 && strcmp(limit, cases[i].limit_text) == 0,
              "case %zu: %s against %s", i, value, limit);
    }
}
