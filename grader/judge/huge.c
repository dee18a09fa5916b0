/*
 * huge.c: run_huge of run.h: the largest n that a contract allows, which nobody could run here.
 *
 * The engine runs an excerpt (simt_config.excerpt): the first and the last blocks of each launch,
 * on arrays that are as large as they say and hold nothing but zeros; only their ends hold more,
 * and what is scanned holds more at its start, which its last element depends on. What the ends
 * hold a lab may say (lab_part.fill_end), and offsets rise from 0 to n (lab_buffer.rising).
 * Grids, sizes of allocations and the indices of the last blocks are those of that n. Where blocks
 * do not wait for each other, races between those that run are looked for: a level of sums that
 * only this n has may write where it reads.
 *
 * What a program's outputs are on such data is its own affair. So the same is tried at four smaller
 * n first: two like those of the cases, and two of less than a million. Each call has to come to
 * its end, as in the cases; a kernel that goes wrong at the first two may do so because of the
 * zeros, or of what the blocks that are left out have not counted, and then nothing is said. What a
 * program has done at two of these n it has to do at the next as well: write the end of an output,
 * read the end of an input; and at the largest n write there what it wrote at both. Where blocks
 * were cut, outputs and inputs are not looked at.
 *
 * A number may be too small for some n below the largest and do for that one: it wraps around to
 * one that is large enough, or is a float that is rounded up. So a second row of calls follows:
 * two at smaller n, then three between 2^24 and the largest: just above a power of the tile, just
 * above one of 2, and one that the seed draws. Each is one more than a multiple of a large power of
 * 2, so that a float of it is too small, and its last tile has one element. Where the largest n is
 * beyond 2^32, two more are just below 2^31, for lengths that are ints go no further, and just
 * above 2^32: there 32 bits keep too little of the first tile's distance from the end, and at the
 * largest n of tiles alone that are left out. A part whose type alone is new, with fewer cases than
 * the largest n asks for, has no second row.
 * Of a grid that does not grow with n nothing is said there: any block may have the last elements,
 * and waits for words of its own earlier tiles, which nobody makes up.
 * A lab may name others, with smaller ones of their kind (lab_part.kinds); and four of a kind at
 * which sums rise by as much for each element, if all are as large as can be (lab_part.rising_n).
 *
 * An integer of an output, near its start or its end, that is n less the same number at two n has
 * to be so at others as well: a count, or the length of a run. Where lab_part.counts_changes asks
 * for it, a row of calls has elements that alternate, and one has equal ones. Where a block waits
 * at the largest n for what no other tells, as none did at the smaller ones, the made-up words may
 * have outgrown the program's own: then the least power of 2 is looked for that it does not come
 * past, by fresh programs. If the call two tiles before it does all, the one past it has to; else
 * nothing is said.
 *
 * Where blocks wait for each other, a part is called once more at an n of thousands of tiles that
 * have all published their aggregates, and no more (simt_config.excerpt_stalls): the first block
 * after them looks back to the fourth. Trials with a few such tiles come first.
 * Where a lab says so (lab_part.takes_tickets), and one block takes all tiles by itself, since the
 * others are left out, it gets the first four tickets and the last four
 * (simt_config.excerpt_tickets), and words for all tiles between, of more than 2^32 elements if so
 * many are allowed.
 *
 * A program sees that the device is a large one. So before, between or after the first two calls,
 * as the seed draws it, lies one that is whole, on data like a case's; its n is one of those that
 * the first two have. Its answer counts, and what it does they have to do: launch a kernel, and
 * write the end of an output. An entry that keeps something on the device, where excerpts leave
 * what no launch would, has one or two such calls before all excerpts. The zeros are for kernels
 * alone to see: the host cannot look at the data and pass.
 */
#include <stdio.h>
#include <string.h>

#include "gates.h"
#include "rng.h"
#include "run.h"

enum {
    TAIL = 256,   /* bytes of each buffer's end that hold more than zeros */
    LOOKED = 128, /* of an output's end, those that are looked at */
    TRIALS = 4,   /* and then the largest n */
    SECOND = TRIALS + 1,
    BETWEEN = SECOND + 2,
    DRAWN = 3,
    INTS = 2, /* and those at which an int has too few bits */
    CALLS = BETWEEN + DRAWN + INTS,
    LEAST_BITS = 18,  /* cases count to less */
    STALLED = 3,      /* calls where blocks stall: trials, and one with many of them */
    STALLED_FEW = 24, /* tiles more than the first has */
    STALLED_MANY = 4100,
    REPEATED = 1 << 18, /* bytes: more than the tiles of an excerpt at one end */
    STEP = RUN_HUGE_STEP,
    MOST_STEP = 16 * STEP,
    /* warp instructions of a block: some 20 times what a tile takes; at what a lab names, where it
       has many tiles; and where it has 2^20 elements one after the other */
    BLOCK_MOST = 1 << 18,
    MANY_MOST = 1 << 20,
    COLUMN_MOST = 1 << 24
};

