/*
 * watch.c: which watchers a launch has. They are called in this order: first those that see single
 * instructions, then those that follow values, then those that only look.
 */
#include "watch/watch.h"

void watch_list(launch *l, const watcher *list[WATCH_MOST + 1])
{
    unsigned n = 0;
    if (l->device->step)
        list[n++] = &step_watcher;
    if (l->config.checks & SIMT_CHECK_RACES)
        list[n++] = &race_watcher;
    if (l->config.checks & SIMT_CHECK_UNSET)
        list[n++] = &unset_watcher;
    if (l->config.trace & SIMT_TRACE_ADDS)
        list[n++] = &sums_watcher;
    if (l->config.trace & SIMT_TRACE_BLOCKS)
        list[n++] = &timeline_watcher;
    list[n] = NULL;
    l->watchers = list;
    l->alone = false;
    for (unsigned k = 0; k < n; k++)
        l->alone |= list[k]->alone;
}
