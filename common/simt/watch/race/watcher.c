/*
 * watcher.c: the watcher of races: what happens at each event of watch/hooks.h, in shared memory
 * (shared.c, copies.c) and in global memory (global.c).
 */
#include "watch/race/race.h"
#include "watch/race/units.h"

#include <stdlib.h>

static void meet(simt_warp *w, const meeting *m)
{
    if (m->kind == MEET_SYNC)
        race_warp_sync(w);
}

static void close_block(simt_block *b)
{
    free(b->race.read_warps);
    free(b->race.rows);
}

static bool launch_end(launch *l)
{
    bool ok = race_global_merge(l);
    race_footprint_take(l);
    return ok;
}

static bool launch_start(launch *l, unsigned workers)
{
    static const race_ways ways = { race_shared_words, race_global_line };
    if (!race_global_launch(l, workers))
        return false;
    for (unsigned i = 0; i < workers; i++)
        l->device->workers[i].race = &ways;
    return true;
}

const watcher race_watcher = { .name = "races",
                               .launch_start = launch_start,
                               .launch_end = launch_end,
                               .worker_free = race_global_end,
                               .block_leaves = race_global_leaves,
                               .block_start = race_shared_open,
                               .block_free = close_block,
                               .shared = race_shared,
                               .global = race_saw_global,
                               .changed = race_saw_changed,
                               .fence = race_fence,
                               .needs_data = true,
                               .barrier = race_barrier,
                               .meet = meet,
                               .mbarrier_used = race_shared_mbarrier,
                               .mbarrier_arrive = race_mbarrier_arrive,
                               .mbarrier_wait = race_mbarrier_wait,
                               .copy_range = race_global_copy,
                               .copy_issued = race_copy_issued,
                               .copy_waited = race_copy_waited,
                               .copy_landed = race_copy_landed,
                               .proxy_fence = race_proxy_fence };
