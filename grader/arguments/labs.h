/*
 * labs.h: which lab is meant.
 */
#ifndef LABS_H
#define LABS_H

#include "error.h"
#include "lab.h"

/* Two labs with one number: a message that names both folders. The build refuses them too; this is
   for folders added since. */
bool labs_check(base_error *error);

/* "04", "4", "hillis_steele", "04_hillis_steele", "labs/04_hillis_steele/". Null with a message
   that lists what there is. */
const lab *labs_find(const char *name, base_error *error);

/* Several: "01-06", "01 04", "01,04", "02-04 hillis_steele"; each once, in order of number. A range
   has no bonus labs. At most `room`; 0 with a message. */
size_t labs_find_all(const char *names, const lab **labs, size_t room, base_error *error);

/* --list: every lab with its parts and the sizes of its cases. */
void labs_print(void);

/* How many labs count, the number of the last of them, and are there others, bonus labs? */
size_t labs_count(void);
int labs_last(void);
bool labs_have_bonus(void);

/* The lab after this one by number, bonuses left out; null: it is the last. */
const lab *labs_after(const lab *l);

#endif
