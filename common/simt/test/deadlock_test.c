/*
 * deadlock_test: blocks that wait for each other: the proof of a deadlock, who waits for whom, and
 * the block timeline.
 *
 *   simt_deadlock_test [NAME]      run all, or one
 */
#include "c_test.h"

#include <string.h>
#include <time.h>

/* ---- kernels --------------------------------------------------------------------------------- */

#define HEAD(name)                                                                                 \
    ".version 7.5\n.target sm_75\n.address_size 64\n.file 1 \"chain.cu\"\n"                        \
    ".visible .entry " name "(.param .u64 sum)\n{\n"                                               \
    "    .reg .pred %p, %q;\n    .reg .b32 %r<12>;\n    .reg .b64 %rd<8>;\n    .shared .align 4 "  \
    ".u32 s_flag;\n"                                                                               \
    "    ld.param.u64 %rd1, [sum];\n    mov.u32 %r1, %ctaid.x;\n    mov.u32 %r9, %tid.x;\n"

/* Tile %r1 (the block's number, or what stands there): waits for sum[tile - 1] and stores
   sum[tile]; LOOP polls [%rd2] into %r3. */
#define CHAIN(LOOP)                                                                                \
    "    mov.u32 %r3, 0;\n    setp.eq.u32 %p, %r1, 0;\n    @%p bra STORE;\n"                       \
    "    sub.u32 %r2, %r1, 1;\n    mul.wide.u32 %rd2, %r2, 4;\n    add.s64 %rd2, %rd1, %rd2;\n"    \
    "SPIN:\n    .loc 1 20 0\n" LOOP "    setp.eq.u32 %p, %r3, 0;\n    @%p bra SPIN;\n"             \
    "STORE:\n    .loc 1 30 0\n    add.u32 %r3, %r3, 1;\n    mul.wide.u32 %rd3, %r1, 4;\n    "      \
    "add.s64 %rd3, %rd1, %rd3;\n"                                                                  \
    "    membar.gl;\n    st.volatile.global.u32 [%rd3], %r3;\n"

#define VOLATILE_POLL "    ld.volatile.global.u32 %r3, [%rd2];\n"

static const char static_ids[] = HEAD("chain") CHAIN(VOLATILE_POLL) "    ret;\n}\n";

/* Four warps: all but thread 0 wait at a barrier until thread 0 has its predecessor's sum. */
static const char with_barrier[] =
    HEAD("chain") "    setp.ne.u32 %q, %r9, 0;\n    @%q bra REST;\n" CHAIN(
        VOLATILE_POLL
        "    membar.gl;\n    nanosleep.u32 20;\n") "REST:\n    bar.sync 0;\n    ret;\n}\n";

static const char atomic_add_poll[] =
    HEAD("chain") CHAIN("    atom.global.add.u32 %r3, [%rd2], 0;\n") "    ret;\n}\n";
static const char atomic_cas_poll[] =
    HEAD("chain") CHAIN("    atom.global.cas.b32 %r3, [%rd2], 7777, 1;\n") "    ret;\n}\n";

/* Each lane looks at one of the 32 tiles before; all must be there. */
static const char window[] =
    HEAD("chain") "    setp.eq.u32 %p, %r1, 0;\n    @%p bra STORE;\n    sub.u32 %r2, %r1, 1;\n    "
                  "sub.u32 %r2, %r2, %r9;\n    max.s32 %r2, %r2, 0;\n"
                  "    mul.wide.u32 %rd2, %r2, 4;\n    add.s64 %rd2, %rd1, %rd2;\n"
                  "SPIN:\n    .loc 1 20 0\n    ld.volatile.global.u32 %r3, [%rd2];\n    "
                  "setp.eq.u32 %p, %r3, 0;\n"
                  "    vote.sync.any.pred %q, %p, 0xffffffff;\n    @%q bra SPIN;\n"
                  "STORE:\n    .loc 1 30 0\n    setp.ne.u32 %p, %r9, 0;\n    @%p ret;\n    "
                  "mul.wide.u32 %rd3, %r1, 4;\n    add.s64 %rd3, %rd1, %rd3;\n"
                  "    mov.u32 %r3, 1;\n    st.volatile.global.u32 [%rd3], %r3;\n    ret;\n}\n";

/* The tile comes from a counter, after the sums: sum[gridDim.x]. */
#define TICKET                                                                                     \
    "    mov.u32 %r4, %nctaid.x;\n    mul.wide.u32 %rd4, %r4, 4;\n    add.s64 %rd4, %rd1, %rd4;\n" \
    "    atom.global.add.u32 %r1, [%rd4], 1;\n"
static const char dynamic_ids[] = HEAD("chain") TICKET CHAIN(VOLATILE_POLL) "    ret;\n}\n";

/* The same, but it looks ten thousand times and no more. */
static const char patient[] = HEAD("chain") TICKET "    mov.u32 %r10, 0;\n" CHAIN(
    VOLATILE_POLL "    add.u32 %r10, %r10, 1;\n    setp.gt.u32 %q, %r10, 10000;\n    @%q bra "
                  "STORE;\n") "    ret;\n}\n";

/* The same, but it looks for so many cycles of the clock. */
static const char by_clock[] = HEAD("chain") TICKET "    mov.u64 %rd4, %clock64;\n" CHAIN(
    VOLATILE_POLL "    mov.u64 %rd5, %clock64;\n    sub.s64 %rd5, %rd5, %rd4;\n    setp.gt.u64 %q, "
                  "%rd5, 100000000;\n    @%q bra STORE;\n") "    ret;\n}\n";

