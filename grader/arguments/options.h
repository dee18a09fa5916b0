/*
 * options.h: what the user asked `grade` for.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "course.h"
#include "error.h"
#include "simt.h"

enum {
    OPTIONS_SEEDS = 2,    /* rounds of shuffled schedules, unless asked for more */
    OPTIONS_SHARDS = 9999 /* of a class, at most */
};

typedef enum options_command {
    COMMAND_GRADE,
    COMMAND_ALL,
    COMMAND_LIST,
    COMMAND_PAGE,
    COMMAND_IDS,
    COMMAND_HINT,
    COMMAND_RESET,
    COMMAND_DIFF,
    COMMAND_STATUS,
    COMMAND_WATCH,
    COMMAND_EXPORT,
    COMMAND_HELP
} options_command;

typedef struct options {
    options_command command;
    /* as typed: "04", "hillis_steele", "01-06", "01 04" (labs.h); null: all */
    const char *lab;
    const char *course_file; /* of --course; null: a student kit's course.toml, if it has one */
    bool one_lab;            /* lab is one; main.c says so, once it has looked */
    /* "labs", "solutions" or a folder; for COMMAND_ALL the folder of submissions */
    const char *src;
    const char *backend;    /* "simt" or "cuda" */
    bool output;            /* what the program printed is shown, also where it passes */
    bool all;               /* everything that fails is shown, in full; of a reset, all labs */
    unsigned shard, shards; /* of a class: the share to grade, of how many; 0: all of it */
    bool merge;             /* of a class: its shards' results become the class's */
    bool for_editors;       /* lines that editors jump to, in place of the board */
    char out[PATH_MAX];     /* absolute */
    const char *format;     /* of COMMAND_EXPORT */
    char to[PATH_MAX];      /* of COMMAND_EXPORT, where its files go; absolute */
    /* a folder that several gradings share, for locks and references; null: out, without them */
    const char *shared;
    /* where to build, with a path that compilers and shells take; null: out */
    const char *build;
    const course *course; /* null: there is none */
    time_t handed_in;     /* when the files were; 0: now */
    bool students;        /* parts that the course hides from students are left out */
    const char *kit;      /* the kit's key, under which references are kept; null: they are not */
    char part[96];        /* of --case, "" if none */
    size_t n;             /* of --case */
    bool has_seed;
    uint64_t seed;
    /* rounds of shuffled schedules for each case; on a GPU, of fresh data */
    unsigned seeds;
    unsigned resident; /* blocks, on every schedule; 0: as the schedules have it */
    bool has_order;
    simt_block_order order; /* the only one, if has_order */
    unsigned jobs;          /* labs at a time; 0: one per processor */
    int level;              /* of a hint; 0: the next one, -1: all so far */
    bool unsafe;            /* --unsafe: no sandbox */
    const char *record;     /* folder for what solutions take (judge/recorded.h); null: none */
    const char *log;        /* of watch, for tests: a file that gets a line for each event */
    const char *sandbox;    /* the tier's name (confine.h), once it is known */
    /* what is run first, since somebody waits for it: a part's name, "" for none, and of it the
       case that failed last time: n, seed, number of the schedule; seed 0: none did */
    struct {
        char part[96];
        size_t n;
        uint64_t seed;
        unsigned schedule;
    } first;
    double seconds;     /* for one case; 0: the grader's own */
    size_t most_n;      /* for tests: cases beyond it are left out; 0: none are */
    unsigned from_part; /* for tests: parts before it are left out */
    bool alike_once;    /* for tests: of parts with the same hints, the first alone */
    /* for tests: the reference's counts, which stand beside a program's and judge nothing, are left
       out */
    bool alone;
    bool untimed; /* for tests: no part is timed */
    /* for tests that grade one program under many seeds: parts after a wrong one are left out, as
       are the reference's counts; the large case is not shuffled, and blocks that wait for each
       other are not run with every number of resident blocks; time is taken once, with the fewest
       pairs */
    bool quick;
} options;

/* False with a message that says what to write instead. */
bool options_read(options *o, int count, char **arguments, base_error *error);

void options_help(void);

bool options_wants_gpu(const options *o); /* BACKEND=cuda */

/* As --order has it: "in", "reversed", "shuffled". */
const char *options_order_name(simt_block_order order);

#endif
