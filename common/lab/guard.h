/*
 * guard.h: host buffers that end (or begin) at a page without access, so that an access to the
 * first byte beyond is a fault that names the buffer.
 *
 * With a guard at the back, the bytes in front of the buffer, up to its page's start, hold a canary
 * that guard_damage checks. A buffer of no bytes is an address inside no accessible page.
 */
#ifndef GUARD_H
#define GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct guard {
    unsigned char *data; /* the buffer */
    size_t bytes;
    unsigned char *map; /* guard page, pages of the buffer, guard page */
    size_t map_bytes;
} guard;

/* front: the buffer begins right after a guard page; else it ends right before one. False if there
   is no memory. */
bool guard_make(guard *buffer, size_t bytes, bool front);

/* The same with the pages of a file, at this offset, which another process fills: `pages` bytes. */
size_t guard_pages(size_t bytes);
bool guard_share(guard *buffer, size_t bytes, bool front, int file, uint64_t offset);
/* The other process's view: these are the pages. There is nothing to drop. It fills them anew. */
void guard_view(guard *buffer, unsigned char *pages, size_t bytes, bool front, const void *from);

/* Were the bytes around the buffer, within its own pages, changed? -1: in front of it, 1: past
   its end, 0: no. */
int guard_damage(const guard *buffer);

/* Is address within the mapping? Then *offset is its distance from the buffer's start.
   Async-signal-safe. */
bool guard_holds(const guard *buffer, uint64_t address, int64_t *offset);

void guard_drop(guard *buffer); /* also of one that was never made: all zeros */

#endif
