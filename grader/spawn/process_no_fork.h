/*
 * process_no_fork.h: from here on the calling process, and what it becomes by exec, starts no
 * process, only threads.
 */
#ifndef PROCESS_NO_FORK_H
#define PROCESS_NO_FORK_H

#include <stdbool.h>

/* Needs PR_SET_NO_NEW_PRIVS. False where the kernel or the machine has no such filter: RLIMIT_NPROC
   is left, which root does not heed. */
bool process_forbid_fork(void);

#endif
