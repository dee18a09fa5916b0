/*
 * main.c: grade, the program behind make grade, make grade-all, make hint, make reset and others.
 * Exit status: 0 all asked-for labs pass, 1 some do not, 2 usage, 3 something is missing on this
 * machine, 4 it has no sandbox, and a class is not graded without one.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "class.h"
#include "class_merge.h"
#include "config.h"
#include "confine.h"
#include "diff.h"
#include "export.h"
#include "file.h"
#include "fit.h"
#include "grade_labs.h"
#include "hash.h"
#include "hints.h"
#include "kit.h"
#include "labs.h"
#include "page.h"
#include "path.h"
#include "process.h"
#include "source.h"
#include "starter.h"
#include "status.h"
#include "submission.h"
#include "terminal.h"
#include "verdict.h"
#include "watch.h"
#include "wrap.h"

enum { USAGE = 2, MISSING = 3, NO_SANDBOX = 4, MOST_LABS = 64 };

/* of a case: the grader and the child hold several copies */
static const size_t MOST_BYTES = (size_t)1 << 30;

static int hint(const options *o, const lab *l)
{
    base_error error;
    if (!hints_show(l, o->out, o->level, &error))
        die(MISSING, "%s", error.text);
    return 0;
}

static int list(const lab *const *labs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (count > 1)
            fit_print(stdout, "%s%s\n", i ? "\n" : "", labs[i]->id);
        page_gates(labs[i], true);
    }
    if (count == 0)
        labs_print();
    return 0;
}

/* --ids, for scripts: a line for each lab that --lab names, or that the course has; those of a
   course that are never visible are left out. */
static int print_ids(const options *o, const lab *const *labs, size_t count)
{
    for (size_t i = 0; !o->lab && o->course && i < o->course->count; i++)
        if (o->course->labs[i].whole != COURSE_NEVER)
            printf("%s\n", o->course->labs[i].l->id);
    for (size_t i = 0; i < count; i++) {
        const course_lab *const one = o->course ? course_find(o->course, labs[i]->id) : NULL;
        if (!one || one->whole != COURSE_NEVER)
            printf("%s\n", labs[i]->id);
    }
    return 0;
}

static void page_verdicts(void)
{
    printf("| verdict | means |\n|---|---|\n");
    for (int v = 0; v < VERDICT_COUNT; v++)
        printf("| %s | %s |\n", verdict_name((verdict)v), verdict_about((verdict)v)->means);
}

/* Of a lab: a table, whose lines begin with "|", and a list; without one, the verdicts. */
static int page(const lab *l)
{
    base_error error;

    if (!l) {
        page_verdicts();
        return 0;
    }
    if (!page_todos(l, &error))
        die(MISSING, "%s", error.text);
    page_gates(l, false);
    return 0;
}

static void reset_one(const lab *l, bool all)
{
    char kept[PATH_MAX];
    base_error error;

    if (!starter_reset(SCANLAB_SOURCE_DIR, l, kept, sizeof kept, &error))
        die(MISSING, "%s", error.text);
    if (all && !kept[0])
        return;
    if (kept[0])
        fit_print(stdout, "labs/%s/%s is the starter again; yours is kept as\n  labs/%s/%s\n",
                  l->id, l->file, l->id, path_name(kept));
    else
        fit_print(stdout, "labs/%s/%s is the starter; there was nothing to keep.\n", l->id,
                  l->file);
}

/* None: all of them. */
static int reset(const lab *const *labs, size_t count)
{
    process_prepare();
    for (size_t i = 0; i < count; i++)
        reset_one(labs[i], false);
    for (size_t i = 0; count == 0 && i < lab_table_length; i++)
        reset_one(lab_table[i], true);
    if (count == 0)
        fit_print(stdout, "All labs are the starters.\n");
    return 0;
}

static int status(const options *o)
{
    if (strcmp(o->src, "labs") != 0 && !file_is_folder(o->src))
        die(USAGE, "SRC=%s: there is no such folder", o->src);
    status_print(o);
    return 0;
}

