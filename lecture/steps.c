/*
 * steps.c: see steps.h.
 */
#include "steps.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more in an array; false: no memory. */
static bool grow(void **array, unsigned *room, unsigned count, size_t size)
{
    if (count < *room)
        return true;
    const unsigned more = *room ? 2 * *room : 256;
    void *grown = realloc(*array, more * size);
    if (!grown)
        return false;
    *array = grown;
    *room = more;
    return true;
}

/* ---- what blocks do -------------------------------------------------------------------------- */

enum { WARPS = 32, MOST_BLOCKS = 1 << 12, SPINS_FROM = 2 };

static void enter(step_table *t, unsigned step, unsigned block, simt_block_state state)
{
    if (t->event_room == 0 || t->state[block] != state ||
        step == t->launch[t->launches - 1].first) {
        if (!grow((void **)&t->event, &t->event_room, t->events, sizeof *t->event))
            return;
        t->event[t->events++] = (block_event){ step, t->launches - 1, block, state };
    }
    t->state[block] = state;
}

static void watch_blocks(step_table *t, uint64_t blocks)
{
    free(t->state);
    free(t->looks);
    t->blocks = blocks > MOST_BLOCKS ? 0 : (unsigned)blocks;
    t->state = calloc(t->blocks + 1, sizeof *t->state);
    t->looks = calloc(t->blocks * WARPS + 1, sizeof *t->looks);
    if (!t->state || !t->looks)
        t->blocks = 0;
    for (unsigned b = 0; b < t->blocks; b++)
        enter(t, t->count + 1, b, SIMT_BLOCK_WAITING);
}

static uint64_t hash(uint64_t h, uint64_t value) { return (h ^ value) * 0x100000001b3ull; }

/* What the step has read, and where. */
static uint64_t what_is_read(const simt_step *s)
{
    uint64_t h = 0xcbf29ce484222325ull;

    for (unsigned l = 0; l < 32; l++) {
        if (!(s->access.mask >> l & 1))
            continue;
        h = hash(h, s->access.address[l]);
        for (unsigned k = 0; k < s->written; k++)
            h = hash(h, s->value[k].value[l]);
    }
    return h;
}

static void note_look(warp_looks *w, const simt_step *s)
{
    const simt_access *a = &s->access;
    const uint64_t what = what_is_read(s);
    unsigned k = 0;

    if (a->write && !a->atomic && a->space != SIMT_SPACE_NONE)
        *w = (warp_looks){ .spins = false };
    if (a->space != SIMT_SPACE_GLOBAL || (a->write && !a->atomic))
        return;
    while (k < LOOKS - 1 && w->look[k].ptx_line && w->look[k].ptx_line != s->ptx_line)
        k++;
    if (w->look[k].ptx_line == s->ptx_line && w->look[k].what == what)
        w->look[k].again++;
    else
        w->look[k].again = 0;
    w->look[k].ptx_line = s->ptx_line;
    w->look[k].what = what;
    w->spins = w->look[k].again >= SPINS_FROM;
}

/* Is it the end of its warp? */
static bool leaves(const simt_step *s)
{
    return (strncmp(s->text, "ret;", 4) == 0 || strncmp(s->text, "exit;", 5) == 0) && !s->waits;
}

static void note_block(step_table *t, const simt_step *s, const simt_step_warps *warps)
{
    if (s->number >= t->blocks)
        return;
    warp_looks *looks = &t->looks[s->number * WARPS];
    const uint32_t here = 1u << s->warp, done = warps->done | (leaves(s) ? here : 0);
    bool spins = false, runs = false;

    note_look(&looks[s->warp], s);
    for (unsigned w = 0; w < WARPS; w++) {
        if (!((warps->all & ~done & ~warps->blocked) >> w & 1))
            continue;
        spins |= looks[w].spins;
        runs |= !looks[w].spins;
    }
    enter(t, t->count, (unsigned)s->number,
          done == warps->all ? SIMT_BLOCK_DONE
          : spins && !runs   ? SIMT_BLOCK_SPINNING
                             : SIMT_BLOCK_RUNNING);
}