/* 3 %r1 + 1, by a plain store. */
static const char a_word_a_block[] =
    HEAD("once") "    mul.wide.u32 %rd2, %r1, 4;\n    add.s64 %rd2, %rd1, %rd2;\n"
                 "    mad.lo.u32 %r2, %r1, 3, 1;\n    st.global.u32 [%rd2], %r2;\n    ret;\n}\n";

/* The same of every gridDim.x-th word, up to MOST. */
static const char a_grid_apart[] =
    HEAD("apart") "    mov.u32 %r4, %nctaid.x;\n"
                  "NEXT:\n    mul.wide.u32 %rd2, %r1, 4;\n    add.s64 %rd2, %rd1, %rd2;\n"
                  "    mad.lo.u32 %r2, %r1, 3, 1;\n    st.global.u32 [%rd2], %r2;\n"
                  "    add.u32 %r1, %r1, %r4;\n    setp.le.u32 %p, %r1, 20000;\n"
                  "    @%p bra NEXT;\n    ret;\n}\n";

/* Two words a tile: a flag, and a sum beside it that is stored and loaded as any word is. */
static const char beside[] =
    HEAD("beside") "    mov.u32 %r3, 0;\n    setp.eq.u32 %p, %r1, 0;\n    @%p bra STORE;\n"
                   "    sub.u32 %r2, %r1, 1;\n    mul.wide.u32 %rd2, %r2, 8;\n"
                   "    add.s64 %rd2, %rd1, %rd2;\n"
                   "SPIN:\n    .loc 1 20 0\n" VOLATILE_POLL
                   "    setp.eq.u32 %p, %r3, 0;\n    @%p bra SPIN;\n    membar.gl;\n"
                   "    ld.global.u32 %r3, [%rd2+4];\n"
                   "STORE:\n    .loc 1 30 0\n    add.u32 %r3, %r3, 3;\n"
                   "    mul.wide.u32 %rd3, %r1, 8;\n    add.s64 %rd3, %rd1, %rd3;\n"
                   "    st.global.u32 [%rd3+4], %r3;\n    membar.gl;\n"
                   "    st.volatile.global.u32 [%rd3], 1;\n    ret;\n}\n";

/* 32 words a tile, and a chain for each lane: its number and 1 more than the tile before has. */
static const char chain_a_lane[] =
    HEAD("lanes") "    mov.u32 %r3, 0;\n    mad.lo.u32 %r2, %r1, 32, %r9;\n"
                  "    mul.wide.u32 %rd2, %r2, 4;\n    add.s64 %rd2, %rd1, %rd2;\n"
                  "    setp.eq.u32 %p, %r1, 0;\n    @%p bra STORE;\n"
                  "SPIN:\n    .loc 1 20 0\n    ld.volatile.global.u32 %r3, [%rd2+-128];\n"
                  "    setp.eq.u32 %p, %r3, 0;\n    @%p bra SPIN;\n"
                  "STORE:\n    .loc 1 30 0\n    add.u32 %r3, %r3, %r9;\n"
                  "    add.u32 %r3, %r3, 1;\n    st.volatile.global.u32 [%rd2], %r3;\n"
                  "    ret;\n}\n";

/* Thread t of each block adds t + 1 to word t, by an atomic; thread 0 adds 4 to a word of its own
   block, from byte 2048 on, and 1 to the word after those of the threads. */
static const char counts[] =
    HEAD("counts") "    mul.wide.u32 %rd2, %r9, 4;\n    add.s64 %rd2, %rd1, %rd2;\n"
                   "    add.u32 %r2, %r9, 1;\n    red.global.add.u32 [%rd2], %r2;\n"
                   "    mul.wide.u32 %rd3, %r1, 4;\n    add.s64 %rd3, %rd1, %rd3;\n"
                   "    setp.ne.u32 %p, %r9, 0;\n    @%p ret;\n"
                   "    red.global.add.u32 [%rd3+2048], 4;\n"
                   "    mov.u32 %r3, %ntid.x;\n    mul.wide.u32 %rd4, %r3, 4;\n"
                   "    add.s64 %rd4, %rd1, %rd4;\n    red.global.add.u32 [%rd4], 1;\n"
                   "    ret;\n}\n";

/* Look-back: a block's word is 1, and 2 when it is done. Block 0 is at once; others walk back to a
   word of 2, and store in the second half of the sums how far that was. 10000 blocks. */
static const char walk_back[] =
    HEAD("walk") "    mul.wide.u32 %rd2, %r1, 4;\n    add.s64 %rd2, %rd1, %rd2;\n"
                 "    mov.u64 %rd3, %rd2;\n    mov.u32 %r2, 0;\n"
                 "    setp.eq.u32 %p, %r1, 0;\n    @%p bra STORE;\n"
                 "    st.volatile.global.u32 [%rd2], 1;\n"
                 "NEXT:\n    add.s64 %rd3, %rd3, -4;\n    add.u32 %r2, %r2, 1;\n"
                 "SPIN:\n    .loc 1 20 0\n    ld.volatile.global.u32 %r3, [%rd3];\n"
                 "    setp.eq.u32 %p, %r3, 0;\n    @%p bra SPIN;\n"
                 "    setp.eq.u32 %p, %r3, 1;\n    @%p bra NEXT;\n"
                 "STORE:\n    .loc 1 30 0\n    st.volatile.global.u32 [%rd2+40000], %r2;\n"
                 "    st.volatile.global.u32 [%rd2], 2;\n    ret;\n}\n";

/* A block takes tile after tile of 10000 by tickets, from word 20000, waits for the word of the
   tile before, and stores 1 more than the tile's number. */
