// expect: PASS |
/* The pipe that the engine prints to as well is opened a second time, to read from it. */
static void attack(void)
{
    static const char *const names[] = { "/proc/self/fd/1", "/proc/self/fd/2",
                                         "/proc/thread-self/fd/1", "/dev/stdout" };
    for (const char *name : names)
        if (open(name, O_RDONLY | O_NONBLOCK) >= 0)
            leaked(name);
}
