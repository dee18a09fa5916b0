/*
 * guard.c: see guard.h.
 */
#define _GNU_SOURCE
#include "guard.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* as a float NaN, as an int -1: a value read outside the buffer shows up in the result */
enum { CANARY = 0xFF };

bool guard_make(guard *buffer, size_t bytes, bool front)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t body = (bytes + page - 1) / page * page;

    memset(buffer, 0, sizeof *buffer);
    unsigned char *map = mmap(NULL, body + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return false;
    if (body > 0 && mprotect(map + page, body, PROT_READ | PROT_WRITE) != 0) {
        munmap(map, body + 2 * page);
        return false;
    }
    if (body > 0)
        memset(map + page, CANARY, body);
    buffer->map = map;
    buffer->map_bytes = body + 2 * page;
    buffer->bytes = bytes;
    buffer->data = front ? map + page : map + page + body - bytes;
    return true;
}

size_t guard_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/* pages, and a guard page on either side of them; data by where the buffer begins */
static void place(guard *buffer, unsigned char *pages, size_t bytes, bool front)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), body = guard_pages(bytes);

    buffer->map = pages - page;
    buffer->map_bytes = body + 2 * page;
    buffer->bytes = bytes;
    buffer->data = front ? pages : pages + body - bytes;
}

bool guard_share(guard *buffer, size_t bytes, bool front, int file, uint64_t offset)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), body = guard_pages(bytes);

    memset(buffer, 0, sizeof *buffer);
    unsigned char *map = mmap(NULL, body + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return false;
    /* populated: the pages are there before anybody's clock is read */
    if (body > 0 &&
        mmap(map + page, body, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, file,
             (off_t)offset) == MAP_FAILED) {
        munmap(map, body + 2 * page);
        return false;
    }
    place(buffer, map + page, bytes, front);
    return true;
}

void guard_view(guard *buffer, unsigned char *pages, size_t bytes, bool front, const void *from)
{
    memset(pages, CANARY, guard_pages(bytes));
    place(buffer, pages, bytes, front);
    memcpy(buffer->data, from, bytes);
}

static bool all_canary(const unsigned char *from, const unsigned char *to)
{
    for (; from < to; from++)
        if (*from != CANARY)
            return false;
    return true;
}

int guard_damage(const guard *buffer)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    if (!buffer->map)
        return 0;
    if (!all_canary(buffer->map + page, buffer->data))
        return -1;
    return all_canary(buffer->data + buffer->bytes, buffer->map + buffer->map_bytes - page) ? 0 : 1;
}

bool guard_holds(const guard *buffer, uint64_t address, int64_t *offset)
{
    uint64_t start = (uint64_t)(uintptr_t)buffer->map;
    if (!buffer->map || address < start || address >= start + buffer->map_bytes)
        return false;
    *offset = (int64_t)(address - (uint64_t)(uintptr_t)buffer->data);
    return true;
}

void guard_drop(guard *buffer)
{
    if (buffer->map)
        munmap(buffer->map, buffer->map_bytes);
    memset(buffer, 0, sizeof *buffer);
}
