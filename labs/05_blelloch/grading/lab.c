/*
 * Declaration of lab 05: parts, reference, gates and hints. See common/lab/lab.h for what each
 * field means.
 *
 * The theory behind the gates, for a section of S = 512 elements and S/2 = 256 threads. A step of
 * stride s has S/(2s) pairs, served by the first S/(2s) threads:
 *     up         s = 1, 2, ..., S/2: S/2 + S/4 + ... + 1 = S - 1 additions
 *     reverse    s = S/4, ..., 1:    S/(2s) - 1 each, together S - 1 - log2 S (Brent-Kung)
 *     down       s = S/2, ..., 1:    S - 1 (Blelloch)
 *     additions  Brent-Kung 2S - 2 - log2 S = 1013, Blelloch 2 (S - 1) = 1022
 *     issues     8 4 2 1 1 1 1 1 1 = 20 warp instructions a sweep, so that 1022 / (32 * 40) = 0.798
 *                of the lanes add; with every 2s-th thread at work instead of the first ones, 0.29
 *     barriers   one a step: 9 + 8 or 9 + 9, and one before the store
 * A partial last section is padded with zeros to S and so costs as much as a full one; doing less
 * there is fine.
 *
 * Bank conflicts: element i lies in bank (i + i/32) mod 32 when padded. The pairs of a step end at
 * (t + 1) 2s - 1. For s up to 16 the 32 lanes of a warp cover 2s rows of the banks, 16/s of them to
 * a row, 2s apart; the padding moves each row on by one bank, so that all 32 differ. From s = 32 on
 * at most S/64 lanes work, in the same column, s/16 rows apart: their banks are s/16 apart and span
 * S/32 = 16 of the 32. So the excess is 0. Without padding, 2s lanes meet in each bank.
 */
#include <string.h>

#include <stdio.h>

#include "blelloch.h"

enum { SECTION = BLELLOCH_SECTION, LOG2_SECTION = 9 };

_Static_assert(1 << LOG2_SECTION == SECTION, "LOG2_SECTION is the logarithm of SECTION");

#include "section_scans.h"

/* ---- limits ---------------------------------------------------------------------------------- */

static double additions(size_t n) { return sections(n) * 2 * (SECTION - 1); }
LIMIT(block_threads, BLELLOCH_THREADS)
static double seven_tenths(size_t n) { return 0.7 * filled(n, SECTION); }
static double barriers(size_t n) { return (2 * LOG2_SECTION + 4) * sections(n); }

#define ADDITIONS                                                                                  \
    LAB_ADDITIONS, LAB_AT_MOST, additions, "additions",                                            \
        "2 (S - 1) = 1022 per section of S = 512, as many for a shorter last one",                 \
        "A tree adds once for each of its S - 1 inner nodes on the way up and at most once on "    \
        "the way down."
#define ADD_EFFICIENCY                                                                             \
    LAB_ADD_EFFICIENCY, LAB_AT_LEAST, seven_tenths, "lanes adding",                                \
        "0.7; the first threads serving the pairs reach 1022 additions / (32 lanes * 40 warp "     \
        "instructions) = 0.80",                                                                    \
        "Give the pairs of a step to consecutive threads, thread t the t-th pair, so that whole "  \
        "warps work or rest."
#define BARRIERS                                                                                   \
    LAB_BARRIERS, LAB_AT_MOST, barriers, "barriers",                                               \
        "2 log2 S + 4 = 22 per section: one a step, one for the root, one before the store, and "  \
        "two spare",                                                                               \
        "The pairs of a step do not touch each other's elements, so that one barrier a step is "   \
        "enough."
#define SECTORS                                                                                    \
    LAB_SECTOR_EXCESS, LAB_AT_MOST, zero, "extra sectors",                                         \
        "0: a warp loads 32 consecutive elements, whole sectors",                                  \
        "Let thread t load and store elements t and t + 256 of the section, not 2t and 2t + 1."
