/*
 * gate_hints.c: see gate_hints.h. Each count of metrics.def has a question here: what it means, and
 * how to find in one's own code where it comes from.
 */
#include "gate_hints.h"

#include <stdio.h>
#include <string.h>

/* ---- the questions: a row of metrics.def names its own -------------------------------------- */

static const char additions[] =
    "Take one section, and go through your code line by line. Which lines add floats, how many "
    "lanes are at work there, and how often does the line run? Which of these additions does the "
    "theory not have?";
static const char additions_made[] =
    "Take one result, and go back from it. Which kernel makes it, of which inputs, and by which "
    "additions? Each input has to come to it through a sum that a kernel makes.";
static const char depth[] = "Take the result that comes last, and go back from it to an input: "
                            "through how many additions, each of which needs the one before?";
static const char not_in_float[] =
    "Of what type is each variable and each literal in your sums? 0.0 is a double, 0.0f a float, 0 "
    "an int, and __hadd adds in half precision.";
static const char lanes[] = "In the line that adds, which of a warp's 32 lanes are at work, step "
                            "for step? What do the others do meanwhile?";
static const char in_warp[] =
    "Such an instruction counts once for the whole warp. How many of them does the task need, step "
    "for step, and how often does yours run?";
static const char branches[] =
    "A branch diverges where lanes of one warp go different ways. At which `if`, for which lanes?";
static const char atomics[] = "Which threads change the same word? Could it have one writer?";
static const char launches[] =
    "Which kernels does one call launch, one after another, and what does each leave for the next?";
static const char blocks[] = "With how many blocks of how many threads do you launch for this n? "
                             "Which of them have work, and how much?";
static const char warps[] = "What does each warp of a block do, from the first line to the last? "
                            "Which one has more to do than the others?";
static const char instructions[] = "Which loop runs most often? What in it is the same in each "
                                   "round, or could be done by fewer instructions?";
static const char waits[] = "For whom does a block wait, and what does it know while it waits?";
static const char barriers[] =
    "Take each __syncthreads(), and name the two accesses that it keeps apart: who writes, who "
    "reads, which word? Which barrier has no such pair?";
static const char banks[] =
    "Write down the words that the 32 lanes of a warp access at a time. A word's bank is its index "
    "modulo 32: which lanes want different words of one bank?";
static const char shared[] = "What is in shared memory, who writes it and who reads it? What of it "
                             "could stay in a register?";
static const char bytes[] =
    "How often is each element read from global memory, and how often is one written, over all "
    "kernels of the call? A line that all threads run counts for each of them.";
static const char sectors[] =
    "A warp's access takes whole sectors of 32 bytes. Which element does lane 0 access, which lane "
    "1, and how many sectors do the 32 of them touch?";
static const char memory[] =
    "Which memory does one call allocate, of how many bytes, and who frees it when?";
static const char host[] = "What does the host do in one call besides the launches: which copies, "
                           "fills, and calls that wait?";
static const char time[] =
    "How often does the code go over the array, and what does it do for each element?";

static const char *const questions[] = {
#define LAB_COUNTED(name, question, value) [LAB_##name] = question,
#define LAB_TRACED(name, question, value)  [LAB_##name] = question,
#define LAB_CROWDED(name, question, value) [LAB_##name] = question,
#define LAB_PLAIN(name, question, value)   [LAB_##name] = question,
#define LAB_COMPARED(name, question)       [LAB_##name] = question,
#include "metrics.def"
#undef LAB_COUNTED
#undef LAB_TRACED
#undef LAB_CROWDED
#undef LAB_PLAIN
#undef LAB_COMPARED
};

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
