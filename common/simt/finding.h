/*
 * finding.h: what a finding of the engine says: its kind, its cause within that kind (causes.def),
 * where and by whom, and the facts of that cause. Part of the interface: simt.h includes it, and
 * simt_finding_words there makes sentences of the facts.
 */
#ifndef SIMT_FINDING_H
#define SIMT_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t simt_addr; /* see simt.h */

typedef struct simt_dim {
    unsigned x, y, z;
} simt_dim;

typedef enum simt_finding_kind {
    SIMT_NO_FINDING,
    SIMT_OUT_OF_BOUNDS,  /* stops the kernel */
    SIMT_USE_AFTER_FREE, /* stops the kernel */
    SIMT_MISALIGNED,     /* stops the kernel */
    SIMT_RACE,           /* shared or global memory; the kernel goes on */
    /* part of a warp at a barrier the rest does not meet: stops the kernel; warps of a block that
       meet at different __syncthreads(): the kernel goes on */
    SIMT_BARRIER_DIVERGENCE,
    /* a .sync instruction whose member mask does not name its caller, or can never fill */
    SIMT_BAD_SYNC,
    /* proved: nothing can run, or what can run only repeats its state while memory stays as it
       is */
    SIMT_DEADLOCK,
    SIMT_BUDGET,         /* suspected hang: the instruction budget is spent */
    SIMT_UNSUPPORTED,    /* an instruction that the engine does not know was executed */
    SIMT_TRAP,           /* the kernel executed trap */
    SIMT_ASSERT,         /* a device assert failed */
    SIMT_STACK_OVERFLOW, /* calls too deep */
    /* note: relies on independent thread scheduling; the kernel goes on */
    SIMT_NEEDS_SM70,
    /* note: integer division by zero gives an unspecified value on a GPU */
    SIMT_DIVISION_BY_ZERO,
    /* note: uses asynchronous copies that need a newer GPU (sm_80 or sm_90); the kernel goes on */
    SIMT_NEEDS_SM90,
    /* A value without a meaning decides a branch, a guard or an address, is changed by an atomic,
       printed, or copied to the host; the kernel goes on. Copying it, or dropping it, is no
       finding. Where it came from (other: the load, shuffle or shift): */
    SIMT_UNINITIALIZED, /* memory that was never written */
    SIMT_INACTIVE_LANE, /* a shuffle that reads a lane which does not take part */
    SIMT_WIDE_SHIFT,    /* a shift by as many bits as the value has, or more */
    /* freed twice, or no start of an allocation; by the host, or by a kernel: stops it */
    SIMT_BAD_FREE,
    SIMT_LEAK, /* of the host: an allocation that is still live at the end */
    /* note, with late stores: a thread has seen a later store of another one (other), and then got
       a value from before an earlier one, by a volatile or relaxed load: a fence is missing */
    SIMT_OLD_VALUE,
    /* note: part of a warp at a block barrier, the rest of which has left the kernel */
    SIMT_LANES_LEFT,
    /* a kernel, or the host, writes to memory that is only to be read (simt_let_write), whatever
       the value; the kernel goes on */
    SIMT_INPUT_WRITTEN,
    SIMT_FINDING_KINDS
} simt_finding_kind;

typedef struct simt_site { /* who, where */
    /* base name of the source file; "" if the PTX has no line information */
    char file[128];
    unsigned line;     /* 1-based source line; 0 if unknown */
    unsigned ptx_line; /* 1-based line of the module text */
    char kernel[64];
    simt_dim block, thread;
    unsigned warp, lane; /* warp index in its block */
    bool write, atomic;  /* what the access was, where the finding is about memory */
    uint8_t gpu;         /* 1 + its GPU where there are several; else 0 */
    /* the code itself, where it was inlined from another file, stands in a header of CUB or
       Thrust; passing: it is ld.cg or st.cg, by which CUB's blocks pass words to each other */
    bool of_library, passing;
} simt_site;