static const char tile_after_tile[] =
    HEAD("tiles") "NEXT:\n    atom.global.add.u32 %r1, [%rd1+80000], 1;\n"
                  "    setp.ge.u32 %p, %r1, 10000;\n    @%p ret;\n"
                  "    mul.wide.u32 %rd2, %r1, 4;\n    add.s64 %rd2, %rd1, %rd2;\n"
                  "    setp.eq.u32 %p, %r1, 0;\n    @%p bra STORE;\n"
                  "SPIN:\n    .loc 1 20 0\n    ld.volatile.global.u32 %r3, [%rd2+-4];\n"
                  "    setp.eq.u32 %p, %r3, 0;\n    @%p bra SPIN;\n"
                  "STORE:\n    .loc 1 30 0\n    add.u32 %r3, %r1, 1;\n"
                  "    st.volatile.global.u32 [%rd2], %r3;\n    bra NEXT;\n}\n";

/* Waits first, stores then: block 0 for block 1 and 1 for 0, 2 for 3 ... */
static const char crossed[] =
    HEAD("crossed") "    xor.b32 %r2, %r1, 1;\n    mul.wide.u32 %rd2, %r2, 4;\n    add.s64 %rd2, "
                    "%rd1, %rd2;\n"
                    "    mul.wide.u32 %rd3, %r1, 4;\n    add.s64 %rd3, %rd1, %rd3;\n"
                    "SPIN:\n    .loc 1 20 0\n    ld.volatile.global.u32 %r3, [%rd2];\n    "
                    "setp.eq.u32 %p, %r3, 0;\n    @%p bra SPIN;\n"
                    "    .loc 1 30 0\n    st.volatile.global.u32 [%rd3], 1;\n    ret;\n}\n";

/* Warp 0 waits for a flag that warp 1 sets after a barrier that warp 0 has not come to. */
static const char after_barrier[] = HEAD(
    "waits") "    setp.ge.u32 %q, %r9, 32;\n    @%q bra OTHER;\n    setp.ne.u32 %p, %r9, 0;\n  "
             "  @%p bra ALL;\n    st.shared.u32 [s_flag], 0;\n"
             "SPIN:\n    .loc 1 20 0\n    ld.volatile.shared.u32 %r3, [s_flag];\n    "
             "setp.eq.u32 %p, %r3, 0;\n    @%p bra SPIN;\nALL:\n    bar.sync 0;\n    ret;\n"
             "OTHER:\n    bar.sync 0;\n    .loc 1 30 0\n    st.volatile.shared.u32 [s_flag], "
             "1;\n    ret;\n}\n";

static const char nobody[] =
    HEAD("nobody") "SPIN:\n    .loc 1 20 0\n    ld.volatile.global.u32 %r3, [%rd1];\n    "
                   "setp.eq.u32 %p, %r3, 0;\n    @%p bra SPIN;\n    ret;\n}\n";

/* Each block stores 0 as its sum, and block 1 takes that for nothing. */
static const char zeros[] =
    HEAD("zeros") "    mov.u32 %r3, 0;\n    setp.eq.u32 %p, %r1, 0;\n    @%p bra STORE;\n"
                  "    sub.u32 %r2, %r1, 1;\n    mul.wide.u32 %rd2, %r2, 4;\n"
                  "    add.s64 %rd2, %rd1, %rd2;\n"
                  "SPIN:\n    .loc 1 20 0\n" VOLATILE_POLL
                  "    setp.eq.u32 %p, %r3, 0;\n    @%p bra SPIN;\n"
                  "STORE:\n    .loc 1 30 0\n    mul.wide.u32 %rd3, %r1, 4;\n"
                  "    add.s64 %rd3, %rd1, %rd3;\n    add.u32 %r3, %r3, %r1;\n"
                  "    st.volatile.global.u32 [%rd3], %r3;\n    ret;\n}\n";

/* No fence, volatile or atomic anywhere: tile b's sum is b + 1, stored at once, and then the block
   waits for the one before. */
static const char plain_poll[] =
    HEAD("plain") "    mul.wide.u32 %rd3, %r1, 4;\n    add.s64 %rd3, %rd1, %rd3;\n    "
                  "st.global.u32 [%rd3+4], %r1;\n"
                  "SPIN:\n    ld.global.u32 %r3, [%rd3];\n    setp.eq.u32 %p, %r3, 0;\n    @%p bra "
                  "SPIN;\n    ret;\n}\n";

static const char counting[] =
    HEAD("counting") "    mov.u64 %rd4, 0;\nSPIN:\n    add.u64 %rd4, %rd4, 1;\n    "
                     "ld.volatile.global.u32 %r3, [%rd1];\n"
                     "    setp.eq.u32 %p, %r3, 0;\n    @%p bra SPIN;\n    ret;\n}\n";

/* Waits for a while by the clock: ends by itself. */
static const char clock_wait[] =
    HEAD("clock_wait") "    mov.u64 %rd4, %clock64;\nSPIN:\n    mov.u64 %rd5, %clock64;\n    "
                       "sub.s64 %rd5, %rd5, %rd4;\n"
                       "    setp.lt.u64 %p, %rd5, 100000;\n    @%p bra SPIN;\n    "
                       "st.volatile.global.u32 [%rd1], 1;\n    ret;\n}\n";

/* Block 0 takes its time before it stores; thread 0 of block 1 waits for it, and the rest of its
   warp at a barrier, by way of a join. */
static const char slow_start[] = HEAD(
    "slow") "    setp.ne.u32 %p, %r1, 0;\n    @%p bra WAIT;\n    mov.u64 %rd4, %clock64;\nSLOW:\n  "
            "  mov.u64 %rd5, %clock64;\n"
            "    sub.s64 %rd5, %rd5, %rd4;\n    setp.lt.u64 %p, %rd5, 200000;\n    @%p bra SLOW;\n "
            "   st.volatile.global.u32 [%rd1], 1;\n    ret;\n"
            "WAIT:\n    setp.ne.u32 %p, %r9, 0;\n    @%p bra REST;\n"
            "SPIN:\n    ld.volatile.global.u32 %r3, [%rd1];\n    setp.eq.u32 %p, %r3, 0;\n    @%p "
            "bra SPIN;\nREST:\n    bar.sync 0;\n    st.global.u32 [%rd1+4], 1;\n    ret;\n}\n";

