/*
 * cause_sets.c: causes that show in a set of elements, such as every odd one, or the upper half of
 * each section: exactly these were never written, or are wrong, or are missing from the sums.
 * Interface: cause_view.h. Invariant: each of its functions leaves the report as it was, or names
 * its cause and returns true.
 */
#include "cause_view.h"

/* ---- sets ------------------------------------------------------------------------------------ */

static bool last_of_section(const view *v, size_t i) { return i % v->tile == v->tile - 1; }
static bool first_of_section(const view *v, size_t i) { return i % v->tile == 0; }
static bool odd(const view *v, size_t i)
{
    (void)v;
    return i % 2 == 1;
}
static bool even(const view *v, size_t i)
{
    (void)v;
    return i % 2 == 0;
}
static bool upper_half(const view *v, size_t i) { return i % v->tile >= v->tile / 2; }

static bool beyond_first_warp(const view *v, size_t i)
{
    judge_place place = judge_place_of(v->l, v->buffer, i);
    return place.thread_known && place.warp > 0;
}

static bool in_lower_half(const view *v, size_t i) { return i % v->tile < v->tile / 2; }
static bool in_first_quarter(const view *v, size_t i) { return i % v->tile < v->tile / 4; }
static bool not_last(const view *v, size_t i)
{
    return i % v->tile != v->tile - 1 && i != v->n - 1;
}
static bool not_first(const view *v, size_t i) { return !first_of_section(v, i); }
static bool in_first_warp(const view *v, size_t i) { return i % v->tile < 32; }
static bool in_first_two_warps(const view *v, size_t i) { return i % v->tile < 64; }
static bool in_every_warp_first(const view *v, size_t i) { return i % 32 == 0 || v->tile < 32; }
static bool in_full_section(const view *v, size_t i) { return i / v->tile < v->n / v->tile; }
static bool in_first_section(const view *v, size_t i) { return i < v->tile; }

static bool first_of_later_warp(const view *v, size_t i)
{
    judge_place place = judge_place_of(v->l, v->buffer, i);
    return i > 0 && place.thread_known && place.lane == 0;
}

static bool in_partial_section(const view *v, size_t i) { return !in_full_section(v, i); }
static bool beyond_first_section(const view *v, size_t i) { return !in_first_section(v, i); }
static bool last_element(const view *v, size_t i) { return i == v->length - 1; }
static bool first_element(const view *v, size_t i)
{
    (void)v;
    return i == 0;
}

static bool all_elements(const view *v, size_t i)
{
    (void)v;
    (void)i;
    return true;
}

/* Are the marked elements exactly those of the set? */
static bool marks_are(const view *v, const bool *marks, bool (*in_set)(const view *, size_t))
{
    for (size_t i = 0; i < v->length; i++)
        if (marks[i] != in_set(v, i))
            return false;
    return true;
}

/* ---- never written --------------------------------------------------------------------------- */

/* Where blocks take their tile by number, and there are several, another reason for one that nobody
   has, after `before`; elsewhere "". What a step or a trial tries is no tile of the student's. */
static const char *taken_twice(const view *v, const char *before, char text[120])
{
    snprintf(text, 120, "%sdid two blocks take the same tile? Only an atomic gives each its own",
             before);
    return v->l->blocks_wait && v->n > v->tile && !v->part->step && !v->part->trial ? text : "";
}

static bool name_unwritten_tail(const view *v, judge_report *report)
{
    size_t from = v->length - v->unwritten_count, full = v->n / v->tile * v->tile;
    bool per_element = v->length == v->n;
    char text[120];

    for (size_t i = 0; i < v->length; i++)
        if (v->unwritten[i] != (i >= from))
            return false;
    if (per_element && v->device && from == full && full > 0)
        return name(report, CAUSE_UNWRITTEN + 1,
                    "the last, partial section (from element %zu on) was never written: is the "
                    "number of blocks rounded down, is the tail skipped, or does every block write "
                    "the first section?%s",
                    from, taken_twice(v, " Or ", text));
    if (per_element && v->device && from == v->tile)
        return name(
            report, CAUSE_UNWRITTEN + 2,
            "only the first section was written, elements %zu and beyond were never written", from);
    if (v->buffer->owner == LAB_BY_BLOCK && v->device && v->length > 1 && from == v->length - 1)
        return name(report, CAUSE_UNWRITTEN + 11,
                    "the result of the last section was never written: is the number of blocks "
                    "rounded down, or does its block not store?%s",
                    taken_twice(v, " Or ", text));
    if (from == 1)
        return name(report, CAUSE_UNWRITTEN + 12, "only the first element was written");
    if (from == v->length - 1)
        return name(report, CAUSE_UNWRITTEN + 3,
                    "the last element was never written: is a bound off by one?");
    return name(report, CAUSE_UNWRITTEN + 4, "the elements from %zu on were never written", from);
}

