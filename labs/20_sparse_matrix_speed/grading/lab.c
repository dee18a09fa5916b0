/*
 * Declaration of the bonus of lab 20: its part, reference, gates and hints. See common/lab/lab.h
 * for what each field means.
 *
 * The theory behind the gates, for tiles of T items, nonzeros and ends of rows, 1276 on the
 * simulated GPU, and R blocks, at most 256 here:
 *     launches   1, without a kernel that clears descriptors
 *     bytes      12 a nonzero: value, column, x; of a row its offset and its sum, 8. To that come,
 *                for a tile: its first offset again, and the search for its first row, some 30
 *                words; for a share: two searches, and words of shares before it. Where a warp has
 *                a row, each lane reads its offsets, and a block's first and last
 *     atomics    for every share its ticket, for every block one that tells it to stop, and its end
 *     barriers   1 a block, after the mbarriers are initialised; one to spare. Where a block takes
 *                8 long rows together: 2 for each
 *     work       shares have the same size: instructions depend on how many nonzeros and rows there
 *                are, and not on who has how many
 */
#include <stdbool.h>

#include "../../20_sparse_matrix/grading/matrices.h"
#include "lab.h"
#include "sparse_matrix_speed.h"
#include "usual_gates.h"

enum { TILE = SPMV_SPEED_ENGINE_ITEMS, MOST_BLOCKS = 256 };

static size_t tiles(size_t n) { return (n + rows(n) + TILE - 1) / TILE; }
static bool has_a_warp_a_row(size_t n)
{
    return n > 0 && n <= SPMV_SPEED_ENGINE_FEW && n / rows(n) >= SPMV_SPEED_A_ROW;
}
static size_t blocks(size_t n) { return tiles(n) < MOST_BLOCKS ? tiles(n) : MOST_BLOCKS; }

/* ---- diagnosis ------------------------------------------------------------------------------- */

static const char *diagnose(const lab_mismatch *m)
{
    const float *value = m->inputs[D_VALUE], *x = m->inputs[D_X];
    const int32_t *column = m->inputs[D_COLUMN],
                  *offset = (const int32_t *)m->inputs[D_OFFSET] + m->index;
    float rest = ((const float *)m->expected)[m->index] - ((const float *)m->got)[m->index];

    const char *const of_x = x_diagnose(m);

    if (of_x)
        return of_x;
    if (offset[0] == offset[1])
        return "the row is empty, and its sum is not 0: whoever writes it must not take what "
               "another row has put there";
    for (int32_t i = offset[0]; i + 1 < offset[1]; i++)
        if ((rest -= value[i] * x[column[i]]) == 0)
            return "the row's first nonzeros are missing in its sum: the open sum before a tile, "
                   "or before a share, was not added";
    return NULL;
}

/* ---- limits and gates ------------------------------------------------------------------------ */

static double bytes_moved(size_t n)
{
    return 12 * (double)n + 8 * (double)offsets(n) + 1024 * (double)tiles(n) +
           2048.0 * (double)blocks(n) + 2048 + (has_a_warp_a_row(n) ? 4096.0 * (double)rows(n) : 0);
}
static double stored(size_t n) { return 4 * (double)rows(n); }
static double barriers(size_t n) { return has_a_warp_a_row(n) ? 16 : 2; }
/* shares of 2 tiles here, whose words may be published by atomics */
static double atomics(size_t n)
{
    return 3 * (double)((tiles(n) + 1) / 2) + 2.0 * (double)blocks(n);
}
static double skewed(size_t n)
{
    return 1.2 * (double)(n + rows(n)) / (double)(EVEN_8 + rows(EVEN_8));
}
/* a block may take some shares of 2 tiles before others have begun */
static double sharing(size_t n) { return half_up_to_3((double)((tiles(n) + 3) / 4)); }
/* where blocks wait most of the time, their polls count */
static double and_a_half(size_t n) { return tiles(n) < 8 ? 3 : 1.5; }

