/*
 * Declaration of lab 08: parts, reference, data, gates and hints. See common/lab/lab.h for what
 * each field means.
 *
 * Data are predicates, so that nothing floats and the work is counted in warp instructions, not by
 * additions:
 *     warp parts       no shared memory, no barrier; 4n bytes read (8n with heads), 4n written for
 *                      each output
 *     masks read       4 instructions; by arithmetic from the lane 6 or more: fewer instructions is
 *                      what the part gates, and the reads themselves
 *     block-wide       S/32 = 8 counts of 4 bytes in shared memory, at most 256 bytes; 2 barriers
 *     votes            no shared memory: the barrier itself adds, ands and ors
 * Instructions are compared with the solution's for another part, counted in the same run. Their
 * limits lie between what the taught way takes and what the next best takes, as counted (NOTES.md
 * of the solution): masks read 0.944 of masks computed; block-wide by ballots 0.43, with counts
 * added up by every thread 0.49, by 32-bit shuffles 0.66.
 */
#include "cases.h"
#include "diagnoses.h"
#include "lab.h"
#include "usual_gates.h"

/* ---- limits ---------------------------------------------------------------------------------- */

static size_t section_count(size_t n) { return (n + SECTION - 1) / SECTION; }

static double eight_bytes_each(size_t n) { return 8.0 * (double)n; }
static double sixteen_bytes_each(size_t n) { return 16.0 * (double)n; }
static double least_blocks(size_t n) { return section_count(n) < 8 ? (double)section_count(n) : 8; }
LIMIT(block_threads, SECTION)
static double twelve_bytes_a_section(size_t n) { return 12.0 * (double)section_count(n); }
LIMIT(shared_bytes, 256)
LIMIT(mask_instructions, 1.1)
/* One mask before the lane and one after it: who takes the own bit off a count needs no other, and
   the compiler drops what is not used. A warp that goes over several sections reads them once. */
static double two_a_warp(size_t n)
{
    const size_t warps = (n + WARP - 1) / WARP, most = 8 * SECTION / WARP;
    return 2.0 * (double)(warps < most ? warps : most);
}
LIMIT(block_instructions, 0.6)

#define BYTES_READ(limit, formula)                                                                 \
    LAB_BYTES_READ, LAB_AT_MOST, limit, "bytes read", formula,                                     \
        "Load each element once; what the others of the warp need of it is in the ballot."
#define BYTES_WRITTEN(limit, formula)                                                              \
    LAB_BYTES_WRITTEN, LAB_AT_MOST, limit, "bytes written", formula,                               \
        "Store each result once, when it is final."
#define ATOMICS                                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, zero, "atomics",                                                     \
        "0: a ballot collects the bits of a warp without one",                                     \
        "Atomics add one lane after the other; __popc adds up the 32 bits of a ballot at once."
#define INSTRUCTIONS                                                                               \
    TWICE_THE_REFERENCE("Each lane works for its own element: the ballot tells it all it needs. "  \
                        "No lane goes through the others' elements.")
#define WARP_GATES(read, read_formula, written, written_formula)                                   \
    LAB_ENTRIES(                                                                                   \
        { BYTES_READ(read, read_formula) }, { BYTES_WRITTEN(written, written_formula) },           \
        { STORED(written, written_formula) }, { MADE_OF_INPUT }, { WHOLE_SECTORS },                \
        ONE_LAUNCH_ALONE, { ATOMICS },                                                             \
        { NO_SHARED("__ballot_sync hands every lane the bits of all: nothing needs to go "         \
                    "through shared memory.") },                                                   \
        { NO_BARRIERS(                                                                             \
            "A ballot waits for the lanes of its own warp, and you need no other warp.") },        \
        SECTION_EACH(least_blocks, block_threads, "256"), { WARPS_ALIKE })

/* ---- hints ----------------------------------------------------------------------------------- */

