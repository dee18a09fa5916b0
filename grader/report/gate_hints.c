/*
 * gate_hints.c: see gate_hints.h. A question for each count of metrics.def: what it means, and how
 * to find in one's own code where it comes from.
 */
#include "gate_hints.h"

#include <stdio.h>
#include <string.h>

static const char additions[] = "Take one section, and go through your code line by line. Which "
                                "lines add floats, how many lanes are at work there, and how "
                                "often does the line run? Which of these additions does the theory "
                                "not have?",
                  additions_made[] = "Take one result, and go back from it. Which kernel makes it, "
                                     "of which inputs, and by which additions? Each input has to "
                                     "come to it through a sum that a kernel makes.",
                  in_double[] = "Of what type is each variable and each literal in your sums? 0.0 "
                                "is a double, 0.0f a float, 0 an int.",
                  lanes[] = "In the line that adds, which of a warp's 32 lanes are at work, step "
                            "for step? What do the others do meanwhile?",
                  in_warp[] =
                      "Such an instruction counts once for the whole warp. How many of them "
                      "does the task need, step for step, and how often does yours run?",
                  branches[] = "A branch diverges where lanes of one warp go different ways. At "
                               "which `if`, for which lanes?",
                  atomics[] = "Which threads change the same word? Could it have one writer?",
                  launches[] = "Which kernels does one call launch, one after another, and what "
                               "does each leave for the next?",
                  blocks[] = "With how many blocks of how many threads do you launch for this n? "
                             "Which of them have work, and how much?",
                  instructions[] = "Which loop runs most often? What in it is the same in each "
                                   "round, or could be done by fewer instructions?",
                  waits[] = "For whom does a block wait, and what does it know while it waits?",
                  barriers[] =
                      "Take each __syncthreads(), and name the two accesses that it keeps "
                      "apart: who writes, who reads, which word? Which barrier has no such "
                      "pair?",
                  banks[] = "Write down the words that the 32 lanes of a warp access at a time. A "
                            "word's bank is its index modulo 32: which lanes want different words "
                            "of one bank?",
                  shared[] = "What is in shared memory, who writes it and who reads it? What of it "
                             "could stay in a register?",
                  bytes[] =
                      "How often is each element read from global memory, and how often is "
                      "one written, over all kernels of the call? A line that all threads run "
                      "counts for each of them.",
                  sectors[] = "A warp's access takes whole sectors of 32 bytes. Which element does "
                              "lane 0 access, which lane 1, and how many sectors do the 32 of them "
                              "touch?",
                  memory[] =
                      "Which memory does one call allocate, of how many bytes, and who frees "
                      "it when?",
                  host[] = "What does the host do in one call besides the launches: which copies, "
                           "fills, and calls that wait?",
                  time[] =
                      "How often does the code go over the array, and what does it do for each "
                      "element?";

static const char *const questions[] = {
    [LAB_ADDITIONS] = additions,
    [LAB_ADDITIONS_MADE] = additions_made,
    [LAB_DATA_ADDED] = additions_made,
    [LAB_MADE_OF_INPUT] = additions_made,
    [LAB_DEPTH] = "Take the result that comes last, and go back from it to an input: through how "
                  "many additions, each of which needs the one before?",
    [LAB_ADD_EFFICIENCY] = lanes,
    [LAB_LONE_ADDITIONS] = lanes,
    [LAB_DOUBLE_ADDITIONS] = in_double,
    [LAB_ADDITIONS_NOT_IN_FLOAT] = in_double,
    [LAB_SHUFFLES] = in_warp,
    [LAB_LANE_MASKS] = in_warp,
    [LAB_VOTES] = in_warp,
    [LAB_DIVERGENT_BRANCHES] = branches,
    [LAB_ATOMICS] = atomics,
    [LAB_LAUNCHES] = launches,
    [LAB_STORING_LAUNCHES] = launches,
    [LAB_BLOCKS] = blocks,
    [LAB_BLOCKS_SHARING] = blocks,
    [LAB_THREADS_PER_BLOCK] = blocks,
    [LAB_CROWD_BLOCKS] = blocks,
    [LAB_BUSIEST_BLOCK] = blocks,
    [LAB_CROWD_BUSIEST_BLOCK] = blocks,
    [LAB_BUSIEST_WARP] = "What does each warp of a block do, from the first line to the last? "
                         "Which one has more to do than the others?",
    [LAB_INSTRUCTIONS] = instructions,
    [LAB_INSTRUCTIONS_AGAINST] = instructions,
    [LAB_INSTRUCTIONS_SPREAD] = instructions,
    [LAB_WORK] = instructions,
    [LAB_CROWD_CHAIN] = waits,
    [LAB_CROWD_STALLED] = waits,
    [LAB_BARRIERS] = barriers,
    [LAB_BARRIERS_PER_BLOCK] = barriers,
    [LAB_BANK_CONFLICTS] = banks,
    [LAB_SHARED_REQUESTS] = shared,
    [LAB_SHARED_PER_BLOCK] = shared,
    [LAB_BYTES_READ] = bytes,
    [LAB_BYTES_BY_LANES] = bytes,
    [LAB_BYTES_WRITTEN] = bytes,
    [LAB_BYTES_MOVED] = bytes,
    [LAB_DATA_MOVED] = bytes,
    [LAB_SCRATCH_WRITTEN] = bytes,
    [LAB_MOVED_BUT_LOOKS] = bytes,
    [LAB_MOVED_BUT_WORDS] = bytes,
    [LAB_DATA_SECTORS] = sectors,
    [LAB_SECTOR_EXCESS] = sectors,
    [LAB_SECTORS] = sectors,
    [LAB_SECTORS_BUT_WORDS] = sectors,
    [LAB_NOT_FREED] = memory,
    [LAB_ALLOCATED] = memory,
    [LAB_TAKEN_AGAIN] = memory,
    [LAB_BESIDES] = memory,
    [LAB_VARIABLES] = memory,
    [LAB_HOST_BYTES] = host,
    [LAB_WAITS] = host,
    [LAB_ELSEWHERE] = host,
    [LAB_FILLS] = host,
    [LAB_RATIO_NATIVE] = time,
    [LAB_RATIO_DEVICE] = time,
};

/* Every metric has a question: its row is the last of metrics.def. */
_Static_assert(sizeof questions / sizeof *questions == LAB_RATIO_DEVICE + 1,
               "a metric has no question");

static const lab_gate *find_in(const lab_gate *gates, const char *name)
{
    for (; gates && gates->name; gates++)
        if (strcmp(gates->name, name) == 0)
            return gates;
    return NULL;
}

const lab_gate *gate_hints_find(const lab_part *part, const char *name)
{
    const lab_gate *found = find_in(part->gates, name);

    if (!found)
        found = find_in(lab_device_gates, name);
    return found ? found : find_in(lab_own_gates, name);
}

void gate_hints_text(const lab_part *part, const lab_gate *gate, int level, char *text, size_t room)
{
    if (level == 1)
        snprintf(text, room, "%s", questions[gate->metric]);
    else if (level == 2 || !part->hints)
        snprintf(text, room, "What the theory says of it: %s. %s", gate->formula, gate->advice);
    else
        snprintf(text, room,
                 "Compare your code with these steps: where does it do something else?\n%s",
                 part->hints[LAB_HINTS - 1]);
}
