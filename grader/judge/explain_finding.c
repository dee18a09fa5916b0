/*
 * explain_finding.c: what the engine saw, in the student's terms: the part's buffers have names,
 * and a deadlock is shown block by block. See explain_parts.h.
 */
#include <limits.h>
#include <string.h>

#include "buffer_element.h"
#include "explain_parts.h"

/* ---- which finding --------------------------------------------------------------------------- */

/* Of a value without a meaning that was copied back: it names no kernel. */
static bool is_copied(const simt_finding *finding)
{
    return finding->at.kernel[0] == '\0' &&
           verdict_of_finding(finding->kind) == VERDICT_UNINITIALIZED;
}

const simt_finding *explain_copied(const channel_done *done)
{
    for (unsigned f = 0; f < done->findings; f++)
        if (is_copied(&done->finding[f]))
            return &done->finding[f];
    return NULL;
}

/* A variable that its own thread never set: no other finding can have caused that, and a wild index
   causes many. */
static bool is_variable(const simt_finding *finding)
{
    return finding->kind == SIMT_UNINITIALIZED && finding->origin.known &&
           finding->origin.place.space == SIMT_SPACE_NONE;
}

bool explain_is_own(const simt_finding *finding)
{
    return is_variable(finding) || (finding->kind == SIMT_UNINITIALIZED && finding->origin.known &&
                                    finding->origin.place.space == SIMT_SPACE_LOCAL);
}

/* Warps that have met at different barriers are out of step from then on, and race: those barriers
   are reported, where they were met before. */
static const simt_finding *cause_of_race(const channel_done *done, const simt_finding *found)
{
    if (found->kind == SIMT_RACE && found->space == SIMT_SPACE_SHARED)
        for (const simt_finding *f = done->finding; f < found; f++)
            if (f->kind == SIMT_BARRIER_DIVERGENCE && f->cause == SIMT_CAUSE_OTHER_BARRIER)
                return f;
    return found;
}

const simt_finding *explain_weightiest(const channel_done *done)
{
    const simt_finding *found = NULL;
    int most = 0;

    for (unsigned f = 0; f < done->findings; f++) {
        const int weight = is_variable(&done->finding[f])
                               ? INT_MAX
                               : verdict_about(verdict_of_finding(done->finding[f].kind))->finding;
        if (weight > most && !is_copied(&done->finding[f])) {
            most = weight;
            found = &done->finding[f];
        }
    }
    return found ? cause_of_race(done, found) : NULL;
}

/* ---- its words ------------------------------------------------------------------------------- */

/* Past the end of what the entry has allocated: now, or for a smaller n. */
static bool is_of_own_array(const simt_finding *finding)
{
    return finding->kind == SIMT_OUT_OF_BOUNDS && finding->space == SIMT_SPACE_GLOBAL &&
           finding->allocation_bytes > 0 && !finding->variable[0] && finding->index >= 0;
}

/* An access near a buffer of the part but not in it. */
static bool tell_beside_buffer(const explain_context *context, const channel_done *done,
                               const simt_finding *finding, case_result *result)
{
    char text[ELEMENT_TEXT];
    simt_words words;
    element e;

    if ((finding->kind != SIMT_OUT_OF_BOUNDS && finding->kind != SIMT_USE_AFTER_FREE) ||
        !element_find(context->part, done, result->n, finding->address, CHANNEL_APART, &e) ||
        element_is_inside(&e))
        return false;
    element_tell_outside(&e, finding->at.write, text);
    TELL(result->what, "%s", text);
    simt_finding_words(finding, NULL, &words);
    if (e.length == 1 && e.index == (int64_t)finding->at.block.x)
        TELL(result->advice,
             "%.60s is for a launch of one block, and block %u of this one goes there, too: does a "
             "loop of launches end too early, where one block does not suffice yet?",
             e.buffer->name, finding->at.block.x);
    else if (e.buffer->owner == LAB_BY_BLOCK && finding->at.write &&
             e.length > finding->at.block.x && e.index != (int64_t)finding->at.block.x)
        TELL(result->advice,
             "%.60s has one element for each block, and block %u writes element %lld: should it be "
             "%.60s[blockIdx.x]?",
             e.buffer->name, finding->at.block.x, (long long)e.index, e.buffer->name);
    else if (e.index < 0 && finding->bounds.counts_from[0])
        TELL(result->advice, "%s", words.advice);
    else if (e.index < 0)
        TELL(result->advice,
             "the index is below 0: test it before the access, as in i > 0 ? %.60s[i - 1] : 0",
             e.buffer->name);
    else if (finding->around.guard_line)
        TELL(result->advice,
             "the condition of line %u lets index %lld through: it must compare the very index "
             "that is used, i + c < n for %.60s[i + c]. If it is a place that is counted or "
             "scanned, a guard would hide a wrong count: look at what is counted, also in the last "
             "tile",
             finding->around.guard_line, (long long)e.index, e.buffer->name);
    else if (finding->around.loop_line && finding->around.if_line)
        TELL(result->advice,
             "does the loop of line %u go a round too far (<= for <, or a bound that is twice as "
             "high)? If it does not, a guard must test the very index that is used, %lld here: if "
             "(i < n) for %.60s[i]",
             finding->around.loop_line, (long long)e.index, e.buffer->name);
    else
        TELL(
            result->advice,
            "a guard must test the very index that is used, %lld here, before the load or store: "
            "if (i < n) for %.60s[i], i + c < n for %.60s[i + c]. If it is a place that is counted "
            "or scanned, a guard there would hide a wrong count: look at what is counted, also in "
            "the last tile",
            (long long)e.index, e.buffer->name, e.buffer->name);
    return true;
}

