/*
 * group_test: several GPUs: whose memory is whose, launches that run together, what orders them and
 * what does not, and what is counted and reported of each.
 *
 *   simt_group_test [NAME]      run all, or one
 */
#include "c_test.h"

#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------- */

#define HEAD                                                                                       \
    ".version 7.5\n.target sm_75\n.address_size 64\n.file 1 \"pair.cu\"\n"                         \
    ".visible .global .align 4 .u32 own = 5;\n"

#define KERNEL(name, body)                                                                         \
    ".visible .entry " name "(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n"                   \
    "    .reg .pred %p;\n    .reg .b32 %r<8>;\n    .reg .b64 %rd<8>;\n"                            \
    "    ld.param.u64 %rd1, [a];\n    ld.param.u64 %rd2, [b];\n    ld.param.u64 %rd3, [c];\n" body \
    "    ret;\n}\n"

/* put: data, then flag; get: waits for the flag, then copies data to c */
#define PAIR(fence, scope)                                                                         \
    HEAD KERNEL("put", "    .loc 1 10 0\n    st.global.u32 [%rd1], 7;\n" fence                     \
                       "    .loc 1 12 0\n    st." scope ".global.u32 [%rd2], 1;\n")                \
        KERNEL("get", "SPIN:\n    .loc 1 20 0\n    ld." scope ".global.u32 %r1, [%rd2];\n"         \
                      "    setp.eq.u32 %p, %r1, 0;\n    @%p bra SPIN;\n" fence                     \
                      "    .loc 1 22 0\n    ld.global.u32 %r2, [%rd1];\n"                          \
                      "    st.global.u32 [%rd3], %r2;\n")

static const char system_pair[] = PAIR("    membar.sys;\n", "volatile");
static const char device_fences[] = PAIR("    membar.gl;\n", "volatile");
static const char device_flag[] = PAIR("    membar.sys;\n", "relaxed.gpu");

/* As system_pair, but one of the two fences is for the device alone. */
#define MIXED(first, second)                                                                       \
    HEAD KERNEL("put",                                                                             \
                "    st.global.u32 [%rd1], 7;\n" first "    st.volatile.global.u32 [%rd2], 1;\n")  \
        KERNEL("get", "SPIN:\n    ld.volatile.global.u32 %r1, [%rd2];\n"                           \
                      "    setp.eq.u32 %p, %r1, 0;\n    @%p bra SPIN;\n" second                    \
                      "    ld.global.u32 %r2, [%rd1];\n    st.global.u32 [%rd3], %r2;\n")

static const char writer_narrow[] = MIXED("    membar.gl;\n", "    membar.sys;\n");
static const char reader_narrow[] = MIXED("    membar.sys;\n", "    membar.gl;\n");

static const char others[] = HEAD KERNEL("add_device", "    atom.global.add.u32 %r1, [%rd1], 1;\n")
    KERNEL("add_system", "    atom.sys.global.add.u32 %r1, [%rd1], 1;\n")
        KERNEL("store", "    st.global.u32 [%rd1], 9;\n")
            KERNEL("load", "    ld.global.u32 %r1, [%rd1];\n    st.global.u32 [%rd3], %r1;\n")
                KERNEL("variable", "    ld.global.u32 %r1, [own];\n"
                                   "    st.global.u32 [%rd1], %r1;\n");

/* ---- two GPUs -------------------------------------------------------------------------------- */

enum { WORDS = 16 }; /* of data */

typedef struct pair {
    simt_device *device;
    unsigned module[2]; /* by GPU */
    simt_addr data, flag, out;
    simt_report report[4];
} pair;

static simt_config config_of(unsigned gpus)
{
    simt_config c = simt_default_config();
    c.memory = 1 << 22;
    c.gpus = gpus;
    return c;
}

