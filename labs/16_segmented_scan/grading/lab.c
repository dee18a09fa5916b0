/*
 * Declaration of lab 16: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for sections of S = 512 and tiles of T = 4096 elements:
 *     tree       a pair that joins adds once, or not at all where the right one has a head: up and
 *                down 2 (S - 1) at most
 *     bytes      4 for an element read, 1 for its flag, 4 for what is written: 9n, or 2.25 times
 *                the array. To that come, for a tile: its ticket and its depth, its descriptor
 *                written once or twice, and a look at 32 others, of 8 bytes each. A window comes to
 *                0.7 % of the tile's 9 T bytes; 2 % are allowed
 *     offsets    8 bytes for each segment, both of its ends, so that empty ones are seen; for its
 *                sum once more, and 4 to store it. The searches take 2 log2 (S + 1) loads a tile: 1
 *                KiB a tile is allowed for these and the descriptors
 *     chain      as in lab 10. A tile with a head publishes its prefix before it looks at any other
 *                one, so that where each has a head nobody waits for a look-back: depth 1
 *     shares     elements and ends of segments together are cut into equal shares. A share of ends
 *                alone takes somewhat more instructions than one of elements alone: twice a mean
 *                block's are allowed
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "lab.h"
#include "segmented_scan.h"

enum { LOG2_SECTION = 9 };

_Static_assert(1 << LOG2_SECTION == SECTION, "LOG2_SECTION is the logarithm of SECTION");

#include "usual_gates.h"

static size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }
static double sections(size_t n) { return (double)((n + SECTION - 1) / SECTION); }
static double least_blocks(size_t n) { return sections(n) < 8 ? sections(n) : 8; }
static size_t shares(size_t n) { return (n + segments(n) + TILE - 1) / TILE; }

/* ---- diagnosis: the output as some well-known slips leave it --------------------------------- */

typedef enum slip {
    ONLY_ONES,       /* a flag of 2 or 3 is not taken for a head */
    NO_HEADS,        /* heads are not looked at, but where a run of its own begins */
    BEFORE_HEAD,     /* exclusive: a head takes what lies before it, and not 0 */
    RUN_ALONE,       /* what a warp, section or tile takes over from the one before is missing */
    ADDED_TO_ALL,    /* it is added to all of it, not only up to its first head */
    ADDED_TO_ROWS,   /* it is added to each of its rows up to the row's own first head */
    PAST_HEADS,      /* what is taken over has gone on through heads */
    PAST_ALL,        /* the same, and it is added to all */
    FROM_LEFT,       /* backward: scanned from the left */
    HEADS_NOT_TAILS, /* backward: cut after a segment's first element, not at its last */
    OTHER_FORM       /* inclusive for exclusive, or the other way round */
} slip;

/* A scan of lab 16: what it is of, and what its answer would be after a slip. */
typedef struct scan_view {
    const lab_mismatch *m;
    size_t each; /* a new segment begins after so many */
    bool exclusive, backward, counts;
} scan_view;

static double item_of(const scan_view *v, size_t i)
{
    return v->counts ? ((const uint8_t *)v->m->inputs[0])[i] != 0
                     : ((const float *)v->m->inputs[0])[i];
}

static double got_of(const scan_view *v, size_t i)
{
    return v->m->buffer->type == LAB_I32 ? ((const int32_t *)v->m->got)[i]
                                         : ((const float *)v->m->got)[i];
}

/* Marks, in the order of the scan, where segments begin; the caller's to free. */
static bool *heads_in_order(const scan_view *v, slip kind)
{
    const size_t n = v->m->n;
    const int32_t *offset = v->m->inputs[1];
    bool *heads = calloc(n + 2, sizeof *heads);

    if (!heads)
        return NULL;
    for (size_t i = 0; !v->backward && i < n; i++)
        heads[i] = kind == ONLY_ONES
                       ? i % v->each == 0 || ((const uint8_t *)v->m->inputs[1])[i] == 1
                       : is_head(v->m->inputs[1], i, v->each);
    for (size_t s = 0; v->backward && s < offsets(n); s++) {
        const size_t e = (size_t)offset[s];
        if (kind == FROM_LEFT)
            heads[e] = true; /* of n, too: after all */
        else if (kind == HEADS_NOT_TAILS)
            heads[n - 1 - (e < n ? e : n - 1)] = true;
        else
            heads[n - e] = true;
    }
    return heads;
}

/* Is every element what this slip leaves, where warps, sections or tiles of `run` take over from
   each other? */
