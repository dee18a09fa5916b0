/*
 * jobs.c: see jobs.h.
 */
#include "jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

typedef struct queue {
    void (*run)(void *context, size_t job);
    void *context;
    size_t count;
    atomic_size_t next;
} queue;

static void *work(void *argument)
{
    queue *q = argument;

    for (size_t job = atomic_fetch_add(&q->next, 1); job < q->count;
         job = atomic_fetch_add(&q->next, 1))
        q->run(q->context, job);
    return NULL;
}

void jobs_run(void (*run)(void *context, size_t job), void *context, size_t count, unsigned threads)
{
    queue q = { .run = run, .context = context, .count = count };
    pthread_t made[MOST_THREADS];
    unsigned helpers = 0;

    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    while (helpers + 1 < threads && helpers + 1 < count &&
           pthread_create(&made[helpers], NULL, work, &q) == 0)
        helpers++;
    work(&q);
    for (unsigned t = 0; t < helpers; t++)
        pthread_join(made[t], NULL);
}

unsigned jobs_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores < 1 ? 1 : cores > MOST_THREADS ? MOST_THREADS : (unsigned)cores;
}
