/*
 * words_race.c: what is said about races. See words.h.
 *
 * Of two threads of a block, the first row that fits decides what is advised; the facts are those
 * of simt_around, from the program's text (code/around.h):
 *
 *   the two accesses are                                  remedy
 *   ordered by a barrier, but one thread has left         no return before a barrier
 *   by threads that read one element and write it back,   an atomic: a barrier between leaves them
 *     at least two of them (sum += x, count[d]++)           writing one after another's reading
 *   in a line that all threads run on one element         one thread: if (t == 0)
 *     (out[0] = s[0])
 *   writes of one statement                               an element for each, or one thread
 *   in one loop that threads leave in different rounds    rounds for all, then a barrier
 *   by one warp, where others may have left               __syncwarp()
 *   by one warp, in a line that all threads run, and      the barrier below, of the warp
 *     no two warps race on the array
 *   in two branches, one of which sets a flag that the    a fence
 *     other reads
 *   in a function that a header calls for some threads     the index, or the loop's bound
 *   in two branches of one `if`                           two ifs, and a barrier between
 *   a write, and a read after it in the same round of a   a barrier between the two lines
 *     loop
 *   of two rounds of a loop                               a barrier at the end of the loop's body
 *   the reading and the writing of one line               fewer threads, or the line split
 *   a plain store, and an atomic on the same element      a barrier, or the clearing at the end
 *   of two warps, with a __syncwarp() between             __syncthreads() in its place
 *   two lines that each store a value of their thread's   an element for each
 *   else                                                  a barrier between the two lines, outside
 *                                                           of what only some threads run
 *
 * Of two blocks no barrier helps: an atomic where one line reads and writes, an element for each
 * block, another launch, or a flag with fences where blocks wait for each other.
 */
#include "findings/findings.h"
#include "findings/words.h"

#include <stdio.h>
#include <string.h>

static const char *did(const simt_site *s) { return s->write ? "wrote" : "read"; }

/* ---- races in a block ------------------------------------------------------------------------ */

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

/* " at steps.h:20" where a line of the .cu file is another one, so that this is named first */
static const char *in_header(const simt_finding *f, char out[LINE + 8])
{
    char line[LINE];
    out[0] = '\0';
    if (!findings_in_source(&f->at) && (findings_in_source(&f->other) || f->around.flag_line))
        snprintf(out, LINE + 8, " at %s", words_line(&f->at, line));
    return out;
}

