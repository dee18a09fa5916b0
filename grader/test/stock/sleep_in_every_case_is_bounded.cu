// expect: TIMEOUT | besides its kernels
// with a solution, 1 s
#define EVERY_CALL
#define hillis_steele_double_buffer solved_double_buffer
#define hillis_steele_exclusive     solved_exclusive

static void attack(void)
{
    struct timespec some = { 0, 300000000 };
    nanosleep(&some, NULL);
}
