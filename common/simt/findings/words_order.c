/*
 * words_order.c: what is said about races, about threads that do not meet, and about deadlocks. See
 * words.h.
 */
#include "findings/words.h"

#include <stdio.h>
#include <string.h>

/* ---- parts of sentences ---------------------------------------------------------------------- */

static const char *did(const simt_site *s) { return s->write ? "wrote" : "read"; }

static const char *block_text(const simt_dim *b, char out[BLOCK])
{
    if (b->y == 0 && b->z == 0)
        snprintf(out, BLOCK, "block %u", b->x);
    else
        snprintf(out, BLOCK, "block (%u,%u,%u)", b->x, b->y, b->z);
    return out;
}

/* "lanes 0-3,7" */
static const char *lanes_text(uint32_t mask, char out[LINE])
{
    int used = snprintf(out, LINE, mask & (mask - 1) ? "lanes " : "lane ");
    const char *comma = "";
    for (unsigned l = 0; l < LANES_OF_WARP; l++, comma = ",") {
        unsigned from = l;
        while (l < LANES_OF_WARP && !(mask >> l & 1))
            from = ++l;
        if (l == LANES_OF_WARP)
            break;
        while (l + 1 < LANES_OF_WARP && mask >> (l + 1) & 1)
            l++;
        used += snprintf(out + used, (size_t)(LINE - used), from == l ? "%s%u" : "%s%u-%u", comma,
                         from, l);
    }
    return out;
}

/* ---- races ----------------------------------------------------------------------------------- */

static const char *others_text(const simt_finding *f, char out[LINE])
{
    switch (f->others) {
    case SIMT_ONE_THREAD: snprintf(out, LINE, "thread %u", words_thread(&f->other)); break;
    case SIMT_A_COPY: snprintf(out, LINE, "a copy that warp %u issued", f->other.warp); break;
    case SIMT_OTHERS_OF_WARP: snprintf(out, LINE, "other threads of its warp"); break;
    default: snprintf(out, LINE, "other threads");
    }
    return out;
}

/* "thread 3 reads s_data[5], which thread 40 wrote at x.cu:12: no barrier orders the two" */
static void say_race_in_block(const simt_finding *f, const char *place, simt_words *w)
{
    char where[PLACE], others[LINE], line[LINE];
    words_place_of(f, place, where);
    others_text(f, others);
    words_line(&f->other, line);
    if (f->cause == SIMT_CAUSE_LEFT_BEFORE)
        words_say(w,
                  "thread %u %s %s, which %s wrote at %s and then left the kernel: the barrier "
                  "between orders only the threads that reach it",
                  words_thread(&f->at), words_does(&f->at), where, others, line);
    else if (f->space == SIMT_SPACE_SHARED)
        words_say(w, "thread %u %s %s, which %s %s at %s: no barrier orders %s",
                  words_thread(&f->at), words_does(&f->at), where, others, did(&f->other), line,
                  f->others == SIMT_ONE_THREAD ? "the two" : "them");
    else
        words_say(w, "thread %u of block %u %s %s, which %s %s at %s: nothing orders the two",
                  words_thread(&f->at), f->at.block.x, words_does(&f->at), where, others,
                  did(&f->other), line);
}

static const simt_site *first_of(const simt_finding *f)
{
    return f->around.at_first ? &f->at : &f->other;
}

static const simt_site *second_of(const simt_finding *f)
{
    return f->around.at_first ? &f->other : &f->at;
}

/* ", outside of the `if` of line 12, which only some threads take", or "" */
static const char *outside_text(unsigned line, char out[LINE])
{
    out[0] = '\0';
    if (line)
        snprintf(out, LINE, ", outside of the `if` of line %u, which only some threads take", line);
    return out;
}

/* Both stand in a loop in an `if`: no barrier of the block can be in that loop. */
static void advise_loop_in_if(const simt_finding *f, simt_words *w)
{
    const simt_around *a = &f->around;
    words_advise(w,
                 "let all threads of the block run the loop of line %u, with the `if` of line %u "
                 "inside it and a __syncthreads() behind that `if`%s",
                 a->loop_line, a->outer_if_line,
                 f->cause == SIMT_CAUSE_NO_WARP_BARRIER
                     ? "; or, if one warp alone takes the `if`: put __syncwarp() at the end of the "
                       "loop's body, and between reading and writing"
                     : "");
}

/* One line that reads and then writes. */
static void advise_split(const simt_finding *f, simt_words *w)
{
    unsigned line = f->at.line;
    if (f->around.if_line)
        words_advise(w,
                     "if this is a step of a tree, fewer threads add, such as those below the "
                     "stride: narrow the `if` of line %u. If not, split line %u: inside that `if` "
                     "only read, into a variable; end the `if`; then a __syncthreads() that every "
                     "thread reaches; then write, under the same condition",
                     f->around.if_line, line);
    else
        words_advise(w,
                     "if this is a step of a tree, only some threads add, such as those below the "
                     "stride: its `if` is missing. If not, split line %u: read into a variable, "
                     "then a __syncthreads() that every thread reaches, then write",
                     line);
}

