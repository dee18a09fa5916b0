/*
 * numbers.c: see numbers.h.
 */
#include "numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEW = 3, MANY = 12, WHOLE_FROM = 1000 };

static void with_digits(double value, int digits, char text[NUMBER_TEXT])
{
    if (fabs(value) < 1e15 && (value == trunc(value) || fabs(value) >= WHOLE_FROM))
        snprintf(text, NUMBER_TEXT, "%.*f", value == trunc(value) ? 0 : digits - FEW, value);
    else
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
}

void numbers_text(double value, char text[NUMBER_TEXT]) { with_digits(value, FEW, text); }

void numbers_beside(double value, double limit, bool most, char value_text[NUMBER_TEXT],
                    char limit_text[NUMBER_TEXT])
{
    /* of whole counts the limit is whole, too */
    if (value == trunc(value) && fabs(limit) >= WHOLE_FROM)
        limit = most ? floor(limit) : ceil(limit);
    for (int digits = FEW; digits <= MANY; digits++) {
        with_digits(value, digits, value_text);
        with_digits(limit, digits, limit_text);
        if (strcmp(value_text, limit_text) != 0)
            break;
    }
}

void numbers_ratio(double value, double limit, char text[2 * NUMBER_TEXT])
{
    char by[NUMBER_TEXT];

    text[0] = '\0';
    if (!(limit > 0) || !(value > 0))
        return;
    numbers_text(value / limit, by);
    if (strcmp(by, "1") != 0)
        snprintf(text, 2 * NUMBER_TEXT, "%s times the limit; ", by);
}
