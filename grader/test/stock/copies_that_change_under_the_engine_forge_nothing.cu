// expect: PASS,OVER_BUDGET,WRONG,POLICY,CRASH |
// with a solution, 4 s
/* While the engine reads what is staged, a thread turns every bit of it. */
// @BY_HAND@
static volatile unsigned *staged;
static volatile bool turns;

static void *turn(void *nothing)
{
    while (turns)
        for (int i = 0; i < 1 << 14; i++)
            staged[i] = ~staged[i];
    return nothing;
}

static void attack(void)
{
    pthread_t thread;
    uint64_t place;

    staged = (volatile unsigned *)mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    if ((void *)staged == MAP_FAILED || !ask(WIRE_OPEN, 0, 0, 0, 0) ||
        !ask(WIRE_ALLOC, 1 << 16, 0, 0, 0))
        return;
    place = heard.head.a[1];
    turns = true;
    if (pthread_create(&thread, NULL, turn, NULL) != 0)
        return;
    for (int i = 0; i < 200; i++) {
        if (ask(WIRE_WRITE, place, 1 << 16, 1 << 16, 1))
            ask(WIRE_STAGED, 0, 0, 0, 0);
        ask(WIRE_READ, place, 1 << 16, 1 << 16, 1);
        ask(WIRE_FILL, place, 1 << 16, 0x5a, 1 << 16);
    }
    turns = false;
    pthread_join(thread, NULL);
}
