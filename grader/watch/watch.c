/*
 * watch.c: see watch.h.
 *
 * One loop waits for keys, saves and the worker. A save is taken as a snapshot, and a worker grades
 * that; a save meanwhile ends the worker, and a new one begins. What stands on the screen stays
 * until the first part is judged (early.h); then the rest of the lab is graded, and the screen
 * changes again only where there is something else to say.
 */
#define _GNU_SOURCE
#include "watch.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "build.h"
#include "encoding.h"
#include "file.h"
#include "focus.h"
#include "pages.h"
#include "path.h"
#include "process.h"
#include "record.h"
#include "results_json.h"
#include "saves.h"
#include "screen.h"
#include "source.h"
#include "status.h"
#include "steps.h"
#include "worker.h"
#include "wrap.h"

enum { TICK_MS = 20, MOST_LABS = 64, TEXT = 200 };

/* The last row, for 60 columns: of the first page, and of another. */
static const char keys[] = "h hint  a all  s source  g gates  n next  p previous  q quit",
                  keys_there[] = "another key: back  h hint  a all  s source  g gates  q quit";

typedef enum page { PAGE_FIRST, PAGE_ALL, PAGE_SOURCE, PAGE_HINT, PAGE_GATES } page;

typedef struct watch {
    const options *o;
    const lab *l;
    saves saves;
    worker worker;
    char *content; /* the snapshot; null: there is none */
    size_t size;
    lab_result *result;  /* what is known of it: of the worker at work, or of the last one */
    bool known;          /* there is a result, of this lab */
    bool done;           /* and it is whole */
    unsigned early;      /* entries of worker.early in it */
    unsigned first_seen; /* as the result's, since the last save */
    bool shown;          /* a report, since the last save */
    bool kept;           /* it is of an earlier grading */
    record work;         /* what is worked on: a save may come before the lab is graded whole */
    page page;
    bool hint;  /* the next one is asked for */
    bool back;  /* no hint was asked for since one came to this lab: first that of before */
    bool jump;  /* the source is to be shown from where the mark is */
    char *text; /* of the page */
    unsigned first, below;
    char doing[PROGRESS_TEXT]; /* what the worker does */
    unsigned runs_done;        /* and how much it has done */
    double since;              /* by process_clock: then one of them changed */
    bool solved[MOST_LABS];    /* now, of lab_table */
    bool changed;              /* the text is old */
    bool quit;
} watch;

/* Signals are let in only while the loop waits, so that none comes between two looks at this. */
static volatile sig_atomic_t ended_by;
static void note_end(int number) { ended_by = number; }

/* For tests: "1764275530.123 verdict 04_hillis_steele RACE". */
static void log_event(const watch *w, const char *what, const char *more)
{
    struct timespec now;
    FILE *const to = w->o->log ? fopen(w->o->log, "ae") : NULL;

    if (!to)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    fprintf(to, "%lld.%03ld %s %s %s\n", (long long)now.tv_sec, now.tv_nsec / 1000000, what,
            w->l->id, more);
    fclose(to);
}

/* ---- grading --------------------------------------------------------------------------------- */

static bool snapshot_path(const watch *w, char path[PATH_MAX])
{
    char folder[PATH_MAX], name[40];

    snprintf(name, sizeof name, "%ld.cu", (long)getpid()); /* there may be two that watch */
    return path_join(folder, sizeof folder, w->o->out, "snapshot", NULL) &&
           file_make_folders(folder, NULL) && path_join(path, PATH_MAX, folder, name, NULL);
}

static void drop_content(watch *w)
{
    free(w->content);
    w->content = NULL;
}

/* Of a file that is not there, or too long. */
static void no_content(watch *w, const char *why)
{
    worker_stop(&w->worker);
    result_begin(w->l, w->result);
    snprintf(w->result->message, sizeof w->result->message, "%s", why);
    w->known = w->done = w->shown = w->changed = true;
    w->page = PAGE_FIRST;
    w->first = 0;
    drop_content(w);
}

/* A reader is not to find another part's finding where the first one stood. */
static void keep_first(watch *w)
{
    const focus f = focus_of(w->result);

    if (!w->first_seen)
        w->first_seen = (unsigned)(f.part + 1);
    w->result->first_seen = w->first_seen;
}

/* The page that the student has opened stays, until there is another verdict. */
static void show_first(watch *w)
{
    if (!w->shown) {
        w->page = PAGE_FIRST;
        w->first = 0;
    }
    w->shown = w->known = w->changed = true;
}

/* Takes the file as it is now, and begins to grade it. arrives: at this lab, whose file may not
   have changed since it passed; then that is shown. Otherwise a file that is the same is not graded
   again, unless all that is shown is kept of an earlier grading. */
