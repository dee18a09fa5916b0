/*
 * numbers.h: counts and their limits as text for people: whole where they are large, with as many
 * digits as it takes to tell the two apart.
 */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdbool.h>

enum { NUMBER_TEXT = 32 };

void numbers_text(double value, char text[NUMBER_TEXT]);

/* A value beyond its limit; most: the most that is allowed, else the least that is wanted. */
void numbers_beside(double value, double limit, bool most, char value_text[NUMBER_TEXT],
                    char limit_text[NUMBER_TEXT]);

/* "1.14 times the limit; ", "" where that says nothing: no limit to divide by, or once. */
void numbers_ratio(double value, double limit, char text[2 * NUMBER_TEXT]);

#endif