/* References are kept from one grading to the next, as long as nothing of the kit has changed that
   they are made of. */
static options with_key(const options *o, const toolchain *tools, const lab *const *labs,
                        size_t count)
{
    static char kit[HASH_SHA256 + 1];
    options own = *o;

    if (!own.kit) {
        submission_kit_key(o, tools, labs, count, kit);
        own.kit = kit;
    }
    return own;
}

static int watch(const options *o, const lab *l)
{
    toolchain tools;
    base_error error;

    if (!toolchain_find(&tools, &error))
        die(MISSING, "%s", error.text);
    const options own = with_key(o, &tools, lab_table, lab_table_length);
    if (!watch_run(&own, &tools, l, &error))
        die(MISSING, "%s", error.text);
    return 0;
}

static int diff(const options *o, const lab *l)
{
    base_error error;

    if (!diff_show(o, l, &error))
        die(MISSING, "%s", error.text);
    return 0;
}

static int export(const options *o)
{
    base_error error;

    if (!export_knows(o->format, &error))
        die(USAGE, "%s", error.text);
    if (!export_results(o->format, o->out, o->to, &error))
        die(MISSING, "%s", error.text);
    return 0;
}

/* --case names a part that the lab has, and an n that the part allows. */
static bool check_case(const options *o, const lab *l, base_error *error)
{
    char names[600] = "";

    for (unsigned p = 0; p < lab_part_count(l); p++) {
        const lab_part *part = &l->parts[p];
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "\n  %s", judge_part_name(l, part));
        if (strcmp(o->part, judge_part_name(l, part)) != 0 && strcmp(o->part, part->entry) != 0)
            continue;
        if (o->n > judge_most_n(part) && !judge_is_once(part, o->n))
            return error_set(error, "n = %zu is more than %s allows: at most %zu", o->n, o->part,
                             judge_most_n(part));
        if (judge_total_bytes(part, o->n) > MOST_BYTES)
            return error_set(error, "n = %zu needs buffers of %zu MiB; a case may have %zu MiB",
                             o->n, judge_total_bytes(part, o->n) >> 20, MOST_BYTES >> 20);
        return true;
    }
    return error_set(error, "lab %.2s has no part \"%s\"; its parts are:%s", l->id, o->part, names);
}

/* SRC has to be a folder that holds at least one of the files asked for. */
static bool check_src(const options *o, const lab *const *labs, size_t count, base_error *error)
{
    char path[PATH_MAX], root[PATH_MAX];
    bool kits = strcmp(o->src, "labs") == 0 || strcmp(o->src, "solutions") == 0;

    if (!path_join(root, sizeof root, kits ? SCANLAB_SOURCE_DIR : "", o->src, error))
        return false;
    if (!file_exists(root))
        return error_set(error,
                         "SRC=%s: there is no such folder; it is labs%s, or a folder of yours",
                         o->src, kit_has_solutions() ? ", solutions" : "");
    if (!file_is_folder(root) && count > 1)
        return error_set(
            error, "SRC=%s is one file: say which lab it is for, as in make grade LAB=04 SRC=%s",
            o->src, o->src);
    for (size_t i = 0; i < count; i++)
        if (source_path(o, labs[i], path, NULL) && file_exists(path))
            return true;
    char found[400];
    source_found(o, labs[0], found, sizeof found);
    return error_set(
        error,
        "SRC=%s holds no lab's file, or cannot be read: %s/%s or %s/%s/%s was expected%s%s%s",
        o->src, o->src, labs[0]->file, o->src, labs[0]->id, labs[0]->file,
        found[0] ? ";\nthere is " : "", found, found[0] ? ": rename the one to grade" : "");
}

