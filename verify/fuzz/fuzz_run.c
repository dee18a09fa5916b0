/*
 * fuzz_run.c: libFuzzer target: a kernel, made from the input's decisions (kernel.c) or its text as
 * it stands, loaded, launched on a small device under a schedule that the input chooses too, read
 * back, and now and then run a second time, which must end alike (outcome.c): the same way, or by
 * another of the interpreter's loops, which differ in what they look at and in nothing that a
 * kernel sees.
 *
 * FUZZ_SHOW=1 in the environment prints the configuration and the kernel: for one input, to see
 * what it does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "outcome.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct plan { /* the first bytes of an input */
    simt_config config;
    simt_launch_args args;
    bool text;
    enum { ONCE, THE_SAME, UNCHECKED, STEPPED, TRACED } again;
    bool stepped;
    unsigned n, launches;
} plan;

static plan make_plan(choices *from)
{
    static const unsigned threads[] = { 32, 64, 1, 33, 16, 48, 31, 7 };
    static const unsigned budgets[] = { 200, 1000, 400, 4000 };
    plan p = { .launches = 1 };
    unsigned how = choose_byte(from), checks = choose_byte(from), schedule = choose_byte(from),
             shape = choose_byte(from), rest = choose_byte(from);
    p.text = (how & 7) == 7;
    if ((how & 0x38) == 0x38)
        p.again = THE_SAME;
    if ((how & 0x38) == 0x30)
        p.again = UNCHECKED + (rest >> 2) % 3;
    if ((how & 0xc0) == 0xc0)
        p.launches = 2;
    p.config = simt_default_config();
    p.config.host_threads = 1;
    p.config.memory = 256 << 10;
    p.config.checks =
        checks & 0x80 ? checks & SIMT_CHECK_ALL & ~(unsigned)SIMT_CHECK_BOUNDS : SIMT_CHECK_ALL;
    /* without it a wild access is the kernel's own, and the process's end */
    p.config.checks |= SIMT_CHECK_BOUNDS;
    p.config.trace = (checks & 0x70) == 0x70 ? checks & 3 : 0;
    p.config.block_order = (simt_block_order)(schedule % 3);
    p.config.shuffle_warps = schedule & 0x10;
    p.config.late_stores = schedule & 0x20;
    p.config.resident_blocks = schedule >> 6;
    p.config.seed = rest;
    p.config.budget = budgets[rest & 3];
    p.args.grid = (simt_dim){ 1 + (shape & 3) % 3, 1, 1 };
    p.args.block = (simt_dim){ threads[shape >> 2 & 7], 1, 1 };
    if ((shape & 0xe0) == 0x40)
        p.args.block = (simt_dim){ 4, 4, 2 };
    p.args.cooperative = (shape & 0xe0) == 0x60;
    p.args.dynamic_shared = (shape & 0x80) ? 256 : 0;
    p.n = rest;
    return p;
}

/* The plan for the second time. */
static plan plan_again(const plan *first)
{
    plan p = *first;
    p.again = ONCE;
    if (first->again == UNCHECKED)
        p.config.checks = SIMT_CHECK_BOUNDS | SIMT_CHECK_COUNTERS;
    if (first->again == UNCHECKED)
        p.config.trace &= SIMT_TRACE_BLOCKS;
    if (first->again == TRACED)
        p.config.trace ^= SIMT_TRACE_ADDS;
    p.stepped = first->again == STEPPED;
    return p;
}

static bool look(void *user, const simt_step *step)
{
    (void)user;
    return step->written <= SIMT_MAX_WRITTEN;
}

/* One parameter block for any kernel: 64-bit parameters point to the buffer, the others are n. */
static void fill_params(const simt_function_info *info, simt_addr buffer, unsigned n,
                        uint8_t *block, size_t room)
{
    memset(block, 0, room);
    for (unsigned k = 0; k < info->params && k < 64; k++) {
        size_t at = info->param_offset[k], bytes = info->param_size[k];
        uint64_t v = bytes == 8 ? buffer : n;
        if (at + 8 <= room && bytes <= 8)
            memcpy(block + at, &v, bytes);
    }
}

/* The first kernel in the text: what stands behind .entry. */
static bool kernel_name(const char *text, size_t size, char *name, size_t room)
{
    static const char word[] = ".entry ";
    for (size_t at = 0; at + sizeof word < size; at++) {
        if (memcmp(text + at, word, sizeof word - 1) != 0)
            continue;
        at += sizeof word - 1;
        size_t n = 0;
        while (at + n < size && n + 1 < room &&
               (text[at + n] == '_' || text[at + n] == '$' || (text[at + n] | 32) >= 'a' ||
                (text[at + n] >= '0' && text[at + n] <= '9')))
            n++;
        memcpy(name, text + at, n);
        name[n] = '\0';
        return n > 0;
    }
    return false;
}