static const lab_hints ballot_hints = {
    "Every lane has one bit. Which word of all these bits can each lane of the warp get, and what "
    "does the number of its ones mean?",
    "__ballot_sync makes a word of the predicates of all lanes, bit k from lane k. __popc counts "
    "the ones of a word. Every lane that the mask names must meet the ballot, also one beyond n.",
    "ballot = the ballot of ___ over all lanes\n"
    "count = the number of ones in ___",
};
static const lab_hints masks_hints = {
    "A ballot shows each lane the bits of its whole warp. Which of the 32 bits does lane 5 count "
    "for \"before me\", and which for \"up to me\"? Write both masks down for lanes 0, 5 and 31. "
    "Which one is the complement of which?",
    "1 << lane is the lane's own bit. One less than it has all lower bits set, and so nothing is "
    "ever shifted by 32. The other two are complements: what is not below or at the lane is above "
    "it. A mask cuts a ballot, __popc counts what is left.",
    "own = the lane's own bit, unsigned\n"
    "lt = own less ___; le = lt with ___; gt = all bits that are not in ___; ge = all that are "
    "not in ___\n"
    "TODO 3, for each mask: count the ones of ballot and ___",
};
static const lab_hints registers_hints = {
    "PTX has a register for each of the four masks. What is the name of the one that is read "
    "already, and what are the names of the others?",
    "The special registers are %lanemask_lt, _le, _gt and _ge. In an asm statement with operands "
    "a % is written twice.",
    "Three more asm statements like the one that is there, each with another register and another "
    "___.",
};
static const lab_hints segments_hints = {
    "A segment's scan counts from its head on. Which heads can matter to lane 9, those at or "
    "before it or those after? And which of them is the last?",
    "Take a ballot of the heads, keep those at or before the lane, and find the highest bit that "
    "is left: __clz counts the zeros above it. Then count the predicates before the lane, but not "
    "those before that head. Lane 0 begins a segment, marked or not.",
    "heads = the ballot of ___, with bit 0 set whatever it says\n"
    "first = the lane of the highest bit of heads and ___: 31 less ___\n"
    "count = the ones of the ballot of pred, cut by ___, and by all bits from ___ on",
};
static const lab_hints bits_hints = {
    "An integer of 4 bits is four predicates. What is a true predicate for bit 2 worth in a sum?",
    "Scan each bit as you scanned a predicate: a ballot, cut by a mask, counted. Bit b's count is "
    "worth 2^b, and the counts are added up.",
    "for each bit of the integers:\n"
    "    ballot of bit ___ of the lane's value: 0 or 1\n"
    "    sum += the count under the mask, shifted left by ___",
};
static const lab_hints block_hints = {
    "Each warp knows its own lanes. What does lane 0 of warp 3 lack, and who knows it?",
    "The warps' counts are integers of 6 bits. Each warp leaves its count in shared memory; the "
    "first warp scans the counts with TODO 6; every lane adds what lies before its warp. A count "
    "must be there before the first warp reads it, and scanned before others do: two barriers.",
    "one lane of each warp: shared place ___ = the ones of the warp's ballot\n"
    "a barrier\n"
    "the whole first warp: scans the counts by ___, exclusively; lanes beyond the last warp bring "
    "___; the others store theirs back\n"
    "a barrier\n"
    "each lane: what lies before its ___ and the count before it in the warp",
};
static const lab_hints vote_hints = {
    "Three questions are asked at one barrier: how many, all, any. What must a thread beyond n "
    "answer to each, so that it changes nothing?",
    "__syncthreads_count, __syncthreads_and and __syncthreads_or are barriers that count, and all "
    "threads of the block must meet them. Beyond n the vote that changes nothing is false for "
    "count and any, and true for all.",
    "count: vote ___; any: vote ___; all: vote ___, or true beyond n. Each function takes one "
    "integer, true if it is not 0.",
};

/* ---- the lab --------------------------------------------------------------------------------- */

#define INPUT(label)          .name = label, .type = LAB_I32
#define OUTPUT(label)         .name = label, .type = LAB_I32, .role = LAB_OUT
#define SECTION_OUTPUT(label) OUTPUT(label), .length = section_count, .owner = LAB_BY_BLOCK

static const lab_buffers count_buffers = { { INPUT("d_pred") }, { OUTPUT("d_count") } };
static const lab_buffers scans_buffers = {
    { INPUT("d_pred") }, { OUTPUT("d_lt") }, { OUTPUT("d_le") },
    { OUTPUT("d_gt") },  { OUTPUT("d_ge") },
};
static const lab_buffers segmented_buffers = {
    { INPUT("d_pred") },
    { INPUT("d_head") },
    { OUTPUT("d_out") },
};
static const lab_buffers small_buffers = { { INPUT("d_value") }, { OUTPUT("d_out") } };
static const lab_buffers block_buffers = { { INPUT("d_pred") }, { OUTPUT("d_out") } };
static const lab_buffers vote_buffers = {
    { INPUT("d_pred") },
    { SECTION_OUTPUT("d_count") },
    { SECTION_OUTPUT("d_all") },
    { SECTION_OUTPUT("d_any") },
};

