// expect: POLICY,CRASH,EARLY_EXIT,CUDA_ERROR,WRONG,TIMEOUT |
// with a solution, 4 s
/* A thread that speaks to the engine beside the runtime, in and out of turn: answers go astray. */
// @BY_HAND@
static void *speak(void *nothing)
{
    for (;;) {
        say(WIRE_MEMORY_OF, 0, 0, 0, 0, 0);
        say(WIRE_RETURNED, 1, 0, 0, 0, sizeof(wire_why));
    }
    return nothing;
}

static void attack(void)
{
    pthread_t thread;
    static bool runs;

    if (!runs)
        runs = pthread_create(&thread, NULL, speak, NULL) == 0;
}
