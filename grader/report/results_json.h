/*
 * results_json.h: build/grade/results.json, the grader's stable output.
 *
 * {"schema": 1, "backend", "labs": [{"id", "title", "verdict", "points", "max_points", "cases":
 * [{"name", "n", "verdict", "message", "where": {"file", "line", "block", "warp", "lane"},
 * "waits"}], "counts": {...}, "notes": {...}, "gates": [{"name", "value", "limit", "ok"}]}],
 * "points", "max_points"}. What is not known is null. counts has one entry per part whose answers
 * are right: "n" and, on the engine, the counts of one call with "ratio" to the reference's; for
 * host labs the time ratio, its quartiles and the number of pairs. On a GPU there is "device"
 * besides, its name; counts are null, and of a part that was timed there is "n", "time_ratio", its
 * quartiles, "pairs", "microseconds", "reference_microseconds" and "GBps"; a gate's "ok" is null
 * where its measurement is inconclusive. A deadlock's "waits" are [{"where", "for", "writer",
 * "writer_state", "message"}]: a block that waits, what for, the block that would write it and how
 * that stands: "not started", "running", "waiting", "ended". Other cases have none. A lab's "notes"
 * has one entry per part whose solution noted something about its work (LAB_NOTE): {"name", "n",
 * "count", "min", "median", "p90", "max", "histogram": [{"below", "count"}]}, each bin from half of
 * "below" on, those below 1 in one.
 */
#ifndef RESULTS_JSON_H
#define RESULTS_JSON_H

#include "error.h"
#include "result.h"

/* The file is replaced as a whole. gpu: its name, "" without one. */
bool results_json_write(const char *path, const char *backend, const char *gpu,
                        const lab_result *results, size_t count, base_error *error);

#endif