static bool leaves(const scan_view *v, slip kind, size_t run)
{
    const size_t n = v->m->n;
    bool *heads = heads_in_order(v, kind), fits = heads != NULL, headed = false, in_row = false;
    double open = 0;  /* since the last head */
    double own = 0;   /* the same, but not from before the run */
    double taken = 0; /* what was open where the run began */
    double past = 0;  /* the same, had no head ended it */

    for (size_t k = 0; k < n && fits; k++) {
        const size_t i = v->backward && kind != FROM_LEFT ? n - 1 - k : k;
        const bool anew = k % v->each == 0, head = heads[k] && kind != NO_HEADS;
        const double x = item_of(v, i), in = v->exclusive == (kind == OTHER_FORM) ? x : 0;
        const double before = open;
        if (k % run == 0) {
            past = anew ? 0 : past + own;
            taken = anew ? 0 : open;
            own = 0;
            headed = false;
        }
        in_row = in_row && k % WARP != 0;
        if (head || anew) {
            open = own = 0;
            headed = in_row = true;
        }
        const double out = kind == BEFORE_HEAD && head && !anew ? before + in
                           : kind == RUN_ALONE                  ? own + in
                           : kind == ADDED_TO_ALL               ? taken + own + in
                           : kind == ADDED_TO_ROWS ? (headed && !in_row ? taken : 0) + open + in
                           : kind == PAST_HEADS    ? (headed ? 0 : past) + own + in
                           : kind == PAST_ALL      ? past + own + in
                                                   : open + in;
        fits = got_of(v, i) == out;
        open += x;
        own += x;
    }
    free(heads);
    return fits;
}

static bool has_infinite(const scan_view *v)
{
    for (size_t i = 0; i < v->m->n; i++)
        if (isinf(item_of(v, i)))
            return true;
    return false;
}

#define INFINITE_SPOILS                                                                            \
    "an infinite element spoils what lies after the next head: no sum crosses a head. To add "     \
    "and "                                                                                         \
    "subtract again, or to multiply by 0, does not take it away"

static const char *name_slip(const scan_view *v)
{
    enum { OF_A_WARP = SEGMENTED_ROWS * WARP };

    if (!v->counts && isnan(got_of(v, v->m->index)) && has_infinite(v))
        return INFINITE_SPOILS;
    if (!v->backward && leaves(v, ONLY_ONES, WARP))
        return "a flag of 2 or 3 was not taken for a head: any byte but 0 is one";
    if (leaves(v, NO_HEADS, WARP))
        return "no head ends a sum: the scan goes on from segment to segment";
    if (v->exclusive && leaves(v, BEFORE_HEAD, WARP))
        return "an element that is a head gets the sum of the segment before it: nothing of its "
               "own segment lies before a head. Bits up to a lane have to hold the lane's own "
               "head (lanemask_le, not lanemask_lt), and a head starts from 0";
    if (leaves(v, OTHER_FORM, WARP))
        return v->exclusive ? "each element counts itself: before it means without it"
                            : "each element lacks itself: the scan is inclusive";
    if (leaves(v, RUN_ALONE, TILE))
        return "the open sum before a tile is added to none of its elements";
    if (leaves(v, RUN_ALONE, OF_A_WARP) || leaves(v, RUN_ALONE, WARP))
        return "a segment that began before the warp, or the row, starts from 0 there: the open "
               "sum before is missing";
    if (leaves(v, ADDED_TO_ALL, TILE))
        return "the open sum before a tile was added to all of it: it belongs to the elements in "
               "front of the tile's first head alone";
    if (leaves(v, ADDED_TO_ALL, OF_A_WARP) || leaves(v, ADDED_TO_ALL, WARP) ||
        leaves(v, PAST_ALL, WARP))
        return "the open sum before a warp, or a row, was added to all of it: it belongs to the "
               "elements in front of the first head alone";
    if (leaves(v, ADDED_TO_ROWS, OF_A_WARP) || leaves(v, ADDED_TO_ROWS, TILE))
        return "rows after the first head got the open sum before the warp as well, up to their "
               "own first head: once a head has come, no later row gets it";
    if (leaves(v, PAST_HEADS, TILE))
        return "look-back went on past a head: a tile with a head has to publish its PREFIX, where "
               "every look-back ends, and never an AGGREGATE";
    if (leaves(v, PAST_HEADS, OF_A_WARP) || leaves(v, PAST_HEADS, WARP))
        return "the open sum before a warp has gone on through a head of a warp before it: join "
               "the warps, do not add them";
    if (v->backward && leaves(v, FROM_LEFT, TILE))
        return "each element has the sum up to itself: backward, it has the sum from itself to the "
               "end of its segment";
    if (v->backward && leaves(v, HEADS_NOT_TAILS, TILE))
        return "segments are cut one element too late: backward, a segment's last element is "
               "its head, and that is the one before the next offset";
    return NULL;
}

static const char *section_diagnose(const lab_mismatch *m)
{
    return name_slip(&(scan_view){ m, SECTION, true, false, m->buffer->type == LAB_I32 });
}

static const char *inclusive_diagnose(const lab_mismatch *m)
{
    return name_slip(&(scan_view){ m, m->n, false, false, false });
}

static const char *rows_diagnose(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got, *expected = m->expected;
    const size_t i = m->index;

    if (i % WARP == 0 && got[i] == expected[i] + in[i])
        return "the first lane has its element twice: where no lane is so far to the left, "
               "__shfl_up_sync gives a lane its own value, and that is not to be added";
    return name_slip(&(scan_view){ m, (size_t)SEGMENTED_ROWS * WARP, false, false, false });
}

