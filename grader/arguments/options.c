/*
 * options.c: the command line. See options.h.
 */
#define _GNU_SOURCE
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "path.h"
#include "fit.h"

enum { MAX_SEEDS = 1000, MAX_JOBS = 64 };

/* the words of --order */
static const char *const order_names[] = { [SIMT_BLOCKS_IN_ORDER] = "in",
                                           [SIMT_BLOCKS_REVERSED] = "reversed",
                                           [SIMT_BLOCKS_SHUFFLED] = "shuffled" };

static const uint64_t LARGEST_N = (uint64_t)1 << 48; /* of any lab; a part says less (main.c) */

static const char help[] =
    "grade: compiles the labs, runs them, and says what is wrong.\n"
    "\n"
    "  grade                     all labs                  make grade\n"
    "  grade --lab 04            one; 01-06, 01,04: more   make grade LAB=04\n"
    "  grade --src solutions     other files than labs/    make grade SRC=solutions\n"
    "  grade --lab 04 --case inclusive/33 --seed 7         one case again, exactly\n"
    "  grade hint 04 [1-3|again] the next hint, that, all  make hint LAB=04 [AGAIN=1]\n"
    "  grade reset 04            back to the starter       make reset LAB=04\n"
    "  grade watch 04            on every save             make watch LAB=04\n"
    "  grade status, diff 04, reset all                    make help says what for\n"
    "  grade all DIR [--shard 3/8 | --merge]   a class: make grade-all SUBMISSIONS=DIR\n"
    "  grade export html         its results for others    make export FORMAT=html\n"
    "  grade --list              labs, parts and cases\n"
    "  grade --list --lab 04     its gates: what is counted     make gates LAB=04\n"
    "\n"
    "  --src DIR       labs, solutions, or a folder with NN_slug/slug.cu or slug.cu\n"
    "  --backend B     simt: no GPU needed, the default; cuda: a real GPU\n"
    "  --case PART/N   that part, at that n; any n that the part allows\n"
    "  --output        what your program printed, in the smallest case that prints\n"
    "  --all           everything that fails, not only what to mend first\n"
    "  --format gcc    findings in lines that editors jump to: file:line:column: ...\n"
    "  --seed S        data and schedules from S on, instead of a secret seed\n"
    "  --seeds K       rounds of shuffled schedules, on a GPU of data; default 2\n"
    "  --resident R    that many blocks at a time, in every schedule (simt)\n"
    "  --order O       blocks only in this order: in, reversed or shuffled (simt)\n"
    "  --out DIR       where builds and results.json go; default build/grade\n"
    "  --to DIR        where export writes; default build/export\n"
    "  --jobs N        labs at a time; default one per processor (GPU: at most 4)\n"
    "  --course FILE   points, dates and what is hidden: docs/instructors.md\n"
    "  --unsafe        without a sandbox: for submissions that you have read\n"
    "\n"
    "Exit status: 0 all labs pass, 1 some do not, 2 usage, 3 something is missing,\n"
    "or, with all, a submission could not be graded; 4 with all: this machine has no\n"
    "sandbox.\n";

void options_help(void) { fit_print(stdout, "%s", help); }

static bool read_number(const char *text, const char *what, uint64_t least, uint64_t most,
                        uint64_t *value, base_error *error)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 10);
    if (*text == '\0' || *end != '\0' || errno != 0 || *value < least || *value > most ||
        strchr(text, '-'))
        return error_set(error, "%s is \"%s\"; it takes a whole number from %llu to %llu", what,
                         text, (unsigned long long)least, (unsigned long long)most);
    return true;
}

/* "inclusive/33" */
static bool read_case(options *o, const char *text, base_error *error)
{
    const char *slash = strrchr(text, '/');
    uint64_t n;

    if (!slash || slash == text || (size_t)(slash - text) >= sizeof o->part)
        return error_set(error,
                         "CASE is \"%s\"; it takes a part and a size, as the report prints them: "
                         "CASE=inclusive/33",
                         text);
    if (!read_number(slash + 1, "the size in CASE", 0, LARGEST_N, &n, error))
        return false;
    snprintf(o->part, sizeof o->part, "%.*s", (int)(slash - text), text);
    o->n = (size_t)n;
    return true;
}

/* "3/8" */
static bool read_shard(options *o, const char *text, base_error *error)
{
    const char *slash = strchr(text, '/');
    char first[32];
    uint64_t shard, shards;

    if (!slash || (size_t)(slash - text) >= sizeof first)
        return error_set(error, "SHARD is \"%s\"; it takes a share and their number: SHARD=3/8",
                         text);
    snprintf(first, sizeof first, "%.*s", (int)(slash - text), text);
    if (!read_number(slash + 1, "the number of shares in SHARD", 1, OPTIONS_SHARDS, &shards,
                     error) ||
        !read_number(first, "the share in SHARD", 1, shards, &shard, error))
        return false;
    o->shard = (unsigned)shard;
    o->shards = (unsigned)shards;
    return true;
}

static bool read_folder(char folder[PATH_MAX], const char *text, base_error *error)
{
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here))
        return error_set(error, "the current folder is gone; change to one that exists");
    return path_join(folder, PATH_MAX, here, text, error);
}

