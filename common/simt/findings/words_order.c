/*
 * words_order.c: what is said about threads that do not meet, and about deadlocks. See words.h.
 */
#include "findings/words.h"

#include <stdio.h>
#include <string.h>

/* ---- parts of sentences ---------------------------------------------------------------------- */

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

/* ---- meeting: barriers, .sync instructions, mbarriers ---------------------------------------- */

/* What keeps some threads from a __syncthreads(). */
static void advise_meeting(const simt_finding *f, wording *w)
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

static bool say_barrier(const simt_finding *f, wording *w)
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

static bool say_sync(const simt_finding *f, wording *w)
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

static bool say_mbarrier(const simt_finding *f, const char *place, wording *w)
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
    char holds[40], what[112], array[LINE];
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
        snprintf(what, sizeof what, "element %lld of %s", (long long)f->index,
                 simt_array_words(d->array, d->parameter, array, sizeof array));
    else
        snprintf(what, sizeof what, "element %lld of an allocation", (long long)f->index);
    snprintf(holds, sizeof holds, f->access_bytes == 8 && f->value >> 40 ? "0x%llx" : "%llu",
             (number)f->value);
    snprintf(out, PLACE, "%s (which holds %s)", what, holds);
    return out;
}

/* Why the word does not change; and what to do. */
static bool why_text(const simt_finding *f, char out[PLACE], wording *w)
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
        if (d->is_set) {
            snprintf(out, PLACE,
                     "%s has stored there in this launch, and no block would do so again, even "
                     "with room for all of them",
                     writer);
            words_advise(w,
                         "does the condition see that the value has come? A sum may well be 0: ask "
                         "for a status beside it. Or is another store missing, such as a prefix "
                         "after a sum, or a block's share of a count?");
            return true;
        }
        snprintf(out, PLACE, "no block would write it, even with room for all of them");
        words_advise(w, "is the store there, and is its index right? Is that of the wait: does a "
                        "look-back go on in front of tile 0? A warp cannot wait for what it should "
                        "write itself, nor a lane for a lane of its own warp");
        return true;
    case SIMT_CAUSE_DEAD_NO_CHANGE:
        snprintf(out, PLACE, "nothing that could still run will change it");
        if (d->mbarrier.known && d->mbarrier.pending == 0 && d->mbarrier.bytes > 0)
            words_advise(w, "all have arrived, and more bytes are expected than copies bring: are "
                            "the bytes that are expected those of the copy, also of a part that is "
                            "shorter than the others?");
        else if (d->mbarrier.known)
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

static bool say_deadlock(const simt_finding *f, const char *place, wording *w)
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

void words_of_order(const simt_finding *f, wording *w)
{
    (void)(say_barrier(f, w) || say_sync(f, w) || say_mbarrier(f, w->place, w) ||
           say_deadlock(f, w->place, w));
}
