/*
 * huge.c: run_huge of run.h: the largest n that a contract allows, which nobody could run here.
 *
 * The engine runs an excerpt (simt_config.excerpt): the first and the last blocks of each launch,
 * on arrays that are as large as they say and hold nothing but zeros; only their ends hold more,
 * and what is scanned holds more at its start, which its last element depends on.
 * Grids, sizes of allocations and the indices of the last blocks are those of that n.
 *
 * What a program does on such data is its own affair. So the same is tried at two n that the cases
 * have shown it to be right at, and only what it does there and not at the large one counts: what
 * stops a kernel, an error of the CUDA runtime, an end of an output that is not written any more,
 * or, where both have the same there, is another; an end of an input that is not read any more.
 * Where blocks were cut, neither is looked at.
 */
#include <stdio.h>
#include <string.h>

#include "run.h"

enum {
    TAIL = 128, /* bytes of each buffer that are looked at */
    TRIALS = 2,
    STEP = RUN_HUGE_STEP
};

static const uint32_t unwritten = 0xe49a517c;

static const char capped[] = "a grid that is kept below some size needs a loop over the tiles; and "
                             "a number may be too small for so many elements";

static const char scanned[] = "does every sum of earlier elements reach the last ones, by as many "
                              "levels as this n needs? Or some number is too small";

typedef struct excerpt {
    judge_data data;
    unsigned char given[LAB_MAX_BUFFERS * TAIL], got[LAB_MAX_BUFFERS * TAIL];
    case_result told;
    bool known; /* the call has come to its end */
    run_excerpted ran;
} excerpt;

/* One, of any type; a map that changes what it is given. */
static void fill_ones(lab_type type, unsigned char *to, size_t bytes)
{
    static const float one = 1;
    static const int64_t one64 = 1;
    static const uint32_t one32 = 1;
    static const lab_affine map = { 3, 1 };
    static const uint8_t one8 = 1;
    const void *from = type == LAB_F32      ? (const void *)&one
                       : type == LAB_I64    ? (const void *)&one64
                       : type == LAB_AFFINE ? (const void *)&map
                       : type == LAB_U8     ? (const void *)&one8
                                            : &one32;
    const size_t size = judge_element_bytes(type);

    for (size_t at = 0; at + size <= bytes; at += size)
        memcpy(to + at, from, size);
}

static size_t tail_of(const judge_data *d, unsigned b)
{
    return d->bytes[b] < TAIL ? d->bytes[b] : TAIL;
}

static void lay_out(const lab_part *p, size_t n, excerpt *e)
{
    judge_data *d = &e->data;

    memset(d, 0, sizeof *d);
    d->n = n;
    d->count = lab_buffer_count(p);
    d->total_bytes = d->count * TAIL;
    d->given = e->given;
    d->got = e->got;
    d->lost = ~unwritten;
    for (unsigned b = 0; b < d->count; b++) {
        d->length[b] = judge_length(&p->buffers[b], n);
        d->bytes[b] = d->length[b] * judge_element_bytes(p->buffers[b].type);
        d->offset[b] = b * TAIL;
        judge_fill_pattern(e->given + d->offset[b], TAIL, unwritten);
        if (p->buffers[b].role == LAB_IN)
            fill_ones(p->buffers[b].type, e->given + d->offset[b], tail_of(d, b));
    }
}

static void call(run *r, session *s, unsigned part, size_t n, excerpt *e)
{
    lay_out(&r->l->parts[part], n, e);
    run_excerpt(r, s, part, &e->data, TAIL, &e->told, &e->ran);
    e->known = e->told.verdict == VERDICT_PASS;
}

static const unsigned char *element_of(const excerpt *e, unsigned b, size_t at)
{
    return e->got + e->data.offset[b] + at;
}

static bool is_unwritten(const unsigned char *element)
{
    return memcmp(element, &unwritten, sizeof unwritten) == 0;
}

/* The first element from the end of an output that it does not have as both trials do. */
static bool differs(const lab_part *p, const excerpt *trial, const excerpt *e, unsigned *buffer,
                    bool *written)
{
    for (unsigned b = 0; b < e->data.count; b++) {
        const size_t size = judge_element_bytes(p->buffers[b].type),
                     bytes = tail_of(&e->data, b) / size * size;
        if (size < sizeof unwritten || p->buffers[b].role != LAB_OUT ||
            tail_of(&trial[0].data, b) != tail_of(&e->data, b) ||
            tail_of(&trial[1].data, b) != tail_of(&e->data, b))
            continue;
        for (size_t at = bytes; at >= size; at -= size) {
            const unsigned char *first = element_of(&trial[0], b, at - size),
                                *second = element_of(&trial[1], b, at - size),
                                *now = element_of(e, b, at - size);
            *buffer = b;
            *written = !is_unwritten(now);
            if (!is_unwritten(first) && !is_unwritten(second) &&
                (!*written || (memcmp(first, second, size) == 0 && memcmp(now, first, size) != 0)))
                return true;
        }
    }
    return false;
}