const char *options_order_name(simt_block_order order) { return order_names[order]; }

static bool order_by_name(const char *name, simt_block_order *order)
{
    for (size_t i = 0; i < sizeof order_names / sizeof order_names[0]; i++)
        if (strcmp(order_names[i], name) == 0) {
            *order = (simt_block_order)i;
            return true;
        }
    return false;
}

/* Blocks that can be resident on the simulated GPU at most. */
static unsigned most_resident(void)
{
    const simt_limits *gpu = simt_device_limits();
    return gpu->multiprocessors * gpu->max_blocks_per_multiprocessor;
}

static bool take(options *o, int letter, const char *value, base_error *error)
{
    uint64_t number;

    switch (letter) {
    case 'l': o->lab = value; return true;
    case 's': o->src = value; return true;
    case 'b': o->backend = value; return true;
    case 'c': return read_case(o, value, error);
    case 'p': o->output = true; return true;
    case 'A': o->all = true; return true;
    case 'f':
        o->for_editors = strcmp(value, "gcc") == 0;
        return o->for_editors ||
               error_set(error, "there is no format \"%s\" of the report: it is gcc", value);
    case 'o': return read_folder(o->out, value, error);
    case 't': return read_folder(o->to, value, error);
    case 'S':
        o->has_seed = true;
        return read_number(value, "SEED", 1, UINT64_MAX - MAX_SEEDS, &o->seed, error);
    case 'r':
        if (!read_number(value, "RESIDENT, the blocks at a time,", 1, most_resident(), &number,
                         error))
            return false;
        o->resident = (unsigned)number;
        return true;
    case 'O':
        o->has_order = true;
        return order_by_name(value, &o->order) ||
               error_set(error,
                         "there is no order \"%s\" of blocks: it is in, reversed or shuffled",
                         value);
    case 'K':
        if (!read_number(value, "--seeds", 0, MAX_SEEDS, &number, error))
            return false;
        o->seeds = (unsigned)number;
        return true;
    case 'j':
        if (!read_number(value, "--jobs", 1, MAX_JOBS, &number, error))
            return false;
        o->jobs = (unsigned)number;
        return true;
    case 'H':
        o->command = COMMAND_HINT;
        o->lab = value;
        return true;
    case 'R':
        o->command = COMMAND_RESET;
        o->lab = value;
        return true;
    case 'N': return read_shard(o, value, error);
    case 'M': o->merge = true; return true;
    case 'U': o->unsafe = true; return true;
    case 'G': o->log = value; return true;
    case 'C': o->course_file = value; return true;
    case 'T': o->record = value; return true; /* for tools/student-kit */
    case 'L': o->command = COMMAND_LIST; return true;
    case 'P': o->command = COMMAND_PAGE; return true; /* for tools/gates */
    case 'I': o->command = COMMAND_IDS; return true;  /* for scripts */
    default: o->command = COMMAND_HELP; return true;
    }
}

/* Commands that are words. */
static const struct {
    const char *word;
    options_command command;
    bool takes_lab, needs_lab;
} commands[] = {
    { "hint", COMMAND_HINT, true, true },       { "reset", COMMAND_RESET, true, true },
    { "diff", COMMAND_DIFF, true, true },       { "status", COMMAND_STATUS, false, false },
    { "watch", COMMAND_WATCH, true, false },    { "all", COMMAND_ALL, false, false },
    { "export", COMMAND_EXPORT, false, false },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* The word of the command; "" for one that has none. */
static const char *word_of(options_command command)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].command == command)
            return commands[i].word;
    return "";
}

/* "hint 04": how many of the words it took. */
static int take_command(options *o, char **words, int count)
{
    size_t i = 0;

    while (i < COMMANDS && count > 0 && strcmp(words[0], commands[i].word) != 0)
        i++;
    if (count == 0 || i == COMMANDS || o->command != COMMAND_GRADE)
        return 0;
    o->command = commands[i].command;
    if (!commands[i].takes_lab || count == 1)
        return 1;
    o->lab = words[1];
    return 2;
}

static bool needs_lab(const options *o)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].command == o->command)
            return commands[i].needs_lab && !o->all;
    return false;
}

/* "hint 04 2", "reset 04", "reset all", "all folder"; after --hint 04 the level. */
static bool take_words(options *o, char **words, int count, base_error *error)
{
    int used = take_command(o, words, count);
    uint64_t level;

    if (o->command == COMMAND_RESET && o->lab && strcmp(o->lab, "all") == 0) {
        o->lab = NULL;
        o->all = true;
    }
    if (o->command == COMMAND_ALL) {
        if (count == 1)
            return error_set(error, "which folder? One that has a folder for each submission: make "
                                    "grade-all SUBMISSIONS=folder");
        o->src = words[1];
        used = 2;
    }
    if (o->command == COMMAND_EXPORT) {
        if (count == 1)
            return error_set(error, "in which format? make export FORMAT=moodle (make help "
                                    "lists them)");
        o->format = words[1];
        used = 2;
    }
    if (o->command == COMMAND_HINT && used < count && strcmp(words[used], "again") == 0) {
        o->level = -1;
        used++;
    }
    if (o->command == COMMAND_HINT && used < count && o->level == 0) {
        if (!read_number(words[used++], "the hint", 1, 3, &level, error))
            return false;
        o->level = (int)level;
    }
    if (used < count)
        return error_set(
            error,
            "\"%s\" is not understood here; options begin with --, and grade --help lists them",
            words[used]);
    if (needs_lab(o) && !o->lab)
        return error_set(error, "which lab? For lab 04: make %s LAB=04", word_of(o->command));
    return true;
}

