/*
 * bench.c: how fast the labs' solutions are on a real GPU, beside a copy of memory, CUB and Thrust.
 * Program gpu_bench; README.md one folder up says how the times are made trustworthy, and what the
 * columns are.
 *
 * Exit status: 0 all was measured, 1 an output was wrong or a time suspect (its row is left out), 2
 * usage, 3 no GPU, or something failed.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "facts.h"
#include "file.h"
#include "items.h"
#include "ladder.h"
#include "path.h"

enum { EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_BROKEN = 3, LEAST = 10, MOST = 30, LIMIT = 30 };

static const char usage[] =
    "usage: gpu_bench [options]\n"
    "Times the solutions of all labs on a GPU, beside cudaMemcpy, CUB and Thrust. Every output is "
    "checked.\n"
    "  -o, --output FILE        the CSV file to write (build/bench/ladder.csv; with --hot "
    "ladder_hot.csv); its folder is made\n"
    "      --least-n N          the smallest n, a power of two: 1024 or 2^10 (2^10)\n"
    "      --most-n N           the largest (2^30)\n"
    "      --only WHAT,...      only what contains one of these words: --only cub_inscan,11_speed\n"
    "      --hot                do not flush the cache; each run follows one of its own\n"
    "  -r, --repetitions COUNT  timed runs a row, 1 to 101 (61 for small n, 9 for the largest)\n"
    "      --seed SEED          of the inputs (2026)\n"
    "      --modules FOLDER     the solutions' shared objects (modules/, beside this program)\n"
    "      --commit TEXT        of the kit, for the head of the file\n"
    "  -l, --list               say what there is to time, and end\n"
    "  -h, --help               this text\n";

typedef struct settings {
    ladder_options ladder;
    const char *output, *modules, *commit;
    bool list;
} settings;

/* ---- arguments ------------------------------------------------------------------------------- */

static unsigned long long number(const char *name, const char *text, unsigned long long least,
                                 unsigned long long most)
{
    char *end;

    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || *text == '-' || errno != 0 || value < least || value > most)
        die(EXIT_USAGE, "--%s takes a number from %llu to %llu, not '%s'", name, least, most, text);
    return value;
}

/* "1024" or "2^10": 10 */
static unsigned exponent(const char *name, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long long value =
        strtoull(strncmp(text, "2^", 2) == 0 ? text + 2 : text, &end, 10);
    unsigned e = 0;

    if (strncmp(text, "2^", 2) == 0 && value <= LIMIT)
        e = (unsigned)value;
    else
        while (e < LIMIT && 1ull << e < value)
            e++;
    if (*end != '\0' || errno != 0 || e < LEAST ||
        (strncmp(text, "2^", 2) != 0 && 1ull << e != value) ||
        (strncmp(text, "2^", 2) == 0 && value > LIMIT))
        die(EXIT_USAGE, "--%s takes a power of two from 2^%d to 2^%d, not '%s'", name, LEAST, LIMIT,
            text);
    return e;
}

static settings parse(int argc, char **argv)
{
    static const struct option options[] = {
        { "output", required_argument, NULL, 'o' }, { "least-n", required_argument, NULL, 'a' },
        { "most-n", required_argument, NULL, 'z' }, { "only", required_argument, NULL, 'w' },
        { "hot", no_argument, NULL, 't' },          { "repetitions", required_argument, NULL, 'r' },
        { "seed", required_argument, NULL, 's' },   { "modules", required_argument, NULL, 'm' },
        { "commit", required_argument, NULL, 'c' }, { "list", no_argument, NULL, 'l' },
        { "help", no_argument, NULL, 'h' },         { NULL, 0, NULL, 0 }
    };
    settings s = { .ladder = { .least = LEAST, .most = MOST, .seed = 2026 } };
    int option;

    while ((option = getopt_long(argc, argv, "o:r:lh", options, NULL)) != -1)
        switch (option) {
        case 'o': s.output = optarg; break;
        case 'a': s.ladder.least = exponent("least-n", optarg); break;
        case 'z': s.ladder.most = exponent("most-n", optarg); break;
        case 'w': s.ladder.only = optarg; break;
        case 't': s.ladder.hot = true; break;
        case 'r': s.ladder.repetitions = (unsigned)number("repetitions", optarg, 1, 101); break;
        case 's': s.ladder.seed = number("seed", optarg, 0, ULLONG_MAX - 16); break;
        case 'm': s.modules = optarg; break;
        case 'c': s.commit = optarg; break;
        case 'l': s.list = true; break;
        case 'h': fputs(usage, stdout); exit(EXIT_SUCCESS);
        default: fputs(usage, stderr); exit(EXIT_USAGE);
        }
    if (optind < argc)
        die(EXIT_USAGE, "unknown argument '%s'; --help says what there is", argv[optind]);
    if (s.ladder.least > s.ladder.most)
        die(EXIT_USAGE, "--least-n is larger than --most-n");
    if (!s.output)
        s.output = s.ladder.hot ? "build/bench/ladder_hot.csv" : "build/bench/ladder.csv";
    return s;
}