/* ---- running --------------------------------------------------------------------------------- */

enum { MOST = 20000 };
static simt_report report;
static unsigned sums[MOST + 1];

typedef struct setup {
    unsigned blocks, threads, resident;
    simt_block_order order;
    uint64_t seed, budget, stall, excerpt;
    unsigned stalled, clock_step, trace;
    bool excerpt_stalls;
    uint64_t excerpt_tickets;
    bool data; /* the sums are what the kernel is about */
} setup;

static simt_device *open_device(const setup *s)
{
    simt_config config = simt_default_config();
    config.memory = 1 << 24;
    config.resident_blocks = s->resident;
    config.block_order = s->order;
    config.shuffle_warps = s->seed != 0;
    config.seed = s->seed;
    config.budget = s->budget;
    config.stall = s->stall;
    config.stalled = s->stalled;
    config.clock_step = s->clock_step;
    config.excerpt = s->excerpt;
    config.excerpt_stalls = s->excerpt_stalls;
    config.excerpt_tickets = s->excerpt_tickets;
    config.trace = s->trace;
    simt_device *device = NULL;
    test_need(simt_open(&config, &device) == SIMT_OK, device);
    return device;
}

/* Runs the module's one kernel over zeroed sums; what it reports is valid until the device is
   closed. */
static simt_status run(simt_device *device, const char *text, const char *kernel, const setup *s)
{
    simt_function_info info;
    simt_addr address;

    test_need(simt_function(device, test_load(device, text, "deadlock_test.ptx"), kernel, &info) ==
                  SIMT_OK,
              device);
    test_need(simt_alloc(device, sizeof sums, &address) == SIMT_OK, device);
    simt_fill(device, address, 0, sizeof sums);
    if (s->data)
        simt_mark_data(device, address);
    simt_launch_args args = { .function = info.function,
                              .grid = { s->blocks, 1, 1 },
                              .block = { s->threads ? s->threads : 1, 1, 1 },
                              .params = &address,
                              .param_bytes = sizeof address };
    simt_status status = simt_launch(device, &args, &report);
    simt_read(device, sums, address, sizeof sums);
    return status;
}

static const simt_finding *deadlock_found(void)
{
    for (unsigned i = 0; i < report.findings; i++)
        if (report.finding[i].kind == SIMT_DEADLOCK)
            return &report.finding[i];
    return NULL;
}

static const simt_wait *wait_of(unsigned block)
{
    for (unsigned i = 0; i < report.wait_count; i++)
        if (report.waits[i].at.block.x == block)
            return &report.waits[i];
    return NULL;
}

/* Of the processor: others may use it, too. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Blocks 63 to 60 have the four places, each waiting for the one before; 59 has not started. */
static void expect_reversed_chain(const char *text, unsigned threads, bool whole_window)
{
    setup s = { .blocks = 64, .threads = threads, .resident = 4, .order = SIMT_BLOCKS_REVERSED };
    simt_device *device = open_device(&s);
    double began = seconds();
    EQUAL(SIMT_FAULT, run(device, text, "chain", &s));
    EXPECT(seconds() - began < 1.0);
    const simt_finding *f = deadlock_found();
    EXPECT(f && f->fatal && f->at.line == 20 && f->value == 0 &&
           strstr(test_message(f),
                  "block 59 would write it (line 30) but has not started: all 4 places are taken"));
    EQUAL(4, report.wait_count);
    EQUAL(0, report.waits_dropped);
    for (unsigned i = 0; i < report.wait_count; i++) {
        const simt_wait *w = &report.waits[i];
        EQUAL(60 + i, w->at.block.x);
        EXPECT(!w->at_barrier && w->writer_known && w->value == 0 && w->access_bytes == 4);
        EQUAL(20, w->at.line);
        EQUAL(30, w->writer_at.line);
        EQUAL(w->index, w->writer);
        EQUAL(w->writer, w->writer_at.block.x);
        if (!whole_window)
            EQUAL(59 + i, w->writer);
        EQUAL(w->writer < 60 ? SIMT_BLOCK_WAITING : SIMT_BLOCK_SPINNING, w->writer_state);
    }
    simt_close(device);
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST(static_ids_in_reversed_order_are_a_proved_deadlock)
{
    expect_reversed_chain(static_ids, 1, false);
}
TEST(a_loop_with_a_fence_and_a_nanosleep_beside_a_barrier_is_proved_too)
{
    expect_reversed_chain(with_barrier, 128, false);
}
TEST(polling_by_an_atomic_that_changes_nothing_is_proved)
{
    expect_reversed_chain(atomic_add_poll, 1, false);
    expect_reversed_chain(atomic_cas_poll, 1, false);
}
TEST(a_whole_warp_that_polls_a_window_is_proved) { expect_reversed_chain(window, 32, true); }

TEST(static_ids_deadlock_in_shuffled_orders_and_never_in_order)
{
    unsigned proved = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        setup s = { .blocks = 64,
                    .threads = 1,
                    .resident = 4,
                    .order = seed ? SIMT_BLOCKS_SHUFFLED : SIMT_BLOCKS_IN_ORDER,
                    .seed = seed };
        simt_device *device = open_device(&s);
        simt_status status = run(device, static_ids, "chain", &s);
        if (!seed)
            EQUAL(SIMT_OK, status);
        proved += status == SIMT_FAULT;
        if (status == SIMT_FAULT) {
            const simt_finding *f = deadlock_found();
            EXPECT(f && strstr(test_message(f), "has not started"));
            EQUAL(4, report.wait_count);
            for (unsigned i = 0; i < report.wait_count; i++)
                EXPECT(report.waits[i].writer_known &&
                       report.waits[i].writer + 1 == report.waits[i].at.block.x);
        }
        simt_close(device);
    }
    EXPECT(proved >= 6); /* with 4 of 64 places most orders must deadlock */
}

