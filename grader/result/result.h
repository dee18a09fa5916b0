/*
 * result.h: what a grading came to, in plain structs whose pointers go to what every process of
 * the grader has, so that a worker fills in shared memory what the front process shows and writes.
 * Until the worker has ended, a lab_result is its own; progress.h has what may be looked at
 * meanwhile.
 */
#ifndef RESULT_H
#define RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge.h"
#include "lab.h"
#include "progress.h"
#include "simt.h"
#include "verdict.h"

enum {
    RESULT_CASES = LAB_MAX_PARTS * JUDGE_MAX_SIZES,
    /* those of lab.c, lab_device_gates, and what the grader adds */
    RESULT_GATES = LAB_MAX_PARTS * (LAB_MAX_GATES + 4)
};

/* bytes of a line of source that is shown; the terminal cuts more */
enum { RESULT_LINE = 200 };

enum { RESULT_CALLS = 2 }; /* lines that are shown */

typedef struct result_where { /* "" and 0, false: not known */
    char file[128];
    unsigned line;
    bool has_block, has_thread;
    unsigned block, warp, lane;
    unsigned other_line; /* in that file, of what it meets: an earlier access, absent threads */
    /* of a kernel: simt_finding.launched_from, and its line, in the student's file */
    uint64_t launched_from;
    unsigned launch_line;
    bool copy; /* it is no launch, but a copy of the host's */
    /* the lines that call the function with the line, by the text; 0: unknown, or too many */
    unsigned called_at[RESULT_CALLS];
    bool given; /* the function with the line is the starter's, and has no TODO */
} result_where;

enum { RESULT_WAITS = 6 };

typedef struct result_wait { /* of a deadlock: one block that cannot go on */
    result_where where;      /* it waits there */
    char target[96];         /* for that: "d_flag[62]", or "a barrier" */
    bool writer_known;
    uint64_t writer; /* the block that would write it */
    simt_block_state writer_state;
    char text[300]; /* all of it in a sentence */
} result_wait;

typedef struct case_result {
    char name[96]; /* "inclusive/33" */
    size_t n;
    unsigned part;
    verdict verdict;
    uint64_t seed;                /* repeats the case */
    char schedule[160];           /* "" where there is none: host labs */
    unsigned schedule_index;      /* its number in the lab's set (schedule.h) */
    char what[512];               /* what was seen, one sentence */
    char cause[420], advice[420]; /* "" if not known */
    unsigned cause_kind;          /* of judge_report */
    bool fractions, nan;          /* of judge_report */
    bool no_entry;                /* the file does not define the part's function */
    bool no_ptx;                  /* its kernels do not load: no case can run */
    bool advises_on_left;         /* its advice speaks of what an earlier call may have left */
    bool wrapped;                 /* an index was computed in 32 bits, which were not enough */
    bool nowhere;                 /* the address is none that the device has given out */
    bool misaligned;              /* it is no multiple of what the access needs */
    bool suspects_call;           /* its note suspects what the call before has left */
    bool after_others;            /* it takes the calls before it */
    simt_cause old_value;         /* why a thread got one, whatever came of it; or none */
    char note[420];               /* what else was seen */
    result_where where;
    char line[RESULT_LINE]; /* of the student's file, there; "" if not known */
    unsigned wait_count;
    uint64_t waits_left_out;
    /* first those that wait for a block that has not started */
    result_wait waits[RESULT_WAITS];
    char printed[4096];     /* the last that the program printed */
    uint64_t printed_bytes; /* of all that it printed in this case */
} case_result;

typedef struct gate_result {
    char name[96]; /* "inclusive: additions" */
    unsigned part;
    /* in the kit's own table: same address in every worker */
    const lab_gate *gate;
    const char *advice; /* the gate's, or another where more is known; likewise the kit's own */
    size_t n;
    char schedule[160]; /* of the case, and its seed: as in case_result; "" where it is timed */
    uint64_t seed;
    double value, limit;
    bool ok;
    bool inconclusive; /* measured too unsteadily to say; ok then */
    /* of all cases that kept it, the nearest to its limit: 0.95 is 5 % below it. What is at the
       limit itself is left out: that is an exact law */
    double nearest;
    size_t nearest_n;
} gate_result;

