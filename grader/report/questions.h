/*
 * questions.h: the questions under "Think about" of a lab's page, for a terminal.
 */
#ifndef QUESTIONS_H
#define QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "lab.h"

enum { QUESTIONS_MOST = 9, QUESTIONS_ROOM = 1000 };

/* Question `number`, from 1 on, as "1. Why ...?", without links and emphasis. False: the page has
   no such question, or cannot be read. */
bool questions_text(const lab *l, unsigned number, char *text, size_t room);

#endif