/* What the first buffer holds: ones at its ends and zeros; ones and zeros in turn; zeros; all bits
   set. */
typedef enum pattern { ENDS, CHANGES, EQUAL, FULL } pattern;

/* But for USUAL, the first buffer begins as it ends, and flags are 0. STALLING: besides, the blocks
   that are left out stall. TICKETS: one block has the first tiles and the last ones. COMPARED:
   neither. */
typedef enum kind_of_call { USUAL, COMPARED, STALLING, TICKETS } kind_of_call;

static const uint32_t unwritten = 0xe49a517c;

static const char capped[] = "a grid of limited size needs a loop over the tiles; or a number may "
                             "have too few bits for so many elements, or go through a float, "
                             "which keeps 24";

static const char scanned[] = "does every sum of earlier elements reach the last ones, by as many "
                              "levels as this n needs? Or some number has too few bits";

typedef struct excerpt {
    judge_data data;
    /* of each buffer the end, and after it the start */
    unsigned char given[LAB_MAX_BUFFERS * 2 * TAIL], got[LAB_MAX_BUFFERS * 2 * TAIL];
    case_result result;
    bool known; /* the call has come to its end */
    bool whole; /* and no block was cut */
    run_excerpted ran;
} excerpt;

/* The call that is whole. */
typedef struct whole_call {
    bool launched;
    bool ends[LAB_MAX_BUFFERS]; /* outputs of n elements whose last one it writes */
    bool waits;                 /* a block does, at the largest n */
} whole_call;

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
    return d->bytes[b] < TAIL ? d->bytes[b] : TAIL;
}

/* Zeros stand before the ones. */
static size_t ones_from(size_t tail) { return tail > LOOKED ? tail - LOOKED / 2 : tail / 2; }

static void lay_out(const lab_part *p, size_t n, pattern first, kind_of_call how, excerpt *e)
{
    judge_data *d = &e->data;

    memset(d, 0, sizeof *d);
    d->n = n;
    d->count = lab_buffer_count(p);
    d->total_bytes = d->count * 2 * TAIL;
    d->given = e->given;
    d->got = e->got;
    d->lost = ~unwritten;
    for (unsigned b = 0; b < d->count; b++) {
        const bool changes = first == CHANGES && b == 0,
                   /* flags of heads: with none, all that is looked back over counts */
            no_heads = how != USUAL && b > 0 && p->buffers[b].type == LAB_U8;
        d->length[b] = judge_length(&p->buffers[b], n);
        d->bytes[b] = d->length[b] * judge_element_bytes(p->buffers[b].type);
        d->offset[b] = b * 2 * TAIL;
        judge_fill_pattern(e->given + d->offset[b], 2 * TAIL, unwritten);
        if (p->buffers[b].role == LAB_IN && ((first == EQUAL && b == 0) || no_heads))
            memset(e->given + d->offset[b], 0, tail_of(d, b));
        else if (p->buffers[b].role == LAB_IN && first == FULL && b == 0)
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
             "many tiles only%s. Compute in size_t, and make arrays as large as n asks for",
             p->fill_end ? ", or a search makes too few rounds" : "");
}

static size_t tiles_of(const run *r, size_t n) { return r->l->tile ? (n - 1) / r->l->tile + 1 : 0; }

static void call_for(run *r, session *s, unsigned part, size_t n, pattern first, uint64_t most,
                     kind_of_call how, excerpt *e)
{
    lay_out(&r->l->parts[part], n, first, how, e);
    run_excerpt(r, s, part, &e->data,
                &(run_excerpt_plan){ .tail = TAIL,
                                     .repeated = first == CHANGES || first == FULL ? REPEATED : 0,
                                     .most = most,
                                     .front = how != USUAL,
                                     .stalls = how == STALLING,
                                     .tickets = how == TICKETS ? tiles_of(r, n) : 0 },
                &e->result, &e->ran);
    e->known = e->result.verdict == VERDICT_PASS;
    e->whole = e->known && !e->ran.cut;
    /* a store to an input, which no case has made: an index that wraps around may lead there */
    if (e->result.verdict == VERDICT_WRONG && n >= RUN_HUGE_LEAST)
        advise_too_small(&r->l->parts[part], &e->result);
}

static void call(run *r, session *s, unsigned part, size_t n, pattern first, excerpt *e)
{
    call_for(r, s, part, n, first, BLOCK_MOST, USUAL, e);
}

/* One n of a kind may have 2^20 elements one after the other. */
static void call_kind(run *r, session *s, unsigned part, size_t n, excerpt *e)
{
    call_for(r, s, part, n, ENDS, n < RUN_HUGE_LEAST ? COLUMN_MOST : MANY_MOST, USUAL, e);
}