/* data and flag on GPU 0, out on GPU 1; each may use the other's memory */
static void open_pair(pair *p, const simt_config *config, const char *text)
{
    *p = (pair){ 0 };
    test_need(simt_open(config, &p->device) == SIMT_OK, p->device);
    for (unsigned g = 2; g-- > 0;) {
        test_need(simt_use_gpu(p->device, g) == SIMT_OK, p->device);
        p->module[g] = test_load(p->device, text, "pair.ptx");
        test_need(simt_let_peer(p->device, g, 1 - g, true) == SIMT_OK, p->device);
    }
    test_need(simt_alloc(p->device, WORDS * 4, &p->data) == SIMT_OK &&
                  simt_alloc(p->device, 4, &p->flag) == SIMT_OK &&
                  simt_fill(p->device, p->data, 0, WORDS * 4) == SIMT_OK &&
                  simt_fill(p->device, p->flag, 0, 4) == SIMT_OK &&
                  simt_use_gpu(p->device, 1) == SIMT_OK &&
                  simt_alloc(p->device, 4, &p->out) == SIMT_OK,
              p->device);
}

typedef struct call {
    const char *kernel;
    unsigned gpu, blocks, after;
} call;

static simt_status run(pair *p, const call *calls, unsigned count)
{
    const simt_addr params[3] = { p->data, p->flag, p->out };
    simt_launch_args args[4] = { 0 };
    simt_group_launch group[4] = { 0 };
    for (unsigned i = 0; i < count; i++) {
        simt_function_info info;
        test_need(simt_function(p->device, p->module[calls[i].gpu], calls[i].kernel, &info) ==
                      SIMT_OK,
                  p->device);
        args[i] = (simt_launch_args){ .function = info.function,
                                      .grid = { calls[i].blocks ? calls[i].blocks : 1, 1, 1 },
                                      .block = { 1, 1, 1 },
                                      .params = params,
                                      .param_bytes = sizeof params };
        group[i] = (simt_group_launch){ .args = &args[i], .after = calls[i].after };
    }
    return simt_launch_group(p->device, group, count, p->report);
}

static uint32_t word(pair *p, simt_addr address)
{
    uint32_t v = 0;
    (void)simt_peek(p->device, &v, address, sizeof v);
    return v;
}

static const simt_finding *race_of(const pair *p, unsigned launch)
{
    for (unsigned i = 0; i < p->report[launch].findings; i++)
        if (p->report[launch].finding[i].kind == SIMT_RACE)
            return &p->report[launch].finding[i];
    return NULL;
}

static const call across[] = { { "get", 1, 0, 0 }, { "put", 0, 0, 0 } };
static const call within[] = { { "get", 0, 0, 0 }, { "put", 0, 0, 0 } };

/* ---- tests ----------------------------------------------------------------------------------- */

TEST(gpus_wait_for_each_other_whoever_has_the_first_turn)
{
    for (unsigned order = 0; order < 4; order++) {
        pair p;
        simt_config c = config_of(2);
        c.gpu_order = order < 2 ? (simt_gpu_order)order : SIMT_GPUS_STARVED;
        c.starved = order - 2 < 2 ? order - 2 : 0;
        open_pair(&p, &c, system_pair);
        EQUAL(SIMT_OK, run(&p, across, 2));
        EQUAL(7, word(&p, p.out));
        EQUAL(0, p.report[0].findings + p.report[1].findings);
        simt_close(p.device);
    }
}

TEST(a_fence_for_the_device_orders_nothing_between_gpus)
{
    static const char *const texts[] = { device_fences, writer_narrow, reader_narrow };
    for (unsigned k = 0; k < 3; k++) {
        pair p;
        const simt_config c = config_of(2);
        open_pair(&p, &c, texts[k]);
        EQUAL(SIMT_OK, run(&p, across, 2));
        const simt_finding *f = race_of(&p, 0);
        EXPECT(f && f->cause == SIMT_CAUSE_DEVICE_FENCE);
        EXPECT(f && f->at.gpu == 2 && f->other.gpu == 1);
        EXPECT(f && strstr(test_message(f), "block 0 of GPU 1 reads") &&
               strstr(test_message(f), "which block 0 of GPU 0 wrote"));
        simt_close(p.device);
    }
}

