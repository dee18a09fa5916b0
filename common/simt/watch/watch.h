/*
 * watch.h: the watchers there are, and what the device tells them itself: what the host does.
 */
#ifndef SIMT_WATCH_H
#define SIMT_WATCH_H

#include "watch/hooks.h"

extern const watcher race_watcher, unset_watcher, sums_watcher, timeline_watcher, step_watcher;

/* Sets the launch's watchers, as its checks and traces ask; list is the caller's. */
enum { WATCH_MOST = 5 };
void watch_list(launch *l, const watcher *list[WATCH_MOST + 1]);

/* sums/network.c: the addition network */
bool sums_open(simt_device *d); /* for a launch; false: no memory */
void sums_close(simt_device *d);
/* what memory holds there now is no traced value */
void sums_forget(simt_device *d, simt_addr address, size_t bytes);
/* likewise, of memory that the host may have written without our seeing it */
void sums_forget_common(simt_device *d, simt_addr address, size_t bytes);
void sums_move(simt_device *d, simt_addr to, simt_addr from, size_t bytes);
void sums_report(simt_device *d, simt_report *r);

/* unset: values never set; while SIMT_CHECK_UNSET is on */
bool unset_open(simt_device *d);                   /* notes; false: no memory */
bool unset_configure(simt_device *d, bool was_on); /* the checks have changed; false: no memory */
void unset_close(simt_device *d);
void unset_host_write(simt_device *d, simt_addr to, size_t bytes);
void unset_host_copy(simt_device *d, simt_addr to, simt_addr from, size_t bytes);
void unset_host_read(simt_device *d, simt_addr from, size_t bytes);
void unset_forget(simt_device *d, simt_addr address, size_t bytes); /* counts as never written */

/* race */
void race_global_close(simt_device *d);
void race_observed_close(simt_device *d);
/* a race of the launch: where a number was taken without an atomic, which may be its cause */
void race_global_explain(const worker *k, simt_finding *f);
/* Has the launch written the word strongly so far (volatile, atomic)? *block: who was the last. */
bool race_global_set(worker *k, uint64_t address, unsigned bytes, simt_dim *block, uint8_t *gpu);

#endif
