/*
 * huge_call.c: see huge_call.h.
 *
 * What the ends of inputs hold a lab may say (lab_part.fill_end), and offsets rise from 0 to n
 * (lab_buffer.rising); what is scanned holds more at its start, which its last element depends on.
 */
#include "huge_call.h"

#include <stdio.h>
#include <string.h>

#include "gates.h"

enum {
    LOOKED = 128,      /* bytes of an output's end that are looked at */
    REPEATED = 1 << 18 /* bytes: more than the tiles of an excerpt at one end */
};

static const uint32_t unwritten = 0xe49a517c;

_Static_assert(sizeof unwritten == HUGE_LEAST_BYTES, "of an element that can be seen to be so");

static const char capped[] = "a grid of limited size needs a loop over the tiles; or a number may "
                             "have too few bits for so many elements, or go through a float, "
                             "which keeps 24";

static const char scanned[] = "does every sum of earlier elements reach the last ones, by as many "
                              "levels as this n needs? Or some number has too few bits";

/* Zeros, and from byte `first` on ones, of any type, or a map that changes what it is given. step
   2: each second one. */
static void fill_ones(lab_type type, unsigned step, size_t first, unsigned char *to, size_t bytes)
{
    static const float one = 1;
    static const int64_t one64 = 1;
    static const uint32_t one32 = 1;
    static const lab_affine map = { 3, 1 };
    static const uint8_t one8 = 1;
    static const double one_wide = 1;
    const void *from = type == LAB_F32      ? (const void *)&one
                       : type == LAB_I64    ? (const void *)&one64
                       : type == LAB_AFFINE ? (const void *)&map
                       : type == LAB_U8     ? (const void *)&one8
                       : type == LAB_F64    ? (const void *)&one_wide
                                            : &one32;
    const size_t size = judge_element_bytes(type);

    memset(to, 0, bytes);
    for (size_t at = first / size * size; at + size <= bytes; at += step * size)
        memcpy(to + at, from, size);
}

static size_t tail_of(const judge_data *d, unsigned b)
{
    return d->bytes[b] < HUGE_TAIL ? d->bytes[b] : HUGE_TAIL;
}

/* Zeros stand before the ones. */
static size_t ones_from(size_t tail) { return tail > LOOKED ? tail - LOOKED / 2 : tail / 2; }

static void lay_out(const lab_part *p, size_t n, huge_pattern first, huge_kind how, huge_call *e)
{
    judge_data *d = &e->data;

    memset(d, 0, sizeof *d);
    d->n = n;
    d->count = lab_buffer_count(p);
    d->total_bytes = d->count * 2 * HUGE_TAIL;
    d->given = e->given;
    d->got = e->got;
    d->lost = ~unwritten;
    for (unsigned b = 0; b < d->count; b++) {
        const bool changes = first == HUGE_CHANGES && b == 0,
                   /* flags of heads: with none, all that is looked back over counts */
            no_heads = how != HUGE_USUAL && b > 0 && p->buffers[b].type == LAB_U8;
        d->length[b] = judge_length(&p->buffers[b], n);
        d->bytes[b] = d->length[b] * judge_element_bytes(p->buffers[b].type);
        d->offset[b] = b * 2 * HUGE_TAIL;
        judge_fill_pattern(e->given + d->offset[b], 2 * HUGE_TAIL, unwritten);
        if (p->buffers[b].role == LAB_IN && ((first == HUGE_EQUAL && b == 0) || no_heads))
            memset(e->given + d->offset[b], 0, tail_of(d, b));
        else if (p->buffers[b].role == LAB_IN && first == HUGE_FULL && b == 0)
            memset(e->given + d->offset[b], 0xff, tail_of(d, b));
        else if (p->buffers[b].role == LAB_IN && p->fill_end)
            p->fill_end(e->given + d->offset[b], b, n,
                        tail_of(d, b) / judge_element_bytes(p->buffers[b].type));
        else if (p->buffers[b].role == LAB_IN)
            fill_ones(p->buffers[b].type, changes ? 2 : 1, changes ? 0 : ones_from(tail_of(d, b)),
                      e->given + d->offset[b], tail_of(d, b));
    }
}

