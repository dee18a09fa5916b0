/*
 * diagnoses.h: what a wrong section of lab 12 may come from: sections as some well-known slips
 * leave them. For inclusion by lab.c, after section_scans.h and the widths of rows.
 */
#ifndef DIAGNOSES_H
#define DIAGNOSES_H

#include <math.h>
#include <string.h>

#include "lab.h"
#include "places.h"

typedef enum slip {
    LOADED,        /* nothing was done */
    ROWS_ALONE,    /* each row is scanned, and nothing crosses its border */
    ONE_BEFORE,    /* to each row the sum of the row before alone was added */
    OWN_TOO,       /* to each row but the first its own sum was added besides */
    OWN_TOO_FIRST, /* to the first as well */
    FIRST_OWN_TOO, /* to the first alone */
    OWN_ALONE,     /* to each row its own sum was added, and nothing of the rows before */
    FIRST_ROW_RAW, /* right, but the first row is as loaded */
    FIRST_TWICE,   /* the first row's sums are added up again */
    FIRST_LEFT,    /* a row leaves its first element, not its sum */
    VALUE_RAW,     /* what lies before its row was added to a value that is not scanned */
    LEVEL_MISSING, /* Sklansky without the last level */
    FIRST_LEVEL,   /* Sklansky without the first one */
    GROUP_BEFORE,  /* Sklansky: a row takes the word `group` rows before it */
    FIRST_RAW,     /* Sklansky: the first row of each right group takes nothing */
    SECOND_ROW,    /* right, but nothing was added to the second row */
    STALE_SUMS,    /* Sklansky: last sums of rows are not renewed between levels */

    /* rows end with a word each; what is made of these, element by element: */
    LAST_LEFT,       /* a row leaves its last element, not its sum */
    NOT_SCANNED,     /* the same, and what lies before its row is added to an element as loaded */
    FIRST_RESCANNED, /* in place of the words, row 0 scans its own sums */
    FIRST_SCANNED,   /* the same, its own elements */
    LANE_WORD,       /* an element takes the word of its lane, not of its row */
    SUM_LOST,     /* row 0 has the scan of the words for its own sums, and leaves the words alone */
    ONLY_SECOND,  /* nothing is added to the rows after the second */
    IN_PAIRS,     /* in place of a scan, each element takes its left neighbour, or itself */
    SUMMED_AGAIN, /* words of all rows before are added, which were scanned */

    /* raking */
    FEW_SUMMED,      /* row r's sum is that of its first r elements */
    FEW_SUMMED_ONE,  /* the same; of row 0, of one */
    FEW_SCANNED,     /* of row r, the first r elements are scanned */
    VALUE_HANDED_ON, /* a row starts from the element that the lane to the left has loaded */
    FROM_TOTAL,      /* each row but the first starts from the sum of all */
    TWO_TO_THE_LEFT, /* a row starts from what the lane two to the left has */
    LESS_ITS_VALUE,  /* a row starts from the sum up to it, less the element that its lane loaded */

    /* Sklansky */
    FIRST_OF_LEVELS,              /* of this order: */
    EACH_GROUP = FIRST_OF_LEVELS, /* groups grow by one row, not twofold */
    EACH_GROUP_BITS,              /* the same, where the right groups are those with row & group */
    FROM_GROUP_ON,                /* rows of left groups add as well, from row `group` on */
    ALL_BUT_FIRST,                /* the same, all rows but the first */
    LEFT_ADDS,                    /* those of left groups add, not those of right ones */
    ROW_BEFORE,                   /* a row of a right group adds the word of the row before it */
    THREADS_ADD,                  /* the right groups are told by the thread, not by its row */
    LAST_LEFT_LEVELS              /* a row leaves its last element, at every level */
} slip;

/* The word that a row of the left group leaves for the right one. */
static size_t word_read(slip kind, size_t row, size_t group)
{
    if (kind == ROW_BEFORE)
        return row - 1;
    return kind == EACH_GROUP ? row / group * group - 1
                              : row / (2 * group) * (2 * group) + group - 1;
}

static bool adds_at_level(slip kind, size_t t, size_t row, size_t group)
{
    switch (kind) {
    case EACH_GROUP: return row / group % 2 == 1;
    case FROM_GROUP_ON: return row >= group;
    case ALL_BUT_FIRST: return row > 0;
    case LEFT_ADDS: return !(row & group);
    case THREADS_ADD: return t & group;
    default: return row & group;
    }
}