#define BANK_CONFLICTS                                                                             \
    LAB_BANK_CONFLICTS, LAB_AT_MOST, zero, "bank conflicts",                                       \
        "0: element i in word i + i/32 puts the lanes of every step in different banks",           \
        "Lanes that are 2 * stride words apart meet in one bank; leave one word free after every " \
        "32."

/* ---- diagnosis: the section as some well-known slips leave it -------------------------------- */

typedef enum slip {
    NO_SWEEP,        /* loaded and stored */
    UP_ONLY,         /* the reduction tree, and nothing after it */
    UP_ONE_FURTHER,  /* the same, with pairs that end one element further right */
    UP_CUT,          /* the same, without the step of stride S/2 */
    REVERSE_TOO_LOW, /* reverse tree begins at stride S/8 */
    REVERSE_CUT,     /* reverse tree ends before stride 1 */
    ROOT_KEPT,       /* down-sweep from a root that was not cleared */
    LEFT_LOST,       /* down-sweep in which the left child's sum is overwritten before it is read */
    LEFT_KEPT,       /* down-sweep in which the left child keeps its own sum */
    FIRST_CLEARED,   /* down-sweep from a root that was not cleared: element 0 was */
    RISING,          /* down-sweep from the leaves to the root */
    /* a partial section is swept at its own length, with its last element as the root */
    ROOT_AT_END
} slip;

/* Pairs end `further` elements further right than they should. */
static void up_sweep_to(float *tree, size_t size, size_t last, size_t further)
{
    for (size_t stride = 1; stride <= last; stride *= 2)
        for (size_t right = 2 * stride - 1 + further; right < size; right += 2 * stride)
            tree[right] += tree[right - stride];
}

static void up_sweep(float *tree, size_t size) { up_sweep_to(tree, size, (size - 1) / 2 + 1, 0); }

static void reverse_tree(float *tree, size_t highest, size_t lowest)
{
    for (size_t stride = highest; stride >= lowest; stride /= 2)
        for (size_t end = 2 * stride - 1; end + stride < SECTION; end += 2 * stride)
            tree[end + stride] += tree[end];
}

static void down_sweep(float *tree, size_t size, slip kind)
{
    const bool rises = kind == RISING;

    for (size_t stride = rises ? 1 : size / 2; stride > 0 && stride < size;
         stride = rises ? 2 * stride : stride / 2)
        for (size_t right = 2 * stride - 1; right < size; right += 2 * stride) {
            float left_sum = tree[right - stride];
            if (kind != LEFT_KEPT)
                tree[right - stride] = tree[right];
            tree[right] += kind == LEFT_LOST ? tree[right - stride] : left_sum;
        }
}

/* Scans a section that holds count elements and then zeros. */
static void slipped_scan(float *tree, slip kind, size_t count)
{
    size_t size = kind == ROOT_AT_END ? count : SECTION;

    if (kind == UP_ONE_FURTHER || kind == UP_CUT)
        up_sweep_to(tree, SECTION, kind == UP_CUT ? SECTION / 4 : SECTION / 2, kind != UP_CUT);
    else if (kind != NO_SWEEP)
        up_sweep(tree, size);
    if (kind == REVERSE_TOO_LOW)
        reverse_tree(tree, SECTION / 8, 1);
    if (kind == REVERSE_CUT)
        reverse_tree(tree, SECTION / 4, 2);
    if (kind == LEFT_LOST || kind == LEFT_KEPT || kind == ROOT_AT_END || kind == RISING)
        tree[size - 1] = 0;
    if (kind == FIRST_CLEARED)
        tree[0] = 0;
    if (kind == ROOT_KEPT || kind == LEFT_LOST || kind == LEFT_KEPT || kind == ROOT_AT_END ||
        kind == FIRST_CLEARED || kind == RISING)
        down_sweep(tree, size, kind);
}

