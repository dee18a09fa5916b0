/*
 * run.c: `simt run`, `trace`, `stats` and `disasm`: reads their options, then watches a program, by
 * SCANLAB_SIMT, or a bare kernel.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "file.h"
#include "path.h"
#include "fit.h"

static const char *name_of(settings_what what)
{
    return what == WATCH_TRACE ? "trace" : what == WATCH_STATS ? "stats" : "run";
}

static void print_help(settings_what what)
{
    static const char *const about[] = { "runs with every check, and reports what was found.",
                                         "shows what a warp executes, instruction by instruction.",
                                         "counts what launches do, and where." };
    fit_print(stdout,
              "simt %s: %s\n\n"
              "  simt %s [options] PROGRAM|FILE.cu [arguments]\n"
              "  simt %s [options] FILE.ptx --kernel K --block X,Y,Z --arg ...\n\n",
              name_of(what),
              about[what == WATCH_TRACE   ? 1
                    : what == WATCH_STATS ? 2
                                          : 0],
              name_of(what), name_of(what));
    settings_help(what);
    fit_print(stdout, "%s",
              "\nFor a bare kernel; these may also come after its name:\n"
              "  --kernel K           by its name; not needed where there is one\n"
              "  --grid X,Y,Z         blocks (1)\n"
              "  --block X,Y,Z        threads of a block\n"
              "  --shared BYTES       dynamic shared memory\n"
              "  --cooperative        a cooperative launch\n"
              "  --arg A              one for each parameter, in order:\n"
              "                       u32:5 s32:-1 f32:1.5 u64:7 s64:-7 f64:2.5   a value\n"
              "                       in:f32[1000]:random, iota, zeros or a file\n"
              "                       out:f32[1000] is printed, out:f32[1000]:FILE written\n"
              "                       inout:f32[1000]:iota, inout:f32[1000]:iota:FILE\n"
              "                       (a file *.bin: as in memory; others: text)\n\n"
              "Exit status: the program's own; 1 where that is 0 and something was found,\n"
              "notes aside; 2 usage, 3 something is missing.\n");
}

/* ---- options --------------------------------------------------------------------------------- */

typedef struct wanted {
    settings set;
    kernel_options kernel;
    char words[4 * PATH_MAX]; /* of SCANLAB_SIMT */
    bool of_kernel;           /* an option was given that only a bare kernel has */
} wanted;

/* 1, 0: an option of a bare kernel, which takes a value or none; -1: it is none. */
static int kernel_takes_value(const char *name)
{
    static const char *const names[] = { "kernel", "grid", "block", "shared", "arg" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0)
            return 1;
    return strcmp(name, "cooperative") == 0 ? 0 : -1;
}

static bool set_of_kernel(kernel_options *k, const char *name, const char *value, base_error *error)
{
    uint64_t n = 0;
    if (strcmp(name, "kernel") == 0)
        k->kernel = value;
    else if (strcmp(name, "grid") == 0)
        return settings_dim(value, "--grid", 1, &k->grid, error);
    else if (strcmp(name, "block") == 0)
        return settings_dim(value, "--block, the threads of a block,", 1, &k->block, error) &&
               (k->block.x ||
                error_set(error, "--block is \"%s\"; a block has at least one thread", value));
    else if (strcmp(name, "shared") == 0) {
        if (!settings_number(value, "--shared", 0, 1 << 20, &n, error))
            return false;
        k->shared = (size_t)n;
    } else if (strcmp(name, "cooperative") == 0)
        k->cooperative = true;
    else if (k->count == 64)
        return error_set(error, "more than 64 --arg");
    else
        k->arguments[k->count++] = value;
    return true;
}

/* The option at words[at], which may be --name=value; returns the place of the last word that it
   took. */
static int take_option(wanted *w, int count, char **words, int at)
{
    char name[64];
    const char *word = words[at] + 2, *value = strchr(word, '=');
    base_error error;

    snprintf(name, sizeof name, "%.*s", (int)(value ? (size_t)(value - word) : strlen(word)), word);
    int takes = settings_takes_value(w->set.what, name),
        of_kernel = takes < 0 ? kernel_takes_value(name) : -1;
    if (takes < 0 && of_kernel < 0)
        die(STATUS_USAGE, "there is no option %s; simt %s --help lists those there are", words[at],
            name_of(w->set.what));
    if (value)
        value++;
    else if (takes > 0 || of_kernel > 0) {
        if (at + 1 >= count)
            die(STATUS_USAGE, "%s needs a value; simt %s --help shows how", words[at],
                name_of(w->set.what));
        value = words[++at];
    }
    w->of_kernel |= of_kernel >= 0;
    if (of_kernel >= 0 ? !set_of_kernel(&w->kernel, name, value, &error)
                       : !settings_set(&w->set, name, value, &error) ||
                             !settings_append(w->words, sizeof w->words, name, value, &error))
        die(STATUS_USAGE, "%s", error.text);
    return at;
}

