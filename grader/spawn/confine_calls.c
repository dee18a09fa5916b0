/*
 * confine_calls.c: the system calls that a confined process may make, by libseccomp. See confine.h.
 *
 * A program on the engine needs few, and gets those: every other fails with ENOSYS, as on a kernel
 * that does not have it, which C libraries know how to meet. For compilers and a GPU's driver,
 * whose calls change from one to the next, it is the other way round: what reaches beyond the
 * process is refused, the rest let through.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "confine.h"

#define ERRNO(number) SCMP_ACT_ERRNO(number)

/* What a program may always do: memory, threads, time, signals to itself, descriptors it has. */
static const char *const allowed[] = { "read",
                                       "readv",
                                       "pread64",
                                       "preadv",
                                       "preadv2",
                                       "write",
                                       "writev",
                                       "pwrite64",
                                       "pwritev",
                                       "pwritev2",
                                       "lseek",
                                       "close",
                                       "close_range",
                                       "dup",
                                       "dup2",
                                       "dup3",
                                       "pipe",
                                       "pipe2",
                                       "poll",
                                       "ppoll",
                                       "select",
                                       "pselect6",
                                       "epoll_create",
                                       "epoll_create1",
                                       "epoll_ctl",
                                       "epoll_wait",
                                       "epoll_pwait",
                                       "epoll_pwait2",
                                       "eventfd",
                                       "eventfd2",
                                       "timerfd_create",
                                       "timerfd_settime",
                                       "timerfd_gettime",
                                       "fsync",
                                       "fdatasync",
                                       "ftruncate",
                                       "fstat",
                                       "stat",
                                       "lstat",
                                       "newfstatat",
                                       "statx",
                                       "access",
                                       "faccessat",
                                       "faccessat2",
                                       "readlink",
                                       "readlinkat",
                                       "getcwd",
                                       "chdir",
                                       "fchdir",
                                       "getdents",
                                       "getdents64",
                                       "statfs",
                                       "fstatfs",
                                       "umask",
                                       "send",
                                       "sendto",
                                       "sendmsg",
                                       "recv",
                                       "recvfrom",
                                       "recvmsg",
                                       "shutdown",
                                       "getsockopt",
                                       "setsockopt",
                                       "getsockname",
                                       "getpeername",
                                       "munmap",
                                       "mprotect",
                                       "mremap",
                                       "madvise",
                                       "mincore",
                                       "msync",
                                       "mlock",
                                       "mlock2",
                                       "munlock",
                                       "brk",
                                       "membarrier",
                                       "rt_sigaction",
                                       "rt_sigprocmask",
                                       "rt_sigreturn",
                                       "rt_sigpending",
                                       "rt_sigsuspend",
                                       "rt_sigtimedwait",
                                       "sigaltstack",
                                       "restart_syscall",
                                       "pause",
                                       "alarm",
                                       "setitimer",
                                       "getitimer",
                                       "timer_create",
                                       "timer_settime",
                                       "timer_gettime",
                                       "timer_getoverrun",
                                       "timer_delete",
                                       "nanosleep",
                                       "clock_nanosleep",
                                       "clock_gettime",
                                       "clock_getres",
                                       "gettimeofday",
                                       "time",
                                       "times",
                                       "getrusage",
                                       "futex",
                                       "futex_waitv",
                                       "set_robust_list",
                                       "get_robust_list",
                                       "set_tid_address",
                                       "rseq",
                                       "arch_prctl",
                                       "gettid",
                                       "getpid",
                                       "getppid",
                                       "getpgrp",
                                       "getpgid",
                                       "getsid",
                                       "getuid",
                                       "geteuid",
                                       "getgid",
                                       "getegid",
                                       "getresuid",
                                       "getresgid",
                                       "getgroups",
                                       "getrandom",
                                       "uname",
                                       "sysinfo",
                                       "getcpu",
                                       "sched_yield",
                                       "sched_getaffinity",
                                       "sched_getparam",
                                       "sched_getscheduler",
                                       "sched_get_priority_max",
                                       "sched_get_priority_min",
                                       "getpriority",
                                       "getrlimit",
                                       "wait4",
                                       "waitid",
                                       "execve",
                                       "execveat",
                                       "exit",
                                       "exit_group" };

