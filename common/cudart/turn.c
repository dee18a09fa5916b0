/*
 * turn.c: whose turn it is among the host's threads, and a launch that goes on after its call has
 * returned; the rules are in state.h.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "host_threads.h"
#include "state.h"

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static _Thread_local unsigned taken; /* how often, by calls that call each other */
static _Thread_local bool is_aside;  /* the thread of the launch below */
static atomic_uint waiting;          /* threads that wait for what is at work */

/* A launch on a thread of its own, of which there is one at a time. Until it has ended, nobody else
   comes to the device. */
static struct {
    enum { NONE, AT_WORK, GOES_ON, ENDED } state; /* GOES_ON: its call has returned */
    cudart_launch launch;
    unsigned gpu;
    cudaError_t error;
    cudart_thread thread; /* what the call leaves of its error */
} aside;

static void take(void)
{
    atomic_fetch_add(&waiting, 1);
    pthread_mutex_lock(&turn);
    while (aside.state != NONE)
        pthread_cond_wait(&news, &turn);
    atomic_fetch_sub(&waiting, 1);
}

unsigned cudart_begin_turn(uint64_t caller)
{
    if (taken++ == 0) {
        take();
        cudart_back_called_from(caller);
    }
    return taken;
}

unsigned cudart_begin_beside(uint64_t caller)
{
    if (taken++ == 0) {
        pthread_mutex_lock(&turn);
        while (aside.state != NONE && aside.state != GOES_ON)
            pthread_cond_wait(&news, &turn);
        if (aside.state == NONE)
            cudart_back_called_from(caller);
    }
    return taken;
}

void cudart_end_turn(const unsigned *unused)
{
    (void)unused;
    if (--taken == 0)
        pthread_mutex_unlock(&turn);
}

unsigned cudart_leave_turn(void)
{
    const unsigned times = taken;
    taken = 0;
    if (times)
        pthread_mutex_unlock(&turn);
    return times;
}

void cudart_resume_turn(unsigned times)
{
    if (times)
        take();
    taken = times;
}

void cudart_await_news(void)
{
    atomic_fetch_add(&waiting, 1);
    do
        pthread_cond_wait(&news, &turn);
    while (aside.state != NONE);
    atomic_fetch_sub(&waiting, 1);
}

void cudart_turn_news(void) { pthread_cond_broadcast(&news); }

unsigned cudart_turn_waiting(void) { return atomic_load(&waiting); }

bool cudart_last_turn(unsigned seconds)
{
    struct timespec until;
    int error;

    if (taken > 0) /* a signal has stopped a call, perhaps one that waits for its launch */
        return is_aside || aside.state == NONE;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    atomic_fetch_add(&waiting, 1);
    error = pthread_mutex_timedlock(&turn, &until);
    while (error == 0 && aside.state != NONE) {
        error = pthread_cond_timedwait(&news, &turn, &until);
        if (error != 0)
            pthread_mutex_unlock(&turn);
    }
    atomic_fetch_sub(&waiting, 1);
    taken = error == 0;
    return taken;
}

/* ---- a launch on a thread of its own --------------------------------------------------------- */

static void *work(void *unused)
{
    (void)unused;
    host_threads_name();
    is_aside = true;
    taken = 1; /* for what a launch calls: the turn is the launcher's, or nobody's */
    cudart_gpu = aside.gpu;
    aside.error = cudart_back_launch(&aside.launch);
    aside.thread = cudart_mine;
    cudart_launch_ends();
    aside.state = aside.state == GOES_ON ? NONE : ENDED;
    pthread_cond_broadcast(&news);
    pthread_mutex_unlock(&turn);
    return NULL;
}

void cudart_launch_ends(void)
{
    static _Thread_local bool has_it;
    if (is_aside && !has_it)
        pthread_mutex_lock(&turn);
    has_it = is_aside;
}

cudaError_t cudart_launch_aside(const cudart_launch *launch)
{
    pthread_t thread;

    aside.launch = *launch;
    aside.gpu = cudart_gpu;
    aside.state = AT_WORK;
    if (pthread_create(&thread, NULL, work, NULL) != 0) {
        aside.state = NONE;
        return cudart_back_launch(launch);
    }
    pthread_detach(thread);
    while (aside.state == AT_WORK)
        pthread_cond_wait(&news, &turn);
    if (aside.state != ENDED)
        return cudaSuccess;
    aside.state = NONE;
    pthread_cond_broadcast(&news); /* heard when the turn ends */
    const cudaError_t error = aside.error;
    if (error != cudaSuccess)
        cudart_advise(cudart_because(error, "%s", aside.thread.detail), aside.thread.advice);
    return error;
}

bool cudart_let_launcher_go(void)
{
    if (!is_aside)
        return false;
    pthread_mutex_lock(&turn);
    aside.state = GOES_ON;
    pthread_cond_broadcast(&news);
    pthread_mutex_unlock(&turn);
    return true;
}

bool cudart_launch_goes_on(void) { return aside.state == GOES_ON; }
