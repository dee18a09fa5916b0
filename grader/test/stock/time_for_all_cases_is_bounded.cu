// expect: TIMEOUT | together
// with a solution, 0.6 s
#define EVERY_CALL

static void attack(void)
{
    struct timespec most = { 0, 450000000 };
    nanosleep(&most, NULL);
}