/* What nobody who is confined may do: other processes, the machine, the network, rights, files'
   owners and modes, memory that outlives the process, and what makes kernels big. */
static const char *const refused[] = { "pidfd_open",
                                       "pidfd_getfd",
                                       "pidfd_send_signal",
                                       "rt_sigqueueinfo",
                                       "rt_tgsigqueueinfo",
                                       "tkill",
                                       "ptrace",
                                       "process_vm_readv",
                                       "process_vm_writev",
                                       "process_madvise",
                                       "process_mrelease",
                                       "kcmp",
                                       "migrate_pages",
                                       "move_pages",
                                       "setpriority",
                                       "ioprio_set",
                                       "shmget",
                                       "shmat",
                                       "shmctl",
                                       "shmdt",
                                       "semget",
                                       "semop",
                                       "semctl",
                                       "semtimedop",
                                       "msgget",
                                       "msgsnd",
                                       "msgrcv",
                                       "msgctl",
                                       "mq_open",
                                       "mq_unlink",
                                       "mq_notify",
                                       "connect",
                                       "unshare",
                                       "setns",
                                       "mount",
                                       "umount2",
                                       "pivot_root",
                                       "chroot",
                                       "open_tree",
                                       "move_mount",
                                       "fsopen",
                                       "fsconfig",
                                       "fsmount",
                                       "fspick",
                                       "mount_setattr",
                                       "swapon",
                                       "swapoff",
                                       "quotactl",
                                       "quotactl_fd",
                                       "acct",
                                       "name_to_handle_at",
                                       "open_by_handle_at",
                                       "fanotify_init",
                                       "fanotify_mark",
                                       "inotify_init",
                                       "inotify_init1",
                                       "io_uring_setup",
                                       "io_uring_enter",
                                       "io_uring_register",
                                       "io_setup",
                                       "io_submit",
                                       "bpf",
                                       "perf_event_open",
                                       "userfaultfd",
                                       "keyctl",
                                       "add_key",
                                       "request_key",
                                       "seccomp",
                                       "landlock_create_ruleset",
                                       "landlock_add_rule",
                                       "landlock_restrict_self",
                                       "chown",
                                       "fchown",
                                       "lchown",
                                       "fchownat",
                                       "setxattr",
                                       "lsetxattr",
                                       "fsetxattr",
                                       "removexattr",
                                       "lremovexattr",
                                       "fremovexattr",
                                       "setxattrat",
                                       "removexattrat",
                                       "utime",
                                       "utimes",
                                       "futimesat",
                                       "utimensat",
                                       "truncate",
                                       "link",
                                       "linkat",
                                       "symlink",
                                       "symlinkat",
                                       "mknod",
                                       "mknodat",
                                       "setuid",
                                       "setgid",
                                       "setreuid",
                                       "setregid",
                                       "setresuid",
                                       "setresgid",
                                       "setfsuid",
                                       "setfsgid",
                                       "setgroups",
                                       "capset",
                                       "personality",
                                       "settimeofday",
                                       "clock_settime",
                                       "clock_adjtime",
                                       "adjtimex",
                                       "stime",
                                       "sethostname",
                                       "setdomainname",
                                       "syslog",
                                       "reboot",
                                       "kexec_load",
                                       "kexec_file_load",
                                       "init_module",
                                       "finit_module",
                                       "delete_module",
                                       "create_module",
                                       "vhangup",
                                       "iopl",
                                       "ioperm",
                                       "modify_ldt",
                                       "lookup_dcookie",
                                       "nfsservctl",
                                       "uselib",
                                       "memfd_secret" };

/* Their arguments lie in memory, where a filter cannot look; C libraries then take older calls. */
static const char *const absent[] = { "clone3", "openat2" };

/* A filter that is being made; the first rule that fails makes all the rest no use. */
typedef struct filter {
    scmp_filter_ctx context;
    bool fine;
} filter;

/* One that this library or machine does not have needs no rule. */
static int number_of(const char *name)
{
    const int number = seccomp_syscall_resolve_name(name);
    return number == __NR_SCMP_ERROR ? 0x7fffffff : number;
}

static void rule(filter *f, uint32_t action, const char *name, unsigned count,
                 const struct scmp_arg_cmp *arguments)
{
    const int number = number_of(name);
    if (number == 0x7fffffff || !f->fine)
        return;
    const int status = seccomp_rule_add_array(f->context, action, number, count, arguments);
    f->fine = status == 0 || status == -EDOM || status == -EOPNOTSUPP;
}

