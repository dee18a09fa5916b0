/*
 * words_order.c: what is said about threads that do not meet, and about deadlocks. See words.h.
 */
#include "findings/findings.h"
#include "findings/words.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- parts of sentences ---------------------------------------------------------------------- */

/* gpu: as in simt_site */
static const char *block_text(const simt_dim *b, uint8_t gpu, char out[BLOCK])
{
    char of[16] = "";
    if (gpu)
        snprintf(of, sizeof of, " of GPU %u", gpu - 1u);
    if (b->y == 0 && b->z == 0)
        snprintf(out, BLOCK, "block %u%s", b->x, of);
    else
        snprintf(out, BLOCK, "block (%u,%u,%u)%s", b->x, b->y, b->z, of);
    return out;
}

/* for which a verb has another form */
static bool are_several(uint32_t lanes) { return lanes & (lanes - 1); }

/* "lanes 0-3,7" */
static const char *lanes_text(uint32_t mask, char out[LINE])
{
    int used = snprintf(out, LINE, are_several(mask) ? "lanes " : "lane ");
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

/* ---- meeting at barriers --------------------------------------------------------------------- */

/* What keeps some threads from a __syncthreads(), where the text around it shows that. */
static void advise_meeting(const simt_finding *f, wording *w)
{
    const simt_around *a = &f->around;
    char header[LINE];
    if (a->header_line && findings_in_source(&f->at))
        words_advise(w,
                     "only some threads call this function, by the `if` of %s: no __syncthreads() "
                     "can stand in it. Take it out; what all threads have to wait for, let them "
                     "wait for in a function that every thread of the block calls",
                     words_header_line(a, header));
    else if (a->header_line)
        words_advise(w,
                     "only some threads take the `if` of %s, and call the function in which this "
                     "__syncthreads() stands: let every thread of the block make that call, "
                     "outside of the `if`",
                     words_header_line(a, header));
    else if (a->if_line > f->at.line && f->at.line)
        words_advise(w,
                     "only some threads take the `if` of line %u, and call the function in which "
                     "this __syncthreads() stands: let every thread of the block make that call, "
                     "outside of the `if`; or, if the call is given so, take the barrier out: a "
                     "__threadfence() orders a thread's accesses and waits for nobody",
                     a->if_line);
    else if (a->if_line)
        words_advise(w,
                     "only some threads take the `if` of line %u: close it before the barrier (a "
                     "`return` in it: put an `if` around the work instead), and "
                     "repeat its condition after it, so that every thread of the block reaches the "
                     "same __syncthreads()",
                     a->if_line);
    else if (a->uneven_line)
        words_advise(w,
                     "threads leave the loop of line %u in different rounds: let all go round "
                     "equally often, with an `if` inside for those that have nothing to do, and "
                     "the __syncthreads() outside of that `if`",
                     a->uneven_line);
}

void words_part_of_warp(const simt_finding *f, wording *w)
{
    const simt_meeting_facts *m = &f->meeting;
    char there[LINE], line[LINE], at[LINE + 16] = "";
    if (f->has_other)
        snprintf(at, sizeof at, ": %s at %s", are_several(m->absent) ? "those are" : "it is",
                 words_line(&f->other, line));
    words_say(w,
              "only %d of the %d running lanes of warp %u reach this block barrier together; %s "
              "do%s not%s",
              __builtin_popcount(m->lanes), __builtin_popcount(m->live), f->at.warp,
              lanes_text(m->absent, there), are_several(m->absent) ? "" : "es", at);
    advise_meeting(f, w);
}

void words_lanes_left(const simt_finding *f, wording *w)
{
    const uint32_t absent = f->meeting.absent;
    char there[LINE];
    words_say(w,
              "%s of warp %u ha%s left the kernel, and this block barrier is met without %s: a GPU "
              "does not wait for threads that have ended, but the barrier is meant for whole warps",
              lanes_text(absent, there), f->at.warp, are_several(absent) ? "ve" : "s",
              are_several(absent) ? "them" : "it");
}

void words_other_barrier(const simt_finding *f, wording *w)
{
    char line[LINE];
    words_say(w,
              "warp %u waits at this __syncthreads() while warp %u waits at another one, at %s: "
              "they release each other, though they are at different places",
              f->at.warp, f->other.warp, words_line(&f->other, line));
    advise_meeting(f, w);
}

void words_other_operation(const simt_finding *f, wording *w)
{
    char line[LINE];
    words_say(w,
              "warp %u comes to barrier %u with another operation than warp %u, which waits there "
              "at %s",
              f->at.warp, f->meeting.barrier, f->other.warp, words_line(&f->other, line));
}

void words_other_count(const simt_finding *f, wording *w)
{
    const simt_meeting_facts *m = &f->meeting;
    char line[LINE];
    words_say(w, "warp %u comes to barrier %u for %u threads, but warp %u at %s for %u", f->at.warp,
              m->barrier, m->threads, f->other.warp, words_line(&f->other, line), m->other_threads);
}

/* ---- meeting at .sync instructions ----------------------------------------------------------- */

void words_masks_differ(const simt_finding *f, wording *w)
{
    const simt_meeting_facts *m = &f->meeting;
    char here[LINE], there[LINE];
    words_say(
        w,
        "%s of warp %u call%s with mask 0x%08x here, and %s, which that mask includes, with mask "
        "0x%08x: they do not meet",
        lanes_text(m->lanes, here), f->at.warp, are_several(m->lanes) ? "" : "s", m->members,
        lanes_text(m->absent, there), m->other_members);
}

void words_lanes_absent(const simt_finding *f, wording *w)
{
    const simt_meeting_facts *m = &f->meeting;
    char here[LINE], there[LINE], line[LINE], at[LINE + 16];
    const bool absent = are_several(m->absent);
    if (f->has_other && f->other.line && !f->around.parting_line)
        snprintf(at, sizeof at, "wait%s at %s", absent ? "" : "s", words_line(&f->other, line));
    else
        snprintf(at, sizeof at, absent ? "do not come" : "does not come");
    words_say(w, "%s of warp %u wait%s here for %s, which %s: none can go on",
              lanes_text(m->lanes, here), f->at.warp, are_several(m->lanes) ? "" : "s",
              lanes_text(m->absent, there), at);
    if (f->around.parting_line)
        words_advise(
            w,
            "%s take%s the other branch at the `if` of line %u: let all lanes of the mask "
            "make this call, before that `if`, or leave those that do not out of the mask. Or "
            "does that `if` take other lanes than those that the mask is made for?",
            there, absent ? "" : "s", f->around.parting_line);
}

/* ---- mbarriers ------------------------------------------------------------------------------- */

void words_mbarrier_overwritten(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "the mbarrier %s has been overwritten since mbarrier.init",
              words_place_of(f, w->place, what));
}

