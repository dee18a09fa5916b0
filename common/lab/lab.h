/*
 * lab.h: what a lab is. Each labs/NN_slug/grading/lab.c fills in one `lab`; the grader is compiled
 * with it. Nothing else lists labs.
 *
 * A lab has parts; a part is one host function ("entry") that the student writes. Every entry has
 * the same shape of signature: its buffers in the order declared here, as pointers, then the
 * element count, an int or a long long:
 *
 *     void entry(const float *in, float *out, int n);
 *
 * The runner (the child process, linked with the student's code) allocates the buffers, copies the
 * inputs in, calls the entry, synchronises, and copies the outputs back. The grader (the parent)
 * makes the inputs, computes the reference, and judges. A lab's code never runs in the child.
 *
 * Data: float with small integer values, or halves (lab_fill_exact), unless a lab says otherwise,
 * negative ones among them, so that sums are exact in any order (|sum| < 2^24) and floating
 * additions can be distinguished from address arithmetic.
 *
 * lab.c writes tables, and at its end the lab:
 *
 *     static const lab_buffers in_out = { { .name = "d_in" }, { .name = "d_out", ... } };
 *     static const lab_gates scan_gates = { { ... }, { ... } };
 *     static const lab_sizes gate_sizes = { 256, 4096 };
 *     static const lab_parts parts = { { .entry = "scan", .buffers = in_out, ... }, { ... } };
 *
 *     LAB_DEFINE = { .id = LAB_ID, .file = "hillis_steele.cu", .parts = parts, ... };
 *
 * Nothing is counted: a table's type has room for one entry more than it may hold, and the first
 * empty entry ends it. The build passes LAB_SYMBOL and LAB_ID, both made from the folder's name, so
 * that neither is ever typed. grader/test/unit/kit_test.c says what a lab.c has forgotten.
 */
#ifndef LAB_H
#define LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* LAB_U8, such as flags: of inputs alone, since no byte is one that no right answer holds */
typedef enum lab_type { LAB_F32, LAB_I32, LAB_U32, LAB_I64, LAB_AFFINE, LAB_U8, LAB_F64 } lab_type;
typedef enum lab_role {
    LAB_IN, /* must come back unchanged: that is checked */
    /* compared with the reference's; an element that the reference leaves alone has to come back as
       it was: after the elements that were kept, say */
    LAB_OUT,
    /* what a solution notes about its own work, I32: no answer, not compared. Its distribution, at
       the largest of gate_sizes, or with a crowd (see below), is shown below the board and in
       results.json; elements never written are left out. At most one in a part */
    LAB_NOTE
} lab_role;
typedef enum lab_place { LAB_DEVICE, LAB_HOST } lab_place;

/* x -> a x + b, modulo 2^32. Composition, left to right, does not commute: f then g is { g.a f.a,
   g.a f.b + g.b }. */
typedef struct lab_affine {
    uint32_t a, b;
} lab_affine;

enum {
    LAB_MAX_BUFFERS = 5,
    LAB_MAX_PARTS = 28,
    LAB_MAX_GATES = 24,
    LAB_MAX_SIZES = 7,
    LAB_HINTS = 3,
    LAB_KINDS = 3,
    LAB_BORROWED = 5,
    LAB_TAUGHT = 5,       /* names of gates on a lab's page, and an end */
    LAB_MAX_TODOS = 31,   /* bits of lab_part.todos */
    LAB_FAR_BLOCKS = 136, /* resident where look-back goes farthest: lab.far_n */
    LAB_NOTES = 1024,     /* elements of a note that are compared with what the engine saw */
    /* lab.kinds_by_n: sums modulo the first, of data of which little is kept, and of other data of
       which every tile keeps some */
    LAB_KINDS_BY_N = 24,
    LAB_KIND_SPARSE = 3,
    LAB_KIND_FULL = 18
};

/* Three hints, each nearer to the code: a question, the idea, the steps or a skeleton with its key
   expressions left out as ___. None holds a line of the solution: a test looks. Parts that are
   about the same code share them. */
typedef const char *lab_hints[LAB_HINTS];

/* The TODO of this number in the starter: a bit of lab_part.todos. */
#define LAB_TODO(number) (1u << (number))