/* Does got hold, in every section, what this slip leaves? */
static bool is_slip(const lab_mismatch *m, slip kind)
{
    const float *in = m->inputs[0], *got = m->got;

    for (size_t first = 0; first < m->length; first += SECTION) {
        float tree[SECTION] = { 0 };
        size_t count = m->length - first < SECTION ? m->length - first : SECTION;

        for (size_t i = 0; i < count; i++)
            tree[i] = in[first + i];
        slipped_scan(tree, kind, count);
        for (size_t i = 0; i < count; i++)
            if (got[first + i] != tree[i])
                return false;
    }
    return true;
}

static const char *inclusive_diagnose(const lab_mismatch *m)
{
    if (is_slip(m, NO_SWEEP))
        return "no step was taken: the output is the input as it was loaded";
    if (is_slip(m, UP_ONLY))
        return "only the reduction tree ran: its inner sums came out, the reverse tree is missing";
    if (is_slip(m, REVERSE_TOO_LOW))
        return "the reverse tree begins one stride too low: its first step has stride S/4 and "
               "hands on the sum of half a section";
    if (is_slip(m, REVERSE_CUT))
        return "the reverse tree ends too early: the step of stride 1 is missing";
    return NULL;
}

static const char *exclusive_diagnose(const lab_mismatch *m)
{
    if (m->length == 1)
        return NULL; /* one element looks the same for most slips */
    if (is_slip(m, NO_SWEEP))
        return "no step was taken: the output is the input as it was loaded";
    if (is_slip(m, UP_ONLY))
        return "only the up-sweep ran: its inner sums came out, the down-sweep is missing";
    if (is_slip(m, ROOT_KEPT))
        return m->length > SECTION / 2
                   ? "every output is too large by the sum of its section: the root is not "
                     "cleared before the down-sweep"
                   : "every output is too large by the sum of its section: the root is not "
                     "cleared, or its 0 does not come down: the first step of the down-sweep has "
                     "stride S/2";
    if (is_slip(m, LEFT_LOST))
        return "every element is 0: is a left child overwritten before its own sum is remembered? "
               "Then the right child adds 0";
    if (is_slip(m, FIRST_CLEARED))
        return "element 0 was cleared, which holds a leaf: the root is the last element of the "
               "section";
    if (is_slip(m, RISING))
        return "the down-sweep goes from the leaves to the root: its first step has the largest "
               "stride, S/2, and its last stride 1";
    if (is_slip(m, LEFT_KEPT))
        return "left children kept their own sum: the down-sweep must also move the parent's value "
               "to the left child";
    if (is_slip(m, ROOT_AT_END))
        return "right only where the last section's length is a power of two: pad it with zeros "
               "and sweep the whole section";
    return NULL;
}

/* ---- steps: functions on their own ----------------------------------------------------------- */

static void up_sweep_reference(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1];

    for (size_t first = 0; first < n; first += SECTION) {
        const size_t count = n - first < SECTION ? n - first : SECTION;
        float tree[SECTION] = { 0 };
        memcpy(tree, in + first, count * sizeof *tree);
        up_sweep(tree, SECTION);
        memcpy(out + first, tree, count * sizeof *tree);
    }
}

static const char *up_sweep_diagnose(const lab_mismatch *m)
{
    if (is_slip(m, NO_SWEEP))
        return "no step was taken: the output is the input as it was loaded";
    if (is_slip(m, UP_ONE_FURTHER))
        return "every pair ends one element too far right: the first of stride 1 is elements 0 "
               "and 1, and its sum stands in element 1";
    if (m->length >= SECTION && is_slip(m, UP_CUT))
        return "the step of stride S/2 is missing: the root, the last element, holds the sum of "
               "half of its section";
    return NULL;
}

static void fill_indices(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    (void)buffer;
    for (size_t i = 0; i < n; i++)
        ((int32_t *)data)[i] = (int32_t)((SECTION - 1 - i + seed) % SECTION);
}

static void padded_words_reference(void *const *buffers, size_t n)
{
    const int32_t *index = buffers[0];
    int32_t *word = buffers[1];

    for (size_t i = 0; i < n; i++)
        word[i] = index[i] + index[i] / BLELLOCH_BANKS;
}