static const lab_gates count_gates = {
    WARP_GATES(four_bytes_each, "4n: each predicate once", four_bytes_each, "4n: each count once"),
    { INSTRUCTIONS },
};
static const lab_gates scans_gates = {
    WARP_GATES(four_bytes_each, "4n: each predicate once", sixteen_bytes_each,
               "16n: four counts an element"),
    { INSTRUCTIONS },
    { LAB_LANE_MASKS, LAB_AT_MOST, zero, "lane masks read", "0: here they come from arithmetic",
      "Make the masks from the lane's number, by shift, minus, or and not; warp_scans_ptx is for "
      "the special registers." },
};
static const lab_gates scans_ptx_gates = {
    WARP_GATES(four_bytes_each, "4n: each predicate once", sixteen_bytes_each,
               "16n: four counts an element"),
    { LAB_LANE_MASKS, LAB_AT_LEAST, two_a_warp, "lane masks read",
      "2 a warp, of up to 64 warps: one of %lanemask_lt and _le, one of _gt and _ge; the compiler "
      "drops those that are not used",
      "Read each of the four masks with asm from its own special register; none is computed." },
    { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, mask_instructions, "instructions against arithmetic",
      "1.1 of warp_scans': reading a mask is one instruction",
      "Read each mask with asm from its special register; then nothing has to be computed from the "
      "lane." },
};
static const lab_gates segmented_gates = {
    WARP_GATES(eight_bytes_each, "8n: each predicate and each head flag once", four_bytes_each,
               "4n: each count once"),
    { INSTRUCTIONS },
};
static const lab_gates small_gates = {
    WARP_GATES(four_bytes_each, "4n: each value once", four_bytes_each, "4n: each sum once"),
    { INSTRUCTIONS },
    { LAB_SHUFFLES, LAB_AT_MOST, zero, "shuffles", "0: a ballot for each bit shows all lanes all",
      "Let the lanes vote on one bit of their values after another, and count the votes before "
      "the own lane; shuffles are for lab 09." },
};
static const lab_gates block_gates = {
    { BYTES_READ(four_bytes_each, "4n: each predicate once") },
    { BYTES_WRITTEN(four_bytes_each, "4n: each count once") },
    { STORED(four_bytes_each, "4n: each count once") },
    { MADE_OF_INPUT },
    { WHOLE_SECTORS },
    ONE_LAUNCH_ALONE,
    { ATOMICS },
    { THREE_BARRIERS("Within a warp no barrier is needed: a ballot waits for its lanes.") },
    { LAB_SHARED_PER_BLOCK, LAB_AT_MOST, shared_bytes, "shared memory",
      "256 bytes a block; one count a warp is 4 * 8 = 32",
      "Only the warps' counts have to pass through shared memory, one word a warp." },
    { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, block_instructions, "instructions against 32 bits",
      "0.6 of block_scan_32's",
      "One ballot and one __popc take the place of a warp's five steps; let one warp alone scan "
      "the counts." },
    SECTION_EACH(least_blocks, block_threads, "256"),
    { WARPS_ALIKE_BY(four_if_n_is_large, "4", "from n = 4096 on") }, /* one scans the counts */
};
static const lab_gates block_32_gates = {
    { BYTES_READ(four_bytes_each, "4n: each predicate once") },
    { BYTES_WRITTEN(four_bytes_each, "4n: each count once") },
    SECTION_EACH(least_blocks, block_threads, "256"),
};
static const lab_gates vote_gates = {
    { BYTES_READ(four_bytes_each, "4n: each predicate once") },
    { BYTES_WRITTEN(twelve_bytes_a_section, "12 per section: three results") },
    { STORED(twelve_bytes_a_section, "12 per section: three results") },
    { MADE_OF_INPUT },
    { INSTRUCTIONS },
    ONE_LAUNCH_ALONE,
    { ATOMICS },
    { LAB_SHARED_REQUESTS, LAB_AT_MOST, zero, "shared-memory accesses",
      "0: the barrier itself counts",
      "__syncthreads_count, _and and _or hand their result to every thread; no shared memory is "
      "needed." },
    { LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, three, "barriers", "3: one a result",
      "Each vote is a barrier itself and needs no other." },
    SECTION_EACH(least_blocks, block_threads, "256"),
    { WARPS_ALIKE },
};

