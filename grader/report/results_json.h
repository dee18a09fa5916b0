/*
 * results_json.h: build/grade/results.json, the grader's stable output.
 *
 *   schema                1
 *   backend               "simt" or "cuda"
 *   sandbox               what kept programs from the machine: a tier of spawn/confine.h, as in
 *                         "landlock+seccomp"; "none": there is none; "unsafe": by choice
 *   device                the GPU's name; only with "cuda"
 *   points, max_points    over all labs
 *   labs[]
 *     id, title           "04_hillis_steele", "Hillis-Steele scan"
 *     absent              true: there is no file; its verdict is NOT_RUN
 *     verdict             of verdicts.def
 *     points, max_points
 *     seconds             that grading it took
 *     next                the name of the part to work on; null: none
 *     parts[]             name, verdict, points, max_points, in their order
 *     cases[]             every case; a message about the whole lab (a compile error, say) is a
 *                         first case with the name "lab" and n 0
 *       name, n           "inclusive/33", 33
 *       verdict, message  the message is "" for a case that passes and about which there is
 *                         nothing to say
 *       where             file, line, block, warp, lane
 *       waits[]           only of a deadlock, for each block that cannot go on: where; for: what it
 *                         waits for, "d_flag[62]"; writer: the block that would write it;
 *                         writer_state: "not started", "running", "waiting" or "ended"; message
 *     counts{}            by the part's name, for parts whose answers are right:
 *                         n, and of one call at that n
 *                         on the engine: launches, warp_instructions, additions,
 *                         divergent_branches, barriers, shared_wavefronts, global_sectors,
 *                         global_bytes_read, global_bytes_written, atomics, block_chain, and
 *                         ratio, to the reference solution's: warp_instructions,
 *                         shared_wavefronts, global_sectors
 *                         of a host lab: time_ratio (the median), lower_quartile,
 *                         upper_quartile, pairs
 *                         on a GPU: these four, microseconds, reference_microseconds, GBps; the
 *                         engine's counts are null
 *     notes{}             by the part's name, where its solution noted something about its work
 *                         (LAB_NOTE): name, n, count, min, median, p90, max, and histogram[] of
 *                         below, count: a bin goes from half of "below" up to it, the first from 0
 *     gates[]             name ("inclusive: additions"), value, limit, ok; ok is null where a time
 *                         is too unsteady to say
 *     warnings            of the compiler, about a file that compiles: count, more (there are more
 *                         than were counted), and first[] of line, column, message, advice
 *
 *     course              only with a course file: course_points.h
 *   course                the same over all labs
 *
 * What is not known is null.
 */
#ifndef RESULTS_JSON_H
#define RESULTS_JSON_H

#include "error.h"
#include "options.h"
#include "result.h"

/* The file is replaced as a whole. gpu: its name, "" without one. */
bool results_json_write(const char *path, const options *o, const char *gpu,
                        const lab_result *const *results, size_t count, base_error *error);

#endif