static void rule_on(filter *f, uint32_t action, const char *name, struct scmp_arg_cmp argument)
{
    rule(f, action, name, 1, &argument);
}

/* libseccomp's own macro leaves a field out, which clang warns of */
#define FIRST(how, value)  ((struct scmp_arg_cmp){ 0, (how), (uint32_t)(value), 0 })
#define IS(n, value)       SCMP_CMP64(n, SCMP_CMP_MASKED_EQ, 0xffffffffu, (value))
#define BITS(n, bits, are) SCMP_CMP64(n, SCMP_CMP_MASKED_EQ, (bits), (are))

static void refuse_bits(filter *f, int error, const char *name, unsigned argument, unsigned bits)
{
    for (unsigned bit = 1; bit; bit <<= 1)
        if (bits & bit)
            rule_on(f, ERRNO(error), name, BITS(argument, bit, bit));
}

/* A file is opened to be read, or not at all. */
static void open_rules(filter *f, const char *name, unsigned flags)
{
    enum { CHANGES = O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY) };

    rule_on(f, SCMP_ACT_ALLOW, name, BITS(flags, O_ACCMODE | CHANGES, 0));
    rule_on(f, ERRNO(EACCES), name, BITS(flags, O_ACCMODE, O_WRONLY));
    rule_on(f, ERRNO(EACCES), name, BITS(flags, O_ACCMODE, O_RDWR));
    refuse_bits(f, EACCES, name, flags, CHANGES);
}

/* Memory shared through a file that it was given, or private (confine.h). */
static void mapping_rules(filter *f, bool engine)
{
    enum { SHARED = MAP_SHARED & MAP_SHARED_VALIDATE, BOTH = MAP_ANONYMOUS | SHARED };

    if (engine) {
        rule(f, SCMP_ACT_ALLOW, "mmap", 0, NULL);
        return;
    }
    rule_on(f, SCMP_ACT_ALLOW, "mmap", BITS(3, MAP_ANONYMOUS, 0));
    rule_on(f, SCMP_ACT_ALLOW, "mmap", BITS(3, BOTH, MAP_ANONYMOUS));
    rule_on(f, ERRNO(ENOMEM), "mmap", BITS(3, BOTH, BOTH));
}

/* Numbers of processes: itself, or 0 for itself. */
static void program_rules(filter *f, bool engine)
{
    static const int commands[] = { F_DUPFD, F_GETFD,         F_SETFD,     F_GETFL,     F_SETFL,
                                    F_GETLK, F_DUPFD_CLOEXEC, F_GET_SEALS, F_GETPIPE_SZ };
    static const unsigned long asked[] = { TCGETS, TIOCGWINSZ, FIONREAD };
    static const int named[] = { PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_CAPBSET_READ,
                                 0x53564d41 /* PR_SET_VMA: a name for memory */ };
    static const char *const writes[] = { "socket",   "socketpair", "unlink", "unlinkat",
                                          "mkdir",    "mkdirat",    "rmdir",  "rename",
                                          "renameat", "renameat2",  "chmod",  "fchmod",
                                          "fchmodat", "fchmodat2" };
    const unsigned self = (unsigned)getpid();

    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        rule(f, SCMP_ACT_ALLOW, allowed[i], 0, NULL);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        rule(f, ERRNO(EPERM), refused[i], 0, NULL);
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
        rule(f, ERRNO(EACCES), writes[i], 0, NULL);
    mapping_rules(f, engine);
    open_rules(f, "open", 1);
    open_rules(f, "openat", 2);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        rule_on(f, SCMP_ACT_ALLOW, "fcntl", IS(1, (unsigned)commands[i]));
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        rule_on(f, SCMP_ACT_ALLOW, "ioctl", IS(1, asked[i]));
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        rule_on(f, SCMP_ACT_ALLOW, "prctl", IS(0, (unsigned)named[i]));
    /* closed to others, for good */
    const struct scmp_arg_cmp hides[] = { IS(0, PR_SET_DUMPABLE), IS(1, 0) };
    rule(f, SCMP_ACT_ALLOW, "prctl", 2, hides);
    rule_on(f, SCMP_ACT_ALLOW, "kill", IS(0, self));
    rule_on(f, SCMP_ACT_ALLOW, "tgkill", IS(0, self));
    rule_on(f, ERRNO(EPERM), "kill", FIRST(SCMP_CMP_NE, self));
    rule_on(f, ERRNO(EPERM), "tgkill", FIRST(SCMP_CMP_NE, self));
    rule_on(f, SCMP_ACT_ALLOW, "prlimit64", IS(0, 0));
    rule_on(f, SCMP_ACT_ALLOW, "prlimit64", IS(0, self));
    /* threads, no processes: as where there is no room for one */
    rule_on(f, SCMP_ACT_ALLOW, "clone", BITS(0, CLONE_THREAD, CLONE_THREAD));
    rule_on(f, ERRNO(EAGAIN), "clone", BITS(0, CLONE_THREAD, 0));
    rule(f, ERRNO(EAGAIN), "fork", 0, NULL);
    rule(f, ERRNO(EAGAIN), "vfork", 0, NULL);
}

