/*
 * host_pages.h: mmap and its kin. WebAssembly has no pages: there a mapping is memory that is taken
 * at once, and giving some of it back clears it.
 */
#ifndef BASE_HOST_PAGES_H
#define BASE_HOST_PAGES_H

#include <sys/mman.h>

#ifdef __wasm__
#include <string.h>

#undef MAP_NORESERVE
#define MAP_NORESERVE 0

static inline int host_pages_clear(void *from, size_t bytes)
{
    memset(from, 0, bytes);
    return 0;
}
#define madvise(from, bytes, advice) host_pages_clear(from, bytes)
#endif

#endif