static const char *backward_diagnose(const lab_mismatch *m)
{
    return name_slip(&(scan_view){ m, m->n, false, true, false });
}

static const char *distribute_diagnose(const lab_mismatch *m)
{
    const uint32_t *in = m->inputs[0], *got = m->got, *expected = m->expected; /* bits */
    bool heads_only = true, copied = true, in_section = true;

    for (size_t i = 0; i < m->n; i++) {
        const bool wrong = got[i] != expected[i], head = is_head(m->inputs[1], i, SECTION);
        const bool before = i > 0 && got[i] == expected[i - 1];
        heads_only = heads_only && (!wrong || (head && before));
        copied = copied && got[i] == in[i];
        in_section = in_section && (!wrong || expected[i] == in[i - i % SECTION]);
    }
    if (copied)
        return "every element keeps its own value: only heads hand theirs on";
    if (heads_only)
        return "a head takes the value of the segment before it: its own bit belongs to the lanes "
               "up to it (lanemask_le, not lanemask_lt)";
    if (in_section)
        return "wrong only in the segments at the front of a section: its first element is a head, "
               "whatever its flag says";
    return NULL;
}

static const char *sums_diagnose(const lab_mismatch *m)
{
    const int32_t *offset = m->inputs[1];
    const float *in = m->inputs[0], *got = m->got, *expected = m->expected;
    bool empty = true, unopened = true;

    for (size_t s = 0; s < m->length; s++) {
        const int64_t at = offset[s + 1] + (int64_t)s; /* of its end among elements and ends */
        const int64_t first = at / TILE * TILE;        /* item at which the share begins */
        size_t ends = s;                               /* before it */
        float since = 0;
        if (got[s] == expected[s])
            continue;
        empty = empty && offset[s] == offset[s + 1];
        while (ends > 0 && offset[ends] + (int64_t)ends - 1 >= first)
            ends--;
        for (int64_t i = first - (int64_t)ends; i < offset[s + 1]; i++)
            since = i < offset[s] ? 0 : since + in[i];
        unopened = unopened && offset[s] < first - (int64_t)ends && got[s] == since;
    }
    if (isnan(got[m->index]))
        for (size_t i = 0; i < m->n; i++)
            if (isinf(in[i]))
                return INFINITE_SPOILS;
    if (empty)
        return "wrong only where a segment is empty: its sum is 0, and it has to be written";
    if (unopened)
        return "wrong only in segments that began before the share in which they end: what was "
               "open there is missing";
    return NULL;
}

static const char *join_diagnose(const lab_mismatch *m)
{
    const float *in = m->inputs[0], *got = m->got;
    const size_t k = m->index, next = k + 1 < m->n ? k + 1 : 0;

    if (m->buffer->type == LAB_I32)
        return "the joint stretch has a head if either of the two has one";
    if (got[k] == in[k] + in[next])
        return "a head in the right stretch cuts off all that lies left of it: the left sum goes "
               "nowhere";
    return got[k] == in[next]
               ? "without a head in the right stretch the left sum goes on through it"
               : NULL;
}

static const char *start_diagnose(const lab_mismatch *m)
{
    const uint32_t *heads = m->inputs[0];
    const int32_t *got = m->got;
    const int lane = (int)(m->index % WARP);

    if (heads[m->index] >> lane & 1)
        return got[m->index] != lane ? "a lane that is a head itself begins its segment: the mask "
                                       "has to keep its own bit (lanemask_le, not lanemask_lt)"
                                     : NULL;
    return got[m->index] > lane ? "a head to the right of the lane was found: keep the bits up to "
                                  "the lane only"
                                : NULL;
}

static const char *split_diagnose(const lab_mismatch *m)
{
    const int32_t got = ((const int32_t *)m->got)[m->index],
                  expected = ((const int32_t *)m->expected)[m->index];
    const int32_t *offset = m->inputs[0];
    const int64_t at = ((const int64_t *)m->inputs[1])[m->index];

    if (got == expected + 1 && offset[expected + 1] + (int64_t)expected == at)
        return "an end that stands at item `at` is not before it: below, and not up to";
    return NULL;
}

/* ---- notes ----------------------------------------------------------------------------------- */

static bool has_head(const lab_noted *d, size_t tile)
{
    const uint8_t *heads = d->inputs[1];
    const size_t end = (tile + 1) * TILE < d->n ? (tile + 1) * TILE : d->n;

    for (size_t i = tile * TILE; i < end; i++)
        if (heads[i])
            return true;
    return false;
}

