/*
 * class_similar.h: which submissions of a class look alike (similar.h says how that is found), for
 * a person to look at; no verdict and no point hangs on it.
 *
 *   similar.csv   a row a pair: lab,first,second,kind,percent,first lines,second lines. kind:
 *                 identical, renamed (names, comments or layout differ), alike. The lines are from
 *                 the first that they share to the last: "21 to 75". first may be the kit's own
 *                 solution
 *
 * A file with little of its own beyond the starter is not compared, nor one of more than
 * CLASS_SIMILAR_FILE bytes.
 */
#ifndef CLASS_SIMILAR_H
#define CLASS_SIMILAR_H

#include "lab.h"
#include "options.h"
#include "submission.h"

enum { CLASS_SIMILAR_FILE = 256 << 10 };

/* Writes similar.csv below o->out, and a line on standard error if there is a pair. */
bool class_similar(const options *o, const lab *const *labs, size_t count,
                   const submission_list *list, base_error *error);

#endif
