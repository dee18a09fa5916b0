/*
 * Declaration of the bonus of lab 21: its parts, reference, gates and hints. See common/lab/lab.h
 * for what each field means.
 *
 * The theory behind the gates, for systems of m rows, m / 32 of them a lane:
 *     bytes     16 n read, 4 n written. Lanes load 16 bytes each, m / 8 bytes apart, and come back
 *               for the rest: a sector is touched twice, and on a GPU found in the cache
 *     shuffles  3 for the first row of the lane after, 6 in each of 5 steps, 1 for the x of the
 *               lane before: 34 a warp
 *     depth     down, up, 5 steps of 2, back: 2 additions each row and step
 */
#include <math.h>

#include "../../21_tridiagonal/grading/systems.h"
#include "lab.h"
#include "tridiagonal_speed.h"
#include "usual_gates.h"

enum { SHORT = TRIDIAGONAL_SHORT, LONG = TRIDIAGONAL_LONG, SYSTEMS_OF_A_BLOCK = 4, SHUFFLES = 40 };

/* ---- limits ---------------------------------------------------------------------------------- */

static double systems(size_t n, size_t rows) { return (double)((n + rows - 1) / rows); }
static double blocks(size_t n, size_t rows) { return ceil(systems(n, rows) / SYSTEMS_OF_A_BLOCK); }

static double sixteen_each(size_t n) { return 16 * (double)n; }
/* as many sectors as twice the bytes fill, and some for the last few rows, one by one */
static double twice_the_sectors(size_t n) { return 40 * (double)n / 32 + 320; }

#define LIMITS(rows)                                                                               \
    static double additions_##rows(size_t n) { return (double)n - systems(n, rows); }              \
    static double sharing_##rows(size_t n) { return half_up_to_3(blocks(n, rows)); }               \
    static double shuffles_##rows(size_t n)                                                        \
    {                                                                                              \
        return SHUFFLES * SYSTEMS_OF_A_BLOCK * blocks(n, rows);                                    \
    }
LIMITS(256)
LIMITS(512)
LIMIT(depth_256, 60)
LIMIT(depth_512, 108)

/* ---- gates ----------------------------------------------------------------------------------- */

#define READ_ONCE                                                                                  \
    LAB_BYTES_READ, LAB_AT_MOST, sixteen_each, "bytes read", "16n: each row once",                 \
        "Load each row once, and keep it in registers."
#define WRITTEN_ONCE                                                                               \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, four_bytes_each, "bytes written", "4n: each x once",           \
        "Store x alone."
#define SECTORS                                                                                    \
    LAB_SECTORS, LAB_AT_MOST, twice_the_sectors, "sectors",                                        \
        "twice those that the bytes fill + 320",                                                   \
        "Move 16 bytes at a time, as load and store_piece do."
#define FEW_SHUFFLES(limit)                                                                        \
    LAB_SHUFFLES, LAB_AT_MOST, limit, "shuffles",                                                  \
        "40 a warp, of 4 systems a block: 34, and spare",                                          \
        "Only the first row of the next lane and the lanes' last rows are exchanged."
#define DEPTH(limit, formula)                                                                      \
    LAB_DEPTH, LAB_AT_MOST, limit, "depth", formula,                                               \
        "A lane goes through its own rows only; the 32 last rows take 5 steps."