static void advise_between(const simt_finding *f, simt_words *w)
{
    const simt_around *a = &f->around;
    unsigned first = first_of(f)->line, second = second_of(f)->line, own = 0;
    char outside[LINE];
    if (a->first_if_line && a->first_if_line != first)
        own = a->first_if_line;
    else if (a->second_if_line && a->second_if_line != second)
        own = a->second_if_line;
    if (a->if_line && f->cause == SIMT_CAUSE_NO_WARP_BARRIER && !a->loop_line)
        words_advise(w,
                     "if one warp alone takes the `if` of line %u, put a __syncwarp() between line "
                     "%u and line %u; else end the `if` behind line %u, let every thread of the "
                     "block reach a __syncthreads(), and repeat the condition behind it",
                     a->if_line, first, second, first);
    else
        words_advise(
            w, "put a __syncthreads() that every thread reaches between line %u and line %u%s%s",
            first, second, outside_text(a->if_line ? a->if_line : own, outside),
            a->if_line ? ": end it in front of the barrier, and repeat its condition behind" : "");
}

static void advise_loop_end(const simt_finding *f, simt_words *w)
{
    const simt_around *a = &f->around;
    unsigned first = first_of(f)->line, second = second_of(f)->line,
             own = a->second_if_line != second ? a->second_if_line : 0;
    char outside[LINE], also[LINE] = "";
    if (a->between && first == second)
        snprintf(also, sizeof also,
                 ". If a thread reads what another writes in the same round, split line %u, too: "
                 "read into a variable, __syncthreads(), write",
                 first);
    else if (a->between)
        snprintf(also, sizeof also,
                 ". If a thread reads what another writes in the same round, put one between lines "
                 "%u and %u, too",
                 first, second);
    words_advise(w,
                 "put a __syncthreads() at the end of the body of the loop of line %u%s: the next "
                 "round may begin only when all are done with this one%s",
                 a->loop_line, outside_text(a->if_line ? a->if_line : own, outside), also);
}

/* Where a barrier can stand, from the text around the two accesses. False: that is not known. */
static bool advise_place(const simt_finding *f, simt_words *w)
{
    const simt_around *a = &f->around;
    if (!a->known || !f->at.line || !f->other.line || !(a->between || a->back || a->apart))
        return false;
    if (a->uneven_line)
        words_advise(w,
                     "a barrier is missing, but threads leave the loop of line %u in different "
                     "rounds: let all go round equally often, with an `if` inside for those that "
                     "have nothing to do, and put a __syncthreads() outside of that `if`",
                     a->uneven_line);
    else if (a->outer_if_line)
        advise_loop_in_if(f, w);
    else if (a->passed_line)
        words_advise(w,
                     "the barrier of line %u is skipped at times, by the condition of line %u: "
                     "let every thread reach it each time",
                     a->passed_line, a->passing_line);
    else if (a->back && a->loop_line)
        advise_loop_end(f, w);
    else if (a->apart)
        words_advise(w,
                     "lines %u and %u stand in two branches, which threads run at the same time: "
                     "make two `if`s of them, one behind the other, with a __syncthreads() that "
                     "every thread reaches in between",
                     f->at.line, f->other.line);
    else if (f->at.line == f->other.line)
        advise_split(f, w);
    else
        advise_between(f, w);
    return true;
}

static void advise_barrier(const simt_finding *f, simt_words *w)
{
    const char *between =
        f->other.line == f->at.line ? "one round's accesses and the next's" : "the two lines";
    if (f->race.mbarriers && f->space == SIMT_SPACE_SHARED)
        words_advise(
            w,
            "put a __syncthreads() that every thread reaches between %s, or, where warps do "
            "different work, let one arrive at an mbarrier after its access, and the other "
            "wait for that phase before its own",
            between);
    else if (f->cause == SIMT_CAUSE_NO_WARP_BARRIER && f->race.one_warp)
        words_advise(w,
                     "threads of a warp are not in step unless they meet: put __syncwarp() or "
                     "__syncthreads() between %s",
                     between);
    else if (!advise_place(f, w))
        words_advise(w,
                     "threads of a block are not in step, not even those of a warp: put a "
                     "__syncthreads() that every thread reaches between %s",
                     between);
}