TEST(the_same_fence_orders_two_launches_on_one_gpu)
{
    pair p;
    const simt_config c = config_of(2);
    open_pair(&p, &c, device_fences);
    EQUAL(SIMT_OK, run(&p, within, 2));
    EQUAL(7, word(&p, p.out));
    EQUAL(0, p.report[0].findings + p.report[1].findings);
    simt_close(p.device);
}

TEST(a_flag_of_device_scope_is_a_race_between_gpus)
{
    pair p;
    const simt_config c = config_of(2);
    open_pair(&p, &c, device_flag);
    EQUAL(SIMT_OK, run(&p, across, 2));
    const simt_finding *f = race_of(&p, 0);
    EXPECT(f && f->cause == SIMT_CAUSE_DEVICE_ATOMIC);
    simt_close(p.device);
    open_pair(&p, &c, device_flag);
    EQUAL(SIMT_OK, run(&p, within, 2));
    EQUAL(0, p.report[0].findings + p.report[1].findings);
    simt_close(p.device);
}

TEST(atomics_of_device_scope_are_a_race_between_gpus)
{
    static const call device[] = { { "add_device", 0, 0, 0 }, { "add_device", 1, 0, 0 } },
                      system[] = { { "add_system", 0, 0, 0 }, { "add_system", 1, 0, 0 } };
    pair p;
    const simt_config c = config_of(2);
    open_pair(&p, &c, others);
    EQUAL(SIMT_OK, run(&p, device, 2));
    EXPECT(race_of(&p, 1) && race_of(&p, 1)->cause == SIMT_CAUSE_DEVICE_ATOMIC);
    EQUAL(SIMT_OK, run(&p, system, 2));
    EQUAL(0, p.report[0].findings + p.report[1].findings);
    EQUAL(4, word(&p, p.data));
    simt_close(p.device);
}

/* How many of so many seeds give an old value. */
static unsigned old_values(const char *text, const call *calls)
{
    unsigned old = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        pair p;
        simt_config c = config_of(2);
        c.seed = seed;
        c.late_stores = c.shuffle_warps = true;
        open_pair(&p, &c, text);
        EQUAL(SIMT_OK, run(&p, calls, 2));
        old += word(&p, p.out) != 7;
        simt_close(p.device);
    }
    return old;
}

TEST(stores_reach_another_gpu_late_without_a_fence_for_all)
{
    EQUAL(0, old_values(system_pair, across));
    EXPECT(old_values(device_fences, across) > 0);
    EXPECT(old_values(writer_narrow, across) > 0);
    EXPECT(old_values(reader_narrow, across) > 0);
    EQUAL(0, old_values(device_fences, within));
}

TEST(memory_of_a_gpu_that_is_no_peer_is_out_of_bounds)
{
    static const call load[] = { { "load", 1, 0, 0 } };
    pair p;
    simt_words words;
    unsigned gpu = 9;
    const simt_config c = config_of(2);
    open_pair(&p, &c, others);
    EQUAL(SIMT_OK, simt_gpu_of(p.device, p.data, &gpu));
    EQUAL(0, gpu);
    EQUAL(SIMT_OK, run(&p, load, 1));
    EQUAL(SIMT_OK, simt_let_peer(p.device, 1, 0, false));
    EQUAL(SIMT_FAULT, run(&p, load, 1));
    const simt_finding *f = &p.report[0].finding[0];
    EQUAL(SIMT_OUT_OF_BOUNDS, f->kind);
    EQUAL(SIMT_CAUSE_NOT_PEER, f->cause);
    simt_finding_words(f, NULL, &words);
    EXPECT(strstr(words.message, "by GPU 1") && strstr(words.message, "memory of GPU 0"));
    EXPECT(strstr(words.advice, "cudaDeviceEnablePeerAccess(0, 0)"));
    simt_close(p.device);
}

