/*
 * Declaration of lab 20: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for tiles and shares of T = 2048:
 *     bytes      12 a nonzero: value, column, and what the column fetches of x; of a row its offset
 *                and its sum: 8. Descriptors and a search take 1 KiB a tile
 *     shares     nonzeros and ends of rows together are cut into equal shares, so that instructions
 *                depend on how many there are, and not on how rows are shared out among them
 */
#include <math.h>

#include "lab.h"
#include "matrices.h"
#include "sparse_matrix.h"
#include "usual_gates.h"

enum { TILE = SPMV_TILE, WARP = 32 };

/* ---- diagnoses ------------------------------------------------------------------------------- */

/* Does row r lie in several tiles, or shares? */
static bool is_cut(const lab_mismatch *m, size_t r, bool by_shares)
{
    const int32_t *offset = m->inputs[D_OFFSET];
    const size_t begin = (size_t)offset[r], end = (size_t)offset[r + 1];

    if (begin == end)
        return false;
    return by_shares ? (begin + r) / TILE != (end + r) / TILE
                     : (m->n - 1 - begin) / TILE != (m->n - end) / TILE;
}

static const char *matrix_diagnose(const lab_mismatch *m, bool by_shares)
{
    const float *value = m->inputs[D_VALUE], *got = m->got, *expected = m->expected;
    const int32_t *offset = m->inputs[D_OFFSET];
    bool empty = true, cut = true, values = true, full = true, mixed = false;
    bool some = false; /* sums are there, and are not just missing */

    for (size_t r = 0; r < m->length; r++) {
        float sum = 0;
        for (int32_t i = offset[r]; i < offset[r + 1]; i++)
            sum += value[i];
        values = values && got[r] == sum;
        some = some || got[r] != 0;
        if (got[r] == expected[r])
            continue;
        bool has_full = false;
        for (int32_t i = offset[r]; i < offset[r + 1]; i++)
            has_full = has_full || is_full(value[i]);
        full = full && has_full;
        mixed = mixed || (isfinite(expected[r]) && !isfinite(got[r]));
        empty = empty && offset[r] == offset[r + 1];
        cut = cut && is_cut(m, r, by_shares);
    }
    if (values)
        return "the sums are those of the values alone: each is to be multiplied by the x of its "
               "column";
    const char *const of_x = x_diagnose(m);
    if (of_x)
        return of_x;
    if (full && some)
        return "wrong only in rows with a value that takes all 24 bits of a float, or is very "
               "large or small: a sum has been kept in fixed point, or as an int, or is the "
               "difference of sums that go on over other rows; add floats, and each row's alone";
    if (mixed && !empty)
        return "a finite sum came out infinite or as no number: another row's infinite product was "
               "in it, by a difference of sums that go on over rows, or times 0; leave out what "
               "does not belong to the row";
    if (empty)
        return "wrong only where a row is empty: it has no nonzero that could be a head, and still "
               "its 0 has to be written";
    if (cut)
        return by_shares ? "wrong only in rows that lie in several shares: what was open before "
                           "the share is missing, or taken where it does not belong"
                         : "wrong only in rows that lie in several tiles: what the tile after it "
                           "left open is missing";
    return NULL;
}

static const char *backward_diagnose(const lab_mismatch *m) { return matrix_diagnose(m, false); }
static const char *shares_diagnose(const lab_mismatch *m) { return matrix_diagnose(m, true); }

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, SPMV_THREADS)
LIMIT(five, 5)
static double items(size_t n) { return (double)(n + rows(n)); }
static double tiles(size_t n) { return (double)((n + TILE - 1) / TILE); }
static double shares(size_t n) { return ceil(items(n) / TILE); }
static double tiles_sharing(size_t n) { return half_up_to_3(tiles(n)); }
static double shares_sharing(size_t n) { return half_up_to_3(shares(n)); }
static double backward_bytes(size_t n)
{
    return 12 * (double)n + 24 * (double)offsets(n) + 1024 * tiles(n);
}
static double shares_bytes(size_t n)
{
    return 12 * (double)n + 8 * (double)offsets(n) + 1024 * shares(n);
}
static double rows_stored(size_t n) { return 4 * (double)rows(n); }
/* marks by bits of a word, or sums of rows that are cut, need an atomic each */
static double backward_atomics(size_t n) { return 3 * tiles(n) + (double)offsets(n) + 128; }
static double shares_atomics(size_t n) { return 3 * shares(n) + (double)offsets(n) + 128; }
static double instructions(size_t n) { return 200 * items(n) / WARP + 12000; }
static double skewed(size_t n) { return 1.5 * items(n) / items(EVEN_8); }