static bool say_race_of_threads(const simt_finding *f, const char *place, simt_words *w)
{
    switch (f->cause) {
    case SIMT_CAUSE_NO_BARRIER:
    case SIMT_CAUSE_NO_WARP_BARRIER: advise_barrier(f, w); break;
    case SIMT_CAUSE_LEFT_BEFORE:
        words_advise(w, "every thread of the block has to reach every __syncthreads(): put no "
                        "`return`, and no barrier, into an `if` or a loop that some threads leave "
                        "earlier; put an `if` around the work of a step instead");
        break;
    case SIMT_CAUSE_SAME_ELEMENT:
        if (f->around.back && f->around.loop_line)
            words_advise(
                w,
                "two threads write one element here. Should each have one of its own? Then "
                "look at the index. If they do so in different rounds, put a "
                "__syncthreads() that every thread reaches at the end of the body of the "
                "loop of line %u",
                f->around.loop_line);
        else
            words_advise(w,
                         "two threads write one element here, and either may come last: does "
                         "each thread's index name an element of its own? If one value is meant, "
                         "let one thread write it");
        break;
    case SIMT_CAUSE_COPY_LANDED:
        words_advise(
            w, "every thread that uses the bytes waits for the copy's mbarrier itself, or meets "
               "one that has waited at a __syncthreads()");
        break;
    default: return false;
    }
    say_race_in_block(f, place, w);
    return true;
}

static bool say_race_with_copy(const simt_finding *f, const char *place, simt_words *w)
{
    char where[PLACE], line[LINE], others[LINE];
    const char *way = f->race.from_shared ? "from" : "into";
    switch (f->cause) {
    case SIMT_CAUSE_COPY_UNDER_WAY:
        words_say(
            w,
            "thread %u %s %s while the copy %s shared memory that %s%u issued at %s may still be "
            "under way: no wait for it comes before",
            words_thread(&f->at), words_does(&f->at), words_place_of(f, place, where), way,
            words_thread(&f->other) == words_thread(&f->at) ? "it, thread " : "thread ",
            words_thread(&f->other), words_line(&f->other, line));
        if (f->race.from_shared)
            words_advise(w, "cp.async.bulk.wait_group.read 0 by the thread that issued it, then a "
                            "barrier, before its source is written again");
        else if (f->race.bulk)
            words_advise(w,
                         "wait for the phase of its mbarrier (mbarrier.try_wait in a loop) first; "
                         "before the bytes are overwritten, every thread that reads them must have "
                         "signalled that it is done");
        else
            words_advise(w, "cp.async.wait_group (or wait_all) by the thread that issued it, and a "
                            "__syncthreads() before other threads use the bytes");
        return true;
    case SIMT_CAUSE_PROXY:
        words_say(w,
                  "the bulk copy that thread %u issues reads %s, which %s wrote at %s with no "
                  "fence.proxy.async since: copies have a way of their own to memory (the async "
                  "proxy), where barriers alone do not make stores visible",
                  words_thread(&f->at), words_place_of(f, place, where), others_text(f, others),
                  words_line(&f->other, line));
        words_advise(w,
                     "between the stores and the copy, in each thread that stores: "
                     "fence.proxy.async%s; then a barrier; then one thread issues the copy",
                     f->space == SIMT_SPACE_SHARED ? ".shared::cta" : ".global");
        return true;
    case SIMT_CAUSE_INIT_UNFENCED:
        words_say(w,
                  "the bulk copy that thread %u issues counts its bytes at the mbarrier %s, which "
                  "thread %u initialised at %s with no fence since: copies have a way of their own "
                  "to memory (the async proxy), and may find the word as it was before",
                  words_thread(&f->at), words_place_of(f, place, where), words_thread(&f->other),
                  words_line(&f->other, line));
        words_advise(w,
                     "put fence.mbarrier_init.release.cluster (or fence.proxy.async.shared::cta) "
                     "behind the mbarrier.init, in the same thread, and a __syncthreads() before "
                     "others use the mbarrier");
        return true;
    case SIMT_CAUSE_COPY_NOT_AWAITED:
        words_say(w,
                  "the block ends without a wait for the bulk copy %s shared memory that thread %u "
                  "issued here: its shared memory may be another block's by then",
                  way, words_thread(&f->at));
        words_advise(w, f->race.from_shared
                            ? "the thread that issued it executes "
                              "cp.async.bulk.wait_group.read 0 before it ends"
                            : "wait for the phase of its mbarrier before the block ends");
        return true;
    default: return false;
    }
}

/* x++ and the like by two blocks: read and written in one line, without an atomic. */
static bool is_shared_update(const simt_finding *f)
{
    return f->at.line && f->at.line == f->other.line && strcmp(f->at.file, f->other.file) == 0 &&
           !f->at.atomic && f->at.write != f->other.write;
}

/* Written by two blocks in one statement: no order would help. */
static bool is_same_element(const simt_finding *f)
{
    return (f->cause == SIMT_CAUSE_BLOCKS_APART || f->cause == SIMT_CAUSE_BETWEEN_BLOCKS) &&
           f->at.line && f->at.line == f->other.line && strcmp(f->at.file, f->other.file) == 0 &&
           f->at.write && f->other.write && !f->at.atomic && !f->other.atomic;
}

