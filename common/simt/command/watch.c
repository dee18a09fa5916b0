/* watch.c: see watch.h. The launches, and the clock of a long one; findings.c, steps.c and counts.c
   print what was seen. */
#define _GNU_SOURCE
#include "watch.h"

#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "status_line.h"
#include "tell.h"
#include "fit.h"
#include "host_threads.h"
#include "locate.h"
#include "terminal.h"
#include "watch_parts.h"

static settings set;
static uint64_t launches;
static char program[256], schedule[160];
static bool blocks_mattered;
static struct {
    uint64_t launches, ran, blocks, cut; /* launches that are samples, and their blocks; cut ones */
} sample;

/* ---- progress: on a terminal, from two seconds on, how long and what is running -------------- */

static struct {
    pthread_mutex_t lock;
    bool started;
    const simt_device *device;
    char kernel[64];
    uint64_t launch;       /* its number */
    struct timespec since; /* the program began */
    bool running;          /* a launch; between two the terminal is the program's */
} clock_of_launch = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The lock is held, so the launch does not end meanwhile, and its device is open. */
static void show_launch(long seconds)
{
    uint64_t ended, blocks;
    simt_progress(clock_of_launch.device, &ended, &blocks);
    status_line_show(stderr, "simt: %ld s: launch %llu, %llu of %llu block%s ended, kernel %s",
                     seconds, (unsigned long long)clock_of_launch.launch, (unsigned long long)ended,
                     (unsigned long long)blocks, blocks == 1 ? "" : "s", clock_of_launch.kernel);
}

static void *show_progress(void *unused)
{
    (void)unused;
    host_threads_name();
    for (;;) {
        nanosleep(&(struct timespec){ .tv_nsec = 250000000 }, NULL);
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        pthread_mutex_lock(&clock_of_launch.lock);
        const long seconds = (long)(now.tv_sec - clock_of_launch.since.tv_sec);
        if (clock_of_launch.running && seconds >= 2)
            show_launch(seconds);
        pthread_mutex_unlock(&clock_of_launch.lock);
    }
    return NULL;
}

static void start_clock(const simt_device *device, const char *kernel)
{
    pthread_t thread;
    pthread_mutex_lock(&clock_of_launch.lock);
    if (!clock_of_launch.started && terminal_look(STDERR_FILENO).interactive &&
        pthread_create(&thread, NULL, show_progress, NULL) == 0)
        pthread_detach(thread);
    clock_of_launch.started = clock_of_launch.running = true;
    snprintf(clock_of_launch.kernel, sizeof clock_of_launch.kernel, "%s", kernel);
    clock_of_launch.device = device;
    clock_of_launch.launch = launches + 1;
    pthread_mutex_unlock(&clock_of_launch.lock);
}

static void stop_clock(void)
{
    pthread_mutex_lock(&clock_of_launch.lock);
    status_line_clear();
    clock_of_launch.running = false;
    pthread_mutex_unlock(&clock_of_launch.lock);
}

/* ---- launches that were refused -------------------------------------------------------------- */

enum { MOST_REFUSALS = 16 };
static struct {
    uint64_t from, times;
    const void *thread; /* of the host */
    bool asked;         /* it has asked about all of them */
    unsigned long long launch;
    char kernel[64], why[512], advice[320], place[128];
} refusals[MOST_REFUSALS];
static unsigned refusal_count;
static pthread_mutex_t refusals_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local char me; /* its address is the thread's */

static void refusals_add(const char *kernel, uint64_t from, const char *why, const char *advice)
{
    unsigned k = 0;
    pthread_mutex_lock(&refusals_lock);
    while (k < refusal_count && (refusals[k].from != from || refusals[k].thread != &me ||
                                 strcmp(refusals[k].why, why) != 0))
        k++;
    if (k < MOST_REFUSALS) {
        refusals[k].times++;
        refusals[k].asked = false;
    }
    if (k == refusal_count && k < MOST_REFUSALS) {
        refusal_count++;
        refusals[k].from = from;
        refusals[k].thread = &me;
        refusals[k].launch = launches;
        snprintf(refusals[k].kernel, sizeof refusals[k].kernel, "%s", kernel);
        snprintf(refusals[k].why, sizeof refusals[k].why, "%s", why);
        snprintf(refusals[k].advice, sizeof refusals[k].advice, "%s", advice);
    }
    pthread_mutex_unlock(&refusals_lock);
}

