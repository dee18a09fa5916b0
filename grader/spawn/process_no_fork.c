/*
 * process_no_fork.c: a program that may have threads, but starts no other process.
 *
 * RLIMIT_NPROC counts a user's processes and does not bind root, so a submission that forks without
 * end would take the machine, above all where root grades. A seccomp filter binds everybody. fork,
 * vfork, and clone without CLONE_THREAD fail with EAGAIN, as they do where there is no room; clone3
 * fails with ENOSYS, because a filter cannot see its flags, and libc then tries clone. A filter is
 * inherited and cannot be taken off. System calls of another architecture (32 bits, x32) are
 * refused.
 */
#define _GNU_SOURCE
#include "process_no_fork.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined __x86_64__
#define THIS      AUDIT_ARCH_X86_64
#define OTHER_BIT 0x40000000 /* that x32's calls have */
#elif defined __aarch64__
#define THIS      AUDIT_ARCH_AARCH64
#define OTHER_BIT 0x40000000 /* that no call has */
#endif

#ifndef SYS_fork
#define SYS_fork  SYS_clone3 /* arm64 has clone alone */
#define SYS_vfork SYS_clone3
#endif

#if defined __x86_64__ || defined __aarch64__

#define AT(field)             offsetof(struct seccomp_data, field)
#define LOAD(field)           BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT(field))
#define EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define HAS(bits, yes, no)    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, yes, no)
#define RETURN(what)          BPF_STMT(BPF_RET | BPF_K, what)
#define FAIL(number)          RETURN(SECCOMP_RET_ERRNO | (number))

bool process_forbid_fork(void)
{
    struct sock_filter rules[] = { LOAD(arch),
                                   EQUAL(THIS, 1, 0),
                                   FAIL(EPERM),
                                   LOAD(nr),
                                   HAS(OTHER_BIT, 0, 1),
                                   FAIL(EPERM),
                                   EQUAL(SYS_clone3, 0, 1),
                                   FAIL(ENOSYS),
                                   EQUAL(SYS_fork, 1, 0),
                                   EQUAL(SYS_vfork, 0, 1),
                                   FAIL(EAGAIN),
                                   EQUAL(SYS_clone, 0, 3),
                                   LOAD(args[0]),
                                   HAS(CLONE_THREAD, 1, 0),
                                   FAIL(EAGAIN),
                                   RETURN(SECCOMP_RET_ALLOW) };
    const struct sock_fprog program = { sizeof rules / sizeof *rules, rules };

    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else

bool process_forbid_fork(void) { return false; }

#endif