/* What exactly went wrong, within the kind: a row of causes.def each, where they are described. */
typedef enum simt_cause {
    SIMT_CAUSE_NONE,
#define CAUSE(name, ...) SIMT_CAUSE_##name,
#include "causes.def"
#undef CAUSE
    SIMT_CAUSES
} simt_cause;

typedef enum simt_space {
    SIMT_SPACE_NONE,
    SIMT_SPACE_GLOBAL,
    SIMT_SPACE_SHARED,
    SIMT_SPACE_LOCAL,
    SIMT_SPACE_PARAMETER
} simt_space;

enum { SIMT_HEADER = 48 };
enum { SIMT_ARRAY = 40 }; /* bytes of the name of a parameter, cut to that */

typedef struct simt_place { /* in memory */
    simt_space space;
    simt_addr address; /* in shared, local and parameter memory: an offset */
    /* shared or global variable; "" if unknown. Of a struct in shared memory the member, s.full,
       where the PTX names it: see ptx_member */
    char variable[64];
    /* of the element in its variable or allocation; -1 if that is unknown, below 0 in front of
       it */
    int64_t index;
    uint64_t elements; /* of that array; 0: unknown */
    unsigned element_bytes;
} simt_place;

typedef enum simt_others {                     /* whose access simt_finding.other is */
                           SIMT_ONE_THREAD,    /* other.warp's other.lane */
                           SIMT_OTHER_THREADS, /* several, of several warps or unknown ones */
                           SIMT_OTHERS_OF_WARP,
                           SIMT_A_COPY /* that a thread of other.warp has issued */
} simt_others;

typedef enum simt_host_call {
    SIMT_CALL_WRITE,
    SIMT_CALL_READ,
    SIMT_CALL_COPY_FROM,
    SIMT_CALL_COPY_TO,
    SIMT_CALL_FILL,
    SIMT_CALL_FORGET
} simt_host_call;

/* Of the facts below, which share their place: a yes or no that may be read whatever is there. */
typedef uint8_t simt_flag;

/* Of findings about bounds. wrapped: the address is 2^32 elements in front of an element of a live
   allocation, or that several times (wrapped_often), so that an int has overflowed; meant: that
   element. below: it is 2^32 elements after one, so that an unsigned number went below 0; meant:
   that element, which index and address of the finding are about where it lies in front of the
   array. */
typedef struct simt_bounds_facts {
    simt_flag wrapped, wrapped_often, below;
    int64_t meant;
    /* of an index below 0: it is this register of the thread, as blockIdx.x, less `less`; "": it is
       made in another way */
    char counts_from[12];
    int64_t less;
    unsigned padding;     /* of an index beyond the end: it is i + i / 2^padding; 0: it is not */
    uint64_t left, asked; /* bytes */
    /* NOT_PEER: the GPU whose memory it is; LOCAL_OF_OTHER: the thread, and if of another block */
    unsigned owner;
    simt_flag other_block;
    /* in shared memory, beyond a variable: what lies there, "" if nothing does */
    simt_place there;
    /* the variable is extern __shared__, and as large as the launch says: dynamic_bytes */
    simt_flag dynamic;
    uint64_t dynamic_bytes;
} simt_bounds_facts;

typedef struct simt_range_facts { /* of the host's copies, of frees and leaks */
    simt_host_call call;
    uint64_t offset; /* of address in the allocation */
} simt_range_facts;

typedef struct simt_race_facts {
    simt_flag one_warp;          /* the block has no other */
    simt_flag mbarriers;         /* the block uses asynchronous copies or mbarriers */
    simt_flag bulk, from_shared; /* of a copy; else cp.async, into shared memory */
    unsigned parameter;          /* of the kernel, from 1, that points to the array; 0: unknown */
    char array[SIMT_ARRAY];      /* what the source calls that parameter; "": unknown */
    char also[SIMT_ARRAY];       /* another one, that holds the same address; "": there is none */
    char front[SIMT_ARRAY];      /* the next one in front of it in its allocation; "": none */
    /* of the same file: there two blocks read a word and write it, each in two steps; 0: no such */
    unsigned update_line;
    /* likewise: there a flag gets the value that it had before the launch, and another block has
       read it in between; 0: no such */
    unsigned stale_line;
    /* 1 + the thread of the other block that set the flag this one has seen, where it is not the
       one of the finding, and no barrier orders the two; 0: no such */
    unsigned setter;
    /* the other block has set a flag since, which this block has read, but without a fence; both
       after a barrier and before one */
    simt_flag handed;
    simt_flag both_write; /* the same store by two threads to one element was seen, in no order */
    /* in shared memory: threads of two warps were seen to race on this array, or on another one in
       a line of this race, or it was not seen, as the launch had to end; in global memory: threads
       of two blocks, in these lines */
    simt_flag across;
    simt_flag apart;  /* the two are on different GPUs */
    simt_flag cached; /* one of the two, not volatile, names a cache: .cg, .cv, .wt */
} simt_race_facts;