static int grade(const options *o, const lab *const *labs, size_t count)
{
    toolchain tools;
    base_error error;

    if (options_wants_gpu(o) && !toolchain_find_cuda(&tools, &error))
        die(MISSING, "%s", error.text);
    if (!check_src(o, labs, count, &error) || (o->part[0] && !check_case(o, labs[0], &error)))
        die(USAGE, "%s", error.text);
    if (!options_wants_gpu(o) && !toolchain_find(&tools, &error))
        die(MISSING, "%s", error.text);
    if (!confine_is_safe(confine_find(options_wants_gpu(o))) && o->command != COMMAND_ALL)
        wrap_text(o->unsafe ? "Without a sandbox, as asked (--unsafe)."
                            : "Without a sandbox: this machine has none (docs/security.md). Grade "
                              "your own files here, and nobody else's.",
                  0, 0);
    const options own = with_key(o, &tools, lab_table, lab_table_length);
    return grade_labs(&own, &tools, labs, count);
}

/* Which sandbox there is; a class is graded in one, or by the user's own choice without. */
static void find_sandbox(options *o)
{
    if (o->unsafe)
        confine_give_up();
    const confine_tier tier = confine_find(options_wants_gpu(o));
    o->sandbox = confine_tier_name(tier);
    if (o->command == COMMAND_ALL && tier == CONFINE_NONE)
        die(NO_SANDBOX,
            "this machine has no safe sandbox for other people's programs, and nothing was "
            "graded.\n  %s\nLandlock needs Linux 5.13 or newer with landlock in "
            "/sys/kernel/security/lsm; a container has to\nlet its system calls through. Or allow "
            "user namespaces: sysctl user.max_user_namespaces, and on\nUbuntu "
            "kernel.apparmor_restrict_unprivileged_userns=0. docs/security.md says more.\n"
            "If you have read every submission, --unsafe (make: UNSAFE=1) grades without.",
            confine_problem());
}

static int grade_all(const options *o, const lab *const *labs, size_t count)
{
    toolchain tools;
    base_error error;
    int status;

    if (o->merge) {
        if (!class_merge(o, labs, count, &status, &error))
            die(status, "%s", error.text);
        return status;
    }
    if (options_wants_gpu(o) ? !toolchain_find_cuda(&tools, &error)
                             : !toolchain_find(&tools, &error))
        die(MISSING, "%s", error.text);
    const options own = with_key(o, &tools, labs, count);
    if (!class_grade(&own, labs, count, grade, &status, &error))
        die(status, "%s", error.text);
    return status;
}

/* A bonus that the submission has, and that is not the starter as it was. */
static bool is_begun(const options *o, const lab *l)
{
    char path[PATH_MAX];

    return source_path(o, l, path, NULL) && file_exists(path) &&
           starter_look(SCANLAB_SOURCE_DIR, l, path) != STARTER_UNTOUCHED;
}

/* That of --course; in a student kit also the kit's own. */
static void read_course(options *o)
{
    static course read;
    static const char own[] = SCANLAB_SOURCE_DIR "/course.toml";
    base_error error;
    const char *path = o->course_file;

    if (!path && !kit_has_solutions() && file_exists(own))
        path = own;
    if (!path)
        return;
    if (!course_read(path, &read, &error))
        die(USAGE, "%s", error.text);
    o->course = &read;
    o->students = o->command != COMMAND_ALL;
    if (o->command == COMMAND_ALL && read.has_seed && !o->has_seed) {
        o->has_seed = true;
        o->seed = read.seed;
    }
}

/* A course's labs: of a student's run those that are not hidden; else all that are there. */
static size_t course_labs(const options *o, const lab **labs)
{
    size_t count = 0;

    for (size_t i = 0; i < o->course->count; i++)
        if (!o->students || !course_hides_lab(o->course, o->course->labs[i].l, time(NULL)))
            labs[count++] = o->course->labs[i].l;
    if (count == 0)
        die(USAGE, "%s: no lab of the course is visible now", o->course->path);
    return count;
}