void watch_asked(void)
{
    pthread_mutex_lock(&refusals_lock);
    for (unsigned k = 0; k < refusal_count; k++)
        refusals[k].asked |= refusals[k].thread == &me;
    pthread_mutex_unlock(&refusals_lock);
}

bool watch_has_refused(const char *why)
{
    for (unsigned k = 0; k < refusal_count; k++)
        if (strcmp(refusals[k].why, why) == 0)
            return true;
    return false;
}

static void refusals_tell(void)
{
    for (unsigned k = 0; k < refusal_count; k++)
        locate_in_program(refusals[k].from, refusals[k].place, sizeof refusals[k].place);
    for (unsigned k = 0; k < refusal_count; k++) {
        const char *place = refusals[k].place;
        char often[32] = "";
        for (unsigned j = k + 1; j < refusal_count; j++)
            if (strcmp(refusals[j].place, place) == 0 &&
                strcmp(refusals[j].why, refusals[k].why) == 0) { /* a loop that was unrolled */
                refusals[k].times += refusals[j].times;
                refusals[k].asked &= refusals[j].asked;
                refusals[j].times = 0;
            }
        if (refusals[k].times == 0)
            continue;
        if (refusals[k].times > 1)
            snprintf(often, sizeof often, ", %llu times", (unsigned long long)refusals[k].times);
        char text[1200];
        snprintf(text, sizeof text, "launch %llu, of %s%s%s, was refused%s: %s%s%s",
                 refusals[k].launch, refusals[k].kernel, place[0] ? " at " : "", place, often,
                 refusals[k].why, refusals[k].advice[0] ? "; " : "", refusals[k].advice);
        findings_problem(text, refusals[k].from, refusals[k].asked, !refusals[k].asked);
    }
    refusal_count = 0;
}

/* ---- launches -------------------------------------------------------------------------------- */

bool watch_begin(const settings *s, const char *name, base_error *error)
{
    set = *s;
    snprintf(program, sizeof program, "%s", name);
    clock_gettime(CLOCK_MONOTONIC, &clock_of_launch.since);
    const bool sarif = s->format == FORMAT_SARIF;
    if (!tell_open(sarif ? "" : s->out, error) || !rules_begin(s->suppress, error))
        return false;
    if (sarif && !sarif_begin(s->out, error))
        return false;
    if (s->what == WATCH_TRACE)
        steps_begin(&set);
    return true;
}

void watch_device(simt_device *device)
{
    rules_apply(device);
    if (set.what == WATCH_TRACE)
        simt_on_step(device, &set.select, steps_show, device);
}

void watch_launching(simt_device *device, const char *kernel) { start_clock(device, kernel); }

void watch_ptx_file(const char *path, const char *text) { source_ptx(path, text); }

static void sample_add(const simt_device *device, const simt_launch_args *args,
                       const simt_report *report)
{
    const uint64_t blocks = (uint64_t)args->grid.x * args->grid.y * args->grid.z;
    uint64_t ended, ran;
    bool stopped = false; /* by a finding */
    simt_progress(device, &ended, &ran);
    for (unsigned k = 0; k < report->findings; k++)
        stopped |= report->finding[k].fatal;
    sample.cut += report->cut && !stopped;
    if (ran == blocks)
        return;
    sample.launches++;
    sample.ran += ran;
    sample.blocks += blocks;
}

static void sample_tell(void)
{
    char text[1000];
    snprintf(text, sizeof text,
             "this is a sample: of %llu launch%s with more than 8 blocks the first and the last 4 "
             "blocks ran, %llu of %llu, one after the other.",
             (unsigned long long)sample.launches, sample.launches == 1 ? "" : "es",
             (unsigned long long)sample.ran, (unsigned long long)sample.blocks);
    tell_wrapped("  ", 2, text);
    if (sample.cut) {
        snprintf(
            text, sizeof text,
            "In %llu launch%s a block was stopped early: it waited for what no block published, or "
            "executed 4 million warp instructions.",
            (unsigned long long)sample.cut, sample.cut == 1 ? "" : "es");
        tell_wrapped("  ", 2, text);
    }
    tell_wrapped(
        "  ", 2,
        "What the others would have stored is 0, so the program's results and its exit status "
        "say nothing. Not looked for: values that were never set, deadlocks, and what goes "
        "wrong in the other blocks, or between them and these.");
}

