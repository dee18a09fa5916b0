/*
 * facade.c: see facade.h. A run fills in the table of steps and what is said of the whole; a state
 * is made by playing the recording again, up to its step.
 */
#include "facade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counted.h"
#include "json.h"
#include "play.h"
#include "show.h"
#include "steps.h"
#include "words.h"

enum { MOST_LOOKS = 1 << 14 }; /* and events of tiles; later ones are left out */

static char *room;
static size_t room_bytes;
static json answer;
static char problem[RECORDING_ERROR];

static recording program;
static bool loaded;
static settings chosen;

/* ---- the run --------------------------------------------------------------------------------- */

static struct {
    bool done; /* with the settings as they are now */
    step_table steps;
    tile_table tiles;
    show_launch *launch;
    unsigned launches;
    show_lines lines;
    found found;
    simt_counts counts;
    char schedule[160], answer[160];
    bool stopped, refused, checked;
    size_t wrong;
} ran;

static void forget_run(void)
{
    for (unsigned k = 0; k < ran.launches; k++)
        show_launch_free(&ran.launch[k]);
    free(ran.launch);
    steps_free(&ran.steps);
    tiles_free(&ran.tiles);
    show_lines_free(&ran.lines);
    memset(&ran, 0, sizeof ran);
}

static const char *failed(const char *what)
{
    json_begin(&answer);
    json_open(&answer, NULL, '{');
    json_quoted(&answer, "error", what);
    json_close(&answer, '}');
    return json_text(&answer);
}

static simt_device *playing; /* while kernels of the run are shown */

static bool see_step(void *user, const simt_step *s)
{
    simt_step_warps warps;

    (void)user;
    simt_step_block(playing, &warps);
    steps_add(&ran.steps, s, &warps);
    tiles_look(&ran.tiles, playing, &program.tiles, s, ran.steps.count);
    return true;
}

static bool begins(void *user, simt_device *device, const played_launch *l)
{
    const simt_dim *grid = &l->op->grid;

    (void)user;
    playing = device;
    steps_launch(&ran.steps, (uint64_t)grid->x * grid->y * grid->z);
    tiles_launch(&ran.tiles, device, &program.tiles);
    return true;
}

static bool launched(void *user, simt_device *device, const played_launch *l)
{
    show_launch *grown = realloc(ran.launch, (ran.launches + 1) * sizeof *grown);

    (void)user;
    if (!grown)
        return false;
    ran.launch = grown;
    show_launch_keep(&ran.launch[ran.launches++], device, l);
    ran.stopped |= l->status == SIMT_FAULT;
    ran.refused |= !l->report;
    if (!l->report)
        return true;
    snprintf(ran.schedule, sizeof ran.schedule, "%s", l->report->schedule);
    simt_counts_add(&ran.counts, &l->report->counts);
    show_lines_add(&ran.lines, l->report);
    for (unsigned k = 0; k < l->report->findings; k++)
        words_keep(&ran.found, &l->report->finding[k]);
    return true;
}

static void ended(void *user, simt_device *device)
{
    (void)user;
    words_end(&ran.found, device);
    ran.checked = show_check(&program, device, &ran.wrong, ran.answer, sizeof ran.answer);
}

static play new_play(void) { return (play){ .recording = &program, .config = chosen.config }; }

/* False, and a message, if there is none. */
static bool have_run(void)
{
    play p = new_play();

    if (!loaded)
        snprintf(problem, sizeof problem, "no recording is loaded");
    if (!loaded || ran.done)
        return loaded;
    forget_run();
    p.step = see_step;
    p.begins = begins;
    p.launched = launched;
    p.ended = ended;
    ran.done = play_all(&p);
    snprintf(problem, sizeof problem, "%s", p.error);
    return ran.done;
}

/* ---- states ---------------------------------------------------------------------------------- */

typedef struct shown_warp {
    uint32_t block;
    uint8_t warp;
    registers registers;
} shown_warp;

static struct {
    unsigned wanted[LECTURE_STATES], count, next; /* steps, ascending, but for 0 of one launch */
    unsigned launch, seen;                        /* that one, and its steps so far */
    shown_warp warp[LECTURE_STATES];              /* of the steps that are wanted */
    unsigned warps;
    simt_counts before; /* of the launches before */
    unsigned function;
} states;