/* Is it about an element of a buffer of the part, which the engine knows as an allocation only? */
static bool is_on_buffer(const explain_context *context, const channel_done *done,
                         const simt_finding *finding, size_t n, char place[ELEMENT_NAME])
{
    const verdict v = verdict_of_finding(finding->kind);
    element e;

    if ((finding->kind != SIMT_RACE && finding->kind != SIMT_DEADLOCK &&
         finding->kind != SIMT_INPUT_WRITTEN && v != VERDICT_UNINITIALIZED) ||
        !element_find(context->part, done, n, finding->address, 0, &e))
        return false;
    element_name(&e, place);
    return true;
}

static void site_to_where(const simt_site *site, result_where *where)
{
    snprintf(where->file, sizeof where->file, "%s", site->file);
    where->line = site->line;
    where->has_block = where->has_thread = true;
    where->block = site->block.x;
    where->warp = site->warp;
    where->lane = site->lane;
}

/* ---- who waits for whom ---------------------------------------------------------------------- */

static const char *state_text(simt_block_state state)
{
    switch (state) {
    case SIMT_BLOCK_WAITING: return "but has not started";
    case SIMT_BLOCK_RUNNING: return "and is running";
    case SIMT_BLOCK_SPINNING: return "but is waiting too";
    case SIMT_BLOCK_DONE: return "but has ended";
    }
    return "";
}

static void name_target(const explain_context *context, const channel_done *done,
                        const simt_wait *wait, size_t n, char target[ELEMENT_NAME])
{
    element e;
    char array[64];

    if (wait->at_barrier)
        snprintf(target, ELEMENT_NAME, "a barrier");
    else if (wait->variable[0] && wait->index >= 0)
        snprintf(target, ELEMENT_NAME, "%s[%lld]", wait->variable, (long long)wait->index);
    else if (wait->variable[0])
        snprintf(target, ELEMENT_NAME, "%s", wait->variable);
    else if (element_find(context->part, done, n, wait->address, 0, &e))
        element_name(&e, target);
    else if (wait->index >= 0 && wait->parameter)
        snprintf(target, ELEMENT_NAME, "element %lld of %s", (long long)wait->index,
                 simt_array_words(wait->array, wait->parameter, array, sizeof array));
    else if (wait->index >= 0)
        snprintf(target, ELEMENT_NAME, "element %lld of an allocation", (long long)wait->index);
    else
        snprintf(target, ELEMENT_NAME, "address 0x%llx", (unsigned long long)wait->address);
}

/* Do other warps of its block wait for something else? */
static bool is_one_of_several(const channel_done *done, const simt_wait *wait)
{
    for (unsigned w = 0; w < done->waits; w++)
        if (&done->wait[w] != wait && done->wait[w].at.block.x == wait->at.block.x)
            return true;
    return false;
}

/* "block 63 waits at streaming_scan.cu:41 for sum[62]; block 62 would write it, and has not
   started" */