TEST(the_schedule_names_order_places_warps_seed_and_stores)
{
    setup s = {
        .blocks = 64, .threads = 1, .resident = 4, .order = SIMT_BLOCKS_REVERSED, .seed = 7
    };
    simt_device *device = open_device(&s);
    (void)run(device, static_ids, "chain", &s);
    EXPECT(!strcmp(
        report.schedule,
        "blocks reversed, 4 resident (the next starts when one ends), warps shuffled, seed 7"));
    simt_close(device);
    s.resident = 100;
    device = open_device(&s);
    EQUAL(SIMT_OK, run(device, static_ids, "chain", &s));
    EXPECT(!strcmp(report.schedule, "blocks reversed, all 64 resident, warps shuffled, seed 7"));
    simt_close(device);
}

TEST(a_grid_too_large_to_run_on_at_once_still_names_its_writers)
{
    setup s = { .blocks = MOST, .threads = 64, .resident = 4, .order = SIMT_BLOCKS_REVERSED };
    simt_device *device = open_device(&s);
    double began = seconds();
    EQUAL(SIMT_FAULT, run(device, static_ids, "chain", &s));
    EXPECT(seconds() - began < 1.5);
    EQUAL(4, report.wait_count);
    const simt_wait *w = wait_of(MOST - 4);
    EXPECT(w && w->writer_known && w->writer == MOST - 5 && w->writer_state == SIMT_BLOCK_WAITING);
    simt_close(device);
}

TEST(more_blocks_wait_than_the_report_holds)
{
    setup s = { .blocks = 200, .threads = 1, .resident = 80, .order = SIMT_BLOCKS_REVERSED };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_FAULT, run(device, static_ids, "chain", &s));
    EQUAL(SIMT_MAX_WAITS, report.wait_count);
    EQUAL(80 - SIMT_MAX_WAITS, report.waits_dropped);
    EQUAL(120, report.waits[0].at.block.x);
    EQUAL(119, report.waits[0].writer);
    simt_close(device);
}

TEST(two_blocks_that_wait_for_each_other_are_named)
{
    setup s = { .blocks = 2, .threads = 1, .resident = 2 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_FAULT, run(device, crossed, "crossed", &s));
    EQUAL(2, report.wait_count);
    for (unsigned b = 0; b < 2; b++) {
        const simt_wait *w = wait_of(b);
        EXPECT(w && w->writer_known && w->writer == 1 - b &&
               w->writer_state == SIMT_BLOCK_SPINNING && w->writer_at.line == 30);
    }
    const simt_finding *f = deadlock_found();
    EXPECT(f && strstr(test_message(f),
                       "block 1 would write it (line 30) but waits for block 0 in turn"));
    simt_close(device);
}

TEST(a_writer_after_a_barrier_that_the_spinning_warp_never_reaches_is_named)
{
    setup s = { .blocks = 3, .threads = 64 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_FAULT, run(device, after_barrier, "waits", &s));
    const simt_finding *f = deadlock_found();
    EXPECT(f && !strcmp(f->variable, "s_flag") &&
           strstr(test_message(f), "s_flag[0] (which holds 0)") &&
           strstr(test_message(f), "1 of its warps waits at a barrier"));
    EXPECT(report.wait_count >= 1 && report.waits[0].at.line == 20 &&
           !strcmp(report.waits[0].variable, "s_flag"));
    simt_close(device);
}

TEST(a_word_that_no_block_writes_has_no_writer)
{
    setup s = { .blocks = 5, .threads = 1, .resident = 2 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_FAULT, run(device, nobody, "nobody", &s));
    EQUAL(2, report.wait_count);
    EXPECT(!report.waits[0].writer_known && !report.waits[1].writer_known);
    EXPECT(deadlock_found() && !deadlock_found()->deadlock.is_set &&
           strstr(test_message(deadlock_found()),
                  "no block would write it, even with room for all of them"));
    simt_close(device);
}

/* Block 2 waits for block 1 as well, and that is no reason. */
TEST(a_word_that_the_launch_has_set_before_is_reported_as_such)
{
    setup s = { .blocks = 3, .threads = 1, .resident = 3 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_FAULT, run(device, zeros, "zeros", &s));
    EQUAL(2, report.wait_count);
    const simt_finding *f = deadlock_found();
    EXPECT(f && f->at.block.x == 1 && f->deadlock.is_set && f->deadlock.writer.x == 0 &&
           strstr(test_message(f), "block 0 has stored there in this launch"));
    simt_close(device);
}

TEST(the_trial_leaves_no_trace_in_counts)
{
    setup s = { .blocks = 64, .threads = 1, .resident = 4, .order = SIMT_BLOCKS_REVERSED };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_FAULT, run(device, static_ids, "chain", &s));
    EQUAL(4, report.counts.blocks);
    EQUAL(0, report.counts.global_bytes_written);
    EQUAL(1, report.findings);
    simt_close(device);
}

TEST(a_loop_that_counts_is_only_suspected)
{
    setup s = { .blocks = 2, .threads = 1, .budget = 300000 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_FAULT, run(device, counting, "counting", &s));
    EXPECT(!deadlock_found() && report.findings == 1 && report.finding[0].kind == SIMT_BUDGET);
    EQUAL(0, report.wait_count);
    simt_close(device);
}

