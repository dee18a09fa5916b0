/*
 * watch.h: watches the launches of one process, and prints at the end what was seen: findings, a
 * trace, or counters.
 *
 * One watch a process. The caller runs the device; it calls watch_device before the first launch on
 * a device, watch_launching before each launch and watch_launched after it, watch_host now and
 * then, and watch_end once. Everything is printed on one stream: standard error, or the file of the
 * settings; never standard output, which belongs to the program.
 */
#ifndef SIMT_WATCH_H
#define SIMT_WATCH_H

#include "settings.h"

/* program: a name for messages. False: the file for the output cannot be opened. */
bool watch_begin(const settings *s, const char *program, base_error *error);
void watch_device(simt_device *device);
void watch_launching(simt_device *device, const char *kernel);
/* refused: why a launch was not begun, and advice on it; else null, and the report of the one that
   was. */
void watch_launched(simt_device *device, const char *kernel, const simt_launch_args *args,
                    const simt_report *report, const char *refused, const char *advice);
/* This thread has asked about its launches that were refused: they are notes. */
void watch_asked(void);
/* Was a launch refused for this reason? */
bool watch_has_refused(const char *why);
/* What the host did wrong since the last call. */
void watch_host(simt_device *device);
/* The same for the last time before a device closes. */
void watch_close(simt_device *device);
/* A problem that is no finding of the engine: printed after the findings, or, where they may
   come of it, before. */
void watch_problem(bool cause, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints everything. True: findings were asked for, and there are some besides notes. */
bool watch_end(void);

/* The text of a PTX file, for sites without a source line. Before the first launch. */
void watch_ptx_file(const char *path, const char *text);

#endif
