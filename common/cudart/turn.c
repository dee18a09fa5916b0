/* turn.c: whose turn it is among the host's threads; the rules are in state.h. */
#include <pthread.h>
#include <time.h>

#include "state.h"

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static _Thread_local unsigned taken; /* how often, by calls that call each other */

unsigned cudart_begin_turn(uint64_t caller)
{
    if (taken++ == 0) {
        pthread_mutex_lock(&turn);
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
        pthread_mutex_lock(&turn);
    taken = times;
}

void cudart_await_news(void) { pthread_cond_wait(&news, &turn); }
void cudart_turn_news(void) { pthread_cond_broadcast(&news); }

bool cudart_last_turn(unsigned seconds)
{
    struct timespec until;

    if (taken > 0)
        return true;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += seconds;
    if (pthread_mutex_timedlock(&turn, &until) != 0)
        return false;
    taken = 1;
    return true;
}
