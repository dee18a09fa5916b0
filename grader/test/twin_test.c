/*
 * twin_test.c: is a file of a lab given the verdict it must get, for the right reason, under every
 * one of many seeds?
 *
 *   twin_test [options] LAB FILE
 *     FILE                a program, NAME.cu, or edits of one, NAME.twin (twin_edit.h): of the
 *                         lab's solution, or of what a line "// base: PATH" names
 *     --expect VERDICT    without it, the file's first line says: "// expect: VERDICT | text", or
 *                         "WRONG,RACE | text" where the seed decides which is seen first; lines
 *                         "// says: text" and "// never: text" ask for more, or for its absence
 *     --fails             any verdict that a student's mistake leads to: not PASS, and no failed
 *                         build
 *     --whole             through the grader's front, starter check included; one seed
 *     --many-seeds        1 to N, each with its own data and schedules: N is the environment's
 *                         SCANLAB_TWIN_SEEDS; without either, 1
 *     --seconds N         for one case, instead of the grader's own limit
 *     --backend cuda      on a real GPU; skipped (77) where there is none
 *     --builds            only that it builds; for cuda nvcc alone is needed
 *     --prepare           builds into --out what --soak grades, unless that is there, of the same
 *                         program and the same kit; nothing of another one stays
 *     --soak A-B          grades it under the seeds from A to B that are not yet in --out/seeds
 *                         (seed_log.h), and adds them; compiles nothing. tools/soak says what for
 *     --small             of --soak: without the large cases, and as seeds beyond 1 (see below)
 *     --nearest           and prints how near each gate's limit came: tools/nearest-gates
 *     --out DIR           for builds
 *     --shared DIR        for what the tests of a lab share: its solution, built once
 *
 * A solution of the kit that passes must pass in every part: its steps are made for it, and the
 * grader would leave out one that fails.
 *
 * A twin that is refused without the large cases, and by the first of parts that are alike, does
 * not run the others. Seeds beyond 1 shuffle the large case's blocks less often, and for twins they
 * leave out the parts before the one that refuses them. A program that must pass runs everything
 * under every seed. Exit status: 0 as expected, 1 not, 2 usage, 77 skipped.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "config.h"
#include "file.h"
#include "grade.h"
#include "hash.h"
#include "labs.h"
#include "path.h"
#include "process.h"
#include "report.h"
#include "seed_log.h"
#include "steps.h"
#include "submission.h"
#include "twin_edit.h"

enum {
    USAGE = 2,
    SKIPPED = 77,
    TEXT_ROOM = 1 << 16,
    SMALL = 1 << 16,
    FRESH = 1 << 14,
    MOST_SEEDS = 1000,
    MOST_TEXTS = 6
};

typedef struct words {
    bool never;
    char text[256];
} words;

typedef struct expectation {
    bool may[VERDICT_COUNT];
    char verdicts[80];
    bool fails;
    words words[MOST_TEXTS]; /* up to the first without text */
    unsigned count;
} expectation;

typedef struct test {
    options o;
    const lab *l;
    const char *file;       /* as named: the program, or the edits that make it */
    char program[PATH_MAX]; /* the program to grade */
    expectation wanted;
    bool has_expectation, whole, builds, many, prepares, soaks, small, nearest;
    unsigned seeds, first, last; /* of --soak: the seeds from first to last */
    bool passed[LAB_MAX_PARTS];  /* under the first seed, before the part that is refused */
    toolchain tools;
    char folder[PATH_MAX], shared[PATH_MAX], kit[HASH_SHA256 + 1];
} test;

/* "WRONG", "WRONG,RACE" */
static bool read_verdicts(const char *names, expectation *wanted)
{
    char list[sizeof wanted->verdicts];
    bool fine = names[0] != '\0';

    snprintf(wanted->verdicts, sizeof wanted->verdicts, "%s", names);
    snprintf(list, sizeof list, "%s", names);
    for (char *rest = list, *name; fine && (name = strsep(&rest, ","));) {
        verdict v;
        fine = verdict_by_name(name, &v);
        wanted->may[v] = true;
    }
    return fine;
}

static void add_words(expectation *wanted, const char *from, bool never)
{
    words *w = &wanted->words[wanted->count];

    from += strspn(from, " ");
    size_t length = strcspn(from, "\r\n");
    while (length > 0 && from[length - 1] == ' ')
        length--;
    if (length == 0 || wanted->count == MOST_TEXTS)
        return;
    snprintf(w->text, sizeof w->text, "%.*s", (int)length, from);
    w->never = never;
    wanted->count++;
}

