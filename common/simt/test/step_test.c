/*
 * step_test: simt_on_step, and what a module says of itself: simt_listing, simt_kernel_name,
 * simt_source_path.
 *
 *   simt_step_test [NAME]     run all, or one
 */
#include "c_test.h"

#include <stdlib.h>
#include <string.h>

/* Warps part, meet at a shuffle and at a barrier, and add to one word: out[i] of each thread, and
   the sum. */
static const char text[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry work(.param .u64 out, .param .u64 sum)\n{\n"
    "    .reg .pred %p<3>;\n    .reg .b32 %r<12>;\n    .reg .b64 %rd<6>;\n    .shared .align 4 .b8 "
    "s[512];\n"
    "    .loc 1 7 1\n"
    "    mov.u32 %r1, %tid.x;\n    shl.b32 %r2, %r1, 2;\n    mov.u32 %r3, s;\n    add.u32 %r3, "
    "%r3, %r2;\n    st.shared.u32 [%r3], %r1;\n"
    "    .loc 1 8 1\n"
    "    and.b32 %r4, %r1, 1;\n    setp.eq.u32 %p1, %r4, 0;\n    @%p1 bra even;\n"
    "    add.u32 %r5, %r1, 100;\n    bra.uni meet;\n"
    "even:\n    mul.lo.u32 %r5, %r1, 3;\n"
    "meet:\n    shfl.sync.bfly.b32 %r6|%p2, %r5, 1, 31, -1;\n    bar.sync 0;\n"
    "    xor.b32 %r2, %r2, 4;\n    mov.u32 %r3, s;\n    add.u32 %r3, %r3, %r2;\n    ld.shared.u32 "
    "%r7, [%r3];\n    add.u32 %r8, %r7, %r6;\n"
    "    ld.param.u64 %rd1, [out];\n    ld.param.u64 %rd2, [sum];\n    mov.u32 %r9, %ctaid.x;\n    "
    "mad.lo.u32 %r9, %r9, 128, %r1;\n"
    "    mul.wide.u32 %rd3, %r9, 4;\n    add.u64 %rd1, %rd1, %rd3;\n    st.global.u32 [%rd1], "
    "%r8;\n"
    "    atom.global.add.u32 %r10, [%rd2], %r8;\n    ret;\n}\n"
    ".visible .entry second()\n{\n    ret;\n}\n"
    ".file 1 \"/home/me/code/work.cu\"\n";

enum { BLOCKS = 3, THREADS = 128, WORDS = BLOCKS * THREADS };

typedef struct machine {
    simt_device *device;
    simt_function_info work;
    unsigned module, threads;
    simt_addr out, sum;
} machine;

static machine make_of(const char *ptx, uint64_t seed)
{
    machine m = { .threads = THREADS };
    simt_config config = simt_default_config();
    config.memory = 1 << 22;
    config.shuffle_warps = true;
    config.seed = seed;
    test_need(simt_open(&config, &m.device) == SIMT_OK, m.device);
    test_need(simt_module_load(m.device, ptx, strlen(ptx), "step_test.ptx", &m.module) == SIMT_OK,
              m.device);
    test_need(simt_function(m.device, m.module, "work", &m.work) == SIMT_OK, m.device);
    test_need(simt_alloc(m.device, 4 * WORDS, &m.out) == SIMT_OK &&
                  simt_alloc(m.device, 4, &m.sum) == SIMT_OK,
              m.device);
    test_need(simt_fill(m.device, m.out, 0, 4 * WORDS) == SIMT_OK &&
                  simt_fill(m.device, m.sum, 0, 4) == SIMT_OK,
              m.device);
    return m;
}

static machine make(void) { return make_of(text, 5); }

static void launch(machine *m, simt_report *report, uint32_t result[WORDS + 1])
{
    simt_addr params[2] = { m->out, m->sum };
    simt_launch_args args = { .function = m->work.function,
                              .grid = { BLOCKS, 1, 1 },
                              .block = { m->threads, 1, 1 },
                              .params = params,
                              .param_bytes = sizeof params };
    test_need(simt_launch(m->device, &args, report) == SIMT_OK, m->device);
    test_need(simt_read(m->device, result, m->out, 4 * WORDS) == SIMT_OK &&
                  simt_read(m->device, result + WORDS, m->sum, 4) == SIMT_OK,
              m->device);
}

typedef struct seen {
    unsigned steps, others, loads, most;
    bool values_right;
} seen;

static bool look(void *user, const simt_step *s)
{
    seen *v = user;
    v->steps++;
    v->others += s->block.x != 1 || s->warp != 2;
    if (strncmp(s->text, "mov.u32 %r1, %tid.x;", 20) == 0)
        v->values_right = s->written == 1 && strcmp(s->value[0].name, "%r1") == 0 &&
                          s->value[0].value[31] == 95 && s->line == 7 &&
                          strcmp(s->file, "work.cu") == 0;
    if (strncmp(s->text, "add.u32 %r5", 11) == 0)
        v->values_right &= s->mask == 0xaaaaaaaa && s->value[0].value[1] == 165;
    v->loads += strncmp(s->text, "ld.shared.u32 %r7, [%r3];", 25) == 0;
    return !v->most || v->steps < v->most;
}

typedef struct asked {
    simt_device *device;
    simt_addr out;
    unsigned stores, global, meets;
    bool right;
    uint64_t time;
    simt_counts last; /* so far */
} asked;

/* Thread t stores t at 4 t in shared memory, before it is seen anywhere else. */
static bool ask(void *user, const simt_step *s)
{
    asked *v = user;
    uint32_t shared[128], word;
    uint8_t set[128];
    simt_step_warps warps;
    v->right &= s->time > v->time && s->number == s->block.x;
    v->time = s->time;
    v->meets += s->meets && !s->waits;
    simt_step_counts(v->device, &v->last);
    simt_step_block(v->device, &warps);
    v->right &= warps.all == 15 && !(warps.done >> s->warp & 1 && s->active);
    if (strncmp(s->text, "st.shared", 9) == 0) {
        const simt_access *a = &s->access;
        v->stores++;
        v->right &= a->space == SIMT_SPACE_SHARED && a->write && !a->atomic && a->bytes == 4 &&
                    a->wavefronts == 1 && a->wavefronts_ideal == 1 && a->mask == 0xffffffff &&
                    a->address[31] == 4 * (32 * s->warp + 31);
        v->right &= simt_step_shared(v->device, shared, set, sizeof shared) == 512 &&
                    shared[32 * s->warp + 5] == 32 * s->warp + 5 && set[32 * s->warp + 5] == 1;
    }
    if (strncmp(s->text, "st.global", 9) == 0) {
        v->global++;
        v->right &= s->access.space == SIMT_SPACE_GLOBAL && s->access.sectors == 4 &&
                    s->access.address[1] == s->access.address[0] + 4 &&
                    simt_peek(v->device, &word, s->access.address[0], 4) && word > 0 &&
                    !simt_peek(v->device, &word, v->out + 4 * WORDS, 4);
    }
    v->right &= s->access.space != SIMT_SPACE_NONE || s->access.mask == 0;
    return true;
}

TEST(step_says_what_it_accesses_and_its_block_may_be_asked)
{
    static simt_report report;
    static uint32_t got[WORDS + 1];
    machine m = make();
    asked all = { .device = m.device, .out = m.out, .right = true };
    char name[32];
    size_t offset, bytes;
    simt_on_step(m.device, &(simt_step_select){ .any_block = true, .any_warp = true }, ask, &all);
    launch(&m, &report, got);
    EXPECT(all.right);
    EXPECT(all.stores == BLOCKS * THREADS / 32 && all.global == all.stores);
    EXPECT(all.meets >= BLOCKS * THREADS / 32);
    EXPECT(all.last.warp_instructions == report.counts.warp_instructions &&
           all.last.shared_wavefronts == report.counts.shared_wavefronts &&
           all.last.barriers == report.counts.barriers &&
           all.last.global_sectors == report.counts.global_sectors);
    EXPECT(simt_shared_variable(m.device, m.work.function, 0, name, sizeof name, &offset, &bytes) &&
           strcmp(name, "s") == 0 && offset == 0 && bytes == 512);
    EXPECT(!simt_shared_variable(m.device, m.work.function, 1, name, sizeof name, &offset, &bytes));
    EXPECT(simt_step_shared(m.device, NULL, NULL, 0) == 0); /* no step */
    simt_close(m.device);
}

TEST(steps_change_neither_results_nor_counts)
{
    static simt_report plain, stepped;
    static uint32_t expected[WORDS + 1], got[WORDS + 1];
    machine m = make();
    launch(&m, &plain, expected);
    simt_close(m.device);
    m = make();
    seen all = { 0 };
    simt_on_step(m.device, &(simt_step_select){ .any_block = true, .any_warp = true }, look, &all);
    launch(&m, &stepped, got);
    EXPECT(memcmp(expected, got, sizeof got) == 0);
    EXPECT(memcmp(&plain.counts, &stepped.counts, sizeof plain.counts) == 0);
    EXPECT(plain.findings == stepped.findings);
    EXPECT(all.steps == plain.counts.warp_instructions);
    EXPECT(all.loads == BLOCKS * THREADS / 32);
    simt_close(m.device);
}

/* Ifs over one run, of each kind that needs no split: one that falls to its end, one that lies
   elsewhere and branches back, one with a way out in the middle, one with a load that is no line.
   Each thread's word depends on the order in which all have drawn numbers. */
static const char ifs[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry work(.param .u64 out, .param .u64 ticket)\n{\n"
    "    .reg .pred %p<5>;\n    .reg .b32 %r<12>;\n    .reg .b64 %rd<6>;\n    .shared .align 4 .b8 "
    "s[512];\n"
    "    mov.u32 %r1, %tid.x;\n    shl.b32 %r2, %r1, 2;\n    mov.u32 %r3, s;\n    add.u32 %r3, "
    "%r3, %r2;\n    st.shared.u32 [%r3], %r1;\n    bar.warp.sync -1;\n"
    "    ld.param.u64 %rd1, [out];\n    ld.param.u64 %rd2, [ticket];\n    mov.u32 %r5, 1;\n    "
    "mov.u32 %r6, 0;\n"
    "loop:\n    and.b32 %r4, %r1, 31;\n    shl.b32 %r7, %r6, 2;\n    setp.lt.u32 %p1, %r4, %r7;\n  "
    "  setp.gt.u32 %p2, %r4, 20;\n    and.b32 %r8, %r4, 3;\n    setp.eq.u32 %p3, %r8, 1;\n"
    "    @%p1 bra falls;\n    mul.lo.u32 %r5, %r5, 31;\n    add.u32 %r5, %r5, %r4;\nfalls:\n"
    "    @!%p2 bra away;\nback:\n"
    "    @%p3 bra middle;\n    add.u32 %r5, %r5, 7;\n    @%p1 bra middle;\n    xor.b32 %r5, %r5, "
    "%r6;\nmiddle:\n"
    "    @%p2 bra loads;\n    mov.u32 %r9, s;\n    xor.b32 %r10, %r2, 4;\n    add.u32 %r9, %r9, "
    "%r10;\n    ld.shared.u32 %r10, [%r9];\n    add.u32 %r5, %r5, %r10;\nloads:\n"
    "    atom.global.add.u32 %r10, [%rd2], 1;\n    mul.lo.u32 %r5, %r5, 17;\n    add.u32 %r5, %r5, "
    "%r10;\n"
    "    add.u32 %r6, %r6, 1;\n    setp.lt.u32 %p4, %r6, 9;\n    @%p4 bra loop;\n"
    "    mov.u32 %r9, %ctaid.x;\n    mad.lo.u32 %r9, %r9, 128, %r1;\n    mul.wide.u32 %rd3, %r9, "
    "4;\n    add.u64 %rd1, %rd1, %rd3;\n    st.global.u32 [%rd1], %r5;\n    ret;\n"
    "away:\n    add.u32 %r5, %r5, 3;\n    bra.uni back;\n}\n";

TEST(ifs_without_splits_keep_the_schedule_of_single_steps)
{
    static simt_report plain, stepped;
    static uint32_t expected[WORDS + 1], got[WORDS + 1], first[WORDS];
    unsigned differ = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        machine m = make_of(ifs, seed);
        launch(&m, &plain, expected);
        simt_close(m.device);
        m = make_of(ifs, seed);
        seen all = { 0 };
        simt_on_step(m.device, &(simt_step_select){ .any_block = true, .any_warp = true }, look,
                     &all);
        launch(&m, &stepped, got);
        simt_close(m.device);
        EXPECT(memcmp(expected, got, sizeof got) == 0);
        EXPECT(memcmp(&plain.counts, &stepped.counts, sizeof plain.counts) == 0);
        EXPECT(plain.findings == 0 && stepped.findings == 0 && plain.counts.divergent_branches > 0);
        if (seed == 1)
            memcpy(first, got, sizeof first);
        differ += memcmp(first, got, sizeof first) != 0;
    }
    EXPECT(differ > 10); /* the order does show */
}

/* Each block waits until the one before it has published. */
static const char waits[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry work(.param .u64 out, .param .u64 told)\n{\n"
    "    .reg .pred %p<3>;\n    .reg .b32 %r<4>;\n    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [told];\n    mov.u32 %r1, %ctaid.x;\n"
    "wait:\n    ld.volatile.global.u32 %r2, [%rd1];\n    setp.lt.u32 %p1, %r2, %r1;\n"
    "    @%p1 bra wait;\n    bar.sync 0;\n    add.u32 %r1, %r1, 1;\n    mov.u32 %r3, %tid.x;\n"
    "    setp.eq.u32 %p2, %r3, 0;\n    @%p2 st.volatile.global.u32 [%rd1], %r1;\n    ret;\n}\n";

TEST(looks_while_waiting_count_the_same_in_single_steps)
{
    static simt_report plain, stepped;
    static uint32_t words[WORDS + 1];
    uint64_t polled = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        machine m = make_of(waits, seed);
        launch(&m, &plain, words);
        simt_close(m.device);
        m = make_of(waits, seed);
        seen all = { 0 };
        simt_on_step(m.device, &(simt_step_select){ .any_block = true, .any_warp = true }, look,
                     &all);
        launch(&m, &stepped, words);
        simt_close(m.device);
        EXPECT(memcmp(&plain.counts, &stepped.counts, sizeof plain.counts) == 0);
        polled += plain.counts.polled_instructions;
    }
    EXPECT(polled > 0);
}

/* A branch in the middle of a run, which as many parts of warps go on after it as there were before
   it: fewer lanes, as many instructions. */
static const char part[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry work(.param .u64 out, .param .u64 sum)\n{\n"
    "    .reg .pred %p<2>;\n    .reg .b32 %r<4>;\n    .reg .b64 %rd<4>;\n"
    "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, 1;\n    setp.lt.u32 %p1, %r1, 16;\n"
    "    @!%p1 bra meet;\n    add.u32 %r2, %r2, %r1;\n    mul.lo.u32 %r2, %r2, 3;\n"
    "meet:\n    ld.param.u64 %rd1, [out];\n    mul.wide.u32 %rd2, %r1, 4;\n    add.u64 %rd1, %rd1, "
    "%rd2;\n    st.global.u32 [%rd1], %r2;\n    ret;\n}\n";

TEST(lanes_of_a_part_of_a_warp_are_counted_as_by_single_steps)
{
    static simt_report plain, stepped;
    static uint32_t words[WORDS + 1];
    for (unsigned threads = 17; threads <= 47; threads += 15) {
        machine m = make_of(part, 1);
        m.threads = threads;
        launch(&m, &plain, words);
        simt_close(m.device);
        m = make_of(part, 1);
        m.threads = threads;
        seen all = { 0 };
        simt_on_step(m.device, &(simt_step_select){ .any_block = true, .any_warp = true }, look,
                     &all);
        launch(&m, &stepped, words);
        simt_close(m.device);
        EXPECT(memcmp(&plain.counts, &stepped.counts, sizeof plain.counts) == 0);
        EXPECT(plain.counts.thread_instructions < 32 * plain.counts.warp_instructions);
    }
}

TEST(steps_are_those_of_the_chosen_warp)
{
    static simt_report report;
    static uint32_t got[WORDS + 1];
    machine m = make();
    seen one = { 0 }, few = { .most = 4 };
    simt_step_select select = { .block = { 1, 0, 0 }, .warp = 2 };
    simt_on_step(m.device, &select, look, &one);
    launch(&m, &report, got);
    EXPECT(one.steps > 0 && one.others == 0 && one.loads == 1);
    EXPECT(one.values_right);
    simt_on_step(m.device, &select, look, &few);
    launch(&m, &report, got);
    launch(&m, &report, got);
    EXPECT(few.steps == 4); /* it asked for no more */
    simt_on_step(m.device, NULL, NULL, NULL);
    EXPECT(simt_on_step(m.device, NULL, look, NULL) == SIMT_BAD_ARGUMENT);
    simt_close(m.device);
}

TEST(modules_tell_kernels_sources_and_code)
{
    machine m = make();
    char *listing = NULL;
    EXPECT(strcmp(simt_kernel_name(m.device, m.module, 0), "work") == 0);
    EXPECT(strcmp(simt_kernel_name(m.device, m.module, 1), "second") == 0);
    EXPECT(simt_kernel_name(m.device, m.module, 2) == NULL);
    EXPECT(strcmp(simt_source_path(m.device, "work.cu"), "/home/me/code/work.cu") == 0);
    EXPECT(strcmp(simt_source_path(m.device, "other.cu"), "") == 0);
    test_need(simt_listing(m.device, m.module, "work", &listing) == SIMT_OK, m.device);
    EXPECT(strstr(listing, "kernel work: 27 instructions") != NULL);
    EXPECT(strstr(listing, "work.cu:8\n") != NULL);
    EXPECT(strstr(listing, "JOIN") != NULL);
    EXPECT(strstr(listing, "second") == NULL);
    free(listing);
    EXPECT(simt_listing(m.device, m.module, "third", &listing) == SIMT_NOT_FOUND);
    simt_close(m.device);
}