/* Which thread makes element i of an output, to name a failing index in GPU terms. */
typedef enum lab_owner {
    LAB_BY_THREAD, /* block i / tile, thread (i % tile) / per_thread */
    /* block i / tile, thread (i % tile) % threads: a thread's elements lie `threads` apart */
    LAB_BY_STRIPE,
    LAB_BY_BLOCK, /* block i: one value for each block, such as a partial sum */
    LAB_BY_GRID   /* all blocks together: a total */
} lab_owner;

typedef struct lab_buffer {
    const char *name; /* as in the contract header: "d_in" */
    lab_type type;
    lab_role role;
    lab_place place;
    size_t (*length)(size_t n); /* elements for a case of n; null: n */
    lab_owner owner;            /* outputs on the device only */
    /* LAB_OUT: its elements are those of an input, somewhere else, to the bit: -0.0 is not 0.0, and
       a NaN is right where that NaN belongs */
    bool copied;
    /* sums of floats that are rounded, in an order that the contract fixes: they are equal to the
       bit, -0 is not 0, and a NaN is any NaN */
    bool same_bits;
    const char *note; /* LAB_NOTE: what is counted, for the report: "tiles looked back" */
    bool rising;      /* LAB_I32, offsets from 0 to n: so they are where nobody can run n, too */
} lab_buffer;

typedef lab_buffer lab_buffers[LAB_MAX_BUFFERS + 1];

/* What a gate measures, for one call of an entry; metrics.def says what each is. */
typedef enum lab_metric {
#define LAB_COUNTED(name, ...)  LAB_##name,
#define LAB_TRACED(name, ...)   LAB_##name,
#define LAB_CROWDED(name, ...)  LAB_##name,
#define LAB_PLAIN(name, ...)    LAB_##name,
#define LAB_COMPARED(name, ...) LAB_##name,
#include "metrics.def"
#undef LAB_COUNTED
#undef LAB_TRACED
#undef LAB_CROWDED
#undef LAB_PLAIN
#undef LAB_COMPARED
} lab_metric;

typedef enum lab_bound { LAB_AT_MOST, LAB_AT_LEAST } lab_bound;

typedef struct lab_gate {
    lab_metric metric;
    lab_bound bound;
    double (*limit)(size_t n); /* from theory; the formula in C */
    const char *name;          /* "additions" */
    const char *formula;       /* in words, for the report: "S - 1 = 511 per section of S = 512" */
    const char *advice;        /* what a value beyond the limit means, in one sentence */
} lab_gate;

typedef lab_gate lab_gates[LAB_MAX_GATES + 1];

/* Several entries of a table as one macro: #define BOTH LAB_ENTRIES({ SECTORS }, { ATOMICS }) */
#define LAB_ENTRIES(...) __VA_ARGS__

typedef size_t lab_sizes[LAB_MAX_SIZES + 1];

/* A failing output, for a lab's own diagnosis. got and expected are whole arrays of the buffer that
   differs. */
typedef struct lab_mismatch {
    size_t n, length, index; /* case size; elements in the buffer; first differing element */
    const lab_buffer *buffer;
    const void *const *inputs; /* all buffers of the part, in order, as the parent filled them */
    const void *expected, *got;
    size_t wrong; /* how many elements differ */
} lab_mismatch;

/* What a solution has noted about its work in a run whose answer is right, and what is known of the
   run. */
typedef struct lab_noted {
    size_t n, length; /* case size; notes */
    const int32_t *value;
    /* as in lab_mismatch */
    const void *const *inputs;
    int32_t unwritten; /* what a note holds that was never written */
    unsigned resident; /* blocks in flight at a time; 0: not known */
    bool late;         /* stores may have been seen late */
    uint64_t launches; /* 0: not known */
    bool chain_known;
    uint64_t chain; /* the longest of blocks: simt_counts.block_chain */
    /* a block a tile, and no atomics but their tickets: nothing was observed that is not in
       chain */
    bool chain_exact;
    /* bit i, below LAB_NOTES: note i points back to a tile whose block published something after it
       had looked back itself, as a prefix is published, and note i's block has not observed that */
    const uint8_t *not_observed;
    size_t index; /* set by the check: the note that cannot be */
} lab_noted;