static bool say_race_of_blocks(const simt_finding *f, const char *place, simt_words *w)
{
    char where[PLACE], line[LINE];
    switch (f->cause) {
    case SIMT_CAUSE_LAUNCHES_APART:
        if (f->other.line)
            words_line(&f->other, line);
        words_say(w,
                  "%.*s %s %s, which %.*s %s%s%s: they are on different streams, and nothing "
                  "orders the two",
                  (int)sizeof f->function, f->function, words_does(&f->at),
                  words_place_of(f, place, where), (int)sizeof f->text, f->text, did(&f->other),
                  f->other.line ? " at " : "", f->other.line ? line : "");
        words_advise(w, "record an event behind the first (cudaEventRecord) and let the other "
                        "stream wait for it (cudaStreamWaitEvent), put both on one stream, or let "
                        "the host wait in between. A stream made with cudaStreamNonBlocking does "
                        "not wait for the default stream either");
        return true;
    case SIMT_CAUSE_BLOCKS_APART:
        words_advise(
            w, "blocks of a launch run in any order and at the same time, and these do not wait "
               "for each other: let each write memory of its own, or leave one side to "
               "another launch");
        break;
    case SIMT_CAUSE_BETWEEN_BLOCKS:
        words_advise(
            w, "blocks run in any order and at the same time: move this to another launch, or "
               "publish it with a fence and a flag");
        break;
    case SIMT_CAUSE_BLOCK_ATOMIC:
        words_advise(w,
                     "an atomic of block scope (atomicAdd_block ...) is atomic for its own block "
                     "only: use the one without _block");
        break;
    case SIMT_CAUSE_TORN:
        words_advise(
            w,
            "one side accesses the word at once, the other in parts: a reader may see one part old "
            "and one new; access what belongs together, such as a value and its flag, in one "
            "access of the same size");
        break;
    case SIMT_CAUSE_NARROW_FENCE:
        words_advise(w,
                     "the flag overtakes its data: __threadfence_block() orders only within its "
                     "block; put a __threadfence() between writing the data and setting the flag");
        break;
    case SIMT_CAUSE_NO_FENCE:
        words_advise(
            w, "the flag overtakes its data: put a __threadfence() between writing the data and "
               "setting the flag");
        break;
    case SIMT_CAUSE_NO_READ_FENCE:
        words_advise(w,
                     "the flag has been seen, but the data may be read from before: put a "
                     "__threadfence() after the loop that waits for the flag, before reading the "
                     "data");
        break;
    case SIMT_CAUSE_PLAIN_SIDE:
        words_advise(w,
                     "one side is volatile or atomic, the other is not: read and write a flag that "
                     "blocks share through a volatile pointer or atomics, on both sides; what all "
                     "blocks add to is cleared before the launch, and not by one of them");
        break;
    case SIMT_CAUSE_NO_FLAG:
        words_advise(
            w, "nothing shows that the other block has come this far: a compiler drops a loop "
               "that waits by plain reads, so wait through a volatile pointer or an atomic, for a "
               "flag that the other block sets after the data, with a __threadfence() between; "
               "before a launch, clear the flags that an earlier one has set");
        break;
    case SIMT_CAUSE_READ_NOT_AWAITED:
        words_advise(
            w, "the other block has read before this was written: let it wait for a flag that "
               "is set after the data, with a __threadfence() between; before a launch, clear "
               "the flags that an earlier one has set");
        break;
    default: return false;
    }
    if (is_shared_update(f) && f->cause != SIMT_CAUSE_BLOCK_ATOMIC)
        words_advise(w, "the line reads and writes one element, in two steps, and two blocks do it "
                        "to the same. If they share it (a number to take, a sum), use atomicAdd, "
                        "which does both at once and returns what was there: else two get one "
                        "number. If not, look at the index");
    else if (f->cause == SIMT_CAUSE_PLAIN_SIDE && f->race.update_line == f->at.line)
        words_advise(w,
                     "one side is volatile or atomic, the other is not: read and write what blocks "
                     "share through a volatile pointer or atomics, on both sides. If the line "
                     "counts a number on that each block takes, a ticket, take it by one "
                     "atomicAdd: else two blocks get one number");
    else if (f->race.update_line)
        words_advise(w,
                     "look at line %u first: there a word is read and written in two steps, and "
                     "two blocks do so to the same one. If that is how a block takes a number, a "
                     "ticket, take it by one atomicAdd: else two blocks get one number, and meet "
                     "in the same place",
                     f->race.update_line);
    else if (is_same_element(f))
        words_advise(w, "two blocks write one element here, and either may come last: does each "
                        "block's index name elements of its own? If one value is meant, let one "
                        "block write it; if both have something to add, use atomicAdd");
    words_say(w, "block %u %s %s, which block %u %s at %s: nothing orders the two", f->at.block.x,
              words_does(&f->at), words_place_of(f, place, where), f->other.block.x, did(&f->other),
              words_line(&f->other, line));
    return true;
}

