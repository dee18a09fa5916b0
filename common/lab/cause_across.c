/*
 * cause_across.c: what the cases that are wrong have in common: judge_common_cause (judge.h).
 */
#include "judge.h"

static bool power_of_two(const lab *l, size_t n)
{
    (void)l;
    return n > 0 && (n & (n - 1)) == 0;
}
static bool whole_sections(const lab *l, size_t n)
{
    return l->tile > 0 && n > 0 && n % l->tile == 0;
}
static bool one_section(const lab *l, size_t n) { return n <= l->tile; }
static bool one_warp(const lab *l, size_t n)
{
    (void)l;
    return n <= 32;
}

static bool is_total(const lab_part *part)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        if (part->buffers[b].role == LAB_OUT && part->buffers[b].owner != LAB_BY_GRID)
            return false;
    return true;
}

static bool asks_for_output(const lab_part *part, size_t n)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        if (part->buffers[b].role == LAB_OUT && judge_length(&part->buffers[b], n) > 0)
            return true;
    return false;
}

/* Where to look, of what is right only so far. */
static const char *beyond_section(const lab *l, const lab_part *part)
{
    if (part->within > 0)
        return "look at what it takes from the others, and at how a block finds its first element";
    if (is_total(part))
        return "look at what the other sections add to the result";
    return judge_passes(part, l->tile)
               ? "look at the carry from block to block, and at a block's first index"
               : "look at how a block finds its first element, and where it stops";
}

static const char *beyond_warp(const lab *l, const lab_part *part)
{
    const size_t border = 32 * (size_t)(l->per_thread ? l->per_thread : 1);
    return judge_passes(part, border) || is_total(part)
               ? "look at what one warp hands to the next"
               : "look at how the other warps find their elements";
}

static const char *at_partial_section(const lab *l, const lab_part *part)
{
    (void)l;
    (void)part;
    return "look at how the last, partial section is handled";
}

void judge_common_cause(const lab *l, const lab_part *part, const size_t *sizes, const bool *wrong,
                        size_t count, const char **seen, const char **look)
{
    static const struct {
        bool (*holds)(const lab *, size_t);
        const char *seen;
        const char *(*look)(const lab *, const lab_part *);
    } families[] = {
        { power_of_two, "right only when n is a power of two", NULL },
        { whole_sections, "right only when n is a whole number of sections", at_partial_section },
        { one_warp, "right only up to 32 elements", beyond_warp },
        { one_section, "right only within one section", beyond_section },
    };

    *seen = *look = "";
    /* a host lab has no sections, no warps */
    for (size_t f = 0; f < (l->threads > 0 ? sizeof families / sizeof families[0] : 1); f++) {
        size_t right_in = 0, wrong_out = 0, exceptions = 0;
        for (size_t i = 0; i < count; i++) {
            bool in = families[f].holds(l, sizes[i]);
            if (sizes[i] < 2 || !asks_for_output(part, sizes[i]))
                continue;
            right_in += in && !wrong[i];
            wrong_out += !in && wrong[i];
            exceptions += in == wrong[i];
        }
        if (right_in >= 2 && wrong_out >= 2 && exceptions == 0) {
            *seen = families[f].seen;
            *look = families[f].look ? families[f].look(l, part) : "";
            return;
        }
    }
}
