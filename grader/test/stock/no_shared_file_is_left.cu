// expect: PASS |
static void attack(void)
{
    if (shm_open("/" SEGMENT, O_RDWR | O_CREAT, 0600) >= 0)
        leaked("shm_open");
    if (open("/dev/shm/" SEGMENT, O_RDWR | O_CREAT, 0600) >= 0)
        leaked("/dev/shm");
    if (syscall(SYS_mq_open, SEGMENT, O_RDWR | O_CREAT, 0600, NULL) >= 0)
        leaked("mq_open");
}