/* The labs that count, and each bonus that is begun; of a class the labs alone. */
static size_t all_labs(const options *o, const lab **labs)
{
    size_t count = 0;

    if (o->course)
        return course_labs(o, labs);
    for (size_t i = 0; i < lab_table_length && count < MOST_LABS; i++)
        if (!lab_table[i]->bonus || (o->command != COMMAND_ALL && is_begun(o, lab_table[i])))
            labs[count++] = lab_table[i];
    return count;
}

/* What the course hides is not graded here, asked for by name or not. */
static void check_hidden(const options *o, const lab *const *labs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (course_hides_lab(o->course, labs[i], time(NULL)))
            die(USAGE, "lab %.2s is %s (%s)", labs[i]->id,
                course_find(o->course, labs[i]->id)->whole == COURSE_AFTER_DUE
                    ? "graded here once it was due"
                    : "graded by your instructor alone",
                o->course->path);
        for (unsigned p = 0; o->part[0] && p < lab_part_count(labs[i]); p++)
            if (strcmp(o->part, judge_part_name(labs[i], &labs[i]->parts[p])) == 0 &&
                course_hides(o->course, labs[i], p, time(NULL)))
                die(USAGE, "%s of lab %.2s is graded by your instructor (%s)", o->part, labs[i]->id,
                    o->course->path);
    }
}

/* A command that is about one lab refuses several. */
static void check_one(const options *o, size_t count)
{
    static const struct {
        options_command command;
        const char *about;
    } single[] = {
        { COMMAND_HINT, "a hint is for one lab: make hint LAB=%.2s" },
        { COMMAND_DIFF, "one lab's files are compared at a time: make diff LAB=%.2s" },
        { COMMAND_WATCH, "make watch begins with one lab, and goes on by itself: make watch "
                         "LAB=%.2s" },
        { COMMAND_PAGE, "a page is of one lab: --page --lab %.2s" },
    };
    const char *const name = o->lab + strspn(o->lab, ", \t");

    for (size_t i = 0; count > 1 && i < sizeof single / sizeof *single; i++)
        if (single[i].command == o->command)
            die(USAGE, single[i].about, name);
    if (count > 1 && o->part[0])
        die(USAGE, "a case belongs to one lab: make grade LAB=%.2s CASE=%s/%zu", name, o->part,
            o->n);
}

int main(int count, char **arguments)
{
    options o;
    base_error error;
    const lab *labs[MOST_LABS];
    size_t asked = 0;

    file_open_standard();
    confine_hide_self();
    wrap_fit(terminal_look(STDOUT_FILENO).columns);
    if (!options_read(&o, count, arguments, &error))
        die(USAGE, "%s", error.text);
    if (o.command == COMMAND_HELP) {
        options_help();
        return 0;
    }
    if (!labs_check(&error))
        die(MISSING, "%s", error.text);
    read_course(&o);
    if (o.lab && !(asked = labs_find_all(o.lab, labs, MOST_LABS, &error)))
        die(USAGE, "%s", error.text);
    if (o.lab)
        check_one(&o, asked);
    if (o.students && (o.command == COMMAND_GRADE || o.command == COMMAND_WATCH))
        check_hidden(&o, labs, asked);
    o.one_lab = asked == 1;
    const lab *const one = asked == 1 ? labs[0] : NULL;
    switch (o.command) {
    case COMMAND_LIST: return list(labs, asked);
    case COMMAND_IDS: return print_ids(&o, labs, asked);
    case COMMAND_PAGE: return page(one);
    case COMMAND_HINT: return hint(&o, one);
    case COMMAND_RESET: return reset(labs, asked);
    case COMMAND_STATUS: return status(&o);
    case COMMAND_DIFF: return diff(&o, one);
    case COMMAND_EXPORT: return export(&o);
    default: break;
    }
    if (!o.merge)
        find_sandbox(&o);
    if (o.command == COMMAND_WATCH)
        return watch(&o, one);
    if (!o.lab)
        asked = all_labs(&o, labs);
    return o.command == COMMAND_ALL ? grade_all(&o, labs, asked) : grade(&o, labs, asked);
}
