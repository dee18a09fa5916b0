/*
 * chained_scan.h: what the demo asks of chained_scan.cu: an exclusive scan in one launch, in two
 * versions.
 *
 * The same file is compiled for the engine and for a GPU. On the engine a wait may go on for ever,
 * and the engine proves that it does. A GPU would just hang: there every wait is bounded by the
 * GPU's clock, and each block leaves a record.
 */
#ifndef CHAINED_SCAN_H
#define CHAINED_SCAN_H

#include <stdbool.h>

#define TILE       128 /* elements, and threads, of a block */
#define MOST_TILES 16384

/* What block number k did, where waits are bounded. Times are nanoseconds of the GPU's clock; 0: it
   never happened. */
typedef struct chained_record {
    unsigned long long started, waited, went_on, gave_up, ended;
    int tile;      /* that it scanned */
    int waits_for; /* the tile whose sum it needed; -1: none */
    /* as it gave up: had the block with the number of that tile started? */
    int other_started;
} chained_record;

typedef struct chained_launch {
    int tiles; /* and blocks */
    /* a block draws its tile as it starts; else its number is its tile */
    bool dynamic_ids;
    bool reversed; /* block b of the grid takes the number tiles - 1 - b */
    /* nanoseconds that a block waits; 0: for ever. Once one has given up, all do, and no other
       begins */
    unsigned long long limit;
    /* of `tiles` blocks, by number, where there is a limit; may be null */
    chained_record *records;
} chained_launch;

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = in[0] + ... + in[i - 1] for tiles x TILE elements of host memory. False: CUDA reported
   an error (a kernel that hangs, say), named in *error, and out is not filled. After a block has
   given up, out is not whole. */
bool chained_scan(const float *in, float *out, const chained_launch *launch, const char **error);

/* How many of its blocks the device runs at a time, as the CUDA runtime says, and on how many
   multiprocessors. 0: there is no device that can be used; *error says why. */
int chained_places(int *multiprocessors, const char **error);

#ifdef __cplusplus
}
#endif

#endif