/* ---- output ---------------------------------------------------------------------------------- */

/* modules/, beside this program. */
static void default_modules(char *folder, size_t room)
{
    char self[PATH_MAX], beside[PATH_MAX];
    base_error error;
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    if (length < 0)
        die(EXIT_BROKEN, "/proc/self/exe cannot be read; name the modules' folder with --modules");
    self[length] = '\0';
    if (!path_parent(beside, sizeof beside, self, &error) ||
        !path_join(folder, room, beside, "modules", &error))
        die(EXIT_BROKEN, "%s", error.text);
}

static FILE *open_output(const settings *s, const gpu_facts *facts)
{
    char folder[PATH_MAX];
    base_error error;
    FILE *csv;

    if (!path_parent(folder, sizeof folder, s->output, &error) ||
        !file_make_folders(folder, &error))
        die(EXIT_BROKEN, "%s", error.text);
    csv = fopen(s->output, "w");
    if (!csv)
        die(EXIT_BROKEN, "%s cannot be written: %s", s->output, strerror(errno));
    gpu_facts_write(csv, facts, s->commit);
    fprintf(
        csv,
        "# cache: %s\n# spread: us_min and us_max are the least and the most of the repetitions\n",
        s->ladder.hot ? "hot" : "cold");
    if (s->ladder.repetitions)
        fprintf(csv, "# repetitions: %u", s->ladder.repetitions);
    else
        fprintf(csv, "# repetitions: %u to 2^16, %u to 2^22, %u to 2^26, %u above",
                ladder_repetitions(16), ladder_repetitions(22), ladder_repetitions(26),
                ladder_repetitions(27));
    fprintf(
        csv,
        "; fewer, 3 at least, of what is slow\n# seed: %llu\nwhat,type,n,us,us_min,us_max,GBps\n",
        (unsigned long long)s->ladder.seed);
    return csv;
}

static void list(const items *all)
{
    for (unsigned i = 0; i < all->count; i++)
        printf("%s %s%s\n", items_type_name(all->item[i].type), all->item[i].what,
               all->item[i].host ? " (on the host)" : "");
}

static bool any_wanted(const items *all, const char *only)
{
    char words[512], *rest = NULL;

    snprintf(words, sizeof words, "%s", only);
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        bool found = false;
        for (unsigned i = 0; i < all->count && !found; i++)
            found = strstr(all->item[i].what, word) != NULL;
        if (!found)
            return false;
    }
    return *only != '\0';
}

int main(int argc, char **argv)
{
    settings s = parse(argc, argv);
    char folder[PATH_MAX];
    base_error error = { "" };
    ladder_outcome outcome;
    gpu_facts facts;
    items *all = calloc(1, sizeof *all);

    if (!all)
        die(EXIT_BROKEN, "no memory");
    if (!s.modules) {
        default_modules(folder, sizeof folder);
        s.modules = folder;
    }
    if (!items_load(all, s.modules, &error))
        die(EXIT_BROKEN, "%s", error.text);
    if (s.ladder.only && !any_wanted(all, s.ladder.only))
        die(EXIT_USAGE, "--only %s: no name contains one of its words; --list shows the names",
            s.ladder.only);
    if (s.list) {
        list(all);
        return EXIT_SUCCESS;
    }
    if (!gpu_facts_get(&facts, &error))
        die(EXIT_BROKEN, "%s", error.text);
    FILE *csv = open_output(&s, &facts);
    const bool ran = ladder_run(all, &facts, &s.ladder, csv, &outcome, &error);
    const bool written = !ferror(csv) && fclose(csv) == 0;
    if (!ran)
        die(EXIT_BROKEN, "%s", error.text);
    if (!written)
        die(EXIT_BROKEN, "%s could not be written to its end", s.output);
    fprintf(stderr, "%u rows in %s; %u wrong, %u suspect\n", outcome.rows, s.output, outcome.wrong,
            outcome.suspect);
    items_drop(all);
    free(all);
    return outcome.wrong + outcome.suspect > 0 ? EXIT_WRONG : EXIT_SUCCESS;
}
