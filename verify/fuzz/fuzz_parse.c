/*
 * fuzz_parse.c: libFuzzer target: any bytes as a module's text: lexed, parsed and decoded, never
 * executed.
 *
 * Besides crashes, leaks and hangs it refuses a refusal that is not in form: "name:line:column:
 * reason", the line of the text that it names, and a caret under that column.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void wrong(const char *what, const char *message)
{
    fprintf(stderr, "fuzz_parse: %s:\n%s\n", what, message);
    abort();
}

/* The text's line of that number, without its end; null if there is none. */
static const char *line_of(const char *text, size_t size, unsigned long number, size_t *length)
{
    const char *at = text, *end = text + size;
    for (unsigned long n = 1; n < number; n++) {
        at = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        if (!at++)
            return NULL;
    }
    const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    *length = (size_t)((stop ? stop : end) - at);
    return at;
}

static void check_refusal(const char *text, size_t size, const char *message)
{
    static const char name[] = "fuzz.ptx:";
    char *rest;
    if (strncmp(message, name, sizeof name - 1) != 0)
        wrong("a refusal that does not begin with the module's name", message);
    unsigned long line = strtoul(message + sizeof name - 1, &rest, 10),
                  column = *rest == ':' ? strtoul(rest + 1, &rest, 10) : 0;
    if (line == 0 || column == 0 || strncmp(rest, ": ", 2) != 0 || rest[2] == '\n')
        wrong("a refusal without line, column and reason", message);
    const char *shown = strchr(rest, '\n'), *caret = shown ? strrchr(message, '\n') + 1 : NULL;
    if (!shown || caret == shown + 1)
        wrong("a refusal without the line it is about", message);
    size_t length = 0, shown_length = (size_t)(caret - 1 - (shown + 1));
    const char *said = line_of(text, size, line, &length);
    if (!said)
        wrong("a refusal of a line that the text does not have", message);
    if (column > length + 1)
        wrong("a refusal of a column that the line does not have", message);
    if (strcmp(caret + strspn(caret, " \t"), "^") != 0)
        wrong("a refusal without a caret", message);
    size_t skipped = column - strlen(caret); /* of a long line, the part around the place */
    if (strlen(caret) > column || (skipped && column < 160))
        wrong("a caret under another column", message);
    if (skipped + shown_length > length)
        wrong("a refusal that shows more than the line", message);
    for (size_t k = 0; k < shown_length; k++)
        if (shown[1 + k] != said[skipped + k] &&
            !((unsigned char)said[skipped + k] < ' ' && shown[1 + k] == ' '))
            wrong("a refusal that shows another line", message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* kept until a module has been taken: there is no unloading */
    static simt_device *device;
    unsigned module;
    if (!device) {
        simt_config config = simt_default_config();
        config.memory = 1 << 20;
        config.host_threads = 1;
        if (simt_open(&config, &device) != SIMT_OK)
            abort();
    }
    simt_status status = simt_module_load(device, (const char *)data, size, "fuzz.ptx", &module);
    if (status == SIMT_BAD_PTX) {
        check_refusal((const char *)data, size, simt_error(device));
        return 0;
    }
    if (status != SIMT_OK && status != SIMT_NO_MEMORY)
        wrong("a status that simt_module_load does not have", simt_error(device));
    if (status == SIMT_NO_MEMORY && !*simt_error(device))
        wrong("a refusal without a reason", "");
    simt_close(device);
    device = NULL;
    return 0;
}