/* ---- gates ----------------------------------------------------------------------------------- */

#define ONE_KERNEL                                                                                 \
    LAB_ENTRIES(                                                                                   \
        { LAB_LAUNCHES, LAB_AT_MOST, two, "launches", "2: one is enough",                          \
          "One kernel multiplies, scans and picks." },                                             \
        { NO_WAITING }, { NO_FIXED_ROOM },                                                         \
        { LAB_FILLS, LAB_AT_MOST, one, "fills and copies", "1: to clear what must be 0 first",     \
          "Clear all that has to be 0 by one cudaMemsetAsync; the kernels write the rest." })
#define ATOMICS(limit, formula)                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, limit, "atomics", formula,                                           \
        "Sums come from scans, which keep the order; an atomic for each nonzero does not."
#define BUSIEST(limit, formula)                                                                    \
    LAB_BUSIEST_BLOCK, LAB_AT_MOST, limit, "busiest block", formula,                               \
        "Long rows all go to one thread, warp or block: let blocks take tiles, wherever rows "     \
        "begin."

static const lab_gates backward_gates = {
    ONE_KERNEL,
    { LAB_MOVED_BUT_WORDS, LAB_AT_MOST, backward_bytes, "bytes moved",
      "12n + 24 offsets + 1024 tiles: value, column, x; mark, both ends, sum, and "
      "spare",
      "Load each value and column once, and keep the products on the chip." },
    { STORED(rows_stored, "4 a row, also an empty one") },
    { ATOMICS(backward_atomics, "3 tiles + offsets + 128") },
    { BUSIEST(five, "5 times the instructions of a mean block, however long a row is") },
    { WORK_SHARED(tiles_sharing, "tiles") },
    THREADS_PER_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
};
static const lab_gates shares_gates = {
    ONE_KERNEL,
    { LAB_INSTRUCTIONS_SPREAD, LAB_AT_MOST, skewed, "skewed over even rows",
      "1.5 times the warp instructions of n = 12300, whose rows are even, for as many nonzeros "
      "and rows",
      "The same nonzeros take more work where rows are skewed: lanes idle beside a long row, or "
      "empty rows cost as much as others. Cut nonzeros and ends of rows into equal shares." },
    { LAB_INSTRUCTIONS, LAB_AT_MOST, instructions, "instructions",
      "200 per 32 nonzeros and ends of rows + 12000",
      "A warp for each row, or a search for each nonzero, is more work than the rows are: let a "
      "lane have a nonzero, and a scan find the sums." },
    { BUSIEST(two, "twice the instructions of a mean block, whatever the rows") },
    { WORK_SHARED(shares_sharing, "shares") },
    { LAB_MOVED_BUT_WORDS, LAB_AT_MOST, shares_bytes, "bytes moved",
      "12n + 8 offsets + 1024 shares: value, column, x; an offset, and a sum",
      "Load each value and column once; a share's offsets fit into shared memory." },
    { STORED(rows_stored, "4 a row, also an empty one") },
    { ATOMICS(shares_atomics, "3 shares + offsets + 128") },
    THREADS_PER_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
};

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints backward_hints = {
    "Read the nonzeros from the last to the first: where does a row begin then? At which nonzero "
    "is its sum complete? What does an empty row mark, and who writes its 0?",
    "The nonzero before an offset ends a row: read backward, that is a head. The sum of a row "
    "stands at its first nonzero, which its own offset names. An empty row's offset is the next "
    "one's as well: it may mark the same place again, and its sum is 0.",
    "TODO 1: value times the x of ___\n"
    "TODO 2: the offsets above low and up to high mark place high less ___\n"
    "TODO 3: a row that begins in the tile: if it is ___: 0, else the sum at place ___\n"
    "    rows that begin at n are empty: the tile whose high is ___ has them",
};
static const lab_hints shares_hints = {
    "Lab 16 cut elements and ends of segments into equal shares. A share ends 3 rows: how many "
    "offsets does it need? Where is the sum of a row whose last nonzero lies in an earlier share?",
    "A share has at most as many rows as items: their offsets fit into shared memory, and are "
    "read once. After each end begins a row: a head. A row that has no nonzero in the share is "
    "empty, or complete with what was open before it.",
    "TODO 4: the share's offsets, one more than ends: s_offset k is that of row ___\n"
    "    each but the first marks the place after its row: the offset less ___\n"
    "TODO 5: for each end, by its row's two offsets:\n"
    "    equal: ___\n"
    "    end above low: the scan at place ___\n"
    "    else: ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers buffers = {
    [D_VALUE] = { .name = "d_value" },
    [D_COLUMN] = { .name = "d_column", .type = LAB_I32 },
    [D_OFFSET] = { .name = "d_offset", .type = LAB_I32, .length = offsets, .rising = true },
    [D_X] = { .name = "d_x", .length = rows },
    [D_Y] = { .name = "d_y", .role = LAB_OUT, .owner = LAB_BY_GRID, .length = rows },
};