/* "// expect: WRONG | never written", and lines "// says: text", "// never: text" */
static bool read_expectation(const char *file, expectation *wanted, base_error *error)
{
    static const char says[] = "\n// says: ", never[] = "\n// never: ";
    char *text, names[80];
    int used = 0;

    if (!file_read(file, BUILD_SOURCE_LIMIT, &text, NULL, error))
        return false;
    bool fine = sscanf(text, "// expect: %79[A-Z_,] |%n", names, &used) == 1 && used > 0 &&
                read_verdicts(names, wanted);
    if (fine) {
        add_words(wanted, text + used, false);
        for (const char *at = text; (at = strstr(at, says)); at++)
            add_words(wanted, at + strlen(says), false);
        for (const char *at = text; (at = strstr(at, never)); at++)
            add_words(wanted, at + strlen(never), true);
    }
    free(text);
    return fine ||
           error_set(error, "%s: its first line has to be \"// expect: VERDICT | text\"", file);
}

/* What the twin's edits are edits of: the program that its line "// base: PATH" names, from the
   twin's own folder; without one the lab's solution. */
static bool find_base(const test *t, const char *twin, char base[PATH_MAX], base_error *error)
{
    static const char mark[] = "\n// base: ";
    const char *named = strstr(twin, mark);
    int size;

    if (named)
        size = snprintf(base, PATH_MAX, "%.*s%.*s", (int)(path_name(t->file) - t->file), t->file,
                        (int)strcspn(named + strlen(mark), "\n"), named + strlen(mark));
    else
        size = snprintf(base, PATH_MAX, "%s/solutions/%s/%s", SCANLAB_SOURCE_DIR, t->l->id,
                        t->l->file);
    return size < PATH_MAX || error_set(error, "%s: the path of its base is too long", t->file);
}

/* The program to grade: the file itself, or what its edits make of their base, written below
   --out. */
static bool make_program(test *t, base_error *error)
{
    char base[PATH_MAX], name[NAME_MAX], *text = NULL, *twin = NULL, *edited = NULL;

    if (!path_has_ending(t->file, ".twin"))
        return path_join(t->program, sizeof t->program, "", t->file, error);
    snprintf(name, sizeof name, "%.*s.cu", (int)(strlen(path_name(t->file)) - strlen(".twin")),
             path_name(t->file));
    bool fine = path_join(t->program, sizeof t->program, t->folder, name, error) &&
                file_read(t->file, BUILD_SOURCE_LIMIT, &twin, NULL, error) &&
                find_base(t, twin, base, error) &&
                file_read(base, BUILD_SOURCE_LIMIT, &text, NULL, error);
    if (fine) {
        base_error why = { "" };
        edited = twin_edit(text, twin, &why);
        fine = edited ? file_write(t->program, edited, strlen(edited), error)
                      : error_set(error, "%s, %s", t->file, why.text);
    }
    free(text);
    free(twin);
    free(edited);
    return fine;
}

/* Everything that a student would be shown. */
static void collect_text(const lab_result *r, char text[TEXT_ROOM])
{
    char message[RESULT_MESSAGE], steps[STEPS_TEXT];
    size_t used = (size_t)snprintf(text, TEXT_ROOM, "%s\n", r->message);

    if (steps_text(r, steps, sizeof steps))
        used += (size_t)snprintf(text + used, TEXT_ROOM - used, "so far: %s\n", steps);
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->shown[p] >= 0 && used < TEXT_ROOM) {
            const case_result *c = &r->cases[r->shown[p]];
            result_message(c, message);
            used +=
                (size_t)snprintf(text + used, TEXT_ROOM - used, "%s %s: %s [%s:%u]\n", c->name,
                                 verdict_name(c->verdict), message, c->where.file, c->where.line);
            if (used < TEXT_ROOM)
                used += (size_t)snprintf(text + used, TEXT_ROOM - used, "%s", c->printed);
            for (unsigned w = 0; w < c->wait_count && used < TEXT_ROOM; w++)
                used += (size_t)snprintf(text + used, TEXT_ROOM - used, "waits: %s\n",
                                         c->waits[w].text);
        }
    for (unsigned g = 0; g < r->gate_count; g++)
        if (!r->gates[g].ok && used < TEXT_ROOM)
            used += (size_t)snprintf(text + used, TEXT_ROOM - used,
                                     "gate %s at n = %zu: %.6g, limit %.6g; %s\n", r->gates[g].name,
                                     r->gates[g].n, r->gates[g].value, r->gates[g].limit,
                                     r->gates[g].advice);
}

