/*
 * stop.h: Ctrl-C and its like, for commands that have files to remove and children to wait for.
 */
#ifndef SIMT_STOP_H
#define SIMT_STOP_H

#include <stdbool.h>

void stop_watch(void);     /* from now on SIGINT, SIGTERM and SIGHUP are noted, and end nothing */
void stop_unwatch(void);   /* in a child: they end it, as usual */
bool stop_asked(void);     /* one of them came */
_Noreturn void stop(void); /* ends this process by the one that came, so that a shell knows */

#endif