static void advise_too_small(const lab_part *p, case_result *c)
{
    snprintf(c->advice, sizeof c->advice,
             "smaller n are right, so a number has become too large for its type: an index, an "
             "offset in bytes or a size that is computed in 32 bits, or an array has room for so "
             "many tiles only%s%s. Compute in size_t, and make arrays as large as n asks for",
             p->fill_end ? ", or a search makes too few rounds" : "",
             c->nowhere ? ". Or the pointer was never set: with more launches, an array of "
                          "pointers may be read past its end"
                        : "");
}

static size_t tiles_of(const run *r, size_t n) { return r->l->tile ? (n - 1) / r->l->tile + 1 : 0; }

void huge_call_make(run *r, session *s, unsigned part, size_t n, huge_pattern first, huge_kind how,
                    uint64_t most, huge_call *e)
{
    lay_out(&r->l->parts[part], n, first, how, e);
    run_excerpt(
        r, s, part, &e->data,
        &(run_excerpt_plan){ .tail = HUGE_TAIL,
                             .repeated = first == HUGE_CHANGES || first == HUGE_FULL ? REPEATED : 0,
                             .most = most,
                             .front = how != HUGE_USUAL,
                             .stalls = how == HUGE_STALLING,
                             .tickets = how == HUGE_TICKETS ? tiles_of(r, n) : 0 },
        &e->result, &e->ran);
    e->known = e->result.verdict == VERDICT_PASS;
    e->whole = e->known && !e->ran.cut;
    /* a store to an input, which no case has made: an index that wraps around may lead there */
    if (e->result.verdict == VERDICT_WRONG && n >= RUN_HUGE_LEAST)
        advise_too_small(&r->l->parts[part], &e->result);
}

void huge_call_fresh(run *r, unsigned part, size_t n, huge_pattern first, huge_call *e)
{
    base_error error;
    session *s = run_open_excerpts(r, &error);

    e->known = e->whole = false;
    if (s)
        huge_call_make(r, s, part, n, first, HUGE_USUAL, HUGE_BLOCK_MOST, e);
    session_close(s);
}

static const unsigned char *element_of(const huge_call *e, unsigned b, size_t at)
{
    return e->got + e->data.offset[b] + at;
}

static bool is_unwritten(const unsigned char *element)
{
    return memcmp(element, &unwritten, sizeof unwritten) == 0;
}

bool huge_lacks_last(const lab_part *p, const huge_call *e, unsigned b)
{
    const size_t size = judge_element_bytes(p->buffers[b].type);
    return is_unwritten(element_of(e, b, tail_of(&e->data, b) - size));
}

/* Are the ends of an output of one length in all three? Where what they hold is not alike, of an
   output of n elements: how much of another is written may hang on the data. */
static bool has_ends(const lab_part *p, const huge_call *trial, const huge_call *e, bool alike,
                     unsigned b)
{
    return p->buffers[b].role == LAB_OUT && (alike || e->data.length[b] == e->data.n) &&
           judge_element_bytes(p->buffers[b].type) >= sizeof unwritten &&
           tail_of(&trial[0].data, b) == tail_of(&e->data, b) &&
           tail_of(&trial[1].data, b) == tail_of(&e->data, b);
}

typedef struct difference {
    unsigned buffer;
    size_t index;
    bool written;
} difference;

/* The first element from the end of an output that two trials have written, and e does not have;
   or, where all have to be alike, that it does not have as both do. */
static bool differs(const lab_part *p, const huge_call *trial, const huge_call *e, bool alike,
                    difference *found)
{
    for (unsigned b = 0; b < e->data.count; b++) {
        const size_t size = judge_element_bytes(p->buffers[b].type),
                     bytes = tail_of(&e->data, b) / size * size;
        const size_t least = bytes > LOOKED ? bytes - LOOKED : 0;
        for (size_t at = bytes; has_ends(p, trial, e, alike, b) && at >= least + size; at -= size) {
            const unsigned char *first = element_of(&trial[0], b, at - size),
                                *second = element_of(&trial[1], b, at - size),
                                *now = element_of(e, b, at - size);
            *found =
                (difference){ b, e->data.length[b] - 1 - (bytes - at) / size, !is_unwritten(now) };
            if (!is_unwritten(first) && !is_unwritten(second) &&
                (!found->written ||
                 (alike && memcmp(first, second, size) == 0 && memcmp(now, first, size) != 0)))
                return true;
        }
    }
    return false;
}