static void collect_warnings(const result_warnings *w, char text[TEXT_ROOM])
{
    size_t used = strlen(text);

    for (unsigned k = 0; k < w->count && k < RESULT_WARNINGS && used < TEXT_ROOM; k++)
        used += (size_t)snprintf(text + used, TEXT_ROOM - used, "warning at line %u: %s; %s\n",
                                 w->first[k].line, w->first[k].text, w->first[k].advice);
    if (w->count && used < TEXT_ROOM)
        snprintf(text + used, TEXT_ROOM - used, "%u warnings%s\n", w->count,
                 w->more ? " and more" : "");
}

/* Does the program lie in this folder of the kit? */
static bool is_in(const test *t, const char *folder)
{
    const size_t length = strlen(SCANLAB_SOURCE_DIR);

    return strncmp(t->program, SCANLAB_SOURCE_DIR, length) == 0 &&
           strncmp(t->program + length, folder, strlen(folder)) == 0;
}

/* What the kit itself gives out has nothing for a compiler to warn of. */
static bool is_silent(const test *t, const build_result *built)
{
    static char text[TEXT_ROOM];
    const bool kits = is_in(t, "/labs/") || is_in(t, "/solutions/");

    if (!kits || (built->warnings.count == 0 && !built->warnings.more))
        return true;
    text[0] = '\0';
    collect_warnings(&built->warnings, text);
    printf("%s has warnings:\n%s", t->program, text);
    return false;
}

static bool is_trouble(verdict v)
{
    return v == VERDICT_COMPILE_ERROR || v == VERDICT_COMPILE_LIMIT || v == VERDICT_INFRA ||
           v == VERDICT_NOT_RUN;
}

static bool as_wanted(const test *t, const lab_result *r, const char *text)
{
    if (t->wanted.fails)
        return r->verdict != VERDICT_PASS && !is_trouble(r->verdict);
    for (unsigned w = 0; w < t->wanted.count; w++)
        if (t->wanted.words[w].never == (strcasestr(text, t->wanted.words[w].text) != NULL))
            return false;
    return t->wanted.may[r->verdict] && (r->verdict != VERDICT_INFRA || r->points == 0);
}

/* The steps are made for the kit's solution: of its parts none is left out. */
static bool is_whole(const test *t, const lab_result *r, unsigned seed)
{
    if (!is_in(t, "/solutions/") || r->verdict != VERDICT_PASS)
        return true;
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->part_verdict[p] != VERDICT_PASS) {
            printf("%s, seed %u: part %s is %s, and is left out of what passes\n", t->file, seed,
                   r->l->parts[p].entry, verdict_name(r->part_verdict[p]));
            for (unsigned g = 0; g < r->gate_count; g++)
                if (r->gates[g].part == p && !r->gates[g].ok)
                    printf("gate %s at n = %zu: %.6g, limit %.6g\n", r->gates[g].name,
                           r->gates[g].n, r->gates[g].value, r->gates[g].limit);
            return false;
        }
    return true;
}

/* A line for each gate that some case kept without being at the limit itself. */
static void print_nearest(const test *t, const lab_result *r)
{
    for (unsigned g = 0; g < r->gate_count; g++)
        if (r->gates[g].nearest > 0)
            printf("%.4f\t%s\t%s\t%zu\t%s\n", r->gates[g].nearest, t->l->id, r->gates[g].name,
                   r->gates[g].nearest_n, path_name(t->file));
}

static bool judge(const test *t, const lab_result *r, unsigned seed)
{
    static char text[TEXT_ROOM];

    if (t->nearest)
        print_nearest(t, r);

    collect_text(r, text);
    collect_warnings(&r->warnings, text);
    if (as_wanted(t, r, text))
        return is_whole(t, r, seed);
    printf("%s, seed %u: expected %s", t->file, seed,
           t->wanted.fails ? "a failure" : t->wanted.verdicts);
    for (unsigned w = 0; w < t->wanted.count; w++)
        printf(", %s the text \"%s\"", t->wanted.words[w].never ? "without" : "with",
               t->wanted.words[w].text);
    printf("; got %s, %d points\n%s", verdict_name(r->verdict), r->points, text);
    printf("repeat: grade --lab %s --src %s --seed %u\n", t->l->id, t->program, seed);
    return false;
}

