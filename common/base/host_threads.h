/*
 * host_threads.h: POSIX threads; and where there are none, in WebAssembly, a stand-in that starts
 * none. Whoever asks for more threads than there are does the work with its own.
 */
#ifndef BASE_HOST_THREADS_H
#define BASE_HOST_THREADS_H

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
