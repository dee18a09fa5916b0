/*
 * applications.h: inputs and results of the measurements that take their data from memory
 * (replications.h says what each is), computed one after the other in plain C.
 */
#ifndef REPLICATIONS_APPLICATIONS_H
#define REPLICATIONS_APPLICATIONS_H

#include "replications.h"

replication_reference application_binary_scan, application_compaction, application_radix_sort,
    application_block_sort, application_spmv, application_tridiagonal;
replication_reference application_select, application_partition, application_runs,
    application_by_key;
replication_reference application_water_small, application_water_large, application_water_copy;
replication_reference application_structures_2, application_structures_3, application_structures_4,
    application_structures_5, application_structures_8, application_structures_16,
    application_transpose_3, application_transpose_8;

/* Each nonzero falls into a row, and to a column of it, by chance: rows of about 91, as in the
   source, whose own matrix is not here. Values and the vector: integers from -8 to 8. */
replication_draw application_draw_matrix;

/* Keys in runs, each element the first of one by chance; and with values, integers from -8 to 8. */
replication_draw application_draw_runs, application_draw_runs_and_values;

/* Diagonally dominant systems: cyclic reduction does not pivot. */
replication_draw application_draw_systems;

/* Water about 1 deep with islands in it. No cell falls dry: a height on the edge of that could be
   right either way. */
replication_draw application_draw_water;

#endif
