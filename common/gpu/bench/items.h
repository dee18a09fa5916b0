/*
 * items.h: what is timed: every part of every lab's solution, the extra programs in its folder, and
 * the peers.
 *
 * Solutions are modules: shared objects in one folder, ID.so for each lab of the lab table,
 * peers.so, peers_newer.so where a newer CUB is measured beside the toolkit's (its rows are called
 * cub_newer_...), and ID.SUB.so for what solutions/ID/SUB holds, with ID.SUB.entries, a line
 * "NAME int" or "NAME long" for each entry: it stands in for the lab's part whose entry ends in the
 * same word. Each is loaded apart from the others, so that their names cannot clash. Host labs
 * (buffers on the host) are timed by the host's clock, and up to ITEMS_HOST_N only.
 */
#ifndef GPU_BENCH_ITEMS_H
#define GPU_BENCH_ITEMS_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "lab.h"
#include "peers.h"

enum { ITEMS_MOST = 256, ITEMS_LEAST_N = 1 << 10, ITEMS_HOST_N = 1 << 24 };

typedef int peer_runner(peer_op op, peer_type type, void *d_temp, size_t *temp_bytes,
                        void *const *buffers, long long n);

typedef struct item {
    char what[96]; /* as in the CSV file */
    peer_type type;
    const lab_part *part;
    const peer *peer; /* null: a lab's */
    peer_runner *run_peer;
    void *entry; /* of a lab's */
    bool wide, host;
    size_t most_n;
    int answer; /* set by the bench */
} item;

typedef struct items {
    item item[ITEMS_MOST];
    unsigned count;
    void *module[ITEMS_MOST];
    unsigned modules;
} items;

/* Loads all modules of a folder. False with a reason; drop it in any case. */
bool items_load(items *all, const char *folder, base_error *error);
void items_drop(items *all);

/* "i32", "f32", "i64" */
const char *items_type_name(peer_type type);

#endif