/* What the program's text says about the place of a finding (`at`), for races in a block,
   SIMT_BARRIER_DIVERGENCE, SIMT_BUDGET and SIMT_DEADLOCK. Lines are of at.file; 0: none. An `if`
   stands for any branch whose condition depends on the thread. */
typedef struct simt_around {
    simt_flag known;
    unsigned parting_line; /* LANES_ABSENT: the `if` after which those wait that do not come */
    unsigned if_line;      /* the outermost `if`; of a race: around both, in the loop below */
    unsigned
        uneven_line;    /* a loop that threads leave in different rounds; of a race: around both */
    unsigned loop_line; /* the innermost endless loop, else the outermost; of a race: the innermost
                             around both */
    simt_flag endless;  /* that loop's condition can never become false */
    /* Of a race. at_first: `at` comes first in a round of that loop, else `other`. between: no
       barrier stands on some way from the first on to the second; back: nor from the second round
       the loop's end to the first; apart: they stand in two sides of a branch */
    simt_flag at_first, between, back, apart;
    unsigned leaving_line; /* an `if` in front of both, by which some threads leave the kernel */
    /* an `if` around both and that loop; around the first only; the second */
    unsigned outer_if_line, first_if_line, second_if_line;
    /* a barrier on some of these ways, and the `if` by which the others pass it; 0: none */
    unsigned passed_line, passing_line;
    /* one side sets a flag after its write, which the other reads first; a fence between write and
       flag */
    simt_flag by_flag, fenced;
    /* the data is read first, and then the flag; of two blocks, and of a value without a meaning:
       in a loop that waits for the flag */
    simt_flag early;
    /* each thread reads one element and writes it back: two of them have the same; overwritten:
       one has written it, and the others have only read it */
    simt_flag update, overwritten;
    simt_flag for_all;    /* all threads of the block run one of both */
    simt_flag own_values; /* both store values that depend on the thread */
    unsigned alike_line;  /* of one of both: there all threads store to one element */
    simt_flag indirect;   /* it is each thread's own, by an index made of values that were read */
    unsigned guard_line;  /* of an access: an `if` that compares what its index is made of */
    /* of what stands in a .cu file: an `if` of a header around it, which calls the function that it
       is in for some threads only; 0: none. The other lines are of the file of `at` */
    unsigned header_line;
    char header[SIMT_HEADER];
    simt_flag warp_between; /* on a way from the first to the second stands a barrier of the warp */
    unsigned flag_line; /* of a race between blocks in a header: of the .cu file, sets the flag, or
                              reads it (NO_READ_FENCE) */
} simt_around;

typedef struct simt_meeting_facts {
    uint32_t lanes, absent;          /* one bit a lane: who waits here, and for whom */
    uint32_t live;                   /* of the warp */
    uint32_t members, other_members; /* the masks that lanes, and those absent, name */
    unsigned barrier;                /* number of the block barrier */
    unsigned threads, other_threads; /* that it counts; as other says */
    unsigned other_barrier;          /* of lane `other_lane` */
    unsigned other_lane;
    unsigned block_threads;
} simt_meeting_facts;

typedef struct simt_mbarrier_facts {
    simt_flag known;
    uint32_t phase, pending, expected; /* arrivals */
    int32_t bytes;                     /* of transactions that the phase lacks */
    uint32_t arrivals, parity;         /* that the instruction asks for */
} simt_mbarrier_facts;