/* How far back tiles looked: what d_depth cannot be. */
static const char *depth_fault(lab_noted *d)
{
    enum { MANY = 16 };
    const uint8_t *heads = d->inputs[1];
    const char *fault = NULL;
    uint64_t *chain = calloc(d->length + 1, sizeof *chain);
    size_t nearest = 0; /* tile before this one that has a head, or tile 0 */

    for (size_t t = 0; t < d->length && chain && !fault && d->launches <= 1; t++) {
        const int32_t depth = d->value[t];
        d->index = t;
        if (t > 0 && has_head(d, t - 1))
            nearest = t - 1;
        if (depth == d->unwritten)
            fault = "each tile notes how many tiles back the prefix was that ended its look-back";
        else if (depth < 0 || (size_t)depth > t)
            fault = "there is no tile that far back: the depth is the tile's number less that of "
                    "the tile whose prefix ended the look-back";
        else if (t > 0 && depth == 0 && !heads[t * TILE])
            fault = "only tile 0, and a tile that begins with a head, need not look back: if the "
                    "prefix of tile t was taken, the depth is the tile's number less t";
        else if (t > 0 && (size_t)depth > t - nearest)
            fault =
                "a tile nearer than that has a head, and knows its prefix without looking back: "
                "it publishes PREFIX at once, and every look-back ends there";
        else if (d->resident && !d->late && (unsigned)depth > d->resident)
            fault = "no look-back goes further than blocks are resident, since tiles whose blocks "
                    "have ended have left a prefix";
        else if (depth > 0 && d->chain_exact && lab_not_observed(d, t) &&
                 !has_head(d, t - (size_t)depth))
            fault =
                "the run was different: this tile never saw a prefix at the tile that d_depth "
                "names. Note how far back the prefix was that ended the look-back, counted over "
                "all windows";
        else if (depth > 0)
            chain[t] = 1 + (has_head(d, t - (size_t)depth) ? 0 : chain[t - (size_t)depth]);
        /* blocks that stay do not wait for themselves: with many resident, those are few */
        const bool known = d->chain_known && d->chain > 0 && d->resident >= MANY;
        if (!fault &&
            ((d->chain_exact && chain[t] > d->chain) || (known && chain[t] > 2 * d->chain + MANY)))
            fault = "the run was different: if all tiles had found their prefix where d_depth "
                    "says, more blocks would have waited for each other than did";
    }
    free(chain);
    return fault;
}

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, SEGMENTED_THREADS)
LIMIT(section_threads, SEGMENTED_SECTION)
static double additions(size_t n) { return sections(n) * 2 * (SECTION - 1); }
static double barriers(size_t n) { return (2 * LOG2_SECTION + 2) * sections(n); }
/* two of three, where segments are long enough that a right scan adds more */
static double sums_made(size_t n)
{
    return n == SECTIONS_COUNTED || n == TILES_COUNTED ? (double)n * 2 / 3 : 0;
}
static double two_bytes_each(size_t n) { return 2 * (double)n; }
static double five_bytes_each(size_t n) { return 5 * (double)n; }
static double nine_bytes_each(size_t n)
{
    return 9 * (double)n + 0.02 * 9 * TILE * (double)tiles(n);
}
enum { ASIDE = 1 << 10 };
static double backward_bytes(size_t n)
{
    return 8 * (double)n + 12 * (double)offsets(n) + ASIDE * (double)tiles(n);
}
static double sums_bytes(size_t n)
{
    return 4 * (double)n + 24 * (double)offsets(n) + ASIDE * (double)shares(n);
}
static double sums_stored(size_t n) { return 4 * (double)segments(n); }
/* words may be published by atomics: A and P */
static double tickets(size_t n) { return 3 * (double)tiles(n) + 128; }
/* marks by bits of a word need an atomic each */
static double tickets_and_marks(size_t n) { return tickets(n) + (double)offsets(n); }
static double share_tickets(size_t n) { return (double)(3 * shares(n) + offsets(n)) + 128; }
static double tile_barriers(size_t n) { return 6 * (double)tiles(n) + 64; }
static double share_barriers(size_t n) { return 8 * (double)shares(n) + 64; }
static double sectors_aside(size_t n) { return ASIDE / 32 * (double)tiles(n); }
static double one_a_tile(size_t n) { return (double)tiles(n); }
static double one_a_share(size_t n) { return (double)shares(n); }
static double least_tiles(size_t n) { return tiles(n) < 8 ? (double)tiles(n) : 8; }
/* of no elements nothing is launched, though they may have ends */
static double least_shares(size_t n) { return n == 0 ? 0 : shares(n) < 8 ? (double)shares(n) : 8; }
static double half_the_tiles(size_t n) { return 0.5 * (double)tiles(n); }

#define ADDITIONS                                                                                  \
    LAB_ADDITIONS, LAB_AT_MOST, additions, "additions",                                            \
        "2 (S - 1) = 1022 per section of S = 512: heads only take some away",                      \
        "A join adds once, or not at all where the right one has a head: one for each pair of "    \
        "the tree, up and down."
#define SUMS_MADE                                                                                  \
    ADDITIONS_MADE(sums_made, "2n/3 at n = 2637 and 20557, whose segments have some 500 "          \
                              "elements; elsewhere heads may leave none")
#define TREE_BARRIERS                                                                              \
    LAB_BARRIERS, LAB_AT_MOST, barriers, "barriers",                                               \
        "2 log2 S + 2 = 20 per section: one a step, and two to spare",                             \
        "The pairs of a step do not touch each other's places, so that one barrier a step is "     \
        "enough."
