/*
 * heap.h: for a process that allocates and frees the same again and again.
 */
#ifndef HEAP_H
#define HEAP_H

/* Once, before the first thread. What is freed stays with the process for what is allocated next,
   up to 256 MiB; and so does each block below 32 MiB. The C library would give most of it back to
   the system each time, and the next touch of each page would fault. */
void heap_keep(void);

#endif
