/*
 * Declaration of lab 21: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for a system of m = 256 rows in a block of 256 threads. To combine a
 * row with two neighbours takes 4 additions (fma), two for b and two for d, one after the other; to
 * put two x in takes 2.
 *     cyclic     down 254 rows, two of two unknowns 3, back 254 rows: 4 * 254 + 3 + 2 * 254 = 1527
 *                = 6 m - 9. 7 steps down, 1, 7 back: 15 = 2 log2 m - 1; depth 2 each: 30
 *     parallel   4 m log2 m = 8192 in log2 m = 8 steps; depth 16
 *     barriers   one a step, or two where a step overwrites what it has read; and two to spare
 *     passes     over shared memory, without conflicts: cyclic 301 a system; parallel 712, 4 stores
 *                and at most 8 loads of 8 warps in 8 steps. A tenth more
 *     water      a depth, two faces, 1 + both, the right side: 6 additions a cell, at most 8; depth
 *                5, at most 6. Either way of solving will do. 4 words a cell and pass
 * A partial system costs as much as a full one; doing less there is fine.
 */
#include <math.h>
#include <stdio.h>

#include "cases.h"
#include "lab.h"
#include "tridiagonal.h"
#include "usual_gates.h"

/* ---- diagnoses ------------------------------------------------------------------------------- */

/* of itself: what an x may be wrong by */
#define WITHIN 1e-4

static bool is_near(double got, double expected)
{
    return fabs(got - expected) <= WITHIN * fabs(expected);
}

/* What parallel cyclic reduction makes of a system in so many steps. */
static void reduce_steps(line *l, size_t count, int steps)
{
    line old;

    for (int s = 0; s < steps; s++) {
        const size_t h = (size_t)1 << s;
        old = *l;
        for (size_t i = 0; i < count; i++) {
            const double down = i >= h ? old.a[i] / old.b[i - h] : 0,
                         up = i + h < count ? old.c[i] / old.b[i + h] : 0;
            l->a[i] = i >= h ? -down * old.a[i - h] : 0;
            l->c[i] = i + h < count ? -up * old.c[i + h] : 0;
            if (i >= h) {
                l->b[i] -= down * old.c[i - h];
                l->d[i] -= down * old.d[i - h];
            }
            if (i + h < count) {
                l->b[i] -= up * old.a[i + h];
                l->d[i] -= up * old.d[i + h];
            }
        }
    }
    for (size_t i = 0; i < count; i++)
        l->x[i] = l->d[i] / l->b[i];
}

typedef enum slip { FEWER_STEPS, EXCHANGED, UNDONE } slip;

/* Is the answer what the slip makes of all systems? */
static bool is_slip(const lab_mismatch *m, slip which, int steps)
{
    const float *got = m->got;
    line l;

    for (size_t first = 0; first < m->n; first += ROWS) {
        const size_t count = take_system(&l, m->inputs, m->n, first, ROWS);
        l.a[0] = l.c[count - 1] = 0;
        if (which == EXCHANGED) {
            for (size_t i = 0; i < count; i++) {
                const double a = l.a[i];
                l.a[i] = i > 0 ? l.c[i] : 0;
                l.c[i] = i + 1 < count ? a : 0;
            }
            solve(&l, count);
        } else {
            reduce_steps(&l, count, which == UNDONE ? 0 : steps);
        }
        for (size_t i = 0; i < count; i++)
            if (!is_near((double)got[first + i], l.x[i]))
                return false;
    }
    return true;
}

static bool has_nan(const lab_mismatch *m)
{
    for (size_t i = 0; i < m->length; i++)
        if (!isfinite(((const float *)m->got)[i]))
            return true;
    return false;
}

static const char not_a_number[] =
    "an x is infinite or not a number: something was divided by 0, or grew until a float could not "
    "hold it. A row that is not there says x = 0, so its b is 1; and rows are divided by a b, not "
    "multiplied with each other";

/* Are those systems wrong alone in which a b is far below 1, others being there? */
static bool is_of_small_rows(const lab_mismatch *m)
{
    const float *b = m->inputs[1], *got = m->got, *expected = m->expected;
    bool others = false;

    for (size_t first = 0; first < m->n; first += ROWS) {
        bool small = false, wrong = false;
        for (size_t i = first; i < m->n && i < first + ROWS; i++) {
            small = small || fabsf(b[i]) < 1e-9f;
            wrong = wrong || !is_near((double)got[i], (double)expected[i]);
        }
        if (wrong && !small)
            return false;
        others = others || !small;
    }
    return others;
}