static bool say_read_only(const simt_finding *f, const char *place, simt_words *w)
{
    char where[PLACE], line[LINE];
    if (f->cause != SIMT_CAUSE_READ_ONLY)
        return false;
    if (f->at.write)
        words_say(w,
                  "thread %u of block %u writes %s, which thread %u of block %u reads as read-only "
                  "memory at %s in this launch: the read may happen after the write, whatever "
                  "stands between",
                  words_thread(&f->at), f->at.block.x, words_place_of(f, place, where),
                  words_thread(&f->other), f->other.block.x, words_line(&f->other, line));
    else
        words_say(
            w,
            "thread %u of block %u reads %s as read-only memory, but thread %u of block %u wrote "
            "it at %s in this launch: the read may still give the old value, whatever stands "
            "between",
            words_thread(&f->at), f->at.block.x, words_place_of(f, place, where),
            words_thread(&f->other), f->other.block.x, words_line(&f->other, line));
    words_advise(w, "__ldg, and a pointer that is const and __restrict__, promise that nobody "
                    "writes there during the kernel: read it through a plain pointer, without "
                    "__restrict__");
    return true;
}

/* With late stores: what a strong load has found, though no data race forbids it. */
static void say_old_value(const simt_finding *f, const char *place, simt_words *w)
{
    char where[PLACE], line[LINE];
    bool one_block = f->at.block.x == f->other.block.x && f->at.block.y == f->other.block.y &&
                     f->at.block.z == f->other.block.z;
    const char *fence = one_block ? "__threadfence_block()" : "__threadfence()";
    words_say(w,
              "thread %u of block %u got an old value of %s: thread %u of block %u wrote a new one "
              "at %s, and then something that this thread has seen already",
              words_thread(&f->at), f->at.block.x, words_place_of(f, place, where),
              words_thread(&f->other), f->other.block.x, words_line(&f->other, line));
    if (f->cause == SIMT_CAUSE_NO_READ_FENCE)
        words_advise(w,
                     "the flag has been seen, but the data may be read from before: put a %s after "
                     "the loop that waits for the flag, before reading the data; volatile alone "
                     "keeps no order",
                     fence);
    else if (f->cause == SIMT_CAUSE_NARROW_FENCE)
        words_advise(w, "the flag overtakes its data: __threadfence_block() orders only within its "
                        "block; put a __threadfence() between writing the data and setting the "
                        "flag");
    else
        words_advise(w,
                     "the flag overtakes its data: put a %s between writing the data and setting "
                     "the flag, and one after the wait for it; volatile alone keeps no order",
                     fence);
}

/* ---- meeting: barriers, .sync instructions, mbarriers ---------------------------------------- */

/* What keeps some threads from a __syncthreads(). */
static void advise_meeting(const simt_finding *f, simt_words *w)
{
    const simt_around *a = &f->around;
    if (a->if_line)
        words_advise(w,
                     "only some threads take the `if` of line %u: end it in front of the barrier, "
                     "and repeat its condition behind, so that every thread of the block reaches "
                     "the same __syncthreads()",
                     a->if_line);
    else if (a->uneven_line)
        words_advise(
            w,
            "threads leave the loop of line %u in different rounds: let all go round "
            "equally often, with an `if` inside for those that have nothing to do, and the "
            "__syncthreads() outside of that `if`",
            a->uneven_line);
    else if (f->cause == SIMT_CAUSE_OTHER_BARRIER)
        words_advise(w, "all threads of a block must reach the same __syncthreads(): its condition "
                        "may not differ between threads");
    else
        words_advise(w, "__syncthreads() must be reached by every thread of the block: move it out "
                        "of the branch or loop that only some threads take");
}