/* scan: of each row. */
static void join_levels(slip kind, const float *section, float *scan, size_t width)
{
    const bool by_one = kind == EACH_GROUP || kind == EACH_GROUP_BITS;
    float word[WIDTH] = { 0 };

    for (size_t group = 1; group < width; group = by_one ? group + 1 : 2 * group) {
        for (size_t r = 0; r < width; r++)
            if (kind == EACH_GROUP ? (r + 1) % group == 0 : r % (2 * group) == group - 1)
                word[r] = (kind == LAST_LEFT_LEVELS ? section : scan)[(r + 1) * width - 1];
        for (size_t t = 0; t < width * width; t++)
            if (adds_at_level(kind, t, t / width, group)) {
                const size_t from = word_read(kind, t / width, group);
                scan[t] += from < width ? word[from] : 0;
            }
    }
}

/* What each row has for the sum of the rows up to it. */
static void scan_words(slip kind, const float *section, const float *scan, float *up_to,
                       size_t width)
{
    float sum = 0;

    for (size_t r = 0; r < width; r++) {
        const float *row = section + r * width;
        float word = scan[(r + 1) * width - 1];
        if (kind == LAST_LEFT || kind == NOT_SCANNED)
            word = row[width - 1];
        else if (kind == FIRST_RESCANNED)
            word = scan[r];
        else if (kind == FIRST_SCANNED)
            word = section[r];
        else if (kind == FEW_SUMMED || kind == FEW_SUMMED_ONE)
            word = r > 0 ? scan[r * width + r - 1] : kind == FEW_SUMMED_ONE ? row[0] : 0;
        sum = kind == SUM_LOST ? word : sum + word;
        up_to[r] = sum;
    }
}

static float before_row(slip kind, const float *section, const float *up_to, size_t row,
                        size_t lane, size_t width)
{
    float sum = 0;

    if (kind == LESS_ITS_VALUE)
        return up_to[row] - section[row];
    if (row == 0 || (kind == ONLY_SECOND && row > 1))
        return 0;
    for (size_t r = 0; kind == SUMMED_AGAIN && r < row; r++)
        sum += up_to[r];
    switch (kind) {
    case LANE_WORD: return up_to[lane];
    case SUMMED_AGAIN: return sum;
    case VALUE_HANDED_ON: return section[row - 1];
    case FROM_TOTAL: return up_to[width - 1];
    case TWO_TO_THE_LEFT: return up_to[row > 1 ? row - 2 : 0];
    default: return up_to[row - 1];
    }
}

/* Of the kinds from LAST_LEFT on. */
static void leave_by_element(slip kind, float *section, size_t width)
{
    float scan[SECTION], up_to[WIDTH], words = 0;

    for (size_t t = 0; t < width * width; t++) {
        const bool first = t % width == 0;
        scan[t] = section[t] + (kind == IN_PAIRS ? section[first ? t : t - 1]
                                : first          ? 0
                                                 : scan[t - 1]);
    }
    if (kind >= FIRST_OF_LEVELS) {
        join_levels(kind, section, scan, width);
    } else {
        scan_words(kind, section, scan, up_to, width);
        for (size_t t = 0; t < width * width; t++) {
            const size_t row = t / width, lane = t % width;
            const float before = before_row(kind, section, up_to, row, lane, width);
            if (kind == SUM_LOST && row == 0)
                scan[t] = words += up_to[lane];
            else if (kind == NOT_SCANNED || (kind == FEW_SCANNED && lane >= row))
                scan[t] = section[t] + (kind == NOT_SCANNED ? before : 0);
            else
                scan[t] += before;
        }
    }
    memcpy(section, scan, width * width * sizeof *scan);
}

/* Sklansky, where a row of a right group takes another word than the last one of the left group, or
   none. */
static float joined(slip kind, const float *sum, size_t row, size_t width)
{
    float word[WIDTH] = { 0 }, before[WIDTH] = { 0 };

    for (size_t group = 1; group < width; group *= 2) {
        for (size_t r = group - 1; r < width; r += group)
            word[r] = before[r] + sum[r];
        for (size_t r = 0; r < width; r++)
            if (r / group % 2 == 1 && (kind == GROUP_BEFORE || r % group > 0))
                before[r] += word[kind == GROUP_BEFORE ? r - group : r / group * group - 1];
    }
    return before[row];
}