#define READ(limit, formula)                                                                       \
    LAB_BYTES_READ, LAB_AT_MOST, limit, "bytes read", formula, "Load each element and flag once."
#define WRITTEN                                                                                    \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, four_bytes_each, "bytes written", "4n: each output once",      \
        "Store what is finished, once."
#define VOTE_BARRIERS THREE_BARRIERS("A warp stores its open sum for the others: one barrier.")
#define CHEAP                                                                                      \
    TWICE_THE_REFERENCE("Votes tell a warp's heads and predicates at once: __clz finds a head, "   \
                        "and there is no loop over lanes.")
#define LAUNCHES                                                                                   \
    LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: a single pass",                                \
        "One kernel does it all: a block learns from descriptors the open sum before its tile."
#define MOVED_BY(limit, formula, advice)                                                           \
    LAB_MOVED_BUT_LOOKS, LAB_AT_MOST, limit, "bytes moved", formula, advice
#define MOVED(limit, formula)                                                                      \
    MOVED_BY(limit, formula,                                                                       \
             "Read each element once and keep the tile on the chip; heads come from flags or "     \
             "offsets alone.")
#define TICKETS(limit, formula)                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, limit, "atomics", formula,                                           \
        "A ticket a block: what crosses its border goes through descriptors, not through atomics."
#define BARRIERS(limit, formula)                                                                   \
    LAB_BARRIERS, LAB_AT_MOST, limit, "barriers", formula,                                         \
        "One warp looks back while the others wait at a single barrier."
#define SECTORS                                                                                    \
    LAB_SECTOR_EXCESS, LAB_AT_MOST, sectors_aside, "extra sectors", "32 a tile",                   \
        "Neighbouring lanes load neighbouring elements."
#define CHAIN                                                                                      \
    LAB_CROWD_CHAIN, LAB_AT_MOST, half_the_tiles, "tiles in one chain",                            \
        "0.5 of the tiles, with 40 blocks resident: a tile publishes before it waits",             \
        "Tile waits for tile: publish the aggregate, or the prefix of a tile with a head, before " \
        "the look-back."
#define EQUAL_SHARES                                                                               \
    LAB_BUSIEST_BLOCK, LAB_AT_MOST, two, "busiest block",                                          \
        "twice the instructions of a mean block, whatever the segments",                           \
        "Long segments, or many empty ones, all go to one block: cut elements and ends together "  \
        "into equal shares."