/* "thread 3 reads s_data[5], which thread 40 wrote at x.cu:12: no barrier orders the two" */
void words_race_in_block(const simt_finding *f, wording *w)
{
    char where[PLACE], others[LINE], line[LINE], header[LINE + 8];
    words_place_of(f, w->place, where);
    others_text(f, others);
    words_line(&f->other, line);
    if (f->cause == SIMT_CAUSE_LEFT_BEFORE)
        words_say(w,
                  "thread %u %s %s, which %s wrote at %s and then left the kernel: the barrier "
                  "between orders only the threads that reach it",
                  words_thread(&f->at), words_does(&f->at), where, others, line);
    else if (f->space == SIMT_SPACE_SHARED)
        words_say(w, "thread %u %s %s%s, which %s %s at %s: no barrier orders %s",
                  words_thread(&f->at), words_does(&f->at), where, in_header(f, header), others,
                  did(&f->other), line, f->others == SIMT_ONE_THREAD ? "the two" : "them");
    else
        words_say(w, "thread %u of block %u %s %s%s, which %s %s at %s: nothing orders the two",
                  words_thread(&f->at), f->at.block.x, words_does(&f->at), where,
                  in_header(f, header), others, did(&f->other), line);
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

/* A thread reads what another has written in the same round, with no barrier on the way. */
static bool is_within_round(const simt_finding *f)
{
    return f->around.between && !f->around.at_first && !f->at.write && f->other.write &&
           f->at.line != f->other.line;
}

/* Both stand in a loop in an `if`: no barrier of the block can be in that loop. */
static void advise_loop_in_if(const simt_finding *f, wording *w)
{
    const simt_around *a = &f->around;
    const bool warp = f->cause == SIMT_CAUSE_NO_WARP_BARRIER;
    char where[LINE] = "at the end of the loop's body";
    if (is_within_round(f))
        snprintf(where, sizeof where, "between lines %u and %u, and at the loop's end",
                 f->other.line, f->at.line);
    words_advise(w,
                 "is each thread in the `if` of line %u to use its own elements? Then an index, or "
                 "the bound of the loop of line %u, is wrong. Else let all threads run that loop, "
                 "with the `if` in it and a __syncthreads() after that%s%s",
                 a->outer_if_line, a->loop_line,
                 warp ? "; or, if one warp alone takes it: put __syncwarp() " : "",
                 warp ? where : "");
}

/* A thread reads what one further left writes, as in a scan: in a tree sums go to the left. */
static bool reads_from_left(const simt_finding *f)
{
    const simt_site *reader = f->at.write ? &f->other : &f->at,
                    *writer = f->at.write ? &f->at : &f->other;
    return writer->write && !reader->write && words_thread(writer) < words_thread(reader);
}

/* One line that reads and then writes. */
static void advise_split(const simt_finding *f, wording *w)
{
    const bool scan = reads_from_left(f);
    unsigned line = f->at.line;
    if (f->around.if_line)
        words_advise(
            w,
            "split line %u: inside the `if` of line %u only read, into a variable; end the "
            "`if`; then a __syncthreads() that every thread reaches; then write, under the "
            "same condition%s",
            line, f->around.if_line,
            scan ? ""
                 : ". But in a step of a tree no element is both read and added to: there, look "
                   "at the index, and at which threads that `if` lets add");
    else
        words_advise(
            w,
            "split line %u: read into a variable, then a __syncthreads() that every thread "
            "reaches, then write%s",
            line,
            scan ? ""
                 : ". But in a step of a tree only some threads add: there, its `if` is "
                   "missing");
}

/* One thread writes what the others have only read. */
static const char *overwriting_text(const simt_finding *f)
{
    return f->around.overwritten ? "one thread overwrites what others may still have to read: "
                                 : "";
}

/* All threads of the block run one of the two, and yet no two warps were seen to race on the array:
   each warp has elements of its own. In a block of one warp that is not known. */
static bool is_of_warps(const simt_finding *f)
{
    return f->cause == SIMT_CAUSE_NO_WARP_BARRIER && f->around.for_all && !f->race.across;
}

/* The narrowest that orders the two. */
static const char *barrier_text(const simt_finding *f)
{
    return is_of_warps(f) ? "a __syncwarp() that all lanes reach"
                          : "a __syncthreads() that every thread reaches";
}

static const char *warp_alone_text(const simt_finding *f)
{
    if (is_of_warps(f))
        return f->race.one_warp ? "; or, if other warps use this element, too, a __syncthreads() "
                                  "that every thread reaches"
                                : "";
    return f->around.overwritten && !f->race.one_warp && f->cause == SIMT_CAUSE_NO_WARP_BARRIER
               ? "; __syncwarp() is enough if no other warp uses this element"
               : "";
}

/* One clears in global memory what the other has set, or is to set, by an atomic. */
static bool clears_a_flag(const simt_finding *f)
{
    return f->space == SIMT_SPACE_GLOBAL && f->at.write && f->other.write &&
           f->at.atomic != f->other.atomic;
}

/* First cleared, then set: the barrier may stand between, or the order be wrong. */
static void advise_clearing(const simt_finding *f, wording *w)
{
    words_advise(w,
                 "put a __syncthreads() that every thread reaches between line %u and line %u; or, "
                 "if line %u clears it for the next launch, clear it last: the block may count "
                 "itself as done only after line %u and a __syncthreads()",
                 f->at.line, f->other.line, f->at.atomic ? f->other.line : f->at.line,
                 f->at.atomic ? f->at.line : f->other.line);
}

static void advise_between(const simt_finding *f, wording *w)
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
                     "%u and line %u; else end the `if` after line %u, let every thread of the "
                     "block reach a __syncthreads(), and repeat the condition after it",
                     a->if_line, first, second, first);
    else
        words_advise(
            w, "%sput %s %s line %u %s line %u%s%s%s", overwriting_text(f), barrier_text(f),
            first < second ? "between" : "after", first, first < second ? "and" : "and before",
            second, outside_text(a->if_line ? a->if_line : own, outside),
            a->if_line ? ": end it in front of the barrier, and repeat its condition after it" : "",
            warp_alone_text(f));
}

static void advise_loop_end(const simt_finding *f, wording *w)
{
    const simt_around *a = &f->around;
    unsigned first = first_of(f)->line, second = second_of(f)->line,
             own = a->second_if_line != second ? a->second_if_line : 0;
    char outside[LINE], also[LINE] = "";
    const bool of_warps = is_of_warps(f);
    if (a->between && first == second && reads_from_left(f))
        snprintf(also, sizeof also,
                 ". If a thread reads what another writes in the same round, split line %u, too: "
                 "read into a variable, %s, write",
                 first, of_warps ? "__syncwarp()" : "__syncthreads()");
    else if (a->between && first != second)
        snprintf(also, sizeof also,
                 ". If a thread reads what another writes in the same round, put one between lines "
                 "%u and %u, too",
                 first, second);
    words_advise(w,
                 "put a %s at the end of the body of the loop of line %u%s: the next "
                 "round may begin only when all are done with this one%s%s",
                 of_warps ? "__syncwarp()" : "__syncthreads()", a->loop_line,
                 outside_text(a->if_line ? a->if_line : own, outside), also, warp_alone_text(f));
}