/* For those whose own processes have numbers that are not known yet: nobody is signalled but the
   first of them, by itself. */
static void tool_rules(filter *f, bool gpu)
{
    enum {
        NAMESPACES = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWUTS |
                     CLONE_NEWUSER | CLONE_NEWCGROUP
    };
    static const char *const modes[] = { "chmod", "fchmod", "fchmodat", "fchmodat2" };
    static const int owners[] = { F_SETOWN, 15 /* F_SETOWN_EX */, 10 /* F_SETSIG */ };
    static const char *const ends[] = { "socketpair", "bind", "listen", "accept", "accept4" };
    const unsigned self = (unsigned)getpid();

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        rule(f, ERRNO(EPERM), refused[i], 0, NULL);
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        rule(f, ERRNO(ENOSYS), absent[i], 0, NULL);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        rule(f, ERRNO(EPERM), modes[i], 0, NULL);
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        rule_on(f, ERRNO(EPERM), "fcntl", IS(1, (unsigned)owners[i]));
    refuse_bits(f, EPERM, "clone", 0, NAMESPACES);
    rule_on(f, ERRNO(EPERM), "kill", FIRST(SCMP_CMP_NE, self));
    rule_on(f, ERRNO(EPERM), "tgkill", FIRST(SCMP_CMP_NE, self));
    rule_on(f, ERRNO(EPERM), "prlimit64", FIRST(SCMP_CMP_GT, 0));
    /* an open that only reads, and empties the file all the same: an old Landlock lets it be */
    rule_on(f, ERRNO(EACCES), "open", BITS(1, O_ACCMODE | O_TRUNC, O_TRUNC));
    rule_on(f, ERRNO(EACCES), "openat", BITS(2, O_ACCMODE | O_TRUNC, O_TRUNC));
    if (gpu) { /* the driver's parts speak to each other; nobody is called, and no letters sent */
        rule_on(f, ERRNO(EACCES), "socket", FIRST(SCMP_CMP_NE, AF_UNIX));
        rule_on(f, ERRNO(EACCES), "socket", BITS(1, 0xf, SOCK_DGRAM));
    } else {
        rule(f, ERRNO(EACCES), "socket", 0, NULL);
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            rule(f, ERRNO(EACCES), ends[i], 0, NULL);
        rule_on(f, ERRNO(EPERM), "ioctl", IS(1, TIOCSTI));
    }
}

bool confine_calls(const confine_rules *rules)
{
    const bool by_name = rules->kind == CONFINE_PROGRAM && !rules->gpu;
    filter f = { seccomp_init(by_name ? ERRNO(ENOSYS) : SCMP_ACT_ALLOW), true };

    if (!f.context)
        return false;
    /* 32 bits, x32: no calls of another kind */
    f.fine = seccomp_attr_set(f.context, SCMP_FLTATR_ACT_BADARCH, ERRNO(EPERM)) == 0 &&
             seccomp_attr_set(f.context, SCMP_FLTATR_CTL_NNP, 0) == 0;
    if (by_name)
        program_rules(&f, rules->engine);
    else
        tool_rules(&f, rules->gpu);
    const bool loaded = f.fine && seccomp_load(f.context) == 0;
    seccomp_release(f.context);
    return loaded;
}