static void tell_difference(const lab_part *p, const excerpt *trial, unsigned b, bool written,
                            excerpt *e)
{
    case_result *c = &e->told;
    const lab_buffer *buffer = &p->buffers[b];

    c->verdict = VERDICT_WRONG;
    if (written)
        snprintf(c->what, sizeof c->what,
                 "%s: at its end, %zu elements from its start, are other values than at n = %zu, "
                 "though all that is not 0 in the inputs is at their ends",
                 buffer->name, e->data.length[b], trial[1].data.n);
    else
        snprintf(c->what, sizeof c->what,
                 "%s[%zu], its last element, is not written; at n = %zu it is", buffer->name,
                 e->data.length[b] - 1, trial[1].data.n);
    snprintf(c->advice, sizeof c->advice, "%s: compute indices, sizes and counts of elements in %s",
             !written     ? capped
             : p->cancels ? scanned
                          : "some number is too small for so many elements",
             p->wide_n ? "long long or size_t" : "size_t, or unsigned where 2^32 is enough");
}

static void tell_unread(const excerpt *trial, excerpt *e)
{
    case_result *c = &e->told;

    c->verdict = VERDICT_WRONG;
    snprintf(c->what, sizeof c->what,
             "no kernel reads the last elements of the input; at n = %zu one does", trial->data.n);
    snprintf(c->advice, sizeof c->advice, "%s", capped);
}

/* In place of the part's last case. */
static void show(run *r, unsigned part, excerpt *e)
{
    const unsigned at = r->first[part] + r->count[part] - 1;

    e->told.after_others = true;
    r->result->cases[at] = e->told;
    r->result->part_verdict[part] = e->told.verdict;
    r->result->shown[part] = (int)at;
}

static void keep(run *r, unsigned part, excerpt *e)
{
    case_result *c = &e->told;
    const size_t used = strlen(c->note);

    if (c->verdict == VERDICT_OUT_OF_BOUNDS)
        snprintf(c->advice, sizeof c->advice,
                 "smaller n are right, so a number has become too large for its type: an index, an "
                 "offset in bytes or a size that is computed in 32 bits, or an array has room for "
                 "so many tiles only. Compute in size_t, and make arrays as large as n asks for");
    else if (c->verdict == VERDICT_CUDA_ERROR && !c->advice[0])
        snprintf(
            c->advice, sizeof c->advice,
            "smaller n are right, so a number has become too large for its type, or for CUDA: "
            "n + T - 1 overflows an int where (n - 1) / T + 1 does not; gridDim.y and .z are at "
            "most 65535");
    snprintf(c->note + used, sizeof c->note - used,
             "%snobody can run so many elements here: of each launch only the first and the last "
             "blocks ran, one by one, on arrays of zeros; smaller ones passed so",
             used ? "; " : "");
    snprintf(c->schedule, sizeof c->schedule, "blocks in order, the first and the last alone");
    show(r, part, e);
}

/* What else a program may do there says nothing about its code: the host has less memory, too. */
static bool counts(const excerpt *e)
{
    switch (e->told.verdict) {
    case VERDICT_OUT_OF_BOUNDS:
    case VERDICT_CUDA_ERROR: return true;
    default: return false;
    }
}

/* Whatever the data: at this n it has taken less, and kept to the rules. */
static bool trial_counts(const excerpt *trial)
{
    return trial->told.verdict == VERDICT_MEM_LIMIT || trial->told.verdict == VERDICT_POLICY;
}

static void try_part(run *r, session *s, unsigned part, size_t huge)
{
    const lab_part *p = &r->l->parts[part];
    static excerpt trial[TRIALS], e;
    unsigned buffer;
    bool written;

    for (unsigned t = 0; t < TRIALS; t++) {
        call(r, s, part, huge % STEP + (STEP << t), &trial[t]);
        if (trial_counts(&trial[t]))
            show(r, part, &trial[t]);
        if (!trial[t].known)
            return;
    }
    call(r, s, part, huge, &e);
    const bool whole = e.known && !e.ran.cut && !trial[0].ran.cut && !trial[1].ran.cut;
    if (whole && differs(p, trial, &e, &buffer, &written))
        tell_difference(p, trial, buffer, written, &e);
    else if (whole && !e.ran.ends_read && trial[0].ran.ends_read && trial[1].ran.ends_read)
        tell_unread(&trial[1], &e);
    else if (!counts(&e))
        return;
    keep(r, part, &e);
}

/* The same code for another type: a part before has its hints. */
static bool is_like(const run *r, unsigned part)
{
    for (unsigned p = 0; p < part; p++)
        if (r->l->parts[p].hints == r->l->parts[part].hints && run_huge_size(r, p) &&
            r->result->part_verdict[p] != VERDICT_NOT_RUN)
            return true;
    return false;
}

void run_huge(run *r)
{
    base_error error;
    session *s = NULL;

    for (unsigned p = 0; !r->dead && !r->o->part[0] && !r->o->quick && p < lab_part_count(r->l);
         p++) {
        const size_t huge = run_huge_size(r, p);
        if (!huge || r->result->part_verdict[p] != VERDICT_PASS || is_like(r, p))
            continue;
        if (!s && !(s = run_open_excerpts(r, &error)))
            return;
        try_part(r, s, p, huge);
    }
    session_close(s);
}