bool huge_grows(const huge_call *trial, const huge_call *e)
{
    const double as_many = (double)trial->ran.blocks / (double)trial->data.n * (double)e->data.n;
    return e->ran.blocks == 0 || (double)e->ran.blocks >= 0.9 * as_many;
}

/* ---- what is as large as n ------------------------------------------------------------------- */

/* An integer of an output; false: it is none, or was not written. at: in got, from the buffer's. */
static bool number_at(const lab_part *p, const huge_call *e, unsigned b, size_t at, int64_t *value)
{
    const unsigned char *from = element_of(e, b, at);
    int32_t narrow;
    uint32_t natural;

    if (is_unwritten(from))
        return false;
    switch (p->buffers[b].type) {
    case LAB_I64: memcpy(value, from, sizeof *value); return true;
    case LAB_U32:
        memcpy(&natural, from, sizeof natural);
        *value = natural;
        return true;
    case LAB_I32:
        memcpy(&narrow, from, sizeof narrow);
        *value = narrow;
        return true;
    default: return false;
    }
}

/* Is the number of both trials n less one and the same, and not here? *right: what it has to be,
   or, where blocks have shares of unlike size, to within a factor of 2. */
static bool is_no_count(const lab_part *p, const huge_call *trial, const huge_call *e, unsigned b,
                        size_t at, int64_t *right)
{
    int64_t first, second, now;
    const int64_t n = (int64_t)e->data.n;

    if (!number_at(p, &trial[0], b, at, &first) || !number_at(p, &trial[1], b, at, &second) ||
        !number_at(p, e, b, at, &now) ||
        (int64_t)trial[0].data.n - first != (int64_t)trial[1].data.n - second)
        return false;
    *right = n - ((int64_t)trial[0].data.n - first);
    if (!huge_grows(&trial[1], e) && now >= *right / 2 && now / 2 <= *right)
        return false;
    /* no contract has counts that their type does not hold */
    return now != *right && (p->buffers[b].type != LAB_I32 || *right <= INT32_MAX);
}

/* Is some number of an output, near its end or its start, no longer as large as n? */
static bool miscounts(const lab_part *p, const huge_call *trial, huge_call *e)
{
    for (unsigned b = 0; b < e->data.count; b++) {
        const size_t size = judge_element_bytes(p->buffers[b].type), end = tail_of(&e->data, b);
        const bool alike = p->buffers[b].role == LAB_OUT && tail_of(&trial[0].data, b) == end &&
                           tail_of(&trial[1].data, b) == end;
        int64_t right;
        for (size_t at = 0; alike && at + size <= (end < HUGE_TAIL ? end : 2 * HUGE_TAIL);
             at += size) {
            if (!is_no_count(p, trial, e, b, at, &right))
                continue;
            const size_t index =
                at < HUGE_TAIL ? e->data.length[b] - (end - at) / size : (at - HUGE_TAIL) / size;
            char less[32] = "";
            if (right != (int64_t)e->data.n)
                snprintf(less, sizeof less, " but for %lld",
                         (long long)((int64_t)e->data.n - right));
            e->result.verdict = VERDICT_WRONG;
            snprintf(e->result.what, sizeof e->result.what,
                     "%s[%zu] is as large as n%s at n = %zu and at n = %zu, and is not here: it "
                     "has to be %s%lld",
                     p->buffers[b].name, index, less, trial[0].data.n, trial[1].data.n,
                     huge_grows(&trial[1], e) ? "" : "about ", (long long)right);
            snprintf(e->result.advice, sizeof e->result.advice, "%s",
                     huge_grows(&trial[1], e)
                         ? "a number of elements may be cut to too few bits, in a word that a tile "
                           "publishes or by a mask: count in long long"
                         : "a block has many tiles here: what it has counted may be lost with the "
                           "next tile, or be cut to too few bits");
            return true;
        }
    }
    return false;
}

static bool ends_unread(const huge_call *trial, const huge_call *e)
{
    return !e->ran.ends_read && trial[0].ran.ends_read && trial[1].ran.ends_read;
}