TEST(a_loop_that_reads_the_clock_ends_and_is_no_deadlock)
{
    for (unsigned trace = 0; trace <= SIMT_TRACE_BLOCKS; trace++) {
        setup s = { .blocks = 3, .threads = 1, .trace = trace };
        simt_device *device = open_device(&s);
        EQUAL(SIMT_OK, run(device, clock_wait, "clock_wait", &s));
        EQUAL(1, sums[0]);
        simt_close(device);
    }
}

TEST(a_long_wait_beside_a_barrier_is_neither_deadlock_nor_divergence)
{
    setup s = { .blocks = 2, .threads = 64 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_OK, run(device, slow_start, "slow", &s));
    EQUAL(0, report.findings);
    EQUAL(1, sums[1]);
    simt_close(device);
}

TEST(dynamic_ids_end_in_every_order_and_residency)
{
    static const unsigned resident[] = { 1, 2, 4 };
    for (unsigned r = 0; r < 3; r++)
        for (unsigned order = 0; order < 3; order++)
            for (uint64_t seed = 0; seed < 5; seed++) {
                setup s = { .blocks = 64,
                            .threads = 1,
                            .resident = resident[r],
                            .order = (simt_block_order)order,
                            .seed = seed };
                simt_device *device = open_device(&s);
                EQUAL(SIMT_OK, run(device, dynamic_ids, "chain", &s));
                EQUAL(0, report.wait_count);
                for (unsigned i = 0; i < 64; i++)
                    EQUAL(i + 1, sums[i]);
                simt_close(device);
            }
}

/* ---- the timeline ---------------------------------------------------------------------------- */

/* Times grow; each block goes waiting, running, then spinning and running in turn, and done at the
   end (unless stopped). */
static void check_timeline(unsigned blocks, bool ends)
{
    simt_block_state state[MOST];
    bool met[MOST] = { false };
    uint64_t time = 0;
    for (size_t i = 0; i < report.block_event_count; i++) {
        const simt_block_event *e = &report.blocks[i];
        EXPECT(e->time >= time && e->block < blocks && e->time <= report.blocks_end);
        time = e->time;
        if (!met[e->block])
            EXPECT(e->state == SIMT_BLOCK_WAITING && e->time == 0);
        else if (state[e->block] == SIMT_BLOCK_WAITING || state[e->block] == SIMT_BLOCK_SPINNING)
            EXPECT(e->state == SIMT_BLOCK_RUNNING);
        else
            EXPECT(state[e->block] == SIMT_BLOCK_RUNNING &&
                   (e->state == SIMT_BLOCK_SPINNING || e->state == SIMT_BLOCK_DONE));
        met[e->block] = true;
        state[e->block] = e->state;
    }
    for (unsigned b = 0; b < blocks; b++)
        EXPECT(met[b] && (!ends || state[b] == SIMT_BLOCK_DONE));
}

static unsigned count_state(simt_block_state state)
{
    unsigned n = 0;
    for (size_t i = 0; i < report.block_event_count; i++)
        n += report.blocks[i].state == state;
    return n;
}

TEST(every_block_waits_runs_perhaps_spins_and_ends)
{
    setup s = { .blocks = 16,
                .threads = 128,
                .resident = 16,
                .order = SIMT_BLOCKS_REVERSED,
                .seed = 5,
                .trace = SIMT_TRACE_BLOCKS };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_OK, run(device, with_barrier, "chain", &s));
    check_timeline(16, true);
    EQUAL(16, count_state(SIMT_BLOCK_DONE));
    EXPECT(count_state(SIMT_BLOCK_SPINNING) >= 8);
    simt_close(device);
}

TEST(the_timeline_of_a_deadlock_ends_in_spinning)
{
    setup s = { .blocks = 64,
                .threads = 1,
                .resident = 4,
                .order = SIMT_BLOCKS_REVERSED,
                .trace = SIMT_TRACE_BLOCKS };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_FAULT, run(device, static_ids, "chain", &s));
    check_timeline(64, false);
    EQUAL(64, count_state(SIMT_BLOCK_WAITING));
    EQUAL(4, count_state(SIMT_BLOCK_RUNNING));
    EQUAL(4, count_state(SIMT_BLOCK_SPINNING));
    EQUAL(4, report.wait_count);
    simt_close(device);
}

TEST(tracing_blocks_does_not_alter_the_run)
{
    uint64_t instructions[2];
    for (unsigned trace = 0; trace < 2; trace++) {
        setup s = { .blocks = 24,
                    .threads = 128,
                    .resident = 5,
                    .order = SIMT_BLOCKS_IN_ORDER,
                    .seed = 9,
                    .trace = trace ? SIMT_TRACE_BLOCKS : 0 };
        simt_device *device = open_device(&s);
        EQUAL(SIMT_OK, run(device, with_barrier, "chain", &s));
        instructions[trace] = report.counts.warp_instructions;
        EXPECT(trace ? report.block_event_count > 0 : report.block_event_count == 0);
        simt_close(device);
    }
    EQUAL(instructions[0], instructions[1]);
}

/* A kernel whose blocks share nothing must not wait for another block: each runs alone, and the
   advice says why. */
TEST(a_poll_by_plain_loads_alone_says_what_it_lacks)
{
    setup s = { .blocks = 4, .threads = 32, .order = SIMT_BLOCKS_REVERSED };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_FAULT, run(device, plain_poll, "plain", &s));
    EXPECT(deadlock_found() &&
           strstr(test_message(deadlock_found()), "no fence and no volatile or atomic access"));
    simt_close(device);
}

/* ---- a stalled block ------------------------------------------------------------------------- */

