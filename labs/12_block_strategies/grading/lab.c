/*
 * Declaration of lab 12: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for a section of w rows of w elements, w = 32, and w = 4 in the
 * steps. A warp scan of w lanes makes w log2 w - (w - 1) additions, W = 129 and 5, of depth log2 w.
 *     propagate   (w + 1) W + (w - 1) w             5249   37    depth 2 log2 w + 1            11 5
 *     raking      w (w - 1) + W + (w - 1) w         2113   29    depth w - 1 + log2 w + w      68 9
 *     Sklansky    w W + log2 w * w^2 / 2            6688   36    depth 2 log2 w                10 4
 *     barriers    2, 2 and log2 w
 * The first two may make w additions more: who adds what lies before a row to the first one too,
 * where that is 0, or adds the first row up again, as the others are. A partial last section is
 * padded with zeros and so costs as much as a full one; doing less there is fine.
 *
 * Shared memory, passes a section: propagate 32 + 1 + 1 + 31 = 65; Sklansky 62 stores of last rows
 * and 5 * 16 loads = 142; raking 32 stores, 32 + 31 of the first way, 32 + 32 of the second, 32
 * loads, about 160 and at least that. Lanes of the raking warp lie a row, 32 words, apart: in one
 * bank, unless padded: 32 passes for each of some 96 accesses. A tenth more than the ideal passes.
 */
#include "block_strategies.h"

enum {
    SECTION = BLOCK_STRATEGIES_SECTION,
    WIDTH = BLOCK_STRATEGIES_WIDTH,
    STEP = BLOCK_STRATEGIES_STEP,
    STEP_WIDTH = BLOCK_STRATEGIES_STEP_WIDTH,
    ROWS_TRIED = 2 * BLOCK_STRATEGIES_BANKS, /* elements of rows that one block tries alone */
    MOST_STEP = 256,                         /* elements of a step */
    STARTERS_PLACE = 4 /* until TODO 5 is done, place(i) is i ^ 4: pairs of a step's rows change */
};

#include "section_scans.h"
#include "diagnoses.h"

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, SECTION)
LIMIT(depth_5, 5)
LIMIT(depth_9, 9)
LIMIT(depth_4, 4)
LIMIT(depth_11, 11)
LIMIT(depth_76, 76)
LIMIT(depth_10, 10)

static double steps(size_t n) { return (double)((n + STEP - 1) / STEP); }

static double propagate_additions(size_t n) { return sections(n) * 1.12 * 5249; }
static double raking_additions(size_t n) { return sections(n) * 1.15 * 2113; }
static double sklansky_additions(size_t n) { return sections(n) * 1.12 * 6688; }
static double propagate_16_additions(size_t n) { return steps(n) * (37 + STEP_WIDTH); }
static double raking_16_additions(size_t n) { return steps(n) * (29 + STEP_WIDTH); }
static double sklansky_16_additions(size_t n) { return steps(n) * 36; }
static double least_step_additions(size_t n) { return (double)n - steps(n); }

static double three_barriers(size_t n) { return 3 * sections(n); }
static double six_barriers(size_t n) { return 6 * sections(n); }

/* Of a step's one warp: 3 + 2 + 4 or 4 + 2 + 4 instructions, and half as many to spare. */
static double raking_16_issues(size_t n) { return 15 * steps(n); }
static double own_barrier(size_t n) { return (double)((n + ROWS_TRIED - 1) / ROWS_TRIED); }
static double two_own_barriers(size_t n) { return 2 * own_barrier(n); }

static double propagate_conflicts(size_t n) { return 6 * sections(n); }
static double raking_issues(size_t n) { return 68 * sections(n); }
static double raking_conflicts(size_t n) { return 16 * sections(n); }
static double sklansky_conflicts(size_t n) { return 14 * sections(n); }

#define ADDITIONS(limit, formula, advice)                                                          \
    LAB_ADDITIONS, LAB_AT_MOST, limit, "additions", formula, advice