static bool say_barrier(const simt_finding *f, simt_words *w)
{
    const simt_meeting_facts *m = &f->meeting;
    unsigned warp = f->at.warp, other = f->other.warp;
    char there[LINE], line[LINE], at[LINE + 16] = "";
    words_line(&f->other, line);
    switch (f->cause) {
    case SIMT_CAUSE_PART_OF_WARP:
        if (f->has_other)
            snprintf(at, sizeof at, ": those are at %s", line);
        words_say(
            w,
            "only %d of the %d running lanes of warp %u reach this block barrier together; %s do%s "
            "not%s",
            __builtin_popcount(m->lanes), __builtin_popcount(m->live), warp,
            lanes_text(m->absent, there), m->absent & (m->absent - 1) ? "" : "es", at);
        advise_meeting(f, w);
        return true;
    case SIMT_CAUSE_LANES_LEFT:
        words_say(w,
                  "%s of warp %u ha%s left the kernel, and this block barrier is met without %s: a "
                  "GPU does not wait for threads that have ended, but the barrier is meant for "
                  "whole warps",
                  lanes_text(m->absent, there), warp, m->absent & (m->absent - 1) ? "ve" : "s",
                  m->absent & (m->absent - 1) ? "them" : "it");
        words_advise(w,
                     "let all threads of the block reach it: no return in front of it, and an `if` "
                     "around the work before it and another around the work behind it, but none "
                     "around the barrier");
        return true;
    case SIMT_CAUSE_OTHER_BARRIER:
        words_say(
            w,
            "warp %u waits at this __syncthreads() while warp %u waits at another one, at %s: each "
            "lets the other go on, from different places",
            warp, other, line);
        advise_meeting(f, w);
        return true;
    case SIMT_CAUSE_BARRIER_NUMBER:
        words_say(w, "barrier %u: a block has barriers 0 to 15", m->barrier);
        words_advise(w, "give a barrier number from 0 to 15 and a count in whole warps");
        return true;
    case SIMT_CAUSE_BARRIER_THREADS:
        words_say(
            w,
            "barrier %u expects %u threads: it must be a multiple of 32 no larger than the block "
            "(%u threads)",
            m->barrier, m->threads, m->block_threads);
        words_advise(w, "give a barrier number from 0 to 15 and a count in whole warps");
        return true;
    case SIMT_CAUSE_LANES_OF_BARRIERS:
        words_say(
            w,
            "lane %u of warp %u names barrier %u and lane %u barrier %u: a barrier is met by whole "
            "warps",
            m->other_lane, warp, m->other_barrier, f->at.lane, m->barrier);
        words_advise(
            w, "compute the barrier and its count from what all lanes of a warp share, such as "
               "threadIdx.x / 32");
        return true;
    case SIMT_CAUSE_LANES_OF_COUNTS:
        words_say(
            w,
            "lane %u of warp %u names count %u and lane %u count %u: a barrier is met by whole "
            "warps",
            m->other_lane, warp, m->other_threads, f->at.lane, m->threads);
        words_advise(
            w, "compute the barrier and its count from what all lanes of a warp share, such as "
               "threadIdx.x / 32");
        return true;
    case SIMT_CAUSE_OTHER_OPERATION:
        words_say(
            w,
            "warp %u comes to barrier %u with another operation than warp %u at %s, which is still "
            "there",
            warp, m->barrier, other, line);
        words_advise(
            w, "all who use a barrier at one time must do the same there, with the same count; "
               "take another barrier number for other threads");
        return true;
    case SIMT_CAUSE_OTHER_COUNT:
        words_say(w, "warp %u comes to barrier %u for %u threads, but warp %u at %s for %u", warp,
                  m->barrier, m->threads, other, line, m->other_threads);
        words_advise(
            w, "all who use a barrier at one time must do the same there, with the same count; "
               "take another barrier number for other threads");
        return true;
    default: return false;
    }
}

static bool say_sync(const simt_finding *f, simt_words *w)
{
    const simt_meeting_facts *m = &f->meeting;
    char here[LINE], there[LINE], line[LINE], at[LINE + 4] = "elsewhere";
    lanes_text(m->lanes, here);
    lanes_text(m->absent, there);
    switch (f->cause) {
    case SIMT_CAUSE_MASK_WITHOUT_CALLER:
        words_say(
            w,
            "lane %u of warp %u executes a .sync instruction whose member mask 0x%08x does not "
            "name it",
            f->at.lane, f->at.warp, m->members);
        words_advise(w,
                     "the mask must hold exactly the lanes that reach the call: 0xffffffff outside "
                     "branches, or __ballot_sync of the condition before it");
        return true;
    case SIMT_CAUSE_MASKS_DIFFER:
        words_say(
            w,
            "%s of warp %u name%s the member mask 0x%08x here, and %s, which it holds, the mask "
            "0x%08x: they do not meet",
            here, f->at.warp, m->lanes & (m->lanes - 1) ? "" : "s", m->members, there,
            m->other_members);
        words_advise(
            w, "all lanes that a mask names must come with that very mask: compute it from the "
               "group that a lane belongs to, in the same way for each lane");
        return true;
    case SIMT_CAUSE_LANES_ABSENT:
        if (f->has_other && f->other.line)
            snprintf(at, sizeof at, "at %s", words_line(&f->other, line));
        words_say(w, "%s of warp %u wait%s here for %s, which wait%s %s: none can go on", here,
                  f->at.warp, m->lanes & (m->lanes - 1) ? "" : "s", there,
                  m->absent & (m->absent - 1) ? "" : "s", at);
        words_advise(
            w, "let all lanes of the mask reach the same call, or leave those that do not out "
               "of the mask");
        return true;
    default: return false;
    }
}