/* Two elements that have been given one word; null: there are none. */
static const char *words_shared(const lab_mismatch *m)
{
    static char text[200];
    const int32_t *index = m->inputs[0], *got = m->got;

    for (size_t i = 0; i < m->length; i++)
        for (size_t j = 0; j < i; j++)
            if (got[i] == got[j] && got[i] != -1 && index[i] != index[j]) {
                snprintf(text, sizeof text,
                         "elements %d and %d both stand in word %d: the word left free after each "
                         "row of %d makes the places of all later rows higher, by one a row",
                         index[j], index[i], got[i], BLELLOCH_BANKS);
                return text;
            }
    return NULL;
}

static const char *padded_words_diagnose(const lab_mismatch *m)
{
    const int32_t index = ((const int32_t *)m->inputs[0])[m->index],
                  got = ((const int32_t *)m->got)[m->index];
    const char *const shared = words_shared(m);

    if (shared)
        return shared;

    if (got == -1)
        return "the word lies beyond the array: PADDED_SECTION has no room for the words left free";
    return got == index ? "no word is left free: element 32 stands in word 33" : NULL;
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints way_up_hints = {
    "Draw 8 elements. With pairs 1 apart, then 2, then 4: which elements hold sums of 2, of 4, of "
    "8 after the way up? Which one thread writes each? Which thread should that be, so that the "
    "busy ones stay next to each other?",
    "Thread t takes the pair that ends at (t + 1) * 2 * stride - 1, if that lies in the section: "
    "then the first threads do the work at every stride.",
    "for strides 1, 2, 4, ... below SECTION:\n"
    "    right = the end of thread t's pair\n"
    "    a barrier: ___ is in place\n"
    "    if right lies in the section:\n"
    "        element right += element ___",
};
static const lab_hints reverse_tree_hints = {
    "Take 8 elements after the way up. Which of them are finished already? Element 5 still lacks "
    "something: which finished element has exactly that?",
    "A finished run hands the sum at its end on to the element one stride further, which is "
    "finished then too. The whole and the first half are finished at the start, so the first "
    "stride is a quarter of the section; the last is 1.",
    "for strides ___, half of that, ... 1:\n"
    "    end = the end of thread t's run of 2 * stride elements\n"
    "    a barrier\n"
    "    if the element one stride beyond it lies in the section:\n"
    "        that element += element ___\n"
    "a barrier: a thread stores elements that ___",
};
static const lab_hints way_down_hints = {
    "On the way down each node gets the sum of all that lies left of it. What lies left of its "
    "left child? And left of its right child?",
    "The left child gets the same value as its parent, the right child that value plus the left "
    "child's old sum. The parent stands where the right child does, so the left child's old sum "
    "has to be remembered first. Nothing lies left of the root: it starts with 0.",
    "one thread sets element ___ to 0\n"
    "for strides ___, half of that, ... 1:\n"
    "    right = the end of thread t's pair; its left child is one stride before\n"
    "    a barrier\n"
    "    if right lies in the section:\n"
    "        remember what is in ___\n"
    "        the left child takes ___\n"
    "        the right child adds ___\n"
    "a barrier before the store",
};
static const lab_hints padding_hints = {
    "With stride 16, thread t reads word (t + 1) * 32 - 1 of shared memory. In which bank is that "
    "word, for t = 0, 1, 2?",
    "Leave one word free after every 32: then element i stands i / 32 words further right, and "
    "words that were a row of banks apart stand in different banks. The array has to be longer by "
    "the words left free.",
    "TODO 4: SECTION words, and one more for every ___.\n"
    "TODO 5: word i, moved right by ___.\n"
    "TODO 6: both sweeps again, with every index of s_sum inside padded(): in the load, in each "
    "operand of each step, at the root, in the store.",
};

/* ---- the lab --------------------------------------------------------------------------------- */

static const lab_buffers in_out = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_STRIPE },
};