void words_mbarrier_none(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "the mbarrier %s was never initialised", words_place_of(f, w->place, what));
}

void words_mbarrier_bytes(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "the mbarrier %s counts more than 1048575 bytes of transactions in a phase",
              words_place_of(f, w->place, what));
}

void words_mbarrier_arrivals(const simt_finding *f, wording *w)
{
    const simt_mbarrier_facts *m = &f->mbarrier;
    char what[PLACE];
    words_place_of(f, w->place, what);
    if (m->arrivals)
        words_say(w,
                  "the mbarrier %s gets %u arrivals of thread %u where only %u of the phase's %u "
                  "are still to come",
                  what, m->arrivals, words_thread(&f->at), m->pending, m->expected);
    else
        words_say(w, "the mbarrier %s gets 0 arrivals of thread %u", what, words_thread(&f->at));
}

void words_mbarrier_count(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "the mbarrier %s is initialised with a count that is not 1 to 1048575",
              words_place_of(f, w->place, what));
}

void words_mbarrier_again(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "the mbarrier %s is initialised again while it is in use",
              words_place_of(f, w->place, what));
}

void words_mbarrier_parity(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "the mbarrier %s is asked for parity %u: a parity is 0 or 1",
              words_place_of(f, w->place, what), f->mbarrier.parity);
}

/* ---- deadlocks that are not about one word --------------------------------------------------- */

void words_dead_loop(const simt_finding *f, wording *w)
{
    words_say(
        w,
        "warp %u repeats this loop for ever: its state is the same each time round, and nothing "
        "that could still run will change it (%u of the block's warps spin, %u wait at a barrier)",
        f->at.warp, f->deadlock.spinning, f->deadlock.at_barrier);
    words_advise_loop(f, w);
}

void words_dead_endless(const simt_finding *f, wording *w)
{
    words_say(w, "the loop around line %u never ends%s", f->around.loop_line,
              f->deadlock.spinning ? "" : ", and other threads wait for those in it");
    words_advise_loop(f, w);
}

/* ---- waiting for a word ---------------------------------------------------------------------- */

