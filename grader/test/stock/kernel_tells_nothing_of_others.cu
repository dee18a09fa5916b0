// expect: PASS |
static void attack(void)
{
    tell_file("/proc/kcore");
    tell_file("/dev/mem");
    tell_file("/dev/kmsg");
    tell_file("/proc/sysvipc/shm");
    char text[4096];
    if (syscall(SYS_syslog, 3, text, sizeof text) > 0)
        leaked("syslog");
}