/* What is added to a row: sum has what each row leaves. */
static float added(slip kind, const float *sum, size_t row, size_t width)
{
    const size_t half = width / 2;
    float before = 0;

    if (kind == ROWS_ALONE)
        return 0;
    if (kind == ONE_BEFORE)
        return row > 0 ? sum[row - 1] : 0;
    if (kind == STALE_SUMS) {
        for (size_t group = 1; group < width; group *= 2)
            before += row / group % 2 == 1 ? sum[row / group * group - 1] : 0;
        return before;
    }
    if (kind == GROUP_BEFORE || kind == FIRST_RAW)
        return joined(kind, sum, row, width);
    if (kind == SECOND_ROW && row == 1)
        return 0;
    if (kind == OWN_ALONE)
        return sum[row];
    if (kind == FIRST_LEVEL) {
        for (size_t r = 1; r < row / 2 * 2; r += 2)
            before += sum[r];
        return before;
    }
    for (size_t r = kind == LEVEL_MISSING ? row / half * half : 0; r < row; r++)
        before += sum[r];
    const bool own = kind == OWN_TOO_FIRST || (row > 0 ? kind == OWN_TOO : kind == FIRST_OWN_TOO);
    return before + (own ? sum[row] : 0);
}

/* section: width rows of width elements, 0 beyond n. */
static void leave(slip kind, float *section, size_t width)
{
    float sum[WIDTH] = { 0 };

    if (kind == LOADED)
        return;
    if (kind >= LAST_LEFT) {
        leave_by_element(kind, section, width);
        return;
    }
    for (size_t row = 0; row < width; row++)
        for (size_t k = 0; k < (kind == FIRST_LEFT ? 1 : width); k++)
            sum[row] += section[row * width + k];
    for (size_t row = kind == FIRST_ROW_RAW ? 1 : 0; row < width; row++) {
        const float before = added(kind, sum, row, width);
        float up_to = before;
        for (size_t k = row * width; k < (row + 1) * width; k++) {
            up_to += section[k];
            section[k] = kind == VALUE_RAW ? before + section[k] : up_to;
        }
    }
    for (size_t k = 1; kind == FIRST_TWICE && k < width; k++)
        section[k] += section[k - 1];
}

static bool is_slip(const lab_mismatch *m, size_t width, slip kind)
{
    const float *in = m->inputs[0], *got = m->got;
    const size_t size = width * width;

    for (size_t first = 0; first < m->length; first += size) {
        float section[SECTION] = { 0 };
        const size_t count = m->length - first < size ? m->length - first : size;

        memcpy(section, in + first, count * sizeof *in);
        leave(kind, section, width);
        for (size_t k = 0; k < count; k++)
            if (got[first + k] != section[k])
                return false;
    }
    return true;
}

static bool has_infinite(const lab_mismatch *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (isinf(((const float *)m->inputs[0])[i]))
            return true;
    return false;
}

typedef struct slip_words {
    slip kind;
    const char *cause;
} slip_words;

/* Where no element is beyond the first row, the other slips look alike. */
static bool shows_in_first_row(slip kind)
{
    return kind == LOADED || kind == FIRST_ROW_RAW || kind == FIRST_TWICE || kind == VALUE_RAW ||
           kind == FIRST_OWN_TOO || kind == OWN_TOO_FIRST || kind == OWN_ALONE ||
           kind == NOT_SCANNED || kind == SUM_LOST || kind == IN_PAIRS || kind == FEW_SCANNED ||
           kind == LESS_ITS_VALUE || kind == LEFT_ADDS || kind == THREADS_ADD;
}

static const char *find_slip(const lab_mismatch *m, size_t width, const slip_words *words,
                             size_t count)
{
    if (isnan(((const float *)m->got)[m->index]) && has_infinite(m))
        return "an infinite element has spoiled others, which lie before it, or which are of "
               "another section: to multiply by 0 what is not to be added, or to add it and "
               "subtract it again, makes a NaN. Add under an if, and take nothing away again";
    for (size_t k = 0; k < count; k++)
        if ((m->index >= width || shows_in_first_row(words[k].kind)) &&
            is_slip(m, width, words[k].kind))
            return words[k].cause;
    return NULL;
}

#define SLIPS(table) table, sizeof table / sizeof table[0]

#define ROW_0_SCANNED                                                                              \
    "the lanes of row 0 have scanned what they had of their own row: what they have to scan are "  \
    "the rows' sums, which stand in s_sum"

#define UNCHANGED                                                                                  \
    "the output is the input as it was loaded: is the sum computed, and does the function return " \
    "it, and not value?"

