/*
 * run.h: one submission being graded: its sessions, its cases under all schedules.
 */
#ifndef RUN_H
#define RUN_H

#include "begun.h"
#include "options.h"
#include "recorded.h"
#include "result.h"
#include "schedule.h"
#include "session.h"
#include "toolchain.h"

/* What one call took and reported, where its answer was right. */
typedef struct run_measure {
    bool known;
    schedule how;
    bool shifted; /* device buffers began an element after a boundary */
    bool crowded; /* the lab's crowd of blocks was resident */
    bool plain;   /* the plain schedule, with as many blocks as it usually has */
    simt_counts counts;
    uint64_t busiest_gpu; /* as in channel_done */
    judge_notes notes;
    /* this process has called the entry before, with as many elements */
    bool repeated;
    /* as in channel_done */
    uint64_t not_freed, taken, allocated, besides, host_kept;
    uint64_t waiting_calls, waits_aside, elsewhere, writes, written_bytes, host_bytes;
    bool asked_blocks;
    uint64_t kept; /* bytes on the device that the next call may find: not freed, and variables */
    double wall;   /* seconds of the whole case, data and copies included */
    bool traced;   /* additions were, and made tells of the outputs */
    simt_made made;
    double seconds;            /* of run_timed, as in session_outcome */
    double device_us, host_us; /* of run_timed on a device, as in channel_done */
} run_measure;

/* What a runner has been asked for: calls of one entry. */
typedef struct run_called {
    bool called;
    uint32_t cases; /* a bit for each case of the part whose n it has been called with */
    uint64_t found; /* device memory that other entries had left before the first call */
} run_called;

/* Of all cases of a part at n, the one that took most instructions. */
typedef struct run_dearest {
    size_t n; /* 0: free */
    double instructions;
    uint64_t seed;
    schedule how;
    char schedule[160]; /* how, in words */
} run_dearest;

/* A call whose launches were refused, and the next one. */
typedef struct run_refused_call {
    bool made;
    bool wrong; /* the caller learns of nothing, or the next call is wrong; seen says so */
    case_result seen;
} run_refused_call;

/* What many calls of an entry have shown. */
typedef struct run_often {
    bool first; /* of all parts that are asked; the others number their launches as it does */
    bool grown; /* growing is judged */
    gate_result growing;
    bool failed, dead; /* dead: as run's */
    unsigned at;       /* seen takes the place of that case */
    case_result seen;
} run_often;

typedef struct run {
    const options *o;
    const toolchain *tools;
    const lab *l;
    lab_result *result;
    session *session;
    const char *source, *program;
    const char *ptx;    /* in place of the program's own, of some kernels: all others trap; null */
    const begun *begun; /* of the source; null while nothing runs */
    size_t memory_bytes;
    unsigned host_threads; /* for the engine */
    double seconds;        /* for one case */
    bool gpu;              /* a real one runs it, and not the engine */
    /* the program does not start, or sent messages as if it were the runner: no more cases */
    bool dead;
    bool aside; /* this is a copy of the worker (aside.h) */
    /* in place of the reference, in a kit that does not have it; null: it does, or has neither */
    recorded *recorded;
    recorded *record;  /* of the reference, as it is graded; null: nobody asked */
    bool is_reference; /* the file is the reference solution itself: what it takes is known */
    run_called called[LAB_MAX_PARTS]; /* of the runner that was used last */
    uint64_t called_by;               /* its session_child */
    uint64_t left;                    /* device memory that it has allocated and not freed */
    /* index of the part's first case in result->cases; as many follow as run_part made */
    unsigned first[LAB_MAX_PARTS];
    unsigned count[LAB_MAX_PARTS];
    /* of those cases, on the plain schedule */
    run_measure measured[LAB_MAX_PARTS][JUDGE_MAX_SIZES];
    run_dearest dearest[LAB_MAX_PARTS][JUDGE_MAX_SIZES];
    run_refused_call refused[LAB_MAX_PARTS];
    run_often often[LAB_MAX_PARTS];
} run;

enum { RUN_OUTPUT_BYTES = 1 << 20 };
/* all cases of a lab together may take as long as so many that each meet their limit: 5 minutes */
enum { RUN_CASES_TIME = 30 };
/* and of that, for all but the work of kernels, so many: one minute */
enum { RUN_HOST_TIME = 6 };

/* Opens a session for a program on all sizes of the lab. Null with error. */
session *run_open_session(run *r, const char *program, base_error *error);

/* Runs one case once. On return `into` holds its verdict and, if the case passed, measured (may be
   null) what it took. seed 0: a secret one is drawn once the program is up, and stored in
   into->seed. Reversed, host buffers are guarded in front. */
void run_case(run *r, session *s, unsigned part, size_t n, const schedule *schedule, uint64_t seed,
              case_result *into, run_measure *measured);

/* The same on the plain schedule with the call timed. */
void run_timed(run *r, session *s, unsigned part, size_t n, uint64_t seed, case_result *into,
               run_measure *measured);

/* The same by the device's time, on data that the caller has made from the seed, and keeps. */
void run_timed_on_device(run *r, session *s, unsigned part, judge_data *data, uint64_t seed,
                         case_result *into, run_measure *measured);

/* The n at which the part is timed on a GPU: large, so that the bandwidth counts. 0: it is not
   timed. */
size_t run_timed_size(const run *r, unsigned part);

/* The sizes of a part's cases: the part's own, or the one that was asked for. Returns how many. */
size_t run_sizes(const run *r, unsigned part, size_t sizes[JUDGE_MAX_SIZES]);

