/*
 * around.h: what the text of a function says about the places of two accesses, or of one: which
 * branches and loops stand around them, and where no barrier lies between. For findings: nothing
 * that runs depends on it.
 *
 * Lines are of the source, in the file in which the (first) access is; 0: none. A branch parts the
 * threads of a block if its condition depends on the thread's index, on what other lanes gave, or
 * on what was loaded from a place of its own. A branch that leads out of the kernel at once parts
 * nobody: who has left is waited for no more.
 */
#ifndef SIMT_AROUND_H
#define SIMT_AROUND_H

#include "code/code.h"

/* of one instruction */
typedef struct around_one {
    unsigned if_line;      /* of the outermost branch around it that parts threads, no loop's */
    unsigned parting_line; /* of the branch around it whose ways meet at the place given */
    unsigned uneven_line;  /* of a loop around it that threads leave in different rounds */
    unsigned loop_line; /* of the innermost loop around it that is endless; else of the outermost */
    unsigned header_line, header; /* of an `if` around it of another file, and this; 0: none */
    bool endless; /* it has no way out, or what its conditions read never changes in it */
} around_one;

/* Of two: `first` is the one that comes first in a round of the loop around both, if there is
   one. */
typedef struct around_two {
    bool second_first;  /* the second one named is that first */
    bool apart;         /* neither comes before the other: they stand in two sides of an if */
    bool between;       /* a way without a barrier leads from the first on to the second ... */
    bool back;          /* ... and from the second, by a loop's end, to the first */
    unsigned loop_line; /* of the innermost loop around both */
    /* as above: around both, in that loop; around both and that loop; around one of them only */
    unsigned if_line, outer_if_line, first_if_line, second_if_line;
    unsigned uneven_line;         /* around both */
    unsigned header_line, header; /* of an `if` around both of another file, and this; 0: none */
    bool warp_between; /* a barrier of the warp lies on a way from the first on to the second */
    unsigned
        leaving_line; /* of a branch in front of both, at which some threads leave the kernel */
    /* a barrier that lies on some of those ways, and the `if` by which the others pass it */
    unsigned passed_line, passing_line;
    bool by_flag; /* apart, and one side sets a flag after its write, which the other reads first */
    bool fenced;  /* with a fence between that write and the flag */
    bool early;   /* by_flag, but the data is read first, and then the flag */
    bool update;  /* a thread reads an element and writes the same one, in whatever round */
    bool asked;   /* of such a pair: whether it writes depends on what was read, as for a maximum */
    bool others;  /* of such a pair: other loads may read that element before, or after */
    bool for_all; /* all threads of the block run one of the two */
    bool own_values; /* both are stores, of values that depend on the thread */
    /* of one of the two: all threads run it, and store to one element there; 0: neither */
    unsigned alike_line;
    bool indirect; /* the element is each thread's own, by an index made of values that were read */
} around_two;

/* By their indices in f->instrs. False: not known (memory, or a function that is too large).
   warp: a barrier of the warp counts as well. */
/* meet: an instruction in the block where lanes wait that do not come to `at`; or `at` */
bool around_find_one(const module *m, const ptx_function *f, unsigned at, unsigned meet,
                     around_one *out);
bool around_find_two(const module *m, const ptx_function *f, unsigned one, unsigned two, bool warp,
                     around_two *out);
/* Does this load stand in a loop that waits for a flag, and come before the flag's own load in each
   round? */
bool around_is_early(const module *m, const ptx_function *f, unsigned at);
/* Is the place of this access each thread's own, by an index made of values that were read? */
bool around_is_indirect(const module *m, const ptx_function *f, unsigned at);
/* The line of the `if` in front of an access, or around it, that compares what its index is made
   of; 0: there is none that is seen. */
unsigned guard_line(const ptx_function *f, unsigned at);

#endif
