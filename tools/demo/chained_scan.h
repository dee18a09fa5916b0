/*
 * chained_scan.h: what the demo asks of chained_scan.cu: an exclusive scan in one launch, in two versions.
 */
#ifndef CHAINED_SCAN_H
#define CHAINED_SCAN_H

#include <stdbool.h>

#define TILE 128                /* elements, and threads, of a block */
#define MOST_TILES 1024

#ifdef __cplusplus
extern "C"
#endif
/* out[i] = in[0] + ... + in[i - 1] for tiles x TILE elements of host memory. False: CUDA reported an error (a kernel that hangs, say),
   named in *error, and out is not filled. */
bool chained_scan(const float *in, float *out, int tiles, bool dynamic_ids, const char **error);

#endif