static const lab_sizes gate_sizes = { EVEN_8, FULL_8, POWER_8, FEW_8, DIAGONAL, FULL_1, SHORT_500 };

/* n / 500 rows, with offsets that rise; and as many rows as nonzeros, the first ones empty */
enum { MOST = (1 << 30) - (1 << 12), FEW_ROWS = MOST - 1, MANY_ROWS = MOST - 2 };

static const lab_sizes many_rows = { 100000, 300001, MANY_ROWS };
static const size_t *const kinds[LAB_KINDS] = { many_rows };

static const lab_parts parts = {
    {
        .entry = "spmv_backward",
        .title = "matrix times vector, by a backward scan",
        .points = 47,
        .buffers = buffers,
        .reference = spmv_reference,
        .fill = fill_matrix,
        .change = change_matrix_or_sign,
        .gates = backward_gates,
        .gate_sizes = gate_sizes,
        .diagnose = backward_diagnose,
        .max_n = MOST,
        .huge_n = FEW_ROWS,
        .kinds = kinds,
        .fill_end = fill_end,
        .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3),
        .hints = backward_hints,
    },
    {
        .entry = "spmv_shares",
        .title = "matrix times vector, by equal shares of work",
        .points = 53,
        .buffers = buffers,
        .reference = spmv_reference,
        .fill = fill_matrix,
        .change = change_matrix_or_sign,
        .gates = shares_gates,
        .gate_sizes = gate_sizes,
        .diagnose = shares_diagnose,
        .max_n = MOST,
        .huge_n = FEW_ROWS,
        .kinds = kinds,
        .fill_end = fill_end,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(4) | LAB_TODO(5),
        .hints = shares_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Sparse matrix times vector",
    .learned =
        "Rows are segments. Where nonzeros and rows are cut into equal shares, the work does "
        "not depend on how long a row is.",
    .file = "sparse_matrix.cu",
    .tile = TILE,
    .threads = SPMV_THREADS,
    .per_thread = TILE / SPMV_THREADS,
    .blocks_wait = true,
    .large_n = 40 * SPMV_TILE + 79, /* rows of 8 */
    .far_n = FULL_FAR,
    .borrowed = { "19_quicksort/scan_tile.h", "19_quicksort/tile.h", "19_quicksort/descriptors.h" },
    .taught = { "skewed over even rows", "busiest block", "instructions" },
    .parts = parts,
};
