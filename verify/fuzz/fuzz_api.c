/*
 * fuzz_api.c: libFuzzer target: a program's calls to the engine, as the input decides them: devices
 * opened and closed, memory taken, given back, written, copied, read, modules loaded, kernels
 * launched with good and bad arguments, under settings that change on the way.
 *
 * A model beside it knows each live allocation and its bytes (model.h): what a call must return,
 * and what memory must hold after it. Another status than the model's, other bytes, a crash, a
 * leak, a sanitizer's report are reports. FUZZ_SHOW=1 in the environment prints the calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choices.h"
#include "model.h"
#include "outcome.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEVICES = 2, MOST_CALLS = 200 };

static simt_config choose_config(choices *from)
{
    static const size_t memory[] = { 256 << 10, 64 << 10, 1 << 20, 1 << 12 };
    unsigned how = choose_byte(from), more = choose_byte(from);
    simt_config c = simt_default_config();
    c.memory = memory[how & 3];
    c.host_threads = 1 + (how >> 2 & 1);
    c.resident_blocks = how >> 3 & 3;
    c.block_order = (simt_block_order)((how >> 5) % 3);
    c.checks = more & 1 ? SIMT_CHECK_ALL : SIMT_CHECK_BOUNDS | (more >> 1 & SIMT_CHECK_ALL);
    c.shuffle_warps = more & 0x20;
    c.late_stores = more & 0x40;
    c.trace = more & 0x80 ? more >> 1 & 3 : 0;
    c.budget = 20000;
    c.seed = more;
    return c;
}

/* An address and a length: mostly in a live allocation, now and then across its end, in one that
   was freed, or anywhere. */
static simt_addr choose_range(model *m, choices *from, size_t *bytes)
{
    static const uint64_t anywhere[] = { 0, 1, UINT64_MAX, (uint64_t)1 << 47 };
    unsigned how = choose_byte(from), offset = choose_byte(from) * (how & 8 ? 16 : 1);
    *bytes = choose_byte(from) * (how & 16 ? 16 : 1);
    simt_addr start = (how & 7) == 7   ? anywhere[how >> 6]
                      : (how & 7) == 6 ? m->gone[how >> 5]
                      : m->count       ? m->live[offset % m->count].address
                                       : 0;
    if ((how & 7) == 5)
        *bytes = SIZE_MAX - *bytes;
    return start + offset;
}

static void call_memory(model *m, choices *from, unsigned which)
{
    static const size_t sizes[] = { 4, 256, 1000, 4096, 1, 60000, 0, SIZE_MAX - 255 };
    size_t bytes = 0, more;
    simt_addr a;
    switch (which) {
    case 0: model_alloc(m, sizes[choose(from, sizeof sizes / sizeof *sizes)]); break;
    case 1:
        a = choose_range(m, from, &bytes);
        model_free(m, bytes & 3 ? model_start(m, a) : a);
        break;
    case 2:
        a = choose_range(m, from, &bytes);
        model_write(m, a, bytes, choose_byte(from));
        break;
    case 3:
        a = choose_range(m, from, &bytes);
        model_read(m, a, bytes);
        break;
    case 4:
        a = choose_range(m, from, &more);
        model_copy(m, a, choose_range(m, from, &bytes), bytes);
        break;
    case 5:
        a = choose_range(m, from, &bytes);
        model_fill(m, a, bytes, choose_byte(from));
        break;
    case 6:
        a = choose_range(m, from, &bytes);
        model_forget(m, a, bytes);
        break;
    default: model_find(m, choose_range(m, from, &bytes)); break;
    }
}

static simt_launch_args choose_launch(choices *from)
{
    static const unsigned sides[] = { 1, 32, 2, 33, 64, 3, 0, 2000000000 };
    unsigned how = choose_byte(from), shape = choose_byte(from);
    simt_launch_args args = { .grid = { 1 + (shape & 3), 1, 1 },
                              .block = { sides[shape >> 2 & 7], 1, 1 } };
    if ((how & 7) == 7)
        args.grid.y = sides[shape >> 5];
    if ((how & 7) == 6)
        args.block.z = sides[shape >> 5];
    args.cooperative = how & 8;
    args.dynamic_shared = how & 0x30 ? 0 : (size_t)choose_byte(from) << (how >> 6 << 3);
    return args;
}

/* Rules good and bad; the engine takes all of a text or nothing. */
static void call_suppress(model *m, choices *from)
{
    static const char *const rules[] = {
        "race kernel=add\n",    "* variable=count line=1-3",
        "leak\nno-such-kind\n", "uninitialized-value message=*copied*",
        "# nothing\n",          "race line=9-1",
        "race kernel",          ""
    };
    const char *text = rules[choose(from, sizeof rules / sizeof *rules)];
    size_t bytes = strlen(text), cut = choose_byte(from);
    const simt_suppression *list = NULL;
    unsigned before = simt_suppressions(m->device, &list);
    simt_status status = simt_suppress(m->device, text, cut < bytes ? cut : bytes, "fuzz");
    unsigned after = simt_suppressions(m->device, &list);
    model_need(m,
               status == SIMT_OK ? after >= before : status == SIMT_BAD_ARGUMENT && after == before,
               "simt_suppress: status %d, %u rules before, %u after", (int)status, before, after);
}

static bool look(void *user, const simt_step *step)
{
    return ++*(unsigned *)user % 64 != 63 && step->written <= SIMT_MAX_WRITTEN;
}

static void call_other(model *m, choices *from, unsigned which)
{
    static unsigned steps;
    static const char *const names[] = { "add", "count", "twice", "", "no such name" };
    unsigned how = choose_byte(from);
    simt_config config;
    switch (which) {
    case 0: model_load(m, how); break;
    case 1:
    case 2:
    case 3:
    case 4: {
        simt_launch_args args = choose_launch(from);
        model_launch(m, &args, how % 3, model_start(m, choose_range(m, from, &(size_t){ 0 })),
                     choose_byte(from), choose_byte(from) == 255);
        break;
    }
    case 5:
        config = choose_config(from);
        model_configure(m, &config);
        break;
    case 6: model_symbol(m, how >> 3, names[(how & 7) % 5]); break;
    case 7: outcome_host(m->device); break;
    case 8: call_suppress(m, from); break;
    case 9: model_leaks(m); break;
    case 10:
        (void)simt_on_step(
            m->device, how & 1 ? &(simt_step_select){ .any_block = true, .warp = how >> 2 } : NULL,
            how & 2 ? look : NULL, &steps);
        break;
    default: model_ask(m, how, choose_byte(from)); break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static model models[DEVICES];
    choices from = { data, data + size };
    for (unsigned k = 0; k < DEVICES; k++)
        model_open(&models[k], choose_config(&from), k);
    for (unsigned calls = 0; calls < MOST_CALLS && !chosen_all(&from); calls++) {
        unsigned which = choose_byte(&from);
        model *m = &models[which >> 7];
        which &= 127;
        if (which == 127) {
            model_close(m);
            model_open(m, choose_config(&from), (unsigned)(m - models));
        } else if (which % 2)
            call_memory(m, &from, which / 2 % 8);
        else
            call_other(m, &from, which / 2 % 12);
    }
    for (unsigned k = 0; k < DEVICES; k++)
        model_close(&models[k]);
    return 0;
}