/* A NaN where a system's first a or last c stands, which belong to nothing? */
static bool has_stray_nan(const lab_mismatch *m, size_t first)
{
    const float *a = m->inputs[0], *c = m->inputs[2];
    const size_t last = least(m->n, first + ROWS) - 1;

    return isnan(a[first]) || isnan(c[last]);
}

/* Are all systems with a NaN in their answer such, and is there one? */
static bool has_nan_of_strays(const lab_mismatch *m)
{
    const float *got = m->got;
    bool any = false;

    for (size_t i = 0; i < m->length; i++)
        if (isnan(got[i])) {
            if (!has_stray_nan(m, i - i % ROWS))
                return false;
            any = true;
        }
    return any;
}

static const char *system_diagnose(const lab_mismatch *m)
{
    static char text[200];

    if (has_nan_of_strays(m))
        return "an x is not a number, and only in systems whose first a or last c, which belong to "
               "no row's equation, hold NaN: leave these out by an `if`, also at the end of the "
               "last system; a product with 0 is NaN there as well. If none is read, something was "
               "divided by 0: a row that is not there says x = 0, so its b is 1";
    if (has_nan(m))
        return not_a_number;
    const char *const of_small_x = small_x_diagnose(m);
    if (of_small_x)
        return of_small_x;
    if (is_slip(m, UNDONE, 0))
        return "each x is d / b of its row: no row was combined with its neighbours";
    if (is_slip(m, EXCHANGED, 0))
        return "this solves the system with a and c exchanged: a belongs to x[i-1], the lower "
               "neighbour, and c to x[i+1]";
    if (is_of_small_rows(m))
        return "wrong only in systems with rows of small numbers, below 1e-9: such a row is as "
               "good "
               "as a multiple of it. b is never 0: add nothing to it, and compare it with nothing";
    for (int steps = 7; steps > 0; steps--)
        if (is_slip(m, FEWER_STEPS, steps)) {
            snprintf(text, sizeof text,
                     "these are rows after the steps at distances 1 to %d: distances go on, each "
                     "twice the one before, up to half of the 256 rows",
                     1 << (steps - 1));
            return text;
        }
    return NULL;
}

/* Of cyclic reduction the rows of a full system are right from some step of the way back on. */
static const char *cyclic_diagnose(const lab_mismatch *m)
{
    static char text[300];
    const float *got = m->got, *expected = m->expected;
    size_t wrong[ROWS] = { 0 };
    const char *known = system_diagnose(m);

    if (known || m->n < ROWS)
        return known;
    for (size_t i = 0; i < m->n - m->n % ROWS; i++)
        if (!is_near((double)got[i], (double)expected[i])) {
            size_t h = 1; /* the distance at which the row gets its x */
            while (h < ROWS / 2 && (i % ROWS + 1) / h % 2 == 0)
                h *= 2;
            wrong[h]++;
        }
    if (wrong[ROWS / 2])
        return "rows 127 and 255, from which the way back starts, are wrong already: look at the "
               "way down, and at the two rows of two unknowns";
    for (size_t h = ROWS / 4; h > 0; h /= 2)
        if (wrong[h]) {
            snprintf(text, sizeof text,
                     "rows 127 and 255 are right; on the way back the first wrong rows are those "
                     "at distance %zu, rows %zu, %zu and so on: d less a times x[i - %zu] and c "
                     "times x[i + %zu], divided by b, as the way down has left them",
                     h, h - 1, 3 * h - 1, h, h);
            return text;
        }
    return NULL;
}

/* Is each combined row right but for the product of its neighbours' b? One that is not there has 1.
   What overflows tells nothing. */
static bool is_multiplied(const lab_mismatch *m)
{
    const float *b = m->inputs[1], *got = m->got, *expected = m->expected;
    size_t told = 0;

    for (size_t i = 0; i < m->length; i++) {
        const size_t row = i / 4;
        const double by = (row > 0 ? (double)b[row - 1] : 1) *
                          (row + 1 < m->n ? (double)b[row + 1] : 1),
                     is = (double)got[i], would_be = by * (double)expected[i];
        if (!isfinite(is) || fabs(would_be) > 1e30 || fabs(would_be) < 1e-30)
            continue;
        if (!is_near(is, would_be))
            return false;
        told += !is_near(is, (double)expected[i]);
    }
    return told > 1;
}

