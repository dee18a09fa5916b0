/*
 * steps.c: the trace: one line for each instruction of the chosen warps, under the source line that
 * it belongs to. See watch_parts.h.
 *
 *     block/warp  source line  lanes that execute it  PTX  what they have written
 */
#include <inttypes.h>
#include <string.h>

#include "tell.h"
#include "fit.h"
#include "watch_parts.h"

static const settings *set;
static uint64_t seen, shown, waited;
static uint64_t last_launch;
static simt_dim last_block;
static unsigned last_warp, last_line;
static char last_file[128];

void steps_begin(const settings *s) { set = s; }

/* ---- values ---------------------------------------------------------------------------------- */

static double as_double(const simt_written *v, unsigned lane)
{
    float f;
    double d;
    uint32_t bits = (uint32_t)v->value[lane];
    if (v->bytes == 8)
        return memcpy(&d, &v->value[lane], 8), d;
    return memcpy(&f, &bits, 4), (double)f;
}

static int64_t as_integer(const simt_written *v, unsigned lane)
{
    return v->bytes == 4 && v->kind == SIMT_VALUE_SIGNED ? (int32_t)(uint32_t)v->value[lane]
                                                         : (int64_t)v->value[lane];
}

static void value_text(const simt_written *v, unsigned lane, char *text, size_t room)
{
    uint64_t bits = v->value[lane];
    if (v->kind == SIMT_VALUE_FLOAT)
        snprintf(text, room, v->bytes == 8 ? "%.12g" : "%.7g", as_double(v, lane));
    else if (v->kind == SIMT_VALUE_SIGNED &&
             (simt_is_device_address(bits) == false || v->bytes == 4))
        snprintf(text, room, "%" PRId64, as_integer(v, lane));
    else if (v->kind == SIMT_VALUE_PREDICATE || bits < 1u << 20 ||
             (v->kind == SIMT_VALUE_UNSIGNED && v->bytes == 4))
        snprintf(text, room, "%" PRIu64, bits);
    else
        snprintf(text, room, "0x%" PRIx64, bits);
}

/* The step from lane to lane, the same for all lanes of mask, as of an index or an address; false:
   there is none. */
static bool progression(const simt_written *v, uint32_t mask, double *step)
{
    unsigned before = 32, n = 0;
    for (unsigned l = 0; l < 32; l++) {
        if (!(mask >> l & 1))
            continue;
        if (before < 32) {
            double now = v->kind == SIMT_VALUE_FLOAT
                             ? as_double(v, l) - as_double(v, before)
                             : (double)(as_integer(v, l) - as_integer(v, before));
            if (n++ == 0)
                *step = now;
            if (!(now == *step) || (now != 0 && l != before + 1))
                return false;
        }
        before = l;
    }
    return n > 0;
}

/* "%r2 = 7", the same in all lanes; "%r4 = 0 1 .. 31"; "%f1 = 3 -1 4 1 .."; a predicate's lanes as
   a mask. */
static void summary(const simt_written *v, uint32_t mask, char *text, size_t room)
{
    char value[40];
    unsigned first = (unsigned)__builtin_ctz(mask), last = 31 - (unsigned)__builtin_clz(mask);
    double step = 0;
    if (v->kind == SIMT_VALUE_PREDICATE) {
        uint32_t lanes = 0;
        for (unsigned l = 0; l < 32; l++)
            lanes |= (uint32_t)(v->value[l] & mask >> l & 1) << l;
        snprintf(text, room, "%s = %08x", v->name, lanes);
        return;
    }
    value_text(v, first, value, sizeof value);
    int n = snprintf(text, room, "%s = %s", v->name, value);
    if (progression(v, mask, &step) && step == 0)
        return;
    if (step != 0 && last - first >= 2 && progression(v, mask, &step)) {
        value_text(v, first + 1, value, sizeof value);
        n += snprintf(text + n, room - (size_t)n, " %s", value);
        value_text(v, last, value, sizeof value);
        snprintf(text + n, room - (size_t)n, " .. %s", value);
        return;
    }
    unsigned shown = 1, all = (unsigned)__builtin_popcount(mask);
    for (unsigned l = first + 1; l < 32 && shown < 4; l++) {
        if (!(mask >> l & 1))
            continue;
        value_text(v, l, value, sizeof value);
        n += snprintf(text + n, room - (size_t)n, " %s", value);
        shown++;
    }
    if (shown < all)
        snprintf(text + n, room - (size_t)n, " ..");
}

static void one_lane(const simt_written *v, uint32_t mask, unsigned lane, char *text, size_t room)
{
    char value[40] = "(not executed)";
    if (mask >> lane & 1)
        value_text(v, lane, value, sizeof value);
    snprintf(text, room, "%s = %s", v->name, value);
}