typedef struct result {
    simt_status status;
    simt_report report;
    uint8_t memory[KERNEL_BUFFER];
} result;

static void run(const plan *p, const char *text, size_t size, result *r)
{
    static uint8_t params[32768];
    simt_device *device = NULL;
    simt_function_info info;
    simt_addr buffer = 0;
    unsigned module;
    char name[128] = "k";
    simt_launch_args args = p->args;
    memset(r, 0, sizeof *r);
    if (simt_open(&p->config, &device) != SIMT_OK)
        abort();
    if (p->stepped &&
        simt_on_step(device, &(simt_step_select){ .any_block = true, .any_warp = true }, look,
                     NULL) != SIMT_OK)
        abort();
    r->status = simt_module_load(device, text, size, "fuzz.ptx", &module);
    if (r->status == SIMT_BAD_PTX && !p->text) {
        fprintf(stderr, "fuzz: what kernel.c writes must parse: %s\n", simt_error(device));
        abort();
    }
    if (r->status != SIMT_OK || (p->text && !kernel_name(text, size, name, sizeof name)) ||
        simt_function(device, module, name, &info) != SIMT_OK)
        goto done;
    if (simt_alloc(device, KERNEL_BUFFER, &buffer) != SIMT_OK)
        goto done;
    for (size_t k = 0; k < KERNEL_BUFFER; k++)
        r->memory[k] = (uint8_t)(k & 3 ? 0 : k >> 2);
    if (simt_write(device, buffer, r->memory, KERNEL_BUFFER) != SIMT_OK)
        abort();
    fill_params(&info, buffer, p->n, params, sizeof params);
    args.function = info.function;
    args.params = params;
    args.param_bytes = info.param_bytes;
    if (info.param_bytes > sizeof params)
        goto done;
    for (unsigned k = 0; k < p->launches; k++) {
        r->status = simt_launch(device, &args, &r->report);
        outcome_check(&p->config, &args, r->status, &r->report, simt_error(device));
        if (getenv("FUZZ_SHOW")) {
            fprintf(stderr, "status %d %s, %llu warp instructions\n", (int)r->status,
                    simt_error(device), (unsigned long long)r->report.counts.warp_instructions);
            for (unsigned f = 0; f < r->report.findings; f++) {
                simt_words words;
                simt_finding_words(&r->report.finding[f], NULL, &words);
                fprintf(stderr, "  %s: line %u: %s\n", simt_finding_name(r->report.finding[f].kind),
                        r->report.finding[f].at.ptx_line, words.message);
            }
        }
    }
    r->report.printed = NULL;
    r->report.lines = NULL;
    /* the kernel may have freed it */
    if (simt_read(device, r->memory, buffer, KERNEL_BUFFER) == SIMT_OK &&
        simt_free(device, buffer) != SIMT_OK)
        abort();
    outcome_host(device);
done:
    simt_close(device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char made[KERNEL_TEXT];
    static result first, second;
    choices from = { data, data + size };
    plan p = make_plan(&from);
    const char *text = (const char *)from.at;
    size_t bytes = (size_t)(from.end - from.at);
    if (!p.text) {
        bytes = kernel_write(&from, made);
        text = made;
    }
    if (getenv("FUZZ_SHOW"))
        fprintf(stderr,
                "%.*s\ngrid %u block %u,%u,%u cooperative %d order %d shuffle %d late %d resident "
                "%u checks %u trace %u budget %llu seed %llu\n",
                (int)bytes, text, p.args.grid.x, p.args.block.x, p.args.block.y, p.args.block.z,
                p.args.cooperative, (int)p.config.block_order, p.config.shuffle_warps,
                p.config.late_stores, p.config.resident_blocks, p.config.checks, p.config.trace,
                (unsigned long long)p.config.budget, (unsigned long long)p.config.seed);
    run(&p, text, bytes, &first);
    if (p.again) {
        plan again = plan_again(&p);
        run(&again, text, bytes, &second);
        outcome_same(first.status, &first.report, second.status, &second.report,
                     p.config.checks & again.config.checks, p.again == THE_SAME);
        if (memcmp(first.memory, second.memory, KERNEL_BUFFER) != 0) {
            fprintf(stderr, "fuzz: other memory the second time (%d)\n", (int)p.again);
            abort();
        }
    }
    return 0;
}