static void begin_grading(watch *w, bool arrives)
{
    char path[PATH_MAX], copy[PATH_MAX], *content;
    base_error error = { "" };
    size_t size;

    if (!source_path(w->o, w->l, path, &error) ||
        !encoding_read(path, BUILD_SOURCE_LIMIT, &content, &size, &error)) {
        no_content(w, error.text);
        return;
    }
    if (!arrives && !w->kept && w->content && w->size == size &&
        memcmp(content, w->content, size) == 0) {
        free(content);
        return;
    }
    drop_content(w);
    w->content = content;
    w->size = size;
    w->shown = false;
    w->early = w->first_seen = 0;
    w->kept = arrives && record_result(w->o, w->l, &w->work, content, size, w->result);
    if (w->kept) {
        w->done = true;
        show_first(w);
        return;
    }
    log_event(w, "save", "");
    if (!snapshot_path(w, copy) || !file_write(copy, content, size, &error) ||
        !worker_start(&w->worker, w->l, copy, &w->work))
        no_content(w, error.text[0] ? error.text : "no process could be started; save again");
}

static void go_to(watch *w, const lab *l)
{
    if (!l || l == w->l)
        return;
    worker_stop(&w->worker);
    drop_content(w);
    w->l = l;
    w->work = record_read(w->o, l);
    w->known = false;
    w->back = true;
    w->page = PAGE_FIRST;
    w->first = 0;
    w->changed = true;
    record_work_on(w->o, l);
    begin_grading(w, true);
}

/* Of several at once, as a git checkout has them, this lab's counts most. */
static void look_for_saves(watch *w)
{
    const lab *other = NULL;
    bool mine = false;

    saves_read(&w->saves);
    for (const lab *l; (l = saves_next(&w->saves)) != NULL;) {
        mine = mine || l == w->l;
        other = other ? other : l;
    }
    if (mine)
        begin_grading(w, false);
    else
        go_to(w, other);
}

static size_t index_of(const lab *l)
{
    size_t i = 0;

    while (lab_table[i] != l)
        i++;
    return i;
}

/* The whole result is here. */
static void take_result(watch *w)
{
    char path[PATH_MAX];
    const lab_result *const r = w->worker.result;

    memcpy(w->result, r, sizeof *r);
    w->done = true;
    keep_first(w);
    record_work(&w->work, w->result);
    record_keep(w->o, w->result, w->content, w->size);
    if (path_join(path, sizeof path, w->o->out, "results.json", NULL))
        results_json_write(path, w->o, "", (const lab_result *[]){ w->result }, 1, NULL);
    if (r->verdict == VERDICT_PASS && index_of(w->l) < MOST_LABS)
        w->solved[index_of(w->l)] = true;
    if (r->verdict == VERDICT_PASS)
        w->shown = false; /* what was learned is worth a page */
    show_first(w);
}

static void look_at_worker(watch *w)
{
    if (w->worker.pid == 0)
        return;
    if (worker_look(&w->worker, w->l)) {
        take_result(w);
    } else if (atomic_load(&w->worker.early->count) > w->early) {
        w->early = early_result(w->worker.early, w->l, w->result);
        w->done = false;
        keep_first(w);
        record_work(&w->work, w->result);
        show_first(w);
    }
}

/* ---- the screen ------------------------------------------------------------------------------ */

static void make_text(watch *w)
{
    unsigned mark = 0;
    const page_view v = { .o = w->o,
                          .style = { terminal_look(STDOUT_FILENO) },
                          .rows = screen_rows() };

    wrap_fit(screen_columns());
    free(w->text);
    switch (w->page) {
    case PAGE_FIRST: w->text = pages_first(&v, w->result, w->done); break;
    case PAGE_ALL: w->text = pages_all(&v, w->result, w->done); break;
    case PAGE_SOURCE: w->text = pages_source(&v, w->result, w->content, &mark); break;
    case PAGE_HINT: w->text = pages_hint(&v, w->result, w->hint); break;
    case PAGE_GATES: w->text = pages_gates(&v, w->result); break;
    }
    if (w->page == PAGE_SOURCE && w->jump)
        w->first = mark;
    w->changed = w->hint = w->jump = false;
}

/* As far as it is known: of a lab at work that of the part that is shown. */
static verdict verdict_now(const watch *w)
{
    const focus f = focus_of(w->result);
    return w->done || f.part < 0 ? w->result->verdict : w->result->part_verdict[f.part];
}

static void at_work_text(const watch *w, const char *doing, char text[TEXT], size_t room)
{
    const char *const known =
        focus_of(w->result).part < 0 ? "correct so far" : verdict_name(verdict_now(w));
    const unsigned percent = progress_percent(w->worker.progress);

    if ((size_t)snprintf(text, TEXT, " %s, %u %%: %s ", known, percent, doing) > room)
        snprintf(text, TEXT, " %s, %u %% ", known, percent);
}

