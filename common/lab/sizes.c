/*
 * sizes.c: which n a part is tried at, and what a part is called. See judge.h.
 */
#include <string.h>

#include "judge.h"

enum { DEFAULT_LARGE = (1 << 18) + 77, LARGEST_INT = 0x7fffffff };

const char *judge_part_name(const lab *l, const lab_part *part)
{
    const char *slug = strchr(l->id, '_');
    size_t length = slug ? strlen(slug + 1) : 0;

    if (length > 0 && strncmp(part->entry, slug + 1, length) == 0 && part->entry[length] == '_' &&
        part->entry[length + 1])
        return part->entry + length + 1;
    return part->entry;
}

size_t judge_most_n(const lab_part *part) { return part->max_n ? part->max_n : LARGEST_INT; }

size_t judge_large_size(const lab *l, const lab_part *part)
{
    size_t large = l->large_n ? l->large_n : DEFAULT_LARGE, most = judge_most_n(part);
    return large < most ? large : most;
}

/* Adds n to the ascending list, unless it is there or there is no room. */
static size_t insert(size_t *sizes, size_t count, size_t n)
{
    size_t at = 0;

    while (at < count && sizes[at] < n)
        at++;
    if (count == JUDGE_MAX_SIZES || (at < count && sizes[at] == n))
        return count;
    for (size_t i = count; i > at; i--)
        sizes[i] = sizes[i - 1];
    sizes[at] = n;
    return count + 1;
}

size_t judge_sizes(const lab *l, const lab_part *part, size_t sizes[JUDGE_MAX_SIZES])
{
    size_t tile = l->tile ? l->tile : 256, most = judge_most_n(part), count = 0;
    const size_t all[] = { /* within and around a warp */
                           0, 1, 2, 3, 31, 32, 33, 100,
                           /* around a section */
                           tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1,
                           /* several sections; more blocks than are resident */
                           3 * tile + tile / 2 + 3, 4 * tile, 17 * tile + 1,
                           judge_large_size(l, part)
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] <= most)
            count = insert(sizes, count, all[i]);
    for (const size_t *n = part->gate_sizes; n && *n; n++)
        if (*n <= most)
            count = insert(sizes, count, *n);
    for (const size_t *n = part->once_n; n && *n; n++)
        count = insert(sizes, count, *n);
    return count;
}

bool judge_is_once(const lab_part *part, size_t n)
{
    for (const size_t *once = part->once_n; once && *once; once++)
        if (*once == n)
            return true;
    return false;
}
