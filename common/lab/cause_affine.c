/*
 * cause_affine.c: causes of wrong compositions of affine maps. See cause.h.
 *
 * Composition does not commute, but the factors a multiply in any order: a right a beside a wrong b
 * means that all maps are there, in another order. With a odd and b large, equal numbers are no
 * coincidence.
 */
#include "cause.h"

#include <stdlib.h>

typedef struct maps {
    /* x: null if the part has no such input of n maps */
    const lab_affine *x, *expected, *got;
    size_t n, length, tile;
} maps;

static const lab_affine identity = { 1, 0 };

static lab_affine then(lab_affine f, lab_affine g)
{
    return (lab_affine){ g.a * f.a, g.a * f.b + g.b };
}

static bool same(const lab_affine *x, const lab_affine *y, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (x[i].a != y[i].a || x[i].b != y[i].b)
            return false;
    return true;
}

/* a scan that begins anew each run elements */
typedef struct form {
    bool exclusive, swapped;
    size_t run;
} form;

static void scan(const maps *m, form f, lab_affine *out)
{
    lab_affine sum = identity;

    for (size_t i = 0; i < m->n; i++) {
        if (i % f.run == 0)
            sum = identity;
        lab_affine next = f.swapped ? then(m->x[i], sum) : then(sum, m->x[i]);
        out[i] = f.exclusive ? sum : next;
        sum = next;
    }
}

static bool is_scan(const maps *m, form f, const lab_affine *what, lab_affine *work)
{
    scan(m, f, work);
    return same(what, work, m->n);
}

/* Each element composed with what is carried into its tile: all tiles before or only the last, on
   the left or on the right. */
static bool is_carried(const maps *m, form f, bool all, bool right, lab_affine *work)
{
    lab_affine carry = identity, total = identity;

    scan(m, f, work);
    for (size_t i = 0; i < m->n; i++) {
        if (i % m->tile == 0) {
            carry = all ? then(carry, total) : total;
            total = identity;
        }
        total = then(total, m->x[i]);
        lab_affine made = right ? then(work[i], carry) : then(carry, work[i]);
        if (!same(&m->got[i], &made, 1))
            return false;
    }
    return true;
}

static bool b_is_summed(const maps *m, bool exclusive)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < m->n; i++) {
        if (m->got[i].b != (exclusive ? sum : sum + m->x[i].b))
            return false;
        sum += m->x[i].b;
    }
    return true;
}

static bool every_a_is_right(const maps *m)
{
    for (size_t i = 0; i < m->length; i++)
        if (m->got[i].a != m->expected[i].a)
            return false;
    return true;
}

static const char *cause_of_scan(const maps *m, bool exclusive, lab_affine *work)
{
    const form swapped = { exclusive, true, m->n }, other = { !exclusive, false, m->n },
               local = { exclusive, false, m->tile };

    if (is_scan(m, other, m->got, work))
        return exclusive
                   ? "inclusive where exclusive is asked for: each element also holds its own map"
                   : "exclusive where inclusive is asked for: each element lacks its own map";
    if (is_scan(m, swapped, m->got, work))
        return "the operands are composed in the wrong order: what stands on the left in the input "
               "is applied first";
    if (every_a_is_right(m) && b_is_summed(m, exclusive))
        return "each b is the sum of the b before it: the a of the later map is to multiply the b "
               "of the earlier one";
    if (m->n > m->tile && is_scan(m, local, m->got, work))
        return "tile carry missing: every tile starts from the identity, the composition of the "
               "tiles before is not taken in";
    if (m->n > m->tile && is_carried(m, local, true, true, work))
        return "the carry is composed on the wrong side: what the tiles before make comes first, "
               "the tile's own maps after it";
    if (m->n > 2 * m->tile && is_carried(m, local, false, false, work))
        return "tile carry incomplete: only the composition of the tile directly before is taken "
               "in, not of all before";
    return NULL;
}

static const char *cause_of_maps(const maps *m, lab_affine *work)
{
    if (m->x && m->length == m->n && m->n > 1) {
        if (same(m->got, m->x, m->n))
            return "the output is the input, unchanged";
        const char *cause = NULL;
        for (int exclusive = 0; exclusive < 2 && !cause; exclusive++)
            if (is_scan(m, (form){ exclusive, false, m->n }, m->expected, work))
                cause = cause_of_scan(m, exclusive, work);
        if (cause)
            return cause;
    }
    if (m->length > 2 && same(m->got + 1, m->expected, m->length - 1))
        return "shifted by one: each element holds the result of its left neighbour";
    if (m->length > 2 && same(m->got, m->expected + 1, m->length - 1))
        return "shifted by one: each element holds the result of its right neighbour";
    if (every_a_is_right(m))
        return "every a is right and some b is not: all maps are there, but composed in another "
               "order than from left to right";
    return NULL;
}

static const lab_affine *find_maps(const lab_part *part, const judge_data *data)
{
    for (unsigned b = 0; b < data->count; b++)
        if (part->buffers[b].role == LAB_IN && part->buffers[b].type == LAB_AFFINE &&
            data->length[b] == data->n)
            return (const lab_affine *)(data->given + data->offset[b]);
    return NULL;
}

const char *cause_of_affine(const lab_part *part, const judge_data *data, unsigned b, size_t tile)
{
    const size_t offset = data->offset[b];
    const maps m = { .x = find_maps(part, data),
                     .expected = (const lab_affine *)(data->expected + offset),
                     .got = (const lab_affine *)(data->got + offset),
                     .n = data->n,
                     .length = data->length[b],
                     .tile = tile };
    lab_affine *work = malloc((m.n + 1) * sizeof *work);
    const char *cause = work ? cause_of_maps(&m, work) : NULL;

    free(work);
    return cause;
}
