// expect: PASS |
static void attack(void)
{
    unsigned char parameters[120] = { 0 };
    if (syscall(425 /* io_uring_setup */, 4, parameters) >= 0)
        leaked("io_uring_setup");
}
