/*
 * timed_data.c: see timed_data.h.
 */
#define _GNU_SOURCE
#include "timed_data.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

typedef struct making {
    timed_data *s;
    unsigned at;
    bool fine;
    base_error error;
} making;

void timed_data_open(timed_data *s, const lab_part *part, size_t n, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->part = part;
    s->n = n;
    s->next_seed = seed;
}

void timed_data_close(timed_data *s)
{
    for (unsigned i = 0; i < TIMED_DATA_MOST; i++)
        judge_drop(&s->data[i]);
    s->made = s->used = 0;
}

static void *make_one(void *given)
{
    making *m = given;
    m->fine = judge_make(&m->s->data[m->at], m->s->part, m->s->n, m->s->seed[m->at], &m->error);
    return NULL;
}

/* As many as there are cores, each by a thread; one at least, by ours. */
static bool make_more(timed_data *s, base_error *error)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned wanted = cores < 1                 ? 1
                            : cores < TIMED_DATA_MOST ? (unsigned)cores
                                                      : TIMED_DATA_MOST;
    making jobs[TIMED_DATA_MOST];
    pthread_t threads[TIMED_DATA_MOST];
    unsigned started = 0;

    timed_data_close(s);
    for (unsigned i = 0; i < wanted; i++) {
        s->seed[i] = s->next_seed++;
        jobs[i] = (making){ .s = s, .at = i };
    }
    while (started + 1 < wanted &&
           pthread_create(&threads[started], NULL, make_one, &jobs[started + 1]) == 0)
        started++;
    make_one(&jobs[0]);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (s->made = 0; s->made <= started && jobs[s->made].fine;)
        s->made++;
    if (s->made == 0)
        *error = jobs[0].error;
    /* one that had no memory, or no thread, is made later, with another seed */
    return s->made > 0;
}

judge_data *timed_data_next(timed_data *s, uint64_t *seed, base_error *error)
{
    if (s->used > 0)
        judge_drop(&s->data[s->used - 1]);
    if (s->used == s->made && !make_more(s, error))
        return NULL;
    *seed = s->seed[s->used];
    return &s->data[s->used++];
}