static bool say_mbarrier(const simt_finding *f, const char *place, simt_words *w)
{
    const simt_mbarrier_facts *m = &f->mbarrier;
    char what[PLACE];
    words_place_of(f, place, what);
    switch (f->cause) {
    case SIMT_CAUSE_MBARRIER_OVERWRITTEN:
        words_say(w, "the mbarrier %s has been overwritten since mbarrier.init", what);
        words_advise(w, "nothing but mbarrier instructions may touch an mbarrier's 8 bytes before "
                        "mbarrier.inval");
        return true;
    case SIMT_CAUSE_MBARRIER_NONE:
        words_say(w, "the mbarrier %s was never initialised", what);
        words_advise(w, "one thread executes mbarrier.init with the number of arrivals, then a "
                        "__syncthreads(), before anyone uses it");
        return true;
    case SIMT_CAUSE_MBARRIER_BYTES:
        words_say(w, "the mbarrier %s counts more than 1048575 bytes of transactions in a phase",
                  what);
        words_advise(w, "expect and copy fewer bytes a phase");
        return true;
    case SIMT_CAUSE_MBARRIER_ARRIVALS:
        if (m->arrivals)
            words_say(
                w,
                "the mbarrier %s gets %u arrivals of thread %u where only %u of the phase's %u are "
                "still to come",
                what, m->arrivals, words_thread(&f->at), m->pending, m->expected);
        else
            words_say(w, "the mbarrier %s gets 0 arrivals of thread %u", what,
                      words_thread(&f->at));
        words_advise(
            w, "mbarrier.init's count is how many arrivals a phase takes; no thread may arrive "
               "for the next phase before this one is complete");
        return true;
    case SIMT_CAUSE_MBARRIER_COUNT:
        words_say(w, "the mbarrier %s is initialised with a count that is not 1 to 1048575", what);
        words_advise(w, "give the number of arrivals that complete a phase");
        return true;
    case SIMT_CAUSE_MBARRIER_AGAIN:
        words_say(w, "the mbarrier %s is initialised again while it is in use", what);
        words_advise(w, "initialise it once, by one thread; mbarrier.inval ends its life");
        return true;
    case SIMT_CAUSE_MBARRIER_PARITY:
        words_say(w, "the mbarrier %s is asked for parity %u: a parity is 0 or 1", what, m->parity);
        words_advise(w, "pass the number of the phase modulo 2");
        return true;
    default: return false;
    }
}

/* ---- deadlocks ------------------------------------------------------------------------------- */

static const char *word_text(const simt_finding *f, const char *place, char out[PLACE])
{
    const simt_deadlock_facts *d = &f->deadlock;
    char holds[40], what[112];
    if (d->mbarrier.known) {
        snprintf(out, PLACE,
                 "the mbarrier %.63s[%d], in phase %u, which lacks %u of %u arrivals and "
                 "%d bytes of transactions",
                 f->variable, (int)f->index, d->mbarrier.phase, d->mbarrier.pending,
                 d->mbarrier.expected, d->mbarrier.bytes);
        return out;
    }
    if (place)
        snprintf(what, sizeof what, "%s", place);
    else if (f->variable[0])
        snprintf(what, sizeof what, "%.63s[%lld]", f->variable, (long long)f->index);
    else if (f->space == SIMT_SPACE_SHARED)
        snprintf(what, sizeof what, "the word at byte %llu of its shared memory",
                 (number)f->address);
    else if (d->parameter)
        snprintf(what, sizeof what, "element %lld of the array in parameter %u",
                 (long long)f->index, d->parameter);
    else
        snprintf(what, sizeof what, "element %lld of an allocation", (long long)f->index);
    snprintf(holds, sizeof holds, f->access_bytes == 8 && f->value >> 40 ? "0x%llx" : "%llu",
             (number)f->value);
    snprintf(out, PLACE, "%s (which holds %s)", what, holds);
    return out;
}

