// expect: PASS |
static void *wait_for_ever(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

static void attack(void)
{
    pthread_attr_t small;
    pthread_t thread;
    int made = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    while (made < 4000 && pthread_create(&thread, &small, wait_for_ever, NULL) == 0)
        made++;
    if (made == 4000)
        leaked("4000 threads");
}