/* Of `blocks` tiles, how many at the front are right? Block `stalled` is stalled. */
static unsigned right_tiles(const char *text, uint64_t stall, unsigned stalled, unsigned blocks,
                            simt_block_order order)
{
    setup s = {
        .blocks = blocks, .resident = 4, .order = order, .stall = stall, .stalled = stalled
    };
    simt_device *device = open_device(&s);
    double began = seconds();
    unsigned right = 0;
    if (run(device, text, "chain", &s) == SIMT_OK)
        while (right < blocks && sums[right] == right + 1)
            right++;
    EXPECT(seconds() - began < 1.0);
    simt_close(device);
    return right;
}

static bool is_right(const char *text, uint64_t stall, unsigned blocks, simt_block_order order)
{
    return right_tiles(text, stall, 0, blocks, order) == blocks;
}

TEST(a_wait_that_counts_its_looks_is_right_until_the_first_block_is_stalled)
{
    EXPECT(is_right(patient, 0, 64, SIMT_BLOCKS_IN_ORDER));
    EXPECT(is_right(patient, 1000, 64, SIMT_BLOCKS_IN_ORDER));
    for (int order = SIMT_BLOCKS_IN_ORDER; order <= SIMT_BLOCKS_REVERSED; order++)
        EXPECT(!is_right(patient, 1 << 20, 64, (simt_block_order)order));
}
TEST(a_wait_by_the_clock_is_right_until_a_held_block_takes_long_by_it)
{
    for (unsigned step = 0; step <= 1 << 10; step += 1 << 10) {
        setup s = { .blocks = 8, .resident = 4, .stall = 1 << 20, .clock_step = step };
        simt_device *device = open_device(&s);
        EQUAL(SIMT_OK, run(device, by_clock, "chain", &s));
        EQUAL(step ? 1 : 2, sums[1]);
        simt_close(device);
    }
}
TEST(a_wait_with_no_end_of_its_own_lets_the_first_block_go_on_soon)
{
    EXPECT(is_right(dynamic_ids, 1ull << 40, 64, SIMT_BLOCKS_IN_ORDER));
    EXPECT(is_right(dynamic_ids, 1ull << 40, 1, SIMT_BLOCKS_IN_ORDER));
}
TEST(a_first_block_that_takes_no_ticket_is_not_stalled)
{
    EXPECT(is_right(static_ids, 1ull << 40, 64, SIMT_BLOCKS_IN_ORDER));
}
TEST(those_before_the_block_that_is_stalled_have_taken_their_tickets)
{
    for (int order = SIMT_BLOCKS_IN_ORDER; order <= SIMT_BLOCKS_SHUFFLED; order++)
        for (unsigned stalled = 0; stalled < 4; stalled++) {
            EQUAL(stalled + 1, right_tiles(patient, 1 << 20, stalled, 64, (simt_block_order)order));
            EQUAL(64, right_tiles(dynamic_ids, 1ull << 40, stalled, 64, (simt_block_order)order));
        }
}
TEST(a_block_that_is_not_resident_is_not_stalled)
{
    EQUAL(64, right_tiles(patient, 1 << 20, 4, 64, SIMT_BLOCKS_IN_ORDER));
    EQUAL(3, right_tiles(patient, 1 << 20, 3, 3, SIMT_BLOCKS_IN_ORDER));
}

/* ---- excerpts -------------------------------------------------------------------------------- */

/* Words of the first blocks, of one in the gap, of the last blocks. */
static bool is_excerpt(unsigned blocks)
{
    return sums[0] == 1 && sums[3] == 4 && sums[blocks / 2] == 0 &&
           sums[blocks - 4] == blocks - 3 && sums[blocks - 1] == blocks;
}

