/*
 * explain_test.c: what a student reads of findings that the engine reported: names of buffers,
 * chains of waiting blocks, notes.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "explain.h"
#include "file.h"
#include "grade.h"
#include "path.h"
#include "results_json.h"

enum { N = 100 };

static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_I64, .role = LAB_OUT },
};
static const lab_parts parts = { { .entry = "chain_scan", .points = 10, .buffers = in_out } };

static const lab made_up = {
    .id = "94_chain",
    .title = "chain",
    .file = "chain.cu",
    .tile = 8,
    .threads = 8,
    .per_thread = 1,
    .parts = parts,
};

static session_outcome *outcome_with(simt_finding_kind kind, simt_addr address)
{
    session_outcome *o = calloc(1, sizeof *o);
    if (!o)
        abort();
    o->ending = SESSION_DONE;
    o->done.copied = 1;
    o->done.address[0] = 0x10000;
    o->done.address[1] = 0x20000;
    o->done.findings = 1;
    o->done.finding[0] =
        (simt_finding){ .kind = kind,
                        .address = address,
                        .index = -1,
                        .cause = SIMT_CAUSE_UNSUPPORTED,
                        .text = "what happened",
                        .at = { .file = "chain.cu", .line = 41, .block = { 3, 0, 0 } } };
    return o;
}

static case_result explained(session_outcome *o)
{
    const explain_context context = { &made_up, &made_up.parts[0], "",      "",
                                      10,       1 << 20,           1 << 20, false };
    case_result result;
    memset(&result, 0, sizeof result);
    result.n = N;
    explain_case(&context, o, NULL, &result);
    free(o);
    return result;
}

static simt_wait wait_of(unsigned block, simt_addr address, uint64_t writer, simt_block_state state)
{
    return (simt_wait){ .at = { .file = "chain.cu", .line = 41, .block = { block, 0, 0 } },
                        .address = address,
                        .index = -1,
                        .writer_known = true,
                        .writer = writer,
                        .writer_state = state };
}

TEST(damaged_heap_is_told_as_a_wrong_size)
{
    session_outcome *o = calloc(1, sizeof *o);

    if (!o)
        abort();
    o->ending = SESSION_SIGNALED;
    o->signal = SIGABRT;
    snprintf(o->printed, sizeof o->printed, "malloc(): corrupted top size\n");
    case_result r = explained(o);
    CHECK(r.verdict == VERDICT_CRASH &&
              strstr(r.cause, "beyond the end of an array from malloc()") != NULL,
          "%s", r.cause);
    CHECK(strstr(r.advice, "n * sizeof(float)") != NULL, "%s", r.advice);
}

TEST(race_on_a_buffer_names_its_element)
{
    session_outcome *o = outcome_with(SIMT_RACE, 0x20000 + 8 * 5);
    o->done.finding[0].cause = SIMT_CAUSE_BLOCKS_APART;
    o->done.finding[0].space = SIMT_SPACE_GLOBAL;
    o->done.finding[0].at.write = true;
    o->done.finding[0].other = (simt_site){ .file = "chain.cu", .line = 3 };
    case_result r = explained(o);
    CHECK(strcmp(r.what, "race: block 3 writes d_out[5], which block 0 read at chain.cu:3: nothing "
                         "orders the two") == 0,
          "%s", r.what);
    CHECK(strstr(r.advice, "another launch") && r.where.line == 41 && r.where.block == 3,
          "%s, line %u", r.advice, r.where.line);
    o = outcome_with(SIMT_RACE, 64);
    o->done.finding[0].cause = SIMT_CAUSE_NO_BARRIER;
    o->done.finding[0].space = SIMT_SPACE_SHARED;
    r = explained(o);
    CHECK(strstr(r.what, "shared memory at offset 64") != NULL, "in shared memory: %s", r.what);
}

TEST(deadlock_on_a_buffer_names_its_element)
{
    session_outcome *o = outcome_with(SIMT_DEADLOCK, 0x20000 + 8 * 61);
    o->done.finding[0].cause = SIMT_CAUSE_DEAD_NO_WRITER;
    o->done.finding[0].space = SIMT_SPACE_GLOBAL;
    o->done.finding[0].deadlock.parameter = 2;
    case_result r = explained(o);
    CHECK(strcmp(r.what, "deadlock: block 3 waits for ever for a change of d_out[61] (which holds "
                         "0); no block would write it, even with room for all of them") == 0,
          "%s", r.what);
    o = outcome_with(SIMT_DEADLOCK, 64);
    o->done.finding[0].cause = SIMT_CAUSE_DEAD_NO_WRITER;
    o->done.finding[0].space = SIMT_SPACE_SHARED;
    r = explained(o);
    CHECK(strstr(r.what, "no thread of the block would write it"), "in shared memory: %s", r.what);
}

TEST(race_with_a_header_is_shown_at_the_students_line)
{
    session_outcome *o = outcome_with(SIMT_RACE, 0x20000);
    simt_finding *f = &o->done.finding[0];
    f->cause = SIMT_CAUSE_NO_BARRIER;
    f->space = SIMT_SPACE_SHARED;
    f->has_other = true;
    f->other = f->at;
    f->other.write = true;
    snprintf(f->at.file, sizeof f->at.file, "steps.h");
    f->at.line = 20;
    const case_result c = explained(o);
    CHECK(strcmp(c.where.file, "chain.cu") == 0 && c.where.line == 41, "%s:%u", c.where.file,
          c.where.line);
    CHECK(strstr(c.what, "at steps.h:20, which thread 0 wrote at chain.cu:41"), "%s", c.what);
    CHECK(strstr(c.advice, "at the end of it, after line 41"), "%s", c.advice);
}

TEST(access_beside_a_buffer_names_it)
{
    case_result r = explained(outcome_with(SIMT_OUT_OF_BOUNDS, 0x10000 - 1));
    CHECK(strcmp(r.what, "out of bounds: read of d_in[-1]; d_in has 100 elements") == 0, "%s",
          r.what);
}

TEST(deadlock_tells_who_waits_for_whom)
{
    session_outcome *o = outcome_with(SIMT_DEADLOCK, 0);
    o->done.waits = 3;
    o->done.wait[0] = wait_of(63, 0x20000 + 8 * 62, 62, SIMT_BLOCK_SPINNING);
    o->done.wait[1] = wait_of(62, 0x20000 + 8 * 61, 61, SIMT_BLOCK_WAITING);
    o->done.wait[2] = (simt_wait){ .at = { .file = "chain.cu", .line = 9, .block = { 7, 0, 0 } },
                                   .at_barrier = true };
    o->done.waits_dropped = 2;
    case_result r = explained(o);
    CHECK(r.verdict == VERDICT_DEADLOCK && r.wait_count == 3 && r.waits_left_out == 2,
          "%u waits, %d left out", r.wait_count, (int)r.waits_left_out);
    CHECK(strcmp(r.waits[0].text, "block 62 waits at chain.cu:41 for d_out[61]; block 61 would "
                                  "write it, but has not started") == 0,
          "%s", r.waits[0].text);
    CHECK(strcmp(r.waits[1].text, "block 63 waits at chain.cu:41 for d_out[62]; block 62 would "
                                  "write it, but is waiting too") == 0,
          "%s", r.waits[1].text);
    CHECK(strcmp(r.waits[2].text,
                 "block 7 waits at chain.cu:9 for a barrier that its other warps never reach") == 0,
          "%s", r.waits[2].text);
    o = outcome_with(SIMT_DEADLOCK, 0);
    o->done.waits = 1;
    o->done.wait[0] = (simt_wait){ .at = { .file = "chain.cu", .line = 9, .block = { 7, 0, 0 } },
                                   .shared = true,
                                   .variable = "s_flag",
                                   .index = 1 };
    r = explained(o);
    CHECK(strcmp(r.waits[0].text, "block 7 waits at chain.cu:9 for s_flag[1]; no thread of the "
                                  "block that would write it was found") == 0,
          "%s", r.waits[0].text);
}

TEST(more_waits_than_are_shown_are_counted)
{
    session_outcome *o = outcome_with(SIMT_DEADLOCK, 0);
    o->done.waits = CHANNEL_WAITS;
    for (unsigned w = 0; w < CHANNEL_WAITS; w++)
        o->done.wait[w] = wait_of(w, 0x20000, 99, SIMT_BLOCK_SPINNING);
    case_result r = explained(o);
    CHECK(r.wait_count == RESULT_WAITS && r.waits_left_out == CHANNEL_WAITS - RESULT_WAITS,
          "%u shown, %d not", r.wait_count, (int)r.waits_left_out);
}

TEST(variable_waited_for_is_named)
{
    session_outcome *o = outcome_with(SIMT_DEADLOCK, 0);
    o->done.waits = 1;
    o->done.wait[0] =
        (simt_wait){ .at = { .file = "chain.cu", .line = 5 }, .variable = "s_flag", .index = 2 };
    case_result r = explained(o);
    CHECK(
        strcmp(
            r.waits[0].text,
            "block 0 waits at chain.cu:5 for s_flag[2]; no block that would write it was found") ==
            0,
        "%s", r.waits[0].text);
}

TEST(waits_stand_in_the_results)
{
    static lab_result r;
    session_outcome *o = outcome_with(SIMT_DEADLOCK, 0);
    char path[PATH_MAX], *text = NULL;
    base_error error = { "" };

    o->done.waits = 1;
    o->done.wait[0] = wait_of(62, 0x20000 + 8 * 61, 61, SIMT_BLOCK_WAITING);
    result_begin(&made_up, &r);
    r.case_count = 2;
    r.cases[0] = explained(o);
    bool fine = path_join(path, sizeof path, check_folder(), "results.json", &error) &&
                results_json_write(path, &(options){ .backend = "simt" }, "",
                                   &(const lab_result *){ &r }, 1, &error) &&
                file_read(path, 1 << 16, &text, NULL, &error);
    CHECK(fine, "%s", error.text);
    const char *wanted[] = { "\"for\": \"d_out[61]\"", "\"writer\": 61",
                             "\"writer_state\": \"not started\"", "\"line\": 41" };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        CHECK(text && strstr(text, wanted[i]), "no %s in %s", wanted[i], text ? text : "nothing");
    CHECK(text && strstr(text, "\"waits\"") && !strstr(strstr(text, "\"waits\"") + 1, "\"waits\""),
          "waits of a case that has none");
    free(text);
}

TEST(notes_of_one_kind_are_reported_once)
{
    session_outcome *o = outcome_with(SIMT_NEEDS_SM70, 0);
    o->done.findings = 4;
    o->done.finding[1] = o->done.finding[0];
    o->done.finding[2] = (simt_finding){ .kind = SIMT_DIVISION_BY_ZERO,
                                         .cause = SIMT_CAUSE_UNSUPPORTED,
                                         .text = "another" };
    o->done.finding[3] = (simt_finding){ .kind = SIMT_NEEDS_SM90, /* is not why it failed */
                                         .cause = SIMT_CAUSE_UNSUPPORTED,
                                         .text = "a third" };
    case_result r = explained(o);
    CHECK(r.verdict == VERDICT_PASS && strcmp(r.note, "what happened; another") == 0, "%s: %s",
          verdict_name(r.verdict), r.note);
}

/* The engine's process ended by itself: no verdict on the submission. */
TEST(engine_that_breaks_down_is_nobodys_fault)
{
    session_outcome *o = outcome_with(SIMT_NO_FINDING, 0);
    o->ending = SESSION_BROKEN;
    const case_result result = explained(o);
    CHECK(result.verdict == VERDICT_INFRA &&
              strstr(result.what, "the simulated GPU itself") != NULL,
          "%s", result.what);
}