void watch_launched(simt_device *device, const char *kernel, const simt_launch_args *args,
                    const simt_report *report, const char *refused, const char *advice)
{
    stop_clock();
    launches++;
    if (refused) {
        refusals_add(kernel, args->from, refused, advice);
        return;
    }
    for (unsigned k = 0; k < report->findings; k++) {
        source_learn(device, report->finding[k].at.file);
        if (report->finding[k].has_other)
            source_learn(device, report->finding[k].other.file);
        if (!set.quiet_headers || !report->finding[k].of_library)
            findings_add(&report->finding[k]);
    }
    if (set.sample)
        sample_add(device, args, report);
    findings_dropped(report->findings_dropped);
    findings_waits(report);
    if (set.what == WATCH_STATS) {
        for (unsigned k = 0; k < report->line_count; k++)
            source_learn(device, report->lines[k].file);
        counts_add(kernel, args, report);
    }
    if (!blocks_mattered || report->findings)
        snprintf(schedule, sizeof schedule, "%s", report->schedule);
    blocks_mattered |= report->findings > 0;
}

void watch_host(simt_device *device)
{
    const simt_finding *found;
    rules_apply(device); /* a program may end without a launch */
    unsigned count = simt_host_findings(device, &found);
    for (unsigned k = 0; k < count; k++) {
        source_learn(device, found[k].at.file);
        if (found[k].has_other)
            source_learn(device, found[k].other.file);
        findings_add(&found[k]);
    }
}

void watch_problem(bool cause, const char *format, ...)
{
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    findings_problem(text, 0, false, cause);
}

static const char *checks_words(void)
{
    static char text[80];

    static const struct {
        unsigned bit;
        const char *name;
    } known[] = {
        { SIMT_CHECK_BOUNDS, "bounds" },
        { SIMT_CHECK_RACES, "races" },
        { SIMT_CHECK_UNSET, "init" },
        { SIMT_CHECK_COUNTERS, "counters" },
    };
    text[0] = '\0';
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (set.config.checks & known[k].bit) {
            strcat(text, *text ? ", " : "");
            strcat(text, known[k].name);
        }
    return *text ? text : "none";
}

void watch_close(simt_device *device)
{
    watch_host(device);
    rules_learn(device);
}

bool watch_end(void)
{
    stop_clock();
    if (set.what == WATCH_TRACE)
        steps_end();
    if (set.what == WATCH_STATS)
        counts_tell(&set);
    refusals_tell();
    unsigned found = findings_count();
    if (set.what != WATCH_FINDINGS) {
        if (found)
            fit_print(tell_stream, "%ssimt: there %s also %u finding%s%s: see simt run\n",
                      tell_begin(TELL_BAD), found == 1 ? "is" : "are", found, found == 1 ? "" : "s",
                      tell_end());
        fflush(tell_stream);
        return false;
    }
    findings_order();
    if (set.format == FORMAT_SARIF)
        sarif_tell(&(sarif_run){ program, checks_words(), schedule, launches });
    if (set.format == FORMAT_SARIF && !*set.out)
        return found > 0;
    if (set.format == FORMAT_GCC)
        findings_tell_gcc();
    else
        findings_tell();
    char what[80];
    if (found)
        snprintf(what, sizeof what, "%ssimt: %u finding%s%s", tell_begin(TELL_BAD), found,
                 found == 1 ? "" : "s", tell_end());
    else
        snprintf(what, sizeof what, "simt: nothing found%s", findings_notes() ? " but notes" : "");
    fit_print(tell_stream, "%s in %llu launch%s of %s\n", what, (unsigned long long)launches,
              launches == 1 ? "" : "es", program);
    if (launches == 0)
        tell_wrapped("  ", 2, "it has launched no kernel: nothing was checked");
    else {
        char text[200];
        fprintf(tell_stream, "  checks: %s\n", checks_words());
        snprintf(text, sizeof text, "schedule: %s", schedule);
        tell_wrapped("  ", 4, text);
    }
    if (set.sample && launches)
        sample_tell();
    rules_tell();
    if (source_changed())
        tell_wrapped(
            "  ", 4,
            "the source is newer than the program: its lines may be others; compile again");
    fflush(tell_stream);
    return found > 0;
}