TEST(counts_are_each_launchs_own_and_remote_bytes_apart)
{
    pair p;
    const simt_config c = config_of(2);
    open_pair(&p, &c, system_pair);
    EQUAL(SIMT_OK, run(&p, across, 2));
    const simt_counts *get = &p.report[0].counts, *put = &p.report[1].counts;
    EQUAL(8, put->global_bytes_written);
    EQUAL(0, put->remote_bytes_written + put->remote_bytes_read + put->global_bytes_read);
    EQUAL(4, get->global_bytes_written);
    EQUAL(0, get->remote_bytes_written);
    EQUAL(get->global_bytes_read, get->remote_bytes_read);
    EXPECT(get->remote_bytes_read >= 8);
    EQUAL(1, get->blocks);
    EQUAL(1, put->blocks);
    EXPECT(put->warp_instructions < 20);
    EQUAL(1, p.report[0].gpu);
    EQUAL(0, p.report[1].gpu);
    simt_close(p.device);
}

TEST(each_gpu_has_the_variables_of_its_own_module)
{
    static const call variable[] = { { "variable", 1, 0, 0 } };
    pair p;
    simt_addr first, second;
    const uint32_t six = 6;
    const simt_config c = config_of(2);
    open_pair(&p, &c, others);
    EQUAL(SIMT_OK, simt_symbol(p.device, p.module[0], "own", &first, NULL));
    EQUAL(SIMT_OK, simt_symbol(p.device, p.module[1], "own", &second, NULL));
    EXPECT(first != second);
    EQUAL(SIMT_OK, simt_write(p.device, second, &six, sizeof six));
    EQUAL(SIMT_OK, run(&p, variable, 1));
    EQUAL(6, word(&p, p.data));
    simt_close(p.device);
}

TEST(a_launch_after_another_sees_what_that_has_done)
{
    static const call queue[] = { { "store", 0, 0, 0 }, { "load", 0, 0, 1 } };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        pair p;
        simt_config c = config_of(2);
        c.seed = seed;
        c.late_stores = c.shuffle_warps = true;
        open_pair(&p, &c, others);
        EQUAL(SIMT_OK, run(&p, queue, 2));
        EQUAL(9, word(&p, p.out));
        EQUAL(0, p.report[0].findings + p.report[1].findings);
        simt_close(p.device);
    }
}

TEST(who_waits_on_which_gpu_is_reported)
{
    static const call alone[] = { { "get", 1, 0, 0 }, { "store", 0, 0, 0 } };
    pair p;
    const simt_config c = config_of(2);
    open_pair(&p, &c,
              HEAD KERNEL("get", "SPIN:\n    ld.volatile.global.u32 %r1, [%rd2];\n"
                                 "    setp.eq.u32 %p, %r1, 0;\n    @%p bra SPIN;\n")
                  KERNEL("store", "    st.global.u32 [%rd1], 9;\n"));
    EQUAL(SIMT_FAULT, run(&p, alone, 2));
    const simt_finding *f = &p.report[0].finding[0];
    EQUAL(SIMT_DEADLOCK, f->kind);
    EQUAL(2, f->at.gpu);
    EXPECT(strstr(test_message(f), "block 0 of GPU 1 waits for ever"));
    EQUAL(1, p.report[0].wait_count);
    EXPECT(p.report[0].waits && p.report[0].waits[0].at.gpu == 2);
    simt_close(p.device);
}

/* Each waits first and stores then: a circle over two GPUs. */
TEST(a_circle_over_two_gpus_is_found)
{
    static const call both[] = { { "one", 0, 0, 0 }, { "two", 1, 0, 0 } };
#define WAITS(from, to)                                                                            \
    "SPIN:\n    ld.volatile.global.u32 %r1, [" from "];\n    setp.eq.u32 %p, %r1, 0;\n"            \
    "    @%p bra SPIN;\n    .loc 1 30 0\n    st.volatile.global.u32 [" to "], 1;\n"
    pair p;
    const simt_config c = config_of(2);
    open_pair(&p, &c,
              HEAD KERNEL("one", WAITS("%rd1", "%rd2")) KERNEL("two", WAITS("%rd2", "%rd1")));
    EQUAL(SIMT_FAULT, run(&p, both, 2));
    const simt_finding *f =
        p.report[0].findings ? &p.report[0].finding[0] : &p.report[1].finding[0];
    EQUAL(SIMT_DEADLOCK, f->kind);
    EQUAL(SIMT_CAUSE_DEAD_CIRCLE, f->cause);
    EXPECT(strstr(test_message(f), "of GPU 0") && strstr(test_message(f), "of GPU 1"));
    EQUAL(2, p.report[0].wait_count);
    simt_close(p.device);
}

