/*
 * sizes.c: which n a part is tried at. See judge.h.
 */
#include <stdlib.h>

#include "judge.h"

enum { DEFAULT_LARGE = (1 << 18) + 77, LARGEST_INT = 0x7fffffff };

size_t judge_large_size(const lab *l, const lab_part *part)
{
    size_t large = l->large_n ? l->large_n : DEFAULT_LARGE;
    size_t most = part->max_n ? part->max_n : LARGEST_INT;
    return large < most ? large : most;
}

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

size_t judge_sizes(const lab *l, const lab_part *part, size_t sizes[JUDGE_MAX_SIZES])
{
    size_t tile = l->tile ? l->tile : 256, most = part->max_n ? part->max_n : LARGEST_INT, count = 0;
    size_t all[] = {
        0, 1, 2, 3, 31, 32, 33, 100,                                    /* within and around a warp */
        tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1,               /* around a section */
        3 * tile + tile / 2 + 3, 4 * tile, 17 * tile + 1,               /* several; more blocks than are resident */
        judge_large_size(l, part), most
    };
    size_t tried = sizeof all / sizeof all[0] - (part->max_n ? 0 : 1);

    qsort(all, tried, sizeof all[0], by_size);
    for (size_t i = 0; i < tried && count < JUDGE_MAX_SIZES; i++)
        if (all[i] <= most && (count == 0 || all[i] != sizes[count - 1]))
            sizes[count++] = all[i];
    return count;
}