/* In this order: of an array of one row, the first that fits has to be true of those after it. */
static const slip_words propagate_slips[] = {
    { LOADED, UNCHANGED },
    { ROWS_ALONE, "each row is scanned, but nothing of the rows before it is added to it" },
    { ONE_BEFORE, "each row got the sum of the row before it alone: one warp has to scan the rows' "
                  "sums first" },
    { OWN_TOO, "a row's own sum was added to it as well: the scan of the sums is inclusive, so "
               "that what lies before a row stands one place further left" },
    { FIRST_OWN_TOO, "the first row's own sum was added to it as well: before the first row lies "
                     "nothing" },
    { OWN_TOO_FIRST, "a row's own sum was added to it as well, the first one's too: the scan of "
                     "the sums is inclusive, so that what lies before a row stands one place "
                     "further left, and before the first row lies nothing" },
    { FIRST_LEFT, "each row has left its first element in place of its sum: the sum is what the "
                  "row's last lane has" },
    { VALUE_RAW, "what lies before a row was added to its elements as they were loaded: add it to "
                 "the row's scan" },
    { OWN_ALONE, "each row got its own sum, and nothing of the rows before it: one warp has to "
                 "scan the rows' sums, and what lies before a row ends with the row before it" },
    { SECOND_ROW, "nothing was added to row 1: row 0 lies before it" },
    { LAST_LEFT, "each row has left its last element as it was loaded, in place of its sum: that "
                 "is what the row's last lane has after the warp's scan" },
    { NOT_SCANNED, "the elements of a row were not added up: the row's scan is what scan_warp "
                   "returns, so that has to be kept and used" },
    { FIRST_RESCANNED, ROW_0_SCANNED },
    { FIRST_SCANNED, ROW_0_SCANNED },
    { LANE_WORD, "to each element the word of its lane was added: all elements of a row take the "
                 "same word, that of the row before theirs" },
    { SUM_LOST, "the lanes of row 0 have put the scan of the rows' sums in place of their own "
                "elements' sums: it belongs into s_sum, from where each row takes it" },
    { ONLY_SECOND, "only row 1 got what lies before it: every row after the first needs it" },
    { IN_PAIRS, "to each element its left neighbour was added, or where there is none, the element "
                "itself: a row is scanned by scan_warp" },
    { SUMMED_AGAIN, "the rows' sums are scanned and then added up again: after the scan, the word "
                    "of the row before holds all that lies before a row" },
};
#define ROW_AND_WIDTH_OF_SUM                                                                       \
    "of row r only the first r elements are in its sum: are row and width in the right order "     \
    "where sum_row is called?"

static const slip_words raking_slips[] = {
    { LOADED, UNCHANGED },
    { ROWS_ALONE, "each row is scanned, but nothing of the rows before it is added to it" },
    { ONE_BEFORE, "each row starts from the sum of the row before it alone: the warp has "
                  "to scan the rows' sums first" },
    { OWN_TOO, "a row's own sum was added to it as well: the scan of the sums is inclusive, and "
               "what lies before a row is what the lane to its left has" },
    { FIRST_ROW_RAW, "the first row came out as it was loaded: it is to be added up as well, by "
                     "sum_row or by scan_row, though nothing lies before it" },
    { FIRST_OWN_TOO, "the first row's own sum was added to it as well: before the first row lies "
                     "nothing, so that it starts from 0. Neither the scanned sum of its lane nor "
                     "what from_left gives that lane is 0" },
    { OWN_TOO_FIRST, "a row's own sum was added to it as well, the first one's too: what lies "
                     "before a row is the sum up to the row before it" },
    { OWN_ALONE, "each row starts from its own sum: the warp has to scan the rows' sums, and what "
                 "lies before a row is what the lane to its left has then" },
    { FIRST_TWICE, "the first row is added up twice: where sum_row leaves its running sums, these "
                   "are results, and scan_row must not add them up again" },
    { FEW_SUMMED, ROW_AND_WIDTH_OF_SUM },
    { FEW_SUMMED_ONE, ROW_AND_WIDTH_OF_SUM },
    { FEW_SCANNED, "of row r only the first r elements are added up: are row and width in the "
                   "right order where scan_row is called?" },
    { VALUE_HANDED_ON, "each row starts from the element that the lane to its left has loaded: "
                       "from_left has to hand on the scanned sum" },
    { FROM_TOTAL, "each row but the first starts from the sum of all rows: what lies before a row "
                  "is the scanned sum of the lane to its left" },
    { TWO_TO_THE_LEFT, "from row 2 on, each row lacks the sum of the row before it: what lies "
                       "before a row is the scanned sum one lane to the left, not two" },
    { LESS_ITS_VALUE, "each row starts from the sum up to it, less `value`: that is one element, "
                      "not the row's sum. Take what lies before a row from the lane to its left" },
};
#define GROUPS_DOUBLE                                                                              \
    "a group grows by one row from level to level: the groups are of 1, 2, 4, ... rows, each "     \
    "twice as long as the one before"