#define DEPTH(limit, formula, advice) LAB_DEPTH, LAB_AT_MOST, limit, "depth", formula, advice
#define BARRIERS(limit, formula, advice)                                                           \
    LAB_BARRIERS, LAB_AT_MOST, limit, "barriers", formula, advice
#define CONFLICTS(limit, formula, advice)                                                          \
    LAB_BANK_CONFLICTS, LAB_AT_MOST, limit, "bank conflicts", formula, advice
#define SECTION_GATES                                                                              \
    LAB_ENTRIES({ INCLUSIVE_ADDITIONS_MADE }, { BYTES_READ }, { BYTES_WRITTEN },                   \
                { WHOLE_SECTORS }, ONE_LAUNCH_ALONE, { NO_ATOMICS }, { ALL_IN_FLOAT },             \
                SECTION_EACH(least_blocks, block_threads, "1024"))
#define STEP_ADDITIONS_MADE                                                                        \
    ADDITIONS_MADE(least_step_additions,                                                           \
                   "n - ceil(n / 16): each element but a section's first is added to something")

#define PROPAGATE_ADVICE                                                                           \
    "Scan each row by its warp, the rows' sums by one warp alone, and add one value to each "      \
    "element of the rows after the first."
#define RAKING_ADVICE                                                                              \
    "Let each lane of one warp add its row up, scan the sums by scan_warp, get what lies before "  \
    "a row by from_left, and add each row up once more; no subtraction is needed."
#define RAKE_ADVICE                                                                                \
    "Lanes of one warp rake side by side, each its own row: where one lane does what all could, "  \
    "be it for all rows or for the row of its warp, that takes a multiple of the instructions."
#define SKLANSKY_ADVICE                                                                            \
    "At every level half of the rows add one value to each of their elements: those in the right " \
    "group of a pair."

/* ---- steps ----------------------------------------------------------------------------------- */

static void step_reference(void *const *buffers, size_t n)
{
    scan_runs_inclusive(buffers, n, STEP);
}

static size_t rows(size_t n) { return (n + STEP_WIDTH - 1) / STEP_WIDTH; }

static void row_sums_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *sum = buffers[1];

    for (size_t r = 0; r < rows(n); r++) {
        sum[r] = 0;
        for (size_t i = r * STEP_WIDTH; i < run_end(r * STEP_WIDTH, STEP_WIDTH, n); i++)
            sum[r] += in[i];
    }
}

static void row_scans_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0], *before = buffers[1];
    float *out = buffers[2];

    for (size_t i = 0; i < n; i++)
        out[i] = (i % STEP_WIDTH == 0 ? before[i / STEP_WIDTH] : out[i - 1]) + in[i];
}

static const char place_of_row[] = "the elements of another row are taken: place takes the number "
                                   "of an element, place(row * width "
                                   "+ k), not of a row";

/* Is the sum of each row that of its elements but the first, and of the next row's first one? */
static bool is_one_later(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got;

    for (size_t r = 0; r < m->length; r++) {
        float sum = 0;
        for (size_t i = r * STEP_WIDTH + 1; i <= (r + 1) * STEP_WIDTH && i < m->n; i++)
            sum += in[i];
        if (got[r] != sum)
            return false;
    }
    return true;
}

/* The same of a row's scan: its first element gets the sum of the row before, if there is one. */
static bool is_scan_one_later(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *before = m->inputs[1], *got = m->got;
    float sum = 0;

    for (size_t i = 0; i < m->length; i++) {
        if (got[i] != (i % ROWS_TRIED == 0 ? in[i] : sum + in[i]) && i % STEP_WIDTH == 0)
            return false;
        if (i % STEP_WIDTH == 0)
            sum = before[i / STEP_WIDTH];
        else if (got[i] != (sum += in[i]))
            return false;
    }
    return true;
}

#define ONE_LATER                                                                                  \
    "the loop goes over elements 1 to width: a row's elements are those from row * width + 0 to "  \
    "row * width + width - 1"

/* Is the sum of each row that of `count` elements, `stride` apart, from element row * pitch on, of
   another row where they are exchanged in pairs? Of one block's rows, 16 of 4. */
