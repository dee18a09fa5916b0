/*
 * stock_test.c: what may a hostile submission do to those who grade it?
 *
 *   stock_test --out DIR FILE
 *
 * FILE is one of stock/: its first line has the verdicts that it may get, and words of the report,
 * "// expect: PASS | text"; a second line may say that it has the entries itself, "// whole, 2 s",
 * or "// with a solution, 2 s", and how long a case may take. Without, it is the lab's solution
 * that stands after it (prelude.inc). It is graded as lab 04, small cases alone, by a process of
 * its own. Around it stands what it must leave alone:
 *
 *   a file with a secret      printed nowhere: in the results, or below --out
 *   a file and its folder     as they were: content, mode, times, names
 *   two listeners             called by nobody, on TCP and in the file system
 *   a bystander               a process of the same user: alive, not stopped, its limits its own
 *   the grader                ends by itself
 *   and afterwards            no process, no segment, no file of shared memory, no message queue
 *
 * SCANLAB_SANDBOX chooses the tier (confine.h). With "unsafe" most files are caught, which shows
 * that the test can fail; so no file of the stock may do harm where nothing holds it: what would
 * reach beyond the watched things is asked for in a form that changes nothing.
 *
 * Exit status: 0 as expected, 1 not, 2 usage, 77 this machine has no tier of that name.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "confine.h"
#include "file.h"
#include "grade.h"
#include "labs.h"
#include "path.h"
#include "process.h"
#include "rng.h"

enum { USAGE = 2, SKIPPED = 77, LIMIT = 1 << 20, MOST_N = 300, LONGEST = 120 };

typedef struct test {
    const char *file;
    char name[100], out[PATH_MAX], yard[PATH_MAX]; /* the folder of what is watched */
    char secret[PATH_MAX], victim[PATH_MAX], listener[PATH_MAX], segment[64], token[40];
    key_t key;
    int tcp, local, port;
    pid_t bystander;
    struct stat victim_was, yard_was;
    char verdicts[80], words[200];
    bool whole;
    double seconds;
    lab_result *result; /* shared with the grader */
    unsigned faults;
} test;

__attribute__((format(printf, 2, 3))) static void fault(test *t, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    printf("%s: ", t->name);
    vprintf(format, list);
    printf("\n");
    va_end(list);
    t->faults++;
}

static _Noreturn void trouble(const char *what) { die(USAGE, "%s: %s", what, strerror(errno)); }

/* ---- what is watched ------------------------------------------------------------------------- */

static void make_files(test *t)
{
    static const char victim[] = "as it was\n";
    uint64_t number = 0;
    base_error error;

    rng_secret_seed(&number, NULL);
    snprintf(t->token, sizeof t->token, "token%016llx", (unsigned long long)number);
    snprintf(t->yard, sizeof t->yard, "/tmp/scanlab-stock-XXXXXX");
    if (!mkdtemp(t->yard) || !path_join(t->secret, sizeof t->secret, t->yard, "secret", &error) ||
        !path_join(t->victim, sizeof t->victim, t->yard, "victim", &error) ||
        !path_join(t->listener, sizeof t->listener, t->yard, "socket", &error) ||
        !file_write(t->secret, t->token, strlen(t->token), &error) ||
        !file_write(t->victim, victim, strlen(victim), &error))
        trouble("the files to watch");
    /* whoever the program runs as could read and write them */
    if (chmod(t->yard, 0777) != 0 || chmod(t->secret, 0644) != 0 || chmod(t->victim, 0666) != 0)
        trouble("chmod");
    snprintf(t->segment, sizeof t->segment, "scanlab-stock-%d", (int)getpid());
    t->key = (key_t)(0x5ca0000 + getpid());
}

static void listen_in(test *t)
{
    struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct sockaddr_un name = { .sun_family = AF_UNIX };
    socklen_t size = sizeof here;

    t->tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    t->local = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    snprintf(name.sun_path, sizeof name.sun_path, "%.100s", t->listener);
    if (bind(t->tcp, (struct sockaddr *)&here, sizeof here) != 0 || listen(t->tcp, 4) != 0 ||
        getsockname(t->tcp, (struct sockaddr *)&here, &size) != 0 ||
        bind(t->local, (struct sockaddr *)&name, sizeof name) != 0 || listen(t->local, 4) != 0 ||
        chmod(t->listener, 0777) != 0)
        trouble("the listeners");
    t->port = ntohs(here.sin_port);
}