/* Is it the part of options.first? */
bool run_is_first(const run *r, unsigned part);

/* A case that has not run: its name, "inclusive/33", part and n. */
void run_name_case(const run *r, unsigned part, size_t n, case_result *into);

/* Is the part the same code as one of the set, a bit each, for another type? It has its hints. */
bool run_is_like(const lab *l, unsigned part, unsigned set);

/* All cases of a part under all schedules (part.c); fills in result->cases, part_verdict, shown,
   and what r has of the part. */
void run_part(run *r, unsigned part);

/* Where blocks wait, and all entries are right: each is called once, right after another one, in a
   program that starts afresh, on a few tiles. What they keep for the next call they may share. */
void run_mixed_entries(run *r);

/* Where blocks wait: each entry that is right, once more, so that look-back has to go far: at the
   lab's far_n, if it has one. */
void run_long_lookback(run *r);

/* Each part that is right, at some n that the seed draws, in a program that starts afresh: it may
   be right at the cases' n alone. */
void run_drawn_sizes(run *r);

enum { RUN_REPEATED_CHECKS = 5, RUN_REPEATED_TILES = 1 + 2 * RUN_REPEATED_CHECKS /* at most */ };

/* The n of such calls: with so many tiles, the last of them nearly full. */
size_t run_often_size(const lab *l, unsigned tiles, bool full);

/* Where blocks wait, and an entry that is right keeps something on the device: it is called more
   than 256 times in a program that starts afresh. First which parts are asked, a bit each. */
unsigned run_often_parts(run *r);
/* Those of them that are in `parts`, up to the first that fails: leaves r->often. */
void run_often_call(run *r, unsigned parts);
/* An aside_take for it. */
void run_often_take(run *r, const run *copy, unsigned parts);
bool run_often_fails(const run *r, unsigned parts);
/* Puts it into the result in the order of the parts, whoever has called them: what comes after the
   first that fails was not asked. */
void run_often_tell(run *r, unsigned parts);

/* Shows what was found about a part after its cases, in place of its last one: its verdict is the
   part's. */
void run_show(run *r, unsigned part, case_result *found);

/* Is the part asked what it does where CUDA refuses launches? (refused.c, as those below.) */
bool run_may_refuse(const run *r, unsigned part);

/* The call of the part's case i on that schedule, with all launches refused, and the same case once
   more, with none refused; what they show is kept for run_refused. The program that made them is
   ended. */
void run_refuse_launches(run *r, unsigned part, unsigned i, const schedule *s);

/* Each entry that is right: what its call without launches has shown, made now where no other
   schedule was run; and calls where CUDA refuses memory. */
void run_refused(run *r);

typedef struct run_refusal {
    bool launches;       /* all of them */
    unsigned allocation; /* that one of the call, from 1, and all after it; 0: none */
} run_refusal;

typedef struct run_refusal_seen {
    bool any;       /* something was refused, and the call came to its end */
    uint64_t taken; /* then: bytes of device memory that the call has left allocated */
} run_refusal_seen;

/* run_case where CUDA refuses something, with bounds alone checked. Where it did, the answer is not
   judged; where it did not, it is a call like any other. */
void run_without(run *r, unsigned part, size_t n, const schedule *s, uint64_t seed,
                 const run_refusal *refusal, case_result *into, run_refusal_seen *seen);

/* The n at which run_huge tries the part, at least the least; 0: it does not. n modulo the step is
   the same in its trials, so that the last tiles are alike. */
enum { RUN_HUGE_STEP = 1 << 18, RUN_HUGE_LEAST = 1 << 24 };
size_t run_huge_size(const run *r, unsigned part);

/* Sizes like a case's that end as that n does: `which` is below RUN_LIKE_SIZES. */
enum { RUN_LIKE_SIZES = 3 };
size_t run_like_size(const run *r, size_t huge, unsigned which);

/* Each entry that is right, at the largest n that its contract allows (huge.c). */
void run_huge(run *r);

/* A session for run_excerpt and run_whole, whose device has room for the arrays of run_huge_size,
   and seven times as much for the program's. */
session *run_open_excerpts(run *r, base_error *error);

typedef struct run_excerpted {
    bool cut, waits; /* of some launch: simt_report.cut, simt_report.stuck */
    bool ends_read;  /* the last elements of some buffer were */
    bool launched;   /* a kernel was */
    bool refused;    /* a launch was: the device does not take it */
    uint64_t blocks; /* of the first launch */
} run_excerpted;

/* One call of which the engine runs an excerpt, on data that hold only the last `tail` bytes of
   each buffer, and are the caller's; repeated: those of buffer 0 again and again, in so many bytes
   of both ends. What comes back holds the first `tail` bytes after the last, where a buffer has
   room for both. most: warp instructions of a block, which is cut then. */
typedef struct run_excerpt_plan {
    size_t tail, repeated;
    uint64_t most;
    bool front;  /* buffer 0 begins as it ends, also where it is not scanned (lab_part.cancels) */
    bool stalls; /* simt_config.excerpt_stalls */
    uint64_t tickets; /* simt_config.excerpt_tickets */
} run_excerpt_plan;
void run_excerpt(run *r, session *s, unsigned part, judge_data *data,
                 const run_excerpt_plan *excerpt, case_result *into, run_excerpted *seen);

/* One call that looks to the program as that does, and is whole: on data that the caller has made
   from the seed, and keeps. launched: a kernel was, and the answer is right. */
void run_whole(run *r, session *s, unsigned part, judge_data *data, uint64_t seed,
               case_result *into, bool *launched);

#endif