static bool is_row_sum(const lab_mismatch *m, size_t count, size_t pitch, size_t stride,
                       size_t exchanged)
{
    const float *in = m->inputs[0], *got = m->got;

    if (m->n <= STEP_WIDTH || m->n >= 4 * STEP)
        return false;
    for (size_t r = 0; r < m->length; r++) {
        float sum = 0;
        for (size_t k = 0; k < count; k++) {
            const size_t i = (r ^ exchanged) * pitch + k * stride;
            sum += i < m->n ? in[i] : 0;
        }
        if (got[r] != sum)
            return false;
    }
    return true;
}

static const char *row_sums_diagnose(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got;
    size_t first = 0, last = 0, twice = 0, zero = 0;

    if (is_row_sum(m, STEP_WIDTH, 1, 1, 0))
        return "rows begin one element apart: row r begins at element r * width";
    if (is_row_sum(m, STEP_WIDTH, 0, 1, 0))
        return "each row got the sum of the first one: element k of row r is element r * width + k";
    if (is_row_sum(m, STEP_WIDTH, 1, STEP_WIDTH, 0))
        return "columns are added up, not rows: element k of row r is element r * width + k";
    if (is_row_sum(m, STEP_WIDTH - 1, STEP_WIDTH, 1, 0))
        return "the row's last element is left out of its sum";
    if (is_row_sum(m, STEP_WIDTH + 1, STEP_WIDTH, 1, 0))
        return "the next row's first element is in the sum as well: a row has width elements";
    if (is_row_sum(m, STEP_WIDTH, STEP_WIDTH, 1, 1))
        return forgotten_place;
    if (is_row_sum(m, STEP_WIDTH, STEP_WIDTH, 1, 5))
        return place_of_row;
    if (is_one_later(m))
        return ONE_LATER;

    for (size_t r = 0; r < m->length; r++) {
        const size_t end = run_end(r * STEP_WIDTH, STEP_WIDTH, m->n);
        float sum = in[r * STEP_WIDTH];
        for (size_t i = r * STEP_WIDTH; i < end; i++)
            sum += in[i];
        twice += got[r] == sum;
        first += got[r] == in[r * STEP_WIDTH];
        last += end % STEP_WIDTH == 0 && got[r] == in[end - 1];
        zero += got[r] == 0;
    }
    if (zero == m->length)
        return "every sum is 0: does sum_row return the sum that it has added up?";
    if (twice == m->length)
        return "the row's first element is in its sum twice: if the sum begins with it, the loop "
               "begins at element 1";
    if (first == m->length)
        return "the sum is the row's first element: nothing is added to it";
    return last > 1 && last >= m->n / STEP_WIDTH
               ? "the sum is the row's last element: add each to the sum so far"
               : place_diagnose(m, sums_are_from);
}

/* Does row r take the elements of row r ^ other, by the starter's place, and leave the sums in its
   own words or, in_place, in theirs? */
static bool is_of_other_row(const lab_mismatch *m, size_t other, bool in_place)
{
    const float *in = m->inputs[0], *before = m->inputs[1], *got = m->got;
    float sum = 0;

    for (size_t i = 0; i < m->length; i++) {
        const size_t row = i / STEP_WIDTH, taker = in_place ? row ^ other : row,
                     from = in_place ? i : (row ^ other) * STEP_WIDTH + i % STEP_WIDTH;
        if (taker < rows(m->n)) {
            sum = i % STEP_WIDTH == 0 ? before[taker] : sum;
            sum += from < m->n ? in[from] : 0;
        }
        if (got[i] != (taker < rows(m->n) ? sum : in[i]))
            return false;
    }
    return true;
}

/* Is each row scanned from its end, or is what has been changed already added up again? */
static bool is_scan_of(const lab_mismatch *m, bool from_end, bool rest_too)
{
    const float *in = m->inputs[0], *before = m->inputs[1], *got = m->got;

    for (size_t r = 0; r < rows(m->n); r++) {
        const size_t begin = r * STEP_WIDTH, end = run_end(begin, STEP_WIDTH, m->n);
        float changed = 0, rest = 0;
        for (size_t i = begin; i < end; i++)
            rest += in[i];
        for (size_t i = begin; i < end; i++) {
            const float sum = before[r] + (from_end ? rest : changed + (rest_too ? rest : in[i]));
            if (got[i] != sum)
                return false;
            rest -= in[i];
            changed += sum;
        }
    }
    return true;
}