static void set_up(test *t)
{
    make_files(t);
    listen_in(t);
    if (stat(t->victim, &t->victim_was) != 0 || stat(t->yard, &t->yard_was) != 0)
        trouble("stat");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    t->bystander = fork();
    if (t->bystander == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    setenv("SCANLAB_STOCK_SECRET", t->token, 1);
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Replaces every name in the text; it is the caller's to free, as before. */
static char *fill_in(char *text, const char *name, const char *value)
{
    char *filled = NULL, *at;
    size_t size;
    FILE *f = open_memstream(&filled, &size);
    const char *from = text;

    for (; f && (at = strstr(from, name)) != NULL; from = at + strlen(name))
        fprintf(f, "%.*s%s", (int)(at - from), from, value);
    if (!f)
        trouble("open_memstream");
    fputs(from, f);
    fclose(f);
    free(text);
    return filled;
}

static char *read_text(const char *folder, const char *name)
{
    char path[PATH_MAX], *text;
    base_error error;

    if (!path_join(path, sizeof path, folder, name, &error) ||
        !file_read(path, LIMIT, &text, NULL, &error))
        die(USAGE, "%s", error.text);
    return text;
}

static const char stock[] = SCANLAB_SOURCE_DIR "/grader/test/stock";

static char *fill_names(const test *t, char *text)
{
    char port[16], bystander[16], key[16];
    char *by_hand = read_text(stock, "by_hand.inc"),
         *wire = read_text(SCANLAB_SOURCE_DIR "/common/cudart", "wire.h");

    snprintf(port, sizeof port, "%d", t->port);
    snprintf(bystander, sizeof bystander, "%d", (int)t->bystander);
    snprintf(key, sizeof key, "%d", (int)t->key);
    const char *const names[][2] = { { "// @BY_HAND@", by_hand }, /* names @WIRE@ */
                                     { "@WIRE@", wire },
                                     { "@SECRET@", t->secret },
                                     { "@VICTIM@", t->victim },
                                     { "@FOLDER@", t->yard },
                                     { "@KIT@", SCANLAB_SOURCE_DIR },
                                     { "@PORT@", port },
                                     { "@LISTENER@", t->listener },
                                     { "@BYSTANDER@", bystander },
                                     { "@SEGMENT@", t->segment },
                                     { "@KEY@", key } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        text = fill_in(text, names[i][0], names[i][1]);
    free(by_hand);
    free(wire);
    return text;
}

static void read_head(test *t, const char *text)
{
    int used = 0;

    t->seconds = 10; /* as the grader has it */
    if (sscanf(text, "// expect: %79[A-Z_,] |%n", t->verdicts, &used) != 1 || used == 0)
        die(USAGE, "%s: its first line has to be \"// expect: VERDICT | text\"", t->file);
    const char *words = text + used + strspn(text + used, " ");
    snprintf(t->words, sizeof t->words, "%.*s", (int)strcspn(words, "\n"), words);
    const char *second = strchr(text, '\n');
    t->whole = second && strncmp(second, "\n// whole", 9) == 0;
    if (second)
        sscanf(second, "\n// %*[a-z ], %lf s", &t->seconds);
}

static void write_program(test *t, const lab *l, char path[PATH_MAX])
{
    static const char renamed[] = "#define hillis_steele_inclusive solved_inclusive\n";
    char *prelude = read_text(stock, "prelude.inc"), *epilogue = read_text(stock, "epilogue.inc"),
         *file = read_text("", t->file), solved[300], *all = NULL;
    base_error error;

    read_head(t, file);
    snprintf(solved, sizeof solved, SCANLAB_SOURCE_DIR "/solutions/%s", l->id);
    char *solution = read_text(solved, l->file);
    if (asprintf(&all, "%s%s%s%s%s%s", prelude, t->whole ? "" : renamed, file, t->whole ? "" : "\n",
                 t->whole ? "" : solution, t->whole ? "" : epilogue) < 0)
        trouble("asprintf");
    all = fill_names(t, all);
    if (!path_join(path, PATH_MAX, t->out, "program.cu", &error) ||
        !file_write(path, all, strlen(all), &error))
        die(USAGE, "%s", error.text);
    free(prelude);
    free(epilogue);
    free(file);
    free(solution);
    free(all);
}

/* ---- grading --------------------------------------------------------------------------------- */

static _Noreturn void grade_it(test *t, const lab *l, const char *program)
{
    options o = { .src = "labs",
                  .backend = "simt",
                  .seeds = 1,
                  .jobs = 1,
                  .has_seed = true,
                  .seed = 1,
                  .most_n = MOST_N,
                  .alone = true,
                  .seconds = t->seconds };
    toolchain tools;
    base_error error;

    snprintf(o.out, sizeof o.out, "%s", t->out);
    alarm(LONGEST);
    confine_hide_self();
    process_prepare();
    if (!toolchain_find(&tools, &error))
        die(USAGE, "%s", error.text);
    grade_lab(&o, &tools, l, program, NULL, t->result);
    _exit(0);
}

static bool ended_by_itself(test *t, pid_t grader)
{
    int status;

    if (waitpid(grader, &status, WUNTRACED) != grader)
        trouble("waitpid");
    if (WIFSTOPPED(status)) {
        fault(t, "the grader was stopped");
        kill(grader, SIGKILL);
        waitpid(grader, &status, 0);
    } else if (WIFSIGNALED(status)) {
        fault(t, "the grader was ended by signal %d", WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0 || !t->result->finished) {
        fault(t, "the grader ended with %d", WEXITSTATUS(status));
    } else {
        return true;
    }
    return false;
}

/* ---- looking round --------------------------------------------------------------------------- */

static void look_at_files(test *t)
{
    struct stat now;
    char *text = NULL;
    unsigned entries = 0;

    if (!file_read(t->victim, LIMIT, &text, NULL, NULL))
        fault(t, "the victim is gone");
    else if (strcmp(text, "as it was\n") != 0)
        fault(t, "the victim was changed");
    else if (stat(t->victim, &now) != 0 || now.st_mode != t->victim_was.st_mode ||
             now.st_uid != t->victim_was.st_uid || now.st_ino != t->victim_was.st_ino ||
             now.st_nlink != 1 || now.st_mtim.tv_sec != t->victim_was.st_mtim.tv_sec)
        fault(t, "the victim has another mode, owner, number or time");
    free(text);
    DIR *all = opendir(t->yard);
    while (all && readdir(all))
        entries++;
    if (all)
        closedir(all);
    if (entries != 5) /* secret, victim, socket, . and .. */
        fault(t, "%u entries in the watched folder instead of 5", entries);
    if (stat(t->yard, &now) != 0 || now.st_mode != t->yard_was.st_mode)
        fault(t, "the watched folder has another mode");
}

static void look_at_listeners(test *t)
{
    if (accept(t->tcp, NULL, NULL) >= 0)
        fault(t, "somebody called by TCP");
    if (accept(t->local, NULL, NULL) >= 0)
        fault(t, "somebody called by the file system");
}

static void look_at_processes(test *t)
{
    struct rlimit now, own;
    int status;

    if (waitpid(t->bystander, &status, WNOHANG | WUNTRACED) != 0)
        fault(t, "the bystander was killed or stopped");
    else if (prlimit(t->bystander, RLIMIT_CPU, NULL, &now) != 0 ||
             getrlimit(RLIMIT_CPU, &own) != 0 || now.rlim_cur != own.rlim_cur ||
             getpriority(PRIO_PROCESS, (id_t)t->bystander) != getpriority(PRIO_PROCESS, 0))
        fault(t, "the bystander has other limits");
    kill(t->bystander, SIGKILL);
    waitpid(t->bystander, NULL, 0);
    /* orphans come to this process; a namespace may take a moment to end */
    for (int tries = 0; tries < 100; tries++) {
        const pid_t left = waitpid(-1, NULL, WNOHANG);
        if (left < 0)
            return;
        usleep(10000);
    }
    fault(t, "a process is left");
}

static const char *const shared[] = { "/dev/shm", "/tmp", "/var/tmp", "/run" };

static void look_at_memory(test *t)
{
    char path[100];

    if (shmget(t->key, 0, 0) >= 0 || semget(t->key, 0, 0) >= 0 || msgget(t->key, 0) >= 0)
        fault(t, "a segment, semaphore or queue is left");
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        snprintf(path, sizeof path, "%s/%s", shared[i], t->segment);
        if (access(path, F_OK) == 0)
            fault(t, "%s is left", path);
    }
}

static bool holds(const void *data, size_t size, const char *text)
{
    return memmem(data, size, text, strlen(text)) != NULL;
}

/* The secret, in what was built and reported; not in the program, which has its path alone. */
static void look_for_the_secret(test *t, const lab *l)
{
    static const char *const files[] = { "hillis_steele.cu", "device.ll", "device.ptx", "host.o",
                                         "runner" };
    char path[PATH_MAX], *data;
    size_t size;

    if (holds(t->result, sizeof *t->result, t->token))
        fault(t, "the secret is printed");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%.3000s/%s/%s", t->out, l->id, files[i]);
        if (!file_read(path, (size_t)256 << 20, &data, &size, NULL))
            continue;
        if (holds(data, size, t->token))
            fault(t, "the secret is in %s", files[i]);
        free(data);
    }
}

/* Of a compiler that was ended. */
static void look_for_halves(test *t, const lab *l)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%.3000s/%s", t->out, l->id);
    DIR *all = opendir(path);
    for (struct dirent *entry; all && (entry = readdir(all));)
        if (strstr(entry->d_name, ".tmp"))
            fault(t, "%s is left", entry->d_name);
    if (all)
        closedir(all);
}

static void look_at_result(test *t)
{
    const lab_result *r = t->result;
    const char *name = verdict_name(r->verdict);
    const size_t length = strlen(name);
    bool wanted = false, said = !t->words[0] || strcasestr(r->message, t->words);

    for (const char *at = t->verdicts; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        wanted = wanted || (strncmp(at, name, length) == 0 && strcspn(at, ",") == length);
    for (unsigned c = 0; c < r->case_count; c++) {
        char message[RESULT_MESSAGE];
        result_message(&r->cases[c], message);
        said = said || strcasestr(message, t->words);
        const char *leak = strstr(r->cases[c].printed, "LEAKED");
        if (leak)
            fault(t, "it could: %.*s", (int)strcspn(leak, "\n"), leak);
        for (const char *p = r->cases[c].printed; *p; p++)
            if ((unsigned char)*p < ' ' && *p != '\n' && *p != '\t') {
                fault(t, "a control character is shown");
                break;
            }
        if (leak)
            break;
    }
    if (strchr(r->message, '\033'))
        fault(t, "an escape is in the message");
    if (!wanted)
        fault(t, "its verdict is %s, not %s", name, t->verdicts);
    if (!said)
        fault(t, "it does not say \"%s\"", t->words);
    if (!t->faults)
        return;
    printf("%s\n", r->message);
    for (unsigned c = 0; c < r->case_count; c++)
        if (r->cases[c].verdict != VERDICT_PASS) {
            char message[RESULT_MESSAGE];
            result_message(&r->cases[c], message);
            printf("%s %s: %s\n", r->cases[c].name, verdict_name(r->cases[c].verdict), message);
            break;
        }
}

static void tidy(const test *t)
{
    char command[PATH_MAX + 20];

    shmctl(shmget(t->key, 0, 0), IPC_RMID, NULL);
    msgctl(msgget(t->key, 0), IPC_RMID, NULL);
    semctl(semget(t->key, 0, 0), 0, IPC_RMID);
    syscall(SYS_mq_unlink, t->segment);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        snprintf(command, sizeof command, "%s/%s", shared[i], t->segment);
        if (remove(command) != 0)
            errno = 0; /* as it should be */
    }
    snprintf(command, sizeof command, "rm -rf '%s'", t->yard);
    if (system(command) != 0)
        printf("%s is left\n", t->yard);
}

int main(int count, char **arguments)
{
    static test t;
    char here[PATH_MAX], program[PATH_MAX];
    base_error error;

    if (count != 4 || strcmp(arguments[1], "--out") != 0 || !getcwd(here, sizeof here) ||
        !path_join(t.out, sizeof t.out, here, arguments[2], &error) ||
        !file_make_folders(t.out, &error))
        die(USAGE, "see the head of stock_test.c");
    t.file = arguments[3];
    snprintf(t.name, sizeof t.name, "%.90s", path_name(t.file));
    const lab *l = labs_find("04", &error);
    if (!l)
        die(USAGE, "%s", error.text);
    if (confine_find(false) == CONFINE_NONE) {
        printf("no such sandbox here: %s\n", confine_problem());
        return SKIPPED;
    }
    t.result =
        mmap(NULL, sizeof *t.result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (t.result == MAP_FAILED)
        trouble("mmap");
    set_up(&t);
    write_program(&t, l, program);
    fflush(NULL);
    const pid_t grader = fork();
    if (grader == 0)
        grade_it(&t, l, program);
    const bool ended = ended_by_itself(&t, grader);
    look_at_files(&t);
    look_at_listeners(&t);
    look_at_processes(&t);
    look_at_memory(&t);
    look_for_the_secret(&t, l);
    look_for_halves(&t, l);
    if (ended)
        look_at_result(&t);
    tidy(&t);
    return t.faults > 0;
}
