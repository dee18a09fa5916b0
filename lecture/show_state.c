/*
 * show_state.c: what show.h says of a state.
 */
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "show.h"

static const char *const value_kinds[] = { "bits", "unsigned", "signed", "float", "predicate" };
static const char *const state_names[] = { "waiting", "running", "spinning", "done" };

/* ---- registers ------------------------------------------------------------------------------- */

static one_register *register_of(registers *all, const char *name)
{
    for (unsigned k = 0; k < all->count; k++)
        if (strcmp(all->of[k].value.name, name) == 0)
            return &all->of[k];
    if (all->count == all->room) {
        const unsigned room = all->room ? 2 * all->room : 64;
        one_register *grown = realloc(all->of, room * sizeof *grown);
        if (!grown)
            return NULL;
        all->of = grown;
        all->room = room;
    }
    all->of[all->count] = (one_register){ .step = 0 };
    return &all->of[all->count++];
}

void registers_take(registers *all, const simt_step *s, unsigned step)
{
    for (unsigned k = 0; k < s->written; k++) {
        const simt_written *v = &s->value[k];
        one_register *r = register_of(all, v->name);
        if (!r)
            return;
        const simt_written before = r->value;
        r->value = *v;
        for (unsigned l = 0; l < 32; l++)
            if (!(s->mask >> l & 1))
                r->value.value[l] = before.value[l];
        r->set |= s->mask;
        r->step = step;
    }
}

void registers_free(registers *all)
{
    free(all->of);
    *all = (registers){ .count = 0 };
}

static void show_value(json *j, const simt_written *v, unsigned lane)
{
    const uint64_t bits = v->value[lane];
    float f;
    double d;

    memcpy(&f, &bits, sizeof f);
    memcpy(&d, &bits, sizeof d);
    if (v->kind == SIMT_VALUE_FLOAT)
        json_float(j, NULL, v->bytes == 8 ? d : (double)f);
    else if (v->kind == SIMT_VALUE_SIGNED && !simt_is_device_address(bits))
        json_signed(j, NULL, v->bytes == 8 ? (int64_t)bits : (int32_t)bits);
    else if (simt_is_device_address(bits))
        json_address(j, NULL, bits);
    else
        json_number(j, NULL, bits);
}