/* "RACE, 42 %: exclusive": the part's name, since those of its cases come and go too fast; without
   it where the row has no room. */
static void state_text(const watch *w, char text[TEXT], size_t room)
{
    const bool at_work = w->worker.pid != 0;
    char doing[PROGRESS_TEXT] = "";

    if (at_work)
        progress_text(w->worker.progress, doing);
    doing[strcspn(doing, "/")] = '\0';
    if (at_work && !w->shown)
        snprintf(text, TEXT, " %s ", doing[0] ? doing : "saved");
    else if (at_work)
        at_work_text(w, doing, text, room);
    else if (w->known && w->result->max_points)
        snprintf(text, TEXT, " %s %d/%d%s ", verdict_name(verdict_now(w)), w->result->points,
                 w->result->max_points, w->kept ? ", as before" : "");
    else
        snprintf(text, TEXT, " %s ", w->known ? verdict_name(verdict_now(w)) : "");
}

/* Seconds for which the worker has been at one case; 0 while it is not, or for a moment only. */
static unsigned seconds_at_case(watch *w, char doing[PROGRESS_TEXT])
{
    enum { SOON = 3 };
    lab_progress *const p = w->worker.progress;
    char before[PROGRESS_TEXT];
    const unsigned done = atomic_load(&p->done);
    const double now = process_clock();

    memcpy(before, w->doing, sizeof before);
    progress_text(p, w->doing);
    memcpy(doing, w->doing, sizeof w->doing);
    if (w->worker.pid == 0 || done != w->runs_done || strcmp(before, doing) != 0) {
        w->since = now;
        w->runs_done = done;
    }
    const double seconds = now - w->since;
    return strchr(doing, '/') && seconds >= SOON ? (unsigned)seconds : 0;
}

/* Where nothing is known yet that is to be mended. The caller's to free; null: nothing waits. */
static char *waiting_text(watch *w)
{
    char doing[PROGRESS_TEXT];
    const unsigned seconds = seconds_at_case(w, doing);

    if (seconds == 0 || (w->shown && focus_of(w->result).part >= 0))
        return NULL;
    wrap_fit(screen_columns());
    return pages_waiting(w->l, doing, seconds);
}

static void show(watch *w)
{
    char left[TEXT], right[TEXT], begun[TEXT];
    char *const waiting = waiting_text(w);

    if (w->changed && w->known)
        make_text(w);
    snprintf(begun, sizeof begun, "  %.60s/%s/%s\n  is compiled and run.", w->o->src, w->l->id,
             w->l->file);
    snprintf(left, sizeof left, " %.2s %s", w->l->id, w->l->title);
    state_text(w, right, screen_columns() - strlen(left) % screen_columns());
    const bool waits = waiting && (w->page == PAGE_FIRST || !w->known);
    w->below = screen_show(left, right,
                           waits                 ? waiting
                           : w->known && w->text ? w->text
                                                 : begun,
                           waits ? 0 : w->first, w->page == PAGE_FIRST ? keys : keys_there);
    free(waiting);
}

static void open_page(watch *w, page page)
{
    if (!w->known || (page == PAGE_SOURCE && !w->content))
        return;
    w->hint = page == PAGE_HINT && !w->back;
    w->back = w->back && page != PAGE_HINT;
    w->jump = true;
    w->page = w->page == page && page != PAGE_HINT ? PAGE_FIRST : page;
    w->first = 0;
    w->changed = true;
}

/* The lab after, or before: step is 1 or -1. Bonuses are left out. */
static const lab *neighbour(const lab *l, int step)
{
    const size_t i = index_of(l);

    for (size_t k = i + (size_t)step; k < lab_table_length; k += (size_t)step)
        if (!lab_table[k]->bonus)
            return lab_table[k];
    return NULL;
}

static void take_key(watch *w, int key)
{
    const unsigned page = screen_rows() - 1;

    switch (key) {
    case 'q': w->quit = true; break;
    case 'h': open_page(w, PAGE_HINT); break;
    case 'a': open_page(w, PAGE_ALL); break;
    case 's': open_page(w, PAGE_SOURCE); break;
    case 'g': open_page(w, PAGE_GATES); break;
    case 'n': go_to(w, neighbour(w->l, 1)); break;
    case 'p': go_to(w, neighbour(w->l, -1)); break;
    case SCREEN_RESIZED: w->changed = w->jump = true; break;
    case ' ': w->first += w->below < page ? w->below : page; break;
    case SCREEN_BACK: w->first -= w->first < page ? w->first : page; break;
    case SCREEN_DOWN: w->first += w->below > 0; break;
    case SCREEN_UP: w->first -= w->first > 0; break;
    default:
        w->page = PAGE_FIRST;
        w->first = 0;
        w->changed = true;
    }
}

