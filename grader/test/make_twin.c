/*
 * make_twin: the program that a wrong twin is: make_twin SOLUTION.cu NAME.twin OUT.cu. See
 * grader/test/twin_edit.h.
 *
 * Exit status: 0 made, 2 usage, or the twin's edits do not fit the solution.
 */
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "twin_edit.h"

enum { USAGE = 2, SOURCE_LIMIT = 1 << 20 };

int main(int count, char **arguments)
{
    char *solution, *twin, *made;
    base_error error;

    if (count != 4)
        die(USAGE, "make_twin SOLUTION.cu NAME.twin OUT.cu");
    if (!file_read(arguments[1], SOURCE_LIMIT, &solution, NULL, &error) ||
        !file_read(arguments[2], SOURCE_LIMIT, &twin, NULL, &error))
        die(USAGE, "%s", error.text);
    made = twin_edit(solution, twin, &error);
    if (!made)
        die(USAGE, "%s, %s", arguments[2], error.text);
    if (!file_write(arguments[3], made, strlen(made), &error))
        die(USAGE, "%s", error.text);
    free(solution);
    free(twin);
    free(made);
    return 0;
}