static const unsigned char *element_of(const excerpt *e, unsigned b, size_t at)
{
    return e->got + e->data.offset[b] + at;
}

static bool is_unwritten(const unsigned char *element)
{
    return memcmp(element, &unwritten, sizeof unwritten) == 0;
}

/* Are the ends of an output of one length in all three? Where what they hold is not alike, of an
   output of n elements: how much of another is written may hang on the data. */
static bool has_ends(const lab_part *p, const excerpt *trial, const excerpt *e, bool alike,
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
static bool differs(const lab_part *p, const excerpt *trial, const excerpt *e, bool alike,
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

/* Does the grid grow with n? Of one that is no larger from some n on, any block may have the last
   elements, also one that is left out. Where there is none, nothing is done at all. */
static bool grows(const excerpt *trial, const excerpt *e)
{
    const double as_many = (double)trial->ran.blocks / (double)trial->data.n * (double)e->data.n;
    return e->ran.blocks == 0 || (double)e->ran.blocks >= 0.9 * as_many;
}

/* ---- what is as large as n ------------------------------------------------------------------- */

/* An integer of an output; false: it is none, or was not written. at: in got, from the buffer's. */
static bool number_at(const lab_part *p, const excerpt *e, unsigned b, size_t at, int64_t *value)
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
static bool is_no_count(const lab_part *p, const excerpt *trial, const excerpt *e, unsigned b,
                        size_t at, int64_t *right)
{
    int64_t first, second, now;
    const int64_t n = (int64_t)e->data.n;

    if (!number_at(p, &trial[0], b, at, &first) || !number_at(p, &trial[1], b, at, &second) ||
        !number_at(p, e, b, at, &now) ||
        (int64_t)trial[0].data.n - first != (int64_t)trial[1].data.n - second)
        return false;
    *right = n - ((int64_t)trial[0].data.n - first);
    if (!grows(&trial[1], e) && now >= *right / 2 && now / 2 <= *right)
        return false;
    /* no contract has counts that their type does not hold */
    return now != *right && (p->buffers[b].type != LAB_I32 || *right <= INT32_MAX);
}

/* Is some number of an output, near its end or its start, no longer as large as n? */
static bool miscounts(const lab_part *p, const excerpt *trial, excerpt *e)
{
    for (unsigned b = 0; b < e->data.count; b++) {
        const size_t size = judge_element_bytes(p->buffers[b].type), end = tail_of(&e->data, b);
        const bool alike = p->buffers[b].role == LAB_OUT && tail_of(&trial[0].data, b) == end &&
                           tail_of(&trial[1].data, b) == end;
        int64_t right;
        for (size_t at = 0; alike && at + size <= (end < TAIL ? end : 2 * TAIL); at += size) {
            if (!is_no_count(p, trial, e, b, at, &right))
                continue;
            const size_t index =
                at < TAIL ? e->data.length[b] - (end - at) / size : (at - TAIL) / size;
            char less[32] = "";
            if (right != (int64_t)e->data.n)
                snprintf(less, sizeof less, " but for %lld",
                         (long long)((int64_t)e->data.n - right));
            e->result.verdict = VERDICT_WRONG;
            snprintf(e->result.what, sizeof e->result.what,
                     "%s[%zu] is as large as n%s at n = %zu and at n = %zu, and is not here: it "
                     "has to be %s%lld",
                     p->buffers[b].name, index, less, trial[0].data.n, trial[1].data.n,
                     grows(&trial[1], e) ? "" : "about ", (long long)right);
            snprintf(e->result.advice, sizeof e->result.advice, "%s",
                     grows(&trial[1], e)
                         ? "a number of elements may be cut to too few bits, in a word that a tile "
                           "publishes or by a mask: count in long long"
                         : "a block has many tiles here: what it has counted may be lost with the "
                           "next tile, or be cut to too few bits");
            return true;
        }
    }
    return false;
}

static void tell_difference(const lab_part *p, const excerpt *trial, const difference *d,
                            excerpt *e)
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
             !d->written   ? capped
             : p->cancels  ? scanned
             : p->fill_end ? "some number has too few bits for so many elements, or goes through a "
                             "float, which keeps 24 bits"
                           : "some number may have too few bits for so many elements or go through "
                             "a float, which keeps 24, or a loop end too early",
             p->wide_n ? "long long or size_t" : "size_t, or unsigned where 2^32 is enough");
}

static void tell_unread(const excerpt *trial, excerpt *e)
{
    case_result *c = &e->result;

    c->verdict = VERDICT_WRONG;
    snprintf(c->what, sizeof c->what,
             "no kernel reads the last elements of the input; at n = %zu one does",
             trial[1].data.n);
    snprintf(c->advice, sizeof c->advice, "%s", capped);
}

