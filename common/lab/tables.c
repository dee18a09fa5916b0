/*
 * tables.c: what follows from a lab's tables (lab.h).
 */
#include <stdio.h>
#include <string.h>

#include "lab.h"
#include "usual_gates.h"

const lab_gates lab_device_gates = {
    { LAB_HOST_BYTES, LAB_AT_MOST, zero, "bytes to the host",
      "0: the answer is made where the data are",
      "Let kernels compute it: an entry copies nothing to the host. Mapped memory of "
      "cudaHostAlloc that it keeps counts with each launch, whoever uses it." },
    { LAB_ELSEWHERE, LAB_AT_MOST, zero, "launches on other streams",
      "0: on the default stream the caller's copies wait for the kernel",
      "Launch without a stream: kernel<<<blocks, threads>>>." },
    { LAB_TAKEN_AGAIN, LAB_AT_MOST, zero, "memory kept",
      "0: a repeated call takes no more device or page-locked memory, streams or events",
      "Call cudaFree for every cudaMalloc, cudaFreeHost for every cudaMallocHost, "
      "cudaStreamDestroy and cudaEventDestroy; or keep what there is for the next call." },
    { WORK_AT_MOST(eight, "8") },
    { LAB_ADDITIONS_IN_FLOAT, LAB_AT_MOST, zero, "floating additions",
      "0: the results are integers",
      "Add in int, unsigned or long long: a float keeps 24 bits of a sum and a double 53, and the "
      "header allows longer ones." },
};

const lab_gates lab_own_gates = {
    [LAB_GATE_NOTHING] = { LAB_LAUNCHES, LAB_AT_MOST, zero, "launches at n = 0",
                           "0: an empty array needs no kernel",
                           "Return before the launch where n is 0." },
    [LAB_GATE_GROWING] = { LAB_NOT_FREED, LAB_AT_MOST, zero,
                           "memory kept by calls of 1, 2, 3 ... tiles",
                           "twice what a first call with the last one's n keeps",
                           "Free the old memory where a call needs more than is there: cudaFree, "
                           "then cudaMalloc." },
    [LAB_GATE_TIME] = { LAB_RATIO_DEVICE, LAB_AT_MOST, NULL, "time",
                        "times the reference solution's time, in the same run",
                        "Compare with the solution's notes: bytes moved more than once, accesses "
                        "that are not coalesced, launches and copies that are not needed." },
};

bool lab_gives_integers(const lab_part *part)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++) {
        const lab_buffer *out = &part->buffers[b];
        if (out->role == LAB_OUT && !out->copied && (out->type == LAB_F32 || out->type == LAB_F64))
            return false;
    }
    return true;
}

int lab_name_length(const lab *l) { return l->bonus ? (int)strlen(l->id) : 2; }

unsigned lab_part_count(const lab *l)
{
    unsigned count = 0;

    while (count < LAB_MAX_PARTS && l->parts[count].entry)
        count++;
    return count;
}

unsigned lab_buffer_count(const lab_part *part)
{
    unsigned count = 0;

    while (count < LAB_MAX_BUFFERS && part->buffers[count].name)
        count++;
    return count;
}

unsigned lab_gate_count(const lab_part *part)
{
    unsigned count = 0;

    while (part->gates && count < LAB_MAX_GATES && part->gates[count].name)
        count++;
    return count;
}

const lab_gate *lab_gate_on(const lab_part *part, lab_metric metric, lab_bound bound)
{
    for (unsigned g = 0; g < lab_gate_count(part); g++)
        if (part->gates[g].metric == metric && part->gates[g].bound == bound)
            return &part->gates[g];
    return NULL;
}

void lab_signature(const lab_part *part, char *text, size_t room)
{
    static const char *const types[] = {
        [LAB_F32] = "float",     [LAB_I32] = "int",       [LAB_U32] = "unsigned",
        [LAB_I64] = "long long", [LAB_AFFINE] = "affine", [LAB_U8] = "unsigned char",
        [LAB_F64] = "double"
    };
    const unsigned count = lab_buffer_count(part);

    snprintf(text, room, "void %s(", part->entry);
    for (unsigned b = 0; b < count; b++) {
        const lab_buffer *buffer = &part->buffers[b];
        const size_t used = strlen(text);

        snprintf(text + used, room - used, "%s%s *%s, ", buffer->role == LAB_IN ? "const " : "",
                 types[buffer->type], buffer->name);
    }
    snprintf(text + strlen(text), room - strlen(text), "%s n)", part->wide_n ? "long long" : "int");
}