static bool name_unwritten_first(const view *v, judge_report *report)
{
    return v->unwritten_count == 1 && v->unwritten[0] && v->length > 1 && v->length == v->n &&
           name(report, CAUSE_FIRST_UNWRITTEN,
                "element 0 was never written, and all others were: does the loop that stores begin "
                "at 1, or store to i + 1? Element 0 needs a store of its own");
}

bool cause_name_unwritten(const view *v, judge_report *report)
{
    static const struct {
        bool (*in_set)(const view *, size_t);
        const char *which;
    } sets[] = {
        { last_of_section, "the last element of each section" },
        { first_of_section, "the first element of each section" },
        { odd, "every odd element" },
        { even, "every even element" },
        { upper_half, "the upper half of each section" },
        { beyond_first_warp, "what belongs to threads 32 and beyond of each block" },
    };

    if (v->unwritten_count == 0)
        return false;
    const size_t wanted = v->length - v->left_alone;
    if (v->unwritten_count == wanted && (wanted > 1 || v->left_alone == 0)) {
        if (v->device && v->launches == 0 && v->n == 0)
            return name(report, CAUSE_UNWRITTEN,
                        "no kernel was launched, so the output was never written. It has a value "
                        "even where n is 0: write it before you return, by a kernel or by "
                        "cudaMemsetAsync");
        if (v->device && v->launches == 0)
            return name(report, CAUSE_UNWRITTEN,
                        "no kernel was launched, so the output was never written");
        if (v->device && v->buffer->copied)
            return name(report, CAUSE_UNWRITTEN,
                        "the output was never written, though a kernel ran: is the number of "
                        "elements to store 0, as where no flag is set, or where flags are set only "
                        "after they are counted? Is the store missing, under a condition that "
                        "never holds, after a `return`, or to another array?");
        if (v->device)
            return name(
                report, CAUSE_UNWRITTEN,
                "the output was never written, though a kernel ran: is the store missing, under a "
                "condition that never holds, after a `return`, or to another array? Or does the "
                "kernel use a pointer that was "
                "never set (`__shared__ float *s` is not an array)? Then the compiler may drop "
                "what follows");
        return name(report, CAUSE_UNWRITTEN,
                    "the output was never written, or only with what was read from it: "
                    "`out[j] += x` reads an element that nobody has written");
    }
    if (v->left_alone > 0)
        return false; /* where an element goes follows from the data: sections mean nothing */
    const bool moved = v->buffer->copied; /* to places that may follow from the data */
    if (!moved && (name_unwritten_tail(v, report) || name_unwritten_first(v, report)))
        return true;
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        if (v->device && v->length >= v->tile && v->unwritten_count > 1 &&
            marks_are(v, v->unwritten, sets[s].in_set))
            return name(report, CAUSE_UNWRITTEN + 5 + (unsigned)s, "%s was never written",
                        sets[s].which);
    return false;
}

bool cause_name_some_unwritten(const view *v, judge_report *report)
{
    const bool moved = v->buffer->copied;
    size_t first = 0;
    char text[120];

    if (v->unwritten_count == 0 || v->left_alone > 0)
        return false; /* where an element goes follows from the data: sections mean nothing */
    while (!v->unwritten[first])
        first++;
    if (moved && v->device)
        return name(report, CAUSE_UNWRITTEN + 19,
                    "%zu of %zu elements were never written, the first of them %zu: was an element "
                    "left out, did two get the same place%s do some threads or warps not store "
                    "their share%s?",
                    v->unwritten_count, v->length, first, v->n > v->tile ? "," : ", or",
                    v->n > v->tile ? ", or was the last tile skipped" : "");
    if (v->unwritten_count == 1)
        return name(report, CAUSE_UNWRITTEN + 22,
                    "element %zu alone was never written, of %zu elements", first, v->length);
    return name(report, CAUSE_UNWRITTEN + 20,
                "%zu of %zu elements were never written, the first of them %zu%s",
                v->unwritten_count, v->length, first, taken_twice(v, ": ", text));
}

/* ---- reductions: one sum per section --------------------------------------------------------- */

typedef struct share {
    bool (*takes)(const view *, size_t);
    const char *cause;
} share;

static const share shares[] = {
    { in_lower_half, "upper half unused: only the first half of each section is added" },
    { upper_half, "lower half unused: only the second half of each section is added" },
    { in_first_quarter, "only the first quarter of each section is added" },
    { even, "only the even elements are added" },
    { odd, "only the odd elements are added" },
    { not_last, "the last element of each section is left out: is a bound off by one?" },
    { not_first, "the first element of each section is left out" },
    { first_of_section,
      "each result is the first element of its section: nothing was added to it" },
    { in_first_warp, "only the first 32 elements of each section are added" },
    { in_first_two_warps, "only the first 64 elements of each section are added" },
    { in_every_warp_first, "only every 32nd element is added" },
    { in_full_section, "the last, partial section is ignored" },
    { in_first_section, "only the first section is added" },
};