/* Each block takes a ticket, and waits for the one before it. */
static const char chain[] =
    HEAD KERNEL("chain", "    atom.global.add.u32 %r1, [%rd1], 1;\n"
                         "    mul.wide.u32 %rd4, %r1, 4;\n    add.s64 %rd4, %rd1, %rd4;\n"
                         "    setp.eq.u32 %p, %r1, 0;\n    @%p bra STORE;\n"
                         "SPIN:\n    ld.volatile.global.u32 %r2, [%rd4];\n"
                         "    setp.eq.u32 %p, %r2, 0;\n    @%p bra SPIN;\n"
                         "STORE:\n    st.volatile.global.u32 [%rd4 + 4], 1;\n")
        KERNEL("store", "    st.global.u32 [%rd3], 9;\n");

TEST(a_stalled_block_goes_on_when_the_others_wait_for_it)
{
    static const call both[] = { { "chain", 0, 5, 0 }, { "store", 1, 0, 0 } };
    pair p;
    simt_config c = config_of(2);
    c.resident_blocks = 2;
    c.stall = (uint64_t)1 << 40;
    c.budget = 1 << 20;
    open_pair(&p, &c, chain);
    EQUAL(SIMT_OK, run(&p, both, 2));
    EQUAL(1, word(&p, p.data + 20));
    simt_close(p.device);
}

/* The block to be stalled may be on the GPU that is starved, or of a launch that comes after. */
TEST(blocks_are_stalled_on_a_gpu_that_is_starved_and_in_a_later_launch)
{
    static const call calls[][2] = { { { "chain", 0, 5, 0 }, { "store", 1, 3, 0 } },
                                     { { "store", 1, 1, 0 }, { "chain", 0, 5, 0 } },
                                     { { "store", 1, 1, 0 }, { "chain", 0, 5, 1 } },
                                     { { "chain", 0, 1, 0 }, { "store", 1, 4, 1 } } };
    pair p;
    for (unsigned k = 0; k < 4; k++)
        for (unsigned starved = 0; starved < 2; starved++)
            for (unsigned stalled = 0; stalled < 4; stalled++) {
                simt_config c = config_of(2);
                c.resident_blocks = 2;
                c.stall = (uint64_t)1 << 40;
                c.stalled = stalled;
                c.gpu_order = SIMT_GPUS_STARVED;
                c.starved = starved;
                c.budget = 1 << 20;
                open_pair(&p, &c, chain);
                EQUAL(SIMT_OK, run(&p, calls[k], 2));
                EQUAL(1, word(&p, p.data + (k < 3 ? 20 : 4)));
                EQUAL(9, word(&p, p.out));
                simt_close(p.device);
            }
}

TEST(what_a_group_cannot_be_is_refused)
{
    static const call late[] = { { "store", 0, 0, 2 }, { "load", 0, 0, 0 } };
    pair p;
    simt_config c = config_of(2);
    open_pair(&p, &c, others);
    EQUAL(SIMT_BAD_ARGUMENT, run(&p, late, 2));
    EQUAL(SIMT_BAD_ARGUMENT, simt_launch_group(p.device, NULL, 1, NULL));
    EQUAL(SIMT_BAD_ARGUMENT, simt_use_gpu(p.device, 2));
    EQUAL(SIMT_BAD_ARGUMENT, simt_let_peer(p.device, 0, 2, true));
    c.trace = SIMT_TRACE_BLOCKS;
    EQUAL(SIMT_OK, simt_configure(p.device, &c));
    static const call two[] = { { "store", 0, 0, 0 }, { "load", 0, 0, 1 } };
    EQUAL(SIMT_BAD_ARGUMENT, run(&p, two, 2));
    simt_close(p.device);
    c = config_of(9);
    EXPECT(simt_open(&c, &p.device) != SIMT_OK);
}