static const char *row_scans_diagnose(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *before = m->inputs[1], *got = m->got;
    size_t raw = 0, without = 0, late = 0, alone = 0;
    float sum = 0;

    for (size_t i = 0; i < m->length; i++) {
        sum = i % STEP_WIDTH == 0 ? in[i] : sum + in[i];
        raw += got[i] == in[i];
        alone += got[i] == before[i / STEP_WIDTH] + in[i];
        without += got[i] == sum;
        late += got[i] == before[i / STEP_WIDTH] + sum - in[i];
    }
    if (is_scan_one_later(m))
        return ONE_LATER;
    if (is_scan_of(m, true, false))
        return "the row is added up from its end: each sum holds its element and those after it, "
               "and should hold those before it";
    if (is_scan_of(m, false, false) || is_scan_of(m, false, true))
        return "elements that are sums already are added up again: keep the sum so far in a "
               "variable, and add each element to it once";
    if (raw == m->length)
        return "the row was left as it was loaded: is each sum stored, and in word place(...) of "
               "its element?";
    if (alone == m->length)
        return "before was added to each element, and the row's own elements were not added up: "
               "each sum is the one before it, plus its element";
    if (without == m->length)
        return "what lies before the row was left out: the sum begins with before";
    if (is_of_other_row(m, 1, true) || is_of_other_row(m, 1, false))
        return forgotten_place;
    if (is_of_other_row(m, 5, true))
        return place_of_row;
    if (rows_are_from(m, 0, true, true)) /* other cases tell, if n is small */
        return "columns are scanned, not rows: element k of row r is element r * width + k";
    return late == m->length
               ? "each element is left out of its own sum: add it first, and store then"
               : place_diagnose(m, scans_are_from);
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints propagate_hints = {
    "Lab 09 has scanned a block like this. After every warp has scanned its row: which lane has "
    "the row's sum, and what does row 3 still lack?",
    "The last lane of each row leaves the row's sum in shared memory. There are as many rows as "
    "lanes, so one warp scans the sums. Then each thread adds what lies before its row. The sums "
    "must be there before they are scanned, and scanned before they are read: two barriers.",
    "sum = the warp's scan\n"
    "the last lane of each row: the row's word = ___\n"
    "a barrier\n"
    "the first row's lanes: word ___ = the scan of the words\n"
    "a barrier\n"
    "the rows after the first: add word ___",
};
static const lab_hints sum_hints = {
    "A lane has a whole row to itself. How many additions does a row of 32 need, if nobody helps?",
    "Begin with the row's first element and add the others, one after the other: 31 additions. "
    "Element k of row r is element r * width + k of the section, and stands in word place(...).",
    "sum = the row's element ___\n"
    "for k = 1 up to the end of the row: add element k",
};
static const lab_hints scan_hints = {
    "The lane goes over its row once more. What has it to know before the row's first element, and "
    "what does it leave behind at each one?",
    "The sum begins with what lies before the row, in `before`. Each element is added to it, and "
    "the sum so far takes that element's place, word place(...) again.",
    "sum = ___\n"
    "for every element of the row: add it, then store ___ in its place",
};
static const lab_hints raking_hints = {
    "All elements lie in shared memory, and one warp has a lane for each row. What does lane r "
    "have to know before it can scan its row?",
    "Lane r adds its row up, and the warp scans the sums by scan_warp. What lies before row r is "
    "what lane r - 1 has then: from_left hands it on, without an addition. The other warps wait "
    "at the barrier, which therefore stands outside the if. Row 0 has nothing before it.",
    "word of element t = value\n"
    "a barrier\n"
    "the threads of the first warp, one a row:\n"
    "    up_to = the scan of ___\n"
    "    before = what the lane to the left has; for row 0: ___\n"
    "    scan the row, starting from before\n"
    "a barrier\n"
    "return ___",
};
static const lab_hints place_hints = {
    "The 32 lanes of the raking warp read element k of 32 rows. In which bank is word 32 * r + k, "
    "for r = 0, 1, 2?",
    "All in one, so that each access takes 32 passes. As in lab 05, leave one word free after "
    "every 32: then row r begins in bank r. The array has to be longer by the words left free.",
    "PADDED_SECTION: SECTION words, and one for every ___ of them\n"
    "place: word i, moved right by ___",
};
static const lab_hints sklansky_hints = {
    "Take rows 0 to 3, each scanned. After rows 0 and 1 are joined, and 2 and 3: which one number "
    "do all elements of rows 2 and 3 still lack, and which row has it?",
    "At the level of groups of g rows, row r lies in the right group of its pair where r / g is "
    "odd. It adds the last sum of the last row of the group before. A row that may be such a last "
    "row leaves its sum for the level before the level's barrier. If all rows left theirs at every "
    "level, a fast warp would overwrite what a slow one still reads.",
    "sum = the warp's scan\n"
    "for groups of 1, 2, 4, ... below width:\n"
    "    the last lane of a row that ends a group, (row + 1) divisible by ___: the row's word = "
    "sum\n"
    "    a barrier\n"
    "    where row / group is ___: add the word of row ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT },
};
/* sections of the steps are not tiles: no thread is named */
static const lab_buffers step_in_out = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers row_sums_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_sum", .type = LAB_F32, .role = LAB_OUT, .length = rows, .owner = LAB_BY_GRID },
};
static const lab_buffers row_scans_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_before", .type = LAB_F32, .length = rows },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