static bool build_failed(const test *t, lab_result *r, const build_result *built)
{
    result_begin(t->l, r);
    r->verdict = built->verdict;
    snprintf(r->message, sizeof r->message, "%s", built->message);
    return judge(t, r, 1);
}

static void grade_once(test *t, const build_result *built, unsigned seed, size_t most_n,
                       lab_result *result)
{
    t->o.has_seed = true;
    t->o.seed = seed;
    t->o.alone = true;
    t->o.quick = seed > 1 || most_n > 0;
    t->o.most_n = most_n;
    t->o.alike_once = most_n > 0;
    result_begin(t->l, result);
    result->warnings = built->warnings;
    grade_built(&t->o, &t->tools, t->program, built->program, result);
    /* what is left out speaks for its TODOs all the same */
    for (unsigned p = 0; p < t->o.from_part; p++)
        if (t->passed[p])
            result->part_verdict[p] = VERDICT_PASS;
}

/* Is the twin refused, as it must be, without the large cases? */
static bool refused_early(test *t, const build_result *built, unsigned seed, lab_result *result)
{
    static char text[TEXT_ROOM];

    grade_once(t, built, seed, SMALL, result);
    collect_text(result, text);
    collect_warnings(&result->warnings, text);
    return as_wanted(t, result, text);
}

/* The part for which the twin is refused. */
static unsigned first_refused(const lab_result *r)
{
    unsigned p = 0;

    while (p + 1 < lab_part_count(r->l) && r->part_verdict[p] != r->verdict)
        p++;
    return p;
}

/* Under the seeds after the first, the parts before the one for which the twin is refused. */
static void leave_out_before(test *t, const lab_result *r)
{
    t->o.from_part = first_refused(r);
    for (unsigned p = 0; p < t->o.from_part; p++)
        t->passed[p] = r->part_verdict[p] == VERDICT_PASS;
}

/* Built once, graded under each seed. */
static bool run_seeds(test *t)
{
    static lab_result result;
    build_result built;
    const bool is_twin = t->wanted.fails || !t->wanted.may[VERDICT_PASS];
    bool fine = true, small = t->many && is_twin;

    build_submission(&t->tools, t->l, t->program, t->folder, &built);
    if (built.verdict != VERDICT_PASS)
        return build_failed(t, &result, &built);
    if (!is_silent(t, &built))
        return false;
    for (unsigned seed = 1; seed <= t->seeds && fine; seed++) {
        small = small && refused_early(t, &built, seed, &result);
        if (!small) {
            grade_once(t, &built, seed, 0, &result);
            fine = judge(t, &result, seed);
        }
        if (seed == 1 && fine && is_twin)
            leave_out_before(t, &result);
    }
    return fine;
}

static bool run_build(test *t)
{
    build_result built;

    build_submission(&t->tools, t->l, t->program, t->folder, &built);
    if (built.verdict != VERDICT_PASS)
        printf("%s: %s\n%s\n", t->file, verdict_name(built.verdict), built.message);
    return built.verdict == VERDICT_PASS;
}

/* ---- a soak ---------------------------------------------------------------------------------- */

/* What the verdicts of a soak depend on: kit and program. */
static bool soak_key(const test *t, char key[HASH_SHA256 + 1], base_error *error)
{
    char *text, both[2 * HASH_SHA256 + 1];

    if (!file_read(t->program, BUILD_SOURCE_LIMIT, &text, NULL, error))
        return false;
    snprintf(both, sizeof both, "%s", t->kit);
    hash_sha256(text, strlen(text), both + strlen(both));
    hash_sha256(both, strlen(both), key);
    free(text);
    return true;
}

static bool is_same(const char *path, const char *key)
{
    char *text;

    if (!file_read(path, HASH_SHA256, &text, NULL, NULL))
        return false;
    const bool same = strcmp(text, key) == 0;
    free(text);
    return same;
}