static const lab_buffers words_buffers = {
    { .name = "d_index", .type = LAB_I32 },
    { .name = "d_word", .type = LAB_I32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};

/* What all parts have to stay within. */
#define TREE_GATES                                                                                 \
    LAB_ENTRIES({ ADDITIONS }, { ADD_EFFICIENCY }, { BARRIERS }, { BYTES_READ },                   \
                { BYTES_WRITTEN }, { SECTORS }, ONE_LAUNCH_ALONE, { NO_ATOMICS },                  \
                { ALL_IN_FLOAT }, SECTION_EACH(least_blocks, block_threads, "256"))

static const lab_gates inclusive_gates = { { INCLUSIVE_ADDITIONS_MADE }, TREE_GATES };
static const lab_gates exclusive_gates = { { EXCLUSIVE_ADDITIONS_MADE }, TREE_GATES };
static const lab_gates padded_gates = {
    { EXCLUSIVE_ADDITIONS_MADE },
    TREE_GATES,
    { BANK_CONFLICTS },
};

static const lab_sizes gate_sizes = { SECTION, 8 * SECTION, 5 * SECTION + 77 };

static const lab_parts parts = {
    {
        .entry = "blelloch_up_sweep",
        .title = "up_sweep: the reduction tree alone",
        .points = 10,
        .buffers = in_out,
        .reference = up_sweep_reference,
        .fill = lab_fill_large,
        .diagnose = up_sweep_diagnose,
        .max_n = 5 * SECTION,
        .step = true,
        .todos = LAB_TODO(1),
        .hints = way_up_hints,
    },
    {
        .entry = "brent_kung_inclusive",
        .title = "inclusive scan per section, reduction tree and reverse tree",
        .network = "Brent-Kung",
        .points = 35,
        .buffers = in_out,
        .reference = inclusive_reference,
        .fill = lab_fill_large,
        .gates = inclusive_gates,
        .gate_sizes = gate_sizes,
        .diagnose = inclusive_diagnose,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(2),
        .hints = reverse_tree_hints,
    },
    {
        .entry = "blelloch_exclusive",
        .title = "exclusive scan per section, up-sweep and down-sweep",
        .network = "Blelloch",
        .points = 25,
        .buffers = in_out,
        .reference = exclusive_reference,
        .fill = lab_fill_large,
        .gates = exclusive_gates,
        .gate_sizes = gate_sizes,
        .diagnose = exclusive_diagnose,
        .drawn = true,
        .todos = LAB_TODO(1) | LAB_TODO(3),
        .hints = way_down_hints,
    },
    {
        .entry = "blelloch_padded_words",
        .title = "padded: the word in which an element stands, and room for it",
        .points = 5,
        .buffers = words_buffers,
        .reference = padded_words_reference,
        .fill = fill_indices,
        .diagnose = padded_words_diagnose,
        .max_n = SECTION,
        .step = true,
        .todos = LAB_TODO(4) | LAB_TODO(5),
        .hints = padding_hints,
    },
    {
        .entry = "blelloch_exclusive_padded",
        .title = "exclusive scan per section, without bank conflicts",
        .points = 25,
        .buffers = in_out,
        .reference = exclusive_reference,
        .fill = lab_fill_large,
        .gates = padded_gates,
        .gate_sizes = gate_sizes,
        .diagnose = exclusive_diagnose,
        .drawn = true,
        .todos = LAB_TODO(4) | LAB_TODO(5) | LAB_TODO(6),
        .hints = padding_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Blelloch scan",
    .learned = "Up and down a tree a scan takes 2S additions, not S log2 S, in twice the steps. "
               "Padding ends the bank conflicts of its strides.",
    .file = "blelloch.cu",
    .tile = SECTION,
    .threads = BLELLOCH_THREADS,
    .per_thread = SECTION / BLELLOCH_THREADS,
    .taught = { "additions", "bank conflicts" },
    .parts = parts,
};