static void advise_within_round(const simt_finding *f, wording *w)
{
    const simt_around *a = &f->around;
    const unsigned own = a->second_if_line != f->at.line ? a->second_if_line : 0;
    char outside[LINE];
    words_advise(w,
                 "put %s between line %u and line %u%s. If the next round overwrites what is read "
                 "in this one, put one at the end of the body of the loop of line %u, too%s",
                 barrier_text(f), f->other.line, f->at.line,
                 outside_text(a->if_line ? a->if_line : own, outside), a->loop_line,
                 warp_alone_text(f));
}

/* Others have left: a barrier of the block asks for them, unless they stay. */
static void advise_leaving(const simt_finding *f, wording *w)
{
    const simt_around *a = &f->around;
    char where[LINE];
    if (a->back && a->loop_line && is_within_round(f))
        snprintf(where, sizeof where,
                 "between line %u and line %u, and one at the end of the body of the loop of line "
                 "%u",
                 f->other.line, f->at.line, a->loop_line);
    else if (a->back && a->loop_line)
        snprintf(where, sizeof where, "at the end of the body of the loop of line %u",
                 a->loop_line);
    else
        snprintf(where, sizeof where, "between line %u and line %u", first_of(f)->line,
                 second_of(f)->line);
    words_advise(w,
                 "threads of a warp are not in step: if one warp alone comes past the `if` of line "
                 "%u, put a __syncwarp() %s. If several do, let no thread leave at that `if`, and "
                 "put a __syncthreads() there that every thread reaches",
                 a->leaving_line, where);
}

/* Known threads of two warps, which no __syncwarp() orders. */
static bool is_of_two_warps(const simt_finding *f)
{
    return f->cause == SIMT_CAUSE_NO_BARRIER && f->others == SIMT_ONE_THREAD &&
           f->at.warp != f->other.warp;
}

/* No barrier of the block can stand in a function that a given header calls for some threads
   only. */
static void advise_called_by_some(const simt_finding *f, wording *w)
{
    char header[LINE];
    words_advise(
        w,
        "only some threads call this function, by the `if` of %s, so that no "
        "__syncthreads() can stand in it. Is each of them to use elements of its own? "
        "Then no barrier is missing, but one goes to another's element: look at the index, "
        "and at the loop's bound (< or <=)",
        words_header_line(&f->around, header));
}

/* Where a barrier can stand, from the text around the two accesses. False: that is not known. */
static bool advise_place(const simt_finding *f, wording *w)
{
    const simt_around *a = &f->around;
    const bool in_order = f->at.line < f->other.line;
    if (!a->known || !f->at.line || !f->other.line || !(a->between || a->back || a->apart))
        return false;
    if (a->header_line && findings_in_source(&f->at))
        advise_called_by_some(f, w);
    else if (a->uneven_line)
        words_advise(w,
                     "a barrier is missing, but threads leave the loop of line %u in different "
                     "rounds: let all go round equally often, with an `if` inside for those that "
                     "have nothing to do, and put a __syncthreads() outside of that `if`",
                     a->uneven_line);
    else if (f->cause == SIMT_CAUSE_NO_WARP_BARRIER && a->leaving_line &&
             (a->back || f->at.line != f->other.line))
        advise_leaving(f, w);
    else if (a->outer_if_line)
        advise_loop_in_if(f, w);
    else if (a->passed_line && is_of_two_warps(f) && a->warp_between)
        words_advise(w,
                     "by the condition of line %u, the way between the two may lead past the "
                     "barrier of line %u, over a __syncwarp(): that orders the threads of one warp "
                     "only, and these two are of different warps. Put a __syncthreads() that every "
                     "thread reaches there",
                     a->passing_line, a->passed_line);
    else if (a->passed_line)
        words_advise(w,
                     "the barrier of line %u is skipped at times, by the condition of line %u: let "
                     "every thread reach it each time",
                     a->passed_line, a->passing_line);
    else if (a->back && a->loop_line && is_within_round(f))
        advise_within_round(f, w);
    else if (a->back && a->loop_line)
        advise_loop_end(f, w);
    else if (a->apart)
        words_advise(w,
                     "different threads run lines %u and %u, at the same time: put a "
                     "__syncthreads() that every thread reaches between the two, outside of any "
                     "`if`: an `else` becomes an `if` of its own after it",
                     in_order ? f->at.line : f->other.line, in_order ? f->other.line : f->at.line);
    else if (f->at.line == f->other.line)
        advise_split(f, w);
    else if (clears_a_flag(f))
        advise_clearing(f, w);
    else if (is_of_two_warps(f) && a->warp_between)
        words_advise(w,
                     "the __syncwarp() between lines %u and %u orders the threads of one warp "
                     "only, and these two are of different warps: put a __syncthreads() that every "
                     "thread reaches in its place",
                     in_order ? f->at.line : f->other.line, in_order ? f->other.line : f->at.line);
    else if (a->own_values && a->between && !a->back)
        words_advise(w,
                     "lines %u and %u store two elements in one word: should each have a word of "
                     "its own? Then one of the two indices is wrong. If the second value is to "
                     "replace the first, put a __syncthreads() that every thread reaches between "
                     "the two",
                     in_order ? f->at.line : f->other.line, in_order ? f->other.line : f->at.line);
    else
        advise_between(f, w);
    return true;
}

