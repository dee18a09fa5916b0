/*
 * heap.c: see heap.h.
 */
#include "heap.h"

#include <malloc.h>

void heap_keep(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
}