static void tell_idle(excerpt *e)
{
    case_result *c = &e->result;

    c->verdict = VERDICT_WRONG;
    snprintf(c->what, sizeof c->what,
             "no kernel is launched on a device with room for all blocks of this n; with other "
             "data one is");
    snprintf(c->advice, sizeof c->advice, "do the same work on every device, and in every call");
}

static void tell_end(const lab_part *p, unsigned b, excerpt *e)
{
    case_result *c = &e->result;

    c->verdict = VERDICT_WRONG;
    snprintf(c->what, sizeof c->what,
             "%s[%zu], its last element, is not written where the inputs are zeros; with other "
             "data it is",
             p->buffers[b].name, e->data.length[b] - 1);
    snprintf(c->advice, sizeof c->advice, "do the same work on every device, and in every call");
}

/* Does e, at an n like that of the whole call, leave out what that does? Then it says so. */
static bool is_idle(const lab_part *p, const whole_call *whole, excerpt *e)
{
    if (whole->launched && !e->ran.launched) {
        tell_idle(e);
        return true;
    }
    for (unsigned b = 0; e->whole && b < e->data.count; b++) {
        const size_t size = judge_element_bytes(p->buffers[b].type);
        if (!whole->ends[b] || !is_unwritten(element_of(e, b, tail_of(&e->data, b) - size)))
            continue;
        tell_end(p, b, e);
        return true;
    }
    return false;
}

/* Does e leave out what both trials do? Then it says so. */
static bool does_less(const lab_part *p, const excerpt *trial, bool alike, excerpt *e)
{
    difference found;

    if (!e->whole || !trial[0].whole || !trial[1].whole)
        return false;
    if (differs(p, trial, e, alike, &found))
        tell_difference(p, trial, &found, e);
    else if (!e->ran.ends_read && trial[0].ran.ends_read && trial[1].ran.ends_read)
        tell_unread(trial, e);
    else
        return miscounts(p, trial, e);
    return true;
}