static void want_warp(const step_row *row)
{
    for (unsigned w = 0; w < states.warps; w++)
        if (states.warp[w].block == row->block && states.warp[w].warp == row->warp)
            return;
    states.warp[states.warps++] = (shown_warp){ .block = row->block, .warp = row->warp };
}

static const registers *registers_of(const step_row *row)
{
    unsigned w = 0;

    while (states.warp[w].block != row->block || states.warp[w].warp != row->warp)
        w++;
    return &states.warp[w].registers;
}

static void show_end(unsigned step, const simt_counts *counts)
{
    show_blocks(&answer, &ran.steps, step);
    show_counts(&answer, counts);
    show_gates(&answer, &program, counts);
    show_found_so_far(&answer, &ran.found, &ran.steps, step);
    json_close(&answer, '}');
    states.next++;
}

static bool capture(void *user, const simt_step *s)
{
    const unsigned step = ran.steps.launch[states.launch].first + states.seen++;
    simt_counts counts, all = states.before;

    (void)user;
    for (unsigned w = 0; w < states.warps; w++)
        if (s->number == states.warp[w].block && s->warp == states.warp[w].warp)
            registers_take(&states.warp[w].registers, s, step);
    if (step < states.wanted[states.next])
        return true;
    json_open(&answer, NULL, '{');
    show_step(&answer, &program, s, &ran.steps, step);
    show_registers(&answer, registers_of(&ran.steps.row[step - 1]));
    show_shared(&answer, playing, states.function, s);
    show_warps(&answer, playing, s, &ran.steps, step);
    show_buffers(&answer, &program, playing, &chosen);
    show_tiles(&answer, &program.tiles, playing, &ran.tiles, step);
    simt_step_counts(playing, &counts);
    simt_counts_add(&all, &counts);
    show_end(step, &all);
    return states.next < states.count;
}

/* Launches before that of the steps run as they are. */
static bool state_begins(void *user, simt_device *device, const played_launch *l)
{
    (void)user;
    playing = device;
    states.function = l->function;
    if (states.wanted[states.next] == 0) {
        json_open(&answer, NULL, '{');
        show_nothing(&answer, &program, device, &chosen);
        show_end(0, &states.before);
    }
    if (states.next == states.count)
        return false;
    return l->index != states.launch ||
           simt_on_step(device, &(simt_step_select){ .any_block = true, .any_warp = true }, capture,
                        NULL) == SIMT_OK;
}

static bool state_launched(void *user, simt_device *device, const played_launch *l)
{
    (void)user;
    (void)device;
    if (l->index == states.launch)
        return false;
    if (l->report)
        simt_counts_add(&states.before, &l->report->counts);
    return true;
}

/* Those that are wanted, one after the other; null, or an error. */
static const char *show_states(void)
{
    const unsigned last = states.wanted[states.count - 1];
    play p = new_play();

    states.launch = last ? ran.steps.row[last - 1].launch : 0;
    for (unsigned k = 0; k < states.count; k++)
        if (states.wanted[k])
            want_warp(&ran.steps.row[states.wanted[k] - 1]);
    p.begins = state_begins;
    p.launched = state_launched;
    const bool played = play_all(&p);
    for (unsigned w = 0; w < states.warps; w++)
        registers_free(&states.warp[w].registers);
    return !played ? failed(p.error)
           : states.next < states.count
               ? failed("the run was another one this time: this is a mistake of the kit")
               : NULL;
}

const char *lecture_state(unsigned step)
{
    if (!have_run())
        return failed(problem);
    if (step > ran.steps.count)
        return failed("there is no such step");
    memset(&states, 0, sizeof states);
    states.wanted[states.count++] = step;
    json_begin(&answer);
    const char *const error = show_states();
    return error ? error : json_text(&answer);
}

const char *lecture_states(size_t bytes)
{
    unsigned step, last = 0;

    if (!room || !have_run())
        return failed(problem);
    room[bytes] = '\0';
    for (const char *at = room; sscanf(at, "%u", &last) == 1; at += strspn(at, "0123456789"))
        at += strspn(at, " ");
    if (last > ran.steps.count)
        return failed("there is no such step");
    memset(&states, 0, sizeof states);
    for (char *at = room, *end; step = (unsigned)strtoul(at, &end, 10), end != at; at = end) {
        const bool rises = !states.count || states.wanted[states.count - 1] < step;
        const bool here = step == 0 || (step <= last && ran.steps.row[step - 1].launch ==
                                                            ran.steps.row[last - 1].launch);
        if (rises && here && states.count < LECTURE_STATES)
            states.wanted[states.count++] = step;
    }
    if (!states.count || states.wanted[states.count - 1] != last)
        return failed("these are no steps in their order");
    json_begin(&answer);
    json_open(&answer, NULL, '{');
    json_open(&answer, "states", '[');
    const char *const error = show_states();
    if (error)
        return error;
    json_close(&answer, ']');
    json_close(&answer, '}');
    return json_text(&answer);
}