static bool is_option(const char *word) { return strncmp(word, "--", 2) == 0 && word[2]; }

/* ---- programs -------------------------------------------------------------------------------- */

/* Where the shell would find it: a name without a slash may stand here or in PATH. */
static const char *find_program(const char *name, char found[PATH_MAX])
{
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return name;
    if (file_exists(name) && snprintf(found, PATH_MAX, "./%s", name) < PATH_MAX)
        return found;
    while (path && *path) {
        int length = (int)strcspn(path, ":");
        if (length && snprintf(found, PATH_MAX, "%.*s/%s", length, path, name) < PATH_MAX &&
            access(found, X_OK) == 0)
            return found;
        path += length;
        path += *path == ':';
    }
    return name;
}

/* A program, as execv takes it. */
typedef struct program_run {
    const wanted *w;
    const char *path;
    char **words;
} program_run;

static void start_program(const char *variable, const program_run *p)
{
    if (setenv(SETTINGS_VARIABLE, variable, 1) != 0)
        die(STATUS_MISSING, "no memory for the environment");
    execv(p->path, p->words);
    die(errno == EACCES || errno == ENOENT ? STATUS_USAGE : STATUS_MISSING, "cannot run %s: %s",
        p->path, strerror(errno));
}

static void run_seed(void *user, uint64_t seed, const char *report)
{
    const program_run *p = user;
    static char variable[sizeof p->w->words + PATH_MAX];
    char number[24];
    base_error error;
    snprintf(variable, sizeof variable, "%s", p->w->words);
    snprintf(number, sizeof number, "%llu", (unsigned long long)seed);
    if ((seed != SEEDS_NONE &&
         (!settings_append(variable, sizeof variable, "seed", number, &error) ||
          !settings_append(variable, sizeof variable, "late-stores", NULL, &error))) ||
        !settings_append(variable, sizeof variable, "out", report, &error))
        die(STATUS_USAGE, "%s", error.text);
    start_program(variable, p);
}

typedef struct kernel_seed {
    const wanted *w;
    const char *name;
} kernel_seed;

static void run_kernel_seed(void *user, uint64_t seed, const char *report)
{
    const kernel_seed *k = user;
    settings set = k->w->set;
    if (seed != SEEDS_NONE) {
        set.config.shuffle_warps = set.config.late_stores = true;
        set.config.seed = seed;
    }
    snprintf(set.out, sizeof set.out, "%s", report);
    exit(kernel_run(k->name, &set, &k->w->kernel));
}

static int run_many(const char *name, const settings *s, seeds_child *child, void *user)
{
    if (s->seeds && s->seconds)
        die(STATUS_USAGE, "--seeds says how many schedules, and --time for how long; give one");
    return s->seeds ? seeds_run(name, s, child, user) : seeds_run_for(name, s, child, user);
}

/* name: what the user calls it; path: where it is. */
static void watch_program(const wanted *w, const char *name, const char *path, char **words)
{
    base_error error;

    if (w->of_kernel)
        die(STATUS_USAGE,
            "--kernel, --grid, --block, --shared, --cooperative and --arg are for a bare kernel, "
            "FILE.ptx; %s is a program",
            name);
    switch (program_look(path, NULL, NULL, &error)) {
    case PROGRAM_NONE: die(STATUS_USAGE, "%s", error.text);
    case PROGRAM_OTHER:
        die(STATUS_USAGE,
            "%s was not made by simt cc, so nothing in it can be watched; compile it: simt cc "
            "prog.cu -o prog",
            name);
    case PROGRAM_WATCHED: break;
    }
    program_run p = { w, path, words };
    if (w->set.seeds || w->set.seconds)
        exit(run_many(name, &w->set, run_seed, &p));
    start_program(w->words, &p);
}

/* A source: its program, and the words after it. */
static void run_made(void *user, const char *program)
{
    const program_run *p = user;
    p->words[0] = (char *)(uintptr_t)program;
    watch_program(p->w, p->path, program, p->words);
}

