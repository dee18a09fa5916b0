// expect: PASS |
static void attack(void)
{
    tell_file("/proc/kcore");
    tell_file("/dev/mem");
    tell_file("/dev/kmsg");
    char text[4096];
    if (syscall(SYS_syslog, 3, text, sizeof text) > 0)
        leaked("syslog");
}