typedef struct part_counts { /* of one call at n */
    bool known, native;      /* native: time, and no counts */
    bool device;             /* native: of a GPU */
    /* device: medians; bytes of inputs and outputs, each once, by the student's time */
    double us, reference_us, GBps;
    size_t n;
    simt_counts mine, reference; /* engine labs */
    /* native: median of the paired ratios, and their quartiles */
    double ratio, lower, upper;
    unsigned pairs;
} part_counts;

enum { RESULT_WARNINGS = 3 };

/* Of the compiler, about the student's file. */
typedef struct result_warning {
    unsigned line, column;       /* column 0: not known */
    char text[240], advice[160]; /* advice: what the compiler proposes, "" for nothing */
    char source[RESULT_LINE];    /* the line itself */
} result_warning;

typedef struct result_warnings {
    unsigned count; /* of all */
    bool more;      /* there were too many to count */
    result_warning first[RESULT_WARNINGS];
} result_warnings;

typedef struct lab_result {
    const lab *l;
    verdict verdict;
    int points, max_points;
    /* about the whole lab: a compile error, say; "" if the cases tell */
    char message[3000];
    result_where where; /* of message */
    result_warnings warnings;
    bool absent;          /* there is no file */
    const char *encoding; /* that the file was converted from; null: it is UTF-8 */
    /* of a lab that fails: files of the kit that somebody has changed, apart by blanks */
    char changed_kit[600];
    verdict part_verdict[LAB_MAX_PARTS];
    int part_points[LAB_MAX_PARTS];
    /* index of the failing case to show for a part, -1 if none fails */
    int shown[LAB_MAX_PARTS];
    /* of a step that fails and costs nothing: its failing case, and what it got; else -1 */
    int forgiven[LAB_MAX_PARTS];
    verdict forgiven_verdict[LAB_MAX_PARTS];
    unsigned case_count;
    case_result cases[RESULT_CASES];
    unsigned gate_count;
    gate_result gates[RESULT_GATES];
    part_counts counts[LAB_MAX_PARTS];
    judge_notes notes[LAB_MAX_PARTS]; /* known in a part that passes and has a note */
    double seconds;
    bool finished;         /* by the worker; false: it died */
    uint64_t hidden;       /* a bit for each part that the course hides: it is not run */
    unsigned todos;        /* TODO markers left in the file */
    unsigned todos_open;   /* LAB_TODO(k): that TODO's code is the starter's still: not begun */
    unsigned todos_half;   /* begun, but not at each of its comments */
    unsigned right_so_far; /* parts, by bits, while the lab is graded: more schedules are to come */
    /* those of the function in which the failing case to show has its line */
    unsigned todos_blamed[LAB_MAX_PARTS];
    /* of these, those ahead of the lines that it names */
    unsigned todos_ahead[LAB_MAX_PARTS];
    unsigned todos_calling[LAB_MAX_PARTS]; /* those of functions that call that one */
    unsigned first_seen;                   /* 1 + the part that a reader was shown first; 0: none */
    lab_progress *progress;                /* where others look meanwhile; null: nobody does */
} lab_result;

/* Everything cleared, nothing run. */
void result_begin(const lab *l, lab_result *r);

const char *result_lab_number(const lab *l, char number[8]); /* "04" */
const char *result_note_name(const lab_buffer *buffer);      /* "depth" of d_depth */
bool result_has_notes(const lab_result *r);

/* LAB_TODO bits in words: "1 to 3, 5 and 6". Returns how many there are. */
unsigned result_todo_list(unsigned todos, char *text, size_t room);

enum { RESULT_MESSAGE = 2048 };

/* What a submission or a compiler said, and what was made of it, is fit for a terminal and a table:
   clean.h. Before anybody is shown the result. */
void result_clean(lab_result *r);
void result_clean_case(case_result *c); /* one of it */

/* One case in a sentence or two: what was seen, the cause, what to do. */
void result_message(const case_result *c, char message[RESULT_MESSAGE]);

#endif