/* Where no barrier helps, and nothing else stands in the way. False: it is not so. */
static bool advise_no_barrier(const simt_finding *f, wording *w)
{
    const simt_around *a = &f->around;
    const unsigned line = a->alike_line;
    if (!a->known)
        return false;
    if (a->by_flag)
        words_advise(w, "%s",
                     a->early    ? "the data is read before the flag that says that it is there: "
                                   "first read the flag, then a __threadfence(), then the data"
                     : a->fenced ? "one side waits for a flag of the other, and may still read old "
                                   "data: put a __threadfence() after the read of the "
                                   "flag, before reading the data"
                                 : "the flag overtakes its data: put a __threadfence() between "
                                   "writing the data and setting the flag");
    else if (a->update)
        words_advise(
            w, "several threads read this element and write it back in two steps: one's work is "
               "lost, and no barrier helps. If they share it (a sum, a count), use atomicAdd, "
               "which does both at once (atomicMax for a maximum). If one thread or one warp is to "
               "do it for all, put an `if` around it. Else give each an element of its own");
    else if (line)
        words_advise(w,
                     "every thread of the block runs line %u, and all store to the same element: "
                     "let one thread do it, `if (t == 0)`%s; or should the index differ, so that "
                     "each has an element of its own?",
                     line,
                     f->cause == SIMT_CAUSE_SAME_ELEMENT
                         ? ""
                         : ", the one that has what it needs (after a __syncthreads(), if that is "
                           "another's)");
    return a->by_flag || a->update || line;
}

/* One of the two stands in a header, which calls the function that the other is in: there the
   barrier is missing. False: it is not so. */
static bool advise_in_function(const simt_finding *f, wording *w)
{
    char line[LINE];
    const bool later = findings_in_source(&f->at);
    if (later == findings_in_source(&f->other) || !f->at.line || !f->other.line)
        return false;
    if (later && f->around.loop_line)
        words_advise(w,
                     "%s comes first, and then your function: put a __syncthreads() that every "
                     "thread reaches at the beginning of the body of the loop of line %u",
                     words_line(&f->other, line), f->around.loop_line);
    else if (later)
        words_advise(w,
                     "%s comes first, and then your function: put a __syncthreads() that every "
                     "thread reaches into it, in front of line %u",
                     words_line(&f->other, line), f->at.line);
    else
        words_advise(w,
                     "%s comes after your function: put a __syncthreads() that every thread "
                     "reaches at the end of it, after line %u",
                     words_line(&f->at, line), f->other.line);
    return true;
}