typedef struct simt_deadlock_facts {
    unsigned barrier, threads, arrived; /* DEAD_BARRIER */
    unsigned spinning, at_barrier;      /* warps of the block that spin; that wait at a barrier */
    unsigned parameter;                 /* as in simt_wait */
    char array[SIMT_ARRAY];
    unsigned waiting; /* blocks in flight, all of which wait */
    simt_flag asked;  /* HOST: threads of the host were given time */
    unsigned circle;  /* of how many blocks */
    /* block, and below the line of its store; of NO_WRITER, where is_set: the block that has stored
       there before, the last one, in the same launch */
    simt_dim writer;
    uint8_t writer_gpu; /* as in simt_site */
    simt_flag is_set;
    unsigned writer_warp, writer_line;
    simt_mbarrier_facts mbarrier; /* known: the word is one */
} simt_deadlock_facts;

typedef struct simt_origin_facts { /* of a value without a meaning */
    simt_flag known;               /* false: the engine has lost track of it */
    simt_flag here;                /* it is read by the instruction at which it matters */
    simt_flag left_out;            /* most of its array has been written */
    simt_flag past_written; /* the element in front of it has been written, and none after it */
    simt_place place;       /* SIMT_UNINITIALIZED; SIMT_SPACE_NONE: a variable of a thread */
    unsigned declared;      /* the line of that variable; 0: unknown */
    unsigned lane;          /* SIMT_INACTIVE_LANE: the one that was asked */
    unsigned bits;          /* SIMT_WIDE_SHIFT: width of the value */
    uint64_t shift;         /* how many bits it is shifted by */
    uint64_t launched_from; /* as in simt_finding, of the kernel that read it */
} simt_origin_facts;

/* Facts only; simt_finding_words makes sentences of them. No pointers, so that it can be sent to
   another process as it is. */
typedef struct simt_finding {
    simt_finding_kind kind;
    simt_cause cause;
    bool fatal; /* the kernel was stopped here */
    /* what a kernel of CUB or Thrust does to memory of its own: a note, and no fault of the
       program */
    bool of_library;
    /* other: the earlier access of a race, the threads that did not come of a barrier, where a
       value came from */
    simt_site at, other;
    bool has_other;
    unsigned launch; /* of those that ran together: which, from 0 */
    /* simt_launch_args.from of the launch; LAUNCHES_APART: of the later; SOURCE_CHANGED: the
       copy's */
    uint64_t launched_from;
    simt_others others;
    /* of the access, for memory findings: as in simt_place */
    simt_space space;
    simt_addr address;
    size_t access_bytes;
    char variable[64];
    int64_t index;
    uint64_t elements;
    unsigned element_bytes;
    /* its number: of cudaMalloc's calls, or, by_malloc, of malloc's in kernels; from 1; 0: unknown,
       or a variable */
    unsigned allocation;
    bool by_malloc;
    size_t allocation_bytes; /* of it, or of the variable, or of the block's shared memory */
    /* value read or about to be written, raw bits; 0 where it makes no sense */
    uint64_t value;
    /* occurrences of this kind at this pair of source lines; the first one is described */
    uint64_t count;
    unsigned group; /* simt_order_findings; 0 before */
    simt_around around;
    union { /* by cause */
        simt_bounds_facts bounds;
        simt_range_facts range;
        simt_race_facts race;
        simt_meeting_facts meeting;
        simt_mbarrier_facts mbarrier;
        simt_deadlock_facts deadlock;
        simt_origin_facts origin; /* of the three kinds of values without a meaning */
        uint64_t limit;           /* BUDGET, PATHS_TOO_MANY */
        unsigned needs_sm;        /* SIMT_NEEDS_SM90: 80, 90 ... */
        char function[64];        /* ASSERT, LAUNCHES_APART, SOURCE_CHANGED */
    };
    char text[200]; /* in the program's own words, or the PTX's; else "" */
} simt_finding;

#endif