static const lab_gates gates = {
    { LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: a single pass, and none to clear descriptors",
      "One kernel does it all: words carry the stamp of their launch, so that nobody has to clear "
      "them." },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { NO_FILLS },
    { LAB_BYTES_MOVED, LAB_AT_MOST, bytes_moved, "bytes moved",
      "12n + 8 offsets + 1024 tiles + 2048 (blocks + 1): value, column, x; offset and sum; "
      "searches and "
      "words; 4096 more per row where a warp has a row",
      "Work on the tile in its stage, and write nothing to memory but the sums." },
    { STORED(stored, "4 a row, also an empty one") },
    { LAB_ATOMICS, LAB_AT_MOST, atomics, "atomics",
      "1.5 tiles + 2 blocks: a ticket, A and P for 2 tiles, and the end of each block",
      "Let each sum and each mark have a place of its own." },
    { WORK_SHARED(sharing, "pieces of 4 tiles") },
    { LAB_BLOCK_BARRIERS_PER_BLOCK, LAB_AT_MOST, barriers, "barriers",
      "2 a block, however many tiles it takes; 16 where a warp has a row",
      "Let each warp wait for what it needs: mbarriers instead of __syncthreads()." },
    { LAB_INSTRUCTIONS_SPREAD, LAB_AT_MOST, skewed, "skewed over even rows",
      "1.2 times the warp instructions of n = 12300, whose rows are even, for as many nonzeros "
      "and rows",
      "The same nonzeros take more work where rows are skewed: cut nonzeros and ends of rows into "
      "equal shares." },
    { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, and_a_half, "instructions",
      "1.5 times the reference solution's for this part, 3 below 8 tiles",
      "Two passes over a thread's items are enough; a warp that polls should sleep a little "
      "between looks." },
};
static const lab_sizes gate_sizes = { EVEN_8, FULL_8, POWER_8, FEW_8, DIAGONAL, SHORT_500 };

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_hints hints = {
    "A gathered x comes back after hundreds of cycles. How many of them does your warp wait for at "
    "a time? And a thread that adds up items side by side: where can it leave a row's sum so that "
    "its writer finds it, without knowing how many rows end before?",
    "Fetch a batch of x into registers, and only then multiply. The sum goes to the place of the "
    "row's last nonzero, in the stage: the writer knows that place from the offset. The open sum "
    "at the end of a thread, a warp and a tile goes on as in a segmented scan; a tile's stays in "
    "the block, for a share's tiles lie side by side. A share publishes its own in one word, and "
    "the one row that began before the share waits for it, in its slot.",
    "TODO 1: part k takes nonzero ___, if it is before the row's end; parts, then lanes, added up\n"
    "TODO 2: BATCH columns give BATCH x, then the products; the last nonzero's byte after ___\n"
    "TODO 3: note the open sum before the tile; 0 if it is the share's first, or its first end is "
    "at ___\n"
    "    marks; items that are not nonzeros are ___; the open sum after the last mark; scan of the "
    "lanes\n"
    "    sums to the marked places; the open sum after all; at the share's end publish ___\n"
    "TODO 4: an empty row: ___; last nonzero in a tile before: ___; begun before the share: ___\n"
    "TODO 5: as in a segmented scan: words up to the nearest with ___",
};
static const lab_buffers buffers = {
    [D_VALUE] = { .name = "d_value" },
    [D_COLUMN] = { .name = "d_column", .type = LAB_I32 },
    [D_OFFSET] = { .name = "d_offset", .type = LAB_I32, .length = offsets, .rising = true },
    [D_X] = { .name = "d_x", .length = rows },
    [D_Y] = { .name = "d_y", .role = LAB_OUT, .owner = LAB_BY_GRID, .length = rows },
};

/* n / 500 rows, with offsets that rise; and as many rows as nonzeros, the first ones empty */
enum { MOST = 1 << 29, MANY_ROWS = MOST - 1 };

static const lab_sizes many_rows = { 100000, 300001, MANY_ROWS };
static const size_t *const kinds[LAB_KINDS] = { many_rows };

static const lab_parts parts = {
    { .entry = "spmv_fast",
      .title = "matrix times vector as fast as x is gathered",
      .points = 100,
      .buffers = buffers,
      .reference = spmv_reference,
      .fill = fill_matrix,
      .change = change_matrix_or_sign,
      .gates = gates,
      .gate_sizes = gate_sizes,
      .diagnose = diagnose,
      .max_n = MOST,
      .kinds = kinds,
      .fill_end = fill_end,
      .any_alignment = true,
      .against = "spmv_fast",
      .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4) | LAB_TODO(5),
      .hints = hints },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "SpMV, fast",
    .learned =
        "Find the one step that takes the time, give it most of the warps, and have many loads "
        "in flight.",
    .file = "sparse_matrix_speed.cu",
    .tile = TILE,
    .threads = 64,
    .per_thread = SPMV_SPEED_EACH,
    .blocks_wait = true,
    .large_n = 30 * TILE + 79,
    .bonus = true,
    .borrowed = { "11_speed_of_light/bulk_copies.h", "11_speed_of_light/rows.h",
                  "14_compaction_speed/ring.h", "16_segmented_scan_sums/splits.h",
                  "20_sparse_matrix/sparse_matrix.h" },
    .taught = { "bytes moved", "skewed over even rows", "instructions" },
    .parts = parts,
};