/* ---- the loop -------------------------------------------------------------------------------- */

enum { KEYS, SAVES, CTRL_Z, SOURCES };

/* A Ctrl-Z is waiting to be let in. It is gone where somebody has said "go on" meanwhile. */
static void stop(void)
{
    sigset_t it;

    sigemptyset(&it);
    sigaddset(&it, SIGTSTP);
    screen_lend();
    sigprocmask(SIG_UNBLOCK, &it, NULL);
    sigprocmask(SIG_BLOCK, &it, NULL);
    screen_take_back();
}

/* Waits for a key, a save, a signal, or the next look at the worker. */
static void wait_for_something(watch *w, struct pollfd from[SOURCES])
{
    const int save = saves_wait(&w->saves),
              ms = w->worker.pid && (save < 0 || save > TICK_MS) ? TICK_MS : save;
    const struct timespec time = { ms / 1000, ms % 1000 * 1000000L };
    sigset_t none;

    sigemptyset(&none);
    sigaddset(&none, SIGTSTP);
    for (int k = 0; k < SOURCES; k++)
        from[k].revents = 0;
    ppoll(from, SOURCES, ms < 0 ? NULL : &time, &none);
    if (from[CTRL_Z].revents)
        stop();
}

/* Readable while a Ctrl-Z is waiting. */
static int ctrl_z_source(void)
{
    sigset_t it;

    sigemptyset(&it);
    sigaddset(&it, SIGTSTP);
    return signalfd(-1, &it, SFD_NONBLOCK | SFD_CLOEXEC);
}

static void loop(watch *w)
{
    struct pollfd from[SOURCES] = { [KEYS] = { .fd = STDIN_FILENO, .events = POLLIN },
                                    [SAVES] = { .fd = w->saves.fd, .events = POLLIN },
                                    [CTRL_Z] = { .fd = ctrl_z_source(), .events = POLLIN } };
    bool shown = false;

    while (!w->quit && !ended_by) {
        show(w);
        if (w->shown && !shown)
            log_event(w, "verdict", verdict_name(verdict_now(w)));
        shown = w->shown;
        wait_for_something(w, from);
        if (from[KEYS].revents & (POLLHUP | POLLERR))
            break;
        for (int key; (key = screen_key()) != SCREEN_NO_KEY;)
            take_key(w, key);
        look_for_saves(w);
        const bool at_work = w->worker.pid != 0;
        look_at_worker(w);
        if (at_work && !w->worker.pid)
            log_event(w, "done", verdict_name(w->result->verdict));
    }
}

static void catch_signals(void)
{
    const struct sigaction end = { .sa_handler = note_end };
    sigset_t held;

    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    sigaddset(&held, SIGTSTP);
    sigaddset(&held, SIGWINCH); /* that is for ncurses */
    sigprocmask(SIG_BLOCK, &held, NULL);
    sigaction(SIGINT, &end, NULL);
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGHUP, &end, NULL);
    sigaction(SIGTSTP, &end, NULL); /* else ncurses has one of its own */
}

/* As without a handler: the shell is to see what ended it. */
static void end_by(int number)
{
    sigset_t it;

    sigemptyset(&it);
    sigaddset(&it, number);
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &it, NULL);
}

static bool has_terminal(base_error *error)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return error_set(error, "watch needs a terminal, with a keyboard; make grade LAB=04 says "
                                "the same once, wherever it prints to");
    if (!terminal_look(STDOUT_FILENO).interactive)
        return error_set(error,
                         "watch needs a terminal with a cursor, and TERM=%s has none; make "
                         "grade LAB=04 says the same once",
                         getenv("TERM") ? getenv("TERM") : "");
    return true;
}

bool watch_run(const options *o, const toolchain *tools, const lab *l, base_error *error)
{
    static watch w;
    char copy[PATH_MAX];

    w = (watch){ .o = o, .result = calloc(1, sizeof(lab_result)) };
    if (!has_terminal(error) || !saves_open(&w.saves, o, error) ||
        !worker_open(&w.worker, o, tools, error))
        return false;
    if (!w.result)
        return error_set(error, "no memory for the results");
    catch_signals();
    if (!screen_open(error))
        return false;
    signal(SIGTSTP, SIG_DFL);
    const lab *const last = record_last(o), *const next = status_next(o, last);
    go_to(&w, l ? l : next ? next : last ? last : lab_table[0]);
    loop(&w);
    worker_stop(&w.worker);
    if (snapshot_path(&w, copy))
        unlink(copy);
    screen_close();
    wrap_fit(terminal_look(STDOUT_FILENO).columns);
    if (ended_by) {
        end_by(ended_by);
    }
    pages_end(o, w.l, w.solved);
    return true;
}