static void tell_difference(const lab_part *p, const huge_call *trial, const difference *d,
                            huge_call *e)
{
    case_result *c = &e->result;
    const lab_buffer *buffer = &p->buffers[d->buffer];
    const size_t length = e->data.length[d->buffer];

    c->verdict = VERDICT_WRONG;
    if (d->written)
        snprintf(c->what, sizeof c->what,
                 "%s: its last values, %zu elements from its start, are not those of n = %zu, "
                 "though %s",
                 buffer->name, length, trial[1].data.n,
                 p->fill_end ? "the inputs end as they do there"
                             : "the inputs differ only in how many zeros lie between their ends");
    else
        snprintf(c->what, sizeof c->what, "%s[%zu], %s, is not written; at n = %zu it is",
                 buffer->name, d->index,
                 d->index + 1 == length ? "its last element" : "one of its last elements",
                 trial[1].data.n);
    snprintf(c->advice, sizeof c->advice, "%s: compute indices, sizes and counts of elements in %s",
             !d->written || ends_unread(trial, e) ? capped
             : p->cancels                         ? scanned
             : p->fill_end ? "some number has too few bits for so many elements, or goes through a "
                             "float, which keeps 24 bits"
                           : "some number may have too few bits for so many elements or go through "
                             "a float, which keeps 24, or a loop end too early",
             p->wide_n ? "long long or size_t" : "size_t, or unsigned where 2^32 is enough");
}

static void tell_unread(const huge_call *trial, huge_call *e)
{
    case_result *c = &e->result;

    c->verdict = VERDICT_WRONG;
    snprintf(c->what, sizeof c->what,
             "no kernel reads the last elements of the input; at n = %zu one does",
             trial[1].data.n);
    snprintf(c->advice, sizeof c->advice, "%s", capped);
}

bool huge_does_less(const lab_part *p, const huge_call *trial, bool alike, huge_call *e)
{
    difference found;

    if (!e->whole || !trial[0].whole || !trial[1].whole)
        return false;
    if (differs(p, trial, e, alike, &found))
        tell_difference(p, trial, &found, e);
    else if (ends_unread(trial, e))
        tell_unread(trial, e);
    else
        return miscounts(p, trial, e);
    return true;
}

bool huge_does_all(const lab_part *p, const huge_call *trial, huge_call *e)
{
    difference found;

    return e->whole && !differs(p, trial, e, false, &found) && !miscounts(p, trial, e) &&
           (e->ran.ends_read || !trial[0].ran.ends_read || !trial[1].ran.ends_read);
}

bool huge_last_number(const lab_part *p, const huge_call *e, unsigned b, int64_t *value)
{
    const size_t size = judge_element_bytes(p->buffers[b].type), end = tail_of(&e->data, b);

    return e->whole && p->buffers[b].role == LAB_OUT && end >= size &&
           number_at(p, e, b, end - size, value);
}

void huge_keep(run *r, unsigned part, huge_call *e, bool is_first)
{
    case_result *c = &e->result;
    const size_t used = strlen(c->note);

    if (c->verdict == VERDICT_OUT_OF_BOUNDS && !c->misaligned)
        advise_too_small(&r->l->parts[part], c);
    else if (c->verdict == VERDICT_CUDA_ERROR && !c->advice[0])
        snprintf(
            c->advice, sizeof c->advice,
            "smaller n are right, so a number has become too large for its type, or for CUDA: "
            "n + T - 1 overflows an int where (n - 1) / T + 1 does not; gridDim.y and .z are at "
            "most 65535");
    snprintf(c->note + used, sizeof c->note - used,
             "%s%sof each launch only the first and the last blocks ran, one by one, on %s%s",
             used ? "; " : "",
             e->data.n >= RUN_HUGE_LEAST ? "nobody can run so many elements here: " : "",
             r->l->parts[part].fill_end ? "data that are made for it" : "arrays of zeros",
             is_first ? "" : "; smaller ones passed so");
    snprintf(c->schedule, sizeof c->schedule, "blocks in order, the first and the last alone");
    run_show(r, part, &e->result);
}

bool huge_fails(const run *r, unsigned part, const huge_call *e, bool like_case)
{
    const bool excused = like_case && !e->ran.refused;

    switch (e->result.verdict) {
    case VERDICT_PASS: return false;
    case VERDICT_OUT_OF_BOUNDS:
    case VERDICT_CUDA_ERROR: return !excused;
    case VERDICT_POLICY: return true;
    default: return gates_are_kept(r->result, part);
    }
}

bool huge_is_asked(const run *r, unsigned part)
{
    return !r->dead && !r->o->part[0] && !r->o->quick && run_huge_size(r, part) &&
           r->result->part_verdict[part] == VERDICT_PASS;
}
