/*
 * steps.h: the table of the steps of a run, and what tiles have published meanwhile.
 */
#ifndef LECTURE_STEPS_H
#define LECTURE_STEPS_H

#include "facade.h"
#include "recording.h"

enum { STEPS_MOST = 1 << 20, STEP_FILES = 16 };

enum { /* step_row.flags, as README.md has them */
       STEP_BARRIER = 1,
       STEP_FOUND = 2,
       STEP_WAITS = 4,
       STEP_STOPPED = 8,
       STEP_SHARED = 16,
       STEP_GLOBAL = 32,
       STEP_WRITES = 64
};

typedef struct step_row {
    uint32_t block, active, mask, line, ptx_line;
    uint16_t launch;
    int8_t file; /* -1: unknown */
    uint8_t warp, flags;
} step_row;

typedef struct launch_steps {
    unsigned first, count; /* steps, from 1 */
} launch_steps;

/* A block spins while each of its warps that has not ended waits at a block barrier, or looks again
   and again at global memory and finds what it found before; at least one looks. */
typedef struct block_event { /* from this step on */
    unsigned step, launch, block;
    simt_block_state state;
} block_event;

enum { LOOKS = 4 }; /* instructions by which a warp may look, in turn */
typedef struct warp_looks {
    struct {
        uint32_t ptx_line, again; /* how often it has found the same since */
        uint64_t what;            /* a hash of addresses and values */
    } look[LOOKS];
    bool spins;
} warp_looks;

typedef struct step_table {
    step_row *row; /* of step k: row[k - 1] */
    launch_steps *launch;
    unsigned count, room, launches, files, findings;
    bool cut;
    char file[STEP_FILES][64];
    block_event *event; /* by step */
    unsigned events, event_room;
    /* of the launch that is on: by block; by block and warp; null where it has too many blocks */
    simt_block_state *state;
    warp_looks *looks;
    unsigned blocks;
} step_table;

void steps_launch(step_table *t, uint64_t blocks); /* another one begins */
void steps_add(step_table *t, const simt_step *s, const simt_step_warps *warps);
void steps_free(step_table *t);
const char *steps_file(const step_table *t, const step_row *row); /* "": unknown */
/* 0: none */
unsigned steps_find(const step_table *t, unsigned from, int direction, lecture_what what, int block,
                    int warp);
/* at which it was found; 0: at none */
unsigned steps_of_finding(const step_table *t, const simt_finding *f);

typedef struct tile_event { /* a tile has another state */
    unsigned step, tile, block;
    char state; /* X, A, P */
} tile_event;

typedef struct tile_look { /* a warp reads descriptors: tiles first, ... of tile_table.tile */
    unsigned step, block, first, count;
} tile_look;

typedef struct tile_table {
    uint8_t *now; /* the descriptors */
    bool live;    /* their memory is there */
    tile_event *event;
    tile_look *look;
    unsigned *tile;
    unsigned events, looks, tiles, event_room, look_room, tile_room;
} tile_table;

enum { MOST_TILE_EVENTS = 1 << 14 }; /* of each; later ones are left out */

void tiles_launch(tile_table *t, simt_device *device, const recorded_tiles *what);
void tiles_look(tile_table *t, simt_device *device, const recorded_tiles *what, const simt_step *s,
                unsigned step);
void tiles_free(tile_table *t);
char tiles_state(const recorded_tiles *what, uint64_t word);
uint64_t tiles_word(const recorded_tiles *what, const uint8_t *all, size_t tile);
/* the tiles whose descriptors the step reads: how many, MOST at most */
enum { TILES_AT_ONCE = 64 };
unsigned tiles_read(const recorded_tiles *what, const simt_access *a, unsigned tile[TILES_AT_ONCE]);

#endif
