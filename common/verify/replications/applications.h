/*
 * applications.h: inputs and results of the measurements that take their data from memory
 * (replications.h says what each is), computed one after the other in plain C.
 */
#ifndef REPLICATIONS_APPLICATIONS_H
#define REPLICATIONS_APPLICATIONS_H

#include "replications.h"

replication_reference application_binary_scan, application_compaction, application_radix_sort,
    application_block_sort, application_spmv, application_tridiagonal;

/* Each nonzero falls into a row, and to a column of it, by chance: rows of about 91, as in the
   source, whose own matrix is not here. Values and the vector: integers from -8 to 8. */
replication_draw application_draw_matrix;

/* Diagonally dominant systems: cyclic reduction does not pivot. */
replication_draw application_draw_systems;

#endif