typedef struct lab_part {
    const char *entry; /* C name: "hillis_steele_inclusive" */
    const char *title; /* "inclusive scan per section, one buffer" */
    int points;
    const lab_buffer *buffers; /* lab_buffers */
    /* Fills the LAB_OUT buffers from the LAB_IN ones: sequential, obvious, in buffer order
       (pointers to host arrays). */
    void (*reference)(void *const *buffers, size_t n);
    /* Floats in the outputs may differ from the reference's by so much of it: where rounding shows,
       and answers are not near 0. 0: they are equal */
    double within;
    /* Fills one input; null: the grader's default: integers in [-8, 8] without 0 and never all the
       same; LAB_I64 beyond 32 bits, LAB_AFFINE with odd a, small and large. */
    void (*fill)(void *data, unsigned buffer, size_t n, uint64_t seed);
    /* Of a part without a fill: an n at which ints have all 32 bits, so that sums wrap around again
       and again; 0: none */
    size_t wraps_n;
    /* Changes element i of the first input, by `by`, and what belongs to it, where an element
       cannot be drawn on its own; null: it can. Runs of a case have nearly the same data */
    void (*change)(void *const *buffers, size_t n, size_t i, int by);
    /* In one of four runs, most runs of so many elements end with a prefix of 0 (of maps, the
       identity), and some are -0.0 all over: who takes "not 0" for "is there" waits for ever, or
       takes what is not there. 0: never. Of such a part buffer 0 is scanned */
    size_t cancels;
    const lab_gate *gates; /* lab_gates; null: none */
    /* lab_sizes: cases besides the usual ones; the largest gives the counts in the report, and host
       parts are timed there */
    const size_t *gate_sizes;
    /* The contract says that cudaErrorMemoryAllocation is left where there is no memory for
       what the entry allocates: this n, which takes two allocations, is tried so. 0: it does
       not */
    size_t no_memory;
    /* One sentence naming the cause of a wrong answer where this lab knows the pattern better than
       the common ones (inclusive for exclusive, shifted, block carry missing, tail, never written);
       null or returning null: common ones. */
    const char *(*diagnose)(const lab_mismatch *mismatch);
    /* it is asked before the words for elements that were never written and have no pattern: what
       it says holds of these, too */
    bool tells_unwritten;
    /* One sentence, what may be wrong where it accesses memory out of bounds, in place of the
       engine's advice: of a step, in which numbers are smaller than elsewhere. Null: the advice */
    const char *beyond;
    /* Of a step, in blocks of one warp: groups of its lanes play warps, so that where it lacks a
       barrier, one of a warp is not enough */
    bool lanes_play_warps;
    /* Of a step that takes its indices from functions of other TODOs than those of .todos, as the
       starter has them: these. One sentence, where its kernel, in a header, does so itself: what is
       wrong if a line of the header races or goes out of bounds. Of another part: those of .todos
       that say where elements stand, and how large the array is. 0, null: it does not */
    unsigned index_todos;
    const char *index_wrong;
    /* As diagnose, of notes: one sentence, why the note at the index that it sets cannot be; null:
       nothing speaks against them. Null: they are not looked at. */
    const char *(*check_notes)(lab_noted *noted);
    size_t max_n; /* largest n that the contract allows; 0: no limit below 2^31 */
    /* lab_sizes, beyond max_n too: called once, with blocks in order. More tiles than are worth all
       schedules, of what another part or a smaller n shows; the gates count there, too */
    const size_t *once_n;
    /* a large one that asks for more than the largest, such as the longest picture: it takes the
       largest one's place where nobody can run it (run_huge); 0: none does */
    size_t huge_n;
    /* others that are tried so, at most LAB_KINDS: lab_sizes, first two smaller ones of that
       kind */
    const size_t *const *kinds;
    /* lab_sizes: n of one kind, with last tiles as long as each other's: if all elements are as
       large as can be, the last number of an output rises by as much for each element. The last one
       nobody can run (run_huge); null: not tried */
    const size_t *rising_n;
    /* lab_sizes, of a part whose blocks look back: n with few tiles in a chain, somewhat more, and
       thousands of them, and last tiles as long as each other's. Null: n grows by tiles */
    const size_t *stalled_n;
    /* one launch, in which blocks that stay take tiles of lab.tile elements by a ticket, and what
       they publish are aggregates alone: one block is to have the first tiles and the last, of more
       than 2^32 elements if so many are allowed (run_huge) */
    bool takes_tickets;
    /* fills the last `count` elements of an input there; before them are zeros, or what rises.
       Outputs have to end alike, whatever n is. Null: ones behind zeros */
    void (*fill_end)(void *data, unsigned buffer, size_t n, size_t count);
    /* what is counted is where neighbours in buffer 0 differ: where nobody can run it, it is tried
       with elements that all do, and with equal ones: counts and runs as large as n (run_huge) */
    bool counts_changes;
    /* the entry's last parameter is long long n, not int n; max_n may then be 2^31 and more */
    bool wide_n;
    /* the contract asks for device buffers aligned to an element, no more: one schedule has them
       begin an element after a multiple of 256 bytes */
    bool any_alignment;
    /* the contract allows this buffer, an output, to be the one before it, an input: one schedule
       has it so. 0: none */
    unsigned in_place;
    /* every schedule has it so of buffer 1, but where a GPU's time is measured: the part is about
       that */
    bool only_in_place;
    double time_limit;   /* on a GPU: most of the reference's time that it may take; 0: 1.5 */
    const char *against; /* entry of the part that LAB_INSTRUCTIONS_AGAINST compares with */
    bool drawn;          /* figures that show a line or two of each lab show this part */
    /* name of the network that its additions make, which figures draw for n = 16; null: none */
    const char *network;
    /* LAB_TODO(2) | LAB_TODO(3): what of the starter it needs; the report says which TODOs are
       correct, and which is next. Parts that need less come first. 0: none, it is given */
    unsigned todos;
    /* tries some of the starter's functions on their own; the entry is given (steps.h). A file that
       lacks it or fails it, and gives right answers in all other parts, has found another way, and
       loses nothing */
    bool step;
    /* of a step: it tries what no other part does, so a wrong answer of it counts; that the file
       lacks the function does not */
    bool counts;
    /* tries promises that the entries of other parts are not asked about; the entry is the kit's */
    bool trial;
    const char *const *hints; /* lab_hints; null only where it has no points */
} lab_part;