static const lab_sizes gate_sizes = { SECTION, 16 * SECTION, 10 * SECTION + 77 };

static const lab_parts parts = {
    {
        .entry = "warp_count",
        .title = "how many lanes of each warp are true",
        .points = 10,
        .buffers = count_buffers,
        .reference = count_reference,
        .fill = fill_flags,
        .gates = count_gates,
        .gate_sizes = gate_sizes,
        .diagnose = count_diagnose,
        .against = "warp_count",
        .todos = LAB_TODO(1),
        .hints = ballot_hints,
    },
    {
        .entry = "warp_scans",
        .title = "four scans of a warp, lane masks by arithmetic",
        .points = 20,
        .buffers = scans_buffers,
        .reference = scans_reference,
        .fill = fill_flags,
        .gates = scans_gates,
        .gate_sizes = gate_sizes,
        .diagnose = scans_diagnose,
        .against = "warp_scans",
        .todos = LAB_TODO(2) | LAB_TODO(3),
        .hints = masks_hints,
    },
    {
        .entry = "warp_scans_ptx",
        .title = "four scans of a warp, lane masks from special registers",
        .points = 10,
        .buffers = scans_buffers,
        .reference = scans_reference,
        .fill = fill_flags,
        .gates = scans_ptx_gates,
        .gate_sizes = gate_sizes,
        .diagnose = scans_diagnose,
        .against = "warp_scans",
        .todos = LAB_TODO(3) | LAB_TODO(4),
        .hints = registers_hints,
    },
    {
        .entry = "warp_segmented",
        .title = "segmented scan of a warp by head flags",
        .points = 15,
        .buffers = segmented_buffers,
        .reference = segmented_reference,
        .fill = fill_flags,
        .gates = segmented_gates,
        .gate_sizes = gate_sizes,
        .diagnose = segmented_diagnose,
        .against = "warp_segmented",
        .todos = LAB_TODO(2) | LAB_TODO(5),
        .hints = segments_hints,
    },
    {
        .entry = "warp_small_integers",
        .title = "scan of 4-bit integers in a warp, bit by bit",
        .points = 15,
        .buffers = small_buffers,
        .reference = small_integers_reference,
        .fill = fill_small_integers,
        .gates = small_gates,
        .gate_sizes = gate_sizes,
        .diagnose = small_diagnose,
        .against = "warp_small_integers",
        .todos = LAB_TODO(6),
        .hints = bits_hints,
    },
    {
        .entry = "block_binary_scan",
        .title = "scan of predicates in a block",
        .points = 20,
        .buffers = block_buffers,
        .reference = block_reference,
        .fill = fill_flags,
        .gates = block_gates,
        .gate_sizes = gate_sizes,
        .diagnose = block_diagnose,
        .against = "block_scan_32",
        .drawn = true,
        .todos = LAB_TODO(4) | LAB_TODO(6) | LAB_TODO(7),
        .hints = block_hints,
    },
    {
        .entry = "block_scan_32",
        .title = "the same with sums of 32-bit integers (given)",
        .points = 0,
        .buffers = block_buffers,
        .reference = block_reference,
        .fill = fill_flags,
        .gates = block_32_gates,
        .gate_sizes = gate_sizes,
        .diagnose = block_diagnose,
        .drawn = true,
    },
    {
        .entry = "block_vote",
        .title = "count, all and any of a block, at a barrier",
        .points = 10,
        .buffers = vote_buffers,
        .reference = vote_reference,
        .fill = fill_flags,
        .gates = vote_gates,
        .gate_sizes = gate_sizes,
        .diagnose = vote_diagnose,
        .against = "block_vote",
        .todos = LAB_TODO(8),
        .hints = vote_hints,
    },
};

LAB_DEFINE = {
    .id = LAB_ID,
    .title = "Ballot and popc",
    .learned = "A ballot and a popc count the lanes before one's own: that scans bits, and small "
               "integers bit by bit.",
    .file = "ballot_popc.cu",
    .tile = SECTION,
    .threads = SECTION,
    .per_thread = 1,
    .large_n = (1 << 16) + 77,
    .taught = { "shared-memory accesses", "instructions against arithmetic",
                "instructions against 32 bits" },
    .parts = parts,
};