/* ---- the table ------------------------------------------------------------------------------- */

void steps_launch(step_table *t, uint64_t blocks)
{
    launch_steps *grown = realloc(t->launch, (t->launches + 1) * sizeof *grown);

    if (!grown) {
        t->cut = true;
        return;
    }
    t->launch = grown;
    t->launch[t->launches++] = (launch_steps){ .first = t->count + 1 };
    t->findings = 0;
    watch_blocks(t, blocks);
}

static int file_of(step_table *t, const char *name)
{
    unsigned k = 0;

    if (!*name)
        return -1;
    while (k < t->files && strcmp(t->file[k], name) != 0)
        k++;
    if (k == STEP_FILES)
        return -1;
    if (k == t->files)
        strncpy(t->file[t->files++], name, sizeof t->file[0] - 1);
    return (int)k;
}

static uint8_t flags_of(const step_table *t, const simt_step *s)
{
    return (uint8_t)((s->meets ? STEP_BARRIER : 0) | (s->findings > t->findings ? STEP_FOUND : 0) |
                     (s->waits ? STEP_WAITS : 0) | (s->stopped ? STEP_STOPPED : 0) |
                     (s->access.space == SIMT_SPACE_SHARED ? STEP_SHARED : 0) |
                     (s->access.space == SIMT_SPACE_GLOBAL ? STEP_GLOBAL : 0) |
                     (s->access.write ? STEP_WRITES : 0));
}

void steps_add(step_table *t, const simt_step *s, const simt_step_warps *warps)
{
    t->cut |= t->count == STEPS_MOST;
    if (t->cut || !grow((void **)&t->row, &t->room, t->count, sizeof *t->row)) {
        t->cut = true;
        return;
    }
    t->row[t->count++] = (step_row){ .block = (uint32_t)s->number,
                                     .active = s->active,
                                     .mask = s->mask,
                                     .line = s->line,
                                     .ptx_line = s->ptx_line,
                                     .launch = (uint16_t)(t->launches - 1),
                                     .file = (int8_t)file_of(t, s->file),
                                     .warp = (uint8_t)s->warp,
                                     .flags = flags_of(t, s) };
    t->launch[t->launches - 1].count++;
    t->findings = s->findings;
    note_block(t, s, warps);
}

void steps_free(step_table *t)
{
    free(t->row);
    free(t->launch);
    free(t->event);
    free(t->state);
    free(t->looks);
    *t = (step_table){ .count = 0 };
}

const char *steps_file(const step_table *t, const step_row *row)
{
    return row->file < 0 ? "" : t->file[row->file];
}

/* ---- looking for one ------------------------------------------------------------------------- */

static bool is_elsewhere(const step_row *a, const step_row *b)
{
    return a->line != b->line || a->file != b->file || a->block != b->block || a->warp != b->warp ||
           a->launch != b->launch;
}

static bool fits(const step_table *t, unsigned step, unsigned from, lecture_what what)
{
    const step_row *row = &t->row[step - 1];

    switch (what) {
    case LECTURE_INSTRUCTION: return true;
    case LECTURE_LINE: return from == 0 || is_elsewhere(row, &t->row[from - 1]);
    case LECTURE_BARRIER: return row->flags & STEP_BARRIER;
    case LECTURE_FINDING: return row->flags & STEP_FOUND;
    }
    return false;
}

unsigned steps_find(const step_table *t, unsigned from, int direction, lecture_what what, int block,
                    int warp)
{
    if (from > t->count)
        from = direction < 0 ? t->count + 1 : t->count;
    for (unsigned step = from; direction < 0 ? step-- > 1 : step++ < t->count;) {
        const step_row *row = &t->row[step - 1];
        if ((block < 0 || row->block == (uint32_t)block) && (warp < 0 || row->warp == warp) &&
            fits(t, step, from > t->count ? 0 : from, what))
            return step;
    }
    return 0;
}

