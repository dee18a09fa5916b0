// expect: TIMEOUT | together
// with a solution, 0.5 s
#define EVERY_CALL

static void attack(void)
{
    struct timespec most = { 0, 300000000 };
    nanosleep(&most, NULL);
}
