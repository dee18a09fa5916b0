// expect: PASS |
static void attack(void)
{
    int terminal = open("/dev/tty", O_RDWR);
    char letter = 'x';
    if (terminal >= 0 || syscall(SYS_ioctl, 0, 0x5412 /* TIOCSTI */, &letter) == 0)
        leaked("the terminal");
}