typedef lab_part lab_parts[LAB_MAX_PARTS + 1];

typedef struct lab {
    const char *id;    /* LAB_ID */
    const char *title; /* "Hillis-Steele scan" */
    /* what a student knows who has solved it: a sentence or two, shown at PASS */
    const char *learned;
    const char *file; /* the one file a student edits */
    /* beside the lab whose id this one's begins with, and shares its number: it is shown apart, its
       points count nowhere, and who has not begun it lacks nothing */
    bool bonus;
    /* headers of other labs that its own include: "11_speed_of_light/rows.h" */
    const char *borrowed[LAB_BORROWED];
    /* names of the gates that the lab is about: its page has these, and `make gates` all */
    const char *taught[LAB_TAUGHT];
    /* elements of a section: cases are made at tile - 1, tile, tile + 1 and several tiles */
    unsigned tile;
    unsigned threads;    /* of a block, for naming an index as block, warp and lane; 0: host lab */
    unsigned per_thread; /* elements that a thread owns: see lab_owner */
    const lab_part *parts; /* lab_parts */
    size_t large_n;        /* the one large case; 0: 2^18 + 77 */
    /* devices that the engine gives it, at most 8; 0: one. Each schedule has an order among them.
       On a GPU there are as many as the machine has */
    unsigned gpus;
    /* blocks wait for each other: cases run with 1, 2 and 4 resident blocks in every order, and
       with late stores (simt_config.late_stores) */
    bool blocks_wait;
    /* of such a lab: cases of more blocks than this, up to the large one, run once more, shuffled,
       with this many resident, and notes are taken there; 0: no such schedule */
    unsigned crowd;
    /* of such a lab: an n with a chain of LAB_FAR_BLOCKS blocks and more that look back, which
       each entry is called with, all resident and the first stalled; 0: a case's n, and fewer */
    size_t far_n;
    /* of such a lab: n / tile + n, modulo 6 or 8, says which kind of data a case has. Calls of one
       entry, again and again, then have kinds that differ in what every tile counts */
    bool kinds_by_n;
} lab;