void show_registers(json *j, const registers *all)
{
    json_open(j, "registers", '[');
    for (unsigned k = 0; k < all->count; k++) {
        const one_register *r = &all->of[k];
        json_open(j, NULL, '{');
        json_quoted(j, "name", r->value.name);
        json_quoted(j, "kind", value_kinds[r->value.kind]);
        json_number(j, "step", r->step);
        json_open(j, "values", '[');
        for (unsigned l = 0; l < 32; l++)
            if (r->set >> l & 1)
                show_value(j, &r->value, l);
            else
                json_nothing(j, NULL);
        json_close(j, ']');
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* ---- the step -------------------------------------------------------------------------------- */

static void show_addresses(json *j, const recording *r, const simt_access *a)
{
    int64_t index;
    const bool global = a->space == SIMT_SPACE_GLOBAL;
    const recorded_buffer *b =
        global && a->mask ? words_buffer(r, a->address[__builtin_ctz(a->mask)], 0, &index) : NULL;

    json_quoted(j, "buffer", b ? b->name : "");
    json_open(j, "addresses", '[');
    for (unsigned l = 0; l < 32; l++)
        if (!(a->mask >> l & 1))
            json_nothing(j, NULL);
        else if (b)
            json_signed(j, NULL,
                        (int64_t)(a->address[l] - b->address) /
                            (int64_t)judge_element_bytes(b->type));
        else if (global)
            json_address(j, NULL, a->address[l]);
        else
            json_number(j, NULL, a->address[l]);
    json_close(j, ']');
}

static void show_access(json *j, const recording *r, const simt_access *a)
{
    static const char *const spaces[] = { "", "global", "shared", "local", "parameter" };

    if (a->space == SIMT_SPACE_NONE) {
        json_nothing(j, "access");
        return;
    }
    json_open(j, "access", '{');
    json_quoted(j, "space", spaces[a->space]);
    json_bool(j, "write", a->write);
    json_bool(j, "atomic", a->atomic);
    json_number(j, "bytes", a->bytes);
    show_addresses(j, r, a);
    json_number(j, "wavefronts", a->wavefronts);
    json_number(j, "ideal", a->wavefronts_ideal);
    json_number(j, "sectors", a->sectors);
    json_number(j, "sectors_ideal", a->sectors_ideal);
    json_close(j, '}');
}

void show_step(json *j, const recording *r, const simt_step *s, const step_table *t, unsigned step)
{
    json_number(j, "step", step);
    json_number(j, "launch", t->row[step - 1].launch);
    json_quoted(j, "kernel", s->kernel);
    json_number(j, "block", s->number);
    json_number(j, "warp", s->warp);
    json_number(j, "active", s->active);
    json_number(j, "mask", s->mask);
    json_bool(j, "waits", s->waits);
    json_bool(j, "stopped", s->stopped);
    json_quoted(j, "file", s->file);
    json_number(j, "line", s->line);
    json_number(j, "ptx_line", s->ptx_line);
    json_quoted(j, "text", s->text);
    show_access(j, r, &s->access);
    unsigned tile[TILES_AT_ONCE];
    const unsigned looks = tiles_read(&r->tiles, &s->access, tile);
    json_open(j, "looks", '[');
    for (unsigned k = 0; k < looks; k++)
        json_number(j, NULL, tile[k]);
    json_close(j, ']');
}

/* ---- shared memory, warps, blocks ------------------------------------------------------------ */

static void show_shared_variables(json *j, const simt_device *device, unsigned function)
{
    char name[64];
    size_t offset, bytes;

    json_open(j, "variables", '[');
    for (unsigned k = 0;
         simt_shared_variable(device, function, k, name, sizeof name, &offset, &bytes); k++) {
        json_open(j, NULL, '{');
        json_quoted(j, "name", name);
        json_number(j, "offset", offset);
        json_number(j, "bytes", bytes);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void show_touched(json *j, const simt_access *a)
{
    json_open(j, "touched", '[');
    for (unsigned l = 0; l < 32 && a->space == SIMT_SPACE_SHARED; l++)
        for (unsigned byte = 0; a->mask >> l & 1 && byte < a->bytes; byte += 4) {
            json_open(j, NULL, '[');
            json_number(j, NULL, (a->address[l] + byte) / 4);
            json_number(j, NULL, l);
            json_close(j, ']');
        }
    json_close(j, ']');
}

void show_shared(json *j, const simt_device *device, unsigned function, const simt_step *s)
{
    const size_t bytes = simt_step_shared(device, NULL, NULL, 0);
    uint32_t *word = calloc(bytes / 4 + 1, sizeof *word);
    uint8_t *set = calloc(bytes / 4 + 1, 1);

    if (word && set)
        (void)simt_step_shared(device, word, set, bytes);
    json_open(j, "shared", '{');
    json_number(j, "bytes", bytes);
    show_shared_variables(j, device, function);
    json_open(j, "words", '[');
    for (size_t k = 0; word && set && k < bytes / 4; k++)
        if (set[k])
            json_number(j, NULL, word[k]);
        else
            json_nothing(j, NULL);
    json_close(j, ']');
    show_touched(j, &s->access);
    json_close(j, '}');
    free(word);
    free(set);
}

/* The last step of each warp of the block, up to this one. */
static void last_steps(const step_table *t, unsigned step, unsigned last[32])
{
    const step_row *here = &t->row[step - 1];
    const unsigned first = t->launch[here->launch].first;

    for (; step >= first && step > 0; step--) {
        const step_row *row = &t->row[step - 1];
        if (row->block == here->block && row->warp < 32 && !last[row->warp])
            last[row->warp] = step;
    }
}

void show_warps(json *j, const simt_device *device, const simt_step *s, const step_table *t,
                unsigned step)
{
    unsigned last[32] = { 0 };
    simt_step_warps warps;

    simt_step_block(device, &warps);
    last_steps(t, step, last);
    json_open(j, "warps", '[');
    for (unsigned w = 0; w < 32 && warps.all >> w & 1; w++) {
        const step_row *row = last[w] ? &t->row[last[w] - 1] : NULL;
        const bool waits = row && row->flags & STEP_WAITS;
        json_open(j, NULL, '{');
        json_number(j, "warp", w);
        json_quoted(j, "state",
                    warps.done >> w & 1      ? "done"
                    : warps.blocked >> w & 1 ? "barrier"
                    : waits                  ? "sync"
                                             : "running");
        json_number(j, "active", w == s->warp ? s->active : row ? row->active : 0);
        json_quoted(j, "file", row ? steps_file(t, row) : "");
        json_number(j, "line", row ? row->line : 0);
        json_number(j, "step", last[w]);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void show_blocks(json *j, const step_table *t, unsigned step)
{
    unsigned launch = step ? t->row[step - 1].launch : 0, blocks = 0;

    for (unsigned k = 0; k < t->events; k++)
        if (t->event[k].launch == launch && t->event[k].block >= blocks)
            blocks = t->event[k].block + 1;
    uint8_t *state = calloc(blocks + 1, 1);
    for (unsigned k = 0; state && k < t->events && t->event[k].step <= step; k++)
        if (t->event[k].launch == launch)
            state[t->event[k].block] = (uint8_t)t->event[k].state;
    json_open(j, "blocks", '[');
    for (unsigned b = 0; state && b < blocks; b++)
        json_quoted(j, NULL, state_names[state[b]]);
    json_close(j, ']');
    free(state);
}

/* ---- global memory --------------------------------------------------------------------------- */

static void show_element(json *j, lab_type type, uint64_t bits)
{
    float f;
    double d;

    memcpy(&f, &bits, sizeof f);
    memcpy(&d, &bits, sizeof d);
    switch (type) {
    case LAB_F32: json_float(j, NULL, (double)f); break;
    case LAB_F64: json_float(j, NULL, d); break;
    case LAB_I32: json_signed(j, NULL, (int32_t)bits); break;
    case LAB_I64: json_signed(j, NULL, (int64_t)bits); break;
    case LAB_AFFINE:
        json_open(j, NULL, '[');
        json_number(j, NULL, (uint32_t)bits);
        json_number(j, NULL, bits >> 32);
        json_close(j, ']');
        break;
    case LAB_U32:
    case LAB_U8: json_number(j, NULL, bits); break;
    }
}

void show_buffers(json *j, const recording *r, const simt_device *device, const settings *s)
{
    json_open(j, "buffers", '[');
    for (unsigned b = 0; b < r->buffers; b++) {
        const recorded_buffer *at = &r->buffer[b];
        const size_t size = judge_element_bytes(at->type);
        json_open(j, NULL, '{');
        json_quoted(j, "name", at->name);
        json_number(j, "from", s->view);
        json_open(j, "values", '[');
        for (size_t i = s->view; i < at->length && i - s->view < s->viewed; i++) {
            uint64_t bits = 0;
            if (simt_peek(device, &bits, at->address + i * size, size))
                show_element(j, at->type, bits);
            else
                json_nothing(j, NULL);
        }
        json_close(j, ']');
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* The block that was the last to give the tile its state. */
static unsigned owner_of(const tile_table *t, unsigned tile, unsigned step)
{
    unsigned block = 0;
    for (unsigned k = 0; k < t->events && t->event[k].step <= step; k++)
        if (t->event[k].tile == tile)
            block = t->event[k].block;
    return block;
}

void show_tiles(json *j, const recorded_tiles *what, const simt_device *device, const tile_table *t,
                unsigned step)
{
    json_open(j, "tiles", '[');
    for (size_t k = 0; k < what->count; k++) {
        uint64_t word = 0;
        if (!simt_peek(device, &word, what->address + k * what->stride, what->stride >= 8 ? 8 : 4))
            break;
        const char state = tiles_state(what, word);
        json_open(j, NULL, '{');
        json_quoted(j, "state", (char[]){ state, '\0' });
        json_address(j, "word", word);
        if (state == 'X')
            json_nothing(j, "block");
        else
            json_number(j, "block", owner_of(t, (unsigned)k, step));
        json_close(j, '}');
    }
    json_close(j, ']');
}

void show_found_so_far(json *j, const found *all, const step_table *t, unsigned step)
{
    json_open(j, "findings", '[');
    for (unsigned k = 0; k < all->count; k++) {
        const unsigned at = steps_of_finding(t, &all->finding[k]);
        if (at && at <= step)
            json_number(j, NULL, k);
    }
    json_close(j, ']');
}

void show_nothing(json *j, const recording *r, const simt_device *device, const settings *s)
{
    static const char *const lists[] = { "registers", "warps", "tiles", "looks" };

    json_number(j, "step", 0);
    json_number(j, "launch", 0);
    json_quoted(j, "kernel", "");
    json_nothing(j, "block");
    json_nothing(j, "warp");
    json_number(j, "active", 0);
    json_number(j, "mask", 0);
    json_bool(j, "waits", false);
    json_bool(j, "stopped", false);
    json_quoted(j, "file", "");
    json_number(j, "line", 0);
    json_number(j, "ptx_line", 0);
    json_quoted(j, "text", "");
    json_nothing(j, "access");
    for (unsigned k = 0; k < sizeof lists / sizeof *lists; k++) {
        json_open(j, lists[k], '[');
        json_close(j, ']');
    }
    json_open(j, "shared", '{');
    json_number(j, "bytes", 0);
    for (unsigned k = 0; k < 3; k++) {
        json_open(j, (const char *[]){ "variables", "words", "touched" }[k], '[');
        json_close(j, ']');
    }
    json_close(j, '}');
    show_buffers(j, r, device, s);
}