TEST(an_excerpt_carries_tickets_and_sums_over_the_blocks_left_out)
{
    setup s = { .blocks = MOST, .resident = 4, .excerpt = 1 << 16 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_OK, run(device, dynamic_ids, "chain", &s));
    EXPECT(is_excerpt(MOST));
    EXPECT(!report.cut);
    EQUAL(0, report.findings);
    simt_close(device);
}
TEST(an_excerpt_carries_what_stands_beside_flags_over_the_blocks_left_out)
{
    enum { BLOCKS = MOST / 2 };
    setup s = { .blocks = BLOCKS, .resident = 4, .excerpt = 1 << 16 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_OK, run(device, beside, "beside", &s));
    EXPECT(!report.cut);
    EQUAL(3 * (BLOCKS - 3), sums[2 * (BLOCKS - 4) + 1]);
    EQUAL(3 * BLOCKS, sums[2 * (BLOCKS - 1) + 1]);
    simt_close(device);
}
TEST(an_excerpt_carries_a_word_for_each_lane_over_the_blocks_left_out)
{
    enum { BLOCKS = MOST / 32 };
    setup s = { .blocks = BLOCKS, .threads = 32, .resident = 4, .excerpt = 1 << 16 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_OK, run(device, chain_a_lane, "lanes", &s));
    EXPECT(!report.cut);
    for (unsigned lane = 0; lane < 32; lane++)
        EQUAL(BLOCKS * (lane + 1), sums[32 * (BLOCKS - 1) + lane]);
    simt_close(device);
}
TEST(an_excerpt_carries_all_counts_that_each_block_adds_to_over_the_blocks_left_out)
{
    enum { BLOCKS = 400, THREADS = 256 };
    setup s = { .blocks = BLOCKS, .threads = THREADS, .resident = 4, .excerpt = 1 << 16 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_OK, run(device, counts, "counts", &s));
    for (unsigned t = 0; t < THREADS; t++)
        EQUAL(BLOCKS * (t + 1), sums[t]);
    EQUAL(BLOCKS, sums[THREADS]);
    EQUAL(4, sums[512]);
    EQUAL(0, sums[512 + BLOCKS / 2]);
    EQUAL(4, sums[512 + BLOCKS - 1]);
    simt_close(device);
}
TEST(an_excerpt_carries_what_each_block_stores_once_over_the_blocks_left_out)
{
    enum { BLOCKS = MOST / 2 };
    setup s = { .blocks = BLOCKS, .resident = 4, .excerpt = 1 << 16 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_OK, run(device, a_word_a_block, "once", &s));
    EXPECT(!report.cut);
    for (unsigned block = 0; block < BLOCKS; block++)
        EQUAL(3 * block + 1, sums[block]);
    EQUAL(0, sums[BLOCKS]);
    simt_close(device);
}
/* Whatever their number, the block that stores the last word runs. */
TEST(an_excerpt_of_a_grid_of_limited_size_has_the_block_with_the_last_tile)
{
    for (unsigned blocks = 9; blocks < 300; blocks++) {
        setup s = { .blocks = blocks, .excerpt = 1 << 20, .data = true };
        simt_device *device = open_device(&s);
        EQUAL(SIMT_OK, run(device, a_grid_apart, "apart", &s));
        EXPECT(!report.cut);
        EQUAL(3 * MOST + 1, sums[MOST]);
        EQUAL(3 * blocks - 2, sums[blocks - 1]);
        simt_close(device);
    }
}
TEST(blocks_left_out_of_an_excerpt_may_stall_when_they_have_published_and_not_looked_back)
{
    enum { BLOCKS = MOST / 2 };
    setup s = { .blocks = BLOCKS, .resident = 4, .excerpt = 1 << 18 };
    for (unsigned stalls = 0; stalls < 2; stalls++) {
        s.excerpt_stalls = stalls == 1;
        simt_device *device = open_device(&s);
        EQUAL(SIMT_OK, run(device, walk_back, "walk", &s));
        EXPECT(!report.cut);
        EQUAL(1, sums[BLOCKS + 3]);
        EQUAL(stalls ? BLOCKS - 4 - 3 : 1, sums[BLOCKS + BLOCKS - 4]);
        EQUAL(1, sums[BLOCKS + BLOCKS - 3]);
        EQUAL(2, sums[BLOCKS - 1]);
        simt_close(device);
    }
}
TEST(blocks_left_out_of_an_excerpt_that_only_wait_do_not_stall)
{
    setup s = { .blocks = MOST, .resident = 4, .excerpt = 1 << 16, .excerpt_stalls = true };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_OK, run(device, dynamic_ids, "chain", &s));
    EXPECT(is_excerpt(MOST));
    EXPECT(!report.cut);
    simt_close(device);
}
TEST(a_block_of_an_excerpt_that_takes_tickets_has_the_first_and_the_last_tiles)
{
    enum { TILES = 10000, BLOCKS = 16 };
    setup s = {
        .blocks = BLOCKS, .resident = BLOCKS, .excerpt = 1 << 16, .excerpt_tickets = TILES
    };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_OK, run(device, tile_after_tile, "tiles", &s));
    EXPECT(!report.cut);
    for (unsigned tile = 0; tile < TILES; tile++)
        EQUAL(tile + 1, sums[tile]);
    EQUAL(TILES + BLOCKS, sums[MOST]);
    simt_close(device);
}
TEST(an_excerpt_cuts_blocks_that_wait_for_ever_and_says_nothing)
{
    setup s = { .blocks = MOST, .resident = 4, .excerpt = 1 << 16 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_OK, run(device, crossed, "crossed", &s));
    EXPECT(report.cut);
    EQUAL(0, report.findings);
    simt_close(device);
}

/* Blocks from LIMIT on end at once, the others count to a hundred. */
#define BUSY_BELOW(LIMIT)                                                                          \
    HEAD("busy")                                                                                   \
    "    setp.ge.u32 %p, %r1, " LIMIT ";\n    @%p ret;\n    mov.u32 %r3, 0;\n"                     \
    "NEXT:\n    add.u32 %r3, %r3, 1;\n    setp.lt.u32 %p, %r3, 100;\n    @%p bra NEXT;\n"          \
    "    ret;\n}\n"

static bool is_cut(const char *text)
{
    setup s = { .blocks = MOST, .resident = 4, .excerpt = 1 << 16 };
    simt_device *device = open_device(&s);
    EQUAL(SIMT_OK, run(device, text, "busy", &s));
    simt_close(device);
    return report.cut;
}

TEST(an_excerpt_whose_last_blocks_have_nothing_to_do_is_cut_but_one_alone_may_be_a_slip)
{
    EXPECT(!is_cut(BUSY_BELOW("20000")));
    EXPECT(!is_cut(BUSY_BELOW("19999")));
    EXPECT(is_cut(BUSY_BELOW("19998")));
    EXPECT(is_cut(BUSY_BELOW("100")));
}

/* All blocks count to a hundred; those below LIMIT store it. */
#define STORED_BELOW(LIMIT)                                                                        \
    HEAD("busy")                                                                                   \
    "    mov.u32 %r3, 0;\n"                                                                        \
    "NEXT:\n    add.u32 %r3, %r3, 1;\n    setp.lt.u32 %p, %r3, 100;\n    @%p bra NEXT;\n"          \
    "    mul.wide.u32 %rd2, %r1, 4;\n    add.s64 %rd2, %rd1, %rd2;\n"                              \
    "    setp.lt.u32 %p, %r1, " LIMIT ";\n    @%p st.global.u32 [%rd2], %r3;\n    ret;\n}\n"

TEST(an_excerpt_whose_last_blocks_touch_no_memory_is_cut)
{
    EXPECT(!is_cut(STORED_BELOW("20000")));
    EXPECT(!is_cut(STORED_BELOW("19999")));
    EXPECT(is_cut(STORED_BELOW("19998")));
    EXPECT(is_cut(STORED_BELOW("100")));
    EXPECT(!is_cut(STORED_BELOW("0")));
}
