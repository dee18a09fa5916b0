/*
 * grade.h: one lab, from the student's file to a lab_result.
 */
#ifndef GRADE_H
#define GRADE_H

#include "options.h"
#include "result.h"
#include "toolchain.h"

/* Grades a program that build_submission made from source, in the folder it made it in. result:
   begun by result_begin. For callers that grade one program often; others want grade_lab. */
void grade_built(const options *o, const toolchain *tools, const char *source, const char *program,
                 lab_result *result);

/* Builds what grade_built, untimed and alone, compares the program made from source with, so that
   it compiles nothing. False with error. */
bool grade_build_reference(const options *o, const toolchain *tools, const lab *l,
                           const char *source, base_error *error);

/* Grades the file at source (null: where source_path says). Everything it writes goes to
   o->build/NN_slug, or o->out/NN_slug. progress may be null. Never fails: what could not be done is
   in the result. */
void grade_lab(const options *o, const toolchain *tools, const lab *l, const char *source,
               lab_progress *progress, lab_result *result);

/* Seconds after which the grading of one lab has gone wrong: every step of it has a limit of its
   own, and all of them are over by then. */
unsigned grade_longest_seconds(const options *o);

#endif
