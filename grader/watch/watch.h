/*
 * watch.h: make watch: grades a lab on every save of its file, and shows what to mend first.
 */
#ifndef WATCH_H
#define WATCH_H

#include "lab.h"
#include "options.h"
#include "toolchain.h"

/* l: where to begin; null: where one was last. Runs until the user quits. False where there is no
   terminal for it, or nothing can be watched. */
bool watch_run(const options *o, const toolchain *tools, const lab *l, base_error *error);

#endif