#define MADE(limit, formula) ADDITIONS_MADE(limit, formula)
#define GATES(rows, deep)                                                                          \
    {                                                                                              \
        { MADE(additions_##rows, "n - ceil(n / " #rows "): an x with a neighbour") },              \
            { READ_ONCE }, { WRITTEN_ONCE }, { SECTORS }, ONE_LAUNCH_ALONE, { NO_ATOMICS },        \
            { WORK_SHARED(sharing_##rows, "groups of four systems") }, { NO_DOUBLES },             \
            { NO_SHARED("A lane's rows fit its registers.") },                                     \
            { NO_BARRIERS("No warp waits for another one.") }, { FEW_SHUFFLES(shuffles_##rows) },  \
            { DEPTH(depth_##rows, deep) },                                                         \
    }
static const lab_gates gates_256 =
    GATES(256, "60: 2 for each of 8 rows down, up and back, and for 5 steps");
static const lab_gates gates_512 =
    GATES(512, "108: 2 for each of 16 rows down, up and back, and for 5 steps");

/* ---- diagnoses ------------------------------------------------------------------------------- */

enum { LANES = 32 };

/* Inner rows, of `each` that a lane has: on the last x of the lane before, and of its own. */
static void eliminate_inner(line *l, size_t rows, size_t each)
{
    for (size_t i = 0; i < rows; i++) {
        const double by = i % each > 0 ? l->a[i] / l->b[i - 1] : 0;
        if (i % each == 0)
            continue;
        l->a[i] = -by * l->a[i - 1];
        l->b[i] -= by * l->c[i - 1];
        l->d[i] -= by * l->d[i - 1];
    }
    for (size_t i = rows; i-- > 0;) {
        if (i % each + 2 >= each)
            continue;
        const double by = l->c[i] / l->b[i + 1];
        l->c[i] = -by * l->c[i + 1];
        l->a[i] -= by * l->a[i + 1];
        l->d[i] -= by * l->d[i + 1];
    }
}

/* The last row of a lane, less the first one of the next lane. */
static void eliminate_next(line *l, size_t last)
{
    const size_t next = last + 1;
    const double by = l->c[last] / l->b[next];

    l->c[last] = -by * l->c[next];
    l->b[last] -= by * l->a[next];
    l->d[last] -= by * l->d[next];
}

/* The last rows of the lanes, combined at the distances of some steps, as if that were all. */
static void reduce_last(line *l, size_t each, unsigned steps)
{
    line old;

    for (size_t h = 1; h < (size_t)1 << steps; h *= 2) {
        old = *l;
        for (size_t k = 0; k < LANES; k++) {
            const size_t i = (k + 1) * each - 1, below = i - h * each, above = i + h * each;
            const double down = k >= h ? old.a[i] / old.b[below] : 0,
                         up = k + h < LANES ? old.c[i] / old.b[above] : 0;
            l->a[i] = k >= h ? -down * old.a[below] : 0;
            l->c[i] = k + h < LANES ? -up * old.c[above] : 0;
            l->b[i] -= (k >= h ? down * old.c[below] : 0) + (k + h < LANES ? up * old.a[above] : 0);
            l->d[i] -= (k >= h ? down * old.d[below] : 0) + (k + h < LANES ? up * old.d[above] : 0);
        }
    }
    for (size_t i = each - 1; i < LANES * each; i += each)
        l->x[i] = l->d[i] / l->b[i];
}

static bool has_steps(const lab_mismatch *m, size_t rows, unsigned steps)
{
    const size_t each = rows / LANES;
    const float *got = m->got;
    line l;

    for (size_t first = 0; first < m->n; first += rows) {
        const size_t count = take_system(&l, m->inputs, m->n, first, rows);
        for (size_t i = count; i < rows; i++) {
            l.a[i] = l.c[i] = l.d[i] = 0;
            l.b[i] = 1;
        }
        l.a[0] = l.c[count - 1] = 0;
        eliminate_inner(&l, rows, each);
        for (size_t i = each - 1; i + 1 < rows; i += each)
            eliminate_next(&l, i);
        reduce_last(&l, each, steps);
        for (size_t i = 0; i < count; i++) {
            const size_t lane = i / each, last = lane * each + each - 1;
            const double left = lane > 0 ? l.x[last - each] : 0,
                         x = i == last ? l.x[i]
                                       : (l.d[i] - l.a[i] * left - l.c[i] * l.x[last]) / l.b[i];
            if (fabs((double)got[first + i] - x) > 1e-3 * fabs(x))
                return false;
        }
    }
    return true;
}

static const char *speed_diagnose(const lab_mismatch *m, size_t rows)
{
    for (unsigned steps = 0; steps < 5; steps++)
        if (m->n > rows / 2 && has_steps(m, rows, steps))
            return "the 32 last rows are combined in fewer than five steps: distances go on, each "
                   "twice the one before, up to 16 lanes";
    return small_x_diagnose(m);
}

static const char *diagnose_256(const lab_mismatch *m) { return speed_diagnose(m, SHORT); }
static const char *diagnose_512(const lab_mismatch *m) { return speed_diagnose(m, LONG); }

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_hints hints = {
    "A lane has 8 rows of a system. If it knew the last x of the lane before and its own last one, "
    "how would it find the other seven?",
    "Each inner row can be made to depend on those two alone: going down, the row before "
    "eliminates its own x, and a becomes the factor of the last x of the lane before; going up, c "
    "becomes the factor of the lane's own last x. The next lane's first row eliminates its x from "
    "the last row. The 32 last rows are lab 21's parallel reduction, by shuffles.",
    "TODO 1: down, from the second row: take out the row before; a becomes ___\n"
    "    up, from the last but two: take out the row after; c becomes ___\n"
    "TODO 2: a, c and d of the first row over its b to the lane ___; the last lane gets ___\n"
    "    the last row less ___, and over its b\n"
    "    five distances: combine with the lanes below and above, b staying 1\n"
    "TODO 3: the x of the lane before; for each inner row: d less ___ and ___, over b",
};

#define SYSTEMS(rows)                                                                              \
    static void reference_##rows(void *const *buffers, size_t n)                                   \
    {                                                                                              \
        solve_systems(buffers, n, rows);                                                           \
    }                                                                                              \
    static void fill_##rows(void *data, unsigned buffer, size_t n, uint64_t seed)                  \
    {                                                                                              \
        fill_systems(data, buffer, n, seed, rows);                                                 \
    }                                                                                              \
    static void change_##rows(void *const *buffers, size_t n, size_t i, int by)                    \
    {                                                                                              \
        (void)by;                                                                                  \
        change_system(buffers, n, i, rows);                                                        \
    }
SYSTEMS(256)
SYSTEMS(512)

static const lab_buffers buffers = {
    { .name = "d_a" },
    { .name = "d_b" },
    { .name = "d_c" },
    { .name = "d_d" },
    { .name = "d_x", .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_sizes gate_sizes = { 2 * LONG + 101, 16 * LONG };

#define PART(rows, text)                                                                           \
    .entry = "tridiagonal_" #rows, .title = text, .points = 50, .buffers = buffers,                \
    .reference = reference_##rows, .within = 1e-4, .fill = fill_##rows, .change = change_##rows,   \
    .diagnose = diagnose_##rows, .gates = gates_##rows, .gate_sizes = gate_sizes,                  \
    .max_n = (1 << 30) - 1, .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3), .hints = hints

static const lab_parts parts = {
    { PART(256, "systems of 256 rows, a warp each") },
    { PART(512, "systems of 512 rows, a warp each") },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Tridiagonal, fast",
    .learned =
        "A chain may be cut into pieces that meet only at their ends: lanes work alone, five "
        "steps of shuffles join a warp, and it waits for memory only.",
    .file = "tridiagonal_speed.cu",
    .tile = SHORT,
    .threads = 128,
    .per_thread = SHORT / 32,
    .large_n = 256 * SHORT,
    .bonus = true,
    .taught = { "shuffles", "depth", "bytes read" },
    .parts = parts,
};