/* ---- the other answers ----------------------------------------------------------------------- */

char *lecture_room(size_t bytes)
{
    if (bytes + 1 > room_bytes) {
        free(room);
        room = malloc(bytes + 1);
        room_bytes = room ? bytes + 1 : 0;
    }
    if (room)
        room[bytes] = '\0';
    return room;
}

const char *lecture_load(size_t bytes)
{
    forget_run();
    recording_free(&program);
    loaded = room && recording_read(&program, room, bytes, problem);
    if (!loaded)
        return failed(problem);
    chosen = program.settings;
    json_begin(&answer);
    json_open(&answer, NULL, '{');
    show_program(&answer, &program);
    show_settings(&answer, "settings", &chosen, true);
    json_close(&answer, '}');
    return json_text(&answer);
}

const char *lecture_set(size_t bytes)
{
    const settings before = chosen;

    if (!room || !loaded)
        return failed("no recording is loaded");
    room[bytes] = '\0';
    char *reset = strstr(room, "reset=1");
    if (reset) {
        chosen = program.settings;
        memset(reset, ' ', strlen("reset=1"));
    }
    if (!settings_take(&chosen, room, problem)) {
        chosen = before;
        return failed(problem);
    }
    ran.done &= settings_equal(&before, &chosen);
    json_begin(&answer);
    show_settings(&answer, NULL, &chosen, settings_equal(&chosen, &program.settings));
    return json_text(&answer);
}

const char *lecture_run(void)
{
    if (!have_run())
        return failed(problem);
    json_begin(&answer);
    json_open(&answer, NULL, '{');
    json_number(&answer, "steps", ran.steps.count);
    json_bool(&answer, "cut", ran.steps.cut);
    json_quoted(&answer, "end", ran.stopped ? "stopped" : ran.refused ? "refused" : "finished");
    json_quoted(&answer, "schedule", ran.schedule);
    show_launches(&answer, &program, ran.launch, ran.launches, &ran.steps);
    show_counts(&answer, &ran.counts);
    show_gates(&answer, &program, &ran.counts);
    show_lines_all(&answer, &ran.lines);
    show_findings(&answer, &program, &ran.found, &ran.steps);
    if (ran.checked) {
        json_open(&answer, "answer", '{');
        json_bool(&answer, "right", ran.wrong == 0);
        json_number(&answer, "wrong", ran.wrong);
        json_quoted(&answer, "what", ran.answer);
        json_close(&answer, '}');
    } else {
        json_nothing(&answer, "answer");
    }
    show_tile_events(&answer, &ran.tiles);
    json_close(&answer, '}');
    return json_text(&answer);
}

const char *lecture_steps(unsigned from, unsigned count)
{
    if (!have_run())
        return failed(problem);
    json_begin(&answer);
    show_table(&answer, &ran.steps, from, count);
    return json_text(&answer);
}

const char *lecture_find(unsigned from, int direction, lecture_what what, int block, int warp)
{
    if (!have_run())
        return failed(problem);
    const unsigned step = steps_find(&ran.steps, from, direction, what, block, warp);
    json_begin(&answer);
    json_open(&answer, NULL, '{');
    if (step)
        json_number(&answer, "step", step);
    else
        json_nothing(&answer, "step");
    json_close(&answer, '}');
    return json_text(&answer);
}

/* ---- additions ------------------------------------------------------------------------------- */

static show_network network;

static bool network_launched(void *user, simt_device *device, const played_launch *l)
{
    (void)user;
    (void)device;
    if (l->report)
        show_network_add(&network, l->report, &ran.steps, l->index);
    return true;
}

const char *lecture_network(void)
{
    play p = new_play();

    if (!have_run())
        return failed(problem);
    show_network_free(&network);
    p.config.trace = SIMT_TRACE_ADDS;
    p.launched = network_launched;
    if (!play_all(&p))
        return failed(p.error);
    json_begin(&answer);
    show_network_all(&answer, &program, &network);
    return json_text(&answer);
}

const char *lecture_last_words(void) { return play_last_words(); }