static void keep(run *r, unsigned part, excerpt *e, bool is_first)
{
    case_result *c = &e->result;
    const size_t used = strlen(c->note);

    if (c->verdict == VERDICT_OUT_OF_BOUNDS)
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

/* At an n like a case's, what stops a kernel may be the data's doing, or a number that does not
   begin at 0. A program that holds all elements on the host has no room for them, and too little
   time: that is what its gates say. */
static bool fails(const run *r, unsigned part, const excerpt *e, bool like_case)
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

/* Which n are tried (0: there is none), and before which of the trials a call is whole; for an
   entry that keeps something, how many are before all of them. */
typedef struct plan {
    size_t n[CALLS], whole_n;
    unsigned whole_at, wholes_first;
} plan;

static bool keeps(const run *r, unsigned part)
{
    for (unsigned i = 0; i < r->count[part]; i++)
        if (r->measured[part][i].kept > 0)
            return true;
    return false;
}

/* The distance of n whose last tiles are alike. */
static size_t step_of(const lab *l)
{
    size_t step = STEP;

    while (l->tile > 0 && step % l->tile && step < MOST_STEP)
        step += STEP;
    return l->tile > 0 && step % l->tile ? STEP : step;
}

/* The least n from there on that is one more than a multiple of step; 0: it is not below huge. */
static size_t just_above(size_t least, size_t step, size_t huge)
{
    const size_t n = (least + step - 1) / step * step + 1;
    return n < huge ? n : 0;
}

/* The largest power of the tile there is room for; 0: it is below RUN_HUGE_LEAST. */
static size_t power_of_tile(size_t tile, size_t huge)
{
    size_t power = 1;

    while (tile > 1 && power < huge / tile)
        power *= tile;
    return power < RUN_HUGE_LEAST ? 0 : power;
}

static size_t draw_power_of_2(size_t huge, uint64_t *state)
{
    unsigned count = 1;

    while ((size_t)RUN_HUGE_LEAST << count < huge)
        count++;
    return (size_t)RUN_HUGE_LEAST << rng_splitmix64(state) % count;
}

/* The largest n whose last tiles are as those of the trials, and that an int holds. */
static size_t most_of_ints(const lab *l, size_t huge)
{
    const size_t step = step_of(l);
    return huge > UINT32_MAX ? just_above(((size_t)1 << 31) - step, step, huge) : huge;
}

/* Where levels of sums become one more, as the tile has it or as 2 has it; and anywhere. */
static void draw_between(const lab *l, size_t huge, uint64_t *state, size_t n[DRAWN + INTS])
{
    const size_t step = step_of(l), power = power_of_tile(l->tile, huge),
                 least = draw_power_of_2(huge, state);
    const size_t from[DRAWN] = { draw_power_of_2(huge, state),
                                 least + rng_splitmix64(state) % least, power ? power : least };

    for (unsigned i = 0; i < DRAWN; i++)
        n[i] = just_above(from[i], step, huge);
    n[DRAWN] = huge > UINT32_MAX ? most_of_ints(l, huge) : 0;
    n[DRAWN + 1] = huge > UINT32_MAX ? just_above((size_t)1 << 32, step, huge) : 0;
}

/* Has it few cases, since its type alone is new? */
static bool is_of_type_alone(const lab_part *p) { return p->max_n > 0 && p->huge_n > p->max_n; }

static plan draw_plan(const run *r, unsigned part, size_t huge)
{
    uint64_t state = r->result->cases[r->first[part]].seed ^ part;
    const unsigned first = rng_splitmix64(&state) % RUN_LIKE_SIZES,
                   apart = 1 + rng_splitmix64(&state) % (RUN_LIKE_SIZES - 1);
    const size_t step = step_of(r->l);
    plan drawn = { .n = { run_like_size(r, huge, first),
                          run_like_size(r, huge, (first + apart) % RUN_LIKE_SIZES),
                          huge % STEP + STEP, huge % STEP + 2 * STEP, huge, step + 1,
                          2 * step + 1 } };

    drawn.whole_n = run_like_size(r, huge, rng_splitmix64(&state) % RUN_LIKE_SIZES);
    drawn.whole_at = rng_splitmix64(&state) % 3;
    if (keeps(r, part)) {
        drawn.wholes_first = 1 + drawn.whole_at % 2;
        drawn.whole_at = CALLS;
    }
    if (is_of_type_alone(&r->l->parts[part])) { /* others are tried between */
        drawn.wholes_first = drawn.wholes_first > 0;
        drawn.n[0] = run_like_size(r, huge, 0);
        drawn.n[1] = run_like_size(r, huge, 1);
        memset(drawn.n + SECOND, 0, (CALLS - SECOND) * sizeof drawn.n[0]);
    } else
        draw_between(r->l, huge, &state, drawn.n + BETWEEN);
    return drawn;
}

/* False: the part has failed. */
static bool try_whole(run *r, session *s, unsigned part, size_t n, whole_call *whole)
{
    const lab_part *p = &r->l->parts[part];
    const uint64_t seed = r->result->cases[r->first[part]].seed;
    judge_data data;
    case_result result;

    if (!judge_make(&data, p, n, seed, NULL))
        return true;
    run_whole(r, s, part, &data, seed, &result, &whole->launched);
    for (unsigned b = 0; b < data.count; b++)
        whole->ends[b] = p->buffers[b].role == LAB_OUT && data.length[b] == n &&
                         judge_element_bytes(p->buffers[b].type) >= sizeof unwritten &&
                         !judge_is_left_alone(&data, p, b, n - 1);
    judge_drop(&data);
    if (result.verdict == VERDICT_PASS)
        return true;
    run_show(r, part, &result);
    return false;
}

static void try_first(run *r, session *s, unsigned part, size_t huge, whole_call *whole)
{
    const plan drawn = draw_plan(r, part, huge);

    for (unsigned k = 0; k < drawn.wholes_first; k++)
        if (!try_whole(r, s, part, drawn.n[k], whole))
            return;
}

static void try_part(run *r, session *s, unsigned part, size_t huge, whole_call *whole)
{
    static excerpt all[CALLS];
    const lab_part *p = &r->l->parts[part];
    const plan drawn = draw_plan(r, part, huge);
    bool cut = false;

    for (unsigned t = 0; t < CALLS; t++) {
        bool alone = t < 2 || (t >= SECOND && t < BETWEEN);
        const excerpt *trial = &all[t < 2 ? 0 : t < BETWEEN ? t - 2 : SECOND];
        excerpt *e = &all[t];
        if (!drawn.n[t])
            continue;
        if (t >= SECOND && cut)
            return; /* what the program keeps is as no launch leaves it */
        if (t == drawn.whole_at && !try_whole(r, s, part, drawn.whole_n, whole))
            return;
        for (unsigned like = 0; t == 2 && like < 2; like++)
            if (is_idle(p, whole, &all[like])) {
                keep(r, part, &all[like], true);
                return;
            }
        call(r, s, part, drawn.n[t], ENDS, e);
        alone = alone || (t >= BETWEEN && e->known && !grows(trial, e));
        if (fails(r, part, e, t < 2) || (!alone && does_less(p, trial, t >= TRIALS, e))) {
            keep(r, part, e, t == 0);
            return;
        }
        if (!e->known)
            return;
        cut = cut || e->ran.cut;
        if (t == TRIALS && e->ran.waits && grows(trial, e))
            whole->waits = true;
    }
}

/* What the lab names besides: two smaller n, then that one. */
static void try_kind(run *r, unsigned part, const size_t *n)
{
    enum { NAMED = 2 };
    static excerpt tried[NAMED + 1];
    const lab_part *p = &r->l->parts[part];
    base_error error;
    session *s = run_open_excerpts(r, &error);
    excerpt *e = tried;

    for (unsigned t = 0; s && t <= NAMED; t++) {
        e = &tried[t];
        call_kind(r, s, part, n[t], e);
        if (t == NAMED && (fails(r, part, e, false) || does_less(p, tried, true, e)))
            keep(r, part, e, false);
        else if (!e->whole)
            break;
    }
    session_close(s);
}

/* ---- numbers of k bits ----------------------------------------------------------------------- */

/* What e does not do just past 2^bits elements, and `before` just before them. */
static void tell_crossing(const excerpt *before, unsigned bits, excerpt *e)
{
    case_result *c = &e->result;
    char seen[sizeof c->what];

    snprintf(seen, sizeof seen, "%s", c->what);
    if (!e->known)
        snprintf(c->what, sizeof c->what,
                 "%.300s; at n = %zu, before 2^%u elements, the last blocks do no such thing", seen,
                 before->data.n, bits);
    else if (!e->whole)
        snprintf(c->what, sizeof c->what,
                 "the last blocks do not come to their end; at n = %zu, before 2^%u elements, they "
                 "do",
                 before->data.n, bits);
    else
        snprintf(c->what, sizeof c->what,
                 "the last elements of an output are not written, or those of an input not read; "
                 "at n = %zu, before 2^%u elements, they are",
                 before->data.n, bits);
    c->verdict = VERDICT_WRONG;
    snprintf(c->advice, sizeof c->advice,
             "a number of %u bits may wrap around: the count in the word that a tile publishes, or "
             "the tile's number. Give it as many bits as the largest n needs",
             bits);
}

/* Is e whole, and does it what the trials do? */
static bool does_all(const lab_part *p, const excerpt *trial, excerpt *e)
{
    difference found;

    return e->whole && !differs(p, trial, e, false, &found) && !miscounts(p, trial, e) &&
           (e->ran.ends_read || !trial[0].ran.ends_read || !trial[1].ran.ends_read);
}

/* By a program of its own: where a launch was cut, what one keeps is as no launch leaves it. */
static void call_fresh(run *r, unsigned part, size_t n, pattern first, excerpt *e)
{
    base_error error;
    session *s = run_open_excerpts(r, &error);

    e->known = e->whole = false;
    if (s)
        call(r, s, part, n, first, e);
    session_close(s);
}

/* The least power of 2 that the program does not come past, if it comes to just before it. The last
   tiles are as long as those of the trials. */
static void find_narrow(run *r, unsigned part, size_t huge, pattern first, const excerpt *trial)
{
    static excerpt before, past, least;
    const lab_part *p = &r->l->parts[part];
    const size_t tile = r->l->tile, rest = huge % tile;
    unsigned low = LEAST_BITS - 1, high = LEAST_BITS;

    while (((size_t)1 << high) + 2 * tile <= huge)
        high++; /* it is not asked of this one, which is beyond the largest n */
    const unsigned beyond = high;
    while (low + 1 < high) {
        const unsigned bits = (low + high) / 2;
        call_fresh(r, part, ((size_t)1 << bits) + tile + rest, first, &past);
        if (past.known && does_all(p, trial, &past)) {
            low = bits;
            continue;
        }
        high = bits;
        least = past;
        if (!least.known && !fails(r, part, &least, false))
            return;
    }
    if (high == beyond)
        return;
    if (least.known && !least.whole && !least.ran.waits) /* its work has grown */
        return;
    call_fresh(r, part, ((size_t)1 << high) - 2 * tile + rest, first, &before);
    if (!before.known || !does_all(p, trial, &before))
        return;
    tell_crossing(&before, high, &least);
    keep(r, part, &least, false);
}

/* Counts as large as n: trials, then the largest n. Elements that are all equal may have one count
   for all, which contracts keep below 2^31. */
static void try_counts(run *r, unsigned part, size_t huge, pattern first)
{
    static excerpt trial[2], most;
    const lab_part *p = &r->l->parts[part];

    for (unsigned t = 0; t < 2; t++) {
        call_fresh(r, part, run_like_size(r, huge, t), first, &trial[t]);
        if (!trial[t].whole)
            return;
    }
    if (first != ENDS) {
        call_fresh(r, part, first == EQUAL ? most_of_ints(r->l, huge) : huge, first, &most);
        if (fails(r, part, &most, false) || does_less(p, trial, true, &most)) {
            keep(r, part, &most, false);
            return;
        }
        if (first == EQUAL || !most.known || !most.ran.waits || !grows(trial, &most))
            return;
    }
    find_narrow(r, part, huge, first, trial);
}

/* ---- sums as large as can be ----------------------------------------------------------------- */

/* The last number of an output, whose call is whole. */
static bool last_number(const lab_part *p, const excerpt *e, unsigned b, int64_t *value)
{
    const size_t size = judge_element_bytes(p->buffers[b].type), end = tail_of(&e->data, b);

    return e->whole && p->buffers[b].role == LAB_OUT && end >= size &&
           number_at(p, e, b, end - size, value);
}

/* What the number is at n, if it rises by as much for each element as from one to the other. */
static int64_t risen(const excerpt *one, int64_t first, const excerpt *two, int64_t second,
                     size_t n, int64_t *each)
{
    *each = (second - first) / (int64_t)(two->data.n - one->data.n);
    return (int64_t)((uint64_t)second + (uint64_t)*each * (uint64_t)(n - two->data.n));
}

/* Does it rise so in the first three, and not to the last? Then that says so. */
static bool rises_less(const lab_part *p, excerpt tried[4])
{
    for (unsigned b = 0; b < tried[0].data.count; b++) {
        int64_t value[4], each;
        bool known = p->buffers[b].type == LAB_I64;
        for (unsigned t = 0; t < 4; t++)
            known = known && last_number(p, &tried[t], b, &value[t]);
        if (!known ||
            risen(&tried[0], value[0], &tried[1], value[1], tried[2].data.n, &each) != value[2])
            continue;
        case_result *c = &tried[3].result;
        const int64_t right =
            risen(&tried[0], value[0], &tried[1], value[1], tried[3].data.n, &each);
        if (right == value[3])
            continue;
        c->verdict = VERDICT_WRONG;
        snprintf(c->what, sizeof c->what,
                 "%s[%zu], its last element, is %lld: it has to be %lld, where all elements of "
                 "%s are as large as can be; at n = %zu and less it is right",
                 p->buffers[b].name, tried[3].data.length[b] - 1, (long long)value[3],
                 (long long)right, p->buffers[0].name, tried[2].data.n);
        snprintf(c->advice, sizeof c->advice,
                 "a sum may be cut to too few bits, such as in the word that a tile publishes");
        return true;
    }
    return false;
}

static void try_rising(run *r, unsigned part)
{
    static excerpt tried[4];
    const size_t *n = r->l->parts[part].rising_n;

    for (unsigned t = 0; n && t < 4; t++) {
        call_fresh(r, part, n[t], FULL, &tried[t]);
        if (!tried[t].whole)
            return;
    }
    if (n && rises_less(&r->l->parts[part], tried))
        keep(r, part, &tried[3], false);
}

/* ---- look-back over thousands of tiles ------------------------------------------------------- */

/* The lab's own, or sizes like the cases', with as many tiles more, and last tiles as long. */
static size_t stalled_size(const run *r, unsigned part, size_t huge, unsigned which, bool tickets)
{
    const size_t most =
                     tickets && huge > UINT32_MAX ? ((size_t)1 << 32) / r->l->tile : STALLED_MANY,
                 more[STALLED] = { 0, STALLED_FEW, most };
    const size_t *named = r->l->parts[part].stalled_n, tiles = more[which];
    const size_t step = run_like_size(r, huge, 1) - run_like_size(r, huge, 0);

    if (named)
        return named[which];
    return run_like_size(r, huge, 1) + (tiles * r->l->tile + step - 1) / step * step;
}

static void tell_short(const excerpt *trial, excerpt *e)
{
    case_result *c = &e->result;
    char seen[sizeof c->what];

    snprintf(seen, sizeof seen, "%s", c->what);
    snprintf(c->what, sizeof c->what,
             "right for few tiles, and not where thousands have published only aggregates, since "
             "one of the first is slow: %.300s",
             seen);
    c->verdict = VERDICT_WRONG;
    snprintf(c->advice, sizeof c->advice,
             "look-back ends at a prefix or at the first tile, and nowhere else: no number of "
             "tiles is enough (at n = %zu it was)",
             trial[1].data.n);
}

static void tell_late_tiles(excerpt *e)
{
    case_result *c = &e->result;
    char seen[sizeof c->what];

    if (!e->known)
        return;
    snprintf(seen, sizeof seen, "%s", c->what);
    snprintf(c->what, sizeof c->what,
             "right for few tiles, and not where a block has the first ones and then the last, and "
             "other blocks all between: %.300s",
             seen);
    c->verdict = VERDICT_WRONG;
    snprintf(c->advice, sizeof c->advice,
             "an index or a sum of counts may have too few bits, compute it in long long; or "
             "look-back ends after some number of tiles");
}

/* What e does not do, the program does at that n where no block stalls. */
static bool is_short(run *r, unsigned part, const excerpt *trial, excerpt *e)
{
    static excerpt plain;
    const lab_part *p = &r->l->parts[part];
    base_error error;

    if (e->known ? !does_less(p, trial, true, e) : e->result.verdict != VERDICT_OUT_OF_BOUNDS)
        return false;
    session *s = run_open_excerpts(r, &error);
    plain.whole = false;
    if (s)
        call_for(r, s, part, e->data.n, ENDS, MANY_MOST, COMPARED, &plain);
    session_close(s);
    return plain.whole && !does_less(p, trial, true, &plain);
}

/* Tiles after thousands of others that stall, or that other blocks have: two trials with few, then
   that. A program whose words nobody can make up so does something else in the trials, or is cut.
   False: what the program keeps is as no launch leaves it. */
static bool try_stalled(run *r, session *s, unsigned part, size_t huge, kind_of_call how)
{
    const uint64_t most = how == TICKETS ? COLUMN_MOST : MANY_MOST;
    static excerpt tried[STALLED];
    excerpt *const last = &tried[STALLED - 1];
    unsigned t = 0;

    for (; t < STALLED; t++) {
        call_for(r, s, part, stalled_size(r, part, huge, t, how == TICKETS), ENDS, most, how,
                 &tried[t]);
        if (!tried[t].whole)
            break;
    }
    if (t + 1 < STALLED)
        return false;
    if (how == TICKETS && (last->known ? does_less(&r->l->parts[part], tried, true, last)
                                       : last->result.verdict == VERDICT_OUT_OF_BOUNDS)) {
        tell_late_tiles(last);
        keep(r, part, last, false);
    } else if (how == STALLING && is_short(r, part, tried, last)) {
        tell_short(tried, last);
        keep(r, part, last, false);
    }
    return t == STALLED;
}

static bool is_asked(const run *r, unsigned part)
{
    return !r->dead && !r->o->part[0] && !r->o->quick && run_huge_size(r, part) &&
           r->result->part_verdict[part] == VERDICT_PASS;
}

/* In some case a block has waited for another. */
static bool waits_for_others(const run *r, unsigned part)
{
    for (unsigned i = 0; i < r->count[part]; i++)
        if (r->measured[part][i].known && r->measured[part][i].counts.block_chain > 1)
            return true;
    return false;
}

/* By *s, which is opened where it is null, and closed where a launch was cut. */
static bool try_far_calls(run *r, session **s, unsigned part, kind_of_call how)
{
    base_error error;

    if (!*s && !(*s = run_open_excerpts(r, &error)))
        return true;
    if (try_stalled(r, *s, part, run_huge_size(r, part), how))
        return true;
    session_close(*s);
    *s = NULL;
    return false;
}

/* Of parts that are about the same code, the seed draws one. Where a block of a grid of limited
   size has taken all tiles by itself, it may be asked to have the last ones. */
static void try_far_back(run *r)
{
    const unsigned parts = lab_part_count(r->l);
    session *s = NULL;
    unsigned done = 0;

    for (unsigned k = 0; r->l->blocks_wait && k < parts; k++) {
        const unsigned p = (unsigned)((k + r->result->cases[0].seed) % parts);
        if (!is_asked(r, p) || !waits_for_others(r, p) || run_is_like(r->l, p, done))
            continue;
        done |= 1u << p;
        if (!try_far_calls(r, &s, p, STALLING) && is_asked(r, p) && r->l->parts[p].takes_tickets)
            try_far_calls(r, &s, p, TICKETS);
    }
    session_close(s);
}

void run_huge(run *r)
{
    static void (*const tries[])(run *, session *, unsigned, size_t, whole_call *) = { try_first,
                                                                                       try_part };
    whole_call whole[LAB_MAX_PARTS] = { { .launched = false } };
    base_error error;
    session *s = NULL;

    for (size_t k = 0; k < sizeof tries / sizeof tries[0]; k++)
        for (unsigned p = 0; p < lab_part_count(r->l); p++) {
            if (!is_asked(r, p))
                continue;
            if (!s && !(s = run_open_excerpts(r, &error)))
                return;
            tries[k](r, s, p, run_huge_size(r, p), &whole[p]);
        }
    session_close(s);
    try_far_back(r);
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        if (whole[p].waits && r->l->tile > 0 && is_asked(r, p))
            try_counts(r, p, run_huge_size(r, p), ENDS);
        const size_t *const *kinds = r->l->parts[p].kinds;
        for (unsigned k = 0; kinds && k < LAB_KINDS && kinds[k] && is_asked(r, p); k++)
            try_kind(r, p, kinds[k]);
        if (is_asked(r, p))
            try_rising(r, p);
        for (pattern first = CHANGES; first <= EQUAL; first++)
            if (r->l->parts[p].counts_changes && is_asked(r, p))
                try_counts(r, p, run_huge_size(r, p), first);
    }
}
