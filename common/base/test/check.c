/* check.c: runs the tests of this folder; see check.h. */
#define _GNU_SOURCE
#include "check.h"

#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

static struct {
    const char *name;
    void (*body)(void);
} tests[512];
static unsigned test_count, failures, skips;
static const char *running = "";
static char folder[PATH_MAX];
static pid_t folder_owner; /* a test's child must not remove its parent's folder */

void check_register(const char *name, void (*body)(void))
{
    if (test_count == sizeof tests / sizeof *tests)
        die(2, "more than %u tests", test_count);
    tests[test_count].name = name;
    tests[test_count++].body = body;
}

void check_failed(const char *file, int line, const char *condition, const char *format, ...)
{
    va_list arguments;
    failures++;
    printf("%s:%d: not so: %s\n    ", file, line, condition);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

void check_equal(const char *file, int line, const char *got_text, unsigned long long expected,
                 unsigned long long got)
{
    if (expected == got)
        return;
    failures++;
    printf("%s:%d: %s: expected %llu (0x%llx), got %llu (0x%llx)\n    in %s\n", file, line,
           got_text, expected, expected, got, got, running);
}

const char *check_name(void) { return running; }

void check_skip(const char *reason)
{
    skips++;
    printf("not tested: %s\n", reason);
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

static void remove_folder(void)
{
    if (folder[0] != '\0' && folder_owner == getpid())
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    folder[0] = '\0';
}

const char *check_folder(void)
{
    const char *parent = getenv("TMPDIR");
    remove_folder();
    snprintf(folder, sizeof folder, "%s/scanlab-base-XXXXXX", parent != NULL ? parent : "/tmp");
    folder_owner = getpid();
    if (mkdtemp(folder) == NULL)
        die(2, "cannot make a folder like %s", folder);
    return folder;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        bool known = false;
        for (unsigned t = 0; t < test_count; t++)
            known |= strcmp(argv[i], tests[t].name) == 0;
        if (!known)
            die(2, "no test is called %s", argv[i]);
    }
    atexit(remove_folder);
    for (unsigned t = 0; t < test_count; t++) {
        bool wanted = argc < 2;
        for (int i = 1; i < argc; i++)
            wanted |= strcmp(argv[i], tests[t].name) == 0;
        running = tests[t].name;
        if (wanted)
            tests[t].body();
        remove_folder(); /* the next test finds none of this one's files */
    }
    if (failures > 0)
        return 1;
    return skips > 0 && argc == 2 ? 77 : 0;
}