/* How many there are, up to the first empty entry. */
unsigned lab_part_count(const lab *l);
unsigned lab_buffer_count(const lab_part *part);
unsigned lab_gate_count(const lab_part *part);

/* The gate that says how many of these there may be at most, or at least; null: none does. */
const lab_gate *lab_gate_on(const lab_part *part, lab_metric metric, lab_bound bound);

/* Of lab_noted.not_observed. */
static inline bool lab_not_observed(const lab_noted *noted, size_t i)
{
    return i < LAB_NOTES && noted->not_observed[i / 8] >> i % 8 & 1;
}

/* How much of the id names the lab: its number, and of a bonus all. For "%.*s". */
int lab_name_length(const lab *l);

/* What is asked of every part that runs on the device, at every n, besides its own gates; a gate of
   its own for the same count stands in for that here. */
extern const lab_gates lab_device_gates;

/* Has the part no result that is a float and not the copy of one? Then no sum of floats is asked
   for, and the device gate of LAB_ADDITIONS_IN_FLOAT holds; in others it does not. */
bool lab_gives_integers(const lab_part *part);

/* Gates that the grader asks about in ways of its own. */
enum { LAB_GATE_NOTHING, LAB_GATE_GROWING, LAB_GATE_TIME };
extern const lab_gates lab_own_gates;

/* The entry as a student declares it: "void scan(const float *d_in, float *d_out, int n)". */
void lab_signature(const lab_part *part, char *text, size_t room);

/* A fill for float inputs where integer arithmetic is to show as wrong: multiples of 1/2 from -8 to
   8 without 0, their sums exact in any order up to n = 2^20 and, with a range that narrows, beyond;
   two neighbours at the front differ. */
void lab_fill_halves(void *data, unsigned buffer, size_t n, uint64_t seed);

/* The same; of some n above 64, where n % 4 == 1, all are above 0: sums then become as large as the
   contract lets them, and a type that is exact for small ones alone, such as half, shows as
   wrong. */
void lab_fill_rising(void *data, unsigned buffer, size_t n, uint64_t seed);

enum { LAB_ODD_ONES = 100 }; /* a usual n, whose data hold values that others never do */

/* The same as lab_fill_halves, where floats are only added; of some n above 64 in other units, in
   which fixed point, an integer or a shorter float loses them: n % 8 == 5: halves times 2^60; n % 8
   == 3: multiples of 2^-20, and one of them, at n / 3, of 24 bits, as many as a float has, such
   that sums are exact in any order. Of n = LAB_ODD_ONES one is 0. */
void lab_fill_exact(void *data, unsigned buffer, size_t n, uint64_t seed);

/* The same; where n % 8 == 7, above 64, every 97th element from n / 2 on is 2^60, and a sum with
   one loses all others but these: what lies before an element cannot be had by a subtraction. Of n
   = LAB_ODD_ONES one is -2^60. */
void lab_fill_large(void *data, unsigned buffer, size_t n, uint64_t seed);

/* The same for sums in sections, with infinite ones in place of 2^60 and -2^60. */
void lab_fill_infinite(void *data, unsigned buffer, size_t n, uint64_t seed);

/* For a change: of `count` offsets, which never fall, those between the first and the last move,
   and all borders between segments with them: by < 0, to one less; by > 0, half of the way to the
   first, so that other segments lie in each block's share. False: there are none. */
bool lab_move_borders(int32_t *offset, size_t count, int by);

/* For fill_end: the last `count` of all offsets from 0 to n: the last segments are empty, or have
   one or two elements. */
void lab_fill_last_offsets(int32_t *offset, size_t n, size_t count);

#define LAB_DEFINE const lab LAB_SYMBOL

/* Every lab, in order of number; made by the build from the folders. */
extern const lab *const lab_table[];
extern const size_t lab_table_length;

#endif