#define LEFT_ADDS_TOO                                                                              \
    "rows of left groups add a word as well: only those of right groups do, where row / group is " \
    "odd"

static const slip_words sklansky_slips[] = {
    { LOADED, UNCHANGED },
    { ROWS_ALONE, "each row is scanned, but no level joins two groups of rows" },
    { LEVEL_MISSING, "the last level is missing: the groups of half a section are not joined" },
    { FIRST_LEVEL, "the first level is missing: rows are not joined in pairs, groups of 1" },
    { FIRST_LEFT, "each row has left its first element in place of its last sum: that is what the "
                  "row's last lane has" },
    { STALE_SUMS, "a group's last sum is still that of its last row alone: leave it anew at every "
                  "level, after the additions of the level before" },
    { OWN_TOO, "a row's own sum was added to it as well" },
    { GROUP_BEFORE, "a row adds the word of the row `group` rows before it: all rows of a right "
                    "group add the same one, that of the left group's last row" },
    { FIRST_RAW, "the first row of each right group gets nothing: the right groups are those with "
                 "row / group odd" },
    { EACH_GROUP, GROUPS_DOUBLE },
    { EACH_GROUP_BITS, GROUPS_DOUBLE },
    { FROM_GROUP_ON, LEFT_ADDS_TOO },
    { ALL_BUT_FIRST, LEFT_ADDS_TOO },
    { LEFT_ADDS, "the rows of left groups add, and those of right groups do not: it is the right "
                 "groups that lack a sum, those with row / group odd" },
    { ROW_BEFORE, "a row adds the word of the row before it: all rows of a right group add the "
                  "same one, that of the left group's last row" },
    { THREADS_ADD, "which elements add follows from the thread's number: it has to follow from "
                   "its row, so that all elements of a row add the same" },
    { LAST_LEFT_LEVELS, "each row has left its last element as it was loaded, in place of its last "
                        "sum: leave the sum, anew at every level" },
};

static const char *propagate_diagnose(const lab_mismatch *m)
{
    return find_slip(m, WIDTH, SLIPS(propagate_slips));
}
static const char *propagate_16_diagnose(const lab_mismatch *m)
{
    return find_slip(m, STEP_WIDTH, SLIPS(propagate_slips));
}
static const char forgotten_place[] =
    "elements are taken from other places than where they stand, which is word place(i) of element "
    "i: so use place for each access to s_value";

/* Where an element is taken from that is not in word place(...), by the starter's place. */
static bool is_exchanged(const lab_mismatch *m, size_t size, bool in, bool out)
{
    const float *d_in = m->inputs[0], *got = m->got;

    for (size_t first = 0; first < m->length; first += size) {
        float sum[SECTION], up_to = 0;
        for (size_t k = 0; k < size; k++) {
            const size_t i = first + (in ? k ^ STARTERS_PLACE : k);
            up_to += i < m->n ? d_in[i] : 0;
            sum[k] = up_to;
        }
        for (size_t k = 0; k < size && first + k < m->length; k++)
            if (got[first + k] != sum[out ? k ^ STARTERS_PLACE : k])
                return false;
    }
    return true;
}

static const char *raking_cause(const lab_mismatch *m, size_t width)
{
    const char *cause = find_slip(m, width, SLIPS(raking_slips));
    for (unsigned way = 1; !cause && way <= 3; way++)
        if (is_exchanged(m, width * width, way & 1, way & 2))
            cause = forgotten_place;
    return cause || width < WIDTH ? cause : place_diagnose(m, rakes_from);
}

static const char *raking_diagnose(const lab_mismatch *m) { return raking_cause(m, WIDTH); }
static const char *raking_16_diagnose(const lab_mismatch *m) { return raking_cause(m, STEP_WIDTH); }
static const char *sklansky_diagnose(const lab_mismatch *m)
{
    return find_slip(m, WIDTH, SLIPS(sklansky_slips));
}
static const char *sklansky_16_diagnose(const lab_mismatch *m)
{
    static const slip_words first[] = {
        { ROWS_ALONE, "each row is scanned, but no level joins two groups of rows. width is 4 "
                      "here: is 32 used for it, as in t / 32 for the row?" },
    };
    const char *cause = find_slip(m, STEP_WIDTH, SLIPS(first));
    return cause ? cause : find_slip(m, STEP_WIDTH, SLIPS(sklansky_slips));
}

#endif
