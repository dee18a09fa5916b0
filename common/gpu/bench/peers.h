/*
 * peers.h: what the labs are compared with: a copy of device memory, CUB's and Thrust's algorithms.
 * Each is described as a lab's part is, so that it gets the same inputs and every output of it is
 * checked too.
 */
#ifndef GPU_BENCH_PEERS_H
#define GPU_BENCH_PEERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum peer_op {
    PEER_MEMCPY,
    PEER_INSCAN,
    PEER_EXSCAN,
    PEER_REDUCE,
    PEER_SELECT,
    PEER_THRUST
} peer_op;
typedef enum peer_type { PEER_I32, PEER_F32, PEER_I64 } peer_type;

/* Runs one of CUB's or Thrust's on the default stream, n < 2^31 elements; Thrust waits for the end,
   the others do not. Buffers are the part's, in their order: input, output, and for PEER_SELECT,
   which keeps what is positive, the count. d_temp null: only sets *temp_bytes to what it needs. 0,
   or CUDA's number of what failed. In peers.so. */
int peers_run(peer_op op, peer_type type, void *d_temp, size_t *temp_bytes, void *const *buffers,
              long long n);

#ifdef __cplusplus
}

#else

#include "lab.h"

typedef struct peer {
    const char *what;
    peer_op op;
    peer_type type;
    lab_part part;
} peer;
extern const peer peer_table[];
extern const size_t peer_table_length;

#endif

#endif