/* Of combined rows: is only the sign of one coefficient wrong? */
static const char *combined_diagnose(const lab_mismatch *m)
{
    static char text[160];
    const float *got = m->got, *expected = m->expected;
    const size_t field = m->index % 4;

    if (is_multiplied(m))
        return "each row is a multiple of the right one, by the b of its neighbours: that says the "
               "same, but grows with each step until a float cannot hold it. Divide by a "
               "neighbour's b, and do not multiply the others";
    for (size_t i = 0; i < m->length; i++)
        if (got[i] != expected[i] && (i % 4 != field || got[i] != -expected[i]))
            return NULL;
    snprintf(text, sizeof text,
             "of each row that is wrong, %c alone is, and that by its sign: it stands on the left "
             "side of the row, and is subtracted, too",
             "abcd"[field]);
    return text;
}

/* Within a part of 200 of the right one. */
static bool all_are_close(const lab_mismatch *m)
{
    const float *got = m->got, *expected = m->expected;

    for (size_t i = 0; i < m->length; i++)
        if (fabsf(got[i] - expected[i]) > 0.005f * fabsf(expected[i]))
            return false;
    return true;
}

/* Of each `step` numbers, from `first` on: is each wrong one below 0, and has lost its sign? */
static const char *sign_diagnose(const lab_mismatch *m, size_t first, size_t step)
{
    const float *got = m->got, *expected = m->expected;
    bool some = false;

    for (size_t i = 0; i < m->length; i++) {
        if (is_near((double)got[i], (double)expected[i]))
            continue;
        if (i % step != first || !(expected[i] < 0 && got[i] >= 0))
            return NULL;
        some = true;
    }
    return some ? "what is wrong should be below 0, and is 0 or above: heights count from any "
                  "level, and may be negative; a depth alone is cut off at 0, and no height is "
                  "unsigned"
                : NULL;
}

/* The heights' sum is the right sides': does the answer have it? */
static const char *water_diagnose(const lab_mismatch *m)
{
    static char text[300];
    const float *got = m->got, *expected = m->expected;
    double has = 0, should = 0;
    const char *const of_sign = sign_diagnose(m, 0, 1);

    if (has_nan(m))
        return not_a_number;
    if (of_sign)
        return of_sign;
    if (all_are_close(m))
        return NULL; /* less exact than float: cause.c says so */
    for (size_t i = 0; i < m->length; i++) {
        has += (double)got[i];
        should += (double)expected[i];
    }
    if (!is_near(has, should)) {
        snprintf(text, sizeof text,
                 "water was %s: all heights together are %.6g, and should be %.6g. If the "
                 "part parallel is right, look at the faces: what flows through one leaves one "
                 "cell and reaches the next, so both rows have the same face, and b is 1 and both "
                 "faces",
                 has < should ? "lost" : "made", has, should);
        return text;
    }
    return "no water is lost, but it stands at the wrong places: look at which depths make a face, "
           "at dry cells, those with little water and borders, and at which cells follow each "
           "other in a line";
}

/* Of rows as they are loaded. */
static const char *loaded_diagnose(const lab_mismatch *m)
{
    const float *got = m->got, *expected = m->expected;
    const size_t i = m->index, row = i / 4;

    if (row < m->n && i % 2 == 0 && expected[i] == 0 && got[i] != 0)
        return row % ROWS == 0 && i % 4 == 0
                   ? "the a of a system's first row belongs to nothing, and its array may hold "
                     "anything there, NaN too: put 0 in its place; a product with 0 is NaN as well"
                   : "the c of a system's last row belongs to nothing, and its array may hold "
                     "anything there, NaN too: put 0 in its place, also in the last row of all, "
                     "wherever it stands; a product with 0 is NaN as well";
    return row >= m->n
               ? "a row that is not there says x = 0, with no neighbours: a, c and d are 0, "
                 "and b is 1"
               : NULL;
}