unsigned steps_of_finding(const step_table *t, const simt_finding *f)
{
    for (unsigned step = 1; step <= t->count; step++) {
        const step_row *row = &t->row[step - 1];
        if (row->flags & STEP_FOUND && row->ptx_line == f->at.ptx_line && row->warp == f->at.warp)
            return step;
    }
    return f->fatal ? t->count : 0; /* at the end of a run that could not go on */
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static size_t word_bytes(const recorded_tiles *what) { return what->stride >= 8 ? 8 : 4; }

uint64_t tiles_word(const recorded_tiles *what, const uint8_t *all, size_t tile)
{
    uint64_t word = 0;
    memcpy(&word, all + tile * what->stride, word_bytes(what));
    return word;
}

char tiles_state(const recorded_tiles *what, uint64_t word)
{
    const uint64_t status = word >> what->shift & what->mask;
    return status == what->prefix ? 'P' : status == what->aggregate ? 'A' : 'X';
}

/* All but what lies between the last word and the end of its stride. */
static size_t bytes_of(const recorded_tiles *what)
{
    return what->count ? (what->count - 1) * what->stride + word_bytes(what) : 0;
}

void tiles_launch(tile_table *t, simt_device *device, const recorded_tiles *what)
{
    free(t->now);
    t->now = malloc(bytes_of(what) + 1);
    t->live = t->now && what->count && simt_peek(device, t->now, what->address, bytes_of(what));
}

static void add_event(tile_table *t, tile_event e)
{
    if (t->events < MOST_TILE_EVENTS &&
        grow((void **)&t->event, &t->event_room, t->events, sizeof e))
        t->event[t->events++] = e;
}

static void add_look(tile_table *t, tile_look look, const unsigned *tile)
{
    if (t->looks == MOST_TILE_EVENTS ||
        !grow((void **)&t->look, &t->look_room, t->looks, sizeof look))
        return;
    look.first = t->tiles;
    for (unsigned k = 0; k < look.count; k++)
        if (grow((void **)&t->tile, &t->tile_room, t->tiles, sizeof *tile))
            t->tile[t->tiles++] = tile[k];
    look.count = t->tiles - look.first;
    t->look[t->looks++] = look;
}

unsigned tiles_read(const recorded_tiles *what, const simt_access *a, unsigned tile[TILES_AT_ONCE])
{
    unsigned count = 0;

    if (a->space != SIMT_SPACE_GLOBAL || (a->write && !a->atomic) || !what->count)
        return 0;
    for (unsigned l = 0; l < 32; l++) {
        const uint64_t offset = a->address[l] - what->address;
        const unsigned one = (unsigned)(offset / what->stride);
        if (!(a->mask >> l & 1) || offset >= what->stride * what->count)
            continue;
        unsigned k = 0;
        while (k < count && tile[k] != one)
            k++;
        if (k == count && count < TILES_AT_ONCE)
            tile[count++] = one;
    }
    return count;
}

void tiles_look(tile_table *t, simt_device *device, const recorded_tiles *what, const simt_step *s,
                unsigned step)
{
    unsigned tile[TILES_AT_ONCE];
    uint8_t word[8];

    if (!t->live)
        return;
    const unsigned count = tiles_read(what, &s->access, tile);
    if (count)
        add_look(t, (tile_look){ .step = step, .block = (unsigned)s->number, .count = count },
                 tile);
    for (size_t k = 0; k < what->count; k++) {
        uint8_t *kept = t->now + k * what->stride;
        if (!simt_peek(device, word, what->address + k * what->stride, word_bytes(what)) ||
            memcmp(kept, word, word_bytes(what)) == 0)
            continue;
        const char before = tiles_state(what, tiles_word(what, t->now, k));
        memcpy(kept, word, word_bytes(what));
        const char now = tiles_state(what, tiles_word(what, t->now, k));
        if (now != before)
            add_event(t, (tile_event){ step, (unsigned)k, (unsigned)s->number, now });
    }
}

void tiles_free(tile_table *t)
{
    free(t->now);
    free(t->event);
    free(t->look);
    free(t->tile);
    *t = (tile_table){ .events = 0 };
}
