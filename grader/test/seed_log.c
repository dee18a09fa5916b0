/* seed_log.c: see seed_log.h. */
#define _GNU_SOURCE
#include "seed_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"

enum { LINE_ROOM = 6000, LARGEST = 1 << 28 };

bool seed_log_read(const char *path, unsigned first, size_t count, bool *done, base_error *error)
{
    char *text, *end;

    memset(done, 0, count * sizeof *done);
    if (!file_exists(path))
        return true;
    if (!file_read(path, LARGEST, &text, NULL, error))
        return false;
    for (char *line = text; (end = strchr(line, '\n')); line = end + 1) {
        const unsigned long seed = strtoul(line, NULL, 10);
        if (seed >= first && seed - first < count)
            done[seed - first] = true;
    }
    free(text);
    return true;
}

/* One write for each line: lines of several processes do not mix. */
bool seed_log_add(const char *path, unsigned seed, const char *verdict, double seconds,
                  const char *repeat, const char *why, base_error *error)
{
    char line[LINE_ROOM];
    int size = snprintf(line, sizeof line - 1, "%u %s %.2f%s%s%s%s", seed, verdict, seconds,
                        repeat[0] ? " " : "", repeat, why[0] ? " | " : "", why);
    const size_t used = (size_t)size < sizeof line - 2 ? (size_t)size : sizeof line - 2;
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);

    for (size_t i = 0; i < used; i++)
        if (line[i] == '\n')
            line[i] = ' ';
    line[used] = '\n';
    const bool fine = file >= 0 && write(file, line, used + 1) == (ssize_t)used + 1;
    if (!fine)
        error_set(error, "cannot write to %s: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    return fine;
}