/* Of the rows of a line of cells. */
static const char *equations_diagnose(const lab_mismatch *m)
{
    const float *got = m->got, *expected = m->expected;

    for (size_t i = 0; i < m->length; i++)
        if (i % 2 == 0 && expected[i] != 0 && got[i] == 0)
            return "a face is closed that should be open: a cell is wet if there is any water, "
                   "however little; the depth is compared with 0, and with no small number";
        else if (i % 2 == 0 && expected[i] == 0 && got[i] != 0)
            return "a face is open that should be closed: it is 0 at the border of the cells, and "
                   "where the cell on either side is dry";
    return has_nan(m) ? not_a_number : sign_diagnose(m, 3, 4);
}

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, ROWS)
LIMIT(cyclic_depth, 30)
LIMIT(parallel_depth, 16)
LIMIT(line_depth, 36)
LIMIT(step_depth, 72)
LIMIT(kibi, 1024)
/* a line of one cell takes a step as any other: where there are few, that counts */
LIMIT(water_work, 13)

static double systems(size_t n) { return (double)(padded(n) / ROWS); }
static double most_barriers(size_t n) { return 18 * systems(n); }
static double least_blocks(size_t n) { return systems(n) < 8 ? systems(n) : 8; }
static double sharing(size_t n) { return half_up_to_3(systems(n)); }
/* An x with a neighbour takes a sum at least. Of a quotient only one of both is known to be in it,
   and dry cells add nothing. */
static double least_additions(size_t n) { return (double)n - systems(n); }
static double sixteen_each(size_t n) { return 16 * (double)n; }
static double thirty_two_each(size_t n) { return 32 * (double)n; }

static double cyclic_additions(size_t n) { return 1536 * systems(n); }
static double parallel_additions(size_t n) { return 8192 * systems(n); }
static double cyclic_conflicts(size_t n) { return 30 * systems(n); }
static double parallel_conflicts(size_t n) { return 71 * systems(n); }

/* columns, in blocks of WATER_COLUMNS */
static double column_blocks(size_t n)
{
    return (double)((least(n, WIDTH) + WATER_COLUMNS - 1) / WATER_COLUMNS);
}
static double least_column_blocks(size_t n) { return column_blocks(n) < 8 ? column_blocks(n) : 8; }
static double line_additions(size_t n) { return (8192 + 8 * ROWS) * systems(n); }
static double column_additions(size_t n)
{
    return (8192 + 8 * ROWS) * WATER_COLUMNS * column_blocks(n);
}
static double water_additions(size_t n) { return line_additions(n) + column_additions(n); }
static double line_conflicts(size_t n) { return 73 * systems(n); }
static double column_conflicts(size_t n) { return 614 * column_blocks(n); }
static double water_conflicts(size_t n) { return line_conflicts(n) + column_conflicts(n); }

static double least_column_additions(size_t n)
{
    const double cells = (double)n / 2, columns = (double)least(n, WIDTH);
    return cells > columns ? cells - columns : 0;
}

/* ---- gates ----------------------------------------------------------------------------------- */

#define READ_ONCE                                                                                  \
    LAB_BYTES_READ, LAB_AT_MOST, sixteen_each, "bytes read", "16n: a, b, c and d of a row once",   \
        "Load each row once and take every step on the chip."
#define WRITTEN_ONCE                                                                               \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, four_bytes_each, "bytes written", "4n: each x once",           \
        "Rows change in shared memory and registers; store x alone."
#define MADE(least, formula) ADDITIONS_MADE(least, formula)
#define ADDITIONS(limit, formula, advice)                                                          \
    LAB_ADDITIONS, LAB_AT_MOST, limit, "additions", formula, advice
#define DEPTH(limit, formula, advice) LAB_DEPTH, LAB_AT_MOST, limit, "depth", formula, advice
#define BARRIERS                                                                                   \
    LAB_BARRIERS, LAB_AT_MOST, most_barriers, "barriers",                                          \
        "18 a system: one for each of 15 steps, or two for each of 8, and spare",                  \
        "A step needs one barrier, and a second one only if it overwrites rows that others still " \
        "read."
#define CONFLICTS(limit, formula, advice)                                                          \
    LAB_BANK_CONFLICTS, LAB_AT_MOST, limit, "bank conflicts", formula, advice