static void advise_barrier(const simt_finding *f, wording *w)
{
    if (f->space == SIMT_SPACE_GLOBAL && f->race.across) {
        words_advise(w,
                     "blocks race in these lines as well, and no barrier orders blocks: read from "
                     "one array and write to another, which the host swaps between two launches, "
                     "or let each block use elements of its own");
        return;
    }
    const simt_around *a = &f->around;
    const unsigned parting = !a->known ? 0 : a->if_line ? a->if_line : a->leaving_line;
    const char *between = f->other.line != f->at.line ? "the two lines"
                          : a->known && a->back && a->loop_line
                              ? "one round's accesses and the next's"
                              : "the two accesses";
    if (advise_no_barrier(f, w))
        return;
    if (f->race.mbarriers && f->cause == SIMT_CAUSE_NO_WARP_BARRIER && !f->race.across)
        words_advise(w,
                     "threads of a warp are not in step unless they meet: put a __syncwarp() that "
                     "all lanes reach between %s",
                     between);
    else if (f->race.mbarriers && f->space == SIMT_SPACE_SHARED)
        words_advise(w,
                     "put a __syncthreads() that every thread reaches between %s, or, where warps "
                     "do different work, let one arrive at an mbarrier after its access, and the "
                     "other wait for that phase before its own",
                     between);
    else if (f->cause == SIMT_CAUSE_NO_WARP_BARRIER && f->race.one_warp && parting && !a->apart)
        words_advise(
            w,
            "should each thread here use elements of its own? Then an index is wrong. Else end "
            "the `if` of line %u, which only some threads take, put a __syncthreads() "
            "that every thread reaches, and begin the `if` again; or, in the `if`, "
            "__syncwarp(mask) with a bit for each lane that takes it",
            parting);
    else if (!advise_place(f, w) && !advise_in_function(f, w))
        words_advise(w,
                     "threads of a block are not in step, not even those of a warp: put a "
                     "__syncthreads() that every thread reaches between %s",
                     between);
}

void words_no_barrier(const simt_finding *f, wording *w)
{
    words_race_in_block(f, w);
    advise_barrier(f, w);
}

void words_same_element(const simt_finding *f, wording *w)
{
    char line[LINE];
    words_race_in_block(f, w);
    if (advise_no_barrier(f, w))
        return;
    if (f->around.back && f->around.loop_line)
        words_advise(w,
                     "two threads write one element here. Should each have one of its own? Then "
                     "look at the index. If they do so in different rounds, put a __syncthreads() "
                     "that every thread reaches at the end of the body of the loop of line %u",
                     f->around.loop_line);
    else if (!findings_in_source(&f->at) && !findings_in_source(&f->other) && f->at.line)
        words_advise(w,
                     "%s stores this element for two threads, and either may come last. If a "
                     "function of yours makes its index, it gives both the same place: each index "
                     "is to have a place of its own",
                     words_line(&f->at, line));
    else if (f->around.indirect)
        words_advise(
            w,
            "two threads write one element here, and either may come last: does each thread's "
            "index name an element of its own? It is made of values that were read before: if one "
            "of those is wrong (a rank, a count, a sum), two threads may get the same place");
}

/* ---- races with copies ----------------------------------------------------------------------- */

static const char *way_text(const simt_finding *f) { return f->race.from_shared ? "from" : "into"; }

void words_copy_under_way(const simt_finding *f, wording *w)
{
    char where[PLACE], line[LINE];
    const unsigned me = words_thread(&f->at), issuer = words_thread(&f->other);
    words_say(w,
              "thread %u %s %s while the copy %s shared memory that %s%u issued at %s may still be "
              "under way: no wait for it comes before",
              me, words_does(&f->at), words_place_of(f, w->place, where), way_text(f),
              issuer == me ? "it, thread " : "thread ", issuer, words_line(&f->other, line));
    if (f->race.from_shared)
        words_advise(w, "before its source is written again, let the thread that issued it execute "
                        "cp.async.bulk.wait_group.read 0, and put a barrier after that");
    else if (f->race.bulk)
        words_advise(w, "wait for the phase of its mbarrier (mbarrier.try_wait in a loop) first; "
                        "before the bytes are overwritten, every thread that reads them must have "
                        "signalled that it is done");
}

void words_copy_not_awaited(const simt_finding *f, wording *w)
{
    words_say(w,
              "the block ends without a wait for the bulk copy %s shared memory that thread %u "
              "issued here: its shared memory may be another block's by then",
              way_text(f), words_thread(&f->at));
    if (f->race.from_shared)
        words_advise(
            w,
            "let the thread that issued it execute cp.async.bulk.wait_group.read 0 before it ends");
}

void words_proxy(const simt_finding *f, wording *w)
{
    char where[PLACE], line[LINE], others[LINE];
    words_say(
        w,
        "the bulk copy that thread %u issues %s %s, which %s wrote at %s with no fence.proxy.async "
        "since: bulk copies access memory through the async proxy, %s",
        words_thread(&f->at), f->at.write ? "overwrites" : "reads",
        words_place_of(f, w->place, where), others_text(f, others), words_line(&f->other, line),
        f->at.write ? "and the store may come after the copy"
                    : "to which barriers alone do not make stores visible");
    words_advise(w,
                 "between the stores and the copy, in each thread that stores: "
                 "fence.proxy.async%s; then a barrier; then one thread issues the copy",
                 f->space == SIMT_SPACE_SHARED ? ".shared::cta" : ".global");
}