static const lab_gates propagate_gates = {
    SECTION_GATES,
    { ADDITIONS(propagate_additions, "1.12 (33 * 129 + 31 * 32) = 1.12 * 5249 per section",
                PROPAGATE_ADVICE) },
    { DEPTH(depth_11, "5 + 5 + 1 = 11: two warp scans and one addition", PROPAGATE_ADVICE) },
    { BARRIERS(three_barriers,
               "3 per section: before the sums of rows are scanned, and after; one spare",
               "Within a warp no barrier is needed: a shuffle waits for its lanes.") },
    { CONFLICTS(propagate_conflicts, "6 per section: a tenth of 65 wavefronts",
                "Keep a word a row, next to each other.") },
    { WARPS_ALIKE },
};
static const lab_gates raking_gates = {
    SECTION_GATES,
    { ADDITIONS(raking_additions, "1.15 (32 * 31 + 129 + 31 * 32) = 1.15 * 2113 per section",
                RAKING_ADVICE) },
    { DEPTH(depth_76, "31 + 5 + 32 + 8 = 76: a row, a warp scan, a row; and 8 spare",
            RAKING_ADVICE) },
    { BARRIERS(three_barriers, "3 per section: before the warp rakes, and after; one spare",
               "One warp does it all, between two barriers.") },
    { LAB_LONE_ADDITIONS, LAB_AT_MOST, raking_issues, "additions by few lanes",
      "68 per section: of those 68 instructions that one warp takes, all", RAKE_ADVICE },
    { CONFLICTS(raking_conflicts, "16 per section: a tenth of 160 wavefronts",
                "Lanes a row apart meet in one bank: let place leave one word free after every "
                "32, neither more nor fewer, and PADDED_SECTION have room for them.") },
};
static const lab_gates sklansky_gates = {
    SECTION_GATES,
    { ADDITIONS(sklansky_additions, "1.12 (32 * 129 + 5 * 512) = 1.12 * 6688 per section",
                SKLANSKY_ADVICE) },
    { DEPTH(depth_10, "5 + 5 = 10: a warp scan, and one addition a level", SKLANSKY_ADVICE) },
    { BARRIERS(
        six_barriers, "6 per section: one a level, and one spare",
        "One a level is enough where only rows that end a group leave a sum, each in its own "
        "word, and a right group reads its left one's last.") },
    { CONFLICTS(sklansky_conflicts, "14 per section: a tenth of 142 wavefronts",
                "Keep a word a row, next to each other.") },
    { WARPS_ALIKE },
};
static const lab_gates propagate_16_gates = {
    { STEP_ADDITIONS_MADE },
    { ADDITIONS(propagate_16_additions,
                "5 * 5 + 3 * 4 = 37 per section of 16, and 4 where the first row adds a 0",
                PROPAGATE_ADVICE) },
    { DEPTH(depth_5, "2 + 2 + 1 = 5", PROPAGATE_ADVICE) },
};
static const lab_gates raking_16_gates = {
    { STEP_ADDITIONS_MADE },
    { ADDITIONS(raking_16_additions,
                "4 * 3 + 5 + 3 * 4 = 29 per section of 16, and 4 where row 0 is added up twice",
                RAKING_ADVICE) },
    { DEPTH(depth_9, "3 + 2 + 4 = 9", RAKING_ADVICE) },
    { LAB_LONE_ADDITIONS, LAB_AT_MOST, raking_16_issues, "additions by few lanes",
      "15 per section of 16: the 4 lanes that rake take 9, or 10, side by side", RAKE_ADVICE },
};
static const lab_gates row_sums_gates = {
    { LAB_BARRIERS, LAB_AT_MOST, own_barrier, "barriers of the step",
      "1 per 16 rows: steps.h has it",
      "A lane adds its row up by itself: sum_row needs no barrier, and in scan_raking only some "
      "threads call it, so that none can stand in it." },
};
static const lab_gates row_scans_gates = {
    { LAB_BARRIERS, LAB_AT_MOST, two_own_barriers, "barriers of the step",
      "2 per 16 rows: steps.h has them",
      "A lane scans its row by itself: scan_row needs no barrier, and in scan_raking only some "
      "threads call it, so that none can stand in it." },
};
static const lab_gates sklansky_16_gates = {
    { STEP_ADDITIONS_MADE },
    { ADDITIONS(sklansky_16_additions, "4 * 5 + 2 * 8 = 36 per section of 16", SKLANSKY_ADVICE) },
    { DEPTH(depth_4, "2 + 2 = 4", SKLANSKY_ADVICE) },
};