/* "s_flag[3] (which holds 0)" */
static const char *word_text(const simt_finding *f, const char *place, char out[PLACE])
{
    const simt_deadlock_facts *d = &f->deadlock;
    char holds[40], what[112], array[LINE];
    if (d->mbarrier.known) {
        snprintf(out, PLACE,
                 "the mbarrier %.63s[%d], in phase %u, which lacks %u of %u arrivals and %d bytes "
                 "of transactions",
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

/* why: the word does not change */
static void say_waits(const simt_finding *f, wording *w, const char *why, ...)
    __attribute__((format(printf, 3, 4)));

static void say_waits(const simt_finding *f, wording *w, const char *why, ...)
{
    const unsigned at_barrier = f->deadlock.at_barrier;
    char word[PLACE], reason[PLACE], me[BLOCK], barriers[64] = "";
    va_list arguments;
    va_start(arguments, why);
    vsnprintf(reason, sizeof reason, why, arguments);
    va_end(arguments);
    if (at_barrier)
        snprintf(barriers, sizeof barriers, " (%u of its warps wait%s at a barrier)", at_barrier,
                 at_barrier == 1 ? "s" : "");
    words_say(w, "%s waits for ever for a change of %s; %s%s",
              block_text(&f->at.block, f->at.gpu, me), word_text(f, w->place, word), reason,
              barriers);
}

void words_dead_writer_not_started(const simt_finding *f, wording *w)
{
    const simt_deadlock_facts *d = &f->deadlock;
    char writer[BLOCK], places[80] = "the only place is taken by this one";
    if (d->waiting > 1)
        snprintf(places, sizeof places, "all %u places are taken by blocks that wait", d->waiting);
    say_waits(f, w, "%s would write it (line %u) but has not started: %s",
              block_text(&d->writer, d->writer_gpu, writer), d->writer_line, places);
}

/* What is taken by an atomic may be a lock. */
static void advise_locks(const simt_finding *f, wording *w)
{
    if (f->at.atomic)
        words_advise(w, "if these are locks, take them in one order everywhere, such as that of "
                        "their addresses; or take one, and let it go where the other is taken");
}

void words_dead_writer_in_block(const simt_finding *f, wording *w)
{
    say_waits(f, w,
              "warp %u of the block itself would write it (line %u) but cannot go on while this "
              "warp waits",
              f->deadlock.writer_warp, f->deadlock.writer_line);
    advise_locks(f, w);
}

void words_dead_writer_is_itself(const simt_finding *f, wording *w)
{
    say_waits(f, w, "the same warp would write it (line %u), but only after this wait",
              f->deadlock.writer_line);
}

void words_dead_circle(const simt_finding *f, wording *w)
{
    const simt_deadlock_facts *d = &f->deadlock;
    char writer[BLOCK], me[BLOCK];
    block_text(&d->writer, d->writer_gpu, writer);
    if (d->circle == 2)
        say_waits(f, w, "%s would write it (line %u) but waits for %s in turn", writer,
                  d->writer_line, block_text(&f->at.block, f->at.gpu, me));
    else
        say_waits(f, w,
                  "%s would write it (line %u) but waits itself, in a circle of %u blocks that "
                  "wait for each other",
                  writer, d->writer_line, d->circle);
    advise_locks(f, w);
}

void words_dead_writer_waits(const simt_finding *f, wording *w)
{
    char writer[BLOCK];
    say_waits(f, w, "%s would write it (line %u) but waits for ever itself",
              block_text(&f->deadlock.writer, f->deadlock.writer_gpu, writer),
              f->deadlock.writer_line);
}

void words_dead_unseen(const simt_finding *f, wording *w)
{
    say_waits(f, w,
              "stores of other blocks need never become visible here: the kernel has no fence and "
              "no volatile or atomic access to global memory");
}

void words_dead_no_writer(const simt_finding *f, wording *w)
{
    char writer[BLOCK];
    if (!f->deadlock.is_set) {
        say_waits(f, w,
                  f->space == SIMT_SPACE_SHARED
                      ? "no thread of the block would write it"
                      : "no block would write it, even with room for all of them");
        return;
    }
    say_waits(f, w,
              "%s has stored there in this launch, and no block would do so again, even with room "
              "for all of them",
              block_text(&f->deadlock.writer, f->deadlock.writer_gpu, writer));
    if (f->at.atomic && f->value) {
        words_advise(w, "if it is a lock, who took it has not given it back: look for a way out "
                        "that does not unlock, such as a `return` or a `break` between the two. "
                        "Else, does the condition hold for the value that was stored?");
        return;
    }
    words_advise(
        w, "does the condition hold for the value that was stored? A sum may well be 0: "
           "wait for a status beside it. Or is another store missing, such as a prefix after a "
           "sum, or a block's share of a count?");
}

void words_dead_host(const simt_finding *f, wording *w)
{
    say_waits(f, w,
              f->deadlock.asked
                  ? "it is memory of the host, no block would write it, and no thread of the host "
                    "has done so in the time that it was given"
                  : "it is memory of the host, no block would write it, and no thread of the host "
                    "can: each waits for this kernel");
}

void words_dead_no_change(const simt_finding *f, wording *w)
{
    const simt_mbarrier_facts *m = &f->deadlock.mbarrier;
    say_waits(f, w, "nothing that could still run will change it");
    if (m->known && m->pending == 0 && m->bytes > 0)
        words_advise(w,
                     "all have arrived, but more bytes are expected than copies bring: is the "
                     "number of bytes "
                     "expected that of the copy, also for a part that is shorter than the others?");
    else if (m->known)
        words_advise(w, "who arrives there in this phase? mbarrier.init's number is how many "
                        "arrivals complete a phase (bytes of copies count apart): compare it with "
                        "the threads that arrive, and look at what the others wait for");
}