/* Why the word does not change; and what to do. */
static bool why_text(const simt_finding *f, char out[PLACE], simt_words *w)
{
    const simt_deadlock_facts *d = &f->deadlock;
    char me[BLOCK], writer[BLOCK];
    block_text(&f->at.block, me);
    block_text(&d->writer, writer);
    switch (f->cause) {
    case SIMT_CAUSE_DEAD_WRITER_NOT_STARTED: {
        char places[80] = "the only place is taken by this one";
        if (d->waiting > 1)
            snprintf(places, sizeof places, "all %u places are taken by blocks that wait",
                     d->waiting);
        snprintf(out, PLACE, "%s would write it (line %u) but has not started: %s", writer,
                 d->writer_line, places);
        words_advise(w,
                     "blocks start in any order and only so many run at once: take the tile number "
                     "from an atomic counter when a block starts, so that it waits only for blocks "
                     "that have started before it. If it does already, it waits for a later tile, "
                     "or for all: put what comes after into a second launch");
        return true;
    }
    case SIMT_CAUSE_DEAD_WRITER_IN_BLOCK:
        snprintf(out, PLACE,
                 "warp %u of the block itself would write it (line %u) but cannot go on while "
                 "this warp waits",
                 d->writer_warp, d->writer_line);
        words_advise(
            w, "a warp must not wait for what comes after a barrier, or a loop, that it holds "
               "up itself");
        return true;
    case SIMT_CAUSE_DEAD_CIRCLE:
        if (d->circle == 2)
            snprintf(out, PLACE, "%s would write it (line %u) but waits for %s in turn", writer,
                     d->writer_line, me);
        else
            snprintf(out, PLACE,
                     "%s would write it (line %u) but waits itself, in a circle of %u blocks that "
                     "wait for each other",
                     writer, d->writer_line, d->circle);
        words_advise(w,
                     "let a block store its own result before it waits, and let blocks wait in one "
                     "direction only");
        return true;
    case SIMT_CAUSE_DEAD_WRITER_WAITS:
        snprintf(out, PLACE, "%s would write it (line %u) but waits for ever itself", writer,
                 d->writer_line);
        words_advise(w, "see what that block waits for");
        return true;
    case SIMT_CAUSE_DEAD_UNSEEN:
        snprintf(
            out, PLACE,
            "stores of other blocks need never become visible here: the kernel has no fence and no "
            "volatile or atomic access to global memory");
        words_advise(
            w, "read a flag through a volatile pointer or an atomic, and let its writer put a "
               "__threadfence() between data and flag");
        return true;
    case SIMT_CAUSE_DEAD_NO_WRITER:
        snprintf(out, PLACE, "no block would write it, even with room for all of them");
        words_advise(w,
                     "is the store there, and is its index right? A warp cannot wait for what it "
                     "should write itself, nor a lane for a lane of its own warp");
        return true;
    case SIMT_CAUSE_DEAD_NO_CHANGE:
        snprintf(out, PLACE, "nothing that could still run will change it");
        if (d->mbarrier.known)
            words_advise(w, "who arrives there in this phase? mbarrier.init's number is how many "
                            "arrivals a phase takes, copies' bytes besides: compare it with the "
                            "threads that do arrive, and see what those that do not wait for");
        else
            words_advise(
                w, "which thread should write it, and can it still run? It may be a lane of the "
                   "same warp, or wait at a barrier itself");
        return true;
    default: return false;
    }
}

static bool say_deadlock(const simt_finding *f, const char *place, simt_words *w)
{
    const simt_deadlock_facts *d = &f->deadlock;
    char word[PLACE], why[PLACE], me[BLOCK], held[64] = "";
    if (f->cause == SIMT_CAUSE_DEAD_BARRIER) {
        words_say(
            w,
            "warp %u waits at barrier %u for %u threads, %u have come, and every other warp of the "
            "block waits too or has ended",
            f->at.warp, d->barrier, d->threads, d->arrived);
        words_advise(w, "every thread that a barrier counts must come to that barrier");
        return true;
    }
    if (f->cause == SIMT_CAUSE_DEAD_ENDLESS) {
        words_say(w, "the loop around line %u never ends%s", f->around.loop_line,
                  d->spinning ? "" : ", and other threads wait for those in it");
        words_advise_loop(f, w);
        return true;
    }
    if (f->cause == SIMT_CAUSE_DEAD_LOOP) {
        words_say(
            w,
            "warp %u repeats this loop for ever: its state is the same each time round, and "
            "nothing that could still run will change it (%u of the block's warps spin, %u wait at "
            "a barrier)",
            f->at.warp, d->spinning, d->held);
        words_advise_loop(f, w);
        return true;
    }
    if (!why_text(f, why, w))
        return false;
    if (d->held)
        snprintf(held, sizeof held, " (%u of its warps wait%s at a barrier)", d->held,
                 d->held == 1 ? "s" : "");
    words_say(w, "%s waits for ever for a change of %s; %s%s", block_text(&f->at.block, me),
              word_text(f, place, word), why, held);
    return true;
}

bool words_of_order(const simt_finding *f, const char *place, simt_words *w)
{
    if (f->kind == SIMT_OLD_VALUE) {
        say_old_value(f, place, w);
        return true;
    }
    return say_read_only(f, place, w) || say_race_of_threads(f, place, w) ||
           say_race_with_copy(f, place, w) || say_race_of_blocks(f, place, w) ||
           say_barrier(f, w) || say_sync(f, w) || say_mbarrier(f, place, w) ||
           say_deadlock(f, place, w);
}