#define IN_ROWS_OF_4                                                                               \
    "s_sum has a word for each row, 4 here: is the index a row's number, t / width, or, for the "  \
    "lanes of row 0 alone, t? Do threads of other rows come here that should not? Or is 32 used "  \
    "for width, which is 4 here?"
#define IN_ROWS_ALONE                                                                              \
    "a row here has 4 elements, and there are 16 rows: are its elements row * width + k, with k "  \
    "below width? Or is 32 used for width, which is 4 here?"
#define PLACE_IS_WRONG                                                                             \
    "steps.h puts element t into word place(t), of 128 words for 64 elements, and there your "     \
    "place (TODO 5) gives two elements one word, or none that exists: each needs a word of its "   \
    "own, and of 33 words one is left free"

static const lab_sizes gate_sizes = { SECTION, 8 * SECTION, 5 * SECTION + 77,
                                      2 * SECTION + 55 /* has infinite ones: lab_fill_infinite */ };
static const lab_sizes step_sizes = { STEP, 3 * STEP + 5, 4 * STEP + 7, MOST_STEP };

static const lab_parts parts = {
    {
        .entry = "block_propagate_16",
        .title = "warp scans and propagation, 16 elements in warps of 4",
        .network = "Propagate",
        .points = 10,
        .buffers = step_in_out,
        .reference = step_reference,
        .fill = lab_fill_infinite,
        .gates = propagate_16_gates,
        .gate_sizes = step_sizes,
        .diagnose = propagate_16_diagnose,
        .beyond = IN_ROWS_OF_4,
        .max_n = MOST_STEP,
        .lanes_play_warps = true,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = propagate_hints,
    },
    {
        .entry = "block_propagate",
        .title = "warp scans and propagation",
        .points = 20,
        .buffers = in_out,
        .reference = inclusive_reference,
        .fill = lab_fill_infinite,
        .gates = propagate_gates,
        .gate_sizes = gate_sizes,
        .diagnose = propagate_diagnose,
        .drawn = true,
        .todos = LAB_TODO(1),
        .hints = propagate_hints,
    },
    {
        .entry = "block_row_sums",
        .title = "sum_row: a row added up by one lane",
        .points = 5,
        .buffers = row_sums_buffers,
        .reference = row_sums_reference,
        .fill = lab_fill_infinite,
        .gates = row_sums_gates,
        .gate_sizes = step_sizes,
        .diagnose = row_sums_diagnose,
        .beyond = IN_ROWS_ALONE,
        .index_todos = LAB_TODO(5),
        .index_wrong = PLACE_IS_WRONG,
        .max_n = MOST_STEP,
        .step = true,
        .todos = LAB_TODO(2),
        .hints = sum_hints,
    },
    {
        .entry = "block_row_scans",
        .title = "scan_row: a row scanned by one lane",
        .points = 5,
        .buffers = row_scans_buffers,
        .reference = row_scans_reference,
        .gates = row_scans_gates,
        .gate_sizes = step_sizes,
        .diagnose = row_scans_diagnose,
        .beyond = IN_ROWS_ALONE,
        .index_todos = LAB_TODO(5),
        .index_wrong = PLACE_IS_WRONG,
        .max_n = MOST_STEP,
        .step = true,
        .todos = LAB_TODO(3),
        .hints = scan_hints,
    },
    {
        .entry = "block_raking_16",
        .title = "raking, 16 elements in warps of 4",
        .network = "Raking",
        .points = 10,
        .buffers = step_in_out,
        .reference = step_reference,
        .fill = lab_fill_infinite,
        .gates = raking_16_gates,
        .gate_sizes = step_sizes,
        .diagnose = raking_16_diagnose,
        .beyond =
            "width is 4 here, and 4 lanes rake, a row each: is 32 used for width, do other threads "
            "than those of row 0 rake, too, or does place go too far?",
        .index_todos = LAB_TODO(5),
        .max_n = MOST_STEP,
        .lanes_play_warps = true,
        .step = true,
        .todos = LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4),
        .hints = raking_hints,
    },
    {
        .entry = "block_raking",
        .title = "raking by one warp, without bank conflicts",
        .points = 20,
        .buffers = in_out,
        .reference = inclusive_reference,
        .fill = lab_fill_infinite,
        .gates = raking_gates,
        .gate_sizes = gate_sizes,
        .diagnose = raking_diagnose,
        .drawn = true,
        .index_todos = LAB_TODO(5),
        .todos = LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4) | LAB_TODO(5),
        .hints = place_hints,
    },
    {
        .entry = "block_sklansky_16",
        .title = "Sklansky's fans, 16 elements in warps of 4",
        .network = "Sklansky",
        .points = 10,
        .buffers = step_in_out,
        .reference = step_reference,
        .fill = lab_fill_infinite,
        .gates = sklansky_16_gates,
        .gate_sizes = step_sizes,
        .diagnose = sklansky_16_diagnose,
        .beyond = IN_ROWS_OF_4,
        .max_n = MOST_STEP,
        .lanes_play_warps = true,
        .step = true,
        .todos = LAB_TODO(6),
        .hints = sklansky_hints,
    },
    {
        .entry = "block_sklansky",
        .title = "Sklansky's fans between warps",
        .points = 20,
        .buffers = in_out,
        .reference = inclusive_reference,
        .fill = lab_fill_infinite,
        .gates = sklansky_gates,
        .gate_sizes = gate_sizes,
        .diagnose = sklansky_diagnose,
        .drawn = true,
        .todos = LAB_TODO(6),
        .hints = sklansky_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Block strategies",
    .learned =
        "Less work means longer chains of additions; less depth means more work, or more "
        "barriers. Propagation, raking and Sklansky each strike that bargain in another place.",
    .file = "block_strategies.cu",
    .tile = SECTION,
    .threads = SECTION,
    .per_thread = 1,
    .taught = { "barriers" },
    .parts = parts,
};