bool options_wants_gpu(const options *o) { return o->backend && strcmp(o->backend, "cuda") == 0; }

static bool check(const options *o, base_error *error)
{
    if (strcmp(o->backend, "simt") != 0 && strcmp(o->backend, "cuda") != 0)
        return error_set(
            error,
            "there is no backend \"%s\": BACKEND=simt needs no GPU, BACKEND=cuda takes a real one",
            o->backend);
    if (options_wants_gpu(o) && (o->resident || o->has_order))
        return error_set(error, "RESIDENT and ORDER are for the engine: a GPU starts blocks in its "
                                "own order. Leave them out, or leave BACKEND=cuda out");
    if (o->command == COMMAND_ALL && (o->part[0] || o->resident || o->has_order))
        return error_set(error, "all submissions are graded in full and alike: CASE, RESIDENT and "
                                "ORDER are for one, with make grade SRC=...");
    if ((o->shards || o->merge) && o->command != COMMAND_ALL)
        return error_set(error, "SHARD and MERGE are for a class: make grade-all "
                                "SUBMISSIONS=folder SHARD=3/8");
    if (o->shards && o->merge)
        return error_set(error, "SHARD grades a share, and MERGE comes when all are done: give one "
                                "of them");
    if (o->part[0] && !o->lab)
        return error_set(error,
                         "a case belongs to a lab: say which, as in make grade LAB=04 CASE=%s/%zu",
                         o->part, o->n);
    if (o->output && o->command != COMMAND_GRADE)
        return error_set(error, "OUTPUT is for one's own labs: make grade LAB=04 OUTPUT=1");
    if (o->all && o->command != COMMAND_GRADE && o->command != COMMAND_RESET)
        return error_set(error, "ALL is for one's own labs: make grade LAB=04 ALL=1");
    if (o->for_editors && (o->command != COMMAND_GRADE || o->output))
        return error_set(error, "FORMAT=gcc shows findings of one's own labs and nothing that they "
                                "print: make grade LAB=04 FORMAT=gcc");
    return true;
}

bool options_read(options *o, int count, char **arguments, base_error *error)
{
    static const struct option known[] = { { "lab", required_argument, NULL, 'l' },
                                           { "src", required_argument, NULL, 's' },
                                           { "backend", required_argument, NULL, 'b' },
                                           { "case", required_argument, NULL, 'c' },
                                           { "output", no_argument, NULL, 'p' },
                                           { "all", no_argument, NULL, 'A' },
                                           { "seed", required_argument, NULL, 'S' },
                                           { "seeds", required_argument, NULL, 'K' },
                                           { "out", required_argument, NULL, 'o' },
                                           { "to", required_argument, NULL, 't' },
                                           { "jobs", required_argument, NULL, 'j' },
                                           { "hint", required_argument, NULL, 'H' },
                                           { "reset", required_argument, NULL, 'R' },
                                           { "list", no_argument, NULL, 'L' },
                                           { "help", no_argument, NULL, 'h' },
                                           { "resident", required_argument, NULL, 'r' },
                                           { "order", required_argument, NULL, 'O' },
                                           { "shard", required_argument, NULL, 'N' },
                                           { "merge", no_argument, NULL, 'M' },
                                           { "unsafe", no_argument, NULL, 'U' },
                                           { "page", no_argument, NULL, 'P' },
                                           { "log", required_argument, NULL, 'G' },
                                           { "format", required_argument, NULL, 'f' },
                                           { "ids", no_argument, NULL, 'I' },
                                           { "record", required_argument, NULL, 'T' },
                                           { "course", required_argument, NULL, 'C' },
                                           { NULL, 0, NULL, 0 } };
    int letter;

    *o = (options){
        .command = COMMAND_GRADE, .src = "labs", .backend = "simt", .seeds = OPTIONS_SEEDS
    };
    snprintf(o->out, sizeof o->out, "%s/grade", SCANLAB_BUILD_DIR);
    snprintf(o->to, sizeof o->to, "%s/export", SCANLAB_BUILD_DIR);
    opterr = 0;
    while ((letter = getopt_long(count, arguments, ":h", known, NULL)) != -1) {
        if (letter == ':')
            return error_set(error, "%s needs a value; grade --help shows how",
                             arguments[optind - 1]);
        if (letter == '?')
            return error_set(error, "there is no option %s; grade --help lists those there are",
                             arguments[optind - 1]);
        if (!take(o, letter, optarg, error))
            return false;
    }
    return take_words(o, arguments + optind, count - optind, error) && check(o, error);
}