static void tell_wait(const explain_context *context, const channel_done *done,
                      const simt_wait *wait, size_t n, result_wait *to)
{
    char writer[120] = "", target[ELEMENT_NAME], warp[32] = "", own[16] = "", of[16] = "";

    site_to_where(&wait->at, &to->where);
    name_target(context, done, wait, n, target);
    if (wait->at.gpu)
        snprintf(own, sizeof own, " of GPU %u", wait->at.gpu - 1u);
    if (wait->writer_at.gpu)
        snprintf(of, sizeof of, " of GPU %u", wait->writer_at.gpu - 1u);
    TELL(to->target, "%s", target);
    to->writer_known = wait->writer_known;
    to->writer = wait->writer;
    to->writer_state = wait->writer_state;
    if (wait->at_barrier)
        TELL(writer, " that its other warps never reach");
    else if (wait->writer_known && wait->writer == wait->at.block.x &&
             wait->writer_at.gpu == wait->at.gpu)
        TELL(writer, "; it would write that itself, further on");
    else if (wait->writer_known)
        TELL(writer, "; block %llu%s would write it, %s", (unsigned long long)wait->writer, of,
             state_text(wait->writer_state));
    else
        TELL(writer, "; no %s that would write it was found",
             wait->shared ? "thread of the block" : "block");
    if (is_one_of_several(done, wait))
        snprintf(warp, sizeof warp, "warp %u of ", wait->at.warp);
    TELL(to->text, "%sblock %u%s waits at %.80s:%u for %s%s", warp, wait->at.block.x, own,
         wait->at.file, wait->at.line, target, writer);
}

/* First those at the end of a chain: they wait for a block that has not started. */
static void tell_waits(const explain_context *context, const channel_done *done,
                       case_result *result)
{
    for (int last = 1; last >= 0; last--)
        for (unsigned w = 0; w < done->waits && result->wait_count < RESULT_WAITS; w++) {
            const simt_wait *wait = &done->wait[w];
            if ((wait->writer_known && wait->writer_state == SIMT_BLOCK_WAITING) == (last == 1))
                tell_wait(context, done, wait, result->n, &result->waits[result->wait_count++]);
        }
    result->waits_left_out = done->waits_dropped + done->waits - result->wait_count;
}

/* ---- which line ------------------------------------------------------------------------------ */

static bool is_students(const explain_context *context, const simt_site *site)
{
    return strcmp(site->file, context->l->file) == 0;
}

/* A race of the student's function with what a given header does after it. */
static bool is_seen_from_header(const explain_context *context, const simt_finding *finding)
{
    return finding->kind == SIMT_RACE && finding->has_other &&
           !is_students(context, &finding->at) && is_students(context, &finding->other);
}

/* A race within a given header, for want of a fence beside the student's flag. */
static void show_flag(const explain_context *context, const simt_finding *finding,
                      result_where *where)
{
    if (!finding->around.flag_line || finding->kind != SIMT_RACE)
        return;
    if (finding->cause != SIMT_CAUSE_NO_READ_FENCE)
        site_to_where(&finding->other, where);
    snprintf(where->file, sizeof where->file, "%s", context->l->file);
    where->line = finding->around.flag_line;
}

/* How many barriers the part may have; of a step that says nothing of them, the part that tries the
   same functions. Null: no gate says so. */
static const lab_gate *barriers_allowed(const explain_context *context)
{
    const lab_gate *found = NULL;

    for (const lab_part *p = context->l->parts; p->entry && !found; p++)
        if (p == context->part || (context->part->step && p->todos == context->part->todos))
            found = lab_gate_on(p, LAB_BARRIERS, LAB_AT_MOST);
    return found;
}

/* Is the part, or of a step another one with its TODOs, to do without atomics? */
static bool forbids_atomics(const explain_context *context, size_t n)
{
    for (const lab_part *p = context->l->parts; p->entry; p++) {
        const lab_gate *gate = lab_gate_on(p, LAB_ATOMICS, LAB_AT_MOST);
        if ((p == context->part || (context->part->step && p->todos == context->part->todos)) &&
            gate && gate->limit(n) == 0)
            return true;
    }
    return false;
}

/* Where an element is read and written back in two steps. */
static void tell_no_atomic(const explain_context *context, const simt_finding *finding,
                           case_result *result)
{
    if (finding->kind != SIMT_RACE || finding->space != SIMT_SPACE_SHARED ||
        !strstr(result->advice, "use atomicAdd") || !forbids_atomics(context, result->n))
        return;
    TELL(result->advice,
         "a thread reads this element and writes it back, while others read or write it: no "
         "barrier parts these. This part needs no atomic: is each thread to add to a variable of "
         "its own (sum += ..., not s[...] += ...), or to an element of its own? If one thread or "
         "one warp is to do it for all, put an `if` around it");
}