void words_init_unfenced(const simt_finding *f, wording *w)
{
    char where[PLACE], line[LINE];
    words_say(w,
              "the bulk copy that thread %u issues counts its bytes at the mbarrier %s, which "
              "thread %u initialised at %s with no fence since: bulk copies access memory through "
              "the async proxy, and may find the word as it was before",
              words_thread(&f->at), words_place_of(f, w->place, where), words_thread(&f->other),
              words_line(&f->other, line));
}

/* ---- races between blocks -------------------------------------------------------------------- */

/* x++ and the like by two blocks: read and written in one line, without an atomic. */
static bool is_shared_update(const simt_finding *f)
{
    return f->at.line && f->at.line == f->other.line &&
           strncmp(f->at.file, f->other.file, sizeof f->at.file) == 0 && !f->at.atomic &&
           f->at.write != f->other.write;
}

/* Written by two blocks in one statement: no order would help. */
static bool is_same_element(const simt_finding *f)
{
    return f->cause != SIMT_CAUSE_BLOCK_ATOMIC && f->cause != SIMT_CAUSE_DEVICE_ATOMIC &&
           f->cause != SIMT_CAUSE_DEVICE_FENCE && f->cause != SIMT_CAUSE_TORN && f->at.line &&
           f->at.line == f->other.line &&
           strncmp(f->at.file, f->other.file, sizeof f->at.file) == 0 && f->at.write &&
           f->other.write && !f->at.atomic && !f->other.atomic;
}

/* Blocks share a word, and one of them accesses it by a cache operator. */
static bool is_cached_flag(const simt_finding *f)
{
    return f->race.cached && f->at.write != f->other.write &&
           (f->cause == SIMT_CAUSE_NO_FLAG || f->cause == SIMT_CAUSE_PLAIN_SIDE);
}

static bool clears_what_others_set(const simt_finding *f)
{
    return f->cause == SIMT_CAUSE_PLAIN_SIDE && f->at.write && f->other.write;
}

/* That orders the accesses of the two blocks, for each other. */
static const char *fence_text(const simt_finding *f)
{
    return f->race.apart ? "__threadfence_system()" : "__threadfence()";
}

/* What the row's remedy gives way to. */
static void advise_blocks(const simt_finding *f, wording *w)
{
    if (f->race.stale_line)
        words_advise(
            w,
            "look at line %u first: the flag that it sets had this value already before the "
            "launch, "
            "so another block may have gone on too early. Clear the flags of the earlier launch "
            "before each launch, or let each launch set another value",
            f->race.stale_line);
    else if (f->race.handed && f->cause != SIMT_CAUSE_BLOCK_ATOMIC && f->cause != SIMT_CAUSE_TORN)
        words_advise(w,
                     "this block has read a flag that the other one has set since, but neither a "
                     "flag nor a barrier publishes data to other blocks: put a %s after the "
                     "accesses, before the flag is set (and before the barrier, if there is one "
                     "between), and one after the loop that waits for the flag",
                     fence_text(f));
    else if (is_cached_flag(f))
        words_advise(w,
                     "__ldcg, __ldcv, __stcg and their kin only choose a cache: for other blocks "
                     "they are plain accesses, and order nothing. If this is a flag, or a word "
                     "that holds a value and its status, read and write it through a volatile "
                     "pointer or atomics, on both sides. If it is data, set a flag after it, with "
                     "a %s between; the reader needs one after the flag, too",
                     fence_text(f));
    else if (is_shared_update(f) && f->cause != SIMT_CAUSE_BLOCK_ATOMIC)
        words_advise(
            w,
            "the line reads and writes one element, in two steps, and two blocks do it to the "
            "same. If they share it (a ticket, a sum), use atomicAdd, which does both at once and "
            "returns the old value: else two blocks get the same. If not, look at the index");
    else if (f->cause == SIMT_CAUSE_PLAIN_SIDE && f->race.update_line == f->at.line)
        words_advise(w, "one side is volatile or atomic, the other is not: read and write what "
                        "blocks share through a volatile pointer or atomics, on both sides. If the "
                        "line takes a ticket, a number of its own for each block, take it by one "
                        "atomicAdd: else two blocks get the same ticket");
    else if (f->race.update_line)
        words_advise(
            w,
            "look at line %u first: there a word is read and written in two steps, and two blocks "
            "do so to the same one. If that is how a block takes its ticket, take it by one "
            "atomicAdd: else two blocks get the same ticket, and work on the same tile",
            f->race.update_line);
    else if (f->around.early)
        words_advise_early(w);
    else if (clears_what_others_set(f))
        words_advise(w,
                     "one side stores plainly what the other sets by an atomic or a volatile "
                     "store. If it clears it, do that before the launch. If the last block clears "
                     "it for the next launch: let each block count itself as done after its last "
                     "access: first a __syncthreads(), then one thread, with a __threadfence() and "
                     "an atomicAdd");
    else if (is_same_element(f) && f->around.indirect)
        words_advise(
            w, "two blocks write one element here, and either may come last. Its index is made of "
               "values that were read before: if one of those is wrong (a rank, a count, a sum of "
               "what lies before), two blocks may get the same place");
    else if (is_same_element(f))
        words_advise(w, "two blocks write one element here, and either may come last: does each "
                        "block's index name elements of its own? If one value is meant, let one "
                        "block write it; if both have something to add, use atomicAdd");
    else if (f->cause == SIMT_CAUSE_BLOCKS_APART && f->race.also[0])
        words_advise(w,
                     "%s and %s are one array in this launch, and one block overwrites there what "
                     "another still has to read: give it two arrays, such as the two halves of an "
                     "allocation in turn, or leave one side to another launch",
                     f->race.array, f->race.also);
    else if (f->cause == SIMT_CAUSE_BLOCKS_APART && f->race.front[0] && f->race.array[0])
        words_advise(w,
                     "%s lies in front of %s in one allocation, and a block may go past its end: "
                     "is the launch given too many elements, such as n and not how many are left, "
                     "or has %s too little room? Else let each block write memory of its own, or "
                     "leave one side to another launch",
                     f->race.front, f->race.array, f->race.front);
    else if (f->race.apart && f->cause == SIMT_CAUSE_READ_NOT_AWAITED)
        words_advise(w,
                     "the other block has read before this was written: let it wait for a flag "
                     "that is set after the data, with a __threadfence_system() between, and for "
                     "the value that this launch sets: one of an earlier launch says nothing of "
                     "this one");
    else if (f->race.apart && f->cause == SIMT_CAUSE_NO_FLAG)
        words_advise(w, "nothing shows that the other block has come this far: set a flag after "
                        "the data, with a __threadfence_system() between; the reader needs one "
                        "after the flag, too. Wait through a volatile pointer, and for the value "
                        "that this launch sets: one of an earlier launch says nothing of this one");
}

