/*
 * show.h: the facade's answers as JSON, part by part; README.md has their form.
 */
#ifndef LECTURE_SHOW_H
#define LECTURE_SHOW_H

#include "json.h"
#include "play.h"
#include "steps.h"
#include "words.h"

/* ---- of the program -------------------------------------------------------------------------- */

void show_program(json *j, const recording *r);
void show_settings(json *j, const char *key, const settings *s, bool recorded);

/* ---- of a run -------------------------------------------------------------------------------- */

typedef struct show_launch { /* kept of a launch */
    const recorded_op *op;
    char kernel[64], message[400];
    simt_status status;
    size_t shared;
    uint64_t blocks;
    simt_wait *waits;
    unsigned wait_count;
} show_launch;

void show_launch_keep(show_launch *to, simt_device *device, const played_launch *l);
void show_launch_free(show_launch *l);

typedef struct show_lines { /* of all launches, by file and line */
    simt_line_counts *line;
    unsigned count;
} show_lines;
void show_lines_add(show_lines *all, const simt_report *report);
void show_lines_free(show_lines *all);

/* Compares the outputs with what is expected; false: that is not known. *wrong: elements; what: the
   first of them, as the report says it. */
bool show_check(const recording *r, simt_device *device, size_t *wrong, char *what, size_t room);

/* launches, timeline and waits */
void show_launches(json *j, const recording *r, const show_launch *l, unsigned count,
                   const step_table *steps);
void show_counts(json *j, const simt_counts *counts);
void show_gates(json *j, const recording *r, const simt_counts *counts);
void show_lines_all(json *j, const show_lines *all);
void show_findings(json *j, const recording *r, const found *all, const step_table *steps);
void show_tile_events(json *j, const tile_table *t);
void show_table(json *j, const step_table *t, unsigned from, unsigned count);

/* ---- of a state ------------------------------------------------------------------------------ */

typedef struct one_register {
    simt_written value; /* the last; name "": free */
    uint32_t set;       /* lanes that have written it */
    unsigned step;
} one_register;

typedef struct registers { /* of one warp */
    one_register *of;
    unsigned count, room;
} registers;
void registers_take(registers *all, const simt_step *s, unsigned step);
void registers_free(registers *all);

void show_step(json *j, const recording *r, const simt_step *s, const step_table *t, unsigned step);
void show_registers(json *j, const registers *all);
void show_shared(json *j, const simt_device *device, unsigned function, const simt_step *s);
void show_warps(json *j, const simt_device *device, const simt_step *s, const step_table *t,
                unsigned step);
void show_buffers(json *j, const recording *r, const simt_device *device, const settings *s);
void show_tiles(json *j, const recorded_tiles *what, const simt_device *device, const tile_table *t,
                unsigned step);
void show_blocks(json *j, const step_table *t, unsigned step);
void show_found_so_far(json *j, const found *all, const step_table *t, unsigned step);
/* before the first step: all of the above that depend on one */
void show_nothing(json *j, const recording *r, const simt_device *device, const settings *s);

/* ---- the network of additions ---------------------------------------------------------------- */

typedef struct show_network {
    simt_add_event *event;
    unsigned *step; /* of each event; 0: unknown */
    size_t count;
    uint64_t dropped;
    unsigned launches;
} show_network;
void show_network_add(show_network *n, const simt_report *report, const step_table *t,
                      unsigned launch);
void show_network_all(json *j, const recording *r, const show_network *n);
void show_network_free(show_network *n);

#endif