/* The files of a soak in --out: seeds, key, and kit, the key of references. */
static bool soak_path(const test *t, const char *name, char path[PATH_MAX], base_error *error)
{
    return path_join(path, PATH_MAX, t->o.out, name, error);
}

static bool prepare(test *t)
{
    char key[HASH_SHA256 + 1], key_path[PATH_MAX], kit_path[PATH_MAX], seeds_path[PATH_MAX];
    base_error error;

    if (!soak_key(t, key, &error) || !soak_path(t, "key", key_path, &error) ||
        !soak_path(t, "kit", kit_path, &error) || !soak_path(t, "seeds", seeds_path, &error))
        die(USAGE, "%s", error.text);
    if (is_same(key_path, key))
        return true;
    unlink(key_path);
    unlink(seeds_path);
    if (!run_build(t))
        return false;
    if (!grade_build_reference(&t->o, &t->tools, t->l, t->program, &error) ||
        !file_write(kit_path, t->kit, strlen(t->kit), &error) ||
        !file_write(key_path, key, strlen(key), &error)) {
        printf("%s: %s\n", t->file, error.text);
        return false;
    }
    return true;
}

/* The case to repeat, or, where a gate or a part left out failed, all under that seed. */
static const case_result *case_to_repeat(const lab_result *r, unsigned seed)
{
    static case_result all;

    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->shown[p] >= 0)
            return &r->cases[r->shown[p]];
    all = (case_result){ .seed = seed, .after_others = true };
    return &all;
}

/* Grades under one seed, and adds the line. False: it fails, or the kit does. */
static bool soak_seed(test *t, const char *program, const char *log, unsigned seed)
{
    static lab_result r;
    static char text[TEXT_ROOM];
    char repeat[2 * PATH_MAX] = "";
    const double begin = process_clock();
    base_error error;

    t->o.seed = seed;
    result_begin(t->l, &r);
    grade_built(&t->o, &t->tools, t->program, program, &r);
    collect_text(&r, text);
    const bool fine = as_wanted(t, &r, text) && is_whole(t, &r, seed);
    if (is_trouble(r.verdict)) {
        printf("%s, seed %u: %s\n%s", t->file, seed, verdict_name(r.verdict), text);
        return false;
    }
    if (!fine)
        report_repeat(&t->o, &r, case_to_repeat(&r, seed), repeat, sizeof repeat);
    if (!seed_log_add(log, seed,
                      fine || r.verdict != VERDICT_PASS ? verdict_name(r.verdict) : "PART",
                      process_clock() - begin, repeat, fine ? "" : text, &error))
        die(USAGE, "%s", error.text);
    return fine;
}

/* All seeds, also where one fails. */
static bool soak(test *t)
{
    static bool done[MOST_SEEDS];
    char log[PATH_MAX], kit[PATH_MAX], program[PATH_MAX], *text;
    const size_t count = t->last - t->first + 1;
    bool fine = true;
    base_error error;

    if (!soak_path(t, "seeds", log, &error) || !soak_path(t, "kit", kit, &error) ||
        !path_join(program, sizeof program, t->folder, "runner", &error) ||
        !file_read(kit, HASH_SHA256, &text, NULL, &error) ||
        !seed_log_read(log, t->first, count, done, &error))
        die(USAGE, "%s", error.text);
    snprintf(t->kit, sizeof t->kit, "%s", text);
    free(text);
    t->o.src = is_in(t, "/solutions/") ? "solutions" : t->program;
    t->o.has_seed = t->o.alone = t->o.untimed = true;
    t->o.jobs = 0; /* one thread: others grade beside it */
    t->o.quick = t->o.alike_once = t->small;
    t->o.most_n = t->small ? FRESH : 0;
    for (size_t k = 0; k < count; k++)
        if (!done[k])
            fine = soak_seed(t, program, log, t->first + (unsigned)k) && fine;
    return fine;
}

static bool run_whole(test *t)
{
    static lab_result result;
    grade_lab(&t->o, &t->tools, t->l, t->program, NULL, &result);
    return judge(t, &result, 1);
}

