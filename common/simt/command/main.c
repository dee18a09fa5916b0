/*
 * main.c: `simt`: compiles CUDA programs for the engine, runs them with every check, and shows what
 * they do. See command.h.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "config.h"
#include "file.h"
#include "fit.h"
#include "parts.h"

static const char help[] =
    "simt: runs CUDA programs on a GPU in software, and says what is wrong.\n"
    "\n"
    "  simt cc prog.cu -o prog          compiles for the engine; ./prog then runs\n"
    "  simt run ./prog [arguments]      runs it and reports what was found\n"
    "  simt run prog.cu                 compiles it, runs it, and removes the program\n"
    "  simt trace ./prog                what a warp executes, with its values\n"
    "  simt stats --per-line ./prog     where its work goes, line by line\n"
    "  simt disasm ./prog               the code as the engine has decoded it\n"
    "\n"
    "run, trace, stats and disasm also take a bare kernel: kernel.ptx\n"
    "More: simt cc --help, simt run --help ...; docs/simt.md; simt --version\n"
    "\n"
    "Exit status: the program's own; 1 where that is 0 and something was found;\n"
    "2 usage, 3 something is missing.\n";

static int print_version(void)
{
    const char *clang = parts_clang();
    fit_print(stdout, "simt %s\ncompiler: %s\n", SIMT_VERSION,
              *clang ? clang : "none (simt cc needs clang, 14 or newer)");
    fit_print(stdout, "headers and libraries: %s\n",
              *parts_folder() ? parts_folder() : "those of the build, not installed");
    return 0;
}

int main(int count, char **words)
{
    const char *name = count > 1 ? words[1] : "--help";

    file_open_standard();
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        fit_print(count > 1 ? stdout : stderr, "%s", help);
        return count > 1 ? 0 : STATUS_USAGE;
    }
    if (strcmp(name, "--version") == 0)
        return print_version();
    if (strcmp(name, "cc") == 0)
        return command_cc(count - 2, words + 2);
    if (strcmp(name, "run") == 0)
        return command_watch(WATCH_FINDINGS, count - 2, words + 2);
    if (strcmp(name, "trace") == 0)
        return command_watch(WATCH_TRACE, count - 2, words + 2);
    if (strcmp(name, "stats") == 0)
        return command_watch(WATCH_STATS, count - 2, words + 2);
    if (strcmp(name, "disasm") == 0)
        return command_disasm(count - 2, words + 2);
    die(STATUS_USAGE,
        "there is no command \"%s\": there are cc, run, trace, stats and disasm; simt --help shows "
        "how",
        name);
}