#define BLOCKS_AT_MOST(limit, formula)                                                             \
    LAB_BLOCKS, LAB_AT_MOST, limit, "blocks", formula,                                             \
        "Launch as many blocks as there are tiles or shares: more have nothing to do."

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints join_hints = {
    "Two stretches side by side: 3 1 | 7 0 4, where | is a head, and then 1 6. Which sum does an "
    "element to the right of both need? And of 1 6 and then | 7 0?",
    "A head in the right stretch cuts off all that lies left of it. Without one, the left sum "
    "goes on through it. Both have a head if either has.",
    "the sum is that of ___, and where the right one has no ___, that of the left is added",
};
static const lab_hints start_hints = {
    "Lane 9 is a head itself. Where does its segment begin? Which bits of heads may it look at? "
    "And what if none is set?",
    "Keep the bits of the lanes up to and with one's own, then __clz finds the highest. A mask of "
    "the lanes below alone loses a lane that is a head itself. A shift by 32 is undefined: shift "
    "ones to the right, by 0 to 31.",
    "keep of heads the bits 0 to lane: all ones, moved right by ___\n"
    "31 less the zeros above the highest of them; of no bit __clz says ___",
};
static const lab_hints votes_hints = {
    "A lane's segment begins in its warp, or further left. In the second case, which warps before "
    "have something that counts for this lane, and where does that end?",
    "Two ballots: who is true, and who is a head. Count the true ones from the segment's start up "
    "to the lane. Each warp leaves what it has from its last head on. A lane whose segment began "
    "before its warp goes left from warp to warp, up to the first that has a head.",
    "start = segment_start of my lane\n"
    "count the votes from lane ___ on and below mine; or fetch the value of lane ___\n"
    "the last lane stores for its warp: the open sum at the end, and is there a head?\n"
    "a barrier\n"
    "if start is -1: from the warp before mine leftward, take ___, and stop after a warp with ___",
};
static const lab_hints rows_hints = {
    "A row of 32 elements has heads at lanes 5 and 20. How far to the left may lane 23 add? And "
    "which lanes still need what the row before has left open?",
    "Five steps with rising distances; a lane adds only what comes from lane segment_start or "
    "later. Lanes with no head at or before them add what the rows so far have open. What a row "
    "leaves open stands in its last lane.",
    "for each row: start = segment_start of my lane\n"
    "    for distances 1, 2, 4, 8, 16:\n"
    "        the item of the lane ___ to the left: all lanes meet this\n"
    "        add it if that lane is not below ___, and not below 0\n"
    "    if start is ___: add what the rows so far have open\n"
    "    open now: the item of lane ___; a head has been seen if ___",
};
static const lab_hints tile_hints = {
    "A tile has a head somewhere. Does what it leaves open depend on the tiles before it? Which "
    "of its elements do?",
    "With a head in the tile its prefix is the sum from the last head on, known at once: publish "
    "PREFIX, so that every look-back ends here. The tile still looks back, for the elements in "
    "front of its first head, and for no others. A tile without a head is as in lab 10.",
    "known: the tile has ___, or is the first of all\n"
    "one lane publishes the sum of all, as ___ if known, else as ___\n"
    "all tiles but the first look back\n"
    "if not known, one lane publishes PREFIX: ___ and the tile's sum\n"
    "add_before: row by row, while no row before has had a head: lanes without one up to theirs "
    "add ___",
};
static const lab_hints backward_hints = {
    "Read the array from its end: where does a segment begin then? Segment s is d_offset[s] to "
    "d_offset[s + 1] - 1. What does an empty one mark?",
    "Backward, a segment's last element is its head: the one before its end. An empty "
    "segment has none and marks nothing, so that no two threads mark the same place. The tile's "
    "elements are low to high - 1: the ends above low and up to high belong to it.",
    "for each of the tile's offsets, a thread each, in steps of the block:\n"
    "    it ends the segment before it; if that has ___, it marks nothing\n"
    "    its last element is ___ before the offset; backward that is place ___ of the tile, "
    "whose place 0 is element high - 1",
};
static const lab_hints split_hints = {
    "Write elements and ends into one row, each end after the elements of its segment: "
    "x x | | x |. At which item of the row stands the end of segment s?",
    "In front of the end of segment s stand d_offset[s + 1] elements and s ends. That rises from "
    "end to end, so that a binary search finds how many are below `at`.",
    "low = 0, high = the number of segments; while they differ:\n"
    "    take the one in the middle; its end stands at ___ plus ___, in 64 bits\n"
    "    below `at`: low is after it; else high is ___",
};
static const lab_hints sums_hints = {
    "A segment ends in this share. Where does its last element stand: in this share, or in one "
    "before? Which sum does a segment have that is empty?",
    "After each end a segment begins: that is a head. After the scan the sum of a segment stands "
    "at its last element. If that lies before the share, the sum is what was open there. An empty "
    "segment has no last element: 0.",
    "mark: the element at ___ is a head; its place is counted from low. Where segment s "
    "is ___ and not the first of the share, the end before has marked it\n"
    "store: for each end of the share\n"
    "    begin equal to end: ___\n"
    "    end above low: the scan at place ___\n"
    "    else: ___",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers section_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_head", .type = LAB_U8 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers distribute_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_head", .type = LAB_U8 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID, .copied = true },
};
static const lab_buffers enumerate_buffers = {
    { .name = "d_true", .type = LAB_U8 },
    { .name = "d_head", .type = LAB_U8 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers inclusive_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_head", .type = LAB_U8 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_depth",
      .type = LAB_I32,
      .role = LAB_NOTE,
      .length = tiles,
      .note = "tiles looked back" },
};
static const lab_buffers backward_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_offset", .type = LAB_I32, .length = offsets, .rising = true },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers sums_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_offset", .type = LAB_I32, .length = offsets, .rising = true },
    { .name = "d_sum", .type = LAB_F32, .role = LAB_OUT, .length = segments, .owner = LAB_BY_GRID },
};
static const lab_buffers run_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_head", .type = LAB_U8 },
    { .name = "d_sum", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
    { .name = "d_any", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers start_buffers = {
    { .name = "d_heads", .type = LAB_U32 },
    { .name = "d_start", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_buffers split_buffers = {
    { .name = "d_offset", .type = LAB_I32, .length = one_more },
    { .name = "d_at", .type = LAB_I64 },
    { .name = "d_ends", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

static const lab_gates section_gates = {
    { SUMS_MADE },     { ADDITIONS },
    { TREE_BARRIERS }, { READ(five_bytes_each, "5n: each element and its flag once") },
    { WRITTEN },       { WHOLE_SECTORS },
    ONE_LAUNCH_ALONE,  { NO_ATOMICS },
    { NO_DOUBLES },    SECTION_EACH(least_blocks, block_threads, "256"),
    { WARPS_ALIKE },
};
static const lab_gates enumerate_gates = {
    { READ(two_bytes_each, "2n: each predicate and flag once") },
    { WRITTEN },
    { WHOLE_SECTORS },
    { VOTE_BARRIERS },
    { CHEAP },
    ONE_LAUNCH_ALONE,
    { NO_ATOMICS },
    SECTION_EACH(least_blocks, section_threads, "512"),
    { WARPS_ALIKE },
};
static const lab_gates distribute_gates = {
    { READ(five_bytes_each, "5n: each element and its flag once") },
    { WRITTEN },
    { WHOLE_SECTORS },
    { VOTE_BARRIERS },
    { CHEAP },
    ONE_LAUNCH_ALONE,
    { NO_ATOMICS },
    SECTION_EACH(least_blocks, section_threads, "512"),
    { WARPS_ALIKE },
};
static const lab_gates inclusive_gates = {
    { SUMS_MADE },
    { LAUNCHES },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { NO_FILLS },
    { MOVED(nine_bytes_each, "9n + 0.18 T tiles: each element and flag read once, each sum "
                             "written once, 2 % of a tile for descriptors") },
    { STORED(four_bytes_each, "4n: the output") },
    { TICKETS(tickets,
              "3 tiles + 128: a ticket, A and P of each tile, 128 for persistent blocks") },
    { BARRIERS(tile_barriers, "6 tiles + 64: ticket, totals of the warps, the open sum before "
                              "the tile, and spare") },
    { SECTORS },
    { CHAIN },
    { NOT_STALLED("40") },
    { SHARED_OUT("40") },
    { BLOCKS_FOR_TILES(least_tiles, "one a tile, where there are up to 8; else 8") },
    THREADS_PER_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
    { BLOCKS_AT_MOST(one_a_tile, "1 a tile") },
};
static const lab_gates backward_gates = {
    { LAUNCHES },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { NO_FILLS },
    { MOVED(backward_bytes, "8n + 12 offsets + 1024 tiles: elements, offsets, descriptors and a "
                            "search") },
    { STORED(four_bytes_each, "4n: the output") },
    { TICKETS(tickets_and_marks,
              "3 tiles + offsets + 128: tickets, A and P, 128 for persistent blocks, marks "
              "that share a word") },
    { BARRIERS(tile_barriers, "6 tiles + 64: ticket, bounds, marks, totals of the warps, the "
                              "open sum before the tile, and spare") },
    { CHAIN },
    { NOT_STALLED("40") },
    { SHARED_OUT("40") },
    { BLOCKS_FOR_TILES(least_tiles, "one a tile, where there are up to 8; else 8") },
    THREADS_PER_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
    { BLOCKS_AT_MOST(one_a_tile, "1 a tile") },
};
static const lab_gates sums_gates = {
    { LAUNCHES },
    { NO_WAITING },
    { NO_FIXED_ROOM },
    { NO_FILLS },
    { BLOCKS_FOR_TILES(least_shares, "one a share, where there are up to 8; else 8") },
    { EQUAL_SHARES },
    { MOVED_BY(
        sums_bytes,
        "4n + 24 offsets + 1024 shares: elements; both ends of a segment, twice, its sum, and "
        "spare; descriptors and a search",
        "Read each element once, and each offset about once: a share finds its first segment "
        "by halving, not by looking at one offset after the other.") },
    { STORED(sums_stored, "4 per segment") },
    { TICKETS(share_tickets,
              "3 shares + offsets + 128: tickets, A and P, 128 for persistent blocks, marks "
              "that share a word") },
    { BARRIERS(share_barriers, "8 shares + 64: those of a tile, and one before the sums are "
                               "fetched") },
    THREADS_PER_BLOCK(block_threads, "256"),
    { WARPS_ALIKE },
    { BLOCKS_AT_MOST(one_a_share, "1 a share: (n + segments) / 4096, rounded up") },
};

static const lab_sizes section_sizes = { SECTIONS_COUNTED, SECTIONS_ALL, SECTIONS_NONE,
                                         SECTIONS_BORDERS, 2 * TILE + 100 };
static const lab_sizes tile_sizes = { TILES_COUNTED, TILES_ALL,   TILES_NONE, TILES_ONE,
                                      TILES_BORDERS, TILES_GIANT, 8 * TILE };
static const lab_sizes offset_sizes = { EVEN_8, GIANT_AND_EMPTY, EVEN_500,     GIANT_AND_ONES,
                                        SHORT,  POWER,           ROWS_OF_EMPTY };

enum {
    TILE_TODOS = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(4) | LAB_TODO(5),
    /* elements and ends together are ints */
    MOST_SEGMENTED = (1 << 30) - (1 << 12),
    /* n / 500 segments, with offsets that rise; and as many as elements, the first ones empty */
    FEW_SEGMENTS = MOST_SEGMENTED - 1,
    MANY_SEGMENTS = MOST_SEGMENTED - 2
};

static const lab_sizes many_segments = { 100000, 300001, MANY_SEGMENTS };
static const size_t *const kinds[LAB_KINDS] = { many_segments };

static const lab_parts parts = {
    {
        .entry = "segmented_join",
        .title = "join: two neighbouring stretches as one",
        .points = 8,
        .buffers = run_buffers,
        .reference = join_reference,
        .fill = fill_flagged,
        .diagnose = join_diagnose,
        .max_n = 1000,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = join_hints,
    },
    {
        .entry = "segmented_up_sweep",
        .title = "up_sweep: the reduction tree with heads",
        .points = 2,
        .buffers = run_buffers,
        .reference = up_sweep_reference,
        .fill = fill_flagged,
        .max_n = 5 * SECTION,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = join_hints,
    },
    {
        .entry = "segmented_section",
        .title = "exclusive scan of sections, by a tree",
        .points = 5,
        .buffers = section_buffers,
        .reference = section_reference,
        .fill = fill_flagged,
        .change = change_flagged,
        .gates = section_gates,
        .gate_sizes = section_sizes,
        .diagnose = section_diagnose,
        .drawn = true,
        .todos = LAB_TODO(1),
        .hints = join_hints,
    },
    {
        .entry = "segmented_start",
        .title = "segment_start: the lane at which a segment begins",
        .points = 5,
        .buffers = start_buffers,
        .reference = start_reference,
        .fill = fill_start,
        .diagnose = start_diagnose,
        .max_n = 1000,
        .step = true,
        .todos = LAB_TODO(2),
        .hints = start_hints,
    },
    {
        .entry = "segmented_enumerate",
        .title = "enumerate: how many are true before, in the segment",
        .points = 10,
        .buffers = enumerate_buffers,
        .reference = enumerate_reference,
        .fill = fill_enumerate,
        .gates = enumerate_gates,
        .gate_sizes = section_sizes,
        .diagnose = section_diagnose,
        .against = "segmented_enumerate",
        .todos = LAB_TODO(2) | LAB_TODO(3),
        .hints = votes_hints,
    },
    {
        .entry = "segmented_distribute",
        .title = "distribute: the first element to the whole segment",
        .points = 10,
        .buffers = distribute_buffers,
        .reference = distribute_reference,
        .fill = fill_distribute,
        .gates = distribute_gates,
        .gate_sizes = section_sizes,
        .diagnose = distribute_diagnose,
        .against = "segmented_distribute",
        .todos = LAB_TODO(2) | LAB_TODO(3),
        .hints = votes_hints,
    },
    {
        .entry = "segmented_rows",
        .title = "scan_rows: a warp's part of a tile",
        .points = 10,
        .buffers = section_buffers,
        .reference = rows_reference,
        .fill = fill_flagged,
        .diagnose = rows_diagnose,
        .max_n = 4 * TILE,
        .step = true,
        .todos = LAB_TODO(2) | LAB_TODO(4),
        .hints = rows_hints,
    },
    {
        .entry = "segmented_inclusive",
        .title = "inclusive scan of the array, in a single pass",
        .points = 20,
        .buffers = inclusive_buffers,
        .reference = inclusive_reference,
        .fill = fill_flagged,
        .change = change_flagged,
        .gates = inclusive_gates,
        .gate_sizes = tile_sizes,
        .diagnose = inclusive_diagnose,
        .check_notes = depth_fault,
        .cancels = TILE,
        .wide_n = true,
        .drawn = true,
        .todos = TILE_TODOS,
        .hints = tile_hints,
    },
    {
        .entry = "segmented_far",
        .title = "the same, far beyond 2^31 elements",
        .points = 5,
        .buffers = section_buffers,
        .reference = inclusive_reference,
        .fill = fill_flagged,
        .diagnose = inclusive_diagnose,
        .max_n = 4 * TILE,
        .wide_n = true,
        .trial = true,
        .todos = TILE_TODOS,
        .hints = tile_hints,
    },
    {
        .entry = "segmented_backward",
        .title = "backward scan, from intervals",
        .points = 10,
        .buffers = backward_buffers,
        .reference = backward_reference,
        .fill = fill_offsets,
        .change = change_segments,
        .gates = backward_gates,
        .gate_sizes = offset_sizes,
        .diagnose = backward_diagnose,
        .max_n = MOST_SEGMENTED,
        .huge_n = FEW_SEGMENTS,
        .kinds = kinds,
        .fill_end = fill_end,
        .todos = TILE_TODOS | LAB_TODO(6),
        .hints = backward_hints,
    },
    {
        .entry = "segmented_split",
        .title = "ends_before: where a share of elements and ends begins",
        .points = 5,
        .buffers = split_buffers,
        .reference = split_reference,
        .fill = fill_split,
        .change = change_length,
        .diagnose = split_diagnose,
        .max_n = 1000,
        .step = true,
        .todos = LAB_TODO(7),
        .hints = split_hints,
    },
    {
        .entry = "segmented_sums",
        .title = "sums of segments, by equal shares of work",
        .points = 10,
        .buffers = sums_buffers,
        .reference = sums_reference,
        .fill = fill_offsets,
        .change = change_segments,
        .gates = sums_gates,
        .gate_sizes = offset_sizes,
        .diagnose = sums_diagnose,
        .max_n = MOST_SEGMENTED,
        .huge_n = FEW_SEGMENTS,
        .kinds = kinds,
        .fill_end = fill_end,
        .todos = TILE_TODOS | LAB_TODO(7),
        .hints = sums_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Segmented scan",
    .learned =
        "Joining pairs of a flag and a sum is associative, so any scan can be made segmented. "
        "Elements and ends in one row, cut evenly, are equal shares of work.",
    .file = "segmented_scan.cu",
    .tile = TILE,
    .threads = SEGMENTED_THREADS,
    .per_thread = SEGMENTED_ROWS,
    .blocks_wait = true,
    .large_n = LARGE,
    .crowd = 40, /* so that look-back has to go beyond a window of 32 tiles */
    .far_n = TILES_FAR,
    .taught = { "additions", "tiles in one chain" },
    .parts = parts,
};