/* What result number `which` would be if only the elements that `takes` names were added: its
   section's, or all. */
static double share_sum(const view *v, size_t which, bool (*takes)(const view *, size_t))
{
    size_t reach = v->buffer->owner == LAB_BY_GRID ? v->n : v->tile;
    size_t end = (which + 1) * reach < v->n ? (which + 1) * reach : v->n;
    double sum = 0;
    for (size_t i = which * reach; i < end; i++)
        if (takes(v, i))
            sum += v->x[i];
    return sum;
}

static bool sums_are(const view *v, const double *sums, bool (*takes)(const view *, size_t))
{
    for (size_t s = 0; s < v->length; s++)
        if (sums[s] != share_sum(v, s, takes))
            return false;
    return true;
}

/* A sum of nothing says nothing. */
static bool takes_some(const view *v, bool (*takes)(const view *, size_t))
{
    for (size_t i = 0; i < v->n; i++)
        if (takes(v, i))
            return true;
    return false;
}

bool cause_name_left_out(const view *v, judge_report *report)
{
    size_t results = v->buffer->owner == LAB_BY_GRID ? 1 : (v->n + v->tile - 1) / v->tile;
    if (!v->x || v->length == 0 || v->length != results || !sums_are(v, v->expected, all_elements))
        return false;
    for (size_t s = 0; s < sizeof shares / sizeof shares[0]; s++)
        if (v->n > 1 && takes_some(v, shares[s].takes) && sums_are(v, v->got, shares[s].takes))
            return name(report, CAUSE_COMMON + 40 + (unsigned)s, "%s", shares[s].cause);
    return false;
}

/* ---- where the wrong elements stand ---------------------------------------------------------- */

static bool wrong_within(const view *v, bool (*in_set)(const view *, size_t))
{
    for (size_t i = 0; i < v->length; i++)
        if (v->bad[i] && !in_set(v, i))
            return false;
    return true;
}

/* The same, and at least half of the set is wrong: a few elements may lie there by chance, and say
   nothing of the others. */
static bool wrong_mostly(const view *v, bool (*in_set)(const view *, size_t))
{
    size_t set = 0;
    for (size_t i = 0; i < v->length; i++)
        set += in_set(v, i);
    return 2 * v->wrong >= set && wrong_within(v, in_set);
}

bool cause_name_wrong_places(const view *v, judge_report *report)
{
    unsigned kind = CAUSE_COMMON + 60;

    if (v->length != v->n || v->length < 4 || v->wrong == v->length)
        return false;
    if (marks_are(v, v->bad, last_element))
        return name(report, kind, "only the last element is wrong: is a bound off by one?");
    if (marks_are(v, v->bad, first_element))
        return name(report, kind + 1, "only the first element is wrong");
    if (!v->device)
        return false; /* no sections, no warps */
    if (v->n > v->tile && wrong_within(v, last_of_section))
        return name(report, kind + 2,
                    "wrong only in the last element of sections: is a bound off by one?");
    if (v->n > v->tile && wrong_within(v, first_of_section))
        return name(report, kind + 3, "wrong only in the first element of sections");
    if (v->n > v->tile && v->n % v->tile != 0 && wrong_within(v, in_partial_section))
        return name(report, kind + 4,
                    "wrong only in the last, partial section: do elements beyond n take part, or "
                    "are some before n left out?");
    if (v->tile > v->warp_run && wrong_within(v, first_of_later_warp))
        return name(report, kind + 8,
                    "wrong only in the first lane of warps: look at what it takes from the warp "
                    "before it, or is not to take");
    if (v->n > v->tile && wrong_mostly(v, beyond_first_section))
        return name(report, CAUSE_LATER_SECTIONS,
                    "the first section is right, later ones are wrong: look at how a block finds "
                    "its elements%s",
                    judge_passes(v->part, v->tile) ? " and its carry" : "");
    if (v->buffer->owner == LAB_BY_GRID)
        return false; /* an element's place says nothing about threads */
    if (v->tile > v->warp_run && wrong_mostly(v, beyond_first_warp))
        return name(report, CAUSE_LATER_WARPS,
                    "warp boundary: the first warp of every block is right, others are wrong: look "
                    "at %s",
                    judge_passes(v->part, v->warp_run) ? "what one warp hands to the next, and when"
                                                       : "how a warp finds its elements");
    if (wrong_within(v, upper_half) && v->n > v->tile / 2)
        return name(report, kind + 7,
                    "right in the lower half of each section, wrong in the upper half: is the last "
                    "step missing?");
    return false;
}
