/*
 * board.h: a row for each lab: verdict, points, cases, cost against the reference solution.
 *
 * Rows are printed one by one, as labs end. Of several labs those that are not begun have no row,
 * but a line for all of them. At most 80 columns, fewer on a narrower terminal.
 */
#ifndef BOARD_H
#define BOARD_H

#include "options.h"
#include "result.h"
#include "style.h"

/* gpu: its name, "" without one */
void board_head(const report_style *style, const options *o, const char *gpu,
                const lab *const *labs, size_t count);
void board_row(const report_style *style, const options *o, const lab_result *r);

/* The line that says what is being done: status_line.h, which takes it away. */
void board_progress(const lab *l, lab_progress *progress);

/* Below the last row: the labs that are not begun, and the sum; of one lab, why it has none. */
void board_end(const report_style *style, const options *o, const lab_result *const *results,
               size_t count);

#endif
