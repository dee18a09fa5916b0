/*
 * play.c: see play.h.
 */
#include "play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static simt_device *device; /* of the play that is on */

const char *play_last_words(void) { return device ? simt_error(device) : ""; }

static bool fail(play *p, const char *what)
{
    snprintf(p->error, sizeof p->error, "%s: %.140s", what, simt_error(device));
    return false;
}

/* The last module that has the kernel. */
static bool find_kernel(const recorded_op *op, unsigned modules, simt_function_info *info)
{
    while (modules-- > 0)
        if (simt_function(device, modules, op->kernel, info) == SIMT_OK)
            return true;
    return false;
}

static bool launch(play *p, played_launch *l, unsigned modules, bool *goes_on)
{
    static simt_report report;
    simt_function_info info;

    if (!find_kernel(l->op, modules, &info))
        return fail(p, "a kernel is missing");
    const simt_launch_args args = { .function = info.function,
                                    .grid = l->op->grid,
                                    .block = l->op->block,
                                    .dynamic_shared = l->op->dynamic_shared,
                                    .params = l->op->data,
                                    .param_bytes = l->op->bytes,
                                    .cooperative = l->op->cooperative };
    l->function = info.function;
    *goes_on = !p->begins || p->begins(p->user, device, l);
    if (!*goes_on)
        return true;
    l->status = simt_launch(device, &args, &report);
    l->report = l->status == SIMT_OK || l->status == SIMT_FAULT ? &report : NULL;
    *goes_on = p->launched(p->user, device, l) && l->status != SIMT_FAULT;
    l->index++;
    return true;
}

/* In one call, as it was: the engine puts together what it finds in a call. */
static bool read_all(play *p, const recorded_op *op)
{
    void *here = malloc(op->bytes + 1);
    if (!here)
        return fail(p, "there is not enough memory");
    (void)simt_read(device, here, op->address, op->bytes);
    free(here);
    return true;
}

static bool host_call(play *p, const recorded_op *op)
{
    simt_addr address = op->address;
    unsigned module;

    switch (op->kind) {
    case RECORDED_MODULE:
        return simt_module_load(device, (const char *)op->data, op->bytes, "module", &module) ==
                   SIMT_OK ||
               fail(p, "the PTX is not taken");
    case RECORDED_ALLOC:
        if (simt_alloc(device, op->bytes, &address) != SIMT_OK)
            return fail(p, "an allocation fails");
        if (address == op->address)
            return true;
        snprintf(p->error, sizeof p->error, "an allocation is at another address than recorded");
        return false;
    case RECORDED_FREE: (void)simt_free(device, address); break;
    case RECORDED_DATA: (void)simt_mark_data(device, address); break;
    case RECORDED_FORGET: (void)simt_forget(device, address, op->bytes); break;
    case RECORDED_WRITE: (void)simt_write(device, address, op->data, op->bytes); break;
    case RECORDED_FILL: (void)simt_fill(device, address, op->value, op->bytes); break;
    case RECORDED_COPY: (void)simt_copy(device, address, op->from, op->bytes); break;
    case RECORDED_READ: return read_all(p, op);
    case RECORDED_LAUNCH: break;
    }
    return true; /* what the host does wrong is a finding */
}

bool play_all(play *p)
{
    const recording *r = p->recording;
    played_launch l = { .index = 0 };
    unsigned modules = 0;
    bool good, goes_on = true;

    simt_close(device); /* that of a play which did not come to its end */
    device = NULL;
    p->config.memory = r->memory;
    p->config.host_threads = 1;
    good = simt_open(&p->config, &device) == SIMT_OK || fail(p, "the engine does not open");
    if (good && p->step)
        good = simt_on_step(device, &(simt_step_select){ .any_block = true, .any_warp = true },
                            p->step, p->user) == SIMT_OK;
    for (unsigned k = 0; k < r->ops && good && goes_on; k++) {
        l.op = &r->op[k];
        modules += l.op->kind == RECORDED_MODULE;
        good =
            l.op->kind == RECORDED_LAUNCH ? launch(p, &l, modules, &goes_on) : host_call(p, l.op);
    }
    if (good && p->ended)
        p->ended(p->user, device);
    simt_close(device);
    device = NULL;
    return good;
}
