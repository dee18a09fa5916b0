/*
 * facts: the head of a file that holds a measurement: facts [COMMIT]. See common/gpu/facts.h. Exit
 * status: 0, 3 there is no GPU.
 */
#include "facts.h"

int main(int count, char **arguments)
{
    gpu_facts facts;
    base_error error;

    if (!gpu_facts_get(&facts, &error))
        die(3, "%s", error.text);
    gpu_facts_write(stdout, &facts, count > 1 ? arguments[1] : NULL);
    return 0;
}
