/*
 * back_hosts.c: a kernel waits for what a thread of the host may write in page-locked, mapped or
 * managed memory. Interface: cudart_host_writes in back_state.h.
 *
 * The thread that launches is among them once its call has returned (state.h); those that wait for
 * their turn in a call are not, as they do not come to it before the launch has ended.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "back_state.h"
#include "host_threads.h"

static bool is_own(const char *thread)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.20s/comm", thread);
    FILE *file = fopen(path, "r");
    if (!file)
        return true; /* it has ended */
    if (!fgets(name, sizeof name, file))
        name[0] = '\0';
    fclose(file);
    return strncmp(name, HOST_THREADS_NAME, strlen(HOST_THREADS_NAME)) == 0;
}

/* Threads of the program's that are not in a call. */
static unsigned free_ones(bool launcher_too)
{
    const unsigned in_calls = cudart_turn_waiting() + !launcher_too;
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/task");
    if (!folder)
        return 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.' && !is_own(entry->d_name);
    closedir(folder);
    return count > in_calls ? count - in_calls : 0;
}

bool cudart_host_writes(unsigned tries)
{
    enum { SHORT = 20, MOST = 1000 }; /* 10 s in all */
    static const struct timespec first = { .tv_nsec = 100000 }, then = { .tv_nsec = 10000000 };
    if (tries == MOST || !free_ones(cudart_let_launcher_go()))
        return false;
    nanosleep(tries < SHORT ? &first : &then, NULL);
    return true;
}