static bool is_in_block(const simt_finding *f)
{
    return !f->race.apart && f->at.block.x == f->other.block.x &&
           f->at.block.y == f->other.block.y && f->at.block.z == f->other.block.z;
}

void words_race_of_blocks(const simt_finding *f, wording *w)
{
    char where[PLACE], line[LINE], one[BLOCK], other[BLOCK], header[LINE + 8];
    advise_blocks(f, w);
    if (is_in_block(f))
        words_race_in_block(f, w);
    else
        words_say(w, "%s %s %s%s, which %s %s at %s: nothing orders the two",
                  words_block(&f->at, one), words_does(&f->at), words_place_of(f, w->place, where),
                  in_header(f, header), words_block(&f->other, other), did(&f->other),
                  words_line(&f->other, line));
}

/* " in line 66", where only the flag is in the .cu file; or "" */
static const char *flag_text(const simt_finding *f, char out[LINE])
{
    out[0] = '\0';
    if (f->around.flag_line)
        snprintf(out, LINE, " in line %u", f->around.flag_line);
    return out;
}

/* The other block has set a flag, but not after a fence that covers its access. */
static void advise_flag(const simt_finding *f, wording *w)
{
    char flag[LINE];
    const bool loads = f->at.write && !f->other.write;
    const unsigned setter = f->race.setter - 1, who = words_thread(&f->other);
    if (f->race.setter)
        words_advise(
            w,
            "thread %u sets the flag, but thread %u %s the data, and nothing orders the two: let "
            "the "
            "thread that %s the data then execute a %s and set the flag itself; or put a %s after "
            "the data, then a %s, and then set the flag",
            setter, who, loads ? "reads" : "writes", loads ? "reads" : "writes", fence_text(f),
            setter / LANES_OF_WARP == who / LANES_OF_WARP ? "__syncwarp()" : "__syncthreads()",
            fence_text(f));
    else
        words_advise(w, "the flag overtakes %s: %sput a %s between %s and setting the flag%s",
                     loads ? "the loads of what may be overwritten once it is set" : "its data",
                     f->cause == SIMT_CAUSE_NARROW_FENCE
                         ? "__threadfence_block() orders only within its block; "
                         : "",
                     fence_text(f), loads ? "the last of them" : "writing the data",
                     flag_text(f, flag));
}