static void read_arguments(test *t, int count, char **arguments)
{
    static const struct option known[] = {
        { "expect", required_argument, NULL, 'e' },  { "fails", no_argument, NULL, 'f' },
        { "whole", no_argument, NULL, 'w' },         { "many-seeds", no_argument, NULL, 's' },
        { "out", required_argument, NULL, 'o' },     { "shared", required_argument, NULL, 'S' },
        { "seconds", required_argument, NULL, 't' }, { "backend", required_argument, NULL, 'b' },
        { "builds", no_argument, NULL, 'B' },        { "prepare", no_argument, NULL, 'p' },
        { "soak", required_argument, NULL, 'k' },    { "small", no_argument, NULL, 'm' },
        { "nearest", no_argument, NULL, 'n' },       { NULL, 0, NULL, 0 }
    };
    const char *seeds = getenv("SCANLAB_TWIN_SEEDS");
    char here[PATH_MAX];
    base_error error;
    int letter;

    t->seeds = 1;
    while ((letter = getopt_long(count, arguments, "", known, NULL)) != -1) {
        switch (letter) {
        case 'e':
            t->has_expectation = true;
            if (!read_verdicts(optarg, &t->wanted))
                die(USAGE, "there is no verdict %s", optarg);
            break;
        case 'f': t->has_expectation = t->wanted.fails = true; break;
        case 'w': t->whole = true; break;
        case 'b': t->o.backend = optarg; break;
        case 'B': t->builds = t->has_expectation = true; break;
        case 'p': t->prepares = true; break;
        case 'm': t->small = true; break;
        case 'n': t->nearest = true; break;
        case 'k':
            t->soaks = true;
            if (sscanf(optarg, "%u-%u", &t->first, &t->last) != 2 || t->first == 0 ||
                t->last < t->first || t->last - t->first >= MOST_SEEDS)
                die(USAGE, "--soak %s: FIRST-LAST, at most %d seeds", optarg, MOST_SEEDS);
            break;
        case 's':
            t->many = true;
            t->seeds = seeds ? (unsigned)strtoul(seeds, NULL, 10) : 1;
            break;
        case 't': t->o.seconds = strtod(optarg, NULL); break;
        case 'o':
            if (!getcwd(here, sizeof here) ||
                !path_join(t->o.out, sizeof t->o.out, here, optarg, &error))
                die(USAGE, "--out %s: too long", optarg);
            break;
        case 'S':
            if (!getcwd(here, sizeof here) ||
                !path_join(t->shared, sizeof t->shared, here, optarg, &error))
                die(USAGE, "--shared %s: too long", optarg);
            t->o.shared = t->shared;
            break;
        default: die(USAGE, "see the head of twin_test.c");
        }
    }
    if (count - optind != 2 || !t->o.out[0] || t->seeds == 0 ||
        ((t->soaks || t->prepares) && !t->o.shared))
        die(USAGE, "see the head of twin_test.c");
    t->l = labs_find(arguments[optind], &error);
    if (!t->l)
        die(USAGE, "%s", error.text);
    t->file = arguments[optind + 1];
}

/* A GPU, or nvcc alone, that is not here is no failure. */
static void find_tools(test *t)
{
    base_error error;

    if (!options_wants_gpu(&t->o)) {
        if (!toolchain_find(&t->tools, &error))
            die(USAGE, "%s", error.text);
    } else if (!(t->builds ? toolchain_find_nvcc(&t->tools, &error)
                           : toolchain_find_cuda(&t->tools, &error))) {
        printf("NOT_RUN: %s\n", error.text);
        exit(SKIPPED);
    }
}

int main(int count, char **arguments)
{
    static test t = { .o = { .src = "labs", .backend = "simt", .seeds = 2, .jobs = 1 } };
    base_error error;

    read_arguments(&t, count, arguments);
    process_prepare();
    if ((!t.has_expectation && !read_expectation(t.file, &t.wanted, &error)) ||
        !path_join(t.folder, sizeof t.folder, t.o.out, t.l->id, &error) ||
        !file_make_folders(t.folder, &error) || !make_program(&t, &error))
        die(USAGE, "%s", error.text);
    if (t.soaks) {
        t.o.kit = t.kit;
        return soak(&t) ? 0 : 1;
    }
    find_tools(&t); /* where they are missing, the file above was read all the same */
    if (t.o.shared && !t.soaks) {
        submission_kit_key(&t.o, &t.tools, &t.l, 1, t.kit);
        t.o.kit = t.kit;
    }
    return (t.prepares ? prepare(&t)
            : t.builds ? run_build(&t)
            : t.whole  ? run_whole(&t)
                       : run_seeds(&t))
               ? 0
               : 1;
}
