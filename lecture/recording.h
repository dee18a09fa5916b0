/*
 * recording.h: a recorded program, as README.md describes its text, and the settings of a run.
 */
#ifndef LECTURE_RECORDING_H
#define LECTURE_RECORDING_H

#include "lab.h"
#include "simt.h"

enum { RECORDING_ERROR = 200 }; /* bytes of a message */

typedef struct settings {
    simt_config config;
    unsigned view, viewed; /* elements of buffers that a state shows: from, how many */
} settings;

/* Words such as "resident=2 order=reversed"; false and a message for one that there is not. */
bool settings_take(settings *s, const char *words, char error[RECORDING_ERROR]);
/* The words that make it, without view and viewed. */
void settings_text(const settings *s, char *text, size_t room);
bool settings_equal(const settings *a, const settings *b); /* but for the view */

typedef struct recorded_buffer {
    const char *name;
    lab_type type;
    lab_role role;
    simt_addr address;
    size_t length, bytes;    /* elements; of all of them */
    const uint8_t *expected; /* as many bytes; null: unknown */
    double within;           /* of floats: as in lab_part */
} recorded_buffer;

typedef enum recorded_kind {
    RECORDED_MODULE, /* data, bytes: its text */
    RECORDED_ALLOC,
    RECORDED_FREE,
    RECORDED_DATA, /* simt_mark_data */
    RECORDED_FORGET,
    RECORDED_WRITE, /* data */
    RECORDED_FILL,  /* value */
    RECORDED_COPY,  /* to address, from `from` */
    RECORDED_READ,
    RECORDED_LAUNCH /* data, bytes: its parameters */
} recorded_kind;

typedef struct recorded_op {
    recorded_kind kind;
    simt_addr address, from;
    size_t bytes;
    uint8_t value;
    const uint8_t *data;
    const char *kernel; /* as the PTX has it */
    simt_dim grid, block;
    size_t dynamic_shared;
    bool cooperative;
} recorded_op;

typedef struct recorded_gate {
    lab_metric metric;
    lab_bound bound;
    double limit;
    bool taught;
    const char *name, *formula;
} recorded_gate;

typedef struct recorded_tiles { /* what the tiles of a look-back publish, word by word */
    simt_addr address;
    size_t stride, count; /* 0: there are none */
    unsigned shift;
    uint64_t mask, aggregate, prefix;
} recorded_tiles;

typedef struct recorded_text { /* of a source: its name; of what was reported: seen, cause, do */
    const char *key, *text;
} recorded_text;

enum { RECORDED_SOURCES = 8, RECORDED_SAID = 8 };

typedef struct recording {
    const char *lab, *part, *title, *verdict;
    size_t n, memory;
    settings settings; /* of the recorded run */
    recorded_buffer buffer[LAB_MAX_BUFFERS];
    recorded_text source[RECORDED_SOURCES], said[RECORDED_SAID];
    recorded_gate gate[LAB_MAX_GATES];
    recorded_tiles tiles;
    recorded_op *op;
    unsigned buffers, sources, saids, gates, ops;
    void **owned; /* all memory of the above */
    unsigned owned_count;
} recording;

/* Reads a text, which need not end in NUL. False and a message where it is none. */
bool recording_read(recording *r, const char *text, size_t bytes, char error[RECORDING_ERROR]);
void recording_free(recording *r);

#endif
