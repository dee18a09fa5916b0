// expect: TIMEOUT | besides its kernels
// with a solution, 1 s
/* Who computes has to wait for a processor, for there are 40 threads more that want one: that is no
   waiting for others. */
#define EVERY_CALL
#define hillis_steele_double_buffer solved_double_buffer
#define hillis_steele_exclusive     solved_exclusive

static volatile bool busy;

static void *spin(void *)
{
    for (;;)
        if (!busy)
            usleep(1000);
    return NULL;
}

static void attack(void)
{
    static bool began;
    struct timespec start, now;
    pthread_t thread;

    for (int t = 0; t < 40 && !began; t++)
        pthread_create(&thread, NULL, spin, NULL);
    began = true;
    busy = true;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec) <
           0.3);
    busy = false;
}