#define SYSTEM_GATES                                                                               \
    LAB_ENTRIES({ MADE(least_additions, "n - ceil(n / 256): an x with a neighbour is a sum") },    \
                { READ_ONCE }, { WRITTEN_ONCE }, { WHOLE_SECTORS }, ONE_LAUNCH_ALONE,              \
                { NO_ATOMICS }, { NO_DOUBLES }, { BARRIERS },                                      \
                SECTION_EACH(least_blocks, block_threads, "256"))

static const lab_gates cyclic_gates = {
    SYSTEM_GATES,
    { ADDITIONS(cyclic_additions, "6m = 1536 per system of m = 256; 6m - 9 = 1527 are enough",
                "At each step combine only the rows that stay: half as many as at the one before. "
                "The others wait for the way back. -x takes no addition, 0 - x takes one.") },
    { DEPTH(cyclic_depth, "2 (2 log2 m - 1) = 30: two additions a step, 7 steps down, 1, 7 back",
            "Rows of a step do not depend on each other: a thread takes one of them, and distances "
            "double.") },
    { CONFLICTS(cyclic_conflicts, "30 per system: a tenth of 301 wavefronts",
                "Rows that are 2, 4, ... 32 words apart share banks: let place leave a word free "
                "after every 32, as in labs 05 and 12.") },
};

static const lab_gates parallel_gates = {
    SYSTEM_GATES,
    { ADDITIONS(parallel_additions, "4m log2 m = 8192 per system of m = 256",
                "A row is combined once in each of 8 steps. -x takes no addition, 0 - x takes "
                "one.") },
    { DEPTH(parallel_depth, "2 log2 m = 16: two additions a step",
            "Every row is combined in every step: after 8 of them b x = d is left, and nothing is "
            "put in afterwards.") },
    { CONFLICTS(parallel_conflicts, "71 per system: a tenth of 712 wavefronts",
                "Neighbouring threads want neighbouring rows: these lie in different banks as they "
                "are, row i in word i. A word left free in between makes two of a warp meet.") },
};

#define CELLS_MOVED(limit, formula)                                                                \
    LAB_BYTES_MOVED, LAB_AT_MOST, limit, "bytes moved", formula,                                   \
        "Load the heights and the ground of a cell once: its neighbours' depths come through "     \
        "shared memory."
#define LINE_ADDITIONS(limit)                                                                      \
    ADDITIONS(limit, "4 log2 m + 8 = 40 a row of a system of m = 256, for each line",              \
              "Solve a line by parallel or cyclic reduction, and make each row once.")
#define LINE_DEPTH(limit, formula)                                                                 \
    DEPTH(limit, formula,                                                                          \
          "Solve a line by parallel or cyclic reduction: a loop over its cells makes as many "     \
          "additions, one after the other, as there are cells.")
#define LINE_CONFLICTS(limit, formula)                                                             \
    CONFLICTS(                                                                                     \
        limit, formula,                                                                            \
        "Look at the words that the lanes of a warp access: columns in shared memory that are "    \
        "256 words apart begin in one bank. Leave four words free after each.")
#define WATER_GATES(most)                                                                          \
    LAB_ENTRIES({ most }, { WHOLE_SECTORS }, { NO_WAITING_NO_SCRATCH }, { NO_FILLS },              \
                { NOTHING_LEFT }, { NO_ATOMICS }, { NO_DOUBLES },                                  \
                THREADS_PER_BLOCK(block_threads, "256"))

