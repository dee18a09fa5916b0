/*
 * gpu_facts.c: gpu_facts [COMMIT] tells which GPU is here, as the "# key: value" lines of facts.h,
 * for the grader, which itself keeps clear of CUDA, and for the heads of recordings. Exit status:
 * 0, or 3 with the reason on the first line where there is no GPU that works.
 */
#include <stdio.h>

#include "facts.h"

int main(int count, char **words)
{
    gpu_facts facts;
    base_error error;

    if (!gpu_facts_get(&facts, &error)) {
        puts(error.text);
        return 3;
    }
    gpu_facts_write(stdout, &facts, count > 1 ? words[1] : NULL);
    return 0;
}