static void all_lanes(const simt_written *v, uint32_t mask)
{
    for (unsigned l = 0; l < 32; l++) {
        char value[40] = "-";
        if (mask >> l & 1)
            value_text(v, l, value, sizeof value);
        if (l % 8 == 0)
            fprintf(tell_stream, "      %-8s lanes %2u-%-2u", l ? "" : v->name, l, l + 7);
        fprintf(tell_stream, " %s%s", value, l % 8 == 7 ? "\n" : "");
    }
}

/* ---- one instruction ------------------------------------------------------------------------- */

static bool chosen(const simt_step *s)
{
    if (set->launch && s->launch != set->launch)
        return false;
    if (set->kernel[0] && strcmp(set->kernel, s->kernel) != 0)
        return false;
    return (!set->from || s->line >= set->from) && (!set->to || s->line <= set->to);
}

/* What has changed since the last line: launch, or source line with its text. */
static void heading(const simt_step *s)
{
    char text[300];
    bool fresh = s->launch != last_launch;
    if (fresh) {
        fprintf(tell_stream, "%s%slaunch %llu, kernel %s%s\n", shown ? "\n" : "",
                tell_begin(TELL_STRONG), (unsigned long long)s->launch, s->kernel, tell_end());
        if (!shown)
            fprintf(tell_stream, "%sblk/wp  line lanes    instruction, and what it has written%s\n",
                    tell_begin(TELL_FAINT), tell_end());
    }
    bool other = fresh || memcmp(&last_block, &s->block, sizeof last_block) != 0 ||
                 last_warp != s->warp || last_line != s->line || strcmp(last_file, s->file) != 0;
    if (other && s->line && source_line(s->file, s->line, text, sizeof text))
        fprintf(tell_stream, "%s%12u |%s %.*s\n", tell_begin(TELL_FAINT), s->line, tell_end(),
                (int)(tell_columns() - 16), text + strspn(text, " "));
    last_launch = s->launch;
    last_block = s->block;
    last_warp = s->warp;
    last_line = s->line;
    snprintf(last_file, sizeof last_file, "%s", s->file);
}

static void block_text(const simt_dim *b, unsigned warp, char *text, size_t room)
{
    if (b->y || b->z)
        snprintf(text, room, "%u,%u,%u/%u", b->x, b->y, b->z, warp);
    else
        snprintf(text, room, "%u/%u", b->x, warp);
}

static void values(const simt_step *s, unsigned column)
{
    enum { VALUES = 56, BELOW = 23 }; /* columns: beside the instruction, or below it */
    const unsigned columns = tell_columns();
    char text[200];
    for (unsigned k = 0; k < s->written; k++) {
        if (set->lane >= 0)
            one_lane(&s->value[k], s->mask, (unsigned)set->lane, text, sizeof text);
        else
            summary(&s->value[k], s->mask, text, sizeof text);
        unsigned length = (unsigned)strlen(text), at = column < VALUES - 1 ? VALUES : column + 2;
        if (at + length >= columns) {
            at = VALUES + length < columns ? VALUES : BELOW;
            fit_print(tell_stream, "\n%*s%s", (int)at, "", text);
        } else {
            fit_print(tell_stream, "%*s%s", (int)(at - column), "", text);
        }
        column = at + length;
    }
    fputc('\n', tell_stream);
}

bool steps_show(void *device, const simt_step *s)
{
    char who[40], line[16], text[400];
    if (!chosen(s) || seen++ < set->skip)
        return true;
    if (shown == set->count) {
        fit_print(tell_stream,
                  "%s... %llu instructions were shown; --skip, --count, --from and --to "
                  "choose others%s\n",
                  tell_begin(TELL_FAINT), (unsigned long long)shown, tell_end());
        return false;
    }
    if (s->line)
        source_learn(device, s->file);
    heading(s);
    shown++;
    waited += s->waits;
    block_text(&s->block, s->warp, who, sizeof who);
    snprintf(line, sizeof line, "%u", s->line ? s->line : s->ptx_line);
    snprintf(text, sizeof text, "%-6s %5s %08x %s%s", who, line, s->mask, s->text,
             s->waits     ? "  waits for the other lanes"
             : s->stopped ? "  stopped the kernel"
                          : "");
    fit_print(tell_stream, "%s", text);
    unsigned column = (unsigned)strlen(text);
    if (set->lane == LANE_ALL) {
        fputc('\n', tell_stream);
        for (unsigned k = 0; k < s->written; k++)
            all_lanes(&s->value[k], s->mask);
    } else
        values(s, column);
    return true;
}

void steps_end(void)
{
    if (!shown && seen)
        fit_print(tell_stream, "simt: nothing was shown: --skip leaves out all %llu instructions\n",
                  (unsigned long long)seen);
    else if (!shown)
        fit_print(tell_stream, "simt: no instruction was shown: no kernel ran there (see --only, "
                               "--launch, --show-block, --warp, --from, --to)\n");
}