static const lab_gates water_rows_gates = {
    WATER_GATES(CELLS_MOVED(sixteen_each, "16n: three words read, one written")),
    { MADE(least_additions, "n - ceil(n / 256)") },
    { ONE_LAUNCH },
    { BLOCKS(least_blocks) },
    { BLOCKS_ALIKE },
    { LINE_ADDITIONS(line_additions) },
    { LINE_DEPTH(line_depth, "2 (2 log2 m - 1) + 6 = 36") },
    { LINE_CONFLICTS(line_conflicts, "73 a row: a tenth of 736 wavefronts") },
};
static const lab_gates water_columns_gates = {
    WATER_GATES(CELLS_MOVED(sixteen_each, "16n: three words read, one written")),
    { WORK_AT_MOST(water_work, "13") },
    { MADE(least_column_additions, "n / 2, less 1 for each column: cells may be dry") },
    { ONE_LAUNCH },
    { BLOCKS(least_column_blocks) },
    { BLOCKS_ALIKE },
    { LINE_ADDITIONS(column_additions) },
    { LINE_DEPTH(line_depth, "2 (2 log2 m - 1) + 6 = 36") },
    { LINE_CONFLICTS(column_conflicts, "614 for 8 columns: a tenth of 6147 wavefronts") },
};
static const lab_gates water_step_gates = {
    WATER_GATES(CELLS_MOVED(thirty_two_each, "32n: 16n for rows, 16n for columns")),
    { WORK_AT_MOST(water_work, "13") },
    { MADE(least_additions, "n - ceil(n / 256)") },
    { LAB_LAUNCHES, LAB_AT_MOST, two, "launches", "2: rows, and then columns",
      "water_rows and water_columns are all that a step takes." },
    { WORK_SHARED(sharing, "rows of cells") },
    { LAB_BESIDES, LAB_AT_MOST, kibi, "memory besides",
      "1 KiB: the heights between rows and columns lie in d_next",
      "Leave out cudaMalloc and __device__ arrays: let rows write to d_next, and columns read it "
      "there." },
    { LINE_ADDITIONS(water_additions) },
    { LINE_DEPTH(step_depth, "2 * 36 = 72") },
    { LINE_CONFLICTS(water_conflicts, "73 a row, and 614 for 8 columns") },
};

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints load_hints = {
    "The last system has 3 rows. What should threads 3 to 255 bring, so that the other rows come "
    "out right whatever is done with these? And what is x[-1]?",
    "A row of its own: x = 0, with no neighbours. The first row of a system has no lower neighbour "
    "and the last no upper one, whatever the arrays hold there: their a and c are 0.",
    "r is NO_ROW\nif i is below n:\n    b and d from the arrays\n"
    "    a, unless the row is ___\n    c, unless the row is ___ or ___",
};
static const lab_hints combine_hints = {
    "Rows i - 1, i and i + 1 hold five unknowns. By what must row i - 1 be multiplied, so that "
    "x[i-1] drops out when it is taken from row i?",
    "By a of the middle row over b of the lower one; of the upper row by c over its b. What is "
    "left is a new row, with x[i-2], x[i] and x[i+2].",
    "down = a of ___ over b of ___; up = c of ___ over b of ___\n"
    "a: minus ___ times down\nb: its own, less ___ times down, less ___ times up\n"
    "c: minus ___ times up\nd: its own, less ___",
};
static const lab_hints two_hints = {
    "b x + c y = d, and a' x + b' y = d'. How did you solve that at school?",
    "Cramer's rule: three determinants, a subtraction each. Check it by x = 1, y = 0.",
    ("determinant = ___ times ___ less c times a'\n"
     "x = (d times ___ less ___ times d') over it\ny = (___ times d' less ___) over it"),
};
static const lab_hints cyclic_hints = {
    "After one step rows 1, 3, 5, ... contain only each other's unknowns. Which of them combines "
    "with which two at distance 2? And once x[127] and x[255] are known, which rows hold one "
    "unknown only?",
    "Way down, distance h = 1, 2, 4, ..., 64: rows 2h - 1, 4h - 1, ..., one a thread, with those h "
    "below and above. Only the last row has none above. Way back, h = 64 to 1: rows h - 1, 3h - 1, "
    "...; only the first has none below. What a step reads no thread of the step writes, so one "
    "barrier a step is enough.",
    "down, h from ___ to ___:\n    i = ___; if it is a row: it becomes combine of ___, ___, ___\n"
    "    ___\nback, h from ___ to ___:\n    i = ___; if it is a row: x = (___) over its b, in "
    "place of d\n    ___",
};
static const lab_hints parallel_hints = {
    "Why should the other half of the rows wait? If row i is combined with rows i - h and i + h "
    "in every step, which x does it contain after 8 steps?",
    "Only its own. All rows go through shared memory in each step: written, a barrier, the two at "
    "distance h read, a barrier. Rows beyond the ends are NO_ROW.",
    "for each h from 1 on, doubled, below ___:\n    put the own row; ___\n"
    "    lower: row ___ if it is there; upper: row ___\n    ___\n    own row = combine of the "
    "three\nx = ___ over ___",
};
static const lab_hints equation_hints = {
    "Which faces does a cell have, and when is one closed? Add up your a, b and c: what must come "
    "out, if no water is to be lost?",
    "A face is WATER_FLOW times both depths together, and 0 where one of them is 0. a and c are "
    "the faces with a minus; b is 1 and both faces, so that a row's sum is 1.",
    "left face = if ___ and ___ are wet: WATER_FLOW times ___; else 0; the right one alike\n"
    "a = ___, b = ___, c = ___, d = ___",
};
static const lab_hints column_hints = {
    "Thread t of the solver wants row t of a column. If it loads that cell itself, which words do "
    "the 32 lanes of a warp ask for, and how many sectors are that?",
    "A block takes 8 neighbouring columns: 8 lanes load 32 bytes of a row, a warp 4 rows. In "
    "shared memory each column stands by itself; there thread t takes cell t. The columns are "
    "solved one after another, and go back the way they came.",
    "for y = t over 8, and then every 32nd row:\n"
    "    cell = ___; its depth and half to column ___, place y; 0 where there is no cell\n"
    "___\nfor each of the 8 columns: solve water_row of ___; thread t keeps its height in ___\n"
    "___\nstore as they were loaded",
};
static const lab_hints step_hints = {
    "Rows make heights of heights. What do columns take for their right side, and where may it lie "
    "in the meantime, if a step has no memory of its own?",
    "Rows write to d_next, columns read d_next and write to it: a block has read all cells of its "
    "columns before it stores one, and no other block wants them.",
    "water_rows from ground, ___ and ___ to ___\nwater_columns from ground, ___ and ___ to ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers system_buffers = {
    { .name = "d_a" },
    { .name = "d_b" },
    { .name = "d_c" },
    { .name = "d_d" },
    { .name = "d_x", .role = LAB_OUT },
};
static const lab_buffers loaded_buffers = {
    { .name = "d_a" },
    { .name = "d_b" },
    { .name = "d_c" },
    { .name = "d_d" },
    { .name = "d_row", .role = LAB_OUT, .owner = LAB_BY_GRID, .length = four_padded },
};
static const lab_buffers combined_buffers = {
    { .name = "d_a" },
    { .name = "d_b" },
    { .name = "d_c" },
    { .name = "d_d" },
    { .name = "d_row", .role = LAB_OUT, .owner = LAB_BY_GRID, .length = four_each },
};
static const lab_buffers two_buffers = {
    { .name = "d_a" },
    { .name = "d_b" },
    { .name = "d_c" },
    { .name = "d_d" },
    { .name = "d_x", .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers equations_buffers = {
    { .name = "d_ground" },
    { .name = "d_now" },
    { .name = "d_right" },
    { .name = "d_row", .role = LAB_OUT, .owner = LAB_BY_GRID, .length = four_each },
};
static const lab_buffers water_rows_buffers = {
    { .name = "d_ground" },
    { .name = "d_before" },
    { .name = "d_now" },
    { .name = "d_half", .role = LAB_OUT },
};
static const lab_buffers water_columns_buffers = {
    { .name = "d_ground" },
    { .name = "d_now" },
    { .name = "d_half" },
    { .name = "d_next", .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers water_step_buffers = {
    { .name = "d_ground" },
    { .name = "d_before" },
    { .name = "d_now" },
    { .name = "d_next", .role = LAB_OUT, .owner = LAB_BY_GRID },
};

enum {
    STEP_MOST = 1000,
    MOST = 0x7fffff00,
    ROW_TODOS = LAB_TODO(1) | LAB_TODO(2),
    CYCLIC_TODOS = ROW_TODOS | LAB_TODO(3) | LAB_TODO(4),
    PARALLEL_TODOS = ROW_TODOS | LAB_TODO(5),
    LINE_TODOS = LAB_TODO(2) | LAB_TODO(5) | LAB_TODO(6),
    COLUMN_TODOS = LINE_TODOS | LAB_TODO(7)
};

static const lab_sizes system_sizes = { 2 * ROWS + 100, 6 * ROWS, 32 * ROWS };
static const lab_sizes water_sizes = { 3 * WIDTH + 2, 40 * WIDTH + 202 };

static const lab_parts parts = {
    {
        .entry = "tridiagonal_loaded",
        .title = "rows as threads load them",
        .points = 5,
        .buffers = loaded_buffers,
        .reference = loaded_reference,
        .diagnose = loaded_diagnose,
        .fill = fill_rows,
        .max_n = STEP_MOST,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = load_hints,
    },
    {
        .entry = "tridiagonal_combined",
        .title = "a row combined with its neighbours",
        .points = 8,
        .buffers = combined_buffers,
        .reference = combined_reference,
        .diagnose = combined_diagnose,
        .fill = fill_exact,
        .max_n = STEP_MOST,
        .step = true,
        .todos = LAB_TODO(2),
        .hints = combine_hints,
    },
    {
        .entry = "tridiagonal_two",
        .title = "two rows of two unknowns",
        .points = 5,
        .buffers = two_buffers,
        .reference = two_reference,
        .within = WITHIN,
        .change = change_pairs,
        .fill = fill_pairs,
        .max_n = STEP_MOST,
        .step = true,
        .todos = LAB_TODO(3),
        .hints = two_hints,
    },
    {
        .entry = "tridiagonal_cyclic",
        .title = "systems by cyclic reduction",
        .points = 26,
        .buffers = system_buffers,
        .reference = rows_reference,
        .within = WITHIN,
        .fill = fill_rows,
        .change = change_rows,
        .gates = cyclic_gates,
        .gate_sizes = system_sizes,
        .diagnose = cyclic_diagnose,
        .max_n = MOST,
        .drawn = true,
        .todos = CYCLIC_TODOS,
        .hints = cyclic_hints,
    },
    {
        .entry = "tridiagonal_parallel",
        .title = "systems by parallel cyclic reduction",
        .points = 20,
        .buffers = system_buffers,
        .reference = rows_reference,
        .within = WITHIN,
        .fill = fill_rows,
        .change = change_rows,
        .gates = parallel_gates,
        .gate_sizes = system_sizes,
        .diagnose = system_diagnose,
        .max_n = MOST,
        .drawn = true,
        .todos = PARALLEL_TODOS,
        .hints = parallel_hints,
    },
    {
        .entry = "water_equations",
        .title = "the rows of a line of cells",
        .points = 6,
        .buffers = equations_buffers,
        .reference = equations_reference,
        .within = WITHIN,
        .diagnose = equations_diagnose,
        .fill = fill_water,
        .max_n = STEP_MOST,
        .step = true,
        .todos = LAB_TODO(6),
        .hints = equation_hints,
    },
    {
        .entry = "water_rows",
        .title = "shallow water, over rows",
        .points = 8,
        .buffers = water_rows_buffers,
        .reference = water_rows_reference,
        .within = WITHIN,
        .fill = fill_water,
        .gates = water_rows_gates,
        .gate_sizes = water_sizes,
        .diagnose = water_diagnose,
        .max_n = WATER_CELLS,
        .todos = LINE_TODOS,
        .hints = equation_hints,
    },
    {
        .entry = "water_columns",
        .title = "shallow water, over columns",
        .points = 16,
        .buffers = water_columns_buffers,
        .reference = water_columns_reference,
        .within = WITHIN,
        .fill = fill_water,
        .gates = water_columns_gates,
        .gate_sizes = water_sizes,
        .diagnose = water_diagnose,
        .max_n = WATER_CELLS,
        .in_place = 3,
        .todos = COLUMN_TODOS,
        .hints = column_hints,
    },
    {
        .entry = "water_step",
        .title = "a step of shallow water",
        .points = 6,
        .buffers = water_step_buffers,
        .reference = water_step_reference,
        .within = WITHIN,
        .fill = fill_water,
        .gates = water_step_gates,
        .gate_sizes = water_sizes,
        .diagnose = water_diagnose,
        .max_n = WATER_CELLS,
        .todos = COLUMN_TODOS,
        .hints = step_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Tridiagonal systems",
    .learned =
        "Rows may be eliminated in any order, as sums may be added. Cyclic reduction has less "
        "work, parallel reduction less depth, and a scan is one such system.",
    .file = "tridiagonal.cu",
    .tile = ROWS,
    .threads = ROWS,
    .per_thread = 1,
    .large_n = WATER_CELLS,
    .taught = { "additions" },
    .parts = parts,
};