/* One more barrier in a round that has one may be one too many: there may be another way. */
static void tell_barriers(const explain_context *context, const simt_finding *finding,
                          case_result *result)
{
    const simt_around *a = &finding->around;
    const size_t used = strlen(result->advice);
    char text[sizeof result->advice];

    if (finding->kind != SIMT_RACE || !a->back || a->between || !a->loop_line)
        return;
    const lab_gate *gate = barriers_allowed(context);
    if (!gate)
        return;
    TELL(text, ". The gate on barriers allows %s. %s", gate->formula, gate->advice);
    if (strlen(text) < sizeof result->advice - used) /* half a sentence says less than none */
        memcpy(result->advice + used, text, strlen(text) + 1);
}

/* The finding as it would be with a warp for each group of lanes that plays one. */
static const simt_finding *as_played(const explain_context *context, const simt_finding *finding,
                                     simt_finding *played)
{
    if (!context->part->lanes_play_warps || finding->kind != SIMT_RACE || !finding->race.one_warp)
        return finding;
    *played = *finding;
    played->race.across = true;
    return played;
}

/* ---- all of it ------------------------------------------------------------------------------- */

void explain_finding(const explain_context *context, const channel_done *done,
                     const simt_finding *found, case_result *result)
{
    simt_finding played;
    const simt_finding *const finding = as_played(context, found, &played);
    char place[ELEMENT_NAME];
    simt_words words;

    result->verdict = verdict_of_finding(finding->kind);
    /* no compiler makes those: they stand in an asm statement */
    if (finding->cause == SIMT_CAUSE_OPERANDS)
        result->verdict = VERDICT_CUDA_ERROR;
    result->wrapped =
        finding->kind == SIMT_OUT_OF_BOUNDS && (finding->bounds.wrapped || finding->bounds.below);
    result->misaligned = finding->kind == SIMT_MISALIGNED;
    result->nowhere = finding->cause == SIMT_CAUSE_NO_DEVICE_ADDRESS && !result->wrapped;
    site_to_where(is_copied(finding) || is_seen_from_header(context, finding) ? &finding->other
                                                                              : &finding->at,
                  &result->where);
    show_flag(context, finding, &result->where);
    result->where.launched_from =
        is_copied(finding) ? finding->origin.launched_from : finding->launched_from;
    result->where.copy = finding->cause == SIMT_CAUSE_SOURCE_CHANGED;
    if (result->where.copy || finding->cause == SIMT_CAUSE_LAUNCHES_APART) /* of no thread */
        result->where.has_block = result->where.has_thread = false;
    if (finding->has_other && strcmp(finding->other.file, result->where.file) == 0)
        result->where.other_line = finding->other.line;
    /* what an endless loop reads is not what it waits for */
    if (finding->kind == SIMT_DEADLOCK && finding->cause != SIMT_CAUSE_DEAD_ENDLESS)
        tell_waits(context, done, result);
    if (tell_beside_buffer(context, done, finding, result))
        return;
    simt_finding_words(
        finding, is_on_buffer(context, done, finding, result->n, place) ? place : NULL, &words);
    TELL(result->what, "%.64s: %.440s", simt_finding_name(finding->kind), words.message);
    TELL(result->advice, "%s", words.advice);
    tell_no_atomic(context, finding, result);
    tell_barriers(context, finding, result);
    result->advises_on_left = finding->race.stale_line || is_of_own_array(finding);
    if (result->verdict == VERDICT_INFRA)
        TELL(result->advice, "if it stands in an asm statement of yours, look at how it is "
                             "spelled; else this is a gap "
                             "in the kit, not in your code: please report it with the line");
}

/* Each kind once, whatever the number of its places. */
void explain_remarks(const channel_done *done, case_result *result)
{
    bool reported[SIMT_FINDING_KINDS] = { [SIMT_NO_FINDING] = true };
    simt_words words;

    for (unsigned f = 0; f < done->findings; f++) {
        const simt_finding *remark = &done->finding[f];
        size_t used = strlen(result->note);
        if (reported[remark->kind] || verdict_of_finding(remark->kind) != VERDICT_PASS)
            continue;
        /* to prove a deadlock the engine runs lanes alone that would have stayed together */
        if (remark->kind == SIMT_NEEDS_SM70 && result->verdict == VERDICT_DEADLOCK)
            continue;
        if (remark->kind == SIMT_NEEDS_SM90) /* or 80: not why it failed */
            continue;
        reported[remark->kind] = true;
        simt_finding_words(remark, NULL, &words);
        if (remark->kind == SIMT_OLD_VALUE)
            result->old_value = remark->cause;
        snprintf(result->note + used, sizeof result->note - used, "%s%s", used ? "; " : "",
                 words.message);
    }
}
