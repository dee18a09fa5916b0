/*
 * class_merge.h: one class of all its shards: `grade all FOLDER --merge`.
 *
 * Grades nothing, and needs neither compiler nor sandbox. From the shards' journals it makes below
 * --out what grading the class without shards would have left there (class.h), so that such a
 * grading may go on from it; `sandbox` in class.json names each that a shard had. All or nothing:
 * while a submission of the folder lacks its record, or was changed after it was graded, it says
 * which shards have to be run and changes no file.
 */
#ifndef CLASS_MERGE_H
#define CLASS_MERGE_H

#include "lab.h"
#include "options.h"

/* As class_grade. */
bool class_merge(const options *o, const lab *const *labs, size_t count, int *status,
                 base_error *error);

#endif
