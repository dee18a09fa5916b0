// expect: PASS |
static void attack(void)
{
    tell_file("/proc/self/root" SECRET);
    tell_file("/proc/self/cwd/../../../../../../../../../.." SECRET);
    tell_file("/proc/thread-self/root" SECRET);
}