void words_no_flag(const simt_finding *f, wording *w)
{
    if (f->race.setter)
        advise_flag(f, w);
    words_race_of_blocks(f, w);
}

/* With late stores: what a strong load has found, though no data race forbids it. */
static void say_old_value(const simt_finding *f, wording *w)
{
    char where[PLACE], line[LINE], one[BLOCK], other[BLOCK];
    const char *fence = is_in_block(f) ? "__threadfence_block()" : fence_text(f);
    words_say(w,
              "thread %u of %s got an old value of %s: thread %u of %s wrote a new one at %s, and "
              "then something that this thread has seen already",
              words_thread(&f->at), words_block(&f->at, one), words_place_of(f, w->place, where),
              words_thread(&f->other), words_block(&f->other, other), words_line(&f->other, line));
    if (f->cause == SIMT_CAUSE_DEVICE_FENCE)
        return;
    if (f->cause == SIMT_CAUSE_NO_READ_FENCE)
        words_advise(w,
                     "the flag has been seen, but the data read may still be old: put a %s after "
                     "the loop that "
                     "waits for the flag, before reading the data; volatile alone keeps no order",
                     fence);
    else if (f->cause == SIMT_CAUSE_NARROW_FENCE)
        words_advise(w,
                     "the flag overtakes its data: __threadfence_block() orders only within its "
                     "block; put a %s between writing the data and setting the flag",
                     fence_text(f));
    else
        words_advise(w,
                     "the flag overtakes its data: put a %s between writing the data and setting "
                     "the flag, and one after the wait for it; volatile alone keeps no order",
                     fence);
}

void words_device_fence(const simt_finding *f, wording *w)
{
    if (f->kind == SIMT_OLD_VALUE)
        say_old_value(f, w);
    else
        words_race_of_blocks(f, w);
}

void words_no_fence(const simt_finding *f, wording *w)
{
    if (f->kind == SIMT_OLD_VALUE) {
        say_old_value(f, w);
        return;
    }
    advise_flag(f, w);
    words_race_of_blocks(f, w);
}

void words_no_read_fence(const simt_finding *f, wording *w)
{
    char flag[LINE];
    if (f->kind == SIMT_OLD_VALUE) {
        say_old_value(f, w);
        return;
    }
    words_advise(
        w, "the flag has been seen, but the data %s: put a %s after %s%s, before %s the data%s",
        f->at.write ? "may be overwritten too early" : "read may still be old", fence_text(f),
        f->around.flag_line ? "the read of the flag"
                            : "the loop that waits for the flag, or the atomic that counts it",
        flag_text(f, flag), f->at.write ? "overwriting" : "reading",
        is_in_block(f) || f->race.apart ? ""
                                        : ". __threadfence_block() orders only within its block");
    words_race_of_blocks(f, w);
}

/* ---- read-only memory, launches and the host ------------------------------------------------- */

void words_read_only(const simt_finding *f, wording *w)
{
    char where[PLACE], line[LINE], one[BLOCK], other[BLOCK];
    words_place_of(f, w->place, where);
    words_line(&f->other, line);
    words_block(&f->at, one);
    words_block(&f->other, other);
    if (f->at.write)
        words_say(w,
                  "thread %u of %s writes %s, which thread %u of %s reads as read-only memory at "
                  "%s in this launch: the read may happen after the write, whatever stands between",
                  words_thread(&f->at), one, where, words_thread(&f->other), other, line);
    else
        words_say(w,
                  "thread %u of %s reads %s as read-only memory, but thread %u of %s wrote it at "
                  "%s in this launch: the read may still give the old value, whatever stands "
                  "between",
                  words_thread(&f->at), one, where, words_thread(&f->other), other, line);
}

void words_launches_apart(const simt_finding *f, wording *w)
{
    const bool frees = strncmp(f->function, "cudaFreeAsync", sizeof f->function) == 0;
    char where[PLACE], line[LINE];
    words_say(
        w,
        "%.*s %s %s, which %.*s %s%s%s: they are on different streams, and nothing orders the two",
        (int)sizeof f->function, f->function, frees ? "frees" : words_does(&f->at),
        words_place_of(f, w->place, where), (int)sizeof f->text, f->text, did(&f->other),
        f->other.line ? " at " : "", f->other.line ? words_line(&f->other, line) : "");
}

void words_source_changed(const simt_finding *f, wording *w)
{
    char where[PLACE];
    words_say(w,
              "%.*s copies page-locked memory to %s: the host has changed the memory since, and "
              "had not waited for the copy",
              (int)sizeof f->function, f->function, words_place_of(f, w->place, where));
}
