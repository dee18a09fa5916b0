/*
 * host_threads.h: POSIX threads; and where there are none, in WebAssembly, a stand-in that starts
 * none. Whoever asks for more threads than there are does the work with its own.
 *
 * Threads that the kit starts in somebody's program bear its name, so that they can be told from
 * the program's own.
 */
#ifndef BASE_HOST_THREADS_H
#define BASE_HOST_THREADS_H

#define HOST_THREADS_NAME "scanlab's own"

#ifdef __linux__
#include <sys/prctl.h>
/* By each of those threads, when it begins. */
static inline void host_threads_name(void) { (void)prctl(PR_SET_NAME, HOST_THREADS_NAME); }
#else
static inline void host_threads_name(void) {}
#endif

#ifndef __wasm__
#include <pthread.h>
#else
#include <errno.h>

typedef int pthread_t, pthread_once_t;
#define PTHREAD_ONCE_INIT 0

static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *),
                                 void *argument)
{
    (void)thread, (void)attributes, (void)start, (void)argument;
    return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result)
{
    (void)thread, (void)result;
    return ESRCH;
}

static inline int pthread_once(pthread_once_t *once, void (*make)(void))
{
    if (!*once)
        make();
    *once = 1;
    return 0;
}
#endif

#endif
