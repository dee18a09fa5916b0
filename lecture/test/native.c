/*
 * native.c: the facade, asked natively, for the tests: what the page's engine has to say too.
 *
 *   lecture_native RECORDING REQUEST...
 *     REQUEST  load, run, network, steps FROM COUNT, state STEP, states STEPS,
 *              set WORDS, find FROM DIRECTION WHAT BLOCK WARP
 *
 * Prints the answer to each request, a line each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "facade.h"
#include "file.h"

enum { USAGE = 2, MOST = 64 << 20 };

static char **next;

static int number(void) { return *next ? atoi(*next++) : 0; }

static const char *give(const char *words, const char *(*ask)(size_t bytes))
{
    char *to = lecture_room(strlen(words));
    return to ? ask(strlen(strcpy(to, words))) : "";
}

static const char *ask(const char *request)
{
    if (strcmp(request, "run") == 0)
        return lecture_run();
    if (strcmp(request, "network") == 0)
        return lecture_network();
    if (strcmp(request, "state") == 0)
        return lecture_state((unsigned)number());
    if (strcmp(request, "set") == 0 && *next)
        return give(*next++, lecture_set);
    if (strcmp(request, "states") == 0 && *next)
        return give(*next++, lecture_states);
    const int a = number(), b = number();
    if (strcmp(request, "steps") == 0)
        return lecture_steps((unsigned)a, (unsigned)b);
    if (strcmp(request, "find") != 0)
        die(USAGE, "there is no request %s", request);
    const int what = number(), block = number(), warp = number();
    return lecture_find((unsigned)a, b, (lecture_what)what, block, warp);
}

int main(int count, char **arguments)
{
    char *text, *to;
    size_t bytes;
    base_error error;

    if (count < 2 || !file_read(arguments[1], MOST, &text, &bytes, &error))
        die(USAGE, "lecture_native RECORDING REQUEST...");
    bytes = strlen(text);
    if (!(to = lecture_room(bytes)))
        die(USAGE, "there is not enough memory");
    memcpy(to, text, bytes);
    const char *answer = lecture_load(bytes);
    for (next = arguments + 2; *next;) {
        const char *request = *next++;
        puts(strcmp(request, "load") == 0 ? answer : ask(request));
    }
    free(text);
    return 0;
}