int command_watch(settings_what what, int count, char **words)
{
    static wanted w;
    int at = 0;

    w = (wanted){ .set = settings_default(), .kernel = { .grid = { 1, 1, 1 } } };
    w.set.what = what;
    snprintf(w.words, sizeof w.words, "what=%s", name_of(what));
    if (count == 0) {
        fit_print(stderr, "simt: no program is given: simt %s ./prog; simt %s --help shows more\n",
                  name_of(what), name_of(what));
        return STATUS_USAGE;
    }
    for (; at < count && is_option(words[at]); at++) {
        if (strcmp(words[at], "--help") == 0) {
            print_help(what);
            return 0;
        }
        at = take_option(&w, count, words, at);
    }
    if (at < count && strcmp(words[at], "--") == 0)
        at++;
    if (at == count)
        die(STATUS_USAGE,
            "no program is given: after its options simt %s takes a program or FILE.ptx",
            name_of(what));
    const char *name = words[at];
    char found[PATH_MAX];
    if (w.set.sample && (w.set.seeds || w.set.seconds || w.set.config.late_stores))
        die(STATUS_USAGE, "--sample runs blocks one after the other: leave out --seeds, --time and "
                          "--late-stores");
    if (path_has_ending(name, ".cu") && file_exists(name) && !file_is_folder(name))
        return source_run(name, run_made, &(program_run){ &w, name, words + at });
    if (!path_has_ending(name, ".ptx"))
        watch_program(&w, name, find_program(name, found), words + at);
    for (at++; at < count; at++) {
        if (!is_option(words[at]))
            die(STATUS_USAGE, "\"%s\" is not expected here; give arguments of a kernel with --arg",
                words[at]);
        at = take_option(&w, count, words, at);
    }
    if (w.set.seeds || w.set.seconds)
        return run_many(name, &w.set, run_kernel_seed, &(kernel_seed){ &w, name });
    return kernel_run(name, &w.set, &w.kernel);
}

/* ---- disasm ---------------------------------------------------------------------------------- */

static const char disasm_help[] =
    "simt disasm: the code as the engine has decoded it.\n"
    "\n"
    "  simt disasm [--kernel K] PROGRAM|FILE.ptx\n"
    "\n"
    "A line has the index of an instruction, its row in common/simt/code/ops.def,\n"
    "its operands, and the PTX. Operands are places in a warp's frame, in bytes:\n"
    "d is written, a, b and c are read, #5 is a constant. A branch names the index\n"
    "that it goes to and the one where its lanes meet again, a JOIN.\n"
    "\n"
    "  --kernel K           this kernel or function alone, by its name in the PTX\n"
    "\n"
    "Exit status: 0 fine, 1 the PTX does not parse, 2 usage.\n";

/* Lists one module; returns how many kernels of that name it has. */
static unsigned list_module(const char *name, const char *text, size_t bytes, const char *kernel)
{
    simt_config config = simt_default_config();
    unsigned module, count = 0;
    const char *found;
    char *listing;

    config.memory = (size_t)1 << 28;
    simt_device *device = kernel_load(name, text, bytes, &config, &module);
    for (unsigned k = 0; kernel && (found = simt_kernel_name(device, module, k)); k++) {
        char mangled[300];
        snprintf(mangled, sizeof mangled, "_Z%zu%s", strlen(kernel), kernel);
        if (strcmp(found, kernel) != 0 && strncmp(found, mangled, strlen(mangled)) != 0)
            continue;
        if (simt_listing(device, module, found, &listing) == SIMT_OK) {
            fit_print(stdout, "%s", listing);
            free(listing);
            count++;
        }
    }
    if (!count && simt_listing(device, module, kernel, &listing) == SIMT_OK) {
        fit_print(stdout, "%s", listing);
        free(listing);
        count = 1;
    }
    simt_close(device);
    return count;
}

int command_disasm(int count, char **words)
{
    const char *kernel = NULL, *path = NULL;
    char found[PATH_MAX], *text = NULL;
    size_t bytes = 0;
    base_error error;
    unsigned listed = 0;

    for (int at = 0; at < count; at++) {
        if (strcmp(words[at], "--help") == 0) {
            fit_print(stdout, "%s", disasm_help);
            return 0;
        }
        if (strncmp(words[at], "--kernel=", 9) == 0)
            kernel = words[at] + 9;
        else if (strcmp(words[at], "--kernel") == 0 && at + 1 < count)
            kernel = words[++at];
        else if (is_option(words[at]) || path)
            die(STATUS_USAGE, "\"%s\" is not expected here; simt disasm --help shows how",
                words[at]);
        else
            path = words[at];
    }
    if (!path)
        die(STATUS_USAGE, "no program is given: simt disasm prog, or kernel.ptx");
    bool bare = path_has_ending(path, ".ptx");
    if (!bare)
        path = find_program(path, found);
    if (bare ? !file_read(path, (size_t)1 << 28, &text, &bytes, &error)
             : program_look(path, &text, &bytes, &error) == PROGRAM_NONE)
        die(STATUS_USAGE, "%s", error.text);
    if (!text)
        die(STATUS_USAGE,
            "%s holds no PTX; simt disasm takes a program made by simt cc, or FILE.ptx", path);
    if (strncmp(text, "P\xed", 2) == 0)
        die(STATUS_USAGE,
            "%s was compiled by nvcc, whose containers are not read here; compile it with simt cc",
            path);
    for (const char *at = text; *at;) {
        size_t length = bare ? bytes : program_next_module(at);
        listed += list_module(path_name(path), at, length, kernel);
        at += bare ? strlen(at) : length;
    }
    free(text);
    if (!listed)
        die(STATUS_USAGE, "%s has no kernel or function \"%s\"; without --kernel all are shown",
            path, kernel);
    return 0;
}
